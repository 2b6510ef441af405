// A cloth falls onto a mesh and onto itself: position-based dynamics (Mueller, Heidelberger, Hennix and Ratcliff 2007), with
// libbvworld for contacts of the cloth with itself and with the mesh.
//
//     cloth sheet SQUARES > sheet.obj                  writes a sheet of 2 * SQUARES * SQUARES triangles, to be built by bvbuild
//     cloth ball > ball.obj                            writes a ball for it to fall onto, likewise
//     cloth stand MESH > body.obj                      writes the mesh of a file instead, as large as the ball, on the floor
//     cloth drop SHEET BODY OUTPUT [SKIP [FRAMES]]     writes positions of FRAMES steps, without the first SKIP steps
//
// The output has two numbers, of vertices and of frames, then x, y and z of all vertices for each frame, all of 32 bits.

#include <bvworld/deform_contact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	iterations = 12,
	passes = 2,  // over contacts
	rounds = 50, // until nothing touches
};

static const double gravity = 9.81 / ( 240 * 240 ); // per step
static const double damping = 0.998;
static const double bending = 0.1; // part of a bend that is undone in an iteration
static const double friction = 0.3;

typedef struct spring
{
	uint32_t end[2];
	double length;
	double stiffness;
} spring;

typedef struct cloth
{
	bvw_deform* deform;
	bvw_owners* owners;
	uint32_t vertices;
	uint32_t triangles;
	bv_vec3* before; // a step ago
	bv_vec3* at;
	bv_vec3* next;
	bv_vec3* tried; // the end of the step that contacts are of
	spring* springs;
	uint32_t spring_count;
	double thickness;
	const bv_file* body;
	bvw_owners* body_owners;
	uint64_t contacts; // of the step
} cloth;

static bv_vec3 plus( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return plus( a, -1, b );
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double clamp( double x )
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

static void stop( const char* reason )
{
	fprintf( stderr, "cloth: %s\n", reason );
	exit( 1 );
}

static void* allocate( size_t bytes )
{
	void* memory = calloc( 1, bytes > 0 ? bytes : 1 );
	if ( !memory )
	{
		stop( "out of memory" );
	}
	return memory;
}

static const bv_file* read_file( const char* path )
{
	FILE* file = fopen( path, "rb" );
	long bytes = file && fseek( file, 0, SEEK_END ) == 0 ? ftell( file ) : -1;
	const bv_file* out = NULL;
	void* data = bytes > 0 ? allocate( (size_t)bytes ) : NULL;
	if ( !data || fseek( file, 0, SEEK_SET ) != 0 || fread( data, 1, (size_t)bytes, file ) != (size_t)bytes ||
	     bv_file_open( data, (size_t)bytes, &out ) != bv_ok )
	{
		fprintf( stderr, "cloth: %s: cannot be read\n", path );
		exit( 1 );
	}
	fclose( file );
	return out;
}

static bvw_owners* owners_of( const bv_file* file )
{
	bvw_owners* out = NULL;
	size_t scratch_bytes = bvw_owners_scratch_bytes( file );
	size_t bytes = bvw_owners_bytes( file );
	void* scratch = allocate( scratch_bytes );
	if ( bvw_owners_begin( file, scratch, scratch_bytes, allocate( bytes ), bytes, &out ) != bv_ok )
	{
		stop( "a file has no hierarchy" );
	}
	free( scratch );
	return out;
}

// A side of a triangle: both ends in order, and the corner across.
typedef struct side
{
	uint32_t end[2];
	uint32_t across;
} side;

static int compare_sides( const void* left, const void* right )
{
	const side* a = left;
	const side* b = right;
	for ( int i = 0; i < 2; ++i )
	{
		if ( a->end[i] != b->end[i] )
		{
			return a->end[i] < b->end[i] ? -1 : 1;
		}
	}
	return a->across < b->across ? -1 : a->across > b->across;
}

static void add_spring( cloth* c, uint32_t a, uint32_t b, double stiffness )
{
	bv_vec3 d = minus( c->at[b], c->at[a] );
	c->springs[c->spring_count++] = ( spring ){ { a, b }, sqrt( dot( d, d ) ), stiffness };
}

// One for each edge, and one across each edge of two triangles, against bends.
static void make_springs( cloth* c, const bv_file* file )
{
	uint32_t count = 3 * c->triangles;
	side* sides = allocate( count * sizeof *sides );
	c->springs = allocate( 2 * (size_t)count * sizeof *c->springs );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i / 3, corner );
		uint32_t a = corner[i % 3];
		uint32_t b = corner[( i + 1 ) % 3];
		sides[i] = ( side ){ { a < b ? a : b, a < b ? b : a }, corner[( i + 2 ) % 3] };
	}
	qsort( sides, count, sizeof *sides, compare_sides );
	double shortest = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool again = i > 0 && memcmp( sides[i].end, sides[i - 1].end, sizeof sides->end ) == 0;
		if ( again )
		{
			add_spring( c, sides[i - 1].across, sides[i].across, bending );
			continue;
		}
		add_spring( c, sides[i].end[0], sides[i].end[1], 1 );
		double length = c->springs[c->spring_count - 1].length;
		shortest = length < shortest ? length : shortest;
	}
	c->thickness = 0.2 * shortest;
	free( sides );
}

static void begin( cloth* c, const bv_file* file, const bv_file* body )
{
	bvw_deform_options options = { .no_lists = true, .motion = true };
	size_t bytes = bvw_deform_bytes( file, &options );
	bv_mesh_info info = bv_file_get_mesh( file );
	*c = ( cloth ){ .vertices = info.vertices, .triangles = info.triangles, .body = body };
	c->owners = owners_of( file );
	c->body_owners = owners_of( body );
	if ( bvw_deform_begin( file, &options, allocate( bytes ), bytes, &c->deform ) != bv_ok )
	{
		stop( "the sheet has no hierarchy" );
	}
	size_t size = c->vertices * sizeof( bv_vec3 );
	c->before = allocate( size );
	c->at = allocate( size );
	c->next = allocate( size );
	c->tried = allocate( size );
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		c->at[i] = bv_file_get_vertex( file, i );
	}
	make_springs( c, file );
	memcpy( c->before, c->at, size );
}

static void pull( cloth* c, const spring* s )
{
	bv_vec3* a = c->next + s->end[0];
	bv_vec3* b = c->next + s->end[1];
	bv_vec3 d = minus( *b, *a );
	double length = sqrt( dot( d, d ) );
	double part = length > 0 ? 0.5 * s->stiffness * ( length - s->length ) / length : 0;
	*a = plus( *a, part, d );
	*b = plus( *b, -part, d );
}

static void keep_above_floor( cloth* c )
{
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		bv_vec3* p = c->next + i;
		if ( p->z < 0 )
		{
			p->x += friction * ( c->at[i].x - p->x );
			p->y += friction * ( c->at[i].y - p->y );
			p->z = 0;
		}
	}
}

// One of the four points of two features.
typedef struct point
{
	bv_vec3 at;
	bv_vec3 touch; // where it is as they touch
	bv_vec3* next; // null if it does not move
	double weight; // in the difference of the nearest points
} point;

static void get_point( cloth* c, const bvw_deform_contact* contact, int number, point* out )
{
	uint32_t vertex = contact->vertex[number];
	int own = contact->kind == bvw_contact_vertex_face ? 1 : 2;
	if ( contact->mesh[number >= own] == 1 )
	{
		out->at = out->touch = bv_file_get_vertex( c->body, vertex );
		out->next = NULL;
		return;
	}
	out->at = c->at[vertex];
	out->touch = plus( out->at, contact->time.lower, minus( c->tried[vertex], out->at ) );
	out->next = c->next + vertex;
}

// Weights of the corners at the point of a triangle that is nearest to one near it, for points above its inside.
static void weigh_face( point p[4] )
{
	bv_vec3 u = minus( p[2].touch, p[1].touch );
	bv_vec3 v = minus( p[3].touch, p[1].touch );
	bv_vec3 d = minus( p[0].touch, p[1].touch );
	double uu = dot( u, u ), uv = dot( u, v ), vv = dot( v, v );
	double area = uu * vv - uv * uv;
	double s = area > 0 ? clamp( ( dot( d, u ) * vv - dot( d, v ) * uv ) / area ) : 0;
	double t = area > 0 ? ( dot( d, v ) * uu - dot( d, u ) * uv ) / area : 0;
	t = t < 0 ? 0 : t > 1 - s ? 1 - s : t;
	p[0].weight = 1;
	p[1].weight = -( 1 - s - t );
	p[2].weight = -s;
	p[3].weight = -t;
}

// The same for two edges.
static void weigh_edges( point p[4] )
{
	bv_vec3 u = minus( p[1].touch, p[0].touch );
	bv_vec3 v = minus( p[3].touch, p[2].touch );
	bv_vec3 d = minus( p[0].touch, p[2].touch );
	double uu = dot( u, u ), uv = dot( u, v ), vv = dot( v, v );
	double area = uu * vv - uv * uv;
	double s = area > 0 ? clamp( ( uv * dot( d, v ) - vv * dot( d, u ) ) / area ) : 0;
	double t = vv > 0 ? clamp( ( dot( d, v ) + s * uv ) / vv ) : 0;
	s = uu > 0 ? clamp( ( t * uv - dot( d, u ) ) / uu ) : 0;
	p[0].weight = 1 - s;
	p[1].weight = s;
	p[2].weight = -( 1 - t );
	p[3].weight = -t;
}

// Moves the features apart where they will be, and against each other's way.
static bool push_apart( void* context, const bvw_deform_contact* contact )
{
	cloth* c = context;
	point p[4];
	bv_vec3 normal = { 0, 0, 0 };
	bv_vec3 way = { 0, 0, 0 };
	bv_vec3 end = { 0, 0, 0 };
	double mobility = 0;
	c->contacts += 1;
	for ( int i = 0; i < 4; ++i )
	{
		get_point( c, contact, i, p + i );
	}
	contact->kind == bvw_contact_vertex_face ? weigh_face( p ) : weigh_edges( p );
	for ( int i = 0; i < 4; ++i )
	{
		bv_vec3 next = p[i].next ? *p[i].next : p[i].at;
		normal = plus( normal, p[i].weight, p[i].touch );
		end = plus( end, p[i].weight, next );
		way = plus( way, p[i].weight, minus( next, p[i].at ) );
		mobility += p[i].next ? p[i].weight * p[i].weight : 0;
	}
	double length = sqrt( dot( normal, normal ) );
	if ( length < 1e-3 * c->thickness || mobility == 0 )
	{
		return true;
	}
	normal = plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length, normal );
	double missing = c->thickness - dot( normal, end );
	bv_vec3 slide = plus( way, -dot( way, normal ), normal );
	double speed = sqrt( dot( slide, slide ) );
	for ( int i = 0; i < 4 && missing > 0; ++i )
	{
		double held = speed > 0 ? friction * missing / speed : 0;
		double share = p[i].weight / mobility;
		if ( p[i].next )
		{
			*p[i].next = plus( *p[i].next, share * missing, normal );
			*p[i].next = plus( *p[i].next, -share * ( held < 1 ? held : 1 ), slide );
		}
	}
	return true;
}

static bool hold( void* context, const bvw_deform_contact* contact )
{
	cloth* c = context;
	int own = contact->kind == bvw_contact_vertex_face ? 1 : 2;
	for ( int i = 0; i < 4; ++i )
	{
		if ( contact->mesh[i >= own] == 0 )
		{
			c->next[contact->vertex[i]] = c->at[contact->vertex[i]];
		}
	}
	return true;
}

// Finds what touches as all go where they are to be next.
// @return the number of contacts
static uint64_t sweep( cloth* c, double separation, bvw_deform_contact_callback* callback )
{
	bvw_vertices from = { .positions = &c->at[0].x, .count = c->vertices };
	bvw_vertices to = { .positions = &c->tried[0].x, .count = c->vertices };
	bvw_deform_sweep_options options = {
		.separation = separation, .tolerance = 1e-3, .callback = callback, .context = c
	};
	bvw_deform_other other = { .file = c->body, .owners = c->body_owners };
	bvw_deform_sweep_result own;
	bvw_deform_sweep_result others;
	memcpy( c->tried, c->next, c->vertices * sizeof *c->tried );
	if ( bvw_deform_refit_motion( c->deform, &from, &to, NULL, NULL ) != bv_ok ||
	     bvw_deform_self_sweep( c->deform, c->owners, &options, &own ) != bv_ok ||
	     bvw_deform_sweep( c->deform, c->owners, &other, &options, &others ) != bv_ok )
	{
		stop( "positions are out of range" );
	}
	return own.contacts + others.contacts;
}

static void step( cloth* c )
{
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		c->next[i] = plus( c->at[i], damping, minus( c->at[i], c->before[i] ) );
		c->next[i].z -= gravity;
	}
	for ( int k = 0; k < iterations; ++k )
	{
		for ( uint32_t i = 0; i < c->spring_count; ++i )
		{
			pull( c, c->springs + i );
		}
		keep_above_floor( c );
	}
	c->contacts = 0;
	for ( int k = 0; k < passes; ++k )
	{
		sweep( c, c->thickness, push_apart );
		keep_above_floor( c );
	}
	// What still touches stays where it is.
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		bv_vec3* p = c->next + i;
		*p = ( bv_vec3 ){ (float)p->x, (float)p->y, (float)p->z };
	}
	for ( int k = 0; k < rounds && sweep( c, 0, hold ) > 0; ++k )
	{
	}
	bv_vec3* oldest = c->before;
	c->before = c->at;
	c->at = c->next;
	c->next = oldest;
}

static void write_frame( const cloth* c, FILE* file )
{
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		const float p[3] = { (float)c->at[i].x, (float)c->at[i].y, (float)c->at[i].z };
		fwrite( p, sizeof p, 1, file );
	}
}

// Two units wide, upright but for a slope and a wave, above the body.
static void write_sheet( unsigned squares )
{
	unsigned side_points = squares + 1;
	for ( unsigned i = 0; i < side_points * side_points; ++i )
	{
		double x = 2.0 * ( i % side_points ) / squares - 1;
		double y = 2.0 * ( i / side_points ) / squares - 1;
		printf( "v %.9g %.9g %.9g\n", x, 0.6 * y + 0.05 * x * x, 1.75 + 0.8 * y );
	}
	for ( unsigned i = 0; i < squares * squares; ++i )
	{
		unsigned a = i / squares * side_points + i % squares + 1;
		unsigned b = a + side_points;
		printf( "f %u %u %u\nf %u %u %u\n", a, a + 1, b + 1, a, b + 1, b );
	}
}

static void write_ball( void )
{
	enum
	{
		rings = 40,
		columns = 2 * rings,
	};
	const double pi = 3.14159265358979323846;
	for ( int i = 1; i < rings; ++i )
	{
		for ( int k = 0; k < columns; ++k )
		{
			double a = pi * i / rings;
			double b = 2 * pi * k / columns;
			printf( "v %.9g %.9g %.9g\n", 0.4 * sin( a ) * cos( b ), 0.4 * sin( a ) * sin( b ),
			        0.4 + 0.4 * cos( a ) );
		}
	}
	int top = ( rings - 1 ) * columns + 1;
	printf( "v 0 0 0.8\nv 0 0 0\n" );
	for ( int k = 0; k < columns; ++k )
	{
		int next = ( k + 1 ) % columns;
		int last = ( rings - 2 ) * columns + 1;
		printf( "f %d %d %d\nf %d %d %d\n", top, k + 1, next + 1, top + 1, last + next, last + k );
		for ( int row = 1; row < last; row += columns )
		{
			printf( "f %d %d %d\nf %d %d %d\n", row + k, row + columns + k, row + columns + next, row + k,
			        row + columns + next, row + next );
		}
	}
}

static void write_standing( const char* path )
{
	static const bv_file* file; // remains in memory
	file = read_file( path );
	bv_mesh_info info = bv_file_get_mesh( file );
	double low[3] = { INFINITY, INFINITY, INFINITY };
	double high[3] = { -INFINITY, -INFINITY, -INFINITY };
	double size = 0;
	for ( uint32_t i = 0; i < 3 * info.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i / 3 );
		double x = i % 3 == 0 ? p.x : i % 3 == 1 ? p.y : p.z;
		low[i % 3] = x < low[i % 3] ? x : low[i % 3];
		high[i % 3] = x > high[i % 3] ? x : high[i % 3];
	}
	for ( int k = 0; k < 3; ++k )
	{
		size = high[k] - low[k] > size ? high[k] - low[k] : size;
	}
	double scale = 0.8 / size;
	bv_vec3 foot = { ( low[0] + high[0] ) / 2, ( low[1] + high[1] ) / 2, low[2] };
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		bv_vec3 p = minus( bv_file_get_vertex( file, i ), foot );
		printf( "v %.9g %.9g %.9g\n", scale * p.x, scale * p.y, scale * p.z );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		printf( "f %u %u %u\n", corner[0] + 1, corner[1] + 1, corner[2] + 1 );
	}
}

static int drop( int count, char** arguments )
{
	static cloth c;
	unsigned skip = count > 3 ? (unsigned)strtoul( arguments[3], NULL, 10 ) : 0;
	unsigned frames = count > 4 ? (unsigned)strtoul( arguments[4], NULL, 10 ) : 100;
	begin( &c, read_file( arguments[0] ), read_file( arguments[1] ) );
	FILE* file = fopen( arguments[2], "wb" );
	if ( !file )
	{
		stop( "the output cannot be written" );
	}
	const uint32_t head[2] = { c.vertices, frames };
	fwrite( head, sizeof head, 1, file );
	for ( unsigned i = 0; i < skip + frames; ++i )
	{
		step( &c );
		if ( i >= skip )
		{
			write_frame( &c, file );
		}
		if ( ( i + 1 ) % 50 == 0 )
		{
			printf( "step %4u: %8llu contacts\n", i + 1, (unsigned long long)c.contacts );
		}
	}
	return fclose( file ) == 0 ? 0 : 1;
}

int main( int count, char** arguments )
{
	if ( count == 3 && strcmp( arguments[1], "sheet" ) == 0 )
	{
		write_sheet( (unsigned)strtoul( arguments[2], NULL, 10 ) );
		return 0;
	}
	if ( count == 2 && strcmp( arguments[1], "ball" ) == 0 )
	{
		write_ball();
		return 0;
	}
	if ( count == 3 && strcmp( arguments[1], "stand" ) == 0 )
	{
		write_standing( arguments[2] );
		return 0;
	}
	if ( count >= 5 && strcmp( arguments[1], "drop" ) == 0 )
	{
		return drop( count - 2, arguments + 2 );
	}
	fprintf( stderr, "usage: cloth sheet SQUARES\n       cloth ball\n       cloth stand MESH\n       cloth "
	                 "drop SHEET BODY OUTPUT "
	                 "[SKIP [FRAMES]]\n" );
	return 2;
}
