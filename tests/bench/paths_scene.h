// Scenes of bench_paths: parts that stand still, and a part that is led along a path. Both are read from CSV files, so that all
// runs have the same poses.

#pragma once

#include "bvworld/bvworld.h"
#include "tests/bench/measure.h"
#include "tests/bench/open_bvh.h"
#include "tests/bench/paths_meshes.h"

#include <stdarg.h>

enum
{
	given_mesh_count = 7, // on the command line
	mesh_count = given_mesh_count + made_mesh_count,
	mesh_bolt = given_mesh_count,
	mesh_nut,
	mesh_blade,
	mesh_plate,
	most_parts = 32,
	most_steps = 512,
};

// A part that stands still.
typedef struct scene_part
{
	int mesh;
	bv_transform placement;
} scene_part;

// Where the part that moves is after a step, from the first one.
typedef struct scene_path
{
	bv_transform pose[most_steps];
	int count;
} scene_path;

// What is measured.
typedef struct path_scene
{
	const char* name;
	const char* parts_file; // without .csv, in the folder of paths
	int mover;              // mesh that moves
	scene_part part[most_parts];
	int part_count;
	scene_path path;
	double size; // half the diagonal of the part that moves
} path_scene;

// One hierarchy of each mesh.
typedef struct mesh_files
{
	const bv_file* of[mesh_count];
} mesh_files;

__attribute__( ( format( printf, 1, 2 ), noreturn ) ) static inline void give_up( const char* why, ... )
{
	va_list arguments;
	va_start( arguments, why );
	fprintf( stderr, "bench_paths: " );
	vfprintf( stderr, why, arguments );
	fprintf( stderr, "\n" );
	va_end( arguments );
	exit( 2 );
}

// An answer is wrong.
__attribute__( ( format( printf, 1, 2 ), noreturn ) ) static inline void contradict( const char* what, ... )
{
	va_list arguments;
	va_start( arguments, what );
	fprintf( stderr, "bench_paths: contradiction: " );
	vfprintf( stderr, what, arguments );
	fprintf( stderr, "\n" );
	va_end( arguments );
	exit( 1 );
}

static inline void require_ok( bv_status status, const char* what )
{
	if ( status != bv_ok )
	{
		give_up( "%s: error %d", what, (int)status );
	}
}

static const char path_header[] = "step,x,y,z,qx,qy,qz,qw\n";
static const char part_header[] = "part,mesh,scale,x,y,z,qx,qy,qz,qw\n";

static inline FILE* open_csv( const char* folder, const char* name, const char* mode )
{
	char path[1024];
	snprintf( path, sizeof path, "%s/%s.csv", folder, name );
	FILE* file = fopen( path, mode );
	if ( !file )
	{
		give_up( "%s cannot be opened", path );
	}
	return file;
}

static inline void require_header( FILE* file, const char* header, const char* name )
{
	char line[128];
	if ( !fgets( line, sizeof line, file ) || strcmp( line, header ) != 0 )
	{
		give_up( "%s.csv has another header", name );
	}
}

static inline void read_path( const char* folder, path_scene* s )
{
	FILE* file = open_csv( folder, s->name, "r" );
	bv_quaternion q;
	bv_vec3 p;
	int step;
	require_header( file, path_header, s->name );
	s->path.count = 0;
	while ( s->path.count < most_steps && fscanf( file, "%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &step, &p.x, &p.y,
	                                              &p.z, &q.x, &q.y, &q.z, &q.w ) == 8 )
	{
		require_ok( bv_transform_from_quaternion( q, p, &s->path.pose[s->path.count++] ), s->name );
	}
	fclose( file );
	if ( s->path.count < 2 )
	{
		give_up( "%s.csv has no steps", s->name );
	}
}

static inline void read_parts( const char* folder, path_scene* s )
{
	FILE* file = open_csv( folder, s->parts_file, "r" );
	bv_quaternion q;
	bv_vec3 p;
	double scale;
	int number;
	int mesh;
	require_header( file, part_header, s->parts_file );
	s->part_count = 0;
	while ( s->part_count < most_parts &&
	        fscanf( file, "%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &number, &mesh, &scale, &p.x, &p.y, &p.z,
	                &q.x, &q.y, &q.z, &q.w ) == 10 )
	{
		scene_part* part = s->part + s->part_count++;
		part->mesh = mesh;
		if ( mesh < 0 || mesh >= mesh_count )
		{
			give_up( "%s.csv: there is no mesh %d", s->parts_file, mesh );
		}
		require_ok( bv_transform_from_trs( p, q, scale, &part->placement ), s->parts_file );
	}
	fclose( file );
}

static inline void write_pose( FILE* file, const bv_transform* pose )
{
	bv_quaternion q = bv_transform_to_quaternion( pose );
	bv_vec3 p = pose->pose.translation;
	fprintf( file, "%.6f,%.6f,%.6f,%.7f,%.7f,%.7f,%.7f\n", p.x, p.y, p.z, q.x, q.y, q.z, q.w );
}

static inline void write_path( const char* folder, const path_scene* s )
{
	FILE* file = open_csv( folder, s->name, "w" );
	fputs( path_header, file );
	for ( int i = 0; i < s->path.count; ++i )
	{
		fprintf( file, "%d,", i );
		write_pose( file, s->path.pose + i );
	}
	fclose( file );
}

static inline void write_parts( const char* folder, const path_scene* s )
{
	FILE* file = open_csv( folder, s->parts_file, "w" );
	fputs( part_header, file );
	for ( int i = 0; i < s->part_count; ++i )
	{
		fprintf( file, "%d,%d,%.6f,", i, s->part[i].mesh, s->part[i].placement.scale );
		write_pose( file, &s->part[i].placement );
	}
	fclose( file );
}

static inline bool boxes_touch( const bv_aabb* a, const bv_aabb* b, double margin )
{
	return a->lower.x <= b->upper.x + margin && b->lower.x <= a->upper.x + margin &&
	       a->lower.y <= b->upper.y + margin && b->lower.y <= a->upper.y + margin &&
	       a->lower.z <= b->upper.z + margin && b->lower.z <= a->upper.z + margin;
}

static inline bv_aabb box_of_mesh( const mesh_files* files, int mesh, const bv_transform* placement )
{
	bv_aabb box;
	require_ok( bvw_file_box( files->of[mesh], placement, &box ), "a box" );
	return box;
}

// The parts whose boxes are no farther than a margin from a box.
typedef struct near_parts
{
	int part[most_parts];
	int count;
} near_parts;

static inline near_parts parts_near( const path_scene* s, const mesh_files* files, const bv_aabb* box,
                                     double margin )
{
	near_parts out = { .count = 0 };
	for ( int i = 0; i < s->part_count; ++i )
	{
		bv_aabb other = box_of_mesh( files, s->part[i].mesh, &s->part[i].placement );
		if ( boxes_touch( box, &other, margin ) )
		{
			out.part[out.count++] = i;
		}
	}
	return out;
}

static inline near_parts parts_near_pose( const path_scene* s, const mesh_files* files,
                                          const bv_transform* pose, double margin )
{
	bv_aabb box = box_of_mesh( files, s->mover, pose );
	return parts_near( s, files, &box, margin );
}

// What a static query of the part that moves and all parts near it found.
typedef struct static_answer
{
	uint64_t pairs;
	uint64_t tests;
} static_answer;

static inline static_answer collide_pose( const path_scene* s, const mesh_files* files,
                                          const near_parts* near, const bv_transform* pose,
                                          const bv_collide_options* options )
{
	static_answer out = { 0 };
	for ( int i = 0; i < near->count && !( options->first && out.pairs > 0 ); ++i )
	{
		const scene_part* part = s->part + near->part[i];
		bv_transform mover_in_part = bv_transform_between( &part->placement, pose );
		bv_collide_result r;
		require_ok(
			bv_mesh_collide( files->of[part->mesh], files->of[s->mover], &mover_in_part, options, &r ),
			"a static query" );
		out.pairs += r.pairs;
		out.tests += r.volume_tests + r.triangle_tests;
	}
	return out;
}

// Over the steps of a path.
typedef struct spread
{
	double mean;
	double high; // 99th percentile
	double greatest;
} spread;

// Sorts the values.
static inline spread spread_of( double* values, int count )
{
	spread out = { 0 };
	for ( int i = 0; i < count; ++i )
	{
		out.mean += values[i] / count;
	}
	qsort( values, (size_t)count, sizeof *values, compare_doubles );
	out.high = values[(int)( 0.99 * ( count - 1 ) + 0.5 )];
	out.greatest = values[count - 1];
	return out;
}
