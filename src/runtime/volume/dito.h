// DiTO-14: candidates for the axes of a small oriented box around points that come one by one. See dito.c.

#pragma once

#include "runtime/volume/project.h"

enum
{
	bvvol_dito_directions = 7, ///< the coordinate axes and the cube's diagonals
	bvvol_dito_points = 2 * bvvol_dito_directions,
	bvvol_dito_most = 3 * 7, ///< candidates: edges of the sides of two tetrahedra
};

/// The extremal points of a set along fixed directions, and how far along they are.
typedef struct bvvol_dito
{
	double lower[bvvol_dito_directions];
	double upper[bvvol_dito_directions];
	bv_vec3 lowest[bvvol_dito_directions];
	bv_vec3 highest[bvvol_dito_directions];
} bvvol_dito;

/// Begins with one point.
static inline void bvvol_dito_begin( bvvol_dito* d, bv_vec3 p )
{
	bvvol_project( p, bvvol_dito_directions, d->lower );
	bvvol_project( p, bvvol_dito_directions, d->upper );
	for ( int i = 0; i < bvvol_dito_directions; ++i )
	{
		d->lowest[i] = p;
		d->highest[i] = p;
	}
}

/// Adds a point.
static inline void bvvol_dito_add( bvvol_dito* d, bv_vec3 p )
{
	double along[bvvol_dito_directions];
	bvvol_project( p, bvvol_dito_directions, along );
	for ( int i = 0; i < bvvol_dito_directions; ++i )
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

/// The candidates.
typedef struct bvvol_dito_candidates
{
	bv_vec3 point[bvvol_dito_points]; ///< the extremal points, relative to the first of them
	bv_vec3 end[2];                   ///< two of these that are far apart
	uint32_t count;                   ///< 0 if the points are on a line

	/// Of each a unit edge, a unit normal times that edge, and the normal. They are orthogonal up to the rounding of the normal, which is
	/// large for slivers: see bvvol_dito_orthogonal.
	bv_vec3 axis[bvvol_dito_most][3];
} bvvol_dito_candidates;

/// Finds all candidates.
void bvvol_dito_list( const bvvol_dito* d, bvvol_dito_candidates* out );

/// Makes the axes of a candidate orthonormal.
void bvvol_dito_orthogonal( bv_vec3 axis[3] );
