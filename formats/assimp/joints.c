// Bones as joints of glTF. See joints.h.
//
// A skin has the node of the mesh as its first joint, for vertices without bones, then all bones of all
// instances. A bone takes part if exactly one node has its name.

#include "formats/assimp/joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_joints = UINT16_MAX, // that numbers of 16 bits tell apart
	most_weights = 4000,      // of a vertex; the reader has a limit on their sets
	per_set = 4,
};

static uint32_t node_of_bone( const bvassimp_tree* tree, const struct aiBone* bone )
{
	return bone && bone->mNumWeights > 0 && bone->mWeights ? bvassimp_tree_find( tree, bone->mName.data )
	                                                       : BVASSIMP_NONE;
}

static unsigned bone_count( const struct aiMesh* mesh )
{
	return mesh->mBones ? mesh->mNumBones : 0;
}

static void store_bind( uint8_t* to, const struct aiMatrix4x4* m )
{
	const float columns[16] = { m->a1, m->b1, m->c1, 0, m->a2, m->b2, m->c2, 0,
		                        m->a3, m->b3, m->c3, 0, m->a4, m->b4, m->c4, 1 };
	for ( size_t i = 0; i < 16; ++i )
	{
		bvassimp_store_float( to + 4 * i, columns[i] );
	}
}

static uint64_t count_joints( const struct aiScene* source, const bvassimp_tree* tree,
                              const bvassimp_instance* instances, uint32_t count, uint32_t* firsts,
                              bvassimp_bone_faults* faults )
{
	uint64_t joints = 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const struct aiMesh* mesh = source->mMeshes[instances[i].mesh];
		firsts[i] = (uint32_t)joints;
		for ( unsigned k = 0; k < bone_count( mesh ) && joints <= most_joints; ++k )
		{
			const struct aiBone* bone = mesh->mBones[k];
			bool found = node_of_bone( tree, bone ) != BVASSIMP_NONE;
			joints += found;
			faults->bones += !found && bone && bone->mNumWeights > 0;
		}
	}
	return joints;
}

bvassimp_skin bvassimp_joints_add_skin( bvassimp_container* c, const struct aiScene* source,
                                        const bvassimp_tree* tree, const bvassimp_instance* instances,
                                        uint32_t count, bvassimp_bone_faults* faults )
{
	static const struct aiMatrix4x4 identity = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
	bvassimp_skin skin = { .firsts = bvbase_memory_resize( NULL, count, sizeof *skin.firsts ) };
	if ( !skin.firsts )
	{
		bvassimp_leave_out_of_memory();
	}
	uint64_t joints = count_joints( source, tree, instances, count, skin.firsts, faults );
	if ( joints > most_joints )
	{
		bvassimp_leave_text( c->result, bvassimp_limit, "the meshes of a node have more than 65534 bones" );
	}
	skin.bound = joints > 1;
	if ( !skin.bound )
	{
		return skin;
	}
	uint8_t* binds;
	uint32_t accessor = bvassimp_container_accessor( c, bvassimp_element_matrix, joints, &binds );
	skin.number = bvassimp_container_add( c, bvassimp_list_skins );
	bvassimp_bytes* to = &c->lists[bvassimp_list_skins];
	bvassimp_put( to, "{\"inverseBindMatrices\":%u,\"joints\":[%u", accessor, instances->node );
	store_bind( binds, &identity );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const struct aiMesh* mesh = source->mMeshes[instances[i].mesh];
		for ( unsigned k = 0; k < bone_count( mesh ); ++k )
		{
			uint32_t node = node_of_bone( tree, mesh->mBones[k] );
			if ( node != BVASSIMP_NONE )
			{
				binds += 64;
				store_bind( binds, &mesh->mBones[k]->mOffsetMatrix );
				bvassimp_put( to, ",%u", node );
			}
		}
	}
	bvassimp_put( to, "]}" );
	return skin;
}

// Weights of an instance, bone by bone.
typedef struct joints_visit
{
	const struct aiMesh* mesh;
	uint32_t* counts; // of each vertex
	uint64_t faults;

	// Null while counting.
	uint8_t* joints; // of all sets
	uint8_t* weights;
} joints_visit;

static void visit_weight( joints_visit* v, const struct aiVertexWeight* w, uint32_t joint )
{
	uint32_t vertex = w->mVertexId;
	if ( vertex >= v->mesh->mNumVertices || !( w->mWeight >= 0 ) || !isfinite( w->mWeight ) )
	{
		v->faults += 1;
		return;
	}
	if ( w->mWeight == 0 )
	{
		return;
	}
	uint32_t number = v->counts[vertex]++;
	if ( v->joints )
	{
		size_t set = number / per_set;
		size_t at = ( set * v->mesh->mNumVertices + vertex ) * per_set + number % per_set;
		bvassimp_store_16( v->joints + 2 * at, joint );
		bvassimp_store_float( v->weights + 4 * at, w->mWeight );
	}
}

// @return the joint of the bone `placed_by`, or 0
static uint32_t visit_weights( joints_visit* v, const bvassimp_tree* tree, uint32_t joint,
                               uint32_t placed_by )
{
	uint32_t found = 0;
	memset( v->counts, 0, v->mesh->mNumVertices * sizeof *v->counts );
	for ( unsigned k = 0; k < bone_count( v->mesh ); ++k )
	{
		const struct aiBone* bone = v->mesh->mBones[k];
		if ( node_of_bone( tree, bone ) == BVASSIMP_NONE )
		{
			continue;
		}
		for ( unsigned i = 0; i < bone->mNumWeights; ++i )
		{
			visit_weight( v, &bone->mWeights[i], joint );
		}
		found = k == placed_by ? joint : found;
		++joint;
	}
	return found;
}

// The document has an accessor for each set; here the sets follow each other.
static uint32_t add_sets( bvassimp_container* c, bvassimp_element element, const uint8_t* from, uint32_t sets,
                          size_t bytes, uint32_t count )
{
	uint32_t first = c->counts[bvassimp_list_accessors];
	for ( uint32_t s = 0; s < sets; ++s )
	{
		uint8_t* to;
		bvassimp_container_accessor( c, element, count, &to );
		memcpy( to, from + s * bytes, bytes );
	}
	return first;
}

static void* allocate( uint64_t count, size_t size )
{
	void* memory = count <= SIZE_MAX ? calloc( count ? (size_t)count : 1, size ) : NULL;
	if ( !memory )
	{
		bvassimp_leave_out_of_memory();
	}
	return memory;
}

void bvassimp_joints_add_weights( bvassimp_container* c, const struct aiMesh* mesh,
                                  const bvassimp_instance* instance, const bvassimp_skin* skin,
                                  uint32_t index, const bvassimp_tree* tree, bvassimp_bone_faults* faults,
                                  bvassimp_bytes* to )
{
	uint32_t count = mesh->mNumVertices;
	joints_visit v = { .mesh = mesh, .counts = allocate( count, sizeof *v.counts ) };
	uint32_t fallback = visit_weights( &v, tree, skin->firsts[index], instance->placed_by );
	uint32_t most = 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		most = v.counts[i] > most ? v.counts[i] : most;
	}
	if ( most > most_weights )
	{
		bvassimp_leave_text( c->result, bvassimp_limit, "a vertex has more than 4000 weights" );
	}
	uint32_t sets = ( most + per_set - 1 ) / per_set;
	uint64_t places = (uint64_t)sets * count * per_set;
	v.joints = allocate( places, 2 );
	v.weights = allocate( places, 4 );
	visit_weights( &v, tree, skin->firsts[index], BVASSIMP_NONE );
	faults->weights += v.faults / 2;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( v.counts[i] == 0 )
		{
			bvassimp_store_16( v.joints + (size_t)i * per_set * 2, fallback );
			bvassimp_store_float( v.weights + (size_t)i * per_set * 4, 1 );
		}
	}
	size_t each = (size_t)count * per_set;
	uint32_t joints = add_sets( c, bvassimp_element_joints, v.joints, sets, 2 * each, count );
	uint32_t weights = add_sets( c, bvassimp_element_four, v.weights, sets, 4 * each, count );
	for ( uint32_t s = 0; s < sets; ++s )
	{
		bvassimp_put( to, ",\"JOINTS_%u\":%u,\"WEIGHTS_%u\":%u", s, joints + s, s, weights + s );
	}
	free( v.counts );
	free( v.joints );
	free( v.weights );
}
