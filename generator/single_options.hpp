#pragma once

#include "option_table.hpp"

#include <string>
#include <vector>

/// Types of options that are like no other: each has a reader and a printer of its own (single_options.cpp). Those that
/// several options share are in option_types.hpp.
namespace featherline::cli {

OptionType gravity();
OptionType allowed();
OptionType joint_dynamics();
/// Blank lines and lines that begin with # are skipped.
OptionType joint_order();
OptionType stabilisation();
/// Each once.
OptionType scalars();
/// Names that users know from compilers are accepted, too.
OptionType target();
/// What asks for a binding: its flag without dashes. A word behind the flag asks for a variant.
OptionType binding(const std::string& name);
/// The words are looked up in the catalogue when the whole line is known (check_formulations()).
OptionType formulations();
OptionType choices();

/// A fraction that rotations may differ from a quarter turn by.
double tolerance_of(const Given& given);

std::vector<model::Lock>& locks(CommandLine& line);
std::vector<std::string>& free_joints(CommandLine& line);

}  // namespace featherline::cli
