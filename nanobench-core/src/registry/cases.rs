//! Collects the rows of a function.

use super::{Case, Label};
use std::collections::HashMap;

/// More rows than this are a mistake, such as a range without an end.
const MOST: usize = 10_000;

/// The rows of a function, as its attribute makes them.
#[derive(Debug, Default)]
pub struct Cases {
    /// Of the types, constants and arguments that we are within.
    labels: Vec<Label>,
    made: Vec<Made>,
    taken: Names,
}

/// A row of a function.
#[derive(Debug)]
pub(crate) struct Made {
    /// The labels, joined by `/`; none for a function of one row.
    pub(crate) case: Option<String>,
    /// The number that the innermost label is, as far as one is.
    pub(crate) number: Option<f64>,
    /// What runs, or why nothing does.
    pub(crate) work: Result<Case, String>,
}

impl Cases {
    /// The rows that `make` adds.
    pub(crate) fn made_by(make: impl FnOnce(&mut Cases)) -> Vec<Made> {
        let mut cases = Cases::default();
        make(&mut cases);
        if cases.made.is_empty() {
            cases.put(Err("there is nothing to run it with".to_owned()));
        }
        cases.made
    }

    /// What `inner` adds is of this type or constant.
    pub fn within(&mut self, label: Label, inner: impl FnOnce(&mut Cases)) {
        self.labels.push(label);
        inner(self);
        self.labels.pop();
    }

    /// Adds what `row` makes of each argument. Arguments live as long as the process.
    pub fn each<A: 'static>(
        &mut self,
        // The compiler shows this line to who gives references to what does not live as long.
        args: impl IntoIterator<Item = A>, // leave out `.iter()`: arguments live as long as the process
        label: fn(&A) -> Option<String>,
        mut row: impl FnMut(&mut Cases, &'static A),
    ) {
        let before = self.made.len();
        for (index, arg) in args.into_iter().enumerate() {
            if index == MOST {
                self.put(Err(format!("it has more than {MOST} arguments; is there an end to them?")));
                return;
            }
            let arg: &'static A = Box::leak(Box::new(arg));
            self.within(Label::of_argument(arg, label(arg), index), |cases| row(cases, arg));
        }
        if self.made.len() == before {
            self.put(Err("there is nothing to run it with: its `args` are empty".to_owned()));
        }
    }

    /// Adds a row.
    pub fn add(&mut self, case: Case) {
        self.put(Ok(case));
    }

    fn put(&mut self, work: Result<Case, String>) {
        let labels: Vec<&str> = self.labels.iter().map(|label| label.text.as_str()).collect();
        let name = (!labels.is_empty()).then(|| labels.join("/"));
        let case = name.map(|name| self.untaken(name));
        let number = self.labels.iter().rev().find_map(|label| label.number);
        self.made.push(Made { case, number, work });
    }

    /// The name, with a number behind it where there is another row of that name.
    fn untaken(&mut self, name: String) -> String {
        self.taken.untaken(name)
    }
}

/// Names of which each is given once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// How often each was asked for.
    asked: HashMap<String, usize>,
}

impl Names {
    /// The name, with a number behind it where it has been given before.
    pub(crate) fn untaken(&mut self, name: String) -> String {
        let mut number = *self.asked.entry(name.clone()).and_modify(|times| *times += 1).or_insert(1);
        let mut untaken = name.clone();
        while number > 1 && self.asked.contains_key(&numbered(&name, number)) {
            number += 1;
        }
        if number > 1 {
            untaken = numbered(&name, number);
            self.asked.insert(name, number);
            self.asked.insert(untaken.clone(), 1);
        }
        untaken
    }
}

fn numbered(name: &str, number: usize) -> String {
    format!("{name}#{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(make: impl FnOnce(&mut Cases)) -> Vec<Option<String>> {
        Cases::made_by(make).into_iter().map(|made| made.case).collect()
    }

    fn text<A: ToString>(arg: &A) -> Option<String> {
        Some(arg.to_string())
    }

    #[test]
    fn one_row_has_no_case() {
        assert_eq!(names(|cases| cases.add(Case::new(|_| {}))), [None]);
    }

    #[test]
    fn labels_are_joined_and_the_innermost_number_counts() {
        let made = Cases::made_by(|cases| {
            cases.within(Label::of_type("u8"), |cases| {
                cases.within(Label::of_const(&16_usize, Some("16".into())), |cases| {
                    cases.each([10, 20], text, |cases, _| cases.add(Case::new(|_| {})));
                    cases.each(["x"], text, |cases, _| cases.add(Case::new(|_| {})));
                });
            });
        });
        let rows: Vec<_> = made.iter().map(|made| (made.case.as_deref().unwrap(), made.number)).collect();
        assert_eq!(rows, [("u8/16/10", Some(10.0)), ("u8/16/20", Some(20.0)), ("u8/16/x", Some(16.0))]);
    }

    #[test]
    fn rows_of_one_name_are_numbered() {
        let each = |cases: &mut Cases| {
            cases.each(["a", "a", "a#2", "a"], text, |cases, _| cases.add(Case::new(|_| {})));
        };
        let names: Vec<_> = names(each).into_iter().map(Option::unwrap).collect();
        assert_eq!(names, ["a", "a#2", "a#2#2", "a#3"]);
    }

    #[test]
    fn no_arguments_and_no_end_of_them_are_problems() {
        let problem = |args: &mut dyn Iterator<Item = u64>| {
            let row = |cases: &mut Cases, _: &'static u64| cases.add(Case::new(|_| {}));
            let made = Cases::made_by(|cases| cases.each(args, text, row));
            made.into_iter().find_map(|made| made.work.err()).unwrap()
        };
        assert!(problem(&mut std::iter::empty()).contains("empty"));
        assert!(problem(&mut (0..)).contains("more than 10000"));
    }
}
