// See math.h. The intrinsics of compilers name these.

#pragma once

#include <stddef.h>

void* malloc( size_t );
void free( void* );
int abs( int );
