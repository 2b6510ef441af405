// Checked access to the members of JSON objects. See json.h.

#include "formats/gltf/json.h"

#include "offline/base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bv_status bvgltf_json_fail( const bvgltf_object* o, bv_status status, const char* format, ... )
{
	char text[512];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	return *o->where ? bvbase_fail( o->error, status, "%s: %s: %s", o->file, o->where, text )
	                 : bvbase_fail( o->error, status, "%s: %s", o->file, text );
}

bv_status bvgltf_json_find( const bvgltf_object* o, const char* name, const cJSON** out )
{
	*out = NULL;
	for ( const cJSON* member = o->json ? o->json->child : NULL; member; member = member->next )
	{
		if ( member->string && strcmp( member->string, name ) == 0 )
		{
			if ( *out )
			{
				return bvgltf_json_fail( o, bv_error_input, "%s is there twice", name );
			}
			*out = member;
		}
	}
	return bv_ok;
}

static bool is_whole( const cJSON* value, uint64_t* out )
{
	double number = cJSON_IsNumber( value ) ? value->valuedouble : -1;
	bool whole = number >= 0 && number <= (double)BVGLTF_MOST && floor( number ) == number;
	*out = whole ? (uint64_t)number : 0;
	return whole;
}

bv_status bvgltf_json_whole( const bvgltf_object* o, const char* name, uint64_t most, uint64_t fallback,
                             uint64_t* out )
{
	const cJSON* value;
	bv_status status = bvgltf_json_find( o, name, &value );
	*out = fallback;
	if ( status != bv_ok || ( !value && fallback != BVGLTF_REQUIRED ) )
	{
		return status;
	}
	if ( !value )
	{
		return bvgltf_json_fail( o, bv_error_input, "%s is missing", name );
	}
	if ( !is_whole( value, out ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "%s is not a whole number", name );
	}
	return *out <= most ? bv_ok
	                    : bvgltf_json_fail( o, bv_error_input, "%s is %llu, the most is %llu", name,
	                                        (unsigned long long)*out, (unsigned long long)most );
}

bv_status bvgltf_json_item( const bvgltf_object* o, const char* name, const cJSON* item, uint32_t count,
                            uint32_t* out )
{
	uint64_t index;
	*out = BVGLTF_NONE;
	if ( !is_whole( item, &index ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "%s is not an index", name );
	}
	if ( index >= count )
	{
		return bvgltf_json_fail( o, bv_error_input, "%s refers to number %llu, but there are only %u", name,
		                         (unsigned long long)index, count );
	}
	*out = (uint32_t)index;
	return bv_ok;
}

bv_status bvgltf_json_index( const bvgltf_object* o, const char* name, uint32_t count, uint32_t* out )
{
	const cJSON* value;
	bv_status status = bvgltf_json_find( o, name, &value );
	*out = BVGLTF_NONE;
	return status == bv_ok && value ? bvgltf_json_item( o, name, value, count, out ) : status;
}

bv_status bvgltf_json_list( const bvgltf_object* o, const char* name, const cJSON** out, uint32_t* count )
{
	bv_status status = bvgltf_json_find( o, name, out );
	*count = 0;
	if ( status != bv_ok || !*out )
	{
		return status;
	}
	if ( !cJSON_IsArray( *out ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "%s is not an array", name );
	}
	for ( const cJSON* item = ( *out )->child; item; item = item->next )
	{
		++*count;
	}
	return bv_ok;
}

bv_status bvgltf_json_numbers( const bvgltf_object* o, const char* name, uint32_t count, double* out,
                               bool* there )
{
	const cJSON* list;
	uint32_t length;
	bv_status status = bvgltf_json_list( o, name, &list, &length );
	*there = list;
	if ( status != bv_ok || !list )
	{
		return status;
	}
	if ( length != count )
	{
		return bvgltf_json_fail( o, bv_error_input, "%s has %u numbers instead of %u", name, length, count );
	}
	uint32_t i = 0;
	for ( const cJSON* item = list->child; item; item = item->next, ++i )
	{
		if ( !cJSON_IsNumber( item ) || !isfinite( item->valuedouble ) )
		{
			return bvgltf_json_fail( o, bv_error_input, "%s[%u] is not a finite number", name, i );
		}
		out[i] = item->valuedouble;
	}
	return bv_ok;
}

bv_status bvgltf_json_text( const bvgltf_object* o, const char* name, const char** out )
{
	const cJSON* value;
	bv_status status = bvgltf_json_find( o, name, &value );
	*out = NULL;
	if ( status != bv_ok || !value )
	{
		return status;
	}
	if ( !cJSON_IsString( value ) )
	{
		return bvgltf_json_fail( o, bv_error_input, "%s is not a string", name );
	}
	*out = value->valuestring;
	return bv_ok;
}

bv_status bvgltf_json_flag( const bvgltf_object* o, const char* name, bool* out )
{
	const cJSON* value;
	bv_status status = bvgltf_json_find( o, name, &value );
	*out = cJSON_IsTrue( value );
	return status == bv_ok && value && !cJSON_IsBool( value )
	           ? bvgltf_json_fail( o, bv_error_input, "%s is neither true nor false", name )
	           : status;
}

bv_status bvgltf_json_object( const bvgltf_object* o, const char* name, bvgltf_object* out )
{
	const cJSON* value;
	bv_status status = bvgltf_json_find( o, name, &value );
	*out = ( bvgltf_object ){ .file = o->file, .error = o->error, .json = value };
	snprintf( out->where, sizeof out->where, "%.70s%s%.50s", o->where, *o->where ? "." : "", name );
	return status == bv_ok && value && !cJSON_IsObject( value )
	           ? bvgltf_json_fail( o, bv_error_input, "%s is not an object", name )
	           : status;
}

bv_status bvgltf_json_extension( const bvgltf_object* o, const char* name, bvgltf_object* out )
{
	bvgltf_object extensions;
	bv_status status = bvgltf_json_object( o, "extensions", &extensions );
	if ( status != bv_ok )
	{
		return status;
	}

	// The whole path would be long, and the name is unique enough.
	memcpy( extensions.where, o->where, sizeof extensions.where );
	return bvgltf_json_object( &extensions, name, out );
}
