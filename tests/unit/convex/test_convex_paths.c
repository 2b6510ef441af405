// Signed distances along lines through contact. A translation by s changes a signed distance by at most s, so intervals at two
// places of a line must allow that: there is no jump where GJK ends and EPA begins, or where a closed form or exact
// arithmetic takes over.

#include "convex_shapes.h"

#include "tests/reference/random.h"

#include <stdio.h>

enum
{
	most_kinds = 24,
	hull_corners = 20,
	decades = 13, // of distances to the place of contact: 1 to 1e-12
	steps_per_decade = 2,
	side = decades * steps_per_decade,
	places = 2 * side + 1,
};

// One shape of each kind, about 1 in size.
typedef struct shapes
{
	const char* name[most_kinds];
	bv_convex of[most_kinds];
	bool polytope[most_kinds]; // without a radius
	uint32_t count;
	bv_vec3 points[hull_corners];
	bv_vec3 flat[6];
} shapes;

static void add( shapes* s, const char* name, bool polytope, bv_convex shape )
{
	assert_true( s->count < most_kinds );
	s->name[s->count] = name;
	s->polytope[s->count] = polytope;
	s->of[s->count++] = shape;
}

static bv_convex with_radius( bv_convex shape, double radius )
{
	shape.radius = radius;
	return shape;
}

static bv_vec3 ball_support( const void* context, bv_vec3 d )
{
	return bv_scale( *(const double*)context / bv_length( d ), d );
}

static void make_shapes( fixture* f, shapes* s )
{
	static const double radius = 0.4;
	uint64_t seed = 5;
	bv_obb box = { .center = { 0.1, 0, 0 },
		           .axis = { { 0.6, 0.8, 0 }, { -0.8, 0.6, 0 }, { 0, 0, 1 } },
		           .half_extents = { 0.5, 0.4, 0.3 } };
	bv_obb plate = box;
	plate.half_extents[2] = 1e-4;
	bv_obb sheet = box;
	sheet.half_extents[2] = 0;
	bv_vec3 p = { -0.4, -0.3, 0.1 };
	bv_vec3 q = { 0.4, 0.2, -0.2 };
	bv_vec3 r = { 0.1, 0.5, 0.3 };
	for ( int i = 0; i < hull_corners; ++i )
	{
		s->points[i] = bv_scale( 0.5, random_direction( &seed ) );
	}
	for ( int i = 0; i < 6; ++i )
	{
		s->flat[i] = ( bv_vec3 ){ 0.5 * random_coordinate( &seed ), 0.5 * random_coordinate( &seed ), 0.125 };
	}
	bv_convex graph;
	assert_true( graph_of( f, s->points, hull_corners, &graph ) );
	bv_convex hull = bv_convex_points( s->points, hull_corners, 0 );
	s->count = 0;
	add( s, "point", true, bv_convex_point( p ) );
	add( s, "segment", true, bv_convex_segment( p, q ) );
	add( s, "triangle", true, bv_convex_triangle( p, q, r ) );
	add( s, "box", true, bv_convex_obb( &box ) );
	add( s, "cube", true, bv_convex_box( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0.5, 0.5, 0.5 } ) );
	add( s, "plate", true, bv_convex_obb( &plate ) );
	add( s, "sheet", true, bv_convex_obb( &sheet ) );
	add( s, "flat points", true, bv_convex_points( s->flat, 6, 0 ) );
	add( s, "points", true, hull );
	add( s, "graph", true, graph );
	add( s, "sphere", false, bv_convex_sphere( p, 0.4 ) );
	add( s, "capsule", false, bv_convex_capsule( p, q, 0.2 ) );
	add( s, "rounded triangle", false, with_radius( bv_convex_triangle( p, q, r ), 0.1 ) );
	add( s, "rounded box", false, with_radius( bv_convex_obb( &box ), 0.1 ) );
	add( s, "rounded points", false, with_radius( hull, 0.05 ) );
	add( s, "cylinder", false, bv_convex_cylinder( p, q, 0.3 ) );
	add( s, "disc", false, bv_convex_cylinder( ( bv_vec3 ){ 0, 0, -1e-3 }, ( bv_vec3 ){ 0, 0, 1e-3 }, 0.5 ) );
	add( s, "cone", false, bv_convex_cone( p, q, 0.4 ) );
	add( s, "ellipsoid", false, bv_convex_ellipsoid( &box ) );
	add( s, "support", false, bv_convex_support( ball_support, &radius ) );
	add( s, "half-space", false, bv_convex_half_space( ( bv_vec3 ){ 1, 2, 2 }, 0.3 ) );
}

// A line on which the second shape moves.
typedef struct path
{
	const bv_convex* shape[2];
	bv_transform at; // where the time is 0
	bv_vec3 way;     // of length 1
} path;

static bv_status query( const path* p, bv_convex_method method, bv_convex_cache* cache, double time,
                        bv_convex_result* out )
{
	const bv_convex_options options = { .method = method, .cache = cache };
	bv_transform at = p->at;
	at.pose.translation = bv_add( at.pose.translation, bv_scale( time, p->way ) );
	return bv_convex_distance( p->shape[0], p->shape[1], &at, &options, out );
}

static bool random_path( uint64_t* seed, const bv_convex* a, const bv_convex* b, path* out )
{
	bv_vec3 axis = random_direction( seed );
	double half = 1.5 * random_coordinate( seed );
	bv_quaternion q = { sin( half ) * axis.x, sin( half ) * axis.y, sin( half ) * axis.z, cos( half ) };
	if ( next_random( seed ) % 4 == 0 ) // faces and edges that are parallel
	{
		q = ( bv_quaternion ){ 0, 0, 0, 1 };
	}
	*out = ( path ){ .shape = { a, b }, .way = random_direction( seed ) };
	assert_int_equal( bv_transform_from_quaternion( q, bv_scale( 0.1, random_direction( seed ) ), &out->at ),
	                  bv_ok );
	return true;
}

// Where they touch: apart at 3, and at 0 next to each other or deep in each other.
static bool find_contact( const path* p, double* time )
{
	double deep = 0;
	double apart = 3;
	bv_convex_result r;
	if ( query( p, bv_convex_method_default, NULL, deep, &r ) != bv_ok || r.lower > 0 )
	{
		return false;
	}
	if ( query( p, bv_convex_method_default, NULL, apart, &r ) != bv_ok || !( r.lower > 0 ) )
	{
		return false; // half-spaces on whose side the line remains
	}
	while ( apart - deep > 0x1p-50 )
	{
		double middle = 0.5 * ( deep + apart );
		query( p, bv_convex_method_default, NULL, middle, &r );
		*( r.lower > 0 ? &apart : &deep ) = middle;
	}
	*time = apart;
	return true;
}

// Widths of intervals within 1e-6 of the contact, and how often one is above the bound of polytopes.
typedef struct widths
{
	double widest[2]; // of polytopes, of others
	uint32_t of[2][2];
	int queries[2];
} widths;

static double bound_of_polytopes( const bv_convex_result* r )
{
	return ( r->lower > 0 ? 1e-6 : 1e-5 ) * fabs( r->lower ) + 4 * 0x1p-52 * 4;
}

// From 1 to 1e-12 apart, and from there into each other.
static double place_of( int i )
{
	double size = pow( 10, -(double)( i < side ? i : 2 * side - i ) / steps_per_decade );
	return i < side ? size : i == side ? 0 : -size;
}

static void fail_at( const shapes* s, const uint32_t of[2], bv_convex_method method, const double* time,
                     const bv_convex_result* r, int i, int k )
{
	fail_msg( "%s, %s, %s: [%.17g, %.17g] at %.17g, [%.17g, %.17g] at %.17g", s->name[of[0]], s->name[of[1]],
	          bv_convex_method_name( method ), r[i].lower, r[i].upper, time[i], r[k].lower, r[k].upper,
	          time[k] );
}

static void check_path( const shapes* s, const uint32_t of[2], const path* p, double contact,
                        bv_convex_method method, bool cached, widths* w )
{
	static const double rounding = 1e-14; // of the translation, and of the sums here
	bv_convex_cache cache = { .count = 0 };
	bv_convex_result r[places];
	double time[places];
	for ( int i = 0; i < places; ++i )
	{
		time[i] = contact + place_of( i );
		bv_status status = query( p, method, cached ? &cache : NULL, time[i], r + i );
		if ( status == bv_error_unsupported && method != bv_convex_method_default )
		{
			return;
		}
		assert_int_equal( status, bv_ok );
		if ( !( r[i].lower <= r[i].upper ) )
		{
			fail_at( s, of, method, time, r, i, i );
		}
		for ( int k = 0; k < i; ++k )
		{
			double moved = fabs( time[i] - time[k] ) + rounding;
			if ( !( r[i].lower - r[k].upper <= moved && r[k].lower - r[i].upper <= moved ) )
			{
				fail_at( s, of, method, time, r, i, k );
			}
		}
		if ( method == bv_convex_method_default && fabs( place_of( i ) ) < 1.1e-6 )
		{
			int curved = !( s->polytope[of[0]] && s->polytope[of[1]] );
			double width = r[i].upper - r[i].lower;
			w->queries[curved] += 1;
			if ( width > w->widest[curved] )
			{
				w->widest[curved] = width;
				memcpy( w->of[curved], of, 2 * sizeof *of );
			}
			if ( !curved && width > bound_of_polytopes( r + i ) )
			{
				fail_at( s, of, method, time, r, i, i );
			}
		}
	}
}

static void signed_distances_do_not_jump_at_contact( void** state )
{
	fixture* f = *state;
	shapes s;
	widths w = { .widest = { 0, 0 } };
	uint64_t seed = 6;
	make_shapes( f, &s );
	int paths = is_thorough() ? 100000 : 2000;
	int done = 0;
	for ( int i = 0; done < paths; ++i )
	{
		const uint32_t of[2] = { next_random( &seed ) % s.count, next_random( &seed ) % s.count };
		path p;
		double contact;
		random_path( &seed, s.of + of[0], s.of + of[1], &p );
		if ( !find_contact( &p, &contact ) )
		{
			continue;
		}
		bv_convex_method other = (bv_convex_method)( 1 + done % ( bv_convex_methods - 1 ) );
		check_path( &s, of, &p, contact, bv_convex_method_default, done % 2, &w );
		check_path( &s, of, &p, contact, other, done % 3 == 0, &w );
		++done;
	}
	for ( int k = 0; k < 2; ++k )
	{
		print_message( "%d paths, %d queries within 1e-6 of a contact of %s: widest interval %.2g (%s, %s)\n",
		               done, w.queries[k], k ? "curved shapes" : "polytopes", w.widest[k], s.name[w.of[k][0]],
		               s.name[w.of[k][1]] );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( signed_distances_do_not_jump_at_contact ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
