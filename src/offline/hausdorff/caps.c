// Balls, covered by balls round points of triangles. See caps.h.
//
// The duality of nearest points and planes is that of Voronoi diagrams and polyhedra (Brown 1979, "Voronoi
// diagrams from convex hulls"), the way of looking for what is not covered yet the method of cutting planes
// (Kelley 1960).

#include "offline/hausdorff/caps.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_known = 64,   // points of triangles that are tried again
	most_ascents = 3,  // of the lower bound, before anything is cut
	most_corners = 20, // of a cell, so that it can still be halved
	most_cuts = 32,    // of a cell, before it is halved
	most_waiting = 24,
	most_cells = 256,
};

// Of the radius.
static const double least_cap = 0.25;

static const bv_vec3 world[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

// A point of a triangle, from the ball's center.
typedef struct caps_foot
{
	bv_vec3 point;
	double square; // of its length
	bvhaus_index_ref ref;
} caps_foot;

typedef struct coverer
{
	bvhaus_search* search;
	const bvhaus_shape* ball;
	double bound;  // no point of the ball is farther
	double margin; // more than cuts round
	caps_foot known[most_known];
	int known_count;
	bvhaus_cell cell[2]; // that is being cut, and room for what is left of it
	int current;         // of the two
	bvhaus_cell waiting[most_waiting];
	int waiting_count;
	bvhaus_cut cut;
} coverer;

// What became of a cell.
typedef enum caps_outcome
{
	outcome_smaller,
	outcome_whole, // the cut missed it
	outcome_gone,  // nothing is left that is not covered
	outcome_stuck, // it must be halved
} caps_outcome;

static caps_foot remember( coverer* c, bv_vec3 point, bvhaus_index_ref ref )
{
	caps_foot f = { bv_sub( point, c->ball->center ), 0, ref };
	f.square = bv_dot( f.point, f.point );
	c->known[c->known_count++ % most_known] = f;
	return f;
}

// At most the squared distance of a point of the ball from a foot; exact on a sphere of that squared radius.
static double square_from( const caps_foot* f, bv_vec3 x, double square )
{
	return square + ( f->square - 2 * bv_dot( x, f->point ) );
}

// The known foot nearest to points in one direction; null when there is none.
static const caps_foot* nearest_known( const coverer* c, bv_vec3 x )
{
	const caps_foot* best = NULL;
	double least = INFINITY;
	for ( int i = 0; i < c->known_count && i < most_known; ++i )
	{
		double here = square_from( c->known + i, x, 0 );
		best = here < least ? c->known + i : best;
		least = bvmath_min( least, here );
	}
	return best;
}

// The nearest triangle of a point that counts, which may raise the lower bound. Where it does not, any that
// is no farther than the lower bound will mostly do.
static bvhaus_nearest try_point( const coverer* c, bv_vec3 x, const caps_foot* known, bool is_exact )
{
	bvhaus_nearest near = { INFINITY, 0 };
	if ( known )
	{
		near = ( bvhaus_nearest ){ bvmath_length( bv_sub( x, known->point ) ), known->ref };
	}
	return bvhaus_search_try_point( c->search, bv_add( c->ball->center, x ), near, is_exact );
}

static caps_foot foot_on( coverer* c, bv_vec3 x, bvhaus_index_ref ref )
{
	bv_vec3 point = bv_add( c->ball->center, x );
	return remember( c, bvhaus_nearest_on_triangle( bvhaus_search_triangle( c->search, ref ), point ), ref );
}

static bvhaus_cell* cell_of( coverer* c )
{
	return c->cell + c->current;
}

static caps_outcome keep_below( coverer* c, const bvhaus_plane* plane )
{
	bvhaus_cell* cell = cell_of( c );
	if ( bvhaus_cell_cut( cell, plane, c->ball->radius, &c->cut ) )
	{
		uint8_t from[bvhaus_row];
		bvhaus_cell_make_part( cell, &c->cut, 0, from, c->cell + 1 - c->current );
		c->current = 1 - c->current;
		return outcome_smaller;
	}
	return c->cut.corners[1] == bvhaus_cell_all( cell )   ? outcome_gone
	       : c->cut.corners[0] == bvhaus_cell_all( cell ) ? outcome_whole
	                                                      : outcome_stuck;
}

// Cuts off what the foot's cap covers, if a corner goes with it.
static caps_outcome cut_cap( coverer* c, bv_vec3 corner, const caps_foot* f, double square, double wanted )
{
	double far = sqrt( f->square );
	double over = f->square + ( square - wanted * wanted );
	if ( !( far > 0 ) )
	{
		return over <= 0 ? outcome_gone : outcome_whole;
	}
	bv_vec3 normal = bv_scale( 1 / far, f->point );
	double offset = over / ( 2 * far ) + c->margin + 0x1p-48 * square / far;
	if ( bv_dot( normal, corner ) <= offset + 2 * c->margin )
	{
		return outcome_whole;
	}
	bvhaus_plane plane = { normal, bv_dot( normal, c->ball->center ) + offset };
	return keep_below( c, &plane );
}

// Cuts off a corner outside of the ball, where that is not next to nothing.
static caps_outcome cut_tangent( coverer* c, bv_vec3 corner, double far )
{
	double r = c->ball->radius;
	if ( far < r * ( 1 + 0x1p-10 ) )
	{
		return outcome_stuck;
	}
	bv_vec3 normal = bv_scale( 1 / far, corner );
	bvhaus_plane plane = { normal, bv_dot( normal, c->ball->center ) + r + c->margin };
	return keep_below( c, &plane );
}

// From the center.
static bv_vec3 outermost_corner( const bvhaus_cell* cell, bv_vec3 center )
{
	bv_vec3 out = { 0, 0, 0 };
	double most = -1;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		bv_vec3 v = bv_sub( bvhaus_cell_corner( cell, i ), center );
		double square = bv_dot( v, v );
		out = square > most ? v : out;
		most = bvmath_max( most, square );
	}
	return out;
}

// Cuts off the outermost corner of a cell, with the cap of a foot that is known or is found for it.
static caps_outcome cut_corner( coverer* c )
{
	double r = c->ball->radius;
	bv_vec3 v = outermost_corner( cell_of( c ), c->ball->center );
	double far = bvmath_length( v );
	bool inside = far < r - c->margin;
	if ( inside && c->ball->hollow )
	{
		return outcome_gone;
	}
	double square = inside ? ( far + c->margin ) * ( far + c->margin ) : r * r;
	bv_vec3 x = far > r || c->ball->hollow ? bv_scale( r / far, v ) : v;
	double wanted = bvhaus_search_enough( c->search );
	const caps_foot* known = nearest_known( c, x );
	bool is_covered = known && square_from( known, x, square ) <= wanted * wanted;
	if ( is_covered )
	{
		caps_outcome o = cut_cap( c, v, known, square, wanted );
		o = o == outcome_whole ? cut_tangent( c, v, far ) : o;
		if ( o == outcome_smaller || o == outcome_gone )
		{
			return o;
		}
	}
	bvhaus_nearest near = try_point( c, x, known, is_covered );
	caps_foot f = foot_on( c, x, near.ref );
	caps_outcome o = cut_cap( c, v, &f, square, bvhaus_search_enough( c->search ) );
	return o == outcome_whole ? cut_tangent( c, v, far ) : o;
}

static caps_outcome cover( coverer* c, const bvhaus_cell* cell )
{
	caps_outcome o = outcome_smaller;
	c->cell[c->current] = *cell;
	for ( int cuts = 0; o == outcome_smaller; ++cuts )
	{
		bool stop = cuts == most_cuts || cell_of( c )->corner.count > most_corners ||
		            bvhaus_search_is_spent( c->search );
		o = stop ? outcome_stuck : cut_corner( c );
	}
	return o;
}

// Whether a triangle alone says that all of a cell is near enough, as it does of flat parts.
static bool is_within( const coverer* c, const bvhaus_cell* cell )
{
	double row[bvhaus_row];
	bvhaus_nearest near = bvhaus_search_nearest( c->search, bvhaus_cell_middle( cell ) );
	bvhaus_triangle_row( bvhaus_search_triangle( c->search, near.ref ), &cell->corner, 0, cell->corner.count,
	                     row );
	return bvhaus_row_largest( row, cell->corner.count ) <= bvhaus_search_enough( c->search );
}

// Both halves wait.
static bool halve( coverer* c )
{
	bvhaus_cell* cell = cell_of( c );
	bvhaus_extents e = bvhaus_cell_extents( cell, world );
	int longest = 0;
	for ( int i = 1; i < 3; ++i )
	{
		longest = e.upper[i] - e.lower[i] > e.upper[longest] - e.lower[longest] ? i : longest;
	}
	bvhaus_plane plane = { world[longest], 0.5 * ( e.lower[longest] + e.upper[longest] ) };
	if ( c->waiting_count + 2 > most_waiting || !bvhaus_cell_cut( cell, &plane, c->ball->radius, &c->cut ) )
	{
		return false;
	}
	for ( int i = 0; i < 2; ++i )
	{
		uint8_t from[bvhaus_row];
		bvhaus_cell_make_part( cell, &c->cut, i, from, &c->waiting[c->waiting_count++] );
	}
	return true;
}

static void add_region( coverer* c, const bvhaus_cell* cell )
{
	*bvhaus_search_new_cell( c->search ) = *cell;
	bvhaus_search_add( c->search, c->ball, c->bound );
}

static void settle( coverer* c )
{
	bvhaus_search_settle( c->search, bvmath_min( c->bound, bvhaus_search_enough( c->search ) ) );
}

// What was cut off before is within what is enough now; regions know nothing of it.
static void leave_to_regions( coverer* c, const bvhaus_cell* cell )
{
	settle( c );
	add_region( c, cell );
}

// Small caps are many, and triangles wider than they are then say more than points of them.
static bool is_worth_it( const coverer* c )
{
	return bvhaus_search_enough( c->search ) > least_cap * c->ball->radius;
}

// What can't be covered with little work becomes regions; where that would be nearly all, returns false
// instead.
// @param whole  holds what counts of the ball
static bool cover_all( coverer* c, const bvhaus_cell* whole )
{
	if ( bvhaus_search_skips_inside( c->search ) )
	{
		return false;
	}
	if ( cover( c, whole ) == outcome_gone )
	{
		settle( c );
		return true;
	}
	if ( !is_worth_it( c ) || !halve( c ) )
	{
		return false;
	}
	for ( int cells = 0; c->waiting_count > 0; ++cells )
	{
		const bvhaus_cell* cell = &c->waiting[--c->waiting_count];
		bool more = cells < most_cells && !bvhaus_search_is_spent( c->search );
		if ( !more )
		{
			leave_to_regions( c, cell );
		}
		else if ( is_within( c, cell ) || cover( c, cell ) == outcome_gone )
		{
			settle( c );
		}
		else if ( bvhaus_search_is_spent( c->search ) || !halve( c ) )
		{
			leave_to_regions( c, cell_of( c ) );
		}
	}
	return true;
}

// The fewer corners, the fewer points are tried.
static void make_tetrahedron( bv_vec3 center, double inradius, bvhaus_cell* out )
{
	double at = inradius * sqrt( 3 ) * ( 1 + 0x1p-40 );
	out->corner.count = 4;
	out->inside = 0;
	out->dimension = 3;
	for ( uint32_t i = 0; i < 4; ++i )
	{
		out->corner.x[i] = center.x + ( i == 0 || i == 1 ? at : -at );
		out->corner.y[i] = center.y + ( i == 0 || i == 2 ? at : -at );
		out->corner.z[i] = center.z + ( i == 0 || i == 3 ? at : -at );
		out->sides[i] = 15 ^ 1u << i;
	}
}

static void begin( coverer* c, bvhaus_search* s, const bvhaus_shape* ball )
{
	c->search = s;
	c->ball = ball;
	c->bound = INFINITY;
	c->margin = 2 * bvhaus_search_slack( s );
	c->known_count = c->waiting_count = c->current = 0;
}

// Of all weighted means of the bounds of a mean of feet and of one more, the least one: the share of the
// latter for which square + 2 r |point| is least, a convex function along the way between the two.
static void mix( double r, const caps_foot* more, caps_foot* mean )
{
	bv_vec3 way = bv_sub( more->point, mean->point );
	double l = bvmath_length( way );
	if ( !( l > 0 ) )
	{
		return;
	}
	double along = bv_dot( mean->point, way ) / l;
	double across = sqrt( bvmath_max( mean->square - along * along, 0 ) );
	double slope = ( mean->square - more->square ) / ( 2 * r * l );
	double at = slope > 0 ? l : 0;
	if ( fabs( slope ) < 1 )
	{
		at = slope * across / sqrt( 1 - slope * slope ) - along;
	}
	double share = bvmath_max( 0, bvmath_min( at / l, 1 ) );
	mean->point = bv_add( mean->point, bv_scale( share, way ) );
	mean->square = ( 1 - share ) * mean->square + share * more->square;
}

// The point of the ball that is farthest from a foot is the one opposite to it; so it is for the mean of
// several. Goes from there to the foot of that point, and so on. Returns whether that is all that needs to be
// done: where the center is outside of the triangles' hull it often is.
static bool ascend( coverer* c )
{
	double r = c->ball->radius;
	bvhaus_nearest near = bvhaus_search_nearest( c->search, c->ball->center );
	const bvhaus_framed_triangle* t = bvhaus_search_triangle( c->search, near.ref );
	caps_foot mean = remember( c, bvhaus_nearest_on_triangle( t, c->ball->center ), near.ref );
	double e = sqrt( mean.square );
	c->bound = near.distance + r;
	if ( e < 0x1p-30 * r )
	{
		bv_vec3 up = bv_scale( r, bv_cross( t->u, t->v ) );
		try_point( c, up, NULL, false );
		try_point( c, bv_negate( up ), NULL, false );
		return c->bound <= bvhaus_search_enough( c->search );
	}
	for ( int i = 0; i < most_ascents && ( i == 0 || e > 0x1p-6 * r ); ++i )
	{
		bv_vec3 x = bv_scale( -r / e, mean.point );
		bvhaus_nearest far = try_point( c, x, nearest_known( c, x ), true );
		if ( c->bound <= bvhaus_search_enough( c->search ) )
		{
			return true;
		}
		caps_foot f = foot_on( c, x, far.ref );
		mix( r, &f, &mean );
		e = bvmath_length( mean.point );
		c->bound = bvmath_min( c->bound, sqrt( r * r + mean.square + 2 * r * e ) );
		if ( c->bound <= bvhaus_search_enough( c->search ) )
		{
			return true;
		}
	}
	return false;
}

void bvhaus_search_add_ball( bvhaus_search* s, const bvhaus_shape* ball )
{
	coverer c;
	begin( &c, s, ball );
	if ( !bvhaus_search_skips_inside( s ) && ascend( &c ) )
	{
		bvhaus_search_settle( s, c.bound );
		return;
	}
	double r = ball->radius;
	bvhaus_cell whole;
	make_tetrahedron( ball->center, r, &whole );
	if ( !cover_all( &c, &whole ) )
	{
		bvhaus_cell_make_box( ball->center, world, ( double[3] ){ r, r, r }, &whole );
		add_region( &c, &whole );
	}
}

void bvhaus_search_add_part_of_ball( bvhaus_search* s, const bvhaus_shape* ball, const bvhaus_cell* cell )
{
	coverer c;
	begin( &c, s, ball );
	if ( !cover_all( &c, cell ) )
	{
		add_region( &c, cell );
	}
}
