// Which hierarchies are built: the factors, their levels, and the designs. See experiment.h.

#include "offline/fit/volume.h"
#include "tests/bench/experiment/experiment.h"

// Builders of a paper's own kind of tree come with what the paper has: its volumes, degree and leaves.
static const char* set_builder( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	(void)text;
	const char* name = bvb_builder_name( index, NULL );
	if ( !name )
	{
		return NULL;
	}
	const bvb_builder_traits* traits = bvb_builder_traits_of( name );
	options->builder = name;
	if ( traits->volume_types )
	{
		options->volume_types = traits->volume_types;
		options->refit = NULL;
	}
	if ( traits->volume_types || traits->own_degree )
	{
		uint32_t usual = bvb_hierarchy_options_default().leaf_triangles;
		options->optimize = 0;
		options->collapse = 0;
		options->leaf_triangles = traits->leaf_triangles ? traits->leaf_triangles : usual;
	}
	return name;
}

// A splitter is topdown's.
static const char* set_splitter( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	(void)text;
	const char* name = bvb_splitter_name( index, NULL );
	options->splitter = name ? name : options->splitter;
	options->builder = name ? "topdown" : options->builder;
	return name;
}

static const char* name_types( uint32_t types, char text[name_size] )
{
	size_t length = 0;
	text[0] = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		if ( types >> i & 1 )
		{
			length += (size_t)snprintf( text + length, name_size - length, "%s%s", length ? "," : "",
			                            bv_volume_type_name( (bv_volume_type)i ) );
		}
	}
	return text;
}

// Those that --volume mixed stands for.
static uint32_t find_mixed( void )
{
	uint32_t types = 0;
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		types |= bvfit_volume_row_of( (bv_volume_type)i )->mixed ? 1u << i : 0;
	}
	return types;
}

// Each type alone, both boxes, Eckstein's three together (1998, section 3.6), and mixed.
static const char* set_volume( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	const uint32_t mixed[] = {
		1u << bv_volume_obb | 1u << bv_volume_aabb,
		1u << bv_volume_obb | 1u << bv_volume_aabb | 1u << bv_volume_sphere,
		find_mixed(),
	};
	if ( index >= bv_volume_types + sizeof mixed / sizeof *mixed )
	{
		return NULL;
	}
	options->volume_types = index < bv_volume_types ? 1u << index : mixed[index - bv_volume_types];
	return name_types( options->volume_types, text );
}

// All fixed degrees, and behind them a variable one.
static const char* set_degree( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	if ( index > BVB_MAX_DEGREE - 1 )
	{
		return NULL;
	}
	options->degree = index == BVB_MAX_DEGREE - 1 ? 0 : index + 2;
	if ( options->degree != 2 )
	{
		// Of binary trees only, as are the leaves that it makes.
		options->collapse = 0;
		options->optimize = 0;
		options->leaf_triangles = bvb_hierarchy_options_default().leaf_triangles;
	}
	if ( options->degree == 0 )
	{
		snprintf( text, name_size, "variable (%g)", options->improvement );
	}
	else
	{
		snprintf( text, name_size, "%u", options->degree );
	}
	return text;
}

static const char* set_quality( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	(void)text;
	if ( index > bvb_quality_hausdorff )
	{
		return NULL;
	}
	options->quality = (bvb_quality_measure)index;
	return bvb_quality_name( index );
}

static const char* set_aggregate( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	(void)text;
	if ( index > bvb_aggregate_max )
	{
		return NULL;
	}
	options->aggregate = (bvb_aggregate)index;
	return bvb_aggregate_name( index );
}

static const char* set_node_box( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	(void)text;
	const char* name = bvb_node_box_name( index, NULL );
	options->node_box = name ? name : options->node_box;
	return name;
}

static const char* set_refit( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	(void)text;
	options->refit = index == 0 ? NULL : bvb_node_box_name( index - 1, NULL );
	return index == 0 ? "none" : options->refit;
}

static const char* set_hit_tests( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	static const double tests[] = { 0, 1, 2, 4, 8 };
	if ( index >= sizeof tests / sizeof *tests )
	{
		return NULL;
	}
	options->hit_tests = tests[index];
	snprintf( text, name_size, "%g", options->hit_tests );
	return text;
}

static const char* set_leaf_triangles( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	if ( index > 3 )
	{
		return NULL;
	}
	options->leaf_triangles = 1u << index;
	snprintf( text, name_size, "%u", options->leaf_triangles );
	return text;
}

static const char* set_number( uint32_t* option, const uint32_t* numbers, uint32_t count, uint32_t index,
                               char text[name_size] )
{
	if ( index >= count )
	{
		return NULL;
	}
	*option = numbers[index];
	snprintf( text, name_size, "%u", *option );
	return text;
}

static const char* set_optimize( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	static const uint32_t rounds[] = { 0, 1, 10, 20, 50 };
	return set_number( &options->optimize, rounds, 5, index, text );
}

static const char* set_collapse( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	static const uint32_t children[] = { 0, 2, 3, 4, 6, 8 };
	return set_number( &options->collapse, children, 6, index, text );
}

static const char* set_byte_price( bvb_hierarchy_options* options, uint32_t index, char text[name_size] )
{
	static const double prices[] = { 0, 20, 40, 100, 200, 500 };
	if ( index >= sizeof prices / sizeof *prices )
	{
		return NULL;
	}
	options->byte_price = prices[index];
	snprintf( text, name_size, "%g", options->byte_price );
	return text;
}

const factor factors[factor_count] = {
	[factor_builder] = { "builder", set_builder },
	[factor_splitter] = { "splitter", set_splitter },
	[factor_volume] = { "volume", set_volume },
	[factor_degree] = { "degree", set_degree },
	[factor_quality] = { "quality", set_quality },
	[factor_aggregate] = { "aggregate", set_aggregate },
	[factor_node_box] = { "node-box", set_node_box },
	[factor_refit] = { "refit", set_refit },
	[factor_hit_tests] = { "hit-tests", set_hit_tests },
	[factor_leaf_triangles] = { "leaf-triangles", set_leaf_triangles },
	[factor_optimize] = { "optimize", set_optimize },
	[factor_collapse] = { "collapse", set_collapse },
	[factor_byte_price] = { "byte-price", set_byte_price },
};

// @param text  FACTOR=LEVEL, up to a space or the end
static bool set_level( bvb_hierarchy_options* options, const char* text, size_t length )
{
	for ( int f = 0; f < factor_count; ++f )
	{
		size_t begin = strlen( factors[f].name );
		if ( length <= begin || strncmp( text, factors[f].name, begin ) != 0 || text[begin] != '=' )
		{
			continue;
		}
		char made[name_size];
		const char* name;
		bvb_hierarchy_options tried = *options;
		for ( uint32_t i = 0; ( name = factors[f].set( &tried, i, made ) ); ++i )
		{
			size_t rest = length - begin - 1;
			if ( strcspn( name, " " ) == rest && strncmp( name, text + begin + 1, rest ) == 0 )
			{
				*options = tried;
				return true;
			}
			tried = *options;
		}
	}
	return false;
}

bool set_levels( bvb_hierarchy_options* options, const char* text )
{
	bool all = true;
	while ( *text && all )
	{
		size_t length = strcspn( text, " " );
		all = length == 0 || set_level( options, text, length );
		text += length + ( text[length] == ' ' );
	}
	return all;
}

static bool is_topdown( const bvb_hierarchy_options* options )
{
	return strcmp( options->builder, "topdown" ) == 0;
}

void describe( const bvb_hierarchy_options* o, char key[key_size] )
{
	char types[name_size];
	char degree[32];
	if ( o->degree == 0 )
	{
		snprintf( degree, sizeof degree, "%g/%u/%u", o->improvement, o->max_degree, o->min_faces );
	}
	else
	{
		snprintf( degree, sizeof degree, "%u", o->degree );
	}
	snprintf( key, key_size, "%s %s %s %s %s %s %s %s %g %u %u %u %g %u %llu %llu", o->builder,
	          is_topdown( o ) ? o->splitter : "-", name_types( o->volume_types, types ), degree,
	          bvb_quality_name( o->quality ), bvb_aggregate_name( o->aggregate ), o->node_box,
	          o->refit ? o->refit : "none", o->hit_tests, o->leaf_triangles, o->optimize, o->collapse,
	          o->collapse ? o->byte_price : 0, o->max_depth, (unsigned long long)o->search_budget,
	          (unsigned long long)o->seed );
}

cell make_cell( const bvb_hierarchy_options* options )
{
	cell c = { .options = *options };
	describe( options, c.key );
	return c;
}

cell base_cell( void )
{
	bvb_asset_options options;
	bvb_preset_options( "balanced", &options );
	return make_cell( &options.hierarchy );
}

factor_index find_factor( const char* name )
{
	int f = 0;
	while ( f < factor_count && strcmp( factors[f].name, name ) != 0 )
	{
		f += 1;
	}
	return (factor_index)f;
}

static void walk_factor( factor_index f, visit_cell* visit, void* context )
{
	char text[name_size];
	const bvb_hierarchy_options base = base_cell().options;
	bvb_hierarchy_options options = base;
	for ( uint32_t i = 0; factors[f].set( &options, i, text ); ++i )
	{
		cell c = make_cell( &options );
		visit( context, &c );
		options = base;
	}
}

void walk_one( factor_index only, visit_cell* visit, void* context )
{
	cell base = base_cell();
	visit( context, &base );
	for ( uint32_t i = 0; only == factor_count && bvb_preset_name( i, NULL ); ++i )
	{
		bvb_asset_options options;
		bvb_preset_options( bvb_preset_name( i, NULL ), &options );
		cell c = make_cell( &options.hierarchy );
		visit( context, &c );
	}
	for ( int f = 0; f < factor_count; ++f )
	{
		if ( only == factor_count || (int)only == f )
		{
			walk_factor( (factor_index)f, visit, context );
		}
	}
}

// Degrees and qualities of one builder, splitter and volume.
static void walk_inner( const bvb_hierarchy_options* outer, visit_cell* visit, void* context )
{
	char text[name_size];
	bvb_hierarchy_options options = *outer;
	for ( uint32_t d = 0; factors[factor_degree].set( &options, d, text ); ++d )
	{
		const bvb_builder_traits* traits = bvb_builder_traits_of( options.builder );
		if ( ( traits->binary || traits->own_degree ) && options.degree != 2 )
		{
			continue; // it makes trees of another degree only
		}
		for ( uint32_t q = 0; factors[factor_quality].set( &options, q, text ); ++q )
		{
			cell c = make_cell( &options );
			visit( context, &c );
		}
	}
}

void walk_full( visit_cell* visit, void* context )
{
	char text[name_size];
	bvb_hierarchy_options base = base_cell().options;
	for ( uint32_t v = 0; factors[factor_volume].set( &base, v, text ); ++v )
	{
		bvb_hierarchy_options options = base;
		for ( uint32_t b = 0; factors[factor_builder].set( &options, b, text ); options = base, ++b )
		{
			options.volume_types = base.volume_types;
			for ( uint32_t s = 0;
			      is_topdown( &options ) ? factors[factor_splitter].set( &options, s, text ) != NULL : s == 0;
			      ++s )
			{
				walk_inner( &options, visit, context );
			}
		}
	}
}
