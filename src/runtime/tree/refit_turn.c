// How the triangles of a node have turned since its file was made: the rotation with which the sum of squared distances between the
// vertices before and after is least, about their means. Its quaternion is the eigenvector of the greatest eigenvalue of a symmetric matrix
// (B. K. P. Horn, "Closed-form solution of absolute orientation using unit quaternions", 1987). That matrix, with a multiple of the
// identity added that makes all eigenvalues positive, is squared until one of them is left.
//
// Large nodes are represented by some of their vertices. Any rotation is a valid one, so that nothing depends on its precision.

#include "runtime/tree/refit_turn.h"

#include <math.h>

enum
{
	most_sampled = 48,
	squarings = 9,
};

typedef struct turn_matrix
{
	double at[4][4];
} turn_matrix;

// Sums over vertices before and after.
typedef struct turn_moments
{
	double count;
	double before[3];
	double after[3];
	double both[3][3]; // before by after
	double squares[2]; // before and after
	bv_vec3 from;      // what those before are relative to
	bv_vec3 to;        // and those after
} turn_moments;

static void add( turn_moments* m, const float before[3], const float after[3] )
{
	const double b[3] = { before[0] - m->from.x, before[1] - m->from.y, before[2] - m->from.z };
	const double a[3] = { after[0] - m->to.x, after[1] - m->to.y, after[2] - m->to.z };
	m->count += 1;
	for ( int i = 0; i < 3; ++i )
	{
		m->before[i] += b[i];
		m->after[i] += a[i];
		m->squares[0] += b[i] * b[i];
		m->squares[1] += a[i] * a[i];
		for ( int k = 0; k < 3; ++k )
		{
			m->both[i][k] += b[i] * a[k];
		}
	}
}

static bv_vec3 vector_of( const float p[3] )
{
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

// Relative to the first vertex, so that no digits are lost far from the origin.
static turn_moments moments_of( const bvtree_refit_points* points, float ( *reference )[3] )
{
	const bvtree_refit* r = points->refit;
	uint32_t step = 1 + ( points->count - 1 ) / most_sampled;
	uint32_t first = points->list[0];
	turn_moments m = { .from = vector_of( reference[first] ), .to = vector_of( r->positions[first] ) };
	for ( uint32_t i = 0; i < points->count; i += step )
	{
		uint32_t vertex = points->list[i];
		add( &m, reference[vertex], r->positions[vertex] );
	}
	return m;
}

static bv_vec3 mean_of( bv_vec3 from, const double sum[3], double count )
{
	return bv_add( from, ( bv_vec3 ){ sum[0] / count, sum[1] / count, sum[2] / count } );
}

static void correlate( const turn_moments* m, double s[3][3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			s[i][k] = m->both[i][k] - m->before[i] * m->after[k] / m->count;
		}
	}
}

static double trace_of( const turn_matrix* m )
{
	return ( m->at[0][0] + m->at[1][1] ) + ( m->at[2][2] + m->at[3][3] );
}

// @param by  the square is multiplied by
static turn_matrix squared( const turn_matrix* m, double by )
{
	turn_matrix out;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int k = i; k < 4; ++k )
		{
			double first = m->at[i][0] * m->at[k][0] + m->at[i][1] * m->at[k][1];
			out.at[i][k] = by * ( first + ( m->at[i][2] * m->at[k][2] + m->at[i][3] * m->at[k][3] ) );
			out.at[k][i] = out.at[i][k];
		}
	}
	return out;
}

// @return whether there is a rotation that is better than others
static bool quaternion_of( double s[3][3], double q[4] )
{
	turn_matrix m = { {
		{ s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0] },
		{ s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2] },
		{ s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1] },
		{ s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1] },
	} };
	// The trace is 0, and no eigenvalue is farther from it than this.
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		size += 2 * ( ( fabs( s[i][0] ) + fabs( s[i][1] ) ) + fabs( s[i][2] ) );
	}
	if ( !( size > 0x1p-900 && size < 0x1p900 ) )
	{
		return false;
	}
	for ( int i = 0; i < 4; ++i )
	{
		m.at[i][i] += size;
	}
	// If the trace is 1, that of the square is nearly 1 only if a single eigenvalue is left.
	double trace = trace_of( &m );
	for ( int i = 0; i < squarings; ++i )
	{
		m = squared( &m, 1 / ( trace * trace ) );
		trace = trace_of( &m );
		if ( trace > 1 - 0x1p-20 )
		{
			break;
		}
	}
	int best = 0;
	for ( int i = 1; i < 4; ++i )
	{
		best = m.at[i][i] > m.at[best][best] ? i : best;
	}
	const double* row = m.at[best];
	double length = sqrt( ( row[0] * row[0] + row[1] * row[1] ) + ( row[2] * row[2] + row[3] * row[3] ) );
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = row[i] / length;
	}
	return true;
}

// v + 2 u x (u x v + w v) for a quaternion w, u.
static bv_vec3 turned( const double q[4], bv_vec3 v )
{
	bv_vec3 u = { q[1], q[2], q[3] };
	bv_vec3 inner = bv_add( bv_cross( u, v ), bv_scale( q[0], v ) );
	return bv_add( v, bv_scale( 2, bv_cross( u, inner ) ) );
}

void bvtree_refit_turn( const bvtree_refit_points* points, bv_vec3 axis[3] )
{
	double s[3][3];
	double q[4];
	turn_moments m = moments_of( points, points->refit->reference );
	correlate( &m, s );
	if ( quaternion_of( s, q ) )
	{
		for ( int i = 0; i < 3; ++i )
		{
			axis[i] = turned( q, axis[i] );
		}
	}
}

bvtree_refit_spread bvtree_refit_spread_of( const bvtree_refit_points* points, float ( *reference )[3] )
{
	turn_moments m = moments_of( points, reference );
	double before = m.squares[0];
	double after = m.squares[1];
	for ( int i = 0; i < 3; ++i )
	{
		before -= m.before[i] * m.before[i] / m.count;
		after -= m.after[i] * m.after[i] / m.count;
	}
	double ratio = before > 0 && after > 0 ? sqrt( after / before ) : 1;
	return ( bvtree_refit_spread ){
		.before = mean_of( m.from, m.before, m.count ),
		.after = mean_of( m.to, m.after, m.count ),
		.growth = ratio > 0x1p-40 && ratio < 0x1p40 ? ratio : 1,
	};
}
