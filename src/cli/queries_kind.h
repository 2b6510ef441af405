// What kinds of queries between two files have in common: rows of tables in queries.c and query_contacts.c.

#pragma once

#include "cli/poses.h"
#include "cli/queries.h"

/// Memory for contacts of parts and meshes, which grows where it is not enough.
typedef struct queries_room
{
	bvb_arena* arena;
	uint32_t pairs; ///< of parts; 0 at first
	bv_compound_room room;
	bv_mesh_contacts_room of_meshes;
	bool unresolved; ///< meshes are deeper in each other in this pose than contacts say
} queries_room;

/// Two files and what is asked of them.
typedef struct queries_call
{
	const char* path[2];
	const bv_file* file[2];
	const query_settings* settings;
	void* memory;               ///< of distances of parts
	size_t bytes;               ///< of that
	queries_room* room;         ///< of contacts of parts and meshes
	bv_vec3 pivot[2];           ///< of motions
	const bv_pose* poses;       ///< null for motions
	const pose_motion* motions; ///< null for poses
	uint32_t count;             ///< of either
} queries_call;

/// Where the files are.
typedef union queries_place
{
	bv_transform b_in_a;
	bv_motion motion[2];
} queries_place;

/// One query and what it found.
typedef union queries_found
{
	bv_collide_result collision;
	bv_distance_result distance;
	bv_convex_result hulls;
	bv_compound_distance_result parts;
	bv_sweep_result sweep;
	bv_manifold manifold;
	struct
	{
		const bv_compound_contact* contacts;
		bv_compound_contacts_result result;
	} pairs;
	struct
	{
		const bv_mesh_manifold* manifolds;
		bv_mesh_contacts_mesh_result result;
	} meshes;
} queries_found;

/// A kind of query: what it needs of a file, how it is run and what is printed of it.
typedef struct queries_kind
{
	const char* needed; ///< as in "has no hull"
	bool ( *has )( const bv_file* file );
	const char* head;
	bv_status ( *run )( const queries_call* call, const queries_place* at, queries_found* out );
	void ( *print )( const queries_found* out, uint32_t row );
	const char* shapes; ///< that a method may not compare; null for queries without methods
	uint32_t ( *rows )( const queries_found* out ); ///< printed of it; null for one
} queries_kind;

/// By query_subject: contacts of this content.
extern const queries_kind query_contact_kinds[query_subjects];

bool query_has_hierarchy( const bv_file* file );
bool query_has_hull( const bv_file* file );
bool query_has_parts( const bv_file* file );

/// Prints a comma before each of its three numbers.
void query_print_vector( bv_vec3 v );
