# Benchmarks against peers, the experiment, and the tables in docs/. Included by the Makefile. docs/benchmarks.md has the results.
#
#   make bench          everything against its peers; BENCH_PARTS="build queries" a part of it, BENCH_QUICK=1 in a minute
#   make bench-fit bench-hausdorff bench-hausdorff-cgal bench-build bench-queries bench-rays bench-distances bench-decompose
#        bench-convex bench-contacts bench-compounds bench-piles bench-mesh-contacts bench-mesh-depth bench-search bench-frames bench-paths bench-ghosts bench-battery
#        bench-convex-verdicts bench-ccd bench-sweeps
#        bench-world bench-world-grids bench-world-claims bench-scenes bench-contacts-keep bench-refit bench-deform bench-simulate bench-particles bench-cloth
#        pairs-cgal bench-decompose-open bench-batch bench-proxy bench-import
#        bench-spheres bench-verdicts bench-shared-faces bench-python bench-skin
#   make poses          pose files near contact          make profile     time, instructions and cache misses by stage
#   make experiment     all hierarchies by queries       make experiment-factor   EXPERIMENT_FACTOR=builder alone
#   make bench-readme   the printed tables into docs/   make moving-pictures   pictures of samples/moving into docs/images

# Programs that time us against others. Those in C++ have peers from `make deps-bench`.
BENCHES      := $(filter-out judge convex_oracle moving_oracle,$(patsubst tests/bench/%.c,%,$(sort $(wildcard tests/bench/*.c))))
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
	  -O3 -DNDEBUG $(BV_EXACT) -fopenmp -D_GNU_SOURCE $(filter -fsanitize% -fno-sanitize%,$(FLAGS)) -MMD -MP -MF $(BUILD)/obj/tests/bench/$*.d -MT $@ $< $(filter %.a,$^) -Wl,--as-needed $(LIBS) -lmpfr -lgmp $(PEER_FLAGS) -o $@
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
                                     bench_sphere_trees bench_shared_faces bench_leemann bench_huotari bench_ccd bench_world_grids bench_contacts_keep bench_search bench_frames bench_paths bench_python bench_deform bench_skin simulate experiment)

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

# Signed distances of hulls and parts against CGAL's in exact arithmetic; no times. Each file with the next one. PAIRS_OPTIONS='-a'
# compares each with each, '-n 100' takes as many poses of each pair.
PAIRS_MESHES  = $(or $(wildcard $(addprefix ../shared/meshes/,table.off chair.off helix.off eight.off suzanne.obj block.off cow.obj teapot.obj \
                  elk.off casting.off fandisk.obj rocker-arm.obj)),$(DEMO_MESHES))
PAIRS_OPTIONS ?=
.PHONY: pairs-cgal
pairs-cgal: tools $(if $(wildcard ../shared/meshes),,demo) $(BUILD)/bench/pairs_cgal
	@mkdir -p $(BUILD)/pairs $(BUILD)/experiment
	$(BUILD)/bvbuild -q --normalize --decompose $(PAIRS_MESHES) -o $(BUILD)/pairs/
	$(BUILD)/bench/pairs_cgal $(PAIRS_OPTIONS) $(BUILD)/bvinspect $(addprefix $(BUILD)/pairs/,$(addsuffix .bvh,$(basename $(notdir $(PAIRS_MESHES))))) \
	  > $(BUILD)/experiment/pairs-cgal.new && mv $(BUILD)/experiment/pairs-cgal.new $(BUILD)/experiment/pairs-cgal.md
	@cat $(BUILD)/experiment/pairs-cgal.md

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

# Pairs of convex shapes against libccd, FCL, Bullet (its double precision build) and ODE. BENCH_QUICK=1 takes a minute.
$(BUILD)/bench/bench_convex: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet -lfcl -lccd -lBulletCollision-float64 -lLinearMath-float64 -lode
.PHONY: bench-convex
bench-convex: $(BUILD)/bench/bench_convex
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/convex.csv $(BUILD)/experiment/convex.whole
	{ $< $(if $(BENCH_QUICK),--rounds 3 --pairs 8 --frames 32) $(CONVEX_OPTIONS) -o $(BUILD)/experiment/convex.csv; \
	  echo $$? > $(BUILD)/experiment/convex.whole; } | sed "/^WARNING: /d" | tee $(BUILD)/experiment/convex.md # ODE prints warnings
	@read status < $(BUILD)/experiment/convex.whole; rm $(BUILD)/experiment/convex.whole; exit $$status

# Contact points of pairs of convex shapes against Bullet. BENCH_QUICK=1 takes some seconds.
$(BUILD)/bench/bench_contacts: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet -lBulletCollision-float64 -lLinearMath-float64
.PHONY: bench-contacts
bench-contacts: $(BUILD)/bench/bench_contacts
	@mkdir -p $(BUILD)/experiment
	{ $< $(if $(BENCH_QUICK),--rounds 3 --pairs 8 --frames 32); echo $$? > $(BUILD)/experiment/contacts.whole; } | tee $(BUILD)/experiment/contacts.md
	@read status < $(BUILD)/experiment/contacts.whole; rm $(BUILD)/experiment/contacts.whole; exit $$status

# The narrow phase of a pile of 5,000 hulls against Bullet, in both precisions: half an hour of processor time.
# BENCH_QUICK=1: 500 hulls. PILE_OPTIONS='--frames 40' measures fewer steps, and --settled takes the poses of the last run.
$(BUILD)/bench/bench_piles $(BUILD)/bench/bench_piles_float: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_piles: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet $(BUILD)/libbv.a -lBulletDynamics-float64 -lBulletCollision-float64 -lLinearMath-float64
$(BUILD)/bench/bench_piles_float: PEER_FLAGS := -isystem /usr/include/bullet $(BUILD)/libbv.a -lBulletDynamics -lBulletCollision -lLinearMath
$(BUILD)/bench/bench_piles_float: tests/bench/bench_piles.cpp
PILE_OPTIONS ?=
.PHONY: bench-piles
bench-piles: $(BUILD)/bench/bench_piles $(BUILD)/bench/bench_piles_float
	@mkdir -p $(BUILD)/experiment
	@status=0; for how in "bench_piles" "bench_piles_float --settled"; do \
	  $(BUILD)/bench/$$how $(PILE_OPTIONS) $(if $(BENCH_QUICK),--quick) $(BUILD)/experiment/piles.poses || status=$$?; echo; \
	done > $(BUILD)/experiment/piles.md; cat $(BUILD)/experiment/piles.md; exit $$status
# Contacts of bodies of many hulls against all pairs and Bullet's compounds. BENCH_QUICK=1 takes seconds.
$(BUILD)/bench/bench_compounds: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet -lBulletCollision-float64 -lLinearMath-float64
.PHONY: bench-compounds
bench-compounds: $(BUILD)/bench/bench_compounds
	@mkdir -p $(BUILD)/experiment
	@$< $(if $(BENCH_QUICK),--rounds 3 --frames 4) > $(BUILD)/experiment/compounds.md; status=$$?; cat $(BUILD)/experiment/compounds.md; exit $$status

# Contacts of convex shapes and meshes against Bullet and ODE: times, and ghost contacts on flat meshes. Some minutes; BENCH_QUICK=1 takes
# seconds.
$(BUILD)/bench/bench_mesh_contacts: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet -lBulletCollision-float64 -lLinearMath-float64 -lode
.PHONY: bench-mesh-contacts
bench-mesh-contacts: $(BUILD)/bench/bench_mesh_contacts
	@mkdir -p $(BUILD)/experiment
	@$< $(if $(BENCH_QUICK),--quick) > $(BUILD)/experiment/mesh-contacts.md; status=$$?; cat $(BUILD)/experiment/mesh-contacts.md; exit $$status

# How deep meshes overlap, beside FCL and Bullet's GImpact: a minute or two; BENCH_QUICK=1 takes seconds.
DEPTH_MESHES = $(or $(wildcard $(addprefix $(MESH_FOLDER)/,block.off casting.off cow.obj eight.off elk.off fandisk.obj genus3.off helix.off rocker-arm.obj teapot.obj)),$(DEMO_MESHES))
$(BUILD)/bench/bench_mesh_depth: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet -lfcl -lccd -lBulletCollision-float64 -lLinearMath-float64
.PHONY: bench-mesh-depth
bench-mesh-depth: tools $(if $(wildcard $(MESH_FOLDER)),,demo) $(BUILD)/bench/bench_mesh_depth
	@mkdir -p $(BUILD)/experiment/depth
	@$(BUILD)/bvbuild -q --normalize $(DEPTH_MESHES) -o $(BUILD)/experiment/depth/
	@$(BUILD)/bench/bench_mesh_depth $(if $(BENCH_QUICK),--quick) $(addprefix $(BUILD)/experiment/depth/,$(addsuffix .bvh,$(basename $(notdir $(DEPTH_MESHES))))) \
	  > $(BUILD)/experiment/mesh-depth.md; status=$$?; cat $(BUILD)/experiment/mesh-depth.md; exit $$status

# What it costs that searches can be stopped, how narrow answers are, and how late they come.
SEARCH_MESHES = $(or $(wildcard $(addprefix $(MESH_FOLDER)/,crank.off DRAGON_F.off stanford-bunny.obj dilo.off drum.off rocker-arm.obj KitchenPot.obj genus3.off)),$(DEMO_MESHES))
.PHONY: bench-search
bench-search: tools $(if $(wildcard $(MESH_FOLDER)),,demo) $(BUILD)/bench/bench_search
	@mkdir -p $(BUILD)/experiment/search
	@$(BUILD)/bvbuild -q $(SEARCH_MESHES) -o $(BUILD)/experiment/search/
	@$(BUILD)/bench/bench_search $(if $(BENCH_QUICK),--quick) --csv $(BUILD)/experiment/search.csv $(addprefix $(BUILD)/experiment/search/,$(addsuffix .bvh,$(basename $(notdir $(SEARCH_MESHES))))) \
	  > $(BUILD)/experiment/search.md; status=$$?; cat $(BUILD)/experiment/search.md; \
	  /usr/bin/python3 tests/bench/search_plot.py $(BUILD)/experiment/search.csv $(BUILD)/experiment/search.svg; exit $$status

# Poses by bones against skinning all vertices and refitting, and how much larger volumes become.
$(BUILD)/bench/bench_skin: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_skin: LIBS := $(BUILD)/libbv.a $(LIBS)
.PHONY: bench-skin
bench-skin: $(BUILD)/bench/bench_skin
	@mkdir -p $(BUILD)/experiment
	@$(BUILD)/bench/bench_skin $(if $(BENCH_QUICK),--quick) -o $(BUILD)/experiment/skin.csv > $(BUILD)/experiment/skin.md; status=$$?; \
	  cat $(BUILD)/experiment/skin.md; exit $$status

# 200 meshes that all move, in frames of a budget of 8 ms.
$(BUILD)/bench/bench_frames: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_frames: LIBS := $(BUILD)/libbv.a $(LIBS)
.PHONY: bench-frames
bench-frames: tools $(if $(wildcard $(MESH_FOLDER)),,demo) $(BUILD)/bench/bench_frames
	@mkdir -p $(BUILD)/experiment/search
	@$(BUILD)/bvbuild -q $(SEARCH_MESHES) -o $(BUILD)/experiment/search/
	@for sweeps in '' --sweeps; do $(BUILD)/bench/bench_frames $(if $(BENCH_QUICK),--quick) $$sweeps --csv $(BUILD)/experiment/frames$$sweeps.csv \
	  $(addprefix $(BUILD)/experiment/search/,$(addsuffix .bvh,$(basename $(notdir $(SEARCH_MESHES))))) || bad=1; done; exit $${bad:-0}

# Parts led along recorded paths through dense scenes: hierarchies, expansion rules, motions, budgets and broad phases, step by step. Some
# minutes; BENCH_QUICK=1 takes half a minute. PATH_OPTIONS='--part sweeps' measures one of static, sweeps, budgets and world;
# PATH_OPTIONS=--record makes the paths. The first two meshes move, the others are parts of a casing.
PATH_MESHES  = $(or $(wildcard $(addprefix $(MESH_FOLDER)/,rocker-arm.obj fandisk.obj casting.off block.off eight.off cow.obj helix.off)),$(addprefix $(BUILD)/demo/,knot.obj gear.obj rock.obj cup.obj crate.obj stair.obj terrain.obj))
PATH_OPTIONS ?=
PATH_TABLES   = $(BUILD)/experiment/$(if $(BENCH_QUICK)$(PATH_OPTIONS),paths-part,paths).md
$(BUILD)/bench/bench_paths: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_paths: LIBS := $(BUILD)/libbv.a $(LIBS)
.PHONY: bench-paths
bench-paths: tools $(if $(wildcard $(MESH_FOLDER)),,demo) $(BUILD)/bench/bench_paths
	@mkdir -p $(BUILD)/experiment/paths
	@$(BUILD)/bench/bench_paths $(if $(BENCH_QUICK),--quick) $(PATH_OPTIONS) $(BUILD)/bvbuild $(BUILD)/experiment/paths tests/bench/paths \
	  $(PATH_MESHES) > $(PATH_TABLES); status=$$?; cat $(PATH_TABLES); exit $$status

# The curves of docs/experiments/paths.md: tests of each step, which do not depend on the machine.
.PHONY: bench-paths-curves
bench-paths-curves: tools $(if $(wildcard $(MESH_FOLDER)),,demo) $(BUILD)/bench/bench_paths
	@mkdir -p $(BUILD)/experiment/curves
	@$(BUILD)/bench/bench_paths --curves $(BUILD)/experiment/curves.csv $(BUILD)/bvbuild $(BUILD)/experiment/curves tests/bench/paths $(PATH_MESHES)
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/bench/paths_plot.py $(BUILD)/experiment/curves.csv docs/images/paths.svg

# The same libraries, Bullet in single precision, and Jolt, Rapier and PhysX from npm about pairs from issues of users.
$(BUILD)/bench/bench_battery: $(BUILD)/libexact.a
$(BUILD)/bench/bench_battery: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet $(BUILD)/libbv.a -lfcl -lccd -lBulletCollision-float64 -lLinearMath-float64 -lode
$(BUILD)/bench/bench_battery_float: PEER_FLAGS := -isystem /usr/include/bullet -lBulletCollision -lLinearMath
BATTERY_PACKAGES := jolt-physics@1.1.0 @dimforge/rapier3d-compat@0.21.0 physx-js-webidl@2.7.3
$(BUILD)/battery/packages: tests/bench/bench.mk
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call quiet,npm)npm install --prefix $(@D) --no-audit --no-fund --ignore-scripts $(BATTERY_PACKAGES) > $(@D)/npm.log 2>&1 || { cat $(@D)/npm.log; exit 1; }
	@touch $@
.PHONY: bench-battery
bench-battery: $(BUILD)/bench/bench_battery $(BUILD)/bench/bench_battery_float $(BUILD)/battery/packages
	@mkdir -p $(BUILD)/experiment
	@$< --pairs > $(BUILD)/battery/pairs.json
	$< --details $(BUILD)/experiment/battery.txt 'Bullet float' $(BUILD)/bench/bench_battery_float \
	  $(foreach peer,Jolt Rapier PhysX,$(peer) 'node tests/bench/battery.mjs $(peer) $(BUILD)/battery') > $(BUILD)/experiment/battery.new
	@mv $(BUILD)/experiment/battery.new $(BUILD)/experiment/battery.md
	@cat $(BUILD)/experiment/battery.md

# Ghost contacts alone, also of Jolt and Rapier from npm: half an hour. BENCH_QUICK=1 takes seconds.
GHOST_PEERS := Jolt:all Jolt:active Jolt:moving Jolt:removal Rapier:plain Rapier:fix
.PHONY: bench-ghosts
bench-ghosts: $(BUILD)/bench/bench_mesh_contacts $(BUILD)/battery/packages
	@mkdir -p $(BUILD)/experiment
	@$< $(if $(BENCH_QUICK),--quick) --ghosts --export $(BUILD)/battery/slides.json \
	  $(foreach peer,$(GHOST_PEERS),--peer '$(subst :, ,$(peer))' 'node tests/bench/ghosts.mjs $(subst :, ,$(peer)) $(BUILD)/battery') \
	  > $(BUILD)/experiment/ghosts.md; status=$$?; cat $(BUILD)/experiment/ghosts.md; exit $$status

# The experiments of Leemann 2017 and Huotari 2011 on convex pairs, run again: ten minutes. BENCH_QUICK=1 takes half a minute.
.PHONY: bench-convex-verdicts
bench-convex-verdicts: $(BUILD)/bench/bench_leemann $(BUILD)/bench/bench_huotari
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/missed
	@for source in leemann huotari; do \
	  echo "bench_$$source"; \
	  $(BUILD)/bench/bench_$$source $(if $(BENCH_QUICK),--quick) -o $(BUILD)/experiment/$$source.csv > $(BUILD)/experiment/$$source.md || \
	    touch $(BUILD)/experiment/missed; \
	  cat $(BUILD)/experiment/$$source.md; \
	done
	@! rm $(BUILD)/experiment/missed 2> /dev/null

# Moving vertices, faces and edges, on files of queries: CCD_QUERIES='FILE...'. The format is in tests/bench/bench_ccd.c.
CCD_QUERIES ?= $(sort $(wildcard ../shared/peers/ccd/*.csv))
.PHONY: bench-ccd
bench-ccd: $(BUILD)/bench/bench_ccd
	@mkdir -p $(BUILD)/experiment
	@$(if $(CCD_QUERIES),,echo "no queries: make bench-ccd CCD_QUERIES='FILE...'"; exit 1)
	@rm -f $(BUILD)/experiment/ccd.csv
	@$< $(if $(BENCH_QUICK),-n 1) -o $(BUILD)/experiment/ccd.csv $(CCD_QUERIES) > $(BUILD)/experiment/ccd.md; status=$$?; \
	  cat $(BUILD)/experiment/ccd.md; exit $$status

# First contacts of moving objects against FCL, Bullet (its double precision build), and Jolt and Rapier from npm. BENCH_QUICK=1 takes
# a minute. SWEEP_OPTIONS="--tables walls" is one table of five.
$(BUILD)/bench/bench_sweeps: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet -lfcl -lccd -lBulletCollision-float64 -lLinearMath-float64
SWEEP_OPTIONS ?=
.PHONY: bench-sweeps
bench-sweeps: $(BUILD)/bench/bench_sweeps $(BUILD)/battery/packages
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/sweeps.csv
	@$< $(if $(BENCH_QUICK),--passages 20000 --peer-passages 1000 --motions 10 --pairs 3000 --rounds 2) $(SWEEP_OPTIONS) \
	  --export $(BUILD)/battery/passages.txt \
	  $(foreach peer,Jolt Rapier,$(foreach how,cast step,--peer '$(peer) (npm), $(how)' 'node tests/bench/sweeps.mjs $(peer) $(how) $(BUILD)/battery')) \
	  -o $(BUILD)/experiment/sweeps.csv $(MESH_FOLDER) $(sort $(wildcard $(MESH_FOLDER)/../peers/poses/*.csv)) > $(BUILD)/experiment/sweeps.md; \
	  status=$$?; cat $(BUILD)/experiment/sweeps.md; exit $$status

# Broad phases against Bullet (its double precision build), CGAL, FCL and ODE: an hour or two. BENCH_QUICK=1 takes some minutes;
# WORLD_OPTIONS='--scenes Brownian --counts 10000' some of the cells.
$(BUILD)/bench/bench_world $(BUILD)/bench/bench_world_claims: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_world: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet $(BUILD)/libbv.a -lfcl -lccd -lBulletCollision-float64 -lLinearMath-float64 -lode
# libbvworld comes before libbv, whose functions it calls.
$(BUILD)/bench/bench_world_claims: PEER_FLAGS := $(BUILD)/libbv.a
$(BUILD)/bench/bench_world_grids: LIBS := $(BUILD)/libbv.a $(LIBS)
WORLD_OPTIONS ?=
.PHONY: bench-world
bench-world: $(BUILD)/bench/bench_world
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/world.csv
	@$< $(if $(BENCH_QUICK),--quick) $(WORLD_OPTIONS) -o $(BUILD)/experiment/world.csv > $(BUILD)/experiment/world.md; \
	  status=$$?; cat $(BUILD)/experiment/world.md; exit $$status

# Grids where sizes of boxes spread: no peers. Some minutes; BENCH_QUICK=1 leaves 100,000 boxes out.
$(BUILD)/bench/bench_world_grids: $(BUILD)/libbvworld.a
.PHONY: bench-world-grids
bench-world-grids: $(BUILD)/bench/bench_world_grids
	@mkdir -p $(BUILD)/experiment
	@$< $(if $(BENCH_QUICK),--quick) -o $(BUILD)/experiment/world_grids_figures.csv > $(BUILD)/experiment/world_grids.md; \
	  status=$$?; cat $(BUILD)/experiment/world_grids.md; exit $$status

# Scenes of moving .bvh files against Bullet's collision world (its double precision build), on samples. A minute or two; BENCH_QUICK=1 takes some seconds.
SCENE_MESHES := rock crate cup knot gear
$(BUILD)/bench/bench_scenes: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_scenes: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet $(BUILD)/libbv.a -lBulletCollision-float64 -lLinearMath-float64
.PHONY: bench-scenes
bench-scenes: demo $(BUILD)/bench/bench_scenes
	@mkdir -p $(BUILD)/experiment/scenes
	@$(BUILD)/bvbuild -q $(SCENE_MESHES:%=$(BUILD)/demo/%.obj) -o $(BUILD)/experiment/scenes
	@$(BUILD)/bench/bench_scenes $(if $(BENCH_QUICK),--quick) -o $(BUILD)/experiment/scenes_figures.csv $(SCENE_MESHES:%=$(BUILD)/experiment/scenes/%.bvh) \
	  > $(BUILD)/experiment/scenes.md; status=$$?; cat $(BUILD)/experiment/scenes.md; exit $$status

# Refits of hierarchies to vertices that moved, against Embree and Bullet: some minutes. BENCH_QUICK=1 takes half of one, without the mesh
# of a million triangles.
REFIT_VOLUMES := aabb obb sphere rss kdop14 kdop26
REFIT_FOLDER  := $(BUILD)/experiment/refit
REFIT_MESHES   = $(or $(wildcard $(addprefix $(MESH_FOLDER)/,stanford-bunny.obj DRAGON_F.off)),$(DEMO_MESHES))
REFIT_NAMES    = $(basename $(notdir $(REFIT_MESHES))) $(if $(BENCH_QUICK),,mesh)
$(BUILD)/bench/bench_refit: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_refit: PEER_FLAGS := -isystem /usr/include/bullet $(BUILD)/libbv.a -lembree3 -lBulletCollision -lLinearMath
.PHONY: bench-refit
bench-refit: tools $(if $(wildcard $(MESH_FOLDER)),,demo) $(BUILD)/bench/make_meshes $(BUILD)/bench/bench_refit
	@mkdir -p $(REFIT_FOLDER)
	@$(if $(BENCH_QUICK),,$(BUILD)/bench/make_meshes $(BENCH_TRIANGLES) $(REFIT_FOLDER) ply)
	@for volume in $(REFIT_VOLUMES); do \
	  $(BUILD)/bvbuild -q --hausdorff 0 --volume $$volume $(REFIT_MESHES) $(if $(BENCH_QUICK),,$(REFIT_FOLDER)/mesh.ply) -o $(REFIT_FOLDER)/$$volume/ || exit 1; done
	@$(BUILD)/bench/bench_refit $(if $(BENCH_QUICK),--quick) -o $(BUILD)/experiment/refit.csv $(REFIT_FOLDER) $(REFIT_NAMES) \
	  > $(BUILD)/experiment/refit.md; status=$$?; cat $(BUILD)/experiment/refit.md; exit $$status

# How long refitted hierarchies stay good on ten recorded deformations, and when the signal to build them again is raised: half an hour.
# BENCH_QUICK=1 takes some minutes. DEFORM_OPTIONS='--only twist' is one of the deformations.
DEFORM_OPTIONS ?=
$(BUILD)/bench/bench_deform: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_deform: LIBS := $(BUILD)/libbv.a $(LIBS)
.PHONY: bench-deform
bench-deform: $(BUILD)/bench/bench_deform
	@mkdir -p $(BUILD)/experiment
	@$< $(if $(BENCH_QUICK),--stride 6,--stride 2) $(DEFORM_OPTIONS) -o $(BUILD)/experiment/deform.csv $(MESH_FOLDER)
	@PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/bench/deform.py $(BUILD)/experiment/deform.csv $(BUILD)/experiment/deform.svg \
	  > $(BUILD)/experiment/deform.md; status=$$?; cat $(BUILD)/experiment/deform.md; exit $$status

# Sweep and prune along one axis and along two, by the share of boxes that move: some minutes. BENCH_QUICK=1 takes two.
.PHONY: bench-world-claims
bench-world-claims: $(BUILD)/bench/bench_world_claims
	@mkdir -p $(BUILD)/experiment
	@$< $(if $(BENCH_QUICK),--quick) $(WORLD_OPTIONS) > $(BUILD)/experiment/world-claims.new && \
	  python3 tests/bench/world_claims.py $(BUILD)/experiment/world-claims.new >> $(BUILD)/experiment/world-claims.new && \
	  mv $(BUILD)/experiment/world-claims.new $(BUILD)/experiment/world-claims.md
	@cat $(BUILD)/experiment/world-claims.md

# Steps of contacts of 10,000 bodies at rest, awake and asleep: half a minute.
$(BUILD)/bench/bench_contacts_keep: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_contacts_keep: LIBS := $(BUILD)/libbv.a $(LIBS)
.PHONY: bench-contacts-keep
bench-contacts-keep: $(BUILD)/bench/bench_contacts_keep
	@mkdir -p $(BUILD)/experiment
	@$< $(if $(BENCH_QUICK),--quick) > $(BUILD)/experiment/contacts_keep.md; status=$$?; cat $(BUILD)/experiment/contacts_keep.md; exit $$status

# Simulations of gases, packings and piles, and answers of all methods of convex pairs about flying bodies: half an hour.
# BENCH_QUICK=1 takes a minute or two; SIMULATE_PARTS='gas packing brute-force piles mesh-piles' are its parts. Piles are of parts of the meshes in
# SIMULATE_MESHES.
SIMULATE_PARTS  ?= gas packing brute-force piles mesh-piles
SIMULATE_MESHES ?= $(or $(wildcard $(foreach mesh,alligator.obj block.off casting.off chair.off cow.obj eight.off elk.off fandisk.obj genus3.off helix.off rocker-arm.obj suzanne.obj table.off teapot.obj,../shared/meshes/$(mesh))),$(DEMO_MESHES))
SIMULATE_FOLDER := $(BUILD)/experiment/simulate
SIMULATE_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/bench/simulate/*.c))
$(BUILD)/bench/simulate: $(SIMULATE_OBJECTS) $(BUILD)/libbvworld.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link)
.PHONY: bench-simulate
bench-simulate: tools $(if $(wildcard ../shared/meshes),,demo) $(BUILD)/bench/simulate
	@mkdir -p $(SIMULATE_FOLDER) && rm -f $(SIMULATE_FOLDER)/*.scene
	@$(if $(filter piles mesh-piles,$(SIMULATE_PARTS)),$(BUILD)/bvbuild -q --preset fast --hausdorff 0 --decompose --max-parts 12 $(SIMULATE_MESHES) -o $(SIMULATE_FOLDER)/)
	@$(BUILD)/bench/simulate $(if $(BENCH_QUICK),--quick) --folder $(SIMULATE_FOLDER) -o $(BUILD)/experiment/simulate.csv $(SIMULATE_PARTS) \
	  $(if $(filter piles mesh-piles,$(SIMULATE_PARTS)),$(SIMULATE_FOLDER)/*.bvh) > $(BUILD)/experiment/simulate.md; status=$$?; cat $(BUILD)/experiment/simulate.md; \
	  $(call draw-scenes,packings,packing-balls-1 packing-mixed-1 packing-cubes-1 packing-cubes-2) && \
	  $(call draw-scenes,piles,pile-parts pile-boxes) && $(call draw-scenes,mesh-piles,pile-meshes) && exit $$status
# draw-scenes PICTURE SCENES: if they were simulated.
draw-scenes = { ! test -e $(SIMULATE_FOLDER)/$(firstword $(2)).scene || PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/bench/simulate/pictures.py \
  $(SIMULATE_FOLDER)/$(1).png $(2:%=$(SIMULATE_FOLDER)/%.scene); }

# Neighbors of particles against nanoflann, and figure 4 of Stratbuecker 2003. BENCH_QUICK=1 takes half a minute;
# PARTICLE_OPTIONS='--parts times' one of two parts.
$(BUILD)/bench/bench_particles: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_particles: PEER_FLAGS := $(BUILD)/libbv.a
PARTICLE_OPTIONS ?=
.PHONY: bench-particles
bench-particles: $(BUILD)/bench/bench_particles
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/particles.csv
	@$< $(if $(BENCH_QUICK),--quick) $(PARTICLE_OPTIONS) -o $(BUILD)/experiment/particles.csv > $(BUILD)/experiment/particles.md; \
	  status=$$?; cat $(BUILD)/experiment/particles.md; \
	  PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 tests/bench/particles_plot.py $(BUILD)/experiment/particles.csv $(BUILD)/experiment/particles.svg; exit $$status

# Contacts of a cloth with itself against FCL and Bullet, on 100 frames of sheets of 10,000 and 100,000 triangles that samples/cloth records,
# as they are and with steps that go on into contacts; then two steps against brute force. BENCH_QUICK=1 takes the small sheet only.
CLOTH_FOLDER := $(BUILD)/experiment/cloth
CLOTH_SHEETS := $(if $(BENCH_QUICK),71,71 224)
$(BUILD)/bench/bench_cloth: $(BUILD)/libbvworld.a
$(BUILD)/bench/bench_cloth: PEER_FLAGS := -DBT_USE_DOUBLE_PRECISION -isystem /usr/include/bullet $(BUILD)/libbv.a -lfcl -lccd -lBulletSoftBody-float64 \
  -lBulletDynamics-float64 -lBulletCollision-float64 -lLinearMath-float64
$(BUILD)/bench/cloth: $(BUILD)/obj/samples/cloth/cloth.o $(BUILD)/libbvworld.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link)
$(CLOTH_FOLDER)/ball.obj: $(BUILD)/bench/cloth
	@mkdir -p $(@D)
	@$< ball > $@
$(CLOTH_FOLDER)/sheet_%.obj: $(BUILD)/bench/cloth
	@mkdir -p $(@D)
	@$< sheet $* > $@
$(CLOTH_FOLDER)/%.bvh: $(CLOTH_FOLDER)/%.obj $(BUILD)/bvbuild
	@$(BUILD)/bvbuild -q $< -o $@
$(CLOTH_FOLDER)/frames_%: $(CLOTH_FOLDER)/sheet_%.bvh $(CLOTH_FOLDER)/ball.bvh
	@$(BUILD)/bench/cloth drop $^ $@.new 100 100 && mv $@.new $@
.SECONDARY: $(CLOTH_FOLDER)/ball.obj $(CLOTH_FOLDER)/ball.bvh $(CLOTH_SHEETS:%=$(CLOTH_FOLDER)/sheet_%.obj)
.PHONY: bench-cloth
bench-cloth: $(BUILD)/bench/bench_cloth $(CLOTH_SHEETS:%=$(CLOTH_FOLDER)/sheet_%.bvh) $(CLOTH_SHEETS:%=$(CLOTH_FOLDER)/frames_%)
	@rm -f $(CLOTH_FOLDER)/cloth.csv
	@status=0; for stretch in 1 4; do \
	  $< $(if $(BENCH_QUICK),--quick) --stretch $$stretch -o $(CLOTH_FOLDER)/cloth.csv $(foreach n,$(CLOTH_SHEETS),$(CLOTH_FOLDER)/sheet_$(n).bvh $(CLOTH_FOLDER)/frames_$(n)) || status=$$?; \
	done; $< --stretch 4 --check 2 $(CLOTH_FOLDER)/sheet_71.bvh $(CLOTH_FOLDER)/frames_71 || status=$$?; exit $$status

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

# Convex decompositions of open, cracked, nested and thin meshes: processor time and its growth. BENCH_PARTS are options of the
# script: "--set own", or "--budget 1 --budget 5".
.PHONY: bench-decompose-open
bench-decompose-open: tools $(BUILD)/make_samples $(BUILD)/cgal-demo
	@mkdir -p $(BUILD)/experiment
	@rm -f $(BUILD)/experiment/decompose-open.whole
	{ PYTHONDONTWRITEBYTECODE=1 TMPDIR=$(BENCH_FOLDER) /usr/bin/python3 tests/bench/decompose_open.py --build $(BUILD) \
	  $(if $(BENCH_QUICK),--set own --quick,--set all) --csv $(BUILD)/experiment/decompose-open.csv $(BENCH_PARTS) && \
	  touch $(BUILD)/experiment/decompose-open.whole; } | tee $(BUILD)/experiment/decompose-open.md
	@rm $(BUILD)/experiment/decompose-open.whole 2> /dev/null

# Copies the tables printed last into docs/benchmarks.md and docs/experiments. Tables without a new run are unchanged.
EXPERIMENT_PAGES := profile:profile queries:presets distances:distances batch:batch decompose:decomposition spheres:sphere-trees \
                    verdicts:literature shared-faces:shared-faces factor-builder:literature battery:issues \
                    leemann:convex huotari:convex convex:convex ccd:motion sweeps:motion world:world world_grids:world_grids world-claims:world_claims scenes:scenes particles:particles simulate:contacts paths:paths deform:deform
.PHONY: bench-readme
bench-readme:
	@fill() { ! test -s "$$2" || sh tests/bench/fill.sh "$$1" "$$2" "docs/$$3.md"; } && \
	fill bench $(BUILD)/bench-out/table.md benchmarks && \
	fill rays $(BUILD)/experiment/rays.md benchmarks && fill refit $(BUILD)/experiment/refit.md benchmarks && \
	for page in $(EXPERIMENT_PAGES); do \
	  fill $${page%:*} $(BUILD)/experiment/$${page%:*}.md experiments/$${page#*:} || exit 1; \
	done && \
	fill experiment $(BUILD)/experiment/table.md experiments/hierarchies && \
	for picture in packings piles mesh-piles; do \
	  ! test -s $(SIMULATE_FOLDER)/$$picture.png || cp $(SIMULATE_FOLDER)/$$picture.png docs/images/ || exit 1; \
	done && \
	{ ! test -s $(BUILD)/experiment/simulate.csv || cp $(BUILD)/experiment/simulate.csv docs/experiments/contacts.csv; } && \
	{ ! test -s $(BUILD)/experiment/particles.csv || cp $(BUILD)/experiment/particles.csv docs/experiments/particles.csv; } && \
	{ ! test -s $(BUILD)/experiment/deform.svg || cp $(BUILD)/experiment/deform.svg docs/images/deform.svg; } && \
	{ ! test -s $(BUILD)/experiment/particles.svg || cp $(BUILD)/experiment/particles.svg docs/images/particles.svg; } && \
	python3 tests/bench/figures.py docs/benchmarks.md docs/images/bench.svg docs/images/rays.svg && \
	PYTHONDONTWRITEBYTECODE=1 python3 tests/bench/world_grids.py docs/experiments/world_grids.csv docs/images/world-grids.svg
	PYTHONDONTWRITEBYTECODE=1 python3 tests/bench/world_claims.py docs/experiments/world-claims.csv docs/images/world-claims.svg

# Pictures of docs/experiments/motion.md, drawn from the animations of samples/moving.
.PHONY: moving-pictures
moving-pictures: installed
	@rm -rf $(BUILD)/moving && cp -R samples/moving $(BUILD)/moving
	@usr=$(abspath $(BUILD))/installed && PATH=$$usr/bin:$$PATH CPATH=$$usr/include LIBRARY_PATH=$$usr/lib LD_LIBRARY_PATH=$$usr/lib \
	  $(MAKE) --no-print-directory -C $(BUILD)/moving run
	@/usr/bin/python3 tests/bench/moving_pictures.py $(BUILD)/moving docs/images

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

# Arrays of rays and points from Python against the same calls from a program in C, in turns. Where there are no meshes beside the project, on samples.
.PHONY: bench-python
PYTHON_MESHES = $(or $(wildcard $(addprefix ../shared/meshes/,suzanne.obj cow.obj)),$(DEMO_MESHES))
bench-python: python tools $(BUILD)/bench/bench_python $(BUILD)/bench/make_meshes
	@mkdir -p $(BUILD)/experiment
	@$(PYTHON_RUN) tests/bench/bench_python.py $(if $(BENCH_QUICK),--quick) --csv $(BUILD)/experiment/python.csv $(BUILD) $(PYTHON_MESHES)
