// The walk over vertices, edges and faces of two polytopes to the nearest ones.

#pragma once

#include "runtime/convex/topology.h"

/// What a feature is.
typedef enum bvconvex_feature_kind
{
	bvconvex_feature_vertex,
	bvconvex_feature_edge,
	bvconvex_feature_face,
} bvconvex_feature_kind;

/// A vertex, where the half-edge begins; an edge, the half-edge; a face, to the left of the half-edge.
typedef struct bvconvex_feature
{
	bvconvex_feature_kind kind;
	bvconvex_half_edge edge; ///< `from` is set for the vertex of a point, too
} bvconvex_feature;

/// How a walk ended.
typedef struct bvconvex_vclip_result
{
	bvconvex_feature feature[2]; ///< of both polytopes
	bool penetrates;             ///< an edge is in a face, or a vertex behind all faces
	bool found; ///< the features are the nearest ones; false if it ended at the cap, or they penetrate
	uint32_t steps;
} bvconvex_vclip_result;

/// @param out  has the features to begin with
void bvconvex_vclip_walk( const bvconvex_polyhedron* a, const bvconvex_polyhedron* b,
                          bvconvex_vclip_result* out );
