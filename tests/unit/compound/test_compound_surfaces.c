// Normals that the surface of a union has are kept, and those that it does not have are not: walls on floors, steps, bodies of several
// leaves on floors of several leaves, and edges of a floor. Expected normals and depths are closed forms of boxes along axes.

#include "compounds.h"

static bv_aabb box( double x0, double y0, double z0, double x1, double y1, double z1 )
{
	return ( bv_aabb ){ { x0, y0, z0 }, { x1, y1, z1 } };
}

// The deepest contact along a direction of an axis.
typedef struct depths
{
	double of[6];   // +x, -x, +y, -y, +z, -z; -infinity for none
	uint32_t other; // manifolds whose normal is none of these
} depths;

static int axis_of( bv_vec3 n )
{
	const double c[3] = { n.x, n.y, n.z };
	for ( int k = 0; k < 6; ++k )
	{
		if ( ( k % 2 ? -1 : 1 ) * c[k / 2] > 1 - 1e-9 )
		{
			return k;
		}
	}
	return 6;
}

static depths find_depths( fixture* f, const bv_compound* a, const bv_compound* b, const bv_transform* at )
{
	depths out = { .other = 0 };
	bv_compound_room room = room_for( f, a, b );
	bv_compound_contacts_result r = find_contacts( a, b, at, NULL, &room );
	for ( int k = 0; k < 6; ++k )
	{
		out.of[k] = -INFINITY;
	}
	for ( uint32_t i = 0; i < r.count; ++i )
	{
		const bv_manifold* m = &room.contacts[i].manifold;
		int k = axis_of( m->normal );
		out.other += k == 6;
		for ( uint32_t n = 0; n < m->count && k < 6; ++n )
		{
			out.of[k] = fmax( out.of[k], -m->contact[n].separation );
		}
	}
	return out;
}

static void check_depths( const depths* d, double px, double mx, double py, double my, double pz, double mz )
{
	const double expected[6] = { px, mx, py, my, pz, mz };
	assert_int_equal( d->other, 0 );
	for ( int k = 0; k < 6; ++k )
	{
		if ( !( d->of[k] == expected[k] || fabs( d->of[k] - expected[k] ) < 1e-9 ) )
		{
			fail_msg( "direction %d: depth %g and not %g", k, d->of[k], expected[k] );
		}
	}
}

static const double none = -INFINITY;

// Tiles of side 1 for z < 0 and x, y from -4 to 4; walls at x > 2 and y > 2 that stand on them.
static bv_compound room_with_walls( fixture* f )
{
	bv_aabb b[66];
	for ( int i = 0; i < 64; ++i )
	{
		b[i] = box( i % 8 - 4, i / 8 - 4, -1, i % 8 - 3, i / 8 - 3, 0 );
	}
	b[64] = box( 2, -4, 0, 3, 4, 2 );
	b[65] = box( -4, 2, 0, 2, 3, 2 );
	return bv_compound_of_parts( file_of_boxes( f, b, 66 ) );
}

static void a_box_in_a_corner_touches_all_three( void** state )
{
	fixture* f = *state;
	bv_compound room = room_with_walls( f );
	bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.4, 0.5, 0.6 ) );
	bv_compound body = bv_compound_of_shape( &crate );
	// By these depths in the floor and in both walls; 0 touches.
	const double depth[] = { 0, 1e-6, 1e-4, 0.003, 0.02 };
	for ( int i = 0; i < 5 * 5 * 5; ++i )
	{
		double x = depth[i % 5];
		double y = depth[i / 5 % 5];
		double z = depth[i / 25];
		bv_transform at = bv_transform_translation( 1.6 + x, 1.5 + y, 0.6 - z );
		depths d = find_depths( f, &room, &body, &at );
		check_depths( &d, none, x, none, y, z, none );

		// The other way round.
		bv_transform back = bv_transform_inverse( &at );
		d = find_depths( f, &body, &room, &back );
		check_depths( &d, x, none, y, none, none, z );
	}
}

static void a_step_has_a_riser( void** state )
{
	fixture* f = *state;
	// Two tiles, of which the second is higher, on a slab; the box stands on the first one and runs into the second.
	const double heights[] = { 0.01, 0.1, 0.5 };
	for ( int i = 0; i < 3; ++i )
	{
		const bv_aabb b[] = { box( -2, -2, -1, 0, 2, 0 ), box( 0, -2, -1, 2, 2, heights[i] ),
			                  box( -2, -2, -2, 2, 2, -1 ) };
		bv_compound floor = bv_compound_of_parts( file_of_boxes( f, b, 3 ) );
		bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
		bv_compound body = bv_compound_of_shape( &crate );
		bv_transform at = bv_transform_translation( -0.496, 0, 0.499 );
		depths d = find_depths( f, &floor, &body, &at );
		check_depths( &d, none, 0.004, none, none, 0.001, none );
	}
}

static void a_step_below_the_tolerance_has_none( void** state )
{
	fixture* f = *state;
	const double size = sqrt( 3 ) * 0.5;
	const bv_aabb b[] = { box( -2, -2, -1, 0, 2, 0 ), box( 0, -2, -1, 2, 2, 0.5e-4 * size ) };
	bv_compound floor = bv_compound_of_parts( file_of_boxes( f, b, 2 ) );
	bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
	bv_compound body = bv_compound_of_shape( &crate );
	for ( int i = 0; i <= 40; ++i )
	{
		bv_transform at = bv_transform_translation( -0.6 + 0.03 * i, 0, 0.5 - 1e-5 );
		depths d = find_depths( f, &floor, &body, &at );
		assert_int_equal( d.other, 0 );
		assert_true( d.of[0] == none && d.of[1] == none && d.of[2] == none && d.of[3] == none &&
		             d.of[5] == none );
		assert_true( d.of[4] >= 1e-5 - 1e-9 );
	}
}

// A body of 3 x 3 boxes side by side on a floor of tiles that do not match, in both orders and turned upside down.
static void bodies_of_several_leaves_have_one_normal( void** state )
{
	fixture* f = *state;
	bv_aabb tile[49];
	bv_aabb part[9];
	for ( int i = 0; i < 49; ++i )
	{
		double x = 8.0 / 7 * ( i % 7 ) - 4;
		double y = 8.0 / 7 * ( i / 7 ) - 4;
		tile[i] = box( x, y, -0.5, x + 8.0 / 7, y + 8.0 / 7, 0 );
	}
	for ( int i = 0; i < 9; ++i )
	{
		double x = 0.4 * ( i % 3 ) - 0.6;
		double y = 0.3 * ( i / 3 ) - 0.45;
		part[i] = box( x, y, 0, x + 0.4, y + 0.3, 0.5 );
	}
	bv_compound floor = bv_compound_of_parts( file_of_boxes( f, tile, 49 ) );
	bv_compound body = bv_compound_of_parts( file_of_boxes( f, part, 9 ) );
	for ( int i = 0; i < 300; ++i )
	{
		double depth = i % 3 == 0 ? 0.05 : i % 3 == 1 ? 0.005 : 0;
		bv_transform at;
		double angle = i % 4 == 0 ? 0 : in_range( f, 0, 6.28 );
		assert_int_equal( bv_transform_from_axis_angle(
							  bv_vec3_make( 0, 0, 1 ), angle,
							  bv_vec3_make( in_range( f, -3, 3 ), in_range( f, -3, 3 ), -depth ), &at ),
		                  bv_ok );
		bv_transform back = bv_transform_inverse( &at );
		depths d = find_depths( f, &floor, &body, &at );
		check_depths( &d, none, none, none, none, depth, none );
		d = find_depths( f, &body, &floor, &back );
		check_depths( &d, none, none, none, none, none, depth );
	}
}

static void balls_at_the_edge_of_a_floor_have_its_normals( void** state )
{
	fixture* f = *state;
	bv_aabb tile[16];
	for ( int i = 0; i < 16; ++i )
	{
		tile[i] = box( i % 4 - 4, i / 4 - 2, -1, i % 4 - 3, i / 4 - 1, 0 );
	}
	bv_compound floor = bv_compound_of_parts( file_of_boxes( f, tile, 16 ) );
	for ( int i = 0; i < 400; ++i )
	{
		// Around the edge x = 0, z = 0: the normal is the direction from the edge.
		double angle = in_range( f, 0.01, 1.56 );
		double y = in_range( f, -1.9, 1.9 );
		double depth = in_range( f, 0, 0.05 );
		bv_vec3 from = { sin( angle ), 0, cos( angle ) };
		bv_convex ball = bv_convex_sphere( plus( ( bv_vec3 ){ 0, y, 0 }, 0.5 - depth, from ), 0.5 );
		bv_compound body = bv_compound_of_shape( &ball );
		bv_compound_room room = room_for( f, &floor, &body );
		bv_compound_contacts_result r = find_contacts( &floor, &body, NULL, NULL, &room );
		assert_true( r.count >= 1 );
		for ( uint32_t k = 0; k < r.count; ++k )
		{
			// At a corner of tiles two have the contact.
			assert_true( length( minus( room.contacts[k].manifold.normal, from ) ) < 2e-3 );
		}
		assert_true( fabs( room.contacts[0].manifold.contact[0].separation + depth ) < 1e-9 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_box_in_a_corner_touches_all_three ),
		fixture_test( a_step_has_a_riser ),
		fixture_test( a_step_below_the_tolerance_has_none ),
		fixture_test( bodies_of_several_leaves_have_one_normal ),
		fixture_test( balls_at_the_edge_of_a_floor_have_its_normals ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
