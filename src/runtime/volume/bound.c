// Lower bounds of distances and times. See bound.h.
//
// Rounding: as in rounding.h, the error of a difference along an axis is less than the sum of both slacks. If
// three numbers each have such an error, the error of the length of their vector is less than twice that. A
// gap along a cross product of axes is divided by the length of the product after the slack is subtracted.
// This only enlarges the gap.

#include "runtime/volume/bound.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/volume/boxes.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/sat_double.h"

#include <math.h>

static const bv_vec3 unit[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

void bvvol_bound_of( const bv_volume* volume, bvvol_bound* out )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	kind->rounded( volume, &out->box );
	out->kdop = kind->form == bvvol_form_slabs ? &volume->kdop : NULL;
}

static double positive( double x )
{
	return x > 0 ? x : 0;
}

// Two boxes without their radii.
typedef struct boxes
{
	const double* half_a;
	const double* half_b;
	bvvol_cosines cosines;
	double to[3];    // the offset along a's axes
	double along[3]; // and along b's
	double slack;
	double skew;
} boxes;

static void begin_boxes( const bvvol_rounded* a, const bvvol_rounded* b, double skew, boxes* p )
{
	bv_vec3 offset = bv_sub( b->center, a->center );
	p->half_a = a->half_extents;
	p->half_b = b->half_extents;
	p->slack = a->slack + b->slack;
	p->skew = skew;
	for ( int i = 0; i < 3; ++i )
	{
		p->to[i] = bv_dot( a->axis[i], offset );
		p->along[i] = bv_dot( b->axis[i], offset );
		bvvol_set_cosines( &p->cosines, i, a->axis[i], b->axis );
	}
}

static sat_boxes axes_of( const boxes* p )
{
	return ( sat_boxes ){ p->half_a, p->half_b, p->to, p->along, p->cosines.of, p->cosines.size };
}

// The distance of the box that encloses b in a's frame, and the other way round.
static double gap_of_faces( const boxes* p )
{
	sat_boxes axes = axes_of( p );
	double in_a = 0;
	double in_b = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double of_a = positive( sat_gap( sat_axis_of_a( &axes, i ) ) );
		double of_b = positive( sat_gap( sat_axis_of_b( &axes, i ) ) );
		in_a += of_a * of_a;
		in_b += of_b * of_b;
	}
	double gap = sqrt( bvmath_max( in_a, in_b ) ) * ( 1 - ( bvmath_skew_of_square( p->skew ) + 0x1p-48 ) );
	return gap - 2 * p->slack;
}

// Squared, so that only what is greater than before is divided.
static double gap_of_sides( const boxes* p, double known )
{
	sat_boxes axes = axes_of( p );
	double best = known > 0 ? known * known : 0;
	bool grew = false;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			double gap = sat_gap( sat_axis_of_edges( &axes, i, j, false ) ) - p->slack;
			double square =
				( 1 - axes.turn[i][j] * axes.turn[i][j] ) + ( bvmath_skew_of_square( p->skew ) + 0x1p-48 );
			if ( gap > 0 && gap * gap > best * square )
			{
				best = gap * gap / square;
				grew = true;
			}
		}
	}
	return grew ? sqrt( best ) * ( 1 - 0x1p-48 ) : known;
}

static double half_width( const bvvol_rounded* v, bv_vec3 along )
{
	const double* h = v->half_extents;
	return ( h[0] * fabs( bv_dot( v->axis[0], along ) ) + h[1] * fabs( bv_dot( v->axis[1], along ) ) ) +
	       h[2] * fabs( bv_dot( v->axis[2], along ) );
}

// Along the slabs of a k-DOP that are no box's. Directions have coordinates of 0 and 1, and lengths of two
// roots.
static double gap_of_slabs( const bvvol_bound* bound, const bvvol_rounded* other, double known )
{
	double slack = 2 * ( bound->box.slack + other->slack );
	for ( uint32_t i = 3; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( !bv_kdop_uses( bound->kdop->k, i ) )
		{
			continue;
		}
		bv_vec3 n = bv_kdop_direction( i );
		double inverse = i < 7 ? 0.57735026918962573 : 0.70710678118654746;
		double at = bv_dot( n, other->center );
		double reach = half_width( other, n ) + slack;
		double gap =
			bvmath_max( bound->kdop->lower[i] - ( at + reach ), ( at - reach ) - bound->kdop->upper[i] );
		known = bvmath_max( known, gap * inverse * ( 1 - 0x1p-48 ) - other->radius );
	}
	return known;
}

double bvvol_bound_gap( const bvvol_bound* bound, const bvvol_rounded* other, double skew, double enough )
{
	double radius = bound->box.radius + other->radius;
	boxes p;
	begin_boxes( &bound->box, other, skew, &p );
	double gap = gap_of_faces( &p );
	if ( gap - radius < enough )
	{
		gap = gap_of_sides( &p, gap );
	}
	gap -= radius * ( 1 + 0x1p-50 );
	if ( bound->kdop && gap < enough )
	{
		gap = gap_of_slabs( bound, other, gap );
	}
	return positive( gap );
}

double bvvol_bound_gap_of_point( const bvvol_bound* bound, bv_vec3 point )
{
	const bvvol_rounded* box = &bound->box;
	bv_vec3 d = bv_sub( point, box->center );
	double square = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double beyond = positive( fabs( bv_dot( box->axis[i], d ) ) - box->half_extents[i] );
		square += beyond * beyond;
	}
	double rounding = BVMATH_OVERLAP_ROUNDING * bvmath_norm1( point );
	double gap = sqrt( square ) * ( 1 - 0x1p-48 ) - 2 * ( box->slack + rounding ) - box->radius;
	if ( bound->kdop )
	{
		bvvol_rounded at = { .center = point, .axis = { unit[0], unit[1], unit[2] }, .slack = rounding };
		gap = gap_of_slabs( bound, &at, gap );
	}
	return positive( gap );
}

// Narrows the times to those in which two intervals meet: |offset - time * speed| <= reach.
static bool narrow( double offset, double speed, double reach, double time[2] )
{
	if ( fabs( offset ) <= reach && !( fabs( speed ) > 0 ) )
	{
		return true;
	}
	if ( !( fabs( speed ) > 0 ) )
	{
		return false;
	}
	double first = ( offset - reach ) / speed;
	double second = ( offset + reach ) / speed;
	double from = bvmath_min( first, second );
	double to = bvmath_max( first, second );
	time[0] = from > time[0] ? from : time[0];
	time[1] = to < time[1] ? to : time[1];
	return !( time[0] > time[1] );
}

static bool narrow_slabs( const bvvol_bound* bound, const bvvol_rounded* mover, bv_vec3 motion, double slack,
                          double time[2] )
{
	for ( uint32_t i = 3; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( !bv_kdop_uses( bound->kdop->k, i ) )
		{
			continue;
		}
		bv_vec3 n = bv_kdop_direction( i );
		double lower = bound->kdop->lower[i];
		double upper = bound->kdop->upper[i];
		double offset = 0.5 * ( lower + upper ) - bv_dot( n, mover->center );
		double reach =
			( 0.5 * ( upper - lower ) + half_width( mover, n ) ) + ( 2 * mover->radius + 4 * slack );
		if ( !narrow( offset, bv_dot( n, motion ), reach, time ) )
		{
			return false;
		}
	}
	return true;
}

// While they meet, the way is no longer than the centers are apart and the extents together, of which all
// that is computed errs by a part that the slack allows for.
bool bvvol_bound_sweep( const bvvol_bound* bound, const bvvol_rounded* mover, bv_vec3 motion, double time[2] )
{
	const bvvol_rounded* a = &bound->box;
	double slack = a->slack + mover->slack;
	double radius = a->radius + mover->radius;
	bool is_point = !( bvvol_rounded_extent( mover ) > mover->radius );
	bv_vec3 offset = bv_sub( a->center, mover->center );
	for ( int i = 0; i < 3; ++i )
	{
		double width = is_point ? 0 : half_width( mover, a->axis[i] );
		double reach = ( a->half_extents[i] + width ) + ( radius + slack );
		if ( !narrow( bv_dot( a->axis[i], offset ), bv_dot( a->axis[i], motion ), reach, time ) )
		{
			return false;
		}
	}
	for ( int i = 0; i < 9 && !is_point; ++i )
	{
		if ( i < 3 )
		{
			double reach = ( mover->half_extents[i] + half_width( a, mover->axis[i] ) ) + ( radius + slack );
			if ( !narrow( bv_dot( mover->axis[i], offset ), bv_dot( mover->axis[i], motion ), reach, time ) )
			{
				return false;
			}
		}
		bv_vec3 n = bv_cross( a->axis[i / 3], mover->axis[i % 3] );
		double reach = ( half_width( a, n ) + half_width( mover, n ) ) + ( radius + slack );
		if ( !narrow( bv_dot( n, offset ), bv_dot( n, motion ), reach, time ) )
		{
			return false;
		}
	}
	return !bound->kdop || narrow_slabs( bound, mover, motion, slack, time );
}
