// Writes the sample meshes: make_samples FOLDER, which must exist.
//
// Each shows a bounding-volume builder something else: smooth and faceted, closed and open, one piece and
// many, fat and thin, sound and broken. Coordinates are rounded to six decimals, so that the files are the
// same everywhere although sines are not. Faces are counter-clockwise seen from outside.
//
// Exit codes: 1 usage, 4 a file could not be written.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct vec3
{
	double x;
	double y;
	double z;
} vec3;

// A file being written. OBJ numbers its vertices from 1.
typedef struct obj
{
	FILE* file;
	uint32_t vertices;
} obj;

static vec3 add( vec3 a, vec3 b )
{
	return ( vec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static vec3 scale( double s, vec3 a )
{
	return ( vec3 ){ s * a.x, s * a.y, s * a.z };
}

static double dot( vec3 a, vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec3 cross( vec3 a, vec3 b )
{
	return ( vec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static vec3 unit( vec3 a )
{
	return scale( 1 / sqrt( dot( a, a ) ), a );
}

// Cylinder coordinates about the z axis.
static vec3 polar( double radius, double angle, double z )
{
	return ( vec3 ){ radius * cos( angle ), radius * sin( angle ), z };
}

// Zero has no sign here: whether cos(pi/2) comes out above or below 0 differs between libraries.
static double rounded( double x )
{
	double r = round( x * 1e6 ) / 1e6;
	return r == 0 ? 0 : r;
}

// The number of the vertex written next.
static uint32_t next_vertex( const obj* out )
{
	return out->vertices + 1;
}

static uint32_t put_vertex( obj* out, vec3 p )
{
	fprintf( out->file, "v %.6f %.6f %.6f\n", rounded( p.x ), rounded( p.y ), rounded( p.z ) );
	return ++out->vertices;
}

static void put_triangle( obj* out, uint32_t a, uint32_t b, uint32_t c )
{
	fprintf( out->file, "f %u %u %u\n", (unsigned)a, (unsigned)b, (unsigned)c );
}

static void put_quad( obj* out, uint32_t a, uint32_t b, uint32_t c, uint32_t d )
{
	fprintf( out->file, "f %u %u %u %u\n", (unsigned)a, (unsigned)b, (unsigned)c, (unsigned)d );
}

static void put_group( obj* out, const char* name )
{
	fprintf( out->file, "g %s\n", name );
}

// What is at the two ends of a sweep.
typedef enum sweep_ends
{
	ends_open,
	ends_capped, // by one polygon each
	ends_joined, // the last ring leads to the first
} sweep_ends;

// The faces of a sweep whose rings have been written one after the other, from vertex `first` on. Rings run
// counter-clockwise seen from where the sweep goes.
static void put_sweep( obj* out, uint32_t first, uint32_t rings, uint32_t corners, sweep_ends ends )
{
	for ( uint32_t ring = 0; ring + ( ends != ends_joined ) < rings; ++ring )
	{
		uint32_t here = first + ring * corners;
		uint32_t there = first + ( ring + 1 ) % rings * corners;
		for ( uint32_t c = 0; c < corners; ++c )
		{
			uint32_t next = ( c + 1 ) % corners;
			put_quad( out, here + c, here + next, there + next, there + c );
		}
	}
	if ( ends == ends_capped )
	{
		fprintf( out->file, "f" );
		for ( uint32_t c = corners; c-- > 0; )
		{
			fprintf( out->file, " %u", (unsigned)( first + c ) );
		}
		fprintf( out->file, "\nf" );
		for ( uint32_t c = 0; c < corners; ++c )
		{
			fprintf( out->file, " %u", (unsigned)( first + ( rings - 1 ) * corners + c ) );
		}
		fprintf( out->file, "\n" );
	}
}

// A ring about `center`, from `right` towards `up`, which are as long as its radius.
static void put_ring( obj* out, vec3 center, vec3 right, vec3 up, uint32_t corners )
{
	for ( uint32_t c = 0; c < corners; ++c )
	{
		double angle = 2 * pi * c / corners;
		put_vertex( out, add( center, add( scale( cos( angle ), right ), scale( sin( angle ), up ) ) ) );
	}
}

static void put_prism( obj* out, vec3 foot, double height, double radius, uint32_t corners )
{
	uint32_t first = next_vertex( out );
	vec3 right = { radius, 0, 0 };
	vec3 up = { 0, radius, 0 };
	put_ring( out, foot, right, up, corners );
	put_ring( out, add( foot, ( vec3 ){ 0, 0, height } ), right, up, corners );
	put_sweep( out, first, 2, corners, ends_capped );
}

// A number in [0, 1) for each point of an integer lattice: three rounds of a 32-bit multiply-and-shift mix.
static double lattice_value( int32_t x, int32_t y, int32_t z )
{
	uint32_t h = (uint32_t)x * 0x8da6b343u + (uint32_t)y * 0xd8163841u + (uint32_t)z * 0xcb1ab31fu;
	for ( int round = 0; round < 3; ++round )
	{
		h = ( h ^ ( h >> 15 ) ) * 0x2c1b3c6du;
		h ^= h >> 12;
	}
	return h / 4294967296.0;
}

// Value noise in [0, 1): lattice values, blended by a polynomial whose first two derivatives vanish at the
// cells' sides.
static double noise( vec3 p )
{
	vec3 cell = { floor( p.x ), floor( p.y ), floor( p.z ) };
	double weight[3] = { p.x - cell.x, p.y - cell.y, p.z - cell.z };
	for ( int i = 0; i < 3; ++i )
	{
		double t = weight[i];
		weight[i] = t * t * t * ( t * ( t * 6 - 15 ) + 10 );
	}
	double sum = 0;
	for ( int corner = 0; corner < 8; ++corner )
	{
		int i = corner & 1;
		int j = corner >> 1 & 1;
		int k = corner >> 2;
		sum += ( i ? weight[0] : 1 - weight[0] ) * ( j ? weight[1] : 1 - weight[1] ) *
		       ( k ? weight[2] : 1 - weight[2] ) *
		       lattice_value( (int32_t)cell.x + i, (int32_t)cell.y + j, (int32_t)cell.z + k );
	}
	return sum;
}

// Octaves of noise, each of twice the frequency and half the height, about 0.
static double fractal_noise( vec3 p, int octaves )
{
	double sum = 0;
	double height = 1;
	for ( int i = 0; i < octaves; ++i )
	{
		sum += height * ( noise( p ) - 0.5 );
		// The shift keeps the octaves' lattices from meeting at the origin.
		p = add( scale( 2, p ), ( vec3 ){ 17.3, 5.7, 31.1 } );
		height /= 2;
	}
	return sum;
}

enum
{
	gear_teeth = 20,
	flank_points = 6,
	outline_points = 2 * flank_points + 3, // of one tooth
};

// The outline of one tooth about angle 0, in millimeters and radians: involute flanks of module 3 at a
// pressure angle of 20 degrees, and the bottom of the gap before it.
static void tooth_outline( double radius[outline_points], double angle[outline_points] )
{
	const double module = 3;
	const double pressure = 20 * pi / 180;
	const double pitch_radius = module * gear_teeth / 2;
	const double base_radius = pitch_radius * cos( pressure );
	const double root_radius = pitch_radius - 1.25 * module;
	const double tip_radius = pitch_radius + module;
	const double base_angle = pi / ( 2 * gear_teeth ) + tan( pressure ) - pressure;

	radius[0] = root_radius;
	angle[0] = -pi / gear_teeth;
	radius[1] = radius[outline_points - 1] = root_radius;
	angle[1] = -base_angle - 0.012;
	angle[outline_points - 1] = base_angle + 0.012;
	for ( int i = 0; i < flank_points; ++i )
	{
		double r = base_radius + ( tip_radius - base_radius ) * i / ( flank_points - 1 );
		double roll = sqrt( fmax( 0, r * r / ( base_radius * base_radius ) - 1 ) );
		double half_thickness = base_angle - ( roll - atan( roll ) );
		radius[2 + i] = radius[outline_points - 2 - i] = r;
		angle[2 + i] = -half_thickness;
		angle[outline_points - 2 - i] = half_thickness;
	}
}

static void make_gear( obj* out )
{
	// The section through hub, web and rim at one angle, from the bore's lower edge up and round. A radius of
	// 0 stands for the outline of the teeth. Inside the rim columns are spread evenly, which the flat web
	// hides.
	static const struct
	{
		double radius;
		double z;
		bool even;
	} section[] = {
		{ 7, -9, true },    { 7, 9, true },      { 12, 9, true },    { 12.8, 4, true },
		{ 20.5, 4, false }, { 22, 7, false },    { 0, 7, false },    { 0, -7, false },
		{ 22, -7, false },  { 20.5, -4, false }, { 12.8, -4, true }, { 12, -9, true },
	};
	enum
	{
		corners = sizeof section / sizeof *section,
	};

	double radius[outline_points];
	double angle[outline_points];
	tooth_outline( radius, angle );

	fprintf( out->file, "o gear\n" );
	uint32_t first = next_vertex( out );
	for ( int tooth = 0; tooth < gear_teeth; ++tooth )
	{
		for ( int i = 0; i < outline_points; ++i )
		{
			double own = angle[i] + 2 * pi * tooth / gear_teeth;
			double even = 2 * pi * ( tooth + (double)i / outline_points - 0.5 ) / gear_teeth;
			for ( int c = 0; c < corners; ++c )
			{
				double r = section[c].radius > 0 ? section[c].radius : radius[i];
				put_vertex( out, polar( r, section[c].even ? even : own, section[c].z ) );
			}
		}
	}
	put_sweep( out, first, gear_teeth * outline_points, corners, ends_joined );
}

// A slab between two radii and two angles.
static void put_step( obj* out, double inner, double outer, double from, double to, double top )
{
	const double thickness = 0.05;
	const uint32_t segments = 6;
	uint32_t first = next_vertex( out );
	for ( uint32_t i = 0; i <= segments; ++i )
	{
		double angle = from + ( to - from ) * i / segments;
		put_vertex( out, polar( inner, angle, top - thickness ) );
		put_vertex( out, polar( inner, angle, top ) );
		put_vertex( out, polar( outer, angle, top ) );
		put_vertex( out, polar( outer, angle, top - thickness ) );
	}
	put_sweep( out, first, segments + 1, 4, ends_capped );
}

static void make_stair( obj* out )
{
	const int steps = 18;
	const double rise = 0.18;
	const double turn = 20 * pi / 180;
	const double rail_radius = 1.05;
	const double rail_height = 0.9;

	fprintf( out->file, "o stair\n" );
	put_group( out, "column" );
	put_prism( out, ( vec3 ){ 0 }, steps * rise + 1.2, 0.12, 24 );

	// No two pieces touch: treads end short of column and posts, and posts short of the rail.
	for ( int i = 0; i < steps; ++i )
	{
		double top = ( i + 1 ) * rise;
		double angle = turn * i;
		put_group( out, "step" );
		put_step( out, 0.125, 1, angle - 0.55 * turn, angle + 0.55 * turn, top );
		put_group( out, "post" );
		put_prism( out, polar( rail_radius, angle, top - 0.1 ), rail_height + 0.06, 0.015, 6 );
	}

	put_group( out, "rail" );
	const uint32_t rings = 18 * 6;
	const uint32_t corners = 8;
	uint32_t first = next_vertex( out );
	for ( uint32_t i = 0; i < rings; ++i )
	{
		double t = -0.3 + ( steps - 0.4 ) * i / ( rings - 1 );
		vec3 center = polar( rail_radius, turn * t, ( t + 1 ) * rise + rail_height );
		vec3 tangent = unit(
			add( scale( rail_radius * turn, polar( 1, turn * t + pi / 2, 0 ) ), ( vec3 ){ 0, 0, rise } ) );
		vec3 right = polar( 1, turn * t, 0 );
		put_ring( out, center, scale( 0.025, right ), scale( 0.025, cross( tangent, right ) ), corners );
	}
	put_sweep( out, first, rings, corners, ends_capped );
}

enum
{
	icosphere_levels = 4,
	icosphere_vertices = 10 * ( 1 << 2 * icosphere_levels ) + 2,
	icosphere_faces = 20 * ( 1 << 2 * icosphere_levels ),
};

// A sphere of triangles, all nearly equal.
typedef struct icosphere
{
	vec3 vertex[icosphere_vertices];
	uint32_t face[icosphere_faces][3];
	uint32_t vertices;
	uint32_t faces;
} icosphere;

// The midpoints of the sides at one vertex, filed under the lower end of each side. No vertex has more than
// six sides.
typedef struct middles
{
	uint32_t count;
	uint32_t other[6];
	uint32_t vertex[6];
} middles;

static uint32_t middle_of( icosphere* sphere, middles* of, uint32_t a, uint32_t b )
{
	middles* m = &of[a < b ? a : b];
	uint32_t other = a < b ? b : a;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		if ( m->other[i] == other )
		{
			return m->vertex[i];
		}
	}
	m->other[m->count] = other;
	m->vertex[m->count] = sphere->vertices;
	++m->count;
	sphere->vertex[sphere->vertices] = unit( add( sphere->vertex[a], sphere->vertex[b] ) );
	return sphere->vertices++;
}

static void refine( icosphere* sphere )
{
	static middles of[icosphere_vertices];
	for ( uint32_t i = 0; i < sphere->vertices; ++i )
	{
		of[i].count = 0;
	}

	uint32_t faces = sphere->faces;
	for ( uint32_t f = 0; f < faces; ++f )
	{
		uint32_t a = sphere->face[f][0];
		uint32_t b = sphere->face[f][1];
		uint32_t c = sphere->face[f][2];
		uint32_t ab = middle_of( sphere, of, a, b );
		uint32_t bc = middle_of( sphere, of, b, c );
		uint32_t ca = middle_of( sphere, of, c, a );
		const uint32_t part[4][3] = { { ab, bc, ca }, { a, ab, ca }, { ab, b, bc }, { ca, bc, c } };
		for ( int p = 0; p < 4; ++p )
		{
			uint32_t to = p == 0 ? f : sphere->faces++;
			for ( int k = 0; k < 3; ++k )
			{
				sphere->face[to][k] = part[p][k];
			}
		}
	}
}

static void start_icosahedron( icosphere* sphere )
{
	static const uint8_t face[20][3] = {
		{ 0, 11, 5 },  { 0, 5, 1 },  { 0, 1, 7 },  { 0, 7, 10 }, { 0, 10, 11 }, { 1, 5, 9 }, { 5, 11, 4 },
		{ 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 },  { 3, 9, 4 },  { 3, 4, 2 },   { 3, 2, 6 }, { 3, 6, 8 },
		{ 3, 8, 9 },   { 4, 9, 5 },  { 2, 4, 11 }, { 6, 2, 10 }, { 8, 6, 7 },   { 9, 8, 1 },
	};
	const double g = ( 1 + sqrt( 5 ) ) / 2;
	const vec3 vertex[12] = {
		{ -1, g, 0 },  { 1, g, 0 },  { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g },  { 0, 1, g },
		{ 0, -1, -g }, { 0, 1, -g }, { g, 0, -1 },  { g, 0, 1 },  { -g, 0, -1 }, { -g, 0, 1 },
	};
	sphere->vertices = 12;
	sphere->faces = 20;
	for ( int i = 0; i < 12; ++i )
	{
		sphere->vertex[i] = unit( vertex[i] );
	}
	for ( int f = 0; f < 20; ++f )
	{
		for ( int k = 0; k < 3; ++k )
		{
			sphere->face[f][k] = face[f][k];
		}
	}
}

// How far the rock reaches in a direction: lumps, cut off by a few planes where it broke.
static double rock_radius( vec3 direction )
{
	double radius = 1 + 0.55 * fractal_noise( scale( 1.7, direction ), 5 );
	for ( int i = 0; i < 14; ++i )
	{
		double z = 2 * lattice_value( i, 1, 0 ) - 1;
		vec3 normal = polar( sqrt( 1 - z * z ), 2 * pi * lattice_value( i, 2, 0 ), z );
		double distance = 0.72 + 0.2 * lattice_value( i, 3, 0 );
		double slope = dot( normal, direction );
		if ( slope * radius > distance )
		{
			// A little of what was cut off stays, so that the break is rough.
			radius = distance / slope + 0.12 * ( radius - distance / slope );
		}
	}
	return radius;
}

static void make_rock( obj* out )
{
	static icosphere sphere;
	start_icosahedron( &sphere );
	for ( int level = 0; level < icosphere_levels; ++level )
	{
		refine( &sphere );
	}

	fprintf( out->file, "o rock\n" );
	for ( uint32_t i = 0; i < sphere.vertices; ++i )
	{
		vec3 p = scale( rock_radius( sphere.vertex[i] ), sphere.vertex[i] );
		put_vertex( out, ( vec3 ){ 1.3 * p.x, p.y, 0.8 * p.z } );
	}
	for ( uint32_t f = 0; f < sphere.faces; ++f )
	{
		put_triangle( out, sphere.face[f][0] + 1, sphere.face[f][1] + 1, sphere.face[f][2] + 1 );
	}
}

// The point of a cube's side at (u, v) of [-1, 1]^2 and height w along the outward normal. Side 2 * axis + 1
// is the one in the positive direction of the axis. u, v and w are right-handed.
static vec3 on_side( int side, double u, double v, double w )
{
	double sign = side & 1 ? 1 : -1;
	double coordinate[3];
	coordinate[side / 2] = sign * w;
	coordinate[( side / 2 + 1 ) % 3] = sign * u;
	coordinate[( side / 2 + 2 ) % 3] = v;
	return ( vec3 ){ coordinate[0], coordinate[1], coordinate[2] };
}

static void make_crate( obj* out )
{
	const double half = 0.5;
	const double frame = 0.4;
	const double panel = 0.38;
	const double depth = 0.05;

	fprintf( out->file, "o crate\n" );
	uint32_t corner = next_vertex( out );
	for ( int i = 0; i < 8; ++i )
	{
		put_vertex( out, ( vec3 ){ i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half } );
	}

	// Seen from outside: lower left, lower right, upper right, upper left.
	static const int u[4] = { -1, 1, 1, -1 };
	static const int v[4] = { -1, -1, 1, 1 };
	for ( int side = 0; side < 6; ++side )
	{
		fprintf( out->file, "g side_%d\n", side );
		uint32_t ring[3][4];
		for ( int c = 0; c < 4; ++c )
		{
			vec3 p = on_side( side, u[c], v[c], 1 );
			ring[0][c] = corner + ( p.x > 0 ? 1u : 0 ) + ( p.y > 0 ? 2u : 0 ) + ( p.z > 0 ? 4u : 0 );
		}
		for ( int c = 0; c < 4; ++c )
		{
			ring[1][c] = put_vertex( out, on_side( side, frame * u[c], frame * v[c], half ) );
		}
		for ( int c = 0; c < 4; ++c )
		{
			ring[2][c] = put_vertex( out, on_side( side, panel * u[c], panel * v[c], half - depth ) );
		}

		for ( int r = 0; r < 2; ++r )
		{
			for ( int c = 0; c < 4; ++c )
			{
				int next = ( c + 1 ) % 4;
				put_quad( out, ring[r][c], ring[r][next], ring[r + 1][next], ring[r + 1][c] );
			}
		}
		put_quad( out, ring[2][0], ring[2][1], ring[2][2], ring[2][3] );
	}
}

// The outer wall's radius, in millimeters.
static double cup_radius( double z )
{
	double t = z / 90;
	return 28 + 12 * t * ( 2 - t );
}

// A wall runs up on the outside and down on the inside, so that each faces away from the clay.
static void put_cup_wall( obj* out, double thickness, bool upwards )
{
	const uint32_t rings = 19;
	const uint32_t corners = 48;
	uint32_t first = next_vertex( out );
	for ( uint32_t i = 0; i < rings; ++i )
	{
		double z = 90.0 * ( upwards ? i : rings - 1 - i ) / ( rings - 1 );
		double radius = cup_radius( z ) - thickness;
		put_ring( out, ( vec3 ){ 0, 0, z }, ( vec3 ){ radius, 0, 0 }, ( vec3 ){ 0, radius, 0 }, corners );
	}
	put_sweep( out, first, rings, corners, ends_open );
}

static void make_cup( obj* out )
{
	const double thickness = 3;

	fprintf( out->file, "o cup\n" );
	put_group( out, "outside" );
	put_cup_wall( out, 0, true );
	put_group( out, "inside" );
	put_cup_wall( out, thickness, false );

	// Both ends of the handle stop inside the wall.
	put_group( out, "handle" );
	const uint32_t rings = 33;
	const uint32_t corners = 10;
	const double out_by = 24;
	const double up_by = 27;
	uint32_t first = next_vertex( out );
	for ( uint32_t i = 0; i < rings; ++i )
	{
		double angle = pi * ( (double)i / ( rings - 1 ) - 0.5 );
		double z = 47 + up_by * sin( angle );
		double slope = 12.0 / 90 * ( 2 - 2 * z / 90 );
		vec3 center = { cup_radius( z ) - thickness / 2 + out_by * cos( angle ), 0, z };
		vec3 along =
			unit( ( vec3 ){ slope * up_by * cos( angle ) - out_by * sin( angle ), 0, up_by * cos( angle ) } );
		vec3 right = { 0, 1, 0 };
		put_ring( out, center, scale( 4.5, right ), scale( 3.2, cross( along, right ) ), corners );
	}
	put_sweep( out, first, rings, corners, ends_open );
}

static void make_knot( obj* out )
{
	// A trefoil: twice round the torus, three times through its hole.
	const double ring_radius = 30;
	const double torus_radius = 13;
	const double tube_radius = 2;
	const uint32_t rings = 320;
	const uint32_t corners = 10;

	fprintf( out->file, "o knot\n" );
	uint32_t first = next_vertex( out );
	for ( uint32_t i = 0; i < rings; ++i )
	{
		double t = 2 * pi * i / rings;
		vec3 outward = polar( 1, 2 * t, 0 );
		vec3 around = polar( 1, 2 * t + pi / 2, 0 );
		vec3 up = { 0, 0, 1 };
		vec3 normal = add( scale( cos( 3 * t ), outward ), scale( sin( 3 * t ), up ) );
		vec3 along_tube = add( scale( -sin( 3 * t ), outward ), scale( cos( 3 * t ), up ) );
		vec3 center = add( scale( ring_radius, outward ), scale( torus_radius, normal ) );
		vec3 tangent = unit( add( scale( 2 * ( ring_radius + torus_radius * cos( 3 * t ) ), around ),
		                          scale( 3 * torus_radius, along_tube ) ) );

		// The torus's own normal closes on itself after one round; a frame carried along the curve would not.
		put_ring( out, center, scale( tube_radius, normal ), scale( tube_radius, cross( tangent, normal ) ),
		          corners );
	}
	put_sweep( out, first, rings, corners, ends_joined );
}

static double terrain_height( double x, double y )
{
	double hills = 40 * fractal_noise( ( vec3 ){ x / 90, y / 90, 0.5 }, 5 );
	double ridge = 1 - 2 * fabs( noise( ( vec3 ){ x / 140, y / 140, 9.5 } ) - 0.5 );
	return hills + 35 * ridge * ridge * ridge;
}

static void make_terrain( obj* out )
{
	const uint32_t cells = 64;
	const double spacing = 4;

	fprintf( out->file, "o terrain\n" );
	uint32_t first = next_vertex( out );
	for ( uint32_t j = 0; j <= cells; ++j )
	{
		for ( uint32_t i = 0; i <= cells; ++i )
		{
			put_vertex( out,
			            ( vec3 ){ spacing * i, spacing * j, terrain_height( spacing * i, spacing * j ) } );
		}
	}

	// Diagonals alternate, so that the tile has no grain.
	for ( uint32_t j = 0; j < cells; ++j )
	{
		for ( uint32_t i = 0; i < cells; ++i )
		{
			uint32_t a = first + j * ( cells + 1 ) + i;
			uint32_t b = a + 1;
			uint32_t c = b + cells + 1;
			uint32_t d = a + cells + 1;
			bool forward = ( i + j ) % 2 == 0;
			put_triangle( out, a, b, forward ? c : d );
			put_triangle( out, forward ? a : b, c, d );
		}
	}
}

enum
{
	broken_cells = 4,
};

// A side's vertices in rows; no side shares vertices with another.
static uint32_t put_broken_vertices( obj* out, int side )
{
	uint32_t first = next_vertex( out );
	for ( int j = 0; j <= broken_cells; ++j )
	{
		for ( int i = 0; i <= broken_cells; ++i )
		{
			put_vertex( out, on_side( side, 2.0 * i / broken_cells - 1, 2.0 * j / broken_cells - 1, 1 ) );
		}
	}
	return first;
}

static bool is_middle( uint32_t i, uint32_t j )
{
	return i >= 1 && i <= 2 && j >= 1 && j <= 2;
}

static void make_broken( obj* out )
{
	enum
	{
		flipped_side = 1,
		triangle_side = 2,
		open_side = 5,
		row = broken_cells + 1,
	};

	fprintf( out->file, "o broken\n"
	                    "# the sides share no vertices: 44 positions are there two or three times\n" );
	uint32_t first[6];
	for ( int side = 0; side < 6; ++side )
	{
		fprintf( out->file, "g side_%d\n%s%s", side,
		         side == flipped_side ? "# the 4 quads in the middle are wound the wrong way\n" : "",
		         side == open_side ? "# the 4 quads in the middle are missing\n" : "" );
		first[side] = put_broken_vertices( out, side );
		for ( uint32_t j = 0; j < broken_cells; ++j )
		{
			for ( uint32_t i = 0; i < broken_cells; ++i )
			{
				uint32_t a = first[side] + j * row + i;
				bool odd = is_middle( i, j );
				if ( side == triangle_side )
				{
					put_triangle( out, a, a + 1, a + row + 1 );
					put_triangle( out, a, a + row + 1, a + row );
				}
				else if ( side == flipped_side && odd )
				{
					put_quad( out, a, a + row, a + row + 1, a + 1 );
				}
				else if ( side != open_side || !odd )
				{
					put_quad( out, a, a + 1, a + row + 1, a + row );
				}
			}
		}
	}

	uint32_t a = first[triangle_side];
	uint32_t b = first[0];
	put_group( out, "repeated" );
	fprintf( out->file, "# four triangles once more: one as it was, one from another corner, one quad\n" );
	put_triangle( out, a, a + 1, a + row + 1 );
	put_triangle( out, a + row, a, a + row + 1 );
	put_quad( out, b, b + 1, b + row + 1, b + row );
	put_group( out, "no_area" );
	fprintf( out->file, "# a corner used twice, and three corners on one line\n" );
	put_triangle( out, a, a + 1, a + 1 );
	put_triangle( out, a, a + 1, a + 2 );
}

typedef struct sample
{
	const char* name;
	void ( *make )( obj* out );
	const char* shows;
} sample;

static const sample samples[] = {
	{ "gear", make_gear, "a spur gear with involute teeth, web and bore: closed, many thin quads" },
	{ "stair", make_stair, "a spiral stair: 38 closed pieces that do not touch" },
	{ "rock", make_rock, "a rough rock: closed, nearly convex, no structure" },
	{ "crate", make_crate, "a crate with recessed panels: closed, coarse, boxes fit it well" },
	{ "cup", make_cup, "a cup without bottom and lip: open, thin double walls, a handle stuck into them" },
	{ "knot", make_knot, "a trefoil knot of thin tube: closed, of genus 1, hard for axis-aligned boxes" },
	{ "terrain", make_terrain, "a terrain tile: an open height field" },
	{ "broken", make_broken,
	  "a box with repeated, degenerate, flipped and missing faces and unshared vertices" },
};

enum
{
	sample_count = sizeof samples / sizeof *samples,
};

static bool write_sample( const sample* s, const char* folder )
{
	char path[4096];
	int length = snprintf( path, sizeof path, "%s/%s.obj", folder, s->name );
	if ( length < 0 || (size_t)length >= sizeof path )
	{
		fprintf( stderr, "make_samples: %s: the name is too long\n", folder );
		return false;
	}

	obj out = { .file = fopen( path, "wb" ) };
	if ( !out.file )
	{
		fprintf( stderr, "make_samples: %s: cannot be created\n", path );
		return false;
	}
	fprintf( out.file, "# %s\n", s->shows );
	s->make( &out );

	// A full disk may show only when the last buffer is written.
	bool failed = ferror( out.file ) != 0;
	failed |= fclose( out.file ) != 0;
	if ( failed )
	{
		fprintf( stderr, "make_samples: %s: cannot be written\n", path );
		remove( path );
	}
	return !failed;
}

int main( int argc, char** argv )
{
	if ( argc != 2 || argv[1][0] == '-' )
	{
		fprintf( stderr, "usage: make_samples FOLDER\nwrites into the folder, which must exist:\n" );
		for ( int i = 0; i < sample_count; ++i )
		{
			fprintf( stderr, "  %-12s %s\n", samples[i].name, samples[i].shows );
		}
		return 1;
	}
	for ( int i = 0; i < sample_count; ++i )
	{
		if ( !write_sample( &samples[i], argv[1] ) )
		{
			return 4;
		}
	}
	return EXIT_SUCCESS;
}
