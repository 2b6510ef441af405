// A step of contacts: pairs that the broad phase lists begin and end, those that are awake are computed, and lists of what
// happened are made. See contacts.h.
//
// Threads only compute: each writes entries and rows of its own share. All that depends on an order is done before and after
// by one.

#include "world/contacts/contacts.h"

#include "world/team/team.h"

#include "runtime/simd/bits.h"

#include <string.h>

static bool pairs_are_sorted( const bvw_pair* pairs, uint32_t count )
{
	bool sorted = pairs || count == 0;
	for ( uint32_t i = 0; i < count && sorted; ++i )
	{
		sorted =
			pairs[i].a < pairs[i].b && ( i == 0 || pairs[i - 1].a < pairs[i].a ||
		                                 ( pairs[i - 1].a == pairs[i].a && pairs[i - 1].b < pairs[i].b ) );
	}
	return sorted;
}

static bool is_valid_input( const bvw_contacts_step_input* input )
{
	const bvw_changes* c = input->changes;
	return ( input->bodies || input->body_count == 0 ) && input->speculative >= 0 &&
	       input->speculative <= BV_MAX_LENGTH &&
	       ( !c || ( pairs_are_sorted( c->begun, c->begun_count ) &&
	                 pairs_are_sorted( c->ended, c->ended_count ) ) );
}

static uint64_t objects_of( const bvw_contact_key* key )
{
	return (uint64_t)key->a << 32 | key->b;
}

static uint64_t number_of( bvw_pair pair )
{
	return (uint64_t)pair.a << 32 | pair.b;
}

// Goes through sorted pairs by a sorted sequence of others.
typedef struct pair_cursor
{
	const bvw_pair* pairs;
	uint32_t count;
	uint32_t at;
} pair_cursor;

// @return whether the list has a pair, which is not below that of the last call
static bool has_next( pair_cursor* cursor, uint64_t pair )
{
	while ( cursor->at < cursor->count && number_of( cursor->pairs[cursor->at] ) < pair )
	{
		++cursor->at;
	}
	return cursor->at < cursor->count && number_of( cursor->pairs[cursor->at] ) == pair;
}

static bool is_whole( const bvw_contact_key* key )
{
	return key->part[0] == 0 && key->part[1] == 0;
}

// @return how many entries there will be
static uint64_t count_after( const bvw_contacts* contacts, const bvw_changes* changes )
{
	pair_cursor ended = { changes->ended, changes->ended_count, 0 };
	pair_cursor begun = { changes->begun, changes->begun_count, 0 };
	const bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint64_t count = changes->begun_count;
	for ( uint32_t i = 0; i < contacts->count; ++i )
	{
		uint64_t objects = objects_of( &rows[i].key );
		bool remains = !has_next( &ended, objects );
		bool is_counted = is_whole( &rows[i].key ) && has_next( &begun, objects );
		count += remains && !is_counted;
	}
	return count;
}

static bool has_room( const bvw_contacts* contacts, const bvw_changes* changes )
{
	return (uint64_t)contacts->count + changes->begun_count <= contacts->options.pairs ||
	       count_after( contacts, changes ) <= contacts->options.pairs;
}

static void remove_ended( bvw_contacts* contacts, const bvw_changes* changes )
{
	pair_cursor ended = { changes->ended, changes->ended_count, 0 };
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	bvw_contact_end* ends = bvwcontact_at( contacts, contacts->ended_at );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < contacts->count; ++i )
	{
		if ( !has_next( &ended, objects_of( &rows[i].key ) ) )
		{
			rows[kept++] = rows[i];
			continue;
		}
		if ( rows[i].state & bvwcontact_touches )
		{
			bvwcontact_end_of( bvwcontact_pairs( contacts ) + rows[i].slot, ends + contacts->ended_count++ );
		}
		bvwcontact_free_slot( contacts, rows[i].slot );
	}
	contacts->count = kept;
}

static uint32_t count_new( const bvw_contacts* contacts, const bvw_changes* changes )
{
	pair_cursor begun = { changes->begun, changes->begun_count, 0 };
	const bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint32_t added = changes->begun_count;
	for ( uint32_t i = 0; i < contacts->count; ++i )
	{
		added -= is_whole( &rows[i].key ) && has_next( &begun, objects_of( &rows[i].key ) );
	}
	return added;
}

// Merges from the end, where there is room. Slots are taken afterwards, in ascending order, so that entries of a
// scene that is loaded at once are in the order of keys.
static void add_begun( bvw_contacts* contacts, const bvw_changes* changes )
{
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint32_t from = contacts->count;
	uint32_t to = from + count_new( contacts, changes );
	contacts->count = to;
	for ( uint32_t k = changes->begun_count; k > 0; --k )
	{
		bvw_contact_key key = { .a = changes->begun[k - 1].a, .b = changes->begun[k - 1].b };
		while ( from > 0 && bvwcontact_compare( &rows[from - 1].key, &key ) > 0 )
		{
			rows[--to] = rows[--from];
		}
		if ( from > 0 && bvwcontact_compare( &rows[from - 1].key, &key ) == 0 )
		{
			rows[--to] = rows[--from];
			rows[to].state |= bvwcontact_is_listed | bvwcontact_is_due;
			continue;
		}
		rows[--to] = ( bvwcontact_row ){ .key = key,
			                             .slot = BVWCONTACT_NONE,
			                             .state = bvwcontact_is_listed | bvwcontact_is_due };
	}
}

static void take_slots( bvw_contacts* contacts )
{
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	for ( uint32_t i = 0; i < contacts->count; ++i )
	{
		if ( rows[i].slot == BVWCONTACT_NONE )
		{
			rows[i].slot = bvwcontact_take_slot( contacts, &rows[i].key );
		}
	}
}

static void apply_changes( bvw_contacts* contacts, const bvw_changes* changes )
{
	if ( changes->ended_count > 0 )
	{
		remove_ended( contacts, changes );
	}
	if ( changes->begun_count > 0 )
	{
		add_begun( contacts, changes );
		take_slots( contacts );
	}
}

static bool is_awake( const bvw_contacts_step_input* input, const bvwcontact_row* row )
{
	// The body with the greater number has one, or the pair is not computed.
	return !input->awake || input->awake[row->key.a] || input->awake[row->key.b];
}

static void list_work( bvw_contacts* contacts, const bvw_contacts_step_input* input )
{
	const bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint32_t* work = bvwcontact_at( contacts, contacts->work_at );
	contacts->work_count = 0;
	for ( uint32_t i = 0; i < contacts->count; ++i )
	{
		const bvwcontact_row* row = rows + i;
		bool may_be =
			( row->state & bvwcontact_is_listed ) && is_whole( &row->key ) && row->key.b < input->body_count;
		if ( may_be && ( ( row->state & bvwcontact_is_due ) || is_awake( input, row ) ) &&
		     input->bodies[row->key.a].shape && input->bodies[row->key.b].shape )
		{
			work[contacts->work_count++] = i;
		}
	}
}

// What threads share.
typedef struct step_job
{
	bvw_contacts* contacts;
	const bvw_contacts_step_input* input;
	const bvwteam_team* team;
} step_job;

// Lengths of the world in coordinates of an object.
static double length_in( const bvw_body* body, double length )
{
	double own = length / body->placement.scale;
	return own < BV_MAX_LENGTH ? own : BV_MAX_LENGTH;
}

// Apart, so that the stack has no transforms while a convex query takes most of it.
// @return false if a placement is invalid
BVSIMD_NOINLINE bool place( const bvw_body* a, const bvw_body* b, bv_transform* b_in_a )
{
	if ( !bv_transform_is_valid( &a->placement ) || !bv_transform_is_valid( &b->placement ) )
	{
		return false;
	}
	*b_in_a = bv_transform_between( &a->placement, &b->placement );
	return true;
}

// @return false if a shape or a placement is invalid
static bool compute( const step_job* job, bvwcontact_query* query, bvw_contact_pair* pair )
{
	const bvw_body* a = job->input->bodies + pair->key.a;
	const bvw_body* b = job->input->bodies + pair->key.b;
	if ( !place( a, b, &query->b_in_a ) )
	{
		return false;
	}
	query->options.speculative = length_in( a, job->input->speculative );
	query->options.distance.cache = &pair->cache;
	if ( bv_convex_manifold( a->shape, b->shape, &query->b_in_a, &query->options, &query->manifold ) !=
	     bv_ok )
	{
		return false;
	}
	query->supports += query->manifold.supports;
	bvw_kept_points* kept =
		bvwcontact_kept( job->contacts, (uint32_t)( pair - bvwcontact_pairs( job->contacts ) ) );
	bvwcontact_replace( pair, kept, &query->manifold, &query->b_in_a,
	                    length_in( a, job->contacts->options.tolerance ), job->contacts->step );
	return true;
}

// Entries are far apart in memory. Of most pairs, which do not touch, only these parts are read.
static void prefetch( const bvw_contact_pair* pair )
{
	bvsimd_prefetch( &pair->key );
	bvsimd_prefetch( &pair->manifold.count );
	bvsimd_prefetch( &pair->manifold.supports );
	bvsimd_prefetch( &pair->ended_count );
	bvsimd_prefetch( &pair->cache.name );
	bvsimd_prefetch( &pair->cache.count );
}

static uint32_t state_after( uint32_t state, const bvw_contact_pair* pair )
{
	bool touched = ( state & bvwcontact_touches ) != 0;
	bool touches = pair->manifold.count > 0;
	state &= ~(uint32_t)( bvwcontact_is_due | bvwcontact_touches );
	return state | ( touches ? bvwcontact_touches : 0 ) | ( touches && !touched ? bvwcontact_has_begun : 0 ) |
	       ( touched && !touches ? bvwcontact_has_ended : 0 );
}

static void compute_share( void* data, uint32_t share )
{
	const step_job* job = data;
	bvw_contacts* contacts = job->contacts;
	const uint32_t* work = bvwcontact_at( contacts, contacts->work_at );
	bvwcontact_query* query = (bvwcontact_query*)bvwcontact_at( contacts, contacts->query_at ) + share;
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	bvw_contact_pair* pairs = bvwcontact_pairs( contacts );
	uint32_t end = bvwteam_share( contacts->work_count, job->team->workers, share + 1 );
	for ( uint32_t i = bvwteam_share( contacts->work_count, job->team->workers, share ); i < end; ++i )
	{
		if ( i + 1 < end )
		{
			prefetch( pairs + rows[work[i + 1]].slot );
		}
		bvwcontact_row* row = rows + work[i];
		bvw_contact_pair* pair = pairs + row->slot;
		row->state = compute( job, query, pair ) ? state_after( row->state, pair )
		                                         : row->state | bvwcontact_is_due | bvwcontact_is_refused;
	}
	// The bytes of the block do not depend on who computed what, and hold no addresses.
	uint64_t supports = query->supports;
	memset( query, 0, sizeof *query );
	query->supports = supports;
}

static uint64_t take_supports( bvw_contacts* contacts, uint32_t workers )
{
	bvwcontact_query* query = bvwcontact_at( contacts, contacts->query_at );
	uint64_t supports = 0;
	for ( uint32_t i = 0; i < workers; ++i )
	{
		supports += query[i].supports;
		query[i].supports = 0;
	}
	return supports;
}

// The points of a pair that ended while its entry remains are those that its entry has as ended.
static void write_end( const bvw_contact_pair* pair, bvw_contact_end* out )
{
	memset( out, 0, sizeof *out );
	out->key = pair->key;
	out->since = pair->since;
	out->count = pair->ended_count;
	memcpy( out->point, pair->ended, pair->ended_count * sizeof *pair->ended );
}

// Pairs that lost their entry are there already. Merges from the end.
static void list_ended( bvw_contacts* contacts, uint32_t count )
{
	const bvwcontact_row* rows = bvwcontact_rows( contacts );
	const uint32_t* work = bvwcontact_at( contacts, contacts->work_at );
	bvw_contact_end* ends = bvwcontact_at( contacts, contacts->ended_at );
	uint32_t from = contacts->ended_count;
	uint32_t to = from + count;
	contacts->ended_count = to;
	for ( uint32_t i = contacts->work_count; i > 0 && to > from; --i )
	{
		const bvwcontact_row* row = rows + work[i - 1];
		if ( !( row->state & bvwcontact_has_ended ) )
		{
			continue;
		}
		while ( from > 0 && bvwcontact_compare( &ends[from - 1].key, &row->key ) > 0 )
		{
			ends[--to] = ends[--from];
		}
		write_end( bvwcontact_pairs( contacts ) + row->slot, ends + --to );
	}
}

static void list_results( bvw_contacts* contacts )
{
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	const uint32_t* work = bvwcontact_at( contacts, contacts->work_at );
	uint32_t* touching = bvwcontact_at( contacts, contacts->touching_at );
	uint32_t* begun = bvwcontact_at( contacts, contacts->begun_at );
	uint32_t* refused = bvwcontact_at( contacts, contacts->refused_at );
	uint32_t ended = 0;
	for ( uint32_t i = 0; i < contacts->work_count; ++i )
	{
		const bvwcontact_row* row = rows + work[i];
		if ( row->state & bvwcontact_is_refused )
		{
			refused[contacts->refused_count++] = row->slot;
			continue;
		}
		ended += ( row->state & bvwcontact_has_ended ) != 0;
		if ( row->state & bvwcontact_touches )
		{
			touching[contacts->touching_count++] = row->slot;
		}
		if ( row->state & bvwcontact_has_begun )
		{
			begun[contacts->begun_count++] = row->slot;
		}
	}
	list_ended( contacts, ended );
	for ( uint32_t i = 0; i < contacts->work_count; ++i )
	{
		rows[work[i]].state &= ~(uint32_t)bvwcontact_of_step;
	}
}

static void describe_step( const bvw_contacts* contacts, uint64_t supports, bvw_contacts_report* out )
{
	out->step = contacts->step;
	out->touching = bvwcontact_at( contacts, contacts->touching_at );
	out->touching_count = contacts->touching_count;
	out->begun = bvwcontact_at( contacts, contacts->begun_at );
	out->begun_count = contacts->begun_count;
	out->ended = bvwcontact_at( contacts, contacts->ended_at );
	out->ended_count = contacts->ended_count;
	out->refused = bvwcontact_at( contacts, contacts->refused_at );
	out->refused_count = contacts->refused_count;
	out->computed = contacts->work_count - contacts->refused_count;
	out->supports = supports;
}

bv_status bvw_contacts_step( bvw_contacts* contacts, const bvw_contacts_step_input* input,
                             bvw_contacts_report* report )
{
	return bvw_contacts_step_on( contacts, input, NULL, report );
}

bv_status bvw_contacts_step_on( bvw_contacts* contacts, const bvw_contacts_step_input* input,
                                const bvw_tasks* tasks, bvw_contacts_report* report )
{
	if ( !contacts || !input || !report || !is_valid_input( input ) ||
	     !bvwteam_is_valid( tasks, contacts->options.workers ) )
	{
		return bv_error_argument;
	}
	if ( input->changes && !has_room( contacts, input->changes ) )
	{
		return bv_error_memory;
	}
	contacts->begun_count = contacts->touching_count = contacts->ended_count = contacts->refused_count = 0;
	++contacts->step;
	if ( input->changes )
	{
		apply_changes( contacts, input->changes );
	}
	list_work( contacts, input );
	bvwteam_team team = bvwteam_of( tasks );
	step_job job = { contacts, input, &team };
	bvwteam_run( &team, compute_share, &job );
	list_results( contacts );
	describe_step( contacts, take_supports( contacts, team.workers ), report );
	return bv_ok;
}
