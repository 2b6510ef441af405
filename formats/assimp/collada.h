// What Assimp 5.2 does not read right in COLLADA documents. Private to the child process.

#pragma once

#include "formats/assimp/transport.h"

/// Changes a document in place so that Assimp reads it correctly. Comments become blanks, because Assimp ends a
/// list of numbers at a comment. Leading white space of a text moves into the tag before it, because Assimp
/// reads some of it as a number. Also finds what Assimp misreads silently.
/// @param lost      left alone
/// @param reason    receives why the document is refused; may not be null
/// @return false if the document is rejected
bool bvassimp_prepare_collada( char* data, size_t size, bvimport_notes* lost, char reason[200] );
