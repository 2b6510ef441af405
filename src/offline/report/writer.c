// Items of a JSON text. See writer.h.

#include "offline/report/writer.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "runtime/math/vec.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

cJSON* bvreport_json_checked( bvreport_json_writer* w, cJSON* item )
{
	w->failed |= !item;
	return item;
}

cJSON* bvreport_json_put_object( bvreport_json_writer* w, cJSON* to, const char* key )
{
	return bvreport_json_checked( w, cJSON_AddObjectToObject( to, key ) );
}

cJSON* bvreport_json_put_array( bvreport_json_writer* w, cJSON* to, const char* key )
{
	return bvreport_json_checked( w, cJSON_AddArrayToObject( to, key ) );
}

cJSON* bvreport_json_append( bvreport_json_writer* w, cJSON* array, cJSON* item )
{
	if ( !cJSON_AddItemToArray( array, item ) )
	{
		cJSON_Delete( item );
		item = NULL;
	}
	return bvreport_json_checked( w, item );
}

void bvreport_json_put_null( bvreport_json_writer* w, cJSON* to, const char* key )
{
	bvreport_json_checked( w, cJSON_AddNullToObject( to, key ) );
}

void bvreport_json_put_bool( bvreport_json_writer* w, cJSON* to, const char* key, bool value )
{
	bvreport_json_checked( w, cJSON_AddBoolToObject( to, key, value ) );
}

void bvreport_json_put_string( bvreport_json_writer* w, cJSON* to, const char* key, const char* value )
{
	bvreport_json_checked( w, cJSON_AddStringToObject( to, key, value ) );
}

void bvreport_json_put_string_or_null( bvreport_json_writer* w, cJSON* to, const char* key,
                                       const char* value )
{
	if ( value )
	{
		bvreport_json_put_string( w, to, key, value );
	}
	else
	{
		bvreport_json_put_null( w, to, key );
	}
}

void bvreport_json_put_text( bvreport_json_writer* w, cJSON* to, const char* key, bv_text text )
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
	bvreport_json_put_string( w, to, key, copy );
}

// cJSON would take 0.3 for 0.1 + 0.2, and a count for a binary64 number. Both are therefore printed here.
void bvreport_json_print_count( char text[bvreport_json_number_bytes], uint64_t value )
{
	snprintf( text, bvreport_json_number_bytes, "%" PRIu64, value );
}

// JSON has no infinities.
static void print_number( char text[bvreport_json_number_bytes], double value )
{
	if ( !isfinite( value ) )
	{
		snprintf( text, bvreport_json_number_bytes, "null" );
		return;
	}
	bvbase_print_number( text, value );
}

void bvreport_json_put_count( bvreport_json_writer* w, cJSON* to, const char* key, uint64_t value )
{
	char text[bvreport_json_number_bytes];
	bvreport_json_print_count( text, value );
	bvreport_json_checked( w, cJSON_AddRawToObject( to, key, text ) );
}

void bvreport_json_put_number( bvreport_json_writer* w, cJSON* to, const char* key, double value )
{
	char text[bvreport_json_number_bytes];
	print_number( text, value );
	bvreport_json_checked( w, cJSON_AddRawToObject( to, key, text ) );
}

void bvreport_json_put_number_or_null( bvreport_json_writer* w, cJSON* to, const char* key,
                                       const double* value )
{
	if ( value )
	{
		bvreport_json_put_number( w, to, key, *value );
	}
	else
	{
		bvreport_json_put_null( w, to, key );
	}
}

void bvreport_json_append_numbers( bvreport_json_writer* w, cJSON* array, const double* value, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		char text[bvreport_json_number_bytes];
		print_number( text, value[i] );
		bvreport_json_append( w, array, cJSON_CreateRaw( text ) );
	}
}

void bvreport_json_put_vec3( bvreport_json_writer* w, cJSON* to, const char* key, bv_vec3 v )
{
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, to, key ),
	                              ( const double[3] ){ v.x, v.y, v.z }, 3 );
}

bv_vec3 bvreport_json_place( const bvreport_json_writer* w, bv_vec3 position )
{
	return bvmath_moved( position, w->offset );
}

void bvreport_json_append_row( bvreport_json_writer* w, cJSON* rows, const double row[3] )
{
	bvreport_json_append_numbers( w, bvreport_json_append( w, rows, cJSON_CreateArray() ), row, 3 );
}

void bvreport_json_put_count_or_null( bvreport_json_writer* w, cJSON* to, const char* key, bool known,
                                      uint64_t value )
{
	if ( known )
	{
		bvreport_json_put_count( w, to, key, value );
	}
	else
	{
		bvreport_json_put_null( w, to, key );
	}
}

void bvreport_json_put_bounds_of( bvreport_json_writer* w, cJSON* to, const bv_interval* interval )
{
	bvreport_json_put_number_or_null( w, to, "lower", interval ? &interval->lower : NULL );
	bvreport_json_put_number_or_null( w, to, "upper", interval ? &interval->upper : NULL );
}

void bvreport_json_put_interval( bvreport_json_writer* w, cJSON* to, const char* key,
                                 const bv_interval* interval )
{
	bvreport_json_put_bounds_of( w, bvreport_json_put_object( w, to, key ), interval );
}

// Ends are rounded outwards, where the rest of the division, which is exact, says that they were not.
bv_interval bvreport_json_part_of( const bv_interval* distance, double length )
{
	double lower = distance->lower / length;
	double upper = distance->upper / length;
	return ( bv_interval ){ fma( lower, length, -distance->lower ) > 0 ? nextafter( lower, 0 ) : lower,
		                    fma( upper, length, -distance->upper ) < 0 ? nextafter( upper, INFINITY )
		                                                               : upper };
}

bv_status bvreport_json_finish( bvreport_json_writer* w, cJSON* document, char** text, bvb_error* error )
{
	char* printed = w->failed || bvbase_arena_has_failed( w->arena ) ? NULL : cJSON_Print( document );
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
	return copy ? bv_ok : bvbase_fail_memory( error );
}
