// Merges small parts if the box around both has hardly more volume than their two boxes. Huotari's volume
// method groups triangles, fits a box to each group, and merges two groups if the volume of the box around
// both is close to the sum of their volumes, until the wanted number remains. Boxes are axis-aligned during
// merging, and oriented boxes are fitted at the end.
//
// Choices that the thesis does not specify:
// - The initial groups are the parts made by planes across the longest sides of axis-aligned boxes. Triangles
//   are cut, and the interior of a shape is grouped, too.
// - The closest pair is the one whose common box exceeds the sum by the smallest volume. Boxes are enlarged
//   slightly, so that flat ones have a volume.
// - Once the wanted number is reached, merging continues as long as the parts' hulls stay within the
//   tolerance.
//
// The final hull of each part lies in its oriented box.
//
// Based on: Huotari, "Törmäyksen tunnistus 3D-ympäristössä", 2011, section 7.3.

#include "offline/decompose/decomposers.h"

#include "offline/decompose/small_parts.h"
#include "runtime/math/vec.h"

#include <math.h>

// What boxes count as larger on each side.
static const double margin = 5e-4;

static bv_status cut_longest_side( const bvdecomp_search* s, const bvdecomp_search_part* part, int attempt,
                                   bvdecomp_plane* plane )
{
	(void)s;
	bv_vec3 size = bv_sub( part->high, part->low );
	int order[3] = { 0, 1, 2 };
	for ( int i = 1; i < 3; ++i )
	{
		for ( int k = i; k > 0 && bvmath_component( size, order[k] ) > bvmath_component( size, order[k - 1] );
		      --k )
		{
			int swap = order[k];
			order[k] = order[k - 1];
			order[k - 1] = swap;
		}
	}
	int axis = order[attempt];
	plane->normal = ( bv_vec3 ){ axis == 0, axis == 1, axis == 2 };
	plane->offset = bv_dot( plane->normal, bv_scale( 0.5, bv_add( part->low, part->high ) ) );
	return bv_ok;
}

static double box_volume( bv_vec3 low, bv_vec3 high )
{
	bv_vec3 size = bv_sub( high, low );
	return ( size.x + 2 * margin ) * ( size.y + 2 * margin ) * ( size.z + 2 * margin );
}

static double measure_boxes( const bvdecomp_search* s, bvdecomp_search_worker* w, const void* context,
                             uint32_t a, uint32_t b )
{
	(void)w;
	(void)context;
	const bvdecomp_search_part* p = s->parts + a;
	const bvdecomp_search_part* q = s->parts + b;
	double both = box_volume( bvmath_least( p->low, q->low ), bvmath_greatest( p->high, q->high ) );
	double sum = box_volume( p->low, p->high ) + box_volume( q->low, q->high );
	return both - sum;
}

static bvdecomp_pair* closest_pair( const bvdecomp_pairs* pairs )
{
	bvdecomp_pair* best = NULL;
	for ( uint32_t i = 0; i < pairs->count; ++i )
	{
		bvdecomp_pair* p = pairs->items + i;
		best = p->value < INFINITY && ( !best || p->value < best->value ) ? p : best;
	}
	return best;
}

static bool stays_within( bvdecomp_search* s, const bvdecomp_pair* pair )
{
	bvdecomp_cost cost = bvdecomp_try_merge( s, s->workers, pair->a, pair->b );
	++s->steps;
	return cost.farthest <= s->tolerance;
}

bv_status bvdecomp_parts_box_merge( bvdecomp_search* s )
{
	bvdecomp_pairs pairs;
	bv_status status = bvdecomp_cut_small( s, cut_longest_side );
	status = status == bv_ok ? bvdecomp_pairs_find( s, measure_boxes, NULL, &pairs ) : status;
	while ( status == bv_ok && s->live > 1 )
	{
		bvdecomp_pair* pair = closest_pair( &pairs );
		if ( !pair )
		{
			break;
		}
		if ( s->live <= s->max_parts && !stays_within( s, pair ) )
		{
			pair->value = INFINITY;
			continue;
		}
		bvdecomp_pair merged = *pair;
		status = bvdecomp_merge_parts( s, merged.a, merged.b );
		status = status == bv_ok ? bvdecomp_pairs_merged( s, measure_boxes, NULL, merged.a, merged.b, &pairs )
		                         : status;
	}
	return status != bv_ok ? status : s->workers[0].failed ? bv_error_memory : bv_ok;
}
