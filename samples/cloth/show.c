// Writes a page that plays what cloth has recorded.
//
//     show SHEET BODY FRAMES TEMPLATE PAGE [EVERY]    shows one frame of EVERY
//
// Contacts are found again: those of the step that ends at a frame. cloth pushes features apart to its thickness, so that they rest at this
// distance. Features that come closer than 1.1 times the thickness are shown.

#include <bvworld/deform_contact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct box
{
	double low[3];
	double size[3];
} box;

typedef struct mark
{
	bv_vec3 at;
	bool own; // of the cloth with itself
} mark;

typedef struct show
{
	const bv_file* sheet;
	const bv_file* body;
	bvw_deform* deform;
	bvw_owners* owners;
	bvw_owners* body_owners;
	double separation; // of features that are shown
	uint32_t vertices;
	uint32_t frames; // that were recorded
	uint32_t every;
	const float* positions;
	bv_vec3* from; // of a step
	bv_vec3* to;
	box around; // all positions
	mark* marks;
	size_t mark_count;
	size_t mark_room;
	uint32_t* counts;  // for each frame that is shown: marks of the cloth with itself, and with the body
	uint64_t crossing; // pairs of triangles of the cloth, in all frames
	uint64_t passing;  // features that touch, in all steps
} show;

static void stop( const char* path, const char* reason )
{
	fprintf( stderr, "show: %s%s%s\n", path, *path ? ": " : "", reason );
	exit( 1 );
}

static void* allocate( size_t count, size_t size )
{
	void* memory = calloc( count > 0 ? count : 1, size );
	if ( !memory )
	{
		stop( "", "out of memory" );
	}
	return memory;
}

static char* read_bytes( const char* path, size_t* bytes )
{
	FILE* file = fopen( path, "rb" );
	long end = file && fseek( file, 0, SEEK_END ) == 0 ? ftell( file ) : -1;
	char* out = end >= 0 && end < 0x7fffffff ? allocate( (size_t)end + 1, 1 ) : NULL;
	if ( !out || fseek( file, 0, SEEK_SET ) != 0 || fread( out, 1, (size_t)end, file ) != (size_t)end )
	{
		stop( path, "cannot be read" );
	}
	fclose( file );
	*bytes = (size_t)end;
	return out;
}

static const bv_file* read_file( const char* path, bvw_owners** owners )
{
	size_t bytes = 0;
	char* data = read_bytes( path, &bytes );
	const bv_file* file = NULL;
	if ( bv_file_open( data, bytes, &file ) != bv_ok )
	{
		free( data );
		stop( path, "cannot be read" );
	}
	size_t scratch_bytes = bvw_owners_scratch_bytes( file );
	size_t owners_bytes = bvw_owners_bytes( file );
	void* scratch = allocate( scratch_bytes, 1 );
	if ( bvw_owners_begin( file, scratch, scratch_bytes, allocate( owners_bytes, 1 ), owners_bytes,
	                       owners ) != bv_ok )
	{
		stop( path, "has no hierarchy" );
	}
	free( scratch );
	return file;
}

static void read_frames( show* s, const char* path )
{
	size_t bytes = 0;
	char* data = read_bytes( path, &bytes );
	uint32_t head[2] = { 0, 0 };
	memcpy( head, data, bytes < sizeof head ? 0 : sizeof head );
	s->vertices = bv_file_get_mesh( s->sheet ).vertices;
	s->frames = head[1];
	if ( head[0] != s->vertices || s->frames == 0 ||
	     bytes != sizeof head + (uint64_t)s->vertices * s->frames * 3 * sizeof( float ) )
	{
		stop( path, "has no frames of this sheet" );
	}
	float* positions = allocate( bytes, 1 );
	memcpy( positions, data + sizeof head, bytes - sizeof head );
	s->positions = positions;
	free( data );
}

static double edge_length( const bv_file* file, uint32_t a, uint32_t b )
{
	return bv_length( bv_sub( bv_file_get_vertex( file, a ), bv_file_get_vertex( file, b ) ) );
}

static void begin( show* s )
{
	bvw_deform_options options = { .no_lists = true, .motion = true };
	size_t bytes = bvw_deform_bytes( s->sheet, &options );
	if ( bvw_deform_begin( s->sheet, &options, allocate( bytes, 1 ), bytes, &s->deform ) != bv_ok )
	{
		stop( "", "the sheet has no hierarchy" );
	}
	double shortest = INFINITY;
	for ( uint32_t i = 0; i < bv_file_get_mesh( s->sheet ).triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( s->sheet, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			double length = edge_length( s->sheet, corner[k], corner[( k + 1 ) % 3] );
			shortest = length < shortest ? length : shortest;
		}
	}
	s->separation = 1.1 * 0.2 * shortest;
	s->from = allocate( s->vertices, sizeof *s->from );
	s->to = allocate( s->vertices, sizeof *s->to );
	s->counts = allocate( s->frames, 2 * sizeof *s->counts );
}

static void enclose( box* b, const double p[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( !isfinite( p[k] ) )
		{
			stop( "", "a position is not finite" );
		}
		double high = b->low[k] + b->size[k];
		high = p[k] > high ? p[k] : high;
		b->low[k] = p[k] < b->low[k] ? p[k] : b->low[k];
		b->size[k] = high - b->low[k];
	}
}

static void find_box( show* s )
{
	for ( int k = 0; k < 3; ++k )
	{
		s->around.low[k] = s->positions[k];
	}
	for ( size_t i = 0; i < (size_t)s->vertices * s->frames; ++i )
	{
		const float* p = s->positions + 3 * i;
		enclose( &s->around, ( const double[3] ){ p[0], p[1], p[2] } );
	}
	for ( uint32_t i = 0; i < bv_file_get_mesh( s->body ).vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( s->body, i );
		enclose( &s->around, ( const double[3] ){ p.x, p.y, p.z } );
	}
}

// Contacts

static double clamp( double x )
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The middle between the points of two edges that are nearest to each other.
static bv_vec3 between_edges( const bv_vec3 p[4] )
{
	bv_vec3 u = bv_sub( p[1], p[0] ), v = bv_sub( p[3], p[2] ), d = bv_sub( p[0], p[2] );
	double uu = bv_dot( u, u ), uv = bv_dot( u, v ), vv = bv_dot( v, v );
	double area = uu * vv - uv * uv;
	double s = area > 0 ? clamp( ( uv * bv_dot( d, v ) - vv * bv_dot( d, u ) ) / area ) : 0;
	double t = vv > 0 ? clamp( ( bv_dot( d, v ) + s * uv ) / vv ) : 0;
	bv_vec3 a = bv_add( p[0], bv_scale( s, u ) ), b = bv_add( p[2], bv_scale( t, v ) );
	return bv_scale( 0.5, bv_add( a, b ) );
}

static bool keep( void* context, const bvw_deform_contact* contact )
{
	show* s = context;
	int first = contact->kind == bvw_contact_vertex_face ? 1 : 2; // vertices of the first feature
	bv_vec3 p[4];
	for ( int i = 0; i < 4; ++i )
	{
		uint32_t v = contact->vertex[i];
		bool moves = contact->mesh[i >= first] == 0;
		p[i] = moves ? bv_add( s->from[v], bv_scale( contact->time.lower, bv_sub( s->to[v], s->from[v] ) ) )
		             : bv_file_get_vertex( s->body, v );
	}
	if ( s->mark_count == s->mark_room )
	{
		s->mark_room = 2 * s->mark_room + 1024;
		s->marks = realloc( s->marks, s->mark_room * sizeof *s->marks );
		if ( !s->marks )
		{
			stop( "", "out of memory" );
		}
	}
	s->marks[s->mark_count++] =
		( mark ){ first == 1 ? p[0] : between_edges( p ), contact->mesh[0] == contact->mesh[1] };
	return true;
}

static void get_frame( const show* s, uint32_t frame, bv_vec3* out )
{
	for ( uint32_t i = 0; i < s->vertices; ++i )
	{
		const float* p = s->positions + 3 * ( (size_t)frame * s->vertices + i );
		out[i] = ( bv_vec3 ){ p[0], p[1], p[2] };
	}
}

static void place( show* s, const bv_vec3* from, const bv_vec3* to )
{
	bvw_vertices a = { .positions = &from->x, .count = s->vertices };
	bvw_vertices b = { .positions = &to->x, .count = s->vertices };
	if ( bvw_deform_refit_motion( s->deform, &a, &b, NULL, NULL ) != bv_ok )
	{
		stop( "", "positions are out of range" );
	}
}

// @return contacts of the cloth with itself and with the body
static void sweep( show* s, double separation, bvw_deform_contact_callback* callback, uint64_t count[2] )
{
	bvw_deform_sweep_options options = {
		.separation = separation, .tolerance = 1e-3, .callback = callback, .context = s
	};
	bvw_deform_other other = { .file = s->body, .owners = s->body_owners };
	bvw_deform_sweep_result own, others;
	if ( bvw_deform_self_sweep( s->deform, s->owners, &options, &own ) != bv_ok ||
	     bvw_deform_sweep( s->deform, s->owners, &other, &options, &others ) != bv_ok )
	{
		stop( "", "contacts cannot be found" );
	}
	count[0] = own.contacts;
	count[1] = others.contacts;
}

static void find_contacts( show* s )
{
	for ( uint32_t i = 0; i < s->frames; ++i )
	{
		uint64_t count[2];
		bvw_self_collide_result crossing;
		get_frame( s, i > 0 ? i - 1 : 0, s->from );
		get_frame( s, i, s->to );
		place( s, s->from, s->to );
		sweep( s, 0, NULL, count );
		s->passing += count[0] + count[1];
		if ( i % s->every == 0 )
		{
			sweep( s, s->separation, keep, count );
			s->counts[2 * ( i / s->every )] = (uint32_t)count[0];
			s->counts[2 * ( i / s->every ) + 1] = (uint32_t)count[1];
		}
		place( s, s->to, s->to );
		if ( bvw_deform_self_collide( s->deform, NULL, &crossing ) != bv_ok )
		{
			stop( "", "contacts cannot be found" );
		}
		s->crossing += crossing.pairs;
	}
}

// Page

// Bytes in base64, as they come.
typedef struct writer
{
	FILE* file;
	uint32_t word;
	int held; // bytes of `word`
	int column;
} writer;

static void put_byte( writer* w, uint8_t byte )
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	w->word = w->word << 8 | byte;
	if ( ++w->held == 3 )
	{
		for ( int k = 0; k < 4; ++k )
		{
			fputc( digits[w->word >> ( 18 - 6 * k ) & 63], w->file );
		}
		w->word = 0;
		w->held = 0;
		w->column += 4;
		if ( w->column == 128 )
		{
			fputc( '\n', w->file );
			w->column = 0;
		}
	}
}

static void put_number( writer* w, uint32_t number, int bytes )
{
	for ( int i = 0; i < bytes; ++i )
	{
		put_byte( w, (uint8_t)( number >> 8 * i ) );
	}
}

// In steps of a 65,535th of the box.
static void put_position( writer* w, const box* b, const double p[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		double part = b->size[k] > 0 ? clamp( ( p[k] - b->low[k] ) / b->size[k] ) : 0;
		put_number( w, (uint32_t)( 65535 * part + 0.5 ), 2 );
	}
}

static void put_triangles( writer* w, const bv_file* file )
{
	for ( uint32_t i = 0; i < bv_file_get_mesh( file ).triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			put_number( w, corner[k], 4 );
		}
	}
}

// Triangles of the sheet and of the body, 32 bits each; positions of the body, of the sheet for each frame, and of marks, 16 bits each,
// with the number of the kind for marks.
static void put_data( const show* s, FILE* file )
{
	writer w = { .file = file };
	put_triangles( &w, s->sheet );
	put_triangles( &w, s->body );
	for ( uint32_t i = 0; i < bv_file_get_mesh( s->body ).vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( s->body, i );
		put_position( &w, &s->around, ( const double[3] ){ p.x, p.y, p.z } );
	}
	for ( uint32_t i = 0; i < s->frames; i += s->every )
	{
		const float* p = s->positions + 3 * (size_t)i * s->vertices;
		for ( uint32_t k = 0; k < s->vertices; ++k, p += 3 )
		{
			put_position( &w, &s->around, ( const double[3] ){ p[0], p[1], p[2] } );
		}
	}
	for ( size_t i = 0; i < s->mark_count; ++i )
	{
		bv_vec3 p = s->marks[i].at;
		put_position( &w, &s->around, ( const double[3] ){ p.x, p.y, p.z } );
		put_number( &w, s->marks[i].own ? 0 : 1, 2 );
	}
	while ( w.held != 0 )
	{
		put_byte( &w, 0 ); // all that is before has its length in the other part
	}
	fputc( '\n', file );
}

static void put_numbers( const show* s, FILE* file )
{
	bv_mesh_info sheet = bv_file_get_mesh( s->sheet ), body = bv_file_get_mesh( s->body );
	uint32_t shown = ( s->frames - 1 ) / s->every + 1;
	const double *low = s->around.low, *size = s->around.size;
	fprintf( file, "{\"vertices\":%u,\"triangles\":%u,\"bodyVertices\":%u,\"bodyTriangles\":%u,\"every\":%u,",
	         sheet.vertices, sheet.triangles, body.vertices, body.triangles, s->every );
	fprintf( file, "\"separation\":%.6g,\"low\":[%.9g,%.9g,%.9g],\"size\":[%.9g,%.9g,%.9g],\"contacts\":[",
	         s->separation, low[0], low[1], low[2], size[0], size[1], size[2] );
	for ( uint32_t i = 0; i < shown; ++i )
	{
		fprintf( file, "%s[%u,%u]",
		         i == 0   ? ""
		         : i % 16 ? ","
		                  : ",\n",
		         s->counts[2 * i], s->counts[2 * i + 1] );
	}
	fprintf( file, "]}\n" );
}

// The lines of the template, with what belongs after two of them.
static void write_page( const show* s, const char* template_path, const char* path )
{
	size_t bytes = 0;
	char* text = read_bytes( template_path, &bytes );
	if ( !strstr( text, "\n<!-- numbers -->\n" ) || !strstr( text, "\n<!-- data -->\n" ) )
	{
		stop( template_path, "is not the template of the page" );
	}
	FILE* file = fopen( path, "wb" );
	for ( char *line = text, *end; file && *line; line = end )
	{
		size_t length = strcspn( line, "\n" );
		end = line + length + ( line[length] == '\n' );
		fwrite( line, 1, (size_t)( end - line ), file );
		if ( strncmp( line, "<!-- numbers -->\n", 17 ) == 0 )
		{
			put_numbers( s, file );
		}
		if ( strncmp( line, "<!-- data -->\n", 14 ) == 0 )
		{
			put_data( s, file );
		}
	}
	bool is_written = file && !ferror( file );
	if ( !file || fclose( file ) != 0 || !is_written )
	{
		remove( path );
		stop( path, "cannot be written" );
	}
	free( text );
}

int main( int count, char** arguments )
{
	static show s;
	long every = count > 6 ? strtol( arguments[6], NULL, 10 ) : 1;
	if ( count < 6 || count > 7 || every < 1 || every > 1000 )
	{
		fprintf( stderr, "usage: show SHEET BODY FRAMES TEMPLATE PAGE [EVERY]\n" );
		return 2;
	}
	s.every = (uint32_t)every;
	s.sheet = read_file( arguments[1], &s.owners );
	s.body = read_file( arguments[2], &s.body_owners );
	read_frames( &s, arguments[3] );
	begin( &s );
	find_box( &s );
	find_contacts( &s );
	write_page( &s, arguments[4], arguments[5] );
	printf( "%u frames of %u triangles: %llu pairs intersect, %llu contacts in the steps between\n", s.frames,
	        bv_file_get_mesh( s.sheet ).triangles, (unsigned long long)s.crossing,
	        (unsigned long long)s.passing );
	return 0;
}
