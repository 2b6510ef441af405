// Atomic output: whole or not there, whatever interrupts it.

#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A folder of its own and a target in it.
static void make_folder( char folder[32], char target[64], char temporary[80] )
{
	strcpy( folder, "/tmp/bvbuild-test-XXXXXX" );
	assert_non_null( mkdtemp( folder ) );
	snprintf( target, 64, "%s/target", folder );
	snprintf( temporary, 80, "%s.bvtmp", target );
}

static void remove_folder( const char* folder, const char* target )
{
	unlink( target );
	assert_int_equal( rmdir( folder ), 0 ); // fails when anything else is left
}

static size_t read_all( const char* path, char* out, size_t capacity )
{
	FILE* file = fopen( path, "rb" );
	assert_non_null( file );
	size_t size = fread( out, 1, capacity, file );
	fclose( file );
	return size;
}

static void a_file_is_written_and_replaced( void** state )
{
	(void)state;
	char folder[32], target[64], temporary[80], content[16];
	bvb_error error;
	make_folder( folder, target, temporary );
	assert_int_equal( bvb_write_file( target, "first", 5, &error ), bv_ok );
	assert_int_equal( bvb_write_file( target, "second", 6, &error ), bv_ok );
	assert_int_equal( read_all( target, content, sizeof content ), 6 );
	assert_memory_equal( content, "second", 6 );
	assert_int_equal( access( temporary, F_OK ), -1 );
	remove_folder( folder, target );
}

static void a_temporary_left_by_a_killed_run_is_taken_over( void** state )
{
	(void)state;
	char folder[32], target[64], temporary[80], content[64];
	bvb_error error;
	make_folder( folder, target, temporary );
	FILE* left = fopen( temporary, "w" );
	fputs( "a much longer piece of rubbish", left );
	fclose( left );
	assert_int_equal( bvb_write_file( target, "x", 1, &error ), bv_ok );
	assert_int_equal( read_all( target, content, sizeof content ), 1 );
	assert_int_equal( access( temporary, F_OK ), -1 );
	remove_folder( folder, target );
}

// A limit on the size of files is a full disk that needs no disk.
static void a_write_that_fails_keeps_the_old_file_and_leaves_no_temporary( void** state )
{
	(void)state;
	char folder[32], target[64], temporary[80], content[16];
	bvb_error error;
	make_folder( folder, target, temporary );
	assert_int_equal( bvb_write_file( target, "old", 3, &error ), bv_ok );
	pid_t child = fork();
	if ( child == 0 )
	{
		char* large = calloc( 1, 1 << 20 );
		struct rlimit limit = { 4096, 4096 };
		signal( SIGXFSZ, SIG_DFL );
		setrlimit( RLIMIT_FSIZE, &limit );
		bool good = bvb_write_file( target, large, 1 << 20, &error ) == bv_error_output &&
		            strstr( error.message, "cannot be written: File too large" );
		_exit( good ? 0 : 1 );
	}
	int status;
	waitpid( child, &status, 0 );
	assert_int_equal( status, 0 );
	assert_int_equal( read_all( target, content, sizeof content ), 3 );
	assert_int_equal( access( temporary, F_OK ), -1 );
	remove_folder( folder, target );
}

static void folders_and_devices_are_no_targets( void** state )
{
	(void)state;
	bvb_error error;
	assert_int_equal( bvb_write_file( "/tmp", "x", 1, &error ), bv_error_output );
	assert_string_equal( error.message, "/tmp: is a directory" );
	assert_int_equal( bvb_write_file( "/dev/null", "x", 1, &error ), bv_error_output );
	assert_int_equal( bvb_write_file( "/nowhere/at/all", "x", 1, &error ), bv_error_output );
}

enum
{
	whole_size = 300000,
};

// Writes files full of one letter, the next letter each time, until it is killed.
static void write_for_ever( const char* target )
{
	static char content[whole_size];
	for ( int round = 0;; ++round )
	{
		memset( content, 'a' + round % 26, sizeof content );
		if ( bvb_write_file( target, content, sizeof content, NULL ) != bv_ok )
		{
			_exit( 1 );
		}
	}
}

static void check_whole( const char* target )
{
	static char content[whole_size + 1];
	assert_int_equal( read_all( target, content, sizeof content ), whole_size );
	for ( int i = 1; i < whole_size; ++i )
	{
		assert_int_equal( content[i], content[0] );
	}
}

static void interrupted_writes( int number, bool temporary_allowed )
{
	char folder[32], target[64], temporary[80];
	make_folder( folder, target, temporary );

	// A script's background jobs have SIGINT ignored. A child that changed that itself might do so too late.
	void ( *before )( int ) = signal( number, SIG_DFL );
	for ( int round = 0; round < 60; ++round )
	{
		pid_t child = fork();
		if ( child == 0 )
		{
			write_for_ever( target );
		}
		// Not before the first file is there; then at moments that differ.
		while ( access( target, F_OK ) != 0 )
		{
			usleep( 100 );
		}
		usleep( (useconds_t)( 37 * round % 2000 ) );
		int status;
		kill( child, number );
		waitpid( child, &status, 0 );
		assert_true( WIFSIGNALED( status ) );
		assert_int_equal( WTERMSIG( status ), number );
		check_whole( target );
		assert_true( temporary_allowed || access( temporary, F_OK ) != 0 );
	}
	signal( number, before );
	assert_int_equal( bvb_write_file( target, "end", 3, NULL ), bv_ok );
	assert_int_equal( access( temporary, F_OK ), -1 );
	remove_folder( folder, target );
}

static void sigint_and_sigterm_leave_a_whole_file_and_no_temporary( void** state )
{
	(void)state;
	interrupted_writes( SIGINT, false );
	interrupted_writes( SIGTERM, false );
}

static void sigkill_leaves_a_whole_file( void** state )
{
	(void)state;
	interrupted_writes( SIGKILL, true );
}

// A pipe in the temporary's place would be waited for, a lock too.
static void what_is_in_the_way_is_refused_or_waited_for_interruptibly( void** state )
{
	(void)state;
	char folder[32], target[64], temporary[80];
	bvb_error error;
	make_folder( folder, target, temporary );
	assert_int_equal( mkfifo( temporary, 0600 ), 0 );
	assert_int_equal( bvb_write_file( target, "x", 1, &error ), bv_error_output );
	unlink( temporary );

	int fd = open( temporary, O_WRONLY | O_CREAT, 0600 );
	assert_int_equal( flock( fd, LOCK_EX ), 0 );
	pid_t child = fork();
	if ( child == 0 )
	{
		signal( SIGTERM, SIG_DFL );
		_exit( bvb_write_file( target, "x", 1, NULL ) );
	}
	usleep( 20000 );
	int status;
	kill( child, SIGTERM );
	waitpid( child, &status, 0 );
	assert_true( WIFSIGNALED( status ) && WTERMSIG( status ) == SIGTERM );
	assert_int_equal( access( target, F_OK ), -1 );
	close( fd );
	unlink( temporary );
	remove_folder( folder, target );
}

static void names_as_long_as_a_file_system_allows_are_written( void** state )
{
	(void)state;
	char folder[32], target[64], temporary[80], path[400];
	bvb_error error;
	make_folder( folder, target, temporary );
	for ( int length = 245; length <= 255; ++length )
	{
		snprintf( path, sizeof path, "%s/%0*d", folder, length, 1 );
		assert_int_equal( bvb_write_file( path, "x", 1, &error ), bv_ok );
		assert_int_equal( unlink( path ), 0 );
	}
	remove_folder( folder, target );
}

static void two_writers_of_one_target_leave_one_whole_file( void** state )
{
	(void)state;
	char folder[32], target[64], temporary[80];
	make_folder( folder, target, temporary );
	pid_t child[4];
	for ( int i = 0; i < 4; ++i )
	{
		child[i] = fork();
		if ( child[i] == 0 )
		{
			static char content[whole_size];
			for ( int round = 0; round < 40; ++round )
			{
				memset( content, 'a' + ( 4 * round + i ) % 26, sizeof content );
				if ( bvb_write_file( target, content, sizeof content, NULL ) != bv_ok )
				{
					_exit( 1 );
				}
			}
			_exit( 0 );
		}
	}
	for ( int i = 0; i < 4; ++i )
	{
		int status;
		waitpid( child[i], &status, 0 );
		assert_int_equal( status, 0 );
	}
	check_whole( target );
	remove_folder( folder, target );
}

enum
{
	set_files = 3,
};

// Files that belong together, in a folder of their own.
typedef struct file_set
{
	char folder[32];
	char paths[set_files][64];
	bvb_file_bytes files[set_files];
} file_set;

static void make_set( file_set* set, const char* content, size_t size )
{
	strcpy( set->folder, "/tmp/bvbuild-test-XXXXXX" );
	assert_non_null( mkdtemp( set->folder ) );
	for ( int i = 0; i < set_files; ++i )
	{
		snprintf( set->paths[i], sizeof set->paths[i], "%s/%d", set->folder, i );
		set->files[i] = ( bvb_file_bytes ){ set->paths[i], content, size };
	}
}

// Fails when anything else is left in the folder.
static void remove_set( const file_set* set )
{
	for ( int i = 0; i < set_files; ++i )
	{
		unlink( set->paths[i] );
	}
	assert_int_equal( rmdir( set->folder ), 0 );
}

static void check_set( const file_set* set, const char* content )
{
	for ( int i = 0; i < set_files; ++i )
	{
		char found[16] = { 0 };
		read_all( set->paths[i], found, sizeof found - 1 );
		assert_string_equal( found, content );
	}
}

static void files_that_belong_together_are_written_all_or_none( void** state )
{
	(void)state;
	file_set set;
	bvb_error error;
	make_set( &set, "old", 3 );
	assert_int_equal( bvb_write_files( set.files, set_files, &error ), bv_ok );
	check_set( &set, "old" );
	for ( int i = 0; i < set_files; ++i )
	{
		set.files[i].data = "new";
	}

	// A folder in the place of one, or of its temporary.
	for ( int i = 0; i < set_files; ++i )
	{
		char temporary[80];
		snprintf( temporary, sizeof temporary, "%s.bvtmp", set.paths[i] );
		assert_int_equal( mkdir( temporary, 0700 ), 0 );
		assert_int_equal( bvb_write_files( set.files, set_files, &error ), bv_error_output );
		assert_non_null( strstr( error.message, set.paths[i] ) );
		check_set( &set, "old" );
		assert_int_equal( rmdir( temporary ), 0 );
	}
	bvb_file_bytes other = { set.folder, "x", 1 };
	bvb_file_bytes some[] = { set.files[0], other };
	assert_int_equal( bvb_write_files( some, 2, &error ), bv_error_output );
	check_set( &set, "old" );

	// A disk that is full by the last one.
	static char large[1 << 16];
	pid_t child = fork();
	if ( child == 0 )
	{
		struct rlimit limit = { 4096, 4096 };
		setrlimit( RLIMIT_FSIZE, &limit );
		set.files[set_files - 1].data = large;
		set.files[set_files - 1].size = sizeof large;
		_exit( bvb_write_files( set.files, set_files, NULL ) != bv_error_output );
	}
	int status;
	waitpid( child, &status, 0 );
	assert_int_equal( status, 0 );
	check_set( &set, "old" );
	assert_int_equal( bvb_write_files( set.files, set_files, &error ), bv_ok );
	check_set( &set, "new" );
	remove_set( &set );
}

// Their temporaries' names would be the same.
static void names_that_are_too_long_for_several_files_are_refused( void** state )
{
	(void)state;
	char folder[32], target[64], temporary[80], paths[2][400];
	bvb_error error;
	make_folder( folder, target, temporary );
	for ( int length = 249; length <= 250; ++length )
	{
		bvb_file_bytes files[2];
		for ( int i = 0; i < 2; ++i )
		{
			snprintf( paths[i], sizeof paths[i], "%s/%0*d%d", folder, length - 1, 0, i );
			files[i] = ( bvb_file_bytes ){ paths[i], "x", 1 };
		}
		assert_int_equal( bvb_write_files( files, 2, &error ), length == 249 ? bv_ok : bv_error_output );
		assert_int_equal( unlink( paths[0] ) + unlink( paths[1] ), length == 249 ? 0 : -2 );
	}
	remove_folder( folder, target );
}

// Four processes, each killed at some moment: what is there is of one round, and no temporary is left.
static void several_writers_that_are_interrupted_leave_whole_files( void** state )
{
	(void)state;
	file_set set;
	bvb_error error;
	make_set( &set, "a", 1 );
	assert_int_equal( bvb_write_files( set.files, set_files, &error ), bv_ok );
	for ( int round = 0; round < 40; ++round )
	{
		pid_t child[4];
		for ( int k = 0; k < 4; ++k )
		{
			child[k] = fork();
			if ( child[k] == 0 )
			{
				signal( SIGTERM, SIG_DFL );
				for ( int i = 0;; ++i )
				{
					char content = (char)( 'a' + ( 4 * i + k ) % 26 );
					for ( int j = 0; j < set_files; ++j )
					{
						set.files[j].data = &content;
					}
					if ( bvb_write_files( set.files, set_files, NULL ) != bv_ok )
					{
						_exit( 1 );
					}
				}
			}
		}
		for ( int k = 0; k < 4; ++k )
		{
			usleep( (useconds_t)( 500 * ( ( 7 * round + 3 * k ) % 11 ) ) );
			kill( child[k], SIGTERM );
		}
		for ( int k = 0; k < 4; ++k )
		{
			int status;
			waitpid( child[k], &status, 0 );
			assert_true( WIFSIGNALED( status ) && WTERMSIG( status ) == SIGTERM );
		}
		char first[2] = { 0 };
		read_all( set.paths[0], first, 1 );
		check_set( &set, first );
	}
	remove_set( &set );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( a_file_is_written_and_replaced ),
		cmocka_unit_test( a_temporary_left_by_a_killed_run_is_taken_over ),
		cmocka_unit_test( a_write_that_fails_keeps_the_old_file_and_leaves_no_temporary ),
		cmocka_unit_test( folders_and_devices_are_no_targets ),
		cmocka_unit_test( sigint_and_sigterm_leave_a_whole_file_and_no_temporary ),
		cmocka_unit_test( sigkill_leaves_a_whole_file ),
		cmocka_unit_test( what_is_in_the_way_is_refused_or_waited_for_interruptibly ),
		cmocka_unit_test( names_as_long_as_a_file_system_allows_are_written ),
		cmocka_unit_test( two_writers_of_one_target_leave_one_whole_file ),
		cmocka_unit_test( files_that_belong_together_are_written_all_or_none ),
		cmocka_unit_test( names_that_are_too_long_for_several_files_are_refused ),
		cmocka_unit_test( several_writers_that_are_interrupted_leave_whole_files ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
