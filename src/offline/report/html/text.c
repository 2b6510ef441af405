// Text and numbers of the HTML report. See html.h.

#include "offline/report/html/html.h"

#include "offline/base/number.h"
#include "runtime/file/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cJSON* bvhtml_at( const cJSON* from, const char* path )
{
	while ( from && *path )
	{
		char key[64];
		size_t length = strcspn( path, "." );
		if ( length >= sizeof key )
		{
			return NULL;
		}
		memcpy( key, path, length );
		key[length] = 0;
		from = cJSON_IsArray( from ) ? cJSON_GetArrayItem( from, atoi( key ) )
		                             : cJSON_GetObjectItemCaseSensitive( from, key );
		path += length + ( path[length] == '.' );
	}
	return cJSON_IsNull( from ) ? NULL : from;
}

double bvhtml_number( const cJSON* from, const char* path )
{
	const cJSON* item = bvhtml_at( from, path );
	return cJSON_IsNumber( item ) ? item->valuedouble : NAN;
}

const char* bvhtml_string( const cJSON* from, const char* path )
{
	const cJSON* item = bvhtml_at( from, path );
	return cJSON_IsString( item ) ? item->valuestring : "";
}

bool bvhtml_true( const cJSON* from, const char* path )
{
	return cJSON_IsTrue( bvhtml_at( from, path ) );
}

// Appends to a terminated text.
static void append( char* out, const char* text )
{
	strcat( out, text );
}

// A number as the digits d.ddd times ten to the exponent. printf rounds correctly; its point is the locale's.
static int get_digits( double value, int digits, char out[20] )
{
	char text[64];
	int count = 0;
	snprintf( text, sizeof text, "%.*e", digits - 1, value );
	const char* exponent = strchr( text, 'e' );
	for ( const char* c = text; c < exponent; ++c )
	{
		if ( *c >= '0' && *c <= '9' )
		{
			out[count++] = *c;
		}
	}
	while ( count > 1 && out[count - 1] == '0' )
	{
		--count;
	}
	out[count] = 0;
	return atoi( exponent + 1 );
}

static void append_exponent( char* out, int exponent )
{
	static const char* const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
	char text[16];
	snprintf( text, sizeof text, "%d", exponent );
	append( out, "×10" );
	for ( const char* c = text; *c; ++c )
	{
		append( out, *c == '-' ? "⁻" : raised[*c - '0'] );
	}
}

// Digits around a point, those before it in groups of three.
static void append_plain( char* out, const char* digits, int exponent )
{
	int count = (int)strlen( digits );
	char* to = out + strlen( out );
	for ( int place = exponent > 0 ? exponent : 0; place >= 0; --place )
	{
		int at = exponent - place;
		*to++ = at >= 0 && at < count ? digits[at] : '0';
		if ( place > 0 && place % 3 == 0 )
		{
			*to++ = ',';
		}
	}
	for ( int place = -1; exponent - place < count; --place )
	{
		int at = exponent - place;
		if ( place == -1 )
		{
			*to++ = '.';
		}
		*to++ = at >= 0 ? digits[at] : '0';
	}
	*to = 0;
}

void bvhtml_print_number( char out[BVHTML_NUMBER_BYTES], double value, int digits )
{
	char text[20];
	out[0] = 0;
	if ( !isfinite( value ) )
	{
		append( out, "–" );
		return;
	}
	double size = fabs( value );
	bool plain = size == 0 || ( size >= 1e-3 && size < 1e7 );
	int exponent = get_digits( size, digits, text );
	if ( plain && exponent >= digits )
	{
		exponent = get_digits( size, exponent + 1, text ); // of 123,456 no digit is left out
	}
	append( out, value < 0 ? "−" : "" );
	if ( plain )
	{
		append_plain( out, text, exponent );
		return;
	}
	append_plain( out, text, 0 );
	append_exponent( out, exponent );
}

void bvhtml_print_count( char out[BVHTML_NUMBER_BYTES], double value )
{
	char text[32];
	out[0] = 0;
	if ( !isfinite( value ) || fabs( value ) >= 1e18 )
	{
		bvhtml_print_number( out, value, 4 );
		return;
	}
	snprintf( text, sizeof text, "%.0f", fabs( value ) );
	append( out, value < 0 ? "−" : "" );
	append_plain( out, text, (int)strlen( text ) - 1 );
}

void bvhtml_print_bytes( char out[BVHTML_NUMBER_BYTES], double bytes )
{
	static const char* const units[] = { " B", " kB", " MB", " GB" };
	int unit = 0;
	for ( ; bytes >= 1000 && unit < 3; ++unit )
	{
		bytes /= 1000;
	}
	bvhtml_print_number( out, bytes, bytes < 1000 && unit > 0 ? 3 : 4 );
	append( out, units[unit] );
}

// A character that HTML does not allow in a text, though UTF-8 has it: controls but for white space, and
// noncharacters. Those that turn the direction of what follows go too: a title has no element that would keep
// them to themselves.
static bool is_forbidden( const char* c, size_t length )
{
	const unsigned char* u = (const unsigned char*)c;
	bool space = *c == '\t' || *c == '\n';
	bool last_two = length >= 3 && u[length - 1] >= 0xbe && u[length - 2] == 0xbf &&
	                ( length == 3 ? u[0] == 0xef : ( u[1] & 0x0f ) == 0x0f );
	bool turning = length == 3 && u[0] == 0xe2 &&
	               ( ( u[1] == 0x80 && u[2] >= 0xaa && u[2] <= 0xae ) || // U+202A to U+202E
	                 ( u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9 ) ); // U+2066 to U+2069
	bool arabic = length == 3 && u[0] == 0xef && u[1] == 0xb7 && u[2] >= 0x90 && u[2] <= 0xaf;
	return ( bvfile_utf8_is_control( c ) && !space ) || last_two || arabic || turning;
}

static const char* find_entity( const char* c, size_t length )
{
	static const struct
	{
		const char* character;
		const char* entity;
	} entities[] = {
		{ "&", "&amp;" }, { "<", "&lt;" },  { ">", "&gt;" },          { "\"", "&quot;" },
		{ "'", "&#39;" }, { "`", "&#96;" }, { "\u2028", "&#x2028;" }, { "\u2029", "&#x2029;" },
	};
	for ( size_t i = 0; i < sizeof entities / sizeof *entities; ++i )
	{
		if ( strlen( entities[i].character ) == length && memcmp( entities[i].character, c, length ) == 0 )
		{
			return entities[i].entity;
		}
	}
	return NULL;
}

void bvhtml_escape( bvexport_output* out, const char* text, size_t length )
{
	for ( size_t i = 0; i < length; )
	{
		size_t size = bvfile_utf8_character( text + i, length - i );
		const char* entity = size > 0 ? find_entity( text + i, size ) : NULL;
		if ( entity )
		{
			bvexport_output_text( out, entity );
		}
		else if ( size == 0 || is_forbidden( text + i, size ) )
		{
			bvexport_output_text( out, "\uFFFD" );
		}
		else
		{
			bvexport_output_bytes( out, text + i, size );
		}
		i += size > 0 ? size : 1;
	}
}

// Bounds are not to say more than they hold.
static double round_outwards( const cJSON* item, int digits )
{
	const char* key = item->string ? item->string : "";
	bool upper = strcmp( key, "upper" ) == 0 || strcmp( key, "uncovered" ) == 0 ||
	             strcmp( key, "largest_displacement" ) == 0;
	return upper                         ? bvbase_round_up( item->valuedouble, digits )
	       : strcmp( key, "lower" ) == 0 ? bvbase_round_down( item->valuedouble, digits )
	                                     : item->valuedouble;
}

// The exact value beside the one for people, but for those that are written with all their digits.
static void put_value( bvexport_output* out, const cJSON* item, bool count )
{
	char text[BVHTML_NUMBER_BYTES];
	char exact[BVBASE_NUMBER_BYTES];
	if ( !cJSON_IsNumber( item ) )
	{
		bvexport_output_text( out, "–" );
		return;
	}
	if ( count )
	{
		bvhtml_print_count( text, item->valuedouble );
	}
	else
	{
		bvhtml_print_number( text, round_outwards( item, 4 ), 4 );
	}
	bvbase_print_number( exact, item->valuedouble );
	bvexport_output_text( out, "<data value=\"" );
	bvexport_output_text( out, exact );
	bvexport_output_text( out, "\">" );
	bvexport_output_text( out, text );
	bvexport_output_text( out, "</data>" );
}

// As many as are written of it: those before the point are all kept.
static int digits_of_bound( double value )
{
	double size = fabs( value );
	int digits = 4;
	for ( double limit = 1e4; size >= limit && limit < 1e7; limit *= 10 )
	{
		++digits;
	}
	return size < 1e7 ? digits : 4;
}

static void put_number( bvexport_output* out, char kind, double value )
{
	char text[BVHTML_NUMBER_BYTES];
	switch ( kind )
	{
	case 'i': snprintf( text, sizeof text, "%.0f", value ); break;
	case 'c': bvhtml_print_count( text, value ); break;
	case 'b': bvhtml_print_bytes( text, value ); break;
	case 'p':
	case 'q':
		bvhtml_print_number( text, kind == 'q' ? bvbase_round_up( 100 * value, 3 ) : 100 * value, 3 );
		append( text, isfinite( value ) ? " %" : "" );
		break;
	case 'u': bvhtml_print_number( text, bvbase_round_up( value, digits_of_bound( value ) ), 4 ); break;
	case 'l': bvhtml_print_number( text, bvbase_round_down( value, digits_of_bound( value ) ), 4 ); break;
	default: bvhtml_print_number( text, value, 4 ); break;
	}
	bvexport_output_text( out, text );
}

void bvhtml_put( const bvhtml_page* page, const char* format, ... )
{
	bvexport_output* out = page->out;
	va_list values;
	va_start( values, format );
	for ( const char* c = format; *c; )
	{
		size_t plain = strcspn( c, "$" );
		bvexport_output_bytes( out, c, plain );
		c += plain;
		if ( !*c )
		{
			break;
		}
		char kind = c[1];
		if ( kind == 's' || kind == 'r' )
		{
			const char* text = va_arg( values, const char* );
			if ( kind == 's' )
			{
				bvhtml_escape( out, text, strlen( text ) );
			}
			else
			{
				bvexport_output_text( out, text );
			}
		}
		else if ( kind == 'v' || kind == 'k' )
		{
			put_value( out, va_arg( values, const cJSON* ), kind == 'k' );
		}
		else if ( kind == '$' )
		{
			bvexport_output_text( out, "$" );
		}
		else
		{
			put_number( out, kind, va_arg( values, double ) );
		}
		c += 2;
	}
	va_end( values );
}

const char* bvhtml_unit_of( const bvhtml_page* page, int power )
{
	static const char* const names[] = { "mesh units", "square units", "cubic units" };
	const char* suffix = bvhtml_suffix( page, power );
	return *suffix ? suffix + 1 : names[power - 1];
}

const char* bvhtml_suffix( const bvhtml_page* page, int power )
{
	static const struct
	{
		const char* unit;
		const char* powers[3];
	} known[] = {
		{ "m", { " m", " m²", " m³" } },
		{ "cm", { " cm", " cm²", " cm³" } },
		{ "mm", { " mm", " mm²", " mm³" } },
	};
	for ( size_t i = 0; i < sizeof known / sizeof *known; ++i )
	{
		if ( strcmp( page->unit, known[i].unit ) == 0 )
		{
			return known[i].powers[power - 1];
		}
	}
	return "";
}
