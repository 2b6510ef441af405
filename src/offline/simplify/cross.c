// Whether one triangle reaches behind another. See cross.h.
//
// Two triangles that are not in one plane meet where their intervals on the line of both planes overlap
// (Möller 1997). Which of two ends of intervals comes first is the sign of one determinant (Guigue, Devillers
// 2003, "Fast and robust triangle-triangle overlap test using orientation predicates"), here of each end with
// each.

#include "offline/simplify/cross.h"

#include "offline/base/exact.h"

// Of a triangle's corners, the one that a plane parts from the two others.
static int alone( const double side[3] )
{
	int behind = ( side[0] < 0 ) + ( side[1] < 0 ) + ( side[2] < 0 );
	for ( int i = 0; i < 3; ++i )
	{
		if ( ( side[i] < 0 ) == ( behind == 1 ) )
		{
			return i;
		}
	}
	return 0;
}

// @return whether a plane has at least one of three corners strictly behind it, and not all of them
static bool is_parted( const double side[3] )
{
	int behind = ( side[0] < 0 ) + ( side[1] < 0 ) + ( side[2] < 0 );
	return behind == 1 || behind == 2;
}

bool bvsimplify_reaches_behind( const bv_vec3 t[3], const bv_vec3 q[3] )
{
	double of_q[3];
	double of_t[3];
	for ( int i = 0; i < 3; ++i )
	{
		of_q[i] = bvbase_orient3d( t[0], t[1], t[2], q[i] );
	}
	if ( !is_parted( of_q ) )
	{
		return false;
	}
	for ( int i = 0; i < 3; ++i )
	{
		of_t[i] = bvbase_orient3d( q[0], q[1], q[2], t[i] );
	}
	if ( !is_parted( of_t ) || !( of_t[0] > 0 || of_t[1] > 0 || of_t[2] > 0 ) )
	{
		return false;
	}

	// The line of both planes leaves t at two different points, and passes through its inside between them.
	// Where q's interval ends there or is a single point there, it is outside of that.
	int i = alone( of_t );
	int k = alone( of_q );
	int before = 0;
	int behind = 0;
	for ( int end = 0; end < 4; ++end )
	{
		double order = bvbase_orient3d( t[i], t[( i + 1 + end % 2 ) % 3], q[k], q[( k + 1 + end / 2 ) % 3] );
		before += order <= 0;
		behind += order >= 0;
	}
	return before < 4 && behind < 4;
}
