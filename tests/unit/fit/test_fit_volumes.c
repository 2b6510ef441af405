// The table of volume types of nodes: fits enclose, and measures are those of closed forms and of the reference's polytopes.

#include "support.h"

#include "offline/fit/volume.h"
#include "runtime/volume/reach.h"
#include "tests/reference/volumes.h"

enum
{
	faces_most = 60,
};

typedef struct face_set
{
	bvfit_face face[faces_most];
	uint32_t order[faces_most];
	bv_vec3 corners[3 * faces_most];
	bvfit_face_list list;
} face_set;

// Now and then flat, far from the origin, or all in one point.
static void random_faces( fixture* f, face_set* out )
{
	double size = pow( 10, 6 * random_unit( f ) - 3 );
	double flat = random_unit( f ) < 0.3 ? 0 : 1;
	double far = random_unit( f ) < 0.3 ? 1e4 * size : 0;
	size = random_unit( f ) < 0.05 ? 0 : size;
	uint32_t count = 1 + (uint32_t)( random_bits( f ) % faces_most );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 corner[3];
		bv_vec3 at = random_point( f );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_point( f );
			corner[k] = ( bv_vec3 ){ (float)( far + size * ( 3 * at.x + p.x ) ),
				                     (float)( size * ( at.y + p.y ) ), (float)( flat * size * p.z ) };
		}
		out->face[i] = bvfit_face_of( corner );
		out->order[i] = count - 1 - i;
	}
	out->list =
		( bvfit_face_list ){ out->face, out->order, count, out->corners, bvfit_node_box_find( "dito" ) };
}

static bool encloses( const bv_volume* v, bv_vec3 p )
{
	switch ( v->type )
	{
	case bv_volume_obb:
	{
		bv_vec3 reach = bvvol_obb_reach( &v->obb, p );
		const double* h = v->obb.half_extents;
		return reach.x <= h[0] && reach.y <= h[1] && reach.z <= h[2];
	}
	case bv_volume_aabb:
		return v->aabb.lower.x <= p.x && p.x <= v->aabb.upper.x && v->aabb.lower.y <= p.y &&
		       p.y <= v->aabb.upper.y && v->aabb.lower.z <= p.z && p.z <= v->aabb.upper.z;
	case bv_volume_sphere: return bvvol_distance_bound( v->sphere.center, p ) <= v->sphere.radius;
	case bv_volume_rss: return bvvol_rss_reach( &v->rss, p ) <= v->rss.radius;
	case bv_volume_prism: return bvvol_prism_encloses( &v->prism, p );
	default: return bvvol_kdop_encloses( &v->kdop, p );
	}
}

// The bounds of reach.h are proved against 113-bit arithmetic in test_fit_containment.
static void fits_of_every_type_enclose_all_corners( void** state )
{
	fixture* f = *state;
	face_set set;
	for ( int round = 0; round < 300; ++round )
	{
		random_faces( f, &set );
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			bv_volume v = bvfit_volume_fit_type( (bv_volume_type)type, &set.list );
			assert_int_equal( v.type, type );
			for ( uint32_t i = 0; i < 3 * set.list.count; ++i )
			{
				assert_true( encloses( &v, set.face[i / 3].corner[i % 3] ) );
			}
		}
	}
}

// A square of side 2 with a bump of height 1 in its middle: in its plane the least such volume has radius 1/2, and a
// rectangle no larger than the square.
static void swept_spheres_of_nodes_fit_a_plate( void** state )
{
	(void)state;
	face_set set;
	const bv_vec3 p[6] = {
		{ -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 }, { 0, 0, 1 }, { 0, 0.1, 0 }
	};
	const int corner[3][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 2, 4, 5 } };
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 c[3] = { p[corner[i][0]], p[corner[i][1]], p[corner[i][2]] };
		set.face[i] = bvfit_face_of( c );
		set.order[i] = (uint32_t)i;
	}
	set.list = ( bvfit_face_list ){ set.face, set.order, 3, set.corners, bvfit_node_box_find( "dito" ) };
	bv_volume v = bvfit_volume_fit_type( bv_volume_rss, &set.list );
	assert_true( v.rss.radius <= 0.5 * ( 1 + 1e-6 ) );
	assert_true( v.rss.half_extents[0] <= 1 && v.rss.half_extents[1] <= 1 );
}

// Of the polytope: the farthest two corners of the reference's.
static void diameters_of_kdops_are_those_of_their_corners( void** state )
{
	fixture* f = *state;
	face_set set;
	for ( int round = 0; round < 24; ++round )
	{
		random_faces( f, &set );
		bv_volume v = bvfit_volume_fit_type( (bv_volume_type)( bv_volume_kdop14 + round % 3 ), &set.list );
		volume* shape = volume_of_kdop( &v.kdop );
		if ( !shape )
		{
			continue;
		}
		uint32_t count;
		const bv_vec3* corner = volume_corners( shape, &count );
		double diameter = 0;
		double magnitude = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 a = corner[i];
			magnitude = fmax( magnitude, fabs( a.x ) + fabs( a.y ) + fabs( a.z ) );
			for ( uint32_t k = 0; k < i; ++k )
			{
				bv_vec3 b = corner[k];
				diameter =
					fmax( diameter, sqrt( ( a.x - b.x ) * ( a.x - b.x ) + ( a.y - b.y ) * ( a.y - b.y ) +
				                          ( a.z - b.z ) * ( a.z - b.z ) ) );
			}
		}
		assert_true( bvb_diameter_of( &v ) <= diameter * ( 1 + 1e-9 ) + 1e-12 * magnitude );
		assert_true( bvb_diameter_of( &v ) >= diameter * ( 1 - 1e-9 ) - 1e-12 * magnitude );
		volume_free( shape );
	}
}

// A box with corners cut off: of side 2, cut by the planes |x| + |y| + |z| <= 2, it is a cuboctahedron of edge sqrt( 2 ).
static void area_and_diameter_of_a_cuboctahedron_are_exact( void** state )
{
	(void)state;
	bv_volume v = { .type = bv_volume_kdop14, .kdop = { .k = 14 } };
	for ( int i = 0; i < 7; ++i )
	{
		v.kdop.upper[i] = i < 3 ? 1 : 2;
		v.kdop.lower[i] = -v.kdop.upper[i];
	}
	// Six squares and eight triangles; opposite corners are (1, 1, 0) and (-1, -1, 0).
	assert_float_equal( bvb_area_of( &v ), 6 * 2 + 8 * sqrt( 3 ) / 2, 1e-12 );
	assert_float_equal( bvb_diameter_of( &v ), 2 * sqrt( 2 ), 1e-12 );
	assert_float_equal( bvb_volume_of( &v ), 20.0 / 3, 1e-12 );
}

// The other types, by their formulas; a rectangle swept sphere of sides 2 and 4 and radius 1 is a box, two cylinders and a
// ball, cut apart.
static void measures_of_round_volumes_and_boxes_are_closed_forms( void** state )
{
	(void)state;
	const double pi = 3.14159265358979323846;
	const bv_vec3 x = { 1, 0, 0 };
	const bv_vec3 y = { 0, 1, 0 };
	const bv_vec3 z = { 0, 0, 1 };
	const struct
	{
		bv_volume v;
		double volume;
		double area;
		double diameter;
	} known[] = {
		{ { .type = bv_volume_obb, .obb = { .axis = { x, y, z }, .half_extents = { 0.5, 1, 1.5 } } },
		  6,
		  22,
		  sqrt( 14 ) },
		{ { .type = bv_volume_aabb, .aabb = { { 1, 1, 1 }, { 2, 3, 4 } } }, 6, 22, sqrt( 14 ) },
		{ { .type = bv_volume_sphere, .sphere = { { 1, 2, 3 }, 2 } }, 32 * pi / 3, 16 * pi, 4 },
		// A triangle with a base of 6, a height of 4 and legs of 5, 2 long.
		{ { .type = bv_volume_prism, .prism = { { .axis = { x, y, z }, .half_extents = { 3, 2, 1 } } } },
		  24,
		  2 * 12 + ( 6 + 5 + 5 ) * 2,
		  sqrt( 40 ) },
		{ { .type = bv_volume_rss, .rss = { .axis = { x, y, z }, .half_extents = { 1, 2 }, .radius = 1 } },
		  16 + 6 * pi + 4 * pi / 3,
		  16 + 12 * pi + 4 * pi,
		  sqrt( 20 ) + 2 },
	};
	for ( size_t i = 0; i < sizeof known / sizeof known[0]; ++i )
	{
		assert_float_equal( bvb_volume_of( &known[i].v ), known[i].volume, 1e-12 );
		assert_float_equal( bvb_area_of( &known[i].v ), known[i].area, 1e-12 );
		assert_float_equal( bvb_diameter_of( &known[i].v ), known[i].diameter, 1e-12 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( fits_of_every_type_enclose_all_corners ),
		fixture_test( swept_spheres_of_nodes_fit_a_plate ),
		fixture_test( diameters_of_kdops_are_those_of_their_corners ),
		fixture_test( area_and_diameter_of_a_cuboctahedron_are_exact ),
		fixture_test( measures_of_round_volumes_and_boxes_are_closed_forms ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
