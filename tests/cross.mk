# The same bytes from other compilers, and libbv, libbvworld and the tools on other machines and systems. Included by the Makefile.
#
#   make identity       same bytes from other compilers  make arm64       and from another machine (qemu)
#   make mingw          cross-compile libbv for Windows  make big-endian i386 arm64-quick   libbv on other machines (qemu)
#   make compiled       the same results of queries from other compilers

# The same bytes whatever compiled the program, and how; with whatever vectors this processor has. What queries need of them is
# chosen when they run. CI compares the build that differs most, check-long all eight.
SIMD_LEVELS = x86-64 $(if $(shell grep -m 1 -w sse4_2 /proc/cpuinfo),x86-64-v2) $(if $(shell grep -m 1 -w avx2 /proc/cpuinfo),x86-64-v3)
.PHONY: identity identity-all identity-build-%
identity-build = @+$(MAKE) --no-print-directory BUILD=$(BUILD)/$(1) $(2) tools $(BUILD)/$(1)/native/other_machine
identity-build-gcc-O0:
	$(call identity-build,gcc-O0,CC=gcc CFLAGS=-O0)
identity-build-gcc-O3:
	$(call identity-build,gcc-O3,CC=gcc CFLAGS='-O3 -march=native')
identity-build-clang:
	$(call identity-build,clang,CC=clang CFLAGS=-O2)
identity-build-clang-native:
	$(call identity-build,clang-native,CC=clang CFLAGS='$(or $(NATIVE_LEVEL),-O3) -march=native')
$(SIMD_LEVELS:%=identity-build-%): identity-build-%:
	$(call identity-build,$*,CFLAGS='-O3 -march=$*')
identity compiled-identity: NATIVE_LEVEL = -O2
identity: BUILDS = clang-native
identity: tools identity-build-clang-native
	@/usr/bin/python3 tests/identity.py builds --quick $(BUILD) $(BUILDS:%=$(BUILD)/%)
identity-all: BUILDS = gcc-O0 gcc-O3 clang $(SIMD_LEVELS) clang-native
identity-all: tools identity-build-gcc-O0 identity-build-gcc-O3 identity-build-clang $(SIMD_LEVELS:%=identity-build-%) identity-build-clang-native
	@/usr/bin/python3 tests/identity.py builds $(BUILD) $(BUILDS:%=$(BUILD)/%)

# The same bytes from another machine, in emulation: all tools, and libraries as Debian has them for it. Lanes of NEON are held
# against scalar ones there too; tests reckon in binary128, which is long double there.
ARM64_ROOT  = $(abspath $(BUILD))/arm64/root
ARM64_RUN   = qemu-aarch64-static -L $(ARM64_ROOT)
ARM64_LIBS  = $(ARM64_ROOT)/usr/lib/aarch64-linux-gnu
$(ARM64_ROOT)/whole: tests/sysroot.sh
	@rm -rf $(@D)
	@sh tests/sysroot.sh $(@D) arm64 libassimp-dev libqhull-dev libcjson-dev libpng-dev zlib1g-dev libexpat1-dev libminizip-dev libxxhash-dev libcmocka-dev libgomp1
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

# The runtime and libbvworld must compile where POSIX does not exist.
.PHONY: mingw
mingw:
	@+$(MAKE) --no-print-directory -f src/runtime/libbv.mk -f src/world/libbvworld.mk BV_BUILD=$(BUILD)/mingw CC=x86_64-w64-mingw32-gcc AR=x86_64-w64-mingw32-ar \
	  CFLAGS='$(WARNINGS) -O2' $(BUILD)/mingw/libbv.a $(BUILD)/mingw/libbvworld.a

# On other machines, in emulation: one of the other byte order must refuse files as unsupported, one of 32 bits must find in them
# what this one finds, to the last digit.
OTHER_FILE := $(BUILD)/demo/rock.bvh
$(OTHER_FILE): tools
	@mkdir -p $(BUILD)/demo
	@$(BUILD)/make_samples $(BUILD)/demo > /dev/null
	$(BUILD)/bvbuild --quiet $(BUILD)/demo/rock.obj -o $@
# Those behind -- are deformed: nodes of each type of volume, and of several, a root that is a leaf, quantized positions,
# and an offset.
DEFORMED_FILES = $(patsubst %,tests/golden/%.bvh,1.0-float 1.0-quantized 1.0-mixed 1.0-sphere 1.0-rss 1.0-kdop14 1.0-kdop18 1.0-kdop26 \
  1.0-root-leaf 1.0-everything 1.3-prism 1.3-prism-mixed 1.4-aside)
OTHER_FILES = $(OTHER_FILE) tests/golden/1.1-parts.bvh -- $(OTHER_FILE) $(DEFORMED_FILES)
# $(call other_machine,name,compiler and its options)
define other_machine
	@mkdir -p $(BUILD)/$(1)
	@echo '$(1)'; $(2) $(filter-out -fsanitize% -fno-sanitize% -fno-omit%,$(FLAGS)) $(OTHER_LEVEL) -static \
	  tests/other_machine.c $(RUNTIME_SOURCES) $(WORLD_SOURCES) -lm -o $(BUILD)/$(1)/other_machine
endef
# CI compiles with less optimization, which takes two thirds of the time.
OTHER_LEVEL = -O2
check-ci-parts: OTHER_LEVEL = -O1
.PHONY: big-endian i386 arm64-quick
$(BUILD)/native/other_machine: $(call object,tests/other_machine.c) $(BUILD)/libbvworld.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(link)
$(BUILD)/native/found: $(BUILD)/native/other_machine $(OTHER_FILE) $(DEFORMED_FILES)
	$(BUILD)/native/other_machine $(OTHER_FILES) > $@
arm64-quick: $(OTHER_FILE) $(BUILD)/native/found
	$(call other_machine,aarch64,aarch64-linux-gnu-gcc -fno-tree-loop-vectorize)
	qemu-aarch64-static $(BUILD)/aarch64/other_machine $(OTHER_FILES) > $(BUILD)/aarch64/found
	diff $(BUILD)/native/found $(BUILD)/aarch64/found
big-endian: $(OTHER_FILE) $(BUILD)/native/found
	$(call other_machine,s390x,s390x-linux-gnu-gcc)
	qemu-s390x-static $(BUILD)/s390x/other_machine $(OTHER_FILES) > $(BUILD)/s390x/found
	grep '^convex\|^motion\|^world' $(BUILD)/native/found > $(BUILD)/native/numbers
	grep '^convex\|^motion\|^world' $(BUILD)/s390x/found | diff $(BUILD)/native/numbers -
i386: $(OTHER_FILE) $(BUILD)/native/found
	$(call other_machine,i386,i686-linux-gnu-gcc -msse2 -mfpmath=sse)
	qemu-i386-static $(BUILD)/i386/other_machine $(OTHER_FILES) > $(BUILD)/i386/found
	diff $(BUILD)/native/found $(BUILD)/i386/found

# The same results of queries from other compilers and optimizations on this machine. CI takes those that differ most of what it compiles
# anyway: the position-independent libraries, which .ci/run does not optimize, and the build of `make identity`.
COMPILED := gcc-O0 gcc-O3 gcc-native clang-O0 clang-O3 clang-native
.PHONY: compiled compiled-all compiled-pic compiled-identity $(COMPILED:%=compiled-%)
compiled: compiled-pic compiled-identity
compiled-all: $(COMPILED:%=compiled-%)
$(BUILD)/pic/other_machine: $(call object,tests/other_machine.c) $(BUILD)/pic/libbvworld.a $(BUILD)/pic/libbv.a
	$(link)
compiled-pic: $(BUILD)/pic/other_machine $(BUILD)/native/found
	$< $(OTHER_FILES) > $(BUILD)/pic/found
	diff $(BUILD)/native/found $(BUILD)/pic/found
compiled-identity: identity-build-clang-native $(BUILD)/native/found
	$(BUILD)/clang-native/native/other_machine $(OTHER_FILES) > $(BUILD)/clang-native/found
	diff $(BUILD)/native/found $(BUILD)/clang-native/found
$(COMPILED:%=compiled-%): OTHER_LEVEL = $(if $(filter %-native,$@),-O3 -march=native,-$(lastword $(subst -, ,$@)))
$(COMPILED:%=compiled-%): compiled-%: $(BUILD)/native/found
	$(call other_machine,compiled-$*,$(firstword $(subst -, ,$*)))
	$(BUILD)/compiled-$*/other_machine $(OTHER_FILES) > $(BUILD)/compiled-$*/found
	diff $(BUILD)/native/found $(BUILD)/compiled-$*/found
