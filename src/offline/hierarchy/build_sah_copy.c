// A set of the builder `sah` divided by a splitter, on a copy made for it.

#include "offline/base/arena.h"
#include "offline/hierarchy/build_sah.h"

enum
{
	few_faces = 64, // below this a set is copied to the stack
};

static void fail( const bvhier_build* build )
{
#pragma omp atomic write
	*build->failed = true;
}

static bvfit_face face_at( const bvhier_build* build, uint32_t index )
{
	const uint32_t* c = build->mesh->triangles[index].corner;
	const bv_vec3* p = build->mesh->positions;
	return bvfit_face_of( ( bv_vec3[3] ){ p[c[0]], p[c[1]], p[c[2]] } );
}

// What a splitter needs to divide a set that is not the frame's.
typedef struct copy
{
	bvfit_face* faces;
	bv_vec3* corners;
	double* keys;
	uint32_t* order;
	uint8_t* part;
} copy;

// Takes over what the splitter says. Returns how many faces are below, 0 when all or none are.
static uint32_t sort_by_part( const bvhier_sah_item* from, uint32_t count, const uint8_t* part,
                              bvhier_sah_item* to, bvhier_sah_halves* out )
{
	uint32_t below = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		below += part[i] == 0;
	}
	uint32_t next[2] = { 0, below };
	for ( int i = 0; i < 2; ++i )
	{
		out->box[i] = bvhier_sah_no_box;
		out->places[i] = bvhier_sah_no_places;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t side = part[i];
		to[next[side]++] = from[i];
		bvhier_sah_grow( out->box + side, from[i].lower, from[i].upper );
		bvhier_sah_add_place( out->places + side, bvhier_sah_place_of( from + i ) );
	}
	return below == count ? 0 : below;
}

static uint32_t divide_copy( bvhier_split_function* split, const bvhier_build* build,
                             const bvhier_sah_item* from, uint32_t count, const bvhier_sah_box* around,
                             const copy* room, bvhier_sah_item* to, bvhier_sah_halves* out )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		room->faces[i] = face_at( build, from[i].face );
		room->order[i] = i;
	}
	bv_volume volume = { .type = bv_volume_aabb };
	volume.aabb = ( bv_aabb ){ { around->lower[0], around->lower[1], around->lower[2] },
		                       { around->upper[0], around->upper[1], around->upper[2] } };
	bvhier_face_set set = {
		.build = build,
		.worker = bvhier_build_worker( build ),
		.list = { room->faces, room->order, count, room->corners, build->node_box },
		.volume = &volume,
		.keys = room->keys,
	};
	if ( !split( &set, 2, NULL, room->part ) )
	{
		fail( build );
		return 0;
	}
	return sort_by_part( from, count, room->part, to, out );
}

uint32_t bvhier_sah_divide_by( bvhier_split_function* split, const bvhier_build* build,
                               const bvhier_sah_item* from, uint32_t count, const bvhier_sah_box* around,
                               bvhier_sah_item* to, bvhier_sah_halves* out )
{
	if ( count < few_faces )
	{
		bvfit_face faces[few_faces];
		bv_vec3 corners[3 * few_faces];
		double keys[few_faces];
		uint32_t order[few_faces];
		uint8_t part[few_faces];
		copy room = { faces, corners, keys, order, part };
		return divide_copy( split, build, from, count, around, &room, to, out );
	}
	bvb_arena* arena = bvbase_arena_create_scratch( bvhier_build_worker( build )->arena );
	copy room = { 0 };
	if ( arena )
	{
		room.faces = bvb_arena_allocate( arena, count, sizeof *room.faces );
		room.corners = bvb_arena_allocate( arena, 3 * (size_t)count, sizeof *room.corners );
		room.keys = bvb_arena_allocate( arena, count, sizeof *room.keys );
		room.order = bvb_arena_allocate( arena, count, sizeof *room.order );
		room.part = bvb_arena_allocate( arena, count, sizeof *room.part );
	}
	uint32_t below = 0;
	if ( room.faces && room.corners && room.keys && room.order && room.part )
	{
		below = divide_copy( split, build, from, count, around, &room, to, out );
	}
	else
	{
		fail( build );
	}
	bvb_arena_destroy( arena );
	return below;
}
