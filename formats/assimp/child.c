// The child process: Assimp's call. Whatever Assimp does ends with the process.

#include "formats/assimp/assimp.h"
#include "formats/assimp/blend.h"
#include "formats/assimp/collada.h"
#include "formats/assimp/transport.h"
#include "formats/assimp/watch.h"
#include "formats/assimp/x3d.h"

#include <assimp/config.h>

#include <stdio.h>
#include <string.h>

bool bvassimp_limits_memory( void )
{
#if defined( __SANITIZE_ADDRESS__ )
	return false;
#elif defined( __has_feature )
#if __has_feature( address_sanitizer )
	return false;
#else
	return true;
#endif
#else
	return true;
#endif
}

// Whatever operator new cannot get ends the child: an importer that goes on without it may do anything. The
// function is looked up because its name is C++.
static void report_memory_failures( const bvassimp_library* library )
{
	void ( *( *set_new_handler )( void ( *handler )( void ) ) )( void );
	void* symbol = bvbase_library_find( library->handle, "_ZSt15set_new_handlerPFvvE" );
	if ( symbol )
	{
		memcpy( &set_new_handler, &symbol, sizeof symbol );
		set_new_handler( bvassimp_leave_out_of_memory );
	}
}

static void take_line( const char* line, char* warnings )
{
	bvassimp_take_line( line, (bvimport_notes*)(void*)warnings );
}

// Without Assimp's own validation, which refuses files for faults of lights, cameras and animations; what it
// looks for in meshes and nodes is looked for when they are flattened.
// @param ids  whether nodes of COLLADA have their ids instead of their names
static const struct aiScene* import( const bvassimp_library* library, bvassimp_watch* watch, bool ids,
                                     bvimport_notes* warnings )
{
	struct aiPropertyStore* properties = library->create_property_store();
	if ( !properties )
	{
		bvassimp_leave_out_of_memory();
	}

	struct aiLogStream log = { take_line, (char*)warnings };
	library->attach_log_stream( &log );

	// Files without meshes would get made-up ones, in the shape of their skeletons.
	library->set_import_property_integer( properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1 );
	library->set_import_property_integer( properties, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, !ids );
	return library->import_file_ex_with_properties( bvassimp_watch_path( watch ), 0,
	                                                bvassimp_watch_io( watch ), properties );
}

// Assimp's channels and bones have names of nodes, of which several may be equal in COLLADA; ids are not. What it
// warns of has been counted.
static const struct aiScene* import_with_ids( const bvassimp_library* library, bvassimp_watch* watch,
                                              bvimport_notes* warnings )
{
	bvimport_notes kept = *warnings;
	bvimport_notes ignored = { 0 };
	const struct aiScene* scene = import( library, watch, true, &ignored );
	*warnings = kept;
	return scene;
}

static void run( const void* request, size_t size, int result )
{
	bvassimp_request r;
	bvassimp_library loaded;
	const bvassimp_library* library = &loaded;
	const char* path = (const char*)request + sizeof r;
	const char* extension = r.extension;
	if ( size <= sizeof r || !bvassimp_load( &loaded ) )
	{
		bvbase_program_leave( bvassimp_exit_unable );
	}
	memcpy( &r, request, sizeof r );
	report_memory_failures( library );
	char dotted[sizeof r.extension + 1];
	int length = snprintf( dotted, sizeof dotted, ".%s", extension );
	if ( length >= (int)sizeof dotted || !library->is_extension_supported( dotted ) )
	{
		bvassimp_leave_text( result, bvassimp_unknown_extension, "" );
	}
	bvimport_notes warnings = { 0 };
	bvassimp_watch* watch = bvassimp_watch_begin( path, result );
	if ( strcmp( extension, "dae" ) == 0 )
	{
		bvassimp_watch_prepare( watch, bvassimp_prepare_collada, &warnings );
	}
	if ( strcmp( extension, "x3d" ) == 0 )
	{
		bvassimp_watch_prepare( watch, bvassimp_prepare_x3d, &warnings );
	}
	const struct aiScene* imported = import( library, watch, false, &warnings );
	if ( !imported )
	{
		const char* text = library->get_error_string();
		if ( strstr( text, "bad_alloc" ) )
		{
			bvassimp_leave_out_of_memory();
		}
		// IFC files are STEP files, of which most have surfaces of CAD.
		if ( strstr( text, "Unrecognized file schema" ) )
		{
			bvassimp_leave_text( result, bvassimp_unsupported,
			                     "a STEP file with another schema than IFC has is not supported (export a "
			                     "mesh from a CAD program)" );
		}
		// Assimp's own text for this is the path and nothing else.
		if ( strstr( text, "No suitable reader found" ) )
		{
			text = "no reader recognizes its content";
		}
		char spelled[sizeof( ( (bvassimp_report*)NULL )->text )];
		bvassimp_watch_spell( watch, *text ? text : "no reason given", spelled, sizeof spelled );
		bvassimp_leave_text( result, bvassimp_refused, spelled );
	}
	if ( strcmp( extension, "blend" ) == 0 )
	{
		bvassimp_count_lost_objects( path, imported, &warnings );
	}
	const struct aiScene* animated = imported;
	if ( r.animated && strcmp( extension, "dae" ) == 0 )
	{
		animated = import_with_ids( library, watch, &warnings );
	}
	uint8_t input_hash[16];
	bvassimp_watch_end( watch, input_hash );
	bvassimp_flatten( library, imported, animated ? animated : imported, r.animated ? r.clip : NULL,
	                  &warnings, watch, input_hash, result );
}

const bvbase_task bvassimp_task = { "import", run };
