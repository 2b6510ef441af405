// What is decomposed: triangles, and what is inside of them.

#pragma once

#include "bvbuild/decompose.h"
#include "bvbuild/mesh.h"
#include "offline/decompose/field.h"

/// How far closing an open shape moved its surface, mesh units; 0 if it is as it was given.
typedef struct bvdecomp_moved
{
	double added;   ///< no point of the closed shape is farther from the open one
	double removed; ///< no point of the open shape is farther from the closed one
} bvdecomp_moved;

/// The shape.
typedef struct bvdecomp_shape
{
	bvb_mesh mesh;             ///< mesh units; turned when it faces inwards
	bvb_mesh unit;             ///< the same in the unit frame
	bvdecomp_unit_frame frame; ///< between the two
	bvb_winding* inside;       ///< null when nothing is inside
	uint32_t triangle_count;   ///< how many triangles were given; those after them are caps
	bvdecomp_moved moved;      ///< by closing it

	double work; ///< open edges and nodes above them that tell whether a point is inside, on average
} bvdecomp_shape;

/// About how many points bvdecomp_shape_create asks whether they are inside.
#define BVDECOMP_SHAPE_SAMPLES 1200

/// Decides whether the shape is solid: in automatic mode it is when next to nine tenths of its surface the
/// winding number is a whole one outside, to an eighth, and 1 more inside.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_shape_create( const bvb_mesh* mesh, bvb_decompose_mode mode, bvb_arena* arena,
                                 bvdecomp_shape* out, bvb_error* error );

/// @return a point of the unit frame in mesh units
bv_vec3 bvdecomp_point_in_mesh( const bvdecomp_unit_frame* frame, bv_vec3 point );
