# Sources, objects, the three libraries, the two tools and the samples. Included by the Makefile.
#
#   make                everything that is installed     make demo        convert a sample mesh, show it

# The runtime is plain C17: no POSIX, no OpenMP.
RUNTIME_SOURCES := $(BV_SOURCES)
# So are scenes of many objects.
WORLD_SOURCES   := $(BVW_SOURCES)
# What the system is called decides which files implement src/offline/base/system.h.
SYSTEM          := $(if $(findstring mingw,$(shell $(CC) -dumpmachine)),windows,posix)
OFFLINE_SOURCES := $(filter-out src/offline/base/system_%$(if $(filter posix,$(SYSTEM)),windows,posix).c,$(sort $(wildcard src/offline/*/*.c src/offline/*/*/*.c formats/*.c formats/*/*.c)))
OFFLINE_CXX     := $(if $(DRACO),formats/gltf/draco_decode.cpp)
TOOLS           := bvbuild bvinspect
CLI_SOURCES     := $(filter-out $(TOOLS:%=src/cli/%.c),$(sort $(wildcard src/cli/*.c)))
SAMPLE_PROGRAMS := $(patsubst samples/%.c,%,$(sort $(wildcard samples/*.c)))
# WITHOUT names unit tests that this build has nothing of.
UNIT_SOURCES    := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT_TESTS      := $(filter-out $(WITHOUT),$(basename $(notdir $(UNIT_SOURCES))))
CLI_TESTS       := $(patsubst tests/cli/%.sh,%,$(sort $(wildcard tests/cli/test_*.sh)))
SAMPLE_TESTS    := $(patsubst tests/samples/%.sh,%,$(sort $(wildcard tests/samples/test_*.sh)))

# Slow and sure: what tests and benches judge by. Not part of the libraries.
# Those with integers of any length need GMP, which machines in emulation do not have.
EXACT           := $(sort $(wildcard tests/reference/exact_*.c tests/reference/convex_*.c tests/reference/moving_exact.c))
REFERENCES      := $(filter-out $(EXACT),$(sort $(wildcard tests/reference/*.c)))

object = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))
quiet  = $(if $(V),,@echo '$(1) $(patsubst $(BUILD)/%,%,$@)';)

# `all` is what is installed, too, so that `sudo make install` compiles nothing; `tools` is what tests need.
.PHONY: all tools
all: tools installable
tools: $(BUILD)/libbv.a $(BUILD)/libbvworld.a $(BUILD)/libbvbuild.a $(TOOLS:%=$(BUILD)/%) $(SAMPLE_PROGRAMS:%=$(BUILD)/%)

# Objects depend on the flags they were built with, so that CC=clang or SAN=1 in the same folder rebuilds them.
FLAGS_LINE := $(strip $(CC) $(FLAGS) $(OFFLINE) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS))
# flags_file FILE VARIABLE: a file with the flags in the variable, made again when they are others.
define flags_file
ifneq ($$(shell cat $(1) 2>/dev/null),$$($(2)))
.PHONY: $(1)
endif
$(1):
	@mkdir -p $$(@D)
	@echo '$$($(2))' > $$@
endef
$(eval $(call flags_file,$(BUILD)/flags,FLAGS_LINE))

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,cc)$(CC) $(FLAGS) $(if $(filter $<,$(RUNTIME_SOURCES) $(WORLD_SOURCES)),,$(OFFLINE)) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/obj/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,cxx)$(CXX) $(CXX_FLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# Unit tests are compiled once and run briefly. Each file has a main, which gets the name of its file: see below.
$(BUILD)/obj/tests/unit/%.o: tests/unit/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,cc)$(CC) $(FLAGS) $(OFFLINE) $(CPPFLAGS) $(CFLAGS) $(UNIT_CFLAGS) -Itests/unit -Dmain=$(*F) -Wno-missing-prototypes -MMD -MP -c $< -o $@

# What every page of the HTML report carries along: the assembler includes it, which -MMD does not see.
EMBEDDED := $(wildcard src/offline/report/html/page/*) /usr/share/javascript/three/three.min.js /usr/share/doc/libjs-three/copyright
$(BUILD)/obj/src/offline/report/html/embedded.o $(BUILD)/fuzz/obj/src/offline/report/html/embedded.o: $(EMBEDDED)

$(BUILD)/libbv.a: $(call object,$(RUNTIME_SOURCES))
$(BUILD)/libbvworld.a: $(call object,$(WORLD_SOURCES))
$(BUILD)/libbvbuild.a: $(call object,$(OFFLINE_SOURCES) $(OFFLINE_CXX))
$(BUILD)/libreference.a: $(call object,$(REFERENCES))
$(BUILD)/libexact.a: $(call object,$(EXACT))
$(BUILD)/libjudge.a: $(call object,tests/bench/judge.c tests/bench/experiment/design.c)
$(BUILD)/libbv.a $(BUILD)/libbvworld.a $(BUILD)/libbvbuild.a $(BUILD)/libreference.a $(BUILD)/libexact.a $(BUILD)/libjudge.a:
	@rm -f $@
	$(call quiet,ar)$(AR) rcsD $@ $^

link = $(call quiet,link)$(CC) $(FLAGS) $(OFFLINE) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -Wl,--as-needed $(LIBS) -o $@

# gcc's OpenMP as an archive, if it comes as one: see src/cli/calm.c and src/cli/fatal.c.
WRAPPED := -Wl,--wrap=gomp_fatal,--wrap=pthread_create
OPENMP_ARCHIVE := $(filter /%,$(if $(findstring clang,$(shell $(CC) --version)),,$(shell $(CC) -print-file-name=libgomp.a)))
$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/src/cli/%.o $(call object,$(CLI_SOURCES)) $(BUILD)/libbvbuild.a $(BUILD)/libbv.a $(OPENMP_ARCHIVE)
	$(link) $(WRAPPED)

# As the README says of them, samples link with nothing but libbv and libm.
$(SAMPLE_PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/samples/%.o $(BUILD)/libbv.a
	$(call quiet,link)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -lm -o $@

.PHONY: demo
demo:
	@+$(MAKE) --no-print-directory $(JOBS) tools
	@mkdir -p $(BUILD)/demo
	$(BUILD)/make_samples $(BUILD)/demo
	$(BUILD)/bvbuild $(BUILD)/demo/gear.obj -o $(BUILD)/demo/gear.bvh --report $(BUILD)/demo/gear.html
	$(BUILD)/bvinspect $(BUILD)/demo/gear.bvh
	$(BUILD)/bvinspect --verify $(BUILD)/demo/gear.bvh
