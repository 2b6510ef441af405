// Parts as what verification needs of them: planes with bounds of their rounding, and convex polygons to cut
// by these. For verify_cover.c and verify_inside.c, which share nothing with what makes parts.

#pragma once

#include "bv/inspect.h"
#include "bvbuild/asset.h"
#include "bvbuild/mesh.h"
#include "offline/verify/verify.h"

/// The plane of a face; the part is where dot( normal, x ) <= offset.
typedef struct bvverify_body_plane
{
	bv_vec3 normal; ///< unit, outwards; null for a face without an area, which has no plane
	double offset;  ///< of the face itself

	/// the height of no point near the part over the true plane is wrong by more; large for slivers
	double error;

	double depth; ///< how far the center of mass is below it, at least; not negative
} bvverify_body_plane;

/// A part.
typedef struct bvverify_body
{
	bv_aabb box;
	const bv_vec3* positions;
	const bvb_triangle* faces;
	const bvverify_body_plane* planes; ///< one a face
	uint32_t face_count;
	double radius; ///< no corner is farther from the center of mass
} bvverify_body;

/// All parts of a file, and how exactly places can be told.
struct bvverify_bodies
{
	const bv_file* file;
	const bvverify_body* bodies;
	uint32_t count;
	double reach; ///< the largest coordinate of parts and mesh
};

/// Takes parts that are sound out of the file.
/// @param mesh   the file's
/// @param arena  the result lives here
/// @return bv_ok; bv_error_memory
bv_status bvverify_take_bodies( const bv_file* file, const bvb_mesh* mesh, bvb_arena* arena,
                                bvverify_bodies* out, bvb_error* error );

/// @return whether a point is certainly within this distance of the part
bool bvverify_is_near_body( const bvverify_body* body, bv_vec3 point, double distance );

/// All polygons have fewer corners: a square cut by all planes of a part and of the box round it has half as
/// many.
#define BVVERIFY_OUTLINE_CORNERS 1024

/// A convex polygon.
typedef struct bvverify_outline
{
	uint32_t count;
	bv_vec3 corners[BVVERIFY_OUTLINE_CORNERS];
} bvverify_outline;

/// @return the mean of its corners
bv_vec3 bvverify_middle_of_outline( const bvverify_outline* polygon );

/// @return the least box around its corners
bv_aabb bvverify_box_of_outline( const bvverify_outline* polygon );

/// Cuts along dot( normal, x ) == offset. What is within `error` of the plane counts as in it.
/// @param below  the piece below the plane; without corners if nothing is below it
/// @param above  the other
void bvverify_cut_outline( const bvverify_outline* polygon, bv_vec3 normal, double offset, double error,
                           bvverify_outline* below, bvverify_outline* above );

/// What cutting polygons up takes: one at a time, others wait.
typedef struct bvverify_bench
{
	bvb_arena* arena;
	bvverify_outline* polygon; ///< the one that is cut
	bvverify_outline* below;   ///< room for its pieces
	bvverify_outline* above;   ///< as below
	bvverify_outline* whole;   ///< room for a copy
	bv_vec3* corners;          ///< of those that wait, one after the other
	size_t corner_count;
	size_t corner_room;
	uint32_t* counts; ///< of their corners
	size_t count;
	size_t room;
	uint32_t* parts; ///< a list, with room for all parts
	uint32_t part_count;
} bvverify_bench;

/// @param arena  holds all of it
/// @return bv_ok; bv_error_memory
bv_status bvverify_begin_bench( bvb_arena* arena, uint32_t parts, bvverify_bench* out, bvb_error* error );

/// Lets a polygon wait.
/// @return false when there is no memory, or too many corners
bool bvverify_push_outline( bvverify_bench* bench, const bvverify_outline* polygon );

/// Takes the last one that waits. There must be one.
void bvverify_pop_outline( bvverify_bench* bench );

/// Forgets those that wait.
void bvverify_clear_bench( bvverify_bench* bench );

/// Where dot( normal, x ) <= offset.
typedef struct bvverify_half_space
{
	bv_vec3 normal; ///< unit
	double offset;
} bvverify_half_space;

/// What half-spaces have in common.
typedef struct bvverify_region
{
	bvverify_half_space* sides;
	uint32_t count;
} bvverify_region;

/// Takes what is inside of a region out of the polygon: that becomes what is inside, and the rest waits, in
/// pieces. Where nothing is inside it stays as it is.
/// @param error    what is so near a side counts as in it
/// @param parted   whether something is inside
/// @return false when there is no memory, or too many corners
bool bvverify_take_inside( bvverify_bench* bench, const bvverify_region* region, double error, bool* parted );

/// Lists the parts whose boxes meet a box.
void bvverify_list_parts( const bv_file* file, const bv_aabb* box, bvverify_bench* bench );

/// A box that is larger by so much on all sides.
static inline bv_aabb bvverify_grown( const bv_aabb* box, double by )
{
	return ( bv_aabb ){ { box->lower.x - by, box->lower.y - by, box->lower.z - by },
		                { box->upper.x + by, box->upper.y + by, box->upper.z + by } };
}
