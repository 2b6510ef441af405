// Which files Assimp opens: its own plain files, watched. Private to the child process.
//
// Of each file but the input its path is kept, and the hash of its bytes from before Assimp reads them. They
// are compared with what is there in the end, so that what is recorded is what was read.

#pragma once

#include "formats/assimp/transport.h"

#include <assimp/cfileio.h>

/// @param path    the input; kept
/// @param result  where a reason to end is left
/// @return never null; ends the process when out of memory
bvassimp_watch* bvassimp_watch_begin( const char* path, int result );

/// Changes the bytes of a file that Assimp gets; its hash is of those in the file.
/// @param lost    receives what Assimp loses without a word
/// @param reason  receives why the file is refused
/// @return false if the file is rejected
typedef bool bvassimp_prepare( char* data, size_t size, bvimport_notes* lost, char reason[200] );

/// Has the input prepared each time it is opened, and all files with its extension.
/// @param lost  counts once for each file
void bvassimp_watch_prepare( bvassimp_watch* watch, bvassimp_prepare* prepare, bvimport_notes* lost );

/// @return what Assimp takes to open files with: fopen and its kin, as Assimp by itself does
struct aiFileIO* bvassimp_watch_io( bvassimp_watch* watch );

/// @return the input's path, as Assimp is to get it
const char* bvassimp_watch_path( const bvassimp_watch* watch );

/// Puts the input's own path into a message, where Assimp has the one that it got.
void bvassimp_watch_spell( const bvassimp_watch* watch, const char* text, char* out, size_t size );

/// Ends the process, with that as the outcome, when a file that was opened has changed since.
/// @param input_hash  receives what bvassimp_report says
void bvassimp_watch_end( bvassimp_watch* watch, uint8_t input_hash[16] );

/// Of the report: what the files take.
void bvassimp_watch_measure( const bvassimp_watch* watch, uint32_t* count, uint64_t* name_bytes );

/// Writes the files, as transport.h says.
void bvassimp_watch_write( const bvassimp_watch* watch, char* files, char* names );
