// What tests of neighbors share: particles of many kinds, and the definition of neighbors in integers of any length, which shares no code
// with the library.

#pragma once

#include "bvworld/particles.h"

#include "tests/unit/world/random.h"

#include <gmp.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Where particles are. Distances of neighbors are about 1, unless a unit is named.
typedef enum cloud_kind
{
	cloud_uniform,
	cloud_lattice,  // small integers, so that many distances are exactly the reach
	cloud_clusters, // eight small ones, far from each other
	cloud_spot,     // all are neighbors
	cloud_same,     // in few places, many particles in each
	cloud_line,     // along an axis
	cloud_plane,    // across the first axis
	cloud_far,      // 10^7 from the origin
	cloud_huge,     // 2^199 from the origin, in a unit of 2^150
	cloud_outliers, // uniform, and some at up to 2^200
	cloud_tiny,     // in a unit of 2^-1070
	cloud_edge,     // distances of the reach, and one unit in the last place more and less
	cloud_steps,    // at the borders of cells, and where they become wider
	cloud_kinds,
} cloud_kind;

static const char* const cloud_names[cloud_kinds] = { "uniform", "lattice", "clusters", "spot", "same",
	                                                  "line",    "plane",   "far",      "huge", "outliers",
	                                                  "tiny",    "edge",    "steps" };

typedef struct cloud
{
	uint32_t count;
	double distance;
	double* at;    // count * 3
	double* radii; // or null
} cloud;

static inline double cloud_unit( cloud_kind kind )
{
	return kind == cloud_huge ? 0x1p150 : kind == cloud_tiny ? 0x1p-1070 : 1;
}

static inline double next_of( double x, int steps )
{
	for ( ; steps > 0; --steps )
	{
		x = nextafter( x, INFINITY );
	}
	for ( ; steps < 0; ++steps )
	{
		x = nextafter( x, -INFINITY );
	}
	return x;
}

// @param edge  of the cube of uniform ones
static inline void draw_particle( uint64_t* random, cloud_kind kind, double edge, double reach, double p[3] )
{
	double u[3];
	for ( int k = 0; k < 3; ++k )
	{
		u[k] = draw_unit( random );
		p[k] = edge * u[k];
	}
	uint32_t which = draw_below( random, 8 );
	int axis = (int)draw_below( random, 3 );
	switch ( kind )
	{
	case cloud_lattice:
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = floor( 6 * u[k] ) - 3;
		}
		break;
	case cloud_clusters:
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = 2 * u[k] + ( which >> k & 1 ? 1e5 : 0 );
		}
		break;
	case cloud_spot:
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = 0.5 * u[k] - 0.25;
		}
		break;
	case cloud_same: p[0] = p[1] = p[2] = floor( 3 * u[0] ); break;
	case cloud_line: p[0] = p[2] = 0, p[1] = 20 * edge * u[1]; break;
	case cloud_plane: p[0] = 7; break;
	case cloud_far: p[0] += 1e7, p[1] -= 1e7, p[2] += 1e7; break;
	case cloud_huge:
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = 0x1p199 + 0x1p150 * floor( p[k] * 8 ) / 8;
		}
		break;
	case cloud_outliers:
		if ( which == 0 )
		{
			p[axis] = ldexp( u[0] - 0.5, (int)draw_below( random, 202 ) );
		}
		break;
	case cloud_tiny:
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = 0x1p-1070 * p[k] - 0x1p-1069;
		}
		break;
	case cloud_edge:
	{
		// Pythagorean: 1/3, 2/3, 2/3 of the reach; 3/5, 4/5, 0.
		double step = reach * floor( 4 * u[0] );
		const double along[4][3] = {
			{ 1, 0, 0 }, { 1.0 / 3, 2.0 / 3, 2.0 / 3 }, { 0.6, 0.8, 0 }, { 0, 0, 1 }
		};
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = next_of( step * along[which % 4][k], (int)draw_below( random, 5 ) - 2 );
		}
		break;
	}
	case cloud_steps:
	{
		const double borders[8] = { 0, 1, -1, 0x1p40, -0x1p40, 0x1p52, -0x1p52, 0x1p39 };
		for ( int k = 0; k < 3; ++k )
		{
			double border = reach * borders[k == axis ? which : draw_below( random, 3 )];
			p[k] = border * ( 1 + 0x1p-10 ) + reach * ( (double)draw_below( random, 9 ) - 4 ) / 4;
			p[k] = next_of( p[k], (int)draw_below( random, 3 ) - 1 );
		}
		break;
	}
	default: break;
	}
}

// Some have radii, up to a tenth of the distance of neighbors or all of it.
static inline cloud draw_cloud( uint64_t* random, cloud_kind kind, uint32_t count )
{
	double unit = cloud_unit( kind );
	uint32_t with_radii = draw_below( random, 3 );
	double reach = kind == cloud_lattice ? 1 + draw_below( random, 4 ) : 0.5 + draw_unit( random );
	cloud c = { .count = count, .distance = reach * unit };
	c.at = malloc( ( 3 * (size_t)count + 1 ) * sizeof *c.at );
	for ( uint32_t i = 0; i < count; ++i )
	{
		draw_particle( random, kind, cbrt( count / 4.0 ), reach, c.at + 3 * (size_t)i );
	}
	if ( with_radii > 0 )
	{
		c.radii = malloc( ( (size_t)count + 1 ) * sizeof *c.radii );
		double greatest = with_radii == 1 ? reach / 10 : reach / 2;
		c.distance = with_radii == 1 ? c.distance : 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			double radius = kind == cloud_lattice ? draw_below( random, 3 ) : greatest * draw_unit( random );
			c.radii[i] = unit * radius;
		}
	}
	return c;
}

static inline void cloud_free( cloud* c )
{
	free( c->at );
	free( c->radii );
}

static inline bvw_particles particles_of( const cloud* c )
{
	return ( bvw_particles ){ .positions = c->at, .radii = c->radii, .count = c->count };
}

// The number as a multiple of 2^-1074.
static inline void integer_of( double x, mpz_t out )
{
	int exponent;
	double fraction = frexp( x, &exponent );
	mpz_set_d( out, ldexp( fraction, 53 ) );
	int shift = exponent - 53 + 1074;
	if ( shift >= 0 )
	{
		mpz_mul_2exp( out, out, (mp_bitcnt_t)shift );
	}
	else
	{
		mpz_tdiv_q_2exp( out, out, (mp_bitcnt_t)-shift ); // these bits are 0
	}
}

// The definition in the header, pair by pair.
typedef struct oracle
{
	mpz_t p, q, d, other, left, sum, reach;
} oracle;

static inline void oracle_begin( oracle* o )
{
	mpz_inits( o->p, o->q, o->d, o->other, o->left, o->sum, o->reach, NULL );
}

static inline void oracle_end( oracle* o )
{
	mpz_clears( o->p, o->q, o->d, o->other, o->left, o->sum, o->reach, NULL );
}

static inline bool oracle_neighbors( oracle* o, const cloud* a, uint32_t i, const cloud* b, uint32_t j,
                                     double distance, const double period[3] )
{
	integer_of( distance, o->reach );
	integer_of( a->radii ? a->radii[i] : 0, o->p );
	mpz_add( o->reach, o->reach, o->p );
	integer_of( b->radii ? b->radii[j] : 0, o->p );
	mpz_add( o->reach, o->reach, o->p );
	mpz_set_ui( o->sum, 0 );
	for ( int k = 0; k < 3; ++k )
	{
		integer_of( a->at[3 * (size_t)i + (size_t)k], o->p );
		integer_of( b->at[3 * (size_t)j + (size_t)k], o->q );
		mpz_sub( o->d, o->p, o->q );
		mpz_abs( o->d, o->d );
		if ( period && period[k] > 0 )
		{
			integer_of( period[k], o->other );
			mpz_sub( o->other, o->other, o->d );
			mpz_abs( o->other, o->other );
			if ( mpz_cmp( o->other, o->d ) < 0 )
			{
				mpz_swap( o->other, o->d );
			}
		}
		mpz_addmul( o->sum, o->d, o->d );
	}
	mpz_mul( o->left, o->reach, o->reach );
	return mpz_cmp( o->sum, o->left ) <= 0;
}

// Lists of neighbors, in memory of their own.
typedef struct lists
{
	bvw_neighbors of;
	uint32_t particles;
} lists;

static inline lists lists_of( uint32_t particles, uint64_t most )
{
	lists l = { .particles = particles };
	l.of.begin = malloc( ( (size_t)particles + 1 ) * sizeof *l.of.begin );
	l.of.neighbors = malloc( ( most + 1 ) * sizeof *l.of.neighbors );
	l.of.most = most;
	return l;
}

static inline void lists_free( lists* l )
{
	free( l->of.begin );
	free( l->of.neighbors );
}

// What the lists are by definition: of all directions, or of pairs once.
// @param among  null for one set
static inline lists expected_lists( const cloud* of, const cloud* among,
                                    const bvw_neighbors_options* options )
{
	const cloud* other = among ? among : of;
	lists l = lists_of( of->count, (uint64_t)of->count * other->count );
	oracle o;
	oracle_begin( &o );
	for ( uint32_t i = 0; i < of->count; ++i )
	{
		l.of.begin[i] = l.of.count;
		for ( uint32_t j = options->half ? i + 1 : 0; j < other->count; ++j )
		{
			if ( ( among || i != j ) &&
			     oracle_neighbors( &o, of, i, other, j, options->distance, options->period ) )
			{
				l.of.neighbors[l.of.count++] = j;
			}
		}
	}
	l.of.begin[of->count] = l.of.count;
	oracle_end( &o );
	return l;
}

static inline bool lists_equal( const lists* a, const lists* b )
{
	size_t count = (size_t)a->of.count;
	return a->of.count == b->of.count &&
	       memcmp( a->of.begin, b->of.begin, ( (size_t)a->particles + 1 ) * sizeof *a->of.begin ) == 0 &&
	       ( count == 0 || memcmp( a->of.neighbors, b->of.neighbors, count * sizeof( uint32_t ) ) == 0 );
}

// Calls bvw_neighbors_find with exactly the memory that it needs.
static inline bv_status find( const cloud* of, const cloud* among, const bvw_neighbors_options* options,
                              lists* out )
{
	bvw_particles a = particles_of( of );
	bvw_particles b = among ? particles_of( among ) : a;
	size_t bytes = bvw_neighbors_bytes( a.count, among ? b.count : 0, options );
	assert_true( bytes > 0 );
	void* memory = malloc( bytes );
	memset( memory, 0xa5, bytes );
	bv_status status = bvw_neighbors_find( &a, among ? &b : NULL, options, memory, bytes, &out->of );
	free( memory );
	return status;
}

// All methods and sorts have the lists of the definition.
static inline uint64_t check_cloud( const cloud* of, const cloud* among, bvw_neighbors_options options,
                                    const char* name )
{
	lists expected = expected_lists( of, among, &options );
	lists got = lists_of( of->count, expected.of.count );
	bool is_periodic = options.period[0] > 0 || options.period[1] > 0 || options.period[2] > 0;
	for ( int m = 0; m < bvw_neighbors_methods; ++m )
	{
		options.method = (bvw_neighbors_method)m;
		int sorts = m == bvw_neighbors_sweep ? bvw_neighbors_sorts : 1;
		for ( int s = 0; s < sorts && !( is_periodic && m == bvw_neighbors_sweep ); ++s )
		{
			options.sort = (bvw_neighbors_sort)s;
			bv_status status = find( of, among, &options, &got );
			if ( status != bv_ok || !lists_equal( &got, &expected ) )
			{
				fail_msg( "%s, %s, sort %d: status %d, %llu neighbors instead of %llu", name,
				          bvw_neighbors_method_name( options.method ), s, (int)status,
				          (unsigned long long)got.of.count, (unsigned long long)expected.of.count );
			}
		}
	}
	uint64_t count = expected.of.count;
	lists_free( &expected );
	lists_free( &got );
	return count;
}
