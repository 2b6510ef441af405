// The experiment: hierarchies of all builders, splitters, volumes, degrees and measures of quality,
// evaluated by queries near contact. The levels come from the library's tables, so a new row takes part
// automatically.

#pragma once

#include "tests/bench/judge.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
	key_size = 160,
	name_size = 144,
	most_cuts = BV_MAX_DEPTH + 1,
};

/// One way to build.
typedef struct cell
{
	bvb_hierarchy_options options; ///< all of them
	char key[key_size];            ///< all options that the experiment knows, as text
} cell;

/// What is varied.
typedef struct factor
{
	const char* name; ///< as on the command line
	/// Sets the level `index`. @return its name, made in `text` if need be; null past the last
	const char* ( *set )( bvb_hierarchy_options* options, uint32_t index, char text[name_size] );
} factor;

/// The order of the factors.
typedef enum factor_index
{
	factor_builder = 0,
	factor_splitter,
	factor_volume,
	factor_degree,
	factor_quality,
	factor_aggregate,
	factor_node_box,
	factor_refit,
	factor_hit_tests,
	factor_leaf_triangles,
	factor_optimize,
	factor_collapse,
	factor_byte_price,
	factor_count,
} factor_index;

extern const factor factors[factor_count];

/// @return the factor of that name; factor_count when there is none
factor_index find_factor( const char* name );

/// Writes down what a hierarchy is built with.
void describe( const bvb_hierarchy_options* options, char key[key_size] );

/// Sets levels by name: FACTOR=LEVEL with spaces between. Of a level's name what comes before a space will do.
/// @return whether there are all of them
bool set_levels( bvb_hierarchy_options* options, const char* text );

/// Sets the key.
cell make_cell( const bvb_hierarchy_options* options );

/// What everything is compared with: the preset `balanced`.
cell base_cell( void );

/// Called with each cell of a design; some come several times.
typedef void visit_cell( void* context, const cell* each );

/// The base, and one factor at a time around it.
/// @param only  factor; factor_count for all and the presets
void walk_one( factor_index only, visit_cell* visit, void* context );

/// All builders and splitters x volumes x degrees x qualities. The rest as the base has it.
void walk_full( visit_cell* visit, void* context );

/// How a cell ended.
typedef enum ending
{
	ending_done = 0,
	ending_time,    ///< out of time
	ending_skipped, ///< not begun, because fewer triangles had taken too long
	ending_wrong,   ///< pairs of triangles are not those of the pose file
	ending_failed,  ///< did not build, or crashed
	ending_count,
} ending;

/// What is known of one cut through a hierarchy, at one level.
typedef struct cut
{
	uint32_t nodes; ///< of this level, and leaves above it
	float error;    ///< mean of their solid errors (upper bounds), relative to the mesh's diagonal
} cut;

/// One line of the table of results: a cell on a pose file.
typedef struct result
{
	char key[key_size];      ///< of the cell
	char subject[name_size]; ///< name of the pose file, with the folder's last part
	uint64_t program;        ///< hash of the program that measured it
	double limit;            ///< seconds of processor time that it might take
	ending end;              ///< the rest holds for ending_done and ending_wrong only
	uint64_t tree;           ///< hash of both trees: equal ones are queried once
	uint32_t triangles;      ///< of both meshes, or of one against itself
	uint32_t poses;          ///< queries
	uint32_t wrong;          ///< of them, how many found another number of pairs
	uint64_t volume_tests;   ///< all queries
	uint64_t triangle_tests; ///< all queries
	double cost;             ///< all queries, ns by the shipped matrix
	double query;            ///< all queries, seconds
	double build;            ///< both meshes, seconds
	uint64_t bytes;          ///< both files
	uint32_t nodes;          ///< both trees
	uint32_t depth;          ///< the deeper tree
	uint32_t cut_count;      ///< length of cuts; 0 when they were not measured, or out of time
	cut cuts[most_cuts];     ///< by level, of the first mesh's tree
} result;

/// All results of a file; grows.
typedef struct results
{
	result* lines;    ///< count of them
	uint32_t count;   ///< length of lines
	uint32_t room;    ///< allocated lines, a power of two or 0
	uint32_t* places; ///< 4 * room of them, by hash: the number of a line + 1, or 0
} results;

/// Reads a table; one that does not exist is empty. Of two lines for the same thing the later counts.
/// @param program  lines that another program measured are left out; 0 to keep all
void read_results( const char* path, uint64_t program, results* out );

/// @return the first line of this pose file with this tree that has an answer; null when there is none
const result* find_tree( const results* all, uint64_t tree, const char* subject );

/// Appends a line, to the table in memory and to the file.
void add_result( results* all, const char* path, const result* line );

/// @return null when there is none
const result* find_result( const results* all, const char* key, const char* subject );

/// What a run is to do.
typedef struct run_options
{
	const char* folder; ///< of the meshes
	const char* table;  ///< file of results
	char* const* paths; ///< pose files
	int path_count;     ///< length of paths
	bool full;          ///< the full product, else one factor at a time
	factor_index only;  ///< of these factors one; factor_count for all
	double limit;       ///< seconds of processor time for each cell, and again for the errors of its nodes
	double total;       ///< seconds of wall-clock time for all; 0 for no limit
	uint32_t most;      ///< pose files of more triangles are left out; 0 for no limit
	uint64_t program;   ///< hash of this program
} run_options;

/// Measures what the table does not have yet.
/// @return whether everything is there
bool run_experiment( const run_options* options, results* all );

/// Writes the tables of both designs as Markdown.
void print_tables( const results* all );

/// Writes the table of one factor.
void print_one_factor( const results* all, factor_index only );

#ifdef __cplusplus
}
#endif
