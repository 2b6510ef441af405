// What queries save that start with the result of the previous frame. The second of two files moves toward
// the first by 0.1 % of its diagonal and 0.2 degrees per frame, through contact, from the first poses of a
// file.
//
//   bench_coherent A.bvh B.bvh A__B.csv

#include "tests/bench/judge.h"

#include <inttypes.h>

enum
{
	frames = 200, // of a path; the first half begins a tenth of the diagonal away from the pose
	paths = 8,
	pose_stride = 3, // poses of one direction follow each other in files
	repeats = 9,
};

typedef struct scene
{
	const bv_file* a;
	const bv_file* b;
	bv_transform placed[paths * frames];
	uint32_t count;
} scene;

typedef struct work
{
	double seconds;
	uint64_t volume_tests;
	uint64_t triangle_tests;
} work;

// Takes the pose to that of a frame: moved along the line to a's origin, turned about b's.
static bv_transform place( const bv_pose* pose, double moved, double turned )
{
	bv_transform out = bv_transform_of_pose( pose );
	bv_vec3* to = &out.pose.translation;
	double from_origin = sqrt( to->x * to->x + to->y * to->y + to->z * to->z );
	double part = from_origin > 0 ? 1 - moved / from_origin : 1;
	*to = ( bv_vec3 ){ part * to->x, part * to->y, part * to->z };
	for ( int k = 0; k < 3; ++k )
	{
		double x = pose->rotation[0][k];
		double y = pose->rotation[1][k];
		out.pose.rotation[0][k] = cos( turned ) * x - sin( turned ) * y;
		out.pose.rotation[1][k] = sin( turned ) * x + cos( turned ) * y;
	}
	return out;
}

static void lay_paths( const judge_poses* poses, scene* out )
{
	bv_file_bounds bounds;
	bv_file_get_bounds( out->b, &bounds );
	bv_aabb box = bounds.aabb;
	double x = box.upper.x - box.lower.x;
	double y = box.upper.y - box.lower.y;
	double z = box.upper.z - box.lower.z;
	double step = 0.001 * sqrt( x * x + y * y + z * z );
	double turn = 0.2 * 3.14159265358979 / 180;
	out->count = 0;
	for ( uint32_t i = 0; i < paths && pose_stride * i < poses->count; ++i )
	{
		for ( int k = 0; k < frames; ++k )
		{
			int frame = k - frames / 2;
			out->placed[out->count++] =
				place( &poses->poses[pose_stride * i].pose, step * frame, turn * frame );
		}
	}
}

static void check( bv_status status )
{
	if ( status != bv_ok )
	{
		fprintf( stderr, "bench_coherent: a file has no hierarchy\n" );
		exit( 2 );
	}
}

static void measure_distance( const scene* s, uint32_t i, bool resumes, bv_distance_result* result )
{
	bv_distance_options options = bv_distance_options_default();
	options.last = resumes && i % frames > 0 ? result : NULL;
	check( bv_mesh_distance( s->a, s->b, s->placed + i, &options, result ) );
}

static void find_first( const scene* s, uint32_t i, bool resumes, bv_collide_result* result )
{
	bv_collide_options options = bv_collide_options_default();
	options.first = true;
	options.last = resumes && i % frames > 0 ? result : NULL;
	check( bv_mesh_collide( s->a, s->b, s->placed + i, &options, result ) );
}

// Follows all paths. What is done where meshes are apart comes first, then what is where they meet.
static void follow( const scene* s, bool distances, bool resumes, work out[2], uint32_t count[2] )
{
	bv_distance_result near = { .found = false };
	bv_collide_result hit = { .pairs = 0 };
	memset( out, 0, 2 * sizeof *out );
	count[0] = count[1] = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		double start = core_now();
		if ( distances )
		{
			measure_distance( s, i, resumes, &near );
		}
		else
		{
			find_first( s, i, resumes, &hit );
		}
		double seconds = core_now() - start;
		int met = distances ? near.distance == 0 : hit.pairs > 0;
		count[met] += 1;
		out[met].seconds += seconds;
		out[met].volume_tests += distances ? near.volume_tests : hit.volume_tests;
		out[met].triangle_tests += distances ? near.triangle_tests : hit.triangle_tests;
	}
}

static void report( const scene* s, bool distances )
{
	work least[2][2];
	uint32_t count[2];
	for ( int i = 0; i < repeats; ++i )
	{
		for ( int resumes = 0; resumes < 2; ++resumes )
		{
			work done[2];
			follow( s, distances, resumes, done, count );
			for ( int met = 0; met < 2; ++met )
			{
				work* to = &least[resumes][met];
				double before = i > 0 ? to->seconds : INFINITY;
				*to = done[met];
				to->seconds = fmin( before, done[met].seconds );
			}
		}
	}
	for ( int met = 0; met < 2; ++met )
	{
		const work* anew = &least[0][met];
		const work* last = &least[1][met];
		double n = count[met] > 0 ? count[met] : 1;
		printf( "%s, %s\t%" PRIu32 "\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\n",
		        distances ? "distance" : "first pair", met ? "meet" : "apart", count[met],
		        (double)anew->volume_tests / n, (double)last->volume_tests / n,
		        (double)anew->triangle_tests / n, (double)last->triangle_tests / n, 1e6 * anew->seconds / n,
		        1e6 * last->seconds / n, anew->seconds / last->seconds );
	}
}

int main( int count, char** arguments )
{
	static scene s;
	bvb_mapping a;
	bvb_mapping b;
	judge_poses poses;
	bvb_error error;
	bvb_arena* arena = bvb_arena_create();
	if ( count != 4 || !arena )
	{
		fprintf( stderr, "usage: bench_coherent A.bvh B.bvh A__B.csv\n" );
		return 1;
	}
	if ( bvb_file_map( arguments[1], &a, &error ) != bv_ok ||
	     bvb_file_map( arguments[2], &b, &error ) != bv_ok ||
	     judge_read_poses( arguments[3], arena, &poses, &error ) != bv_ok )
	{
		fprintf( stderr, "bench_coherent: %s\n", error.message );
		return 2;
	}
	s.a = a.file;
	s.b = b.file;
	lay_paths( &poses, &s );
	printf( "query\tframes\tvolume tests\twith last\ttriangle tests\twith last\tmicroseconds\twith "
	        "last\ttimes as fast\n" );
	report( &s, true );
	report( &s, false );
	bvb_file_unmap( &b );
	bvb_file_unmap( &a );
	bvb_arena_destroy( arena );
	return 0;
}
