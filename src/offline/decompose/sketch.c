// Vertices are merged as --weld does it; edges are judged as bvbuild/mesh.h does.

#include "offline/decompose/sketch.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is thin becomes sides without triangles, and must not get lost.
static void drop_points( bvb_mesh* mesh )
{
	uint32_t kept = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* c = mesh->triangles[t].corner;
		if ( c[0] != c[1] || c[1] != c[2] )
		{
			mesh->triangles[kept++] = mesh->triangles[t];
		}
	}
	mesh->triangle_count = kept;
}

bv_status bvdecomp_sketch_mesh( const bvb_mesh* mesh, uint32_t most, bvb_arena* arena, bvb_mesh* out )
{
	enum
	{
		distances = 13
	};
	static const double first = 0x1p-9;
	static const double step = 1.25;
	double distance[distances] = { first };
	for ( int i = 1; i < distances; ++i )
	{
		distance[i] = step * distance[i - 1];
	}
	// The least of them that leaves so few vertices; if none does, the greatest.
	*out = *mesh;
	int low = 0;
	int high = mesh->vertex_count > most ? distances : 0;
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		bvb_mesh welded;
		bvb_error error;
		if ( bvb_mesh_weld( mesh, distance[middle], arena, &welded, &error ) != bv_ok )
		{
			return bv_error_memory;
		}
		bool is_enough = welded.vertex_count <= most;
		if ( is_enough || middle == distances - 1 )
		{
			*out = welded;
			drop_points( out );
		}
		low = is_enough ? low : middle + 1;
		high = is_enough ? middle : high;
	}
	if ( out->triangle_count == 0 )
	{
		*out = *mesh;
	}
	return bv_ok;
}

static bool plane_of( const bvb_mesh* mesh, uint32_t triangle, bvdecomp_plane* out )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	bv_vec3 a = mesh->positions[c[0]];
	bv_vec3 normal = bv_cross( bv_sub( mesh->positions[c[1]], a ), bv_sub( mesh->positions[c[2]], a ) );
	double length = sqrt( bv_dot( normal, normal ) );
	out->normal = bv_scale( 1 / length, normal );
	out->offset = bv_dot( out->normal, a );
	return length > 0;
}

static bool make_crease( const bvb_mesh* mesh, const bvb_edge* edge, bvdecomp_crease* out )
{
	// Flatter ones are those of curved surfaces, and there are better planes than theirs.
	static const double least_sine = 0.25;
	bv_vec3 a = mesh->positions[edge->vertex[0]];
	bv_vec3 b = mesh->positions[edge->vertex[1]];
	if ( edge->kind != bv_edge_concave || !plane_of( mesh, edge->half_edge[0] / 3, &out->plane[0] ) ||
	     !plane_of( mesh, edge->half_edge[1] / 3, &out->plane[1] ) )
	{
		return false;
	}
	bv_vec3 across = bv_cross( out->plane[0].normal, out->plane[1].normal );
	double sine =
		bv_dot( out->plane[0].normal, out->plane[1].normal ) < 0 ? 1 : sqrt( bv_dot( across, across ) );
	bv_vec3 along = bv_sub( b, a );
	out->middle = bv_scale( 0.5, bv_add( a, b ) );
	out->weight = sine * sqrt( bv_dot( along, along ) );
	return sine > least_sine;
}

// Those of equal weight in the order of their places, so that no sort decides.
static int compare( const void* left, const void* right )
{
	const bvdecomp_crease* a = left;
	const bvdecomp_crease* b = right;
	const double x[4] = { -a->weight, a->middle.x, a->middle.y, a->middle.z };
	const double y[4] = { -b->weight, b->middle.x, b->middle.y, b->middle.z };
	int k = 0;
	while ( k < 3 && x[k] == y[k] )
	{
		++k;
	}
	return ( x[k] > y[k] ) - ( x[k] < y[k] );
}

static bool are_same( const bvdecomp_plane* a, const bvdecomp_plane* b )
{
	double cosine = bv_dot( a->normal, b->normal );
	double offset = cosine < 0 ? -b->offset : b->offset;
	return fabs( cosine ) > 0.9998 && fabs( offset - a->offset ) < 1e-3;
}

// Each plane gets the number of the first one that is nearly the same.
static void number_planes( bvdecomp_crease* creases, uint32_t count )
{
	const bvdecomp_plane* known[2 * BVDECOMP_MOST_CREASES];
	uint32_t known_count = 0;
	for ( uint32_t i = 0; i < 2 * count; ++i )
	{
		bvdecomp_crease* crease = creases + i / 2;
		const bvdecomp_plane* plane = &crease->plane[i % 2];
		uint32_t at = 0;
		while ( at < known_count && !are_same( plane, known[at] ) )
		{
			++at;
		}
		if ( at == known_count )
		{
			known[known_count++] = plane;
		}
		crease->shared[i % 2] = at;
	}
}

bv_status bvdecomp_find_creases( const bvb_mesh* mesh, bvb_arena* arena, bvdecomp_crease** out,
                                 uint32_t* count )
{
	*out = NULL;
	*count = 0;
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bv_error_memory;
	}
	bvb_topology topology;
	bvb_adjacency adjacency;
	bvb_error error;
	bv_status status = bvb_mesh_topology( mesh, scratch, &topology, &adjacency, &error );
	if ( status == bv_ok )
	{
		uint32_t most = topology.edges_of_kind[bv_edge_concave];
		*out = bvb_arena_allocate( arena, most, sizeof **out );
		status = *out ? bv_ok : bv_error_memory;
		for ( uint32_t e = 0; e < adjacency.edge_count && status == bv_ok; ++e )
		{
			bvdecomp_crease crease;
			if ( make_crease( mesh, adjacency.edges + e, &crease ) )
			{
				( *out )[( *count )++] = crease;
			}
		}
		if ( status == bv_ok )
		{
			qsort( *out, *count, sizeof **out, compare );
			*count = *count < BVDECOMP_MOST_CREASES ? *count : BVDECOMP_MOST_CREASES;
			number_planes( *out, *count );
		}
	}
	bvb_arena_destroy( scratch );
	return status;
}
