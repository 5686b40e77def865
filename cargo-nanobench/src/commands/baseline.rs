//! `cargo nanobench baseline list | show NAME | remove NAME`.

mod view;

use crate::baseline::{self, BaselineName, Store};
use crate::cargo::Project;
use crate::cli::{BaselineAction, BaselineArgs};
use crate::error::Error;
use crate::exit::Exit;
use crate::interrupt;
use jiff::Zoned;

/// Does what was asked for with the baselines of the workspace's target directory.
pub(crate) fn run(args: &BaselineArgs) -> Result<Exit, Error> {
    let place = args.action.place();
    let project = Project::load(&place.common, place.target_dir.as_deref())?;
    let store = Store::open(project.target_directory());
    let now = Zoned::now();
    let text = match &args.action {
        BaselineAction::List(_) => view::list(&store.list()?, &now),
        BaselineAction::Show(named) => view::show(&named.name, &store.load(&name(&named.name)?)?, &now),
        BaselineAction::Remove(named) => {
            view::removed(&store.remove(&name(&named.name)?, &interrupt::requested)?, &now)
        }
    };
    anstream::print!("{text}");
    Ok(Exit::Done)
}

fn name(name: &str) -> Result<BaselineName, baseline::Error> {
    Ok(name.parse()?)
}
