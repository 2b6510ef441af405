// Convex shapes against meshes: distances, overlaps and casts agree with those of all triangles one by one. Polytopes are judged
// by exact arithmetic (tests/reference/convex_exact.h), other shapes by the intervals of bv_convex_distance and bv_convex_cast,
// which are certain.

#include "queries.h"

#include "../convex/convex_shapes.h"

#include "tests/reference/convex_exact.h"

#include <stdio.h>

enum
{
	most_triangles = 40,
	kinds_of_shapes = 15,
};

static bv_vec3 support_of_ball( const void* context, bv_vec3 direction )
{
	const bv_sphere* ball = context;
	double length = sqrt( direction.x * direction.x + direction.y * direction.y + direction.z * direction.z );
	return plus( ball->center, ball->radius / length, direction );
}

// What shapes refer to.
typedef struct sources
{
	const bv_file* hull;     // with the section hull-topology
	const bv_file* no_faces; // without
	const bv_file* parts;
	bv_vec3 points[12];
	bv_sphere ball;
} sources;

static const bv_file* read_parts( fixture* f )
{
	FILE* stream = fopen( "tests/golden/1.1-parts.bvh", "rb" );
	assert_non_null( stream );
	bvb_bytes bytes = { .data = bvb_arena_allocate( f->arena, 1 << 16, 1 ) };
	bytes.size = fread( bytes.data, 1, 1 << 16, stream );
	fclose( stream );
	return open_bytes( bytes );
}

static sources make_sources( fixture* f )
{
	sources out = { .parts = read_parts( f ) };
	bvb_mesh ball = bumpy_ball( f, 9 );
	bvb_asset_options options = plain_options();
	out.no_faces = build_file( f, &ball, &options );
	options.sections |= 1u << bvb_section_hull_topology;
	out.hull = build_file( f, &ball, &options );
	return out;
}

static bv_obb turned_box( fixture* f, bv_vec3 center )
{
	bv_transform t = random_transform( f, 1, false, center );
	bv_obb box = { .center = center };
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = t.pose.rotation[i];
		box.axis[i] = ( bv_vec3 ){ row[0], row[1], row[2] };
		box.half_extents[i] = 0.6 * random_unit( f ) + 0.01;
	}
	return box;
}

// Each kind with and without a radius.
static bv_convex shape_of_round( fixture* f, int round, sources* from )
{
	bv_vec3 a = random_around( f );
	bv_vec3 b = plus( a, 0.7, random_around( f ) );
	bv_vec3 c = plus( a, 0.7, random_around( f ) );
	double radius = 0.5 * random_unit( f ) + 0.01;
	bv_obb box = turned_box( f, a );
	bv_convex out = bv_convex_point( a );
	switch ( round % kinds_of_shapes )
	{
	case 0: break;
	case 1: out = bv_convex_segment( a, b ); break;
	case 2: out = bv_convex_triangle( a, b, c ); break;
	case 3: out = bv_convex_box( a, ( bv_vec3 ){ radius, 0.2, 0.3 } ); break;
	case 4: out = bv_convex_obb( &box ); break;
	case 5:
		for ( int i = 0; i < 12; ++i )
		{
			from->points[i] = plus( a, 0.6, random_around( f ) );
		}
		out = bv_convex_points( from->points, 12, 0 );
		break;
	case 6: assert_true( random_graph( f, 40, &out ) ); break;
	case 7: out = bv_convex_hull( from->hull ); break;
	case 8: out = bv_convex_hull( from->no_faces ); break;
	case 9: out = bv_convex_part( from->parts, (uint32_t)round / kinds_of_shapes % 2 ); break;
	case 10: out = bv_convex_sphere( a, radius ); break;
	case 11: out = bv_convex_cylinder( a, b, radius ); break;
	case 12: out = bv_convex_cone( a, b, radius ); break;
	case 13: out = bv_convex_ellipsoid( &box ); break;
	default:
		from->ball = ( bv_sphere ){ a, radius };
		out = bv_convex_support( support_of_ball, &from->ball );
		break;
	}
	bool is_round = round / kinds_of_shapes % 2 == 1;
	out.radius += is_round ? 0.1 + 0.3 * random_unit( f ) : 0;
	return out;
}

static bv_convex triangle_of( const bv_file* file, uint32_t index )
{
	uint32_t corner[3];
	bv_file_get_triangle( file, index, corner );
	return bv_convex_triangle( bv_file_get_vertex( file, corner[0] ), bv_file_get_vertex( file, corner[1] ),
	                           bv_file_get_vertex( file, corner[2] ) );
}

static bool mark( void* context, uint32_t triangle )
{
	bool* is_marked = context;
	is_marked[triangle] = true;
	return true;
}

static void get_marks( const bv_file* file, const bv_transform* t, const bv_convex* shape,
                       bool out[most_triangles] )
{
	bv_overlap_options options = { .callback = mark, .context = out };
	bv_overlap_result r;
	memset( out, 0, most_triangles );
	assert_int_equal( bv_mesh_overlap_convex( file, t, shape, &options, &r ), bv_ok );
}

static double positive( double x )
{
	return x > 0 ? x : 0;
}

// A middle of what a shape is made of, to begin next to.
static bv_vec3 near_shape( const bv_convex* shape )
{
	bv_convex origin = bv_convex_point( ( bv_vec3 ){ 0, 0, 0 } );
	bv_convex_result r;
	assert_int_equal( bv_convex_distance( &origin, shape, NULL, NULL, &r ), bv_ok );
	return r.point[1];
}

typedef struct judge
{
	convex_exact* exact;
	bv_convex_overlap_result overlap; // by the engine
	bv_convex_result distance;        // the same
	bool is_exact;
	convex_exact_result truth; // of polytopes without a radius
} judge;

static void compare_pair( judge* j, const bv_convex* shape, const bv_convex* triangle, const bv_transform* t )
{
	assert_int_equal( bv_convex_overlap( shape, triangle, t, NULL, &j->overlap ), bv_ok );
	assert_int_equal( bv_convex_distance( shape, triangle, t, NULL, &j->distance ), bv_ok );
	j->is_exact = convex_exact_compare( j->exact, shape, NULL, triangle, t, &j->truth );
	if ( j->is_exact )
	{
		assert_true( j->overlap.certain && j->overlap.overlaps == ( j->truth.sign <= 0 ) );
		assert_true( j->distance.lower <= j->truth.upper && j->truth.lower <= j->distance.upper );
	}
}

// @param size  what rounding goes by
static void check_query( judge* j, const bv_file* file, const bv_transform* t, const bv_convex* shape,
                         double size, int meeting[2] )
{
	bool marks[most_triangles];
	bv_mesh_convex_result found;
	uint32_t count = bv_file_get_mesh( file ).triangles;
	double lower = INFINITY;
	double upper = INFINITY;
	get_marks( file, t, shape, marks );
	assert_int_equal( bv_mesh_distance_convex( file, t, shape, NULL, &found ), bv_ok );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_convex triangle = triangle_of( file, i );
		compare_pair( j, shape, &triangle, t );
		double least = j->is_exact ? j->truth.lower : j->distance.lower;
		double most = j->is_exact ? j->truth.upper : j->distance.upper;
		lower = fmin( lower, positive( least ) );
		upper = fmin( upper, positive( most ) );

		// What certainly meets is found. What is found is no farther away than rounding errors.
		assert_true( marks[i] || !j->overlap.overlaps || !j->overlap.certain );
		assert_true( !marks[i] || least <= 1e-12 * size );
		meeting[marks[i]] += 1;
	}
	assert_true( found.found && found.lower <= found.upper );
	assert_true( found.lower <= upper && lower <= found.upper );
	bool is_curved = !j->is_exact && shape->kind > bv_convex_of_box;
	assert_true( found.upper - found.lower <= ( is_curved ? 1e-6 : 1e-11 ) * size );
}

static void distances_and_overlaps_are_those_of_all_triangles( void** state )
{
	fixture* f = *state;
	sources from = make_sources( f );
	judge j = { .exact = convex_exact_create() };
	for ( int kind = 0; kind < kinds_of_shapes; ++kind )
	{
		int meeting[2] = { 0, 0 };
		for ( int round = kind; round < 16 * kinds_of_shapes; round += kinds_of_shapes )
		{
			bv_convex shape = shape_of_round( f, round, &from );
			bvb_mesh soup = random_soup( f, most_triangles, ( bv_vec3 ){ 0, 0, 0 } );
			const bv_file* file = file_of_round( f, &soup, round / kinds_of_shapes );
			bv_vec3 at = plus( near_shape( &shape ), round % 4 == 0 ? 1.5 : 0.3, random_around( f ) );
			bv_transform t = random_transform( f, 0.5 + random_unit( f ), round % 2 == 1, at );
			check_query( &j, file, &t, &shape, 10, meeting );
		}
		if ( meeting[0] < 50 || meeting[1] < 4 )
		{
			fail_msg( "kind %d: %d are apart, %d meet", kind, meeting[0], meeting[1] );
		}
	}
	convex_exact_destroy( j.exact );
}

// Coordinates are integers, so that many triangles touch the shape at a corner, an edge or a face.
static void triangles_that_touch_are_found( void** state )
{
	fixture* f = *state;
	judge j = { .exact = convex_exact_create() };
	bv_vec3 points[6];
	int touching = 0;
	int meeting[2] = { 0, 0 };
	for ( int round = 0; round < 120; ++round )
	{
		bvb_mesh soup = soup_create( f, most_triangles );
		for ( uint32_t i = 0; i < soup.vertex_count; ++i )
		{
			bv_vec3 p = plus( ( bv_vec3 ){ 0, 0, 0 }, 4, random_around( f ) );
			soup.positions[i] = ( bv_vec3 ){ rint( p.x ), rint( p.y ), rint( p.z ) };
		}
		const bv_file* file = file_of_round( f, &soup, 2 * round );
		for ( int i = 0; i < 6; ++i )
		{
			bv_vec3 p = plus( ( bv_vec3 ){ 0, 0, 0 }, 3, random_around( f ) );
			points[i] = ( bv_vec3 ){ rint( p.x ), rint( p.y ), rint( p.z ) };
		}
		bv_convex shape = round % 3 == 0 ? bv_convex_points( points, 6, 0 )
		                  : round % 3 == 1
		                      ? bv_convex_box( points[0], ( bv_vec3 ){ 1, 2, 1 } )
		                      : bv_convex_segment( points[0], plus( points[0], 1, ( bv_vec3 ){ 1, 2, 3 } ) );
		bv_transform t = bv_transform_translation( points[5].x, points[5].y, points[5].z );
		t.scale = round % 2 == 0 ? 1 : 2;
		t.mirror = round % 4 > 1;
		check_query( &j, file, &t, &shape, 20, meeting );
		for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
		{
			bv_convex triangle = triangle_of( file, i );
			compare_pair( &j, &shape, &triangle, &t );
			touching += j.truth.sign == 0;
		}
	}
	assert_true( touching > 100 && meeting[0] > 100 && meeting[1] > 100 );
	convex_exact_destroy( j.exact );
}

static bv_transform moved_by( const bv_transform* t, double time, bv_vec3 motion )
{
	bv_transform out = *t;
	out.pose.translation = plus( t->pose.translation, -time, motion );
	return out;
}

// @param size  what rounding goes by
static void check_cast( judge* j, const bv_file* file, const bv_transform* t, const bv_convex* shape,
                        bv_vec3 motion, double size, int hits[2] )
{
	bv_cast_result found;
	uint32_t count = bv_file_get_mesh( file ).triangles;
	assert_int_equal( bv_mesh_cast_convex( file, t, shape, motion, NULL, &found ), bv_ok );
	hits[found.found] += 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_convex triangle = triangle_of( file, i );
		bv_convex_cast_result pair;
		const bv_convex_cast_options narrow = { .tolerance = 1e-12 };
		assert_int_equal(
			bv_convex_cast( shape, &triangle, t, motion, ( bv_vec3 ){ 0, 0, 0 }, &narrow, &pair ), bv_ok );

		// Nothing that is met for certain is missed or found later.
		if ( pair.found && pair.upper < 1 )
		{
			assert_true( found.found && found.time <= pair.upper + 1e-12 * size );
		}
		assert_true( !found.at_start || i != found.at.triangle || !( pair.lower > 1e-9 * size ) );

		// Before the contact shapes are apart.
		for ( int step = 0; step < 4 && found.found && !found.at_start; ++step )
		{
			bv_transform now = moved_by( t, found.time * 0.3 * step, motion );
			compare_pair( j, shape, &triangle, &now );
			assert_true( j->is_exact ? j->truth.sign > 0 || j->truth.lower > -1e-11 * size
			                         : j->distance.upper > -1e-9 );
		}
	}
	if ( found.found )
	{
		// At the contact the shape is next to the triangle.
		bv_convex triangle = triangle_of( file, found.at.triangle );
		bv_transform now = moved_by( t, found.time, motion );
		compare_pair( j, shape, &triangle, &now );
		assert_true( ( j->is_exact ? j->truth.lower : j->distance.lower ) <= 1e-11 * size );
	}
}

static void casts_are_those_of_all_triangles( void** state )
{
	fixture* f = *state;
	sources from = make_sources( f );
	judge j = { .exact = convex_exact_create() };
	for ( int kind = 0; kind < kinds_of_shapes; ++kind )
	{
		int hits[2] = { 0, 0 };
		for ( int round = kind; round < 16 * kinds_of_shapes; round += kinds_of_shapes )
		{
			bv_convex shape = shape_of_round( f, round, &from );
			bvb_mesh soup = random_soup( f, most_triangles, ( bv_vec3 ){ 0, 0, 0 } );
			const bv_file* file = file_of_round( f, &soup, round / kinds_of_shapes );
			bv_vec3 way = plus( ( bv_vec3 ){ 0, 0, 0 }, 6, random_around( f ) );
			bv_vec3 at = plus( near_shape( &shape ), round % 3 == 0 ? 1.2 : 0.7, way );
			bv_transform t = random_transform( f, 0.5 + random_unit( f ), round % 2 == 1, at );
			check_cast( &j, file, &t, &shape, way, 10, hits );
		}
		if ( hits[1] < ( kind == 0 ? 1 : 4 ) ) // a point without a radius is small
		{
			fail_msg( "kind %d: %d hits, %d misses", kind, hits[1], hits[0] );
		}
	}
	convex_exact_destroy( j.exact );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( distances_and_overlaps_are_those_of_all_triangles, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( triangles_that_touch_are_found, fixture_setup, fixture_teardown ),
		cmocka_unit_test_setup_teardown( casts_are_those_of_all_triangles, fixture_setup, fixture_teardown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
