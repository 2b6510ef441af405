// Which contacts are kept. See manifold.h.
//
// The largest quadrilateral with a given corner is made of a diagonal from there and the points farthest from it on either
// side. All diagonals from all deepest points are tried.
//
// Nothing depends on the order of the shapes or on where they are: of candidates that are equal to rounding the first
// one counts, in an order that the identities of the points decide.

#include "runtime/convex/manifold.h"

// Areas and lengths whose ratio is nearer to 1 are equal.
static const double ratio_of_equals = 1 + 0x1p-26;

// Points are as deep as the deepest if they are within this part of the size of the features: half of what bv/contact.h says.
static const double deep_enough = 5e-7;

// The order of contacts and of candidates, which exchanging the shapes does not change. Two contacts with the same numbers of
// features, the one for a and b, the other for b and a, are ordered by their depth and by the distance from the middle.
static bool comes_before( const bvconvex_touches* t, const double middle[2], const bvconvex_touch* a,
                          const bvconvex_touch* b )
{
	const uint32_t* first = a->feature;
	const uint32_t* second = b->feature;
	uint32_t low[2] = { first[0] < first[1] ? first[0] : first[1],
		                second[0] < second[1] ? second[0] : second[1] };
	uint32_t high[2] = { first[0] ^ first[1] ^ low[0], second[0] ^ second[1] ^ low[1] };
	if ( low[0] != low[1] || high[0] != high[1] )
	{
		return low[0] != low[1] ? low[0] < low[1] : high[0] < high[1];
	}
	if ( fabs( a->separation - b->separation ) > t->equal )
	{
		return a->separation < b->separation;
	}
	double from[2] = { a->x - middle[0], a->y - middle[1] };
	double to[2] = { b->x - middle[0], b->y - middle[1] };
	double difference = sqrt( from[0] * from[0] + from[1] * from[1] ) - sqrt( to[0] * to[0] + to[1] * to[1] );
	return fabs( difference ) > t->equal ? difference < 0 : first[0] < second[0];
}

static void sort( bvconvex_touches* t )
{
	double middle[2] = { 0, 0 };
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		middle[0] += t->at[i].x / t->count;
		middle[1] += t->at[i].y / t->count;
	}
	for ( uint32_t i = 1; i < t->count; ++i )
	{
		bvconvex_touch moved = t->at[i];
		uint32_t k = i;
		for ( ; k > 0 && comes_before( t, middle, &moved, t->at + k - 1 ); --k )
		{
			t->at[k] = t->at[k - 1];
		}
		t->at[k] = moved;
	}
}

static double least_separation( const bvconvex_touches* t )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		least = bvmath_min( least, t->at[i].separation );
	}
	return least;
}

static void drop_above( bvconvex_touches* t, double most )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		if ( t->at[i].separation <= most )
		{
			t->at[count++] = t->at[i];
		}
	}
	t->count = count;
}

// Of points next to each other the deepest remains, or the first one. Where the end of a side and the point where it crosses
// another one are, is known only as well as the normal.
static void merge( bvconvex_touches* t, double near )
{
	for ( uint32_t i = 1; i < t->count; )
	{
		uint32_t k = 0;
		while ( k < i && !( fabs( t->at[i].x - t->at[k].x ) + fabs( t->at[i].y - t->at[k].y ) <= near ) )
		{
			++k;
		}
		if ( k < i )
		{
			bool is_deeper = t->at[i].separation < t->at[k].separation - t->equal;
			t->at[k] = is_deeper ? t->at[i] : t->at[k];
			t->at[i] = t->at[--t->count];
		}
		else
		{
			++i;
		}
	}
}

// Twice the area of a triangle, negative if it is clockwise.
static double area_of( const bvconvex_touch* a, const bvconvex_touch* b, const bvconvex_touch* c )
{
	return ( b->x - a->x ) * ( c->y - a->y ) - ( c->x - a->x ) * ( b->y - a->y );
}

typedef struct choice
{
	uint32_t count;
	uint32_t of[BV_MANIFOLD_CONTACTS];
	double area;
} choice;

// @return the first of the points whose areas are equal to the largest one; the number of points if that is 0
static uint32_t first_of_equals( const double* area, uint32_t count, double sign, double largest )
{
	uint32_t i = 0;
	while ( largest > 0 && i < count && !( sign * area[i] * ratio_of_equals >= largest ) )
	{
		++i;
	}
	return largest > 0 ? i : count;
}

static void add( uint32_t point, uint32_t none, choice* out )
{
	if ( point != none )
	{
		out->of[out->count++] = point;
	}
}

// Takes the points that are farthest from a diagonal on either side.
static void try_diagonal( const bvconvex_touches* t, uint32_t from, uint32_t to, choice* best )
{
	double area[bvconvex_touches_most];
	double most = 0;
	double least = 0;
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		area[i] = area_of( t->at + from, t->at + to, t->at + i );
		most = bvmath_max( most, area[i] );
		least = bvmath_min( least, area[i] );
	}
	if ( most - least > best->area * ratio_of_equals )
	{
		*best = ( choice ){ .area = most - least };
		add( from, t->count, best );
		add( to, t->count, best );
		add( first_of_equals( area, t->count, 1, most ), t->count, best );
		add( first_of_equals( area, t->count, -1, -least ), t->count, best );
	}
}

static choice largest_area( const bvconvex_touches* t, double deep )
{
	choice best = { .area = 0 };
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		bool is_deep = t->at[i].separation <= deep;
		for ( uint32_t k = 0; k < t->count && is_deep; ++k )
		{
			bool is_known = k < i && t->at[k].separation <= deep; // from the other end
			if ( k != i && !is_known )
			{
				try_diagonal( t, i, k, &best );
			}
		}
	}
	return best;
}

// Of points on a line: both ends, and the deepest.
static choice longest( const bvconvex_touches* t, double deep )
{
	choice best = { .count = 0 };
	uint32_t deepest = 0;
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		deepest = t->at[deepest].separation > deep ? i : deepest;
		for ( uint32_t k = i + 1; k < t->count; ++k )
		{
			double x = t->at[k].x - t->at[i].x;
			double y = t->at[k].y - t->at[i].y;
			double square = x * x + y * y;
			if ( square > best.area * ratio_of_equals || best.count == 0 )
			{
				best = ( choice ){ 2, { i, k }, square };
			}
		}
	}
	for ( uint32_t i = 0; i < 2; ++i )
	{
		deepest = t->at[best.of[i]].separation <= deep ? best.of[i] : deepest;
	}
	if ( best.of[0] != deepest && best.of[1] != deepest )
	{
		add( deepest, t->count, &best );
	}
	return best;
}

void bvconvex_touches_choose( bvconvex_touches* t, double most, double near )
{
	double least = least_separation( t );
	drop_above( t, bvmath_max( most, least ) );
	sort( t );
	if ( near > 0 )
	{
		merge( t, near );
		sort( t );
	}
	if ( t->count <= BV_MANIFOLD_CONTACTS )
	{
		return;
	}
	double deep = least + deep_enough * t->size + t->equal;
	choice chosen = largest_area( t, deep );
	if ( !( chosen.area > t->size * t->equal ) )
	{
		chosen = longest( t, deep );
	}
	bvconvex_touch kept[BV_MANIFOLD_CONTACTS];
	for ( uint32_t i = 0; i < chosen.count; ++i )
	{
		kept[i] = t->at[chosen.of[i]];
	}
	memcpy( t->at, kept, chosen.count * sizeof *kept );
	t->count = chosen.count;
	sort( t );
}
