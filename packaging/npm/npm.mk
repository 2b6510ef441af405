# WebAssembly: libbv and libbvworld by clang and wasi-libc, the builder with Emscripten. Included by the Makefile.
#
#   make wasm           the npm package of libbv, libbvworld and the builder, in build/npm
#   make run-test_npm   tests of the package in Node.js and Chromium    make bench-wasm  rays in WebAssembly and native
#   make web-page       the page of samples/web, build/web/page.html      make run-test_web_page  that page in Chromium
#   make wasm-digests   the same results of queries in WebAssembly, with SIMD128 and without
#
# libbv and libbvworld need only libc and libm, so that clang, wasm-ld and wasi-libc are enough: a module without imports. Emscripten adds
# JavaScript of its own, and Debian's is of 2022: it does not run as an ES module in Node.js.

WASM_CC    := clang --target=wasm32-wasi
WASM_FLAGS := -std=c17 $(WARNINGS) $(BV_EXACT) -Iinclude -Isrc -I.
# Most of it is compiled for size; kernels and what descends trees for speed.
WASM_FAST  := $(wildcard src/runtime/tree/lanes*.c src/runtime/tree/ray.c src/runtime/tree/batch.c src/runtime/triangle/ray.c)
# The module of the npm package has 256 kB of stack: queries take at most 16 kB, and JavaScript calls one at a time.
WASM_LINK  := -nostartfiles -Wl,--no-entry -Wl,--export=malloc -Wl,--export=free -Wl,-z,stack-size=262144 -Wl,--stack-first -Wl,-s
WASM_OBJECTS = $(patsubst %.c,$(BUILD)/wasm/$(1)/%.o,$(2))

# wasm_level NAME OPTIONS: objects and both libraries in $(BUILD)/wasm/NAME.
define wasm_level
WASM_LINE_$(1) := $(WASM_CC) $(WASM_FLAGS) $(2)
$(call flags_file,$(BUILD)/wasm/$(1)/flags,WASM_LINE_$(1))
$(BUILD)/wasm/$(1)/%.o: %.c $(BUILD)/wasm/$(1)/flags
	@mkdir -p $$(@D)
	$$(call quiet,wasm)$(WASM_CC) $(WASM_FLAGS) $(2) $$(if $$(filter $$(WASM_FAST),$$<),-O3,-Oz) -MMD -MP -c $$< -o $$@
$(BUILD)/wasm/$(1)/libbv.a: $(call WASM_OBJECTS,$(1),$(RUNTIME_SOURCES))
$(BUILD)/wasm/$(1)/libbvworld.a: $(call WASM_OBJECTS,$(1),$(WORLD_SOURCES))
$(BUILD)/wasm/$(1)/libbv.a $(BUILD)/wasm/$(1)/libbvworld.a:
	@rm -f $$@
	$$(call quiet,ar)llvm-ar rcsD $$@ $$^
$(BUILD)/wasm/$(1)/other_machine.wasm: $(call WASM_OBJECTS,$(1),tests/other_machine.c) $(BUILD)/wasm/$(1)/libbvworld.a $(BUILD)/wasm/$(1)/libbv.a
	$$(call quiet,link)$(WASM_CC) -Wl,-z,stack-size=1048576 $$^ -lm -o $$@
endef
$(eval $(call wasm_level,scalar,))
$(eval $(call wasm_level,simd128,-msimd128))

# The npm package as a folder.
NPM        := $(BUILD)/npm
NPM_FILES  := $(filter-out %.mk %.c %.h %.sh %/builder,$(wildcard packaging/npm/*))
$(NPM)/bv.wasm: $(call WASM_OBJECTS,simd128,packaging/npm/glue.c packaging/npm/leave_out.c) $(BUILD)/wasm/simd128/libbvworld.a $(BUILD)/wasm/simd128/libbv.a
	@mkdir -p $(@D)
	$(call quiet,link)$(WASM_CC) $(WASM_LINK) $^ -lm -o $@.long
	@wasm-opt --enable-simd --enable-bulk-memory -Oz $@.long -o $@ && rm $@.long

# The builder: libbvbuild with its own readers, one thread, and libraries from Debian's sources. qhull and libpng need setjmp, which wasi-libc
# lacks: the C library is that of Emscripten, its JavaScript is builder.js. Emscripten's own programs look for modules of Debian.
BUILDER_LIBRARIES := $(BUILD)/npm-libraries
BUILDER_OUT  := $(wildcard formats/assimp/*.c) formats/features.c src/offline/report/html/embedded.c \
                $(wildcard src/offline/base/system_*.c)
BUILDER_SOURCES := $(RUNTIME_SOURCES) $(filter-out $(BUILDER_OUT),$(OFFLINE_SOURCES)) $(wildcard packaging/npm/builder/*.c)
BUILDER_ROOT := /usr/share/emscripten/cache/sysroot
BUILDER_CC   := clang --target=wasm32-unknown-emscripten --sysroot=$(BUILDER_ROOT) -Xclang -iwithsysroot/include/compat -mllvm -enable-emscripten-sjlj \
                -D__unix__ -D_GNU_SOURCE -Ipackaging/npm/builder -I$(BUILDER_LIBRARIES)/include
BUILDER_FLAGS := $(WASM_FLAGS) -Wno-unknown-pragmas -Wno-unused-parameter -Wno-unused-variable -Wno-strict-prototypes -Os -msimd128
$(eval $(call flags_file,$(BUILD)/wasm/builder/flags,BUILDER_CC))
$(BUILDER_LIBRARIES)/libraries.a: packaging/npm/libraries.sh packaging/sources.sh
	@NODE_PATH=/usr/share/nodejs sh tests/quiet.sh $(BUILD)/npm-libraries.log sh $< $(@D)
$(BUILD)/wasm/builder/%.o: %.c $(BUILD)/wasm/builder/flags | $(BUILDER_LIBRARIES)/libraries.a
	@mkdir -p $(@D)
	$(call quiet,wasm)$(BUILDER_CC) $(BUILDER_FLAGS) -MMD -MP -c $< -o $@
$(BUILD)/wasm/builder/embedded.c: packaging/npm/builder/embed.py src/offline/report/html/embedded.h $(EMBEDDED)
	@mkdir -p $(@D)
	@/usr/bin/python3 $< src/offline/report/html/embedded.h > $@
$(BUILD)/wasm/builder/embedded.o: $(BUILD)/wasm/builder/embedded.c $(BUILD)/wasm/builder/flags | $(BUILDER_LIBRARIES)/libraries.a
	$(call quiet,wasm)$(BUILDER_CC) $(BUILDER_FLAGS) -Wno-overlength-strings -c $< -o $@
# Stack for what recursion there is; memory grows up to what 32 bits address.
$(NPM)/build.wasm: $(BUILDER_SOURCES:%.c=$(BUILD)/wasm/builder/%.o) $(BUILD)/wasm/builder/embedded.o $(BUILDER_LIBRARIES)/libraries.a
	@mkdir -p $(@D)
	$(call quiet,link)NODE_PATH=/usr/share/nodejs emcc --no-entry -Oz $^ -o $@ -sSTANDALONE_WASM -sWASM_BIGINT -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB \
	  -sTOTAL_STACK=4MB -sERROR_ON_UNDEFINED_SYMBOLS=0 -sEXPORTED_FUNCTIONS=_malloc,_setThrew,stackSave,stackRestore

.PHONY: wasm
wasm: $(NPM)/bv.wasm $(NPM)/build.wasm
	@cp -p $(NPM_FILES) LICENSE $(NPM)

# As on other machines in tests/cross.mk.
.PHONY: wasm-digests $(addprefix wasm-digests-,scalar simd128)
wasm-digests: $(addprefix wasm-digests-,scalar simd128)
$(addprefix wasm-digests-,scalar simd128): wasm-digests-%: $(BUILD)/wasm/%/other_machine.wasm $(OTHER_FILE) $(BUILD)/native/found
	node tests/web/wasi.mjs $< $(OTHER_FILES) > $(BUILD)/wasm/$*/found
	diff $(BUILD)/native/found $(BUILD)/wasm/$*/found

# The package itself, in Node.js and Chromium.
$(BUILD)/wasm/answers $(BUILD)/wasm/bench: $(BUILD)/wasm/%: tests/web/%.c tests/web/load.h $(BUILD)/libbvworld.a $(BUILD)/libbv.a
	@mkdir -p $(@D)
	$(call quiet,link)$(CC) $(FLAGS) $(CFLAGS) $(filter-out %.h,$^) -lm -o $@
# The page of samples/web, from the file system.
.PHONY: web-page run-test_web_page
web-page: wasm
	@mkdir -p $(BUILD)/web
	@node samples/web/make_page.mjs $(NPM) /usr/share/javascript/three $(BUILD)/web/page.html
run-test_web_page: web-page tools $(OTHER_FILE)
	@/usr/bin/python3 tests/web/test_page.py $(BUILD) $(BUILD)/web/page.html $(BUILD)/demo/rock.obj

.PHONY: run-test_npm bench-wasm
run-test_npm: wasm tools $(BUILD)/wasm/answers $(OTHER_FILE)
	@BUILD=$(abspath $(BUILD)) OTHER_FILE=$(abspath $(OTHER_FILE)) MESHES='$(addprefix $(abspath $(BUILD))/demo/,rock.obj gear.obj cup.obj)' sh tests/web/test_npm.sh

# Rays in Node.js against rays of libbv. BENCH_QUICK=1 takes a few seconds.
bench-wasm: wasm tools $(BUILD)/wasm/bench $(OTHER_FILE)
	@/usr/bin/python3 tests/web/bench_wasm.py $(BUILD) $(OTHER_FILE) $(wildcard ../shared/meshes/stanford-bunny.obj)

-include $(shell find $(BUILD)/wasm -name '*.d' 2>/dev/null)
