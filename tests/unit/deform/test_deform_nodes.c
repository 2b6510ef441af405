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

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nodes_enclose_their_triangles_after_any_deformation ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
