// The mesh and the hierarchy of an open file, as arrays, and the errors of its nodes. See from_file.h.

#include "offline/hausdorff/from_file.h"

#include "bvbuild/hausdorff.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "runtime/file/local.h"

bv_status bvhaus_file_mesh( const bv_file* file, bvb_arena* arena, bvb_mesh* out, bvb_error* error )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	bool* used = bvb_arena_allocate( arena, info.vertices, sizeof *used );
	*out = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, info.vertices, sizeof *out->positions ),
		.triangles = bvb_arena_allocate( arena, info.triangles, sizeof *out->triangles ),
		.vertex_count = info.vertices,
		.triangle_count = info.triangles,
	};
	if ( !used || !out->positions || !out->triangles )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		out->positions[i] = bvfile_local_vertex( file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		uint32_t* c = out->triangles[i].corner;
		bv_file_get_triangle( file, i, c );
		if ( c[0] == c[1] || c[1] == c[2] || c[2] == c[0] )
		{
			return bvbase_fail( error, bv_error_damaged, "triangle %u refers to the same vertex twice", i );
		}
		used[c[0]] = used[c[1]] = used[c[2]] = true;
	}
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		if ( !used[i] )
		{
			return bvbase_fail( error, bv_error_damaged, "no triangle uses vertex %u", i );
		}
	}
	return bv_ok;
}

static bvb_node get_node( const void* context, uint32_t index )
{
	return ( (const bvb_node*)context )[index];
}

static bool keep_node( void* context, const bv_node_info* info )
{
	( (bvb_node*)context )[info->index] = ( bvb_node ){
		.first_child = info->first_child,
		.children = info->children,
		.first_triangle = info->first_triangle,
		.triangles = info->triangles,
		.volume = info->volume,
	};
	return true;
}

bvb_tree* bvhaus_file_tree( const bv_file* file, bvb_arena* arena )
{
	uint32_t count = bv_file_get_hierarchy( file ).nodes;
	bvb_node* nodes = bvb_arena_allocate( arena, count, sizeof *nodes );
	if ( !nodes )
	{
		return NULL;
	}
	bvfile_local_visit_nodes( file, keep_node, nodes );
	return bvb_tree_from( get_node, nodes, count, arena );
}

bv_status bvb_hausdorff_file( const bv_file* file, const bvb_tree_errors_options* options, bvb_arena* arena,
                              bvb_tree_errors* out, bvb_error* error )
{
	if ( !bv_file_get_mesh( file ).has_triangles || bv_file_get_hierarchy( file ).nodes == 0 )
	{
		return bvbase_fail( error, bv_error_argument, "the file has no hierarchy" );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	bvb_mesh mesh;
	bv_status status = bvhaus_file_mesh( file, scratch, &mesh, error );
	bvb_tree* tree = status == bv_ok ? bvhaus_file_tree( file, scratch ) : NULL;
	status = status == bv_ok && !tree ? bvbase_fail_memory( error ) : status;
	status = status == bv_ok ? bvb_hausdorff_tree( &mesh, tree, options, arena, out, error ) : status;
	bvb_arena_destroy( scratch );
	return status;
}
