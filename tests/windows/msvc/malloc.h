// See math.h.

#pragma once

#include <stddef.h>

void* _aligned_malloc( size_t, size_t );
void _aligned_free( void* );
