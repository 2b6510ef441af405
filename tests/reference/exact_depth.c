// EPA with integers. See exact_depth.h.

#include "tests/reference/exact_depth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A triangle of the polytope, counter-clockwise seen from outside.
typedef struct facet
{
	uint32_t corner[3];
	uint32_t next[3]; // facets across the sides from corner k to k + 1
	exact_vec normal;
	mpz_t offset;      // dot( normal, corner )
	bv_vec3 direction; // of the normal, rounded
	double distance;   // signed, of the origin from the plane, to a relative error of 2^-48
	bool is_gone;
} facet;

typedef struct horizon_side
{
	uint32_t from;
	uint32_t to;
	uint32_t beyond; // facet that remains
} horizon_side;

struct exact_depth
{
	facet* at;
	uint32_t count;
	uint32_t room;
	uint32_t ready; // how many are initialized
	uint32_t* heap; // facets, the one with the smallest distance first
	uint32_t heap_size;
	uint32_t* stack;   // facets that are to be looked at
	uint32_t* removed; // facets that a point is beyond
	uint32_t* mark;    // of a facet: the number of the last point that was compared with it
	horizon_side* side;
	uint32_t sides;
	uint32_t* starting; // new facet whose first corner is this vertex
	uint32_t vertices;  // room of starting
	exact_vec u;
	exact_vec v;
	mpz_t product[3];
};

exact_depth* exact_depth_create( void )
{
	exact_depth* d = calloc( 1, sizeof *d );
	exact_init( &d->u );
	exact_init( &d->v );
	for ( int k = 0; k < 3; ++k )
	{
		mpz_init( d->product[k] );
	}
	return d;
}

void exact_depth_destroy( exact_depth* d )
{
	if ( !d )
	{
		return;
	}
	for ( uint32_t i = 0; i < d->ready; ++i )
	{
		exact_clear( &d->at[i].normal );
		mpz_clear( d->at[i].offset );
	}
	exact_clear( &d->u );
	exact_clear( &d->v );
	for ( int k = 0; k < 3; ++k )
	{
		mpz_clear( d->product[k] );
	}
	free( d->at );
	free( d->heap );
	free( d->stack );
	free( d->removed );
	free( d->mark );
	free( d->side );
	free( d->starting );
	free( d );
}

static void never( const char* what )
{
	fprintf( stderr, "exact_depth: %s\n", what );
	abort();
}

static bool is_before( const exact_depth* d, uint32_t a, uint32_t b )
{
	return d->at[a].distance < d->at[b].distance;
}

static void push( exact_depth* d, uint32_t item )
{
	uint32_t i = d->heap_size++;
	for ( ; i > 0 && is_before( d, item, d->heap[( i - 1 ) / 2] ); i = ( i - 1 ) / 2 )
	{
		d->heap[i] = d->heap[( i - 1 ) / 2];
	}
	d->heap[i] = item;
}

static uint32_t pop( exact_depth* d )
{
	uint32_t top = d->heap[0];
	uint32_t last = d->heap[--d->heap_size];
	uint32_t i = 0;
	for ( ;; )
	{
		uint32_t child = 2 * i + 1;
		if ( child >= d->heap_size )
		{
			break;
		}
		child += child + 1 < d->heap_size && is_before( d, d->heap[child + 1], d->heap[child] );
		if ( !is_before( d, d->heap[child], last ) )
		{
			break;
		}
		d->heap[i] = d->heap[child];
		i = child;
	}
	d->heap[i] = last;
	return top;
}

static void reserve( exact_depth* d )
{
	if ( d->count < d->room )
	{
		return;
	}
	d->room = 2 * d->room + 256;
	d->at = realloc( d->at, d->room * sizeof *d->at );
	d->heap = realloc( d->heap, d->room * sizeof *d->heap );
	d->stack = realloc( d->stack, 3 * d->room * sizeof *d->stack );
	d->removed = realloc( d->removed, d->room * sizeof *d->removed );
	d->mark = realloc( d->mark, d->room * sizeof *d->mark );
	d->side = realloc( d->side, 3 * d->room * sizeof *d->side );
}

static uint32_t add_facet( exact_depth* d, exact_pair* pair, uint32_t a, uint32_t b, uint32_t c )
{
	reserve( d );
	facet* f = &d->at[d->count];
	if ( d->count == d->ready )
	{
		exact_init( &f->normal );
		mpz_init( f->offset );
		++d->ready;
	}
	f->corner[0] = a;
	f->corner[1] = b;
	f->corner[2] = c;
	exact_sub( &d->u, &pair->at[b].at, &pair->at[a].at );
	exact_sub( &d->v, &pair->at[c].at, &pair->at[a].at );
	exact_cross( &f->normal, &d->u, &d->v, d->product[0] );
	if ( exact_is_zero( &f->normal ) )
	{
		never( "a facet without area" );
	}
	exact_dot( f->offset, &f->normal, &pair->at[a].at );
	f->direction = exact_direction( &f->normal );
	// offset / | normal |, where both have powers of two that cancel.
	long exponent;
	double part = mpz_get_d_2exp( &exponent, f->offset );
	size_t longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		size_t length = mpz_sgn( f->normal.at[k] ) ? mpz_sizeinbase( f->normal.at[k], 2 ) : 0;
		longest = length > longest ? length : longest;
	}
	long power = exponent - (long)longest - pair->bits;
	power = power > 5000 ? 5000 : power < -5000 ? -5000 : power;
	bv_vec3 n = f->direction;
	f->distance = ldexp( part / sqrt( n.x * n.x + n.y * n.y + n.z * n.z ), (int)power );
	f->is_gone = false;
	d->mark[d->count] = UINT32_MAX;
	return d->count++;
}

// Whether a vertex is beyond the plane of a facet, not in it.
static bool is_beyond( exact_depth* d, const exact_pair* pair, uint32_t index, uint32_t vertex )
{
	const facet* f = &d->at[index];
	const double* p = pair->at[vertex].near;
	const double* q = pair->at[f->corner[0]].near;
	double height = f->direction.x * ( p[0] - q[0] ) + f->direction.y * ( p[1] - q[1] ) +
	                f->direction.z * ( p[2] - q[2] );
	if ( fabs( height ) > pair->error )
	{
		return height > 0;
	}
	exact_dot( d->product[0], &f->normal, &pair->at[vertex].at );
	return mpz_cmp( d->product[0], f->offset ) > 0;
}

// Looks for a vertex of b - a that is independent of the ones that are known, along a direction and against it.
static bool finds_independent( exact_depth* d, exact_pair* pair, const exact_vec* direction, uint32_t first,
                               uint32_t* found )
{
	if ( exact_is_zero( direction ) )
	{
		return false;
	}
	exact_dot( d->product[0], direction, &pair->at[first].at );
	for ( int sign = -1; sign <= 1; sign += 2 )
	{
		*found = exact_pair_support( pair, direction, sign );
		exact_dot( d->product[1], direction, &pair->at[*found].at );
		if ( mpz_cmp( d->product[0], d->product[1] ) != 0 )
		{
			return true;
		}
	}
	return false;
}

static void set_axis( exact_vec* v, int axis )
{
	for ( int k = 0; k < 3; ++k )
	{
		mpz_set_si( v->at[k], k == axis );
	}
}

// Completes the vertices to a tetrahedron.
// @return false if all vertices of b - a are in one plane
static bool complete( exact_depth* d, exact_pair* pair, uint32_t t[4], uint32_t count )
{
	exact_vec along;
	exact_vec axis;
	exact_init( &along );
	exact_init( &axis );
	bool grows = true;
	while ( count < 4 && grows )
	{
		grows = false;
		for ( int k = 0; k < 3 && !grows; ++k )
		{
			set_axis( &axis, k );
			if ( count == 2 )
			{
				exact_sub( &d->u, &pair->at[t[1]].at, &pair->at[t[0]].at );
				exact_cross( &along, &d->u, &axis, d->product[0] );
			}
			else if ( count == 3 )
			{
				exact_sub( &d->u, &pair->at[t[1]].at, &pair->at[t[0]].at );
				exact_sub( &d->v, &pair->at[t[2]].at, &pair->at[t[0]].at );
				exact_cross( &along, &d->u, &d->v, d->product[0] );
			}
			grows = finds_independent( d, pair, count == 1 ? &axis : &along, t[0], &t[count] );
		}
		count += grows;
	}
	exact_clear( &along );
	exact_clear( &axis );
	return count == 4;
}

static void add_tetrahedron( exact_depth* d, exact_pair* pair, const uint32_t t[4] )
{
	static const uint32_t face[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
	uint32_t v[4] = { t[0], t[1], t[2], t[3] };
	for ( int round = 0; round < 2; ++round )
	{
		d->count = 0;
		uint32_t first = add_facet( d, pair, v[0], v[1], v[2] );
		if ( !is_beyond( d, pair, first, v[3] ) )
		{
			break;
		}
		v[0] = t[1];
		v[1] = t[0];
	}
	for ( int i = 1; i < 4; ++i )
	{
		add_facet( d, pair, v[face[i][0]], v[face[i][1]], v[face[i][2]] );
	}
	for ( uint32_t i = 0; i < 4; ++i )
	{
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t from = face[i][k];
			uint32_t to = face[i][( k + 1 ) % 3];
			for ( uint32_t j = 0; j < 4; ++j )
			{
				for ( uint32_t l = 0; l < 3; ++l )
				{
					if ( face[j][l] == to && face[j][( l + 1 ) % 3] == from )
					{
						d->at[i].next[k] = j;
					}
				}
			}
		}
		push( d, i );
	}
}

// Removes the facets that a vertex is beyond, beginning with one of them, and joins the vertex to the sides that are
// left open.
static void expand( exact_depth* d, exact_pair* pair, uint32_t start, uint32_t vertex )
{
	uint32_t depth = 0;
	uint32_t removed = 0;
	d->sides = 0;
	d->stack[depth++] = start;
	d->mark[start] = vertex;
	d->at[start].is_gone = true;
	while ( depth > 0 )
	{
		uint32_t index = d->stack[--depth];
		d->removed[removed++] = index;
		const facet* f = &d->at[index];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t beyond = f->next[k];
			if ( d->mark[beyond] != vertex )
			{
				d->mark[beyond] = vertex;
				if ( is_beyond( d, pair, beyond, vertex ) )
				{
					d->at[beyond].is_gone = true;
					d->stack[depth++] = beyond;
				}
			}
		}
	}
	for ( uint32_t i = 0; i < removed; ++i )
	{
		const facet* f = &d->at[d->removed[i]];
		for ( int k = 0; k < 3; ++k )
		{
			if ( !d->at[f->next[k]].is_gone )
			{
				d->side[d->sides++] = ( horizon_side ){ f->corner[k], f->corner[( k + 1 ) % 3], f->next[k] };
			}
		}
	}
	if ( d->vertices < pair->room )
	{
		d->vertices = pair->room;
		d->starting = realloc( d->starting, d->vertices * sizeof *d->starting );
	}
	uint32_t first = d->count;
	for ( uint32_t i = 0; i < d->sides; ++i )
	{
		horizon_side side = d->side[i];
		uint32_t added = add_facet( d, pair, side.from, side.to, vertex );
		d->at[added].next[0] = side.beyond;
		facet* other = &d->at[side.beyond];
		for ( int k = 0; k < 3; ++k )
		{
			if ( other->corner[k] == side.to && other->corner[( k + 1 ) % 3] == side.from )
			{
				other->next[k] = added;
			}
		}
		d->starting[side.from] = added;
	}
	for ( uint32_t i = first; i < d->count; ++i )
	{
		uint32_t following = d->starting[d->at[i].corner[1]];
		d->at[i].next[1] = following;
		d->at[following].next[2] = i;
		push( d, i );
	}
}

// Whether a facet is nearer to the origin than the nearest one so far, whose squared distance is the fraction.
static bool is_nearer( exact_depth* d, const facet* f, const mpz_t numerator, const mpz_t denominator )
{
	exact_dot( d->product[0], &f->normal, &f->normal );
	mpz_mul( d->product[1], f->offset, f->offset );
	mpz_mul( d->product[1], d->product[1], denominator );
	mpz_mul( d->product[2], numerator, d->product[0] );
	return mpz_cmp( d->product[1], d->product[2] ) < 0;
}

void exact_depth_find( exact_depth* d, exact_pair* pair, const uint32_t* start, uint32_t count,
                       mpz_t numerator, mpz_t denominator )
{
	d->count = 0;
	d->heap_size = 0;
	mpz_set_si( numerator, 0 );
	mpz_set_si( denominator, 1 );
	uint32_t t[4];
	memcpy( t, start, count * sizeof *t );
	if ( !complete( d, pair, t, count ) )
	{
		return;
	}
	add_tetrahedron( d, pair, t );
	double enough = INFINITY;
	bool found = false;
	while ( d->heap_size > 0 )
	{
		uint32_t index = pop( d );
		facet* f = &d->at[index];
		if ( f->is_gone )
		{
			continue;
		}
		if ( f->distance > enough )
		{
			break;
		}
		uint32_t vertex = exact_pair_support( pair, &f->normal, 1 );
		if ( is_beyond( d, pair, index, vertex ) )
		{
			expand( d, pair, index, vertex );
			continue;
		}
		if ( mpz_sgn( f->offset ) < 0 )
		{
			never( "the origin is not in the polytope" );
		}
		if ( !found || is_nearer( d, f, numerator, denominator ) )
		{
			found = true;
			mpz_mul( numerator, f->offset, f->offset );
			exact_dot( denominator, &f->normal, &f->normal );
		}
		// Both distances have a relative error of 2^-48. What is below the smallest normal number is compared exactly.
		enough = fmin( enough, f->distance * ( 1 + 0x1p-40 ) + 0x1p-1000 );
	}
	if ( !found )
	{
		never( "no face" );
	}
}

// The neighbors of a vertex, from facet to facet around it.
static uint32_t add_neighbors( const exact_depth* d, uint32_t start, uint32_t vertex, const uint32_t* number,
                               uint32_t* neighbors )
{
	uint32_t count = 0;
	uint32_t index = start;
	do
	{
		const facet* f = &d->at[index];
		int k = f->corner[0] == vertex ? 0 : f->corner[1] == vertex ? 1 : 2;
		neighbors[count++] = number[f->corner[( k + 1 ) % 3]];
		index = f->next[( k + 2 ) % 3];
	} while ( index != start );
	return count;
}

uint32_t exact_hull_find( exact_depth* d, exact_pair* pair, uint32_t* corner, uint32_t* first,
                          uint32_t* neighbors )
{
	d->count = 0;
	d->heap_size = 0;
	uint32_t t[4] = { exact_pair_vertex( pair, 0, 0 ) };
	if ( !complete( d, pair, t, 1 ) )
	{
		return 0;
	}
	add_tetrahedron( d, pair, t );
	while ( d->heap_size > 0 )
	{
		uint32_t index = pop( d );
		if ( !d->at[index].is_gone )
		{
			uint32_t vertex = exact_pair_support( pair, &d->at[index].normal, 1 );
			if ( is_beyond( d, pair, index, vertex ) )
			{
				expand( d, pair, index, vertex );
			}
		}
	}
	// A facet of each corner of b, and the number of each vertex among the corners of the hull.
	uint32_t total = pair->shape[1].count;
	uint32_t* facet_of = malloc( total * sizeof *facet_of );
	uint32_t* vertex_of = malloc( total * sizeof *vertex_of );
	uint32_t* number = malloc( pair->count * sizeof *number );
	memset( facet_of, 0xff, total * sizeof *facet_of );
	for ( uint32_t i = 0; i < d->count; ++i )
	{
		for ( int k = 0; k < 3 && !d->at[i].is_gone; ++k )
		{
			uint32_t vertex = d->at[i].corner[k];
			facet_of[pair->at[vertex].name[1]] = i;
			vertex_of[pair->at[vertex].name[1]] = vertex;
		}
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < total; ++i )
	{
		if ( facet_of[i] != UINT32_MAX )
		{
			number[vertex_of[i]] = count;
			corner[count++] = i;
		}
	}
	first[0] = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t c = corner[i];
		first[i + 1] = first[i] + add_neighbors( d, facet_of[c], vertex_of[c], number, neighbors + first[i] );
	}
	free( facet_of );
	free( vertex_of );
	free( number );
	return count;
}
