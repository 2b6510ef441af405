// Queries of deformed meshes with triangles on a line or on one point, against all triangles. Integers of any length decide which meet
// (exact_triangles.h), arithmetic of 113 bits how far apart they are (gaps.h).
//
// All vertices are on a grid, and placements keep them there: what touches does so exactly, and what is apart is so by much more than
// rounding errors.

#include "tests/unit/deform/bent_meshes.h"

#include "runtime/tree/levels.h"
#include "tests/reference/exact_triangles.h"
#include "tests/reference/gaps.h"

#include <stdio.h>

// A deformed mesh, and its triangles where they are placed.
typedef struct subject
{
	bent b;
	const bv_file* file;
	uint32_t triangles;
	bv_vec3 ( *corner )[3];
} subject;

static double random_integer( fixture* f, int least, int most )
{
	return least + (int)( random_bits( f ) % (uint64_t)( most - least + 1 ) );
}

static bv_vec3 random_grid_point( fixture* f, int reach )
{
	double x = random_integer( f, -reach, reach );
	double y = random_integer( f, -reach, reach );
	return ( bv_vec3 ){ x, y, random_integer( f, -reach, reach ) };
}

// Two of three triangles lose their area, unless triangles after them have vertices in common with them.
static void put_on_grid( fixture* f, bent* b )
{
	uint32_t triangles = bv_file_get_mesh( b->file ).triangles;
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		uint32_t vertex[3];
		bv_file_get_triangle( b->file, i, vertex );
		bv_vec3 at = random_grid_point( f, 5 );
		bv_vec3 way = random_grid_point( f, 1 );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = i % 3 == 0 ? plus( at, 1, random_grid_point( f, 2 ) )
			                       : plus( at, random_integer( f, -2, 2 ), way );
			memcpy( b->positions + 3 * (size_t)vertex[k], &p, sizeof p );
		}
	}
}

static subject begin_subject( fixture* f, int mesh, int volumes )
{
	bvw_deform_options options = { .frames = volumes % 2 ? bvw_deform_turn : bvw_deform_keep };
	subject s = { .b = bend_file( f, bent_file( f, mesh, volumes ), &options ) };
	put_on_grid( f, &s.b );
	refit_all( &s.b );
	s.file = bvw_deform_file( s.b.deform );
	s.triangles = bv_file_get_mesh( s.file ).triangles;
	s.corner = bvb_arena_allocate( f->arena, s.triangles, sizeof *s.corner );
	return s;
}

static void place( subject* s, const bv_transform* t )
{
	for ( uint32_t i = 0; i < s->triangles; ++i )
	{
		get_placed( s->file, i, t, s->corner[i] );
	}
}

static uint32_t count_without_area( const subject* s )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < s->triangles; ++i )
	{
		count += length( normal_of( s->corner[i] ) ) == 0;
	}
	return count;
}

// A quarter turn about an axis, a scale that is a power of two, and a translation.
static bv_transform grid_transform( fixture* f )
{
	bv_transform t = bv_transform_identity();
	int axis = (int)random_integer( f, 0, 2 );
	int u = ( axis + 1 ) % 3;
	int v = ( axis + 2 ) % 3;
	t.pose.rotation[u][u] = t.pose.rotation[v][v] = 0;
	t.pose.rotation[u][v] = -1;
	t.pose.rotation[v][u] = 1;
	t.pose.translation = random_grid_point( f, 4 );
	t.scale = random_integer( f, 0, 1 ) > 0 ? 1 : 0.5;
	t.mirror = random_integer( f, 0, 1 ) > 0;
	return t;
}

typedef struct pair_set
{
	bool* seen;
	uint32_t columns;
	uint64_t repeated;
	bool turned; // the first triangle is of the second mesh
} pair_set;

static bool mark_pair( void* context, uint32_t a, uint32_t b )
{
	pair_set* set = context;
	bool* cell = set->seen + ( set->turned ? (size_t)b * set->columns + a : (size_t)a * set->columns + b );
	set->repeated += *cell;
	*cell = true;
	return true;
}

// All levels, and both orders of the meshes.
static void check_pairs( const subject* a, const subject* b, const bv_transform* t, const bool* expected,
                         uint64_t count )
{
	size_t cells = (size_t)a->triangles * b->triangles;
	bv_transform back = bv_transform_inverse( t );
	const bvtree_lanes* lanes;
	for ( uint32_t level = 0; ( lanes = bvtree_lanes_level( level ) ) != NULL; ++level )
	{
		for ( int turned = 0; turned < 2; ++turned )
		{
			pair_set set = { calloc( cells, 1 ), b->triangles, 0, turned };
			bv_collide_options options = { .callback = mark_pair, .context = &set };
			bv_collide_result result;
			assert_int_equal( turned ? bvtree_collide_in( lanes, b->file, a->file, &back, &options, &result )
			                         : bvtree_collide_in( lanes, a->file, b->file, t, &options, &result ),
			                  bv_ok );
			for ( size_t i = 0; i < cells; ++i )
			{
				if ( set.seen[i] != expected[i] )
				{
					fail_msg( "triangles %u and %u, level %u: expected %s", (unsigned)( i / b->triangles ),
					          (unsigned)( i % b->triangles ), level, expected[i] ? "intersecting" : "apart" );
				}
			}
			assert_int_equal( result.pairs, count );
			assert_int_equal( set.repeated, 0 );
			free( set.seen );
		}
	}
}

// Searches of all orders, and the distance.
static void check_decision( const subject* a, const subject* b, const bv_transform* t, bool meet )
{
	static double memory[BV_SEARCH_AMPLE / sizeof( double )];
	for ( int order = 0; order < bv_search_orders; ++order )
	{
		bv_search_options options = { .goal = bv_search_collision, .order = (bv_search_order)order };
		bv_search* search;
		bv_search_answer answer;
		assert_int_equal( bv_search_begin( a->file, b->file, t, &options, memory, sizeof memory, &search ),
		                  bv_ok );
		assert_int_equal( bv_search_run( search, NULL, &answer ), bv_ok );
		assert_int_equal( answer.verdict, meet ? bv_search_meets : bv_search_apart );
	}
	bv_distance_result distance;
	assert_int_equal( bv_mesh_distance( a->file, b->file, t, NULL, &distance ), bv_ok );
	assert_true( distance.found && ( distance.distance == 0 ) == meet );
}

static void pairs_are_those_that_meet( void** state )
{
	fixture* f = *state;
	exact_triangles* exact = exact_triangles_create();
	const bv_transform none = bv_transform_identity();
	uint64_t found = 0;
	uint64_t of_all = 0;
	uint64_t without_area = 0;
	int apart = 0;
	for ( int i = 0; i < ( is_thorough() ? 400 : 20 ); ++i )
	{
		// Every other time far from each other, so that often nothing meets.
		subject a = begin_subject( f, i % 2 ? 1 : 3, i % bent_volumes );
		subject b = begin_subject( f, i % 2 ? 1 : 2, ( i / bent_volumes + i ) % bent_volumes );
		bv_transform t = grid_transform( f );
		t.pose.translation.x += i % 4 == 1 ? 9 : 0;
		place( &a, &none );
		place( &b, &t );
		bool* expected = calloc( a.triangles, b.triangles );
		uint64_t count = 0;
		for ( uint32_t k = 0; k < a.triangles * b.triangles; ++k )
		{
			expected[k] = exact_triangles_meet( exact, a.corner[k / b.triangles], b.corner[k % b.triangles] );
			count += expected[k];
		}
		check_pairs( &a, &b, &t, expected, count );
		check_decision( &a, &b, &t, count > 0 );
		found += count;
		of_all += (uint64_t)a.triangles * b.triangles;
		without_area += count_without_area( &a );
		apart += count == 0;
		free( expected );
		end_bent( &a.b );
		end_bent( &b.b );
	}
	exact_triangles_destroy( exact );
	printf( "%llu of %llu pairs, %llu triangles without area, %d times nothing\n", (unsigned long long)found,
	        (unsigned long long)of_all, (unsigned long long)without_area, apart );
	assert_true( found > 500 && without_area > 300 && apart > 2 );
}

static bool mark_triangle( void* context, uint32_t triangle )
{
	bool* seen = context;
	assert_false( seen[triangle] );
	seen[triangle] = true;
	return true;
}

static void check_triangles( const subject* s, const bool* seen, const bool* expected )
{
	for ( uint32_t i = 0; i < s->triangles; ++i )
	{
		if ( seen[i] != expected[i] )
		{
			fail_msg( "triangle %u: expected %s", i, expected[i] ? "intersecting" : "apart" );
		}
	}
}

// A convex hull of three points, also on a line or on one point.
// @param measures  whether the distance is compared, too
static void check_shape( const subject* s, const bv_transform* t, const bv_vec3 corner[3],
                         exact_triangles* exact, bool measures, bool* expected )
{
	bool seen[1000] = { false };
	double least = INFINITY;
	for ( uint32_t i = 0; i < s->triangles; ++i )
	{
		expected[i] = exact_triangles_meet( exact, s->corner[i], corner );
		least = expected[i] ? 0 : measures ? fmin( least, gap_of_triangles( s->corner[i], corner ) ) : least;
	}
	bv_convex shape = bv_convex_points( corner, 3, 0 );
	bv_overlap_options options = { .callback = mark_triangle, .context = seen };
	bv_overlap_result result;
	assert_int_equal( bv_mesh_overlap_convex( s->file, t, &shape, &options, &result ), bv_ok );
	check_triangles( s, seen, expected );
	bv_mesh_convex_result distance;
	assert_int_equal( bv_mesh_distance_convex( s->file, t, &shape, NULL, &distance ), bv_ok );
	assert_true( distance.found && distance.upper - distance.lower < 1e-9 );
	assert_true( distance.lower <= least + 1e-12 && ( !measures || distance.upper >= least - 1e-12 ) );
}

// Whether a triangle has a corner in a box, or meets one of two triangles for each side. The box may be flat.
static bool does_box_meet( const bv_aabb* box, const bv_vec3 t[3], exact_triangles* exact )
{
	bv_vec3 l = box->lower;
	bv_vec3 u = box->upper;
	bool meets =
		l.x <= t[0].x && t[0].x <= u.x && l.y <= t[0].y && t[0].y <= u.y && l.z <= t[0].z && t[0].z <= u.z;
	for ( int side = 0; side < 6 && !meets; ++side )
	{
		bv_vec3 corner[4];
		for ( int k = 0; k < 4; ++k )
		{
			double at[3];
			at[side % 3] = side / 3;
			at[( side + 1 ) % 3] = k & 1;
			at[( side + 2 ) % 3] = k >> 1;
			corner[k] = ( bv_vec3 ){ at[0] > 0 ? u.x : l.x, at[1] > 0 ? u.y : l.y, at[2] > 0 ? u.z : l.z };
		}
		meets = exact_triangles_meet( exact, corner, t ) || exact_triangles_meet( exact, corner + 1, t );
	}
	return meets;
}

static void check_box( const subject* s, const bv_transform* t, const bv_vec3 ends[2],
                       exact_triangles* exact )
{
	bool seen[1000] = { false };
	bool expected[1000];
	bv_aabb box = {
		{ fmin( ends[0].x, ends[1].x ), fmin( ends[0].y, ends[1].y ), fmin( ends[0].z, ends[1].z ) },
		{ fmax( ends[0].x, ends[1].x ), fmax( ends[0].y, ends[1].y ), fmax( ends[0].z, ends[1].z ) }
	};
	for ( uint32_t i = 0; i < s->triangles; ++i )
	{
		expected[i] = does_box_meet( &box, s->corner[i], exact );
	}
	bv_overlap_options options = { .callback = mark_triangle, .context = seen };
	bv_overlap_result result;
	assert_int_equal( bv_mesh_overlap_aabb( s->file, t, &box, &options, &result ), bv_ok );
	check_triangles( s, seen, expected );
}

static void triangles_that_overlap_a_shape_are_those_that_meet_it( void** state )
{
	fixture* f = *state;
	exact_triangles* exact = exact_triangles_create();
	uint64_t found = 0;
	for ( int i = 0; i < ( is_thorough() ? 200 : bent_volumes ); ++i )
	{
		subject s = begin_subject( f, i % 2 ? 3 : 2, i % bent_volumes );
		bv_transform t = grid_transform( f );
		place( &s, &t );
		bool expected[1000];
		assert_true( s.triangles <= 1000 );
		for ( int k = 0; k < 18; ++k )
		{
			bv_vec3 corner[3] = { random_grid_point( f, 4 ), random_grid_point( f, 4 ),
				                  random_grid_point( f, 4 ) };
			corner[1] = k % 3 == 1 ? plus( corner[0], 1, random_grid_point( f, 2 ) ) : corner[1];
			corner[2] = k % 3 == 1   ? plus( corner[0], -2, minus( corner[1], corner[0] ) )
			            : k % 3 == 2 ? corner[0]
			                         : corner[2];
			corner[1] = k % 6 == 5 ? corner[0] : corner[1];
			check_shape( &s, &t, corner, exact, k < 6, expected );
			for ( uint32_t j = 0; j < s.triangles; ++j )
			{
				found += expected[j];
			}
			corner[1].z = k % 2 ? corner[0].z : corner[1].z; // flat
			check_box( &s, &t, corner, exact );
		}
		end_bent( &s.b );
	}
	exact_triangles_destroy( exact );
	assert_true( found > 500 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( pairs_are_those_that_meet ),
		fixture_test( triangles_that_overlap_a_shape_are_those_that_meet_it ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
