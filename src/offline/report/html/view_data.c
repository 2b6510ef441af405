// Numbers, texts and arrays of the 3D view's data, as JSON. See view_data.h.

#include "offline/report/html/view_data.h"

#include "offline/base/error.h"
#include "offline/report/html/base64.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

bv_vec3 bvhtml_view_point( const bvhtml_view_data* v, bv_vec3 point )
{
	bv_vec3 away = bv_sub( point, v->center );
	return ( bv_vec3 ){ away.x / v->scale, away.y / v->scale, away.z / v->scale };
}

static uint16_t grid_step( double coordinate )
{
	double step = rint( ( coordinate + 1 ) * ( UINT16_MAX / 2.0 ) );
	return (uint16_t)bvmath_max( 0, bvmath_min( step, UINT16_MAX ) );
}

void bvhtml_view_grid_point( const bvhtml_view_data* v, bv_vec3 point, uint16_t out[3] )
{
	bv_vec3 p = bvhtml_view_point( v, point );
	out[0] = grid_step( p.x );
	out[1] = grid_step( p.y );
	out[2] = grid_step( p.z );
}

void bvhtml_view_float_point( const bvhtml_view_data* v, bv_vec3 point, float out[3] )
{
	bv_vec3 p = bvhtml_view_point( v, point );
	out[0] = (float)p.x;
	out[1] = (float)p.y;
	out[2] = (float)p.z;
}

// Begins a member of the object that is open: the comma, the key and the colon.
static void view_key( bvhtml_view_data* v, const char* key )
{
	if ( v->more )
	{
		bvexport_output_text( v->page, "," );
	}
	v->more = true;
	if ( key )
	{
		bvexport_output_text( v->page, "\"" );
		bvexport_output_text( v->page, key );
		bvexport_output_text( v->page, "\":" );
	}
}

void bvhtml_view_open( bvhtml_view_data* v, const char* key, char bracket )
{
	view_key( v, key );
	bvexport_output_bytes( v->page, &bracket, 1 );
	v->more = false;
}

void bvhtml_view_close( bvhtml_view_data* v, char bracket )
{
	bvexport_output_bytes( v->page, &bracket, 1 );
	v->more = true;
}

void bvhtml_view_count( bvhtml_view_data* v, const char* key, uint64_t value )
{
	view_key( v, key );
	bvexport_output_count( v->page, value );
}

void bvhtml_view_number( bvhtml_view_data* v, const char* key, double value )
{
	if ( !isfinite( value ) )
	{
		bvhtml_view_null( v, key );
		return;
	}
	view_key( v, key );
	bvexport_output_number( v->page, value );
}

void bvhtml_view_text( bvhtml_view_data* v, const char* key, const char* text, size_t length )
{
	static const char digits[] = "0123456789abcdef";
	view_key( v, key );
	bvexport_output_text( v->page, "\"" );
	for ( size_t i = 0; i < length; ++i )
	{
		unsigned char c = (unsigned char)text[i];
		if ( c < 0x20 || c == 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' )
		{
			char escape[] = "\\u0000";
			escape[4] = digits[c >> 4];
			escape[5] = digits[c & 15];
			bvexport_output_text( v->page, escape );
		}
		else
		{
			bvexport_output_bytes( v->page, text + i, 1 );
		}
	}
	bvexport_output_text( v->page, "\"" );
}

void bvhtml_view_bool( bvhtml_view_data* v, const char* key, bool value )
{
	view_key( v, key );
	bvexport_output_text( v->page, value ? "true" : "false" );
}

void bvhtml_view_null( bvhtml_view_data* v, const char* key )
{
	view_key( v, key );
	bvexport_output_text( v->page, "null" );
}

void bvhtml_view_array( bvhtml_view_data* v, const char* key, const char* type, const void* data,
                        size_t bytes )
{
	bvhtml_view_open( v, key, '{' );
	view_key( v, type );
	bvexport_output_text( v->page, "\"" );
	bvhtml_base64( v->page, data, bytes );
	bvexport_output_text( v->page, "\"" );
	bvhtml_view_close( v, '}' );
}

bv_status bvhtml_view_corners( bvhtml_view_data* v, const char* key, const uint32_t* corners, size_t count,
                               uint32_t limit )
{
	if ( limit > UINT16_MAX + 1u )
	{
		bvhtml_view_array( v, key, "u32", corners, count * sizeof *corners );
		return bv_ok;
	}
	uint16_t* narrow = bvb_arena_allocate( v->arena, count, sizeof *narrow );
	if ( !narrow )
	{
		return bvbase_fail_memory( v->error );
	}
	for ( size_t i = 0; i < count; ++i )
	{
		narrow[i] = (uint16_t)corners[i];
	}
	bvhtml_view_array( v, key, "u16", narrow, count * sizeof *narrow );
	return bv_ok;
}
