// Writes binary glTF 2.0: arrays, their descriptions, and the rest of the JSON text. On failure prints a line and ends the program.

#pragma once

#include "bv/file.h"

#include <stddef.h>

// A text that grows.
typedef struct glb_text
{
	char* data;
	size_t length, capacity;
} glb_text;

// Appends, formatted as by printf.
void glb_append( glb_text* text, const char* format, ... );

// What an array is for.
typedef enum glb_use
{
	glb_positions, // 3 floats each
	glb_indices,   // uint32_t
	glb_times,     // floats
	glb_values,    // 1 to 4 floats each
	glb_rotations, // quaternions x, y, z, w of int16_t, 32767 for 1
} glb_use;

// A file that is being made. Starts as zeros.
typedef struct glb
{
	char* bytes;
	size_t size, capacity;
	glb_text views, accessors;
	int accessor_count, view_count;
	size_t view_begin; // of the last view
	glb_use view_use;
	glb_text json;
} glb;

// Adds an array. Returns the number of its accessor.
int glb_add( glb* g, glb_use use, const void* data, size_t count, int components );

// Adds positions and indices of a mesh, which get two numbers in a row. Without normals, viewers show triangles as the flat faces
// that they are. Returns the first number.
int glb_add_mesh( glb* g, const bv_file* file );

// Writes `json`, an object without its closing brace, then views, accessors and the binary part. Frees all of it. Returns false, with a
// line on standard error, if the file cannot be written.
bool glb_write( glb* g, const char* path );

// Zeros.
void* glb_allocate( size_t count, size_t size );
