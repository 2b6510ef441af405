// Faces brought into lanes, each vertex once, by rows of four numbers that are turned into columns. See
// fit_sets.h.

#include "offline/hierarchy/fit_sets.h"

#include "offline/base/lanes.h"
#include "runtime/math/vec.h"

#include <string.h>

enum
{
	most_corners = 3 * bvfit_box_faces,
	columns = 4, // lanes that are turned at once
};

// What is known of all corners.
typedef struct corner_table
{
	_Alignas( 16 ) int32_t vertex[most_corners][bvfit_box_lanes];
	_Alignas( 16 ) int32_t place[most_corners][bvfit_box_lanes]; // among the vertices of the lane
	bvbase_float4 point[bvfit_box_lanes][most_corners];          // by place, in units of the lane
} corner_table;

static void list_corners( const bvb_mesh* mesh, const bvhier_face_range of[bvfit_box_lanes], uint32_t most,
                          corner_table* c )
{
	for ( int lane = 0; lane < bvfit_box_lanes; ++lane )
	{
		for ( uint32_t i = 0; i < most; ++i )
		{
			const bvb_triangle* t = mesh->triangles + of[lane].first + ( i < of[lane].count ? i : 0 );
			for ( uint32_t k = 0; k < 3; ++k )
			{
				c->vertex[3 * i + k][lane] = (int32_t)t->corner[k];
			}
		}
	}
}

// Numbers the vertices of each lane as they are met first. Those of one face are not compared.
// @return the most of a lane
static uint32_t number_vertices( corner_table* c, uint32_t count )
{
	uint32_t most = 0;
	for ( int lane = 0; lane < bvfit_box_lanes; lane += columns )
	{
		bvbase_int4 next = { 0, 0, 0, 0 };
		for ( uint32_t i = 0; i < count; ++i )
		{
			bvbase_int4 vertex = *(const bvbase_int4*)( c->vertex[i] + lane );
			bvbase_int4 place = next;
			for ( uint32_t k = 0; k < i - i % 3; ++k )
			{
				bvbase_int4 same = vertex == *(const bvbase_int4*)( c->vertex[k] + lane );
				place = ( same & *(const bvbase_int4*)( c->place[k] + lane ) ) | ( ~same & place );
			}
			*(bvbase_int4*)( c->place[i] + lane ) = place;
			next -= place == next;
		}
		for ( int k = 0; k < columns; ++k )
		{
			most = (uint32_t)next[k] > most ? (uint32_t)next[k] : most;
		}
	}
	return most;
}

static bvbase_double2 size_of( bvbase_double2 x )
{
	return bvbase_greatest2( x, -x );
}

// The points of a lane in units of its own.
static void make_points( const bvb_mesh* mesh, uint32_t corners, uint32_t points, int lane, corner_table* c,
                         bvhier_fit_lane* out )
{
	bvbase_double2 xy[most_corners];
	bvbase_double2 z[most_corners];
	for ( uint32_t i = 0; i < points; ++i )
	{
		out->vertex[i] = (uint32_t)c->vertex[0][lane];
	}
	for ( uint32_t i = 0; i < corners; ++i )
	{
		out->vertex[c->place[i][lane]] = (uint32_t)c->vertex[i][lane];
	}
	bv_vec3 origin = mesh->positions[out->vertex[0]];
	bvbase_double2 most = { 0, 0 };
	for ( uint32_t i = 0; i < points; ++i )
	{
		bv_vec3 p = mesh->positions[out->vertex[i]];
		xy[i] = ( bvbase_double2 ){ p.x, p.y } - ( bvbase_double2 ){ origin.x, origin.y };
		z[i] = ( bvbase_double2 ){ p.z - origin.z, 0 };
		most = bvbase_greatest2( most, bvbase_greatest2( size_of( xy[i] ), size_of( z[i] ) ) );
	}
	bvhier_fit_units u = bvhier_fit_units_of( origin, bvmath_max( most[0], most[1] ) );
	for ( uint32_t i = 0; i < points; ++i )
	{
		bvbase_double2 a = u.scale * xy[i];
		bvbase_double2 b = u.scale * z[i];
		c->point[lane][i] = ( bvbase_float4 ){ (float)a[0], (float)a[1], (float)b[0], 0 };
	}
	out->units = u;
}

// Writes a point of each of four lanes.
static inline void put_columns( bvbase_float4 p0, bvbase_float4 p1, bvbase_float4 p2, bvbase_float4 p3,
                                bvfit_box_lane to[3], int lane )
{
	bvbase_float4 xy01 = __builtin_shufflevector( p0, p1, 0, 4, 1, 5 );
	bvbase_float4 xy23 = __builtin_shufflevector( p2, p3, 0, 4, 1, 5 );
	bvbase_float4 z01 = __builtin_shufflevector( p0, p1, 2, 6, 2, 6 );
	bvbase_float4 z23 = __builtin_shufflevector( p2, p3, 2, 6, 2, 6 );
	bvbase_float4 x = __builtin_shufflevector( xy01, xy23, 0, 1, 4, 5 );
	bvbase_float4 y = __builtin_shufflevector( xy01, xy23, 2, 3, 6, 7 );
	bvbase_float4 z = __builtin_shufflevector( z01, z23, 0, 1, 4, 5 );
	memcpy( to[0] + lane, &x, sizeof x );
	memcpy( to[1] + lane, &y, sizeof y );
	memcpy( to[2] + lane, &z, sizeof z );
}

static void put_lanes( const corner_table* c, int lane, bvfit_box_sets* out )
{
	const bvbase_float4* p0 = c->point[lane];
	const bvbase_float4* p1 = c->point[lane + 1];
	const bvbase_float4* p2 = c->point[lane + 2];
	const bvbase_float4* p3 = c->point[lane + 3];
	for ( uint32_t i = 0; i < out->points; ++i )
	{
		put_columns( p0[i], p1[i], p2[i], p3[i], out->point[i], lane );
	}
	for ( uint32_t i = 0; i < 3 * out->most; ++i )
	{
		const int32_t* place = c->place[i] + lane;
		put_columns( p0[place[0]], p1[place[1]], p2[place[2]], p3[place[3]], out->corner[i], lane );
	}
}

void bvhier_fit_sets_put( const bvb_mesh* mesh, const bvhier_face_range of[bvfit_box_lanes],
                          bvfit_box_sets* out, bvhier_fit_lane lanes[bvfit_box_lanes] )
{
	corner_table c;
	out->most = 0;
	for ( int lane = 0; lane < bvfit_box_lanes; ++lane )
	{
		out->most = of[lane].count > out->most ? of[lane].count : out->most;
		out->count[lane] = (float)of[lane].count;
	}
	list_corners( mesh, of, out->most, &c );
	out->points = number_vertices( &c, 3 * out->most );
	for ( int lane = 0; lane < bvfit_box_lanes; ++lane )
	{
		make_points( mesh, 3 * out->most, out->points, lane, &c, lanes + lane );
	}
	for ( int lane = 0; lane < bvfit_box_lanes; lane += columns )
	{
		put_lanes( &c, lane, out );
	}
}
