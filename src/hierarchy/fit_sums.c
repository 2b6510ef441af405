// Sums over faces. See fit_sums.h.

#include "hierarchy/fit_sums.h"

#include <float.h>
#include <string.h>

static double power_of_two( int exponent )
{
	uint64_t bits = (uint64_t)( DBL_MAX_EXP - 1 + exponent ) << ( DBL_MANT_DIG - 1 );
	double power;
	memcpy( &power, &bits, sizeof power );
	return power;
}

// What frexp and ldexp would do.
bvb_fit_units bvb_fit_units_of( bv_vec3 origin, double size )
{
	// Far below what coordinates can be, so that the scale is a number.
	enum
	{
		least_exponent = -900,
	};
	uint64_t bits;
	memcpy( &bits, &size, sizeof bits );
	int exponent = size > 0 ? (int)( bits >> ( DBL_MANT_DIG - 1 ) ) - ( DBL_MAX_EXP - 2 ) : least_exponent;
	exponent = exponent > least_exponent ? exponent : least_exponent;
	return ( bvb_fit_units ){ origin, power_of_two( -exponent ), power_of_two( exponent ) };
}

double bvb_fit_size( const bvb_fit_sums* s )
{
	return bv_max( s->upper[0] - s->lower[0],
	               bv_max( s->upper[1] - s->lower[1], s->upper[2] - s->lower[2] ) );
}

static bv_vec3 vec_of_lane( const bvb_box_lane from[3], int lane, const bvb_fit_units* u )
{
	return ( bv_vec3 ){ u->origin.x + from[0][lane] * u->back, u->origin.y + from[1][lane] * u->back,
		                u->origin.z + from[2][lane] * u->back };
}

// Each point along its own direction, as bvb_project has it. Seven of both.
static void measure_ends( const bv_vec3* p, double* out )
{
	out[0] = p[0].x;
	out[1] = p[1].y;
	out[2] = p[2].z;
	out[3] = ( p[3].x + p[3].y ) + p[3].z;
	out[4] = ( p[4].x + p[4].y ) - p[4].z;
	out[5] = ( p[5].x - p[5].y ) + p[5].z;
	out[6] = ( p[6].x - p[6].y ) - p[6].z;
}

void bvb_fit_sums_get( const bvb_box_sums* from, int lane, const bvb_fit_units* u, bvb_fit_sums* to )
{
	for ( int i = 0; i < bvb_box_directions; ++i )
	{
		to->lowest[i] = vec_of_lane( from->lowest[i], lane, u );
		to->highest[i] = vec_of_lane( from->highest[i], lane, u );
	}
	measure_ends( to->lowest, to->lower );
	measure_ends( to->highest, to->upper );
	double area = u->back * u->back;
	to->origin = u->origin;
	to->area = from->area[lane] * area;
	for ( int i = 0; i < 3; ++i )
	{
		to->first[i] = from->first[i][lane] * ( area * u->back );
	}
	for ( int i = 0; i < 6; ++i )
	{
		to->second[i] = from->second[i][lane] * ( area * area );
	}
}

// Moments about another origin: d is where theirs is, seen from it.
static void add_moments( const bvb_fit_sums* from, bv_vec3 origin, double* area, double first[3],
                         double second[6] )
{
	bv_vec3 v = bv_sub( from->origin, origin );
	const double d[3] = { v.x, v.y, v.z };
	const double* s = from->first;
	double a = from->area;
	second[0] += from->second[0] + ( ( d[0] * s[0] + d[0] * s[0] ) + a * ( d[0] * d[0] ) );
	second[1] += from->second[1] + ( ( d[0] * s[1] + d[1] * s[0] ) + a * ( d[0] * d[1] ) );
	second[2] += from->second[2] + ( ( d[0] * s[2] + d[2] * s[0] ) + a * ( d[0] * d[2] ) );
	second[3] += from->second[3] + ( ( d[1] * s[1] + d[1] * s[1] ) + a * ( d[1] * d[1] ) );
	second[4] += from->second[4] + ( ( d[1] * s[2] + d[2] * s[1] ) + a * ( d[1] * d[2] ) );
	second[5] += from->second[5] + ( ( d[2] * s[2] + d[2] * s[2] ) + a * ( d[2] * d[2] ) );
	for ( int i = 0; i < 3; ++i )
	{
		first[i] += s[i] + a * d[i];
	}
	*area += a;
}

void bvb_fit_sums_put( const bvb_fit_sums* from, const bvb_fit_units* u, bvb_box_sums* to, int lane )
{
	for ( int i = 0; i < bvb_box_directions; ++i )
	{
		bvb_fit_put( from->lowest[i], u, to->lowest[i], lane );
		bvb_fit_put( from->highest[i], u, to->highest[i], lane );
	}
	double moved = 0;
	double first[3] = { 0, 0, 0 };
	double second[6] = { 0, 0, 0, 0, 0, 0 };
	add_moments( from, u->origin, &moved, first, second );
	double area = u->scale * u->scale;
	to->area[lane] = (float)( moved * area );
	for ( int i = 0; i < 3; ++i )
	{
		to->first[i][lane] = (float)( first[i] * ( area * u->scale ) );
	}
	for ( int i = 0; i < 6; ++i )
	{
		to->second[i][lane] = (float)( second[i] * ( area * area ) );
	}
}

void bvb_fit_sums_join( const bvb_fit_sums* from, uint32_t count, bvb_fit_sums* to )
{
	for ( int i = 0; i < bvb_box_directions; ++i )
	{
		uint32_t low = 0;
		uint32_t high = 0;
		for ( uint32_t k = 1; k < count; ++k )
		{
			low = from[k].lower[i] < from[low].lower[i] ? k : low;
			high = from[k].upper[i] > from[high].upper[i] ? k : high;
		}
		to->lower[i] = from[low].lower[i];
		to->lowest[i] = from[low].lowest[i];
		to->upper[i] = from[high].upper[i];
		to->highest[i] = from[high].highest[i];
	}
	double first[3] = { 0, 0, 0 };
	double second[6] = { 0, 0, 0, 0, 0, 0 };
	to->origin = from->origin;
	to->area = 0;
	for ( uint32_t k = 0; k < count; ++k )
	{
		add_moments( from + k, to->origin, &to->area, first, second );
	}
	for ( int i = 0; i < 3; ++i )
	{
		to->first[i] = first[i];
	}
	for ( int i = 0; i < 6; ++i )
	{
		to->second[i] = second[i];
	}
}
