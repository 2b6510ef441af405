// A mesh as a solid: how far points are from its surface, and whether the surface winds around them.

#pragma once

#include "bv/mesh.h"
#include "runtime/tree/batch.h"

/// A file, made ready. All coordinates are those of its stored positions. Must not be copied.
typedef struct bvdepth_solid
{
	const bv_file* file;
	bvtree_batch batch;
	bool closed;      ///< it has an inside
	bv_vec3 lower;    ///< of a box around it
	bv_vec3 upper;    ///< likewise
	double magnitude; ///< bounds the sum of the absolute values of a position's coordinates
	double
		thickness; ///< no point that it winds around is farther from the surface; infinity if that is not known
} bvdepth_solid;

/// What was found out about a point.
typedef struct bvdepth_look
{
	bv_side
		side; ///< inside if the surface winds around it; unknown of points within `error`, and if not asked for
	double distance; ///< of the surface; the true one is closer to it than `error`
	double error;
	bv_vec3 nearest;   ///< point of the surface
	uint32_t triangle; ///< with this point
} bvdepth_look;

/// Counts of tests.
typedef struct bvdepth_tests
{
	uint64_t volumes;
	uint64_t triangles;
} bvdepth_tests;

/// @return false if the file has no hierarchy
bool bvdepth_solid_begin( const bv_file* file, bvdepth_solid* out );

/// @return by how much a distance of a point that is computed by the search may be off
double bvdepth_error_at( const bvdepth_solid* solid, bv_vec3 point );

/// Finds the distance of a point from the surface.
/// @param near  a triangle that may be close
/// @param more  by how much the point itself may be off
/// @param out   receives all but the side
void bvdepth_measure( const bvdepth_solid* solid, bv_vec3 point, uint32_t near, double more,
                      bvdepth_look* out, bvdepth_tests* tests );

/// Finds whether the surface winds around a point. Exact, for points off the surface.
/// @param look  what was measured there; receives the side
void bvdepth_find_side( const bvdepth_solid* solid, bv_vec3 point, bvdepth_look* look, bvdepth_tests* tests );
