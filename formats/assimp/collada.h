// What Assimp 5.2 does not read right in COLLADA documents. Private to the child process.

#pragma once

#include "formats/assimp/transport.h"

/// Changes a document so that Assimp reads it, in place: comments become blanks, and the white space that a
/// text begins with moves into the tag in front of it. Assimp takes the former for the end of a list of
/// numbers, and some of the latter for a number. Looks for what Assimp reads wrong without a word.
/// @param lost      left alone
/// @param reason    receives why the document is refused; may not be null
/// @return whether it is not
bool bvassimp_prepare_collada( char* data, size_t size, bvimport_notes* lost, char reason[200] );
