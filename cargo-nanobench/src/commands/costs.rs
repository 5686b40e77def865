//! `cargo nanobench costs`: the built-in benchmarks.

use super::error::Error;
use super::run::{self, BaselineNames, RunOptions, ScaleTo, Source};
use crate::cli::{CostsArgs, RunArgs};
use crate::costs;
use crate::exit::Exit;
use crate::{interrupt, output, warnings};
use nanobench::report::escape;
use std::fs;

/// Runs the benchmarks of the named areas, or of all.
pub(super) fn run(args: &CostsArgs) -> Result<Exit, Error> {
    let flags = args.run_args();
    warnings::suppress_if(flags.output.no_warnings);
    interrupt::watch();
    let names = BaselineNames::parse(&flags.compare)?;
    let mut options = RunOptions::resolve(&flags, &RunArgs::default(), names)?;
    options.filter.filters = args.areas.iter().map(|name| costs::filter(name)).collect();
    let unit = || ScaleTo { name: costs::UNIT.to_owned(), is_required: true };
    options.output.scale_to.get_or_insert_with(unit);
    if args.list {
        options.filter.include_ignored = true;
        return list(&options);
    }
    let folder = args.target_dir.clone().or_else(costs::folder).ok_or(Error::NoDataDirectory)?;
    fs::create_dir_all(&folder).map_err(|source| Error::Folder { path: folder.clone(), source })?;
    run::measure(&options, &Source::BuiltIn(folder))
}

/// Prints the selected areas, and what their benchmarks measure.
fn list(options: &RunOptions) -> Result<Exit, Error> {
    let suite = run::open_built_in(options, &std::env::temp_dir())?.1;
    let selected = run::selected(options, None, &suite)?;
    let width = output::width();
    let mut text = String::new();
    for area in costs::AREAS {
        let mut benchmarks = selected.iter().filter(|benchmark| costs::is_in(benchmark, area)).peekable();
        if benchmarks.peek().is_none() {
            continue;
        }
        let named = if area.only_if_named { " (only if named)" } else { "" };
        text += &format!("{}: {}{named}\n", area.name, area.summary);
        for benchmark in benchmarks {
            let description = benchmark.spec.description.replace('\n', " ");
            let line = format!("      {}", escape(&description));
            text +=
                &format!("  {}\n{}\n", escape(&benchmark.name()), output::wrapped(&line, width, "      "));
        }
        text += "\n";
    }
    output::print(&text)?;
    Ok(Exit::Success)
}
