// Sums of products of binary64 numbers without rounding: what the tests decide enclosure with.
//
// A sum is an expansion, terms that do not overlap and grow in magnitude, so that the last has its sign (Shewchuk 1997,
// sections 2.2 and 2.4). Exact as long as no product's lowest bit is below 2^-1074.

#pragma once

#include <math.h>
#include <stdbool.h>

enum
{
	exact_most = 160,
};

typedef struct exact_sum
{
	int count;
	double term[exact_most];
} exact_sum;

static inline void exact_add( exact_sum* s, double x )
{
	int kept = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		double sum = x + s->term[i];
		double part = sum - x;
		double tail = ( x - ( sum - part ) ) + ( s->term[i] - part );
		x = sum;
		if ( tail != 0 )
		{
			s->term[kept++] = tail;
		}
	}
	if ( x != 0 )
	{
		s->term[kept++] = x;
	}
	s->count = kept;
}

static inline void exact_add_product( exact_sum* s, double a, double b )
{
	double product = a * b;
	exact_add( s, fma( a, b, -product ) );
	exact_add( s, product );
}

static inline void exact_add_square( exact_sum* s, const exact_sum* a )
{
	for ( int i = 0; i < a->count; ++i )
	{
		exact_add_product( s, a->term[i], a->term[i] );
		for ( int k = 0; k < i; ++k )
		{
			exact_add_product( s, 2 * a->term[i], a->term[k] );
		}
	}
}

// @return 1, 0 or -1
static inline int exact_sign( const exact_sum* s )
{
	return s->count == 0 ? 0 : s->term[s->count - 1] > 0 ? 1 : -1;
}
