// Names by which engines know collision shapes, and places in coordinates of the source. See bvbuild/export.h.
//
// Unreal ("Static Mesh pipeline, collision"): UCX_NAME_00 is a convex shape of the object NAME in the same file, UBX_, USP_ and UCP_ are a box,
// a sphere and a capsule. Godot ("Node type customization using name suffixes"): NAME-convcolonly is a convex shape and NAME-colonly a
// mesh; numbers after a dot are ignored, as modeling programs add them to copies. Unity has no names of its own: shapes are children of NAME,
// and called NAME_collider.

#include "bvbuild/asset.h"
#include "bvbuild/export.h"
#include "offline/base/clean.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	most_name_bytes = 96, // with what is before and behind it, an object's name has room for them
};

// How an engine calls an object that collides.
typedef struct naming
{
	const char* name;
	const char* summary;
	void ( *write )( char* out, size_t size, const char* name, const bvb_export_object* object,
	                 uint32_t index );
	bool has_meshes; // shapes need not be convex
	bool has_parent; // shapes are children of an object with the source's name
} naming;

// The number of a copy, except for the first one.
static void add_copy( char* out, size_t size, uint32_t index )
{
	size_t length = strlen( out );
	if ( index > 0 )
	{
		snprintf( out + length, size - length, ".%03u", index );
	}
}

static void write_unreal( char* out, size_t size, const char* name, const bvb_export_object* object,
                          uint32_t index )
{
	const char* prefix = "UCX";
	if ( object->collider == bvb_collider_primitive && object->primitive )
	{
		bv_primitive_kind kind = object->primitive->kind;
		prefix = kind == bv_primitive_box       ? "UBX"
		         : kind == bv_primitive_sphere  ? "USP"
		         : kind == bv_primitive_capsule ? "UCP"
		                                        : "UCX";
	}
	snprintf( out, size, "%s_%s_%02u", prefix, name, index );
}

static void write_godot( char* out, size_t size, const char* name, const bvb_export_object* object,
                         uint32_t index )
{
	snprintf( out, size, "%s-%s", name, object->collider == bvb_collider_mesh ? "colonly" : "convcolonly" );
	add_copy( out, size, index );
}

static void write_unity( char* out, size_t size, const char* name, const bvb_export_object* object,
                         uint32_t index )
{
	snprintf( out, size, "%s_%s", name, object->collider == bvb_collider_mesh ? "meshcollider" : "collider" );
	add_copy( out, size, index );
}

static const naming namings[] = {
	{ "plain", "part_0, hull, mesh", NULL, true, false },
	{ "unreal", "UCX_NAME_00, and UBX_, USP_, UCP_ for primitives", write_unreal, false, false },
	{ "godot", "NAME-convcolonly, NAME-colonly", write_godot, true, false },
	{ "unity", "NAME_collider, NAME_meshcollider, children of NAME", write_unity, true, true },
};

static const naming* find_naming( const char* name )
{
	for ( size_t i = 0; i < sizeof namings / sizeof *namings; ++i )
	{
		if ( strcmp( namings[i].name, name ) == 0 )
		{
			return namings + i;
		}
	}
	return NULL;
}

const char* bvb_export_naming( uint32_t index, const char** summary )
{
	if ( index >= sizeof namings / sizeof *namings )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = namings[index].summary;
	}
	return namings[index].name;
}

// @return the length of a text that is cut to this many bytes, not within a character
static size_t cut( const char* text, size_t length )
{
	if ( length > most_name_bytes )
	{
		for ( length = most_name_bytes; length > 0 && ( text[length] & 0xc0 ) == 0x80; --length )
		{
		}
	}
	return length;
}

// Without what ends a name in OBJ or a text in JSON.
static void copy_name( bv_text from, char out[most_name_bytes + 1] )
{
	char source[most_name_bytes + 1];
	char clean[3 * most_name_bytes];
	size_t length = cut( from.data, from.length );
	memcpy( source, from.data, length );
	source[length] = 0;
	length = cut( clean, bvbase_clean_text( source, clean ) );
	for ( size_t i = 0; i < length; ++i )
	{
		out[i] = strchr( " \"\\/", clean[i] ) ? '_' : clean[i];
	}
	out[length] = 0;
}

static bool is_equal( bv_text a, bv_text b )
{
	return a.length == b.length && memcmp( a.data, b.data, a.length ) == 0;
}

static bv_text without_extension( bv_text name )
{
	for ( size_t i = name.length; i > 1; --i )
	{
		if ( name.data[i - 1] == '.' )
		{
			return ( bv_text ){ name.data, i - 1 };
		}
	}
	return name;
}

// The name of the object that all triangles are of, else that of the source file, without its extension.
static void find_name( const bv_file* file, char out[most_name_bytes + 1] )
{
	bv_triangle_source first;
	bv_triangle_source other;
	uint32_t triangles = bv_file_get_mesh( file ).triangles;
	bool is_one = bv_file_get_source( file, 0, &first ) && first.object.length > 0;
	for ( uint32_t i = 1; is_one && i < triangles; ++i )
	{
		is_one = bv_file_get_source( file, i, &other ) && is_equal( first.object, other.object );
	}
	bv_text name = is_one ? first.object : without_extension( bv_file_get_origin( file ).source_name );
	copy_name( name, out );
	if ( !*out )
	{
		snprintf( out, most_name_bytes, "mesh" );
	}
}

// What bvb_mesh_record did to the source's positions.
typedef struct placing
{
	bvb_up up;
	double scale;
} placing;

static bool find_parameter( bv_text parameters, const char* name, bv_text* value )
{
	return bvb_find_parameter( parameters, ( bv_text ){ name, strlen( name ) }, value );
}

// @param words  the values that the parameter can have
// @param none   where it has none of them
// @return the index of its value
static uint32_t find_word( bv_text parameters, const char* name, const char* words( uint32_t ),
                           uint32_t none )
{
	bv_text value;
	bool is_there = find_parameter( parameters, name, &value );
	for ( uint32_t i = 0; is_there && words( i ); ++i )
	{
		if ( is_equal( value, ( bv_text ){ words( i ), strlen( words( i ) ) } ) )
		{
			return i;
		}
	}
	return none;
}

static bv_status find_placing( const bv_file* file, placing* out, bvb_error* error )
{
	bv_text value;
	bv_text parameters = bv_file_get_origin( file ).parameters;
	bvb_record_options options = bvb_record_options_default();
	*out = ( placing ){ options.up, options.scale };
	if ( find_parameter( parameters, "normalize", &value ) && !( value.length == 1 && *value.data == '0' ) )
	{
		return bvbase_fail( error, bv_error_input,
		                    "was built with --normalize: where the source has its shapes is not known" );
	}
	options.up = (bvb_up)find_word( parameters, "up", bvb_up_name, bvb_up_y );
	// Names of units begin with that of the unit 1.
	options.units = (bvb_units)( find_word( parameters, "units", bvb_units_name, UINT32_MAX ) + 1 );
	if ( find_parameter( parameters, "scale", &value ) )
	{
		bvbase_read_number( value.data, value.data + value.length, &options.scale );
	}
	*out = ( placing ){ options.up, bvb_record_scale( &options ) };
	return out->scale > 0 && isfinite( out->scale )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_input, "its scale is not a positive number" );
}

static bv_vec3 put_back( const placing* p, bv_vec3 x )
{
	x = ( bv_vec3 ){ x.x / p->scale, x.y / p->scale, x.z / p->scale };
	return p->up == bvb_up_z        ? ( bv_vec3 ){ x.x, -x.z, x.y }
	       : p->up == bvb_up_y_to_z ? ( bv_vec3 ){ x.x, x.z, -x.y }
	                                : x;
}

static void put_objects_back( const placing* p, bvb_export* objects )
{
	objects->offset = put_back( p, objects->offset );
	for ( uint32_t i = 0; i < objects->object_count; ++i )
	{
		bvb_export_object* object = objects->objects + i;
		object->standoff /= p->scale;
		for ( uint32_t k = 0; k < object->mesh.vertex_count; ++k )
		{
			object->mesh.positions[k] = put_back( p, object->mesh.positions[k] );
		}
	}
}

bv_status bvb_export_rename( const bv_file* file, const char* how, bvb_arena* arena, bvb_export* objects,
                             bvb_error* error )
{
	const naming* n = find_naming( how );
	char name[most_name_bytes + 1];
	placing p;
	if ( !n )
	{
		return bvbase_fail( error, bv_error_argument, "unknown naming '%s'", how );
	}
	if ( !n->write )
	{
		return bv_ok;
	}
	for ( uint32_t i = 0; i < objects->object_count; ++i )
	{
		const bvb_export_object* object = objects->objects + i;
		if ( !object->can_be_named )
		{
			return bvbase_fail( error, bv_error_argument,
			                    "--naming needs mesh, hull, parts, proxy, primitive or body" );
		}
		if ( object->collider == bvb_collider_mesh && !n->has_meshes )
		{
			return bvbase_fail( error, bv_error_argument, "%s has no names for shapes that are not convex",
			                    n->name );
		}
	}
	bv_status status = find_placing( file, &p, error );
	if ( status != bv_ok )
	{
		return status;
	}
	find_name( file, name );
	put_objects_back( &p, objects );
	uint32_t index = 0;
	for ( uint32_t i = 0; i < objects->object_count; ++i )
	{
		bvb_export_object* object = objects->objects + i;
		if ( object->collider == bvb_collider_none )
		{
			snprintf( object->name, sizeof object->name, "%s", name );
		}
		else
		{
			n->write( object->name, sizeof object->name, name, object, index++ );
		}
		// Shapes are triangles, whatever they were made from.
		object->primitive = NULL;
	}
	objects->body = NULL;
	if ( n->has_parent )
	{
		char* parent = bvb_arena_allocate( arena, sizeof name, 1 );
		if ( !parent )
		{
			return bvbase_fail_memory( error );
		}
		memcpy( parent, name, sizeof name );
		objects->parent = parent;
	}
	return bv_ok;
}
