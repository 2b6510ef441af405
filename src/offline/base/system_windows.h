// What the files for Windows share. Private to them.

#pragma once

#include <windows.h>

#include "offline/base/system.h"

enum
{
	bvbase_windows_path = bvbase_path_bytes + 8, // UTF-16 units of a path, its prefix and its end
};

/// Sets errno to what a system error means.
void bvbase_windows_set_errno( DWORD error );

/// A path as the system takes it, of any length.
/// @return false with errno
bool bvbase_windows_widen( const char* path, wchar_t out[bvbase_windows_path] );

/// A path of the system as the program has it, with slashes and without prefix.
/// @return false with errno
bool bvbase_windows_narrow( const wchar_t* path, char out[bvbase_path_bytes] );

/// The handle of a file; INVALID_HANDLE_VALUE with errno.
HANDLE bvbase_windows_handle( int file );

/// Ends this process as Ctrl-C does, as soon as no output is half written.
void bvbase_windows_end( void );

/// While this is set, Ctrl-C only sets the event.
void bvbase_windows_note_endings( HANDLE event );

/// What the process was started with, in a program's own arguments.
typedef struct bvbase_windows_start
{
	wchar_t** arguments; ///< the program first, without internal ones
	int count;
	wchar_t* worker; ///< null unless it is a worker
} bvbase_windows_start;

extern bvbase_windows_start bvbase_windows_started;
