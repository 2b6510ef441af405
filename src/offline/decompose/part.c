// One part. What is flat, or thinner than wanted, is made thicker along its box's axes, to both sides alike.

#include "offline/decompose/parts.h"

#include "bvbuild/fit.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/hull/merged.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// What is thinner than this, in diagonals of the mesh, is flat ...
static const double flat = 0x1p-20;

// ... and gets so thick.
static const double least_thickness = 0x1p-12;

// Points and the hull that is to be simplified.
typedef struct part_body
{
	bv_vec3* points;
	uint32_t count;
	bvb_hull hull;
} part_body;

// Only the corners of the hull count from here on.
static bv_status take_corners( const bvdecomp_part_points* from, bvb_arena* scratch, part_body* out,
                               bvb_error* error )
{
	bv_status status = bvhull_compute_merged( from->points, from->count, scratch, &out->hull, error );
	if ( status != bv_ok )
	{
		return status;
	}
	out->points = bvb_arena_allocate( scratch, out->hull.vertex_count, sizeof *out->points );
	for ( uint32_t v = 0; out->points && v < out->hull.vertex_count; ++v )
	{
		out->points[v] = from->points[out->hull.vertices[v]];
		out->hull.vertices[v] = v;
	}
	out->count = out->hull.vertex_count;
	return out->points ? bv_ok : bvbase_fail_memory( error );
}

static void find_box_corners( const bvdecomp_part_points* from, bv_vec3 corners[8] )
{
	bv_aabb box = bvmath_box_of_points( from->points, (uint32_t)from->count );
	for ( int i = 0; i < 8; ++i )
	{
		corners[i] = ( bv_vec3 ){ i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
			                      i & 4 ? box.upper.z : box.lower.z };
	}
}

static bv_status stretch( part_body* b, bv_vec3 axis, double half, bvb_arena* scratch, bvb_error* error )
{
	bv_vec3* points = bvb_arena_allocate( scratch, 2 * (size_t)b->count, sizeof *points );
	if ( !points )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		points[2 * i] = bv_add( b->points[i], bv_scale( half, axis ) );
		points[2 * i + 1] = bv_sub( b->points[i], bv_scale( half, axis ) );
	}
	bvdecomp_part_points all = { .points = points, .count = 2 * b->count };
	return take_corners( &all, scratch, b, error );
}

// The volume of a convex body is at most half of its surface times its least width.
static bool may_be_thinner( const bvb_hull* hull, double width )
{
	return hull->kind != bv_hull_polyhedron || 2 * hull->volume < 1.001 * width * hull->area;
}

static bv_status thicken( part_body* b, const bvdecomp_shape* shape, double wanted, bvb_arena* scratch,
                          bvb_error* error )
{
	bvb_obb_options options = bvb_obb_options_default();
	options.method = "dito";
	bv_obb box;
	bv_status status = bvb_fit_obb( b->points, b->count, &b->hull, &options, scratch, &box );
	if ( status != bv_ok )
	{
		return bvbase_fail_memory( error );
	}
	double half[3] = { box.half_extents[0], box.half_extents[1], box.half_extents[2] };

	// Far from the origin rounding makes boxes of what is flat as thick as it is: as many axes have nothing
	// as the hull says.
	for ( int missing = bv_hull_polyhedron - b->hull.kind; missing > 0; --missing )
	{
		int thinnest = 0;
		for ( int k = 1; k < 3; ++k )
		{
			thinnest = isnan( half[thinnest] ) || half[k] < half[thinnest] ? k : thinnest;
		}
		half[thinnest] = NAN;
	}
	for ( int k = 0; k < 3 && status == bv_ok; ++k )
	{
		bool is_flat = !( 2 * half[k] > flat * shape->frame.size );
		double least = is_flat ? bvmath_max( wanted, least_thickness * shape->frame.size ) : wanted;
		double known = isnan( half[k] ) ? 0 : half[k];
		if ( 2 * known < least )
		{
			// Somewhat more than is missing: the box need not lie as the body is thinnest.
			status = stretch( b, box.axis[k], bvmath_min( 0.5 * least, least - 2 * known ), scratch, error );
		}
	}
	return status;
}

// A face's plane, through its first corner. Triangles that are too thin have none: others have all their
// corners.
static bool plane_of( const bvb_part* part, uint32_t face, bv_vec3* corner, bv_vec3* normal )
{
	const uint32_t* c = part->faces[face].corner;
	*corner = part->positions[c[0]];
	bv_vec3 u = bv_sub( part->positions[c[1]], *corner );
	bv_vec3 v = bv_sub( part->positions[c[2]], *corner );
	bv_vec3 n = bv_cross( u, v );
	double length = sqrt( bv_dot( n, n ) );
	*normal = bv_scale( 1 / length, n );
	return length > 0x1p-30 * bvmath_norm1( u ) * bvmath_norm1( v );
}

static bv_status keep( const bvb_simple_hull* simple, bvb_arena* scratch, bvb_part* out, bvb_error* error )
{
	out->positions = simple->points;
	out->vertex_count = simple->hull.vertex_count;
	out->faces = simple->hull.faces;
	out->face_count = simple->hull.face_count;
	out->box = ( bv_aabb ){ out->positions[0], out->positions[0] };
	for ( uint32_t v = 1; v < out->vertex_count; ++v )
	{
		out->box.lower = bvmath_least( out->box.lower, out->positions[v] );
		out->box.upper = bvmath_greatest( out->box.upper, out->positions[v] );
	}
	return bvb_hull_mass( out->positions, &simple->hull, scratch, &out->mass, error );
}

// How far a point can be from the part if no plane of it is farther below the point: homothetic parts grow in
// proportion.
static double reach_over( const bvb_part* part, double height )
{
	bv_vec3 center = part->mass.center_of_mass;
	double nearest = INFINITY;
	double farthest = 0;
	for ( uint32_t f = 0; f < part->face_count; ++f )
	{
		bv_vec3 corner, normal;
		if ( plane_of( part, f, &corner, &normal ) )
		{
			nearest = bvmath_min( nearest, bv_dot( normal, bv_sub( corner, center ) ) );
		}
	}
	for ( uint32_t v = 0; v < part->vertex_count; ++v )
	{
		bv_vec3 d = bv_sub( part->positions[v], center );
		farthest = bvmath_max( farthest, sqrt( bv_dot( d, d ) ) );
	}
	return nearest > 0 ? height * farthest / nearest : INFINITY;
}

double bvdecomp_part_uncovered( const bvb_part* part, const bvdecomp_part_points* points )
{
	double height = 0;
	for ( uint32_t f = 0; f < part->face_count; ++f )
	{
		bv_vec3 corner, normal;
		for ( uint32_t i = plane_of( part, f, &corner, &normal ) ? 0 : points->count; i < points->count; ++i )
		{
			height = bvmath_max( height, bv_dot( normal, bv_sub( points->points[i], corner ) ) );
		}
	}
	return height > 0 ? reach_over( part, height ) : 0;
}

bv_status bvdecomp_make_part( const bvdecomp_part_points* points, const bvdecomp_shape* shape,
                              const bvb_decompose_options* options, bool hurry, bvb_arena* arena,
                              bvb_part* out, double* excess, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	*out = ( bvb_part ){ .concavity = { 0, INFINITY } };
	part_body b;
	bv_vec3 corners[8];
	bvdecomp_part_points box = { .points = corners, .count = 8 };
	if ( hurry )
	{
		find_box_corners( points, corners );
	}
	bv_status status = take_corners( hurry ? &box : points, scratch, &b, error );
	if ( status == bv_ok &&
	     may_be_thinner( &b.hull, bvmath_max( flat * shape->frame.size, options->min_thickness ) ) )
	{
		status = thicken( &b, shape, options->min_thickness, scratch, error );
	}
	bvb_simple_hull simple;
	status = status == bv_ok
	             ? bvb_hull_simplify( b.points, &b.hull, options->max_vertices, arena, &simple, error )
	             : status;
	*excess = status == bv_ok ? simple.error : 0;
	status = status == bv_ok ? keep( &simple, scratch, out, error ) : status;

	// They ascend, and caps of a closed shape come last.
	out->triangle_count = points->triangle_count;
	while ( out->triangle_count > 0 && points->triangles[out->triangle_count - 1] >= shape->triangle_count )
	{
		out->triangle_count -= 1;
	}
	out->triangles = bvb_arena_allocate( arena, points->triangle_count, sizeof *out->triangles );
	if ( status == bv_ok && !out->triangles )
	{
		status = bvbase_fail_memory( error );
	}
	if ( status == bv_ok && out->triangle_count > 0 )
	{
		memcpy( out->triangles, points->triangles, out->triangle_count * sizeof *out->triangles );
	}
	bvb_arena_destroy( scratch );
	return status;
}
