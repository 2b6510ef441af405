// Distances of several points at once to one triangle or one box. See distance.h.

#include "offline/hausdorff/distance.h"

// Compiled a second time for processors with wide vectors, which are found out about when the program starts.
// Both give the same bits: no operation is fused or reordered.
#if defined( __GNUC__ ) && !defined( __clang__ ) && defined( __x86_64__ ) && defined( __linux__ ) && \
	!defined( __SANITIZE_ADDRESS__ )
#define bvb_for_wide_vectors __attribute__( ( target_clones( "avx2", "default" ) ) )
#else
#define bvb_for_wide_vectors
#endif

// What is smaller has no inverse that is a number.
static const double least_square = 0x1p-1000;

bvhaus_framed_triangle bvhaus_frame_triangle( const bv_vec3 corner[3] )
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
	bvhaus_framed_triangle t = { .origin = a, .length = sqrt( longest ) };
	// Of a point, any axis.
	t.u = t.length > 0 ? bv_scale( 1 / t.length, side ) : ( bv_vec3 ){ 1, 0, 0 };

	// Twice, because in thin triangles the first difference is mostly rounding.
	t.apex_u = bv_dot( apex, t.u );
	bv_vec3 across = bv_sub( apex, bv_scale( t.apex_u, t.u ) );
	across = bv_sub( across, bv_scale( bv_dot( across, t.u ), t.u ) );
	double height = sqrt( bv_dot( across, across ) );
	// Of corners on a line, this is rounding of rounding, and has no direction.
	height = height > 0x1p-60 * t.length ? height : 0;
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
	t.inverse_square_a = square_a > least_square ? 1 / square_a : 0;
	t.inverse_square_b = square_b > least_square ? 1 / square_b : 0;
	return t;
}

static inline bv_vec3 point_at( const bvhaus_points* points, int column )
{
	return ( bv_vec3 ){ points->x[column], points->y[column], points->z[column] };
}

static inline void triangle_group( const bvhaus_framed_triangle* t, const bvhaus_points* points, int first,
                                   double* restrict row )
{
	for ( int i = first; i < first + bvhaus_lanes; ++i )
	{
		row[i] = bvhaus_triangle_distance( t, point_at( points, i ) );
	}
}

bvb_for_wide_vectors void bvhaus_triangle_row( const bvhaus_framed_triangle* restrict triangle,
                                               const bvhaus_points* restrict points, int first, int count,
                                               double row[restrict bvhaus_row] )
{
	// A single group, as most cuts make, needs no registers for what is the same in all of them.
	if ( count <= bvhaus_lanes )
	{
		triangle_group( triangle, points, first, row );
		return;
	}
	for ( int i = first; i < first + count; i += bvhaus_lanes )
	{
		triangle_group( triangle, points, i, row );
	}
}

bv_vec3 bvhaus_nearest_on_triangle( const bvhaus_framed_triangle* t, bv_vec3 point )
{
	bv_vec3 d = bv_sub( point, t->origin );
	double s = bv_dot( d, t->u );
	double r = bv_dot( d, t->v );
	if ( bvhaus_square_in_plane( t, s, r ) > 0 )
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
			double along =
				square > 0 ? bvhaus_clamp( ( ( s - u[i] ) * du + ( r - v[i] ) * dv ) / square, 1 ) : 0;
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

bvb_for_wide_vectors void bvhaus_box_row( const bvhaus_solid_box* restrict box,
                                          const bvhaus_points* restrict points, int first, int count,
                                          double row[restrict bvhaus_row] )
{
	int end = first + bvhaus_whole_groups( count );
	for ( int i = first; i < end; ++i )
	{
		row[i] = bvhaus_box_distance( box, point_at( points, i ) );
	}
}
