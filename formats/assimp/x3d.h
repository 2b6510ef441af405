// What Assimp 5.2 does not read, or not read right, in X3D documents. Private to the child process.

#pragma once

#include "formats/assimp/transport.h"

/// Changes a document so that Assimp reads it, in place: commas between numbers become blanks, of which Assimp
/// would read the first number only, and sets of lines, which it would read as faces, become a node that it
/// ignores. Of the places that an included file may have, the first is left.
/// @param lost    receives a loss for each piece of geometry that Assimp ignores, and for each node with some
///                whose children it ignores, and for each included file that is not next to the document
/// @param reason  receives why the document is refused: a text where numbers belong
/// @return whether it is not
bool bvassimp_prepare_x3d( char* data, size_t size, bvimport_notes* lost, char reason[200] );
