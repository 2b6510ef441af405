// Moving features for tests: examples, random ones on a small grid, and the queries.

#pragma once

#include "support.h"

#include "bv/motion.h"
#include "tests/reference/random.h"

// Four points at both ends of the motion, and which features they are.
typedef struct query
{
	bool edges;
	bv_vec3 start[4];
	bv_vec3 end[4];
} query;

static inline bv_feature_time find_with( const query* q, const bv_feature_options* options )
{
	bv_feature_time r;
	memset( &r, 0xff, sizeof r );
	bv_status status = q->edges ? bv_moving_edge_edge( q->start, q->end, options, &r )
	                            : bv_moving_vertex_face( q->start, q->end, options, &r );
	assert_int_equal( status, bv_ok );
	return r;
}

static inline query still( bool edges, const bv_vec3 at[4] )
{
	query q = { .edges = edges };
	memcpy( q.start, at, sizeof q.start );
	memcpy( q.end, at, sizeof q.end );
	return q;
}

// The features of the examples below: a face in the plane z = 0, and two edges along x and y that cross there.
static const bv_vec3 example_face[4] = { { 1, 1, 3 }, { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 } };
static const bv_vec3 example_edges[4] = { { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 2 }, { 0, 1, 2 } };

// Coordinates are small integers, so that features often touch, and often are degenerate.
static inline void random_query( uint64_t* seed, query* out )
{
	int size = 1 + (int)( next_random( seed ) % 3 );
	uint32_t shape = next_random( seed ) % 4;
	out->edges = next_random( seed ) % 2;
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3* p = i < 4 ? &out->start[i] : &out->end[i - 4];
		double c[3];
		for ( int k = 0; k < 3; ++k )
		{
			c[k] = (int)( next_random( seed ) % (uint32_t)( 2 * size + 1 ) ) - size;
		}
		*p = ( bv_vec3 ){ c[0], shape > 2 ? 0 : c[1], shape == 0 ? c[2] : shape == 1 ? c[0] + c[1] : 0 };
	}
}
