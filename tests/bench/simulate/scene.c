// Scenes for pictures.py, as lines of text: for each shape `ball` and a radius, or `shape N` and N triangles of nine numbers each; then
// for each body `body`, the number of its shape, and a matrix of three rows of four numbers.

#include "tests/bench/simulate/simulate.h"

static void write_triangle( FILE* file, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	fprintf( file, "%.6g %.6g %.6g %.6g %.6g %.6g %.6g %.6g %.6g\n", a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y,
	         c.z );
}

// A cylinder has 24 sides.
static void write_cylinder( FILE* file, const bv_convex* c )
{
	const int sides = 24;
	fprintf( file, "shape %d\n", 4 * sides );
	for ( int i = 0; i < sides; ++i )
	{
		bv_vec3 p[4];
		for ( int n = 0; n < 4; ++n )
		{
			double angle = 2 * sim_pi * ( i + ( n == 1 || n == 2 ) ) / sides;
			bv_vec3 from = c->corner[n >= 2];
			p[n] = bv_add( from, bv_vec3_make( c->disc * cos( angle ), c->disc * sin( angle ), 0 ) );
		}
		write_triangle( file, p[0], p[1], p[2] );
		write_triangle( file, p[0], p[2], p[3] );
		write_triangle( file, c->corner[0], p[1], p[0] );
		write_triangle( file, c->corner[1], p[3], p[2] );
	}
}

static void write_box( FILE* file, const double h[3] )
{
	fprintf( file, "shape 12\n" );
	for ( int face = 0; face < 6; ++face )
	{
		double p[4][3];
		int axis = face / 2;
		double side = face % 2 ? 1 : -1;
		for ( int n = 0; n < 4; ++n )
		{
			double u = n == 1 || n == 2 ? 1 : -1;
			double v = n >= 2 ? 1 : -1;
			p[n][axis] = side * h[axis];
			p[n][( axis + 1 ) % 3] = side * u * h[( axis + 1 ) % 3];
			p[n][( axis + 2 ) % 3] = v * h[( axis + 2 ) % 3];
		}
		bv_vec3 c[4];
		for ( int n = 0; n < 4; ++n )
		{
			c[n] = bv_vec3_make( p[n][0], p[n][1], p[n][2] );
		}
		write_triangle( file, c[0], c[1], c[2] );
		write_triangle( file, c[0], c[2], c[3] );
	}
}

static void write_part( FILE* file, const bv_convex* c )
{
	bv_part part;
	sim_require( bv_file_get_part( c->file, c->part, &part ), "a part is missing" );
	fprintf( file, "shape %u\n", part.faces );
	for ( uint32_t i = 0; i < part.faces; ++i )
	{
		uint32_t corner[3];
		bv_file_get_part_triangle( c->file, c->part, i, corner );
		bv_vec3 p[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = bv_file_get_part_vertex( c->file, c->part, corner[k] );
		}
		write_triangle( file, p[0], p[1], p[2] );
	}
}

static void write_mesh( FILE* file, const bv_file* mesh )
{
	uint32_t triangles = bv_file_get_mesh( mesh ).triangles;
	fprintf( file, "shape %u\n", triangles );
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( mesh, i, corner );
		write_triangle( file, bv_file_get_vertex( mesh, corner[0] ), bv_file_get_vertex( mesh, corner[1] ),
		                bv_file_get_vertex( mesh, corner[2] ) );
	}
}

void write_scene( const simulation* s, const char* name, const sim_shape* shapes, uint32_t count,
                  const sim_world* w )
{
	FILE* file = sim_open( s, name );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bv_convex* c = &shapes[i].convex;
		if ( shapes[i].mesh )
		{
			write_mesh( file, shapes[i].mesh );
		}
		else if ( c->kind == bv_convex_of_box )
		{
			write_box( file, c->box.half_extents );
		}
		else if ( c->kind == bv_convex_of_cylinder )
		{
			write_cylinder( file, c );
		}
		else if ( c->kind == bv_convex_of_part )
		{
			write_part( file, c );
		}
		else
		{
			fprintf( file, "ball %g\n", shapes[i].radius );
		}
	}
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		const sim_body* b = w->body + i;
		if ( b->inverse_mass > 0 )
		{
			bv_transform t = sim_placement( b );
			const double( *r )[3] = (const double( * )[3])t.pose.rotation;
			const double at[3] = { t.pose.translation.x, t.pose.translation.y, t.pose.translation.z };
			fprintf( file, "body %d", (int)( b->shape - shapes ) );
			for ( int k = 0; k < 3; ++k )
			{
				fprintf( file, " %.9g %.9g %.9g %.9g", t.scale * r[k][0], t.scale * r[k][1],
				         t.scale * r[k][2], at[k] );
			}
			fputc( '\n', file );
		}
	}
	fclose( file );
}
