// Merges small parts, made by a tree of oriented boxes, while they stay nearly convex. According to Kravec, a
// part is nearly convex if the volume of its hull exceeds its own by less than a threshold. Many small parts
// come from a hierarchy of oriented boxes, are sorted by size, and are joined as long as the result is nearly
// convex.
//
// Choices that the text does not specify:
// - The boxes are along principal axes of the hull's surface (Gottschalk et al.). They are cut across the
//   longest axis through their center, as in Kravec's "OBB". Gottschalk's cut through the mean separates legs
//   from a table top less well.
// - The volume of a small part is that of its hull: the method assumes that small parts are convex, and a
//   shape that is not closed has no other volume. Volumes of merged parts add up, so the difference added by
//   a merge is exact. Only the concavity of the small parts themselves, which merging cannot reduce, is not
//   counted.
// - Each step merges the smallest part that has a partner with its best partner. Parts are partners if their
//   boxes are near each other.
// - The threshold for a tolerance follows CoACD (Wei et al. 2022, equation 3): the tolerance is 0.3 times the
//   radius of a ball with the volume of the threshold. While there are more parts than wanted, the threshold
//   is raised.
//
// Sheets have hardly any volume, so all triangles in one plane count as convex.
//
// Based on: Kravec, "Detekcia kolízií", section "Aproximate Convex Decomposition"; S. Gottschalk, M. C. Lin,
// D. Manocha, "OBBTree", 1996.

#include "offline/decompose/decomposers.h"

#include "bvbuild/fit.h"
#include "offline/base/arena.h"
#include "offline/decompose/small_parts.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// Hulls may miss points by so much: by less than elsewhere in the search, since differences of volumes are
// taken.
static const double fine_tolerance = 1e-5;

// What rounding alone makes of a difference of volumes.
static const double least_threshold = 1e-8;

// How much the threshold is raised at least.
static const double growth = 1.25;

// A part with more exact a hull than the search has.
typedef struct parts_obb_tree_body
{
	bv_vec3* corners;
	uint32_t corner_count;
	double volume; // of the part, not of its hull
} parts_obb_tree_body;

static bv_status cut_longest( const bvdecomp_search* s, const bvdecomp_search_part* part, int attempt,
                              bvdecomp_plane* plane )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( s->arena );
	if ( !scratch )
	{
		return bv_error_memory;
	}
	bvb_obb_options options = bvb_obb_options_default();
	options.method = "pca-hull";
	bv_obb box;
	bv_status status = bvb_fit_obb( part->corners, part->corner_count, NULL, &options, scratch, &box );
	bvb_arena_destroy( scratch );
	if ( status != bv_ok )
	{
		return status;
	}
	int order[3] = { 0, 1, 2 };
	for ( int i = 1; i < 3; ++i )
	{
		for ( int k = i; k > 0 && box.half_extents[order[k]] > box.half_extents[order[k - 1]]; --k )
		{
			int swap = order[k];
			order[k] = order[k - 1];
			order[k - 1] = swap;
		}
	}
	plane->normal = box.axis[order[attempt]];
	plane->offset = bv_dot( plane->normal, box.center );
	return bv_ok;
}

static void add_points( const bvdecomp_search* s, const bvdecomp_search_part* part, bvhull_rough* rough )
{
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		for ( uint32_t i = 0; i < piece->point_count; ++i )
		{
			bvhull_rough_add( rough, piece->points[i] );
		}
		bvhull_rough_add_all( rough, piece->inner, piece->inner_count );
	}
}

static void add_corners( const parts_obb_tree_body* b, bvhull_rough* rough )
{
	bvhull_rough_add_all( rough, b->corners, b->corner_count );
}

static bool take_corners( const bvdecomp_search* s, bvhull_rough* rough, parts_obb_tree_body* out )
{
	out->corners = rough->failed ? NULL : bvhull_rough_corners( rough, s->arena, &out->corner_count );
	return out->corners;
}

static bv_status make_bodies( const bvdecomp_search* s, parts_obb_tree_body* bodies )
{
	bvhull_rough* rough = &s->workers[0].half[0];
	for ( uint32_t i = 0; i < s->part_count; ++i )
	{
		bvhull_rough_clear( rough );
		add_points( s, s->parts + i, rough );
		bvhull_rough_hull( rough, fine_tolerance );
		bodies[i].volume = bvhull_rough_volume( rough );
		if ( !take_corners( s, rough, bodies + i ) )
		{
			return bv_error_memory;
		}
	}
	return bv_ok;
}

static void hull_of_both( const parts_obb_tree_body* a, const parts_obb_tree_body* b, bvhull_rough* rough )
{
	bvhull_rough_clear( rough );
	add_corners( a, rough );
	add_corners( b, rough );
	bvhull_rough_hull( rough, fine_tolerance );
}

// How much larger than the two parts their common hull is.
static double measure_excess( const bvdecomp_search* s, bvdecomp_search_worker* w, const void* context,
                              uint32_t a, uint32_t b )
{
	(void)s;
	const parts_obb_tree_body* bodies = context;
	bvhull_rough* rough = &w->half[0];
	hull_of_both( bodies + a, bodies + b, rough );
	w->failed = w->failed || rough->failed;
	return bvhull_rough_volume( rough ) - bodies[a].volume - bodies[b].volume;
}

static bv_status merge( bvdecomp_search* s, parts_obb_tree_body* bodies, bvdecomp_pairs* pairs,
                        bvdecomp_pair pair )
{
	parts_obb_tree_body* a = bodies + pair.a;
	bvhull_rough* rough = &s->workers[0].half[0];
	hull_of_both( a, bodies + pair.b, rough );
	a->volume += bodies[pair.b].volume;
	if ( !take_corners( s, rough, a ) )
	{
		return bv_error_memory;
	}
	bv_status status = bvdecomp_merge_parts( s, pair.a, pair.b );
	return status == bv_ok ? bvdecomp_pairs_merged( s, measure_excess, bodies, pair.a, pair.b, pairs )
	                       : status;
}

// Of the pairs within the threshold the one with the smallest part, and of that part's pairs the best; null
// for none.
static const bvdecomp_pair* choose_pair( const bvdecomp_pairs* pairs, const parts_obb_tree_body* bodies,
                                         double threshold )
{
	const bvdecomp_pair* best = NULL;
	double least = INFINITY;
	for ( uint32_t i = 0; i < pairs->count; ++i )
	{
		const bvdecomp_pair* p = pairs->items + i;
		double size = bvmath_min( bodies[p->a].volume, bodies[p->b].volume );
		if ( p->value <= threshold && ( size < least || ( size == least && p->value < best->value ) ) )
		{
			least = size;
			best = p;
		}
	}
	return best;
}

static double least_value( const bvdecomp_pairs* pairs )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < pairs->count; ++i )
	{
		least = bvmath_min( least, pairs->items[i].value );
	}
	return least;
}

static double threshold_of( double tolerance )
{
	static const double pi = 3.14159265358979323846;
	double radius = tolerance / 0.3;
	return bvmath_max( 4 * pi / 3 * radius * radius * radius, least_threshold );
}

static bv_status merge_all( bvdecomp_search* s, parts_obb_tree_body* bodies )
{
	bvdecomp_pairs pairs;
	bv_status status = bvdecomp_pairs_find( s, measure_excess, bodies, &pairs );
	double threshold = threshold_of( s->tolerance );
	bool raised = false;
	while ( status == bv_ok && s->live > 1 && !( raised && s->live <= s->max_parts ) )
	{
		const bvdecomp_pair* pair = choose_pair( &pairs, bodies, threshold );
		if ( pair )
		{
			status = merge( s, bodies, &pairs, *pair );
		}
		else if ( s->live <= s->max_parts )
		{
			break;
		}
		else
		{
			threshold = bvmath_max( growth * threshold, least_value( &pairs ) );
			raised = true;
		}
	}
	return status;
}

bv_status bvdecomp_parts_obb_tree( bvdecomp_search* s )
{
	bv_status status = bvdecomp_cut_small( s, cut_longest );
	parts_obb_tree_body* bodies = bvb_arena_allocate( s->arena, s->part_count, sizeof *bodies );
	if ( status != bv_ok || !bodies )
	{
		return status != bv_ok ? status : bv_error_memory;
	}
	status = make_bodies( s, bodies );
	return status == bv_ok ? merge_all( s, bodies ) : status;
}
