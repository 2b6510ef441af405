// Small capsules.
//
// For a given direction, the radius is that of the smallest circle around the projected points, and each end
// moves in as long as its hemisphere covers the points beyond. A somewhat larger radius lets the ends move in
// more, so a search over the radius finds the smallest capsule. The candidate directions are those of the
// k-DOPs, the principal axes, and the line through the two points farthest apart. A descent starts from the
// best direction; in its last stage both ends move freely.

#include "bvbuild/fit.h"
#include "offline/base/frame.h"
#include "offline/fit/core_set.h"
#include "offline/fit/minimize.h"
#include "offline/fit/multi_start.h"
#include "offline/fit/sphere.h"
#include "offline/fit/swept.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>

enum
{
	most_starts = BV_KDOP_DIRECTIONS + 4,
	direction_calls = 24, // of a cost function, in one descent
	ends_calls = 250,
	radius_calls = 8,
};

// A segment relative to the core set's origin, how far its points are from it, and the volume without the
// factor pi. The volume is that of a radius with the core set's grain, so that of capsules without radius the
// shortest is the least.
typedef struct rod
{
	double cost; // first: see multi_start.h
	bv_vec3 ends[2];
	double radius;
} rod;

static double cost_of( double length, double radius )
{
	return radius * radius * ( length + 4.0 / 3.0 * radius );
}

// Points seen along an axis.
typedef struct capsule_view
{
	uint32_t count;
	double grain;
	double height[bvfit_core_most];  // along the axis
	double squared[bvfit_core_most]; // distance from it
} capsule_view;

// The segment on the axis with the given radius: from lower to upper, equal for a ball.
static double segment_for( const capsule_view* v, double radius, double* lower, double* upper )
{
	*lower = INFINITY;
	*upper = -INFINITY;
	for ( uint32_t i = 0; i < v->count; ++i )
	{
		double cap = sqrt( bvmath_max( radius * radius - v->squared[i], 0 ) );
		*lower = bvmath_min( *lower, v->height[i] + cap );
		*upper = bvmath_max( *upper, v->height[i] - cap );
	}
	if ( *lower > *upper )
	{
		*lower = *upper = ( *lower + *upper ) / 2;
	}
	return cost_of( *upper - *lower, radius + v->grain );
}

static double cost_of_radius( const void* context, const double* radius )
{
	double lower;
	double upper;
	return segment_for( context, *radius, &lower, &upper );
}

static rod along( const bvfit_core_set* core, bv_vec3 axis )
{
	bv_vec3 u = bvbase_perpendicular( axis );
	bv_vec3 v = bv_cross( axis, u );
	capsule_view seen;
	seen.count = core->count;
	seen.grain = core->grain;
	bv_vec3 flat[bvfit_core_most];
	for ( uint32_t i = 0; i < core->count; ++i )
	{
		flat[i] = ( bv_vec3 ){ bv_dot( core->point[i], u ), bv_dot( core->point[i], v ), 0 };
		seen.height[i] = bv_dot( core->point[i], axis );
	}
	bvfit_ball circle = { .support_count = 0 };
	bvfit_least_ball( flat, core->count, &circle );
	double least = 0;
	for ( uint32_t i = 0; i < core->count; ++i )
	{
		bv_vec3 d = bv_sub( bv_sub( flat[i], circle.origin ), circle.center );
		seen.squared[i] = bv_dot( d, d );
		least = bvmath_max( least, seen.squared[i] );
	}
	double lower;
	double upper;
	least = sqrt( least );
	rod r = { .radius = bvfit_search_upwards( cost_of_radius, &seen, least, least / 128, radius_calls ) };
	r.cost = segment_for( &seen, r.radius, &lower, &upper );
	bv_vec3 foot = bv_add( circle.origin, circle.center );
	foot = bv_add( bv_scale( foot.x, u ), bv_scale( foot.y, v ) );
	r.ends[0] = bv_add( foot, bv_scale( lower, axis ) );
	r.ends[1] = bv_add( foot, bv_scale( upper, axis ) );
	return r;
}

// Directions near one: the parameters are what is added to it along two vectors at right angles.
typedef struct capsule_neighborhood
{
	const bvfit_core_set* core;
	bv_vec3 axis;
	bv_vec3 u;
	bv_vec3 v;
} capsule_neighborhood;

static bv_vec3 turned( const capsule_neighborhood* n, const double* parameter )
{
	bv_vec3 d = bv_add( n->axis, bv_add( bv_scale( parameter[0], n->u ), bv_scale( parameter[1], n->v ) ) );
	return bvbase_unit( d );
}

static double cost_of_direction( const void* context, const double* parameter )
{
	const capsule_neighborhood* n = context;
	return along( n->core, turned( n, parameter ) ).cost;
}

static bv_vec3 offset_from( const void* fitted, bv_vec3 p )
{
	const rod* r = fitted;
	bv_vec3 s = bv_sub( r->ends[1], r->ends[0] );
	bv_vec3 d = bv_sub( p, r->ends[0] );
	double squared = bv_dot( s, s );
	double t = squared > 0 ? bvmath_max( 0, bvmath_min( bv_dot( d, s ) / squared, 1 ) ) : 0;
	return bv_sub( d, bv_scale( t, s ) );
}

static rod with_ends( const bvfit_core_set* core, const double* parameter )
{
	rod r = { .ends = { { parameter[0], parameter[1], parameter[2] },
		                { parameter[3], parameter[4], parameter[5] } } };
	double squared = 0;
	bv_vec3 s = bv_sub( r.ends[1], r.ends[0] );
	double length = bv_dot( s, s );
	double inverse = length > 0 ? 1 / length : 0;
	for ( uint32_t i = 0; i < core->count; ++i )
	{
		bv_vec3 d = bv_sub( core->point[i], r.ends[0] );
		double t = bvmath_max( 0, bvmath_min( bv_dot( d, s ) * inverse, 1 ) );
		d = bv_sub( d, bv_scale( t, s ) );
		squared = bvmath_max( squared, bv_dot( d, d ) );
	}
	r.radius = sqrt( squared );
	r.cost = cost_of( sqrt( length ), r.radius + core->grain );
	return r;
}

static double cost_of_ends( const void* context, const double* parameter )
{
	return with_ends( context, parameter ).cost;
}

// Descends with the direction, of which all else follows.
static rod descend_with_direction( const bvfit_core_set* core, const rod* start )
{
	bv_vec3 axis = bv_sub( start->ends[1], start->ends[0] );
	double length = sqrt( bv_dot( axis, axis ) );
	if ( length == 0 )
	{
		return *start;
	}
	capsule_neighborhood n = { .core = core, .axis = bv_scale( 1 / length, axis ) };
	n.u = bvbase_perpendicular( n.axis );
	n.v = bv_cross( n.axis, n.u );
	double parameter[2] = { 0, 0 };
	const double step[2] = { 0.2, 0.2 };
	bvfit_nelder_mead( cost_of_direction, &n, 2, parameter, step, direction_calls, 1e-4 );
	rod found = along( core, turned( &n, parameter ) );
	return found.cost < start->cost ? found : *start;
}

// Descends with both ends.
static rod descend( const bvfit_core_set* core, const rod* start )
{
	double parameter[6] = { start->ends[0].x, start->ends[0].y, start->ends[0].z,
		                    start->ends[1].x, start->ends[1].y, start->ends[1].z };
	double step[6];
	for ( int i = 0; i < 6; ++i )
	{
		step[i] = ( i % 2 ? -0.05 : 0.05 ) * start->radius;
	}
	bvfit_nelder_mead( cost_of_ends, core, 6, parameter, step, ends_calls, 1e-5 );
	rod found = with_ends( core, parameter );
	return found.cost < start->cost ? found : *start;
}

// Where the search for a core set's capsule begins.
typedef struct capsule_starts
{
	const bvfit_core_set* core;
	bv_vec3 direction[most_starts];
} capsule_starts;

static void make_start( const void* context, int index, void* out )
{
	const capsule_starts* s = context;
	*(rod*)out = along( s->core, s->direction[index] );
}

static void descend_twice( const void* context, const void* from, void* out )
{
	const capsule_starts* s = context;
	rod r = descend_with_direction( s->core, from );
	*(rod*)out = descend( s->core, &r );
}

static void descend_once( const void* context, const void* from, void* out )
{
	const capsule_starts* s = context;
	*(rod*)out = descend( s->core, from );
}

static rod search( const bvfit_core_set* core )
{
	static const bvfit_multi_start from_starts = { sizeof( rod ), most_starts, make_start, descend_twice,
		                                           descend_once };
	capsule_starts s = { .core = core };
	bvfit_core_axes( core, s.direction );
	s.direction[3] = bvfit_core_diameter( core );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		s.direction[4 + i] = bvbase_unit( bv_kdop_direction( i ) );
	}
	rod work[most_starts + 1];
	rod best;
	bvfit_search_from_starts( &from_starts, &s, work, &best );
	return best;
}

static bv_vec3 stored_point( bv_vec3 origin, bv_vec3 p )
{
	p = bv_add( origin, p );
	return ( bv_vec3 ){ (float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f };
}

bv_status bvfit_capsule_beside( const bv_vec3* points, uint32_t count, const bv_sphere* ball,
                                bv_capsule* out )
{
	*out = ( bv_capsule ){ .radius = 0 };
	if ( count == 0 )
	{
		return bv_error_argument;
	}
	bvfit_core_set core;
	bvfit_core_begin( &core, points, count );
	rod best = search( &core );
	if ( count > bvfit_core_most )
	{
		for ( int round = 0; round < bvfit_core_rounds; ++round )
		{
			if ( !bvfit_core_join( &core, points, count, offset_from, &best, best.radius * ( 1 + 1e-4 ) ) )
			{
				break;
			}
			double parameter[6] = { best.ends[0].x, best.ends[0].y, best.ends[0].z,
				                    best.ends[1].x, best.ends[1].y, best.ends[1].z };
			rod again = with_ends( &core, parameter );
			again = descend_with_direction( &core, &again );
			best = descend( &core, &again );
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		out->ends[i] = stored_point( core.origin, best.ends[i] );
	}
	double radius = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		radius = bvmath_max( radius, bvvol_capsule_reach( out, points[i] ) );
	}
	out->radius = bvmath_float_up( radius );

	// A ball is a capsule too.
	if ( bv_sphere_volume( ball ) < bv_capsule_volume( out ) )
	{
		*out = ( bv_capsule ){ .ends = { ball->center, ball->center }, .radius = ball->radius };
	}
	return bv_ok;
}

bv_status bvb_fit_capsule( const bv_vec3* points, uint32_t count, bv_capsule* out )
{
	bv_sphere ball;
	*out = ( bv_capsule ){ .radius = 0 };
	bv_status status = bvb_fit_sphere( points, count, &ball );
	return status == bv_ok ? bvfit_capsule_beside( points, count, &ball, out ) : status;
}
