// Barequet's trees of prisms, "pie slices": parents come from the twelve corners of their children's prisms, by known axes.

#include "trees.h"

#include "runtime/math/vec.h"

static bv_prism root_of( fixture* f, const bvb_mesh* of, const char* builder, bvb_node children[2] )
{
	bvb_hierarchy_options options = bvb_hierarchy_options_default();
	options.builder = builder;
	options.volume_types = 1u << bv_volume_prism;
	bvb_mesh mesh = copy_mesh( f, of );
	bvb_tree* tree = build_tree( f, &mesh, &options );
	check_tree_of( &mesh, tree, &options );
	bvb_node root = bvb_tree_node( tree, 0 );
	assert_int_equal( root.volume.type, bv_volume_prism );
	for ( uint32_t i = 0; i < 2 && root.children == 2; ++i )
	{
		children[i] = bvb_tree_node( tree, root.first_child + i );
	}
	return root.volume.prism;
}

// Two isosceles triangles with a base of 2 and a height of 3, one above the other.
static bvb_mesh two_faces( fixture* f, double apart )
{
	bvb_mesh mesh = soup_create( f, 2 );
	for ( int i = 0; i < 2; ++i )
	{
		mesh.positions[3 * i] = ( bv_vec3 ){ -1, 0, apart * i };
		mesh.positions[3 * i + 1] = ( bv_vec3 ){ 1, 0, apart * i };
		mesh.positions[3 * i + 2] = ( bv_vec3 ){ 0, 3, apart * i };
	}
	return mesh;
}

// Far apart, the corners differ most along z: the rule of the greatest eigenvalue sweeps the triangle itself, which has the area 3. Near
// each other they differ least along z, and the other rule does.
static void each_rule_keeps_its_axis( void** state )
{
	fixture* f = *state;
	bvb_node children[2];
	bvb_mesh high = two_faces( f, 16 );
	bvb_mesh flat = two_faces( f, 0.125 );
	bv_prism prism = root_of( f, &high, "boxtree-pie-max", children );
	assert_true( fabs( prism.box.axis[2].z ) > 1 - 1e-6 );
	assert_true( fabs( bv_prism_volume( &prism ) - 3 * 16 ) < 0.05 );
	assert_true( prism.box.axis[1].y > 1 - 1e-4 );
	prism = root_of( f, &high, "boxtree-pie-min", children );
	assert_true( fabs( prism.box.axis[2].z ) < 1e-6 && bv_prism_volume( &prism ) > 60 );
	prism = root_of( f, &flat, "boxtree-pie-min", children );
	assert_true( fabs( prism.box.axis[2].z ) > 1 - 1e-6 );
	assert_true( fabs( bv_prism_volume( &prism ) - 3 * 0.125 ) < 1e-3 );
	prism = root_of( f, &flat, "boxtree-pie-max", children );
	assert_true( fabs( prism.box.axis[2].z ) < 1e-6 );
}

static void get_corners( const bv_obb* box, bv_vec3 out[6] )
{
	const double* h = box->half_extents;
	for ( int i = 0; i < 6; ++i )
	{
		double side = i % 3 == 0 ? -h[0] : i % 3 == 1 ? h[0] : 0;
		out[i] = bv_add( box->center, bv_scale( side, box->axis[0] ) );
		out[i] = bv_add( out[i], bv_scale( i % 3 == 2 ? h[1] : -h[1], box->axis[1] ) );
		out[i] = bv_add( out[i], bv_scale( i < 3 ? -h[2] : h[2], box->axis[2] ) );
	}
}

// A right-angled triangle's least isosceles one is larger than itself: the parent holds that, and not the faces alone.
static void parents_hold_their_childrens_corners( void** state )
{
	fixture* f = *state;
	static const char* const builders[] = { "boxtree-pie-max", "boxtree-pie-min" };
	for ( int round = 0; round < 200; ++round )
	{
		bvb_mesh mesh = soup_create( f, 2 );
		bvb_node children[2];
		for ( int i = 0; i < 6; ++i )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[i] = ( bv_vec3 ){ (float)p.x, (float)p.y, (float)( p.z + 2 * ( i / 3 ) ) };
		}
		bv_prism root = root_of( f, &mesh, builders[round % 2], children );
		for ( int i = 0; i < 12; ++i )
		{
			bv_vec3 corners[6];
			get_corners( &children[i / 6].volume.prism.box, corners );
			const double* h = root.box.half_extents;
			bv_vec3 d = bv_sub( corners[i % 6], root.box.center );
			double s = fabs( bv_dot( root.box.axis[0], d ) );
			double t = bv_dot( root.box.axis[1], d );
			double w = fabs( bv_dot( root.box.axis[2], d ) );
			double near = 1e-4 * ( h[0] + h[1] + h[2] );
			assert_true( s <= h[0] + near && t >= -h[1] - near && w <= h[2] + near );
			assert_true( 2 * h[1] * ( s - near ) <= h[0] * ( h[1] - t + near ) );
		}
	}
}

// A face's prism is the least isosceles triangle round it in its plane: of one that is isosceles, itself.
static void leaves_are_least_triangles( void** state )
{
	fixture* f = *state;
	static const char* const builders[] = { "boxtree-pie-max", "boxtree-pie-min" };
	for ( int b = 0; b < 2; ++b )
	{
		bvb_node children[2];
		bvb_mesh mesh = two_faces( f, 4 );
		root_of( f, &mesh, builders[b], children );
		for ( int i = 0; i < 2; ++i )
		{
			const bv_obb* box = &children[i].volume.prism.box;
			assert_true( fabs( box->axis[2].z ) > 1 - 1e-6 && box->half_extents[2] < 1e-5 );
			assert_true( fabs( 2 * box->half_extents[0] * box->half_extents[1] - 3 ) < 1e-3 );
		}
	}
}

// Four faces in a row along z at 0, 1, 2.25 and 3.25: those at a distance of 1 have the least parents.
static void pairs_have_the_least_parents( void** state )
{
	fixture* f = *state;
	static const char* const builders[] = { "boxtree-pie-max", "boxtree-pie-min" };
	static const double at[] = { 0, 1, 2.25, 3.25 };
	for ( int round = 0; round < 4; ++round )
	{
		bvb_mesh mesh = soup_create( f, 4 );
		for ( int i = 0; i < 12; ++i )
		{
			mesh.positions[i] = ( bv_vec3 ){ i % 3 == 0   ? -1
				                             : i % 3 == 1 ? 1
				                                          : 0,
				                             i % 3 == 2 ? 3 : 0, at[i / 3] };
		}
		bvb_hierarchy_options options = bvb_hierarchy_options_default();
		options.builder = builders[round % 2];
		options.volume_types = 1u << bv_volume_prism;
		options.quality = round < 2 ? bvb_quality_area : bvb_quality_volume;
		bvb_tree* tree = build_tree( f, &mesh, &options );
		check_tree_of( &mesh, tree, &options );
		bvb_node root = bvb_tree_node( tree, 0 );
		for ( uint32_t i = 0; i < 2; ++i )
		{
			bvb_node pair = bvb_tree_node( tree, root.first_child + i );
			assert_int_equal( pair.triangles, 2 );
			double low = mesh.positions[mesh.triangles[pair.first_triangle].corner[0]].z;
			double high = mesh.positions[mesh.triangles[pair.first_triangle + 1].corner[0]].z;
			assert_true( fabs( high - low ) == 1 );
		}
	}
}

static void threads_and_meshes_of_any_kind_do_not_matter( void** state )
{
	fixture* f = *state;
	static const char* const builders[] = { "boxtree-pie-max", "boxtree-pie-min" };
	for ( int round = 0; round < 4; ++round )
	{
		bvb_hierarchy_options options = bvb_hierarchy_options_default();
		options.builder = builders[round % 2];
		options.volume_types = 1u << bv_volume_prism;
		bvb_mesh one = round < 2 ? bumpy_ball( f, 12 ) : soup_create( f, 300 );
		for ( uint32_t i = 0; round >= 2 && i < one.vertex_count; ++i )
		{
			bv_vec3 p = random_point( f );
			one.positions[i] = ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
		}
		bvb_mesh two = copy_mesh( f, &one );
		options.threads = 1;
		bvb_tree* a = build_tree( f, &one, &options );
		options.threads = 3;
		bvb_tree* b = build_tree( f, &two, &options );
		assert_int_equal( bvb_tree_node_count( a ), bvb_tree_node_count( b ) );
		for ( uint32_t i = 0; i < bvb_tree_node_count( a ); ++i )
		{
			bv_volume u = bvb_tree_node( a, i ).volume;
			bv_volume v = bvb_tree_node( b, i ).volume;
			assert_memory_equal( &u.prism, &v.prism, sizeof u.prism );
		}
		check_tree_of( &one, a, &options );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( each_rule_keeps_its_axis ),
		fixture_test( parents_hold_their_childrens_corners ),
		fixture_test( leaves_are_least_triangles ),
		fixture_test( pairs_have_the_least_parents ),
		fixture_test( threads_and_meshes_of_any_kind_do_not_matter ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
