// Bodies of many convex leaves: the convex parts of a file, convex shapes, and unions of these, which can be nested. Contacts and
// the signed distance of two of them, with the number of each leaf.
//
//     #include <bv/compound.h>
//     #include <stdio.h>
//
//     static _Alignas( 8 ) char memory[8192], scratch[65536];
//
//     int main( void )
//     {
//         bv_convex plank = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 0.1, 1 ) );
//         bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 0.5 ) );
//         bv_compound member[] = { bv_compound_of_shape( &plank ), bv_compound_of_shape( &plank ) };
//         bv_transform where[] = { bv_transform_identity(), bv_transform_translation( 2, 0, 0 ) };
//         bv_compound floor, body = bv_compound_of_shape( &crate );
//         if ( bv_compound_join( member, where, 2, memory, sizeof memory, &floor ) != bv_ok )
//             return 1;
//         bv_transform at = bv_transform_translation( 0.9, 0.59, 0 ); // the crate's coordinates to the floor's
//         bv_compound_contact contact[4];
//         bv_compound_room room = { contact, 4, scratch, sizeof scratch };
//         bv_compound_contacts_result r;
//         bv_compound_contacts( &floor, &body, &at, NULL, &room, &r );
//         printf( "%u %g\n", r.count, contact[1].manifold.normal.y ); // prints 2 1
//         return r.count == 2 ? 0 : 1;
//     }
//
// Both planks touch the crate, and no face between them does. Leaves are numbered in the order of members; those of a file by the
// numbers of its parts. Pairs of leaves are found by trees of boxes: that of the union, and in its leaves those of files.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bv/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most leaves of a compound.
#define BV_COMPOUND_MAX_LEAVES 16777216

/// A body of convex leaves, which has coordinates of its own. A value: copy it freely. What it refers to must remain valid and unchanged
/// while it is in use. Made by the functions below; its members are not for callers to set.
typedef struct bv_compound
{
	const bv_file* file;    ///< whose parts are the leaves; null for others
	const bv_convex* shape; ///< the only leaf; null for others
	const void* joined;     ///< memory of bv_compound_join; null for others
	uint32_t leaves;        ///< number of leaves; 0 if it is invalid: queries return bv_error_argument
} bv_compound;

/// @param file  with convex parts (bvbuild --decompose); read in place, not copied
/// @return the parts of a file as one body, in coordinates of the file; an invalid one if the file has none
bv_compound bv_compound_of_parts( const bv_file* file );

/// @param shape  of any kind; not copied. An invalid one is an error of the queries
/// @return a body of one leaf
bv_compound bv_compound_of_shape( const bv_convex* shape );

/// @param members  array of `count` compounds
/// @return the size of the memory that their union needs, bytes: about 700 for each file and shape in it; 0 if a pointer is null,
/// `count` is 0, a member is invalid, or there are more than BV_COMPOUND_MAX_LEAVES leaves
size_t bv_compound_bytes( const bv_compound* members, uint32_t count );

/// Makes a union. Members that are unions are flattened: the result does not refer to their memory, only to files and shapes.
/// @param members     array of `count` compounds; one can be there more than once. Not needed afterwards
/// @param placements  of each member, from its coordinates to those of the union; null for the identity of all. Not needed afterwards.
///                    Queries measure lengths in coordinates of leaves: they err by as much as a rotation is not orthonormal
/// @param memory      8-byte aligned; the union is there, and remains valid as long as it is there. It holds addresses, and must not
///                    be moved
/// @param bytes       its size, at least bv_compound_bytes( members, count )
/// @param out         receives the union
/// @return bv_ok; bv_error_argument if a pointer is null, memory is misaligned, a member, its shape or a placement is invalid, or a
/// translation exceeds BV_MAX_LENGTH, those of nested members composed; bv_error_limit if there are too many leaves;
/// bv_error_memory if there are too few bytes. `*out` is unchanged on errors, and what is in the memory is undefined
bv_status bv_compound_join( const bv_compound* members, const bv_transform* placements, uint32_t count,
                            void* memory, size_t bytes, bv_compound* out );

/// What a leaf is.
typedef struct bv_compound_leaf
{
	uint32_t member; ///< of the union that it is in, by its index; 0 for others
	uint32_t leaf; ///< number of the leaf in this member: the one to ask for in a member that is a union, too
	const bv_file* file;    ///< whose part it is; null for a shape
	uint32_t part;          ///< index of the part; 0 for a shape
	bv_convex shape;        ///< in coordinates of its own, or of the file
	bv_transform placement; ///< from these coordinates to those of the compound
} bv_compound_leaf;

/// @param leaf  less than compound->leaves
/// @param out   receives what the leaf is
/// @return false, with `*out` unchanged, if a pointer is null, the compound is invalid or the number is out of range
bool bv_compound_get_leaf( const bv_compound* compound, uint32_t leaf, bv_compound_leaf* out );

/// Contacts of two leaves.
typedef struct bv_compound_contact
{
	uint32_t leaf_a;      ///< number of the leaf of a
	uint32_t leaf_b;      ///< number of the leaf of b
	bv_manifold manifold; ///< at least one contact; in coordinates of a
} bv_compound_contact;

/// Gives the cache of a pair of leaves, which is read and written before the next call. Called in the order of pairs.
/// @param context  that of the options
/// @return null for none
typedef bv_convex_cache* bv_compound_cache_callback( void* context, uint32_t leaf_a, uint32_t leaf_b );

/// Options of bv_compound_contacts. Zero-initialized options are the defaults.
typedef struct bv_compound_contacts_options
{
	/// Contacts are reported up to this separation, in units of a; 0 to BV_MAX_LENGTH. Default 0: only leaves that touch or overlap.
	double speculative;

	/// Leaves of a compound that are at most this far from each other join into one surface, units of a: 0 to BV_MAX_LENGTH. A step or a
	/// gap of at most this size has no contacts of its own. Default 0: 1e-4 of half the diagonal of the smaller leaf's box.
	double tolerance;

	bool no_ghost_test; ///< keep contacts whose normal the surface of a compound does not have

	bv_compound_cache_callback* cache; ///< of pairs of leaves; default null: none
	void* context;                     ///< passed to the callback
} bv_compound_contacts_options;

/// @return the defaults listed in bv_compound_contacts_options
bv_compound_contacts_options bv_compound_contacts_options_default( void );

/// Memory of the caller that bv_compound_contacts fills.
typedef struct bv_compound_room
{
	bv_compound_contact* contacts; ///< receives the contacts, sorted by leaf_a, then by leaf_b
	uint32_t capacity;             ///< of these; at least 1
	void* scratch;                 ///< 8-byte aligned; need not be initialized, and holds nothing afterwards
	size_t scratch_bytes;          ///< its size: bv_compound_contacts_bytes
} bv_compound_room;

/// Result of bv_compound_contacts.
typedef struct bv_compound_contacts_result
{
	uint32_t count;   ///< of pairs of leaves with contacts
	uint32_t dropped; ///< pairs with contacts for which there was no room: those with the largest separations
	uint32_t pairs;   ///< of leaves whose boxes are within the speculative distance
	uint32_t ghosts;  ///< pairs whose contacts had a normal that the surface of a compound does not have
	uint32_t turned;  ///< of these, pairs that have contacts with another normal
	uint64_t volume_tests; ///< pairs of boxes
	uint64_t supports;     ///< support points evaluated for contacts, of each shape
} bv_compound_contacts_result;

/// @param pairs  the most pairs of leaves whose boxes are within the speculative distance
/// @return the size of the scratch memory that bv_compound_contacts needs for these compounds, bytes; 0 if a compound is invalid
size_t bv_compound_contacts_bytes( const bv_compound* a, const bv_compound* b, uint32_t pairs );

/// Finds the contacts of two compounds: those of bv_convex_manifold of all pairs of leaves that are near.
///
/// No ghost contacts: where leaves of one compound lie side by side, a shape that slides over them does not catch on the faces and edges
/// between them. A normal is one that the surface of the union has at one of the contacts: all other leaves at this point are behind
/// the plane through it, or a way within the plane leads away from them, as at the foot of a wall. The contacts of a pair that have
/// another normal are dropped where another leaf is nearer, or where moving b out of another pair ends these, too. Otherwise they
/// become those along the face normal of one of both leaves with the least depth that the surface has, and `lower` and
/// `upper` are minus that depth. Without one, as deep inside of a compound, they remain.
/// @param b_in_a   from coordinates of b to those of a; null for the identity
/// @param options  null for the defaults
/// @param room     memory of the caller
/// @param result   receives the counts
/// @return bv_ok; bv_error_argument if another pointer is null, memory is misaligned, a compound or a shape is invalid, the transform is invalid
/// or a translation exceeds BV_MAX_LENGTH, or an option is out of range; bv_error_memory if the scratch memory is not enough for the
/// compounds or for the pairs that are near. On error `*result` is unchanged, and contacts and caches are undefined
bv_status bv_compound_contacts( const bv_compound* a, const bv_compound* b, const bv_transform* b_in_a,
                                const bv_compound_contacts_options* options, const bv_compound_room* room,
                                bv_compound_contacts_result* result );

/// Result of bv_compound_distance.
typedef struct bv_compound_distance_result
{
	/// The interval contains the smallest signed distance of a leaf of a and a leaf of b. Points, normal are those of the pair `leaf`, and
	/// `supports` counts those of all pairs.
	bv_convex_result nearest;

	uint32_t leaf
		[2]; ///< the pair with the smallest upper bound: the nearest one, or the one that overlaps deepest
	uint64_t volume_tests; ///< pairs of boxes
	uint64_t pair_tests;   ///< pairs of leaves
} bv_compound_distance_result;

/// @return the size of the memory that bv_compound_distance needs for these compounds, bytes; 0 if a compound is invalid
size_t bv_compound_distance_bytes( const bv_compound* a, const bv_compound* b );

/// Finds the nearest leaves of two compounds, or those that overlap deepest.
/// @param b_in_a   from coordinates of b to those of a; null for the identity
/// @param options  of bv_convex_distance, without a cache; null for the defaults
/// @param memory   8-byte aligned; need not be initialized, and holds nothing afterwards
/// @param bytes    its size, at least bv_compound_distance_bytes( a, b )
/// @param result   receives bounds, points and the pair, in coordinates of a
/// @return bv_ok; bv_error_argument if another pointer is null, memory is misaligned, a compound or a shape is invalid, the transform is
/// invalid or a translation exceeds BV_MAX_LENGTH, or an option is out of range; bv_error_memory if there are too few bytes;
/// bv_error_unsupported if the method does not compare such shapes. On error `*result` is unchanged
bv_status bv_compound_distance( const bv_compound* a, const bv_compound* b, const bv_transform* b_in_a,
                                const bv_convex_options* options, void* memory, size_t bytes,
                                bv_compound_distance_result* result );

#ifdef __cplusplus
}
#endif
