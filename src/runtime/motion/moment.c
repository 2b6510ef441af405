// Two moving convex shapes at a time. See moment.h.
//
// Rounding: bvmotion_span_reach of a single time bounds the error of a pose. The combination of both poses errs by less than
// 2^-49 of what it is computed from. Along a unit vector, the rounding of the pair (pair.h) covers the rest.

#include "runtime/motion/moment.h"

#include "runtime/math/matrix.h"
#include "runtime/math/vec.h"
#include "runtime/motion/motion.h"

bv_status bvmotion_moment_begin( const bvmotion_shapes* shapes, bvmotion_moment* out )
{
	out->shapes = shapes;
	if ( !bvconvex_pair_read_shapes( shapes->shape[0], shapes->shape[1], &out->room ) )
	{
		return bv_error_argument;
	}
	bvconvex_pair_use_columns( &out->room, out->columns );
	return bv_ok;
}

bv_status bvmotion_moment_set( bvmotion_moment* m, double time )
{
	const bvmotion_shapes* shapes = m->shapes;
	double doubt = 0;
	m->time = time;
	for ( int i = 0; i < 2; ++i )
	{
		bvmotion_span span;
		bv_status status = bvmotion_span_begin( shapes->motion[i], time, time, time, &span );
		if ( status != bv_ok )
		{
			return status;
		}
		const bv_sphere* ball = &shapes->ball[i];
		m->placed[i] = span.at;
		doubt += bvmotion_span_reach( &span, ball->center, ball->radius );
		doubt += 0x1p-49 * ( span.at.scale * ( bvmath_norm1( ball->center ) + ball->radius ) );
	}
	bv_vec3 apart = bv_sub( m->placed[1].pose.translation, m->placed[0].pose.translation );
	double scale = m->placed[0].scale;
	m->between = bv_transform_between( &m->placed[0], &m->placed[1] );
	if ( !bvconvex_pair_place_shapes( &m->between, &m->room, &m->pair ) )
	{
		return bv_error_argument;
	}
	m->margin = m->pair.radius + shapes->separation / scale;
	m->rounding = m->pair.rounding + ( doubt + 0x1p-49 * bvmath_norm1( apart ) ) / scale;
	return bv_ok;
}

bv_vec3 bvmotion_moment_direction( const bvmotion_moment* m, bv_vec3 along )
{
	bv_vec3 out = bvmath_rotate_back( &m->placed[0].pose, along );
	out.x = m->placed[0].mirror ? -out.x : out.x;
	return out;
}
