// Writes _catalogue.py: the functions that there are, and what other libraries call them.
#include "cli/function_words.hpp"

#include <iostream>

using namespace featherline;

int main() {
  std::cout << "\"\"\"Written when featherline was built.\"\"\"\n\nFUNCTIONS = (";
  for (const std::string& name : cli::resolve_functions({"all"})) std::cout << "\"" << name << "\", ";
  std::cout << ")\nFOREIGN_NAMES = {";
  for (const cli::ForeignName& name : cli::foreign_names()) {
    if (!name.ours.empty()) std::cout << "\"" << name.theirs << "\": \"" << name.ours << "\", ";
  }
  std::cout << "}\n";
  return 0;
}
