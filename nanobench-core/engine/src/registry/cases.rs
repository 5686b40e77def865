//! Collects the rows of a function.

use super::{Case, Label};

/// More arguments than this are a mistake, such as a range without an end.
const MAX_ARGUMENTS: usize = 10_000;

/// Collector of a function's rows, to which the code of its attribute adds them.
#[derive(Debug, Default)]
pub struct Cases {
    /// Labels of the types, constants and arguments of the rows that are being added.
    labels: Vec<Label>,
    rows: Vec<LabeledCase>,
}

/// A row of a function with its labels.
#[derive(Debug)]
pub(crate) struct LabeledCase {
    /// From the outermost in. Empty for a function of one row.
    pub(crate) labels: Vec<String>,
    /// The innermost label that is a number.
    pub(crate) size: Option<SizeLabel>,
    /// The code to run, or the reason why there is none.
    pub(crate) case: Result<Case, String>,
}

/// A label that is a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SizeLabel {
    /// Index among the labels of the row.
    pub(crate) index: usize,
    /// The number.
    pub(crate) value: f64,
}

impl Cases {
    /// Returns the rows that `add_rows` adds.
    pub(crate) fn collect(add_rows: impl FnOnce(&mut Cases)) -> Vec<LabeledCase> {
        let mut cases = Cases::default();
        add_rows(&mut cases);
        if cases.rows.is_empty() {
            cases.push(Err("there is nothing to run it with".to_owned()));
        }
        cases.rows
    }

    /// Gives the label of a type or constant to the rows that `inner` adds.
    pub fn within(&mut self, label: Label, inner: impl FnOnce(&mut Cases)) {
        self.labels.push(label);
        inner(self);
        self.labels.pop();
    }

    /// Calls `row` for each argument, to add its rows. Arguments live as long as the process.
    /// `label` gets an argument and its index.
    pub fn each<A: 'static>(
        &mut self,
        // The compiler shows this line for arguments that are references to something
        // shorter-lived.
        args: impl IntoIterator<Item = A>, // leave out `.iter()`: arguments live as long as the process
        label: fn(&'static A, usize) -> Label,
        mut row: impl FnMut(&mut Cases, &'static A),
    ) {
        let before = self.rows.len();
        for (index, arg) in args.into_iter().enumerate() {
            if index == MAX_ARGUMENTS {
                self.push(Err(format!(
                    "it has more than {MAX_ARGUMENTS} arguments; is there an end to them?"
                )));
                return;
            }
            let arg: &'static A = Box::leak(Box::new(arg));
            self.within(label(arg, index), |cases| row(cases, arg));
        }
        if self.rows.len() == before {
            self.push(Err("there is nothing to run it with: its `args` are empty".to_owned()));
        }
    }

    /// Adds a row.
    pub fn add(&mut self, case: Case) {
        self.push(Ok(case));
    }

    fn push(&mut self, case: Result<Case, String>) {
        let (mut labels, mut size) = (Vec::new(), None);
        for (index, label) in self.labels.iter().enumerate() {
            labels.push(label.text.clone());
            // The last number is the size.
            size = label.number.map(|value| SizeLabel { index, value }).or(size);
        }
        self.rows.push(LabeledCase { labels, size, case });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label<A: ToString>(arg: &'static A, index: usize) -> Label {
        Label::from_value(arg, Some(arg.to_string()), index)
    }

    #[test]
    fn one_row_has_no_labels() {
        let rows = Cases::collect(|cases| cases.add(Case::new(|_| {})));
        assert_eq!((rows.len(), rows[0].labels.len(), rows[0].size), (1, 0, None));
    }

    #[test]
    fn the_innermost_number_is_the_size() {
        let rows = Cases::collect(|cases| {
            cases.within(Label::from_type("u8"), |cases| {
                cases.within(Label::from_value(&16_usize, Some("16".into()), 0), |cases| {
                    cases.each([10, 20], label, |cases, _| cases.add(Case::new(|_| {})));
                    cases.each(["x"], label, |cases, _| cases.add(Case::new(|_| {})));
                });
            });
        });
        let rows: Vec<_> = rows.iter().map(|row| (row.labels.join(" "), row.size)).collect();
        let size = |index, value| Some(SizeLabel { index, value });
        let expected = [("u8 16 10", size(2, 10.0)), ("u8 16 20", size(2, 20.0)), ("u8 16 x", size(1, 16.0))];
        assert_eq!(rows, expected.map(|(labels, size)| (labels.to_owned(), size)));
    }

    #[test]
    fn no_arguments_and_no_end_of_them_are_problems() {
        let problem = |args: &mut dyn Iterator<Item = u64>| {
            let row = |cases: &mut Cases, _: &'static u64| cases.add(Case::new(|_| {}));
            let rows = Cases::collect(|cases| cases.each(args, label, row));
            rows.into_iter().find_map(|row| row.case.err()).unwrap()
        };
        assert!(problem(&mut std::iter::empty()).contains("empty"));
        assert!(problem(&mut (0..)).contains("more than 10000"));
    }
}
