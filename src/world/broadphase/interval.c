// Two-dimensional sweep and prune: at each update the projections of all boxes along one axis, which are rectangles, are swept, and
// those that are open are kept in a tree of their intervals along the other axis.
//
// Based on: H. Edelsbrunner, "Dynamic data structures for orthogonal intersection queries", 1980 (the sweep); E. McCreight,
// "Priority search trees", 1985 (the tree, of the kind whose places are known in advance); M. Lin, "Efficient collision detection
// for animation and robotics", 1993, and J. Eckstein, "Echtzeitfaehige Kollisionserkennung fuer Virtual Reality Anwendungen", 1998,
// section 6.1.4 (their use for boxes).
//
// The two axes are those along which boxes are spread most. Intervals along the third one are compared for each pair of rectangles that
// overlap. An update of n boxes takes O( n log n + k ) steps, where k is the number of these pairs.
//
// The tree. Lower ends along the second axis are sorted, and place is an object's index among them; end is the index of its
// upper end among the upper ones, plus 1. An interval touches another one if its place is below the number of lower ends that are
// not above the other one's upper end, and its end is above the number of upper ends that are below the other one's lower end. Leaves
// are places. Each object that is open is in a node on the way from the root to its leaf, and no node below has a greater end.
//
// Objects that changed have a tree of their own, so that those that did not are compared with these only.

#include "world/broadphase/ends.h"
#include "world/broadphase/query.h"

#include <math.h>
#include <string.h>

// A node of a tree: an object. There is none in it if `end` is 0.
typedef struct interval_node
{
	uint32_t place;
	uint32_t end;
} interval_node;

// What an object needs to be put into a tree, and to find those that it touches.
typedef struct interval_span
{
	uint32_t place;
	uint32_t end;
	uint32_t places; // those that it touches are below this
	uint32_t ends;   // and above this
} interval_span;

// An object along the third axis, at its place.
typedef struct interval_third
{
	double lower;
	double upper;
	uint32_t number;
	uint32_t unused;
} interval_third;

// The arrays, which last for an update.
typedef struct interval_arrays
{
	bvwphase_end_point* ends; // of all objects along an axis
	bvwphase_end_point* room; // for sorting
	interval_third* third;    // by place
	interval_span* span;      // by number of object
	interval_node* node[2]; // trees of objects that did not change, and of those that did; the root is node 1
} interval_arrays;

// @return leaves of a tree: a power of two
static uint32_t leaves_for( uint32_t objects )
{
	uint32_t leaves = 1;
	while ( leaves < objects )
	{
		leaves *= 2;
	}
	return leaves;
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	uint64_t each = 4 * sizeof( bvwphase_end_point ) + sizeof( interval_third ) + sizeof( interval_span );
	return each * options->objects +
	       2 * sizeof( interval_node ) * 2 * (uint64_t)leaves_for( options->objects );
}

static interval_arrays arrays_of( const bvw_broadphase* world )
{
	size_t objects = world->options.objects;
	size_t nodes = (size_t)2 * leaves_for( world->options.objects );
	interval_arrays a = { .ends = bvwphase_at( world, world->method_at ) };
	a.room = a.ends + 2 * objects;
	a.third = (interval_third*)( a.room + 2 * objects );
	a.span = (interval_span*)( a.third + objects );
	a.node[0] = (interval_node*)( a.span + objects );
	a.node[1] = a.node[0] + nodes;
	return a;
}

// The variance of centers along an axis, divided by the square of the mean length, of the intervals that are finite and not so large that
// squares overflow.
static double spread_along( const bvw_broadphase* world, int axis )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	double origin = 0; // near the centers, so that little is cancelled
	double sum = 0;
	double squares = 0;
	double lengths = 0;
	double count = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		double lower = bvwphase_lower_of( &objects[i].box, axis );
		double upper = bvwphase_upper_of( &objects[i].box, axis );
		if ( ( objects[i].state & bvwphase_is_live ) && fabs( lower ) < 1e100 && fabs( upper ) < 1e100 )
		{
			double center = 0.5 * ( lower + upper );
			origin = count > 0 ? origin : center;
			center -= origin;
			sum += center;
			squares += center * center;
			lengths += upper - lower;
			count += 1;
		}
	}
	double variance = count > 0 ? squares / count - sum / count * ( sum / count ) : 0;
	double length = count > 0 ? lengths / count : 0;
	if ( !( variance > 0 ) )
	{
		return 0;
	}
	return length > 0 ? variance / ( length * length ) : INFINITY;
}

// Sorts the axes: the one along which boxes are spread most is the first.
static void choose_axes( const bvw_broadphase* world, int axes[3] )
{
	double spread[3];
	for ( int k = 0; k < 3; ++k )
	{
		double of_axis = spread_along( world, k );
		int at = k;
		for ( ; at > 0 && spread[at - 1] < of_axis; --at )
		{
			spread[at] = spread[at - 1];
			axes[at] = axes[at - 1];
		}
		spread[at] = of_axis;
		axes[at] = k;
	}
}

// Sorts the end points of all objects along an axis.
static void sort_axis( const bvw_broadphase* world, const interval_arrays* a, int axis )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t k = 0;
	for ( uint32_t i = 0; i < world->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			uint32_t is_changed = objects[i].state & bvwphase_is_changed ? 1 : 0;
			a->ends[k] = ( bvwphase_end_point ){ bvwphase_lower_of( &objects[i].box, axis ), i, is_changed };
			a->ends[k + world->live] = ( bvwphase_end_point ){ bvwphase_upper_of( &objects[i].box, axis ),
				                                               i | BVWPHASE_UPPER, is_changed };
			++k;
		}
	}
	bvwphase_sort_ends( a->ends, 2 * world->live, a->room );
}

// Gives each object its place. End points are those along the second axis.
static void make_spans( const bvw_broadphase* world, const interval_arrays* a, int third_axis )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	uint32_t lower = 0;
	uint32_t upper = 0;
	for ( uint32_t i = 0; i < 2 * world->live; ++i )
	{
		uint32_t number = bvwphase_end_number( a->ends + i );
		interval_span* span = a->span + number;
		if ( bvwphase_end_is_upper( a->ends + i ) )
		{
			span->places = lower;
			span->end = ++upper;
			continue;
		}
		const bv_aabb* box = &objects[number].box;
		a->third[lower] = ( interval_third ){ bvwphase_lower_of( box, third_axis ),
			                                  bvwphase_upper_of( box, third_axis ), number, 0 };
		span->place = lower++;
		span->ends = upper;
	}
}

// A tree, and half of its leaves, which is the bit of places that the root decides by.
typedef struct interval_tree
{
	interval_node* node;
	uint32_t leaves;
} interval_tree;

static uint32_t child_of( uint32_t node, uint32_t place, uint32_t bit )
{
	return 2 * node + ( place & bit ? 1 : 0 );
}

// Objects with smaller ends are pushed toward their leaves.
static void put_in( const interval_tree* t, const interval_span* span )
{
	interval_node carried = { span->place, span->end };
	uint32_t bit = t->leaves / 2;
	uint32_t at = 1;
	while ( t->node[at].end != 0 )
	{
		if ( carried.end > t->node[at].end )
		{
			interval_node swap = t->node[at];
			t->node[at] = carried;
			carried = swap;
		}
		at = child_of( at, carried.place, bit );
		bit /= 2;
	}
	t->node[at] = carried;
}

// Of both children, the one with the greater end takes the place of what is taken out, and so on.
static void take_out( const interval_tree* t, const interval_span* span )
{
	uint32_t bit = t->leaves / 2;
	uint32_t at = 1;
	while ( t->node[at].place != span->place )
	{
		at = child_of( at, span->place, bit );
		bit /= 2;
	}
	while ( at < t->leaves )
	{
		uint32_t child = 2 * at + ( t->node[2 * at + 1].end > t->node[2 * at].end ? 1 : 0 );
		t->node[at] = t->node[child];
		if ( t->node[child].end == 0 )
		{
			return;
		}
		at = child;
	}
	t->node[at].end = 0;
}

// Reports the objects of a tree that touch an object.
// @return false if there is no room
static bool report_from( bvw_broadphase* world, const interval_arrays* a, const interval_tree* t,
                         const interval_span* span )
{
	const interval_third* own = a->third + span->place;
	uint32_t at = 1;
	uint32_t width = t->leaves; // below the node
	uint32_t first = 0;         // leaf below the node
	for ( ;; )
	{
		interval_node n = t->node[at];
		if ( first < span->places && n.end > span->ends )
		{
			const interval_third* other = a->third + n.place;
			if ( n.place < span->places && own->lower <= other->upper && other->lower <= own->upper )
			{
				if ( !bvwphase_report( world, own->number, other->number ) )
				{
					return false;
				}
			}
			else
			{
				++world->tests;
			}
			if ( at < t->leaves )
			{
				at *= 2;
				width /= 2;
				continue;
			}
		}
		// To the next node that is not below this one.
		while ( at & 1 )
		{
			at /= 2;
			first -= at > 0 ? width : 0;
			width *= 2;
		}
		if ( at == 0 )
		{
			return true;
		}
		++at;
		first += width;
	}
}

// End points are those along the first axis.
static bool sweep( bvw_broadphase* world, const interval_arrays* a )
{
	interval_tree tree[2];
	for ( int k = 0; k < 2; ++k )
	{
		tree[k] = ( interval_tree ){ a->node[k], leaves_for( world->live ) };
		memset( tree[k].node, 0, (size_t)2 * tree[k].leaves * sizeof( interval_node ) );
	}
	for ( uint32_t i = 0; i < 2 * world->live; ++i )
	{
		uint32_t number = bvwphase_end_number( a->ends + i );
		const interval_span* span = a->span + number;
		uint32_t is_changed = a->ends[i].is_changed;
		if ( bvwphase_end_is_upper( a->ends + i ) )
		{
			take_out( tree + is_changed, span );
			continue;
		}
		if ( !report_from( world, a, tree + 1, span ) ||
		     ( is_changed == 1 && !report_from( world, a, tree, span ) ) )
		{
			return false;
		}
		put_in( tree + is_changed, span );
	}
	return true;
}

static bool find( bvw_broadphase* world )
{
	if ( world->changed_count == 0 || world->live < 2 )
	{
		return true;
	}
	interval_arrays a = arrays_of( world );
	int axes[3] = { 0, 1, 2 };
	choose_axes( world, axes );
	sort_axis( world, &a, axes[1] );
	make_spans( world, &a, axes[2] );
	sort_axis( world, &a, axes[0] );
	return sweep( world, &a );
}

const bvwphase_method bvwphase_interval = {
	.name = "interval",
	.help = "rectangles along two axes swept with a priority search tree at each update (McCreight 1985)",
	.bytes = bytes,
	.find = find,
	.finds_known = true,
	.overlap = bvwphase_look_at_all,
};
