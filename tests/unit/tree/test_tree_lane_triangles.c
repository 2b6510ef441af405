// Triangles in lanes, against each other. What is expected is known from how pairs are
// made, which is apart by a gap along a direction, and from separating axes in binary128 of the same numbers.

#include "lane_shapes.h"

enum
{
	cases = 5000,
};

static void set_corner( bvtree_lane_triangles* c, uint32_t lane, int corner, bv_vec3 p )
{
	for ( int i = 0; i < 3; ++i )
	{
		c->corner[corner][i][lane] = (float)bvmath_component( p, i );
	}
}

// Of all shapes: slivers, needles, segments and points are among them.
static void random_shape( fixture* f, double size, bv_vec3 out[3] )
{
	bv_vec3 p = bv_scale( 2 * size, random_direction( f ) );
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bv_add( p, bv_scale( size * random_unit( f ), random_direction( f ) ) );
	}
	uint32_t thin = random_bits( f ) % 16;
	if ( thin < 3 )
	{
		bv_vec3 between = bv_add( bv_scale( 0.4, out[0] ), bv_scale( 0.6, out[1] ) );
		double aside = thin == 0 ? 0 : thin == 1 ? 1e-6 : 1e-3;
		out[2] = bv_add( between, bv_scale( aside, bv_sub( out[2], between ) ) );
		out[1] = random_bits( f ) % 4 == 0 ? out[0] : out[1];
	}
}

// With no edge shorter than half of another and no small angle.
static void random_round_shape( fixture* f, double size, bv_vec3 out[3] )
{
	bv_vec3 x = random_direction( f );
	bv_vec3 y = bv_cross( x, random_direction( f ) );
	y = bv_scale( 1 / sqrt( bv_dot( y, y ) ), y );
	bv_vec3 center = bv_scale( 2 * size, random_direction( f ) );
	const double around[3][2] = { { 1, 0 }, { -0.5, 0.8 }, { -0.5, -0.8 } };
	for ( int k = 0; k < 3; ++k )
	{
		double u = around[k][0] + random_within( f, -0.1, 0.1 );
		double v = around[k][1] + random_within( f, -0.1, 0.1 );
		out[k] = bv_add( center, bv_scale( size, bv_add( bv_scale( u, x ), bv_scale( v, y ) ) ) );
	}
}

// A random point of those that are outermost along `d`.
static bv_vec3 outermost_of( fixture* f, const bv_vec3 corner[3], bv_vec3 d )
{
	double most = -HUGE_VAL;
	double size = 0;
	for ( int k = 0; k < 3; ++k )
	{
		most = fmax( most, bv_dot( corner[k], d ) );
		size = fmax( size, bvmath_norm1( corner[k] ) );
	}
	bv_vec3 p = { 0, 0, 0 };
	double weight = 0;
	for ( int k = 0; k < 3; ++k )
	{
		if ( bv_dot( corner[k], d ) > most - 1e-9 * size )
		{
			double w = 0.01 + random_unit( f );
			p = bv_add( p, bv_scale( w, corner[k] ) );
			weight += w;
		}
	}
	return bv_scale( 1 / weight, p );
}

static bv_vec3 edge_of( const bv_vec3 corner[3], uint32_t k )
{
	return bv_sub( corner[( k + 1 ) % 3], corner[k] );
}

static bv_vec3 unit_or_random( fixture* f, bv_vec3 d, double scale )
{
	double length = sqrt( bv_dot( d, d ) );
	return length > 1e-3 * scale ? bv_scale( 1 / length, d ) : random_direction( f );
}

// @param kind  0: a's normal; 1: b's; 2 to 10: products of edges; else any direction
static bv_vec3 triangle_candidate( fixture* f, const bv_vec3 a[3], const bv_vec3 b[3], uint32_t kind,
                                   double scale )
{
	bv_vec3 d = kind == 0   ? bv_cross( edge_of( a, 0 ), edge_of( a, 1 ) )
	            : kind == 1 ? bv_cross( edge_of( b, 0 ), edge_of( b, 1 ) )
	            : kind < 11 ? bv_cross( edge_of( a, ( kind - 2 ) / 3 ), edge_of( b, ( kind - 2 ) % 3 ) )
	                        : ( bv_vec3 ){ 0, 0, 0 };
	return unit_or_random( f, d, scale );
}

// Moves `b` to where it is `gap` from `a` along `d`.
static void move_apart( fixture* f, const bv_vec3 a[3], bv_vec3 b[3], bv_vec3 d, double gap )
{
	bv_vec3 from = outermost_of( f, a, d );
	bv_vec3 to = outermost_of( f, b, bv_negate( d ) );
	bv_vec3 move = bv_add( bv_sub( from, to ), bv_scale( gap, d ) );
	for ( int k = 0; k < 3; ++k )
	{
		b[k] = bv_add( b[k], move );
	}
}

// Eight pairs, in units of 2^exponent, apart or inside of each other by some 10^-9 to 10^most of their sizes.
// @param along  receives in which direction b is from a
static void random_triangles( fixture* f, int exponent, double most, bvtree_lane_triangles* a,
                              bvtree_lane_triangles* b, bv_vec3 along[8] )
{
	for ( uint32_t lane = 0; lane < 8; ++lane )
	{
		double size_a = ldexp( 1, exponent );
		double size_b = size_a * pow( 10, random_within( f, -2, 2 ) );
		bv_vec3 p[3];
		bv_vec3 q[3];
		random_shape( f, size_a, p );
		random_shape( f, size_b, q );
		along[lane] = triangle_candidate( f, p, q, random_bits( f ) % 13, size_a * size_b );
		move_apart( f, p, q, along[lane],
		            ( size_a + size_b ) * random_within( f, -1, 1 ) *
		                pow( 10, random_within( f, -9, most ) ) );
		for ( int k = 0; k < 3; ++k )
		{
			set_corner( a, lane, k, p[k] );
			set_corner( b, lane, k, q[k] );
		}
	}
}

// Pairs that touch or nearly do.
static void random_close_triangles( fixture* f, int exponent, bvtree_lane_triangles* a,
                                    bvtree_lane_triangles* b )
{
	bv_vec3 along[8];
	random_triangles( f, exponent, -5, a, b, along );
}

static bool triangles_truly_apart( const bvtree_lane_triangles* a, const bvtree_lane_triangles* b,
                                   uint32_t lane )
{
	solid one = solid_triangle( a, lane );
	solid other = solid_triangle( b, lane );
	return truly_apart( &one, &other );
}

static uint32_t near_lanes( const bvtree_lanes* level, const bvtree_lane_triangles* a,
                            const bvtree_lane_triangles* b, uint32_t count, float tolerance )
{
	uint32_t certain;
	return level->triangles( a, b, count, tolerance, &certain );
}

static void no_triangles_that_touch_are_apart( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int touching = 0;
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		random_close_triangles( f, (int)( random_bits( f ) % 60 ) - 30, &a, &b );
		uint32_t near = near_lanes( level, &a, &b, 8, 0 );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			if ( !triangles_truly_apart( &a, &b, lane ) )
			{
				touching += 1;
				assert_true( near >> lane & 1 );
			}
		}
	}
	assert_in_range( touching, cases, 7 * cases );
}

// Triangles that touch are moved back along their way, by all of it or a part. What is passed at a distance is apart.
static void triangles_are_compared_along_their_way( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* best = bvtree_lanes_best();
	int touching = 0;
	int passed = 0;
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		float way[3][8];
		double part[8];
		int exponent = (int)( random_bits( f ) % 60 ) - 30;
		random_close_triangles( f, exponent, &a, &b );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			double length = ldexp( pow( 10, random_within( f, -3, 1 ) ), exponent );
			part[lane] = lane == 0 ? 1 : lane == 1 ? -1 : random_within( f, -1, 1 );
			bv_vec3 along = bv_scale( length, random_direction( f ) );
			const double at[3] = { along.x, along.y, along.z };
			for ( int k = 0; k < 9; ++k )
			{
				way[k % 3][lane] = (float)at[k % 3];
				float* x = &b.corner[k / 3][k % 3][lane];
				*x = (float)( *x - part[lane] * way[k % 3][lane] );
			}
		}
		uint32_t near = best->moving_triangles( &a, &b, way, 8, 0 );
		for ( uint32_t index = 0; bvtree_lanes_level( index ); ++index )
		{
			assert_int_equal( bvtree_lanes_level( index )->moving_triangles( &a, &b, way, 8, 0 ), near );
		}
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			solid one = solid_triangle( &a, lane );
			solid other = solid_triangle( &b, lane );
			for ( int k = 0; k < 9; ++k )
			{
				other.corner[k / 3].at[k % 3] += (quad)part[lane] * way[k % 3][lane];
			}
			bool touches = !truly_apart( &one, &other );
			assert_true( !touches || ( near >> lane & 1 ) );
			touching += touches;
			passed += !( near >> lane & 1 );
		}
	}
	assert_in_range( touching, cases, 7 * cases );
	// Those that are apart at the part are so by 1e-5 and less: the way alone tells how many pass each other.
	assert_true( passed > 0 );
	float still[3][8] = { { 0 } };
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		random_close_triangles( f, 0, &a, &b );
		assert_int_equal( best->moving_triangles( &a, &b, still, 8, 0 ), near_lanes( best, &a, &b, 8, 0 ) );
	}
}

// Triangles with a gap along an axis, and a way of ten times their size at right angles to it.
static void triangles_pass_each_other( void** state )
{
	fixture* f = *state;
	int found = 0;
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a = { 0 };
		bvtree_lane_triangles b = { 0 };
		bv_vec3 p[3];
		bv_vec3 q[3];
		float way[3][8] = { { 0 } };
		random_round_shape( f, 1, p );
		random_round_shape( f, 1, q );
		uint32_t kind = (uint32_t)i % 11;
		bv_vec3 axis = kind == 0 ? bv_cross( edge_of( p, 0 ), edge_of( p, 1 ) )
		               : kind == 1
		                   ? bv_cross( edge_of( q, 0 ), edge_of( q, 1 ) )
		                   : bv_cross( edge_of( p, ( kind - 2 ) / 3 ), edge_of( q, ( kind - 2 ) % 3 ) );
		if ( bv_length( axis ) < 0.1 )
		{
			continue;
		}
		bv_vec3 d = bv_normalize( axis );
		move_apart( f, p, q, d, 1e-2 );
		uint32_t lane = random_bits( f ) % 8;
		bv_vec3 along = bv_scale( 10, bv_normalize( bv_cross( d, random_direction( f ) ) ) );
		way[0][lane] = (float)along.x;
		way[1][lane] = (float)along.y;
		way[2][lane] = (float)along.z;
		for ( int k = 0; k < 3; ++k )
		{
			set_corner( &a, lane, k, p[k] );
			set_corner( &b, lane, k, q[k] );
		}
		assert_false( bvtree_lanes_best()->moving_triangles( &a, &b, way, 8, 0 ) >> lane & 1 );
		found += 1;
	}
	assert_true( found > cases / 2 );
}

// A ten-thousandth of the size of both, for triangles without small angles and products of edges that are not
// nearly parallel.
static void small_gaps_between_triangles_are_found( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a = { 0 };
		bvtree_lane_triangles b = { 0 };
		bv_vec3 p[3];
		bv_vec3 q[3];
		double size = pow( 10, random_within( f, -2, 2 ) );
		random_round_shape( f, 1, p );
		random_round_shape( f, size, q );
		bv_vec3 d = triangle_candidate( f, p, q, (uint32_t)i % 11, 500 * size );
		move_apart( f, p, q, d, 1e-4 * ( 1 + size ) );
		uint32_t lane = random_bits( f ) % 8;
		for ( int k = 0; k < 3; ++k )
		{
			set_corner( &a, lane, k, p[k] );
			set_corner( &b, lane, k, q[k] );
		}
		if ( triangles_truly_apart( &a, &b, lane ) )
		{
			assert_false( near_lanes( level, &a, &b, 8, 0 ) >> lane & 1 );
		}
	}
}

// Each coordinate of all lanes, up or down by what is short of a tolerance.
static void shake( fixture* f, bvtree_lane_triangles* c, float tolerance )
{
	for ( int k = 0; k < 72; ++k )
	{
		float* x = &c->corner[k / 24][k / 8 % 3][k % 8];
		*x += ( random_bits( f ) % 2 ? 0.999f : -0.999f ) * tolerance;
	}
}

// Touching, then each coordinate moved by the tolerance, up or down.
static void a_tolerance_covers_corners_that_are_off( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int closed = 0;
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		random_close_triangles( f, 0, &a, &b );
		bool touched[8];
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			touched[lane] = !triangles_truly_apart( &a, &b, lane );
		}
		float tolerance = (float)pow( 10, random_within( f, -5, -2 ) );
		shake( f, &a, tolerance );
		shake( f, &b, tolerance );
		uint32_t near = near_lanes( level, &a, &b, 8, tolerance );
		uint32_t without = near_lanes( level, &a, &b, 8, 0 );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			assert_true( !touched[lane] || near >> lane & 1 );
			closed += touched[lane] && !( without >> lane & 1 );
		}
	}
	assert_true( closed > cases );
}

// Each triangle by what is short of a tolerance, a against the direction and b in it.
static void pull_apart( bvtree_lane_triangles* a, bvtree_lane_triangles* b, const bv_vec3 along[8],
                        float tolerance )
{
	for ( int k = 0; k < 72; ++k )
	{
		float by = 0.999f * tolerance * ( bvmath_component( along[k % 8], k / 8 % 3 ) < 0 ? -1 : 1 );
		a->corner[k / 24][k / 8 % 3][k % 8] -= by;
		b->corner[k / 24][k / 8 % 3][k % 8] += by;
	}
}

// Of all shapes, wherever corners really are.
static void triangles_that_certainly_meet_do( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int meeting = 0;
	for ( int i = 0; i < 3 * cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		bv_vec3 along[8];
		random_triangles( f, i % 3 ? 0 : (int)( random_bits( f ) % 60 ) - 30, -1, &a, &b, along );
		float tolerance = i % 3 ? (float)pow( 10, random_within( f, -6, -2 ) ) : 0;
		uint32_t certain;
		uint32_t near = level->triangles( &a, &b, 8, tolerance, &certain );
		assert_int_equal( certain & ~near, 0 );
		if ( i % 3 == 1 )
		{
			shake( f, &a, tolerance );
			shake( f, &b, tolerance );
		}
		else
		{
			pull_apart( &a, &b, along, tolerance );
		}
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			assert_true( !( certain >> lane & 1 ) || !triangles_truly_apart( &a, &b, lane ) );
			meeting += certain >> lane & 1;
		}
	}
	assert_in_range( meeting, cases / 2, 8 * cases );
}

// Without small angles, and up to half of their size inside of each other.
static void most_that_meet_certainly_do( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	int meeting = 0;
	int certainly = 0;
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a = { 0 };
		bvtree_lane_triangles b = { 0 };
		bv_vec3 p[3];
		bv_vec3 q[3];
		random_round_shape( f, 1, p );
		random_round_shape( f, pow( 10, random_within( f, -1, 1 ) ), q );
		move_apart( f, p, q, random_direction( f ), -0.5 * random_unit( f ) );
		uint32_t lane = random_bits( f ) % 8;
		for ( int k = 0; k < 3; ++k )
		{
			set_corner( &a, lane, k, p[k] );
			set_corner( &b, lane, k, q[k] );
		}
		uint32_t certain;
		uint32_t swapped;
		level->triangles( &a, &b, 8, 0, &certain );
		level->triangles( &b, &a, 8, 0, &swapped );
		bool meet = !triangles_truly_apart( &a, &b, lane );
		meeting += meet;
		certainly += certain >> lane & 1;
		assert_true( meet || !( ( certain | swapped ) >> lane & 1 ) );
	}
	assert_true( meeting > cases / 4 && certainly > 0.99 * meeting );
}

#ifdef __SSE2__
static void flushing_denormal_numbers_parts_nothing_that_touches( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	for ( int i = 0; i < 2 * cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		int exponent = (int)( random_bits( f ) % 100 ) - 120;
		bv_vec3 along[8];
		random_triangles( f, exponent, i % 2 ? -5 : -1, &a, &b, along );
		unsigned before = flush_denormals();
		uint32_t certain;
		uint32_t pairs = level->triangles( &a, &b, 8, 0, &certain );
		_mm_setcsr( before );
		for ( uint32_t lane = 0; lane < 8; ++lane )
		{
			bool apart = triangles_truly_apart( &a, &b, lane );
			assert_true( apart ? !( certain >> lane & 1 ) : pairs >> lane & 1 );
		}
	}
}
#endif

static void assert_levels_agree( const bvtree_lane_triangles* a, const bvtree_lane_triangles* b,
                                 uint32_t count, float tolerance )
{
	uint32_t certain;
	uint32_t pairs = bvtree_lanes_level( 0 )->triangles( a, b, count, tolerance, &certain );
	assert_int_equal( pairs >> count, 0 );
	assert_int_equal( certain & ~pairs, 0 );
	const bvtree_lanes* level;
	for ( uint32_t index = 1; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
	{
		uint32_t same;
		assert_int_equal( level->triangles( a, b, count, tolerance, &same ), pairs );
		assert_int_equal( same, certain );
	}
}

static void all_levels_give_the_same_lanes( void** state )
{
	fixture* f = *state;
	static const float special[] = { 0,       -0.0f,           0x1p-149f, -0x1p-126f, 0x1p-50f,
		                             0x1p60f, 0x1.fffffep127f, INFINITY,  -INFINITY,  NAN };
	for ( int i = 0; i < 2 * cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		random_close_triangles( f, 0, &a, &b );
		for ( int k = 0; i % 2 && k < 16; ++k )
		{
			uint32_t at = random_bits( f ) % 72;
			float x = special[random_bits( f ) % ( sizeof special / sizeof *special )];
			*( random_bits( f ) % 2 ? &a.corner[at / 24][at / 8 % 3][at % 8]
			                        : &b.corner[at / 24][at / 8 % 3][at % 8] ) = x;
		}
		assert_levels_agree( &a, &b, 1 + random_bits( f ) % 8, i % 3 ? 0 : 1e-4f );
	}
}

// Far apart but for one coordinate, that overflowed or is none.
static void nothing_is_apart_that_is_not_finite( void** state )
{
	fixture* f = *state;
	const bvtree_lanes* level = bvtree_lanes_best();
	static const float none[] = { INFINITY, -INFINITY, NAN };
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_triangles a;
		bvtree_lane_triangles b;
		random_close_triangles( f, 0, &a, &b );
		for ( int k = 0; k < 72; ++k )
		{
			b.corner[k / 24][k / 8 % 3][k % 8] += 1000;
		}
		uint32_t lane = random_bits( f ) % 8;
		assert_int_equal( near_lanes( level, &a, &b, 8, 0 ), 0 );
		b.corner[random_bits( f ) % 3][random_bits( f ) % 3][lane] = none[i % 3];
		assert_int_equal( near_lanes( level, &a, &b, 8, 0 ), 1u << lane );
		assert_int_equal( near_lanes( level, &b, &a, 8, 0 ), 1u << lane );
	}
}

// Two triangles that cross, at the far ends of what binary32 holds.
static void the_far_ends_of_the_range_hold( void** state )
{
	(void)state;
	const float cross[2][3][3] = { { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 2, 0 } },
		                           { { 0, 0, -1 }, { 0, 0, 1 }, { 2, 0.5f, 0 } } };
	for ( int exponent = -149; exponent <= 126; ++exponent )
	{
		bvtree_lane_triangles a = { 0 };
		bvtree_lane_triangles b = { 0 };
		float unit = ldexpf( 1, exponent );
		for ( int k = 0; k < 9; ++k )
		{
			a.corner[k / 3][k % 3][5] = unit * cross[0][k / 3][k % 3];
			b.corner[k / 3][k % 3][5] = unit * cross[1][k / 3][k % 3];
		}
		uint32_t certain;
		assert_int_equal( bvtree_lanes_best()->triangles( &a, &b, 8, 0, &certain ) & 32, 32 );
		assert_true( certain == 32 || exponent < -40 || exponent > 40 );
	}
}

// Flat bounds and points are among them.
static void random_bounds( fixture* f, double size, bvtree_lane_bounds* out )
{
	for ( int lane = 0; lane < 8; ++lane )
	{
		for ( int i = 0; i < 3; ++i )
		{
			double width = random_bits( f ) % 4 ? 0.3 * random_unit( f ) : 0;
			out->lower[i][lane] = (float)( size * random_within( f, -1, 1 ) );
			out->upper[i][lane] = (float)( out->lower[i][lane] + size * width );
		}
	}
}

// The widest gap along a coordinate. Differences of binary32 numbers that are no farther from each other than 2^29 are exact in binary64.
static double widest_gap( const bvtree_lane_bounds* a, int lane_a, const bvtree_lane_bounds* b, int lane_b )
{
	double widest = -HUGE_VAL;
	for ( int i = 0; i < 3; ++i )
	{
		widest = fmax( widest, (double)a->lower[i][lane_a] - b->upper[i][lane_b] );
		widest = fmax( widest, (double)b->lower[i][lane_b] - a->upper[i][lane_a] );
	}
	return widest;
}

static void bounds_are_apart_that_no_tolerance_closes( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < cases; ++i )
	{
		bvtree_lane_bounds a;
		bvtree_lane_bounds b;
		double size = ldexp( 1, (int)( random_bits( f ) % 60 ) - 30 );
		float tolerance = (float)( size * pow( 2, random_within( f, -24, -1 ) ) );
		random_bounds( f, size, &a );
		random_bounds( f, size, &b );
		int count = 1 + (int)( random_bits( f ) % 8 );
		int each = 1 + (int)( random_bits( f ) % 8 );
		const bvtree_lanes* level;
		for ( uint32_t index = 0; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
		{
			uint8_t near[8];
			level->bounds( &a, (uint32_t)count, &b, (uint32_t)each, tolerance, near );
			for ( int k = 0; k < each; ++k )
			{
				assert_int_equal( near[k] >> count, 0 );
				for ( int lane = 0; lane < count; ++lane )
				{
					double gap = widest_gap( &a, lane, &b, k );
					bool is_near = near[k] >> lane & 1;
					assert_true( gap > 2 * tolerance || is_near );
					assert_true( gap < 4.01 * tolerance || !is_near );
				}
			}
		}
	}
}

// No bounds are apart of what is not finite, with the tolerance of corners that were.
static void infinite_bounds_are_not_apart( void** state )
{
	fixture* f = *state;
	const float none[] = { INFINITY, -INFINITY, NAN };
	for ( int i = 0; i < 300; ++i )
	{
		bvtree_lane_bounds a;
		bvtree_lane_bounds b;
		random_bounds( f, 1, &a );
		random_bounds( f, 1, &b );
		a.lower[i % 3][0] = none[i / 3 % 3];
		const bvtree_lanes* level;
		for ( uint32_t index = 0; ( level = bvtree_lanes_level( index ) ) != NULL; ++index )
		{
			uint8_t near[8];
			level->bounds( &a, 1, &b, 1, INFINITY, near );
			assert_int_equal( near[0], 1 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_triangles_that_touch_are_apart ),
		fixture_test( triangles_are_compared_along_their_way ),
		fixture_test( triangles_pass_each_other ),
		fixture_test( small_gaps_between_triangles_are_found ),
		fixture_test( a_tolerance_covers_corners_that_are_off ),
		fixture_test( triangles_that_certainly_meet_do ),
		fixture_test( most_that_meet_certainly_do ),
#ifdef __SSE2__
		fixture_test( flushing_denormal_numbers_parts_nothing_that_touches ),
#endif
		fixture_test( all_levels_give_the_same_lanes ),
		fixture_test( nothing_is_apart_that_is_not_finite ),
		fixture_test( the_far_ends_of_the_range_hold ),
		fixture_test( bounds_are_apart_that_no_tolerance_closes ),
		fixture_test( infinite_bounds_are_not_apart ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
