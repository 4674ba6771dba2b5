#pragma once

#include <string>
#include <vector>

/// The types of constraints, one row each. Below formats/, which reads most of them.
namespace featherline::model {

enum class ConstraintType {
  contact_point,
  contact_weld,
  contact_normal,
  contact_friction,
  contact_sphere,
  loop_point,
  loop_axis,
  loop_weld,
  rolling,
  no_sliding,
  coupling
};

struct ConstraintKind {
  ConstraintType type;
  const char* name;       ///< in documents: "loop_axis"
  const char* urdf_word;  ///< of <featherline_constraint type="...">, or --contacts LINK:WORD for contacts
  int rows;
  int ends;                 ///< 2 for loops, whose ends are two frames; 0 for couplings, which have joints
  bool has_axis;            ///< z of its frames is a direction that the user gives
  bool has_radius;          ///< it is a wheel or a sphere
  bool is_contact;          ///< chosen by --contacts; the others are in the robot's file
  bool has_vectors;         ///< its rows are vectors in the axes of the world, three rows each
  int normal_row;           ///< of its rows, in which a force below zero pulls at the ground; -1: none
  const char* row_meaning;  ///< of its velocity rows, for documents
};

const std::vector<ConstraintKind>& constraint_kinds();
const ConstraintKind& kind_of(ConstraintType type);
/// Whether contact_step takes it: a contact that may open, a point or a sphere.
bool may_open(ConstraintType type);
/// The kind with this word, among contacts or among those of files; nullptr where there is none.
const ConstraintKind* find_constraint_kind(const std::string& urdf_word, bool is_contact);
/// "point", "axis", "weld": those of contacts, or of files.
std::vector<std::string> constraint_words(bool is_contact);

}  // namespace featherline::model
