# Unit tests, scripts, the three tiers, sanitizers, fuzzers, browser: everything that tests on this machine. Included by the Makefile.
# docs/testing.md says what each tier covers and how long it takes.
#
#   make check          all tests of a few minutes       make run-NAME    one test, as in run-test_hull or run-test_gate
#   make check-ci       what .ci/run adds to check       make check-format  is C text as .clang-format says?
#   make check-long     everything, fuzzing included     make format      format all C text
#   make thorough       unit tests and scripts with all their counts      make seeded-faults  do the tests notice seeded faults?
#   make fuzz           libFuzzer, FUZZ_SECONDS=60       make run-fuzz_bvh   one fuzzer; FUZZ_WORKERS=2
#   make fuzz-coverage  what the fuzzer reaches          make corpus      Debian's test models
#   make fuzz-memory    convex pairs and moving objects with MemorySanitizer
#   make browser        HTML reports in Chromium         make samples     the recipes in samples/
#   make instructions   instruction counts against tests/golden/instructions; instructions-anew writes them
#   make hashes         write tests/golden/hashes        make example     the dump in formats/bvh/README.md
#   make schema         descriptions in formats/report/schema.json, from the README beside it
#   make convex-oracle  queries of convex pairs against exact arithmetic, COUNT=10000000 of them
#   make moving-oracle  queries of moving features against exact arithmetic, a million of them
#   make check-reports  reports measured again by numpy and scipy         make stack  what functions of libbv and libbvworld take of the stack

# One program per folder of unit tests: those in tests/unit/hull are in unit_hull, and `unit_hull test_hull_merge` runs one of them.
# A program's main calls the one that is named.
source_of    = $(filter %/$(1).c,$(UNIT_SOURCES))
room_of      = $(notdir $(patsubst %/,%,$(dir $(call source_of,$(1)))))
UNIT_ROOMS  := $(sort $(foreach test,$(UNIT_TESTS),$(call room_of,$(test))))
unit_program = $(BUILD)/tests/unit_$(call room_of,$(1))
# The command that runs a unit test.
unit_run     = $(call unit_program,$(1)) $(1)
$(foreach room,$(UNIT_ROOMS),$(eval TESTS_OF_$(room) := $(filter $(UNIT_TESTS),$(basename $(notdir $(filter tests/unit/$(room)/%,$(UNIT_SOURCES)))))))
TESTS_OF_arm64 := test_tree_lanes test_tree_lane_triangles test_tree_lane_gaps test_base_number test_base_exact test_hausdorff_exact
# Rooms whose tests use integers of any length.
EXACT_ROOMS := convex deform math motion reference tree triangle world
define unit_room
$(BUILD)/tests/unit_$(1): $(call object,$(foreach test,$(TESTS_OF_$(1)),$(call source_of,$(test)))) $(BUILD)/tests/unit_$(1).c $(if $(filter $(1),$(EXACT_ROOMS)),$(BUILD)/libexact.a) $(BUILD)/libreference.a $(BUILD)/libbvbuild.a $(BUILD)/libbvworld.a $(BUILD)/libbv.a
$(BUILD)/tests/unit_$(1).c: tests/unit_main.sh $(foreach test,$(TESTS_OF_$(1)),$(call source_of,$(test)))
	@mkdir -p $$(@D)
	@sh tests/unit_main.sh $(TESTS_OF_$(1)) > $$@
endef
$(foreach room,$(UNIT_ROOMS) arm64,$(eval $(call unit_room,$(room))))
$(EXACT_ROOMS:%=$(BUILD)/tests/unit_%): LIBS += -lgmp
# Parts of bvbuild that are tested by themselves.
$(BUILD)/tests/unit_cli: $(call object,$(CLI_SOURCES))
$(BUILD)/tests/unit_cli: LDFLAGS += $(WRAPPED)
$(BUILD)/tests/unit_%:
	$(call quiet,link)$(CC) $(FLAGS) $(OFFLINE) $(CFLAGS) $(LDFLAGS) $(filter %.c,$(filter $(BUILD)/%,$^)) $(filter %.o,$^) $(filter %.a,$^) -Wl,--as-needed $(LIBS) -lcmocka -o $@

# Each test by itself, and all of them. The scripts find the programs in $BUILD. What takes longest begins first, so that nothing
# is waited for at the end. Programs run beside each other, where OpenMP's threads that wait in a loop take the processors away
# from those that work.
SLOW_TESTS := test_interrupted test_incremental test_bvinspect test_hashes test_bvbuild test_scenes test_shared \
              test_hierarchy_worst test_decompose_options test_decompose_cuts test_literature_spheres_hubbard_octree test_literature_spheres_adaptive_medial
# Left to CI: what compiles the libraries once more, runs all of the documentation, or fetches programs.
CI_TESTS   := test_install test_vendored test_docs test_kaitai test_engines test_gltf_peers
# Left to check-long: what measures a hundred reports again, and all builders on five meshes.
LONG_TESTS := test_reports test_lost_builders
slow_first  = $(filter $(1),$(SLOW_TESTS)) $(filter-out $(SLOW_TESTS),$(1))
.PHONY: $(UNIT_TESTS:%=run-%) $(CLI_TESTS:%=run-%) unit cli rooms rooms-seeded headers prose check check-parts check-ci check-long check-long-parts
unit cli samples browser browser-quick check-parts check-ci-parts check-long-parts combinations containment rigid broadphases races distances leaks decompositions \
worst interruptions check-reports $(UNIT_TESTS:%=run-%) $(CLI_TESTS:%=run-%) $(SAMPLE_TESTS:%=run-%): export OMP_WAIT_POLICY = passive
$(foreach test,$(UNIT_TESTS),$(eval run-$(test): $(call unit_program,$(test))))
# A test that hangs fails: none takes a tenth of this.
UNIT_SECONDS ?= 1200
$(UNIT_TESTS:%=run-%): run-%:
	@timeout $(UNIT_SECONDS) $(call unit_run,$*) > $(BUILD)/tests/$*.log 2>&1 || { cat $(BUILD)/tests/$*.log; exit 1; }
	@tail -n 1 $(BUILD)/tests/$*.log | sed 's/^/$*: /'
run-test_install: installable
run-test_docs: python
$(CLI_TESTS:%=run-%): run-%: tools
	@BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/cli/$*.sh
unit: $(patsubst %,run-%,$(call slow_first,$(UNIT_TESTS)))
cli: $(patsubst %,run-%,$(filter-out $(CI_TESTS) $(LONG_TESTS),$(call slow_first,$(CLI_TESTS))))
rooms: tools
	@BUILD=$(abspath $(BUILD)) sh tests/rooms.sh
rooms-seeded: tools
	@BUILD=$(abspath $(BUILD)) sh tests/rooms.sh --seeded
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
run-test_javascript: wasm

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
CI_PARTS  := browser-quick check-python benches instructions stack convex-oracle-quick moving-oracle-quick $(CI_TESTS:%=run-%) samples sanitized identity i386 arm64-quick wasm-digests-simd128 run-test_npm run-test_web_page compiled
check-ci-parts: $(CI_PARTS)
# Whole forms take the place of CI's.
check-long-parts: rooms rooms-seeded headers prose seeded-faults-check check-format thorough $(filter-out $(CI_TESTS:%=run-%) browser-quick sanitized identity convex-oracle-quick moving-oracle-quick compiled,$(CI_PARTS)) \
  $(LONG_TESTS:%=run-%) samples-long browser browser-long combinations containment rigid broadphases races distances leaks decompositions convex-oracle moving-oracle worst interruptions \
  identity-all compiled-all sanitized-all mingw check-windows big-endian wasm-digests arm64 packages check-reports fuzz corpus seeded-faults check-blender check-godot
ifneq ($(filter deps deps-check deps-bench deps-places,$(MAKECMDGOALS)),)
check check-parts check-ci check-long demo all: | $(filter deps deps-check deps-bench deps-places,$(MAKECMDGOALS))
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

# A million features of objects that turn and shift, against bisection in 113 bits.
.PHONY: rigid
rigid: $(call unit_program,test_motion_rigid)
	BV_RIGID_CASES=1000000 $(call unit_run,test_motion_rigid)

# More than a million random changes of objects in broad phases, and scenes of 4000 objects, against a model; neighbors of particles
# against integers of any length; contacts that last against a model.
.PHONY: broadphases
WORLD_TESTS := test_world_methods test_world_full test_world_copy test_world_overlap test_world_queries test_world_queries_convex \
               test_particles_lists test_particles_periodic test_particles_order \
               test_contacts_step test_contacts_match test_contacts_replay test_contacts_keep
broadphases: $(call unit_program,test_world_methods)
	@for test in $(WORLD_TESTS); do BV_WORLD_ROUNDS=40 BV_WORLD_OBJECTS=4000 $< $$test || exit 1; done

# Updates and steps by several threads, with ThreadSanitizer, which not all systems let gcc's run.
RACES := test_world_threads test_contacts_replay
.PHONY: races
races: $(RACES:%=tests/unit/world/%.c) $(WORLD_SOURCES) $(BUILD)/libbv.a
	@mkdir -p $(BUILD)/tests
	@for test in $(RACES); do \
	  $(CC) -std=c17 -g -O1 -fsanitize=thread $(BV_EXACT) -Iinclude -Isrc -I. tests/unit/world/$$test.c $(WORLD_SOURCES) $(BUILD)/libbv.a \
	    -lcmocka -lgmp -lm -lpthread -o $(BUILD)/tests/races && $(BUILD)/tests/races || exit 1; done

# A million points of each of a thousand volumes, none of which may be farther away than is certified.
.PHONY: distances
distances: $(call unit_program,test_hausdorff_random)
	BV_HAUSDORFF_SAMPLES=1000000 $(call unit_run,test_hausdorff_random)

# A hundred million rays at edges and vertices of generated closed meshes, and as many at real ones. CGAL's self_intersections finds
# none in these.
LEAK_MESHES = $(wildcard $(addprefix ../shared/meshes/,SnowFlake.obj casting.off chair.off dilo.off eight.off elk.off fandisk.obj genus3.off \
    helix.off rocker-arm.obj table.off))
.PHONY: leaks
leaks: $(call unit_program,test_tree_leaks)
	BV_LEAK_RAYS=100000000 BV_LEAK_MESHES='$(LEAK_MESHES)' $(call unit_run,test_tree_leaks)

# A hundred meshes of every kind into parts with any options.
.PHONY: decompositions
decompositions: $(call unit_program,test_decompose_random)
	BV_RANDOM_MESHES=100 $(call unit_run,test_decompose_random)

# All unit tests and scripts with their larger counts and meshes: every byte value, every set of sections, and so on. Tests ask
# is_thorough() or $BV_THOROUGH.
.PHONY: thorough
thorough: tools $(UNIT_ROOMS:%=$(BUILD)/tests/unit_%)
	@+BV_THOROUGH=1 $(MAKE) --no-print-directory unit cli $(CI_TESTS:%=run-%)

# Trees of a million of the worst triangles.
.PHONY: worst
worst: $(call unit_program,test_hierarchy_worst)
	BV_WORST_TRIANGLES=1000000 $(call unit_run,test_hierarchy_worst)

# Queries of convex pairs against exact arithmetic, in both orders of arguments: COUNT pairs, the same ones in each run. In CI
# as many as take a minute.
COUNT ?= 10000000
.PHONY: convex-oracle convex-oracle-quick
$(BUILD)/bench/convex_oracle: LIBS += -lgmp
$(BUILD)/bench/convex_oracle: $(BUILD)/obj/tests/bench/convex_oracle.o $(BUILD)/libexact.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link)
convex-oracle: $(BUILD)/bench/convex_oracle
	@$< $(COUNT)
convex-oracle-quick: $(BUILD)/bench/convex_oracle
	@$< 200000

# Queries of moving features against exact arithmetic, in all orders of their points.
.PHONY: moving-oracle moving-oracle-quick
$(BUILD)/bench/moving_oracle: LIBS += -lgmp
$(BUILD)/bench/moving_oracle: $(BUILD)/obj/tests/bench/moving_oracle.o $(BUILD)/libexact.a $(BUILD)/libreference.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link)
moving-oracle: $(BUILD)/bench/moving_oracle
	@$< $(if $(filter command line,$(origin COUNT)),$(COUNT),1000000)
moving-oracle-quick: $(BUILD)/bench/moving_oracle
	@$< 50000

# Two hundred signals of each kind at random moments.
.PHONY: interruptions
interruptions: tools
	@BV_THOROUGH=1 BV_SHOTS=200 BUILD=$(abspath $(BUILD)) SAN=$(SAN) sh tests/cli/test_interrupted.sh

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
SANITIZED_CLI   := test_formats test_gltf test_gate test_page
UNSANITIZED     := test_assess_contact test_decompose_baselines test_decompose_cap test_decompose_convex test_decompose_cuts test_decompose_measure \
                   test_decompose_options test_decompose_parts test_fit_obb_methods test_hausdorff_close test_hierarchy_fit_boxes \
                   test_hierarchy_optimize test_hierarchy_ploc test_hierarchy_sah test_hierarchy_table test_hierarchy_worst \
                   test_hull_simplify test_hull_threads test_mesh_winding test_tree_overlap test_recognize test_recognize_cover \
                   test_report_html test_literature_branch_and_bound test_literature_spheres_adaptive_medial test_literature_spheres_hubbard_medial \
                   test_literature_spheres_hubbard_octree test_literature_spheres_merged
.PHONY: sanitized sanitized-all
sanitized-make = @+$(MAKE) --no-print-directory SAN=1 CFLAGS='-O1 -g1' UNIT_CFLAGS=-O0
sanitized:
	$(sanitized-make) BUILD=$(BUILD)/san-ci WITHOUT='$(UNSANITIZED)' $(SANITIZED_CLI:%=run-%) unit
sanitized-all:
	$(sanitized-make) BUILD=$(BUILD)/san unit cli

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
# Comparisons are traced in readers, where a number must be another one; in queries, and in brute force, which compare all the time,
# that takes half of it.
TRACELESS    := -fno-sanitize-coverage=trace-cmp
# One seed of fuzz_bvh is large: it has more vertices than two bytes count. Of many mutations at once hardly any opens.
FUZZ_LIMITS   = $(if $(filter %_bvh %_verify,$*),-max_len=700000 -mutate_depth=2,-max_len=$(if $(filter %_convex %_compound %_broadphase %_particles,$*),6144,$(if $(filter %_motion %_control %_deform %_deform_contact %_skin,$*),8192,65536)))
FUZZ_WORKERS ?= 0
FUZZ_FLAGS   := $(filter-out -fsanitize% -fno-sanitize% -fno-omit%,$(FLAGS)) -Itests/fuzz -O2 -g -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
.PHONY: fuzz fuzz-coverage fuzz-memory $(FUZZERS:%=run-%)
$(BUILD)/fuzz/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,fuzz)clang $(FUZZ_FLAGS) $(if $(filter $<,$(RUNTIME_SOURCES) $(WORLD_SOURCES)),,$(OFFLINE)) -fsanitize=fuzzer-no-link,address,undefined \
	  $(if $(filter-out src/runtime/file/%,$(filter src/runtime/% src/world/% %/fuzz_deform_contact.c %/fuzz_skin.c,$<)),$(TRACELESS)) -fno-sanitize-recover=all -MMD -MP -c $< -o $@
$(BUILD)/fuzz/obj/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quiet,fuzz)clang++ $(filter-out -std=c17,$(FUZZ_FLAGS)) $(filter -std=c++17,$(CXX_FLAGS)) -fsanitize=fuzzer-no-link,address,undefined \
	  -fno-sanitize=vptr -fno-sanitize-recover=all -MMD -MP -c $< -o $@
$(BUILD)/fuzz/libbv.a: $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(RUNTIME_SOURCES))
$(BUILD)/fuzz/libbvworld.a: $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(WORLD_SOURCES))
$(BUILD)/fuzz/libbvbuild.a: $(patsubst %,$(BUILD)/fuzz/obj/%.o,$(basename $(OFFLINE_SOURCES) $(OFFLINE_CXX)))
$(BUILD)/fuzz/libbv.a $(BUILD)/fuzz/libbvworld.a $(BUILD)/fuzz/libbvbuild.a:
	@rm -f $@
	$(call quiet,ar)$(AR) rcsD $@ $^
# What reads .bvh files needs no more than a game does.
$(filter-out %/fuzz_bvh %/fuzz_convex %/fuzz_motion %/fuzz_broadphase %/fuzz_compound %/fuzz_contacts %/fuzz_control %/fuzz_deform %/fuzz_deform_contact %/fuzz_particles %/fuzz_skin,$(FUZZERS:%=$(BUILD)/fuzz/%)): $(BUILD)/fuzz/libbvbuild.a
# The oracle of rays is of rational numbers.
$(BUILD)/fuzz/fuzz_broadphase: LIBS += -lgmp
$(FUZZERS:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: $(BUILD)/fuzz/obj/tests/fuzz/%.o $(BUILD)/fuzz/libbvworld.a $(BUILD)/fuzz/libbv.a
	$(call quiet,link)clang -fopenmp -fsanitize=fuzzer,address,undefined $(filter %.o,$^) $(filter %/libbvbuild.a,$^) $(BUILD)/fuzz/libbvworld.a $(BUILD)/fuzz/libbv.a \
	  -Wl,--as-needed $(LIBS) -o $@
$(FUZZERS:%=run-%): run-%: $(BUILD)/fuzz/% tools
	@mkdir -p $(BUILD)/fuzz/$*.corpus
	@sh tests/fuzz/seed.sh $* $(BUILD)
	$< -max_total_time=$(FUZZ_SECONDS) -fork=$(FUZZ_WORKERS) $(FUZZ_LIMITS) -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
	  -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/$*.corpus
fuzz: $(FUZZERS:%=run-%) fuzz-memory

# The same queries of convex pairs and of moving objects with MemorySanitizer, which reports reads of what nothing has written.
# Objects cannot be shared with other fuzzers.
MEMORY_FUZZERS := fuzz_convex fuzz_motion
.PHONY: $(MEMORY_FUZZERS:%=run-memory_%)
$(MEMORY_FUZZERS:%=$(BUILD)/fuzz/memory_%): $(BUILD)/fuzz/memory_%: tests/fuzz/%.c $(RUNTIME_SOURCES) $(wildcard tests/fuzz/*.h include/bv/*.h src/runtime/*/*.h)
	@mkdir -p $(@D)
	$(call quiet,memory)clang $(FUZZ_FLAGS) -fsanitize=fuzzer,memory -fsanitize-memory-track-origins $(filter %.c,$^) -lm -o $@
$(MEMORY_FUZZERS:%=run-memory_%): run-memory_%: $(BUILD)/fuzz/memory_% tools
	@mkdir -p $(BUILD)/fuzz/$*.corpus
	@sh tests/fuzz/seed.sh $* $(BUILD)
	$< -max_total_time=$(FUZZ_SECONDS) $(FUZZ_LIMITS) -timeout=10 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/$*.corpus
fuzz-memory: $(MEMORY_FUZZERS:%=run-memory_%)

# How much of the reader, of the queries and of what they are made of the corpus of fuzz_bvh reaches.
LLVM_TOOLS ?=
$(BUILD)/fuzz/coverage: tests/fuzz/fuzz_bvh.c $(RUNTIME_SOURCES) $(wildcard tests/fuzz/*.h include/bv/*.h src/runtime/*/*.h)
	@mkdir -p $(@D)
	$(call quiet,coverage)clang $(FUZZ_FLAGS) -O1 -fsanitize=fuzzer -fprofile-instr-generate -fcoverage-mapping $(filter %.c,$^) -lm -o $@
fuzz-coverage: $(BUILD)/fuzz/coverage tools
	@mkdir -p $(BUILD)/fuzz/fuzz_bvh.corpus
	@sh tests/fuzz/seed.sh fuzz_bvh $(BUILD)
	@LLVM_PROFILE_FILE=$<.profraw $< -runs=0 -max_len=700000 $(BUILD)/fuzz/fuzz_bvh.corpus 2> $<.log || { cat $<.log; exit 1; }
	@llvm-profdata$(LLVM_TOOLS) merge -sparse $<.profraw -o $<.profdata
	@llvm-cov$(LLVM_TOOLS) report $< -instr-profile=$<.profdata -show-branch-summary=false $(RUNTIME_SOURCES) \
	  $(wildcard src/runtime/*/*.h) > $<.txt
	@awk 'BEGIN { printf "%-40s %8s %8s %8s %8s %8s %8s\n", "file", "regions", "missed", "reached", "lines", "missed", "reached" } \
	  NF == 10 { printf "%-40s %8s %8s %8s %8s %8s %8s\n", $$1, $$2, $$3, $$4, $$8, $$9, $$10 }' $<.txt

# What each public function of libbv and libbvworld takes of the stack, by gcc's figures.
.PHONY: stack
# CI takes the optimization that the Makefile has, check-long others, too.
check-ci-parts: STACK_LEVELS = -O 3
stack:
	@/usr/bin/python3 tests/stack.py $(STACK_LEVELS)

# How many instructions a few pieces of work take, which no other work on the machine changes; instructions-anew writes the table.
.PHONY: instructions instructions-anew
instructions instructions-anew: tools $(BUILD)/bench/bench_instructions
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/instructions.py $(if $(filter %-anew,$@),write,check) $(BUILD) '$(CC)' '$(strip $(CFLAGS) $(CPPFLAGS) $(SAN:%=SAN=%))'

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
