// Few spheres instead of many: Bradshaw's and O'Sullivan's three ways to reduce a set of spheres (2004). See
// reduce.c.

#pragma once

#include "bv/shape.h"
#include "offline/base/arena.h"

enum
{
	bvlit_reduced_most = 8, ///< no reduction may be asked for more spheres than these
};

/// @param wanted  where the point is not deeper than this, it does not matter on which side of the surface it
///                is
/// @return how deep it is in the shape: its distance from the surface, negative outside
typedef double bvlit_depth_function( void* context, bv_vec3 point, double wanted );

/// Spheres to choose from, and what they are to cover. A patch is a group of points that one sphere covers as
/// a whole. A sphere that has to reach as far as r from its center protrudes by no more than r less the
/// center's depth: that is its error.
typedef struct bvlit_reducible
{
	const bv_vec3* center;          ///< of each sphere
	const double* depth;            ///< of each center
	uint32_t sphere_count;          ///< at least 1
	const bv_vec3* points;          ///< of all patches
	const uint32_t* first_point;    ///< of each patch, and the end
	uint32_t patch_count;           ///< at least 1
	bvlit_depth_function* depth_of; ///< for centers that are none of these
	void* context;                  ///< its first argument
} bvlit_reducible;

/// The error of each sphere when it covers a patch, row by row.
typedef struct bvlit_error_table
{
	double* error;    ///< of sphere s and patch p at [s * patches + p]
	uint32_t patches; ///< length of a row
} bvlit_error_table;

/// What is left: where spheres are. Each patch goes to the one whose error with it is least.
typedef struct bvlit_reduced
{
	bv_vec3 center[bvlit_reduced_most]; ///< of each sphere
	double depth[bvlit_reduced_most];   ///< of each center
	uint32_t count;                     ///< at least 1
	double error;                       ///< the greatest that any of them has
} bvlit_reduced;

/// Fills the table.
/// @param more   room for so many spheres besides
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvlit_error_table_create( const bvlit_reducible* set, uint32_t more, bvb_arena* arena,
                                    bvlit_error_table* out );

/// Fills the row of one sphere, which there is room for.
/// @return the row
const double* bvlit_error_table_add( const bvlit_reducible* set, const bvlit_error_table* table,
                                     uint32_t sphere );

/// Leaves at most so many spheres.
/// @param table    of the set; not changed
/// @param most     1 .. bvlit_reduced_most
/// @param scratch  for memory that is not needed afterwards
/// @return bv_ok; bv_error_memory
typedef bv_status bvlit_reduction( const bvlit_reducible* set, const bvlit_error_table* table, uint32_t most,
                                   bvb_arena* scratch, bvlit_reduced* out );

/// Neighbors become one, those first whose common sphere has the least error.
bvlit_reduction bvlit_reduce_merge;

/// A sphere bursts and others take what it covered, that one first which leaves the least error.
bvlit_reduction bvlit_reduce_burst;

/// All spheres stand off by as much, those are chosen that cover most of what is left, and the least
/// stand-off is looked for.
bvlit_reduction bvlit_reduce_expand;

/// That of the three with the least error; of equal ones the first.
bvlit_reduction bvlit_reduce_best;
