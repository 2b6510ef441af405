// Digests of lists of neighbors, by each method, which must be the same from each compiler and on each machine. The numbers of tests are in
// them, too.

#pragma once

#include "bvworld/particles.h"

#include "tests/convex_digest.h"

enum
{
	digest_particles = 900,
	digest_neighbors = 200000,
};

// Particles in a cube, some in one place, some far away, with radii.
static void digest_make_particles( double* at, double* radii )
{
	uint64_t seed = 7;
	for ( int i = 0; i < digest_particles; ++i )
	{
		double scale = i % 100 == 99 ? 0x1p150 : i % 3 == 0 ? 1 : 6;
		for ( int k = 0; k < 3; ++k )
		{
			at[3 * i + k] = scale * random_coordinate( &seed );
		}
		radii[i] = 0.25 + 0.25 * random_coordinate( &seed );
	}
}

static void digest_lists( digest* d, const bvw_neighbors* lists )
{
	digest_bits( d, lists->tests );
	digest_bits( d, lists->steps );
	digest_bits( d, lists->depth );
	for ( int i = 0; i <= digest_particles; ++i )
	{
		digest_bits( d, lists->begin[i] );
	}
	for ( uint64_t k = 0; k < lists->count; ++k )
	{
		digest_bits( d, lists->neighbors[k] );
	}
}

static void print_particles_digest( bvw_neighbors_method method )
{
	static double at[3 * digest_particles], radii[digest_particles];
	static uint64_t begin[digest_particles + 1], memory[( 16 * digest_particles + 8192 ) / 8];
	static uint32_t neighbors[digest_neighbors];
	digest d = { .hash = 0 };
	digest_make_particles( at, radii );
	for ( int i = 0; i < 8; ++i )
	{
		bvw_particles all = { .positions = at, .radii = i & 1 ? radii : NULL, .count = digest_particles };
		bvw_neighbors_options o = { .distance = i & 2 ? 0.5 : 0.125,
			                        .method = method,
			                        .half = ( i & 1 ) > 0 };
		o.sort = (bvw_neighbors_sort)( i >> 2 );
		o.period[2] = i & 4 && method != bvw_neighbors_sweep ? 0x1p152 : 0;
		bvw_neighbors lists = { .begin = begin, .neighbors = neighbors, .most = digest_neighbors };
		d.refused += bvw_neighbors_find( &all, NULL, &o, memory, sizeof memory, &lists ) != bv_ok;
		digest_lists( &d, &lists );
	}
	printf( "world particles %s: %016" PRIx64 ", %d refused\n", bvw_neighbors_method_name( method ), d.hash,
	        d.refused );
}

static void print_particles_digests( void )
{
	for ( int method = bvw_neighbors_default + 1; method < bvw_neighbors_methods; ++method )
	{
		print_particles_digest( (bvw_neighbors_method)method );
	}
}
