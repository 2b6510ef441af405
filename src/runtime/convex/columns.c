// Support points from columns of coordinates. See columns.h.

#include "runtime/convex/columns.h"

bool bvconvex_columns_set( const bvconvex_prepared* shape, bvconvex_columns* out )
{
	const bvconvex_hull* hull = &shape->hull;
	if ( shape->convex->kind != bv_convex_of_points || hull->count < bvconvex_columns_least ||
	     hull->count > bvconvex_columns_most )
	{
		return false;
	}
	for ( uint32_t i = 0; i < bvconvex_columns_most; ++i )
	{
		bv_vec3 p = hull->points[i < hull->count ? i : 0];
		out->row[0][i] = p.x;
		out->row[1][i] = p.y;
		out->row[2][i] = p.z;
	}
	return true;
}

BVSIMD_INLINE void greater_half( const double* in, double* out, uint32_t half )
{
	for ( uint32_t i = 0; i < half; ++i )
	{
		out[i] = in[i] > in[i + half] ? in[i] : in[i + half];
	}
}

// Compilers make vectors of all but the last loop. The products are those of bv_dot.
uint32_t bvconvex_columns_farthest( const bvconvex_columns* columns, const bv_vec3* along )
{
	double height[bvconvex_columns_most];
	double most[bvconvex_columns_most / 2];
	bv_vec3 d = *along;
	for ( uint32_t i = 0; i < bvconvex_columns_most; ++i )
	{
		height[i] = ( d.x * columns->row[0][i] + d.y * columns->row[1][i] ) + d.z * columns->row[2][i];
	}
	greater_half( height, most, bvconvex_columns_most / 2 );
	greater_half( most, most, bvconvex_columns_most / 4 );
	greater_half( most, most, bvconvex_columns_most / 8 );
	double even = most[0] > most[2] ? most[0] : most[2];
	double odd = most[1] > most[3] ? most[1] : most[3];
	double greatest = even > odd ? even : odd;
	uint32_t best = 0;
	while ( height[best] < greatest )
	{
		++best;
	}
	return best;
}
