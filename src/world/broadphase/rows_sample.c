// How the objects of a world are spread, estimated from some of them.

#include "world/broadphase/rows_update.h"

#include "runtime/math/round.h"

#include <math.h>

static double component( const bv_vec3* v, int axis )
{
	return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// All numbers if they are few, else some at random: objects can be numbered in any order.
static uint32_t number_of_sample( const bvw_broadphase* world, uint32_t k, uint32_t* random )
{
	*random = *random * UINT32_C( 1664525 ) + UINT32_C( 1013904223 );
	return world->highest <= bvwphase_row_samples ? k
	                                              : (uint32_t)( (uint64_t)*random * world->highest >> 32 );
}

bvwphase_row_sample bvwphase_row_sample_of( const bvw_broadphase* world, int axis )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_row_sample s = { .count = 0 };
	uint32_t random = 1;
	for ( uint32_t n = 0; n < bvwphase_row_samples && n < world->highest; ++n )
	{
		uint32_t number = number_of_sample( world, n, &random );
		if ( !( objects[number].state & bvwphase_is_live ) )
		{
			continue;
		}
		// As they are compared.
		double lower = bvmath_float_down( component( &objects[number].box.lower, axis ) );
		double upper = bvmath_float_up( component( &objects[number].box.upper, axis ) );
		if ( !( lower > -INFINITY && upper < INFINITY ) )
		{
			++s.infinite;
			continue;
		}
		uint32_t k = s.count++;
		for ( ; k > 0 && s.of[k - 1].lower > lower; --k )
		{
			s.of[k] = s.of[k - 1];
		}
		s.of[k] = ( bvwphase_row_interval ){ lower, upper, number };
	}
	return s;
}

double bvwphase_row_spread( const bvwphase_row_sample* s )
{
	double spread = s->count > 0 ? s->of[s->count - 1 - s->count / 4].lower - s->of[s->count / 4].lower : 0;
	return s->infinite > s->count ? -1 : spread;
}

// An object can be in the sample twice. Two pairs are added to those of the sample, which can have none by chance.
double bvwphase_row_tests( const bvwphase_row_sample* s, uint32_t count )
{
	uint32_t pairs = 2;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t j = i + 1; j < s->count && s->of[j].lower <= s->of[i].upper; ++j )
		{
			pairs += s->of[j].number != s->of[i].number;
		}
	}
	return (double)count * pairs / ( s->count * ( s->count + 1.0 ) );
}
