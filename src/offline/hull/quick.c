// Quickhull with exact signs. Most signs are those of rounded distances from a plane beyond the rounding
// error; the others come from bvbase_orient3d.
//
// A new point replaces all faces that it is above. A corner of these faces that also belongs to a face above
// the point remains extreme, since that face is unchanged. If the point is below none of the corner's faces,
// the corner lies between the point and the old hull. The corner is then removed together with its faces
// whose planes contain the point. The remaining faces are faces of the new hull. Their boundary is one loop
// without a side collinear with the point, so no new triangle is degenerate and every remaining corner is
// extreme. In most cases faces in the point's plane are kept, which matters where a polygon has thousands of
// corners.
//
// A point that was above a removed face is above a new face or inside the new hull. The segment to a place
// within the old face enters the new hull through none of the old faces, and the new faces in the plane of a
// removed face cover that face.
//
// Based on: Barber, Dobkin, Huhdanpaa 1996, "The Quickhull algorithm for convex hulls".

#include "offline/hull/quick.h"

#include "offline/base/exact.h"
#include "offline/base/sort.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

static const uint32_t none = UINT32_MAX;

// Where a point is of a face's plane.
typedef enum side_of_plane
{
	side_below,
	side_level,
	side_above,
} side_of_plane;

typedef struct quick_face
{
	uint32_t corner[3];   // counter-clockwise seen from outside
	uint32_t neighbor[3]; // beyond the side from corner k to the next
	bv_vec3 normal;       // outward, of any length
	double offset;        // of its plane
	double slack;         // what rounding may do to a distance
	double height;        // of the point `farthest`
	uint32_t outside;     // first of a list of points above it
	uint32_t farthest;    // of that list
	uint32_t mark;        // the point that was last looked from, plus 1
	side_of_plane side;   // of that point
	bool taken;           // that point takes its place
	bool is_pending;      // the builder is to look at what is here
} quick_face;

typedef struct quick_builder
{
	bvb_arena* arena;
	const bv_vec3* point;
	uint32_t count;
	uint32_t* next;      // of each point, in its list
	uint32_t* face_from; // of each point, the new face whose first side starts there
	quick_face* faces;
	uint32_t face_count;
	uint32_t face_room;
	uint32_t* spare; // faces that went
	uint32_t spare_count;
	uint32_t* pending; // places of faces that may have points above them
	uint32_t pending_count;
	uint32_t* seen; // faces that go
	uint32_t seen_count;
	uint32_t* fresh; // faces that come
	uint32_t fresh_count;
} quick_builder;

static bool copy( bvb_arena* arena, void** array, size_t used, size_t room, size_t size )
{
	void* larger = bvb_arena_allocate( arena, room, size );
	if ( larger && used > 0 )
	{
		memcpy( larger, *array, used * size );
	}
	*array = larger;
	return larger;
}

// No list of faces is longer than there is room for faces.
static bool make_room( quick_builder* b, uint32_t wanted )
{
	if ( wanted <= b->face_room )
	{
		return true;
	}
	uint32_t room = wanted < 512 ? 512 : 2 * wanted;
	b->face_room = room;
	return copy( b->arena, (void**)&b->faces, b->face_count, room, sizeof *b->faces ) &&
	       copy( b->arena, (void**)&b->spare, b->spare_count, room, sizeof *b->spare ) &&
	       copy( b->arena, (void**)&b->pending, b->pending_count, room, sizeof *b->pending ) &&
	       copy( b->arena, (void**)&b->seen, b->seen_count, room, sizeof *b->seen ) &&
	       copy( b->arena, (void**)&b->fresh, b->fresh_count, room, sizeof *b->fresh );
}

static void set_face( quick_builder* b, uint32_t index, uint32_t a, uint32_t c, uint32_t d )
{
	bv_vec3 u = bv_sub( b->point[c], b->point[a] );
	bv_vec3 v = bv_sub( b->point[d], b->point[a] );
	bv_vec3 normal = bv_cross( u, v );
	double sum = ( ( fabs( u.y * v.z ) + fabs( u.z * v.y ) ) + ( fabs( u.z * v.x ) + fabs( u.x * v.z ) ) ) +
	             ( fabs( u.x * v.y ) + fabs( u.y * v.x ) );

	// With e = 2^-53 the normal's components err by 4e of their terms, and as no coordinate is above 1, a
	// product with a point and the offset by 7e of their sum, together less than 16e; the bound is four times
	// that. Products that vanish are covered by the least that it can be.
	b->faces[index] = ( quick_face ){
		.corner = { a, c, d },
		.normal = normal,
		.offset = bv_dot( normal, b->point[a] ),
		.slack = 0x1p-47 * sum + 0x1p-1000,
		.outside = none,
		.farthest = none,
		.is_pending = b->faces[index].is_pending,
	};
}

static double height_over( const quick_face* f, bv_vec3 p )
{
	return bv_dot( f->normal, p ) - f->offset;
}

static double exact_side( const quick_builder* b, const quick_face* f, uint32_t p )
{
	return bvbase_orient3d( b->point[f->corner[0]], b->point[f->corner[1]], b->point[f->corner[2]],
	                        b->point[p] );
}

static bool is_above( const quick_builder* b, const quick_face* f, uint32_t p, double height )
{
	return height > f->slack || ( height >= -f->slack && exact_side( b, f, p ) > 0 );
}

static side_of_plane side_of( quick_builder* b, uint32_t index, uint32_t p )
{
	quick_face* f = b->faces + index;
	if ( f->mark != p + 1 )
	{
		double height = height_over( f, b->point[p] );
		double side = fabs( height ) > f->slack ? height : exact_side( b, f, p );
		f->side = side > 0 ? side_above : side < 0 ? side_below : side_level;
		f->mark = p + 1;
	}
	return f->side;
}

// Puts a point on the list of a face that it is above.
static void assign( quick_builder* b, uint32_t p, const uint32_t* faces, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		quick_face* f = b->faces + faces[i];
		double height = height_over( f, b->point[p] );
		if ( is_above( b, f, p, height ) )
		{
			if ( f->outside == none || height > f->height )
			{
				f->farthest = p;
				f->height = height;
			}
			b->next[p] = f->outside;
			f->outside = p;
			return;
		}
	}
}

static void look_at( quick_builder* b, uint32_t index )
{
	quick_face* f = b->faces + index;
	if ( f->outside != none && !f->is_pending )
	{
		f->is_pending = true;
		b->pending[b->pending_count++] = index;
	}
}

static void begin( quick_builder* b, const uint32_t simplex[4] )
{
	static const int of[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
	static const uint32_t beyond[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
	uint32_t c[4] = { simplex[0], simplex[1], simplex[2], simplex[3] };
	if ( bvbase_orient3d( b->point[c[0]], b->point[c[1]], b->point[c[2]], b->point[c[3]] ) > 0 )
	{
		c[1] = simplex[2];
		c[2] = simplex[1];
	}
	for ( uint32_t f = 0; f < 4; ++f )
	{
		set_face( b, f, c[of[f][0]], c[of[f][1]], c[of[f][2]] );
		memcpy( b->faces[f].neighbor, beyond[f], sizeof beyond[f] );
		b->fresh[f] = f;
	}
	b->face_count = 4;
	for ( uint32_t p = 0; p < b->count; ++p )
	{
		assign( b, p, b->fresh, 4 );
	}
	for ( uint32_t f = 0; f < 4; ++f )
	{
		look_at( b, f );
	}
}

static void take( quick_builder* b, uint32_t index )
{
	if ( !b->faces[index].taken )
	{
		b->faces[index].taken = true;
		b->seen[b->seen_count++] = index;
	}
}

// @return the next face around a corner, one way or the other
static uint32_t turn( const quick_builder* b, uint32_t index, uint32_t corner, bool ahead )
{
	const quick_face* f = b->faces + index;
	int k = f->corner[0] == corner ? 0 : f->corner[1] == corner ? 1 : 2;
	return f->neighbor[ahead ? k : k == 0 ? 2 : k - 1];
}

// Takes the faces around a corner in whose planes the point is, if it is below none of the others.
// @param index  a face of the corner that the point is above; ahead of it is one in whose plane it is
static void take_level( quick_builder* b, uint32_t p, uint32_t index, uint32_t corner, bool ahead )
{
	uint32_t last = index;
	while ( side_of( b, last, p ) == side_above )
	{
		last = turn( b, last, corner, !ahead );
	}
	uint32_t end = turn( b, index, corner, ahead );
	while ( b->faces[last].side == side_level && side_of( b, end, p ) == side_level )
	{
		end = turn( b, end, corner, ahead );
	}
	if ( b->faces[last].side == side_below || b->faces[end].side == side_below )
	{
		return;
	}
	for ( uint32_t i = turn( b, index, corner, ahead ); i != end; i = turn( b, i, corner, ahead ) )
	{
		take( b, i );
	}
}

// Finds the faces whose place a point takes.
static void look_from( quick_builder* b, uint32_t p, uint32_t start )
{
	b->seen_count = 0;
	side_of( b, start, p );
	take( b, start );
	bool any_level = false;
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t other = b->faces[b->seen[i]].neighbor[k];
			side_of_plane side = side_of( b, other, p );
			any_level |= side == side_level;
			if ( side == side_above )
			{
				take( b, other );
			}
		}
	}
	uint32_t above = any_level ? b->seen_count : 0;
	for ( uint32_t i = 0; i < above; ++i )
	{
		const quick_face* f = b->faces + b->seen[i];
		for ( int k = 0; k < 3; ++k )
		{
			if ( b->faces[f->neighbor[k]].side == side_level )
			{
				take_level( b, p, b->seen[i], f->corner[k], true );
				take_level( b, p, b->seen[i], f->corner[k == 2 ? 0 : k + 1], false );
			}
		}
	}
}

// @return how many sides there are between the faces that go and the others
static uint32_t count_sides( const quick_builder* b )
{
	uint32_t sides = 0;
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			sides += !b->faces[b->faces[b->seen[i]].neighbor[k]].taken;
		}
	}
	return sides;
}

static uint32_t new_face( quick_builder* b )
{
	return b->spare_count > 0 ? b->spare[--b->spare_count] : b->face_count++;
}

static void replace_neighbor( quick_face* f, uint32_t from, uint32_t to, uint32_t by )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( f->corner[k] == from && f->corner[k == 2 ? 0 : k + 1] == to )
		{
			f->neighbor[k] = by;
		}
	}
}

// Makes a face of the point and each side around what it takes the place of.
// @return whether these sides were one loop
static bool make_cone( quick_builder* b, uint32_t p, uint32_t sides )
{
	b->fresh_count = 0;
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			const quick_face* f = b->faces + b->seen[i];
			uint32_t other = f->neighbor[k];
			if ( !b->faces[other].taken )
			{
				uint32_t from = f->corner[k];
				uint32_t to = f->corner[k == 2 ? 0 : k + 1];
				uint32_t index = new_face( b );
				set_face( b, index, from, to, p );
				b->faces[index].neighbor[0] = other;
				replace_neighbor( b->faces + other, to, from, index );
				b->face_from[from] = index;
				b->fresh[b->fresh_count++] = index;
			}
		}
	}
	uint32_t index = b->fresh[0];
	uint32_t length = 0;
	do
	{
		uint32_t to = b->faces[index].corner[1];
		uint32_t after = b->face_from[to];
		if ( after == none || b->faces[after].corner[0] != to || b->faces[after].corner[2] != p )
		{
			return false;
		}
		b->faces[index].neighbor[1] = after;
		b->faces[after].neighbor[2] = index;
		index = after;
		length += 1;
	} while ( index != b->fresh[0] && length <= sides );
	return length == sides;
}

static bv_status add_corner( quick_builder* b, uint32_t start )
{
	uint32_t p = b->faces[start].farthest;
	look_from( b, p, start );
	uint32_t sides = count_sides( b );
	if ( !make_room( b, b->face_count + sides ) )
	{
		return bv_error_memory;
	}
	if ( sides < 3 || !make_cone( b, p, sides ) )
	{
		return bv_error_internal;
	}
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		uint32_t list = b->faces[b->seen[i]].outside;
		while ( list != none )
		{
			uint32_t after = b->next[list];
			if ( list != p )
			{
				assign( b, list, b->fresh, b->fresh_count );
			}
			list = after;
		}
		b->faces[b->seen[i]].outside = none;
		b->faces[b->seen[i]].corner[0] = none;
		b->spare[b->spare_count++] = b->seen[i];
	}
	for ( uint32_t i = 0; i < b->fresh_count; ++i )
	{
		look_at( b, b->fresh[i] );
	}
	return bv_ok;
}

static bool is_level( const quick_builder* b, const quick_face* f, const quick_face* other )
{
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t p = other->corner[k];
		bool shared = p == f->corner[0] || p == f->corner[1] || p == f->corner[2];
		if ( !shared && ( fabs( height_over( f, b->point[p] ) ) > f->slack || exact_side( b, f, p ) != 0 ) )
		{
			return false;
		}
	}
	return true;
}

// Finds all faces in the plane of one.
static void gather_level( quick_builder* b, uint32_t start )
{
	b->seen_count = 1;
	b->seen[0] = start;
	b->faces[start].mark = none;
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t other = b->faces[b->seen[i]].neighbor[k];
			quick_face* f = b->faces + other;
			if ( f->mark != none && is_level( b, &b->faces[start], f ) )
			{
				f->mark = none;
				b->seen[b->seen_count++] = other;
			}
		}
	}
}

// Cuts the polygon of the faces gathered into a fan about its least corner. A corner's successor takes the
// place of the face that begins there.
static void make_fan( quick_builder* b )
{
	uint32_t least = none;
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		b->faces[b->seen[i]].taken = true;
	}
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		const quick_face* f = b->faces + b->seen[i];
		for ( int k = 0; k < 3; ++k )
		{
			if ( !b->faces[f->neighbor[k]].taken )
			{
				b->face_from[f->corner[k]] = f->corner[k == 2 ? 0 : k + 1];
				least = f->corner[k] < least ? f->corner[k] : least;
			}
		}
	}
	uint32_t from = b->face_from[least];
	for ( uint32_t i = 0; i < b->seen_count; ++i )
	{
		quick_face* f = b->faces + b->seen[i];
		uint32_t to = b->face_from[from];
		memcpy( f->corner, ( uint32_t[3] ){ least, from, to }, sizeof f->corner );
		from = to;
		f->taken = false;
	}
}

// What has been found depends on the order of steps only in how polygons are cut. Now it depends on nothing.
static void cut_polygons( quick_builder* b )
{
	for ( uint32_t i = 0; i < b->face_count; ++i )
	{
		b->faces[i].taken = false;
	}
	for ( uint32_t i = 0; i < b->face_count; ++i )
	{
		if ( b->faces[i].corner[0] != none && b->faces[i].mark != none )
		{
			gather_level( b, i );
			if ( b->seen_count > 1 )
			{
				make_fan( b );
			}
		}
	}
}

// @return null when out of memory
static bvb_triangle* sort_faces( const quick_builder* b, uint32_t* count )
{
	bvbase_sort_entry* entry = bvb_arena_allocate( b->arena, b->face_count, sizeof *entry );
	bvbase_sort_entry* beside = bvb_arena_allocate( b->arena, b->face_count, sizeof *beside );
	bvb_triangle* out = bvb_arena_allocate( b->arena, b->face_count, sizeof *out );
	*count = 0;
	for ( uint32_t i = 0; entry && beside && out && i < b->face_count; ++i )
	{
		uint32_t* c = b->faces[i].corner;
		if ( c[0] != none )
		{
			int least = c[0] < c[1] ? ( c[0] < c[2] ? 0 : 2 ) : c[1] < c[2] ? 1 : 2;
			bvb_triangle t = { { c[least], c[( least + 1 ) % 3], c[( least + 2 ) % 3] } };
			memcpy( c, t.corner, sizeof t.corner );
			entry[( *count )++] = ( bvbase_sort_entry ){ (uint64_t)t.corner[0] << 32 | t.corner[1], i };
		}
	}
	if ( !entry || !beside || !out )
	{
		return NULL;
	}
	bvbase_sort( entry, beside, *count );
	for ( uint32_t i = 0; i < *count; ++i )
	{
		memcpy( out[i].corner, b->faces[entry[i].value].corner, sizeof out[i].corner );
	}
	return out;
}

bv_status bvhull_quick( const bv_vec3* point, uint32_t count, const uint32_t simplex[4], bvb_arena* arena,
                        bvhull_faces* out )
{
	quick_builder b = { .arena = arena, .point = point, .count = count };
	b.next = bvb_arena_allocate( arena, count, sizeof *b.next );
	b.face_from = bvb_arena_allocate( arena, count, sizeof *b.face_from );
	if ( !b.next || !b.face_from || !make_room( &b, 4 ) )
	{
		return bv_error_memory;
	}
	memset( b.face_from, 0xff, count * sizeof *b.face_from );
	begin( &b, simplex );
	while ( b.pending_count > 0 )
	{
		uint32_t index = b.pending[--b.pending_count];
		quick_face* f = b.faces + index;
		f->is_pending = false;
		if ( f->outside == none )
		{
			continue;
		}
		bv_status status = add_corner( &b, index );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	cut_polygons( &b );
	out->face = sort_faces( &b, &out->count );
	return out->face ? bv_ok : bv_error_memory;
}
