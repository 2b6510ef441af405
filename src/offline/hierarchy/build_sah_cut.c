// The cheapest cut of a set of boxes, between bins along three axes at once; of small sets, between any two
// places. I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007, section 3.

#include "offline/hierarchy/build_sah.h"

#include <string.h>

// Of one axis.
typedef struct sah_cut_bins
{
	bvhier_sah_box box[bvhier_sah_most_bins];
	uint32_t count[bvhier_sah_most_bins];
} sah_cut_bins;

// A way to cut. Faces are below it whose bin is below `limit`.
typedef struct hierarchy_sah_cut_cut
{
	double cost; // infinite where there is none
	int axis;
	uint32_t limit;
	uint32_t below; // how many faces
} hierarchy_sah_cut_cut;

static double half_area( const bvhier_sah_box* b )
{
	bvbase_double2 xy = bvbase_widen_low( b->upper ) - bvbase_widen_low( b->lower );
	bvbase_double2 z = bvbase_widen_high( b->upper ) - bvbase_widen_high( b->lower );
	return bvhier_sah_half_area( xy[0], xy[1], z[0] );
}

static double along( const bvhier_sah_place* p, int axis )
{
	return axis == 2 ? p->z[0] : p->xy[axis];
}

// The bins of one axis: the cheapest cut between two.
static void cheapest( const sah_cut_bins* of, uint32_t count, uint32_t faces, int axis,
                      hierarchy_sah_cut_cut* best )
{
	double above[bvhier_sah_most_bins];
	uint32_t side = 0;
	bvhier_sah_box b = bvhier_sah_no_box;
	for ( uint32_t i = count; i-- > 1; )
	{
		bvhier_sah_grow( &b, of->box[i].lower, of->box[i].upper );
		side += of->count[i];
		above[i] = side ? side * half_area( &b ) : 0;
	}
	side = 0;
	b = bvhier_sah_no_box;
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvhier_sah_grow( &b, of->box[i - 1].lower, of->box[i - 1].upper );
		side += of->count[i - 1];
		double both = ( side ? side * half_area( &b ) : 0 ) + above[i];
		if ( both < best->cost && side > 0 && side < faces )
		{
			*best = ( hierarchy_sah_cut_cut ){ both, axis, i, side };
		}
	}
}

static void join( const bvhier_sah_box* boxes, uint32_t count, bvhier_sah_box* out )
{
	*out = bvhier_sah_no_box;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvhier_sah_grow( out, boxes[i].lower, boxes[i].upper );
	}
}

// What maps places to bins.
typedef struct sah_cut_grid
{
	bvhier_sah_place lower;
	bvhier_sah_place scale;
	uint32_t bins;
} sah_cut_grid;

static sah_cut_grid grid_of( const bvhier_sah_places* p, uint32_t count )
{
	sah_cut_grid g = { .lower = p->lower, .bins = bvhier_sah_bins( count ) };
	g.scale.xy = ( bvbase_double2 ){ bvhier_sah_scale( p->lower.xy[0], p->upper.xy[0], g.bins ),
		                             bvhier_sah_scale( p->lower.xy[1], p->upper.xy[1], g.bins ) };
	g.scale.z = ( bvbase_double2 ){ bvhier_sah_scale( p->lower.z[0], p->upper.z[0], g.bins ), 0 };
	return g;
}

static void add_to_bin( sah_cut_bins* of, double at, uint32_t last, const bvhier_sah_item* i )
{
	uint32_t k = (uint32_t)(int32_t)at;
	k = k < last ? k : last;
	bvhier_sah_grow( of->box + k, i->lower, i->upper );
	of->count[k] += 1;
}

// Sorts faces into bins. Returns the cheapest cut, and the boxes around the faces below and above it.
static hierarchy_sah_cut_cut cut_bins( const bvhier_sah_item* items, uint32_t count, const sah_cut_grid* g,
                                       bvhier_sah_box child[2] )
{
	sah_cut_bins of[3];
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( uint32_t i = 0; i < g->bins; ++i )
		{
			of[axis].box[i] = bvhier_sah_no_box;
			of[axis].count[i] = 0;
		}
	}
	uint32_t last = g->bins - 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvhier_sah_place p = bvhier_sah_place_of( items + i );
		bvbase_double2 xy = ( p.xy - g->lower.xy ) * g->scale.xy;
		bvbase_double2 z = ( p.z - g->lower.z ) * g->scale.z;
		add_to_bin( of + 0, xy[0], last, items + i );
		add_to_bin( of + 1, xy[1], last, items + i );
		add_to_bin( of + 2, z[0], last, items + i );
	}
	hierarchy_sah_cut_cut best = { .cost = INFINITY };
	for ( int axis = 0; axis < 3; ++axis )
	{
		if ( along( &g->scale, axis ) > 0 )
		{
			cheapest( of + axis, g->bins, count, axis, &best );
		}
	}
	if ( best.cost < INFINITY )
	{
		join( of[best.axis].box, best.limit, child + 0 );
		join( of[best.axis].box + best.limit, g->bins - best.limit, child + 1 );
	}
	return best;
}

// Sorts faces to both sides of a cut, each side in the old order. Every face is written to where it belongs
// without asking, since no processor foresees the answers.
static void sort_by_bins( const bvhier_sah_item* from, uint32_t count, const sah_cut_grid* g,
                          const hierarchy_sah_cut_cut* c, bvhier_sah_item* to, bvhier_sah_places child[2] )
{
	bvhier_sah_places sides[2] = { bvhier_sah_no_places, bvhier_sah_no_places };
	uint32_t next[2] = { 0, c->below };
	double lower = along( &g->lower, c->axis );
	double scale = along( &g->scale, c->axis );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvhier_sah_place p = bvhier_sah_place_of( from + i );
		uint32_t k = bvhier_sah_bin( along( &p, c->axis ), lower, scale, g->bins );
		uint32_t side = k >= c->limit;
		to[next[side]++] = from[i];
		bvhier_sah_add_place( sides + side, p );
	}
	child[0] = sides[0];
	child[1] = sides[1];
}

// Sorts a small set along an axis.
static void sort_along( const double* key, uint32_t count, double* sorted, uint8_t* order )
{
	sorted[0] = key[0];
	order[0] = 0;
	for ( uint32_t i = 1; i < count; ++i )
	{
		uint32_t at = i;
		double k = key[i];
		for ( ; at > 0 && sorted[at - 1] > k; --at )
		{
			sorted[at] = sorted[at - 1];
			order[at] = order[at - 1];
		}
		sorted[at] = k;
		order[at] = (uint8_t)i;
	}
}

// A sorted set: the cheapest cut between two places. Returns whether it is cheaper than the best so far.
static bool cheapest_of_few( const bvhier_sah_item* items, uint32_t count, const double* sorted,
                             const uint8_t* order, int axis, hierarchy_sah_cut_cut* best )
{
	double above[bvhier_sah_sweep];
	bvhier_sah_box b = bvhier_sah_no_box;
	for ( uint32_t i = count; i-- > 1; )
	{
		bvhier_sah_grow( &b, items[order[i]].lower, items[order[i]].upper );
		above[i] = ( count - i ) * half_area( &b );
	}
	b = bvhier_sah_no_box;
	bool better = false;
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvhier_sah_grow( &b, items[order[i - 1]].lower, items[order[i - 1]].upper );
		double both = i * half_area( &b ) + above[i];
		if ( both < best->cost && sorted[i - 1] < sorted[i] )
		{
			*best = ( hierarchy_sah_cut_cut ){ both, axis, 0, i };
			better = true;
		}
	}
	return better;
}

// Small sets: every cut between two places.
static hierarchy_sah_cut_cut cut_between_all( const bvhier_sah_item* items, uint32_t count,
                                              bool below[bvhier_sah_sweep] )
{
	double key[3][bvhier_sah_sweep];
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvhier_sah_place p = bvhier_sah_place_of( items + i );
		key[0][i] = p.xy[0];
		key[1][i] = p.xy[1];
		key[2][i] = p.z[0];
	}
	hierarchy_sah_cut_cut best = { .cost = INFINITY };
	uint8_t best_order[bvhier_sah_sweep];
	for ( int axis = 0; axis < 3; ++axis )
	{
		double sorted[bvhier_sah_sweep];
		uint8_t order[bvhier_sah_sweep];
		sort_along( key[axis], count, sorted, order );
		if ( sorted[0] < sorted[count - 1] && cheapest_of_few( items, count, sorted, order, axis, &best ) )
		{
			memcpy( best_order, order, sizeof order );
		}
	}
	for ( uint32_t i = 0; best.cost < INFINITY && i < count; ++i )
	{
		below[best_order[i]] = i < best.below;
	}
	return best;
}

// Two faces: all cuts between them cost the same, so that the first axis that tells them apart has it.
static uint32_t divide_two( const bvhier_sah_item* from, bvhier_sah_item* to, bvhier_sah_halves* out )
{
	bvhier_sah_place a = bvhier_sah_place_of( from );
	bvhier_sah_place b = bvhier_sah_place_of( from + 1 );
	int axis = a.xy[0] != b.xy[0] ? 0 : a.xy[1] != b.xy[1] ? 1 : 2;
	double difference = along( &b, axis ) - along( &a, axis );
	int second = !( difference < 0 );
	to[!second] = from[0];
	to[second] = from[1];
	for ( int i = 0; i < 2; ++i )
	{
		bvhier_sah_place p = i == second ? b : a;
		out->box[i] = ( bvhier_sah_box ){ to[i].lower, to[i].upper };
		out->places[i] = ( bvhier_sah_places ){ p, p };
	}
	return difference != 0;
}

static uint32_t divide_few( const bvhier_sah_item* from, uint32_t count, bvhier_sah_item* to,
                            bvhier_sah_halves* out )
{
	bool below[bvhier_sah_sweep];
	hierarchy_sah_cut_cut c = cut_between_all( from, count, below );
	if ( !( c.cost < INFINITY ) )
	{
		return 0;
	}
	uint32_t next[2] = { 0, c.below };
	for ( int i = 0; i < 2; ++i )
	{
		out->box[i] = bvhier_sah_no_box;
		out->places[i] = bvhier_sah_no_places;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t side = !below[i];
		to[next[side]++] = from[i];
		bvhier_sah_grow( out->box + side, from[i].lower, from[i].upper );
		bvhier_sah_add_place( out->places + side, bvhier_sah_place_of( from + i ) );
	}
	return c.below;
}

uint32_t bvhier_sah_divide( const bvhier_sah_item* from, uint32_t count, const bvhier_sah_places* places,
                            bvhier_sah_item* to, bvhier_sah_halves* out )
{
	if ( count <= bvhier_sah_sweep )
	{
		return count == 2 ? divide_two( from, to, out ) : divide_few( from, count, to, out );
	}
	sah_cut_grid g = grid_of( places, count );
	hierarchy_sah_cut_cut c = cut_bins( from, count, &g, out->box );
	if ( !( c.cost < INFINITY ) )
	{
		return 0;
	}
	sort_by_bins( from, count, &g, &c, to, out->places );
	return c.below;
}
