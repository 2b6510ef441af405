// The triangles of a place that a finding shows, such as edges:boundary. See bvbuild/report.h.

#include "bv/inspect.h"
#include "bvbuild/report.h"
#include "offline/base/error.h"
#include "offline/base/suggest.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char* const edge_kinds[bv_edge_kinds] = {
	[bv_edge_convex] = "convex",     [bv_edge_concave] = "concave", [bv_edge_flat] = "flat",
	[bv_edge_boundary] = "boundary", [bv_edge_flipped] = "flipped", [bv_edge_non_manifold] = "non_manifold",
};

// Triangles in ascending order.
typedef struct triangle_list
{
	uint32_t* triangles;
	uint32_t count;
} triangle_list;

static bv_status read_mesh( const bv_file* file, bvb_arena* arena, bvb_mesh* out, bvb_error* error )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	*out = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, info.vertices, sizeof *out->positions ),
		.triangles = bvb_arena_allocate( arena, info.triangles, sizeof *out->triangles ),
		.vertex_count = info.vertices,
		.triangle_count = info.triangles,
	};
	if ( !out->positions || !out->triangles )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		out->positions[i] = bv_file_get_vertex( file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, out->triangles[i].corner );
	}
	return bv_ok;
}

static bv_status find_edges( const bv_file* file, const char* kind, bvb_arena* arena, triangle_list* out,
                             bvb_error* error )
{
	int wanted = 0;
	bvbase_suggestion near = bvbase_suggestion_for( kind, strlen( kind ) );
	while ( wanted < bv_edge_kinds && strcmp( edge_kinds[wanted], kind ) != 0 )
	{
		bvbase_suggest( &near, edge_kinds[wanted++] );
	}
	if ( wanted == bv_edge_kinds )
	{
		const char* meant = bvbase_get_suggestion( &near );
		return bvbase_fail( error, bv_error_argument, "unknown kind of edges '%.100s' (%s%s%s)", kind,
		                    meant ? "did you mean '"
		                          : "one of: convex, concave, flat, boundary, flipped, non_manifold",
		                    meant ? meant : "", meant ? "'?" : "" );
	}
	bvb_mesh mesh;
	bvb_topology topology;
	bvb_adjacency adjacency;
	bv_status status = read_mesh( file, arena, &mesh, error );
	status = status == bv_ok ? bvb_mesh_topology( &mesh, arena, &topology, &adjacency, error ) : status;
	for ( uint32_t i = 0; i < mesh.triangle_count && status == bv_ok; ++i )
	{
		const uint32_t* edge = adjacency.edge + 3 * (size_t)i;
		bool found = false;
		for ( int k = 0; k < 3; ++k )
		{
			found = found || (int)adjacency.edges[edge[k]].kind == wanted;
		}
		if ( found )
		{
			out->triangles[out->count++] = i;
		}
	}
	return status;
}

static void add_range( triangle_list* out, uint32_t first, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->triangles[out->count++] = first + i;
	}
}

// What is looked for among the nodes: one node, or all of a level.
typedef struct node_search
{
	triangle_list* out;
	uint32_t number;
	bool is_level;
} node_search;

// Depth first, so that nodes of one level come in the order of their triangles.
static bool take_node( void* context, const bv_node_info* node )
{
	node_search* s = context;
	if ( ( s->is_level ? node->level : node->index ) == s->number )
	{
		add_range( s->out, node->first_triangle, node->triangles );
	}
	return true;
}

static bv_status find_part( const bv_file* file, uint32_t part, triangle_list* out, bvb_error* error )
{
	const uint32_t* triangles;
	uint32_t count = bv_file_get_part_triangles( file, part, &triangles );
	if ( count == 0 )
	{
		return bvbase_fail( error, bv_error_input,
		                    "has no triangles of parts (bvbuild --sections part-triangles keeps them)" );
	}
	memcpy( out->triangles, triangles, count * sizeof *triangles );
	out->count = count;
	return bv_ok;
}

// A number from 0 to `count` - 1.
static bv_status read_number( const char* text, const char* what, uint32_t count, uint32_t* out,
                              bvb_error* error )
{
	char* end;
	unsigned long value = *text >= '0' && *text <= '9' ? strtoul( text, &end, 10 ) : ULONG_MAX;
	if ( value == ULONG_MAX || *end )
	{
		return bvbase_fail( error, bv_error_argument, "'%.100s' is not the number of a %s", text, what );
	}
	if ( value >= count )
	{
		return bvbase_fail( error, bv_error_input, "has no %s %lu, but %u of them", what, value, count );
	}
	*out = (uint32_t)value;
	return bv_ok;
}

// A kind of place.
typedef struct place_kind
{
	const char* name; // before the colon
	const char* what;
	uint32_t ( *count )( const bv_file* file );
} place_kind;

static uint32_t count_nodes( const bv_file* file )
{
	return bv_file_get_hierarchy( file ).nodes;
}

static uint32_t count_levels( const bv_file* file )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	return info.nodes > 0 ? info.depth + 1 : 0;
}

static uint32_t count_parts( const bv_file* file )
{
	return bv_file_get_decomposition( file ).parts;
}

static const place_kind numbered[] = {
	{ "node:", "node", count_nodes },
	{ "level:", "level", count_levels },
	{ "part:", "part", count_parts },
};

static bv_status find_numbered( const bv_file* file, const char* place, triangle_list* out, bvb_error* error )
{
	for ( int i = 0; i < 3; ++i )
	{
		const place_kind* kind = numbered + i;
		size_t length = strlen( kind->name );
		if ( strncmp( place, kind->name, length ) == 0 )
		{
			uint32_t number = 0;
			bv_status status = read_number( place + length, kind->what, kind->count( file ), &number, error );
			if ( status != bv_ok || i == 2 )
			{
				return status == bv_ok ? find_part( file, number, out, error ) : status;
			}
			node_search search = { out, number, i == 1 };
			bv_file_visit_nodes( file, take_node, &search );
			return bv_ok;
		}
	}
	return bvbase_fail( error, bv_error_argument,
	                    "unknown place '%.100s' (places are edges:KIND, node:N, level:N and part:N)", place );
}

bv_status bvb_find_triangles( const bv_file* file, const char* place, bvb_arena* arena,
                              const uint32_t** triangles, uint32_t* count, bvb_error* error )
{
	static const char edges[] = "edges:";
	bv_mesh_info info = bv_file_get_mesh( file );
	triangle_list found = { bvb_arena_allocate( arena, info.triangles, sizeof *found.triangles ), 0 };
	if ( !found.triangles )
	{
		return bvbase_fail_memory( error );
	}
	if ( !info.has_triangles )
	{
		return bvbase_fail( error, bv_error_input, "has no triangles" );
	}
	bv_status status = strncmp( place, edges, strlen( edges ) ) == 0
	                       ? find_edges( file, place + strlen( edges ), arena, &found, error )
	                       : find_numbered( file, place, &found, error );
	if ( status == bv_ok )
	{
		*triangles = found.triangles;
		*count = found.count;
	}
	return status;
}
