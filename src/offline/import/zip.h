// ZIP archives in memory: entries by name, stored or deflated, with their checksums.

#pragma once

#include "bvbuild/base.h"

#include <stddef.h>

/// An archive.
typedef struct bvimport_zip
{
	const char* file; ///< its name, for messages
	const char* data; ///< its bytes
	size_t size;      ///< length of data
	size_t directory; ///< where the list of entries begins
	uint64_t entries; ///< length of that list
	bvb_error* error; ///< receives what is wrong
} bvimport_zip;

/// An entry.
typedef struct bvimport_zip_entry
{
	const char* name; ///< as it is written, not terminated
	size_t name_length;
	uint32_t flags;  ///< bit 0: encrypted
	uint32_t method; ///< 0: stored, 8: deflated
	uint32_t check;  ///< CRC-32 of the content
	uint64_t packed; ///< bytes in the archive
	uint64_t size;   ///< bytes of the content
	uint64_t offset; ///< of its local header
} bvimport_zip_entry;

/// Finds the list of entries.
/// @param file  kept, as are data and error
/// @return bv_ok; bv_error_input if this is no archive, or a damaged one; bv_error_unsupported for parts of one
bv_status bvimport_zip_open( bvimport_zip* z, const char* file, const char* data, size_t size,
                             bvb_error* error );

/// Finds an entry. Letters of ASCII may differ in case, backslashes count as slashes, and a slash in front does
/// not count, as the Open Packaging Conventions have it.
/// @param found  receives whether it is there
/// @return bv_ok; bv_error_input for a damaged list
bv_status bvimport_zip_find( const bvimport_zip* z, const char* name, bvimport_zip_entry* out, bool* found );

/// Unpacks an entry.
/// @param limit  bytes that it may have
/// @param out    receives the content, allocated by malloc, which the caller frees; null on error
/// @return bv_ok; bv_error_input if it is damaged; bv_error_unsupported if it is encrypted or packed by
///         another method; bv_error_limit; bv_error_memory
bv_status bvimport_zip_read( const bvimport_zip* z, const bvimport_zip_entry* entry, uint64_t limit,
                             char** out );
