// What can be exported, and the formats that it can be written in. See bvbuild/export.h.

#include "bvbuild/export.h"

#include "formats/gltf/write.h"
#include "formats/obj/write.h"
#include "formats/ply/write.h"
#include "formats/urdf/write.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/export/export.h"

#include <math.h>
#include <string.h>

// Something that can be exported.
typedef struct export_content
{
	const char* name;
	const char* summary;
	bvexport_gather_function* gather;
	bv_status ( *parse )( const char* text, bvexport_value* out, bvb_error* error ); // null without a value
} export_content;

static bv_status parse_level( const char* text, bvexport_value* out, bvb_error* error )
{
	size_t digits = strspn( text, "0123456789" );
	if ( digits == 0 || digits > 9 || text[digits] )
	{
		return bvbase_fail( error, bv_error_argument, "level: '%s' is not a whole number", text );
	}
	for ( size_t i = 0; i < digits; ++i )
	{
		out->level = 10 * out->level + (uint32_t)( text[i] - '0' );
	}
	return bv_ok;
}

static bv_status parse_cut( const char* text, bvexport_value* out, bvb_error* error )
{
	const char* end = text + strlen( text );
	const char* rest = bvbase_read_number( text, end, &out->error );
	out->percent = rest && *rest == '%';
	bool complete = rest && rest + out->percent == end;
	return complete && out->error >= 0 && isfinite( out->error )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument,
	                          "cut: '%s' is not a length or percentage of 0 or more", text );
}

static bv_status parse_shape( const char* text, bvexport_value* out, bvb_error* error )
{
	static const char* const names[] = { "primitive", "parts", "hull", "mesh" };
	for ( uint32_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		if ( strcmp( names[i], text ) == 0 )
		{
			out->shape = (bvexport_shape)( bvexport_shape_primitive + i );
			return bv_ok;
		}
	}
	return bvbase_fail( error, bv_error_argument, "body: '%s' is not one of primitive, parts, hull, mesh",
	                    text );
}

static const export_content contents[] = {
	{ "mesh", "the triangles of the mesh", bvexport_gather_mesh, NULL },
	{ "hull", "the convex hull", bvexport_gather_hull, NULL },
	{ "parts", "the convex parts, one object per part", bvexport_gather_parts, NULL },
	{ "proxy", "the proxy mesh", bvexport_gather_proxy, NULL },
	{ "level=N", "the volumes of level N and of the leaves above it", bvexport_gather_level, parse_level },
	{ "cut=LENGTH", "the coarsest volumes whose solid error is at most LENGTH", bvexport_gather_cut,
	  parse_cut },
	{ "cut=N%", "the same, in percent of the diameter of the root's volume", bvexport_gather_cut, parse_cut },
	{ "bounds", "the box, sphere, 26-DOP and other volumes around the whole mesh", bvexport_gather_bounds,
	  NULL },
	{ "primitive", "the box, sphere, capsule or cylinder that the mesh was recognized as",
	  bvexport_gather_primitive, NULL },
	{ "body",
	  "a rigid body with its mass; it collides as the primitive, else the parts, the hull or the mesh",
	  bvexport_gather_body, NULL },
	{ "body=SHAPE", "the same, colliding as SHAPE: primitive, parts, hull or mesh", bvexport_gather_body,
	  parse_shape },
};

// A format that can be written.
typedef struct format
{
	const char* extension;
	const char* summary;
	// One of the two is null.
	bv_status ( *write )( const bvb_export* from, bvb_arena* arena, const void** data, size_t* size,
	                      bvb_error* error );
	bv_status ( *write_files )( const bvb_export* from, const char* path, bvb_arena* arena,
	                            bvb_export_files* out, bvb_error* error );
	bool knows_bodies; // else it gets what collides
} format;

static const format formats[] = {
	{ "obj", "Wavefront OBJ; coordinates are exact", bvobj_write_obj, NULL, false },
	{ "ply", "binary PLY with colors; coordinates are exact", bvply_write_ply, NULL, false },
	{ "glb", "binary glTF 2.0 with colors; quantized positions are rounded to float", bvgltf_write_glb, NULL,
	  true },
	{ "urdf", "a body as the link of a robot, with OBJ files in the same folder", NULL, bvurdf_write_urdf,
	  true },
};

enum
{
	content_count = sizeof contents / sizeof contents[0],
	format_count = sizeof formats / sizeof formats[0],
};

const char* bvb_export_name( uint32_t index, const char** summary )
{
	if ( index >= content_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = contents[index].summary;
	}
	return contents[index].name;
}

const char* bvb_export_format( uint32_t index, const char** summary )
{
	if ( index >= format_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = formats[index].summary;
	}
	return formats[index].extension;
}

// The row of a name, with its value. Where names agree up to the equals sign, so do what they take.
static bv_status find_content( const char* what, const export_content** row, bvexport_value* value,
                               bvb_error* error )
{
	*value = ( bvexport_value ){ 0 };
	size_t length = strcspn( what, "=" );
	for ( int i = 0; i < content_count; ++i )
	{
		const export_content* c = contents + i;
		if ( strcspn( c->name, "=" ) == length && memcmp( c->name, what, length ) == 0 &&
		     ( c->parse || !what[length] ) )
		{
			*row = c;
			return c->parse ? c->parse( what + length + ( what[length] != 0 ), value, error ) : bv_ok;
		}
	}
	return bvbase_fail( error, bv_error_argument, "unknown content for --export '%s' (--help=all lists all)",
	                    what );
}

bv_status bvb_export_check( const char* what, bvb_error* error )
{
	const export_content* row;
	bvexport_value value;
	return find_content( what, &row, &value, error );
}

bv_status bvb_export_gather( const bv_file* file, const char* what, bvb_arena* arena, bvb_export* out,
                             bvb_error* error )
{
	const export_content* row;
	bvexport_value value;
	*out = ( bvb_export ){ 0 };
	bv_status status = find_content( what, &row, &value, error );
	status = status == bv_ok ? row->gather( file, &value, arena, out, error ) : status;
	out->offset = bv_file_get_offset( file );
	return status;
}

// Letters without their case, whatever the locale.
static bool is_equal( const char* a, const char* b )
{
	while ( *a && ( *a >= 'A' && *a <= 'Z' ? *a + ( 'a' - 'A' ) : *a ) == *b )
	{
		++a;
		++b;
	}
	return *a == *b;
}

// By what follows the last dot of the last part of the path.
static const format* find_format( const char* path )
{
	const char* slash = strrchr( path, '/' );
	const char* dot = strrchr( slash ? slash : path, '.' );
	for ( int i = 0; dot && i < format_count; ++i )
	{
		if ( is_equal( dot + 1, formats[i].extension ) )
		{
			return formats + i;
		}
	}
	return NULL;
}

bool bvb_export_knows( const char* path )
{
	return find_format( path );
}

bv_status bvb_export_encode( const bvb_export* from, const char* path, bvb_arena* arena,
                             bvb_export_files* out, bvb_error* error )
{
	const format* found = find_format( path );
	bvb_export objects = *from;
	*out = ( bvb_export_files ){ 0 };
	if ( !found )
	{
		return bvbase_fail( error, bv_error_unsupported, "%s: cannot write this format", path );
	}
	if ( found->write_files )
	{
		return found->write_files( from, path, arena, out, error );
	}
	if ( from->body && !found->knows_bodies )
	{
		objects.object_count = from->body->colliders;
		objects.body = NULL;
	}
	*out = ( bvb_export_files ){ bvb_arena_allocate( arena, 1, sizeof *out->files ), 1 };
	if ( !out->files )
	{
		return bvbase_fail_memory( error );
	}
	out->files->path = path;
	return found->write( &objects, arena, &out->files->data, &out->files->size, error );
}
