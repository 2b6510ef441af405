// Poses of animated scenes. See pose.h.
//
// Bounds of motion. Let r0, r1, r2 bound the lengths of a point and of its first two derivatives by time, in the
// coordinates of a node. A matrix M with norms |M| <= m0, |M'| <= m1, |M''| <= m2 takes it to a point with the
// bounds (Leibniz)
//
//   m0 r0,   m1 r0 + m0 r1,   m2 r0 + 2 m1 r1 + m0 r2
//
// and a translation adds its own. So a chain of nodes maps such bounds linearly, with
// three coefficients a0, a1, a2 and three constants b0, b1, b2, which are composed as placements are. For a
// rotation R and a scale S, the norms of M = R S are the same sums. All terms are positive: 2^-20 of the result
// covers the rounding of chains of any depth.
//
// A skinned vertex is a mean of points, so the mean of their bounds bounds its second derivative. Joint and bind
// matrix are applied to the vertex itself: the bound depends on its distance from the joint.
//
// A function differs from its linear interpolation between the ends of an interval of length h by at most
// h^2 / 8 times the largest length of its second derivative: the interpolation error is g(t) (t - a) (t - b) / 2 in
// each direction.
//
// Rounding errors of a pose. A product of matrices in binary64 differs from the exact one by less than 2^-49 of the
// product of their norms, and each local matrix has an error of less than 2^-46 of its norm, most of it from sines
// and quaternions. So a point at depth n has an error below (n + 1) 2^-45 (a0 |v| + b0). Each set of four weights
// adds less than 2^-49. We take 2^-44 for each node and for each set.

#include "formats/gltf/pose.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

// Of bounds that are sums of positive terms.
static const double outward = 1 + 0x1p-20;
static const double rounding = 0x1p-44;

// What a chain of nodes does to the bounds of a point, see above.
typedef struct pose_bounds
{
	double a[3];
	double b[3];
} pose_bounds;

// out = what matrix bounds m do to point bounds r.
static void apply_matrix( const double m[3], const double r[3], double out[3] )
{
	out[0] = m[0] * r[0];
	out[1] = m[1] * r[0] + m[0] * r[1];
	out[2] = m[2] * r[0] + 2 * m[1] * r[1] + m[0] * r[2];
}

static pose_bounds compose_motions( const pose_bounds* outer, const pose_bounds* inner )
{
	pose_bounds out;
	apply_matrix( outer->a, inner->a, out.a );
	apply_matrix( outer->a, inner->b, out.b );
	for ( int i = 0; i < 3; ++i )
	{
		out.b[i] += outer->b[i];
	}
	return out;
}

static void apply_motion( const pose_bounds* m, const double r[3], double out[3] )
{
	apply_matrix( m->a, r, out );
	for ( int i = 0; i < 3; ++i )
	{
		out[i] += m->b[i];
	}
}

// |M|^2 is at most the largest sum of absolute values of a row of M^T M; for a rotation that is 1.
static double norm_of( const bvgltf_place* p )
{
	double most = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double sum = 0;
		for ( int k = 0; k < 3; ++k )
		{
			const double( *m )[4] = p->matrix;
			sum += fabs( m[0][i] * m[0][k] + m[1][i] * m[1][k] + m[2][i] * m[2][k] ) +
			       0x1p-48 *
			           ( fabs( m[0][i] * m[0][k] ) + fabs( m[1][i] * m[1][k] ) + fabs( m[2][i] * m[2][k] ) );
		}
		most = sum > most ? sum : most;
	}
	return sqrt( most ) * outward;
}

static double length_of( double x, double y, double z )
{
	return sqrt( x * x + y * y + z * z );
}

static pose_bounds motion_of_place( const bvgltf_place* p )
{
	return ( pose_bounds ){ { norm_of( p ), 0, 0 },
		                    { length_of( p->matrix[0][3], p->matrix[1][3], p->matrix[2][3] ), 0, 0 } };
}

static const bvgltf_track* track_of( const bvgltf_posing* p, uint32_t node, bvgltf_path path )
{
	return p->tracks[(size_t)node * bvgltf_paths + path];
}

static bool moves( const bvgltf_posing* p, uint32_t node )
{
	return track_of( p, node, bvgltf_path_translation ) || track_of( p, node, bvgltf_path_rotation ) ||
	       track_of( p, node, bvgltf_path_scale );
}

// Keeps of each array only the vertices that the patch uses.
static bv_status gather( bvgltf_document* d, const bvgltf_patch* patch, const double* from, uint32_t width,
                         const double** out )
{
	void* memory;
	bv_status status = bvgltf_document_allocate( d, (uint64_t)patch->count * width, sizeof *from, &memory );
	double* to = memory;
	for ( uint32_t i = 0; i < patch->count && status == bv_ok; ++i )
	{
		memcpy( to + (size_t)i * width, from + (size_t)patch->vertices[i] * width, width * sizeof *from );
	}
	*out = to;
	return status;
}

static bv_status reduce( bvgltf_document* d, bvgltf_patch* patch )
{
	void* memory[3] = { NULL, NULL, NULL };
	bvgltf_rig* rig = &patch->rig;
	if ( !patch->vertices )
	{
		return bv_ok;
	}
	bv_status status = bvgltf_document_allocate( d, 1, sizeof *rig->primitive, &memory[0] );
	status = status == bv_ok
	             ? bvgltf_document_allocate( d, rig->target_count, sizeof *rig->targets, &memory[1] )
	             : status;
	status = status == bv_ok
	             ? bvgltf_document_allocate( d, rig->influence_count, sizeof *rig->influences, &memory[2] )
	             : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bvgltf_primitive* primitive = memory[0];
	const double** targets = memory[1];
	bvgltf_influences* influences = memory[2];
	*primitive = *rig->primitive;
	primitive->positions.count = patch->count;
	status = gather( d, patch, rig->primitive->positions.values, 3, &primitive->positions.values );
	for ( uint32_t k = 0; k < rig->target_count && status == bv_ok; ++k )
	{
		status = rig->targets[k] ? gather( d, patch, rig->targets[k], 3, &targets[k] ) : bv_ok;
	}
	for ( uint32_t k = 0; k < rig->influence_count && status == bv_ok; ++k )
	{
		status = gather( d, patch, rig->influences[k].joints, 4, &influences[k].joints );
		status = status == bv_ok ? gather( d, patch, rig->influences[k].weights, 4, &influences[k].weights )
		                         : status;
	}
	rig->primitive = primitive;
	rig->targets = targets;
	rig->influences = influences;
	patch->vertices = NULL;
	return status;
}

static bv_status check_weights( const bvgltf_posing* p, const bvgltf_patch* patch )
{
	const bvgltf_track* track = track_of( p, patch->node, bvgltf_path_weights );
	if ( track && track->width != patch->rig.target_count )
	{
		bvgltf_object o = bvgltf_document_item( p->document, bvgltf_node_list, patch->node );
		return bvgltf_json_fail( &o, bv_error_input,
		                         "the animation '%.60s' has %u weights for %u targets of the mesh",
		                         p->animation->name, track->width, patch->rig.target_count );
	}
	return bv_ok;
}

static bv_status allocate( bvgltf_posing* p )
{
	bvgltf_document* d = p->document;
	uint64_t nodes = p->nodes->count;
	uint64_t skins = d->lists[bvgltf_skin_list].count;
	uint64_t most = 1;
	uint64_t targets = 1;
	for ( uint32_t i = 0; i < p->patches->count; ++i )
	{
		const bvgltf_patch* patch = &p->patches->items[i];
		most = patch->count > most ? patch->count : most;
		targets = patch->rig.target_count > targets ? patch->rig.target_count : targets;
	}
	const struct
	{
		uint64_t count;
		size_t size;
		void** out;
	} rows[] = {
		{ nodes * bvgltf_paths, sizeof *p->tracks, (void**)&p->tracks },
		{ nodes, sizeof *p->depths, (void**)&p->depths },
		{ nodes, sizeof *p->places, (void**)&p->places },
		{ nodes, sizeof *p->motions, (void**)&p->motions },
		{ skins, sizeof *p->joints, (void**)&p->joints },
		{ skins, sizeof *p->norms, (void**)&p->norms },
		{ most, sizeof *p->skinning.sums, (void**)&p->skinning.sums },
		{ most, sizeof *p->skinning.totals, (void**)&p->skinning.totals },
		{ most, 3 * sizeof *p->positions, (void**)&p->positions },
		{ targets, sizeof *p->weights + sizeof( bvgltf_rates ), (void**)&p->weights },
	};
	bv_status status = bv_ok;
	for ( size_t i = 0; i < sizeof rows / sizeof rows[0] && status == bv_ok; ++i )
	{
		void* memory;
		status = bvgltf_document_allocate( d, rows[i].count, rows[i].size, &memory );
		*rows[i].out = memory;
	}
	return status;
}

static bv_status open_skin( bvgltf_posing* p, const bvgltf_skin* skin )
{
	void* memory[2] = { NULL, NULL };
	size_t index = (size_t)( skin - p->shapes->skins );
	if ( p->joints[index] )
	{
		return bv_ok;
	}
	bv_status status = bvgltf_document_allocate( p->document, skin->count, sizeof **p->joints, &memory[0] );
	status = status == bv_ok
	             ? bvgltf_document_allocate( p->document, skin->count, sizeof **p->norms, &memory[1] )
	             : status;
	p->joints[index] = memory[0];
	p->norms[index] = memory[1];
	for ( uint32_t k = 0; k < skin->count && status == bv_ok; ++k )
	{
		p->norms[index][k] = norm_of( &skin->binds[k] );
	}
	return status;
}

bv_status bvgltf_posing_open( const bvgltf_shapes* shapes, bvgltf_patches* patches,
                              const bvgltf_animation* animation, uint32_t vertex_count, bvgltf_posing* out )
{
	bvgltf_document* d = shapes->meshes->accessors->buffers->document;
	*out = ( bvgltf_posing ){
		.document = d,
		.nodes = shapes->nodes,
		.shapes = shapes,
		.patches = patches,
		.animation = animation,
		.vertex_count = vertex_count,
	};
	bv_status status = allocate( out );
	for ( uint32_t i = 0; i < animation->count && status == bv_ok; ++i )
	{
		const bvgltf_track* track = &animation->tracks[i];
		out->tracks[(size_t)track->node * bvgltf_paths + track->path] = track;
	}
	for ( uint32_t i = 0; i < shapes->nodes->order_count && status == bv_ok; ++i )
	{
		uint32_t node = shapes->nodes->order[i];
		uint32_t parent = shapes->nodes->nodes[node].parent;
		out->depths[node] = parent == BVGLTF_NONE ? 1 : out->depths[parent] + 1;
	}
	for ( uint32_t i = 0; i < patches->count && status == bv_ok; ++i )
	{
		bvgltf_patch* patch = &patches->items[i];
		status = check_weights( out, patch );
		status = status == bv_ok ? reduce( d, patch ) : status;
		status = status == bv_ok && patch->rig.skin ? open_skin( out, patch->rig.skin ) : status;
	}
	return status;
}

static void place_nodes( bvgltf_posing* p, double inside, double time )
{
	for ( uint32_t i = 0; i < p->nodes->order_count; ++i )
	{
		uint32_t index = p->nodes->order[i];
		const bvgltf_node* node = &p->nodes->nodes[index];
		bvgltf_place local = node->local;
		if ( moves( p, index ) )
		{
			bvgltf_placing placing = node->placing;
			double* const to[] = { placing.translation, placing.rotation, placing.scale };
			for ( int k = 0; k < bvgltf_path_weights; ++k )
			{
				const bvgltf_track* track = track_of( p, index, (bvgltf_path)k );
				if ( track )
				{
					bvgltf_track_value( track, bvgltf_track_interval( track, inside ), time, to[k] );
				}
			}
			local = bvgltf_place_of( placing.translation, placing.rotation, placing.scale );
		}
		p->places[index] =
			node->parent == BVGLTF_NONE ? local : bvgltf_place_compose( &p->places[node->parent], &local );
	}
}

static void place_joints( bvgltf_posing* p )
{
	for ( uint32_t i = 0; i < p->document->lists[bvgltf_skin_list].count; ++i )
	{
		const bvgltf_skin* skin = &p->shapes->skins[i];
		for ( uint32_t k = 0; p->joints[i] && k < skin->count; ++k )
		{
			p->joints[i][k] = bvgltf_place_compose( &p->places[skin->nodes[k]], &skin->binds[k] );
		}
	}
}

// @return positions before joints and nodes move them
static const double* morph_patch( bvgltf_posing* p, const bvgltf_patch* patch, double inside, double time )
{
	const bvgltf_rig* rig = &patch->rig;
	const bvgltf_track* track = track_of( p, patch->node, bvgltf_path_weights );
	if ( rig->target_count == 0 )
	{
		return rig->primitive->positions.values;
	}
	if ( track )
	{
		bvgltf_track_value( track, bvgltf_track_interval( track, inside ), time, p->weights );
	}
	bvgltf_rig_morph( rig, track ? p->weights : rig->weights, p->positions );
	return p->positions;
}

void bvgltf_posing_at( bvgltf_posing* p, double inside, double time, bv_vec3* out )
{
	place_nodes( p, inside, time );
	place_joints( p );
	for ( uint32_t i = 0; i < p->patches->count; ++i )
	{
		const bvgltf_patch* patch = &p->patches->items[i];
		const double* positions = morph_patch( p, patch, inside, time );
		bv_vec3* to = out + patch->first;
		if ( patch->rig.skin )
		{
			bvgltf_rig_skin( &patch->rig, p->joints[patch->rig.skin - p->shapes->skins], positions,
			                 &p->skinning, p->positions );
			positions = p->positions;
		}
		bvgltf_place place =
			patch->rig.skin ? patch->inner : bvgltf_place_compose( &p->places[patch->node], &patch->inner );
		bool unmoved = bvgltf_place_is_identity( &place );
		for ( uint32_t k = 0; k < patch->count; ++k )
		{
			const double* x = positions + 3 * (size_t)k;
			to[k] = unmoved ? ( bv_vec3 ){ x[0], x[1], x[2] } : bvgltf_place_move( &place, x );
		}
	}
}

// Bounds of what an animated node does to points of its coordinates.
static bool find_local_motion( const bvgltf_posing* p, uint32_t index, double from, double to,
                               pose_bounds* out )
{
	const bvgltf_node* node = &p->nodes->nodes[index];
	const bvgltf_placing* placing = &node->placing;
	double inside = from + ( to - from ) / 2;
	bvgltf_rates rates[3];
	double move[3] = { length_of( placing->translation[0], placing->translation[1], placing->translation[2] ),
		               0, 0 };
	double turn[3] = { 1, 0, 0 };
	double size[3] = {
		fmax( fabs( placing->scale[0] ), fmax( fabs( placing->scale[1] ), fabs( placing->scale[2] ) ) ), 0, 0
	};
	const bvgltf_track* t = track_of( p, index, bvgltf_path_translation );
	if ( t )
	{
		bvgltf_track_rates( t, bvgltf_track_interval( t, inside ), from, to, rates );
		for ( int i = 0; i < 3; ++i )
		{
			move[i] = length_of( rates[0].bound[i], rates[1].bound[i], rates[2].bound[i] );
		}
	}
	const bvgltf_track* r = track_of( p, index, bvgltf_path_rotation );
	if ( r )
	{
		if ( !bvgltf_track_turning( r, bvgltf_track_interval( r, inside ), from, to, &rates[0] ) )
		{
			return false;
		}
		memcpy( turn, rates[0].bound, sizeof turn );
	}
	const bvgltf_track* s = track_of( p, index, bvgltf_path_scale );
	if ( s )
	{
		bvgltf_track_rates( s, bvgltf_track_interval( s, inside ), from, to, rates );
		for ( int i = 0; i < 3; ++i )
		{
			size[i] = fmax( rates[0].bound[i], fmax( rates[1].bound[i], rates[2].bound[i] ) );
		}
	}
	apply_matrix( turn, size, out->a );
	memcpy( out->b, move, sizeof move );
	return true;
}

static bool find_motions( bvgltf_posing* p, double from, double to )
{
	for ( uint32_t i = 0; i < p->nodes->order_count; ++i )
	{
		uint32_t index = p->nodes->order[i];
		const bvgltf_node* node = &p->nodes->nodes[index];
		pose_bounds local;
		if ( !moves( p, index ) )
		{
			local = motion_of_place( &node->local );
		}
		else if ( !find_local_motion( p, index, from, to, &local ) )
		{
			return false;
		}
		p->motions[index] =
			node->parent == BVGLTF_NONE ? local : compose_motions( &p->motions[node->parent], &local );
	}
	return true;
}

// Bounds of the derivatives of how far morph targets move a vertex.
static void find_morph_rates( const bvgltf_posing* p, const bvgltf_patch* patch, const bvgltf_rates* rates,
                              uint32_t vertex, double out[3] )
{
	const bvgltf_rig* rig = &patch->rig;
	out[0] = out[1] = out[2] = 0;
	for ( uint32_t k = 0; k < rig->target_count && track_of( p, patch->node, bvgltf_path_weights ); ++k )
	{
		const double* d = rig->targets[k] ? rig->targets[k] + 3 * (size_t)vertex : NULL;
		double length = d ? length_of( d[0], d[1], d[2] ) : 0;
		for ( int i = 0; i < 3; ++i )
		{
			out[i] += rates[k].bound[i] * length;
		}
	}
}

// Bounds of a vertex under a matrix that does not change: of where it is at the start, and of how far it gets.
static void place_rates( const bvgltf_place* place, double norm, const double* at, const double morph[3],
                         double length, double out[3] )
{
	bv_vec3 moved = bvgltf_place_move( place, at );
	out[0] = length_of( moved.x, moved.y, moved.z ) + norm * morph[1] * length;
	out[1] = norm * morph[1];
	out[2] = norm * morph[2];
}

// The part of a patch that all of its vertices share.
typedef struct pose_patch
{
	const bvgltf_patch* patch;
	const double* at;    // positions at the start
	bvgltf_rates* rates; // of weights
	double length;       // of the interval
	const double* norms; // of the bind matrices, or of the instance
} pose_patch;

static void bound_skinned( const bvgltf_posing* p, const pose_patch* s, uint32_t vertex, double out[3] )
{
	const bvgltf_rig* rig = &s->patch->rig;
	double morph[3];
	double total = 0;
	out[0] = out[1] = out[2] = 0;
	find_morph_rates( p, s->patch, s->rates, vertex, morph );
	for ( uint32_t i = 0; i < 4 * rig->influence_count; ++i )
	{
		const bvgltf_influences* set = &rig->influences[i / 4];
		double weight = set->weights[4 * (size_t)vertex + i % 4];
		uint32_t joint = (uint32_t)set->joints[4 * (size_t)vertex + i % 4];
		if ( weight > 0 )
		{
			double local[3];
			double world[3];
			const bvgltf_place* bind = &rig->skin->binds[joint];
			place_rates( bind, s->norms[joint], s->at + 3 * (size_t)vertex, morph, s->length, local );
			apply_motion( &p->motions[rig->skin->nodes[joint]], local, world );
			total += weight;
			for ( int k = 0; k < 3; ++k )
			{
				out[k] += weight * world[k];
			}
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		out[k] /= total;
	}
}

static void bound_placed( const bvgltf_posing* p, const pose_patch* s, uint32_t vertex, double out[3] )
{
	double morph[3];
	double local[3];
	find_morph_rates( p, s->patch, s->rates, vertex, morph );
	place_rates( &s->patch->inner, *s->norms, s->at + 3 * (size_t)vertex, morph, s->length, local );
	apply_motion( &p->motions[s->patch->node], local, out );
}

static uint32_t depth_of( const bvgltf_posing* p, const bvgltf_patch* patch )
{
	uint32_t most = p->depths[patch->node];
	const bvgltf_skin* skin = patch->rig.skin;
	for ( uint32_t k = 0; skin && k < skin->count; ++k )
	{
		most = p->depths[skin->nodes[k]] > most ? p->depths[skin->nodes[k]] : most;
	}
	return most + patch->rig.influence_count + patch->rig.target_count + 4;
}

bool bvgltf_posing_bends( bvgltf_posing* p, double from, double to, double* bend, double* error )
{
	if ( !find_motions( p, from, to ) )
	{
		return false;
	}
	double inside = from + ( to - from ) / 2;
	for ( uint32_t i = 0; i < p->patches->count; ++i )
	{
		const bvgltf_patch* patch = &p->patches->items[i];
		const bvgltf_track* track = track_of( p, patch->node, bvgltf_path_weights );
		pose_patch s = { .patch = patch, .length = to - from };
		s.rates = (bvgltf_rates*)( p->weights + patch->rig.target_count );
		s.at = morph_patch( p, patch, inside, from );
		if ( track && patch->rig.target_count > 0 )
		{
			bvgltf_track_rates( track, bvgltf_track_interval( track, inside ), from, to, s.rates );
		}
		double inner = norm_of( &patch->inner );
		s.norms = patch->rig.skin ? p->norms[patch->rig.skin - p->shapes->skins] : &inner;
		double errors = rounding * depth_of( p, patch );
		for ( uint32_t k = 0; k < patch->count; ++k )
		{
			double rates[3];
			if ( patch->rig.skin )
			{
				bound_skinned( p, &s, k, rates );
			}
			else
			{
				bound_placed( p, &s, k, rates );
			}
			bend[patch->first + k] = rates[2] * outward;
			error[patch->first + k] = rates[0] * errors;
		}
	}
	return true;
}
