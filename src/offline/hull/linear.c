// Linear programs in three variables, solved by the dual simplex method (Lemke 1954). The current vertex is
// the optimum for three of the constraints. The most violated constraint replaces one of the three, until no
// constraint is violated. The search starts with three sides of a cube.

#include "offline/hull/linear.h"

#include "runtime/math/vec.h"

#include <math.h>

// Three constraints as equations. The cost is the sum of their normals, each times its weight, none of which
// is negative.
typedef struct basis
{
	bvhull_constraint plane[3];
	double weight[3];
	bv_vec3 dual[3]; // what the planes' normals are orthonormal with
	bv_vec3 at;      // where they meet
} basis;

static bool meet( basis* b )
{
	double volume = bv_dot( b->plane[0].normal, bv_cross( b->plane[1].normal, b->plane[2].normal ) );
	b->at = ( bv_vec3 ){ 0 };
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 across = bv_cross( b->plane[( k + 1 ) % 3].normal, b->plane[( k + 2 ) % 3].normal );
		b->dual[k] = bv_scale( 1 / volume, across );
		b->at = bv_add( b->at, bv_scale( b->plane[k].least, b->dual[k] ) );
	}
	return bvmath_norm1( b->at ) < INFINITY;
}

// Takes a plane into the basis, for the one whose weight is the first to vanish while the new one's grows.
// @return false when no weight does: nothing fulfils the constraint and the basis' too
static bool exchange( basis* b, const bvhull_constraint* plane )
{
	double part[3];
	int leaving = -1;
	double weight = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		part[k] = bv_dot( plane->normal, b->dual[k] );
		if ( part[k] > 0x1p-30 && b->weight[k] < weight * part[k] )
		{
			weight = b->weight[k] / part[k];
			leaving = k;
		}
	}
	if ( leaving < 0 )
	{
		return false;
	}
	for ( int k = 0; k < 3; ++k )
	{
		b->weight[k] = k == leaving ? weight : bvmath_max( b->weight[k] - weight * part[k], 0 );
	}
	b->plane[leaving] = *plane;
	return meet( b );
}

// A side of the cube.
static bvhull_constraint cube_side( int axis, double direction, double reach )
{
	return ( bvhull_constraint ){
		{ axis == 0 ? direction : 0, axis == 1 ? direction : 0, axis == 2 ? direction : 0 }, -reach
	};
}

// @return whether there is a constraint that is violated by more than rounding
static bool find_worst( const bvhull_constraint* constraints, uint32_t count, double reach, bv_vec3 at,
                        bvhull_constraint* out )
{
	double most = 0x1p-43 * reach;
	uint32_t worst = count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		double missing = constraints[i].least - bv_dot( constraints[i].normal, at );
		worst = missing > most ? i : worst;
		most = bvmath_max( missing, most );
	}
	bool found = worst < count;
	if ( found )
	{
		*out = constraints[worst];
	}
	for ( int k = 0; k < 3; ++k )
	{
		double coordinate = bvmath_component( at, k );
		if ( fabs( coordinate ) - reach > most )
		{
			most = fabs( coordinate ) - reach;
			*out = cube_side( k, coordinate > 0 ? -1 : 1, reach );
			found = true;
		}
	}
	return found;
}

bool bvhull_solve_linear( bv_vec3 cost, const bvhull_constraint* constraints, uint32_t count, double reach,
                          bv_vec3* out )
{
	enum
	{
		most_steps = 100, // a few more than there ever are, unless rounding makes it go round in circles
	};
	basis b;
	for ( int k = 0; k < 3; ++k )
	{
		double along = bvmath_component( cost, k );
		b.plane[k] = cube_side( k, along < 0 ? -1 : 1, reach );
		b.weight[k] = fabs( along );
	}
	bvhull_constraint worst;
	bool possible = meet( &b );
	for ( int step = 0; step < most_steps && possible; ++step )
	{
		if ( !find_worst( constraints, count, reach, b.at, &worst ) )
		{
			*out = b.at;
			return true;
		}
		possible = exchange( &b, &worst );
	}
	return false;
}
