// Scratch memory beside the caller's arena.

#pragma once

#include "bvbuild/base.h"

/// An arena for memory that a stage returns before it ends. It may hold what `owner` still may.
/// @return an empty arena, or null when out of memory
bvb_arena* bvb_arena_create_scratch( const bvb_arena* owner );
