# libbv for GNU make, with gcc or clang for any machine and system. Copy include/bv and src/runtime, in these folders, and:
#
#     include third_party/bv/src/runtime/libbv.mk
#     game.o: CPPFLAGS += $(BV_CPPFLAGS)
#     game: game.o $(BV_LIBRARY)
#             $(CC) $^ -lm -o $@
#
# CC, AR, CPPFLAGS and CFLAGS are used as they are; BV_BUILD is the folder of what is made.

BV_RUNTIME  := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
BV_BUILD    ?= bv-build
BV_SOURCES  := $(sort $(wildcard $(BV_RUNTIME)/*/*.c))
BV_CPPFLAGS := -I$(BV_RUNTIME)/../../include
BV_LIBRARY   = $(BV_BUILD)/libbv.a

# Results must not depend on the compiler. Fused operations, -ffast-math and x87 would change them; so does the vectorizer of gcc 12,
# which takes (double)(float)x for x where three of them stand side by side. Roots are one instruction without errno and traps.
# For arm64 the vectorizer of loops fails in gcc 12 ("in vect_transform_reduction") where the least of many is sought.
BV_MACHINE  := $(shell $(CC) -dumpmachine)
BV_EXACT    := -fno-fast-math -ffp-contract=off -fno-tree-slp-vectorize -fno-math-errno -fno-trapping-math \
               $(if $(findstring aarch64,$(BV_MACHINE)),-fno-tree-loop-vectorize) $(if $(filter i%86-%,$(BV_MACHINE)),-msse2 -mfpmath=sse)
BV_CFLAGS   := -std=c17 $(BV_EXACT) $(BV_CPPFLAGS) -I$(BV_RUNTIME)/..

BV_GOAL     := $(.DEFAULT_GOAL)
$(BV_BUILD)/%.o: $(BV_RUNTIME)/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(BV_CFLAGS) -MMD -MP -c $< -o $@
$(BV_LIBRARY): $(BV_SOURCES:$(BV_RUNTIME)/%.c=$(BV_BUILD)/%.o)
	@rm -f $@
	$(AR) rcs $@ $^
.DEFAULT_GOAL := $(BV_GOAL)
-include $(wildcard $(BV_BUILD)/*/*.d)
