// Measuring triangles of another mesh. See source.h.
//
// A box of the source is bounded by the row of one triangle of the target, the one nearest to its middle, and nothing else is
// known of it. The nearest triangles of vertices are looked for once, not once for each triangle at them. Regions are made
// only of triangles that these do not settle. After M. Tang, M. Lee, Y. J. Kim, "Interactive Hausdorff distance computation
// for general polygonal models", 2009.

#include "hausdorff/source.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "hausdorff/combine.h"
#include "hausdorff/shared.h"

#include <math.h>

// Of a box's diagonal: what is no nearer by that much is not looked for.
static const double spared_part = 0.25;

enum
{
	// What is no larger is followed down at once: triangles and what is near them lie side by side in memory.
	side_by_side = 64,

	// Triangles in common are looked for where the source has so many, and the target no more than so many times as many.
	least_triangles = 8,
	most_times = 4,
};

// A part of the source that is not settled yet.
typedef struct waiting
{
	double bound;       // no point of it is farther
	bvb_index_ref ref;  // of the source
	bvb_index_ref near; // a triangle of the target near it
} waiting;

typedef struct walk
{
	bvb_search* search;
	const bvb_index* target;
	const bvb_source* from;
	const bvb_index* source;
	waiting* heap;       // the largest bound first
	uint32_t count;      // length of heap
	bvb_nearest* vertex; // of each vertex of `from`, the nearest triangle; its ref is 0 when not known yet
} walk;

// The triangles of the target that may be nearest to one of the source: one is handed down, three belong to its corners.
typedef struct rows
{
	bvb_points corner;
	int count;
	bvb_index_ref ref[5];
	double row[5][bvb_row];
	double upper[bvb_lanes]; // the least of each column
	double single;           // the least of the rows' largest values
	int best;                // whose it is
	unsigned exact;          // a bit for each corner whose nearest triangle is among them
} rows;

static void put( walk* w, waiting added )
{
	uint32_t at = w->count++;
	while ( at > 0 && added.bound > w->heap[( at - 1 ) / 2].bound )
	{
		w->heap[at] = w->heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	w->heap[at] = added;
}

static waiting take( walk* w )
{
	waiting taken = w->heap[0];
	waiting last = w->heap[--w->count];
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

static void put_or_settle( walk* w, waiting part )
{
	if ( part.bound <= bvb_search_enough( w->search ) )
	{
		bvb_search_settle( w->search, part.bound );
	}
	else
	{
		put( w, part );
	}
}

static void set_point( bvb_points* points, int at, bv_vec3 p )
{
	points->x[at] = p.x;
	points->y[at] = p.y;
	points->z[at] = p.z;
}

// A triangle that is nearer to the middle of a box than a known one, if it is so by as much as matters for the box.
static bvb_index_ref find_nearer( const walk* w, const bv_aabb* box, bvb_index_ref near )
{
	bv_vec3 middle = bv_add( bv_scale( 0.5, box->lower ), bv_scale( 0.5, box->upper ) );
	bv_vec3 size = bv_sub( box->upper, box->lower );
	double spare = spared_part * sqrt( bv_dot( size, size ) );
	double wanted = bvb_index_distance( w->target, near, middle ) - spare;
	bvb_nearest known = { wanted, near };
	return wanted > 0 ? bvb_index_nearest( w->target, w->target->root, middle, known ).ref : near;
}

static void open( walk* w, const waiting* whole );

static void look_at_box( walk* w, bvb_index_ref ref, const waiting* whole )
{
	bvb_search_count( w->search );
	const bv_aabb* box = &w->source->aligned_boxes[ref];
	bvb_points corner = { .count = 8 };
	for ( int i = 0; i < 8; ++i )
	{
		set_point( &corner, i,
		           ( bv_vec3 ){ i & 1 ? box->upper.x : box->lower.x, i & 2 ? box->upper.y : box->lower.y,
		                        i & 4 ? box->upper.z : box->lower.z } );
	}
	double row[bvb_row];
	bvb_index_row( w->target, whole->near, &corner, 0, 8, row );
	waiting part = { bv_min( whole->bound, bvb_row_largest( row, 8 ) ), ref, whole->near };
	if ( part.bound > bvb_search_enough( w->search ) )
	{
		part.near = find_nearer( w, box, whole->near );
		if ( part.near != whole->near )
		{
			bvb_index_row( w->target, part.near, &corner, 0, 8, row );
			part.bound = bv_min( part.bound, bvb_row_largest( row, 8 ) );
		}
	}
	bool small = w->source->nodes[ref].triangles <= side_by_side;
	if ( small && part.bound > bvb_search_enough( w->search ) && !bvb_search_is_spent( w->search ) )
	{
		open( w, &part );
	}
	else
	{
		put_or_settle( w, part );
	}
}

static const bvb_placed_triangle* placed_of( const walk* w, bvb_index_ref ref )
{
	return w->source->placed + ( ref & ~BVB_REF_TRIANGLE );
}

static void add_row( const walk* w, rows* r, bvb_index_ref ref )
{
	for ( int k = 0; k < r->count; ++k )
	{
		if ( r->ref[k] == ref )
		{
			return;
		}
	}
	double* row = r->row[r->count];
	bvb_index_row( w->target, ref, &r->corner, 0, 3, row );
	bvb_row_lower( row, 3, r->upper );
	double largest = bvb_row_largest( row, 3 );
	if ( largest < r->single )
	{
		r->single = largest;
		r->best = r->count;
	}
	r->ref[r->count++] = ref;
}

static const uint32_t* vertices_of( const walk* w, bvb_index_ref ref )
{
	uint32_t number = placed_of( w, ref )->number;
	return w->from->mesh->triangles[w->from->which ? w->from->which[number] : number].corner;
}

// Rows of what is known already.
static void begin_rows( const walk* w, bvb_index_ref ref, bvb_index_ref near, rows* r )
{
	r->count = 0;
	r->single = INFINITY;
	r->exact = 0;
	r->corner.count = 3;
	for ( int i = 0; i < 3; ++i )
	{
		set_point( &r->corner, i, placed_of( w, ref )->corner[i] );
	}
	bvb_pad_points( &r->corner, 0, 3 );
	for ( int i = 0; i < bvb_lanes; ++i )
	{
		r->upper[i] = INFINITY;
	}
	add_row( w, r, near );
	const uint32_t* vertex = vertices_of( w, ref );
	for ( int i = 0; i < 3; ++i )
	{
		const bvb_nearest* known = w->vertex + vertex[i];
		if ( known->ref != 0 )
		{
			add_row( w, r, known->ref );
			r->exact |= 1u << i;
		}
	}
}

static bvb_nearest find_nearest( const walk* w, const rows* r, bv_vec3 point )
{
	bvb_index_ref near = r->ref[r->best];
	bvb_nearest known = { bvb_index_distance( w->target, near, point ), near };
	return bvb_index_nearest( w->target, w->target->root, point, known );
}

// Where meshes are alike the triangle that settles all of this one is nearest to its middle. Triangles nearest to its corners
// may well be others at the same vertices.
static void find_middle( const walk* w, bvb_index_ref ref, rows* r )
{
	if ( r->single > bvb_search_enough( w->search ) )
	{
		const bv_vec3* c = placed_of( w, ref )->corner;
		bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( bv_add( c[0], c[1] ), c[2] ) );
		add_row( w, r, find_nearest( w, r, middle ).ref );
	}
}

// Finds the nearest triangles of corners that are still too far, the farthest first.
static void find_corners( walk* w, bvb_index_ref ref, rows* r )
{
	const bvb_placed_triangle* t = placed_of( w, ref );
	const uint32_t* vertex = vertices_of( w, ref );
	while ( r->single > bvb_search_enough( w->search ) )
	{
		int at = -1;
		for ( int i = 0; i < 3; ++i )
		{
			at = !( r->exact >> i & 1 ) && ( at < 0 || r->upper[i] > r->upper[at] ) ? i : at;
		}
		if ( at < 0 || r->upper[at] <= bvb_search_enough( w->search ) )
		{
			return;
		}
		int nearest = 0;
		for ( int k = 1; k < r->count; ++k )
		{
			nearest = r->row[k][at] < r->row[nearest][at] ? k : nearest;
		}
		bvb_nearest found = { r->upper[at], r->ref[nearest] };
		found = bvb_index_nearest( w->target, w->target->root, t->corner[at], found );
		w->vertex[vertex[at]] = found;
		bvb_search_raise( w->search, t->corner[at], found.distance );
		add_row( w, r, found.ref );
		r->exact |= 1u << at;
	}
}

// What one row or two say, as for regions.
static double bound_of( const rows* r, double wanted )
{
	double bound = r->single;
	if ( bound > wanted && r->count > 1 && bvb_row_largest( r->upper, 3 ) <= wanted )
	{
		for ( int k = 0; k < r->count && bound > wanted; ++k )
		{
			if ( k != r->best )
			{
				bound = bv_min( bound, bvb_combined_bound( r->row[r->best], r->row[k], 3, wanted ) );
			}
		}
	}
	return bound;
}

static void look_at_triangle( walk* w, bvb_index_ref ref, const waiting* whole )
{
	bvb_search_count( w->search );
	rows r;
	begin_rows( w, ref, whole->near, &r );
	find_middle( w, ref, &r );
	find_corners( w, ref, &r );
	double bound = bound_of( &r, bvb_search_enough( w->search ) );
	put_or_settle( w, ( waiting ){ bv_min( whole->bound, bound ), ref, r.ref[r.best] } );
}

static void look_at( walk* w, bvb_index_ref ref, const waiting* whole )
{
	if ( bvb_ref_is_triangle( ref ) )
	{
		look_at_triangle( w, ref, whole );
	}
	else
	{
		look_at_box( w, ref, whole );
	}
}

// Puts what is below a node in its place, or a region in that of a triangle.
static void open( walk* w, const waiting* whole )
{
	if ( bvb_ref_is_triangle( whole->ref ) )
	{
		rows r;
		begin_rows( w, whole->ref, whole->near, &r );
		bvb_search_add_triangle( w->search, placed_of( w, whole->ref )->corner, whole->bound, r.ref, r.count,
		                         r.exact );
		return;
	}
	const bvb_index_node* node = bvb_index_opened( w->source, whole->ref );
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		look_at( w, w->source->children[node->first_child + i], whole );
	}
}

bool bvb_source_create( const bvb_mesh* mesh, const bvb_index* target, bvb_arena* arena, bvb_source* out )
{
	*out = ( bvb_source ){ .mesh = mesh };
	uint32_t count = mesh->triangle_count;
	if ( target->placed && count >= least_triangles && target->triangle_count / most_times <= count )
	{
		uint32_t* which;
		if ( !bvb_find_unshared( mesh, target, arena, &which, &count ) )
		{
			return false;
		}
		out->which = which;
	}
	out->index = count > 0 ? bvb_index_of_triangles( mesh, out->which, count, false, arena ) : NULL;
	return count == 0 || out->index;
}

static void walk_down( walk* w )
{
	bvb_search* search = w->search;
	bv_vec3 first = w->source->placed[0].corner[0];
	bvb_nearest nearest = bvb_search_nearest( search, first );
	bvb_search_raise( search, first, nearest.distance );
	look_at( w, w->source->root, &( waiting ){ INFINITY, 0, nearest.ref } );
	while ( !bvb_search_is_spent( search ) )
	{
		double highest = w->count > 0 ? w->heap[0].bound : 0;
		if ( bvb_search_refine_above( search, highest ) )
		{
			continue;
		}
		if ( highest <= bvb_search_enough( search ) )
		{
			break;
		}
		waiting next = take( w );
		open( w, &next );
	}
	if ( w->count > 0 )
	{
		bvb_search_settle( search, w->heap[0].bound );
	}
}

bool bvb_source_measure( const bvb_source* source, bvb_search* search, bvb_arena* scratch,
                         bvb_hausdorff* out )
{
	const bvb_mesh* mesh = source->mesh;
	if ( !source->index )
	{
		bvb_search_raise( search, mesh->positions[mesh->triangles[0].corner[0]], 0 );
	}
	else
	{
		walk w = {
			.search = search, .target = bvb_search_index( search ), .from = source, .source = source->index
		};
		w.heap = bvb_arena_allocate( scratch, w.source->triangle_count, sizeof *w.heap );
		w.vertex = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *w.vertex );
		if ( !w.heap || !w.vertex )
		{
			return false;
		}
		walk_down( &w );
	}
	*out = bvb_search_run( search );
	return true;
}
