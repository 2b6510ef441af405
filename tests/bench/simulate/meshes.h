// Contacts of bodies that are meshes, for the bench simulator: with each other by bv_mesh_contacts_mesh, with walls, which are
// half-spaces, by bv_mesh_contacts_convex and a box that stands for the half-space near the body.

#pragma once

#include "tests/bench/simulate/world.h"

enum
{
	sim_mesh_manifolds = 32,
	sim_mesh_scratch = 64 << 20,
};

static inline bv_convex sim_box_of_wall( const sim_body* wall, bv_vec3 center, double size )
{
	bv_vec3 n = wall->shape->convex.normal;
	double above = bv_dot( n, center ) - wall->shape->convex.offset;
	bv_vec3 foot = bv_sub( center, bv_scale( above, n ) );
	return bv_convex_box( bv_sub( foot, bv_scale( 2 * size, n ) ),
	                      bv_vec3_make( 2 * size, 2 * size, 2 * size ) );
}

// @return the impulse of the nearest point of the last step that the same bodies had within a distance, in coordinates of the first
static inline bv_vec3 sim_last_impulse( const sim_world* w, const sim_point* p, uint32_t first,
                                        uint32_t last )
{
	double least = 0.02;
	bv_vec3 impulse = { 0, 0, 0 };
	for ( uint32_t i = first; i < last; ++i )
	{
		const sim_point* other = w->last_points + i;
		double distance = bv_length( bv_sub( other->place[1], p->place[1] ) );
		if ( distance < least )
		{
			least = distance;
			impulse = other->stored;
		}
	}
	return impulse;
}

// @param manifold  in coordinates that a transform takes to those of the world; normals lead from the first body to the second one
static inline void sim_add_mesh_points( sim_world* w, bvw_pair pair, const bv_mesh_manifold* manifold,
                                        uint32_t count, const bv_transform* to_world, double sign,
                                        const uint32_t last[2] )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < manifold[i].count; ++k )
		{
			const bv_mesh_contact* c = manifold[i].contact + k;
			bv_vec3 tip = bv_transform_point( to_world, bv_add( c->at.position, c->normal ) );
			bv_vec3 at = bv_transform_point( to_world, c->at.position );
			bv_vec3 normal = bv_scale( sign / to_world->scale, bv_sub( tip, at ) );
			sim_point p = { .body = { pair.a, pair.b },
				            .normal = normal,
				            .separation = to_world->scale * c->at.separation,
				            .elsewhere = true };
			for ( int s = 0; s < 2; ++s )
			{
				const sim_body* b = w->body + p.body[s];
				bv_vec3 point = bv_transform_point( to_world, c->at.point[sign > 0 ? s : 1 - s] );
				p.place[s] = sim_times_transposed( b->rotation, bv_sub( point, b->position ) );
			}
			bv_vec3 impulse = sim_last_impulse( w, &p, last[0], last[1] );
			sim_add_point( w, p, at, sim_times( w->body[pair.a].rotation, impulse ) );
		}
	}
}

static inline bool sim_has_point_near( const sim_world* w, uint32_t first, const sim_point* p,
                                       double distance )
{
	for ( uint32_t i = first; i < w->point_count; ++i )
	{
		if ( bv_length( bv_sub( w->points[i].place[0], p->place[0] ) ) < distance )
		{
			return true;
		}
	}
	return false;
}

enum
{
	sim_most_points = 2 * BV_MANIFOLD_CONTACTS, // of a pair with points of former steps
};

// Adds a point of the last step if it is still near, and not among those of the same pair from `first` on.
static inline void sim_keep_point( sim_world* w, uint32_t first, sim_point p, bv_vec3 normal )
{
	const double drift = 0.02; // as of bvw_contacts_options.tolerance
	if ( sim_has_point_near( w, first, &p, drift ) || w->point_count - first >= sim_most_points )
	{
		return;
	}
	bv_vec3 at[2];
	for ( int k = 0; k < 2; ++k )
	{
		const sim_body* b = w->body + p.body[k];
		at[k] = bv_add( b->position, sim_times( b->rotation, p.place[k] ) );
	}
	bv_vec3 between = bv_sub( at[1], at[0] );
	double separation = bv_dot( between, normal );
	bv_vec3 aside = bv_sub( between, bv_scale( separation, normal ) );
	if ( separation <= w->options.speculative && bv_length( aside ) <= drift )
	{
		p.normal = normal;
		p.separation = separation;
		p.elsewhere = true;
		sim_add_point( w, p, bv_scale( 0.5, bv_add( at[0], at[1] ) ),
		               sim_times( w->body[p.body[0]].rotation, p.stored ) );
	}
}

// Adds the points of a pair.
// @param last  range of its points in the last step
// @return pairs of triangles that cross each other and have no contact
static inline uint64_t sim_find_mesh_points( sim_world* w, bvw_pair pair, const bv_mesh_contacts_room* room,
                                             const uint32_t last[2] )
{
	const sim_body* a = w->body + pair.a;
	const sim_body* b = w->body + pair.b;
	double speculative = w->options.speculative;
	if ( a->inverse_mass <= 0 )
	{
		bv_convex wall = sim_box_of_wall( a, b->position, 2 * b->scale * b->shape->radius );
		bv_mesh_contacts_options options = { .speculative = speculative };
		bv_mesh_contacts_result r;
		bv_status status = bv_mesh_contacts_convex( b->shape->mesh, &w->placed[pair.b].placement, &wall,
		                                            &options, room, &r );
		sim_require( status == bv_ok, "a mesh and a wall have no contacts" );
		bv_transform world = bv_transform_identity();
		sim_add_mesh_points( w, pair, room->manifolds, r.count, &world, -1, last );
		return 0;
	}
	bv_transform placement =
		bv_transform_between( &w->placed[pair.b].placement, &w->placed[pair.a].placement );
	bv_mesh_contacts_mesh_options options = { .speculative = speculative / b->scale,
		                                      .depth = 0.2 * b->shape->radius };
	bv_mesh_contacts_mesh_result r;
	sim_require( bv_mesh_contacts_mesh( a->shape->mesh, &placement, b->shape->mesh, &options, room, &r ) ==
	                 bv_ok,
	             "two meshes have no contacts" );
	sim_add_mesh_points( w, pair, room->manifolds, r.count, &w->placed[pair.b].placement, 1, last );
	return r.unresolved;
}

// The same, and points of the last step that are near.
static inline uint64_t sim_collide_meshes( sim_world* w, bvw_pair pair, const bv_mesh_contacts_room* room,
                                           const uint32_t last[2] )
{
	uint32_t first = w->point_count;
	uint64_t unresolved = sim_find_mesh_points( w, pair, room, last );
	for ( uint32_t i = last[0]; i < last[1] && first < w->point_count; ++i )
	{
		sim_keep_point( w, first, w->last_points[i], w->last_points[i].normal );
	}
	return unresolved;
}
