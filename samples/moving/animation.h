// Writes two moving objects and their first contact as an animation in binary glTF 2.0.

#pragma once

#include "bv/bv.h"

typedef struct animation
{
	const char* name;
	const bv_file* file[2];
	const bv_motion* motion[2];
	const bv_sweep_result* contact; // the animation ends 2 seconds after it
	double meters;                  // in a mesh unit
	double seconds;                 // for times from 0 to 1
	double marker;                  // length of the arrow at the contact, mesh units
	float color[2][4];              // red, green, blue, opacity
} animation;

// Returns false, with a line on standard error, if the file cannot be written.
bool animation_write( const animation* a, const char* path );
