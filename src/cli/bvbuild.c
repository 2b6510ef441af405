// bvbuild: mesh files in, .bvh files out.

#include "bvbuild/bvbuild.h"
#include "base/offline/clock.h"
#include "base/offline/error.h"
#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
	max_reports = 16,
};

// What the command line asks for.
typedef struct settings
{
	const tool* tool;
	char** inputs; // as many as there are arguments at most
	int input_count;
	const char* output;
	const char* reports[max_reports];
	int report_count;
	bvb_asset_options asset;
	bvb_import_options import;
	bool quiet;
	bool verbose;
	bool help;
	bool version;
} settings;

static bv_status set_output( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( *value == 0 )
	{
		return bvb_fail( error, bv_error_argument, "--output needs a name" );
	}
	s->output = value;
	return bv_ok;
}

static bool has_extension( const char* path, const char* extension )
{
	size_t length = strlen( path );
	size_t wanted = strlen( extension );
	return length > wanted && strcmp( path + length - wanted, extension ) == 0;
}

static bv_status add_report( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( has_extension( value, ".html" ) )
	{
		return bvb_fail( error, bv_error_unsupported, "%s: this version writes JSON reports only", value );
	}
	if ( !has_extension( value, ".json" ) )
	{
		return bvb_fail( error, bv_error_argument, "--report takes a file that ends in .json, not '%s'",
		                 value );
	}
	if ( s->report_count == max_reports )
	{
		return bvb_fail( error, bv_error_argument, "--report can be given %d times", max_reports );
	}
	s->reports[s->report_count++] = value;
	return bv_ok;
}

static bv_status set_splitter( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	for ( uint32_t i = 0; bvb_splitter_name( i, NULL ); ++i )
	{
		if ( strcmp( bvb_splitter_name( i, NULL ), value ) == 0 )
		{
			s->asset.hierarchy.splitter = value;
			return bv_ok;
		}
	}
	return bvb_fail( error, bv_error_argument, "no splitter is called '%s' (--help lists all)", value );
}

static bv_status set_leaf_triangles( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_integer( "leaf-triangles", value, 1, 1 << 20, &s->asset.hierarchy.leaf_triangles, error );
}

static bv_status set_max_depth( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_integer( "max-depth", value, 0, BV_MAX_DEPTH, &s->asset.hierarchy.max_depth, error );
}

static bv_status set_threads( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_integer( "threads", value, 1, 1024, &s->asset.hierarchy.threads, error );
}

static bv_status set_scale( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	return parse_positive( "scale", value, &s->asset.record.scale, error );
}

static bv_status set_positions( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	if ( strcmp( value, "float" ) == 0 )
	{
		s->asset.record.positions = bvb_positions_float;
		return bv_ok;
	}
	if ( strcmp( value, "quantized" ) == 0 )
	{
		s->asset.record.positions = bvb_positions_quantized;
		return bv_ok;
	}
	return bvb_fail( error, bv_error_argument, "--positions takes float or quantized, not '%s'", value );
}

static bv_status set_timeout( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	bv_status status = parse_positive( "import-timeout", value, &s->import.timeout, error );
	if ( status == bv_ok && s->import.timeout > 1e6 )
	{
		return bvb_fail( error, bv_error_argument, "--import-timeout takes a million seconds at most" );
	}
	return status;
}

static bv_status set_memory( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	uint32_t mebibytes;
	bv_status status = parse_integer( "import-memory", value, 1, 1 << 30, &mebibytes, error );
	if ( status == bv_ok )
	{
		s->import.memory_bytes = (uint64_t)mebibytes << 20;
	}
	return status;
}

static void add_input( void* context, char* argument )
{
	settings* s = context;
	s->inputs[s->input_count++] = argument;
}

static const option options[] = {
	{ "output", 'o', "PATH", "the .bvh file to write; a folder when there are several inputs", set_output,
	  0 },
	{ "scale", 0, "S", "multiply all positions by S first", set_scale, 0 },
	{ "normalize", 0, NULL, "then move the bounding box's centre to 0 and its half diagonal to 1", NULL,
	  offsetof( settings, asset.record.normalize ) },
	{ "positions", 0, "FORM", "float (12 bytes, the default) or quantized (8 bytes) vertices", set_positions,
	  0 },
	{ "splitter", 0, "NAME", "how a node's triangles are divided; listed below", set_splitter, 0 },
	{ "leaf-triangles", 0, "N", "stop dividing at N triangles (1)", set_leaf_triangles, 0 },
	{ "max-depth", 0, "N", "stop dividing at level N, at most 64 (64)", set_max_depth, 0 },
	{ "report", 0, "FILE.json", "write a report of the result; can be given several times", add_report, 0 },
	{ "threads", 0, "N", "use N threads (all processors); the result is the same for any N", set_threads, 0 },
	{ "import-timeout", 0, "SECONDS", "give up on a foreign format's importer after so long (60)",
	  set_timeout, 0 },
	{ "import-memory", 0, "MIB", "and when it takes more memory than this (8192)", set_memory, 0 },
	{ "quiet", 'q', NULL, "print nothing but errors", NULL, offsetof( settings, quiet ) },
	{ "verbose", 'v', NULL, "print what was cleaned and how long each stage took", NULL,
	  offsetof( settings, verbose ) },
	{ "help", 'h', NULL, "print this text", NULL, offsetof( settings, help ) },
	{ "version", 0, NULL, "print the version", NULL, offsetof( settings, version ) },
};

enum
{
	option_count = sizeof options / sizeof options[0],
};

static void print_help( void )
{
	printf( "Usage: bvbuild [options] INPUT... -o OUTPUT\n"
	        "Turns triangle meshes into .bvh files of collision data.\n\n" );
	print_options( options, option_count );
	printf( "\nSplitters:\n" );
	const char* summary;
	for ( uint32_t i = 0; bvb_splitter_name( i, &summary ); ++i )
	{
		printf( "  %-32s %s\n", bvb_splitter_name( i, NULL ), summary );
	}
	printf(
		"\nInputs: OBJ by a reader of our own; other formats (STL, PLY, OFF, glTF, FBX, ...) by Assimp in a\n"
		"child process. Exit codes: 0 done, 1 usage, 2 input missing or invalid, 3 format not supported,\n"
		"4 output could not be written, 5 out of memory or over a limit, 70 a bug.\n" );
}

static const char* base_name( const char* path )
{
	const char* slash = strrchr( path, '/' );
	return slash ? slash + 1 : path;
}

// FOLDER/NAME.bvh for the input .../NAME.extension.
static char* output_in_folder( const char* folder, const char* input )
{
	const char* name = base_name( input );
	const char* dot = strrchr( name, '.' );
	int length = dot && dot != name ? (int)( dot - name ) : (int)strlen( name );
	char* path = malloc( strlen( folder ) + (size_t)length + sizeof "/.bvh" );
	if ( path )
	{
		sprintf( path, "%s/%.*s.bvh", folder, length, name );
	}
	return path;
}

// The folder that a path's last part is in. Returns `folder`.
static const char* get_folder( const char* path, char folder[PATH_MAX] )
{
	int length = (int)( base_name( path ) - path );
	snprintf( folder, PATH_MAX, "%.*s", length ? length : 1, length ? path : "." );
	return folder;
}

static bool is_folder( const char* path )
{
	struct stat info;
	return stat( path, &info ) == 0 && S_ISDIR( info.st_mode );
}

static bool is_same_file( const char* a, const char* b )
{
	struct stat sa;
	struct stat sb;
	return stat( a, &sa ) == 0 && stat( b, &sb ) == 0 && sa.st_ino == sb.st_ino && sa.st_dev == sb.st_dev;
}

// Whether two paths are one, also when nothing is there yet.
static bool is_same_place( const char* a, const char* b )
{
	char folder_a[PATH_MAX];
	char folder_b[PATH_MAX];
	return is_same_file( a, b ) || ( strcmp( base_name( a ), base_name( b ) ) == 0 &&
	                                 is_same_file( get_folder( a, folder_a ), get_folder( b, folder_b ) ) );
}

static uint64_t peak_memory( void )
{
	struct rusage usage;
	getrusage( RUSAGE_SELF, &usage );
	return (uint64_t)usage.ru_maxrss * 1024;
}

static void print_result( const settings* s, const bvb_import* import, const bvb_asset* asset,
                          const bvb_report_build* build, const char* output, size_t bytes )
{
	if ( s->quiet )
	{
		return;
	}
	const bvb_mesh* mesh = &asset->record.mesh;
	uint32_t nodes = bvb_tree_node_count( asset->tree );
	bvb_error line; // a file name may hold line breaks and escapes, which a message never does
	bvb_fail( &line, bv_ok, "%s: %u triangle%s, %u node%s, %zu bytes (%.1f a triangle)", output,
	          mesh->triangle_count, mesh->triangle_count == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s", bytes,
	          (double)bytes / mesh->triangle_count );
	fprintf( stderr, "%s\n", line.message );
	if ( !s->verbose )
	{
		return;
	}
	fprintf(
		stderr,
		"  read %u triangles, dropped %llu degenerate and %llu duplicate; left out %llu points, %llu lines\n",
		import->scene.mesh.triangle_count, (unsigned long long)asset->record.removed_degenerate,
		(unsigned long long)asset->record.removed_duplicate, (unsigned long long)import->points,
		(unsigned long long)import->lines );
	fprintf( stderr, "  %u vertices, moved by at most %.3g\n", mesh->vertex_count,
	         asset->record.largest_displacement );
	fprintf( stderr,
	         "  import %.1f ms, record %.1f, hierarchy %.1f, topology %.1f, hull %.1f, fit %.1f, write %.1f, "
	         "total %.1f\n",
	         1e3 * build->import_seconds, 1e3 * build->stages.record, 1e3 * build->stages.hierarchy,
	         1e3 * build->stages.topology, 1e3 * build->stages.hull, 1e3 * build->stages.fit,
	         1e3 * build->write_seconds, 1e3 * build->total_seconds );
}

static bv_status write_reports( const settings* s, const bvb_bytes* bytes, const bvb_report_build* build,
                                bvb_arena* arena, bvb_error* error )
{
	// The report is read from the finished file, as anyone else would read it.
	const bv_file* file;
	const char* reason;
	if ( s->report_count == 0 )
	{
		return bv_ok;
	}
	if ( bv_file_open_explained( bytes->data, bytes->size, &file, &reason ) != bv_ok )
	{
		return bvb_fail( error, bv_error_internal, "the file just made is not valid: %s", reason );
	}
	char* text;
	bv_status status = bvb_report_json( file, build, arena, &text, error );
	for ( int i = 0; i < s->report_count && status == bv_ok; ++i )
	{
		status = bvb_write_file( s->reports[i], text, strlen( text ), error );
	}
	return status;
}

// The errors of the stages do not know which file they are about.
static bv_status name_input( const char* input, bv_status status, bvb_error* error )
{
	if ( status != bv_ok )
	{
		bvb_error inner = *error;
		bvb_fail( error, status, "%s: %s", input, inner.message );
	}
	return status;
}

static bv_status convert_in( const settings* s, const char* input, const char* output, bvb_arena* arena,
                             bvb_error* error )
{
	double start = bvb_clock();
	bvb_report_build build = { 0 };
	bvb_import import;
	bv_status status = bvb_import_file( input, &s->import, arena, &import, error );
	if ( status != bv_ok )
	{
		return status;
	}
	build.import_seconds = bvb_clock() - start;

	bvb_source source = { .name = base_name( input ), .format = import.format };
	memcpy( source.hash, import.hash, sizeof source.hash );
	bvb_asset asset;
	status = bvb_asset_build( &import.scene.mesh, &source, &s->asset, arena, &asset, error );
	build.stages = asset.times;

	bvb_bytes bytes;
	double before_write = bvb_clock();
	status = status == bv_ok ? bvb_asset_encode( &asset, arena, &bytes, error ) : status;
	if ( status != bv_ok )
	{
		return name_input( input, status, error );
	}
	status = bvb_write_file( output, bytes.data, bytes.size, error );
	build.write_seconds = bvb_clock() - before_write;
	build.total_seconds = bvb_clock() - start;
	build.peak_memory = peak_memory();
	if ( status == bv_ok )
	{
		print_result( s, &import, &asset, &build, output, bytes.size );
		status = write_reports( s, &bytes, &build, arena, error );
	}
	return status;
}

static bv_status convert( const settings* s, const char* input, const char* output, bvb_error* error )
{
	if ( is_same_file( input, output ) )
	{
		return bvb_fail( error, bv_error_argument, "%s: is the input and the output", input );
	}
	bvb_arena* arena = bvb_arena_create();
	bv_status status = arena ? convert_in( s, input, output, arena, error ) : bvb_fail_memory( error );
	bvb_arena_destroy( arena );
	return status;
}

// No file that is written may be one that is read, or another one that is written.
static bv_status check_reports( const settings* s, const char* output, bvb_error* error )
{
	for ( int i = 0; i < s->report_count; ++i )
	{
		const char* report = s->reports[i];
		char folder[PATH_MAX];
		if ( is_same_place( report, output ) || is_same_place( report, s->inputs[0] ) )
		{
			return bvb_fail( error, bv_error_argument, "%s: is the report and the %s", report,
			                 is_same_place( report, output ) ? "output" : "input" );
		}
		for ( int k = 0; k < i; ++k )
		{
			if ( is_same_place( report, s->reports[k] ) )
			{
				return bvb_fail( error, bv_error_argument, "%s: is given as a report twice", report );
			}
		}

		// Known to fail later, it is better to fail now, with nothing written.
		if ( access( get_folder( report, folder ), W_OK ) != 0 || is_folder( report ) )
		{
			int reason = is_folder( report ) ? EISDIR : errno;
			return bvb_fail( error, bv_error_output, "%s: cannot be written: %s", report,
			                 strerror( reason ) );
		}
	}
	return bv_ok;
}

static bv_status check_outputs( const settings* s, char** outputs, bvb_error* error )
{
	for ( int i = 0; i < s->input_count; ++i )
	{
		for ( int k = 0; k < i; ++k )
		{
			if ( strcmp( outputs[i], outputs[k] ) == 0 )
			{
				return bvb_fail( error, bv_error_argument, "%s and %s would both become %s", s->inputs[k],
				                 s->inputs[i], outputs[i] );
			}
		}
	}
	return check_reports( s, outputs[0], error );
}

// Converts all inputs whatever becomes of the others; the highest exit code counts.
static int convert_all( const settings* s, char** outputs )
{
	bvb_error error;
	bv_status wrong = check_outputs( s, outputs, &error );
	if ( wrong != bv_ok )
	{
		return complain( s->tool, &error, exit_code( wrong ) );
	}
	int code = exit_done;
	for ( int i = 0; i < s->input_count; ++i )
	{
		bv_status status = convert( s, s->inputs[i], outputs[i], &error );
		if ( status != bv_ok )
		{
			complain( s->tool, &error, 0 );
		}
		code = exit_code( status ) > code ? exit_code( status ) : code;
	}
	return code;
}

static int run( void* context )
{
	const settings* s = context;
	bvb_error error;
	bool folder = s->output && is_folder( s->output );
	if ( s->input_count == 0 )
	{
		bvb_fail( &error, bv_error_argument, "no input (--help says more)" );
		return complain( s->tool, &error, exit_usage );
	}
	if ( !s->output )
	{
		bvb_fail( &error, bv_error_argument, "no output: -o PATH is missing" );
		return complain( s->tool, &error, exit_usage );
	}
	if ( s->input_count > 1 && !folder )
	{
		bvb_fail( &error, bv_error_argument, "%s: is no folder, and there are several inputs", s->output );
		return complain( s->tool, &error, exit_usage );
	}
	if ( s->input_count > 1 && s->report_count > 0 )
	{
		bvb_fail( &error, bv_error_argument, "--report goes with one input only" );
		return complain( s->tool, &error, exit_usage );
	}

	char** outputs = calloc( (size_t)s->input_count, sizeof *outputs );
	bool complete = outputs;
	for ( int i = 0; complete && i < s->input_count; ++i )
	{
		outputs[i] = folder ? output_in_folder( s->output, s->inputs[i] ) : strdup( s->output );
		complete = outputs[i];
	}
	bvb_fail_memory( &error );
	int code = complete ? convert_all( s, outputs ) : complain( s->tool, &error, exit_memory );
	for ( int i = 0; outputs && i < s->input_count; ++i )
	{
		free( outputs[i] );
	}
	free( outputs );
	return code;
}

int main( int count, char** arguments )
{
	settings s = {
		.inputs = calloc( (size_t)count + 1, sizeof *s.inputs ),
		.asset = bvb_asset_options_default(),
		.import = bvb_import_options_default(),
	};
	tool t = { "bvbuild", { options, option_count, &s, add_input }, &s.help, &s.version, print_help, run };
	s.tool = &t;
	if ( !s.inputs )
	{
		bvb_error error;
		bvb_fail_memory( &error );
		return complain( &t, &error, exit_memory );
	}
	int code = run_tool( &t, count, arguments );
	free( s.inputs );
	return code;
}
