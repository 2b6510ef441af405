// The world of the bench simulator: bodies and half-spaces, a broad phase, contacts that last, and soft contacts with friction.
//
// Contacts are springs with dampers, integrated implicitly by sequential impulses with warm starting. A step is divided into
// substeps, each with a pass that also removes overlap and one that only corrects velocities. Coulomb's friction.
//
// Based on: E. Catto, "Solver2D", 2024, the solver named soft step, for contacts and their stiffness.

#pragma once

#include "bvworld/contacts.h"
#include "tests/bench/simulate/bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How contacts are found.
typedef struct sim_contacts_of
{
	bv_convex_method method; // for two bodies that move; those with half-spaces have a closed form
	bool stepped;            // by bvw_contacts_step, which uses the default method
	bool single;             // only the contact with the least separation
	bool elsewhere;          // by the caller, between sim_begin_points and sim_solve_points

	bool keeps; // points of former steps that bvw_contacts_kept has are contacts, too
} sim_contacts_of;

typedef struct sim_options
{
	sim_contacts_of contacts;
	double time; // of a step
	int substeps;
	bv_vec3 gravity;
	double friction;
	double fastest;     // speeds are limited as by drag; 0: they are not
	double damping;     // of spins, per unit of time
	double speculative; // contacts are found up to this separation
	uint32_t most_pairs;
} sim_options;

// A contact point while a step is solved.
typedef struct sim_point
{
	uint32_t body[2];
	bv_vec3 r[2]; // from the centers of mass
	bv_vec3 normal;
	bv_vec3 tangent[2];
	double separation; // at the start of the step
	double mass;       // impulse along the normal per change of speed
	double tangent_mass[2];
	double impulse[3]; // along normal and tangents
	uint32_t pair;     // where the impulse is stored
	uint32_t index;
	bool elsewhere; // the impulse is stored in last_points only
	bv_vec3
		place[2];   // points on both surfaces, in turned coordinates of the bodies, from the centers of mass
	bv_vec3 stored; // the impulse in such coordinates of the first body
} sim_point;

typedef struct sim_world
{
	sim_options options;
	sim_body* body;
	uint32_t count;
	bv_vec3* moved[2]; // displacement and angle of each body since the start of the step
	bvw_body* placed;
	bvw_broadphase* broad;
	bvw_contacts* contacts;
	bvw_pair* pairs;
	uint32_t* touching;
	uint32_t touching_count;
	sim_point* points; // sorted by their pairs of bodies
	uint32_t point_count;
	sim_point* last_points; // of the last step
	uint32_t last_count;
	uint64_t tested; // pairs of the broad phase, of all steps
} sim_world;

static inline void* sim_allocate( size_t count, size_t size )
{
	void* memory = calloc( count, size );
	if ( !memory )
	{
		fprintf( stderr, "simulate: out of memory\n" );
		exit( 1 );
	}
	return memory;
}

static inline void sim_require( bool good, const char* what )
{
	if ( !good )
	{
		fprintf( stderr, "simulate: %s\n", what );
		exit( 1 );
	}
}

static inline bv_aabb sim_box_of( const sim_world* w, const sim_body* b )
{
	if ( b->inverse_mass <= 0 )
	{
		bv_vec3 n = b->shape->convex.normal;
		double d = b->shape->convex.offset;
		// Normals are along an axis.
		return ( bv_aabb ){ { n.x < 0 ? -d : -INFINITY, n.y < 0 ? -d : -INFINITY, n.z < 0 ? -d : -INFINITY },
			                { n.x > 0 ? d : INFINITY, n.y > 0 ? d : INFINITY, n.z > 0 ? d : INFINITY } };
	}
	const bv_convex* c = &b->shape->convex;
	double e = w->options.speculative + w->options.time * bv_length( b->velocity );
	double half[3];
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = b->scale * b->shape->radius + e;
		if ( c->kind == bv_convex_of_box )
		{
			bv_vec3 r = b->rotation[i];
			const double* h = c->box.half_extents;
			half[i] = b->scale * ( ( fabs( r.x ) * h[0] + fabs( r.y ) * h[1] ) + fabs( r.z ) * h[2] ) + e;
		}
	}
	bv_vec3 h = { half[0], half[1], half[2] };
	return ( bv_aabb ){ bv_sub( b->position, h ), bv_add( b->position, h ) };
}

// @param body  remains the caller's
static inline sim_world sim_begin( const sim_options* options, sim_body* body, uint32_t count )
{
	sim_world w = { .options = *options, .body = body, .count = count };
	uint32_t most = options->most_pairs;
	for ( int i = 0; i < 2; ++i )
	{
		w.moved[i] = sim_allocate( count, sizeof( bv_vec3 ) );
	}
	w.placed = sim_allocate( count, sizeof *w.placed );
	w.pairs = sim_allocate( most, sizeof *w.pairs );
	w.touching = sim_allocate( most, sizeof *w.touching );
	w.points = sim_allocate( 2 * (size_t)most * BV_MANIFOLD_CONTACTS, sizeof *w.points );
	w.last_points = sim_allocate( 2 * (size_t)most * BV_MANIFOLD_CONTACTS, sizeof *w.points );
	bvw_broadphase_options broad = { .objects = count, .pairs = most, .moving = 1 };
	bvw_contacts_options contacts = { .pairs = most, .keep = options->contacts.keeps };
	size_t bytes[2] = { bvw_broadphase_bytes( &broad ), bvw_contacts_bytes( &contacts ) };
	sim_require( bvw_broadphase_begin( sim_allocate( 1, bytes[0] ), bytes[0], &broad, &w.broad ) == bv_ok &&
	                 bvw_contacts_begin( sim_allocate( 1, bytes[1] ), bytes[1], &contacts, &w.contacts ) ==
	                     bv_ok,
	             "the world cannot begin" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvw_object object = { .box = sim_box_of( &w, body + i ), .group = body[i].inverse_mass <= 0 };
		sim_require( bvw_broadphase_add( w.broad, i, &object ) == bv_ok, "a body is invalid" );
	}
	return w;
}

static inline void sim_end( sim_world* w )
{
	void* all[] = { w->moved[0], w->moved[1], w->placed, w->broad,      w->contacts,
		            w->pairs,    w->touching, w->points, w->last_points };
	for ( size_t i = 0; i < sizeof all / sizeof *all; ++i )
	{
		free( all[i] );
	}
}

static inline void sim_keep_deepest( bv_manifold* m )
{
	for ( uint32_t i = 1; i < m->count; ++i )
	{
		if ( m->contact[i].separation < m->contact[0].separation )
		{
			m->contact[0] = m->contact[i];
		}
	}
	m->count = m->count > 0;
}

static inline double sim_reach( const sim_body* b )
{
	return b->scale * b->shape->radius;
}

// Contacts of a pair by the method of the options.
static inline void sim_collide_pair( sim_world* w, bvw_pair p )
{
	const sim_body* a = w->body + p.a;
	const sim_body* b = w->body + p.b;
	double speculative =
		w->options.speculative + w->options.time * bv_length( bv_sub( a->velocity, b->velocity ) );
	bool fixed = a->inverse_mass <= 0 || b->inverse_mass <= 0;
	bvw_contact_key key = { p.a, p.b, { 0, 0 } };
	bv_transform b_in_a = bv_transform_between( &w->placed[p.a].placement, &w->placed[p.b].placement );
	bv_manifold m = { .count = 0 };
	double reach = sim_reach( a ) + sim_reach( b ) + speculative;
	bv_vec3 d = bv_sub( a->position, b->position );
	if ( fixed || bv_dot( d, d ) <= reach * reach )
	{
		bvw_contact_pair* entry = bvw_contacts_find( w->contacts, &key );
		bv_manifold_options options = {
			.speculative = speculative / a->scale,
			.distance = { .method = fixed ? bv_convex_method_default : w->options.contacts.method,
			              .cache = entry ? &entry->cache : NULL },
		};
		sim_require( bv_convex_manifold( &a->shape->convex, &b->shape->convex, &b_in_a, &options, &m ) ==
		                 bv_ok,
		             "a pair has no manifold" );
		if ( w->options.contacts.single )
		{
			sim_keep_deepest( &m );
		}
	}
	sim_require( bvw_contacts_update_pair( w->contacts, &key, &b_in_a, &m, NULL ) == bv_ok,
	             "contacts cannot be updated" );
}

// Finds the pairs and their contacts.
static inline void sim_collide( sim_world* w )
{
	bool stepped = w->options.contacts.stepped;
	bool single = !stepped && !w->options.contacts.elsewhere;
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		bv_aabb box = sim_box_of( w, w->body + i );
		sim_require( bvw_broadphase_move( w->broad, i, &box ) == bv_ok, "a body has left the world" );
		w->placed[i].shape = stepped ? &w->body[i].shape->convex : NULL;
		w->placed[i].placement = sim_placement( w->body + i );
	}
	bvw_changes changes;
	sim_require( bvw_broadphase_update( w->broad, &changes ) == bv_ok, "too many pairs" );
	bvw_contacts_step_input input = { .changes = &changes,
		                              .bodies = w->placed,
		                              .body_count = w->count,
		                              .speculative = w->options.speculative };
	bvw_contacts_report report;
	sim_require( bvw_contacts_step( w->contacts, &input, &report ) == bv_ok, "contacts cannot be kept" );
	sim_require( report.refused_count == 0 || !stepped, "contacts of a pair are rejected" );
	uint32_t count;
	sim_require( bvw_broadphase_pairs( w->broad, w->pairs, w->options.most_pairs, &count ) == bv_ok,
	             "too many pairs" );
	w->tested += count;
	for ( uint32_t i = 0; single && i < count; ++i )
	{
		sim_collide_pair( w, w->pairs[i] );
	}
	sim_require( bvw_contacts_list( w->contacts, w->touching, w->options.most_pairs, &w->touching_count ) ==
	                 bv_ok,
	             "too many contacts" );
}

// @param at  half way between both surfaces, world coordinates
// @param impulse  along world axes
static inline void sim_add_point( sim_world* w, sim_point p, bv_vec3 at, bv_vec3 impulse )
{
	const sim_body* a = w->body + p.body[0];
	const sim_body* b = w->body + p.body[1];
	bv_vec3 n = p.normal;
	p.r[0] = bv_sub( at, a->position );
	p.r[1] = bv_sub( at, b->position );
	bv_vec3 other = fabs( n.x ) < 0.6 ? bv_vec3_make( 1, 0, 0 ) : bv_vec3_make( 0, 1, 0 );
	p.tangent[0] = bv_normalize( bv_cross( n, other ) );
	p.tangent[1] = bv_cross( n, p.tangent[0] );
	p.mass = 1 / sim_response( a, p.r[0], b, p.r[1], n );
	p.impulse[0] = fmax( bv_dot( impulse, n ), 0 );
	for ( int k = 0; k < 2; ++k )
	{
		p.tangent_mass[k] = 1 / sim_response( a, p.r[0], b, p.r[1], p.tangent[k] );
		p.impulse[1 + k] = bv_dot( impulse, p.tangent[k] );
	}
	w->points[w->point_count++] = p;
}

// @param data  an impulse in coordinates of the first body, so that it turns with it
// @param index  of the point; those that are kept follow those of the manifold
static inline void sim_add_contact( sim_world* w, uint32_t pair, const bv_contact* c, const double* data,
                                    uint32_t index )
{
	const bvw_contact_pair* entry = bvw_contacts_at( w->contacts, pair );
	const sim_body* body[2] = { w->body + entry->key.a, w->body + entry->key.b };
	const bv_transform* place = &w->placed[entry->key.a].placement;
	sim_point p = { .body = { entry->key.a, entry->key.b },
		            .normal = sim_times( body[0]->rotation, entry->manifold.normal ),
		            .separation = body[0]->scale * c->separation,
		            .pair = pair,
		            .index = index };
	for ( int k = 0; k < 2; ++k )
	{
		bv_vec3 from_center = bv_sub( bv_transform_point( place, c->point[k] ), body[k]->position );
		p.place[k] = sim_times_transposed( body[k]->rotation, from_center );
	}
	sim_add_point( w, p, bv_transform_point( place, c->position ),
	               sim_times( body[0]->rotation, bv_vec3_make( data[0], data[1], data[2] ) ) );
}

static inline void sim_add_points( sim_world* w, uint32_t index )
{
	const bvw_contact_pair* pair = bvw_contacts_at( w->contacts, index );
	const bvw_kept_points* kept = bvw_contacts_kept( w->contacts, index );
	for ( uint32_t i = 0; i < pair->manifold.count; ++i )
	{
		sim_add_contact( w, index, pair->manifold.contact + i, pair->data[i], i );
	}
	for ( uint32_t i = 0; kept && i < kept->count; ++i )
	{
		sim_add_contact( w, index, &kept->point[i].at, kept->point[i].data, BV_MANIFOLD_CONTACTS + i );
	}
}

static inline void sim_apply( sim_world* w, const sim_point* p, bv_vec3 impulse )
{
	sim_push( w->body + p->body[0], p->r[0], bv_negate( impulse ) );
	sim_push( w->body + p->body[1], p->r[1], impulse );
}

static inline bv_vec3 sim_relative_velocity( const sim_world* w, const sim_point* p )
{
	return bv_sub( sim_velocity_at( w->body + p->body[1], p->r[1] ),
	               sim_velocity_at( w->body + p->body[0], p->r[0] ) );
}

// Separation now, to first order.
static inline double sim_separation( const sim_world* w, const sim_point* p )
{
	bv_vec3 moved[2];
	for ( int i = 0; i < 2; ++i )
	{
		moved[i] = bv_add( w->moved[0][p->body[i]], bv_cross( w->moved[1][p->body[i]], p->r[i] ) );
	}
	return p->separation + bv_dot( p->normal, bv_sub( moved[1], moved[0] ) );
}

// How a spring with a damper acts in a substep.
typedef struct sim_softness
{
	double bias_rate;
	double mass_scale;
	double impulse_scale;
} sim_softness;

static inline sim_softness sim_soften( double frequency, double damping_ratio, double h )
{
	double omega = 2 * sim_pi * frequency;
	double a = 2 * damping_ratio + h * omega;
	double b = h * omega * a;
	return ( sim_softness ){ omega / a, b / ( 1 + b ), 1 / ( 1 + b ) };
}

static inline void sim_solve_point( sim_world* w, sim_point* p, double h, const sim_softness* soft )
{
	const double fastest_push = 3; // by which overlap is removed, lengths per unit of time
	double s = sim_separation( w, p );
	double bias = 0;
	double mass_scale = 1;
	double impulse_scale = 0;
	if ( s > 0 )
	{
		bias = s / h; // may close the gap, and no more
	}
	else if ( soft )
	{
		bias = fmax( soft->bias_rate * s, -fastest_push );
		mass_scale = soft->mass_scale;
		impulse_scale = soft->impulse_scale;
	}
	double speed = bv_dot( p->normal, sim_relative_velocity( w, p ) );
	double change = -p->mass * mass_scale * ( speed + bias ) - impulse_scale * p->impulse[0];
	double sum = fmax( p->impulse[0] + change, 0 );
	change = sum - p->impulse[0];
	p->impulse[0] = sum;
	sim_apply( w, p, bv_scale( change, p->normal ) );

	bv_vec3 v = sim_relative_velocity( w, p );
	double along[2];
	for ( int k = 0; k < 2; ++k )
	{
		along[k] = p->impulse[1 + k] - p->tangent_mass[k] * bv_dot( p->tangent[k], v );
	}
	double length = hypot( along[0], along[1] );
	double most = w->options.friction * p->impulse[0];
	double shrink = length > most ? most / length : 1;
	bv_vec3 impulse = { 0, 0, 0 };
	for ( int k = 0; k < 2; ++k )
	{
		double target = shrink * along[k];
		impulse = bv_add( impulse, bv_scale( target - p->impulse[1 + k], p->tangent[k] ) );
		p->impulse[1 + k] = target;
	}
	sim_apply( w, p, impulse );
}

static inline void sim_solve( sim_world* w, double h, const sim_softness* soft )
{
	for ( uint32_t i = 0; i < w->point_count; ++i )
	{
		sim_solve_point( w, w->points + i, h, soft );
	}
}

static inline void sim_accelerate( sim_world* w, double h )
{
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		sim_body* b = w->body + i;
		if ( b->inverse_mass > 0 )
		{
			b->velocity = bv_add( b->velocity, bv_scale( h, w->options.gravity ) );
			double speed = bv_length( b->velocity );
			if ( w->options.fastest > 0 && speed > w->options.fastest )
			{
				b->velocity = bv_scale( w->options.fastest / speed, b->velocity );
			}
			b->spin = bv_scale( 1 / ( 1 + h * w->options.damping ), b->spin );
		}
	}
}

static inline void sim_integrate( sim_world* w, double h )
{
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		sim_body* b = w->body + i;
		if ( b->inverse_mass > 0 )
		{
			w->moved[0][i] = bv_add( w->moved[0][i], bv_scale( h, b->velocity ) );
			w->moved[1][i] = bv_add( w->moved[1][i], bv_scale( h, b->spin ) );
			sim_move( b, h );
		}
	}
}

static inline void sim_store_impulses( sim_world* w )
{
	for ( uint32_t i = 0; i < w->point_count; ++i )
	{
		sim_point* p = w->points + i;
		bv_vec3 impulse = bv_scale( p->impulse[0], p->normal );
		for ( int k = 0; k < 2; ++k )
		{
			impulse = bv_add( impulse, bv_scale( p->impulse[1 + k], p->tangent[k] ) );
		}
		// `rotation` is that of the end of the step, as the next step will find it.
		p->stored = sim_times_transposed( w->body[p->body[0]].rotation, impulse );
		if ( !p->elsewhere )
		{
			uint32_t kept = p->index - BV_MANIFOLD_CONTACTS;
			double* data = p->index < BV_MANIFOLD_CONTACTS
			                   ? bvw_contacts_at( w->contacts, p->pair )->data[p->index]
			                   : bvw_contacts_kept( w->contacts, p->pair )->point[kept].data;
			data[0] = p->stored.x;
			data[1] = p->stored.y;
			data[2] = p->stored.z;
		}
	}
}

// Points of the last step remain in `last_points`.
static inline void sim_begin_points( sim_world* w )
{
	sim_point* points = w->last_points;
	w->last_points = w->points;
	w->last_count = w->point_count;
	w->points = points;
	w->point_count = 0;
}

static inline void sim_solve_points( sim_world* w )
{
	memset( w->moved[0], 0, w->count * sizeof( bv_vec3 ) );
	memset( w->moved[1], 0, w->count * sizeof( bv_vec3 ) );
	double h = w->options.time / w->options.substeps;
	sim_softness soft = sim_soften( 0.25 / h, 10, h );
	for ( int s = 0; s < w->options.substeps; ++s )
	{
		sim_accelerate( w, h );
		for ( uint32_t i = 0; i < w->point_count; ++i )
		{
			const sim_point* p = w->points + i;
			bv_vec3 impulse = bv_scale( p->impulse[0], p->normal );
			impulse = bv_add( impulse, bv_scale( p->impulse[1], p->tangent[0] ) );
			sim_apply( w, p, bv_add( impulse, bv_scale( p->impulse[2], p->tangent[1] ) ) );
		}
		sim_solve( w, h, &soft );
		sim_integrate( w, h );
		sim_solve( w, h, NULL );
	}
	sim_store_impulses( w );
}

static inline void sim_step( sim_world* w )
{
	sim_collide( w );
	sim_begin_points( w );
	for ( uint32_t i = 0; i < w->touching_count; ++i )
	{
		sim_add_points( w, w->touching[i] );
	}
	sim_solve_points( w );
}

// @return kinetic and potential energy
static inline double sim_energy( const sim_world* w )
{
	double sum = 0;
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		const sim_body* b = w->body + i;
		if ( b->inverse_mass > 0 )
		{
			sum += sim_kinetic_energy( b ) - bv_dot( w->options.gravity, b->position ) / b->inverse_mass;
		}
	}
	return sum;
}
