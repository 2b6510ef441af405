// The lower bound: all translations up to a length are covered by balls of translations that do not separate.
//
// A cube around 0 is divided into eight again and again, until each cube is in one ball (climb.c) or zonotope (boxes.c), is farther away than the
// bound that is needed, or is too small. The nearest cubes come first. The nearest cube that remains is the bound. A cube with
// a translation in its middle that separates improves the upper bound instead, which also leads out of local minima.

#include "runtime/depth/query.h"

#include "runtime/math/vec.h"

enum
{
	most_levels = 24,
};

// The root's cube has the coordinates 0.
static bv_vec3 middle_of( const bvdepth_query* q, const bvdepth_cell* cell )
{
	double side = q->half * ( 1.0 / ( UINT32_C( 1 ) << cell->level ) );
	double from = 1.0 - (double)( UINT32_C( 1 ) << cell->level );
	return ( bv_vec3 ){ side * ( 2.0 * cell->at[0] + from ), side * ( 2.0 * cell->at[1] + from ),
		                side * ( 2.0 * cell->at[2] + from ) };
}

static double half_of( const bvdepth_query* q, const bvdepth_cell* cell )
{
	return q->half * ( 1.0 / ( UINT32_C( 1 ) << cell->level ) );
}

static double nearest_of( const bvdepth_query* q, const bvdepth_cell* cell )
{
	bv_vec3 m = middle_of( q, cell );
	double half = half_of( q, cell );
	bv_vec3 d = { bvmath_max( fabs( m.x ) - half, 0 ), bvmath_max( fabs( m.y ) - half, 0 ),
		          bvmath_max( fabs( m.z ) - half, 0 ) };
	return bvmath_length( d ) * ( 1 - 0x1p-48 );
}

// A ball covers a cube if it covers the corner farthest from its center.
static bool covers( const bvdepth_cover* c, bv_vec3 middle, double half )
{
	bv_vec3 d = bv_sub( c->center, middle );
	bv_vec3 far = { fabs( d.x ) + half, fabs( d.y ) + half, fabs( d.z ) + half };
	return bvmath_length_up( far ) * ( 1 + 0x1p-48 ) <= c->radius;
}

static bool comes_first( const bvdepth_cell* a, const bvdepth_cell* b )
{
	return a->order < b->order || ( a->order == b->order && a->level > b->level );
}

static void swap( bvdepth_cell* a, bvdepth_cell* b )
{
	bvdepth_cell c = *a;
	*a = *b;
	*b = c;
}

static void drop( bvdepth_query* q, double order )
{
	q->dropped = bvmath_min( q->dropped, order );
}

static void push_cell( bvdepth_query* q, bvdepth_cell cell )
{
	cell.order = nearest_of( q, &cell );
	if ( cell.order >= bvdepth_needed( q ) || q->cell_count == q->cell_capacity )
	{
		drop( q, cell.order );
		return;
	}
	uint32_t i = q->cell_count++;
	q->cells[i] = cell;
	for ( ; i > 0 && comes_first( q->cells + i, q->cells + ( i - 1 ) / 2 ); i = ( i - 1 ) / 2 )
	{
		swap( q->cells + i, q->cells + ( i - 1 ) / 2 );
	}
}

static bvdepth_cell pop_cell( bvdepth_query* q )
{
	bvdepth_cell first = q->cells[0];
	q->cells[0] = q->cells[--q->cell_count];
	for ( uint32_t i = 0;; )
	{
		uint32_t k = 2 * i + 1;
		if ( k >= q->cell_count )
		{
			break;
		}
		k += k + 1 < q->cell_count && comes_first( q->cells + k + 1, q->cells + k );
		if ( !comes_first( q->cells + k, q->cells + i ) )
		{
			break;
		}
		swap( q->cells + i, q->cells + k );
		i = k;
	}
	return first;
}

void bvdepth_keep( bvdepth_query* q, const bvdepth_cover* cover )
{
	double lower = cover->radius - bvmath_length_up( cover->center );
	q->best.lower = bvmath_max( q->best.lower, lower );
	q->covers[q->cover_next] = *cover;
	q->cover_next = ( q->cover_next + 1 ) % q->cover_capacity;
	q->cover_count += q->cover_count < q->cover_capacity;
}

// @return the ball that reaches farthest beyond a translation, or comes nearest to it; null for none
static const bvdepth_cover* best_cover( const bvdepth_query* q, bv_vec3 at )
{
	const bvdepth_cover* best = NULL;
	double most = -INFINITY;
	for ( uint32_t i = 0; i < q->cover_count; ++i )
	{
		const bvdepth_cover* c = q->covers + i;
		double reach = c->radius - bvmath_length( bv_sub( at, c->center ) );
		if ( reach > most )
		{
			most = reach;
			best = c;
		}
	}
	return best;
}

static bool is_covered( const bvdepth_query* q, bv_vec3 middle, double half )
{
	if ( bvdepth_is_in_zonotope( q, middle, half ) )
	{
		return true;
	}
	for ( uint32_t i = q->cover_count; i > 0; --i )
	{
		if ( covers( q->covers + i - 1, middle, half ) )
		{
			return true;
		}
	}
	return false;
}

// A point that both balls contain after the translation, if there is one.
static bv_vec3 begin_of( const bvdepth_query* q, const bvdepth_cover* c, bv_vec3 by )
{
	bv_vec3 b = bvdepth_from_own( q, 1, by, c->point[1] );
	double sum = c->inside[0] + c->inside[1];
	return bv_add( c->point[0], bv_scale( sum > 0 ? c->inside[0] / sum : 0, bv_sub( b, c->point[0] ) ) );
}

// @return whether the cube is covered
static bool examine( bvdepth_query* q, bv_vec3 middle, double half )
{
	bvdepth_cover found;
	double enough = 1.75 * half;
	const bvdepth_cover* begin = best_cover( q, middle );
	double reach = 0;
	q->best.translations += 1;
	if ( begin && bvdepth_climb( q, middle, begin_of( q, begin, middle ), enough, &found ) )
	{
		bvdepth_keep( q, &found );
		// The first one is as soon as balls turn out to be too small; later ones are rarer and rarer.
		if ( q->best.translations >= UINT32_C( 4 ) << 2 * q->zonotope_count )
		{
			bvdepth_grow_boxes( q, &found );
		}
		reach = found.radius - bvmath_length( bv_sub( middle, found.center ) );
		if ( covers( &found, middle, half ) || bvdepth_is_in_zonotope( q, middle, half ) )
		{
			return true;
		}
	}
	if ( reach > 0.1 * half || bvdepth_is_over( q ) )
	{
		return false;
	}
	bvdepth_verdict verdict = bvdepth_judge( q, middle );
	if ( verdict == bvdepth_apart && bvdepth_accept( q, middle ) )
	{
		q->candidate = middle;
		q->has_candidate = true;
		return false;
	}
	bool is_found = false;
	if ( verdict == bvdepth_inside )
	{
		is_found = bvdepth_climb( q, middle, q->shared, enough, &found );
	}
	else if ( verdict == bvdepth_meet && q->pair[0] != UINT32_MAX )
	{
		uint32_t pair[2] = { q->pair[0], q->pair[1] };
		is_found = bvdepth_climb_from_pair( q, middle, pair, enough, &found );
	}
	if ( is_found )
	{
		bvdepth_keep( q, &found );
		return covers( &found, middle, half );
	}
	return false;
}

static void divide( bvdepth_query* q, const bvdepth_cell* cell )
{
	for ( uint32_t i = 0; i < 8; ++i )
	{
		bvdepth_cell child = { .level = cell->level + 1 };
		for ( int k = 0; k < 3; ++k )
		{
			child.at[k] = 2 * cell->at[k] + ( i >> k & 1 );
		}
		push_cell( q, child );
	}
}

void bvdepth_begin_search( bvdepth_query* q )
{
	q->half = bvdepth_needed( q );
	q->dropped = q->half;
	q->cell_count = 0;
	push_cell( q, ( bvdepth_cell ){ .level = 0 } );
}

bool bvdepth_search( bvdepth_query* q )
{
	double thick =
		q->solid[0].thickness + q->solid[1].thickness * q->placed.scale * ( 1 + 4 * q->placed.skew );
	q->has_candidate = false;
	while ( q->cell_count > 0 && !q->has_candidate && !bvdepth_is_reached( q ) )
	{
		bvdepth_cell cell = pop_cell( q );
		if ( cell.order >= bvdepth_needed( q ) )
		{
			drop( q, cell.order );
			continue;
		}
		// What was given up is nearer than all that remains: it cannot get better.
		if ( cell.order >= q->dropped || bvdepth_is_over( q ) ||
		     q->best.translations >= q->options.most_translations || cell.level == most_levels )
		{
			drop( q, cell.order );
			break;
		}
		bv_vec3 middle = middle_of( q, &cell );
		double half = half_of( q, &cell );
		if ( is_covered( q, middle, half ) || ( half < thick && examine( q, middle, half ) ) )
		{
			continue;
		}
		divide( q, &cell );
	}
	double order = q->cell_count > 0 ? bvmath_min( q->cells[0].order, q->dropped ) : q->dropped;
	q->best.lower = bvmath_max( q->best.lower, order );
	return q->has_candidate;
}
