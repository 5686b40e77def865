//! `cargo nanobench baseline`: one action on saved runs.

pub(crate) mod list;
pub(crate) mod view;

use super::error::Error;
use super::saved;
use crate::baseline::{self, BaselineName, BaselineRef, PruneRule, Store};
use crate::cargo::Project;
use crate::cli::{BaselineAction, BaselineArgs, PruneArgs};
use crate::exit::Exit;
use crate::experiment::Gate;
use crate::report::{self, Report};
use crate::revision::{self, RevisionFolder};
use crate::{interrupt, output};
use jiff::Zoned;
use std::io;
use std::path::Path;

/// Does the action with the baselines of the workspace's target directory.
pub(super) fn run(args: &BaselineArgs) -> Result<Exit, Error> {
    let store_args = args.action.store();
    let project = Project::load(&store_args.common.options(), store_args.target_dir.as_deref())?;
    let store = Store::open(project.target_directory(), project.root());
    let now = Zoned::now();
    let text = match &args.action {
        BaselineAction::List { format, .. } => {
            let listed = store.list()?;
            let revisions = kept_for(project.target_directory());
            if format.is_json() {
                return Ok(print_json(&list::json(&listed, &revisions)?)?);
            }
            view::list(&listed, &now, output::width()) + &view::total(&listed, &revisions)
        }
        BaselineAction::Show { named, stats, format } => {
            let saved = saved::load(&store, &named.name)?;
            let run = saved::alone(&saved, &Gate::default());
            if format.is_json() {
                let workspace = project.root().to_owned();
                let report = Report { runs: vec![run], scale_to: None, workspace };
                return Ok(print_json(&report::json(&report).map_err(io::Error::from)?)?);
            }
            let figures = match stats {
                true => view::statistics(&run, named.store.common.options().verbose > 0),
                false => view::benchmarks(&saved.1.baseline),
            };
            view::show(&saved.0.title(), &saved.1, &now) + &figures
        }
        BaselineAction::Rename { old, new, .. } => {
            let (old, new) = (parse_ref(old)?, parse_name(new)?);
            view::renamed(&store.rename(&old, &new, &interrupt::requested)?)
        }
        BaselineAction::Remove { name, .. } => {
            let baseline = parse_ref(name)?;
            let removed = store.remove(&baseline, &interrupt::requested)?;
            view::removed(&removed, &now) + &view::remaining_version(&baseline, &store)
        }
        BaselineAction::Prune(args) => prune(args, &store, project.target_directory(), &now)?,
        BaselineAction::Export { named, file } => {
            let baseline = parse_ref(&named.name)?;
            view::exported(&store.export(&baseline, file, &interrupt::requested)?, file)
        }
        BaselineAction::Import { file, name, use_executables, large, .. } => {
            let name = name.as_deref().map(parse_name).transpose()?;
            let lock = store.lock(&interrupt::requested)?;
            view::imported(&lock.import(file, name.as_ref(), *use_executables, *large)?, &now)
        }
    };
    output::print(&text)?;
    Ok(Exit::Success)
}

fn print_json(document: &str) -> io::Result<Exit> {
    output::print_json(document).map(|()| Exit::Success)
}

/// Returns the builds of revisions for a target directory.
fn kept_for(target_directory: &Path) -> Vec<RevisionFolder> {
    revision::kept().into_iter().filter(|revision| revision.is_of(target_directory)).collect()
}

fn prune(args: &PruneArgs, store: &Store, target_directory: &Path, now: &Zoned) -> Result<String, Error> {
    let rule = PruneRule { keep: args.keep, older_than: args.older_than };
    let prunable = || {
        if args.revisions {
            return Ok(Vec::new());
        }
        let mut all = store.list()?;
        all.extend(store.listed_previous_run());
        Ok::<_, baseline::Error>(all)
    };
    let listed = prunable()?;
    let revisions = || rule.select_others(kept_for(target_directory), RevisionFolder::last_used, now);
    let (chosen, chosen_revisions) = (rule.select(&listed, now)?, revisions()?);
    if chosen.is_empty() && chosen_revisions.is_empty() || args.dry_run {
        return Ok(view::would_prune(&chosen, &chosen_revisions, now));
    }
    let lock = store.lock(&interrupt::requested)?;
    // A run that held the lock may have saved something.
    let listed = prunable()?;
    let removed = lock.remove_all(rule.select(&listed, now)?)?;
    let mut text: String = removed.iter().map(|removed| view::removed(removed, now)).collect();
    for revision in revisions()? {
        let line = view::removed_revision(&revision, now);
        revision.remove()?;
        text += &line;
    }
    Ok(text)
}

/// Parses the name of a baseline, its previous version, or the last run.
fn parse_ref(name: &str) -> Result<BaselineRef, baseline::Error> {
    Ok(name.parse()?)
}

fn parse_name(name: &str) -> Result<BaselineName, baseline::Error> {
    Ok(name.parse()?)
}
