# Where people work: Blender and Godot, from Debian, with real programs. Included by the Makefile.
#
#   make deps-places check-blender check-godot           both are part of check-long

# Blender without a window for all but the overlay, which needs a screen: Xvfb, and OpenGL in software.
PLACES := blender xvfb xauth libgl1-mesa-dri python3-numpy python3-scipy godot3-server
.PHONY: deps-places check-blender check-blender-window check-godot
deps-places:
	@sh tests/deps.sh $(PLACES)

BLENDER_FOLDER := $(abspath $(BUILD))/blender
blender_run = rm -rf $(BLENDER_FOLDER)/scratch; mkdir -p $(BLENDER_FOLDER)/scratch $(BLENDER_FOLDER)/scripts/addons; \
  PYTHONDONTWRITEBYTECODE=1 BLENDER_USER_CONFIG=$(BLENDER_FOLDER) BLENDER_USER_SCRIPTS=$(BLENDER_FOLDER)/scripts LIBGL_ALWAYS_SOFTWARE=1 timeout 600 $(1) > $(BLENDER_FOLDER)/$(2).log 2>&1 || \
  { cat $(BLENDER_FOLDER)/$(2).log; exit 1; }; grep '^blender: ' $(BLENDER_FOLDER)/$(2).log
check-blender: tools $(ADDON) check-blender-window
	@$(call blender_run,blender -b --factory-startup --python-exit-code 1 --python tests/blender/test_addon.py -- $(abspath $(BUILD)) $(BLENDER_FOLDER)/scratch $(abspath $(ADDON)),addon)
check-blender-window: tools
	@$(call blender_run,xvfb-run -a -s '-screen 0 1400x900x24' blender --factory-startup --window-geometry 0 0 1400 900 --python tests/blender/test_window.py -- $(abspath $(BUILD)) $(BLENDER_FOLDER)/scratch,window)
check-godot: tools
	@sh tests/engines/test_godot.sh
