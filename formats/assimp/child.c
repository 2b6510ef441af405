// The child process: its limits and Assimp's call. Whatever Assimp does ends with the process.

#include "formats/assimp/assimp.h"
#include "formats/assimp/blend.h"
#include "formats/assimp/collada.h"
#include "formats/assimp/transport.h"
#include "formats/assimp/watch.h"
#include "formats/assimp/x3d.h"

#include <assimp/config.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void lower_limit( __rlimit_resource_t which, rlim_t soft, rlim_t hard )
{
	struct rlimit limit;
	if ( getrlimit( which, &limit ) == 0 )
	{
		limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
		limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
		setrlimit( which, &limit );
	}
}

bool bvassimp_limits_memory( void )
{
#if defined( __SANITIZE_ADDRESS__ )
	return false;
#elif defined( __has_feature )
#if __has_feature( address_sanitizer )
	return false;
#else
	return true;
#endif
#else
	return true;
#endif
}

static void limit_memory( uint64_t bytes )
{
	if ( !bvassimp_limits_memory() )
	{
		return;
	}
	unsigned long long pages = 0;
	FILE* file = fopen( "/proc/self/statm", "re" );
	if ( file )
	{
		if ( fscanf( file, "%llu", &pages ) != 1 )
		{
			pages = 0;
		}
		fclose( file );
	}
	uint64_t mapped = pages * (uint64_t)sysconf( _SC_PAGESIZE );
	if ( bytes < RLIM_INFINITY - mapped )
	{
		lower_limit( RLIMIT_AS, mapped + bytes, mapped + bytes );
	}
}

// Whatever operator new cannot get ends the child: an importer that goes on without it may do anything. The
// function is looked up because its name is C++.
static void report_memory_failures( const bvassimp_library* library )
{
	void ( *( *set_new_handler )( void ( *handler )( void ) ) )( void );
	void* symbol = dlsym( library->handle, "_ZSt15set_new_handlerPFvvE" );
	if ( symbol )
	{
		memcpy( &set_new_handler, &symbol, sizeof symbol );
		set_new_handler( bvassimp_leave_out_of_memory );
	}
}

// Other threads' files and pipes stay open as long as any process holds them, so the child keeps only its own
// two.
static int keep_only( int result, int alive )
{
	int first = fcntl( result, F_DUPFD_CLOEXEC, 3 );
	int second = fcntl( alive, F_DUPFD_CLOEXEC, 3 );
	int quiet = open( "/dev/null", O_RDWR );
	if ( first < 0 || second < 0 || quiet < 0 )
	{
		_exit( bvassimp_exit_unable );
	}
	for ( int i = 0; i < 3; ++i )
	{
		dup2( quiet, i );
	}
	unsigned low = (unsigned)( first < second ? first : second );
	unsigned high = (unsigned)( first < second ? second : first );
	if ( low > 3 )
	{
		close_range( 3, low - 1, 0 );
	}
	if ( high > low + 1 )
	{
		close_range( low + 1, high - 1, 0 );
	}
	close_range( high + 1, ~0u, 0 );
	return first;
}

// Called with all signals blocked, so that no handler of the parent runs in the child.
static void isolate( const bvassimp_library* library, const bvb_import_options* options, pid_t parent )
{
	for ( int i = 1; i < NSIG; ++i )
	{
		signal( i, SIG_DFL );
	}
	sigset_t none;
	sigemptyset( &none );
	sigprocmask( SIG_SETMASK, &none, NULL );

	prctl( PR_SET_PDEATHSIG, SIGKILL );
	if ( getppid() != parent )
	{
		_exit( bvassimp_exit_unable );
	}

	rlim_t seconds = (rlim_t)ceil( fmin( options->timeout, 1e9 ) );
	lower_limit( RLIMIT_CPU, seconds, seconds + 1 );
	lower_limit( RLIMIT_CORE, 0, 0 );
	limit_memory( options->memory_bytes );
	report_memory_failures( library );

	// A core pattern that is a pipe ignores the limit.
	prctl( PR_SET_DUMPABLE, 0 );
}

static void take_line( const char* line, char* warnings )
{
	bvassimp_take_line( line, (bvimport_notes*)(void*)warnings );
}

// Without Assimp's own validation, which refuses files for faults of lights, cameras and animations; what it
// looks for in meshes and nodes is looked for when they are flattened.
static const struct aiScene* import( const bvassimp_library* library, bvassimp_watch* watch,
                                     bvimport_notes* warnings )
{
	struct aiPropertyStore* properties = library->create_property_store();
	if ( !properties )
	{
		bvassimp_leave_out_of_memory();
	}

	struct aiLogStream log = { take_line, (char*)warnings };
	library->attach_log_stream( &log );

	// Files without meshes would get made-up ones, in the shape of their skeletons.
	library->set_import_property_integer( properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1 );
	library->set_import_property_integer( properties, AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, 1 );
	return library->import_file_ex_with_properties( bvassimp_watch_path( watch ), 0,
	                                                bvassimp_watch_io( watch ), properties );
}

_Noreturn void bvassimp_child( const bvassimp_library* library, const char* path, const char* extension,
                               const bvb_import_options* options, int result, int alive, pid_t parent )
{
	result = keep_only( result, alive );
	isolate( library, options, parent );
	char dotted[64];
	int length = snprintf( dotted, sizeof dotted, ".%s", extension );
	if ( length >= (int)sizeof dotted || !library->is_extension_supported( dotted ) )
	{
		bvassimp_leave_text( result, bvassimp_unknown_extension, "" );
	}
	bvimport_notes warnings = { 0 };
	bvassimp_watch* watch = bvassimp_watch_begin( path, result );
	if ( strcmp( extension, "dae" ) == 0 )
	{
		bvassimp_watch_prepare( watch, bvassimp_prepare_collada, &warnings );
	}
	if ( strcmp( extension, "x3d" ) == 0 )
	{
		bvassimp_watch_prepare( watch, bvassimp_prepare_x3d, &warnings );
	}
	const struct aiScene* imported = import( library, watch, &warnings );
	if ( !imported )
	{
		const char* text = library->get_error_string();
		if ( strstr( text, "bad_alloc" ) )
		{
			bvassimp_leave_out_of_memory();
		}
		// IFC files are STEP files, of which most have surfaces of CAD.
		if ( strstr( text, "Unrecognized file schema" ) )
		{
			bvassimp_leave_text( result, bvassimp_unsupported,
			                     "a STEP file with another schema than IFC has is not supported (export a "
			                     "mesh from a CAD program)" );
		}
		// Assimp's own text for this is the path and nothing else.
		if ( strstr( text, "No suitable reader found" ) )
		{
			text = "no reader recognizes its content";
		}
		char spelled[sizeof( ( (bvassimp_report*)NULL )->text )];
		bvassimp_watch_spell( watch, *text ? text : "no reason given", spelled, sizeof spelled );
		bvassimp_leave_text( result, bvassimp_refused, spelled );
	}
	if ( strcmp( extension, "blend" ) == 0 )
	{
		bvassimp_count_lost_objects( path, imported, &warnings );
	}
	uint8_t input_hash[16];
	bvassimp_watch_end( watch, input_hash );
	bvassimp_flatten( library, imported, &warnings, watch, input_hash, result );
}
