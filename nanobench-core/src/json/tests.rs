//! Against RFC 8259, and against `serde_json`.

mod generated;

use super::{Error, Json, Value, from_str, to_string};
use crate::model::{ComplexityInput, CustomCurve};
use std::borrow::Cow;

fn parsed(text: &str) -> Value<'_> {
    Value::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    Value::parse(text).expect_err(text).to_string()
}

fn string(text: &str) -> String {
    from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn white_space_is_that_of_the_rfc() {
    assert_eq!(parsed(" \t\r\n1 \t\r\n"), Value::Unsigned(1));
    assert_eq!(parsed("[ ]"), parsed("[]"));
    assert_eq!(parsed("{ \"a\" : [ 1 , null ] , \"b\" : { } }"), parsed(r#"{"a":[1,null],"b":{}}"#));
    for text in ["\u{b}1", "\u{a0}1", "\u{feff}1", "1\0", "/**/1"] {
        refused(text);
    }
}

#[test]
fn what_is_no_json_is_refused() {
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
        refused(text);
    }
}

#[test]
fn integers_are_exact() {
    let exact = [(0, "0"), (1, "1"), ((1 << 53) + 1, "9007199254740993"), (u64::MAX, "18446744073709551615")];
    for (number, text) in exact {
        assert_eq!(from_str(text), Ok(number), "{text}");
        assert_eq!(to_string(&number), text);
    }
    assert_eq!(parsed("-9223372036854775808"), Value::Negative(i64::MIN));
    assert_eq!(parsed("-9223372036854775808").to_string(), "-9223372036854775808");
    // Beyond 64 bits they are numbers as any other.
    assert_eq!(parsed("18446744073709551616"), Value::Float(18_446_744_073_709_551_616.0));
    assert_eq!(parsed("-9223372036854775809"), Value::Float(-9_223_372_036_854_775_808.0));
}

#[test]
fn floats_come_back_bit_by_bit() {
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
        assert!(!matches!(parsed(&text), Value::Unsigned(_) | Value::Negative(_)), "{text}");
    }
    assert_eq!(from_str::<f64>("-0").map(f64::to_bits), Ok((-0.0_f64).to_bits()));
    assert_eq!(from_str::<f64>("-0e-0").map(f64::to_bits), Ok((-0.0_f64).to_bits()));
    assert_eq!((from_str("7"), from_str("-7")), (Ok(7.0), Ok(-7.0)));
    assert_eq!((from_str("1E2"), from_str("1e+2"), from_str("0.5e1")), (Ok(100.0), Ok(100.0), Ok(5.0)));
    assert_eq!(from_str("1e-999"), Ok(0.0), "as near as there is one");
    refused("1e999");
    refused("-1e999");
}

#[test]
fn what_is_no_number_is_null() {
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
    assert_eq!(parsed(r#"{"\u0061":1}"#), parsed(r#"{"a":1}"#), "names, too");
}

#[test]
fn what_is_no_string_is_refused() {
    let escapes = [r"\x", r"\u", r"\u12", r"\u12g4", r"\u+123", r"\u 123", r"\U0041", r"\'", r"\0"];
    let halves =
        [r"\ud800", r"\udc00", r"\ud800a", r"\ud800\n", r"\ud800\ud800", r"\ud800\u0041", r"\udc00\ud800"];
    for text in escapes.into_iter().chain(halves) {
        refused(&format!("\"{text}\""));
        refused(&format!("\"{text}"));
    }
    for control in 0..0x20_u8 {
        refused(&format!("\"{}\"", char::from(control)));
    }
}

#[test]
fn strings_are_written_so_that_they_come_back() {
    assert_eq!(
        to_string(&"\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}\u{e9}".to_owned()),
        "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u0000\\u001f\u{7f}\u{e9}\""
    );
    let all: String = (0..0x300_u32).chain(0xfff0..0x1_0010).filter_map(char::from_u32).collect();
    assert_eq!(string(&to_string(&all)), all);
}

#[test]
fn a_string_without_escapes_is_that_of_the_text() {
    assert!(matches!(parsed(r#""plain""#), Value::Text(Cow::Borrowed("plain"))));
}

#[test]
fn no_text_is_too_deep_for_the_stack() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    parsed(&nested(128));
    assert!(refused(&nested(129)).starts_with("too many levels"));
    refused(&"[".repeat(1_000_000));
    refused(&"{\"a\":".repeat(1_000_000));
    let wide = format!("[{}]", vec!["[[]]"; 1000].join(","));
    parsed(&wide);
}

#[test]
fn errors_name_their_place() {
    assert_eq!(refused("[1,\n  \u{e9}]"), "expected a value at line 2, column 3");
    assert_eq!(refused("\"\u{1f600}\u{e9}\\x\""), "unknown escape at line 1, column 5");
    assert_eq!(refused("{\"a\" 1}"), "expected `:` at line 1, column 6");
    assert_eq!(refused("[1"), "expected `,` or `]` at line 1, column 3");
    assert_eq!(refused(""), "unexpected end at line 1, column 1");
    assert_eq!(refused("1e999 "), "this number is too large at line 1, column 6");
    assert_eq!(refused("1 x"), "unexpected text after the value at line 1, column 3");
}

#[test]
fn of_several_members_of_a_name_the_last_is_taken() {
    assert_eq!(from_str(r#"{"n": null, "c": {}, "n": 2}"#), Ok(ComplexityInput { n: 2.0, custom: None }));
}

#[test]
fn records_are_objects_in_the_order_of_their_fields() {
    let custom = Some(CustomCurve { name: "n^3".to_owned(), value: Some(8.0), problem: None });
    let text = r#"{"n":2.0,"custom":{"name":"n^3","value":8.0,"problem":null}}"#;
    assert_eq!(to_string(&ComplexityInput { n: 2.0, custom: custom.clone() }), text);
    assert_eq!(from_str(text), Ok(ComplexityInput { n: 2.0, custom }));
    assert_eq!(to_string(&ComplexityInput { n: 2.0, custom: None }), r#"{"n":2.0,"custom":null}"#);
}

#[test]
fn another_kind_of_value_is_named() {
    fn error<T: Json + std::fmt::Debug>(text: &str) -> String {
        from_str::<T>(text).map_err(|error: Error| error.to_string()).unwrap_err()
    }
    assert_eq!(error::<u64>("\"1\""), "expected a whole number, found a string");
    assert_eq!(error::<u64>("1.0"), "1.0 is no whole number from 0");
    assert_eq!(error::<u64>("-1"), "-1 is no whole number from 0");
    assert_eq!(error::<u32>("4294967296"), "4294967296 is too large");
    assert_eq!(error::<bool>("0"), "expected a boolean, found a number");
    assert_eq!(error::<String>("null"), "expected a string, found null");
    assert_eq!(error::<f64>("true"), "expected a number, found a boolean");
    assert_eq!(error::<Vec<u64>>("{}"), "expected an array, found an object");
    assert_eq!(error::<Option<u64>>("[]"), "expected a whole number, found an array");
}
