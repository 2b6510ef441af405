// Covering by degree modulo 2. See cover.h.

#include "offline/recognize/cover.h"

#include "bvbuild/base.h"
#include "offline/base/exact.h"

#include <math.h>
#include <stdlib.h>

enum
{
	rays = 8, // until one meets no edge
};

static int compare( const void* a, const void* b )
{
	uint32_t x = *(const uint32_t*)a;
	uint32_t y = *(const uint32_t*)b;
	return ( x > y ) - ( x < y );
}

// Whether each number is there an even number of times.
static bool are_even( uint32_t* number, uint32_t count )
{
	if ( count > 1 )
	{
		qsort( number, count, sizeof *number, compare );
	}
	for ( uint32_t i = 0; i < count; i += 2 )
	{
		if ( i + 1 == count || number[i] != number[i + 1] )
		{
			return false;
		}
	}
	return true;
}

// Edges are sorted by their lesser vertex, counting, and then by the other.
bvrecog_edges_known bvrecog_find_edges( const bvb_mesh* mesh, bvb_arena* scratch )
{
	size_t sides = 3 * (size_t)mesh->triangle_count;
	uint32_t* end = bvb_arena_allocate( scratch, (size_t)mesh->vertex_count + 1, sizeof *end );
	uint32_t* other = bvb_arena_allocate( scratch, sides, sizeof *other );
	if ( !end || !other )
	{
		return bvrecog_edges_unknown;
	}
	for ( size_t i = 0; i < sides; ++i )
	{
		const uint32_t* c = mesh->triangles[i / 3].corner;
		uint32_t a = c[i % 3];
		uint32_t b = c[( i + 1 ) % 3];
		end[( a < b ? a : b ) + 1] += 1;
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		end[i + 1] += end[i];
	}
	for ( size_t i = 0; i < sides; ++i )
	{
		const uint32_t* c = mesh->triangles[i / 3].corner;
		uint32_t a = c[i % 3];
		uint32_t b = c[( i + 1 ) % 3];
		other[end[a < b ? a : b]++] = a < b ? b : a;
	}
	uint32_t first = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		if ( !are_even( other + first, end[i] - first ) )
		{
			return bvrecog_edges_odd;
		}
		first = end[i];
	}
	return bvrecog_edges_even;
}

// A segment from the middle to beyond the mesh.
typedef struct cover_ray
{
	bv_vec3 from;
	bv_vec3 to;
} cover_ray;

typedef enum crossing
{
	crossing_none,
	crossing_one,
	crossing_unsure, // it meets an edge, a corner, or the plane in one of its ends
} crossing;

static crossing cross( const cover_ray* r, const bv_vec3 p[3] )
{
	double below = bvbase_orient3d( p[0], p[1], p[2], r->from );
	double above = bvbase_orient3d( p[0], p[1], p[2], r->to );
	if ( ( below < 0 && above < 0 ) || ( below > 0 && above > 0 ) )
	{
		return crossing_none;
	}
	int left = 0;
	int right = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double side = bvbase_orient3d( r->from, r->to, p[k], p[( k + 1 ) % 3] );
		left += side > 0;
		right += side < 0;
	}
	if ( left > 0 && right > 0 )
	{
		return crossing_none;
	}
	return left + right == 3 && below != 0 && above != 0 ? crossing_one : crossing_unsure;
}

// Scaled by a power of two so that no coordinate is above 1, as exact predicates want them.
static double scale_for( const bvrecog_place* place, bv_vec3 middle )
{
	double largest = bvmath_norm1( place->origin ) + bvmath_norm1( middle ) + 8 * place->unit;
	int exponent;
	frexp( largest, &exponent );
	return ldexp( 1, -exponent );
}

static cover_ray make_ray( const bvrecog_place* place, bv_vec3 middle, double scale, int index )
{
	bv_vec3 way = { 2, 0.1 + 0.23 * index, 0.3 - 0.37 * index };
	bv_vec3 to = bv_add( place->origin, bv_scale( 2 * place->unit, way ) );
	return ( cover_ray ){ bv_scale( scale, middle ), bv_scale( scale, to ) };
}

bool bvrecog_surrounds( const bvb_mesh* mesh, const bvrecog_place* place, bv_vec3 middle )
{
	double scale = scale_for( place, middle );
	for ( int index = 0; index < rays; ++index )
	{
		cover_ray r = make_ray( place, middle, scale, index );
		uint32_t crossings = 0;
		bool sure = true;
		for ( uint32_t i = 0; i < mesh->triangle_count && sure; ++i )
		{
			bv_vec3 p[3];
			for ( int k = 0; k < 3; ++k )
			{
				p[k] = bv_scale( scale, mesh->positions[mesh->triangles[i].corner[k]] );
			}
			crossing c = cross( &r, p );
			crossings += c == crossing_one;
			sure = c != crossing_unsure;
		}
		if ( sure )
		{
			return crossings % 2 == 1;
		}
	}
	return false;
}

double bvrecog_cover_factor( bv_primitive_kind kind )
{
	switch ( kind )
	{
	case bv_primitive_box: return 2.6132;
	case bv_primitive_cylinder: return 2.2361;
	default: return 1;
	}
}
