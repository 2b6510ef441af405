// Options of a build as text, made of the rows that bvbuild parses by: the parameters that a file records,
// and the options that make up a preset.

#include "offline/asset/presets.h"
#include "offline/base/arena.h"
#include "offline/base/clean.h"
#include "offline/base/number.h"
#include "offline/options/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum
{
	line_bytes = 32 + bvasset_option_value_bytes,
};

static void print_tolerance( const bvb_tolerance* tolerance, char out[bvasset_option_value_bytes] )
{
	bvbase_print_number( out, tolerance->value );
	if ( tolerance->percent && tolerance->value != 0 )
	{
		strcat( out, "%" );
	}
}

static void print_text( const char* text, char out[bvasset_option_value_bytes] )
{
	size_t length = text ? strlen( text ) : 0;
	length = length < bvasset_option_value_bytes ? length : bvasset_option_value_bytes - 1;
	memcpy( out, text ? text : "", length );
	out[length] = 0;
}

static void print_value( const bvasset_option* o, const bvb_asset_options* options,
                         char out[bvasset_option_value_bytes] )
{
	const void* value = (const char*)options + o->offset;
	if ( o->print )
	{
		o->print( options, out );
		return;
	}
	switch ( o->type )
	{
	case bvasset_option_flag: snprintf( out, bvasset_option_value_bytes, "%d", *(const bool*)value ); break;
	case bvasset_option_count:
		snprintf( out, bvasset_option_value_bytes, "%" PRIu32, *(const uint32_t*)value );
		break;
	case bvasset_option_count64:
		snprintf( out, bvasset_option_value_bytes, "%" PRIu64, *(const uint64_t*)value );
		break;
	case bvasset_option_positive:
	case bvasset_option_real: bvbase_print_number( out, *(const double*)value ); break;
	case bvasset_option_length: print_tolerance( value, out ); break;
	case bvasset_option_word: bvasset_option_get_word( o, *(const uint32_t*)value - o->first, out ); break;
	case bvasset_option_text:
	case bvasset_option_path:
	case bvasset_option_name: print_text( *(const char* const*)value, out ); break;
	case bvasset_option_other: out[0] = 0; break;
	}
}

static bool is_equal_text( const char* a, const char* b )
{
	return a == b || ( a && b && strcmp( a, b ) == 0 );
}

static bool is_equal_tolerance( const bvb_tolerance* a, const bvb_tolerance* b )
{
	return a->value == b->value && a->percent == b->percent;
}

// Types that only one option has do not know it.
static bool is_default( const bvasset_option* o, const bvb_asset_options* options,
                        const bvb_asset_options* defaults )
{
	const void* value = (const char*)options + o->offset;
	const void* usual = (const char*)defaults + o->offset;
	switch ( o->type )
	{
	case bvasset_option_flag: return *(const bool*)value == *(const bool*)usual;
	case bvasset_option_count:
	case bvasset_option_word: return *(const uint32_t*)value == *(const uint32_t*)usual;
	case bvasset_option_count64: return *(const uint64_t*)value == *(const uint64_t*)usual;
	case bvasset_option_positive:
	case bvasset_option_real: return *(const double*)value == *(const double*)usual;
	case bvasset_option_length: return is_equal_tolerance( value, usual );
	case bvasset_option_text:
	case bvasset_option_path:
	case bvasset_option_name: return is_equal_text( *(const char* const*)value, *(const char* const*)usual );
	case bvasset_option_other: return false;
	}
	return false;
}

// Rows of one of the texts in its order.
typedef struct row_list
{
	const bvasset_option* rows[BVB_MAX_OPTIONS];
	int count;
} row_list;

static row_list list_rows( bool of_record )
{
	row_list out = { .count = 0 };
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		const bvasset_option* o = bvopt_rows + i;
		int order = of_record ? o->record : o->preset;
		int k = out.count;
		while ( order > 0 && k > 0 &&
		        ( of_record ? out.rows[k - 1]->record : out.rows[k - 1]->preset ) > order )
		{
			out.rows[k] = out.rows[k - 1];
			--k;
		}
		if ( order > 0 )
		{
			out.rows[k] = o;
			++out.count;
		}
	}
	return out;
}

// Whether a value is part of a text.
static bool is_listed( const bvasset_option* o, const bvb_asset_options* options,
                       const bvb_asset_options* defaults, unsigned omission )
{
	return ( !o->in_use || o->in_use( options ) ||
	         ( omission == bvasset_default_not_recorded && ( o->omitted & bvasset_idle_recorded ) ) ) &&
	       !( ( o->omitted & omission ) && is_default( o, options, defaults ) );
}

static char* append( char* to, const char* text )
{
	size_t length = strlen( text );
	memcpy( to, text, length );
	return to + length;
}

// Only what shapes the content: threads and limits do not. Names are lines of their own, without line breaks.
bv_status bvb_asset_parameters( const bvb_asset_options* options, bvb_arena* arena, bv_text* out )
{
	static const char key[] = "objects=";
	char lines[BVB_MAX_OPTIONS * line_bytes];
	char* end = lines;
	bvb_asset_options defaults = bvb_asset_options_default();
	row_list list = list_rows( true );
	for ( int i = 0; i < list.count; ++i )
	{
		const bvasset_option* o = list.rows[i];
		if ( is_listed( o, options, &defaults, bvasset_default_not_recorded ) )
		{
			end = append( append( end, o->recorded_as ? o->recorded_as : o->name ), "=" );
			print_value( o, options, end );
			end = append( end + strlen( end ), "\n" );
		}
	}
	size_t length = (size_t)( end - lines );
	size_t room = options->objects ? sizeof key + 3 * strlen( options->objects ) : 0;
	char* text = bvb_arena_allocate( arena, length + room, 1 );
	*out = ( bv_text ){ NULL, 0 };
	if ( !text )
	{
		return bv_error_memory;
	}
	memcpy( text, lines, length );
	if ( options->objects )
	{
		end = append( text + length, key );
		end += bvbase_clean_text( options->objects, end );
		*end++ = '\n';
		length = (size_t)( end - text );
	}
	*out = ( bv_text ){ text, length };
	return bv_ok;
}

// Those of parts last, behind a semicolon.
static void describe_preset( const bvb_asset_options* preset, char out[bvasset_preset_text_bytes] )
{
	char value[bvasset_option_value_bytes];
	size_t length = 0;
	bool of_parts = false;
	bvb_asset_options shown = *preset;
	bvb_asset_options defaults = bvb_asset_options_default();
	shown.sections |= 1u << bvb_section_parts;
	row_list list = list_rows( false );
	out[0] = 0;
	for ( int i = 0; i < list.count && length < bvasset_preset_text_bytes; ++i )
	{
		const bvasset_option* o = list.rows[i];
		if ( is_listed( o, &shown, &defaults, bvasset_default_not_shown ) )
		{
			const char* between = length == 0                                    ? ""
			                      : o->in_use == bvasset_uses_parts && !of_parts ? "; "
			                                                                     : " ";
			of_parts = o->in_use == bvasset_uses_parts;
			print_value( o, &shown, value );
			length += (size_t)snprintf( out + length, bvasset_preset_text_bytes - length, "%s--%s %s",
			                            between, o->name, value );
		}
	}
}

const char* bvb_preset_name( uint32_t index, const char** summary )
{
	static _Thread_local char texts[bvasset_preset_count][bvasset_preset_text_bytes];
	const char* name = bvasset_preset_word( index );
	if ( name && summary )
	{
		bvb_asset_options options;
		bvb_preset_options( name, &options );
		describe_preset( &options, texts[index] );
		*summary = texts[index];
	}
	return name;
}

bool bvb_next_parameter( bv_text* rest, bv_text* name, bv_text* value )
{
	if ( rest->length == 0 )
	{
		return false;
	}
	const char* line = rest->data;
	const char* end = memchr( line, '\n', rest->length );
	size_t length = end ? (size_t)( end - line ) : rest->length;
	const char* sign = memchr( line, '=', length );
	*name = ( bv_text ){ line, sign ? (size_t)( sign - line ) : length };
	*value = sign ? ( bv_text ){ sign + 1, length - name->length - 1 } : ( bv_text ){ line + length, 0 };
	size_t taken = end ? length + 1 : length;
	*rest = ( bv_text ){ line + taken, rest->length - taken };
	return true;
}

bool bvb_find_parameter( bv_text parameters, bv_text name, bv_text* value )
{
	bv_text own;
	bv_text found;
	while ( bvb_next_parameter( &parameters, &own, &found ) )
	{
		if ( own.length == name.length && memcmp( own.data, name.data, name.length ) == 0 )
		{
			*value = found;
			return true;
		}
	}
	return false;
}
