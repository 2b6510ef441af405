// Convex shapes of the bytes of an input: of all kinds, with any numbers, and of a file. What fuzz targets of convex shapes share.

#pragma once

#include "expect.h"
#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
	most_corners = 40,
	numbers_of_callback = 8,
};

typedef enum callback_kind
{
	callback_ball,
	callback_box,
	callback_point,
	callback_defined, // the last one that is a shape
	callback_by_direction = callback_defined,
	callback_by_call,
	callback_kinds,
} callback_kind;

// What a support callback works with.
typedef struct called
{
	callback_kind kind;
	double number[numbers_of_callback];
	uint32_t* calls;
} called;

// A shape and what it refers to. Arrays have blocks of exactly their size, so that a read behind their end is seen.
typedef struct body
{
	bv_convex shape;
	bool has_faces;   // its neighbors, if any, are in the order of faces
	bool is_defined;  // what it is can be known, so that answers about it can be wrong
	uint32_t corners; // of a polytope; otherwise 0
	bv_vec3* corner;  // of these
	void* block[3];   // to be freed
	called called;
	uint32_t calls;
} body;

static inline void* block_of( body* b, int which, const void* data, size_t size )
{
	free( b->block[which] );
	b->block[which] = malloc( size ? size : 1 );
	expect( b->block[which] );
	memcpy( b->block[which], data, size );
	return b->block[which];
}

static inline double pick( const called* c, uint64_t hash )
{
	return c->number[hash % numbers_of_callback];
}

static inline bv_vec3 call( const void* context, bv_vec3 d )
{
	const called* c = (const called*)context;
	const double* n = c->number;
	double length = sqrt( d.x * d.x + d.y * d.y + d.z * d.z );
	uint64_t bits[3];
	memcpy( bits, &d, sizeof bits );
	switch ( c->kind )
	{
	case callback_ball:
		return ( bv_vec3 ){ n[1] + n[0] * ( d.x / length ), n[2] + n[0] * ( d.y / length ),
			                n[3] + n[0] * ( d.z / length ) };
	case callback_box:
		return ( bv_vec3 ){ d.x < 0 ? -n[0] : n[0], d.y < 0 ? -n[1] : n[1], d.z < 0 ? -n[2] : n[2] };
	case callback_point: return ( bv_vec3 ){ n[0], n[1], n[2] };
	case callback_by_direction:
		return ( bv_vec3 ){ pick( c, bits[0] >> 40 ), pick( c, bits[1] >> 45 ), pick( c, bits[2] >> 50 ) };
	default:
		*c->calls += 1;
		return ( bv_vec3 ){ pick( c, *c->calls ), pick( c, *c->calls / 3 ), pick( c, *c->calls / 7 ) };
	}
}

// Coordinates of a few bits, so that features are parallel and touch; or any numbers.
static inline bv_vec3 take_corner( numbers* n, const subject* s, bool on_lattice )
{
	if ( !on_lattice )
	{
		return take_vector( n, s );
	}
	uint8_t x = take_byte( n );
	uint8_t y = take_byte( n );
	return ( bv_vec3 ){ s->size * ( x % 5 - 2 ), s->size * ( y % 5 - 2 ), s->size * ( x / 5 % 5 - 2 ) };
}

static inline void take_callback( numbers* n, const subject* s, body* out )
{
	out->called.kind = (callback_kind)( take_byte( n ) % callback_kinds );
	out->is_defined = out->called.kind < callback_defined;
	for ( int i = 0; i < numbers_of_callback; ++i )
	{
		double x = take_number( n, s );
		out->called.number[i] = out->is_defined ? fabs( x ) : x;
	}
	out->called.calls = &out->calls;
	out->shape = bv_convex_support( call, &out->called );
}

// Neighbors of all corners: every other one, which is a graph of any hull, but not one that tells of faces; or any.
static inline void take_graph( numbers* n, uint32_t count, body* out )
{
	uint32_t first[most_corners + 1] = { 0 };
	static uint32_t neighbors[most_corners * most_corners];
	bool is_whole = count <= 12 && take_chance( n, 160 );
	for ( uint32_t i = 0; i < count; ++i )
	{
		first[i + 1] = first[i];
		uint32_t degree = is_whole ? count : take_byte( n ) % 8u;
		for ( uint32_t k = 0; k < degree; ++k )
		{
			uint32_t to = is_whole ? k : (uint32_t)take_bits( n, 1 + 3 * take_chance( n, 20 ) );
			neighbors[first[i + 1]++] = is_whole || to > 200 ? to : to % count;
		}
	}
	out->is_defined = is_whole;
	out->has_faces = false;
	const uint32_t* of = (const uint32_t*)block_of( out, 1, first, ( count + 1 ) * sizeof *first );
	out->shape =
		bv_convex_graph( (const bv_vec3*)out->block[0], count, of,
	                     (const uint32_t*)block_of( out, 2, neighbors, first[count] * sizeof *first ) );
}

static inline void take_points( numbers* n, const subject* s, bool on_lattice, body* out )
{
	bv_vec3 p[most_corners];
	uint8_t kind = take_byte( n );
	uint32_t count = 1 + take_byte( n ) % ( kind & 1 ? 8u : most_corners );
	for ( uint32_t i = 0; i < count; ++i )
	{
		p[i] = take_corner( n, s, on_lattice );
		p[i].z = kind & 2 ? p[0].z : p[i].z; // flat
	}
	out->corner = (bv_vec3*)block_of( out, 0, p, count * sizeof *p );
	out->corners = count;
	if ( kind & 4 )
	{
		take_graph( n, count, out );
		return;
	}
	out->shape = bv_convex_points( out->corner, count, 0 );
}

static inline bv_obb take_box( numbers* n, const subject* s, bool on_lattice )
{
	bv_vec3 half = take_corner( n, s, on_lattice );
	bv_obb box = { .center = take_corner( n, s, on_lattice ),
		           .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		           .half_extents = { fabs( half.x ), fabs( half.y ), fabs( half.z ) } };
	if ( take_chance( n, 96 ) )
	{
		double r[3][3];
		take_rotation( n, r );
		for ( int i = 0; i < 3; ++i )
		{
			box.axis[i] = ( bv_vec3 ){ r[i][0], r[i][1], r[i][2] };
		}
	}
	return box;
}

// Corners of a box are those of its numbers to rounding.
static inline void list_box( body* out )
{
	const bv_obb* box = &out->shape.box;
	bv_vec3 p[8];
	for ( uint32_t i = 0; i < 8; ++i )
	{
		p[i] = box->center;
		for ( int k = 0; k < 3; ++k )
		{
			double way = i >> k & 1 ? box->half_extents[k] : -box->half_extents[k];
			p[i] = bv_add( p[i], bv_scale( way, box->axis[k] ) );
		}
	}
	out->corner = (bv_vec3*)block_of( out, 0, p, sizeof p );
	out->corners = 8;
}

static inline void list_corners( body* out )
{
	const bv_convex* s = &out->shape;
	out->corners = s->count;
	out->corner = (bv_vec3*)block_of( out, 0, s->corner, s->count * sizeof *s->corner );
}

// Nothing that a constructor makes: but what is read through a pointer is there.
static inline void damage( numbers* n, const subject* s, body* out )
{
	bv_convex* c = &out->shape;
	uint8_t what = take_byte( n );
	out->is_defined = false;
	switch ( what % 8 )
	{
	case 0: c->kind = (bv_convex_kind)( what / 8 ); break;
	case 1: c->kind = (bv_convex_kind)-1; break;
	case 2: c->count = c->kind == bv_convex_of_corners ? what / 8 : c->count - c->count % 2; break;
	case 3: c->radius = take_double( n ); break;
	case 4: c->box.half_extents[what / 8 % 3] = take_double( n ); break;
	case 5: c->box.axis[what / 8 % 3] = take_vector( n, s ); break;
	case 6: c->reach = take_double( n ); break;
	default: c->part = (uint32_t)take_bits( n, 4 ); break;
	}
}

static inline void take_body( numbers* n, const subject* s, const bv_file* file, body* out )
{
	memset( out, 0, sizeof *out );
	out->is_defined = out->has_faces = true;
	uint8_t kind = take_byte( n );
	bool on_lattice = kind & 64;
	bv_vec3 p = take_corner( n, s, on_lattice );
	bv_vec3 q = take_corner( n, s, on_lattice );
	bv_obb box;
	switch ( kind % 16 )
	{
	case 0:
	case 1:
	case 2: take_points( n, s, on_lattice, out ); break;
	case 3: out->shape = bv_convex_point( p ); break;
	case 4: out->shape = bv_convex_segment( p, q ); break;
	case 5: out->shape = bv_convex_triangle( p, q, take_corner( n, s, on_lattice ) ); break;
	case 6:
	case 7:
		box = take_box( n, s, on_lattice );
		out->shape = bv_convex_obb( &box );
		break;
	case 8: out->shape = bv_convex_cylinder( p, q, fabs( take_number( n, s ) ) ); break;
	case 9: out->shape = bv_convex_cone( p, q, fabs( take_number( n, s ) ) ); break;
	case 10:
		box = take_box( n, s, on_lattice );
		out->shape = bv_convex_ellipsoid( &box );
		break;
	case 11: out->shape = bv_convex_half_space( p, take_number( n, s ) ); break;
	case 12: take_callback( n, s, out ); break;
	case 13: out->shape = bv_convex_hull( file ); break;
	case 14: out->shape = bv_convex_part( file, take_byte( n ) % 4u ); break;
	default:
		out->shape = file ? bv_convex_primitive( file ) : bv_convex_sphere( p, fabs( take_number( n, s ) ) );
		break;
	}
	// Files are not what their checksums say, so that neighbors of hulls need not be neighbors.
	out->is_defined &= kind % 16 != 13;
	if ( out->shape.kind == bv_convex_of_box )
	{
		list_box( out );
	}
	if ( out->shape.kind == bv_convex_of_corners )
	{
		list_corners( out );
	}
	if ( kind >= 224 )
	{
		out->shape.radius = fabs( take_number( n, s ) );
	}
	if ( kind >= 128 && kind < 140 )
	{
		damage( n, s, out );
	}
}

static inline void free_body( body* b )
{
	for ( int i = 0; i < 3; ++i )
	{
		free( b->block[i] );
	}
}

static inline double largest( bv_vec3 v )
{
	return fmax( fabs( v.x ), fmax( fabs( v.y ), fabs( v.z ) ) );
}

static inline double length_of( bv_vec3 v )
{
	double size = largest( v );
	return size > 0 ? size * bv_length( ( bv_vec3 ){ v.x / size, v.y / size, v.z / size } ) : 0;
}

// @return how far the center, the ends or the corners of a shape are from its origin, and how large it is
static inline double reach_of( const body* b )
{
	const bv_convex* c = &b->shape;
	double reach = 0;
	for ( uint32_t i = 0; i < b->corners; ++i )
	{
		reach = fmax( reach, largest( b->corner[i] ) );
	}
	for ( int i = 0; i < 3; ++i )
	{
		reach = fmax( reach, largest( c->corner[i] ) );
		reach = fmax( reach, 2 * c->box.half_extents[i] );
	}
	for ( int i = 0; i < numbers_of_callback; ++i )
	{
		reach = fmax( reach, 2 * fabs( b->called.number[i] ) );
	}
	return reach + largest( c->box.center ) + c->disc + fabs( c->radius );
}

static inline bool is_finite( bv_vec3 v )
{
	return isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z );
}

static inline bool is_unit_or_zero( bv_vec3 v )
{
	double length = bv_length( v );
	return !( length > 0 ) ? v.x == 0 && v.y == 0 && v.z == 0 : fabs( length - 1 ) < 1e-9;
}

static inline bool meet( double a_lower, double a_upper, double b_lower, double b_upper, double slack )
{
	return a_lower <= b_upper + slack && b_lower <= a_upper + slack;
}
