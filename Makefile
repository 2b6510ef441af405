# Builds the two libraries, the two tools and the tests, out of tree into $(BUILD).
#
#   make                build everything            make deps      install what is needed (Debian)
#   make check          run all tests               make demo      convert a sample and show it
#   make install        PREFIX=/usr/local DESTDIR=  make mingw     cross-compile libbv for Windows
#   CC=clang, BUILD=dir, SAN=1 (ASan + UBSan), CFLAGS=-O3 can be given with any of them

.SUFFIXES:
.DELETE_ON_ERROR:

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
SAN     ?=
CFLAGS  ?= -O2 -g
ifeq ($(origin CC),default)
CC := gcc
endif

PACKAGES  := gcc make pkg-config libc6-dev libassimp-dev libqhull-dev libcmocka-dev libxxhash-dev libcjson-dev
DEV_TOOLS := clang clang-format libomp-14-dev libclang-rt-14-dev gcc-mingw-w64-x86-64 python3-minimal

WARNINGS := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
FLAGS    := -std=c17 $(WARNINGS) -ffp-contract=off -Iinclude -Isrc -I. $(if $(SAN),-fsanitize=address$(,)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
OFFLINE  := -D_GNU_SOURCE -fopenmp
LIBS     := -lassimp -lqhull_r -lcjson -lm -ldl
, := ,

# The runtime is plain C17: no POSIX, no OpenMP. Its list is also what `make mingw` compiles.
RUNTIME_SOURCES := $(sort $(wildcard src/base/core/*.c src/runtime/*.c)) formats/bvh/read.c
OFFLINE_SOURCES := $(sort $(wildcard src/base/offline/*.c src/mesh/*.c src/hull/*.c src/fit/*.c src/tree/*.c \
                     src/hierarchy/*.c src/asset/*.c formats/*.c formats/*/*.c))
OFFLINE_SOURCES := $(filter-out formats/bvh/read.c,$(OFFLINE_SOURCES))
CLI_SOURCES     := $(filter-out src/cli/bvbuild.c src/cli/bvinspect.c,$(sort $(wildcard src/cli/*.c)))
TOOLS           := bvbuild bvinspect
SAMPLE_PROGRAMS := $(patsubst samples/%.c,%,$(sort $(wildcard samples/*.c)))
UNIT_TESTS      := $(patsubst tests/unit/%.c,%,$(sort $(wildcard tests/unit/*.c)))

object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

.PHONY: all
all: $(BUILD)/libbv.a $(BUILD)/libbvbuild.a $(TOOLS:%=$(BUILD)/%) $(SAMPLE_PROGRAMS:%=$(BUILD)/%)

# Objects depend on the flags they were built with, so that CC=clang or SAN=1 in the same folder rebuilds them.
FLAGS_LINE := $(CC) $(FLAGS) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)
ifneq ($(shell cat $(BUILD)/flags 2>/dev/null),$(strip $(FLAGS_LINE)))
.PHONY: $(BUILD)/flags
endif
$(BUILD)/flags:
	@mkdir -p $(@D)
	@echo '$(strip $(FLAGS_LINE))' > $@

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(if $(filter $<,$(RUNTIME_SOURCES)),,$(OFFLINE)) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libbv.a: $(call object,$(RUNTIME_SOURCES))
$(BUILD)/libbvbuild.a: $(call object,$(OFFLINE_SOURCES))
$(BUILD)/libbv.a $(BUILD)/libbvbuild.a:
	rm -f $@
	$(AR) rcsD $@ $^

link = $(CC) $(FLAGS) $(OFFLINE) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@

$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/src/cli/%.o $(call object,$(CLI_SOURCES)) $(BUILD)/libbvbuild.a $(BUILD)/libbv.a
	$(link)

$(SAMPLE_PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/samples/%.o $(BUILD)/libbvbuild.a $(BUILD)/libbv.a
	$(link)

$(UNIT_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/libbvbuild.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link) -lcmocka

# Every unit test by itself, and all of them.
.PHONY: $(UNIT_TESTS:%=run-%) unit
$(UNIT_TESTS:%=run-%): run-%: $(BUILD)/tests/%
	$<
unit: $(UNIT_TESTS:%=run-%)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
