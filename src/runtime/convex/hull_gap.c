// GJK between a convex hull and a triangle. See hull_gap.h.
//
// Points are taken relative to a corner of the triangle, so that rounding is relative to the size of both and
// their distance.

#include "runtime/convex/hull_gap.h"

#include "runtime/convex/gjk.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_advances = 64 // of Newton's method; each halves what is left at worst, where hulls graze
};

typedef struct hull_gap_search
{
	const bvconvex_hull* hull;
	bv_vec3 shift; // takes the hull's points to coordinates relative to the first corner
	bv_vec3 corner[3];
	double rounding; // bounds what is computed along a unit vector
} hull_gap_search;

static void begin_search( const bvconvex_hull* hull, const bv_vec3 corner[3], hull_gap_search* s )
{
	s->hull = hull;
	s->shift = bv_sub( hull->offset, corner[0] );
	double extent = 0;
	for ( int k = 0; k < 3; ++k )
	{
		s->corner[k] = bv_sub( corner[k], corner[0] );
		extent = bvmath_max( extent, bvmath_norm1( s->corner[k] ) );
	}
	double size = 0;
	if ( hull->support )
	{
		// What a support function computes errs by some units of rounding more than points do.
		size = bvmath_norm1( bv_add( hull->center, s->shift ) ) + hull->extent;
		s->rounding = 0x1p-46 * ( extent + size );
		return;
	}
	for ( uint32_t i = 0; i < hull->count; ++i )
	{
		size = bvmath_max( size, bvmath_norm1( bv_add( hull->points[i], s->shift ) ) );
	}
	s->rounding = 0x1p-48 * ( extent + size );
}

static inline bv_vec3 point_of( const hull_gap_search* s, uint32_t index )
{
	return bv_add( s->hull->points[index], s->shift );
}

BVSIMD_INLINE bvconvex_support hull_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const hull_gap_search* s = shape;
	uint32_t best = 0;
	double greatest = bv_dot( *along, point_of( s, 0 ) );
	for ( uint32_t i = 1; i < s->hull->count; ++i )
	{
		double at = bv_dot( *along, point_of( s, i ) );
		if ( at > greatest )
		{
			greatest = at;
			best = i;
		}
	}
	return ( bvconvex_support ){ point_of( s, best ), best };
}

BVSIMD_INLINE bvconvex_support triangle_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const hull_gap_search* s = shape;
	uint32_t best = 0;
	double greatest = bv_dot( *along, s->corner[0] );
	for ( uint32_t k = 1; k < 3; ++k )
	{
		double at = bv_dot( *along, s->corner[k] );
		if ( at > greatest )
		{
			greatest = at;
			best = k;
		}
	}
	return ( bvconvex_support ){ s->corner[best], best };
}

static bvconvex_support shape_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const hull_gap_search* s = shape;
	bvconvex_support out = s->hull->support( s->hull->shape, along, near );
	out.at = bv_add( out.at, s->shift );
	return out;
}

static void describe( const hull_gap_search* s, const bvconvex_gjk_simplex* nearest, bv_vec3 origin,
                      bvconvex_hull_gap* out )
{
	bv_vec3 of_hull = { 0, 0, 0 };
	bv_vec3 of_triangle = { 0, 0, 0 };
	out->weight[0] = out->weight[1] = out->weight[2] = 0;
	for ( int i = 0; i < nearest->count; ++i )
	{
		const uint32_t* name = nearest->vertex[i].name;
		if ( !s->hull->support )
		{
			of_hull = bv_add( of_hull, bv_scale( nearest->weight[i], point_of( s, name[0] ) ) );
		}
		of_triangle = bv_add( of_triangle, bv_scale( nearest->weight[i], s->corner[name[1]] ) );
		out->weight[name[1]] += nearest->weight[i];
	}
	of_hull = s->hull->support ? bv_add( of_triangle, nearest->nearest ) : of_hull;
	out->upper = sqrt( nearest->square );
	out->point[0] = bv_add( of_hull, origin );
	out->point[1] = bv_add( of_triangle, origin );
}

// Apart from the search between points, whose support functions are inlined.
static void find_by_support( const hull_gap_search* s, double enough, double relative,
                             bvconvex_gjk_result* out )
{
	bvconvex_gjk_pair pair = {
		{ shape_support, triangle_support }, { s, s }, s->rounding, bvconvex_gjk_solve
	};
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	bvconvex_gjk_vertex first = bvconvex_gjk_support( &pair, s->shift, none );
	bvconvex_gjk_distance( &pair, &first, enough, relative, out );
}

void bvconvex_hull_triangle_gap( const bvconvex_hull* hull, const bv_vec3 corner[3], double enough,
                                 double relative, bvconvex_hull_gap* out )
{
	hull_gap_search s;
	bvconvex_gjk_result found;
	begin_search( hull, corner, &s );
	if ( hull->support )
	{
		find_by_support( &s, enough, relative, &found );
	}
	else
	{
		bvconvex_gjk_pair pair = {
			{ hull_support, triangle_support }, { &s, &s }, s.rounding, bvconvex_gjk_solve
		};
		const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
		bvconvex_gjk_vertex first = bvconvex_gjk_support( &pair, s.shift, none );
		bvconvex_gjk_distance( &pair, &first, enough, relative, &found );
	}
	out->lower = found.lower;
	out->along = found.along;
	describe( &s, found.nearest, corner[0], out );
}

bool bvconvex_hull_meets_triangle( const bvconvex_hull* hull, double radius, bv_vec3 motion, double limit,
                                   double tolerance, const bv_vec3 corner[3], bvconvex_hull_cast* out )
{
	// The last step leaves a hundredth of what is left, so that few are taken and none is wasted on
	// exactness.
	static const double relative = 0.01;
	hull_gap_search s;
	begin_search( hull, corner, &s );
	tolerance = bvmath_max( tolerance, 16 * s.rounding + 0x1p-44 * radius );
	bv_vec3 along = { 0, 0, 0 };
	out->time = 0;
	for ( int advance = 0; advance < most_advances; ++advance )
	{
		bvconvex_hull moved = *hull;
		moved.offset = bv_add( hull->offset, bv_scale( out->time, motion ) );
		bvconvex_hull_triangle_gap( &moved, corner, radius + tolerance, relative, &out->gap );
		if ( !( out->gap.lower > radius ) || out->gap.upper <= radius + tolerance )
		{
			bvconvex_hull_triangle_gap( &moved, corner, 0, 0, &out->gap );
			// The direction between points so close to each other would be that of their rounding errors. The
			// slab of the step before has closed by now.
			bool is_clear = out->gap.lower > 0x1p10 * s.rounding || ( advance == 0 && out->gap.lower > 0 );
			out->gap.along = is_clear ? out->gap.along : along;
			break;
		}
		along = out->gap.along;

		// The slab closes at this speed or a lower one.
		double speed = bv_dot( out->gap.along, motion ) + 0x1p-50 * bvmath_norm1( motion );
		double rest = ( out->gap.lower - radius ) * ( 1 - 0x1p-50 );
		if ( !( speed > 0 ) || !( rest <= speed * ( limit - out->time ) ) )
		{
			return false;
		}
		double time = out->time + rest / speed;
		if ( time == out->time )
		{
			break;
		}
		out->time = time;
	}
	return true;
}
