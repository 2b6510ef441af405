// Motions of the bytes of an input: of all kinds, from the constructors or from any numbers, and callbacks that lie. What is
// referred to has blocks of exactly its size.

#pragma once

#include "bodies.h"

#include "bv/motion.h"

enum
{
	most_parts = 5,
};

// Large enough for what all computations of a pose, of a point and of the fuzzer itself round, as part of the coordinates.
static const double part_of_rounding = 0x1p-42;

typedef enum pose_kind
{
	pose_followed = 0, // of another motion, which is not faster than stated
	pose_too_fast,     // the same, with lower bounds stated
	pose_that_jumps,   // to another place after a time
	pose_by_time,      // numbers of the bits of the time
	pose_invalid,      // not rigid after a time
	pose_by_call,      // another one for each call
	pose_kinds,
} pose_kind;

// What a pose callback works with.
typedef struct posed
{
	pose_kind kind;
	bv_motion follows;
	double after;
	double number[numbers_of_callback];
	uint32_t* calls;
} posed;

// A motion and what it refers to.
typedef struct moved
{
	bv_motion motion;
	bool is_honest;     // what it says of its speed is true
	uint32_t calls;     // of callbacks whose results depend on their number
	uint32_t callbacks; // used of these
	posed callback[most_parts + 1];
	void* parts; // to be freed, as the next one
	void* ends;
} moved;

static inline void pose_at( const void* context, double time, bv_pose* out )
{
	const posed* p = (const posed*)context;
	bv_transform at;
	uint64_t bits;
	expect( time >= 0 && time <= 1 );
	memcpy( &bits, &time, sizeof bits );
	if ( bv_motion_at( &p->follows, time, &at ) != bv_ok )
	{
		return;
	}
	*out = at.pose;
	switch ( p->kind )
	{
	case pose_that_jumps: out->translation.x += time > p->after ? p->number[0] : 0; break;
	case pose_by_time:
		out->translation =
			( bv_vec3 ){ p->number[bits >> 40 & 7], p->number[bits >> 45 & 7], p->number[bits >> 50 & 7] };
		break;
	case pose_invalid:
		if ( time > p->after )
		{
			out->rotation[bits >> 44 & 1][bits >> 45 & 1] += p->number[0];
			out->translation.y *= p->number[1];
		}
		break;
	case pose_by_call:
		*p->calls += 1;
		out->translation.z = p->number[*p->calls & 7];
		break;
	default: break;
	}
}

// Of a length that others have too, on a lattice, or any.
static inline bv_vec3 take_place_of( numbers* n, const subject* s, uint8_t kind )
{
	if ( kind % 8 == 0 )
	{
		return take_vector( n, s );
	}
	if ( kind % 2 )
	{
		return take_corner( n, s, true );
	}
	double x = 2 * s->size * take_unit( n );
	double y = 2 * s->size * take_unit( n );
	return ( bv_vec3 ){ x, y, 2 * s->size * take_unit( n ) };
}

static inline bv_transform take_placement( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	if ( kind >= 240 )
	{
		return take_transform( n, s, s );
	}
	bv_transform t = bv_transform_identity();
	if ( kind & 64 )
	{
		take_rotation( n, t.pose.rotation );
	}
	t.pose.translation = take_place_of( n, s, kind );
	t.mirror = kind % 16 == 3;
	t.scale = kind % 16 == 5 ? 0.5 : kind % 32 == 6 ? ldexp( 1 + 0.5 * take_unit( n ), kind / 32 - 4 ) : 1;
	return t;
}

static inline double take_angle( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	double turn = 3.14159265358979323846 * ( kind % 16 - 8 ) / 4;
	return kind < 96 ? turn : kind < 240 ? 4 * turn * take_unit( n ) : take_number( n, s ) * 0x1p16;
}

// Speeds of a motion that is not a sequence: angular, that of nlerp in the middle, where it is 4 tan( angle / 4 ); and of its pivot.
static inline void set_speeds( const bv_motion* of, bv_motion* callback )
{
	const double up = 1 + 0x1p-40;
	bool turns = of->kind != bv_motion_of_pose;
	double spin = of->kind == bv_motion_of_nlerp ? 4 * tan( of->angle / 4 ) : fabs( of->angle );
	callback->spin = turns ? up * spin : 0;
	callback->speed = turns ? up * length_of( of->shift ) : 0;
	callback->pivot = turns ? of->pivot : ( bv_vec3 ){ 0, 0, 0 };
	callback->scale = of->scale;
	callback->mirror = of->mirror;
}

// Turns a motion into a callback that returns its poses, or others.
static inline void take_pose_callback( numbers* n, const subject* s, bv_motion* io, moved* out )
{
	posed* p = out->callback + out->callbacks;
	uint8_t kind = take_byte( n );
	p->kind = kind < 128 ? pose_followed : (pose_kind)( kind % pose_kinds );
	p->follows = *io;
	p->follows.scale = 1;
	// The pivot is where it was in coordinates that are scaled.
	double scale = io->scale == 0 ? 1 : io->scale;
	p->follows.pivot = bv_scale( scale, io->pivot );
	p->follows.pivot.x *= io->mirror ? -1 : 1;
	p->follows.mirror = false;
	p->after = 0.5 + 0.5 * take_unit( n );
	p->calls = &out->calls;
	bv_motion made = bv_motion_callback( pose_at, p, io->pivot, 0, 0 );
	set_speeds( io, &made );
	if ( p->kind != pose_followed )
	{
		out->is_honest = false;
		made.speed *= 0.5;
		for ( int i = 0; i < numbers_of_callback; ++i )
		{
			p->number[i] = take_number( n, s );
		}
	}
	out->callbacks += 1;
	*io = made;
}

// @param start  null, or where it begins
static inline void take_simple_motion( numbers* n, const subject* s, const bv_transform* start, moved* out,
                                       bv_motion* motion )
{
	uint8_t kind = take_byte( n );
	bv_transform from = take_placement( n, s );
	bv_transform to = take_placement( n, s );
	from = start ? *start : from;
	if ( kind < 224 )
	{
		to.scale = from.scale;
		to.mirror = from.mirror;
	}
	if ( kind & 64 )
	{
		memcpy( to.pose.rotation, from.pose.rotation, sizeof to.pose.rotation );
	}
	bv_motion before;
	bv_status status;
	memset( &before, 0, sizeof before );
	memcpy( motion, &before, sizeof before );
	bv_vec3 pivot = kind & 32 ? take_place_of( n, s, kind / 8 ) : ( bv_vec3 ){ 0, 0, 0 };
	bv_vec3 axis;
	double angle;
	switch ( kind % 8 )
	{
	case 0: status = bv_motion_still( &from, motion ); break;
	case 1:
	case 2: status = bv_motion_nlerp( &from, &to, pivot, motion ); break;
	case 3:
	case 4:
		axis = take_place_of( n, s, kind / 8 + 1 );
		angle = take_angle( n, s );
		status = bv_motion_screw( &from, pivot, axis, angle, kind & 16 ? take_number( n, s ) : 0, motion );
		break;
	case 5: status = bv_motion_screw_between( &from, &to, motion ); break;
	default: status = bv_motion_slerp( &from, &to, pivot, motion ); break;
	}
	expect( status == bv_ok || status == bv_error_argument );
	expect( ( status == bv_ok ) == bv_motion_is_valid( motion ) );
	expect( status == bv_ok || memcmp( motion, &before, sizeof before ) == 0 );
	if ( take_byte( n ) % 6 == 1 )
	{
		take_pose_callback( n, s, motion, out );
	}
}

// Any number in a member. Pointers refer to what is there.
static inline void damage_motion( numbers* n, const subject* s, bv_motion* m )
{
	uint8_t what = take_byte( n );
	double any = what & 128 ? take_double( n ) : take_number( n, s );
	switch ( what % 16 )
	{
	case 0: m->kind = (bv_motion_kind)( what / 16 ); break;
	case 1: m->scale = any; break;
	case 2: m->mirror = !m->mirror; break;
	case 3: m->start.rotation[what / 16 % 3][what / 64 % 3] = any; break;
	case 4: m->start.translation.x = any; break;
	case 5: m->pivot.y = any; break;
	case 6: m->shift.z = any; break;
	case 7: m->axis.x = any; break;
	case 8: m->angle = any; break;
	case 9: m->speed = any; break;
	case 10: m->spin = any; break;
	case 11: m->callback = NULL; break;
	case 12: m->count -= m->count > 0; break;
	case 13: m->parts = NULL; break;
	case 14: m->ends = NULL; break;
	default:
		m->start.rotation[0][0] += any * 0x1p-48;
		m->axis = take_vector( n, s );
		break;
	}
	// A callback or a sequence has what it needs, or nothing.
	if ( m->kind == bv_motion_of_sequence && !( m->parts && m->ends ) )
	{
		m->count = m->count > 0;
	}
}

// Ascending to 1, most often.
static inline void take_ends( numbers* n, uint32_t count, double* ends )
{
	uint8_t kind = take_byte( n );
	double step = 1.0 / count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		ends[i] = i + 1 < count ? ( i + 1 ) * step : 1;
		if ( i + 1 < count && kind & 1 )
		{
			ends[i] -= 0.9 * step * fabs( take_unit( n ) );
		}
	}
	static const double special[8] = { 0x1p-1074, 0x1p-1000, 0x1p-60, 0, 1, NAN, 0.5, 1 - 0x1p-53 };
	if ( kind >= 192 )
	{
		ends[kind % count] = special[kind / 8 % 8];
	}
	if ( kind >= 176 && kind < 192 && count > 1 )
	{
		ends[1] = ends[0] * ( 1 + 0x1p-52 );
	}
}

static inline void take_sequence( numbers* n, const subject* s, moved* out )
{
	bv_motion parts[most_parts];
	double ends[most_parts];
	uint8_t kind = take_byte( n );
	uint32_t count = 1 + kind % most_parts;
	bool goes_on = kind & 128;
	bv_transform at;
	take_ends( n, count, ends );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool begins = i > 0 && goes_on && bv_motion_at( parts + i - 1, 1, &at ) == bv_ok;
		take_simple_motion( n, s, begins ? &at : NULL, out, parts + i );
		if ( i > 0 && kind & 64 )
		{
			// A callback turns about its pivot where that was in coordinates that are scaled.
			bool is_same = parts[i].scale == parts[0].scale && parts[i].mirror == parts[0].mirror;
			out->is_honest = out->is_honest && ( is_same || parts[i].kind != bv_motion_of_callback );
			parts[i].scale = parts[0].scale;
			parts[i].mirror = parts[0].mirror;
		}
		if ( take_byte( n ) >= 252 )
		{
			damage_motion( n, s, parts + i );
			out->is_honest = false;
		}
	}
	out->parts = malloc( sizeof *parts * count );
	out->ends = malloc( sizeof *ends * count );
	expect( out->parts && out->ends );
	memcpy( out->parts, parts, sizeof *parts * count );
	memcpy( out->ends, ends, sizeof *ends * count );
	out->motion = bv_motion_sequence( (bv_motion*)out->parts, (double*)out->ends, count );
}

// Any numbers in all members that are numbers.
static inline void take_raw_motion( numbers* n, const subject* s, moved* out )
{
	bv_motion* m = &out->motion;
	uint8_t kind = take_byte( n );
	m->kind = (bv_motion_kind)( kind % 8 );
	m->scale = kind & 8 ? take_number( n, s ) : 1;
	m->mirror = kind & 16;
	m->start = bv_pose_identity();
	for ( int i = 0; i < 9 && kind & 32; ++i )
	{
		m->start.rotation[i / 3][i % 3] = take_number( n, s );
	}
	m->start.translation = take_vector( n, s );
	m->pivot = take_vector( n, s );
	m->shift = take_vector( n, s );
	m->axis = kind & 64 ? take_vector( n, s ) : bv_vec3_make( 0, 1, 0 );
	m->angle = take_number( n, s );
	m->callback = kind & 128 ? pose_at : NULL;
	m->context = out->callback;
	m->speed = take_number( n, s );
	m->spin = take_number( n, s );
	m->count = take_byte( n );
	out->is_honest = m->kind != bv_motion_of_callback;
	out->callbacks = !out->is_honest;
}

static inline void take_motion( numbers* n, const subject* s, moved* out )
{
	memset( out, 0, sizeof *out );
	out->is_honest = true;
	uint8_t kind = take_byte( n );
	if ( kind >= 236 && kind < 244 )
	{
		take_raw_motion( n, s, out );
	}
	else if ( kind % 4 == 3 )
	{
		take_sequence( n, s, out );
	}
	else
	{
		take_simple_motion( n, s, NULL, out, &out->motion );
	}
	// Of callbacks the statement can be too low then.
	if ( kind >= 244 )
	{
		damage_motion( n, s, &out->motion );
		out->is_honest = out->is_honest && out->callbacks == 0;
	}
}

static inline void free_motion( moved* m )
{
	free( m->parts );
	free( m->ends );
}
