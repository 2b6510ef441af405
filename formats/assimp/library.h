// Assimp's library, loaded on demand. Loading it and its dependencies takes some milliseconds. If the tools
// were linked with it, that would be half of the time for a small mesh in a format that does not need it.

#pragma once

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/version.h>

#include <stdbool.h>

/// What is called of it, each as its header declares it.
typedef struct bvassimp_library
{
	void* handle; ///< for bvbase_library_find
	__typeof__( aiCreatePropertyStore )* create_property_store;
	__typeof__( aiSetImportPropertyInteger )* set_import_property_integer;
	__typeof__( aiAttachLogStream )* attach_log_stream;
	__typeof__( aiIsExtensionSupported )* is_extension_supported;
	__typeof__( aiImportFileExWithProperties )* import_file_ex_with_properties;
	__typeof__( aiGetErrorString )* get_error_string;
	__typeof__( aiGetMaterialString )* get_material_string;
	__typeof__( aiGetVersionMajor )* get_version_major;
	__typeof__( aiGetVersionMinor )* get_version_minor;
	__typeof__( aiGetVersionPatch )* get_version_patch;
	__typeof__( aiGetVersionRevision )* get_version_revision;
} bvassimp_library;

/// Loads the library, or finds it loaded. It stays for as long as the process lives. Any thread may call
/// this.
/// @return whether it is there and has all of the functions
bool bvassimp_load( bvassimp_library* out );

/// @return why bvassimp_load has failed, as the system says it; valid until this thread's next such call
const char* bvassimp_load_error( void );
