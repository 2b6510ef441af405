// Conservative advancement. See advance.h.

#include "runtime/motion/advance.h"

#include "runtime/math/vec.h"
#include "runtime/math/wide.h"
#include "runtime/motion/motion.h"
#include "runtime/motion/sequence.h"
#include "runtime/motion/touch.h"
#include "runtime/simd/bits.h"

#include <math.h>

enum
{
	most_steps = 1 << 16,
	most_small_steps = 1024, // one after another that are shorter than a quarter of the width
	every_small_step =
		32, // of these, each of the first ones looks for a proof, and then one of twice as many
};

// GJK ends when the distance, less what counts as touching, is known to this part of itself.
static const double relative = 0.05;

static void measure( bvmotion_advancement* s, bvconvex_gjk_result* out )
{
	const bvmotion_moment* m = &s->moment;
	++s->contact.steps;
	out->lower = 0;
	out->along = ( bv_vec3 ){ 0, 0, 0 };
	bvconvex_pair_start( &m->pair, s->name[0], s->names, out->room );
	bvconvex_gjk_continue( &m->pair.search, m->margin, relative, out );
	const bvconvex_gjk_simplex* nearest = out->nearest;
	s->names = nearest->count < 4 ? (uint32_t)nearest->count : 0;
	for ( uint32_t i = 0; i < s->names; ++i )
	{
		memcpy( s->name[i], nearest->vertex[i].name, sizeof s->name[i] );
	}
}

static void describe( const bvmotion_moment* m, const bvconvex_gjk_result* found, bvmotion_contact* out )
{
	const bvconvex_pair* pair = &m->pair;
	const bvconvex_gjk_simplex* nearest = found->nearest;
	out->at = m->time;
	bvconvex_gjk_describe( nearest, out->point );
	for ( int i = 0; i < 2; ++i )
	{
		out->point[i] = bv_add( out->point[i], pair->origin );
		out->corners[i] = 0;
		for ( int k = 0; k < nearest->count; ++k )
		{
			uint32_t name = nearest->vertex[k].name[i];
			out->corners[i] |= name < 32 ? 1u << name : 0;
		}
	}
	if ( !bvmath_is_zero( found->along ) )
	{
		out->normal = found->along;
		out->point[0] = bv_add( out->point[0], bv_scale( pair->one_radius[0], out->normal ) );
		out->point[1] = bv_sub( out->point[1], bv_scale( pair->one_radius[1], out->normal ) );
	}
}

// Finds the nearest points at the present time, and until when a plane between them separates the shapes.
BVSIMD_NOINLINE bv_status separate( bvmotion_advancement* s )
{
	const bvmotion_moment* m = &s->moment;
	bvconvex_gjk_result found;
	bv_status status = bvmotion_moment_set( &s->moment, s->now );
	if ( status != bv_ok )
	{
		return status;
	}
	s->is_sharp = m->pair.polytopes && m->margin == 0;
	measure( s, &found );
	describe( m, &found, &s->contact );
	s->free = ( bvmotion_free ){ .time = -1, .until = s->now };
	if ( !bvmath_is_zero( found.along ) )
	{
		s->free = bvmotion_plane_free( m, &found );
	}
	return bv_ok;
}

// Whether the shapes certainly touch at a time.
BVSIMD_NOINLINE bv_status meet( bvmotion_advancement* s, double time, bool* meets )
{
	bvconvex_gjk_result found;
	*meets = false;
	bv_status status = bvmotion_moment_set( &s->moment, time );
	if ( status == bv_ok )
	{
		measure( s, &found );
		*meets = bvmotion_touches( &s->moment, found.nearest );
	}
	return status;
}

// Looks for a proof that the shapes touch soon after the present time, or at it.
static bv_status prove( bvmotion_advancement* s )
{
	const bvmotion_shapes* shapes = s->shapes;
	bool is_free = s->free.time >= 0; // at the present time
	uint32_t name[3][2];
	bool may_pass = s->is_sharp && s->names == 3;
	// The shapes are apart from the start of the range until now, where they can be within rounding errors of each other.
	double before = bvmath_max( s->now - 0.25 * shapes->width, shapes->from );
	memcpy( name, s->name, sizeof name );
	double later = bvmath_min( s->now + 0.75 * shapes->width, shapes->proof );
	double time = s->now;
	bool proven = false;
	bv_status status = bv_ok;
	if ( !is_free && s->now == shapes->from )
	{
		status = meet( s, s->now, &proven );
	}
	if ( status == bv_ok && !proven )
	{
		time = later;
		status = meet( s, later, &proven );
	}
	if ( status == bv_ok && !proven && may_pass )
	{
		status = bvmotion_passes( &s->moment, before, later, name, &proven );
		s->contact.steps += 2;
	}
	s->contact.certain = proven;
	s->contact.upper = proven ? time : INFINITY;
	return status;
}

// Of points that a support function compares anyway.
static void ball_of_points( const bvconvex_prepared* prepared, bv_sphere* out )
{
	double square = 0;
	double norm = 0;
	out->center = prepared->middle;
	for ( uint32_t i = 0; i < prepared->hull.count; ++i )
	{
		bv_vec3 way = bv_sub( prepared->hull.points[i], out->center );
		square = bvmath_max( square, bv_dot( way, way ) );
		norm = bvmath_max( norm, bvmath_norm1( way ) );
	}
	// Squares of small numbers vanish.
	out->radius = square > 0x1p-900 ? sqrt( square ) : norm;
}

static void ball_of_box( const bvconvex_prepared* prepared, bv_sphere* out )
{
	double lower[3];
	double upper[3];
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 along = { i == 0, i == 1, i == 2 };
		bv_vec3 against = bv_negate( along );
		upper[i] = bv_dot( along, bvconvex_shape_support( prepared, &along, BVCONVEX_NO_POINT ).at );
		lower[i] = bv_dot( along, bvconvex_shape_support( prepared, &against, BVCONVEX_NO_POINT ).at );
	}
	bv_vec3 least = { lower[0], lower[1], lower[2] };
	bv_vec3 most = { upper[0], upper[1], upper[2] };
	bv_vec3 half = bv_scale( 0.5, bv_sub( most, least ) );
	out->center = bv_add( least, half );
	out->radius = bvmath_length_up( half );
}

bool bvmotion_ball_of( const bv_convex* shape, bv_sphere* out )
{
	bvconvex_prepared prepared;
	if ( !shape || shape->kind == bv_convex_of_half_space || !bvconvex_shape_read( shape, &prepared ) )
	{
		return false;
	}
	bool is_scanned = prepared.hull.points && !prepared.hull.support && prepared.corners > 0;
	if ( is_scanned )
	{
		ball_of_points( &prepared, out );
	}
	else
	{
		ball_of_box( &prepared, out );
	}
	out->radius = out->radius * ( 1 + 0x1p-48 ) + 0x1p-45 * prepared.reach;
	return true;
}

// Goes to where the separation ends.
// @return false if that is the end of the range, and the shapes are free until then
static bool advance( bvmotion_advancement* s )
{
	const bvmotion_free* free = &s->free;
	double end = s->shapes->to;
	if ( free->whole && free->until >= end )
	{
		bool jumps = s->now < end && ( bvmotion_has_joint( s->shapes->motion[0], s->now, end ) ||
		                               bvmotion_has_joint( s->shapes->motion[1], s->now, end ) );
		s->now = end;
		return jumps;
	}
	// A step shorter than a unit in the last place must not lead back, where a part of a sequence may have ended.
	s->now = free->whole ? free->until : bvmath_max( s->now, bvmath_sum_down( s->now, free->time ) );
	return true;
}

bv_status bvmotion_advance_begin( const bvmotion_shapes* shapes, bvmotion_advancement* out )
{
	out->shapes = shapes;
	out->contact = ( bvmotion_contact ){ .found = true, .upper = INFINITY };
	out->is_done = false;
	out->names = 0;
	out->is_sharp = false;
	out->proves = false;
	out->small = 0;
	out->now = shapes->from;
	return bvmotion_moment_begin( shapes, &out->moment );
}

// Counts short steps.
// @return whether a proof is to be looked for at the present time
static bool wants_proof( bvmotion_advancement* s )
{
	bool is_short = !s->free.whole && !( s->free.time > 0.25 * s->shapes->width );
	s->small = is_short ? s->small + 1 : 0;
	return is_short && ( s->small < every_small_step || ( s->small & ( s->small - 1 ) ) == 0 );
}

bv_status bvmotion_advance_step( bvmotion_advancement* s )
{
	const bvmotion_shapes* shapes = s->shapes;
	bvmotion_contact* out = &s->contact;
	bool has_proof = s->proves;
	bv_status status = has_proof ? prove( s ) : separate( s );
	out->lower = s->now;
	s->proves = !has_proof && status == bv_ok && wants_proof( s );
	if ( status != bv_ok || s->proves )
	{
		return status;
	}
	int most_small = shapes->most_small > 0 ? shapes->most_small : most_small_steps;
	if ( out->certain || s->free.time < 0 || s->small > most_small )
	{
		s->is_done = true;
		return bv_ok;
	}
	uint32_t most =
		shapes->most_steps > 0 && shapes->most_steps < most_steps ? shapes->most_steps : most_steps;
	bool is_free = !advance( s );
	out->found = !is_free;
	out->certain = is_free;
	s->is_done = is_free || out->steps >= most;
	out->lower = s->now;
	return bv_ok;
}

bv_status bvmotion_advance( const bvmotion_shapes* shapes, bvmotion_contact* out )
{
	bvmotion_advancement s;
	bv_status status = bvmotion_advance_begin( shapes, &s );
	while ( status == bv_ok && !s.is_done )
	{
		status = bvmotion_advance_step( &s );
	}
	*out = s.contact;
	return status;
}
