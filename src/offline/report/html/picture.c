// A rendered picture of a mesh, a hull or convex parts. See picture.h.
//
// Triangles are filled into a depth buffer of three by three samples a pixel, one row after another between
// its three sides (Pineda 1988), each in one shade. Where none of its samples is hit, a triangle is drawn as
// the line that it looks like.

#include "offline/report/html/picture.h"

#include "offline/base/error.h"
#include "runtime/file/local.h"

#include <math.h>
#include <string.h>

enum
{
	samples = 3, // along each side of a pixel
	columns = bvhtml_picture_width * samples,
	rows = bvhtml_picture_height * samples,
	margin = 12 * samples,
	shades = 255, // 0 is no sample
	tones = 9,    // of a sample's color: sides from behind, and colors of parts
	tone_front = 8,
	tone_behind = 7,
};

// One for each part, in turn, told apart by people who see fewer colors too (after Okabe and Ito 2008),
// paler.
static const uint8_t colors[tones][3] = {
	{ 102, 178, 222 }, { 236, 184, 84 },  { 92, 184, 150 }, { 226, 138, 96 },  { 208, 150, 190 },
	{ 236, 222, 110 }, { 128, 148, 214 }, { 240, 142, 66 }, { 160, 182, 208 },
};

typedef struct point
{
	double x, y, z; // samples to the right and down; towards the eye
} point;

// What is drawn, and what has been.
typedef struct canvas
{
	const bv_file* file;
	bvhtml_subject subject;
	uint32_t bodies;  // the parts; 1 of the others
	bv_vec3 axis[3];  // to the right, upwards, towards the eye
	bv_vec3 center;   // of all corners
	double scale;     // samples a mesh unit
	double middle[2]; // what comes to the middle of the picture, along the first two axes
	float* depth;     // of each sample
	uint8_t* shade;   // of each sample, 0 where nothing is
	uint8_t* tone;    // of each sample
	bool behind;
} canvas;

static uint32_t count_corners( const canvas* c, uint32_t body )
{
	bv_part part;
	switch ( c->subject )
	{
	case bvhtml_subject_mesh: return bv_file_get_mesh( c->file ).vertices;
	case bvhtml_subject_hull: return bv_file_get_hull( c->file ).vertices;
	default: return bvfile_local_part( c->file, body, &part ) ? part.vertices : 0;
	}
}

static bv_vec3 get_corner( const canvas* c, uint32_t body, uint32_t index )
{
	switch ( c->subject )
	{
	case bvhtml_subject_mesh: return bvfile_local_vertex( c->file, index );
	case bvhtml_subject_hull: return bvfile_local_hull_position( c->file, index );
	default: return bvfile_local_part_vertex( c->file, body, index );
	}
}

// A flat hull is a fan.
static uint32_t count_faces( const canvas* c, uint32_t body )
{
	bv_part part;
	bv_hull_info hull = bv_file_get_hull( c->file );
	switch ( c->subject )
	{
	case bvhtml_subject_mesh: return bv_file_get_mesh( c->file ).triangles;
	case bvhtml_subject_hull:
		return hull.kind == bv_hull_polyhedron ? hull.faces
		       : hull.kind == bv_hull_polygon  ? hull.vertices - 2
		                                       : 0;
	default: return bvfile_local_part( c->file, body, &part ) ? part.faces : 0;
	}
}

static void get_face( const canvas* c, uint32_t body, uint32_t index, uint32_t corner[3] )
{
	switch ( c->subject )
	{
	case bvhtml_subject_mesh: bv_file_get_triangle( c->file, index, corner ); break;
	case bvhtml_subject_hull:
		if ( bv_file_get_hull( c->file ).kind == bv_hull_polyhedron )
		{
			bv_file_get_hull_triangle( c->file, index, corner );
			break;
		}
		corner[0] = 0;
		corner[1] = index + 1;
		corner[2] = index + 2;
		break;
	default: bv_file_get_part_triangle( c->file, body, index, corner ); break;
	}
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bv_vec3 cross( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static bv_vec3 subtract( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static bv_vec3 normalize( bv_vec3 a )
{
	double length = sqrt( dot( a, a ) );
	return ( bv_vec3 ){ a.x / length, a.y / length, a.z / length };
}

// Center and half the largest side of a box around all corners.
static double measure( canvas* c )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t body = 0; body < c->bodies; ++body )
	{
		uint32_t count = count_corners( c, body );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = get_corner( c, body, i );
			lower = ( bv_vec3 ){ fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) };
			upper = ( bv_vec3 ){ fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) };
		}
	}
	c->center =
		( bv_vec3 ){ ( lower.x + upper.x ) / 2, ( lower.y + upper.y ) / 2, ( lower.z + upper.z ) / 2 };
	return fmax( fmax( upper.x - lower.x, upper.y - lower.y ), upper.z - lower.z ) / 2;
}

// From the center, in units of `size` so that no product of lengths leaves binary64's range.
static bv_vec3 get_centered( const canvas* c, uint32_t body, uint32_t index, double size )
{
	bv_vec3 p = subtract( get_corner( c, body, index ), c->center );
	return ( bv_vec3 ){ p.x / size, p.y / size, p.z / size };
}

// The first of a few directions in which at least a third of the area shows. No plane is edge on in all three
// of them.
static void choose_direction( canvas* c, double size )
{
	static const bv_vec3 directions[3] = { { 0.55, 0.45, 0.70 },
		                                   { 0.70, 0.45, -0.55 },
		                                   { -0.35, 0.85, 0.40 } };
	double seen[3] = { 0, 0, 0 };
	double area = 0;
	for ( uint32_t body = 0; body < c->bodies; ++body )
	{
		uint32_t count = count_faces( c, body );
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t k[3];
			get_face( c, body, i, k );
			bv_vec3 a = get_centered( c, body, k[0], size );
			bv_vec3 normal = cross( subtract( get_centered( c, body, k[1], size ), a ),
			                        subtract( get_centered( c, body, k[2], size ), a ) );
			area += sqrt( dot( normal, normal ) );
			for ( int d = 0; d < 3; ++d )
			{
				seen[d] += fabs( dot( normal, normalize( directions[d] ) ) );
			}
		}
	}
	int best = 0;
	while ( best < 2 && seen[best] < area / 3 )
	{
		++best;
	}
	c->axis[2] = normalize( directions[best] );
	c->axis[0] = normalize( cross( ( bv_vec3 ){ 0, 1, 0 }, c->axis[2] ) );
	c->axis[1] = cross( c->axis[2], c->axis[0] );
}

// So that all corners come into the picture, in its middle.
static void fit( canvas* c, double size )
{
	double lower[2] = { INFINITY, INFINITY };
	double upper[2] = { -INFINITY, -INFINITY };
	for ( uint32_t body = 0; body < c->bodies; ++body )
	{
		uint32_t count = count_corners( c, body );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 p = get_centered( c, body, i, size );
			for ( int d = 0; d < 2; ++d )
			{
				double at = dot( p, c->axis[d] );
				lower[d] = fmin( lower[d], at );
				upper[d] = fmax( upper[d], at );
			}
		}
	}
	double across = ( columns - 2 * margin ) / fmax( upper[0] - lower[0], 1e-9 );
	double down = ( rows - 2 * margin ) / fmax( upper[1] - lower[1], 1e-9 );
	c->scale = fmin( across, down );
	c->middle[0] = ( lower[0] + upper[0] ) / 2;
	c->middle[1] = ( lower[1] + upper[1] ) / 2;
}

static point project( const canvas* c, bv_vec3 p )
{
	return ( point ){ columns / 2.0 + c->scale * ( dot( p, c->axis[0] ) - c->middle[0] ),
		              rows / 2.0 - c->scale * ( dot( p, c->axis[1] ) - c->middle[1] ),
		              c->scale * dot( p, c->axis[2] ) };
}

static void set_sample( canvas* c, int x, int y, double z, uint8_t shade, uint8_t tone )
{
	size_t at = (size_t)y * columns + (size_t)x;
	if ( c->shade[at] == 0 || (float)z > c->depth[at] )
	{
		c->depth[at] = (float)z;
		c->shade[at] = shade;
		c->tone[at] = tone;
	}
}

static void draw_line( canvas* c, point a, point b, uint8_t shade, uint8_t tone )
{
	int steps = 1 + (int)fmax( fabs( b.x - a.x ), fabs( b.y - a.y ) );
	for ( int i = 0; i <= steps; ++i )
	{
		double t = (double)i / steps;
		int x = (int)floor( a.x + t * ( b.x - a.x ) );
		int y = (int)floor( a.y + t * ( b.y - a.y ) );
		if ( x >= 0 && x < columns && y >= 0 && y < rows )
		{
			set_sample( c, x, y, a.z + t * ( b.z - a.z ), shade, tone );
		}
	}
}

// The samples of one row that lie within a triangle: between lower and upper.
static void clip_row( const point p[3], double sign, double y, double* lower, double* upper )
{
	for ( int i = 0; i < 3; ++i )
	{
		const point* a = &p[i];
		const point* b = &p[( i + 1 ) % 3];
		double slope = sign * ( a->y - b->y );
		double rest = sign * ( ( b->x - a->x ) * ( y - a->y ) + ( b->y - a->y ) * a->x );
		if ( slope > 0 )
		{
			*lower = fmax( *lower, -rest / slope );
		}
		else if ( slope < 0 )
		{
			*upper = fmin( *upper, -rest / slope );
		}
		else if ( rest < 0 )
		{
			*upper = -1;
		}
	}
}

// @return whether a sample was within
static bool fill( canvas* c, const point p[3], double area, uint8_t shade, uint8_t tone )
{
	double top = fmin( fmin( p[0].y, p[1].y ), p[2].y );
	double bottom = fmax( fmax( p[0].y, p[1].y ), p[2].y );
	double left = fmin( fmin( p[0].x, p[1].x ), p[2].x );
	double right = fmax( fmax( p[0].x, p[1].x ), p[2].x );
	double dz_dx =
		( ( p[1].z - p[0].z ) * ( p[2].y - p[0].y ) - ( p[2].z - p[0].z ) * ( p[1].y - p[0].y ) ) / area;
	double dz_dy =
		( ( p[2].z - p[0].z ) * ( p[1].x - p[0].x ) - ( p[1].z - p[0].z ) * ( p[2].x - p[0].x ) ) / area;
	bool hit = false;
	int last = (int)fmin( floor( bottom - 0.5 ), rows - 1 );
	for ( int y = (int)fmax( ceil( top - 0.5 ), 0 ); y <= last; ++y )
	{
		double lower = left;
		double upper = right;
		clip_row( p, area < 0 ? -1 : 1, y + 0.5, &lower, &upper );
		int end = (int)fmin( floor( upper - 0.5 ), columns - 1 );
		for ( int x = (int)fmax( ceil( lower - 0.5 ), 0 ); x <= end; ++x )
		{
			double z = p[0].z + dz_dx * ( x + 0.5 - p[0].x ) + dz_dy * ( y + 0.5 - p[0].y );
			set_sample( c, x, y, z, shade, tone );
			hit = true;
		}
	}
	return hit;
}

// Light comes from the left above; a side that faces away is lit like the other.
static uint8_t light( const canvas* c, bv_vec3 normal, bool* behind )
{
	double length = sqrt( dot( normal, normal ) );
	if ( !( length > 0 ) )
	{
		*behind = false;
		return shades / 2;
	}
	double x = dot( normal, c->axis[0] ) / length;
	double y = dot( normal, c->axis[1] ) / length;
	double z = dot( normal, c->axis[2] ) / length;
	*behind = z < 0;
	double to = ( z < 0 ? -1 : 1 ) * ( -0.40 * x + 0.64 * y + 0.656 * z );
	double lit = 0.5 + 0.5 * to;
	return (uint8_t)( 1 + ( shades - 1 ) * ( 0.34 + 0.66 * lit * lit ) );
}

static void draw_face( canvas* c, uint32_t body, const bv_vec3 corner[3] )
{
	bool behind;
	point p[3];
	for ( int i = 0; i < 3; ++i )
	{
		p[i] = project( c, corner[i] );
	}
	bv_vec3 normal = cross( subtract( corner[1], corner[0] ), subtract( corner[2], corner[0] ) );
	uint8_t shade = light( c, normal, &behind );
	uint8_t tone = tone_front;
	if ( c->subject == bvhtml_subject_parts )
	{
		tone = (uint8_t)( body % tone_behind );
	}
	else if ( c->subject == bvhtml_subject_mesh && behind )
	{
		tone = tone_behind;
	}
	double area = ( p[1].x - p[0].x ) * ( p[2].y - p[0].y ) - ( p[2].x - p[0].x ) * ( p[1].y - p[0].y );
	if ( area == 0 || !fill( c, p, area, shade, tone ) )
	{
		for ( int i = 0; i < 3; ++i )
		{
			draw_line( c, p[i], p[( i + 1 ) % 3], shade, tone );
		}
	}
}

// Corners are turned into the centered frame once, not once for each of the triangles around them.
static bv_status draw_all( canvas* c, double size, bvb_arena* arena, bvb_error* error )
{
	uint32_t most = 0;
	for ( uint32_t body = 0; body < c->bodies; ++body )
	{
		uint32_t count = count_corners( c, body );
		most = count > most ? count : most;
	}
	bv_vec3* corners = bvb_arena_allocate( arena, most, sizeof *corners );
	if ( !corners )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t body = 0; body < c->bodies; ++body )
	{
		uint32_t count = count_corners( c, body );
		for ( uint32_t i = 0; i < count; ++i )
		{
			corners[i] = get_centered( c, body, i, size );
		}
		uint32_t faces = count_faces( c, body );
		for ( uint32_t i = 0; i < faces; ++i )
		{
			uint32_t k[3];
			get_face( c, body, i, k );
			draw_face( c, body, ( const bv_vec3[3] ){ corners[k[0]], corners[k[1]], corners[k[2]] } );
		}
	}
	return bv_ok;
}

// A pixel is the mean of its samples, and as opaque as many of them there are.
static void resolve( canvas* c, uint8_t* pixels )
{
	for ( int y = 0; y < bvhtml_picture_height; ++y )
	{
		for ( int x = 0; x < bvhtml_picture_width; ++x, pixels += 4 )
		{
			uint32_t sum[3] = { 0, 0, 0 };
			uint32_t covered = 0;
			for ( int k = 0; k < samples * samples; ++k )
			{
				size_t at =
					(size_t)( y * samples + k / samples ) * columns + (size_t)( x * samples + k % samples );
				const uint8_t* color = colors[c->tone[at]];
				covered += c->shade[at] > 0;
				for ( int i = 0; i < 3; ++i )
				{
					sum[i] += (uint32_t)color[i] * c->shade[at];
				}
			}
			for ( int i = 0; i < 3 && covered > 0; ++i )
			{
				pixels[i] = (uint8_t)( sum[i] / ( covered * shades ) );
			}
			pixels[3] = (uint8_t)( 255 * covered / ( samples * samples ) );
		}
	}
}

static bool is_there( const bv_file* file, bvhtml_subject subject )
{
	bv_hull_info hull = bv_file_get_hull( file );
	switch ( subject )
	{
	case bvhtml_subject_mesh: return bv_file_get_mesh( file ).has_triangles;
	case bvhtml_subject_hull: return hull.kind >= bv_hull_polygon && hull.vertices >= 3;
	default: return bv_file_get_decomposition( file ).parts > 0;
	}
}

bv_status bvhtml_draw( const bv_file* file, bvhtml_subject subject, bvb_arena* arena, bvhtml_picture* out,
                       bvb_error* error )
{
	*out = ( bvhtml_picture ){ .width = bvhtml_picture_width, .height = bvhtml_picture_height };
	if ( !is_there( file, subject ) )
	{
		return bvbase_fail( error, bv_error_input, "the file has nothing to draw" );
	}
	size_t all = (size_t)columns * rows;
	canvas c = {
		.file = file,
		.subject = subject,
		.bodies = subject == bvhtml_subject_parts ? bv_file_get_decomposition( file ).parts : 1,
		.depth = bvb_arena_allocate( arena, all, sizeof *c.depth ),
		.shade = bvb_arena_allocate( arena, all, 1 ),
		.tone = bvb_arena_allocate( arena, all, 1 ),
	};
	out->pixels = bvb_arena_allocate( arena, (size_t)bvhtml_picture_width * bvhtml_picture_height, 4 );
	if ( !c.depth || !c.shade || !c.tone || !out->pixels )
	{
		return bvbase_fail_memory( error );
	}
	double size = measure( &c );
	choose_direction( &c, size );
	fit( &c, size );
	bv_status status = draw_all( &c, size, arena, error );
	if ( status != bv_ok )
	{
		return status;
	}
	for ( size_t i = 0; i < all && !out->behind; ++i )
	{
		out->behind = c.shade[i] > 0 && c.tone[i] == tone_behind;
	}
	resolve( &c, out->pixels );
	return bv_ok;
}
