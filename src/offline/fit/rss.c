// Small rectangle swept spheres.
//
// In a given frame the radius is at least half the points' extent along the normal. Each side of the
// rectangle moves in as long as the half cylinder along it covers the points beyond. Corners then move out
// again, along the diagonal, to points outside their quarter balls. A somewhat larger radius lets the sides
// move in more. The candidate frames are the coordinate axes, the principal axes, the frame of DiTO-14's box,
// and frames around the axis of the capsule. A descent starts from the best frame; in its last stage the
// rectangle moves freely.
//
// Based on: E. Larsen, S. Gottschalk, M. C. Lin, D. Manocha, "Fast proximity queries with swept sphere
// volumes", 1999.

#include "bvbuild/fit.h"
#include "offline/base/frame.h"
#include "offline/fit/core_set.h"
#include "offline/fit/minimize.h"
#include "offline/fit/multi_start.h"
#include "offline/fit/obb.h"
#include "offline/fit/obb_method.h"
#include "offline/fit/swept.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>
#include <string.h>

enum
{
	most_starts = 26,
	frame_calls = 35, // of a cost function, in one descent
	plate_calls = 500,
	radius_calls = 6,
};

// A rectangle relative to the core set's origin, how far its points are from it, and the volume of a radius
// with the core set's grain, so that of flat ones that of the least area is the least.
typedef struct rss_plate
{
	double cost; // first: see multi_start.h
	bv_vec3 axis[3];
	bv_vec3 center;
	double half[2];
	double radius;
} rss_plate;

static double cost_of( double half_width, double half_height, double radius )
{
	bv_rss rss = { .half_extents = { half_width, half_height }, .radius = radius };
	return bv_rss_volume( &rss );
}

// Points in a frame, two at a time, an odd last one twice; heights are measured from the middle of their
// extent.
typedef struct rss_view
{
	uint32_t pairs;
	double grain;
	bvbase_double2 at[2][bvfit_core_most / 2];
	bvbase_double2 squared_height[bvfit_core_most / 2];
} rss_view;

// The intervals of a rectangle along the first two axes.
typedef struct rectangle
{
	double lower[2];
	double upper[2];
} rectangle;

static double least_of( bvbase_double2 a )
{
	return bvmath_min( a[0], a[1] );
}

static double greatest_of( bvbase_double2 a )
{
	return bvmath_max( a[0], a[1] );
}

static bvbase_double2 both( double a )
{
	return ( bvbase_double2 ){ a, a };
}

static rectangle sides_for( const rss_view* v, double squared_radius )
{
	bvbase_double2 lower[2] = { both( INFINITY ), both( INFINITY ) };
	bvbase_double2 upper[2] = { both( -INFINITY ), both( -INFINITY ) };
	for ( uint32_t i = 0; i < v->pairs; ++i )
	{
		bvbase_double2 reach =
			bvbase_root2( bvbase_greatest2( squared_radius - v->squared_height[i], both( 0 ) ) );
		for ( int k = 0; k < 2; ++k )
		{
			lower[k] = bvbase_least2( lower[k], v->at[k][i] + reach );
			upper[k] = bvbase_greatest2( upper[k], v->at[k][i] - reach );
		}
	}
	rectangle r;
	for ( int k = 0; k < 2; ++k )
	{
		r.lower[k] = least_of( lower[k] );
		r.upper[k] = greatest_of( upper[k] );
		if ( r.lower[k] > r.upper[k] )
		{
			r.lower[k] = r.upper[k] = ( r.lower[k] + r.upper[k] ) / 2;
		}
	}
	return r;
}

// A corner of the sides moves by t in both coordinates so that a point beyond two of them is just reached.
// Since it is reached in each coordinate alone, the root is real but for rounding.
static void move_corner( const rectangle* sides, const double at[2], const double beyond[2],
                         double squared_reach, rectangle* out )
{
	double d = beyond[0] - beyond[1];
	double t = ( ( beyond[0] + beyond[1] ) - sqrt( bvmath_max( 2 * squared_reach - d * d, 0 ) ) ) / 2;
	for ( int k = 0; k < 2; ++k )
	{
		if ( at[k] > sides->upper[k] )
		{
			out->upper[k] = bvmath_max( out->upper[k], sides->upper[k] + t );
		}
		else
		{
			out->lower[k] = bvmath_min( out->lower[k], sides->lower[k] - t );
		}
	}
}

// The rectangle for a radius, and the volume.
static double rectangle_for( const rss_view* v, double radius, rectangle* out )
{
	double squared_radius = radius * radius;
	rectangle r = sides_for( v, squared_radius );
	*out = r;
	for ( uint32_t i = 0; i < v->pairs; ++i )
	{
		bvbase_double2 beyond[2];
		for ( int k = 0; k < 2; ++k )
		{
			beyond[k] = bvbase_greatest2( v->at[k][i] - r.upper[k], r.lower[k] - v->at[k][i] );
		}
		bvbase_double2 squared_reach = squared_radius - v->squared_height[i];
		bvbase_long2 left_out = ( beyond[0] > 0 ) & ( beyond[1] > 0 ) &
		                        ( beyond[0] * beyond[0] + beyond[1] * beyond[1] > squared_reach );
		for ( int lane = 0; lane < 2 && ( left_out[0] | left_out[1] ); ++lane )
		{
			if ( left_out[lane] )
			{
				const double at[2] = { v->at[0][i][lane], v->at[1][i][lane] };
				move_corner( &r, at, ( const double[2] ){ beyond[0][lane], beyond[1][lane] },
				             squared_reach[lane], out );
			}
		}
	}
	return cost_of( ( out->upper[0] - out->lower[0] ) / 2, ( out->upper[1] - out->lower[1] ) / 2,
	                radius + v->grain );
}

static double cost_of_radius( const void* context, const double* radius )
{
	rectangle ignored;
	return rectangle_for( context, *radius, &ignored );
}

static bvbase_double2 along( const bvbase_double2 point[3], bv_vec3 axis )
{
	return point[0] * axis.x + point[1] * axis.y + point[2] * axis.z;
}

static rss_plate in_frame( const bvfit_core_set* core, const bv_vec3 axis[3] )
{
	rss_view seen;
	seen.pairs = ( core->count + 1 ) / 2;
	seen.grain = core->grain;
	bvbase_double2 lowest = both( INFINITY );
	bvbase_double2 highest = both( -INFINITY );
	for ( uint32_t i = 0; i < seen.pairs; ++i )
	{
		seen.at[0][i] = along( core->pair[i], axis[0] );
		seen.at[1][i] = along( core->pair[i], axis[1] );
		bvbase_double2 height = along( core->pair[i], axis[2] );
		seen.squared_height[i] = height;
		lowest = bvbase_least2( lowest, height );
		highest = bvbase_greatest2( highest, height );
	}
	double lower = least_of( lowest );
	double upper = greatest_of( highest );
	double middle = ( lower + upper ) / 2;
	for ( uint32_t i = 0; i < seen.pairs; ++i )
	{
		bvbase_double2 height = seen.squared_height[i] - middle;
		seen.squared_height[i] = height * height;
	}
	double least = ( upper - lower ) / 2;
	rss_plate p = { .axis = { axis[0], axis[1], axis[2] } };
	p.radius = bvfit_search_upwards( cost_of_radius, &seen, least, least / 64, radius_calls );
	rectangle r;
	p.cost = rectangle_for( &seen, p.radius, &r );
	p.center = bv_scale( middle, axis[2] );
	for ( int k = 0; k < 2; ++k )
	{
		p.center = bv_add( p.center, bv_scale( ( r.lower[k] + r.upper[k] ) / 2, axis[k] ) );
		p.half[k] = ( r.upper[k] - r.lower[k] ) / 2;
	}
	return p;
}

// A frame turned by the rotation of the quaternion (x, y, z, 1).
static void turn( const bv_vec3 axis[3], const double* xyz, bv_vec3 out[3] )
{
	double x = xyz[0];
	double y = xyz[1];
	double z = xyz[2];
	double s = 2 / ( ( x * x + y * y ) + ( z * z + 1 ) );
	const bv_vec3 row[3] = {
		{ 1 - s * ( y * y + z * z ), s * ( x * y + z ), s * ( x * z - y ) },
		{ s * ( x * y - z ), 1 - s * ( x * x + z * z ), s * ( y * z + x ) },
		{ s * ( x * z + y ), s * ( y * z - x ), 1 - s * ( x * x + y * y ) },
	};
	for ( int i = 0; i < 3; ++i )
	{
		out[i] = bv_add( bv_add( bv_scale( row[i].x, axis[0] ), bv_scale( row[i].y, axis[1] ) ),
		                 bv_scale( row[i].z, axis[2] ) );
	}
}

// Plates near one.
typedef struct rss_neighborhood
{
	const bvfit_core_set* core;
	rss_plate plate;
} rss_neighborhood;

static double cost_of_frame( const void* context, const double* parameter )
{
	const rss_neighborhood* n = context;
	bv_vec3 axis[3];
	turn( n->plate.axis, parameter, axis );
	return in_frame( n->core, axis ).cost;
}

static bv_vec3 offset_from( const void* fitted, bv_vec3 point )
{
	const rss_plate* p = fitted;
	bv_vec3 d = bv_sub( point, p->center );
	double s = bvmath_max( -p->half[0], bvmath_min( p->half[0], bv_dot( p->axis[0], d ) ) );
	double t = bvmath_max( -p->half[1], bvmath_min( p->half[1], bv_dot( p->axis[1], d ) ) );
	return bv_sub( bv_sub( d, bv_scale( s, p->axis[0] ) ), bv_scale( t, p->axis[1] ) );
}

// Sets the radius, and with it the volume, from the rectangle.
static void enclose( const bvfit_core_set* core, rss_plate* p )
{
	bvbase_double2 squared = both( 0 );
	for ( uint32_t i = 0; 2 * i < core->count; ++i )
	{
		const bvbase_double2* at = core->pair[i];
		const bvbase_double2 d[3] = { at[0] - p->center.x, at[1] - p->center.y, at[2] - p->center.z };
		bvbase_double2 beyond[2];
		for ( int k = 0; k < 2; ++k )
		{
			beyond[k] =
				bvbase_greatest2( bvbase_absolute2( along( d, p->axis[k] ) ) - p->half[k], both( 0 ) );
		}
		bvbase_double2 height = along( d, p->axis[2] );
		squared =
			bvbase_greatest2( squared, ( beyond[0] * beyond[0] + beyond[1] * beyond[1] ) + height * height );
	}
	p->radius = sqrt( greatest_of( squared ) );
	p->cost = cost_of( p->half[0], p->half[1], p->radius + core->grain );
}

// The parameters are a rotation, a shift along the axes and what is added to the half extents.
static rss_plate with_changes( const rss_neighborhood* n, const double* parameter )
{
	rss_plate p = n->plate;
	turn( n->plate.axis, parameter, p.axis );
	for ( int k = 0; k < 3; ++k )
	{
		p.center = bv_add( p.center, bv_scale( parameter[3 + k], n->plate.axis[k] ) );
	}
	for ( int k = 0; k < 2; ++k )
	{
		p.half[k] = bvmath_max( p.half[k] + parameter[6 + k], 0 );
	}
	enclose( n->core, &p );
	return p;
}

static double cost_of_changes( const void* context, const double* parameter )
{
	return with_changes( context, parameter ).cost;
}

// Descends with the frame, of which all else follows.
static rss_plate descend_with_frame( const bvfit_core_set* core, const rss_plate* start )
{
	rss_neighborhood n = { .core = core, .plate = *start };
	double parameter[3] = { 0, 0, 0 };
	const double step[3] = { 0.1, 0.1, 0.1 };
	bvfit_nelder_mead( cost_of_frame, &n, 3, parameter, step, frame_calls, 1e-4 );
	bv_vec3 axis[3];
	turn( n.plate.axis, parameter, axis );
	rss_plate found = in_frame( core, axis );
	return found.cost < start->cost ? found : *start;
}

// Descends with all of the rectangle.
static rss_plate descend( const bvfit_core_set* core, const rss_plate* start )
{
	rss_neighborhood n = { .core = core, .plate = *start };
	double size = 0.05 * start->radius;
	double parameter[8] = { 0 };
	const double step[8] = { 0.02, 0.02, 0.02, size, size, size, size, size };
	bvfit_nelder_mead( cost_of_changes, &n, 8, parameter, step, plate_calls, 1e-5 );
	rss_plate found = with_changes( &n, parameter );
	return found.cost < start->cost ? found : *start;
}

// Two frames with a normal: with a unit vector at right angles to it as the first axis, and turned by half of
// that.
static int add_frames( bv_vec3 frame[][3], int count, bv_vec3 normal, bv_vec3 first )
{
	bv_vec3 second = bv_cross( normal, first );
	const bv_vec3 pair[2][3] = {
		{ first, second, normal },
		{ bvbase_unit( bv_add( first, second ) ), bvbase_unit( bv_sub( second, first ) ), normal },
	};
	memcpy( frame[count], pair, sizeof pair );
	return count + 2;
}

// Where the search for a core set's rectangle begins.
typedef struct rss_starts
{
	const bvfit_core_set* core;
	bv_vec3 frame[most_starts][3];
} rss_starts;

static void make_start( const void* context, int index, void* out )
{
	const rss_starts* s = context;
	*(rss_plate*)out = in_frame( s->core, s->frame[index] );
}

static void descend_twice( const void* context, const void* from, void* out )
{
	const rss_starts* s = context;
	rss_plate p = descend_with_frame( s->core, from );
	*(rss_plate*)out = descend( s->core, &p );
}

static void descend_once( const void* context, const void* from, void* out )
{
	const rss_starts* s = context;
	*(rss_plate*)out = descend( s->core, from );
}

static rss_plate search( const bvfit_core_set* core, bv_vec3 rod )
{
	static const bvfit_multi_start from_starts = { sizeof( rss_plate ), most_starts, make_start,
		                                           descend_twice, descend_once };
	rss_starts s = { .core = core };
	int count = 0;
	bv_vec3 base[3][3] = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
	bvfit_core_axes( core, base[1] );
	const bvfit_box_problem problem = { .points = core->point, .count = core->count };
	bvfit_obb_dito( &problem, base[2] );
	for ( int i = 0; i < 9; ++i )
	{
		const bv_vec3* axis = base[i / 3];
		count = add_frames( s.frame, count, axis[i % 3], axis[( i + 1 ) % 3] );
	}
	bv_vec3 side = bvbase_perpendicular( rod );
	bv_vec3 other = bv_cross( rod, side );
	const bv_vec3 normal[4] = { side, other, bv_add( side, other ), bv_sub( side, other ) };
	for ( int i = 0; i < 4; ++i )
	{
		count = add_frames( s.frame, count, bvbase_unit( normal[i] ), rod );
	}

	rss_plate work[most_starts + 1];
	rss_plate best;
	bvfit_search_from_starts( &from_starts, &s, work, &best );
	return best;
}

// Rounds a plate to its stored form, and gives it the radius that encloses all points.
static bv_rss stored( const bv_vec3* points, uint32_t count, bv_vec3 origin, const rss_plate* p )
{
	bvfit_span span = bvfit_span_begin( p->axis, points[0] );
	bv_vec3 center = bv_add( origin, p->center );
	bv_rss rss = {
		.center = { (float)center.x + 0.0f, (float)center.y + 0.0f, (float)center.z + 0.0f },
		.axis = { span.axis[0], span.axis[1], span.axis[2] },
		.half_extents = { (float)p->half[0], (float)p->half[1] },
	};
	memcpy( rss.rotation, span.box.rotation, sizeof rss.rotation );
	double radius = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		radius = bvmath_max( radius, bvvol_rss_reach( &rss, points[i] ) );
	}
	rss.radius = bvmath_float_up( radius );
	return rss;
}

bv_status bvfit_rss_beside( const bv_vec3* points, uint32_t count, const bv_capsule* capsule, bv_rss* out )
{
	*out = ( bv_rss ){ .radius = 0 };
	if ( count == 0 )
	{
		return bv_error_argument;
	}
	bvfit_core_set core;
	bvfit_core_begin( &core, points, count );
	bv_vec3 along = bv_sub( capsule->ends[1], capsule->ends[0] );
	double length = sqrt( bv_dot( along, along ) );
	bv_vec3 rod = length > 0 ? bv_scale( 1 / length, along ) : ( bv_vec3 ){ 1, 0, 0 };
	rss_plate best = search( &core, rod );
	if ( count > bvfit_core_most )
	{
		for ( int round = 0; round < bvfit_core_rounds; ++round )
		{
			if ( !bvfit_core_join( &core, points, count, offset_from, &best, best.radius * ( 1 + 1e-4 ) ) )
			{
				break;
			}
			enclose( &core, &best );
			best = descend_with_frame( &core, &best );
			best = descend( &core, &best );
		}
	}
	*out = stored( points, count, core.origin, &best );

	// A capsule is a rectangle swept sphere too.
	bv_vec3 middle = bv_add( capsule->ends[0], bv_scale( 0.5, along ) );
	rss_plate same = { .center = bv_sub( middle, core.origin ), .half = { length / 2, 0 } };
	same.axis[0] = rod;
	same.axis[1] = bvbase_perpendicular( rod );
	same.axis[2] = bv_cross( rod, same.axis[1] );
	bv_rss narrow = stored( points, count, core.origin, &same );
	if ( bv_rss_volume( &narrow ) < bv_rss_volume( out ) )
	{
		*out = narrow;
	}
	return bv_ok;
}

bv_status bvb_fit_rss( const bv_vec3* points, uint32_t count, bv_rss* out )
{
	bv_capsule capsule;
	*out = ( bv_rss ){ .radius = 0 };
	bv_status status = bvb_fit_capsule( points, count, &capsule );
	return status == bv_ok ? bvfit_rss_beside( points, count, &capsule, out ) : status;
}
