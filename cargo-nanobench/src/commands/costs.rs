//! `cargo nanobench costs`: the built-in benchmarks.

use super::error::Error;
use super::run::{self, IfAbsent, RunOptions, ScaleTo, Source};
use crate::cli::{AsmArgs, CostsAction, CostsArgs, RunArgs, SizesArgs, SizesFormat};
use crate::code::Disassembler;
use crate::costs;
use crate::exit::Exit;
use crate::experiment::SameCode;
use crate::report::assembly;
use crate::style::{HEADING, paint};
use crate::{interrupt, output, warnings};
use nanobench::report::escape;
use std::{fs, io};

/// Runs the benchmarks of the named areas, or of all.
pub(super) fn run(args: &CostsArgs) -> Result<Exit, Error> {
    if let Some(CostsAction::Sizes(args)) = &args.action {
        return sizes(args);
    }
    let flags = args.run_args();
    warnings::suppress_if(flags.output.no_warnings);
    interrupt::watch();
    let mut options = RunOptions::resolve(&flags, &RunArgs::default())?;
    options.is_partial |= !args.areas.is_empty();
    options.suite.filter.filters = args.areas.iter().map(|name| costs::filter(name)).collect();
    options.suite.filter.ignores_case = true;
    // Areas that run only if they are named, or their rows.
    options.suite.filter.include_ignored = args.list || !args.areas.is_empty();
    // With conditions such as `--cache cold`, there is no such row.
    let unit = || ScaleTo { name: costs::UNIT.to_owned(), if_absent: IfAbsent::Ignore };
    options.output.scale_to.get_or_insert_with(unit);
    options.output.columns.cycles = true;
    // Their code is always the same: the machine or its system may differ.
    options.policy.same_code = SameCode::OnOtherMachine;
    if args.list {
        return list(&options);
    }
    if args.source || args.asm {
        return code(&options, args);
    }
    let folder = args.target_dir.clone().or_else(costs::folder).ok_or(Error::NoDataDirectory)?;
    fs::create_dir_all(&folder).map_err(|source| Error::Folder { path: folder.clone(), source })?;
    run::measure(&options, &Source::BuiltIn(folder))
}

/// Prints the selected areas, and what their benchmarks measure.
fn list(options: &RunOptions) -> Result<Exit, Error> {
    let suite = run::open_built_in(&options.suite.session, &std::env::temp_dir())?.1;
    let selected = run::selected(options, None, &suite, |_| false)?;
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

/// Prints the functions of the selected benchmarks with what they need to compile, or their machine
/// code, or both.
fn code(options: &RunOptions, args: &CostsArgs) -> Result<Exit, Error> {
    let suite = run::open_built_in(&options.suite.session, &std::env::temp_dir())?.1;
    let mut selected = run::selected(options, None, &suite, |_| false)?;
    // The rows of a function follow each other.
    selected.dedup_by_key(|benchmark| (benchmark.spec.file.clone(), benchmark.spec.line));
    let mut text = String::new();
    if !args.asm {
        for area in costs::AREAS {
            let of_area = selected.iter().filter(|benchmark| costs::is_in(benchmark, area));
            let lines: Vec<u32> = of_area.map(|benchmark| benchmark.spec.line).collect();
            if !lines.is_empty() {
                let heading = paint(HEADING, &format!("// {}", area.name));
                text += &format!("{heading}\n{}\n", costs::source::standalone(area, &lines));
            }
        }
        output::print(&text)?;
        return Ok(Exit::Success);
    }
    let executable = &suite.harnesses[0].executable.path;
    let disassembler = Disassembler::read(executable).map_err(Error::OwnMachineCode)?;
    for benchmark in &selected {
        let row = &benchmark.id.row;
        text += &paint(HEADING, &escape(&format!("// {}::{}", row.modules, row.function)));
        text.push('\n');
        if args.source {
            let area = costs::AREAS.iter().find(|area| costs::is_in(benchmark, area));
            let function = area.map(|area| costs::source::function(area, benchmark.spec.line));
            text += &format!("{}\n\n", function.unwrap_or_default());
        }
        let assembly = disassembler.assembly(&benchmark.code(), &benchmark.name(), AsmArgs::DEPTH)?;
        text += &format!("{}\n\n", assembly::text(&assembly, None, output::width()).trim_end());
    }
    output::print(&text)?;
    Ok(Exit::Success)
}

/// Prints the sizes of values.
fn sizes(args: &SizesArgs) -> Result<Exit, Error> {
    let sizes = nanobench_costs::sizes::sizes();
    match args.format {
        SizesFormat::Table => output::print(&costs::sizes::table(&sizes))?,
        SizesFormat::Json => output::print_json(&costs::sizes::json(&sizes).map_err(io::Error::from)?)?,
        SizesFormat::Csv => {
            output::print_document(&costs::sizes::csv(&sizes).map_err(io::Error::other)?)?;
        }
        SizesFormat::Markdown => output::print_document(&costs::sizes::markdown(&sizes))?,
    }
    Ok(Exit::Success)
}
