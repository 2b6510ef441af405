// Warnings of a reader about a file that it reads in part, or that breaks the rules of its format.

#pragma once

#include "bvbuild/import.h"

/// All zero in the beginning.
typedef struct bvimport_notes
{
	uint64_t warnings; ///< all, losses included
	uint64_t losses;   ///< warnings among them about skipped geometry
	char text[160];    ///< the first loss, or without any the first warning
} bvimport_notes;

/// Adds one warning per loss; without losses, one warning.
/// @param losses  how much of the geometry is left out: faces, lines; 0 for a warning that is no loss
/// @param format  what is wrong, such as "line 7: face has 2 corners", kept if it is the first
__attribute__( ( format( printf, 3, 4 ) ) ) void bvimport_notes_add( bvimport_notes* n, uint64_t losses,
                                                                     const char* format, ... );

/// Hands over what has been noted.
/// @param arena  the text lives here
/// @param out    receives warnings, losses and the text
/// @return bv_ok; bv_error_memory
bv_status bvimport_notes_deliver( const bvimport_notes* n, bvb_arena* arena, bvb_import* out,
                                  bvb_error* error );
