# The tools for 64-bit Windows, cross-compiled by mingw-w64 on Debian, and their tests under Wine. Included by the Makefile.
#
#   make windows         bvbuild-VERSION-windows.zip: programs without DLLs, documentation, licenses
#   make check-windows   its tests under Wine (docs/testing.md)
#   make msvc            do libbv and libbvworld compile as for MSVC?
#   make deps-windows    packages for all of them
#
# Libraries are built from Debian's source packages, once, into $(BUILD)/windows/libraries: see libraries.sh.

# Cross compilers, headers that Assimp needs, and what unpacks and packs.
WINDOWS_PACKAGES := gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix libz-mingw-w64-dev libutfcpp-dev libstb-dev cmake dpkg-dev zip
# What tests them.
WINDOWS_PACKAGES += wine64 python3-minimal

WINDOWS           := $(BUILD)/windows
WINDOWS_LIBRARIES := $(WINDOWS)/libraries
WINDOWS_HOST      := x86_64-w64-mingw32
WINDOWS_ZIP       := $(BUILD)/bvbuild-$(VERSION)-windows.zip
WINDOWS_EXES      := $(TOOLS:%=$(WINDOWS)/%.exe)

.PHONY: windows deps-windows check-windows windows-exes windows-tools
deps-windows:
	@sh tests/deps.sh $(WINDOWS_PACKAGES)

WINDOWS_BUILT := $(WINDOWS_LIBRARIES)/done/assimp
$(WINDOWS_BUILT): packaging/windows/libraries.sh packaging/sources.sh packaging/windows/toolchain.cmake
	@sh packaging/windows/libraries.sh $(WINDOWS_LIBRARIES)
	@touch $@

# What the program looks for by name, as if these libraries were loaded: see src/offline/base/system_windows.c.
WINDOWS_FOUND := aiCreatePropertyStore aiSetImportPropertyInteger aiAttachLogStream aiIsExtensionSupported aiImportFileExWithProperties \
                 aiGetErrorString aiGetMaterialString aiGetVersionMajor aiGetVersionMinor aiGetVersionPatch aiGetVersionRevision \
                 meshopt_decodeVertexBuffer meshopt_decodeIndexBuffer meshopt_decodeIndexSequence meshopt_decodeFilterOct \
                 meshopt_decodeFilterQuat meshopt_decodeFilterExp _ZSt15set_new_handlerPFvvE
$(WINDOWS)/exports.def:
	@mkdir -p $(@D)
	@printf '%s\n' EXPORTS $(WINDOWS_FOUND) > $@

# Compiled by the Makefile itself. Everything is linked as archives: there is no DLL to carry. Stacks are as large as elsewhere.
WINDOWS_CPP := -D_WIN32_WINNT=0x0A00 -DWIN32_LEAN_AND_MEAN -DXML_STATIC -DCURL_STATICLIB -Wno-format \
               -isystem $(abspath $(WINDOWS_LIBRARIES))/include -ffile-prefix-map=$(abspath $(WINDOWS_LIBRARIES))=libraries
WINDOWS_LD  := -static -L$(abspath $(WINDOWS_LIBRARIES))/lib $(WINDOWS_FOUND:%=-Wl,-u,%) $(abspath $(WINDOWS))/exports.def \
               -Wl,--stack,8388608 -Wl,--no-insert-timestamp -s
WINDOWS_LIBS := -lassimp -lqhull_r -lcjson -lexpat -lminizip -lpng -lz -lmeshoptimizer -ldraco -lstdc++ -lpsapi -lshell32 -lntdll -lm
windows-exes: $(WINDOWS_BUILT) $(WINDOWS)/exports.def
	@+$(MAKE) --no-print-directory BUILD=$(WINDOWS)/native CC=$(WINDOWS_HOST)-gcc-posix CXX=$(WINDOWS_HOST)-g++-posix AR=$(WINDOWS_HOST)-ar \
	  NATIVE= MESHOPTIMIZER=1 DRACO=1 DRACO_LIBS= CPPFLAGS='$(WINDOWS_CPP)' LDFLAGS='$(WINDOWS_LD)' LIBS='$(WINDOWS_LIBS)' \
	  CFLAGS='-O3' $(TOOLS:%=$(WINDOWS)/native/%)
	@for tool in $(TOOLS); do cp $(WINDOWS)/native/$$tool.exe $(WINDOWS); done

# What a user unpacks: a folder of its own. Members have the time of the last commit, so that the same sources make the same file.
WINDOWS_FOLDER := bvbuild-$(VERSION)-windows
WINDOWS_TIME    = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null || date +%s))
windows: $(WINDOWS_ZIP)
$(WINDOWS_ZIP): windows-exes $(BUILD)/make_samples
	@rm -rf $(WINDOWS)/pack $@
	@mkdir -p $(WINDOWS)/pack/$(WINDOWS_FOLDER)/docs $(WINDOWS)/pack/$(WINDOWS_FOLDER)/licenses $(WINDOWS)/pack/$(WINDOWS_FOLDER)/samples
	@$(BUILD)/make_samples $(WINDOWS)/pack/$(WINDOWS_FOLDER)/samples > /dev/null
	@cp $(WINDOWS_EXES) LICENSE CHANGELOG.md $(WINDOWS)/pack/$(WINDOWS_FOLDER)
	@sh packaging/windows/documents.sh $(WINDOWS)/pack/$(WINDOWS_FOLDER)
	@cp $(WINDOWS_LIBRARIES)/licenses/* $(WINDOWS)/pack/$(WINDOWS_FOLDER)/licenses
	@cp /usr/share/doc/gcc-mingw-w64-x86-64-posix-runtime/copyright $(WINDOWS)/pack/$(WINDOWS_FOLDER)/licenses/gcc
	@cp /usr/share/doc/mingw-w64-x86-64-dev/copyright $(WINDOWS)/pack/$(WINDOWS_FOLDER)/licenses/mingw-w64
	@cp /usr/share/doc/libjs-three/copyright $(WINDOWS)/pack/$(WINDOWS_FOLDER)/licenses/three.js
	@find $(WINDOWS)/pack -exec touch -h -d @$(WINDOWS_TIME) '{}' +
	@cd $(WINDOWS)/pack && find $(WINDOWS_FOLDER) -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 -@ $(abspath $@)
	@echo "windows $(@F): $$(stat -c %s $@) bytes"

# Programs that run the tools under Wine, where scripts expect the tools.
WINE ?= /usr/lib/wine/wine64
WINDOWS_TOOLS := $(WINDOWS)/tools
windows-tools: windows-exes tools
	@sh tests/windows/tools.sh $(WINDOWS_TOOLS) $(BUILD) $(WINDOWS) $(WINE)
check-windows: $(WINDOWS_ZIP) windows-tools
	@/usr/bin/python3 tests/windows/run.py --tools $(WINDOWS_TOOLS) --build $(BUILD) --zip $(WINDOWS_ZIP)

# libbv and libbvworld as clang sees them for Microsoft's compiler and C library, which is declared in tests/windows/msvc.
.PHONY: msvc
msvc:
	@for file in $(RUNTIME_SOURCES) $(WORLD_SOURCES); do \
	  clang --target=x86_64-pc-windows-msvc -fsyntax-only -std=c17 -Wall -Wextra -Werror -Wno-gnu -Iinclude -Isrc -I. -isystem tests/windows/msvc $$file || exit 1; done
	@echo 'msvc: $(words $(RUNTIME_SOURCES) $(WORLD_SOURCES)) files are valid'
check-windows: msvc

# As for the cluster: only this needs them.
check-windows windows-tools: | deps-windows
