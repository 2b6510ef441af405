// Best-first refinement of regions. See search.h, and README.md for why the bounds hold.

#include "offline/hausdorff/search.h"

#include "offline/base/arena.h"
#include "offline/hausdorff/choose_cut.h"
#include "offline/hausdorff/combine.h"
#include "offline/hausdorff/crossing.h"
#include "offline/hausdorff/inside.h"
#include "offline/hausdorff/queue.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

struct bvhaus_search
{
	const bvhaus_index* index;
	bvhaus_index_ref root;
	bv_vec3 axis[3];
	bvhaus_goal goal;
	double slack;         // what rounding may hide
	bvhaus_inside inside; // of the shape
	double lower;         // -1 before the first point
	bv_vec3 witness;
	double settled; // largest bound of the regions that need no more work
	uint64_t regions;
	uint32_t new_place; // of the region that is being added
	bvhaus_cut cut;
	bvhaus_cut trim;
	bvhaus_queue queue;
};

bvhaus_search* bvhaus_search_create( bvb_arena* arena )
{
	bvhaus_search* s = bvb_arena_allocate( arena, 1, sizeof *s );
	return s && bvhaus_queue_create( &s->queue, arena ) ? s : NULL;
}

bool bvhaus_search_reserve( bvhaus_search* s )
{
	return bvhaus_queue_reserve( &s->queue );
}

void bvhaus_search_begin( bvhaus_search* s, const bvhaus_index* index, bvhaus_index_ref root,
                          const bv_vec3 axis[3], double size, const bvhaus_goal* goal )
{
	s->index = index;
	s->root = root;
	memcpy( s->axis, axis, sizeof s->axis );
	s->goal = *goal;
	s->slack = 0x1p-45 * size;
	bvhaus_inside_begin( &s->inside, goal->inside, index, root, s->slack, goal->stop, goal->stop_context );
	s->regions = 0;
	bvhaus_search_begin_again( s, goal->reserve );
}

void bvhaus_search_begin_again( bvhaus_search* s, double reserve )
{
	s->goal.reserve = reserve;
	s->lower = -1;
	s->witness = ( bv_vec3 ){ 0, 0, 0 };
	s->settled = 0;
	bvhaus_queue_clear( &s->queue );
}

static bool uses( const bvhaus_search* s, bvhaus_bound bound )
{
	return s->goal.bounds & bound;
}

double bvhaus_search_enough( const bvhaus_search* s )
{
	double lower = bvmath_max( s->lower, 0 );
	double wanted = bvmath_max( lower * ( 1 + s->goal.relative ), lower + s->goal.absolute );
	wanted = bvmath_max( wanted, s->goal.sufficient );
	double enough = bvmath_max( wanted - s->goal.reserve, lower + 8 * s->slack );

	// What could not be cut may have left a bound above that: nothing below it makes the result any better.
	return bvmath_max( enough, s->settled );
}

// What is asked of an open mesh's winding number takes time, too.
static uint64_t regions_of( const bvhaus_search* s )
{
	enum
	{
		edges_of_region = 128,
	};
	return s->regions + s->inside.work / edges_of_region;
}

static bool is_stopped( const bvhaus_search* s )
{
	return s->goal.stop && s->goal.stop( s->goal.stop_context );
}

bool bvhaus_search_is_spent( const bvhaus_search* s )
{
	return ( s->goal.max_regions > 0 && regions_of( s ) >= s->goal.max_regions ) || is_stopped( s );
}

void bvhaus_search_settle( bvhaus_search* s, double bound )
{
	s->settled = bvmath_max( s->settled, bound );
}

static void raise_lower( bvhaus_search* s, bv_vec3 point, double distance )
{
	if ( distance > s->lower )
	{
		// What is far below the upper bound anyway, or hardly better, is not worth the steps.
		double better = s->inside.closed ? s->lower : s->lower * ( 1 + 0.25 * s->goal.relative );
		double least = bvmath_max( better, 0.25 * bvhaus_search_enough( s ) );
		distance = s->goal.inside ? bvhaus_inside_distance( &s->inside, point, distance, least ) : distance;
	}
	if ( distance > s->lower )
	{
		s->lower = distance;
		s->witness = point;
	}
}

static void raise_by_point( bvhaus_search* s, bv_vec3 point )
{
	bvhaus_nearest found = { INFINITY, 0 };
	raise_lower( s, point, bvhaus_index_nearest( s->index, s->root, point, found ).distance );
}

// Tries what one row or two together say. Returns whether that is enough.
static bool is_settled( bvhaus_search* s, bvhaus_region* r )
{
	r->bound = bvmath_min( r->bound, r->single );
	double wanted = bvhaus_search_enough( s );
	int n = r->cell.corner.count;
	if ( r->bound > wanted && r->rows > 1 && uses( s, bvhaus_bound_combined ) &&
	     bvhaus_row_largest( r->upper, n ) <= wanted )
	{
		int second = bvhaus_region_second_row( r );
		r->bound =
			bvmath_min( r->bound, bvhaus_combined_bound( r->row[r->best], r->row[second], n, wanted ) );
	}
	return r->bound <= wanted;
}

static void raise_by_corner( bvhaus_search* s, const bvhaus_region* r, int corner )
{
	if ( r->cell.inside >> corner & 1 )
	{
		raise_lower( s, bvhaus_cell_corner( &r->cell, corner ), r->upper[corner] );
	}
}

// Corners whose nearest triangle is among the rows are exact.
static void raise_by_exact_corners( bvhaus_search* s, bvhaus_region* r )
{
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		if ( r->upper[i] > s->lower && r->exact >> i & 1 )
		{
			raise_by_corner( s, r, i );
		}
	}
}

// The nearest triangle of a point not far from the region's middle, or any that is no farther than the lower
// bound.
static bvhaus_nearest find_nearest( const bvhaus_search* s, const bvhaus_region* r, bv_vec3 point,
                                    bvhaus_nearest found )
{
	bv_vec3 off = bv_sub( point, r->middle );
	double away = sqrt( bv_dot( off, off ) ) + s->slack;
	for ( int i = 0; i < r->cover_count && found.distance > s->lower; ++i )
	{
		const bvhaus_candidate* c = r->cover + i;
		if ( c->distance - c->moved - away < found.distance )
		{
			found = bvhaus_index_within( s->index, c->ref, point, s->lower, found );
		}
	}
	return found;
}

// Finds the nearest triangles of the corners whose bounds are still too large, the largest first: either they
// raise the lower bound, or they bring the upper one down.
static void settle_corners( bvhaus_search* s, bvhaus_region* r )
{
	for ( ;; )
	{
		int at = -1;
		for ( int i = 0; i < r->cell.corner.count; ++i )
		{
			if ( !( r->exact >> i & 1 ) && ( at < 0 || r->upper[i] > r->upper[at] ) )
			{
				at = i;
			}
		}
		if ( at < 0 || r->upper[at] <= bvhaus_search_enough( s ) )
		{
			return;
		}
		bvhaus_nearest found = { r->upper[at], BVHAUS_NO_REF };
		found = find_nearest( s, r, bvhaus_cell_corner( &r->cell, at ), found );
		if ( found.ref != BVHAUS_NO_REF )
		{
			bvhaus_region_add_helper( r, s->index, found.ref );
			r->upper[at] = bvmath_min( r->upper[at], found.distance );
		}
		r->exact |= 1u << at;
		raise_by_corner( s, r, at );
	}
}

// Keeps the cover in ascending order of distance.
static void put_into_cover( bvhaus_region* r, bvhaus_candidate c )
{
	int at = r->cover_count++;
	while ( at > 0 && r->cover[at - 1].distance > c.distance )
	{
		r->cover[at] = r->cover[at - 1];
		at -= 1;
	}
	r->cover[at] = c;
}

// Replaces nodes that are large beside the region by what is below them, and drops what is nowhere nearest.
// Nodes that may bound the region get rows.
static void refine_cover( bvhaus_search* s, bvhaus_region* r )
{
	double limit = r->bound + r->radius + s->slack;
	double wanted = bvhaus_search_enough( s );
	bvhaus_candidate from[bvhaus_most_cover];
	int count = r->cover_count;
	memcpy( from, r->cover, (size_t)count * sizeof *from );
	r->cover_count = 0;
	int room = bvhaus_most_cover - count; // for more than there are
	for ( int i = 0; i < count; ++i )
	{
		bvhaus_candidate c = from[i];
		if ( c.distance - c.moved <= limit && c.distance + c.moved > limit )
		{
			c = ( bvhaus_candidate ){ c.ref, bvhaus_index_distance( s->index, c.ref, r->middle ), 0 };
		}
		if ( c.distance - c.moved > limit )
		{
			room += 1;
			continue;
		}
		const bvhaus_index_node* node = bvhaus_ref_is_triangle( c.ref ) ? NULL : s->index->nodes + c.ref;
		if ( node && uses( s, bvhaus_bound_node ) && c.distance + node->error < wanted )
		{
			bvhaus_region_add_helper( r, s->index, c.ref );
		}
		if ( !node || ( node->error * 2 < r->radius ) ||
		     (int)bvhaus_index_opened( s->index, c.ref )->child_count - 1 > room )
		{
			put_into_cover( r, c );
			continue;
		}
		room += 1;
		for ( uint32_t k = 0; k < node->child_count; ++k )
		{
			bvhaus_index_ref child = s->index->children[node->first_child + k];
			double d = bvhaus_index_distance( s->index, child, r->middle );
			if ( d <= limit )
			{
				put_into_cover( r, ( bvhaus_candidate ){ child, d, 0 } );
				room -= 1;
			}
		}
	}
}

static void choose_cut( const bvhaus_search* s, bvhaus_region* r )
{
	if ( uses( s, bvhaus_bound_bisector ) )
	{
		bvhaus_region_choose_cut( r, s->index, s->axis, bvhaus_search_enough( s ) );
	}
	else
	{
		bvhaus_region_halve( r, s->axis );
	}
}

// Corners of round shapes mostly lie beside them: a point of the shape near the farthest corner is tried
// instead.
static void raise_by_projection( bvhaus_search* s, const bvhaus_region* r )
{
	int worst = 0;
	for ( int i = 1; i < r->cell.corner.count; ++i )
	{
		worst = r->upper[i] > r->upper[worst] ? i : worst;
	}
	if ( r->upper[worst] > s->lower && !( r->exact & r->cell.inside & 1u << worst ) )
	{
		raise_by_point( s, bvhaus_shape_project( r->shape, bvhaus_cell_corner( &r->cell, worst ) ) );
	}
}

// Where no triangle passes through a region all of it may be inside of the shape. Otherwise it is cut along
// the triangle. Returns whether that settles the region.
static bool is_settled_inside( bvhaus_search* s, bvhaus_region* r, bool* has_cut )
{
	bvhaus_crossing c = bvhaus_region_find_crossing( r, s->index, s->axis, s->slack, &r->cut );
	*has_cut = c == bvhaus_crossing_known;

	// Up to what touching may hide.
	double touching = 0x1p-38 * r->radius + s->slack;
	bool is_point = r->radius <= s->slack;
	if ( touching > bvhaus_search_enough( s ) || !( is_point || c == bvhaus_crossing_none ) ||
	     !bvhaus_inside_holds( &s->inside, r ) )
	{
		return false;
	}
	r->bound = bvmath_min( r->bound, touching );
	return true;
}

// Whatever is inside, no point is farther from the triangles than this.
static void bound_by_middle( const bvhaus_search* s, bvhaus_region* r )
{
	bvhaus_nearest found = { INFINITY, 0 };
	found = bvhaus_index_nearest( s->index, s->root, r->middle, found );
	r->bound = bvmath_min( r->bound, found.distance * ( 1 + 0x1p-46 ) + r->radius + s->slack );
}

// Bounds a region. Returns whether it needs more work; then its cut and cover are ready.
static bool examine( bvhaus_search* s, bvhaus_region* r )
{
	s->regions += 1;
	if ( is_settled( s, r ) )
	{
		return false;
	}
	if ( is_stopped( s ) )
	{
		bound_by_middle( s, r );
		return false;
	}
	bool is_deep = false;
	if ( s->goal.inside )
	{
		bvhaus_inside_rest rest = bvhaus_inside_bound( &s->inside, r, bvhaus_search_enough( s ) );
		if ( rest == bvhaus_inside_rest_none || r->bound <= bvhaus_search_enough( s ) )
		{
			return false;
		}
		is_deep = rest == bvhaus_inside_rest_parts;
	}
	if ( !r->complete )
	{
		if ( !is_deep )
		{
			settle_corners( s, r );
		}
		refine_cover( s, r );
	}
	if ( r->shape && !is_deep )
	{
		raise_by_projection( s, r );
	}
	if ( ( !r->complete || r->shape ) && is_settled( s, r ) )
	{
		return false;
	}
	bool has_cut = false;
	if ( s->goal.inside && is_settled_inside( s, r, &has_cut ) )
	{
		return false;
	}
	if ( !has_cut )
	{
		choose_cut( s, r );
	}
	return true;
}

static void settle_or_keep( bvhaus_search* s, uint32_t place )
{
	bvhaus_region* r = bvhaus_queue_region( &s->queue, place );
	if ( !examine( s, r ) || !bvhaus_queue_put( &s->queue, place ) )
	{
		bvhaus_search_settle( s, r->bound );
		bvhaus_queue_give_back( &s->queue, place );
	}
}

// Everything below the root may be nearest.
static void begin_region( bvhaus_search* s, bvhaus_region* r )
{
	r->middle = bvhaus_cell_middle( &r->cell );
	r->radius = bvhaus_cell_radius( &r->cell, r->middle );
	r->bisections = 0;
	r->ball_radius = 0;
	r->near = BVHAUS_NO_REF;
	r->winding = ( bv_interval ){ NAN, NAN };
	r->cover_count = 0;
	r->complete = true;
	r->thinned = false;
	bvhaus_region_forget_rows( r );
	if ( bvhaus_ref_is_triangle( s->root ) )
	{
		bvhaus_region_add_row( r, s->index, s->root );
	}
	else
	{
		const bvhaus_index_node* node = bvhaus_index_opened( s->index, s->root );
		r->complete = node->triangles <= bvhaus_direct_triangles;
		for ( uint32_t i = 0; r->complete && i < node->triangles; ++i )
		{
			bvhaus_region_add_row( r, s->index, ( node->first_triangle + i ) | BVHAUS_REF_TRIANGLE );
		}
		for ( uint32_t i = 0; !r->complete && i < node->child_count; ++i )
		{
			r->cover[r->cover_count++] =
				( bvhaus_candidate ){ s->index->children[node->first_child + i], 0, 0 };
		}
	}
	r->exact = r->complete ? UINT32_MAX : 0;
	raise_by_exact_corners( s, r );
}

// Most parts are settled by one of the rows of the whole, and need not be made then. Finds such rows, -1
// where there is none.
static void find_settling_rows( const bvhaus_search* s, const bvhaus_region* whole, int row[2] )
{
	double wanted = bvhaus_search_enough( s );
	int columns = bvhaus_cell_fresh( &whole->cell ) + s->cut.fresh;
	row[0] = row[1] = -1;
	for ( int k = whole->rows; k-- > 0; )
	{
		uint32_t above = bvhaus_row_above( whole->row[k], columns, wanted );
		row[0] = above & s->cut.corners[0] ? row[0] : k;
		row[1] = above & s->cut.corners[1] ? row[1] : k;
	}
}

static void settle_part( bvhaus_search* s, const double* row, int part )
{
	for ( uint32_t left = s->cut.corners[part]; left != 0; left &= left - 1 )
	{
		bvhaus_search_settle( s, row[__builtin_ctz( left )] );
	}
	s->regions += 1;
}

// Of a new corner that seems to be farther than any point yet: where rows were dropped its nearest triangle
// gets one again.
static double distance_of_fresh( bvhaus_search* s, bvhaus_region* r, int column, double least )
{
	if ( !r->thinned )
	{
		return least;
	}
	bvhaus_nearest found = { least, BVHAUS_NO_REF };
	found = bvhaus_index_within( s->index, s->root, bvhaus_cell_corner( &r->cell, column ), s->lower, found );
	if ( found.ref != BVHAUS_NO_REF && r->rows < bvhaus_most_rows )
	{
		bvhaus_region_add_row( r, s->index, found.ref );
		bvhaus_index_row( s->index, found.ref, &r->cell.corner, bvhaus_cell_fresh( &r->cell ), s->cut.fresh,
		                  r->row[r->rows - 1] );
	}
	return found.distance;
}

// New corners raise the lower bound where all nearest triangles have rows.
static void raise_by_fresh_corners( bvhaus_search* s, bvhaus_region* r )
{
	double least[bvhaus_row];
	int fresh = bvhaus_cell_fresh( &r->cell );
	int count = bvhaus_whole_groups( s->cut.fresh );
	for ( int i = 0; i < count; ++i )
	{
		least[i] = INFINITY;
	}
	for ( int k = 0; k < r->rows; ++k )
	{
		bvhaus_row_lower( r->row[k] + fresh, count, least );
	}
	for ( int i = 0; i < s->cut.fresh; ++i )
	{
		if ( least[i] > s->lower && r->cell.inside >> ( fresh + i ) & 1 )
		{
			double distance = distance_of_fresh( s, r, fresh + i, least[i] );
			raise_lower( s, bvhaus_cell_corner( &r->cell, fresh + i ), distance );
		}
	}
}

// Rows that were dropped are found again where a corner seems to be farther than any point yet. So all
// corners must count.
static bool may_thin( const bvhaus_search* s, const bvhaus_cell* cell )
{
	uint32_t all = bvhaus_cell_all( cell );
	return !s->goal.inside && ( cell->inside & all ) == all;
}

// Makes a part of the region that was cut last. Returns false when nothing that counts is in it.
static bool make_part( bvhaus_search* s, const bvhaus_region* whole, int which, bvhaus_region* part )
{
	uint8_t from[bvhaus_row];
	bvhaus_cell_make_part( &whole->cell, &s->cut, which, from, &part->cell );
	if ( whole->shape && !bvhaus_shape_tighten( whole->shape, &part->cell, &s->trim ) )
	{
		return false;
	}
	if ( !uses( s, bvhaus_bound_inherit ) )
	{
		part->shape = whole->shape;
		part->bound = whole->bound;
		begin_region( s, part );
	}
	else if ( whole->shape )
	{
		bvhaus_region_inherit_candidates( whole, s->index, part );
	}
	else
	{
		bvhaus_region_inherit( whole, from, may_thin( s, &part->cell ), part );
	}
	if ( !part->complete || part->shape )
	{
		raise_by_exact_corners( s, part );
	}
	return true;
}

// Cuts a region where it says. Returns false when that can't be done. Distances within one that is as small
// as rounding are all the same.
static bool cut_region( bvhaus_search* s, uint32_t place, const uint32_t part_place[2] )
{
	bvhaus_region* r = bvhaus_queue_region( &s->queue, place );
	if ( r->radius <= s->slack || !bvhaus_cell_cut( &r->cell, &r->cut, r->radius, &s->cut ) )
	{
		return false;
	}
	for ( int k = 0; k < r->rows; ++k )
	{
		bvhaus_index_row( s->index, r->row_ref[k], &r->cell.corner, bvhaus_cell_fresh( &r->cell ),
		                  s->cut.fresh, r->row[k] );
	}
	if ( r->complete )
	{
		raise_by_fresh_corners( s, r );
	}
	int row[2];
	find_settling_rows( s, r, row );
	for ( int i = 0; i < 2; ++i )
	{
		if ( row[i] >= 0 )
		{
			settle_part( s, r->row[row[i]], i );
		}
		else if ( make_part( s, r, i, bvhaus_queue_region( &s->queue, part_place[i] ) ) )
		{
			settle_or_keep( s, part_place[i] );
			continue;
		}
		bvhaus_queue_give_back( &s->queue, part_place[i] );
	}
	return true;
}

// The box of a cell whose cut failed, halved. Its corners need not count, and what is nearest to some of its
// points need not be known: the box holds more than the cell.
static bool halve_box( bvhaus_search* s, uint32_t place, const uint32_t part_place[2] )
{
	const bvhaus_region* r = bvhaus_queue_region( &s->queue, place );
	bvhaus_extents e = bvhaus_cell_extents( &r->cell, s->axis );
	double half[3];
	bv_vec3 center = { 0, 0, 0 };
	int longest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = 0.5 * ( e.upper[i] - e.lower[i] );
		center = bv_add( center, bv_scale( 0.5 * ( e.lower[i] + e.upper[i] ), s->axis[i] ) );
		longest = half[i] > half[longest] ? i : longest;
	}
	half[longest] *= 0.5;
	if ( !( half[longest] > s->slack ) )
	{
		return false;
	}
	bv_vec3 shift = bv_scale( half[longest], s->axis[longest] );
	for ( int i = 0; i < 2; ++i )
	{
		bvhaus_region* part = bvhaus_queue_region( &s->queue, part_place[i] );
		bvhaus_cell_make_box( i ? bv_add( center, shift ) : bv_sub( center, shift ), s->axis, half,
		                      &part->cell );
		part->cell.inside = 0;
		if ( r->shape && !bvhaus_shape_tighten( r->shape, &part->cell, &s->trim ) )
		{
			bvhaus_queue_give_back( &s->queue, part_place[i] );
			continue;
		}
		part->bound = r->bound;
		part->shape = r->shape;
		begin_region( s, part );
		settle_or_keep( s, part_place[i] );
	}
	return true;
}

// Puts the two parts of a region in its place. Where that can't be done, or there is no memory for them, it
// stays as it is.
static void cut_or_settle( bvhaus_search* s, uint32_t place )
{
	uint32_t part[2] = { bvhaus_queue_take( &s->queue ), bvhaus_queue_take( &s->queue ) };
	bool room = part[0] != BVHAUS_NO_PLACE && part[1] != BVHAUS_NO_PLACE;
	if ( room && ( cut_region( s, place, part ) || halve_box( s, place, part ) ) )
	{
		return;
	}
	bvhaus_search_settle( s, bvhaus_queue_region( &s->queue, place )->bound );
	for ( int i = 0; i < 2; ++i )
	{
		if ( part[i] != BVHAUS_NO_PLACE )
		{
			bvhaus_queue_give_back( &s->queue, part[i] );
		}
	}
}

// Parts the region that comes next.
static void refine( bvhaus_search* s )
{
	uint32_t place = bvhaus_queue_next( &s->queue );
	cut_or_settle( s, place );
	bvhaus_queue_give_back( &s->queue, place );
}

bvhaus_nearest bvhaus_search_try_point( bvhaus_search* s, bv_vec3 point, bvhaus_nearest known, bool is_exact )
{
	s->regions += 1;
	bvhaus_nearest found = bvhaus_index_within( s->index, s->root, point, is_exact ? -1 : s->lower, known );
	raise_lower( s, point, found.distance );
	return found;
}

const bvhaus_framed_triangle* bvhaus_search_triangle( const bvhaus_search* s, bvhaus_index_ref ref )
{
	return bvhaus_ref_triangle( s->index, ref );
}

double bvhaus_search_relative( const bvhaus_search* s )
{
	return s->goal.relative;
}

double bvhaus_search_slack( const bvhaus_search* s )
{
	return s->slack;
}

bool bvhaus_search_skips_inside( const bvhaus_search* s )
{
	return s->goal.inside;
}

bvhaus_nearest bvhaus_search_nearest( const bvhaus_search* s, bv_vec3 point )
{
	return bvhaus_index_nearest( s->index, s->root, point, ( bvhaus_nearest ){ INFINITY, 0 } );
}

// Where memory is short one that waits makes room: its bound holds as it is.
static void settle_next( bvhaus_search* s )
{
	uint32_t place = bvhaus_queue_next( &s->queue );
	bvhaus_search_settle( s, bvhaus_queue_region( &s->queue, place )->bound );
	bvhaus_queue_give_back( &s->queue, place );
}

bvhaus_cell* bvhaus_search_new_cell( bvhaus_search* s )
{
	s->new_place = bvhaus_queue_take( &s->queue );
	while ( s->new_place == BVHAUS_NO_PLACE )
	{
		settle_next( s );
		s->new_place = bvhaus_queue_take( &s->queue );
	}
	return &bvhaus_queue_region( &s->queue, s->new_place )->cell;
}

// Some point of what is measured, before one is known that counts.
static void begin_witness( bvhaus_search* s, const bvhaus_shape* shape, bv_vec3 corner )
{
	s->witness = shape ? bvhaus_shape_project( shape, corner ) : corner;
	if ( shape )
	{
		raise_by_point( s, s->witness );
	}
}

void bvhaus_search_add( bvhaus_search* s, const bvhaus_shape* shape, double bound )
{
	bvhaus_region* r = bvhaus_queue_region( &s->queue, s->new_place );
	if ( shape && !bvhaus_shape_tighten( shape, &r->cell, &s->cut ) )
	{
		bvhaus_queue_give_back( &s->queue, s->new_place );
		return;
	}
	r->bound = bound;
	r->shape = shape;
	if ( s->lower < 0 )
	{
		begin_witness( s, shape, bvhaus_cell_corner( &r->cell, 0 ) );
	}
	begin_region( s, r );
	settle_or_keep( s, s->new_place );
	while ( s->queue.stacked > 0 && !bvhaus_search_is_spent( s ) )
	{
		refine( s );
	}
}

void bvhaus_search_add_sides( bvhaus_search* s, bv_vec3 center, const bv_vec3 axis[3],
                              const double half_extents[3], double bound )
{
	bool solid = half_extents[0] > 0 && half_extents[1] > 0 && half_extents[2] > 0;
	for ( int i = 0; i < ( solid ? 6 : 1 ); ++i )
	{
		double flat[3] = { half_extents[0], half_extents[1], half_extents[2] };
		double away = !solid ? 0 : i & 1 ? flat[i / 2] : -flat[i / 2];
		flat[i / 2] = solid ? 0 : flat[i / 2];
		bv_vec3 middle = bv_add( center, bv_scale( away, axis[i / 2] ) );
		bvhaus_cell_make_box( middle, axis, flat, bvhaus_search_new_cell( s ) );
		bvhaus_search_add( s, NULL, bound );
	}
}

void bvhaus_search_add_triangle( bvhaus_search* s, const bv_vec3 corner[3], double bound,
                                 const bvhaus_index_ref* near, int count, uint32_t exact )
{
	bvhaus_cell_make_polygon( corner, 3, bvhaus_search_new_cell( s ) );
	bvhaus_region* r = bvhaus_queue_region( &s->queue, s->new_place );
	r->bound = bound;
	r->shape = NULL;
	begin_region( s, r );
	for ( int i = 0; i < count && !r->complete; ++i )
	{
		bvhaus_region_add_helper( r, s->index, near[i] );
	}
	r->exact |= exact;
	raise_by_exact_corners( s, r );
	settle_or_keep( s, s->new_place );
}

const bvhaus_index* bvhaus_search_index( const bvhaus_search* s )
{
	return s->index;
}

void bvhaus_search_raise( bvhaus_search* s, bv_vec3 point, double distance )
{
	if ( s->lower < 0 )
	{
		// Some point, before one is known that counts.
		s->witness = point;
	}
	raise_lower( s, point, distance );
}

void bvhaus_search_count( bvhaus_search* s )
{
	s->regions += 1;
}

bool bvhaus_search_refine_above( bvhaus_search* s, double bound )
{
	const bvhaus_queue* q = &s->queue;
	if ( q->ordered + q->stacked == 0 || bvhaus_search_is_spent( s ) ||
	     ( q->stacked == 0 && bvhaus_queue_bound( q ) <= bvmath_max( bound, bvhaus_search_enough( s ) ) ) )
	{
		return false;
	}
	refine( s );
	return true;
}

bvb_hausdorff bvhaus_search_run( bvhaus_search* s )
{
	while ( bvhaus_search_refine_above( s, 0 ) )
	{
	}
	double lower = bvmath_max( s->lower, 0 );
	double upper = bvmath_max( lower, bvmath_max( s->settled, bvhaus_queue_bound( &s->queue ) ) );
	return ( bvb_hausdorff ){
		.lower = bvmath_max( lower * ( 1 - 0x1p-46 ) - s->slack, 0 ),
		.upper = upper * ( 1 + 0x1p-46 ) + s->slack,
		.witness = s->witness,
		.regions = regions_of( s ),
	};
}
