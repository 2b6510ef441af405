// The HTML report: checked with a strict parser, against the JSON report, with an image decoder, and against
// closed forms.

#include "support.h"

#include "offline/report/html/embedded.h"
#include "offline/report/html/html.h"
#include "offline/report/html/picture.h"
#include "offline/report/html/sections.h"

#include <stdio.h>

#include <cjson/cJSON.h>
#include <png.h>

// A page as a terminated text.
static char* page_of( fixture* f, const bv_file* file, const bvb_report_build* build )
{
	const void* data;
	size_t size;
	bvb_error error = { "" };
	if ( bvb_report_html( file, build, f->arena, &data, &size, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	char* text = bvb_arena_allocate( f->arena, size + 1, 1 );
	memcpy( text, data, size );
	assert_int_equal( strlen( text ), size );
	return text;
}

static cJSON* report_of( fixture* f, const bv_file* file )
{
	char* text;
	assert_int_equal( bvb_report_json( file, NULL, f->arena, &text, NULL ), bv_ok );
	return cJSON_Parse( text );
}

// What a strict parser of XML's elements and attributes keeps of a page.
typedef struct parsed
{
	const char* open[64]; // names of the elements that are open
	int depth;
	char ids[192][64];
	int id_count;
	char links[4096][24]; // parts of the page that links lead to
	int link_count;
	int images;
	int tables;
} parsed;

static bool is_name_letter( char c )
{
	return ( c >= 'a' && c <= 'z' ) || ( c >= 'A' && c <= 'Z' ) || ( c >= '0' && c <= '9' ) || c == '-';
}

static size_t name_length( const char* c )
{
	size_t length = 0;
	while ( is_name_letter( c[length] ) )
	{
		++length;
	}
	return length;
}

static bool is_named( const char* name, const char* expected )
{
	size_t length = name_length( name );
	return length == strlen( expected ) && memcmp( name, expected, length ) == 0;
}

static void take_attribute( parsed* p, const char* name, const char* value, size_t length )
{
	if ( is_named( name, "id" ) )
	{
		assert_true( p->id_count < 192 && length < 64 );
		snprintf( p->ids[p->id_count], 64, "%.*s", (int)length, value );
		for ( int i = 0; i < p->id_count; ++i )
		{
			assert_string_not_equal( p->ids[i], p->ids[p->id_count] );
		}
		++p->id_count;
	}
	if ( is_named( name, "href" ) )
	{
		assert_true( value[0] == '#' && length < 24 && p->link_count < 4096 );
		snprintf( p->links[p->link_count++], 24, "%.*s", (int)length - 1, value + 1 );
	}
	if ( is_named( name, "src" ) )
	{
		assert_memory_equal( value, "data:image/png;base64,", 22 );
		++p->images;
	}
	if ( is_named( name, "data-show" ) )
	{
		const char* place = memchr( value, ':', length );
		assert_non_null( place );
		assert_int_equal( strcspn( place, "\"" ), 1 + name_length( place + 1 ) +
		                                              ( strncmp( value, "edges:non_", 10 ) == 0 ? 9 : 0 ) );
	}
	assert_false( name[0] == 'o' && name[1] == 'n' ); // no script in attributes
}

// An ampersand begins one of the entities that the page uses.
static void expect_entity( const char* c )
{
	static const char* const entities[] = { "&amp;", "&lt;",  "&gt;",     "&quot;",
		                                    "&#39;", "&#96;", "&#x2028;", "&#x2029;" };
	bool known = false;
	for ( size_t i = 0; i < sizeof entities / sizeof *entities; ++i )
	{
		known = known || strncmp( c, entities[i], strlen( entities[i] ) ) == 0;
	}
	assert_true( known );
}

// From behind the element's name to behind its closing bracket.
static const char* parse_attributes( parsed* p, const char* c, bool* empty )
{
	*empty = false;
	while ( *c != '>' )
	{
		if ( c[0] == '/' && c[1] == '>' )
		{
			*empty = true;
			return c + 2;
		}
		assert_true( *c == ' ' );
		const char* name = ++c;
		assert_true( name_length( name ) > 0 );
		c += name_length( name );
		assert_true( c[0] == '=' && c[1] == '"' );
		const char* value = c += 2;
		for ( ; *c != '"'; ++c )
		{
			assert_true( *c && *c != '<' );
			if ( *c == '&' )
			{
				expect_entity( c );
			}
		}
		take_attribute( p, name, value, (size_t)( c - value ) );
		++c;
	}
	return c + 1;
}

static const char* parse_element( parsed* p, const char* c )
{
	if ( c[1] == '/' )
	{
		assert_true( p->depth > 0 );
		const char* open = p->open[--p->depth];
		size_t length = name_length( c + 2 );
		assert_true( length == name_length( open ) && memcmp( open, c + 2, length ) == 0 );
		assert_true( c[2 + length] == '>' );
		return c + 3 + length;
	}
	const char* name = c + 1;
	bool empty;
	assert_true( name_length( name ) > 0 );
	p->tables += is_named( name, "table" );
	c = parse_attributes( p, name + name_length( name ), &empty );
	if ( empty )
	{
		return c;
	}
	bool raw = is_named( name, "style" ) || is_named( name, "script" );
	if ( raw )
	{
		const char* end = strstr( c, is_named( name, "style" ) ? "</style>" : "</script>" );
		assert_non_null( end );
		return end + ( is_named( name, "style" ) ? 8 : 9 );
	}
	assert_true( p->depth < 64 );
	p->open[p->depth++] = name;
	return c;
}

static void parse( const char* page, parsed* p )
{
	*p = ( parsed ){ .depth = 0 };
	assert_memory_equal( page, "<!DOCTYPE html>\n", 16 );
	for ( const char* c = page + 16; *c; )
	{
		if ( *c == '<' )
		{
			c = parse_element( p, c );
			continue;
		}
		assert_true( *c != '>' );
		if ( *c == '&' )
		{
			expect_entity( c );
		}
		++c;
	}
	assert_int_equal( p->depth, 0 );
	for ( int i = 0; i < p->link_count; ++i )
	{
		bool found = false;
		for ( int k = 0; k < p->id_count; ++k )
		{
			found = found || strcmp( p->links[i], p->ids[k] ) == 0;
		}
		if ( !found )
		{
			fail_msg( "nothing has the id %s", p->links[i] );
		}
	}
}

static bvb_asset_options all_options( void )
{
	bvb_asset_options options = bvb_asset_options_default();
	options.sections |= 1u << bvb_section_parts | 1u << bvb_section_part_triangles;
	options.decompose.max_parts = 2;
	options.decompose.effort = is_thorough() ? options.decompose.effort : 0;
	options.decompose.threads = 1;
	options.errors.threads = 1;
	options.hierarchy.threads = 1;
	return options;
}

// Every set of sections that can be left out, on meshes that are closed, open and a single triangle.
static void every_page_is_well_formed( void** state )
{
	fixture* f = *state;
	static const bvb_section without[] = { bvb_section_count,     bvb_section_mesh,   bvb_section_tree,
		                                   bvb_section_hull,      bvb_section_bounds, bvb_section_errors,
		                                   bvb_section_primitives };
	parsed* p = calloc( 1, sizeof *p );
	for ( int shape = 0; shape < 3; ++shape )
	{
		for ( size_t i = 0; i < sizeof without / sizeof *without; ++i )
		{
			bvb_asset_options options = shape == 2 ? plain_options() : all_options();
			options.sections = without[i] < bvb_section_count
			                       ? bvb_sections_without( options.sections, without[i] )
			                       : options.sections;
			bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
			mesh.triangle_count = shape == 0 ? 12 : shape == 1 ? 11 : 1;
			parse( page_of( f, build_file( f, &mesh, &options ), NULL ), p );
			assert_true( p->tables > 0 );
		}
	}
	bvb_asset_options options = plain_options();
	options.sections = 0;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	parse( page_of( f, build_file( f, &mesh, &options ), NULL ), p );
	assert_int_equal( p->images, 0 );
	free( p );
}

static void names_cannot_break_out( void** state )
{
	fixture* f = *state;
	static const char* const names[] = {
		"</title><script>alert(1)</script>.obj", "\"><img src=x onerror=alert(1)>.obj", "a&lt;b&c'd`e.obj",
		"\u2028\u202egnp.exe\u2029.obj",         "</style></script>-->]]>.obj",         "",
	};
	parsed* p = calloc( 1, sizeof *p );
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		bvb_asset asset;
		bvb_bytes bytes;
		bvb_source source = { .name = names[i], .format = "obj" };
		bvb_scene scene = { .mesh = mesh };
		assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, NULL ), bv_ok );
		assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, NULL ), bv_ok );
		char* page = page_of( f, open_bytes( bytes ), NULL );
		parse( page, p );
		assert_null( strstr( page, "alert(1)</script>" ) );
		assert_null( strstr( page, "<img src=x" ) );
		assert_null( strstr( page, "\u2028" ) );
		assert_null( strstr( page, "\u2029" ) );
		assert_null( strstr( page, "\u202e" ) );
	}
	free( p );
}

typedef struct numbers
{
	double* values;
	size_t count;
} numbers;

static void collect( const cJSON* item, numbers* n )
{
	const cJSON* child;
	if ( cJSON_IsNumber( item ) )
	{
		n->values[n->count++] = item->valuedouble;
	}
	cJSON_ArrayForEach( child, item )
	{
		collect( child, n );
	}
}

// Their exact values stand beside the ones for people.
static void every_number_of_a_table_is_in_the_json_report( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = all_options();
	bvb_mesh mesh = bumpy_ball( f, 6 );
	const bv_file* file = build_file( f, &mesh, &options );
	cJSON* report = report_of( f, file );
	numbers n = { malloc( 100000 * sizeof( double ) ), 0 };
	collect( report, &n );
	int found = 0;
	for ( const char* c = page_of( f, file, NULL ); ( c = strstr( c, "<data value=\"" ) ); )
	{
		c += strlen( "<data value=\"" );
		double value = strtod( c, NULL );
		bool known = false;
		for ( size_t i = 0; i < n.count; ++i )
		{
			known = known || n.values[i] == value;
		}
		if ( !known )
		{
			fail_msg( "%.30s is not in the JSON report", c );
		}
		++found;
	}
	assert_true( found > 100 );
	free( n.values );
	cJSON_Delete( report );
}

static void a_build_adds_its_times( void** state )
{
	fixture* f = *state;
	bvb_report_build build = { .stages[bvb_stage_import].seconds = 3.25,
		                       .total_seconds = 12.5,
		                       .peak_memory = 5000000 };
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	const bv_file* file = build_file( f, &mesh, &options );
	char* page = page_of( f, file, &build );
	assert_non_null( strstr( page, "<data value=\"12.5\">12.5</data>" ) );
	assert_non_null( strstr( page, "<data value=\"3.25\">3.25</data></td><td class=\"number\">26 %" ) );
	assert_non_null( strstr( page, "5 MB" ) );
	assert_null( strstr( page_of( f, file, NULL ), "Time and memory of the build" ) );
}

// What was dropped is told as counts of the source's triangles: 12, of which one repeats and two have no area.
static void cleaning_is_told_in_words( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	bvb_mesh mesh = mesh_of( f, box.positions, 8, (const uint32_t( * )[3])box.triangles, 12 );
	mesh.triangles[9] = mesh.triangles[8];
	mesh.triangles[10].corner[1] = mesh.triangles[10].corner[0];
	mesh.triangles[11].corner[1] = mesh.triangles[11].corner[0];
	char* page = page_of( f, build_file( f, &mesh, &options ), NULL );
	assert_non_null(
		strstr( page, "<data value=\"2\">2</data> of 12 triangles were degenerate and were dropped." ) );
	assert_non_null(
		strstr( page, "<data value=\"1\">1</data> of 12 triangles was a duplicate and was dropped." ) );
	assert_non_null( strstr( page, "data-show=\"edges:boundary\"" ) );
	assert_null( strstr( page, "data-show=\"edges:flipped\"" ) );
	page = page_of( f, build_file( f, &box, &options ), NULL );
	assert_non_null( strstr( page, "All triangles of the source were kept." ) );
	assert_null( strstr( page, "data-show=\"edges" ) );
}

// A report with findings, made up here.
static void findings_come_worst_first_and_escaped( void** state )
{
	fixture* f = *state;
	cJSON* report =
		cJSON_Parse( "{\"findings\":["
	                 "{\"severity\":\"good\",\"key\":\"a\",\"text\":\"fine\",\"advice\":null,\"show\":null},"
	                 "{\"severity\":\"note\",\"key\":\"b\",\"text\":\"hm <b>\",\"advice\":\"do & "
	                 "be\",\"show\":\"node:17\"},"
	                 "{\"severity\":\"bad\",\"key\":\"c\",\"text\":\"open\",\"advice\":\"close "
	                 "it\",\"show\":\"edges:boundary\"}]}" );
	bvexport_output out = { 0 };
	bvhtml_page page = { .out = &out, .report = report, .arena = f->arena, .diagonal = NAN };
	bvhtml_put_header( &page );
	bvhtml_put_findings( &page );
	bvexport_output_bytes( &out, "", 1 );
	const char* bad =
		strstr( out.data, "open <a class=\"show\" href=\"#view\" data-show=\"edges:boundary\">" );
	const char* note =
		strstr( out.data, "hm &lt;b&gt; <a class=\"show\" href=\"#view\" data-show=\"node:17\">" );
	const char* good = strstr( out.data, "fine</p>" );
	assert_true( bad && note && good && bad < note && note < good );
	assert_non_null( strstr( out.data, "<p class=\"advice\">→ do &amp; be</p>" ) );
	assert_non_null( strstr( out.data, "1 problem, 1 note" ) );
	assert_non_null( strstr( out.data, "<h1><bdi>(no name)</bdi></h1>" ) );
	free( out.data );
	cJSON_Delete( report );
}

static int value_of_base64( char c )
{
	return c >= 'A' && c <= 'Z'   ? c - 'A'
	       : c >= 'a' && c <= 'z' ? c - 'a' + 26
	       : c >= '0' && c <= '9' ? c - '0' + 52
	       : c == '+'             ? 62
	       : c == '/'             ? 63
	                              : -1;
}

// The page's first picture, decoded by libpng's own reader.
static uint8_t* picture_of( fixture* f, const char* page )
{
	const char* text = strstr( page, "src=\"data:image/png;base64," );
	assert_non_null( text );
	text += strlen( "src=\"data:image/png;base64," );
	size_t length = strcspn( text, "\"" );
	assert_true( length % 4 == 0 );
	uint8_t* bytes = bvb_arena_allocate( f->arena, length, 1 );
	size_t size = 0;
	for ( size_t i = 0; i < length && text[i] != '='; ++i )
	{
		int value = value_of_base64( text[i] );
		assert_true( value >= 0 );
		uint32_t bit = (uint32_t)( 6 * i % 8 );
		size = 6 * i / 8;
		bytes[size] = (uint8_t)( bytes[size] | ( bit <= 2 ? value << ( 2 - bit ) : value >> ( bit - 2 ) ) );
		if ( bit > 2 )
		{
			bytes[++size] = (uint8_t)( value << ( 10 - bit ) );
		}
	}
	png_image image = { .version = PNG_IMAGE_VERSION };
	assert_true( png_image_begin_read_from_memory( &image, bytes, size + 1 ) );
	assert_true( image.width == bvhtml_picture_width && image.height == bvhtml_picture_height );
	image.format = PNG_FORMAT_RGBA;
	uint8_t* pixels = bvb_arena_allocate( f->arena, PNG_IMAGE_SIZE( image ), 1 );
	assert_true( png_image_finish_read( &image, NULL, pixels, 0, NULL ) );
	return pixels;
}

// Whether a line through a point meets a box about the origin, by slabs.
static bool meets( const double half[3], const double point[3], const double direction[3] )
{
	double from = -INFINITY;
	double to = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		double a = ( -half[i] - point[i] ) / direction[i];
		double b = ( half[i] - point[i] ) / direction[i];
		from = fmax( from, fmin( a, b ) );
		to = fmin( to, fmax( a, b ) );
	}
	return from <= to;
}

// Lines through the pixels of a box's picture meet it where they are opaque, and miss it where they are not. The box fills the
// picture up to a margin of 12 pixels, upright or across.
static void a_box_covers_the_pixels_that_it_covers( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	const double half[3] = { 0.5, 1, 1.5 };
	bvb_mesh mesh = box_mesh( f, 2 * half[0], 2 * half[1], 2 * half[2] );
	const uint8_t* pixels = picture_of( f, page_of( f, build_file( f, &mesh, &options ), NULL ) );
	double length = sqrt( 0.55 * 0.55 + 0.45 * 0.45 + 0.70 * 0.70 );
	const double to_eye[3] = { 0.55 / length, 0.45 / length, 0.70 / length };
	double flat = sqrt( to_eye[0] * to_eye[0] + to_eye[2] * to_eye[2] );
	const double right[3] = { to_eye[2] / flat, 0, -to_eye[0] / flat };
	const double up[3] = { -to_eye[1] * to_eye[0] / flat, flat, -to_eye[1] * to_eye[2] / flat };
	double wide = 0;
	double high = 0;
	for ( int i = 0; i < 3; ++i )
	{
		wide += half[i] * fabs( right[i] );
		high += half[i] * fabs( up[i] );
	}
	double scale =
		fmin( ( bvhtml_picture_width / 2 - 12 ) / wide, ( bvhtml_picture_height / 2 - 12 ) / high );
	int covered = 0;
	for ( int y = 0; y < bvhtml_picture_height; ++y )
	{
		for ( int x = 0; x < bvhtml_picture_width; ++x )
		{
			double across = ( x + 0.5 - bvhtml_picture_width / 2 ) / scale;
			double upwards = ( bvhtml_picture_height / 2 - y - 0.5 ) / scale;
			double point[3];
			for ( int i = 0; i < 3; ++i )
			{
				point[i] = across * right[i] + upwards * up[i];
			}
			const uint8_t* pixel = pixels + 4 * ( y * bvhtml_picture_width + x );
			covered += pixel[3] == 255;
			if ( ( pixel[3] == 255 || pixel[3] == 0 ) && meets( half, point, to_eye ) != ( pixel[3] == 255 ) )
			{
				fail_msg( "pixel %d, %d", x, y );
			}
			assert_true( pixel[3] < 255 || pixel[0] + pixel[1] + pixel[2] > 60 );
		}
	}
	assert_true( covered > 100000 );

	// Three sides show, each in one shade.
	uint32_t shades[8];
	int count = 0;
	for ( int i = 0; i < bvhtml_picture_width * bvhtml_picture_height; ++i )
	{
		uint32_t color;
		memcpy( &color, pixels + 4 * i, 4 );
		bool old = pixels[4 * i + 3] < 255;
		for ( int k = 0; k < count && !old; ++k )
		{
			old = shades[k] == color;
		}
		if ( !old && count < 8 && i + 1 < bvhtml_picture_width * bvhtml_picture_height &&
		     memcmp( pixels + 4 * i, pixels + 4 * i + 4, 4 ) == 0 &&
		     memcmp( pixels + 4 * i, pixels + 4 * i + 8, 4 ) == 0 )
		{
			shades[count++] = color;
		}
	}
	assert_int_equal( count, 3 );
}

// Whichever way a triangle faces, at least a few pixels of it show, slivers included.
static void no_mesh_is_invisible( void** state )
{
	fixture* f = *state;
	static const double shapes[][9] = {
		{ 0, 0, 0, 0.55, 0.45, 0.7, 0, 1, 0 },  // seen edge on from the first direction
		{ 0, 0, 0, 1, 0, 0, 0, 0, 1 },          // level
		{ 0, 0, 0, 1, 0, 0, 0, 1, 0 },          // upright
		{ 0, 0, 0, 1, 0, 0, 0.5, 1e-7, 0 },     // a sliver
		{ 1e30, 0, 0, 0, 1e30, 0, 0, 0, 1e30 }, // large
		{ 1e-30, 0, 0, 0, 1e-30, 0, 0, 0, 1e-30 },
	};
	for ( size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i )
	{
		bvb_asset_options options = plain_options();
		options.sections = 1u << bvb_section_mesh;
		bv_vec3 corners[3];
		memcpy( corners, shapes[i], sizeof corners );
		bvb_mesh mesh = mesh_of( f, corners, 3, ( const uint32_t[][3] ){ { 0, 1, 2 } }, 1 );
		const uint8_t* pixels = picture_of( f, page_of( f, build_file( f, &mesh, &options ), NULL ) );
		int seen = 0;
		for ( int k = 0; k < bvhtml_picture_width * bvhtml_picture_height; ++k )
		{
			seen += pixels[4 * k + 3] > 0;
		}
		if ( seen < ( i == 3 ? 200 : 20000 ) )
		{
			fail_msg( "shape %zu has %d pixels", i, seen );
		}
	}
}

static void sides_from_behind_are_told_apart( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvhtml_picture picture;
	assert_int_equal(
		bvhtml_draw( build_file( f, &mesh, &options ), bvhtml_subject_mesh, f->arena, &picture, NULL ),
		bv_ok );
	assert_false( picture.behind );
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		uint32_t corner = mesh.triangles[i].corner[0];
		mesh.triangles[i].corner[0] = mesh.triangles[i].corner[1];
		mesh.triangles[i].corner[1] = corner;
	}
	const bv_file* file = build_file( f, &mesh, &options );
	assert_int_equal( bvhtml_draw( file, bvhtml_subject_mesh, f->arena, &picture, NULL ), bv_ok );
	assert_true( picture.behind );
	assert_non_null( strstr( page_of( f, file, NULL ), "The triangles face inward" ) );
}

// Noise does not compress, whatever is tried first.
static void a_picture_too_large_is_made_smaller( void** state )
{
	fixture* f = *state;
	bvhtml_picture picture = { .width = bvhtml_picture_width, .height = bvhtml_picture_height };
	size_t size = (size_t)picture.width * picture.height * 4;
	picture.pixels = bvb_arena_allocate( f->arena, size, 1 );
	for ( size_t i = 0; i < size; ++i )
	{
		picture.pixels[i] = (uint8_t)random_bits( f );
	}
	bvexport_output out = { 0 };
	assert_int_equal( bvhtml_encode_png( &picture, 100000, &out, NULL ), bv_ok );
	png_image image = { .version = PNG_IMAGE_VERSION };
	assert_true( png_image_begin_read_from_memory( &image, out.data, out.length ) );
	assert_int_equal( image.width, bvhtml_picture_width / 2 );
	png_image_free( &image );
	assert_true( out.length < size / 4 );
	free( out.data );
}

// A table of parts stops at a hundred rows, the worst first, and the page says so.
static void the_hundred_parts_that_stand_off_most_are_listed( void** state )
{
	fixture* f = *state;
	cJSON* report = cJSON_CreateObject();
	cJSON* d = cJSON_AddObjectToObject( report, "decomposition" );
	cJSON* hulls = cJSON_AddArrayToObject( d, "hulls" );
	for ( int i = 0; i < 4096; ++i )
	{
		cJSON* hull = cJSON_CreateObject();
		cJSON* concavity = cJSON_AddObjectToObject( hull, "concavity" );
		cJSON_AddNumberToObject( concavity, "lower", 0.1 / 3 );
		cJSON_AddNumberToObject( concavity, "upper", 1 + ( i * 2731 % 4096 ) / 3.0 );
		cJSON_AddNumberToObject( hull, "volume", 1 / 3.0 );
		cJSON_AddNumberToObject( hull, "vertices", 255 );
		cJSON_AddNumberToObject( hull, "faces", 506 );
		cJSON_AddNumberToObject( hull, "neighbors", 4095 );
		cJSON_AddNumberToObject( hull, "triangles", 1000000 );
		cJSON_AddItemToArray( hulls, hull );
	}
	bvb_asset_options options = all_options();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvexport_output out = { 0 };
	bvhtml_page page = { &out, report, build_file( f, &mesh, &options ), f->arena, 100, "mesh units" };
	assert_int_equal( bvhtml_put_parts( &page, NULL ), bv_ok );
	bvexport_output_bytes( &out, "", 1 );
	int rows = 0;
	for ( const char* c = strstr( out.data, "<tbody>" ); ( c = strstr( c, "data-show=\"part:" ) ); ++rows )
	{
		c += strlen( "data-show=\"part:" );
		if ( rows == 0 )
		{
			assert_int_equal( atoi( c ) * 2731 % 4096, 4095 );
		}
	}
	assert_int_equal( rows, 100 );
	assert_non_null( strstr( out.data, "The 100 parts of 4,096 with the largest stand-off" ) );
	assert_true( out.length < 150000 );
	free( out.data );
	cJSON_Delete( report );
}

// A section on parts whose certified intervals are these, as a terminated text.
static char* parts_of( fixture* f, const double ( *intervals )[2], int count )
{
	cJSON* report = cJSON_CreateObject();
	cJSON* hulls = cJSON_AddArrayToObject( cJSON_AddObjectToObject( report, "decomposition" ), "hulls" );
	for ( int i = 0; i < count; ++i )
	{
		cJSON* hull = cJSON_CreateObject();
		cJSON* concavity = cJSON_AddObjectToObject( hull, "concavity" );
		cJSON_AddNumberToObject( concavity, "lower", intervals[i][0] );
		cJSON_AddNumberToObject( concavity, "upper", intervals[i][1] );
		cJSON_AddItemToArray( hulls, hull );
	}
	bvb_asset_options options = all_options();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvexport_output out = { 0 };
	bvhtml_page page = { &out, report, build_file( f, &mesh, &options ), f->arena, 100, "mesh units" };
	assert_int_equal( bvhtml_put_parts( &page, NULL ), bv_ok );
	char* text = bvb_arena_allocate( f->arena, out.length + 1, 1 );
	memcpy( text, out.data, out.length );
	text[out.length] = 0;
	free( out.data );
	cJSON_Delete( report );
	return text;
}

// Which numbers parts of the table have, in its order.
static void expect_order( const char* page, const int* order, int count )
{
	const char* c = strstr( page, "<tbody>" );
	assert_non_null( c );
	for ( int i = 0; i < count; ++i )
	{
		c = strstr( c, "data-show=\"part:" );
		assert_non_null( c );
		c += strlen( "data-show=\"part:" );
		assert_int_equal( atoi( c ), order[i] );
	}
}

// Of intervals that overlap any may be the one whose true value is the largest; of exact values, or where one is above all
// others, there is no doubt. A bound of 1.6541 % is not written as 1.65 %.
static void a_doubt_about_which_part_stands_off_most_is_told( void** state )
{
	fixture* f = *state;
	static const char doubt[] = "The part with the largest stand-off is uncertain";
	char* page =
		parts_of( f, ( const double[][2] ){ { 1, 2 }, { 3, 5 }, { 4, 5 }, { 2, 4 }, { 3, 3.9 } }, 5 );
	const char* sentence = strstr( page, doubt );
	assert_non_null( sentence );
	assert_non_null( strstr( sentence, "part <a href=\"#view\" data-show=\"part:2\">2</a>, "
	                                   "<a href=\"#view\" data-show=\"part:1\">1</a> or "
	                                   "<a href=\"#view\" data-show=\"part:3\">3</a>.</p>" ) );
	expect_order( page, ( const int[] ){ 2, 1, 3, 4, 0 }, 5 );
	page = parts_of( f, ( const double[][2] ){ { 1, 2 }, { 2.5, 3 } }, 2 );
	assert_null( strstr( page, doubt ) );
	expect_order( page, ( const int[] ){ 1, 0 }, 2 );
	page = parts_of( f, ( const double[][2] ){ { 2, 2 }, { 2, 2 }, { 1, 1.5 } }, 3 );
	assert_null( strstr( page, doubt ) );
	page = parts_of( f, ( const double[][2] ){ { 1.6, 1.6541 }, { 1, 1.1 } }, 2 );
	assert_non_null( strstr( page, "<td class=\"number\">1.66 %</td>" ) );
	assert_null( strstr( page, "1.65 %" ) );
}

// What ends a style or a script would end it too early; a comment in a script has strange rules.
static void embedded_files_stay_inside_of_their_elements( void** state )
{
	(void)state;
	uint32_t count = 0;
	for ( bvhtml_file file; ( file = bvhtml_get_file( count ) ).name; ++count )
	{
		assert_true( file.size > 0 );
		for ( uint64_t i = 0; i + 8 <= file.size; ++i )
		{
			assert_true( memcmp( file.data + i, "</script", 8 ) != 0 &&
			             memcmp( file.data + i, "</style", 7 ) != 0 &&
			             memcmp( file.data + i, "<!--", 4 ) != 0 );
		}
	}
	assert_true( count >= 3 );
}

static void equal_files_give_equal_pages( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = all_options();
	bvb_mesh mesh = bumpy_ball( f, 6 );
	const bv_file* file = build_file( f, &mesh, &options );
	assert_string_equal( page_of( f, file, NULL ), page_of( f, file, NULL ) );
}

// Whatever an arena may hold, the result is a page or an error.
static void running_out_of_memory_is_reported( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	const bv_file* file = build_file( f, &mesh, &options );
	bv_status status = bv_error_memory;
	int refused = 0;
	for ( size_t limit = 1000; status == bv_error_memory && limit < 1u << 30; limit *= 4 )
	{
		const void* data;
		size_t size;
		bvb_error error = { "" };
		bvb_arena* arena = bvb_arena_create_limited( limit );
		status = bvb_report_html( file, NULL, arena, &data, &size, &error );
		assert_true( ( status == bv_ok ) == ( data != NULL ) );
		assert_true( status == bv_ok || error.message[0] );
		refused += status == bv_error_memory;
		bvb_arena_destroy( arena );
	}
	assert_int_equal( status, bv_ok );
	assert_true( refused >= 3 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_page_is_well_formed ),
		fixture_test( names_cannot_break_out ),
		fixture_test( every_number_of_a_table_is_in_the_json_report ),
		fixture_test( a_build_adds_its_times ),
		fixture_test( cleaning_is_told_in_words ),
		fixture_test( findings_come_worst_first_and_escaped ),
		fixture_test( a_box_covers_the_pixels_that_it_covers ),
		fixture_test( no_mesh_is_invisible ),
		fixture_test( sides_from_behind_are_told_apart ),
		fixture_test( a_picture_too_large_is_made_smaller ),
		fixture_test( the_hundred_parts_that_stand_off_most_are_listed ),
		fixture_test( a_doubt_about_which_part_stands_off_most_is_told ),
		fixture_test( embedded_files_stay_inside_of_their_elements ),
		fixture_test( equal_files_give_equal_pages ),
		fixture_test( running_out_of_memory_is_reported ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
