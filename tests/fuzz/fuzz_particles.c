// libFuzzer target: neighbors of particles. The bytes are options and positions: small integers, integers with a common large one
// or a common power of 2, or any numbers.
//
// What is required: documented statuses, and nothing that changes on errors; of integers, lists that integer arithmetic gives; of any
// numbers, the same lists by all methods. Arrays are as long as they have to be, or shorter.

#include "expect.h"
#include "numbers.h"

#include "bvworld/particles.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_particles = 48,
	copies = 10, // of each, so that some inputs are crowds
	most_of_all = most_particles * copies,
};

// A set: integers are what numbers are in the unit of the game.
typedef struct crowd
{
	double at[3 * most_of_all];
	double radii[most_of_all];
	int64_t integer[3 * most_of_all];
	int64_t integer_radii[most_of_all];
	bvw_particles particles;
	bool is_valid; // its numbers are in range
} crowd;

typedef struct game
{
	numbers n;
	bool is_integer;
	int exponent;   // the unit is 2 to this
	int64_t origin; // added to all coordinates, units
	int64_t distance;
	int64_t period[3];
	crowd of;
	crowd among;
	bvw_neighbors_options options;
} game;

static game g;

static bool is_length( double x )
{
	return x >= 0 && x <= BV_MAX_LENGTH;
}

// Near each other, or of any size.
static double take_any( numbers* n )
{
	uint8_t kind = take_byte( n );
	return kind < 180   ? 4 * take_unit( n )
	       : kind < 220 ? ldexp( take_unit( n ), (int8_t)take_byte( n ) )
	       : kind < 250 ? (double)( kind % 8 )
	                    : take_double( n );
}

static void take_crowd( crowd* c )
{
	uint32_t count = take_byte( &g.n ) % ( most_particles + 1 );
	bool has_radii = take_chance( &g.n, 128 );
	uint32_t times = take_chance( &g.n, 24 ) ? copies : 1;
	uint8_t range = 1 + take_byte( &g.n ) % 64;
	c->is_valid = true;
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		c->integer[i] = g.origin + take_byte( &g.n ) % range;
		c->at[i] = g.is_integer ? ldexp( (double)c->integer[i], g.exponent ) : take_any( &g.n );
		c->is_valid = c->is_valid && is_length( fabs( c->at[i] ) );
	}
	for ( uint32_t i = 0; has_radii && i < count; ++i )
	{
		c->integer_radii[i] = take_byte( &g.n ) % 8;
		c->radii[i] =
			g.is_integer ? ldexp( (double)c->integer_radii[i], g.exponent ) : fabs( take_any( &g.n ) );
		c->is_valid = c->is_valid && is_length( c->radii[i] );
	}
	for ( uint32_t i = count; i < times * count; ++i )
	{
		memcpy( c->at + 3 * i, c->at + 3 * ( i - count ), 3 * sizeof *c->at );
		memcpy( c->integer + 3 * i, c->integer + 3 * ( i - count ), 3 * sizeof *c->integer );
		c->radii[i] = c->radii[i - count];
		c->integer_radii[i] = c->integer_radii[i - count];
	}
	c->particles =
		( bvw_particles ){ .positions = c->at, .radii = has_radii ? c->radii : NULL, .count = times * count };
}

static void take_options( void )
{
	g.distance = take_byte( &g.n ) % 12;
	g.options.distance = g.is_integer ? ldexp( (double)g.distance, g.exponent ) : fabs( take_any( &g.n ) );
	for ( int k = 0; k < 3; ++k )
	{
		bool has_period = take_chance( &g.n, 64 );
		g.period[k] = has_period ? 64 + take_byte( &g.n ) % 64 : 0;
		double any = has_period ? fabs( take_any( &g.n ) ) : 0;
		g.options.period[k] = g.is_integer ? ldexp( (double)g.period[k], g.exponent ) : any;
	}
}

// Whether positions span at most the periods.
static bool fits_periods( bool is_self )
{
	for ( int k = 0; k < 3; ++k )
	{
		double lower = INFINITY, upper = -INFINITY;
		for ( int set = 0; set < 2 - is_self; ++set )
		{
			const crowd* c = set == 0 ? &g.of : &g.among;
			for ( uint32_t i = 0; i < c->particles.count; ++i )
			{
				lower = c->at[3 * i + (uint32_t)k] < lower ? c->at[3 * i + (uint32_t)k] : lower;
				upper = c->at[3 * i + (uint32_t)k] > upper ? c->at[3 * i + (uint32_t)k] : upper;
			}
		}
		double period = g.options.period[k];
		if ( !is_length( period ) || ( period > 0 && upper - lower > period ) )
		{
			return false;
		}
	}
	return true;
}

static bool are_neighbors( const crowd* a, uint32_t i, const crowd* b, uint32_t j )
{
	int64_t reach = g.distance + ( a->particles.radii ? a->integer_radii[i] : 0 ) +
	                ( b->particles.radii ? b->integer_radii[j] : 0 );
	int64_t sum = 0;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		int64_t d = llabs( a->integer[3 * i + k] - b->integer[3 * j + k] );
		int64_t other = g.period[k] > 0 ? llabs( g.period[k] - d ) : d;
		sum += d < other ? d * d : other * other;
	}
	return sum <= reach * reach;
}

static void check_lists( const bvw_neighbors* l, const crowd* among, bool is_self )
{
	uint64_t at = 0;
	for ( uint32_t i = 0; i < g.of.particles.count; ++i )
	{
		expect( l->begin[i] == at );
		for ( uint32_t j = g.options.half ? i + 1 : 0; j < among->particles.count; ++j )
		{
			if ( ( !is_self || i != j ) && are_neighbors( &g.of, i, among, j ) )
			{
				expect( at < l->count && l->neighbors[at] == j );
				++at;
			}
		}
	}
	expect( at == l->count && l->begin[g.of.particles.count] == at );
}

// One method, with an array of `most`.
static bv_status call( bool is_self, uint64_t most, bvw_neighbors* l )
{
	uint32_t count = is_self ? 0 : g.among.particles.count;
	size_t bytes = bvw_neighbors_bytes( g.of.particles.count, count, &g.options );
	void* memory = malloc( bytes > 0 ? bytes : 8 );
	memset( memory, 0xa5, bytes > 0 ? bytes : 8 );
	*l = ( bvw_neighbors ){ .most = most, .count = 77, .tests = 78 };
	l->begin = malloc( ( g.of.particles.count + 1 ) * sizeof *l->begin );
	l->neighbors = malloc( most * sizeof *l->neighbors + 1 );
	memset( l->begin, 0x5a, ( g.of.particles.count + 1 ) * sizeof *l->begin );
	bv_status status = bvw_neighbors_find( &g.of.particles, is_self ? NULL : &g.among.particles, &g.options,
	                                       memory, bytes, l );
	free( memory );
	return status;
}

static void release( bvw_neighbors* l )
{
	free( l->begin );
	free( l->neighbors );
}

static void play( bool is_self )
{
	bool has_period = g.options.period[0] > 0 || g.options.period[1] > 0 || g.options.period[2] > 0;
	bool is_valid = is_length( g.options.distance ) && g.of.is_valid && ( is_self || g.among.is_valid ) &&
	                fits_periods( is_self );
	bvw_neighbors first = { 0 };
	for ( int m = 1; m < bvw_neighbors_methods; ++m )
	{
		uint32_t order[most_of_all];
		memset( order, take_byte( &g.n ), sizeof order );
		g.options.method = (bvw_neighbors_method)m;
		g.options.sort = (bvw_neighbors_sort)( take_byte( &g.n ) % bvw_neighbors_sorts );
		g.options.order = take_chance( &g.n, 128 ) ? order : NULL;
		bool is_possible = is_valid && !( has_period && m == bvw_neighbors_sweep );
		bvw_neighbors l;
		bv_status status = call( is_self, 0, &l );
		expect( status == ( !is_possible ? bv_error_argument : l.count > 0 ? bv_error_memory : bv_ok ) );
		if ( !is_possible )
		{
			expect( l.count == 77 && l.tests == 78 && l.begin[0] == 0x5a5a5a5a5a5a5a5a );
			release( &l );
			continue;
		}
		uint64_t most = l.count;
		release( &l );
		expect( call( is_self, most, &l ) == bv_ok && l.count == most );
		if ( g.is_integer )
		{
			check_lists( &l, is_self ? &g.of : &g.among, is_self );
		}
		if ( m == 1 )
		{
			first = l;
			continue;
		}
		expect( l.count == first.count );
		expect( memcmp( l.begin, first.begin, ( g.of.particles.count + 1 ) * sizeof *l.begin ) == 0 );
		expect( memcmp( l.neighbors, first.neighbors, l.count * sizeof *l.neighbors ) == 0 );
		release( &l );
	}
	release( &first );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	memset( &g, 0, sizeof g );
	g.n = numbers_begin( data, size );
	uint8_t kind = take_byte( &g.n );
	g.is_integer = kind < 160;
	g.exponent = kind % 4 == 0 ? (int8_t)take_byte( &g.n ) : kind % 4 == 1 ? -1074 : 0;
	g.exponent = g.exponent > 140 ? 140 : g.exponent;
	g.origin = kind % 8 == 2 ? INT64_C( 1 ) << take_byte( &g.n ) % 50 : 0;
	take_options();
	take_crowd( &g.of );
	take_crowd( &g.among );
	play( false );
	g.options.half = take_chance( &g.n, 128 );
	play( true );
	return 0;
}
