// Meshes of bench_paths that are made: a bolt and a nut with a thread, a blade, and a plate with a slit. They are closed, and their
// faces are counterclockwise seen from outside.

#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static const double full_turn = 6.28318530717958647692;

// An OBJ file that is being written.
typedef struct obj_writer
{
	FILE* file;
	int vertices;
	bool is_flipped; // faces are written in the opposite order
} obj_writer;

static inline int put_vertex( obj_writer* to, double x, double y, double z )
{
	fprintf( to->file, "v %.9f %.9f %.9f\n", x, y, z );
	return ++to->vertices;
}

static inline void put_triangle( const obj_writer* to, int a, int b, int c )
{
	fprintf( to->file, "f %d %d %d\n", a, to->is_flipped ? c : b, to->is_flipped ? b : c );
}

static inline void put_quad( const obj_writer* to, int a, int b, int c, int d )
{
	put_triangle( to, a, b, c );
	put_triangle( to, a, c, d );
}

enum
{
	thread_sides = 40,   // of a turn
	profile_points = 12, // of a turn, along the axis
	most_turns = 8,
	most_border = thread_sides + profile_points,
};

static const double thread_pitch = 1.5;

// One point of the section of a thread. Lengths along the axis are parts of the pitch.
typedef struct profile_point
{
	double height;
	double radius;
} profile_point;

// The ridge of the bolt is 0.40 pitches wide at its root and 0.16 at its crest. The groove of the nut is wider by 0.06 pitches
// on each side, and the radii leave 0.1.
static const profile_point bolt_profile[profile_points] = {
	{ 0.00, 4.1 }, { 0.10, 4.1 }, { 0.20, 4.1 }, { 0.30, 4.1 }, { 0.36, 4.5 }, { 0.42, 4.9 },
	{ 0.50, 4.9 }, { 0.58, 4.9 }, { 0.64, 4.5 }, { 0.70, 4.1 }, { 0.80, 4.1 }, { 0.90, 4.1 },
};
static const profile_point nut_profile[profile_points] = {
	{ 0.000, 4.2 }, { 0.125, 4.2 }, { 0.255, 4.2 }, { 0.315, 4.6 }, { 0.375, 5.0 }, { 0.440, 5.0 },
	{ 0.500, 5.0 }, { 0.560, 5.0 }, { 0.625, 5.0 }, { 0.685, 4.6 }, { 0.745, 4.2 }, { 0.875, 4.2 },
};

// A surface that winds around the z axis: rows of vertices run along helices, so that edges of the ridge are edges of the mesh. The
// row k at the angle of a whole turn is the row k + profile_points at the angle 0.
typedef struct winding
{
	int rows;
	int vertex[most_turns * profile_points + 1][thread_sides];
} winding;

// @param radius  0 for that of the profile
static inline void put_winding( obj_writer* to, const profile_point* profile, int turns, double radius,
                                winding* out )
{
	out->rows = ( turns - 1 ) * profile_points;
	for ( int k = 0; k < turns * profile_points; ++k )
	{
		const profile_point* p = profile + k % profile_points;
		double r = radius > 0 ? radius : p->radius;
		for ( int i = 0; i < thread_sides; ++i )
		{
			double angle = full_turn * i / thread_sides;
			double turn = k / profile_points + (double)i / thread_sides;
			bool is_used = k <= out->rows || i == 0;
			out->vertex[k][i] = is_used ? put_vertex( to, r * cos( angle ), r * sin( angle ),
			                                          thread_pitch * ( p->height + turn ) )
			                            : 0;
		}
	}
	// The seam ends where a last row begins.
	int end = turns * profile_points;
	out->vertex[end][0] = put_vertex( to, radius > 0 ? radius : profile->radius, 0, thread_pitch * turns );
}

static inline int vertex_of_winding( const winding* w, int k, int i )
{
	return i < thread_sides ? w->vertex[k][i] : w->vertex[k + profile_points][0];
}

static inline void put_winding_faces( const obj_writer* to, const winding* w )
{
	for ( int k = 0; k < w->rows; ++k )
	{
		for ( int i = 0; i < thread_sides; ++i )
		{
			put_quad( to, vertex_of_winding( w, k, i ), vertex_of_winding( w, k, i + 1 ),
			          vertex_of_winding( w, k + 1, i + 1 ), vertex_of_winding( w, k + 1, i ) );
		}
	}
}

// The border of a winding at its row k: around the axis, and back along the seam.
static inline int border_of_winding( const winding* w, int k, int border[most_border] )
{
	int count = 0;
	for ( int i = 0; i <= thread_sides; ++i )
	{
		border[count++] = vertex_of_winding( w, k, i );
	}
	for ( int j = profile_points - 1; j > 0; --j )
	{
		border[count++] = w->vertex[k + j][0];
	}
	return count;
}

static inline void write_bolt( obj_writer* to )
{
	static winding w;
	int border[most_border + 1];
	const int turns = 7;
	put_winding( to, bolt_profile, turns, 0, &w );
	put_winding_faces( to, &w );
	for ( int end = 0; end < 2; ++end )
	{
		int count = border_of_winding( &w, end * w.rows, border );
		int center = put_vertex( to, 0, 0, thread_pitch * ( end * ( turns - 1 ) + 0.5 ) );
		for ( int i = 0; i < count; ++i )
		{
			int next = ( i + 1 ) % count;
			put_triangle( to, center, border[end ? i : next], border[end ? next : i] );
		}
	}
}

static inline void write_nut( obj_writer* to )
{
	static winding inner;
	static winding outer;
	int inside[most_border + 1];
	int outside[most_border + 1];
	const int turns = 4;
	put_winding( to, nut_profile, turns, 0, &inner );
	put_winding( to, nut_profile, turns, 8, &outer );
	put_winding_faces( to, &outer );
	to->is_flipped = true;
	put_winding_faces( to, &inner );
	for ( int end = 0; end < 2; ++end )
	{
		int count = border_of_winding( &inner, end * inner.rows, inside );
		(void)border_of_winding( &outer, end * outer.rows, outside );
		to->is_flipped = end == 0;
		for ( int i = 0; i < count; ++i )
		{
			int next = ( i + 1 ) % count;
			put_quad( to, inside[i], outside[i], outside[next], inside[next] );
		}
	}
}

// A long blade of elliptic section, 4 by 0.5 by 0.2.
static inline void write_blade( obj_writer* to )
{
	enum
	{
		sides = 32,
		rings = 80,
	};
	for ( int k = 0; k <= rings; ++k )
	{
		for ( int i = 0; i < sides; ++i )
		{
			double angle = full_turn * i / sides;
			put_vertex( to, 0.25 * cos( angle ), 0.1 * sin( angle ), 4.0 * k / rings - 2 );
		}
	}
	for ( int k = 0; k < rings; ++k )
	{
		for ( int i = 0; i < sides; ++i )
		{
			int low = sides * k + 1;
			int next = ( i + 1 ) % sides;
			put_quad( to, low + i, low + next, low + sides + next, low + sides + i );
		}
	}
	for ( int end = 0; end < 2; ++end )
	{
		int center = put_vertex( to, 0, 0, end ? 2 : -2 );
		int ring = 1 + end * rings * sides;
		for ( int i = 0; i < sides; ++i )
		{
			int next = ( i + 1 ) % sides;
			put_triangle( to, center, ring + ( end ? i : next ), ring + ( end ? next : i ) );
		}
	}
}

enum
{
	plate_columns = 40,
	plate_rows = 32,
};

// The slit is 14 by 6 cells in the middle.
static inline bool is_solid( int x, int y )
{
	return x >= 0 && y >= 0 && x < plate_columns && y < plate_rows &&
	       !( x >= 13 && x < 27 && y >= 13 && y < 19 );
}

static inline int corner_of_plate( int x, int y, int side )
{
	return 1 + ( side * ( plate_rows + 1 ) + y ) * ( plate_columns + 1 ) + x;
}

static inline void put_wall( const obj_writer* to, int x0, int y0, int x1, int y1 )
{
	put_quad( to, corner_of_plate( x0, y0, 0 ), corner_of_plate( x1, y1, 0 ), corner_of_plate( x1, y1, 1 ),
	          corner_of_plate( x0, y0, 1 ) );
}

// A plate of 2 by 1.6 by 0.1 with a slit of 0.7 by 0.3. Corners inside of the slit belong to no face.
static inline void write_plate( obj_writer* to )
{
	for ( int side = 0; side < 2; ++side )
	{
		for ( int y = 0; y <= plate_rows; ++y )
		{
			for ( int x = 0; x <= plate_columns; ++x )
			{
				put_vertex( to, 0.05 * x - 1, 0.05 * y - 0.8, side ? 0.05 : -0.05 );
			}
		}
	}
	for ( int y = 0; y < plate_rows; ++y )
	{
		for ( int x = 0; x < plate_columns; ++x )
		{
			if ( !is_solid( x, y ) )
			{
				continue;
			}
			put_quad( to, corner_of_plate( x, y, 1 ), corner_of_plate( x + 1, y, 1 ),
			          corner_of_plate( x + 1, y + 1, 1 ), corner_of_plate( x, y + 1, 1 ) );
			put_quad( to, corner_of_plate( x, y, 0 ), corner_of_plate( x, y + 1, 0 ),
			          corner_of_plate( x + 1, y + 1, 0 ), corner_of_plate( x + 1, y, 0 ) );
			const int walls[4][6] = { { x, y - 1, x, y, x + 1, y },
				                      { x + 1, y, x + 1, y, x + 1, y + 1 },
				                      { x, y + 1, x + 1, y + 1, x, y + 1 },
				                      { x - 1, y, x, y + 1, x, y } };
			for ( int i = 0; i < 4; ++i )
			{
				const int* wall = walls[i];
				if ( !is_solid( wall[0], wall[1] ) )
				{
					put_wall( to, wall[2], wall[3], wall[4], wall[5] );
				}
			}
		}
	}
}

// A mesh that is made.
typedef struct made_mesh
{
	const char* name;
	void ( *write )( obj_writer* to );
} made_mesh;

static const made_mesh made_meshes[] = {
	{ "bolt", write_bolt },
	{ "nut", write_nut },
	{ "blade", write_blade },
	{ "plate", write_plate },
};

enum
{
	made_mesh_count = sizeof made_meshes / sizeof *made_meshes,
};

// @return false if a file cannot be written
static inline bool write_meshes( const char* folder )
{
	for ( int i = 0; i < made_mesh_count; ++i )
	{
		char path[1024];
		snprintf( path, sizeof path, "%s/%s.obj", folder, made_meshes[i].name );
		obj_writer to = { .file = fopen( path, "w" ) };
		if ( !to.file )
		{
			return false;
		}
		made_meshes[i].write( &to );
		if ( fclose( to.file ) != 0 )
		{
			return false;
		}
	}
	return true;
}
