// Weighted means of two rows. See combine.h.

#include "offline/hausdorff/combine.h"

#include "offline/hausdorff/row.h"

double bvhaus_combined_bound( const double* v, const double* w, int columns, double wanted )
{
	// A corner where both are too large leaves no weight whatever it is.
	double at_least[bvhaus_row];
	double at_most[bvhaus_row];
	int count = 0;
	do
	{
		for ( int c = count; c < count + bvhaus_lanes; ++c )
		{
			double over_v = v[c] - wanted;
			double over_w = w[c] - wanted;
			double equal = over_v / ( over_v - over_w );
			at_least[c] = over_v > 0 && over_w < 0 ? equal : 0;
			at_most[c] = over_v < 0 && over_w > 0 ? -equal : -1;
		}
		count += bvhaus_lanes;
	} while ( count < columns );
	double t = 0.5 * ( bvhaus_row_largest( at_least, count ) - bvhaus_row_largest( at_most, count ) );
	double mean[bvhaus_row];
	int c = 0;
	do
	{
		mean[c] = ( 1 - t ) * v[c] + t * w[c];
	} while ( ++c < count );
	return bvhaus_row_largest( mean, count );
}
