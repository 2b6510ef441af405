// VRML text as a graph of nodes, of any type. Private to this folder.

#pragma once

#include "bvbuild/base.h"
#include "offline/import/notes.h"

#include <stddef.h>

/// No node, field or child.
#define BVVRML_NONE UINT32_MAX

/// Bytes of the text.
typedef struct bvvrml_span
{
	const char* data;
	size_t length;
} bvvrml_span;

/// A node.
typedef struct bvvrml_node
{
	bvvrml_span type;
	bvvrml_span name;     ///< that DEF gives it; empty without
	uint64_t line;        ///< where it begins
	uint32_t first_field; ///< or BVVRML_NONE
	uint32_t last_field;
	bool is_open; ///< it is being read or placed; a reference to it is then a cycle
} bvvrml_node;

/// A field of a node and its value: numbers, nodes, or what no mesh depends on. TRUE is 1, FALSE is 0.
typedef struct bvvrml_field
{
	bvvrml_span name;
	uint64_t first_number;
	uint64_t number_count;
	uint32_t first_child;
	uint32_t last_child;
	uint32_t next;    ///< field of the node, or BVVRML_NONE
	bvvrml_span text; ///< its first string; without the quotes
} bvvrml_field;

/// A node as the value of a field.
typedef struct bvvrml_child
{
	uint32_t node;
	uint32_t next; ///< or BVVRML_NONE
} bvvrml_child;

/// A text that has been read. The first node is made up: its field "children" has the roots.
typedef struct bvvrml_graph
{
	const char* file;
	bvb_error* error;
	uint64_t memory_left; ///< for the arrays
	bvimport_notes notes;
	bvvrml_node* nodes;
	bvvrml_field* fields;
	bvvrml_child* children;
	double* numbers;
	uint32_t* slots; ///< hash table of the names that DEF gives: node + 1, 0 is free
	uint64_t node_count;
	uint64_t field_count;
	uint64_t child_count;
	uint64_t number_count;
	uint64_t node_room;
	uint64_t field_room;
	uint64_t child_room;
	uint64_t number_room;
	uint64_t slot_count; ///< a power of two, or 0
	uint64_t name_count;
} bvvrml_graph;

/// Reads a text whose header was checked.
/// @param g  all zero except file, error and memory_left
/// @return bv_ok; bv_error_input, naming the line; bv_error_limit; bv_error_memory
bv_status bvvrml_parse( bvvrml_graph* g, const char* data, size_t size );

/// @return the last field with that name; null if the node has no such field
const bvvrml_field* bvvrml_find( const bvvrml_graph* g, uint32_t node, const char* name );

/// Reads a field with as many numbers as `count`.
/// @param out  holds the default, which stays if there is no such field
/// @return bv_ok; bv_error_input for another count
bv_status bvvrml_get_numbers( const bvvrml_graph* g, uint32_t node, const char* name, int count,
                              double* out );

/// @return whether the node is of that type
bool bvvrml_is( const bvvrml_graph* g, uint32_t node, const char* type );

/// Fails with "FILE:LINE: ", the line that the node begins in.
/// @return status
__attribute__( ( format( printf, 4, 5 ) ) ) bv_status
bvvrml_fail( const bvvrml_graph* g, uint32_t node, bv_status status, const char* format, ... );

/// Frees the arrays.
void bvvrml_free( bvvrml_graph* g );
