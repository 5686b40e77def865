//! Tests on made-up trees of system files.

use super::*;
use std::cell::Cell;
use std::fs;
use tempfile::TempDir;

const CPU: &str = "sys/devices/system/cpu";

/// Returns a machine with two cores of two processors each.
fn machine() -> TempDir {
    let temp = TempDir::new().unwrap();
    let write = |path: &str, text: &str| {
        let path = temp.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for (processor, siblings) in [(0, "0,2"), (1, "1,3"), (2, "0,2"), (3, "1,3")] {
        let folder = format!("{CPU}/cpu{processor}");
        write(&format!("{folder}/cpufreq/scaling_governor"), "powersave\n");
        write(&format!("{folder}/cpufreq/scaling_available_governors"), "performance powersave\n");
        write(&format!("{folder}/topology/thread_siblings_list"), siblings);
        write(&format!("{folder}/online"), "1\n");
    }
    write(&format!("{CPU}/intel_pstate/no_turbo"), "0\n");
    write("proc/sys/kernel/random/boot_id", "first\n");
    temp
}

fn values(root: &Path) -> Vec<String> {
    linux::Sysfs::below(root, None).settings().into_iter().map(|setting| setting.now).collect()
}

const BEFORE: [&str; 7] = ["powersave", "powersave", "powersave", "powersave", "0", "1", "1"];
const TUNED: [&str; 7] = ["performance", "performance", "performance", "performance", "1", "0", "0"];

#[test]
fn settings_are_shown_changed_and_restored() {
    let temp = machine();
    let system = system(temp.path(), None);
    let tuner = Tuner::new(&*system, temp.path());
    assert_eq!(values(temp.path()), BEFORE);
    assert!(!tuner.restore().unwrap());
    assert!(lasting_effect(&system.settings()).unwrap().contains("affinities"));
    assert_eq!(tuner.apply().unwrap().len(), 7);
    assert_eq!(lasting_effect(&system.settings()), None);
    assert_eq!(values(temp.path()), TUNED);
    assert!(tuner.is_applied());
    assert!(tuner.apply().unwrap().is_empty(), "again");
    assert!(!tuner.recover().unwrap(), "the user keeps them");
    assert!(tuner.restore().unwrap());
    assert_eq!(values(temp.path()), BEFORE);
    assert!(!tuner.is_applied());
    let table = table(&system.settings());
    assert!(table.contains("governor              powersave  performance  4 files"), "{table}");
    assert!(json(&system.settings(), &[2], false).unwrap().contains("\"tuned\": \"performance\""));
}

#[test]
fn the_power_scheme_is_chosen_named_and_restored() {
    let temp = machine();
    let root = temp.path();
    let file = |name: &str| root.join(format!("{CPU}/cpu0/cpufreq/{name}"));
    fs::write(file("energy_performance_preference"), "default\n").unwrap();
    let now = || {
        let read = |name: &str| fs::read_to_string(file(name)).unwrap().trim().to_owned();
        (read("scaling_governor"), read("energy_performance_preference"))
    };
    let of = |governor: &str, preference: &str| (governor.to_owned(), preference.to_owned());
    assert_eq!(scheme(root), None, "the preference is that of no scheme");
    for (word, wanted, _) in Scheme::ALL {
        let system = system(root, Some(wanted));
        assert!(!Tuner::new(&*system, root).apply().unwrap().is_empty(), "{word}");
        assert_eq!(scheme(root), Some(word));
        let expected = match wanted {
            Scheme::Performance => of("performance", "default"),
            Scheme::Balanced => of("powersave", "balance_performance"),
            Scheme::Saving => of("powersave", "power"),
        };
        assert_eq!(now(), expected);
        assert_eq!(values(root)[4..], BEFORE[4..], "nothing else is changed");
    }
    let system = system(root, None);
    assert!(Tuner::new(&*system, root).restore().unwrap());
    assert_eq!(now(), of("powersave", "default"), "as before the first of them");
}

#[test]
fn a_desktop_without_hints_is_balanced_by_its_governor() {
    let temp = machine();
    for processor in 0..4 {
        let available = format!("{CPU}/cpu{processor}/cpufreq/scaling_available_governors");
        fs::write(temp.path().join(available), "ondemand powersave performance schedutil").unwrap();
    }
    assert_eq!(scheme(temp.path()), Some("saving"));
    let system = system(temp.path(), Some(Scheme::Balanced));
    assert_eq!(Tuner::new(&*system, temp.path()).apply().unwrap()[0].wanted, "schedutil");
    assert_eq!(scheme(temp.path()), Some("balanced"));
}

#[test]
fn a_run_restores_at_its_end_unless_the_user_has_tuned() {
    let temp = machine();
    let system = system(temp.path(), None);
    let tuner = Tuner::new(&*system, temp.path());
    let run = tuner.apply_for_this_process().unwrap();
    assert_eq!((values(temp.path()), run.changed.len()), (TUNED.map(str::to_owned).to_vec(), 7));
    assert!(matches!(tuner.apply(), Err(Error::InUse)), "the run holds the lock");
    assert!(!tuner.recover().unwrap(), "the run has not been killed");
    drop(run);
    assert_eq!(values(temp.path()), BEFORE);
    tuner.apply().unwrap();
    drop(tuner.apply_for_this_process().unwrap());
    assert_eq!(values(temp.path()), TUNED);
}

/// A system on which nothing happens after a number of changes, like after a kill.
struct Killed {
    system: linux::Sysfs,
    changes_left: Cell<usize>,
}

impl System for Killed {
    fn settings(&self) -> Vec<Setting> {
        self.system.settings()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.system.get(key)
    }

    fn set(&self, key: &str, value: &str) -> io::Result<()> {
        match self.changes_left.get() {
            0 => Ok(()),
            left => {
                self.changes_left.set(left - 1);
                self.system.set(key, value)
            }
        }
    }

    fn boot(&self) -> Option<String> {
        self.system.boot()
    }
}

#[test]
fn the_next_call_restores_what_a_killed_run_has_left() {
    for changes in 0..=7 {
        let temp = machine();
        let killed =
            Killed { system: linux::Sysfs::below(temp.path(), None), changes_left: Cell::new(changes) };
        let tuner = Tuner::new(&killed, temp.path());
        // A killed process drops nothing, but the system frees its lock.
        let lock = tuner.file.lock().unwrap();
        tuner.change(Owner::Process).unwrap();
        drop(lock);
        let changed = values(temp.path()).iter().zip(BEFORE).filter(|(now, before)| now != before).count();
        assert_eq!(changed, changes);
        let system = system(temp.path(), None);
        let next = Tuner::new(&*system, temp.path());
        assert!(next.recover().unwrap(), "after {changes} changes");
        assert_eq!(values(temp.path()), BEFORE, "after {changes} changes");
        assert!(!next.recover().unwrap());
    }
}

#[test]
fn a_kill_while_restoring_is_repaired_as_well() {
    let temp = machine();
    let system = system(temp.path(), None);
    let tuner = Tuner::new(&*system, temp.path());
    tuner.apply().unwrap();
    // After two of seven.
    for (path, value) in [("cpu3/online", "1"), ("cpu2/online", "1")] {
        system.set(&format!("{CPU}/{path}"), value).unwrap();
    }
    assert!(tuner.restore().unwrap());
    assert_eq!(values(temp.path()), BEFORE);
}

#[test]
fn a_setting_that_cannot_be_changed_changes_nothing() {
    let temp = machine();
    let real = linux::Sysfs::below(temp.path(), None);
    let mut settings = real.settings();
    settings[3].is_writable = false;
    let system = Fixed { real, settings };
    let tuner = Tuner::new(&system, temp.path());
    assert!(matches!(tuner.apply(), Err(Error::NotAllowed { .. })));
    assert_eq!(values(temp.path()), BEFORE);
    assert!(!tuner.is_applied());
}

/// A system with these settings.
struct Fixed {
    real: linux::Sysfs,
    settings: Vec<Setting>,
}

impl System for Fixed {
    fn settings(&self) -> Vec<Setting> {
        self.settings.clone()
    }

    fn get(&self, key: &str) -> Option<String> {
        self.real.get(key)
    }

    fn set(&self, key: &str, value: &str) -> io::Result<()> {
        self.real.set(key, value)
    }

    fn boot(&self) -> Option<String> {
        self.real.boot()
    }
}

#[test]
fn after_a_restart_there_is_nothing_to_restore() {
    let temp = machine();
    let system = system(temp.path(), None);
    let tuner = Tuner::new(&*system, temp.path());
    tuner.apply().unwrap();
    fs::write(temp.path().join("proc/sys/kernel/random/boot_id"), "second\n").unwrap();
    assert!(!tuner.is_applied());
    assert!(!tuner.restore().unwrap());
    assert_eq!(values(temp.path()), TUNED, "they are of this boot");
}

#[test]
fn a_damaged_record_is_reported() {
    let temp = machine();
    let system = system(temp.path(), None);
    let tuner = Tuner::new(&*system, temp.path());
    tuner.apply().unwrap();
    fs::write(temp.path().join("var/lib/cargo-nanobench/tuned.json"), "{").unwrap();
    assert!(matches!(tuner.restore(), Err(Error::Damaged { .. })));
}
