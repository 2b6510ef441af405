// Presets: sets of options under one name, from the fastest to build to the best to query. Chosen by the
// experiment of docs/experiments/hierarchies.md.

#include "offline/asset/presets.h"

#include <string.h>

// As many children as are tested at once.
static void make_wide( bvb_hierarchy_options* o )
{
	o->collapse = BVB_MAX_CHILDREN;
	o->leaf_triangles = 8;
}

static void make_fast( bvb_asset_options* options )
{
	options->hierarchy.volume_types = 1u << bv_volume_aabb;
	options->hierarchy.byte_price = 500;
	options->obb.method = "dito";
	options->errors.relative = 0;
	options->recognize.value = 0;
	options->decompose.effort = 0;
}

static void make_balanced( bvb_asset_options* options )
{
	(void)options;
}

static void make_best( bvb_asset_options* options )
{
	options->hierarchy.builder = "topdown";
	options->hierarchy.node_box = "dito-area";
	options->hierarchy.optimize = 20;
	options->hierarchy.refit = "refined-area";
	options->hierarchy.byte_price = 40;
	options->decompose.effort = 2;
	bvb_tree_errors_to( &options->errors, 0.01 );
}

// One preset.
typedef struct preset
{
	const char* name;
	void ( *apply )( bvb_asset_options* options );
} preset;

static const preset presets[] = {
	{ "fast", make_fast },
	{ "balanced", make_balanced },
	{ "best", make_best },
};

_Static_assert( sizeof presets / sizeof presets[0] == bvasset_preset_count, "presets.h has their number" );

bvb_asset_options bvb_asset_options_default( void )
{
	bvb_asset_options options = {
		.record = bvb_record_options_default(),
		.hierarchy = bvb_hierarchy_options_default(),
		.obb = bvb_obb_options_default(),
		.errors = bvb_tree_errors_options_default(),
		.recognize = { .value = 1, .percent = true },
		.decompose = bvb_decompose_options_default(),
		.stand_off = { .value = 1, .percent = true },
		.simplify = { .value = 1, .percent = true },
		.sections = bvb_sections_default(),
	};
	make_wide( &options.hierarchy );
	options.hierarchy.builder = "binned";
	options.hierarchy.node_box = "dito-area";
	options.hierarchy.byte_price = 200;
	return options;
}

bool bvb_preset_options( const char* name, bvb_asset_options* out )
{
	for ( int i = 0; i < bvasset_preset_count; ++i )
	{
		if ( strcmp( presets[i].name, name ) == 0 )
		{
			*out = bvb_asset_options_default();
			presets[i].apply( out );
			return true;
		}
	}
	return false;
}

const char* bvasset_preset_word( uint32_t index )
{
	return index < bvasset_preset_count ? presets[index].name : NULL;
}
