// Files in tests/golden are read for ever as on the day that they were written. Beside each stand its report, NAME.json, and what
// can be read of it and asked, NAME.txt, which this program prints when it is given a file (tests/golden/make.sh).

#include "support.h"

#include "tests/use_file.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	path_bytes = 512,
};

#define FOLDER "tests/golden"

// In f's arena, terminated.
static char* read_text( fixture* f, const char* name, const char* extension )
{
	char path[path_bytes];
	snprintf( path, sizeof path, FOLDER "/%s.%s", name, extension );
	FILE* stream = fopen( path, "rb" );
	if ( !stream )
	{
		fail_msg( "%s is missing", path );
	}
	fseek( stream, 0, SEEK_END );
	size_t size = (size_t)ftell( stream );
	char* text = bvb_arena_allocate( f->arena, size + 1, 1 );
	rewind( stream );
	assert_int_equal( fread( text, 1, size, stream ), size );
	fclose( stream );
	text[size] = '\0';
	return text;
}

static const bv_file* open_golden( const char* name, bvb_mapping* mapping )
{
	char path[path_bytes];
	bvb_error error;
	snprintf( path, sizeof path, FOLDER "/%s.bvh", name );
	if ( bvb_file_map( path, mapping, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return mapping->file;
}

// Calls a test with each file, its name being without what follows the last dot.
static void each_golden( fixture* f, void test( fixture* f, const char* name, const bv_file* file ) )
{
	DIR* folder = opendir( FOLDER );
	assert_non_null( folder );
	int count = 0;
	for ( struct dirent* entry = readdir( folder ); entry; entry = readdir( folder ) )
	{
		size_t length = strlen( entry->d_name );
		if ( length > 4 && strcmp( entry->d_name + length - 4, ".bvh" ) == 0 )
		{
			bvb_mapping mapping;
			entry->d_name[length - 4] = '\0';
			test( f, entry->d_name, open_golden( entry->d_name, &mapping ) );
			bvb_file_unmap( &mapping );
			count += 1;
		}
	}
	closedir( folder );
	assert_true( count >= 16 );
}

// Numbers that are computed when a file is read may come to differ in their last digits.
static bool is_near_by( double a, double b, double tolerance )
{
	return a == b || fabs( a - b ) <= tolerance * fmax( fabs( a ), fabs( b ) );
}

static bool is_near( double a, double b )
{
	return is_near_by( a, b, 1e-9 );
}

static void compare_json( const char* file, const char* key, const cJSON* expected, const cJSON* found )
{
	// What queries are expected to cost is an estimate, which may become better; what they would cost in today's hierarchies, and
	// what is said of that, is today's.
	if ( strcmp( key, "expected" ) == 0 || strcmp( key, "yardstick" ) == 0 || strcmp( key, "findings" ) == 0 )
	{
		return;
	}
	// A better optimum differs by less than the rounding of what is stored.
	bool optimum = strcmp( key, "optimum" ) == 0 || strcmp( key, "ratio" ) == 0;
	double tolerance = optimum ? 1e-6 : 1e-9;
	bool same =
		found && ( expected->type & 0xff ) == ( found->type & 0xff ) &&
		( !cJSON_IsString( expected ) || strcmp( expected->valuestring, found->valuestring ) == 0 ) &&
		( !cJSON_IsNumber( expected ) ||
	      is_near_by( expected->valuedouble, found->valuedouble, tolerance ) ) &&
		( !cJSON_IsArray( expected ) || cJSON_GetArraySize( expected ) == cJSON_GetArraySize( found ) );
	if ( !same )
	{
		fail_msg( "%s.bvh: the report has another %s", file, key );
	}
	const cJSON* other = found->child;
	for ( const cJSON* item = expected->child; item; item = item->next )
	{
		bool named = cJSON_IsObject( expected );
		compare_json( file, named ? item->string : key, item,
		              named ? cJSON_GetObjectItemCaseSensitive( found, item->string ) : other );
		other = other ? other->next : NULL;
	}
}

// Keys that are added later are not in the old report.
static void assert_same_report( fixture* f, const char* name, const bv_file* file )
{
	bvb_error error;
	char* text;
	assert_int_equal( bvb_report_json( file, NULL, f->arena, &text, &error ), bv_ok );
	cJSON* found = cJSON_Parse( text );
	cJSON* expected = cJSON_Parse( read_text( f, name, "json" ) );
	assert_true( found && expected );
	compare_json( name, "whole", expected, found );
	cJSON_Delete( found );
	cJSON_Delete( expected );
}

static void reports_are_the_same( void** state )
{
	each_golden( *state, assert_same_report );
}

// Words but numbers with a point are equal, those nearly.
static bool same_words( char* expected, char* found )
{
	char* a_state;
	char* b_state;
	const char* a = strtok_r( expected, " \n", &a_state );
	const char* b = strtok_r( found, " \n", &b_state );
	while ( a && b )
	{
		bool numbers = strchr( a, '.' ) && strchr( b, '.' );
		if ( numbers ? !is_near( strtod( a, NULL ), strtod( b, NULL ) ) : strcmp( a, b ) != 0 )
		{
			return false;
		}
		a = strtok_r( NULL, " \n", &a_state );
		b = strtok_r( NULL, " \n", &b_state );
	}
	return !a && !b;
}

static void assert_same_contents_and_answers( fixture* f, const char* name, const bv_file* file )
{
	char* text = NULL;
	size_t size = 0;
	FILE* out = open_memstream( &text, &size );
	assert_true( use_file( file, UINT64_MAX, 0, out ) );
	fclose( out );
	char* a_line = read_text( f, name, "txt" );
	char* b_line = text;
	while ( *a_line && *b_line )
	{
		char* a_end = strchr( a_line, '\n' );
		char* b_end = strchr( b_line, '\n' );
		assert_true( a_end && b_end );
		*a_end = *b_end = '\0';
		char what[path_bytes];
		snprintf( what, sizeof what, "%s.bvh: '%s' and not '%s'", name, b_line, a_line );
		if ( !same_words( a_line, b_line ) )
		{
			fail_msg( "%s", what );
		}
		a_line = a_end + 1;
		b_line = b_end + 1;
	}
	assert_true( !*a_line && !*b_line );
	free( text );
}

static void contents_and_answers_are_the_same( void** state )
{
	each_golden( *state, assert_same_contents_and_answers );
}

static void assert_verified( fixture* f, const char* name, const bv_file* file )
{
	bvb_error error;
	bvb_verify_result proved;
	if ( bvb_file_verify( file, f->arena, &proved, &error ) != bv_ok )
	{
		fail_msg( "%s.bvh: %s", name, error.message );
	}
}

static void files_are_verified( void** state )
{
	each_golden( *state, assert_verified );
}

static int print_file( const char* path )
{
	bvb_mapping mapping;
	bvb_error error;
	if ( bvb_file_map( path, &mapping, &error ) != bv_ok )
	{
		fprintf( stderr, "%s\n", error.message );
		return 1;
	}
	bool sane = use_file( mapping.file, UINT64_MAX, 0, stdout );
	bvb_file_unmap( &mapping );
	return sane ? 0 : 1;
}

int main( void )
{
	const char* path = getenv( "BV_GOLDEN_FILE" );
	if ( path )
	{
		return print_file( path );
	}
	const struct CMUnitTest tests[] = {
		fixture_test( reports_are_the_same ),
		fixture_test( contents_and_answers_are_the_same ),
		fixture_test( files_are_verified ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
