// Similarity transforms: rigid motions with a scale and a reflection. See similarity.h and bv/base.h.

#include "runtime/volume/similarity.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/volume/boxes.h"

const bvvol_similarity bvvol_similarity_identity = {
	.turn = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
	.back = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
	.scale = 1,
	.is_identity = true,
};

void bvvol_similarity_begin( const bv_transform* transform, bvvol_similarity* out )
{
	if ( !transform )
	{
		*out = bvvol_similarity_identity;
		return;
	}
	bv_transform t = *transform;
	out->is_identity = false;
	out->scale = t.scale;
	out->skew = bvvol_pose_skew( &t.pose );
	out->translation = t.pose.translation;
	bvmath_matrix inverse = bvmath_inverse_of( &t.pose );
	for ( int i = 0; i < 3; ++i )
	{
		const double* r = t.pose.rotation[i];
		out->turn.row[i] = ( bv_vec3 ){ t.mirror ? -r[0] : r[0], r[1], r[2] };
		out->back.row[i] = bv_scale( ( t.mirror && i == 0 ? -1 : 1 ) / t.scale, inverse.row[i] );
	}
}

bv_vec3 bvvol_similarity_undo( const bvvol_similarity* s, bv_vec3 point )
{
	return bvmath_times( &s->back, bv_sub( point, s->translation ) );
}

bvvol_similarity bvvol_similarity_reverse( const bvvol_similarity* s )
{
	bvvol_similarity out = { .scale = 1 / s->scale, .skew = 2 * s->skew, .is_identity = s->is_identity };
	out.translation = bv_negate( bvmath_times( &s->back, s->translation ) );
	for ( int i = 0; i < 3; ++i )
	{
		out.turn.row[i] = bv_scale( s->scale, s->back.row[i] );
		out.back.row[i] = bv_scale( s->scale, s->turn.row[i] );
	}
	return out;
}

void bvvol_similarity_move( const bvvol_similarity* s, const bvvol_rounded* box, bvvol_rounded* out )
{
	double extent = s->scale * bvvol_rounded_extent( box );
	double magnitude = ( s->scale * bvmath_norm1( box->center ) + bvmath_norm1( s->translation ) ) + extent;
	out->center = bvvol_similarity_apply( s, box->center );
	for ( int i = 0; i < 3; ++i )
	{
		out->axis[i] = bvmath_times( &s->turn, box->axis[i] );
		out->half_extents[i] = s->scale * box->half_extents[i];
	}
	out->radius = s->scale * box->radius;
	out->tapered = box->tapered;
	out->slack = s->scale * box->slack + BVMATH_OVERLAP_ROUNDING * magnitude +
	             bvmath_skew_of_extent( s->skew, extent );
}
