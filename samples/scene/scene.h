// A scene as its file describes it, and what a run of it finds.

#pragma once

#include "bv/bv.h"
#include "bvworld/bvworld.h"

#include <stdint.h>

// Exit codes.
enum
{
	exit_usage = 1,
	exit_input = 2,  // the scene or a .bvh file
	exit_output = 4, // cannot be written
	exit_memory = 5, // or too many pairs
};

// What an object does after a contact.
typedef enum reply
{
	reply_stop = 0, // tries to go on in each frame
	reply_turn,     // goes back the way it came
	reply_bounce,   // its velocity is reflected
} reply;

// What follows the last key.
typedef enum repeat
{
	repeat_once = 0, // nothing
	repeat_loop,     // the first key
	repeat_swing,    // the keys in reverse
} repeat;

typedef struct key
{
	double time; // seconds
	bv_transform at;
} key;

typedef struct object
{
	char* name;
	uint32_t file; // BVW_NO_FILE for a node without a mesh
	uint32_t parent;
	uint32_t group; // from 1 on; 0: alone
	uint64_t category, mask;
	bv_transform at; // relative to the parent, at present
	bv_vec3 pivot;
	key* keys;
	uint32_t key_count;
	repeat repeat;
	bv_vec3 velocity;  // units per second
	bv_vec3 spin_axis; // a unit vector
	double spin;       // radians per second
	reply reply;
	bool has_reply;

	double clock;     // seconds of its keys
	double direction; // of the clock: 1 or -1
} object;

typedef struct scene
{
	const char* path;
	const bv_file** files;
	char** file_names;
	uint32_t file_count;
	object* objects;
	uint32_t object_count;
	char** groups;
	uint32_t group_count;
	uint32_t frames;
	double rate;           // frames per second
	uint64_t budget_tests; // 0: none
	double budget_ms;      // 0: none
	uint64_t gap_tests;
	bvw_stop_rule rule;
	bvw_method method;
	bv_sweep_mode mode;
	double separation;
	bool ignore_touching;
} scene;

// The states of two objects near each other, the worst one last.
typedef enum state
{
	state_apart = 0,
	state_undecided,
	state_touching,
} state;

typedef struct pair
{
	uint32_t a, b;
	state state;
	double lower, upper; // of the distance of pairs that are undecided
} pair;

// What is known of a frame.
typedef struct frame
{
	uint32_t pair_count, contact_count;
	pair* pairs;
	bvw_control_contact* contacts;
	uint32_t swept;
	uint32_t held; // groups held back
	double mean;   // part of the way that groups went
	bool is_undecided;
	uint64_t tests;
	double ms;
	double processor_ms;
} frame;

typedef struct run
{
	frame* frames;
	bv_transform* places; // of all objects, in the world: at the start and after each frame
} run;

// Prints "scene: ", the text and a line feed on standard error, and ends the program.
void fail( int code, const char* format, ... );

// Zeros; ends the program if there is not enough memory.
void* allocate( size_t count, size_t size );

// Appends to an array of `count` elements, which grows by doubling.
void* append( void* array, uint32_t count, size_t size );

// The bytes of a file and a zero; null if it cannot be read.
char* read_file( const char* path, size_t* size );

// Reads a scene. Ends the program if something in it is invalid.
void scene_read( const char* path, scene* out );

// Where an object is `seconds` later, relative to its parent, if it does not stop.
bv_transform object_after( const object* o, double seconds );

// Moves an object for that time.
void object_advance( object* o, double seconds );

// An object of a group that has touched: with its point of contact, and the direction away from what it touches.
void object_answer( object* o, const bv_transform* in_world, bv_vec3 point, bv_vec3 away );

// Runs all frames.
void scene_run( scene* s, run* out );

// Writes PREFIX.glb and PREFIX.html. If one cannot be written, none is there, and the program ends.
void show( const scene* s, const run* r, const char* prefix );

// Writes a scene of `count` objects made of the .bvh files in a folder.
void crowd( uint32_t count, const char* folder, const char* path );
