// Weighted means of two rows. See combine.h.

#include "hausdorff/combine.h"

#include "base/core/vec.h"

double bvb_combined_bound( const double* v, const double* w, int columns, double wanted )
{
	double least = 0;
	double most = 1;
	for ( int c = 0; c < columns; ++c )
	{
		// A corner where both are too large leaves no weight whatever it is.
		double over_v = v[c] - wanted;
		double over_w = w[c] - wanted;
		if ( over_v > 0 && over_w < 0 )
		{
			least = bv_max( least, over_v / ( over_v - over_w ) );
		}
		else if ( over_v < 0 && over_w > 0 )
		{
			most = bv_min( most, over_v / ( over_v - over_w ) );
		}
	}
	double t = 0.5 * ( least + most );
	double bound = 0;
	for ( int c = 0; c < columns; ++c )
	{
		bound = bv_max( bound, ( 1 - t ) * v[c] + t * w[c] );
	}
	return bound;
}
