// The color scale of certified errors. See scale.h.
//
// The limits are the series 1, 2, 5, as on a ruler. The colors are 10 points on a curve in Oklab (Ottosson
// 2020): from light cyan over green, yellow and red to dark magenta, darker with every step, so that their
// order does not depend on color vision. Their contrast is at least 1.6 with a white background and 2.6 with
// a dark one.

#include "offline/export/scale.h"

#include "bv/inspect.h"
#include "bvbuild/fit.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <math.h>

static const bvexport_scale_step steps[bvexport_scale_steps] = {
	{ 0.0005, "error_up_to_0.05_percent", { 100, 209, 215 } },
	{ 0.001, "error_up_to_0.1_percent", { 83, 210, 181 } },
	{ 0.002, "error_up_to_0.2_percent", { 100, 207, 128 } },
	{ 0.005, "error_up_to_0.5_percent", { 159, 190, 64 } },
	{ 0.01, "error_up_to_1_percent", { 195, 169, 12 } },
	{ 0.02, "error_up_to_2_percent", { 211, 143, 4 } },
	{ 0.05, "error_up_to_5_percent", { 219, 113, 2 } },
	{ 0.1, "error_up_to_10_percent", { 219, 77, 41 } },
	{ 0.2, "error_up_to_20_percent", { 206, 40, 84 } },
	{ INFINITY, "error_above_20_percent", { 173, 5, 126 } },
};

const bvexport_scale_step* bvexport_scale_at( uint32_t index )
{
	return steps + index;
}

uint32_t bvexport_scale_step_of( double error, double diagonal )
{
	uint32_t step = 0;
	while ( step + 1 < bvexport_scale_steps && error > steps[step].limit * diagonal )
	{
		++step;
	}
	return step;
}

static bool take_root( void* to, const bv_node_info* node )
{
	*(double*)to = bvb_diameter_of( &node->volume );
	return false;
}

static double diagonal_of( bv_aabb box )
{
	return bvb_diameter_of( &( bv_volume ){ .type = bv_volume_aabb, .aabb = box } );
}

static double diagonal_of_parts( const bv_file* file )
{
	bv_part part;
	bv_aabb box = { { 0, 0, 0 }, { 0, 0, 0 } };
	for ( uint32_t i = 0; bvfile_local_part( file, i, &part ); ++i )
	{
		box.lower = i > 0 ? bvmath_least( box.lower, part.box.lower ) : part.box.lower;
		box.upper = i > 0 ? bvmath_greatest( box.upper, part.box.upper ) : part.box.upper;
	}
	return diagonal_of( box );
}

double bvexport_diagonal( const bv_file* file )
{
	bv_file_bounds bounds;
	double diagonal = 0;
	if ( bvfile_local_bounds( file, &bounds ) )
	{
		return diagonal_of( bounds.aabb );
	}
	bvfile_local_visit_nodes( file, take_root, &diagonal );
	return diagonal > 0 ? diagonal : diagonal_of_parts( file );
}
