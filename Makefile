# Builds the two libraries, the two tools, the samples and the tests, out of tree into $(BUILD).
#
#   make                everything                       make deps      install what is needed (Debian)
#   make check          all tests, in minutes            make demo      convert a sample mesh and show it
#   make check-long     all there is, fuzzing included   make format    lay out all C text as .clang-format says
#   make corpus         Debian's test models, all        make browser   HTML reports in headless Chromium
#   make samples        the recipes in samples/, each from its README's line; make samples-long: Slurm, too
#   make fuzz           libFuzzer on readers and .bvh files; FUZZ_SECONDS=60
#   make check-reports                                   what reports say, measured again by numpy and scipy
#   make run-fuzz_bvh   FUZZ_SECONDS=3600 FUZZ_WORKERS=2 one of them, in two processes
#   make bench          is it the fastest and tightest?  make identity  other compilers, the same bytes
#                       BENCH_PARTS="build queries" a part of it, BENCH_QUICK=1 in a minute
#   make fuzz-coverage                                   how much of reader and queries the fuzzer reaches
#   make instructions   how many some work takes, against tests/golden/instructions; instructions-anew writes that
#   make bench-import   BENCH_TRIANGLES=1000000, readers timed in every format
#   make deps-bench     install the peers (Debian)       make bench-fit  volumes and hulls against CGAL and qhull
#   make bench-hausdorff                                 certified distances: trees, and against Eckstein's algorithm
#   make bench-hausdorff-cgal                            meshes against meshes, and against CGAL
#   make bench-build    trees of a million triangles against Embree's and FCL's
#   make poses          pose files near contact          make bench-queries  presets by queries, against FCL
#   make bench-distances  of meshes and points, against FCL
#   make bench-decompose  convex parts against V-HACD's and CoACD's; BENCH_PARTS="quality --mesh eight"
#   make bench-batch    2,000 small assets in one call   make profile    by stage: time, instructions, misses of caches
#   make bench-proxy    proxies against CGAL's edge collapse
#   make experiment     all hierarchies by queries       make bench-readme   their tables into tests/bench/README.md
#   make experiment-factor  of one factor alone: EXPERIMENT_FACTOR=builder
#   make bench-shared-faces  sphere trees whose leaves share faces, as Palmer and Grimsdale query them
#   make hashes         of what is in files, written anew into tests/golden/hashes
#   make arm64          other machines, the same bytes (qemu)
#   make big-endian     libbv refuses files there (qemu)  make i386      and reads them on 32 bits
#   make example        the dump in formats/bvh/README.md made again
#   make install        PREFIX=/usr/local DESTDIR=       make mingw     cross-compile libbv for Windows
#   make uninstall      what it put there                make deb       Debian packages into build/deb
#   make packages       the same, installed and tried out
#
# CC=clang, BUILD=dir, SAN=1 (ASan and UBSan), CFLAGS=-O2 and V=1 (show commands) can be given with any of them.

.SUFFIXES:
.DELETE_ON_ERROR:

BUILD   ?= build
PREFIX  ?= $(or $(prefix),/usr/local)
DESTDIR ?=
SAN     ?=
V       ?=
CFLAGS  ?= -O3 -g
ifeq ($(origin CC),default)
CC := gcc
endif
, := ,

# What a fresh Debian machine lacks. libomp is clang's OpenMP, libclang-rt its sanitizers and libFuzzer.
PACKAGES := gcc libc6-dev make pkg-config libassimp-dev libqhull-dev libcmocka-dev libxxhash-dev libcjson-dev \
            libpng-dev libjs-three clang clang-format llvm libomp-dev libclang-rt-14-dev gcc-mingw-w64-x86-64 python3-minimal \
            gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross \
            gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
# Dep-files are read by it.
PACKAGES += ninja-build
# Files are written while system calls fail.
PACKAGES += strace
# Instructions are counted.
PACKAGES += valgrind
# Reports are held against their schema.
PACKAGES += python3-jsonschema
# Reports are looked at in a browser.
PACKAGES += chromium chromium-driver python3-selenium python3-numpy python3-pil
# Reports are measured again, and exported bodies.
PACKAGES += python3-numpy python3-scipy liburdfdom-tools
# What the recipes in samples/ are for.
PACKAGES += g++ libbullet-dev ninja-build cmake meson parallel
# A cluster's daemons, which a machine may start once they are installed: for who tests that recipe.
CLUSTER  := slurm-wlm munge
# An independent reader of .bvh files runs in these, whoever has packaged them.
PACKAGES += $(if $(and $(shell command -v node),$(shell command -v npm)),,nodejs npm)
# What is installed is tried out; packages are made of it.
PACKAGES += g++ cmake ninja-build man-db groff mandoc zsh fish debhelper lintian dpkg-dev fakeroot
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
FLAGS += -fsanitize=address$(,)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
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
UNIT_TESTS      := $(patsubst tests/unit/%.c,%,$(sort $(wildcard tests/unit/*.c)))
CLI_TESTS       := $(patsubst tests/cli/%.sh,%,$(sort $(wildcard tests/cli/test_*.sh)))
SAMPLE_TESTS    := $(patsubst tests/samples/%.sh,%,$(sort $(wildcard tests/samples/test_*.sh)))

# Slow and sure: what tests and benches judge by. Not part of the libraries.
REFERENCES      := $(sort $(wildcard tests/reference/*.c))

object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
quiet  = $(if $(V),,@echo '$(1) $(patsubst $(BUILD)/%,%,$@)';)

.PHONY: all
all: $(BUILD)/libbv.a $(BUILD)/libbvbuild.a $(TOOLS:%=$(BUILD)/%) $(SAMPLE_PROGRAMS:%=$(BUILD)/%)

# Objects depend on the flags they were built with, so that CC=clang or SAN=1 in the same folder rebuilds them.
FLAGS_LINE := $(strip $(CC) $(FLAGS) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS))
ifneq ($(shell cat $(BUILD)/flags 2>/dev/null),$(FLAGS_LINE))
.PHONY: $(BUILD)/flags
endif
$(BUILD)/flags:
	@mkdir -p $(@D)
	@echo '$(FLAGS_LINE)' > $@

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,cc)$(CC) $(FLAGS) $(if $(filter $<,$(RUNTIME_SOURCES)),,$(OFFLINE)) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

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

# Parts of bvbuild that are tested by themselves.
$(BUILD)/tests/test_cli_depfile: $(call object,$(CLI_SOURCES))
$(UNIT_TESTS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/libreference.a $(BUILD)/libbvbuild.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link) -lcmocka

# Each test by itself, and all of them. The scripts find the programs in $BUILD. What takes longest begins first, so that nothing
# is waited for at the end. Programs run beside each other, where OpenMP's threads that wait in a loop take the processors away
# from those that work.
SLOW_TESTS := test_compare test_kaitai test_reports test_formats test_findings test_parts test_decompose_options \
              test_hierarchy_table test_decompose_cuts test_decompose_parts test_hierarchy_worst test_hierarchy_optimize test_bvh_file
# Left to check-long: what compiles the libraries once more, what measures a hundred reports again, and all builders on five meshes.
LONG_TESTS := test_install test_reports test_lost_builders
slow_first  = $(filter $(1),$(SLOW_TESTS)) $(filter-out $(SLOW_TESTS),$(1))
.PHONY: $(UNIT_TESTS:%=run-%) $(CLI_TESTS:%=run-%) unit cli cli-long rooms headers check check-long
unit cli cli-long browser browser-quick check check-long combinations containment distances decompositions sections values worst check-reports $(UNIT_TESTS:%=run-%) $(CLI_TESTS:%=run-%): \
  export OMP_WAIT_POLICY = passive
$(UNIT_TESTS:%=run-%): run-%: $(BUILD)/tests/%
	@$< > $(BUILD)/tests/$*.log 2>&1 || { cat $(BUILD)/tests/$*.log; exit 1; }
	@tail -n 1 $(BUILD)/tests/$*.log | sed 's/^/$*: /'
run-test_install: installable
$(CLI_TESTS:%=run-%): run-%: all
	@BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/cli/$*.sh
unit: $(patsubst %,run-%,$(call slow_first,$(UNIT_TESTS)))
cli: $(patsubst %,run-%,$(filter-out $(LONG_TESTS),$(call slow_first,$(CLI_TESTS))))
cli-long: $(patsubst %,run-%,$(LONG_TESTS))
rooms:
	@sh tests/rooms.sh

# The recipes in samples/ and what README.md says of them, with all of it installed in a folder. Slurm's daemons take their time.
LONG_SAMPLES := test_slurm
.PHONY: installed samples samples-long $(SAMPLE_TESTS:%=run-%)
installed: installable
	@rm -rf $(BUILD)/installed
	@$(MAKE) --no-print-directory -s install PREFIX=$(abspath $(BUILD))/installed DESTDIR= > $(BUILD)/installed.log
$(SAMPLE_TESTS:%=run-%): export OMP_WAIT_POLICY = passive
$(SAMPLE_TESTS:%=run-%): run-%: installed
	@BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/samples/$*.sh
samples: $(patsubst %,run-%,$(filter-out $(LONG_SAMPLES),$(SAMPLE_TESTS)))
samples-long: deps-cluster $(SAMPLE_TESTS:%=run-%)
run-test_slurm: deps-cluster
check: samples
check-long: samples-long

# Each public header stands alone, in C and in C++.
headers:
	@for header in $$(cd include && ls */*.h); do \
	  echo "#include \"$$header\"" | $(CC) -x c -std=c17 $(WARNINGS) -Iinclude -fsyntax-only - && \
	  echo "#include \"$$header\"" | clang -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only - || \
	  { echo "$$header does not stand alone"; exit 1; }; done
# The browser takes longest of all: the rest of it is left to check-long.
check: browser-quick rooms headers cli unit
	@echo 'all tests passed'
check-long: check cli-long browser combinations containment distances decompositions sections values worst identity check-reports fuzz corpus browser-long

# HTML reports in headless Chromium: of samples, and of the meshes beside the project. Debian's Python has the packages.
BROWSED_MESHES = $(or $(sort $(wildcard ../shared/meshes/*)),$(DEMO_MESHES))
.PHONY: browser browser-quick browser-long
browser: all $(BUILD)/bench/make_meshes
	@/usr/bin/python3 tests/browser/test_report.py $(BUILD)
browser-quick: all
	@/usr/bin/python3 tests/browser/test_report.py $(BUILD) --quick
browser-long: demo $(BUILD)/bench/make_meshes
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(BUILD)/bench/make_meshes 1000000 "$$folder" > /dev/null && \
	/usr/bin/python3 tests/browser/test_report.py $(BUILD) $(BROWSED_MESHES) "$$folder"/mesh.ply

# Every builder, splitter, volume, degree and quality on real meshes, each made a file and verified: all combinations on small
# ones, among them those of libcgal-demo where `make corpus` has fetched it, binary trees on larger ones.
COMBINED_MESHES = $(or $(wildcard $(addprefix $(BUILD)/corpus/libcgal-demo/usr/share/doc/libcgal-dev/data/meshes/,tripod.off mpi.off \
    corner_tris_with_hole.off cross.off) $(addprefix ../shared/meshes/,table.off suzanne.obj chair.off helix.off collision_mesh_01.obj cow.obj)),$(DEMO_MESHES))
.PHONY: combinations
combinations: demo $(BUILD)/tests/test_hierarchy_table
	BV_COMBINATIONS='$(COMBINED_MESHES)' $(BUILD)/tests/test_hierarchy_table

# A million sets of points in every volume, in exact arithmetic.
.PHONY: containment
containment: $(BUILD)/tests/test_fit_containment
	BV_CONTAINMENT_CASES=1000000 $<

# A million points of each of a thousand volumes, none of which may be farther away than is certified.
.PHONY: distances
distances: $(BUILD)/tests/test_hausdorff_random
	BV_HAUSDORFF_SAMPLES=1000000 $<

# A hundred meshes of every kind into parts with any options, and others with every cap or in several places.
.PHONY: decompositions
decompositions: $(addprefix $(BUILD)/tests/test_decompose_,random parts cuts)
	BV_RANDOM_MESHES=100 $<
	BV_ALL_CAPS=1 $(BUILD)/tests/test_decompose_parts
	BV_ALL_PLACES=1 $(BUILD)/tests/test_decompose_cuts

# Every set of sections that hangs together.
.PHONY: sections
sections: $(BUILD)/tests/test_asset_sections
	BV_ALL_SECTIONS=1 $<

# Files with every value of every byte.
.PHONY: values
values: $(BUILD)/tests/test_bvh_every_value $(BUILD)/tests/test_bvh_file
	BV_ALL_VALUES=1 $<
	BV_ALL_VALUES=1 $(BUILD)/tests/test_bvh_file

# Trees of a million of the worst triangles.
.PHONY: worst
worst: $(BUILD)/tests/test_hierarchy_worst
	BV_WORST_TRIANGLES=1000000 $<

# Two hundred signals of each kind at random moments.
.PHONY: interruptions
check-long: interruptions
interruptions: export OMP_WAIT_POLICY = passive
interruptions: all
	@BV_SHOTS=200 BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/cli/test_interrupted.sh

# The same bytes whatever compiled the program, and how; with whatever vectors this processor has. What queries need of them is
# chosen when they run.
SIMD_LEVELS = x86-64 $(if $(shell grep -m 1 -w sse4_2 /proc/cpuinfo),x86-64-v2) $(if $(shell grep -m 1 -w avx2 /proc/cpuinfo),x86-64-v3)
.PHONY: identity
identity: all
	@$(MAKE) --no-print-directory CC=gcc CFLAGS=-O0 BUILD=$(BUILD)/gcc-O0
	@$(MAKE) --no-print-directory CC=gcc CFLAGS='-O3 -march=native' BUILD=$(BUILD)/gcc-O3
	@$(MAKE) --no-print-directory CC=clang CFLAGS=-O2 BUILD=$(BUILD)/clang
	@$(foreach level,$(SIMD_LEVELS),$(MAKE) --no-print-directory CFLAGS='-O3 -march=$(level)' BUILD=$(BUILD)/$(level) &&) true
	@$(MAKE) --no-print-directory CC=clang CFLAGS='-O3 -march=native' BUILD=$(BUILD)/clang-native
	@/usr/bin/python3 tests/identity.py builds $(BUILD) $(addprefix $(BUILD)/,gcc-O0 gcc-O3 clang $(SIMD_LEVELS) clang-native)

# Its table: what is in files does not change unnoticed. A commit that changes the table says why.
.PHONY: hashes
hashes: all
	@/usr/bin/python3 tests/identity.py write $(BUILD)

# The same bytes from another machine, in emulation: all tools, and libraries as Debian has them for it. Lanes of NEON are held
# against scalar ones there too; tests reckon in binary128, which is long double there.
ARM64_ROOT  = $(abspath $(BUILD))/arm64/root
ARM64_RUN   = qemu-aarch64-static -L $(ARM64_ROOT)
ARM64_LIBS  = $(ARM64_ROOT)/usr/lib/aarch64-linux-gnu
ARM64_TESTS = test_core_lanes test_core_lane_triangles test_core_lane_gaps test_base_number test_base_exact test_hausdorff_exact
$(ARM64_ROOT)/whole: tests/sysroot.sh
	@rm -rf $(@D)
	@sh tests/sysroot.sh $(@D) arm64 libassimp-dev libqhull-dev libcjson-dev libpng-dev libxxhash-dev libcmocka-dev libgomp1
	@touch $@
.PHONY: arm64
arm64: all $(ARM64_ROOT)/whole
	@$(MAKE) --no-print-directory CC=aarch64-linux-gnu-gcc BUILD=$(BUILD)/arm64 \
	  CPPFLAGS='-isystem $(ARM64_ROOT)/usr/include -D__float128="long double"' \
	  LDFLAGS='-L$(ARM64_LIBS) -L$(ARM64_ROOT)/lib/aarch64-linux-gnu -Wl,-rpath-link,$(ARM64_LIBS):$(ARM64_ROOT)/lib/aarch64-linux-gnu' \
	  all $(ARM64_TESTS:%=$(BUILD)/arm64/tests/%)
	@for test in $(ARM64_TESTS); do $(ARM64_RUN) $(BUILD)/arm64/tests/$$test > $(BUILD)/arm64/tests/$$test.log 2>&1 || \
	  { cat $(BUILD)/arm64/tests/$$test.log; exit 1; }; tail -n 1 $(BUILD)/arm64/tests/$$test.log | sed "s/^/$$test: /"; done
	@OMP_WAIT_POLICY=passive /usr/bin/python3 tests/identity.py machine $(BUILD) $(BUILD)/arm64 $(ARM64_RUN)

# Every file of Debian's packages of test models, which are fetched into $(BUILD)/corpus.
.PHONY: corpus
corpus: all
	@sh tests/corpus.sh $(BUILD)

# What reports of a hundred files and more say, measured again from what is exported. The meshes beside the project take part if
# they are there, and those of libcgal-demo if `make deps-bench` has installed it.
CGAL_DATA      := /usr/share/doc/libcgal-demo/data.tar.gz
REPORT_FOLDERS := $(BUILD)/reports/samples $(if $(wildcard $(CGAL_DATA)),$(BUILD)/reports/cgal) $(wildcard ../shared/meshes)
.PHONY: check-reports
$(BUILD)/reports/samples: all
	@mkdir -p $@
	@$(BUILD)/make_samples $@ > /dev/null
$(BUILD)/reports/cgal: $(CGAL_DATA)
	@mkdir -p $@
	@tar xzf $< -C $@
check-reports: all $(filter $(BUILD)/%,$(REPORT_FOLDERS))
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
$(FUZZERS:%=run-%): run-%: $(BUILD)/fuzz/% all
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
fuzz-coverage: $(BUILD)/fuzz/coverage all
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
$(OTHER_FILE): all
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
.PHONY: big-endian i386
big-endian: $(OTHER_FILE)
	$(call other_machine,s390x,s390x-linux-gnu-gcc)
	qemu-s390x-static $(BUILD)/s390x/other_machine $<
i386: $(OTHER_FILE)
	$(call other_machine,native,$(CC))
	$(call other_machine,i386,i686-linux-gnu-gcc -msse2 -mfpmath=sse)
	$(BUILD)/native/other_machine $< > $(BUILD)/native/found
	qemu-i386-static $(BUILD)/i386/other_machine $< > $(BUILD)/i386/found
	diff $(BUILD)/native/found $(BUILD)/i386/found

# How many instructions a few pieces of work take, which no other work on the machine changes; instructions-anew writes the table.
.PHONY: instructions instructions-anew
instructions instructions-anew: all $(BUILD)/bench/bench_instructions
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

# All that is to be shown against peers, in one table: see tests/bench/bench.py. BENCH_PARTS are some of its parts. On the meshes
# beside the project or on libcgal-demo's.
BENCH_PARTS ?=
BENCH_QUICK ?=
BENCHED      = $(firstword $(wildcard ../shared/meshes) $(BUILD)/cgal-demo/data/meshes)
bench: all $(addprefix $(BUILD)/bench/,bench_build bench_queries bench_distances bench_end_to_end make_meshes make_poses) \
       $(if $(wildcard ../shared/meshes),,$(BUILD)/cgal-demo)
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/bench/bench.py $(if $(BENCH_QUICK),--quick) --meshes $(BENCHED) \
	  --scratch $(BENCH_FOLDER) $(BUILD) $(BENCH_PARTS)
# Where the time of a call goes, by stage: PROFILE_OPTIONS='--sizes 1000 70000'.
profile: all $(BUILD)/bench/make_meshes
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
bench-verdicts: all
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

# The experiment of tests/bench/README.md: one factor at a time on all meshes that are not held out, and the full product on
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

# Distances of meshes on the poses beside the project, and of points, against FCL's.
.PHONY: bench-distances
bench-distances: $(BUILD)/bench/bench_distances
	@mkdir -p $(BUILD)/experiment
	$< $(MESH_FOLDER) $(sort $(wildcard $(MESH_FOLDER)/../peers/poses/*.csv)) | tee $(BUILD)/experiment/distances.md

# Convex decompositions against V-HACD's and CoACD's. BENCH_PARTS are rows and options of the script: all rows take an hour.
.PHONY: bench-decompose
bench-decompose: all $(BUILD)/bench/judge_parts
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/decompose.whole
	{ python3 tests/bench/decompose.py --build $(BUILD) $(BENCH_PARTS) && touch $(BUILD)/experiment/decompose.whole; } | \
	  tee $(BUILD)/experiment/decompose.md
	@rm $(BUILD)/experiment/decompose.whole 2> /dev/null

# What all of them printed last, into the README; what has not run stays as it is.
.PHONY: bench-readme
bench-readme:
	@fill() { ! test -s "$$2" || sh tests/bench/fill.sh "$$1" "$$2" tests/bench/README.md; } && \
	fill bench $(BUILD)/bench-out/table.md && \
	for name in profile queries distances batch decompose spheres verdicts shared-faces factor-builder; do fill $$name $(BUILD)/experiment/$$name.md || exit 1; done && \
	fill experiment $(BUILD)/experiment/table.md

# Many small assets in one call, split from Debian's packages of meshes. Files are written where no disk takes part.
BATCH_OPTIONS ?=
.PHONY: bench-batch
$(BUILD)/testmodels:
	@rm -rf $@.new && mkdir -p $@.new
	@cd $@.new && apt-get download -qq assimp-testmodels && dpkg-deb -x ./*.deb . && rm ./*.deb
	@mv $@.new $@
bench-batch: all $(BUILD)/cgal-demo $(BUILD)/testmodels
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
	@sh tests/deps.sh $(PACKAGES) $(PEERS)
.PHONY: deps-cluster
deps-cluster:
	@sh tests/deps.sh $(CLUSTER)

# A file byte by byte, in the specification.
.PHONY: example
example: all
	@{ echo '```' && BUILD=$(abspath $(BUILD)) sh tests/cli/run_example.sh && echo '```'; } > $(BUILD)/example.md
	@sh tests/bench/fill.sh example $(BUILD)/example.md formats/bvh/README.md

C_TEXT = $(sort $(shell find include src formats tests samples -name '*.[ch]' -o -name '*.cpp'))
.PHONY: format check-format
format:
	@clang-format -i $(C_TEXT)
check-format:
	@clang-format --dry-run --Werror $(C_TEXT)

.PHONY: demo
demo: all
	@mkdir -p $(BUILD)/demo
	$(BUILD)/make_samples $(BUILD)/demo
	$(BUILD)/bvbuild $(BUILD)/demo/gear.obj -o $(BUILD)/demo/gear.bvh --report $(BUILD)/demo/gear.html
	$(BUILD)/bvinspect $(BUILD)/demo/gear.bvh
	$(BUILD)/bvinspect --verify $(BUILD)/demo/gear.bvh

.PHONY: deps
deps:
	@sh tests/deps.sh $(PACKAGES)

include packaging/packaging.mk

.PHONY: clean
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj $(BUILD)/fuzz/obj -name '*.d' 2>/dev/null)
