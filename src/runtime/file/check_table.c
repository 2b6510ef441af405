// The header and the section table. See check.h.

#include "runtime/file/check.h"
#include "runtime/file/hash.h"

static bool hash_matches( const void* bytes, size_t count, uint64_t hash )
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	// A fuzzer would never get past a checksum.
	(void)bytes, (void)count, (void)hash;
	return true;
#else
	return bvfile_hash( bytes, count ) == hash;
#endif
}

const char* bvfile_check_header( const char* base, size_t size, bv_status* status )
{
	*status = bv_error_damaged;
	if ( size < bvfile_magic_bytes || memcmp( base, BVFILE_MAGIC, bvfile_magic_bytes ) != 0 )
	{
		return "not a .bvh file";
	}
	if ( size < sizeof( bvfile_header ) )
	{
		return "the file ends within the header";
	}

	const bvfile_header* header = (const bvfile_header*)base;
	if ( header->byte_order != bvfile_byte_order )
	{
		*status = bv_error_unsupported;
		return "the file's byte order differs from this machine's";
	}
	if ( header->version_major != BVFILE_VERSION_MAJOR )
	{
		*status = bv_error_unsupported;
		return "the file's format version is not " BVFILE_VERSION_TEXT;
	}
	if ( header->file_bytes != size )
	{
		return header->file_bytes > size ? "the file is truncated"
		                                 : "the file is longer than its header states";
	}
	if ( header->section_count == 0 || header->section_count > bvfile_max_sections )
	{
		return "the length of the section table is out of range";
	}
	size_t head = sizeof( bvfile_header ) + header->section_count * sizeof( bvfile_entry );
	size_t skip = offsetof( bvfile_header, byte_order );
	if ( size < head )
	{
		return "the file ends within the section table";
	}
	if ( !hash_matches( base + skip, head - skip, header->hash ) )
	{
		return "the header does not match its checksum";
	}
	if ( !bvfile_all_zero( header->reserved, sizeof header->reserved ) )
	{
		return "reserved bytes of the header are not zero";
	}
	return NULL;
}

static bool is_name( const char name[4] )
{
	bool visible = true;
	for ( int i = 0; i < 4; ++i )
	{
		visible = visible && name[i] > ' ' && name[i] <= '~';
	}
	return visible;
}

// There are few sections.
static bool is_repeated( const bvfile_entry* table, uint32_t index )
{
	for ( uint32_t i = 0; i < index; ++i )
	{
		if ( memcmp( table[i].name, table[index].name, sizeof table->name ) == 0 )
		{
			return true;
		}
	}
	return false;
}

static const char* check_entry( const bvfile_entry* table, uint32_t index )
{
	const bvfile_entry* entry = table + index;
	if ( !is_name( entry->name ) || entry->version == 0 || ( entry->flags & ~bvfile_required ) ||
	     entry->bytes == 0 )
	{
		return "an entry of the section table is invalid";
	}
	return is_repeated( table, index ) ? "a section occurs twice" : NULL;
}

// Sections lie in table order, each at the first multiple of 64 behind the one before, with zeros between.
static const char* check_places( const char* base, size_t size )
{
	const bvfile_entry* table = (const bvfile_entry*)( base + sizeof( bvfile_header ) );
	uint32_t count = ( (const bvfile_header*)base )->section_count;
	uint64_t end = sizeof( bvfile_header ) + count * sizeof( bvfile_entry );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t offset = ( end + bvfile_alignment - 1 ) & ~(uint64_t)( bvfile_alignment - 1 );
		const char* wrong = check_entry( table, i );
		if ( wrong )
		{
			return wrong;
		}
		if ( table[i].offset != offset || offset > size || table[i].bytes > size - offset )
		{
			return "a section is outside the file or out of place";
		}
		if ( !bvfile_all_zero( base + end, offset - end ) )
		{
			return "bytes between sections are not zero";
		}
		if ( !hash_matches( base + offset, table[i].bytes, table[i].hash ) )
		{
			return "a section does not match its checksum";
		}
		end = offset + table[i].bytes;
	}
	return end == size ? NULL : "the file is longer than its sections";
}

static const bvfile_section_rule* find_rule( const bvfile_entry* entry )
{
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		const bvfile_section_rule* rule = bvfile_rule_of( (bvfile_section)i );
		if ( memcmp( entry->name, rule->name, sizeof entry->name ) == 0 )
		{
			return rule;
		}
	}
	return NULL;
}

// A section that others need may not be passed over: then neither they nor what is made of them would be what
// they say.
static const char* check_marks( const bvfile_header* header )
{
	const bvfile_entry* table = (const bvfile_entry*)( header + 1 );
	for ( uint32_t i = 0; i < header->section_count; ++i )
	{
		const bvfile_section_rule* rule = find_rule( table + i );
		if ( rule && rule->flags && !( table[i].flags & bvfile_required ) )
		{
			return "a section that other sections need is not marked as required";
		}
	}
	return NULL;
}

// What is not known and need not be is passed over.
static const char* check_known( const bvfile_header* header, bv_status* status )
{
	const bvfile_entry* table = (const bvfile_entry*)( header + 1 );
	for ( uint32_t i = 0; i < header->section_count; ++i )
	{
		const bvfile_section_rule* rule = find_rule( table + i );
		if ( ( table[i].flags & bvfile_required ) && ( !rule || table[i].version > rule->version ) )
		{
			*status = bv_error_unsupported;
			return "the file requires a section that this version does not support";
		}
	}
	return NULL;
}

static bool has_name( const bvfile_header* header, const char* name )
{
	const bvfile_entry* table = (const bvfile_entry*)( header + 1 );
	bool found = false;
	for ( uint32_t i = 0; i < header->section_count; ++i )
	{
		found = found || memcmp( table[i].name, name, sizeof table->name ) == 0;
	}
	return found;
}

static const char* check_presence( const bvfile_header* header )
{
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		const bvfile_section_rule* rule = bvfile_rule_of( (bvfile_section)i );
		if ( rule->everywhere && !has_name( header, rule->name ) )
		{
			return "a mandatory section is missing";
		}
	}
	return NULL;
}

static const char* check_needs( const bvfile_header* header )
{
	uint32_t there = 0;
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		there |= bvfile_entry_of( header, (bvfile_section)i ) ? 1u << i : 0;
	}
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		if ( ( there >> i & 1 ) && ( bvfile_rule_of( (bvfile_section)i )->needs & ~there ) )
		{
			return "a section that another section needs is missing";
		}
	}
	return NULL;
}

const char* bvfile_check_table( const char* base, size_t size, bv_status* status )
{
	const bvfile_header* header = (const bvfile_header*)base;
	const char* wrong = check_places( base, size );
	wrong = wrong ? wrong : check_marks( header );
	wrong = wrong ? wrong : check_presence( header );
	wrong = wrong ? wrong : check_known( header, status );
	return wrong ? wrong : check_needs( header );
}
