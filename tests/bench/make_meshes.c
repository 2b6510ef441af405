// Writes one mesh in several formats, to compare readers: a closed bumpy torus of about N triangles.
//
//   make_meshes N FOLDER [FORMAT...]      all formats if none is named
//
// Every format has the same vertices, as 32-bit floats or as decimals that are read back as such, and the
// same triangles in the same order. Formats of loose triangles repeat the vertices. The memory does not
// depend on N, except for two rows of vertices.
//
// Exit codes: 1 usage, 4 a file could not be written.

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct vertex
{
	float x[3];
} vertex;

// `rows` around the tube, twice as many columns around the hole; each cell is two triangles.
typedef struct grid
{
	uint32_t rows;
	uint32_t columns;
} grid;

static uint32_t count_vertices( grid g )
{
	return g.rows * g.columns;
}

static uint32_t count_triangles( grid g )
{
	return 2 * g.rows * g.columns;
}

static void compute_row( grid g, uint32_t row, vertex* out )
{
	double a = 2 * pi * ( row % g.rows ) / g.rows;
	for ( uint32_t i = 0; i < g.columns; ++i )
	{
		double b = 2 * pi * i / g.columns;
		double tube = 1 + 0.1 * sin( 7 * a ) * cos( 11 * b );
		double radius = 3 + tube * cos( a );
		out[i].x[0] = (float)( radius * cos( b ) );
		out[i].x[1] = (float)( radius * sin( b ) );
		out[i].x[2] = (float)( tube * sin( a ) );
	}
}

// Triangle t of a row of cells, as corners (row, column) of that cell: counter-clockwise seen from outside.
static void corners_of( grid g, uint32_t t, uint32_t row[3], uint32_t column[3] )
{
	uint32_t left = t / 2;
	uint32_t right = ( left + 1 ) % g.columns;
	const uint32_t rows[2][3] = { { 0, 0, 1 }, { 0, 1, 1 } };
	const uint32_t columns[2][3] = { { left, right, right }, { left, right, left } };
	memcpy( row, rows[t % 2], sizeof rows[0] );
	memcpy( column, columns[t % 2], sizeof columns[0] );
}

static void store( uint8_t* out, uint32_t value, bool big )
{
	for ( int i = 0; i < 4; ++i )
	{
		out[big ? 3 - i : i] = (uint8_t)( value >> ( 8 * i ) );
	}
}

static void store_float( uint8_t* out, float value, bool big )
{
	uint32_t bits;
	memcpy( &bits, &value, sizeof bits );
	store( out, bits, big );
}

typedef void write_vertex( FILE* file, const vertex* v );
typedef void write_face( FILE* file, const uint32_t index[3] );
typedef void write_facet( FILE* file, const vertex* const corner[3] );

static void write_vertices( grid g, FILE* file, vertex* row, write_vertex* write )
{
	for ( uint32_t i = 0; i < g.rows; ++i )
	{
		compute_row( g, i, row );
		for ( uint32_t k = 0; k < g.columns; ++k )
		{
			write( file, &row[k] );
		}
	}
}

static void write_faces( grid g, FILE* file, write_face* write )
{
	for ( uint32_t i = 0; i < g.rows; ++i )
	{
		for ( uint32_t t = 0; t < 2 * g.columns; ++t )
		{
			uint32_t row[3];
			uint32_t index[3];
			corners_of( g, t, row, index );
			for ( int k = 0; k < 3; ++k )
			{
				index[k] += ( i + row[k] ) % g.rows * g.columns;
			}
			write( file, index );
		}
	}
}

static void write_facets( grid g, FILE* file, vertex* rows, write_facet* write )
{
	vertex* pair[2] = { rows, rows + g.columns };
	compute_row( g, 0, pair[1] );
	for ( uint32_t i = 0; i < g.rows; ++i )
	{
		vertex* free_row = pair[0];
		pair[0] = pair[1];
		pair[1] = free_row;
		compute_row( g, i + 1, pair[1] );
		for ( uint32_t t = 0; t < 2 * g.columns; ++t )
		{
			uint32_t row[3];
			uint32_t column[3];
			corners_of( g, t, row, column );
			const vertex* corner[3];
			for ( int k = 0; k < 3; ++k )
			{
				corner[k] = &pair[row[k]][column[k]];
			}
			write( file, corner );
		}
	}
}

static void text_vertex( FILE* file, const vertex* v )
{
	fprintf( file, "%.9g %.9g %.9g\n", (double)v->x[0], (double)v->x[1], (double)v->x[2] );
}

static void text_face( FILE* file, const uint32_t index[3] )
{
	fprintf( file, "3 %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", index[0], index[1], index[2] );
}

static void obj_vertex( FILE* file, const vertex* v )
{
	fputs( "v ", file );
	text_vertex( file, v );
}

static void obj_face( FILE* file, const uint32_t index[3] )
{
	fprintf( file, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", index[0] + 1, index[1] + 1, index[2] + 1 );
}

static void binary_vertex( FILE* file, const vertex* v, bool big )
{
	uint8_t bytes[12];
	for ( int k = 0; k < 3; ++k )
	{
		store_float( bytes + 4 * k, v->x[k], big );
	}
	fwrite( bytes, sizeof bytes, 1, file );
}

static void binary_face( FILE* file, const uint32_t index[3], bool big )
{
	uint8_t bytes[13] = { 3 };
	for ( int k = 0; k < 3; ++k )
	{
		store( bytes + 1 + 4 * k, index[k], big );
	}
	fwrite( bytes, sizeof bytes, 1, file );
}

static void little_vertex( FILE* file, const vertex* v )
{
	binary_vertex( file, v, false );
}

static void big_vertex( FILE* file, const vertex* v )
{
	binary_vertex( file, v, true );
}

static void little_face( FILE* file, const uint32_t index[3] )
{
	binary_face( file, index, false );
}

static void big_face( FILE* file, const uint32_t index[3] )
{
	binary_face( file, index, true );
}

static vertex unit_normal( const vertex* const corner[3] )
{
	double u[3];
	double v[3];
	for ( int k = 0; k < 3; ++k )
	{
		u[k] = (double)corner[1]->x[k] - (double)corner[0]->x[k];
		v[k] = (double)corner[2]->x[k] - (double)corner[0]->x[k];
	}
	double n[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
	double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
	vertex normal = { { 0 } };
	for ( int k = 0; k < 3 && length > 0; ++k )
	{
		normal.x[k] = (float)( n[k] / length );
	}
	return normal;
}

static void binary_facet( FILE* file, const vertex* const corner[3] )
{
	vertex normal = unit_normal( corner );
	binary_vertex( file, &normal, false );
	for ( int k = 0; k < 3; ++k )
	{
		binary_vertex( file, corner[k], false );
	}
	fwrite( ( uint8_t[2] ){ 0 }, 2, 1, file );
}

static void text_facet( FILE* file, const vertex* const corner[3] )
{
	vertex normal = unit_normal( corner );
	fputs( "facet normal ", file );
	text_vertex( file, &normal );
	fputs( "  outer loop\n", file );
	for ( int k = 0; k < 3; ++k )
	{
		fputs( "    vertex ", file );
		text_vertex( file, corner[k] );
	}
	fputs( "  endloop\nendfacet\n", file );
}

static void write_obj( grid g, FILE* file, vertex* rows )
{
	write_vertices( g, file, rows, obj_vertex );
	write_faces( g, file, obj_face );
}

static void write_off( grid g, FILE* file, vertex* rows )
{
	fprintf( file, "OFF\n%" PRIu32 " %" PRIu32 " 0\n", count_vertices( g ), count_triangles( g ) );
	write_vertices( g, file, rows, text_vertex );
	write_faces( g, file, text_face );
}

static void write_stl( grid g, FILE* file, vertex* rows )
{
	uint8_t head[84] = "bumpy torus";
	store( head + 80, count_triangles( g ), false );
	fwrite( head, sizeof head, 1, file );
	write_facets( g, file, rows, binary_facet );
}

static void write_ascii_stl( grid g, FILE* file, vertex* rows )
{
	fputs( "solid torus\n", file );
	write_facets( g, file, rows, text_facet );
	fputs( "endsolid torus\n", file );
}

static void write_ply_header( grid g, FILE* file, const char* form )
{
	fprintf( file,
	         "ply\nformat %s 1.0\nelement vertex %" PRIu32 "\nproperty float x\nproperty float y\n"
	         "property float z\nelement face %" PRIu32
	         "\nproperty list uchar int vertex_indices\nend_header\n",
	         form, count_vertices( g ), count_triangles( g ) );
}

static void write_ply( grid g, FILE* file, vertex* rows )
{
	write_ply_header( g, file, "binary_little_endian" );
	write_vertices( g, file, rows, little_vertex );
	write_faces( g, file, little_face );
}

static void write_big_ply( grid g, FILE* file, vertex* rows )
{
	write_ply_header( g, file, "binary_big_endian" );
	write_vertices( g, file, rows, big_vertex );
	write_faces( g, file, big_face );
}

static void write_ascii_ply( grid g, FILE* file, vertex* rows )
{
	write_ply_header( g, file, "ascii" );
	write_vertices( g, file, rows, text_vertex );
	write_faces( g, file, text_face );
}

typedef struct format
{
	const char* name; // of the file too, after "mesh."
	void ( *write )( grid g, FILE* file, vertex* rows );
} format;

static const format formats[] = {
	{ "obj", write_obj },
	{ "off", write_off },
	{ "stl", write_stl },
	{ "ascii.stl", write_ascii_stl },
	{ "ply", write_ply },
	{ "be.ply", write_big_ply },
	{ "ascii.ply", write_ascii_ply },
};

enum
{
	format_count = sizeof formats / sizeof formats[0],
};

static bool write_file( const char* folder, const format* f, grid g, vertex* rows )
{
	char path[4096];
	int length = snprintf( path, sizeof path, "%s/mesh.%s", folder, f->name );
	FILE* file = length < (int)sizeof path ? fopen( path, "wb" ) : NULL;
	if ( file )
	{
		setvbuf( file, NULL, _IOFBF, 1 << 20 );
		f->write( g, file, rows );
	}
	bool good = file && !ferror( file );
	good = file && fclose( file ) == 0 && good;
	if ( !good )
	{
		fprintf( stderr, "make_meshes: %s: cannot be written\n", path );
	}
	return good;
}

static int usage( void )
{
	fputs( "usage: make_meshes N FOLDER [FORMAT...]\nformats:", stderr );
	for ( int i = 0; i < format_count; ++i )
	{
		fprintf( stderr, " %s", formats[i].name );
	}
	fputs( "\n", stderr );
	return 1;
}

int main( int count, char** arguments )
{
	double wanted = count > 2 ? atof( arguments[1] ) : 0;
	if ( !( wanted >= 1 && wanted <= 1e9 ) )
	{
		return usage();
	}
	bool chosen[format_count] = { false };
	for ( int i = 3; i < count; ++i )
	{
		int k = 0;
		while ( k < format_count && strcmp( arguments[i], formats[k].name ) != 0 )
		{
			++k;
		}
		if ( k == format_count )
		{
			return usage();
		}
		chosen[k] = true;
	}

	uint32_t rows = (uint32_t)lround( sqrt( wanted / 4 ) );
	rows = rows < 3 ? 3 : rows;
	grid g = { .rows = rows, .columns = 2 * rows };
	vertex* memory = malloc( 2 * g.columns * sizeof *memory );
	bool good = memory;
	for ( int i = 0; i < format_count && good; ++i )
	{
		if ( count == 3 || chosen[i] )
		{
			good = write_file( arguments[2], &formats[i], g, memory );
		}
	}
	free( memory );
	return good ? 0 : 4;
}
