// Flat surfaces at z = 0 whose triangles are of all kinds, and shapes that slide over them.

#pragma once

#include "queries.h"

#include "bv/contact.h"

enum
{
	hull_corners = 32,
	most_flat_triangles = 20000,
};

// Triangles that are added one after another, each with corners of its own.
typedef struct flat_builder
{
	bvb_mesh mesh;
	uint32_t count;
} flat_builder;

static inline void add_triangle( flat_builder* b, bv_vec3 p, bv_vec3 q, bv_vec3 r )
{
	assert_true( b->count < b->mesh.triangle_count );
	b->mesh.positions[3 * b->count] = p;
	b->mesh.positions[3 * b->count + 1] = q;
	b->mesh.positions[3 * b->count + 2] = r;
	b->count += 1;
}

// A rectangle of the plane, in rows and columns, that faces up.
static inline void add_grid( flat_builder* b, double x, double y, double width, double depth, int columns,
                             int rows )
{
	for ( int i = 0; i < columns * rows; ++i )
	{
		double x0 = x + width * ( i % columns ) / columns;
		double x1 = x + width * ( i % columns + 1 ) / columns;
		double y0 = y + depth * ( i / columns ) / rows;
		double y1 = y + depth * ( i / columns + 1 ) / rows;
		bv_vec3 c[4] = { { x0, y0, 0 }, { x1, y0, 0 }, { x1, y1, 0 }, { x0, y1, 0 } };
		int turn = i % 2;
		add_triangle( b, c[0], c[1], c[2 + turn] );
		add_triangle( b, c[turn], c[2], c[3] );
	}
}

// A closed box below the plane, with a grid on top and sides of two triangles.
static inline void add_block( flat_builder* b, double x, double y, double width, double depth, int columns,
                              int rows )
{
	double x1 = x + width;
	double y1 = y + depth;
	add_grid( b, x, y, width, depth, columns, rows );
	bv_vec3 ring[4] = { { x, y, 0 }, { x1, y, 0 }, { x1, y1, 0 }, { x, y1, 0 } };
	for ( int k = 0; k < 4; ++k )
	{
		bv_vec3 p = ring[k];
		bv_vec3 q = ring[( k + 1 ) % 4];
		bv_vec3 below[2] = { { p.x, p.y, -1 }, { q.x, q.y, -1 } };
		add_triangle( b, p, below[0], below[1] );
		add_triangle( b, p, below[1], q );
	}
	bv_vec3 c[4] = { { x, y, -1 }, { x1, y, -1 }, { x1, y1, -1 }, { x, y1, -1 } };
	add_triangle( b, c[0], c[2], c[1] );
	add_triangle( b, c[0], c[3], c[2] );
}

static inline flat_builder begin_flat( fixture* f )
{
	return ( flat_builder ){ .mesh = soup_create( f, most_flat_triangles ) };
}

static inline const bv_file* file_of_flat( fixture* f, flat_builder* b )
{
	b->mesh.triangle_count = b->count;
	b->mesh.vertex_count = 3 * b->count;
	bvb_asset_options options = plain_options();
	return build_file( f, &b->mesh, &options );
}

// The surfaces, all of them 16 by 16 around the origin.
typedef enum flat_kind
{
	flat_regular = 0,
	flat_needles,
	flat_junctions,
	flat_bodies,
	flat_parts,
	flat_kinds,
} flat_kind;

static const char* const flat_names[flat_kinds] = { "regular", "needles", "T-junctions", "two bodies",
	                                                "parts" };

typedef struct flat_surface
{
	const bv_file* file[2];
	uint32_t files;
} flat_surface;

static inline flat_surface make_flat( fixture* f, flat_kind kind )
{
	flat_surface out = { .files = 1 };
	flat_builder b = begin_flat( f );
	switch ( kind )
	{
	case flat_regular: add_grid( &b, -8, -8, 16, 16, 48, 48 ); break;
	case flat_needles: add_grid( &b, -8, -8, 16, 16, 1, 4096 ); break;
	case flat_junctions:
		for ( int row = 0; row < 16; ++row )
		{
			add_grid( &b, -8, row - 8, 16, 1, 3 + 7 * row % 17, 1 + row % 3 );
		}
		break;
	case flat_bodies:
		add_block( &b, -8, -8, 8, 16, 10, 20 );
		out.file[1] = file_of_flat( f, &b );
		b = begin_flat( f );
		add_block( &b, 0, -8, 8, 16, 7, 13 );
		out.files = 2;
		break;
	default:
		for ( int i = 0; i < 16; ++i )
		{
			add_block( &b, 4 * ( i % 4 ) - 8, 4 * ( i / 4 ) - 8, 4, 4, 1 + i % 3, 1 + i % 2 );
		}
	}
	out.file[0] = file_of_flat( f, &b );
	return out;
}

typedef enum slider
{
	slider_sphere = 0,
	slider_capsule,
	slider_box,
	slider_hull,
	sliders,
} slider;

static const char* const slider_names[sliders] = { "sphere", "capsule", "box", "hull" };

static inline bv_convex make_slider( fixture* f, slider kind, bv_vec3* corners )
{
	bv_vec3 zero = { 0, 0, 0 };
	switch ( kind )
	{
	case slider_sphere: return bv_convex_sphere( zero, 0.5 );
	case slider_capsule: return bv_convex_capsule( ( bv_vec3 ){ -0.4, 0, 0 }, ( bv_vec3 ){ 0.4, 0, 0 }, 0.3 );
	case slider_box: return bv_convex_box( zero, ( bv_vec3 ){ 0.5, 0.4, 0.3 } );
	default:
		for ( int i = 0; i < hull_corners; ++i )
		{
			bv_vec3 p = random_around( f );
			corners[i] = plus( zero, 0.5 / length( p ), p );
		}
		return bv_convex_points( corners, hull_corners, 0 );
	}
}

// @return the shape's least product with a unit vector
static inline double lowest_of( const bv_convex* s, slider kind, bv_vec3 up )
{
	switch ( kind )
	{
	case slider_sphere: return -0.5;
	case slider_capsule: return -0.3 - 0.4 * fabs( up.x );
	case slider_box: return -0.5 * fabs( up.x ) - 0.4 * fabs( up.y ) - 0.3 * fabs( up.z );
	default:
	{
		double least = INFINITY;
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			least = fmin( least, dot( s->points[i], up ) );
		}
		return least;
	}
	}
}

static inline bv_vec3 direction_of( const bv_transform* t, bv_vec3 v )
{
	return minus( placed( t, v ), t->pose.translation );
}

// What is wrong with contacts of a body that slides over such a surface.
typedef struct slide_counts
{
	uint32_t ghosts; // normals more than 0.1 degrees off that of the plane
	uint32_t missed; // steps
	uint32_t wrong_depths;
	uint32_t off; // points that are not on the plane, or not as far from each other as the separation says
	uint32_t unresolved;
	uint32_t contacts;
} slide_counts;

// A place of a body on a surface.
typedef struct slide_place
{
	bv_transform at; // of the surface, in coordinates of the body
	bv_vec3 up;      // the normal of the plane there
	double height;   // of the lowest point
	double speculative;
} slide_place;

// @param turn    of the surface
// @param lowest  the body's least product with the normal of the plane, which the turn gives
static inline slide_place slide_to( const bv_transform* turn, double x, double y, double height,
                                    double speculative, double lowest )
{
	slide_place out = { *turn, direction_of( turn, ( bv_vec3 ){ 0, 0, 1 } ), height, speculative };
	bv_vec3 corner = direction_of( turn, ( bv_vec3 ){ -x, -y, 0 } );
	// The plane is at the height of the lowest point, less the height.
	out.at.pose.translation = plus( corner, lowest - height, out.up );
	return out;
}

static inline void count_contacts( const bv_mesh_manifold* manifold, uint32_t count, const slide_place* place,
                                   slide_counts* c )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < manifold[i].count; ++k )
		{
			const bv_mesh_contact* p = manifold[i].contact + k;
			bv_vec3 n = p->normal;
			bv_vec3 aside = minus( n, plus( ( bv_vec3 ){ 0, 0, 0 }, dot( n, place->up ), place->up ) );
			c->contacts += 1;
			c->ghosts += !( dot( n, place->up ) > 0 && length( aside ) < 0.00174 );
			least = fmin( least, p->at.separation );
			double gap = dot( minus( p->at.point[1], p->at.point[0] ), n );
			double above = dot( minus( p->at.point[0], place->at.pose.translation ), place->up );
			c->off += !( fabs( above ) < 1e-6 ) || !( fabs( gap - p->at.separation ) < 1e-6 );
		}
	}
	c->missed += count == 0 && place->height <= place->speculative;
	c->wrong_depths += count > 0 && !( fabs( least - place->height ) < 1e-6 );
}

// Makes a step of a body: finds its contacts and counts them.
typedef void slide_step( const flat_surface* s, const void* body, const bv_transform* turn, double x,
                         double y, double height, double speculative, slide_counts* c );

// Slides of 100 steps. Half of them are with a body that lies flat, half begin on an edge and go along it.
// @param reach  the body does not leave the surface if it begins at most as far from the middle
static inline void slide( fixture* f, const flat_surface* s, const void* body, slide_step* step,
                          uint32_t steps, double reach, slide_counts* c )
{
	for ( uint32_t i = 0; i < steps; )
	{
		bool is_turned = random_unit( f ) < 0.5;
		bv_transform turn =
			is_turned ? random_transform( f, 1, false, ( bv_vec3 ){ 0, 0, 0 } ) : bv_transform_identity();
		double x = 2 * reach * random_unit( f ) - reach;
		double y = 2 * reach * random_unit( f ) - reach;
		double way[2] = { random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
		if ( random_unit( f ) < 0.25 )
		{
			x = floor( x );
			way[0] = 0;
		}
		double height = -pow( 10, -1 - 5 * random_unit( f ) );
		double speculative = random_unit( f ) < 0.5 ? 0 : 0.02;
		height = speculative > 0 && random_unit( f ) < 0.5 ? -0.1 * height : height;
		for ( int k = 0; k < 100 && i < steps; ++k, ++i )
		{
			step( s, body, &turn, x, y, height, speculative, c );
			x += 0.03 * way[0];
			y += 0.03 * way[1];
		}
	}
}

static inline void expect_no_ghosts( const char* body, const char* surface, const slide_counts* c )
{
	print_message( "%s over %s: %u contacts, %u ghosts, %u missed, %u wrong depths, %u off, %u unresolved\n",
	               body, surface, c->contacts, c->ghosts, c->missed, c->wrong_depths, c->off, c->unresolved );
	assert_int_equal( c->ghosts + c->missed + c->wrong_depths + c->off + c->unresolved, 0 );
	assert_true( c->contacts > 0 );
}
