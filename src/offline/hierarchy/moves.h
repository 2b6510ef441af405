// A binary tree whose subtrees change places, with what a search for better places asks: the state of
// bvhier_optimize.

#pragma once

#include "offline/base/sort.h"
#include "offline/hierarchy/binary.h"
#include "offline/hierarchy/frames.h"

/// What can be done with a node.
typedef enum bvhier_move_kind
{
	bvhier_move_none = 0,
	bvhier_move_insert,   ///< its parent is taken out, and put back as the parent of it and another node
	bvhier_move_exchange, ///< it changes places with another node, neither above the other
} bvhier_move_kind;

/// One move.
typedef struct bvhier_move
{
	bvhier_move_kind kind; ///< what is done
	uint32_t node;         ///< what is moved; its parent is not the root if it is inserted
	uint32_t to;           ///< the other node
	double gain;           ///< of expected cost, as estimated
} bvhier_move;

/// A move that was taken into a round.
typedef struct bvhier_taken
{
	bvhier_move move; ///< as found
	uint32_t first;   ///< of its nodes in `changed`
	uint32_t count;   ///< of those
	bool proved;      ///< it lowers the cost
} bvhier_taken;

/// Memory of one thread.
typedef struct bvhier_moves_room
{
	uint32_t* order;  ///< faces
	bv_vec3* corners; ///< three for each; null where no volume needs them
	uint32_t faces;   ///< for so many
} bvhier_moves_room;

/// The tree. Arrays have an entry for each node, and nodes keep their indices.
typedef struct bvhier_moves
{
	const bvhier_build* build; ///< whose tree it is
	uint32_t count;            ///< of nodes
	bvhier_binary links;       ///< as they are
	uint32_t* parent;          ///< BVHIER_NO_NODE for the root
	uint8_t* height;           ///< levels below
	uint8_t* level;            ///< levels above, when the round began
	bool turned;               ///< whether intervals count in all frames
	bvhier_framed* framed;     ///< intervals of each set
	double* area;              ///< of those
	float* exposed;            ///< of each node, the greatest weight of its faces, as bvhier_expose has them
	float* next_exposed;       ///< likewise, of nodes that taken moves change
	double* inner;             ///< cost of each node as an inner one, times `exposed`
	double* rate;              ///< that cost for each unit of `area` times `exposed`
	bvb_tree volumes;          ///< only the types and volumes
	bvb_tree next;             ///< likewise, of nodes that taken moves change
	uint32_t* owner;           ///< the taken move that changes a node's set; BVHIER_NO_NODE: none
	bool* locked;              ///< a taken move changes the node's set or links
	uint32_t* changed; ///< nodes whose sets taken moves change, each list from the leaves up along each path
	uint32_t changes;  ///< length of that
	bvhier_taken* taken;        ///< moves of this round
	uint8_t* refused;           ///< how often a node's best move proved to be none, 255 at most
	bvhier_move* best;          ///< of each node
	bvbase_sort_entry* entries; ///< twice as many
	bvhier_moves_room* room;    ///< by thread
	float* face_exposed;        ///< of each face; only while leaves are loaded
} bvhier_moves;

/// @return the other child of the node's parent
static inline uint32_t bvhier_moves_sibling( const bvhier_moves* m, uint32_t node )
{
	const uint32_t* child = m->links.child[m->parent[node]];
	return child[0] == node ? child[1] : child[0];
}

/// Takes over the build's tree.
/// @return null when out of memory
bvhier_moves* bvhier_moves_create( const bvhier_build* build );

/// Measures levels and forgets the moves taken before.
void bvhier_moves_begin_round( bvhier_moves* m );

/// Takes a move into the round, as number `number`, unless one that was taken before touches the same nodes.
bool bvhier_moves_take( bvhier_moves* m, const bvhier_move* move, uint32_t number );

/// Fits what a taken move changes, and finds out whether that lowers the cost. For several threads.
void bvhier_moves_prove( bvhier_moves* m, uint32_t number );

/// Makes a taken move if it is proved and the tree does not become too deep. Of one round, in the order in
/// which they were taken.
bool bvhier_moves_make( bvhier_moves* m, uint32_t number );

/// Gives the tree back to the build.
/// @return false when out of memory
bool bvhier_moves_end( bvhier_moves* m );
