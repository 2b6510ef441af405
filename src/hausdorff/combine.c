// Weighted means of two rows. See combine.h.

#include "hausdorff/combine.h"

#include "hausdorff/row.h"

double bvb_combined_bound( const double* v, const double* w, int columns, double wanted )
{
	// A corner where both are too large leaves no weight whatever it is.
	double at_least[bvb_row];
	double at_most[bvb_row];
	int count = 0;
	do
	{
		for ( int c = count; c < count + bvb_lanes; ++c )
		{
			double over_v = v[c] - wanted;
			double over_w = w[c] - wanted;
			double equal = over_v / ( over_v - over_w );
			at_least[c] = over_v > 0 && over_w < 0 ? equal : 0;
			at_most[c] = over_v < 0 && over_w > 0 ? -equal : -1;
		}
		count += bvb_lanes;
	} while ( count < columns );
	double t = 0.5 * ( bvb_row_largest( at_least, count ) - bvb_row_largest( at_most, count ) );
	double mean[bvb_row];
	int c = 0;
	do
	{
		mean[c] = ( 1 - t ) * v[c] + t * w[c];
	} while ( ++c < count );
	return bvb_row_largest( mean, count );
}
