// What the header of a PLY file announces.

#pragma once

#include "offline/import/text.h"

#include <stddef.h>

/// How values are written.
typedef enum bvply_encoding
{
	bvply_text,
	bvply_little_endian,
	bvply_big_endian,
} bvply_encoding;

/// Of one value.
typedef enum bvply_type
{
	bvply_int8,
	bvply_uint8,
	bvply_int16,
	bvply_uint16,
	bvply_int32,
	bvply_uint32,
	bvply_float32,
	bvply_float64,
} bvply_type;

/// What a property is read for.
typedef enum bvply_role
{
	bvply_ply_x, ///< of a vertex; x, y and z are 0, 1 and 2
	bvply_ply_y,
	bvply_ply_z,
	bvply_indices, ///< of a face or of strips
	bvply_skipped, ///< anything else
} bvply_role;

/// What an element is read for.
typedef enum bvply_kind
{
	bvply_vertex,
	bvply_face,
	bvply_tristrips,
	bvply_edge,
	bvply_other,
} bvply_kind;

/// A value of each entry, or a list of values.
typedef struct bvply_property
{
	bvply_type type;       ///< of the value, or of the list's values
	bvply_type count_type; ///< of the list's length: whole numbers
	bool list;             ///< not one value but some
	bvply_role role;       ///< indices are lists of whole numbers, coordinates are no lists
} bvply_property;

/// Entries of the same properties.
typedef struct bvply_element
{
	char name[32];           ///< for messages: cut, printable, terminated
	bvply_kind kind;         ///< by its name
	uint64_t count;          ///< of entries; not to be believed before bvply_check_room
	uint64_t line;           ///< that announces it
	size_t first_property;   ///< in bvply_header.properties
	size_t property_count;   ///< at least 1 when there are entries
	uint64_t smallest_bytes; ///< of an entry, with empty lists; in text with one blank after each value
	bool has_lists;          ///< or else each entry of a binary file has smallest_bytes
} bvply_element;

/// All zero in the beginning. The arrays are realloc's.
typedef struct bvply_header
{
	bvply_encoding encoding;    ///< of the body
	bool has_format;            ///< the encoding is known
	bvply_element* elements;    ///< in the body's order; of all but other kinds at most one each
	size_t element_count;       ///< length of elements
	size_t element_capacity;    ///< room in elements
	bvply_property* properties; ///< of all elements, in their order
	size_t property_count;      ///< length of properties
	size_t property_capacity;   ///< room in properties
} bvply_header;

/// Reads the header and checks that the body can hold what it announces.
/// @param t    at the first byte of the file; is left at the first byte of the body
/// @param out  to be freed whatever is returned
/// @return bv_ok; bv_error_input; bv_error_unsupported; bv_error_memory
bv_status bvply_read_header( bvimport_text* t, bvply_header* out );

/// Checks that so many entries can be in so many bytes.
/// @param t      for the message
/// @param bytes  that are left for them
/// @return bv_ok; bv_error_input, with the line of the header
bv_status bvply_check_room( const bvimport_text* t, const bvply_header* h, const bvply_element* e,
                            uint64_t bytes );

/// Frees what the header holds.
void bvply_free_header( bvply_header* h );

/// @return the size of a value in a binary file
size_t bvply_type_bytes( bvply_type type );

/// @return the type's name, as newer files spell it
const char* bvply_type_name( bvply_type type );

/// @return whether it holds whole numbers
static inline bool bvply_type_is_whole( bvply_type type )
{
	return type < bvply_float32;
}
