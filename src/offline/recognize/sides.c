// Sides of polyhedra and polygons. See sides.h.

#include "offline/recognize/sides.h"

#include <math.h>

static bv_vec3 corner_at( const bvrecog_place* place, const bv_vec3* points, const bvb_hull* hull,
                          uint32_t corner )
{
	return bvrecog_place_in( place, points[hull->vertices[corner]] );
}

// Twice its area across it. Three corners a third of the way apart span enough of a convex polygon.
static bv_vec3 polygon_normal( const bvrecog_place* place, const bv_vec3* points, const bvb_hull* hull )
{
	uint32_t third = hull->vertex_count / 3;
	bv_vec3 p = corner_at( place, points, hull, 0 );
	bv_vec3 q = corner_at( place, points, hull, third );
	bv_vec3 r = corner_at( place, points, hull, 2 * third );
	return bv_cross( bv_sub( q, p ), bv_sub( r, p ) );
}

uint32_t bvrecog_side_count( const bvb_hull* hull )
{
	switch ( hull->kind )
	{
	case bv_hull_polyhedron: return hull->face_count;
	case bv_hull_polygon: return hull->vertex_count;
	default: return 0;
	}
}

bool bvrecog_side_at( const bvrecog_place* place, const bv_vec3* points, const bvb_hull* hull, uint32_t index,
                      bvrecog_side* out )
{
	bv_vec3 across;
	if ( hull->kind == bv_hull_polyhedron )
	{
		const uint32_t* corner = hull->faces[index].corner;
		out->point = corner_at( place, points, hull, corner[0] );
		bv_vec3 first = bv_sub( corner_at( place, points, hull, corner[1] ), out->point );
		bv_vec3 second = bv_sub( corner_at( place, points, hull, corner[2] ), out->point );
		bv_vec3 third = bv_sub( second, first );
		across = bv_cross( first, second );
		double longest = bvmath_max( bv_dot( third, third ),
		                             bvmath_max( bv_dot( first, first ), bv_dot( second, second ) ) );
		out->size = sqrt( bv_dot( across, across ) );
		out->width = longest > 0 ? out->size / sqrt( longest ) : 0;
	}
	else
	{
		out->point = corner_at( place, points, hull, index );
		bv_vec3 next = corner_at( place, points, hull, ( index + 1 ) % hull->vertex_count );
		bv_vec3 edge = bv_sub( next, out->point );
		across = bv_cross( edge, polygon_normal( place, points, hull ) );
		out->size = sqrt( bv_dot( edge, edge ) );
		out->width = out->size;
	}
	double length = sqrt( bv_dot( across, across ) );
	if ( !( length > 0 ) )
	{
		return false;
	}
	out->normal = bv_scale( 1 / length, across );
	return true;
}
