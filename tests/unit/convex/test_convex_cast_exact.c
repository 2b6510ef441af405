// Casts of polytopes against exact times, by all methods.
//
// Coordinates are small integers, so that corners, edges and faces often meet exactly, and pass each other without one more
// point in common. tests/reference/casts.h finds the first time as a ratio of integers.

#include "support.h"

#include "bv/convex.h"
#include "tests/reference/casts.h"

enum
{
	most_corners = 8,
	cases = 2000,
};

typedef struct shape
{
	int count;
	cast_vec corner[most_corners];
	bv_vec3 point[most_corners];
} shape;

typedef struct scene
{
	shape of[2];
	cast_vec motion[2]; // of each
	double unit;        // of coordinates, a power of two
} scene;

static int64_t random_integer( fixture* f, int64_t most )
{
	return (int64_t)( random_bits( f ) % (uint64_t)( 2 * most + 1 ) ) - most;
}

static bv_vec3 scaled( double unit, cast_vec v )
{
	return bv_vec3_make( unit * (double)v.x[0], unit * (double)v.x[1], unit * (double)v.x[2] );
}

// Points, segments, triangles and flat shapes among others.
static void random_shape( fixture* f, int64_t most, cast_vec center, double unit, shape* out )
{
	int kind = (int)( random_bits( f ) % 8 );
	out->count = kind < 3 ? kind + 1 : 4 + (int)( random_bits( f ) % 2 );
	for ( int i = 0; i < out->count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out->corner[i].x[k] = center.x[k] + ( kind == 3 && k == 2 ? 0 : random_integer( f, most ) );
		}
		out->point[i] = scaled( unit, out->corner[i] );
	}
}

static void random_scene( fixture* f, int number, scene* out )
{
	static const int64_t sizes[] = { 1, 2, 4, 60 };
	int64_t size = sizes[number % 4];
	cast_vec center[2] = { { { 0, 0, 0 } }, { { 0, 0, 0 } } };
	for ( int k = 0; k < 3; ++k )
	{
		// Most move to the other one's center, or past it.
		center[1].x[k] = random_integer( f, 4 * size );
		out->motion[0].x[k] = number % 3 == 0 ? random_integer( f, size ) : 0;
		out->motion[1].x[k] =
			random_integer( f, 1 ) - ( number % 8 == 0 ? 0 : ( 1 + number % 2 ) * center[1].x[k] );
	}
	out->unit = ldexp( 1, number % 5 == 0 ? -30 : number % 7 == 0 ? 40 : 0 );
	random_shape( f, size, center[0], out->unit, out->of );
	random_shape( f, size, center[1], out->unit, out->of + 1 );
}

static bool exact_times( const scene* s, cast_ratio* first, cast_ratio* last )
{
	cast_vec relative;
	for ( int k = 0; k < 3; ++k )
	{
		relative.x[k] = s->motion[1].x[k] - s->motion[0].x[k];
	}
	if ( relative.x[0] == 0 && relative.x[1] == 0 && relative.x[2] == 0 )
	{
		return false;
	}
	return cast_times( s->of[0].corner, s->of[0].count, s->of[1].corner, s->of[1].count, relative, first,
	                   last );
}

static bv_convex convex_of( const shape* s )
{
	return bv_convex_points( s->point, (uint32_t)s->count, 0 );
}

static void assert_meets( const scene* s, const bv_convex_cast_options* o, const cast_ratio* first,
                          double range )
{
	bv_convex a = convex_of( s->of );
	bv_convex b = convex_of( s->of + 1 );
	for ( int swap = 0; swap < 2; ++swap )
	{
		bv_convex_cast_result r;
		assert_int_equal( bv_convex_cast( swap ? &b : &a, swap ? &a : &b, NULL,
		                                  scaled( s->unit, s->motion[swap] ),
		                                  scaled( s->unit, s->motion[1 - swap] ), o, &r ),
		                  bv_ok );
		if ( o->method == bv_convex_cast_method_sampled && !r.found )
		{
			assert_false( r.certain );
			assert_true( cast_compare( r.lower, first ) <= 0 );
			continue;
		}
		assert_true( r.found );
		assert_true( r.certain );
		assert_true( cast_compare( r.lower, first ) <= 0 || first->above <= 0 );
		assert_true( cast_compare( r.upper, first ) >= 0 );
		assert_int_equal( r.at_start, first->above <= 0 );
		if ( o->method != bv_convex_cast_method_sampled )
		{
			assert_true( r.upper - r.lower <= 1e-6 * range );
		}
		assert_true( fabs( bv_length( r.normal ) - 1 ) < 1e-12 );
	}
}

static void assert_misses( const scene* s, const bv_convex_cast_options* o )
{
	bv_convex a = convex_of( s->of );
	bv_convex b = convex_of( s->of + 1 );
	for ( int swap = 0; swap < 2; ++swap )
	{
		bv_convex_cast_result r;
		assert_int_equal( bv_convex_cast( swap ? &b : &a, swap ? &a : &b, NULL,
		                                  scaled( s->unit, s->motion[swap] ),
		                                  scaled( s->unit, s->motion[1 - swap] ), o, &r ),
		                  bv_ok );
		assert_false( r.found );
		assert_true( r.certain || o->method == bv_convex_cast_method_sampled );
	}
}

// The exact times are those of tests/reference/casts.h.
static void intervals_contain_exact_times_for_all_methods( void** state )
{
	fixture* f = *state;
	int met[3] = { 0, 0, 0 };
	int counted = is_thorough() ? 100 * cases : cases;
	for ( int i = 0; i < counted; ++i )
	{
		scene s;
		cast_ratio first;
		cast_ratio last;
		random_scene( f, i, &s );
		bool ever = exact_times( &s, &first, &last );
		bool meets = ever && last.above >= 0 && first.above <= first.below;
		if ( s.motion[0].x[0] == s.motion[1].x[0] && s.motion[0].x[1] == s.motion[1].x[1] &&
		     s.motion[0].x[2] == s.motion[1].x[2] )
		{
			continue;
		}
		++met[meets ? ( first.above * last.below == last.above * first.below ? 2 : 1 ) : 0];
		for ( int m = 0; m < bv_convex_cast_methods; ++m )
		{
			bv_convex_cast_options o = { .method = (bv_convex_cast_method)m };
			if ( m == bv_convex_cast_method_balls )
			{
				continue;
			}
			if ( meets )
			{
				assert_meets( &s, &o, &first, 1 );
			}
			else
			{
				assert_misses( &s, &o );
			}
		}
	}
	assert_true( met[0] > cases / 10 && met[1] > cases / 10 && met[2] > cases / 50 );
}

// A turn by 90 degrees about z, after the reflection at x = 0 if there is one.
static cast_vec placed( cast_vec v, bool mirror, int64_t scale, cast_vec moved )
{
	int64_t x = scale * ( mirror ? -v.x[0] : v.x[0] );
	return ( cast_vec ){ { moved.x[0] - scale * v.x[1], moved.x[1] + x, moved.x[2] + scale * v.x[2] } };
}

// Scaled, mirrored and turned corners are integers again. Far from the origin, too.
static void placements_are_exact( void** state )
{
	fixture* f = *state;
	int met = 0;
	for ( int i = 0; i < 400; ++i )
	{
		scene s;
		cast_ratio first;
		cast_ratio last;
		random_scene( f, 5 * i + 1, &s );
		int64_t far = i % 4 == 0 ? 1000000 : 0;
		cast_vec moved = { { far + random_integer( f, 3 ), random_integer( f, 3 ), random_integer( f, 3 ) } };
		int64_t scale = i % 3 + 1;
		bool mirror = i % 2 == 0;
		bv_transform at = bv_transform_translation( s.unit * (double)moved.x[0], s.unit * (double)moved.x[1],
		                                            s.unit * (double)moved.x[2] );
		const double turn[3][3] = { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } };
		memcpy( at.pose.rotation, turn, sizeof turn );
		at.scale = (double)scale;
		at.mirror = mirror;
		bv_convex b = convex_of( s.of + 1 );
		shape local = s.of[1];
		b.points = local.point;
		for ( int k = 0; k < s.of[0].count; ++k )
		{
			s.of[0].corner[k].x[0] += far;
			s.of[0].point[k] = scaled( s.unit, s.of[0].corner[k] );
		}
		for ( int k = 0; k < s.of[1].count; ++k )
		{
			s.of[1].corner[k] = placed( s.of[1].corner[k], mirror, scale, moved );
		}
		for ( int k = 0; k < 3; ++k )
		{
			int64_t way = s.of[0].corner[0].x[k] - s.of[1].corner[0].x[k];
			s.motion[1].x[k] = s.motion[0].x[k] + ( 1 + i % 2 ) * way + random_integer( f, 1 );
		}
		bv_convex a = convex_of( s.of );
		bool ever = exact_times( &s, &first, &last );
		bool meets = ever && last.above >= 0 && first.above <= first.below;
		bv_convex_cast_result r;
		bv_status status = bv_convex_cast( &a, &b, &at, scaled( s.unit, s.motion[0] ),
		                                   scaled( s.unit, s.motion[1] ), NULL, &r );
		assert_int_equal( status, bv_ok );
		if ( memcmp( s.motion, s.motion + 1, sizeof *s.motion ) == 0 )
		{
			continue;
		}
		assert_true( r.certain );
		assert_int_equal( r.found, meets );
		if ( meets )
		{
			++met;
			assert_true( cast_compare( r.lower, &first ) <= 0 || first.above <= 0 );
			assert_true( cast_compare( r.upper, &first ) >= 0 );
			assert_true( r.upper - r.lower <= 1e-6 );
		}
	}
	assert_true( met > 100 && met < 350 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( intervals_contain_exact_times_for_all_methods ),
		fixture_test( placements_are_exact ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
