// The PLY reader on random meshes, written in every encoding and in many layouts, on files cut off anywhere,
// and on damaged ones.

#include "import_ply.h"

#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
	most_vertices = 60,
	most_faces = 60,
	most_corners = 6,
	most_properties = 16,
	type_count = 8,
};

typedef enum encoding
{
	encoding_text,
	encoding_little,
	encoding_big,
} encoding;

typedef struct mesh
{
	int vertex_count;
	int face_count;
	double position[most_vertices][3];
	int corners[most_faces];
	int corner[most_faces][most_corners];
	bool whole; // coordinates that any type can hold
} mesh;

typedef struct property
{
	int type;
	int count_type; // -1: no list
	int coordinate; // -1: none
	bool indices;
} property;

typedef struct element
{
	char kind; // v, f or another
	int count;
	int property_count;
	property properties[most_properties];
} element;

typedef struct layout
{
	int element_count;
	element elements[8];
} layout;

typedef struct output
{
	encoding how;
	char bytes[1 << 18];
	size_t size;
} output;

static uint32_t random_below( fixture* f, uint32_t limit )
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return (uint32_t)( ( f->random >> 32 ) * limit >> 32 );
}

static mesh random_mesh( fixture* f )
{
	mesh m = { .vertex_count = 1 + (int)random_below( f, most_vertices ),
		       .face_count = 1 + (int)random_below( f, most_faces ),
		       .whole = random_below( f, 2 ) };
	for ( int i = 0; i < m.vertex_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double x = random_below( f, 128 );
			m.position[i][k] = m.whole ? x : x / 8 - 5;
		}
	}
	for ( int i = 0; i < m.face_count; ++i )
	{
		m.corners[i] = random_below( f, 4 ) ? 3 : (int)random_below( f, most_corners + 1 );
		for ( int k = 0; k < m.corners[i]; ++k )
		{
			m.corner[i][k] = (int)random_below( f, (uint32_t)m.vertex_count );
		}
	}
	m.corners[0] = 3;
	m.corner[0][0] = m.corner[0][1] = m.corner[0][2] = 0;
	return m;
}

static void add_property( fixture* f, element* e, property p )
{
	int place = (int)random_below( f, (uint32_t)e->property_count + 1 );
	memmove( e->properties + place + 1, e->properties + place,
	         (size_t)( e->property_count - place ) * sizeof p );
	e->properties[place] = p;
	++e->property_count;
}

static void add_noise( fixture* f, element* e, bool lists )
{
	for ( uint32_t i = random_below( f, 5 ); i > 0; --i )
	{
		bool list = lists && random_below( f, 3 ) == 0;
		int count_type = list ? (int)random_below( f, 6 ) : -1;
		add_property( f, e, ( property ){ (int)random_below( f, type_count ), count_type, -1, false } );
	}
}

static layout random_layout( fixture* f, const mesh* m )
{
	element vertices = { .kind = 'v', .count = m->vertex_count };
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t type = m->whole ? random_below( f, type_count ) : 6 + random_below( f, 2 );
		vertices.properties[vertices.property_count++] = ( property ){ (int)type, -1, k, false };
	}
	add_noise( f, &vertices, random_below( f, 2 ) );
	element faces = { .kind = 'f', .count = m->face_count };
	add_property( f, &faces, ( property ){ (int)random_below( f, 6 ), (int)random_below( f, 6 ), -1, true } );
	add_noise( f, &faces, true );

	layout l = { 0 };
	bool swapped = random_below( f, 2 );
	for ( int i = 0; i < 5; ++i )
	{
		if ( i % 2 == 0 && random_below( f, 3 ) == 0 )
		{
			element other = { .kind = (char)( 'a' + i ), .count = (int)random_below( f, 5 ) };
			add_property( f, &other, ( property ){ 2, -1, -1, false } );
			add_noise( f, &other, true );
			l.elements[l.element_count++] = other;
		}
		if ( i % 2 == 1 )
		{
			l.elements[l.element_count++] = ( i == 1 ) == swapped ? faces : vertices;
		}
	}
	return l;
}

static void put_text( output* o, const char* text )
{
	o->size += (size_t)sprintf( o->bytes + o->size, "%s", text );
}

static void put_bits( output* o, uint64_t bits, int bytes )
{
	for ( int i = 0; i < bytes; ++i )
	{
		int shift = 8 * ( o->how == encoding_big ? bytes - 1 - i : i );
		o->bytes[o->size++] = (char)( bits >> shift );
	}
}

static void put_value( fixture* f, output* o, int type, double value )
{
	static const int sizes[type_count] = { 1, 1, 2, 2, 4, 4, 4, 8 };
	static const char* const blanks[] = { " ", "\n", "\r\n", "\t", "  " };
	if ( o->how == encoding_text )
	{
		o->size += (size_t)sprintf( o->bytes + o->size, "%.17g", value );
		put_text( o, blanks[random_below( f, 5 )] );
	}
	else if ( type == 7 )
	{
		uint64_t bits;
		memcpy( &bits, &value, sizeof bits );
		put_bits( o, bits, 8 );
	}
	else if ( type == 6 )
	{
		uint32_t bits;
		float single = (float)value;
		memcpy( &bits, &single, sizeof bits );
		put_bits( o, bits, 4 );
	}
	else
	{
		put_bits( o, (uint64_t)(int64_t)value, sizes[type] );
	}
}

static double random_value( fixture* f, int type )
{
	static const double least[6] = { -128, 0, -32768, 0, -2147483648.0, 0 };
	static const double range[6] = { 256, 256, 65536, 65536, 4294967296.0, 4294967296.0 };
	double unit = random_below( f, 1 << 24 ) * 0x1p-24;
	return type < 6 ? least[type] + floor( unit * range[type] ) : 100 * unit - 50;
}

static void put_header( fixture* f, output* o, const layout* l )
{
	static const char* const types[type_count][2] = {
		{ "char", "int8" }, { "uchar", "uint8" }, { "short", "int16" },   { "ushort", "uint16" },
		{ "int", "int32" }, { "uint", "uint32" }, { "float", "float32" }, { "double", "float64" },
	};
	static const char* const names[] = { "vertex_indices", "vertex_index" };
	put_text( o, o->how == encoding_text ? TEXT : o->how == encoding_little ? LITTLE : BIG );
	for ( int i = 0; i < l->element_count; ++i )
	{
		const element* e = &l->elements[i];
		char other[2] = { e->kind, 0 };
		o->size += (size_t)sprintf( o->bytes + o->size, "element %s %d\n",
		                            e->kind == 'v'   ? "vertex"
		                            : e->kind == 'f' ? "face"
		                                             : other,
		                            e->count );
		for ( int k = 0; k < e->property_count; ++k )
		{
			const property* p = &e->properties[k];
			put_text( o, "property " );
			if ( p->count_type >= 0 )
			{
				put_text( o, "list " );
				put_text( o, types[p->count_type][random_below( f, 2 )] );
				put_text( o, " " );
			}
			put_text( o, types[p->type][random_below( f, 2 )] );
			char name[16];
			snprintf( name, sizeof name, p->coordinate >= 0 ? "%c" : "n%d",
			          p->coordinate >= 0 ? 'x' + p->coordinate : k );
			put_text( o, " " );
			put_text( o, p->indices ? names[random_below( f, 2 )] : name );
			put_text( o, "\n" );
		}
	}
	put_text( o, END );
}

static void put_property( fixture* f, output* o, const mesh* m, const property* p, int entry )
{
	if ( p->indices )
	{
		put_value( f, o, p->count_type, m->corners[entry] );
		for ( int i = 0; i < m->corners[entry]; ++i )
		{
			put_value( f, o, p->type, m->corner[entry][i] );
		}
		return;
	}
	uint32_t count = 1;
	if ( p->count_type >= 0 )
	{
		count = random_below( f, 4 );
		put_value( f, o, p->count_type, count );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		put_value( f, o, p->type,
		           p->coordinate >= 0 ? m->position[entry][p->coordinate] : random_value( f, p->type ) );
	}
}

static void put_mesh( fixture* f, output* o, const mesh* m, const layout* l )
{
	o->size = 0;
	put_header( f, o, l );
	for ( int i = 0; i < l->element_count; ++i )
	{
		const element* e = &l->elements[i];
		for ( int entry = 0; entry < e->count; ++entry )
		{
			for ( int k = 0; k < e->property_count; ++k )
			{
				put_property( f, o, m, &e->properties[k], entry );
			}
		}
	}
}

static void expect_written( const fixture* f, const mesh* m )
{
	const bvb_scene* s = &f->import.scene;
	for ( int i = 0; i < m->vertex_count; ++i )
	{
		expect_position( f, (uint32_t)i, m->position[i][0], m->position[i][1], m->position[i][2] );
	}
	uint32_t t = 0;
	uint32_t few[3] = { 0, 0, 0 };
	for ( int i = 0; i < m->face_count; ++i )
	{
		int corners = m->corners[i];
		few[corners < 3 ? corners : 0] += corners < 3;
		if ( corners == 3 )
		{
			expect_triangle( f, t, (uint32_t)i, (uint32_t)m->corner[i][0], (uint32_t)m->corner[i][1],
			                 (uint32_t)m->corner[i][2] );
		}
		for ( int k = 2; k < corners; ++k )
		{
			assert_int_equal( s->faces[t++], i );
		}
	}
	assert_int_equal( t, s->mesh.triangle_count );
	assert_int_equal( f->import.points, few[1] );
	assert_int_equal( f->import.lines, few[2] );
}

static uint32_t triangles_of( const mesh* m )
{
	int count = 0;
	for ( int i = 0; i < m->face_count; ++i )
	{
		count += m->corners[i] > 2 ? m->corners[i] - 2 : 0;
	}
	return (uint32_t)count;
}

// The layout that the loops for the common case read: nothing but floats and 32-bit indices.
static layout plain_layout( const mesh* m )
{
	return ( layout ){
		2,
		{ { 'v', m->vertex_count, 3, { { 6, -1, 0, false }, { 6, -1, 1, false }, { 6, -1, 2, false } } },
		  { 'f', m->face_count, 1, { { 4, 1, -1, true } } } }
	};
}

static void every_encoding_and_layout_gives_the_same_scene( void** state )
{
	fixture* f = *state;
	static output o;
	for ( int round = 0; round < 300; ++round )
	{
		mesh m = random_mesh( f );
		uint32_t triangles = triangles_of( &m );
		bvb_triangle reference[most_faces * most_corners];
		for ( int version = 0; version < 12; ++version )
		{
			layout l = version < 3 ? plain_layout( &m ) : random_layout( f, &m );
			o.how = (encoding)( version % 3 );
			put_mesh( f, &o, &m, &l );
			expect_bytes( f, o.bytes, o.size, (uint32_t)m.vertex_count, triangles );
			expect_written( f, &m );

			// How polygons are cut is tested where it is done; that it is the same, here.
			bvb_triangle* given = f->import.scene.mesh.triangles;
			if ( version > 0 )
			{
				assert_memory_equal( given, reference, triangles * sizeof *given );
			}
			memcpy( reference, given, triangles * sizeof *given );
		}
	}
}

// A bad index in any face and corner, in the common layout and in one that has another property besides.
static void bad_indices_are_found_in_every_layout( void** state )
{
	fixture* f = *state;
	static output o;
	for ( int round = 0; round < 300; ++round )
	{
		mesh m = random_mesh( f );
		int face = (int)random_below( f, (uint32_t)m.face_count );
		int place = (int)random_below( f, 3 );
		m.corners[face] = m.corners[face] < 3 ? 3 : m.corners[face];
		m.corner[face][place] = round % 2 ? m.vertex_count : -1 - (int)random_below( f, 3 );
		for ( int version = 0; version < 6; ++version )
		{
			layout l = plain_layout( &m );
			if ( version >= 3 )
			{
				add_property( f, &l.elements[1], ( property ){ 1, -1, -1, false } );
			}
			o.how = (encoding)( version % 3 );
			put_mesh( f, &o, &m, &l );
			assert_int_equal( read_bytes( f, o.bytes, o.size ), bv_error_input );
			char message[128];
			snprintf( message, sizeof message, ": face %d refers to vertex %d of %d", face,
			          m.corner[face][place], m.vertex_count );
			assert_non_null( strstr( f->error.message, message ) );
		}
	}
}

// Damage.

typedef struct sample
{
	const char* bytes;
	size_t size;
} sample;

#define RICH                                                                                               \
	"comment c\nelement a 1\nproperty list char short b\nelement vertex 4\nproperty char x\n"              \
	"property uchar q\nproperty short y\nproperty char z\nelement face 2\nproperty uchar m\n"              \
	"property list uchar uchar vertex_indices\nelement tristrips 1\nproperty list uchar char vertex_index" \
	"\nelement edge 1\nproperty uchar vertex1\nproperty uchar vertex2\n" END

static const sample samples[] = {
	{ BYTES( TEXT RICH "2 5 6\n0 9 0 0\n1 9 0 0\n1 9 1 0\n0 9 1 0\n7 3 0 1 2\n7 4 0 1 2 3\n"
	                   "6 0 1 2 3 -1 2\n0 1\n" ) },
	{ BYTES( LITTLE RICH "\2\5\0\6\0"
	                     "\0\11\0\0\0\1\11\0\0\0\1\11\1\0\0\0\11\1\0\0"
	                     "\7\3\0\1\2\7\4\0\1\2\3"
	                     "\6\0\1\2\3\xff\2"
	                     "\0\1" ) },
	{ BYTES( BIG RICH "\2\0\5\0\6"
	                  "\0\11\0\0\0\1\11\0\0\0\1\11\0\1\0\0\11\0\1\0"
	                  "\7\3\0\1\2\7\4\0\1\2\3"
	                  "\6\0\1\2\3\xff\2"
	                  "\0\1" ) },
	{ BYTES( BIG CHARS( "2" ) FACES( "2" ) END "\0\0\0\1\1\1"
	                                           "\3\0\0\0\0\0\0\0\1\0\0\0\0"
	                                           "\3\0\0\0\1\0\0\0\1\0\0\0\0" ) },
};

enum
{
	sample_count = sizeof samples / sizeof samples[0],
};

// All but the newline at the end of the text is needed.
static void every_truncation_is_refused( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < sample_count; ++i )
	{
		const sample* s = &samples[i];
		size_t needed = s->size - ( i == 0 );
		for ( size_t size = 0; size < needed; ++size )
		{
			assert_int_equal( read_bytes( f, s->bytes, size ), bv_error_input );
			assert_true( strncmp( f->error.message, "scan.ply:", 9 ) == 0 );
		}
		for ( size_t size = needed; size <= s->size; ++size )
		{
			expect_bytes( f, s->bytes, size, i == 3 ? 2 : 4, i == 3 ? 2 : 5 );
			assert_int_equal( f->import.points, i != 3 );
			assert_int_equal( f->import.lines, i != 3 );
		}
	}
}

static void every_damaged_byte_ends_in_a_mesh_or_a_message( void** state )
{
	fixture* f = *state;
	static const char values[] = {
		0, 1, 3, 0x7f, (char)0x80, (char)0xff, ' ', '\n', '\r', '-', '.', '9', 'x'
	};
	int read = 0;
	for ( int i = 0; i < sample_count; ++i )
	{
		char bytes[1024];
		memcpy( bytes, samples[i].bytes, samples[i].size );
		for ( size_t k = 0; k < samples[i].size; ++k )
		{
			for ( size_t v = 0; v < sizeof values; ++v )
			{
				bytes[k] = values[v];
				bv_status status = read_bytes( f, bytes, samples[i].size );
				assert_true( status == bv_ok || f->error.message[0] );
				assert_true( status == bv_ok || status == bv_error_input || status == bv_error_unsupported );
				const bvb_mesh* given = &f->import.scene.mesh;
				for ( uint32_t t = 0; t < 3 * given->triangle_count; ++t )
				{
					assert_true( given->triangles[t / 3].corner[t % 3] < given->vertex_count );
				}
				read += status == bv_ok;
			}
			bytes[k] = samples[i].bytes[k];
		}
	}
	assert_true( read > 100 );
}

// The last byte of the file is the last of a page, and the next page cannot be read.
static void nothing_behind_the_file_is_read( void** state )
{
	fixture* f = *state;
	size_t page = (size_t)sysconf( _SC_PAGESIZE );
	char* pages = mmap( NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 );
	assert_true( pages != MAP_FAILED );
	assert_int_equal( mprotect( pages + page, page, PROT_NONE ), 0 );
	for ( int i = 0; i < sample_count; ++i )
	{
		for ( size_t size = 0; size <= samples[i].size; ++size )
		{
			char* bytes = pages + page - size;
			memcpy( bytes, samples[i].bytes, size );
			bvply_read_ply( "scan.ply", bytes, size, f->arena, &f->import, &f->error );
		}
	}
	munmap( pages, 2 * page );
}

static void an_arena_that_is_full_is_an_error( void** state )
{
	(void)state;
	fixture f = { .arena = bvb_arena_create_limited( 100 ) };
	assert_int_equal( read_bytes( &f, samples[0].bytes, samples[0].size ), bv_error_memory );
	assert_string_equal( f.error.message, "out of memory" );
	bvb_arena_destroy( f.arena );
}

static void files_named_ply_are_read_by_this_reader( void** state )
{
	fixture* f = *state;
	char path[] = "/tmp/bvb-test-XXXXXX.PLY";
	int file = mkstemps( path, 4 );
	assert_true( file >= 0 );
	FILE* stream = fdopen( file, "wb" );
	assert_int_equal( fwrite( samples[1].bytes, 1, samples[1].size, stream ), samples[1].size );
	assert_int_equal( fclose( stream ), 0 );
	bvb_import_options options = bvb_import_options_default();
	bv_status status = bvb_import_file( path, &options, f->arena, &f->import, &f->error );
	remove( path );
	assert_int_equal( status, bv_ok );
	assert_string_equal( f->import.format, "ply" );
	assert_int_equal( f->import.scene.mesh.triangle_count, 5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( every_encoding_and_layout_gives_the_same_scene ),
		TEST( bad_indices_are_found_in_every_layout ),
		TEST( every_truncation_is_refused ),
		TEST( every_damaged_byte_ends_in_a_mesh_or_a_message ),
		TEST( nothing_behind_the_file_is_read ),
		TEST( an_arena_that_is_full_is_an_error ),
		TEST( files_named_ply_are_read_by_this_reader ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
