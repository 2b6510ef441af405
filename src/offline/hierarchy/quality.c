// What is measured of a node, and how several count together. See quality.h.

#include "offline/hierarchy/quality.h"

#include "bvbuild/fit.h"
#include "runtime/math/vec.h"

#include <math.h>

// Of G_hausdorff. The floor is for volumes that the faces cover: their distance is 0.
static const double hausdorff_relative = 0.1;
static const double hausdorff_floor = 0.01;

// The mean or the greatest of a row of the cost matrix, over the types in use.
static double row_cost( const bvb_hierarchy_options* options, int type )
{
	const double* row = options->costs.volumes[type];
	double sum = 0;
	double greatest = 0;
	int count = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( options->volume_types >> i & 1 )
		{
			sum += row[i];
			greatest = bvmath_max( greatest, row[i] );
			count += 1;
		}
	}
	return options->aggregate == bvb_aggregate_max ? greatest : sum / count;
}

// A large volume is dear because it is hit often: then other tests follow, which cost the same whatever its
// own type is. Without them the type counts for too much, and cheap volumes that are far too large are taken.
static void weigh_types( const bvb_hierarchy_options* options, double collision[bv_volume_types] )
{
	double sum = 0;
	int count = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		collision[i] = row_cost( options, i );
		bool used = options->volume_types >> i & 1;
		sum += used ? collision[i] : 0;
		count += used;
	}
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		collision[i] = count < 2 ? 1 : collision[i] + options->hit_tests * ( sum / count );
	}
}

bvhier_quality bvhier_quality_make( const bvb_hierarchy_options* options, const bvb_mesh* mesh )
{
	bvhier_quality quality = { .measure = options->quality, .aggregate = options->aggregate, .mesh = mesh };
	weigh_types( options, quality.collision );
	return quality;
}

static bv_status measure_distance( bvb_hausdorff_target* target, const bv_volume* volume, bvb_hausdorff* out )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.relative = hausdorff_relative;
	options.absolute = hausdorff_floor * bvb_diameter_of( volume );
	return bvb_hausdorff_volume( target, volume, &options, out );
}

static bool distance_of( const bvhier_quality* quality, const bvfit_face_list* list, const bv_volume* volume,
                         bvb_hausdorff_target** target, bvb_arena* arena, double* distance )
{
	bvb_error error;
	bv_status status =
		*target
			? bvb_hausdorff_target_reset( *target, quality->mesh, list->order, list->count, &error )
			: bvb_hausdorff_target_create( quality->mesh, list->order, list->count, arena, target, &error );
	bvb_hausdorff found = { .upper = INFINITY };
	if ( status == bv_ok )
	{
		status = measure_distance( *target, volume, &found );
	}
	*distance = status == bv_ok ? found.upper : INFINITY;
	return status != bv_error_memory;
}

bool bvhier_quality_of( const bvhier_quality* quality, const bvfit_face_list* list, const bv_volume* volume,
                        bvb_hausdorff_target** target, bvb_arena* arena, double* good )
{
	bool done = true;
	switch ( quality->measure )
	{
	case bvb_quality_area: *good = bvb_area_of( volume ); break;
	case bvb_quality_volume: *good = bvb_volume_of( volume ); break;
	case bvb_quality_diameter: *good = bvb_diameter_of( volume ); break;
	case bvb_quality_hausdorff: done = distance_of( quality, list, volume, target, arena, good ); break;
	}
	*good *= quality->collision[volume->type];
	return done;
}

double bvhier_quality_together( const bvhier_quality* quality, const double* each, uint32_t count )
{
	double sum = 0;
	double greatest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum += each[i];
		greatest = bvmath_max( greatest, each[i] );
	}
	return quality->aggregate == bvb_aggregate_max ? greatest : sum / count;
}
