// The volumes of bounding volumes, and the directions of k-DOPs.

#include "bv/shape.h"
#include "runtime/math/vec.h"

#include <math.h>

double bv_aabb_volume( const bv_aabb* box )
{
	bv_vec3 size = bv_sub( box->upper, box->lower );
	return size.x * size.y * size.z;
}

static const double pi = 3.14159265358979323846;

double bv_sphere_volume( const bv_sphere* ball )
{
	return 4.0 / 3.0 * pi * ball->radius * ball->radius * ball->radius;
}

double bv_obb_volume( const bv_obb* box )
{
	return 8.0 * box->half_extents[0] * box->half_extents[1] * box->half_extents[2];
}

double bv_prism_volume( const bv_prism* prism )
{
	return bv_obb_volume( &prism->box ) / 2;
}

bv_vec3 bv_kdop_direction( uint32_t index )
{
	static const bv_vec3 directions[BV_KDOP_DIRECTIONS] = {
		{ 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 },  { 1, 1, -1 }, { 1, -1, 1 }, { 1, -1, -1 },
		{ 1, 1, 0 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, -1, 0 }, { 1, 0, -1 }, { 0, 1, -1 },
	};
	return index < BV_KDOP_DIRECTIONS ? directions[index] : ( bv_vec3 ){ 0, 0, 0 };
}

bool bv_kdop_uses( uint32_t k, uint32_t index )
{
	switch ( k )
	{
	case 6: return index < 3;
	case 14: return index < 7;
	case 18: return index < 3 || ( 7 <= index && index < BV_KDOP_DIRECTIONS );
	case 26: return index < BV_KDOP_DIRECTIONS;
	default: return false;
	}
}

double bv_capsule_volume( const bv_capsule* capsule )
{
	bv_vec3 d = bv_sub( capsule->ends[1], capsule->ends[0] );
	double r = capsule->radius;
	return pi * r * r * ( sqrt( bv_dot( d, d ) ) + 4.0 / 3.0 * r );
}

double bv_cylinder_volume( const bv_cylinder* cylinder )
{
	bv_vec3 d = bv_sub( cylinder->ends[1], cylinder->ends[0] );
	return pi * cylinder->radius * cylinder->radius * sqrt( bv_dot( d, d ) );
}

// Steiner's formula: a flat convex set of area A and perimeter P swells to 2 A r + pi/2 P r^2 + 4/3 pi r^3.
double bv_rss_volume( const bv_rss* rss )
{
	double width = 2 * rss->half_extents[0];
	double height = 2 * rss->half_extents[1];
	double r = rss->radius;
	return r * ( 2 * width * height + pi * r * ( width + height + 4.0 / 3.0 * r ) );
}
