// Distances of several points at once to one triangle or one box. See distance.h.
//
// Everything is free of branches, so that compilers make vector instructions of the loops.

#include "hausdorff/distance.h"

#include "base/core/vec.h"

#include <math.h>

// Compiled a second time for processors with wide vectors, which are found out about when the program starts. Both give the
// same bits: no operation is fused or reordered.
#if defined( __GNUC__ ) && !defined( __clang__ ) && defined( __x86_64__ ) && defined( __linux__ ) && \
	!defined( __SANITIZE_ADDRESS__ )
#define bvb_for_wide_vectors __attribute__( ( target_clones( "avx2", "default" ) ) )
#else
#define bvb_for_wide_vectors
#endif

// The larger one of a number and 0, exactly, where compilers make a branch of the comparison.
static inline double positive( double x )
{
	return 0.5 * ( x + fabs( x ) );
}

static inline double clamp( double x, double upper )
{
	return bv_min( positive( x ), upper );
}

bvb_framed_triangle bvb_frame_triangle( const bv_vec3 corner[3] )
{
	int first = 0;
	double longest = -1;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 side = bv_sub( corner[( i + 1 ) % 3], corner[i] );
		double square = bv_dot( side, side );
		if ( square > longest )
		{
			longest = square;
			first = i;
		}
	}
	bv_vec3 a = corner[first];
	bv_vec3 side = bv_sub( corner[( first + 1 ) % 3], a );
	bv_vec3 apex = bv_sub( corner[( first + 2 ) % 3], a );
	bvb_framed_triangle t = { .origin = a, .length = sqrt( longest ) };
	t.u = bv_scale( 1 / t.length, side );

	// Twice, because in thin triangles the first difference is mostly rounding.
	t.apex_u = bv_dot( apex, t.u );
	bv_vec3 across = bv_sub( apex, bv_scale( t.apex_u, t.u ) );
	across = bv_sub( across, bv_scale( bv_dot( across, t.u ), t.u ) );
	double height = sqrt( bv_dot( across, across ) );
	if ( height > 0 )
	{
		t.v = bv_scale( 1 / height, across );
	}
	else
	{
		bv_vec3 other = fabs( t.u.x ) < 0.6 ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
		t.v = bv_cross( t.u, other );
		t.v = bv_scale( 1 / sqrt( bv_dot( t.v, t.v ) ), t.v );
	}
	t.apex_v = height;
	t.normal = bv_cross( t.u, t.v );

	double from_end = t.apex_u - t.length;
	double square_a = t.apex_u * t.apex_u + height * height;
	double square_b = from_end * from_end + height * height;
	t.inverse_square_a = square_a > 0 ? 1 / square_a : 0;
	t.inverse_square_b = square_b > 0 ? 1 / square_b : 0;
	return t;
}

// The squared distance within the plane, 0 for points above or below the triangle.
static inline double square_in_plane( const bvb_framed_triangle* t, double s, double r )
{
	double on_side = s - clamp( s, t->length );
	double square = on_side * on_side + r * r;

	double along = clamp( ( s * t->apex_u + r * t->apex_v ) * t->inverse_square_a, 1 );
	double du = s - along * t->apex_u;
	double dv = r - along * t->apex_v;
	square = bv_min( square, du * du + dv * dv );

	double end_u = t->apex_u - t->length;
	double end_s = s - t->length;
	along = clamp( ( end_s * end_u + r * t->apex_v ) * t->inverse_square_b, 1 );
	du = end_s - along * end_u;
	dv = r - along * t->apex_v;
	square = bv_min( square, du * du + dv * dv );

	double inside = bv_min( bv_min( r, s * t->apex_v - r * t->apex_u ), r * end_u - end_s * t->apex_v );
	return inside >= 0 ? 0 : square;
}

static inline double triangle_distance( const bvb_framed_triangle* t, double x, double y, double z )
{
	x -= t->origin.x;
	y -= t->origin.y;
	z -= t->origin.z;
	double s = ( x * t->u.x + y * t->u.y ) + z * t->u.z;
	double r = ( x * t->v.x + y * t->v.y ) + z * t->v.z;
	double h = ( x * t->normal.x + y * t->normal.y ) + z * t->normal.z;
	return sqrt( square_in_plane( t, s, r ) + h * h );
}

static inline void triangle_group( const bvb_framed_triangle* t, const bvb_points* points, int first,
                                   double* restrict row )
{
	for ( int i = first; i < first + bvb_lanes; ++i )
	{
		row[i] = triangle_distance( t, points->x[i], points->y[i], points->z[i] );
	}
}

bvb_for_wide_vectors void bvb_triangle_row( const bvb_framed_triangle* restrict triangle,
                                            const bvb_points* restrict points, int first, int count,
                                            double row[restrict bvb_row] )
{
	// A single group, as most cuts make, needs no registers for what is the same in all of them.
	if ( count <= bvb_lanes )
	{
		triangle_group( triangle, points, first, row );
		return;
	}
	for ( int i = first; i < first + count; i += bvb_lanes )
	{
		triangle_group( triangle, points, i, row );
	}
}

double bvb_triangle_distance( const bvb_framed_triangle* t, bv_vec3 point )
{
	return triangle_distance( t, point.x, point.y, point.z );
}

bv_vec3 bvb_nearest_on_triangle( const bvb_framed_triangle* t, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, t->origin );
	double s = bv_dot( d, t->u );
	double r = bv_dot( d, t->v );
	if ( square_in_plane( t, s, r ) > 0 )
	{
		// On one of the three sides, each from ( u, v ) to the next.
		double u[4] = { 0, t->length, t->apex_u, 0 };
		double v[4] = { 0, 0, t->apex_v, 0 };
		double least = INFINITY;
		double at_s = s;
		double at_r = r;
		for ( int i = 0; i < 3; ++i )
		{
			double du = u[i + 1] - u[i];
			double dv = v[i + 1] - v[i];
			double square = du * du + dv * dv;
			double along = square > 0 ? clamp( ( ( s - u[i] ) * du + ( r - v[i] ) * dv ) / square, 1 ) : 0;
			double off_s = s - ( u[i] + along * du );
			double off_r = r - ( v[i] + along * dv );
			if ( off_s * off_s + off_r * off_r < least )
			{
				least = off_s * off_s + off_r * off_r;
				at_s = u[i] + along * du;
				at_r = v[i] + along * dv;
			}
		}
		s = at_s;
		r = at_r;
	}
	return bv_add( t->origin, bv_add( bv_scale( s, t->u ), bv_scale( r, t->v ) ) );
}

static inline double outside( double coordinate, double half_extent )
{
	return positive( fabs( coordinate ) - half_extent );
}

static inline double box_square( const bvb_solid_box* b, double x, double y, double z )
{
	x -= b->center.x;
	y -= b->center.y;
	z -= b->center.z;
	double d0 = outside( ( x * b->axis[0].x + y * b->axis[0].y ) + z * b->axis[0].z, b->half_extents[0] );
	double d1 = outside( ( x * b->axis[1].x + y * b->axis[1].y ) + z * b->axis[1].z, b->half_extents[1] );
	double d2 = outside( ( x * b->axis[2].x + y * b->axis[2].y ) + z * b->axis[2].z, b->half_extents[2] );
	return ( d0 * d0 + d1 * d1 ) + d2 * d2;
}

bvb_for_wide_vectors void bvb_box_row( const bvb_solid_box* restrict box, const bvb_points* restrict points,
                                       int first, int count, double row[restrict bvb_row] )
{
	int end = first + bvb_whole_groups( count );
	for ( int i = first; i < end; ++i )
	{
		row[i] = sqrt( box_square( box, points->x[i], points->y[i], points->z[i] ) );
	}
}

double bvb_box_distance( const bvb_solid_box* box, bv_vec3 point )
{
	return sqrt( box_square( box, point.x, point.y, point.z ) );
}

double bvb_box_square( const bvb_solid_box* box, bv_vec3 point )
{
	return box_square( box, point.x, point.y, point.z );
}
