// Quality measures of a .bvh file's hierarchy and bounds, computed from the decoded volumes and by running queries.
//
// Each measure is one function. It does not change the file, and gives the same result for any number of threads and on any
// machine. Slow measures sample the nodes: at most a given number per level, evenly spread, so that upper levels are covered
// completely. Means over several levels weight each level by its number of nodes.

#pragma once

#include "bv/query.h"
#include "bvbuild/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The surface area heuristic's cost of a hierarchy (Goldsmith, Salmon 1987; MacDonald, Booth 1990), as the literature on ray tracing
/// states it: the expected work for a ray that meets the root's volume, where looking into an inner node and testing a triangle both
/// count 1, and where a node is met with the chance of its area over the root's. A node with many children counts once, like one with
/// two: the sum over a wide tree is that of its wide nodes.
typedef struct bvb_sah
{
	double cost;   ///< inner + leaves
	double inner;  ///< sum over the inner nodes of their areas, divided by the root's
	double leaves; ///< sum over the leaves of area times number of triangles, divided by the root's area
	double
		children; ///< sum over the inner nodes of area times number of children: tests of volumes below the root
} bvb_sah;

/// Sums up areas of all nodes.
/// @return bv_ok; bv_error_argument when the file has no hierarchy
bv_status bvb_assess_sah( const bv_file* file, bvb_sah* out, bvb_error* error );

/// Of a histogram of leaves: bins of 1 to 16 triangles each, then of 17 to 32, 33 to 64 and so on.
#define BVB_OCCUPANCY_BINS 43

/// How many triangles leaves hold.
typedef struct bvb_occupancy
{
	uint64_t leaves;                   ///< all leaves
	uint32_t least;                    ///< triangles of the emptiest leaf
	uint32_t most;                     ///< triangles of the fullest leaf
	double mean;                       ///< mean number of triangles per leaf
	uint64_t bins[BVB_OCCUPANCY_BINS]; ///< leaves, by bvb_occupancy_range
} bvb_occupancy;

/// @param bin    below BVB_OCCUPANCY_BINS
/// @param least  receives how many triangles the leaves of the bin have at least
/// @param most   receives how many they have at most
void bvb_occupancy_range( uint32_t bin, uint32_t* least, uint32_t* most );

/// Counts leaves.
/// @return bv_ok; bv_error_argument when the file has no hierarchy
bv_status bvb_assess_occupancy( const bv_file* file, bvb_occupancy* out, bvb_error* error );

/// The overlap of two volumes: the volume of their intersection, divided by the smaller of the two volumes.
///
/// Pairs of boxes and k-DOPs are clipped plane by plane, and pairs of spheres have a closed form; both are accurate to rounding. All
/// other pairs (a rectangle swept sphere with anything, a sphere with another type) are estimated from 1024 evenly spread points of
/// the smaller volume. The error of the estimate is about 0.01, and at most 0.03.
/// @return 0 .. 1; negative if a volume is flat, which means less than about 1e-12 of the cube of its size
double bvb_overlap_of( const bv_volume* a, const bv_volume* b );

/// Overlaps of pairs of siblings.
typedef struct bvb_overlap
{
	uint64_t pairs;    ///< pairs in total; `measured` and `flat` count only pairs that were examined
	uint64_t measured; ///< pairs in which neither volume is flat; the fields that follow describe these
	uint64_t flat;     ///< pairs in which a volume is flat, so that the overlap is undefined
	double mean;       ///< of bvb_overlap_of; 0 where nothing was measured, as the next two
	double max;        ///< the largest
	double share;      ///< of pairs that have some volume in common: above 0
	uint32_t worst[2]; ///< the pair with the largest overlap; on a tie the first on the uppermost level
} bvb_overlap;

/// How many siblings are looked at.
typedef struct bvb_overlap_options
{
	uint32_t parents; ///< at most this many parents per level are examined; 0 means all; default 2048
	uint32_t threads; ///< 0, the default, for all processors where they are worth it
} bvb_overlap_options;

/// @return the defaults above
bvb_overlap_options bvb_overlap_options_default( void );

/// Overlaps of all siblings.
typedef struct bvb_overlaps
{
	bvb_overlap all;                     ///< of all levels
	bvb_overlap level[BV_MAX_DEPTH + 1]; ///< by the siblings' level; none on level 0
} bvb_overlaps;

/// Measures overlaps of siblings.
/// @param options  null for the defaults
/// @param arena    for the work, which leaves nothing there
/// @return bv_ok; bv_error_argument when the file has no hierarchy; bv_error_memory
bv_status bvb_assess_overlap( const bv_file* file, const bvb_overlap_options* options, bvb_arena* arena,
                              bvb_overlaps* out, bvb_error* error );

/// Ratios of what is to what could be, of volumes or of areas. The mean is the harmonic one, the inverse of the mean part of what is
/// that would do, so that it stays of use where some optima are next to nothing.
typedef struct bvb_ratio
{
	double mean;    ///< at least 1, as the next
	double max;     ///< the largest
	uint32_t worst; ///< the node with the largest ratio; on a tie the first one on the uppermost level
} bvb_ratio;

/// How far the volumes of nodes are from the optimum, which is the smallest volume of the same type around the node's triangles:
///  - Axis-aligned boxes, spheres and k-DOPs: the true minimum.
///  - Oriented boxes: the minimum by volume; for hulls of more than 500 corners the smallest that was found. The minimum by area
///    is the smallest that was found, which is within about one percent of the true minimum.
///  - Rectangle swept spheres: the smallest that was found.
/// If the node's own volume is smaller than the one that was found, it is itself the optimum.
typedef struct bvb_fitness
{
	uint64_t nodes;    ///< nodes in total
	uint64_t measured; ///< nodes that were measured; the fields that follow describe these
	uint64_t
		flat; ///< of these, those whose optimum is flat, thinner than a millionth or so, which have no ratio of volumes
	bvb_ratio volume; ///< volume divided by the smallest volume; zeros if all nodes are flat
	bvb_ratio area;   ///< surface area divided by the smallest surface area; zeros if no node was measured
} bvb_fitness;

/// How many nodes are looked at.
typedef struct bvb_fitness_options
{
	uint32_t nodes;   ///< at most this many nodes per level are measured; 0 means all; default 128
	uint32_t threads; ///< 0, the default, for all processors where they are worth it
} bvb_fitness_options;

/// @return the defaults above
bvb_fitness_options bvb_fitness_options_default( void );

/// Fit of all nodes.
typedef struct bvb_fitnesses
{
	bvb_fitness all;                     ///< of all levels
	bvb_fitness type[bv_volume_types];   ///< of the nodes of each type
	bvb_fitness level[BV_MAX_DEPTH + 1]; ///< of the nodes of each level
} bvb_fitnesses;

/// Fits nodes' volumes again and compares.
/// @param options  null for the defaults
/// @param arena    for the work, which leaves nothing there
/// @return bv_ok; bv_error_argument when the file has no hierarchy or no triangles; bv_error_memory
bv_status bvb_assess_fitness( const bv_file* file, const bvb_fitness_options* options, bvb_arena* arena,
                              bvb_fitnesses* out, bvb_error* error );

/// What the bounds of a whole mesh could be at the least, cubic mesh units: aligned box, ball and k-DOP are the least, the oriented
/// box is the least in volume, capsule and rectangle swept sphere are the best that were found. None is above the file's own.
typedef struct bvb_bounds_optimum
{
	double aabb;    ///< volume of the box
	double sphere;  ///< volume of the ball
	double obb;     ///< volume of the oriented box
	double kdop;    ///< volume of the 26-DOP
	double capsule; ///< volume of the capsule
	double rss;     ///< volume of the rectangle swept sphere
} bvb_bounds_optimum;

/// Fits the bounds of the whole mesh again.
/// @param arena  for the work, which leaves nothing there
/// @return bv_ok; bv_error_argument when the file has no bounds, or neither a hull nor triangles; bv_error_memory
bv_status bvb_assess_bounds( const bv_file* file, bvb_arena* arena, bvb_bounds_optimum* out,
                             bvb_error* error );

/// How many offsets from touching there are in a draw.
#define BVB_CONTACT_OFFSETS 3

/// @param index  below BVB_CONTACT_OFFSETS
/// @return how far beyond touching, in halves of the diagonal of the mesh's box: 0.01, 0.001 and -0.01, the last deep in contact
double bvb_contact_offset( uint32_t index );

/// What queries took, the mean of some poses: Eckstein 1998's K is the sum of the costs of volume tests and of triangle tests.
typedef struct bvb_contact_cost
{
	uint64_t poses; ///< number of poses; if 0, all other fields are 0
	double volumes
		[bv_volume_types]
		[bv_volume_types]; ///< pairs of volumes compared; of either order of two types together, in the
						   ///< row of the first one
	double volume_tests;   ///< the sum of them
	double openings;       ///< nodes whose children were compared
	double leaves;         ///< pairs of leaves whose triangles were compared
	double triangle_tests; ///< pairs of triangles compared
	double pairs;          ///< of triangles that intersect
	double cost;           ///< all steps times what the file says that each costs
} bvb_contact_cost;

/// How motion near contact is made.
typedef struct bvb_contact_options
{
	uint32_t draws; ///< rotations and directions; default 32
	uint64_t seed;  ///< of the random numbers; default 1
	uint64_t
		most_tests; ///< of volumes and triangles in each draw, after which it is given up; default 400,000; 0 for no limit
	uint32_t threads; ///< 0, the default, for all processors where they are worth it
} bvb_contact_options;

/// @return the defaults above
bvb_contact_options bvb_contact_options_default( void );

/// What queries near contact took.
typedef struct bvb_contact
{
	uint32_t draws;       ///< that were made, and have poses at all three offsets
	uint32_t passed;      ///< so many more were not: in these one passed the other by, as through a ring
	uint32_t given_up;    ///< nor were so many others, after too many tests or steps
	bvb_contact_cost all; ///< of all poses
	bvb_contact_cost at[BVB_CONTACT_OFFSETS]; ///< of those at each offset
} bvb_contact;

/// Runs queries of the mesh against itself near contact. In each draw a copy is rotated at random and moves in along a random
/// direction from 2.05 halves of the diagonal of the mesh's box, measured between the centers of both boxes, by conservative
/// advancement: by the distance that is left, until that is below 1e-5 of half the diagonal. Then it is put at each of the
/// offsets along the direction, and all intersecting pairs of triangles are looked for. Where it passes by, another rotation and
/// direction are tried, up to eight times.
/// @param options  null for the defaults
/// @param arena    for the work, which leaves nothing there
/// @return bv_ok; bv_error_argument when the file has no hierarchy or no triangles; bv_error_memory
bv_status bvb_assess_contact( const bv_file* file, const bvb_contact_options* options, bvb_arena* arena,
                              bvb_contact* out, bvb_error* error );

/// The hierarchy that a file's cost is compared with.
typedef struct bvb_yardstick_options
{
	const char* preset;      ///< a name of bvb_preset_name; default "balanced"
	uint32_t most_triangles; ///< larger meshes give bv_error_limit; default 100,000
	uint32_t threads;        ///< 0, the default, for all processors
} bvb_yardstick_options;

/// @return the defaults above
bvb_yardstick_options bvb_yardstick_options_default( void );

/// What a preset's hierarchy of the same triangles takes.
typedef struct bvb_yardstick
{
	uint32_t nodes;      ///< number of nodes
	bvb_contact contact; ///< as bvb_assess_contact finds it with its defaults
} bvb_yardstick;

/// Builds the hierarchy that a preset makes of a file's triangles, with what the file says that tests cost, and runs the queries of
/// bvb_assess_contact with it. Both costs are of the same poses if as many draws touched and none was given up.
/// @param options  null for the defaults
/// @param arena    for the work, which leaves nothing there
/// @return bv_ok; bv_error_argument when the file has no hierarchy or no triangles, and for an unknown preset; bv_error_limit for too
///         many triangles, and for positions that would move if they were written again; bv_error_memory; or the first failing
///         stage's status
bv_status bvb_assess_yardstick( const bv_file* file, const bvb_yardstick_options* options, bvb_arena* arena,
                                bvb_yardstick* out, bvb_error* error );

#ifdef __cplusplus
}
#endif
