// What the hierarchy that a preset makes of the same triangles would cost: something to hold a file's own
// cost against. The cost is K of J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, measured as in
// contact.c.

#include "bvbuild/assess.h"
#include "bvbuild/asset.h"
#include "bvbuild/export.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"

#include <string.h>

bvb_yardstick_options bvb_yardstick_options_default( void )
{
	return ( bvb_yardstick_options ){ .preset = "balanced", .most_triangles = 100000 };
}

// Positions that were written in a form can be written in it again.
static bvb_position_form form_of( const bv_file* file )
{
	static const char quantized[] = "quantized";
	bv_text form;
	bool known = bvb_find_parameter( bv_file_get_origin( file ).parameters,
	                                 ( bv_text ){ "positions", strlen( "positions" ) }, &form );
	return known && form.length == strlen( quantized ) && memcmp( form.data, quantized, form.length ) == 0
	           ? bvb_positions_quantized
	           : bvb_positions_float;
}

// A grid that is laid anew may have other steps.
static bool is_same_mesh( const bv_file* file, const bv_file* built )
{
	bv_mesh_info mesh = bv_file_get_mesh( built );
	return mesh.triangles == bv_file_get_mesh( file ).triangles && mesh.largest_displacement == 0;
}

// The preset's hierarchy and nothing else, priced as the file's own.
static bv_status build( const bv_file* file, const bvb_yardstick_options* o, bvb_arena* arena,
                        const bv_file** out, bvb_error* error )
{
	bvb_asset_options options;
	if ( !bvb_preset_options( o->preset, &options ) )
	{
		return bvbase_fail( error, bv_error_argument, "unknown preset '%s'", o->preset );
	}
	options.sections = 1u << bvb_section_mesh | 1u << bvb_section_tree;
	options.errors.relative = 0;
	options.recognize.value = 0;
	options.hierarchy.costs = bv_file_get_hierarchy( file ).costs;
	options.hierarchy.threads = o->threads;
	options.record.positions = form_of( file );

	const bvb_source source = { .name = "", .format = "" };
	bvb_export mesh;
	bvb_asset asset;
	bvb_bytes bytes;
	bv_status status = bvb_export_gather( file, "mesh", arena, &mesh, error );
	if ( status == bv_ok )
	{
		const bvb_scene scene = { .mesh = mesh.objects->mesh };
		status = bvb_asset_build( &scene, &source, &options, arena, &asset, error );
	}
	status = status == bv_ok ? bvb_asset_encode( &asset, arena, &bytes, error ) : status;
	status = status == bv_ok ? bv_file_open( bytes.data, bytes.size, out ) : status;
	if ( status == bv_ok && !is_same_mesh( file, *out ) )
	{
		return bvbase_fail( error, bv_error_limit, "the mesh cannot be rebuilt with the same positions" );
	}
	return status;
}

bv_status bvb_assess_yardstick( const bv_file* file, const bvb_yardstick_options* options, bvb_arena* arena,
                                bvb_yardstick* out, bvb_error* error )
{
	bvb_yardstick_options o = options ? *options : bvb_yardstick_options_default();
	bv_mesh_info mesh = bv_file_get_mesh( file );
	*out = ( bvb_yardstick ){ 0 };
	if ( bv_file_get_hierarchy( file ).nodes == 0 || !mesh.has_triangles )
	{
		return bvbase_fail( error, bv_error_argument, "the file has no hierarchy" );
	}
	if ( mesh.triangles > o.most_triangles )
	{
		return bvbase_fail( error, bv_error_limit, "the mesh has more than %u triangles", o.most_triangles );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	const bv_file* built;
	bvb_contact_options contact = bvb_contact_options_default();
	contact.threads = o.threads;
	bv_status status = scratch ? build( file, &o, scratch, &built, error ) : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		out->nodes = bv_file_get_hierarchy( built ).nodes;
		status = bvb_assess_contact( built, &contact, scratch, &out->contact, error );
	}
	bvb_arena_destroy( scratch );
	return status;
}
