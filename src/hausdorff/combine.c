// Weighted means of bounds. See combine.h.

#include "hausdorff/combine.h"

#include "base/core/vec.h"

static int largest( const double* v, int columns )
{
	int at = 0;
	for ( int c = 1; c < columns; ++c )
	{
		at = v[c] > v[at] ? c : at;
	}
	return at;
}

// The upper envelope of the lines ( 1 - t ) * v + t * w is followed from t = 0 until it rises. Each step leads to a
// steeper line, so there are few.
double bvb_combined_bound( const double* v, const double* w, int columns )
{
	int at = largest( v, columns );
	double t = 0;
	double slope = w[at] - v[at];
	while ( slope < 0 )
	{
		// The line that is met first, told without dividing by the differences of slopes.
		double value = v[at] + t * slope;
		double drop = 1 - t;
		double steeper = 1;
		int next = -1;
		for ( int c = 0; c < columns; ++c )
		{
			double rise = w[c] - v[c];
			double gap = bv_max( value - ( v[c] + t * rise ), 0 );
			if ( rise > slope && gap * steeper < drop * ( rise - slope ) )
			{
				drop = gap;
				steeper = rise - slope;
				next = c;
			}
		}
		t = bv_min( t + drop / steeper, 1 );
		if ( next < 0 )
		{
			break;
		}
		at = next;
		slope = w[at] - v[at];
	}
	double bound = 0;
	for ( int c = 0; c < columns; ++c )
	{
		bound = bv_max( bound, ( 1 - t ) * v[c] + t * w[c] );
	}
	return bound;
}
