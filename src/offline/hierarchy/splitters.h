// Rows of the table of splitters, which is in splitters.c.

#pragma once

#include "offline/hierarchy/split.h"

/// One row of the table of splitters.
typedef struct bvhier_splitter
{
	const char* name;             ///< value of --splitter
	const char* summary;          ///< one line for --help, with the source
	bvhier_split_function* split; ///< the rule
	const void* how; ///< its settings, of the type that the rule's own header declares; may be null
} bvhier_splitter;

/// @return the table's row of that name, or null
const bvhier_splitter* bvhier_splitter_find( const char* name );
