// Let every triangle be within h of the plane of one of the hull's faces. Then none comes into what is deeper
// than h below all of them, the winding number is the same all over it, and if that is inside anywhere it is
// everywhere. A hull with a ball of radius r round its middle and no point farther from there than R is no
// farther than h R / r from it: homothetic bodies.
//
// Most shapes are told apart at once: their hulls have more volume.

#include "offline/decompose/convex.h"

#include "offline/hull/merged.h"
#include "offline/hull/nearest.h"
#include "runtime/math/vec.h"

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

// Planes of a hull's faces, and the faces around each of its vertices.
typedef struct face_planes
{
	const bvdecomp_plane* planes;
	uint32_t count;
	const bvb_hull_polygons* hull;
	uint32_t* first; // of vertex v: around[first[v]] ... [first[v + 1] - 1]
	uint32_t* around;
} face_planes;

static bool find_faces_around( const bvb_hull* hull, bvb_arena* arena, face_planes* out )
{
	uint32_t sides = 3 * hull->face_count;
	out->first = bvb_arena_allocate( arena, (size_t)hull->vertex_count + 1, sizeof *out->first );
	out->around = bvb_arena_allocate( arena, sides, sizeof *out->around );
	if ( !out->first || !out->around )
	{
		return false;
	}
	for ( uint32_t side = 0; side < sides; ++side )
	{
		++out->first[hull->faces[side / 3].corner[side % 3]];
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		out->first[v + 1] += out->first[v];
	}
	for ( uint32_t side = 0; side < sides; ++side )
	{
		out->around[--out->first[hull->faces[side / 3].corner[side % 3]]] = side / 3;
	}
	return true;
}

static double depth_below( const bvb_mesh* mesh, uint32_t triangle, const bvdecomp_plane* plane )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	double depth = 0;
	for ( int k = 0; k < 3; ++k )
	{
		depth = bvmath_max( depth, plane->offset - bv_dot( plane->normal, mesh->positions[c[k]] ) );
	}
	return depth;
}

// The depth of a triangle's deepest corner below the plane that makes it least. That is likely to be one at the
// vertex that is farthest along the triangle's normal.
static double depth_of( const bvb_mesh* mesh, uint32_t triangle, const face_planes* faces, double enough,
                        uint32_t* hint )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	bv_vec3 a = mesh->positions[c[0]];
	bv_vec3 n = bv_cross( bv_sub( mesh->positions[c[1]], a ), bv_sub( mesh->positions[c[2]], a ) );
	*hint = bvb_hull_support( faces->hull, n, *hint );
	double best = INFINITY;
	for ( uint32_t i = faces->first[*hint]; i < faces->first[*hint + 1]; ++i )
	{
		best = bvmath_min( best, depth_below( mesh, triangle, faces->planes + faces->around[i] ) );
	}
	for ( uint32_t f = 0; f < faces->count && best > enough; ++f )
	{
		best = bvmath_min( best, depth_below( mesh, triangle, faces->planes + f ) );
	}
	return best;
}

// What rounding to binary32 does to coordinates, in the unit frame.
static double rounding_of( const bvdecomp_shape* shape )
{
	bv_vec3 center = shape->frame.center;
	double reach = bvmath_largest( center );
	return 0x1p-23 * ( reach / shape->frame.size + 0.5 );
}

// In the unit frame.
static double bound_by_planes( const bvdecomp_shape* shape, const bvb_hull* hull, const face_planes* faces )
{
	static const double nothing = 0x1p-46;
	double next_to = 0x1p-16 + 4 * rounding_of( shape );
	const bvb_mesh* mesh = &shape->unit;
	double deepest = 0;
	uint32_t hint = BVB_ANY_VERTEX;
	for ( uint32_t t = 0; t < mesh->triangle_count && deepest <= next_to; ++t )
	{
		double enough = bvmath_max( deepest, nothing );
		deepest = bvmath_max( deepest, depth_of( mesh, t, faces, enough, &hint ) );
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
		inner = bvmath_min( inner, faces->planes[f].offset - bv_dot( faces->planes[f].normal, middle ) );
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		bv_vec3 d = bv_sub( mesh->positions[hull->vertices[v]], middle );
		outer = bvmath_max( outer, sqrt( bv_dot( d, d ) ) );
	}

	// Coordinates of the unit frame are rounded, and so are planes.
	deepest += 0x1p-44;
	bool is_inside = bvb_winding_is_inside( shape->inside, bvdecomp_point_in_mesh( &shape->frame, middle ) );
	return deepest <= next_to && is_inside && inner > 2 * deepest ? deepest * outer / inner : INFINITY;
}

bv_status bvdecomp_find_convex( const bvdecomp_shape* shape, bvb_arena* arena, bvdecomp_convex* out,
                                bvb_error* error )
{
	*out = ( bvdecomp_convex ){ .bound = INFINITY };
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
	face_planes faces = { .planes = planes, .count = hull.face_count, .hull = &out->hull };
	if ( !planes || !find_faces_around( &hull, arena, &faces ) )
	{
		return bv_error_memory;
	}
	for ( uint32_t f = 0; f < hull.face_count; ++f )
	{
		planes[f] = plane_of( shape->unit.positions, &hull, f );
	}
	status = bvb_hull_merge( shape->unit.positions, &hull, 0, arena, &out->hull, error );
	if ( status == bv_ok )
	{
		out->bound = bound_by_planes( shape, &hull, &faces ) * shape->frame.size;
	}
	return status;
}

// The distance from a convex body is not below a point's height over any plane that the body is behind.
static bv_interval distance_from( const bvb_hull_polygons* hull, bv_vec3 point )
{
	bvhull_nearest nearest = bvhull_find_nearest( hull, point, BVB_ANY_VERTEX );
	bv_vec3 way = bv_sub( point, nearest.point );
	double length = sqrt( bv_dot( way, way ) );
	if ( !( length > 0 ) )
	{
		return ( bv_interval ){ 0, nearest.distance };
	}
	uint32_t vertex = bvb_hull_support( hull, way, BVB_ANY_VERTEX );
	double height = bv_dot( way, bv_sub( point, hull->positions[vertex] ) ) / length;
	return ( bv_interval ){ bvmath_max( height, 0 ), nearest.distance };
}

// The distance from the hull is a convex function: no point of the part is farther from it than a corner. No
// point of the shape is outside of the hull.
bv_interval bvdecomp_measure_convex( const bvdecomp_shape* shape, const bvdecomp_convex* convex,
                                     const bvb_part* part )
{
	double size = shape->frame.size;
	bv_interval found = { 0, 0 };
	for ( uint32_t v = 0; v < part->vertex_count; ++v )
	{
		bv_vec3 corner = bv_scale( 1 / size, bv_sub( part->positions[v], shape->frame.center ) );
		bv_interval distance = distance_from( &convex->hull, corner );
		found.lower = bvmath_max( found.lower, distance.lower * size );
		found.upper = bvmath_max( found.upper, distance.upper * size );
	}
	double slack = 0x1p-44 * ( found.upper + size );
	return ( bv_interval ){ bvmath_max( found.lower - slack, 0 ), found.upper + convex->bound + slack };
}
