"""Types of errors of pydantic, some that are none, and what their messages are filled with."""

from __future__ import annotations

CODES = (
    *("no_such_attribute", "json_invalid", "json_type", "needs_python_object", "recursion_loop"),
    *("recursion_depth_exceeded", "missing", "frozen_field", "frozen_instance", "extra_forbidden"),
    *("invalid_key", "get_attribute_error", "model_type", "model_attributes_type", "dataclass_type"),
    *("dataclass_exact_type", "named_tuple_type", "default_factory_not_called", "none_required"),
    *("greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of"),
    *("finite_number", "too_short", "too_long", "iterable_type", "iteration_error", "string_type"),
    *("string_sub_type", "string_unicode", "string_too_short", "string_too_long"),
    *("string_pattern_mismatch", "string_not_ascii", "enum", "dict_type", "frozen_dict_type"),
    *("ordered_dict_type", "counter_type", "mapping_type", "list_type", "deque_type", "tuple_type"),
    *("set_type", "set_item_not_hashable", "bool_type", "bool_parsing", "int_type", "int_parsing"),
    *("int_parsing_size", "int_from_float", "float_type", "float_parsing", "bytes_type"),
    *("bytes_too_short", "bytes_too_long", "bytes_invalid_encoding", "value_error", "assertion_error"),
    *("literal_error", "missing_sentinel_error", "ellipsis_error", "date_type", "date_parsing"),
    *("date_from_datetime_parsing", "date_from_datetime_inexact", "date_past", "date_future", "time_type"),
    *("time_parsing", "datetime_type", "datetime_parsing", "datetime_object_invalid"),
    *("datetime_from_date_parsing", "datetime_past", "datetime_future", "timezone_naive"),
    *("timezone_aware", "timezone_offset", "time_delta_type", "time_delta_parsing", "frozen_set_type"),
    *("is_instance_of", "is_subclass_of", "callable_type", "union_tag_invalid", "union_tag_not_found"),
    *("arguments_type", "missing_argument", "unexpected_keyword_argument"),
    *("missing_keyword_only_argument", "unexpected_positional_argument"),
    *("missing_positional_only_argument", "multiple_argument_values", "url_type", "url_parsing"),
    *("url_syntax_violation", "url_too_long", "url_scheme", "uuid_type", "uuid_parsing", "uuid_version"),
    *("decimal_type", "decimal_parsing", "decimal_max_digits", "decimal_max_places"),
    *("decimal_whole_digits", "fraction_type", "fraction_parsing", "complex_type", "complex_str_parsing"),
    *("none_type", "own_code", "odd"),
)
"""Pydantic's types of errors, and some that are none."""
CONTEXT = {
    "gt": 1,
    "ge": 2,
    "lt": 3,
    "le": 4,
    "multiple_of": 5,
    "min_length": 6,
    "max_length": 1,
    "pattern": "^a",
    "class": "Ticket",
    "expected": "'a', 'b' or 3",
    "expected_tags": "'cat', 'dog'",
}
LISTED = (
    *(
        "'a', 'b' or 'c'",
        "'a' or 'b'",
        "'a'",
        "1, 2 or 3",
        "'it''s', \"it's\" or 'a, b'",
        r"'a\'b' or 'c\\d'",
        "<Color.RED: 1>",
    ),
    *("True or None", "b'x' or 1.5", "", "'a or b' or 'c'", r"'\u00e9' or 'é'"),
)
