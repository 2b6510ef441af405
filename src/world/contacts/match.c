// Which contact points of a step are those of the last one. See contacts.h.
//
// A point that slides keeps its features, and one that is stuck keeps its place while the features that describe it can change, as
// when a box on a grid of boxes turns a little. Therefore identities decide first, and places among the rest.

#include "world/contacts/contacts.h"

#include <math.h>
#include <string.h>

// What an entry had.
typedef struct former
{
	uint32_t count;
	uint32_t used; // bits
	bv_contact contact[BV_MANIFOLD_CONTACTS];
	bv_vec3 place[BV_MANIFOLD_CONTACTS];
	double data[BV_MANIFOLD_CONTACTS][BVW_CONTACT_DATA];
	uint64_t since[BV_MANIFOLD_CONTACTS];
} former;

static void remember( const bvw_contact_pair* pair, former* out )
{
	out->count = pair->manifold.count;
	out->used = 0;
	memcpy( out->contact, pair->manifold.contact, out->count * sizeof *out->contact );
	memcpy( out->place, pair->place, out->count * sizeof *out->place );
	memcpy( out->data, pair->data, out->count * sizeof *out->data );
	memcpy( out->since, pair->point_since, out->count * sizeof *out->since );
}

static bool is_free( const former* f, uint32_t index )
{
	return !( f->used >> index & 1 );
}

static void match_identities( const bvw_contact_pair* now, former* f, uint32_t from[BV_MANIFOLD_CONTACTS] )
{
	for ( uint32_t i = 0; i < now->manifold.count; ++i )
	{
		from[i] = BVWCONTACT_NONE;
		for ( uint32_t k = 0; k < f->count && from[i] == BVWCONTACT_NONE; ++k )
		{
			if ( is_free( f, k ) && f->contact[k].identity == now->manifold.contact[i].identity )
			{
				from[i] = k;
				f->used |= 1u << k;
			}
		}
	}
}

// How far a point has moved on the object on which it has moved farther, in units of a.
static double moved( const bvw_contact_pair* now, uint32_t i, const former* f, uint32_t k, double scale )
{
	double on_a = bv_length( bv_sub( now->manifold.contact[i].point[0], f->contact[k].point[0] ) );
	double on_b = scale * bv_length( bv_sub( now->place[i], f->place[k] ) );
	return on_a > on_b ? on_a : on_b;
}

// @return false if no two are within the tolerance
static bool match_nearest( const bvw_contact_pair* now, former* f, double scale, double tolerance,
                           uint32_t from[BV_MANIFOLD_CONTACTS] )
{
	uint32_t nearest[2] = { BVWCONTACT_NONE, BVWCONTACT_NONE };
	double least = tolerance;
	for ( uint32_t i = 0; i < now->manifold.count; ++i )
	{
		for ( uint32_t k = 0; k < f->count && from[i] == BVWCONTACT_NONE; ++k )
		{
			double distance = is_free( f, k ) ? moved( now, i, f, k, scale ) : INFINITY;
			if ( distance < least || ( distance <= least && nearest[0] == BVWCONTACT_NONE ) )
			{
				nearest[0] = i;
				nearest[1] = k;
				least = distance;
			}
		}
	}
	if ( nearest[0] == BVWCONTACT_NONE )
	{
		return false;
	}
	from[nearest[0]] = nearest[1];
	f->used |= 1u << nearest[1];
	return true;
}

static bool has_unmatched( const uint32_t* from, uint32_t count )
{
	bool unmatched = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		unmatched = unmatched || from[i] == BVWCONTACT_NONE;
	}
	return unmatched;
}

static void write_ended( const bv_contact* contact, uint64_t since, const double data[BVW_CONTACT_DATA],
                         bvw_ended_point* out )
{
	out->identity = contact->identity;
	out->since = since;
	memcpy( out->data, data, sizeof out->data );
}

static void carry( bvw_contact_pair* pair, const former* f, const uint32_t* from, uint64_t step )
{
	for ( uint32_t i = 0; i < pair->manifold.count; ++i )
	{
		bool is_new = from[i] == BVWCONTACT_NONE;
		pair->point_since[i] = is_new ? step : f->since[from[i]];
		for ( int k = 0; k < BVW_CONTACT_DATA; ++k )
		{
			pair->data[i][k] = is_new ? 0 : f->data[from[i]][k];
		}
	}
	uint32_t ended = 0;
	for ( uint32_t k = 0; k < f->count; ++k )
	{
		if ( is_free( f, k ) )
		{
			write_ended( f->contact + k, f->since[k], f->data[k], pair->ended + ended++ );
		}
	}
	pair->ended_count = ended;
}

// Member by member, because bytes between members are undefined; what is behind the last point is 0.
static void write_manifold( bvw_contact_pair* pair, const bv_manifold* m, const bv_transform* placement )
{
	bv_manifold* out = &pair->manifold;
	uint32_t before = out->count;
	out->lower = m->lower;
	out->upper = m->upper;
	out->normal = m->normal;
	out->count = m->count;
	out->supports = m->supports;
	if ( m->count > 0 )
	{
		bv_transform inverse = bv_transform_inverse( placement );
		for ( uint32_t i = 0; i < m->count; ++i )
		{
			out->contact[i] = m->contact[i];
			pair->place[i] = bv_transform_point( &inverse, m->contact[i].point[1] );
		}
	}
	for ( uint32_t i = m->count; i < before; ++i )
	{
		memset( out->contact + i, 0, sizeof *out->contact );
		memset( pair->place + i, 0, sizeof *pair->place );
		memset( pair->data + i, 0, sizeof *pair->data );
		pair->point_since[i] = 0;
	}
}

// At rest most manifolds have the points of the last step in the same order: then all that belongs to them is in its place.
static bool has_same_points( const bvw_contact_pair* pair, const bv_manifold* m )
{
	bool same = pair->manifold.count == m->count;
	for ( uint32_t i = 0; i < m->count && same; ++i )
	{
		same = pair->manifold.contact[i].identity == m->contact[i].identity;
	}
	return same;
}

static uint32_t list_free( const former* f, bvw_kept_point* out )
{
	uint32_t count = 0;
	for ( uint32_t k = 0; k < f->count; ++k )
	{
		if ( is_free( f, k ) )
		{
			bvw_kept_point* p = out + count++;
			p->at = f->contact[k];
			p->place = f->place[k];
			memcpy( p->data, f->data[k], sizeof p->data );
		}
	}
	return count;
}

static void match( bvw_contact_pair* pair, bvw_kept_points* kept, const bv_manifold* manifold,
                   const bv_transform* placement, double tolerance, uint64_t step )
{
	former f;
	uint32_t from[BV_MANIFOLD_CONTACTS];
	remember( pair, &f );
	write_manifold( pair, manifold, placement );
	match_identities( pair, &f, from );
	while ( has_unmatched( from, manifold->count ) &&
	        match_nearest( pair, &f, placement->scale, tolerance, from ) )
	{
	}
	carry( pair, &f, from, step );
	if ( kept )
	{
		bvw_kept_point ended[BV_MANIFOLD_CONTACTS];
		uint32_t count = list_free( &f, ended );
		uint32_t begun = 0;
		for ( uint32_t i = 0; i < manifold->count; ++i )
		{
			begun |= ( from[i] == BVWCONTACT_NONE ? 1u : 0u ) << i;
		}
		bvwcontact_keep( pair, begun, kept, ended, count, placement, tolerance );
	}
	if ( manifold->count > 0 && f.count == 0 )
	{
		pair->since = step;
	}
}

void bvwcontact_replace( bvw_contact_pair* pair, bvw_kept_points* kept, const bv_manifold* manifold,
                         const bv_transform* placement, double tolerance, uint64_t step )
{
	if ( !has_same_points( pair, manifold ) )
	{
		match( pair, kept, manifold, placement, tolerance, step );
		return;
	}
	write_manifold( pair, manifold, placement );
	pair->ended_count = 0;
	if ( kept && kept->count > 0 )
	{
		bvwcontact_keep( pair, 0, kept, NULL, 0, placement, tolerance );
	}
}

void bvwcontact_end_of( const bvw_contact_pair* pair, bvw_contact_end* out )
{
	memset( out, 0, sizeof *out );
	out->key = pair->key;
	out->since = pair->since;
	out->count = pair->manifold.count;
	for ( uint32_t i = 0; i < pair->manifold.count; ++i )
	{
		write_ended( pair->manifold.contact + i, pair->point_since[i], pair->data[i], out->point + i );
	}
}
