//! Processes that start before it is certain that they are needed.

use super::{Session, SessionOptions, StartingSession};
use crate::cargo::Executable;

/// The most processes to start early.
const MAX_PROCESSES: usize = 4;

/// Processes of executables that a build will probably find again. They connect and wait, and run no
/// benchmark until they are asked to. Those that nobody takes are ended.
#[derive(Debug, Default)]
pub struct EarlySessions<'a>(Vec<StartingSession<'a>>);

impl<'a> EarlySessions<'a> {
    /// Starts a process of each executable, if there are only a few. Programs around them and their
    /// output would be visible, and a `main` of the user's own may do anything.
    pub fn start(executables: &'a [Executable], options: &SessionOptions) -> EarlySessions<'a> {
        let is_silent = options.wrapper.is_empty() && !options.nocapture;
        if !is_silent || executables.len() > MAX_PROCESSES {
            return EarlySessions::default();
        }
        let starting = executables.iter().filter(|executable| executable.enters_by_test());
        EarlySessions(
            starting.filter_map(|executable| Session::spawn_in_layout(executable, options).ok()).collect(),
        )
    }

    /// Returns the process of this executable, if there is one.
    pub fn take(&mut self, executable: &Executable) -> Option<StartingSession<'a>> {
        let place = self.0.iter().position(|starting| starting.executable == executable)?;
        Some(self.0.swap_remove(place))
    }
}

impl Drop for EarlySessions<'_> {
    fn drop(&mut self) {
        self.0.drain(..).for_each(StartingSession::discard);
    }
}
