// What Assimp 5.2 does not read, or not read right, in X3D documents. Private to the child process.

#pragma once

#include "formats/assimp/transport.h"

/// Changes a document in place so that Assimp reads it correctly. Commas between numbers become blanks, because
/// Assimp stops at the first comma. Line sets become a node that Assimp ignores, because it reads them as
/// faces. An Inline keeps only the first of its URLs.
/// @param lost    receives a loss for each piece of geometry that Assimp ignores, and for each node with some
///                whose children it ignores, and for each included file that is not next to the document
/// @param reason  receives why the document is refused: a text where numbers belong
/// @return false if the document is rejected
bool bvassimp_prepare_x3d( char* data, size_t size, bvimport_notes* lost, char reason[200] );
