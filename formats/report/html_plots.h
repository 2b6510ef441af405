// Plots of the HTML report as inline SVG.

#pragma once

#include "formats/report/html.h"
