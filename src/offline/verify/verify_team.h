// Verifying many things in several threads. The first thing that is wrong counts, whichever thread finds it.

#pragma once

#include "offline/base/arena.h"
#include "offline/base/error.h"

/// How one of them is verified.
typedef struct bvverify_verifier
{
	size_t size; ///< of what a thread has for itself

	/// Fills what a thread has for itself, from what all share.
	/// @param arena  the thread's own
	bv_status ( *begin )( const void* shared, bvb_arena* arena, void* own, bvb_error* error );

	bv_status ( *verify )( void* own, uint32_t index, bvb_error* error );
} bvverify_verifier;

/// @param shared  passed to begin
/// @param chunk   how many a thread takes at a time
/// @param arena   the parent of the threads' arenas
/// @return what was said of the first that is wrong; bv_ok if none is
bv_status bvverify_each( const bvverify_verifier* verifier, const void* shared, uint32_t count,
                         uint32_t chunk, const bvb_arena* arena, bvb_error* error );
