// Convex quadratic programs in three unknowns. See place.h.
//
// One half-space after the other is taken in. Where the best point so far violates the next one, the new best
// point is on its plane: the same program with one unknown less, over the half-spaces before it (R. Seidel,
// "Small-dimensional linear programming and convex hulls made easy", 1991, which holds for strictly convex
// functions as well).

#include "offline/simplify/place.h"

#include "runtime/math/vec.h"

#include <math.h>

static const double parallel = 1e-12; // sines below are taken for 0
static const double slack = 1e-13;    // so little outside of a half-space is on its plane

// A half-plane: dot( normal, y ) >= offset.
typedef struct half_plane
{
	double u;
	double v;
	double offset;
} half_plane;

// A program in a plane: half of y' square y, plus dot( linear, y ).
typedef struct flat_quadratic
{
	double uu;
	double uv;
	double vv;
	double u;
	double v;
} flat_quadratic;

static bv_vec3 multiply( const double m[3][3], bv_vec3 x )
{
	return ( bv_vec3 ){
		( m[0][0] * x.x + m[0][1] * x.y ) + m[0][2] * x.z,
		( m[1][0] * x.x + m[1][1] * x.y ) + m[1][2] * x.z,
		( m[2][0] * x.x + m[2][1] * x.y ) + m[2][2] * x.z,
	};
}

void bvsimplify_quadratic_add( bvsimplify_quadratic* f, const bvsimplify_half_space* plane, double weight )
{
	double n[3] = { plane->normal.x, plane->normal.y, plane->normal.z };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			f->square[i][k] += 2 * weight * ( n[i] * n[k] );
		}
	}
	f->linear = bv_sub( f->linear, bv_scale( 2 * weight * plane->offset, plane->normal ) );
}

// The least value anywhere, by Cholesky's factors.
static bv_vec3 lowest( const bvsimplify_quadratic* f )
{
	const double( *a )[3] = f->square;
	double l00 = sqrt( a[0][0] );
	double l10 = a[1][0] / l00;
	double l20 = a[2][0] / l00;
	double l11 = sqrt( a[1][1] - l10 * l10 );
	double l21 = ( a[2][1] - l20 * l10 ) / l11;
	double l22 = sqrt( a[2][2] - ( l20 * l20 + l21 * l21 ) );
	double y0 = -f->linear.x / l00;
	double y1 = ( -f->linear.y - l10 * y0 ) / l11;
	double y2 = ( -f->linear.z - ( l20 * y0 + l21 * y1 ) ) / l22;
	double z = y2 / l22;
	double y = ( y1 - l21 * z ) / l11;
	double x = ( y0 - ( l10 * y + l20 * z ) ) / l00;
	return ( bv_vec3 ){ x, y, z };
}

// On the line of `at`, within those before it.
static bool place_on_line( const flat_quadratic* f, const half_plane* planes, uint32_t at, double y[2] )
{
	double u0 = planes[at].u * planes[at].offset;
	double v0 = planes[at].v * planes[at].offset;
	double du = -planes[at].v;
	double dv = planes[at].u;
	double least = -INFINITY;
	double most = INFINITY;
	for ( uint32_t k = 0; k < at; ++k )
	{
		double slope = planes[k].u * du + planes[k].v * dv;
		double needed = planes[k].offset - ( planes[k].u * u0 + planes[k].v * v0 );
		if ( fabs( slope ) < parallel )
		{
			if ( needed > slack )
			{
				return false;
			}
			continue;
		}
		least = slope > 0 ? bvmath_max( least, needed / slope ) : least;
		most = slope < 0 ? bvmath_min( most, needed / slope ) : most;
	}
	double square = ( f->uu * du * du + 2 * f->uv * du * dv ) + f->vv * dv * dv;
	double linear = du * ( f->uu * u0 + f->uv * v0 + f->u ) + dv * ( f->uv * u0 + f->vv * v0 + f->v );
	double s = bvmath_min( bvmath_max( -linear / square, least ), most );
	y[0] = u0 + s * du;
	y[1] = v0 + s * dv;
	return least <= most + slack;
}

static bool place_in_plane( const flat_quadratic* f, const half_plane* planes, uint32_t count, double y[2] )
{
	double determinant = f->uu * f->vv - f->uv * f->uv;
	y[0] = ( f->uv * f->v - f->vv * f->u ) / determinant;
	y[1] = ( f->uv * f->u - f->uu * f->v ) / determinant;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( planes[i].u * y[0] + planes[i].v * y[1] < planes[i].offset - slack &&
		     !place_on_line( f, planes, i, y ) )
		{
			return false;
		}
	}
	return true;
}

// Two unit vectors at right angles to a third and to each other.
static void span( bv_vec3 n, bv_vec3* u, bv_vec3* v )
{
	double x = fabs( n.x );
	double y = fabs( n.y );
	double z = fabs( n.z );
	bv_vec3 axis = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
	*u = bv_cross( n, axis );
	*u = bv_scale( 1 / sqrt( bv_dot( *u, *u ) ), *u );
	*v = bv_cross( n, *u );
}

// On the plane of `at`, within those before it.
static bool place_on_plane( const bvsimplify_quadratic* f, const bvsimplify_half_space* spaces, uint32_t at,
                            half_plane* planes, bv_vec3* out )
{
	bv_vec3 u;
	bv_vec3 v;
	bv_vec3 origin = bv_scale( spaces[at].offset, spaces[at].normal );
	span( spaces[at].normal, &u, &v );
	uint32_t count = 0;
	for ( uint32_t k = 0; k < at; ++k )
	{
		double x = bv_dot( spaces[k].normal, u );
		double y = bv_dot( spaces[k].normal, v );
		double needed = spaces[k].offset - bv_dot( spaces[k].normal, origin );
		double length = sqrt( x * x + y * y );
		if ( length < parallel )
		{
			if ( needed > slack )
			{
				return false;
			}
			continue;
		}
		planes[count++] = ( half_plane ){ x / length, y / length, needed / length };
	}
	bv_vec3 slope = bv_add( multiply( f->square, origin ), f->linear );
	bv_vec3 square_u = multiply( f->square, u );
	bv_vec3 square_v = multiply( f->square, v );
	flat_quadratic flat = {
		.uu = bv_dot( u, square_u ),
		.uv = bv_dot( u, square_v ),
		.vv = bv_dot( v, square_v ),
		.u = bv_dot( slope, u ),
		.v = bv_dot( slope, v ),
	};
	double y[2];
	bool placed = place_in_plane( &flat, planes, count, y );
	*out = placed ? bv_add( origin, bv_add( bv_scale( y[0], u ), bv_scale( y[1], v ) ) ) : *out;
	return placed;
}

bool bvsimplify_place( const bvsimplify_quadratic* f, const bvsimplify_half_space* spaces, uint32_t count,
                       bv_vec3* out )
{
	half_plane planes[BVSIMPLIFY_MOST_HALF_SPACES];
	if ( count > BVSIMPLIFY_MOST_HALF_SPACES )
	{
		return false;
	}
	*out = lowest( f );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( bv_dot( spaces[i].normal, *out ) < spaces[i].offset - slack &&
		     !place_on_plane( f, spaces, i, planes, out ) )
		{
			return false;
		}
	}
	return true;
}
