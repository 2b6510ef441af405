// When the mechanisms of samples/moving touch, by brute force: shares no code with the library, and no way of working.
//
//     moving_reference MECHANISM CHANGE A.obj B.obj contact FROM TO STEPS        the first contact in a range of time
//     moving_reference MECHANISM CHANGE A.obj B.obj within DISTANCE FROM TO STEPS  the first time at which they are as near
//     moving_reference MECHANISM CHANGE A.obj B.obj least FROM TO STEPS          the least distance, of all steps
//
// Contacts: each pair of vertex and triangle, and each pair of edges, that may meet in a step is in one plane at a root of the
// determinant of three difference vectors. It is evaluated at both ends and in the middle of a step, each change of sign is
// bisected, and at the root the vertex has to be inside of the triangle, or the point where the edges cross in both of them.
// Distances: of all pairs of triangles at each step. Numbers are long double.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

typedef struct vec
{
	real x[3];
} vec;

static vec sum( vec a, real s, vec b )
{
	return ( vec ){ { a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2] } };
}

static vec minus( vec a, vec b )
{
	return sum( a, -1, b );
}

static real dot( vec a, vec b )
{
	return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static vec cross( vec a, vec b )
{
	return ( vec ){ { a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
		              a.x[0] * b.x[1] - a.x[1] * b.x[0] } };
}

static real determinant( vec a, vec b, vec c )
{
	return dot( cross( a, b ), c );
}

// At time t, a point x is at R( axis, angle + turn * t ) x + place + shift * t.
typedef struct movement
{
	vec axis;
	real angle, turn;
	vec place, shift;
} movement;

typedef struct body
{
	int vertices, triangles;
	vec* vertex;
	int ( *corner )[3];
	movement moves;
	real radius; // greatest distance of a vertex from the origin
	vec* now;    // vertices at the time last asked for
	vec* at[3];  // and at the start, the middle and the end of a step
	real ( *low )[3];
	real ( *high )[3];
	int* near_other;
	int near_count;
} body;

static void* allocate( size_t bytes )
{
	void* memory = malloc( bytes );
	if ( !memory )
	{
		exit( 2 );
	}
	return memory;
}

static body read_body( const char* path )
{
	body b = { .vertices = 0 };
	char line[256];
	for ( int pass = 0; pass < 2; ++pass )
	{
		FILE* in = fopen( path, "r" );
		if ( !in )
		{
			perror( path );
			exit( 2 );
		}
		b.vertices = b.triangles = 0;
		while ( fgets( line, sizeof line, in ) )
		{
			vec v;
			int c[3];
			if ( sscanf( line, "v %Lf %Lf %Lf", &v.x[0], &v.x[1], &v.x[2] ) == 3 )
			{
				if ( pass )
				{
					b.vertex[b.vertices] = v;
					b.radius = fmaxl( b.radius, sqrtl( dot( v, v ) ) );
				}
				++b.vertices;
			}
			else if ( sscanf( line, "f %d %d %d", &c[0], &c[1], &c[2] ) == 3 )
			{
				for ( int i = 0; pass && i < 3; ++i )
				{
					b.corner[b.triangles][i] = c[i] - 1;
				}
				++b.triangles;
			}
		}
		fclose( in );
		if ( !pass )
		{
			b.vertex = allocate( sizeof *b.vertex * (size_t)b.vertices );
			b.now = allocate( sizeof *b.now * (size_t)b.vertices );
			for ( int i = 0; i < 3; ++i )
			{
				b.at[i] = allocate( sizeof *b.now * (size_t)b.vertices );
			}
			b.corner = allocate( sizeof *b.corner * (size_t)b.triangles );
			b.low = allocate( sizeof *b.low * (size_t)b.triangles );
			b.high = allocate( sizeof *b.high * (size_t)b.triangles );
			b.near_other = allocate( sizeof *b.near_other * (size_t)b.triangles );
		}
	}
	return b;
}

static void free_body( body* b )
{
	void* const memory[] = { b->vertex, b->corner, b->now,  b->at[0],     b->at[1],
		                     b->at[2],  b->low,    b->high, b->near_other };
	for ( size_t i = 0; i < sizeof memory / sizeof *memory; ++i )
	{
		free( memory[i] );
	}
}

// Rodrigues' formula.
static vec moved( const movement* m, vec x, real t )
{
	real angle = m->angle + m->turn * t, c = cosl( angle ), s = sinl( angle );
	vec y = { { c * x.x[0], c * x.x[1], c * x.x[2] } };
	y = sum( y, s, cross( m->axis, x ) );
	y = sum( y, ( 1 - c ) * dot( m->axis, x ), m->axis );
	return sum( sum( y, 1, m->place ), t, m->shift );
}

// The motions of samples/moving/moving.c, written down once more.
static bool set_movements( const char* name, real change, movement m[2] )
{
	const real pi = acosl( -1 );
	memset( m, 0, 2 * sizeof *m );
	m[0].axis.x[2] = m[1].axis.x[2] = 1;
	if ( !strcmp( name, "screw" ) )
	{
		m[0].turn = 10 * pi;
		m[0].shift.x[2] = 7.5L * ( 1 + change );
		m[1].place.x[2] = 0.75L;
	}
	else if ( !strcmp( name, "slit" ) )
	{
		m[0].axis = ( vec ){ { 0.1L / sqrtl( 1.01L ), 1 / sqrtl( 1.01L ), 0 } };
		m[0].angle = -2.5L;
		m[0].turn = 5;
		m[0].place.x[2] = 12 * ( change - 0.5L );
		m[0].shift.x[2] = 12;
	}
	else if ( !strcmp( name, "gears" ) )
	{
		m[0].turn = 2 * pi;
		m[1].turn = -4 * pi / 3 * ( 1 + change );
		m[1].angle = pi / 30;
		m[1].place.x[0] = 50;
	}
	return m[0].turn != 0;
}

// The vertices at time t, and boxes that hold the triangles from t - half to t + half.
static void place( body* b, real t, real half )
{
	for ( int i = 0; i < b->vertices; ++i )
	{
		b->now[i] = moved( &b->moves, b->vertex[i], t );
	}
	real reach =
		half * ( fabsl( b->moves.turn ) * b->radius + sqrtl( dot( b->moves.shift, b->moves.shift ) ) );
	for ( int i = 0; i < b->triangles; ++i )
	{
		const int* c = b->corner[i];
		for ( int d = 0; d < 3; ++d )
		{
			real x = b->now[c[0]].x[d], y = b->now[c[1]].x[d], z = b->now[c[2]].x[d];
			b->low[i][d] = fminl( x, fminl( y, z ) ) - reach;
			b->high[i][d] = fmaxl( x, fmaxl( y, z ) ) + reach;
		}
	}
}

// Lists the triangles within a distance of the box around the other body.
static void list_near( body* b, const body* other, real distance )
{
	real low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( int i = 0; i < other->triangles; ++i )
	{
		for ( int d = 0; d < 3; ++d )
		{
			low[d] = fminl( low[d], other->low[i][d] - distance );
			high[d] = fmaxl( high[d], other->high[i][d] + distance );
		}
	}
	b->near_count = 0;
	for ( int i = 0; i < b->triangles; ++i )
	{
		bool near = true;
		for ( int d = 0; d < 3; ++d )
		{
			near = near && b->low[i][d] <= high[d] && low[d] <= b->high[i][d];
		}
		b->near_other[b->near_count] = i;
		b->near_count += near;
	}
}

static bool boxes_within( const body* a, int i, const body* b, int j, real distance )
{
	real square = 0;
	for ( int d = 0; d < 3; ++d )
	{
		real gap = fmaxl( a->low[i][d] - b->high[j][d], b->low[j][d] - a->high[i][d] );
		square += gap > 0 ? gap * gap : 0;
	}
	return square <= distance * distance;
}

// Four points: a vertex and a triangle, or two edges.
typedef struct meeting
{
	const body* of[4];
	int vertex[4];
	bool edges;
} meeting;

static real volume( const vec p[4] )
{
	return determinant( minus( p[1], p[0] ), minus( p[2], p[0] ), minus( p[3], p[0] ) );
}

static void points_at( const meeting* m, real t, vec p[4] )
{
	for ( int i = 0; i < 4; ++i )
	{
		p[i] = moved( &m->of[i]->moves, m->of[i]->vertex[m->vertex[i]], t );
	}
}

static real volume_at( const meeting* m, real t )
{
	vec p[4];
	points_at( m, t, p );
	return volume( p );
}

// Do they meet where they are in one plane?
static bool meets( const meeting* m, real t )
{
	const real slack = 1e-10L;
	vec p[4];
	points_at( m, t, p );
	if ( m->edges )
	{
		vec u = minus( p[1], p[0] ), v = minus( p[3], p[2] ), w = minus( p[2], p[0] ), n = cross( u, v );
		real square = dot( n, n ), a = determinant( w, v, n ) / square, b = determinant( w, u, n ) / square;
		return square > 0 && a >= -slack && a <= 1 + slack && b >= -slack && b <= 1 + slack;
	}
	vec n = cross( minus( p[2], p[1] ), minus( p[3], p[1] ) );
	bool inside = true;
	for ( int i = 1; i <= 3; ++i )
	{
		vec from = p[i], to = p[i % 3 + 1];
		inside = inside && determinant( n, minus( to, from ), minus( p[0], from ) ) >= -slack * dot( n, n );
	}
	return inside;
}

static real bisect( const meeting* m, real from, real to )
{
	bool side = volume_at( m, from ) > 0;
	while ( to - from > 1e-14L )
	{
		real middle = ( from + to ) / 2;
		*( ( volume_at( m, middle ) > 0 ) == side ? &from : &to ) = middle;
	}
	return ( from + to ) / 2;
}

// The first time in a step at which the four points meet, or that which is known already.
static real first_meeting( const meeting* m, real from, real to, real known )
{
	real value[3];
	for ( int k = 0; k < 3; ++k )
	{
		vec p[4];
		for ( int i = 0; i < 4; ++i )
		{
			p[i] = m->of[i]->at[k][m->vertex[i]];
		}
		value[k] = volume( p );
	}
	real middle = ( from + to ) / 2;
	for ( int half = 0; half < 2; ++half )
	{
		if ( ( value[half] > 0 ) != ( value[half + 1] > 0 ) )
		{
			real t = bisect( m, half ? middle : from, half ? to : middle );
			if ( t < known && meets( m, t ) )
			{
				return t;
			}
		}
	}
	return known;
}

// All 15 pairs of features of two triangles.
static real triangles_meet( const body* a, int i, const body* b, int j, real from, real to, real known )
{
	const body* of[2] = { a, b };
	const int* corner[2] = { a->corner[i], b->corner[j] };
	for ( int k = 0; k < 6; ++k )
	{
		const body *one = of[k / 3], *other = of[1 - k / 3];
		const int* c = corner[1 - k / 3];
		meeting m = { { one, other, other, other }, { corner[k / 3][k % 3], c[0], c[1], c[2] }, false };
		known = first_meeting( &m, from, to, known );
	}
	for ( int k = 0; k < 9; ++k )
	{
		int one = k / 3, two = k % 3;
		meeting m = { { a, a, b, b },
			          { corner[0][one], corner[0][( one + 1 ) % 3], corner[1][two],
			            corner[1][( two + 1 ) % 3] },
			          true };
		known = first_meeting( &m, from, to, known );
	}
	return known;
}

static real first_contact( body b[2], real from, real to, int steps )
{
	for ( int s = 0; s < steps; ++s )
	{
		real start = from + ( to - from ) * s / steps, end = from + ( to - from ) * ( s + 1 ) / steps,
			 first = INFINITY;
		for ( int i = 0; i < 2; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				for ( int v = 0; v < b[i].vertices; ++v )
				{
					b[i].at[k][v] = moved( &b[i].moves, b[i].vertex[v], start + ( end - start ) * k / 2 );
				}
			}
			place( &b[i], ( start + end ) / 2, ( end - start ) / 2 );
		}
		list_near( &b[0], &b[1], 0 );
		list_near( &b[1], &b[0], 0 );
		for ( int i = 0; i < b[0].near_count; ++i )
		{
			for ( int j = 0; j < b[1].near_count; ++j )
			{
				int one = b[0].near_other[i], two = b[1].near_other[j];
				if ( boxes_within( &b[0], one, &b[1], two, 0 ) )
				{
					first = triangles_meet( &b[0], one, &b[1], two, start, end, first );
				}
			}
		}
		if ( first < INFINITY )
		{
			return first;
		}
	}
	return INFINITY;
}

static real clamped( real x )
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

static real squared( vec a )
{
	return dot( a, a );
}

static real point_segment( vec p, vec a, vec b )
{
	vec d = minus( b, a );
	return squared( minus( sum( a, clamped( dot( minus( p, a ), d ) / dot( d, d ) ), d ), p ) );
}

// The squared distance: where the lines are nearest if that is in both segments, otherwise at an end of one.
static real segment_segment( const vec p[2], const vec q[2] )
{
	vec u = minus( p[1], p[0] ), v = minus( q[1], q[0] ), w = minus( q[0], p[0] ), n = cross( u, v );
	real square = dot( n, n ),
		 least = fminl( fminl( point_segment( p[0], q[0], q[1] ), point_segment( p[1], q[0], q[1] ) ),
	                    fminl( point_segment( q[0], p[0], p[1] ), point_segment( q[1], p[0], p[1] ) ) );
	if ( square > 1e-24L * dot( u, u ) * dot( v, v ) )
	{
		real a = determinant( w, v, n ) / square, b = determinant( w, u, n ) / square;
		if ( a >= 0 && a <= 1 && b >= 0 && b <= 1 )
		{
			real along = dot( w, n );
			least = fminl( least, along * along / square );
		}
	}
	return least;
}

// The squared distance of a point from a triangle if it is nearest to the inside, otherwise infinity: edges are compared elsewhere.
static real point_face( vec p, const vec t[3] )
{
	vec n = cross( minus( t[1], t[0] ), minus( t[2], t[0] ) );
	for ( int i = 0; i < 3; ++i )
	{
		if ( determinant( n, minus( t[( i + 1 ) % 3], t[i] ), minus( p, t[i] ) ) < 0 )
		{
			return INFINITY;
		}
	}
	real height = dot( n, minus( p, t[0] ) );
	return height * height / dot( n, n );
}

// Of triangles that do not intersect.
static real triangle_distance( const body* a, int i, const body* b, int j )
{
	vec p[2][4];
	for ( int k = 0; k < 4; ++k )
	{
		p[0][k] = a->now[a->corner[i][k % 3]];
		p[1][k] = b->now[b->corner[j][k % 3]];
	}
	real least = INFINITY;
	for ( int k = 0; k < 9; ++k )
	{
		least = fminl( least, segment_segment( &p[0][k / 3], &p[1][k % 3] ) );
	}
	for ( int k = 0; k < 6; ++k )
	{
		least = fminl( least, point_face( p[k / 3][k % 3], p[1 - k / 3] ) );
	}
	return sqrtl( least );
}

// The distance at a time, or `known` if it is not less.
static real distance_at( body b[2], real t, real known )
{
	place( &b[0], t, 0 );
	place( &b[1], t, 0 );
	list_near( &b[0], &b[1], known );
	list_near( &b[1], &b[0], known );
	for ( int i = 0; i < b[0].near_count; ++i )
	{
		for ( int j = 0; j < b[1].near_count; ++j )
		{
			int one = b[0].near_other[i], two = b[1].near_other[j];
			if ( boxes_within( &b[0], one, &b[1], two, known ) )
			{
				known = fminl( known, triangle_distance( &b[0], one, &b[1], two ) );
			}
		}
	}
	return known;
}

static real first_within( body b[2], real distance, real from, real to, int steps )
{
	// Farther than this is not measured.
	const real far = 2 * distance;
	for ( int s = 0; s <= steps; ++s )
	{
		real end = from + ( to - from ) * s / steps,
			 start = s ? from + ( to - from ) * ( s - 1 ) / steps : end;
		if ( distance_at( b, end, far ) <= distance )
		{
			while ( end - start > 1e-13L )
			{
				real middle = ( start + end ) / 2;
				*( distance_at( b, middle, far ) <= distance ? &end : &start ) = middle;
			}
			return end;
		}
	}
	return INFINITY;
}

static real least_distance( body b[2], real from, real to, int steps )
{
	real least = distance_at( b, from, 1e3L );
	for ( int s = 1; s <= steps; ++s )
	{
		least = distance_at( b, from + ( to - from ) * s / steps, least );
	}
	return least;
}

int main( int count, char** arguments )
{
	movement moves[2];
	bool within = count == 10 && !strcmp( arguments[5], "within" );
	if ( ( count != 9 && !within ) || !set_movements( arguments[1], strtold( arguments[2], NULL ), moves ) )
	{
		fprintf( stderr, "usage: moving_reference MECHANISM CHANGE A.obj B.obj contact|within DISTANCE|least "
		                 "FROM TO STEPS\n" );
		return 2;
	}
	body b[2] = { read_body( arguments[3] ), read_body( arguments[4] ) };
	b[0].moves = moves[0];
	b[1].moves = moves[1];
	real from = strtold( arguments[count - 3], NULL ), to = strtold( arguments[count - 2], NULL );
	int steps = atoi( arguments[count - 1] );
	real answer = within ? first_within( b, strtold( arguments[6], NULL ), from, to, steps )
	              : !strcmp( arguments[5], "contact" ) ? first_contact( b, from, to, steps )
	                                                   : least_distance( b, from, to, steps );
	printf( "%.12Lf\n", answer );
	free_body( &b[0] );
	free_body( &b[1] );
	return 0;
}
