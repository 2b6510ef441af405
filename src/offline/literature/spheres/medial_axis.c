// The adaptive medial axis approximation of G. Bradshaw, C. O'Sullivan, "Adaptive medial-axis approximation
// for sphere-tree construction", ACM Transactions on Graphics 23(1), 2004.
//
// Theirs: Voronoi vertices of samples of the surface that are inside of the shape are centers of spheres that
// touch four samples each. Where the one that protrudes most does so, the surface gets one more sample, which
// makes several lesser ones of it, until none protrudes by more than is wanted and there are enough of them.
// Surface that none covers gets samples as well. The diagram is updated sample by sample.
//
// Ours: how far a sphere protrudes is bounded by its radius less its center's depth, and the sample that is
// added is the surface's point that is nearest to the center. It is under the place where the sphere
// protrudes most where the surface is even there, and it is always within the sphere, so that the sphere is
// gone afterwards. What counts as covered is the middle of a piece, of which some are looked at.

#include "offline/literature/spheres/medial_axis.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	first_samples = 64,
	looked_at = 128,     // pieces of a region
	most_uncovered = 24, // that get samples at a time
	cover_rounds = 4,
};

bv_status bvlit_depth_probe_create( const bvb_mesh* mesh, const bvb_winding* winding, bvb_arena* arena,
                                    bvlit_depth_probe* out )
{
	out->winding = winding;
	out->index = bvhaus_index_of_triangles( mesh, NULL, mesh->triangle_count, true, arena );
	return out->index ? bv_ok : bv_error_memory;
}

static double distance_from_surface( const bvlit_depth_probe* probe, bv_vec3 point, bv_vec3* foot )
{
	bvhaus_nearest none = { INFINITY, BVHAUS_NO_REF };
	bvhaus_nearest found = bvhaus_index_nearest( probe->index, probe->index->root, point, none );
	*foot = bvhaus_nearest_on_triangle( bvhaus_ref_triangle( probe->index, found.ref ), point );
	return found.distance;
}

double bvlit_depth_of( void* probe, bv_vec3 point, double wanted )
{
	bv_vec3 foot;
	double distance = distance_from_surface( probe, point, &foot );
	const bvlit_depth_probe* p = probe;
	bool inside = distance > wanted && bvb_winding_number( p->winding, point ) >= 0.5;
	return inside ? distance : -distance;
}

static double distance_between( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return sqrt( bv_dot( d, d ) );
}

static double error_of( const bvlit_medial_sphere* s )
{
	return s->radius - s->depth;
}

static bool is_in_box( const bv_aabb* box, bv_vec3 p )
{
	return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y && p.y <= box->upper.y &&
	       p.z >= box->lower.z && p.z <= box->upper.z;
}

// @param near  an inner sphere: what is no farther from its center than that is deep is inside too; or null
static void measure( bvlit_medial_axis* axis, uint32_t place, const bvlit_medial_sphere* near )
{
	bvlit_medial_sphere* s = axis->spheres + place;
	*s = ( bvlit_medial_sphere ){ .born = axis->insertions };
	if ( !bvhull_tetrahedra_sphere( &axis->diagram, place, &s->center, &s->radius ) ||
	     !is_in_box( &axis->box, s->center ) )
	{
		return;
	}
	s->inside = ( near && distance_between( s->center, near->center ) < near->depth ) ||
	            bvb_winding_number( axis->probe.winding, s->center ) >= 0.5;
	if ( s->inside )
	{
		s->depth = distance_from_surface( &axis->probe, s->center, &s->foot );
	}
}

static bool insert( bvlit_medial_axis* axis, bv_vec3 point, uint32_t piece, uint32_t hint,
                    const bvlit_medial_sphere* near )
{
	bvhull_tetrahedra* d = &axis->diagram;
	uint32_t sample = d->point_count;
	if ( !bvhull_tetrahedra_insert( d, point, hint ) )
	{
		return false;
	}
	axis->piece[sample] = piece;
	axis->insertions += 1;
	axis->last = d->made[0];
	for ( uint32_t i = 0; i < d->made_count; ++i )
	{
		measure( axis, d->made[i], near );
	}
	return true;
}

bv_status bvlit_medial_axis_create( const bvb_mesh* mesh, const bvlit_face_pieces* pieces,
                                    const bvlit_depth_probe* probe, uint32_t most_samples, bvb_arena* arena,
                                    bvlit_medial_axis* out )
{
	*out = ( bvlit_medial_axis ){ .pieces = pieces, .probe = *probe };
	out->box = ( bv_aabb ){ mesh->positions[0], mesh->positions[0] };
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		out->box.lower = bvmath_least( out->box.lower, mesh->positions[i] );
		out->box.upper = bvmath_greatest( out->box.upper, mesh->positions[i] );
	}
	bv_status status = bvhull_tetrahedra_create( &out->box, most_samples, arena, &out->diagram );
	if ( status != bv_ok )
	{
		return status;
	}
	size_t room = out->diagram.room;
	out->spheres = bvb_arena_allocate( arena, room, sizeof *out->spheres );
	out->piece = bvb_arena_allocate( arena, bvhull_far_points + (size_t)most_samples, sizeof *out->piece );
	out->heap = bvb_arena_allocate( arena, room, sizeof *out->heap );
	if ( !out->spheres || !out->piece || !out->heap )
	{
		return bv_error_memory;
	}
	uint32_t count = pieces->count < first_samples ? pieces->count : first_samples;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t piece = (uint32_t)( (uint64_t)i * pieces->count / count );
		insert( out, pieces->middle[piece], piece, out->last, NULL );
	}
	return bv_ok;
}

// @return whether a sphere touches a sample of a region
static bool medial_axis_touches( const bvlit_medial_axis* axis, uint32_t place, const uint32_t* owner,
                                 uint32_t region )
{
	// Inner spheres have no far points.
	bool touches = false;
	for ( int k = 0; k < 4; ++k )
	{
		touches = touches || owner[axis->piece[axis->diagram.cells[place].corner[k]]] == region;
	}
	return touches;
}

// Spheres that protrude most come first, then those of lower places. Some may be gone meanwhile.
typedef struct heap
{
	bvlit_medial_entry* entry;
	uint32_t count;
	uint32_t room;
} heap;

static bool comes_before( const bvlit_medial_entry* a, const bvlit_medial_entry* b )
{
	return a->error > b->error || ( a->error == b->error && a->place < b->place );
}

static void push( heap* h, const bvlit_medial_axis* axis, uint32_t place )
{
	const bvlit_medial_sphere* s = axis->spheres + place;
	if ( h->count == h->room )
	{
		return;
	}
	bvlit_medial_entry entry = { error_of( s ), place, s->born };
	uint32_t at = h->count++;
	for ( ; at > 0 && comes_before( &entry, h->entry + ( at - 1 ) / 2 ); at = ( at - 1 ) / 2 )
	{
		h->entry[at] = h->entry[( at - 1 ) / 2];
	}
	h->entry[at] = entry;
}

static bvlit_medial_entry pop( heap* h )
{
	bvlit_medial_entry top = h->entry[0];
	bvlit_medial_entry last = h->entry[--h->count];
	uint32_t at = 0;
	for ( uint32_t child; ( child = 2 * at + 1 ) < h->count; at = child )
	{
		bool right = child + 1 < h->count && comes_before( h->entry + child + 1, h->entry + child );
		child += right;
		if ( !comes_before( h->entry + child, &last ) )
		{
			break;
		}
		h->entry[at] = h->entry[child];
	}
	h->entry[at] = last;
	return top;
}

typedef struct refining
{
	bvlit_medial_axis* axis;
	const bvlit_refinement* r;
	heap waiting;
	uint32_t spheres; // that touch the region
	uint32_t samples; // that were inserted
} refining;

static bool counts( const refining* f, uint32_t place )
{
	return f->axis->spheres[place].inside && medial_axis_touches( f->axis, place, f->r->owner, f->r->region );
}

static bool add_sample( refining* f, bv_vec3 point, uint32_t piece, uint32_t hint )
{
	bvlit_medial_axis* axis = f->axis;
	bvlit_medial_sphere near = axis->spheres[hint];
	if ( f->samples == f->r->most_samples || !insert( axis, point, piece, hint, near.inside ? &near : NULL ) )
	{
		return false;
	}
	f->samples += 1;
	for ( uint32_t i = 0; i < axis->diagram.gone_count; ++i )
	{
		f->spheres -= counts( f, axis->diagram.gone[i] );
	}
	for ( uint32_t i = 0; i < axis->diagram.made_count; ++i )
	{
		uint32_t place = axis->diagram.made[i];
		if ( counts( f, place ) )
		{
			f->spheres += 1;
			push( &f->waiting, axis, place );
		}
	}
	return true;
}

static bool is_there( const bvlit_medial_axis* axis, const bvlit_medial_entry* entry )
{
	return axis->diagram.cells[entry->place].alive && axis->spheres[entry->place].born == entry->born;
}

// Whether a sphere that waits is about a point.
static bool is_covered( const refining* f, bv_vec3 point )
{
	for ( uint32_t i = 0; i < f->waiting.count; ++i )
	{
		const bvlit_medial_sphere* s = f->axis->spheres + f->waiting.entry[i].place;
		if ( is_there( f->axis, f->waiting.entry + i ) &&
		     distance_between( s->center, point ) <= s->radius + f->r->error )
		{
			return true;
		}
	}
	return false;
}

// @return how many samples were inserted
static uint32_t cover( refining* f )
{
	const bvlit_refinement* r = f->r;
	uint32_t step = ( r->member_count - 1 ) / looked_at + 1;
	uint32_t added = 0;
	for ( uint32_t i = 0; i < r->member_count && added < most_uncovered; i += step )
	{
		bv_vec3 middle = f->axis->pieces->middle[r->members[i]];
		if ( !is_covered( f, middle ) )
		{
			added += add_sample( f, middle, r->members[i], f->axis->last );
		}
	}
	return added;
}

static void refine_worst( refining* f )
{
	const bvlit_refinement* r = f->r;
	while ( f->waiting.count > 0 )
	{
		bvlit_medial_entry worst = pop( &f->waiting );
		if ( !is_there( f->axis, &worst ) )
		{
			continue;
		}
		bool enough = worst.error <= r->error && f->spheres >= r->least_spheres;
		if ( enough || worst.error <= r->least_error || f->samples == r->most_samples )
		{
			push( &f->waiting, f->axis, worst.place );
			return;
		}
		bv_vec3 foot = f->axis->spheres[worst.place].foot;
		add_sample( f, foot, bvlit_piece_near( f->axis->pieces, foot ), worst.place );
	}
}

void bvlit_medial_axis_refine( bvlit_medial_axis* axis, const bvlit_refinement* r )
{
	refining f = { .axis = axis, .r = r };
	f.waiting = ( heap ){ .entry = axis->heap, .room = axis->diagram.room };
	for ( uint32_t i = 0; i < r->place_count; ++i )
	{
		// Refinements of other regions may have changed them.
		if ( axis->diagram.cells[r->places[i]].alive && counts( &f, r->places[i] ) )
		{
			f.spheres += 1;
			push( &f.waiting, axis, r->places[i] );
		}
	}
	uint32_t added = 1;
	for ( int round = 0; round < cover_rounds && added > 0; ++round )
	{
		added = cover( &f );
		refine_worst( &f );
	}
}
