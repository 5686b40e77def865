//! Simulations of the rule with artificial noise. The noise is seeded, so the counts never vary.

mod broken;
mod changed;
mod files;
mod findings;
mod hidden;
mod noise;
mod power;
mod scenarios;
mod simulated;
mod suite;
mod unchanged;
