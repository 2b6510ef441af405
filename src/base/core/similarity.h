// A bv_transform, prepared for transforming many points and volumes in both directions.

#pragma once

#include "base/core/overlap_rounded.h"
#include "base/core/vec.h"

/// A matrix of three by three.
typedef struct bv_matrix
{
	bv_vec3 row[3];
} bv_matrix;

/// x -> turn * ( scale * x ) + translation, and back. The way back is the inverse to rounding, also of a rotation that is
/// not quite orthonormal.
typedef struct bv_similarity
{
	bv_matrix turn;      ///< the rotation, after the reflection if there is one
	bv_matrix back;      ///< the inverse of scale * turn
	double scale;        ///< above 0
	double skew;         ///< of the rotation: see bv_pose_skew
	bv_vec3 translation; ///< mesh units
	bool is_identity;    ///< it moves nothing
} bv_similarity;

/// Moves nothing.
extern const bv_similarity bv_similarity_identity;

/// @param transform  valid; null for the identity
void bv_similarity_begin( const bv_transform* transform, bv_similarity* out );

/// @param transform  valid; null for the identity, which takes no time
/// @param storage    receives the similarity unless it is the identity
/// @return the similarity
static inline const bv_similarity* bv_similarity_of( const bv_transform* transform, bv_similarity* storage )
{
	if ( !transform )
	{
		return &bv_similarity_identity;
	}
	bv_similarity_begin( transform, storage );
	return storage;
}

/// @return what undoes it
bv_similarity bv_similarity_reverse( const bv_similarity* s );

/// @return the matrix times the vector
static inline bv_vec3 bv_times( const bv_matrix* m, bv_vec3 v )
{
	return ( bv_vec3 ){ bv_dot( m->row[0], v ), bv_dot( m->row[1], v ), bv_dot( m->row[2], v ) };
}

/// @return where a point is taken. Each coordinate errs by less than 2^-50 of the sum of what is added: scale times the point, and the translation
static inline bv_vec3 bv_similarity_apply( const bv_similarity* s, bv_vec3 point )
{
	return bv_add( bv_times( &s->turn, bv_scale( s->scale, point ) ), s->translation );
}

/// @return where a point came from
bv_vec3 bv_similarity_undo( const bv_similarity* s, bv_vec3 point );

/// @return the same as bv_similarity_undo of the identity, in less time: it changes nothing but signs of
///         zeros
static inline bv_vec3 bv_identity_undo( bv_vec3 point )
{
	return ( bv_vec3 ){ ( point.x + 0 * point.y ) + 0 * point.z, ( 0 * point.x + point.y ) + 0 * point.z,
		                ( 0 * point.x + 0 * point.y ) + point.z };
}

/// Moves a rounded box. Its slack grows by the rounding and by what the rotation deviates from a rigid one.
void bv_similarity_move( const bv_similarity* s, const bv_rounded* box, bv_rounded* out );

/// A volume scaled about the origin, and before that reflected as bv_transform does. Its numbers are rounded once.
void bv_volume_scaled( const bv_volume* volume, double scale, bool mirror, bv_volume* out );
