// How the objects of a world are spread, estimated from some of them.

#include "world/broadphase/rows_update.h"

#include <math.h>

static double component( const bv_vec3* v, int axis )
{
	return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

bvwphase_row_sample bvwphase_row_sample_of( const bvw_broadphase* world, int axis )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvwphase_row_sample s = { .count = 0 };
	// The numbers are not evenly spaced, because those of objects that are alike can be.
	uint32_t step = ( world->highest + bvwphase_row_samples - 1 ) / bvwphase_row_samples;
	uint32_t random = 1;
	for ( uint32_t from = 0; from < world->highest; from += step )
	{
		random = random * UINT32_C( 1664525 ) + UINT32_C( 1013904223 );
		uint32_t i = from + (uint32_t)( (uint64_t)random * step >> 32 );
		if ( i >= world->highest || !( objects[i].state & bvwphase_is_live ) )
		{
			continue;
		}
		double lower = component( &objects[i].box.lower, axis );
		double upper = component( &objects[i].box.upper, axis );
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
		s.of[k] = ( bvwphase_row_interval ){ lower, upper };
	}
	return s;
}

double bvwphase_row_spread( const bvwphase_row_sample* s )
{
	double spread = s->count > 0 ? s->of[s->count - 1 - s->count / 4].lower - s->of[s->count / 4].lower : 0;
	return s->infinite > s->count ? -1 : spread;
}

// Two pairs are added to those of the sample, which can have none by chance.
double bvwphase_row_tests( const bvwphase_row_sample* s, uint32_t count )
{
	uint32_t pairs = 2;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t j = i + 1; j < s->count && s->of[j].lower <= s->of[i].upper; ++j )
		{
			++pairs;
		}
	}
	return (double)count * pairs / ( s->count * ( s->count + 1.0 ) );
}
