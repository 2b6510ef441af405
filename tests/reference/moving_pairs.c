// Moving features by index. See moving_pairs.h.

#include "tests/reference/moving_pairs.h"

#include "tests/reference/random.h"

#include <math.h>

typedef enum kind
{
	kind_random,
	kind_sizes,
	kind_crossing,
	kind_grazing,
	kind_triple,
	kind_flat,
	kind_turning,
	kind_line,
	kind_parallel,
	kind_degenerate,
	kinds,
} kind;

static const char* const names[kinds] = { "random",   "sizes",         "crossing", "grazing",  "triple",
	                                      "in plane", "turning plane", "on line",  "parallel", "degenerate" };

uint32_t moving_pair_kinds( void )
{
	return kinds;
}

const char* moving_pair_kind( uint32_t k )
{
	return k < kinds ? names[k] : NULL;
}

// @return from -most to most
static double integer( uint64_t* state, uint32_t most )
{
	return (double)( next_random( state ) % ( 2 * most + 1 ) ) - most;
}

static bv_vec3 integers( uint64_t* state, uint32_t most )
{
	double x = integer( state, most );
	double y = integer( state, most );
	double z = integer( state, most );
	return bv_vec3_make( x, y, z );
}

// The vectors that a pair is made of: small integers. What is made of them and of fractions of few bits is exact.
typedef struct parts
{
	bv_vec3 f[2]; // first corner, or first end: f[0] + u f[1]
	bv_vec3 a[2];
	bv_vec3 b[2];
	bv_vec3 core; // u times this
} parts;

static bv_vec3 in_span( uint64_t* state, bv_vec3 u, bv_vec3 v )
{
	double x = 4 * integer( state, 8 );
	double y = 4 * integer( state, 8 );
	return bv_add( bv_scale( x, u ), bv_scale( y, v ) );
}

static void make_parts( uint64_t* state, kind k, parts* p )
{
	bv_vec3* all[7] = { &p->f[0], &p->f[1], &p->a[0], &p->a[1], &p->b[0], &p->b[1], &p->core };
	bv_vec3 u = integers( state, 4 );
	bv_vec3 v = k == kind_line ? bv_vec3_make( 0, 0, 0 ) : integers( state, 4 );
	bool flat = k == kind_flat || k == kind_line;
	for ( int i = 0; i < 7; ++i )
	{
		*all[i] = flat ? in_span( state, u, v ) : bv_scale( 4, integers( state, 16 ) );
	}
	double x = integer( state, 2 );
	double y = integer( state, 2 );
	if ( k == kind_grazing || k == kind_triple )
	{
		p->core = bv_add( bv_scale( k == kind_triple ? 1 : x, p->a[0] ),
		                  bv_scale( k == kind_triple ? 0 : y, p->b[0] ) );
		p->a[1] = k == kind_triple ? p->b[0] : p->a[1];
	}
	if ( k == kind_parallel )
	{
		for ( int i = 0; i < 2; ++i )
		{
			p->b[i] = bv_scale( x, p->a[i] );
		}
	}
	if ( k == kind_degenerate )
	{
		bool both = next_random( state ) % 2 == 0;
		p->b[0] = bv_scale( x, p->a[0] );
		p->b[1] = both ? bv_scale( x, p->a[1] ) : p->b[1];
		if ( next_random( state ) % 3 == 0 )
		{
			p->a[0] = p->a[1] = bv_vec3_make( 0, 0, 0 );
		}
	}
}

static bv_vec3 at( const bv_vec3 of[2], double u )
{
	return bv_add( of[0], bv_scale( u, of[1] ) );
}

static void place( const parts* p, const double weight[2], double u, bool is_edges, bv_vec3 out[4] )
{
	bv_vec3 f = at( p->f, u );
	bv_vec3 a = at( p->a, u );
	bv_vec3 b = at( p->b, u );
	bv_vec3 core = bv_scale( u, p->core );
	bv_vec3 on_a = bv_add( bv_add( f, core ), bv_scale( weight[0], a ) );
	if ( is_edges )
	{
		out[0] = f;
		out[1] = bv_add( f, a );
		out[2] = bv_sub( on_a, bv_scale( weight[1], b ) );
		out[3] = bv_add( out[2], b );
	}
	else
	{
		out[0] = bv_add( on_a, bv_scale( weight[1], b ) );
		out[1] = f;
		out[2] = bv_add( f, a );
		out[3] = bv_add( f, b );
	}
}

// A plane through the y axis that turns: its x coordinates go to x and z, by factors that change with time.
static void turn( uint64_t* state, moving_pair* pair )
{
	bv_vec3 from = integers( state, 7 );
	bv_vec3 to = integers( state, 7 );
	for ( int i = 0; i < 4; ++i )
	{
		// Only a coordinate that does not move stays in the plane.
		double x = pair->start[i].x;
		pair->start[i] = bv_vec3_make( x * from.x, pair->start[i].y, x * from.z );
		pair->end[i] = bv_vec3_make( x * to.x, pair->end[i].y, x * to.z );
	}
}

static double* coordinate( moving_pair* pair, uint32_t index )
{
	bv_vec3* p = index < 12 ? pair->start + index / 3 : pair->end + ( index - 12 ) / 3;
	return index % 3 == 0 ? &p->x : index % 3 == 1 ? &p->y : &p->z;
}

static void disturb( uint64_t* state, moving_pair* pair )
{
	double* x = coordinate( pair, next_random( state ) % 24 );
	double sign = next_random( state ) % 2 ? 1 : -1;
	uint32_t how = next_random( state ) % 4;
	if ( how < 2 && *x == 0 )
	{
		*x = sign * 0x1p-52;
	}
	else if ( how < 2 )
	{
		*x = nextafter( *x, sign * INFINITY );
	}
	else if ( how == 2 )
	{
		*x += sign * 0x1p-40;
	}
	else
	{
		*x += sign * ldexp( 1, -(int)( next_random( state ) % 30 ) );
	}
	pair->is_touching = false;
}

static void rotate( uint64_t* state, moving_pair* pair )
{
	bv_vec3 x = random_direction( state );
	bv_vec3 y = bv_normalize( bv_cross( x, random_direction( state ) ) );
	bv_vec3 z = bv_cross( x, y );
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3* p = i < 4 ? pair->start + i : pair->end + i - 4;
		*p = bv_vec3_make( bv_dot( x, *p ), bv_dot( y, *p ), bv_dot( z, *p ) );
	}
	pair->is_touching = false;
}

static void scale_and_move( moving_pair* pair, double scale, bv_vec3 by )
{
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3* p = i < 4 ? pair->start + i : pair->end + i - 4;
		*p = bv_add( bv_scale( scale, *p ), by );
	}
}

static void make_random( uint64_t* state, kind k, moving_pair* pair )
{
	for ( uint32_t i = 0; i < 24; ++i )
	{
		double size = k == kind_sizes ? ldexp( 1, (int)( next_random( state ) % 31 ) - 10 ) : 1;
		*coordinate( pair, i ) = size * random_coordinate( state );
	}
	pair->is_touching = false;
}

void moving_pair_make( uint64_t index, moving_pair* pair )
{
	static const double times[8] = { 0, 0.25, 0.5, 0.5, 0.5, 0.75, 0.875, 1 };
	static const double weights[8] = { 0, 0.25, 0.25, 0.5, 0.5, 0.75, 1, 1.25 };
	uint64_t state = index * UINT64_C( 0x9e3779b97f4a7c15 ) + 43;
	for ( int i = 0; i < 4; ++i )
	{
		next_random( &state );
	}
	kind k = (kind)( index / 2 % kinds );
	*pair = ( moving_pair ){ .index = index, .kind = k, .is_edges = index % 2 == 1 };
	if ( k == kind_random || k == kind_sizes )
	{
		make_random( &state, k, pair );
		return;
	}
	parts p;
	make_parts( &state, k, &p );
	double weight[2] = { weights[next_random( &state ) % 8], weights[next_random( &state ) % 8] };
	double sum = weight[0] + weight[1];
	double most = pair->is_edges ? fmax( weight[0], weight[1] ) : sum;
	pair->contact = times[next_random( &state ) % 8];
	pair->is_touching = most <= 1;
	place( &p, weight, -pair->contact, pair->is_edges, pair->start );
	place( &p, weight, 1 - pair->contact, pair->is_edges, pair->end );
	if ( k == kind_turning )
	{
		turn( &state, pair );
		pair->is_touching = false;
	}
	uint32_t how = next_random( &state ) % 8;
	if ( how < 3 )
	{
		disturb( &state, pair );
	}
	if ( how == 2 || how == 3 )
	{
		rotate( &state, pair );
	}
	if ( how == 4 )
	{
		scale_and_move( pair, 1, bv_scale( 0x1p15, integers( &state, 32 ) ) );
	}
	if ( how == 5 )
	{
		scale_and_move( pair, ldexp( 1, (int)( next_random( &state ) % 32 ) - 20 ), bv_vec3_make( 0, 0, 0 ) );
	}
	if ( how == 6 )
	{
		static const double sizes[7] = { 1e-3, 1e-2, 0.1, 1, 10, 100, 1000 };
		double size = sizes[next_random( &state ) % 7];
		scale_and_move( pair, size, bv_scale( size, integers( &state, 1000 ) ) );
		pair->is_touching = false;
	}
}
