// Least rectangles. Of a triangle's the longest edge is a side.

#include "fit/obb.h"

#include <math.h>

// Any unit vector at right angles to a unit vector.
static bv_vec3 perpendicular( bv_vec3 v )
{
	// Crossed with the coordinate axis it is farthest from, so that the product is not small.
	double x = fabs( v.x );
	double y = fabs( v.y );
	double z = fabs( v.z );
	bv_vec3 axis = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
	bv_vec3 p = bv_cross( v, axis );
	return bv_scale( 1 / sqrt( bv_dot( p, p ) ), p );
}

void bvb_triangle_axes( const bv_vec3 corner[3], bv_vec3 axis[3] )
{
	bv_vec3 edge[3];
	double length[3];
	int longest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		edge[i] = bv_sub( corner[( i + 1 ) % 3], corner[i] );
		length[i] = bv_dot( edge[i], edge[i] );
		longest = length[i] > length[longest] ? i : longest;
	}
	if ( length[longest] == 0 )
	{
		axis[0] = ( bv_vec3 ){ 1, 0, 0 };
		axis[1] = ( bv_vec3 ){ 0, 1, 0 };
		axis[2] = ( bv_vec3 ){ 0, 0, 1 };
		return;
	}
	axis[0] = bv_scale( 1 / sqrt( length[longest] ), edge[longest] );
	bv_vec3 normal = bv_cross( axis[0], edge[( longest + 1 ) % 3] );
	double height = sqrt( bv_dot( normal, normal ) );

	// A sliver's normal may be mere rounding and lie along the edge: what is at right angles to the edge
	// counts.
	axis[2] = height > 0 ? bv_scale( 1 / height, normal ) : axis[0];
	axis[2] = bv_sub( axis[2], bv_scale( bv_dot( axis[0], axis[2] ), axis[0] ) );
	double rest = sqrt( bv_dot( axis[2], axis[2] ) );
	axis[2] = rest > 0.5 ? bv_scale( 1 / rest, axis[2] ) : perpendicular( axis[0] );
	axis[1] = bv_cross( axis[2], axis[0] );
}
