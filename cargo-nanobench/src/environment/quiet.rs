//! Waiting for a quiet machine: `--wait-quiet`.

use super::load::{Load, Reading};
use std::thread;
use std::time::Duration;

/// How long each look at the machine takes.
const LOOK: Duration = Duration::from_millis(250);
/// So many looks in a row must find it quiet: one may have fallen into a pause of what disturbs.
const IN_A_ROW: usize = 3;

/// How the waiting ended.
#[derive(Debug, PartialEq)]
pub(crate) enum Waited {
    /// It is quiet; how long that took to come.
    Quiet(Duration),
    /// It did not become quiet in time, and this is why.
    Busy(String),
    /// Ctrl-C.
    Interrupted,
    /// The system doesn't tell.
    NotKnown,
}

/// Waits until nothing disturbs. `busy` is called once with what does, where something does.
pub(crate) fn wait(patience: Duration, busy: impl FnMut(&str), interrupted: impl Fn() -> bool) -> Waited {
    let look = || {
        let before = Reading::now()?;
        thread::sleep(LOOK);
        before.until(&Reading::now()?)
    };
    wait_with(look, patience, busy, interrupted)
}

fn wait_with(
    mut look: impl FnMut() -> Option<Load>,
    patience: Duration,
    mut busy: impl FnMut(&str),
    interrupted: impl Fn() -> bool,
) -> Waited {
    let (mut waited, mut in_a_row, mut last) = (Duration::ZERO, 0, None);
    loop {
        if interrupted() {
            return Waited::Interrupted;
        }
        let Some(load) = look() else { return Waited::NotKnown };
        waited += LOOK;
        match load.disturbance() {
            None => in_a_row += 1,
            Some(disturbance) => {
                in_a_row = 0;
                if last.is_none() {
                    busy(&disturbance);
                }
                last = Some(disturbance);
            }
        }
        if in_a_row == IN_A_ROW {
            return Waited::Quiet(waited);
        }
        // Looks that are quiet so far may go on beyond the end.
        match &last {
            Some(disturbance) if waited >= patience && in_a_row == 0 => {
                return Waited::Busy(disturbance.clone());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::load::tests::load;
    use super::*;

    /// Waits for at most 2 s while others take these shares, look after look. What was said on the way comes, too.
    fn waited(shares: &[f64]) -> (Waited, Vec<String>) {
        let (mut shares, mut said) = (shares.iter(), Vec::new());
        let look = || shares.next().map(|&share| load(share));
        let patience = Duration::from_secs(2);
        let end = wait_with(look, patience, |disturbance| said.push(disturbance.to_owned()), || false);
        (end, said)
    }

    #[test]
    fn a_quiet_machine_costs_three_looks_and_no_word() {
        assert_eq!(waited(&[0.0, 0.1, 0.0]), (Waited::Quiet(3 * LOOK), Vec::new()));
    }

    #[test]
    fn pauses_of_what_disturbs_are_not_taken_for_quiet() {
        let (end, said) = waited(&[0.9, 0.0, 0.5, 0.0, 0.0, 0.0]);
        assert_eq!(end, Waited::Quiet(6 * LOOK));
        assert_eq!(said, ["others keep 1.8 of 2 cores busy"], "said once");
    }

    #[test]
    fn it_is_given_up_after_the_time() {
        let (end, said) = waited(&[0.5; 20]);
        assert_eq!(end, Waited::Busy("others keep 1.0 of 2 cores busy".to_owned()));
        assert_eq!(said.len(), 1);
    }

    #[test]
    fn no_reading_and_an_interrupt_end_it() {
        assert_eq!(waited(&[]).0, Waited::NotKnown);
        assert_eq!(waited(&[0.9]).0, Waited::NotKnown, "and none later");
        let end = wait_with(|| Some(load(0.9)), LOOK, |_| (), || true);
        assert_eq!(end, Waited::Interrupted);
    }
}
