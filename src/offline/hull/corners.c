// Choice of corners around a polyhedron. See corners.h.
//
// Starts with more vertices of the polyhedron than needed: repeatedly the one that is farthest outside the
// hull of those chosen before. The faces of their hull, and with them the corners, are moved outward until
// they touch the polyhedron. Then corners are moved inward one by one, pairs of corners are merged until
// there are few enough, and the remaining corners are moved inward again (shell.h).

#include "offline/hull/corners.h"

#include "offline/hull/rough.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	sweeps_before = 1, // of those that are too many
	sweeps_after = 20,
};

// A rough hull of vertices of the core whose faces are to be moved outwards until they touch it.
typedef struct push
{
	const bvhull_core* core;
	const bvhull_rough* rough;
	double* height; // of each face, of the plane that touches

	// of point p: around[first[p]] ... [first[p + 1] - 1] are the faces that it is a corner of
	uint32_t* first;

	uint32_t* around;               // faces, by their corners
	bvhull_constraint* constraints; // scratch: as many as there are faces
	double scale;                   // at which the whole hull encloses the core
} push;

static bool begin_push( push* p, bvb_arena* arena )
{
	const bvhull_rough* r = p->rough;
	p->height = bvb_arena_allocate( arena, r->face_count, sizeof *p->height );
	p->first = bvb_arena_allocate( arena, (size_t)r->point_count + 1, sizeof *p->first );
	p->around = bvb_arena_allocate( arena, 3 * (size_t)r->face_count, sizeof *p->around );
	p->constraints = bvb_arena_allocate( arena, r->face_count, sizeof *p->constraints );
	p->scale = 1;
	if ( !p->height || !p->first || !p->around || !p->constraints )
	{
		return false;
	}
	for ( uint32_t f = 0; f < r->face_count; ++f )
	{
		const bvhull_rough_face* face = &r->faces[f];
		if ( !face->dead )
		{
			uint32_t vertex = bvhull_core_support( p->core, face->normal, face->corner[0] );
			p->height[f] = bv_dot( face->normal, p->core->at[vertex] );
			p->scale = face->offset > 0 ? bvmath_max( p->height[f] / face->offset, p->scale ) : INFINITY;
			for ( int k = 0; k < 3; ++k )
			{
				++p->first[face->corner[k]];
			}
		}
	}
	for ( uint32_t v = 0; v < r->point_count; ++v )
	{
		p->first[v + 1] += p->first[v];
	}
	for ( uint32_t f = 0; f < r->face_count; ++f )
	{
		for ( int k = 0; k < 3 && !r->faces[f].dead; ++k )
		{
			p->around[--p->first[r->faces[f].corner[k]]] = f;
		}
	}
	return true;
}

// Where a corner is above all of its faces' planes, at the least volume; where the hull as a whole would have
// it when they do not say.
static bv_vec3 push_corner( const push* p, uint32_t point )
{
	const bvhull_rough* r = p->rough;
	bv_vec3 from = r->points[point];
	bv_vec3 scaled = bv_scale( p->scale, from );
	bv_vec3 cost = { 0 };
	uint32_t count = 0;
	for ( uint32_t i = p->first[point]; i < p->first[point + 1]; ++i )
	{
		const bvhull_rough_face* face = &r->faces[p->around[i]];
		bv_vec3 a = r->points[face->corner[0]];
		cost = bv_add( cost, bv_cross( bv_sub( r->points[face->corner[1]], a ),
		                               bv_sub( r->points[face->corner[2]], a ) ) );
		p->constraints[count++] =
			( bvhull_constraint ){ face->normal, p->height[p->around[i]] - bv_dot( face->normal, from ) };
	}
	bv_vec3 step;
	double reach = bvmath_norm1( bv_sub( scaled, from ) );
	return bvhull_solve_linear( cost, p->constraints, count, reach, &step ) ? bv_add( from, step ) : scaled;
}

// @param points  receives the corners
static bool push_out( const bvhull_core* core, const bvhull_rough* rough, bvb_arena* arena, bv_vec3* points,
                      uint32_t* count )
{
	push p = { .core = core, .rough = rough };
	*count = 0;
	if ( !begin_push( &p, arena ) )
	{
		return false;
	}
	for ( uint32_t v = 0; v < rough->point_count && p.scale < INFINITY; ++v )
	{
		if ( p.first[v + 1] > p.first[v] )
		{
			points[( *count )++] = push_corner( &p, v );
		}
	}
	return true;
}

static void finish( const bvhull_core* core, bvhull_shell* shell, bvhull_corners* best )
{
	if ( shell->corner_count == 0 || shell->corner_count > best->room )
	{
		return;
	}
	bvhull_shell_tighten( shell, core, sweeps_after );
	double gap = best->alone ? 0 : bvhull_shell_gap( shell, core );
	if ( !( gap < best->gap ) )
	{
		return;
	}
	best->gap = gap;
	best->count = shell->corner_count;
	for ( uint32_t c = 0; c < shell->corner_count; ++c )
	{
		best->at[c] = bvhull_out_of_frame( core->frame, shell->at[c] );
	}
}

bv_status bvhull_choose_corners( const bvhull_core* core, uint32_t first, bvb_arena* arena,
                                 bvhull_corners* best )
{
	bvhull_rough rough = { .arena = arena };
	for ( uint32_t v = 0; v < core->vertex_count && !rough.failed; ++v )
	{
		bvhull_rough_add( &rough, core->at[v] );
	}
	bvhull_rough_hull_of_few( &rough, 1e-9, first );
	if ( rough.failed )
	{
		return bv_error_memory;
	}

	// One that had to be made thicker is too flat.
	if ( rough.point_count != core->vertex_count || rough.face_count == 0 )
	{
		return bv_ok;
	}
	uint32_t count;
	bvhull_shell shell;
	bv_vec3* pushed = bvb_arena_allocate( arena, rough.point_count, sizeof *pushed );
	if ( !pushed || !push_out( core, &rough, arena, pushed, &count ) ||
	     bvhull_shell_create( pushed, count, arena, &shell ) != bv_ok )
	{
		return bv_error_memory;
	}
	if ( shell.corner_count > best->room )
	{
		bvhull_shell_tighten( &shell, core, sweeps_before );
		if ( !bvhull_shell_collapse( &shell, core, best->room, arena ) )
		{
			return bv_error_memory;
		}
	}
	finish( core, &shell, best );
	return bv_ok;
}

bv_status bvhull_tighten_corners( const bvhull_core* core, bv_vec3* points, uint32_t count, bvb_arena* arena,
                                  bvhull_corners* best )
{
	bvhull_shell shell;
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = bvhull_into_frame( core->frame, points[i] );
	}
	bv_status status = bvhull_shell_create( points, count, arena, &shell );
	if ( status == bv_ok )
	{
		finish( core, &shell, best );
	}
	return status;
}
