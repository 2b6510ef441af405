// Nodes of refitted hierarchies enclose their triangles, and hardly more, whatever the deformation.

#include "tests/unit/deform/bent_meshes.h"
#include "tests/unit/deform/tight.h"

#include "runtime/tree/refit_points.h"
#include "world/deform/deform.h"

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

// Measures of a node so large that parts of its subtree are skipped, by all of its vertices one after another. They are so rough that the
// box that reaches farthest often has not the vertex that does.
static void skipped_parts_of_large_nodes_do_not_matter( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 50 );
	bvb_asset_options options = plain_options();
	bent b = bend_file( f, build_file( f, &mesh, &options ), NULL );
	for ( uint32_t i = 0; i < 3 * b.vertices; ++i )
	{
		b.positions[i] += 0.2 * random_unit( f );
	}
	refit_all( &b );
	const bvtree_refit* r = &b.deform->refit;
	bvtree_refit_points points = bvtree_refit_points_of( r, 0, 0 );
	bvtree_refit_unit unit = bvtree_refit_unit_of( r->boxes );
	assert_non_null( r->distinct );
	assert_true( r->distinct[0].own_end > 2048 );
	for ( int round = 0; round < 300; ++round )
	{
		float direction[3][4];
		float lower[4] = { INFINITY, INFINITY, INFINITY, INFINITY };
		float upper[4] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY };
		const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
		bv_vec3 center = random_point( f );
		double farthest = 0;
		for ( int i = 0; i < 12; ++i )
		{
			direction[i / 4][i % 4] = (float)( 2 * random_unit( f ) - 1 );
		}
		for ( uint32_t i = 0; i < b.vertices; ++i )
		{
			float at[3];
			for ( int k = 0; k < 3; ++k )
			{
				at[k] = ( r->positions[i][k] - unit.center[k] ) * unit.scale;
			}
			for ( int k = 0; k < 4; ++k )
			{
				float along = ( direction[0][k] * at[0] + direction[1][k] * at[1] ) + direction[2][k] * at[2];
				lower[k] = fminf( lower[k], along );
				upper[k] = fmaxf( upper[k], along );
			}
			bv_vec3 p = { r->positions[i][0], r->positions[i][1], r->positions[i][2] };
			farthest = fmax( farthest, bv_length( bv_sub( p, center ) ) );
		}
		bvtree_refit_columns columns = bvtree_refit_columns_of( direction );
		bvtree_refit_measure m;
		bvtree_refit_measure_along( &points, &unit, &columns, 4, &m );
		for ( int k = 0; k < 4; ++k )
		{
			assert_true( m.lower[k] == lower[k] && m.upper[k] == upper[k] );
		}
		double radius = bvtree_refit_radius( &points, &unit, axis, center, ( double[2] ){ 0, 0 } );
		assert_true( radius >= farthest && radius <= farthest * ( 1 + 1e-4 ) );
	}
	end_bent( &b );
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
		fixture_test( skipped_parts_of_large_nodes_do_not_matter ),
		fixture_test( boxes_that_turn_with_a_mesh_stay_small ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
