// Writes the meshes of three mechanisms as OBJ files into the folder where it is called: bolt and nut, rod and plate, two gears.
//
// Each mesh is closed, and its faces are counterclockwise seen from outside. Lengths are millimeters, except for rod and plate,
// which are in meters. Coordinates have nine decimals.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

// Faces of the inside of a hole are written in the opposite order.
typedef struct mesh
{
	FILE* file;
	int vertices;
	bool flip;
} mesh;

static mesh mesh_create( const char* path )
{
	mesh m = { fopen( path, "w" ), 0, false };
	if ( !m.file )
	{
		perror( path );
		exit( 1 );
	}
	return m;
}

static void mesh_close( const mesh* m )
{
	if ( fclose( m->file ) )
	{
		perror( "shapes" );
		exit( 1 );
	}
}

// Returns the number of the vertex.
static int put( mesh* m, double x, double y, double z )
{
	fprintf( m->file, "v %.9f %.9f %.9f\n", x, y, z );
	return ++m->vertices;
}

static void triangle( const mesh* m, int a, int b, int c )
{
	fprintf( m->file, "f %d %d %d\n", a, m->flip ? c : b, m->flip ? b : c );
}

static void quad( const mesh* m, int a, int b, int c, int d )
{
	triangle( m, a, b, c );
	triangle( m, a, c, d );
}

// `count` vertices around the z axis. The first one has the angle 0. Returns its number.
static int ring( mesh* m, int count, double radius, double z )
{
	int first = m->vertices + 1;
	for ( int i = 0; i < count; ++i )
	{
		put( m, radius * cos( 2 * pi * i / count ), radius * sin( 2 * pi * i / count ), z );
	}
	return first;
}

// The same on the sides of a hexagon, so that rings and hexagons are connected by one quad for each angle.
static int hexagon( mesh* m, int count, double apothem, double z )
{
	int first = m->vertices + 1;
	for ( int i = 0; i < count; ++i )
	{
		double angle = 2 * pi * i / count;
		double radius = apothem / cos( fmod( angle, pi / 3 ) - pi / 6 );
		put( m, radius * cos( angle ), radius * sin( angle ), z );
	}
	return first;
}

// Connects two rings by quads. They face outward if `high` is above `low`, upward if it is smaller at the same height, and downward
// if it is larger.
static void connect( const mesh* m, int count, int low, int high )
{
	for ( int i = 0; i < count; ++i )
	{
		int next = ( i + 1 ) % count;
		quad( m, low + i, low + next, high + next, high + i );
	}
}

// A disk in a ring.
static void cap( mesh* m, int count, int around, double z, bool up )
{
	int center = put( m, 0, 0, z );
	for ( int i = 0; i < count; ++i )
	{
		int next = ( i + 1 ) % count;
		triangle( m, up ? around + i : around + next, up ? around + next : around + i, center );
	}
}

// A ridge of trapezoid section that winds around a cylinder, counterclockwise when going up (a right-hand thread).
typedef struct thread
{
	double root;      // radius of the cylinder
	double crest;     // radius of the ridge's outer face: larger on a bolt, smaller in a nut
	double half_root; // half the height of the section at the cylinder
	double half_crest;
	double rise; // per turn
	int turns;
	int sides; // per turn
} thread;

// Writes the cylinder with its ridge. The middle of the ridge begins at height z, at the angle 0. `low` and `high` are rings of
// `sides` vertices at the cylinder's ends.
static void put_thread( mesh* m, const thread* t, double z, int low, int high )
{
	int count = t->turns * t->sides, first = m->vertices + 1;
	for ( int i = 0; i <= count; ++i )
	{
		double angle = 2 * pi * ( i % t->sides ) / t->sides, height = z + t->rise * i / t->sides;
		double c = cos( angle ), s = sin( angle );
		put( m, t->root * c, t->root * s, height - t->half_root );
		put( m, t->crest * c, t->crest * s, height - t->half_crest );
		put( m, t->crest * c, t->crest * s, height + t->half_crest );
		put( m, t->root * c, t->root * s, height + t->half_root );
	}
	int last = first + 4 * count, turn = 4 * t->sides;
	for ( int i = 0; i < count; ++i )
	{
		int a = first + 4 * i, b = a + 4;
		quad( m, a, b, b + 1, a + 1 );
		quad( m, a + 1, b + 1, b + 2, a + 2 );
		quad( m, a + 2, b + 2, b + 3, a + 3 );
		if ( i < count - t->sides )
		{
			quad( m, a + 3, b + 3, b + turn, a + turn );
		}
	}
	// The ends of the ridge.
	quad( m, first, first + 1, first + 2, first + 3 );
	quad( m, last + 3, last + 2, last + 1, last );
	// The cylinder below the first turn and above the last. The corners of the ridge's ends are on its line at the angle 0.
	for ( int i = 0; i < t->sides - 1; ++i )
	{
		quad( m, low + i, low + i + 1, first + 4 * ( i + 1 ), first + 4 * i );
	}
	int corner = first + turn - 4, around[] = { low + t->sides - 1, low, first, first + 3, first + turn };
	for ( int i = 0; i < 4; ++i )
	{
		triangle( m, corner, around[i], around[i + 1] );
	}
	for ( int i = 1; i < t->sides; ++i )
	{
		int a = last - turn + 4 * i + 3;
		quad( m, a, a + 4, high + ( i + 1 ) % t->sides, high + i );
	}
	int top[] = { high + 1, high, last + 3, last, last - turn + 3 };
	for ( int i = 0; i < 4; ++i )
	{
		triangle( m, last - turn + 7, top[i], top[i + 1] );
	}
}

// Bolt and nut are of the size of M10. Both ridges are as high at radius `middle`, and their sides have the same slope: together
// they have the height 0.6 * pitch at any radius. So 0.2 * pitch, or 0.3, are left on each side of a ridge.
static const double pitch = 1.5, middle = 4.6, mean_half = 0.15 * pitch, slope = 0.5;
static const double bolt_root = 4.1, bolt_crest = 4.9, nut_root = 5.1, nut_crest = 4.3;

enum
{
	steps = 24,
	bolt_turns = 7,
	nut_turns = 2,
};

// The ridge begins at height 0, the tip is below.
static void write_bolt( void )
{
	mesh m = mesh_create( "bolt.obj" );
	thread t = { bolt_root,
		         bolt_crest,
		         mean_half + slope * ( middle - bolt_root ),
		         mean_half + slope * ( middle - bolt_crest ),
		         pitch,
		         bolt_turns,
		         steps };
	double end = bolt_turns * pitch + 2.5;
	int tip = ring( &m, steps, 3.4, -1.9 ), low = ring( &m, steps, t.root, -1.2 ),
		high = ring( &m, steps, t.root, end );
	int under = hexagon( &m, steps, 8, end ), over = hexagon( &m, steps, 8, end + 5.5 );
	cap( &m, steps, tip, -1.9, false );
	connect( &m, steps, tip, low );
	put_thread( &m, &t, 0, low, high );
	connect( &m, steps, high, under );
	connect( &m, steps, under, over );
	cap( &m, steps, over, end + 5.5, true );
	mesh_close( &m );
}

// The ridge begins at height 0, too. It fits half a pitch above that of the bolt.
static void write_nut( void )
{
	mesh m = mesh_create( "nut.obj" );
	thread t = { nut_root,
		         nut_crest,
		         mean_half + slope * ( nut_root - middle ),
		         mean_half + slope * ( nut_crest - middle ),
		         pitch,
		         nut_turns,
		         steps };
	double end = nut_turns * pitch + 1;
	int low = ring( &m, steps, t.root, -1 ), high = ring( &m, steps, t.root, end );
	int under = hexagon( &m, steps, 8, -1 ), over = hexagon( &m, steps, 8, end );
	connect( &m, steps, low, under );
	connect( &m, steps, under, over );
	connect( &m, steps, over, high );
	m.flip = true;
	put_thread( &m, &t, 0, low, high );
	mesh_close( &m );
}

// The corners of a box, and those of the box's opening if there is one: x fastest, then y, then z.
static int box_corners( mesh* m, double x, double y, double z )
{
	int first = m->vertices + 1;
	for ( int i = 0; i < 8; ++i )
	{
		put( m, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z );
	}
	return first;
}

static void write_rod( void )
{
	mesh m = mesh_create( "rod.obj" );
	int a = box_corners( &m, 0.06, 0.06, 1.2 );
	quad( &m, a, a + 2, a + 3, a + 1 );
	quad( &m, a + 4, a + 5, a + 7, a + 6 );
	quad( &m, a, a + 1, a + 5, a + 4 );
	quad( &m, a + 2, a + 6, a + 7, a + 3 );
	quad( &m, a, a + 4, a + 6, a + 2 );
	quad( &m, a + 1, a + 3, a + 7, a + 5 );
	mesh_close( &m );
}

// A plate with a slit of 1.4 by 0.3.
static void write_plate( void )
{
	mesh m = mesh_create( "plate.obj" );
	int outer = box_corners( &m, 2, 1.2, 0.05 ), inner = box_corners( &m, 0.7, 0.15, 0.05 );
	static const int around[] = { 0, 1, 3, 2 }; // counterclockwise seen from above
	for ( int i = 0; i < 4; ++i )
	{
		int here = around[i], next = around[( i + 1 ) % 4];
		quad( &m, outer + here, outer + next, outer + 4 + next, outer + 4 + here );
		quad( &m, inner + next, inner + here, inner + 4 + here, inner + 4 + next );
		quad( &m, outer + 4 + here, outer + 4 + next, inner + 4 + next, inner + 4 + here );
		quad( &m, outer + next, outer + here, inner + here, inner + next );
	}
	mesh_close( &m );
}

// The angle between the start of an involute and its point where the pressure angle is `a`.
static double involute( double a )
{
	return tan( a ) - a;
}

// A spur gear: its axis is the z axis, and the middle of a tooth is at the angle 0. Each side of a tooth is thinner by `play`
// along the pitch circle than without backlash.
static void write_gear( const char* path, int teeth, double thickness, double play )
{
	enum
	{
		flank = 8,
		corners = 2 * flank + 4, // of a tooth
	};
	const double module = 2, pressure = pi / 9;
	double reference = module * teeth / 2, base = reference * cos( pressure ), tip = reference + module;
	double foot = reference - 1.25 * module, hub = 0.4 * reference;
	double half = pi / ( 2 * teeth ) - play / reference;
	double radius[corners], angle[corners];
	for ( int i = 0; i <= flank; ++i )
	{
		double r = fmax( base, foot ) + ( tip - fmax( base, foot ) ) * i / flank;
		radius[i + 1] = r;
		angle[i + 1] = -( half + involute( pressure ) - involute( acos( fmin( base / r, 1 ) ) ) );
	}
	// Below the base circle the side is radial.
	radius[0] = foot;
	angle[0] = angle[1] - 0.002;
	for ( int i = 0; i < corners / 2; ++i )
	{
		radius[corners - 1 - i] = radius[i];
		angle[corners - 1 - i] = -angle[i];
	}

	mesh m = mesh_create( path );
	int count = corners * teeth, first[2], inside[2];
	for ( int side = 0; side < 2; ++side )
	{
		double z = side ? thickness / 2 : -thickness / 2;
		first[side] = m.vertices + 1;
		for ( int i = 0; i < count; ++i )
		{
			double a = angle[i % corners] + 2 * pi * ( i / corners ) / teeth, r = radius[i % corners];
			put( &m, r * cos( a ), r * sin( a ), z );
		}
		inside[side] = m.vertices + 1;
		for ( int i = 0; i < count; ++i )
		{
			double a = 2 * pi * ( i - ( corners - 1 ) / 2.0 ) / count;
			put( &m, hub * cos( a ), hub * sin( a ), z );
		}
	}
	connect( &m, count, first[0], first[1] );
	connect( &m, count, first[1], inside[1] );
	connect( &m, count, inside[1], inside[0] );
	connect( &m, count, inside[0], first[0] );
	mesh_close( &m );
}

int main( void )
{
	write_bolt();
	write_nut();
	write_rod();
	write_plate();
	write_gear( "pinion.obj", 20, 10, 0.05 );
	write_gear( "wheel.obj", 30, 8, 0.05 );
	return 0;
}
