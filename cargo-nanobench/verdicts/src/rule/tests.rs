//! Simulations of the rule with artificial noise. The noise is seeded, so the counts never vary.

mod files;
mod hidden;
mod noise;
mod power;
mod scenarios;
mod simulated;
mod suite;
mod unchanged;
