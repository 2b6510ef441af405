// Triangles in common, by a table of hashes. See shared.h.

#include "offline/hausdorff/shared.h"

#include "offline/base/arena.h"

#include <string.h>

typedef struct shared_table
{
	const bvhaus_placed_triangle* placed;
	uint32_t* slot; // index of a triangle plus 1; 0 is empty
	uint64_t mask;  // length of slot less 1
} shared_table;

// Knuth's multiplicative hashing; 0 and -0 are the same.
static uint64_t mix( uint64_t hash, double coordinate )
{
	uint64_t bits;
	coordinate += 0.0;
	memcpy( &bits, &coordinate, sizeof bits );
	hash = ( hash ^ bits ) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static uint64_t hash_of_point( bv_vec3 p )
{
	return mix( mix( mix( 1, p.x ), p.y ), p.z );
}

// The order of the corners makes no difference.
static uint64_t hash_of( const bv_vec3 corner[3] )
{
	uint64_t sum = hash_of_point( corner[0] ) + hash_of_point( corner[1] ) + hash_of_point( corner[2] );
	return sum ^ sum >> 32;
}

static bool is_point( bv_vec3 a, bv_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_corner( bv_vec3 p, const bv_vec3 corner[3] )
{
	return is_point( p, corner[0] ) || is_point( p, corner[1] ) || is_point( p, corner[2] );
}

// Of triangles whose corners differ.
static bool is_same( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	return is_corner( a[0], b ) && is_corner( a[1], b ) && is_corner( a[2], b );
}

// Where the triangle is in the table, or the empty slot where it would be.
static uint64_t find( const shared_table* t, const bv_vec3 corner[3] )
{
	uint64_t at = hash_of( corner ) & t->mask;
	while ( t->slot[at] != 0 && !is_same( corner, t->placed[t->slot[at] - 1].corner ) )
	{
		at = ( at + 1 ) & t->mask;
	}
	return at;
}

static bool make_table( const bvhaus_index* index, bvb_arena* scratch, shared_table* out )
{
	uint64_t size = 4;
	while ( size < 2 * (uint64_t)index->triangle_count )
	{
		size *= 2;
	}
	*out =
		( shared_table ){ index->placed, bvb_arena_allocate( scratch, size, sizeof *out->slot ), size - 1 };
	for ( uint32_t i = 0; out->slot && i < index->triangle_count; ++i )
	{
		out->slot[find( out, index->placed[i].corner )] = i + 1;
	}
	return out->slot;
}

bool bvhaus_find_unshared( const bvb_mesh* mesh, const bvhaus_index* index, bvb_arena* scratch,
                           uint32_t** which, uint32_t* count )
{
	shared_table t;
	*which = bvb_arena_allocate( scratch, mesh->triangle_count, sizeof **which );
	if ( !*which || !make_table( index, scratch, &t ) )
	{
		return false;
	}
	*count = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		bvhaus_placed_triangle triangle = bvhaus_place_triangle( mesh, i, i );
		if ( t.slot[find( &t, triangle.corner )] == 0 )
		{
			( *which )[( *count )++] = i;
		}
	}
	return true;
}
