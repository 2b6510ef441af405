// Closes an open shape. See closed.h, and src/offline/mesh/closing.h for where both solids differ: within a
// distance r of the caps.
//
// A point of the open shape that is not in the closed one is within r of a cap, which belongs to the closed shape.
// A point of the closed shape that is not in the open one is in a cap or within r of one. Only cracks and small holes
// are closed, so that all points of caps are near open edges. Caps of large holes could be measured. But a few large
// holes do not make certificates slow, and many take too long to measure.

#include "offline/decompose/closed.h"

#include "offline/base/arena.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/mesh/closing.h"
#include "runtime/math/vec.h"

#include <math.h>

// Of the tolerance, the distance within which solids differ, and that of caps; of the size without a tolerance.
static const double share_of_tolerance = 0.125;
static const double share_of_size = 0x1p-10;

// Of that distance, the width of cracks.
static const double share_of_width = 0.5;

// Rounding between the unit frame and mesh units, of the size, and of coordinates.
static const double rounding = 0x1p-40;
static const double rounding_of_place = 0x1p-50;

static bool is_late( void* deadline )
{
	return bvbase_clock() > *(const double*)deadline;
}

// How far points of caps are from open edges; infinite if that may be more than `most`.
static double measure_caps( const bvmesh_closing* closing, double most )
{
	double farthest = 0;
	for ( uint32_t t = closing->first_cap; t < closing->mesh.triangle_count && farthest <= most; ++t )
	{
		farthest = bvmath_max( farthest, bvmesh_cap_distance( closing, t - closing->first_cap ) );
	}
	return farthest <= most ? farthest : INFINITY;
}

// The caps in mesh units, and new vertices as well.
static bool move_to_mesh( const bvdecomp_shape* shape, const bvmesh_closing* closing, bvb_arena* arena,
                          bvb_mesh* out )
{
	*out = closing->mesh;
	out->positions = bvb_arena_allocate( arena, out->vertex_count, sizeof *out->positions );
	for ( uint32_t v = 0; out->positions && v < out->vertex_count; ++v )
	{
		out->positions[v] = v < closing->vertex_count
		                        ? shape->mesh.positions[v]
		                        : bvdecomp_point_in_mesh( &shape->frame, closing->mesh.positions[v] );
	}
	return out->positions;
}

static bv_status try_to_close( bvdecomp_shape* shape, double most, double deadline, bvb_arena* arena,
                               bvb_error* error )
{
	bvmesh_closing closing;
	bvb_mesh mesh;
	bvb_winding* inside;
	bool within = false;
	double farthest = INFINITY;
	bv_status status = bvmesh_close( &shape->unit, share_of_width * most, arena, &closing );
	if ( status == bv_ok )
	{
		farthest = measure_caps( &closing, most );
	}
	if ( farthest < INFINITY )
	{
		status = bvmesh_caps_reach_within( &closing, most, deadline < INFINITY ? is_late : NULL, &deadline,
		                                   arena, &within );
	}
	if ( status == bv_error_memory || ( within && !move_to_mesh( shape, &closing, arena, &mesh ) ) )
	{
		return bvbase_fail_memory( error );
	}
	if ( !within )
	{
		return bv_ok;
	}
	double size = shape->frame.size;
	status = bvb_winding_create( &mesh, arena, &inside, error );
	if ( status == bv_ok && bvb_winding_is_closed( inside ) )
	{
		shape->mesh = mesh;
		shape->unit = closing.mesh;
		shape->inside = inside;
		shape->work = 0;
		double slack = rounding * size + rounding_of_place * bvmath_norm1( shape->frame.center );
		shape->moved = ( bvdecomp_moved ){ ( most + farthest ) * size + slack, most * size + slack };
	}
	return status;
}

bv_status bvdecomp_close_shape( bvdecomp_shape* shape, double tolerance, double deadline, bvb_arena* arena,
                                bvb_error* error )
{
	if ( !shape->inside || bvb_winding_is_closed( shape->inside ) )
	{
		return bv_ok;
	}
	double most = tolerance > 0 ? share_of_tolerance * tolerance / shape->frame.size : share_of_size;
	return try_to_close( shape, most, deadline, arena, error );
}
