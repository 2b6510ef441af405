// What the library is made of, as a table. See bvbuild/features.h.

#include "bvbuild/features.h"

#include "formats/assimp/library.h"
#include "formats/gltf/draco.h"
#include "formats/gltf/meshopt.h"
#include "runtime/file/view.h"
#include "runtime/tree/lanes.h"

#include <cjson/cJSON.h>
#include <expat.h>
#include <libqhull_r/qhull_ra.h>
#include <omp.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

const char* bvb_version( void )
{
	return BV_VERSION;
}

static void tell_formats( char* text, size_t size )
{
	uint32_t newest = bvfile_minor_of_offset; // of a version that only some sections have
	for ( uint32_t i = 0; i < bvfile_section_count; ++i )
	{
		uint32_t minor = bvfile_rule_of( (bvfile_section)i )->minor;
		newest = minor > newest ? minor : newest;
	}
	snprintf( text, size, ".bvh %d.0 to %d.%u, reports bvbuild-report/1", BVFILE_VERSION_MAJOR,
	          BVFILE_VERSION_MAJOR, newest );
}

static void tell_assimp( char* text, size_t size )
{
	bvassimp_library library;
	if ( bvassimp_load( &library ) )
	{
		snprintf( text, size, "%u.%u.%u", library.get_version_major(), library.get_version_minor(),
		          library.get_version_patch() );
	}
	else
	{
		snprintf( text, size, "cannot be loaded" );
	}
}

// "qhull_r 8.0.2 (2020.2.r 2020/08/31)"
static void tell_qhull( char* text, size_t size )
{
	const char* number = strchr( qh_version2, ' ' );
	snprintf( text, size, "%s", number ? number + 1 : qh_version2 );
}

static void tell_cjson( char* text, size_t size )
{
	snprintf( text, size, "%s", cJSON_Version() );
}

static void tell_meshopt( char* text, size_t size )
{
	snprintf( text, size, "%s", bvgltf_meshopt_version() );
}

static void tell_draco( char* text, size_t size )
{
	snprintf( text, size, "%s", bvgltf_draco_version() );
}

// "expat_2.5.0"
static void tell_expat( char* text, size_t size )
{
	const char* number = strchr( XML_ExpatVersion(), '_' );
	snprintf( text, size, "%s", number ? number + 1 : XML_ExpatVersion() );
}

static void tell_png( char* text, size_t size )
{
	snprintf( text, size, "%s", png_get_libpng_ver( NULL ) );
}

static void tell_zlib( char* text, size_t size )
{
	snprintf( text, size, "%s", zlibVersion() );
}

static void tell_openmp( char* text, size_t size )
{
	snprintf( text, size, "%d, %d threads by default", _OPENMP, omp_get_max_threads() );
}

static void tell_simd( char* text, size_t size )
{
	snprintf( text, size, "%s", bvtree_lanes_best()->name );
}

static void tell_compiler( char* text, size_t size )
{
#if defined( __clang__ )
	snprintf( text, size, "%s", __VERSION__ );
#else
	snprintf( text, size, "gcc %s", __VERSION__ );
#endif
}

static const struct
{
	const char* name;
	void ( *tell )( char* text, size_t size );
} features[] = {
	{ "formats", tell_formats }, { "Assimp", tell_assimp },   { "qhull", tell_qhull },
	{ "cJSON", tell_cjson },     { "expat", tell_expat },     { "libpng", tell_png },
	{ "zlib", tell_zlib },       { "meshopt", tell_meshopt }, { "Draco", tell_draco },
	{ "OpenMP", tell_openmp },   { "SIMD", tell_simd },       { "compiler", tell_compiler },
};

bool bvb_get_feature( uint32_t index, bvb_feature* out )
{
	if ( index >= sizeof features / sizeof *features )
	{
		return false;
	}
	out->name = features[index].name;
	features[index].tell( out->value, sizeof out->value );
	return true;
}
