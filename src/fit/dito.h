// DiTO-14, for points that come one by one: see obb_dito.c.

#pragma once

#include "base/core/vec.h"
#include "bvbuild/fit.h"
#include "fit/directions.h"

enum
{
	bvb_dito_directions = 7, // the coordinate axes and the cube's diagonals
};

/// The extremal points of a set along fixed directions, and how far along they are.
typedef struct bvb_dito
{
	double lower[bvb_dito_directions];
	double upper[bvb_dito_directions];
	bv_vec3 lowest[bvb_dito_directions];
	bv_vec3 highest[bvb_dito_directions];
} bvb_dito;

/// Begins with one point.
static inline void bvb_dito_begin( bvb_dito* d, bv_vec3 p )
{
	bvb_project( p, bvb_dito_directions, d->lower );
	bvb_project( p, bvb_dito_directions, d->upper );
	for ( int i = 0; i < bvb_dito_directions; ++i )
	{
		d->lowest[i] = p;
		d->highest[i] = p;
	}
}

/// Adds a point.
static inline void bvb_dito_add( bvb_dito* d, bv_vec3 p )
{
	double along[bvb_dito_directions];
	bvb_project( p, bvb_dito_directions, along );
	for ( int i = 0; i < bvb_dito_directions; ++i )
	{
		if ( along[i] < d->lower[i] )
		{
			d->lower[i] = along[i];
			d->lowest[i] = p;
		}
		if ( along[i] > d->upper[i] )
		{
			d->upper[i] = along[i];
			d->highest[i] = p;
		}
	}
}

/// @param axis  receives the frame of the least box round the extremal points among those of the ditetrahedron
void bvb_dito_axes( const bvb_dito* d, bvb_box_objective objective, bv_vec3 axis[3] );
