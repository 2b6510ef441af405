// Options that say how the hierarchy is built. See hierarchy.h.

#include "cli/hierarchy.h"

#include "cli/text_file.h"
#include "offline/base/error.h"
#include "offline/fit/volume.h"

#include <string.h>

enum
{
	most_cost_bytes = 1 << 16, // a matrix has a line for each pair of types
};

static bvb_hierarchy_options* options_of( void* context )
{
	return &( (settings*)context )->asset.hierarchy;
}

// Returns bv_volume_types when none has the name.
static int find_type( const char* name, size_t length )
{
	int type = 0;
	while ( type < bv_volume_types )
	{
		const char* known = bv_volume_type_name( (bv_volume_type)type );
		if ( strlen( known ) == length && strncmp( known, name, length ) == 0 )
		{
			break;
		}
		type += 1;
	}
	return type;
}

// One type, several with commas between, or mixed for those that every reader of the format knows.
bv_status set_volume( void* context, const char* value, bvb_error* error )
{
	uint32_t* types = &options_of( context )->volume_types;
	*types = 0;
	if ( strcmp( value, "mixed" ) == 0 )
	{
		for ( uint32_t i = 0; i < bv_volume_types; ++i )
		{
			*types |= bvfit_volume_row_of( (bv_volume_type)i )->mixed ? 1u << i : 0;
		}
		return bv_ok;
	}
	for ( const char* name = value;; )
	{
		size_t length = strcspn( name, "," );
		int type = find_type( name, length );
		if ( type == bv_volume_types )
		{
			bvbase_suggestion near = bvbase_suggestion_for( name, length );
			for ( uint32_t i = 0; volume_name( i, NULL ); ++i )
			{
				bvbase_suggest( &near, volume_name( i, NULL ) );
			}
			return fail_unknown( error, "volume", name, (int)length, &near );
		}
		*types |= 1u << type;
		if ( name[length] == 0 )
		{
			return bv_ok;
		}
		name += length + 1;
	}
}

bv_status set_cost_matrix( void* context, const char* value, bvb_error* error )
{
	char* text;
	bvb_arena* scratch = bvb_arena_create();
	bv_status status = scratch ? read_text_file( value, scratch, &text, error ) : bvbase_fail_memory( error );
	size_t size = status == bv_ok ? strlen( text ) : 0;
	if ( size > most_cost_bytes )
	{
		status = bvbase_fail( error, bv_error_input, "%s: too long for a cost matrix", value );
	}
	else if ( status == bv_ok )
	{
		bvb_error wrong;
		status = bvb_costs_parse( text, size, &options_of( context )->costs, &wrong );
		if ( status != bv_ok )
		{
			bvbase_fail( error, status, "%s: %s", value, wrong.message );
		}
	}
	bvb_arena_destroy( scratch );
	return status;
}

bv_status set_improvement( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	options_of( context )->degree = 0;
	return bv_ok;
}

bv_status check_collapse( void* context, const char* value, bvb_error* error )
{
	(void)value;
	return options_of( context )->collapse == 1
	           ? bvbase_fail( error, bv_error_argument,
	                          "--collapse takes 0, or a whole number from 2 to 8, not 1" )
	           : bv_ok;
}

// A splitter wants topdown, boxes that are asked for are not to be fitted again, a degree wants a builder for
// it and neither of what only binary trees have, and leaves are large for the sake of the collapse.
static void override_preset( settings* s )
{
	bvb_hierarchy_options* o = &s->asset.hierarchy;
	if ( is_given( s, &o->splitter ) && !is_given( s, &o->builder ) )
	{
		o->builder = "topdown";
	}
	const bvb_builder_traits* builder = bvb_builder_traits_of( o->builder );
	o->volume_types =
		builder->volume_types && !is_given( s, &o->volume_types ) ? builder->volume_types : o->volume_types;
	bool turned = o->volume_types >> bv_volume_obb & 1;
	if ( !is_given( s, &o->refit ) && ( is_given( s, &o->node_box ) || !turned || builder->volume_types ) )
	{
		o->refit = NULL;
	}
	if ( o->degree != 2 || builder->own_degree )
	{
		bool other = builder->binary && !is_given( s, &o->builder );
		o->builder = other ? bvb_hierarchy_options_default().builder : o->builder;
		o->optimize = is_given( s, &o->optimize ) ? o->optimize : 0;
		o->collapse = is_given( s, &o->collapse ) ? o->collapse : 0;
	}
	if ( o->collapse == 0 && !is_given( s, &o->leaf_triangles ) )
	{
		uint32_t usual = bvb_hierarchy_options_default().leaf_triangles;
		o->leaf_triangles = builder->leaf_triangles ? builder->leaf_triangles : usual;
	}
}

// Options that would change nothing.
static const char* find_idle( const settings* s )
{
	const bvb_hierarchy_options* o = &s->asset.hierarchy;
	const bvb_builder_traits* builder = bvb_builder_traits_of( o->builder );
	bool chooses = ( o->volume_types & ( o->volume_types - 1 ) ) != 0 || o->degree == 0;
	bool in_boxes = ( o->volume_types & ( 1u << bv_volume_obb | 1u << bv_volume_rss ) ) != 0;
	if ( is_given( s, &o->splitter ) && !builder->divides )
	{
		return "--splitter needs --builder topdown";
	}
	if ( is_given( s, &o->seed ) && !builder->random )
	{
		return "--seed needs a builder that chooses at random, such as topdown";
	}
	if ( is_given( s, &o->search_budget ) &&
	     !( builder->divides &&
	        strncmp( o->splitter, "branch-and-bound", strlen( "branch-and-bound" ) ) == 0 ) )
	{
		return "--search-budget needs --splitter branch-and-bound or a variant of it";
	}
	if ( ( is_given( s, &o->quality ) || is_given( s, &o->aggregate ) ) && !builder->measures && !chooses )
	{
		return "--quality and --aggregate need --splitter, --improvement, or several volumes: --volume "
			   "A,B";
	}
	if ( is_given( s, &o->node_box ) && !builder->divides && !in_boxes )
	{
		return "--node-box needs volumes that are fitted in oriented boxes: add obb or rss to --volume";
	}
	if ( is_given( s, &o->refit ) && o->refit && !in_boxes )
	{
		return "--refit needs volumes that are fitted in oriented boxes: add obb or rss to --volume";
	}
	if ( is_given( s, &o->byte_price ) && o->collapse == 0 )
	{
		return "--byte-price needs --collapse";
	}
	if ( is_given( s, &o->hit_tests ) && !( o->volume_types & ( o->volume_types - 1 ) ) )
	{
		return "--hit-tests needs several types: --volume A,B";
	}
	return NULL;
}

bv_status settle_hierarchy( settings* s, bvb_error* error )
{
	override_preset( s );
	const bvb_hierarchy_options* o = &s->asset.hierarchy;
	const bvb_builder_traits* builder = bvb_builder_traits_of( o->builder );
	const char* wrong = find_idle( s );
	if ( is_given( s, &o->degree ) && is_given( s, &o->improvement ) )
	{
		wrong = "--degree and --improvement exclude each other";
	}
	else if ( ( is_given( s, &o->max_degree ) || is_given( s, &o->min_faces ) ) && o->degree != 0 )
	{
		wrong = "--max-degree and --min-faces need --improvement";
	}
	else if ( ( o->optimize > 0 || o->collapse > 0 ) && o->degree != 2 )
	{
		wrong = "--optimize and --collapse need binary trees: --degree 2";
	}
	else if ( builder->own_degree && ( is_given( s, &o->degree ) || is_given( s, &o->improvement ) ||
	                                   o->optimize > 0 || o->collapse > 0 ) )
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
	else if ( builder->own_boxes && is_given( s, &o->node_box ) && o->volume_types == 1u << bv_volume_obb )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--builder %s fits its own boxes and excludes --node-box", o->builder );
	}
	else if ( builder->own_leaves && is_given( s, &o->leaf_triangles ) )
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

static const char* summarize_mixed( void )
{
	static char text[160];
	strcpy( text, "all except" );
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		if ( !bvfit_volume_row_of( (bv_volume_type)i )->mixed )
		{
			strcat( strcat( text, " " ), bv_volume_type_name( (bv_volume_type)i ) );
		}
	}
	return strcat( text, "; each node takes the best" );
}

const char* volume_name( uint32_t index, const char** summary )
{
	if ( index > bv_volume_types )
	{
		return NULL;
	}
	const char* unused;
	*( summary ? summary : &unused ) =
		index < bv_volume_types ? bvfit_volume_row_of( (bv_volume_type)index )->summary : summarize_mixed();
	return index < bv_volume_types ? bv_volume_type_name( (bv_volume_type)index ) : "mixed";
}
