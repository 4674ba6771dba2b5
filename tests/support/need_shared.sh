# need_shared PART: ends a test that needs ../shared/PART where that is missing, as shared_folder.hpp does in C++.
# FEATHERLINE_TEST is the test's name; the working directory is the root of the repository.
need_shared() {
  if [ -e "../shared/$1" ]; then return; fi
  if [ "${CI:-}" = true ]; then
    echo "error (CI=true forbids skipping): ${FEATHERLINE_TEST:-this test} needs ../shared/$1, which is not there"
    exit 1
  fi
  echo "skipped: ${FEATHERLINE_TEST:-this test} needs ../shared/$1, which is not there"
  exit 77
}
