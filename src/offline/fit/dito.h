// DiTO-14, for points that come one by one: see obb_dito.c.

#pragma once

#include "bvbuild/fit.h"
#include "offline/fit/directions.h"
#include "runtime/math/vec.h"

enum
{
	bvfit_dito_directions = 7, // the coordinate axes and the cube's diagonals
};

/// The extremal points of a set along fixed directions, and how far along they are.
typedef struct bvfit_dito
{
	double lower[bvfit_dito_directions];
	double upper[bvfit_dito_directions];
	bv_vec3 lowest[bvfit_dito_directions];
	bv_vec3 highest[bvfit_dito_directions];
} bvfit_dito;

/// Begins with one point.
static inline void bvfit_dito_begin( bvfit_dito* d, bv_vec3 p )
{
	bvfit_project( p, bvfit_dito_directions, d->lower );
	bvfit_project( p, bvfit_dito_directions, d->upper );
	for ( int i = 0; i < bvfit_dito_directions; ++i )
	{
		d->lowest[i] = p;
		d->highest[i] = p;
	}
}

/// Adds a point.
static inline void bvfit_dito_add( bvfit_dito* d, bv_vec3 p )
{
	double along[bvfit_dito_directions];
	bvfit_project( p, bvfit_dito_directions, along );
	for ( int i = 0; i < bvfit_dito_directions; ++i )
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

/// @param axis  receives the frame of the least box round the extremal points among those of the
///              ditetrahedron
void bvfit_dito_axes( const bvfit_dito* d, bvb_box_objective objective, bv_vec3 axis[3] );
