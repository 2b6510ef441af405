// Separating axes of oriented boxes. See boxes.h.

#include "runtime/volume/boxes.h"
#include "runtime/math/matrix.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/volume/sat_double.h"

#include <math.h>

double bvvol_pose_skew( const bv_pose* pose )
{
	double skew = 0;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = i; j < 3; ++j )
		{
			double product = 0;
			for ( int k = 0; k < 3; ++k )
			{
				product += pose->rotation[k][i] * pose->rotation[k][j];
			}
			skew = bvmath_max( skew, fabs( product - ( i == j ) ) );
		}
	}
	return skew;
}

static double sum3( const double v[3] )
{
	return ( v[0] + v[1] ) + v[2];
}

bv_obb bvvol_aabb_turned( const bv_aabb* box )
{
	bv_vec3 half = bv_scale( 0.5, bv_sub( box->upper, box->lower ) );
	return ( bv_obb ){
		.center = bv_add( box->lower, half ),
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.half_extents = { half.x, half.y, half.z },
		.rotation = { 0, 0, 0, 1 },
	};
}

void bvvol_obb_place_to( const bv_obb* box, const bv_pose* pose, double skew, bvvol_rounded* out )
{
	double extent = sum3( box->half_extents );
	out->center = bv_add( bvmath_rotate( pose, box->center ), pose->translation );
	for ( int i = 0; i < 3; ++i )
	{
		out->axis[i] = bvmath_rotate( pose, box->axis[i] );
		out->half_extents[i] = box->half_extents[i];
	}
	out->radius = 0;
	out->tapered = false;
	double magnitude = ( bvmath_norm1( box->center ) + bvmath_norm1( pose->translation ) ) + extent;
	out->slack = BVMATH_OVERLAP_ROUNDING * magnitude + bvmath_skew_of_axes( skew, extent );
}

static inline bool edges_separate( const sat_boxes* boxes, double slack )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			if ( sat_separates( sat_axis_of_edges( boxes, i, j, false ), slack ) )
			{
				return true;
			}
		}
	}
	return false;
}

bool bvvol_obb_overlaps_placed( const bv_obb* a, const bvvol_rounded* b )
{
	double slack =
		b->slack + BVMATH_OVERLAP_ROUNDING * ( bvmath_norm1( a->center ) + sum3( a->half_extents ) );
	bv_vec3 offset = bv_sub( b->center, a->center );
	double t[3];
	double along[3];
	bvvol_cosines cosines;
	const bvvol_cosines* known = &cosines;
	// The offsets and cosines are filled in below, as far as they are needed.
	sat_boxes boxes = { a->half_extents, b->half_extents, t, along, known->of, known->size };
	for ( int i = 0; i < 3; ++i )
	{
		t[i] = bv_dot( a->axis[i], offset );
		bvvol_set_cosines( &cosines, i, a->axis[i], b->axis );
		if ( sat_separates( sat_axis_of_a( &boxes, i ), slack ) )
		{
			return false;
		}
	}
	for ( int j = 0; j < 3; ++j )
	{
		along[j] = bv_dot( b->axis[j], offset );
		if ( sat_separates( sat_axis_of_b( &boxes, j ), slack ) )
		{
			return false;
		}
	}
	return !edges_separate( &boxes, slack );
}

bool bvvol_boxes_overlap( const double ha[3], const double hb[3], const double t[3],
                          const bvvol_cosines* cosines, double slack )
{
	const double( *c )[3] = cosines->of;
	double along[3];
	sat_boxes boxes = { ha, hb, t, along, cosines->of, cosines->size };
	for ( int i = 0; i < 3; ++i )
	{
		if ( sat_separates( sat_axis_of_a( &boxes, i ), slack ) )
		{
			return false;
		}
	}
	for ( int j = 0; j < 3; ++j )
	{
		along[j] = ( t[0] * c[0][j] + t[1] * c[1][j] ) + t[2] * c[2][j];
		if ( sat_separates( sat_axis_of_b( &boxes, j ), slack ) )
		{
			return false;
		}
	}
	return !edges_separate( &boxes, slack );
}

bool bvvol_obbs_overlap( const bv_obb* a, const bv_obb* b, const bv_pose* b_in_a )
{
	bvvol_rounded placed;
	bvvol_obb_place_to( b, b_in_a, bvvol_pose_skew( b_in_a ), &placed );
	return bvvol_obb_overlaps_placed( a, &placed );
}
