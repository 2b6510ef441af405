// ZIP archives in memory, by minizip: entries by name, stored or deflated, with their checksums.

#pragma once

#include "bvbuild/base.h"

#include <stddef.h>

/// An archive. It may not be moved.
typedef struct bvimport_zip
{
	const char* file; ///< its name, for messages
	const char* data; ///< its bytes
	size_t size;      ///< length of data
	size_t at;        ///< where minizip reads
	bvb_error* error; ///< receives what is wrong
	void* archive;    ///< minizip's
	void* entries;    ///< sorted by name
	size_t entry_count;
} bvimport_zip;

/// Reads the list of entries.
/// @param z     is to be closed, also if this fails
/// @param file  kept, as are data and error
/// @return bv_ok; bv_error_input if this is no archive, or a damaged one; bv_error_memory
bv_status bvimport_zip_open( bvimport_zip* z, const char* file, const char* data, size_t size,
                             bvb_error* error );

/// Frees the list. An archive that is all zero has none.
void bvimport_zip_close( bvimport_zip* z );

/// Unpacks an entry. Letters of ASCII may differ in case, backslashes count as slashes, and a slash in front
/// does not count, as the Open Packaging Conventions have it.
/// @param limit  bytes that it may have
/// @param out    receives the content, allocated by malloc, which the caller frees; null on error, and if there
///               is no such entry
/// @param size   receives its length
/// @return bv_ok; bv_error_input if it is damaged, or there are two; bv_error_unsupported if it is encrypted or
///         packed by another method; bv_error_limit; bv_error_memory
bv_status bvimport_zip_read( bvimport_zip* z, const char* name, uint64_t limit, char** out, size_t* size );
