// An animated scene as binary glTF. See animate.h.
//
// Only what moves vertices is written: names, materials and faces are those of the flattened scene, whose
// triangles this document has in the same order. All meshes of a node are primitives of one mesh.

#include "formats/assimp/animate.h"

#include "formats/assimp/joints.h"
#include "formats/assimp/morphs.h"
#include "runtime/file/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct animate_scene
{
	const struct aiScene* source;
	const bvassimp_instances* instances;
	bvimport_notes* notes;
	bvassimp_container container;
	bvassimp_tree tree;
	bvassimp_animation animation;
	bvassimp_clock clock;
	uint32_t chosen;     // number of the clip, or BVASSIMP_NONE
	uint8_t* moved;      // of each node, its tracks
	uint32_t* meshes;    // of each node, the mesh of the document or BVASSIMP_NONE
	uint32_t* skins;     // of each node, likewise
	uint32_t* positions; // of each mesh of the source, the accessor or BVASSIMP_NONE
	uint32_t* targets;   // of each mesh of the source, the accessor of the first target or BVASSIMP_NONE
	uint64_t sheared;    // nodes that lose their shear
	uint64_t unfit;      // targets
	bvassimp_bone_faults bones;
	bool noted; // something of the clip
} animate_scene;

static void* allocate( uint64_t count, size_t size, int byte )
{
	void* memory = bvbase_memory_resize( NULL, count ? (size_t)count : 1, size );
	if ( !memory )
	{
		bvassimp_leave_out_of_memory();
	}
	return memset( memory, byte, (size_t)count * size );
}

// The name of an animation as people can type it: what is no printable character becomes a question mark.
static void clean_name( const struct aiString* name, char out[sizeof( name->data )] )
{
	size_t length = strnlen( name->data, sizeof name->data - 1 );
	for ( size_t i = 0; i < length; )
	{
		size_t bytes = bvfile_utf8_character( name->data + i, length - i );
		bool printable = bytes > 0 && !bvfile_utf8_is_control( name->data + i );
		bytes = bytes > 0 ? bytes : 1;
		for ( size_t k = i; k < i + bytes; ++k )
		{
			out[k] = printable ? name->data[k] : '?';
		}
		i += bytes;
	}
	out[length] = 0;
}

// As the reader of glTF finds it: a name counts before a number.
static uint32_t choose( const struct aiScene* source, const char* clip )
{
	char name[sizeof( ( (struct aiString*)NULL )->data )];
	uint32_t count = source->mNumAnimations;
	for ( uint32_t i = 0; i < count; ++i )
	{
		clean_name( &source->mAnimations[i]->mName, name );
		if ( strcmp( name, clip ) == 0 )
		{
			return i;
		}
	}
	if ( strcmp( clip, "*" ) == 0 )
	{
		return count == 1 ? 0 : BVASSIMP_NONE;
	}
	size_t digits = strspn( clip, "0123456789" );
	unsigned long number = digits > 0 && digits < 10 && !clip[digits] ? strtoul( clip, NULL, 10 ) : count;
	return number < count ? (uint32_t)number : BVASSIMP_NONE;
}

static void put_name( bvassimp_bytes* to, const struct aiString* from )
{
	char name[sizeof from->data];
	clean_name( from, name );
	bvassimp_put( to, "\"name\":\"" );
	for ( const char* c = name; *c; ++c )
	{
		bvassimp_put( to, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c );
	}
	bvassimp_put( to, "\"" );
}

// The rest of the list of animations has names only.
static void add_animations( animate_scene* s )
{
	bvassimp_container* c = &s->container;
	bvassimp_bytes* to = &c->lists[bvassimp_list_animations];
	for ( uint32_t i = 0; i < s->source->mNumAnimations; ++i )
	{
		bvassimp_container_add( c, bvassimp_list_animations );
		bvassimp_put( to, "{" );
		put_name( to, &s->source->mAnimations[i]->mName );
		if ( i == s->chosen )
		{
			bvassimp_put( to, ",\"samplers\":[" );
			bvassimp_put_bytes( to, &s->animation.samplers );
			bvassimp_put( to, "],\"channels\":[" );
			bvassimp_put_bytes( to, &s->animation.channels );
			bvassimp_put( to, "]" );
		}
		bvassimp_put( to, "}" );
	}
}

static uint32_t add_positions( animate_scene* s, uint32_t index )
{
	const struct aiMesh* mesh = s->source->mMeshes[index];
	if ( s->positions[index] == BVASSIMP_NONE )
	{
		uint8_t* to;
		s->positions[index] =
			bvassimp_container_accessor( &s->container, bvassimp_element_vector, mesh->mNumVertices, &to );
		for ( unsigned i = 0; i < mesh->mNumVertices; ++i, to += 12 )
		{
			bvassimp_store_float( to, mesh->mVertices[i].x );
			bvassimp_store_float( to + 4, mesh->mVertices[i].y );
			bvassimp_store_float( to + 8, mesh->mVertices[i].z );
		}
	}
	return s->positions[index];
}

// Triangles are turned round by the reader where the node or its joints mirror them.
static uint32_t add_indices( animate_scene* s, const bvassimp_instance* instance )
{
	uint8_t* to;
	uint32_t accessor = bvassimp_container_accessor( &s->container, bvassimp_element_index,
	                                                 3 * (uint64_t)instance->triangle_count, &to );
	for ( uint32_t i = 0; i < instance->triangle_count; ++i, to += 12 )
	{
		const uint32_t* corner = instance->triangles[i].corner;
		bvassimp_store_32( to, corner[0] - instance->first_vertex );
		bvassimp_store_32( to + 4, corner[instance->mirrored ? 2 : 1] - instance->first_vertex );
		bvassimp_store_32( to + 8, corner[instance->mirrored ? 1 : 2] - instance->first_vertex );
	}
	return accessor;
}

static void put_targets( animate_scene* s, const bvassimp_instance* instance, const bvassimp_morphs* morphs,
                         uint32_t index, bvassimp_bytes* to )
{
	const struct aiMesh* mesh = s->source->mMeshes[instance->mesh];
	uint32_t first = morphs->firsts[index];
	if ( morphs->count > 0 )
	{
		bvassimp_put( to, ",\"targets\":" );
	}
	for ( uint32_t i = 0; i < morphs->count; ++i )
	{
		bvassimp_put( to, i ? "," : "[" );
		if ( first != BVASSIMP_NONE && i >= first && i - first < mesh->mNumAnimMeshes )
		{
			bvassimp_put( to, "{\"POSITION\":%u}", s->targets[instance->mesh] + i - first );
		}
		else
		{
			bvassimp_put( to, "{}" );
		}
	}
	bvassimp_put( to, morphs->count > 0 ? "]" : "" );
}

static void put_primitive( animate_scene* s, const bvassimp_instance* instance, const bvassimp_skin* skin,
                           const bvassimp_morphs* morphs, uint32_t index, bvassimp_bytes* to )
{
	const struct aiMesh* mesh = s->source->mMeshes[instance->mesh];
	bvassimp_put( to, "{\"attributes\":{\"POSITION\":%u", add_positions( s, instance->mesh ) );
	if ( skin->bound )
	{
		bvassimp_joints_add_weights( &s->container, mesh, instance, skin, index, &s->tree, &s->bones, to );
	}
	bvassimp_put( to, "},\"indices\":%u", add_indices( s, instance ) );
	if ( morphs->firsts[index] != BVASSIMP_NONE && s->targets[instance->mesh] == BVASSIMP_NONE )
	{
		s->targets[instance->mesh] = bvassimp_morphs_add_targets( &s->container, mesh, &s->unfit );
	}
	put_targets( s, instance, morphs, index, to );
	bvassimp_put( to, "}" );
}

// @param instances  `count`, all of a node
static void add_mesh( animate_scene* s, const bvassimp_instance* instances, uint32_t count )
{
	static const struct aiAnimation none = { .mNumChannels = 0 };
	bvassimp_container* c = &s->container;
	const struct aiAnimation* a = s->chosen == BVASSIMP_NONE ? &none : s->source->mAnimations[s->chosen];
	uint32_t node = instances->node;
	bvassimp_skin skin = bvassimp_joints_add_skin( c, s->source, &s->tree, instances, count, &s->bones );
	bvassimp_morphs morphs =
		bvassimp_morphs_add( c, s->source, a, &s->clock, &s->tree, instances, count, &s->animation );
	s->meshes[node] = bvassimp_container_add( c, bvassimp_list_meshes );
	s->skins[node] = skin.bound ? skin.number : BVASSIMP_NONE;
	bvassimp_bytes* to = &c->lists[bvassimp_list_meshes];
	bvassimp_put( to, "{\"primitives\":[" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvassimp_put( to, i ? "," : "" );
		put_primitive( s, &instances[i], &skin, &morphs, i, to );
	}
	bvassimp_put( to, "]}" );
	free( skin.firsts );
	free( morphs.firsts );
}

static void add_meshes( animate_scene* s )
{
	const bvassimp_instances* all = s->instances;
	for ( uint32_t first = 0; first < all->count; )
	{
		uint32_t end = first + 1;
		while ( end < all->count && all->items[end].node == all->items[first].node )
		{
			++end;
		}
		add_mesh( s, &all->items[first], end - first );
		first = end;
	}
}

static bool is_finite( const struct aiMatrix4x4* m )
{
	const float all[12] = {
		m->a1, m->a2, m->a3, m->a4, m->b1, m->b2, m->b3, m->b4, m->c1, m->c2, m->c3, m->c4
	};
	bool finite = true;
	for ( int i = 0; i < 12; ++i )
	{
		finite = finite && isfinite( all[i] );
	}
	return finite;
}

static void put_place( animate_scene* s, uint32_t index, bvassimp_bytes* to )
{
	const struct aiMatrix4x4* m = &s->tree.nodes[index].node->mTransformation;
	bool finite = is_finite( m );
	if ( s->moved[index] > 0 && finite )
	{
		bvassimp_rest rest = bvassimp_channels_rest( m );
		s->sheared += rest.sheared && s->moved[index] < 3;
		bvassimp_put( to, "\"translation\":" );
		bvassimp_put_numbers( to, rest.translation, 3 );
		bvassimp_put( to, ",\"rotation\":" );
		bvassimp_put_numbers( to, rest.rotation, 4 );
		bvassimp_put( to, ",\"scale\":" );
		bvassimp_put_numbers( to, rest.scale, 3 );
	}
	else if ( !finite && s->moved[index] < 3 )
	{
		bvassimp_leave_text( s->container.result, bvassimp_refused, "the placement of a node is not finite" );
	}
	else if ( !finite )
	{
		bvassimp_put( to, "\"scale\":[1,1,1]" ); // all of it is animated
	}
	else
	{
		const double columns[16] = { m->a1, m->b1, m->c1, 0, m->a2, m->b2, m->c2, 0,
			                         m->a3, m->b3, m->c3, 0, m->a4, m->b4, m->c4, 1 };
		bvassimp_put( to, "\"matrix\":" );
		bvassimp_put_numbers( to, columns, 16 );
	}
}

// Children of each node, in order: those of node i are from firsts[i] to before firsts[i + 1].
static uint32_t* sort_children( const bvassimp_tree* t, uint32_t** firsts )
{
	uint32_t* children = allocate( t->count, sizeof *children, 0 );
	uint32_t* at = allocate( (uint64_t)t->count + 1, sizeof *at, 0 );
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		uint32_t parent = t->nodes[i].parent;
		if ( parent != BVASSIMP_NONE )
		{
			at[parent] += 1;
		}
	}
	for ( uint32_t i = 1; i <= t->count; ++i )
	{
		at[i] += at[i - 1];
	}
	// From the last child to the first: where a node's children end becomes where they start.
	for ( uint32_t i = t->count; i-- > 0; )
	{
		uint32_t parent = t->nodes[i].parent;
		if ( parent != BVASSIMP_NONE )
		{
			children[--at[parent]] = i;
		}
	}
	*firsts = at;
	return children;
}

static void add_nodes( animate_scene* s, bvassimp_bytes* roots )
{
	bvassimp_container* c = &s->container;
	bvassimp_bytes* to = &c->lists[bvassimp_list_nodes];
	uint32_t* firsts;
	uint32_t* children = sort_children( &s->tree, &firsts );
	for ( uint32_t i = 0; i < s->tree.count; ++i )
	{
		bvassimp_container_add( c, bvassimp_list_nodes );
		bvassimp_put( to, "{" );
		put_place( s, i, to );
		if ( s->meshes[i] != BVASSIMP_NONE )
		{
			bvassimp_put( to, ",\"mesh\":%u", s->meshes[i] );
		}
		if ( s->skins[i] != BVASSIMP_NONE )
		{
			bvassimp_put( to, ",\"skin\":%u", s->skins[i] );
		}
		for ( uint32_t k = firsts[i]; k < firsts[i + 1]; ++k )
		{
			bvassimp_put( to, k == firsts[i] ? ",\"children\":[%u" : ",%u", children[k] );
		}
		bvassimp_put( to, firsts[i] < firsts[i + 1] ? "]}" : "}" );
		if ( s->tree.nodes[i].parent == BVASSIMP_NONE )
		{
			bvassimp_put( roots, roots->size > 0 ? ",%u" : "%u", i );
		}
	}
	free( firsts );
	free( children );
}

// A scene that was imported a second time may only differ by names.
static void check_instances( const animate_scene* s )
{
	bool fit = true;
	for ( uint32_t i = 0; i < s->instances->count && fit; ++i )
	{
		const bvassimp_instance* instance = &s->instances->items[i];
		fit = instance->node < s->tree.count && instance->mesh < s->source->mNumMeshes &&
		      s->source->mMeshes[instance->mesh] &&
		      s->source->mMeshes[instance->mesh]->mNumVertices == instance->vertex_count;
	}
	if ( !fit )
	{
		bvassimp_leave_text( s->container.result, bvassimp_refused, "it differs when it is read again" );
	}
}

// Assimp warns of much that has nothing to do with the clip: what is said here is shown first.
static void note( animate_scene* s, const char* text )
{
	bvimport_notes_add( s->notes, 0, "%s", text );
	if ( s->notes->losses == 0 && !s->noted )
	{
		snprintf( s->notes->text, sizeof s->notes->text, "%s", text );
		s->noted = true;
	}
}

static void note_count( animate_scene* s, uint64_t count, const char* what )
{
	char text[sizeof s->notes->text];
	snprintf( text, sizeof text, "clip: %llu %s", (unsigned long long)count, what );
	if ( count > 0 )
	{
		note( s, text );
	}
}

_Noreturn static void fail_still( const animate_scene* s, const struct aiAnimation* a )
{
	char name[sizeof a->mName.data];
	char text[200];
	clean_name( &a->mName, name );
	snprintf( text, sizeof text, "clip '%.100s' animates no node%s", name,
	          s->animation.missing > 0 ? ": none, or more than one, has the name that a channel has" : "" );
	bvassimp_leave_text( s->container.result, bvassimp_refused, text );
}

static void add_notes( animate_scene* s, const struct aiAnimation* a )
{
	const bvassimp_animation* found = &s->animation;
	note_count( s, found->missing, "channels are ignored: no node, or more than one, has the name" );
	note_count( s, found->duplicate, "channels are ignored: another one animates the same node" );
	note_count( s, found->faults.not_finite, "keys are ignored: they are not finite" );
	note_count( s, found->faults.unsorted, "tracks have keys that are not in the order of time" );
	note_count( s, found->faults.zero, "keys have a rotation of length 0" );
	note_count( s, found->outside,
	            "channels stay at their first or last key, where the file repeats or extends them" );
	note_count( s, a->mNumMeshChannels, "channels of whole meshes are ignored" );
	note_count( s, s->bones.bones, "bones are ignored: no node, or more than one, has the name" );
	note_count( s, s->bones.weights, "weights are ignored: they are negative, not finite, or of no vertex" );
	note_count( s, s->unfit, "morph targets are ignored: they have another number of vertices" );
	note_count( s, s->sheared, "animated nodes lose the shear that they have in the file" );
	if ( s->clock.shift > 0 )
	{
		char text[80];
		snprintf( text, sizeof text, "clip: it starts at -%g s in the file, and here at 0", s->clock.shift );
		note( s, text );
	}
}

bvassimp_bytes bvassimp_animate( const struct aiScene* source, const bvassimp_instances* instances,
                                 const char* clip, bvimport_notes* notes, int result )
{
	animate_scene s = {
		.source = source,
		.instances = instances,
		.notes = notes,
		.container = { .result = result },
		.tree = bvassimp_tree_make( source, result ),
		.chosen = choose( source, clip ),
	};
	bvassimp_bytes roots = { .size = 0 };
	check_instances( &s );
	s.moved = allocate( s.tree.count, sizeof *s.moved, 0 );
	s.meshes = allocate( s.tree.count, sizeof *s.meshes, 0xff );
	s.skins = allocate( s.tree.count, sizeof *s.skins, 0xff );
	s.positions = allocate( source->mNumMeshes, sizeof *s.positions, 0xff );
	s.targets = allocate( source->mNumMeshes, sizeof *s.targets, 0xff );
	const struct aiAnimation* a = s.chosen != BVASSIMP_NONE ? source->mAnimations[s.chosen] : NULL;
	if ( a )
	{
		s.clock = bvassimp_channels_clock( a );
		bvassimp_channels_add( &s.container, a, &s.clock, &s.tree, s.moved, &s.animation );
	}
	add_meshes( &s );
	if ( a && s.animation.count == 0 )
	{
		fail_still( &s, a );
	}
	add_nodes( &s, &roots );
	add_animations( &s );
	if ( a )
	{
		add_notes( &s, a );
	}
	bvassimp_bytes out = bvassimp_container_finish( &s.container, &roots );
	bvassimp_tree_free( &s.tree );
	free( s.animation.samplers.data );
	free( s.animation.channels.data );
	free( s.moved );
	free( s.meshes );
	free( s.skins );
	free( s.positions );
	free( s.targets );
	free( roots.data );
	return out;
}
