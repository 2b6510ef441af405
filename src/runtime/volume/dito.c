// DiTO-14, a fast heuristic for oriented boxes.
//
// Points that are extremal along seven directions represent the set. The two of them farthest apart and the one farthest from their line
// form a triangle. With the points farthest above and farthest beneath its plane, the triangle forms two tetrahedra with a common base. Each
// edge of each of their sides gives a candidate, together with the side's normal.
//
// Based on: T. Larsson, L. Kallberg, "Fast computation of tight-fitting oriented bounding boxes", Game Engine Gems 2, 2011.

#include "runtime/volume/dito.h"

#include "runtime/math/vec.h"

#include <math.h>

// Below this, relative to the triangle's longest edge, a height is mere rounding, and so is a sine of this.
static const double flat = 0x1p-40;

static void add( bvvol_dito_candidates* c, bv_vec3 edge, bv_vec3 normal )
{
	bv_vec3* axis = c->axis[c->count++];
	axis[0] = edge;
	axis[1] = bv_cross( normal, edge );
	axis[2] = normal;
}

// A side of one of the tetrahedra with its unit edges, one after the other; an edge of no length is null.
static void add_triangle( bvvol_dito_candidates* candidates, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	bv_vec3 normal = bv_cross( a, b );
	double square = bv_dot( normal, normal );

	// A sliver's normal is mere rounding.
	if ( square > flat * flat )
	{
		normal = bv_scale( 1 / sqrt( square ), normal );
		add( candidates, a, normal );
		add( candidates, b, normal );
		add( candidates, c, normal );
	}
}

// @return the null vector for itself
static bv_vec3 unit( bv_vec3 v )
{
	double square = bv_dot( v, v );
	return square > 0 ? bv_scale( 1 / sqrt( square ), v ) : v;
}

// The pair along one direction that is farthest apart.
static void find_base_edge( const bvvol_dito_candidates* c, bv_vec3 corner[2] )
{
	double farthest = -1;
	for ( int i = 0; i < bvvol_dito_directions; ++i )
	{
		bv_vec3 d = bv_sub( c->point[2 * i + 1], c->point[2 * i] );
		double square = bv_dot( d, d );
		if ( square > farthest )
		{
			farthest = square;
			corner[0] = c->point[2 * i];
			corner[1] = c->point[2 * i + 1];
		}
	}
}

// @return the distance from the line through `start`
static double find_farthest_from_line( const bvvol_dito_candidates* c, bv_vec3 start, bv_vec3 direction,
                                       bv_vec3* out )
{
	double farthest = -1;
	for ( int i = 0; i < bvvol_dito_points; ++i )
	{
		bv_vec3 across = bv_cross( direction, bv_sub( c->point[i], start ) );
		double square = bv_dot( across, across );
		if ( square > farthest )
		{
			farthest = square;
			*out = c->point[i];
		}
	}
	return sqrt( farthest );
}

static void find_apexes( const bvvol_dito_candidates* c, bv_vec3 start, bv_vec3 normal, double height[2],
                         bv_vec3 apex[2] )
{
	height[0] = 0;
	height[1] = 0;
	for ( int i = 0; i < bvvol_dito_points; ++i )
	{
		double h = bv_dot( normal, bv_sub( c->point[i], start ) );
		if ( h < height[0] )
		{
			height[0] = h;
			apex[0] = c->point[i];
		}
		if ( h > height[1] )
		{
			height[1] = h;
			apex[1] = c->point[i];
		}
	}
}

static void add_ditetrahedron( bvvol_dito_candidates* c, const bv_vec3 corner[3], const bv_vec3 edge[3],
                               double length )
{
	add_triangle( c, edge[0], edge[1], edge[2] );
	double height[2];
	bv_vec3 apex[2];
	find_apexes( c, corner[0], unit( bv_cross( edge[0], edge[1] ) ), height, apex );
	for ( int i = 0; i < 2; ++i )
	{
		if ( fabs( height[i] ) > flat * length )
		{
			bv_vec3 side[3];
			for ( int k = 0; k < 3; ++k )
			{
				side[k] = unit( bv_sub( apex[i], corner[k] ) );
			}
			add_triangle( c, edge[0], side[0], side[1] );
			add_triangle( c, edge[1], side[1], side[2] );
			add_triangle( c, edge[2], side[2], side[0] );
		}
	}
}

void bvvol_dito_list( const bvvol_dito* d, bvvol_dito_candidates* out )
{
	out->count = 0;
	for ( int i = 0; i < bvvol_dito_directions; ++i )
	{
		out->point[2 * i] = bv_sub( d->lowest[i], d->lowest[0] );
		out->point[2 * i + 1] = bv_sub( d->highest[i], d->lowest[0] );
	}
	find_base_edge( out, out->end );
	bv_vec3 corner[3] = { out->end[0], out->end[1], out->end[1] };
	bv_vec3 longest = bv_sub( corner[1], corner[0] );
	double length = sqrt( bv_dot( longest, longest ) );
	bv_vec3 edge[3] = { unit( longest ) };
	if ( length > 0 && find_farthest_from_line( out, corner[0], edge[0], corner + 2 ) > flat * length )
	{
		edge[1] = unit( bv_sub( corner[2], corner[1] ) );
		edge[2] = unit( bv_sub( corner[0], corner[2] ) );
		add_ditetrahedron( out, corner, edge, length );
	}
}

void bvvol_dito_orthogonal( bv_vec3 axis[3] )
{
	axis[2] = unit( bv_sub( axis[2], bv_scale( bv_dot( axis[0], axis[2] ), axis[0] ) ) );
	axis[1] = bv_cross( axis[2], axis[0] );
}
