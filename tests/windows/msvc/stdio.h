// See math.h.

#pragma once

#include <stddef.h>

int snprintf( char*, size_t, const char*, ... );
