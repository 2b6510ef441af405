// Models of 3MF files in XML. See model.h; the formats are those of the 3MF Consortium, "3D Manufacturing Format
// Core Specification" 1.3 and "Production Extension" 1.1.2.

#include "formats/3mf/model.h"

#include "bvbuild/scene.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_parts = 4096,
	most_groups = 4096, // of materials
};

static const char core[] = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
static const char production[] = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";

// Required extensions that change no triangle of a mesh.
static const char* const harmless[] = {
	core,
	production,
	"http://schemas.microsoft.com/3dmanufacturing/material/2015/02",
	"http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07",
};

// A part while it is read.
typedef struct model_reader
{
	bv3mf_models* models;
	uint32_t part;
	char* data;
	size_t size;
	bvimport_xml xml;
	char file[1024];    // "FILE: PART", for messages
	char path_name[64]; // of the attribute "path" with the production extension's prefix; empty without one
} model_reader;

static bv_status fail_memory( const bv3mf_models* m )
{
	return bvbase_fail( m->error, bv_error_limit,
	                    "%s: the models need too much memory (raise the limit with --import-memory)",
	                    m->file );
}

static bv_status append( bv3mf_models* m, bv3mf_list* list, const void* item, size_t size )
{
	if ( list->count == list->room )
	{
		size_t room = list->room ? 2 * list->room : 64;
		uint64_t more = ( room - list->room ) * (uint64_t)size;
		if ( more > m->memory_left )
		{
			return fail_memory( m );
		}
		void* larger = bvbase_memory_resize( list->items, room, size );
		if ( !larger )
		{
			return bvbase_fail_memory( m->error );
		}
		m->memory_left -= more;
		list->items = larger;
		list->room = room;
	}
	memcpy( (char*)list->items + list->count++ * size, item, size );
	return bv_ok;
}

static bv_status copy_text( bv3mf_models* m, bvimport_xml_span value, char** out )
{
	*out = NULL;
	if ( value.length + 1 > m->memory_left )
	{
		return fail_memory( m );
	}
	*out = malloc( value.length + 1 );
	if ( !*out )
	{
		return bvbase_fail_memory( m->error );
	}
	m->memory_left -= value.length + 1;
	memcpy( *out, value.data, value.length );
	( *out )[value.length] = 0;
	return bv_ok;
}

static bv_status fail( const model_reader* r, const char* what )
{
	return bvimport_text_fail( &r->xml.text, bv_error_input, "%s", what );
}

static bv_status fail_attribute( const model_reader* r, const char* name, const char* what )
{
	return bvimport_text_fail( &r->xml.text, bv_error_input, "%.*s: %s %s", (int)r->xml.name.length,
	                           r->xml.name.data, name, what );
}

// @param otherwise  for an attribute that is not there; UINT32_MAX if it has to be
static bv_status read_whole( const model_reader* r, const char* name, uint32_t otherwise, uint32_t* out )
{
	bvimport_xml_span value = bvimport_xml_find( &r->xml, name );
	*out = otherwise;
	if ( !value.data )
	{
		return otherwise == UINT32_MAX ? fail_attribute( r, name, "is missing" ) : bv_ok;
	}
	uint64_t number = 0;
	bool good = value.length > 0;
	for ( size_t i = 0; i < value.length; ++i )
	{
		good = good && bvimport_text_is_digit( value.data[i] ) && number < UINT32_MAX;
		number = good ? 10 * number + (uint64_t)( value.data[i] - '0' ) : number;
	}
	*out = (uint32_t)number;
	return good && number < UINT32_MAX ? bv_ok : fail_attribute( r, name, "is not a whole number" );
}

static bv_status read_number( const model_reader* r, const char* name, double* out )
{
	bvimport_xml_span value = bvimport_xml_find( &r->xml, name );
	if ( !value.data )
	{
		return fail_attribute( r, name, "is missing" );
	}
	const char* end = value.data + value.length;
	return bvbase_read_number( value.data, end, out ) == end ? bv_ok
	                                                         : fail_attribute( r, name, "is not a number" );
}

static bv_status read_transform( const model_reader* r, bv3mf_transform* out )
{
	*out = ( bv3mf_transform ){ { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 } };
	bvimport_xml_span value = bvimport_xml_find( &r->xml, "transform" );
	const char* end = value.data ? value.data + value.length : NULL;
	const char* at = value.data;
	for ( int i = 0; i < 12 && value.data; ++i )
	{
		while ( at < end && ( bvimport_text_is_blank( *at ) || *at == '\n' ) )
		{
			++at;
		}
		at = bvbase_read_number( at, end, &out->m[i] );
		if ( !at || ( at < end && !bvimport_text_is_blank( *at ) && *at != '\n' ) )
		{
			return fail_attribute( r, "transform", "is not 12 numbers" );
		}
	}
	while ( value.data && at < end && ( bvimport_text_is_blank( *at ) || *at == '\n' ) )
	{
		++at;
	}
	return at == end || !value.data ? bv_ok : fail_attribute( r, "transform", "is not 12 numbers" );
}

const char* bv3mf_part_name( const bv3mf_models* m, uint32_t part )
{
	return ( (char**)m->parts.items )[part];
}

// The number of a part, which is read later if it is new.
static bv_status number_part( model_reader* r, bvimport_xml_span path, uint32_t* out )
{
	bv3mf_models* m = r->models;
	char* name;
	bv_status status = copy_text( m, path, &name );
	for ( *out = 0; status == bv_ok && *out < m->parts.count; ++*out )
	{
		if ( strcmp( bv3mf_part_name( m, *out ), name ) == 0 )
		{
			free( name );
			return bv_ok;
		}
	}
	if ( status == bv_ok && m->parts.count == most_parts )
	{
		status = bvimport_text_fail( &r->xml.text, bv_error_limit, "more than %d parts", most_parts );
	}
	status = status == bv_ok ? append( m, &m->parts, &name, sizeof name ) : status;
	if ( status != bv_ok )
	{
		free( name );
	}
	return status;
}

// Of a component or an item of the build.
static bv_status read_component( model_reader* r, bv3mf_list* to )
{
	bv3mf_component c = { .part = r->part, .line = r->xml.text.line };
	bv_status status = read_whole( r, "objectid", UINT32_MAX, &c.object );
	status = status == bv_ok ? read_transform( r, &c.transform ) : status;
	bvimport_xml_span path = { NULL, 0 };
	if ( *r->path_name )
	{
		path = bvimport_xml_find( &r->xml, r->path_name );
	}
	status = status == bv_ok && path.data ? number_part( r, path, &c.part ) : status;
	return status == bv_ok ? append( r->models, to, &c, sizeof c ) : status;
}

static bool is_core( const model_reader* r, const char* name )
{
	return r->xml.prefix.length == 0 && bvimport_xml_is( r->xml.name, name );
}

// Visits the child elements of the current element.
// @param each  called at the start of each child; it need not read up to the end of the child
typedef bv_status model_element( model_reader* r, void* context );

static bv_status read_children( model_reader* r, model_element* each, void* context )
{
	uint32_t outer = r->xml.depth;
	for ( ;; )
	{
		bvimport_xml_event event;
		bv_status status = bvimport_xml_next( &r->xml, &event );
		if ( status != bv_ok || ( event == bvimport_xml_end && r->xml.depth < outer ) )
		{
			return status;
		}
		if ( event == bvimport_xml_begin )
		{
			uint32_t depth = r->xml.depth;
			status = each( r, context );
			status = status == bv_ok && r->xml.depth == depth ? bvimport_xml_skip( &r->xml ) : status;
			if ( status != bv_ok )
			{
				return status;
			}
		}
	}
}

static bv_status read_vertex( model_reader* r, void* context )
{
	(void)context;
	bv_vec3 x;
	if ( !is_core( r, "vertex" ) )
	{
		return bv_ok;
	}
	bv_status status = read_number( r, "x", &x.x );
	status = status == bv_ok ? read_number( r, "y", &x.y ) : status;
	status = status == bv_ok ? read_number( r, "z", &x.z ) : status;
	return status == bv_ok ? append( r->models, &r->models->vertices, &x, sizeof x ) : status;
}

// What materials an object's triangles have, unless they say otherwise.
typedef struct model_mesh
{
	bv3mf_object object;
	uint32_t group; // 0 for none
	uint32_t index;
	bool has_mesh;
	bool has_components;
} model_mesh;

static uint32_t find_material( const model_reader* r, uint32_t group, uint32_t index )
{
	const bv3mf_group* groups = r->models->groups.items;
	for ( size_t i = r->models->groups.count; i-- > 0; )
	{
		if ( groups[i].part == r->part && groups[i].id == group )
		{
			return index < groups[i].count ? groups[i].first + index : BVB_NO_NAME;
		}
	}
	return BVB_NO_NAME;
}

static bv_status read_triangle( model_reader* r, void* context )
{
	const model_mesh* mesh = context;
	if ( !is_core( r, "triangle" ) )
	{
		return bv_ok;
	}
	static const char* const names[] = { "v1", "v2", "v3" };
	bv3mf_triangle t = { .material = BVB_NO_NAME };
	bv_status status = bv_ok;
	for ( int i = 0; i < 3 && status == bv_ok; ++i )
	{
		status = read_whole( r, names[i], UINT32_MAX, &t.corner[i] );
		if ( status == bv_ok && t.corner[i] >= r->models->vertices.count - mesh->object.first_vertex )
		{
			status = bvimport_text_fail(
				&r->xml.text, bv_error_input, "triangle refers to vertex %u of %llu", t.corner[i],
				(unsigned long long)( r->models->vertices.count - mesh->object.first_vertex ) );
		}
	}
	uint32_t group;
	uint32_t index;
	status = status == bv_ok ? read_whole( r, "pid", mesh->group, &group ) : status;
	status = status == bv_ok ? read_whole( r, "p1", mesh->index, &index ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	t.material = group > 0 ? find_material( r, group, index ) : BVB_NO_NAME;
	return append( r->models, &r->models->triangles, &t, sizeof t );
}

static bv_status read_mesh( model_reader* r, void* context )
{
	if ( is_core( r, "vertices" ) )
	{
		return read_children( r, read_vertex, NULL );
	}
	if ( is_core( r, "triangles" ) )
	{
		return read_children( r, read_triangle, context );
	}
	if ( bvimport_xml_is( r->xml.name, "beamlattice" ) )
	{
		bvimport_notes_add( &r->models->notes, 1, "%s line %llu: a beam lattice is not read",
		                    bv3mf_part_name( r->models, r->part ), (unsigned long long)r->xml.text.line );
	}
	return bv_ok;
}

static bv_status read_one_component( model_reader* r, void* context )
{
	(void)context;
	return is_core( r, "component" ) ? read_component( r, &r->models->components ) : bv_ok;
}

static bv_status read_shape( model_reader* r, void* context )
{
	model_mesh* mesh = context;
	if ( is_core( r, "mesh" ) )
	{
		mesh->has_mesh = true;
		return read_children( r, read_mesh, mesh );
	}
	if ( is_core( r, "components" ) )
	{
		mesh->has_components = true;
		return read_children( r, read_one_component, mesh );
	}
	return bv_ok;
}

static bv_status read_object( model_reader* r )
{
	bv3mf_models* m = r->models;
	model_mesh mesh = { .object = { .part = r->part,
		                            .line = r->xml.text.line,
		                            .first_vertex = m->vertices.count,
		                            .first_triangle = m->triangles.count,
		                            .first_component = m->components.count } };
	bv3mf_object* o = &mesh.object;
	bv_status status = read_whole( r, "id", UINT32_MAX, &o->id );
	status = status == bv_ok ? read_whole( r, "pid", 0, &mesh.group ) : status;
	status = status == bv_ok ? read_whole( r, "pindex", 0, &mesh.index ) : status;
	bvimport_xml_span name = bvimport_xml_find( &r->xml, "name" );
	if ( status == bv_ok && name.data )
	{
		status = copy_text( m, name, &o->name );
	}
	status = status == bv_ok ? read_children( r, read_shape, &mesh ) : status;
	o->vertex_count = m->vertices.count - o->first_vertex;
	o->triangle_count = m->triangles.count - o->first_triangle;
	o->component_count = m->components.count - o->first_component;
	if ( status == bv_ok && !mesh.has_mesh && !mesh.has_components )
	{
		bvimport_notes_add( &m->notes, 1, "%s line %llu: object %u has neither a mesh nor components",
		                    bv3mf_part_name( m, r->part ), (unsigned long long)o->line, o->id );
	}
	status = status == bv_ok ? append( m, &m->objects, o, sizeof *o ) : status;
	if ( status != bv_ok )
	{
		free( o->name );
	}
	return status;
}

static bv_status read_material( model_reader* r, void* context )
{
	(void)context;
	char* name;
	if ( !is_core( r, "base" ) )
	{
		return bv_ok;
	}
	bvimport_xml_span value = bvimport_xml_find( &r->xml, "name" );
	bv_status status = copy_text( r->models, value.data ? value : ( bvimport_xml_span ){ "", 0 }, &name );
	status = status == bv_ok ? append( r->models, &r->models->materials, &name, sizeof name ) : status;
	if ( status != bv_ok )
	{
		free( name );
	}
	return status;
}

static bv_status read_resource( model_reader* r, void* context )
{
	(void)context;
	if ( is_core( r, "object" ) )
	{
		return read_object( r );
	}
	if ( !is_core( r, "basematerials" ) )
	{
		return bv_ok;
	}
	bv3mf_group group = { .part = r->part, .first = (uint32_t)r->models->materials.count };
	bv_status status = read_whole( r, "id", UINT32_MAX, &group.id );
	status = status == bv_ok ? read_children( r, read_material, NULL ) : status;
	group.count = (uint32_t)r->models->materials.count - group.first;
	if ( status == bv_ok && r->models->groups.count == most_groups )
	{
		return bvimport_text_fail( &r->xml.text, bv_error_limit, "more than %d groups of materials",
		                           most_groups );
	}
	return status == bv_ok ? append( r->models, &r->models->groups, &group, sizeof group ) : status;
}

// The build of the root model is the only one that counts.
static bv_status read_item( model_reader* r, void* context )
{
	(void)context;
	return is_core( r, "item" ) && r->part == 0 ? read_component( r, &r->models->items ) : bv_ok;
}

static bv_status read_section( model_reader* r, void* context )
{
	return is_core( r, "resources" ) ? read_children( r, read_resource, context )
	       : is_core( r, "build" )   ? read_children( r, read_item, context )
	                                 : bv_ok;
}

// @param prefix  empty for the default
// @return the namespace of it
static bvimport_xml_span find_namespace( const model_reader* r, bvimport_xml_span prefix )
{
	char name[64];
	snprintf( name, sizeof name, "xmlns%s%.*s", prefix.length > 0 ? ":" : "",
	          (int)( prefix.length < 50 ? prefix.length : 50 ), prefix.data );
	return bvimport_xml_find( &r->xml, name );
}

static bv_status check_extension( const model_reader* r, bvimport_xml_span prefix )
{
	bvimport_xml_span space = find_namespace( r, prefix );
	for ( size_t i = 0; i < sizeof harmless / sizeof *harmless; ++i )
	{
		if ( bvimport_xml_is( space, harmless[i] ) )
		{
			return bv_ok;
		}
	}
	bvimport_xml_span shown = space.data ? space : prefix;
	return bvimport_text_fail( &r->xml.text, bv_error_unsupported,
	                           "the required extension %.*s is not supported",
	                           (int)( shown.length < 150 ? shown.length : 150 ), shown.data );
}

static bv_status check_extensions( const model_reader* r )
{
	bvimport_xml_span list = bvimport_xml_find( &r->xml, "requiredextensions" );
	const char* at = list.data;
	const char* end = list.data ? list.data + list.length : NULL;
	bv_status status = bv_ok;
	while ( list.data && at < end && status == bv_ok )
	{
		const char* word = at;
		while ( at < end && !bvimport_text_is_blank( *at ) && *at != '\n' )
		{
			++at;
		}
		status =
			at > word ? check_extension( r, ( bvimport_xml_span ){ word, (size_t)( at - word ) } ) : bv_ok;
		at += at < end;
	}
	return status;
}

// The prefix of the production extension, whose attribute "path" is read.
static void find_production( model_reader* r )
{
	bvimport_xml_span rest = r->xml.attributes;
	bvimport_xml_span name;
	bvimport_xml_span value;
	while ( bvimport_xml_next_attribute( &rest, &name, &value ) )
	{
		static const char space[] = "xmlns:";
		size_t length = sizeof space - 1;
		if ( bvimport_xml_is( value, production ) && name.length > length &&
		     memcmp( name.data, space, length ) == 0 && name.length - length < 50 )
		{
			snprintf( r->path_name, sizeof r->path_name, "%.*s:path", (int)( name.length - length ),
			          name.data + length );
		}
	}
}

static bv_status read_document( model_reader* r )
{
	bvimport_xml_event event;
	bv_status status = bvimport_xml_next( &r->xml, &event );
	if ( status == bv_ok && !bvimport_xml_is( r->xml.name, "model" ) )
	{
		status = fail( r, "the root element is not 'model'" );
	}
	if ( status == bv_ok &&
	     ( r->xml.prefix.length > 0 || !bvimport_xml_is( bvimport_xml_find( &r->xml, "xmlns" ), core ) ) )
	{
		status = bvimport_text_fail( &r->xml.text, bv_error_unsupported,
		                             "the namespace of the model is not %s", core );
	}
	status = status == bv_ok ? check_extensions( r ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	find_production( r );
	status = read_children( r, read_section, NULL );
	return status == bv_ok ? bvimport_xml_next( &r->xml, &event ) : status;
}

// Begins to read a part of the archive.
// @param part  the model's number, for what it refers to; 0 for other parts
// @param out   receives null if there is no such part
static bv_status open_part( bv3mf_models* m, const char* name, uint32_t part, model_reader** out )
{
	char* data;
	size_t size;
	*out = NULL;
	bv_status status = bvimport_zip_read( &m->zip, name, m->memory_left, &data, &size );
	if ( status != bv_ok || !data )
	{
		return status;
	}
	model_reader* r = malloc( sizeof *r );
	if ( r )
	{
		*r = ( model_reader ){ .models = m, .part = part, .data = data, .size = size };
		snprintf( r->file, sizeof r->file, "%.700s: %.200s", m->file, name );
	}
	status =
		r ? bvimport_xml_start( &r->xml, r->file, data, size, m->error ) : bvbase_fail_memory( m->error );
	if ( status != bv_ok )
	{
		free( r );
		free( data );
		return status;
	}
	m->memory_left -= size;
	*out = r;
	return bv_ok;
}

static void close_part( model_reader* r )
{
	r->models->memory_left += r->size;
	bvimport_xml_stop( &r->xml );
	free( r->data );
	free( r );
}

static bv_status read_part( bv3mf_models* m, uint32_t part )
{
	const char* name = bv3mf_part_name( m, part );
	model_reader* r;
	bv_status status = open_part( m, name, part, &r );
	if ( status == bv_ok && !r )
	{
		return bvbase_fail( m->error, bv_error_input, "%s: the part %.200s is missing", m->file, name );
	}
	if ( status == bv_ok )
	{
		status = read_document( r );
		close_part( r );
	}
	return status;
}

// The relationships of the package say which part is the root model.
static bv_status find_root( bv3mf_models* m )
{
	static const char type[] = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";
	static const char rels[] = "_rels/.rels";
	model_reader* r;
	bv_status status = open_part( m, rels, 0, &r );
	if ( status == bv_ok && !r )
	{
		return bvbase_fail( m->error, bv_error_input, "%s: not a 3MF file: %s is missing", m->file, rels );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	bool known = false;
	bvimport_xml_event event = bvimport_xml_begin;
	while ( status == bv_ok && event != bvimport_xml_done && !known )
	{
		status = bvimport_xml_next( &r->xml, &event );
		if ( status == bv_ok && event == bvimport_xml_begin &&
		     bvimport_xml_is( r->xml.name, "Relationship" ) &&
		     bvimport_xml_is( bvimport_xml_find( &r->xml, "Type" ), type ) )
		{
			uint32_t root;
			bvimport_xml_span target = bvimport_xml_find( &r->xml, "Target" );
			known = true;
			status =
				target.data ? number_part( r, target, &root ) : fail_attribute( r, "Target", "is missing" );
		}
	}
	close_part( r );
	return status == bv_ok && !known
	           ? bvbase_fail( m->error, bv_error_input, "%s: not a 3MF file: it has no 3D model", m->file )
	           : status;
}

static int compare_objects( const void* a, const void* b )
{
	const bv3mf_object* x = a;
	const bv3mf_object* y = b;
	return x->part != y->part ? ( x->part > y->part ) - ( x->part < y->part )
	                          : ( x->id > y->id ) - ( x->id < y->id );
}

// Sorts them, because they are found by bisection.
static bv_status sort_objects( bv3mf_models* m )
{
	bv3mf_object* objects = m->objects.items;
	if ( m->objects.count > 1 )
	{
		qsort( objects, m->objects.count, sizeof *objects, compare_objects );
	}
	for ( size_t i = 1; i < m->objects.count; ++i )
	{
		if ( compare_objects( &objects[i - 1], &objects[i] ) == 0 )
		{
			return bvbase_fail( m->error, bv_error_input, "%s: %s has two objects %u", m->file,
			                    bv3mf_part_name( m, objects[i].part ), objects[i].id );
		}
	}
	return bv_ok;
}

bv_status bv3mf_read_models( bv3mf_models* m )
{
	bv_status status = find_root( m );
	for ( uint32_t part = 0; status == bv_ok && part < m->parts.count; ++part )
	{
		status = read_part( m, part );
	}
	return status == bv_ok ? sort_objects( m ) : status;
}

bv3mf_object* bv3mf_find_object( const bv3mf_models* m, uint32_t part, uint32_t id )
{
	const bv3mf_object key = { .part = part, .id = id };
	return m->objects.count > 0
	           ? bsearch( &key, m->objects.items, m->objects.count, sizeof key, compare_objects )
	           : NULL;
}

static void free_texts( bv3mf_list* list )
{
	for ( size_t i = 0; i < list->count; ++i )
	{
		free( ( (char**)list->items )[i] );
	}
	free( list->items );
}

void bv3mf_free_models( bv3mf_models* m )
{
	for ( size_t i = 0; i < m->objects.count; ++i )
	{
		free( ( (bv3mf_object*)m->objects.items )[i].name );
	}
	free_texts( &m->parts );
	free_texts( &m->materials );
	free( m->vertices.items );
	free( m->triangles.items );
	free( m->objects.items );
	free( m->components.items );
	free( m->groups.items );
	free( m->items.items );
}
