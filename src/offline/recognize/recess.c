// Depth in the hull. See recess.h.

#include "offline/recognize/recess.h"

#include "offline/recognize/sides.h"

#include <math.h>

enum
{
	faces_most = 1 << 16,
	points_most = 24,
};

// The points nearest to the middle, where the hull is deepest.
static uint32_t choose_points( const bvrecog_cloud* cloud, bv_vec3* out )
{
	double squared[points_most];
	uint32_t count = 0;
	for ( uint32_t i = 0; i < cloud->count; ++i )
	{
		double s = bv_dot( cloud->point[i], cloud->point[i] );
		uint32_t place = count < points_most ? count++ : points_most;
		while ( place > 0 && squared[place - 1] > s )
		{
			if ( place < points_most )
			{
				squared[place] = squared[place - 1];
				out[place] = out[place - 1];
			}
			--place;
		}
		if ( place < points_most )
		{
			squared[place] = s;
			out[place] = cloud->point[i];
		}
	}
	return count;
}

bool bvrecog_has_recess( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull,
                         double tolerance )
{
	if ( hull->kind != bv_hull_polyhedron || hull->face_count > faces_most )
	{
		return false;
	}
	bv_vec3 point[points_most];
	double depth[points_most];
	uint32_t count = choose_points( cloud, point );
	for ( uint32_t i = 0; i < count; ++i )
	{
		depth[i] = INFINITY;
	}
	for ( uint32_t i = 0; i < hull->face_count; ++i )
	{
		bvrecog_side side;
		if ( !bvrecog_side_at( &cloud->place, mesh->positions, hull, i, &side ) )
		{
			continue;
		}
		for ( uint32_t k = 0; k < count; ++k )
		{
			depth[k] = bvmath_min( depth[k], bv_dot( side.normal, bv_sub( side.point, point[k] ) ) );
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( depth[i] > 2 * tolerance + 0x1p-30 )
		{
			return true;
		}
	}
	return false;
}
