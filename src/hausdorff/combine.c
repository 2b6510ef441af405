// Weighted means of bounds. See combine.h.

#include "hausdorff/combine.h"

#include "base/core/vec.h"

#include <string.h>

enum
{
	most_rounds = 6,
};

// What a mean of two rows can reach.
typedef struct mixture
{
	double weight; // of the second
	double value;  // the maximum over the columns
} mixture;

static int largest( const double* v, int columns )
{
	int at = 0;
	for ( int c = 1; c < columns; ++c )
	{
		at = v[c] > v[at] ? c : at;
	}
	return at;
}

// The least maximum of ( 1 - t ) * v + t * w over t in [0, 1]: the upper envelope of lines is followed from t = 0, where
// column `at` is on top, until it rises. Each step leads to a steeper line, so there are few.
static mixture mix( const double* v, const double* w, int columns, int at )
{
	double t = 0;
	double slope = w[at] - v[at];
	while ( slope < 0 )
	{
		double value = v[at] + t * slope;
		double crossing = 1;
		int next = -1;
		for ( int c = 0; c < columns; ++c )
		{
			double rise = w[c] - v[c];
			if ( rise > slope )
			{
				double here = t + bv_max( value - ( v[c] + t * rise ), 0 ) / ( rise - slope );
				if ( here < crossing || ( here == crossing && next >= 0 && rise > w[next] - v[next] ) )
				{
					crossing = here;
					next = c;
				}
			}
		}
		t = crossing;
		if ( next < 0 )
		{
			break;
		}
		at = next;
		slope = w[at] - v[at];
	}
	return ( mixture ){ t, ( 1 - t ) * v[at] + t * w[at] };
}

double bvb_combined_bound( const double ( *row )[bvb_row], int rows, int columns, int best, double enough )
{
	double v[bvb_row];
	memcpy( v, row[best], (size_t)columns * sizeof *v );
	int at = largest( v, columns );
	for ( int round = 0; round < most_rounds && v[at] > enough; ++round )
	{
		int with = 0;
		for ( int k = 1; k < rows; ++k )
		{
			with = row[k][at] < row[with][at] ? k : with;
		}
		mixture m = mix( v, row[with], columns, at );
		if ( !( m.value < v[at] ) )
		{
			break;
		}
		for ( int c = 0; c < columns; ++c )
		{
			v[c] = ( 1 - m.weight ) * v[c] + m.weight * row[with][c];
		}
		at = largest( v, columns );
	}
	return v[at];
}
