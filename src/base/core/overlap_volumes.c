// The table of pairs of volume types. See overlap_volumes.h.
//
// Exact but for rounding: all pairs of balls, boxes and rectangle swept spheres; rectangle swept
// spheres that come nearer to each other so slowly that the steps run out, and that no axis parts, count as overlapping.
// k-DOPs under a pose are compared along the directions of both only, and their extents along other directions are bounds
// from above: those of a size of 1 and closer than a hundredth often count as overlapping, next to balls and swept spheres
// most of them.

#include "base/core/overlap_volumes.h"

#include "base/core/packed_volume.h"
#include "base/core/vec.h"

#include <math.h>

void bv_placement_begin( const bv_pose* b_in_a, uint32_t types_a, uint32_t types_b, bv_placement* out )
{
	out->pose = *b_in_a;
	out->skew = bv_pose_skew( b_in_a );
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
	out->back.translation = bv_negate( bv_rotate_back( b_in_a, b_in_a->translation ) );
	bv_kdop_views_begin( b_in_a, types_a, types_b, &out->views );
}

static void place_obb( bv_placed_volume* b )
{
	b->box = bv_obb_place( &b->volume->obb, &b->placement->pose, b->placement->skew );
}

static double sum3( const double v[3] )
{
	return ( v[0] + v[1] ) + v[2];
}

// The moved axes are the columns of the rotation: only what does not take them is as of an oriented box.
static void place_aabb( bv_placed_volume* b )
{
	const bv_placement* p = b->placement;
	bv_obb box = bv_aabb_turned( &b->volume->aabb );
	double extent = sum3( box.half_extents );
	b->box.slack =
		BV_OVERLAP_ROUNDING * ( ( bv_norm1( box.center ) + p->size ) + extent ) + 3 * p->skew * extent;
	b->box.box = box;
	b->box.box.center = bv_add( bv_rotate( &p->pose, box.center ), p->pose.translation );
	for ( int i = 0; i < 3; ++i )
	{
		b->box.box.axis[i] =
			( bv_vec3 ){ p->pose.rotation[0][i], p->pose.rotation[1][i], p->pose.rotation[2][i] };
	}
}

static void place_rounded( bv_placed_volume* b )
{
	b->rounded = bv_volume_rounded( b->volume );
	bv_rounded_move( &b->rounded, &b->placement->pose, b->placement->skew );
}

static void place_kdop( bv_placed_volume* b )
{
	b->magnitude = bv_kdop_magnitude( &b->volume->kdop );
}

static bool obb_obb( const bv_volume* a, const bv_placed_volume* b )
{
	return bv_obb_overlaps_placed( &a->obb, &b->box );
}

static bool aabb_obb( const bv_volume* a, const bv_placed_volume* b )
{
	bv_obb box = bv_aabb_turned( &a->aabb );
	return bv_obb_overlaps_placed( &box, &b->box );
}

static bool aabb_aabb( const bv_volume* a, const bv_placed_volume* b )
{
	const bv_placement* p = b->placement;
	bv_vec3 half = bv_scale( 0.5, bv_sub( a->aabb.upper, a->aabb.lower ) );
	bv_vec3 center = bv_add( a->aabb.lower, half );
	bv_vec3 offset = bv_sub( b->box.box.center, center );
	const double ha[3] = { half.x, half.y, half.z };
	const double t[3] = { offset.x, offset.y, offset.z };
	double slack = b->box.slack + BV_OVERLAP_ROUNDING * ( bv_norm1( center ) + sum3( ha ) );
	return bv_boxes_overlap( ha, b->box.box.half_extents, t, &p->cosines, slack );
}

// A placed volume that is no k-DOP. Boxes were placed with a slack of three times the skew, which is right for the
// fifteen axes; see overlap_rounded.c.
static bv_rounded rounded_of( const bv_placed_volume* b )
{
	if ( b->volume->type == bv_volume_sphere || b->volume->type == bv_volume_rss )
	{
		return b->rounded;
	}
	const bv_obb* box = &b->box.box;
	const double* h = box->half_extents;
	return ( bv_rounded ){
		.center = box->center,
		.axis = { box->axis[0], box->axis[1], box->axis[2] },
		.half_extents = { h[0], h[1], h[2] },
		.slack = b->box.slack + b->placement->skew * sum3( h ),
	};
}

static bv_rounded ball_of( const bv_volume* a, const bv_placed_volume* b )
{
	bv_rounded ball = bv_volume_rounded( a );
	ball.slack += 2 * b->placement->skew * ball.radius;
	return ball;
}

static bool ball_ball( const bv_volume* a, const bv_placed_volume* b )
{
	bv_rounded ball = bv_volume_rounded( a );
	return bv_balls_overlap( &ball, &b->rounded );
}

static bool ball_rounded( const bv_volume* a, const bv_placed_volume* b )
{
	bv_rounded ball = ball_of( a, b );
	bv_rounded other = rounded_of( b );
	return bv_ball_overlaps_rounded( &ball, &other );
}

static bool rounded_ball( const bv_volume* a, const bv_placed_volume* b )
{
	bv_rounded other = bv_volume_rounded( a );
	return bv_ball_overlaps_rounded( &b->rounded, &other );
}

static bool rounded_rounded( const bv_volume* a, const bv_placed_volume* b )
{
	bv_rounded fixed = bv_volume_rounded( a );
	bv_rounded moved = rounded_of( b );
	return bv_rounded_overlap( &fixed, &moved );
}

// Weights and directions of the tables err by a few units of rounding of 1, what is summed with them so much of the
// coordinates; b's coordinates along its own directions are off by three times the skew of them.
static bool kdop_kdop( const bv_volume* a, const bv_placed_volume* b )
{
	const bv_placement* p = b->placement;
	double slack = BV_OVERLAP_ROUNDING * ( bv_kdop_magnitude( &a->kdop ) + b->magnitude + p->size ) +
	               3 * p->skew * b->magnitude;
	return bv_kdops_overlap( &a->kdop, &b->volume->kdop, &p->views, slack );
}

static bool kdop_rounded( const bv_volume* a, const bv_placed_volume* b )
{
	bv_rounded moved = rounded_of( b );
	return bv_kdop_overlaps_rounded( &a->kdop, &moved, BV_OVERLAP_ROUNDING * bv_kdop_magnitude( &a->kdop ) );
}

// The other comes to the k-DOP, which the way back leaves off by twice the skew of its coordinates.
static bool rounded_kdop( const bv_volume* a, const bv_placed_volume* b )
{
	const bv_placement* p = b->placement;
	bv_rounded moved = bv_volume_rounded( a );
	moved.slack += BV_OVERLAP_ROUNDING * p->size;
	bv_rounded_move( &moved, &p->back, p->skew );
	return bv_kdop_overlaps_rounded( &b->volume->kdop, &moved,
	                                 ( BV_OVERLAP_ROUNDING + 2 * p->skew ) * b->magnitude );
}

// How volumes of one type are placed, and compared with placed ones of each.
typedef struct row
{
	void ( *place )( bv_placed_volume* b );
	bool ( *overlap[bv_volume_types] )( const bv_volume* a, const bv_placed_volume* b );
} row;

// The same for all three k-DOPs.
#define KDOP( with ) [bv_volume_kdop14] = with, [bv_volume_kdop18] = with, [bv_volume_kdop26] = with

#define KDOP_ROW                                                                                 \
	{                                                                                            \
		place_kdop,                                                                              \
		{                                                                                        \
			[bv_volume_obb] = kdop_rounded, [bv_volume_aabb] = kdop_rounded,                     \
			[bv_volume_sphere] = kdop_rounded, [bv_volume_rss] = kdop_rounded, KDOP( kdop_kdop ) \
		}                                                                                        \
	}

static const row rows[bv_volume_types] = {
	[bv_volume_obb] = { place_obb,
	                    { [bv_volume_obb] = obb_obb,
	                      [bv_volume_aabb] = obb_obb,
	                      [bv_volume_sphere] = rounded_ball,
	                      [bv_volume_rss] = rounded_rounded,
	                      KDOP( rounded_kdop ) } },
	[bv_volume_aabb] = { place_aabb,
	                     { [bv_volume_obb] = aabb_obb,
	                       [bv_volume_aabb] = aabb_aabb,
	                       [bv_volume_sphere] = rounded_ball,
	                       [bv_volume_rss] = rounded_rounded,
	                       KDOP( rounded_kdop ) } },
	[bv_volume_sphere] = { place_rounded,
	                       { [bv_volume_obb] = ball_rounded,
	                         [bv_volume_aabb] = ball_rounded,
	                         [bv_volume_sphere] = ball_ball,
	                         [bv_volume_rss] = ball_rounded,
	                         KDOP( rounded_kdop ) } },
	[bv_volume_rss] = { place_rounded,
	                    { [bv_volume_obb] = rounded_rounded,
	                      [bv_volume_aabb] = rounded_rounded,
	                      [bv_volume_sphere] = rounded_ball,
	                      [bv_volume_rss] = rounded_rounded,
	                      KDOP( rounded_kdop ) } },
	KDOP( KDOP_ROW ),
};

void bv_volume_place( const bv_volume* volume, const bv_placement* placement, bv_placed_volume* out )
{
	out->volume = volume;
	out->placement = placement;
	rows[volume->type].place( out );
}

bool bv_volumes_overlap( const bv_volume* a, const bv_placed_volume* b )
{
	return rows[a->type].overlap[b->volume->type]( a, b );
}
