// Nodes with meshes, added to a scene (Khronos, "glTF 2.0 specification", 3.5.3 and 3.7.4, and
// EXT_mesh_gpu_instancing). See scene.h.

#include "formats/gltf/scene.h"

#include <stdlib.h>
#include <string.h>

// Placements of a node's mesh; without the extension one that changes nothing.
typedef struct scene_instances
{
	uint64_t count;
	bvgltf_numbers translation; // values may be null, as of the others
	bvgltf_numbers rotation;
	bvgltf_numbers scale;
} scene_instances;

// What of a primitive's vertices triangles use, if that is little: then only these are copied.
typedef struct scene_selection
{
	uint32_t* vertices; // ascending; null: all
	uint32_t count;
} scene_selection;

// A node while its instances are added.
typedef struct scene_node
{
	const bvgltf_mesh* mesh;
	bvgltf_shape* shapes;
	scene_selection* selections;
	const char* name;
	bvgltf_place place;
	uint32_t index;
	bvgltf_patches* patches; // null if nobody wants them
} scene_node;

static bvgltf_document* document_of( const bvgltf_shapes* s )
{
	return s->meshes->accessors->buffers->document;
}

static bv_status read_attribute( bvgltf_shapes* s, const bvgltf_object* attributes, const bvgltf_use* use,
                                 bvgltf_numbers* out, scene_instances* i )
{
	uint32_t accessor;
	bv_status status = bvgltf_json_index( attributes, use->name,
	                                      document_of( s )->lists[bvgltf_accessor_list].count, &accessor );
	if ( status != bv_ok || accessor == BVGLTF_NONE )
	{
		return status;
	}
	status = bvgltf_accessors_numbers( s->meshes->accessors, accessor, use, out );
	if ( status == bv_ok && i->count > 0 && i->count != out->count )
	{
		return bvgltf_json_fail( attributes, bv_error_input, "%s is of %u instances, another attribute of %u",
		                         use->name, out->count, (unsigned)i->count );
	}
	i->count = out->count;
	return status;
}

static bv_status read_instances( bvgltf_shapes* s, const bvgltf_object* node, bool skinned,
                                 scene_instances* out )
{
	static const bvgltf_use uses[3] = {
		{ "TRANSLATION", "VEC3", bvgltf_float, false },
		{ "ROTATION", "VEC4", bvgltf_float | bvgltf_normal_int8 | bvgltf_normal_int16, false },
		{ "SCALE", "VEC3", bvgltf_float, false },
	};
	bvgltf_object extension;
	bvgltf_object attributes;
	*out = ( scene_instances ){ .count = 0 };
	bv_status status = bvgltf_json_extension( node, "EXT_mesh_gpu_instancing", &extension );
	if ( status != bv_ok || !extension.json )
	{
		out->count = 1;
		return status;
	}
	if ( skinned )
	{
		return bvgltf_json_fail( &extension, bv_error_unsupported,
		                         "instances of a skinned mesh are not supported" );
	}
	status = bvgltf_json_object( &extension, "attributes", &attributes );
	status = status == bv_ok ? read_attribute( s, &attributes, &uses[0], &out->translation, out ) : status;
	status = status == bv_ok ? read_attribute( s, &attributes, &uses[1], &out->rotation, out ) : status;
	status = status == bv_ok ? read_attribute( s, &attributes, &uses[2], &out->scale, out ) : status;
	return status == bv_ok && out->count == 0
	           ? bvgltf_json_fail( &extension, bv_error_input, "has none of TRANSLATION, ROTATION and SCALE" )
	           : status;
}

// @return false if the rotation is 0
static bool place_of( const scene_instances* i, uint32_t index, bvgltf_place* out )
{
	static const double none[3] = { 0, 0, 0 };
	static const double one[3] = { 1, 1, 1 };
	static const double straight[4] = { 0, 0, 0, 1 };
	const double* t = i->translation.values ? i->translation.values + 3 * (size_t)index : none;
	const double* r = i->rotation.values ? i->rotation.values + 4 * (size_t)index : straight;
	const double* s = i->scale.values ? i->scale.values + 3 * (size_t)index : one;
	*out = bvgltf_place_of( t, r, s );
	return r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] > 0;
}

static int compare_vertices( const void* a, const void* b )
{
	uint32_t left = *(const uint32_t*)a;
	uint32_t right = *(const uint32_t*)b;
	return ( left > right ) - ( left < right );
}

// Some writers keep the vertices of all primitives in one accessor.
static bv_status select_vertices( bvgltf_document* d, const bvgltf_primitive* p, scene_selection* out )
{
	uint64_t corners = 3 * (uint64_t)p->triangle_count;
	*out = ( scene_selection ){ NULL, p->positions.count };
	if ( p->positions.count <= corners )
	{
		return bv_ok;
	}
	void* memory;
	bv_status status = bvgltf_document_allocate( d, corners, sizeof *out->vertices, &memory );
	if ( status != bv_ok )
	{
		return status;
	}
	out->vertices = memory;
	memcpy( memory, p->triangles, corners * sizeof *out->vertices );
	qsort( out->vertices, corners, sizeof *out->vertices, compare_vertices );
	out->count = 0;
	for ( uint64_t i = 0; i < corners; ++i )
	{
		if ( i == 0 || out->vertices[i] != out->vertices[out->count - 1] )
		{
			out->vertices[out->count++] = out->vertices[i];
		}
	}
	return bv_ok;
}

static uint32_t number_in( const scene_selection* s, uint32_t vertex )
{
	const uint32_t* found =
		s->vertices ? bsearch( &vertex, s->vertices, s->count, sizeof vertex, compare_vertices ) : NULL;
	return found ? (uint32_t)( found - s->vertices ) : vertex;
}

static bv_status set_material( const bvgltf_shapes* s, const bvgltf_primitive* p, bvimport_builder* b )
{
	const char* name = NULL;
	if ( p->material != BVGLTF_NONE )
	{
		bvgltf_object o = bvgltf_document_item( document_of( s ), bvgltf_material_list, p->material );
		bv_status status = bvgltf_json_text( &o, "name", &name );
		if ( status != bv_ok )
		{
			return status;
		}
		name = name ? name : "";
	}
	return bvimport_builder_set( b, bvimport_builder_material, name, name ? strlen( name ) : 0 );
}

static void add_vertices( const bvgltf_shape* shape, const scene_selection* s, const bvgltf_place* place,
                          bv_vec3* out )
{
	bool unmoved = bvgltf_place_is_identity( place );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const double* x = shape->positions + 3 * (size_t)( s->vertices ? s->vertices[i] : i );
		out[i] = unmoved ? ( bv_vec3 ){ x[0], x[1], x[2] } : bvgltf_place_move( place, x );
	}
}

static void add_triangles( const bvgltf_primitive* p, const bvgltf_shape* shape, const scene_selection* s,
                           bool mirrored, uint32_t base, bvb_triangle* out )
{
	for ( uint32_t i = 0; i < p->triangle_count; ++i )
	{
		const uint32_t* c = p->triangles[i].corner;
		bool turned = shape->mirrored ? shape->mirrored[c[0]] : mirrored;
		out[i] = ( bvb_triangle ){ { base + number_in( s, c[0] ), base + number_in( s, c[turned ? 2 : 1] ),
			                         base + number_in( s, c[turned ? 1 : 2] ) } };
	}
}

static bv_status add_patch( bvgltf_shapes* s, const scene_node* n, uint32_t index, const bvgltf_place* inner,
                            uint32_t first )
{
	bvgltf_patches* all = n->patches;
	if ( all && all->count == all->room )
	{
		void* memory;
		uint32_t room = all->room ? 2 * all->room : 16;
		bv_status status = bvgltf_document_allocate( document_of( s ), room, sizeof *all->items, &memory );
		if ( status != bv_ok )
		{
			return status;
		}
		if ( all->items )
		{
			memcpy( memory, all->items, all->count * sizeof *all->items );
		}
		all->items = memory;
		all->room = room;
	}
	if ( all )
	{
		const scene_selection* selection = &n->selections[index];
		all->items[all->count++] = ( bvgltf_patch ){
			n->index, n->shapes[index].rig, *inner, selection->vertices, selection->count, first,
		};
	}
	return bv_ok;
}

static bv_status add_primitive( bvgltf_shapes* s, const scene_node* n, uint32_t index,
                                const bvgltf_place* inner, const bvgltf_place* place, bvimport_builder* b )
{
	const bvgltf_primitive* p = &n->mesh->primitives[index];
	if ( p->triangle_count == 0 )
	{
		return bv_ok;
	}
	const scene_selection* selection = &n->selections[index];
	bv_status status = set_material( s, p, b );
	status = status == bv_ok ? bvimport_builder_reserve_vertices( b, selection->count ) : status;
	status = status == bv_ok ? bvimport_builder_reserve_triangles( b, p->triangle_count ) : status;
	uint32_t first = b->triangle_count;
	status = status == bv_ok ? bvimport_builder_claim_triangles( b, p->triangle_count ) : status;
	status = status == bv_ok ? add_patch( s, n, index, inner, b->position_count ) : status;
	if ( status == bv_ok )
	{
		add_vertices( &n->shapes[index], selection, place, b->positions + b->position_count );
		add_triangles( p, &n->shapes[index], selection, place->mirrored, b->position_count,
		               b->triangles + first );
		b->position_count += selection->count;
	}
	return status;
}

static bv_status add_instance( bvgltf_shapes* s, const scene_node* n, const bvgltf_place* inner,
                               bvimport_builder* b )
{
	bvgltf_place place = bvgltf_place_compose( &n->place, inner );
	bv_status status = bvimport_builder_begin_object( b, n->name, strlen( n->name ) );
	for ( uint32_t i = 0; i < n->mesh->count && status == bv_ok; ++i )
	{
		status = add_primitive( s, n, i, inner, &place, b );
	}
	return status;
}

// The name of the node, else of the mesh.
static bv_status find_name( const bvgltf_shapes* s, uint32_t node, const char** out )
{
	bvgltf_object o = bvgltf_document_item( document_of( s ), bvgltf_node_list, node );
	bv_status status = bvgltf_json_text( &o, "name", out );
	if ( status == bv_ok && ( !*out || !**out ) )
	{
		o = bvgltf_document_item( document_of( s ), bvgltf_mesh_list, s->nodes->nodes[node].mesh );
		status = bvgltf_json_text( &o, "name", out );
	}
	*out = *out ? *out : "";
	return status;
}

static bv_status make_shapes( bvgltf_shapes* s, uint32_t node, scene_node* n )
{
	bvgltf_document* d = document_of( s );
	void* memory[2] = { NULL, NULL };
	bv_status status = bvgltf_document_allocate( d, n->mesh->count, sizeof *n->shapes, &memory[0] );
	status = status == bv_ok
	             ? bvgltf_document_allocate( d, n->mesh->count, sizeof *n->selections, &memory[1] )
	             : status;
	n->shapes = memory[0];
	n->selections = memory[1];
	for ( uint32_t i = 0; i < n->mesh->count && status == bv_ok; ++i )
	{
		if ( n->mesh->primitives[i].triangle_count > 0 )
		{
			status = bvgltf_shapes_make( s, node, n->mesh, i, &n->shapes[i] );
			status =
				status == bv_ok ? select_vertices( d, &n->mesh->primitives[i], &n->selections[i] ) : status;
		}
	}
	return status;
}

// What all instances of all nodes take, at most: before memory for them is asked for.
typedef struct scene_size
{
	uint64_t vertices;
	uint64_t triangles;
	uint64_t name_bytes; // of objects, with what the library of C takes for each
} scene_size;

static bv_status count_node( bvgltf_shapes* s, uint32_t index, scene_size* size, bvgltf_counts* counts )
{
	const bvgltf_node* node = &s->nodes->nodes[index];
	bvgltf_object o = bvgltf_document_item( document_of( s ), bvgltf_node_list, index );
	scene_instances instances;
	const bvgltf_mesh* mesh;
	const char* name;
	bv_status status = bvgltf_meshes_get( s->meshes, node->mesh, &mesh );
	status = status == bv_ok ? find_name( s, index, &name ) : status;
	status = status == bv_ok ? read_instances( s, &o, node->skin != BVGLTF_NONE, &instances ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	counts->points += instances.count * mesh->points;
	counts->lines += instances.count * mesh->lines;
	for ( uint32_t i = 0; i < mesh->count; ++i )
	{
		const bvgltf_primitive* p = &mesh->primitives[i];
		uint64_t corners = 3 * (uint64_t)p->triangle_count;
		size->vertices += instances.count * ( p->positions.count < corners ? p->positions.count : corners );
		size->triangles += instances.count * p->triangle_count;
	}
	size->name_bytes += mesh->triangle_count > 0 ? instances.count * ( strlen( name ) + 64 ) : 0;
	return bvgltf_document_check_bytes( document_of( s ), size->name_bytes +
	                                                          size->vertices * sizeof( bv_vec3 ) +
	                                                          size->triangles * sizeof( bvb_triangle ) );
}

static bv_status add_node( bvgltf_shapes* s, uint32_t index, bvimport_builder* b, bvgltf_patches* patches )
{
	const bvgltf_node* node = &s->nodes->nodes[index];
	bvgltf_object o = bvgltf_document_item( document_of( s ), bvgltf_node_list, index );
	bool skinned = node->skin != BVGLTF_NONE;
	scene_instances instances;
	scene_node n = { .place = skinned ? bvgltf_place_identity() : node->place, .index = index };
	n.patches = patches;
	bv_status status = bvgltf_meshes_get( s->meshes, node->mesh, &n.mesh );
	status = status == bv_ok ? read_instances( s, &o, skinned, &instances ) : status;
	if ( status != bv_ok || n.mesh->triangle_count == 0 )
	{
		return status;
	}
	status = find_name( s, index, &n.name );
	status = status == bv_ok ? make_shapes( s, index, &n ) : status;
	for ( uint32_t i = 0; i < instances.count && status == bv_ok; ++i )
	{
		bvgltf_place inner;
		if ( !place_of( &instances, i, &inner ) )
		{
			return bvgltf_json_fail( &o, bv_error_input, "the rotation of instance %u is 0", i );
		}
		status = add_instance( s, &n, &inner, b );
	}
	return status;
}

bv_status bvgltf_scene_add( bvgltf_shapes* s, bvimport_builder* b, bvgltf_counts* counts,
                            bvgltf_patches* patches )
{
	const bvgltf_nodes* n = s->nodes;
	scene_size size = { .vertices = 0 };
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < n->visit_count && status == bv_ok; ++i )
	{
		uint32_t node = n->visited[i];
		status = n->nodes[node].mesh != BVGLTF_NONE ? count_node( s, node, &size, counts ) : bv_ok;
	}
	status = status == bv_ok ? bvimport_builder_reserve_vertices( b, size.vertices ) : status;
	status = status == bv_ok ? bvimport_builder_reserve_triangles( b, size.triangles ) : status;
	for ( uint32_t i = 0; i < n->visit_count && status == bv_ok; ++i )
	{
		uint32_t node = n->visited[i];
		status = n->nodes[node].mesh != BVGLTF_NONE ? add_node( s, node, b, patches ) : bv_ok;
	}
	return status;
}
