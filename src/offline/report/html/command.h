// Commands that follow the advice of findings.

#pragma once

#include "offline/report/html/html.h"

/// Adds the command that follows the advice of a finding, with a button that copies it: the build of this file, with
/// the options that the advice names. Where the source has to change, the command builds again and checks that.
/// @param finding  an item of `findings` of the JSON report, with advice
void bvhtml_put_command( const bvhtml_page* page, const cJSON* finding );
