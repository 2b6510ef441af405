// The report of a file as JSON. The keys are listed in README.md beside this file.
//
// A tree of cJSON items is built and printed, by the files beside this one, each its part.

#include "formats/report/json.h"

#include "base/offline/error.h"
#include "bvbuild/report.h"

#include <stdio.h>
#include <string.h>

// The options that shaped the file, name=value a line, as an object of strings.
static void put_parameters( json_writer* w, cJSON* tool, bv_text lines )
{
	cJSON* parameters = json_put_object( w, tool, "parameters" );
	bv_text name;
	bv_text value;
	while ( bvb_next_parameter( &lines, &name, &value ) )
	{
		char* key = bvb_arena_allocate( w->arena, name.length + 1, 1 );
		w->failed |= !key;
		if ( key )
		{
			memcpy( key, name.data, name.length );
			json_put_text( w, parameters, key, value );
		}
	}
}

// The name and the version of the program that wrote the file are one text with a space before the version.
static void put_tool( json_writer* w, cJSON* report, bv_text tool, bv_text parameters )
{
	size_t start = tool.length;
	while ( start > 0 && tool.data[start - 1] != ' ' )
	{
		--start;
	}
	bv_text version = { .data = tool.data + start, .length = tool.length - start };
	cJSON* object = json_put_object( w, report, "tool" );
	json_put_text( w, object, "version", version );
	put_parameters( w, object, parameters );
}

static void put_source( json_writer* w, cJSON* report, const bv_file_origin* origin )
{
	char hash[2 * sizeof origin->source_hash + 1];
	for ( size_t i = 0; i < sizeof origin->source_hash; ++i )
	{
		snprintf( hash + 2 * i, 3, "%02x", (unsigned)origin->source_hash[i] );
	}

	cJSON* source = json_put_object( w, report, "source" );
	json_put_text( w, source, "name", origin->source_name );
	json_put_text( w, source, "format", origin->source_format );
	json_put_string( w, source, "hash", hash );
}

static void put_file( json_writer* w, cJSON* report, const bv_file* file, uint32_t triangles )
{
	bv_file_info info = bv_file_get_info( file );
	cJSON* item = json_put_object( w, report, "file" );
	json_put_count( w, item, "bytes", info.bytes );
	json_put_number( w, item, "bytes_per_triangle", (double)info.bytes / triangles );

	cJSON* sections = json_put_array( w, item, "sections" );
	for ( uint32_t i = 0; i < info.section_count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		cJSON* entry = json_append( w, sections, cJSON_CreateObject() );
		json_put_string( w, entry, "name", section.name );
		json_put_count( w, entry, "version", section.version );
		json_put_bool( w, entry, "required", section.required );
		json_put_bool( w, entry, "known", section.known );
		json_put_count( w, entry, "bytes", section.bytes );
	}
}

static void put_build( json_writer* w, cJSON* report, const bvb_report_build* build )
{
	cJSON* time = json_put_object( w, report, "time" );
	for ( int i = 0; i < bvb_stages; ++i )
	{
		json_put_number( w, time, bvb_stage_name( (bvb_stage)i ), build->stages[i].seconds );
	}
	json_put_number( w, time, "total", build->total_seconds );

	cJSON* memory = json_put_object( w, report, "memory" );
	for ( int i = 0; i < bvb_stages; ++i )
	{
		json_put_count( w, memory, bvb_stage_name( (bvb_stage)i ), build->stages[i].memory );
	}
	json_put_count( w, memory, "peak", build->peak_memory );
}

static void put_report( json_writer* w, cJSON* report, const bv_file* file, const bvb_report_build* build )
{
	bv_file_origin origin = bv_file_get_origin( file );
	bv_mesh_info mesh = bv_file_get_mesh( file );
	json_measures measures = json_measure( w, file );
	json_put_string( w, report, "schema", "bvbuild-report/1" );
	put_tool( w, report, origin.tool, origin.parameters );
	put_source( w, report, &origin );
	json_put_mesh( w, report, file, &mesh );
	json_put_moving_body( w, report, file );
	json_put_bounds( w, report, file );
	json_put_hull( w, report, file );
	json_put_recognized( w, report, file );
	json_put_decomposition( w, report, file );
	json_put_proxy( w, report, file );
	json_put_hierarchy( w, report, file, &measures );
	put_file( w, report, file, mesh.triangles );
	json_put_findings( w, report, file, &measures );
	if ( build )
	{
		put_build( w, report, build );
	}
}

bv_status bvb_report_json( const bv_file* file, const bvb_report_build* build, bvb_arena* arena, char** text,
                           bvb_error* error )
{
	*text = NULL;
	json_writer w = { .arena = arena };
	cJSON* report = json_checked( &w, cJSON_CreateObject() );
	put_report( &w, report, file, build );
	return json_finish( &w, report, text, error );
}
