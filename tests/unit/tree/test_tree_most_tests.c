// Queries that may give up: soon after as many tests as they may take, and with the whole result where they need no more.

#include "support.h"

#include "bv/mesh.h"

static const bv_file* ball_file( fixture* f, uint32_t depth )
{
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = depth;
	return build_file( f, &mesh, &options );
}

static bv_transform moved( double x )
{
	bv_pose pose = bv_pose_identity();
	pose.translation = ( bv_vec3 ){ x, 0.1, 0.2 };
	return bv_transform_of_pose( &pose );
}

// One step more than allowed is taken at most: of eight children, or of eight pairs of triangles that wait for each other.
static void collide_ends_soon_after_the_limit( void** state )
{
	fixture* f = *state;
	const bv_transform transform = moved( 0.5 );
	for ( uint32_t depth = 0; depth <= 20; depth += 10 )
	{
		const bv_file* file = ball_file( f, depth );
		bv_collide_options options = bv_collide_options_default();
		bv_collide_result whole;
		assert_int_equal( bv_mesh_collide( file, file, &transform, NULL, &whole ), bv_ok );
		uint64_t all = whole.volume_tests + whole.triangle_tests;
		for ( uint64_t most = 1; most <= 2 * all; most *= 3 )
		{
			bv_collide_result result;
			options.most_tests = most;
			assert_int_equal( bv_mesh_collide( file, file, &transform, &options, &result ), bv_ok );
			uint64_t tests = result.volume_tests + result.triangle_tests;
			assert_true( tests <= most + 2 * 8 );
			assert_true( most < all ? tests > most && result.pairs <= whole.pairs
			                        : memcmp( &result, &whole, sizeof whole ) == 0 );
		}
		options.most_tests = all;
		bv_collide_result same;
		assert_int_equal( bv_mesh_collide( file, file, &transform, &options, &same ), bv_ok );
		assert_memory_equal( &same, &whole, sizeof whole );
	}
}

// Of leaves those of one triangle of the one with all of the other.
static void distance_ends_soon_after_the_limit( void** state )
{
	fixture* f = *state;
	const bv_transform transform = moved( 3 );
	for ( uint32_t depth = 0; depth <= 20; depth += 10 )
	{
		const bv_file* file = ball_file( f, depth );
		uint64_t row = depth == 0 ? bv_file_get_mesh( file ).triangles : 8;
		bv_distance_options options = bv_distance_options_default();
		bv_distance_result whole;
		assert_int_equal( bv_mesh_distance( file, file, &transform, NULL, &whole ), bv_ok );
		uint64_t all = whole.volume_tests + whole.triangle_tests;
		for ( uint64_t most = 1; most <= 2 * all; most *= 3 )
		{
			bv_distance_result result;
			options.most_tests = most;
			assert_int_equal( bv_mesh_distance( file, file, &transform, &options, &result ), bv_ok );
			uint64_t tests = result.volume_tests + result.triangle_tests;
			assert_true( tests <= most + row );
			if ( most < all )
			{
				assert_true( tests > most && ( !result.found || result.distance >= whole.distance ) );
			}
			else
			{
				assert_true( tests == all && result.distance == whole.distance );
				assert_true( result.a.triangle == whole.a.triangle && result.b.triangle == whole.b.triangle );
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( collide_ends_soon_after_the_limit ),
		fixture_test( distance_ends_soon_after_the_limit ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
