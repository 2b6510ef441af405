// Geometry of VRML as faces. Private to this folder.

#pragma once

#include "formats/vrml/parse.h"
#include "offline/import/builder.h"

/// To the world.
typedef struct bvvrml_place
{
	double matrix[3][4];
	bool mirrored; ///< kept apart from the matrix, whose determinant may underflow
} bvvrml_place;

/// Where geometry goes.
typedef struct bvvrml_target
{
	bvvrml_graph* graph;
	bvimport_builder* scene;
	const bvvrml_place* place;
	uint64_t points;
	uint64_t lines;
} bvvrml_target;

/// @return where a point is moved to
static inline bv_vec3 bvvrml_move( const bvvrml_place* place, bv_vec3 p )
{
	const double( *m )[4] = place->matrix;
	return ( bv_vec3 ){ m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + m[0][3],
		                m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z + m[1][3],
		                m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z + m[2][3] };
}

/// Adds the faces of a geometry node, points and lines as numbers; counts a loss for a type that is not read.
/// @return bv_ok; bv_error_input; bv_error_limit; bv_error_memory
bv_status bvvrml_add_geometry( bvvrml_target* t, uint32_t node );
