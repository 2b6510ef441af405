// Pairs of triangles of two bodies that are near each other. See contacts_meshes.h.

#include "runtime/tree/contacts_meshes.h"

#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"
#include "runtime/volume/bound.h"

void* bvtree_mesh_contacts_allocate( bvtree_mesh_contacts* q, size_t count, size_t size )
{
	size_t bytes = ( count * size + 7 ) / 8 * 8;
	if ( count > SIZE_MAX / 2 / size || bytes > (size_t)( q->end - q->free ) )
	{
		q->is_full = true;
		return NULL;
	}
	void* out = q->free;
	q->free += bytes;
	return out;
}

static bool comes_before( const bvtree_mesh_record* x, const bvtree_mesh_record* y, bool by_b )
{
	if ( by_b && x->b != y->b )
	{
		return x->b < y->b;
	}
	if ( x->mesh != y->mesh )
	{
		return x->mesh < y->mesh;
	}
	return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void sink( bvtree_mesh_record* record, uint32_t at, uint32_t count, bool by_b )
{
	const bvtree_mesh_record moved = record[at];
	for ( uint64_t next = 2 * (uint64_t)at + 1; next < count; next = 2 * (uint64_t)at + 1 )
	{
		next += next + 1 < count && comes_before( record + next, record + next + 1, by_b );
		if ( !comes_before( &moved, record + next, by_b ) )
		{
			break;
		}
		record[at] = record[next];
		at = (uint32_t)next;
	}
	record[at] = moved;
}

// Heapsort: no memory, and no input is slow.
void bvtree_mesh_records_sort( bvtree_mesh_record* record, uint32_t count, bool by_b )
{
	for ( uint32_t i = count / 2; i > 0; --i )
	{
		sink( record, i - 1, count, by_b );
	}
	for ( uint32_t i = count; i > 1; --i )
	{
		const bvtree_mesh_record last = record[i - 1];
		record[i - 1] = record[0];
		record[0] = last;
		sink( record, 0, i - 1, by_b );
	}
}

typedef struct pair_gathering
{
	bvtree_mesh_contacts* q;
	uint32_t mesh;
} pair_gathering;

static bool gather_pair( void* context, uint32_t body, uint32_t triangle )
{
	const pair_gathering* g = context;
	bvtree_mesh_contacts* q = g->q;
	if ( (size_t)( q->end - (char*)( q->pair + q->pairs ) ) < sizeof *q->pair || q->pairs == UINT32_MAX / 16 )
	{
		q->is_full = true;
		return false;
	}
	q->pair[q->pairs++] = ( bvtree_mesh_record ){ g->mesh, triangle, body };
	return true;
}

static bool read_source( const bv_file* body, const bv_placed_mesh* mesh, uint32_t index, bool is_two_sided,
                         bv_vec3 middle, bvtree_near_source* out )
{
	bv_transform storage;
	const bv_transform* placement = bvtree_place( body, mesh->file, mesh->placement, &storage );
	if ( !mesh->file || !bvtree_is_placement( placement ) || !bvtree_walk_begin( mesh->file, &out->view ) )
	{
		return false;
	}
	bvvol_similarity_begin( placement, &out->placed );
	out->mesh = index;
	out->is_two_sided = is_two_sided;
	out->middle = middle;
	return true;
}

// @return half of the diagonal of the box around a mesh
static double measure_root( const bvfile_view* view, bv_vec3* center )
{
	bv_volume root = bvfile_root_volume( view );
	bvvol_bound bound;
	bvvol_bound_of( &root, &bound );
	double square = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double half = bound.box.half_extents[k] + bound.box.radius;
		square += half * half;
	}
	*center = bound.box.center;
	return sqrt( square );
}

static bv_status measure( bvtree_mesh_contacts* q, const bv_placed_mesh* meshes, uint32_t count,
                          const bv_file* body )
{
	bvfile_view view;
	if ( !bvtree_walk_begin( body, &view ) )
	{
		return bv_error_argument;
	}
	double body_size = measure_root( &view, &q->middle );
	double coordinates = bvmath_norm1( q->middle ) + body_size;
	q->size = body_size;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvtree_near_source source;
		bv_vec3 center;
		if ( !read_source( body, meshes + i, i, false, q->middle, &source ) )
		{
			return bv_error_argument;
		}
		double size = source.placed.scale * measure_root( &source.view, &center );
		q->size = bvmath_min( q->size, size );
	}
	q->slack = 0x1p-32 * q->size + 0x1p-44 * coordinates;
	q->touch = 4 * q->slack;
	return bv_ok;
}

static bv_status gather_mesh( bvtree_mesh_contacts* q, const bv_placed_mesh* mesh, uint32_t index,
                              const bv_file* body )
{
	bv_transform storage;
	pair_gathering g = { q, index };
	const bv_transform* placement = bvtree_place( body, mesh->file, mesh->placement, &storage );
	double most = bvmath_max( q->speculative, q->depth ) + q->tolerance + 2 * q->touch;
	bvtree_approach near = bvtree_approach_within( most );
	bv_collide_options options = { .callback = gather_pair, .context = &g };
	bv_collide_result found;
	return bvtree_collide_within( bvtree_lanes_best(), body, mesh->file, placement, &near, &options, &found );
}

static bool reads_new( const bvtree_mesh_record* record, uint32_t i, bool by_b )
{
	const bvtree_mesh_record* r = record + i;
	return i == 0 || ( by_b ? r->b != r[-1].b : r->a != r[-1].a || r->mesh != r[-1].mesh );
}

static uint32_t count_new( const bvtree_mesh_record* record, uint32_t count, bool by_b )
{
	uint32_t found = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		found += reads_new( record, i, by_b );
	}
	return found;
}

// Reads the triangles of the meshes, and puts their places into the records, which are sorted by them.
static bv_status read_meshes( bvtree_mesh_contacts* q, const bv_placed_mesh* meshes, const bv_file* body )
{
	bvtree_mesh_side* s = q->side;
	uint32_t most = count_new( q->pair, q->pairs, false );
	bvtree_near_source source = { .mesh = UINT32_MAX };
	s->near = bvtree_mesh_contacts_allocate( q, most, sizeof *s->near );
	for ( uint32_t i = 0; s->near && i < q->pairs; ++i )
	{
		bvtree_mesh_record* r = q->pair + i;
		uint32_t index = r->mesh;
		if ( index != source.mesh &&
		     !read_source( body, meshes + index, index, q->sides == bv_mesh_both, q->middle, &source ) )
		{
			return bv_error_argument;
		}
		if ( s->count == 0 || s->near[s->count - 1].mesh != index || s->near[s->count - 1].triangle != r->a )
		{
			bvtree_near_read( &source, r->a, s->near + s->count++ );
		}
		r->mesh = 0;
		r->a = s->count - 1;
	}
	return q->is_full ? bv_error_memory : bv_ok;
}

static bv_status read_body( bvtree_mesh_contacts* q, const bv_file* body )
{
	bvtree_mesh_side* s = q->side + 1;
	const bv_placed_mesh own = { body, NULL };
	bvtree_near_source source;
	uint32_t most = count_new( q->pair, q->pairs, true );
	s->near = bvtree_mesh_contacts_allocate( q, most, sizeof *s->near );
	if ( !s->near )
	{
		return bv_error_memory;
	}
	if ( !read_source( body, &own, 0, false, q->middle, &source ) )
	{
		return bv_error_argument;
	}
	for ( uint32_t i = 0; i < q->pairs; ++i )
	{
		bvtree_mesh_record* r = q->pair + i;
		if ( s->count == 0 || s->near[s->count - 1].triangle != r->b )
		{
			bvtree_near_read( &source, r->b, s->near + s->count++ );
		}
		r->b = s->count - 1;
	}
	return bv_ok;
}

// Lists, for each triangle of both sides, those near it. Records are sorted by b.
static bv_status list_neighbors( bvtree_mesh_contacts* q )
{
	uint32_t* first[2];
	uint32_t* other[2];
	for ( int i = 0; i < 2; ++i )
	{
		first[i] = bvtree_mesh_contacts_allocate( q, (size_t)q->side[i].count + 2, sizeof **first );
		other[i] = bvtree_mesh_contacts_allocate( q, q->pairs, sizeof **other );
	}
	if ( q->is_full )
	{
		return bv_error_memory;
	}
	for ( int i = 0; i < 2; ++i )
	{
		for ( uint32_t k = 0; k < q->side[i].count + 2; ++k )
		{
			first[i][k] = 0;
		}
	}
	for ( uint32_t i = 0; i < q->pairs; ++i )
	{
		first[0][q->pair[i].a + 2] += 1;
		first[1][q->pair[i].b + 2] += 1;
	}
	for ( int i = 0; i < 2; ++i )
	{
		for ( uint32_t k = 2; k < q->side[i].count + 2; ++k )
		{
			first[i][k] += first[i][k - 1];
		}
	}
	// Counts are two places further on: the next one becomes the start of each while it is filled.
	for ( uint32_t i = 0; i < q->pairs; ++i )
	{
		other[0][first[0][q->pair[i].a + 1]++] = q->pair[i].b;
		other[1][first[1][q->pair[i].b + 1]++] = q->pair[i].a;
	}
	for ( int i = 0; i < 2; ++i )
	{
		q->side[i].first = first[i];
		q->side[i].other = other[i];
	}
	return bv_ok;
}

// Lists the corners of all triangles of a side, sorted by vertex.
static bv_status list_corners( bvtree_mesh_contacts* q, bvtree_mesh_side* s )
{
	bvtree_mesh_record* out = bvtree_mesh_contacts_allocate( q, 3 * (size_t)s->count, sizeof *out );
	if ( !out )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < 3 * s->count; ++i )
	{
		const bvtree_near* t = s->near + i / 3;
		out[i] = ( bvtree_mesh_record ){ t->mesh, t->vertex[i % 3], i };
	}
	bvtree_mesh_records_sort( out, 3 * s->count, false );
	s->corner = out;
	return bv_ok;
}

bv_status bvtree_mesh_contacts_gather( bvtree_mesh_contacts* q, const bv_placed_mesh* meshes, uint32_t count,
                                       const bv_file* body )
{
	bv_status status = measure( q, meshes, count, body );
	if ( status != bv_ok )
	{
		return status;
	}
	q->depth = q->depth > 0 ? q->depth : q->size / 64;
	q->tolerance = q->tolerance > 0 ? q->tolerance : 1e-4 * q->size;
	q->pair = (bvtree_mesh_record*)q->free;
	for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
	{
		status = gather_mesh( q, meshes + i, i, body );
	}
	status = status == bv_ok && q->is_full ? bv_error_memory : status;
	if ( status == bv_ok )
	{
		bvtree_mesh_contacts_allocate( q, q->pairs, sizeof *q->pair );
		bvtree_mesh_records_sort( q->pair, q->pairs, false );
		status = read_meshes( q, meshes, body );
	}
	if ( status == bv_ok )
	{
		bvtree_mesh_records_sort( q->pair, q->pairs, true );
		status = read_body( q, body );
	}
	status = status == bv_ok ? list_neighbors( q ) : status;
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		status = list_corners( q, q->side + i );
	}
	return status;
}
