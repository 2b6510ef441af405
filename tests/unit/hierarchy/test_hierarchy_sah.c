// The surface area heuristic: where it cuts, against all planes tried one by one and against a grid of bins worked out from its
// definition; and that the builder of that name makes the splitter's trees.

#include "splitting.h"

#include "offline/tree/tree.h"

static const bvb_hierarchy_options* upright( void )
{
	static bvb_hierarchy_options options;
	options = box_tree_options();
	options.volume_types = 1u << bv_volume_aabb;
	return &options;
}

// A triangle whose upright box is a cube of that size with its least corner there.
static void set_cube( bvb_mesh* mesh, uint32_t index, bv_vec3 at, double size )
{
	bv_vec3* p = mesh->positions + 3 * (size_t)index;
	p[0] = at;
	p[1] = ( bv_vec3 ){ at.x + size, at.y + size, at.z };
	p[2] = ( bv_vec3 ){ at.x, at.y + size, at.z + size };
}

static bvb_mesh cubes_along_x( fixture* f, const double* x, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		set_cube( &mesh, i, ( bv_vec3 ){ x[i], 0, 0 }, 1 );
	}
	return mesh;
}

// Six unit cubes side by side and two far off: boxes 6 x 1 x 1 and 2 x 1 x 1 have half surfaces of 13 and 5, so that 6 | 2
// costs 6 * 13 + 2 * 5 = 88. The median's 4 | 4 has boxes of 4 x 1 x 1 and 98 x 1 x 1 and costs 4 * 9 + 4 * 197.
static void a_far_pair_is_cut_off_where_the_median_would_halve( void** state )
{
	fixture* f = *state;
	const double x[] = { 0, 100, 1, 2, 101, 3, 4, 5 };
	bvb_mesh mesh = cubes_along_x( f, x, 8 );
	splitting s;
	splitting_begin( f, &mesh, upright(), &s );
	splitting_divide( &s, "sah", 2 );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		assert_int_equal( s.part[i], x[i] >= 100 );
	}
	splitting_divide( &s, "median", 2 );
	assert_int_equal( s.part[7], 1 );
	splitting_end( &s );
}

// A hundred places apart in steps of a tenth, and twenty 1000 away: bins are 63 wide, so that all of the hundred are in the
// first.
static void large_sets_are_cut_between_bins( void** state )
{
	fixture* f = *state;
	double x[120];
	for ( int i = 0; i < 120; ++i )
	{
		x[i] = i % 6 == 5 ? 1000 + i * 0.01 : i * 0.1;
	}
	bvb_mesh mesh = cubes_along_x( f, x, 120 );
	splitting s;
	splitting_begin( f, &mesh, upright(), &s );
	splitting_divide( &s, "sah", 2 );
	for ( uint32_t i = 0; i < 120; ++i )
	{
		assert_int_equal( s.part[i], x[i] >= 1000 );
	}
	splitting_end( &s );
}

// A box turned by 45 degrees about z: in its frame the two rows along its longest side are apart, while every plane normal to
// a coordinate axis cuts through both.
static void oriented_boxes_are_cut_along_their_own_axes( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 200 );
	for ( uint32_t i = 0; i < 200; ++i )
	{
		double along = i / 2 * 0.1;
		double across = i % 2 * 6;
		set_cube( &mesh, i, ( bv_vec3 ){ along - across, along + across, 0 }, 0.05 );
	}
	splitting s;
	splitting_begin( f, &mesh, NULL, &s );
	splitting_divide( &s, "sah", 2 );
	for ( uint32_t i = 2; i < 200; ++i )
	{
		assert_int_equal( s.part[i], s.part[i % 2] );
	}
	assert_true( s.part[0] != s.part[1] );
	splitting_end( &s );
}

typedef struct bounds
{
	double lower[3];
	double upper[3];
} bounds;

static bounds bounds_of( const bvb_mesh* mesh, uint32_t i )
{
	bounds b;
	for ( int axis = 0; axis < 3; ++axis )
	{
		b.lower[axis] = INFINITY;
		b.upper[axis] = -INFINITY;
		for ( int k = 0; k < 3; ++k )
		{
			const bv_vec3* p = mesh->positions + mesh->triangles[i].corner[k];
			double at = ( &p->x )[axis];
			b.lower[axis] = fmin( b.lower[axis], at );
			b.upper[axis] = fmax( b.upper[axis], at );
		}
	}
	return b;
}

// Count times half surface of the faces in `part`.
static double cost_of( const bvb_mesh* mesh, const uint8_t* part, uint8_t which )
{
	bounds all = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	uint32_t count = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		bounds b = bounds_of( mesh, i );
		for ( int axis = 0; axis < 3 && part[i] == which; ++axis )
		{
			all.lower[axis] = fmin( all.lower[axis], b.lower[axis] );
			all.upper[axis] = fmax( all.upper[axis], b.upper[axis] );
		}
		count += part[i] == which;
	}
	double x = all.upper[0] - all.lower[0];
	double y = all.upper[1] - all.lower[1];
	double z = all.upper[2] - all.lower[2];
	return count == 0 ? 0 : count * ( x * y + y * z + z * x );
}

static double center( const bvb_mesh* mesh, uint32_t i, int axis )
{
	bounds b = bounds_of( mesh, i );
	return b.lower[axis] + b.upper[axis];
}

// The least cost over all planes below, or not above, some face's midpoint.
static double least_cost( const bvb_mesh* mesh )
{
	double least = INFINITY;
	uint8_t part[64];
	for ( uint32_t i = 0; i < 3 * mesh->triangle_count; ++i )
	{
		int axis = (int)( i % 3 );
		double at = center( mesh, i / 3, axis );
		uint32_t above = 0;
		for ( uint32_t k = 0; k < mesh->triangle_count; ++k )
		{
			part[k] = center( mesh, k, axis ) > at;
			above += part[k];
		}
		if ( above > 0 )
		{
			least = fmin( least, cost_of( mesh, part, 0 ) + cost_of( mesh, part, 1 ) );
		}
	}
	return least;
}

static bvb_mesh random_soup( fixture* f, uint32_t count, double size )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 at = random_point( f );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 by = random_point( f );
			mesh.positions[3 * i + (uint32_t)k] =
				( bv_vec3 ){ (float)( at.x + size * by.x ), (float)( at.y + size * by.y ),
				             (float)( at.z + size * by.z ) };
		}
	}
	return mesh;
}

static void no_plane_is_cheaper( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 400; ++round )
	{
		bvb_mesh mesh = random_soup( f, 2 + (uint32_t)round % 7, 0.3 );
		splitting s;
		splitting_begin( f, &mesh, upright(), &s );
		splitting_divide( &s, "sah", 2 );
		double cost = cost_of( &mesh, s.part, 0 ) + cost_of( &mesh, s.part, 1 );
		assert_true( fabs( cost - least_cost( &mesh ) ) <= 1e-12 * cost );
		splitting_end( &s );
	}
}

// Sixteen bins, or eight for fewer than 64 faces, by their definition.
static double least_cost_of_bins( const bvb_mesh* mesh, uint32_t bins )
{
	double least = INFINITY;
	uint8_t* part = calloc( mesh->triangle_count, 1 );
	for ( int axis = 0; axis < 3; ++axis )
	{
		double lower = INFINITY;
		double upper = -INFINITY;
		for ( uint32_t k = 0; k < mesh->triangle_count; ++k )
		{
			lower = fmin( lower, center( mesh, k, axis ) );
			upper = fmax( upper, center( mesh, k, axis ) );
		}
		for ( uint32_t cut = 1; cut < bins; ++cut )
		{
			for ( uint32_t k = 0; k < mesh->triangle_count; ++k )
			{
				part[k] = ( center( mesh, k, axis ) - lower ) * bins >= cut * ( upper - lower );
			}
			least = fmin( least, cost_of( mesh, part, 0 ) + cost_of( mesh, part, 1 ) );
		}
	}
	free( part );
	return least;
}

static void no_plane_between_bins_is_cheaper( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 9; count < 200; count += 7 )
	{
		bvb_mesh mesh = random_soup( f, count, 0.2 );
		splitting s;
		splitting_begin( f, &mesh, upright(), &s );
		splitting_divide( &s, "sah", 2 );
		double cost = cost_of( &mesh, s.part, 0 ) + cost_of( &mesh, s.part, 1 );
		double least = least_cost_of_bins( &mesh, count < 64 ? 8 : 16 );
		assert_true( fabs( cost - least ) <= 1e-9 * least );
		splitting_end( &s );
	}
}

// All midpoints differ, so that there is always a part that can be cut again.
static void every_degree_is_honored( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 500, 0.1 );
	splitting s;
	splitting_begin( f, &mesh, upright(), &s );
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		splitting_divide( &s, "sah", degree );
		uint32_t faces[BVB_MAX_DEGREE] = { 0 };
		for ( uint32_t i = 0; i < 500; ++i )
		{
			faces[s.part[i]] += 1;
		}
		for ( uint32_t k = 0; k < degree; ++k )
		{
			assert_true( faces[k] > 0 );
		}
	}
	splitting_end( &s );
}

// Cubes 0, 1 | 10, 11 | 1000, 1001, 1002: the first cut is before 1000, and of boxes 12 x 1 x 1 with 4 faces, 100 in all, and
// 3 x 1 x 1 with 3, 21 in all, the first is cut next.
static void the_part_with_the_greatest_product_is_cut_again( void** state )
{
	fixture* f = *state;
	const double x[] = { 0, 1, 10, 11, 1000, 1001, 1002 };
	const uint8_t expected[] = { 0, 0, 2, 2, 1, 1, 1 };
	bvb_mesh mesh = cubes_along_x( f, x, 7 );
	splitting s;
	splitting_begin( f, &mesh, upright(), &s );
	splitting_divide( &s, "sah", 3 );
	assert_memory_equal( s.part, expected, 7 );
	splitting_end( &s );
}

// Both triangles of an upright rectangle have its box; their own midpoints are apart.
static void both_halves_of_a_rectangle_are_told_apart( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 1, 0 }, { 0, 1, 0 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	bvb_mesh mesh = mesh_of( f, p, 4, t, 2 );
	splitting s;
	splitting_begin( f, &mesh, upright(), &s );
	splitting_divide( &s, "sah", 2 );
	assert_true( s.part[0] != s.part[1] );
	splitting_end( &s );
}

static void identical_triangles_stay_together( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 2; count < 300; count = count * 3 + 1 )
	{
		bvb_mesh mesh = soup_create( f, count );
		for ( uint32_t i = 0; i < count; ++i )
		{
			set_cube( &mesh, i, ( bv_vec3 ){ 1e6, 0.1, -1e6 }, 0.1 );
		}
		splitting s;
		splitting_begin( f, &mesh, upright(), &s );
		splitting_divide( &s, "sah", 6 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_int_equal( s.part[i], 0 );
		}
		splitting_end( &s );
	}
}

// Moved by 2^20, where the coordinates keep 32 binary digits of each step.
static void far_sets_are_cut_as_near_ones( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 150, 0.1 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3* p = mesh.positions + i;
		*p = ( bv_vec3 ){ floor( p->x * 0x1p28 ) * 0x1p-28, floor( p->y * 0x1p28 ) * 0x1p-28,
			              floor( p->z * 0x1p28 ) * 0x1p-28 };
	}
	uint8_t near[150];
	splitting s;
	splitting_begin( f, &mesh, upright(), &s );
	splitting_divide( &s, "sah", 4 );
	memcpy( near, s.part, sizeof near );
	splitting_end( &s );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].y += 0x1p20;
	}
	splitting_begin( f, &mesh, upright(), &s );
	splitting_divide( &s, "sah", 4 );
	assert_memory_equal( near, s.part, sizeof near );
	splitting_end( &s );
}

static void the_order_of_faces_changes_nothing( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 5; count < 400; count *= 3 )
	{
		bvb_mesh mesh = random_soup( f, count, 0.1 );
		bvb_mesh turned = soup_create( f, count );
		for ( uint32_t i = 0; i < 3 * count; ++i )
		{
			turned.positions[i] = mesh.positions[3 * ( count - 1 - i / 3 ) + i % 3];
		}
		splitting a;
		splitting b;
		splitting_begin( f, &mesh, upright(), &a );
		splitting_begin( f, &turned, upright(), &b );
		splitting_divide( &a, "sah", 2 );
		splitting_divide( &b, "sah", 2 );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_int_equal( a.part[i], b.part[count - 1 - i] );
		}
		splitting_end( &a );
		splitting_end( &b );
	}
}

// The same tree twice: by the frame with the splitter, and by the builder.
static void check_same( fixture* f, const bvb_mesh* mesh, bvb_hierarchy_options options )
{
	bvb_tree* tree[2];
	bvb_mesh built[2];
	for ( int i = 0; i < 2; ++i )
	{
		bvb_error error = { "" };
		built[i] = mesh_of( f, mesh->positions, mesh->vertex_count, (const uint32_t( * )[3])mesh->triangles,
		                    mesh->triangle_count );
		options.builder = i ? "sah" : "topdown";
		options.splitter = i ? "median" : "sah";
		assert_int_equal( bvb_hierarchy_build( built + i, &options, f->arena, tree + i, &error ), bv_ok );
	}
	uint32_t nodes = tree[0]->node_count;
	assert_int_equal( nodes, tree[1]->node_count );
	assert_memory_equal( tree[0]->nodes, tree[1]->nodes, nodes * sizeof *tree[0]->nodes );
	assert_memory_equal( tree[0]->volumes, tree[1]->volumes, (size_t)nodes * tree[0]->stride );
	assert_memory_equal( built[0].triangles, built[1].triangles,
	                     mesh->triangle_count * sizeof *mesh->triangles );
	assert_memory_equal( built[0].positions, built[1].positions,
	                     built[0].vertex_count * sizeof *mesh->positions );
}

static void make_floats( bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3* p = mesh->positions + i;
		*p = ( bv_vec3 ){ (float)p->x, (float)p->y, (float)p->z };
	}
}

static void the_builder_makes_the_trees_of_the_splitter( void** state )
{
	fixture* f = *state;
	bvb_mesh meshes[] = { bumpy_ball( f, 50 ), bumpy_ball( f, 50 ), random_soup( f, 3000, 0.1 ),
		                  random_soup( f, 3000, 3 ), box_mesh( f, 1, 2, 3 ) };
	make_floats( meshes ); // the second keeps numbers that are none
	for ( uint32_t i = 0; i < 3000; ++i )
	{
		// A sheet, all box midpoints on a grid, where many cuts cost the same.
		set_cube( meshes + 3, i, ( bv_vec3 ){ i % 50, i / 50, 0 }, 1 );
	}
	for ( size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i )
	{
		for ( uint32_t leaf = 1; leaf <= 4; leaf += 3 )
		{
			bvb_hierarchy_options options = *upright();
			options.leaf_triangles = leaf;
			check_same( f, meshes + i, options );
			options.threads = 1;
			check_same( f, meshes + i, options );
			options.max_depth = 12; // where the frame halves
			check_same( f, meshes + i, options );
			options.max_depth = 5;
			check_same( f, meshes + i, options );
			options.degree = 4; // left to the frame
			check_same( f, meshes + i, options );
		}
	}
}

// Places 3^-i ask for one level each; some of the triangles have twins, which can't be told apart.
static void the_builder_halves_and_gives_up_as_the_frame_does( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 600 );
	for ( uint32_t i = 0; i < 600; ++i )
	{
		double at = pow( 3, -(double)( i % 60 ) ) * ( 1 + 0.1 * ( i / 120 ) );
		set_cube( &mesh, i, ( bv_vec3 ){ at, 0, 0 }, at * 0.01 );
	}
	make_floats( &mesh );
	bvb_hierarchy_options options = *upright();
	for ( uint32_t depth = 6; depth <= BV_MAX_DEPTH; depth += 3 )
	{
		options.max_depth = depth;
		check_same( f, &mesh, options );
	}
}

typedef struct triangle_set
{
	uint32_t count;
	uint64_t key; // the sum of its triangles' keys
} triangle_set;

static int compare_sets( const void* left, const void* right )
{
	const triangle_set* a = left;
	const triangle_set* b = right;
	return a->count != b->count ? ( a->count < b->count ? -1 : 1 )
	       : a->key != b->key   ? ( a->key < b->key ? -1 : 1 )
	                            : 0;
}

// Of each node, in ascending order. A triangle is known by its first corner, whose bits are mixed by a large odd number.
static triangle_set* sets_of( fixture* f, const bvb_mesh* mesh, const bvb_tree* tree )
{
	triangle_set* sets = bvb_arena_allocate( f->arena, tree->node_count, sizeof *sets );
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		const bvorder_stored_node* node = tree->nodes + i;
		for ( uint32_t t = node->first_triangle; t < node->first_triangle + node->triangles; ++t )
		{
			uint64_t bits[3];
			memcpy( bits, mesh->positions + mesh->triangles[t].corner[0], sizeof bits );
			uint64_t mixed = ( bits[0] * 0x9e3779b97f4a7c15u ^ bits[1] ) * 0xbf58476d1ce4e5b9u ^ bits[2];
			sets[i].key += mixed * 0x94d049bb133111ebu;
		}
		sets[i].count = node->triangles;
	}
	qsort( sets, tree->node_count, sizeof *sets, compare_sets );
	return sets;
}

// Children may be in another order.
static void other_volumes_enclose_the_sets_of_the_boxes( void** state )
{
	fixture* f = *state;
	const uint32_t types[] = { 1u << bv_volume_aabb, 1u << bv_volume_obb, 1u << bv_volume_sphere,
		                       1u << bv_volume_kdop14, 1u << bv_volume_obb | 1u << bv_volume_aabb };
	bvb_mesh soup = random_soup( f, 700, 0.1 );
	for ( uint32_t degree = 2; degree <= 3; ++degree )
	{
		triangle_set* first = NULL;
		uint32_t nodes = 0;
		for ( size_t i = 0; i < sizeof types / sizeof *types; ++i )
		{
			bvb_error error;
			bvb_tree* tree;
			bvb_mesh mesh = mesh_of( f, soup.positions, soup.vertex_count,
			                         (const uint32_t( * )[3])soup.triangles, soup.triangle_count );
			bvb_hierarchy_options options = box_tree_options();
			options.builder = "sah";
			options.degree = degree;
			options.volume_types = types[i];
			assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ), bv_ok );
			triangle_set* sets = sets_of( f, &mesh, tree );
			if ( first )
			{
				assert_int_equal( tree->node_count, nodes );
				assert_memory_equal( sets, first, nodes * sizeof *sets );
			}
			first = sets;
			nodes = tree->node_count;
			for ( uint32_t k = 0; k < nodes; ++k )
			{
				assert_true( types[i] >> tree->nodes[k].type & 1 );
			}
		}
	}
}

static void the_number_of_threads_changes_no_node( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 120 );
	make_floats( &mesh );
	bvb_hierarchy_options options = *upright();
	for ( uint32_t threads = 2; threads <= 8; threads *= 2 )
	{
		options.threads = threads;
		check_same( f, &mesh, options );
	}
}

// Every limit of memory ends in a tree or in bv_error_memory.
static void running_out_of_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 30 );
	make_floats( &mesh );
	for ( int oriented = 0; oriented < 2; ++oriented )
	{
		bvb_hierarchy_options options = oriented ? box_tree_options() : *upright();
		options.builder = "sah";
		options.threads = 1;
		options.max_depth = 12;
		int failures = 0;
		bool done = false;
		for ( size_t limit = 0; !done; limit += 10000 )
		{
			bvb_error error;
			bvb_tree* tree;
			bvb_arena* arena = bvb_arena_create_limited( limit );
			bv_status status = bvb_hierarchy_build( &mesh, &options, arena, &tree, &error );
			assert_true( status == bv_ok || status == bv_error_memory );
			done = status == bv_ok;
			failures += !done;
			bvb_arena_destroy( arena );
		}
		assert_true( failures > 10 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_far_pair_is_cut_off_where_the_median_would_halve ),
		fixture_test( large_sets_are_cut_between_bins ),
		fixture_test( oriented_boxes_are_cut_along_their_own_axes ),
		fixture_test( no_plane_is_cheaper ),
		fixture_test( no_plane_between_bins_is_cheaper ),
		fixture_test( every_degree_is_honored ),
		fixture_test( the_part_with_the_greatest_product_is_cut_again ),
		fixture_test( both_halves_of_a_rectangle_are_told_apart ),
		fixture_test( identical_triangles_stay_together ),
		fixture_test( far_sets_are_cut_as_near_ones ),
		fixture_test( the_order_of_faces_changes_nothing ),
		fixture_test( the_builder_makes_the_trees_of_the_splitter ),
		fixture_test( the_builder_halves_and_gives_up_as_the_frame_does ),
		fixture_test( other_volumes_enclose_the_sets_of_the_boxes ),
		fixture_test( the_number_of_threads_changes_no_node ),
		fixture_test( running_out_of_memory_is_an_error ),
	};
	return cmocka_run_group_tests_name( "hierarchy_sah", tests, NULL, NULL );
}
