// Contacts that last: contact points of pairs of objects, with data of yours that stays with a point from step to step.
//
//     #include <bvworld/contacts.h>
//     #include <stdio.h>
//
//     static _Alignas( 8 ) char memory[65536];
//
//     int main( void )
//     {
//         bvw_contacts_options options = { .pairs = 16 };
//         bvw_contacts* contacts;
//         if ( bvw_contacts_begin( memory, sizeof memory, &options, &contacts ) != bv_ok )
//             return 1;
//         bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
//         bvw_body bodies[] = { { &crate, bv_transform_identity() }, { &crate, bv_transform_translation( 0.5, 2, 0 ) } };
//         bvw_pair pair = { 0, 1 };
//         bvw_changes changes = { .begun = &pair, .begun_count = 1 }; // usually from bvw_broadphase_update
//         bvw_contacts_step_input input = { .changes = &changes, .bodies = bodies, .body_count = 2 };
//         bvw_contacts_report report;
//         bvw_contacts_step( contacts, &input, &report );
//         bvw_contact_pair* touching = bvw_contacts_at( contacts, report.touching[0] );
//         touching->data[0][0] = 9.81; // an impulse of the first point, there again after the next step
//         return touching->manifold.count == 4 ? 0 : 1;
//     }
//
// Contacts are a block of memory of the caller. It allocates nothing and holds no addresses: its bytes can be copied, compared,
// stored and restored. It has an entry for each pair of a broad phase, with the contact points of the last step and the cache
// of the convex query. Reports come sorted, and do not depend on the number of threads.
//
// Contacts of bodies of convex leaves are found by bvw_contacts_update_compounds. Engines that find contacts by themselves, such as those
// of meshes, pass them to bvw_contacts_update_pair.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bv/compound.h"

#include "bvworld/broadphase.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers of user data of a contact point.
#define BVW_CONTACT_DATA 3

/// The most points of former steps that are kept for a pair.
#define BVW_KEPT_POINTS 4

/// Options of contacts. Zero-initialized options are the defaults, except for `pairs`.
typedef struct bvw_contacts_options
{
	uint32_t pairs; ///< the most entries: pairs of the broad phase, and pairs of parts; 1 to BVW_MAX_PAIRS

	/// A contact point whose identity has changed is the same one if it moved at most this far in the coordinates of either object.
	/// World units; of bvw_contacts_update_pair units of object a. 0 to BV_MAX_LENGTH; default 0: 0.02.
	double tolerance;

	uint32_t workers; ///< the most threads of a step, up to BVW_MAX_WORKERS; default 0: 1
	bool keep;        ///< keep points of former steps: see bvw_kept_points. Default: false
} bvw_contacts_options;

/// @return the defaults listed in bvw_contacts_options, with 0 pairs
bvw_contacts_options bvw_contacts_options_default( void );

/// What contacts are of: two objects, or a part of each. Keys are sorted by a, then b, part[0], part[1].
typedef struct bvw_contact_key
{
	uint32_t a;       ///< smaller number of an object
	uint32_t b;       ///< greater number
	uint32_t part[2]; ///< numbers of the caller for a part of a and of b; 0 for whole objects
} bvw_contact_key;

/// A contact point that ended.
typedef struct bvw_ended_point
{
	uint64_t identity;             ///< that of its bv_contact
	uint64_t since;                ///< the step in which it began
	double data[BVW_CONTACT_DATA]; ///< the user data that it had
} bvw_ended_point;

/// An entry: a pair of objects or of parts, which has contacts if manifold.count is not 0. Only `data` and `cache` are for the caller
/// to change.
typedef struct bvw_contact_pair
{
	bvw_contact_key key;  ///< what touches
	uint64_t since;       ///< the step in which the pair began to touch, the last time
	bv_manifold manifold; ///< as it was computed last; in coordinates of a

	bv_vec3 place[BV_MANIFOLD_CONTACTS]; ///< manifold.contact[i].point[1] in coordinates of b

	/// User data of each contact point, such as accumulated impulses along the normal and two tangents. 0 when the point begins, and
	/// behind the last point. It goes with the point, also to another index.
	double data[BV_MANIFOLD_CONTACTS][BVW_CONTACT_DATA];

	uint64_t point_since[BV_MANIFOLD_CONTACTS]; ///< the step in which each point began

	/// Points that ended when the manifold was computed last, in the order that they had.
	bvw_ended_point ended[BV_MANIFOLD_CONTACTS];
	uint32_t ended_count; ///< number of them

	bv_convex_cache cache; ///< of convex queries of this pair
} bvw_contact_pair;

/// A contact point of a former step that is still one, as far as its place says.
typedef struct bvw_kept_point
{
	bv_contact
		at; ///< its former identity; points are where they are now on both objects, in coordinates of a
	bv_vec3 place;                 ///< at.point[1] in coordinates of b
	double data[BVW_CONTACT_DATA]; ///< for the caller to change
} bvw_kept_point;

/// Points of former steps of an entry. A manifold has points of one pair of support faces. A hull that rests on the edge between two faces
/// at a small angle touches with the one, then with the other, and rocks. A solver that takes kept points for contacts, too, lets
/// it rest.
///
/// A point that ends because the manifold no longer has it is kept while the manifold has others, its places on both objects are at most
/// options.tolerance apart, along the normal of the manifold (or overlap) as well as aside, and no point of the manifold and no other kept
/// point is within the tolerance. Older ones stay. It has ended nevertheless: if the manifold has it again, by its identity
/// or by its place, it begins, with the data that have been kept.
typedef struct bvw_kept_points
{
	uint64_t count; ///< of points; those behind are 0
	bvw_kept_point point[BVW_KEPT_POINTS];
} bvw_kept_points;

/// A pair that ended to touch, with all of its points.
typedef struct bvw_contact_end
{
	bvw_contact_key key;                         ///< what touched
	uint64_t since;                              ///< the step in which it began to
	bvw_ended_point point[BV_MANIFOLD_CONTACTS]; ///< its contact points
	uint64_t count;                              ///< number of them
} bvw_contact_end;

/// Contacts: a block of memory of the caller.
typedef struct bvw_contacts bvw_contacts;

/// @param options  null is an error
/// @return the size of the memory that contacts need, bytes, about 1.4 kB for each pair, with `keep` 0.6 kB more; 0 if an option is out of range
size_t bvw_contacts_bytes( const bvw_contacts_options* options );

/// Makes a block without entries.
/// @param memory  8-byte aligned; remains the caller's
/// @param bytes   its size, at least bvw_contacts_bytes( options )
/// @param out     receives `memory` as what it now is
/// @return bv_ok; bv_error_argument if a pointer is null or not aligned or an option is out of range; bv_error_memory if
/// the memory is too small. `*out` is unchanged on errors
bv_status bvw_contacts_begin( void* memory, size_t bytes, const bvw_contacts_options* options,
                              bvw_contacts** out );

/// Copies all entries into a block of other size, for example because it is full. Indices of entries and the arrays of the last report are not
/// copied.
/// @param from     remains as it is
/// @param memory   does not overlap `from`
/// @return as bvw_contacts_begin; bv_error_limit if there are more entries than options->pairs
bv_status bvw_contacts_copy( const bvw_contacts* from, void* memory, size_t bytes,
                             const bvw_contacts_options* options, bvw_contacts** out );

/// What an object is, and where.
typedef struct bvw_body
{
	const bv_convex*
		shape; ///< null for objects whose contacts come from bvw_contacts_update_pair, and for unused numbers
	bv_transform placement; ///< from coordinates of the shape to those of the world
} bvw_body;

/// Input of a step. All memory is the caller's and is only read.
typedef struct bvw_contacts_step_input
{
	/// What bvw_broadphase_update reported since the last step, or what an engine with another broad phase fills in: sorted
	/// by a, then by b, with a < b and no pair twice. Pairs in `ended` lose their entries, also those of parts; pairs in `begun` get
	/// one. A pair in both is a new one. Null: no changes.
	const bvw_changes* changes;

	const bvw_body* bodies; ///< of each object by its number; can be null if `body_count` is 0
	uint32_t body_count;    ///< length of `bodies`; objects with greater numbers have no shape

	/// Of each body: not 0 if its placement or shape has changed since the last step. Pairs of two bodies that are asleep are
	/// not computed and keep their contacts. Null: all are awake.
	const uint8_t* awake;

	double speculative; ///< as in bv_manifold_options, world units; 0 to BV_MAX_LENGTH
} bvw_contacts_step_input;

/// What a step did. Arrays are sorted by key. They are in the block and remain until the next call that changes it.
typedef struct bvw_contacts_report
{
	uint64_t step; ///< number of this step, beginning with 1

	/// Indices of entries for bvw_contacts_at, of pairs that touch and were computed in this step: those that stay and those that
	/// begin to. Points whose point_since is `step` are new; `ended` of the entry lists those that ended.
	const uint32_t* touching;
	uint32_t touching_count; ///< number of them

	const uint32_t* begun; ///< the part of `touching` that did not touch before, whose `since` is `step`
	uint32_t begun_count;  ///< number of them

	const bvw_contact_end* ended; ///< pairs that no longer touch, or whose entry was lost
	uint32_t ended_count;         ///< number of them

	/// Indices of pairs that could not be computed: a shape or a placement is invalid, for example NaN. They keep their contacts,
	/// and are tried again in each step.
	const uint32_t* refused;
	uint32_t refused_count; ///< number of them

	uint32_t computed; ///< pairs that were computed, those that do not touch included
	uint64_t supports; ///< support points evaluated, of each shape
} bvw_contacts_report;

/// Computes the contacts of pairs that are awake, by bv_convex_manifold with the cache of each entry. A contact point that has
/// the identity of a former one is the same. The others are matched by their places in the coordinates of both objects, the nearest
/// ones first. Each former point is used once at most.
/// @return bv_ok; bv_error_argument, and nothing changes, if a pointer is null, `speculative` is out of range or the changes are not
/// sorted; bv_error_memory, and nothing changes, if there were more entries than options.pairs: bvw_contacts_copy with a greater
/// limit followed by the same step gives what this one would have given
bv_status bvw_contacts_step( bvw_contacts* contacts, const bvw_contacts_step_input* input,
                             bvw_contacts_report* report );

/// As bvw_contacts_step, by several threads. Results and all bytes of the block are the same for any number of them. The calling thread
/// waits in `finish`.
/// @param tasks  null for the calling thread only
/// @return as bvw_contacts_step; also bv_error_argument if `tasks` has a null function, or `workers` is out of range
bv_status bvw_contacts_step_on( bvw_contacts* contacts, const bvw_contacts_step_input* input,
                                const bvw_tasks* tasks, bvw_contacts_report* report );

/// What happened to the contacts of a pair.
typedef enum bvw_contact_event
{
	bvw_contact_none = 0, ///< it has none, and had none
	bvw_contact_begun,    ///< it has some, and had none
	bvw_contact_stays,    ///< it has some, and had some
	bvw_contact_ended,    ///< it has none, and had some
} bvw_contact_event;

/// Result of bvw_contacts_update_pair.
typedef struct bvw_pair_result
{
	bvw_contact_event event; ///< what happened

	/// Index of the entry for bvw_contacts_at; UINT32_MAX if it has none. Remains until the next call that changes the block, except for
	/// bvw_contacts_update_pair.
	uint32_t index;

	bvw_contact_end ended; ///< the points that ended: all if the pair did
} bvw_pair_result;

/// Gives a pair contacts that the caller has found, for example those of two meshes, or of a part of each of two compounds. Points are
/// matched with the former ones as in a step.
///
/// A pair gets an entry when it has contacts. It loses it when it has none, unless the broad phase lists the pair and both parts are
/// 0, and when a step gets it as ended. Until then it keeps its contacts. New entries take time for those behind them: they are added
/// the fastest in the order of keys. Pairs for which a step computes contacts should not be passed. What happens here is not
/// part of the report of a step, and counts as part of the last step.
/// @param key        of different objects, a < b
/// @param placement  from coordinates of b to those of a; null for the identity
/// @param manifold   in coordinates of a, of up to BV_MANIFOLD_CONTACTS points; null for no contacts
/// @param result     receives what happened; null if not wanted
/// @return bv_ok; bv_error_argument, and nothing changes, if another pointer is null, the key or the transform is invalid, or the
/// manifold has too many points or a number that is NaN or exceeds BV_MAX_LENGTH; bv_error_memory, and nothing changes, if there
/// is no room for a new entry
bv_status bvw_contacts_update_pair( bvw_contacts* contacts, const bvw_contact_key* key,
                                    const bv_transform* placement, const bv_manifold* manifold,
                                    bvw_pair_result* result );

/// Two objects that are bodies of convex leaves.
typedef struct bvw_compounds
{
	uint32_t a;                     ///< smaller number of an object
	uint32_t b;                     ///< greater number
	const bv_compound* compound[2]; ///< of a and of b
	bv_transform b_in_a;            ///< from coordinates of b to those of a

	/// As for bv_compound_contacts, in units of a; null for the defaults. `cache` has to be null: caches are those of the entries.
	const bv_compound_contacts_options* options;
} bvw_compounds;

/// What happened to the pairs of leaves of two objects. Arrays are sorted by key and stored in the block. They overwrite those of the
/// last step's report, and remain until the next call that changes the block.
typedef struct bvw_compounds_report
{
	const uint32_t*
		touching;            ///< indices of entries for bvw_contacts_at: those that stay and those that begin
	uint32_t touching_count; ///< number of them

	const uint32_t* begun; ///< the part of `touching` that did not touch before
	uint32_t begun_count;  ///< number of them

	const bvw_contact_end* ended; ///< pairs that no longer touch
	uint32_t ended_count;         ///< number of them

	bv_compound_contacts_result found; ///< counts of bv_compound_contacts
} bvw_compounds_report;

/// @param pairs  the most pairs of leaves whose boxes are within the speculative distance
/// @return the size of the scratch memory that bvw_contacts_update_compounds needs, bytes: about 400 for each pair of leaves; 0 if a
/// compound is invalid
size_t bvw_contacts_compounds_bytes( const bv_compound* a, const bv_compound* b, uint32_t pairs );

/// Computes the contacts of two bodies of convex leaves by bv_compound_contacts, with the caches of the entries, and updates the entries of
/// all pairs of leaves. The parts of their keys are the numbers of the leaves. All are updated at once, which takes much less time
/// than one bvw_contacts_update_pair for each.
///
/// A pair of leaves has an entry as long as it has contacts. The entry that the broad phase lists, whose parts are 0, is that of both
/// first leaves; it remains without contacts. What happens here is not part of the report of a step, and counts as part of the
/// last step.
/// @param room    memory of the caller: `scratch` of bvw_contacts_compounds_bytes; `contacts` receives the manifolds
/// @param report  receives what happened
/// @return bv_ok; bv_error_argument, and nothing changes, as for bv_compound_contacts, or if a number is not below that of b;
/// bv_error_memory, and nothing changes, if there is too little scratch memory, if there are more pairs with contacts than `capacity`, or
/// if there would be more entries than options.pairs
bv_status bvw_contacts_update_compounds( bvw_contacts* contacts, const bvw_compounds* pair,
                                         const bv_compound_room* room, bvw_compounds_report* report );

/// @param index  from a report or a list
/// @return the entry; null if the index is out of range
bvw_contact_pair* bvw_contacts_at( bvw_contacts* contacts, uint32_t index );

/// @param index  from a report or a list
/// @return the points of former steps of an entry; null if the index is out of range, or without options.keep
bvw_kept_points* bvw_contacts_kept( bvw_contacts* contacts, uint32_t index );

/// @return the entry with a key, also if it has no contacts; null without an entry. It remains until the next call that changes the
/// block
bvw_contact_pair* bvw_contacts_find( bvw_contacts* contacts, const bvw_contact_key* key );

/// Lists the pairs that touch, asleep or not, sorted by key.
/// @param indices  receives indices for bvw_contacts_at; can be null if `most` is 0
/// @param most     length of that array
/// @param count    receives the number of pairs. If it exceeds `most`, `indices` is unchanged
/// @return bv_ok; bv_error_argument if a pointer is null; bv_error_memory if `most` is too small
bv_status bvw_contacts_list( const bvw_contacts* contacts, uint32_t* indices, uint32_t most,
                             uint32_t* count );

#ifdef __cplusplus
}
#endif
