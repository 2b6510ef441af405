// What the offline side asks of the system: files, paths, memory, terminals, signals and processes. One
// file per system and subject implements it, system_posix.c and its like; the build picks them.
//
// Paths are UTF-8 with slashes. What fails sets errno, unless said otherwise. Files are the descriptors of
// the C library.

#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum
{
	bvbase_path_bytes = 4096, ///< room for a path with its end
};

/// What a path leads to.
typedef enum bvbase_file_kind
{
	bvbase_file_other, ///< a device, a pipe, a socket
	bvbase_file_regular,
	bvbase_file_folder,
} bvbase_file_kind;

/// What the system knows of a file.
typedef struct bvbase_file_state
{
	bvbase_file_kind kind;
	uint64_t size;            ///< in bytes
	uint64_t device;          ///< with `number`: two files that are open at a time differ in them
	uint64_t number;          ///< of the file
	struct timespec modified; ///< when it was written last
	struct timespec changed;  ///< when that or its name or owner changed last
} bvbase_file_state;

// ---- Files ----

/// Opens a file for reading. Nothing is waited for: a pipe without a writer opens, too.
/// @return -1 on failure
int bvbase_file_open( const char* path );

/// Opens a file for writing, which is created unless it exists. Neither links are followed nor pipes waited
/// for.
/// @param created  receives whether it was
/// @return -1 on failure
int bvbase_file_create( const char* path, bool* created );

/// @param name  for whoever looks at this process
/// @return a file without a path, for reading and writing; -1 on failure
int bvbase_file_anonymous( const char* name );

/// Does nothing if `file` is negative.
void bvbase_file_close( int file );

/// @return bytes read, 0 at the end; -1 on failure, with EINTR when it may be tried again
int64_t bvbase_file_read( int file, void* to, size_t size );

/// The same from an offset. Where reading goes on stays as it was.
int64_t bvbase_file_read_at( int file, void* to, size_t size, uint64_t offset );

/// @return bytes written; -1 on failure, with EINTR when it may be tried again
int64_t bvbase_file_write( int file, const void* from, size_t size );

/// The same at an offset. Where writing goes on stays as it was.
int64_t bvbase_file_write_at( int file, const void* from, size_t size, uint64_t offset );

/// Cuts or extends a file.
bool bvbase_file_resize( int file, uint64_t size );

/// Waits until the file is on the disk.
bool bvbase_file_sync( int file );

/// Keeps other processes from locking this file as long as it is open.
/// @return false with EWOULDBLOCK if another one has the lock, or with EINTR
bool bvbase_file_lock( int file );

/// @return another descriptor of the file; -1 on failure
int bvbase_file_copy( int file );

bool bvbase_file_get_state( int file, bvbase_file_state* out );

/// Maps a file for reading, privately.
/// @return null on failure
const void* bvbase_file_map( int file, size_t size );

/// Maps a file for writing.
/// @return null on failure
void* bvbase_file_map_writable( int file, size_t size );

/// @param memory  of one of the two
void bvbase_file_unmap( const void* memory, size_t size );

/// As fopen, in binary mode and not inherited by other programs.
/// @param mode  "r" or "w"
FILE* bvbase_stream_open( const char* path, const char* mode );

/// A stream of a file, which closes it.
/// @param mode  "r" or "w+"
FILE* bvbase_stream_of( int file, const char* mode );

/// @return a stream for text that nobody reads
FILE* bvbase_stream_nowhere( void );

// ---- Paths ----

/// Of what the path leads to, through links.
bool bvbase_path_get_state( const char* path, bvbase_file_state* out );

/// Of the path itself, which may be a link.
bool bvbase_path_get_own_state( const char* path, bvbase_file_state* out );

bool bvbase_path_exists( const char* path );

/// @return whether this process may write to what is there
bool bvbase_path_is_writable( const char* path );

/// Renames a file. A file that has the new name already is replaced atomically.
bool bvbase_path_rename( const char* from, const char* to );

bool bvbase_path_remove( const char* path );

bool bvbase_path_make_folder( const char* path );

/// Waits until the name of a file is on the disk, where the system can do that.
void bvbase_path_sync_name( const char* path );

/// Sets when a file was written.
/// @param modified  null for the current time, which also becomes the time of the last access
void bvbase_path_touch( const char* path, const struct timespec* modified );

/// @return false with errno
bool bvbase_path_get_working_folder( char out[bvbase_path_bytes] );

/// The absolute path without links of what is there.
bool bvbase_path_get_real( const char* path, char out[bvbase_path_bytes] );

/// The path of this program.
/// @return false if the system does not know it
bool bvbase_path_get_program( char out[bvbase_path_bytes] );

bool bvbase_path_is_absolute( const char* path );

/// @return length of what is before the slash that begins an absolute path, such as a drive's name
size_t bvbase_path_root( const char* path );

/// Makes a path that a person typed one with slashes, in place.
/// @return path
char* bvbase_path_use_slashes( char* path );

/// The files that a pattern matches, in the order of their names, where the shells of the system leave that to
/// programs.
/// @param names  receives them: the caller frees each, and the array
/// @return the number of names; 0 if nothing matches, or if the path has no pattern
size_t bvbase_path_expand( const char* pattern, char*** names );

/// Whether the backslash separates folders in paths that people type, so that it escapes only quotes.
bool bvbase_path_has_backslashes( void );

/// Whether a pattern of a shell matches the names of other files.
bool bvbase_path_matches_others( const char* path );

/// A folder that is listed.
typedef struct bvbase_folder bvbase_folder;

/// @return null on failure
bvbase_folder* bvbase_folder_open( const char* path );

/// @return the next name, valid until the next call; null at the end
const char* bvbase_folder_next( bvbase_folder* folder );

void bvbase_folder_close( bvbase_folder* folder );

// ---- Memory and time ----

/// Says that memory is going to be used as a whole.
void bvbase_memory_use_large_pages( void* memory, size_t size );

/// @return bytes that this process may still map, UINT64_MAX where that is not limited
uint64_t bvbase_memory_left( void );

/// Memory that is freed is to be kept for this process, for all of its threads.
void bvbase_memory_keep( void );

/// As qsort_r of POSIX.
void bvbase_sort_with( void* items, size_t count, size_t size,
                       int ( *compare )( const void* a, const void* b, void* context ), void* context );

/// @return the array with room for that many items; null when there is no memory, and then the old one stays
void* bvbase_memory_resize( void* items, size_t count, size_t size );

/// @return where bytes stand first among others; null for nowhere
void* bvbase_memory_find( const void* bytes, size_t size, const void* wanted, size_t wanted_size );

/// @return where a byte stands last among others; null for nowhere
void* bvbase_memory_find_last( const void* bytes, char wanted, size_t size );

void bvbase_sleep( double seconds );

/// @return the time of the clock on the wall
struct timespec bvbase_time( void );

// ---- The program ----

/// @return what stands around a word of a command in which every other character means itself
const char* bvbase_shell_get_quote( void );

/// @return what that character itself is within such a word
const char* bvbase_shell_get_quoted_quote( void );

/// To be called first. Arguments become UTF-8, and standard streams binary.
void bvbase_program_begin( int* count, char*** arguments );

/// @return name of the program, without its folder
const char* bvbase_program_name( void );

/// Ends the process at once: no handler runs.
_Noreturn void bvbase_program_leave( int code );

/// @param value  null takes the variable away
void bvbase_environment_set( const char* name, const char* value );

/// Runs a function on a stack that is large enough for builds, whatever the system's limits are.
/// @param wanted  receives its size in bytes
/// @return false if there is no memory for it
bool bvbase_run_on_large_stack( int ( *run )( void* context ), void* context, int* result, size_t* wanted );

/// Starts a thread that gets no signals: they are for the thread that writes files.
bool bvbase_thread_start_deaf( pthread_t* thread, void* ( *run )( void* context ), void* context );

void bvbase_condition_begin( pthread_cond_t* condition );

/// Waits for a signal to the condition, or so long.
void bvbase_condition_wait( pthread_cond_t* condition, pthread_mutex_t* lock, double seconds );

/// @return a handle of a library of the system; null on failure
void* bvbase_library_open( const char* name );

/// @return a function of the library; null if it has none of that name
void* bvbase_library_find( void* library, const char* name );

/// @return why bvbase_library_open has failed
const char* bvbase_library_get_error( void );

// ---- Terminals ----

/// @param file  0, 1 or 2
bool bvbase_terminal_is( int file );

/// @return width of the terminal; 0 if it is not known
int bvbase_terminal_get_columns( int file );

/// @return whether escape codes for colors may be written there
bool bvbase_terminal_has_colors( FILE* file );

// ---- Signals that end the process ----

/// What there was before such signals were held.
typedef struct bvbase_endings
{
	max_align_t space[64];
} bvbase_endings;

/// From here to bvbase_endings_release, what ends the process by request waits.
void bvbase_endings_hold( bvbase_endings* old );

void bvbase_endings_release( const bvbase_endings* old );

// ---- Processes ----

/// Something that is done in a process of its own. Where that is a new program, it finds the task by name.
typedef struct bvbase_task
{
	const char* name;

	/// @param result  file for what comes of it, empty
	void ( *run )( const void* request, size_t size, int result );
} bvbase_task;

typedef struct bvbase_limits
{
	double seconds;        ///< of the processor's time
	uint64_t memory_bytes; ///< beyond what there is at the start; UINT64_MAX for no limit
} bvbase_limits;

typedef struct bvbase_child
{
	int64_t process;
	int result; ///< file
	int alive;  ///< reads end-of-file when the child is gone
	void* group;
	uint64_t memory_bytes;
} bvbase_child;

/// How a process has ended.
typedef enum bvbase_ending
{
	bvbase_ending_exit, ///< with a code
	bvbase_ending_crash,
	bvbase_ending_timeout,
	bvbase_ending_memory,  ///< over its limit
	bvbase_ending_unknown, ///< somebody else waited for it
} bvbase_ending;

/// If the arguments of this program ask for a task, does it and ends the process.
void bvbase_task_serve( int count, char** arguments, const bvbase_task* const* tasks, size_t task_count );

/// Starts a process for a task, with limits. It gets no other file of this process, and ends with it.
/// @param request  copied
/// @return false on failure
bool bvbase_child_start( const bvbase_task* task, const void* request, size_t size,
                         const bvbase_limits* limits, bvbase_child* out );

/// Waits for its end, and ends it after `timeout` seconds.
/// @param code  receives its exit code, or what bvbase_ending_describe takes
bvbase_ending bvbase_child_wait( bvbase_child* child, double timeout, int* code );

/// Closes its result.
void bvbase_child_close( bvbase_child* child );

/// @return "signal 11" or the like
const char* bvbase_ending_describe( int code, char out[80] );

/// @return "Segmentation fault" or the like
const char* bvbase_ending_name( int code );

/// A process that does one piece of work after the other.
typedef struct bvbase_worker
{
	int64_t process; ///< 0: none is running
	int64_t channel; ///< for orders and answers
	int64_t answers;
	void* section;
	int printed;  ///< file that has what it prints as an error
	void* shared; ///< memory that both see
} bvbase_worker;

typedef struct bvbase_crew
{
	bvbase_worker* workers;
	int count;
	int room;     ///< length of workers
	size_t bytes; ///< that each worker shares
	void* state;
} bvbase_crew;

/// The worker's side.
typedef struct bvbase_post
{
	int64_t channel;
	int64_t answers;
	int64_t parent;
	void* shared; ///< as bvbase_worker has it
} bvbase_post;

typedef void bvbase_serve( void* context, bvbase_post* post );

/// @return this process's post if it was started as a worker that has to find its work by itself: by the
///         arguments that the program was started with; else null
bvbase_post* bvbase_post_of_this_process( void );

/// Waits for the next order.
/// @return false after the last order
bool bvbase_post_next( bvbase_post* post, int* order );

/// Says that the order is done.
bool bvbase_post_answer( bvbase_post* post );

/// Makes room for so many workers. From here to bvbase_crew_end what ends this process is only noticed.
/// @return false when out of memory; count is smaller than wanted if there are not enough files
bool bvbase_crew_begin( bvbase_crew* crew, int count, size_t bytes );

/// Starts a worker.
/// @param serve  what it does: called there, or there is a bvbase_post_of_this_process
bool bvbase_crew_start( bvbase_crew* crew, int worker, bvbase_serve* serve, void* context );

/// @return false if the worker has died
bool bvbase_crew_order( bvbase_crew* crew, int worker, int order );

/// Waits until a worker answers or dies, or this process is to end.
/// @param heard  receives for each worker whether it did
void bvbase_crew_wait( bvbase_crew* crew, bool* heard );

/// @return whether a worker that was heard of has answered: else it has died
bool bvbase_crew_take_answer( bvbase_crew* crew, int worker );

/// Takes leave of a worker that has died.
/// @param code  as bvbase_child_wait
bvbase_ending bvbase_crew_bury( bvbase_crew* crew, int worker, int* code );

/// @return whether this process is to end
bool bvbase_crew_is_ended( const bvbase_crew* crew );

/// Lets all workers go, and waits for them.
/// @param hurry  they are to leave their work
void bvbase_crew_dismiss( bvbase_crew* crew, bool hurry );

/// Ends this process if it is to end.
void bvbase_crew_end( bvbase_crew* crew );

/// Frees what the crew has.
void bvbase_crew_free( bvbase_crew* crew );
