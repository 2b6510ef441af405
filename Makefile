# Builds the three libraries, the two tools, the samples and the tests, out of tree into $(BUILD). The head of each fragment lists its targets.
#
#   make              everything that is installed            src/build.mk
#   make demo         convert a sample mesh and show it       src/build.mk
#   make check        all tests of a few minutes              tests/check.mk
#   make identity     same bytes from other compilers         tests/cross.mk
#   make bench        everything against its peers            tests/bench/bench.mk
#   make install deb  installation, Debian packages           packaging/packaging.mk
#   make blender      the add-on as a zip                   packaging/packaging.mk
#   make check-blender check-godot   in the programs themselves     tests/places.mk
#   make wasm         WebAssembly and its npm package          packaging/npm/npm.mk
#   make deps deps-check deps-bench   packages to build, test and measure with (Debian)
#   CC=clang BUILD=dir SAN=1 (ASan and UBSan) CFLAGS=-O2 V=1 (show commands) go with any of them

.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# Recipes record what they took where tests/slowest.sh asks for it.
SHELL       := /bin/sh
.SHELLFLAGS  = tests/timed.sh $@ -c

BUILD   ?= build
PREFIX  ?= $(or $(prefix),/usr/local)
DESTDIR ?=
SAN     ?=
V       ?=
CFLAGS  ?= -O3 -g
UNIT_CFLAGS ?= -O1 -g1
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := $(subst clang,clang++,$(subst gcc,g++,$(CC)))
endif
, := ,

# What building needs, on a fresh Debian machine.
PACKAGES := gcc libc6-dev make pkg-config libassimp-dev libqhull-dev libxxhash-dev libcjson-dev libpng-dev zlib1g-dev \
            libexpat1-dev libminizip-dev libjs-three
# What is optional: decoders of compressed glTF. Draco is of C++.
PACKAGES += libmeshoptimizer-dev libdraco-dev g++

# What tests need. Unit tests; clang with its OpenMP, sanitizers and libFuzzer; scripts; other machines and their emulation.
TEST_PACKAGES := git libcmocka-dev libgmp-dev clang clang-format llvm libomp-dev libclang-rt-14-dev python3-minimal gcc-mingw-w64-x86-64 \
                 gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross \
                 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
# WebAssembly, and Node.js to run it.
TEST_PACKAGES += lld wasi-libc libclang-rt-14-dev-wasm32 binaryen emscripten
# System calls are made to fail; instructions are counted.
TEST_PACKAGES += strace valgrind
# Reports are checked against their schema, measured again, and looked at in a browser; so are exported bodies.
TEST_PACKAGES += python3-jsonschema python3-numpy python3-scipy python3-pil python3-selenium chromium chromium-driver liburdfdom-tools
# The recipes in samples/, and what reads dep-files.
TEST_PACKAGES += g++ libbullet-dev ninja-build cmake meson parallel
# Compressed glTF by its own tool.
TEST_PACKAGES += draco
# An independent reader of .bvh files runs in these, whoever has packaged them.
TEST_PACKAGES += $(if $(and $(shell command -v node),$(shell command -v npm)),,nodejs npm)
# Man pages, completion, and Debian packages.
TEST_PACKAGES += man-db groff mandoc zsh fish debhelper lintian dpkg-dev fakeroot
# The Python package: its headers' parser, a wheel in an environment of its own, types, and pictures.
TEST_PACKAGES += python3-pycparser python3-pip python3-venv python3-matplotlib mypy dh-python
# The daemons of a cluster, which a machine may start once they are installed: only for the test of that recipe.
CLUSTER  := slurm-wlm munge
# What only benches need: others to compare with, and their meshes.
PEERS    := g++ libcgal-dev libeigen3-dev libgmp-dev libmpfr-dev libcgal-demo libembree-dev libfcl-dev libccd-dev \
            libbullet-dev libode-dev libnanoflann-dev assimp-testmodels flightgear-data-models
# Peers from npm.
PEERS    += $(if $(and $(shell command -v node),$(shell command -v npm)),,nodejs npm)

WARNINGS := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# The lists of libbv's and libbvworld's files, and what keeps compilers from changing results, which all other files are compiled with as well.
include src/runtime/libbv.mk src/world/libbvworld.mk
FLAGS    := -std=c17 $(WARNINGS) $(BV_EXACT) -Iinclude -Isrc -I.
ifneq ($(SAN),)
# gcc warns of things that cannot happen in code with sanitizers; builds without them have all warnings.
FLAGS += -fsanitize=address$(,)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -w
endif
OFFLINE  := -D_GNU_SOURCE -fopenmp
# Decoders are built in where their headers are; MESHOPTIMIZER= and DRACO= leave them out. Draco and C++ are linked as archives:
# loading them as libraries takes 3 ms, whatever a program does.
# `make deps demo` is read before they are installed.
NATIVE         := $(if $(findstring linux-gnu,$(CC)),,1)
THEY_COME      := $(filter deps deps-check,$(MAKECMDGOALS))
MESHOPTIMIZER  ?= $(if $(NATIVE),$(or $(THEY_COME),$(wildcard /usr/include/meshoptimizer.h)))
DRACO          ?= $(if $(NATIVE),$(or $(THEY_COME),$(and $(shell command -v $(CXX)),$(wildcard /usr/include/draco/compression/decode.h))))
OFFLINE        += $(if $(MESHOPTIMIZER),-DBVB_MESHOPTIMIZER) $(if $(DRACO),-DBVB_DRACO)
CXX_FLAGS       = $(filter-out -std=c17 -Wstrict-prototypes -Wmissing-prototypes -Wpedantic,$(FLAGS)) -std=c++17 $(if $(SAN),-fno-sanitize=vptr)
DRACO_LIBS     := $(if $(DRACO),-Wl$(,)-Bstatic -ldraco -lstdc++ -Wl$(,)-Bdynamic)
LIBS     := -lassimp -lqhull_r -lcjson -lexpat -lminizip -lpng -lz $(DRACO_LIBS) -lm

.PHONY: deps deps-check
deps:
	@sh tests/deps.sh $(PACKAGES)
deps-check:
	@sh tests/deps.sh $(PACKAGES) $(TEST_PACKAGES)

include src/build.mk tests/check.mk tests/cross.mk tests/bench/bench.mk packaging/packaging.mk tests/places.mk packaging/npm/npm.mk packaging/windows/windows.mk

.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj $(BUILD)/fuzz/obj -name '*.d' 2>/dev/null)
