// Internal functions of arenas: scratch arenas, uncleared memory, early release, and adopting memory from
// elsewhere.

#pragma once

#include "offline/base/threads.h"

/// An arena for memory that a stage returns before it ends. It may hold what `owner` still may, and knows of
/// the same team.
/// @return an empty arena, or null when out of memory
bvb_arena* bvbase_arena_create_scratch( const bvb_arena* owner );

/// Returns whether an allocation has failed in this arena, in its owner, or in another scratch arena of the
/// owner. Some stages continue without the memory and give other results, which must not be written or
/// compared.
bool bvbase_arena_has_failed( const bvb_arena* arena );

/// @return what was found out about threads, for bvbase_thread_team_in
bvbase_team* bvbase_arena_team( bvb_arena* arena );

/// Lets the first memory that the process takes come in huge pages: for a process that will take as much,
/// once, before it allocates.
/// @param bytes  that it will take, a multiple of 2 MiB; what is not used costs nothing
void bvbase_memory_ahead( size_t bytes );

/// As bvb_arena_allocate, but memory of a block of its own is not cleared. That takes time where the process
/// has used it before: for what is written as a whole before it is read.
void* bvbase_arena_allocate_unset( bvb_arena* arena, size_t count, size_t size );

/// Gives back memory that nothing refers to any more, if it has a block of its own, as large requests have,
/// or was adopted.
void bvbase_arena_release( bvb_arena* arena, const void* memory );

/// Takes back all memory that the arena gave, for what it is asked for next. It stays the arena's, which
/// holds as many bytes as before.
void bvbase_arena_reset( bvb_arena* arena );

/// Makes all of `other`, which ends, part of `arena`.
/// @return false when that is more than the arena may hold: `other` and all in it are freed
bool bvbase_arena_absorb( bvb_arena* arena, bvb_arena* other );

/// Takes over a block from malloc, which is freed with the arena.
/// @param memory  left alone on failure
/// @param bytes   of the block, counted as the arena's
/// @return false when that is more than the arena may hold, or out of memory
bool bvbase_arena_adopt( bvb_arena* arena, void* memory, size_t bytes );
