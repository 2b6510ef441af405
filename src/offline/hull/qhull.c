// Hulls of computed points, made by qhull, with triangulated facets (Qt), and with joggled input (QJ) as the
// last resort. The result is checked: a face list that is not a closed surface is rejected.
//
// Based on: Barber, Dobkin, Huhdanpaa 1996, "The Quickhull algorithm for convex hulls".

#include "offline/hull/polyhedron.h"

#include "offline/hull/run_qhull.h"
#include "runtime/math/vec.h"

#include <math.h>
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

// What faces are read into.
typedef struct build
{
	const bv_vec3* point; // as they were before they were stretched
	uint32_t count;
	bvb_arena* scratch;
	bvb_arena* arena;
	bvb_hull empty;
	bvb_hull* out;
} build;

static bv_status read_faces( qhT* qh, void* context )
{
	const build* b = context;
	uint32_t capacity = (uint32_t)qh->num_facets;
	bvhull_faces faces = { .face = bvb_arena_allocate( b->scratch, capacity, sizeof *faces.face ) };
	if ( !faces.face )
	{
		return bv_error_memory;
	}
	const facetT* facet;
	FORALLfacets
	{
		// A facet that even Qt left with more corners, or without its neighbors, shows when the surface is
		// checked.
		if ( facet->simplicial && qh_setsize( qh, facet->vertices ) == 3 && faces.count < capacity )
		{
			read_face( facet, qh->first_point, faces.face + faces.count++ );
		}
	}
	*b->out = b->empty;
	return bvhull_from_faces( b->point, b->count, &faces, b->scratch, b->arena, b->out );
}

// Stretches each axis by a power of two, which rounds nothing and leaves the hull's faces what they are:
// qhull takes lengths for nothing that are tiny beside the largest coordinate. Only where the axes differ
// much, since it also decides how qhull cuts faces with more than three corners.
// @return the points themselves where the axes are alike; null without memory
static const bv_vec3* stretch( const bv_vec3* point, uint32_t count, bvb_arena* scratch )
{
	bv_vec3 largest = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		largest.x = bvmath_max( largest.x, fabs( point[i].x ) );
		largest.y = bvmath_max( largest.y, fabs( point[i].y ) );
		largest.z = bvmath_max( largest.z, fabs( point[i].z ) );
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

bv_status bvhull_polyhedron_merged( const bv_vec3* point, uint32_t count, bvb_arena* scratch,
                                    bvb_arena* arena, bvb_hull* out )
{
	static const char* const commands[bvhull_qhull_commands] = { "qhull Qt", "qhull QJ" };
	const bv_vec3* stretched = stretch( point, count, scratch );
	build b = { point, count, scratch, arena, *out, out };
	return stretched ? bvhull_run_qhull( stretched, count, commands, read_faces, &b, scratch )
	                 : bv_error_memory;
}
