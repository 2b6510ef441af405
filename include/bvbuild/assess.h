// Measures the quality of the hierarchy of a .bvh file, from its decoded volumes and by running queries.
//
//     #include <bvbuild/assess.h>
//     #include <stdio.h>
//
//     // Prints the SAH cost of a file, and the mean cost of queries near contact.
//     bv_status print_costs( const bv_file* file, bvb_arena* arena, bvb_error* error )
//     {
//         bvb_sah sah;
//         bvb_contact contact;
//         bv_status status = bvb_assess_sah( file, &sah, error );
//         if ( status == bv_ok )
//             status = bvb_assess_contact( file, NULL, arena, &contact, error );
//         if ( status == bv_ok )
//             printf( "SAH %g, contact %g\n", sah.cost, contact.all.cost );
//         return status;
//     }
//
// Each measure is a function. The functions do not change the file, and give the same result for any number
// of threads and on any machine. Expensive measures examine only a sample of the nodes: on each level at most
// a given number of nodes, evenly spread. The upper levels are therefore examined completely. A mean over
// several levels is the mean of the levels' means, weighted by their number of nodes.

#pragma once

#include "bv/mesh.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The cost of a hierarchy by the surface area heuristic (Goldsmith, Salmon 1987; MacDonald, Booth 1990), as
/// usual in the literature on ray tracing. It is the expected work for a ray that hits the volume of the
/// root. Visiting an inner node costs 1, independent of its number of children, and testing a triangle costs
/// 1. A node is hit with the probability of its area divided by the area of the root.
typedef struct bvb_sah
{
	double cost;     ///< inner + leaves
	double inner;    ///< sum over inner nodes of area, divided by the root's area
	double leaves;   ///< sum over leaves of area * triangles, divided by the root's area
	double children; ///< sum over inner nodes of area * children, divided by the root's area: volume tests
} bvb_sah;

/// Computes the SAH cost over all nodes.
/// @return bv_ok; bv_error_argument if the file has no hierarchy
bv_status bvb_assess_sah( const bv_file* file, bvb_sah* out, bvb_error* error );

/// The number of bins of the leaf histogram: one bin each for 1 to 16 triangles, then 17 to 32, 33 to 64 and
/// so on.
#define BVB_OCCUPANCY_BINS 43

/// The numbers of triangles per leaf.
typedef struct bvb_occupancy
{
	uint64_t leaves;                   ///< number of leaves
	uint32_t least;                    ///< minimum number of triangles per leaf
	uint32_t most;                     ///< maximum number of triangles per leaf
	double mean;                       ///< mean number of triangles per leaf
	uint64_t bins[BVB_OCCUPANCY_BINS]; ///< number of leaves per bin, see bvb_occupancy_range
} bvb_occupancy;

/// Returns the range of a bin.
/// @param bin    less than BVB_OCCUPANCY_BINS
/// @param least  receives the minimum number of triangles
/// @param most   receives the maximum number of triangles
void bvb_occupancy_range( uint32_t bin, uint32_t* least, uint32_t* most );

/// Counts the triangles of all leaves.
/// @return bv_ok; bv_error_argument if the file has no hierarchy
bv_status bvb_assess_occupancy( const bv_file* file, bvb_occupancy* out, bvb_error* error );

/// Computes the overlap of two volumes: the volume of their intersection, divided by the smaller one of their
/// volumes. Between boxes, k-DOPs and prisms it is computed by clipping, and between spheres in closed form,
/// both up to rounding. All other pairs are sampled with 1024 evenly spread points of the smaller volume; the
/// error is about 0.01 and at most 0.03.
/// @return 0 to 1; negative if one is flat: if its volume is below about 1e-12 of the cube of its size
double bvb_overlap_of( const bv_volume* a, const bv_volume* b );

/// Statistics of the overlap of siblings.
typedef struct bvb_overlap
{
	uint64_t pairs;    ///< number of pairs of siblings
	uint64_t measured; ///< number of examined pairs without a flat volume
	uint64_t flat;     ///< number of examined pairs with a flat volume, which have no overlap
	double mean;       ///< mean overlap of the measured pairs; 0 if none was measured
	double max;        ///< maximum overlap of the measured pairs; 0 if none was measured
	double share;      ///< fraction of the measured pairs with a positive overlap; 0 if none was measured
	uint32_t worst[2]; ///< nodes with the maximum overlap; the first pair on the uppermost level
} bvb_overlap;

/// Options of bvb_assess_overlap.
typedef struct bvb_overlap_options
{
	uint32_t parents; ///< maximum number of parents to examine per level; 0 for all; default 2048
	uint32_t threads; ///< 0, the default, for all processors if this is worthwhile
} bvb_overlap_options;

/// @return the defaults listed in bvb_overlap_options
bvb_overlap_options bvb_overlap_options_default( void );

/// Overlap of siblings in the whole tree and per level.
typedef struct bvb_overlaps
{
	bvb_overlap all;                     ///< all levels
	bvb_overlap level[BV_MAX_DEPTH + 1]; ///< by the level of the siblings; level 0 is empty
} bvb_overlaps;

/// Measures the overlap of siblings.
/// @param options  null for the defaults
/// @param arena    for scratch memory, which is returned to it
/// @return bv_ok; bv_error_argument if the file has no hierarchy; bv_error_memory
bv_status bvb_assess_overlap( const bv_file* file, const bvb_overlap_options* options, bvb_arena* arena,
                              bvb_overlaps* out, bvb_error* error );

/// Statistics of ratios of actual to optimal volumes or areas. The mean is the harmonic mean, so that it is
/// meaningful even if some optima are almost 0.
typedef struct bvb_ratio
{
	double mean;    ///< harmonic mean, at least 1
	double max;     ///< maximum, at least 1
	uint32_t worst; ///< node with the maximum; the first one on the uppermost level
} bvb_ratio;

/// Compares the volumes of nodes with the optimum: the smallest volume of the same type around the node's
/// triangles. AABBs, spheres and k-DOPs are the smallest. Oriented boxes have the smallest volume (or the
/// smallest found, for hulls with more than 500 corners) and the smallest area found, within about a percent
/// of the true minimum. Swept spheres and prisms are the best found. If a node's own volume is
/// smaller than the one found, it is the optimum.
typedef struct bvb_fitness
{
	uint64_t nodes;    ///< number of nodes
	uint64_t measured; ///< number of nodes examined
	uint64_t flat;     ///< examined nodes whose optimum is flat, thinner than about 1e-6; no ratio of volumes
	bvb_ratio volume;  ///< volume divided by the smallest volume; 0 if all nodes are flat
	bvb_ratio area;    ///< surface area divided by the smallest surface area; 0 if no node was measured
} bvb_fitness;

/// Options of bvb_assess_fitness.
typedef struct bvb_fitness_options
{
	uint32_t nodes;   ///< maximum number of nodes to examine per level; 0 for all; default 128
	uint32_t threads; ///< 0, the default, for all processors if this is worthwhile
} bvb_fitness_options;

/// @return the defaults listed in bvb_fitness_options
bvb_fitness_options bvb_fitness_options_default( void );

/// Fitness of the whole tree, per type and per level.
typedef struct bvb_fitnesses
{
	bvb_fitness all;                     ///< all nodes
	bvb_fitness type[bv_volume_types];   ///< by volume type
	bvb_fitness level[BV_MAX_DEPTH + 1]; ///< by level
} bvb_fitnesses;

/// Fits volumes of nodes again, and compares them with those of the file.
/// @param options  null for the defaults
/// @param arena    for scratch memory, which is returned to it
/// @return bv_ok; bv_error_argument if the file has no hierarchy or no triangles; bv_error_memory
bv_status bvb_assess_fitness( const bv_file* file, const bvb_fitness_options* options, bvb_arena* arena,
                              bvb_fitnesses* out, bvb_error* error );

/// The optimal volumes of the bounds of the whole mesh, in cubic mesh units. They are never larger than the
/// file's own. Those of box and sphere are lower bounds of any volume of their type around the vertices; the
/// others are the least found, with the rounding of a file whose mesh is at the origin.
typedef struct bvb_bounds_optimum
{
	double aabb;    ///< volume of the smallest axis-aligned box
	double sphere;  ///< volume of the smallest sphere
	double obb;     ///< volume of the smallest oriented box
	double kdop;    ///< volume of the smallest 26-DOP
	double capsule; ///< volume of the best capsule found
	double rss;     ///< volume of the best rectangle swept sphere found
} bvb_bounds_optimum;

/// Fits the bounds of the whole mesh again.
/// @param arena  for scratch memory, which is returned to it
/// @return bv_ok; bv_error_argument if the file has no bounds, or neither a hull nor triangles;
/// bv_error_memory
bv_status bvb_assess_bounds( const bv_file* file, bvb_arena* arena, bvb_bounds_optimum* out,
                             bvb_error* error );

/// The number of offsets from contact per draw.
#define BVB_CONTACT_OFFSETS 3

/// Returns an offset from contact: 0.01 and 0.001 apart, and -0.01, deep in contact.
/// @param index  less than BVB_CONTACT_OFFSETS
/// @return the offset, in units of half the diagonal of the mesh's box
double bvb_contact_offset( uint32_t index );

/// Work of queries, as a mean over some poses. The constant K of Eckstein 1998 is the sum of the costs of
/// volume tests and of triangle tests.
typedef struct bvb_contact_cost
{
	uint64_t poses; ///< number of poses; if 0, all other members are 0

	/// Pairs of volumes tested: [type of the mesh's node][type of the copy's node].
	double volumes[bv_volume_types][bv_volume_types];

	double volume_tests;   ///< sum of `volumes`
	double openings;       ///< nodes whose children were tested
	double leaves;         ///< pairs of leaves whose triangles were tested
	double triangle_tests; ///< pairs of triangles tested
	double pairs;          ///< pairs of triangles that intersect
	double cost;           ///< sum over all steps of their number times their cost in the file
} bvb_contact_cost;

/// Options of bvb_assess_contact.
typedef struct bvb_contact_options
{
	uint32_t draws;      ///< number of random rotations and directions; default 32
	uint64_t seed;       ///< seed of the random numbers; default 1
	uint64_t most_tests; ///< give up a draw after this many tests; 0 for no limit; default 400,000
	uint32_t threads;    ///< 0, the default, for all processors if this is worthwhile
} bvb_contact_options;

/// @return the defaults listed in bvb_contact_options
bvb_contact_options bvb_contact_options_default( void );

/// Result of bvb_assess_contact.
typedef struct bvb_contact
{
	uint32_t draws; ///< successful draws, which have poses at all offsets

	/// Rotations and directions for which the copy passed the mesh without contact, for example through a
	/// ring; up to eight per draw.
	uint32_t passed;

	uint32_t given_up;                        ///< draws given up after too many tests or steps
	bvb_contact_cost all;                     ///< all poses
	bvb_contact_cost at[BVB_CONTACT_OFFSETS]; ///< by offset
} bvb_contact;

/// Measures the work of queries of a mesh against a copy of itself near contact.
///
/// Each draw rotates the copy at random and moves it along a random direction toward the mesh. It starts with
/// the centers of both boxes 2.05 half diagonals apart. It moves by conservative advancement, each time by
/// the remaining distance, until that is below 1e-5 half diagonals. Then the copy is placed at each offset
/// along the direction, and all intersecting pairs of triangles are found. If the copy passes the mesh,
/// another rotation and direction are tried, up to eight times.
/// @param options  null for the defaults
/// @param arena    for scratch memory, which is returned to it
/// @return bv_ok; bv_error_argument if the file has no hierarchy or no triangles; bv_error_memory
bv_status bvb_assess_contact( const bv_file* file, const bvb_contact_options* options, bvb_arena* arena,
                              bvb_contact* out, bvb_error* error );

/// Options of bvb_assess_yardstick.
typedef struct bvb_yardstick_options
{
	const char* preset;      ///< a name of bvb_preset_name; default "balanced"
	uint32_t most_triangles; ///< maximum number of triangles of the mesh; default 100,000
	uint32_t threads;        ///< 0, the default, for all processors
} bvb_yardstick_options;

/// @return the defaults listed in bvb_yardstick_options
bvb_yardstick_options bvb_yardstick_options_default( void );

/// Result of bvb_assess_yardstick.
typedef struct bvb_yardstick
{
	uint32_t nodes;      ///< number of nodes of the preset's hierarchy
	bvb_contact contact; ///< result of bvb_assess_contact for it, with the default options
} bvb_yardstick;

/// Builds the hierarchy of a preset from the triangles and the costs of a file, and measures it with
/// bvb_assess_contact, to compare the file with. The two results are for the same poses if they have the same
/// number of successful draws and no draw was given up.
/// @param options  null for the defaults
/// @param arena    for scratch memory, which is returned to it
/// @return bv_ok; bv_error_argument for an unknown preset, or if the file has no hierarchy or no triangles;
/// bv_error_limit for too many triangles, or if positions would change when written again; bv_error_memory;
/// or the status of the first stage that fails
bv_status bvb_assess_yardstick( const bv_file* file, const bvb_yardstick_options* options, bvb_arena* arena,
                                bvb_yardstick* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
