// Weighted means of two rows. See combine.h.

#include "hausdorff/combine.h"

#include "base/core/vec.h"

bool bvb_combined_bound( const double* v, const double* w, int columns, double wanted, double* bound )
{
	double least = 0;
	double most = 1;
	for ( int c = 0; c < columns; ++c )
	{
		double over_v = v[c] - wanted;
		double over_w = w[c] - wanted;
		if ( over_v > 0 && over_w > 0 )
		{
			return false;
		}
		if ( over_v > 0 )
		{
			least = bv_max( least, over_v / ( over_v - over_w ) );
		}
		else if ( over_w > 0 )
		{
			most = bv_min( most, over_v / ( over_v - over_w ) );
		}
	}
	if ( least > most )
	{
		return false;
	}
	double t = 0.5 * ( least + most );
	*bound = 0;
	for ( int c = 0; c < columns; ++c )
	{
		*bound = bv_max( *bound, ( 1 - t ) * v[c] + t * w[c] );
	}
	return true;
}
