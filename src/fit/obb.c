// Oriented boxes: frames to stored boxes, and the box of a hull along the principal axes of its surface.

#include "fit/obb.h"

#include "base/core/round.h"
#include "bvbuild/fit.h"
#include "fit/surface.h"

#include <math.h>

// Shepperd 1978: divides by the largest of the four components, which is at least 1/2.
static void frame_to_quaternion( const bv_vec3 a[3], float out[4] )
{
	// Squares of the components, times 4.
	double w = 1 + a[0].x + a[1].y + a[2].z;
	double x = 1 + a[0].x - a[1].y - a[2].z;
	double y = 1 - a[0].x + a[1].y - a[2].z;
	double z = 1 - a[0].x - a[1].y + a[2].z;
	double q[4];
	if ( w >= x && w >= y && w >= z )
	{
		double s = 0.5 / sqrt( w );
		q[0] = ( a[1].z - a[2].y ) * s, q[1] = ( a[2].x - a[0].z ) * s, q[2] = ( a[0].y - a[1].x ) * s,
		q[3] = w * s;
	}
	else if ( x >= y && x >= z )
	{
		double s = 0.5 / sqrt( x );
		q[0] = x * s, q[1] = ( a[0].y + a[1].x ) * s, q[2] = ( a[2].x + a[0].z ) * s,
		q[3] = ( a[1].z - a[2].y ) * s;
	}
	else if ( y >= z )
	{
		double s = 0.5 / sqrt( y );
		q[0] = ( a[0].y + a[1].x ) * s, q[1] = y * s, q[2] = ( a[1].z + a[2].y ) * s,
		q[3] = ( a[2].x - a[0].z ) * s;
	}
	else
	{
		double s = 0.5 / sqrt( z );
		q[0] = ( a[2].x + a[0].z ) * s, q[1] = ( a[1].z + a[2].y ) * s, q[2] = z * s,
		q[3] = ( a[0].y - a[1].x ) * s;
	}

	// A quaternion and its negative are the same frame: the stored one has w >= 0, and no -0.
	double sign = q[3] < 0 ? -1 : 1;
	for ( int i = 0; i < 4; ++i )
	{
		out[i] = (float)( sign * q[i] ) + 0.0f;
	}
}

bvb_span bvb_span_begin( const bv_vec3 axis[3], bv_vec3 origin )
{
	bvb_span span = { .origin = origin };
	frame_to_quaternion( axis, span.box.rotation );
	bv_obb decoded = bv_obb_unpack( &span.box );
	for ( int i = 0; i < 3; ++i )
	{
		span.axis[i] = decoded.axis[i];
	}
	return span;
}

bv_packed_obb bvb_span_end( const bvb_span* span )
{
	double middle[3];
	double extent = 0;
	for ( int i = 0; i < 3; ++i )
	{
		middle[i] = ( span->lower[i] + span->upper[i] ) / 2;
		extent += bv_max( -span->lower[i], span->upper[i] );
	}
	bv_vec3 center = span->origin;
	for ( int i = 0; i < 3; ++i )
	{
		center = bv_add( center, bv_scale( middle[i], span->axis[i] ) );
	}

	bv_packed_obb box = span->box;
	box.center[0] = (float)center.x + 0.0f;
	box.center[1] = (float)center.y + 0.0f;
	box.center[2] = (float)center.z + 0.0f;
	bv_vec3 stored = { box.center[0], box.center[1], box.center[2] };
	bv_vec3 shift = bv_sub( stored, span->origin );

	// A point's reach is |axis . (point - origin) - axis . shift| up to rounding. Point and shift are within
	// 2 * extent of the origin in the sum of coordinates, apart from the rounding of the stored centre; each
	// projection errs by at most 2^-51 of that, and bv_obb_reach adds as much again for its own. 2^-47 covers
	// all of it.
	double magnitude = extent + bv_norm1( shift );
	double rounding = 0x1p-47 * magnitude;
	for ( int i = 0; i < 3; ++i )
	{
		double s = bv_dot( span->axis[i], shift );
		double reach = bv_max( span->upper[i] - s, s - span->lower[i] );
		box.half_extents[i] = bv_float_up( bv_max( reach, 0 ) + rounding );
	}
	return box;
}

// Any unit vector at right angles to a unit vector.
static bv_vec3 perpendicular( bv_vec3 v )
{
	// Crossed with the coordinate axis it is farthest from, so that the product is not small.
	double x = fabs( v.x );
	double y = fabs( v.y );
	double z = fabs( v.z );
	bv_vec3 axis = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
	bv_vec3 p = bv_cross( v, axis );
	return bv_scale( 1 / sqrt( bv_dot( p, p ) ), p );
}

void bvb_triangle_axes( const bv_vec3 corner[3], bv_vec3 axis[3] )
{
	bv_vec3 edge[3];
	double length[3];
	int longest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		edge[i] = bv_sub( corner[( i + 1 ) % 3], corner[i] );
		length[i] = bv_dot( edge[i], edge[i] );
		longest = length[i] > length[longest] ? i : longest;
	}
	if ( length[longest] == 0 )
	{
		axis[0] = ( bv_vec3 ){ 1, 0, 0 };
		axis[1] = ( bv_vec3 ){ 0, 1, 0 };
		axis[2] = ( bv_vec3 ){ 0, 0, 1 };
		return;
	}
	axis[0] = bv_scale( 1 / sqrt( length[longest] ), edge[longest] );
	bv_vec3 normal = bv_cross( axis[0], edge[( longest + 1 ) % 3] );
	double height = sqrt( bv_dot( normal, normal ) );

	// A sliver's normal may be mere rounding and lie along the edge: what is at right angles to the edge
	// counts.
	axis[2] = height > 0 ? bv_scale( 1 / height, normal ) : axis[0];
	axis[2] = bv_sub( axis[2], bv_scale( bv_dot( axis[0], axis[2] ), axis[0] ) );
	double rest = sqrt( bv_dot( axis[2], axis[2] ) );
	axis[2] = rest > 0.5 ? bv_scale( 1 / rest, axis[2] ) : perpendicular( axis[0] );
	axis[1] = bv_cross( axis[2], axis[0] );
}

static uint32_t hull_triangle_count( const bvb_hull* hull )
{
	return hull->kind == bv_hull_polyhedron ? hull->face_count
	       : hull->kind == bv_hull_polygon  ? hull->vertex_count - 2
	                                        : 0;
}

static bvb_face hull_face( const bv_vec3* points, const bvb_hull* hull, uint32_t index )
{
	uint32_t fan[3] = { 0, index + 1, index + 2 };
	const uint32_t* c = hull->kind == bv_hull_polyhedron ? hull->faces[index].corner : fan;
	bv_vec3 corner[3];
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = points[hull->vertices[c[i]]];
	}
	return bvb_face_of( corner );
}

static void principal_axes( const bv_vec3* points, const bvb_hull* hull, bv_vec3 axis[3] )
{
	uint32_t count = hull_triangle_count( hull );
	if ( count == 0 )
	{
		// A segment or a point: a triangle without width.
		bv_vec3 first = points[hull->vertices[0]];
		bv_vec3 last = points[hull->vertices[hull->vertex_count - 1]];
		bvb_triangle_axes( ( bv_vec3[3] ){ first, last, last }, axis );
		return;
	}
	bvb_surface s = bvb_surface_begin( points[hull->vertices[0]] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_face face = hull_face( points, hull, i );
		bvb_surface_add_mean( &s, &face );
	}
	bvb_surface_end_mean( &s );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_face face = hull_face( points, hull, i );
		bvb_surface_add_moments( &s, &face );
	}
	bvb_surface_axes( &s, axis );
}

void bvb_fit_obb( const bv_vec3* points, uint32_t count, const bvb_hull* hull, bv_obb* out )
{
	bv_vec3 axis[3];
	principal_axes( points, hull, axis );
	bvb_span span = bvb_span_begin( axis, points[hull->vertices[0]] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_span_add( &span, points[i] );
	}
	bv_packed_obb box = bvb_span_end( &span );
	*out = bv_obb_unpack( &box );
}
