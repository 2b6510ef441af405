# Shared libraries, man pages, completion, installation, and Debian packages. Included by the Makefile.
#
# The tools are linked with the static libraries. They use internal functions that the shared libraries do not
# export. They run from any folder, and do not depend on which version of the library is installed.
#
# Variables for folders are those of the GNU coding standards, in capitals like PREFIX; `make install
# prefix=/usr` also works.

BINDIR       ?= $(or $(bindir),$(PREFIX)/bin)
LIBDIR       ?= $(or $(libdir),$(PREFIX)/lib)
INCLUDEDIR   ?= $(or $(includedir),$(PREFIX)/include)
DATADIR      ?= $(or $(datadir),$(PREFIX)/share)
MANDIR       ?= $(or $(mandir),$(DATADIR)/man)
DOCDIR       ?= $(or $(docdir),$(DATADIR)/doc/bvbuild)
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
CMAKEDIR     ?= $(LIBDIR)/cmake/bvbuild
BASHDIR      ?= $(DATADIR)/bash-completion/completions
ZSHDIR       ?= $(DATADIR)/zsh/site-functions
FISHDIR      ?= $(DATADIR)/fish/vendor_completions.d
STRIP        ?=

VERSION   := $(shell sed -n 's/^\#define BV_VERSION  *"\(.*\)"/\1/p' include/bv/base.h)
SOVERSION := $(firstword $(subst ., ,$(VERSION)))

# Position-independent objects have a folder of their own: the tools' stay as they are. Calls within a library need not go
# through a table that lets programs put functions of their own in their place.
PIC        := -fPIC -fno-semantic-interposition
# In place of CFLAGS for these objects, as in .ci/run, which tests the libraries but not how fast they are.
PIC_CFLAGS ?= $(CFLAGS)
PIC_LINE   := $(strip $(CC) $(FLAGS) $(OFFLINE) $(PIC) $(PIC_CFLAGS) $(CPPFLAGS))
$(eval $(call flags_file,$(BUILD)/pic/flags,PIC_LINE))
pic_object  = $(patsubst %,$(BUILD)/pic/%.o,$(basename $(1)))
$(BUILD)/pic/%.o: %.c $(BUILD)/pic/flags
	@mkdir -p $(@D)
	$(call quiet,pic)$(CC) $(FLAGS) $(PIC) $(if $(filter $<,$(RUNTIME_SOURCES) $(WORLD_SOURCES)),,$(OFFLINE)) $(CPPFLAGS) $(PIC_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/pic/%.o: %.cpp $(BUILD)/pic/flags
	@mkdir -p $(@D)
	$(call quiet,pic)$(CXX) $(CXX_FLAGS) $(PIC) $(CPPFLAGS) $(PIC_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/pic/src/offline/report/html/embedded.o: $(EMBEDDED)
-include $(shell find $(BUILD)/pic -name '*.d' 2>/dev/null)

# Only what packaging/*.map names is seen from outside. What libbvbuild uses of the runtime's insides libbv does not export, so
# it has a copy; neither keeps any state. libbvworld has a copy of those objects that it uses. Sanitizers' own functions are found
# when a program runs.
LIBRARIES := $(foreach library,bv bvworld bvbuild,$(BUILD)/lib$(library).so.$(VERSION))
$(BUILD)/libbv.so.$(VERSION): $(call pic_object,$(RUNTIME_SOURCES)) packaging/libbv.map
$(BUILD)/libbvworld.so.$(VERSION): $(call pic_object,$(WORLD_SOURCES)) $(BUILD)/pic/libbv.a packaging/libbvworld.map
$(BUILD)/pic/libbv.a: $(call pic_object,$(RUNTIME_SOURCES))
$(BUILD)/pic/libbvworld.a: $(call pic_object,$(WORLD_SOURCES))
$(BUILD)/pic/libbv.a $(BUILD)/pic/libbvworld.a:
	@rm -f $@
	$(call quiet,ar)$(AR) rcsD $@ $^
$(BUILD)/libbvbuild.so.$(VERSION): $(call pic_object,$(RUNTIME_SOURCES) $(OFFLINE_SOURCES) $(OFFLINE_CXX)) packaging/libbvbuild.map
$(BUILD)/libbvbuild.so.$(VERSION): LIBRARY_NEEDS := -fopenmp $(filter-out -lm,$(LIBS))
$(LIBRARIES):
	$(call quiet,link)$(CC) -shared $(filter -fsanitize%,$(FLAGS)) $(CFLAGS) $(LDFLAGS) -Wl,-soname,$(patsubst %.$(VERSION),%.$(SOVERSION),$(@F)) \
	  -Wl,--version-script,$(filter %.map,$^) -Wl,-Bsymbolic-functions -Wl,-z,relro,-z,now $(if $(SAN),,-Wl,-z,defs) \
	  $(filter %.o,$^) $(filter %.a,$^) -Wl,--as-needed $(LIBRARY_NEEDS) -lm -o $@

# What headers declare and no map names goes into the newest version of each.
.PHONY: symbols
symbols:
	@sh packaging/symbols.sh add

# Man pages and completion are generated from the output of --help=all and --help, by packaging/help.awk.
DOCUMENTS        := $(foreach tool,$(TOOLS),$(addprefix $(BUILD)/install/$(tool).,1 bash zsh fish))
bvinspect_INPUTS := bvh
.PRECIOUS: $(BUILD)/install/%.help $(BUILD)/install/%.daily
$(BUILD)/install/%.help: $(BUILD)/%
	@mkdir -p $(@D)
	@$< --help=all > $@
$(BUILD)/install/%.daily: $(BUILD)/%
	@mkdir -p $(@D)
	@$< --help > $@
$(BUILD)/install/%.1: $(BUILD)/install/%.help packaging/man/%.1.in $(BUILD)/install/%.daily packaging/help.awk packaging/man/options.awk
	$(call quiet,man)awk -v version=$(VERSION) -f packaging/man/options.awk -f packaging/help.awk $(filter %.help %.in %.daily,$^) > $@
define completion
$(BUILD)/install/%.$(1): $(BUILD)/install/%.help packaging/help.awk packaging/completion/$(1).awk
	$$(call quiet,complete)awk -v tool=$$* -v inputs=$$($$*_INPUTS) -f packaging/help.awk -f packaging/completion/$(1).awk $$< > $$@
endef
$(foreach shell,bash zsh fish,$(eval $(call completion,$(shell))))

.PHONY: installable install install-strip uninstall
installable: tools $(LIBRARIES) $(DOCUMENTS)
# Nothing is compiled here, where one is often root.
install install-strip:
	@+$(MAKE) --no-print-directory -q installable || { echo "make install: not built, or not with these variables; run 'make' first" >&2; exit 2; }
	@$(run_install) install
uninstall:
	@$(run_install) uninstall
install-strip: STRIP := yes
run_install = BUILD='$(BUILD)' VERSION='$(VERSION)' DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' BINDIR='$(BINDIR)' LIBDIR='$(LIBDIR)' \
	  INCLUDEDIR='$(INCLUDEDIR)' MANDIR='$(MANDIR)' DOCDIR='$(DOCDIR)' PKGCONFIGDIR='$(PKGCONFIGDIR)' CMAKEDIR='$(CMAKEDIR)' BASHDIR='$(BASHDIR)' \
	  ZSHDIR='$(ZSHDIR)' FISHDIR='$(FISHDIR)' STRIP='$(STRIP)' DRACO='$(DRACO)' sh packaging/install.sh

# The add-on for Blender, to be installed from the zip. Equal sources give equal zips.
ADDON := $(BUILD)/bvbuild-blender-$(VERSION).zip
.PHONY: blender
blender: $(ADDON)
$(ADDON): $(wildcard packaging/blender/bvbuild_blender/*.py) LICENSE
	@mkdir -p $(@D)
	$(call quiet,zip)/usr/bin/python3 packaging/blender/zip.py $(VERSION) packaging/blender/bvbuild_blender LICENSE $@

# Debian packages into $(BUILD)/deb, and what becomes of them where they are installed.
.PHONY: deb packages packages-quick
deb:
	@sh packaging/deb.sh $(BUILD)
packages: deb
	@sh tests/packages.sh $(BUILD)/deb
# The same of packages that are compiled in a third of the time.
packages-quick:
	@OPTIMIZE=-O1 sh packaging/deb.sh $(BUILD)
	@sh tests/packages.sh $(BUILD)/deb

include packaging/python/python.mk
