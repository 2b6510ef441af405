// Assimp's library at run time. See library.h.

#include "formats/assimp/library.h"

#include "offline/base/system.h"

#include <stddef.h>
#include <string.h>

// The headers' ABI: to be given with CPPFLAGS where a system has another.
#ifndef BVB_ASSIMP_LIBRARY
#define BVB_ASSIMP_LIBRARY "libassimp.so.5"
#endif

// A function and its place in the structure.
typedef struct function
{
	const char* name;
	size_t offset;
} function;

static const function functions[] = {
	{ "aiCreatePropertyStore", offsetof( bvassimp_library, create_property_store ) },
	{ "aiSetImportPropertyInteger", offsetof( bvassimp_library, set_import_property_integer ) },
	{ "aiAttachLogStream", offsetof( bvassimp_library, attach_log_stream ) },
	{ "aiIsExtensionSupported", offsetof( bvassimp_library, is_extension_supported ) },
	{ "aiImportFileExWithProperties", offsetof( bvassimp_library, import_file_ex_with_properties ) },
	{ "aiGetErrorString", offsetof( bvassimp_library, get_error_string ) },
	{ "aiGetMaterialString", offsetof( bvassimp_library, get_material_string ) },
	{ "aiGetVersionMajor", offsetof( bvassimp_library, get_version_major ) },
	{ "aiGetVersionMinor", offsetof( bvassimp_library, get_version_minor ) },
	{ "aiGetVersionPatch", offsetof( bvassimp_library, get_version_patch ) },
	{ "aiGetVersionRevision", offsetof( bvassimp_library, get_version_revision ) },
};

bool bvassimp_load( bvassimp_library* out )
{
	*out = ( bvassimp_library ){ .handle = bvbase_library_open( BVB_ASSIMP_LIBRARY ) };
	bool good = out->handle;
	for ( size_t i = 0; good && i < sizeof functions / sizeof functions[0]; ++i )
	{
		void* symbol = bvbase_library_find( out->handle, functions[i].name );
		memcpy( (char*)out + functions[i].offset, &symbol, sizeof symbol );
		good = symbol;
	}
	return good;
}

const char* bvassimp_load_error( void )
{
	return bvbase_library_get_error();
}
