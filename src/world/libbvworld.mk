# libbvworld, scenes of many objects, for GNU make. Copy include/bvworld and src/world beside the folders of libbv, and:
#
#     include third_party/bv/src/runtime/libbv.mk
#     include third_party/bv/src/world/libbvworld.mk
#     game.o: CPPFLAGS += $(BV_CPPFLAGS)
#     game: game.o $(BVW_LIBRARY) $(BV_LIBRARY)
#             $(CC) $^ -lm -o $@
#
# It is compiled as libbv is, into the same folder: src/runtime/libbv.mk says how.

BVW_WORLD   := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
BVW_SOURCES := $(sort $(wildcard $(BVW_WORLD)/*/*.c))
BVW_LIBRARY  = $(BV_BUILD)/libbvworld.a

BVW_GOAL    := $(.DEFAULT_GOAL)
$(BV_BUILD)/world/%.o: $(BVW_WORLD)/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(BV_CFLAGS) -MMD -MP -c $< -o $@
$(BVW_LIBRARY): $(BVW_SOURCES:$(BVW_WORLD)/%.c=$(BV_BUILD)/world/%.o)
	@rm -f $@
	$(AR) rcs $@ $^
.DEFAULT_GOAL := $(BVW_GOAL)
-include $(wildcard $(BV_BUILD)/world/*/*.d)
