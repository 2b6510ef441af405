// The cheapest cut of a set of boxes, between bins along three axes at once: I. Wald, "On fast construction
// of SAH-based bounding volume hierarchies", 2007, section 3. All in binary32, the costs of four cuts at a
// time. Three or four triangles need no bins: there are so few ways to divide them that the best one of all
// is found sooner.

#include "offline/hierarchy/binned.h"

#include <string.h>

enum
{
	handful = 4,     // up to this all ways to divide a set are compared
	least_items = 8, // up to this ...
	least_bins = 4,  // ... so many bins are enough,
	few_items = 32,  // up to this ...
	few_bins = 8,    // ... so many
	most_bins = 16,
};

// What is in a bin.
typedef struct bin
{
	bvbase_float4 lower;
	bvbase_float4 upper;
} bin;

// The bins of three axes.
typedef struct binned_cut_bins
{
	bin box[3][most_bins];
	_Alignas( 16 ) int32_t count[3][most_bins]; // triangles
} binned_cut_bins;

// What maps places to bins.
typedef struct binned_cut_grid
{
	bvbase_float4 lower;
	bvbase_float4 scale;
	uint32_t bins;
} binned_cut_grid;

// A way to cut: what is in the bins below `limit`.
typedef struct hierarchy_cut
{
	float cost; // infinite where there is none
	uint32_t axis;
	uint32_t limit;
} hierarchy_cut;

static const bvbase_float4 nowhere = { INFINITY, INFINITY, INFINITY, INFINITY };

bvhier_binned_bounds bvhier_binned_bounds_of( const bvhier_binned_item* items, uint32_t count )
{
	bvhier_binned_bounds b = { nowhere, -nowhere, nowhere, -nowhere };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvbase_float4 place = bvhier_binned_place( items + i );
		b.lower = bvbase_least4( b.lower, items[i].lower );
		b.upper = bvbase_greatest4( b.upper, items[i].upper );
		b.place_lower = bvbase_least4( b.place_lower, place );
		b.place_upper = bvbase_greatest4( b.place_upper, place );
	}
	return b;
}

// Places that are closer than that can't be told apart.
static float scale_of( float size, uint32_t count )
{
	return size > 0x1p-120f ? (float)count / size : 0;
}

static binned_cut_grid grid_of( const bvhier_binned_bounds* b, uint32_t count )
{
	bvbase_float4 size = b->place_upper - b->place_lower;
	return ( binned_cut_grid ){ .lower = b->place_lower,
		                        .scale = { scale_of( size[0], count ), scale_of( size[1], count ),
		                                   scale_of( size[2], count ), 0 },
		                        .bins = count };
}

static inline bvbase_int4 bin_of( const binned_cut_grid* g, bvbase_float4 place )
{
	bvbase_float4 at = ( place - g->lower ) * g->scale;
	float last = (float)( g->bins - 1 );
	return __builtin_convertvector( bvbase_least4( at, ( bvbase_float4 ){ last, last, last, last } ),
	                                bvbase_int4 );
}

static inline void add_to_bin( binned_cut_bins* of, int axis, int index, const bvhier_binned_item* i )
{
	bin* b = &of->box[axis][index];
	b->lower = bvbase_least4( b->lower, i->lower );
	b->upper = bvbase_greatest4( b->upper, i->upper );
	of->count[axis][index] += (int32_t)i->count;
}

static inline void add_item( binned_cut_bins* of, const binned_cut_grid* g, const bvhier_binned_item* i )
{
	bvbase_int4 at = bin_of( g, bvhier_binned_place( i ) );
	add_to_bin( of, 0, at[0], i );
	add_to_bin( of, 1, at[1], i );
	add_to_bin( of, 2, at[2], i );
}

static inline void fill_bins( const bvhier_binned_item* items, uint32_t count, const binned_cut_grid* g,
                              uint32_t bin_count, binned_cut_bins* out )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( uint32_t i = 0; i < bin_count; ++i )
		{
			out->box[axis][i] = ( bin ){ nowhere, -nowhere };
			out->count[axis][i] = 0;
		}
	}
	// Neighbors are often in one bin, whose box the second must wait for.
	uint32_t half = count / 2;
	for ( uint32_t i = 0; i < half; ++i )
	{
		add_item( out, g, items + i );
		add_item( out, g, items + half + i );
	}
	if ( count % 2 )
	{
		add_item( out, g, items + count - 1 );
	}
}

// Half the surfaces of four boxes of these sizes, times the square of `scale`.
static inline bvbase_float4 half_areas( const bvbase_float4 size[4], float scale )
{
	bvbase_float4 xy01 = __builtin_shufflevector( size[0], size[1], 0, 4, 1, 5 );
	bvbase_float4 xy23 = __builtin_shufflevector( size[2], size[3], 0, 4, 1, 5 );
	bvbase_float4 z01 = __builtin_shufflevector( size[0], size[1], 2, 6, 2, 6 );
	bvbase_float4 z23 = __builtin_shufflevector( size[2], size[3], 2, 6, 2, 6 );
	bvbase_float4 x = __builtin_shufflevector( xy01, xy23, 0, 1, 4, 5 ) * scale;
	bvbase_float4 y = __builtin_shufflevector( xy01, xy23, 2, 3, 6, 7 ) * scale;
	bvbase_float4 z = __builtin_shufflevector( z01, z23, 0, 1, 4, 5 ) * scale;
	return ( x * y + y * z ) + z * x;
}

// Sums of the numbers up to each.
static inline bvbase_int4 sums_of( bvbase_int4 x )
{
	const bvbase_int4 none = { 0, 0, 0, 0 };
	x += __builtin_shufflevector( x, none, 4, 0, 1, 2 );
	return x + __builtin_shufflevector( x, none, 4, 4, 0, 1 );
}

// The sizes of what is in the bins from each on, and below each.
static inline void sizes_of( const bin* box, uint32_t count, bvbase_float4* above, bvbase_float4* below )
{
	bvbase_float4 lower = nowhere;
	bvbase_float4 upper = -nowhere;
	for ( uint32_t i = count; i-- > 0; )
	{
		lower = bvbase_least4( lower, box[i].lower );
		upper = bvbase_greatest4( upper, box[i].upper );
		above[i] = upper - lower;
	}
	lower = nowhere;
	upper = -nowhere;
	for ( uint32_t i = 0; i < count; ++i )
	{
		below[i] = upper - lower;
		lower = bvbase_least4( lower, box[i].lower );
		upper = bvbase_greatest4( upper, box[i].upper );
	}
}

// The least of four costs at a time, and where. The earlier one of equal ones.
typedef struct leasts
{
	bvbase_float4 cost;
	bvbase_int4 where; // axis * most_bins + limit
} leasts;

// All cuts of one axis: triangles times half surface of both sides. NaN, which is not less than anything,
// where one side is empty: infinite times 0.
static inline void compare_cuts( const binned_cut_bins* of, int axis, uint32_t count, int32_t triangles,
                                 float scale, leasts* best )
{
	bvbase_float4 above[most_bins];
	bvbase_float4 below[most_bins];
	sizes_of( of->box[axis], count, above, below );
	const int32_t* counts = of->count[axis];
	int32_t before = 0;
	bvbase_int4 where = { 0, 1, 2, 3 };
	where += axis * most_bins;
	for ( uint32_t i = 0; i < count; i += 4 )
	{
		bvbase_int4 here = *(const bvbase_int4*)( counts + i );
		bvbase_int4 sums = sums_of( here ) + before;
		bvbase_float4 left = __builtin_convertvector( sums - here, bvbase_float4 );
		bvbase_float4 right = __builtin_convertvector( triangles - ( sums - here ), bvbase_float4 );
		bvbase_float4 cost = half_areas( above + i, scale ) * right + half_areas( below + i, scale ) * left;
		bvbase_int4 less = cost < best->cost;
		best->cost = bvbase_select4( less, cost, best->cost );
		best->where = ( less & where ) | ( ~less & best->where );
		before = sums[3];
		where += 4;
	}
}

static inline hierarchy_cut cheapest( const binned_cut_bins* of, uint32_t count, float scale )
{
	int32_t triangles = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		triangles += of->count[0][i];
	}
	leasts best = { .cost = nowhere };
	for ( int axis = 0; axis < 3; ++axis )
	{
		compare_cuts( of, axis, count, triangles, scale, &best );
	}
	int least = 0;
	for ( int i = 1; i < 4; ++i )
	{
		bool earlier = best.where[i] < best.where[least];
		bool less = best.cost[i] < best.cost[least] || ( best.cost[i] == best.cost[least] && earlier );
		least = less ? i : least;
	}
	uint32_t where = (uint32_t)best.where[least];
	return ( hierarchy_cut ){ best.cost[least], where / most_bins, where % most_bins };
}

// Between two bins.
typedef struct binned_cut_plane
{
	uint32_t axis;
	float lower; // what places are relative to
	float scale; // bins per unit
	float limit; // the first bin above
} binned_cut_plane;

static binned_cut_plane plane_of( const binned_cut_grid* g, const hierarchy_cut* c )
{
	return ( binned_cut_plane ){ c->axis, g->lower[c->axis], g->scale[c->axis], (float)c->limit };
}

// Whether the number of its bin, which is this rounded towards zero, is not below the limit.
static inline bool is_above( const binned_cut_plane* p, float place )
{
	return ( place - p->lower ) * p->scale >= p->limit;
}

// Every item is written to both sides and counts on one of them, since no processor foresees on which.
static void sort_triangles( const bvhier_binned_item* from, uint32_t count, const binned_cut_plane* p,
                            bvhier_binned_room* to )
{
	uint32_t below = 0;
	uint32_t above = to->capacity - 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t side = is_above( p, from[i].low[p->axis] + from[i].high[p->axis] );
		to->items[below] = from[i];
		to->items[above] = from[i];
		below += 1 - side;
		above -= side;
	}
	to->below = below;
	to->above = count - below;
}

static bvhier_binned_item run_of( const bvhier_binned_item* triangles, uint32_t first, uint32_t count )
{
	bvhier_binned_item run = triangles[first];
	for ( uint32_t i = 1; i < count; ++i )
	{
		run.lower = bvbase_least4( run.lower, triangles[first + i].lower );
		run.upper = bvbase_greatest4( run.upper, triangles[first + i].upper );
	}
	run.first = first;
	run.count = count;
	return run;
}

// Sorts the triangles of a run. Returns how many are below.
static uint32_t sort_run( bvhier_binned_item* triangles, uint32_t count, const binned_cut_plane* p )
{
	bvhier_binned_item above[bvhier_binned_run];
	uint32_t next[2] = { 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t side = is_above( p, triangles[i].low[p->axis] + triangles[i].high[p->axis] );
		bvhier_binned_item item = triangles[i];
		triangles[next[0]] = item;
		above[next[1]] = item;
		next[side] += 1;
	}
	memcpy( triangles + next[0], above, next[1] * sizeof *above );
	return next[0];
}

// Runs that are on both sides, as far as there is room for their halves.
static void sort_runs( const bvhier_binned_item* from, uint32_t count, const binned_cut_plane* p,
                       bvhier_binned_item* triangles, bvhier_binned_room* to )
{
	uint32_t next[2] = { 0, to->capacity - 1 };
	uint32_t spare = to->capacity - count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvhier_binned_item* run = from + i;
		float low = run->low[p->axis];
		float high = run->high[p->axis];
		uint32_t side = is_above( p, low + high );
		bool both = !is_above( p, low + low ) && is_above( p, high + high );
		if ( both && spare > 0 && run->count > 1 )
		{
			uint32_t below = sort_run( triangles + run->first, run->count, p );
			if ( below > 0 && below < run->count )
			{
				to->items[next[0]++] = run_of( triangles, run->first, below );
				to->items[next[1]--] = run_of( triangles, run->first + below, run->count - below );
				spare -= 1;
				continue;
			}
		}
		to->items[next[side]] = *run;
		next[0] += 1 - side;
		next[1] -= side;
	}
	to->below = next[0];
	to->above = to->capacity - 1 - next[1];
}

static float longest_side( const bvhier_binned_bounds* b )
{
	bvbase_float4 size = b->upper - b->lower;
	float most = size[0] > size[1] ? size[0] : size[1];
	return most > size[2] ? most : size[2];
}

// A way to divide a handful: which items are below, as bits.
typedef struct binned_cut_division
{
	float cost;
	uint32_t below;
} binned_cut_division;

static bin join( const bin* a, const bin* b )
{
	return ( bin ){ bvbase_least4( a->lower, b->lower ), bvbase_greatest4( a->upper, b->upper ) };
}

static bvbase_float4 size_of( const bin* b )
{
	return b->upper - b->lower;
}

// Costs as those of compare_cuts.
static binned_cut_division divide_three( const bin box[3], float scale )
{
	binned_cut_division best = { INFINITY, 1 };
	bin pair[3] = { join( box + 1, box + 2 ), join( box, box + 2 ), join( box, box + 1 ) };
	bvbase_float4 one[4] = { size_of( box ), size_of( box + 1 ), size_of( box + 2 ), nowhere };
	bvbase_float4 two[4] = { size_of( pair ), size_of( pair + 1 ), size_of( pair + 2 ), nowhere };
	bvbase_float4 cost = half_areas( one, scale ) + 2 * half_areas( two, scale );
	for ( uint32_t i = 0; i < 3; ++i )
	{
		best = cost[i] < best.cost ? ( binned_cut_division ){ cost[i], 1u << i } : best;
	}
	return best;
}

// Of equal ones into halves.
static binned_cut_division divide_four( const bin box[4], float scale )
{
	binned_cut_division best = { INFINITY, 3 };
	bin first[3] = { join( box, box + 1 ), join( box, box + 2 ), join( box, box + 3 ) };
	bin second[3] = { join( box + 2, box + 3 ), join( box + 1, box + 3 ), join( box + 1, box + 2 ) };
	bin rest[4] = { join( second, box + 1 ), join( second, box ), join( first, box + 3 ),
		            join( first, box + 2 ) };
	bvbase_float4 one[4] = { size_of( box ), size_of( box + 1 ), size_of( box + 2 ), size_of( box + 3 ) };
	bvbase_float4 three[4] = { size_of( rest ), size_of( rest + 1 ), size_of( rest + 2 ),
		                       size_of( rest + 3 ) };
	bvbase_float4 two[4] = { size_of( first ), size_of( first + 1 ), size_of( first + 2 ), nowhere };
	bvbase_float4 others[4] = { size_of( second ), size_of( second + 1 ), size_of( second + 2 ), nowhere };
	bvbase_float4 halves = 2 * half_areas( two, scale ) + 2 * half_areas( others, scale );
	bvbase_float4 uneven = half_areas( one, scale ) + 3 * half_areas( three, scale );
	for ( uint32_t i = 0; i < 3; ++i )
	{
		best = halves[i] < best.cost ? ( binned_cut_division ){ halves[i], 1 | 2u << i } : best;
	}
	for ( uint32_t i = 0; i < 4; ++i )
	{
		best = uneven[i] < best.cost ? ( binned_cut_division ){ uneven[i], 1u << i } : best;
	}
	return best;
}

static void divide_handful( const bvhier_binned_item* from, uint32_t count, float scale,
                            bvhier_binned_room* to )
{
	bin box[handful];
	for ( uint32_t i = 0; i < count; ++i )
	{
		box[i] = ( bin ){ from[i].lower, from[i].upper };
	}
	binned_cut_division best = count == 3 ? divide_three( box, scale ) : divide_four( box, scale );
	uint32_t below = 0;
	uint32_t above = to->capacity - 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t is_below = best.below >> i & 1;
		to->items[below] = from[i];
		to->items[above] = from[i];
		below += is_below;
		above -= 1 - is_below;
	}
	to->below = below;
	to->above = count - below;
}

bool bvhier_binned_cut( const bvhier_binned_item* from, uint32_t count, const bvhier_binned_bounds* around,
                        bvhier_binned_item* triangles, bvhier_binned_room* to )
{
	float side = longest_side( around );
	float scale = side > 0x1p-120f ? 1 / side : 0;
	if ( count > 2 && count <= handful && !triangles )
	{
		divide_handful( from, count, scale, to );
		return true;
	}
	binned_cut_bins of;
	hierarchy_cut c;
	uint32_t bin_count = count <= least_items ? least_bins : count <= few_items ? few_bins : most_bins;
	binned_cut_grid g = grid_of( around, bin_count );
	if ( bin_count == least_bins )
	{
		fill_bins( from, count, &g, least_bins, &of );
		c = cheapest( &of, least_bins, scale );
	}
	else if ( bin_count == few_bins )
	{
		fill_bins( from, count, &g, few_bins, &of );
		c = cheapest( &of, few_bins, scale );
	}
	else
	{
		fill_bins( from, count, &g, most_bins, &of );
		c = cheapest( &of, most_bins, scale );
	}
	if ( !( c.cost < INFINITY ) )
	{
		return false;
	}
	binned_cut_plane p = plane_of( &g, &c );
	if ( triangles )
	{
		sort_runs( from, count, &p, triangles, to );
	}
	else
	{
		sort_triangles( from, count, &p, to );
	}
	return true;
}
