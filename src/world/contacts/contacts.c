// Contacts: their memory, and the functions of bvworld/contacts.h except for steps. See contacts.h.

#include "world/contacts/contacts.h"

#include <math.h>
#include <string.h>

static const uint64_t magic = UINT64_C( 0x317374636174636f ); // "ocatcts1"
static const double usual_tolerance = 0.02;

bvw_contacts_options bvw_contacts_options_default( void )
{
	return ( bvw_contacts_options ){ .pairs = 0 };
}

// @return false if an option is out of range
static bool complete( const bvw_contacts_options* options, bvw_contacts_options* out )
{
	if ( !options || options->pairs == 0 || options->pairs > BVW_MAX_PAIRS ||
	     options->workers > BVW_MAX_WORKERS ||
	     !( options->tolerance >= 0 && options->tolerance <= BV_MAX_LENGTH ) )
	{
		return false;
	}
	out->pairs = options->pairs;
	out->tolerance = options->tolerance > 0 ? options->tolerance : usual_tolerance;
	out->workers = options->workers > 0 ? options->workers : 1;
	out->keep = options->keep;
	return true;
}

static uint64_t aligned( uint64_t bytes )
{
	return ( bytes + 7 ) & ~(uint64_t)7;
}

// @return where the next array begins
static uint64_t add_array( uint64_t* where, uint64_t at, uint64_t count, size_t size )
{
	*where = at;
	return aligned( at + count * size );
}

static uint64_t lay_out( bvw_contacts* head )
{
	uint64_t pairs = head->options.pairs;
	uint64_t at = aligned( sizeof *head );
	at = add_array( &head->pairs_at, at, pairs, sizeof( bvw_contact_pair ) );
	at = add_array( &head->rows_at, at, pairs, sizeof( bvwcontact_row ) );
	at = add_array( &head->ended_at, at, pairs, sizeof( bvw_contact_end ) );
	at = add_array( &head->touching_at, at, pairs, sizeof( uint32_t ) );
	at = add_array( &head->begun_at, at, pairs, sizeof( uint32_t ) );
	at = add_array( &head->refused_at, at, pairs, sizeof( uint32_t ) );
	at = add_array( &head->work_at, at, pairs, sizeof( uint32_t ) );
	at = add_array( &head->query_at, at, head->options.workers, sizeof( bvwcontact_query ) );
	return add_array( &head->kept_at, at, head->options.keep ? pairs : 0, sizeof( bvw_kept_points ) );
}

size_t bvw_contacts_bytes( const bvw_contacts_options* options )
{
	bvw_contacts head;
	memset( &head, 0, sizeof head );
	uint64_t bytes = complete( options, &head.options ) ? lay_out( &head ) : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

bv_status bvw_contacts_begin( void* memory, size_t bytes, const bvw_contacts_options* options,
                              bvw_contacts** out )
{
	size_t needed = bvw_contacts_bytes( options );
	if ( !memory || !out || (uintptr_t)memory % 8 != 0 || needed == 0 )
	{
		return bv_error_argument;
	}
	if ( bytes < needed )
	{
		return bv_error_memory;
	}
	bvw_contacts* contacts = memory;
	memset( memory, 0, needed );
	complete( options, &contacts->options );
	lay_out( contacts );
	contacts->magic = magic;
	contacts->bytes = needed;
	contacts->free = BVWCONTACT_NONE;
	*out = contacts;
	return bv_ok;
}

bv_status bvw_contacts_copy( const bvw_contacts* from, void* memory, size_t bytes,
                             const bvw_contacts_options* options, bvw_contacts** out )
{
	bvw_contacts_options asked = { .pairs = 0 };
	if ( !from || !out || !complete( options, &asked ) )
	{
		return bv_error_argument;
	}
	if ( from->count > asked.pairs )
	{
		return bv_error_limit;
	}
	bvw_contacts* contacts = NULL;
	bv_status status = bvw_contacts_begin( memory, bytes, options, &contacts );
	if ( status != bv_ok )
	{
		return status;
	}
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	for ( uint32_t i = 0; i < from->count; ++i )
	{
		rows[i] = bvwcontact_rows( from )[i];
		memcpy( bvwcontact_pairs( contacts ) + i, bvwcontact_pairs( from ) + rows[i].slot,
		        sizeof( bvw_contact_pair ) );
		if ( from->options.keep && asked.keep )
		{
			memcpy( bvwcontact_kept( contacts, i ), bvwcontact_kept( from, rows[i].slot ),
			        sizeof( bvw_kept_points ) );
		}
		rows[i].slot = i;
	}
	contacts->count = contacts->used = from->count;
	contacts->step = from->step;
	*out = contacts;
	return bv_ok;
}

uint32_t bvwcontact_lower_bound( const bvw_contacts* contacts, const bvw_contact_key* key )
{
	const bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint32_t low = 0;
	uint32_t high = contacts->count;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( bvwcontact_compare( &rows[middle].key, key ) < 0 )
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

uint32_t bvwcontact_take_slot( bvw_contacts* contacts, const bvw_contact_key* key )
{
	bvw_contact_pair* pairs = bvwcontact_pairs( contacts );
	uint32_t slot = contacts->free;
	if ( slot != BVWCONTACT_NONE )
	{
		contacts->free = pairs[slot].key.a;
	}
	else
	{
		slot = contacts->used++;
	}
	pairs[slot].key = *key; // the rest is 0
	return slot;
}

void bvwcontact_free_slot( bvw_contacts* contacts, uint32_t slot )
{
	bvw_contact_pair* pair = bvwcontact_pairs( contacts ) + slot;
	memset( pair, 0, sizeof *pair );
	if ( contacts->options.keep )
	{
		memset( bvwcontact_kept( contacts, slot ), 0, sizeof( bvw_kept_points ) );
	}
	pair->key.a = contacts->free;
	contacts->free = slot;
}

static bool is_length( double x )
{
	return fabs( x ) <= BV_MAX_LENGTH;
}

static bool is_vector( bv_vec3 v )
{
	return is_length( v.x ) && is_length( v.y ) && is_length( v.z );
}

bool bvwcontact_is_valid_manifold( const bv_manifold* m )
{
	bool valid = m->count <= BV_MANIFOLD_CONTACTS && !isnan( m->lower ) && !isnan( m->upper ) &&
	             is_vector( m->normal );
	for ( uint32_t i = 0; valid && i < m->count; ++i )
	{
		const bv_contact* c = m->contact + i;
		valid = is_vector( c->position ) && is_vector( c->point[0] ) && is_vector( c->point[1] ) &&
		        is_length( c->separation );
	}
	return valid;
}

static void add_row( bvw_contacts* contacts, uint32_t at, const bvw_contact_key* key )
{
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	memmove( rows + at + 1, rows + at, ( contacts->count - at ) * sizeof *rows );
	rows[at] = ( bvwcontact_row ){ .key = *key, .slot = bvwcontact_take_slot( contacts, key ) };
	++contacts->count;
}

static void remove_row( bvw_contacts* contacts, uint32_t at )
{
	bvwcontact_row* rows = bvwcontact_rows( contacts );
	bvwcontact_free_slot( contacts, rows[at].slot );
	--contacts->count;
	memmove( rows + at, rows + at + 1, ( contacts->count - at ) * sizeof *rows );
}

static bvw_contact_event event_of( bool touched, bool touches )
{
	static const bvw_contact_event events[2][2] = { { bvw_contact_none, bvw_contact_begun },
		                                            { bvw_contact_ended, bvw_contact_stays } };
	return events[touched][touches];
}

static void describe( const bvw_contact_pair* pair, bool touched, bvw_pair_result* out )
{
	*out = ( bvw_pair_result ){ .event = event_of( touched, pair->manifold.count > 0 ),
		                        .ended = {
									.key = pair->key, .since = pair->since, .count = pair->ended_count } };
	memcpy( out->ended.point, pair->ended, pair->ended_count * sizeof *pair->ended );
}

// A former state of an entry that is not there.
static void describe_nothing( const bvw_contact_key* key, bvw_pair_result* out )
{
	*out =
		( bvw_pair_result ){ .event = bvw_contact_none, .index = BVWCONTACT_NONE, .ended = { .key = *key } };
}

static bool is_of_row( const bvw_contacts* contacts, uint32_t at, const bvw_contact_key* key )
{
	return at < contacts->count && bvwcontact_compare( &bvwcontact_rows( contacts )[at].key, key ) == 0;
}

bv_status bvw_contacts_update_pair( bvw_contacts* contacts, const bvw_contact_key* key,
                                    const bv_transform* placement, const bv_manifold* manifold,
                                    bvw_pair_result* result )
{
	static const bv_manifold no_manifold = { .count = 0 };
	const bv_transform identity = bv_transform_identity();
	const bv_manifold* m = manifold ? manifold : &no_manifold;
	const bv_transform* b_in_a = placement ? placement : &identity;
	if ( !contacts || !key || key->a >= key->b || !bv_transform_is_valid( b_in_a ) ||
	     !is_vector( b_in_a->pose.translation ) || !bvwcontact_is_valid_manifold( m ) )
	{
		return bv_error_argument;
	}
	bvw_pair_result unwanted;
	bvw_pair_result* out = result ? result : &unwanted;
	uint32_t at = bvwcontact_lower_bound( contacts, key );
	bool is_there = is_of_row( contacts, at, key );
	if ( !is_there && m->count == 0 )
	{
		describe_nothing( key, out );
		return bv_ok;
	}
	if ( !is_there && contacts->count == contacts->options.pairs )
	{
		return bv_error_memory;
	}
	if ( !is_there )
	{
		add_row( contacts, at, key );
	}
	bvwcontact_row* row = bvwcontact_rows( contacts ) + at;
	bvw_contact_pair* pair = bvwcontact_pairs( contacts ) + row->slot;
	bool touched = pair->manifold.count > 0;
	bvwcontact_replace( pair, bvwcontact_kept( contacts, row->slot ), m, b_in_a, contacts->options.tolerance,
	                    contacts->step );
	describe( pair, touched, out );
	out->index = row->slot;
	row->state = ( row->state & ~(uint32_t)bvwcontact_touches ) | ( m->count > 0 ? bvwcontact_touches : 0 );
	if ( m->count == 0 && !( row->state & bvwcontact_is_listed ) )
	{
		remove_row( contacts, at );
		out->index = BVWCONTACT_NONE;
	}
	return bv_ok;
}

bvw_contact_pair* bvw_contacts_at( bvw_contacts* contacts, uint32_t index )
{
	return contacts && index < contacts->used ? bvwcontact_pairs( contacts ) + index : NULL;
}

bvw_kept_points* bvw_contacts_kept( bvw_contacts* contacts, uint32_t index )
{
	return contacts && index < contacts->used ? bvwcontact_kept( contacts, index ) : NULL;
}

bvw_contact_pair* bvw_contacts_find( bvw_contacts* contacts, const bvw_contact_key* key )
{
	if ( !contacts || !key )
	{
		return NULL;
	}
	uint32_t at = bvwcontact_lower_bound( contacts, key );
	return is_of_row( contacts, at, key )
	           ? bvwcontact_pairs( contacts ) + bvwcontact_rows( contacts )[at].slot
	           : NULL;
}

bv_status bvw_contacts_list( const bvw_contacts* contacts, uint32_t* indices, uint32_t most, uint32_t* count )
{
	if ( !contacts || !count || ( !indices && most > 0 ) )
	{
		return bv_error_argument;
	}
	const bvwcontact_row* rows = bvwcontact_rows( contacts );
	uint32_t touching = 0;
	for ( uint32_t i = 0; i < contacts->count; ++i )
	{
		touching += ( rows[i].state & bvwcontact_touches ) != 0;
	}
	*count = touching;
	if ( touching > most )
	{
		return bv_error_memory;
	}
	uint32_t found = 0;
	for ( uint32_t i = 0; i < contacts->count; ++i )
	{
		if ( rows[i].state & bvwcontact_touches )
		{
			indices[found++] = rows[i].slot;
		}
	}
	return bv_ok;
}
