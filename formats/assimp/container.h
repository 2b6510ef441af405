// A glTF document in memory, written: what the child process makes of an animated scene. Private to this
// folder.

#pragma once

#include "bvbuild/base.h"

/// Bytes that grow. The process ends when there is no memory for them.
typedef struct bvassimp_bytes
{
	uint8_t* data;
	size_t size; ///< in use
	size_t room; ///< that data has
} bvassimp_bytes;

/// Lists of a document.
typedef enum bvassimp_list
{
	bvassimp_list_accessors,
	bvassimp_list_views,
	bvassimp_list_meshes,
	bvassimp_list_nodes,
	bvassimp_list_skins,
	bvassimp_list_animations,
	bvassimp_lists,
} bvassimp_list;

/// What elements of an accessor are.
typedef enum bvassimp_element
{
	bvassimp_element_index,  ///< uint32_t
	bvassimp_element_number, ///< float
	bvassimp_element_vector, ///< 3 floats
	bvassimp_element_four,   ///< 4 floats
	bvassimp_element_matrix, ///< 16 floats, columns
	bvassimp_element_joints, ///< 4 uint16_t
} bvassimp_element;

/// A document. All zero in the beginning, except for `result`.
typedef struct bvassimp_container
{
	int result; ///< where a reason to end is left
	bvassimp_bytes lists[bvassimp_lists];
	uint32_t counts[bvassimp_lists]; ///< items of each list
	bvassimp_bytes binary;
} bvassimp_container;

/// Appends text.
__attribute__( ( format( printf, 2, 3 ) ) ) void bvassimp_put( bvassimp_bytes* to, const char* format, ... );

/// Appends other bytes.
void bvassimp_put_bytes( bvassimp_bytes* to, const bvassimp_bytes* from );

/// Appends numbers as a list of JSON, which reads back as the same numbers.
/// @param values  finite
void bvassimp_put_numbers( bvassimp_bytes* to, const double* values, uint32_t count );

/// Begins an item of a list. The caller appends its text to `lists[list]`.
/// @return the number of the item
uint32_t bvassimp_container_add( bvassimp_container* c, bvassimp_list list );

/// Adds an accessor, and the bytes for its elements. Ends the process if the document gets too large.
/// @param count  of elements, at least 1
/// @param out    receives the bytes, all zero, which are valid until the next accessor is added
/// @return the number of the accessor
uint32_t bvassimp_container_accessor( bvassimp_container* c, bvassimp_element element, uint64_t count,
                                      uint8_t** out );

/// Stores numbers at a place of an accessor, in the order of bytes that glTF has.
void bvassimp_store_16( uint8_t* to, uint32_t value );
void bvassimp_store_32( uint8_t* to, uint32_t value );
void bvassimp_store_float( uint8_t* to, float value );

/// Ends the document, and frees what it was made of.
/// @param roots  the list of root nodes as text, without brackets
/// @return binary glTF, which the caller frees
bvassimp_bytes bvassimp_container_finish( bvassimp_container* c, const bvassimp_bytes* roots );
