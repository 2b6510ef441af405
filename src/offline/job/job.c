// The steps of a build. See job.h.

#include "offline/job/job.h"

#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/base/path.h"
#include "offline/import/file.h"
#include "offline/job/objects.h"

#include <string.h>

// Equal triangles have equal hashes, whoever made them.
static void hash_mesh( const bvb_mesh* mesh, uint8_t hash[16] )
{
	uint8_t parts[2][16];
	bvimport_hash( mesh->positions, mesh->vertex_count * sizeof *mesh->positions, parts[0] );
	bvimport_hash( mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles, parts[1] );
	bvimport_hash( parts, sizeof parts, hash );
}

static bv_status check_scene( const char* name, const bvb_scene* scene, bvb_error* error )
{
	const bvb_mesh* mesh = &scene->mesh;
	if ( mesh->triangle_count == 0 )
	{
		return bvbase_fail( error, bv_error_input, "%s: no triangles", name );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t vertex = mesh->triangles[i].corner[k];
			if ( vertex >= mesh->vertex_count )
			{
				return bvbase_fail( error, bv_error_input, "%s: triangle %u refers to vertex %u of %u", name,
				                    i, vertex, mesh->vertex_count );
			}
		}
	}
	return bv_ok;
}

static bv_status read_scene( const bvb_build_input* input, bvjob_source* out, bvb_error* error )
{
	bv_status status = check_scene( input->name, input->scene, error );
	if ( status == bv_ok )
	{
		out->import = ( bvb_import ){ .scene = *input->scene, .format = "memory" };
		hash_mesh( &input->scene->mesh, out->import.hash );
	}
	return status;
}

bv_status bvjob_read( const bvb_build_input* input, const bvb_build_options* options, bvb_arena* arena,
                      bvjob_source* out, bvb_error* error )
{
	*out = ( bvjob_source ){ .name = input->name, .owns_scene = !input->scene };
	bvb_import_options import = options->import;
	import.clip = options->asset.clip;
	if ( input->scene && import.clip.name && !input->scene->clip )
	{
		return bvbase_fail( error, bv_error_argument, "%s: a clip is named, but the scene has none",
		                    input->name );
	}
	if ( input->scene )
	{
		return read_scene( input, out, error );
	}
	if ( !input->data )
	{
		return bvb_import_file( input->name, &import, arena, &out->import, error );
	}
	return bvb_import_bytes( input->data, input->size, input->format, input->name, &import, arena,
	                         &out->import, error );
}

bv_status bvjob_sort_out( bvjob_source* source, const bvb_build_options* options, bvb_arena* arena,
                          bvb_error* error )
{
	const bvb_scene* scene = &source->import.scene;
	bv_status status = bvb_scene_sort_out( scene, options->asset.proxies, arena, &source->items, error );
	return status == bv_ok ? bvjob_select_objects( scene, &source->items, options, source->name, arena,
	                                               &source->wanted, error )
	                       : status;
}

// Errors of the stages do not name the source.
static bv_status name_source( const bvjob_source* source, const char* item, bv_status status,
                              bvb_error* error )
{
	if ( status != bv_ok && error )
	{
		bvb_error inner = *error;
		if ( item )
		{
			bvbase_fail( error, status, "%s: object '%s': %s", source->name, item, inner.message );
		}
		else
		{
			bvbase_fail( error, status, "%s: %s", source->name, inner.message );
		}
	}
	return status;
}

// Everybody else reads the finished bytes, so what is said about the file is said of these.
static bv_status open_made( bvjob_made* made, bvb_error* error )
{
	const char* reason;
	return bv_file_open_explained( made->bytes.data, made->bytes.size, &made->file, &reason ) == bv_ok
	           ? bv_ok
	           : bvbase_fail( error, bv_error_internal, "the generated file is not valid: %s", reason );
}

bv_status bvjob_make( const bvjob_source* source, const bvb_asset_options* asset, const char* item,
                      const bool* wanted, bvb_arena* arena, bvjob_made* out, bvb_error* error )
{
	const bvb_import* import = &source->import;
	bvb_scene scene;
	bvb_source origin = { .name = bvbase_path_name( source->name ), .format = import->format };
	memcpy( origin.hash, import->hash, sizeof origin.hash );
	origin.side_files = import->side_files;
	origin.losses = import->losses;
	origin.warning = import->warning;
	bv_status status =
		bvb_scene_collect( &import->scene, &source->items, wanted, &asset->record, arena, &scene, error );
	status = status == bv_ok ? bvb_asset_build( &scene, &origin, asset, arena, &out->asset, error ) : status;
	status = status == bv_ok
	             ? bvjob_find_lost_objects( &scene, &out->asset.record.mesh, arena, &out->lost, error )
	             : status;
	if ( asset->progress && status == bv_ok )
	{
		asset->progress( asset->progress_context, bvb_stage_write, -1 );
	}
	out->encoding_began = bvbase_clock();
	status = status == bv_ok ? bvb_asset_encode( &out->asset, arena, &out->bytes, error ) : status;
	status = status == bv_ok ? open_made( out, error ) : status;
	return name_source( source, item, status, error );
}

void bvjob_take_stages( const bvjob_made* made, bvb_report_build* build )
{
	for ( int i = bvb_stage_record; i < bvb_stage_write; ++i )
	{
		build->stages[i] = made->asset.stages[i];
	}
}
