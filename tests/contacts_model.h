// A model of bvworld/contacts.h that shares no code with it: entries in an array without order, points matched by a sorted list of
// all distances. Manifolds are those of bv_convex_manifold, with caches of the model.

#pragma once

#include "bvworld/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept_point
{
	bv_contact contact;
	bv_vec3 place; // of contact.point[1], in coordinates of b
	double data[BVW_CONTACT_DATA];
	uint64_t since;
} kept_point;

typedef struct kept_entry
{
	bvw_contact_key key;
	bool is_listed;
	bool is_due;
	uint64_t since;
	uint32_t count;
	kept_point point[BV_MANIFOLD_CONTACTS];
	uint32_t ended_count;
	kept_point ended[BV_MANIFOLD_CONTACTS];
	uint32_t old_count;
	kept_point old[BVW_KEPT_POINTS]; // of former steps, that are still near
	double lower;
	double upper;
	bv_vec3 normal;
	bv_convex_cache cache;
	// What the last step did.
	bool is_computed;
	bool is_refused;
	bool has_begun;
	bool has_ended;
} kept_entry;

typedef struct kept_model
{
	kept_entry* entry;
	uint32_t count;
	uint32_t most;
	kept_entry* gone; // those whose contacts ended in the last step or update, with their entry
	uint32_t gone_count;
	double tolerance;
	uint64_t step;
	bool keeps; // points of former steps
} kept_model;

// With the default tolerance, without points of former steps.
static inline kept_model kept_model_of( uint32_t most )
{
	return ( kept_model ){ .entry = malloc( most * sizeof( kept_entry ) ),
		                   .gone = malloc( most * sizeof( kept_entry ) ),
		                   .most = most,
		                   .tolerance = 0.02 };
}

static inline void kept_model_free( kept_model* m )
{
	free( m->entry );
	free( m->gone );
}

static inline void kept_model_copy( kept_model* to, const kept_model* from )
{
	memcpy( to->entry, from->entry, from->count * sizeof *from->entry );
	to->count = from->count;
	to->gone_count = 0;
	to->tolerance = from->tolerance;
	to->step = from->step;
	to->keeps = from->keeps;
}

// Points of former steps are lost if the options do not keep them.
static inline void kept_set_options( kept_model* m, const bvw_contacts_options* options )
{
	m->tolerance = options->tolerance > 0 ? options->tolerance : 0.02;
	for ( uint32_t i = 0; i < m->count && !options->keep; ++i )
	{
		m->entry[i].old_count = 0;
	}
	m->keeps = options->keep;
}

static inline int kept_compare_keys( const void* left, const void* right )
{
	const uint32_t* x = left;
	const uint32_t* y = right;
	for ( int i = 0; i < 4; ++i )
	{
		if ( x[i] != y[i] )
		{
			return x[i] < y[i] ? -1 : 1;
		}
	}
	return 0;
}

static inline kept_entry* kept_find( const kept_model* m, const bvw_contact_key* key )
{
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		if ( kept_compare_keys( &m->entry[i].key, key ) == 0 )
		{
			return m->entry + i;
		}
	}
	return NULL;
}

static inline kept_entry* kept_add( kept_model* m, const bvw_contact_key* key )
{
	if ( m->count == m->most )
	{
		abort();
	}
	kept_entry* e = m->entry + m->count++;
	*e = ( kept_entry ){ .key = *key };
	return e;
}

static inline void kept_remove( kept_model* m, kept_entry* e )
{
	*e = m->entry[--m->count];
}

// How far a new point is from a former one.
typedef struct kept_distance
{
	double distance;
	uint32_t now;
	uint32_t former;
} kept_distance;

static inline int kept_compare_distances( const void* left, const void* right )
{
	const kept_distance* x = left;
	const kept_distance* y = right;
	if ( x->distance != y->distance )
	{
		return x->distance < y->distance ? -1 : 1;
	}
	return x->now != y->now ? ( x->now < y->now ? -1 : 1 )
	                        : ( x->former > y->former ) - ( x->former < y->former );
}

static inline void kept_take_over( kept_point* now, kept_point* former, bool* now_done, bool* former_done )
{
	memcpy( now->data, former->data, sizeof now->data );
	now->since = former->since;
	*now_done = *former_done = true;
}

// The greater of the ways on both objects, in units of a.
static inline double kept_distance_of( const kept_point* x, const kept_point* y, const bv_transform* b_in_a )
{
	bv_vec3 on_a = bv_sub( x->contact.point[0], y->contact.point[0] );
	bv_vec3 on_b = bv_sub( x->place, y->place );
	return fmax( bv_length( on_a ), b_in_a->scale * bv_length( on_b ) );
}

static inline bool kept_is_near_any( const kept_point* p, const kept_point* other, uint32_t count,
                                     const bv_transform* b_in_a, double tolerance )
{
	bool is_near = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		is_near = is_near || kept_distance_of( p, other + i, b_in_a ) <= tolerance;
	}
	return is_near;
}

// Gives a point that begins what is kept of a point with its identity; without one, of the nearest point.
static inline void kept_give_back( kept_entry* e, kept_point* p, const bv_transform* b_in_a,
                                   double tolerance )
{
	uint32_t best = e->old_count;
	for ( uint32_t k = e->old_count; k > 0; --k )
	{
		best = e->old[k - 1].contact.identity == p->contact.identity ? k - 1 : best;
	}
	bool has_identity = best < e->old_count;
	double least = INFINITY;
	for ( uint32_t k = 0; k < e->old_count && !has_identity; ++k )
	{
		double distance = kept_distance_of( e->old + k, p, b_in_a );
		if ( distance <= tolerance && distance < least )
		{
			best = k;
			least = distance;
		}
	}
	if ( best < e->old_count )
	{
		memcpy( p->data, e->old[best].data, sizeof p->data );
		for ( uint32_t k = best + 1; k < e->old_count; ++k )
		{
			e->old[k - 1] = e->old[k];
		}
		e->old_count -= 1;
	}
}

// Of what was kept and of what has ended, in this order.
static inline void kept_keep( kept_entry* e, const bv_transform* b_in_a, double tolerance )
{
	kept_point all[BVW_KEPT_POINTS + BV_MANIFOLD_CONTACTS];
	uint32_t count = e->old_count + e->ended_count;
	memcpy( all, e->old, e->old_count * sizeof *all );
	memcpy( all + e->old_count, e->ended, e->ended_count * sizeof *all );
	e->old_count = 0;
	for ( uint32_t i = 0; i < count && e->count > 0 && e->old_count < BVW_KEPT_POINTS; ++i )
	{
		bv_contact* c = &all[i].contact;
		c->point[1] = bv_transform_point( b_in_a, all[i].place );
		bv_vec3 gap = bv_sub( c->point[1], c->point[0] );
		c->separation = bv_dot( gap, e->normal );
		c->position = bv_scale( 0.5, bv_add( c->point[0], c->point[1] ) );
		double aside = bv_length( bv_sub( gap, bv_scale( c->separation, e->normal ) ) );
		if ( c->separation <= tolerance && aside <= tolerance &&
		     !kept_is_near_any( all + i, e->point, e->count, b_in_a, tolerance ) &&
		     !kept_is_near_any( all + i, e->old, e->old_count, b_in_a, tolerance ) )
		{
			e->old[e->old_count++] = all[i];
		}
	}
}

// @param step  what new points begin in
static inline void kept_replace( kept_entry* e, const bv_manifold* manifold, const bv_transform* b_in_a,
                                 double tolerance, uint64_t step, bool keeps )
{
	kept_point now[BV_MANIFOLD_CONTACTS];
	bool now_done[BV_MANIFOLD_CONTACTS] = { false };
	bool former_done[BV_MANIFOLD_CONTACTS] = { false };
	bv_transform inverse = bv_transform_inverse( b_in_a );
	for ( uint32_t i = 0; i < manifold->count; ++i )
	{
		now[i] = ( kept_point ){ .contact = manifold->contact[i], .since = step };
		now[i].place = bv_transform_point( &inverse, manifold->contact[i].point[1] );
		for ( uint32_t k = 0; k < e->count && !now_done[i]; ++k )
		{
			if ( !former_done[k] && e->point[k].contact.identity == now[i].contact.identity )
			{
				kept_take_over( now + i, e->point + k, now_done + i, former_done + k );
			}
		}
	}
	kept_distance distance[BV_MANIFOLD_CONTACTS * BV_MANIFOLD_CONTACTS];
	uint32_t distances = 0;
	for ( uint32_t i = 0; i < manifold->count; ++i )
	{
		for ( uint32_t k = 0; k < e->count; ++k )
		{
			distance[distances++] =
				( kept_distance ){ kept_distance_of( now + i, e->point + k, b_in_a ), i, k };
		}
	}
	qsort( distance, distances, sizeof *distance, kept_compare_distances );
	for ( uint32_t d = 0; d < distances && distance[d].distance <= tolerance; ++d )
	{
		uint32_t i = distance[d].now;
		uint32_t k = distance[d].former;
		if ( !now_done[i] && !former_done[k] )
		{
			kept_take_over( now + i, e->point + k, now_done + i, former_done + k );
		}
	}
	e->ended_count = 0;
	for ( uint32_t k = 0; k < e->count; ++k )
	{
		if ( !former_done[k] )
		{
			e->ended[e->ended_count++] = e->point[k];
		}
	}
	e->has_begun = e->count == 0 && manifold->count > 0;
	e->has_ended = e->count > 0 && manifold->count == 0;
	e->since = e->has_begun ? step : e->since;
	e->count = manifold->count;
	memcpy( e->point, now, e->count * sizeof *now );
	e->lower = manifold->lower;
	e->upper = manifold->upper;
	e->normal = manifold->normal;
	for ( uint32_t i = 0; keeps && i < e->count; ++i )
	{
		if ( !now_done[i] )
		{
			kept_give_back( e, e->point + i, b_in_a, tolerance );
		}
	}
	if ( keeps )
	{
		kept_keep( e, b_in_a, tolerance );
	}
}

static inline bool kept_has_pair( const bvw_pair* pairs, uint32_t count, const bvw_contact_key* key )
{
	bool found = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		found = found || ( pairs[i].a == key->a && pairs[i].b == key->b );
	}
	return found;
}

static inline void kept_change( kept_model* m, const bvw_changes* changes )
{
	for ( uint32_t i = m->count; i > 0; --i )
	{
		kept_entry* e = m->entry + i - 1;
		if ( kept_has_pair( changes->ended, changes->ended_count, &e->key ) )
		{
			if ( e->count > 0 )
			{
				m->gone[m->gone_count++] = *e;
			}
			kept_remove( m, e );
		}
	}
	for ( uint32_t i = 0; i < changes->begun_count; ++i )
	{
		bvw_contact_key key = { .a = changes->begun[i].a, .b = changes->begun[i].b };
		kept_entry* e = kept_find( m, &key );
		e = e ? e : kept_add( m, &key );
		e->is_listed = e->is_due = true;
	}
}

static inline bool kept_compute( const kept_model* m, kept_entry* e, const bvw_contacts_step_input* input )
{
	const bvw_body* a = input->bodies + e->key.a;
	const bvw_body* b = input->bodies + e->key.b;
	if ( !bv_transform_is_valid( &a->placement ) || !bv_transform_is_valid( &b->placement ) )
	{
		return false;
	}
	bv_transform b_in_a = bv_transform_between( &a->placement, &b->placement );
	bv_manifold_options options = { .speculative =
		                                fmin( input->speculative / a->placement.scale, BV_MAX_LENGTH ),
		                            .distance = { .cache = &e->cache } };
	bv_manifold manifold;
	if ( bv_convex_manifold( a->shape, b->shape, &b_in_a, &options, &manifold ) != bv_ok )
	{
		return false;
	}
	kept_replace( e, &manifold, &b_in_a, fmin( m->tolerance / a->placement.scale, BV_MAX_LENGTH ), m->step,
	              m->keeps );
	return true;
}

// @return how many entries a step would have
static inline uint32_t kept_count_after( const kept_model* m, const bvw_changes* changes )
{
	uint32_t count = changes ? changes->begun_count : 0;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const bvw_contact_key* key = &m->entry[i].key;
		bool ends = changes && kept_has_pair( changes->ended, changes->ended_count, key );
		bool is_whole = key->part[0] == 0 && key->part[1] == 0;
		count +=
			!ends && !( is_whole && changes && kept_has_pair( changes->begun, changes->begun_count, key ) );
	}
	return count;
}

static inline void kept_step( kept_model* m, const bvw_contacts_step_input* input )
{
	++m->step;
	m->gone_count = 0;
	if ( input->changes )
	{
		kept_change( m, input->changes );
	}
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		kept_entry* e = m->entry + i;
		const bvw_contact_key* k = &e->key;
		e->is_computed = e->is_refused = e->has_begun = e->has_ended = false;
		if ( e->is_listed && k->part[0] == 0 && k->part[1] == 0 && k->b < input->body_count &&
		     input->bodies[k->a].shape && input->bodies[k->b].shape &&
		     ( e->is_due || !input->awake || input->awake[k->a] || input->awake[k->b] ) )
		{
			e->is_computed = kept_compute( m, e, input );
			e->is_refused = e->is_due = !e->is_computed;
		}
	}
	qsort( m->entry, m->count, sizeof *m->entry, kept_compare_keys );
	qsort( m->gone, m->gone_count, sizeof *m->gone, kept_compare_keys );
}

static inline bool kept_equal_ended( const bvw_ended_point* got, const kept_point* expected, uint32_t count )
{
	bool equal = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		equal = equal && got[i].identity == expected[i].contact.identity &&
		        got[i].since == expected[i].since &&
		        memcmp( got[i].data, expected[i].data, sizeof got[i].data ) == 0;
	}
	return equal;
}

// @return null, or what differs
static inline const char* kept_compare_pair( const bvw_contact_pair* got, const kept_entry* e )
{
	if ( kept_compare_keys( &got->key, &e->key ) != 0 )
	{
		return "key";
	}
	if ( got->manifold.count != e->count )
	{
		return "number of points";
	}
	if ( e->count > 0 && got->since != e->since )
	{
		return "since";
	}
	if ( got->manifold.lower != e->lower || got->manifold.upper != e->upper ||
	     memcmp( &got->manifold.normal, &e->normal, sizeof e->normal ) != 0 )
	{
		return "distance or normal";
	}
	for ( uint32_t i = 0; i < e->count; ++i )
	{
		if ( memcmp( got->manifold.contact + i, &e->point[i].contact, sizeof( bv_contact ) ) != 0 )
		{
			return "point";
		}
		if ( got->point_since[i] != e->point[i].since )
		{
			return "since of a point";
		}
		if ( memcmp( got->data[i], e->point[i].data, sizeof got->data[i] ) != 0 )
		{
			return "user data";
		}
	}
	for ( uint32_t i = e->count; i < BV_MANIFOLD_CONTACTS; ++i )
	{
		if ( got->data[i][0] != 0 || got->data[i][1] != 0 || got->data[i][2] != 0 )
		{
			return "user data behind the last point";
		}
	}
	return got->ended_count == e->ended_count && kept_equal_ended( got->ended, e->ended, e->ended_count )
	           ? NULL
	           : "points that ended";
}

// @param got  null if points of former steps are not kept
// @return null, or what differs
static inline const char* kept_compare_old( const bvw_kept_points* got, const kept_entry* e, bool keeps )
{
	if ( !got || !keeps )
	{
		return !got && !keeps && e->old_count == 0 ? NULL : "whether points are kept";
	}
	if ( got->count != e->old_count )
	{
		return "number of points kept";
	}
	for ( uint32_t i = 0; i < e->old_count; ++i )
	{
		const bvw_kept_point* p = got->point + i;
		if ( memcmp( &p->at, &e->old[i].contact, sizeof p->at ) != 0 ||
		     memcmp( &p->place, &e->old[i].place, sizeof p->place ) != 0 )
		{
			return "point kept";
		}
		if ( memcmp( p->data, e->old[i].data, sizeof p->data ) != 0 )
		{
			return "user data of a point kept";
		}
	}
	return NULL;
}

static inline bvw_kept_points* kept_points_of( bvw_contacts* contacts, const bvw_contact_pair* pair )
{
	uint32_t index = 0;
	while ( bvw_contacts_at( contacts, index ) != pair )
	{
		++index;
	}
	return bvw_contacts_kept( contacts, index );
}

// All entries, and those that touch.
// @return null, or what differs
static inline const char* kept_compare_all( kept_model* m, bvw_contacts* contacts )
{
	qsort( m->entry, m->count, sizeof *m->entry, kept_compare_keys );
	uint32_t touching = 0;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const bvw_contact_pair* pair = bvw_contacts_find( contacts, &m->entry[i].key );
		const char* what = pair ? kept_compare_pair( pair, m->entry + i ) : "entry not found";
		what = what ? what : kept_compare_old( kept_points_of( contacts, pair ), m->entry + i, m->keeps );
		if ( what )
		{
			return what;
		}
		touching += m->entry[i].count > 0;
	}
	uint32_t* indices = malloc( ( touching + 1 ) * sizeof *indices );
	uint32_t count = 0;
	bool equal = bvw_contacts_list( contacts, indices, touching, &count ) == bv_ok && count == touching;
	for ( uint32_t i = 0, k = 0; equal && i < m->count; ++i )
	{
		equal = m->entry[i].count == 0 ||
		        kept_compare_keys( &bvw_contacts_at( contacts, indices[k++] )->key, &m->entry[i].key ) == 0;
	}
	free( indices );
	return equal ? NULL : "bvw_contacts_list";
}

static inline bool kept_lists_next( bvw_contacts* contacts, const uint32_t* list, uint32_t count,
                                    uint32_t* at, const kept_entry* e )
{
	return *at < count &&
	       kept_compare_keys( &bvw_contacts_at( contacts, list[( *at )++] )->key, &e->key ) == 0;
}

static inline bool kept_equal_end( const bvw_contact_end* got, const kept_entry* e, const kept_point* points,
                                   uint32_t count )
{
	return kept_compare_keys( &got->key, &e->key ) == 0 && got->count == count && got->since == e->since &&
	       kept_equal_ended( got->point, points, count );
}

// @return null, or what differs
static inline const char* kept_compare_report( const kept_model* m, bvw_contacts* contacts,
                                               const bvw_contacts_report* r )
{
	uint32_t touching = 0;
	uint32_t begun = 0;
	uint32_t refused = 0;
	uint32_t computed = 0;
	uint32_t ended = 0;
	uint32_t gone = 0;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const kept_entry* e = m->entry + i;
		computed += e->is_computed;
		if ( e->is_computed && e->count > 0 &&
		     !kept_lists_next( contacts, r->touching, r->touching_count, &touching, e ) )
		{
			return "touching";
		}
		if ( e->has_begun && e->is_computed &&
		     !kept_lists_next( contacts, r->begun, r->begun_count, &begun, e ) )
		{
			return "begun";
		}
		if ( e->is_refused && !kept_lists_next( contacts, r->refused, r->refused_count, &refused, e ) )
		{
			return "refused";
		}
		for ( ; gone < m->gone_count && kept_compare_keys( &m->gone[gone].key, &e->key ) <= 0;
		      ++gone, ++ended )
		{
			if ( ended >= r->ended_count || !kept_equal_end( r->ended + ended, m->gone + gone,
			                                                 m->gone[gone].point, m->gone[gone].count ) )
			{
				return "ended with its entry";
			}
		}
		if ( e->has_ended && e->is_computed &&
		     ( ended >= r->ended_count ||
		       !kept_equal_end( r->ended + ended++, e, e->ended, e->ended_count ) ) )
		{
			return "ended";
		}
	}
	for ( ; gone < m->gone_count; ++gone, ++ended )
	{
		if ( ended >= r->ended_count ||
		     !kept_equal_end( r->ended + ended, m->gone + gone, m->gone[gone].point, m->gone[gone].count ) )
		{
			return "ended with its entry";
		}
	}
	bool equal = touching == r->touching_count && begun == r->begun_count && refused == r->refused_count &&
	             ended == r->ended_count && computed == r->computed && m->step == r->step;
	return equal ? NULL : "lengths of lists";
}

// Gives all new points unique user data, in both.
static inline void kept_mark_new( kept_model* m, bvw_contacts* contacts, double* next )
{
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		kept_entry* e = m->entry + i;
		bvw_contact_pair* pair = bvw_contacts_find( contacts, &e->key );
		for ( uint32_t k = 0; k < e->count; ++k )
		{
			bool is_new = e->point[k].data[0] == 0;
			for ( int d = 0; d < BVW_CONTACT_DATA && is_new; ++d )
			{
				e->point[k].data[d] = pair->data[k][d] = ++*next;
			}
		}
	}
}

// @param manifold  null for none
static inline bvw_contact_event kept_update_pair( kept_model* m, const bvw_contact_key* key,
                                                  const bv_transform* b_in_a, const bv_manifold* manifold )
{
	kept_entry* e = kept_find( m, key );
	bool touches = manifold && manifold->count > 0;
	if ( !e && !touches )
	{
		return bvw_contact_none;
	}
	e = e ? e : kept_add( m, key );
	bool touched = e->count > 0;
	bv_manifold none = { .count = 0 };
	kept_replace( e, manifold ? manifold : &none, b_in_a, m->tolerance, m->step, m->keeps );
	if ( !touches && !e->is_listed )
	{
		kept_remove( m, e );
	}
	return touches ? ( touched ? bvw_contact_stays : bvw_contact_begun )
	               : ( touched ? bvw_contact_ended : bvw_contact_none );
}

// Caches of the pairs of leaves of two bodies: of each pair in turn, from its entry if it has one.
typedef struct kept_caches
{
	const kept_model* model;
	uint32_t a;
	uint32_t b;
	uint32_t count;
	uint32_t most;
	bv_convex_cache* cache;
	uint32_t ( *leaf )[2];
} kept_caches;

static inline kept_caches kept_caches_of( const kept_model* m, uint32_t a, uint32_t b, uint32_t most )
{
	return ( kept_caches ){ .model = m,
		                    .a = a,
		                    .b = b,
		                    .most = most,
		                    .cache = calloc( most, sizeof( bv_convex_cache ) ),
		                    .leaf = calloc( most, sizeof( uint32_t[2] ) ) };
}

static inline void kept_caches_free( kept_caches* c )
{
	free( c->cache );
	free( c->leaf );
}

// For the option of queries of compounds.
static inline bv_convex_cache* kept_give_cache( void* context, uint32_t leaf_a, uint32_t leaf_b )
{
	kept_caches* c = context;
	const bvw_contact_key key = { c->a, c->b, { leaf_a, leaf_b } };
	const kept_entry* e = kept_find( c->model, &key );
	if ( c->count == c->most )
	{
		abort();
	}
	bv_convex_cache* cache = c->cache + c->count;
	c->leaf[c->count][0] = leaf_a;
	c->leaf[c->count][1] = leaf_b;
	c->count += 1;
	*cache = e ? e->cache : ( bv_convex_cache ){ 0 };
	return cache;
}

static inline bool kept_has_leaves( const bv_compound_contact* c, uint32_t count, const bvw_contact_key* key )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( c[i].leaf_a == key->part[0] && c[i].leaf_b == key->part[1] )
		{
			return true;
		}
	}
	return false;
}

// What an update of two bodies did. The entries that ended are in the model's list of those that are gone, by key.
typedef struct kept_events
{
	uint32_t stays;
	uint32_t begun;
} kept_events;

// Updates all entries of two bodies one by one: first those that have no contacts any more.
static inline kept_events kept_update_compounds( kept_model* m, const kept_caches* caches,
                                                 const bv_transform* b_in_a, const bv_compound_contact* c,
                                                 uint32_t count )
{
	kept_events out = { 0, 0 };
	m->gone_count = 0;
	for ( uint32_t i = m->count; i > 0; --i )
	{
		kept_entry e = m->entry[i - 1];
		if ( e.key.a == caches->a && e.key.b == caches->b && !kept_has_leaves( c, count, &e.key ) &&
		     kept_update_pair( m, &e.key, b_in_a, NULL ) == bvw_contact_ended )
		{
			m->gone[m->gone_count++] = e;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvw_contact_key key = { caches->a, caches->b, { c[i].leaf_a, c[i].leaf_b } };
		bvw_contact_event event = kept_update_pair( m, &key, b_in_a, &c[i].manifold );
		out.begun += event == bvw_contact_begun;
		out.stays += event == bvw_contact_stays;
		uint32_t k = 0;
		while ( caches->leaf[k][0] != key.part[0] || caches->leaf[k][1] != key.part[1] )
		{
			++k;
		}
		kept_find( m, &key )->cache = caches->cache[k];
	}
	qsort( m->gone, m->gone_count, sizeof *m->gone, kept_compare_keys );
	return out;
}
