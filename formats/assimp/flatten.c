// Assimp's scene as flat arrays: the instances of all meshes one after the other, moved to their places. Runs
// in the child process; goes through the nodes once to count and once to write.
//
// A skinned mesh is at bind pose when each joint's placement times the joint's offset matrix gives the same
// matrix, and that matrix places the mesh. Where the file's nodes stand in another pose the joints disagree;
// the topmost one decides then, so that the mesh keeps the shape it was modeled in.

#include "formats/assimp/animate.h"
#include "formats/assimp/watch.h"
#include "offline/base/system.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// As for OBJ: ear clipping takes the square of it.
	corner_limit = 16384,
};

// Two placements of a mesh differ by rounding alone if no corner of its box is farther apart, relative to
// the largest coordinate of the corners: both are products of matrices of floats.
#define PLACE_ROUNDING 0x1p-17

// To the world. Both flags are kept apart from the matrix, whose determinant may underflow.
typedef struct flatten_place
{
	double matrix[3][4];
	bool mirrored;
	bool flat;
} flatten_place;

typedef struct flatten_visit
{
	const struct aiNode* node;
	flatten_place place;
	uint32_t depth;
} flatten_visit;

typedef struct joint
{
	const struct aiNode* node;
	uint32_t depth;
	size_t order;
} joint;

// What is known of a mesh before its first instance.
typedef struct flatten_piece
{
	bool known;
	uint64_t triangles;
	uint64_t points;
	uint64_t lines;
	bool posed;         // by joints
	flatten_place pose; // if posed
	uint32_t bone;      // that has the pose, if posed
	bv_vec3 corners[2]; // of its box, if posed
} flatten_piece;

typedef struct flat
{
	const bvassimp_library* library;
	const struct aiScene* source;
	int result;
	flatten_piece* pieces;
	joint* joints; // ascending by name
	size_t joint_count;
	uint32_t* numbers;   // of each material, its number in the result or BVB_NO_NAME
	unsigned* materials; // of each number, the material

	uint64_t vertices;
	uint64_t triangles;
	uint64_t points;
	uint64_t lines;
	uint32_t face_count;
	uint32_t segment_count;
	uint32_t object_count;
	uint32_t material_count;
	uint64_t object_name_bytes;
	uint64_t material_name_bytes;
	bvb_segment segment; // the last one
	uint32_t visited;    // nodes
	uint32_t instance_count;

	bv_vec3* positions; // this and the others are null while counting
	bvb_triangle* corners;
	uint32_t* faces;
	bvb_segment* segments;
	char* names;
	bvassimp_instance* instances; // null if nobody wants them
} flat;

static void* allocate( void* old, size_t count, size_t size )
{
	void* memory = bvbase_memory_resize( old, count ? count : 1, size );
	if ( !memory )
	{
		bvassimp_leave_out_of_memory();
	}
	return memory;
}

_Noreturn static void refuse( const flat* f, const char* text )
{
	bvassimp_leave_text( f->result, bvassimp_refused, text );
}

static flatten_place local_place( const struct aiMatrix4x4* t )
{
	flatten_place p = {
		.matrix = { { t->a1, t->a2, t->a3, t->a4 },
		            { t->b1, t->b2, t->b3, t->b4 },
		            { t->c1, t->c2, t->c3, t->c4 } },
	};
	double( *m )[4] = p.matrix;
	double determinant = m[0][0] * ( m[1][1] * m[2][2] - m[1][2] * m[2][1] ) -
	                     m[0][1] * ( m[1][0] * m[2][2] - m[1][2] * m[2][0] ) +
	                     m[0][2] * ( m[1][0] * m[2][1] - m[1][1] * m[2][0] );
	p.mirrored = determinant < 0;
	p.flat = determinant == 0;
	return p;
}

static flatten_place compose( const flatten_place* outer, const flatten_place* inner )
{
	flatten_place product = {
		.mirrored = outer->mirrored != inner->mirrored,
		.flat = outer->flat || inner->flat,
	};
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = outer->matrix[i];
		const double( *m )[4] = inner->matrix;
		for ( int j = 0; j < 4; ++j )
		{
			product.matrix[i][j] = row[0] * m[0][j] + row[1] * m[1][j] + row[2] * m[2][j];
		}
		product.matrix[i][3] += row[3];
	}
	return product;
}

static bv_vec3 move( const flatten_place* where, bv_vec3 x )
{
	const double( *m )[4] = where->matrix;
	return ( bv_vec3 ){ m[0][0] * x.x + m[0][1] * x.y + m[0][2] * x.z + m[0][3],
		                m[1][0] * x.x + m[1][1] * x.y + m[1][2] * x.z + m[1][3],
		                m[2][0] * x.x + m[2][1] * x.y + m[2][2] * x.z + m[2][3] };
}

// Parents before children, children in order. The stack is on the heap: a file decides how deep the tree is.
static void visit_nodes( flat* f, void ( *each )( flat* f, const flatten_visit* v ) )
{
	size_t capacity = 64;
	flatten_visit* stack = allocate( NULL, capacity, sizeof *stack );
	size_t count = 0;
	const struct aiNode* root = f->source->mRootNode;
	if ( root )
	{
		stack[count++] = ( flatten_visit ){ .node = root, .place = local_place( &root->mTransformation ) };
	}
	while ( count > 0 )
	{
		flatten_visit current = stack[--count];
		each( f, &current );

		const struct aiNode* node = current.node;
		size_t needed = count + node->mNumChildren;
		if ( needed > capacity )
		{
			capacity = 2 * needed;
			stack = allocate( stack, capacity, sizeof *stack );
		}
		for ( unsigned i = node->mNumChildren; i-- > 0; )
		{
			const struct aiNode* child = node->mChildren[i];
			if ( child )
			{
				flatten_place inner = local_place( &child->mTransformation );
				stack[count++] =
					( flatten_visit ){ child, compose( &current.place, &inner ), current.depth + 1 };
			}
		}
	}
	free( stack );
}

static bool is_skinned( const struct aiMesh* mesh )
{
	return mesh && mesh->mNumBones > 0 && mesh->mBones;
}

// Once for counting them, once for keeping them.
static void keep_joint( flat* f, const flatten_visit* v )
{
	if ( f->joints )
	{
		f->joints[f->joint_count] = ( joint ){ v->node, v->depth, f->joint_count };
	}
	++f->joint_count;
}

static int compare_joints( const void* a, const void* b )
{
	const joint* left = a;
	const joint* right = b;
	int difference = strcmp( left->node->mName.data, right->node->mName.data );
	return difference ? difference : ( left->order > right->order ) - ( left->order < right->order );
}

static void gather_joints( flat* f )
{
	bool any = false;
	for ( unsigned i = 0; i < f->source->mNumMeshes; ++i )
	{
		any = any || is_skinned( f->source->mMeshes[i] );
	}
	if ( any )
	{
		visit_nodes( f, keep_joint );
		f->joints = allocate( NULL, f->joint_count, sizeof *f->joints );
		f->joint_count = 0;
		visit_nodes( f, keep_joint );
		qsort( f->joints, f->joint_count, sizeof *f->joints, compare_joints );
	}
}

// Null as well when several nodes have that name: Assimp knows joints by nothing else.
static const joint* find_joint( const flat* f, const char* name )
{
	size_t first = 0;
	for ( size_t last = f->joint_count; first < last; )
	{
		size_t middle = first + ( last - first ) / 2;
		if ( strcmp( f->joints[middle].node->mName.data, name ) < 0 )
		{
			first = middle + 1;
		}
		else
		{
			last = middle;
		}
	}
	size_t same = 0;
	while ( same < 2 && first + same < f->joint_count &&
	        strcmp( f->joints[first + same].node->mName.data, name ) == 0 )
	{
		++same;
	}
	return same == 1 ? &f->joints[first] : NULL;
}

// Upwards, for the reader of Half-Life's models makes all bones children of one node, but knows their
// parents.
static flatten_place joint_place( const joint* j )
{
	flatten_place result = local_place( &j->node->mTransformation );
	for ( const struct aiNode* node = j->node->mParent; node; node = node->mParent )
	{
		flatten_place outer = local_place( &node->mTransformation );
		result = compose( &outer, &result );
	}
	return result;
}

static bool has_weight( const struct aiBone* bone )
{
	for ( unsigned i = 0; i < bone->mNumWeights && bone->mWeights; ++i )
	{
		if ( bone->mWeights[i].mWeight > 0 )
		{
			return true;
		}
	}
	return false;
}

// A joint that an animation hides by scaling it to nothing places no mesh.
static bool is_usable( const flatten_place* where )
{
	bool finite = true;
	for ( int i = 0; i < 12; ++i )
	{
		finite = finite && isfinite( where->matrix[i / 4][i % 4] );
	}
	return finite && !where->flat;
}

static void find_pose( const flat* f, const struct aiMesh* mesh, flatten_piece* p )
{
	const joint* top = NULL;
	for ( unsigned i = 0; i < mesh->mNumBones; ++i )
	{
		const struct aiBone* bone = mesh->mBones[i];
		const joint* j = bone && has_weight( bone ) ? find_joint( f, bone->mName.data ) : NULL;
		if ( !j || ( top && ( j->depth != top->depth ? j->depth > top->depth : j->order >= top->order ) ) )
		{
			continue;
		}
		flatten_place outer = joint_place( j );
		flatten_place offset = local_place( &bone->mOffsetMatrix );
		flatten_place pose = compose( &outer, &offset );
		if ( is_usable( &pose ) )
		{
			top = j;
			p->bone = i;
			p->pose = pose;
		}
	}
	p->posed = top != NULL;

	bv_vec3* box = p->corners;
	box[0] = ( bv_vec3 ){ INFINITY, INFINITY, INFINITY };
	box[1] = ( bv_vec3 ){ -INFINITY, -INFINITY, -INFINITY };
	for ( unsigned i = 0; i < mesh->mNumVertices && p->posed; ++i )
	{
		const struct aiVector3D* x = &mesh->mVertices[i];
		box[0] = ( bv_vec3 ){ fmin( box[0].x, x->x ), fmin( box[0].y, x->y ), fmin( box[0].z, x->z ) };
		box[1] = ( bv_vec3 ){ fmax( box[1].x, x->x ), fmax( box[1].y, x->y ), fmax( box[1].z, x->z ) };
	}
}

static double largest( bv_vec3 x )
{
	return fmax( fabs( x.x ), fmax( fabs( x.y ), fabs( x.z ) ) );
}

static bool are_alike( const flatten_place* a, const flatten_place* b, const bv_vec3 box[2] )
{
	double distance = 0;
	double size = 0;
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3 corner = { box[i & 1].x, box[i >> 1 & 1].y, box[i >> 2].z };
		bv_vec3 p = move( a, corner );
		bv_vec3 q = move( b, corner );
		distance = fmax( distance, largest( ( bv_vec3 ){ p.x - q.x, p.y - q.y, p.z - q.z } ) );
		size = fmax( size, largest( q ) );
	}
	return distance <= PLACE_ROUNDING * size;
}

// The node's own placement where it says the same: it went through fewer roundings.
static const flatten_place* place_of( const flatten_piece* p, const flatten_visit* v )
{
	return p->posed && !are_alike( &p->pose, &v->place, p->corners ) ? &p->pose : &v->place;
}

static void measure( const flat* f, const struct aiMesh* mesh, flatten_piece* p )
{
	if ( !mesh || ( mesh->mNumVertices > 0 && !mesh->mVertices ) || ( mesh->mNumFaces > 0 && !mesh->mFaces ) )
	{
		refuse( f, "a mesh is missing" );
	}
	p->known = true;
	p->points = mesh->mNumFaces == 0 ? mesh->mNumVertices : 0;
	for ( unsigned i = 0; i < mesh->mNumFaces; ++i )
	{
		const struct aiFace* face = &mesh->mFaces[i];
		for ( unsigned k = 0; k < face->mNumIndices; ++k )
		{
			if ( !face->mIndices || face->mIndices[k] >= mesh->mNumVertices )
			{
				refuse( f, "a face refers to a vertex that does not exist" );
			}
		}
		if ( face->mNumIndices > corner_limit )
		{
			bvassimp_leave_text( f->result, bvassimp_limit, "a face has more than 16384 corners" );
		}
		p->points += face->mNumIndices == 1;
		p->lines += face->mNumIndices == 2;
		p->triangles += face->mNumIndices > 2 ? face->mNumIndices - 2 : 0;
	}
	if ( is_skinned( mesh ) )
	{
		find_pose( f, mesh, p );
	}
}

// Most placements. A zero times an infinite coordinate would spoil the others.
static bool is_identity( const flatten_place* where )
{
	for ( int i = 0; i < 12; ++i )
	{
		if ( where->matrix[i / 4][i % 4] != ( i / 4 == i % 4 ) )
		{
			return false;
		}
	}
	return true;
}

static void write_positions( const struct aiMesh* mesh, const flatten_place* where, bv_vec3* out )
{
	bool unmoved = is_identity( where );
	for ( unsigned i = 0; i < mesh->mNumVertices; ++i )
	{
		bv_vec3 x = { mesh->mVertices[i].x, mesh->mVertices[i].y, mesh->mVertices[i].z };
		out[i] = unmoved ? x : move( where, x );
	}
}

static void write_mesh( flat* f, const struct aiMesh* mesh, const flatten_place* where )
{
	write_positions( mesh, where, f->positions + f->vertices );
	uint32_t base = (uint32_t)f->vertices;
	uint32_t corner[corner_limit];
	uint32_t scratch[2 * corner_limit];
	bvb_triangle* triangle = f->corners + f->triangles;
	uint32_t* face_number = f->faces + f->triangles;
	for ( unsigned i = 0; i < mesh->mNumFaces; ++i )
	{
		const struct aiFace* face = &mesh->mFaces[i];
		uint32_t count = face->mNumIndices;
		if ( count < 3 )
		{
			continue;
		}
		for ( uint32_t k = 0; k < count; ++k )
		{
			corner[k] = base + face->mIndices[k];
		}
		bvb_triangulate( f->positions, corner, count, scratch, triangle );
		for ( uint32_t k = 0; k < count - 2; ++k )
		{
			if ( where->mirrored )
			{
				uint32_t second = triangle->corner[1];
				triangle->corner[1] = triangle->corner[2];
				triangle->corner[2] = second;
			}
			++triangle;
			*face_number++ = f->face_count;
		}
		++f->face_count;
	}
}

static size_t name_bytes( const char* name )
{
	return strlen( name ) + 1;
}

static void add_object( flat* f, const char* name )
{
	if ( f->names )
	{
		memcpy( f->names + f->object_name_bytes, name, name_bytes( name ) );
	}
	f->object_name_bytes += name_bytes( name );
	++f->object_count;
}

static const struct aiString* material_name( const flat* f, unsigned index, struct aiString* name )
{
	*name = ( struct aiString ){ .length = 0 };
	const struct aiMaterial* material = f->source->mMaterials ? f->source->mMaterials[index] : NULL;
	if ( material && f->library->get_material_string( material, AI_MATKEY_NAME, name ) != aiReturn_SUCCESS )
	{
		*name = ( struct aiString ){ .length = 0 };
	}
	return name;
}

// Materials are numbered by first use; those that no triangle has are left out.
static uint32_t material_number( flat* f, unsigned index )
{
	if ( index >= f->source->mNumMaterials )
	{
		return BVB_NO_NAME;
	}
	if ( f->numbers[index] == BVB_NO_NAME )
	{
		struct aiString name;
		f->material_name_bytes += name_bytes( material_name( f, index, &name )->data );
		f->materials[f->material_count] = index;
		f->numbers[index] = f->material_count++;
	}
	return f->numbers[index];
}

static void add_segment( flat* f, uint32_t material )
{
	bvb_segment next = { (uint32_t)f->triangles, f->object_count - 1, material, BVB_NO_NAME };
	if ( f->segment_count > 0 && f->segment.object == next.object && f->segment.material == next.material )
	{
		return;
	}
	f->segment = next;
	if ( f->segments )
	{
		f->segments[f->segment_count] = next;
	}
	++f->segment_count;
}

static bool begins_with( const char* name, const char* prefix )
{
	return strncmp( name, prefix, strlen( prefix ) ) == 0;
}

// By the readers of formats without nodes, for the root, like <DXF_ROOT> or $dummy_node, and by those of glTF
// and COLLADA for nodes without a name.
static bool is_made_up( const char* name, bool root )
{
	return !*name || ( root && ( *name == '<' || *name == '$' ) ) || begins_with( name, "nodes[" ) ||
	       begins_with( name, "$ColladaAutoName$" );
}

static const char* object_name( const flat* f, const struct aiNode* node, const struct aiMesh* mesh )
{
	const char* name = node->mName.data;
	return *mesh->mName.data && is_made_up( name, node == f->source->mRootNode ) ? mesh->mName.data : name;
}

static void write_instance( flat* f, const struct aiMesh* mesh, const flatten_piece* p, uint32_t number,
                            const flatten_visit* v )
{
	const flatten_place* where = place_of( p, v );
	write_mesh( f, mesh, where );
	if ( f->instances )
	{
		f->instances[f->instance_count] = ( bvassimp_instance ){
			.node = f->visited,
			.mesh = number,
			.first_vertex = (uint32_t)f->vertices,
			.vertex_count = mesh->mNumVertices,
			.triangles = f->corners + f->triangles,
			.triangle_count = (uint32_t)p->triangles,
			.mirrored = where->mirrored,
			.placed_by = where == &p->pose ? p->bone : BVASSIMP_NONE,
		};
	}
}

static void add_instances( flat* f, const flatten_visit* v )
{
	const struct aiNode* node = v->node;
	bool opened = false;
	for ( unsigned i = 0; i < node->mNumMeshes; ++i )
	{
		unsigned index = node->mMeshes[i];
		if ( index >= f->source->mNumMeshes )
		{
			refuse( f, "a node refers to a mesh that does not exist" );
		}
		const struct aiMesh* mesh = f->source->mMeshes[index];
		flatten_piece* p = &f->pieces[index];
		if ( !p->known )
		{
			measure( f, mesh, p );
		}
		f->points += p->points;
		f->lines += p->lines;
		if ( p->triangles == 0 )
		{
			continue;
		}

		if ( f->vertices + mesh->mNumVertices > UINT32_MAX || f->triangles + p->triangles > UINT32_MAX )
		{
			bvassimp_leave_text( f->result, bvassimp_limit, "more than 4294967295 vertices or triangles" );
		}
		if ( !opened )
		{
			add_object( f, object_name( f, node, mesh ) );
			opened = true;
		}
		add_segment( f, material_number( f, mesh->mMaterialIndex ) );
		if ( f->positions )
		{
			write_instance( f, mesh, p, index, v );
		}
		f->vertices += mesh->mNumVertices;
		f->triangles += p->triangles;
		++f->instance_count;
	}
	++f->visited;
}

static void write_scene( flat* f, char* bytes, const bvassimp_report* r )
{
	bvassimp_layout at = bvassimp_lay_out( r );
	f->positions = (bv_vec3*)( bytes + at.positions );
	f->corners = (bvb_triangle*)( bytes + at.triangles );
	f->faces = (uint32_t*)( bytes + at.faces );
	f->segments = (bvb_segment*)( bytes + at.segments );
	f->names = bytes + at.names;
	f->vertices = 0;
	f->triangles = 0;
	f->segment_count = 0;
	f->object_count = 0;
	f->object_name_bytes = 0;
	f->visited = 0;
	f->instance_count = 0;
	visit_nodes( f, add_instances );

	char* end = f->names + f->object_name_bytes;
	for ( uint32_t i = 0; i < f->material_count; ++i )
	{
		struct aiString name;
		material_name( f, f->materials[i], &name );
		memcpy( end, name.data, name_bytes( name.data ) );
		end += name_bytes( name.data );
	}
}

static void write_bytes( int result, const bvassimp_bytes* from, uint64_t offset )
{
	for ( size_t done = 0; done < from->size; )
	{
		int64_t count = bvbase_file_write_at( result, from->data + done, from->size - done, offset + done );
		if ( count < 0 && errno != EINTR )
		{
			bvassimp_leave_out_of_memory(); // all of the file is memory
		}
		done += count > 0 ? (size_t)count : 0;
	}
}

// Behind all the rest, whose size it does not change.
static void leave_animated( const flat* f, const struct aiScene* animated, const char* clip,
                            bvassimp_report* r )
{
	const bvassimp_instances all = { f->instances, f->instance_count };
	bvassimp_bytes bytes = bvassimp_animate( animated, &all, clip, &r->warnings, f->result );
	write_bytes( f->result, &bytes, bvassimp_lay_out( r ).animated );
	r->animated_bytes = bytes.size;
}

_Noreturn void bvassimp_flatten( const bvassimp_library* library, const struct aiScene* source,
                                 const struct aiScene* animated, const char* clip,
                                 const bvimport_notes* warnings, const bvassimp_watch* watch,
                                 const uint8_t input_hash[16], int result )
{
	flat f = { .library = library, .source = source, .result = result };
	f.pieces = allocate( NULL, source->mNumMeshes, sizeof *f.pieces );
	memset( f.pieces, 0, source->mNumMeshes * sizeof *f.pieces );
	f.numbers = allocate( NULL, source->mNumMaterials, sizeof *f.numbers );
	memset( f.numbers, 0xff, source->mNumMaterials * sizeof *f.numbers );
	f.materials = allocate( NULL, source->mNumMaterials, sizeof *f.materials );
	gather_joints( &f );
	visit_nodes( &f, add_instances );

	bvassimp_report r = {
		.outcome = bvassimp_scene,
		.vertex_count = (uint32_t)f.vertices,
		.triangle_count = (uint32_t)f.triangles,
		.segment_count = f.segment_count,
		.object_count = f.object_count,
		.material_count = f.material_count,
		.name_bytes = f.object_name_bytes + f.material_name_bytes,
		.points = f.points,
		.lines = f.lines,
		.warnings = *warnings,
	};
	memcpy( r.input_hash, input_hash, sizeof r.input_hash );
	if ( r.triangle_count == 0 )
	{
		bvassimp_leave( result, &r );
	}

	bvassimp_watch_measure( watch, &r.file_count, &r.file_name_bytes );
	bvassimp_layout at = bvassimp_lay_out( &r );
	size_t size = at.size;
	char* bytes = bvbase_file_resize( result, size ) ? bvbase_file_map_writable( result, size ) : NULL;
	if ( !bytes )
	{
		bvassimp_leave_out_of_memory();
	}
	f.instances = clip ? allocate( NULL, f.instance_count, sizeof *f.instances ) : NULL;
	write_scene( &f, bytes, &r );
	bvassimp_watch_write( watch, bytes + at.files, bytes + at.file_names );
	if ( clip )
	{
		leave_animated( &f, animated, clip, &r );
	}
	bvassimp_leave( result, &r );
}
