// Closed forms by nearest points: points, segments and triangles with each other, and points with boxes.
//
// A segment or a triangle and a point have a difference without volume: their depth is 0 at most. So have two segments.
// What rounding leaves open of their distance next to 0 is an interval of a few roundings around it, which matters
// beside radii as little as anywhere else.

#include "runtime/convex/closed.h"

#include "runtime/triangle/gap.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

bv_vec3 bvconvex_any_normal( bv_vec3 along )
{
	bv_vec3 size = { fabs( along.x ), fabs( along.y ), fabs( along.z ) };
	bv_vec3 axis = { size.x <= size.y && size.x <= size.z, size.y < size.x && size.y <= size.z,
		             size.z < size.x && size.z < size.y };
	bv_vec3 normal = bv_cross( along, axis );
	return bv_dot( normal, normal ) > 0 ? bv_normalize( normal ) : ( bv_vec3 ){ 1, 0, 0 };
}

// A lower bound by the slab along a unit vector.
static void take_slab( const bvconvex_cores* cores, bv_vec3 normal, bv_convex_result* out )
{
	bvconvex_range a = bvconvex_core_range( cores->core[0], normal );
	bvconvex_range b = bvconvex_core_range( cores->core[1], normal );
	double lower = ( b.least - a.most ) - cores->doubt;
	if ( lower > out->lower )
	{
		out->lower = lower;
		out->normal = normal;
	}
}

void bvconvex_take_points( const bvconvex_cores* cores, bv_vec3 a, bv_vec3 b, bv_vec3 otherwise,
                           bv_convex_result* out )
{
	bv_vec3 way = bv_sub( b, a );
	double length = bv_length( way );
	out->point[0] = a;
	out->point[1] = b;
	out->upper = bvmath_min( out->upper, length + cores->doubt );
	if ( length > 0 )
	{
		take_slab( cores, bv_scale( 1 / length, way ), out );
	}
	// Of points that are nearer to each other than a direction needs to be right to 2^-20.
	if ( !( length > 0x1p20 * cores->doubt ) && bv_dot( otherwise, otherwise ) > 0 )
	{
		bv_vec3 normal = bv_normalize( otherwise );
		take_slab( cores, normal, out );
		take_slab( cores, bv_negate( normal ), out );
	}
}

void bvconvex_closed_points( const bvconvex_cores* cores, bv_convex_result* out )
{
	bvconvex_take_points( cores, cores->core[0]->corner[0], cores->core[1]->corner[0], ( bv_vec3 ){ 1, 0, 0 },
	                      out );
}

static bv_vec3 side_of_core( const bvconvex_core* core, int from )
{
	return core->corners == 1 ? ( bv_vec3 ){ 0, 0, 0 }
	                          : bv_sub( core->corner[( from + 1 ) % core->corners], core->corner[from] );
}

void bvconvex_closed_segments( const bvconvex_cores* cores, bv_convex_result* out )
{
	const bvconvex_core* a = cores->core[0];
	const bvconvex_core* b = cores->core[1];
	bv_vec3 u = side_of_core( a, 0 );
	bv_vec3 v = side_of_core( b, 0 );
	bvtri_nearest_pair near;
	bvtri_nearest_on_segments( a->corner[0], u, b->corner[0], v, &near );
	bv_vec3 across = bv_cross( u, v );
	double square = bv_dot( u, u ) * bv_dot( v, v );
	bool parallel = !( bv_dot( across, across ) > 0x1p-60 * square );
	bvconvex_take_points( cores, near.a, near.b,
	                      parallel ? bvconvex_any_normal( bv_dot( u, u ) > bv_dot( v, v ) ? u : v ) : across,
	                      out );
}

static bv_vec3 normal_of_triangle( const bvconvex_core* t )
{
	return bv_cross( side_of_core( t, 0 ), bv_sub( t->corner[2], t->corner[0] ) );
}

void bvconvex_closed_point_face( const bvconvex_cores* cores, bv_convex_result* out )
{
	bv_vec3 point = cores->core[0]->corner[0];
	bvtri_nearest near;
	bvtri_nearest_on_triangle( point, cores->core[1]->corner, &near );
	bvconvex_take_points( cores, point, near.point, normal_of_triangle( cores->core[1] ), out );
}

// The nearest points of a segment and a triangle that do not cross each other: on the segment and a side, or at an end.
static void nearest_of_segment( const bvconvex_core* s, const bvconvex_core* t, bv_vec3 out[2] )
{
	double least = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		bvtri_nearest_pair near;
		bvtri_nearest_on_segments( s->corner[0], side_of_core( s, 0 ), t->corner[i], side_of_core( t, i ),
		                           &near );
		if ( near.square < least )
		{
			least = near.square;
			out[0] = near.a;
			out[1] = near.b;
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		bvtri_nearest near;
		bvtri_nearest_on_triangle( s->corner[i], t->corner, &near );
		if ( near.square < least )
		{
			least = near.square;
			out[0] = s->corner[i];
			out[1] = near.point;
		}
	}
}

// @return whether separating axes are enough: the cores overlap beyond doubt, or that they are apart is the answer
static bool axes_suffice( const bvconvex_cores* cores, bvconvex_axes_result* axes, bv_convex_result* out )
{
	if ( !bvconvex_test_axes( cores, axes ) )
	{
		axes->normal = ( bv_vec3 ){ 0, 0, 0 };
		return false;
	}
	out->lower = -axes->upper;
	out->normal = axes->normal;
	if ( axes->lower > 0 )
	{
		bvconvex_take_overlap( cores, axes, out );
	}
	return axes->lower > 0 || ( cores->decides && bvconvex_axes_separate( cores, axes ) );
}

void bvconvex_closed_segment_face( const bvconvex_cores* cores, bv_convex_result* out )
{
	bvconvex_axes_result axes;
	if ( !axes_suffice( cores, &axes, out ) )
	{
		bv_vec3 near[2];
		nearest_of_segment( cores->core[0], cores->core[1], near );
		bvconvex_take_points( cores, near[0], near[1], axes.normal, out );
	}
}

void bvconvex_closed_faces( const bvconvex_cores* cores, bv_convex_result* out )
{
	bvconvex_axes_result axes;
	bvtri_gap gap;
	if ( !axes_suffice( cores, &axes, out ) &&
	     bvtri_triangles_gap( cores->core[0]->corner, cores->core[1]->corner, INFINITY, &gap ) )
	{
		bvconvex_take_points( cores, gap.point[0], gap.point[1], axes.normal, out );
	}
}

// The coordinates of the point along the axes of the box, limited to its half extents, are those of the nearest point.
void bvconvex_closed_point_box( const bvconvex_cores* cores, bv_convex_result* out )
{
	const bvconvex_core* box = cores->core[1];
	bv_vec3 point = cores->core[0]->corner[0];
	bv_vec3 offset = bv_sub( point, box->center );
	bv_vec3 near = box->center;
	double highest = -INFINITY;
	int face = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double at = bv_dot( offset, box->axis[i] );
		double height = fabs( at ) - box->half[i];
		face = height > highest ? i : face;
		highest = bvmath_max( height, highest );
		near = bv_add(
			near, bv_scale( bvmath_max( -box->half[i], bvmath_min( at, box->half[i] ) ), box->axis[i] ) );
	}
	if ( highest < -cores->doubt )
	{
		bvconvex_closed_axes( cores, out );
		return;
	}
	bvconvex_take_points( cores, point, near, box->axis[face], out );
}
