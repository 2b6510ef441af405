// What makes one box better than another. See box_cost.h.

#include "offline/fit/box_cost.h"

#include "runtime/math/vec.h"

#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

bvfit_box_cost bvfit_box_cost_of( const double length[3], bvb_box_objective objective )
{
	// What is thinner than this is flat and its thickness mere rounding, by which no box is to be preferred.
	double least = 0x1p-40 * bvmath_max( bvmath_max( length[0], length[1] ), length[2] );
	double a = length[0] > least ? length[0] : 0;
	double b = length[1] > least ? length[1] : 0;
	double c = length[2] > least ? length[2] : 0;
	double volume = a * b * c;
	if ( objective == bvb_box_volume && volume > 0 )
	{
		return ( bvfit_box_cost ){ volume, 0, 0 };
	}
	double area = 2 * ( ( a * b + b * c ) + c * a );
	double diagonal = sqrt( ( a * a + b * b ) + c * c );
	switch ( objective )
	{
	case bvb_box_area: return ( bvfit_box_cost ){ area, 0, area > 0 ? 0 : diagonal };
	case bvb_box_diameter: return ( bvfit_box_cost ){ diagonal, 0, 0 };
	default: return ( bvfit_box_cost ){ 0, area, area > 0 ? 0 : diagonal };
	}
}

bool bvfit_box_cost_less( bvfit_box_cost a, bvfit_box_cost b )
{
	if ( a.first != b.first )
	{
		return a.first < b.first;
	}
	return a.second != b.second ? a.second < b.second : a.third < b.third;
}

#ifdef __SSE2__
// Two points at a time. The same bits as below: sums are in the same order, and the order of minima is none.
void bvfit_box_lengths( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], double length[3] )
{
	__m128d lower[3] = { _mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd() };
	__m128d upper[3] = { _mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd() };
	__m128d origin[3] = { _mm_set1_pd( points[0].x ), _mm_set1_pd( points[0].y ),
		                  _mm_set1_pd( points[0].z ) };
	for ( uint32_t i = count & 1; i < count; i += 2 )
	{
		const bv_vec3* p = points + i;
		__m128d x = _mm_sub_pd( _mm_set_pd( p[1].x, p[0].x ), origin[0] );
		__m128d y = _mm_sub_pd( _mm_set_pd( p[1].y, p[0].y ), origin[1] );
		__m128d z = _mm_sub_pd( _mm_set_pd( p[1].z, p[0].z ), origin[2] );
		for ( int k = 0; k < 3; ++k )
		{
			__m128d in_plane = _mm_add_pd( _mm_mul_pd( _mm_set1_pd( axis[k].x ), x ),
			                               _mm_mul_pd( _mm_set1_pd( axis[k].y ), y ) );
			__m128d along = _mm_add_pd( in_plane, _mm_mul_pd( _mm_set1_pd( axis[k].z ), z ) );
			lower[k] = _mm_min_pd( lower[k], along );
			upper[k] = _mm_max_pd( upper[k], along );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		double ends[2][2];
		_mm_storeu_pd( ends[0], lower[k] );
		_mm_storeu_pd( ends[1], upper[k] );
		length[k] = bvmath_max( ends[1][0], ends[1][1] ) - bvmath_min( ends[0][0], ends[0][1] );
	}
}
#else
void bvfit_box_lengths( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], double length[3] )
{
	double lower[3] = { 0, 0, 0 };
	double upper[3] = { 0, 0, 0 };
	for ( uint32_t i = 1; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], points[0] );
		for ( int k = 0; k < 3; ++k )
		{
			double p = bv_dot( axis[k], d );
			lower[k] = bvmath_min( lower[k], p );
			upper[k] = bvmath_max( upper[k], p );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		length[k] = upper[k] - lower[k];
	}
}
#endif
