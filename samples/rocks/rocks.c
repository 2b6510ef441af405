// Rocks fall through a grid of pillars. A broad phase finds which boxes touch, and libbv how far the convex hulls in the .bvh files are
// apart; what overlaps is pushed apart.
//
//     rocks [ROCKS STEPS]   writes rocks.glb; by default 10,000 rocks and 360 steps, which are 6 seconds
//
// Based on: M. Mueller et al., "Detailed rigid body simulation with extended position based dynamics", 2020. Rocks turn as balls do.
//
// The .bvh files are in the folder where it is called. shapes.c makes their meshes.

#include "show.h"

#include "bvworld/bvworld.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
	rock_files = 4,
	files = rock_files + 1,
	side = 6, // pillars along each side of the grid
	pillars = side * side,
	most_rocks = 100000,
	rounds = 4, // in which contacts are solved, in each step
	steps_per_key = 6,
};

static const double step = 1.0 / 60; // seconds
static const double gravity = 9.81;
static const double fastest = 8;   // meters a second, as of air
static const double margin = 0.02; // shapes that are this near are contacts
static const double friction = 0.4;
static const double inertia = 0.4 * 0.25 * 0.25; // of a ball with the mass 1
static const double spacing = 2.6;               // of pillars

typedef struct rock
{
	bv_vec3 position, before, velocity;
	bv_vec3 spin;              // radians a second
	bv_vec3 turn;              // in this step
	bv_vec3 moved;             // by contacts in this step
	bv_quaternion orientation; // at the begin of the step
} rock;

// Two objects that are near each other.
typedef struct contact
{
	uint32_t object[2];
	bv_vec3 normal;    // from the first to the second
	bv_vec3 arm[2];    // from the center of each rock to its nearest point
	bv_vec3 turned[2]; // what each rock had turned when the distance was measured
	double distance;
} contact;

typedef struct simulation
{
	uint32_t rocks, objects; // pillars and the floor come after the rocks
	const bv_file* files[files];
	double reach[rock_files]; // of the hull, from the origin of the file
	rock* rock;
	bvw_instance* instances;
	bvw_broadphase* world;
	bvw_pair* pairs;
	contact* contacts;
	uint32_t most_pairs, pair_count, contact_count;
	uint64_t pairs_seen, contacts_seen;
	double broad, narrow, rest; // seconds of processor time
	double deepest;             // of a rock in a pillar
} simulation;

static void fail( const char* what, const char* reason )
{
	fprintf( stderr, "rocks: %s: %s\n", what, reason );
	exit( 1 );
}

static void* allocate( size_t count, size_t size )
{
	void* memory = calloc( count, size );
	if ( !memory )
	{
		fail( "memory", "there is not enough" );
	}
	return memory;
}

static double seconds( void )
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static const bv_file* load( const char* path )
{
	const char* reason = "cannot be read";
	const bv_file* file = NULL;
	FILE* in = fopen( path, "rb" );
	if ( !in )
	{
		fail( path, reason );
	}
	fseek( in, 0, SEEK_END );
	size_t size = (size_t)ftell( in );
	void* memory = allocate( size + 1, 1 );
	rewind( in );
	if ( fread( memory, 1, size, in ) != size ||
	     bv_file_open_explained( memory, size, &file, &reason ) != bv_ok )
	{
		fail( path, reason );
	}
	fclose( in );
	return file;
}

// S. Vigna's splitmix64.
static double draw( uint64_t* state )
{
	uint64_t z = ( *state += UINT64_C( 0x9e3779b97f4a7c15 ) );
	z = ( z ^ z >> 30 ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	z = ( z ^ z >> 27 ) * UINT64_C( 0x94d049bb133111eb );
	return (double)( ( z ^ z >> 31 ) >> 11 ) * 0x1p-53;
}

static bool is_rock( const simulation* s, uint32_t object )
{
	return object < s->rocks;
}

static void place( simulation* s, uint32_t i )
{
	const rock* r = s->rock + i;
	double angle = bv_length( r->turn );
	bv_quaternion turn = bv_quaternion_identity();
	bv_quaternion_from_axis_angle( angle > 0 ? r->turn : bv_vec3_make( 1, 0, 0 ), angle, &turn );
	bv_quaternion q = bv_quaternion_multiply( turn, r->orientation );
	bv_transform_from_quaternion( q, r->position, &s->instances[i].placement );
}

// The box of an object and the margin in which contacts are looked for.
static bv_aabb box_of( const simulation* s, uint32_t i )
{
	const bvw_instance* at = s->instances + i;
	bv_aabb box = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, 0 } };
	bv_vec3 around = { margin, margin, margin };
	if ( at->file != BVW_NO_FILE && bvw_file_box( s->files[at->file], &at->placement, &box ) != bv_ok )
	{
		fail( "a rock", "it is nowhere" );
	}
	return ( bv_aabb ){ bv_sub( box.lower, around ), bv_add( box.upper, around ) };
}

// Layers of rocks over the pillars, with random orientations.
static void begin_rocks( simulation* s )
{
	uint64_t random = 1;
	const double apart = 0.68;
	const uint32_t across = (uint32_t)( side * spacing / apart );
	for ( uint32_t i = 0; i < s->rocks; ++i )
	{
		rock* r = s->rock + i;
		uint32_t x = i % across, y = i / across % across, z = i / across / across;
		double off = -0.5 * apart * ( across - 1 );
		r->position = bv_vec3_make( off + apart * x + 0.05 * draw( &random ),
		                            off + apart * y + 0.05 * draw( &random ), 5.4 + apart * z );
		bv_vec3 axis = { draw( &random ) - 0.5, draw( &random ) - 0.5, draw( &random ) - 0.5 };
		bv_quaternion_from_axis_angle( axis, 6 * draw( &random ), &r->orientation );
		s->instances[i].file = i % rock_files;
		place( s, i );
	}
}

static void begin_others( simulation* s )
{
	for ( int i = 0; i < pillars; ++i )
	{
		bvw_instance* at = s->instances + s->rocks + i;
		at->file = rock_files;
		at->placement = bv_transform_translation( spacing * ( i % side - 0.5 * ( side - 1 ) ),
		                                          spacing * ( i / side - 0.5 * ( side - 1 ) ), 0 );
	}
	s->instances[s->objects - 1] = ( bvw_instance ){ BVW_NO_FILE, bv_transform_identity() };
}

static void begin( simulation* s )
{
	// Nearly all objects move in each step.
	const bvw_broadphase_options options = { .objects = s->objects,
		                                     .pairs = 20 * s->objects,
		                                     .method = bvw_method_rows };
	size_t bytes = bvw_broadphase_bytes( &options );
	s->most_pairs = options.pairs;
	s->rock = allocate( s->rocks, sizeof *s->rock );
	s->instances = allocate( s->objects, sizeof *s->instances );
	s->pairs = allocate( s->most_pairs, sizeof *s->pairs );
	s->contacts = allocate( s->most_pairs, sizeof *s->contacts );
	begin_rocks( s );
	begin_others( s );
	if ( bvw_broadphase_begin( allocate( bytes, 1 ), bytes, &options, &s->world ) != bv_ok )
	{
		fail( "broad phase", "invalid options" );
	}
	for ( uint32_t i = 0; i < s->objects; ++i )
	{
		// Pillars and the floor make pairs with rocks only.
		bool moves = is_rock( s, i );
		bvw_object object = { .box = box_of( s, i ), .category = moves ? 1 : 2, .mask = moves ? 3 : 1 };
		bvw_broadphase_add( s->world, i, &object );
	}
}

static void predict( simulation* s )
{
	for ( uint32_t i = 0; i < s->rocks; ++i )
	{
		rock* r = s->rock + i;
		r->velocity.z -= step * gravity;
		double speed = bv_length( r->velocity );
		r->velocity = speed > fastest ? bv_scale( fastest / speed, r->velocity ) : r->velocity;
		r->before = r->position;
		r->position = bv_add( r->position, bv_scale( step, r->velocity ) );
		r->turn = bv_scale( step, r->spin );
		r->moved = bv_vec3_make( 0, 0, 0 );
		place( s, i );
	}
}

static void find_pairs( simulation* s )
{
	bvw_changes changes;
	for ( uint32_t i = 0; i < s->rocks; ++i )
	{
		bv_aabb box = box_of( s, i );
		bvw_broadphase_move( s->world, i, &box );
	}
	if ( bvw_broadphase_update( s->world, &changes ) != bv_ok ||
	     bvw_broadphase_pairs( s->world, s->pairs, s->most_pairs, &s->pair_count ) != bv_ok )
	{
		fail( "broad phase", "too many pairs" );
	}
	s->pairs_seen += s->pair_count;
}

// The signed distance of two convex hulls, or of one and the floor.
static bool measure( const simulation* s, bvw_pair pair, bv_convex_result* out )
{
	bvw_scene scene = { s->world, s->files, files, s->objects, s->instances };
	bvw_meshes m;
	if ( bvw_scene_pair( &scene, pair, &m ) == bv_ok )
	{
		bv_convex a = bv_convex_hull( m.a ), b = bv_convex_hull( m.b );
		return bv_convex_distance( &a, &b, &m.b_in_a, NULL, out ) == bv_ok;
	}
	bv_convex a = bv_convex_hull( s->files[s->instances[pair.a].file] );
	bv_convex floor = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
	bv_transform floor_in_a = bv_transform_inverse( &s->instances[pair.a].placement );
	return bv_convex_distance( &a, &floor, &floor_in_a, NULL, out ) == bv_ok;
}

// Rocks whose balls are apart: half of those whose boxes touch.
static bool are_apart( const simulation* s, bvw_pair pair )
{
	double near = margin + s->reach[s->instances[pair.a].file];
	if ( !is_rock( s, pair.b ) )
	{
		return false;
	}
	near += s->reach[s->instances[pair.b].file];
	bv_vec3 d = bv_sub( s->rock[pair.a].position, s->rock[pair.b].position );
	return bv_dot( d, d ) > near * near;
}

static void find_contacts( simulation* s )
{
	s->contact_count = 0;
	for ( uint32_t i = 0; i < s->pair_count; ++i )
	{
		bvw_pair p = s->pairs[i];
		const bv_transform* a = &s->instances[p.a].placement;
		bv_convex_result r;
		if ( are_apart( s, p ) )
		{
			continue;
		}
		if ( !measure( s, p, &r ) )
		{
			fail( "a pair", "it cannot be compared" );
		}
		if ( r.lower > margin )
		{
			continue;
		}
		contact* c = s->contacts + s->contact_count++;
		*c = ( contact ){ .object = { p.a, p.b },
			              .normal = bv_transform_direction( a, r.normal ),
			              .distance = r.lower };
		for ( int k = 0; k < 2; ++k )
		{
			if ( is_rock( s, c->object[k] ) )
			{
				const rock* body = s->rock + c->object[k];
				c->arm[k] = bv_sub( bv_transform_point( a, r.point[k] ), body->position );
				c->turned[k] = body->turn;
			}
		}
	}
	s->contacts_seen += s->contact_count;
}

// How far the nearest point of a body has moved since the distance was measured; since the begin of the step with `in_all`.
static bv_vec3 motion_of( const simulation* s, const contact* c, int k, bool in_all )
{
	if ( !is_rock( s, c->object[k] ) )
	{
		return bv_vec3_make( 0, 0, 0 );
	}
	const rock* r = s->rock + c->object[k];
	bv_vec3 way = in_all ? bv_sub( bv_add( r->position, r->moved ), r->before ) : r->moved;
	bv_vec3 turn = in_all ? r->turn : bv_sub( r->turn, c->turned[k] );
	return bv_add( way, bv_cross( turn, c->arm[k] ) );
}

static double ease( const simulation* s, const contact* c, int k, bv_vec3 direction )
{
	bv_vec3 torque = bv_cross( c->arm[k], direction );
	return is_rock( s, c->object[k] ) ? 1 + bv_dot( torque, torque ) / inertia : 0;
}

static void push( simulation* s, const contact* c, bv_vec3 direction, double by )
{
	for ( int k = 0; k < 2; ++k )
	{
		if ( is_rock( s, c->object[k] ) )
		{
			rock* r = s->rock + c->object[k];
			double amount = k == 0 ? -by : by;
			r->moved = bv_add( r->moved, bv_scale( amount, direction ) );
			r->turn = bv_add( r->turn, bv_scale( amount / inertia, bv_cross( c->arm[k], direction ) ) );
		}
	}
}

static void solve( simulation* s, const contact* c )
{
	bv_vec3 apart = bv_sub( motion_of( s, c, 1, false ), motion_of( s, c, 0, false ) );
	double gap = c->distance + bv_dot( c->normal, apart );
	if ( gap >= 0 )
	{
		return;
	}
	double pushed = -gap / ( ease( s, c, 0, c->normal ) + ease( s, c, 1, c->normal ) );
	push( s, c, c->normal, pushed );
	bv_vec3 slip = bv_sub( motion_of( s, c, 1, true ), motion_of( s, c, 0, true ) );
	slip = bv_sub( slip, bv_scale( bv_dot( slip, c->normal ), c->normal ) );
	double length = bv_length( slip );
	if ( length > 1e-9 )
	{
		bv_vec3 along = bv_scale( 1 / length, slip );
		double stop = length / ( ease( s, c, 0, along ) + ease( s, c, 1, along ) );
		push( s, c, along, -fmin( stop, friction * pushed ) );
	}
}

// Contacts with pillars and the floor come last in each round: nothing pushes a rock into them afterwards.
static void solve_all( simulation* s )
{
	for ( int k = 0; k < 2 * rounds; ++k )
	{
		for ( uint32_t i = 0; i < s->contact_count; ++i )
		{
			if ( is_rock( s, s->contacts[i].object[1] ) == ( k % 2 == 0 ) )
			{
				solve( s, s->contacts + i );
			}
		}
	}
}

static void finish( simulation* s )
{
	for ( uint32_t i = 0; i < s->rocks; ++i )
	{
		rock* r = s->rock + i;
		r->position = bv_add( r->position, r->moved );
		place( s, i );
		r->velocity = bv_scale( 1 / step, bv_sub( r->position, r->before ) );
		r->spin = bv_scale( 0.98 / step, r->turn );
		r->orientation = bv_transform_to_quaternion( &s->instances[i].placement );
		r->turn = bv_vec3_make( 0, 0, 0 );
	}
}

// Not of the boxes of the broad phase: all rocks near all pillars, at the end of a step.
static void look_for_deepest( simulation* s )
{
	for ( uint32_t i = 0; i < s->rocks; ++i )
	{
		for ( uint32_t k = s->rocks; k < s->rocks + pillars; ++k )
		{
			bv_vec3 d = bv_sub( s->rock[i].position, s->instances[k].placement.pose.translation );
			bv_convex_result r;
			if ( d.x * d.x + d.y * d.y < 1 && measure( s, ( bvw_pair ){ i, k }, &r ) )
			{
				s->deepest = fmin( s->deepest, r.lower );
			}
		}
	}
}

static void make_step( simulation* s )
{
	double start = seconds();
	predict( s );
	double predicted = seconds();
	find_pairs( s );
	double found = seconds();
	find_contacts( s );
	double measured = seconds();
	solve_all( s );
	finish( s );
	s->rest += predicted - start + seconds() - measured;
	s->broad += found - predicted;
	s->narrow += measured - found;
}

static void record( const simulation* s, float ( *positions )[3], int16_t ( *turns )[4] )
{
	for ( uint32_t i = 0; i < s->rocks; ++i )
	{
		bv_vec3 p = s->rock[i].position;
		bv_quaternion q = s->rock[i].orientation;
		const double turn[4] = { q.x, q.y, q.z, q.w };
		positions[i][0] = (float)p.x;
		positions[i][1] = (float)p.y;
		positions[i][2] = (float)p.z;
		for ( int k = 0; k < 4; ++k )
		{
			turns[i][k] = (int16_t)lround( 32767 * turn[k] );
		}
	}
}

static void simulate( simulation* s, uint32_t steps, show* out )
{
	out->keys = steps / steps_per_key + 1;
	size_t count = (size_t)out->keys * s->rocks;
	float( *positions )[3] = allocate( count, sizeof *positions );
	int16_t( *turns )[4] = allocate( count, sizeof *turns );
	out->positions = (const float( * )[3])positions;
	out->turns = (const int16_t( * )[4])turns;
	record( s, positions, turns );
	for ( uint32_t i = 1; i <= steps; ++i )
	{
		make_step( s );
		if ( i % steps_per_key == 0 )
		{
			look_for_deepest( s );
			size_t at = (size_t)( i / steps_per_key ) * s->rocks;
			record( s, positions + at, turns + at );
		}
	}
}

static void print( const simulation* s, uint32_t steps )
{
	double each = 1000.0 / steps;
	printf( "%u rocks, %u pillars, %u steps\n", s->rocks, pillars, steps );
	printf( "a step has %.0f pairs of boxes, of which %.0f are contacts\n", (double)s->pairs_seen / steps,
	        (double)s->contacts_seen / steps );
	printf( "a step takes %.1f ms in the broad phase, %.1f ms in the narrow phase, %.1f ms elsewhere\n",
	        each * s->broad, each * s->narrow, each * s->rest );
	printf( "no rock is deeper in a pillar than %.3f m\n", -s->deepest );
}

int main( int count, char** arguments )
{
	static const float colors[files][3] = { { 0.45f, 0.4f, 0.35f },
		                                    { 0.6f, 0.55f, 0.5f },
		                                    { 0.5f, 0.35f, 0.25f },
		                                    { 0.35f, 0.37f, 0.4f },
		                                    { 0.2f, 0.35f, 0.55f } };
	long rocks = count > 1 ? strtol( arguments[1], NULL, 10 ) : 10000;
	long steps = count > 2 ? strtol( arguments[2], NULL, 10 ) : 360;
	if ( count == 2 || count > 3 || rocks < 1 || rocks > most_rocks || steps < 1 || steps > 6000 )
	{
		fprintf( stderr, "usage: rocks [ROCKS STEPS]\n" );
		return 1;
	}
	simulation s = { .rocks = (uint32_t)rocks, .objects = (uint32_t)rocks + pillars + 1 };
	for ( int i = 0; i < files; ++i )
	{
		char path[16];
		snprintf( path, sizeof path, i < rock_files ? "rock-%d.bvh" : "pillar.bvh", i );
		s.files[i] = load( path );
	}
	for ( int i = 0; i < rock_files; ++i )
	{
		bv_file_bounds bounds;
		s.reach[i] = bv_file_get_bounds( s.files[i], &bounds )
		                 ? bv_length( bounds.sphere.center ) + bounds.sphere.radius
		                 : (double)INFINITY;
	}
	begin( &s );
	show out = {
		.files = s.files, .colors = colors, .file_count = files, .moving = s.rocks, .resting = pillars
	};
	out.seconds = steps_per_key * step;
	simulate( &s, (uint32_t)steps, &out );
	print( &s, (uint32_t)steps );
	uint32_t* file_of = allocate( s.rocks + pillars, sizeof *file_of );
	bv_transform* places = allocate( pillars, sizeof *places );
	for ( uint32_t i = 0; i < s.rocks + pillars; ++i )
	{
		file_of[i] = s.instances[i].file;
	}
	for ( uint32_t i = 0; i < pillars; ++i )
	{
		places[i] = s.instances[s.rocks + i].placement;
	}
	out.file_of = file_of;
	out.places = places;
	return show_write( &out, "rocks.glb" ) ? 0 : 1;
}
