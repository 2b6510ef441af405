// Digests of when moving features first touch, by all finders and with a separation, which must be the same from each compiler
// and on each machine.

#pragma once

#include "bv/motion.h"

#include "tests/convex_digest.h"

enum
{
	digest_features = 20000,
};

// Features of four points: on a grid, which touch in all degenerate ways, with all bits, or nearly on a grid.
static void make_features( uint64_t* seed, int index, bv_vec3 out[8] )
{
	int size = 1 + index % 3;
	for ( int i = 0; i < 8; ++i )
	{
		double x[3];
		for ( int k = 0; k < 3; ++k )
		{
			double whole = (int)( next_random( seed ) % (uint32_t)( 2 * size + 1 ) ) - size;
			double part = random_coordinate( seed );
			x[k] = index % 5 == 0 ? part : index % 5 == 1 ? whole + 0x1p-40 * part : whole;
		}
		out[i] = ( bv_vec3 ){ x[0], x[1], index % 7 == 0 ? x[0] + x[1] : x[2] };
	}
}

static void digest_feature_time( const bv_vec3 points[8], bool edges, const bv_feature_options* options,
                                 digest* out )
{
	bv_feature_time r = { 0 };
	bv_status status = edges ? bv_moving_edge_edge( points, points + 4, options, &r )
	                         : bv_moving_vertex_face( points, points + 4, options, &r );
	out->refused += status != bv_ok;
	out->supports += r.tests;
	digest_bits( out, (uint64_t)r.found << 1 | r.certain );
	digest_numbers( out, ( const double[] ){ r.lower, r.upper }, 2 );
}

static void print_feature_digests( void )
{
	static const char* const names[bv_finders] = { "certified", "linear",   "regula falsi",
		                                           "quadratic", "sampling", "sampled regula falsi" };
	digest found[bv_finders] = { 0 };
	digest near = { 0 };
	uint64_t seed = 1;
	for ( int i = 0; i < digest_features; ++i )
	{
		bv_vec3 points[8];
		make_features( &seed, i, points );
		for ( int k = 0; k < bv_finders; ++k )
		{
			bv_feature_options options = { .finder = (bv_finder)k, .inside = (bv_inside_test)( i / 2 % 2 ) };
			digest_feature_time( points, i % 2, &options, &found[k] );
		}
		bv_feature_options options = { .separation = 1e-3 * ( 1 + i % 100 ) };
		digest_feature_time( points, i % 2, &options, &near );
	}
	for ( int k = 0; k < bv_finders; ++k )
	{
		printf( "motion %s: %016" PRIx64 ", %" PRIu64 " tests, %d refused\n", names[k], found[k].hash,
		        found[k].supports, found[k].refused );
	}
	printf( "motion separation: %016" PRIx64 ", %" PRIu64 " tests, %d refused\n", near.hash, near.supports,
	        near.refused );
}
