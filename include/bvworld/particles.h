// Neighbors of particles: which of many balls touch, or which points are within a distance of each other.
//
//     #include <bvworld/particles.h>
//     #include <stdio.h>
//
//     static _Alignas( 8 ) char memory[65536];
//
//     int main( void )
//     {
//         const double at[] = { 0, 0, 0, 3, 4, 0, 3, 4, 1 }; // x, y, z of three particles
//         bvw_particles particles = { .positions = at, .count = 3 };
//         bvw_neighbors_options options = { .distance = 5 };
//         uint64_t begin[4];
//         uint32_t neighbors[10];
//         bvw_neighbors lists = { .begin = begin, .neighbors = neighbors, .most = 10 };
//         if ( bvw_neighbors_find( &particles, NULL, &options, memory, sizeof memory, &lists ) != bv_ok )
//             return 1;
//         // A distance of 5 counts.
//         printf( "%u and %u\n", neighbors[begin[1]], neighbors[begin[1] + 1] ); // prints 0 and 2
//         return 0;
//     }
//
// Two particles are neighbors if the distance of their centers is at most options.distance plus both radii. Equality counts, and
// nothing is rounded: the numbers that are given decide, exactly.
//
// There is no state: a call gets positions and fills the lists. Lists do not depend on the method or the machine, and are sorted.
// Different calls can run in several threads.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bv/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The greatest number of particles of a set.
#define BVW_MAX_PARTICLES 268435456u

/// Particles, in arrays of the caller.
typedef struct bvw_particles
{
	/// x, y, z of each particle, world units, absolute values up to BV_MAX_LENGTH. Can be null if `count` is 0.
	const double* positions;

	const double* radii;   ///< of each particle, 0 to BV_MAX_LENGTH; null: all are 0
	uint32_t count;        ///< up to BVW_MAX_PARTICLES
	uint32_t stride;       ///< bytes from a position to the next, a multiple of 8; default 0 stands for 24
	uint32_t radii_stride; ///< bytes from a radius to the next, a multiple of 8; default 0 stands for 8
} bvw_particles;

/// How neighbors are looked for. All methods give the same lists; they differ in time.
typedef enum bvw_neighbors_method
{
	bvw_neighbors_default = 0, ///< bvw_neighbors_grid
	bvw_neighbors_all_pairs,   ///< every particle with every other one
	bvw_neighbors_sweep, ///< sorted along an axis, active lists in cells of the two others (Stratbuecker 2003, completed)
	bvw_neighbors_grid,    ///< sorted into cells as wide as the reach
	bvw_neighbors_methods, ///< the number of methods
} bvw_neighbors_method;

/// How bvw_neighbors_sweep sorts.
typedef enum bvw_neighbors_sort
{
	bvw_neighbors_radix = 0, ///< by digits
	bvw_neighbors_merge, ///< tryMergeSort: lists that are sorted already are only read (Stratbuecker 2003)
	bvw_neighbors_sorts, ///< the number of sorts
} bvw_neighbors_sort;

/// Options. Zero-initialized options are the defaults, except that without radii a distance has a purpose.
typedef struct bvw_neighbors_options
{
	double distance;             ///< added to the sum of both radii, world units; 0 to BV_MAX_LENGTH
	bvw_neighbors_method method; ///< default bvw_neighbors_grid
	bvw_neighbors_sort sort;     ///< of bvw_neighbors_sweep; default bvw_neighbors_radix

	/// Of one set: each pair once, in the list of the smaller number. Default: in both lists.
	bool half;

	/// The world repeats along an axis after this length, world units; default 0: it does not. The distance along that axis is the
	/// smaller one of d and period - d. Coordinates along it span at most a period, from whatever begins. No particle is its own
	/// neighbor. Not for bvw_neighbors_sweep.
	double period[3];

	/// Null, or as many numbers as there are particles, of the set that is looked in: receives their numbers in the order that the
	/// method has sorted them in; particles that are near each other are often near in it. bvw_neighbors_merge begins with it if it is
	/// a permutation, so that a call with the order of the last step sorts less. bvw_neighbors_all_pairs leaves it unchanged.
	uint32_t* order;
} bvw_neighbors_options;

/// @return the defaults listed in bvw_neighbors_options
bvw_neighbors_options bvw_neighbors_options_default( void );

/// @return the word for a method, such as "grid"; null if it is out of range
const char* bvw_neighbors_method_name( bvw_neighbors_method method );

/// @return one line that describes a method; null if it is out of range
const char* bvw_neighbors_method_help( bvw_neighbors_method method );

/// Lists of neighbors: those of particle i are neighbors[begin[i]] to neighbors[begin[i + 1] - 1], in ascending order.
typedef struct bvw_neighbors
{
	uint64_t* begin;     ///< array of the caller: one more than there are particles
	uint32_t* neighbors; ///< array of the caller; can be null if `most` is 0
	uint64_t most;       ///< its length
	uint64_t count;      ///< receives the number of neighbors in all lists, begin[particles]
	uint64_t tests;      ///< receives how many pairs of particles were compared
	uint64_t steps; ///< receives, of bvw_neighbors_sweep, all comparisons: of the sort, of lists, and `tests`
	uint32_t
		depth; ///< receives, of bvw_neighbors_merge, the depth of the sort; 1 if nothing had to be sorted
} bvw_neighbors;

/// @param of       number of particles that get lists
/// @param among    number of particles that are looked for, if they are another set; 0 otherwise
/// @param options  null for the defaults. Its distance and periods do not matter
/// @return the size of the memory that bvw_neighbors_find needs, bytes, at most 16 for each particle and 8,192; 0 if a number or
/// an option is out of range
size_t bvw_neighbors_bytes( uint32_t of, uint32_t among, const bvw_neighbors_options* options );

/// Finds the neighbors of particles.
/// @param of       particles that get lists
/// @param among    particles that are looked for; null for `of` itself, without each particle itself
/// @param options  null for the defaults
/// @param memory   8-byte aligned, for the duration of the call; its content does not matter
/// @param bytes    its size, at least bvw_neighbors_bytes
/// @param lists    its arrays receive the lists
/// @return bv_ok. bv_error_argument, and nothing changes, if a pointer is null or not aligned, an option is out of range, options
/// exclude each other, a position or a radius is NaN, infinite or out of range, or positions span more than a period.
/// bv_error_memory if the memory is too small: then nothing changes; or if `most` is too small: then all is as if it was not, except
/// that `neighbors` is unchanged: `begin` and `count` say how long it has to be
bv_status bvw_neighbors_find( const bvw_particles* of, const bvw_particles* among,
                              const bvw_neighbors_options* options, void* memory, size_t bytes,
                              bvw_neighbors* lists );

#ifdef __cplusplus
}
#endif
