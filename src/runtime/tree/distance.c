// Distance of two hierarchies. The pair of volumes with the smallest lower bound is examined next, and the
// larger volume of the pair is opened (Larsen, Gottschalk, Lin, Manocha 1999, with a queue as in their
// section 5; Hjaltason, Samet 1999). No order opens fewer pairs. Among pairs that may intersect, those with
// close centers come first, because they lead to triangles quickly.
//
// The memory for pairs that wait is limited: to room_on_stack, or by the caller. When the queue is half full
// and no distance is known, the search goes to a pair of leaves at once, whose distance then prunes what
// would fill the queue. When it is full, pairs that are pruned by now are removed. If that is not enough, the
// nearest pair is processed depth first, nearest first. A descent that is too deep for the rest of the memory
// keeps only the path to where it is, and compares the children of a pair again when it comes back to the
// pair. The order in which pairs are visited depends only on the two files, the transform and the options.

#include "bv/mesh.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/gap.h"
#include "runtime/volume/bound.h"
#include "runtime/volume/similarity.h"

#include <math.h>

enum
{
	room_on_stack = 200,
	most_room = 1 << 24,
	most_levels = 2 * BV_MAX_DEPTH,
};

// A bvtree_spot in fewer bytes: its lane is in the pair.
typedef struct seat
{
	uint32_t parent;
	uint32_t at;
	union
	{
		float size;         // of an inner node
		uint32_t triangles; // of a leaf
	};
} seat;

typedef struct node_pair
{
	seat of[2];
	uint8_t lane[2];
	bool is_leaf[2];
	double gap;  // they are not nearer than this
	double rank; // of pairs that are equally near, or may all meet, that with the least one comes first
} node_pair;

// One of the two hierarchies, and its volume that was last seen from the other.
typedef struct distance_side
{
	bvfile_view view;
	bvvol_similarity to_other; // takes its coordinates to the other's
	double unit;               // of length in its coordinates, in those of a
	bool known;                // the rest is that of the node below
	uint32_t parent;
	uint32_t lane;
	bvvol_rounded moved;  // in the other's coordinates
	bvtree_moved_box box; // the same without the radius, for lanes
	bool fits_lanes;
} distance_side;

// Everything that stays the same during one query, and what was found.
typedef struct distance_query
{
	distance_side side[2];
	const bvtree_lanes* lanes;
	bv_distance_options options;
	double best;
	double bar; // pairs that are this far apart, or farther, are of no interest
	bvtri_gap gap;
	uint32_t triangle[2];
	bv_distance_result* result;
} distance_query;

// A distance that is too great by no more than the options allow is as good as the true one.
static void set_best( distance_query* q, double distance )
{
	q->best = distance;
	q->bar = bvmath_min( distance / ( 1 + q->options.relative ), distance - q->options.absolute );
	q->bar = q->bar > 0 ? q->bar : 0;
}

static bool too_many_tests( const distance_query* q )
{
	return q->options.most_tests > 0 &&
	       q->result->volume_tests + q->result->triangle_tests > q->options.most_tests;
}

// Nothing is of interest any more when there were too many.
static void count_tests( distance_query* q, uint64_t volumes, uint64_t triangles )
{
	q->result->volume_tests += volumes;
	q->result->triangle_tests += triangles;
	q->bar = too_many_tests( q ) ? 0 : q->bar;
}

// They err by 2^-50 of what they are moved by and their size, and so does the distance.
static void get_moved( const distance_query* q, uint32_t triangle, bv_vec3 corner[3] )
{
	bvtree_walk_corners( &q->side[1].view, triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvvol_similarity_apply( &q->side[1].to_other, corner[k] );
	}
}

static void measure( distance_query* q, uint32_t triangle_a, uint32_t triangle_b, const bv_vec3 moved_b[3] )
{
	bv_vec3 corner[3];
	bvtri_gap gap;
	bvtree_walk_corners( &q->side[0].view, triangle_a, corner );
	if ( bvtri_triangles_gap( corner, moved_b, q->bar, &gap ) )
	{
		q->gap = gap;
		q->triangle[0] = triangle_a;
		q->triangle[1] = triangle_b;
		q->result->found = true;
		set_best( q, sqrt( gap.square ) );
	}
}

// Returns false, and does nothing, where one of the two has no triangles of its own.
static bool test_leaves( distance_query* q, const node_pair* pair )
{
	const seat* a = &pair->of[0];
	const seat* b = &pair->of[1];
	if ( !pair->is_leaf[0] || !pair->is_leaf[1] )
	{
		return false;
	}
	for ( uint32_t j = 0; j < b->triangles && !too_many_tests( q ); ++j )
	{
		bv_vec3 moved[3];
		get_moved( q, b->at + j, moved );
		for ( uint32_t i = 0; i < a->triangles; ++i )
		{
			measure( q, a->at + i, b->at + j, moved );
		}
		count_tests( q, 0, a->triangles );
	}
	return true;
}

static void fit_lanes( distance_side* s )
{
	const bvvol_rounded* from = &s->moved;
	bvtree_moved_box* to = &s->box;
	double extent = 0;
	to->center = from->center;
	for ( int i = 0; i < 3; ++i )
	{
		bvtree_lane_axis( from->axis[i], to->lane.axis[i] );
		to->lane.half[i] = (float)from->half_extents[i];
		extent += from->half_extents[i];
	}
	to->slack = from->slack + BVMATH_LANE_ROUNDING * extent;
	s->fits_lanes = bvmath_skew_fits_lanes( s->to_other.skew );
}

static void know( distance_side* s, uint32_t parent, uint32_t lane )
{
	if ( !s->known || s->parent != parent || s->lane != lane )
	{
		bv_volume volume;
		bvvol_bound bound;
		bvtree_spot_volume( &s->view, &( bvtree_spot ){ .parent = parent, .lane = lane }, &volume );
		bvvol_bound_of( &volume, &bound );
		bvvol_similarity_move( &s->to_other, &bound.box, &s->moved );
		fit_lanes( s );
		s->known = true;
		s->parent = parent;
		s->lane = lane;
	}
}

// What is known of the volumes of a group.
typedef struct distance_seen
{
	double gap[BVFILE_LANES];  // from the other, in coordinates of the node's side
	double rank[BVFILE_LANES]; // how far the centers are apart, squared
	float size[BVFILE_LANES];  // as bvtree_spot_size
} distance_seen;

// @param enough  bounds may end at this one
static void see_singly( const bvfile_group* group, const bvfile_node_frame* frame, const bvvol_rounded* other,
                        double skew, double enough, distance_seen* out )
{
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		bv_volume volume;
		bvvol_bound bound;
		bvfile_lane_unpack( group, i, frame, &volume );
		bvvol_bound_of( &volume, &bound );
		out->gap[i] = bvvol_bound_gap( &bound, other, skew, enough );
		bv_vec3 apart = bv_sub( bound.box.center, other->center );
		out->rank[i] = bv_dot( apart, apart );
		out->size[i] = bvtree_spot_size( &volume );
	}
}

// Only what decides on an order: rounded as it comes.
static void see_obb( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                     double center[3], double half[3] )
{
	uint32_t word;
	const uint8_t* code = group->data + 8 * group->count + lane;
	memcpy( &word, group->data + 4 * lane, sizeof word );
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t q = word >> ( bvfile_code_bits * i ) & ( bvfile_code_end - 1 );
		center[i] = frame->step[i] * q;
		half[i] = frame->extent * ( code[0] * code[0] );
		code += group->count;
	}
}

static void see_aabb( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                      double center[3], double half[3] )
{
	const uint8_t* lower = group->data + lane;
	const uint8_t* upper = lower + 3 * group->count;
	for ( int i = 0; i < 3; ++i )
	{
		double unit = 0.5 * bvfile_code_coarse * frame->step[i];
		center[i] = unit * ( upper[0] + lower[0] );
		half[i] = unit * ( upper[0] - lower[0] );
		lower += group->count;
		upper += group->count;
	}
}

// The same of boxes, all at once.
static void see_lanes( const bvtree_lanes* lanes, const bvfile_group* group, const bvfile_node_frame* frame,
                       distance_side* other, distance_seen* out )
{
	bool turned = group->type == bv_volume_obb;
	const double* origin = frame->origin;
	bv_vec3 from = bv_sub( other->moved.center, ( bv_vec3 ){ origin[0], origin[1], origin[2] } );
	bvtree_lane_group stored;
	float gap[BVFILE_LANES];
	bvtree_spot_group( group, frame, &stored );
	bvtree_place_box( &other->box, frame );
	( turned ? lanes->obb_gap : lanes->aabb_gap )( &stored, &other->box.lane, gap );
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		double center[3];
		double half[3];
		( turned ? see_obb : see_aabb )( group, i, frame, center, half );
		bv_vec3 apart = bv_sub( ( bv_vec3 ){ center[0], center[1], center[2] }, from );
		out->gap[i] = bvmath_max( 0, gap[i] - other->moved.radius );
		out->rank[i] = bv_dot( apart, apart );
		out->size[i] = bvtree_size_of( half );
	}
}

static bool comes_before( const node_pair* x, const node_pair* y )
{
	return x->gap < y->gap || ( x->gap == y->gap && x->rank < y->rank );
}

// Of a pair that is not of leaves both.
static int side_to_open( const distance_query* q, const node_pair* pair )
{
	if ( pair->is_leaf[0] || pair->is_leaf[1] )
	{
		return pair->is_leaf[1] ? 0 : 1;
	}
	double unit = q->side[1].unit;
	return pair->of[0].size >= ( unit * unit * unit ) * pair->of[1].size ? 0 : 1;
}

// Pairs the children of one of the two, the inner node of side `of`, with the other. Those that are near
// enough to be of interest come out.
static uint32_t open( distance_query* q, const node_pair* pair, int of, node_pair out[BVFILE_LANES] )
{
	const distance_side* opened = q->side + of;
	distance_side* other = q->side + ( 1 - of );
	uint32_t place = pair->of[of].at;
	const bvfile_packed_node* node = bvfile_node_at( &opened->view, place );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &opened->view.hierarchy->grid );
	bvtree_children children = bvtree_children_begin( node );
	double skew = other->to_other.skew;
	double unit = opened->unit * bvmath_skew_of_length( skew );
	uint32_t kept = 0;
	know( other, pair->of[1 - of].parent, pair->lane[1 - of] );
	bool in_lanes = other->fits_lanes &&
	                bvtree_lanes_reach( &frame, other->moved.center, bvvol_rounded_extent( &other->moved ) );
	for ( bvfile_group group = bvfile_group_first( node ); group.count > 0;
	      group = bvfile_group_next( node, &group ) )
	{
		distance_seen group_seen;
		if ( group.type <= bv_volume_aabb && in_lanes )
		{
			see_lanes( q->lanes, &group, &frame, other, &group_seen );
		}
		else
		{
			see_singly( &group, &frame, &other->moved, skew, q->bar / unit, &group_seen );
		}
		count_tests( q, group.count, 0 );
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bvtree_child child = bvtree_children_next( &children );
			double gap = bvmath_max( unit * group_seen.gap[i], pair->gap );
			if ( gap < q->bar )
			{
				uint32_t triangles = (uint32_t)( child >> 32 );
				node_pair* next = out + kept++;
				next->of[1 - of] = pair->of[1 - of];
				next->lane[1 - of] = pair->lane[1 - of];
				next->is_leaf[1 - of] = pair->is_leaf[1 - of];
				next->of[of].parent = place;
				next->of[of].at = (uint32_t)child;
				next->lane[of] = (uint8_t)( group.first + i );
				next->is_leaf[of] = triangles > 0;
				if ( triangles > 0 )
				{
					next->of[of].triangles = triangles;
				}
				else
				{
					bvsimd_prefetch( bvfile_node_at( &opened->view, (uint32_t)child ) );
					next->of[of].size = group_seen.size[i];
				}
				next->gap = gap;
				next->rank = group_seen.rank[i];
			}
		}
	}
	return kept;
}

// Puts the nearest last, and of equals the first.
static void sort( node_pair* pairs, uint32_t count )
{
	for ( uint32_t i = 1; i < count; ++i )
	{
		const node_pair pair = pairs[i];
		uint32_t at = i;
		for ( ; at > 0 && !comes_before( &pair, pairs + at - 1 ); --at )
		{
			pairs[at] = pairs[at - 1];
		}
		pairs[at] = pair;
	}
}

// A binary heap: none comes before the one at half its place.
typedef struct queue
{
	uint32_t count;
	double bar;      // when it was purged
	node_pair* pair; // from 1 on; behind the last one there is room for a descent
} queue;

static void push( queue* waiting, const node_pair* pair )
{
	uint32_t at = ++waiting->count;
	for ( ; at > 1 && comes_before( pair, waiting->pair + at / 2 ); at /= 2 )
	{
		waiting->pair[at] = waiting->pair[at / 2];
	}
	waiting->pair[at] = *pair;
}

static node_pair pop( queue* waiting )
{
	const node_pair first = waiting->pair[1];
	const node_pair* last = waiting->pair + waiting->count--;
	uint32_t at = 1;
	for ( uint32_t next = 2; next <= waiting->count; next = 2 * at )
	{
		if ( next < waiting->count && comes_before( waiting->pair + next + 1, waiting->pair + next ) )
		{
			next += 1;
		}
		if ( !comes_before( waiting->pair + next, last ) )
		{
			break;
		}
		waiting->pair[at] = waiting->pair[next];
		at = next;
	}
	waiting->pair[at] = *last;
	return first;
}

// Removes pairs that are of no interest any more.
static void purge( const distance_query* q, queue* waiting )
{
	uint32_t count = waiting->count;
	if ( !( q->bar < waiting->bar ) )
	{
		return;
	}
	waiting->bar = q->bar;
	waiting->count = 0;
	for ( uint32_t i = 1; i <= count; ++i )
	{
		const node_pair pair = waiting->pair[i];
		if ( pair.gap < q->bar )
		{
			push( waiting, &pair );
		}
	}
}

// A pair on the path to where a descent is.
typedef struct step
{
	uint32_t parent; // of the node that was opened
	uint8_t lane;    // of the same
	uint8_t side;    // of the same
	uint8_t done;    // a bit for each of its children that was descended into
} step;

// Goes back from a child to the pair that was opened. The size decides on an order alone: it may differ from
// that of the kernels.
static void go_back( const distance_query* q, const step* from, node_pair* pair )
{
	const bvfile_view* view = &q->side[from->side].view;
	seat* of = pair->of + from->side;
	bv_volume volume;
	of->at = of->parent;
	of->parent = from->parent;
	pair->lane[from->side] = from->lane;
	pair->is_leaf[from->side] = false;
	bvtree_spot_volume( view, &( bvtree_spot ){ .parent = from->parent, .lane = from->lane }, &volume );
	of->size = bvtree_spot_size( &volume );
}

// @return whether there is an inner pair of children to descend into, which `pair` is then
static bool find_next( distance_query* q, step* at, node_pair* pair )
{
	node_pair child[BVFILE_LANES];
	uint32_t count = open( q, pair, at->side, child );
	sort( child, count );
	while ( count > 0 && child[--count].gap < q->bar )
	{
		uint32_t bit = 1u << child[count].lane[at->side];
		if ( !( at->done & bit ) )
		{
			at->done = (uint8_t)( at->done | bit );
			if ( !test_leaves( q, child + count ) )
			{
				*pair = child[count];
				return true;
			}
		}
	}
	return false;
}

// Descends into an inner pair with no memory for those that wait.
static void follow_path( distance_query* q, const node_pair* pair )
{
	step path[most_levels];
	node_pair at = *pair;
	int depth = 0;
	path[0] = ( step ){ .side = (uint8_t)side_to_open( q, &at ) };
	while ( depth >= 0 )
	{
		step* now = path + depth;
		now->parent = at.of[now->side].parent;
		now->lane = at.lane[now->side];
		if ( find_next( q, now, &at ) )
		{
			path[++depth] = ( step ){ .side = (uint8_t)side_to_open( q, &at ) };
		}
		else if ( --depth >= 0 )
		{
			go_back( q, path + depth, &at );
			at.gap = pair->gap;
		}
	}
}

// Descends into a pair depth first.
// @param stack  room for those that wait
static void exhaust( distance_query* q, const node_pair* pair, node_pair* stack, uint32_t room )
{
	uint32_t count = 1;
	stack[0] = *pair;
	while ( count > 0 )
	{
		const node_pair next = stack[--count];
		if ( !( next.gap < q->bar ) || test_leaves( q, &next ) )
		{
			continue;
		}
		if ( count + BVFILE_LANES > room )
		{
			follow_path( q, &next );
			continue;
		}
		uint32_t children = open( q, &next, side_to_open( q, &next ), stack + count );
		sort( stack + count, children );
		count += children;
	}
}

static node_pair pair_of_roots( distance_query* q )
{
	bv_volume volume = bvfile_root_volume( &q->side[0].view );
	bv_volume other = bvfile_root_volume( &q->side[1].view );
	const bvtree_spot root[2] = { bvtree_spot_root( &q->side[0].view, &volume ),
		                          bvtree_spot_root( &q->side[1].view, &other ) };
	node_pair roots = { .lane = { BVTREE_ROOT_LANE, BVTREE_ROOT_LANE } };
	bvvol_bound bound;
	for ( int i = 0; i < 2; ++i )
	{
		roots.is_leaf[i] = root[i].triangles > 0;
		if ( roots.is_leaf[i] )
		{
			roots.of[i].triangles = root[i].triangles;
		}
		else
		{
			roots.of[i].size = root[i].size;
		}
	}
	double skew = q->side[1].to_other.skew;
	bvvol_bound_of( &volume, &bound );
	know( &q->side[1], 0, BVTREE_ROOT_LANE );
	q->result->volume_tests += 1;
	roots.gap = bvmath_skew_of_length( skew ) * bvvol_bound_gap( &bound, &q->side[1].moved, skew, q->bar );
	return roots;
}

// @param pairs  memory for one more than `room` pairs
// @param most   of them that the queue may have
static void traverse( distance_query* q, node_pair* pairs, uint32_t room, uint32_t most )
{
	queue waiting = { .bar = INFINITY, .pair = pairs };
	node_pair next = pair_of_roots( q );
	bool goes_on = next.gap < q->bar;
	while ( goes_on )
	{
		uint32_t count = 0;
		node_pair children[BVFILE_LANES];
		if ( waiting.count + BVFILE_LANES > most )
		{
			purge( q, &waiting );
		}
		if ( waiting.count + BVFILE_LANES > most )
		{
			exhaust( q, &next, pairs + waiting.count + 1, room - waiting.count );
		}
		else if ( !test_leaves( q, &next ) )
		{
			count = open( q, &next, side_to_open( q, &next ), children );
		}
		bool dives = count > 0 && waiting.count >= most / 2 && !q->result->found;
		if ( dives )
		{
			sort( children, count );
			next = children[--count];
		}
		for ( uint32_t i = 0; i < count; ++i )
		{
			push( &waiting, children + i );
		}
		if ( !dives )
		{
			goes_on = waiting.count > 0;
			next = goes_on ? pop( &waiting ) : next;
		}
		goes_on = goes_on && next.gap < q->bar;
	}
}

// Nothing is better to begin with than what was nearest in a placement like this one.
static void measure_last( distance_query* q, const uint32_t triangle[2] )
{
	bv_vec3 moved[3];
	get_moved( q, triangle[1], moved );
	measure( q, triangle[0], triangle[1], moved );
	count_tests( q, 0, 1 );
}

// Where a point with such weights is in the file's own coordinates.
static bv_surface_point surface_point( const distance_query* q, int of )
{
	bv_vec3 corner[3];
	const bvvol_similarity* placed = of == 0 ? &bvvol_similarity_identity : &q->side[1].to_other;
	bvtree_walk_corners( &q->side[of].view, q->triangle[of], corner );
	bv_surface_point out =
		bvtree_surface_point_of( placed, NULL, q->triangle[of], corner, q->gap.weight[of] );
	out.point = q->gap.point[of];
	return out;
}

bv_distance_options bv_distance_options_default( void )
{
	return ( bv_distance_options ){ 0 };
}

// @param pairs  memory for one more than `room` pairs
static bv_status find_distance( const bvtree_lanes* lanes, node_pair* pairs, uint32_t room, const bv_file* a,
                                const bv_file* b, const bv_transform* b_in_a,
                                const bv_distance_options* options, bv_distance_result* result )
{
	bv_distance_options asked = options ? *options : bv_distance_options_default();
	if ( !a || !b || !result || !bvtree_is_placement( b_in_a ) ||
	     !( asked.limit >= 0 && asked.relative >= 0 && asked.absolute >= 0 ) )
	{
		return bv_error_argument;
	}
	distance_query q;
	if ( !bvtree_walk_begin( a, &q.side[0].view ) || !bvtree_walk_begin( b, &q.side[1].view ) )
	{
		return bv_error_argument;
	}

	// This may be the result itself.
	bool knows_last = asked.last && asked.last->found;
	uint32_t last[2] = { knows_last ? asked.last->a.triangle : 0, knows_last ? asked.last->b.triangle : 0 };
	if ( knows_last &&
	     ( last[0] >= q.side[0].view.mesh->triangles || last[1] >= q.side[1].view.mesh->triangles ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_distance_result ){ .distance = INFINITY };
	bvvol_similarity_begin( b_in_a, &q.side[1].to_other );
	q.side[0].to_other = bvvol_similarity_reverse( &q.side[1].to_other );
	q.side[0].unit = 1;
	q.side[1].unit = q.side[1].to_other.scale;
	q.side[0].known = q.side[1].known = false;
	q.lanes = lanes;
	q.options = asked;
	q.best = q.bar = bvmath_limit_of( asked.limit );
	q.result = result;
	if ( knows_last )
	{
		measure_last( &q, last );
	}
	traverse( &q, pairs, room, room - room / 5 );
	if ( result->found )
	{
		result->distance = q.best;
		result->a = surface_point( &q, 0 );
		result->b = surface_point( &q, 1 );
	}
	return bv_ok;
}

// Apart from the rest, which takes so much less of the stack with memory of the caller.
BVSIMD_NOINLINE bv_status find_on_stack( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                                         const bv_transform* b_in_a, const bv_distance_options* options,
                                         bv_distance_result* result )
{
	node_pair pairs[room_on_stack + 1];
	return find_distance( lanes, pairs, room_on_stack, a, b, b_in_a, options, result );
}

bv_status bvtree_distance_in( const bvtree_lanes* lanes, const bv_file* a, const bv_file* b,
                              const bv_transform* b_in_a, const bv_distance_options* options,
                              bv_distance_result* result )
{
	if ( !options || !options->scratch )
	{
		return find_on_stack( lanes, a, b, b_in_a, options, result );
	}
	if ( options->scratch_bytes < BV_DISTANCE_SCRATCH_LEAST || (uintptr_t)options->scratch % 8 != 0 )
	{
		return bv_error_argument;
	}
	size_t pairs = options->scratch_bytes / sizeof( node_pair );
	uint32_t room = pairs < most_room ? (uint32_t)pairs - 1 : most_room;
	return find_distance( lanes, options->scratch, room, a, b, b_in_a, options, result );
}

bv_status bv_mesh_distance( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                            const bv_distance_options* options, bv_distance_result* result )
{
	bv_transform storage;
	bv_status status = bvtree_distance_in( bvtree_lanes_best(), a, b, bvtree_place( a, b, b_in_a, &storage ),
	                                       options, result );
	if ( status == bv_ok && result->found )
	{
		const bv_vec3* offset = bvfile_offset_of( (const bvfile_header*)a );
		result->a.point = bvfile_with_offset( result->a.point, offset );
		result->a.local = bvfile_with_offset( result->a.local, offset );
		result->b.point = bvfile_with_offset( result->b.point, offset );
		result->b.local = bvfile_with_offset( result->b.local, bvfile_offset_of( (const bvfile_header*)b ) );
	}
	return status;
}
