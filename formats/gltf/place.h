// Affine transforms of nodes, in double. Private to this folder.

#pragma once

#include "bv/base.h"

/// A transform to the world or to the parent.
typedef struct bvgltf_place
{
	double matrix[3][4]; ///< rows; the last column is the translation
	bool mirrored;       ///< kept apart from the matrix, whose determinant may underflow
} bvgltf_place;

/// @return the transform that changes nothing
bvgltf_place bvgltf_place_identity( void );

/// @return a scale, then a rotation, then a translation
/// @param rotation  quaternion x, y, z, w of any length but 0
bvgltf_place bvgltf_place_of( const double translation[3], const double rotation[4], const double scale[3] );

/// @param columns  of a 4 x 4 matrix whose last row is 0 0 0 1
bvgltf_place bvgltf_place_of_matrix( const double columns[16] );

/// @return first `inner`, then `outer`
bvgltf_place bvgltf_place_compose( const bvgltf_place* outer, const bvgltf_place* inner );

/// @return whether it changes nothing. A zero times an infinite coordinate would spoil the others.
bool bvgltf_place_is_identity( const bvgltf_place* place );

/// @return whether the determinant of its matrix is negative, whatever `mirrored` says
bool bvgltf_place_mirrors( const bvgltf_place* place );

/// @return where the point is moved to
static inline bv_vec3 bvgltf_place_move( const bvgltf_place* place, const double point[3] )
{
	double out[3];
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = place->matrix[i];
		out[i] = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
	}
	return ( bv_vec3 ){ out[0], out[1], out[2] };
}
