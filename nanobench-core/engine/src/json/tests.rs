//! Tests against RFC 8259 and against `serde_json`.

mod generated;

use crate::json::{self, Error, Json, Value, from_str, to_string};
use crate::model::{ComplexityInput, CustomCurve};
use std::borrow::Cow;

fn parse(text: &str) -> Value<'_> {
    json::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn parse_error(text: &str) -> String {
    json::parse(text).expect_err(text).to_string()
}

fn string(text: &str) -> String {
    from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn white_space_follows_the_rfc() {
    assert_eq!(parse(" \t\r\n1 \t\r\n"), Value::Unsigned(1));
    assert_eq!(parse("[ ]"), parse("[]"));
    assert_eq!(parse("{ \"a\" : [ 1 , null ] , \"b\" : { } }"), parse(r#"{"a":[1,null],"b":{}}"#));
    for text in ["\u{b}1", "\u{a0}1", "\u{feff}1", "1\0", "/**/1"] {
        parse_error(text);
    }
}

#[test]
fn texts_that_are_not_json_are_errors() {
    let texts = [
        "",
        " ",
        "nul",
        "nullx",
        "True",
        "NaN",
        "Infinity",
        "-",
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "1.e1",
        "1e",
        "1e+",
        "0x1",
        "1_000",
        "--1",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1}",
        "{",
        "}",
        "{1:2}",
        "{a:1}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1]",
        "{,}",
        "\"",
        "\"a",
        "'a'",
        "\"\\\"",
        "1 2",
        "[] []",
        "\u{e9}",
    ];
    for text in texts {
        parse_error(text);
    }
}

#[test]
fn integers_are_exact() {
    let exact = [(0, "0"), (1, "1"), ((1 << 53) + 1, "9007199254740993"), (u64::MAX, "18446744073709551615")];
    for (number, text) in exact {
        assert_eq!(from_str(text), Ok(number), "{text}");
        assert_eq!(to_string(&number), text);
    }
    assert_eq!(parse("-9223372036854775808"), Value::Negative(i64::MIN));
    assert_eq!(parse("-9223372036854775808").to_string(), "-9223372036854775808");
    // Larger integers are floats.
    assert_eq!(parse("18446744073709551616"), Value::Float(18_446_744_073_709_551_616.0));
    assert_eq!(parse("-9223372036854775809"), Value::Float(-9_223_372_036_854_775_808.0));
}

#[test]
fn floats_are_read_back_bit_by_bit() {
    let edges = [
        0.0,
        -0.0,
        1.0,
        0.1,
        -2.5,
        1e15,
        1e16,
        1e17,
        1e-4,
        1e-5,
        1e-6,
        123e-7,
        1e300,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        f64::EPSILON,
        2.225_073_858_507_201e-308,
        9_007_199_254_740_993.0,
    ];
    for number in edges {
        let text = to_string(&number);
        assert_eq!(from_str::<f64>(&text).map(f64::to_bits), Ok(number.to_bits()), "{text}");
        assert!(!matches!(parse(&text), Value::Unsigned(_) | Value::Negative(_)), "{text}");
    }
    assert_eq!(from_str::<f64>("-0").map(f64::to_bits), Ok((-0.0_f64).to_bits()));
    assert_eq!(from_str::<f64>("-0e-0").map(f64::to_bits), Ok((-0.0_f64).to_bits()));
    assert_eq!((from_str("7"), from_str("-7")), (Ok(7.0), Ok(-7.0)));
    assert_eq!((from_str("1E2"), from_str("1e+2"), from_str("0.5e1")), (Ok(100.0), Ok(100.0), Ok(5.0)));
    assert_eq!(from_str("1e-999"), Ok(0.0), "the nearest number");
    parse_error("1e999");
    parse_error("-1e999");
}

#[test]
fn numbers_that_are_not_finite_are_null() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(to_string(&number), "null");
    }
}

#[test]
fn escapes_are_read() {
    assert_eq!(string(r#""\"\\\/\b\f\n\r\t""#), "\"\\/\u{8}\u{c}\n\r\t");
    assert_eq!(string(r#""a\u0000\u00e9\u00E9\uFFFFz""#), "a\0\u{e9}\u{e9}\u{ffff}z");
    assert_eq!(string(r#""\ud83d\ude00 \uD834\uDD1E \udbff\udfff""#), "\u{1f600} \u{1d11e} \u{10ffff}");
    assert_eq!(string("\"\u{7f}\u{80}\u{2028}\u{1f600}\""), "\u{7f}\u{80}\u{2028}\u{1f600}");
    assert_eq!(parse(r#"{"\u0061":1}"#), parse(r#"{"a":1}"#), "in names, too");
}

#[test]
fn invalid_strings_are_errors() {
    let escapes = [r"\x", r"\u", r"\u12", r"\u12g4", r"\u+123", r"\u 123", r"\U0041", r"\'", r"\0"];
    let halves =
        [r"\ud800", r"\udc00", r"\ud800a", r"\ud800\n", r"\ud800\ud800", r"\ud800\u0041", r"\udc00\ud800"];
    for text in escapes.into_iter().chain(halves) {
        parse_error(&format!("\"{text}\""));
        parse_error(&format!("\"{text}"));
    }
    for control in 0..0x20_u8 {
        parse_error(&format!("\"{}\"", char::from(control)));
    }
}

#[test]
fn strings_are_read_back() {
    assert_eq!(
        to_string(&"\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}\u{e9}".to_owned()),
        "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u0000\\u001f\u{7f}\u{e9}\""
    );
    let all: String = (0..0x300_u32).chain(0xfff0..0x1_0010).filter_map(char::from_u32).collect();
    assert_eq!(string(&to_string(&all)), all);
}

#[test]
fn strings_without_escapes_are_borrowed() {
    assert!(matches!(parse(r#""plain""#), Value::Text(Cow::Borrowed("plain"))));
}

#[test]
fn deep_nesting_is_an_error() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    parse(&nested(128));
    assert!(parse_error(&nested(129)).starts_with("too many levels"));
    parse_error(&"[".repeat(1_000_000));
    parse_error(&"{\"a\":".repeat(1_000_000));
    let wide = format!("[{}]", vec!["[[]]"; 1000].join(","));
    parse(&wide);
}

#[test]
fn errors_have_a_line_and_a_column() {
    assert_eq!(parse_error("[1,\n  \u{e9}]"), "expected a value at line 2, column 3");
    assert_eq!(parse_error("\"\u{1f600}\u{e9}\\x\""), "unknown escape at line 1, column 5");
    assert_eq!(parse_error("{\"a\" 1}"), "expected `:` at line 1, column 6");
    assert_eq!(parse_error("[1"), "expected `,` or `]` at line 1, column 3");
    assert_eq!(parse_error(""), "unexpected end at line 1, column 1");
    assert_eq!(parse_error("1e999 "), "this number is too large at line 1, column 6");
    assert_eq!(parse_error("1 x"), "unexpected text after the value at line 1, column 3");
}

#[test]
fn the_last_of_several_members_with_the_same_name_counts() {
    let last = ComplexityInput { n: 2.0, label: Some(0), custom: None };
    assert_eq!(from_str(r#"{"n": null, "c": {}, "n": 2, "label": 0}"#), Ok(last));
}

#[test]
fn records_are_objects_in_the_order_of_their_fields_without_those_that_are_none() {
    let custom = Some(CustomCurve { name: "n^3".to_owned(), value: Some(8.0), problem: None });
    let text = r#"{"n":2.0,"label":1,"custom":{"name":"n^3","value":8.0}}"#;
    assert_eq!(to_string(&ComplexityInput { n: 2.0, label: Some(1), custom: custom.clone() }), text);
    assert_eq!(from_str(text), Ok(ComplexityInput { n: 2.0, label: Some(1), custom }));
    let without = ComplexityInput { n: 2.0, label: Some(1), custom: None };
    assert_eq!(to_string(&without), r#"{"n":2.0,"label":1}"#);
    for text in [r#"{"n":2.0,"label":1}"#, r#"{"n":2.0,"label":1,"custom":null}"#] {
        assert_eq!(from_str(text), Ok(without.clone()));
    }
}

#[test]
fn values_of_another_type_are_errors() {
    fn error<T: Json + std::fmt::Debug>(text: &str) -> String {
        from_str::<T>(text).map_err(|error: Error| error.to_string()).unwrap_err()
    }
    assert_eq!(error::<u64>("\"1\""), "expected an integer, found a string");
    assert_eq!(error::<u64>("1.0"), "1.0 is not an integer of 0 or more");
    assert_eq!(error::<u64>("-1"), "-1 is not an integer of 0 or more");
    assert_eq!(error::<u32>("4294967296"), "4294967296 is too large");
    assert_eq!(error::<bool>("0"), "expected a boolean, found a number");
    assert_eq!(error::<String>("null"), "expected a string, found null");
    assert_eq!(error::<f64>("true"), "expected a number, found a boolean");
    assert_eq!(error::<Vec<u64>>("{}"), "expected an array, found an object");
    assert_eq!(error::<Option<u64>>("[]"), "expected an integer, found an array");
}
