// What the tests of lanes share: groups of boxes as they are stored, boxes that nearly touch one of a
// group's, and what is true of boxes and triangles in binary128.

#pragma once

#include "support.h"

#include "runtime/math/vec.h"
#include "runtime/tree/lanes.h"
#include "runtime/volume/packed_obb.h"

#ifdef __SSE2__
#include <xmmintrin.h>

// A host program may have results and operands below 2^-126 flushed to 0.
// @return what to end it with
static inline unsigned flush_denormals( void )
{
	unsigned before = _mm_getcsr();
	_mm_setcsr( before | 0x8040 );
	return before;
}
#endif

__extension__ typedef __float128 quad;

// A group and the bytes it is in.
typedef struct stored
{
	bool aligned; // boxes with the grid's axes
	bvtree_lane_group group;
	uint8_t data[8 * 11 + BVFILE_LANES_SLACK];
} stored;

static inline double random_within( fixture* f, double lower, double upper )
{
	return lower + ( upper - lower ) * random_unit( f );
}

static inline bv_vec3 random_direction( fixture* f )
{
	for ( ;; )
	{
		double x = random_within( f, -1, 1 );
		double y = random_within( f, -1, 1 );
		bv_vec3 d = { x, y, random_within( f, -1, 1 ) };
		double square = bv_dot( d, d );
		if ( square > 0.01 && square <= 1 )
		{
			return bv_scale( 1 / sqrt( square ), d );
		}
	}
}

// `size`: of the grid's 1023 steps. Thin boxes and tiny ones are among them.
static inline void random_group( fixture* f, bool aligned, double size, stored* s )
{
	int exponent;
	frexp( size, &exponent );
	s->aligned = aligned;
	s->group = ( bvtree_lane_group ){ s->data, 1 + random_bits( f ) % 8, { 0 }, 0 };
	for ( size_t i = 0; i < sizeof s->data; ++i )
	{
		s->data[i] = (uint8_t)( random_bits( f ) >> 24 );
	}
	for ( int i = 0; i < 3; ++i )
	{
		s->group.step[i] = (float)ldexp( 1, exponent - 10 - (int)( random_bits( f ) % 3 ) );
	}
	uint32_t n = s->group.count;
	if ( aligned )
	{
		for ( uint32_t i = 0; i < 3 * n; ++i )
		{
			uint8_t lower = s->data[i];
			uint8_t* upper = &s->data[3 * n + i];
			*upper = (uint8_t)( lower + *upper % ( 256 - lower ) );
			*upper = random_bits( f ) % 8 == 0 ? lower : *upper;
		}
		return;
	}
	s->group.extent = (float)ldexp( 1, exponent - 18 );
	for ( uint32_t i = 0; i < n; ++i )
	{
		uint32_t center = (uint32_t)random_bits( f ) & 0x3fffffff;
		uint32_t rotation = (uint32_t)random_bits( f ) & 0x3fffffff;
		for ( int b = 0; b < 4; ++b )
		{
			s->data[4 * i + b] = (uint8_t)( center >> 8 * b );
			s->data[4 * n + 4 * i + b] = (uint8_t)( rotation >> 8 * b );
		}
		for ( int k = 0; k < 3; ++k )
		{
			s->data[( 8 + k ) * n + i] = random_bits( f ) % 16 == 0 ? 0 : s->data[( 8 + k ) * n + i];
		}
	}
}

// Decoded in binary64, by bvvol_obb_unpack.
static inline bv_obb lane_of( const stored* s, uint32_t lane )
{
	const uint8_t* data = s->data;
	uint32_t n = s->group.count;
	bvvol_packed_obb packed = { .rotation = { 0, 0, 0, 1 } };
	if ( s->aligned )
	{
		for ( int i = 0; i < 3; ++i )
		{
			float lower = data[i * n + lane];
			float upper = data[( 3 + i ) * n + lane];
			packed.center[i] = 2 * s->group.step[i] * ( lower + upper );
			packed.half_extents[i] = 2 * s->group.step[i] * ( upper - lower );
		}
		return bvvol_obb_unpack( &packed );
	}
	uint32_t center = 0;
	uint32_t rotation = 0;
	for ( int b = 0; b < 4; ++b )
	{
		center |= (uint32_t)data[4 * lane + b] << 8 * b;
		rotation |= (uint32_t)data[4 * n + 4 * lane + b] << 8 * b;
	}
	for ( int i = 0; i < 3; ++i )
	{
		float q = data[( 8 + i ) * n + lane];
		packed.center[i] = s->group.step[i] * (float)( center >> 10 * i & 1023 );
		packed.rotation[i] = (float)( rotation >> 10 * i & 1023 ) - bvfile_rotation_bias;
		packed.half_extents[i] = s->group.extent * ( q * q );
	}
	packed.rotation[3] = bvfile_rotation_w;
	return bvvol_obb_unpack( &packed );
}

// Makes the axes as little orthonormal as they may be: no product of two changes by more than 2 sqrt 3 times
// 2^-22.
static inline void skew( fixture* f, bvtree_lane_box* box )
{
	for ( int i = 0; i < 9; ++i )
	{
		box->axis[i / 3][i % 3] += random_bits( f ) % 2 ? 0x1p-22f : -0x1p-22f;
	}
}

// Random axes and extents, thin ones among them; center and slack are 0.
static inline bvtree_lane_box random_lane_box( fixture* f, double size )
{
	bvtree_lane_box box = { .slack = 0 };
	bv_vec3 axis[3];
	axis[0] = random_direction( f );
	axis[1] = bv_cross( axis[0], random_direction( f ) );
	axis[1] = bv_scale( 1 / sqrt( bv_dot( axis[1], axis[1] ) ), axis[1] );
	axis[2] = bv_cross( axis[0], axis[1] );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			box.axis[i][k] = (float)bvmath_component( axis[i], k );
		}
		box.half[i] = random_bits( f ) % 16 == 0 ? 0 : (float)( size * random_within( f, 0.01, 1 ) );
	}
	return box;
}

static inline bv_vec3 row( const float v[3] )
{
	return ( bv_vec3 ){ v[0], v[1], v[2] };
}

// The point of a box about the origin that is outermost along `d`; any one where several are.
static inline bv_vec3 outermost( fixture* f, const bv_vec3 axis[3], const double half[3], bv_vec3 d )
{
	bv_vec3 p = { 0, 0, 0 };
	for ( int i = 0; i < 3; ++i )
	{
		double along = bv_dot( axis[i], d );
		double at = fabs( along ) < 1e-6 ? random_within( f, -1, 1 ) : along < 0 ? -1 : 1;
		p = bv_add( p, bv_scale( at * half[i], axis[i] ) );
	}
	return p;
}

static inline double lane_extents( const bvtree_lane_box* a, const bv_obb* b )
{
	return ( (double)a->half[0] + a->half[1] + a->half[2] ) +
	       ( b->half_extents[0] + b->half_extents[1] + b->half_extents[2] );
}

// One of the directions that separate boxes, or any other.
// @param kind  0 to 2: an axis of `a`; 3 to 5: of `b`; 6 to 14: a product; else any
// @return of length 1 but for the rounding of `a`; 0 where axes are so nearly parallel that they give none
static inline bv_vec3 candidate( fixture* f, const bvtree_lane_box* a, const bv_obb* b, uint32_t kind )
{
	if ( kind > 14 )
	{
		return random_direction( f );
	}
	bv_vec3 d = kind < 3   ? row( a->axis[kind] )
	            : kind < 6 ? b->axis[kind - 3]
	                       : bv_cross( row( a->axis[( kind - 6 ) / 3] ), b->axis[( kind - 6 ) % 3] );
	double length = sqrt( bv_dot( d, d ) );
	return length < 0.5 ? ( bv_vec3 ){ 0, 0, 0 } : bv_scale( 1 / length, d );
}

// Moves `a` to where it is `gap` from `b` along `d`, but for the rounding of its center.
// @return how far the points are apart that were a gap apart before rounding: not less than the distance
static inline double place_apart( fixture* f, bvtree_lane_box* a, const bv_obb* b, bv_vec3 d, double gap )
{
	const bv_vec3 axis[3] = { row( a->axis[0] ), row( a->axis[1] ), row( a->axis[2] ) };
	const double half[3] = { a->half[0], a->half[1], a->half[2] };
	bv_vec3 of_b = outermost( f, b->axis, b->half_extents, d );
	bv_vec3 of_a = outermost( f, axis, half, bv_negate( d ) );
	bv_vec3 c = bv_add( bv_sub( bv_add( b->center, of_b ), of_a ), bv_scale( gap, d ) );
	a->center[0] = (float)c.x;
	a->center[1] = (float)c.y;
	a->center[2] = (float)c.z;
	bv_vec3 between = bv_sub( bv_add( row( a->center ), of_a ), bv_add( b->center, of_b ) );
	return sqrt( bv_dot( between, between ) );
}

typedef struct quad_vector
{
	quad at[3];
} quad_vector;

static inline quad quad_dot( quad_vector a, quad_vector b )
{
	return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static inline quad_vector quad_cross( quad_vector a, quad_vector b )
{
	return ( quad_vector ){ { a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
		                      a.at[0] * b.at[1] - a.at[1] * b.at[0] } };
}

static inline quad quad_abs( quad x )
{
	return x < 0 ? -x : x;
}

// A parallelepiped, whose axes need not be orthogonal, or a triangle.
typedef struct solid
{
	int corners; // 3; of a box 1, its center
	quad_vector corner[3];
	int halves; // of a box 3: from its center to its faces'
	quad_vector half[3];
	int normals;
	quad_vector normal[3];
	quad_vector edge[3]; // directions
} solid;

static inline solid solid_box( const double center[3], double axis[3][3], const double half[3] )
{
	solid s = { .corners = 1, .halves = 3, .normals = 3 };
	for ( int i = 0; i < 3; ++i )
	{
		s.corner[0].at[i] = center[i];
		for ( int k = 0; k < 3; ++k )
		{
			s.edge[i].at[k] = axis[i][k];
			s.half[i].at[k] = (quad)axis[i][k] * half[i];
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		s.normal[i] = quad_cross( s.edge[( i + 1 ) % 3], s.edge[( i + 2 ) % 3] );
	}
	return s;
}

static inline solid solid_lane_box( const bvtree_lane_box* a )
{
	double center[3];
	double axis[3][3];
	double half[3];
	for ( int i = 0; i < 3; ++i )
	{
		center[i] = a->center[i];
		half[i] = a->half[i];
		for ( int k = 0; k < 3; ++k )
		{
			axis[i][k] = a->axis[i][k];
		}
	}
	return solid_box( center, axis, half );
}

static inline solid solid_obb( const bv_obb* b )
{
	const double center[3] = { b->center.x, b->center.y, b->center.z };
	double axis[3][3] = { { b->axis[0].x, b->axis[0].y, b->axis[0].z },
		                  { b->axis[1].x, b->axis[1].y, b->axis[1].z },
		                  { b->axis[2].x, b->axis[2].y, b->axis[2].z } };
	return solid_box( center, axis, b->half_extents );
}

static inline solid solid_triangle( const bvtree_lane_triangles* t, uint32_t lane )
{
	solid s = { .corners = 3, .normals = 1 };
	for ( int k = 0; k < 3; ++k )
	{
		for ( int i = 0; i < 3; ++i )
		{
			s.corner[k].at[i] = t->corner[k][i][lane];
			s.edge[k].at[i] = (quad)t->corner[( k + 1 ) % 3][i][lane] - t->corner[k][i][lane];
		}
	}
	s.normal[0] = quad_cross( s.edge[0], s.edge[1] );
	return s;
}

// Where a solid begins and ends along a direction.
static inline void quad_span( const solid* s, quad_vector d, quad* lower, quad* upper )
{
	quad radius = 0;
	for ( int i = 0; i < s->halves; ++i )
	{
		radius += quad_abs( quad_dot( d, s->half[i] ) );
	}
	*lower = *upper = quad_dot( d, s->corner[0] );
	for ( int k = 1; k < s->corners; ++k )
	{
		quad at = quad_dot( d, s->corner[k] );
		*lower = at < *lower ? at : *lower;
		*upper = at > *upper ? at : *upper;
	}
	*lower -= radius;
	*upper += radius;
}

static inline bool separates( const solid* a, const solid* b, quad_vector d )
{
	quad lower[2];
	quad upper[2];
	quad_span( a, d, &lower[0], &upper[0] );
	quad_span( b, d, &lower[1], &upper[1] );
	return lower[0] > upper[1] || lower[1] > upper[0];
}

// Disjoint solids are separated by a face's normal or a product of edges, unless both are triangles in one
// plane: then these may find nothing.
static inline bool truly_apart( const solid* a, const solid* b )
{
	for ( int i = 0; i < 3; ++i )
	{
		if ( ( i < a->normals && separates( a, b, a->normal[i] ) ) ||
		     ( i < b->normals && separates( a, b, b->normal[i] ) ) )
		{
			return true;
		}
		for ( int j = 0; j < 3; ++j )
		{
			if ( separates( a, b, quad_cross( a->edge[i], b->edge[j] ) ) )
			{
				return true;
			}
		}
	}
	return false;
}
