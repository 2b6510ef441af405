// What a new hierarchy over the leaves would cost, about: they are sorted along a Morton curve, and each eight that follow one another get a
// node, up to the root (Lauterbach, Garland, Sengupta, Luebke, Manocha 2009). Nothing is stored of it. See bvworld/deform.h.
//
// If volumes have axes of their own, surfaces must not depend on how the mesh is turned. Then they are those of boxes that follow from the
// covariance of points (Gottschalk, Lin, Manocha 1996), without finding its axes.

#include "runtime/math/vec.h"
#include "runtime/tree/descent.h"
#include "runtime/tree/leaf.h"
#include "runtime/volume/kinds.h"
#include "world/deform/deform.h"
#include "world/order/numbers.h"

#include <math.h>
#include <string.h>

enum
{
	digits = 1 << 10, // of each coordinate
	children = 8,
	most_levels = 11, // of 2^32 leaves
};

// Sums over points. Their differences from the center of the root's box are summed, so that few digits are lost.
typedef struct run_moments
{
	double count;
	double sum[3];
	double square[6]; // xx, yy, zz, xy, yz, zx
} run_moments;

// A node that is not full.
typedef struct run
{
	float lower[3]; // of volumes without axes
	float upper[3];
	run_moments points; // of those with axes: corners of a triangle of each leaf
	uint32_t members;
} run;

typedef struct curve_visit
{
	const bvw_deform* deform;
	bvtree_leaf_source source;
	bool has_axes;
	bv_vec3 center;         // of the box of the root
	const uint64_t* sorted; // leaves
} curve_visit;

// Two bits that are not used come between those of a coordinate.
static uint32_t spread( uint32_t x )
{
	x = ( x | x << 16 ) & 0x030000ffu;
	x = ( x | x << 8 ) & 0x0300f00fu;
	x = ( x | x << 4 ) & 0x030c30c3u;
	return ( x | x << 2 ) & 0x09249249u;
}

// Coordinates of a node's center, in parts of the longest edge of the root's box.
static uint32_t key_of( const bvtree_refit_box* box, const bvtree_refit_box* root, double scale )
{
	uint32_t key = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double middle = ( (double)box->lower[i] + box->upper[i] ) / 2 - root->lower[i];
		double code = middle * scale;
		key |= spread( code < digits ? (uint32_t)code : digits - 1 ) << i;
	}
	return key;
}

static double scale_of( const bvtree_refit_box* root )
{
	double edge = 0;
	for ( int i = 0; i < 3; ++i )
	{
		edge = bvmath_max( edge, (double)root->upper[i] - root->lower[i] );
	}
	return edge > 0 ? digits / edge : 0;
}

static double surface_of_box( const float lower[3], const float upper[3] )
{
	double x = (double)upper[0] - lower[0];
	double y = (double)upper[1] - lower[1];
	double z = (double)upper[2] - lower[2];
	return 2 * ( x * y + y * z + z * x );
}

static void add_point( run_moments* to, bv_vec3 p )
{
	const double term[6] = { p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.y * p.z, p.z * p.x };
	to->count += 1;
	to->sum[0] += p.x;
	to->sum[1] += p.y;
	to->sum[2] += p.z;
	for ( int i = 0; i < 6; ++i )
	{
		to->square[i] += term[i];
	}
}

static void add_moments( run_moments* to, const run_moments* from )
{
	to->count += from->count;
	for ( int i = 0; i < 3; ++i )
	{
		to->sum[i] += from->sum[i];
	}
	for ( int i = 0; i < 6; ++i )
	{
		to->square[i] += from->square[i];
	}
}

// The surface of the box in which evenly spread points would have the same moments. Half its edges are square roots of the eigenvalues of
// three times the covariance. What is wanted is the sum t of their products in pairs. With the sum s and the product p of the three roots,
// and the invariants of the matrix, s^2 = trace + 2 t and t^2 = minors + 2 p s. From t^2 = minors, two steps are enough: of a cube,
// 2.98 of 3 are found.
static double surface_of_points( const run_moments* m )
{
	double c[6];
	for ( int i = 0; i < 3; ++i )
	{
		c[i] = 3 * ( m->square[i] - m->sum[i] * m->sum[i] / m->count ) / m->count;
		c[3 + i] = 3 * ( m->square[3 + i] - m->sum[i] * m->sum[( i + 1 ) % 3] / m->count ) / m->count;
	}
	double trace = bvmath_max( c[0] + c[1] + c[2], 0 );
	double minors =
		( c[0] * c[1] - c[3] * c[3] ) + ( c[1] * c[2] - c[4] * c[4] ) + ( c[2] * c[0] - c[5] * c[5] );
	double determinant = c[0] * ( c[1] * c[2] - c[4] * c[4] ) - c[3] * ( c[3] * c[2] - c[4] * c[5] ) +
	                     c[5] * ( c[3] * c[4] - c[1] * c[5] );
	minors = bvmath_max( minors, 0 );
	double product = sqrt( bvmath_max( determinant, 0 ) );
	double pairs = sqrt( minors );
	for ( int i = 0; i < 2; ++i )
	{
		pairs = sqrt( minors + 2 * product * sqrt( trace + 2 * pairs ) );
	}
	return 8 * pairs;
}

static double surface_of_run( const curve_visit* v, const run* r )
{
	return v->has_axes ? surface_of_points( &r->points ) : surface_of_box( r->lower, r->upper );
}

static void grow_run( run* to, const float lower[3], const float upper[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		to->lower[i] = to->members > 0 && to->lower[i] < lower[i] ? to->lower[i] : lower[i];
		to->upper[i] = to->members > 0 && to->upper[i] > upper[i] ? to->upper[i] : upper[i];
	}
}

// @param at  number of a node or, of volumes with axes, its first triangle
static void add_leaf( const curve_visit* v, uint32_t at, run* to )
{
	if ( v->has_axes )
	{
		bv_vec3 p[3];
		bvtree_leaf_triangle( &v->source, at, p );
		for ( int k = 0; k < 3; ++k )
		{
			add_point( &to->points, bv_sub( p[k], v->center ) );
		}
	}
	else
	{
		const bvtree_refit_box* box = v->deform->refit.boxes + at;
		grow_run( to, box->lower, box->upper );
	}
	to->members += 1;
}

// A node that is complete becomes a member of the one above.
static double close_run( const curve_visit* v, run* level )
{
	double cost = surface_of_run( v, level ) * level->members;
	if ( v->has_axes )
	{
		add_moments( &level[1].points, &level->points );
		level->points = ( run_moments ){ .count = 0 };
	}
	else
	{
		grow_run( level + 1, level->lower, level->upper );
	}
	level[1].members += 1;
	level->members = 0;
	return cost;
}

static double cost_of_runs( const curve_visit* v )
{
	run level[most_levels + 1] = { { .members = 0 } };
	double cost = 0;
	uint32_t count = v->deform->counts.leaves;
	for ( uint32_t i = 0; i < count; ++i )
	{
		add_leaf( v, (uint32_t)v->sorted[i], level );
		for ( int k = 0; level[k].members == children; ++k )
		{
			cost += close_run( v, level + k );
		}
	}
	// Those that are not full, up to the level that has one node.
	uint32_t nodes = count;
	for ( int k = 0; nodes > 1; ++k )
	{
		nodes = nodes / children + ( nodes % children > 0 );
		cost += level[k].members > 0 ? close_run( v, level + k ) : 0;
	}
	return cost;
}

static bool has_axes( const bvfile_hierarchy* head )
{
	uint32_t bounded = 0;
	uint32_t all = 0;
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		uint32_t count = bvfile_count_of_type( head, i );
		all += count;
		bounded += bvvol_kind_of( (bv_volume_type)i )->planes > 0 ? count : 0;
	}
	return bounded < all - bounded;
}

// Of leaves with axes: the corners of a triangle of area 1 have the same moments as a flat box whose surface is 8 sqrt( 4 / 3 ).
static const double surface_of_triangle = 9.2376043070340122;

double bvwdeform_curve_cost( const bvw_deform* deform, double area )
{
	const bvtree_refit* r = &deform->refit;
	const bvtree_refit_box* root = r->boxes;
	bvfile_view view = bvfile_view_of( (const bv_file*)deform->image );
	curve_visit v = { .deform = deform,
		              .source = bvtree_leaf_source_of( &view ),
		              .has_axes = has_axes( r->head ),
		              .center = { ( (double)root->lower[0] + root->upper[0] ) / 2,
		                          ( (double)root->lower[1] + root->upper[1] ) / 2,
		                          ( (double)root->lower[2] + root->upper[2] ) / 2 } };
	double scale = scale_of( root );
	double cost = v.has_axes ? surface_of_triangle * area : 0;
	uint32_t count = 0;
	if ( r->inner_count == 0 )
	{
		return v.has_axes ? cost : surface_of_box( root->lower, root->upper ) * r->head->root_triangles;
	}
	for ( uint32_t i = 0; i < r->inner_count; ++i )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, i );
		bvtree_children next = bvtree_children_begin( node );
		for ( uint32_t lane = 0; lane < node->children; ++lane )
		{
			bvtree_child child = bvtree_children_next( &next );
			uint32_t triangles = (uint32_t)( child >> 32 );
			if ( triangles > 0 )
			{
				uint32_t number = node->first_child + lane;
				const bvtree_refit_box* box = r->boxes + number;
				uint64_t key = key_of( box, root, scale );
				cost += v.has_axes ? 0 : surface_of_box( box->lower, box->upper ) * triangles;
				deform->curve.leaves[count++] = key << 32 | ( v.has_axes ? (uint32_t)child : number );
			}
		}
	}
	uint32_t passes;
	v.sorted = bvworder_sort_keys( deform->curve.leaves, deform->curve.spare, count, &passes );
	return cost + cost_of_runs( &v );
}
