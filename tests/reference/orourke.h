// The smallest box around a solid by exhaustive search, as a reference for other methods. At least two
// adjacent sides of a box of minimal volume each contain an edge of the convex hull, so one of the boxes of
// all pairs of edges is optimal.
//
// Shares no code with src: the hull's facets and edges come from qhull directly. No shortcut is used that
// could miss a box.
//
// Based on: J. O'Rourke, "Finding minimal enclosing boxes", 1985.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the search is to be like.
typedef struct orourke_options
{
	double slack;       ///< boxes that are less by no more than this part may be missed; default 1e-9
	uint32_t max_edges; ///< a hull with more is refused; 0, the default, is no limit
} orourke_options;

/// @return the defaults above
orourke_options orourke_options_default( void );

/// What came out of the search.
typedef enum orourke_result
{
	orourke_found,   ///< the box is there
	orourke_flat,    ///< qhull finds no solid
	orourke_refused, ///< there are more edges than max_edges
	orourke_memory,  ///< an allocation failed
} orourke_result;

/// A least box.
typedef struct orourke_box
{
	bv_vec3 axis[3];   ///< unit, right-handed
	bv_vec3 lower;     ///< least dot product of each axis with a point
	bv_vec3 upper;     ///< the greatest
	double volume;     ///< product of the differences, cubic mesh units
	uint32_t vertices; ///< of the hull
	uint32_t edges;    ///< of the hull, those between coplanar facets left out
	uint64_t families; ///< pairs of edges that two adjacent sides can contain
} orourke_box;

/// Searches all pairs of edges, in parallel with OpenMP. The number of threads may change the box by the slack.
/// @param points   finite, magnitudes between 1e-60 and 1e60 or 0
/// @param options  null: the defaults
orourke_result orourke_search( const bv_vec3* points, uint32_t count, const orourke_options* options,
                               orourke_box* out );

#ifdef __cplusplus
}
#endif
