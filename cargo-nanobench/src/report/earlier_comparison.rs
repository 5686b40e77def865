//! A comparison in the form that is saved with its benchmark.

use super::{ComparedWith, verdict_text};
use crate::earlier_comparison::EarlierComparison;
use crate::experiment::Row;

/// Returns the comparison of a row for reports of the saved run. `None` without a paired run.
pub(crate) fn earlier_comparison(row: &Row, with: Option<&ComparedWith>) -> Option<EarlierComparison> {
    let comparison = row.comparison.as_ref()?;
    let paired = comparison.paired.as_ref()?;
    Some(EarlierComparison {
        baseline: with?.name.clone(),
        sentence: verdict_text::sentence(comparison),
        change: comparison.change.map(|change| change.estimate),
        interval: comparison
            .change
            .and_then(|change| change.known_interval())
            .map(|known| [known.low, known.high]),
        launch_noise: paired.launch_noise,
        ratios: paired.ratios.thinned(),
    })
}
