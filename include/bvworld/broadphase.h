// Broad phases: which of many boxes touch, which pairs began and ended to do so, and which boxes a box meets. For rays and shapes
// see bvworld/queries.h.
//
//     #include <bvworld/broadphase.h>
//     #include <stdio.h>
//
//     static _Alignas( 8 ) char memory[65536];
//
//     int main( void )
//     {
//         bvw_broadphase_options options = { .objects = 100, .pairs = 500 };
//         bvw_broadphase* world;
//         if ( bvw_broadphase_begin( memory, sizeof memory, &options, &world ) != bv_ok )
//             return 1;
//         bvw_object crate = { .box = { { 0, 0, 0 }, { 1, 1, 1 } } }, ball = { .box = { { 3, 0, 0 }, { 4, 1, 1 } } };
//         bvw_broadphase_add( world, 7, &crate );
//         bvw_broadphase_add( world, 3, &ball );
//         ball.box.lower.x = 0.5;
//         bvw_broadphase_move( world, 3, &ball.box );
//         bvw_changes changes;
//         bvw_broadphase_update( world, &changes );
//         for ( uint32_t i = 0; i < changes.begun_count; ++i )
//             printf( "%u %u\n", changes.begun[i].a, changes.begun[i].b ); // prints 3 7
//         return 0;
//     }
//
// A broad phase is a block of memory of the caller. It allocates nothing and holds no addresses: its bytes can be copied,
// compared, stored and restored, for example to go back in time. Functions that take it as const can be called from several
// threads at the same time.
//
// Boxes are compared exactly, in double precision, and touching counts. Pairs do not depend on the method, and come sorted
// by the numbers of their objects.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bv/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The data structure. All give the same results; they differ in time and memory.
typedef enum bvw_method
{
	bvw_method_default = 0, ///< bvw_method_rows if options.moving is at least 1/4, else bvw_method_tree
	bvw_method_all_pairs,   ///< every object with every other one
	bvw_method_sort,        ///< objects are sorted along an axis, and swept (batch)
	bvw_method_rows,        ///< objects are sorted into rows of cells, and swept along them (batch)
	bvw_method_sweep,    ///< sorted end points along three axes are kept sorted (Baraff 1992; I-COLLIDE 1995)
	bvw_method_linked,   ///< the same in linked lists (Lin 1993; Eckstein 1998)
	bvw_method_interval, ///< rectangles along two axes, swept with a priority search tree (batch; Lin 1993)
	bvw_method_octree, ///< an octree whose nodes know the bounds of their objects (Eckstein 1998; Ulrich 2000)
	bvw_method_tree,   ///< a dynamic tree of boxes with margins
	bvw_method_uniform,      ///< a uniform grid: each object is in all cells that it meets
	bvw_method_levels,       ///< a hierarchy of grids: in cells of its own level and of coarser ones (Kravec)
	bvw_method_hash_grids,   ///< small grids that repeat themselves, one for each size (Schornbaum 2009)
	bvw_method_spatial_hash, ///< an open-addressing table of cells of all sizes
	bvw_methods,             ///< the number of methods
} bvw_method;

/// @return the word for a method, such as "tree"; null if it is out of range
const char* bvw_method_name( bvw_method method );

/// @return one line that describes a method; null if it is out of range
const char* bvw_method_help( bvw_method method );

/// How pairs are kept from one update to the next. All report the same; they differ in time and memory.
typedef enum bvw_pair_store
{
	bvw_pair_store_default =
		0, ///< bvw_pair_store_hash for methods that keep something between updates, else bvw_pair_store_list
	bvw_pair_store_hash, ///< a hash table: updates take time for pairs of changed objects only. Has user data
	bvw_pair_store_list, ///< a sorted list: the least time for each pair where many objects move
	bvw_pair_store_matrix, ///< a bit for each two objects: for few objects that touch many others
	bvw_pair_stores,       ///< the number of ways
} bvw_pair_store;

/// @return the word for a way to keep pairs, such as "hash"; null if it is out of range
const char* bvw_pair_store_name( bvw_pair_store store );

/// @return one line that describes it; null if it is out of range
const char* bvw_pair_store_help( bvw_pair_store store );

/// The most objects of bvw_pair_store_matrix.
#define BVW_MAX_MATRIX_OBJECTS 65536u

/// The greatest number of objects and of pairs of a broad phase.
#define BVW_MAX_OBJECTS 16777216u
#define BVW_MAX_PAIRS   268435456u

/// The greatest number of threads of an update.
#define BVW_MAX_WORKERS 64u

/// Options of a broad phase. Zero-initialized options are the defaults, except for `objects`.
typedef struct bvw_broadphase_options
{
	uint32_t objects; ///< numbers of objects are below this; 1 to BVW_MAX_OBJECTS

	/// The most pairs that can touch at a time; of bvw_method_tree, the most pairs whose boxes with margins,
	/// which are binary32 numbers, touch. Up to
	/// BVW_MAX_PAIRS; default 0: 4 * objects + 64.
	uint32_t pairs;

	bvw_method method; ///< bvw_method_default chooses one by `moving`

	/// For bvw_method_default: the share of the objects that move between two updates, 0 to 1. Default 0 stands for few.
	double moving;

	/// Default depends on the method. bvw_method_tree has bvw_pair_store_hash only: others are out of range.
	bvw_pair_store store;

	/// By how much bvw_method_tree enlarges the boxes of objects that move in successive updates, world units. Larger ones make
	/// moving faster and queries slower. Default 0: 1/8 of the box's longest side.
	double margin;

	/// The most threads of an update, up to BVW_MAX_WORKERS. Default 0: 1. More than 1 is out of range for methods other than
	/// bvw_method_rows and for stores other than bvw_pair_store_list.
	uint32_t workers;
} bvw_broadphase_options;

/// @return the defaults listed in bvw_broadphase_options, with 0 objects
bvw_broadphase_options bvw_broadphase_options_default( void );

/// An object.
typedef struct bvw_object
{
	/// World units. Lower coordinates can be -infinity and upper ones infinity, as of the box of a half-space. Others are at
	/// most BV_MAX_LENGTH.
	bv_aabb box;

	uint64_t category; ///< bits; default 0 stands for 1
	uint64_t mask;     ///< categories that the object makes pairs with; default 0 stands for all
	uint32_t group;    ///< objects of the same group make no pairs with each other; default 0: none
} bvw_object;

/// Two objects, the one with the smaller number first.
typedef struct bvw_pair
{
	uint32_t a; ///< smaller number
	uint32_t b; ///< greater number
} bvw_pair;

/// What changed between two updates. Sorted by a, then by b.
typedef struct bvw_changes
{
	const bvw_pair* begun; ///< pairs that touch and did not before, or whose objects are new
	uint32_t begun_count;  ///< number of them
	const bvw_pair* ended; ///< pairs that touched at the last update and no longer do, or lost an object
	uint32_t ended_count;  ///< number of them
	uint64_t tests;        ///< pairs of boxes compared
} bvw_changes;

/// A broad phase: a block of memory of the caller.
typedef struct bvw_broadphase bvw_broadphase;

/// @param options  null is an error
/// @return the size of the memory that a broad phase needs, bytes; 0 if an option is out of range
size_t bvw_broadphase_bytes( const bvw_broadphase_options* options );

/// Makes an empty broad phase.
/// @param memory  8-byte aligned; remains the caller's
/// @param bytes   its size, at least bvw_broadphase_bytes( options )
/// @param out     receives `memory` as what it now is
/// @return bv_ok; bv_error_argument if a pointer is null or not aligned or an option is out of range; bv_error_memory if
/// the memory is too small. `*out` is unchanged on errors
bv_status bvw_broadphase_begin( void* memory, size_t bytes, const bvw_broadphase_options* options,
                                bvw_broadphase** out );

/// Copies a broad phase into a block of other size, for example because it is full. The method and the margin can be others.
/// Pairs that touch go on to do so: the next update reports only what has changed since the last one.
/// @param from     remains as it is
/// @param memory   does not overlap `from`
/// @param options  more objects than the greatest number in use, and at least as many pairs as touched at the last update
/// @return as bvw_broadphase_begin; bv_error_limit if a number in use or the pairs exceed what the options allow
bv_status bvw_broadphase_copy( const bvw_broadphase* from, void* memory, size_t bytes,
                               const bvw_broadphase_options* options, bvw_broadphase** out );

/// Adds an object. Pairs are found by the next update.
/// @param number  below options.objects, and not in use
/// @return bv_ok; bv_error_argument, and nothing changes, if a pointer is null, the number is out of range or in use, or
/// the box has a NaN, a lower bound above the upper one, or a finite coordinate above BV_MAX_LENGTH
bv_status bvw_broadphase_add( bvw_broadphase* world, uint32_t number, const bvw_object* object );

/// Changes the box of an object.
/// @return bv_ok; bv_error_argument, and nothing changes, if a pointer is null, there is no such object, or the box is
/// invalid
bv_status bvw_broadphase_move( bvw_broadphase* world, uint32_t number, const bv_aabb* box );

/// Removes an object. Its number can be used again at once; pairs of the new object are new.
/// @return bv_ok; bv_error_argument, and nothing changes, if the pointer is null or there is no such object
bv_status bvw_broadphase_remove( bvw_broadphase* world, uint32_t number );

/// @param out  receives the object; its `category` and `mask` are not 0
/// @return whether the number is in use; if not, `*out` is unchanged
bool bvw_broadphase_get( const bvw_broadphase* world, uint32_t number, bvw_object* out );

/// Finds the pairs that began and ended since the last update.
/// @param changes  receives them; the arrays are in the memory of the broad phase and remain until the next call that changes it
/// @return bv_ok; bv_error_argument if a pointer is null; bv_error_memory if there are more pairs than options.pairs: then
/// nothing was reported, `*changes` is unchanged, and bvw_broadphase_copy with a greater limit followed by an update gives
/// what this one would have given
bv_status bvw_broadphase_update( bvw_broadphase* world, bvw_changes* changes );

/// Threads of the caller that take part in an update.
typedef struct bvw_tasks
{
	void* context;    ///< passed to both functions
	uint32_t workers; ///< number of tasks at a time, 1 to options.workers

	/// Has task( data, k ) called once for each k below `count`, by any threads, in any order, at the same time or not.
	/// @return what `finish` is to get
	void* ( *start )( void* context, void ( *task )( void* data, uint32_t k ), void* data, uint32_t count );

	/// Returns when all tasks of a start have returned. Called once after each start, before the next one.
	void ( *finish )( void* context, void* started );
} bvw_tasks;

/// As bvw_broadphase_update, by several threads. Results and all bytes of the broad phase are the same for any number of them. The
/// calling thread waits in `finish`.
/// @param tasks  null for the calling thread only
/// @return as bvw_broadphase_update; also bv_error_argument if `tasks` has a null function, or `workers` is out of range
bv_status bvw_broadphase_update_on( bvw_broadphase* world, const bvw_tasks* tasks, bvw_changes* changes );

/// Lists the pairs that touched at the last update, except those that the removal of an object or an update that failed has
/// ended since. Sorted by a, then by b.
/// @param pairs  receives them; can be null if `most` is 0
/// @param most   length of that array
/// @param count  receives the number of pairs. If it exceeds `most`, `pairs` is unchanged
/// @return bv_ok; bv_error_argument if a pointer is null; bv_error_memory if `most` is too small
bv_status bvw_broadphase_pairs( const bvw_broadphase* world, bvw_pair* pairs, uint32_t most,
                                uint32_t* count );

/// @return whether bvw_broadphase_pairs lists a pair
bool bvw_broadphase_has_pair( const bvw_broadphase* world, uint32_t a, uint32_t b );

/// User data of a pair, such as where contacts of the last step are.
/// @return 8 bytes that are 0 when the pair begins; the caller may change them until it ends. Null if bvw_broadphase_has_pair is
/// false, or pairs are not kept by bvw_pair_store_hash. A pair that is not listed because of an update that failed has its data again
/// if the next update that succeeds does not report its end. Copies have the data if both broad phases have bvw_pair_store_hash
uint64_t* bvw_broadphase_pair_data( bvw_broadphase* world, uint32_t a, uint32_t b );

/// What a query compares with.
typedef struct bvw_filter
{
	uint64_t category; ///< of the query; default 0 stands for all: then masks of objects are ignored
	uint64_t mask;     ///< categories that the query looks for; default 0 stands for all
} bvw_filter;

/// What a query found.
typedef struct bvw_found
{
	uint32_t count; ///< numbers of objects found
	uint64_t tests; ///< boxes tested, of nodes and of objects
} bvw_found;

/// Finds the objects whose boxes touch a box, where they are now, without an update.
/// @param box      as that of an object
/// @param filter   null for all objects
/// @param numbers  receives the numbers of the objects, sorted; can be null if `most` is 0
/// @param most     length of that array
/// @return bv_ok; bv_error_argument if another pointer is null or the box is invalid; bv_error_memory if there are more than
/// `most`: then `found->count` is their number, and the content of `numbers` is undefined
bv_status bvw_broadphase_overlap( const bvw_broadphase* world, const bv_aabb* box, const bvw_filter* filter,
                                  uint32_t* numbers, uint32_t most, bvw_found* found );

#ifdef __cplusplus
}
#endif
