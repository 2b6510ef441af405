// bv_mesh_collide against brute force over all pairs of triangles, and against its own counters.

#include "support.h"

#include "bv/mesh.h"
#include "runtime/triangle/pair.h"

// A soup of random triangles in a cube of side 1 about the origin, sizes over two decades.
static bvb_mesh random_soup( fixture* f, uint32_t count )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double size = pow( 10, -2 * random_unit( f ) );
		bv_vec3 center = random_point( f );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_point( f );
			mesh.positions[3 * i + k] =
				( bv_vec3 ){ center.x - 0.5 + size * ( p.x - 0.5 ), center.y - 0.5 + size * ( p.y - 0.5 ),
				             center.z - 0.5 + size * ( p.z - 0.5 ) };
		}
	}
	return mesh;
}

static bv_pose random_pose( fixture* f, double distance )
{
	double q[4];
	double length = 0;
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = random_unit( f ) - 0.5;
		length += q[i] * q[i];
	}
	double s = 2 / length;
	double x = q[0], y = q[1], z = q[2], w = q[3];
	return ( bv_pose ){
		.rotation = { { 1 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
		              { s * ( x * y + w * z ), 1 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
		              { s * ( x * z - w * y ), s * ( y * z + w * x ), 1 - s * ( x * x + y * y ) } },
		.translation = { distance * random_unit( f ), distance * random_unit( f ), 0 }
	};
}

static void place( const bv_file* file, uint32_t triangle, const bv_pose* pose, bv_vec3 out[3] )
{
	uint32_t corner[3];
	bv_file_get_triangle( file, triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = bv_file_get_vertex( file, corner[k] );
		const double( *r )[3] = pose->rotation;
		out[k] = ( bv_vec3 ){ r[0][0] * p.x + r[0][1] * p.y + r[0][2] * p.z + pose->translation.x,
			                  r[1][0] * p.x + r[1][1] * p.y + r[1][2] * p.z + pose->translation.y,
			                  r[2][0] * p.x + r[2][1] * p.y + r[2][2] * p.z + pose->translation.z };
	}
}

// The pairs that were reported, as one flag a pair.
typedef struct pair_set
{
	bool* seen;
	uint32_t columns;
	uint64_t repeated;
} pair_set;

static bool mark( void* context, uint32_t a, uint32_t b )
{
	pair_set* set = context;
	bool* cell = set->seen + (size_t)a * set->columns + b;
	set->repeated += *cell;
	*cell = true;
	return true;
}

// Brute force knows nothing of trees; the triangle test itself is proved against integers in
// test_triangle_pair.
static void all_pairs_are_those_of_brute_force( void** state )
{
	fixture* f = *state;
	const bvb_position_form forms[] = { bvb_positions_float, bvb_positions_quantized };
	for ( int round = 0; round < 12; ++round )
	{
		bvb_asset_options options = bvb_asset_options_default();
		options.record.positions = forms[round % 2];
		options.hierarchy.leaf_triangles = 1 + (uint32_t)round % 4;
		options.hierarchy.collapse = round % 5 < 2 ? 0 : 4 + (uint32_t)round % 5;
		bvb_mesh soup_a = random_soup( f, 150 + 20 * (uint32_t)round );
		bvb_mesh soup_b = random_soup( f, 170 );
		const bv_file* a = build_file( f, &soup_a, &options );
		const bv_file* b = build_file( f, &soup_b, &options );
		uint32_t rows = bv_file_get_mesh( a ).triangles;
		uint32_t columns = bv_file_get_mesh( b ).triangles;
		bv_pose pose = random_pose( f, 0.5 );

		// As far from orthonormal as it may be.
		for ( int i = 0; i < 9 && round % 4 == 3; ++i )
		{
			pose.rotation[i / 3][i % 3] += 4e-5 * ( random_unit( f ) - 0.5 );
		}
		assert_true( bv_pose_is_rigid( &pose ) );

		pair_set set = { calloc( (size_t)rows * columns, 1 ), columns, 0 };
		bv_collide_options query = { .callback = mark,
			                         .context = &set,
			                         .expansion = (bv_expansion)( round % bv_expansions ) };
		bv_collide_result result;
		assert_int_equal( bv_mesh_collide( a, b, by_pose( &pose ), &query, &result ), bv_ok );

		uint64_t expected = 0;
		for ( uint32_t i = 0; i < rows; ++i )
		{
			bv_vec3 ta[3];
			bv_pose identity = bv_pose_identity();
			place( a, i, &identity, ta );
			for ( uint32_t k = 0; k < columns; ++k )
			{
				bv_vec3 tb[3];
				place( b, k, &pose, tb );
				bool meets = bvtri_triangles_intersect( ta, tb );
				assert_int_equal( meets, set.seen[(size_t)i * columns + k] );
				expected += meets;
			}
		}
		assert_true( expected > 0 );
		assert_int_equal( result.pairs, expected );
		assert_int_equal( set.repeated, 0 );
		assert_true( result.triangle_tests >= result.pairs );
		assert_true( result.triangle_tests < (uint64_t)rows * columns );
		free( set.seen );
	}
}

// 80 triangles and 90, with nodes of each type, which have two children, up to eight of them where that is worth it, or six.
static void build_soups( fixture* f, const bv_file* of[bv_volume_types][2] )
{
	bvb_asset_options options = plain_options();
	bvb_mesh soup_a = random_soup( f, 80 );
	bvb_mesh soup_b = random_soup( f, 90 );
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		options.hierarchy.volume_types = 1u << type;
		for ( int i = 0; i < 2; ++i )
		{
			int wide = ( type + i * ( 1 + type / 3 ) ) % 3;
			options.hierarchy.collapse = wide == 1 ? 8 : 0;
			options.hierarchy.degree = wide == 2 ? BVB_MAX_DEGREE : 2;
			of[type][i] = build_file( f, i == 0 ? &soup_a : &soup_b, &options );
		}
	}
}

// Brute force again, with nodes of all types: those of each type against themselves, and of any against any.
static void nodes_of_any_type_find_the_same_pairs( void** state )
{
	fixture* f = *state;
	const bv_file* of[bv_volume_types][2];
	build_soups( f, of );
	for ( int round = 0; round < 3; ++round )
	{
		bv_pose pose = random_pose( f, 0.5 );
		uint64_t expected = 0;
		for ( uint32_t k = 0; k < 80 * 90; ++k )
		{
			bv_vec3 ta[3];
			bv_vec3 tb[3];
			bv_pose identity = bv_pose_identity();
			place( of[0][0], k % 80, &identity, ta );
			place( of[0][1], k / 80, &pose, tb );
			expected += bvtri_triangles_intersect( ta, tb );
		}
		for ( int i = 0; i < bv_volume_types * bv_volume_types; ++i )
		{
			const bv_file* a = of[i / bv_volume_types][0];
			const bv_file* b = of[i % bv_volume_types][1];
			bv_collide_result result;
			bv_collide_options how = { .expansion = (bv_expansion)( ( i + round ) % bv_expansions ) };
			assert_int_equal( bv_mesh_collide( a, b, by_pose( &pose ), &how, &result ), bv_ok );
			assert_int_equal( result.pairs, expected );
			assert_true( expected > 0 && result.triangle_tests < 80 * 90 / 2 );
		}
	}
}

// Brute force with corners that bv_transform_point takes to their places, scaled and every other time reflected.
static void scaled_and_mirrored_meshes_find_the_same_pairs( void** state )
{
	fixture* f = *state;
	const bv_file* of[bv_volume_types][2];
	build_soups( f, of );
	uint64_t all = 0;
	for ( int i = 0; i < 3 * bv_volume_types * bv_volume_types; ++i )
	{
		const bv_file* a = of[i / bv_volume_types % bv_volume_types][0];
		const bv_file* b = of[i % bv_volume_types][1];
		bv_pose pose = random_pose( f, 0.5 );
		double scale = ldexp( 0.5 + random_unit( f ), (int)( random_bits( f ) % 4 ) - 2 );
		bv_transform transform = { pose, i % 3 == 0 ? 1 : scale, i % 2 };
		uint64_t expected = 0;
		for ( uint32_t k = 0; k < 80 * 90; ++k )
		{
			bv_vec3 ta[3];
			bv_vec3 tb[3];
			bv_pose identity = bv_pose_identity();
			place( a, k % 80, &identity, ta );
			place( b, k / 80, &identity, tb );
			for ( int n = 0; n < 3; ++n )
			{
				tb[n] = bv_transform_point( &transform, tb[n] );
			}
			expected += bvtri_triangles_intersect( ta, tb );
		}
		bv_collide_result result;
		assert_int_equal( bv_mesh_collide( a, b, &transform, NULL, &result ), bv_ok );
		assert_int_equal( result.pairs, expected );
		assert_true( result.triangle_tests < 80 * 90 * 3 / 4 );
		all += expected;
	}
	assert_true( all > 300 );
}

enum
{
	far = 1 << 20, // where binary32 numbers are 1/8 apart
};

static void set_triangle( bvb_mesh* mesh, uint32_t index, const bv_vec3 corner[3] )
{
	memcpy( mesh->positions + 3 * index, corner, 3 * sizeof *corner );
}

// A file whose tree is one leaf, with triangles in the mesh's order.
static const bv_file* file_of_leaf( fixture* f, const bvb_mesh* mesh )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = 0;
	const bv_file* file = build_file( f, mesh, &options );
	assert_int_equal( bv_file_get_mesh( file ).triangles, mesh->triangle_count );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		bv_vec3 p = bv_file_get_vertex( file, corner[0] );
		assert_memory_equal( &p, mesh->positions + 3 * i, sizeof p );
	}
	return file;
}

static const bv_file* file_of_one( fixture* f, const bv_vec3 corner[3] )
{
	bvb_mesh mesh = soup_create( f, 1 );
	set_triangle( &mesh, 0, corner );
	return file_of_leaf( f, &mesh );
}

// A triangle with its lowest corner at (x, 1/4, x), from where it goes up steeply.
static const bv_file* file_of_pick( fixture* f, double x )
{
	return file_of_one(
		f, ( const bv_vec3[3] ){ { x, 0.25, x }, { x, 0.25, x + 1 }, { x + 0.125, 0.25, x + 1 } } );
}

// One at the origin, which nothing else is near; one in the plane z = x + far; a level one at z = far + 1.
static const bv_vec3 far_triangles[3][3] = {
	{ { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },
	{ { 0, 0, far }, { 1, 0, far + 1 }, { 0, 1, far } },
	{ { 0, 0, far + 1 }, { 1, 0, far + 1 }, { 0, 1, far + 1 } },
};

static uint64_t pairs_of( const bv_file* a, const bv_file* b, const bv_transform* transform )
{
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( a, b, transform, NULL, &result ), bv_ok );
	return result.pairs;
}

// Triangles of a leaf are compared relative to its first corner, where binary32 does not tell sixteenths apart: the pick that
// touches the plane, is above or below it by a 64th, is found to do so all the same. All these numbers are exact in binary64.
static void what_is_far_from_its_leafs_first_corner_is_not_mistaken( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 2 );
	set_triangle( &mesh, 0, far_triangles[0] );
	set_triangle( &mesh, 1, far_triangles[1] );
	const bv_file* a = file_of_leaf( f, &mesh );
	for ( int i = 1; i < 12; ++i )
	{
		const bv_file* b = file_of_pick( f, i / 16.0 );
		for ( int lift = -1; lift <= 1; ++lift )
		{
			bv_transform t = bv_transform_identity();
			t.pose.translation.z = far + lift / 64.0;
			assert_int_equal( pairs_of( a, b, &t ), lift <= 0 );
		}
	}
}

// A leaf's first eight triangles are compared with the pick together with the rest of them, of which the ones are as coarse as above and the
// others, whose first corner is near the pick, as fine as can be: it touches the plane and passes through the level triangle.
static void parts_of_leaves_that_are_compared_together_are_not_mistaken( void** state )
{
	fixture* f = *state;
	static const int places[2][3] = { { 0, 1, 8 }, { 8, 9, 0 } };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = soup_create( f, i == 0 ? 9 : 10 );
		for ( uint32_t k = 0; k < mesh.triangle_count; ++k )
		{
			double x = 10 * ( k + 1 );
			double z = i == 0 ? 0 : far;
			set_triangle( &mesh, k, ( const bv_vec3[3] ){ { x, 0, z }, { x + 1, 0, z }, { x, 1, z } } );
		}
		for ( int k = 0; k < 3; ++k )
		{
			set_triangle( &mesh, (uint32_t)places[i][k], far_triangles[k] );
		}
		const bv_file* a = file_of_leaf( f, &mesh );
		bv_transform t = bv_transform_identity();
		t.pose.translation.z = far;
		for ( int k = 1; k < 12; ++k )
		{
			assert_int_equal( pairs_of( a, file_of_pick( f, k / 16.0 ), &t ), 2 );
		}
	}
}

// 3 * 2^38 * ( 1 + 2^-52 ) is 3 * 2^-14 more than 3 * 2^38, where binary64 numbers are 2^-13 apart: the one triangle is in the plane of
// the other and covers it, but seems to be 2^-14 off.
static void what_rounding_of_placements_parts_still_meets( void** state )
{
	fixture* f = *state;
	const double away = 0x3p38;
	const double level = 0x3p-14;
	const bv_file* a =
		file_of_one( f, ( const bv_vec3[3] ){ { 0, 0, level }, { 1, 0, level }, { 0, 1, level } } );
	const bv_file* b =
		file_of_one( f, ( const bv_vec3[3] ){ { 0, 0, away }, { 1, 0, away }, { 0, 1, away } } );
	bv_transform t = bv_transform_identity();
	t.scale = 1 + 0x1p-52;
	t.pose.translation.z = -away;
	assert_true( fabs( bv_transform_point( &t, ( bv_vec3 ){ 0, 0, away } ).z - level ) == 0x1p-14 );
	assert_int_equal( pairs_of( a, b, &t ), 1 );
}

static bool count_and_stop( void* context, uint32_t a, uint32_t b )
{
	(void)a, (void)b;
	return ++*(int*)context < 3;
}

static void first_and_callback_end_the_query( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh soup = random_soup( f, 200 );
	const bv_file* file = build_file( f, &soup, &options );
	bv_pose pose = bv_pose_identity();
	bv_collide_result all;
	bv_collide_result first;
	bv_collide_result stopped;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &all ), bv_ok );
	// In its own place every triangle meets itself.
	assert_true( all.pairs >= bv_file_get_mesh( file ).triangles );

	assert_int_equal(
		bv_mesh_collide( file, file, by_pose( &pose ), &( bv_collide_options ){ .first = true }, &first ),
		bv_ok );
	assert_int_equal( first.pairs, 1 );
	assert_true( first.volume_tests < all.volume_tests );

	int calls = 0;
	bv_collide_options query = { .callback = count_and_stop, .context = &calls };
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), &query, &stopped ), bv_ok );
	assert_int_equal( calls, 3 );
	assert_int_equal( stopped.pairs, 3 );
}

static void far_apart_costs_one_test( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh soup = random_soup( f, 100 );
	const bv_file* file = build_file( f, &soup, &options );
	bv_pose pose = bv_pose_identity();
	pose.translation.x = 10;
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ), bv_ok );
	assert_int_equal( result.pairs, 0 );
	assert_int_equal( result.volume_tests, 1 );
	assert_int_equal( result.triangle_tests, 0 );
}

// A cube of side 1 against itself, moved by 1 along x: the two facing sides coincide. By symmetry of
// touching: each of the two triangles of one side meets both of the other.
static void touching_meshes_intersect( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = build_file( f, &cube, &options );
	bv_pose pose = bv_pose_identity();
	bv_collide_result result;
	pose.translation.x = 1;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ), bv_ok );
	assert_true( result.pairs >= 4 );
	pose.translation.x = 1 + 1e-9;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ), bv_ok );
	assert_int_equal( result.pairs, 0 );
}

static void poses_that_are_not_rigid_are_refused( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = build_file( f, &cube, &options );
	bv_collide_result result;
	bv_pose pose = bv_pose_identity();
	assert_int_equal( bv_mesh_collide( file, NULL, NULL, NULL, &result ), bv_error_argument );
	bv_transform none = bv_transform_identity();
	none.scale = 0;
	assert_int_equal( bv_mesh_collide( file, file, &none, NULL, &result ), bv_error_argument );
	assert_int_equal( bv_mesh_collide( NULL, file, by_pose( &pose ), NULL, &result ), bv_error_argument );
	pose.rotation[0][0] = 2;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ), bv_error_argument );
	pose.rotation[0][0] = -1;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ), bv_error_argument );
	pose.rotation[0][0] = NAN;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ), bv_error_argument );
	pose = bv_pose_identity();
	pose.translation.y = INFINITY;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ), bv_error_argument );
}

enum
{
	chain_triangles = 7 * BV_MAX_DEPTH + 1,
};

// Of two nodes of 8 leaves each, of one triangle each. All volumes overlap: so one-sided expansion compares the roots, 8 children with a
// root, and each of them with 8; simultaneous expansion leaves out the second of these. So does the hybrid one, because the leaves'
// balls are so small, 2 at most where the root's is 8, that 64 * (2^3 + 2^3) is below 8 * (2^3 + 8^3).
static bvb_node node_of_flower( const void* context, uint32_t index )
{
	(void)context;
	bvb_node node = { .volume = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 8 } } };
	node.first_child = index == 0 ? 1 : 0;
	node.children = index == 0 ? 8 : 0;
	node.first_triangle = index == 0 ? 0 : index - 1;
	node.triangles = index == 0 ? 8 : 1;
	return node;
}

static void expansions_compare_what_they_say( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 8 );
	for ( uint32_t i = 0; i < 24; ++i )
	{
		mesh.positions[i] = random_point( f );
	}
	const bv_file* file = file_of_nodes( f, &mesh, node_of_flower, NULL, 9 );
	bv_pose pose = bv_pose_identity();
	static const uint64_t tests[bv_expansions] = { 1 + 8 + 64, 1 + 64, 1 + 64 };
	for ( int i = 0; i < bv_expansions; ++i )
	{
		bv_collide_options options = { .expansion = (bv_expansion)i };
		bv_collide_result result;
		assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), &options, &result ), bv_ok );
		assert_int_equal( result.volume_tests, tests[i] );
		assert_int_equal( result.triangle_tests, 64 );
	}
	bv_collide_options options = { .expansion = bv_expansions };
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), &options, &result ), bv_error_argument );
}

// The deepest tree there can be with the most children: on each level seven leaves and, as the last child, the rest.
static bvb_node node_of_chain( const void* context, uint32_t index )
{
	(void)context;
	uint32_t level = index == 0 ? 0 : ( index + 7 ) / 8;
	bool inner = index % 8 == 0 && level < BV_MAX_DEPTH;
	bvb_node node = { .volume = { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, 8 } } };
	node.first_child = inner ? 8 * level + 1 : 0;
	node.children = inner ? 8 : 0;
	node.first_triangle = inner ? 7 * level : 7 * ( level - 1 ) + ( index - 1 ) % 8;
	node.triangles = inner ? chain_triangles - node.first_triangle : 1;
	return node;
}

// Every volume holds all, so that nothing is left out: each pair of leaves is tested once, with as many pairs waiting as there can be.
static void the_deepest_and_widest_trees_are_descended( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, chain_triangles );
	for ( uint32_t i = 0; i < 3 * chain_triangles; ++i )
	{
		mesh.positions[i] = random_point( f );
	}
	const bv_file* file = file_of_nodes( f, &mesh, node_of_chain, NULL, 8 * BV_MAX_DEPTH + 1 );
	assert_int_equal( bv_file_get_hierarchy( file ).depth, BV_MAX_DEPTH );
	bv_pose pose = bv_pose_identity();
	bv_collide_result result;
	for ( int i = 0; i < bv_expansions; ++i )
	{
		bv_collide_options options = { .expansion = (bv_expansion)i };
		assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), &options, &result ), bv_ok );
		assert_int_equal( result.triangle_tests, chain_triangles * chain_triangles );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( all_pairs_are_those_of_brute_force ),
		fixture_test( nodes_of_any_type_find_the_same_pairs ),
		fixture_test( scaled_and_mirrored_meshes_find_the_same_pairs ),
		fixture_test( what_is_far_from_its_leafs_first_corner_is_not_mistaken ),
		fixture_test( parts_of_leaves_that_are_compared_together_are_not_mistaken ),
		fixture_test( what_rounding_of_placements_parts_still_meets ),
		fixture_test( first_and_callback_end_the_query ),
		fixture_test( far_apart_costs_one_test ),
		fixture_test( touching_meshes_intersect ),
		fixture_test( poses_that_are_not_rigid_are_refused ),
		fixture_test( expansions_compare_what_they_say ),
		fixture_test( the_deepest_and_widest_trees_are_descended ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
