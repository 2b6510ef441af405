// Items of a JSON text. See writer.h.

#include "formats/report/writer.h"

#include "base/offline/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

cJSON* json_checked( json_writer* w, cJSON* item )
{
	w->failed |= !item;
	return item;
}

cJSON* json_put_object( json_writer* w, cJSON* to, const char* key )
{
	return json_checked( w, cJSON_AddObjectToObject( to, key ) );
}

cJSON* json_put_array( json_writer* w, cJSON* to, const char* key )
{
	return json_checked( w, cJSON_AddArrayToObject( to, key ) );
}

cJSON* json_append( json_writer* w, cJSON* array, cJSON* item )
{
	if ( !cJSON_AddItemToArray( array, item ) )
	{
		cJSON_Delete( item );
		item = NULL;
	}
	return json_checked( w, item );
}

void json_put_null( json_writer* w, cJSON* to, const char* key )
{
	json_checked( w, cJSON_AddNullToObject( to, key ) );
}

void json_put_bool( json_writer* w, cJSON* to, const char* key, bool value )
{
	json_checked( w, cJSON_AddBoolToObject( to, key, value ) );
}

void json_put_string( json_writer* w, cJSON* to, const char* key, const char* value )
{
	json_checked( w, cJSON_AddStringToObject( to, key, value ) );
}

void json_put_string_or_null( json_writer* w, cJSON* to, const char* key, const char* value )
{
	if ( value )
	{
		json_put_string( w, to, key, value );
	}
	else
	{
		json_put_null( w, to, key );
	}
}

void json_put_text( json_writer* w, cJSON* to, const char* key, bv_text text )
{
	char* copy = bvb_arena_allocate( w->arena, text.length + 1, 1 );
	if ( !copy )
	{
		w->failed = true;
		return;
	}
	if ( text.length )
	{
		memcpy( copy, text.data, text.length );
	}
	json_put_string( w, to, key, copy );
}

// cJSON would take 0.3 for 0.1 + 0.2, and a count for a binary64 number. Both are therefore printed here.
void json_print_count( char text[json_number_bytes], uint64_t value )
{
	snprintf( text, json_number_bytes, "%" PRIu64, value );
}

// JSON has no infinities.
static void print_number( char text[json_number_bytes], double value )
{
	if ( !isfinite( value ) )
	{
		snprintf( text, json_number_bytes, "null" );
		return;
	}
	bvb_print_number( text, value );
}

void json_put_count( json_writer* w, cJSON* to, const char* key, uint64_t value )
{
	char text[json_number_bytes];
	json_print_count( text, value );
	json_checked( w, cJSON_AddRawToObject( to, key, text ) );
}

void json_put_number( json_writer* w, cJSON* to, const char* key, double value )
{
	char text[json_number_bytes];
	print_number( text, value );
	json_checked( w, cJSON_AddRawToObject( to, key, text ) );
}

void json_put_number_or_null( json_writer* w, cJSON* to, const char* key, const double* value )
{
	if ( value )
	{
		json_put_number( w, to, key, *value );
	}
	else
	{
		json_put_null( w, to, key );
	}
}

void json_append_numbers( json_writer* w, cJSON* array, const double* value, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		char text[json_number_bytes];
		print_number( text, value[i] );
		json_append( w, array, cJSON_CreateRaw( text ) );
	}
}

void json_put_vec3( json_writer* w, cJSON* to, const char* key, bv_vec3 v )
{
	json_append_numbers( w, json_put_array( w, to, key ), ( const double[3] ){ v.x, v.y, v.z }, 3 );
}

void json_append_row( json_writer* w, cJSON* rows, const double row[3] )
{
	json_append_numbers( w, json_append( w, rows, cJSON_CreateArray() ), row, 3 );
}

void json_put_count_or_null( json_writer* w, cJSON* to, const char* key, bool known, uint64_t value )
{
	if ( known )
	{
		json_put_count( w, to, key, value );
	}
	else
	{
		json_put_null( w, to, key );
	}
}

void json_put_bounds_of( json_writer* w, cJSON* to, const bv_interval* interval )
{
	json_put_number_or_null( w, to, "lower", interval ? &interval->lower : NULL );
	json_put_number_or_null( w, to, "upper", interval ? &interval->upper : NULL );
}

void json_put_interval( json_writer* w, cJSON* to, const char* key, const bv_interval* interval )
{
	json_put_bounds_of( w, json_put_object( w, to, key ), interval );
}

// Ends are rounded outwards, where the rest of the division, which is exact, says that they were not.
bv_interval json_part_of( const bv_interval* distance, double length )
{
	double lower = distance->lower / length;
	double upper = distance->upper / length;
	return ( bv_interval ){ fma( lower, length, -distance->lower ) > 0 ? nextafter( lower, 0 ) : lower,
		                    fma( upper, length, -distance->upper ) < 0 ? nextafter( upper, INFINITY )
		                                                               : upper };
}

bv_status json_finish( json_writer* w, cJSON* document, char** text, bvb_error* error )
{
	char* printed = w->failed ? NULL : cJSON_Print( document );
	cJSON_Delete( document );
	size_t length = printed ? strlen( printed ) : 0;
	char* copy = printed ? bvb_arena_allocate( w->arena, length + 2, 1 ) : NULL;
	if ( copy )
	{
		memcpy( copy, printed, length );
		copy[length] = '\n';
	}
	cJSON_free( printed );
	*text = copy;
	return copy ? bv_ok : bvb_fail_memory( error );
}
