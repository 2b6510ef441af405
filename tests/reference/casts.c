// The shapes meet at the times t with t r = sum of w_i c_i, sum of w_i = 1, w_i >= 0, where c_i are the vertices of the
// difference a - b and r is the relative motion. The least and the greatest t of this linear program are attained at basic
// solutions: sets of one to three vertices with only one t and one set of weights. All are tried.

#include "tests/reference/casts.h"

__extension__ typedef __int128 wide;

typedef struct wide_vec
{
	wide x[3];
} wide_vec;

typedef struct search
{
	wide_vec motion;
	bool found;
	cast_ratio first;
	cast_ratio last;
} search;

static wide_vec minus( wide_vec a, wide_vec b )
{
	return ( wide_vec ){ { a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2] } };
}

static wide_vec times( wide s, wide_vec a )
{
	return ( wide_vec ){ { s * a.x[0], s * a.x[1], s * a.x[2] } };
}

static wide product( wide_vec a, wide_vec b )
{
	return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static wide_vec across( wide_vec a, wide_vec b )
{
	return ( wide_vec ){ { a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
		                   a.x[0] * b.x[1] - a.x[1] * b.x[0] } };
}

static bool is_zero( wide_vec a )
{
	return a.x[0] == 0 && a.x[1] == 0 && a.x[2] == 0;
}

static void add( search* s, wide above, wide below )
{
	cast_ratio t = { below < 0 ? -above : above, below < 0 ? -below : below };
	if ( !s->found || t.above * s->first.below < s->first.above * t.below )
	{
		s->first = t;
	}
	if ( !s->found || t.above * s->last.below > s->last.above * t.below )
	{
		s->last = t;
	}
	s->found = true;
}

static void try_corner( search* s, wide_vec c )
{
	if ( is_zero( across( c, s->motion ) ) )
	{
		add( s, product( c, s->motion ), product( s->motion, s->motion ) );
	}
}

// With e = d - c, t r = c + w e gives t ( r x e ) = c x e and w ( e x r ) = r x c.
static void try_edge( search* s, wide_vec c, wide_vec d )
{
	wide_vec e = minus( d, c );
	wide_vec below = across( s->motion, e );
	wide_vec above = across( c, e );
	wide_vec weight = across( c, s->motion );
	if ( is_zero( below ) || !is_zero( across( below, above ) ) || !is_zero( across( below, weight ) ) )
	{
		return;
	}
	wide square = product( below, below );
	wide w = product( weight, below );
	if ( w >= 0 && w <= square )
	{
		add( s, product( above, below ), square );
	}
}

// Where the line passes through the plane, and whether that is in the triangle.
static void try_face( search* s, wide_vec a, wide_vec b, wide_vec c )
{
	const wide_vec corner[3] = { a, b, c };
	wide_vec normal = across( minus( b, a ), minus( c, a ) );
	wide below = product( normal, s->motion );
	wide above = product( normal, a );
	if ( below == 0 )
	{
		return;
	}
	for ( int i = 0; i < 3; ++i )
	{
		wide_vec side = minus( corner[( i + 1 ) % 3], corner[i] );
		wide_vec to = minus( times( above, s->motion ), times( below, corner[i] ) );
		wide turn = product( across( normal, side ), to );
		if ( below > 0 ? turn < 0 : turn > 0 )
		{
			return;
		}
	}
	add( s, above, below );
}

bool cast_times( const cast_vec* a, int of_a, const cast_vec* b, int of_b, cast_vec relative,
                 cast_ratio* first, cast_ratio* last )
{
	search s = { .motion = { { relative.x[0], relative.x[1], relative.x[2] } }, .found = false };
	int count = of_a * of_b;
	wide_vec vertex[64];
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			vertex[i].x[k] = a[i / of_b].x[k] - b[i % of_b].x[k];
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		try_corner( &s, vertex[i] );
		for ( int j = 0; j < i; ++j )
		{
			try_edge( &s, vertex[i], vertex[j] );
			for ( int k = 0; k < j; ++k )
			{
				try_face( &s, vertex[i], vertex[j], vertex[k] );
			}
		}
	}
	*first = s.first;
	*last = s.last;
	return s.found;
}

int cast_compare( double time, const cast_ratio* other )
{
	__extension__ typedef __float128 exact;
	exact product = (exact)time * (exact)other->below;
	exact above = (exact)other->above;
	return product < above ? -1 : product > above ? 1 : 0;
}
