// What options of the hierarchy mean together. See settle.h.

#include "offline/options/settle.h"

#include "offline/base/error.h"
#include "offline/options/options.h"

#include <string.h>

// A splitter wants topdown, boxes that are asked for are not to be fitted again, a degree wants a builder for
// it and neither of what only binary trees have, and leaves are large for the sake of the collapse.
static void override_preset( bvb_build_options* s )
{
	bvb_hierarchy_options* o = &s->asset.hierarchy;
	if ( bvopt_is_given( s, &o->splitter ) && !bvopt_is_given( s, &o->builder ) )
	{
		o->builder = "topdown";
	}
	const bvb_builder_traits* builder = bvb_builder_traits_of( o->builder );
	o->volume_types = builder->volume_types && !bvopt_is_given( s, &o->volume_types ) ? builder->volume_types
	                                                                                  : o->volume_types;
	bool turned = o->volume_types >> bv_volume_obb & 1;
	if ( !bvopt_is_given( s, &o->refit ) &&
	     ( bvopt_is_given( s, &o->node_box ) || !turned || builder->volume_types ) )
	{
		o->refit = NULL;
	}
	if ( o->degree != 2 || builder->own_degree )
	{
		bool other = builder->binary && !bvopt_is_given( s, &o->builder );
		o->builder = other ? bvb_hierarchy_options_default().builder : o->builder;
		o->optimize = bvopt_is_given( s, &o->optimize ) ? o->optimize : 0;
		o->collapse = bvopt_is_given( s, &o->collapse ) ? o->collapse : 0;
	}
	if ( o->collapse == 0 && !bvopt_is_given( s, &o->leaf_triangles ) )
	{
		uint32_t usual = bvb_hierarchy_options_default().leaf_triangles;
		o->leaf_triangles = builder->leaf_triangles ? builder->leaf_triangles : usual;
	}
}

// Options that would change nothing.
static const char* find_idle( const bvb_build_options* s )
{
	const bvb_hierarchy_options* o = &s->asset.hierarchy;
	const bvb_builder_traits* builder = bvb_builder_traits_of( o->builder );
	bool chooses = ( o->volume_types & ( o->volume_types - 1 ) ) != 0 || o->degree == 0;
	bool in_boxes = ( o->volume_types & ( 1u << bv_volume_obb | 1u << bv_volume_rss ) ) != 0;
	if ( bvopt_is_given( s, &o->splitter ) && !builder->divides )
	{
		return "--splitter needs --builder topdown";
	}
	if ( bvopt_is_given( s, &o->seed ) && !builder->random )
	{
		return "--seed needs a builder that chooses at random, such as topdown";
	}
	if ( bvopt_is_given( s, &o->search_budget ) &&
	     !( builder->divides &&
	        strncmp( o->splitter, "branch-and-bound", strlen( "branch-and-bound" ) ) == 0 ) )
	{
		return "--search-budget needs --splitter branch-and-bound or a variant of it";
	}
	if ( ( bvopt_is_given( s, &o->quality ) || bvopt_is_given( s, &o->aggregate ) ) && !builder->measures &&
	     !chooses )
	{
		return "--quality and --aggregate need --splitter, --improvement, or several volumes: --volume "
			   "A,B";
	}
	if ( bvopt_is_given( s, &o->node_box ) && !builder->divides && !in_boxes )
	{
		return "--node-box needs volumes that are fitted in oriented boxes: add obb or rss to --volume";
	}
	if ( bvopt_is_given( s, &o->refit ) && o->refit && !in_boxes )
	{
		return "--refit needs volumes that are fitted in oriented boxes: add obb or rss to --volume";
	}
	if ( bvopt_is_given( s, &o->byte_price ) && o->collapse == 0 )
	{
		return "--byte-price needs --collapse";
	}
	if ( bvopt_is_given( s, &o->hit_tests ) && !( o->volume_types & ( o->volume_types - 1 ) ) )
	{
		return "--hit-tests needs several types: --volume A,B";
	}
	return NULL;
}

bv_status bvopt_settle_hierarchy( bvb_build_options* s, bvb_error* error )
{
	override_preset( s );
	const bvb_hierarchy_options* o = &s->asset.hierarchy;
	const bvb_builder_traits* builder = bvb_builder_traits_of( o->builder );
	const char* wrong = find_idle( s );
	if ( bvopt_is_given( s, &o->degree ) && bvopt_is_given( s, &o->improvement ) )
	{
		wrong = "--degree and --improvement exclude each other";
	}
	else if ( ( bvopt_is_given( s, &o->max_degree ) || bvopt_is_given( s, &o->min_faces ) ) &&
	          o->degree != 0 )
	{
		wrong = "--max-degree and --min-faces need --improvement";
	}
	else if ( ( o->optimize > 0 || o->collapse > 0 ) && o->degree != 2 )
	{
		wrong = "--optimize and --collapse need binary trees: --degree 2";
	}
	else if ( builder->own_degree &&
	          ( bvopt_is_given( s, &o->degree ) || bvopt_is_given( s, &o->improvement ) || o->optimize > 0 ||
	            o->collapse > 0 ) )
	{
		return bvbase_fail(
			error, bv_error_argument,
			"--builder %s chooses its own degree and excludes --degree, --improvement, --optimize and "
			"--collapse",
			o->builder );
	}
	else if ( builder->sized && o->quality == bvb_quality_hausdorff )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--builder %s supports only --quality area, volume and diameter", o->builder );
	}
	else if ( builder->own_boxes && bvopt_is_given( s, &o->node_box ) &&
	          o->volume_types == 1u << bv_volume_obb )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--builder %s fits its own boxes and excludes --node-box", o->builder );
	}
	else if ( builder->own_leaves && bvopt_is_given( s, &o->leaf_triangles ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--builder %s chooses its own leaves and excludes --leaf-triangles", o->builder );
	}
	else if ( builder->binary && o->degree != 2 )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--builder %s builds binary trees: --degree 2; --collapse widens them",
		                    o->builder );
	}
	return wrong ? bvbase_fail( error, bv_error_argument, "%s", wrong ) : bv_ok;
}
