// Extremal points along the directions of the k-DOPs. See directions.h.

#include "offline/fit/directions.h"

#include <string.h>

// Extremal values and where they are met first.
typedef struct directions_extremes
{
	double lower[BV_KDOP_DIRECTIONS];
	double upper[BV_KDOP_DIRECTIONS];
	uint32_t lowest[BV_KDOP_DIRECTIONS];
	uint32_t highest[BV_KDOP_DIRECTIONS];
} directions_extremes;

// Inlined twice, so that the compiler knows how many directions there are.
static inline void find_extremes( const bv_vec3* points, uint32_t count, int directions,
                                  directions_extremes* e )
{
	*e = ( directions_extremes ){ .lowest = { 0 } };
	bvvol_project( points[0], directions, e->lower );
	memcpy( e->upper, e->lower, sizeof e->upper );
	for ( uint32_t p = 1; p < count; ++p )
	{
		double at[BV_KDOP_DIRECTIONS];
		bvvol_project( points[p], directions, at );
		for ( int i = 0; i < directions; ++i )
		{
			if ( at[i] < e->lower[i] )
			{
				e->lower[i] = at[i];
				e->lowest[i] = p;
			}
			if ( at[i] > e->upper[i] )
			{
				e->upper[i] = at[i];
				e->highest[i] = p;
			}
		}
	}
}

// Insertion sort of few numbers, leaving out what is there already.
static uint32_t sort_unique( const directions_extremes* e, int directions, uint32_t* out )
{
	uint32_t found = 0;
	for ( int i = 0; i < 2 * directions; ++i )
	{
		uint32_t p = i % 2 ? e->highest[i / 2] : e->lowest[i / 2];
		uint32_t place = found;
		while ( place > 0 && out[place - 1] > p )
		{
			--place;
		}
		if ( place == 0 || out[place - 1] != p )
		{
			memmove( out + place + 1, out + place, ( found - place ) * sizeof *out );
			out[place] = p;
			++found;
		}
	}
	return found;
}

uint32_t bvfit_extremal_points_14( const bv_vec3* points, uint32_t count, uint32_t out[bvfit_extremal_most] )
{
	directions_extremes e;
	find_extremes( points, count, 7, &e );
	return sort_unique( &e, 7, out );
}

uint32_t bvfit_extremal_points_26( const bv_vec3* points, uint32_t count, uint32_t out[bvfit_extremal_most] )
{
	directions_extremes e;
	find_extremes( points, count, BV_KDOP_DIRECTIONS, &e );
	return sort_unique( &e, BV_KDOP_DIRECTIONS, out );
}
