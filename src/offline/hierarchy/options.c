// The options of a build: their defaults, the names of their values, and whether they are valid.

#include "offline/base/error.h"
#include "offline/hierarchy/builders.h"
#include "offline/hierarchy/splitters.h"

const char* bvb_quality_name( uint32_t quality )
{
	static const char* const words[] = { "area", "volume", "diameter", "hausdorff" };
	return quality < sizeof words / sizeof *words ? words[quality] : NULL;
}

const char* bvb_aggregate_name( uint32_t aggregate )
{
	static const char* const words[] = { "mean", "max" };
	return aggregate < sizeof words / sizeof *words ? words[aggregate] : NULL;
}

bvb_hierarchy_options bvb_hierarchy_options_default( void )
{
	return ( bvb_hierarchy_options ){
		.builder = "sah",
		.splitter = "sah",
		.volume_types = 1u << bv_volume_obb,
		.hit_tests = 2,
		.node_box = "pca",
		.degree = 2,
		.improvement = 0.75,
		.max_degree = BVB_MAX_DEGREE,
		.min_faces = 2,
		.costs = bvb_costs_default(),
		.search_budget = 100000,
		.byte_price = 100,
		.leaf_triangles = 1,
		.max_depth = BV_MAX_DEPTH,
	};
}

static bv_status check_names( const bvb_hierarchy_options* o, bvb_error* error )
{
	if ( !bvhier_builder_find( o->builder ) )
	{
		return bvbase_fail( error, bv_error_argument, "unknown builder '%s'", o->builder );
	}
	if ( !bvhier_splitter_find( o->splitter ) )
	{
		return bvbase_fail( error, bv_error_argument, "unknown splitter '%s'", o->splitter );
	}
	for ( int i = 0; i < 2; ++i )
	{
		const char* name = i == 0 ? o->node_box : o->refit;
		if ( ( i == 0 || name ) && !bvfit_node_box_find( name ) )
		{
			return bvbase_fail( error, bv_error_argument, "unknown method of fitting nodes '%s'", name );
		}
	}
	return bv_ok;
}

static bool are_costs( const bv_costs* costs )
{
	const double steps[] = { costs->triangles, costs->opening, costs->leaf };
	bool good = true;
	for ( int i = 0; i < 3; ++i )
	{
		good = good && steps[i] > 0 && steps[i] <= BVB_MAX_COST;
	}
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			double cost = costs->volumes[i][k];
			good = good && cost > 0 && cost <= BVB_MAX_COST && cost == costs->volumes[k][i];
		}
	}
	return good;
}

static bool is_degree( uint32_t degree )
{
	return degree >= 2 && degree <= BVB_MAX_DEGREE;
}

bv_status bvhier_check_options( const bvb_mesh* mesh, const bvb_hierarchy_options* o, bvb_error* error )
{
	bv_status status = check_names( o, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( o->leaf_triangles == 0 || o->max_depth > BV_MAX_DEPTH || o->threads > 1024 )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "the leaf size, depth or number of threads is out of range" );
	}
	if ( ( o->degree != 0 && !is_degree( o->degree ) ) || !is_degree( o->max_degree ) ||
	     !( o->improvement > 0 && o->improvement <= 1 ) )
	{
		return bvbase_fail( error, bv_error_argument, "the degree or the improvement is out of range" );
	}
	if ( o->collapse == 1 || o->collapse > BVB_MAX_CHILDREN ||
	     ( ( o->optimize || o->collapse ) && o->degree != 2 ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "the collapse is out of range, or the tree is not binary" );
	}
	if ( !( o->byte_price >= 0 && o->byte_price <= BVB_MAX_BYTE_PRICE ) )
	{
		return bvbase_fail( error, bv_error_argument, "the byte price is out of range" );
	}
	const bvb_builder_traits* traits = bvb_builder_traits_of( o->builder );
	if ( traits->binary && o->degree != 2 )
	{
		return bvbase_fail( error, bv_error_argument, "the builder %s makes binary trees only", o->builder );
	}
	if ( traits->sized && o->quality == bvb_quality_hausdorff )
	{
		return bvbase_fail( error, bv_error_argument, "the builder %s supports quality by volume size only",
		                    o->builder );
	}
	if ( traits->own_degree && ( o->degree != 2 || o->optimize || o->collapse ) )
	{
		return bvbase_fail( error, bv_error_argument, "the builder %s chooses the degree itself",
		                    o->builder );
	}
	if ( o->volume_types == 0 || o->volume_types >> bv_volume_types ||
	     (unsigned)o->quality > bvb_quality_hausdorff || (unsigned)o->aggregate > bvb_aggregate_max ||
	     !are_costs( &o->costs ) || !( o->hit_tests >= 0 && o->hit_tests <= BVB_MAX_HIT_TESTS ) )
	{
		return bvbase_fail( error, bv_error_argument, "a volume type, a quality or a cost is invalid" );
	}
	if ( mesh->triangle_count == 0 || mesh->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvbase_fail( error, bv_error_argument, "the mesh has no triangles or too many" );
	}
	return bv_ok;
}
