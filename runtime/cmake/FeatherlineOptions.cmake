# Written by scripts/update-options from the table of options, generator/option_table.cpp.
# A comma in a name is escaped; in other lists commas stand between numbers, too.
set(FEATHERLINE_LISTS_OF_NAMES LOCK_ALL_BUT EXTERNAL_FORCES PARAMETERS)
