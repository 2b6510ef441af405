// Contacts of a mesh and other meshes. See bv/contact.h and contacts_meshes.h.

#include "runtime/tree/contacts_meshes.h"

#include "runtime/math/range.h"

bv_mesh_contacts_mesh_options bv_mesh_contacts_mesh_options_default( void )
{
	return ( bv_mesh_contacts_mesh_options ){ .speculative = 0 };
}

// Contacts are found in stored coordinates of the body.
static void shift( const bv_file* body, const bv_mesh_contacts_room* room, uint32_t count )
{
	const bv_vec3* offset = bvfile_offset_of( (const bvfile_header*)body );
	for ( uint32_t i = 0; i < count && offset; ++i )
	{
		bv_mesh_manifold* m = room->manifolds + i;
		for ( uint32_t k = 0; k < m->count; ++k )
		{
			bv_contact* at = &m->contact[k].at;
			at->position = bvfile_with_offset( at->position, offset );
			at->point[0] = bvfile_with_offset( at->point[0], offset );
			at->point[1] = bvfile_with_offset( at->point[1], offset );
		}
	}
}

static bool are_valid( const bv_mesh_contacts_mesh_options* o, const bv_mesh_contacts_room* room )
{
	return bvmath_is_length( o->speculative ) && bvmath_is_length( o->depth ) &&
	       bvmath_is_length( o->tolerance ) && (unsigned)o->sides < bv_mesh_side_kinds && room &&
	       room->manifolds && room->capacity > 0 && room->scratch && (uintptr_t)room->scratch % 8 == 0;
}

static void search( bvtree_mesh_contacts* q )
{
	q->touches = ( bvtree_touches ){
		.touch = (bvtree_touch*)q->free,
		.speculative = q->speculative,
		.slack = q->slack,
	};
	q->deep = (bvtree_mesh_spot*)q->end;
	q->deep_count = 0;
	bvtree_mesh_contacts_of_vertices( q, 1 );
	bvtree_mesh_contacts_of_vertices( q, 0 );
	bvtree_mesh_contacts_of_edges( q );
	bvtree_mesh_contacts_add_deep( q );
}

bv_status bv_meshes_contacts_mesh( const bv_placed_mesh* meshes, uint32_t count, const bv_file* body,
                                   const bv_mesh_contacts_mesh_options* options,
                                   const bv_mesh_contacts_room* room, bv_mesh_contacts_mesh_result* result )
{
	static const bv_mesh_contacts_mesh_options defaults = { .speculative = 0 };
	const bv_mesh_contacts_mesh_options* o = options ? options : &defaults;
	if ( !result || !body || ( count > 0 && !meshes ) || !are_valid( o, room ) )
	{
		return bv_error_argument;
	}
	if ( room->scratch_bytes < sizeof( bvtree_mesh_contacts ) )
	{
		return bv_error_memory;
	}
	bvtree_mesh_contacts* q = room->scratch;
	*q = ( bvtree_mesh_contacts ){
		.speculative = o->speculative,
		.depth = o->depth,
		.tolerance = o->tolerance,
		.sides = o->sides,
		.free = (char*)( q + 1 ),
		.end = (char*)room->scratch + room->scratch_bytes / 8 * 8,
	};
	q->side[0].has_front = o->sides != bv_mesh_both;
	q->side[1].has_front = bv_file_get_mesh( body ).closed;
	bv_status status = bvtree_mesh_contacts_gather( q, meshes, count, body );
	if ( status != bv_ok )
	{
		return status;
	}
	bvtree_mesh_contacts_mark( q );
	bvtree_mesh_contacts_mark_edges( q->side );
	bvtree_mesh_contacts_mark_edges( q->side + 1 );
	search( q );
	// Of what touches within less than the tolerance no feature can be told from its neighbors.
	bool is_lost = ( q->crosses && q->ways.count == 0 ) || ( q->speculative > 0 && q->touches.count == 0 );
	if ( is_lost && q->pairs > 0 && !q->is_full )
	{
		q->tolerance = q->slack;
		search( q );
	}
	if ( q->is_full )
	{
		return bv_error_memory;
	}
	bv_mesh_contacts_result joined;
	uint64_t unresolved = bvtree_mesh_contacts_unresolved( q );
	bvtree_touches_join( &q->touches, q->pairs, room, &joined );
	shift( body, room, joined.count );
	*result = ( bv_mesh_contacts_mesh_result ){
		.count = joined.count,
		.dropped = joined.dropped,
		.pairs = q->pairs,
		.unresolved = unresolved,
	};
	return bv_ok;
}

bv_status bv_mesh_contacts_mesh( const bv_file* file, const bv_transform* placement, const bv_file* body,
                                 const bv_mesh_contacts_mesh_options* options,
                                 const bv_mesh_contacts_room* room, bv_mesh_contacts_mesh_result* result )
{
	const bv_placed_mesh mesh = { file, placement };
	return bv_meshes_contacts_mesh( &mesh, 1, body, options, room, result );
}
