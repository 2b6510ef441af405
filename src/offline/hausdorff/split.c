// Splitting triangles. See split.h.

#include "offline/hausdorff/split.h"

#include "runtime/math/vec.h"

#include <math.h>

bv_aabb bvhaus_box_of_triangles( const bvhaus_placed_triangle* triangles, uint32_t count )
{
	bv_aabb box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bv_vec3* c = triangles[i].corner;
		box.lower = bvmath_least( box.lower, bvmath_least( c[0], bvmath_least( c[1], c[2] ) ) );
		box.upper = bvmath_greatest( box.upper, bvmath_greatest( c[0], bvmath_greatest( c[1], c[2] ) ) );
	}
	return box;
}

// Three times the midpoint's coordinate.
static double key_of( const bvhaus_placed_triangle* t, int axis )
{
	return bvmath_component( t->corner[0], axis ) + bvmath_component( t->corner[1], axis ) +
	       bvmath_component( t->corner[2], axis );
}

static void swap( bvhaus_placed_triangle* a, bvhaus_placed_triangle* b )
{
	bvhaus_placed_triangle t = *a;
	*a = *b;
	*b = t;
}

static uint32_t part_at( bvhaus_placed_triangle* triangles, uint32_t count, int axis, double key )
{
	uint32_t first = 0;
	uint32_t end = count;
	for ( ;; )
	{
		while ( first < end && key_of( triangles + first, axis ) < key )
		{
			first += 1;
		}
		while ( first < end && !( key_of( triangles + end - 1, axis ) < key ) )
		{
			end -= 1;
		}
		if ( first == end )
		{
			return first;
		}
		swap( triangles + first, triangles + end - 1 );
	}
}

// Orders two triangles along an axis, and by number where they are the same.
static bool is_before( const bvhaus_placed_triangle* a, const bvhaus_placed_triangle* b, int axis )
{
	double key_a = key_of( a, axis );
	double key_b = key_of( b, axis );
	return key_a < key_b || ( key_a == key_b && a->number < b->number );
}

// Brings the first `wanted` ones in front (Hoare 1961, "Find").
static void part_at_rank( bvhaus_placed_triangle* t, uint32_t count, int axis, uint32_t wanted )
{
	uint32_t first = 0;
	uint32_t end = count;
	while ( end - first > 1 )
	{
		swap( t + first + ( end - first ) / 2, t + end - 1 );
		uint32_t kept = first;
		for ( uint32_t i = first; i < end - 1; ++i )
		{
			if ( is_before( t + i, t + end - 1, axis ) )
			{
				swap( t + i, t + kept++ );
			}
		}
		swap( t + kept, t + end - 1 );
		if ( kept == wanted )
		{
			return;
		}
		first = kept < wanted ? kept + 1 : first;
		end = kept < wanted ? end : kept;
	}
}

// The box of three times the midpoints.
static bv_aabb box_of_keys( const bvhaus_placed_triangle* triangles, uint32_t count )
{
	bv_aabb box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 key = { key_of( triangles + i, 0 ), key_of( triangles + i, 1 ), key_of( triangles + i, 2 ) };
		box.lower = bvmath_least( box.lower, key );
		box.upper = bvmath_greatest( box.upper, key );
	}
	return box;
}

uint32_t bvhaus_split_triangles( bvhaus_placed_triangle* triangles, uint32_t count )
{
	bv_aabb box = box_of_keys( triangles, count );
	bv_vec3 e = bv_sub( box.upper, box.lower );
	int axis = e.x >= e.y && e.x >= e.z ? 0 : e.y >= e.z ? 1 : 2;
	double middle = 0.5 * bvmath_component( box.lower, axis ) + 0.5 * bvmath_component( box.upper, axis );
	uint32_t below = part_at( triangles, count, axis, middle );
	if ( below < ( count + 7 ) / 8 || count - below < ( count + 7 ) / 8 )
	{
		below = count / 2;
		part_at_rank( triangles, count, axis, below );
	}
	return below;
}
