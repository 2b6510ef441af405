// Three mechanisms that move with little clearance: when do they touch?
//
//     moving                             all three, and screw.glb, slit.glb and gears.glb that show each until its contact
//     moving MECHANISM CHANGE DISTANCE   one sweep, as in moving gears 0 0.09: at what time are they as near as that?
//
// The .bvh files are in the folder where it is called. shapes.c makes their meshes.

#include "animation.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

static const double turn = 2 * 3.14159265358979323846;

// Sets both motions. `change` is what is wrong with one of them, 0 if nothing is.
typedef bv_status set_motions( double change, bv_motion motion[2] );

// The bolt turns five times in the nut, which is at rest. `change` is that of the pitch.
static bv_status unscrew( double change, bv_motion motion[2] )
{
	const double pitch = 1.5, turns = 5;
	bv_transform bolt = bv_transform_identity(), nut = bv_transform_translation( 0, 0, 0.5 * pitch );
	bv_status status = bv_motion_screw( &bolt, bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0, 0, 1 ), turns * turn,
	                                    turns * pitch * ( 1 + change ), &motion[0] );
	return status ? status : bv_motion_still( &nut, &motion[1] );
}

// A rod, longer than the slit, is in the middle of it at time 1/2, and perpendicular to the plate. `change` is by how much it is
// thrown too early.
static bv_status throw_rod( double change, bv_motion motion[2] )
{
	const double speed = 12, spin = 5;
	bv_vec3 axis = { 0.1, 1, 0 };
	bv_transform rod, plate = bv_transform_identity();
	bv_vec3 center = { 0, 0, speed * ( change - 0.5 ) };
	bv_status status = bv_transform_from_axis_angle( axis, -spin / 2, center, &rod );
	status = status ? status : bv_motion_screw( &rod, center, axis, spin, 0, &motion[0] );
	// A screw moves along its axis only. This one flies across it.
	motion[0].shift = bv_vec3_make( 0, 0, speed );
	return status ? status : bv_motion_still( &plate, &motion[1] );
}

// A pinion of 20 teeth turns once and drives a wheel of 30. `change` is that of the wheel's speed.
static bv_status drive( double change, bv_motion motion[2] )
{
	bv_vec3 up = { 0, 0, 1 }, center = { 50, 0, 0 };
	bv_transform pinion = bv_transform_identity(), wheel;
	// A gap of the wheel is where the pinion has a tooth.
	bv_status status = bv_transform_from_axis_angle( up, turn / 60, center, &wheel );
	status = status ? status : bv_motion_screw( &pinion, bv_vec3_make( 0, 0, 0 ), up, turn, 0, &motion[0] );
	return status ? status
	              : bv_motion_screw( &wheel, center, up, -turn * 20 / 30 * ( 1 + change ), 0, &motion[1] );
}

typedef struct mechanism
{
	const char* name;
	const char* file[2];
	set_motions* set;
	const char* right; // the motion without contact
	double distance;   // to which they come near during it
	const char* wrong; // the motion with a contact
	double change;     // what is wrong with it
	animation look;
} mechanism;

static const mechanism mechanisms[] = {
	{ "screw",
	  { "bolt.bvh", "nut.bvh" },
	  unscrew,
	  "5 turns of its pitch",
	  0.16,
	  "a pitch 10 % too large",
	  0.1,
	  { .meters = 0.001,
	    .seconds = 16,
	    .marker = 4,
	    .color = { { 0.85f, 0.7f, 0.3f, 1 }, { 0.4f, 0.6f, 0.8f, 0.35f } } } },
	{ "slit",
	  { "rod.bvh", "plate.bvh" },
	  throw_rod,
	  "thrown in time",
	  0.05,
	  "thrown 0.03 too early",
	  0.03,
	  { .meters = 1,
	    .seconds = 8,
	    .marker = 0.5,
	    .color = { { 0.85f, 0.7f, 0.3f, 1 }, { 0.4f, 0.6f, 0.8f, 1 } } } },
	{ "gears",
	  { "pinion.bvh", "wheel.bvh" },
	  drive,
	  "a turn at 20 : 30",
	  0.0945,
	  "the wheel 0.2 % too fast",
	  0.002,
	  { .meters = 0.001,
	    .seconds = 16,
	    .marker = 8,
	    .color = { { 0.85f, 0.7f, 0.3f, 1 }, { 0.4f, 0.6f, 0.8f, 0.5f } } } },
};

// The file is read in place.
static const bv_file* map( const char* path )
{
	const bv_file* file = NULL;
	const char* reason = "cannot be mapped";
	struct stat info = { .st_size = 0 };
	int handle = open( path, O_RDONLY );
	fstat( handle, &info );
	void* memory = mmap( NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, handle, 0 );
	if ( memory == MAP_FAILED || bv_file_open_explained( memory, (size_t)info.st_size, &file, &reason ) )
	{
		fprintf( stderr, "moving: %s: %s\n", path, reason );
	}
	return file;
}

// One sweep, and its line of output.
static bool sweep( const mechanism* m, const bv_file* const file[2], const bv_motion motion[2],
                   const char* what, double separation, bv_sweep_result* result )
{
	// Pairs of triangles that are near each other are kept here. Threads are near in hundreds of places.
	static uint64_t scratch[BV_SWEEP_SCRATCH_AMPLE / sizeof( uint64_t )];
	bv_sweep_options options = { .separation = separation,
		                         .scratch = scratch,
		                         .scratch_bytes = sizeof scratch };
	clock_t start = clock();
	bv_status status = bv_sweep_meshes( file[0], &motion[0], file[1], &motion[1], &options, result );
	double taken = 1e3 * (double)( clock() - start ) / CLOCKS_PER_SEC;
	if ( status != bv_ok )
	{
		fprintf( stderr, "moving: %s: invalid arguments\n", m->name );
		return false;
	}
	printf( "%-5s  %-24s  distance %.4f  ", m->name, what, separation );
	if ( result->found )
	{
		printf( "touches in [%.9f, %.9f]", result->lower, result->upper );
	}
	else
	{
		printf( "is free until %.9f             ", result->lower );
	}
	printf( "%s%s  %8.1f ms\n", result->certain ? "" : ", uncertain", result->complete ? "" : ", incomplete",
	        taken );
	return true;
}

static bool run( const mechanism* m, const bv_file* const file[2] )
{
	bv_motion right[2], wrong[2];
	bv_sweep_result none, near, contact;
	if ( m->set( 0, right ) || m->set( m->change, wrong ) || !sweep( m, file, right, m->right, 0, &none ) ||
	     !sweep( m, file, right, m->right, m->distance, &near ) ||
	     !sweep( m, file, wrong, m->wrong, 0, &contact ) )
	{
		return false;
	}
	animation show = m->look;
	show.name = m->name;
	show.contact = &contact;
	for ( int i = 0; i < 2; ++i )
	{
		show.file[i] = file[i];
		show.motion[i] = &wrong[i];
	}
	char path[32];
	snprintf( path, sizeof path, "%s.glb", m->name );
	return animation_write( &show, path );
}

static bool read_number( const char* text, double* out )
{
	char* end;
	*out = strtod( text, &end );
	return end > text && *end == 0;
}

int main( int count, char** arguments )
{
	double change = 0, distance = 0;
	bool known = count == 1;
	bool good = known || ( count == 4 && read_number( arguments[2], &change ) &&
	                       read_number( arguments[3], &distance ) );
	for ( size_t i = 0; good && i < sizeof mechanisms / sizeof *mechanisms; ++i )
	{
		const mechanism* m = &mechanisms[i];
		if ( count == 4 && strcmp( arguments[1], m->name ) != 0 )
		{
			continue;
		}
		known = true;
		const bv_file* const file[2] = { map( m->file[0] ), map( m->file[1] ) };
		bv_motion motion[2];
		bv_sweep_result result;
		good = file[0] && file[1] &&
		       ( count == 1 ? run( m, file )
		                    : !m->set( change, motion ) &&
		                          sweep( m, file, motion, arguments[2], distance, &result ) );
	}
	if ( !known )
	{
		fprintf( stderr, "usage: moving [screw|slit|gears CHANGE DISTANCE]\n" );
	}
	return good && known ? 0 : 1;
}
