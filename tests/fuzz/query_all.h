// Every query once, with numbers that the file's bytes decide: whatever is in it, queries must end, and what they find must be
// consistent. Numbers are of all sizes, some none.

#pragma once

#include "bv/bv.h"

#include <math.h>
#include <stdlib.h>

// Marsaglia's xorshift64.
static inline uint64_t next_bits( uint64_t* state )
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static inline double next_number( uint64_t* state )
{
	uint64_t bits = next_bits( state );
	double unit = (double)( bits >> 11 ) * 0x1p-52 - 1;
	switch ( bits % 16 )
	{
	case 0: return 0;
	case 1: return unit * 0x1p-140;
	case 2: return unit * 0x1p120;
	case 3: return bits % 512 == 3 ? NAN : unit * 1e308;
	case 4: return bits % 512 == 4 ? INFINITY : unit * 1000;
	default: return unit;
	}
}

static inline bv_vec3 next_vector( uint64_t* state )
{
	double x = next_number( state );
	double y = next_number( state );
	return ( bv_vec3 ){ x, y, next_number( state ) };
}

// Turned about one axis, moved, scaled and mirrored, or nothing.
static inline bv_transform next_transform( uint64_t* state )
{
	bv_transform t = bv_transform_identity();
	double x = (double)( next_bits( state ) >> 11 ) * 0x1p-52 - 1;
	double y = sqrt( 1 - x * x );
	t.pose.rotation[0][0] = t.pose.rotation[1][1] = x;
	t.pose.rotation[0][1] = -y;
	t.pose.rotation[1][0] = y;
	t.pose.translation = next_vector( state );
	t.scale = next_bits( state ) % 2 ? 1 : fabs( next_number( state ) );
	t.mirror = next_bits( state ) % 2;
	return t;
}

static inline bool stop_soon( void* context, uint32_t triangle )
{
	(void)triangle;
	return --*(int*)context > 0;
}

static inline void expect( bool good )
{
	if ( !good )
	{
		abort();
	}
}

static inline void expect_on( const bv_file* file, const bv_surface_point* at )
{
	expect( at->triangle < bv_file_get_mesh( file ).triangles );
}

static inline void overlap_all( const bv_file* file, const bv_transform* t, uint64_t* state,
                                const bv_shape* shape )
{
	bv_overlap_result r;
	int answers = 100;
	bv_overlap_options options = { .callback = stop_soon, .context = &answers };
	bv_sphere ball = { next_vector( state ), fabs( next_number( state ) ) };
	bv_aabb box = { next_vector( state ), next_vector( state ) };
	bv_obb turned = { .center = next_vector( state ), .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	for ( int i = 0; i < 3; ++i )
	{
		turned.half_extents[i] = fabs( next_number( state ) );
	}
	bool good = bv_overlap_sphere( file, t, &ball, &options, &r ) == bv_ok;
	expect( !good || r.triangles <= r.triangle_tests );
	bv_overlap_aabb( file, t, &box, NULL, &r );
	bv_overlap_obb( file, t, &turned, NULL, &r );
	bv_overlap_shape( file, t, shape, NULL, &r );
}

static inline void query_all( const bv_file* file, uint64_t seed )
{
	uint64_t state = seed | 1;
	bv_transform t = next_transform( &state );
	const bv_transform* placement = next_bits( &state ) % 4 ? &t : NULL;
	bv_vec3 points[4] = { next_vector( &state ), next_vector( &state ), next_vector( &state ),
		                  next_vector( &state ) };
	bv_shape shape = { points, 1 + (uint32_t)( next_bits( &state ) % 4 ), fabs( next_number( &state ) ) };
	bv_distance_result distance;
	bv_closest_result closest;
	bv_ray_result hit;
	bv_cast_result cast;
	bv_cast_options cast_options = { fabs( next_number( &state ) ), fabs( next_number( &state ) ) };
	bv_ray ray = { next_vector( &state ), next_vector( &state ), 0, INFINITY };
	if ( bv_distance( file, file, placement, NULL, &distance ) == bv_ok && distance.found )
	{
		expect_on( file, &distance.a );
		expect_on( file, &distance.b );
		expect( distance.distance >= 0 );
	}
	if ( bv_closest_point( file, placement, points[0], INFINITY, &closest ) == bv_ok && closest.found )
	{
		expect_on( file, &closest.at );
		expect( closest.distance >= 0 && closest.feature >= 0 && closest.feature <= 6 );
	}
	if ( bv_cast_ray( file, placement, &ray, NULL, &hit ) == bv_ok && hit.found )
	{
		expect_on( file, &hit.at );
		expect( hit.time >= 0 );
	}
	if ( bv_cast_shape( file, placement, &shape, points[1], &cast_options, &cast ) == bv_ok && cast.found )
	{
		expect_on( file, &cast.at );
		expect( cast.time >= 0 && cast.time <= cast_options.limit );
	}
	overlap_all( file, placement, &state, &shape );
}
