#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

/// Whose a file is that stands where one has to go.
namespace featherline::cli {

struct OutputFile;

/// All bytes of the file; empty where it cannot be read.
std::string read_whole(const std::filesystem::path& path);

bool is_manifest(const nlohmann::json& json);

/// Whether an earlier run wrote the file: it has the banner, or is a manifest or a dependency file. An empty file is
/// anybody's.
bool is_ours(const std::filesystem::path& path);

/// Throws EnvironmentError where `files` would replace somebody else's file. `force` allows that, but only for regular
/// files.
void refuse_foreign_files(const std::vector<OutputFile>& files, bool force);

}  // namespace featherline::cli
