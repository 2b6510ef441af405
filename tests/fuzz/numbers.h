// Bytes of an input as what queries are asked with: numbers of every size and none, points near a mesh, placements that are
// mostly valid. Behind the last byte others follow, always the same, so that a file alone asks something too.

#pragma once

#include "bv/bv.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct numbers
{
	const uint8_t* at;
	size_t left;
	uint64_t state; // of what follows the last byte
} numbers;

static inline numbers numbers_begin( const uint8_t* data, size_t size )
{
	return ( numbers ){ data, size, 0x9e3779b97f4a7c15u };
}

// Marsaglia's xorshift64 when there are no more.
static inline uint8_t take_byte( numbers* n )
{
	if ( n->left > 0 )
	{
		n->left -= 1;
		return *n->at++;
	}
	n->state ^= n->state << 13;
	n->state ^= n->state >> 7;
	n->state ^= n->state << 17;
	return (uint8_t)( n->state >> 32 );
}

static inline uint64_t take_bits( numbers* n, int bytes )
{
	uint64_t bits = 0;
	for ( int i = 0; i < bytes; ++i )
	{
		bits |= (uint64_t)take_byte( n ) << ( 8 * i );
	}
	return bits;
}

static inline bool take_chance( numbers* n, uint8_t of_256 )
{
	return take_byte( n ) < of_256;
}

// -1 to 1, 0 among them.
static inline double take_unit( numbers* n )
{
	return ( (double)take_bits( n, 2 ) - 0x8000 ) * 0x1p-15;
}

static inline double take_double( numbers* n )
{
	uint64_t bits = take_bits( n, 8 );
	double value;
	memcpy( &value, &bits, sizeof value );
	return value;
}

// A mesh, and what its coordinates are like.
typedef struct subject
{
	const bv_file* file;
	uint32_t vertices; // 0 when there are no positions
	uint32_t triangles;
	double size;
} subject;

static inline subject subject_of( const bv_file* file )
{
	bv_mesh_info mesh = bv_file_get_mesh( file );
	subject s = { .file = file, .triangles = mesh.has_triangles ? mesh.triangles : 0, .size = 1 };
	s.vertices = mesh.has_triangles ? mesh.vertices : 0;
	bv_vec3 first = bv_file_get_vertex( file, 0 );
	for ( uint32_t i = 1; i < s.vertices && i < 64; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		double apart = fabs( p.x - first.x ) + fabs( p.y - first.y ) + fabs( p.z - first.z );
		s.size = apart > s.size || i == 1 ? apart : s.size;
	}
	return s;
}

// Of a length in the mesh's coordinates, or anything.
static inline double take_number( numbers* n, const subject* s )
{
	static const double special[] = { INFINITY, -INFINITY, NAN,     DBL_MAX,  -DBL_MAX, DBL_MIN,
		                              FLT_MAX,  FLT_MIN,   0x1p100, 0x1p-100, 0x1p-149, 0x1p-1074,
		                              0x1p511,  0x1p512,   -0.0,    1 };
	uint8_t kind = take_byte( n );
	switch ( kind % 16 )
	{
	case 0: return 0;
	case 1: return kind < 128 ? take_double( n ) : ldexp( take_unit( n ), (int8_t)take_byte( n ) );
	case 2: return special[kind / 16];
	case 3: return take_unit( n );
	case 4: return s->size * ldexp( take_unit( n ), (int8_t)take_byte( n ) / 4 );
	default: return s->size * take_unit( n );
	}
}

static inline bv_vec3 take_vector( numbers* n, const subject* s )
{
	double x = take_number( n, s );
	double y = take_number( n, s );
	return ( bv_vec3 ){ x, y, take_number( n, s ) };
}

// A corner, a point near one, between two of them, or anywhere.
static inline bv_vec3 take_point( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	if ( s->vertices == 0 || kind < 64 )
	{
		return take_vector( n, s );
	}
	bv_vec3 p = bv_file_get_vertex( s->file, (uint32_t)take_bits( n, 2 ) % s->vertices );
	bv_vec3 q = bv_file_get_vertex( s->file, (uint32_t)take_bits( n, 2 ) % s->vertices );
	double near = kind < 192 ? ldexp( s->size, -( kind % 32 ) ) : 0;
	double t = kind % 2 ? 0.5 : 0;
	return ( bv_vec3 ){ p.x + t * ( q.x - p.x ) + near * take_unit( n ),
		                p.y + t * ( q.y - p.y ) + near * take_unit( n ),
		                p.z + t * ( q.z - p.z ) + near * take_unit( n ) };
}

// Of a quaternion of few bits, so that quarter turns and axes in common occur.
static inline void take_rotation( numbers* n, double r[3][3] )
{
	double q[4];
	double square = 0;
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = (int8_t)take_byte( n );
		square += q[i] * q[i];
	}
	double s = square > 0 ? 2 / square : 0;
	double x = q[0], y = q[1], z = q[2], w = q[3];
	const double rows[3][3] = { { 1 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
		                        { s * ( x * y + w * z ), 1 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
		                        { s * ( x * z - w * y ), s * ( y * z + w * x ), 1 - s * ( x * x + y * y ) } };
	memcpy( r, rows, sizeof rows );
}

// What brings a point of b, or a point anywhere, to a point near a.
static inline bv_pose take_pose( numbers* n, const subject* a, const subject* b )
{
	bv_pose pose = bv_pose_identity();
	uint8_t kind = take_byte( n );
	if ( kind < 32 )
	{
		return pose;
	}
	if ( kind < 192 )
	{
		take_rotation( n, pose.rotation );
	}
	if ( kind % 8 == 0 ) // nearly orthonormal, or not
	{
		pose.rotation[kind / 8 % 3][kind / 32 % 3] += 1e-4 * take_unit( n );
	}
	if ( kind % 64 == 1 )
	{
		pose.rotation[0][0] = take_double( n );
	}
	bv_vec3 from = take_point( n, b );
	bv_vec3 to = take_point( n, a );
	const bv_pose turn = pose;
	const double( *r )[3] = turn.rotation;
	pose.translation = to;
	if ( kind % 4 != 0 )
	{
		pose.translation.x -= r[0][0] * from.x + r[0][1] * from.y + r[0][2] * from.z;
		pose.translation.y -= r[1][0] * from.x + r[1][1] * from.y + r[1][2] * from.z;
		pose.translation.z -= r[2][0] * from.x + r[2][1] * from.y + r[2][2] * from.z;
	}
	return pose;
}

static inline bv_transform take_transform( numbers* n, const subject* a, const subject* b )
{
	bv_pose pose = take_pose( n, a, b );
	bv_transform t = bv_transform_of_pose( &pose );
	uint8_t kind = take_byte( n );
	t.mirror = kind % 2;
	if ( kind >= 128 )
	{
		t.scale = kind < 192   ? ldexp( 1 + 0.5 * take_unit( n ), kind % 8 - 4 )
		          : kind < 240 ? ldexp( 1, (int8_t)take_byte( n ) )
		                       : take_number( n, a );
	}
	return t;
}
