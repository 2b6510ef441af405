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

	uint32_t samples; ///< points that were asked whether they are inside
	double work;      ///< open edges and nodes above them that tell it, on average
} bvdecomp_shape;

/// Open edges and nodes above them that bvdecomp_shape_create looks at, unless it is to end sooner: they take less than
/// a second.
#define BVDECOMP_SHAPE_WORK ( UINT64_C( 1 ) << 22 )

/// Decides whether the shape is solid: in automatic mode it is when next to nine tenths of its surface the
/// winding number is a whole one outside, to an eighth, and 1 more inside.
/// @param most_work  open edges and nodes above them to look at, about; BVDECOMP_SHAPE_WORK or less
/// @param arena      the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_shape_create( const bvb_mesh* mesh, bvb_decompose_mode mode, uint64_t most_work,
                                 bvb_arena* arena, bvdecomp_shape* out, bvb_error* error );

/// @return whether so many open edges are looked at for each point that what is inside is to be estimated only
bool bvdecomp_is_rough( const bvdecomp_shape* shape );

/// @return whether a point of the unit frame is inside of a solid, exactly unless the shape is rough
bool bvdecomp_is_inside( const bvdecomp_shape* shape, bv_vec3 point );

/// @return a point of the unit frame in mesh units
bv_vec3 bvdecomp_point_in_mesh( const bvdecomp_unit_frame* frame, bv_vec3 point );
