// What bvinspect prints for people.

#pragma once

#include "bv/file.h"

/// Prints a screenful about a file to stdout.
void print_summary( const char* path, const bv_file* file );
