// Pairs that rest on each other. See convex_rests.h.

#include "tests/reference/convex_rests.h"

#include "tests/reference/random.h"

static const double pi = 3.141592653589793;

static double unit_random( uint64_t* seed )
{
	return next_random( seed ) * 0x1p-31;
}

static double pick( uint64_t* seed, const double* values, uint32_t count )
{
	return values[next_random( seed ) % count];
}

typedef struct solid
{
	bv_vec3* at;
	uint32_t count;
} solid;

static void add( solid* s, double x, double y, double z )
{
	if ( s->count < convex_rest_corners )
	{
		s->at[s->count++] = ( bv_vec3 ){ x, y, z };
	}
}

// A shape whose farthest corners along `up` are at height 0.
static void make_solid( uint64_t* seed, double up, bool on_grid, solid* out )
{
	uint32_t kind = next_random( seed ) % 12;
	double scale = on_grid ? 1 : 0.3 + unit_random( seed );
	double stretch[2] = { scale, on_grid ? 1 : scale * ( 0.3 + unit_random( seed ) ) };
	static const double thin[] = { 1e-3, 1e-5, 1e-6 };
	stretch[1] *= kind == 9 ? pick( seed, thin, 3 ) : 1;
	uint32_t sides = 4;
	switch ( kind )
	{
	case 0:
	case 1:
	case 2: sides = 3 + next_random( seed ) % 6; break;
	case 3: sides = 9 + next_random( seed ) % 24; break;
	case 4:
	case 10: sides = 2; break;
	case 5:
	case 11: sides = 1; break;
	case 6: sides = 3; break;
	default: break;
	}
	sides = on_grid && sides > 4 ? 4 : sides;
	double phase = unit_random( seed ) * 2 * pi;
	bool is_even = next_random( seed ) % 2;
	for ( uint32_t i = 0; i < sides; ++i )
	{
		double angle = phase + 2 * pi * ( i + ( is_even ? 0 : 0.6 * unit_random( seed ) ) ) / sides;
		double x = on_grid ? ( i % 4 == 1 || i % 4 == 2 ? 1 : -1 ) : cos( angle );
		double y = on_grid ? ( i % 4 >= 2 ? 1 : -1 ) : sin( angle );
		add( out, sides == 1 ? 0 : stretch[0] * x, sides == 1 ? 0 : stretch[1] * y, 0 );
	}
	bool is_flat = kind == 6 || kind == 10 || kind == 11;
	uint32_t others = is_flat ? 0 : kind == 3 ? next_random( seed ) % 32 : 1 + next_random( seed ) % 12;
	if ( kind == 7 || kind == 8 || ( on_grid && sides == 4 ) )
	{
		for ( uint32_t i = 0; i < sides; ++i ) // a prism
		{
			add( out, out->at[i].x, out->at[i].y, -up * ( on_grid ? 1 : scale ) );
		}
		others = 0;
	}
	for ( uint32_t i = 0; i < others; ++i )
	{
		double depth = on_grid ? 1 : 0.1 + unit_random( seed );
		add( out, stretch[0] * random_coordinate( seed ), stretch[1] * random_coordinate( seed ),
		     -up * depth * scale );
	}
}

static void rotate( bv_vec3* at, uint32_t count, bv_quaternion q )
{
	bv_transform turn = bv_transform_identity();
	bv_transform_from_quaternion( q, ( bv_vec3 ){ 0, 0, 0 }, &turn );
	for ( uint32_t i = 0; i < count; ++i )
	{
		at[i] = bv_transform_point( &turn, at[i] );
	}
}

static void move( bv_vec3* at, uint32_t count, bv_vec3 by )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		at[i] = bv_add( at[i], by );
	}
}

static bv_quaternion about( bv_vec3 axis, double angle )
{
	double s = sin( 0.5 * angle );
	return ( bv_quaternion ){ s * axis.x, s * axis.y, s * axis.z, cos( 0.5 * angle ) };
}

void convex_rest_make( uint64_t index, convex_rest* out )
{
	uint64_t seed = index * UINT64_C( 0x9E3779B97F4A7C15 ) + 1;
	next_random( &seed );
	next_random( &seed );
	bool on_grid = index % 8 == 0;
	out->is_far = index % 4 == 3;
	static const double tilts[] = { 0, 0, 0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1 };
	static const double gaps[] = { 0,    0,     1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6,
		                           1e-3, -1e-3, -0.01, 0.01,   -0.1, 0.1,   -0.3, -0.001 };
	out->tilt = on_grid ? 0 : pick( &seed, tilts, sizeof tilts / sizeof *tilts );
	out->gap =
		on_grid ? ( next_random( &seed ) % 3 - 1.0 ) / 16 : pick( &seed, gaps, sizeof gaps / sizeof *gaps );
	solid body[2] = { { out->points[0], 0 }, { out->points[1], 0 } };
	make_solid( &seed, 1, on_grid, body );
	make_solid( &seed, -1, on_grid, body + 1 );
	if ( !on_grid && next_random( &seed ) % 8 )
	{
		rotate( body[1].at, body[1].count, about( ( bv_vec3 ){ 0, 0, 1 }, unit_random( &seed ) * 2 * pi ) );
	}
	double angle = unit_random( &seed ) * 2 * pi;
	if ( out->tilt > 0 )
	{
		rotate( body[1].at, body[1].count, about( ( bv_vec3 ){ cos( angle ), sin( angle ), 0 }, out->tilt ) );
	}
	double lowest = INFINITY;
	for ( uint32_t i = 0; i < body[1].count; ++i )
	{
		lowest = fmin( lowest, body[1].at[i].z );
	}
	double aside = next_random( &seed ) % 4 ? 0.7 : 0;
	bv_vec3 way = { on_grid ? rint( 8 * random_coordinate( &seed ) ) / 8 : aside * random_coordinate( &seed ),
		            on_grid ? rint( 8 * random_coordinate( &seed ) ) / 8 : aside * random_coordinate( &seed ),
		            out->gap - lowest };
	move( body[1].at, body[1].count, way );
	double scale = on_grid ? 1 : pow( 10, 2 * random_coordinate( &seed ) );
	for ( int which = 0; which < 2; ++which )
	{
		for ( uint32_t i = 0; i < body[which].count; ++i )
		{
			body[which].at[i] = bv_scale( scale, body[which].at[i] );
		}
	}
	out->size = scale;
	out->gap *= scale;
	bv_vec3 axis = random_direction( &seed );
	bv_quaternion turn = about( axis, on_grid ? 0 : unit_random( &seed ) * 2 * pi );
	double far = out->is_far ? 1e6 * scale : on_grid ? 0 : scale;
	bv_vec3 offset =
		bv_scale( far, ( bv_vec3 ){ random_coordinate( &seed ), random_coordinate( &seed ), 1 } );
	offset = on_grid && !out->is_far ? ( bv_vec3 ){ 0, 0, 0 } : offset;
	rotate( body[0].at, body[0].count, turn );
	move( body[0].at, body[0].count, offset );
	out->placement = bv_transform_identity();
	if ( next_random( &seed ) % 2 )
	{
		bv_transform_from_quaternion( turn, offset, &out->placement );
	}
	else
	{
		rotate( body[1].at, body[1].count, turn );
		move( body[1].at, body[1].count, offset );
	}
	for ( int which = 0; which < 2; ++which )
	{
		out->shape[which] = bv_convex_points( out->points[which], body[which].count, 0 );
	}
}
