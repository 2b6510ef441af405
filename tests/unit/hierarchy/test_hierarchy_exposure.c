// Weights of faces by their depth below the hull: a cube with something inside, sizes, order, and sets without any extent.

#include "offline/hierarchy/exposure.h"
#include "trees.h"

enum
{
	sides = 12,
	inside = sides, // index of the face in the middle
	all = sides + 1,
};

// A cube of half a side `half`, two triangles a side, and a small triangle in its middle.
static void make_cube( double half, bvfit_face faces[all] )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( int k = 0; k < 4; ++k )
		{
			// Corners of a side, counted round it; the triangles share the diagonal from 0 to 2.
			bv_vec3 corner[3];
			for ( int c = 0; c < 3; ++c )
			{
				int at = c == 0 ? 0 : c + ( k & 1 );
				double p[3];
				p[axis] = k & 2 ? half : -half;
				p[( axis + 1 ) % 3] = at == 1 || at == 2 ? half : -half;
				p[( axis + 2 ) % 3] = at >= 2 ? half : -half;
				corner[c] = ( bv_vec3 ){ p[0], p[1], p[2] };
			}
			faces[4 * axis + k] = bvfit_face_of( corner );
		}
	}
	double e = half / 1024;
	faces[inside] = bvfit_face_of( ( bv_vec3[3] ){ { e, 0, 0 }, { 0, e, 0 }, { 0, 0, e } } );
}

// Each triangle of a side has three corners of the cube, which are extremal along any direction of their octant.
static void faces_at_corners_of_the_hull_count_in_full( void** state )
{
	(void)state;
	bvfit_face faces[all];
	float weight[all];
	make_cube( 1, faces );
	bvhier_expose( faces, all, weight );
	for ( int i = 0; i < sides; ++i )
	{
		assert_true( weight[i] == 1 );
	}
}

// The cube reaches at least 1 from its middle along any direction, which is 11.5 times 0.025 of its diagonal of 2 sqrt( 3 ):
// 1 / ( 1 + x + x^2 / 2 + x^3 / 6 ) is below 0.004 from there on, and 0.05 is what anything counts.
static void what_is_deep_inside_counts_little( void** state )
{
	(void)state;
	bvfit_face faces[all];
	float weight[all];
	make_cube( 1, faces );
	bvhier_expose( faces, all, weight );
	assert_true( weight[inside] > 0.05 && weight[inside] < 0.054 );
}

// A power of two changes no digit of any product, sum or root.
static void size_does_not_matter( void** state )
{
	(void)state;
	bvfit_face faces[all];
	float weight[2][all];
	make_cube( 1, faces );
	bvhier_expose( faces, all, weight[0] );
	make_cube( 0x1p60, faces );
	bvhier_expose( faces, all, weight[1] );
	assert_memory_equal( weight[0], weight[1], sizeof weight[0] );
}

static void the_order_of_faces_does_not_matter( void** state )
{
	(void)state;
	bvfit_face faces[all];
	bvfit_face reversed[all];
	float weight[2][all];
	make_cube( 1, faces );
	for ( int i = 0; i < all; ++i )
	{
		reversed[all - 1 - i] = faces[i];
	}
	bvhier_expose( faces, all, weight[0] );
	bvhier_expose( reversed, all, weight[1] );
	for ( int i = 0; i < all; ++i )
	{
		assert_true( weight[0][i] == weight[1][all - 1 - i] );
	}
}

// Nothing is deeper than anything else.
static void faces_in_one_point_count_in_full( void** state )
{
	(void)state;
	bvfit_face faces[2];
	float weight[2];
	bv_vec3 p = { 3, -4, 5 };
	faces[0] = faces[1] = bvfit_face_of( ( bv_vec3[3] ){ p, p, p } );
	bvhier_expose( faces, 2, weight );
	assert_true( weight[0] == 1 && weight[1] == 1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( faces_at_corners_of_the_hull_count_in_full ),
		cmocka_unit_test( what_is_deep_inside_counts_little ),
		cmocka_unit_test( size_does_not_matter ),
		cmocka_unit_test( the_order_of_faces_does_not_matter ),
		cmocka_unit_test( faces_in_one_point_count_in_full ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
