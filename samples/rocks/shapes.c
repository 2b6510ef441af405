// Writes the meshes: four rocks and a pillar. Coordinates are rounded, so that files are the same everywhere although sines are not.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static double rounded( double x )
{
	double r = round( x * 1e5 ) / 1e5;
	return r == 0 ? 0 : r;
}

static FILE* create( const char* name )
{
	FILE* out = fopen( name, "w" );
	if ( !out )
	{
		perror( name );
		exit( 1 );
	}
	return out;
}

static void put_vertex( FILE* out, double x, double y, double z )
{
	fprintf( out, "v %.5f %.5f %.5f\n", rounded( x ), rounded( y ), rounded( z ) );
}

// From 0 to 1, by S. Vigna's splitmix64.
static double draw( uint64_t* state )
{
	uint64_t z = ( *state += UINT64_C( 0x9e3779b97f4a7c15 ) );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return (double)( ( z ^ z >> 31 ) >> 11 ) * 0x1p-53;
}

// An icosahedron whose faces are cut in four, with rough radii and three different diameters, about 0.5.
static void write_rock( int number )
{
	static const int faces[20][3] = { { 0, 11, 5 }, { 0, 5, 1 },  { 0, 1, 7 },   { 0, 7, 10 }, { 0, 10, 11 },
		                              { 1, 5, 9 },  { 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 },
		                              { 3, 9, 4 },  { 3, 4, 2 },  { 3, 2, 6 },   { 3, 6, 8 },  { 3, 8, 9 },
		                              { 4, 9, 5 },  { 2, 4, 11 }, { 6, 2, 10 },  { 8, 6, 7 },  { 9, 8, 1 } };
	const double g = ( 1 + sqrt( 5 ) ) / 2;
	double p[42][3] = {
		{ -1, g, 0 },  { 1, g, 0 },  { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g },  { 0, 1, g },
		{ 0, -1, -g }, { 0, 1, -g }, { g, 0, -1 },  { g, 0, 1 },  { -g, 0, -1 }, { -g, 0, 1 }
	};
	int middle[12][12] = { { 0 } };
	int count = 12;
	uint64_t random = (uint64_t)number;
	char name[16];
	snprintf( name, sizeof name, "rock-%d.obj", number );
	FILE* out = create( name );
	for ( int f = 0; f < 20; ++f )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int a = faces[f][k], b = faces[f][( k + 1 ) % 3];
			if ( !middle[a][b] )
			{
				for ( int i = 0; i < 3; ++i )
				{
					p[count][i] = p[a][i] + p[b][i];
				}
				middle[a][b] = middle[b][a] = count++;
			}
		}
	}
	double size[3];
	for ( int i = 0; i < 3; ++i )
	{
		size[i] = 0.2 + 0.08 * draw( &random );
	}
	for ( int v = 0; v < count; ++v )
	{
		double length = sqrt( p[v][0] * p[v][0] + p[v][1] * p[v][1] + p[v][2] * p[v][2] );
		double scale = ( 0.85 + 0.3 * draw( &random ) ) / length;
		put_vertex( out, scale * size[0] * p[v][0], scale * size[1] * p[v][1], scale * size[2] * p[v][2] );
	}
	for ( int f = 0; f < 20; ++f )
	{
		int corner[3], half[3];
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = faces[f][k] + 1;
			half[k] = middle[faces[f][k]][faces[f][( k + 1 ) % 3]] + 1;
		}
		for ( int k = 0; k < 3; ++k )
		{
			fprintf( out, "f %d %d %d\n", corner[k], half[k], half[( k + 2 ) % 3] );
		}
		fprintf( out, "f %d %d %d\n", half[0], half[1], half[2] );
	}
	fclose( out );
}

// Eight sides, 4 high, with a pyramid on top.
static void write_pillar( void )
{
	FILE* out = create( "pillar.obj" );
	for ( int i = 0; i < 16; ++i )
	{
		double angle = 2 * pi * ( i % 8 + 0.5 ) / 8;
		put_vertex( out, 0.6 * cos( angle ), 0.6 * sin( angle ), i < 8 ? 0 : 4 );
	}
	put_vertex( out, 0, 0, 4.8 );
	for ( int i = 0; i < 8; ++i )
	{
		int a = i + 1, b = ( i + 1 ) % 8 + 1;
		fprintf( out, "f %d %d %d %d\nf %d %d 17\n", a, b, b + 8, a + 8, a + 8, b + 8 );
	}
	fprintf( out, "f 8 7 6 5 4 3 2 1\n" );
	fclose( out );
}

int main( void )
{
	for ( int i = 0; i < 4; ++i )
	{
		write_rock( i );
	}
	write_pillar();
	return 0;
}
