// Oriented boxes: the stored form, what it encloses, and the box of a hull against boxes that are known.

#include "point_sets.h"

#include "offline/fit/obb.h"
#include "runtime/math/eigen.h"
#include "runtime/volume/reach.h"

static bv_obb fit( fixture* f, const bv_vec3* points, uint32_t count )
{
	bv_obb box;
	bvb_obb_options options = { .method = "pca-hull" };
	assert_int_equal( bvb_fit_obb( points, count, NULL, &options, f->arena, &box ), bv_ok );
	return box;
}

static bool contains( const bv_obb* box, bv_vec3 p )
{
	bv_vec3 reach = bvvol_obb_reach( box, p );
	return reach.x <= box->half_extents[0] && reach.y <= box->half_extents[1] &&
	       reach.z <= box->half_extents[2];
}

// The frames are drawn near all four cases of the conversion to quaternions; the decoded axes must be the
// given ones to the rounding of binary32, and orthonormal to that of binary64.
static void decoded_frames_are_the_given_ones( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20000; ++round )
	{
		bv_vec3 axis[3];
		random_frame( f, axis );
		if ( round < 4 )
		{
			// The identity and the three half turns.
			axis[0] = ( bv_vec3 ){ round == 0 || round == 1 ? 1 : -1, 0, 0 };
			axis[1] = ( bv_vec3 ){ 0, round == 0 || round == 2 ? 1 : -1, 0 };
			axis[2] = bv_cross( axis[0], axis[1] );
		}
		bvfit_span span = bvfit_span_begin( axis, ( bv_vec3 ){ 0, 0, 0 } );
		for ( int i = 0; i < 3; ++i )
		{
			assert_true( bvmath_norm1( bv_sub( span.axis[i], axis[i] ) ) < 1e-6 );
			for ( int k = 0; k < 3; ++k )
			{
				assert_true( fabs( bv_dot( span.axis[i], span.axis[k] ) - ( i == k ) ) < 4e-15 );
			}
		}
	}
}

static void every_point_is_enclosed( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 3000; ++round )
	{
		bv_vec3 axis[3];
		bv_vec3 points[12];
		random_frame( f, axis );
		double far = pow( 10, 12 * random_unit( f ) - 6 );
		double thin = round % 3 ? pow( 10, -8 * random_unit( f ) ) : 0;
		for ( int i = 0; i < 12; ++i )
		{
			bv_vec3 p = random_point( f );
			points[i] = ( bv_vec3 ){ p.x + far, p.y * thin - far, p.z * thin * thin };
		}
		bvfit_span span = bvfit_span_begin( axis, points[0] );
		for ( int i = 0; i < 12; ++i )
		{
			bvfit_span_add( &span, points[i] );
		}
		bvvol_packed_obb packed = bvfit_span_end( &span );
		bv_obb box = bvvol_obb_unpack( &packed );
		for ( int i = 0; i < 12; ++i )
		{
			assert_true( contains( &box, points[i] ) );
		}
		bvvol_packed_obb again = bvvol_obb_pack( &box );
		assert_memory_equal( &packed, &again, sizeof packed );
	}
}

// A turned box's own corners: the principal axes of a box with three different sides are its own.
static void the_box_of_a_turned_box_is_that_box( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 500; ++round )
	{
		bv_vec3 axis[3];
		bv_vec3 points[8];
		random_frame( f, axis );
		for ( int i = 0; i < 8; ++i )
		{
			points[i] =
				bv_add( bv_add( bv_scale( i & 1 ? 3 : -3, axis[0] ), bv_scale( i & 2 ? 2 : -2, axis[1] ) ),
			            bv_scale( i & 4 ? 1 : -1, axis[2] ) );
		}
		bv_obb box = fit( f, points, 8 );
		assert_true( fabs( bv_obb_volume( &box ) - 48 ) < 1e-4 );
		assert_true( fabs( box.half_extents[0] - 3 ) < 1e-5 );
		assert_true( fabs( box.half_extents[2] - 1 ) < 1e-5 );
	}
}

static void flat_straight_and_single_sets_have_flat_straight_and_single_boxes( void** state )
{
	fixture* f = *state;
	const bv_vec3 flat[] = { { 0, 0, 5 }, { 4, 0, 5 }, { 4, 2, 5 }, { 0, 2, 5 } };
	bv_obb box = fit( f, flat, 4 );
	assert_true( fabs( box.half_extents[0] - 2 ) < 1e-6 && fabs( box.half_extents[1] - 1 ) < 1e-6 );
	assert_true( box.half_extents[2] < 1e-12 );

	const bv_vec3 line[] = { { 1, 2, 3 }, { 2, 4, 6 }, { 3, 6, 9 } };
	box = fit( f, line, 3 );
	assert_true( fabs( box.half_extents[0] - sqrt( 14 ) ) < 1e-6 );
	assert_true( box.half_extents[1] < 1e-6 && box.half_extents[2] < 1e-6 );

	const bv_vec3 point[] = { { 7, 8, 9 }, { 7, 8, 9 } };
	box = fit( f, point, 2 );
	assert_true( box.half_extents[0] < 1e-13 && box.center.y == 8 );
}

// The least rectangle round a triangle stands on its longest side: twice the triangle's area. Heron's formula
// and a search over all directions in the plane agree on it.
static void a_triangle_has_the_least_box_of_its_plane( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 300; ++round )
	{
		bv_vec3 c[3];
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = random_point( f );
			c[k] = ( bv_vec3 ){ p.x, p.y, 0 };
		}
		bv_vec3 axis[3];
		bvfit_triangle_axes( c, axis );
		bvfit_span span = bvfit_span_begin( axis, c[0] );
		bvfit_span_add( &span, c[1] );
		bvfit_span_add( &span, c[2] );
		bvvol_packed_obb packed = bvfit_span_end( &span );
		double area = 4.0 * packed.half_extents[0] * packed.half_extents[1];
		assert_true( packed.half_extents[2] < 1e-6 );
		double least = 100;
		for ( int step = 0; step < 3600; ++step )
		{
			double angle = step * 3.14159265358979 / 3600;
			double low[2] = { 9, 9 }, high[2] = { -9, -9 };
			for ( int k = 0; k < 3; ++k )
			{
				double p[2] = { c[k].x * cos( angle ) + c[k].y * sin( angle ),
					            c[k].y * cos( angle ) - c[k].x * sin( angle ) };
				for ( int i = 0; i < 2; ++i )
				{
					low[i] = fmin( low[i], p[i] );
					high[i] = fmax( high[i], p[i] );
				}
			}
			least = fmin( least, ( high[0] - low[0] ) * ( high[1] - low[1] ) );
		}
		assert_true( area <= least + 1e-6 );
	}
}

static void eigenvectors_solve_their_equation( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 5000; ++round )
	{
		// A = sum of l_i a_i a_i^T for a random frame, largest first, equal and zero ones among them.
		bv_vec3 a[3];
		random_frame( f, a );
		double scale = pow( 2, (int)( 600 * random_unit( f ) ) - 300 );
		double l[3] = { 3 * scale, ( round % 3 == 0 ? 3 : 2 ) * scale, ( round % 2 ? 0 : 1 ) * scale };
		double m[3][3] = { 0 };
		for ( int n = 0; n < 3; ++n )
		{
			for ( int i = 0; i < 9; ++i )
			{
				m[i / 3][i % 3] += l[n] * bvmath_component( a[n], i / 3 ) * bvmath_component( a[n], i % 3 );
			}
		}
		bv_vec3 axis[3];
		bvmath_eigen_symmetric( m, axis );
		for ( int n = 0; n < 3; ++n )
		{
			bv_vec3 v = axis[n];
			for ( int i = 0; i < 3; ++i )
			{
				double product = m[i][0] * v.x + m[i][1] * v.y + m[i][2] * v.z;
				assert_true( fabs( product - l[n] * bvmath_component( v, i ) ) < 1e-11 * scale );
			}
			assert_true( fabs( bv_dot( v, v ) - 1 ) < 1e-14 );
		}
		assert_true( bv_dot( bv_cross( axis[0], axis[1] ), axis[2] ) > 0 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( decoded_frames_are_the_given_ones ),
		fixture_test( every_point_is_enclosed ),
		fixture_test( the_box_of_a_turned_box_is_that_box ),
		fixture_test( flat_straight_and_single_sets_have_flat_straight_and_single_boxes ),
		fixture_test( a_triangle_has_the_least_box_of_its_plane ),
		fixture_test( eigenvectors_solve_their_equation ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
