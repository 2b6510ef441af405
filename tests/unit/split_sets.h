// Sets for splitters, and how two partitions compare.

#pragma once

#include "splitting.h"

enum
{
	most_faces = 4096, // of a set
};

// Triangles of about `size`, one round each point: their midpoints are the points but for rounding.
static inline bvb_mesh triangles_round( fixture* f, const bv_vec3* at, uint32_t count, double size )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3* p = mesh.positions + 3 * (size_t)i;
		p[0] = ( bv_vec3 ){ at[i].x - size, at[i].y - size, at[i].z };
		p[1] = ( bv_vec3 ){ at[i].x + size, at[i].y, at[i].z - size };
		p[2] = ( bv_vec3 ){ at[i].x, at[i].y + size, at[i].z + size };
	}
	return mesh;
}

// Triangles in the unit cube with coordinates of 20 bits, so that moving them far away loses nothing.
static inline bvb_mesh random_soup( fixture* f, uint32_t count, double size )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 at = random_point( f );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 off = random_point( f );
			mesh.positions[3 * i + (uint32_t)k] =
				( bv_vec3 ){ floor( ( at.x + size * off.x ) * 0x1p20 ) * 0x1p-20,
				             floor( ( at.y + size * off.y ) * 0x1p20 ) * 0x1p-20,
				             floor( ( at.z + size * off.z ) * 0x1p20 ) * 0x1p-20 };
		}
	}
	return mesh;
}

static inline void move_mesh( bvb_mesh* mesh, bv_vec3 by )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3* p = mesh->positions + i;
		*p = ( bv_vec3 ){ p->x + by.x, p->y + by.y, p->z + by.z };
	}
}

// Divides a mesh's triangles; `part` is by triangle. Null options are the defaults.
static inline void divide_mesh( fixture* f, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                                const char* splitter, uint32_t degree, uint8_t* part )
{
	splitting s;
	splitting_begin( f, mesh, options, &s );
	splitting_divide( &s, splitter, degree );
	memcpy( part, s.part, mesh->triangle_count );
	splitting_end( &s );
}

// Whether the same faces are together, whatever the parts are called.
static inline bool same_partition( const uint8_t* a, const uint8_t* b, uint32_t count )
{
	int name[256];
	int back[256];
	for ( int k = 0; k < 256; ++k )
	{
		name[k] = back[k] = -1;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( name[a[i]] < 0 && back[b[i]] < 0 )
		{
			name[a[i]] = b[i];
			back[b[i]] = a[i];
		}
		if ( name[a[i]] != b[i] || back[b[i]] != a[i] )
		{
			return false;
		}
	}
	return true;
}

static inline uint32_t count_parts( const uint8_t* part, uint32_t count )
{
	bool used[256] = { false };
	uint32_t parts = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		parts += !used[part[i]];
		used[part[i]] = true;
	}
	return parts;
}

// Divides a mesh, then the same triangles in another order, and says whether the same are together.
static inline bool ignores_order( fixture* f, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                                  const char* splitter, uint32_t degree )
{
	uint32_t count = mesh->triangle_count;
	uint8_t part[most_faces];
	uint8_t shuffled[most_faces];
	uint8_t back[most_faces];
	uint32_t from[most_faces];
	bvb_mesh other = *mesh;
	other.triangles = bvb_arena_allocate( f->arena, count, sizeof *other.triangles );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t k = (uint32_t)( random_bits( f ) % ( i + 1 ) );
		from[i] = from[k];
		from[k] = i;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		other.triangles[i] = mesh->triangles[from[i]];
	}
	divide_mesh( f, mesh, options, splitter, degree, part );
	divide_mesh( f, &other, options, splitter, degree, shuffled );
	for ( uint32_t i = 0; i < count; ++i )
	{
		back[from[i]] = shuffled[i];
	}
	return same_partition( part, back, count );
}

// What no splitter may be troubled by: identical triangles, triangles with one midpoint, two, one far from the origin, flat
// ones and ones on a line. Where midpoints differ by more than rounding there must be several parts.
static inline void check_odd_sets( fixture* f, const bvb_hierarchy_options* options, const char* splitter )
{
	static const bv_vec3 zero = { 0, 0, 0 };
	uint8_t part[64];
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		bv_vec3 at[40] = { { 0, 0, 0 } };
		bvb_mesh same = triangles_round( f, at, 40, 1 );
		divide_mesh( f, &same, options, splitter, degree, part );
		for ( int i = 0; i < 120; ++i )
		{
			double s = 1 + i / 3;
			bv_vec3* p = same.positions + i;
			*p = ( bv_vec3 ){ s * p->x, s * p->y, s * p->z };
		}
		divide_mesh( f, &same, options, splitter, degree, part );

		for ( int i = 0; i < 40; ++i )
		{
			at[i] = random_point( f );
			at[i].z = 0;
		}
		bvb_mesh flat = triangles_round( f, at, 40, 0 );
		for ( int i = 0; i < 40; ++i )
		{
			flat.positions[3 * i].x += 0.01;
			flat.positions[3 * i + 1].y += 0.01;
		}
		divide_mesh( f, &flat, options, splitter, degree, part );
		assert_true( count_parts( part, 40 ) > 1 );
		for ( int i = 0; i < 120; ++i )
		{
			flat.positions[i].y = 3 * flat.positions[i].x;
		}
		divide_mesh( f, &flat, options, splitter, degree, part );
		assert_true( count_parts( part, 40 ) > 1 );

		bvb_mesh two = random_soup( f, 2, 1 );
		divide_mesh( f, &two, options, splitter, 2, part );
		assert_int_equal( count_parts( part, 2 ), 2 );
	}
	// The two halves of a rectangle and of a square.
	for ( double side = 1; side < 3; ++side )
	{
		const bv_vec3 p[] = { zero, { side, 0, 0 }, { side, 1, 0 }, { 0, 1, 0 } };
		const uint32_t t[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
		bvb_mesh halves = mesh_of( f, p, 4, t, 2 );
		divide_mesh( f, &halves, options, splitter, 2, part );
		assert_int_equal( count_parts( part, 2 ), 2 );
	}
}

// Whether the same triangles are together when they are 2^20 farther from the origin, which rounds none of their corners.
static inline bool ignores_place( fixture* f, bvb_mesh* mesh, const bvb_hierarchy_options* options,
                                  const char* splitter, uint32_t degree )
{
	uint8_t part[most_faces];
	uint8_t far[most_faces];
	divide_mesh( f, mesh, options, splitter, degree, part );
	move_mesh( mesh, ( bv_vec3 ){ 0x1p20, -0x1p20, 0x1p21 } );
	divide_mesh( f, mesh, options, splitter, degree, far );
	move_mesh( mesh, ( bv_vec3 ){ -0x1p20, 0x1p20, -0x1p21 } );
	return same_partition( part, far, mesh->triangle_count );
}
