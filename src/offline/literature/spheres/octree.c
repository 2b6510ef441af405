// Octrees of a surface. A face goes to the octants where a piece of it is: it is cut with the planes of the
// cell and then with those through the cell's middle, so that nothing of it is lost and nothing goes where
// only its box is. See octree.h.

#include "offline/literature/spheres/octree.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	listed_per_face =
		64,           // of even octrees: in a cell or all along, faces are listed so often on average at most
	most_levels = 20, // of even octrees
};

static void set_component( bv_vec3* v, int axis, double value )
{
	if ( axis == 0 )
	{
		v->x = value;
	}
	else if ( axis == 1 )
	{
		v->y = value;
	}
	else
	{
		v->z = value;
	}
}

// Where a side crosses a plane. From its lower end, so that both pieces have the same corner.
static bv_vec3 cross_plane( bv_vec3 a, bv_vec3 b, int axis, double at )
{
	bool up = bvmath_component( a, axis ) < bvmath_component( b, axis );
	bv_vec3 low = up ? a : b;
	bv_vec3 high = up ? b : a;
	double from = bvmath_component( low, axis );
	double share = ( at - from ) / ( bvmath_component( high, axis ) - from );
	bv_vec3 p = bv_add( low, bv_scale( share, bv_sub( high, low ) ) );
	set_component( &p, axis, at );
	return p;
}

// What of a piece is on one side of a plane. (Sutherland, Hodgman 1974.)
// @return whether anything is, but for what is on the plane
static bool cut( const bvlit_piece* piece, int axis, double at, bool above, bvlit_piece* out )
{
	bool any = false;
	out->count = 0;
	for ( uint32_t i = 0; i < piece->count; ++i )
	{
		bv_vec3 a = piece->corner[i];
		bv_vec3 b = piece->corner[( i + 1 ) % piece->count];
		double from = above ? bvmath_component( a, axis ) - at : at - bvmath_component( a, axis );
		double to = above ? bvmath_component( b, axis ) - at : at - bvmath_component( b, axis );
		any = any || from > 0;
		if ( from >= 0 && out->count < bvlit_piece_corners )
		{
			out->corner[out->count++] = a;
		}
		if ( ( ( from > 0 && to < 0 ) || ( from < 0 && to > 0 ) ) && out->count < bvlit_piece_corners )
		{
			out->corner[out->count++] = cross_plane( a, b, axis, at );
		}
	}
	return any;
}

static void keep_side( bvlit_piece* piece, int axis, double at, bool above )
{
	bvlit_piece kept;
	cut( piece, axis, at, above, &kept );
	if ( kept.count > 0 )
	{
		*piece = kept;
		return;
	}
	for ( uint32_t i = 0; i < piece->count; ++i )
	{
		set_component( piece->corner + i, axis, at );
	}
}

void bvlit_piece_of_face( const bvb_mesh* mesh, uint32_t face, const bv_aabb* box, bvlit_piece* out )
{
	out->count = 3;
	for ( int k = 0; k < 3; ++k )
	{
		out->corner[k] = mesh->positions[mesh->triangles[face].corner[k]];
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		keep_side( out, axis, bvmath_component( box->lower, axis ), true );
		keep_side( out, axis, bvmath_component( box->upper, axis ), false );
	}
}

// The octants that a piece passes through, as bits.
static uint32_t octants_of( const bvlit_piece* piece, bv_vec3 middle, int axis, uint32_t octant )
{
	if ( axis == 3 )
	{
		return 1u << octant;
	}
	bvlit_piece part;
	double at = bvmath_component( middle, axis );
	bool high = cut( piece, axis, at, true, &part );
	uint32_t octants = high ? octants_of( &part, middle, axis + 1, octant | 1u << axis ) : 0;
	bool low = cut( piece, axis, at, false, &part );
	return low || !high ? octants | octants_of( low ? &part : piece, middle, axis + 1, octant ) : octants;
}

static bv_aabb octant_of( const bv_aabb* box, bv_vec3 middle, uint32_t octant )
{
	bv_aabb part = *box;
	for ( int axis = 0; axis < 3; ++axis )
	{
		set_component( octant >> axis & 1 ? &part.lower : &part.upper, axis,
		               bvmath_component( middle, axis ) );
	}
	return part;
}

static bool has_corner( const bvb_triangle* t, uint32_t vertex )
{
	return t->corner[0] == vertex || t->corner[1] == vertex || t->corner[2] == vertex;
}

static bool is_in( const bv_aabb* box, bv_vec3 p )
{
	return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y && p.y <= box->upper.y &&
	       p.z >= box->lower.z && p.z <= box->upper.z;
}

// Whether a side passes through a box.
static bool passes_through( const bv_aabb* box, bv_vec3 a, bv_vec3 b )
{
	double first = 0;
	double last = 1;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double from = bvmath_component( a, axis );
		double step = bvmath_component( b, axis ) - from;
		double low = bvmath_component( box->lower, axis ) - from;
		double high = bvmath_component( box->upper, axis ) - from;
		if ( step == 0 )
		{
			last = low <= 0 && high >= 0 ? last : -1;
			continue;
		}
		first = bvmath_max( first, bvmath_min( low / step, high / step ) );
		last = bvmath_min( last, bvmath_max( low / step, high / step ) );
	}
	return first <= last;
}

// Whether all faces of a cell meet in one corner or side there, which no division takes apart.
static bool are_joined( const bvb_mesh* mesh, const uint32_t* faces, uint32_t count, const bv_aabb* box )
{
	bvb_triangle first = mesh->triangles[faces[0]];
	bv_vec3 shared[3];
	int found = 0;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t i = 1;
		while ( i < count && has_corner( mesh->triangles + faces[i], first.corner[k] ) )
		{
			i += 1;
		}
		if ( i == count )
		{
			shared[found++] = mesh->positions[first.corner[k]];
		}
	}
	for ( int k = 0; k < found; ++k )
	{
		if ( is_in( box, shared[k] ) || ( found == 2 && passes_through( box, shared[0], shared[1] ) ) )
		{
			return true;
		}
	}
	return found == 3;
}

static bool may_divide( const bvb_mesh* mesh, const bvlit_octree_rule* rule, const bvlit_octree* o,
                        uint32_t index )
{
	const bvlit_octree_cell* cell = o->cells + index;
	return cell->faces > rule->leaf_faces && cell->depth < rule->max_depth &&
	       !( rule->apart && are_joined( mesh, o->face + cell->first_face, cell->faces, &cell->box ) );
}

// @param octants  room for each face of the cell
// @return whether there was room for more cells and faces
static bool divide( const bvb_mesh* mesh, const bvlit_octree_rule* rule, bvlit_octree* o, uint32_t index,
                    uint8_t* octants )
{
	bvlit_octree_cell* cell = o->cells + index;
	bv_vec3 middle = bv_add( bv_scale( 0.5, cell->box.lower ), bv_scale( 0.5, cell->box.upper ) );
	uint32_t counts[8] = { 0 };
	uint64_t listed = o->face_count;
	for ( uint32_t i = 0; i < cell->faces; ++i )
	{
		bvlit_piece piece;
		bvlit_piece_of_face( mesh, o->face[cell->first_face + i], &cell->box, &piece );
		octants[i] = (uint8_t)octants_of( &piece, middle, 0, 0 );
		for ( int k = 0; k < 8; ++k )
		{
			counts[k] += octants[i] >> k & 1;
			listed += octants[i] >> k & 1;
		}
	}
	if ( listed > rule->most_listed || rule->most_cells - o->cell_count < 8 )
	{
		return false;
	}
	cell->first_child = o->cell_count;
	for ( uint32_t k = 0; k < 8; ++k )
	{
		if ( counts[k] == 0 )
		{
			continue;
		}
		bvlit_octree_cell* child = o->cells + o->cell_count++;
		*child = ( bvlit_octree_cell ){ .box = octant_of( &cell->box, middle, k ),
			                            .first_face = o->face_count,
			                            .depth = cell->depth + 1 };
		for ( uint32_t i = 0; i < cell->faces; ++i )
		{
			if ( octants[i] >> k & 1 )
			{
				o->face[o->face_count++] = o->face[cell->first_face + i];
			}
		}
		child->faces = counts[k];
		cell->children += 1;
	}
	return true;
}

static bv_aabb box_of( const bvb_mesh* mesh, bool cube )
{
	bv_aabb box = { mesh->positions[mesh->triangles[0].corner[0]],
		            mesh->positions[mesh->triangles[0].corner[0]] };
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			box.lower = bvmath_least( box.lower, mesh->positions[mesh->triangles[i].corner[k]] );
			box.upper = bvmath_greatest( box.upper, mesh->positions[mesh->triangles[i].corner[k]] );
		}
	}
	bv_vec3 size = bv_sub( box.upper, box.lower );
	double side = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	if ( cube )
	{
		bv_vec3 missing = bv_scale( 0.5, bv_sub( ( bv_vec3 ){ side, side, side }, size ) );
		box.lower = bvmath_least( box.lower, bv_sub( box.lower, missing ) );
		box.upper = bvmath_greatest( box.upper, bv_add( box.upper, missing ) );
	}
	return box;
}

bv_status bvlit_octree_create( const bvb_mesh* mesh, const bvlit_octree_rule* rule, bvb_arena* arena,
                               bvlit_octree* out )
{
	uint32_t count = mesh->triangle_count;
	*out = ( bvlit_octree ){ .cell_count = 1, .face_count = count };
	out->cells = bvbase_arena_allocate_unset( arena, rule->most_cells, sizeof *out->cells );
	out->face = bvbase_arena_allocate_unset( arena, rule->most_listed, sizeof *out->face );
	uint8_t* octants = bvb_arena_allocate( arena, count, sizeof *octants );
	if ( !out->cells || !out->face || !octants )
	{
		return bv_error_memory;
	}
	out->cells[0] = ( bvlit_octree_cell ){ .box = box_of( mesh, rule->cubes ), .faces = count };
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->face[i] = i;
	}
	for ( uint32_t i = 0; i < out->cell_count && !out->cut_short; ++i )
	{
		out->cut_short = may_divide( mesh, rule, out, i ) && !divide( mesh, rule, out, i, octants );
	}
	return bv_ok;
}

bv_status bvlit_octree_create_even( const bvb_mesh* mesh, uint32_t max_depth, uint32_t most_leaves,
                                    bvb_arena* arena, bvlit_octree* out )
{
	uint64_t listed = (uint64_t)listed_per_face * ( most_leaves + (uint64_t)mesh->triangle_count );
	bvlit_octree_rule rule = {
		.cubes = true,
		.most_cells = 2 * most_leaves + 16,
		.most_listed = listed < UINT32_MAX / 2 ? (uint32_t)listed : UINT32_MAX / 2,
	};
	bv_status status = bv_ok;
	uint32_t inner = 0;
	for ( uint32_t depth = 0; depth <= max_depth && depth <= most_levels; ++depth )
	{
		bvlit_octree next;
		rule.max_depth = depth;
		status = bvlit_octree_create( mesh, &rule, arena, &next );
		if ( status != bv_ok || next.cut_short || next.cell_count - inner > most_leaves )
		{
			break;
		}
		inner = next.cell_count;
		*out = next;
	}
	return status;
}

// What rounding may take from a sphere, in units of its radius and of coordinates.
static const double slack = 0x1p-48;

static bv_sphere round_box( const bv_aabb* box )
{
	bv_vec3 half = bv_sub( bv_scale( 0.5, box->upper ), bv_scale( 0.5, box->lower ) );
	bv_vec3 center = bv_add( box->lower, half );
	double radius = sqrt( bv_dot( half, half ) );
	double reach = bvmath_max( bvmath_norm1( box->lower ), bvmath_norm1( box->upper ) );
	return ( bv_sphere ){ center, radius + slack * ( radius + reach ) };
}

bv_status bvlit_spheres_of_octree( const bvlit_octree* octree, bvb_arena* arena, bvlit_sphere_tree* out )
{
	*out = ( bvlit_sphere_tree ){ .node_count = octree->cell_count };
	out->nodes = bvb_arena_allocate( arena, octree->cell_count, sizeof *out->nodes );
	out->face = bvb_arena_allocate( arena, octree->face_count, sizeof *out->face );
	if ( !out->nodes || !out->face )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < octree->cell_count; ++i )
	{
		const bvlit_octree_cell* cell = octree->cells + i;
		bvlit_sphere_node* node = out->nodes + i;
		*node = ( bvlit_sphere_node ){ .sphere = round_box( &cell->box ), .children = cell->children };
		if ( cell->children > 0 )
		{
			node->first_child = cell->first_child;
			continue;
		}
		node->first_face = out->face_count;
		node->faces = cell->faces;
		for ( uint32_t k = 0; k < cell->faces; ++k )
		{
			out->face[out->face_count++] = octree->face[cell->first_face + k];
		}
	}
	return bv_ok;
}
