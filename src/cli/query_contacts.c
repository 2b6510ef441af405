// Contacts between two files, one row per contact point. See queries.h.

#include "cli/queries_kind.h"

#include <math.h>
#include <stdio.h>

static bv_status run_hull_contacts( const queries_call* call, const queries_place* at, queries_found* out )
{
	bv_convex hull[2] = { bv_convex_hull( call->file[0] ), bv_convex_hull( call->file[1] ) };
	double scratch[BV_CONVEX_SCRATCH_AMPLE / sizeof( double )];
	bv_manifold_options options = {
		.speculative = call->settings->speculative,
		.distance = { .scratch = scratch, .scratch_bytes = sizeof scratch },
	};
	return bv_convex_manifold( hull, hull + 1, &at->b_in_a, &options, &out->manifold );
}

static uint32_t count_hull_contacts( const queries_found* out )
{
	return out->manifold.count;
}

static void print_manifold_point( const bv_manifold* m, uint32_t index )
{
	static const char* const names[] = { "", "vertex", "edge", "face" };
	const bv_contact* c = m->contact + index;
	printf( "%u", index );
	query_print_vector( c->position );
	query_print_vector( m->normal );
	printf( ",%.17g,%s,%s,0x%016llx", c->separation, names[bv_contact_feature_of( c->identity, 0 )],
	        names[bv_contact_feature_of( c->identity, 1 )], (unsigned long long)c->identity );
}

static void print_hull_contact( const queries_found* out, uint32_t row )
{
	print_manifold_point( &out->manifold, row );
}

// @return false if out of memory
static bool grow( queries_room* r, const bv_compound* a, const bv_compound* b )
{
	uint64_t all = (uint64_t)a->leaves * b->leaves;
	uint64_t pairs = r->pairs == 0 ? 1024 : 4 * (uint64_t)r->pairs;
	r->pairs = (uint32_t)( pairs < all ? pairs : all );
	r->room.capacity = r->pairs;
	r->room.scratch_bytes = bv_compound_contacts_bytes( a, b, r->pairs );
	r->room.contacts = bvb_arena_allocate( r->arena, r->pairs, sizeof *r->room.contacts );
	r->room.scratch = bvb_arena_allocate( r->arena, r->room.scratch_bytes, 1 );
	return r->room.contacts && r->room.scratch;
}

static bv_status run_part_contacts( const queries_call* call, const queries_place* at, queries_found* out )
{
	queries_room* r = call->room;
	bv_compound a = bv_compound_of_parts( call->file[0] );
	bv_compound b = bv_compound_of_parts( call->file[1] );
	bv_compound_contacts_options options = { .speculative = call->settings->speculative };
	bv_status status = bv_error_memory;
	if ( r->pairs > 0 )
	{
		status = bv_compound_contacts( &a, &b, &at->b_in_a, &options, &r->room, &out->pairs.result );
	}
	// There is room for as many contacts as pairs: none are dropped.
	while ( status == bv_error_memory && r->pairs < (uint64_t)a.leaves * b.leaves && grow( r, &a, &b ) )
	{
		status = bv_compound_contacts( &a, &b, &at->b_in_a, &options, &r->room, &out->pairs.result );
	}
	out->pairs.contacts = r->room.contacts;
	return status;
}

static uint32_t count_part_contacts( const queries_found* out )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < out->pairs.result.count; ++i )
	{
		count += out->pairs.contacts[i].manifold.count;
	}
	return count;
}

static void print_part_contact( const queries_found* out, uint32_t row )
{
	const bv_compound_contact* c = out->pairs.contacts;
	while ( row >= c->manifold.count )
	{
		row -= c->manifold.count;
		++c;
	}
	printf( "%u,%u,", c->leaf_a, c->leaf_b );
	print_manifold_point( &c->manifold, row );
}

// @return false if out of memory
static bool grow_of_meshes( queries_room* r )
{
	bv_mesh_contacts_room* room = &r->of_meshes;
	room->capacity = 2 * room->capacity < 256 ? 256 : 2 * room->capacity;
	room->scratch_bytes = 4 * room->scratch_bytes < 1 << 20 ? 1 << 20 : 4 * room->scratch_bytes;
	room->manifolds = bvb_arena_allocate( r->arena, room->capacity, sizeof *room->manifolds );
	room->scratch = bvb_arena_allocate( r->arena, room->scratch_bytes, 1 );
	return room->manifolds && room->scratch;
}

// OTHER is the mesh and FILE the body, in whose coordinates contacts are.
static bv_status find_mesh_contacts( const queries_call* call, const queries_place* at, double depth,
                                     bv_mesh_contacts_mesh_result* out )
{
	queries_room* r = call->room;
	const bv_mesh_contacts_mesh_options options = { .speculative = call->settings->speculative,
		                                            .depth = depth };
	bv_status status = bv_error_memory;
	bool fits = false;
	while ( !fits )
	{
		if ( r->of_meshes.capacity > 0 )
		{
			status = bv_mesh_contacts_mesh( call->file[1], &at->b_in_a, call->file[0], &options,
			                                &r->of_meshes, out );
		}
		fits = status != bv_error_memory && ( status != bv_ok || out->dropped == 0 );
		if ( !fits && !grow_of_meshes( r ) )
		{
			return bv_error_memory;
		}
	}
	return status;
}

static double half_diagonal( const bv_file* file )
{
	bv_file_bounds bounds;
	return bv_file_get_bounds( file, &bounds )
	           ? 0.5 * bv_length( bv_sub( bounds.aabb.upper, bounds.aabb.lower ) )
	           : 0;
}

// Goes deeper as long as triangles cross each other without a contact.
static bv_status run_mesh_contacts( const queries_call* call, const queries_place* at, queries_found* out )
{
	bv_mesh_contacts_mesh_result* found = &out->meshes.result;
	double size = fmin( half_diagonal( call->file[0] ), half_diagonal( call->file[1] ) );
	bv_status status = find_mesh_contacts( call, at, 0, found );
	for ( double depth = size / 16; depth <= size && status == bv_ok && found->unresolved > 0; depth *= 4 )
	{
		status = find_mesh_contacts( call, at, depth, found );
	}
	out->meshes.manifolds = call->room->of_meshes.manifolds;
	call->room->unresolved = status == bv_ok && found->unresolved > 0;
	return status;
}

static uint32_t count_mesh_contacts( const queries_found* out )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < out->meshes.result.count; ++i )
	{
		count += out->meshes.manifolds[i].count;
	}
	return count;
}

static void print_mesh_contact( const queries_found* out, uint32_t row )
{
	const bv_mesh_manifold* m = out->meshes.manifolds;
	for ( ; row >= m->count; ++m )
	{
		row -= m->count;
	}
	const bv_mesh_contact* c = m->contact + row;
	bv_manifold of_point = { .normal = bv_negate( c->normal ), .count = m->count };
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		bv_contact* point = of_point.contact + i;
		*point = m->contact[i].at;
		point->identity = point->identity << 32 | point->identity >> 32;
	}
	printf( "%u,%u,%u,", (uint32_t)( m - out->meshes.manifolds ), c->triangle_b, c->triangle );
	print_manifold_point( &of_point, row );
}

#define CONTACT_COLUMNS "contact,x,y,z,nx,ny,nz,separation,feature_a,feature_b,identity,microseconds"

const queries_kind query_contact_kinds[query_subjects] = {
	[query_of_mesh] = {
		"hierarchy",
		query_has_hierarchy,
		"pose,manifold,triangle_a,triangle_b," CONTACT_COLUMNS,
		run_mesh_contacts,
		print_mesh_contact,
		NULL,
		count_mesh_contacts,
	},
	[query_of_hull] = {
		"hull",
		query_has_hull,
		"pose," CONTACT_COLUMNS,
		run_hull_contacts,
		print_hull_contact,
		NULL,
		count_hull_contacts,
	},
	[query_of_parts] = {
		"convex parts (bvbuild --decompose)",
		query_has_parts,
		"pose,part_a,part_b," CONTACT_COLUMNS,
		run_part_contacts,
		print_part_contact,
		NULL,
		count_part_contacts,
	},
};
