// Searches through pairs of nodes. See pair_search.h.
//
// By gap, the pair of volumes with the smallest lower bound is examined next, and the larger volume of the pair is opened (Larsen,
// Gottschalk, Lin, Manocha 1999, with a queue as in their section 5; Hjaltason, Samet 1999). No order opens fewer pairs. Among
// pairs that may intersect, those with close centers come first, because they lead to triangles quickly.
//
// Until a distance is known, and for some of the pairs after that, the search goes from a pair to the nearest one of its children at
// once, down to leaves. Upper bounds become small early, which makes intermediate answers narrower and prunes pairs before they get
// into the heap. When the heap is full, pairs that are pruned by now are removed.

#include "runtime/tree/pair_search.h"

#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/budget.h"
#include "runtime/tree/pair_heap.h"
#include "runtime/tree/surface.h"

#include <math.h>

enum
{
	leaf_tests = 4,   // pairs of triangles that a step compares
	pops_of_dive = 8, // of these pairs from the heap, one is followed down to leaves
};

// A distance that is too great by no more than the options allow is as good as the true one. Then pairs become of no interest that are
// farther apart than the bar says: what was proven before remains.
static void set_best( bvtree_pair_search* s, double distance )
{
	if ( s->relative > 0 || s->absolute > 0 )
	{
		s->proven = bvmath_min( bvtree_search_lower( s ), distance );
	}
	s->found = true;
	s->best = distance;
	s->bar = bvmath_min( distance / ( 1 + s->relative ), distance - s->absolute );
	s->bar = s->bar > 0 ? s->bar : 0;
}

// They err by 2^-50 of what they are moved by and their size, and so does the distance.
static void get_moved( const bvtree_pair_search* s, uint32_t triangle, bv_vec3 corner[3] )
{
	bvtree_walk_corners( &s->side[1].view, triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvvol_similarity_apply( &s->side[1].to_other, corner[k] );
	}
}

static void measure( bvtree_pair_search* s, uint32_t triangle_a, uint32_t triangle_b,
                     const bv_vec3 moved_b[3] )
{
	bv_vec3 corner[3];
	bvtri_gap gap;
	bvtree_walk_corners( &s->side[0].view, triangle_a, corner );
	if ( bvtri_triangles_gap( corner, moved_b, s->bar, &gap ) )
	{
		s->gap = gap;
		s->triangle[0] = triangle_a;
		s->triangle[1] = triangle_b;
		set_best( s, sqrt( gap.square ) );
	}
}

static uint32_t least_of( uint32_t x, uint32_t y )
{
	return x < y ? x : y;
}

// Compares the next triangles of the pair of leaves.
static void measure_some( bvtree_pair_search* s )
{
	bvtree_leaf_cursor* c = &s->leaf;
	uint32_t left = leaf_tests;
	while ( left > 0 && bvtree_leaf_cursor_is_active( c ) )
	{
		bv_vec3 moved[3];
		uint32_t b = c->first[1] + c->at[1];
		uint32_t count = least_of( left, c->count[0] - c->at[0] );
		get_moved( s, b, moved );
		for ( uint32_t i = 0; i < count; ++i )
		{
			measure( s, c->first[0] + c->at[0] + i, b, moved );
		}
		s->triangle_tests += count;
		left -= count;
		c->at[0] += count;
		if ( c->at[0] == c->count[0] )
		{
			c->at[0] = 0;
			c->at[1] += 1;
		}
	}
}

// Takes what the triangles of leaves have come to.
static void take_collision( bvtree_pair_search* s )
{
	s->triangle_tests = s->leaves_result.triangle_tests;
	if ( s->leaves_result.pairs > 0 )
	{
		s->triangle[0] = s->leaves_result.triangles[0];
		s->triangle[1] = s->leaves_result.triangles[1];
		set_best( s, 0 );
	}
}

static void collide_some( bvtree_pair_search* s )
{
	bvtree_leaf_pairs_step( s->leaves, &s->leaf );
	take_collision( s );
}

// @return false, and does nothing, where one of the two has no triangles of its own
static bool begin_leaves( bvtree_pair_search* s, const bvtree_node_pair* pair )
{
	if ( !pair->is_leaf[0] || !pair->is_leaf[1] )
	{
		return false;
	}
	s->leaf = ( bvtree_leaf_cursor ){ .first = { pair->of[0].at, pair->of[1].at },
		                              .count = { pair->of[0].triangles, pair->of[1].triangles } };
	s->leaf_gap = pair->gap;
	return true;
}

static void fit_lanes( bvtree_search_side* s )
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

static void place_volume( bvtree_search_side* s, uint32_t parent, uint32_t lane )
{
	if ( !s->is_placed || s->parent != parent || s->lane != lane )
	{
		bv_volume volume;
		bvvol_bound bound;
		bvtree_spot_volume( &s->view, &( bvtree_spot ){ .parent = parent, .lane = lane }, &volume );
		bvvol_bound_of( &volume, &bound );
		bvvol_similarity_move( &s->to_other, &bound.box, &s->moved );
		fit_lanes( s );
		s->is_placed = true;
		s->parent = parent;
		s->lane = lane;
	}
}

// What is known of the volumes of a group.
typedef struct volumes_seen
{
	double gap[BVFILE_LANES];  // from the other, in coordinates of the node's side
	double rank[BVFILE_LANES]; // how far the centers are apart, squared
	float size[BVFILE_LANES];  // as bvtree_spot_size
} volumes_seen;

// @param enough  bounds may end at this one
static void see_singly( const bvfile_group* group, const bvfile_node_frame* frame, const bvvol_rounded* other,
                        double skew, double enough, volumes_seen* out )
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

// How far the center of a box is from that of the other volume, squared.
static double rank_lane( const bvfile_group* group, uint32_t lane, const bvfile_node_frame* frame,
                         const bvvol_rounded* other, double half[3] )
{
	double center[3];
	const double* origin = frame->origin;
	bv_vec3 from = bv_sub( other->center, ( bv_vec3 ){ origin[0], origin[1], origin[2] } );
	( group->type == bv_volume_obb ? see_obb : see_aabb )( group, lane, frame, center, half );
	bv_vec3 apart = bv_sub( ( bv_vec3 ){ center[0], center[1], center[2] }, from );
	return bv_dot( apart, apart );
}

// The same of boxes, all at once.
static void see_lanes( const bvtree_lanes* lanes, const bvfile_group* group, const bvfile_node_frame* frame,
                       bvtree_search_side* other, volumes_seen* out )
{
	bool turned = group->type == bv_volume_obb;
	bvtree_lane_group stored;
	float gap[BVFILE_LANES];
	bvtree_spot_group( group, frame, &stored );
	bvtree_place_box( &other->box, frame );
	( turned ? lanes->obb_gap : lanes->aabb_gap )( &stored, &other->box.lane, gap );
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		double half[3];
		out->gap[i] = bvmath_max( 0, gap[i] - other->moved.radius );
		out->rank[i] = rank_lane( group, i, frame, &other->moved, half );
		out->size[i] = bvtree_size_of( half );
	}
}

// Of a pair that is not of leaves both.
static int side_to_open( const bvtree_pair_search* s, const bvtree_node_pair* pair )
{
	if ( pair->is_leaf[0] || pair->is_leaf[1] )
	{
		return pair->is_leaf[1] ? 0 : 1;
	}
	double unit = s->side[1].unit;
	return pair->of[0].size >= ( unit * unit * unit ) * pair->of[1].size ? 0 : 1;
}

// Which boxes of a group may meet the other volume, and nothing else of them but their sizes.
static void see_meeting( const bvtree_lanes* lanes, const bvfile_group* group, const bvfile_node_frame* frame,
                         bvtree_search_side* other, volumes_seen* out )
{
	bool turned = group->type == bv_volume_obb;
	bvtree_lane_group stored;
	bvtree_spot_group( group, frame, &stored );
	bvtree_place_box( &other->box, frame );
	uint32_t meeting = ( turned ? lanes->obb : lanes->aabb )( &stored, &other->box.lane, out->size );
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		double half[3];
		out->gap[i] = meeting >> i & 1 ? 0 : INFINITY;
		out->rank[i] = meeting >> i & 1 ? rank_lane( group, i, frame, &other->moved, half ) : 0;
	}
}

// Of a search for collisions, pairs that are apart are of no interest.
static void drop_apart( const bvfile_group* group, volumes_seen* seen )
{
	for ( uint32_t i = 0; i < group->count; ++i )
	{
		seen->gap[i] = seen->gap[i] > 0 ? INFINITY : 0;
	}
}

static void see_group( const bvtree_pair_search* s, const bvfile_group* group, const bvfile_node_frame* frame,
                       bvtree_search_side* other, double unit, volumes_seen* out )
{
	bool collides = s->goal == bv_search_collision;
	const bvvol_rounded* moved = &other->moved;
	bool in_lanes = group->type <= bv_volume_aabb && other->fits_lanes;
	if ( in_lanes && collides && moved->radius == 0 )
	{
		see_meeting( s->lanes, group, frame, other, out );
		return;
	}
	if ( in_lanes && bvtree_lanes_reach( frame, moved->center, bvvol_rounded_extent( moved ) ) )
	{
		see_lanes( s->lanes, group, frame, other, out );
	}
	else
	{
		see_singly( group, frame, moved, other->to_other.skew, collides ? 0x1p-1000 : s->bar / unit, out );
	}
	if ( collides )
	{
		drop_apart( group, out );
	}
}

static bvtree_spot spot_of( const bvtree_node_pair* pair, int side )
{
	return ( bvtree_spot ){ .parent = pair->of[side].parent, .lane = pair->lane[side] };
}

static double errors_of( const bvtree_pair_search* s, const bvtree_node_pair* pair )
{
	bvtree_spot a = spot_of( pair, 0 );
	bvtree_spot b = spot_of( pair, 1 );
	return bvtree_upper_errors( &s->upper, &a, &b );
}

static double rank_of( bvtree_pair_search* s, const bvtree_node_pair* pair, double nearness )
{
	switch ( s->order )
	{
	case bv_search_by_quality: return errors_of( s, pair );
	case bv_search_first_in: return (double)++s->last_rank;
	case bv_search_last_in: return -(double)++s->last_rank;
	default: return nearness;
	}
}

// Pairs the children of one of the two, the inner node of side `of`, with the other.
// @return how many of them are near enough to be of interest: these come out
static uint32_t open( bvtree_pair_search* s, const bvtree_node_pair* pair, int of,
                      bvtree_node_pair out[BVFILE_LANES] )
{
	const bvtree_search_side* opened = s->side + of;
	bvtree_search_side* other = s->side + ( 1 - of );
	uint32_t place = pair->of[of].at;
	const bvfile_packed_node* node = bvfile_node_at( &opened->view, place );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &opened->view.hierarchy->grid );
	bvtree_children children = bvtree_children_begin( node );
	double unit = opened->unit * bvmath_skew_of_length( other->to_other.skew );
	uint32_t kept = 0;
	place_volume( other, pair->of[1 - of].parent, pair->lane[1 - of] );
	for ( bvfile_group group = bvfile_group_first( node ); group.count > 0;
	      group = bvfile_group_next( node, &group ) )
	{
		volumes_seen seen;
		see_group( s, &group, &frame, other, unit, &seen );
		s->volume_tests += group.count;
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bvtree_child child = bvtree_children_next( &children );
			double gap = bvmath_max( unit * seen.gap[i], pair->gap );
			if ( gap < s->bar )
			{
				uint32_t triangles = (uint32_t)( child >> 32 );
				bvtree_node_pair* next = out + kept++;
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
					next->of[of].size = seen.size[i];
				}
				next->gap = gap;
				next->rank = rank_of( s, next, seen.rank[i] );
			}
		}
	}
	return kept;
}

// Goes back from a child to the pair that was opened. The size decides on an order alone: it may differ from that of the kernels.
static void go_back( bvtree_pair_search* s )
{
	bvtree_node_pair* pair = &s->path_pair;
	const bvtree_search_step* from = s->path + s->path_depth;
	bvtree_seat* of = pair->of + from->side;
	bv_volume volume;
	of->at = of->parent;
	of->parent = from->parent;
	pair->lane[from->side] = from->lane;
	pair->is_leaf[from->side] = false;
	bvtree_spot_volume( &s->side[from->side].view,
	                    &( bvtree_spot ){ .parent = from->parent, .lane = from->lane }, &volume );
	of->size = bvtree_spot_size( &volume );
	pair->gap = s->path_gap;
}

static void add_to_path( bvtree_pair_search* s, const bvtree_node_pair* pair )
{
	int side = side_to_open( s, pair );
	s->path_pair = *pair;
	s->path[++s->path_depth] =
		( bvtree_search_step ){ pair->of[side].parent, pair->lane[side], (uint8_t)side, 0 };
}

// Descends without memory for pairs that wait: into the next child of the pair at the end of the path.
static void follow_path( bvtree_pair_search* s )
{
	bvtree_node_pair child[BVFILE_LANES];
	bvtree_search_step* at = s->path + s->path_depth;
	uint32_t count = open( s, &s->path_pair, at->side, child );
	bvtree_heap_sort( s->order, child, count );
	while ( count > 0 )
	{
		const bvtree_node_pair* next = child + --count;
		uint32_t bit = 1u << next->lane[at->side];
		if ( !( at->done & bit ) )
		{
			at->done = (uint8_t)( at->done | bit );
			if ( !begin_leaves( s, next ) )
			{
				add_to_path( s, next );
			}
			return;
		}
	}
	s->path_depth -= 1;
	if ( s->path_depth < 0 )
	{
		s->phase = bvtree_search_at_stack;
		return;
	}
	go_back( s );
}

// Goes on with the first pair of the heap. In order of gaps, all others are of no interest if that is of none.
static void take_next( bvtree_pair_search* s )
{
	bool looks = true;
	s->phase = bvtree_search_at_heap;
	while ( looks )
	{
		if ( s->count == 0 )
		{
			s->phase = bvtree_search_done;
			return;
		}
		s->next = bvtree_heap_pop( s->order, s->pair, &s->count );
		s->pops += 1;
		looks = !( s->next.gap < s->bar );
		s->count = looks && s->order == bv_search_by_gap ? 0 : s->count;
	}
}

// Processes the pairs of the stack depth first.
static void step_in_stack( bvtree_pair_search* s )
{
	bvtree_node_pair* stack = s->pair + s->count + 1;
	uint32_t room = s->room - s->count;
	while ( s->stack_count > 0 )
	{
		const bvtree_node_pair next = stack[--s->stack_count];
		if ( !( next.gap < s->bar ) )
		{
			continue;
		}
		if ( begin_leaves( s, &next ) )
		{
			return;
		}
		if ( s->stack_count + BVFILE_LANES > room )
		{
			s->phase = bvtree_search_at_path;
			s->path_gap = next.gap;
			s->path_depth = -1;
			add_to_path( s, &next );
			return;
		}
		bvtree_node_pair* to = stack + s->stack_count;
		uint32_t children = open( s, &next, side_to_open( s, &next ), to );
		bvtree_heap_sort( s->order, to, children );
		s->stack_count += children;
		return;
	}
	take_next( s );
}

// Removes pairs that are of no interest any more.
static void purge( bvtree_pair_search* s )
{
	uint32_t count = s->count;
	if ( !( s->bar < s->purged ) )
	{
		return;
	}
	s->purged = s->bar;
	s->count = 0;
	for ( uint32_t i = 1; i <= count; ++i )
	{
		const bvtree_node_pair pair = s->pair[i];
		if ( pair.gap < s->bar )
		{
			bvtree_heap_push( s->order, s->pair, &s->count, &pair );
		}
	}
}

static void get_next( const bvtree_pair_search* s, bvtree_spot out[2] )
{
	for ( int i = 0; i < 2; ++i )
	{
		out[i] = spot_of( &s->next, i );
		out[i].size = s->next.is_leaf[i] ? 0 : s->next.of[i].size;
	}
}

static void remember_next( bvtree_pair_search* s )
{
	bvtree_spot spot[2];
	get_next( s, spot );
	bvtree_upper_remember( &s->upper, spot, spot + 1 );
}

// The pair that is next is as near as any, the smallest one has the least errors.
void bvtree_search_bound( bvtree_pair_search* s )
{
	if ( s->phase != bvtree_search_done )
	{
		bvtree_spot spot[2];
		get_next( s, spot );
		bvtree_upper_improve( &s->upper );
		bvtree_upper_improve_by( &s->upper, spot, spot + 1 );
	}
}

static void step_in_heap( bvtree_pair_search* s )
{
	bvtree_node_pair children[BVFILE_LANES];
	if ( s->count + BVFILE_LANES > s->most )
	{
		purge( s );
	}
	if ( s->count + BVFILE_LANES > s->most )
	{
		s->pair[s->count + 1] = s->next;
		s->stack_count = 1;
		s->phase = bvtree_search_at_stack;
		return;
	}
	remember_next( s );
	if ( begin_leaves( s, &s->next ) )
	{
		return;
	}
	uint32_t count = open( s, &s->next, side_to_open( s, &s->next ), children );
	bool dives = count > 0 && s->order == bv_search_by_gap && ( !s->found || s->pops % pops_of_dive == 0 );
	if ( dives )
	{
		bvtree_heap_sort( s->order, children, count );
		s->next = children[--count];
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvtree_heap_push( s->order, s->pair, &s->count, children + i );
	}
	if ( !dives )
	{
		take_next( s );
	}
}

// Triangles of leaves wait until there are enough of them for all lanes.
static void end_collision( bvtree_pair_search* s )
{
	if ( s->leaves && !s->found )
	{
		bvtree_leaf_pairs_end( s->leaves );
		take_collision( s );
	}
}

static void step_in_leaf( bvtree_pair_search* s )
{
	if ( s->leaves )
	{
		collide_some( s );
	}
	else
	{
		measure_some( s );
	}
	if ( s->found && !( s->bar > 0 ) )
	{
		s->leaf = ( bvtree_leaf_cursor ){ 0 };
		s->phase = bvtree_search_done;
	}
	else if ( !bvtree_leaf_cursor_is_active( &s->leaf ) && s->phase == bvtree_search_at_heap )
	{
		take_next( s );
	}
}

static void step( bvtree_pair_search* s )
{
	if ( bvtree_leaf_cursor_is_active( &s->leaf ) )
	{
		step_in_leaf( s );
	}
	else if ( s->phase == bvtree_search_at_heap )
	{
		step_in_heap( s );
	}
	else if ( s->phase == bvtree_search_at_stack )
	{
		step_in_stack( s );
	}
	else
	{
		follow_path( s );
	}
	if ( s->phase == bvtree_search_done )
	{
		end_collision( s );
	}
}

static uint64_t tests_of( const bvtree_pair_search* s )
{
	return s->volume_tests + s->triangle_tests;
}

void bvtree_search_run( bvtree_pair_search* s, const bv_budget* budget )
{
	bvtree_budget left = bvtree_budget_begin( budget, tests_of( s ), UINT64_MAX );
	while ( s->phase != bvtree_search_done && bvtree_budget_allows( &left, tests_of( s ) ) )
	{
		uint64_t before = s->triangle_tests;
		step( s );
		if ( s->triangle_tests != before )
		{
			bvtree_budget_look_next( &left );
		}
	}
}

static double least_gap( const bvtree_node_pair* pairs, uint32_t count, double least )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		least = bvmath_min( least, pairs[i].gap );
	}
	return least;
}

// Of pairs that wait or are being compared.
static double least_open_gap( const bvtree_pair_search* s )
{
	double least = s->bar;
	if ( s->phase == bvtree_search_done )
	{
		return least;
	}
	bool by_gap = s->order == bv_search_by_gap;
	least = least_gap( s->pair + 1, by_gap && s->count > 0 ? 1 : s->count, least );
	if ( bvtree_leaf_cursor_is_active( &s->leaf ) )
	{
		least = bvmath_min( least, s->leaf_gap );
	}
	if ( s->phase == bvtree_search_at_heap )
	{
		return bvmath_min( least, s->next.gap );
	}
	least = least_gap( s->pair + s->count + 1, s->stack_count, least );
	return s->phase == bvtree_search_at_path ? bvmath_min( least, s->path_gap ) : least;
}

double bvtree_search_lower( const bvtree_pair_search* s )
{
	return s->goal == bv_search_collision ? 0 : bvmath_max( s->proven, least_open_gap( s ) );
}

static bvtree_node_pair pair_of_roots( bvtree_pair_search* s )
{
	bv_volume volume = bvfile_root_volume( &s->side[0].view );
	bv_volume other = bvfile_root_volume( &s->side[1].view );
	const bvtree_spot root[2] = { bvtree_spot_root( &s->side[0].view, &volume ),
		                          bvtree_spot_root( &s->side[1].view, &other ) };
	bvtree_node_pair roots = { .lane = { BVTREE_ROOT_LANE, BVTREE_ROOT_LANE } };
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
	double skew = s->side[1].to_other.skew;
	bvvol_bound_of( &volume, &bound );
	place_volume( &s->side[1], 0, BVTREE_ROOT_LANE );
	s->volume_tests += 1;
	roots.gap = bvmath_skew_of_length( skew ) * bvvol_bound_gap( &bound, &s->side[1].moved, skew, s->bar );
	return roots;
}

// Nothing is better to begin with than what was nearest in a placement like this one.
static void compare_last( bvtree_pair_search* s, const uint32_t triangle[2] )
{
	bvtree_node_pair last = { .is_leaf = { true, true } };
	for ( int i = 0; i < 2; ++i )
	{
		last.of[i].at = triangle[i];
		last.of[i].triangles = 1;
	}
	begin_leaves( s, &last );
	step_in_leaf( s );
	end_collision( s );
}

static void begin_leaf_pairs( bvtree_pair_search* s, bvtree_leaf_pairs* leaves )
{
	static const bvtree_approach still = { .until = 1 };
	s->leaves = leaves;
	s->leaves_options = ( bv_collide_options ){ .first = true };
	s->leaves_result = ( bv_collide_result ){ 0 };
	if ( leaves )
	{
		bvtree_leaf_pairs_begin( s->lanes, &s->side[0].view, &s->side[1].view, &s->side[1].to_other, &still,
		                         &s->leaves_options, &s->leaves_result, leaves );
	}
}

bv_status bvtree_search_begin( const bvtree_search_setup* setup, bvtree_pair_search* out )
{
	bvtree_pair_search* s = out;
	const uint32_t* last = setup->last;
	if ( !setup->a || !setup->b || !bvtree_is_placement( setup->b_in_a ) ||
	     !( setup->limit >= 0 && setup->relative >= 0 && setup->absolute >= 0 ) )
	{
		return bv_error_argument;
	}
	if ( !bvtree_walk_begin( setup->a, &s->side[0].view ) ||
	     !bvtree_walk_begin( setup->b, &s->side[1].view ) )
	{
		return bv_error_argument;
	}
	if ( last &&
	     ( last[0] >= s->side[0].view.mesh->triangles || last[1] >= s->side[1].view.mesh->triangles ) )
	{
		return bv_error_argument;
	}
	bvvol_similarity_begin( setup->b_in_a, &s->side[1].to_other );
	s->side[0].to_other = bvvol_similarity_reverse( &s->side[1].to_other );
	s->side[0].unit = 1;
	s->side[1].unit = s->side[1].to_other.scale;
	s->side[0].is_placed = s->side[1].is_placed = false;
	s->lanes = setup->lanes;
	s->goal = setup->goal;
	s->order = setup->order;
	s->relative = setup->relative;
	s->absolute = setup->absolute;
	s->found = false;
	s->proven = 0;
	s->best = s->bar = bvmath_limit_of( setup->limit );
	s->triangle[0] = s->triangle[1] = 0;
	s->volume_tests = s->triangle_tests = 0;
	bvtree_upper_begin( &s->side[0].view, &s->side[1].view, &s->side[1].to_other, &s->upper );
	s->last_rank = s->pops = 0;
	begin_leaf_pairs( s, setup->leaves );
	s->phase = bvtree_search_done;
	s->leaf = ( bvtree_leaf_cursor ){ 0 };
	s->pair = setup->pairs;
	s->room = setup->room;
	s->most = setup->room - setup->room / 5;
	s->count = s->stack_count = 0;
	s->purged = INFINITY;
	s->path_depth = -1;
	if ( last )
	{
		compare_last( s, last );
		s->proven = 0; // nothing is known of other pairs
	}
	s->next = pair_of_roots( s );
	bool is_apart = s->goal == bv_search_collision && s->next.gap > 0;
	s->phase = s->next.gap < s->bar && !is_apart ? bvtree_search_at_heap : bvtree_search_done;
	return bv_ok;
}

// Where a point with such weights is in the file's own coordinates.
bv_surface_point bvtree_search_point( const bvtree_pair_search* s, int of )
{
	bv_vec3 corner[3];
	const bvvol_similarity* placed = of == 0 ? &bvvol_similarity_identity : &s->side[1].to_other;
	bvtree_walk_corners( &s->side[of].view, s->triangle[of], corner );
	bv_surface_point out =
		bvtree_surface_point_of( placed, NULL, s->triangle[of], corner, s->gap.weight[of] );
	out.point = s->gap.point[of];
	return out;
}
