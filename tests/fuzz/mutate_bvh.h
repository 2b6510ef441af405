// Mutations of inputs that begin with a .bvh file, or with two: most leave the container whole, or hardly any would get past
// the door. Sections are edited as numbers of their width, made longer or shorter, exchanged, left out and renamed; then header
// and table are made to fit. What follows the files, which queries are asked with, is mutated as plain bytes.

#pragma once

#include "runtime/file/view.h"

#include <stdlib.h>
#include <string.h>

#if defined( __has_feature )
#if __has_feature( memory_sanitizer )
#include <sanitizer/msan_interface.h>
#define WRITTEN( data, size ) __msan_unpoison( data, size )
#endif
#endif
// libFuzzer is not instrumented: what it writes looks as if nothing had.
#ifndef WRITTEN
#define WRITTEN( data, size ) ( (void)( data ), (void)( size ) )
#endif

size_t LLVMFuzzerMutate( uint8_t* data, size_t size, size_t max_size );
size_t LLVMFuzzerCustomMutator( uint8_t* data, size_t size, size_t max_size, unsigned int seed );
size_t LLVMFuzzerCustomCrossOver( const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                  uint8_t* out, size_t max_size, unsigned int seed );

enum
{
	most_asked = 512,   // bytes behind the files
	most_bytes = 65536, // of what grows
	most_grown = 32,    // bytes by which a section grows at once
};

typedef struct chance
{
	uint64_t state;
} chance;

// Marsaglia's xorshift64.
static inline uint32_t draw( chance* c, uint32_t below )
{
	c->state ^= c->state << 13;
	c->state ^= c->state >> 7;
	c->state ^= c->state << 17;
	return (uint32_t)( c->state >> 16 ) % below;
}

typedef struct part
{
	bvfile_entry entry;
	uint8_t* data; // of entry.bytes, with room for most_grown more
} part;

// A file taken apart.
typedef struct parts
{
	bvfile_header header;
	uint32_t count;
	part of[bvfile_max_sections];
} parts;

// @return the length of the file that data begins with; 0 when it is none that can be taken apart
static inline size_t file_length( const uint8_t* data, size_t size )
{
	bvfile_header header;
	if ( size < sizeof header )
	{
		return 0;
	}
	memcpy( &header, data, sizeof header );
	bool whole = memcmp( header.magic, BVFILE_MAGIC, bvfile_magic_bytes ) == 0 && header.file_bytes <= size &&
	             header.section_count > 0 && header.section_count <= bvfile_max_sections &&
	             sizeof header + header.section_count * sizeof( bvfile_entry ) <= header.file_bytes;
	for ( uint32_t i = 0; whole && i < header.section_count; ++i )
	{
		bvfile_entry entry;
		memcpy( &entry, data + sizeof header + i * sizeof entry, sizeof entry );
		whole = entry.offset <= header.file_bytes && entry.bytes <= header.file_bytes - entry.offset;
	}
	return whole ? header.file_bytes : 0;
}

static inline uint8_t* copied( const uint8_t* data, size_t bytes )
{
	uint8_t* copy = (uint8_t*)calloc( 1, bytes + most_grown );
	if ( !copy )
	{
		abort();
	}
	memcpy( copy, data, bytes );
	return copy;
}

// @param data  a file with a length
static inline void take_apart( const uint8_t* data, parts* out )
{
	memcpy( &out->header, data, sizeof out->header );
	out->count = out->header.section_count;
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		part* p = out->of + i;
		memcpy( &p->entry, data + sizeof out->header + i * sizeof p->entry, sizeof p->entry );
		p->data = copied( data + p->entry.offset, p->entry.bytes );
	}
}

static inline void free_parts( parts* p )
{
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		free( p->of[i].data );
	}
}

// @return bytes of the file; 0, and nothing is written, when there are too many
static inline size_t put_together( parts* p, uint8_t* out, size_t max_size )
{
	size_t end = sizeof p->header + p->count * sizeof( bvfile_entry );
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		bvfile_entry* entry = &p->of[i].entry;
		entry->offset = ( end + bvfile_alignment - 1 ) / bvfile_alignment * bvfile_alignment;
		end = entry->offset + entry->bytes;
	}
	if ( end > max_size )
	{
		return 0;
	}
	memset( out, 0, end );
	p->header.file_bytes = end;
	p->header.section_count = p->count;
	memcpy( out, &p->header, sizeof p->header );
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		const bvfile_entry* entry = &p->of[i].entry;
		memcpy( out + sizeof p->header + i * sizeof *entry, entry, sizeof *entry );
		memcpy( out + entry->offset, p->of[i].data, entry->bytes );
	}
	return end;
}

// What indices are compared with: a count of MESH, or of the section itself, give or take one.
static inline uint64_t count_of( chance* c, const parts* p, const part* at )
{
	const part* from = at;
	for ( uint32_t i = 0; i < p->count && draw( c, 2 ); ++i )
	{
		from = memcmp( p->of[i].entry.name, "MESH", 4 ) == 0 ? p->of + i : from;
	}
	uint32_t count = 0;
	if ( from->entry.bytes >= 32 )
	{
		memcpy( &count, from->data + 4 * draw( c, 8 ), sizeof count );
	}
	return (uint64_t)count + draw( c, 3 ) - 1;
}

static inline uint64_t edited_bits( chance* c, uint64_t bits, int width )
{
	static const uint64_t special[] = { 0,          1,          2,          31,
		                                63,         64,         255,        256,
		                                65535,      0x7f7fffff, 0x00800000, 1,
		                                0x80000000, 0xffffffff, 0x3f800000, 0x7fefffffffffffff };
	switch ( draw( c, 6 ) )
	{
	case 0: return bits ^ UINT64_C( 1 ) << draw( c, 8 * (uint32_t)width );
	case 1: return bits + 1;
	case 2: return bits - 1;
	case 3: return special[draw( c, sizeof special / sizeof *special )];
	case 4: return bits ^ UINT64_C( 1 ) << ( 8 * width - 1 ); // a number's sign
	default: return ( (uint64_t)draw( c, UINT32_MAX ) << 32 ) | draw( c, UINT32_MAX );
	}
}

// Adds to the exponent of a binary32 or binary64, or takes from it.
static inline uint64_t scaled_bits( chance* c, uint64_t bits, int width )
{
	uint64_t one = width == 4 ? UINT64_C( 1 ) << 23 : UINT64_C( 1 ) << 52;
	uint64_t by = one * ( 1 + draw( c, draw( c, 4 ) ? 4 : 100 ) );
	return draw( c, 2 ) ? bits + by : bits - by;
}

static inline void edit_numbers( chance* c, const parts* all, part* p )
{
	uint32_t edits = 1 + draw( c, 4 ) / 2;
	for ( uint32_t i = 0; i < edits; ++i )
	{
		int width = 1 << draw( c, 4 );
		if ( p->entry.bytes < (uint64_t)width )
		{
			continue;
		}
		uint8_t* at = p->data + (size_t)width * draw( c, (uint32_t)( p->entry.bytes / (uint64_t)width ) );
		uint64_t bits = 0;
		memcpy( &bits, at, (size_t)width );
		bits = draw( c, 4 ) == 0            ? count_of( c, all, p )
		       : width >= 4 && draw( c, 2 ) ? scaled_bits( c, bits, width )
		                                    : edited_bits( c, bits, width );
		memcpy( at, &bits, (size_t)width );
	}
}

// One run of bytes over another one, as far away as whole numbers are.
static inline void copy_numbers( chance* c, part* p )
{
	uint32_t words = (uint32_t)( p->entry.bytes / 4 );
	if ( words > 1 )
	{
		uint32_t from = draw( c, words );
		uint32_t to = draw( c, words );
		uint32_t most = words - ( from > to ? from : to );
		memmove( p->data + 4 * to, p->data + 4 * from, 4 * ( 1 + draw( c, most ) ) );
	}
}

static inline void rename_part( chance* c, part* p )
{
	switch ( draw( c, 4 ) )
	{
	case 0:
		memcpy( p->entry.name, bvfile_section_name( (bvfile_section)draw( c, bvfile_section_count ) ), 4 );
		break;
	case 1: p->entry.name[draw( c, 4 )] = (char)draw( c, 128 ); break;
	case 2: p->entry.version = (uint16_t)draw( c, 4 ); break;
	default: p->entry.flags = (uint16_t)draw( c, 3 ); break;
	}
}

static inline void remove_part( parts* p, uint32_t index )
{
	if ( p->count > 1 )
	{
		free( p->of[index].data );
		memmove( p->of + index, p->of + index + 1, ( p->count - index - 1 ) * sizeof *p->of );
		p->count -= 1;
	}
}

static inline void add_part( chance* c, parts* p, const part* like )
{
	if ( p->count < bvfile_max_sections )
	{
		part added = { like->entry, copied( like->data, like->entry.bytes ) };
		rename_part( c, &added );
		p->of[p->count++] = added;
	}
}

// Nodes that end early, although their section is as long as it says.
static inline void shorten_nodes( chance* c, part* p )
{
	bvfile_hierarchy head;
	if ( memcmp( p->entry.name, "NODE", 4 ) == 0 && p->entry.bytes >= sizeof head + 4 + BVFILE_LANES_SLACK )
	{
		memcpy( &head, p->data, sizeof head );
		uint32_t words = (uint32_t)( ( p->entry.bytes - sizeof head - BVFILE_LANES_SLACK ) / 4 );
		head.node_words = draw( c, words );
		memcpy( p->data, &head, sizeof head );
		p->entry.bytes = sizeof head + 4 * (uint64_t)head.node_words + BVFILE_LANES_SLACK;
		memset( p->data + p->entry.bytes - BVFILE_LANES_SLACK, 0, BVFILE_LANES_SLACK );
	}
}

static inline void mutate_parts( chance* c, parts* p )
{
	uint32_t index = draw( c, p->count );
	part* at = p->of + index;
	switch ( draw( c, 24 ) )
	{
	case 8: shorten_nodes( c, at ); break;
	case 0: copy_numbers( c, at ); break;
	case 1:
		at->entry.bytes = LLVMFuzzerMutate( at->data, at->entry.bytes, at->entry.bytes + most_grown );
		break;
	case 2: LLVMFuzzerMutate( at->data, at->entry.bytes, at->entry.bytes ); break;
	case 3: remove_part( p, index ); break;
	case 4: add_part( c, p, at ); break;
	case 5: rename_part( c, at ); break;
	case 6:
	{
		part* with = p->of + draw( c, p->count );
		part other = *with;
		*with = *at;
		*at = other;
		break;
	}
	case 7:
	{
		uint8_t* byte = (uint8_t*)&p->header + draw( c, sizeof p->header );
		*byte ^= (uint8_t)( 1u << draw( c, 8 ) );
		break;
	}
	default: edit_numbers( c, p, at ); break;
	}
}

static inline bool opens( const uint8_t* data, size_t size )
{
	void* memory = malloc( size );
	const bv_file* file = NULL;
	if ( memory )
	{
		memcpy( memory, data, size );
		WRITTEN( memory, size );
		bv_file_open( memory, size, &file );
	}
	free( memory );
	return file != NULL;
}

size_t LLVMFuzzerCustomMutator( uint8_t* data, size_t size, size_t max_size, unsigned int seed )
{
	WRITTEN( data, size );
	chance c = { seed * UINT64_C( 0x9e3779b97f4a7c15 ) | 1 };
	size_t skip = 0;
	size_t length = file_length( data, size );
	while ( length > 0 && draw( &c, 5 ) < 2 )
	{
		skip += length;
		length = file_length( data + skip, size - skip );
	}
	size_t most = max_size > size ? max_size - skip : size - skip;
	if ( length == 0 || draw( &c, 64 ) == 0 )
	{
		size_t asked = skip > 0 && most > most_asked ? most_asked : most;
		asked = asked < size - skip ? size - skip : asked;
		return asked > 0 ? skip + LLVMFuzzerMutate( data + skip, size - skip, asked ) : size;
	}
	size_t tail = size - skip - length;
	uint8_t* original = copied( data + skip, length + tail );
	size_t room = most_bytes > skip + tail ? most_bytes - skip - tail : 0;
	room = room < length ? length : room;
	room = room < most - tail ? room : most - tail;
	size_t made = 0;
	// Most that are refused are not worth a run: opening them is the least part of it.
	for ( int attempt = 0; attempt < 12; ++attempt )
	{
		parts p;
		take_apart( original, &p );
		mutate_parts( &c, &p );
		size_t length_now = put_together( &p, data + skip, room );
		made = length_now > 0 ? length_now : made;
		free_parts( &p );
		if ( length_now > 0 && ( draw( &c, 16 ) == 0 || opens( data + skip, length_now ) ) )
		{
			break;
		}
	}
	if ( made > 0 )
	{
		memcpy( data + skip + made, original + length, tail );
		size = skip + made + tail;
	}
	free( original );
	return size;
}

// Sections of one in place of the other's of the same name.
static inline void exchange_parts( chance* c, parts* a, const parts* b )
{
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		for ( uint32_t k = 0; k < a->count; ++k )
		{
			if ( memcmp( a->of[k].entry.name, b->of[i].entry.name, 4 ) == 0 && draw( c, 2 ) )
			{
				free( a->of[k].data );
				a->of[k].entry = b->of[i].entry;
				a->of[k].data = copied( b->of[i].data, b->of[i].entry.bytes );
			}
		}
	}
}

// A file with the other's sections, or behind it the other, or what the other asks.
size_t LLVMFuzzerCustomCrossOver( const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                  uint8_t* out, size_t max_size, unsigned int seed )
{
	WRITTEN( a, a_size );
	WRITTEN( b, b_size );
	chance c = { seed * UINT64_C( 0x9e3779b97f4a7c15 ) | 1 };
	size_t a_length = file_length( a, a_size );
	size_t b_length = file_length( b, b_size );
	size_t made = a_length;
	const uint8_t* rest = b;
	size_t rest_size = b_size;
	if ( a_length == 0 || a_length > max_size )
	{
		size_t kept = a_size < max_size ? a_size : max_size;
		memcpy( out, a, kept );
		return kept;
	}
	memcpy( out, a, a_length );
	if ( b_length > 0 && draw( &c, 3 ) == 0 )
	{
		parts p;
		parts q;
		take_apart( a, &p );
		take_apart( b, &q );
		exchange_parts( &c, &p, &q );
		size_t length = put_together( &p, out, max_size );
		made = length > 0 ? length : made;
		free_parts( &p );
		free_parts( &q );
		rest = a + a_length;
		rest_size = a_size - a_length;
	}
	else if ( draw( &c, 2 ) )
	{
		rest = b + b_length;
		rest_size = b_size - b_length;
	}
	bool fits = made + rest_size <= ( max_size < most_bytes ? max_size : most_bytes );
	memcpy( out + made, rest, fits ? rest_size : 0 );
	return made + ( fits ? rest_size : 0 );
}
