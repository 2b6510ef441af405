// Windows: files and paths. See system.h.

#include "offline/base/system_windows.h"

#include "offline/base/match.h"

#include <winternl.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

enum
{
	share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
	longest_plain = 240, // of a path that needs no prefix; 12 less than a file's for a folder's
};

NTSYSAPI NTSTATUS NTAPI RtlGetLastNtStatus( void );

void bvbase_windows_set_errno( DWORD error )
{
	static const struct
	{
		DWORD error;
		int is;
	} meanings[] = {
		{ ERROR_FILE_NOT_FOUND, ENOENT },
		{ ERROR_PATH_NOT_FOUND, ENOENT },
		{ ERROR_INVALID_NAME, ENOENT },
		{ ERROR_INVALID_DRIVE, ENOENT },
		{ ERROR_BAD_NETPATH, ENOENT },
		{ ERROR_BAD_NET_NAME, ENOENT },
		{ ERROR_BAD_PATHNAME, ENOENT },
		{ ERROR_ACCESS_DENIED, EACCES },
		{ ERROR_SHARING_VIOLATION, EACCES },
		{ ERROR_USER_MAPPED_FILE, EACCES },
		{ ERROR_PRIVILEGE_NOT_HELD, EACCES },
		{ ERROR_WRITE_PROTECT, EROFS },
		{ ERROR_LOCK_VIOLATION, EWOULDBLOCK },
		{ ERROR_IO_PENDING, EWOULDBLOCK },
		{ ERROR_DISK_FULL, ENOSPC },
		{ ERROR_HANDLE_DISK_FULL, ENOSPC },
		{ 1295 /* ERROR_DISK_QUOTA_EXCEEDED */, ENOSPC },
		{ ERROR_FILE_TOO_LARGE, EFBIG },
		{ ERROR_FILE_EXISTS, EEXIST },
		{ ERROR_ALREADY_EXISTS, EEXIST },
		{ ERROR_DIRECTORY, ENOTDIR },
		{ ERROR_DIR_NOT_EMPTY, ENOTEMPTY },
		{ ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG },
		{ ERROR_BUFFER_OVERFLOW, ENAMETOOLONG },
		{ ERROR_NOT_ENOUGH_MEMORY, ENOMEM },
		{ ERROR_OUTOFMEMORY, ENOMEM },
		{ ERROR_COMMITMENT_LIMIT, ENOMEM },
		{ ERROR_NO_SYSTEM_RESOURCES, ENOMEM },
		{ ERROR_TOO_MANY_OPEN_FILES, EMFILE },
		{ ERROR_BROKEN_PIPE, EPIPE },
		{ ERROR_NO_DATA, EPIPE },
		{ ERROR_INVALID_HANDLE, EBADF },
	};
	errno = EIO;
	for ( size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i )
	{
		errno = meanings[i].error == error ? meanings[i].is : errno;
	}
}

static bool fail( void )
{
	bvbase_windows_set_errno( GetLastError() );
	return false;
}

// ---- Paths in UTF-8 and UTF-16 ----

bool bvbase_windows_widen( const char* path, wchar_t out[bvbase_windows_path] )
{
	wchar_t given[bvbase_path_bytes];
	wchar_t* to = out;
	if ( strlen( path ) >= bvbase_path_bytes )
	{
		errno = ENAMETOOLONG;
		return false;
	}
	if ( !*path || !MultiByteToWideChar( CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, bvbase_path_bytes ) )
	{
		errno = ENOENT;
		return false;
	}

	// The prefix takes the limit of 260 characters away, but then the path is taken as it is.
	DWORD length = GetFullPathNameW( given, bvbase_path_bytes, out, NULL );
	if ( length == 0 )
	{
		return fail();
	}
	if ( length >= bvbase_path_bytes )
	{
		errno = ENAMETOOLONG;
		return false;
	}
	bool is_device = wcsncmp( out, L"\\\\.\\", 4 ) == 0 || wcsncmp( out, L"\\\\?\\", 4 ) == 0;
	if ( length < longest_plain || is_device )
	{
		return true;
	}
	bool is_share = out[0] == '\\' && out[1] == '\\';
	const wchar_t* prefix = is_share ? L"\\\\?\\UNC" : L"\\\\?\\";
	size_t prefix_length = wcslen( prefix );
	size_t skipped = is_share; // one of its two backslashes
	memmove( to + prefix_length, out + skipped, ( length + 1 - skipped ) * sizeof *out );
	memcpy( to, prefix, prefix_length * sizeof *out );
	return true;
}

bool bvbase_windows_narrow( const wchar_t* path, char out[bvbase_path_bytes] )
{
	bool is_share = wcsncmp( path, L"\\\\?\\UNC\\", 8 ) == 0;
	bool is_prefixed = wcsncmp( path, L"\\\\?\\", 4 ) == 0;
	size_t skipped = is_share ? 7 : is_prefixed ? 4 : 0;
	int room = bvbase_path_bytes - is_share;
	if ( !WideCharToMultiByte( CP_UTF8, 0, path + skipped, -1, out + is_share, room, NULL, NULL ) )
	{
		errno = ENAMETOOLONG;
		return false;
	}
	out[0] = is_share ? '/' : out[0];
	bvbase_path_use_slashes( out );
	return true;
}

// ---- Files ----

HANDLE bvbase_windows_handle( int file )
{
	HANDLE handle = (HANDLE)_get_osfhandle( file );
	if ( handle == INVALID_HANDLE_VALUE )
	{
		errno = EBADF;
	}
	return handle;
}

static int take_handle( HANDLE handle, int how )
{
	if ( handle == INVALID_HANDLE_VALUE )
	{
		fail();
		return -1;
	}
	int file = _open_osfhandle( (intptr_t)handle, how | _O_BINARY | _O_NOINHERIT );
	if ( file < 0 )
	{
		CloseHandle( handle );
		errno = EMFILE;
	}
	return file;
}

static HANDLE open_path( const char* path, DWORD access, DWORD disposition, DWORD flags )
{
	wchar_t wide[bvbase_windows_path];
	if ( !bvbase_windows_widen( path, wide ) )
	{
		SetLastError( errno == ENAMETOOLONG ? ERROR_FILENAME_EXCED_RANGE : ERROR_FILE_NOT_FOUND );
		return INVALID_HANDLE_VALUE;
	}
	return CreateFileW( wide, access, share_all, NULL, disposition, flags, NULL );
}

int bvbase_file_open( const char* path )
{
	// With this flag folders open, too, so that they can be told from files.
	return take_handle( open_path( path, GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS ),
	                    _O_RDONLY );
}

int bvbase_file_create( const char* path, bool* created )
{
	const DWORD flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT;
	HANDLE handle = open_path( path, GENERIC_WRITE, CREATE_NEW, flags );
	*created = handle != INVALID_HANDLE_VALUE;
	if ( !*created && GetLastError() == ERROR_FILE_EXISTS )
	{
		handle = open_path( path, GENERIC_WRITE, OPEN_EXISTING, flags );
	}
	if ( handle == INVALID_HANDLE_VALUE && GetLastError() == ERROR_ACCESS_DENIED &&
	     RtlGetLastNtStatus() == (NTSTATUS)0xC0000056 )
	{
		// Somebody has removed it and still has it open.
		errno = EWOULDBLOCK;
		return -1;
	}
	return take_handle( handle, _O_WRONLY );
}

int bvbase_file_anonymous( const char* name )
{
	static volatile LONG last;
	wchar_t folder[MAX_PATH + 1];
	wchar_t path[MAX_PATH + 96];
	if ( GetTempPathW( MAX_PATH + 1, folder ) == 0 )
	{
		fail();
		return -1;
	}
	swprintf( path, sizeof path / sizeof *path, L"%ls%hs-%lu-%ld.tmp", folder, name, GetCurrentProcessId(),
	          InterlockedIncrement( &last ) );
	return take_handle( CreateFileW( path, GENERIC_READ | GENERIC_WRITE | DELETE, share_all, NULL,
	                                 CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE,
	                                 NULL ),
	                    _O_RDWR );
}

void bvbase_file_close( int file )
{
	if ( file >= 0 )
	{
		_close( file );
	}
}

static DWORD limit_size( size_t size )
{
	return size < 1 << 30 ? (DWORD)size : 1 << 30;
}

int64_t bvbase_file_read( int file, void* to, size_t size )
{
	HANDLE handle = bvbase_windows_handle( file );
	DWORD count = 0;
	if ( handle == INVALID_HANDLE_VALUE )
	{
		return -1;
	}
	if ( ReadFile( handle, to, limit_size( size ), &count, NULL ) )
	{
		return count;
	}
	DWORD error = GetLastError();
	bvbase_windows_set_errno( error );
	return error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ? 0 : -1;
}

int64_t bvbase_file_write( int file, const void* from, size_t size )
{
	HANDLE handle = bvbase_windows_handle( file );
	DWORD count = 0;
	if ( handle == INVALID_HANDLE_VALUE )
	{
		return -1;
	}
	if ( !WriteFile( handle, from, limit_size( size ), &count, NULL ) )
	{
		fail();
		return -1;
	}
	if ( count == 0 && size > 0 )
	{
		errno = ENOSPC;
		return -1;
	}
	return count;
}

static bool get_position( int file, LARGE_INTEGER* out )
{
	HANDLE handle = bvbase_windows_handle( file );
	LARGE_INTEGER none = { .QuadPart = 0 };
	return handle != INVALID_HANDLE_VALUE &&
	       ( SetFilePointerEx( handle, none, out, FILE_CURRENT ) || fail() );
}

static bool set_position( int file, uint64_t to )
{
	LARGE_INTEGER wanted = { .QuadPart = (LONGLONG)to };
	return SetFilePointerEx( bvbase_windows_handle( file ), wanted, NULL, FILE_BEGIN ) || fail();
}

int64_t bvbase_file_read_at( int file, void* to, size_t size, uint64_t offset )
{
	LARGE_INTEGER before;
	if ( !get_position( file, &before ) || !set_position( file, offset ) )
	{
		return -1;
	}
	int64_t count = bvbase_file_read( file, to, size );
	return set_position( file, (uint64_t)before.QuadPart ) ? count : -1;
}

int64_t bvbase_file_write_at( int file, const void* from, size_t size, uint64_t offset )
{
	LARGE_INTEGER before;
	if ( !get_position( file, &before ) || !set_position( file, offset ) )
	{
		return -1;
	}
	int64_t count = bvbase_file_write( file, from, size );
	int reason = errno;
	bool back = set_position( file, (uint64_t)before.QuadPart );
	errno = back ? reason : errno;
	return back ? count : -1;
}

bool bvbase_file_resize( int file, uint64_t size )
{
	LARGE_INTEGER before;
	if ( !get_position( file, &before ) || !set_position( file, size ) )
	{
		return false;
	}
	bool done = SetEndOfFile( bvbase_windows_handle( file ) ) || fail();
	int reason = errno;
	bool back = set_position( file, (uint64_t)before.QuadPart < size ? (uint64_t)before.QuadPart : size );
	errno = done ? errno : reason;
	return done && back;
}

bool bvbase_file_sync( int file )
{
	return FlushFileBuffers( bvbase_windows_handle( file ) ) || fail();
}

// A byte that no file has: what is locked cannot be read.
bool bvbase_file_lock( int file )
{
	OVERLAPPED where = { .OffsetHigh = 0x40000000 };
	return LockFileEx( bvbase_windows_handle( file ), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0,
	                   1, 0, &where ) ||
	       fail();
}

int bvbase_file_copy( int file )
{
	return _dup( file );
}

// From hundreds of nanoseconds since 1601.
static struct timespec to_time( uint64_t ticks )
{
	const int64_t second = 10000000;
	const int64_t epoch = 11644473600;
	int64_t seconds = (int64_t)( ticks / (uint64_t)second );
	return ( struct timespec ){ .tv_sec = seconds - epoch,
		                        .tv_nsec = (long)( ticks % (uint64_t)second * 100 ) };
}

static uint64_t join( DWORD high, DWORD low )
{
	return (uint64_t)high << 32 | low;
}

static bool read_state( HANDLE handle, bvbase_file_state* out )
{
	BY_HANDLE_FILE_INFORMATION info;
	FILE_BASIC_INFO basic;
	*out = ( bvbase_file_state ){ .kind = bvbase_file_other };
	if ( GetFileType( handle ) != FILE_TYPE_DISK )
	{
		return true;
	}
	if ( !GetFileInformationByHandle( handle, &info ) ||
	     !GetFileInformationByHandleEx( handle, FileBasicInfo, &basic, sizeof basic ) )
	{
		return fail();
	}
	bool is_link = info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
	bool is_folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
	out->kind = is_folder ? bvbase_file_folder : bvbase_file_regular;
	if ( is_link )
	{
		// Of files in the cloud only names like these are links.
		FILE_ATTRIBUTE_TAG_INFO tag;
		bool known = GetFileInformationByHandleEx( handle, FileAttributeTagInfo, &tag, sizeof tag );
		out->kind = known && ( tag.ReparseTag == IO_REPARSE_TAG_SYMLINK ||
		                       tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT )
		                ? bvbase_file_other
		                : out->kind;
	}
	out->size = join( info.nFileSizeHigh, info.nFileSizeLow );
	out->device = info.dwVolumeSerialNumber;
	out->number = join( info.nFileIndexHigh, info.nFileIndexLow );
	out->modified =
		to_time( join( info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime ) );
	out->changed = to_time( (uint64_t)basic.ChangeTime.QuadPart );
	return true;
}

bool bvbase_file_get_state( int file, bvbase_file_state* out )
{
	HANDLE handle = bvbase_windows_handle( file );
	return handle != INVALID_HANDLE_VALUE && read_state( handle, out );
}

static void* map( int file, size_t size, DWORD protection, DWORD access )
{
	HANDLE handle = bvbase_windows_handle( file );
	HANDLE mapping =
		CreateFileMappingW( handle, NULL, protection, (DWORD)( (uint64_t)size >> 32 ), (DWORD)size, NULL );
	void* memory = mapping ? MapViewOfFile( mapping, access, 0, 0, size ) : NULL;
	if ( !memory )
	{
		fail();
	}
	if ( mapping )
	{
		CloseHandle( mapping );
	}
	return memory;
}

const void* bvbase_file_map( int file, size_t size )
{
	return map( file, size, PAGE_READONLY, FILE_MAP_READ );
}

void* bvbase_file_map_writable( int file, size_t size )
{
	return map( file, size, PAGE_READWRITE, FILE_MAP_READ | FILE_MAP_WRITE );
}

void bvbase_file_unmap( const void* memory, size_t size )
{
	(void)size;
	UnmapViewOfFile( memory );
}

FILE* bvbase_stream_of( int file, const char* mode )
{
	FILE* stream = _fdopen( file, mode[0] == 'r' ? "rb" : mode[1] == '+' ? "w+b" : "wb" );
	if ( !stream )
	{
		bvbase_file_close( file );
	}
	return stream;
}

FILE* bvbase_stream_open( const char* path, const char* mode )
{
	int file = *mode == 'r'
	               ? bvbase_file_open( path )
	               : take_handle( open_path( path, GENERIC_WRITE, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL ),
	                              _O_WRONLY );
	return file >= 0 ? bvbase_stream_of( file, *mode == 'r' ? "r" : "w" ) : NULL;
}

FILE* bvbase_stream_nowhere( void )
{
	return bvbase_stream_open( "NUL", "w" );
}

// ---- Paths ----

static bool get_state_of( const char* path, DWORD flags, bvbase_file_state* out )
{
	HANDLE handle =
		open_path( path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags );
	if ( handle == INVALID_HANDLE_VALUE )
	{
		return fail();
	}
	bool known = read_state( handle, out );
	CloseHandle( handle );
	return known;
}

bool bvbase_path_get_state( const char* path, bvbase_file_state* out )
{
	return get_state_of( path, 0, out );
}

bool bvbase_path_get_own_state( const char* path, bvbase_file_state* out )
{
	return get_state_of( path, FILE_FLAG_OPEN_REPARSE_POINT, out );
}

bool bvbase_path_exists( const char* path )
{
	bvbase_file_state ignored;
	return bvbase_path_get_state( path, &ignored );
}

bool bvbase_path_is_writable( const char* path )
{
	wchar_t wide[bvbase_windows_path];
	if ( !bvbase_windows_widen( path, wide ) )
	{
		return false;
	}
	DWORD attributes = GetFileAttributesW( wide );
	if ( attributes == INVALID_FILE_ATTRIBUTES )
	{
		return fail();
	}
	bool is_folder = attributes & FILE_ATTRIBUTE_DIRECTORY;
	if ( !is_folder && ( attributes & FILE_ATTRIBUTE_READONLY ) )
	{
		errno = EACCES;
		return false;
	}
	HANDLE handle = CreateFileW( wide, is_folder ? FILE_ADD_FILE : GENERIC_WRITE, share_all, NULL,
	                             OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL );
	if ( handle == INVALID_HANDLE_VALUE )
	{
		return fail();
	}
	CloseHandle( handle );
	return true;
}

bool bvbase_path_rename( const char* from, const char* to )
{
	enum
	{
		most_tries = 100,
	};
	wchar_t wide_from[bvbase_windows_path];
	wchar_t wide_to[bvbase_windows_path];
	if ( !bvbase_windows_widen( from, wide_from ) || !bvbase_windows_widen( to, wide_to ) )
	{
		return false;
	}
	for ( int i = 0; i < most_tries; ++i )
	{
		if ( MoveFileExW( wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH ) )
		{
			return true;
		}

		// Virus scanners and those who index files have the old one open for a moment.
		DWORD error = GetLastError();
		bvbase_windows_set_errno( error );
		if ( error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION &&
		     error != ERROR_USER_MAPPED_FILE )
		{
			return false;
		}
		Sleep( 10 );
	}
	return false;
}

bool bvbase_path_remove( const char* path )
{
	wchar_t wide[bvbase_windows_path];
	return bvbase_windows_widen( path, wide ) && ( DeleteFileW( wide ) || fail() );
}

bool bvbase_path_make_folder( const char* path )
{
	wchar_t wide[bvbase_windows_path];
	return bvbase_windows_widen( path, wide ) && ( CreateDirectoryW( wide, NULL ) || fail() );
}

// MoveFileEx does that.
void bvbase_path_sync_name( const char* path )
{
	(void)path;
}

void bvbase_path_touch( const char* path, const struct timespec* modified )
{
	FILETIME now;
	GetSystemTimeAsFileTime( &now );
	FILETIME when = now;
	if ( modified )
	{
		uint64_t ticks =
			( (uint64_t)modified->tv_sec + 11644473600u ) * 10000000u + (uint64_t)modified->tv_nsec / 100;
		when = ( FILETIME ){ (DWORD)ticks, (DWORD)( ticks >> 32 ) };
	}
	HANDLE handle = open_path( path, FILE_WRITE_ATTRIBUTES, OPEN_EXISTING, 0 );
	if ( handle != INVALID_HANDLE_VALUE )
	{
		SetFileTime( handle, NULL, modified ? NULL : &now, &when );
		CloseHandle( handle );
	}
}

bool bvbase_path_get_real( const char* path, char out[bvbase_path_bytes] )
{
	wchar_t wide[bvbase_windows_path];
	HANDLE handle = open_path( path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS );
	if ( handle == INVALID_HANDLE_VALUE )
	{
		return fail();
	}
	DWORD length = GetFinalPathNameByHandleW( handle, wide, bvbase_windows_path, FILE_NAME_NORMALIZED );
	bool known = length > 0 && length < bvbase_windows_path;
	bool done = known ? bvbase_windows_narrow( wide, out ) : fail();
	CloseHandle( handle );
	return done;
}

bool bvbase_path_get_working_folder( char out[bvbase_path_bytes] )
{
	wchar_t wide[bvbase_windows_path];
	if ( bvbase_path_get_real( ".", out ) )
	{
		return true;
	}
	DWORD length = GetCurrentDirectoryW( bvbase_windows_path, wide );
	return length > 0 && length < bvbase_windows_path ? bvbase_windows_narrow( wide, out ) : fail();
}

bool bvbase_path_get_program( char out[bvbase_path_bytes] )
{
	wchar_t wide[bvbase_windows_path];
	DWORD length = GetModuleFileNameW( NULL, wide, bvbase_windows_path );
	return length > 0 && length < bvbase_windows_path && bvbase_windows_narrow( wide, out );
}

static bool is_slash( char c )
{
	return c == '/' || c == '\\';
}

static bool has_drive( const char* path )
{
	char letter = (char)( path[0] | 0x20 );
	return letter >= 'a' && letter <= 'z' && path[1] == ':';
}

bool bvbase_path_is_absolute( const char* path )
{
	return is_slash( path[0] ) || ( has_drive( path ) && is_slash( path[2] ) );
}

size_t bvbase_path_root( const char* path )
{
	if ( has_drive( path ) )
	{
		return 2;
	}
	size_t length = 0;
	if ( is_slash( path[0] ) && is_slash( path[1] ) )
	{
		// A server and what it shares.
		length = 2 + strcspn( path + 2, "/\\" );
		length += path[length] != 0;
		length += strcspn( path + length, "/\\" );
	}
	return length;
}

char* bvbase_path_use_slashes( char* path )
{
	for ( char* c = path; *c; ++c )
	{
		*c = *c == '\\' ? '/' : *c;
	}
	return path;
}

bool bvbase_path_has_backslashes( void )
{
	return true;
}

struct bvbase_folder
{
	HANDLE search;
	WIN32_FIND_DATAW found;
	bool is_first;
	char name[4 * MAX_PATH];
};

bvbase_folder* bvbase_folder_open( const char* path )
{
	wchar_t wide[bvbase_windows_path + 2];
	bvbase_folder* folder = calloc( 1, sizeof *folder );
	if ( !folder || !bvbase_windows_widen( path, wide ) )
	{
		free( folder );
		return NULL;
	}
	size_t length = wcslen( wide );
	wcscpy( wide + length, length > 0 && wide[length - 1] == '\\' ? L"*" : L"\\*" );
	folder->search = FindFirstFileW( wide, &folder->found );
	folder->is_first = true;
	if ( folder->search == INVALID_HANDLE_VALUE )
	{
		fail();
		free( folder );
		return NULL;
	}
	return folder;
}

const char* bvbase_folder_next( bvbase_folder* folder )
{
	while ( folder->is_first || FindNextFileW( folder->search, &folder->found ) )
	{
		folder->is_first = false;
		if ( WideCharToMultiByte( CP_UTF8, 0, folder->found.cFileName, -1, folder->name, sizeof folder->name,
		                          NULL, NULL ) )
		{
			return folder->name;
		}
	}
	return NULL;
}

void bvbase_folder_close( bvbase_folder* folder )
{
	FindClose( folder->search );
	free( folder );
}

bool bvbase_path_matches_others( const char* path )
{
	const char* slash = strrchr( path, '/' );
	const char* pattern = slash ? slash + 1 : path;
	char parent[bvbase_path_bytes];
	int length = (int)( pattern - path );
	if ( memchr( path, '[', (size_t)length ) || length >= bvbase_path_bytes )
	{
		return true; // it may
	}
	snprintf( parent, sizeof parent, "%.*s", length > 0 ? length : 1, length > 0 ? path : "." );
	bvbase_folder* folder = bvbase_folder_open( parent );
	bool others = false;
	const char* name;
	while ( folder && !others && ( name = bvbase_folder_next( folder ) ) != NULL )
	{
		others = bvbase_match( pattern, name, true ) && strcmp( pattern, name ) != 0;
	}
	if ( folder )
	{
		bvbase_folder_close( folder );
	}
	return others;
}

static int compare_names( const void* a, const void* b )
{
	return strcmp( *(char* const*)a, *(char* const*)b );
}

// With the folder that a pattern is in.
static char* join_name( const char* pattern, size_t length, const char* name )
{
	size_t size = length + strlen( name ) + 1;
	char* path = malloc( size );
	if ( path )
	{
		memcpy( path, pattern, length );
		memcpy( path + length, name, size - length );
	}
	return path;
}

size_t bvbase_path_expand( const char* pattern, char*** names )
{
	const char* slash = strrchr( pattern, '/' );
	const char* last = slash ? slash + 1 : pattern;
	size_t length = (size_t)( last - pattern );
	char parent[bvbase_path_bytes];
	size_t count = 0;
	*names = NULL;
	if ( !strpbrk( last, "*?" ) || strpbrk( pattern, "*?" ) < last || length >= sizeof parent )
	{
		return 0;
	}
	snprintf( parent, sizeof parent, "%.*s", length > 0 ? (int)length : 1, length > 0 ? pattern : "." );
	bvbase_folder* folder = bvbase_folder_open( parent );
	const char* name;
	while ( folder && ( name = bvbase_folder_next( folder ) ) != NULL )
	{
		if ( *name == '.' || !bvbase_match( last, name, true ) )
		{
			continue;
		}
		char** larger = realloc( *names, ( count + 1 ) * sizeof *larger );
		char* path = larger ? join_name( pattern, length, name ) : NULL;
		*names = larger ? larger : *names;
		if ( !path )
		{
			break;
		}
		larger[count++] = path;
	}
	if ( folder )
	{
		bvbase_folder_close( folder );
	}
	if ( count > 0 )
	{
		qsort( *names, count, sizeof **names, compare_names );
	}
	return count;
}
