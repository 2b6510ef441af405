// Construction of a polyhedron from faces: renumbers the corners, and computes volume and area. A surface
// that is not closed is not returned.

#include "offline/hull/polyhedron.h"

#include "offline/hull/quick.h"
#include "offline/hull/surface.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// Whether the faces are one closed surface of the kind of a sphere: each side of a face is run through once
// in either direction, and Euler's formula holds for it.
static bool is_closed( const bvhull_faces* faces, uint32_t vertices, bvb_arena* scratch, bool* memory )
{
	size_t sides = 3 * (size_t)faces->count;
	bvhull_surface surface = { .vertex_count = vertices, .face = faces->face, .face_count = faces->count };
	surface.first = bvb_arena_allocate( scratch, (size_t)vertices + 1, sizeof *surface.first );
	surface.leaving = bvb_arena_allocate( scratch, sides, sizeof *surface.leaving );
	surface.twin = bvb_arena_allocate( scratch, sides, sizeof *surface.twin );
	*memory = surface.first && surface.leaving && surface.twin;
	if ( !*memory || faces->count != 2 * (uint64_t)vertices - 4 )
	{
		return false;
	}
	bvhull_sort_sides( &surface );
	return bvhull_find_twins( &surface );
}

// Numbers the corners by ascending input index.
static bv_status collect_vertices( bvhull_faces* faces, uint32_t points, bvb_arena* scratch, bvb_arena* arena,
                                   bvb_hull* out )
{
	uint32_t* number = bvb_arena_allocate( scratch, points, sizeof *number );
	if ( !number )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < 3 * faces->count; ++i )
	{
		number[faces->face[i / 3].corner[i % 3]] = 1;
	}
	for ( uint32_t i = 0; i < points; ++i )
	{
		out->vertex_count += number[i];
	}
	out->vertices = bvb_arena_allocate( arena, out->vertex_count, sizeof *out->vertices );
	if ( !out->vertices )
	{
		return bv_error_memory;
	}
	uint32_t next = 0;
	for ( uint32_t i = 0; i < points; ++i )
	{
		if ( number[i] )
		{
			number[i] = next;
			out->vertices[next++] = i;
		}
	}
	for ( uint32_t i = 0; i < 3 * faces->count; ++i )
	{
		uint32_t* corner = &faces->face[i / 3].corner[i % 3];
		*corner = number[*corner];
	}
	return bv_ok;
}

// Volume and area, and faces that face outwards: qhull's orientation is the same for all, but which one it is
// depends on how it was compiled.
static void measure( const bv_vec3* point, bvb_hull* out )
{
	bv_vec3 origin = point[out->vertices[0]];
	double six_volumes = 0;
	for ( uint32_t i = 0; i < out->face_count; ++i )
	{
		const uint32_t* c = out->faces[i].corner;
		bv_vec3 a = bv_sub( point[out->vertices[c[0]]], origin );
		bv_vec3 b = bv_sub( point[out->vertices[c[1]]], origin );
		bv_vec3 normal =
			bv_cross( bv_sub( b, a ), bv_sub( bv_sub( point[out->vertices[c[2]]], origin ), a ) );
		six_volumes += bv_dot( a, normal );
		out->area += sqrt( bv_dot( normal, normal ) ) / 2;
	}
	out->volume = fabs( six_volumes ) / 6;
	for ( uint32_t i = 0; i < out->face_count && six_volumes < 0; ++i )
	{
		uint32_t* c = out->faces[i].corner;
		uint32_t second = c[1];
		c[1] = c[2];
		c[2] = second;
	}
}

bv_status bvhull_from_faces( const bv_vec3* point, uint32_t count, bvhull_faces* faces, bvb_arena* scratch,
                             bvb_arena* arena, bvb_hull* out )
{
	bv_status status = collect_vertices( faces, count, scratch, arena, out );
	if ( status != bv_ok )
	{
		return status;
	}
	bool memory;
	if ( !is_closed( faces, out->vertex_count, scratch, &memory ) )
	{
		return memory ? bv_error_limit : bv_error_memory;
	}
	out->face_count = faces->count;
	out->faces = bvb_arena_allocate( arena, faces->count, sizeof *out->faces );
	if ( !out->faces )
	{
		return bv_error_memory;
	}
	memcpy( out->faces, faces->face, faces->count * sizeof *out->faces );
	measure( point, out );
	return bv_ok;
}

bv_status bvhull_polyhedron( const bv_vec3* point, uint32_t count, const uint32_t simplex[4],
                             bvb_arena* scratch, bvb_arena* arena, bvb_hull* out )
{
	bvhull_faces faces;
	bv_status status = bvhull_quick( point, count, simplex, scratch, &faces );
	status = status == bv_ok ? bvhull_from_faces( point, count, &faces, scratch, arena, out ) : status;
	return status == bv_error_limit ? bv_error_internal : status;
}
