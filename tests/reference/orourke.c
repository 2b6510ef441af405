// O'Rourke's theorem as a branch and bound over pairs of hull edges.
//
// A side whose normal n1 runs over the arc between the normals a and b of the two facets of an edge contains
// that edge: n1 = a + t (b - a). A second side at right angles to it that contains the edge with direction d2
// has the normal n2 = d2 x n1 up to its sign; it is on its own arc, between a2 and b2, just when a2 . n1 and
// b2 . n1 have opposite signs. The third normal is n3 = n1 x n2, and the box's volume
//
//   V(t) = w1 w2 w3 / ( |n1|^2 |n2|^2 ),  wi the difference of greatest and least ni . x over the hull.
//
// With any hull vertices in place of the extremal ones w1, w2 and w3 become polynomials of degrees 1, 1 and 2
// that are too small but never too large. Where V is a ratio of two polynomials in Bernstein form it is a
// mean of the ratios of their coefficients, so that the least ratio bounds it over a whole interval of t.
// Intervals that the bound does not rule out are halved. So rounding, degenerate facets and how extremal
// vertices are found can cost time, but the bound stays one; boxes that are reported are measured over all
// points.

#include "tests/reference/orourke.h"

#include <libqhull_r/qhull_ra.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Shorter intervals of t are not halved. A turn so small changes the volume by some 1e-12 times the box's
// aspect.
static const double least_interval = 1e-12;

static bv_vec3 add( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static bv_vec3 sub( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static bv_vec3 scale( double s, bv_vec3 a )
{
	return ( bv_vec3 ){ s * a.x, s * a.y, s * a.z };
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bv_vec3 cross( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static bv_vec3 unit( bv_vec3 a )
{
	return scale( 1 / sqrt( dot( a, a ) ), a );
}

// Normals of sides that contain an edge, from a to b, which are unit and at most 60 degrees apart: an edge
// with a wider arc has several.
typedef struct arc
{
	bv_vec3 a;
	bv_vec3 b;
	bv_vec3 along; // the edge's direction, unit: a x b points along it
	uint32_t vertex;
} arc;

typedef struct solid
{
	bv_vec3* vertex;
	uint32_t vertex_count;
	uint32_t edge_count;
	uint32_t* end; // two vertices of each edge
	arc* arcs;
	uint32_t arc_count;
	uint32_t* first_neighbor; // of each vertex, and one past the last
	uint32_t* neighbor;
} solid;

static void solid_free( solid* s )
{
	free( s->vertex );
	free( s->end );
	free( s->arcs );
	free( s->first_neighbor );
	free( s->neighbor );
}

static bv_vec3 vertex_position( const vertexT* vertex )
{
	return ( bv_vec3 ){ vertex->point[0], vertex->point[1], vertex->point[2] };
}

// The normal by Newell's sum over all corners: that of a merged facet in qhull is of one of the triangles in
// it.
static bv_vec3 facet_normal( qhT* qh, facetT* facet )
{
	setT* vertices = qh_facet3vertex( qh, facet );
	int count = qh_setsize( qh, vertices );
	bv_vec3 first = vertex_position( SETfirstt_( vertices, vertexT ) );
	bv_vec3 sum = { 0, 0, 0 };
	for ( int i = 1; i + 1 < count; ++i )
	{
		bv_vec3 p = vertex_position( SETelemt_( vertices, i, vertexT ) );
		bv_vec3 q = vertex_position( SETelemt_( vertices, i + 1, vertexT ) );
		sum = add( sum, cross( sub( p, first ), sub( q, first ) ) );
	}
	qh_settempfree( qh, &vertices );
	bv_vec3 known = { facet->normal[0], facet->normal[1], facet->normal[2] };
	double length = sqrt( dot( sum, sum ) );
	bv_vec3 normal = length > 0 ? scale( 1 / length, sum ) : known;
	double agreement = dot( normal, known );
	return fabs( agreement ) < 0.5 ? known : agreement < 0 ? scale( -1, normal ) : normal;
}

static void split_arc( arc whole, solid* s, int depth )
{
	if ( depth == 0 || dot( whole.a, whole.b ) >= 0.5 )
	{
		s->arcs[s->arc_count++] = whole;
		return;
	}
	bv_vec3 middle = unit( cross( sub( whole.b, whole.a ), whole.along ) );
	arc half = whole;
	half.b = middle;
	split_arc( half, s, depth - 1 );
	half = whole;
	half.a = middle;
	split_arc( half, s, depth - 1 );
}

static void add_edge( solid* s, uint32_t from, uint32_t to, bv_vec3 a, bv_vec3 b, bv_vec3 inside )
{
	bv_vec3 d = sub( s->vertex[to], s->vertex[from] );
	bv_vec3 middle = cross( sub( b, a ), d );
	if ( dot( d, d ) == 0 || dot( middle, middle ) == 0 )
	{
		return;
	}
	s->end[2 * s->edge_count] = from;
	s->end[2 * s->edge_count + 1] = to;
	++s->edge_count;

	// The middle of the arc points away from what is inside.
	double outward = dot( middle, sub( s->vertex[from], inside ) ) < 0 ? -1 : 1;
	split_arc( ( arc ){ a, b, scale( outward, unit( d ) ), from }, s, 2 );
}

static bool connect( solid* s )
{
	s->first_neighbor = calloc( (size_t)s->vertex_count + 2, sizeof *s->first_neighbor );
	s->neighbor = calloc( 2 * (size_t)s->edge_count + 1, sizeof *s->neighbor );
	if ( !s->first_neighbor || !s->neighbor )
	{
		return false;
	}
	for ( uint32_t i = 0; i < 2 * s->edge_count; ++i )
	{
		++s->first_neighbor[s->end[i] + 2];
	}
	for ( uint32_t i = 2; i < s->vertex_count + 2; ++i )
	{
		s->first_neighbor[i] += s->first_neighbor[i - 1];
	}
	for ( uint32_t i = 0; i < 2 * s->edge_count; ++i )
	{
		s->neighbor[s->first_neighbor[s->end[i] + 1]++] = s->end[i ^ 1];
	}
	return true;
}

static bool take_solid( qhT* qh, solid* s )
{
	facetT* facet;
	vertexT* vertex;
	ridgeT* ridge;
	ridgeT** ridgep;
	size_t ridges = 0;
	FORALLvertices
	{
		vertex->id = s->vertex_count++;
	}
	FORALLfacets
	{
		qh_makeridges( qh, facet );
		ridges += (size_t)qh_setsize( qh, facet->ridges );
	}
	s->vertex = calloc( s->vertex_count, sizeof *s->vertex );
	s->end = calloc( ridges, sizeof *s->end );
	s->arcs = calloc( 2 * ridges, sizeof *s->arcs );
	bv_vec3* normal = calloc( qh->facet_id, sizeof *normal );
	bool good = s->vertex && s->end && s->arcs && normal;
	if ( good )
	{
		bv_vec3 inside = { 0, 0, 0 };
		FORALLvertices
		{
			s->vertex[vertex->id] = vertex_position( vertex );
			inside = add( inside, scale( 1.0 / s->vertex_count, s->vertex[vertex->id] ) );
		}
		FORALLfacets
		{
			normal[facet->id] = facet_normal( qh, facet );
		}
		FORALLfacets
		{
			FOREACHridge_( facet->ridges )
			{
				if ( ridge->top == facet )
				{
					add_edge( s, SETfirstt_( ridge->vertices, vertexT )->id,
					          SETsecondt_( ridge->vertices, vertexT )->id, normal[ridge->top->id],
					          normal[ridge->bottom->id], inside );
				}
			}
		}
		good = connect( s );
	}
	free( normal );
	return good;
}

static orourke_result make_solid( const bv_vec3* points, uint32_t count, solid* s )
{
	*s = ( solid ){ 0 };
	coordT* coordinates = malloc( 3 * (size_t)count * sizeof *coordinates );
	FILE* nowhere = fopen( "/dev/null", "we" );
	qhT* qh = malloc( sizeof *qh );
	orourke_result result = orourke_memory;
	if ( coordinates && nowhere && qh )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			coordinates[3 * (size_t)i] = points[i].x;
			coordinates[3 * (size_t)i + 1] = points[i].y;
			coordinates[3 * (size_t)i + 2] = points[i].z;
		}
		char command[] = "qhull";
		qh_zero( qh, nowhere );
		result = orourke_flat;
		if ( count > 3 &&
		     qh_new_qhull( qh, 3, (int)count, coordinates, False, command, nowhere, nowhere ) == 0 )
		{
			result = take_solid( qh, s ) ? orourke_found : orourke_memory;
		}
		int kept;
		int total;
		qh_freeqhull( qh, !qh_ALL );
		qh_memfreeshort( qh, &kept, &total );
	}
	if ( nowhere )
	{
		fclose( nowhere );
	}
	free( qh );
	free( coordinates );
	return result;
}

// Climbs over neighbors. Where rounding has left the graph short of an edge this may stop too early, which
// the bound allows.
static uint32_t climb( const solid* s, bv_vec3 direction, uint32_t from )
{
	double height = dot( direction, s->vertex[from] );
	for ( ;; )
	{
		uint32_t best = from;
		for ( uint32_t i = s->first_neighbor[from]; i < s->first_neighbor[from + 1]; ++i )
		{
			double at = dot( direction, s->vertex[s->neighbor[i]] );
			if ( at > height )
			{
				height = at;
				best = s->neighbor[i];
			}
		}
		if ( best == from )
		{
			return from;
		}
		from = best;
	}
}

// A pair of edges, and vertices that are extremal along it. Those of the edges themselves are so up to
// rounding only.
typedef struct family
{
	const arc* first;
	const arc* second;
	double sign;        // of n2
	uint32_t lowest[3]; // along n1, n2 and n3
	uint32_t highest[3];
} family;

typedef struct search
{
	const solid* s;
	double slack;
	double best; // volume, of `box` below
	bv_vec3 axis[3];
} search;

static void frame_at( const family* f, double t, bv_vec3 normal[3] )
{
	normal[0] = add( scale( 1 - t, f->first->a ), scale( t, f->first->b ) );
	normal[1] = scale( f->sign, cross( f->second->along, normal[0] ) );
	normal[2] = cross( normal[0], normal[1] );
}

static bv_vec3 width( const search* g, const family* f, int k )
{
	return sub( g->s->vertex[f->highest[k]], g->s->vertex[f->lowest[k]] );
}

static double best_so_far( search* g )
{
	double best;
#pragma omp atomic read
	best = g->best;
	return best;
}

// Where the second edge is almost parallel to n1 their product is mostly rounding, and not at right angles to n1.
static bool make_frame( bv_vec3 n1, bv_vec3 n2, bv_vec3 axis[3] )
{
	axis[0] = unit( n1 );
	for ( int i = 0; i < 2; ++i )
	{
		n2 = sub( n2, scale( dot( axis[0], n2 ), axis[0] ) );
		if ( !( dot( n2, n2 ) > 0 ) )
		{
			return false;
		}
		n2 = unit( n2 );
	}
	axis[1] = n2;
	axis[2] = cross( axis[0], axis[1] );
	return true;
}

// Measures a box over all vertices, whatever the family takes for extremal; a family that was wrong learns
// from it.
static void measure( search* g, family* f, const bv_vec3 normal[3] )
{
	double volume = 1;
	bv_vec3 axis[3];
	if ( !make_frame( normal[0], normal[1], axis ) )
	{
		return;
	}
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t lowest = 0;
		uint32_t highest = 0;
		double lower = INFINITY;
		double upper = -INFINITY;
		for ( uint32_t i = 0; i < g->s->vertex_count; ++i )
		{
			double at = dot( axis[k], g->s->vertex[i] );
			lowest = at < lower ? i : lowest;
			lower = at < lower ? at : lower;
			highest = at > upper ? i : highest;
			upper = at > upper ? at : upper;
		}
		volume *= upper - lower;
		f->lowest[k] = lowest;
		f->highest[k] = highest;
	}
	if ( volume < best_so_far( g ) )
	{
#pragma omp critical( orourke_best )
		if ( volume < g->best )
		{
			memcpy( g->axis, axis, sizeof axis );
#pragma omp atomic write
			g->best = volume;
		}
	}
}

static void consider( search* g, family* f, double t )
{
	bv_vec3 n[3];
	frame_at( f, t, n );
	double product = 1;
	for ( int k = 0; k < 3; ++k )
	{
		f->lowest[k] = climb( g->s, scale( -1, n[k] ), f->lowest[k] );
		f->highest[k] = climb( g->s, n[k], f->highest[k] );
		product *= dot( n[k], width( g, f, k ) );
	}
	if ( product < best_so_far( g ) * dot( n[0], n[0] ) * dot( n[1], n[1] ) )
	{
		measure( g, f, n );
	}
}

// Bernstein coefficients of a product of polynomials of degree 2.
static void multiply( const double a[3], const double b[3], double out[5] )
{
	out[0] = a[0] * b[0];
	out[1] = ( a[0] * b[1] + a[1] * b[0] ) / 2;
	out[2] = ( a[0] * b[2] + 4 * a[1] * b[1] + a[2] * b[0] ) / 6;
	out[3] = ( a[1] * b[2] + a[2] * b[1] ) / 2;
	out[4] = a[2] * b[2];
}

// A volume that no box of the family between two parameters is below; 0 when nothing can be said.
static double bound( const search* g, const family* f, double from, double to )
{
	bv_vec3 left[3];
	bv_vec3 right[3];
	frame_at( f, from, left );
	frame_at( f, to, right );
	bv_vec3 between = scale( 0.5, add( cross( left[0], right[1] ), cross( right[0], left[1] ) ) );
	bv_vec3 across[3] = { width( g, f, 0 ), width( g, f, 1 ), width( g, f, 2 ) };
	double w1[2] = { dot( across[0], left[0] ), dot( across[0], right[0] ) };
	double w2[2] = { dot( across[1], left[1] ), dot( across[1], right[1] ) };
	double w3[3] = { dot( across[2], left[2] ), dot( across[2], between ), dot( across[2], right[2] ) };
	double w12[3] = { w1[0] * w2[0], ( w1[0] * w2[1] + w1[1] * w2[0] ) / 2, w1[1] * w2[1] };
	double square1[3] = { dot( left[0], left[0] ), dot( left[0], right[0] ), dot( right[0], right[0] ) };
	double square2[3] = { dot( left[1], left[1] ), dot( left[1], right[1] ), dot( right[1], right[1] ) };

	// Two factors below 0 would make a product above it.
	if ( w1[0] < 0 || w1[1] < 0 || w2[0] < 0 || w2[1] < 0 || w3[0] < 0 || w3[1] < 0 || w3[2] < 0 ||
	     square1[1] < 0 || square2[1] < 0 )
	{
		return 0;
	}
	double product[5];
	double square[5];
	multiply( w12, w3, product );
	multiply( square1, square2, square );
	double least = INFINITY;
	double largest = fmax( square[0], square[4] );
	for ( int i = 0; i < 5; ++i )
	{
		// Where the second edge is parallel to n1 both are 0 and weigh nothing.
		if ( square[i] > 1e-24 * largest )
		{
			least = fmin( least, product[i] / square[i] );
		}
	}
	return least < INFINITY ? least : 0;
}

static void halve( search* g, family f, double from, double to, int depth )
{
	double middle = ( from + to ) / 2;
	consider( g, &f, middle );
	if ( bound( g, &f, from, to ) >= best_so_far( g ) * ( 1 - g->slack ) )
	{
		return;
	}
	if ( depth == 0 )
	{
		family ends = f;
		consider( g, &ends, from );
		consider( g, &ends, to );
	}
	if ( to - from > least_interval )
	{
		halve( g, f, from, middle, depth + 1 );
		halve( g, f, middle, to, depth + 1 );
	}
}

// Cuts from an interval where a linear function with these values at 0 and 1 is below 0 by more than
// rounding.
static void keep_positive( double at_0, double at_1, double* from, double* to )
{
	const double rounding = 1e-12;
	at_0 += rounding;
	at_1 += rounding;
	if ( at_0 < 0 && at_1 < 0 )
	{
		*to = -1;
	}
	else if ( at_0 < 0 )
	{
		*from = fmax( *from, at_0 / ( at_0 - at_1 ) );
	}
	else if ( at_1 < 0 )
	{
		*to = fmin( *to, at_0 / ( at_0 - at_1 ) );
	}
}

// @return how many signs of n2 are possible
static uint32_t search_pair( search* g, const arc* first, const arc* second )
{
	double a_at_0 = dot( second->a, first->a );
	double a_at_1 = dot( second->a, first->b );
	double b_at_0 = dot( second->b, first->a );
	double b_at_1 = dot( second->b, first->b );
	uint32_t families = 0;
	for ( int sign = -1; sign <= 1; sign += 2 )
	{
		double from = 0;
		double to = 1;
		keep_positive( sign * a_at_0, sign * a_at_1, &from, &to );
		keep_positive( -sign * b_at_0, -sign * b_at_1, &from, &to );
		if ( from <= to )
		{
			uint32_t p = first->vertex;
			uint32_t q = second->vertex;
			family f = { first, second, sign, { p, q, p }, { p, q, p } };
			halve( g, f, from, to, 0 );
			++families;
		}
	}
	return families;
}

orourke_options orourke_options_default( void )
{
	return ( orourke_options ){ .slack = 1e-9, .max_edges = 0 };
}

orourke_result orourke_search( const bv_vec3* points, uint32_t count, const orourke_options* options,
                               orourke_box* out )
{
	orourke_options with = options ? *options : orourke_options_default();
	*out = ( orourke_box ){ 0 };
	solid s;
	orourke_result result = make_solid( points, count, &s );
	out->vertices = s.vertex_count;
	out->edges = s.edge_count;
	if ( result == orourke_found && with.max_edges && s.edge_count > with.max_edges )
	{
		result = orourke_refused;
	}
	if ( result == orourke_found )
	{
		search g = { .s = &s, .slack = with.slack, .best = INFINITY };
		uint64_t families = 0;
#pragma omp parallel for schedule( dynamic ) reduction( + : families )
		for ( uint32_t i = 0; i < s.arc_count; ++i )
		{
			for ( uint32_t k = i; k < s.arc_count; ++k )
			{
				families += search_pair( &g, s.arcs + i, s.arcs + k );
			}
		}
		out->families = families;
		double lower[3];
		double upper[3];
		out->volume = 1;
		for ( int k = 0; k < 3; ++k )
		{
			out->axis[k] = g.axis[k];
			lower[k] = INFINITY;
			upper[k] = -INFINITY;
			for ( uint32_t i = 0; i < count; ++i )
			{
				lower[k] = fmin( lower[k], dot( g.axis[k], points[i] ) );
				upper[k] = fmax( upper[k], dot( g.axis[k], points[i] ) );
			}
			out->volume *= upper[k] - lower[k];
		}
		out->lower = ( bv_vec3 ){ lower[0], lower[1], lower[2] };
		out->upper = ( bv_vec3 ){ upper[0], upper[1], upper[2] };
	}
	solid_free( &s );
	return result;
}
