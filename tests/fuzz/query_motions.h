// Poses, reach, speeds and swept volumes of motions, asked with numbers of the input. Points of honest motions stay within
// their reach, are not faster than stated, and remain in swept volumes.

#pragma once

#include "motions.h"

static inline double size_of_simple( const bv_motion* m )
{
	double scale = m->scale == 0 ? 1 : m->scale;
	return largest( m->start.translation ) + largest( m->shift ) + scale * largest( m->pivot );
}

// @return how large the coordinates are that poses are computed from
static inline double size_of_motion( const moved* m )
{
	double size = size_of_simple( &m->motion );
	bool has_parts = m->motion.kind == bv_motion_of_sequence && m->motion.parts;
	for ( uint32_t i = 0; has_parts && i < m->motion.count; ++i )
	{
		size += size_of_simple( m->motion.parts + i );
	}
	for ( uint32_t i = 0; i < m->callbacks; ++i )
	{
		size += size_of_simple( &m->callback[i].follows );
	}
	return size;
}

// @return the largest angle of a part, radians
static inline double largest_angle( const moved* m )
{
	double angle = fabs( m->motion.angle );
	bool has_parts = m->motion.kind == bv_motion_of_sequence && m->motion.parts;
	for ( uint32_t i = 0; has_parts && i < m->motion.count; ++i )
	{
		angle = fmax( angle, fabs( m->motion.parts[i].angle ) );
	}
	return angle;
}

static inline double scale_of_motion( const moved* m )
{
	return m->motion.scale == 0 ? 1 : m->motion.scale;
}

static inline double slack_of_motion( const moved* m, double reach )
{
	return part_of_rounding * ( size_of_motion( m ) + scale_of_motion( m ) * reach ) + 0x1p-900;
}

static inline bool is_documented_status( bv_status status )
{
	return status == bv_ok || status == bv_error_argument;
}

// When something begins or ends, times around it, any time, or none.
static inline double take_time( numbers* n, const moved* m )
{
	uint8_t kind = take_byte( n );
	double time = kind < 128 ? ( kind % 17 ) * 0.0625 : 0.5 + 0.5 * take_unit( n );
	if ( kind >= 160 && kind < 200 && m->motion.kind == bv_motion_of_sequence && m->motion.ends &&
	     m->motion.count > 0 )
	{
		time = m->motion.ends[kind % m->motion.count];
		time *= kind < 170 ? 1 - 0x1p-53 : kind < 180 ? 1 + 0x1p-52 : 1;
	}
	if ( kind >= 248 )
	{
		time = kind < 252 ? take_double( n ) : fabs( take_unit( n ) ) * 0x1p-100;
	}
	return time;
}

static inline bool is_time( double time )
{
	return time >= 0 && time <= 1;
}

// Whether a part of a sequence begins there, so that the object can be at another place.
static inline bool is_joint( const moved* m, double time )
{
	bool found = false;
	for ( uint32_t i = 0; m->motion.kind == bv_motion_of_sequence && i + 1 < m->motion.count; ++i )
	{
		found = found || m->motion.ends[i] == time;
	}
	return found;
}

// @return whether there is a pose
static inline bool find_pose( const moved* m, double time, bv_transform* out )
{
	bv_transform before;
	memset( &before, 0x5a, sizeof before );
	before.mirror = true;
	memcpy( out, &before, sizeof before );
	bv_status status = bv_motion_at( &m->motion, time, out );
	bool is_valid = bv_motion_is_valid( &m->motion );
	expect( is_documented_status( status ) );
	expect( status != bv_ok || ( is_valid && is_time( time ) ) );
	expect( status == bv_ok || !is_valid || !is_time( time ) || m->callbacks > 0 );
	if ( status != bv_ok )
	{
		expect( memcmp( out, &before, sizeof before ) == 0 );
		return false;
	}
	expect( bv_transform_is_valid( out ) && out->scale == scale_of_motion( m ) );
	expect( out->mirror == m->motion.mirror );
	for ( int i = 0; i < 9; ++i )
	{
		const double* r = out->pose.rotation[i / 3];
		const double* q = out->pose.rotation[i % 3];
		double product = r[0] * q[0] + r[1] * q[1] + r[2] * q[2];
		expect( fabs( product - ( i / 3 == i % 3 ) ) < 0x1p-44 );
	}
	bv_transform again;
	if ( m->calls == 0 )
	{
		expect( bv_motion_at( &m->motion, time, &again ) == bv_ok );
		expect( memcmp( &again.pose, &out->pose, sizeof again.pose ) == 0 );
	}
	return true;
}

static inline bv_sphere take_ball( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	bv_sphere ball;
	ball.center = take_place_of( n, s, kind );
	ball.radius = kind & 64 ? 0 : kind < 240 ? s->size * fabs( take_unit( n ) ) : take_number( n, s );
	return ball;
}

static inline bv_vec3 take_direction( numbers* n )
{
	double x = take_unit( n );
	double y = take_unit( n );
	return bv_normalize( ( bv_vec3 ){ x, y, take_unit( n ) } );
}

static inline double take_between( numbers* n, double from, double to )
{
	double t = 0.5 + 0.5 * take_unit( n );
	double time = from + t * ( to - from );
	return time < from ? from : time > to ? to : time;
}

static inline double distance_between( bv_vec3 a, bv_vec3 b )
{
	return length_of( bv_sub( a, b ) );
}

static inline void compare_with_reach( numbers* n, const moved* m, double from, double to, double reference,
                                       const bv_sphere* ball, double reach )
{
	bv_transform at;
	double slack = slack_of_motion( m, largest( ball->center ) + ball->radius );
	if ( !find_pose( m, reference, &at ) )
	{
		return;
	}
	for ( int i = 0; i < 4; ++i )
	{
		bv_transform there;
		double time = i == 0 ? from : i == 1 ? to : take_between( n, from, to );
		bv_vec3 p = bv_add( ball->center, bv_scale( ball->radius, take_direction( n ) ) );
		if ( ( time == to && from < to && is_joint( m, to ) ) || !find_pose( m, time, &there ) )
		{
			continue;
		}
		double moved = distance_between( bv_transform_point( &at, p ), bv_transform_point( &there, p ) );
		expect( moved <= reach + slack );
	}
}

static inline void compare_with_speed( numbers* n, const moved* m, double from, double to,
                                       const bv_sphere* ball, double speed )
{
	double slack = slack_of_motion( m, largest( ball->center ) + ball->radius );
	for ( int i = 0; i < 3 && speed < INFINITY; ++i )
	{
		bv_transform at[2];
		double one = take_between( n, from, to );
		double two = i == 0 ? to : take_between( n, from, to );
		bv_vec3 p = bv_add( ball->center, bv_scale( ball->radius, take_direction( n ) ) );
		if ( is_joint( m, to ) || !find_pose( m, one, at ) || !find_pose( m, two, at + 1 ) )
		{
			continue;
		}
		double moved = distance_between( bv_transform_point( at, p ), bv_transform_point( at + 1, p ) );
		// Jumps that are not counted are short beside the coordinates.
		expect( moved <= fabs( two - one ) * speed * ( 1 + 0x1p-40 ) + 64 * slack );
	}
}

static inline void query_reach( numbers* n, const subject* s, const moved* m )
{
	double from = take_time( n, m );
	double to = take_time( n, m );
	double reference = take_time( n, m );
	if ( take_byte( n ) < 250 )
	{
		double least = fmin( fmin( from, to ), reference );
		double most = fmax( fmax( from, to ), reference );
		reference = from + to + reference - least - most;
		reference = reference < least ? least : reference > most ? most : reference;
		from = least;
		to = most;
	}
	bv_sphere ball = take_ball( n, s );
	bool is_ball = is_finite( ball.center ) && largest( ball.center ) <= BV_MAX_LENGTH && ball.radius >= 0 &&
	               ball.radius <= BV_MAX_LENGTH;
	bool is_valid = bv_motion_is_valid( &m->motion ) && is_ball;
	bool is_span = from >= 0 && from <= reference && reference <= to && to <= 1;
	double reach = -7;
	double speed = -7;
	bv_status status = bv_motion_reach( &m->motion, from, to, reference, &ball, &reach );
	expect( is_documented_status( status ) && ( status != bv_ok || ( is_valid && is_span ) ) );
	expect( status == bv_ok ? reach >= 0 : reach == -7 );
	expect( status == bv_ok || !is_valid || !is_span || m->callbacks > 0 );
	if ( status == bv_ok && m->is_honest )
	{
		expect( isfinite( reach ) );
		compare_with_reach( n, m, from, to, reference, &ball, reach );
	}
	status = bv_motion_speed( &m->motion, from, to, &ball, &speed );
	is_span = from >= 0 && from <= to && to <= 1;
	expect( is_documented_status( status ) && ( status != bv_ok || ( is_valid && is_span ) ) );
	expect( status == bv_ok ? speed >= 0 : speed == -7 );
	expect( status == bv_ok || !is_valid || !is_span || m->callbacks > 0 );
	if ( status == bv_ok && m->is_honest )
	{
		compare_with_speed( n, m, from, to, &ball, speed );
	}
	double again = -7;
	if ( m->calls == 0 && bv_motion_speed( &m->motion, from, to, &ball, &again ) == bv_ok )
	{
		expect( again == speed );
	}
}

// A point of a volume, from two or three numbers from -1 to 1.
static inline bv_vec3 volume_point( const bv_vec3 axis[3], bv_vec3 center, const double half[3],
                                    const double at[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		center = bv_add( center, bv_scale( half[i] * at[i], axis[i] ) );
	}
	return center;
}

enum
{
	points_of_volume = 4,
};

static inline void take_kdop( const bv_vec3* point, uint32_t k, bv_kdop* out )
{
	out->k = k;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		for ( int j = 0; bv_kdop_uses( k, i ) && j < points_of_volume; ++j )
		{
			double d = bv_dot( bv_kdop_direction( i ), point[j] );
			out->lower[i] = j == 0 ? d : fmin( out->lower[i], d );
			out->upper[i] = j == 0 ? d : fmax( out->upper[i], d );
		}
	}
}

// @param point  receives points of it
// @return whether these are points of it
static inline bool take_volume( numbers* n, const subject* s, bv_volume* out, bv_vec3* point )
{
	static const uint32_t planes[bv_volume_types] = {
		[bv_volume_kdop14] = 14, [bv_volume_kdop18] = 18, [bv_volume_kdop26] = 26
	};
	uint8_t kind = take_byte( n );
	memset( out, 0, sizeof *out );
	out->type = (bv_volume_type)( kind % bv_volume_types );
	bv_obb box = take_box( n, s, kind & 64 );
	const double* half = box.half_extents;
	if ( kind & 32 )
	{
		box.center = take_place_of( n, s, kind );
	}
	for ( int i = 0; i < points_of_volume; ++i )
	{
		double at[3];
		for ( int k = 0; k < 3; ++k )
		{
			double u = take_unit( n );
			at[k] = kind & 16 ? u : u < 0 ? -1 : 1;
		}
		bv_vec3 away = bv_normalize( bv_vec3_make( at[0], at[1], at[2] ) );
		switch ( out->type )
		{
		case bv_volume_sphere: point[i] = bv_add( box.center, bv_scale( half[0], away ) ); break;
		case bv_volume_rss:
			point[i] = bv_add( box.center, bv_scale( half[2], away ) );
			point[i] = bv_add( point[i], bv_scale( half[0] * at[0], box.axis[0] ) );
			point[i] = bv_add( point[i], bv_scale( half[1] * at[1], box.axis[1] ) );
			break;
		case bv_volume_prism:
			at[0] *= 0.5 * ( 1 - at[1] );
			point[i] = volume_point( box.axis, box.center, half, at );
			break;
		case bv_volume_aabb:
			point[i] =
				bv_add( box.center, bv_vec3_make( half[0] * at[0], half[1] * at[1], half[2] * at[2] ) );
			break;
		default: point[i] = volume_point( box.axis, box.center, half, at ); break;
		}
	}
	switch ( out->type )
	{
	case bv_volume_sphere: out->sphere = ( bv_sphere ){ box.center, half[0] }; break;
	case bv_volume_rss:
		out->rss =
			( bv_rss ){ .center = box.center, .half_extents = { half[0], half[1] }, .radius = half[2] };
		memcpy( out->rss.axis, box.axis, sizeof box.axis );
		break;
	case bv_volume_obb: out->obb = box; break;
	case bv_volume_prism: out->prism.box = box; break;
	case bv_volume_aabb:
		out->aabb.lower = bv_sub( box.center, bv_vec3_make( half[0], half[1], half[2] ) );
		out->aabb.upper = bv_add( box.center, bv_vec3_make( half[0], half[1], half[2] ) );
		break;
	default: take_kdop( point, planes[out->type], &out->kdop ); break;
	}
	if ( kind >= 250 )
	{
		out->type = (bv_volume_type)take_byte( n );
	}
	return kind < 250;
}

// @return how far a point is outside of planes, or of a body around a box; 0 inside
static inline double outside_of_box( const bv_obb* box, bv_vec3 p )
{
	double out = 0;
	for ( int i = 0; i < 3; ++i )
	{
		out = fmax( out, fabs( bv_dot( box->axis[i], bv_sub( p, box->center ) ) ) - box->half_extents[i] );
	}
	return out;
}

static inline double outside_of_prism( const bv_prism* prism, bv_vec3 p )
{
	const bv_obb* box = &prism->box;
	const double* h = box->half_extents;
	bv_vec3 d = bv_sub( p, box->center );
	double s = fabs( bv_dot( box->axis[0], d ) );
	double t = bv_dot( box->axis[1], d );
	double out = outside_of_box( box, p );
	double size = fmax( h[0], h[1] );
	if ( !( h[1] > 0 ) )
	{
		return out;
	}
	// The slope's distance: both sides of its equation are divided by a length.
	double x = h[0] / size;
	double y = 2 * ( h[1] / size );
	return fmax( out, ( y * s - x * ( h[1] - t ) ) / sqrt( x * x + y * y ) );
}

static inline double outside_of_rss( const bv_rss* rss, bv_vec3 p )
{
	bv_vec3 d = bv_sub( p, rss->center );
	double x = fmax( 0, fabs( bv_dot( rss->axis[0], d ) ) - rss->half_extents[0] );
	double y = fmax( 0, fabs( bv_dot( rss->axis[1], d ) ) - rss->half_extents[1] );
	return length_of( bv_vec3_make( x, y, bv_dot( rss->axis[2], d ) ) ) - rss->radius;
}

static inline double outside_of_kdop( const bv_kdop* kdop, bv_vec3 p )
{
	double out = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		double d = bv_dot( bv_kdop_direction( i ), p );
		bool is_used = bv_kdop_uses( kdop->k, i );
		out = is_used ? fmax( out, fmax( kdop->lower[i] - d, d - kdop->upper[i] ) ) : out;
	}
	return out;
}

static inline double outside_of( const bv_volume* v, bv_vec3 p )
{
	bv_vec3 l;
	bv_vec3 u;
	switch ( v->type )
	{
	case bv_volume_obb: return outside_of_box( &v->obb, p );
	case bv_volume_prism: return outside_of_prism( &v->prism, p );
	case bv_volume_sphere: return distance_between( p, v->sphere.center ) - v->sphere.radius;
	case bv_volume_rss: return outside_of_rss( &v->rss, p );
	case bv_volume_aabb:
		l = bv_sub( v->aabb.lower, p );
		u = bv_sub( p, v->aabb.upper );
		return fmax( fmax( l.x, fmax( l.y, l.z ) ), fmax( u.x, fmax( u.y, u.z ) ) );
	default: return outside_of_kdop( &v->kdop, p );
	}
}

// @return the largest absolute value of a coordinate of the volume; NaN if a coordinate is NaN
static inline double size_of_volume( const bv_volume* v )
{
	double size = 0;
	switch ( v->type )
	{
	case bv_volume_obb:
	case bv_volume_prism:
		return largest( v->obb.center ) + v->obb.half_extents[0] + v->obb.half_extents[1] +
		       v->obb.half_extents[2];
	case bv_volume_sphere: return largest( v->sphere.center ) + v->sphere.radius;
	case bv_volume_rss:
		return largest( v->rss.center ) + v->rss.half_extents[0] + v->rss.half_extents[1] + v->rss.radius;
	case bv_volume_aabb: return largest( v->aabb.lower ) + largest( v->aabb.upper );
	default:
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			size += fabs( v->kdop.lower[i] ) + fabs( v->kdop.upper[i] );
		}
		return size;
	}
}

static inline size_t bytes_of_volume( bv_volume_type type )
{
	switch ( type )
	{
	case bv_volume_obb: return sizeof( bv_obb );
	case bv_volume_prism: return sizeof( bv_prism );
	case bv_volume_sphere: return sizeof( bv_sphere );
	case bv_volume_rss: return sizeof( bv_rss );
	case bv_volume_aabb: return sizeof( bv_aabb );
	default: return sizeof( bv_kdop );
	}
}

static inline void compare_with_swept( numbers* n, const moved* m, double from, double to,
                                       const bv_vec3* point, double size, const bv_volume* out )
{
	// Twice as high and as wide as what it encloses, so that rounding counts more.
	double slack = 16 * slack_of_motion( m, size );
	for ( int i = 0; i < 2 * points_of_volume; ++i )
	{
		bv_transform at;
		double time = i == 0 ? from : i == 1 ? to : take_between( n, from, to );
		if ( ( time == to && from < to && is_joint( m, to ) ) || !find_pose( m, time, &at ) )
		{
			continue;
		}
		expect( outside_of( out, bv_transform_point( &at, point[i % points_of_volume] ) ) <= slack );
	}
}

static inline void query_swept( numbers* n, const subject* s, const moved* m )
{
	bv_volume volume;
	bv_vec3 point[points_of_volume];
	bool has_points = take_volume( n, s, &volume, point );
	uint8_t kind = take_byte( n );
	double one = take_time( n, m );
	double two = take_time( n, m );
	double from = kind < 250 ? fmin( one, two ) : one;
	double to = kind < 250 ? fmax( one, two ) : two;
	bv_volume_type type = (bv_volume_type)( kind % ( kind < 240 ? bv_volume_types : 16u ) );
	bv_swept_rule rule = (bv_swept_rule)( kind / 8 % ( kind < 250 ? 2u : 4u ) );
	bv_volume before;
	bv_volume out;
	memset( &before, 0x5a, sizeof before );
	memcpy( &out, &before, sizeof out );
	bv_status status = bv_motion_swept_volume( &m->motion, from, to, &volume, type, rule, &out );
	expect( is_documented_status( status ) );
	if ( status != bv_ok )
	{
		expect( memcmp( &out, &before, sizeof out ) == 0 );
		return;
	}
	expect( bv_motion_is_valid( &m->motion ) && from >= 0 && from <= to && to <= 1 );
	expect( out.type == type && type < bv_volume_types && rule < bv_swept_rules );
	double size = size_of_volume( &out );
	bv_volume again;
	expect( isfinite( size ) );
	if ( m->calls == 0 )
	{
		expect( bv_motion_swept_volume( &m->motion, from, to, &volume, type, rule, &again ) == bv_ok );
		expect( memcmp( &again.obb, &out.obb, bytes_of_volume( type ) ) == 0 );
	}
	if ( m->is_honest && has_points )
	{
		// What is in the world is as large as what encloses it, or smaller.
		double own = size_of_volume( &volume );
		compare_with_swept( n, m, from, to, point, own + size / scale_of_motion( m ), &out );
	}
}

static inline void query_motion( numbers* n, const subject* s, const moved* m )
{
	bv_transform at;
	for ( int i = 0; i < 2; ++i )
	{
		find_pose( m, take_time( n, m ), &at );
	}
	query_reach( n, s, m );
	query_swept( n, s, m );
}
