// Weights of faces by their depth below the hull. See exposure.h.
//
// The depth is the least, over directions spread evenly, of how much farther the mesh reaches than the face
// does. It needs no hull. Corners and edges of the hull have none, but what is amidst a flat side has some,
// because no direction is just the side's: that is as it should be, for corners and edges are met more often.
// Where the directions are those of a grid, sides normal to the axes count in full, and half of the gain is
// lost.

#include "offline/hierarchy/exposure.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	directions = 128,
};

// How often what is inside is looked at, as a share; and the depth at which the rest has fallen to 3 / 8, as
// a share of the mesh's diagonal. With half of the depth trees cost 2 % more, with twice as much 0.6 %; other
// shares make no difference.
static const double inside = 0.05;
static const double depth_share = 0.025;

// Of the golden angle, by which neighbors on the spiral of directions are turned (E. B. Saff, A. B. J.
// Kuijlaars, "Distributing many points on a sphere", 1997).
static const double golden_cosine = -0.73736887807831963;
static const double golden_sine = 0.67549029426152396;

static double reach( const bvfit_face* face, bv_vec3 direction )
{
	return bvmath_max(
		bvmath_max( bv_dot( direction, face->corner[0] ), bv_dot( direction, face->corner[1] ) ),
		bv_dot( direction, face->corner[2] ) );
}

static void look_from( const bvfit_face* faces, uint32_t count, bv_vec3 direction, float* depth )
{
	double farthest = reach( faces, direction );
	for ( uint32_t i = 1; i < count; ++i )
	{
		farthest = bvmath_max( farthest, reach( faces + i, direction ) );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		depth[i] = (float)bvmath_min( depth[i], farthest - reach( faces + i, direction ) );
	}
}

static double diagonal_of( const bvfit_face* faces, uint32_t count )
{
	bv_vec3 lower = faces[0].corner[0];
	bv_vec3 upper = lower;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = faces[i].corner[k];
			lower = ( bv_vec3 ){ bvmath_min( lower.x, p.x ), bvmath_min( lower.y, p.y ),
				                 bvmath_min( lower.z, p.z ) };
			upper = ( bv_vec3 ){ bvmath_max( upper.x, p.x ), bvmath_max( upper.y, p.y ),
				                 bvmath_max( upper.z, p.z ) };
		}
	}
	bv_vec3 d = bv_sub( upper, lower );
	return sqrt( bv_dot( d, d ) );
}

// Nearly exp( -x ), with arithmetic that is the same everywhere.
static double fall( double x )
{
	return 1 / ( 1 + x * ( 1 + x * ( 1.0 / 2 + x * ( 1.0 / 6 ) ) ) );
}

void bvhier_expose( const bvfit_face* faces, uint32_t count, float* out )
{
	double scale = depth_share * diagonal_of( faces, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] = INFINITY;
	}
	double x = 1;
	double y = 0;
	for ( int i = 0; i < directions; ++i )
	{
		double z = 1 - ( 2 * i + 1.0 ) / directions;
		double r = sqrt( 1 - z * z );
		look_from( faces, count, ( bv_vec3 ){ r * x, r * y, z }, out );
		double turned = golden_cosine * x - golden_sine * y;
		y = golden_sine * x + golden_cosine * y;
		x = turned;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] = (float)( inside + ( 1 - inside ) * ( scale > 0 ? fall( out[i] / scale ) : 1 ) );
	}
}
