// Writes the meshes of the example. Coordinates are rounded, so that files are the same everywhere although sines are not.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct mesh
{
	FILE* out;
	int vertices;
} mesh;

static mesh create( const char* name )
{
	mesh m = { fopen( name, "w" ), 0 };
	if ( !m.out )
	{
		perror( name );
		exit( 1 );
	}
	return m;
}

static double rounded( double x )
{
	double r = round( x * 1e5 ) / 1e5;
	return r == 0 ? 0 : r;
}

static void put_vertex( mesh* m, double x, double y, double z )
{
	fprintf( m->out, "v %.5f %.5f %.5f\n", rounded( x ), rounded( y ), rounded( z ) );
	++m->vertices;
}

static void put_box( mesh* m, double x0, double x1, double y0, double y1, double z0, double z1 )
{
	static const int faces[6][4] = { { 1, 3, 4, 2 }, { 5, 6, 8, 7 }, { 1, 2, 6, 5 },
		                             { 3, 7, 8, 4 }, { 1, 5, 7, 3 }, { 2, 4, 8, 6 } };
	int first = m->vertices;
	for ( int i = 0; i < 8; ++i )
	{
		put_vertex( m, i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0 );
	}
	for ( int f = 0; f < 6; ++f )
	{
		const int* v = faces[f];
		fprintf( m->out, "f %d %d %d %d\n", first + v[0], first + v[1], first + v[2], first + v[3] );
	}
}

// Turns a profile of radii and heights, which begins and ends on the z axis.
static void put_turned( mesh* m, int sides, int rings, double ( *profile )[2] )
{
	int first = m->vertices + 1;
	for ( int r = 0; r < rings; ++r )
	{
		for ( int i = 0; i < sides; ++i )
		{
			double angle = 2 * pi * i / sides;
			put_vertex( m, profile[r][0] * cos( angle ), profile[r][0] * sin( angle ), profile[r][1] );
		}
	}
	for ( int r = 0; r + 1 < rings; ++r )
	{
		for ( int i = 0; i < sides; ++i )
		{
			int a = first + r * sides + i, b = first + r * sides + ( i + 1 ) % sides;
			fprintf( m->out, "f %d %d %d\nf %d %d %d\n", a, b, b + sides, a, b + sides, a + sides );
		}
	}
}

static void write_disc( void )
{
	double profile[4][2] = { { 0, -0.2 }, { 2, -0.2 }, { 2, 0 }, { 0, 0 } };
	mesh m = create( "disc.obj" );
	put_turned( &m, 64, 4, profile );
	fclose( m.out );
}

// A ball with waves, so that it is not convex.
static void put_stone( mesh* m, double radius, double height, double wave )
{
	enum
	{
		rings = 33,
		sides = 48,
	};
	double profile[rings][2];
	for ( int r = 0; r < rings; ++r )
	{
		double angle = pi * r / ( rings - 1 );
		double at = radius * ( 1 + wave * cos( 6 * angle ) );
		profile[r][0] = r % ( rings - 1 ) ? at * sin( angle ) : 0;
		profile[r][1] = height - at * cos( angle );
	}
	put_turned( m, sides, rings, profile );
}

static void write_stone( void )
{
	mesh m = create( "stone.obj" );
	put_stone( &m, 0.5, 0, 0.08 );
	fclose( m.out );
}

// A rod and a bob that hang from the origin.
static void write_pendulum( void )
{
	mesh m = create( "pendulum.obj" );
	put_box( &m, -0.06, 0.06, -0.06, 0.06, -2.6, 0.1 );
	put_stone( &m, 0.45, -3, 0.05 );
	fclose( m.out );
}

// An opening of 1.5 by 1.5 in the plane x = 0.
static void write_frame( void )
{
	mesh m = create( "frame.obj" );
	put_box( &m, -0.1, 0.1, -1, -0.75, -1, 1 );
	put_box( &m, -0.1, 0.1, 0.75, 1, -1, 1 );
	put_box( &m, -0.1, 0.1, -0.75, 0.75, -1, -0.75 );
	put_box( &m, -0.1, 0.1, -0.75, 0.75, 0.75, 1 );
	fclose( m.out );
}

static void write_block( void )
{
	mesh m = create( "block.obj" );
	put_box( &m, -0.5, 0.5, -0.5, 0.5, -0.5, 0.5 );
	fclose( m.out );
}

int main( void )
{
	write_disc();
	write_stone();
	write_pendulum();
	write_frame();
	write_block();
	return 0;
}
