// Nodes of refitted hierarchies enclose their triangles, and hardly more, whatever the deformation.

#include "tests/unit/deform/bent_meshes.h"
#include "tests/unit/deform/tight.h"

#include <stdio.h>

// Ten meshes, all types of volumes, all kinds of deformation. Every eighth time the mesh has its shape back first.
static void nodes_enclose_their_triangles_after_any_deformation( void** state )
{
	fixture* f = *state;
	int rounds = is_thorough() ? 112 : 4;
	uint64_t deformations = 0;
	uint64_t nodes = 0;
	for ( int mesh = 0; mesh < bent_meshes; ++mesh )
	{
		for ( int volumes = 0; volumes < bent_volumes; ++volumes )
		{
			// Every other time frames turn.
			bvw_deform_options options = { .no_lists = true };
			options.frames = ( mesh + volumes ) % 2 == 0 ? bvw_deform_turn : bvw_deform_keep;
			bent b = bend_file( f, bent_file( f, mesh, volumes ), &options );
			bvb_mesh now;
			check_bent( f, &b, &now );
			for ( int i = 0; i < rounds; ++i )
			{
				if ( i % 8 == 0 )
				{
					reset_positions( &b );
				}
				deform( f, &b, ( i + volumes + 3 * mesh ) % deform_kinds );
				refit_all( &b );
				plain_nodes after = check_bent( f, &b, &now );
				assert_tight( &after, &now );
				assert_fine( &after, &now );
				nodes += after.count;
				++deformations;
			}
			end_bent( &b );
		}
	}
	printf( "%llu deformations, %llu nodes\n", (unsigned long long)deformations, (unsigned long long)nodes );
}

// Meshes so large that refits skip parts of subtrees: of shared vertices, and of none. For each type of volume.
static void large_subtrees_are_enclosed_tightly( void** state )
{
	fixture* f = *state;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		bvb_mesh mesh =
			volumes % 2 == 0 ? bumpy_ball( f, 26 ) : random_soup( f, 300, ( bv_vec3 ){ 1, 0, 0 } );
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types =
			volumes < bv_volume_types ? 1u << volumes : ( 1u << bv_volume_types ) - 1;
		const bv_file* file = build_file( f, &mesh, &options );
		bent b = bend_file( f, file, NULL );
		assert_true( b.vertices > 600 );
		bvb_mesh now;
		deform( f, &b, volumes % deform_kinds );
		refit_all( &b );
		plain_nodes after = check_bent( f, &b, &now );
		assert_tight( &after, &now );
		end_bent( &b );
	}
}

static double box_volume( const plain_nodes* nodes, uint32_t i )
{
	const double* h = nodes->node[i].volume.obb.half_extents;
	return h[0] * h[1] * h[2];
}

// A mesh that is turned as a whole: boxes that turn with it stay as small as they were, in the mean; those that keep their axes do not.
static void boxes_that_turn_with_a_mesh_stay_small( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bent_mesh( f, 2 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	double larger[bvw_deform_rules] = { 0 };
	uint32_t boxes = 0;
	for ( int rule = 0; rule < bvw_deform_rules; ++rule )
	{
		bent b = bend_file( f, file, &( bvw_deform_options ){ .frames = (bvw_deform_frames)rule } );
		bv_transform t = random_transform( f, 1, false, ( bv_vec3 ){ 1, 2, 3 } );
		for ( uint32_t i = 0; i < b.vertices; ++i )
		{
			bv_vec3 p = placed( &t, bv_file_get_vertex( file, i ) );
			memcpy( b.positions + 3 * i, &p, sizeof p );
		}
		refit_all( &b );
		bvb_mesh now;
		plain_nodes after = check_bent( f, &b, &now );
		boxes = 0;
		for ( uint32_t i = 0; i < after.count; ++i )
		{
			if ( after.node[i].triangles > 3 )
			{
				larger[rule] += log( box_volume( &after, i ) / box_volume( &b.before, i ) );
				++boxes;
			}
		}
		end_bent( &b );
	}
	printf( "boxes are %.2f and %.2f times as large\n", exp( larger[1] / boxes ), exp( larger[0] / boxes ) );
	assert_true( boxes > 10 );
	assert_true( exp( larger[bvw_deform_turn] / boxes ) < 1.2 );
	assert_true( exp( larger[bvw_deform_keep] / boxes ) > 1.5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nodes_enclose_their_triangles_after_any_deformation ),
		fixture_test( large_subtrees_are_enclosed_tightly ),
		fixture_test( boxes_that_turn_with_a_mesh_stay_small ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
