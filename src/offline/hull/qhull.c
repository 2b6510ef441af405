// Hulls of computed points, made by qhull, with triangulated facets (Qt), and with joggled input (QJ) as the
// last resort. The result is checked: a face list that is not a closed surface is rejected.
//
// Based on: Barber, Dobkin, Huhdanpaa 1996, "The Quickhull algorithm for convex hulls".

#include "offline/hull/polyhedron.h"

#include "runtime/math/vec.h"

#include <libqhull_r/qhull_ra.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	alike_bits = 10, // lengths that are within 2^10 of each other are nothing that qhull fails at
};

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

static bool read_faces( qhT* qh, bvb_arena* scratch, bvhull_faces* out )
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
		// A facet that even Qt left with more corners, or without its neighbors, shows when the surface is
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
                            bvhull_faces* out )
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
	bvhull_faces faces;
	bv_status status = run_qhull( stretched, count, command, scratch, &faces );
	return status == bv_ok ? bvhull_from_faces( point, count, &faces, scratch, arena, out ) : status;
}

bv_status bvhull_polyhedron_merged( const bv_vec3* point, uint32_t count, bvb_arena* scratch,
                                    bvb_arena* arena, bvb_hull* out )
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
