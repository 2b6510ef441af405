// Paths: made absolute, one relative to another, matched by patterns, and folders made.

#pragma once

#include "bvbuild/base.h"

/// A path from the root, without ".", ".." and double slashes. Links are followed up to the last part, as far
/// as there are such folders.
/// @param arena  the result lives here
/// @return bv_ok; bv_error_input when the working directory is not known; bv_error_memory
bv_status make_absolute( const char* path, bvb_arena* arena, char** out, bvb_error* error );

/// The same with links as they are written, also before "..".
/// @return as make_absolute
bv_status make_absolute_as_written( const char* path, bvb_arena* arena, char** out, bvb_error* error );

/// Makes an absolute path that of the folder that its last part is in.
void cut_last_part( char* path );

/// @param folder  absolute
/// @param path    absolute
/// @return what follows the folder in a path below it; null when it is not
const char* path_below( const char* folder, const char* path );

/// @param folder  absolute
/// @param path    absolute
/// @return the way from the folder to the path, with "../" where it leads up; null when out of memory
char* make_relative( const char* folder, const char* path, bvb_arena* arena );

/// Whether a path matches a pattern. * stands for any characters but a slash, ? for one, [...] for one of a
/// set, and ** as a part of its own for any number of folders. A pattern without a slash is compared with the
/// last part only; a slash at its beginning changes nothing else. Parts that begin with a dot need a pattern that
/// does, or **.
/// @param path  relative
bool path_matches( const char* pattern, const char* path );

/// Makes the folder of a file, and those above it, where they are missing.
/// @return bv_ok; bv_error_output when one cannot be made; bv_error_memory
bv_status make_folder_of( const char* path, bvb_error* error );

/// @return whether there is a folder
bool is_folder( const char* path );

/// @return whether two paths are one, also when nothing is there yet
bool is_same_place( const char* a, const char* b );

/// The folder that a path's last part is in.
/// @param folder  bvbase_path_bytes bytes
/// @return folder
const char* get_folder( const char* path, char* folder );
