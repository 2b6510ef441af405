// Assimp in a forked child: its crashes, endless loops and appetite for memory end there. See assimp.h.
//
// The child applies its limits to itself, imports, flattens the scene and leaves the mesh in an anonymous
// file. The parent waits as long as it may, and believes nothing of what it finds there. No code of Assimp
// runs in the parent.

#include "formats/assimp/assimp.h"

#include "base/offline/clock.h"
#include "base/offline/error.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
	// As for OBJ: ear clipping takes the square of it.
	corner_limit = 16384,

	exit_reported = 0,
	exit_out_of_memory = 2,
	exit_unable = 3,
};

typedef enum outcome
{
	outcome_none,
	outcome_mesh,
	outcome_unknown_extension,
	outcome_refused,
	outcome_limit,
} outcome;

// What the child leaves: this, then the positions, then the triangles.
typedef struct report
{
	uint32_t outcome;
	uint32_t vertex_count;
	uint32_t triangle_count;
	uint64_t points;
	uint64_t lines;
	char text[256];
} report;

enum
{
	// Keeps the positions aligned.
	header_bytes = 512,
};

_Static_assert( sizeof( report ) <= header_bytes, "the header has room for the report" );

// The child's side.

_Noreturn static void leave( int result, const report* r )
{
	const char* bytes = (const char*)r;
	for ( size_t done = 0; done < sizeof *r; )
	{
		ssize_t count = pwrite( result, bytes + done, sizeof *r - done, (off_t)done );
		if ( count < 0 && errno != EINTR )
		{
			_exit( errno == ENOSPC || errno == ENOMEM ? exit_out_of_memory : exit_unable );
		}
		done += count > 0 ? (size_t)count : 0;
	}

	// Neither the parent's exit handlers nor Assimp's destructors are to run.
	_exit( exit_reported );
}

_Noreturn static void leave_with_text( int result, outcome what, const char* text )
{
	report r = { .outcome = what };
	snprintf( r.text, sizeof r.text, "%s", text );
	for ( size_t length = strlen( r.text ); length > 0 && (unsigned char)r.text[length - 1] <= ' '; )
	{
		r.text[--length] = 0;
	}
	leave( result, &r );
}

static void out_of_memory( void )
{
	_exit( exit_out_of_memory );
}

static void* allocate_or_leave( void* old, size_t count, size_t size )
{
	void* memory = reallocarray( old, count, size );
	if ( !memory )
	{
		out_of_memory();
	}
	return memory;
}

static void lower_limit( __rlimit_resource_t which, rlim_t soft, rlim_t hard )
{
	struct rlimit limit;
	if ( getrlimit( which, &limit ) == 0 )
	{
		limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
		limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
		setrlimit( which, &limit );
	}
}

bool bvb_assimp_limits_memory( void )
{
#if defined( __SANITIZE_ADDRESS__ )
	return false;
#elif defined( __has_feature )
#if __has_feature( address_sanitizer )
	return false;
#else
	return true;
#endif
#else
	return true;
#endif
}

static void limit_memory( uint64_t bytes )
{
	if ( !bvb_assimp_limits_memory() )
	{
		return;
	}
	unsigned long long pages = 0;
	FILE* file = fopen( "/proc/self/statm", "re" );
	if ( file )
	{
		if ( fscanf( file, "%llu", &pages ) != 1 )
		{
			pages = 0;
		}
		fclose( file );
	}
	uint64_t mapped = pages * (uint64_t)sysconf( _SC_PAGESIZE );
	if ( bytes < RLIM_INFINITY - mapped )
	{
		lower_limit( RLIMIT_AS, mapped + bytes, mapped + bytes );
	}
}

// Whatever operator new cannot get ends the child: an importer that goes on without it may do anything. The
// function is looked up because its name is C++.
static void report_memory_failures( void )
{
	void ( *( *set_new_handler )( void ( *handler )( void ) ) )( void );
	void* symbol = dlsym( RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE" );
	if ( symbol )
	{
		memcpy( &set_new_handler, &symbol, sizeof symbol );
		set_new_handler( out_of_memory );
	}
}

// Other threads' files and pipes stay open as long as any process holds them, so the child keeps only its own
// two.
static int keep_only( int result, int alive )
{
	int first = fcntl( result, F_DUPFD_CLOEXEC, 3 );
	int second = fcntl( alive, F_DUPFD_CLOEXEC, 3 );
	int quiet = open( "/dev/null", O_RDWR );
	if ( first < 0 || second < 0 || quiet < 0 )
	{
		_exit( exit_unable );
	}
	for ( int i = 0; i < 3; ++i )
	{
		dup2( quiet, i );
	}
	unsigned low = (unsigned)( first < second ? first : second );
	unsigned high = (unsigned)( first < second ? second : first );
	if ( low > 3 )
	{
		close_range( 3, low - 1, 0 );
	}
	if ( high > low + 1 )
	{
		close_range( low + 1, high - 1, 0 );
	}
	close_range( high + 1, ~0u, 0 );
	return first;
}

// Called with all signals blocked, so that no handler of the parent runs in the child.
static void isolate( const bvb_import_options* options, pid_t parent )
{
	for ( int i = 1; i < NSIG; ++i )
	{
		signal( i, SIG_DFL );
	}
	sigset_t none;
	sigemptyset( &none );
	sigprocmask( SIG_SETMASK, &none, NULL );

	prctl( PR_SET_PDEATHSIG, SIGKILL );
	if ( getppid() != parent )
	{
		_exit( exit_unable );
	}

	rlim_t seconds = (rlim_t)ceil( fmin( options->timeout, 1e9 ) );
	lower_limit( RLIMIT_CPU, seconds, seconds + 1 );
	lower_limit( RLIMIT_CORE, 0, 0 );
	limit_memory( options->memory_bytes );
	report_memory_failures();

	// A core pattern that is a pipe ignores the limit.
	prctl( PR_SET_DUMPABLE, 0 );
}

// Mesh to world. `mirrored` is kept apart from the matrix, whose determinant may underflow.
typedef struct instance
{
	const struct aiNode* node;
	double matrix[3][4];
	bool mirrored;
} instance;

static instance child_instance( const instance* parent, const struct aiNode* node )
{
	const struct aiMatrix4x4* t = &node->mTransformation;
	const double local[3][4] = { { t->a1, t->a2, t->a3, t->a4 },
		                         { t->b1, t->b2, t->b3, t->b4 },
		                         { t->c1, t->c2, t->c3, t->c4 } };
	instance child = { .node = node };
	for ( int i = 0; i < 3; ++i )
	{
		const double* row = parent->matrix[i];
		for ( int j = 0; j < 4; ++j )
		{
			child.matrix[i][j] = row[0] * local[0][j] + row[1] * local[1][j] + row[2] * local[2][j];
		}
		child.matrix[i][3] += row[3];
	}
	double determinant = local[0][0] * ( local[1][1] * local[2][2] - local[1][2] * local[2][1] ) -
	                     local[0][1] * ( local[1][0] * local[2][2] - local[1][2] * local[2][0] ) +
	                     local[0][2] * ( local[1][0] * local[2][1] - local[1][1] * local[2][0] );
	child.mirrored = parent->mirrored != ( determinant < 0 );
	return child;
}

typedef struct scene
{
	const struct aiScene* source;
	int result;
	uint64_t vertices;
	uint64_t triangles;
	uint64_t points;
	uint64_t lines;

	bv_vec3* positions;    // null while counting
	bvb_triangle* corners; // null while counting
} scene;

static void count_mesh( scene* s, const struct aiMesh* mesh )
{
	s->points += mesh->mNumFaces == 0 ? mesh->mNumVertices : 0;
	for ( unsigned i = 0; i < mesh->mNumFaces; ++i )
	{
		const struct aiFace* face = &mesh->mFaces[i];
		for ( unsigned k = 0; k < face->mNumIndices; ++k )
		{
			if ( face->mIndices[k] >= mesh->mNumVertices )
			{
				leave_with_text( s->result, outcome_refused, "a face refers to a vertex that is not there" );
			}
		}
		if ( face->mNumIndices > corner_limit )
		{
			leave_with_text( s->result, outcome_limit, "a face of more than 16384 corners" );
		}
		s->points += face->mNumIndices == 1;
		s->lines += face->mNumIndices == 2;
		s->triangles += face->mNumIndices > 2 ? face->mNumIndices - 2 : 0;
	}
	s->vertices += mesh->mNumVertices;
	if ( s->vertices > UINT32_MAX || s->triangles > UINT32_MAX )
	{
		leave_with_text( s->result, outcome_limit, "more than 4294967295 vertices or triangles" );
	}
}

// Most instances. A zero times an infinite coordinate would spoil the others.
static bool is_identity( const instance* where )
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

static void copy_positions( const struct aiMesh* mesh, const instance* where, bv_vec3* out )
{
	const double( *m )[4] = where->matrix;
	bool unmoved = is_identity( where );
	for ( unsigned i = 0; i < mesh->mNumVertices; ++i )
	{
		bv_vec3 x = { mesh->mVertices[i].x, mesh->mVertices[i].y, mesh->mVertices[i].z };
		out[i] = unmoved ? x
		                 : ( bv_vec3 ){ m[0][0] * x.x + m[0][1] * x.y + m[0][2] * x.z + m[0][3],
			                            m[1][0] * x.x + m[1][1] * x.y + m[1][2] * x.z + m[1][3],
			                            m[2][0] * x.x + m[2][1] * x.y + m[2][2] * x.z + m[2][3] };
	}
}

static void copy_mesh( scene* s, const struct aiMesh* mesh, const instance* where )
{
	copy_positions( mesh, where, s->positions + s->vertices );
	uint32_t base = (uint32_t)s->vertices;
	uint32_t corner[corner_limit];
	uint32_t scratch[2 * corner_limit];
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
		bvb_triangle* triangle = s->corners + s->triangles;
		bvb_triangulate( s->positions, corner, count, scratch, triangle );
		for ( uint32_t k = 0; k < count - 2 && where->mirrored; ++k )
		{
			uint32_t second = triangle[k].corner[1];
			triangle[k].corner[1] = triangle[k].corner[2];
			triangle[k].corner[2] = second;
		}
		s->triangles += count - 2;
	}
	s->vertices += mesh->mNumVertices;
}

// Parents before children, children in order. The stack is on the heap: a file decides how deep the tree is.
static void visit_instances( scene* s )
{
	size_t capacity = 64;
	instance* stack = allocate_or_leave( NULL, capacity, sizeof *stack );
	size_t depth = 0;
	const instance world = { .matrix = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
	if ( s->source->mRootNode )
	{
		stack[depth++] = child_instance( &world, s->source->mRootNode );
	}
	while ( depth > 0 )
	{
		instance current = stack[--depth];
		const struct aiNode* node = current.node;
		for ( unsigned i = 0; i < node->mNumMeshes; ++i )
		{
			if ( node->mMeshes[i] >= s->source->mNumMeshes )
			{
				leave_with_text( s->result, outcome_refused, "a node refers to a mesh that is not there" );
			}
			const struct aiMesh* mesh = s->source->mMeshes[node->mMeshes[i]];
			if ( s->positions )
			{
				copy_mesh( s, mesh, &current );
			}
			else
			{
				count_mesh( s, mesh );
			}
		}

		size_t needed = depth + node->mNumChildren;
		if ( needed > capacity )
		{
			capacity = 2 * needed;
			stack = allocate_or_leave( stack, capacity, sizeof *stack );
		}
		for ( unsigned i = node->mNumChildren; i-- > 0; )
		{
			stack[depth++] = child_instance( &current, node->mChildren[i] );
		}
	}
	free( stack );
}

_Noreturn static void deliver_scene( const struct aiScene* source, int result )
{
	scene s = { .source = source, .result = result };
	visit_instances( &s );
	report r = {
		.outcome = outcome_mesh,
		.vertex_count = (uint32_t)s.vertices,
		.triangle_count = (uint32_t)s.triangles,
		.points = s.points,
		.lines = s.lines,
	};
	if ( r.triangle_count == 0 )
	{
		leave( result, &r );
	}

	size_t size = header_bytes + s.vertices * sizeof( bv_vec3 ) + s.triangles * sizeof( bvb_triangle );
	char* bytes = MAP_FAILED;
	if ( ftruncate( result, (off_t)size ) == 0 )
	{
		bytes = mmap( NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, result, 0 );
	}
	if ( bytes == MAP_FAILED )
	{
		out_of_memory();
	}
	s.positions = (bv_vec3*)( bytes + header_bytes );
	s.corners = (bvb_triangle*)( s.positions + r.vertex_count );
	s.vertices = 0;
	s.triangles = 0;
	visit_instances( &s );
	leave( result, &r );
}

_Noreturn static void import_in_child( const char* path, const char* extension, int result )
{
	char dotted[64];
	int length = snprintf( dotted, sizeof dotted, ".%s", extension );
	if ( length >= (int)sizeof dotted || !aiIsExtensionSupported( dotted ) )
	{
		leave_with_text( result, outcome_unknown_extension, "" );
	}
	const struct aiScene* imported = aiImportFile( path, aiProcess_ValidateDataStructure );

	// A point cloud, an empty solid, or nothing at all, makes the validation refuse the whole file. What else
	// it finds is found again when instances are counted.
	const char* text = aiGetErrorString();
	if ( !imported && ( strstr( text, "contains no faces" ) || strstr( text, "contains no vertices" ) ||
	                    strstr( text, "mNumMeshes is 0" ) ) )
	{
		imported = aiImportFile( path, 0 );
	}
	if ( !imported )
	{
		text = aiGetErrorString();
		if ( strstr( text, "bad_alloc" ) )
		{
			out_of_memory();
		}
		leave_with_text( result, outcome_refused, *text ? text : "it gives no reason" );
	}
	deliver_scene( imported, result );
}

// The parent's side.

typedef struct child
{
	pid_t pid;
	int result; // anonymous file
	int alive;  // reads end-of-file when the child is gone
} child;

static bv_status start( const char* path, const char* extension, const bvb_import_options* options,
                        child* out, bvb_error* error )
{
	int ends[2] = { -1, -1 };
	*out = ( child ){ .pid = -1, .result = memfd_create( "bvbuild-import", MFD_CLOEXEC ) };
	if ( out->result >= 0 && pipe2( ends, O_CLOEXEC ) == 0 )
	{
		pid_t parent = getpid();
		sigset_t all;
		sigset_t before;
		sigfillset( &all );
		pthread_sigmask( SIG_SETMASK, &all, &before );
		out->pid = fork();
		if ( out->pid == 0 )
		{
			int result = keep_only( out->result, ends[1] );
			isolate( options, parent );
			import_in_child( path, extension, result );
		}
		int reason = errno;
		pthread_sigmask( SIG_SETMASK, &before, NULL );
		errno = reason;
	}
	int reason = errno;
	if ( ends[1] >= 0 )
	{
		close( ends[1] );
	}
	out->alive = ends[0];
	if ( out->pid > 0 )
	{
		return bv_ok;
	}
	if ( ends[0] >= 0 )
	{
		close( ends[0] );
	}
	if ( out->result >= 0 )
	{
		close( out->result );
	}
	return bvb_fail( error, bv_error_memory, "%s: cannot start the importer: %s", path, strerror( reason ) );
}

static void kill_and_reap( pid_t pid )
{
	kill( pid, SIGKILL );
	while ( waitpid( pid, NULL, 0 ) < 0 && errno == EINTR )
	{
	}
}

typedef enum ending
{
	ending_known,
	ending_unknown, // somebody else reaped the child
	ending_timeout,
} ending;

static ending wait_for( const child* c, double timeout, int* status )
{
	double deadline = bvb_clock() + timeout;
	struct pollfd alive = { .fd = c->alive, .events = POLLIN };
	for ( ;; )
	{
		pid_t pid = waitpid( c->pid, status, WNOHANG );
		if ( pid == c->pid )
		{
			return ending_known;
		}
		if ( pid < 0 && errno != EINTR )
		{
			return ending_unknown;
		}
		double left = deadline - bvb_clock();
		if ( !( left > 0 ) )
		{
			kill_and_reap( c->pid );
			return ending_timeout;
		}

		// Its end of the pipe closes a moment before the child can be reaped.
		int milliseconds = alive.fd < 0 ? 1 : (int)fmin( ceil( 1e3 * left ), 1e6 );
		if ( poll( &alive, 1, milliseconds ) > 0 )
		{
			alive.fd = -1;
		}
	}
}

static bool read_bytes( int file, void* bytes, size_t size, size_t offset )
{
	char* to = bytes;
	while ( size > 0 )
	{
		ssize_t count = pread( file, to, size, (off_t)offset );
		if ( count == 0 || ( count < 0 && errno != EINTR ) )
		{
			return false;
		}
		size_t done = count > 0 ? (size_t)count : 0;
		to += done;
		size -= done;
		offset += done;
	}
	return true;
}

static bool triangles_are_valid( const bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* corner = mesh->triangles[i].corner;
		if ( corner[0] >= mesh->vertex_count || corner[1] >= mesh->vertex_count ||
		     corner[2] >= mesh->vertex_count )
		{
			return false;
		}
	}
	return true;
}

static bv_status fetch_mesh( const char* path, int result, const report* r, bvb_arena* arena, bvb_import* out,
                             bvb_error* error )
{
	bvb_mesh mesh = { .vertex_count = r->vertex_count, .triangle_count = r->triangle_count };
	size_t position_bytes = mesh.vertex_count * sizeof( bv_vec3 );
	size_t triangle_bytes = mesh.triangle_count * sizeof( bvb_triangle );

	// Before memory for them is asked for: the counts may be nonsense.
	struct stat info;
	bool whole = fstat( result, &info ) == 0 && info.st_size >= 0 &&
	             (uint64_t)info.st_size == header_bytes + position_bytes + triangle_bytes;
	if ( whole )
	{
		mesh.positions = bvb_arena_allocate( arena, mesh.vertex_count, sizeof( bv_vec3 ) );
		mesh.triangles = bvb_arena_allocate( arena, mesh.triangle_count, sizeof( bvb_triangle ) );
		if ( !mesh.positions || !mesh.triangles )
		{
			return bvb_fail_memory( error );
		}
		whole = read_bytes( result, mesh.positions, position_bytes, header_bytes ) &&
		        read_bytes( result, mesh.triangles, triangle_bytes, header_bytes + position_bytes ) &&
		        triangles_are_valid( &mesh );
	}
	if ( !whole )
	{
		return bvb_fail( error, bv_error_input, "%s: the importer crashed (its result is damaged)", path );
	}
	out->scene.mesh = mesh;
	out->points = r->points;
	out->lines = r->lines;
	return bv_ok;
}

static bv_status take_report( const char* path, const char* extension, int result, bvb_arena* arena,
                              bvb_import* out, bvb_error* error )
{
	report r = { .outcome = outcome_none };
	if ( !read_bytes( result, &r, sizeof r, 0 ) )
	{
		r.outcome = outcome_none;
	}
	r.text[sizeof r.text - 1] = 0;

	switch ( r.outcome )
	{
	case outcome_unknown_extension:
		return bvb_fail( error, bv_error_unsupported, "%s: no reader for .%s files", path, extension );
	case outcome_refused:
		return bvb_fail( error, bv_error_input, "%s: the importer refused it: %s", path, r.text );
	case outcome_limit: return bvb_fail( error, bv_error_limit, "%s: %s", path, r.text );
	case outcome_mesh: break;
	default: return bvb_fail( error, bv_error_input, "%s: the importer crashed (no result)", path );
	}
	if ( r.triangle_count > 0 )
	{
		return fetch_mesh( path, result, &r, arena, out, error );
	}
	if ( r.points || r.lines )
	{
		return bvb_fail( error, bv_error_input, "%s: no triangles (%llu points, %llu lines)", path,
		                 (unsigned long long)r.points, (unsigned long long)r.lines );
	}
	return bvb_fail( error, bv_error_input, "%s: no triangles", path );
}

static bv_status fail_timeout( const char* path, double timeout, bvb_error* error )
{
	return bvb_fail( error, bv_error_input, "%s: the importer exceeded %g s (raise it with --import-timeout)",
	                 path, timeout );
}

bv_status bvb_read_assimp( const char* path, const char* extension, const bvb_import_options* options,
                           bvb_arena* arena, bvb_import* out, bvb_error* error )
{
	child c;
	bv_status status = start( path, extension, options, &c, error );
	if ( status != bv_ok )
	{
		return status;
	}
	int how = 0;
	ending end = wait_for( &c, options->timeout, &how );
	close( c.alive );

	if ( end == ending_timeout ||
	     ( end == ending_known && WIFSIGNALED( how ) && WTERMSIG( how ) == SIGXCPU ) )
	{
		status = fail_timeout( path, options->timeout, error );
	}
	else if ( end == ending_unknown || ( WIFEXITED( how ) && WEXITSTATUS( how ) == exit_reported ) )
	{
		status = take_report( path, extension, c.result, arena, out, error );
	}
	else if ( WIFSIGNALED( how ) )
	{
		status =
			bvb_fail( error, bv_error_input, "%s: the importer crashed (signal %d)", path, WTERMSIG( how ) );
	}
	else if ( WEXITSTATUS( how ) == exit_out_of_memory )
	{
		status = bvb_fail( error, bv_error_input, "%s: the importer ran out of memory (limit %g MiB)", path,
		                   (double)options->memory_bytes / 1048576 );
	}
	else
	{
		status = bvb_fail( error, bv_error_input, "%s: the importer crashed (exit status %d)", path,
		                   WEXITSTATUS( how ) );
	}
	close( c.result );
	return status;
}
