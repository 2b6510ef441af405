// How far points are outside of the shape, on a grid: interpolated where the surface is smooth, and measured
// to triangles that are near where it has edges. For choosing cuts; what is promised in the end is measured
// by bvbuild/hausdorff.h.

#pragma once

#include "bvbuild/mesh.h"
#include "runtime/triangle/nearest.h"

/// Where the search works: the mesh's box has its center in the origin and a diagonal of 1 there.
typedef struct bvdecomp_unit_frame
{
	bv_vec3 center; ///< of the mesh's box, mesh units
	double size;    ///< its diagonal, mesh units
} bvdecomp_unit_frame;

/// More cells away than matters.
#define BVDECOMP_NO_FILM UINT8_MAX

/// Estimates of winding numbers are off by much less.
#define BVDECOMP_WINDING_ERROR 0.1

/// What is known of a cell.
typedef enum bvdecomp_cell_side
{
	bvdecomp_cell_unknown, ///< its points are looked at one by one

	/// Inside is what its middle can be connected with by straight lines in it that pass through no triangle.
	bvdecomp_cell_inside,
	bvdecomp_cell_outside, ///< the same of outside
} bvdecomp_cell_side;

/// The most triangles that are nearest to corners of a cell.
#define BVDECOMP_CELL_TRIANGLES 8

/// Triangles of a cell, and a box around each, in `units` of the field from its origin. A box without a triangle
/// has its lower end at the end of the grid and its upper end at the origin.
typedef struct bvdecomp_near_group
{
	uint16_t low[3][BVDECOMP_CELL_TRIANGLES];
	uint16_t high[3][BVDECOMP_CELL_TRIANGLES];
	uint32_t triangle[BVDECOMP_CELL_TRIANGLES];
} bvdecomp_near_group;

/// Signed distances to the surface, negative inside.
typedef struct bvdecomp_field
{
	bv_vec3 origin;                ///< of the first grid point
	double step;                   ///< between grid points
	uint32_t count[3];             ///< grid points along each axis, at least 2
	float* value;                  ///< x fastest, then y, then z
	uint32_t* nearest;             ///< of each grid point, a triangle that is about as near as any
	bvtri_framed_triangle* framed; ///< the mesh's triangles, where distances are measured to them
	bv_vec3* normal;               ///< of these, unit; 0 for those without area
	bool* hidden;             ///< of these, whether the inside of others may be in front of it; null for none
	uint32_t* near_first;     ///< of the cell above each grid point, where its triangles are; null for none
	uint32_t* near_triangles; ///< that distances are measured to in cells with edges; other cells have none

	/// of each of these, not more than its distance from the middle of the cell; those of a cell ascend; null
	/// where it is not known
	float* near_distance;

	uint8_t*
		side; ///< of each cell of an open mesh, a bvdecomp_cell_side; null where triangles are not listed

	/// Of the cells that have some of these, in the order of the cells; null unless these are the nearest to
	/// corners and nothing is inside.
	bvdecomp_near_group* near_groups;

	uint32_t* group_of; ///< of each cell, its number in near_groups, plus 1; 0 for none
	double units;       ///< of boxes in near_groups, how many there are along a length of 1

	const bvb_mesh* mesh; ///< whose triangles these are
	bool solid;           ///< whether anything is inside

	/// Of the cell above each grid point, how many cells away the inside of an open mesh ends where there are
	/// no triangles, at a film over an opening: 0 if there is a film in it, BVDECOMP_NO_FILM if it is far;
	/// null for closed meshes.
	uint8_t* film_rings;

	bv_vec3* film; ///< points next to films, and what is inside at the grid's end; all of them are inside
	uint32_t film_count;       ///< length of film
	const bvb_winding* inside; ///< of the mesh in its own frame; null when nothing is inside
	bool is_rough;             ///< whether what is inside is estimated, and only at grid points
	bvdecomp_unit_frame frame; ///< between the two
} bvdecomp_field;

/// Samples the distances. `is_rough` has to be set before.
/// @param mesh     in the unit frame; kept
/// @param inside   of the mesh in its own frame; null when nothing is inside
/// @param probe    gaps that no ball of this radius enters count as filled, up to the grid's step; 0 for none
/// @param cells    about how many grid points there may be
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_field_create( const bvb_mesh* mesh, const bvdecomp_unit_frame* frame,
                                 const bvb_winding* inside, double probe, uint32_t cells, int team,
                                 bvb_arena* arena, bvdecomp_field* out );

/// @return the signed distance; beyond the grid, where nothing is inside, about that of its nearest point
double bvdecomp_field_at( const bvdecomp_field* field, bv_vec3 point );

/// The same of many points, faster.
void bvdecomp_field_at_all( const bvdecomp_field* field, const bv_vec3* points, uint32_t count, double* out );

/// Finds the triangles that distances are to be measured to, unless they are many and small.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_field_find_near( bvdecomp_field* field, bvb_arena* arena );

/// @return whether what is inside ends near a point where there are no triangles
bool bvdecomp_field_is_near_film( const bvdecomp_field* field, bv_vec3 point );

/// @return whether the winding number of a point of the unit frame says that it is inside
bool bvdecomp_field_is_inside( const bvdecomp_field* field, bv_vec3 point );

/// @return whether what straight lines reach from a point of the unit frame without passing through a triangle, up to a
///         distance, is inside if the point is, and outside if it is not
bool bvdecomp_field_is_sure( const bvdecomp_field* field, bv_vec3 point, double reach );
