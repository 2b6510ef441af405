// TRIS: triangles in clusters of 64. Since vertices are numbered by first use, those that a cluster has first
// are consecutive, and only the others need their numbers written; indices into the list of both fit a byte.

#include "formats/bvh/write.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"

#include <string.h>

// What is known of each vertex while clusters are made.
typedef struct vertex_code
{
	uint32_t cluster; // the last that has it, counted from 1
	uint32_t code;    // among its references
} vertex_code;

// Gives codes to what the cluster has from clusters before it, and counts what it has first.
static bool find_references( const bvb_triangle* triangles, uint32_t count, uint32_t cluster, uint32_t* next,
                             vertex_code* known, bvfmt_clusters* out )
{
	uint32_t first_new = out->clusters[cluster].first_new;
	uint32_t first = out->clusters[cluster].first_reference;
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		uint32_t vertex = triangles[i / 3].corner[i % 3];
		if ( vertex > *next )
		{
			return false;
		}
		*next += vertex == *next;
		if ( vertex < first_new && known[vertex].cluster != cluster + 1 )
		{
			known[vertex] = ( vertex_code ){ cluster + 1, out->head.references - first };
			out->references[out->head.references++] = vertex;
		}
	}
	return true;
}

static void write_codes( const bvb_triangle* triangles, uint32_t count, const bvfile_cluster* cluster,
                         uint32_t references, const vertex_code* known, uint8_t* code )
{
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		uint32_t vertex = triangles[i / 3].corner[i % 3];
		code[i] = (uint8_t)( vertex < cluster->first_new ? known[vertex].code
		                                                 : references + ( vertex - cluster->first_new ) );
	}
}

static bool make_clusters( const bvb_mesh* mesh, vertex_code* known, bvfmt_clusters* out )
{
	uint32_t next = 0;
	for ( uint32_t i = 0; i < out->head.clusters; ++i )
	{
		uint32_t first = i * bvfile_cluster_triangles;
		uint32_t left = mesh->triangle_count - first;
		uint32_t count = left < bvfile_cluster_triangles ? left : bvfile_cluster_triangles;
		const bvb_triangle* triangles = mesh->triangles + first;
		out->clusters[i] = ( bvfile_cluster ){ next, out->head.references };
		if ( !find_references( triangles, count, i, &next, known, out ) )
		{
			return false;
		}
		uint32_t references = out->head.references - out->clusters[i].first_reference;
		write_codes( triangles, count, out->clusters + i, references, known, out->codes + 3 * (size_t)first );
	}
	return next == mesh->vertex_count;
}

// Divides triangles into clusters.
bv_status bvfmt_prepare_triangles( bvfmt_writing* w, bvb_error* error )
{
	const bvb_mesh* mesh = &w->asset->record.mesh;
	bvb_arena* arena = w->arena;
	bvfmt_clusters* out = &w->clusters;
	if ( !bvfmt_wants( w, bvb_section_mesh ) )
	{
		return bv_ok;
	}
	uint32_t clusters = ( mesh->triangle_count - 1 ) / bvfile_cluster_triangles + 1;
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	vertex_code* known = scratch ? bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *known ) : NULL;
	*out = ( bvfmt_clusters ){
		.head = { .clusters = clusters, .width = mesh->vertex_count <= bvfile_short_vertices ? 2 : 4 },
		.clusters = bvb_arena_allocate( arena, clusters, sizeof *out->clusters ),
		.references = bvb_arena_allocate( arena, 3 * (size_t)mesh->triangle_count, sizeof *out->references ),
		.codes = bvb_arena_allocate( arena, 3 * (size_t)mesh->triangle_count, 1 ),
	};
	bool memory = known && out->clusters && out->references && out->codes;
	bool numbered = memory && make_clusters( mesh, known, out );
	bvb_arena_destroy( scratch );
	if ( !memory )
	{
		return bvbase_fail_memory( error );
	}
	return numbered
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument, "the mesh's vertices are not numbered by first use" );
}

uint64_t bvfmt_size_triangles( const bvfmt_writing* w )
{
	const bvfile_triangles* head = &w->clusters.head;
	return bvfmt_wants( w, bvb_section_mesh )
	           ? sizeof *head + head->clusters * sizeof( bvfile_cluster ) +
	                 head->width * (uint64_t)head->references + 3 * (uint64_t)w->mesh.triangles
	           : 0;
}

bv_status bvfmt_write_triangles( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	const bvfmt_clusters* clusters = &w->clusters;
	const bvfile_triangles* head = &clusters->head;
	bvfile_cluster* cluster = (bvfile_cluster*)( (bvfile_triangles*)out + 1 );
	uint8_t* reference = (uint8_t*)( cluster + head->clusters );
	memcpy( out, head, sizeof *head );
	memcpy( cluster, clusters->clusters, head->clusters * sizeof *cluster );
	for ( uint32_t i = 0; i < head->references; ++i, reference += head->width )
	{
		// The low bytes come first, on any machine that writes files at all.
		memcpy( reference, &clusters->references[i], head->width );
	}
	memcpy( reference, clusters->codes, 3 * (size_t)w->mesh.triangles );
	return bv_ok;
}
