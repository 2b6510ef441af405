# Meshes to .bvh files while a project is built, each by a command of its own, so that they are made beside each other and only
# where something has changed: the mesh, a file that it names, the options, the configuration or bvbuild itself.
#
#   bvbuild_add_collision(TARGET NAME INPUTS FILE...
#     [OUTPUT_DIRECTORY FOLDER]  where the files go; relative to CMAKE_CURRENT_BINARY_DIR, and that itself by default
#     [ROOT FOLDER]              files keep their inputs' paths relative to it; otherwise all are put side by side
#     [CONFIG FILE.json]         settings by pattern, for bvbuild --config
#     [OPTIONS OPTION...]        more of bvbuild's options, for all of the inputs
#     [OUTPUT_VARIABLE VARIABLE] is set to the list of files, with whole paths
#   )
#
# INPUTS, ROOT and CONFIG are relative to CMAKE_CURRENT_SOURCE_DIR. Where NAME is no target yet it becomes one, which is part of
# `all`; where it is a library or a program the files are made before that. The property BVBUILD_OUTPUTS of the target NAME has
# all files that were added to it. Each command has one thread, since commands run beside each other, unless OPTIONS have
# --threads; results do not depend on it.
#
#   find_package(bvbuild 0.1 REQUIRED COMPONENTS bv tools)
#   add_executable(game game.c)
#   target_link_libraries(game PRIVATE bvbuild::bv)
#   bvbuild_add_collision(TARGET game INPUTS rock.obj gate.glb OUTPUT_DIRECTORY collision OPTIONS --decompose=2%)

# Paths in files of dependencies are understood by all generators.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

function(bvbuild_add_collision)
	cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;OUTPUT_DIRECTORY;ROOT;CONFIG;OUTPUT_VARIABLE" "INPUTS;OPTIONS")
	if(arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "bvbuild_add_collision: unknown argument ${arg_UNPARSED_ARGUMENTS}")
	elseif(NOT arg_TARGET OR NOT arg_INPUTS)
		message(FATAL_ERROR "bvbuild_add_collision: TARGET and INPUTS are needed")
	elseif(NOT TARGET bvbuild::build)
		message(FATAL_ERROR "bvbuild_add_collision: the program bvbuild is not installed beside the CMake package")
	endif()
	get_filename_component(folder "${arg_OUTPUT_DIRECTORY}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
	if(arg_ROOT)
		get_filename_component(root "${arg_ROOT}" ABSOLUTE)
	endif()

	set(shared_options --quiet --threads 1)
	set(config "")
	if(arg_CONFIG)
		get_filename_component(config "${arg_CONFIG}" ABSOLUTE)
		list(APPEND shared_options --config "${config}")
	endif()

	# Ninja looks at times again after a command, so that what is up to date may keep its own. Make does not.
	if(CMAKE_GENERATOR MATCHES "Ninja")
		list(APPEND shared_options --no-touch)
	endif()

	set(outputs "")
	foreach(input IN LISTS arg_INPUTS)
		get_filename_component(source "${input}" ABSOLUTE)
		get_filename_component(name "${source}" NAME_WLE)
		set(output "${folder}/${name}.bvh")
		if(arg_ROOT)
			file(RELATIVE_PATH below "${root}" "${source}")
			if(below MATCHES "^\\.\\./" OR IS_ABSOLUTE "${below}")
				message(FATAL_ERROR "bvbuild_add_collision: ${input} is not below ${arg_ROOT}")
			endif()
			get_filename_component(between "${below}" DIRECTORY)
			get_filename_component(output "${folder}/${between}/${name}.bvh" ABSOLUTE)
		endif()
		if(output IN_LIST outputs)
			message(FATAL_ERROR "bvbuild_add_collision: ${input} and another input would both become ${output} (ROOT keeps them apart)")
		endif()
		list(APPEND outputs "${output}")

		get_filename_component(output_folder "${output}" DIRECTORY)
		file(MAKE_DIRECTORY "${output_folder}")
		file(RELATIVE_PATH shown "${CMAKE_CURRENT_BINARY_DIR}" "${output}")
		add_custom_command(
			OUTPUT "${output}"
			COMMAND bvbuild::build ${shared_options} ${arg_OPTIONS} --depfile "${output}.d" -o "${output}" -- "${source}"
			DEPENDS "${source}" ${config} bvbuild::build
			DEPFILE "${output}.d"
			COMMENT "Building collision data ${shown}"
			VERBATIM)
	endforeach()

	# A target's files are made by one target of ours for each call.
	get_property(calls GLOBAL PROPERTY _bvbuild_calls)
	math(EXPR calls "${calls} + 1")
	set_property(GLOBAL PROPERTY _bvbuild_calls ${calls})
	if(TARGET "${arg_TARGET}")
		add_custom_target(${arg_TARGET}_collision_${calls} DEPENDS ${outputs})
		add_dependencies(${arg_TARGET} ${arg_TARGET}_collision_${calls})
	else()
		add_custom_target(${arg_TARGET} ALL DEPENDS ${outputs})
	endif()
	set_property(TARGET ${arg_TARGET} APPEND PROPERTY BVBUILD_OUTPUTS ${outputs})
	if(arg_OUTPUT_VARIABLE)
		set(${arg_OUTPUT_VARIABLE} "${outputs}" PARENT_SCOPE)
	endif()
endfunction()

cmake_policy(POP)
