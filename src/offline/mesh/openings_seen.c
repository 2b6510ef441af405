// The solid angle of what closes a surface, and how often a ray leaves by it. See openings.h.

#include "offline/mesh/openings.h"

#include "offline/base/exact.h"
#include "offline/mesh/seen.h"
#include "runtime/math/angle.h"
#include "runtime/math/vec.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static bool is_in( const bvmesh_cap* cap, bv_vec3 p )
{
	return p.x >= cap->lower.x && p.y >= cap->lower.y && p.z >= cap->lower.z && p.x <= cap->upper.x &&
	       p.y <= cap->upper.y && p.z <= cap->upper.z;
}

static bool is_next_to_side( const bvmesh_cap* cap, bv_vec3 p )
{
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 side = bv_sub( cap->corner[( i + 1 ) % 3], cap->corner[i] );
		bv_vec3 d = bv_sub( p, cap->corner[i] );
		double square = bv_dot( side, side );
		double along = square > 0 ? bvmath_max( 0, bvmath_min( bv_dot( d, side ) / square, 1 ) ) : 0;
		bv_vec3 off = bv_sub( d, bv_scale( along, side ) );
		if ( bv_dot( off, off ) <= cap->margin * cap->margin )
		{
			return true;
		}
	}
	return false;
}

// Half the solid angle of a cap that is next to a point. Of the two ends of the range rounding would choose
// one, here it is the one on whose side the point is, as for rays. Returns false next to the cap's sides,
// where much depends on little, and in its plane.
static bool angle_of_near( const bvmesh_cap* cap, bv_vec3 p, double* angle )
{
	double side = bvbase_orient3d( cap->corner[0], cap->corner[1], cap->corner[2], p );
	*angle = side < 0 ? fabs( *angle ) : -fabs( *angle );
	return side != 0 && !is_next_to_side( cap, p );
}

// Half a sum of solid angles: an angle, and that of a product of complex numbers.
typedef struct angle_sum
{
	double angle;
	double real;
	double imaginary;
	int factors;
} angle_sum;

static void take_product( angle_sum* sum )
{
	sum->angle += bvmath_atan2( sum->imaginary, sum->real );
	sum->real = 1;
	sum->imaginary = 0;
	sum->factors = 0;
}

// Angles of complex numbers add up in their product, and one arc tangent is enough for several. Where the sum of
// two angles leaves the range from -pi to pi, both have the same sign and that of the product the other one.
static void multiply( angle_sum* sum, double real, double imaginary )
{
	enum
	{
		most_factors = 8,
	};
	double product = sum->real * imaginary + sum->imaginary * real;
	if ( sum->imaginary > 0 && imaginary > 0 && product < 0 )
	{
		sum->angle += 2 * pi;
	}
	if ( sum->imaginary < 0 && imaginary < 0 && product > 0 )
	{
		sum->angle -= 2 * pi;
	}
	// The arc tangent of a product that cancels to zero is to have the side of the factors that are counted.
	product = product == 0 ? copysign( 0, sum->imaginary ) : product;
	sum->real = sum->real * real - sum->imaginary * imaginary;
	sum->imaginary = product;
	sum->factors += 1;
	if ( sum->factors == most_factors || product == 0 )
	{
		take_product( sum );
	}
}

// Adds half the solid angle of a cap by the formula of van Oosterom and Strackee 1983. Both parts of its complex
// number are off by less than 2^-49 of the product of the corners' distances. So the angle is off by less than
// 2^-41 if the number is not smaller than 2^-8 of that product. Returns false if it is, or if a product of eight
// may be out of range.
static bool multiply_by_cap( angle_sum* sum, double times, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	double a_length = sqrt( bv_dot( a, a ) );
	double b_length = sqrt( bv_dot( b, b ) );
	double c_length = sqrt( bv_dot( c, c ) );
	double lengths = a_length * b_length * c_length;
	double imaginary = bv_dot( a, bv_cross( b, c ) );
	double real =
		lengths + ( bv_dot( a, b ) * c_length + bv_dot( b, c ) * a_length + bv_dot( c, a ) * b_length );
	double square = real * real + imaginary * imaginary;
	bool good = square >= 0x1p-16 * ( lengths * lengths ) && lengths > 0x1p-100 && lengths < 0x1p100;
	if ( good && fabs( times ) == 1 )
	{
		multiply( sum, real, times * imaginary );
	}
	else if ( good )
	{
		sum->angle += times * bvmath_atan2( imaginary, real );
	}
	return good;
}

static bool is_next_to( const bvmesh_cap* cap, bv_vec3 p, bv_vec3 a )
{
	return is_in( cap, p ) && fabs( bv_dot( cap->normal, a ) ) <= cap->margin;
}

static bool add_angles( const bvmesh_openings* o, uint32_t first, uint32_t count, bv_vec3 p, bool fast,
                        angle_sum* sum )
{
	for ( uint32_t i = first; i < first + count; ++i )
	{
		const bvmesh_cap* cap = o->caps + i;
		bv_vec3 a = bv_sub( cap->corner[0], p );
		bv_vec3 b = bv_sub( cap->corner[1], p );
		bv_vec3 c = bv_sub( cap->corner[2], p );
		bool near = is_next_to( cap, p, a );
		if ( !near && fast && multiply_by_cap( sum, cap->times, a, b, c ) )
		{
			continue;
		}
		double angle = bvmesh_half_solid_angle( a, b, c );
		if ( near && !angle_of_near( cap, p, &angle ) )
		{
			return false;
		}
		sum->angle += cap->times * angle;
	}
	return true;
}

// The solid angle of a node's caps as their vector area and its moments have it.
// @param y  the node's center, from where it is seen
static double angle_of_moments( const bvmesh_opening* n, bv_vec3 y, double d )
{
	double cube = 1 / ( d * d * d );
	double trace = n->area_xx + n->area_yy + n->area_zz;
	double form = n->area_xx * y.x * y.x + n->area_yy * y.y * y.y + n->area_zz * y.z * y.z +
	              2 * ( n->area_xy * y.x * y.y + n->area_xz * y.x * y.z + n->area_yz * y.y * y.z );
	return cube * ( bv_dot( n->area, y ) + trace - 3 * form / ( d * d ) );
}

// The solid angles of all caps. The nodes' errors add up to less than is allowed: each has the share of it
// that its edges have of all edges' length.
static bool sum_of_angles( const bvmesh_openings* o, bv_vec3 p, const bvmesh_accuracy* accuracy, double* sum,
                           double* error, uint64_t* work )
{
	angle_sum half = { .real = 1 };
	double share = 4 * pi * accuracy->error / o->nodes[0].length;
	*error = 0;
	for ( uint32_t i = 0; i < o->node_count; )
	{
		const bvmesh_opening* n = o->nodes + i;
		bv_vec3 y = bv_sub( n->center, p );
		double d = sqrt( bv_dot( y, y ) );
		double left = d - n->radius;
		*work += 1;
		if ( left > 0 )
		{
			double square = left * left;
			double rest = 3 * n->area_spread / ( square * square );
			if ( rest <= share * n->length || n->radius <= accuracy->far * d )
			{
				half.angle += 0.5 * angle_of_moments( n, y, d );
				*error += rest;
				i = n->next;
				continue;
			}
		}
		*work += 2 * n->cap_count;
		if ( !add_angles( o, n->first_cap, n->cap_count, p, accuracy->products, &half ) )
		{
			return false;
		}
		++i;
	}
	take_product( &half );
	*sum = 2 * half.angle;
	return true;
}

// How often the ray along the first axis leaves by caps.
static double crossings_of( const bvmesh_openings* o, bv_vec3 p )
{
	double sum = 0;
	for ( uint32_t i = 0; i < o->node_count; )
	{
		const bvmesh_opening* n = o->nodes + i;
		if ( p.x > n->box.upper.x || p.y < n->box.lower.y || p.z < n->box.lower.z || p.y > n->box.upper.y ||
		     p.z > n->box.upper.z )
		{
			i = n->next;
			continue;
		}
		for ( uint32_t k = n->first_cap; k < n->first_cap + n->cap_count; ++k )
		{
			const bvmesh_cap* cap = o->caps + k;
			sum += cap->times * bvmesh_ray_crossing( cap->corner[0], cap->corner[1], cap->corner[2], p );
		}
		++i;
	}
	return sum;
}

bool bvmesh_openings_winding( const bvmesh_openings* o, bv_vec3 p, const bvmesh_accuracy* accuracy,
                              double* winding, double* error, uint64_t* work )
{
	double sum;
	*winding = *error = 0;
	if ( o->node_count == 0 )
	{
		return true;
	}
	if ( !sum_of_angles( o, p, accuracy, &sum, error, work ) )
	{
		return false;
	}
	*winding = sum / ( 4 * pi ) - crossings_of( o, p );
	*error /= 4 * pi;
	return true;
}
