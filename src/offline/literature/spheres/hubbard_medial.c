// Sphere trees from the medial axis.
//
// Voronoi vertices of dense surface samples that are inside the shape are centers of spheres that touch the
// surface in four points. These spheres are the leaves. Groups of eight are merged into one, level by level,
// and spheres are adjusted until the whole surface is covered.
//
// Differences: samples are the mesh's vertices and the centers of the pieces into which an octree's cells cut
// the faces. A piece is covered by the sphere through its sample that grows least by it. A piece without such
// a sphere, as in open meshes, gets its smallest enclosing sphere. Spheres that cover nothing are removed.
// Groups of eight are formed in three rounds of pairs: among neighbors on a space-filling curve through the
// centers, pairs with the smallest common sphere come first. A merged sphere is the smallest one around the
// covered surface, which is never larger than one around the eight. If there are too many levels, the lowest
// are removed.
//
// Based on: P. M. Hubbard, "Approximating polyhedra with spheres for time-critical collision detection", ACM
// Transactions on Graphics 15(3), 1996, and 1995, as described by J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 3.2.1.

#include "offline/literature/spheres/face_pieces.h"

#include "offline/base/sort.h"
#include "offline/base/zorder.h"
#include "offline/hull/tetrahedra.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	together = 8,
	window = 12, // places to either side on the curve where a partner is looked for
};

#define NONE UINT32_MAX

typedef struct hubbard_medial_node
{
	bv_sphere sphere;
	uint32_t first_child; // a list through next_sibling; NONE for a leaf
	uint32_t next_sibling;
	uint32_t first_piece; // below: a list through medial.next
	uint32_t last_piece;
	uint32_t pieces;
} hubbard_medial_node;

typedef struct medial
{
	bvlit_face_pieces pieces; // behind their middles are the vertices: these are the samples
	uint32_t sample_count;
	uint32_t* next; // of each piece
	bv_vec3* room;  // for the corners of one node's pieces, or the centers of parts, which are fewer
	hubbard_medial_node* nodes;
	uint32_t node_count;
	uint32_t* part; // nodes without a parent
	uint32_t part_count;
	bvbase_sort_entry* entries;
	bvbase_sort_entry* other;
	uint32_t* group; // of each part in a stage
	uint32_t* size;  // of each group
} medial;

// The Voronoi vertices of the samples.
typedef struct voronoi
{
	bvhull_tetrahedra cells;
	uint32_t* leaf;   // of each cell: a node, or NONE
	uint32_t* first;  // of each point of the cells: a list of pieces through next
	uint32_t* next;   // of each piece
	uint32_t* chosen; // of each piece: a cell, or NONE
	double* growth;   // of each piece: what the sphere of that cell has to grow by
} voronoi;

static void list_pieces( const medial* m, const uint32_t* index, voronoi* v )
{
	memset( v->first, 0xff, v->cells.point_count * sizeof *v->first );
	for ( uint32_t i = m->pieces.count; i-- > 0; )
	{
		v->next[i] = v->first[index[i]];
		v->first[index[i]] = i;
	}
}

static bool find_cells( const medial* m, bvb_arena* arena, voronoi* v )
{
	uint32_t* index = bvb_arena_allocate( arena, m->sample_count, sizeof *index );
	if ( !index ||
	     bvhull_tetrahedra_of( m->pieces.middle, m->sample_count, arena, &v->cells, index ) != bv_ok )
	{
		return false;
	}
	v->leaf = bvb_arena_allocate( arena, v->cells.cell_count, sizeof *v->leaf );
	v->first = bvb_arena_allocate( arena, v->cells.point_count, sizeof *v->first );
	v->next = bvb_arena_allocate( arena, m->pieces.count, sizeof *v->next );
	v->chosen = bvb_arena_allocate( arena, m->pieces.count, sizeof *v->chosen );
	v->growth = bvb_arena_allocate( arena, m->pieces.count, sizeof *v->growth );
	if ( !v->leaf || !v->first || !v->next || !v->chosen || !v->growth )
	{
		return false;
	}
	memset( v->leaf, 0xff, v->cells.cell_count * sizeof *v->leaf );
	memset( v->chosen, 0xff, m->pieces.count * sizeof *v->chosen );
	for ( uint32_t i = 0; i < m->pieces.count; ++i )
	{
		v->growth[i] = INFINITY;
	}
	list_pieces( m, index, v );
	return true;
}

// Offers a cell to the pieces at its corners. The winding number takes most of the time, so that it is not
// computed if the cell is best for no piece.
static void offer_cell( const medial* m, const bvb_winding* winding, uint32_t cell, const bv_sphere* s,
                        voronoi* v )
{
	bool inside = false;
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t piece = v->first[v->cells.cells[cell].corner[k]];
		for ( ; piece != NONE; piece = v->next[piece] )
		{
			double reach = bvlit_reach_of_piece( &m->pieces, piece, s->center );
			double grows = bvmath_max( reach - s->radius, 0 );
			if ( !( grows < v->growth[piece] ) )
			{
				continue;
			}
			inside = inside || bvb_winding_number( winding, s->center ) >= 0.5;
			if ( !inside )
			{
				return;
			}
			v->chosen[piece] = cell;
			v->growth[piece] = grows;
		}
	}
}

// For each piece the inner cell at its sample whose sphere has to grow least.
static void choose_cells( const medial* m, const bvb_winding* winding, voronoi* v )
{
	for ( uint32_t c = 0; c < v->cells.cell_count; ++c )
	{
		bv_sphere s;
		if ( v->cells.cells[c].alive && bvhull_tetrahedra_sphere( &v->cells, c, &s.center, &s.radius ) )
		{
			offer_cell( m, winding, c, &s, v );
		}
	}
}

static void add_piece( medial* m, hubbard_medial_node* n, uint32_t piece )
{
	double reach = bvlit_reach_of_piece( &m->pieces, piece, n->sphere.center );
	n->sphere.radius = bvmath_max( n->sphere.radius, bvlit_grown_sphere( n->sphere.center, reach ).radius );
	if ( n->pieces == 0 )
	{
		n->first_piece = piece;
	}
	else
	{
		m->next[n->last_piece] = piece;
	}
	n->last_piece = piece;
	n->pieces += 1;
}

static hubbard_medial_node* add_node( medial* m, bv_sphere sphere )
{
	hubbard_medial_node* n = m->nodes + m->node_count++;
	*n = ( hubbard_medial_node ){ .sphere = sphere, .first_child = NONE, .next_sibling = NONE };
	return n;
}

static bool make_leaves( medial* m, const bvb_winding* winding, bvb_arena* arena )
{
	voronoi v;
	if ( !find_cells( m, arena, &v ) )
	{
		return false;
	}
	choose_cells( m, winding, &v );
	for ( uint32_t i = 0; i < m->pieces.count; ++i )
	{
		uint32_t c = v.chosen[i];
		if ( c == NONE )
		{
			add_piece( m,
			           add_node( m, bvlit_least_sphere( m->pieces.corners + m->pieces.first_corner[i],
			                                            bvlit_corner_count( &m->pieces, i ) ) ),
			           i );
			continue;
		}
		if ( v.leaf[c] == NONE )
		{
			bv_sphere s;
			bvhull_tetrahedra_sphere( &v.cells, c, &s.center, &s.radius );
			v.leaf[c] = m->node_count;
			add_node( m, bvlit_grown_sphere( s.center, s.radius ) );
		}
		add_piece( m, m->nodes + v.leaf[c], i );
	}
	return true;
}

static void sort_parts( medial* m )
{
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		m->room[i] = m->nodes[m->part[i]].sphere.center;
		m->group[i] = m->part[i];
	}
	bvbase_sort_in_space( m->room, m->part_count, m->entries, m->other );
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		m->part[i] = m->group[m->entries[i].value];
	}
}

static double radius_round_both( const bv_sphere* a, const bv_sphere* b )
{
	bv_vec3 d = bv_sub( a->center, b->center );
	return bvmath_max( bvmath_max( a->radius, b->radius ),
	                   0.5 * ( sqrt( bv_dot( d, d ) ) + a->radius + b->radius ) );
}

static uint64_t ordered( double value )
{
	uint64_t bits;
	memcpy( &bits, &value, sizeof bits );
	return bits; // none is negative
}

static uint32_t group_of( const medial* m, uint32_t i )
{
	while ( m->group[i] != i )
	{
		i = m->group[i];
	}
	return i;
}

// Unites groups by the least spheres round two of their members, so that none is of more than eight. In a
// round each is united once.
// @param paired  of each part, set for groups that were united
static void unite( medial* m, uint32_t* paired )
{
	for ( int round = 0; round < 3; ++round )
	{
		uint32_t count = 0;
		memset( paired, 0, m->part_count * sizeof *paired );
		for ( uint32_t i = 0; i < m->part_count; ++i )
		{
			for ( uint32_t k = 1; k <= window && i + k < m->part_count; ++k )
			{
				const bv_sphere* a = &m->nodes[m->part[i]].sphere;
				const bv_sphere* b = &m->nodes[m->part[i + k]].sphere;
				m->entries[count++] =
					( bvbase_sort_entry ){ ordered( radius_round_both( a, b ) ), i * window + k - 1 };
			}
		}
		bvbase_sort( m->entries, m->other, count );
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t a = m->entries[i].value / window;
			uint32_t b = group_of( m, a + 1 + m->entries[i].value % window );
			a = group_of( m, a );
			if ( a != b && !paired[a] && !paired[b] && m->size[a] + m->size[b] <= together )
			{
				m->group[b] = a;
				m->size[a] += m->size[b];
				paired[a] = 1;
			}
		}
	}
}

static void enclose( medial* m, hubbard_medial_node* n )
{
	uint32_t count = 0;
	uint32_t piece = n->first_piece;
	for ( uint32_t i = 0; i < n->pieces; ++i, piece = m->next[piece] )
	{
		memcpy( m->room + count, m->pieces.corners + m->pieces.first_corner[piece],
		        bvlit_corner_count( &m->pieces, piece ) * sizeof *m->room );
		count += bvlit_corner_count( &m->pieces, piece );
	}
	n->sphere = bvlit_least_sphere( m->room, count );
}

static void adopt( medial* m, hubbard_medial_node* n, uint32_t child )
{
	hubbard_medial_node* c = m->nodes + child;
	c->next_sibling = n->first_child;
	n->first_child = child;
	if ( n->pieces == 0 )
	{
		n->first_piece = c->first_piece;
	}
	else
	{
		m->next[n->last_piece] = c->first_piece;
	}
	n->last_piece = c->last_piece;
	n->pieces += c->pieces;
}

// @param made  of each part: the node of its group
static void merge_level( medial* m, uint32_t* made )
{
	sort_parts( m );
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		m->group[i] = m->part_count <= together ? 0 : i;
		m->size[i] = 1;
	}
	if ( m->part_count > together )
	{
		unite( m, made );
	}
	uint32_t first = m->node_count;
	memset( made, 0xff, m->part_count * sizeof *made );
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		uint32_t g = group_of( m, i );
		if ( made[g] == NONE )
		{
			made[g] = m->node_count;
			add_node( m, ( bv_sphere ){ { 0, 0, 0 }, 0 } );
		}
		adopt( m, m->nodes + made[g], m->part[i] );
	}
	m->part_count = m->node_count - first;
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		enclose( m, m->nodes + first + i );
		m->part[i] = first + i;
	}
}

static bool merge_all( medial* m, bvb_arena* arena )
{
	uint32_t count = m->node_count;
	uint32_t* made = bvb_arena_allocate( arena, count, sizeof *made );
	m->part = bvb_arena_allocate( arena, count, sizeof *m->part );
	m->group = bvb_arena_allocate( arena, count, sizeof *m->group );
	m->size = bvb_arena_allocate( arena, count, sizeof *m->size );
	m->entries = bvb_arena_allocate( arena, (size_t)window * count, sizeof *m->entries );
	m->other = bvb_arena_allocate( arena, (size_t)window * count, sizeof *m->other );
	if ( !made || !m->part || !m->group || !m->size || !m->entries || !m->other )
	{
		return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		m->part[i] = i;
	}
	m->part_count = count;
	while ( m->part_count > 1 )
	{
		merge_level( m, made );
	}
	return true;
}

static void list_faces( const medial* m, const hubbard_medial_node* n, bvlit_sphere_tree* out,
                        bvlit_sphere_node* to )
{
	uint32_t piece = n->first_piece;
	to->first_face = out->face_count;
	for ( uint32_t i = 0; i < n->pieces; ++i, piece = m->next[piece] )
	{
		out->face[out->face_count++] = m->pieces.face[piece];
	}
	to->faces = out->face_count - to->first_face;
}

// A node of one child is that child.
static uint32_t skip( const medial* m, uint32_t index )
{
	while ( m->nodes[index].first_child != NONE &&
	        m->nodes[m->nodes[index].first_child].next_sibling == NONE )
	{
		index = m->nodes[index].first_child;
	}
	return index;
}

static bool hand_over( const medial* m, uint32_t max_depth, bvb_arena* arena, bvlit_sphere_tree* out )
{
	uint32_t* from = bvb_arena_allocate( arena, m->node_count, sizeof *from );
	uint32_t* depth = bvb_arena_allocate( arena, m->node_count, sizeof *depth );
	*out = ( bvlit_sphere_tree ){ .node_count = 1 };
	out->nodes = bvb_arena_allocate( arena, m->node_count, sizeof *out->nodes );
	out->face = bvb_arena_allocate( arena, m->pieces.count, sizeof *out->face );
	if ( !from || !depth || !out->nodes || !out->face )
	{
		return false;
	}
	from[0] = skip( m, m->part[0] );
	for ( uint32_t i = 0; i < out->node_count; ++i )
	{
		const hubbard_medial_node* n = m->nodes + from[i];
		bvlit_sphere_node* to = out->nodes + i;
		*to = ( bvlit_sphere_node ){ .sphere = n->sphere };
		if ( n->first_child == NONE || depth[i] == max_depth )
		{
			list_faces( m, n, out, to );
			continue;
		}
		to->first_child = out->node_count;
		for ( uint32_t c = n->first_child; c != NONE; c = m->nodes[c].next_sibling )
		{
			from[out->node_count] = skip( m, c );
			depth[out->node_count++] = depth[i] + 1;
			to->children += 1;
		}
	}
	return true;
}

bv_status bvlit_spheres_hubbard_medial( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                        bvb_arena* arena, bvlit_sphere_tree* out )
{
	bvb_winding* winding;
	bvb_error error;
	medial m = { .sample_count = 0 };
	bv_status status = bvlit_cut_faces( mesh, mesh->vertex_count, arena, &m.pieces );
	status = status == bv_ok ? bvb_winding_create( mesh, arena, &winding, &error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	m.sample_count = m.pieces.count;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		m.pieces.middle[m.sample_count++] = mesh->positions[i];
	}
	m.next = bvb_arena_allocate( arena, m.pieces.count, sizeof *m.next );
	m.room = bvbase_arena_allocate_unset( arena, m.pieces.first_corner[m.pieces.count], sizeof *m.room );
	m.nodes = bvb_arena_allocate( arena, 2 * (size_t)m.pieces.count + 64, sizeof *m.nodes );
	bool done = m.next && m.room && m.nodes && make_leaves( &m, winding, arena ) && merge_all( &m, arena ) &&
	            hand_over( &m, options->max_depth, arena, out );
	return done ? bv_ok : bv_error_memory;
}
