# Written by scripts/update-options from the table of options, generator/option_table.cpp.
set(FEATHERLINE_SWITCHES C_API BATCH PYTHON CASADI)
set(FEATHERLINE_ARGUMENTS LOCK LOCK_ALL_BUT EXTERNAL_FORCES PARAMETERS FRAMES FRAME_AXES FRAME_PARTS CONTACTS STABILISATION INTEGRATOR ACCEPT)
# Of these: what takes one value, and lists where a comma in a name is escaped. In other lists commas stand
# between numbers, too.
set(FEATHERLINE_WORDS FRAME_AXES STABILISATION INTEGRATOR)
set(FEATHERLINE_LISTS_OF_NAMES LOCK_ALL_BUT EXTERNAL_FORCES PARAMETERS)
