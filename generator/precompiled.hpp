// What most sources of the generator include of the library and of other projects, compiled once: parsing it took two
// thirds of the build. Nothing of the generator's own is here, so that a layer sees what its own includes and links
// say. Every source still includes what it uses; the debug preset compiles without this file and finds out.
// <filesystem> stays out: it brings std::quoted, which is found beside the generator's own.
#include <fmt/format.h>
#include <Eigen/Core>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
