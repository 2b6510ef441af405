// The box of minimal volume around a hull.
//
// At least two adjacent sides of a smallest box each contain an edge of the hull (O'Rourke). A side contains
// an edge if its normal lies on the edge's arc in the Gauss map, the arc between the normals of the two
// adjacent polygons. Every pair of edges therefore gives a family of boxes with one parameter: a normal n1 on
// the first arc, n2 on the second and perpendicular to n1, and n3 = n1 x n2. Only edges whose arcs are
// perpendicular somewhere matter. For one n1 these are the silhouette seen along it. The search is fast
// because it walks along silhouettes instead of trying all pairs (Jylanki: about n^1.5 pairs for n edges).
//
// A family is not sampled. With n1 linear in the parameter, n2 is linear and n3 quadratic, and for any choice
// of opposite corners the extents measured between them are lower bounds of the box's extents. The bound of
// the volume is a quotient of two polynomials of degree 4. If its difference to the best volume so far has
// Bernstein coefficients of one sign only, no box of the family is better. Nearly all pairs are settled in
// this way with the corners of the previous pair. The others are halved until the test succeeds.
//
// Round hulls whose edges form long rings, such as cones and cylinders with hundreds of sides, have as many
// boxes within a millionth of the optimum as pairs of edges. The search of such a hull ends with the best box
// so far after an amount of work in proportion to the number of corners.
//
// Based on: J. O'Rourke, "Finding minimal enclosing boxes", 1985; J. Jylanki, "An exact algorithm for finding
// minimum oriented bounding boxes", 2015.

#include "offline/base/arena.h"
#include "offline/base/frame.h"
#include "offline/fit/calipers.h"
#include "offline/fit/obb.h"
#include "offline/fit/obb_method.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// Families whose best box is better by less than this share are not told apart, nor those that are better by
// less than the rounding of one extent, in units of the set's size.
static const double indifference = 1e-9;
static const double rounding = 1e-14;

// Squared sine of n1 and the second edge below which n2 is left to rounding. Where n1 is along that edge a
// box has its second side at another edge too.
static const double negligible_turn = 1e-12;

// Thickness, as a share of the longest side, from which on boxes are found by other means besides.
static const double nearly_flat = 1e-4;
static const double flat_by_rounding = 0x1p-36;

// Halving an arc this often leaves 1e-12 of it.
enum
{
	most_halvings = 40,
	most_pieces = 4096, // of one family; only rounding can ask for so many
	most_turns = 20,
	work_at_least = 2000000, // neighbors looked at; most hulls take less than a third of both together
	work_a_corner = 9000,
	few_arcs = 1, // bounding sets this small costs more than it saves
};

// The arc of an edge in the Gauss map, on the side of the sphere where z is positive in its middle: a side's
// normal may be taken with either sign.
typedef struct optimal_arc
{
	bv_vec3 ends[2];
	bv_vec3 middle;
	uint32_t half_edge;
} optimal_arc;

typedef struct optimal_search
{
	const bvb_hull_polygons* hull;
	const bv_vec3* at;        // corners, scaled to about 1
	uint32_t* leaving;        // of each corner: a half-edge that starts there
	uint32_t* first_neighbor; // of corner v: neighbors[first_neighbor[v]] ... [first_neighbor[v + 1] - 1]
	uint32_t* neighbors;      // at the other end of its edges; none for what lies within a polygon or an edge
	uint32_t* visited;        // of each corner: the sweep that came by last
	uint32_t* seen;           // of each polygon: the sweep that asked last ...
	double ( *facing )[2];    // ... and what its normal has in common with the two ends of the arc
	uint32_t* stack;          // corners still to be left in all directions
	uint32_t sweep;           // counts the arcs gone through
	uint32_t ends[3][2];      // first and last corner last found along n1, n2 and n3
	bv_vec3* ring;            // a silhouette
	bool* matters;            // of each half-edge: whether the least box may have a side at its edge
	uint64_t work;            // neighbors looked at so far
	uint64_t enough_work;     // when to stop
	double enough;            // a family whose volumes are not below this does not matter
	double best;              // least volume so far
	bv_vec3 axis[3];          // its frame
} optimal_search;

// Where the three normals are at both ends of a piece of a family, and between.
typedef struct optimal_piece
{
	bv_vec3 n1[2];
	bv_vec3 n2[2];
	bv_vec3 n3[3]; // Bernstein coefficients
	double edge2;  // squared length of the edge that n2 is at right angles to
} optimal_piece;

static uint32_t climb( optimal_search* s, bv_vec3 direction, uint32_t start )
{
	uint32_t best = start;
	double most = bv_dot( direction, s->at[start] );
	for ( uint32_t from = UINT32_MAX; from != best; )
	{
		from = best;
		s->work += s->first_neighbor[from + 1] - s->first_neighbor[from];
		for ( uint32_t i = s->first_neighbor[from]; i < s->first_neighbor[from + 1]; ++i )
		{
			double reach = bv_dot( direction, s->at[s->neighbors[i]] );
			if ( reach > most )
			{
				most = reach;
				best = s->neighbors[i];
			}
		}
	}
	return best;
}

static double extent( optimal_search* s, bv_vec3 direction, uint32_t ends[2] )
{
	ends[0] = climb( s, bv_negate( direction ), ends[0] );
	ends[1] = climb( s, direction, ends[1] );
	return bv_dot( direction, bv_sub( s->at[ends[1]], s->at[ends[0]] ) );
}

// The same from the first corner as it is.
static double reach_back( optimal_search* s, bv_vec3 direction, uint32_t ends[2] )
{
	ends[0] = climb( s, bv_negate( direction ), ends[0] );
	return bv_dot( direction, bv_sub( s->at[ends[1]], s->at[ends[0]] ) );
}

static bv_vec3 blend( bv_vec3 a, bv_vec3 b, double t )
{
	return bv_add( a, bv_scale( t, bv_sub( b, a ) ) );
}

// The part of a piece between two parameters, which are 0 and 1 at its ends.
static optimal_piece cut( const optimal_piece* whole, double from, double to )
{
	optimal_piece p = {
		.n1 = { blend( whole->n1[0], whole->n1[1], from ), blend( whole->n1[0], whole->n1[1], to ) },
		.n2 = { blend( whole->n2[0], whole->n2[1], from ), blend( whole->n2[0], whole->n2[1], to ) },
		.edge2 = whole->edge2,
	};
	p.n3[0] = bv_cross( p.n1[0], p.n2[0] );
	p.n3[1] = bv_scale( 0.5, bv_add( bv_cross( p.n1[0], p.n2[1] ), bv_cross( p.n1[1], p.n2[0] ) ) );
	p.n3[2] = bv_cross( p.n1[1], p.n2[1] );
	return p;
}

// The Bernstein coefficients of a product of two polynomials of degree 2.
static void multiply( const double a[3], const double b[3], double out[5] )
{
	out[0] = a[0] * b[0];
	out[1] = ( a[0] * b[1] + a[1] * b[0] ) / 2;
	out[2] = ( a[0] * b[2] + 4 * ( a[1] * b[1] ) + a[2] * b[0] ) / 6;
	out[3] = ( a[1] * b[2] + a[2] * b[1] ) / 2;
	out[4] = a[2] * b[2];
}

// Whether the extents between the remembered corners show that no box of the piece is better than the best.
static bool is_settled( const optimal_search* s, const optimal_piece* p )
{
	bv_vec3 span1 = bv_sub( s->at[s->ends[0][1]], s->at[s->ends[0][0]] );
	bv_vec3 span2 = bv_sub( s->at[s->ends[1][1]], s->at[s->ends[1][0]] );
	bv_vec3 span3 = bv_sub( s->at[s->ends[2][1]], s->at[s->ends[2][0]] );
	double w1[2] = { bv_dot( span1, p->n1[0] ), bv_dot( span1, p->n1[1] ) };
	double w2[2] = { bv_dot( span2, p->n2[0] ), bv_dot( span2, p->n2[1] ) };
	double w12[3] = { w1[0] * w2[0], ( w1[0] * w2[1] + w1[1] * w2[0] ) / 2, w1[1] * w2[1] };
	double w3[3] = { bv_dot( span3, p->n3[0] ), bv_dot( span3, p->n3[1] ), bv_dot( span3, p->n3[2] ) };
	double nn1[3] = { bv_dot( p->n1[0], p->n1[0] ), bv_dot( p->n1[0], p->n1[1] ),
		              bv_dot( p->n1[1], p->n1[1] ) };
	double nn2[3] = { bv_dot( p->n2[0], p->n2[0] ), bv_dot( p->n2[0], p->n2[1] ),
		              bv_dot( p->n2[1], p->n2[1] ) };
	double volume[5];
	double unit[5];
	multiply( w12, w3, volume );
	multiply( nn1, nn2, unit );
	bool settled = true;
	for ( int i = 0; i < 5; ++i )
	{
		settled = settled && volume[i] >= s->enough * unit[i];
	}
	return settled;
}

static bool is_negligible( const optimal_piece* p )
{
	return bv_dot( p->n2[0], p->n2[0] ) <= negligible_turn * p->edge2 &&
	       bv_dot( p->n2[1], p->n2[1] ) <= negligible_turn * p->edge2;
}

// Measures the box of a frame that need not be of unit length, and keeps it if it is the best.
static void measure( optimal_search* s, bv_vec3 n1, bv_vec3 n2, double edge2 )
{
	double nn1 = bv_dot( n1, n1 );
	double nn2 = bv_dot( n2, n2 );
	if ( !( nn2 > negligible_turn * edge2 ) )
	{
		return;
	}

	// The corners in the two sides are those of the edges that the normals come from, nearly always. They are
	// looked for only if that makes the box the best.
	double unit = 1 / ( nn1 * nn2 );
	bv_vec3 n3 = bv_cross( n1, n2 );
	double w3 = extent( s, n3, s->ends[2] );
	double w2 = reach_back( s, n2, s->ends[1] );
	double w1 = reach_back( s, n1, s->ends[0] );
	if ( w1 * w2 * w3 * unit >= s->best )
	{
		return;
	}
	w2 = extent( s, n2, s->ends[1] );
	w1 = extent( s, n1, s->ends[0] );
	double volume = w1 * w2 * w3 * unit;
	if ( volume < s->best )
	{
		double a = w1 / sqrt( nn1 );
		double b = w2 / sqrt( nn2 );
		double c = w3 / sqrt( nn1 * nn2 );
		s->best = volume;
		s->enough = volume * ( 1 - indifference ) - rounding * ( a * b + b * c + c * a );
		s->axis[0] = bv_scale( 1 / sqrt( nn1 ), n1 );
		s->axis[1] = bv_scale( 1 / sqrt( nn2 ), n2 );
		s->axis[2] = bv_cross( s->axis[0], s->axis[1] );
	}
}

static void examine( optimal_search* s, const optimal_piece* p )
{
	// Halves not settled yet, as the parameters of their ends; the shorter ones come last.
	double from[most_halvings + 1];
	double to[most_halvings + 1];
	int halves = 1;
	from[0] = 0;
	to[0] = 1;
	bool ends_measured = false;
	for ( int pieces = 0; halves > 0 && pieces < most_pieces; ++pieces )
	{
		halves -= 1;
		double a = from[halves];
		double b = to[halves];
		optimal_piece part = cut( p, a, b );
		if ( is_negligible( &part ) || is_settled( s, &part ) )
		{
			continue;
		}
		double middle = ( a + b ) / 2;
		measure( s, blend( p->n1[0], p->n1[1], middle ), blend( p->n2[0], p->n2[1], middle ), p->edge2 );
		if ( is_settled( s, &part ) || b - a < 0x1p-39 )
		{
			continue;
		}
		if ( !ends_measured )
		{
			// A minimum of a family is more often at an end than between: there another side comes to contain
			// an edge.
			measure( s, p->n1[0], p->n2[0], p->edge2 );
			measure( s, p->n1[1], p->n2[1], p->edge2 );
			ends_measured = true;
		}
		from[halves] = middle, to[halves] = b;
		from[halves + 1] = a, to[halves + 1] = middle;
		halves += 2;
	}
}

// The family of an arc from `a` to `b`, whose corner is `corner1`, and the edge that `half_edge` runs along.
static void examine_pair( optimal_search* s, bv_vec3 a, bv_vec3 b, uint32_t corner1, uint32_t half_edge )
{
	const bvb_half_edge* edge = s->hull->half_edges + half_edge;
	const bvb_half_edge* twin = s->hull->half_edges + edge->twin;
	const double* f = s->facing[edge->polygon];
	const double* g = s->facing[twin->polygon];
	bv_vec3 along = bv_sub( s->at[twin->origin], s->at[edge->origin] );

	// n2 passes the ends of its arc where n1 is at right angles to a polygon's normal.
	double limit[4] = { 0, 1, 1, 1 };
	int limits = 1;
	double root[2] = { f[0] / ( f[0] - f[1] ), g[0] / ( g[0] - g[1] ) };
	double low = fmin( root[0], root[1] );
	double high = fmax( root[0], root[1] );
	if ( low > 0 && low < 1 )
	{
		limit[limits++] = low;
	}
	if ( high > 0 && high < 1 && high != low )
	{
		limit[limits++] = high;
	}
	for ( int i = 0; i < limits; ++i )
	{
		double middle = ( limit[i] + limit[i + 1] ) / 2;
		double at_f = f[0] + middle * ( f[1] - f[0] );
		double at_g = g[0] + middle * ( g[1] - g[0] );
		if ( at_f * at_g > 0 )
		{
			continue;
		}

		// The polygon's normal times the twin's has the direction of the edge, so n1 x along lies between the
		// two if n1 faces away from the first.
		bv_vec3 turn = at_f < at_g ? along : bv_negate( along );
		optimal_piece whole = {
			.n1 = { a, b },
			.n2 = { bv_cross( a, turn ), bv_cross( b, turn ) },
			.edge2 = bv_dot( along, along ),
		};
		optimal_piece p = cut( &whole, limit[i], limit[i + 1] );
		s->ends[0][1] = corner1;
		s->ends[1][1] = edge->origin;
		examine( s, &p );
	}
}

static const double* facing( optimal_search* s, uint32_t polygon, bv_vec3 a, bv_vec3 b )
{
	if ( s->seen[polygon] != s->sweep )
	{
		s->seen[polygon] = s->sweep;
		s->facing[polygon][0] = bv_dot( a, s->hull->polygons[polygon].normal );
		s->facing[polygon][1] = bv_dot( b, s->hull->polygons[polygon].normal );
	}
	return s->facing[polygon];
}

// Goes through all edges whose arcs are at right angles to a normal between `a` and `b` somewhere. The
// silhouettes seen along these normals are closed rings of such edges, and all of them pass the corner that
// is farthest along the edge that the normals turn around; so they are reached from there.
static void sweep_arc( optimal_search* s, bv_vec3 a, bv_vec3 b, uint32_t half_edge )
{
	const bvb_hull_polygons* hull = s->hull;
	uint32_t tail = hull->half_edges[half_edge].origin;
	uint32_t head = hull->half_edges[hull->half_edges[half_edge].twin].origin;
	uint32_t waiting = 0;
	s->sweep += 1;
	s->stack[waiting] = climb( s, bv_sub( s->at[head], s->at[tail] ), head );
	s->visited[s->stack[waiting++]] = s->sweep;
	while ( waiting > 0 )
	{
		uint32_t corner = s->stack[--waiting];
		uint32_t first = s->leaving[corner];
		uint32_t h = first;
		do
		{
			uint32_t twin = hull->half_edges[h].twin;
			const double* f = facing( s, hull->half_edges[h].polygon, a, b );
			const double* g = facing( s, hull->half_edges[twin].polygon, a, b );
			bool above = f[0] > 0 && f[1] > 0 && g[0] > 0 && g[1] > 0;
			bool below = f[0] < 0 && f[1] < 0 && g[0] < 0 && g[1] < 0;
			if ( !above && !below )
			{
				uint32_t other = hull->half_edges[twin].origin;
				// Every pair is met twice, with either edge first, and every edge from either end.
				uint32_t edge = h < twin ? h : twin;
				if ( edge >= half_edge && s->matters[edge] && corner == hull->half_edges[edge].origin )
				{
					examine_pair( s, a, b, tail, edge );
				}
				if ( s->visited[other] != s->sweep )
				{
					s->visited[other] = s->sweep;
					s->stack[waiting++] = other;
				}
			}
			h = hull->half_edges[twin].next;
		} while ( h != first );
	}
}

static void sweep_edge( optimal_search* s, uint32_t half_edge )
{
	const bvb_half_edge* edge = s->hull->half_edges + half_edge;
	const bvb_half_edge* twin = s->hull->half_edges + edge->twin;
	bv_vec3 a = s->hull->polygons[edge->polygon].normal;
	bv_vec3 b = s->hull->polygons[twin->polygon].normal;
	if ( bv_dot( a, b ) > -0.5 )
	{
		sweep_arc( s, a, b, half_edge );
		return;
	}

	// Between normals that are nearly opposite a straight line is a bad way: it passes near the origin.
	bv_vec3 along = bv_sub( s->at[twin->origin], s->at[edge->origin] );
	bv_vec3 middle = bv_sub( bv_cross( along, a ), bv_cross( along, b ) );
	middle = bv_scale( 1 / sqrt( bv_dot( middle, middle ) ), middle );
	sweep_arc( s, a, middle, half_edge );
	sweep_arc( s, middle, b, half_edge );
}

// Walks round the silhouette seen along axis[2], as a convex polygon in the plane of axis[0] and axis[1].
// @return its corners; 0 when rounding leads astray
static uint32_t walk_silhouette( optimal_search* s, const bv_vec3 axis[3] )
{
	s->ends[2][1] = climb( s, axis[0], s->ends[2][1] );
	uint32_t start = s->ends[2][1];
	uint32_t corner = start;
	for ( uint32_t count = 0; count < s->hull->vertex_count; )
	{
		bv_vec3 here = s->at[corner];
		s->ring[count++] =
			( bv_vec3 ){ bv_dot( axis[0], here ), bv_dot( axis[1], here ), bv_dot( axis[2], here ) };

		s->work += s->first_neighbor[corner + 1] - s->first_neighbor[corner];

		// Of a convex polyhedron the next corner of the silhouette is a neighbor: that with no other to its
		// right.
		uint32_t next = corner;
		double u = 0;
		double v = 0;
		for ( uint32_t i = s->first_neighbor[corner]; i < s->first_neighbor[corner + 1]; ++i )
		{
			bv_vec3 step = bv_sub( s->at[s->neighbors[i]], here );
			double x = bv_dot( axis[0], step );
			double y = bv_dot( axis[1], step );
			double turn = u * y - v * x;
			if ( turn < 0 || ( turn == 0 && x * x + y * y > u * u + v * v ) )
			{
				next = s->neighbors[i];
				u = x;
				v = y;
			}
		}
		corner = next;
		if ( corner == start )
		{
			return count;
		}
	}
	return 0;
}

// A lower bound of the volume of all boxes with a side whose normal is within an angle of `normal`. Turned by
// the angle the extent between two corners loses sin times their distance across at most.
static double bound_boxes( optimal_search* s, bv_vec3 normal, double cosine )
{
	if ( cosine < 0.1 )
	{
		return 0;
	}
	bv_vec3 axis[3] = { [2] = normal };
	axis[0] = bvbase_perpendicular( normal );
	axis[1] = bv_cross( normal, axis[0] );
	uint32_t count = walk_silhouette( s, axis );
	if ( count < 3 )
	{
		return 0;
	}
	double sine = sqrt( bvmath_max( 1 - cosine * cosine, 0 ) );
	bvfit_seen_rectangle least;
	double wide = bvfit_bound_rectangles( s->ring, count, cosine, sine, &least );
	double depth = extent( s, normal, s->ends[0] );
	bv_vec3 span = bv_sub( s->at[s->ends[0][1]], s->at[s->ends[0][0]] );
	double deep = cosine * depth - sine * sqrt( bvmath_max( bv_dot( span, span ) - depth * depth, 0 ) );
	if ( least.area * depth < s->best )
	{
		bv_vec3 n2 = bv_add( bv_scale( least.x, axis[0] ), bv_scale( least.y, axis[1] ) );
		measure( s, normal, n2, bv_dot( n2, n2 ) );
	}
	return bvmath_max( deep, 0 ) * bvmath_max( wide, 0 );
}

// Puts the arcs that are low along the axis in which they differ most before the others.
// @return how many these are, at least 1 and not all
static uint32_t split_arcs( optimal_arc* arcs, uint32_t count )
{
	bv_vec3 sum = { 0, 0, 0 };
	bv_vec3 squares = { 0, 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 m = arcs[i].middle;
		sum = bv_add( sum, m );
		squares = bv_add( squares, ( bv_vec3 ){ m.x * m.x, m.y * m.y, m.z * m.z } );
	}
	bv_vec3 mean = bv_scale( 1.0 / count, sum );
	int axis = 0;
	double most = -1;
	for ( int k = 0; k < 3; ++k )
	{
		double variance = bvmath_component( squares, k ) / count -
		                  bvmath_component( mean, k ) * bvmath_component( mean, k );
		if ( variance > most )
		{
			most = variance;
			axis = k;
		}
	}
	uint32_t low = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( bvmath_component( arcs[i].middle, axis ) < bvmath_component( mean, axis ) )
		{
			optimal_arc moved = arcs[i];
			arcs[i] = arcs[low];
			arcs[low++] = moved;
		}
	}
	return low > 0 && low < count ? low : count / 2;
}

// Finds the arcs that a normal of the least box may lie on: whole sets of arcs that are near each other are
// ruled out by the bound for all normals near them.
static void mark_arcs( optimal_search* s, optimal_arc* arcs, uint32_t count )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum = bv_add( sum, arcs[i].middle );
	}
	bv_vec3 normal = bv_scale( 1 / sqrt( bv_dot( sum, sum ) ), sum );
	double cosine = 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		cosine = bvmath_min( cosine, bv_dot( normal, arcs[i].ends[0] ) );
		cosine = bvmath_min( cosine, bv_dot( normal, arcs[i].ends[1] ) );
	}
	if ( bound_boxes( s, normal, cosine ) > s->best )
	{
		return;
	}
	if ( count <= few_arcs || s->work > s->enough_work / 4 )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			s->matters[arcs[i].half_edge] = true;
		}
		return;
	}
	uint32_t low = split_arcs( arcs, count );
	mark_arcs( s, arcs, low );
	mark_arcs( s, arcs + low, count - low );
}

static void list_neighbors( optimal_search* s )
{
	const bvb_half_edge* edge = s->hull->half_edges;
	uint32_t edges = s->hull->half_edge_count;
	for ( uint32_t h = 0; h < edges; ++h )
	{
		s->leaving[edge[h].origin] = h;
		s->first_neighbor[edge[h].origin + 1] += 1;
	}
	for ( uint32_t v = 0; v < s->hull->vertex_count; ++v )
	{
		s->first_neighbor[v + 1] += s->first_neighbor[v];
	}
	for ( uint32_t h = edges; h-- > 0; )
	{
		// Filled from the back, each count on the way to be the place of the first.
		s->neighbors[--s->first_neighbor[edge[h].origin + 1]] = edge[edge[h].twin].origin;
	}
	for ( uint32_t v = 0; v < s->hull->vertex_count; ++v )
	{
		s->first_neighbor[v] = s->first_neighbor[v + 1];
	}
	s->first_neighbor[s->hull->vertex_count] = edges;

	// To start climbing from.
	for ( int k = 0; k < 3; ++k )
	{
		s->ends[k][0] = edge[0].origin;
		s->ends[k][1] = edge[0].origin;
	}
}

static bool begin( optimal_search* s, const bvb_hull_polygons* hull, uint64_t max_work, bvb_arena* scratch )
{
	uint32_t count = hull->vertex_count;
	uint64_t enough_work = work_at_least + (uint64_t)work_a_corner * count;
	double largest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		largest = bvmath_max( largest, bvmath_norm1( bv_sub( hull->positions[i], hull->positions[0] ) ) );
	}
	int exponent;
	frexp( largest, &exponent );

	bv_vec3* at = bvb_arena_allocate( scratch, count, sizeof *at );
	*s = ( optimal_search ){
		.hull = hull,
		.enough_work = max_work > 0 && max_work < enough_work ? max_work : enough_work,
		.at = at,
		.leaving = bvb_arena_allocate( scratch, count, sizeof *s->leaving ),
		.first_neighbor = bvb_arena_allocate( scratch, (size_t)count + 1, sizeof *s->first_neighbor ),
		.neighbors = bvb_arena_allocate( scratch, hull->half_edge_count, sizeof *s->neighbors ),
		.visited = bvb_arena_allocate( scratch, count, sizeof *s->visited ),
		.stack = bvb_arena_allocate( scratch, count, sizeof *s->stack ),
		.seen = bvb_arena_allocate( scratch, hull->polygon_count, sizeof *s->seen ),
		.ring = bvb_arena_allocate( scratch, count, sizeof *s->ring ),
		.matters = bvb_arena_allocate( scratch, hull->half_edge_count, sizeof *s->matters ),
		.facing = bvb_arena_allocate( scratch, hull->polygon_count, sizeof *s->facing ),
	};
	if ( !at || !s->leaving || !s->first_neighbor || !s->neighbors || !s->visited || !s->stack || !s->seen ||
	     !s->ring || !s->matters || !s->facing )
	{
		return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( hull->positions[i], hull->positions[0] );
		at[i] = ( bv_vec3 ){ ldexp( d.x, -exponent ), ldexp( d.y, -exponent ), ldexp( d.z, -exponent ) };
	}
	list_neighbors( s );
	return true;
}

// Takes a frame for a start if its box is the best, after turning it: the least rectangle seen along each
// axis gives the other two, until no turn helps.
static void start_from( optimal_search* s, const bv_vec3 axis[3] )
{
	optimal_search other = *s;
	s->best = INFINITY;
	measure( s, axis[0], axis[1], 1 );
	for ( int round = 0; round < most_turns; ++round )
	{
		double before = s->best;
		for ( int k = 0; k < 3; ++k )
		{
			bound_boxes( s, s->axis[k], 1 );
		}
		if ( s->best >= before )
		{
			break;
		}
	}
	if ( other.best <= s->best )
	{
		*s = other;
	}
}

// @return how many arcs there are: one for each edge
static uint32_t make_arcs( const optimal_search* s, optimal_arc* arcs )
{
	uint32_t count = 0;
	for ( uint32_t h = 0; h < s->hull->half_edge_count; ++h )
	{
		const bvb_half_edge* edge = s->hull->half_edges + h;
		if ( h > edge->twin )
		{
			continue;
		}
		bv_vec3 a = s->hull->polygons[edge->polygon].normal;
		bv_vec3 b = s->hull->polygons[s->hull->half_edges[edge->twin].polygon].normal;
		bool folded = a.z + b.z < 0;
		optimal_arc* made = arcs + count++;
		made->ends[0] = folded ? bv_negate( a ) : a;
		made->ends[1] = folded ? bv_negate( b ) : b;
		made->middle = bv_add( made->ends[0], made->ends[1] );
		made->half_edge = h;
	}
	return count;
}

// A good box to begin with saves most of the work.
// @param thickness  receives the shortest side as a share of the longest; of nearly flat sets `axis` receives
//                   what a local search finds
static bv_status find_start( optimal_search* s, const bvfit_box_problem* problem, bv_vec3 axis[3],
                             double* thickness )
{
	bvfit_box_problem corners = *problem;
	corners.points = s->at;
	corners.count = s->hull->vertex_count;
	bv_vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	s->best = INFINITY;
	start_from( s, upright );
	bv_status status = bvfit_obb_pca_hull( problem, axis );
	if ( status == bv_ok )
	{
		start_from( s, axis );
		status = bvfit_obb_dito( &corners, axis );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	start_from( s, axis );

	// Normals of nearly flat sets are less certain than what a search that knows no edges can reach.
	double length[3];
	bvfit_box_lengths( s->at, s->hull->vertex_count, s->axis, length );
	*thickness = bvmath_min( length[0], bvmath_min( length[1], length[2] ) ) /
	             bvmath_max( length[0], bvmath_max( length[1], length[2] ) );
	return *thickness < nearly_flat ? bvfit_obb_refined( problem, axis ) : bv_ok;
}

// The volume over all corners, those that were merged into polygons included.
static double full_volume( const optimal_search* s, const bv_vec3 axis[3] )
{
	double length[3];
	bvfit_box_lengths( s->at, s->hull->vertex_count, axis, length );
	return length[0] * length[1] * length[2];
}

static bv_status search_polyhedron( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	bvb_hull_polygons hull;
	bv_status status = bvb_hull_merge( problem->points, problem->hull, 0, problem->scratch, &hull, NULL );
	if ( status != bv_ok )
	{
		return status;
	}
	optimal_search s;
	optimal_arc* arcs = bvb_arena_allocate( problem->scratch, hull.half_edge_count / 2, sizeof *arcs );
	if ( !arcs || !begin( &s, &hull, problem->max_work, problem->scratch ) )
	{
		return bv_error_memory;
	}

	double thickness;
	status = find_start( &s, problem, axis, &thickness );
	if ( status != bv_ok || thickness < flat_by_rounding )
	{
		return status;
	}
	mark_arcs( &s, arcs, make_arcs( &s, arcs ) );
	for ( uint32_t h = 0; h < hull.half_edge_count; ++h )
	{
		if ( s.matters[h] && s.work < s.enough_work )
		{
			sweep_edge( &s, h );
		}
	}
	if ( thickness >= nearly_flat || full_volume( &s, s.axis ) < full_volume( &s, axis ) )
	{
		memcpy( axis, s.axis, sizeof s.axis );
	}
	return bv_ok;
}

// Of a flat set the box has no volume; the least area it has round the least rectangle.
static bv_status fit_polygon( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	const bvb_hull* hull = problem->hull;
	bv_vec3 first = problem->points[hull->vertices[0]];
	bv_vec3 normal = { 0, 0, 0 };
	for ( uint32_t i = 2; i < hull->vertex_count; ++i )
	{
		bv_vec3 u = bv_sub( problem->points[hull->vertices[i - 1]], first );
		bv_vec3 v = bv_sub( problem->points[hull->vertices[i]], first );
		normal = bv_add( normal, bv_cross( u, v ) );
	}
	axis[2] = bv_scale( 1 / sqrt( bv_dot( normal, normal ) ), normal );
	double size[2];
	return bvfit_fit_rectangle( problem->points, problem->count, problem->scratch, axis, size );
}

// No theorem says where the least box by another measure is: the better of a local search and of what the box
// of least volume becomes when it is turned.
static bv_status fit_other_objective( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	const bvb_hull* hull = problem->hull;
	bv_vec3* corners = bvb_arena_allocate( problem->scratch, hull->vertex_count, sizeof *corners );
	if ( !corners )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < hull->vertex_count; ++i )
	{
		corners[i] = problem->points[hull->vertices[i]];
	}
	bv_vec3 turned[3];
	bv_status status = bvfit_obb_refined( problem, axis );
	status = status == bv_ok ? search_polyhedron( problem, turned ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	double length[3];
	double other[3];
	bvfit_obb_refine( corners, hull->vertex_count, problem->objective, turned );
	bvfit_box_lengths( corners, hull->vertex_count, axis, length );
	bvfit_box_lengths( corners, hull->vertex_count, turned, other );
	if ( bvfit_box_cost_less( bvfit_box_cost_of( other, problem->objective ),
	                          bvfit_box_cost_of( length, problem->objective ) ) )
	{
		memcpy( axis, turned, sizeof turned );
	}
	return bv_ok;
}

bv_status bvfit_obb_optimal( const bvfit_box_problem* problem, bv_vec3 axis[3] )
{
	const bvb_hull* hull = problem->hull;
	if ( hull->kind < bv_hull_polygon )
	{
		return bvfit_obb_refined( problem, axis );
	}
	if ( problem->objective == bvb_box_volume )
	{
		return hull->kind == bv_hull_polygon ? fit_polygon( problem, axis )
		                                     : search_polyhedron( problem, axis );
	}
	return hull->kind == bv_hull_polygon ? bvfit_obb_refined( problem, axis )
	                                     : fit_other_objective( problem, axis );
}
