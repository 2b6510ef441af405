// Distances of two hierarchies: of all pairs of volumes that may be nearer to each other than what was found the nearest is
// looked at, and the larger of the two is opened (Larsen, Gottschalk, Lin, Manocha 1999, with a queue as in section 5 of theirs;
// Hjaltason and Samet 1999). No order needs fewer pairs to be opened. Of pairs that may meet those with near centres come first,
// which leads down to triangles at once.
//
// The queue has an end: what comes to a full one is descended depth first, nearest first, with a stack that can't overflow.

#include "bv/query.h"

#include "base/core/bound.h"
#include "base/core/similarity.h"
#include "base/core/triangle_gap.h"
#include "runtime/walk.h"

#include <math.h>

enum
{
	queue_size = 1024,
	stack_size = 2 * BV_MAX_DEPTH * ( bvh_max_children - 1 ) + 1,
};

// One of the two trees' items, with what is asked of it again and again.
typedef struct side
{
	bv_walk_item item;
	double size; // in coordinates of a
} side;

typedef struct node_pair
{
	side of[2];
	double gap;  // they are not nearer than this
	double rank; // of pairs that are equally near, or may all meet, that with the least one comes first
} node_pair;

// Everything that stays the same during one query, and what was found.
typedef struct query
{
	bv_walk walk[2];
	bv_similarity to_other[2]; // from a to b, from b to a
	double unit[2];            // of length in the coordinates of either, in those of a
	bv_distance_options options;
	double best;
	double bar; // pairs that are this far apart, or farther, are of no interest
	bv_triangle_gap gap;
	uint32_t triangle[2];
	bv_distance_result* result;
} query;

// A distance that is too great by no more than the options allow is as good as the true one.
static void set_best( query* q, double distance )
{
	q->best = distance;
	q->bar = bv_min( distance / ( 1 + q->options.relative ), distance - q->options.absolute );
	q->bar = q->bar > 0 ? q->bar : 0;
}

// Corners of a triangle of b are moved; they err by 2^-50 of what they are moved by and their size, and so does the distance.
// Returns false, and does nothing, where one of the two has no triangles of its own.
static bool test_leaves( query* q, const node_pair* pair )
{
	const bv_walk_item* a = &pair->of[0].item;
	const bv_walk_item* b = &pair->of[1].item;
	if ( a->triangles == 0 || b->triangles == 0 )
	{
		return false;
	}
	for ( uint32_t j = 0; j < b->triangles; ++j )
	{
		bv_vec3 moved[3];
		bv_walk_corners( &q->walk[1], b->first + j, moved );
		for ( int k = 0; k < 3; ++k )
		{
			moved[k] = bv_similarity_apply( &q->to_other[1], moved[k] );
		}
		for ( uint32_t i = 0; i < a->triangles; ++i )
		{
			bv_vec3 corner[3];
			bv_triangle_gap gap;
			bv_walk_corners( &q->walk[0], a->first + i, corner );
			q->result->triangle_tests += 1;
			if ( bv_triangles_gap( corner, moved, q->bar, &gap ) )
			{
				q->gap = gap;
				q->triangle[0] = a->first + i;
				q->triangle[1] = b->first + j;
				q->result->found = true;
				set_best( q, sqrt( gap.square ) );
			}
		}
	}
	return true;
}

// A side of a pair seen from the other: which tree it is of, 0 or 1.
static void move_side( const query* q, int of, const bv_walk_item* item, bv_rounded* out )
{
	bv_volume volume;
	bv_bound bound;
	bv_walk_volume( &q->walk[of], item, &volume );
	bv_bound_of( &volume, &bound );
	bv_similarity_move( &q->to_other[of], &bound.box, out );
}

// Fills in the gap, and the size of the volume that is in its own tree.
// @param of     which tree the volume is of
// @param other  what it is compared with, in its coordinates
static void compare( query* q, int of, const bv_volume* volume, const bv_rounded* other, node_pair* pair )
{
	bv_bound bound;
	bv_bound_of( volume, &bound );
	double unit = q->unit[of];
	double skew = q->to_other[1 - of].skew;
	q->result->volume_tests += 1;
	pair->gap = unit * ( 1 - 2 * skew ) * bv_bound_gap( &bound, other, skew, q->bar / unit );
	bv_vec3 apart = bv_sub( bound.box.center, other->center );
	pair->rank = bv_dot( apart, apart );
	pair->of[of].size = bv_bound_size( &bound ) * ( unit * unit * unit );
}

static bool comes_before( const node_pair* x, const node_pair* y )
{
	return x->gap < y->gap || ( x->gap == y->gap && x->rank < y->rank );
}

// Of a pair that is not of leaves both.
static int side_to_open( const node_pair* pair )
{
	const side* of = pair->of;
	bool opens_a = of[1].item.triangles > 0 || ( of[0].item.triangles == 0 && of[0].size >= of[1].size );
	return opens_a ? 0 : 1;
}

// Pairs the children of the larger volume with the other. Those that are near enough to be of interest come out, the nearest last.
static uint32_t open( query* q, const node_pair* pair, node_pair out[bvh_max_children] )
{
	int of = side_to_open( pair );
	bv_walk_child child[bvh_max_children];
	bv_rounded other;
	uint32_t count = bv_walk_children( &q->walk[of], pair->of[of].item.node, child );
	uint32_t kept = 0;
	move_side( q, 1 - of, &pair->of[1 - of].item, &other );
	for ( uint32_t i = count; i-- > 0; )
	{
		node_pair next = *pair;
		next.of[of].item = child[i].item;
		compare( q, of, &child[i].volume, &other, &next );
		next.gap = bv_max( next.gap, pair->gap );
		if ( next.gap < q->bar )
		{
			uint32_t at = kept++;
			for ( ; at > 0 && comes_before( out + at - 1, &next ); --at )
			{
				out[at] = out[at - 1];
			}
			out[at] = next;
		}
	}
	return kept;
}

// Descends into a pair depth first.
static void exhaust( query* q, const node_pair* pair )
{
	node_pair stack[stack_size];
	uint32_t count = 1;
	stack[0] = *pair;
	while ( count > 0 )
	{
		const node_pair next = stack[--count];
		if ( next.gap < q->bar && !test_leaves( q, &next ) )
		{
			count += open( q, &next, stack + count );
		}
	}
}

// A binary heap: none comes before the one at half its place.
typedef struct queue
{
	uint32_t count;
	node_pair pair[queue_size + 1]; // from 1 on
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

static node_pair pair_of_roots( query* q )
{
	node_pair roots;
	bv_walk_child child[2];
	for ( int of = 0; of < 2; ++of )
	{
		bv_bound bound;
		bv_walk_root( &q->walk[of], child + of );
		roots.of[of].item = child[of].item;
		bv_bound_of( &child[of].volume, &bound );
		roots.of[of].size = bv_bound_size( &bound ) * ( q->unit[of] * q->unit[of] * q->unit[of] );
	}
	bv_rounded b;
	move_side( q, 1, &child[1].item, &b );
	compare( q, 0, &child[0].volume, &b, &roots );
	return roots;
}

static void traverse( query* q )
{
	queue waiting;
	waiting.count = 0;
	node_pair next = pair_of_roots( q );
	push( &waiting, &next );
	while ( waiting.count > 0 )
	{
		next = pop( &waiting );
		if ( !( next.gap < q->bar ) )
		{
			return;
		}
		if ( waiting.count + bvh_max_children > queue_size )
		{
			exhaust( q, &next );
		}
		else if ( !test_leaves( q, &next ) )
		{
			node_pair children[bvh_max_children];
			uint32_t count = open( q, &next, children );
			for ( uint32_t i = 0; i < count; ++i )
			{
				push( &waiting, children + i );
			}
		}
	}
}

// Where a point with such weights is in the file's own coordinates.
static bv_surface_point surface_point( const query* q, int of )
{
	bv_surface_point out = { .triangle = q->triangle[of], .point = q->gap.point[of] };
	bv_vec3 corner[3];
	bv_walk_corners( &q->walk[of], out.triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		out.weight[k] = q->gap.weight[of][k];
		out.local = bv_add( out.local, bv_scale( out.weight[k], corner[k] ) );
	}
	return out;
}

bv_distance_options bv_distance_options_default( void )
{
	return ( bv_distance_options ){ .limit = INFINITY };
}

bv_status bv_distance( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                       const bv_distance_options* options, bv_distance_result* result )
{
	bv_distance_options asked = options ? *options : bv_distance_options_default();
	if ( !a || !b || !result || ( b_in_a && !bv_transform_is_valid( b_in_a ) ) ||
	     !( asked.limit >= 0 && asked.relative >= 0 && asked.absolute >= 0 ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_distance_result ){ .distance = INFINITY };
	query q = { .walk = { bv_walk_of( a ), bv_walk_of( b ) }, .options = asked, .result = result };
	bv_similarity_begin( b_in_a, &q.to_other[1] );
	q.to_other[0] = bv_similarity_reverse( &q.to_other[1] );
	q.unit[0] = 1;
	q.unit[1] = q.to_other[1].scale;
	q.best = q.bar = asked.limit;
	traverse( &q );
	if ( result->found )
	{
		result->distance = q.best;
		result->a = surface_point( &q, 0 );
		result->b = surface_point( &q, 1 );
	}
	return bv_ok;
}
