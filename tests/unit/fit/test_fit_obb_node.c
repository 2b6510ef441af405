// Boxes of nodes: what encloses, and what is less than what.

#include "point_sets.h"

#include "offline/fit/obb_node.h"

enum
{
	most_faces = 400,
};

// Triangles over a set of points, as faces in an order of their own.
typedef struct node_set
{
	bv_vec3 points[3 * most_faces];
	bvfit_face faces[most_faces];
	uint32_t order[most_faces];
	uint32_t count;
} node_set;

static node_set* make_node( fixture* f, unsigned kind, uint32_t count )
{
	node_set* set = calloc( 1, sizeof *set );
	set->count = count;
	make_set( f, kind, set->points, 3 * count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		set->faces[i] = bvfit_face_of( set->points + 3 * i );
		set->order[i] = count - 1 - i;
	}
	return set;
}

static bv_obb fit( const char* name, const node_set* set )
{
	bvvol_packed_obb box = bvfit_node_box_find( name )->fit( set->faces, set->order, set->count );
	return bvvol_obb_unpack( &box );
}

// Up to so many triangles that not all of their corners are looked at one by one.
static void every_way_encloses_nodes_of_every_kind( void** state )
{
	fixture* f = *state;
	const char* name;
	const char* summary;
	for ( uint32_t m = 0; ( name = bvb_node_box_name( m, &summary ) ); ++m )
	{
		assert_true( strlen( summary ) > 10 );
		for ( unsigned round = 0; round < 30 * set_kinds; ++round )
		{
			uint32_t count = round % 10 == 9 ? most_faces : 1 + (uint32_t)( random_bits( f ) % 40 );
			node_set* set = make_node( f, round % set_kinds, count );
			bv_obb box = fit( name, set );
			assert_true( encloses_all( &box, set->points, 3 * count ) );
			free( set );
		}
	}
}

static void each_way_is_as_good_as_the_one_before( void** state )
{
	fixture* f = *state;
	double gain[2] = { 0, 0 };
	for ( unsigned round = 0; round < 300; ++round )
	{
		uint32_t count = round % 10 == 9 ? most_faces : 2 + (uint32_t)( random_bits( f ) % 10 );
		node_set* set = make_node( f, round % 2, count );
		bv_obb pca = fit( "pca", set );
		bv_obb dito = fit( "dito", set );
		bv_obb refined = fit( "refined", set );
		bv_aabb upright = bvb_fit_aabb( set->points, 3 * count );
		assert_true( bv_obb_volume( &dito ) <= bv_obb_volume( &pca ) );
		assert_true( bv_obb_volume( &dito ) <= bv_aabb_volume( &upright ) * ( 1 + 1e-6 ) );
		assert_true( bv_obb_volume( &refined ) <= bv_obb_volume( &dito ) );
		gain[0] += bv_obb_volume( &dito ) / bv_obb_volume( &pca ) / 300;
		gain[1] += bv_obb_volume( &refined ) / bv_obb_volume( &dito ) / 300;
		free( set );
	}
	assert_true( gain[0] < 0.9 && gain[1] < 0.97 );
}

// A cube's surface has no principal axes of its own.
static void the_box_of_a_turned_cube_is_refined_to_the_cube( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
		bvfit_face faces[12];
		uint32_t order[12];
		for ( uint32_t i = 0; i < 12; ++i )
		{
			bv_vec3 corner[3];
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 p = mesh.positions[mesh.triangles[i].corner[k]];
				corner[k] = in_frame( axis, p.x, p.y, p.z );
			}
			faces[i] = bvfit_face_of( corner );
			order[i] = i;
		}
		bvvol_packed_obb packed = bvfit_node_box_find( "refined" )->fit( faces, order, 12 );
		bv_obb box = bvvol_obb_unpack( &packed );
		assert_true( fabs( bv_obb_volume( &box ) - 1 ) < 1e-6 );
	}
}

// Heron's formula: the least rectangle round a triangle has twice its area.
static void every_way_gives_one_triangle_its_least_rectangle( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 100; ++round )
	{
		node_set* set = make_node( f, 0, 1 );
		double side[3];
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = set->points[k];
			bv_vec3 q = set->points[( k + 1 ) % 3];
			side[k] = sqrt( ( p.x - q.x ) * ( p.x - q.x ) + ( p.y - q.y ) * ( p.y - q.y ) +
			                ( p.z - q.z ) * ( p.z - q.z ) );
		}
		double half = ( side[0] + side[1] + side[2] ) / 2;
		double area = sqrt( fmax( 0, half * ( half - side[0] ) * ( half - side[1] ) * ( half - side[2] ) ) );
		const char* name;
		for ( uint32_t m = 0; ( name = bvb_node_box_name( m, NULL ) ); ++m )
		{
			bv_obb box = fit( name, set );
			assert_true( fabs( 4 * box.half_extents[0] * box.half_extents[1] - 2 * area ) < 1e-5 );
			assert_true( box.half_extents[2] < 1e-6 );
		}
		free( set );
	}
}

static void files_say_how_their_boxes_were_fitted( void** state )
{
	fixture* f = *state;
	const char* name;
	for ( uint32_t m = 0; ( name = bvb_node_box_name( m, NULL ) ); ++m )
	{
		bvb_mesh mesh = bumpy_ball( f, 24 );
		bvb_asset_options options = bvb_asset_options_default();
		options.hierarchy.node_box = name;
		const bv_file* file = build_file( f, &mesh, &options );
		char line[40] = "\nnode-box=";
		strcat( strcat( line, name ), "\n" );
		assert_non_null( strstr( bv_file_get_origin( file ).parameters.data, line ) );
	}
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvb_hierarchy_options options = box_tree_options();
	options.node_box = "best";
	bvb_tree* tree;
	bvb_error error = { "" };
	assert_int_equal( bvb_hierarchy_build( &mesh, &options, f->arena, &tree, &error ), bv_error_argument );
	assert_string_equal( error.message, "unknown method of fitting nodes 'best'" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_way_encloses_nodes_of_every_kind ),
		fixture_test( each_way_is_as_good_as_the_one_before ),
		fixture_test( the_box_of_a_turned_cube_is_refined_to_the_cube ),
		fixture_test( every_way_gives_one_triangle_its_least_rectangle ),
		fixture_test( files_say_how_their_boxes_were_fitted ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
