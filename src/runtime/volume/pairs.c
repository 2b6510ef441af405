// The table of overlap tests for pairs of volumes, by their forms. See pairs.h.
//
// Exact up to rounding for all pairs of balls, boxes, prisms and rectangle swept spheres. There is one
// exception: prisms and rectangle swept spheres count as overlapping if the iteration converges too slowly
// and no axis separates them.
//
// k-DOPs under a pose are compared only along the directions of both, and their extents along other
// directions are upper bounds. As a result, k-DOPs of size 1 that are closer than a hundredth often count as
// overlapping, and most of them do when paired with balls and swept spheres.

#include "runtime/volume/pairs.h"
#include "runtime/math/matrix.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>

void bvvol_placement_begin( const bv_pose* b_in_a, uint32_t types_a, uint32_t types_b, double reach,
                            bvvol_placement* out )
{
	out->pose = *b_in_a;
	out->skew = bvvol_pose_skew( b_in_a );
	out->size = bvmath_norm1( b_in_a->translation );
	out->reach = reach;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			out->back.rotation[i][j] = b_in_a->rotation[j][i];
			out->cosines.of[i][j] = b_in_a->rotation[i][j];
			out->cosines.size[i][j] = fabs( b_in_a->rotation[i][j] );
		}
	}
	out->back.translation = bv_negate( bvmath_rotate_back( b_in_a, b_in_a->translation ) );
	bvvol_kdop_views_begin( b_in_a, types_a, types_b, &out->views );
}

static bv_vec3 half_of( const bv_aabb* box )
{
	return bv_scale( 0.5, bv_sub( box->upper, box->lower ) );
}

// The moved axes are the columns of the rotation: only what does not take them is as of an oriented box.
static void place_aabb( const bv_aabb* box, const bvvol_placement* p, bvvol_rounded* out )
{
	bv_vec3 half = half_of( box );
	bv_vec3 center = bv_add( box->lower, half );
	double extent = bvmath_norm1( half );
	out->radius = 0;
	out->tapered = false;
	out->slack = BVMATH_OVERLAP_ROUNDING * ( ( bvmath_norm1( center ) + p->size ) + extent ) +
	             bvmath_skew_of_axes( p->skew, extent ) + p->reach;
	out->center = bv_add( bvmath_rotate( &p->pose, center ), p->pose.translation );
	for ( int i = 0; i < 3; ++i )
	{
		out->half_extents[i] = bvmath_component( half, i );
		out->axis[i] = ( bv_vec3 ){ p->pose.rotation[0][i], p->pose.rotation[1][i], p->pose.rotation[2][i] };
	}
}

static void place_obb( const bv_obb* box, const bvvol_placement* p, bvvol_rounded* out )
{
	bvvol_obb_place_to( box, &p->pose, p->skew, out );
	out->slack += p->reach;
}

// All there is to know of a ball: nothing else of it is compared.
static void place_ball( const bv_sphere* ball, const bvvol_placement* p, bvvol_rounded* out )
{
	double size = ( bvmath_norm1( ball->center ) + p->size ) + ball->radius;
	*out = ( bvvol_rounded ){
		.center = bv_add( bvmath_rotate( &p->pose, ball->center ), p->pose.translation ),
		.radius = ball->radius,
		.slack = BVMATH_OVERLAP_ROUNDING * size + bvmath_skew_of_extent( p->skew, ball->radius ) + p->reach,
	};
}

// A volume of any form but the slabs, for all but the fifteen axes, for which boxes were placed with less
// slack.
static bvvol_rounded placed( const bv_volume* b, const bvvol_placement* p )
{
	const bvvol_kind* kind = bvvol_kind_of( b->type );
	bvvol_rounded v;
	switch ( kind->form )
	{
	case bvvol_form_ball: place_ball( &b->sphere, p, &v ); return v;
	case bvvol_form_box: place_obb( &b->obb, p, &v ); break;
	case bvvol_form_upright: place_aabb( &b->aabb, p, &v ); break;
	default:
		kind->rounded( b, &v );
		bvvol_rounded_move( &v, &p->pose, p->skew );
		v.slack += p->reach;
		return v;
	}
	v.slack += p->skew * ( ( v.half_extents[0] + v.half_extents[1] ) + v.half_extents[2] );
	return v;
}

static bool obb_obb( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded box;
	place_obb( &b->obb, p, &box );
	return bvvol_obb_overlaps_placed( &a->obb, &box );
}

static bool obb_aabb( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded box;
	place_aabb( &b->aabb, p, &box );
	return bvvol_obb_overlaps_placed( &a->obb, &box );
}

static bool upright_meets( const bv_aabb* a, const bvvol_rounded* b, const bvvol_cosines* cosines )
{
	bv_vec3 half = half_of( a );
	bv_vec3 center = bv_add( a->lower, half );
	bv_vec3 offset = bv_sub( b->center, center );
	const double ha[3] = { half.x, half.y, half.z };
	const double t[3] = { offset.x, offset.y, offset.z };
	double slack = b->slack + BVMATH_OVERLAP_ROUNDING * ( bvmath_norm1( center ) + bvmath_norm1( half ) );
	return bvvol_boxes_overlap( ha, b->half_extents, t, cosines, slack );
}

static bool aabb_obb( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded box;
	bvvol_cosines cosines;
	place_obb( &b->obb, p, &box );
	for ( int j = 0; j < 3; ++j )
	{
		for ( int i = 0; i < 3; ++i )
		{
			cosines.of[i][j] = bvmath_component( box.axis[j], i );
			cosines.size[i][j] = fabs( cosines.of[i][j] );
		}
	}
	return upright_meets( &a->aabb, &box, &cosines );
}

static bool aabb_aabb( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded box;
	place_aabb( &b->aabb, p, &box );
	return upright_meets( &a->aabb, &box, &p->cosines );
}

static bool ball_ball( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	const bv_sphere* ball = &a->sphere;
	bvvol_rounded other;
	place_ball( &b->sphere, p, &other );
	bv_vec3 offset = bv_sub( other.center, ball->center );
	double slack = other.slack + BVMATH_OVERLAP_ROUNDING * ( bvmath_norm1( ball->center ) + ball->radius );
	double reach = ( ball->radius + other.radius ) + slack;
	return !( bv_dot( offset, offset ) > reach * reach );
}

static bool ball_rounded( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded ball = bvvol_volume_rounded( a );
	bvvol_rounded other = placed( b, p );
	ball.slack += bvmath_skew_of_ball( p->skew, ball.radius );
	return bvvol_ball_overlaps_rounded( &ball, &other );
}

static bool rounded_ball( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded other = bvvol_volume_rounded( a );
	bvvol_rounded ball;
	place_ball( &b->sphere, p, &ball );
	return bvvol_ball_overlaps_rounded( &ball, &other );
}

static bool rounded_rounded( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded fixed = bvvol_volume_rounded( a );
	bvvol_rounded moved = placed( b, p );
	return bvvol_rounded_overlap( &fixed, &moved );
}

// Weights and directions of the tables err by a few units of rounding of 1, what is summed with them so much
// of the coordinates; b's coordinates along its own directions are off by three times the skew of them. Directions are up
// to sqrt( 3 ) long.
static bool kdop_kdop( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	double magnitude = bvvol_kdop_magnitude( &b->kdop );
	double slack = BVMATH_OVERLAP_ROUNDING * ( bvvol_kdop_magnitude( &a->kdop ) + magnitude + p->size ) +
	               bvmath_skew_of_axes( p->skew, magnitude ) + 2 * p->reach;
	return bvvol_kdops_overlap( &a->kdop, &b->kdop, &p->pose, &p->views, slack );
}

static bool kdop_rounded( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded moved = placed( b, p );
	return bvvol_kdop_overlaps_rounded( &a->kdop, &moved,
	                                    BVMATH_OVERLAP_ROUNDING * bvvol_kdop_magnitude( &a->kdop ) );
}

// The other comes to the k-DOP, which the way back leaves off by twice the skew of its coordinates.
static bool rounded_kdop( const bv_volume* a, const bv_volume* b, const bvvol_placement* p )
{
	bvvol_rounded moved = bvvol_volume_rounded( a );
	moved.slack += BVMATH_OVERLAP_ROUNDING * p->size + p->reach;
	bvvol_rounded_move( &moved, &p->back, p->skew );
	return bvvol_kdop_overlaps_rounded(
		&b->kdop, &moved, ( BVMATH_OVERLAP_ROUNDING + 2 * p->skew ) * bvvol_kdop_magnitude( &b->kdop ) );
}

typedef bool pair_test( const bv_volume* a, const bv_volume* b, const bvvol_placement* b_in_a );

// By the form of the first volume, and of the one that the placement moves.
static pair_test* const tests[bvvol_forms][bvvol_forms] = {
	[bvvol_form_rounded] = { [bvvol_form_rounded] = rounded_rounded,
	                         [bvvol_form_box] = rounded_rounded,
	                         [bvvol_form_upright] = rounded_rounded,
	                         [bvvol_form_ball] = rounded_ball,
	                         [bvvol_form_slabs] = rounded_kdop },
	[bvvol_form_box] = { [bvvol_form_rounded] = rounded_rounded,
	                     [bvvol_form_box] = obb_obb,
	                     [bvvol_form_upright] = obb_aabb,
	                     [bvvol_form_ball] = rounded_ball,
	                     [bvvol_form_slabs] = rounded_kdop },
	[bvvol_form_upright] = { [bvvol_form_rounded] = rounded_rounded,
	                         [bvvol_form_box] = aabb_obb,
	                         [bvvol_form_upright] = aabb_aabb,
	                         [bvvol_form_ball] = rounded_ball,
	                         [bvvol_form_slabs] = rounded_kdop },
	[bvvol_form_ball] = { [bvvol_form_rounded] = ball_rounded,
	                      [bvvol_form_box] = ball_rounded,
	                      [bvvol_form_upright] = ball_rounded,
	                      [bvvol_form_ball] = ball_ball,
	                      [bvvol_form_slabs] = rounded_kdop },
	[bvvol_form_slabs] = { [bvvol_form_rounded] = kdop_rounded,
	                       [bvvol_form_box] = kdop_rounded,
	                       [bvvol_form_upright] = kdop_rounded,
	                       [bvvol_form_ball] = kdop_rounded,
	                       [bvvol_form_slabs] = kdop_kdop },
};

bool bvvol_overlap( const bv_volume* a, const bv_volume* b, const bvvol_placement* b_in_a )
{
	return tests[bvvol_kind_of( a->type )->form][bvvol_kind_of( b->type )->form]( a, b, b_in_a );
}
