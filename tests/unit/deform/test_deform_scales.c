// Refits far from 0 and near it, tiny and huge, where frames and units come to the ends of their codes; and with each instruction set.

#include "tests/unit/deform/bent_meshes.h"
#include "tests/unit/deform/tight.h"

#include "runtime/tree/lanes.h"
#include "world/deform/deform.h"

// The positions of the file about their first vertex, scaled and moved.
static void place_bent( bent* b, double scale, const double at[3] )
{
	reset_positions( b );
	const double from[3] = { b->positions[0], b->positions[1], b->positions[2] };
	for ( uint32_t i = 0; i < 3 * b->vertices; ++i )
	{
		b->positions[i] = at[i % 3] + scale * ( b->positions[i] - from[i % 3] );
	}
}

// All types of volumes at all powers of two of binary32, about 0 and far from it.
static void any_scale_is_enclosed( void** state )
{
	fixture* f = *state;
	static const int meshes[] = { 8, 5, 2 };
	for ( int m = 0; m < ( is_thorough() ? 3 : 1 ); ++m )
	{
		for ( int volumes = 0; volumes < bent_volumes; ++volumes )
		{
			bent b = bend_file( f, bent_file( f, meshes[m], volumes ), NULL );
			for ( int e = -150; e <= 115; e += is_thorough() ? 3 : 10 )
			{
				double scale = ldexp( 1, e ) / b.diagonal;
				int farther = e + (int)( random_bits( f ) % 40 );
				double far = e < 110 ? ldexp( random_sign( f ), farther < 115 ? farther : 115 ) : 0;
				const double at[3] = { far, -far, 0 };
				place_bent( &b, scale, at );
				refit_all( &b );
				bvb_mesh now;
				plain_nodes nodes = check_bent( f, &b, &now );
				if ( e > -80 && e < 96 )
				{
					assert_tight( &nodes, &now );
				}
			}
			end_bent( &b );
		}
	}
}

// Vertices at the corners of the largest cube there is, in the order of random numbers.
static void the_greatest_positions_are_enclosed( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < ( is_thorough() ? 20 : 2 ) * bent_volumes; ++i )
	{
		bent b = bend_file( f, bent_file( f, 2 + i % 2, i % bent_volumes ), NULL );
		for ( uint32_t k = 0; k < 3 * b.vertices; ++k )
		{
			uint64_t sign = random_bits( f ) % 3;
			b.positions[k] =
				i % 4 == 3 ? BVW_MAX_POSITION * random_sign( f ) : ( (double)sign - 1 ) * BVW_MAX_POSITION;
		}
		refit_all( &b );
		bvb_mesh now;
		check_bent( f, &b, &now );
		end_bent( &b );
	}
}

// A leaf per triangle.
static const bv_file* soup_file( fixture* f, uint32_t triangles, int volumes )
{
	bvb_mesh mesh = random_soup( f, triangles, ( bv_vec3 ){ 0, 0, 0 } );
	bvb_asset_options options = plain_options();
	options.hierarchy.leaf_triangles = 1;
	options.hierarchy.volume_types = bent_types( volumes );
	return build_file( f, &mesh, &options );
}

// A node of three vertices that differ by 1e-25 in one coordinate, beside others of usual size: its center is far from it, compared with
// its size, and the square of the distance overflows in units of that size.
static void tiny_nodes_beside_others_are_enclosed( void** state )
{
	fixture* f = *state;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		bent b = bend_file( f, soup_file( f, 12, volumes ), NULL );
		double* usual = malloc( 3 * b.vertices * sizeof *usual );
		memcpy( usual, b.positions, 3 * b.vertices * sizeof *usual );
		for ( int e = 0; e > -150; e -= 6 )
		{
			// Also beside others that are so large that offsets from them overflow in units of the tiny ones.
			double large = ldexp( 1, e % 12 == 0 ? 0 : 75 );
			for ( uint32_t i = 0; i < 3 * b.vertices; ++i )
			{
				b.positions[i] = large * usual[i];
			}
			for ( uint32_t i = 0; i < 9; ++i )
			{
				uint32_t first = i / 3 * 3;
				b.positions[3 * i] = b.positions[3 * first];
				b.positions[3 * i + 1] = b.positions[3 * first + 1];
				b.positions[3 * i + 2] = ldexp( random_unit( f ), e );
			}
			refit_all( &b );
			bvb_mesh now;
			check_bent( f, &b, &now );
		}
		free( usual );
		end_bent( &b );
	}
}

// Beside boxes that are larger by far, the extent of a tiny one, over the square of their unit, is too small for binary32.
static void tiny_nodes_about_0_are_enclosed( void** state )
{
	fixture* f = *state;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		bent b = bend_file( f, soup_file( f, 24, volumes ), NULL );
		for ( int e = -148; e < 0; e += is_thorough() ? 1 : 8 )
		{
			for ( uint32_t i = 0; i < 3 * b.vertices; ++i )
			{
				bool is_tiny = i / 9 % 2 == 0;
				b.positions[i] = ldexp( random_sign( f ), is_tiny ? e : 80 + e % 20 );
			}
			refit_all( &b );
			bvb_mesh now;
			check_bent( f, &b, &now );
		}
		end_bent( &b );
	}
}

// A vertex beyond any limit that a way of computing has, with the same grid: a list must not leave others as they were.
static void lists_may_cross_any_power_of_two( void** state )
{
	fixture* f = *state;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		const bv_file* file = bent_file( f, 8, volumes );
		bent some = bend_file( f, file, NULL );
		bent all = bend_file( f, file, NULL );
		const double none[3] = { 0, 0, 0 };
		for ( int e = -148; e <= 115; e += is_thorough() ? 1 : 4 )
		{
			double power = ldexp( 1, e );
			place_bent( &all, power / 8 / all.diagonal, none );
			memcpy( some.positions, all.positions, 3 * sizeof *all.positions * all.vertices );
			refit_all( &some );
			for ( int step = 0; step < 4; ++step )
			{
				static const double factors[] = { 1, 1 + 0x1p-23, 1 - 0x1p-24, 1 + 0x1p-20 };
				uint32_t listed = (uint32_t)( random_bits( f ) % 3 );
				all.positions[3 * listed + (uint32_t)( e & 1 )] = -power * factors[step];
				memcpy( some.positions, all.positions, 3 * sizeof *all.positions * all.vertices );
				bvw_vertices v = vertices_of( &some );
				refit_all( &all );
				assert_int_equal( bvw_deform_refit( some.deform, &v, &listed, 1, NULL ), bv_ok );
				assert_same_images( &all, &some );
			}
		}
		end_bent( &some );
		end_bent( &all );
	}
}

static void every_instruction_set_gives_the_same_bytes( void** state )
{
	fixture* f = *state;
	for ( int mesh = 0; mesh < bent_meshes; ++mesh )
	{
		const bv_file* file = bent_file( f, mesh, mesh % 3 < 2 ? mesh % 3 : bv_volume_types );
		bent best = bend_file( f, file, NULL );
		bent level = bend_file( f, file, NULL );
		for ( int i = 0; i < 3 * deform_kinds; ++i )
		{
			deform( f, &best, i % deform_kinds );
			if ( i % 5 == 4 )
			{
				const double at[3] = { 0, 0, 0 };
				place_bent( &best, ldexp( 1, (int)( random_bits( f ) % 240 ) - 150 ), at );
			}
			memcpy( level.positions, best.positions, 3 * sizeof *best.positions * best.vertices );
			refit_all( &best );
			for ( uint32_t k = 0; bvtree_lanes_level( k ); ++k )
			{
				level.deform->refit.lanes = bvtree_lanes_level( k );
				refit_all( &level );
				assert_same_images( &best, &level );
			}
			if ( i % 8 == 7 )
			{
				reset_positions( &best );
			}
		}
		end_bent( &best );
		end_bent( &level );
	}
}

// By the definition: the least whole number whose square is enough.
static void codes_of_extents_are_the_least_that_are_enough( void** state )
{
	(void)state;
	for ( uint32_t level = 0; bvtree_lanes_level( level ); ++level )
	{
		for ( int i = 1; i < 255; ++i )
		{
			float square = (float)( i * i );
			bvtree_lane_refit r = { .reach = { 0 } };
			const float extents[8] = {
				square, nextafterf( square, INFINITY ), nextafterf( square, 0 ), 0, square, 1, 2, 0
			};
			for ( int k = 0; k < 3; ++k )
			{
				memcpy( r.extent[k], extents, sizeof extents );
			}
			uint8_t code[3][8];
			bvtree_lanes_level( level )->refit_extents( &r, 8, 1, code );
			for ( int k = 0; k < 3; ++k )
			{
				assert_int_equal( code[k][0], i );
				assert_int_equal( code[k][1], i + 1 );
				assert_int_equal( code[k][2], i );
				assert_int_equal( code[k][3], 0 );
				assert_int_equal( code[k][5], 1 );
				assert_int_equal( code[k][6], 2 );
			}
		}
	}
}

// Zeros have no sign in the file, so that its bytes do not depend on one.
static void zeros_have_no_sign( void** state )
{
	fixture* f = *state;
	const bv_file* file = bent_file( f, 1, bv_volume_types );
	bent a = bend_file( f, file, NULL );
	bent b = bend_file( f, file, NULL );
	for ( uint32_t i = 0; i < 3 * a.vertices; ++i )
	{
		a.positions[i] = i % 5 < 3 ? 0.0 : a.positions[i];
		b.positions[i] = i % 5 < 3 ? -0.0 : b.positions[i];
	}
	refit_all( &a );
	refit_all( &b );
	assert_same_images( &a, &b );
	end_bent( &a );
	end_bent( &b );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( any_scale_is_enclosed ),
		fixture_test( the_greatest_positions_are_enclosed ),
		fixture_test( tiny_nodes_beside_others_are_enclosed ),
		fixture_test( tiny_nodes_about_0_are_enclosed ),
		fixture_test( lists_may_cross_any_power_of_two ),
		fixture_test( codes_of_extents_are_the_least_that_are_enough ),
		fixture_test( zeros_have_no_sign ),
		fixture_test( every_instruction_set_gives_the_same_bytes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
