// Broad phases: the functions of bvworld/broadphase.h, for all methods, except for queries. See phase.h.

#include "world/broadphase/order.h"
#include "world/broadphase/pairs.h"

#include <math.h>
#include <string.h>

static const uint64_t magic = UINT64_C( 0x31657361687062 ); // "bphase1"

const char* bvw_method_name( bvw_method method )
{
	return (unsigned)method < bvw_methods ? bvwphase_methods[method]->name : NULL;
}

const char* bvw_method_help( bvw_method method )
{
	return (unsigned)method < bvw_methods ? bvwphase_methods[method]->help : NULL;
}

bvw_broadphase_options bvw_broadphase_options_default( void )
{
	return ( bvw_broadphase_options ){ .objects = 0 };
}

const char* bvw_pair_store_name( bvw_pair_store store )
{
	return (unsigned)store < bvw_pair_stores ? bvwphase_keepers[store]->name : NULL;
}

const char* bvw_pair_store_help( bvw_pair_store store )
{
	return (unsigned)store < bvw_pair_stores ? bvwphase_keepers[store]->help : NULL;
}

static const bvwphase_method* method_of( const bvw_broadphase* world )
{
	return bvwphase_methods[world->options.method];
}

// The share of moving objects from which on sorting all of them takes less time than keeping a tree: see docs/experiments/world.md.
static const double many_move = 0.2;

// @return false if an option is out of range
static bool complete( const bvw_broadphase_options* options, bvw_broadphase_options* out )
{
	if ( !options || options->objects == 0 || options->objects > BVW_MAX_OBJECTS ||
	     options->pairs > BVW_MAX_PAIRS || (unsigned)options->method >= bvw_methods ||
	     (unsigned)options->store >= bvw_pair_stores || options->workers > BVW_MAX_WORKERS ||
	     !( options->moving >= 0 && options->moving <= 1 ) ||
	     !( options->margin >= 0 && options->margin <= BV_MAX_LENGTH ) )
	{
		return false;
	}
	// Member by member: the bytes between members remain zero.
	out->objects = options->objects;
	out->pairs = options->pairs > 0 ? options->pairs : 4 * options->objects + 64;
	out->method = options->method != bvw_method_default ? options->method
	              : options->moving >= many_move        ? bvw_method_rows
	                                                    : bvw_method_tree;
	out->margin = options->margin;
	out->workers = options->workers > 0 ? options->workers : 1;
	const bvwphase_method* method = bvwphase_methods[out->method];
	out->store = options->store != bvw_pair_store_default ? options->store
	             : method->add                            ? bvw_pair_store_hash
	                                                      : bvw_pair_store_list;
	uint32_t most_objects = bvwphase_keepers[out->store]->most_objects;
	bool has_workers = method->find_on && bvwphase_keepers[out->store]->room;
	return ( !method->is_near || out->store == bvw_pair_store_hash ) &&
	       ( has_workers || out->workers == 1 ) && ( most_objects == 0 || out->objects <= most_objects );
}

// Where the arrays are.
static uint64_t lay_out( bvw_broadphase* head )
{
	const bvw_broadphase_options* o = &head->options;
	uint64_t at = bvwphase_aligned( sizeof *head );
	head->objects_at = at;
	at += o->objects * (uint64_t)sizeof( bvwphase_object );
	head->changed_at = at;
	at += bvwphase_aligned( 4 * (uint64_t)o->objects );
	head->begun_at = at;
	at += o->pairs * (uint64_t)sizeof( bvw_pair );
	head->ended_at = at;
	at += o->pairs * (uint64_t)sizeof( bvw_pair );
	head->sorting_at = at;
	at += o->pairs * (uint64_t)sizeof( bvw_pair );
	head->pairs_at = at;
	at += bvwphase_keepers[o->store]->bytes( o );
	head->method_at = at;
	const bvwphase_method* method = bvwphase_methods[o->method];
	return at + ( method->bytes ? method->bytes( o ) : 0 );
}

size_t bvw_broadphase_bytes( const bvw_broadphase_options* options )
{
	bvw_broadphase head;
	memset( &head, 0, sizeof head );
	uint64_t bytes = complete( options, &head.options ) ? lay_out( &head ) : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

bv_status bvw_broadphase_begin( void* memory, size_t bytes, const bvw_broadphase_options* options,
                                bvw_broadphase** out )
{
	size_t needed = bvw_broadphase_bytes( options );
	if ( !memory || !out || (uintptr_t)memory % 8 != 0 || needed == 0 )
	{
		return bv_error_argument;
	}
	if ( bytes < needed )
	{
		return bv_error_memory;
	}
	bvw_broadphase* world = memory;
	memset( memory, 0, needed );
	complete( options, &world->options );
	lay_out( world );
	world->magic = magic;
	world->bytes = needed;
	bvwphase_keeper_of( world )->begin( world );
	if ( method_of( world )->begin )
	{
		method_of( world )->begin( world );
	}
	*out = world;
	return bv_ok;
}

static bool bound_is_valid( double lower, double upper )
{
	return lower <= upper && lower < INFINITY && upper > -INFINITY &&
	       ( isinf( lower ) || fabs( lower ) <= BV_MAX_LENGTH ) &&
	       ( isinf( upper ) || fabs( upper ) <= BV_MAX_LENGTH );
}

bool bvwphase_box_is_valid( const bv_aabb* box )
{
	return bound_is_valid( box->lower.x, box->upper.x ) && bound_is_valid( box->lower.y, box->upper.y ) &&
	       bound_is_valid( box->lower.z, box->upper.z );
}

// A removed object stays in the list until the next update; if its number is used again, it is in the list already.
static void note_change( bvw_broadphase* world, uint32_t number )
{
	bvwphase_object* object = bvwphase_objects( world ) + number;
	if ( !( object->state & bvwphase_is_changed ) )
	{
		object->state |= bvwphase_is_changed;
		bvwphase_changed( world )[world->changed_count++] = number;
	}
}

static void enter( bvw_broadphase* world, uint32_t number )
{
	note_change( world, number );
	if ( method_of( world )->add )
	{
		method_of( world )->add( world, number );
	}
}

bv_status bvw_broadphase_add( bvw_broadphase* world, uint32_t number, const bvw_object* object )
{
	if ( !world || !object || number >= world->options.objects || bvwphase_has_object( world, number ) ||
	     !bvwphase_box_is_valid( &object->box ) )
	{
		return bv_error_argument;
	}
	bvwphase_object* o = bvwphase_objects( world ) + number;
	o->box = object->box;
	o->category = object->category != 0 ? object->category : 1;
	o->mask = object->mask != 0 ? object->mask : UINT64_MAX;
	o->group = object->group;
	o->state |= bvwphase_is_live | bvwphase_is_new;
	world->has_new = true;
	++world->live;
	world->highest = number < world->highest ? world->highest : number + 1;
	enter( world, number );
	return bv_ok;
}

bv_status bvw_broadphase_move( bvw_broadphase* world, uint32_t number, const bv_aabb* box )
{
	if ( !world || !box || !bvwphase_has_object( world, number ) || !bvwphase_box_is_valid( box ) )
	{
		return bv_error_argument;
	}
	bvwphase_object* o = bvwphase_objects( world ) + number;
	bv_aabb from = o->box;
	o->box = *box;
	note_change( world, number );
	if ( method_of( world )->move )
	{
		method_of( world )->move( world, number, &from );
	}
	return bv_ok;
}

bv_status bvw_broadphase_remove( bvw_broadphase* world, uint32_t number )
{
	if ( !world || !bvwphase_has_object( world, number ) )
	{
		return bv_error_argument;
	}
	bvwphase_object* o = bvwphase_objects( world ) + number;
	if ( method_of( world )->remove )
	{
		method_of( world )->remove( world, number );
	}
	bvwphase_keeper_of( world )->drop( world, number );
	*o = ( bvwphase_object ){ .state = o->state & bvwphase_is_changed };
	--world->live;
	return bv_ok;
}

bool bvw_broadphase_get( const bvw_broadphase* world, uint32_t number, bvw_object* out )
{
	if ( !world || !out || !bvwphase_has_object( world, number ) )
	{
		return false;
	}
	const bvwphase_object* o = bvwphase_objects( world ) + number;
	*out = ( bvw_object ){ o->box, o->category, o->mask, o->group };
	return true;
}

// After an update that failed, a pair can have ended and begun again. It has done neither, unless an object is new.
static void cancel( bvw_broadphase* world, uint32_t* begun_count )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	bvw_pair* begun = bvwphase_at( world, world->begun_at );
	bvw_pair* ended = bvwphase_at( world, world->ended_at );
	uint32_t begun_kept = 0;
	uint32_t ended_kept = 0;
	uint32_t e = 0;
	for ( uint32_t i = 0; i < *begun_count; ++i )
	{
		bvw_pair p = begun[i];
		while ( e < world->ended_count && ( ended[e].a < p.a || ( ended[e].a == p.a && ended[e].b < p.b ) ) )
		{
			ended[ended_kept++] = ended[e++];
		}
		bool is_both = e < world->ended_count && ended[e].a == p.a && ended[e].b == p.b;
		bool is_new = ( ( objects[p.a].state | objects[p.b].state ) & bvwphase_is_new ) != 0;
		if ( is_both && !is_new )
		{
			++e;
			continue;
		}
		begun[begun_kept++] = p;
	}
	while ( e < world->ended_count )
	{
		ended[ended_kept++] = ended[e++];
	}
	*begun_count = begun_kept;
	world->ended_count = ended_kept;
}

bv_status bvw_broadphase_update( bvw_broadphase* world, bvw_changes* changes )
{
	return bvw_broadphase_update_on( world, NULL, changes );
}

// What a share of the threads does at the end of an update.
typedef struct update_share
{
	bvw_broadphase* world;
	const bvwteam_team* team;
} update_share;

static void forget_changes( void* data, uint32_t share )
{
	const update_share* u = data;
	bvwphase_object* objects = bvwphase_objects( u->world );
	const uint32_t* changed = bvwphase_changed( u->world );
	uint32_t end = bvwteam_share( u->world->changed_count, u->team->workers, share + 1 );
	for ( uint32_t i = bvwteam_share( u->world->changed_count, u->team->workers, share ); i < end; ++i )
	{
		objects[changed[i]].state &= ~(uint32_t)( bvwphase_is_changed | bvwphase_is_new | bvwphase_is_loose );
	}
}

bv_status bvw_broadphase_update_on( bvw_broadphase* world, const bvw_tasks* tasks, bvw_changes* changes )
{
	if ( !world || !changes || !bvwteam_is_valid( tasks, world->options.workers ) )
	{
		return bv_error_argument;
	}
	bvwteam_team team = bvwteam_of( tasks );
	const bvwphase_keeper* keeper = bvwphase_keeper_of( world );
	uint32_t begun_count = 0;
	const bvwphase_method* method = method_of( world );
	keeper->prepare( world, method );
	bool is_done = method->find_on ? method->find_on( world, &team ) : method->find( world );
	is_done = is_done && keeper->finish( world, method, &begun_count );
	world->has_failed = !is_done;
	if ( !is_done )
	{
		if ( keeper->fail )
		{
			keeper->fail( world );
		}
		return bv_error_memory;
	}
	cancel( world, &begun_count );
	update_share job = { world, &team };
	bvwteam_run( &team, forget_changes, &job );
	*changes = ( bvw_changes ){ bvwphase_begun( world ), begun_count, bvwphase_at( world, world->ended_at ),
		                        world->ended_count, world->tests };
	world->changed_count = 0;
	world->has_new = false;
	world->ended_count = 0;
	world->tests = 0;
	return bv_ok;
}

bool bvw_broadphase_has_pair( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	return world && a != b && bvwphase_has_object( world, a ) && bvwphase_has_object( world, b ) &&
	       bvwphase_keeper_of( world )->has( world, a < b ? a : b, a < b ? b : a );
}

uint64_t* bvw_broadphase_pair_data( bvw_broadphase* world, uint32_t a, uint32_t b )
{
	return bvw_broadphase_has_pair( world, a, b ) && bvwphase_keeper_of( world )->data
	           ? bvwphase_keeper_of( world )->data( world, a, b )
	           : NULL;
}

bv_status bvw_broadphase_pairs( const bvw_broadphase* world, bvw_pair* pairs, uint32_t most, uint32_t* count )
{
	if ( !world || !count || ( !pairs && most > 0 ) )
	{
		return bv_error_argument;
	}
	*count = bvwphase_keeper_of( world )->list( world, NULL );
	if ( *count > most )
	{
		return bv_error_memory;
	}
	bvwphase_keeper_of( world )->list( world, pairs );
	return bv_ok;
}

static uint32_t count_dropped( const bvw_broadphase* world )
{
	const bvwphase_keeper* keeper = bvwphase_keeper_of( world );
	return keeper->list_dropped ? keeper->list_dropped( world, NULL ) : 0;
}

// @return false if objects or pairs do not fit
static bool fits( const bvw_broadphase* from, const bvw_broadphase_options* options )
{
	for ( uint32_t i = options->objects; i < from->highest; ++i )
	{
		if ( bvwphase_has_object( from, i ) )
		{
			return false;
		}
	}
	uint64_t pairs = bvwphase_keeper_of( from )->list( from, NULL );
	return pairs + from->ended_count + count_dropped( from ) <= options->pairs;
}

static void copy_pairs( const bvw_broadphase* from, bvw_broadphase* world )
{
	const bvwphase_keeper* source = bvwphase_keeper_of( from );
	const bvwphase_keeper* target = bvwphase_keeper_of( world );
	bvw_pair* pairs = bvwphase_begun( world );
	uint32_t count = source->list( from, pairs );
	target->restore( world, pairs, count );
	for ( uint32_t i = 0; i < count && source->data && target->data; ++i )
	{
		*target->data( world, pairs[i].a, pairs[i].b ) = *source->data( from, pairs[i].a, pairs[i].b );
	}
	bvw_pair* ended = bvwphase_at( world, world->ended_at );
	memcpy( ended, bvwphase_at( from, from->ended_at ), from->ended_count * sizeof( bvw_pair ) );
	world->ended_count = from->ended_count;
	if ( source->ended_data && target->ended_data )
	{
		memcpy( target->ended_data( world ), source->ended_data( from ),
		        from->ended_count * sizeof( uint64_t ) );
	}
	if ( source->list_dropped )
	{
		world->ended_count += source->list_dropped( from, ended + from->ended_count );
	}
}

bv_status bvw_broadphase_copy( const bvw_broadphase* from, void* memory, size_t bytes,
                               const bvw_broadphase_options* options, bvw_broadphase** out )
{
	bvw_broadphase_options asked = { .objects = 0 };
	bvw_broadphase* world = NULL;
	if ( !from || !out || !complete( options, &asked ) )
	{
		return bv_error_argument;
	}
	if ( !fits( from, &asked ) )
	{
		return bv_error_limit;
	}
	bv_status status = bvw_broadphase_begin( memory, bytes, options, &world );
	if ( status != bv_ok )
	{
		return status;
	}
	const bvwphase_object* objects = bvwphase_objects( from );
	for ( uint32_t i = 0; i < from->highest; ++i )
	{
		if ( objects[i].state & bvwphase_is_live )
		{
			bvwphase_object* o = bvwphase_objects( world ) + i;
			*o = objects[i];
			o->state &= ~(uint32_t)( bvwphase_is_changed | bvwphase_is_loose );
			world->highest = i + 1;
			++world->live;
			enter( world, i );
		}
	}
	world->has_new = from->has_new;
	copy_pairs( from, world );
	world->tests = from->tests;
	*out = world;
	return bv_ok;
}
