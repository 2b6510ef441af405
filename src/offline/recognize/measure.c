// Certified distances from a mesh to a shape's surface. See measure.h.
//
// The signed distance s to a convex set K is convex. So outside it is largest at a triangle's corners, and
// inside it is bounded by planes: s(x) >= dot(n, x) - h(n) for every unit vector n, where h(n) is the support
// function of K. For a triangle two such planes are tried: the one that touches K where its midpoint comes
// nearest, and the one that is parallel to it; then it is cut in four at the middles of its sides, deepest
// first, until no part can be deeper inside than what is reached elsewhere. Evaluations at corners and
// midpoints are what is reached.

#include "offline/recognize/measure.h"

#include <math.h>

enum
{
	levels_most = 40, // of cutting: the parts of a triangle are below 2^-40 of it
	parts = 4,
	corners_most = 4096, // of a hull; of a larger one the corners of the place must do
};

typedef struct measure_part
{
	bv_vec3 corner[3];
	int level;
	double upper; // no point of it is deeper inside
} measure_part;

typedef struct measure_measurement
{
	const bvrecog_shape* shape;
	const bvrecog_measure_options* options;
	double absolute;
	double depth;    // no point is deeper inside
	double dropped;  // no point of what needed no cutting is deeper inside
	uint64_t effort; // parts that may still be cut
	bvrecog_reach reach;
} measure_measurement;

static void note( measure_measurement* m, bv_vec3 p, double distance )
{
	double size = fabs( distance );
	m->reach.lower = bvmath_max( m->reach.lower, size );
	int place = ( p.x < 0 ) + 2 * ( p.y < 0 ) + 4 * ( p.z < 0 ) + 8 * ( distance < 0 );
	if ( size > m->reach.distance[place] )
	{
		m->reach.distance[place] = size;
		m->reach.witness[place] = p;
	}
}

static double enough( const measure_measurement* m )
{
	double lower = m->reach.lower;
	return bvmath_max( lower * ( 1 + m->options->relative ), lower + m->absolute );
}

// The plane's bound: how deep inside a corner can be beyond it.
static double bound_by( const bvrecog_shape* shape, const measure_part* t, bv_vec3 normal )
{
	double least = bv_dot( normal, t->corner[0] );
	least = bvmath_min( least, bv_dot( normal, t->corner[1] ) );
	least = bvmath_min( least, bv_dot( normal, t->corner[2] ) );
	return bvrecog_shape_support( shape, normal ) - least;
}

static void bound( measure_measurement* m, measure_part* t )
{
	const bv_vec3* c = t->corner;
	bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( bv_add( c[0], c[1] ), c[2] ) );
	bvrecog_near near = bvrecog_shape_near( m->shape, middle );
	note( m, middle, near.distance );
	t->upper = bvmath_min( t->upper, bound_by( m->shape, t, near.normal ) );
	if ( t->upper <= enough( m ) )
	{
		return;
	}
	bv_vec3 normal = bv_cross( bv_sub( c[1], c[0] ), bv_sub( c[2], c[0] ) );
	double length = sqrt( bv_dot( normal, normal ) );
	if ( length > 0 )
	{
		normal = bv_scale( 1 / length, normal );
		t->upper = bvmath_min( t->upper, bound_by( m->shape, t, normal ) );
		t->upper = bvmath_min( t->upper, bound_by( m->shape, t, bv_negate( normal ) ) );
	}
}

static void cut( const measure_part* t, measure_part out[parts] )
{
	bv_vec3 middle[3];
	for ( int k = 0; k < 3; ++k )
	{
		middle[k] = bv_scale( 0.5, bv_add( t->corner[k], t->corner[( k + 1 ) % 3] ) );
	}
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = ( measure_part ){ .corner = { t->corner[k], middle[k], middle[( k + 2 ) % 3] } };
	}
	out[3] = ( measure_part ){ .corner = { middle[0], middle[1], middle[2] } };
	for ( int k = 0; k < parts; ++k )
	{
		out[k].level = t->level + 1;
		out[k].upper = t->upper;
	}
}

// The stack never holds more than three parts of each level.
static void measure_triangle( measure_measurement* m, measure_part whole )
{
	measure_part stack[3 * levels_most + 1 + parts];
	int count = 0;
	bound( m, &whole );
	stack[count++] = whole;
	while ( count > 0 )
	{
		measure_part t = stack[--count];
		if ( t.upper <= enough( m ) || t.level == levels_most || m->effort == 0 )
		{
			m->dropped = bvmath_max( m->dropped, t.upper );
			continue;
		}
		m->effort -= 1;
		measure_part* new = stack + count;
		cut( &t, new );
		for ( int k = 0; k < parts; ++k )
		{
			bound( m, &new[k] );
			for ( int i = k; i > 0 && new[i - 1].upper > new[i].upper; --i )
			{
				measure_part other = new[i];
				new[i] = new[i - 1];
				new[i - 1] = other;
			}
		}
		count += parts;
	}
}

static measure_measurement begin( const bvrecog_shape* shape, const bvrecog_measure_options* options )
{
	return ( measure_measurement ){
		.shape = shape,
		.options = options,
		.absolute = bvmath_max( options->absolute, 0x1p-30 ),
		.depth = bvrecog_shape_depth( shape ),
		.reach = { .lower = options->known },
	};
}

// `rest` is how far points may be that were not looked at.
static bvrecog_reach finish( measure_measurement* m, double rest )
{
	double grain = bvrecog_shape_grain( m->shape );
	m->reach.upper = bvmath_max( m->reach.lower, rest ) + grain;
	m->reach.lower = bvmath_max( m->reach.lower - grain, 0 );
	return m->reach;
}

static void measure_point( measure_measurement* m, bv_vec3 p )
{
	note( m, p, bvrecog_shape_distance( m->shape, p ) );
}

bvrecog_reach bvrecog_measure_mesh( const bvb_mesh* mesh, const bvrecog_place* place,
                                    const bvrecog_shape* shape, const bvrecog_measure_options* options )
{
	measure_measurement m = begin( shape, options );
	m.effort = 1000000 + 16 * (uint64_t)mesh->triangle_count;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		measure_point( &m, bvrecog_place_in( place, mesh->positions[i] ) );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( m.reach.lower > options->limit )
		{
			return finish( &m, m.depth );
		}
		measure_part whole = { .level = 0, .upper = m.depth };
		for ( int k = 0; k < 3; ++k )
		{
			whole.corner[k] = bvrecog_place_in( place, mesh->positions[mesh->triangles[i].corner[k]] );
		}
		measure_triangle( &m, whole );
	}
	return finish( &m, m.dropped );
}

bvrecog_reach bvrecog_measure_cloud( const bvrecog_cloud* cloud, const bvb_mesh* mesh, const bvb_hull* hull,
                                     const bvrecog_shape* shape )
{
	static const bvrecog_measure_options none = { .relative = 0 };
	measure_measurement m = begin( shape, &none );
	double rest = m.depth;
	for ( uint32_t i = 0; i < cloud->count; ++i )
	{
		measure_point( &m, cloud->point[i] );
	}
	if ( hull->vertex_count <= corners_most )
	{
		for ( uint32_t i = 0; i < hull->vertex_count; ++i )
		{
			measure_point( &m, bvrecog_place_in( &cloud->place, mesh->positions[hull->vertices[i]] ) );
		}
	}
	else
	{
		for ( int i = 0; i < 8; ++i )
		{
			bv_vec3 p = { i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5 };
			rest = bvmath_max( rest, bvrecog_shape_distance( shape, p ) );
		}
	}

	// Points may be outside of the hull by its rounding.
	rest = bvmath_max( rest, m.reach.lower + 0x1p-30 );
	return finish( &m, rest );
}

double bvrecog_farthest_from_cloud( const bvrecog_cloud* cloud, const bvrecog_shape* shape )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < cloud->count; ++i )
	{
		least = bvmath_min( least, bvrecog_shape_farthest( shape, cloud->point[i] ) );
	}
	return least + bvrecog_shape_grain( shape );
}
