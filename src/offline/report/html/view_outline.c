// Which sides of triangles are edges of a body, so that they are drawn as its outline. See view_data.h.
//
// A polyhedron of triangles has sides that are no edges, where two triangles lie in one plane. All others are
// drawn, however small their angle is, so that no edge ends where its angle changes.

#include "offline/report/html/view_data.h"

#include "offline/base/error.h"
#include "offline/base/sort.h"
#include "runtime/math/vec.h"

#include <math.h>

// Corners nearer than this to the plane of the neighbor are in it: far above the rounding of positions to
// binary32, far below what can be seen. Of half the largest extent of all that is drawn.
static const double flat = 1e-6;

typedef struct outlined
{
	const bv_vec3* positions;
	const uint32_t* corners;
	double tolerance;
} outlined;

// @param side  k of triangle t is 3 * t + k
static bv_vec3 corner_of( const outlined* o, uint32_t side )
{
	return o->positions[o->corners[side]];
}

// How far the third corner of one triangle is from the plane of another one; infinite if that is no plane.
static double distance_from_plane( const outlined* o, uint32_t side, uint32_t other )
{
	uint32_t first = side - side % 3;
	bv_vec3 a = corner_of( o, first );
	bv_vec3 normal =
		bv_cross( bv_sub( corner_of( o, first + 1 ), a ), bv_sub( corner_of( o, first + 2 ), a ) );
	double length = sqrt( bv_dot( normal, normal ) );
	bv_vec3 third = corner_of( o, other - other % 3 + ( other + 2 ) % 3 );
	return length > 0 ? fabs( bv_dot( normal, bv_sub( third, a ) ) ) / length : INFINITY;
}

static bool is_edge( const outlined* o, const bvbase_sort_entry* sides, uint32_t count )
{
	return count != 2 || distance_from_plane( o, sides[0].value, sides[1].value ) > o->tolerance ||
	       distance_from_plane( o, sides[1].value, sides[0].value ) > o->tolerance;
}

bv_status bvhtml_view_find_outline( const bvhtml_view_data* v, const bv_vec3* positions,
                                    const uint32_t* corners, uint32_t faces, uint8_t* out )
{
	uint32_t count = 3 * faces;
	outlined o = { positions, corners, flat * v->scale };
	bvbase_sort_entry* sides = bvb_arena_allocate( v->arena, count, sizeof *sides );
	bvbase_sort_entry* other = bvb_arena_allocate( v->arena, count, sizeof *other );
	if ( !sides || !other )
	{
		return bvbase_fail_memory( v->error );
	}
	for ( uint32_t side = 0; side < count; ++side )
	{
		uint32_t from = corners[side];
		uint32_t to = corners[side - side % 3 + ( side + 1 ) % 3];
		uint64_t key = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
		sides[side] = ( bvbase_sort_entry ){ key, side };
		out[side / 3] = 0;
	}
	bvbase_sort( sides, other, count );
	for ( uint32_t i = 0, next; i < count; i = next )
	{
		for ( next = i + 1; next < count && sides[next].key == sides[i].key; ++next )
		{
		}
		for ( uint32_t k = i; k < next && is_edge( &o, sides + i, next - i ); ++k )
		{
			out[sides[k].value / 3] |= (uint8_t)( 1u << sides[k].value % 3 );
		}
	}
	return bv_ok;
}
