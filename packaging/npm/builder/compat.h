// What the C library of Emscripten 3.1.6 lacks. Included before every file of the builder.

#pragma once

#include <stddef.h>

void qsort_r( void* base, size_t count, size_t size, int ( *compare )( const void*, const void*, void* ),
              void* context );

void* reallocarray( void* memory, size_t count, size_t size );
