// What the header of a PLY file announces.

#pragma once

#include "formats/text.h"

#include <stddef.h>

/// How values are written.
typedef enum bvb_ply_encoding
{
	bvb_ply_text,
	bvb_ply_little_endian,
	bvb_ply_big_endian,
} bvb_ply_encoding;

/// Of one value.
typedef enum bvb_ply_type
{
	bvb_ply_int8,
	bvb_ply_uint8,
	bvb_ply_int16,
	bvb_ply_uint16,
	bvb_ply_int32,
	bvb_ply_uint32,
	bvb_ply_float32,
	bvb_ply_float64,
} bvb_ply_type;

/// What a property is read for.
typedef enum bvb_ply_role
{
	bvb_ply_x, ///< of a vertex; x, y and z are 0, 1 and 2
	bvb_ply_y,
	bvb_ply_z,
	bvb_ply_indices, ///< of a face or of strips
	bvb_ply_skipped, ///< anything else
} bvb_ply_role;

/// What an element is read for.
typedef enum bvb_ply_kind
{
	bvb_ply_vertex,
	bvb_ply_face,
	bvb_ply_tristrips,
	bvb_ply_edge,
	bvb_ply_other,
} bvb_ply_kind;

/// A value of each entry, or a list of values.
typedef struct bvb_ply_property
{
	bvb_ply_type type;       ///< of the value, or of the list's values
	bvb_ply_type count_type; ///< of the list's length: whole numbers
	bool list;               ///< not one value but some
	bvb_ply_role role;       ///< indices are lists of whole numbers, coordinates are no lists
} bvb_ply_property;

/// Entries of the same properties.
typedef struct bvb_ply_element
{
	char name[32];           ///< for messages: cut, printable, terminated
	bvb_ply_kind kind;       ///< by its name
	uint64_t count;          ///< of entries; not to be believed before bvb_ply_check_room
	uint64_t line;           ///< that announces it
	size_t first_property;   ///< in bvb_ply_header.properties
	size_t property_count;   ///< at least 1 when there are entries
	uint64_t smallest_bytes; ///< of an entry, with empty lists; in text with one blank after each value
	bool has_lists;          ///< or else each entry of a binary file has smallest_bytes
} bvb_ply_element;

/// All zero in the beginning. The arrays are realloc's.
typedef struct bvb_ply_header
{
	bvb_ply_encoding encoding;    ///< of the body
	bool has_format;              ///< the encoding is known
	bvb_ply_element* elements;    ///< in the body's order; of all but other kinds at most one each
	size_t element_count;         ///< length of elements
	size_t element_capacity;      ///< room in elements
	bvb_ply_property* properties; ///< of all elements, in their order
	size_t property_count;        ///< length of properties
	size_t property_capacity;     ///< room in properties
} bvb_ply_header;

/// Reads the header and checks that the body can hold what it announces.
/// @param t    at the first byte of the file; is left at the first byte of the body
/// @param out  to be freed whatever is returned
/// @return bv_ok; bv_error_input; bv_error_unsupported; bv_error_memory
bv_status bvb_ply_read_header( bvb_text* t, bvb_ply_header* out );

/// Checks that so many entries can be in so many bytes.
/// @param t      for the message
/// @param bytes  that are left for them
/// @return bv_ok; bv_error_input, with the line of the header
bv_status bvb_ply_check_room( const bvb_text* t, const bvb_ply_header* h, const bvb_ply_element* e,
                              uint64_t bytes );

/// Frees what the header holds.
void bvb_ply_free_header( bvb_ply_header* h );

/// @return the size of a value in a binary file
size_t bvb_ply_type_bytes( bvb_ply_type type );

/// @return the type's name, as newer files spell it
const char* bvb_ply_type_name( bvb_ply_type type );

/// @return whether it holds whole numbers
static inline bool bvb_ply_type_is_whole( bvb_ply_type type )
{
	return type < bvb_ply_float32;
}
