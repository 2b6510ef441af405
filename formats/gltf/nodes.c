// The hierarchy of nodes (Khronos, "glTF 2.0 specification", 3.5). See nodes.h.
//
// Nodes are disjoint trees. A node with two parents, and a root that is somebody's child, is found when the
// second parent is; what no root leads to is a cycle. The stack is on the heap: a file decides how deep trees
// are.

#include "formats/gltf/nodes.h"

#include <math.h>

// Rounding of the last row of a matrix by writers that compute it.
#define AFFINE_ROUNDING 1e-6

static bv_status read_matrix( const bvgltf_object* o, bool* there, bvgltf_place* out )
{
	double columns[16];
	bv_status status = bvgltf_json_numbers( o, "matrix", 16, columns, there );
	if ( status != bv_ok || !*there )
	{
		return status;
	}
	for ( int i = 0; i < 4; ++i )
	{
		if ( fabs( columns[4 * i + 3] - ( i == 3 ) ) > AFFINE_ROUNDING )
		{
			return bvgltf_json_fail( o, bv_error_input, "matrix is not affine: its last row is not 0 0 0 1" );
		}
	}
	*out = bvgltf_place_of_matrix( columns );
	return bv_ok;
}

static bv_status read_place( const bvgltf_object* o, bvgltf_node* out )
{
	bvgltf_placing* p = &out->placing;
	*p = ( bvgltf_placing ){ { 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 } };
	const double* rotation = p->rotation;
	bool has[4];
	bv_status status = read_matrix( o, &has[0], &out->local );
	status = status == bv_ok ? bvgltf_json_numbers( o, "translation", 3, p->translation, &has[1] ) : status;
	status = status == bv_ok ? bvgltf_json_numbers( o, "rotation", 4, p->rotation, &has[2] ) : status;
	status = status == bv_ok ? bvgltf_json_numbers( o, "scale", 3, p->scale, &has[3] ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	if ( has[0] && ( has[1] || has[2] || has[3] ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "has a matrix and also translation, rotation or scale" );
	}
	double square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2] +
	                rotation[3] * rotation[3];
	if ( !( square > 0.5 && square < 2 ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "rotation is not a unit quaternion" );
	}
	if ( !has[0] )
	{
		out->local = bvgltf_place_of( p->translation, p->rotation, p->scale );
	}
	out->has_matrix = has[0];
	return bv_ok;
}

static bv_status read_node( bvgltf_document* d, uint32_t index, bvgltf_node* out )
{
	bvgltf_object o = bvgltf_document_item( d, bvgltf_node_list, index );
	uint32_t count;
	bv_status status = read_place( &o, out );
	status = status == bv_ok ? bvgltf_json_index( &o, "mesh", d->lists[bvgltf_mesh_list].count, &out->mesh )
	                         : status;
	status = status == bv_ok ? bvgltf_json_index( &o, "skin", d->lists[bvgltf_skin_list].count, &out->skin )
	                         : status;
	return status == bv_ok ? bvgltf_json_list( &o, "children", &out->children, &count ) : status;
}

static bv_status find_parents( bvgltf_document* d, bvgltf_nodes* n )
{
	for ( uint32_t i = 0; i < n->count; ++i )
	{
		bvgltf_object o = bvgltf_document_item( d, bvgltf_node_list, i );
		const cJSON* children = n->nodes[i].children;
		for ( const cJSON* item = children ? children->child : NULL; item; item = item->next )
		{
			uint32_t child;
			bv_status status = bvgltf_json_item( &o, "children", item, n->count, &child );
			if ( status != bv_ok )
			{
				return status;
			}
			if ( n->nodes[child].parent != BVGLTF_NONE )
			{
				return bvgltf_json_fail( &o, bv_error_input,
				                         "nodes[%u] is a child, and also one of nodes[%u]", child,
				                         n->nodes[child].parent );
			}
			n->nodes[child].parent = i;
		}
	}
	return bv_ok;
}

// Visits a tree; places become those to the world.
// @param stack   room for all nodes
// @param seen    of each node
// @param record  whether the nodes are of the scene
static void visit( bvgltf_nodes* n, uint32_t root, uint32_t* stack, bool* seen, bool record )
{
	uint32_t count = 0;
	stack[count++] = root;
	while ( count > 0 )
	{
		uint32_t index = stack[--count];
		bvgltf_node* node = &n->nodes[index];
		seen[index] = true;
		n->order[n->order_count++] = index;
		node->place = node->parent != BVGLTF_NONE
		                  ? bvgltf_place_compose( &n->nodes[node->parent].place, &node->local )
		                  : node->local;
		if ( record )
		{
			n->visited[n->visit_count++] = index;
		}
		uint32_t first = count;
		for ( const cJSON* item = node->children ? node->children->child : NULL; item; item = item->next )
		{
			stack[count++] = (uint32_t)item->valuedouble;
		}

		// The first child is the next one.
		for ( uint32_t last = count; last > first + 1; ++first )
		{
			uint32_t other = stack[--last];
			stack[last] = stack[first];
			stack[first] = other;
		}
	}
}

static bv_status visit_scene( bvgltf_document* d, bvgltf_nodes* n, uint32_t* stack, bool* seen )
{
	bvgltf_object root = bvgltf_document_root( d );
	uint32_t scene;
	bv_status status = bvgltf_json_index( &root, "scene", d->lists[bvgltf_scene_list].count, &scene );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( d->lists[bvgltf_scene_list].count == 0 )
	{
		for ( uint32_t i = 0; i < n->count; ++i )
		{
			if ( n->nodes[i].parent == BVGLTF_NONE )
			{
				visit( n, i, stack, seen, true );
			}
		}
		return bv_ok;
	}
	bvgltf_object o = bvgltf_document_item( d, bvgltf_scene_list, scene == BVGLTF_NONE ? 0 : scene );
	const cJSON* list;
	uint32_t count;
	status = bvgltf_json_list( &o, "nodes", &list, &count );
	for ( const cJSON* item = list && status == bv_ok ? list->child : NULL; item; item = item->next )
	{
		uint32_t index;
		status = bvgltf_json_item( &o, "nodes", item, n->count, &index );
		if ( status != bv_ok )
		{
			return status;
		}
		bool child = n->nodes[index].parent != BVGLTF_NONE;
		if ( child || seen[index] )
		{
			return bvgltf_json_fail( &o, bv_error_input,
			                         child ? "nodes[%u] is not a root" : "nodes[%u] is in it twice", index );
		}
		visit( n, index, stack, seen, true );
	}
	return status;
}

// Joints may be in other scenes than what they move.
static bv_status visit_others( bvgltf_document* d, bvgltf_nodes* n, uint32_t* stack, bool* seen )
{
	for ( uint32_t i = 0; i < n->count; ++i )
	{
		if ( !seen[i] && n->nodes[i].parent == BVGLTF_NONE )
		{
			visit( n, i, stack, seen, false );
		}
	}
	for ( uint32_t i = 0; i < n->count; ++i )
	{
		if ( !seen[i] )
		{
			bvgltf_object o = bvgltf_document_item( d, bvgltf_node_list, i );
			return bvgltf_json_fail( &o, bv_error_input, "is in a cycle, or below one" );
		}
	}
	return bv_ok;
}

bv_status bvgltf_nodes_read( bvgltf_document* d, bvgltf_nodes* out )
{
	*out = ( bvgltf_nodes ){ .count = d->lists[bvgltf_node_list].count };
	void* memory[5] = { NULL, NULL, NULL, NULL, NULL };
	const size_t sizes[5] = { sizeof *out->nodes, sizeof *out->visited, sizeof( uint32_t ), sizeof( bool ),
		                      sizeof *out->order };
	bv_status status = bv_ok;
	for ( int i = 0; i < 5 && status == bv_ok; ++i )
	{
		status = bvgltf_document_allocate( d, out->count, sizes[i], &memory[i] );
	}
	out->nodes = memory[0];
	out->visited = memory[1];
	out->order = memory[4];
	for ( uint32_t i = 0; i < out->count && status == bv_ok; ++i )
	{
		out->nodes[i].parent = BVGLTF_NONE;
		status = read_node( d, i, &out->nodes[i] );
	}
	status = status == bv_ok ? find_parents( d, out ) : status;
	status = status == bv_ok ? visit_scene( d, out, memory[2], memory[3] ) : status;
	return status == bv_ok ? visit_others( d, out, memory[2], memory[3] ) : status;
}
