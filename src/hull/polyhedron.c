// Polyhedra by qhull (Barber, Dobkin, Huhdanpaa 1996, "The Quickhull algorithm for convex hulls"), with
// triangulated facets (Qt), and with joggled input (QJ) as the last resort. What comes back is checked: a
// face list that is not a closed surface is not handed on.

#include "hull/polyhedron.h"

#include "base/core/vec.h"
#include "hull/surface.h"

#include <libqhull_r/qhull_ra.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	alike_bits = 10, // lengths that are within 2^10 of each other are nothing that qhull fails at
};

// Faces as triples of input points, in the order in which qhull lists them.
typedef struct face_list
{
	bvb_triangle* face;
	uint32_t count;
} face_list;

// The corners of a facet as qh_facet3vertex lists them, which allocates a set for each.
static void read_face( const facetT* facet, const coordT* first, bvb_triangle* out )
{
	const vertexT* vertex[3];
	for ( int k = 0; k < 3; ++k )
	{
		vertex[k] = SETelemt_( facet->vertices, k, vertexT );
	}
	bool swapped = !( facet->toporient ^ qh_ORIENTclock );
	out->corner[0] = (uint32_t)( ( vertex[swapped ? 1 : 0]->point - first ) / 3 );
	out->corner[1] = (uint32_t)( ( vertex[swapped ? 0 : 1]->point - first ) / 3 );
	out->corner[2] = (uint32_t)( ( vertex[2]->point - first ) / 3 );
}

static bool read_faces( qhT* qh, bvb_arena* scratch, face_list* out )
{
	uint32_t capacity = (uint32_t)qh->num_facets;
	out->face = bvb_arena_allocate( scratch, capacity, sizeof *out->face );
	out->count = 0;
	if ( !out->face )
	{
		return false;
	}
	const facetT* facet;
	FORALLfacets
	{
		// A facet that even Qt left with more corners, or without its neighbours, shows when the surface is
		// checked.
		if ( facet->simplicial && qh_setsize( qh, facet->vertices ) == 3 && out->count < capacity )
		{
			read_face( facet, qh->first_point, out->face + out->count++ );
		}
	}
	return true;
}

// Runs qhull with `command`.
static bv_status run_qhull( const bv_vec3* point, uint32_t count, const char* command, bvb_arena* scratch,
                            face_list* out )
{
	// qhull writes what it finds wrong to a stream and can't be told not to. This one has no room for anything.
	char ignored[1];
	FILE* nowhere = fmemopen( ignored, sizeof ignored, "w" );
	qhT* qh = bvb_arena_allocate( scratch, 1, sizeof *qh );
	if ( !nowhere || !qh )
	{
		if ( nowhere )
		{
			fclose( nowhere );
		}
		return bv_error_memory;
	}

	char writable[32];
	snprintf( writable, sizeof writable, "%s", command );
	qh_zero( qh, nowhere );
	int result = qh_new_qhull( qh, 3, (int)count, (coordT*)point, False, writable, NULL, nowhere );
	bv_status status = result == qh_ERRnone ? bv_ok : result == qh_ERRmem ? bv_error_memory : bv_error_limit;
	if ( status == bv_ok && !read_faces( qh, scratch, out ) )
	{
		status = bv_error_memory;
	}
	int long_count;
	int long_total;
	qh_freeqhull( qh, !qh_ALL );
	qh_memfreeshort( qh, &long_count, &long_total );
	fclose( nowhere );
	return status;
}

// Whether the faces are one closed surface of the kind of a sphere: each side of a face is run through once
// in either direction, and Euler's formula holds for it.
static bool is_closed( const face_list* faces, uint32_t vertices, bvb_arena* scratch, bool* memory )
{
	size_t sides = 3 * (size_t)faces->count;
	bvb_hull_surface surface = { .vertex_count = vertices, .face = faces->face, .face_count = faces->count };
	surface.first = bvb_arena_allocate( scratch, (size_t)vertices + 1, sizeof *surface.first );
	surface.leaving = bvb_arena_allocate( scratch, sides, sizeof *surface.leaving );
	surface.twin = bvb_arena_allocate( scratch, sides, sizeof *surface.twin );
	*memory = surface.first && surface.leaving && surface.twin;
	if ( !*memory || faces->count != 2 * (uint64_t)vertices - 4 )
	{
		return false;
	}
	bvb_hull_sort_sides( &surface );
	return bvb_hull_find_twins( &surface );
}

// Numbers the corners by ascending input index.
static bv_status collect_vertices( face_list* faces, uint32_t points, bvb_arena* scratch, bvb_arena* arena,
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

// Stretches each axis by a power of two, which rounds nothing and leaves the hull's faces what they are: qhull
// takes lengths for nothing that are tiny beside the largest coordinate. Only where the axes differ much, since
// it also decides how qhull cuts faces with more than three corners.
// @return the points themselves where the axes are alike; null without memory
static const bv_vec3* stretch( const bv_vec3* point, uint32_t count, bvb_arena* scratch )
{
	bv_vec3 largest = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		largest.x = bv_max( largest.x, fabs( point[i].x ) );
		largest.y = bv_max( largest.y, fabs( point[i].y ) );
		largest.z = bv_max( largest.z, fabs( point[i].z ) );
	}
	int exponent[3];
	frexp( largest.x, &exponent[0] );
	frexp( largest.y, &exponent[1] );
	frexp( largest.z, &exponent[2] );
	bool alike = true;
	for ( int k = 0; k < 3; ++k )
	{
		alike = alike && abs( exponent[k] - exponent[( k + 1 ) % 3] ) <= alike_bits;
	}
	if ( alike )
	{
		return point;
	}
	bv_vec3* out = bvb_arena_allocate( scratch, count, sizeof *out );
	for ( uint32_t i = 0; i < count && out; ++i )
	{
		out[i] = ( bv_vec3 ){ ldexp( point[i].x, -exponent[0] ), ldexp( point[i].y, -exponent[1] ),
			                  ldexp( point[i].z, -exponent[2] ) };
	}
	return out;
}

static bv_status build( const bv_vec3* point, const bv_vec3* stretched, uint32_t count, const char* command,
                        bvb_arena* scratch, bvb_arena* arena, bvb_hull* out )
{
	face_list faces;
	bv_status status = run_qhull( stretched, count, command, scratch, &faces );
	status = status == bv_ok ? collect_vertices( &faces, count, scratch, arena, out ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bool memory;
	if ( !is_closed( &faces, out->vertex_count, scratch, &memory ) )
	{
		return memory ? bv_error_limit : bv_error_memory;
	}

	out->face_count = faces.count;
	out->faces = bvb_arena_allocate( arena, faces.count, sizeof *out->faces );
	if ( !out->faces )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < faces.count; ++i )
	{
		out->faces[i] = faces.face[i];
	}
	measure( point, out );
	return bv_ok;
}

bv_status bvb_hull_polyhedron( const bv_vec3* point, uint32_t count, bvb_arena* scratch, bvb_arena* arena,
                               bvb_hull* out )
{
	static const char* const commands[] = { "qhull Qt", "qhull QJ" };
	const bv_vec3* stretched = stretch( point, count, scratch );
	bvb_hull empty = *out;
	bv_status status = stretched ? bv_error_limit : bv_error_memory;
	for ( int i = 0; i < 2 && status == bv_error_limit; ++i )
	{
		*out = empty;
		status = build( point, stretched, count, commands[i], scratch, arena, out );
	}
	return status;
}
