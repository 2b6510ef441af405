// The option --export of bvinspect: what is in a file, as meshes for other programs.

#pragma once

#include "bvbuild/bvbuild.h"

enum
{
	max_exports = 16,
	max_export_name = 64,
};

/// What is to be exported, and where.
typedef struct export_settings
{
	char what[max_exports][max_export_name]; ///< as in bvb_export_check
	const char* paths[max_exports];          ///< of the files to write
	int count;                               ///< length of both
	uint32_t naming;                         ///< index of bvb_export_naming
} export_settings;

/// Takes WHAT,PATH.
/// @return bv_ok; bv_error_argument; bv_error_unsupported when no format has the path's extension
bv_status add_export( export_settings* s, const char* value, bvb_error* error );

/// Writes all of them, or none where one cannot be made of this file.
/// @param forced  --force-output was given
/// @param path    of the file
bv_status write_exports( const export_settings* s, bool forced, const char* path, const bv_file* file,
                         bvb_arena* arena, bvb_error* error );
