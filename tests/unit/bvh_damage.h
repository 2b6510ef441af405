// Damaging a file on purpose, checksums right, to see that it is noticed.

#pragma once

#include "support.h"

#include "runtime/file/view.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

// The file of a box of sides 1, 2, 3 with nothing that can be left out.
static inline bvb_bytes small_file( fixture* f, bvb_position_form form )
{
	bvb_asset_options options = plain_options();
	options.record.positions = form;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	return build_bytes( f, &mesh, &options );
}

// A section with its entry in the table.
typedef struct piece
{
	char name[5];
	uint16_t version;
	uint16_t flags;
	const void* data;
	uint64_t bytes;
} piece;

// @return how many there are
static inline uint32_t take_apart( bvb_bytes bytes, piece out[bvfile_max_sections] )
{
	const bvfile_header* header = bytes.data;
	const bvfile_entry* entry = (const bvfile_entry*)( header + 1 );
	memset( out, 0, bvfile_max_sections * sizeof *out );
	for ( uint32_t i = 0; i < header->section_count; ++i, ++entry )
	{
		out[i] = ( piece ){ "", entry->version, entry->flags, (const char*)bytes.data + entry->offset,
			                entry->bytes };
		memcpy( out[i].name, entry->name, sizeof entry->name );
	}
	return header->section_count;
}

// A file of these sections in this order, laid out and hashed as the specification says.
static inline bvb_bytes put_together( fixture* f, const piece* pieces, uint32_t count )
{
	uint64_t size = sizeof( bvfile_header ) + count * sizeof( bvfile_entry );
	for ( uint32_t i = 0; i < count; ++i )
	{
		size = ( size + 63 ) / 64 * 64 + pieces[i].bytes;
	}
	bvb_bytes bytes = { bvb_arena_allocate( f->arena, size, 1 ), size };
	bvfile_header* header = bytes.data;
	*header = ( bvfile_header ){
		.byte_order = 0x01020304,
		.version_major = 1,
		.file_bytes = size,
		.section_count = count,
	};
	memcpy( header->magic, BVFILE_MAGIC, bvfile_magic_bytes );
	bvfile_entry* entry = (bvfile_entry*)( header + 1 );
	uint64_t end = sizeof( bvfile_header ) + count * sizeof( bvfile_entry );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const piece* p = pieces + i;
		uint64_t offset = ( end + 63 ) / 64 * 64;
		memcpy( (char*)bytes.data + offset, p->data, p->bytes );
		entry[i] = ( bvfile_entry ){ .version = p->version, .flags = p->flags, .offset = offset };
		memcpy( entry[i].name, p->name, sizeof entry->name );
		entry[i].bytes = p->bytes;
		entry[i].hash = XXH3_64bits( p->data, p->bytes );
		end = offset + p->bytes;
	}
	header->hash = XXH3_64bits( (char*)bytes.data + 16, sizeof *header + count * sizeof *entry - 16 );
	return bytes;
}

static inline bvb_bytes copy_of( fixture* f, bvb_bytes bytes )
{
	bvb_bytes copy = { bvb_arena_allocate( f->arena, bytes.size + 8, 1 ), bytes.size };
	memcpy( copy.data, bytes.data, bytes.size );
	return copy;
}

// The section must be there.
static inline bvfile_entry* entry_of( bvb_bytes bytes, bvfile_section section )
{
	bvfile_entry* entry = (bvfile_entry*)( (char*)bytes.data + sizeof( bvfile_header ) );
	while ( memcmp( entry->name, bvfile_section_name( section ), sizeof entry->name ) != 0 )
	{
		++entry;
	}
	return entry;
}

static inline void* section_of( bvb_bytes bytes, bvfile_section section )
{
	return (char*)bytes.data + entry_of( bytes, section )->offset;
}

static inline bvfile_hierarchy* hierarchy_of( bvb_bytes bytes )
{
	return section_of( bytes, bvfile_section_nodes );
}

// The first inner node: the root's.
static inline bvfile_packed_node* first_node_of( bvb_bytes bytes )
{
	return (bvfile_packed_node*)bvfile_node_words( hierarchy_of( bytes ) );
}

// The codes of the first cluster's triangles.
static inline uint8_t* triangle_codes_of( bvb_bytes bytes )
{
	bvfile_triangles* head = section_of( bytes, bvfile_section_triangles );
	bvfile_cluster* clusters = (bvfile_cluster*)( head + 1 );
	return (uint8_t*)( clusters + head->clusters ) + head->width * (size_t)head->references;
}

// Makes all checksums right again, so that the checks behind them are reached.
static inline void repair( bvb_bytes bytes )
{
	bvfile_header* header = bytes.data;
	uint32_t most = (uint32_t)( ( bytes.size - sizeof *header ) / sizeof( bvfile_entry ) );
	most = most < bvfile_max_sections ? most : bvfile_max_sections;
	uint32_t count = header->section_count < most ? header->section_count : most;
	bvfile_entry* entry = (bvfile_entry*)( header + 1 );
	for ( uint32_t i = 0; i < count; ++i, ++entry )
	{
		if ( entry->offset <= bytes.size && entry->bytes <= bytes.size - entry->offset )
		{
			entry->hash = XXH3_64bits( (char*)bytes.data + entry->offset, entry->bytes );
		}
	}
	header->hash =
		XXH3_64bits( (char*)bytes.data + 16, sizeof *header + count * sizeof( bvfile_entry ) - 16 );
}

static inline bv_status open_status( bvb_bytes bytes, const char** reason )
{
	const bv_file* file;
	bv_status status = bv_file_open_explained( bytes.data, bytes.size, &file, reason );
	assert_true( ( status == bv_ok ) == ( file != NULL ) );
	assert_true( ( status == bv_ok ) == ( *reason == NULL ) );
	return status;
}

// One damage of each kind that a checksum would not show.
typedef struct damage
{
	const char* reason;
	void ( *apply )( bvb_bytes bytes );
} damage;

// Each of them applied to a copy.
static inline void expect_refused( fixture* f, bvb_bytes original, const damage* damages, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		bvb_bytes bytes = copy_of( f, original );
		const char* reason;
		damages[i].apply( bytes );
		repair( bytes );
		assert_int_equal( open_status( bytes, &reason ), bv_error_damaged );
		assert_string_equal( reason, damages[i].reason );
	}
}

static inline bv_status verify_status( fixture* f, bvb_bytes bytes, bvb_error* error )
{
	bvb_verify_result result;
	return bvb_file_verify( open_bytes( bytes ), f->arena, &result, error );
}
