// Descent by sums of powers of distances. See minimax.h.

#include "recognise/minimax.h"

#include <math.h>

enum
{
	parameters = bvb_shape_parameters_most,
	highest = 8,      // power of 2 that is the last exponent
	power_rounds = 5, // for each exponent but 2
	tries = 6,        // of one step
};

// What is less is lost when the numbers become binary32.
static const double idle = 0x1p-27;

// The share of squares in sums of higher powers: what the largest terms leave open, the others decide.
static const double settling = 0x1p-4;

// A step is never longer: nothing in a place is farther away.
static const double longest_step = 0.25;

static uint32_t terms( const bvb_cloud* cloud )
{
	return cloud->count + cloud->directions;
}

static double term( const bvb_cloud* cloud, const bvb_shape* shape, uint32_t i )
{
	if ( i < cloud->count )
	{
		return bvb_shape_distance( shape, cloud->point[i] );
	}
	i -= cloud->count;
	return bvb_shape_support( shape, cloud->direction[i] ) - cloud->support[i];
}

static double term_derivatives( const bvb_cloud* cloud, const bvb_shape* shape, uint32_t i, double* row )
{
	if ( i < cloud->count )
	{
		return bvb_shape_derivatives( shape, cloud->point[i], row );
	}
	i -= cloud->count;
	return bvb_shape_support_derivatives( shape, cloud->direction[i], row ) - cloud->support[i];
}

double bvb_cloud_error( const bvb_cloud* cloud, const bvb_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = 0; i < terms( cloud ); ++i )
	{
		largest = bv_max( largest, fabs( term( cloud, shape, i ) ) );
	}
	return largest;
}

double bvb_cloud_distance( const bvb_cloud* cloud, const bvb_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = 0; i < cloud->count; ++i )
	{
		largest = bv_max( largest, fabs( term( cloud, shape, i ) ) );
	}
	return largest;
}

double bvb_cloud_excess( const bvb_cloud* cloud, const bvb_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = cloud->count; i < terms( cloud ) && cloud->exact_support; ++i )
	{
		largest = bv_max( largest, term( cloud, shape, i ) );
	}

	// The hull's own rounding.
	return bv_max( largest - 0x1p-30, 0 );
}

double bvb_cloud_shortfall( const bvb_cloud* cloud, const bvb_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = cloud->count; i < terms( cloud ); ++i )
	{
		largest = bv_max( largest, -term( cloud, shape, i ) );
	}
	return largest;
}

double bvb_cloud_spread( const bvb_cloud* cloud, const bvb_shape* shape )
{
	double sum = 0;
	for ( uint32_t i = 0; i < terms( cloud ); ++i )
	{
		double t = term( cloud, shape, i );
		sum += t * t;
	}
	return sqrt( sum / terms( cloud ) );
}

// Swelling brings the surface nearer to points outside and supports farther out.
double bvb_cloud_offset( const bvb_cloud* cloud, const bvb_shape* shape )
{
	double lower = INFINITY;
	double upper = -INFINITY;
	for ( uint32_t i = 0; i < terms( cloud ); ++i )
	{
		double t = term( cloud, shape, i );
		t = i < cloud->count ? t : -t;
		lower = bv_min( lower, t );
		upper = bv_max( upper, t );
	}
	return ( lower + upper ) / 2;
}

// x^(2^squarings)
static double raise( double x, int squarings )
{
	for ( int i = 0; i < squarings; ++i )
	{
		x *= x;
	}
	return x;
}

// x^(2^squarings - 2)
static double raise_less( double x, int squarings )
{
	double product = 1;
	double square = x * x;
	for ( int i = 1; i < squarings; ++i )
	{
		product *= square;
		square *= square;
	}
	return product;
}

// Terms are divided by the largest there was, so that powers stay in the range.
static double sum_of_powers( const bvb_cloud* cloud, const bvb_shape* shape, int squarings, double inverse )
{
	double sum = 0;
	for ( uint32_t i = 0; i < terms( cloud ); ++i )
	{
		double t = inverse * term( cloud, shape, i );
		sum += raise( t, squarings ) + settling * ( t * t );
	}
	return sum;
}

// The sum as a quadratic function of the change near a shape.
typedef struct quadratic
{
	int count;
	double matrix[parameters][parameters];
	double gradient[parameters];
} quadratic;

static void expand( const bvb_cloud* cloud, const bvb_shape* shape, int squarings, double inverse,
                    quadratic* q )
{
	*q = ( quadratic ){ .count = bvb_shape_parameters( shape->kind ) };
	double exponent = (double)( 1u << squarings );
	double least = 2 * settling / exponent;
	for ( uint32_t i = 0; i < terms( cloud ); ++i )
	{
		double row[parameters];
		double value = term_derivatives( cloud, shape, i, row );
		double power = raise_less( inverse * value, squarings );
		double slope = ( power + least ) * value;
		double curvature = ( exponent - 1 ) * power + least;
		for ( int k = 0; k < q->count; ++k )
		{
			double weighted = curvature * row[k];
			q->gradient[k] += slope * row[k];
			for ( int l = 0; l <= k; ++l )
			{
				q->matrix[k][l] += weighted * row[l];
			}
		}
	}
}

// Cholesky's factorisation of the damped matrix. @return false when it is not positive
static bool solve( const quadratic* q, double damping, double* step )
{
	double trace = 0;
	for ( int k = 0; k < q->count; ++k )
	{
		trace += q->matrix[k][k];
	}
	double factor[parameters][parameters];
	for ( int k = 0; k < q->count; ++k )
	{
		for ( int l = 0; l <= k; ++l )
		{
			double rest = q->matrix[k][l] + ( k == l ? damping * trace : 0 );
			for ( int m = 0; m < l; ++m )
			{
				rest -= factor[k][m] * factor[l][m];
			}
			if ( k == l && !( rest > 0 ) )
			{
				return false;
			}
			factor[k][l] = k == l ? sqrt( rest ) : rest / factor[l][l];
		}
	}
	for ( int k = 0; k < q->count; ++k )
	{
		step[k] = -q->gradient[k];
		for ( int l = 0; l < k; ++l )
		{
			step[k] -= factor[k][l] * step[l];
		}
		step[k] /= factor[k][k];
	}
	double longest = 0;
	for ( int k = q->count - 1; k >= 0; --k )
	{
		for ( int l = k + 1; l < q->count; ++l )
		{
			step[k] -= factor[l][k] * step[l];
		}
		step[k] /= factor[k][k];
		longest = bv_max( longest, fabs( step[k] ) );
	}
	for ( int k = 0; k < q->count && longest > longest_step; ++k )
	{
		step[k] *= longest_step / longest;
	}
	return true;
}

// A descent with one exponent. @return the shape; the best by the largest distance is kept in `best`
static bvb_shape descend( const bvb_cloud* cloud, bvb_shape shape, int squarings, int rounds, bvb_shape* best,
                          double* least )
{
	double damping = 0x1p-20;
	for ( int round = 0; round < rounds; ++round )
	{
		double largest = bvb_cloud_error( cloud, &shape );
		if ( largest < idle )
		{
			break;
		}
		quadratic q;
		expand( cloud, &shape, squarings, 1 / largest, &q );
		double before = sum_of_powers( cloud, &shape, squarings, 1 / largest );
		double after = before;
		for ( int i = 0; i < tries && !( after < before ); ++i )
		{
			double step[parameters];
			if ( solve( &q, damping, step ) )
			{
				bvb_shape moved = bvb_shape_moved( &shape, step );
				after = sum_of_powers( cloud, &moved, squarings, 1 / largest );
				shape = after < before ? moved : shape;
			}
			damping = bv_max( 0x1p-40, after < before ? damping / 16 : damping * 64 );
		}
		double error = bvb_cloud_error( cloud, &shape );
		if ( error < *least )
		{
			*least = error;
			*best = shape;
		}
		if ( !( after < before * ( 1 - 0x1p-10 ) ) )
		{
			break;
		}
	}
	return shape;
}

bvb_shape bvb_fit_squares( const bvb_cloud* cloud, const bvb_shape* shape, int rounds )
{
	bvb_shape best = *shape;
	double least = INFINITY;
	return descend( cloud, *shape, 1, rounds, &best, &least );
}

bvb_shape bvb_fit_largest( const bvb_cloud* cloud, const bvb_shape* shape )
{
	bvb_shape best = *shape;
	double least = bvb_cloud_error( cloud, shape );
	bvb_shape current = *shape;
	for ( int squarings = 1; squarings <= highest; ++squarings )
	{
		current = descend( cloud, current, squarings, power_rounds, &best, &least );
	}
	bvb_shape even = bvb_shape_swollen( &best, bvb_cloud_offset( cloud, &best ) );
	return bvb_cloud_error( cloud, &even ) < least ? even : best;
}
