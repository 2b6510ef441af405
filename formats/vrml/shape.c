// Geometry of VRML as faces. See shape.h; the nodes are those of ISO/IEC 14772-1:1997, clause 6.

#include "formats/vrml/shape.h"

#include "offline/base/error.h"
#include "runtime/math/angle.h"

#include <math.h>
#include <string.h>

enum
{
	around = 32,        // vertices of a circle
	down = around / 2,  // rings of a sphere, poles included as ends
	most_side = 1 << 20 // of an elevation grid
};

static bv_status take_memory( bvvrml_graph* g, uint64_t vertices, uint64_t triangles )
{
	uint64_t bytes =
		vertices * sizeof( bv_vec3 ) + triangles * ( sizeof( bvb_triangle ) + sizeof( uint32_t ) );
	if ( bytes > g->memory_left )
	{
		return bvbase_fail( g->error, bv_error_limit,
		                    "%s: the scene needs too much memory (raise the limit with --import-memory)",
		                    g->file );
	}
	g->memory_left -= bytes;
	return bv_ok;
}

static bv_status add_vertex( bvvrml_target* t, double x, double y, double z )
{
	return bvimport_builder_add_vertex( t->scene, bvvrml_move( t->place, ( bv_vec3 ){ x, y, z } ) );
}

// @param corner  counter-clockwise seen from outside; turned where the place mirrors
static bv_status add_face( bvvrml_target* t, uint32_t base, const uint32_t* corner, uint32_t count,
                           bool turned )
{
	uint32_t own[bvimport_face_corner_limit];
	for ( uint32_t i = 0; i < count; ++i )
	{
		own[i] = base + corner[turned != t->place->mirrored ? count - 1 - i : i];
	}
	return bvimport_builder_add_face( t->scene, own, count );
}

static bv_status get_flag( const bvvrml_target* t, uint32_t node, const char* name, bool* out )
{
	double value = *out;
	bv_status status = bvvrml_get_numbers( t->graph, node, name, 1, &value );
	*out = value != 0;
	return status;
}

// The points of the Coordinate node in the field "coord".
static bv_status get_points( const bvvrml_target* t, uint32_t node, const double** out, uint64_t* count )
{
	const bvvrml_graph* g = t->graph;
	const bvvrml_field* coord = bvvrml_find( g, node, "coord" );
	*out = NULL;
	*count = 0;
	if ( !coord || coord->first_child == BVVRML_NONE )
	{
		return bv_ok;
	}
	uint32_t points = g->children[coord->first_child].node;
	if ( !bvvrml_is( g, points, "Coordinate" ) )
	{
		return bvvrml_fail( g, node, bv_error_input, "coord is not a Coordinate node" );
	}
	const bvvrml_field* f = bvvrml_find( g, points, "point" );
	if ( f && f->number_count % 3 != 0 )
	{
		return bvvrml_fail( g, points, bv_error_input, "point has %llu numbers, not a multiple of 3",
		                    (unsigned long long)f->number_count );
	}
	*out = f ? g->numbers + f->first_number : NULL;
	*count = f ? f->number_count / 3 : 0;
	return bv_ok;
}

static bv_status add_points( bvvrml_target* t, const double* points, uint64_t count )
{
	bv_status status = bvimport_builder_reserve_vertices( t->scene, count );
	for ( uint64_t i = 0; i < count && status == bv_ok; ++i )
	{
		status = add_vertex( t, points[3 * i], points[3 * i + 1], points[3 * i + 2] );
	}
	return status;
}

// Ends at -1, or where the list does.
static bv_status add_indexed_face( bvvrml_target* t, uint32_t node, uint32_t base, const uint32_t* corner,
                                   uint64_t count, bool turned )
{
	if ( count > bvimport_face_corner_limit )
	{
		return bvvrml_fail( t->graph, node, bv_error_limit, "face has more than %d corners",
		                    bvimport_face_corner_limit );
	}
	if ( count == 1 || count == 2 )
	{
		bvimport_notes_add( &t->graph->notes, 1, "line %llu: face has %u corners instead of 3 or more",
		                    (unsigned long long)t->graph->nodes[node].line, (unsigned)count );
	}
	return count > 0 ? add_face( t, base, corner, (uint32_t)count, turned ) : bv_ok;
}

static bv_status add_face_set( bvvrml_target* t, uint32_t node )
{
	const bvvrml_graph* g = t->graph;
	const double* points;
	uint64_t count;
	bool ccw = true;
	bv_status status = get_points( t, node, &points, &count );
	status = status == bv_ok ? get_flag( t, node, "ccw", &ccw ) : status;
	const bvvrml_field* f = bvvrml_find( g, node, "coordIndex" );
	uint64_t index_count = f ? f->number_count : 0;
	status = status == bv_ok ? take_memory( t->graph, count, index_count ) : status;
	uint32_t base = t->scene->position_count;
	status = status == bv_ok ? add_points( t, points, count ) : status;
	uint32_t corner[bvimport_face_corner_limit];
	uint64_t corners = 0;
	for ( uint64_t i = 0; i <= index_count && status == bv_ok; ++i )
	{
		double index = i < index_count ? g->numbers[f->first_number + i] : -1;
		if ( index == -1 )
		{
			status = add_indexed_face( t, node, base, corner, corners, !ccw );
			corners = 0;
			continue;
		}
		if ( !( index >= 0 && index < (double)count && index == floor( index ) ) )
		{
			return bvvrml_fail( g, node, bv_error_input, "coordIndex has %.9g, outside 0 to %llu", index,
			                    (unsigned long long)count - 1 );
		}
		if ( corners < bvimport_face_corner_limit )
		{
			corner[corners] = (uint32_t)index;
		}
		++corners;
	}
	return status;
}

static bv_status count_lines( bvvrml_target* t, uint32_t node )
{
	const bvvrml_graph* g = t->graph;
	const bvvrml_field* f = bvvrml_find( g, node, "coordIndex" );
	for ( uint64_t i = 1; f && i < f->number_count; ++i )
	{
		const double* index = g->numbers + f->first_number + i;
		t->lines += index[-1] >= 0 && index[0] >= 0;
	}
	return bv_ok;
}

static bv_status count_points( bvvrml_target* t, uint32_t node )
{
	const double* points;
	uint64_t count;
	bv_status status = get_points( t, node, &points, &count );
	t->points += count;
	return status;
}

static bv_status fail_size( const bvvrml_target* t, uint32_t node, const char* name )
{
	return bvvrml_fail( t->graph, node, bv_error_input, "%s is not above 0", name );
}

static bv_status add_box( bvvrml_target* t, uint32_t node )
{
	double size[3] = { 2, 2, 2 };
	bv_status status = bvvrml_get_numbers( t->graph, node, "size", 3, size );
	if ( status == bv_ok && !( size[0] > 0 && size[1] > 0 && size[2] > 0 ) )
	{
		return fail_size( t, node, "size" );
	}
	static const uint32_t faces[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
		                                  { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
	status = status == bv_ok ? take_memory( t->graph, 8, 12 ) : status;
	uint32_t base = t->scene->position_count;
	for ( int i = 0; i < 8 && status == bv_ok; ++i )
	{
		status = add_vertex( t, i & 1 ? 0.5 * size[0] : -0.5 * size[0],
		                     i & 2 ? 0.5 * size[1] : -0.5 * size[1], i & 4 ? 0.5 * size[2] : -0.5 * size[2] );
	}
	for ( int i = 0; i < 6 && status == bv_ok; ++i )
	{
		status = add_face( t, base, faces[i], 4, false );
	}
	return status;
}

// A circle around the y axis, counter-clockwise seen from above.
static bv_status add_circle( bvvrml_target* t, double radius, double y )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < around && status == bv_ok; ++i )
	{
		double sine;
		double cosine;
		bvmath_sincos( 2 * 3.14159265358979323846 * i / around, &sine, &cosine );
		status = add_vertex( t, radius * sine, y, radius * cosine );
	}
	return status;
}

// Quads between two circles.
static bv_status add_band( bvvrml_target* t, uint32_t lower, uint32_t upper )
{
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < around && status == bv_ok; ++i )
	{
		uint32_t next = ( i + 1 ) % around;
		const uint32_t corner[] = { lower + i, lower + next, upper + next, upper + i };
		status = add_face( t, 0, corner, 4, false );
	}
	return status;
}

// Triangles from a circle to a point.
static bv_status add_fan( bvvrml_target* t, uint32_t circle, uint32_t top, bool turned )
{
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < around && status == bv_ok; ++i )
	{
		const uint32_t corner[] = { circle + i, circle + ( i + 1 ) % around, top };
		status = add_face( t, 0, corner, 3, turned );
	}
	return status;
}

static bv_status add_lid( bvvrml_target* t, uint32_t circle, bool turned )
{
	uint32_t corner[around];
	for ( uint32_t i = 0; i < around; ++i )
	{
		corner[i] = circle + i;
	}
	return add_face( t, 0, corner, around, turned );
}

static bv_status add_cylinder( bvvrml_target* t, uint32_t node )
{
	double radius = 1;
	double height = 2;
	bool side = true;
	bool top = true;
	bool bottom = true;
	bv_status status = bvvrml_get_numbers( t->graph, node, "radius", 1, &radius );
	status = status == bv_ok ? bvvrml_get_numbers( t->graph, node, "height", 1, &height ) : status;
	status = status == bv_ok ? get_flag( t, node, "side", &side ) : status;
	status = status == bv_ok ? get_flag( t, node, "top", &top ) : status;
	status = status == bv_ok ? get_flag( t, node, "bottom", &bottom ) : status;
	if ( status == bv_ok && !( radius > 0 && height > 0 ) )
	{
		return fail_size( t, node, radius > 0 ? "height" : "radius" );
	}
	status = status == bv_ok ? take_memory( t->graph, 2 * around, 4 * around ) : status;
	uint32_t base = t->scene->position_count;
	status = status == bv_ok ? add_circle( t, radius, -0.5 * height ) : status;
	status = status == bv_ok ? add_circle( t, radius, 0.5 * height ) : status;
	status = status == bv_ok && side ? add_band( t, base, base + around ) : status;
	status = status == bv_ok && bottom ? add_lid( t, base, true ) : status;
	return status == bv_ok && top ? add_lid( t, base + around, false ) : status;
}

static bv_status add_cone( bvvrml_target* t, uint32_t node )
{
	double radius = 1;
	double height = 2;
	bool side = true;
	bool bottom = true;
	bv_status status = bvvrml_get_numbers( t->graph, node, "bottomRadius", 1, &radius );
	status = status == bv_ok ? bvvrml_get_numbers( t->graph, node, "height", 1, &height ) : status;
	status = status == bv_ok ? get_flag( t, node, "side", &side ) : status;
	status = status == bv_ok ? get_flag( t, node, "bottom", &bottom ) : status;
	if ( status == bv_ok && !( radius > 0 && height > 0 ) )
	{
		return fail_size( t, node, radius > 0 ? "height" : "bottomRadius" );
	}
	status = status == bv_ok ? take_memory( t->graph, around + 1, 2 * around ) : status;
	uint32_t base = t->scene->position_count;
	status = status == bv_ok ? add_circle( t, radius, -0.5 * height ) : status;
	status = status == bv_ok ? add_vertex( t, 0, 0.5 * height, 0 ) : status;
	status = status == bv_ok && side ? add_fan( t, base, base + around, false ) : status;
	return status == bv_ok && bottom ? add_lid( t, base, true ) : status;
}

static bv_status add_sphere( bvvrml_target* t, uint32_t node )
{
	double radius = 1;
	bv_status status = bvvrml_get_numbers( t->graph, node, "radius", 1, &radius );
	if ( status == bv_ok && !( radius > 0 ) )
	{
		return fail_size( t, node, "radius" );
	}
	status = status == bv_ok ? take_memory( t->graph, down * around, 2 * down * around ) : status;
	uint32_t base = t->scene->position_count;
	for ( int i = 1; i < down && status == bv_ok; ++i )
	{
		double sine;
		double cosine;
		bvmath_sincos( 3.14159265358979323846 * i / down, &sine, &cosine );
		status = add_circle( t, radius * sine, -radius * cosine );
	}
	uint32_t poles = base + ( down - 1 ) * around;
	status = status == bv_ok ? add_vertex( t, 0, -radius, 0 ) : status;
	status = status == bv_ok ? add_vertex( t, 0, radius, 0 ) : status;
	status = status == bv_ok ? add_fan( t, base, poles, true ) : status;
	for ( uint32_t i = 0; i + 2 < down && status == bv_ok; ++i )
	{
		status = add_band( t, base + i * around, base + ( i + 1 ) * around );
	}
	return status == bv_ok ? add_fan( t, base + ( down - 2 ) * around, poles + 1, false ) : status;
}

static bv_status add_elevation_grid( bvvrml_target* t, uint32_t node )
{
	const bvvrml_graph* g = t->graph;
	double size[2] = { 0, 0 };
	double spacing[2] = { 1, 1 };
	bool ccw = true;
	bv_status status = bvvrml_get_numbers( g, node, "xDimension", 1, &size[0] );
	status = status == bv_ok ? bvvrml_get_numbers( g, node, "zDimension", 1, &size[1] ) : status;
	status = status == bv_ok ? bvvrml_get_numbers( g, node, "xSpacing", 1, &spacing[0] ) : status;
	status = status == bv_ok ? bvvrml_get_numbers( g, node, "zSpacing", 1, &spacing[1] ) : status;
	status = status == bv_ok ? get_flag( t, node, "ccw", &ccw ) : status;
	const bvvrml_field* height = bvvrml_find( g, node, "height" );
	uint64_t heights = height ? height->number_count : 0;
	bool good = size[0] >= 0 && size[1] >= 0 && size[0] <= most_side && size[1] <= most_side;
	uint32_t columns = good ? (uint32_t)size[0] : 0;
	uint32_t rows = good ? (uint32_t)size[1] : 0;
	if ( status == bv_ok && ( !good || (uint64_t)columns * rows != heights ) )
	{
		return bvvrml_fail( g, node, bv_error_input, "height has %llu numbers instead of %.9g * %.9g",
		                    (unsigned long long)heights, size[0], size[1] );
	}
	status = status == bv_ok ? take_memory( t->graph, heights, 2 * heights ) : status;
	uint32_t base = t->scene->position_count;
	for ( uint64_t i = 0; i < heights && status == bv_ok; ++i )
	{
		status = add_vertex( t, spacing[0] * (double)( i % columns ), g->numbers[height->first_number + i],
		                     spacing[1] * (double)( i / columns ) );
	}
	for ( uint32_t k = 0; k + 1 < rows && status == bv_ok; ++k )
	{
		for ( uint32_t i = 0; i + 1 < columns && status == bv_ok; ++i )
		{
			uint32_t first = k * columns + i;
			const uint32_t corner[] = { first, first + columns, first + columns + 1, first + 1 };
			status = add_face( t, base, corner, 4, !ccw );
		}
	}
	return status;
}

static const struct
{
	const char* type;
	bv_status ( *add )( bvvrml_target* t, uint32_t node );
} geometries[] = {
	{ "IndexedFaceSet", add_face_set }, { "IndexedLineSet", count_lines },
	{ "PointSet", count_points },       { "Box", add_box },
	{ "Cylinder", add_cylinder },       { "Cone", add_cone },
	{ "Sphere", add_sphere },           { "ElevationGrid", add_elevation_grid },
};

bv_status bvvrml_add_geometry( bvvrml_target* t, uint32_t node )
{
	bvvrml_graph* g = t->graph;
	for ( size_t i = 0; i < sizeof geometries / sizeof *geometries; ++i )
	{
		if ( bvvrml_is( g, node, geometries[i].type ) )
		{
			return geometries[i].add( t, node );
		}
	}
	const bvvrml_node* n = &g->nodes[node];
	bvimport_notes_add( &g->notes, 1, "line %llu: geometry of type %.*s is not read",
	                    (unsigned long long)n->line, (int)( n->type.length < 60 ? n->type.length : 60 ),
	                    n->type.data );
	return bv_ok;
}
