// Extremal points along fixed directions. See extremes.h.

#include "offline/fit/extremes.h"

// Component by component, so that one point's products stand side by side.
#define DIRECTIONS( c )                                                                                     \
	{                                                                                                       \
		c( 1, 0, 0 ), c( 0, 1, 0 ), c( 0, 0, 1 ), c( 1, 1, 0 ), c( 1, -1, 0 ), c( 1, 0, 1 ), c( 1, 0, -1 ), \
			c( 0, 1, 1 ), c( 0, 1, -1 ), c( 1, 1, 1 ), c( 1, 1, -1 ), c( 1, -1, 1 ), c( 1, -1, -1 ),        \
			c( 2, 1, 0 ), c( 2, -1, 0 ), c( 2, 0, 1 ), c( 2, 0, -1 ), c( 1, 2, 0 ), c( 1, -2, 0 ),          \
			c( 0, 2, 1 ), c( 0, 2, -1 ), c( 1, 0, 2 ), c( 1, 0, -2 ), c( 0, 1, 2 ), c( 0, 1, -2 ),          \
			c( 2, 1, 1 ), c( 2, 1, -1 ), c( 2, -1, 1 ), c( 2, -1, -1 ), c( 1, 2, 1 ), c( 1, 2, -1 ),        \
			c( 1, -2, 1 ), c( 1, -2, -1 ), c( 1, 1, 2 ), c( 1, 1, -2 ), c( 1, -1, 2 ), c( 1, -1, -2 ),      \
			c( 2, 2, 1 ), c( 2, 2, -1 ), c( 2, -2, 1 ), c( 2, -2, -1 ), c( 2, 1, 2 ), c( 2, 1, -2 ),        \
			c( 2, -1, 2 ), c( 2, -1, -2 ), c( 1, 2, 2 ), c( 1, 2, -2 ), c( 1, -2, 2 ), c( 1, -2, -2 )       \
	}
#define FIRST( x, y, z )  x
#define SECOND( x, y, z ) y
#define THIRD( x, y, z )  z

static const double direction_x[bvfit_extreme_directions] = DIRECTIONS( FIRST );
static const double direction_y[bvfit_extreme_directions] = DIRECTIONS( SECOND );
static const double direction_z[bvfit_extreme_directions] = DIRECTIONS( THIRD );

static void measure( bv_vec3 p, double along[bvfit_extreme_directions] )
{
	for ( int i = 0; i < bvfit_extreme_directions; ++i )
	{
		along[i] = ( direction_x[i] * p.x + direction_y[i] * p.y ) + direction_z[i] * p.z;
	}
}

void bvfit_extremes_begin( bvfit_extremes* e, bv_vec3 p )
{
	measure( p, e->lower );
	measure( p, e->upper );
	for ( int i = 0; i < bvfit_extreme_directions; ++i )
	{
		e->lowest[i] = p;
		e->highest[i] = p;
	}
}

void bvfit_extremes_add( bvfit_extremes* e, bv_vec3 p )
{
	double along[bvfit_extreme_directions];
	measure( p, along );
	for ( int i = 0; i < bvfit_extreme_directions; ++i )
	{
		if ( along[i] < e->lower[i] )
		{
			e->lower[i] = along[i];
			e->lowest[i] = p;
		}
		if ( along[i] > e->upper[i] )
		{
			e->upper[i] = along[i];
			e->highest[i] = p;
		}
	}
}
