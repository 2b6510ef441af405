// What is unlike in two files. See unlike.h.

#include "offline/report/unlike.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const cJSON* get( const cJSON* from, const char* key )
{
	return cJSON_GetObjectItemCaseSensitive( from, key );
}

static const char* text_of( const cJSON* from, const char* key )
{
	const char* text = cJSON_GetStringValue( get( from, key ) );
	return text ? text : "";
}

// A parameter's value; `otherwise` if the file does not record it.
static const char* option_of( const cJSON* report, const char* name, const char* otherwise )
{
	const char* value = text_of( get( get( report, "tool" ), "parameters" ), name );
	return *value ? value : otherwise;
}

// The unit of a report's lengths in words.
typedef struct unit_words
{
	char text[96];
} unit_words;

static unit_words unit_of( const cJSON* report )
{
	unit_words out;
	const char* known = text_of( get( report, "mesh" ), "unit" );
	const char* scale = option_of( report, "scale", "1" );
	bool scaled = strcmp( scale, "1" ) != 0;
	bool metric = *option_of( report, "units", "" );
	if ( strcmp( option_of( report, "normalize", "0" ), "0" ) != 0 )
	{
		snprintf( out.text, sizeof out.text, "half the diagonal (normalize)" );
	}
	else
	{
		snprintf( out.text, sizeof out.text, "%s%s%.24s",
		          *known   ? known
		          : metric ? "m"
		                   : "the source's units",
		          scaled && !*known ? " times " : "", scaled && !*known ? scale : "" );
	}
	return out;
}

bool bvreport_have_same_unit( const cJSON* before, const cJSON* after )
{
	return strcmp( unit_of( before ).text, unit_of( after ).text ) == 0;
}

__attribute__( ( format( printf, 4, 5 ) ) ) static void add( bvreport_json_writer* w, cJSON* list,
                                                             const char* key, const char* format, ... )
{
	char text[400];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	cJSON* item = bvreport_json_append( w, list, cJSON_CreateObject() );
	bvreport_json_put_string( w, item, "key", key );
	bvreport_json_put_string( w, item, "text", text );
}

static void add_source( bvreport_json_writer* w, cJSON* list, const cJSON* before, const cJSON* after )
{
	const cJSON* a = get( before, "source" );
	const cJSON* b = get( after, "source" );
	const char* name = text_of( a, "name" );
	const char* other = text_of( b, "name" );
	if ( strcmp( text_of( a, "hash" ), text_of( b, "hash" ) ) == 0 )
	{
		return;
	}
	if ( strcmp( name, other ) == 0 )
	{
		add( w, list, "source", "the content of %.80s changed", *name ? name : "the source" );
	}
	else
	{
		add( w, list, "source", "different sources, %.80s and %.80s", *name ? name : "unnamed",
		     *other ? other : "unnamed" );
	}
}

// An option that is another in the two files.
static void add_option( bvreport_json_writer* w, cJSON* list, const cJSON* before, const cJSON* after,
                        const char* key, const char* option, const char* otherwise, const char* what )
{
	const char* a = option_of( before, option, otherwise );
	const char* b = option_of( after, option, otherwise );
	if ( strcmp( a, b ) != 0 )
	{
		add( w, list, key, "different %s, %.24s and %.24s", what, a, b );
	}
}

void bvreport_put_unlike( bvreport_json_writer* w, cJSON* to, const char* key, const cJSON* before,
                          const cJSON* after )
{
	cJSON* list = bvreport_json_put_array( w, to, key );
	add_source( w, list, before, after );
	if ( !bvreport_have_same_unit( before, after ) )
	{
		add( w, list, "units", "different units of length, %s and %s", unit_of( before ).text,
		     unit_of( after ).text );
	}
	else
	{
		add_option( w, list, before, after, "units", "units", "none", "units in the sources" );
	}
	add_option( w, list, before, after, "axes", "up", "y", "up axes" );
	add_option( w, list, before, after, "positions", "positions", "float", "forms of positions" );
}

bvreport_dimension bvreport_find_dimension( const char* key, bvreport_dimension of )
{
	static const char* const plain[] = {
		"cost",  "fit",      "overlap", "relative", "ratio",    "sah",   "occupancy",
		"axes",  "removed",  "degrees", "types",    "vertices", "faces", "triangles",
		"edges", "polygons", "parts",   "k",        "enclosed", "hulls", "file",
	};
	static const char* const lengths[] = {
		"area",
		"volume",
		"center_of_mass",
		"inertia",
		"principal",
		"surface",
		"body",
		"bounds",
		"recognised",
		"hausdorff",
		"cut",
		"diameter",
		"decomposition",
		"proxy",
		"root",
		"largest_displacement",
		"offset",
	};
	bool none = of == bvreport_dimension_none;
	for ( size_t i = 0; i < sizeof plain / sizeof *plain; ++i )
	{
		none = none || strcmp( plain[i], key ) == 0;
	}
	bool length = of == bvreport_dimension_length;
	for ( size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i )
	{
		length = length || strcmp( lengths[i], key ) == 0;
	}
	return none ? bvreport_dimension_none : length ? bvreport_dimension_length : bvreport_dimension_unknown;
}
