// Are two particles neighbors? In floating point where that is certain, otherwise with integers of any length.
//
// Based on: J. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997 (filters).

#include "world/particles/job.h"

#include "runtime/math/integer.h"

// All binary64 numbers are multiples of 2 to this.
static const int least_place = -1074;

// The square of the distance along an axis, in the square of that unit.
static bvmath_integer square_along( bvmath_pool* pool, double p, double q, double period )
{
	bvmath_integer d = bvmath_integer_subtract( pool, bvmath_integer_of( pool, p, least_place ),
	                                            bvmath_integer_of( pool, q, least_place ) );
	if ( d.sign < 0 )
	{
		d = bvmath_integer_negate( d );
	}
	if ( period > 0 )
	{
		bvmath_integer other =
			bvmath_integer_subtract( pool, bvmath_integer_of( pool, period, least_place ), d );
		d = bvmath_integer_subtract( pool, other, d ).sign < 0 ? other : d;
	}
	return bvmath_integer_multiply( pool, d, d );
}

// At most 2 digits for a coordinate and the period, 4 for a difference and 7 with the period: squares have at most 56, so that
// the pool has room.
bool bvwnear_decide_exactly( const bvwnear_job* job, uint32_t a, uint32_t b )
{
	const double* p = bvwnear_position( &job->of, a );
	const double* q = bvwnear_position( &job->among, b );
	bvmath_pool pool;
	bvmath_pool_begin( &pool );
	bvmath_integer reach = bvmath_integer_of( &pool, job->options.distance, least_place );
	reach = bvmath_integer_add( &pool, reach,
	                            bvmath_integer_of( &pool, bvwnear_radius( &job->of, a ), least_place ) );
	reach = bvmath_integer_add( &pool, reach,
	                            bvmath_integer_of( &pool, bvwnear_radius( &job->among, b ), least_place ) );
	bvmath_integer left = bvmath_integer_multiply( &pool, reach, reach );
	for ( int k = 0; k < 3; ++k )
	{
		left =
			bvmath_integer_subtract( &pool, left, square_along( &pool, p[k], q[k], job->options.period[k] ) );
		left = bvmath_integer_keep( &pool, 0, left );
	}
	return left.sign >= 0;
}

// The difference of coordinates errs by 2^-53 of itself, and so of the period. Less the period, it errs by less than 2^-52 of the
// period; 2^-50 also covers the choice of the smaller one.
bool bvwnear_decide_periodic( const bvwnear_job* job, uint32_t a, uint32_t b )
{
	const double* p = bvwnear_position( &job->of, a );
	const double* q = bvwnear_position( &job->among, b );
	double reach = job->options.distance + bvwnear_radius( &job->of, a ) + bvwnear_radius( &job->among, b );
	double limit = reach * reach;
	double squared = 0;
	double error = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double period = job->options.period[k];
		double d = fabs( p[k] - q[k] );
		double other = fabs( period - d );
		d = period > 0 && other < d ? other : d;
		squared += d * d;
		error += ( 2 * d + 0x1p-50 * period ) * ( 0x1p-50 * period );
	}
	error += 0x1p-48 * ( squared + limit + error );
	if ( error > 0x1p-948 && fabs( squared - limit ) > error )
	{
		return squared < limit;
	}
	return bvwnear_decide_exactly( job, a, b );
}
