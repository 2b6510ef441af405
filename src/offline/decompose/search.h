// The search for parts: which planes cut the shape, and which of the pieces make one part. All in the unit
// frame, where the mesh's box has its center in the origin and a diagonal of 1.

#pragma once

#include "bvbuild/decompose.h"
#include "offline/decompose/field.h"
#include "offline/decompose/memo.h"
#include "offline/decompose/piece.h"
#include "offline/decompose/schedule.h"
#include "offline/hull/rough.h"

/// In place of an index: there is none.
#define BVDECOMP_NONE UINT32_MAX

/// How much is tried to cut one part.
typedef struct bvdecomp_cut_effort
{
	uint32_t offsets;     ///< planes tried along each axis
	uint32_t creases;     ///< planes along concave edges that are tried
	uint32_t notches;     ///< planes through the deepest notch that are tried
	uint32_t finalists;   ///< of all these, how many are looked at finely
	uint32_t refined;     ///< the best planes, that are moved and turned to make them better
	uint32_t refinements; ///< rounds of that
} bvdecomp_cut_effort;

/// How much is tried; one row for each effort.
typedef struct bvdecomp_search_effort
{
	uint32_t field_cells;      ///< grid points of the field
	bvdecomp_cut_effort cut;   ///< for cuts that are made
	bvdecomp_cut_effort ahead; ///< for those that may come after them
	uint32_t looked_into;      ///< the best planes whose halves are cut again to see what comes of it
	double overcut;            ///< parts are cut until there are so many times the parts wanted, to be merged

	/// of cutting pairs of parts anew; of a sketch one of them comes after it, on the whole mesh
	uint32_t rounds;

	double density;    ///< samples a unit of length along hulls
	uint32_t vertices; ///< that the search looks at
} bvdecomp_search_effort;

/// What a convex body costs: less is better.
typedef struct bvdecomp_cost
{
	double gap;      ///< integral of the squared distance from the shape over the body's surface
	double volume;   ///< of the body
	double farthest; ///< the largest distance that was met
} bvdecomp_cost;

/// A piece of a part.
typedef struct bvdecomp_leaf
{
	bvdecomp_piece piece; ///< what is in its cell
	uint32_t node;        ///< its node
	uint32_t next;        ///< another leaf of the same part; BVDECOMP_NONE for none
} bvdecomp_leaf;

/// A division of the shape.
typedef struct bvdecomp_cut_node
{
	bvdecomp_plane plane; ///< where it is cut, unless it is a leaf
	uint32_t child[2];    ///< nodes below and above the plane; BVDECOMP_NONE of leaves
	uint32_t leaf;        ///< its leaf; BVDECOMP_NONE of others
} bvdecomp_cut_node;

/// A part while it is searched for.
typedef struct bvdecomp_search_part
{
	uint32_t leaf;         ///< the first of its leaves; BVDECOMP_NONE when it is no part any more
	bv_vec3* corners;      ///< of its rough hull
	uint32_t corner_count; ///< length of corners
	bv_vec3 low;           ///< of its box
	bv_vec3 high;          ///< of its box
	bvdecomp_cost cost;    ///< of the hull
	uint64_t version;      ///< parts of the same version have the same leaves in the same order; not 0
	double certified; ///< no point of what was made of it is farther off; infinite while that is not known
	double farther;   ///< some point of it is farther off than this
	double excess;    ///< how far what was made of it is outside of its hull, for having fewer corners
	double capped;    ///< about how far it stands off for having few corners; BVDECOMP_NOT_ESTIMATED
	bool final;       ///< no plane is known that makes it better
} bvdecomp_search_part;

/// What each thread has for itself.
typedef struct bvdecomp_search_worker
{
	bvhull_rough half[2]; ///< what is below and above a plane
	uint8_t* side;        ///< of a piece's points, bvdecomp_side
	uint8_t* reached;     ///< of those in the plane, the sides that they are connected with
	uint32_t* open;       ///< leaves of its tree that the plane goes through
	uint32_t room;        ///< length of these
	bvb_arena* arena;     ///< owns all of them
	bool failed;          ///< out of memory
} bvdecomp_search_worker;

/// Concave edges that are looked at: lighter ones are not.
#define BVDECOMP_MOST_CREASES 1024

/// A concave edge.
typedef struct bvdecomp_crease
{
	bv_vec3 middle;          ///< of the edge
	bvdecomp_plane plane[2]; ///< of its triangles
	uint32_t shared[2];      ///< numbers of these: other edges' planes that are nearly the same have the same
	double weight;           ///< its length times the sine of its angle
} bvdecomp_crease;

/// How closely a cost is looked at.
typedef struct bvdecomp_grain
{
	double roughness; ///< hulls may miss points by so much
	double density;   ///< samples a unit of length along hulls
	bool coarse;      ///< coarse corners do for points that lie together
} bvdecomp_grain;

/// One search.
typedef struct bvdecomp_search
{
	const bvdecomp_search_effort* effort; ///< how much is tried
	uint32_t max_parts;                   ///< of the options
	uint32_t max_vertices;                ///< of the options: corners of a part
	bool keeps_to_cap;                    ///< merged parts are to keep to the tolerance with so few corners
	uint32_t rounds;                      ///< of the effort, that look at what the search starts with
	double tolerance; ///< in the unit frame; nobody asks for less than BVDECOMP_NEAR_ENOUGH
	double aim; ///< what samples of a part are to be within, so that certificates are within the tolerance
	uint32_t failures;               ///< how often that was not enough
	bvdecomp_field field;            ///< distances from the shape
	bvdecomp_crease* creases;        ///< concave edges, the heaviest first
	uint32_t crease_count;           ///< length of creases
	bvdecomp_grain fine;             ///< of what is kept
	bvdecomp_grain coarse;           ///< of the first look at planes
	int team;                        ///< threads
	bvdecomp_search_worker* workers; ///< one a thread
	bvb_arena* lasting;              ///< for nodes, leaves and parts
	bvb_arena* arena;                ///< for what they hold
	bvdecomp_cut_node* nodes;        ///< nodes[0] is the root
	uint32_t node_count;             ///< length of nodes
	uint32_t node_room;              ///< how many there is room for
	bvdecomp_leaf* leaves;           ///< some of them cut further
	uint32_t leaf_count;             ///< length of leaves
	uint32_t leaf_room;              ///< how many there is room for
	bvdecomp_search_part* parts;     ///< some of them gone
	uint32_t part_count;             ///< length of parts
	uint32_t part_room;              ///< how many there is room for
	uint32_t live;                   ///< how many are not gone
	uint64_t versions;               ///< of parts, how many there have been
	bvdecomp_memo merges;            ///< by versions, what their common hull costs
	bvdecomp_memo recuts;            ///< by versions, pairs that no cut makes better
	uint64_t steps;                  ///< cuts tried
	double price;                    ///< of volume, in gap
	double done;                     ///< share of the step that was told last
	bvdecomp_schedule* schedule;     ///< of the whole decomposition
	bool stopped;                    ///< time is up, or whoever is told of the progress has said so
} bvdecomp_search;

/// Points nearer to a plane than this are in it: meshes in binary32 have coplanar triangles to about this.
#define BVDECOMP_ON_PLANE 0x1p-23

/// What stands off no farther than this, in diagonals of the mesh, is convex: nobody asks for less.
#define BVDECOMP_NEAR_ENOUGH 0x1p-12

/// Half the side of the cube that is cut: the mesh has half as much as its diagonal of it at most.
#define BVDECOMP_CELL_REACH 0.625

/// Starts with one part: the whole mesh.
/// @param mesh  in the unit frame
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_start_parts( bvdecomp_search* search, const bvb_mesh* mesh );

/// @return what a body is to have little of: gap, and volume at the search's price
static inline double bvdecomp_cost_total( const bvdecomp_search* search, const bvdecomp_cost* cost )
{
	return cost->gap + search->price * cost->volume;
}

/// Makes the rough hull of a worker's points and finds its cost.
bvdecomp_cost bvdecomp_cost_of_points( const bvdecomp_search* search, bvhull_rough* rough,
                                       const bvdecomp_grain* grain );

/// Finds which corners of a piece's cell are inside of the shape, and grows the tree that cuts are tried
/// with.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_prepare_piece( const bvdecomp_search* search, bvdecomp_piece* piece );

/// Fits a part's rough hull to what its leaves hold.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_fit_part( bvdecomp_search* search, uint32_t part );

/// The cost of what a plane leaves of a part on either side.
/// @param limit  of both together: what costs more is not looked at to the end
/// @param cost   receives both
/// @return whether there is something on both sides, within the limit
bool bvdecomp_try_cut( const bvdecomp_search* search, bvdecomp_search_worker* worker, uint32_t part,
                       const bvdecomp_plane* plane, const bvdecomp_grain* grain, double limit,
                       bvdecomp_cost cost[2] );

/// The cost of two parts' common hull.
bvdecomp_cost bvdecomp_try_merge( const bvdecomp_search* search, bvdecomp_search_worker* worker, uint32_t a,
                                  uint32_t b );

/// A plane that may cut a part, and what would come of it.
typedef struct bvdecomp_candidate
{
	bvdecomp_plane plane;  ///< where
	bvdecomp_cost cost[2]; ///< of both sides
	double total; ///< of both together, or what looking ahead makes of it; infinite when it does not cut
} bvdecomp_candidate;

/// @return what the larger half costs
static inline double bvdecomp_larger_half( const bvdecomp_search* search,
                                           const bvdecomp_candidate* candidate )
{
	double below = bvdecomp_cost_total( search, &candidate->cost[0] );
	double above = bvdecomp_cost_total( search, &candidate->cost[1] );
	return below > above ? below : above;
}

/// Finds the best planes that are known for a part, no two of them nearly the same.
/// @param enough  planes that cost clearly more are of no use; infinite where all are
/// @param wanted  how many there may be
/// @param out     receives them, the best first
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_find_cuts( bvdecomp_search* search, uint32_t part, const bvdecomp_cut_effort* effort,
                              double enough, uint32_t wanted, bvdecomp_candidate* out, uint32_t* count );

/// @return how many planes the concave edges in a part's box lie in, or some number above what a cut is
///         chosen from
uint32_t bvdecomp_count_crease_planes( const bvdecomp_search* search, uint32_t part );

/// Cuts a part: it becomes what is below the plane, and a new one what is above.
/// @param done  receives false when the plane misses what is to be cut; then nothing changed
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_cut_part( bvdecomp_search* search, uint32_t part, const bvdecomp_plane* plane,
                             bool* done );

/// Makes two parts one: `a`.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_merge_parts( bvdecomp_search* search, uint32_t a, uint32_t b );

/// Cuts and merges until the parts are few and good.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_search_parts( bvdecomp_search* search );

/// Certificates are narrower than this, upper end beside lower end, unless they were given up.
#define BVDECOMP_WIDE 1.6

/// Cuts parts whose certificates are above the tolerance, as long as there may be more, and merges what may
/// be one again.
/// @param again  receives whether parts have changed, and want certificates
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_cut_failing( bvdecomp_search* search, bool* again );

/// Makes parts better without making them more, after what is in the leaves has changed by little.
/// @return bv_ok; bv_error_memory
bv_status bvdecomp_improve_parts( bvdecomp_search* search );
