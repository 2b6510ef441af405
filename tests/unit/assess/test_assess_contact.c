// Queries near contact: what they must take on trees that leave no choice, what can't depend on the tree, and limits.

#include "support.h"

static const bv_file* ball_file( fixture* f, double scale, double far, uint32_t depth )
{
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = depth;
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3* p = mesh.positions + i;
		*p = ( bv_vec3 ){ scale * ( (float)p->x + far ), scale * (float)p->y, scale * ( (float)p->z - far ) };
	}
	return build_file( f, &mesh, &options );
}

static bvb_contact contact_of( fixture* f, const bv_file* file )
{
	bvb_contact out;
	assert_int_equal( bvb_assess_contact( file, NULL, f->arena, &out, NULL ), bv_ok );
	return out;
}

// A few draws that are never given up.
static bvb_contact long_contact_of( fixture* f, const bv_file* file )
{
	bvb_contact_options options = { .draws = 4, .seed = 7 };
	bvb_contact out;
	assert_int_equal( bvb_assess_contact( file, &options, f->arena, &out, NULL ), bv_ok );
	return out;
}

// What a pose's steps cost together, by the file's table.
static double cost_of( const bvb_contact_cost* c, const bv_costs* costs )
{
	double sum =
		c->openings * costs->opening + c->leaves * costs->leaf + c->triangle_tests * costs->triangles;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			sum += c->volumes[i][k] * costs->volumes[i][k];
		}
	}
	return sum;
}

// Of a single leaf in each pose the two volumes are compared, and all 12 x 12 pairs of triangles where they overlap, which they do
// where triangles meet.
static void a_single_leaf_leaves_no_choice( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = 0;
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_contact c = contact_of( f, file );
	assert_true( c.draws == bvb_contact_options_default().draws && c.passed == 0 && c.given_up == 0 );
	assert_true( c.all.poses == 3 * c.draws && c.at[0].poses == c.draws );
	assert_true( c.all.volume_tests == 1 && c.all.volumes[bv_volume_obb][bv_volume_obb] == 1 );
	assert_true( c.all.openings == 0 );
	assert_true( c.at[2].leaves == 1 && c.at[2].triangle_tests == 144 && c.at[2].pairs > 1 );
	assert_true( fabs( c.all.triangle_tests - 144 * c.all.leaves ) < 1e-9 );

	const bv_costs costs = bv_file_get_hierarchy( file ).costs;
	double expected = costs.volumes[bv_volume_obb][bv_volume_obb] + costs.leaf + 144 * costs.triangles;
	assert_true( fabs( c.at[2].cost - expected ) < 1e-9 * expected );
}

// It came from where nothing was met: of poses a little back nothing is, and of those into contact there is.
static void only_poses_into_contact_find_pairs( void** state )
{
	fixture* f = *state;
	bvb_contact c = contact_of( f, ball_file( f, 1, 0, BV_MAX_DEPTH ) );
	assert_true( bvb_contact_offset( 0 ) == 0.01 && bvb_contact_offset( 1 ) == 0.001 &&
	             bvb_contact_offset( 2 ) == -0.01 );
	assert_true( c.at[0].pairs == 0 && c.at[1].pairs == 0 && c.at[2].pairs > 2 );
	assert_true( c.at[0].volume_tests < c.at[1].volume_tests );
	assert_true( c.at[1].volume_tests < c.at[2].volume_tests );
	assert_true( fabs( c.all.pairs - c.at[2].pairs / 3 ) < 1e-9 );
}

// A ball of radius 1, corners on it and faces no farther than 7e-4 inside: the centers of two such balls are from 1.9986 to 2 apart
// when they touch, however they are turned. Half the diagonal of its box is the root of 3.
static bvb_mesh smooth_ball( fixture* f )
{
	bvb_mesh mesh = bumpy_ball( f, 60 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3* p = mesh.positions + i;
		double length = sqrt( p->x * p->x + p->y * p->y + p->z * p->z );
		*p = ( bv_vec3 ){ p->x / length, p->y / length, p->z / length };
	}
	return mesh;
}

// A tree but for its root's volume.
typedef struct other_root
{
	const bvb_tree* tree;
	bv_volume volume;
} other_root;

static bvb_node node_below( const void* context, uint32_t index )
{
	const other_root* other = context;
	bvb_node node = bvb_tree_node( other->tree, index );
	node.volume = index == 0 ? other->volume : node.volume;
	return node;
}

static const bv_file* with_root( fixture* f, bvb_asset* asset, const bvb_tree* tree, double radius )
{
	other_root other = { tree, { .type = bv_volume_sphere, .sphere = { { 0, 0, 0 }, radius } } };
	bvb_bytes bytes;
	asset->tree = bvb_tree_from( node_below, &other, bvb_tree_node_count( tree ), f->arena );
	assert_int_equal( bvb_tree_snap( asset->tree, &asset->record.mesh, 1, f->arena, NULL ), bv_ok );
	assert_int_equal( bvb_asset_encode( asset, f->arena, &bytes, NULL ), bv_ok );
	return open_bytes( bytes );
}

// A ball around the ball, so large that two of them touch when their meshes are still `gap` halves of the diagonal apart: what poses
// are nearer opens the roots, what are not compares them and ends. By 8e-4 poses may be nearer for the faces, and
// farther by the 1e-5 that they stop at.
static void poses_are_at_their_offsets_from_touching( void** state )
{
	fixture* f = *state;
	static const struct
	{
		double gap;
		bool opens[2]; // at the first two offsets: 0.01 and 0.001
	} cases[] = {
		{ 0.01 + 5e-5, { true, true } },
		{ 0.01 - 1e-3, { false, true } },
		{ 0.001 + 5e-5, { false, true } },
		{ 0.001 - 8.5e-4, { false, false } },
	};
	bvb_scene scene = { .mesh = smooth_ball( f ) };
	bvb_source source = { .name = "ball", .format = "test" };
	bvb_asset_options options = plain_options();
	bvb_asset asset;
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, NULL ), bv_ok );
	const bvb_tree* tree = asset.tree;
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		const bv_file* file = with_root( f, &asset, tree, 1 + cases[i].gap * sqrt( 3 ) / 2 );
		for ( uint32_t seed = 0; seed < 12; ++seed )
		{
			bvb_contact_options one = { .draws = 1, .seed = seed };
			bvb_contact c;
			assert_int_equal( bvb_assess_contact( file, &one, f->arena, &c, NULL ), bv_ok );
			assert_int_equal( c.draws, 1 );
			for ( int k = 0; k < 2; ++k )
			{
				assert_true( cases[i].opens[k] ? c.at[k].openings > 0 : c.at[k].volume_tests == 1 );
			}
			assert_true( c.at[2].openings > 0 && c.at[0].pairs == 0 && c.at[1].pairs == 0 );
		}
	}
}

// The length of a mesh's sides, each of which two triangles share.
static double length_of_sides( const bvb_mesh* mesh )
{
	double sum = 0;
	for ( uint32_t i = 0; i < 3 * mesh->triangle_count; ++i )
	{
		const uint32_t* corner = mesh->triangles[i / 3].corner;
		bv_vec3 p = mesh->positions[corner[i % 3]];
		bv_vec3 q = mesh->positions[corner[( i + 1 ) % 3]];
		sum += sqrt( ( p.x - q.x ) * ( p.x - q.x ) + ( p.y - q.y ) * ( p.y - q.y ) +
		             ( p.z - q.z ) * ( p.z - q.z ) ) /
		       2;
	}
	return sum;
}

// Two balls that far in have a circle in common, with a pair of triangles between one crossing of a side, of either ball, and the
// next one. A circle of the length l and sides of the length s on a unit sphere cross l s / (2 pi^2) times in the mean over all
// rotations (Poincare). Were they twice as far in, the circle would be longer by the root of 2.
static void pairs_are_as_many_as_the_depth_of_contact_makes( void** state )
{
	fixture* f = *state;
	const double pi = 3.14159265358979323846;
	bvb_mesh mesh = smooth_ball( f );
	double sides = length_of_sides( &mesh );
	bvb_asset_options options = plain_options();
	bvb_contact_options many = { .draws = 100, .seed = 1 };
	bvb_contact c;
	assert_int_equal( bvb_assess_contact( build_file( f, &mesh, &options ), &many, f->arena, &c, NULL ),
	                  bv_ok );
	double apart = 1 - 0.01 * sqrt( 3 ) / 2;
	double circle = 2 * pi * sqrt( 1 - apart * apart );
	double expected = 2 * circle * sides / ( 2 * pi * pi );
	if ( !( fabs( c.at[2].pairs / expected - 1 ) < 0.1 ) )
	{
		fail_msg( "%g pairs and not %g", c.at[2].pairs, expected );
	}
}

// Poses depend on distances alone, up to what these may be off by: 1e-5, where 1e-2 finds the pairs.
static void pairs_do_not_depend_on_the_tree( void** state )
{
	fixture* f = *state;
	bvb_contact deep = long_contact_of( f, ball_file( f, 1, 0, BV_MAX_DEPTH ) );
	bvb_contact shallow = long_contact_of( f, ball_file( f, 1, 0, 3 ) );
	bvb_contact leaf = long_contact_of( f, ball_file( f, 1, 0, 0 ) );
	assert_true( fabs( deep.all.pairs - shallow.all.pairs ) < 0.01 * deep.all.pairs );
	assert_true( fabs( deep.all.pairs - leaf.all.pairs ) < 0.01 * deep.all.pairs );
	assert_true( leaf.all.volume_tests == 1 && leaf.all.triangle_tests > 3e4 );
	assert_true( deep.all.triangle_tests < shallow.all.triangle_tests );
	assert_true( deep.all.cost < shallow.all.cost && shallow.all.cost < leaf.all.cost );
}

static void the_cost_is_that_of_all_steps( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvb_asset_options options = plain_options();
	options.hierarchy = bvb_hierarchy_options_default();
	options.hierarchy.volume_types = 1u << bv_volume_obb | 1u << bv_volume_aabb | 1u << bv_volume_sphere;
	options.hierarchy.costs.opening = 17;
	options.hierarchy.costs.volumes[bv_volume_aabb][bv_volume_aabb] = 1.5;
	const bv_file* file = build_file( f, &mesh, &options );
	const bv_costs costs = bv_file_get_hierarchy( file ).costs;
	bvb_contact c = contact_of( f, file );
	assert_true( costs.opening == 17 );
	for ( int i = 0; i <= BVB_CONTACT_OFFSETS; ++i )
	{
		const bvb_contact_cost* at = i < BVB_CONTACT_OFFSETS ? &c.at[i] : &c.all;
		double sum = 0;
		for ( int k = 0; k < bv_volume_types * bv_volume_types; ++k )
		{
			sum += at->volumes[k / bv_volume_types][k % bv_volume_types];
		}
		assert_true( at->cost > 0 && fabs( at->cost - cost_of( at, &costs ) ) < 1e-9 * at->cost );
		assert_true( fabs( sum - at->volume_tests ) < 1e-9 * sum );
	}
	double mean = ( c.at[0].cost + c.at[1].cost + c.at[2].cost ) / 3;
	assert_true( fabs( c.all.cost - mean ) < 1e-9 * mean );
}

// By powers of two, so that all numbers stay the same but for their exponents. Where squares leave binary32 queries can't tell much
// apart, and draws are given up.
static void the_unit_of_length_does_not_matter( void** state )
{
	fixture* f = *state;
	bvb_contact usual = contact_of( f, ball_file( f, 1, 0, BV_MAX_DEPTH ) );
	bvb_contact small = contact_of( f, ball_file( f, 0x1p-20, 0, BV_MAX_DEPTH ) );
	bvb_contact large = contact_of( f, ball_file( f, 0x1p20, 0, BV_MAX_DEPTH ) );
	assert_memory_equal( &small, &usual, sizeof usual );
	assert_memory_equal( &large, &usual, sizeof usual );
	for ( int sign = -1; sign <= 1; sign += 2 )
	{
		bvb_contact_options options = { .draws = 4, .seed = 1, .most_tests = 100000 };
		const bv_file* file = ball_file( f, sign < 0 ? 0x1p-100 : 0x1p100, 0, BV_MAX_DEPTH );
		bvb_contact c;
		assert_int_equal( bvb_assess_contact( file, &options, f->arena, &c, NULL ), bv_ok );
		assert_true( c.draws + c.given_up == 4 );
	}
}

// A thousand times its size from the origin, where binary32 leaves the shape four digits.
static void far_from_the_origin_it_is_much_the_same( void** state )
{
	fixture* f = *state;
	bvb_contact usual = contact_of( f, ball_file( f, 1, 0, BV_MAX_DEPTH ) );
	bvb_contact far = contact_of( f, ball_file( f, 1, 1000, BV_MAX_DEPTH ) );
	assert_true( far.draws == usual.draws && far.at[0].pairs == 0 );
	assert_true( fabs( far.all.pairs - usual.all.pairs ) < 0.1 * usual.all.pairs );
	assert_true( fabs( far.all.cost - usual.all.cost ) < 0.2 * usual.all.cost );
}

// Two small triangles at the far corners of a large box mostly pass each other by.
static void draws_that_pass_by_are_counted( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 2 );
	for ( int i = 0; i < 6; ++i )
	{
		mesh.positions[i] =
			( bv_vec3 ){ 10 * ( i / 3 ) + i % 3 % 2, 10 * ( i / 3 ), 10 * ( i / 3 ) + i % 3 / 2 };
	}
	bvb_asset_options options = plain_options();
	bvb_contact c = contact_of( f, build_file( f, &mesh, &options ) );
	assert_true( c.passed > c.draws && c.given_up == 0 );
	assert_true( c.draws < bvb_contact_options_default().draws );
	assert_true( c.all.poses == 3 * c.draws );
}

// So small and far apart that in no draw, out of 8 tries each, one is hit.
static void of_what_always_passes_by_all_tries_count( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 2 );
	for ( int i = 0; i < 6; ++i )
	{
		mesh.positions[i] = ( bv_vec3 ){ i / 3 + 1e-4 * ( i % 3 % 2 ), i / 3, i / 3 + 1e-4 * ( i % 3 / 2 ) };
	}
	bvb_asset_options options = plain_options();
	bvb_contact c = contact_of( f, build_file( f, &mesh, &options ) );
	assert_true( c.draws == 0 && c.given_up == 0 && c.all.poses == 0 );
	assert_int_equal( c.passed, 8 * bvb_contact_options_default().draws );
}

static void flat_meshes_and_single_triangles_touch_too( void** state )
{
	fixture* f = *state;
	static const uint32_t corners[2][3] = { { 0, 1, 2 }, { 1, 3, 2 } };
	const bv_vec3 square[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } };
	bvb_asset_options options = plain_options();
	for ( uint32_t count = 1; count <= 2; ++count )
	{
		bvb_mesh mesh = mesh_of( f, square, 2 + count, corners, count );
		bvb_contact c = contact_of( f, build_file( f, &mesh, &options ) );
		assert_true( c.draws > 20 && c.given_up == 0 && c.at[2].pairs > 0 );
	}
}

static void draws_end_after_too_many_tests( void** state )
{
	fixture* f = *state;
	const bv_file* file = ball_file( f, 1, 0, 0 );
	bvb_contact_options options = bvb_contact_options_default();
	bvb_contact c;
	options.draws = 3;
	options.most_tests = 20000;
	assert_int_equal( bvb_assess_contact( file, &options, f->arena, &c, NULL ), bv_ok );
	assert_true( c.draws == 0 && c.given_up == 3 && c.passed == 0 );
	assert_true( c.all.poses == 0 && c.all.cost == 0 );
	options.most_tests = 0;
	assert_int_equal( bvb_assess_contact( file, &options, f->arena, &c, NULL ), bv_ok );
	assert_true( c.draws == 3 && c.given_up == 0 );
	options.draws = 0;
	assert_int_equal( bvb_assess_contact( file, &options, f->arena, &c, NULL ), bv_ok );
	assert_true( c.draws == 0 && c.given_up == 0 && c.all.poses == 0 );
}

// Of a box that is a single leaf a distance takes 1 + 144 tests, and so does the pose into contact; those before it compare volumes,
// which are the mesh's own and apart. So many distances, two at least, and the three poses are what a draw has to be allowed.
static void a_limit_is_that_of_all_tests_of_a_draw( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = 0;
	const bv_file* file = build_file( f, &mesh, &options );
	for ( uint32_t seed = 0; seed < 8; ++seed )
	{
		uint64_t too_few = 0;
		uint64_t enough = 100000;
		while ( too_few + 1 < enough )
		{
			uint64_t most = ( too_few + enough ) / 2;
			bvb_contact_options one = { .draws = 1, .seed = seed, .most_tests = most };
			bvb_contact c;
			assert_int_equal( bvb_assess_contact( file, &one, f->arena, &c, NULL ), bv_ok );
			assert_true( c.draws + c.given_up == 1 );
			too_few = c.given_up ? most : too_few;
			enough = c.given_up ? enough : most;
			assert_true( c.given_up || ( c.all.volume_tests == 1 && c.at[1].triangle_tests == 0 ) );
		}
		assert_true( enough >= 2 * 145 + 147 && ( enough - 147 ) % 145 == 0 );
	}
}

static void threads_do_not_matter_and_seeds_do( void** state )
{
	fixture* f = *state;
	const bv_file* file = ball_file( f, 1, 0, BV_MAX_DEPTH );
	bvb_contact first = contact_of( f, file );
	for ( uint32_t i = 1; i < 6; i += 2 )
	{
		bvb_contact_options options = bvb_contact_options_default();
		bvb_contact again;
		options.threads = i;
		assert_int_equal( bvb_assess_contact( file, &options, f->arena, &again, NULL ), bv_ok );
		assert_memory_equal( &again, &first, sizeof again );
		options.seed = 1 + i;
		assert_int_equal( bvb_assess_contact( file, &options, f->arena, &again, NULL ), bv_ok );
		assert_true( again.all.volume_tests != first.all.volume_tests );
		assert_true( fabs( again.all.volume_tests / first.all.volume_tests - 1 ) < 0.3 );
	}
}

static void what_cannot_be_measured_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	options.sections = 0;
	const bv_file* bare = build_file( f, &mesh, &options );
	bvb_contact c;
	bvb_error error = { "" };
	assert_int_equal( bvb_assess_contact( bare, NULL, f->arena, &c, &error ), bv_error_argument );
	assert_true( error.message[0] != 0 );
	bvb_arena* little = bvb_arena_create_limited( 100 );
	assert_int_equal( bvb_assess_contact( file, NULL, little, &c, &error ), bv_error_memory );
	bvb_arena_destroy( little );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_single_leaf_leaves_no_choice ),
		fixture_test( only_poses_into_contact_find_pairs ),
		fixture_test( poses_are_at_their_offsets_from_touching ),
		fixture_test( pairs_are_as_many_as_the_depth_of_contact_makes ),
		fixture_test( pairs_do_not_depend_on_the_tree ),
		fixture_test( the_cost_is_that_of_all_steps ),
		fixture_test( the_unit_of_length_does_not_matter ),
		fixture_test( far_from_the_origin_it_is_much_the_same ),
		fixture_test( draws_that_pass_by_are_counted ),
		fixture_test( of_what_always_passes_by_all_tries_count ),
		fixture_test( flat_meshes_and_single_triangles_touch_too ),
		fixture_test( draws_end_after_too_many_tests ),
		fixture_test( a_limit_is_that_of_all_tests_of_a_draw ),
		fixture_test( threads_do_not_matter_and_seeds_do ),
		fixture_test( what_cannot_be_measured_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
