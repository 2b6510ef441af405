// Cleaning of meshes. See clean.h.

#include "offline/mesh/clean.h"

#include "offline/base/error.h"
#include "offline/base/sort.h"

#include <math.h>

double bvmesh_exponent_scale( double largest )
{
	int exponent;
	frexp( largest, &exponent );
	return ldexp( 1.0, exponent < -1000 ? 1000 : -exponent );
}

// a * b - c * d is zero, decided without rounding: the two products' heads and tails must agree.
static bool products_equal( double a, double b, double c, double d )
{
	double p = a * b;
	double q = c * d;
	return p == q && fma( a, b, -p ) == fma( c, d, -q );
}

// Products of tiny edges are scaled by a power of two so that their tails do not vanish.
bool bvmesh_spans_area_exactly( bv_vec3 u, bv_vec3 v )
{
	double scale = bvmesh_exponent_scale( bvmath_max( bvmath_norm1( u ), bvmath_norm1( v ) ) );
	u = bv_scale( scale, u );
	v = bv_scale( scale, v );
	return !( products_equal( u.y, v.z, u.z, v.y ) && products_equal( u.z, v.x, u.x, v.z ) &&
	          products_equal( u.x, v.y, u.y, v.x ) );
}

static uint32_t least_corner( const bvb_triangle* t )
{
	const uint32_t* c = t->corner;
	return c[0] < c[1] ? ( c[0] < c[2] ? c[0] : c[2] ) : ( c[1] < c[2] ? c[1] : c[2] );
}

// The two corners that follow the least one: of triangles with a common least corner, equal for equal
// vertices and equal winding only.
static uint64_t other_corners( const bvb_triangle* t )
{
	const uint32_t* c = t->corner;
	int first = c[0] < c[1] ? ( c[0] < c[2] ? 0 : 2 ) : ( c[1] < c[2] ? 1 : 2 );
	return (uint64_t)c[( first + 1 ) % 3] << 32 | c[( first + 2 ) % 3];
}

enum
{
	few = 24, // triangles of which each is compared with each
};

static const uint32_t removed = UINT32_MAX; // as a corner

// Marks each triangle that repeats one before it among `count` triangles with a common least corner.
static void mark_repeats( bvb_triangle* triangles, const uint32_t* numbers, uint32_t count )
{
	uint64_t keys[few];
	for ( uint32_t i = 0; i < count; ++i )
	{
		keys[i] = other_corners( triangles + numbers[i] );
		for ( uint32_t k = 0; k < i; ++k )
		{
			if ( keys[k] == keys[i] )
			{
				triangles[numbers[i]].corner[0] = removed;
				break;
			}
		}
	}
}

// The same for any number of them.
static void mark_repeats_sorted( bvb_triangle* triangles, const uint32_t* numbers, uint32_t count,
                                 bvbase_sort_entry* entries )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		entries[i] = ( bvbase_sort_entry ){ other_corners( triangles + numbers[i] ), numbers[i] };
	}
	bvbase_sort( entries, entries + count, count );
	for ( uint32_t i = 1; i < count; ++i )
	{
		if ( entries[i].key == entries[i - 1].key )
		{
			triangles[entries[i].value].corner[0] = removed;
		}
	}
}

// Triangles in buckets by their least corner, in their order.
typedef struct buckets
{
	uint32_t* numbers; // of the triangles
	uint32_t* end;     // of each vertex's bucket
} buckets;

static bool fill_buckets( const bvb_mesh* mesh, bvb_arena* scratch, buckets* out )
{
	out->numbers = bvb_arena_allocate( scratch, mesh->triangle_count, sizeof *out->numbers );
	uint32_t* start = bvb_arena_allocate( scratch, (size_t)mesh->vertex_count + 1, sizeof *start );
	if ( !out->numbers || !start )
	{
		return false;
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		start[least_corner( mesh->triangles + i ) + 1] += 1;
	}
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		start[v + 1] += start[v];
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		out->numbers[start[least_corner( mesh->triangles + i )]++] = i;
	}
	out->end = start;
	return true;
}

bv_status bvmesh_drop_duplicates( bvb_mesh* mesh, bvb_arena* scratch, uint64_t* dropped, bvb_error* error )
{
	buckets b;
	if ( !fill_buckets( mesh, scratch, &b ) )
	{
		return bvbase_fail_memory( error );
	}
	uint32_t largest = 0;
	for ( uint32_t v = 0, first = 0; v < mesh->vertex_count; first = b.end[v++] )
	{
		largest = b.end[v] - first > largest ? b.end[v] - first : largest;
	}
	bvbase_sort_entry* entries = NULL;
	if ( largest > few )
	{
		entries = bvb_arena_allocate( scratch, 2 * (size_t)largest, sizeof *entries );
		if ( !entries )
		{
			return bvbase_fail_memory( error );
		}
	}

	for ( uint32_t v = 0, first = 0; v < mesh->vertex_count; first = b.end[v++] )
	{
		uint32_t count = b.end[v] - first;
		if ( count > few )
		{
			mark_repeats_sorted( mesh->triangles, b.numbers + first, count, entries );
		}
		else if ( count > 1 )
		{
			mark_repeats( mesh->triangles, b.numbers + first, count );
		}
	}
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( mesh->triangles[i].corner[0] != removed )
		{
			bvmesh_keep_triangle( mesh, i, kept++ );
		}
	}
	*dropped += mesh->triangle_count - kept;
	mesh->triangle_count = kept;
	return bv_ok;
}
