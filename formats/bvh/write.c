// Writing a .bvh file into memory: the sections of sections.h, one after another. README.md beside this file
// is the specification.

#include "bvbuild/asset.h"

#include "formats/bvh/write.h"
#include "offline/base/error.h"
#include "runtime/file/hash.h"

#include <string.h>

static bvfmt_writing begin( const bvb_asset* asset, bvb_arena* arena )
{
	bvfmt_writing w = { .asset = asset, .arena = arena };
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		w.version[i] = 1;
		w.minor[i] = bvfile_rule_of( (bvfile_section)i )->minor;
	}
	return w;
}

static bv_status prepare( bvfmt_writing* w, bvb_error* error )
{
#define BVFILE_ROW( section, option, wanted, name, summary, prepare, ... ) \
	[bvfile_section_##section] = prepare,
	static bvfmt_prepare* const prepares[bvfile_section_count] = { BVFMT_OFFLINE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	bv_status status = bv_ok;
	for ( int i = 0; i < bvfile_section_count && status == bv_ok; ++i )
	{
		status = prepares[i] ? prepares[i]( w, error ) : bv_ok;
	}
	return status;
}

// Sections that the file does not have are of 0 bytes; all others have some.
static void measure( const bvfmt_writing* w, uint64_t bytes[bvfile_section_count] )
{
#define BVFILE_ROW( section, ... ) [bvfile_section_##section] = bvfmt_size_##section,
	static bvfmt_size* const sizes[bvfile_section_count] = { BVFILE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		bytes[i] = sizes[i]( w );
	}
}

// Where each section begins, at the next multiple of 64.
// @return where the last one ends
static uint64_t place( const uint64_t bytes[bvfile_section_count], uint64_t offset[bvfile_section_count] )
{
	uint64_t end = sizeof( bvfile_header );
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		end += bytes[i] > 0 ? sizeof( bvfile_entry ) : 0;
	}
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		offset[i] = 0;
		if ( bytes[i] > 0 )
		{
			offset[i] = ( end + bvfile_alignment - 1 ) & ~(uint64_t)( bvfile_alignment - 1 );
			end = offset[i] + bytes[i];
		}
	}
	return end;
}

// All but the hashes. The minor version is the first that has all of the sections, so that newer programs
// write older files as they ever were.
static void write_header( const bvfmt_writing* w, char* base, size_t size,
                          const uint64_t bytes[bvfile_section_count],
                          const uint64_t offset[bvfile_section_count] )
{
	bvfile_header* header = (bvfile_header*)base;
	bvfile_entry* table = (bvfile_entry*)( header + 1 );
	uint32_t count = 0;
	uint16_t minor = 0;
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		if ( bytes[i] > 0 )
		{
			bvfile_entry* entry = &table[count++];
			const bvfile_section_rule* rule = bvfile_rule_of( i );
			memcpy( entry->name, rule->name, sizeof entry->name );
			entry->version = w->version[i];
			entry->flags = rule->flags;
			entry->offset = offset[i];
			entry->bytes = bytes[i];
			minor = w->minor[i] > minor ? w->minor[i] : minor;
		}
	}
	memcpy( header->magic, BVFILE_MAGIC, bvfile_magic_bytes );
	header->byte_order = bvfile_byte_order;
	header->version_major = BVFILE_VERSION_MAJOR;
	header->version_minor = minor;
	header->file_bytes = size;
	header->section_count = count;
}

static bv_status write_sections( const bvfmt_writing* w, char* base,
                                 const uint64_t offset[bvfile_section_count], bvb_error* error )
{
#define BVFILE_ROW( section, ... ) [bvfile_section_##section] = bvfmt_write_##section,
	static bvfmt_write* const writes[bvfile_section_count] = { BVFILE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	bv_status status = bv_ok;
	for ( int i = 0; i < bvfile_section_count && status == bv_ok; ++i )
	{
		status = offset[i] ? writes[i]( w, base + offset[i], error ) : bv_ok;
	}
	return status;
}

static void write_hashes( char* base )
{
	bvfile_header* header = (bvfile_header*)base;
	bvfile_entry* entry = (bvfile_entry*)( header + 1 );
	for ( uint32_t i = 0; i < header->section_count; ++i, ++entry )
	{
		entry->hash = bvfile_hash( base + entry->offset, entry->bytes );
	}
	size_t skip = offsetof( bvfile_header, byte_order );
	header->hash = bvfile_hash( base + skip, (size_t)( (char*)entry - base ) - skip );
}

bv_status bvb_asset_encode( const bvb_asset* asset, bvb_arena* arena, bvb_bytes* out, bvb_error* error )
{
	uint64_t bytes[bvfile_section_count];
	uint64_t offset[bvfile_section_count];
	bvfmt_writing w = begin( asset, arena );
	bv_status status = prepare( &w, error );
	if ( status != bv_ok )
	{
		return status;
	}
	measure( &w, bytes );
	uint64_t end = place( bytes, offset );
	char* base = bvb_arena_allocate( arena, end, 1 );
	if ( !base )
	{
		return bvbase_fail_memory( error );
	}
	w.file = (const bv_file*)base;
	write_header( &w, base, end, bytes, offset );
	status = write_sections( &w, base, offset, error );
	if ( status == bv_ok )
	{
		write_hashes( base );
		*out = ( bvb_bytes ){ base, end };
	}
	return status;
}
