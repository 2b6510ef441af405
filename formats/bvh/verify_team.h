// Verifying many things in several threads: how many of them, and that the first thing that is wrong counts, whichever thread
// finds it.

#pragma once

#include "base/offline/error.h"
#include "base/offline/threads.h"

#include <omp.h>

/// @param count  of what is given out to threads
/// @return how many threads: no more than there is work for, since those without any are in the way of others
static inline int bvh_team_for( uint32_t count )
{
	uint32_t processors = (uint32_t)omp_get_max_threads();
	return count <= 1 ? 1 : bvb_thread_team( count < processors ? count : 0 );
}

/// The first that is wrong, so far.
typedef struct bvh_first_wrong
{
	uint32_t index;   ///< UINT32_MAX: none is
	bv_status status; ///< of it; else bv_ok
	bvb_error* error; ///< what is said of it goes here
} bvh_first_wrong;

static inline bvh_first_wrong bvh_none_wrong( bvb_error* error )
{
	return ( bvh_first_wrong ){ UINT32_MAX, bv_ok, error };
}

/// @return whether all before it are sound as far as is known: what comes after a wrong one need not be looked at
static inline bool bvh_may_be_first( const bvh_first_wrong* first, uint32_t index )
{
	uint32_t end;
#pragma omp atomic read
	end = first->index;
	return index < end;
}

/// Takes over what a thread found of it.
/// @param own  filled unless `found` is bv_ok
static inline void bvh_note_found( bvh_first_wrong* first, uint32_t index, bv_status found,
                                   const bvb_error* own )
{
	if ( found == bv_ok )
	{
		return;
	}
#pragma omp critical( bvh_first_wrong )
	if ( index < first->index )
	{
#pragma omp atomic write
		first->index = index;
		first->status = bvb_fail( first->error, found, "%s", own->message );
	}
}
