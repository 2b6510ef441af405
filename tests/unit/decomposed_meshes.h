// What decompositions are tested on: solids whose convex parts are known, tubes, hollow bodies, and soups that bound nothing.
// All are meshes of record.

#pragma once

#include "primitive_meshes.h"
#include "shapes.h"

// Welded, cleaned, with binary32 positions.
static inline bvb_mesh record_of( fixture* f, const bvb_mesh* mesh )
{
	bvb_record_options options = bvb_record_options_default();
	bvb_record record;
	bvb_error error = { "" };
	if ( bvb_mesh_record( mesh, &options, f->arena, &record, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return record.mesh;
}

static inline bvb_mesh record_at( fixture* f, bvb_mesh mesh, const placement* place )
{
	put_mesh( &mesh, place );
	return record_of( f, &mesh );
}

// The mesh of record of unit cubes in one layer, as rows of a picture: 'x' is filled.
static inline bvb_mesh drawn( fixture* f, const char* const* rows, int count )
{
	cubes c = { 0 };
	for ( int y = 0; y < count; ++y )
	{
		for ( int x = 0; rows[y][x]; ++x )
		{
			c.filled[x][y][0] = rows[y][x] == 'x';
		}
	}
	bvb_mesh surface = surface_of_cubes( f, &c );
	return record_of( f, &surface );
}

// What the hull adds is a triangle between two walls, 2 units long each.
static inline bvb_mesh letter_l( fixture* f )
{
	return drawn( f, ( const char*[] ){ "x..", "x..", "xxx" }, 3 );
}

static inline bvb_mesh letter_u( fixture* f )
{
	return drawn( f, ( const char*[] ){ "x.x", "x.x", "xxx" }, 3 );
}

static inline bvb_mesh plus_sign( fixture* f )
{
	return drawn( f, ( const char*[] ){ ".x.", "xxx", ".x." }, 3 );
}

static inline bvb_mesh square_ring( fixture* f )
{
	return drawn( f, ( const char*[] ){ "xxx", "x.x", "xxx" }, 3 );
}

// Seven cubes: one with another on each side.
static inline bvb_mesh jack( fixture* f )
{
	cubes c = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		int lower[3] = { 1, 1, 1 };
		int upper[3] = { 2, 2, 2 };
		lower[k] = 0;
		upper[k] = 3;
		fill_cubes( &c, lower, upper, true );
	}
	bvb_mesh surface = surface_of_cubes( f, &c );
	return record_of( f, &surface );
}

// Four units wide with a cavity two units wide in the middle: its center is 1 from the walls.
static inline bvb_mesh hollow_box( fixture* f )
{
	cubes c = { 0 };
	fill_cubes( &c, ( const int[3] ){ 0, 0, 0 }, ( const int[3] ){ 4, 4, 4 }, true );
	fill_cubes( &c, ( const int[3] ){ 1, 1, 1 }, ( const int[3] ){ 3, 3, 3 }, false );
	bvb_mesh surface = surface_of_cubes( f, &c );
	return record_of( f, &surface );
}

static inline bvb_mesh two_boxes( fixture* f, double gap )
{
	bvb_mesh a = box_mesh( f, 1, 1, 1 );
	bvb_mesh b = moved( f, &a, ( bv_vec3 ){ 1 + gap, 0, 0 } );
	bvb_mesh both = joined( f, &a, &b );
	return record_of( f, &both );
}

// A place on a curve, with a right-handed frame whose third axis points along the curve.
typedef struct station
{
	bv_vec3 at;
	bv_vec3 u;
	bv_vec3 v;
} station;

// A section of `corners` points, counter-clockwise, led along the stations: a ring, or a body with two ends that are fans.
static inline bvb_mesh swept( fixture* f, const station* stations, uint32_t count, double ( *section )[2],
                              uint32_t corners, bool ring )
{
	uint32_t spans = ring ? count : count - 1;
	bvb_mesh m = mesh_create( f, count * corners + ( ring ? 0 : 2 ),
	                          2 * corners * spans + ( ring ? 0 : 2 * corners ) );
	bvb_triangle* t = m.triangles;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < corners; ++k )
		{
			bv_vec3 across = plus( stations[i].at, section[k][0], stations[i].u );
			m.positions[i * corners + k] = plus( across, section[k][1], stations[i].v );
			uint32_t next = ( k + 1 ) % corners;
			uint32_t row = i * corners;
			uint32_t row_after = ( i + 1 ) % count * corners;
			if ( i < spans )
			{
				*t++ = ( bvb_triangle ){ { row + k, row + next, row_after + next } };
				*t++ = ( bvb_triangle ){ { row + k, row_after + next, row_after + k } };
			}
			if ( !ring && i == 0 )
			{
				*t++ = ( bvb_triangle ){ { count * corners, row + next, row + k } };
			}
			if ( !ring && i + 1 == count )
			{
				*t++ = ( bvb_triangle ){ { count * corners + 1, row + k, row + next } };
			}
		}
	}
	if ( !ring )
	{
		m.positions[count * corners] = stations[0].at;
		m.positions[count * corners + 1] = stations[count - 1].at;
	}
	return record_of( f, &m );
}

enum
{
	stations_most = 256,
	section_most = 32,
};

// Stations of a circle of radius 1 about the z axis, with u pointing outwards.
static inline void stations_of_circle( station* stations, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		double a = 2 * pi * i / count;
		bv_vec3 outwards = { cos( a ), sin( a ), 0 };
		stations[i] = ( station ){ .at = outwards, .u = outwards, .v = { 0, 0, -1 } };
	}
}

static inline void round_section( double ( *section )[2], uint32_t corners, double radius )
{
	for ( uint32_t k = 0; k < corners; ++k )
	{
		double a = 2 * pi * k / corners;
		section[k][0] = radius * cos( a );
		section[k][1] = radius * sin( a );
	}
}

// Round the z axis, with a middle circle of radius 1.
static inline bvb_mesh torus( fixture* f, double radius, uint32_t columns, uint32_t corners )
{
	station stations[stations_most];
	double section[section_most][2];
	stations_of_circle( stations, columns );
	round_section( section, corners, radius );
	return swept( f, stations, columns, section, corners, true );
}

// A pipe's wall about the z axis, from radius 0.7 to 1 and 2 high: the hole goes through.
static inline bvb_mesh pipe_wall( fixture* f, uint32_t columns )
{
	station stations[stations_most];
	double section[4][2] = { { 0, -1 }, { 0, 1 }, { -0.3, 1 }, { -0.3, -1 } };
	stations_of_circle( stations, columns );
	return swept( f, stations, columns, section, 4, true );
}

// A wire wound round the z axis, with a middle circle of radius 1 and 0.8 between windings.
static inline bvb_mesh spring( fixture* f, uint32_t windings, uint32_t columns, uint32_t corners )
{
	station stations[stations_most];
	double section[section_most][2];
	round_section( section, corners, 0.2 );
	for ( uint32_t i = 0; i <= windings * columns; ++i )
	{
		double a = 2 * pi * i / columns;
		double rise = 0.8 / ( 2 * pi );
		double scale = 1 / sqrt( 1 + rise * rise );
		bv_vec3 outwards = { cos( a ), sin( a ), 0 };
		bv_vec3 up = { rise * scale * sin( a ), -rise * scale * cos( a ), scale };
		stations[i] = ( station ){ .at = { cos( a ), sin( a ), rise * a }, .u = up, .v = outwards };
	}
	return swept( f, stations, windings * columns + 1, section, corners, false );
}

// Each triangle becomes four, with the middles of its sides as new vertices, moved out to the unit sphere if `round`.
static inline bvb_mesh subdivided( fixture* f, const bvb_mesh* mesh, bool round )
{
	bvb_mesh m = soup_create( f, 4 * mesh->triangle_count );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		bv_vec3 corner[3];
		bv_vec3 middle[3];
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = mesh->positions[mesh->triangles[i].corner[k]];
			bv_vec3 next = mesh->positions[mesh->triangles[i].corner[( k + 1 ) % 3]];
			middle[k] = ( bv_vec3 ){ ( corner[k].x + next.x ) / 2, ( corner[k].y + next.y ) / 2,
				                     ( corner[k].z + next.z ) / 2 };
			if ( round )
			{
				middle[k] = plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length( middle[k] ), middle[k] );
			}
		}
		for ( int k = 0; k < 3; ++k )
		{
			set_triangle( &m, 4 * i + (uint32_t)k, corner[k], middle[k], middle[( k + 2 ) % 3] );
		}
		set_triangle( &m, 4 * i + 3, middle[0], middle[1], middle[2] );
	}
	return welded( f, &m );
}

static inline bvb_mesh icosphere( fixture* f, int steps )
{
	bvb_mesh m = icosahedron( f );
	for ( int i = 0; i < steps; ++i )
	{
		m = subdivided( f, &m, true );
	}
	return m;
}

// The hull of points, as a mesh.
static inline bvb_mesh hull_mesh( fixture* f, const bv_vec3* points, uint32_t count )
{
	bvb_hull hull;
	assert_int_equal( bvb_hull_compute( points, count, f->arena, &hull, NULL ), bv_ok );
	assert_int_equal( hull.kind, bv_hull_polyhedron );
	bvb_mesh m = mesh_create( f, hull.vertex_count, hull.face_count );
	memcpy( m.triangles, hull.faces, hull.face_count * sizeof *hull.faces );
	for ( uint32_t i = 0; i < hull.vertex_count; ++i )
	{
		m.positions[i] = points[hull.vertices[i]];
	}
	return m;
}

// Turns all triangles round.
static inline bvb_mesh turned_over( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh m = combined( f, mesh, &( bvb_mesh ){ .vertex_count = 0 } );
	for ( uint32_t i = 0; i < m.triangle_count; ++i )
	{
		uint32_t second = m.triangles[i].corner[1];
		m.triangles[i].corner[1] = m.triangles[i].corner[2];
		m.triangles[i].corner[2] = second;
	}
	return m;
}

// A block about the origin with a slot in it, a room with neither floor nor ceiling.
// @param block  how wide the block is along each axis
// @param width  of the slot's walls, which stand in a square
// @param height of the walls, along z
static inline bvb_mesh block_with_slot( fixture* f, double block, double width, double height )
{
	bvb_mesh outer = box_mesh( f, block, block, block );
	bvb_mesh inner = box_mesh( f, width, width, height );
	outer = moved( f, &outer, ( bv_vec3 ){ -0.5 * block, -0.5 * block, -0.5 * block } );
	inner = moved( f, &inner, ( bv_vec3 ){ -0.5 * width, -0.5 * width, -0.5 * height } );

	// The first four are the floor and the ceiling.
	bvb_mesh walls = inner;
	walls.triangles += 4;
	walls.triangle_count -= 4;
	walls = turned_over( f, &walls );
	return combined( f, &outer, &walls );
}

// A square plate about the origin, with a square hole in the middle that has no walls.
static inline bvb_mesh plate_with_hole( fixture* f, double plate, double hole, double thickness )
{
	bvb_mesh m = mesh_create( f, 16, 24 );
	bvb_triangle* t = m.triangles;
	for ( uint32_t i = 0; i < 16; ++i )
	{
		double half = 0.5 * ( i < 8 ? plate : hole );
		m.positions[i] = ( bv_vec3 ){ i % 4 == 1 || i % 4 == 2 ? half : -half, i % 4 >= 2 ? half : -half,
			                          i % 8 < 4 ? -0.5 * thickness : 0.5 * thickness };
	}
	for ( uint32_t a = 0; a < 4; ++a )
	{
		uint32_t b = ( a + 1 ) % 4;
		*t++ = ( bvb_triangle ){ { a, b, b + 4 } };
		*t++ = ( bvb_triangle ){ { a, b + 4, a + 4 } };
		*t++ = ( bvb_triangle ){ { b, a, a + 8 } };
		*t++ = ( bvb_triangle ){ { b, a + 8, b + 8 } };
		*t++ = ( bvb_triangle ){ { a + 4, b + 4, b + 12 } };
		*t++ = ( bvb_triangle ){ { a + 4, b + 12, a + 12 } };
	}
	return m;
}

static inline bvb_mesh single_triangle( fixture* f )
{
	const bv_vec3 positions[3] = { { 0, 0, 0 }, { 1, 0.25, 0.5 }, { 0.125, 1, -0.25 } };
	const uint32_t triangle[1][3] = { { 0, 1, 2 } };
	return mesh_of( f, positions, 3, triangle, 1 );
}

static inline bvb_mesh flat_sheet( fixture* f )
{
	bvb_mesh m = sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 2, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 4 );
	return record_of( f, &m );
}

// Along no axis of coordinates.
static inline bvb_mesh tilted_sheet( fixture* f )
{
	bvb_mesh m =
		sheet( f, ( bv_vec3 ){ 1, 2, 3 }, ( bv_vec3 ){ 1, 0.5, 0.25 }, ( bv_vec3 ){ -0.5, 1, 0.75 }, 3 );
	return record_of( f, &m );
}

static inline bvb_mesh double_sided_sheet( fixture* f )
{
	bvb_mesh front = flat_sheet( f );
	bvb_mesh back = turned_over( f, &front );
	bvb_mesh both = combined( f, &front, &back );
	return record_of( f, &both );
}

// A unit cube without its lid.
static inline bvb_mesh open_box( fixture* f )
{
	bvb_mesh m = box_sides( f, 1, 1, 1, 3 );
	m.triangle_count -= 2 * 3 * 3;
	m.vertex_count -= 4 * 4;
	return record_of( f, &m );
}

static inline bvb_mesh crossing_sheets( fixture* f )
{
	bvb_mesh a = sheet( f, ( bv_vec3 ){ -1, -1, 0 }, ( bv_vec3 ){ 2, 0, 0 }, ( bv_vec3 ){ 0, 2, 0 }, 3 );
	bvb_mesh b = sheet( f, ( bv_vec3 ){ 0, -1, -1 }, ( bv_vec3 ){ 0, 2, 0 }, ( bv_vec3 ){ 0, 0, 2 }, 3 );
	bvb_mesh both = joined( f, &a, &b );
	return record_of( f, &both );
}

// Three triangles and more round one edge.
static inline bvb_mesh fan( fixture* f )
{
	const bv_vec3 positions[7] = { { 0, 0, 0 },      { 0, 0, 1 },       { 1, 0, 0.5 },    { 0.25, 1, 0.5 },
		                           { -1, 0.5, 0.5 }, { -0.5, -1, 0.5 }, { 0.5, -1, 0.25 } };
	const uint32_t triangles[5][3] = { { 0, 1, 2 }, { 0, 1, 3 }, { 1, 0, 4 }, { 0, 1, 5 }, { 1, 0, 6 } };
	return mesh_of( f, positions, 7, triangles, 5 );
}

// A thing a test is made with, by name.
typedef struct specimen
{
	const char* name;
	bvb_mesh mesh;
	bool closed; // with an inside
} specimen;

enum
{
	specimens_most = 24,
};

// Concave solids.
static inline uint32_t solid_specimens( fixture* f, specimen* out )
{
	uint32_t count = 0;
	bvb_mesh bumpy = bumpy_ball( f, 10 );
	placement place = random_placement( f );
	out[count++] = ( specimen ){ "torus", torus( f, 0.3, 24, 8 ), true };
	out[count++] = ( specimen ){ "two boxes", two_boxes( f, 0.5 ), true };
	out[count++] = ( specimen ){ "two boxes that touch", two_boxes( f, 0 ), true };
	out[count++] = ( specimen ){ "L", letter_l( f ), true };
	out[count++] = ( specimen ){ "U", letter_u( f ), true };
	out[count++] = ( specimen ){ "plus", plus_sign( f ), true };
	out[count++] = ( specimen ){ "jack", jack( f ), true };
	out[count++] = ( specimen ){ "spring", spring( f, 2, 16, 6 ), true };
	out[count++] = ( specimen ){ "hollow box", hollow_box( f ), true };
	out[count++] = ( specimen ){ "pipe", pipe_wall( f, 16 ), true };
	out[count++] = ( specimen ){ "bumpy ball", record_at( f, bumpy, &place ), true };
	out[count++] = ( specimen ){ "turned L", record_at( f, letter_l( f ), &place ), true };
	return count;
}

// What bounds no solid.
static inline uint32_t soup_specimens( fixture* f, specimen* out )
{
	uint32_t count = 0;
	out[count++] = ( specimen ){ "triangle", single_triangle( f ), false };
	out[count++] = ( specimen ){ "flat sheet", flat_sheet( f ), false };
	out[count++] = ( specimen ){ "tilted sheet", tilted_sheet( f ), false };
	out[count++] = ( specimen ){ "double-sided sheet", double_sided_sheet( f ), false };
	out[count++] = ( specimen ){ "crossing sheets", crossing_sheets( f ), false };
	out[count++] = ( specimen ){ "fan", fan( f ), false };
	out[count++] = ( specimen ){ "open box", open_box( f ), false };
	return count;
}
