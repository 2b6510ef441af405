// Pieces: what a convex cell holds of a mesh, its triangles cut at the cell's faces.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/decompose/polytope.h"

/// See decompose/piece_tree.h.
typedef struct bvdecomp_piece_tree bvdecomp_piece_tree;

/// Triangles in a cell. The hull of its points and of its inner corners is the hull of all that the cell
/// holds of the shape.
typedef struct bvdecomp_piece
{
	bv_vec3* points;         ///< corners of triangles
	uint32_t* vertex;        ///< of each point, which vertex of the mesh it is; UINT32_MAX for those of cuts
	uint32_t point_count;    ///< length of points
	bvb_triangle* triangles; ///< over points
	uint32_t* source;        ///< of each triangle, that of the mesh which it is a part of
	uint32_t triangle_count; ///< length of triangles
	uint32_t ( *edges )[2];  ///< pairs of points that a side of a triangle joins, each once
	uint32_t edge_count;     ///< length of edges
	bvconvex_polytope cell;  ///< what it is cut by

	/// corners of the cell that are inside the shape, and where its edges leave the inside of an open mesh
	bv_vec3* inner;

	uint32_t inner_count;      ///< length of inner
	uint32_t film_count;       ///< how many at its end are the latter
	bvdecomp_piece_tree* tree; ///< over its points; null before it is built
} bvdecomp_piece;

/// On which side of a plane a point is.
typedef enum bvdecomp_side
{
	bvdecomp_side_below = 1, ///< by more than the tolerance
	bvdecomp_side_above = 2, ///< by more than the tolerance
	bvdecomp_side_on = 3,    ///< within it
} bvdecomp_side;

static inline bvdecomp_side bvdecomp_side_of( const bvdecomp_plane* plane, bv_vec3 point, double tolerance )
{
	double height =
		plane->normal.x * point.x + plane->normal.y * point.y + plane->normal.z * point.z - plane->offset;
	return height > tolerance    ? bvdecomp_side_above
	       : height < -tolerance ? bvdecomp_side_below
	                             : bvdecomp_side_on;
}

/// @return where the line through a point below a plane and one above it meets it; the same whichever way it
///         is asked
bv_vec3 bvdecomp_plane_crossing( const bvdecomp_plane* plane, bv_vec3 below, bv_vec3 above );

/// Makes a whole mesh a piece in a cube around it.
/// @param center  of the cube
/// @param reach   half of its side: more than the mesh has of it
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_piece_of_mesh( const bvb_mesh* mesh, bv_vec3 center, double reach, bvb_arena* arena,
                                  bvdecomp_piece* out );

/// Copies a piece.
/// @param arena  the copy lives here
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_piece_copy( const bvdecomp_piece* piece, bvb_arena* arena, bvdecomp_piece* out );

/// Cuts a piece in two. Points that are nearer to the plane than the tolerance stay where they are and belong
/// to both sides; a triangle of such points goes to the side that is behind it. Inner corners are not yet
/// known.
/// @param below_arena, above_arena  where they live; may be one
/// @param parted  receives whether that worked, as of bvdecomp_polytope_cut
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_piece_cut( const bvdecomp_piece* piece, const bvdecomp_plane* plane, double tolerance,
                              bvb_arena* below_arena, bvb_arena* above_arena, bvdecomp_piece* below,
                              bvdecomp_piece* above, bool* parted );
