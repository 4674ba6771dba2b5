#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "toy_robot.hpp"

#include "cost/estimate.hpp"
#include "support/diagnostic.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

using namespace featherline;

namespace {

const emit::File& find(const std::vector<emit::File>& files, const std::string& name) {
  for (const emit::File& file : files) {
    if (file.relative_name == name) return file;
  }
  FAIL("no file " << name);
  return files.front();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("the files are those that are promised") {
  const toy::Trees trees = toy::trees();
  std::vector<std::string> names;
  for (const emit::File& file : emit::emit(toy::request(trees, "arm")).files)
    names.push_back(file.relative_name);
  CHECK(names == std::vector<std::string>{
                     "arm.hpp", "arm.ipp", "arm.json", "arm_eigen.hpp", "arm_toy_dynamics.ipp",
                     "arm_toy_dynamics.cpp", "arm_toy_dynamics_packed.ipp", "arm_toy_dynamics_packed.cpp",
                     "arm_toy_dynamics_packed_index.hpp", "arm_toy_constants.ipp", "arm_toy_constants.cpp",
                     "arm_forward_kinematics.ipp", "arm_forward_kinematics.cpp", "arm_pose_steps.ipp",
                     "arm_frame_jacobian.ipp", "arm_frame_jacobian.cpp"});
}

TEST_CASE(
    "sources of long functions tell the compiler before the first header, unless four lanes make it "
    "needless") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "arm");
  ir::Kernel& kernel = request.functions.front().kernel;
  const auto says_so = [&] {
    return contains(find(emit::emit(request).files, "arm_toy_dynamics.cpp").content,
                    "\n#define FEATHERLINE_LONG_CODE\n#include <featherline/in_order.hpp>\n");
  };
  CHECK(!says_so());
  for (ir::Step& step : kernel.steps) {
    if (auto* line = std::get_if<ir::StraightLine>(&step))
      line->statements.resize(700, line->statements.front());
  }
  CHECK(says_so());
  request.options.shards = 1;
  CHECK(contains(find(emit::emit(request).files, "arm_1.cpp").content, "#define FEATHERLINE_LONG_CODE\n"));
  request.options.shards = 0;
  ir::lane_numbers(kernel.graph, {1.0, 2.0, 3.0, 4.0});
  CHECK(!says_so());
}

TEST_CASE("the C interface is two files more, and no system header is hidden by one") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "arm");
  const std::size_t without = emit::emit(request).files.size();
  request.options.bindings.push_back("c-api");
  const std::vector<emit::File> files = emit::emit(request).files;
  CHECK(files.size() == without + 2);
  const std::string header = find(files, "arm.h").content;
  CHECK(contains(header, "  arm_LINK_class_link_2 = 7\n"));
  CHECK(
      contains(header, "void arm_toy_dynamics_float(const float* q, const float* v, float* tau, float* M);"));
  CHECK(contains(header, "  arm_toy_dynamics_packed_M_entries = 2,\n  arm_toy_dynamics_packed_M_size = 2\n"));
  CHECK(contains(header, "int arm_frame_jacobian(const double* q, int link, double* J, int frame);"));
  CHECK(contains(find(files, "arm_toy_dynamics.cpp").content, "::arm::toy_dynamics<float>(q, v, tau, M);"));
  CHECK(contains(find(files, "arm_c.cpp").content, "int arm_get_num_links(void) { return 8; }"));
  CHECK(nlohmann::json::parse(find(files, "arm.json").content)["c_interface"]["files"] ==
        nlohmann::json{"arm.h", "arm_c.cpp"});
  CHECK(emit::hides_system_header("math"));
  CHECK_FALSE(emit::hides_system_header("arm"));
}

TEST_CASE("pose steps are emitted only for kinematics") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "arm");
  request.functions.resize(1);
  for (const emit::File& file : emit::emit(request).files)
    CHECK_FALSE(contains(file.relative_name, "pose_steps"));
}

TEST_CASE(
    "one function more changes no source of another, another input with the same robot only the manifest") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "arm");
  request.options.bindings = {"c-api", "batch"};
  const std::vector<emit::File> all = emit::emit(request).files;
  const LoweredFunction removed = request.functions.at(2);
  request.functions.erase(request.functions.begin() + 2);
  const std::set<std::string> lists{"arm.hpp", "arm.ipp", "arm_eigen.hpp", "arm.h", "arm.json"};
  for (const emit::File& file : emit::emit(request).files) {
    INFO(file.relative_name);
    CHECK((file.content != find(all, file.relative_name).content) == (lists.count(file.relative_name) == 1));
  }
  request.functions.insert(request.functions.begin() + 2, removed);
  request.model_sha256 = "4567";
  for (const emit::File& file : emit::emit(request).files) {
    INFO(file.relative_name);
    CHECK((file.content != find(all, file.relative_name).content) == (file.relative_name == "arm.json"));
  }
}

TEST_CASE("a source includes nothing that changes with other functions") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "arm");
  request.options.bindings = {"c-api", "batch"};
  const std::set<std::string> lists{"arm.ipp", "arm_eigen.hpp"};
  for (const emit::File& file : emit::emit(request).files) {
    INFO(file.relative_name);
    CHECK(contains(file.content, "#include \"arm.hpp\"") == (lists.count(file.relative_name) == 1));
    CHECK_FALSE(contains(file.content, "#include \"arm.h\""));
  }
}

TEST_CASE("shards: names do not depend on the functions, and one function more changes files of one number") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "arm");
  request.options.bindings = {"c-api", "batch"};
  request.options.shards = 4;
  const std::vector<emit::File> all = emit::emit(request).files;
  for (const char* name : {"arm_1.cpp", "arm_1.ipp", "arm_1_index.hpp", "arm_batch_4.ipp", "arm_batch_4.cpp",
                           "arm_batch_4_avx2.cpp", "arm_batch_4_avx512.cpp", "arm_pose_steps.ipp"})
    find(all, name);
  CHECK(all.size() == 7 + 4 * 7);

  const std::string number = emit::file_label(request, request.functions.back());
  const auto of_manifest = nlohmann::json::parse(find(all, "arm.json").content)["functions"];
  CHECK(contains(of_manifest["frame_jacobian"]["files"].dump(), "\"arm_" + number + ".cpp\""));
  request.functions.pop_back();
  const std::vector<emit::File> fewer = emit::emit(request).files;
  REQUIRE(fewer.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i].relative_name;
    INFO(name);
    CHECK(fewer[i].relative_name == name);
    const bool is_shard = name.find_first_of("1234") == (contains(name, "batch_") ? 10U : 4U);
    if (is_shard && !contains(name, "_" + number)) CHECK(fewer[i].content == all[i].content);
  }
  CHECK(find(fewer, "arm_" + number + ".cpp").content != find(all, "arm_" + number + ".cpp").content);

  request.functions.resize(1);
  const std::string kept = emit::file_label(request, request.functions.front());
  const std::vector<emit::File> one = emit::emit(request).files;
  for (const std::string k : {"1", "2", "3", "4"})
    CHECK((k != kept) == contains(find(one, "arm_" + k + ".cpp").content, "No function of the robot"));
}

TEST_CASE("equal requests give equal bytes") {
  const toy::Trees trees = toy::trees();
  const std::vector<emit::File> a = emit::emit(toy::request(trees, "arm")).files,
                                b = emit::emit(toy::request(trees, "arm")).files;
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].content == b[i].content);
}

TEST_CASE("hostile names stay inside literals and comments") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "a\"; system(\"x\");//");
  request.options.bindings.push_back("c-api");
  for (const emit::File& file : emit::emit(request).files) {
    CHECK(contains(file.relative_name, "a_system_x"));
    if (contains(file.relative_name, ".json")) continue;
    std::istringstream lines(file.content);
    for (std::string line; std::getline(lines, line);) {
      CHECK_FALSE(line.starts_with("#error"));
      CHECK_FALSE((!line.empty() && line.back() == '\\'));
      if (contains(line, "// ")) CHECK_FALSE(contains(line, "*/"));
    }
    for (const char c : file.content) REQUIRE((c == '\n' || (c >= ' ' && c <= '~')));
  }
}

TEST_CASE("header: banner, table, constants, declarations") {
  const toy::Trees trees = toy::trees();
  const std::string text = find(emit::emit(toy::request(trees, "arm")).files, "arm.hpp").content;
  CHECK(text.starts_with("// Generated by featherline "));
  CHECK(contains(text, "// This file belongs to whoever generated it; "));
  CHECK(contains(text, "//   toy_constants            0       0"));
  CHECK(contains(text, "inline constexpr int nq = 2;"));
  CHECK(contains(text, "inline constexpr int num_joints = 2;"));  // the third one mimics
  CHECK(contains(text, "inline constexpr int num_links = 8;"));
  CHECK(contains(
      text,
      "{featherline::JointType::prismatic, 1, 1, 1, 1, -std::numeric_limits<double>::infinity(), 1.5,"));
  CHECK(contains(text, "  class_link,\n  a_system_x,\n  link,\n"));
  CHECK(contains(text, "  class_link_2,\n"));
  CHECK(
      contains(text,
               "template <class S>\nvoid toy_dynamics(const S* q, const S* v, S* tau, S* M);\n"
               "extern template void toy_dynamics<double>(const double*, const double*, double*, double*);\n"
               "extern template void toy_dynamics<float>(const float*, const float*, float*, float*);\n"));
  CHECK(contains(text, "void forward_kinematics(const S* q, Link link, S* R, S* p);"));
  CHECK(contains(text,
                 "featherline::ReferenceFrame frame = featherline::ReferenceFrame::local_world_aligned);"));
}

TEST_CASE("a dense function with structural zeros stores them and calls the form without them") {
  const toy::Trees trees = toy::trees();
  emit::Request request = toy::request(trees, "arm");
  request.options.bindings.push_back("c-api");
  const std::vector<emit::File> files = emit::emit(request).files;
  const std::string definition = find(files, "arm_toy_dynamics.ipp").content;
  CHECK(contains(definition,
                 "  featherline::clear_rows<2>(M + 1);\n"
                 "  featherline::code_ends<detail::toy_dynamics_code, S>();\n  "
                 "::arm::toy_dynamics_nonzeros(q, v, tau, M);\n}\n"));
  CHECK_FALSE(contains(definition, "S(0.0)"));
  const std::string header = find(files, "arm.hpp").content;
  CHECK(contains(header, "void toy_dynamics_nonzeros(const S* q, const S* v, S* tau, S* M);"));
  CHECK(contains(header, "extern template void toy_dynamics_nonzeros<float>("));
  CHECK(contains(header, "/// toy_dynamics for arrays that are used again"));
  CHECK_FALSE(contains(header, "toy_constants_nonzeros"));  // tau[0] is zero, but a vector has no such form
  CHECK(
      contains(find(files, "arm_toy_dynamics.cpp").content, "template void toy_dynamics_nonzeros<double>("));
  CHECK(contains(find(files, "arm.h").content, "void arm_toy_dynamics_nonzeros_float(const float* q,"));
  CHECK(contains(find(files, "arm_eigen.hpp").content, "view::kept<S, nv, nv>(std::forward<T4>(M))"));
  const nlohmann::json functions = nlohmann::json::parse(find(files, "arm.json").content)["functions"];
  CHECK(functions["toy_dynamics"]["nonzeros"] == "toy_dynamics_nonzeros");
  CHECK_FALSE(functions["toy_dynamics_packed"].contains("nonzeros"));
  CHECK_FALSE(functions["toy_constants"].contains("nonzeros"));
}

TEST_CASE("packed functions come with the index of their entries") {
  const toy::Trees trees = toy::trees();
  const std::vector<emit::File> files = emit::emit(toy::request(trees, "arm")).files;
  const std::string text = find(files, "arm.hpp").content;
  CHECK(contains(text, "#include \"arm_toy_dynamics_packed_index.hpp\"\n"));
  CHECK(contains(
      find(files, "arm_toy_dynamics_packed_index.hpp").content,
      "inline constexpr int toy_dynamics_packed_M_entries = 2;\n"
      "inline constexpr featherline::PackedEntry toy_dynamics_packed_M[] = {\n    {0,0,1}, {3,1,1},\n};"));
  CHECK(contains(text, "void toy_dynamics_packed(const S* q, const S* v, S* tau, S* M);"));
  CHECK(contains(text, "its structural non-zeros, placed"));
}

TEST_CASE("manifest is JSON with what the API promises") {
  const toy::Trees trees = toy::trees();
  const emit::Request request = toy::request(trees, "arm");
  const nlohmann::json manifest = nlohmann::json::parse(find(emit::emit(request).files, "arm.json").content);
  CHECK(manifest["name"] == "arm");
  CHECK(manifest["input_sha256"] == "0123");
  CHECK(manifest["options"] == "--base fixed */ --name \\");
  CHECK(manifest["nq"] == 2);
  REQUIRE(manifest["joints"].size() == 3);
  CHECK(manifest["joints"][0]["lower"].is_null());
  CHECK(manifest["joints"][0]["upper"] == 1.5);
  CHECK(manifest["joints"][2]["mimics"]["multiplier"] == -2.0);
  REQUIRE(manifest["links"].size() == toy::hostile_names().size());
  for (std::size_t i = 0; i < toy::hostile_names().size(); ++i) {
    CHECK(manifest["links"][i]["name"] == toy::hostile_names()[i]);
    CHECK(manifest["links"][i]["index"] == i);
  }
  const nlohmann::json& function = manifest["functions"]["toy_dynamics"];
  CHECK(function["flops"] == 17);
  CHECK(function["sincos"] == 2);
  CHECK(function["formulation"] == "only");
  CHECK(function["stack_bytes"] == emit::facts(request, request.functions[0]).stack_bytes);
  const cost::Target target = cost::usual_target(request.options.scalars);
  CHECK(function["stack_bytes"] == cost::estimate(request.functions[0].kernel, target).stack_bytes);
  CHECK(function["files"] == nlohmann::json{"arm_toy_dynamics.ipp", "arm_toy_dynamics.cpp"});
}

TEST_CASE("Eigen view: any scalar, sizes beside the arguments") {
  const toy::Trees trees = toy::trees();
  const std::string text = find(emit::emit(toy::request(trees, "arm")).files, "arm_eigen.hpp").content;
  CHECK(contains(text, "const Eigen::DenseBase<T1>& q"));
  CHECK(contains(text, "view::input<S, nq>(q)"));
  CHECK(contains(text, "view::output<S, nv>(std::forward<T3>(tau))"));
  CHECK(contains(text, "view::output<S, nv, nv>(std::forward<T4>(M))"));
  CHECK(contains(text, "view::output<S, 6, nv>(std::forward<T3>(J))"));
}

TEST_CASE("contradicting requests are refused") {
  const toy::Trees trees = toy::trees();
  emit::Request no_steps = toy::request(trees, "arm");
  no_steps.functions.back().kernel.steps.clear();
  CHECK_THROWS_AS(emit::emit(no_steps), InternalError);

  emit::Request wrong_kernel = toy::request(trees, "arm");
  wrong_kernel.functions[0].spec = &toy::constants();
  CHECK_THROWS_AS(emit::emit(wrong_kernel), InternalError);

  model::UserTree fewer_links = trees.user;
  fewer_links.links.pop_back();
  emit::Request other_tree = toy::request(trees, "arm");
  other_tree.tree = &fewer_links;
  CHECK_THROWS_AS(emit::emit(other_tree), InternalError);

  emit::Request no_index = toy::request(trees, "arm");
  no_index.functions[1].packed_maps->clear();
  CHECK_THROWS_AS(emit::emit(no_index), InternalError);
}
