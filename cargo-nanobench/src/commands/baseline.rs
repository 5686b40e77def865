//! `cargo nanobench baseline`: a line or a table for each thing that can be done with saved runs.

pub(crate) mod compare;
mod saved;
mod view;

use crate::baseline::{self, BaselineName, BaselineRef, PruneRule, Store};
use crate::cargo::Project;
use crate::cli::{BaselineAction, BaselineArgs, PruneArgs};
use crate::error::Error;
use crate::exit::Exit;
use crate::{interrupt, output};
use jiff::Zoned;
use std::io;

/// Does what was asked for with the baselines of the workspace's target directory.
pub(crate) fn run(args: &BaselineArgs) -> Result<Exit, Error> {
    let place = args.action.place();
    let project = Project::load(&place.common, place.target_dir.as_deref())?;
    let store = Store::open(project.target_directory());
    let now = Zoned::now();
    let text = match &args.action {
        BaselineAction::Compare(args) => {
            return Ok(compare::run(args, project.root(), &store)?);
        }
        BaselineAction::List(args) if args.printed.is_json() => {
            return Ok(json(&saved::list(&store.list()?)?)?);
        }
        BaselineAction::List(_) => view::list(&store.list()?, &now),
        BaselineAction::Show(args) => {
            let place = read(&args.named.name)?;
            let saved = store.load(&place)?;
            if args.printed.is_json() {
                return Ok(json(&saved::show(place.title(), &saved.baseline)?)?);
            }
            view::show(&place.title(), &saved, &now)
        }
        BaselineAction::Rename(args) => {
            let (old, new) = (read(&args.old)?, name(&args.new)?);
            view::renamed(&store.rename(&old, &new, &interrupt::requested)?)
        }
        BaselineAction::Remove(named) => {
            let place = read(&named.name)?;
            let removed = store.remove(&place, &interrupt::requested)?;
            view::removed(&removed, &now) + &view::left(&place, &store)
        }
        BaselineAction::Prune(args) => prune(args, &store, &now)?,
        BaselineAction::Export(args) => {
            let place = read(&args.named.name)?;
            view::exported(&store.export(&place, &args.file, &interrupt::requested)?, &args.file)
        }
        BaselineAction::Import(args) => {
            let name = args.name.as_deref().map(name).transpose()?;
            let lock = store.lock(&interrupt::requested)?;
            view::imported(&lock.import(&args.file, name.as_ref(), args.use_executables)?, &now)
        }
    };
    output::print(&text)?;
    Ok(Exit::Done)
}

fn json(document: &str) -> io::Result<Exit> {
    output::print_json(document).map(|()| Exit::Done)
}

fn prune(args: &PruneArgs, store: &Store, now: &Zoned) -> Result<String, Error> {
    let rule = PruneRule { keep: args.keep, older_than: args.older_than };
    let listed = store.list()?;
    if rule.select(&listed, now)?.is_empty() || args.dry_run {
        return Ok(view::would_prune(&rule.select(&listed, now)?, now));
    }
    let lock = store.lock(&interrupt::requested)?;
    // A run that held the lock may have saved something.
    let listed = store.list()?;
    let removed = lock.remove_all(rule.select(&listed, now)?)?;
    Ok(removed.iter().map(|removed| view::removed(removed, now)).collect())
}

/// A baseline, the one before it, or the last run.
fn read(name: &str) -> Result<BaselineRef, baseline::Error> {
    Ok(name.parse()?)
}

fn name(name: &str) -> Result<BaselineName, baseline::Error> {
    Ok(name.parse()?)
}
