// Contacts of a convex shape and meshes. See bv/contact.h and contacts.h.
//
// Of each triangle the contact of the distance is taken, if the surface has its normal there. If not, and the core of the shape
// does not meet the triangle, another triangle is nearer: the way within the surface that leads nearer to the shape ends at a local
// minimum of the distance. If the core meets the triangle, the distance is that of the cheapest way out of this triangle alone, which
// can lead sideways out of a floor. Such triangles are doubtful, and so are those that the shape is behind of. They are looked at last,
// those first that the shape leaves soonest: one has no contacts if leaving another one of the contacts leaves it, too, and
// else has those along its own normal.
//
// Internal edges: G. van den Bergen, "Collision handling and internal edges", 2013; Ericson 2005, section 9.5.

#include "runtime/tree/contacts.h"

#include "bv/mesh.h"
#include "runtime/math/range.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"

// As those of bv_convex_manifold.
static const double polytopes_tolerance = 0x1p-40;
static const double curved_tolerance = 0x1p-30;

static const double default_join = 1e-4; // of the size of the shape

bv_mesh_contacts_options bv_mesh_contacts_options_default( void )
{
	return ( bv_mesh_contacts_options ){ .speculative = 0 };
}

// Where triangles of one mesh are gathered from.
typedef struct near_gathering
{
	bvtree_contacts* q;
	bvtree_near_source source;
	bool is_full;
} near_gathering;

static bool gather_triangle( void* context, uint32_t triangle )
{
	near_gathering* g = context;
	bvtree_contacts* q = g->q;
	if ( q->near_count == q->near_most )
	{
		g->is_full = true;
		return false;
	}
	bvtree_near_read( &g->source, triangle, q->near + q->near_count++ );
	return true;
}

// Not inlined: neither is on the stack while the other runs.
BVSIMD_NOINLINE bv_status gather_mesh( bvtree_contacts* q, const bv_placed_mesh* mesh, uint32_t index )
{
	bv_transform storage;
	near_gathering g = {
		.q = q,
		.source = { .mesh = index, .is_two_sided = q->sides == bv_mesh_both, .middle = q->middle },
	};
	const bv_transform* placement = bvtree_place( NULL, mesh->file, mesh->placement, &storage );
	if ( !mesh->file || !bvtree_is_placement( placement ) ||
	     !bvtree_walk_begin( mesh->file, &g.source.view ) )
	{
		return bv_error_argument;
	}
	bvvol_similarity_begin( placement, &g.source.placed );
	double more = q->speculative + q->tolerance + q->slack;
	bv_overlap_options options = { .callback = gather_triangle, .context = &g };
	bv_overlap_result found;
	bv_status status;
	if ( q->is_ball )
	{
		bv_sphere ball = { q->middle, q->shape->radius + more };
		status = bv_mesh_overlap_sphere( mesh->file, mesh->placement, &ball, &options, &found );
	}
	else
	{
		// Some of these triangles are not near the shape, but finding that out here takes longer than later.
		bv_obb box = q->box;
		for ( int k = 0; k < 3; ++k )
		{
			box.half_extents[k] += more;
		}
		status = bv_mesh_overlap_obb( mesh->file, mesh->placement, &box, &options, &found );
	}
	if ( status != bv_ok )
	{
		bv_convex larger = *q->shape;
		larger.radius = bvmath_min( larger.radius + more, BV_MAX_LENGTH );
		status = bv_mesh_overlap_convex( mesh->file, mesh->placement, &larger, &options, &found );
	}
	return status == bv_ok && g.is_full ? bv_error_memory : status;
}

static bvtree_surface surface_of( const bvtree_contacts* q )
{
	return ( bvtree_surface ){
		.near = q->near,
		.count = q->near_count,
		.tolerance = q->tolerance,
		.slack = q->slack,
		.size = q->shape_size,
	};
}

// A contact behind its owner is that of another triangle as well, or it is within a seam, where the normals cancel.
static bool allows( const bvtree_contacts* q, const bvtree_near* owner, bv_vec3 point, bv_vec3 normal,
                    bool* faces )
{
	bvtree_surface s = surface_of( q );
	if ( !bvtree_surface_allows( &s, owner, point, normal, faces ) )
	{
		return false;
	}
	*faces &= bv_dot( owner->normal, normal ) >= -BVTREE_FLAT_SINE;
	*faces |= q->sides == bv_mesh_both;
	return true;
}

// Remembers how far a contact pushes the shape.
static void add_exits( bvtree_contacts* q, uint32_t count )
{
	for ( uint32_t i = q->touch_count - count; i < q->touch_count; ++i )
	{
		const bv_mesh_contact* c = &q->touch[i].contact;
		uint32_t k = 0;
		while ( k < q->exit_count && !( bv_dot( q->exit[k].normal, c->normal ) > 1 - 0x1p-40 ) )
		{
			++k;
		}
		if ( k == bvtree_most_exits )
		{
			continue;
		}
		if ( k == q->exit_count )
		{
			q->exit[q->exit_count++] =
				( bvtree_exit ){ c->normal, 0, bvtree_contacts_lowest( q, c->normal ) };
		}
		q->exit[k].depth = bvmath_max( q->exit[k].depth, -c->at.separation );
	}
}

static double height_of( const bvtree_near* t, bv_vec3 along )
{
	double most = bv_dot( along, t->corner[0] );
	most = bvmath_max( most, bv_dot( along, t->corner[1] ) );
	return bvmath_max( most, bv_dot( along, t->corner[2] ) );
}

static bool is_in_last_plane( const bvtree_contacts* q, const bvtree_near* t )
{
	bool is_parallel = bv_dot( t->normal, q->plane_normal ) > 1 - 0x1p-48;
	return is_parallel && fabs( bv_dot( q->plane_normal, t->corner[0] ) - q->plane_offset ) <= q->slack;
}

// Keeps the last contacts, of a face, unless it is doubtful whether there is anything in front of it.
static void keep_face( bvtree_contacts* q, bvtree_near* t, uint32_t count )
{
	bvtree_surface s = surface_of( q );
	if ( q->has_opposites &&
	     bvtree_surface_has_opposite( &s, t, q->touch[q->touch_count - 1].contact.at.point[0] ) )
	{
		q->touch_count -= count;
		t->state = bvtree_near_doubtful;
		return;
	}
	add_exits( q, count );
	q->plane_normal = t->normal;
	q->plane_offset = bv_dot( t->normal, t->corner[0] );
}

// @return whether the face is where the shape is deepest
static bool take_face( bvtree_contacts* q, bvtree_near* t )
{
	uint32_t count = bvtree_contacts_along( q, t, t->normal, NULL );
	if ( count > 0 )
	{
		keep_face( q, t, count );
	}
	return count > 0;
}

// Keeps those of the last contacts that have a normal of the surface.
// @param faces  receives whether they are in front of it
// @return how many are kept
static uint32_t keep_allowed( bvtree_contacts* q, const bvtree_near* t, uint32_t count, bool* faces )
{
	uint32_t first = q->touch_count - count;
	uint32_t kept = first;
	*faces = true;
	for ( uint32_t i = first; i < q->touch_count; ++i )
	{
		const bv_mesh_contact* c = &q->touch[i].contact;
		bool front;
		if ( allows( q, t, c->at.point[0], c->normal, &front ) )
		{
			*faces &= front;
			q->touch[kept++] = q->touch[i];
		}
	}
	q->touch_count = kept;
	return kept - first;
}

static void finish( bvtree_contacts* q, bvtree_near* t, uint32_t kept, bool faces,
                    const bv_convex_result* found )
{
	if ( kept > 0 && faces )
	{
		add_exits( q, kept );
		return;
	}
	q->touch_count -= kept;
	double gap = kept > 0 ? found->upper : found->upper + q->query.pair.radius;
	t->state = gap <= q->slack ? bvtree_near_doubtful : bvtree_near_done;
}

// The same as below, where all is known from the point of the triangle that is nearest to the middle.
static void look_at_with_ball( bvtree_contacts* q, bvtree_near* t )
{
	bv_convex_result found;
	bool is_face;
	bool faces = true;
	uint32_t count = bvtree_contacts_of_ball( q, t, &found, &is_face );
	if ( count == 0 )
	{
		return;
	}
	if ( bvtree_is_along( found.normal, t->normal ) && is_face )
	{
		keep_face( q, t, count );
		return;
	}
	uint32_t kept = keep_allowed( q, t, count, &faces );
	finish( q, t, kept, faces, &found );
}

static void look_at( bvtree_contacts* q, bvtree_near* t )
{
	bv_convex_result found;
	double beyond = bvtree_contacts_lowest( q, t->normal ) - bv_dot( t->normal, t->corner[0] );
	bool has_normal = bv_dot( t->normal, t->normal ) > 0;
	if ( has_normal && beyond > q->speculative + q->slack )
	{
		return;
	}
	if ( q->is_ball )
	{
		look_at_with_ball( q, t );
		return;
	}
	if ( !bvtree_contacts_place( q, t, ( bv_vec3 ){ 0, 0, 0 } ) ||
	     ( is_in_last_plane( q, t ) && take_face( q, t ) ) )
	{
		return;
	}
	bvtree_contacts_distance( q, &found );
	if ( !( found.lower <= q->speculative + q->slack && found.upper > -INFINITY && found.upper < INFINITY ) ||
	     ( bvtree_is_along( found.normal, t->normal ) && take_face( q, t ) ) )
	{
		return;
	}
	// Most of them end here. Where the features of both meet takes longer to find.
	bool faces = true;
	bv_vec3 nearest = bv_add( found.point[0], q->query.pair.origin );
	uint32_t kept = 0;
	if ( allows( q, t, nearest, found.normal, &faces ) )
	{
		kept = keep_allowed( q, t, bvtree_contacts_along( q, t, found.normal, &found ), &faces );
	}
	finish( q, t, kept, faces, &found );
}

// Whether the shape leaves a triangle when it leaves those that have contacts.
static bool is_left( bvtree_contacts* q, const bvtree_near* t )
{
	for ( uint32_t i = 0; i < q->exit_count; ++i )
	{
		const bvtree_exit* e = q->exit + i;
		if ( e->lowest + e->depth - height_of( t, e->normal ) >= -q->slack )
		{
			return true;
		}
	}
	bool found = false;
	for ( uint32_t i = 0; i < q->exit_count && !found; ++i )
	{
		const bvtree_exit* e = q->exit + i;
		bv_convex_result r;
		if ( e->depth > 0 && bvtree_contacts_place( q, t, bv_scale( e->depth, e->normal ) ) )
		{
			bvtree_contacts_distance( q, &r );
			found = r.lower >= -q->slack;
		}
	}
	return found;
}

static bool has_exit_along( const bvtree_contacts* q, bv_vec3 normal )
{
	bool found = false;
	for ( uint32_t i = 0; i < q->exit_count && !found; ++i )
	{
		found = bv_dot( q->exit[i].normal, normal ) > BVTREE_NEAR_COSINE;
	}
	return found;
}

static void look_at_doubtful( bvtree_contacts* q, bvtree_near* t )
{
	bool has_normal = bv_dot( t->normal, t->normal ) > 0;
	t->state = bvtree_near_done;
	if ( !bvtree_contacts_place( q, t, ( bv_vec3 ){ 0, 0, 0 } ) )
	{
		return;
	}
	uint32_t count = has_normal ? bvtree_contacts_along( q, t, t->normal, NULL ) : 0;
	if ( !( count > 0 && has_exit_along( q, t->normal ) ) && is_left( q, t ) )
	{
		q->touch_count -= count;
		return;
	}
	bvtree_contacts_place( q, t, ( bv_vec3 ){ 0, 0, 0 } );
	if ( count == 0 && has_normal )
	{
		count = bvtree_contacts_beside( q, t );
	}
	if ( count == 0 )
	{
		bv_convex_result found;
		bvtree_contacts_distance( q, &found );
		count = bvtree_contacts_along( q, t, found.normal, &found );
	}
	add_exits( q, count );
}

// Those that the shape leaves soonest come first.
static void look_at_all_doubtful( bvtree_contacts* q )
{
	uint32_t left = 0;
	for ( uint32_t i = 0; i < q->near_count; ++i )
	{
		bvtree_near* t = q->near + i;
		if ( t->state == bvtree_near_doubtful )
		{
			t->separation = bvtree_contacts_lowest( q, t->normal ) - bv_dot( t->normal, t->corner[0] );
			left += 1;
		}
	}
	for ( ; left > 0; --left )
	{
		bvtree_near* next = NULL;
		for ( uint32_t i = 0; i < q->near_count; ++i )
		{
			bvtree_near* t = q->near + i;
			if ( t->state == bvtree_near_doubtful && ( !next || t->separation > next->separation ) )
			{
				next = t;
			}
		}
		look_at_doubtful( q, next );
	}
}

static bool is_skipped( const bvtree_contacts* q, const bvtree_near* t )
{
	return q->sides == bv_mesh_front_only && bv_dot( t->normal, bv_sub( q->middle, t->corner[0] ) ) < 0;
}

// Whether two of the triangles may lie on each other and face each other.
static bool find_opposites( const bvtree_contacts* q )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < q->near_count; ++i )
	{
		sum = bv_add( sum, q->near[i].normal );
	}
	// If all normals are in one half space, none are opposite.
	bool found = false;
	for ( uint32_t i = 0; i < q->near_count && !found; ++i )
	{
		found = !( bv_dot( sum, q->near[i].normal ) > 0 );
	}
	return found && q->sides != bv_mesh_both;
}

static void search( bvtree_contacts* q )
{
	q->has_opposites = find_opposites( q );
	for ( uint32_t i = 0; i < q->near_count; ++i )
	{
		if ( !is_skipped( q, q->near + i ) )
		{
			look_at( q, q->near + i );
		}
	}
	look_at_all_doubtful( q );
}

// Not inlined: the prepared shape is not on the stack while distances are found.
BVSIMD_NOINLINE bool measure_shape( bvtree_contacts* q, double tolerance )
{
	bvconvex_prepared prepared;
	if ( !bvconvex_shape_prepare( q->shape, &prepared ) )
	{
		return false;
	}
	bvvol_rounded box = bvconvex_shape_oriented_box( &prepared );
	double square = 0;
	q->box.center = box.center;
	for ( int k = 0; k < 3; ++k )
	{
		double half = box.half_extents[k] + box.radius + box.slack;
		q->box.axis[k] = box.axis[k];
		q->box.half_extents[k] = half;
		square += half * half;
	}
	bool has_one_point =
		( q->shape->kind == bv_convex_of_points || q->shape->kind == bv_convex_of_corners ) &&
		q->shape->count == 1;
	q->is_ball = has_one_point && q->shape->radius > 0;
	q->middle = box.center;
	q->shape_size = sqrt( square );
	q->slack = 0x1p-32 * q->shape_size + 0x1p-44 * bvmath_norm1( box.center );
	q->tolerance = tolerance > 0 ? tolerance : default_join * q->shape_size;
	return true;
}

static bool begin( bvtree_contacts* q, const bv_mesh_contacts_options* o )
{
	bv_vec3 zero = { 0, 0, 0 };
	q->triangle = bv_convex_triangle( zero, zero, zero );
	if ( !measure_shape( q, o->tolerance ) ||
	     bvconvex_query_begin( &q->triangle, q->shape, NULL, NULL, &q->query ) != bv_ok )
	{
		return false;
	}
	bvconvex_body* body = q->query.room.body + 1;
	body->columns = bvconvex_columns_set( &body->own, &q->columns ) ? &q->columns : NULL;
	bvconvex_pair_place( &q->query.pair );
	q->query.asked.relative = q->query.pair.polytopes ? polytopes_tolerance : curved_tolerance;
	q->speculative = o->speculative;
	q->sides = o->sides;
	q->near_count = q->touch_count = q->exit_count = 0;
	q->plane_normal = zero;
	q->plane_offset = 0;
	return true;
}

static bool are_valid( const bv_mesh_contacts_options* o, const bv_mesh_contacts_room* room )
{
	return bvmath_is_length( o->speculative ) && bvmath_is_length( o->tolerance ) &&
	       (unsigned)o->sides < bv_mesh_side_kinds && room && room->manifolds && room->capacity > 0 &&
	       room->scratch && (uintptr_t)room->scratch % 8 == 0;
}

// What BV_MESH_CONTACTS_SCRATCH promises.
enum
{
	bytes_per_triangle = sizeof( bvtree_near ) + BV_MANIFOLD_CONTACTS * sizeof( bvtree_touch ),
};
_Static_assert( sizeof( bvtree_contacts ) <= 8192 && bytes_per_triangle <= 768,
                "scratch memory is too small" );

bv_status bv_meshes_contacts_convex( const bv_placed_mesh* meshes, uint32_t count, const bv_convex* shape,
                                     const bv_mesh_contacts_options* options,
                                     const bv_mesh_contacts_room* room, bv_mesh_contacts_result* result )
{
	static const bv_mesh_contacts_options defaults = { .speculative = 0 };
	const bv_mesh_contacts_options* o = options ? options : &defaults;
	if ( !result || !shape || ( count > 0 && !meshes ) || !are_valid( o, room ) )
	{
		return bv_error_argument;
	}
	if ( room->scratch_bytes < sizeof( bvtree_contacts ) )
	{
		return bv_error_memory;
	}
	bvtree_contacts* q = room->scratch;
	size_t most = ( room->scratch_bytes - sizeof *q ) / bytes_per_triangle;
	q->shape = shape;
	q->near = (bvtree_near*)( q + 1 );
	q->near_most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
	if ( !begin( q, o ) )
	{
		return bv_error_argument;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_status status = gather_mesh( q, meshes + i, i );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	q->touch = (bvtree_touch*)( q->near + q->near_count );
	search( q );
	bvtree_touches touches = { q->touch, q->touch_count, q->speculative, q->slack };
	bvtree_touches_join( &touches, q->near_count, room, result );
	return bv_ok;
}

bv_status bv_mesh_contacts_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                                   const bv_mesh_contacts_options* options, const bv_mesh_contacts_room* room,
                                   bv_mesh_contacts_result* result )
{
	const bv_placed_mesh mesh = { file, placement };
	return bv_meshes_contacts_convex( &mesh, 1, shape, options, room, result );
}
