// Lists of neighbors: checks of arguments, and what is around the two visits of a method. See job.h.

#include "world/particles/job.h"

#include "world/order/numbers.h"

#include <stddef.h>
#include <string.h>

bvw_neighbors_options bvw_neighbors_options_default( void )
{
	return ( bvw_neighbors_options ){ 0 };
}

static bool has_method( bvw_neighbors_method method )
{
	return (unsigned)method < bvw_neighbors_methods;
}

const char* bvw_neighbors_method_name( bvw_neighbors_method method )
{
	return has_method( method ) ? bvwnear_methods[method]->name : NULL;
}

const char* bvw_neighbors_method_help( bvw_neighbors_method method )
{
	return has_method( method ) ? bvwnear_methods[method]->help : NULL;
}

static bool is_length( double x )
{
	return x >= 0 && x <= BV_MAX_LENGTH;
}

static bool has_period( const bvw_neighbors_options* o )
{
	return o->period[0] > 0 || o->period[1] > 0 || o->period[2] > 0;
}

static bool options_are_valid( const bvw_neighbors_options* o )
{
	return is_length( o->distance ) && has_method( o->method ) && (unsigned)o->sort < bvw_neighbors_sorts &&
	       is_length( o->period[0] ) && is_length( o->period[1] ) && is_length( o->period[2] ) &&
	       ( bvwnear_methods[o->method]->takes_periods || !has_period( o ) ) &&
	       (uintptr_t)o->order % sizeof( uint32_t ) == 0;
}

size_t bvw_neighbors_bytes( uint32_t of, uint32_t among, const bvw_neighbors_options* options )
{
	bvw_neighbors_options o = options ? *options : bvw_neighbors_options_default();
	if ( of > BVW_MAX_PARTICLES || among > BVW_MAX_PARTICLES || !options_are_valid( &o ) )
	{
		return 0;
	}
	uint64_t bytes = bvwnear_methods[o.method]->bytes( of, among );
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

// Replaces defaults.
// @return whether pointers, counts and strides are valid
static bool set_up( const bvw_particles* from, bvw_particles* out )
{
	*out = *from;
	out->stride = from->stride ? from->stride : 3 * sizeof( double );
	out->radii_stride = from->radii_stride ? from->radii_stride : sizeof( double );
	return out->count <= BVW_MAX_PARTICLES && ( out->positions || out->count == 0 ) &&
	       ( (uintptr_t)out->positions | (uintptr_t)out->radii | out->stride | out->radii_stride ) %
	               sizeof( double ) ==
	           0;
}

// What the numbers of the sets are.
typedef struct near_ranges
{
	double lower[3];
	double upper[3];
	double radius; // the greatest one
} near_ranges;

// @return whether all numbers are in range
static bool add_ranges( const bvw_particles* set, near_ranges* r )
{
	double lower[3] = { r->lower[0], r->lower[1], r->lower[2] };
	double upper[3] = { r->upper[0], r->upper[1], r->upper[2] };
	bool is_valid = true;
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		const double* p = bvwnear_position( set, i );
		for ( int k = 0; k < 3; ++k )
		{
			is_valid = is_valid && p[k] == p[k];
			lower[k] = p[k] < lower[k] ? p[k] : lower[k];
			upper[k] = p[k] > upper[k] ? p[k] : upper[k];
		}
	}
	double radius = 0;
	for ( uint32_t i = 0; set->radii && i < set->count; ++i )
	{
		double one = bvwnear_radius( set, i );
		is_valid = is_valid && one >= 0;
		radius = one > radius ? one : radius;
	}
	for ( int k = 0; k < 3; ++k )
	{
		r->lower[k] = lower[k];
		r->upper[k] = upper[k];
		is_valid =
			is_valid && ( set->count == 0 || ( lower[k] >= -BV_MAX_LENGTH && upper[k] <= BV_MAX_LENGTH ) );
	}
	r->radius = radius;
	return is_valid && radius <= BV_MAX_LENGTH;
}

// @return whether positions and radii are valid
static bool measure( bvwnear_job* job )
{
	near_ranges r = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY }, 0 };
	if ( !add_ranges( &job->of, &r ) )
	{
		return false;
	}
	double radius = r.radius;
	if ( !job->is_self && !add_ranges( &job->among, &r ) )
	{
		return false;
	}
	// Three sums, which are rounded.
	job->reach = ( job->options.distance + radius + r.radius ) * ( 1 + 0x1p-50 );
	for ( int k = 0; k < 3; ++k )
	{
		bool is_empty = r.lower[k] > r.upper[k];
		double lower = is_empty ? 0 : r.lower[k];
		double upper = is_empty ? 0 : r.upper[k];
		double period = job->options.period[k];
		if ( period > 0 && upper - lower > period )
		{
			return false;
		}
		job->lower[k] = lower;
		job->upper[k] = upper;
		double most = fabs( lower ) > fabs( upper ) ? fabs( lower ) : fabs( upper );
		job->greatest = most > job->greatest ? most : job->greatest;
	}
	return true;
}

// Counts of lists become where they begin.
// @return the sum
static uint64_t make_places( uint64_t* begin, uint32_t count )
{
	uint64_t sum = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t own = begin[i];
		begin[i] = sum;
		sum += own;
	}
	begin[count] = sum;
	return sum;
}

// Filling has moved each begin to the begin of the next list.
static void restore_places( uint64_t* begin, uint32_t count )
{
	memmove( begin + 1, begin, count * sizeof *begin );
	begin[0] = 0;
}

static bv_status fill( bvwnear_job* job, const bvwnear_method* method, uint64_t most )
{
	uint32_t count = job->of.count;
	method->prepare( job );
	memset( job->begin, 0, ( (size_t)count + 1 ) * sizeof *job->begin );
	method->visit( job );
	uint64_t sum = make_places( job->begin, count );
	if ( sum > most )
	{
		return bv_error_memory;
	}
	uint64_t tests = job->tests;
	uint64_t steps = job->steps;
	job->is_filling = true;
	method->visit( job );
	job->tests = tests;
	job->steps = steps;
	restore_places( job->begin, count );
	for ( uint32_t i = 0; i < count && !method->sorts_lists; ++i )
	{
		bvworder_sort_numbers( job->neighbors + job->begin[i], job->begin[i + 1] - job->begin[i] );
	}
	return bv_ok;
}

bv_status bvw_neighbors_find( const bvw_particles* of, const bvw_particles* among,
                              const bvw_neighbors_options* options, void* memory, size_t bytes,
                              bvw_neighbors* lists )
{
	bvwnear_job job = { .is_self = !among };
	job.options = options ? *options : bvw_neighbors_options_default();
	if ( !of || !lists || !lists->begin || (uintptr_t)lists->begin % sizeof( uint64_t ) != 0 ||
	     (uintptr_t)lists->neighbors % sizeof( uint32_t ) != 0 || ( !lists->neighbors && lists->most > 0 ) ||
	     !set_up( of, &job.of ) || !set_up( among ? among : of, &job.among ) ||
	     !options_are_valid( &job.options ) || ( job.options.half && among ) )
	{
		return bv_error_argument;
	}
	size_t needed = bvw_neighbors_bytes( of->count, among ? among->count : 0, &job.options );
	if ( !memory || (uintptr_t)memory % 8 != 0 || !measure( &job ) )
	{
		return bv_error_argument;
	}
	if ( needed == 0 || bytes < needed )
	{
		return bv_error_memory;
	}
	job.is_periodic = has_period( &job.options );
	job.memory = memory;
	job.begin = lists->begin;
	job.neighbors = lists->neighbors;
	bv_status status = fill( &job, bvwnear_methods[job.options.method], lists->most );
	lists->count = lists->begin[of->count];
	lists->tests = job.tests;
	lists->steps = job.steps;
	lists->depth = job.depth;
	return status;
}
