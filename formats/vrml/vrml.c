// VRML scenes. See vrml.h. The text is parsed into a graph first, because several places may use one node. Then
// the graph is traversed with an explicit stack.

#include "formats/vrml/vrml.h"

#include "formats/vrml/shape.h"
#include "offline/base/error.h"
#include "offline/import/text.h"
#include "runtime/math/angle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

enum
{
	deepest = 1024,        // nodes in each other
	most_visits = 1 << 20, // of nodes: files are small that use very many
	most_ratio = 1032,     // of what gzip can do
};

// Nodes on the stack of the traversal.
typedef struct vrml_level
{
	uint32_t node;
	uint32_t next; // child
	uint32_t name; // node that gives the innermost name, or BVVRML_NONE
	bvvrml_place place;
} vrml_level;

typedef struct vrml_walk
{
	bvvrml_graph graph;
	bvimport_builder scene;
	bvvrml_target target;
	uint64_t visits;
	uint32_t depth;
	vrml_level level[deepest];
} vrml_walk;

// Nodes that have no geometry, or only such as is read with the node that they belong to.
static const char* const silent[] = {
	"Anchor",
	"Appearance",
	"AudioClip",
	"Background",
	"Color",
	"ColorInterpolator",
	"Coordinate",
	"CoordinateInterpolator",
	"CylinderSensor",
	"DirectionalLight",
	"Fog",
	"FontStyle",
	"ImageTexture",
	"Material",
	"MovieTexture",
	"NavigationInfo",
	"Normal",
	"NormalInterpolator",
	"OrientationInterpolator",
	"PixelTexture",
	"PlaneSensor",
	"PointLight",
	"PositionInterpolator",
	"ProximitySensor",
	"ScalarInterpolator",
	"Script",
	"Sound",
	"SphereSensor",
	"SpotLight",
	"TextureCoordinate",
	"TextureTransform",
	"TimeSensor",
	"TouchSensor",
	"Viewpoint",
	"VisibilitySensor",
	"WorldInfo",
};

// Nodes whose children are in the scene.
static const char* const groups[] = { "Group", "Transform", "Anchor", "Billboard", "Collision", "" };

static bool is_one_of( const bvvrml_graph* g, uint32_t node, const char* const* types, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( bvvrml_is( g, node, types[i] ) )
		{
			return true;
		}
	}
	return false;
}

static bvvrml_place compose( const bvvrml_place* outer, const bvvrml_place* inner )
{
	bvvrml_place product = { .mirrored = outer->mirrored != inner->mirrored };
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = outer->matrix[i];
		const double( *m )[4] = inner->matrix;
		for ( int k = 0; k < 4; ++k )
		{
			product.matrix[i][k] =
				row[0] * m[0][k] + row[1] * m[1][k] + row[2] * m[2][k] + ( k == 3 ? row[3] : 0 );
		}
	}
	return product;
}

static bvvrml_place move_by( const double by[3], double factor )
{
	return ( bvvrml_place ){
		.matrix = { { 1, 0, 0, factor * by[0] }, { 0, 1, 0, factor * by[1] }, { 0, 0, 1, factor * by[2] } }
	};
}

static bvvrml_place scale_by( const double by[3] )
{
	return ( bvvrml_place ){ .matrix = { { by[0], 0, 0, 0 }, { 0, by[1], 0, 0 }, { 0, 0, by[2], 0 } },
		                     .mirrored = ( ( by[0] < 0 ) != ( by[1] < 0 ) ) != ( by[2] < 0 ) };
}

// A rotation about an axis of any length; the identity if the length is 0.
static bvvrml_place rotate_by( const double by[4], double factor )
{
	const double nothing[3] = { 0, 0, 0 };
	double length = sqrt( by[0] * by[0] + by[1] * by[1] + by[2] * by[2] );
	if ( !( length > 0 ) || by[3] == 0 )
	{
		return move_by( nothing, 0 );
	}
	double s;
	double c;
	bvmath_sincos( factor * by[3], &s, &c );
	double x = by[0] / length;
	double y = by[1] / length;
	double z = by[2] / length;
	double t = 1 - c;
	return ( bvvrml_place ){ .matrix = { { t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0 },
		                                 { t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0 },
		                                 { t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0 } } };
}

// P' = T C R SR S -SR -C P
static bv_status read_place( const bvvrml_graph* g, uint32_t node, bvvrml_place* out )
{
	double center[3] = { 0, 0, 0 };
	double rotation[4] = { 0, 0, 1, 0 };
	double scale[3] = { 1, 1, 1 };
	double orientation[4] = { 0, 0, 1, 0 };
	double translation[3] = { 0, 0, 0 };
	bv_status status = bvvrml_get_numbers( g, node, "center", 3, center );
	status = status == bv_ok ? bvvrml_get_numbers( g, node, "rotation", 4, rotation ) : status;
	status = status == bv_ok ? bvvrml_get_numbers( g, node, "scale", 3, scale ) : status;
	status = status == bv_ok ? bvvrml_get_numbers( g, node, "scaleOrientation", 4, orientation ) : status;
	status = status == bv_ok ? bvvrml_get_numbers( g, node, "translation", 3, translation ) : status;
	const bvvrml_place steps[] = { move_by( translation, 1 ), move_by( center, 1 ),
		                           rotate_by( rotation, 1 ),  rotate_by( orientation, 1 ),
		                           scale_by( scale ),         rotate_by( orientation, -1 ),
		                           move_by( center, -1 ) };
	*out = steps[0];
	for ( size_t i = 1; i < sizeof steps / sizeof *steps; ++i )
	{
		*out = compose( out, &steps[i] );
	}
	return status;
}

static void note_unread( bvvrml_graph* g, uint32_t node, const char* what )
{
	const bvvrml_node* n = &g->nodes[node];
	bvimport_notes_add( &g->notes, 1, "line %llu: %s %.*s is not read", (unsigned long long)n->line, what,
	                    (int)( n->type.length < 60 ? n->type.length : 60 ), n->type.data );
}

static void note_inline( bvvrml_graph* g, uint32_t node )
{
	const bvvrml_field* url = bvvrml_find( g, node, "url" );
	int length = url && url->text.length < 80 ? (int)url->text.length : url ? 80 : 0;
	bvimport_notes_add( &g->notes, 1, "line %llu: the included file %.*s is not read",
	                    (unsigned long long)g->nodes[node].line, length,
	                    url && url->text.data ? url->text.data : "" );
}

static bv_status set_name( bvimport_builder* b, const bvvrml_graph* g, bvimport_builder_kind kind,
                           uint32_t node )
{
	bvvrml_span name = node != BVVRML_NONE ? g->nodes[node].name : ( bvvrml_span ){ "", 0 };
	return kind == bvimport_builder_object
	           ? bvimport_builder_begin_object( b, name.data, name.length )
	           : bvimport_builder_set( b, kind, name.length > 0 ? name.data : NULL, name.length );
}

static uint32_t find_child( const bvvrml_graph* g, uint32_t node, const char* field )
{
	const bvvrml_field* f = bvvrml_find( g, node, field );
	return f && f->first_child != BVVRML_NONE ? g->children[f->first_child].node : BVVRML_NONE;
}

// The material's name, else that of the appearance.
static uint32_t find_material( const bvvrml_graph* g, uint32_t shape )
{
	uint32_t appearance = find_child( g, shape, "appearance" );
	uint32_t material = appearance != BVVRML_NONE ? find_child( g, appearance, "material" ) : BVVRML_NONE;
	return material != BVVRML_NONE && g->nodes[material].name.length > 0 ? material : appearance;
}

static bv_status add_shape( vrml_walk* w, uint32_t node, uint32_t name, const bvvrml_place* place )
{
	bvvrml_graph* g = &w->graph;
	uint32_t geometry = find_child( g, node, "geometry" );
	if ( geometry == BVVRML_NONE )
	{
		return bv_ok;
	}
	bv_status status = set_name( &w->scene, g, bvimport_builder_object, name );
	status = status == bv_ok ? set_name( &w->scene, g, bvimport_builder_material, find_material( g, node ) )
	                         : status;
	w->target.place = place;
	return status == bv_ok ? bvvrml_add_geometry( &w->target, geometry ) : status;
}

static uint32_t first_child( const bvvrml_graph* g, uint32_t node, const char* field )
{
	const bvvrml_field* f = bvvrml_find( g, node, field );
	return f ? f->first_child : BVVRML_NONE;
}

// Pushes the children of a node.
// @param child  the first, or BVVRML_NONE
static bv_status push( vrml_walk* w, uint32_t node, uint32_t child, uint32_t name, const bvvrml_place* place )
{
	bvvrml_graph* g = &w->graph;
	if ( g->nodes[node].is_open )
	{
		return bvvrml_fail( g, node, bv_error_input, "a node contains itself" );
	}
	if ( w->depth == deepest )
	{
		return bvvrml_fail( g, node, bv_error_limit, "more than %d nodes in each other", deepest );
	}
	g->nodes[node].is_open = true;
	w->level[w->depth++] = ( vrml_level ){ node, child, name, *place };
	return bv_ok;
}

static bv_status push_switch( vrml_walk* w, uint32_t node, uint32_t name, const bvvrml_place* place )
{
	const bvvrml_graph* g = &w->graph;
	double choice = -1;
	bv_status status = bvvrml_get_numbers( g, node, "whichChoice", 1, &choice );
	uint32_t child = first_child( g, node, "choice" );
	for ( ; choice > 0 && child != BVVRML_NONE; --choice )
	{
		child = g->children[child].next;
	}
	if ( status != bv_ok || !( choice == 0 ) || child == BVVRML_NONE )
	{
		return status;
	}
	status = push( w, node, child, name, place );
	w->level[w->depth - 1].next = child;
	return status;
}

// Visits a node.
static bv_status visit( vrml_walk* w, uint32_t node, uint32_t name, const bvvrml_place* place )
{
	bvvrml_graph* g = &w->graph;
	name = g->nodes[node].name.length > 0 ? node : name;
	if ( ++w->visits > most_visits )
	{
		return bvvrml_fail( g, node, bv_error_limit, "more than %d nodes are placed", most_visits );
	}
	if ( bvvrml_is( g, node, "Shape" ) )
	{
		return add_shape( w, node, name, place );
	}
	if ( bvvrml_is( g, node, "Switch" ) )
	{
		return push_switch( w, node, name, place );
	}
	if ( bvvrml_is( g, node, "LOD" ) )
	{
		return push( w, node, first_child( g, node, "level" ), name, place );
	}
	if ( bvvrml_is( g, node, "Inline" ) )
	{
		note_inline( g, node );
		return bv_ok;
	}
	if ( !is_one_of( g, node, groups, sizeof groups / sizeof *groups ) )
	{
		if ( !is_one_of( g, node, silent, sizeof silent / sizeof *silent ) )
		{
			note_unread( g, node, "a node of type" );
		}
		return bv_ok;
	}
	bvvrml_place own = *place;
	if ( bvvrml_is( g, node, "Transform" ) )
	{
		bvvrml_place inner;
		bv_status status = read_place( g, node, &inner );
		if ( status != bv_ok )
		{
			return status;
		}
		own = compose( place, &inner );
	}
	return push( w, node, first_child( g, node, "children" ), name, &own );
}

// Only one child of a Switch or LOD is visited.
static bool takes_one( const bvvrml_graph* g, uint32_t node )
{
	return bvvrml_is( g, node, "Switch" ) || bvvrml_is( g, node, "LOD" );
}

static bv_status walk( vrml_walk* w )
{
	bvvrml_graph* g = &w->graph;
	const double nothing[3] = { 0, 0, 0 };
	bvvrml_place identity = move_by( nothing, 0 );
	g->nodes[0].is_open = false;
	bv_status status = visit( w, 0, BVVRML_NONE, &identity );
	while ( status == bv_ok && w->depth > 0 )
	{
		vrml_level* top = &w->level[w->depth - 1];
		if ( top->next == BVVRML_NONE )
		{
			g->nodes[top->node].is_open = false;
			--w->depth;
			continue;
		}
		uint32_t node = g->children[top->next].node;
		top->next = takes_one( g, top->node ) ? BVVRML_NONE : g->children[top->next].next;
		status = visit( w, node, top->name, &top->place );
	}
	return status;
}

static bv_status read_text( vrml_walk* w, const char* data, size_t size, bvb_arena* arena, bvb_import* out )
{
	static const char header[] = "#VRML V2.0 utf8";
	static const char old[] = "#VRML V1.0 ";
	bvvrml_graph* g = &w->graph;
	const char* first = size >= 3 && memcmp( data, "\xef\xbb\xbf", 3 ) == 0 ? data + 3 : data;
	size_t left = size - (size_t)( first - data );
	if ( left >= sizeof old - 1 && memcmp( first, old, sizeof old - 1 ) == 0 )
	{
		return bvbase_fail(
			g->error, bv_error_unsupported,
			"%s: VRML 1.0 is not supported (convert it to VRML 2.0, such as by ivcat or vrml1tovrml2)",
			g->file );
	}
	if ( left < sizeof header - 1 || memcmp( first, header, sizeof header - 1 ) != 0 )
	{
		return bvbase_fail( g->error, bv_error_input, "%s: not a VRML file: the first line is not '%s'",
		                    g->file, header );
	}
	bv_status status = bvvrml_parse( g, data, size );
	w->target = ( bvvrml_target ){ .graph = g, .scene = &w->scene };
	status = status == bv_ok ? walk( w ) : status;
	if ( status == bv_ok && w->scene.triangle_count == 0 )
	{
		status = bvimport_builder_fail_empty( &w->scene, w->target.points, w->target.lines, &g->notes );
	}
	out->points = w->target.points;
	out->lines = w->target.lines;
	status = status == bv_ok ? bvimport_notes_deliver( &g->notes, arena, out, g->error ) : status;
	return status == bv_ok ? bvimport_builder_finish( &w->scene, arena, &out->scene ) : status;
}

// The last four bytes are the size modulo 2^32.
static bv_status unpack( bvvrml_graph* g, const char* data, size_t size, char** out, size_t* out_size )
{
	const unsigned char* end = (const unsigned char*)data + size;
	size_t length =
		size >= 18 ? (size_t)end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 | (size_t)end[-1] << 24
				   : 0;
	bool good = length > 0 && length / most_ratio <= size;
	if ( good && length > g->memory_left )
	{
		return bvbase_fail( g->error, bv_error_limit, "%s: is larger than the memory limit (--import-memory)",
		                    g->file );
	}
	*out = good ? malloc( length ) : NULL;
	if ( good && !*out )
	{
		return bvbase_fail_memory( g->error );
	}
	z_stream s = { .next_in = (const Bytef*)data, .avail_in = size <= UINT32_MAX ? (uInt)size : 0 };
	if ( good && inflateInit2( &s, MAX_WBITS + 16 ) == Z_OK )
	{
		s.next_out = (Bytef*)*out;
		s.avail_out = (uInt)length;
		good = inflate( &s, Z_FINISH ) == Z_STREAM_END && s.avail_out == 0;
		inflateEnd( &s );
	}
	else
	{
		good = false;
	}
	*out_size = length;
	g->memory_left -= good ? length : 0;
	return good ? bv_ok
	            : bvbase_fail( g->error, bv_error_input, "%s: is compressed by gzip, and damaged", g->file );
}

bv_status bvvrml_read_vrml( const char* path, const char* data, size_t size, uint64_t memory_bytes,
                            bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	vrml_walk* w = calloc( 1, sizeof *w );
	if ( !w )
	{
		return bvbase_fail_memory( error );
	}
	w->graph = ( bvvrml_graph ){ .file = path, .error = error, .memory_left = memory_bytes };
	bvimport_builder_begin( &w->scene, path, error );
	char* unpacked = NULL;
	bv_status status = bv_ok;
	if ( size >= 2 && memcmp( data, "\x1f\x8b", 2 ) == 0 )
	{
		status = unpack( &w->graph, data, size, &unpacked, &size );
		data = unpacked;
	}
	status = status == bv_ok ? read_text( w, data, size, arena, out ) : status;
	bvimport_builder_end( &w->scene );
	bvvrml_free( &w->graph );
	free( unpacked );
	free( w );
	return status;
}
