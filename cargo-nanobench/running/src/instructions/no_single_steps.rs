//! Systems without single steps.

use super::Error;
use super::call::Executions;
use crate::session::RequestError;
use std::time::{Duration, Instant};

pub(super) fn trace(
    _process: u32,
    _deadline: Instant,
    _time: Option<Duration>,
    _send: impl FnOnce() -> Result<(), RequestError> + Send,
) -> Result<Vec<Executions>, Error> {
    Err(Error::NoSingleSteps)
}
