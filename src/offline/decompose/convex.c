// Let every triangle be within h of the plane of one of the hull's faces. Then none comes into what is deeper
// than h below all of them, the winding number is the same all over it, and if that is inside anywhere it is
// everywhere. A hull with a ball of radius r round its middle and no point farther from there than R is no
// farther than h R / r from it: homothetic bodies.
//
// Most shapes are told apart at once: their hulls have more volume.

#include "offline/decompose/convex.h"

#include "offline/hull/merged.h"
#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

static bvdecomp_plane plane_of( const bv_vec3* points, const bvb_hull* hull, uint32_t face )
{
	const uint32_t* c = hull->faces[face].corner;
	bv_vec3 a = points[hull->vertices[c[0]]];
	bv_vec3 n =
		bv_cross( bv_sub( points[hull->vertices[c[1]]], a ), bv_sub( points[hull->vertices[c[2]]], a ) );
	double length = sqrt( bv_dot( n, n ) );
	n = length > 0 ? bv_scale( 1 / length, n ) : ( bv_vec3 ){ 0 };
	return ( bvdecomp_plane ){ n, bv_dot( n, a ) };
}

// The depth of a triangle's deepest corner below the plane that makes it least. What has been found for the
// triangle before is likely to do.
static double depth_of( const bvb_mesh* mesh, uint32_t triangle, const bvdecomp_plane* planes, uint32_t count,
                        double enough, uint32_t* hint )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	double best = INFINITY;
	uint32_t first = *hint;
	for ( uint32_t i = 0; i < count && best > enough; ++i )
	{
		uint32_t f = i == 0 ? first : i - ( i <= first );
		double depth = 0;
		for ( int k = 0; k < 3; ++k )
		{
			depth = bvmath_max( depth, planes[f].offset - bv_dot( planes[f].normal, mesh->positions[c[k]] ) );
		}
		if ( depth < best )
		{
			best = depth;
			*hint = f;
		}
	}
	return best;
}

// What rounding to binary32 does to coordinates, in the unit frame.
static double rounding_of( const bvdecomp_shape* shape )
{
	bv_vec3 center = shape->frame.center;
	double reach = bvmath_max( fabs( center.x ), bvmath_max( fabs( center.y ), fabs( center.z ) ) );
	return 0x1p-23 * ( reach / shape->frame.size + 0.5 );
}

// In the unit frame.
static double bound_by_planes( const bvdecomp_shape* shape, const bvb_hull* hull,
                               const bvdecomp_plane* planes )
{
	double next_to = 0x1p-16 + 4 * rounding_of( shape );
	const bvb_mesh* mesh = &shape->unit;
	double deepest = 0;
	uint32_t hint = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count && deepest <= next_to; ++t )
	{
		deepest = bvmath_max( deepest, depth_of( mesh, t, planes, hull->face_count, deepest, &hint ) );
	}
	bv_vec3 middle = { 0 };
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		middle = bv_add( middle, bv_scale( 1.0 / hull->vertex_count, mesh->positions[hull->vertices[v]] ) );
	}
	double inner = INFINITY;
	double outer = 0;
	for ( uint32_t f = 0; f < hull->face_count; ++f )
	{
		inner = bvmath_min( inner, planes[f].offset - bv_dot( planes[f].normal, middle ) );
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		bv_vec3 d = bv_sub( mesh->positions[hull->vertices[v]], middle );
		outer = bvmath_max( outer, sqrt( bv_dot( d, d ) ) );
	}

	// Coordinates of the unit frame are rounded, and so are planes.
	deepest += 0x1p-44;
	bool is_inside =
		bvb_winding_number( shape->inside, bvdecomp_point_in_mesh( &shape->frame, middle ) ) >= 0.5;
	return deepest <= next_to && is_inside && inner > 2 * deepest ? deepest * outer / inner : INFINITY;
}

bv_status bvdecomp_bound_convex( const bvdecomp_shape* shape, bvb_arena* arena, double* bound,
                                 bvb_error* error )
{
	*bound = INFINITY;
	if ( !shape->inside || !bvb_winding_is_closed( shape->inside ) )
	{
		return bv_ok;
	}
	bvb_hull hull;
	bv_mass mass;
	bv_status status =
		bvhull_compute_merged( shape->unit.positions, shape->unit.vertex_count, arena, &hull, error );
	if ( status != bv_ok || hull.kind != bv_hull_polyhedron || !bvb_mass_of_solid( &shape->unit, &mass ) ||
	     fabs( hull.volume - mass.mass ) > 0x1p-20 * hull.volume + rounding_of( shape ) * hull.area )
	{
		return status;
	}
	bvdecomp_plane* planes = bvb_arena_allocate( arena, hull.face_count, sizeof *planes );
	if ( !planes )
	{
		return bv_error_memory;
	}
	for ( uint32_t f = 0; f < hull.face_count; ++f )
	{
		planes[f] = plane_of( shape->unit.positions, &hull, f );
	}
	*bound = bound_by_planes( shape, &hull, planes ) * shape->frame.size;
	return bv_ok;
}

static double distance_to( const bvb_mesh* mesh, bv_vec3 point )
{
	double least = INFINITY;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* c = mesh->triangles[t].corner;
		const bv_vec3 corner[3] = { mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] };
		bvtri_nearest found;
		bvtri_nearest_on_triangle( point, corner, &found );
		least = bvmath_min( least, found.square );
	}
	return sqrt( least );
}

// The distance from the hull is a convex function: no point of the part is farther from it than a corner.
bv_interval bvdecomp_measure_convex( const bvdecomp_shape* shape, double bound, const bvb_part* part )
{
	bv_interval found = { 0, 0 };
	for ( uint32_t v = 0; v < part->vertex_count; ++v )
	{
		double distance = distance_to( &shape->mesh, part->positions[v] );
		bool counts = distance > 0 && bvb_winding_number( shape->inside, part->positions[v] ) < 0.5;
		found.lower = bvmath_max( found.lower, counts ? distance : 0 );
		found.upper = bvmath_max( found.upper, distance );
	}
	double slack = 0x1p-44 * ( found.upper + shape->frame.size );
	return ( bv_interval ){ bvmath_max( found.lower - slack, 0 ), found.upper + bound + slack };
}
