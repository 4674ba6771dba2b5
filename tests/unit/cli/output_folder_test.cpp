#include "cli/output_files.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>
#include <system_error>

namespace output_folder_test {

using namespace featherline;
using test::contains;
using test::run_featherline;
namespace fs = std::filesystem;

namespace {

test::Answer generate(const fs::path& folder, const std::string& functions,
                      std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"generate",      test::planar3, "-o",
                                     folder.string(), "--functions", functions};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_featherline(arguments);
}

}  // namespace

TEST_CASE("all files or none, and no temporary ones left") {
  cli::TemporaryFolder folder;
  cli::write_files({{folder.path() / "deep" / "a", "1"}, {folder.path() / "b", std::string("2\0\n", 3)}});
  CHECK(test::read_text(folder.path() / "deep" / "a") == "1");
  CHECK(test::read_text(folder.path() / "b") == std::string("2\0\n", 3));

  fs::create_directory(folder.path() / "c");
  CHECK_THROWS_AS(cli::write_files({{folder.path() / "b", "new"}, {folder.path() / "c", "3"}}),
                  cli::EnvironmentError);
  CHECK(test::read_text(folder.path() / "b") == std::string("2\0\n", 3));
  CHECK(test::names_in(folder.path()).size() == 3);
}

TEST_CASE("a write that fails leaves nothing") {
  cli::TemporaryFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{10000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &little);
  std::string message;
  try {
    cli::write_files({{folder.path() / "a.hpp", "a"}, {folder.path() / "b.hpp", std::string(100000, 'x')}});
  } catch (const cli::EnvironmentError& error) { message = error.what(); }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK_MESSAGE(contains(message, "b.hpp\" cannot be written: File too large"), message);
  CHECK(test::names_in(folder.path()).empty());
}

namespace {

/// A set of files that all have the same content.
std::vector<cli::OutputFile> files_with(const fs::path& folder, char content) {
  std::vector<cli::OutputFile> files;
  for (int k = 0; k < 20; ++k)
    files.push_back({folder / ("f" + std::to_string(k)), std::string(50000, content), k == 0});
  return files;
}

/// The process of a child that does `work` and ends.
template <class Work>
pid_t in_a_child(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  return child;
}

}  // namespace

TEST_CASE("killed while writing: files are whole, and the next run removes what is left") {
  cli::TemporaryFolder scratch;
  const fs::path folder = scratch.path() / "out";
  int found_left_over = 0;
  for (int k = 0; k < 40; ++k) {
    const pid_t child = in_a_child([&] {
      for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1))
        cli::write_files(files_with(folder, c));
    });
    usleep(static_cast<useconds_t>(3000 + 700 * k));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (!fs::exists(folder)) continue;
    for (const std::string& name : test::names_in(folder)) {
      if (name.front() == '.') {
        ++found_left_over;
        continue;
      }
      const std::string text = test::read_text(folder / name);
      CHECK(text == std::string(50000, text.front()));
    }
  }
  CHECK(found_left_over > 0);
  cli::write_files(files_with(folder, 'A'));
  CHECK(test::names_in(folder).size() == 20);
}

TEST_CASE("what killed runs left in the folder for temporary files goes, kept folders stay") {
  cli::TemporaryFolder parent;
  const char* before = std::getenv("TMPDIR");
  const std::string restored = before == nullptr ? "" : before;
  setenv("TMPDIR", parent.path().c_str(), 1);
  const pid_t child = in_a_child([] {
    const cli::TemporaryFolder kept(cli::TemporaryFolder::Keep::yes), killed;
    test::write_text(killed.path() / "file", "");
    raise(SIGKILL);
  });
  waitpid(child, nullptr, 0);
  CHECK(test::names_in(parent.path()).size() == 2);
  {
    const cli::TemporaryFolder living;
    { const cli::TemporaryFolder other; }
    CHECK(fs::exists(living.path()));
  }
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", restored.c_str(), 1);
  CHECK(test::names_in(parent.path()).size() == 1);
}

TEST_CASE("planted links are neither followed nor removed, and folders of others stay") {
  cli::TemporaryFolder scratch;
  const fs::path folder = scratch.path() / "out", victim = scratch.path() / "victim";
  fs::create_directories(folder / ".featherline-mineXX1" / "deep");  // another name
  fs::create_directories(folder / ".featherline-mine01" / "deep");   // no lock, and something in it
  fs::create_directory(victim);
  for (const char* name : {"file", ".lock"}) test::write_text(victim / name, "mine");
  fs::create_directory_symlink(victim, folder / ".featherline-planted");
  fs::create_directory_symlink(victim, folder / ".featherline-AAAAAA");
  cli::write_files({{folder / "a", "1"}});
  CHECK(test::read_text(victim / "file") == "mine");
  CHECK(test::names_in(folder).size() == 5);

  const cli::OwnFolder own(scratch.path(), "own-");
  fs::create_symlink(victim / "file", own.path() / "a");
  CHECK_THROWS_AS(own.write("a", "stolen"), std::system_error);
  CHECK(test::read_text(victim / "file") == "mine");
  fs::create_symlink(victim / "file", folder / "b");
  cli::write_files({{folder / "b", "new"}});  // the link is replaced
  CHECK(test::read_text(victim / "file") == "mine");
  CHECK(fs::is_regular_file(fs::symlink_status(folder / "b")));
}

TEST_CASE("runs into one folder at a time: the files of one of them") {
  cli::TemporaryFolder scratch;
  const fs::path folder = scratch.path() / "out";
  for (int round = 0; round < 5; ++round) {
    std::vector<pid_t> children;
    for (char c = 'a'; c < 'g'; ++c)
      children.push_back(in_a_child([&] { cli::write_files(files_with(folder, c)); }));
    for (const pid_t child : children) {
      int status = 1;
      waitpid(child, &status, 0);
      CHECK(status == 0);
    }
    std::set<std::string> contents;
    for (const std::string& name : test::names_in(folder)) contents.insert(test::read_text(folder / name));
    CHECK(contents.size() == 1);
    CHECK(test::names_in(folder).size() == 20);
  }
}

TEST_CASE("the manifest changes last, after left-overs are gone") {
  cli::TemporaryFolder folder;
  const fs::path manifest = folder.path() / "m", old = folder.path() / "old";
  test::write_text(old, "old");
  cli::write_files({{manifest, "1", true}, {folder.path() / "a", "1"}}, [&] { return std::vector{old}; });
  CHECK_FALSE(fs::exists(old));
  fs::create_directory(folder.path() / "b");
  test::write_text(folder.path() / "b" / "file", "");
  CHECK_THROWS(cli::write_files({{manifest, "2", true}, {folder.path() / "a", "2"}},
                                [&] { return std::vector{folder.path() / "b"}; }));  // cannot be removed
  CHECK(test::read_text(folder.path() / "a") == "2");
  CHECK(test::read_text(manifest) == "1");
}

TEST_CASE("-o names a file, or lies behind one") {
  cli::TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  test::write_text(file, "mine");
  for (const fs::path& out : {file, file / "below"}) {
    const test::Answer answer = generate(out, "bias");
    CHECK(answer.exit_code == 1);
    CHECK_MESSAGE(contains(answer.err, "cannot be made"), answer.err);
    CHECK(contains(answer.err, "name another one with -o"));
    CHECK(answer.out == "");
  }
  CHECK(test::read_text(file) == "mine");
}

TEST_CASE("-o names a folder that cannot be written") {
  if (geteuid() == 0) {
    MESSAGE("skipped: root can write everywhere");
    return;
  }
  cli::TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const test::Answer answer = generate(folder.path(), "bias");
  fs::permissions(folder.path(), fs::perms::owner_all);
  CHECK(answer.exit_code == 1);
  CHECK(contains(answer.err, "cannot be written: Permission denied"));
}

TEST_CASE("files of an earlier run that are no longer emitted go away, others stay") {
  cli::TemporaryFolder folder;
  REQUIRE(generate(folder.path(), "rnea,bias").exit_code == 0);
  CHECK(fs::exists(folder.path() / "planar3_bias.cpp"));
  test::write_text(folder.path() / "planar3_mine.cpp", "mine");
  REQUIRE(generate(folder.path(), "rnea").exit_code == 0);
  CHECK(fs::exists(folder.path() / "planar3_rnea.cpp"));
  CHECK_FALSE(fs::exists(folder.path() / "planar3_bias.cpp"));
  CHECK_FALSE(fs::exists(folder.path() / "planar3_bias.ipp"));
  CHECK(fs::exists(folder.path() / "planar3_mine.cpp"));
}

TEST_CASE("a file with the same bytes keeps its time stamp") {
  cli::TemporaryFolder folder;
  const fs::path depfile = folder.path() / "planar3.d";
  const auto again = [&](const std::string& functions) {
    return generate(folder.path(), functions, {"--depfile", depfile.string(), "--c-api"});
  };
  REQUIRE(again("rnea,bias").exit_code == 0);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& entry : fs::directory_iterator(folder.path())) fs::last_write_time(entry, long_ago);
  REQUIRE(again("rnea,bias").exit_code == 0);
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    INFO(entry.path());
    CHECK(entry.last_write_time() == long_ago);
  }

  REQUIRE(again("rnea,bias,minv").exit_code == 0);
  std::set<std::string> rewritten;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    if (entry.last_write_time() != long_ago) rewritten.insert(entry.path().filename());
  }
  CHECK(rewritten == std::set<std::string>{"planar3.h", "planar3.hpp", "planar3.ipp", "planar3.json",
                                           "planar3_eigen.hpp", "planar3_minv.cpp", "planar3_minv.ipp"});
}

TEST_CASE("what featherline did not write is overwritten by --force only") {
  for (const char* name : {"planar3.hpp", "planar3_bias.cpp", "planar3.json", "planar3.d"}) {
    cli::TemporaryFolder folder;
    const std::vector<std::string> flags{"--depfile", (folder.path() / "planar3.d").string()};
    const fs::path mine = folder.path() / name;
    test::write_text(mine, "{\"name\": \"mine\", \"functions\": {}}\n");
    const test::Answer refused = generate(folder.path(), "bias", flags);
    CHECK(refused.exit_code == 1);
    CHECK_MESSAGE(
        contains(refused.err, "featherline: error: " + featherline::in_quotes(mine.string()) +
                                  " was not written by featherline; choose another folder or --name, "
                                  "move it away, or overwrite it with --force"),
        refused.err);
    CHECK(refused.out == "");
    CHECK(test::names_in(folder.path()).size() == 1);
    CHECK(contains(test::read_text(mine), "mine"));

    std::vector<std::string> forced = flags;
    forced.push_back("--force");
    CHECK(generate(folder.path(), "bias", forced).exit_code == 0);
    CHECK_FALSE(contains(test::read_text(mine), "mine"));
    CHECK(generate(folder.path(), "rnea", flags).exit_code == 0);  // now it is ours
  }
}

TEST_CASE("an empty file is nobody's, a pipe is never replaced") {
  cli::TemporaryFolder folder;
  test::write_text(folder.path() / "planar3.json", "");
  CHECK(generate(folder.path(), "bias").exit_code == 0);
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const test::Answer answer = generate(folder.path(), "bias", {"--depfile", pipe.string(), "--force"});
  CHECK(answer.exit_code == 1);
  CHECK_MESSAGE(contains(answer.err, "is not a regular file, and a file has to be written there"),
                answer.err);
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("a stale file that somebody wrote anew stays") {
  cli::TemporaryFolder folder;
  REQUIRE(generate(folder.path(), "rnea,bias").exit_code == 0);
  test::write_text(folder.path() / "planar3_bias.cpp", "mine");
  REQUIRE(generate(folder.path(), "rnea").exit_code == 0);
  CHECK(test::read_text(folder.path() / "planar3_bias.cpp") == "mine");
  CHECK_FALSE(fs::exists(folder.path() / "planar3_bias.ipp"));
}

TEST_CASE("a name that C++ cannot have: what is used instead, and a warning where it was asked for") {
  cli::TemporaryFolder folder;
  const test::Answer answer = generate(folder.path(), "bias", {"--name", "class"});
  CHECK(answer.exit_code == 0);
  CHECK_MESSAGE(contains(answer.err,
                         "planar3.urdf: warning: --name \"class\" cannot name a C++ namespace; "
                         "\"class_robot\" is used for it and for the files; choose a --name of"),
                answer.err);
  CHECK(fs::exists(folder.path() / "class_robot.hpp"));
  CHECK(generate(folder.path(), "bias", {"--name", "my-arm"}).exit_code == 0);
  CHECK(generate(folder.path(), "bias", {"--name", "class", "--werror"}).exit_code == 1);
  CHECK(generate(folder.path(), "bias", {"--name", "arm_2"}).err == "");

  std::string text = test::read_text(test::planar3);
  const auto rename = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    test::write_text(folder.path() / "robot.urdf", text);
    return run_featherline({"generate", (folder.path() / "robot.urdf").string(), "-o",
                            (folder.path() / "out").string(), "--functions", "bias", "--werror"});
  };
  const test::Answer reserved = rename("name=\"planar3\"", "name=\"system\"");
  CHECK(reserved.exit_code == 0);
  CHECK_MESSAGE(contains(reserved.err,
                         "robot.urdf: note: the robot's name \"system\" cannot name a C++ "
                         "namespace; \"system_robot\" is used for it and for the files; choose "
                         "another one with --name"),
                reserved.err);
  CHECK(rename("name=\"system\"", "name=\"my-arm\"").err == "");  // my_arm is what everybody expects
}

TEST_CASE("a manifest cannot make us remove what is not ours") {
  cli::TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  fs::create_directory(out);
  for (const fs::path& file : {folder.path() / "planar3_x.cpp", out / "other.cpp", out / "planar30.cpp"}) {
    test::write_text(file, "// Generated by featherline for another robot");
  }
  test::write_text(out / "planar3.json", R"({"input_sha256": "", "functions": {"f": {"files":
      ["../planar3_x.cpp", "other.cpp", "planar30.cpp", "planar3_/../other.cpp", 3, ""]}, "g": 1}})");
  CHECK(cli::stale_files(out, "planar3", {}).empty());
  test::write_text(out / "planar3.json", "[1");
  CHECK(cli::stale_files(out, "planar3", {}).empty());
}

TEST_CASE("the depfile names manifest and header and what they were made from") {
  cli::TemporaryFolder folder;
  const fs::path order = folder.path() / "my order#1.txt";
  test::write_text(order, "joint1\njoint2\njoint3\n");
  const fs::path depfile = folder.path() / "d" / "planar3.d";
  const test::Answer answer = generate(folder.path() / "out", "bias",
                                       {"--depfile", depfile.string(), "--joint-order", order.string()});
  REQUIRE(answer.exit_code == 0);
  const std::string escaped = (folder.path() / "my\\ order\\#1.txt").string();
  CHECK(test::read_text(depfile) == (folder.path() / "out" / "planar3.json").string() + " \\\n" +
                                        (folder.path() / "out" / "planar3.hpp").string() +
                                        ": \\\n  robots/planar3.urdf \\\n  " + escaped + "\n");
  CHECK(cli::depfile_text({"a$b"}, {"c"}) == "a$$b: \\\n  c\n");
}

TEST_CASE("the report is short, on stdout, and silent under --quiet") {
  cli::TemporaryFolder folder;
  const test::Answer loud = generate(folder.path(), "rnea,bias");
  CHECK(contains(loud.out, "planar3: nq = 3, nv = 3, 3 moving bodies, fixed base"));
  CHECK(contains(loud.out, "formulation"));
  CHECK(contains(loud.out, "rnea "));
  CHECK(loud.err == "");
  CHECK(std::count(loud.out.begin(), loud.out.end(), '\n') == 9);
  CHECK(generate(folder.path(), "rnea,bias", {"--quiet"}).out == "");
}

}  // namespace output_folder_test
