// The table of overlap tests for pairs of volume types. See overlap_volumes.h.
//
// Exact up to rounding for all pairs of balls, boxes, prisms and rectangle swept spheres. There is one
// exception: prisms and rectangle swept spheres count as overlapping if the iteration converges too slowly
// and no axis separates them.
//
// k-DOPs under a pose are compared only along the directions of both, and their extents along other
// directions are upper bounds. As a result, k-DOPs of size 1 that are closer than a hundredth often count as
// overlapping, and most of them do when paired with balls and swept spheres.

#include "runtime/volume/pairs.h"

#include "runtime/math/vec.h"
#include "runtime/volume/packed_volume.h"

#include <math.h>

void bvvol_placement_begin( const bv_pose* b_in_a, uint32_t types_a, uint32_t types_b, bvvol_placement* out )
{
	out->pose = *b_in_a;
	out->skew = bvvol_pose_skew( b_in_a );
	out->size = bv_norm1( b_in_a->translation );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			out->back.rotation[i][j] = b_in_a->rotation[j][i];
			out->cosines.of[i][j] = b_in_a->rotation[i][j];
			out->cosines.size[i][j] = fabs( b_in_a->rotation[i][j] );
		}
	}
	out->back.translation = bv_negate( bvvol_rotate_back( b_in_a, b_in_a->translation ) );
	bvvol_kdop_views_begin( b_in_a, types_a, types_b, &out->views );
}

static void place_obb( bvvol_placed_volume* b )
{
	bvvol_obb_place_to( &b->volume->obb, &b->placement->pose, b->placement->skew, &b->rounded );
}

static bv_vec3 half_of( const bv_aabb* box )
{
	return bv_scale( 0.5, bv_sub( box->upper, box->lower ) );
}

// The moved axes are the columns of the rotation: only what does not take them is as of an oriented box.
static void place_aabb( bvvol_placed_volume* b )
{
	const bvvol_placement* p = b->placement;
	bv_vec3 half = half_of( &b->volume->aabb );
	bv_vec3 center = bv_add( b->volume->aabb.lower, half );
	double extent = bv_norm1( half );
	b->rounded.radius = 0;
	b->rounded.tapered = false;
	b->rounded.slack =
		BVVOL_OVERLAP_ROUNDING * ( ( bv_norm1( center ) + p->size ) + extent ) + 3 * p->skew * extent;
	b->rounded.center = bv_add( bvvol_rotate( &p->pose, center ), p->pose.translation );
	for ( int i = 0; i < 3; ++i )
	{
		b->rounded.half_extents[i] = bv_component( half, i );
		b->rounded.axis[i] =
			( bv_vec3 ){ p->pose.rotation[0][i], p->pose.rotation[1][i], p->pose.rotation[2][i] };
	}
}

static void place_rounded( bvvol_placed_volume* b )
{
	b->rounded = bvvol_volume_rounded( b->volume );
	bvvol_rounded_move( &b->rounded, &b->placement->pose, b->placement->skew );
}

// All there is to know of a ball: nothing else of it is compared.
static void place_ball( bvvol_placed_volume* b )
{
	const bvvol_placement* p = b->placement;
	const bv_sphere* ball = &b->volume->sphere;
	double size = ( bv_norm1( ball->center ) + p->size ) + ball->radius;
	b->rounded = ( bvvol_rounded ){
		.center = bv_add( bvvol_rotate( &p->pose, ball->center ), p->pose.translation ),
		.radius = ball->radius,
		.slack = BVVOL_OVERLAP_ROUNDING * size + 4 * p->skew * ball->radius,
	};
}

static void place_kdop( bvvol_placed_volume* b )
{
	b->magnitude = bvvol_kdop_magnitude( &b->volume->kdop );
}

static bool obb_obb( const bv_volume* a, const bvvol_placed_volume* b )
{
	return bvvol_obb_overlaps_placed( &a->obb, &b->rounded );
}

static bool upright_meets( const bv_aabb* a, const bvvol_rounded* b, const bvvol_cosines* cosines )
{
	bv_vec3 half = half_of( a );
	bv_vec3 center = bv_add( a->lower, half );
	bv_vec3 offset = bv_sub( b->center, center );
	const double ha[3] = { half.x, half.y, half.z };
	const double t[3] = { offset.x, offset.y, offset.z };
	double slack = b->slack + BVVOL_OVERLAP_ROUNDING * ( bv_norm1( center ) + bv_norm1( half ) );
	return bvvol_boxes_overlap( ha, b->half_extents, t, cosines, slack );
}

static bool aabb_obb( const bv_volume* a, const bvvol_placed_volume* b )
{
	bvvol_cosines cosines;
	for ( int j = 0; j < 3; ++j )
	{
		for ( int i = 0; i < 3; ++i )
		{
			cosines.of[i][j] = bv_component( b->rounded.axis[j], i );
			cosines.size[i][j] = fabs( cosines.of[i][j] );
		}
	}
	return upright_meets( &a->aabb, &b->rounded, &cosines );
}

static bool aabb_aabb( const bv_volume* a, const bvvol_placed_volume* b )
{
	return upright_meets( &a->aabb, &b->rounded, &b->placement->cosines );
}

// A placed volume that is no k-DOP. Boxes were placed with a slack of three times the skew, which is right for the
// fifteen axes; see overlap_rounded.c.
static bvvol_rounded rounded_of( const bvvol_placed_volume* b )
{
	bvvol_rounded v = b->rounded;
	if ( b->volume->type == bv_volume_obb || b->volume->type == bv_volume_aabb )
	{
		const double* h = v.half_extents;
		v.slack += b->placement->skew * ( ( h[0] + h[1] ) + h[2] );
	}
	return v;
}

static bvvol_rounded ball_of( const bv_volume* a, const bvvol_placed_volume* b )
{
	bvvol_rounded ball = bvvol_volume_rounded( a );
	ball.slack += 2 * b->placement->skew * ball.radius;
	return ball;
}

static bool ball_ball( const bv_volume* a, const bvvol_placed_volume* b )
{
	const bv_sphere* ball = &a->sphere;
	bv_vec3 offset = bv_sub( b->rounded.center, ball->center );
	double slack = b->rounded.slack + BVVOL_OVERLAP_ROUNDING * ( bv_norm1( ball->center ) + ball->radius );
	double reach = ( ball->radius + b->rounded.radius ) + slack;
	return !( bv_dot( offset, offset ) > reach * reach );
}

static bool ball_rounded( const bv_volume* a, const bvvol_placed_volume* b )
{
	bvvol_rounded ball = ball_of( a, b );
	bvvol_rounded other = rounded_of( b );
	return bvvol_ball_overlaps_rounded( &ball, &other );
}

static bool rounded_ball( const bv_volume* a, const bvvol_placed_volume* b )
{
	bvvol_rounded other = bvvol_volume_rounded( a );
	return bvvol_ball_overlaps_rounded( &b->rounded, &other );
}

static bool rounded_rounded( const bv_volume* a, const bvvol_placed_volume* b )
{
	bvvol_rounded fixed = bvvol_volume_rounded( a );
	bvvol_rounded moved = rounded_of( b );
	return bvvol_rounded_overlap( &fixed, &moved );
}

// Weights and directions of the tables err by a few units of rounding of 1, what is summed with them so much of the
// coordinates; b's coordinates along its own directions are off by three times the skew of them.
static bool kdop_kdop( const bv_volume* a, const bvvol_placed_volume* b )
{
	const bvvol_placement* p = b->placement;
	double slack = BVVOL_OVERLAP_ROUNDING * ( bvvol_kdop_magnitude( &a->kdop ) + b->magnitude + p->size ) +
	               3 * p->skew * b->magnitude;
	return bvvol_kdops_overlap( &a->kdop, &b->volume->kdop, &p->views, slack );
}

static bool kdop_rounded( const bv_volume* a, const bvvol_placed_volume* b )
{
	bvvol_rounded moved = rounded_of( b );
	return bvvol_kdop_overlaps_rounded( &a->kdop, &moved,
	                                    BVVOL_OVERLAP_ROUNDING * bvvol_kdop_magnitude( &a->kdop ) );
}

// The other comes to the k-DOP, which the way back leaves off by twice the skew of its coordinates.
static bool rounded_kdop( const bv_volume* a, const bvvol_placed_volume* b )
{
	const bvvol_placement* p = b->placement;
	bvvol_rounded moved = bvvol_volume_rounded( a );
	moved.slack += BVVOL_OVERLAP_ROUNDING * p->size;
	bvvol_rounded_move( &moved, &p->back, p->skew );
	return bvvol_kdop_overlaps_rounded( &b->volume->kdop, &moved,
	                                    ( BVVOL_OVERLAP_ROUNDING + 2 * p->skew ) * b->magnitude );
}

// How volumes of one type are placed, and compared with placed ones of each.
typedef struct row
{
	void ( *place )( bvvol_placed_volume* b );
	bool ( *overlap[bv_volume_types] )( const bv_volume* a, const bvvol_placed_volume* b );
} row;

// The same for all three k-DOPs.
#define KDOP( with ) [bv_volume_kdop14] = with, [bv_volume_kdop18] = with, [bv_volume_kdop26] = with

#define KDOP_ROW                                                               \
	{                                                                          \
		place_kdop,                                                            \
		{                                                                      \
			[bv_volume_obb] = kdop_rounded, [bv_volume_aabb] = kdop_rounded,   \
			[bv_volume_sphere] = kdop_rounded, [bv_volume_rss] = kdop_rounded, \
			[bv_volume_prism] = kdop_rounded, KDOP( kdop_kdop )                \
		}                                                                      \
	}

// And for rectangle swept spheres and prisms.
#define ROUNDED_ROW                                                                \
	{                                                                              \
		place_rounded,                                                             \
		{                                                                          \
			[bv_volume_obb] = rounded_rounded, [bv_volume_aabb] = rounded_rounded, \
			[bv_volume_sphere] = rounded_ball, [bv_volume_rss] = rounded_rounded,  \
			[bv_volume_prism] = rounded_rounded, KDOP( rounded_kdop )              \
		}                                                                          \
	}

static const row rows[bv_volume_types] = {
	[bv_volume_obb] = { place_obb,
	                    { [bv_volume_obb] = obb_obb,
	                      [bv_volume_aabb] = obb_obb,
	                      [bv_volume_sphere] = rounded_ball,
	                      [bv_volume_rss] = rounded_rounded,
	                      [bv_volume_prism] = rounded_rounded,
	                      KDOP( rounded_kdop ) } },
	[bv_volume_aabb] = { place_aabb,
	                     { [bv_volume_obb] = aabb_obb,
	                       [bv_volume_aabb] = aabb_aabb,
	                       [bv_volume_sphere] = rounded_ball,
	                       [bv_volume_rss] = rounded_rounded,
	                       [bv_volume_prism] = rounded_rounded,
	                       KDOP( rounded_kdop ) } },
	[bv_volume_sphere] = { place_ball,
	                       { [bv_volume_obb] = ball_rounded,
	                         [bv_volume_aabb] = ball_rounded,
	                         [bv_volume_sphere] = ball_ball,
	                         [bv_volume_rss] = ball_rounded,
	                         [bv_volume_prism] = ball_rounded,
	                         KDOP( rounded_kdop ) } },
	[bv_volume_rss] = ROUNDED_ROW,
	[bv_volume_prism] = ROUNDED_ROW,
	KDOP( KDOP_ROW ),
};

void bvvol_place( const bv_volume* volume, const bvvol_placement* placement, bvvol_placed_volume* out )
{
	out->volume = volume;
	out->placement = placement;
	rows[volume->type].place( out );
}

bool bvvol_overlap( const bv_volume* a, const bvvol_placed_volume* b )
{
	return rows[a->type].overlap[b->volume->type]( a, b );
}
