// Morph targets. See morphs.h.
//
// Assimp has the positions of a target, and keys with weights of some targets. glTF has what is added to
// positions, and keys with weights of all targets: those of the others are interpolated. A target without
// keys is not applied, as without a clip.

#include "formats/assimp/morphs.h"

#include "offline/base/system.h"

#include <stdlib.h>
#include <string.h>

static void* allocate( uint64_t count, size_t size )
{
	void* memory = count <= SIZE_MAX ? bvbase_memory_resize( NULL, count ? (size_t)count : 1, size ) : NULL;
	if ( !memory )
	{
		bvassimp_leave_out_of_memory();
	}
	return memory;
}

// The name of a channel is that of a mesh or of a node; FBX adds the number of the geometry, as in "Face*0".
static bool has_name( const struct aiMeshMorphAnim* channel, const char* node, const char* mesh )
{
	const char* name = channel->mName.data;
	size_t length = strlen( node );
	if ( *mesh && strcmp( name, mesh ) == 0 )
	{
		return true;
	}
	if ( length == 0 || strncmp( name, node, length ) != 0 )
	{
		return false;
	}
	const char* rest = name + length;
	return !*rest || ( *rest == '*' && rest[1] && !rest[1 + strspn( rest + 1, "0123456789" )] );
}

static const struct aiMeshMorphAnim* find_channel( const struct aiAnimation* a, const char* node,
                                                   const struct aiMesh* mesh )
{
	for ( unsigned i = 0; i < a->mNumMorphMeshChannels && mesh->mNumAnimMeshes > 0 && mesh->mAnimMeshes; ++i )
	{
		const struct aiMeshMorphAnim* channel = a->mMorphMeshChannels[i];
		if ( channel && channel->mNumKeys > 0 && has_name( channel, node, mesh->mName.data ) )
		{
			return channel;
		}
	}
	return NULL;
}

// Targets of one channel.
typedef struct morphs_part
{
	const struct aiMeshMorphAnim* channel;
	uint32_t count;
	uint32_t first;
} morphs_part;

static int compare_times( const void* a, const void* b )
{
	double left = *(const double*)a;
	double right = *(const double*)b;
	return ( left > right ) - ( left < right );
}

// Keys of one target: clean, and possibly none.
static uint32_t take_keys( const morphs_part* part, uint32_t target, const bvassimp_clock* clock,
                           bvassimp_key* keys, bvassimp_faults* faults )
{
	uint32_t count = 0;
	for ( unsigned k = 0; k < part->channel->mNumKeys; ++k )
	{
		const struct aiMeshMorphKey* key = &part->channel->mKeys[k];
		for ( unsigned v = 0; v < key->mNumValuesAndWeights && key->mValues && key->mWeights; ++v )
		{
			if ( key->mValues[v] == target )
			{
				double time = bvassimp_clock_seconds( clock, key->mTime );
				keys[count] = ( bvassimp_key ){ time, { (float)key->mWeights[v], 0, 0, 0 }, count };
				++count;
				break;
			}
		}
	}
	return bvassimp_keys_clean( keys, count, 1, false, faults );
}

// @param at  the first key that is not before the time, or `count`
static double weight_at( const bvassimp_key* keys, uint32_t count, uint32_t at, double time )
{
	if ( at == count || at == 0 || keys[at].time == time )
	{
		return keys[at == count ? count - 1 : at].value[0];
	}
	const bvassimp_key* from = &keys[at - 1];
	double share = ( time - from->time ) / ( keys[at].time - from->time );
	return ( 1 - share ) * from->value[0] + share * keys[at].value[0];
}

static uint64_t count_keys( const morphs_part* parts, uint32_t count )
{
	uint64_t keys = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		keys += (uint64_t)parts[i].count * parts[i].channel->mNumKeys;
	}
	return keys;
}

static void add_track( bvassimp_container* c, const morphs_part* parts, uint32_t part_count, uint32_t targets,
                       uint32_t node, const bvassimp_clock* clock, bvassimp_animation* to )
{
	uint64_t room = count_keys( parts, part_count );
	bvassimp_key* keys = allocate( room, sizeof *keys );
	uint32_t* counts = allocate( targets, sizeof *counts );
	double* times = allocate( room, sizeof *times );
	size_t total = 0;
	for ( uint32_t i = 0; i < part_count; ++i )
	{
		for ( uint32_t t = 0; t < parts[i].count; ++t )
		{
			uint32_t count = take_keys( &parts[i], t, clock, keys + total, &to->faults );
			counts[parts[i].first + t] = count;
			for ( uint32_t k = 0; k < count; ++k )
			{
				times[total + k] = keys[total + k].time;
			}
			total += count;
		}
	}
	qsort( times, total, sizeof *times, compare_times );
	uint32_t rows = 0;
	for ( size_t i = 0; i < total; ++i )
	{
		if ( rows == 0 || times[rows - 1] != times[i] )
		{
			times[rows++] = times[i];
		}
	}
	if ( rows > 0 )
	{
		uint8_t* out;
		uint32_t accessor = bvassimp_container_accessor( c, bvassimp_element_number, rows, &out );
		for ( uint32_t i = 0; i < rows; ++i )
		{
			bvassimp_store_float( out + 4 * (size_t)i, (float)times[i] );
		}
		bvassimp_container_accessor( c, bvassimp_element_number, (uint64_t)rows * targets, &out );
		const bvassimp_key* column = keys;
		for ( uint32_t t = 0; t < targets; column += counts[t++] )
		{
			uint32_t at = 0;
			for ( uint32_t i = 0; i < rows && counts[t] > 0; ++i )
			{
				while ( at < counts[t] && column[at].time < times[i] )
				{
					++at;
				}
				bvassimp_store_float( out + 4 * ( (size_t)i * targets + t ),
				                      (float)weight_at( column, counts[t], at, times[i] ) );
			}
		}
		bvassimp_animation_add( to, node, "weights", accessor, accessor + 1 );
	}
	free( keys );
	free( counts );
	free( times );
}

bvassimp_morphs bvassimp_morphs_add( bvassimp_container* c, const struct aiScene* source,
                                     const struct aiAnimation* a, const bvassimp_clock* clock,
                                     const bvassimp_tree* tree, const bvassimp_instance* instances,
                                     uint32_t count, bvassimp_animation* to )
{
	bvassimp_morphs out = { .firsts = allocate( count, sizeof *out.firsts ) };
	morphs_part* parts = allocate( count, sizeof *parts );
	uint32_t* chosen = allocate( count, sizeof *chosen );
	uint32_t part_count = 0;
	const char* node = tree->nodes[instances->node].node->mName.data;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const struct aiMesh* mesh = source->mMeshes[instances[i].mesh];
		const struct aiMeshMorphAnim* channel = find_channel( a, node, mesh );
		chosen[i] = 0;
		while ( chosen[i] < part_count && parts[chosen[i]].channel != channel )
		{
			++chosen[i];
		}
		if ( !channel )
		{
			chosen[i] = BVASSIMP_NONE;
			continue;
		}
		if ( chosen[i] == part_count )
		{
			parts[part_count++] = ( morphs_part ){ channel, 0, 0 };
		}
		morphs_part* part = &parts[chosen[i]];
		part->count = mesh->mNumAnimMeshes > part->count ? mesh->mNumAnimMeshes : part->count;
	}
	for ( uint32_t i = 0; i < part_count; ++i )
	{
		parts[i].first = out.count;
		out.count += parts[i].count;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out.firsts[i] = chosen[i] == BVASSIMP_NONE ? BVASSIMP_NONE : parts[chosen[i]].first;
	}
	if ( out.count > 0 )
	{
		add_track( c, parts, part_count, out.count, instances->node, clock, to );
	}
	free( parts );
	free( chosen );
	return out;
}

uint32_t bvassimp_morphs_add_targets( bvassimp_container* c, const struct aiMesh* mesh, uint64_t* unfit )
{
	uint32_t first = c->counts[bvassimp_list_accessors];
	for ( unsigned k = 0; k < mesh->mNumAnimMeshes; ++k )
	{
		const struct aiAnimMesh* target = mesh->mAnimMeshes[k];
		uint8_t* to;
		bvassimp_container_accessor( c, bvassimp_element_vector, mesh->mNumVertices, &to );
		bool fits = target && target->mVertices && target->mNumVertices == mesh->mNumVertices;
		*unfit += target && target->mVertices && !fits;
		for ( unsigned i = 0; i < mesh->mNumVertices && fits; ++i, to += 12 )
		{
			const struct aiVector3D* a = &mesh->mVertices[i];
			const struct aiVector3D* b = &target->mVertices[i];
			bvassimp_store_float( to, b->x - a->x );
			bvassimp_store_float( to + 4, b->y - a->y );
			bvassimp_store_float( to + 8, b->z - a->z );
		}
	}
	return first;
}
