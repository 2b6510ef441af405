// Descent by sums of powers of distances. See minimax.h.

#include "offline/recognize/minimax.h"

#include <math.h>

enum
{
	parameters = bvrecog_shape_parameters_most,
	highest = 8,      // power of 2 that is the last exponent
	power_rounds = 5, // for each exponent but 2
	tries = 6,        // of one step
};

// What is less is lost when the numbers become binary32.
static const double idle = 0x1p-27;

// The share of squares in sums of higher powers: what the largest terms leave open, the others decide.
static const double settling = 0x1p-4;

static const double margin = 1.25;

// A step is never longer: nothing in a place is farther away.
static const double longest_step = 0.25;

static uint32_t terms( const bvrecog_cloud* cloud )
{
	return cloud->count + cloud->directions;
}

static double term( const bvrecog_cloud* cloud, const bvrecog_shape* shape, uint32_t i )
{
	if ( i < cloud->count )
	{
		return bvrecog_shape_distance( shape, cloud->point[i] );
	}
	i -= cloud->count;
	return bvrecog_shape_support( shape, cloud->direction[i] ) - cloud->support[i];
}

static double term_derivatives( const bvrecog_cloud* cloud, const bvrecog_shape* shape, uint32_t i,
                                double* row )
{
	if ( i < cloud->count )
	{
		return bvrecog_shape_derivatives( shape, cloud->point[i], row );
	}
	i -= cloud->count;
	return bvrecog_shape_support_derivatives( shape, cloud->direction[i], row ) - cloud->support[i];
}

double bvrecog_cloud_error( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = 0; i < terms( cloud ); ++i )
	{
		largest = bvmath_max( largest, fabs( term( cloud, shape, i ) ) );
	}
	return largest;
}

double bvrecog_cloud_distance( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = 0; i < cloud->count; ++i )
	{
		largest = bvmath_max( largest, fabs( term( cloud, shape, i ) ) );
	}
	return largest;
}

double bvrecog_cloud_excess( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = cloud->count; i < terms( cloud ) && cloud->exact_support; ++i )
	{
		largest = bvmath_max( largest, term( cloud, shape, i ) );
	}

	// The hull's own rounding.
	return bvmath_max( largest - 0x1p-30, 0 );
}

double bvrecog_cloud_shortfall( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double largest = 0;
	for ( uint32_t i = cloud->count; i < terms( cloud ); ++i )
	{
		largest = bvmath_max( largest, -term( cloud, shape, i ) );
	}
	return largest;
}

double bvrecog_cloud_spread( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
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
double bvrecog_cloud_offset( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double lower = INFINITY;
	double upper = -INFINITY;
	for ( uint32_t i = 0; i < terms( cloud ); ++i )
	{
		double t = term( cloud, shape, i );
		t = i < cloud->count ? t : -t;
		lower = bvmath_min( lower, t );
		upper = bvmath_max( upper, t );
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

// What is summed up: every `step`-th term, divided by the largest there was so that powers stay in the range.
typedef struct power_sum
{
	const bvrecog_cloud* cloud;
	uint32_t step;
	int squarings; // the exponent is 2 to the power of this
	double inverse;
} power_sum;

// How large the sum is, and the largest of its terms.
typedef struct amount
{
	double sum;
	double largest;
} amount;

static amount sum_up( const power_sum* p, const bvrecog_shape* shape )
{
	amount a = { 0, 0 };
	for ( uint32_t i = 0; i < terms( p->cloud ); i += p->step )
	{
		double t = term( p->cloud, shape, i );
		a.largest = bvmath_max( a.largest, fabs( t ) );
		t *= p->inverse;
		a.sum += raise( t, p->squarings ) + settling * ( t * t );
	}
	return a;
}

// The sum as a quadratic function of the change near a shape.
typedef struct quadratic
{
	int count;
	double matrix[parameters][parameters];
	double gradient[parameters];
} quadratic;

// @return the sum at the shape
static double expand( const power_sum* p, const bvrecog_shape* shape, quadratic* q )
{
	*q = ( quadratic ){ .count = bvrecog_shape_parameters( shape->kind ) };
	double exponent = (double)( 1u << p->squarings );
	double least = 2 * settling / exponent;
	double sum = 0;
	for ( uint32_t i = 0; i < terms( p->cloud ); i += p->step )
	{
		double row[parameters];
		double value = term_derivatives( p->cloud, shape, i, row );
		double t = p->inverse * value;
		double power = raise_less( t, p->squarings );
		double slope = ( power + least ) * value;
		double curvature = ( exponent - 1 ) * power + least;
		sum += raise( t, p->squarings ) + settling * ( t * t );
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
	return sum;
}

// Cholesky's factorization of the damped matrix. @return false when it is not positive
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
		longest = bvmath_max( longest, fabs( step[k] ) );
	}
	for ( int k = 0; k < q->count && longest > longest_step; ++k )
	{
		step[k] *= longest_step / longest;
	}
	return true;
}

// A shape on its way down, and the best there was by the largest term.
typedef struct descent
{
	bvrecog_shape shape;
	double largest; // term
	bvrecog_shape best;
	double least; // largest term
} descent;

// One step, as damped as need be. Returns whether it led down by more than next to nothing.
static bool step_down( power_sum* p, descent* d, double* damping )
{
	p->inverse = 1 / d->largest;
	quadratic q;
	double before = expand( p, &d->shape, &q );
	for ( int i = 0; i < tries; ++i )
	{
		double step[parameters];
		if ( solve( &q, *damping, step ) )
		{
			bvrecog_shape moved = bvrecog_shape_moved( &d->shape, step );
			amount after = sum_up( p, &moved );
			if ( after.sum < before )
			{
				*damping = bvmath_max( 0x1p-40, *damping / 16 );
				d->shape = moved;
				d->largest = after.largest;
				return after.sum < before * ( 1 - 0x1p-10 );
			}
		}
		*damping *= 64;
	}
	return false;
}

static void descend( power_sum* p, descent* d, int rounds )
{
	double damping = 0x1p-20;
	bool going = true;
	for ( int round = 0; round < rounds && going && d->largest > idle; ++round )
	{
		going = step_down( p, d, &damping );
		d->best = d->largest < d->least ? d->shape : d->best;
		d->least = bvmath_min( d->largest, d->least );
	}
}

static descent begin( const power_sum* p, const bvrecog_shape* shape )
{
	double largest = sum_up( p, shape ).largest;
	return ( descent ){ *shape, largest, *shape, largest };
}

bvrecog_shape bvrecog_fit_squares( const bvrecog_cloud* cloud, const bvrecog_shape* shape, int rounds,
                                   uint32_t step )
{
	power_sum p = { .cloud = cloud, .step = step, .squarings = 1 };
	descent d = begin( &p, shape );
	descend( &p, &d, rounds );
	return d.shape;
}

// The mean of the same power of all terms, and its root: not above the largest term.
static double power_mean( const power_sum* p, const descent* d )
{
	double mean = 0;
	for ( uint32_t i = 0; i < terms( p->cloud ); ++i )
	{
		mean += raise( term( p->cloud, &d->shape, i ) / d->largest, p->squarings );
	}
	mean /= terms( p->cloud );
	for ( int i = 0; i < p->squarings; ++i )
	{
		mean = sqrt( mean );
	}
	return d->largest * mean;
}

bvrecog_shape bvrecog_fit_largest( const bvrecog_cloud* cloud, const bvrecog_shape* shape, double limit )
{
	power_sum p = { .cloud = cloud, .step = 1 };
	descent d = begin( &p, shape );
	for ( p.squarings = 1; p.squarings <= highest && d.largest > idle; ++p.squarings )
	{
		descend( &p, &d, power_rounds );

		// The least mean is below the least largest term: there is no way down to the limit. The margin is
		// for descents that have not ended.
		if ( power_mean( &p, &d ) > margin * limit )
		{
			return d.best;
		}
	}
	bvrecog_shape even = bvrecog_shape_swollen( &d.best, bvrecog_cloud_offset( cloud, &d.best ) );
	return bvrecog_cloud_error( cloud, &even ) < d.least ? even : d.best;
}
