// Ten deformations, each recorded as positions of all vertices in frames from time 0, where the mesh is at rest, to time 1. They are the
// same in each run. For C and C++.
//
// Coordinates that formulas have: the center of the mesh's box is the origin, and its longest edge is 1, along x.

#pragma once

#include "bv/base.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A mesh at rest.
typedef struct rest_mesh
{
	bv_vec3* positions;
	uint32_t ( *triangles )[3];
	uint32_t vertex_count;
	uint32_t triangle_count;
	uint32_t* part; // by vertex: a patch of the surface that has no vertex in common with others. Null: one
	uint32_t part_count; // 0: one
} rest_mesh;

// Axes of a mesh in the order of the lengths of its box.
typedef struct rest_frame
{
	double center[3];
	double size;
	int axis[3];
} rest_frame;

static inline void rest_get( const bv_vec3* p, double out[3] )
{
	out[0] = p->x;
	out[1] = p->y;
	out[2] = p->z;
}

static inline rest_frame rest_frame_of( const rest_mesh* m )
{
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	rest_frame f = { .axis = { 0, 1, 2 } };
	for ( uint32_t i = 0; i < m->vertex_count; ++i )
	{
		double p[3];
		rest_get( m->positions + i, p );
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = p[k] < lower[k] ? p[k] : lower[k];
			upper[k] = p[k] > upper[k] ? p[k] : upper[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		f.center[k] = ( lower[k] + upper[k] ) / 2;
	}
	for ( int a = 0; a < 2; ++a )
	{
		for ( int b = a + 1; b < 3; ++b )
		{
			if ( upper[f.axis[b]] - lower[f.axis[b]] > upper[f.axis[a]] - lower[f.axis[a]] )
			{
				int swapped = f.axis[a];
				f.axis[a] = f.axis[b];
				f.axis[b] = swapped;
			}
		}
	}
	f.size = upper[f.axis[0]] - lower[f.axis[0]];
	return f;
}

static inline void to_frame( const rest_frame* f, const bv_vec3* p, double u[3] )
{
	double at[3];
	rest_get( p, at );
	for ( int k = 0; k < 3; ++k )
	{
		u[k] = ( at[f->axis[k]] - f->center[f->axis[k]] ) / f->size;
	}
}

static inline bv_vec3 from_frame( const rest_frame* f, const double u[3] )
{
	double at[3];
	for ( int k = 0; k < 3; ++k )
	{
		at[f->axis[k]] = f->center[f->axis[k]] + f->size * u[k];
	}
	return bv_vec3_make( at[0], at[1], at[2] );
}

static const double deform_pi = 3.14159265358979323846;

// Moves a point: x and y, or y and z, turned about the third axis.
static inline void turn_pair( double* a, double* b, double angle )
{
	double c = cos( angle );
	double s = sin( angle );
	double x = c * *a - s * *b;
	*b = s * *a + c * *b;
	*a = x;
}

static inline double smooth_step( double x )
{
	x = x < 0 ? 0 : x > 1 ? 1 : x;
	return x * x * ( 3 - 2 * x );
}

static inline uint64_t deform_mix( uint64_t z )
{
	z = ( z + UINT64_C( 0x9e3779b97f4a7c15 ) ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return z ^ z >> 31;
}

// In [-1, 1), of a number.
static inline double deform_hash( uint64_t n )
{
	return (double)( deform_mix( deform_mix( n ) ) >> 11 ) * 0x1p-52 - 1;
}

// Values at the corners of a grid of cells, interpolated smoothly (value noise: K. Perlin 1985).
static inline double deform_noise( const double u[3], double frequency, uint64_t seed )
{
	int64_t cell[3];
	double t[3];
	for ( int k = 0; k < 3; ++k )
	{
		double x = u[k] * frequency;
		double whole = floor( x );
		cell[k] = (int64_t)whole;
		t[k] = smooth_step( x - whole );
	}
	double sum = 0;
	for ( int corner = 0; corner < 8; ++corner )
	{
		uint64_t key = seed;
		double weight = 1;
		for ( int k = 0; k < 3; ++k )
		{
			int up = corner >> k & 1;
			key = deform_mix( key ^ (uint64_t)( cell[k] + up ) );
			weight *= up ? t[k] : 1 - t[k];
		}
		sum += weight * deform_hash( key );
	}
	return sum;
}

// Where a point is at a time. `part` is that of its vertex.
typedef void deform_point( double u[3], double time, uint32_t part );

// Two turns between the ends.
static inline void deform_twist( double u[3], double time, uint32_t part )
{
	(void)part;
	turn_pair( u + 1, u + 2, 4 * deform_pi * time * u[0] );
}

// Into an arc of nine tenths of a circle.
static inline void deform_bend( double u[3], double time, uint32_t part )
{
	(void)part;
	double angle = 1.8 * deform_pi * time;
	if ( angle > 1e-9 )
	{
		double r = 1 / angle - u[1];
		double at = u[0] * angle;
		u[0] = r * sin( at );
		u[1] = 1 / angle - r * cos( at );
	}
}

// Waves that travel and grow.
static inline void deform_wave( double u[3], double time, uint32_t part )
{
	(void)part;
	double x = u[0];
	double y = u[1];
	u[1] += 0.15 * time * sin( 4 * deform_pi * x + 12 * time );
	u[2] += 0.25 * time * sin( 6 * deform_pi * x + 3 * deform_pi * y + 16 * time );
}

// To six times the length.
static inline void deform_stretch( double u[3], double time, uint32_t part )
{
	(void)part;
	double scale = 1 + 5 * time;
	u[0] *= scale;
	u[1] /= sqrt( scale );
	u[2] /= sqrt( scale );
}

// To a fiftieth of the height, and 1.5 times as wide.
static inline void deform_flatten( double u[3], double time, uint32_t part )
{
	(void)part;
	u[0] *= 1 + 0.5 * time;
	u[1] *= 1 + 0.5 * time;
	u[2] *= 1 - 0.98 * time;
}

// Noise of three sizes that grows.
static inline void deform_crumple( double u[3], double time, uint32_t part )
{
	(void)part;
	double moved[3];
	for ( int k = 0; k < 3; ++k )
	{
		uint64_t seed = 100 * (uint64_t)k;
		moved[k] =
			u[k] + time * ( 0.3 * deform_noise( u, 3, seed + 1 ) + 0.15 * deform_noise( u, 7, seed + 2 ) +
		                    0.08 * deform_noise( u, 16, seed + 3 ) );
	}
	memcpy( u, moved, sizeof moved );
}

// A vortex: four turns in the middle, less outside.
static inline void deform_swirl( double u[3], double time, uint32_t part )
{
	(void)part;
	double square = u[0] * u[0] + u[1] * u[1];
	turn_pair( u, u + 1, 8 * deform_pi * time * exp( -10 * square ) );
}

// Each part flies away, and turns.
static inline void deform_explode( double u[3], double time, uint32_t part )
{
	double turn = 4 * time * deform_hash( 10 * part + 4 );
	turn_pair( u, u + 1, turn );
	turn_pair( u + 1, u + 2, turn / 2 );
	for ( int k = 0; k < 3; ++k )
	{
		u[k] += 1.2 * time * deform_hash( 10 * part + (uint64_t)k );
	}
}

// What is below the middle swings about it, in four quarters that take turns: two steps.
static inline void deform_walk( double u[3], double time, uint32_t part )
{
	(void)part;
	double weight = smooth_step( -( u[1] + 0.05 ) / 0.1 );
	double side = u[2] > 0 ? 1 : -1;
	double front = u[0] > 0 ? 1 : -1;
	double phase = side * front > 0 ? 0 : deform_pi;
	double angle = 1.1 * weight * sin( 4 * deform_pi * time + phase ) * smooth_step( 8 * time );
	double hip[2] = { 0.25 * front, -0.05 };
	u[0] -= hip[0];
	u[1] -= hip[1];
	turn_pair( u, u + 1, angle );
	u[0] += hip[0];
	u[1] += hip[1];
}

// An edge of a cloth.
typedef struct cloth_edge
{
	uint32_t a;
	uint32_t b;
	double length;
} cloth_edge;

static inline int cloth_compare( const void* left, const void* right )
{
	const cloth_edge* x = (const cloth_edge*)left;
	const cloth_edge* y = (const cloth_edge*)right;
	return x->a != y->a ? ( x->a > y->a ? 1 : -1 ) : ( x->b > y->b ) - ( x->b < y->b );
}

// @return the edges of all triangles, which are to be freed
static inline cloth_edge* cloth_edges( const rest_mesh* m, uint32_t* count )
{
	cloth_edge* edges = (cloth_edge*)malloc( 3 * (size_t)m->triangle_count * sizeof *edges );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < 3 * m->triangle_count; ++i )
	{
		uint32_t a = m->triangles[i / 3][i % 3];
		uint32_t b = m->triangles[i / 3][( i + 1 ) % 3];
		edges[i].a = a < b ? a : b;
		edges[i].b = a < b ? b : a;
		edges[i].length = bv_length( bv_sub( m->positions[a], m->positions[b] ) );
	}
	qsort( edges, 3 * (size_t)m->triangle_count, sizeof *edges, cloth_compare );
	for ( uint32_t i = 0; i < 3 * m->triangle_count; ++i )
	{
		if ( kept == 0 || cloth_compare( edges + kept - 1, edges + i ) != 0 )
		{
			edges[kept++] = edges[i];
		}
	}
	*count = kept;
	return edges;
}

// Position based dynamics (Mueller, Heidelberger, Hennix, Ratcliff 2007): a cloth falls onto a ball and a floor. Its third axis is up. If
// the cloth is held, the edge with the greatest x comes free halfway.
static inline void record_cloth( const rest_mesh* m, int frames, bool is_held, bv_vec3* out )
{
	enum
	{
		steps = 6,
		passes = 30,
	};
	rest_frame f = rest_frame_of( m );
	uint32_t count = m->vertex_count;
	uint32_t edge_count;
	cloth_edge* edges = cloth_edges( m, &edge_count );
	double( *p )[3] = (double( * )[3])malloc( count * sizeof *p );
	double( *last )[3] = (double( * )[3])malloc( count * sizeof *last );
	bool* fixed = (bool*)calloc( count, sizeof *fixed );
	const double ball[3] = { 0.08, 0.05, -0.3 };
	const double radius = 0.22;
	const double floor_height = -0.62;
	const double step = 1.0 / 60 / steps;
	for ( uint32_t i = 0; i < count; ++i )
	{
		to_frame( &f, m->positions + i, p[i] );
		memcpy( last[i], p[i], sizeof last[i] );
	}
	for ( int frame = 0; frame < frames; ++frame )
	{
		bool holds = is_held && frame < frames / 2;
		for ( uint32_t i = 0; i < count; ++i )
		{
			out[(size_t)frame * count + i] = from_frame( &f, p[i] );
			fixed[i] = holds && m->positions[i].x > 0 && p[i][0] > 0.49 && p[i][2] > -0.01;
		}
		for ( int k = 0; k < steps; ++k )
		{
			for ( uint32_t i = 0; i < count; ++i )
			{
				for ( int c = 0; c < 3 && !fixed[i]; ++c )
				{
					double next =
						p[i][c] + 0.998 * ( p[i][c] - last[i][c] ) + ( c == 2 ? -3 * step * step : 0 );
					last[i][c] = p[i][c];
					p[i][c] = next;
				}
			}
			for ( int pass = 0; pass < passes; ++pass )
			{
				for ( uint32_t e = 0; e < edge_count; ++e )
				{
					double* a = p[edges[e].a];
					double* b = p[edges[e].b];
					double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
					double length = sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
					double by = length > 0 ? ( length - edges[e].length / f.size ) / length / 2 : 0;
					for ( int c = 0; c < 3; ++c )
					{
						a[c] += fixed[edges[e].a] ? 0 : by * d[c];
						b[c] -= fixed[edges[e].b] ? 0 : by * d[c];
					}
				}
			}
			for ( uint32_t i = 0; i < count; ++i )
			{
				double d[3] = { p[i][0] - ball[0], p[i][1] - ball[1], p[i][2] - ball[2] };
				double length = sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
				bool is_low = p[i][2] < floor_height;
				if ( length < radius || is_low )
				{
					for ( int c = 0; c < 3; ++c )
					{
						p[i][c] = length < radius ? ball[c] + d[c] / length * radius : p[i][c];
						last[i][c] += 0.3 * ( p[i][c] - last[i][c] ); // friction
					}
					p[i][2] = p[i][2] < floor_height ? floor_height : p[i][2];
				}
			}
		}
	}
	free( edges );
	free( p );
	free( last );
	free( fixed );
}

typedef struct deformation
{
	const char* name;
	deform_point* point; // null: a cloth
	const char* mesh[2]; // the second one differs, so that nothing depends on one mesh. "sheet" is made
	bool is_split;       // into parts
} deformation;

static const deformation deformations[] = {
	{ "twist", deform_twist, { "genus3", "rocker-arm" }, false },
	{ "bend", deform_bend, { "rocker-arm", "cow" }, false },
	{ "wave", deform_wave, { "sheet", "fandisk" }, false },
	{ "stretch", deform_stretch, { "casting", "elk" }, false },
	{ "flatten", deform_flatten, { "cow", "genus3" }, false },
	{ "crumple", deform_crumple, { "sheet", "elk" }, false },
	{ "swirl", deform_swirl, { "fandisk", "casting" }, false },
	{ "explosion", deform_explode, { "casting", "genus3" }, true },
	{ "cloth", NULL, { "sheet", "sheet" }, false },
	{ "walk", deform_walk, { "cow", "elk" }, false },
};

enum
{
	deformation_count = sizeof deformations / sizeof *deformations,
};

// Records all frames.
// @param variant  0 or 1: index of the mesh; a cloth is held in 1
// @param out      frames * m->vertex_count
static inline void record_deformation( const deformation* d, const rest_mesh* m, int variant, int frames,
                                       bv_vec3* out )
{
	if ( !d->point )
	{
		record_cloth( m, frames, variant == 1, out );
		return;
	}
	rest_frame f = rest_frame_of( m );
	for ( int frame = 0; frame < frames; ++frame )
	{
		double time = frames > 1 ? (double)frame / ( frames - 1 ) : 0;
		for ( uint32_t i = 0; i < m->vertex_count; ++i )
		{
			double u[3];
			to_frame( &f, m->positions + i, u );
			d->point( u, time, m->part ? m->part[i] : 0 );
			out[(size_t)frame * m->vertex_count + i] = frame == 0 ? m->positions[i] : from_frame( &f, u );
		}
	}
}

// A sheet of cells x cells squares, slightly warped.
// @param out  arrays are to be freed
static inline void make_sheet( uint32_t cells, rest_mesh* out )
{
	uint32_t row = cells + 1;
	memset( out, 0, sizeof *out );
	out->vertex_count = row * row;
	out->triangle_count = 2 * cells * cells;
	out->positions = (bv_vec3*)malloc( out->vertex_count * sizeof *out->positions );
	out->triangles = (uint32_t( * )[3])malloc( out->triangle_count * sizeof *out->triangles );
	for ( uint32_t i = 0; i < out->vertex_count; ++i )
	{
		double x = (double)( i % row ) / cells - 0.5;
		double y = 0.96 * ( (double)( i / row ) / cells - 0.5 );
		out->positions[i] = bv_vec3_make( x, y, 0.002 * sin( 9 * x + 7 * y ) );
	}
	for ( uint32_t i = 0; i < out->triangle_count; ++i )
	{
		uint32_t a = i / 2 / cells * row + i / 2 % cells;
		// Diagonals change direction from cell to cell.
		bool is_other = ( i / 2 / cells + i / 2 % cells ) % 2 == 1;
		const uint32_t corner[4] = { a, a + 1, a + row + 1, a + row };
		const int which[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 1, 3 }, { 1, 2, 3 } };
		for ( int k = 0; k < 3; ++k )
		{
			out->triangles[i][k] = corner[which[2 * is_other + i % 2][k]];
		}
	}
}

// Splits a surface into parts: those of a triangle are nearest to the same one of some triangles that are far from each other. Parts get
// a little smaller, so that their vertices are not those of neighbors.
// @param out  arrays are to be freed
static inline void split_mesh( const rest_mesh* m, uint32_t parts, rest_mesh* out )
{
	uint32_t count = m->triangle_count;
	bv_vec3* center = (bv_vec3*)malloc( count * sizeof *center );
	double* nearest = (double*)malloc( count * sizeof *nearest );
	uint32_t* part = (uint32_t*)calloc( count, sizeof *part );
	uint32_t seed = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* t = m->triangles[i];
		bv_vec3 sum = bv_add( m->positions[t[0]], bv_add( m->positions[t[1]], m->positions[t[2]] ) );
		center[i] = bv_scale( 1.0 / 3, sum );
		nearest[i] = INFINITY;
	}
	for ( uint32_t k = 0; k < parts; ++k )
	{
		bv_vec3 at = center[seed];
		for ( uint32_t i = 0; i < count; ++i )
		{
			double distance = bv_length( bv_sub( center[i], at ) );
			part[i] = distance < nearest[i] ? k : part[i];
			nearest[i] = distance < nearest[i] ? distance : nearest[i];
		}
		for ( uint32_t i = 0; i < count; ++i )
		{
			seed = nearest[i] > nearest[seed] ? i : seed;
		}
	}
	memset( out, 0, sizeof *out );
	out->triangle_count = count;
	out->part_count = parts;
	out->triangles = (uint32_t( * )[3])malloc( count * sizeof *out->triangles );
	out->positions = (bv_vec3*)malloc( 3 * (size_t)count * sizeof *out->positions );
	out->part = (uint32_t*)malloc( 3 * (size_t)count * sizeof *out->part );
	uint32_t* number = (uint32_t*)malloc( m->vertex_count * sizeof *number );
	for ( uint32_t k = 0; k < parts; ++k )
	{
		bv_vec3 sum = bv_vec3_make( 0, 0, 0 );
		double members = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			sum = part[i] == k ? bv_add( sum, center[i] ) : sum;
			members += part[i] == k;
		}
		bv_vec3 middle = bv_scale( 1 / ( members > 0 ? members : 1 ), sum );
		memset( number, 255, m->vertex_count * sizeof *number );
		for ( uint32_t i = 0; i < 3 * count; ++i )
		{
			if ( part[i / 3] != k )
			{
				continue;
			}
			uint32_t vertex = m->triangles[i / 3][i % 3];
			if ( number[vertex] == UINT32_MAX )
			{
				number[vertex] = out->vertex_count;
				out->part[out->vertex_count] = k;
				out->positions[out->vertex_count++] =
					bv_add( middle, bv_scale( 0.999, bv_sub( m->positions[vertex], middle ) ) );
			}
			out->triangles[i / 3][i % 3] = number[vertex];
		}
	}
	free( center );
	free( nearest );
	free( part );
	free( number );
}

static inline void free_mesh( rest_mesh* m )
{
	free( m->positions );
	free( m->triangles );
	free( m->part );
	memset( m, 0, sizeof *m );
}
