// Assimp's library at run time. See library.h.

#include "formats/assimp/library.h"

#include <dlfcn.h>
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
	{ "aiCreatePropertyStore", offsetof( bvb_assimp_library, create_property_store ) },
	{ "aiSetImportPropertyInteger", offsetof( bvb_assimp_library, set_import_property_integer ) },
	{ "aiAttachLogStream", offsetof( bvb_assimp_library, attach_log_stream ) },
	{ "aiIsExtensionSupported", offsetof( bvb_assimp_library, is_extension_supported ) },
	{ "aiImportFileExWithProperties", offsetof( bvb_assimp_library, import_file_ex_with_properties ) },
	{ "aiGetErrorString", offsetof( bvb_assimp_library, get_error_string ) },
	{ "aiGetMaterialString", offsetof( bvb_assimp_library, get_material_string ) },
	{ "aiGetVersionMajor", offsetof( bvb_assimp_library, get_version_major ) },
	{ "aiGetVersionMinor", offsetof( bvb_assimp_library, get_version_minor ) },
	{ "aiGetVersionPatch", offsetof( bvb_assimp_library, get_version_patch ) },
	{ "aiGetVersionRevision", offsetof( bvb_assimp_library, get_version_revision ) },
};

bool bvb_assimp_load( bvb_assimp_library* out )
{
	*out = ( bvb_assimp_library ){ .handle = dlopen( BVB_ASSIMP_LIBRARY, RTLD_NOW | RTLD_LOCAL ) };
	bool good = out->handle;
	for ( size_t i = 0; good && i < sizeof functions / sizeof functions[0]; ++i )
	{
		void* symbol = dlsym( out->handle, functions[i].name );
		memcpy( (char*)out + functions[i].offset, &symbol, sizeof symbol );
		good = symbol;
	}
	return good;
}

const char* bvb_assimp_load_error( void )
{
	const char* text = dlerror();
	return text ? text : "unknown reason";
}
