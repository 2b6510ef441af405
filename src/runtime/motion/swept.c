// Volumes that enclose what a moving volume sweeps. See bv/motion.h.
//
// J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998, section 4.2.1, with two
// changes that make both rules conservative.
//   - By ends (figures 4.6 to 4.11): a volume around both ends. In print, the arc between them is not covered. A point of a
//     motion that turns by the angle a at constant speed departs from the line between its ends by up to
//     max |x''| / 8 = rho a^2 / 8, where rho is its distance from the axis.
//   - By reach (figures 4.12, 4.13): the volume in one pose, larger by the distance that its points get away from there. In
//     print, this is the pose at the start, and the axis passes through the world's origin; here it is the pose in
//     the middle, and bvmotion_bound.
//
// All volumes are boxes with rounded edges here, those of k-DOPs around their first three slabs and those of prisms
// around all of them. The slack of bvvol_rounded covers what is rounded below, which is some 2^-50 of the magnitudes
// that the slack counts with 2^-44.

#include "runtime/motion/motion.h"

#include "runtime/math/matrix.h"
#include "runtime/math/range.h"
#include "runtime/math/rounding.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/similarity.h"

#include <math.h>

// One or two places of a volume, and how much farther it reaches.
typedef struct swept
{
	bvvol_rounded place[2];
	int places;
	double margin;
} swept;

static bool volume_is_valid( const bv_volume* volume )
{
	if ( !volume || (uint32_t)volume->type >= bv_volume_types )
	{
		return false;
	}
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	if ( kind->planes > 6 && volume->kdop.k != kind->planes )
	{
		return false;
	}
	bvvol_rounded v = bvvol_volume_rounded( volume );
	return bvmath_is_in_range( v.center ) && bvmath_is_length( v.half_extents[0] ) &&
	       bvmath_is_length( v.half_extents[1] ) && bvmath_is_length( v.half_extents[2] ) &&
	       bvmath_is_length( v.radius ) && bvmath_is_frame( v.axis[0], v.axis[1], v.axis[2] );
}

// The radius of a ball around the box that has its center.
static double radius_of( const bvvol_rounded* v )
{
	bv_vec3 half = { v->half_extents[0], v->half_extents[1], v->half_extents[2] };
	return bvmath_length_up( half ) + v->radius;
}

// A box is the points that its axes, which may be off by 1e-4, hold between planes.
static bvvol_rounded box_of( const bv_volume* volume )
{
	bvvol_rounded v = bvvol_volume_rounded( volume );
	double skew = 0;
	for ( int i = 0; i < 3; ++i )
	{
		skew = bvmath_max( skew, fabs( bv_dot( v.axis[i], v.axis[i] ) - 1 ) );
		skew = bvmath_max( skew, fabs( bv_dot( v.axis[i], v.axis[( i + 1 ) % 3] ) ) );
	}
	v.slack += bvmath_skew_of_extent( skew, bvvol_rounded_extent( &v ) );
	return v;
}

static void add_place( const bvvol_rounded* box, const bv_transform* at, swept* s )
{
	bvvol_similarity similarity;
	bvvol_similarity_begin( at, &similarity );
	bvvol_similarity_move( &similarity, box, s->place + s->places );
	s->margin = bvmath_max( s->margin, s->place[s->places].slack );
	s->places += 1;
}

static bv_status sweep_by_reach( const bv_motion* motion, double from, double to, const bvvol_rounded* box,
                                 swept* s )
{
	bvmotion_span span;
	bv_status status = bvmotion_span_begin( motion, from, to, from + ( to - from ) / 2, &span );
	if ( status == bv_ok )
	{
		add_place( box, &span.at, s );
		s->margin += bvmotion_span_reach( &span, box->center, radius_of( box ) + box->slack );
	}
	return status;
}

// Only for motions that turn at constant speed while the pivot moves along a line.
static bv_status sweep_by_ends( const bv_motion* motion, double from, double to, const bvvol_rounded* box,
                                swept* s )
{
	bvmotion_span span[2];
	bv_status status = bvmotion_span_begin( motion, from, to, from, span );
	status = status == bv_ok ? bvmotion_span_begin( motion, from, to, to, span + 1 ) : status;
	if ( status == bv_ok )
	{
		add_place( box, &span[0].at, s );
		add_place( box, &span[1].at, s );
		bvmotion_bound arc = span[0].bound;
		double angle = ( to - from ) * motion->angle;
		arc.turn = motion->kind == bv_motion_of_turn ? ( 1 + 0x1p-50 ) * ( angle * angle / 8 ) : 0;
		arc.across = 0;
		arc.along = 0;
		s->margin += bvmotion_bound_of_ball( &arc, box->center, radius_of( box ) + box->slack );
	}
	return status;
}

// How far a box without its rounded edges reaches along a vector, from its center.
static double half_width( const bvvol_rounded* box, bv_vec3 along )
{
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		sum += box->half_extents[i] * fabs( bv_dot( box->axis[i], along ) );
	}
	return sum;
}

// From the center of the first place, without rounded edges and margin.
static void get_span( const swept* s, bv_vec3 along, double* lower, double* upper )
{
	*lower = INFINITY;
	*upper = -INFINITY;
	for ( int i = 0; i < s->places; ++i )
	{
		double middle = bv_dot( along, bv_sub( s->place[i].center, s->place[0].center ) );
		double half = half_width( s->place + i, along );
		*lower = bvmath_min( *lower, middle - half );
		*upper = bvmath_max( *upper, middle + half );
	}
}

static void enclose_by_planes( const swept* s, const bvvol_kind* kind, bv_volume* out )
{
	kind->begin( out );
	bvvol_bounds bounds = kind->bounds( out );
	double beyond = s->place[0].radius + s->margin;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kind->planes, i ) )
		{
			double lower;
			double upper;
			bv_vec3 direction = bv_kdop_direction( i );
			double center = bv_dot( direction, s->place[0].center );
			double margin = beyond * bvmath_length_up( direction );
			get_span( s, direction, &lower, &upper );
			bounds.lower[i] = center + ( lower - margin );
			bounds.upper[i] = center + ( upper + margin );
		}
	}
}

static void enclose_by_ball( const swept* s, bvvol_parts* parts )
{
	bv_vec3 apart = bv_sub( s->place[s->places - 1].center, s->place[0].center );
	parts->center = bv_add( s->place[0].center, bv_scale( 0.5, apart ) );
	parts->radius = ( bvmath_length_up( apart ) / 2 + radius_of( s->place ) ) + s->margin;
}

// Any frame whose first axis is a vector, not zero.
static void frame_along( bv_vec3 along, bv_vec3 axis[3] )
{
	axis[0] = bv_normalize( bv_scale( 1 / bvmath_largest( along ), along ) );
	bv_vec3 other = fabs( axis[0].x ) < 0.5 ? bv_vec3_make( 1, 0, 0 ) : bv_vec3_make( 0, 1, 0 );
	axis[1] = bv_normalize( bv_cross( other, axis[0] ) );
	axis[2] = bv_cross( axis[0], axis[1] );
}

// The axes at the end; of a ball, the first one is the line between both places. The thinnest side is the last one.
static void get_axes( const swept* s, bv_vec3 axis[3] )
{
	const bvvol_rounded* last = s->place + s->places - 1;
	const double* half = last->half_extents;
	bv_vec3 apart = bv_sub( last->center, s->place[0].center );
	if ( half[0] == 0 && half[1] == 0 && half[2] == 0 && bvmath_largest( apart ) > 0x1p-500 )
	{
		frame_along( apart, axis );
		return;
	}
	int thinnest = half[0] < half[2] && half[0] < half[1] ? 0 : half[1] < half[2] ? 1 : 2;
	for ( int i = 0; i < 3; ++i )
	{
		axis[i] = last->axis[( thinnest + 1 + i ) % 3];
	}
	if ( bv_dot( bv_cross( axis[0], axis[1] ), axis[2] ) < 0 )
	{
		axis[2] = bv_negate( axis[2] );
	}
}

// As volumes are stored, the frame is a quaternion of floats.
static void get_frame( const swept* s, float rotation[4], bv_vec3 axis[3] )
{
	bv_transform frame = bv_transform_identity();
	get_axes( s, axis );
	for ( int i = 0; i < 3; ++i )
	{
		frame.pose.rotation[0][i] = axis[i].x;
		frame.pose.rotation[1][i] = axis[i].y;
		frame.pose.rotation[2][i] = axis[i].z;
	}
	bv_quaternion q = bv_transform_to_quaternion( &frame );
	rotation[0] = (float)q.x;
	rotation[1] = (float)q.y;
	rotation[2] = (float)q.z;
	rotation[3] = (float)q.w;
	bvvol_rotation_axes( rotation, axis );
}

// A prism is as wide as a box at half of its height if it is twice as wide and twice as high as the box.
static void enclose_by_box( const swept* s, const bvvol_kind* kind, bvvol_parts* parts )
{
	bv_vec3 axis[3];
	get_frame( s, parts->rotation, axis );
	double beyond = s->place[0].radius + s->margin;
	parts->center = s->place[0].center;
	for ( uint32_t i = 0; i < 3; ++i )
	{
		double lower;
		double upper;
		get_span( s, axis[i], &lower, &upper );
		double half = ( upper - lower ) / 2;
		parts->center = bv_add( parts->center, bv_scale( ( lower + upper ) / 2, axis[i] ) );
		parts->extents[i] = i < kind->extents ? half + ( kind->has_radius ? 0 : beyond ) : 0;
		beyond += i < kind->extents ? 0 : half;
	}
	parts->radius = kind->has_radius ? beyond : 0;
	if ( kind->tapered )
	{
		parts->center = bv_add( parts->center, bv_scale( parts->extents[1], axis[1] ) );
		parts->extents[0] *= 2;
		parts->extents[1] *= 2;
	}
}

bv_status bv_motion_swept_volume( const bv_motion* motion, double from, double to, const bv_volume* volume,
                                  bv_volume_type type, bv_swept_rule rule, bv_volume* out )
{
	if ( !out || !( from >= 0 && from <= to && to <= 1 ) || (uint32_t)type >= bv_volume_types ||
	     (uint32_t)rule >= bv_swept_rules || !volume_is_valid( volume ) || !bv_motion_is_valid( motion ) )
	{
		return bv_error_argument;
	}
	swept s = { .places = 0 };
	bvvol_rounded box = box_of( volume );
	bool by_ends = rule == bv_swept_by_ends &&
	               ( motion->kind == bv_motion_of_turn || motion->kind == bv_motion_of_pose );
	bv_status status =
		by_ends ? sweep_by_ends( motion, from, to, &box, &s ) : sweep_by_reach( motion, from, to, &box, &s );
	if ( status != bv_ok )
	{
		return status;
	}
	s.margin = ( 1 + 0x1p-44 ) * s.margin + 0x1p-1000;
	const bvvol_kind* kind = bvvol_kind_of( type );
	bv_volume made = { .type = type };
	if ( kind->planes > 0 )
	{
		enclose_by_planes( &s, kind, &made );
	}
	else
	{
		bvvol_parts parts = { .radius = 0 };
		if ( kind->extents == 0 )
		{
			enclose_by_ball( &s, &parts );
		}
		else
		{
			enclose_by_box( &s, kind, &parts );
		}
		kind->join( &parts, &made );
	}
	*out = made;
	return bv_ok;
}
