// The report of a file as JSON. The keys are listed in formats/report/README.md.
//
// A tree of cJSON items is built and printed, by the files beside this one, each its part.

#include "offline/report/json.h"

#include "bvbuild/report.h"
#include "formats/bvh/sections.h"
#include "offline/base/error.h"

#include <stdio.h>
#include <string.h>

// The options that shaped the file, name=value a line, as an object of strings.
static void put_parameters( bvreport_json_writer* w, cJSON* tool, bv_text lines )
{
	cJSON* parameters = bvreport_json_put_object( w, tool, "parameters" );
	bv_text name;
	bv_text value;
	while ( bvb_next_parameter( &lines, &name, &value ) )
	{
		char* key = bvb_arena_allocate( w->arena, name.length + 1, 1 );
		w->failed |= !key;
		if ( key )
		{
			memcpy( key, name.data, name.length );
			bvreport_json_put_text( w, parameters, key, value );
		}
	}
}

// The name and the version of the program that wrote the file are one text with a space before the version.
static void put_tool( bvreport_json_writer* w, cJSON* report, bv_text tool, bv_text parameters )
{
	size_t start = tool.length;
	while ( start > 0 && tool.data[start - 1] != ' ' )
	{
		--start;
	}
	bv_text version = { .data = tool.data + start, .length = tool.length - start };
	cJSON* object = bvreport_json_put_object( w, report, "tool" );
	bvreport_json_put_text( w, object, "version", version );
	put_parameters( w, object, parameters );
}

static void put_source( bvreport_json_writer* w, cJSON* report, const bv_file_origin* origin )
{
	char hash[2 * sizeof origin->source_hash + 1];
	for ( size_t i = 0; i < sizeof origin->source_hash; ++i )
	{
		snprintf( hash + 2 * i, 3, "%02x", (unsigned)origin->source_hash[i] );
	}

	cJSON* source = bvreport_json_put_object( w, report, "source" );
	bvreport_json_put_text( w, source, "name", origin->source_name );
	bvreport_json_put_text( w, source, "format", origin->source_format );
	bvreport_json_put_string( w, source, "hash", hash );
}

static void put_file( bvreport_json_writer* w, cJSON* report, const bv_file* file, uint32_t triangles )
{
	bv_file_info info = bv_file_get_info( file );
	cJSON* item = bvreport_json_put_object( w, report, "file" );
	bvreport_json_put_count( w, item, "bytes", info.bytes );
	bvreport_json_put_number( w, item, "bytes_per_triangle", (double)info.bytes / triangles );

	cJSON* sections = bvreport_json_put_array( w, item, "sections" );
	for ( uint32_t i = 0; i < info.section_count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		cJSON* entry = bvreport_json_append( w, sections, cJSON_CreateObject() );
		bvreport_json_put_string( w, entry, "name", section.name );
		bvreport_json_put_count( w, entry, "version", section.version );
		bvreport_json_put_bool( w, entry, "required", section.required );
		bvreport_json_put_bool( w, entry, "known", section.known );
		bvreport_json_put_count( w, entry, "bytes", section.bytes );
	}
}

static void put_build( bvreport_json_writer* w, cJSON* report, const bvb_report_build* build )
{
	cJSON* time = bvreport_json_put_object( w, report, "time" );
	for ( int i = 0; i < bvb_stages; ++i )
	{
		bvreport_json_put_number( w, time, bvb_stage_name( (bvb_stage)i ), build->stages[i].seconds );
	}
	bvreport_json_put_number( w, time, "total", build->total_seconds );

	cJSON* memory = bvreport_json_put_object( w, report, "memory" );
	for ( int i = 0; i < bvb_stages; ++i )
	{
		bvreport_json_put_count( w, memory, bvb_stage_name( (bvb_stage)i ), build->stages[i].memory );
	}
	bvreport_json_put_count( w, memory, "peak", build->peak_memory );
}

// Those that are not listed come behind, in the order of the file.
static const bvfile_section first_reported[] = {
	bvfile_section_mesh,       bvfile_section_body,  bvfile_section_bounds, bvfile_section_hull,
	bvfile_section_primitives, bvfile_section_parts, bvfile_section_proxy,  bvfile_section_nodes,
};

static void put_sections( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                          const bvreport_json_measures* measures )
{
#define BVFILE_ROW( section, option, wanted, name, summary, prepare, verify, put, ... ) \
	[bvfile_section_##section] = put,
	bvreport_json_section* puts[bvfile_section_count] = { BVFMT_OFFLINE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	for ( size_t i = 0; i < sizeof first_reported / sizeof *first_reported; ++i )
	{
		puts[first_reported[i]]( w, report, file, measures );
		puts[first_reported[i]] = NULL;
	}
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		if ( puts[i] )
		{
			puts[i]( w, report, file, measures );
		}
	}
}

static void put_report( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                        const bvb_report_build* build, unsigned needs )
{
	bv_file_origin origin = bv_file_get_origin( file );
	bvreport_json_measures measures = bvreport_json_measure( w, file, needs );
	bvreport_json_put_string( w, report, "schema", "bvbuild-report/1" );
	put_tool( w, report, origin.tool, origin.parameters );
	put_source( w, report, &origin );
	put_sections( w, report, file, &measures );
	put_file( w, report, file, bv_file_get_mesh( file ).triangles );
	bvreport_json_put_findings( w, report, file, &measures );
	if ( build )
	{
		put_build( w, report, build );
	}
}

static bv_status write_report( const bv_file* file, const bvb_report_build* build, unsigned needs,
                               bvb_arena* arena, char** text, bvb_error* error )
{
	*text = NULL;
	bvreport_json_writer w = { .arena = arena, .offset = bv_file_get_offset( file ) };
	cJSON* report = bvreport_json_checked( &w, cJSON_CreateObject() );
	put_report( &w, report, file, build, needs );
	return bvreport_json_finish( &w, report, text, error );
}

bv_status bvb_report_json( const bv_file* file, const bvb_report_build* build, bvb_arena* arena, char** text,
                           bvb_error* error )
{
	return write_report( file, build, bvreport_json_needs_all, arena, text, error );
}

bv_status bvb_report_json_for( const bv_file* file, const bvb_report_build* build,
                               const char* const* expressions, uint32_t count, bvb_arena* arena, char** text,
                               bvb_error* error )
{
	unsigned needs = 0;
	*text = NULL;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvreport_expression_node* node;
		bv_status status = bvreport_expression_parse( expressions[i], arena, &node, error );
		if ( status != bv_ok )
		{
			return status;
		}
		needs |= bvreport_json_find_needs( node );
	}
	return write_report( file, build, needs, arena, text, error );
}

static const char* copy_text( const cJSON* item, const char* key, bvb_arena* arena )
{
	const char* text = cJSON_GetStringValue( cJSON_GetObjectItemCaseSensitive( item, key ) );
	char* copy = text ? bvb_arena_allocate( arena, strlen( text ) + 1, 1 ) : NULL;
	return copy ? strcpy( copy, text ) : NULL;
}

bv_status bvb_find_problems( const bv_file* file, bvb_arena* arena, const bvb_problem** problems,
                             uint32_t* count, bvb_error* error )
{
	bvreport_json_writer w = { .arena = arena, .offset = bv_file_get_offset( file ) };
	cJSON* report = bvreport_json_checked( &w, cJSON_CreateObject() );
	bvreport_json_put_findings( &w, report, file, &( bvreport_json_measures ){ 0 } );
	const cJSON* findings = cJSON_GetObjectItemCaseSensitive( report, "findings" );
	bvb_problem* found = bvb_arena_allocate( arena, (size_t)cJSON_GetArraySize( findings ), sizeof *found );
	*count = 0;
	*problems = found;
	const cJSON* item;
	cJSON_ArrayForEach( item, findings )
	{
		const char* severity = cJSON_GetStringValue( cJSON_GetObjectItemCaseSensitive( item, "severity" ) );
		if ( found && severity && strcmp( severity, "bad" ) == 0 )
		{
			bvb_problem* p = found + ( *count )++;
			*p = ( bvb_problem ){ copy_text( item, "key", arena ), copy_text( item, "text", arena ),
				                  copy_text( item, "advice", arena ) };
			w.failed |= !p->key || !p->text;
		}
	}
	cJSON_Delete( report );
	return w.failed || !found ? bvbase_fail_memory( error ) : bv_ok;
}
