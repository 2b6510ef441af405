// Weighted means of two rows. See combine.h.

#include "hausdorff/combine.h"

#include "hausdorff/row.h"

double bvb_combined_bound( const double* v, const double* w, int columns, double wanted )
{
	if ( columns < 1 )
	{
		return 0;
	}

	// A corner where both are too large leaves no weight whatever it is.
	double at_least[bvb_row];
	double at_most[bvb_row];
	int count = bvb_whole_groups( columns );
	for ( int c = 0; c < count; ++c )
	{
		double over_v = v[c] - wanted;
		double over_w = w[c] - wanted;
		double equal = over_v / ( over_v - over_w );
		at_least[c] = over_v > 0 && over_w < 0 ? equal : 0;
		at_most[c] = over_v < 0 && over_w > 0 ? -equal : -1;
	}
	double t = 0.5 * ( bvb_row_largest( at_least, count ) - bvb_row_largest( at_most, count ) );
	double mean[bvb_row];
	for ( int c = 0; c < count; ++c )
	{
		mean[c] = ( 1 - t ) * v[c] + t * w[c];
	}
	return bvb_row_largest( mean, count );
}
