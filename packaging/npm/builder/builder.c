// What builder.js calls: one build per instance of the module, whose memory goes away with it.

#include "bvbuild/build.h"
#include "bvbuild/features.h"
#include "bvbuild/report.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT( name ) __attribute__( ( export_name( #name ) ) ) name

/// The host's: progress of a stage, 0 to 1, negative if unknown.
__attribute__( ( import_module( "host" ), import_name( "progress" ) ) ) void host_progress( int stage,
                                                                                            double done );

// A result in the arena.
typedef struct piece
{
	const void* data;
	size_t size;
} piece;

static bvb_build_result result;
static bvb_arena* arena;
static bvb_error error;
static piece out;

const char* bvb_version( void )
{
	return BV_VERSION;
}

void* EXPORT( reserve )( size_t size );
void* EXPORT( reserve )( size_t size )
{
	return malloc( size );
}

const char* EXPORT( error_text )( void );
const char* EXPORT( error_text )( void )
{
	return error.message;
}

const char* EXPORT( stage_name )( int stage );
const char* EXPORT( stage_name )( int stage )
{
	return bvb_stage_name( (bvb_stage)stage );
}

/// Where a result is, and its size.
const void* EXPORT( out_data )( void );
const void* EXPORT( out_data )( void )
{
	return out.data;
}

size_t EXPORT( out_size )( void );
size_t EXPORT( out_size )( void )
{
	return out.size;
}

static void report_progress( void* context, bvb_stage stage, double done )
{
	(void)context;
	host_progress( (int)stage, done );
}

/// Builds, and puts the bytes of the file out.
/// @param data     bytes of a mesh file, not copied
/// @param format   extension
/// @param name     what messages and reports call it
/// @param options  name and value of each, zero-terminated, one behind the other; a value "\1" stands for none
int EXPORT( build )( const void* data, size_t size, const char* format, const char* name, const char* options,
                     uint32_t count );
int EXPORT( build )( const void* data, size_t size, const char* format, const char* name, const char* options,
                     uint32_t count )
{
	static bvb_build_options read;
	bvb_named_option* named = count < UINT32_MAX / 64 ? malloc( sizeof *named * ( count + 1 ) ) : NULL;
	if ( !named )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		named[i].name = options;
		options += strlen( options ) + 1;
		named[i].value = *options == 1 ? NULL : options;
		options += strlen( options ) + 1;
	}
	arena = bvb_arena_create();
	bv_status status = arena ? bvb_build_options_read( named, count, &read, &error ) : bv_error_memory;
	if ( status )
	{
		return (int)status;
	}
	read.asset.progress = report_progress;
	bvb_build_options_set_threads( &read, 1 );
	const bvb_build_input input = { .name = name, .data = data, .size = size, .format = format };
	status = bvb_build( &input, &read, arena, &result, &error );
	out = status ? ( piece ){ NULL, 0 } : ( piece ){ result.bytes.data, result.bytes.size };
	return (int)status;
}

/// @return whether all conditions of the options hold
int EXPORT( passes )( void );
int EXPORT( passes )( void )
{
	return result.passes;
}

// Puts texts out, with a zero character behind each, which no text has. Null ends them.
static bv_status put_texts( const char* const texts[4] )
{
	size_t size = 0;
	for ( int i = 0; texts[i]; ++i )
	{
		size += strlen( texts[i] ) + 1;
	}
	char* to = malloc( size );
	out = ( piece ){ to, to ? size : 0 };
	for ( int i = 0; texts[i] && to; ++i )
	{
		to = stpcpy( to, texts[i] ) + 1;
	}
	return out.data ? bv_ok : bv_error_memory;
}

uint32_t EXPORT( message_count )( void );
uint32_t EXPORT( message_count )( void )
{
	return result.message_count;
}

/// Puts message `index` out, which must exist: kind, text, and advice if there is some.
int EXPORT( message )( uint32_t index );
int EXPORT( message )( uint32_t index )
{
	const bvb_message* m = result.messages + index;
	return (int)put_texts(
		( const char* const[4] ){ bvb_message_kind_name( m->kind ), m->text, m->advice, NULL } );
}

/// Opens a file that was built before, for its reports, which have no times then.
/// @param data  8-byte aligned, not copied
int EXPORT( open_file )( const void* data, size_t size );
int EXPORT( open_file )( const void* data, size_t size )
{
	arena = bvb_arena_create();
	return (int)( arena ? bv_file_open( data, size, &result.file ) : bv_error_memory );
}

static const bvb_report_build* times( void )
{
	return result.bytes.data ? &result.build : NULL;
}

/// Puts the JSON report out.
int EXPORT( report )( void );
int EXPORT( report )( void )
{
	char* text;
	bv_status status = bvb_report_json( result.file, times(), arena, &text, &error );
	out = status ? ( piece ){ NULL, 0 } : ( piece ){ text, strlen( text ) };
	return (int)status;
}

/// Puts the HTML report out.
int EXPORT( page )( void );
int EXPORT( page )( void )
{
	return (int)bvb_report_html( result.file, times(), arena, &out.data, &out.size, &error );
}

/// Puts option `index` out: name, values, help. Past the last it puts out no bytes.
int EXPORT( option )( uint32_t index );
int EXPORT( option )( uint32_t index )
{
	const char* value;
	const char* help;
	const char* name = bvb_build_option_name( index, &value, &help );
	out = ( piece ){ NULL, 0 };
	return (int)( name ? put_texts( ( const char* const[4] ){ name, value, help, NULL } ) : bv_ok );
}
