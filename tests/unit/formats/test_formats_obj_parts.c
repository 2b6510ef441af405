// A long OBJ text that several threads read in parts is what one thread makes of it: scene, names, side files and
// messages. That one's results are test_formats_obj.c's.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/obj/obj.h"
#include "tests/reference/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	room = 1 << 21,
	long_enough = 1200000, // bytes, for several parts
};

typedef struct text
{
	char* bytes;
	size_t length;
	uint32_t vertices;
	uint64_t seed;
} text;

static uint32_t draw( text* t, uint32_t count )
{
	return next_random( &t->seed ) % count;
}

__attribute__( ( format( printf, 2, 3 ) ) ) static void add( text* t, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	t->length += (size_t)vsnprintf( t->bytes + t->length, room - t->length, format, arguments );
	va_end( arguments );
	assert_true( t->length < room );
}

static const char* end_of_line( text* t )
{
	static const char* const ends[] = { "\n", "\r\n", " \n", " # a path \\\n", "\t\r\n\n" };
	return ends[draw( t, 16 ) < 11 ? 0 : draw( t, 5 )];
}

static void add_vertex( text* t )
{
	t->vertices += 1;
	add( t, "v %d.%u %s%d %ge-%u%s", (int)draw( t, 100 ) - 50, draw( t, 1000 ), draw( t, 9 ) ? "" : "\\\n ",
	     (int)draw( t, 7 ) - 3, 0.5 + draw( t, 10 ), draw( t, 9 ), end_of_line( t ) );
}

static void add_face( text* t, uint32_t corners, bool relative )
{
	add( t, "f" );
	for ( uint32_t k = 0; k < corners; ++k )
	{
		uint32_t vertex = 1 + draw( t, t->vertices );
		add( t, draw( t, 20 ) ? " " : " \\\r\n" );
		add( t, draw( t, 3 ) ? "%s%u" : "%s%u/7/-1", relative ? "-" : "", vertex );
	}
	add( t, "%s", end_of_line( t ) );
}

static void add_name( text* t )
{
	static const char* const words[] = { "o", "g", "usemtl", "mtllib", "s", "vn", "l", "p" };
	const char* word = words[draw( t, 8 )];
	if ( *word == 'l' || *word == 'p' )
	{
		add( t, "%s %u %u%s", word, 1 + draw( t, t->vertices ), 1 + draw( t, t->vertices ),
		     end_of_line( t ) );
		return;
	}
	add( t, "%s name%u%s", word, draw( t, 12 ), end_of_line( t ) );
}

// @param names  one of so many statements sets a name or is no face of the mesh; 0 for none
static void begin_text( text* t, uint64_t seed, uint32_t names )
{
	*t = ( text ){ .bytes = malloc( room ), .seed = seed };
	assert_non_null( t->bytes );
	add_vertex( t );
	while ( t->length < long_enough )
	{
		if ( names > 0 && draw( t, names ) == 0 )
		{
			add_name( t );
		}
		else if ( draw( t, 3 ) == 0 )
		{
			add_vertex( t );
		}
		else
		{
			add_face( t, draw( t, 5 ) ? 3 : 4 + draw( t, 3 ), false );
		}
	}
}

// What a reader has made of a text.
typedef struct outcome
{
	bvb_arena* arena;
	bvb_import import;
	bvb_error error;
	bv_status status;
} outcome;

static void read( const text* t, uint32_t threads, outcome* out )
{
	char* exact = malloc( t->length );
	assert_non_null( exact );
	memcpy( exact, t->bytes, t->length );
	memset( out, 0, sizeof *out );
	out->arena = bvb_arena_create();
	assert_non_null( out->arena );
	out->status =
		bvobj_read_obj_by( "long.obj", exact, t->length, threads, out->arena, &out->import, &out->error );
	free( exact );
}

static void assert_same_names( const char** a, uint32_t a_count, const char** b, uint32_t b_count )
{
	assert_int_equal( a_count, b_count );
	for ( uint32_t i = 0; i < a_count; ++i )
	{
		assert_string_equal( a[i], b[i] );
	}
}

static void assert_same_scene( const bvb_import* x, const bvb_import* y )
{
	const bvb_scene* a = &x->scene;
	const bvb_scene* b = &y->scene;
	assert_int_equal( a->mesh.vertex_count, b->mesh.vertex_count );
	assert_int_equal( a->mesh.triangle_count, b->mesh.triangle_count );
	assert_int_equal( a->segment_count, b->segment_count );
	assert_memory_equal( a->mesh.positions, b->mesh.positions,
	                     a->mesh.vertex_count * sizeof *a->mesh.positions );
	assert_memory_equal( a->mesh.triangles, b->mesh.triangles,
	                     a->mesh.triangle_count * sizeof *a->mesh.triangles );
	assert_memory_equal( a->faces, b->faces, a->mesh.triangle_count * sizeof *a->faces );
	assert_memory_equal( a->segments, b->segments, a->segment_count * sizeof *a->segments );
	assert_same_names( a->objects, a->object_count, b->objects, b->object_count );
	assert_same_names( a->groups, a->group_count, b->groups, b->group_count );
	assert_same_names( a->materials, a->material_count, b->materials, b->material_count );
	assert_true( x->points == y->points && x->lines == y->lines );
	assert_true( x->warnings == y->warnings && x->losses == y->losses );
	assert_string_equal( x->warning ? x->warning : "", y->warning ? y->warning : "" );
	assert_int_equal( x->side_files.count, y->side_files.count );
	for ( uint32_t i = 0; i < x->side_files.count; ++i )
	{
		assert_string_equal( x->side_files.files[i].name, y->side_files.files[i].name );
	}
}

static void compare( const text* t, bv_status expected )
{
	outcome one;
	read( t, 1, &one );
	assert_int_equal( one.status, expected );
	for ( uint32_t threads = 2; threads <= 8; threads += 3 )
	{
		outcome several;
		read( t, threads, &several );
		assert_int_equal( several.status, expected );
		if ( expected == bv_ok )
		{
			assert_same_scene( &one.import, &several.import );
		}
		else
		{
			assert_string_equal( one.error.message, several.error.message );
		}
		bvb_arena_destroy( several.arena );
	}
	bvb_arena_destroy( one.arena );
}

static void parts_make_the_same_scene( void** state )
{
	(void)state;
	static const uint32_t names[] = { 0, 2, 10, 1000, 20000 };
	for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		text t;
		begin_text( &t, 21 + i, names[i] );
		compare( &t, bv_ok );
		free( t.bytes );
	}
}

static void what_counts_backwards_is_read_in_one( void** state )
{
	(void)state;
	text t;
	begin_text( &t, 31, 1000 );
	for ( int i = 0; i < 1000; ++i )
	{
		add_face( &t, 3, true );
		add_vertex( &t );
	}
	compare( &t, bv_ok );
	free( t.bytes );
}

// Whatever is wrong anywhere gives the one message that a reader from the front gives.
static void errors_name_their_lines( void** state )
{
	(void)state;
	static const char* const wrong[] = { "\nf 1 2 3 y\n",  "\nv 1 2 x\n", "\nf 1 2 999999999\n",
		                                 "\nnonsense 1\n", "\nf 1 2 0\n", "\nv 1 2\n" };
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		for ( int place = 0; place < 3; ++place )
		{
			text t;
			begin_text( &t, 41 + i, 100 );
			size_t length = strlen( wrong[i] );
			size_t at = place == 0 ? 100 : place == 1 ? t.length / 2 : t.length - 100;
			while ( t.bytes[at] != '\n' || t.bytes[at - 1] == '\\' || t.bytes[at - 2] == '\\' )
			{
				at += 1;
			}
			memcpy( t.bytes + at, wrong[i], length );
			compare( &t, bv_error_input );
			free( t.bytes );
		}
	}
}

// As warnings do.
static void warnings_name_their_lines( void** state )
{
	(void)state;
	static const char* const odd[] = { "\nf 1 2\nf 3\nf\n", "\ng C:\\\nf 1 2 3\n" };
	for ( size_t i = 0; i < sizeof odd / sizeof *odd; ++i )
	{
		text t;
		begin_text( &t, 71 + i, 100 );
		add( &t, odd[i] );
		t.bytes[t.length++] = 0x1a;
		outcome one;
		read( &t, 4, &one );
		assert_int_equal( one.import.warnings, i == 0 ? 4 : 2 );
		bvb_arena_destroy( one.arena );
		compare( &t, bv_ok );
		free( t.bytes );
	}
}

static void a_nul_byte_is_no_text( void** state )
{
	(void)state;
	text t;
	begin_text( &t, 51, 100 );
	t.bytes[t.length * 2 / 3] = 0;
	compare( &t, bv_error_input );
	free( t.bytes );
}

static void one_long_line_is_one_part( void** state )
{
	(void)state;
	text t = { .bytes = malloc( room ), .seed = 61 };
	assert_non_null( t.bytes );
	add( &t, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n# " );
	memset( t.bytes + t.length, 'x', long_enough );
	t.length += long_enough;
	compare( &t, bv_ok );
	add( &t, "\nf 3 2 1\n" );
	compare( &t, bv_ok );
	free( t.bytes );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( parts_make_the_same_scene ),
		cmocka_unit_test( what_counts_backwards_is_read_in_one ),
		cmocka_unit_test( errors_name_their_lines ),
		cmocka_unit_test( warnings_name_their_lines ),
		cmocka_unit_test( a_nul_byte_is_no_text ),
		cmocka_unit_test( one_long_line_is_one_part ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
