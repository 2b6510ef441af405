// A C program that uses only files installed by `make install`: three boxes, of which one moves, and the pairs that begin and end.
// Exit code 1: something failed.

#include <bvworld/bvworld.h>

#include <stdio.h>
#include <stdlib.h>

int main( void )
{
	bvw_broadphase_options options = bvw_broadphase_options_default();
	options.objects = 10;
	size_t size = bvw_broadphase_bytes( &options );
	void* memory = malloc( size );
	bvw_broadphase* world;
	if ( bvw_broadphase_begin( memory, size, &options, &world ) != bv_ok )
	{
		return 1;
	}
	for ( uint32_t i = 0; i < 3; ++i )
	{
		bvw_object box = { { { 2 * i, 0, 0 }, { 2 * i + 1, 1, 1 } }, 0, 0, 0 };
		if ( bvw_broadphase_add( world, i, &box ) != bv_ok )
		{
			return 1;
		}
	}
	for ( int step = 0; step < 5; ++step )
	{
		bv_aabb box = { { step, 0, 0 }, { step + 1, 1, 1 } };
		bvw_changes changes;
		if ( bvw_broadphase_move( world, 0, &box ) != bv_ok ||
		     bvw_broadphase_update( world, &changes ) != bv_ok )
		{
			return 1;
		}
		for ( uint32_t i = 0; i < changes.begun_count; ++i )
		{
			printf( "%d: %u and %u touch\n", step, (unsigned)changes.begun[i].a,
			        (unsigned)changes.begun[i].b );
		}
		for ( uint32_t i = 0; i < changes.ended_count; ++i )
		{
			printf( "%d: %u and %u are apart\n", step, (unsigned)changes.ended[i].a,
			        (unsigned)changes.ended[i].b );
		}
	}
	free( memory );
	return 0;
}
