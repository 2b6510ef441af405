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

static bvgltf_document* document_of( const bvgltf_shapes* s )
{
	return s->meshes->accessors->buffers->document;
}

bv_status bvgltf_shapes_open( bvgltf_meshes* meshes, const bvgltf_nodes* nodes, bvgltf_shapes* out )
{
	bvgltf_document* d = meshes->accessors->buffers->document;
	void* memory;
	bv_status status =
		bvgltf_document_allocate( d, d->lists[bvgltf_skin_list].count, sizeof *out->skins, &memory );
	*out = ( bvgltf_shapes ){ meshes, nodes, memory, false };
	return status;
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

// @param moves  receives null for a target that moves no positions
static bv_status read_target( bvgltf_shapes* s, const bvgltf_primitive* p, uint32_t number,
                              const cJSON* target, const double** moves )
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
	bvgltf_numbers numbers;
	bv_status status = bvgltf_json_index( &o, use.name, d->lists[bvgltf_accessor_list].count, &accessor );
	if ( status != bv_ok || accessor == BVGLTF_NONE )
	{
		return status;
	}
	status = bvgltf_accessors_numbers( s->meshes->accessors, accessor, &use, &numbers );
	if ( status == bv_ok && numbers.count != p->positions.count )
	{
		return bvgltf_json_fail( &o, bv_error_input, "moves %u vertices of %u", numbers.count,
		                         p->positions.count );
	}
	*moves = numbers.values;
	return status;
}

static bv_status read_targets( bvgltf_shapes* s, uint32_t node, bvgltf_rig* rig )
{
	bvgltf_document* d = document_of( s );
	const bvgltf_primitive* p = rig->primitive;
	bvgltf_object owner;
	const cJSON* targets;
	const cJSON* weights = NULL;
	uint32_t count;
	uint32_t weight_count = 0;
	bv_status status = bvgltf_json_list( &p->object, "targets", &targets, &count );
	status = status == bv_ok && targets ? find_weights( s, node, &weights, &weight_count, &owner ) : status;
	if ( status != bv_ok || !targets || ( !weights && !s->animated ) )
	{
		return status;
	}
	if ( weights && count != weight_count )
	{
		return bvgltf_json_fail( &owner, bv_error_input, "has %u weights for %u targets", weight_count,
		                         count );
	}
	if ( count > most_sets )
	{
		return bvgltf_json_fail( &p->object, bv_error_limit, "has more than %d targets", most_sets );
	}
	void* memory[2] = { NULL, NULL };
	status = bvgltf_document_allocate( d, count, sizeof *rig->targets, &memory[0] );
	status =
		status == bv_ok ? bvgltf_document_allocate( d, count, sizeof *rig->weights, &memory[1] ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	rig->targets = memory[0];
	rig->weights = memory[1];
	const cJSON* weight = weights ? weights->child : NULL;
	for ( const cJSON* target = targets->child; target && status == bv_ok; target = target->next )
	{
		uint32_t number = rig->target_count++;
		if ( weight && ( !cJSON_IsNumber( weight ) || !isfinite( weight->valuedouble ) ) )
		{
			return bvgltf_json_fail( &owner, bv_error_input, "weights[%u] is not a finite number", number );
		}
		rig->weights[number] = weight ? weight->valuedouble : 0;
		status = read_target( s, p, number, target, &rig->targets[number] );
		weight = weight ? weight->next : NULL;
	}
	return status;
}

static bv_status read_skin( bvgltf_shapes* s, uint32_t skin )
{
	static const bvgltf_use use = { "inverseBindMatrices", "MAT4", bvgltf_float, false };
	bvgltf_document* d = document_of( s );
	bvgltf_object o = bvgltf_document_item( d, bvgltf_skin_list, skin );
	const cJSON* list;
	uint32_t count;
	uint32_t accessor = BVGLTF_NONE;
	bvgltf_numbers inverse = { .values = NULL };
	void* memory[3] = { NULL, NULL, NULL };
	const size_t sizes[3] = { sizeof *s->skins->nodes, sizeof *s->skins->binds, sizeof *s->skins->places };
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
	for ( int i = 0; i < 3 && status == bv_ok; ++i )
	{
		status = bvgltf_document_allocate( d, count, sizes[i], &memory[i] );
	}
	uint32_t* nodes = memory[0];
	bvgltf_place* binds = memory[1];
	bvgltf_place* places = memory[2];
	uint32_t i = 0;
	for ( const cJSON* item = list ? list->child : NULL; item && status == bv_ok; item = item->next, ++i )
	{
		status = bvgltf_json_item( &o, "joints", item, s->nodes->count, &nodes[i] );
		if ( status == bv_ok )
		{
			binds[i] = inverse.values ? bvgltf_place_of_matrix( inverse.values + 16 * (size_t)i )
			                          : bvgltf_place_identity();
			places[i] = bvgltf_place_compose( &s->nodes->nodes[nodes[i]].place, &binds[i] );
		}
	}
	s->skins[skin] = ( bvgltf_skin ){ nodes, binds, places, status == bv_ok ? count : 0 };
	return status;
}

// Checks a set of four joints of each vertex.
static bv_status check_joints( const bvgltf_primitive* p, uint32_t limit, const bvgltf_numbers* joints,
                               const bvgltf_numbers* weights )
{
	for ( size_t i = 0; i < 4 * (size_t)joints->count; ++i )
	{
		double joint = joints->values[i];
		double weight = weights->values[i];
		if ( joint >= limit || !( weight >= 0 ) || isinf( weight ) )
		{
			return bvgltf_json_fail( &p->object, bv_error_input,
			                         "vertex %u has the joint %g of %u, weight %g", (uint32_t)( i / 4 ),
			                         joint, limit, weight );
		}
	}
	return bv_ok;
}

// @param out  receives null where there is no such set
static bv_status read_influences( bvgltf_shapes* s, const bvgltf_rig* rig, uint32_t set,
                                  bvgltf_influences* out )
{
	const bvgltf_primitive* p = rig->primitive;
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
		return bvgltf_json_fail( &p->object, bv_error_input, "has a skin, but not both %s and %s", names[0],
		                         names[1] );
	}
	*out = ( bvgltf_influences ){ both[0].values, both[1].values };
	return both[0].values ? check_joints( p, rig->skin->count, &both[0], &both[1] ) : bv_ok;
}

static bv_status read_joints( bvgltf_shapes* s, uint32_t skin, bvgltf_rig* rig )
{
	bvgltf_document* d = document_of( s );
	uint32_t room = 0;
	bv_status status = s->skins[skin].count ? bv_ok : read_skin( s, skin );
	rig->skin = &s->skins[skin];
	while ( status == bv_ok )
	{
		bvgltf_influences next;
		status = read_influences( s, rig, rig->influence_count, &next );
		if ( status != bv_ok || !next.joints )
		{
			break;
		}
		if ( rig->influence_count == room )
		{
			void* memory;
			room = room ? 2 * room : 1;
			status = bvgltf_document_allocate( d, room, sizeof next, &memory );
			if ( status == bv_ok && rig->influences )
			{
				memcpy( memory, rig->influences, rig->influence_count * sizeof next );
			}
			rig->influences = memory;
		}
		if ( status == bv_ok )
		{
			rig->influences[rig->influence_count++] = next;
		}
	}
	return status;
}

void bvgltf_rig_morph( const bvgltf_rig* rig, const double* weights, double* out )
{
	const bvgltf_numbers* positions = &rig->primitive->positions;
	size_t length = 3 * (size_t)positions->count;
	memcpy( out, positions->values, length * sizeof *out );
	for ( uint32_t k = 0; k < rig->target_count; ++k )
	{
		double weight = weights[k];
		const double* moves = rig->targets[k];
		for ( size_t i = 0; weight != 0 && moves && i < length; ++i )
		{
			out[i] += weight * moves[i];
		}
	}
}

// Adds a set of four joints of each vertex to the sums of their matrices.
static void add_influences( const bvgltf_influences* set, uint32_t count, const bvgltf_place* places,
                            const bvgltf_skinning* room )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			const bvgltf_place* place = &places[(uint32_t)set->joints[4 * (size_t)i + (size_t)k]];
			double weight = set->weights[4 * (size_t)i + (size_t)k];
			room->totals[i] += weight;
			for ( int m = 0; m < 12 && weight > 0; ++m )
			{
				room->sums[i].matrix[m / 4][m % 4] += weight * place->matrix[m / 4][m % 4];
			}
		}
	}
}

void bvgltf_rig_skin( const bvgltf_rig* rig, const bvgltf_place* places, const double* positions,
                      const bvgltf_skinning* room, double* out )
{
	uint32_t count = rig->primitive->positions.count;
	memset( room->sums, 0, count * sizeof *room->sums );
	memset( room->totals, 0, count * sizeof *room->totals );
	for ( uint32_t k = 0; k < rig->influence_count; ++k )
	{
		add_influences( &rig->influences[k], count, places, room );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 moved = bvgltf_place_move( &room->sums[i], positions + 3 * (size_t)i );
		out[3 * (size_t)i] = moved.x / room->totals[i];
		out[3 * (size_t)i + 1] = moved.y / room->totals[i];
		out[3 * (size_t)i + 2] = moved.z / room->totals[i];
	}
}

static bv_status check_totals( const bvgltf_rig* rig, const bvgltf_skinning* sums )
{
	for ( uint32_t i = 0; i < rig->primitive->positions.count; ++i )
	{
		if ( !( sums->totals[i] > 0 ) )
		{
			return bvgltf_json_fail( &rig->primitive->object, bv_error_input, "vertex %u has no weights", i );
		}
	}
	return bv_ok;
}

static bv_status morph( bvgltf_shapes* s, bvgltf_shape* shape )
{
	void* memory;
	const bvgltf_rig* rig = &shape->rig;
	bv_status status = bvgltf_document_allocate(
		document_of( s ), 3 * (uint64_t)rig->primitive->positions.count, sizeof( double ), &memory );
	if ( status == bv_ok )
	{
		bvgltf_rig_morph( rig, rig->weights, memory );
		shape->positions = memory;
	}
	return status;
}

static bv_status follow_joints( bvgltf_shapes* s, bvgltf_shape* shape )
{
	bvgltf_document* d = document_of( s );
	const bvgltf_rig* rig = &shape->rig;
	uint32_t count = rig->primitive->positions.count;
	const size_t sizes[4] = { sizeof( bvgltf_place ), sizeof( double ), 3 * sizeof( double ),
		                      sizeof( bool ) };
	void* memory[4] = { NULL, NULL, NULL, NULL };
	bv_status status = bv_ok;
	for ( int i = 0; i < 4 && status == bv_ok; ++i )
	{
		status = bvgltf_document_allocate( d, count, sizes[i], &memory[i] );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	const bvgltf_skinning room = { memory[0], memory[1] };
	bool* mirrors = memory[3];
	bvgltf_rig_skin( rig, rig->skin->places, shape->positions, &room, memory[2] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		mirrors[i] = bvgltf_place_mirrors( &room.sums[i] );
	}
	shape->positions = memory[2];
	shape->mirrored = mirrors;
	return check_totals( rig, &room );
}

bv_status bvgltf_shapes_make( bvgltf_shapes* s, uint32_t node, const bvgltf_mesh* mesh, uint32_t index,
                              bvgltf_shape* out )
{
	const bvgltf_primitive* p = &mesh->primitives[index];
	*out = ( bvgltf_shape ){ .positions = p->positions.values, .rig = { .primitive = p } };
	bv_status status = read_targets( s, node, &out->rig );
	status = status == bv_ok && out->rig.target_count > 0 ? morph( s, out ) : status;
	uint32_t skin = s->nodes->nodes[node].skin;
	if ( status != bv_ok || skin == BVGLTF_NONE )
	{
		return status;
	}
	status = read_joints( s, skin, &out->rig );
	return status == bv_ok ? follow_joints( s, out ) : status;
}
