// Volumes that are moved by an offset enclose what they enclosed, moved exactly or rounded.

#include "runtime/volume/moved.h"
#include "runtime/volume/reach.h"
#include "support.h"

#include <math.h>

static double between( fixture* f, double lower, double upper )
{
	return lower + random_unit( f ) * ( upper - lower );
}

static void random_frame( fixture* f, bv_obb* box )
{
	double q[4];
	double norm = 0;
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = between( f, -1, 1 );
		norm += q[i] * q[i];
	}
	for ( int i = 0; i < 4; ++i )
	{
		box->rotation[i] = (float)( q[i] / sqrt( norm ) );
	}
	bvvol_rotation_axes( box->rotation, box->axis );
	box->center = ( bv_vec3 ){ between( f, -2, 2 ), between( f, -2, 2 ), between( f, -2, 2 ) };
}

static bv_vec3 random_offset( fixture* f )
{
	double size = pow( 10, between( f, 2, 16 ) );
	return ( bv_vec3 ){ between( f, -size, size ), random_unit( f ) < 0.3 ? 0 : between( f, -size, size ),
		                between( f, -size, size ) };
}

// Points of a prism, most of them on its edges: what is farthest out.
static bv_vec3 point_of_prism( fixture* f, const bv_prism* prism )
{
	const bv_obb* b = &prism->box;
	const double* h = b->half_extents;
	double t = random_unit( f ) < 0.7 ? ( random_unit( f ) < 0.5 ? -h[1] : h[1] ) : between( f, -h[1], h[1] );
	double width = h[1] > 0 ? h[0] * ( h[1] - t ) / ( 2 * h[1] ) : h[0];
	double s =
		random_unit( f ) < 0.8 ? ( random_unit( f ) < 0.5 ? -width : width ) : between( f, -width, width );
	double u = random_unit( f ) < 0.5 ? -h[2] : h[2];
	bv_vec3 p = bv_add( b->center, bv_scale( s, b->axis[0] ) );
	p = bv_add( p, bv_scale( t, b->axis[1] ) );
	return bv_add( p, bv_scale( u, b->axis[2] ) );
}

// The corners of a prism are computed with rounding, so only those count that it certainly encloses.
static void moved_prisms_enclose_moved_points( void** state )
{
	fixture* f = *state;
	int tried = 0;
	for ( int i = 0; i < 3000; ++i )
	{
		bv_volume v = { .type = bv_volume_prism };
		random_frame( f, &v.obb );
		for ( int k = 0; k < 3; ++k )
		{
			v.obb.half_extents[k] = random_unit( f ) < 0.2 ? 0 : (float)pow( 10, between( f, -6, 1 ) );
		}
		bv_prism inner = v.prism;
		for ( int k = 0; k < 3; ++k )
		{
			inner.box.half_extents[k] *= 1 - 0x1p-36;
		}
		bv_vec3 o = random_offset( f );
		bv_volume moved = bvvol_moved( &v, o );
		assert_int_equal( moved.type, bv_volume_prism );
		for ( int k = 0; k < 20; ++k )
		{
			bv_vec3 p = point_of_prism( f, &inner );
			if ( bvvol_prism_encloses( &v.prism, p ) )
			{
				assert_true( bvvol_prism_encloses( &moved.prism, bv_add( p, o ) ) );
				tried += 1;
			}
		}
	}
	assert_true( tried > 10000 );
}

// In units of 2^-40, whole numbers of 128 bits are exact.
__extension__ typedef __int128 whole;

static whole in_units( double x )
{
	return (whole)ldexp( x, 40 );
}

static void moved_boxes_enclose_exact_sums( void** state )
{
	fixture* f = *state;
	int rounded = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		double lower = rint( ldexp( between( f, -4, 4 ), 40 ) ) / 0x1p40;
		double upper = lower + rint( ldexp( random_unit( f ), 40 ) ) / 0x1p40;
		double o = rint( ldexp( between( f, -1, 1 ), 40 ) ) / 0x1p40 * ldexp( 1, (int)between( f, 0, 40 ) );
		bv_volume v = { .type = bv_volume_aabb, .aabb = { { lower, 0, 0 }, { upper, 0, 0 } } };
		bv_volume moved = bvvol_moved( &v, ( bv_vec3 ){ o, 0, 0 } );
		whole low = in_units( lower ) + in_units( o );
		whole high = in_units( upper ) + in_units( o );
		assert_true( in_units( moved.aabb.lower.x ) <= low && high <= in_units( moved.aabb.upper.x ) );

		// And no number that is a few units in the last place nearer does, where sums are exact.
		bool exact = in_units( lower + o ) == low;
		assert_true( !exact || moved.aabb.lower.x == lower + o );
		assert_true( moved.aabb.lower.x >= lower + o - 4 * 0x1p-53 * fabs( lower + o ) );
		rounded += !exact;
	}
	assert_true( rounded > 1000 && rounded < 19000 );
}

// Decided exactly, by bvvol_kdop_encloses.
static void moved_kdops_enclose_moved_points( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 3000; ++i )
	{
		bv_vec3 points[6];
		bv_volume v = { .type = bv_volume_kdop26, .kdop = { .k = 26 } };
		for ( int k = 0; k < 6; ++k )
		{
			points[k] = ( bv_vec3 ){ (float)between( f, -3, 3 ), (float)between( f, -3, 3 ),
				                     (float)between( f, -3, 3 ) };
		}
		for ( uint32_t d = 0; d < BV_KDOP_DIRECTIONS; ++d )
		{
			v.kdop.lower[d] = INFINITY;
			v.kdop.upper[d] = -INFINITY;
			for ( int k = 0; k < 6; ++k )
			{
				double at = bv_dot( bv_kdop_direction( d ), points[k] ); // exact: floats of one size
				v.kdop.lower[d] = fmin( v.kdop.lower[d], at );
				v.kdop.upper[d] = fmax( v.kdop.upper[d], at );
			}
		}
		bv_vec3 o = random_offset( f );
		bv_volume moved = bvvol_moved( &v, o );
		for ( int k = 0; k < 6; ++k )
		{
			assert_true( bvvol_kdop_encloses( &moved.kdop, bv_add( points[k], o ) ) );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( moved_prisms_enclose_moved_points ),
		fixture_test( moved_boxes_enclose_exact_sums ),
		fixture_test( moved_kdops_enclose_moved_points ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
