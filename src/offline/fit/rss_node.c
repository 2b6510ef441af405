// Rectangle swept spheres of nodes: E. Larsen, S. Gottschalk, M. C. Lin, D. Manocha, "Fast proximity queries
// with swept sphere volumes", 1999, in a given frame.
//
// The frame is that of the node's oriented box, each of whose axes is tried as the normal; the radius is half
// the box's extent along it. Each side of the rectangle moves in as far as the half cylinder along it covers
// what lies beyond; corners move out again, along the diagonal, to what their quarter balls leave out.
// bvb_fit_rss searches for the frame and the radius too, a thousand times as long.

#include "offline/fit/rss_node.h"

#include "offline/fit/obb.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>
#include <string.h>

// A rectangle in a frame whose third axis is its normal, from the box's center.
typedef struct rss_node_plate
{
	bv_vec3 axis[3];
	double lower[2];
	double upper[2];
	double radius;
} rss_node_plate;

// A corner of a face: along the rectangle's axes, and the square of how far the radius reaches there.
typedef struct seen_point
{
	double at[2];
	double squared_reach;
} seen_point;

static seen_point look( const rss_node_plate* p, bv_vec3 center, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, center );
	double height = bv_dot( p->axis[2], d );
	return ( seen_point ){ { bv_dot( p->axis[0], d ), bv_dot( p->axis[1], d ) },
		                   bvmath_max( p->radius * p->radius - height * height, 0 ) };
}

static void move_sides_in( rss_node_plate* p, bv_vec3 center, const bvfit_face_list* list )
{
	for ( int k = 0; k < 2; ++k )
	{
		p->lower[k] = INFINITY;
		p->upper[k] = -INFINITY;
	}
	for ( uint32_t i = 0; i < 3 * list->count; ++i )
	{
		seen_point s = look( p, center, list->faces[list->order[i / 3]].corner[i % 3] );
		double reach = sqrt( s.squared_reach );
		for ( int k = 0; k < 2; ++k )
		{
			p->lower[k] = bvmath_min( p->lower[k], s.at[k] + reach );
			p->upper[k] = bvmath_max( p->upper[k], s.at[k] - reach );
		}
	}
	for ( int k = 0; k < 2; ++k )
	{
		if ( p->lower[k] > p->upper[k] )
		{
			p->lower[k] = p->upper[k] = ( p->lower[k] + p->upper[k] ) / 2;
		}
	}
}

// A corner moves by t along both axes so that the point is just reached. It is reached along each axis alone,
// so the root is real but for rounding.
static void move_corners_out( rss_node_plate* p, bv_vec3 center, const bvfit_face_list* list )
{
	rss_node_plate inner = *p;
	for ( uint32_t i = 0; i < 3 * list->count; ++i )
	{
		seen_point s = look( p, center, list->faces[list->order[i / 3]].corner[i % 3] );
		double beyond[2];
		for ( int k = 0; k < 2; ++k )
		{
			beyond[k] = bvmath_max( s.at[k] - inner.upper[k], inner.lower[k] - s.at[k] );
		}
		if ( beyond[0] > 0 && beyond[1] > 0 &&
		     beyond[0] * beyond[0] + beyond[1] * beyond[1] > s.squared_reach )
		{
			double d = beyond[0] - beyond[1];
			double t =
				( ( beyond[0] + beyond[1] ) - sqrt( bvmath_max( 2 * s.squared_reach - d * d, 0 ) ) ) / 2;
			for ( int k = 0; k < 2; ++k )
			{
				bool up = s.at[k] > inner.upper[k];
				p->upper[k] = up ? bvmath_max( p->upper[k], inner.upper[k] + t ) : p->upper[k];
				p->lower[k] = up ? p->lower[k] : bvmath_min( p->lower[k], inner.lower[k] - t );
			}
		}
	}
}

static rss_node_plate in_frame( const bv_obb* box, int normal, const bvfit_face_list* list )
{
	int first = ( normal + 1 ) % 3;
	rss_node_plate p = {
		.axis = { box->axis[first], box->axis[( first + 1 ) % 3], box->axis[normal] },
		.radius = box->half_extents[normal],
	};
	move_sides_in( &p, box->center, list );
	move_corners_out( &p, box->center, list );
	return p;
}

// Flat ones differ by their area.
static double cost_of( const rss_node_plate* p, double grain )
{
	bv_rss rss = { .half_extents = { ( p->upper[0] - p->lower[0] ) / 2, ( p->upper[1] - p->lower[1] ) / 2 },
		           .radius = p->radius + grain };
	return bv_rss_volume( &rss );
}

// The stored frame is another one than the plate's by rounding: the radius is that which encloses all points.
static bv_rss stored( const rss_node_plate* p, bv_vec3 center, const bvfit_face_list* list )
{
	for ( int k = 0; k < 2; ++k )
	{
		center = bv_add( center, bv_scale( ( p->lower[k] + p->upper[k] ) / 2, p->axis[k] ) );
	}
	bvfit_span span = bvfit_span_begin( p->axis, center );
	bv_rss rss = {
		.center = { (float)center.x + 0.0f, (float)center.y + 0.0f, (float)center.z + 0.0f },
		.axis = { span.axis[0], span.axis[1], span.axis[2] },
		.half_extents = { (float)( ( p->upper[0] - p->lower[0] ) / 2 ),
		                  (float)( ( p->upper[1] - p->lower[1] ) / 2 ) },
	};
	memcpy( rss.rotation, span.box.rotation, sizeof rss.rotation );
	double radius = 0;
	for ( uint32_t i = 0; i < 3 * list->count; ++i )
	{
		radius = bvmath_max( radius, bvvol_rss_reach( &rss, list->faces[list->order[i / 3]].corner[i % 3] ) );
	}
	rss.radius = bvmath_float_up( radius );
	return rss;
}

bv_rss bvfit_rss_of_node( const bvfit_face_list* list )
{
	bvvol_packed_obb packed = list->box->fit( list->faces, list->order, list->count );
	bv_obb box = bvvol_obb_unpack( &packed );
	const double* h = box.half_extents;
	double grain = 0x1p-20 * ( ( h[0] + h[1] ) + h[2] );
	rss_node_plate best = in_frame( &box, 0, list );
	double least = cost_of( &best, grain );
	for ( int normal = 1; normal < 3; ++normal )
	{
		rss_node_plate p = in_frame( &box, normal, list );
		double cost = cost_of( &p, grain );
		if ( cost < least )
		{
			best = p;
			least = cost;
		}
	}
	return stored( &best, box.center, list );
}
