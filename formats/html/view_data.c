// Numbers, texts and arrays of the 3D view's data, as JSON. See view_data.h.

#include "formats/html/view_data.h"

#include "base/core/vec.h"
#include "base/offline/error.h"
#include "formats/html/base64.h"

#include <math.h>
#include <string.h>

bv_vec3 view_point( const view_data* v, bv_vec3 point )
{
	bv_vec3 away = bv_sub( point, v->center );
	return ( bv_vec3 ){ away.x / v->scale, away.y / v->scale, away.z / v->scale };
}

static uint16_t grid_step( double coordinate )
{
	double step = rint( ( coordinate + 1 ) * ( UINT16_MAX / 2.0 ) );
	return (uint16_t)bv_max( 0, bv_min( step, UINT16_MAX ) );
}

void view_grid_point( const view_data* v, bv_vec3 point, uint16_t out[3] )
{
	bv_vec3 p = view_point( v, point );
	out[0] = grid_step( p.x );
	out[1] = grid_step( p.y );
	out[2] = grid_step( p.z );
}

void view_float_point( const view_data* v, bv_vec3 point, float out[3] )
{
	bv_vec3 p = view_point( v, point );
	out[0] = (float)p.x;
	out[1] = (float)p.y;
	out[2] = (float)p.z;
}

void view_key( view_data* v, const char* key )
{
	if ( v->more )
	{
		bvb_output_text( v->page, "," );
	}
	v->more = true;
	if ( key )
	{
		bvb_output_text( v->page, "\"" );
		bvb_output_text( v->page, key );
		bvb_output_text( v->page, "\":" );
	}
}

void view_open( view_data* v, const char* key, char bracket )
{
	view_key( v, key );
	bvb_output_bytes( v->page, &bracket, 1 );
	v->more = false;
}

void view_close( view_data* v, char bracket )
{
	bvb_output_bytes( v->page, &bracket, 1 );
	v->more = true;
}

void view_count( view_data* v, const char* key, uint64_t value )
{
	view_key( v, key );
	bvb_output_count( v->page, value );
}

void view_number( view_data* v, const char* key, double value )
{
	if ( !isfinite( value ) )
	{
		view_null( v, key );
		return;
	}
	view_key( v, key );
	bvb_output_number( v->page, value );
}

void view_text( view_data* v, const char* key, const char* text, size_t length )
{
	static const char digits[] = "0123456789abcdef";
	view_key( v, key );
	bvb_output_text( v->page, "\"" );
	for ( size_t i = 0; i < length; ++i )
	{
		unsigned char c = (unsigned char)text[i];
		if ( c < 0x20 || c == 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' )
		{
			char escape[] = "\\u0000";
			escape[4] = digits[c >> 4];
			escape[5] = digits[c & 15];
			bvb_output_text( v->page, escape );
		}
		else
		{
			bvb_output_bytes( v->page, text + i, 1 );
		}
	}
	bvb_output_text( v->page, "\"" );
}

void view_bool( view_data* v, const char* key, bool value )
{
	view_key( v, key );
	bvb_output_text( v->page, value ? "true" : "false" );
}

void view_null( view_data* v, const char* key )
{
	view_key( v, key );
	bvb_output_text( v->page, "null" );
}

void view_array( view_data* v, const char* key, const char* type, const void* data, size_t bytes )
{
	view_open( v, key, '{' );
	view_key( v, type );
	bvb_output_text( v->page, "\"" );
	report_base64( v->page, data, bytes );
	bvb_output_text( v->page, "\"" );
	view_close( v, '}' );
}

bv_status view_corners( view_data* v, const char* key, const uint32_t* corners, size_t count, uint32_t limit )
{
	if ( limit > UINT16_MAX + 1u )
	{
		view_array( v, key, "u32", corners, count * sizeof *corners );
		return bv_ok;
	}
	uint16_t* narrow = bvb_arena_allocate( v->arena, count, sizeof *narrow );
	if ( !narrow )
	{
		return bvb_fail_memory( v->error );
	}
	for ( size_t i = 0; i < count; ++i )
	{
		narrow[i] = (uint16_t)corners[i];
	}
	view_array( v, key, "u16", narrow, count * sizeof *narrow );
	return bv_ok;
}
