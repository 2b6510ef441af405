// A few points that stand for all. See core_set.h.

#include "offline/fit/core_set.h"

#include "offline/base/frame.h"
#include "offline/fit/directions.h"
#include "runtime/math/eigen.h"

enum
{
	octants = 8,
};

static void add( bvfit_core_set* core, bv_vec3 point )
{
	bvbase_double2* pair = core->pair[core->count / 2];
	const double at[3] = { point.x, point.y, point.z };
	for ( int k = 0; k < 3; ++k )
	{
		pair[k][1] = at[k];
		pair[k][0] = core->count % 2 == 0 ? at[k] : pair[k][0];
	}
	core->point[core->count++] = point;
}

static void choose( bvfit_core_set* core, const bv_vec3* points, uint32_t count )
{
	if ( count <= bvfit_core_most )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			add( core, bv_sub( points[i], core->origin ) );
		}
		return;
	}
	uint32_t extremal[bvfit_extremal_most];
	uint32_t found = bvfit_extremal_points_26( points, count, extremal );
	for ( uint32_t i = 0; i < found; ++i )
	{
		add( core, bv_sub( points[extremal[i]], core->origin ) );
	}
}

void bvfit_core_begin( bvfit_core_set* core, const bv_vec3* points, uint32_t count )
{
	core->origin = points[0];
	core->count = 0;
	choose( core, points, count );
	double size = 0;
	for ( uint32_t i = 0; i < core->count; ++i )
	{
		size = bvmath_max( size, bvmath_norm1( core->point[i] ) );
	}
	core->grain = size > 0 ? 0x1p-25 * ( size + bvmath_norm1( core->origin ) ) : 0;
}

bool bvfit_core_join( bvfit_core_set* core, const bv_vec3* points, uint32_t count, bvfit_core_offset* offset,
                      const void* fitted, double radius )
{
	double farthest[octants];
	bv_vec3 outside[octants];
	for ( int i = 0; i < octants; ++i )
	{
		farthest[i] = radius * radius;
	}
	bool found[octants] = { false };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = bv_sub( points[i], core->origin );
		bv_vec3 d = offset( fitted, p );
		double squared = bv_dot( d, d );
		int octant = ( d.x < 0 ) + 2 * ( d.y < 0 ) + 4 * ( d.z < 0 );
		if ( squared > farthest[octant] )
		{
			farthest[octant] = squared;
			outside[octant] = p;
			found[octant] = true;
		}
	}
	bool any = false;
	for ( int i = 0; i < octants && core->count < bvfit_core_most; ++i )
	{
		if ( found[i] )
		{
			add( core, outside[i] );
			any = true;
		}
	}
	return any;
}

void bvfit_core_axes( const bvfit_core_set* core, bv_vec3 axis[3] )
{
	bv_vec3 mean = { 0, 0, 0 };
	for ( uint32_t i = 0; i < core->count; ++i )
	{
		mean = bv_add( mean, bv_scale( 1.0 / core->count, core->point[i] ) );
	}
	double m[3][3] = { { 0 } };
	for ( uint32_t i = 0; i < core->count; ++i )
	{
		bv_vec3 d = bv_sub( core->point[i], mean );
		double at[3] = { d.x, d.y, d.z };
		for ( int k = 0; k < 9; ++k )
		{
			m[k / 3][k % 3] += at[k / 3] * at[k % 3];
		}
	}
	bvmath_eigen_symmetric( m, axis );
}

bv_vec3 bvfit_core_diameter( const bvfit_core_set* core )
{
	double longest = 0;
	bv_vec3 direction = { 1, 0, 0 };
	for ( uint32_t i = 0; i < core->count; ++i )
	{
		for ( uint32_t j = 0; j < i; ++j )
		{
			bv_vec3 d = bv_sub( core->point[i], core->point[j] );
			double squared = bv_dot( d, d );
			if ( squared > longest )
			{
				longest = squared;
				direction = d;
			}
		}
	}
	return bvbase_unit( direction );
}
