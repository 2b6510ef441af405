// Pose files. See poses.h.

#include "cli/poses.h"

#include "base/offline/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
	column_count = 12,
	max_fields = 64,
};

static const char* const column_names[column_count] = {
	"r00", "r01", "r02", "r10", "r11", "r12", "r20", "r21", "r22", "tx", "ty", "tz",
};

// Where each of the columns above stands in a line.
typedef struct columns
{
	int field[column_count];
} columns;

// Cuts a line at its commas, in place, and the white space off each field. Returns the number of fields.
static int cut( char* line, char* fields[max_fields] )
{
	int count = 0;
	for ( char* rest = line; rest && count < max_fields; )
	{
		char* field = strsep( &rest, "," );
		field += strspn( field, " \t" );
		field[strcspn( field, " \t\r\n" )] = 0;
		fields[count++] = field;
	}
	return count;
}

static bv_status read_head( const char* path, char* line, columns* out, bvb_error* error )
{
	char* fields[max_fields];
	int count = cut( line, fields );
	for ( int i = 0; i < column_count; ++i )
	{
		int k = 0;
		while ( k < count && strcmp( fields[k], column_names[i] ) != 0 )
		{
			k += 1;
		}
		if ( k == count )
		{
			return bvb_fail( error, bv_error_input, "%s:1: no column %s", path, column_names[i] );
		}
		out->field[i] = k;
	}
	return bv_ok;
}

static bv_status read_pose( const char* path, unsigned number, char* line, const columns* where, bv_pose* out,
                            bvb_error* error )
{
	char* fields[max_fields];
	double value[column_count];
	int count = cut( line, fields );
	for ( int i = 0; i < column_count; ++i )
	{
		const char* text = where->field[i] < count ? fields[where->field[i]] : "";
		char* end;
		value[i] = strtod( text, &end );
		if ( end == text || *end )
		{
			return bvb_fail( error, bv_error_input, "%s:%u: %s is not a number", path, number,
			                 column_names[i] );
		}
	}
	memcpy( out->rotation, value, sizeof out->rotation );
	out->translation = ( bv_vec3 ){ value[9], value[10], value[11] };
	if ( !bv_pose_is_rigid( out ) )
	{
		return bvb_fail( error, bv_error_input, "%s:%u: the pose is not rigid", path, number );
	}
	return bv_ok;
}

static bv_status read_lines( const char* path, FILE* file, char** line, size_t* capacity, bv_pose** poses,
                             uint32_t* count, bvb_error* error )
{
	columns where;
	uint32_t room = 0;
	unsigned number = 0;
	while ( getline( line, capacity, file ) > 0 )
	{
		number += 1;
		if ( number > 1 && strspn( *line, " \t\r\n" ) == strlen( *line ) )
		{
			continue;
		}
		if ( *count == room )
		{
			room = room ? 2 * room : 256;
			bv_pose* grown = realloc( *poses, room * sizeof **poses );
			if ( !grown )
			{
				return bvb_fail_memory( error );
			}
			*poses = grown;
		}
		bv_status status = number == 1 ? read_head( path, *line, &where, error )
		                               : read_pose( path, number, *line, &where, *poses + *count, error );
		if ( status != bv_ok )
		{
			return status;
		}
		*count += number > 1;
	}
	if ( ferror( file ) )
	{
		return bvb_fail( error, bv_error_input, "%s: %s", path, strerror( errno ) );
	}
	return *count ? bv_ok : bvb_fail( error, bv_error_input, "%s: no poses", path );
}

bv_status read_poses( const char* path, bvb_arena* arena, bv_pose** poses, uint32_t* count, bvb_error* error )
{
	struct stat info;
	FILE* file = fopen( path, "re" );
	if ( !file || fstat( fileno( file ), &info ) != 0 || S_ISDIR( info.st_mode ) )
	{
		bvb_fail( error, bv_error_input, "%s: %s", path, file ? "is a directory" : strerror( errno ) );
		if ( file )
		{
			fclose( file );
		}
		return bv_error_input;
	}

	char* line = NULL;
	size_t capacity = 0;
	bv_pose* read = NULL;
	*count = 0;
	bv_status status = read_lines( path, file, &line, &capacity, &read, count, error );
	if ( status == bv_ok )
	{
		*poses = bvb_arena_allocate( arena, *count, sizeof **poses );
		if ( *poses )
		{
			memcpy( *poses, read, *count * sizeof **poses );
		}
		else
		{
			status = bvb_fail_memory( error );
		}
	}
	free( read );
	free( line );
	fclose( file );
	return status;
}
