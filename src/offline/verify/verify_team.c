// Parallel verification that reports the first error in the order of the file. Items after a known error are
// skipped. Items before it are still checked, and an error found there replaces it.

#include "offline/verify/verify_team.h"

#include "offline/base/threads.h"

#include <omp.h>

// The first that is wrong, so far.
typedef struct first_wrong
{
	uint32_t index; // UINT32_MAX: none is
	bv_status status;
	bvb_error* error;
} first_wrong;

static bool may_be_first( const first_wrong* first, uint32_t index )
{
	uint32_t end;
#pragma omp atomic read
	end = first->index;
	return index < end;
}

static void note( first_wrong* first, uint32_t index, bv_status found, const bvb_error* own )
{
#pragma omp critical( bvverify_first_wrong )
	if ( index < first->index )
	{
#pragma omp atomic write
		first->index = index;
		first->status = bvbase_fail( first->error, found, "%s", own->message );
	}
}

// No more threads than there is work for: those without any are in the way of others.
static int team_for( uint32_t chunks )
{
	uint32_t processors = (uint32_t)omp_get_max_threads();
	return chunks <= 1 ? 1 : bvbase_thread_team( chunks < processors ? chunks : 0 );
}

static bv_status begin( const bvverify_verifier* verifier, const void* shared, bvb_arena* arena, void** own,
                        bvb_error* error )
{
	*own = arena ? bvb_arena_allocate( arena, 1, verifier->size ) : NULL;
	return *own ? verifier->begin( shared, arena, *own, error ) : bvbase_fail_memory( error );
}

bv_status bvverify_each( const bvverify_verifier* verifier, const void* shared, uint32_t count,
                         uint32_t chunk, const bvb_arena* arena, bvb_error* error )
{
	int team = team_for( count / chunk + ( count % chunk > 0 ) );
	first_wrong wrong = { UINT32_MAX, bv_ok, error };
	(void)team;
#pragma omp parallel num_threads( team )
	{
		void* own;
		bvb_error said;
		bvb_arena* scratch = bvbase_arena_create_scratch( arena );
		bv_status begun = begin( verifier, shared, scratch, &own, &said );
#pragma omp for schedule( dynamic, chunk )
		for ( uint32_t i = 0; i < count; ++i )
		{
			if ( may_be_first( &wrong, i ) )
			{
				bv_status found = begun == bv_ok ? verifier->verify( own, i, &said ) : begun;
				if ( found != bv_ok )
				{
					note( &wrong, i, found, &said );
				}
			}
		}
		bvb_arena_destroy( scratch );
	}
	return wrong.status;
}
