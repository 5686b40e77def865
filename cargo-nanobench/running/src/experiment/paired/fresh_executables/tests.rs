use super::*;
use std::time::Duration;

/// Writes two executables, and returns their copies.
fn copies_in(folder: &Path) -> FreshExecutables {
    let originals = ["old", "new"].map(|name| folder.join(name));
    for path in &originals {
        fs::write(path, path.to_str().unwrap()).unwrap();
    }
    FreshExecutables::new(originals, Files::Copies, None, false)
}

/// Returns the folder of the copies.
fn folder_of(paths: &[PathBuf; PROCESSES]) -> PathBuf {
    paths[0].parent().unwrap().to_owned()
}

#[test]
fn copies_equal_their_originals_and_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut copies = copies_in(folder.path());
    let mut rng = Rng::with_seed(1);
    let paths = copies.paths(Renewal::IfUsed, &mut rng);
    for (process, path) in paths.iter().enumerate() {
        let original = &copies.originals[process / 2];
        assert_eq!(fs::read_to_string(path).unwrap(), original.to_str().unwrap());
    }
    let again = copies.paths(Renewal::IfUsed, &mut rng);
    assert!(again.iter().all(|path| path.exists()));
    drop(copies);
    assert!(again.iter().all(|path| !path.exists()));
}

#[test]
fn processes_keep_their_files_as_long_as_these_serve() {
    let folder = tempfile::tempdir().unwrap();
    let mut copies = copies_in(folder.path());
    let mut rng = Rng::with_seed(1);
    let mut orders = std::collections::BTreeSet::new();
    let mut generations = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let paths = copies.paths(Renewal::IfUsed, &mut rng);
        copies.made.as_mut().unwrap().time = Duration::from_secs(1_000);
        copies.end_round();
        assert_eq!(copies.paths(Renewal::IfUsed, &mut rng), paths, "in the next round");
        generations.insert(copies.of_block().generation);
        copies.made = None;
        orders.insert(paths.map(|path| path.file_name().unwrap().to_owned()));
    }
    assert_eq!(generations.len(), 100);
    assert_eq!(orders.len(), 4, "two orders on each side: {orders:?}");
}

#[test]
fn both_processes_of_a_pair_have_the_same_layout() {
    let mut rng = Rng::with_seed(1);
    let dealt: std::collections::BTreeSet<_> = (0..50).map(|_| deal(&mut rng, true, false)).collect();
    assert_eq!(dealt.into_iter().collect::<Vec<_>>(), [[0, 1, 2, 3], [1, 0, 3, 2]]);
}

#[test]
fn each_copy_of_identical_executables_runs_on_both_sides() {
    let mut rng = Rng::with_seed(1);
    let dealt: std::collections::BTreeSet<_> = (0..500).map(|_| deal(&mut rng, false, true)).collect();
    assert_eq!(dealt.len(), 24, "all orders of four");
}

#[test]
fn a_round_that_needs_files_of_its_own_leaves_none_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let mut copies = copies_in(folder.path());
    let mut rng = Rng::with_seed(1);
    let usual = folder_of(&copies.paths(Renewal::IfUsed, &mut rng));
    assert!(!copies.of_block().are_spent);
    assert_eq!(
        folder_of(&copies.paths(Renewal::EachRound, &mut rng)),
        usual,
        "each benchmark of a round has them"
    );
    assert!(copies.of_block().are_spent, "no other round will");
    copies.end_round();
    assert_ne!(folder_of(&copies.paths(Renewal::IfUsed, &mut rng)), usual);
    assert!(!usual.exists());
    copies.made.as_mut().unwrap().time = Duration::from_secs(1);
    copies.paths(Renewal::EachRound, &mut rng);
    assert!(!copies.of_block().are_spent, "too expensive for a round");
}

#[test]
fn originals_run_if_copying_fails() {
    let originals = ["/nowhere/old", "/nowhere/new"].map(PathBuf::from);
    let mut copies = FreshExecutables::new(originals, Files::Copies, None, false);
    let paths = copies.paths(Renewal::IfUsed, &mut Rng::with_seed(1));
    assert_eq!(paths[1], Path::new("/nowhere/old"));
    assert_eq!(paths[2], Path::new("/nowhere/new"));
    let first = copies.of_block();
    copies.end_round();
    copies.paths(Renewal::EachRound, &mut Rng::with_seed(1));
    let next = copies.of_block();
    assert!(!first.are_spent && !next.are_spent, "they serve all blocks");
    assert_eq!(first.generation, next.generation);
}

#[test]
fn nothing_is_copied_if_originals_are_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let originals = copies_in(folder.path()).originals;
    let mut files = FreshExecutables::new(originals.clone(), Files::Originals, None, false);
    let mut rng = Rng::with_seed(1);
    let [old, new] = originals;
    assert_eq!(files.paths(Renewal::IfUsed, &mut rng), [old.clone(), old, new.clone(), new]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert!(files.of_block().are_spent, "each pair counts");
}
