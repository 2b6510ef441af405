// Contacts of meshes that bend: of a mesh with itself, and with others.
//
//     #include <bvworld/deform_contact.h>
//
//     // Counts the contacts of a cloth with itself during a step.
//     bv_status count_contacts( bvw_deform* cloth, const bvw_owners* owners, const bvw_vertices* from,
//                               const bvw_vertices* to, uint64_t* count )
//     {
//         bvw_deform_sweep_result r = { .contacts = 0 };
//         bv_status status = bvw_deform_refit_motion( cloth, from, to, NULL, NULL );
//         status = status ? status : bvw_deform_self_sweep( cloth, owners, NULL, &r );
//         *count = r.contacts;
//         return status;
//     }
//
// Two features are compared if they have no vertex in common: each vertex with each face that it is not a corner of, and each edge with
// each edge that it shares no end with. That includes all features of two triangles that share no vertex, and of neighbors those that
// can touch: a vertex and the face across an edge, and two edges from different vertices of a fan. Each pair of features is compared
// once, no matter how many triangles have them. Edges of faces count, no matter how many faces they have.
//
// Experimental: may change until the next minor version.
//
// Representative triangles: S. Curtis, R. Tamstorf, D. Manocha, "Fast collision detection for deformable models using
// representative-triangles", 2008. Contacts of features: see bv/motion.h.

#pragma once

#include "bv/motion.h"

#include "bvworld/deform.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which triangle stands for each vertex and each edge: the first one that has it. A block of memory of the caller.
typedef struct bvw_owners bvw_owners;

/// @param file  with triangles: that which a deformable mesh was made from, or bvw_deform_file
/// @return the size of bvw_owners, a byte per triangle and 16; 0 if the file is null or has no hierarchy
size_t bvw_owners_bytes( const bv_file* file );

/// @return the size of the memory that bvw_owners_begin works in, about 16 bytes per triangle; 0 if the file is null or has no hierarchy
size_t bvw_owners_scratch_bytes( const bv_file* file );

/// Finds the owners. They depend only on the triangles, not on positions. After bvw_deform_rebuild, triangles have other numbers, and the
/// owners of bvw_deform_file have to be found again.
/// @param scratch        4-byte aligned; not needed afterwards
/// @param scratch_bytes  at least bvw_owners_scratch_bytes( file )
/// @param memory         8-byte aligned; remains the caller's, and can be copied elsewhere
/// @param bytes          at least bvw_owners_bytes( file )
/// @param out            receives `memory` as what it now is
/// @return bv_ok; bv_error_argument if a pointer is null, memory is not aligned, or the file has no hierarchy; bv_error_memory if there
/// is not enough of one of the two. `*out` is unchanged on errors
bv_status bvw_owners_begin( const bv_file* file, void* scratch, size_t scratch_bytes, void* memory,
                            size_t bytes, bvw_owners** out );

/// Two triangles of one mesh.
typedef struct bvw_self_pair
{
	uint32_t triangle[2]; ///< the lower number first
	bool meets; ///< they intersect, in the sense of bv_mesh_collide. Without a separation, always true

	/// Bounds of the distance, and nearest points and where on the triangles they are, to rounding. Only with a separation; otherwise 0.
	bv_interval distance;
	bv_vec3 point[2];      ///< in file coordinates; of triangles that intersect, a common point
	bv_feature feature[2]; ///< of each triangle, likewise
} bvw_self_pair;

/// Receives a pair.
/// @param pair  valid during the call
/// @return false to end the query
typedef bool bvw_self_pair_callback( void* context, const bvw_self_pair* pair );

/// Options of bvw_deform_self_collide. Zero-initialized options are the defaults.
typedef struct bvw_self_collide_options
{
	/// Pairs at this distance or closer are found, in doubt those that are farther apart by rounding errors. Default 0: only pairs that
	/// intersect.
	double separation;

	bvw_self_pair_callback*
		callback;  ///< receives each pair, from the thread of the query; null: pairs are counted
	void* context; ///< passed to the callback
} bvw_self_collide_options;

/// @return the defaults listed in bvw_self_collide_options
bvw_self_collide_options bvw_self_collide_options_default( void );

/// What bvw_deform_self_collide found.
typedef struct bvw_self_collide_result
{
	uint64_t pairs;          ///< that were found, and passed to the callback if there is one
	bool complete;           ///< the callback did not end the query
	uint64_t volume_tests;   ///< pairs of boxes of nodes tested
	uint64_t triangle_tests; ///< pairs of triangles whose boxes were compared
	uint64_t exact_tests;    ///< pairs of triangles that were compared by themselves
} bvw_self_collide_result;

/// Finds the pairs of triangles of a mesh that share no vertex and intersect, or are no farther apart than a separation. Each pair is
/// found once. The order depends only on the file and the positions. After bvw_deform_refit_motion, positions are those of time 0.
/// @param options  null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, the separation is out of range, or a skin has
/// posed the mesh without its vertices
bv_status bvw_deform_self_collide( const bvw_deform* deform, const bvw_self_collide_options* options,
                                   bvw_self_collide_result* result );

/// Which features touch.
typedef enum bvw_contact_kind
{
	bvw_contact_vertex_face = 0, ///< a vertex and a face
	bvw_contact_edge_edge,       ///< two edges
	bvw_contact_kinds,           ///< the number of kinds
} bvw_contact_kind;

/// When two features first touch during a step.
typedef struct bvw_deform_contact
{
	bvw_contact_kind kind;

	/// Which mesh has the first and the second feature: 0 for the first mesh, 1 for the other one. The vertex is the first feature of
	/// its kind; of edges of two meshes, that of the first mesh is the first feature.
	uint8_t mesh[2];

	/// Of each feature. Of a vertex or an edge, the lowest number of a triangle that has it.
	uint32_t triangle[2];

	/// Numbers of vertices: the vertex and the three corners of the face in their order, or both ends of the first edge and both of the
	/// second. Of an edge, the lower number comes first. Of two edges of one mesh, that with the lower first number comes first, of these
	/// that with the lower second one.
	uint32_t vertex[4];

	bv_feature_time
		time; ///< as bv_moving_vertex_face and bv_moving_edge_edge find it for the vertices in this order
} bvw_deform_contact;

/// Receives a contact.
/// @param contact  valid during the call
/// @return false to end the query
typedef bool bvw_deform_contact_callback( void* context, const bvw_deform_contact* contact );

/// The least size of bvw_deform_sweep_options.scratch, and a size that is enough for nearly all queries, bytes.
#define BVW_DEFORM_SCRATCH_LEAST 4096
#define BVW_DEFORM_SCRATCH_AMPLE 65536

/// Options of bvw_deform_self_sweep and bvw_deform_sweep. Zero-initialized options are the defaults.
typedef struct bvw_deform_sweep_options
{
	double limit;      ///< end of the time range, up to 1; default 0, which stands for 1
	double separation; ///< features at this distance or closer touch; default 0
	double tolerance;  ///< as in bv_feature_options; default 0: 1e-6

	/// Only the first contact is wanted. Features that touch later than what was found are skipped. The callback, if there is one,
	/// receives contacts on the way to the first one.
	bool first;

	bvw_deform_contact_callback*
		callback;  ///< receives each contact, from the thread of the query; null: contacts are counted
	void* context; ///< passed to the callback

	/// Memory of the caller for triangles that have been read, 8-byte aligned. Without it, queries take longer, because these are read again
	/// and again. Default null: 1 kB of the stack.
	void* scratch;

	size_t scratch_bytes; ///< size of `scratch`, at least BVW_DEFORM_SCRATCH_LEAST; ignored without it
} bvw_deform_sweep_options;

/// @return the defaults listed in bvw_deform_sweep_options
bvw_deform_sweep_options bvw_deform_sweep_options_default( void );

/// What bvw_deform_self_sweep and bvw_deform_sweep found.
typedef struct bvw_deform_sweep_result
{
	uint64_t contacts; ///< that were found, and passed to the callback if there is one
	bool complete;     ///< the callback did not end the query: `lower` and `upper` are those of the meshes
	bool certain;      ///< `time.certain` of all contacts
	double lower;      ///< nothing touches before this time; the end of the range if there is no contact
	double upper;      ///< something touches at this time or before; infinite if that is not proven
	bvw_deform_contact
		first; ///< the contact with the least `time.lower`, the first one found of several; 0 without
	uint64_t volume_tests;  ///< pairs of boxes of nodes tested
	uint64_t feature_tests; ///< pairs of features whose boxes were compared
	uint64_t exact_tests;   ///< pairs of features that were passed to the functions of bv/motion.h
} bvw_deform_sweep_result;

/// Finds the contacts of a mesh with itself during a step, whose vertices move as bvw_deform_refit_motion was told. Each pair of features is
/// found once. None is missed. The order depends only on the file, the positions, and whether there is scratch memory.
///
/// Features that share a vertex always touch there, and are not compared: see above. With a separation, features of neighbors that share
/// no vertex are close because the mesh is fine there: take a separation well below the lengths of edges.
/// @param owners   of the file that the mesh was made from, or of bvw_deform_file
/// @param options  null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, the owners are those of other
/// triangles, an option is out of range, or the latest refit was not by bvw_deform_refit_motion
bv_status bvw_deform_self_sweep( const bvw_deform* deform, const bvw_owners* owners,
                                 const bvw_deform_sweep_options* options, bvw_deform_sweep_result* result );

/// What a mesh that bends is compared with.
typedef struct bvw_deform_other
{
	const bvw_deform*
		deform; ///< another mesh that bends, which moves as bvw_deform_refit_motion was told; or null
	const bv_file* file;      ///< a mesh that does not bend, with a hierarchy; ignored with `deform`
	const bvw_owners* owners; ///< of the file; with `deform` as of bvw_deform_self_sweep

	/// Of `file`, placements in the coordinates of the first mesh at the start and at the end of the step. Vertices move along lines
	/// from one to the other. The start may be null for the identity, and the end for the same placement.
	const bv_transform* start;
	const bv_transform* end; ///< see `start`
} bvw_deform_other;

/// Finds the contacts of a mesh with another one during a step, as bvw_deform_self_sweep does. If coordinates of the other mesh are in
/// other units, or relative to another offset, they are rounded to binary64 in the coordinates of the first one.
/// @param owners   as of bvw_deform_self_sweep
/// @param options  null for the defaults
/// @return as bvw_deform_self_sweep; also bv_error_argument if a placement is invalid or `other` has neither a mesh nor a file with a
/// hierarchy
bv_status bvw_deform_sweep( const bvw_deform* deform, const bvw_owners* owners, const bvw_deform_other* other,
                            const bvw_deform_sweep_options* options, bvw_deform_sweep_result* result );

#ifdef __cplusplus
}
#endif
