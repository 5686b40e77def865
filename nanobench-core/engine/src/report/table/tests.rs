//! Tables that are made by hand.

use super::*;

#[test]
fn rows_are_below_their_package_and_group() {
    let rows = [("a", "one"), ("a", "two"), ("b", "three")];
    let mut table = Table::new(&[Column { title: "time/op", width: 8 }], rows, NameFit::default());
    let mut text = table.headings("a", "first");
    text += &table.row("one", &["1.00 ns".into()]);
    text += &table.headings("a", "first");
    text += &table.remark_row("two", "failed: boom");
    text += &table.headings("b", "first");
    text += &table.row("three", &["3.00 us".into()]);
    let expected = "\
a                  time/op
  first
    one            1.00 ns
    two            failed: boom

b                  time/op
  first
    three          3.00 us
";
    assert_eq!(text, expected);
}

#[test]
fn cases_are_below_their_function() {
    let names = ["walk", "  cold", "  100", "  1000"];
    let mut table = Table::new(
        &[Column { title: "time/op", width: 8 }],
        names.map(|name| ("a", name)),
        NameFit::default(),
    );
    let mut text = table.headings("a", "first");
    for (function, case) in
        [("walk", None), ("walk", Some("cold")), ("sort", Some("100")), ("sort", Some("1000"))]
    {
        text += &table.headings("a", "first");
        let labels = case.into_iter().map(str::to_owned).collect();
        let id = RowId { function: function.to_owned(), labels, ..RowId::default() };
        text += &table.function_heading(&id);
        text += &table.row(&Table::row_name(&id), &["1.00 ns".into()]);
    }
    let expected = "\
a                  time/op
  first
    walk           1.00 ns
      cold         1.00 ns
    sort
      100          1.00 ns
      1000         1.00 ns
";
    assert_eq!(text, expected);
}

#[test]
fn a_group_may_have_columns_of_its_own() {
    let mut table = Table::new(
        &[Column { title: "time/op", width: 8 }],
        [("a", "one"), ("a", "two")],
        NameFit::default(),
    );
    let own = [Column { title: "byte/s", width: 9 }];
    let mut text = table.headings_with_columns("a", "first", &own);
    text += &table.row("one", &["1.00 ns".into(), "3.20 GB/s".into()]);
    text += &table.headings("a", "second");
    text += &table.row("two", &["1.00 ns".into()]);
    let expected = "\
a                  time/op
  first                        byte/s
    one            1.00 ns  3.20 GB/s
  second
    two            1.00 ns
";
    assert_eq!(text, expected);
}

#[test]
fn styles_take_no_width() {
    let column = [Column { title: "time/op", width: 8 }];
    let headings = |styles| {
        let mut table = Table::new(&column, [("a", "one")], NameFit::default()).with_styles(styles);
        table.headings_with_columns("a", "first", &column)
    };
    let styled = headings(Styles::TERMINAL);
    assert!(styled.starts_with("\x1b[1ma\x1b[0m"), "{styled:?}");
    let plain = ["\x1b[1m", "\x1b[2m", "\x1b[0m"].iter().fold(styled, |text, style| text.replace(style, ""));
    assert_eq!(plain, headings(Styles::default()));
}

#[test]
fn long_names_lose_their_middle_and_wide_characters_take_two_columns() {
    // All characters but those of ASCII take two columns.
    let width = |text: &str| text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let names = [("a", "two"), ("a", "二つ"), ("a", "collect/Vec<alloc::string::String>/1000")];
    let text = |max_width, longer| {
        let fit = NameFit { width, max_width, longer };
        let mut table = Table::new(&[Column { title: "time/op", width: 8 }], names, fit);
        let own = [Column { title: "peak", width: 6 }];
        let mut text = table.headings_with_columns("a", "a_group_of_a_long_name", &own);
        for (_, name) in names {
            text += &table.row(name, &["1.00 ns".into(), "24 B".into()]);
        }
        text + &table.remark_row(names[2].1, "failed")
    };
    let expected = "\
a                          time/op
  a_group_of_a_long_name              peak
    two                    1.00 ns    24 B
    二つ                   1.00 ns    24 B
    collect..tring>/1000   1.00 ns    24 B
    collect..tring>/1000   failed
";
    assert_eq!(text(24, LongerNames::Shortened), expected);
    let expected = "\
a                  time/op
  a_group_of_a_long_name      peak
    two            1.00 ns    24 B
    二つ           1.00 ns    24 B
    collect/Vec<alloc::string::String>/1000
                   1.00 ns    24 B
    collect/Vec<alloc::string::String>/1000
                   failed
";
    assert_eq!(text(24, LongerNames::OnOwnLine(80)), expected);
    let cut = expected.replace("    collect/Vec<alloc::string::String>/1000", "    collect/V..String>/1000");
    assert_eq!(text(24, LongerNames::OnOwnLine(27)), cut);
}
