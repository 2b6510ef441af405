// Measuring triangles of another mesh. See source.h.
//
// A box of the source is bounded by the row of one triangle of the target, the one nearest to its middle, and
// nothing else is known of it. The nearest triangles of vertices are looked for once, not once for each
// triangle at them. Regions are made only of triangles that these do not settle. After M. Tang, M. Lee, Y. J.
// Kim, "Interactive Hausdorff distance computation for general polygonal models", 2009.

#include "offline/hausdorff/source.h"

#include "offline/base/arena.h"
#include "offline/hausdorff/combine.h"
#include "offline/hausdorff/shared.h"
#include "runtime/math/vec.h"

#include <math.h>

// Of a box's diagonal: what is no nearer by that much is not looked for.
static const double spared_part = 0.25;

enum
{
	// What is no larger is followed down at once: triangles and what is near them lie side by side in memory.
	side_by_side = 64,

	// Triangles in common are looked for where the source has so many, and the target no more than so many
	// times as many.
	least_triangles = 8,
	most_times = 4,
};

// A part of the source that is not settled yet.
typedef struct source_waiting
{
	double bound;          // no point of it is farther
	bvhaus_index_ref ref;  // of the source
	bvhaus_index_ref near; // a triangle of the target near it
} source_waiting;

typedef struct source_walk
{
	bvhaus_search* search;
	const bvhaus_index* target;
	const bvhaus_source* from;
	const bvhaus_index* source;
	source_waiting* heap;   // the largest bound first
	uint32_t count;         // length of heap
	bvhaus_nearest* vertex; // of each vertex of `from`, the nearest triangle; its ref is 0 when not known yet
} source_walk;

// The triangles of the target that may be nearest to one of the source: one is handed down, three belong to
// its corners.
typedef struct source_rows
{
	bvhaus_points corner;
	int count;
	bvhaus_index_ref ref[5];
	double row[5][bvhaus_row];
	double upper[bvhaus_lanes]; // the least of each column
	double single;              // the least of the rows' largest values
	int best;                   // whose it is
	unsigned exact;             // a bit for each corner whose nearest triangle is among them
} source_rows;

static void put( source_walk* w, source_waiting added )
{
	uint32_t at = w->count++;
	while ( at > 0 && added.bound > w->heap[( at - 1 ) / 2].bound )
	{
		w->heap[at] = w->heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	w->heap[at] = added;
}

static source_waiting take( source_walk* w )
{
	source_waiting taken = w->heap[0];
	source_waiting last = w->heap[--w->count];
	uint32_t at = 0;
	for ( ;; )
	{
		uint32_t child = 2 * at + 1;
		if ( child >= w->count )
		{
			break;
		}
		child += child + 1 < w->count && w->heap[child + 1].bound > w->heap[child].bound;
		if ( !( w->heap[child].bound > last.bound ) )
		{
			break;
		}
		w->heap[at] = w->heap[child];
		at = child;
	}
	w->heap[at] = last;
	return taken;
}

static void put_or_settle( source_walk* w, source_waiting part )
{
	if ( part.bound <= bvhaus_search_enough( w->search ) )
	{
		bvhaus_search_settle( w->search, part.bound );
	}
	else
	{
		put( w, part );
	}
}

static void set_point( bvhaus_points* points, int at, bv_vec3 p )
{
	points->x[at] = p.x;
	points->y[at] = p.y;
	points->z[at] = p.z;
}

// A triangle that is nearer to the middle of a box than a known one, if it is so by as much as matters for
// the box.
static bvhaus_index_ref find_nearer( const source_walk* w, const bv_aabb* box, bvhaus_index_ref near )
{
	bv_vec3 middle = bv_add( bv_scale( 0.5, box->lower ), bv_scale( 0.5, box->upper ) );
	bv_vec3 size = bv_sub( box->upper, box->lower );
	double spare = spared_part * sqrt( bv_dot( size, size ) );
	double wanted = bvhaus_index_distance( w->target, near, middle ) - spare;
	bvhaus_nearest known = { wanted, near };
	return wanted > 0 ? bvhaus_index_nearest( w->target, w->target->root, middle, known ).ref : near;
}

static void open( source_walk* w, const source_waiting* whole );

static void look_at_box( source_walk* w, bvhaus_index_ref ref, const source_waiting* whole )
{
	bvhaus_search_count( w->search );
	const bv_aabb* box = &w->source->aligned_boxes[ref];
	bvhaus_points corner = { .count = 8 };
	for ( int i = 0; i < 8; ++i )
	{
		set_point( &corner, i,
		           ( bv_vec3 ){ i & 1 ? box->upper.x : box->lower.x, i & 2 ? box->upper.y : box->lower.y,
		                        i & 4 ? box->upper.z : box->lower.z } );
	}
	double row[bvhaus_row];
	bvhaus_index_row( w->target, whole->near, &corner, 0, 8, row );
	source_waiting part = { bvmath_min( whole->bound, bvhaus_row_largest( row, 8 ) ), ref, whole->near };
	if ( part.bound > bvhaus_search_enough( w->search ) )
	{
		part.near = find_nearer( w, box, whole->near );
		if ( part.near != whole->near )
		{
			bvhaus_index_row( w->target, part.near, &corner, 0, 8, row );
			part.bound = bvmath_min( part.bound, bvhaus_row_largest( row, 8 ) );
		}
	}
	bool small = w->source->nodes[ref].triangles <= side_by_side;
	if ( small && part.bound > bvhaus_search_enough( w->search ) && !bvhaus_search_is_spent( w->search ) )
	{
		open( w, &part );
	}
	else
	{
		put_or_settle( w, part );
	}
}

static const bvhaus_placed_triangle* placed_of( const source_walk* w, bvhaus_index_ref ref )
{
	return w->source->placed + ( ref & ~BVHAUS_REF_TRIANGLE );
}

static void add_row( const source_walk* w, source_rows* r, bvhaus_index_ref ref )
{
	for ( int k = 0; k < r->count; ++k )
	{
		if ( r->ref[k] == ref )
		{
			return;
		}
	}
	double* row = r->row[r->count];
	bvhaus_index_row( w->target, ref, &r->corner, 0, 3, row );
	bvhaus_row_lower( row, 3, r->upper );
	double largest = bvhaus_row_largest( row, 3 );
	if ( largest < r->single )
	{
		r->single = largest;
		r->best = r->count;
	}
	r->ref[r->count++] = ref;
}

static const uint32_t* vertices_of( const source_walk* w, bvhaus_index_ref ref )
{
	uint32_t number = placed_of( w, ref )->number;
	return w->from->mesh->triangles[w->from->which ? w->from->which[number] : number].corner;
}

// Rows of what is known already.
static void begin_rows( const source_walk* w, bvhaus_index_ref ref, bvhaus_index_ref near, source_rows* r )
{
	r->count = 0;
	r->single = INFINITY;
	r->exact = 0;
	r->corner.count = 3;
	for ( int i = 0; i < 3; ++i )
	{
		set_point( &r->corner, i, placed_of( w, ref )->corner[i] );
	}
	bvhaus_pad_points( &r->corner, 0, 3 );
	for ( int i = 0; i < bvhaus_lanes; ++i )
	{
		r->upper[i] = INFINITY;
	}
	add_row( w, r, near );
	const uint32_t* vertex = vertices_of( w, ref );
	for ( int i = 0; i < 3; ++i )
	{
		const bvhaus_nearest* known = w->vertex + vertex[i];
		if ( known->ref != 0 )
		{
			add_row( w, r, known->ref );
			r->exact |= 1u << i;
		}
	}
}

static bvhaus_nearest find_nearest( const source_walk* w, const source_rows* r, bv_vec3 point )
{
	bvhaus_index_ref near = r->ref[r->best];
	bvhaus_nearest known = { bvhaus_index_distance( w->target, near, point ), near };
	return bvhaus_index_nearest( w->target, w->target->root, point, known );
}

// Where meshes are alike the triangle that settles all of this one is nearest to its middle. Triangles
// nearest to its corners may well be others at the same vertices.
static void find_middle( const source_walk* w, bvhaus_index_ref ref, source_rows* r )
{
	if ( r->single > bvhaus_search_enough( w->search ) )
	{
		const bv_vec3* c = placed_of( w, ref )->corner;
		bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( bv_add( c[0], c[1] ), c[2] ) );
		add_row( w, r, find_nearest( w, r, middle ).ref );
	}
}

// Finds the nearest triangles of corners that are still too far, the farthest first.
static void find_corners( source_walk* w, bvhaus_index_ref ref, source_rows* r )
{
	const bvhaus_placed_triangle* t = placed_of( w, ref );
	const uint32_t* vertex = vertices_of( w, ref );
	while ( r->single > bvhaus_search_enough( w->search ) )
	{
		int at = -1;
		for ( int i = 0; i < 3; ++i )
		{
			at = !( r->exact >> i & 1 ) && ( at < 0 || r->upper[i] > r->upper[at] ) ? i : at;
		}
		if ( at < 0 || r->upper[at] <= bvhaus_search_enough( w->search ) )
		{
			return;
		}
		int nearest = 0;
		for ( int k = 1; k < r->count; ++k )
		{
			nearest = r->row[k][at] < r->row[nearest][at] ? k : nearest;
		}
		bvhaus_nearest found = { r->upper[at], r->ref[nearest] };
		found = bvhaus_index_nearest( w->target, w->target->root, t->corner[at], found );
		w->vertex[vertex[at]] = found;
		bvhaus_search_raise( w->search, t->corner[at], found.distance );
		add_row( w, r, found.ref );
		r->exact |= 1u << at;
	}
}

// What one row or two say, as for regions.
static double bound_of( const source_rows* r, double wanted )
{
	double bound = r->single;
	if ( bound > wanted && r->count > 1 && bvhaus_row_largest( r->upper, 3 ) <= wanted )
	{
		for ( int k = 0; k < r->count && bound > wanted; ++k )
		{
			if ( k != r->best )
			{
				bound = bvmath_min( bound, bvhaus_combined_bound( r->row[r->best], r->row[k], 3, wanted ) );
			}
		}
	}
	return bound;
}

static void look_at_triangle( source_walk* w, bvhaus_index_ref ref, const source_waiting* whole )
{
	bvhaus_search_count( w->search );
	source_rows r;
	begin_rows( w, ref, whole->near, &r );
	find_middle( w, ref, &r );
	find_corners( w, ref, &r );
	double bound = bound_of( &r, bvhaus_search_enough( w->search ) );
	put_or_settle( w, ( source_waiting ){ bvmath_min( whole->bound, bound ), ref, r.ref[r.best] } );
}

static void look_at( source_walk* w, bvhaus_index_ref ref, const source_waiting* whole )
{
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		look_at_triangle( w, ref, whole );
	}
	else
	{
		look_at_box( w, ref, whole );
	}
}

// Puts what is below a node in its place, or a region in that of a triangle.
static void open( source_walk* w, const source_waiting* whole )
{
	if ( bvhaus_ref_is_triangle( whole->ref ) )
	{
		source_rows r;
		begin_rows( w, whole->ref, whole->near, &r );
		bvhaus_search_add_triangle( w->search, placed_of( w, whole->ref )->corner, whole->bound, r.ref,
		                            r.count, r.exact );
		return;
	}
	const bvhaus_index_node* node = bvhaus_index_opened( w->source, whole->ref );
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		look_at( w, w->source->children[node->first_child + i], whole );
	}
}

bool bvhaus_source_create( const bvb_mesh* mesh, const bvhaus_index* target, bvb_arena* arena,
                           bvhaus_source* out )
{
	*out = ( bvhaus_source ){ .mesh = mesh };
	uint32_t count = mesh->triangle_count;
	if ( target->placed && count >= least_triangles && target->triangle_count / most_times <= count )
	{
		uint32_t* which;
		if ( !bvhaus_find_unshared( mesh, target, arena, &which, &count ) )
		{
			return false;
		}
		out->which = which;
	}
	out->index = count > 0 ? bvhaus_index_of_triangles( mesh, out->which, count, false, arena ) : NULL;
	return count == 0 || out->index;
}

static void walk_down( source_walk* w )
{
	bvhaus_search* search = w->search;
	bv_vec3 first = w->source->placed[0].corner[0];
	bvhaus_nearest nearest = bvhaus_search_nearest( search, first );
	bvhaus_search_raise( search, first, nearest.distance );
	look_at( w, w->source->root, &( source_waiting ){ INFINITY, 0, nearest.ref } );
	while ( !bvhaus_search_is_spent( search ) )
	{
		double highest = w->count > 0 ? w->heap[0].bound : 0;
		if ( bvhaus_search_refine_above( search, highest ) )
		{
			continue;
		}
		if ( highest <= bvhaus_search_enough( search ) )
		{
			break;
		}
		source_waiting next = take( w );
		open( w, &next );
	}
	if ( w->count > 0 )
	{
		bvhaus_search_settle( search, w->heap[0].bound );
	}
}

bool bvhaus_source_measure( const bvhaus_source* source, bvhaus_search* search, bvb_arena* scratch,
                            bvb_hausdorff* out )
{
	const bvb_mesh* mesh = source->mesh;
	if ( !source->index )
	{
		bvhaus_search_raise( search, mesh->positions[mesh->triangles[0].corner[0]], 0 );
	}
	else
	{
		source_walk w = {
			.search = search, .target = bvhaus_search_index( search ), .from = source, .source = source->index
		};
		w.heap = bvb_arena_allocate( scratch, w.source->triangle_count, sizeof *w.heap );
		w.vertex = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *w.vertex );
		if ( !w.heap || !w.vertex )
		{
			return false;
		}
		walk_down( &w );
	}
	*out = bvhaus_search_run( search );
	return true;
}
