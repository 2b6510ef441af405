// Trees: what they hold, where Gottschalk's rule cuts, and that threads change nothing. Enclosure is
// recomputed in 113-bit arithmetic from the stored numbers.

#include "support.h"

__extension__ typedef __float128 quad;

// The defaults, but for the rule that these tests are about.
static bvb_hierarchy_options gottschalk_options( void )
{
	bvb_hierarchy_options options = box_tree_options();
	options.splitter = "gottschalk";
	return options;
}

static bvb_tree* build( fixture* f, bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	bvb_tree* tree;
	bvb_error error = { "" };
	bvb_hierarchy_options defaults = gottschalk_options();
	if ( bvb_hierarchy_build( mesh, options ? options : &defaults, f->arena, &tree, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return tree;
}

// `count` small triangles in the planes x = place[i].
static bvb_mesh triangles_at( fixture* f, const double* place, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3* p = mesh.positions + 3 * i;
		p[0] = ( bv_vec3 ){ place[i], 0, 0 };
		p[1] = ( bv_vec3 ){ place[i], 1e-3, 0 };
		p[2] = ( bv_vec3 ){ place[i], 0, 1e-3 };
	}
	return mesh;
}

// The decoding rule of the specification, carried out in 113 bits.
static bool encloses( const bv_obb* box, bv_vec3 p )
{
	quad x = box->rotation[0], y = box->rotation[1], z = box->rotation[2], w = box->rotation[3];
	quad s = 2 / ( x * x + y * y + z * z + w * w );
	quad axis[3][3] = { { 1 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) },
		                { s * ( x * y - w * z ), 1 - s * ( x * x + z * z ), s * ( y * z + w * x ) },
		                { s * ( x * z + w * y ), s * ( y * z - w * x ), 1 - s * ( x * x + y * y ) } };
	for ( int i = 0; i < 3; ++i )
	{
		const double* a = &box->axis[i].x;
		quad along = (quad)a[0] * ( (quad)p.x - (quad)box->center.x ) +
		             (quad)a[1] * ( (quad)p.y - (quad)box->center.y ) +
		             (quad)a[2] * ( (quad)p.z - (quad)box->center.z );
		if ( along > box->half_extents[i] || -along > box->half_extents[i] )
		{
			return false;
		}
		for ( int k = 0; k < 3; ++k )
		{
			quad off = axis[i][k] - a[k];
			if ( off > 2e-15 || off < -2e-15 )
			{
				return false;
			}
		}
	}
	return true;
}

static void check_tree( const bvb_mesh* mesh, const bvb_tree* tree, const bvb_hierarchy_options* options )
{
	uint32_t count = bvb_tree_node_count( tree );
	uint32_t* level = calloc( count, sizeof *level );
	uint32_t next_child = 1;
	uint64_t leaf_triangles = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		assert_true( level[i] <= options->max_depth );
		assert_true( node.triangles >= 1 );
		uint32_t first = node.first_triangle;
		for ( uint32_t k = 0; k < 2 * node.children; ++k )
		{
			// Triangles of leaves come first.
			uint32_t c = node.first_child + k % node.children;
			assert_true( c > i && c < count );
			bvb_node child = bvb_tree_node( tree, c );
			level[c] = level[i] + 1;
			if ( ( child.children > 0 ) == ( k >= node.children ) )
			{
				assert_int_equal( child.first_triangle, first );
				first += child.triangles;
				next_child += 1;
			}
		}
		if ( node.children )
		{
			assert_int_equal( first, node.first_triangle + node.triangles );
		}
		else
		{
			leaf_triangles += node.triangles;
		}
		for ( uint32_t t = node.first_triangle; t < node.first_triangle + node.triangles; ++t )
		{
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( encloses( &node.volume.obb, mesh->positions[mesh->triangles[t].corner[k]] ) );
			}
		}
	}
	assert_int_equal( next_child, count );
	assert_int_equal( leaf_triangles, mesh->triangle_count );
	free( level );
}

static int compare_triples( const void* a, const void* b )
{
	return memcmp( a, b, 9 * sizeof( double ) );
}

static double* sorted_corners( const bvb_mesh* mesh )
{
	double* all = calloc( 9 * (size_t)mesh->triangle_count, sizeof *all );
	for ( uint32_t i = 0; i < 3 * mesh->triangle_count; ++i )
	{
		memcpy( all + 3 * (size_t)i, &mesh->positions[mesh->triangles[i / 3].corner[i % 3]],
		        3 * sizeof *all );
	}
	qsort( all, mesh->triangle_count, 9 * sizeof *all, compare_triples );
	return all;
}

static void every_node_encloses_its_triangles_and_every_triangle_has_one_leaf( void** state )
{
	fixture* f = *state;
	for ( uint32_t leaf = 1; leaf <= 5; leaf += 2 )
	{
		bvb_hierarchy_options options = gottschalk_options();
		options.leaf_triangles = leaf;
		bvb_mesh mesh = bumpy_ball( f, 24 );
		double* before = sorted_corners( &mesh );
		bvb_tree* tree = build( f, &mesh, &options );
		double* after = sorted_corners( &mesh );
		assert_memory_equal( before, after, 9 * mesh.triangle_count * sizeof *before );
		check_tree( &mesh, tree, &options );
		free( before );
		free( after );
	}
}

// Two triangles of the source are missing in the mesh, so that no number is that of the mesh itself.
static void each_triangle_keeps_its_origin( void** state )
{
	fixture* f = *state;
	bvb_mesh source = bumpy_ball( f, 24 );
	bvb_mesh mesh = bumpy_ball( f, 24 );
	mesh.triangles += 2;
	mesh.triangle_count -= 2;
	mesh.origin = bvb_arena_allocate( f->arena, mesh.triangle_count, sizeof *mesh.origin );
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		mesh.origin[i] = i + 2;
	}
	build( f, &mesh, NULL );
	uint32_t moved = 0;
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		moved += mesh.origin[i] != i + 2;
		for ( int k = 0; k < 3; ++k )
		{
			const bv_vec3* p = mesh.positions + mesh.triangles[i].corner[k];
			const bv_vec3* q = source.positions + source.triangles[mesh.origin[i]].corner[k];
			assert_memory_equal( p, q, sizeof *p );
		}
	}
	assert_true( moved > mesh.triangle_count / 2 );
}

static void slivers_flat_and_far_sets_are_enclosed( void** state )
{
	fixture* f = *state;
	bvb_hierarchy_options options = gottschalk_options();
	for ( int round = 0; round < 60; ++round )
	{
		double scale[3];
		for ( int k = 0; k < 3; ++k )
		{
			scale[k] = pow( 10, -7 * random_unit( f ) );
		}
		scale[2] = round % 3 == 0 ? 0 : scale[2];
		double size = pow( 2, (int)( random_unit( f ) * 160 ) - 80 );
		double far = round % 2 ? 1000 * random_unit( f ) : 0;
		bvb_mesh mesh = soup_create( f, 60 );
		for ( int i = 0; i < 180; ++i )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[i] =
				( bv_vec3 ){ (float)( size * ( far + scale[0] * p.x ) ),
				             (float)( size * ( scale[1] * p.y - far ) ), (float)( size * scale[2] * p.z ) };
		}
		bvb_tree* tree = build( f, &mesh, &options );
		check_tree( &mesh, tree, &options );
	}
}

// Places 0, 1, 2, 3, 94: the mean is 20, so the rule cuts 4 | 1 where the median would cut 2 | 3.
static void gottschalk_cuts_at_the_mean( void** state )
{
	fixture* f = *state;
	const double place[] = { 94, 1, 3, 0, 2 };
	bvb_mesh mesh = triangles_at( f, place, 5 );
	bvb_tree* tree = build( f, &mesh, NULL );
	bvb_node root = bvb_tree_node( tree, 0 );
	assert_int_equal( root.children, 2 );
	bvb_node a = bvb_tree_node( tree, root.first_child );
	bvb_node b = bvb_tree_node( tree, root.first_child + 1 );
	assert_true( ( a.triangles == 4 && b.triangles == 1 ) || ( a.triangles == 1 && b.triangles == 4 ) );
	bvb_node lone = a.triangles == 1 ? a : b;
	assert_true( mesh.positions[mesh.triangles[lone.first_triangle].corner[0]].x == 94 );
}

// Places 0, 4.9, 5.1, 10 have the mean 5: a tenth of a step to either side would cut 1 | 3 or 3 | 1.
static void gottschalk_cuts_at_no_other_place_than_the_mean( void** state )
{
	fixture* f = *state;
	const double place[] = { 10, 0, 4.9, 5.1 };
	bvb_mesh mesh = triangles_at( f, place, 4 );
	bvb_tree* tree = build( f, &mesh, NULL );
	bvb_node root = bvb_tree_node( tree, 0 );
	for ( uint32_t k = 0; k < 2; ++k )
	{
		bvb_node child = bvb_tree_node( tree, root.first_child + k );
		assert_int_equal( child.triangles, 2 );
	}
}

// The means are 55.5, then 5.5 on the left and 105.5 on the right.
static void gottschalk_cuts_the_largest_part_again_for_more_children( void** state )
{
	fixture* f = *state;
	const double place[] = { 100, 0, 111, 10, 101, 1, 110, 11 };
	for ( uint32_t degree = 3; degree <= 4; ++degree )
	{
		bvb_mesh mesh = triangles_at( f, place, 8 );
		bvb_hierarchy_options options = gottschalk_options();
		options.degree = degree;
		bvb_node root = bvb_tree_node( build( f, &mesh, &options ), 0 );
		assert_int_equal( root.children, degree );
		for ( uint32_t i = 0; i < 4; ++i )
		{
			double first = mesh.positions[mesh.triangles[2 * i].corner[0]].x;
			double second = mesh.positions[mesh.triangles[2 * i + 1].corner[0]].x;
			assert_true( degree < 4 || fabs( first - second ) == 1 );
		}
	}
}

static double half_extent( const bvb_node* node, int which )
{
	double h[3] = { node->volume.obb.half_extents[0], node->volume.obb.half_extents[1],
		            node->volume.obb.half_extents[2] };
	for ( int i = 0; i < 2; ++i )
	{
		for ( int k = 0; k < 2; ++k )
		{
			if ( h[k] < h[k + 1] )
			{
				double other = h[k];
				h[k] = h[k + 1];
				h[k + 1] = other;
			}
		}
	}
	return h[which];
}

// A rectangle's surface has its sides as principal axes, wherever its two triangles have their midpoints:
// those alone would give a box that is turned by 5.7 degrees.
static void the_box_of_a_rectangle_is_the_rectangle( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 1, 0 }, { 0, 1, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	bvb_mesh mesh = mesh_of( f, p, 4, t, 2 );
	bvb_node root = bvb_tree_node( build( f, &mesh, NULL ), 0 );
	assert_true( fabs( half_extent( &root, 0 ) - 5 ) < 1e-5 );
	assert_true( fabs( half_extent( &root, 1 ) - 0.5 ) < 1e-5 );
	assert_true( half_extent( &root, 2 ) < 1e-5 );
}

// The same rectangle with forty specks on a slanted line through it: a surface's covariance weighs by area,
// so that the box stays the rectangle's. Were each triangle worth the same, it would lie along the line.
static void the_covariance_weighs_by_area( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 42 );
	const bv_vec3 p[] = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 1, 0 }, { 0, 0, 0 }, { 10, 1, 0 }, { 0, 1, 0 } };
	memcpy( mesh.positions, p, sizeof p );
	for ( int i = 0; i < 40; ++i )
	{
		double s = i / 39.0;
		bv_vec3* q = mesh.positions + 6 + 3 * i;
		q[0] = ( bv_vec3 ){ 4 + s, 0.5, 4 * s - 2 };
		q[1] = ( bv_vec3 ){ 4 + s + 1e-3, 0.5, 4 * s - 2 };
		q[2] = ( bv_vec3 ){ 4 + s, 0.501, 4 * s - 2 };
	}
	bvb_hierarchy_options options = gottschalk_options();
	options.node_box = "pca";
	bvb_node root = bvb_tree_node( build( f, &mesh, &options ), 0 );
	assert_true( fabs( half_extent( &root, 0 ) - 5 ) < 1e-2 );
	assert_true( fabs( half_extent( &root, 1 ) - 2 ) < 1e-2 );
	assert_true( fabs( half_extent( &root, 2 ) - 0.5 ) < 1e-2 );
}

// Two long triangles crossing at one midpoint's x and y, apart along the shortest axis only: the longest axes
// can't separate them, the third does.
static void gottschalk_falls_back_to_the_next_axis( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 2 );
	const bv_vec3 p[6] = {
		{ -9, -3, 0 }, { 9, -3, 0 }, { 0, 6, 0 }, { -9, -3, 1 }, { 9, -3, 1 }, { 0, 6, 1 }
	};
	memcpy( mesh.positions, p, sizeof p );
	bvb_tree* tree = build( f, &mesh, NULL );
	assert_int_equal( bvb_tree_node_count( tree ), 3 );
}

static void sets_with_one_midpoint_stay_together( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 7 );
	for ( int i = 0; i < 7; ++i )
	{
		// Each has its midpoint in the origin.
		double s = 1 + i;
		mesh.positions[3 * i] = ( bv_vec3 ){ -3 * s, -s, 0 };
		mesh.positions[3 * i + 1] = ( bv_vec3 ){ 3 * s, -s, 0 };
		mesh.positions[3 * i + 2] = ( bv_vec3 ){ 0, 2 * s, 0 };
	}
	bvb_hierarchy_options options = gottschalk_options();
	bvb_tree* tree = build( f, &mesh, &options );
	assert_int_equal( bvb_tree_node_count( tree ), 1 );
	check_tree( &mesh, tree, &options );
}

// Places 3^-i: the mean separates one triangle a level, 200 levels of them without the frame's safeguard.
static void lopsided_sets_end_in_small_leaves_within_the_depth_limit( void** state )
{
	fixture* f = *state;
	double place[200];
	for ( int i = 0; i < 200; ++i )
	{
		place[i] = pow( 3, -( i % 75 ) ) * ( 1 + 0.1 * ( i / 75 ) );
	}
	for ( uint32_t depth = 8; depth <= BV_MAX_DEPTH; depth += 14 )
	{
		bvb_hierarchy_options options = gottschalk_options();
		options.max_depth = depth;
		bvb_mesh mesh = triangles_at( f, place, 200 );
		bvb_tree* tree = build( f, &mesh, &options );
		check_tree( &mesh, tree, &options );
		assert_int_equal( bvb_tree_node_count( tree ), 399 );
	}
}

static void the_depth_limit_holds( void** state )
{
	fixture* f = *state;
	for ( uint32_t depth = 0; depth <= 4; ++depth )
	{
		bvb_hierarchy_options options = gottschalk_options();
		options.max_depth = depth;
		bvb_mesh mesh = bumpy_ball( f, 12 );
		bvb_tree* tree = build( f, &mesh, &options );
		check_tree( &mesh, tree, &options );
		assert_int_equal( bvb_tree_node_count( tree ), ( 2u << depth ) - 1 );
	}
}

static void the_number_of_threads_changes_no_byte( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 60 );
	bvb_asset_options options = bvb_asset_options_default();
	options.hierarchy.threads = 1;
	bvb_bytes one = build_bytes( f, &mesh, &options );
	for ( uint32_t threads = 2; threads <= 16; threads *= 2 )
	{
		for ( int again = 0; again < 3; ++again )
		{
			options.hierarchy.threads = threads;
			bvb_bytes many = build_bytes( f, &mesh, &options );
			assert_int_equal( one.size, many.size );
			assert_memory_equal( one.data, many.data, one.size );
		}
	}
}

static void bad_options_are_refused( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvb_tree* tree;
	bvb_error error;
	bvb_hierarchy_options options = gottschalk_options();
	options.splitter = "nonsense";
	assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ), bv_error_argument );
	assert_non_null( strstr( error.message, "nonsense" ) );
	options = gottschalk_options();
	options.node_box = "nonsense";
	assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ), bv_error_argument );
	options = gottschalk_options();
	options.leaf_triangles = 0;
	assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ), bv_error_argument );
	options = gottschalk_options();
	options.max_depth = BV_MAX_DEPTH + 1;
	assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ), bv_error_argument );
}

// Every limit of memory ends in an asset or in bv_error_memory.
static void running_out_of_memory_is_an_error_like_any_other( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 20 );
	bvb_asset_options options = bvb_asset_options_default();
	bvb_source source = { .name = "ball", .format = "obj" };
	int failures = 0;
	bool done = false;
	for ( size_t limit = 0; !done; limit += 4000 + limit / 32 )
	{
		bvb_arena* arena = bvb_arena_create_limited( limit );
		bvb_asset asset;
		bvb_bytes bytes;
		bvb_error error = { "" };
		bv_status status =
			bvb_asset_build( &( bvb_scene ){ .mesh = mesh }, &source, &options, arena, &asset, &error );
		status = status == bv_ok ? bvb_asset_encode( &asset, arena, &bytes, &error ) : status;
		done = status == bv_ok;
		assert_true( done || status == bv_error_memory );
		assert_string_equal( error.message, done ? "" : "out of memory" );
		failures += !done;
		bvb_arena_destroy( arena );
	}
	assert_true( failures > 20 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_node_encloses_its_triangles_and_every_triangle_has_one_leaf ),
		fixture_test( each_triangle_keeps_its_origin ),
		fixture_test( slivers_flat_and_far_sets_are_enclosed ),
		fixture_test( gottschalk_cuts_at_the_mean ),
		fixture_test( gottschalk_cuts_at_no_other_place_than_the_mean ),
		fixture_test( gottschalk_cuts_the_largest_part_again_for_more_children ),
		fixture_test( the_box_of_a_rectangle_is_the_rectangle ),
		fixture_test( the_covariance_weighs_by_area ),
		fixture_test( gottschalk_falls_back_to_the_next_axis ),
		fixture_test( sets_with_one_midpoint_stay_together ),
		fixture_test( lopsided_sets_end_in_small_leaves_within_the_depth_limit ),
		fixture_test( the_depth_limit_holds ),
		fixture_test( the_number_of_threads_changes_no_byte ),
		fixture_test( bad_options_are_refused ),
		fixture_test( running_out_of_memory_is_an_error_like_any_other ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
