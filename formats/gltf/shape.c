// Morph targets and skins (Khronos, "glTF 2.0 specification", 3.7.2.2 and 3.7.3). See shape.h.
//
// A skinned vertex is the mean of where its joints take it, by its weights. The weights are divided by their
// sum, which is 1 except for rounding.

#include "formats/gltf/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	most_sets = 1024, // of joints and weights, and of targets
};

bv_status bvgltf_shapes_open( bvgltf_meshes* meshes, const bvgltf_nodes* nodes, bvgltf_shapes* out )
{
	bvgltf_document* d = meshes->accessors->buffers->document;
	uint32_t count = d->lists[bvgltf_skin_list].count;
	void* memory[2] = { NULL, NULL };
	bv_status status = bvgltf_document_allocate( d, count, sizeof *out->joints, &memory[0] );
	status = status == bv_ok ? bvgltf_document_allocate( d, count, sizeof *out->joint_counts, &memory[1] )
	                         : status;
	*out = ( bvgltf_shapes ){ meshes, nodes, memory[0], memory[1] };
	return status;
}

static bvgltf_document* document_of( const bvgltf_shapes* s )
{
	return s->meshes->accessors->buffers->document;
}

// @param list  of the node or of its mesh; null: all are 0
static bv_status find_weights( const bvgltf_shapes* s, uint32_t node, const cJSON** list, uint32_t* count,
                               bvgltf_object* owner )
{
	bvgltf_document* d = document_of( s );
	*owner = bvgltf_document_item( d, bvgltf_node_list, node );
	bv_status status = bvgltf_json_list( owner, "weights", list, count );
	if ( status == bv_ok && !*list )
	{
		*owner = bvgltf_document_item( d, bvgltf_mesh_list, s->nodes->nodes[node].mesh );
		status = bvgltf_json_list( owner, "weights", list, count );
	}
	return status;
}

static bv_status add_target( bvgltf_shapes* s, const bvgltf_primitive* p, uint32_t number,
                             const cJSON* target, double weight, double* positions )
{
	static const bvgltf_use use = { "POSITION", "VEC3", bvgltf_float | bvgltf_quantized, true };
	bvgltf_document* d = document_of( s );
	bvgltf_object o = p->object;
	o.json = target;
	snprintf( o.where, sizeof o.where, "%.70s.targets[%u]", p->object.where, number );
	if ( !cJSON_IsObject( target ) )
	{
		return bvgltf_json_fail( &o, bv_error_input, "is not an object" );
	}
	uint32_t accessor;
	bvgltf_numbers moves;
	bv_status status = bvgltf_json_index( &o, use.name, d->lists[bvgltf_accessor_list].count, &accessor );
	if ( status != bv_ok || accessor == BVGLTF_NONE )
	{
		return status;
	}
	status = bvgltf_accessors_numbers( s->meshes->accessors, accessor, &use, &moves );
	if ( status == bv_ok && moves.count != p->positions.count )
	{
		return bvgltf_json_fail( &o, bv_error_input, "moves %u vertices of %u", moves.count,
		                         p->positions.count );
	}
	for ( size_t i = 0; status == bv_ok && weight != 0 && i < 3 * (size_t)moves.count; ++i )
	{
		positions[i] += weight * moves.values[i];
	}
	return status;
}

static bv_status morph( bvgltf_shapes* s, uint32_t node, const bvgltf_primitive* p, const double** positions )
{
	bvgltf_document* d = document_of( s );
	bvgltf_object owner;
	const cJSON* targets;
	const cJSON* weights = NULL;
	uint32_t count;
	uint32_t weight_count = 0;
	bv_status status = bvgltf_json_list( &p->object, "targets", &targets, &count );
	status = status == bv_ok && targets ? find_weights( s, node, &weights, &weight_count, &owner ) : status;
	if ( status != bv_ok || !weights )
	{
		return status;
	}
	if ( count != weight_count )
	{
		return bvgltf_json_fail( &owner, bv_error_input, "has %u weights for %u targets", weight_count,
		                         count );
	}
	if ( count > most_sets )
	{
		return bvgltf_json_fail( &p->object, bv_error_limit, "has more than %d targets", most_sets );
	}
	size_t length = 3 * (size_t)p->positions.count;
	void* memory;
	status = bvgltf_document_allocate( d, length, sizeof( double ), &memory );
	if ( status != bv_ok )
	{
		return status;
	}
	memcpy( memory, *positions, length * sizeof( double ) );
	*positions = memory;
	const cJSON* weight = weights->child;
	uint32_t number = 0;
	for ( const cJSON* target = targets->child; target && status == bv_ok; target = target->next, ++number )
	{
		if ( !cJSON_IsNumber( weight ) || !isfinite( weight->valuedouble ) )
		{
			return bvgltf_json_fail( &owner, bv_error_input, "weights[%u] is not a finite number", number );
		}
		status = add_target( s, p, number, target, weight->valuedouble, memory );
		weight = weight->next;
	}
	return status;
}

static bv_status read_joints( bvgltf_shapes* s, uint32_t skin )
{
	static const bvgltf_use use = { "inverseBindMatrices", "MAT4", bvgltf_float, false };
	bvgltf_document* d = document_of( s );
	bvgltf_object o = bvgltf_document_item( d, bvgltf_skin_list, skin );
	const cJSON* list;
	uint32_t count;
	uint32_t accessor = BVGLTF_NONE;
	bvgltf_numbers inverse = { .values = NULL };
	void* memory;
	bv_status status = bvgltf_json_list( &o, "joints", &list, &count );
	if ( status == bv_ok && count == 0 )
	{
		return bvgltf_json_fail( &o, bv_error_input, "has no joints" );
	}
	if ( status == bv_ok )
	{
		status = bvgltf_json_index( &o, use.name, d->lists[bvgltf_accessor_list].count, &accessor );
	}
	if ( status == bv_ok && accessor != BVGLTF_NONE )
	{
		status = bvgltf_accessors_numbers( s->meshes->accessors, accessor, &use, &inverse );
	}
	if ( status == bv_ok && inverse.values && inverse.count < count )
	{
		return bvgltf_json_fail( &o, bv_error_input, "has %u joints and %u inverse bind matrices", count,
		                         inverse.count );
	}
	status = status == bv_ok ? bvgltf_document_allocate( d, count, sizeof **s->joints, &memory ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvgltf_place* joints = memory;
	uint32_t i = 0;
	for ( const cJSON* item = list->child; item && status == bv_ok; item = item->next, ++i )
	{
		uint32_t node;
		status = bvgltf_json_item( &o, "joints", item, s->nodes->count, &node );
		if ( status == bv_ok )
		{
			bvgltf_place bind = inverse.values ? bvgltf_place_of_matrix( inverse.values + 16 * (size_t)i )
			                                   : bvgltf_place_identity();
			joints[i] = bvgltf_place_compose( &s->nodes->nodes[node].place, &bind );
		}
	}
	s->joints[skin] = joints;
	s->joint_counts[skin] = count;
	return status;
}

// Adds a set of four joints of each vertex to the sums of their matrices.
static bv_status add_joints( bvgltf_shapes* s, const bvgltf_primitive* p, uint32_t skin,
                             const bvgltf_numbers* joints, const bvgltf_numbers* weights, bvgltf_place* sums,
                             double* totals )
{
	const bvgltf_place* places = s->joints[skin];
	uint32_t limit = s->joint_counts[skin];
	for ( uint32_t i = 0; i < joints->count; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			double joint = joints->values[4 * (size_t)i + (size_t)k];
			double weight = weights->values[4 * (size_t)i + (size_t)k];
			if ( joint >= limit || !( weight >= 0 ) || isinf( weight ) )
			{
				return bvgltf_json_fail( &p->object, bv_error_input,
				                         "vertex %u has the joint %g of %u, weight %g", i, joint, limit,
				                         weight );
			}
			totals[i] += weight;
			for ( int m = 0; m < 12 && weight > 0; ++m )
			{
				sums[i].matrix[m / 4][m % 4] += weight * places[(uint32_t)joint].matrix[m / 4][m % 4];
			}
		}
	}
	return bv_ok;
}

static bv_status sum_joints( bvgltf_shapes* s, const bvgltf_primitive* p, uint32_t skin, bvgltf_place* sums,
                             double* totals )
{
	for ( uint32_t set = 0;; ++set )
	{
		char names[2][24];
		snprintf( names[0], sizeof names[0], "JOINTS_%u", set );
		snprintf( names[1], sizeof names[1], "WEIGHTS_%u", set );
		const bvgltf_use use[2] = {
			{ names[0], "VEC4", bvgltf_uint8 | bvgltf_uint16, true },
			{ names[1], "VEC4", bvgltf_float | bvgltf_normal_uint8 | bvgltf_normal_uint16, true },
		};
		bvgltf_numbers both[2];
		bv_status status = bvgltf_meshes_attribute( s->meshes, p, &use[0], &both[0] );
		status = status == bv_ok ? bvgltf_meshes_attribute( s->meshes, p, &use[1], &both[1] ) : status;
		if ( status != bv_ok )
		{
			return status;
		}
		if ( !both[0].values != !both[1].values || ( set == 0 && !both[0].values ) || set == most_sets )
		{
			return bvgltf_json_fail( &p->object, bv_error_input, "has a skin, but not both %s and %s",
			                         names[0], names[1] );
		}
		if ( !both[0].values )
		{
			return bv_ok;
		}
		status = add_joints( s, p, skin, &both[0], &both[1], sums, totals );
		if ( status != bv_ok )
		{
			return status;
		}
	}
}

static bv_status follow_joints( bvgltf_shapes* s, const bvgltf_primitive* p, uint32_t skin,
                                const double** positions, const bool** mirrored )
{
	bvgltf_document* d = document_of( s );
	uint32_t count = p->positions.count;
	const size_t sizes[4] = { sizeof( bvgltf_place ), sizeof( double ), 3 * sizeof( double ),
		                      sizeof( bool ) };
	void* memory[4] = { NULL, NULL, NULL, NULL };
	bv_status status = s->joints[skin] ? bv_ok : read_joints( s, skin );
	for ( int i = 0; i < 4 && status == bv_ok; ++i )
	{
		status = bvgltf_document_allocate( d, count, sizes[i], &memory[i] );
	}
	bvgltf_place* sums = memory[0];
	double* totals = memory[1];
	double* out = memory[2];
	bool* mirrors = memory[3];
	status = status == bv_ok ? sum_joints( s, p, skin, sums, totals ) : status;
	for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
	{
		if ( !( totals[i] > 0 ) )
		{
			return bvgltf_json_fail( &p->object, bv_error_input, "vertex %u has no weights", i );
		}
		bv_vec3 moved = bvgltf_place_move( &sums[i], *positions + 3 * (size_t)i );
		out[3 * (size_t)i] = moved.x / totals[i];
		out[3 * (size_t)i + 1] = moved.y / totals[i];
		out[3 * (size_t)i + 2] = moved.z / totals[i];
		mirrors[i] = bvgltf_place_mirrors( &sums[i] );
	}
	*positions = out;
	*mirrored = mirrors;
	return status;
}

bv_status bvgltf_shapes_make( bvgltf_shapes* s, uint32_t node, const bvgltf_mesh* mesh, uint32_t index,
                              bvgltf_shape* out )
{
	const bvgltf_primitive* p = &mesh->primitives[index];
	*out = ( bvgltf_shape ){ p->positions.values, NULL };
	bv_status status = morph( s, node, p, &out->positions );
	uint32_t skin = s->nodes->nodes[node].skin;
	return status == bv_ok && skin != BVGLTF_NONE
	           ? follow_joints( s, p, skin, &out->positions, &out->mirrored )
	           : status;
}
