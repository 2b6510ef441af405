// Nearest points. See nearest.h.
//
// Rounding: the coordinates of a point in the frame of a triangle have an error of a few 2^-53 of the
// distances between the points, because the axes of the frame are also perpendicular up to that error.
// Rotating the height of a thin triangle about its base is equivalent to moving the third corner by 2^-53 of
// the base. For two lines at an angle w and a distance h, the parameters have an error of h 2^-53 / w along
// either line. This changes their distance by half the square of the error, divided by h. Because parameters
// are clamped to the segments, the change is at most 2^-53 of the segments' lengths for any w. All other
// errors are a few 2^-53 of the terms.

#include "runtime/triangle/nearest.h"

#include "runtime/math/vec.h"

#include <stdbool.h>

// What is smaller has no inverse that is a number.
static const double least_square = 0x1p-1000;

static double clamp( double x )
{
	return bvmath_max( 0, bvmath_min( 1, x ) );
}

static bv_vec3 between( bv_vec3 from, double t, bv_vec3 along )
{
	return bv_add( from, bv_scale( t, along ) );
}

// Twice, because in thin triangles the first difference is mostly rounding.
static inline void set_height( bv_vec3 corner, bv_vec3 start, double longest, bvtri_framed_triangle* out )
{
	bv_vec3 apex = bv_sub( corner, start );
	out->inverse_base = longest > least_square ? 1 / longest : 0;
	out->along = bv_dot( apex, out->base ) * out->inverse_base;
	bv_vec3 height = bv_sub( apex, bv_scale( out->along, out->base ) );
	double rest = bv_dot( height, out->base ) * out->inverse_base;
	out->height = bv_sub( height, bv_scale( rest, out->base ) );
	double square = bv_dot( out->height, out->height );
	out->inverse_height = square > least_square ? 1 / square : 0;
}

void bvtri_frame_triangle( const bv_vec3 corner[3], bvtri_framed_triangle* out )
{
	double longest = -1;
	out->start = 0;
	for ( int k = 0; k < 3; ++k )
	{
		out->corner[k] = corner[k];
		bv_vec3 side = bv_sub( corner[k == 2 ? 0 : k + 1], corner[k] );
		double square = bv_dot( side, side );
		if ( square > longest )
		{
			longest = square;
			out->start = k;
			out->base = side;
		}
	}
	set_height( corner[out->start == 0 ? 2 : out->start - 1], corner[out->start], longest, out );
}

static void set_side( const bv_vec3 corner[3], int k, double t, bvtri_nearest* out )
{
	int next = k == 2 ? 0 : k + 1;
	out->weight[k] = 1 - t;
	out->weight[next] = t;
	out->weight[k == 0 ? 2 : k - 1] = 0;
	out->feature = (bv_feature)( t <= 0   ? bv_feature_corner_0 + k
	                             : t >= 1 ? bv_feature_corner_0 + next
	                                      : bv_feature_edge_0 + k );
	out->point = t >= 1 ? corner[next] : between( corner[k], t, bv_sub( corner[next], corner[k] ) );
}

// @param side    of each corner to the next
// @param square  of its length
// @param way     from the corner to the point
static void find_on_sides( bv_vec3 point, const bv_vec3 corner[3], const bv_vec3 side[3],
                           const double square[3], const bv_vec3 way[3], bvtri_nearest* out )
{
	double t[3];
	double of[3];
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 end = corner[k == 2 ? 0 : k + 1];
		t[k] = square[k] > least_square ? clamp( bv_dot( way[k], side[k] ) / square[k] ) : 0;
		bv_vec3 rest = t[k] >= 1 ? bv_sub( point, end ) : bv_sub( way[k], bv_scale( t[k], side[k] ) );
		of[k] = bv_dot( rest, rest );
	}
	int best = of[1] < of[0] ? 1 : 0;
	best = of[2] < of[best] ? 2 : best;
	out->square = of[best];
	set_side( corner, best, t[best], out );
}

// @return whether the foot of the perpendicular is inside; else nothing is set
static inline bool find_on_face( bv_vec3 way, const bvtri_framed_triangle* t, bvtri_nearest* out )
{
	double at_base = bv_dot( way, t->base ) * t->inverse_base;
	double at_apex = bv_dot( way, t->height ) * t->inverse_height;
	double at_end = at_base - at_apex * t->along;
	double at_start = ( 1 - at_apex ) - at_end;
	if ( !( at_apex > 0 && at_end > 0 && at_start > 0 ) )
	{
		return false;
	}
	out->weight[t->start] = at_start;
	out->weight[t->start == 2 ? 0 : t->start + 1] = at_end;
	out->weight[t->start == 0 ? 2 : t->start - 1] = at_apex;
	out->feature = bv_feature_face;
	out->point = between( between( t->corner[t->start], at_base, t->base ), at_apex, t->height );
	bv_vec3 rest = bv_sub( bv_sub( way, bv_scale( at_base, t->base ) ), bv_scale( at_apex, t->height ) );
	out->square = bv_dot( rest, rest );
	return true;
}

// The sides of a triangle, and the ways from its corners to a point.
static inline void set_sides( bv_vec3 point, const bv_vec3 corner[3], bv_vec3 side[3], double square[3],
                              bv_vec3 way[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		side[k] = bv_sub( corner[k == 2 ? 0 : k + 1], corner[k] );
		square[k] = bv_dot( side[k], side[k] );
		way[k] = bv_sub( point, corner[k] );
	}
}

void bvtri_nearest_in_frame( bv_vec3 point, const bvtri_framed_triangle* t, bvtri_nearest* out )
{
	bv_vec3 side[3];
	bv_vec3 way[3];
	double square[3];
	if ( !find_on_face( bv_sub( point, t->corner[t->start] ), t, out ) )
	{
		set_sides( point, t->corner, side, square, way );
		find_on_sides( point, t->corner, side, square, way, out );
	}
}

// The same as with a frame, of which only what is needed is set.
void bvtri_nearest_on_triangle( bv_vec3 point, const bv_vec3 corner[3], bvtri_nearest* out )
{
	bvtri_framed_triangle t;
	bv_vec3 side[3];
	bv_vec3 way[3];
	double square[3];
	set_sides( point, corner, side, square, way );
	t.start = square[1] > square[0] ? 1 : 0;
	t.start = square[2] > square[t.start] ? 2 : t.start;
	t.base = side[t.start];
	set_height( corner[t.start == 0 ? 2 : t.start - 1], corner[t.start], square[t.start], &t );
	t.corner[t.start] = corner[t.start];
	if ( !find_on_face( way[t.start], &t, out ) )
	{
		find_on_sides( point, corner, side, square, way, out );
	}
}

void bvtri_nearest_on_segments( bv_vec3 p, bv_vec3 u, bv_vec3 q, bv_vec3 v, bvtri_nearest_pair* out )
{
	bv_vec3 r = bv_sub( q, p );
	bv_vec3 n = bv_cross( u, v );
	double uu = bv_dot( u, u );
	double vv = bv_dot( v, v );
	double nn = bv_dot( n, n );

	// For a point of the first the nearest of the second is exact, and the other way round where that is an
	// end.
	double s = nn > least_square ? clamp( bv_dot( bv_cross( r, v ), n ) / nn ) : 0;
	double at = s * bv_dot( u, v ) - bv_dot( r, v );
	double t = vv > least_square ? clamp( at / vv ) : 0;
	if ( !( 0 < t && t < 1 ) )
	{
		s = uu > least_square ? clamp( ( t * bv_dot( u, v ) + bv_dot( r, u ) ) / uu ) : 0;
	}
	out->s = s;
	out->t = t;
	out->a = between( p, s, u );
	out->b = between( q, t, v );
	bv_vec3 d = bv_sub( out->b, out->a );
	out->square = bv_dot( d, d );
}
