// Writes moving and resting objects that share meshes as an animation in binary glTF 2.0.

#pragma once

#include "bv/bv.h"

#include <stdint.h>

typedef struct show
{
	const bv_file* const* files;
	const float ( *colors )[3]; // of each file: red, green, blue
	uint32_t file_count;

	const uint32_t* file_of;    // of each object
	uint32_t moving;            // the first objects, which have keys
	uint32_t resting;           // the others
	const bv_transform* places; // of the resting ones

	double seconds;                // between two keys
	uint32_t keys;                 // of each moving object
	const float ( *positions )[3]; // key after key
	const int16_t ( *turns )[4];   // likewise: quaternions x, y, z, w; 32767 for 1
} show;

// Returns false, with a line on standard error, if the file cannot be written.
bool show_write( const show* s, const char* path );
