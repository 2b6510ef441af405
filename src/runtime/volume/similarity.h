// A bv_transform, prepared for transforming many points and volumes in both directions.

#pragma once

#include "runtime/math/matrix.h"
#include "runtime/volume/rounded.h"

/// x -> turn * ( scale * x ) + translation, and back. The way back is the inverse to rounding, also of a
/// rotation that is not quite orthonormal.
typedef struct bvvol_similarity
{
	bvmath_matrix turn;  ///< the rotation, after the reflection if there is one
	bvmath_matrix back;  ///< the inverse of scale * turn
	double scale;        ///< above 0
	double skew;         ///< of the rotation: see bvvol_pose_skew
	bv_vec3 translation; ///< mesh units
	bool is_identity;    ///< it moves nothing
} bvvol_similarity;

/// Moves nothing.
extern const bvvol_similarity bvvol_similarity_identity;

/// @param transform  valid; null for the identity
void bvvol_similarity_begin( const bv_transform* transform, bvvol_similarity* out );

/// @param transform  valid; null for the identity, which takes no time
/// @param storage    receives the similarity unless it is the identity
/// @return the similarity
static inline const bvvol_similarity* bvvol_similarity_of( const bv_transform* transform,
                                                           bvvol_similarity* storage )
{
	if ( !transform )
	{
		return &bvvol_similarity_identity;
	}
	bvvol_similarity_begin( transform, storage );
	return storage;
}

/// @return what undoes it
bvvol_similarity bvvol_similarity_reverse( const bvvol_similarity* s );

/// @return where a point is taken. Each coordinate errs by less than 2^-50 of the sum of what is added: scale
///         times the point, and the translation
static inline bv_vec3 bvvol_similarity_apply( const bvvol_similarity* s, bv_vec3 point )
{
	return bv_add( bvmath_times( &s->turn, bv_scale( s->scale, point ) ), s->translation );
}

/// @return where a point came from
bv_vec3 bvvol_similarity_undo( const bvvol_similarity* s, bv_vec3 point );

/// @return the same as bvvol_similarity_undo of the identity, in less time: it changes nothing but signs of
///         zeros
static inline bv_vec3 bvvol_identity_undo( bv_vec3 point )
{
	return ( bv_vec3 ){ ( point.x + 0 * point.y ) + 0 * point.z, ( 0 * point.x + point.y ) + 0 * point.z,
		                ( 0 * point.x + 0 * point.y ) + point.z };
}

/// Moves a rounded box. Its slack grows by the rounding and by what the rotation deviates from a rigid one.
void bvvol_similarity_move( const bvvol_similarity* s, const bvvol_rounded* box, bvvol_rounded* out );
