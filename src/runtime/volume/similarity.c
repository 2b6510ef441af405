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

static bv_vec3 reflect( bv_vec3 p, bool mirror )
{
	return ( bv_vec3 ){ mirror ? -p.x : p.x, p.y, p.z };
}

// Which direction is the reflection of another one, or its opposite.
static uint32_t find_direction( bv_vec3 d, bool* opposite )
{
	uint32_t i = 0;
	for ( ;; ++i )
	{
		bv_vec3 e = bv_kdop_direction( i );
		double cosine = bv_dot( d, e );
		if ( cosine * cosine == bv_dot( d, d ) * bv_dot( e, e ) )
		{
			*opposite = cosine < 0;
			return i;
		}
	}
}

static void scale_kdop( const bv_kdop* kdop, double scale, bool mirror, bv_kdop* out )
{
	*out = ( bv_kdop ){ .k = kdop->k };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bool opposite;
		uint32_t from = find_direction( reflect( bv_kdop_direction( i ), mirror ), &opposite );
		out->lower[i] = scale * ( opposite ? -kdop->upper[from] : kdop->lower[from] );
		out->upper[i] = scale * ( opposite ? -kdop->lower[from] : kdop->upper[from] );
	}
}

void bvvol_scaled( const bv_volume* volume, double scale, bool mirror, bv_volume* out )
{
	*out = *volume;
	bv_aabb* box = &out->aabb;
	switch ( volume->type )
	{
	case bv_volume_obb:
	case bv_volume_prism: // begins as an oriented box does
		out->obb.center = bv_scale( scale, reflect( volume->obb.center, mirror ) );
		for ( int i = 0; i < 3; ++i )
		{
			out->obb.axis[i] = reflect( volume->obb.axis[i], mirror );
			out->obb.half_extents[i] *= scale;
		}
		break;
	case bv_volume_rss:
		out->rss.center = bv_scale( scale, reflect( volume->rss.center, mirror ) );
		for ( int i = 0; i < 3; ++i )
		{
			out->rss.axis[i] = reflect( volume->rss.axis[i], mirror );
		}
		out->rss.half_extents[0] *= scale;
		out->rss.half_extents[1] *= scale;
		out->rss.radius *= scale;
		break;
	case bv_volume_sphere:
		out->sphere.center = bv_scale( scale, reflect( volume->sphere.center, mirror ) );
		out->sphere.radius *= scale;
		break;
	case bv_volume_aabb:
		box->lower = bv_scale( scale, volume->aabb.lower );
		box->upper = bv_scale( scale, volume->aabb.upper );
		if ( mirror )
		{
			double lower = -box->upper.x;
			box->upper.x = -box->lower.x;
			box->lower.x = lower;
		}
		break;
	default: scale_kdop( &volume->kdop, scale, mirror, &out->kdop ); break;
	}
}
