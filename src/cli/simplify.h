// The option --simplify of bvbuild.

#pragma once

#include "cli/settings.h"

/// Sets how far the proxy may be from the mesh.
bv_status set_simplify( void* context, const char* value, bvb_error* error );

/// Adds what the option asks for to the sections, and refuses what contradicts it.
bv_status settle_simplify( settings* s, bvb_error* error );
