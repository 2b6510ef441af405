# Builds the two libraries, the two tools, the samples and the tests, out of tree into $(BUILD).
#
# Build and install
#   make                everything that is installed     make install     PREFIX=/usr/local DESTDIR=; run make first
#   make deps           packages to build with (Debian)  make uninstall   removes what install wrote
#   make demo           convert a sample mesh, show it   make deb         Debian packages into build/deb
#   make clean          remove $(BUILD)
#
# Test: docs/testing.md says what each tier covers and how long it takes
#   make deps-check     packages to test with (Debian)   make run-NAME    one test, as in run-test_hull or run-test_gate
#   make check          all tests of a few minutes       make check-format  is C text as .clang-format says?
#   make check-ci       what .ci/run adds to check       make format      format all C text
#   make check-long     everything, fuzzing included     make seeded-faults  do the tests notice 30 seeded faults?
#   make thorough       unit tests and scripts of the tools with all their counts
#   make fuzz           libFuzzer, FUZZ_SECONDS=60       make run-fuzz_bvh   one fuzzer; FUZZ_WORKERS=2
#   make fuzz-coverage  what the fuzzer reaches          make corpus      Debian's test models
#   make browser        HTML reports in Chromium         make packages    Debian packages, installed and tried out
#   make identity       same bytes from other compilers  make arm64       and from another machine (qemu)
#   make mingw          cross-compile libbv for Windows  make big-endian i386   libbv on other machines (qemu)
#   make instructions   instruction counts against tests/golden/instructions; instructions-anew writes them
#   make hashes         write tests/golden/hashes        make example     the dump in formats/bvh/README.md
#   make schema         descriptions in formats/report/schema.json, from the README beside it
#   make samples        the recipes in samples/          make check-reports   reports measured again by numpy and scipy
#
# Measure: docs/benchmarks.md has the results
#   make deps-bench     the peers to compare with        make bench       everything against its peers
#                       BENCH_PARTS="build queries" a part of it, BENCH_QUICK=1 in a minute
#   make bench-fit bench-hausdorff bench-hausdorff-cgal bench-build bench-queries bench-rays bench-distances bench-decompose
#        bench-batch bench-proxy bench-import bench-spheres bench-verdicts bench-shared-faces
#   make poses          pose files near contact          make profile     time, instructions and cache misses by stage
#   make experiment     all hierarchies by queries       make experiment-factor   EXPERIMENT_FACTOR=builder alone
#   make bench-readme   the printed tables into docs/
#
# CC=clang, BUILD=dir, SAN=1 (ASan and UBSan), CFLAGS=-O2 and V=1 (show commands) can be given with any of them.

.SUFFIXES:
.DELETE_ON_ERROR:

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
, := ,

# What building needs, on a fresh Debian machine.
PACKAGES := gcc libc6-dev make pkg-config libassimp-dev libqhull-dev libxxhash-dev libcjson-dev libpng-dev libjs-three

# What tests need. Unit tests; clang with its OpenMP, sanitizers and libFuzzer; scripts; other machines and their emulation.
TEST_PACKAGES := git libcmocka-dev clang clang-format llvm libomp-dev libclang-rt-14-dev python3-minimal gcc-mingw-w64-x86-64 \
                 gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross \
                 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
# System calls are made to fail; instructions are counted.
TEST_PACKAGES += strace valgrind
# Reports are checked against their schema, measured again, and looked at in a browser; so are exported bodies.
TEST_PACKAGES += python3-jsonschema python3-numpy python3-scipy python3-pil python3-selenium chromium chromium-driver liburdfdom-tools
# The recipes in samples/, and what reads dep-files.
TEST_PACKAGES += g++ libbullet-dev ninja-build cmake meson parallel
# An independent reader of .bvh files runs in these, whoever has packaged them.
TEST_PACKAGES += $(if $(and $(shell command -v node),$(shell command -v npm)),,nodejs npm)
# Man pages, completion, and Debian packages.
TEST_PACKAGES += man-db groff mandoc zsh fish debhelper lintian dpkg-dev fakeroot
# The daemons of a cluster, which a machine may start once they are installed: only for the test of that recipe.
CLUSTER  := slurm-wlm munge
# What only benches need: others to compare with, and their meshes.
PEERS    := g++ libcgal-dev libeigen3-dev libgmp-dev libmpfr-dev libcgal-demo libembree-dev libfcl-dev libccd-dev \
            libbullet-dev libode-dev

WARNINGS := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# Neither of the two may change results: contraction fuses operations, and the vectoriser of gcc 12 takes (double)(float)x
# for x where three of them stand side by side.
EXACT    := -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno -fno-trapping-math
# That of loops fails in gcc 12 for arm64 ("internal compiler error: in vect_transform_reduction") where the least of many is sought.
EXACT    += $(if $(findstring aarch64,$(shell $(CC) -dumpmachine)),-fno-tree-loop-vectorize)
FLAGS    := -std=c17 $(WARNINGS) $(EXACT) -Iinclude -Isrc -I.
ifneq ($(SAN),)
# gcc warns of things that cannot happen in code with sanitizers; builds without them have all warnings.
FLAGS += -fsanitize=address$(,)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -w
endif
OFFLINE  := -D_GNU_SOURCE -fopenmp
LIBS     := -lassimp -lqhull_r -lcjson -lpng -lm

# The runtime is plain C17: no POSIX, no OpenMP. Its list is also what `make mingw` compiles.
RUNTIME_SOURCES := $(sort $(wildcard src/base/core/*.c src/runtime/*.c formats/bvh/check*.c formats/bvh/read*.c))
OFFLINE_SOURCES := $(filter-out $(RUNTIME_SOURCES),$(sort $(wildcard src/base/offline/*.c src/mesh/*.c src/hull/*.c \
                     src/fit/*.c src/tree/*.c src/hausdorff/*.c src/recognize/*.c src/decompose/*.c src/simplify/*.c src/spheres/*.c src/hierarchy/*.c src/assess/*.c src/asset/*.c formats/*.c formats/*/*.c)))
TOOLS           := bvbuild bvinspect
CLI_SOURCES     := $(filter-out $(TOOLS:%=src/cli/%.c),$(sort $(wildcard src/cli/*.c)))
SAMPLE_PROGRAMS := $(patsubst samples/%.c,%,$(sort $(wildcard samples/*.c)))
# WITHOUT names unit tests that this build has nothing of.
UNIT_TESTS      := $(filter-out $(WITHOUT),$(patsubst tests/unit/%.c,%,$(sort $(wildcard tests/unit/*.c))))
CLI_TESTS       := $(patsubst tests/cli/%.sh,%,$(sort $(wildcard tests/cli/test_*.sh)))
SAMPLE_TESTS    := $(patsubst tests/samples/%.sh,%,$(sort $(wildcard tests/samples/test_*.sh)))

# Slow and sure: what tests and benches judge by. Not part of the libraries.
REFERENCES      := $(sort $(wildcard tests/reference/*.c))

object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
quiet  = $(if $(V),,@echo '$(1) $(patsubst $(BUILD)/%,%,$@)';)

# `all` is what is installed, too, so that `sudo make install` compiles nothing; `tools` is what tests need.
.PHONY: all tools
all: tools installable
tools: $(BUILD)/libbv.a $(BUILD)/libbvbuild.a $(TOOLS:%=$(BUILD)/%) $(SAMPLE_PROGRAMS:%=$(BUILD)/%)

# Objects depend on the flags they were built with, so that CC=clang or SAN=1 in the same folder rebuilds them.
FLAGS_LINE := $(strip $(CC) $(FLAGS) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS))
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
	$(call quiet,cc)$(CC) $(FLAGS) $(if $(filter $<,$(RUNTIME_SOURCES)),,$(OFFLINE)) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# Unit tests are compiled once and run briefly. Each file has a main, which gets the name of its file: see below.
$(BUILD)/obj/tests/unit/%.o: tests/unit/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,cc)$(CC) $(FLAGS) $(OFFLINE) $(CPPFLAGS) $(CFLAGS) $(UNIT_CFLAGS) -Dmain=$* -Wno-missing-prototypes -MMD -MP -c $< -o $@

# What every page of the HTML report carries along: the assembler includes it, which -MMD does not see.
EMBEDDED := $(wildcard formats/html/page/*) /usr/share/javascript/three/three.min.js /usr/share/doc/libjs-three/copyright
$(BUILD)/obj/formats/html/embedded.o $(BUILD)/fuzz/obj/formats/html/embedded.o: $(EMBEDDED)

$(BUILD)/libbv.a: $(call object,$(RUNTIME_SOURCES))
$(BUILD)/libbvbuild.a: $(call object,$(OFFLINE_SOURCES))
$(BUILD)/libreference.a: $(call object,$(REFERENCES))
$(BUILD)/libjudge.a: $(call object,tests/bench/judge.c tests/bench/experiment/design.c)
$(BUILD)/libbv.a $(BUILD)/libbvbuild.a $(BUILD)/libreference.a $(BUILD)/libjudge.a:
	@rm -f $@
	$(call quiet,ar)$(AR) rcsD $@ $^

link = $(call quiet,link)$(CC) $(FLAGS) $(OFFLINE) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -Wl,--as-needed $(LIBS) -o $@

# gcc's OpenMP as an archive, if it comes as one: see src/cli/calm.c.
OPENMP_ARCHIVE := $(filter /%,$(if $(findstring clang,$(shell $(CC) --version)),,$(shell $(CC) -print-file-name=libgomp.a)))
$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/src/cli/%.o $(call object,$(CLI_SOURCES)) $(BUILD)/libbvbuild.a $(BUILD)/libbv.a $(OPENMP_ARCHIVE)
	$(link)

# As the README says of them, samples link with nothing but libbv and libm.
$(SAMPLE_PROGRAMS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/obj/samples/%.o $(BUILD)/libbv.a
	$(call quiet,link)$(CC) $(FLAGS) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -lm -o $@

# One program per room of unit tests: test_hull.c and test_hull_merge.c are in unit_hull, and `unit_hull test_hull_merge` runs one of
# them. A program's main calls the one that is named.
room_of      = $(word 2,$(subst _, ,$(1)))
UNIT_ROOMS  := $(sort $(foreach test,$(UNIT_TESTS),$(call room_of,$(test))))
unit_program = $(BUILD)/tests/unit_$(call room_of,$(1))
# The command that runs a unit test.
unit_run     = $(call unit_program,$(1)) $(1)
$(foreach room,$(UNIT_ROOMS),$(eval TESTS_OF_$(room) := $(foreach test,$(UNIT_TESTS),$(if $(filter $(room),$(call room_of,$(test))),$(test)))))
TESTS_OF_arm64 := test_core_lanes test_core_lane_triangles test_core_lane_gaps test_base_number test_base_exact test_hausdorff_exact
define unit_room
$(BUILD)/tests/unit_$(1): $(call object,$(TESTS_OF_$(1):%=tests/unit/%.c)) $(BUILD)/tests/unit_$(1).c $(BUILD)/libreference.a $(BUILD)/libbvbuild.a $(BUILD)/libbv.a
$(BUILD)/tests/unit_$(1).c: tests/unit_main.sh $(TESTS_OF_$(1):%=tests/unit/%.c)
	@mkdir -p $$(@D)
	@sh tests/unit_main.sh $(TESTS_OF_$(1)) > $$@
endef
$(foreach room,$(UNIT_ROOMS) arm64,$(eval $(call unit_room,$(room))))
# Parts of bvbuild that are tested by themselves.
$(BUILD)/tests/unit_cli: $(call object,$(CLI_SOURCES))
$(BUILD)/tests/unit_%:
	$(call quiet,link)$(CC) $(FLAGS) $(OFFLINE) $(CFLAGS) $(LDFLAGS) $(filter %.c,$(filter $(BUILD)/%,$^)) $(filter %.o,$^) $(filter %.a,$^) -Wl,--as-needed $(LIBS) -lcmocka -o $@

# Each test by itself, and all of them. The scripts find the programs in $BUILD. What takes longest begins first, so that nothing
# is waited for at the end. Programs run beside each other, where OpenMP's threads that wait in a loop take the processors away
# from those that work.
SLOW_TESTS := test_interrupted test_incremental test_bvinspect test_hashes test_bvbuild test_scenes test_shared \
              test_hierarchy_worst test_decompose_options test_decompose_cuts test_spheres_hubbard_octree test_spheres_adaptive_medial
# Left to CI: what compiles the libraries once more, runs all of the documentation, or fetches programs.
CI_TESTS   := test_install test_docs test_kaitai test_engines
# Left to check-long: what measures a hundred reports again, and all builders on five meshes.
LONG_TESTS := test_reports test_lost_builders
slow_first  = $(filter $(1),$(SLOW_TESTS)) $(filter-out $(SLOW_TESTS),$(1))
.PHONY: $(UNIT_TESTS:%=run-%) $(CLI_TESTS:%=run-%) unit cli rooms headers prose check check-parts check-ci check-long check-long-parts
unit cli samples browser browser-quick check-parts check-ci-parts check-long-parts combinations containment distances leaks decompositions \
worst interruptions check-reports $(UNIT_TESTS:%=run-%) $(CLI_TESTS:%=run-%) $(SAMPLE_TESTS:%=run-%): export OMP_WAIT_POLICY = passive
$(foreach test,$(UNIT_TESTS),$(eval run-$(test): $(call unit_program,$(test))))
# A test that hangs fails: none takes a tenth of this.
UNIT_SECONDS ?= 1200
$(UNIT_TESTS:%=run-%): run-%:
	@timeout $(UNIT_SECONDS) $(call unit_run,$*) > $(BUILD)/tests/$*.log 2>&1 || { cat $(BUILD)/tests/$*.log; exit 1; }
	@tail -n 1 $(BUILD)/tests/$*.log | sed 's/^/$*: /'
run-test_install: installable
$(CLI_TESTS:%=run-%): run-%: tools
	@BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/cli/$*.sh
unit: $(patsubst %,run-%,$(call slow_first,$(UNIT_TESTS)))
cli: $(patsubst %,run-%,$(filter-out $(CI_TESTS) $(LONG_TESTS),$(call slow_first,$(CLI_TESTS))))
rooms:
	@sh tests/rooms.sh
prose:
	@sh tests/prose.sh

# The recipes in samples/ and what docs/ says of them, with everything installed in a folder. Slurm's daemons take their time.
LONG_SAMPLES := test_slurm
.PHONY: installed samples samples-long $(SAMPLE_TESTS:%=run-%)
installed: installable
	@rm -rf $(BUILD)/installed
	@sh tests/quiet.sh $(BUILD)/installed.log $(MAKE) --no-print-directory -s install PREFIX=$(abspath $(BUILD))/installed DESTDIR=
$(SAMPLE_TESTS:%=run-%): run-%: installed
	@BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/samples/$*.sh
samples: $(patsubst %,run-%,$(filter-out $(LONG_SAMPLES),$(SAMPLE_TESTS)))
samples-long: deps-cluster $(LONG_SAMPLES:%=run-%)
run-test_slurm: deps-cluster

# Each public header stands alone, in C and in C++.
headers:
	@for header in $$(cd include && ls */*.h); do \
	  echo "#include \"$$header\"" | $(CC) -x c -std=c17 $(WARNINGS) -Iinclude -fsyntax-only - && \
	  echo "#include \"$$header\"" | clang -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only - || \
	  { echo "$$header does not stand alone"; exit 1; }; done
	@CC="$(CC)" sh tests/headers_examples.sh

# Do the tests notice seeded faults? See tests/seeded-faults/run.py. The quick check is only whether each fault can still be applied.
# SEEDED_FAULTS='--only ID' runs one fault, SEEDED_FAULTS=--full looks for another test where the expected one notices nothing.
SEEDED_FAULTS ?=
.PHONY: seeded-faults seeded-faults-check
seeded-faults: tools
	@/usr/bin/python3 tests/seeded-faults/run.py --build $(BUILD) $(SEEDED_FAULTS)
seeded-faults-check:
	@/usr/bin/python3 tests/seeded-faults/run.py --check

# The three tiers. Each runs on all processors, unless make was told how many, and prints its slowest parts.
JOBS     = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell expr $$(nproc) + $(or $(IDLE_JOBS),0)))
in_parts = @+sh tests/slowest.sh $(BUILD)/times $(MAKE) --no-print-directory $(JOBS)
# A browser and builds that wait for a later time use their processor for a third of it.
check-ci: IDLE_JOBS = 1
check:
	$(in_parts) check-parts
check-ci:
	$(in_parts) check-ci-parts
check-long:
	$(in_parts) check-long-parts
check-parts: rooms headers prose seeded-faults-check check-format cli unit
	@echo 'all tests passed'
CI_PARTS  := browser-quick benches instructions $(CI_TESTS:%=run-%) samples sanitized identity mingw big-endian i386 arm64-quick
check-ci-parts: $(CI_PARTS)
# Whole forms take the place of CI's.
check-long-parts: rooms headers prose seeded-faults-check check-format thorough $(filter-out browser-quick sanitized identity,$(CI_PARTS)) \
  $(LONG_TESTS:%=run-%) samples-long browser browser-long combinations containment distances leaks decompositions worst interruptions \
  identity-all sanitized-all arm64 packages check-reports fuzz corpus seeded-faults
ifneq ($(filter deps deps-check deps-bench,$(MAKECMDGOALS)),)
check check-parts check-ci check-long demo all: | $(filter deps deps-check deps-bench,$(MAKECMDGOALS))
endif

# HTML reports in headless Chromium: of samples, and of the meshes beside the project. Debian's Python has the packages.
BROWSED_MESHES = $(or $(sort $(wildcard ../shared/meshes/*)),$(DEMO_MESHES))
.PHONY: browser browser-quick browser-long
browser: tools $(BUILD)/bench/make_meshes
	@/usr/bin/python3 tests/browser/test_report.py $(BUILD)
browser-quick: tools
	@/usr/bin/python3 tests/browser/test_report.py $(BUILD) --quick
browser-long: demo $(BUILD)/bench/make_meshes
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(BUILD)/bench/make_meshes 1000000 "$$folder" > /dev/null && \
	/usr/bin/python3 tests/browser/test_report.py $(BUILD) $(BROWSED_MESHES) "$$folder"/mesh.ply

# Every builder, splitter, volume, degree and quality on real meshes, each made a file and verified: all combinations on small
# ones, among them those of libcgal-demo where `make corpus` has fetched it, binary trees on larger ones.
COMBINED_MESHES = $(or $(wildcard $(addprefix $(BUILD)/corpus/libcgal-demo/usr/share/doc/libcgal-dev/data/meshes/,tripod.off mpi.off \
    corner_tris_with_hole.off cross.off) $(addprefix ../shared/meshes/,table.off suzanne.obj chair.off helix.off collision_mesh_01.obj cow.obj)),$(DEMO_MESHES))
.PHONY: combinations
combinations: demo $(call unit_program,test_hierarchy_table)
	BV_COMBINATIONS='$(COMBINED_MESHES)' $(call unit_run,test_hierarchy_table)

# A million sets of points in every volume, in exact arithmetic.
.PHONY: containment
containment: $(call unit_program,test_fit_containment)
	BV_CONTAINMENT_CASES=1000000 $(call unit_run,test_fit_containment)

# A million points of each of a thousand volumes, none of which may be farther away than is certified.
.PHONY: distances
distances: $(call unit_program,test_hausdorff_random)
	BV_HAUSDORFF_SAMPLES=1000000 $(call unit_run,test_hausdorff_random)

# A hundred million rays at edges and vertices of generated closed meshes, and as many at real ones. CGAL's self_intersections finds
# none in these.
LEAK_MESHES = $(wildcard $(addprefix ../shared/meshes/,SnowFlake.obj casting.off chair.off dilo.off eight.off elk.off fandisk.obj genus3.off \
    helix.off rocker-arm.obj table.off))
.PHONY: leaks
leaks: $(call unit_program,test_query_leaks)
	BV_LEAK_RAYS=100000000 BV_LEAK_MESHES='$(LEAK_MESHES)' $(call unit_run,test_query_leaks)

# A hundred meshes of every kind into parts with any options.
.PHONY: decompositions
decompositions: $(call unit_program,test_decompose_random)
	BV_RANDOM_MESHES=100 $(call unit_run,test_decompose_random)

# All unit tests and scripts with their larger counts and meshes: every byte value, every set of sections, and so on. Tests ask
# is_thorough() or $BV_THOROUGH.
.PHONY: thorough
thorough: tools $(UNIT_ROOMS:%=$(BUILD)/tests/unit_%)
	@+BV_THOROUGH=1 $(MAKE) --no-print-directory unit cli

# Trees of a million of the worst triangles.
.PHONY: worst
worst: $(call unit_program,test_hierarchy_worst)
	BV_WORST_TRIANGLES=1000000 $(call unit_run,test_hierarchy_worst)

# Two hundred signals of each kind at random moments.
.PHONY: interruptions
interruptions: tools
	@BV_THOROUGH=1 BV_SHOTS=200 BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/cli/test_interrupted.sh

# The same bytes whatever compiled the program, and how; with whatever vectors this processor has. What queries need of them is
# chosen when they run. CI compares the builds that differ most, check-long all eight.
SIMD_LEVELS = x86-64 $(if $(shell grep -m 1 -w sse4_2 /proc/cpuinfo),x86-64-v2) $(if $(shell grep -m 1 -w avx2 /proc/cpuinfo),x86-64-v3)
.PHONY: identity identity-all identity-build-%
identity-build = @+$(MAKE) --no-print-directory BUILD=$(BUILD)/$(1) $(2) tools
identity-build-gcc-O0:
	$(call identity-build,gcc-O0,CC=gcc CFLAGS=-O0)
identity-build-gcc-O3:
	$(call identity-build,gcc-O3,CC=gcc CFLAGS='-O3 -march=native')
identity-build-clang:
	$(call identity-build,clang,CC=clang CFLAGS=-O2)
identity-build-clang-native:
	$(call identity-build,clang-native,CC=clang CFLAGS='-O3 -march=native')
$(SIMD_LEVELS:%=identity-build-%): identity-build-%:
	$(call identity-build,$*,CFLAGS='-O3 -march=$*')
identity: BUILDS = gcc-O0 clang-native
identity: tools identity-build-gcc-O0 identity-build-clang-native
	@/usr/bin/python3 tests/identity.py builds --quick $(BUILD) $(BUILDS:%=$(BUILD)/%)
identity-all: BUILDS = gcc-O0 gcc-O3 clang $(SIMD_LEVELS) clang-native
identity-all: tools identity-build-gcc-O0 identity-build-gcc-O3 identity-build-clang $(SIMD_LEVELS:%=identity-build-%) identity-build-clang-native
	@/usr/bin/python3 tests/identity.py builds $(BUILD) $(BUILDS:%=$(BUILD)/%)

# Its table: what is in files does not change unnoticed. A commit that changes the table says why.
.PHONY: hashes
hashes: tools
	@/usr/bin/python3 tests/identity.py write $(BUILD)

# The descriptions in the JSON schema of reports, from the README beside it; test_report compares them.
.PHONY: schema
schema:
	@/usr/bin/python3 tests/cli/write_schema.py formats/report/README.md formats/report/schema.json

# Sanitizers. CI runs them over what reads foreign bytes, and over every room's unit tests except those that take more than some
# six seconds with sanitizers; check-long over everything.
SANITIZED_CLI   := test_formats test_gate test_body test_page
UNSANITIZED     := test_assess_contact test_decompose_baselines test_decompose_convex test_decompose_cuts test_decompose_measure \
                   test_decompose_options test_decompose_parts test_fit_obb_methods test_hausdorff_close test_hierarchy_fit_boxes \
                   test_hierarchy_optimize test_hierarchy_ploc test_hierarchy_sah test_hierarchy_table test_hierarchy_worst \
                   test_hull_simplify test_hull_threads test_mesh_winding test_query_overlap test_recognize test_recognize_cover \
                   test_report_html test_split_branch_and_bound test_spheres_adaptive_medial test_spheres_hubbard_medial \
                   test_spheres_hubbard_octree test_spheres_merged
.PHONY: sanitized sanitized-all
sanitized-make = @+$(MAKE) --no-print-directory SAN=1 CFLAGS='-O1 -g1'
sanitized:
	$(sanitized-make) BUILD=$(BUILD)/san-ci WITHOUT='$(UNSANITIZED)' $(SANITIZED_CLI:%=run-%) unit
sanitized-all:
	$(sanitized-make) BUILD=$(BUILD)/san unit cli

# The same bytes from another machine, in emulation: all tools, and libraries as Debian has them for it. Lanes of NEON are held
# against scalar ones there too; tests reckon in binary128, which is long double there.
ARM64_ROOT  = $(abspath $(BUILD))/arm64/root
ARM64_RUN   = qemu-aarch64-static -L $(ARM64_ROOT)
ARM64_LIBS  = $(ARM64_ROOT)/usr/lib/aarch64-linux-gnu
$(ARM64_ROOT)/whole: tests/sysroot.sh
	@rm -rf $(@D)
	@sh tests/sysroot.sh $(@D) arm64 libassimp-dev libqhull-dev libcjson-dev libpng-dev libxxhash-dev libcmocka-dev libgomp1
	@touch $@
.PHONY: arm64
arm64: tools $(ARM64_ROOT)/whole
	@$(MAKE) --no-print-directory CC=aarch64-linux-gnu-gcc BUILD=$(BUILD)/arm64 \
	  CPPFLAGS='-isystem $(ARM64_ROOT)/usr/include -D__float128="long double"' \
	  LDFLAGS='-L$(ARM64_LIBS) -L$(ARM64_ROOT)/lib/aarch64-linux-gnu -Wl,-rpath-link,$(ARM64_LIBS):$(ARM64_ROOT)/lib/aarch64-linux-gnu' \
	  tools $(BUILD)/arm64/tests/unit_arm64
	@for test in $(TESTS_OF_arm64); do $(ARM64_RUN) $(BUILD)/arm64/tests/unit_arm64 $$test > $(BUILD)/arm64/tests/$$test.log 2>&1 || \
	  { cat $(BUILD)/arm64/tests/$$test.log; exit 1; }; tail -n 1 $(BUILD)/arm64/tests/$$test.log | sed "s/^/$$test: /"; done
	@OMP_WAIT_POLICY=passive /usr/bin/python3 tests/identity.py machine $(BUILD) $(BUILD)/arm64 $(ARM64_RUN)

# Every file of Debian's packages of test models, which are fetched into $(BUILD)/corpus.
.PHONY: corpus
corpus: tools
	@sh tests/corpus.sh $(BUILD)

# What reports of a hundred files and more say, measured again from what is exported. The meshes beside the project take part if
# they are there, and those of libcgal-demo if `make deps-bench` has installed it.
CGAL_DATA      := /usr/share/doc/libcgal-demo/data.tar.gz
REPORT_FOLDERS := $(BUILD)/reports/samples $(if $(wildcard $(CGAL_DATA)),$(BUILD)/reports/cgal) $(wildcard ../shared/meshes)
.PHONY: check-reports
$(BUILD)/reports/samples: tools
	@mkdir -p $@
	@$(BUILD)/make_samples $@ > /dev/null
$(BUILD)/reports/cgal: $(CGAL_DATA)
	@mkdir -p $@
	@tar xzf $< -C $@
check-reports: tools $(filter $(BUILD)/%,$(REPORT_FOLDERS))
	@REPORT_MESHES="$$(find $(REPORT_FOLDERS) -size -2500k '(' -name '*.off' -o -name '*.obj' ')' | sort | tr '\n' ' ')" \
	  BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/cli/test_reports.sh

# libFuzzer targets need clang and a build of their own.
FUZZERS      := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/*.c)))
FUZZ_SECONDS ?= 60
# Comparisons are traced in readers, where a number must be another one; in queries, which compare all the time, that takes half
# of it.
TRACELESS    := -fno-sanitize-coverage=trace-cmp
# One seed of fuzz_bvh is large: it has more vertices than two bytes count. Of many mutations at once hardly any opens.
FUZZ_LIMITS   = $(if $(filter %_bvh %_verify,$*),-max_len=700000 -mutate_depth=2,-max_len=65536)
FUZZ_WORKERS ?= 0
FUZZ_FLAGS   := $(filter-out -fsanitize% -fno-sanitize% -fno-omit%,$(FLAGS)) -Itests/fuzz -O2 -g -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
.PHONY: fuzz fuzz-coverage $(FUZZERS:%=run-%)
$(BUILD)/fuzz/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,fuzz)clang $(FUZZ_FLAGS) $(if $(filter $<,$(RUNTIME_SOURCES)),,$(OFFLINE)) -fsanitize=fuzzer-no-link,address,undefined \
	  $(if $(filter src/base/core/% src/runtime/%,$<),$(TRACELESS)) -fno-sanitize-recover=all -MMD -MP -c $< -o $@
$(BUILD)/fuzz/libbv.a: $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(RUNTIME_SOURCES))
$(BUILD)/fuzz/libbvbuild.a: $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(OFFLINE_SOURCES))
$(BUILD)/fuzz/libbv.a $(BUILD)/fuzz/libbvbuild.a:
	@rm -f $@
	$(call quiet,ar)$(AR) rcsD $@ $^
# What reads .bvh files needs no more than a game does.
$(filter-out %/fuzz_bvh,$(FUZZERS:%=$(BUILD)/fuzz/%)): $(BUILD)/fuzz/libbvbuild.a
$(FUZZERS:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: $(BUILD)/fuzz/obj/tests/fuzz/%.o $(BUILD)/fuzz/libbv.a
	$(call quiet,link)clang -fopenmp -fsanitize=fuzzer,address,undefined $(filter %.o,$^) $(filter %/libbvbuild.a,$^) $(BUILD)/fuzz/libbv.a \
	  -Wl,--as-needed $(LIBS) -o $@
$(FUZZERS:%=run-%): run-%: $(BUILD)/fuzz/% tools
	@mkdir -p $(BUILD)/fuzz/$*.corpus
	@sh tests/fuzz/seed.sh $* $(BUILD)
	$< -max_total_time=$(FUZZ_SECONDS) -fork=$(FUZZ_WORKERS) $(FUZZ_LIMITS) -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
	  -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/$*.corpus
fuzz: $(FUZZERS:%=run-%)

# How much of the reader, of the queries and of what they are made of the corpus of fuzz_bvh reaches.
LLVM_TOOLS ?=
$(BUILD)/fuzz/coverage: tests/fuzz/fuzz_bvh.c $(RUNTIME_SOURCES) $(wildcard tests/fuzz/*.h include/bv/*.h src/base/core/*.h src/runtime/*.h formats/bvh/*.h)
	@mkdir -p $(@D)
	$(call quiet,coverage)clang $(FUZZ_FLAGS) -O1 -fsanitize=fuzzer -fprofile-instr-generate -fcoverage-mapping $(filter %.c,$^) -lm -o $@
fuzz-coverage: $(BUILD)/fuzz/coverage tools
	@mkdir -p $(BUILD)/fuzz/fuzz_bvh.corpus
	@sh tests/fuzz/seed.sh fuzz_bvh $(BUILD)
	@LLVM_PROFILE_FILE=$<.profraw $< -runs=0 -max_len=700000 $(BUILD)/fuzz/fuzz_bvh.corpus 2> $<.log || { cat $<.log; exit 1; }
	@llvm-profdata$(LLVM_TOOLS) merge -sparse $<.profraw -o $<.profdata
	@llvm-cov$(LLVM_TOOLS) report $< -instr-profile=$<.profdata -show-branch-summary=false $(RUNTIME_SOURCES) \
	  $(wildcard src/runtime/*.h src/base/core/*.h formats/bvh/*.h) > $<.txt
	@awk 'BEGIN { printf "%-40s %8s %8s %8s %8s %8s %8s\n", "file", "regions", "missed", "reached", "lines", "missed", "reached" } \
	  NF == 10 { printf "%-40s %8s %8s %8s %8s %8s %8s\n", $$1, $$2, $$3, $$4, $$8, $$9, $$10 }' $<.txt

# The runtime must compile where POSIX does not exist. xxhash.h is a header only and comes along.
.PHONY: mingw
mingw:
	@mkdir -p $(BUILD)/mingw/include
	@cp $$(echo '#include <xxhash.h>' | $(CC) -E -M - | tr ' ' '\n' | grep 'xxh.*\.h$$') $(BUILD)/mingw/include
	@for source in $(RUNTIME_SOURCES); do echo "mingw $$source"; x86_64-w64-mingw32-gcc $(filter-out -fsanitize% -fno-%,$(FLAGS)) \
	  -isystem $(BUILD)/mingw/include -O2 -c $$source -o $(BUILD)/mingw/$$(basename $$source .c).o || exit 1; done
	@rm -f $(BUILD)/mingw/libbv.a
	@x86_64-w64-mingw32-ar rcsD $(BUILD)/mingw/libbv.a $(BUILD)/mingw/*.o

# On other machines, in emulation: one of the other byte order must refuse files as unsupported, one of 32 bits must find in them
# what this one finds, to the last digit.
OTHER_FILE := $(BUILD)/demo/rock.bvh
$(OTHER_FILE): tools
	@mkdir -p $(BUILD)/demo
	@$(BUILD)/make_samples $(BUILD)/demo > /dev/null
	$(BUILD)/bvbuild --quiet $(BUILD)/demo/rock.obj -o $@
# $(call other_machine,name,compiler and its options)
define other_machine
	@mkdir -p $(BUILD)/$(1)/include
	@cp $$(echo '#include <xxhash.h>' | $(CC) -E -M - | tr ' ' '\n' | grep 'xxh.*\.h$$') $(BUILD)/$(1)/include
	@echo '$(1)'; $(2) $(filter-out -fsanitize% -fno-sanitize% -fno-omit%,$(FLAGS)) -isystem $(BUILD)/$(1)/include -O2 -static \
	  tests/other_machine.c $(RUNTIME_SOURCES) -lm -o $(BUILD)/$(1)/other_machine
endef
.PHONY: big-endian i386 arm64-quick
$(BUILD)/native/found: $(OTHER_FILE) tests/other_machine.c $(RUNTIME_SOURCES)
	$(call other_machine,native,$(CC))
	$(BUILD)/native/other_machine $< > $@
arm64-quick: $(OTHER_FILE) $(BUILD)/native/found
	$(call other_machine,aarch64,aarch64-linux-gnu-gcc -fno-tree-loop-vectorize)
	qemu-aarch64-static $(BUILD)/aarch64/other_machine $< > $(BUILD)/aarch64/found
	diff $(BUILD)/native/found $(BUILD)/aarch64/found
big-endian: $(OTHER_FILE)
	$(call other_machine,s390x,s390x-linux-gnu-gcc)
	qemu-s390x-static $(BUILD)/s390x/other_machine $<
i386: $(OTHER_FILE) $(BUILD)/native/found
	$(call other_machine,i386,i686-linux-gnu-gcc -msse2 -mfpmath=sse)
	qemu-i386-static $(BUILD)/i386/other_machine $< > $(BUILD)/i386/found
	diff $(BUILD)/native/found $(BUILD)/i386/found

# How many instructions a few pieces of work take, which no other work on the machine changes; instructions-anew writes the table.
.PHONY: instructions instructions-anew
instructions instructions-anew: tools $(BUILD)/bench/bench_instructions
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/instructions.py $(if $(filter %-anew,$@),write,check) $(BUILD) '$(CC)' '$(strip $(CFLAGS) $(CPPFLAGS) $(SAN:%=SAN=%))'

# Programs that time us against others. Those in C++ have peers from `make deps-bench`.
BENCHES      := $(filter-out judge,$(patsubst tests/bench/%.c,%,$(sort $(wildcard tests/bench/*.c))))
PEER_BENCHES := $(patsubst tests/bench/%.cpp,%,$(sort $(wildcard tests/bench/*.cpp)))
BENCH_FOLDER ?= $(firstword $(wildcard /dev/shm) $(BUILD))
BENCH_TRIANGLES ?= 1000000
BENCH_REPEATS   ?= 9
.PHONY: bench profile bench-import bench-fit bench-hausdorff bench-hausdorff-cgal bench-build deps-bench
$(BENCHES:%=$(BUILD)/bench/%): $(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(BUILD)/libjudge.a $(BUILD)/libreference.a $(BUILD)/libbvbuild.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link)
$(PEER_BENCHES:%=$(BUILD)/bench/%): $(BUILD)/bench/%: tests/bench/%.cpp $(BUILD)/libjudge.a $(BUILD)/libreference.a $(BUILD)/libbvbuild.a $(BUILD)/libbv.a $(BUILD)/flags
	@mkdir -p $(@D) $(BUILD)/obj/tests/bench
	$(call quiet,c++)g++ -std=c++17 -Wall -Wextra -Werror -Wno-maybe-uninitialized -Iinclude -Isrc -I. $$(pkg-config --cflags eigen3 | sed 's/-I/-isystem /') \
	  -O3 -DNDEBUG $(EXACT) -fopenmp -D_GNU_SOURCE $(filter -fsanitize% -fno-sanitize%,$(FLAGS)) -MMD -MP -MF $(BUILD)/obj/tests/bench/$*.d -MT $@ $< $(filter %.a,$^) -Wl,--as-needed $(LIBS) -lmpfr -lgmp $(PEER_FLAGS) -o $@
$(BUILD)/bench/bench_build: PEER_FLAGS := -lembree3 -lfcl -lccd
$(BUILD)/bench/bench_rays: PEER_FLAGS := -isystem /usr/include/bullet -lembree3 -lBulletCollision -lLinearMath

# All that is to be shown against peers, in one table: see tests/bench/bench.py. BENCH_PARTS are some of its parts. On the meshes
# beside the project or on libcgal-demo's.
BENCH_PARTS ?=
BENCH_QUICK ?=
BENCHED      = $(firstword $(wildcard ../shared/meshes) $(BUILD)/cgal-demo/data/meshes)
bench: tools $(addprefix $(BUILD)/bench/,bench_build bench_queries bench_distances bench_end_to_end make_meshes make_poses) \
       $(if $(wildcard ../shared/meshes),,$(BUILD)/cgal-demo)
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/bench/bench.py $(if $(BENCH_QUICK),--quick) --meshes $(BENCHED) \
	  --scratch $(BENCH_FOLDER) $(BUILD) $(BENCH_PARTS)
# Where the time of a call goes, by stage: PROFILE_OPTIONS='--sizes 1000 70000'.
profile: tools $(BUILD)/bench/make_meshes
	@mkdir -p $(BUILD)/experiment
	@/usr/bin/python3 tests/bench/profile.py $(BUILD) $(PROFILE_OPTIONS) > $(BUILD)/experiment/profile.new && \
	  mv $(BUILD)/experiment/profile.new $(BUILD)/experiment/profile.md
	@cat $(BUILD)/experiment/profile.md
bench-import: $(BUILD)/bench/make_meshes $(BUILD)/bench/bench_import
	@folder=$$(mktemp -d $(BENCH_FOLDER)/bench_import.XXXXXX) && trap 'rm -rf "$$folder"' EXIT && \
	$(BUILD)/bench/make_meshes $(BENCH_TRIANGLES) "$$folder" && $(BUILD)/bench/bench_import "$$folder"/mesh.*

# The meshes that volumes and hulls are measured on: those beside the project, if they are there, and libcgal-demo's.
SHARED_MESHES = $(sort $(wildcard ../shared/meshes/*))
OPTIMA        = $(wildcard ../shared/peers/obb_optimal.csv)
$(BUILD)/cgal-demo: /usr/share/doc/libcgal-demo/data.tar.gz
	@rm -rf $@ && mkdir -p $@
	tar xzf $< -C $@
bench-fit: $(BUILD)/cgal-demo $(BUILD)/bench/bench_boxes $(BUILD)/bench/bench_spheres $(BUILD)/bench/bench_hulls $(BUILD)/bench/bench_node_boxes \
           $(BUILD)/bench/bench_support $(BUILD)/bench/bench_simplify
	$(BUILD)/bench/bench_boxes -n $(BENCH_REPEATS) $(OPTIMA:%=-o %) $(SHARED_MESHES) $(BUILD)/cgal-demo/data/meshes/*
	$(BUILD)/bench/bench_spheres -n $(BENCH_REPEATS) $(SHARED_MESHES) $(BUILD)/cgal-demo/data/meshes/*
	$(BUILD)/bench/bench_hulls -n $(BENCH_REPEATS) $(SHARED_MESHES) $(BUILD)/cgal-demo/data/meshes/*
	$(BUILD)/bench/bench_simplify $(wildcard $(addprefix ../shared/meshes/,dilo.off elk.off genus3.off))
	$(BUILD)/bench/bench_support
	$(BUILD)/bench/bench_node_boxes $(or $(SHARED_MESHES),$(BUILD)/cgal-demo/data/meshes/*.off) --sets 50

# Certified distances: of all nodes of trees, bounds left out in turn, levels; of round volumes; against Eckstein's algorithm;
# what targets cost. On the meshes beside the project or on samples.
DEMO_MESHES      = $(BUILD)/demo/knot.obj $(BUILD)/demo/gear.obj
HAUSDORFF_MESHES = $(or $(SHARED_MESHES),$(DEMO_MESHES))
LEVELLED_MESHES  = $(or $(wildcard $(addprefix ../shared/meshes/,stanford-bunny.obj cow.obj fandisk.obj building.obj casting.off)),$(DEMO_MESHES))
bench-hausdorff: demo $(addprefix $(BUILD)/bench/,bench_hausdorff bench_hausdorff_round bench_hausdorff_reference bench_targets)
	$(BUILD)/bench/bench_hausdorff $(HAUSDORFF_MESHES)
	$(BUILD)/bench/bench_hausdorff --ablation $(HAUSDORFF_MESHES)
	$(BUILD)/bench/bench_hausdorff --levels $(LEVELLED_MESHES)
	$(BUILD)/bench/bench_hausdorff_round $(LEVELLED_MESHES)
	$(BUILD)/bench/bench_hausdorff_reference $(HAUSDORFF_MESHES)
	$(BUILD)/bench/bench_targets $(LEVELLED_MESHES)

# What needs no peer, so that it goes on building.
.PHONY: benches
benches: $(addprefix $(BUILD)/bench/,bench_hausdorff bench_hausdorff_round bench_hausdorff_reference bench_targets bench_bottomup \
                                     bench_node_boxes bench_lanes bench_expansions bench_coherent bench_open bench_support bench_simplify \
                                     bench_sphere_trees bench_shared_faces experiment)

# Sphere trees of all builders that make them, by certified distances.
SPHERE_MESHES  = $(or $(wildcard $(addprefix ../shared/meshes/,cow.obj casting.off chair.off helix.off alligator.obj)),$(DEMO_MESHES))
VERDICT_MESHES = $(SPHERE_MESHES)
.PHONY: bench-spheres
bench-spheres: $(BUILD)/bench/bench_sphere_trees
	@mkdir -p $(BUILD)/experiment
	$< $(SPHERE_MESHES) | tee $(BUILD)/experiment/spheres.md

# Barequet's, Palmer's and Eckstein's findings, by what queries near contact cost.
.PHONY: bench-verdicts
bench-verdicts: tools
	@mkdir -p $(BUILD)/experiment
	/usr/bin/python3 tests/bench/verdicts.py $(BUILD) $(VERDICT_MESHES) | tee $(BUILD)/experiment/verdicts.md

# Palmer's trees as the paper has them, with faces in several leaves: on the poses beside the project, and on those of the meshes above
# against themselves.
SHARED_FACES_POSES = $(sort $(wildcard $(MESH_FOLDER)/../peers/poses/*.csv)) $(foreach mesh,$(basename $(notdir $(VERDICT_MESHES))),$(BUILD)/poses/self/$(mesh)__$(mesh).csv)
.PHONY: bench-shared-faces
bench-shared-faces: $(BUILD)/bench/bench_shared_faces poses
	@mkdir -p $(BUILD)/experiment
	$< $(MESH_FOLDER) $(SHARED_FACES_POSES) > $(BUILD)/experiment/shared-faces.new && \
	  mv $(BUILD)/experiment/shared-faces.new $(BUILD)/experiment/shared-faces.md
	@cat $(BUILD)/experiment/shared-faces.md

# Certified distances between meshes against CGAL's.
PAIRED_MESHES = $(or $(wildcard $(addprefix ../shared/meshes/,cow.obj stanford-bunny.obj fandisk.obj casting.off KitchenPot.obj elk.off)),$(DEMO_MESHES))
bench-hausdorff-cgal: demo $(BUILD)/bench/bench_hausdorff_cgal
	$(BUILD)/bench/bench_hausdorff_cgal $(PAIRED_MESHES)

# Trees of a million triangles against Embree's and FCL's.
BUILT_MESHES = $(wildcard ../shared/meshes/DRAGON_F.off)
bench-build: $(BUILD)/bench/bench_build
	$(BUILD)/bench/bench_build -k -c $(BENCH_TRIANGLES) -n $(BENCH_REPEATS) $(BUILT_MESHES:%=-m %)

# Hierarchies judged by queries near contact. Pose files by the recipe of those beside the project: of each mesh against
# itself and of pairs that presets are chosen by, and of pairs over five meshes that nothing is chosen by.
$(BUILD)/bench/make_poses $(BUILD)/bench/bench_distances: PEER_FLAGS := -lfcl -lccd
$(BUILD)/bench/bench_queries: PEER_FLAGS := -isystem /usr/include/bullet -lfcl -lccd -lBulletCollision -lLinearMath -lode
MESH_FOLDER      ?= ../shared/meshes
HELD_OUT         := block eight elk suzanne teapot
held-out_PAIRS   := elk__teapot teapot__suzanne suzanne__block block__eight eight__elk
choosing_PAIRS   := alligator__building casting__genus3 cow__casting genus3__KitchenPot helix__alligator
EXPERIMENT_NAMES := $(filter-out $(HELD_OUT),$(basename $(notdir $(sort $(wildcard $(MESH_FOLDER)/*)))))
self_PAIRS       := $(foreach name,$(EXPERIMENT_NAMES),$(name)__$(name))
# Of a set: its files, without those whose names begin with the second argument.
POSES_OF          = $(patsubst %,$(BUILD)/poses/$(1)/%.csv,$(filter-out $(2)__%,$($(1)_PAIRS)))
.PHONY: poses
poses: $(foreach set,held-out choosing self,$(call POSES_OF,$(set)))
$(call POSES_OF,self): DRAWS = 20
$(BUILD)/poses/%.csv: tests/bench/make_poses.cpp tests/bench/peer_fcl.h | $(BUILD)/bench/make_poses
	@mkdir -p $(@D)
	@$(BUILD)/bench/make_poses --draws $(or $(DRAWS),100) $(wildcard $(MESH_FOLDER)/$(firstword $(subst __, ,$(*F))).*) \
	  $(wildcard $(MESH_FOLDER)/$(lastword $(subst __, ,$(*F))).*) $@

# The experiment of docs/experiments/hierarchies.md: one factor at a time on all meshes that are not held out, and the full product on
# small ones. EXPERIMENT_SECONDS ends each of both runs early (4: there is more to do); the next one goes on where it ended.
EXPERIMENT_SECONDS ?= 1000000
EXPERIMENT_LIMIT   ?= 10
EXPERIMENT_OPTIONS ?=
EXPERIMENT_TABLE   := $(BUILD)/experiment/results.tsv
EXPERIMENT         := $(call object,$(filter-out %/design.c,$(sort $(wildcard tests/bench/experiment/*.c))))
$(BUILD)/bench/experiment: $(EXPERIMENT) $(BUILD)/libjudge.a $(BUILD)/libreference.a $(BUILD)/libbvbuild.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link)
.PHONY: experiment experiment-show
experiment: $(BUILD)/bench/experiment poses
	@mkdir -p $(BUILD)/experiment
	$< run $(EXPERIMENT_OPTIONS) --limit $(EXPERIMENT_LIMIT) --for $(EXPERIMENT_SECONDS) $(EXPERIMENT_TABLE) $(MESH_FOLDER) \
	  $(call POSES_OF,self,single_triangle) $(sort $(wildcard $(MESH_FOLDER)/../peers/poses/*.csv)) || test $$? = 4
	$< run $(EXPERIMENT_OPTIONS) --full --most 1600 --limit $(EXPERIMENT_LIMIT) --for $(EXPERIMENT_SECONDS) $(EXPERIMENT_TABLE) \
	  $(MESH_FOLDER) $(call POSES_OF,self,single_triangle) || test $$? = 4
	@$(MAKE) --no-print-directory experiment-show
experiment-show: $(BUILD)/bench/experiment
	$< show $(EXPERIMENT_OPTIONS) $(EXPERIMENT_TABLE) | tee $(BUILD)/experiment/table.md

# One factor alone, into the same table of results: minutes, where the whole takes an hour.
EXPERIMENT_FACTOR ?= builder
.PHONY: experiment-factor
experiment-factor: $(BUILD)/bench/experiment poses
	@mkdir -p $(BUILD)/experiment
	$< run $(EXPERIMENT_OPTIONS) --factor $(EXPERIMENT_FACTOR) --limit $(EXPERIMENT_LIMIT) --for $(EXPERIMENT_SECONDS) $(EXPERIMENT_TABLE) \
	  $(MESH_FOLDER) $(call POSES_OF,self,single_triangle) $(sort $(wildcard $(MESH_FOLDER)/../peers/poses/*.csv)) || test $$? = 4
	$< show $(EXPERIMENT_OPTIONS) --factor $(EXPERIMENT_FACTOR) $(EXPERIMENT_TABLE) | tee $(BUILD)/experiment/factor-$(EXPERIMENT_FACTOR).md

# Presets against FCL and Gottschalk's trees on the poses beside the project, and against each other on those that are held
# out. BENCH_POSES=choosing takes those that may be chosen by; BENCH_WITH="--with 'splitter=median degree=2'" lets others take
# part.
BENCH_POSES ?= held-out
BENCH_WITH  ?=
.PHONY: bench-queries
bench-queries: $(BUILD)/bench/bench_queries poses
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/queries.md
	{ $(BUILD)/bench/bench_queries $(BENCH_WITH) $(MESH_FOLDER) $(sort $(wildcard $(MESH_FOLDER)/../peers/poses/*.csv)) && echo && \
	  $(BUILD)/bench/bench_queries $(BENCH_WITH) $(MESH_FOLDER) $(call POSES_OF,$(BENCH_POSES)) && \
	  touch $(BUILD)/experiment/queries.whole; } | tee $(BUILD)/experiment/queries.md
	@rm $(BUILD)/experiment/queries.whole 2> /dev/null

# Rays, closest points, overlaps and casts against Embree, Bullet and CGAL. The summary is what bench-readme copies.
RAY_MESHES = $(or $(wildcard $(addprefix ../shared/meshes/,stanford-bunny.obj crank.off DRAGON_F.off building.obj alligator.obj)),$(BUILD)/cgal-demo/data/meshes/*.off)
.PHONY: bench-rays
bench-rays: $(BUILD)/bench/bench_rays $(if $(wildcard ../shared/meshes),,$(BUILD)/cgal-demo)
	@mkdir -p $(BUILD)/experiment
	$< --summary $(BUILD)/experiment/rays.new $(RAY_OPTIONS) $(RAY_MESHES)
	@mv $(BUILD)/experiment/rays.new $(BUILD)/experiment/rays.md

# Distances of meshes on the poses beside the project, and of points, against FCL's.
.PHONY: bench-distances
bench-distances: $(BUILD)/bench/bench_distances
	@mkdir -p $(BUILD)/experiment
	$< $(MESH_FOLDER) $(sort $(wildcard $(MESH_FOLDER)/../peers/poses/*.csv)) | tee $(BUILD)/experiment/distances.md

# Convex decompositions against V-HACD's and CoACD's. BENCH_PARTS are rows and options of the script: all rows take an hour.
.PHONY: bench-decompose
bench-decompose: tools $(BUILD)/bench/judge_parts
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/decompose.whole
	{ python3 tests/bench/decompose.py --build $(BUILD) $(BENCH_PARTS) && touch $(BUILD)/experiment/decompose.whole; } | \
	  tee $(BUILD)/experiment/decompose.md
	@rm $(BUILD)/experiment/decompose.whole 2> /dev/null

# Copies the tables printed last into docs/benchmarks.md and docs/experiments. Tables without a new run are unchanged.
EXPERIMENT_PAGES := profile:profile queries:presets distances:distances batch:batch decompose:decomposition spheres:sphere-trees \
                    verdicts:literature shared-faces:shared-faces factor-builder:literature
.PHONY: bench-readme
bench-readme:
	@fill() { ! test -s "$$2" || sh tests/bench/fill.sh "$$1" "$$2" "docs/$$3.md"; } && \
	fill bench $(BUILD)/bench-out/table.md benchmarks && \
	fill rays $(BUILD)/experiment/rays.md benchmarks && \
	for page in $(EXPERIMENT_PAGES); do \
	  fill $${page%:*} $(BUILD)/experiment/$${page%:*}.md experiments/$${page#*:} || exit 1; \
	done && \
	fill experiment $(BUILD)/experiment/table.md experiments/hierarchies && \
	python3 tests/bench/figures.py docs/benchmarks.md docs/images/bench.svg docs/images/rays.svg

# Many small assets in one call, split from Debian's packages of meshes. Files are written where no disk takes part.
BATCH_OPTIONS ?=
.PHONY: bench-batch
$(BUILD)/testmodels:
	@rm -rf $@.new && mkdir -p $@.new
	@cd $@.new && apt-get download -qq assimp-testmodels && dpkg-deb -x ./*.deb . && rm ./*.deb
	@mv $@.new $@
bench-batch: tools $(BUILD)/cgal-demo $(BUILD)/testmodels
	@mkdir -p $(BUILD)/experiment
	@TMPDIR=$(BENCH_FOLDER) /usr/bin/python3 tests/bench/batch.py $(BUILD) $(BUILD)/cgal-demo $(BUILD)/testmodels $(BATCH_OPTIONS) \
	  > $(BUILD)/experiment/batch.new && mv $(BUILD)/experiment/batch.new $(BUILD)/experiment/batch.md
	@cat $(BUILD)/experiment/batch.md

# Proxies against CGAL's edge collapse, which encloses nothing, at the same certified distances.
PROXY_MESHES = $(or $(wildcard $(addprefix ../shared/meshes/,eight.off elk.off fandisk.obj genus3.off casting.off rocker-arm.obj)),$(DEMO_MESHES))
.PHONY: bench-proxy
bench-proxy: demo $(BUILD)/bench/bench_proxy
	$(BUILD)/bench/bench_proxy $(PROXY_MESHES)

deps-bench:
	@sh tests/deps.sh $(PACKAGES) $(TEST_PACKAGES) $(PEERS)
.PHONY: deps-cluster
deps-cluster:
	@sh tests/deps.sh $(CLUSTER)

# A file byte by byte, in the specification.
.PHONY: example
example: tools
	@{ echo '```' && BUILD=$(abspath $(BUILD)) sh tests/cli/run_example.sh && echo '```'; } > $(BUILD)/example.md
	@sh tests/bench/fill.sh example $(BUILD)/example.md formats/bvh/README.md

C_TEXT = $(sort $(shell find include src formats tests samples -name '*.[ch]' -o -name '*.cpp'))
.PHONY: format check-format
format:
	@clang-format -i $(C_TEXT)
check-format:
	@clang-format --dry-run --Werror $(C_TEXT)

.PHONY: demo
demo:
	@+$(MAKE) --no-print-directory $(JOBS) tools
	@mkdir -p $(BUILD)/demo
	$(BUILD)/make_samples $(BUILD)/demo
	$(BUILD)/bvbuild $(BUILD)/demo/gear.obj -o $(BUILD)/demo/gear.bvh --report $(BUILD)/demo/gear.html
	$(BUILD)/bvinspect $(BUILD)/demo/gear.bvh
	$(BUILD)/bvinspect --verify $(BUILD)/demo/gear.bvh

.PHONY: deps deps-check
deps:
	@sh tests/deps.sh $(PACKAGES)
deps-check:
	@sh tests/deps.sh $(PACKAGES) $(TEST_PACKAGES)

include packaging/packaging.mk

.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj $(BUILD)/fuzz/obj -name '*.d' 2>/dev/null)
