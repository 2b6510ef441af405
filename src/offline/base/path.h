// Parts of a path whose folders are separated by slashes.

#pragma once

#include <string.h>

/// @return what follows the last slash; the whole path if it has none
static inline const char* bvbase_path_name( const char* path )
{
	const char* slash = strrchr( path, '/' );
	return slash ? slash + 1 : path;
}
