// Intersection of half-spaces by duality: the plane n x = d about the origin becomes the point n / d, and the
// faces of the hull of these points are the corners of the intersection (Preparata, Muller 1979).

#include "offline/hull/halfspaces.h"

#include "offline/hull/merged.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>

bv_vec3 bvhull_into_frame( const bvhull_round_frame* frame, bv_vec3 point )
{
	bv_vec3 p = bv_sub( point, frame->center );
	return ( bv_vec3 ){ bv_dot( frame->axis[0], p ) / frame->scale[0],
		                bv_dot( frame->axis[1], p ) / frame->scale[1],
		                bv_dot( frame->axis[2], p ) / frame->scale[2] };
}

bv_vec3 bvhull_out_of_frame( const bvhull_round_frame* frame, bv_vec3 point )
{
	bv_vec3 out = frame->center;
	out = bv_add( out, bv_scale( frame->scale[0] * point.x, frame->axis[0] ) );
	out = bv_add( out, bv_scale( frame->scale[1] * point.y, frame->axis[1] ) );
	return bv_add( out, bv_scale( frame->scale[2] * point.z, frame->axis[2] ) );
}

static bool find_dual( const bvhull_half_space* space, const bvhull_round_frame* frame, bv_vec3* out )
{
	double slack = space->offset - bv_dot( space->normal, frame->center );
	double at[3];
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = frame->scale[k] * bv_dot( frame->axis[k], space->normal ) / slack;
	}
	*out = ( bv_vec3 ){ at[0], at[1], at[2] };
	return slack > 0 && bvmath_norm1( *out ) < INFINITY;
}

// @return false when the corner is too far away to be one
static bool find_corner( const bv_vec3 dual[3], const bvhull_round_frame* frame, bv_vec3* out )
{
	bv_vec3 normal = bv_cross( bv_sub( dual[1], dual[0] ), bv_sub( dual[2], dual[0] ) );
	double offset = bv_dot( normal, dual[0] );
	bv_vec3 at = { normal.x / offset, normal.y / offset, normal.z / offset };
	if ( !( bvmath_norm1( at ) < 0x1p20 ) )
	{
		return false;
	}
	*out = bvhull_out_of_frame( frame, at );
	return true;
}

static int compare_corners( const void* left, const void* right )
{
	const bvhull_plane_corner* a = left;
	const bvhull_plane_corner* b = right;
	for ( int k = 0; k < 3; ++k )
	{
		if ( a->name[k] != b->name[k] )
		{
			return a->name[k] < b->name[k] ? -1 : 1;
		}
	}
	return 0;
}

// Three half-spaces by ascending name, so that a corner always comes out as the same numbers.
static void sort_three( uint32_t index[3], const bvhull_half_space* spaces )
{
	for ( int k = 0; k < 3; ++k )
	{
		int i = k == 1;
		if ( spaces[index[i]].name > spaces[index[i + 1]].name )
		{
			uint32_t other = index[i];
			index[i] = index[i + 1];
			index[i + 1] = other;
		}
	}
}

// Whether the origin is inside of the hull of the duals: otherwise the intersection has no end.
static bool read_corners( const bvhull_half_space* spaces, const bv_vec3* dual, const bvb_hull* hull,
                          const bvhull_round_frame* frame, bvhull_plane_corner* out )
{
	bool bounded = true;
	for ( uint32_t f = 0; f < hull->face_count && bounded; ++f )
	{
		uint32_t index[3];
		bv_vec3 at[3];
		for ( int k = 0; k < 3; ++k )
		{
			index[k] = hull->vertices[hull->faces[f].corner[k]];
			at[k] = dual[index[k]];
		}
		bv_vec3 normal = bv_cross( bv_sub( at[1], at[0] ), bv_sub( at[2], at[0] ) );
		sort_three( index, spaces );
		for ( int k = 0; k < 3; ++k )
		{
			out[f].name[k] = spaces[index[k]].name;
			at[k] = dual[index[k]];
		}
		bounded = bv_dot( normal, at[0] ) > 0 && find_corner( at, frame, &out[f].at );
	}
	return bounded;
}

bv_status bvhull_intersect_half_spaces( const bvhull_half_space* spaces, uint32_t space_count,
                                        const bvhull_round_frame* frame, bvb_arena* arena,
                                        bvhull_plane_corner** corners, uint32_t* count )
{
	*count = 0;
	*corners = NULL;
	bv_vec3* dual = bvb_arena_allocate( arena, space_count, sizeof *dual );
	if ( !dual )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < space_count; ++i )
	{
		if ( !find_dual( &spaces[i], frame, &dual[i] ) )
		{
			return bv_ok;
		}
	}
	bvb_hull hull;
	bv_status status = bvhull_compute_merged( dual, space_count, arena, &hull, NULL );
	if ( status != bv_ok || hull.kind != bv_hull_polyhedron )
	{
		return status == bv_error_memory ? status : bv_ok;
	}
	*corners = bvb_arena_allocate( arena, hull.face_count, sizeof **corners );
	if ( !*corners )
	{
		return bv_error_memory;
	}
	if ( read_corners( spaces, dual, &hull, frame, *corners ) )
	{
		qsort( *corners, hull.face_count, sizeof **corners, compare_corners );
		*count = hull.face_count;
	}
	return bv_ok;
}
