// X3D documents before Assimp sees them. See x3d.h; the format is that of the Web3D Consortium, ISO/IEC 19776-1,
// "X3D encodings: XML encoding".

#include "formats/assimp/x3d.h"

#include "offline/base/system.h"
#include "offline/import/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct x3d_reader
{
	bvimport_xml xml;
	char* data; // of the document
	bvimport_notes* lost;
	bool is_included; // of an Inline that begins: Assimp reads its file
	bool is_refused;
	bvb_error error;
} x3d_reader;

// Text of the document.
typedef struct x3d_text
{
	char* begin;
	char* end;
} x3d_text;

// Where an element has begun.
typedef struct x3d_element
{
	char name[64];
	uint64_t line;
} x3d_element;

// Nodes whose children Assimp reads.
static const char* const groups[] = { "X3D", "Scene", "Group", "StaticGroup", "Transform" };

// Definitions, which are no part of the scene.
static const char* const definitions[] = { "head", "ProtoDeclare", "ExternProtoDeclare" };

// What a shape may have: that Assimp reads, or that has no faces.
static const char* const read[] = {
	"Appearance",     "Arc2D",
	"ArcClose2D",     "Box",
	"Circle2D",       "Cone",
	"Cylinder",       "Disk2D",
	"ElevationGrid",  "Extrusion",
	"IndexedFaceSet", "IndexedLineSet",
	"LineSet",        "IndexedTriangleFanSet",
	"PointSet",       "IndexedTriangleSet",
	"Polyline2D",     "IndexedTriangleStripSet",
	"Polypoint2D",    "Rectangle2D",
	"Sphere",         "TriangleFanSet",
	"TriangleSet",    "TriangleSet2D",
};

static bool is_one_of( const char* name, const char* const* names, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( strcmp( name, names[i] ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// Attributes that are numbers, where Assimp takes 0 for any other text.
static const char* const numbers[] = {
	"center", "coordIndex", "crossSection", "fanCount",    "height",
	"index",  "point",      "rotation",     "scale",       "scaleOrientation",
	"size",   "spine",      "stripCount",   "translation", "vertices",
};

#define IS_ONE_OF( name, names ) is_one_of( name, names, sizeof names / sizeof *names )

static bool has_only_numbers( const char* at, const char* end )
{
	static const char kinds[] = "0123456789+-.eE, \t\r\n";
	while ( at < end && *at && strchr( kinds, *at ) )
	{
		++at;
	}
	return at == end;
}

static void blank_commas( char* at, char* end )
{
	while ( at < end )
	{
		char quote = *at++;
		char* close = quote == '"' || quote == '\'' ? memchr( at, quote, (size_t)( end - at ) ) : NULL;
		if ( !close )
		{
			continue;
		}
		for ( char* c = has_only_numbers( at, close ) ? at : close; c < close; ++c )
		{
			*c = *c == ',' ? ' ' : *c;
		}
		at = close + 1;
	}
}

static bv_status check_numbers( x3d_reader* r )
{
	bvimport_xml_span rest = r->xml.attributes;
	bvimport_xml_span name;
	bvimport_xml_span value;
	while ( bvimport_xml_next_attribute( &rest, &name, &value ) )
	{
		if ( IS_ONE_OF( name.data, numbers ) && !has_only_numbers( value.data, value.data + value.length ) )
		{
			r->is_refused = true;
			return bvimport_text_fail( &r->xml.text, bv_error_input, "%.*s: %s is not all numbers",
			                           (int)( r->xml.name.length < 60 ? r->xml.name.length : 60 ),
			                           r->xml.name.data, name.data );
		}
	}
	return bv_ok;
}

// @param at  begins at '<'
// @return the text of an attribute; `begin` is null if the attribute is missing
static x3d_text find_written( char* at, char* end, const char* name )
{
	size_t length = strlen( name );
	for ( char* word = at + 1; word < end; )
	{
		char* equals = memchr( word, '=', (size_t)( end - word ) );
		char* quote = equals;
		while ( quote && quote < end && *quote != '"' && *quote != '\'' )
		{
			++quote;
		}
		char* close = quote && quote < end ? memchr( quote + 1, *quote, (size_t)( end - quote - 1 ) ) : NULL;
		if ( !close )
		{
			break;
		}
		while ( equals > word && strchr( " \t\r\n", equals[-1] ) )
		{
			--equals;
		}
		if ( (size_t)( equals - word ) > length && memcmp( equals - length, name, length ) == 0 &&
		     strchr( " \t\r\n", equals[-(ptrdiff_t)length - 1] ) )
		{
			return ( x3d_text ){ quote + 1, close };
		}
		word = close + 1;
	}
	return ( x3d_text ){ NULL, NULL };
}

// The first of the strings that an Inline has for the place of its file, or all where there are no quotes.
static bvimport_xml_span find_url( const x3d_reader* r )
{
	bvimport_xml_span url = bvimport_xml_find( &r->xml, "url" );
	const char* quote = url.data ? strchr( url.data, '"' ) : NULL;
	if ( quote )
	{
		url = ( bvimport_xml_span ){ quote + 1, strcspn( quote + 1, "\"" ) };
	}
	return url;
}

// Assimp reads files next to the document, whose names are written without quotes. The name of another is taken
// from it, which else it would reject.
static void change_url( x3d_reader* r, char* at, char* end )
{
	static const char ending[] = ".x3d";
	const size_t ending_length = sizeof ending - 1;
	bvimport_xml_span url = find_url( r );
	x3d_text written = find_written( at, end, "url" );
	size_t room = (size_t)( written.end - written.begin );
	r->is_included = true;
	if ( !url.data || !written.begin )
	{
		return;
	}
	r->is_included = url.length > ending_length && url.length <= room &&
	                 strncasecmp( url.data + url.length - ending_length, ending, ending_length ) == 0 &&
	                 strcspn( url.data, " \t\r\n:<>&%'#?" ) >= url.length;
	memset( written.begin, ' ', room );
	if ( r->is_included )
	{
		memcpy( written.begin, url.data, url.length );
	}
}

// Goes to the next event, and changes its tag in the document.
static bv_status next( x3d_reader* r, bvimport_xml_event* event )
{
	static const char lines[] = "LineSet";
	static const char ignored[] = "QuadSet";
	bv_status status = bvimport_xml_next( &r->xml, event );
	if ( status != bv_ok || *event == bvimport_xml_done )
	{
		return status;
	}
	char* at = r->data + ( r->xml.tag.data - r->data );
	char* end = at + r->xml.tag.length;
	blank_commas( at, end );
	if ( *event == bvimport_xml_begin && bvimport_xml_is( r->xml.name, "Inline" ) )
	{
		change_url( r, at, end );
	}
	if ( bvimport_xml_is( r->xml.name, lines ) )
	{
		at = bvbase_memory_find( at, (size_t)( end - at ), lines, sizeof lines - 1 );
		memcpy( at ? at : end, ignored, at ? sizeof ignored - 1 : 0 );
	}
	return *event == bvimport_xml_begin ? check_numbers( r ) : bv_ok;
}

static x3d_element get_element( const x3d_reader* r )
{
	x3d_element e = { .line = r->xml.text.line };
	size_t length = r->xml.name.length < sizeof e.name ? r->xml.name.length : sizeof e.name - 1;
	memcpy( e.name, r->xml.name.data, length );
	return e;
}

static void lose( x3d_reader* r, const x3d_element* e, const char* what )
{
	bvimport_notes_add( r->lost, 1, "line %llu: %s %s", (unsigned long long)e->line, e->name, what );
}

// Visits the child elements of the current element.
// @param each  called at the start of each child; it reads up to the end of the child
typedef bv_status x3d_visit( x3d_reader* r, void* context );

static bv_status visit_children( x3d_reader* r, x3d_visit* each, void* context )
{
	uint32_t outer = r->xml.depth;
	bv_status status = bv_ok;
	while ( status == bv_ok && r->xml.depth >= outer )
	{
		bvimport_xml_event event;
		status = next( r, &event );
		if ( status == bv_ok && event == bvimport_xml_begin )
		{
			status = each( r, context );
		}
	}
	return status;
}

// @param context  bool, becomes true where a node places geometry
static bv_status find_geometry( x3d_reader* r, void* context )
{
	static const char* const placing[] = { "Shape", "ProtoInstance", "Inline" };
	bool* has_some = context;
	x3d_element e = get_element( r );
	*has_some = *has_some || IS_ONE_OF( e.name, placing );
	return visit_children( r, find_geometry, context );
}

// @param context  the geometry
static bv_status visit_coordinates( x3d_reader* r, void* context )
{
	x3d_element e = get_element( r );
	if ( strcmp( e.name, "CoordinateDouble" ) == 0 || strcmp( e.name, "GeoCoordinate" ) == 0 )
	{
		lose( r, &e, "is not read by Assimp" );
	}
	return visit_children( r, visit_coordinates, context );
}

static bool is_metadata( const char* name )
{
	return strncmp( name, "Metadata", 8 ) == 0;
}

static bv_status visit_geometry( x3d_reader* r, void* context )
{
	x3d_element e = get_element( r );
	if ( !IS_ONE_OF( e.name, read ) && !is_metadata( e.name ) )
	{
		lose( r, &e, "is not read by Assimp" );
	}
	return visit_children( r, visit_coordinates, context );
}

static bv_status visit( x3d_reader* r, void* context );

// @param context  int64_t, how many children come before the one that is chosen
static bv_status visit_choice( x3d_reader* r, void* context )
{
	x3d_element e = get_element( r );
	int64_t* before = context;
	bool unused = false;
	if ( is_metadata( e.name ) && *before >= 0 )
	{
		lose( r, &e, "makes Assimp read another child of the Switch" );
	}
	*before -= !is_metadata( e.name );
	return *before == -1 && !is_metadata( e.name ) ? visit( r, NULL )
	                                               : visit_children( r, find_geometry, &unused );
}

// Of the scene.
static bv_status visit( x3d_reader* r, void* context )
{
	x3d_element e = get_element( r );
	if ( strcmp( e.name, "Shape" ) == 0 )
	{
		return visit_children( r, visit_geometry, context );
	}
	if ( strcmp( e.name, "Switch" ) == 0 )
	{
		bvimport_xml_span which = bvimport_xml_find( &r->xml, "whichChoice" );
		int64_t before = which.data ? strtol( which.data, NULL, 10 ) : -1;
		return visit_children( r, visit_choice, &before );
	}
	if ( IS_ONE_OF( e.name, groups ) )
	{
		return visit_children( r, visit, context );
	}
	if ( strcmp( e.name, "Inline" ) == 0 && !r->is_included )
	{
		bvimport_xml_span url = find_url( r );
		bvimport_notes_add( r->lost, 1, "line %llu: the included file %.*s is not read",
		                    (unsigned long long)e.line, (int)( url.length < 80 ? url.length : 80 ),
		                    url.data );
	}
	bool has_some = strcmp( e.name, "ProtoInstance" ) == 0;
	bv_status status = visit_children( r, find_geometry, &has_some );
	if ( status == bv_ok && has_some && !IS_ONE_OF( e.name, definitions ) )
	{
		lose( r, &e, "and what is in it are not read by Assimp" );
	}
	return status;
}

bool bvassimp_prepare_x3d( char* data, size_t size, bvimport_notes* lost, char reason[200] )
{
	x3d_reader r = { .data = data, .lost = lost };
	bv_status status = bvimport_xml_start( &r.xml, "", data, size, &r.error );
	if ( status != bv_ok )
	{
		bvassimp_leave_out_of_memory();
	}
	r.xml.any_type = true;
	bvimport_xml_event event = bvimport_xml_begin;
	while ( status == bv_ok && event != bvimport_xml_done )
	{
		status = next( &r, &event );
		if ( status == bv_ok && event == bvimport_xml_begin )
		{
			status = visit( &r, NULL );
		}
	}
	uint64_t line = r.xml.text.line;
	bvimport_xml_stop( &r.xml );
	if ( status == bv_error_memory )
	{
		bvassimp_leave_out_of_memory();
	}
	const char* space = strchr( r.error.message, ' ' ); // behind ":7:"
	if ( r.is_refused )
	{
		snprintf( reason, 200, "line %llu:%.150s", (unsigned long long)line, space );
	}
	else if ( status != bv_ok )
	{
		// Assimp's own parser is less strict.
		bvimport_notes_add( lost, 1, "line %llu:%.80s; what Assimp does not read behind it is not known",
		                    (unsigned long long)line, space );
	}
	return !r.is_refused;
}
