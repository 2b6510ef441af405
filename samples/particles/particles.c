// Balls with springs fall into a box and come to rest: the particle system of S. Stratbuecker, "Collision detection in large particle
// systems", 2003, with libbvworld for the pairs that overlap.
//
//     particles [BALLS [STEPS]]    writes particles.svg, a picture of the end

#include <bvworld/particles.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double gravity = 0.004; // per step, in units of the greatest radius
static const double stiffness = 0.2;
static const double damping = 0.97;
static const double width = 14; // of the box, which is open at the top

typedef struct ball
{
	double at[3];
	double radius;
	double speed[3]; // way per step
	double mass;
} ball;

// In [0, 1). Knuth's MMIX.
static double draw( void )
{
	static unsigned long long state = 1;
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (double)( state >> 33 ) / 2147483648.0;
}

static void start( ball* balls, unsigned count )
{
	for ( unsigned i = 0; i < count; ++i )
	{
		ball* b = &balls[i];
		*b = ( ball ){ .radius = 0.4 + 0.6 * draw() };
		b->mass = b->radius * b->radius * b->radius;
		b->at[0] = width * draw();
		b->at[1] = width * draw();
		b->at[2] = 1 + count / 25.0 * draw();
	}
}

// A spring along the line of centers. The heavier ball gets the smaller part.
static double push_apart( ball* a, ball* b )
{
	double d[3] = { b->at[0] - a->at[0], b->at[1] - a->at[1], b->at[2] - a->at[2] };
	double distance = sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
	double depth = a->radius + b->radius - distance;
	for ( int k = 0; k < 3 && distance > 0; ++k )
	{
		double push = stiffness * depth * d[k] / distance;
		a->speed[k] -= push * b->mass / ( a->mass + b->mass );
		b->speed[k] += push * a->mass / ( a->mass + b->mass );
	}
	return depth;
}

// Gravity, walls and the floor; at most one radius per step.
static void move( ball* b )
{
	b->speed[2] -= gravity;
	double square = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double below = b->radius - b->at[k];
		double above = b->at[k] + b->radius - width;
		b->speed[k] += below > 0 ? stiffness * below : 0;
		b->speed[k] -= k < 2 && above > 0 ? stiffness * above : 0;
		b->speed[k] *= damping;
		square += b->speed[k] * b->speed[k];
	}
	double scale = square > 1 ? 1 / sqrt( square ) : 1;
	for ( int k = 0; k < 3; ++k )
	{
		b->at[k] += scale * b->speed[k];
	}
}

static const ball* drawn;

static int compare_depth( const void* left, const void* right )
{
	double a = drawn[*(const unsigned*)left].at[1];
	double b = drawn[*(const unsigned*)right].at[1];
	return ( a < b ) - ( a > b );
}

// Balls from the far side to the near one, seen from the front and a little from above.
static int draw_picture( const ball* balls, unsigned count, const char* path )
{
	FILE* file = fopen( path, "w" );
	unsigned* order = malloc( count * sizeof *order );
	if ( !file || !order )
	{
		return 0;
	}
	for ( unsigned i = 0; i < count; ++i )
	{
		order[i] = i;
	}
	drawn = balls;
	qsort( order, count, sizeof *order, compare_depth );
	fprintf(
		file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1 -26 22 30\" width=\"440\" height=\"600\">\n"
		"<rect x=\"-1\" y=\"-26\" width=\"22\" height=\"30\" fill=\"#f4f1ea\"/>\n" );
	for ( unsigned i = 0; i < count; ++i )
	{
		const ball* b = &balls[order[i]];
		double x = b->at[0] + 0.3 * b->at[1], y = -b->at[2] - 0.3 * b->at[1] + 2;
		double near = 1 - b->at[1] / width;
		int hue = (int)( 200 + 140 * b->radius ), light = (int)( 30 + 35 * near );
		fprintf( file, "<circle cx=\"%.3f\" cy=\"%.3f\" r=\"%.3f\" fill=\"hsl(%d,60%%,%d%%)\"/>", x, y,
		         b->radius, hue, light );
		fprintf( file, "<circle cx=\"%.3f\" cy=\"%.3f\" r=\"%.3f\" fill=\"#ffffff\" opacity=\"0.35\"/>\n",
		         x - 0.3 * b->radius, y - 0.35 * b->radius, 0.35 * b->radius );
	}
	fprintf( file, "</svg>\n" );
	free( order );
	return fclose( file ) == 0;
}

int main( int arguments, char** argument )
{
	unsigned count = arguments > 1 ? (unsigned)strtoul( argument[1], NULL, 10 ) : 1500;
	unsigned steps = arguments > 2 ? (unsigned)strtoul( argument[2], NULL, 10 ) : 1500;
	if ( count == 0 || count > 1000000 )
	{
		fprintf( stderr, "usage: particles [BALLS [STEPS]]\n" );
		return 1;
	}
	ball* balls = malloc( count * sizeof *balls );
	bvw_neighbors_options options = { .half = true }; // each pair once
	size_t bytes = bvw_neighbors_bytes( count, 0, &options );
	void* memory = malloc( bytes );
	bvw_neighbors pairs = { .begin = malloc( ( count + 1 ) * sizeof *pairs.begin ) };
	if ( !balls || !memory || !pairs.begin )
	{
		return 1;
	}
	start( balls, count );
	bvw_particles particles = { .positions = balls->at,
		                        .radii = &balls->radius,
		                        .count = count,
		                        .stride = sizeof *balls,
		                        .radii_stride = sizeof *balls };
	for ( unsigned step = 1; step <= steps; ++step )
	{
		bv_status status = bvw_neighbors_find( &particles, NULL, &options, memory, bytes, &pairs );
		if ( status == bv_error_memory ) // more pairs than ever before
		{
			pairs.most = 2 * pairs.count;
			free( pairs.neighbors );
			pairs.neighbors = malloc( pairs.most * sizeof *pairs.neighbors );
			status = pairs.neighbors ? bvw_neighbors_find( &particles, NULL, &options, memory, bytes, &pairs )
			                         : status;
		}
		if ( status != bv_ok )
		{
			fprintf( stderr, "particles: %d\n", (int)status );
			return 1;
		}
		double deepest = 0;
		for ( unsigned i = 0; i < count; ++i )
		{
			for ( unsigned long long k = pairs.begin[i]; k < pairs.begin[i + 1]; ++k )
			{
				double depth = push_apart( &balls[i], &balls[pairs.neighbors[k]] );
				deepest = depth > deepest ? depth : deepest;
			}
		}
		double top = 0;
		for ( unsigned i = 0; i < count; ++i )
		{
			move( &balls[i] );
			top = balls[i].at[2] > top ? balls[i].at[2] : top;
		}
		if ( step % 500 == 0 || step == 1 )
		{
			printf( "step %4u: %5llu overlaps, %llu tests, deepest %.3f, highest %.2f\n", step,
			        (unsigned long long)pairs.count, (unsigned long long)pairs.tests, deepest, top );
		}
	}
	if ( !draw_picture( balls, count, "particles.svg" ) )
	{
		fprintf( stderr, "particles: particles.svg cannot be written\n" );
		return 1;
	}
	free( pairs.neighbors );
	free( pairs.begin );
	free( memory );
	free( balls );
	return 0;
}
