//! `cargo nanobench tune`, on a made-up machine.

use nanobench_tests::Fixture;

const GOVERNOR: &str = "machine/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

#[test]
fn settings_are_shown_changed_and_restored() {
    let fixture = Fixture::empty();
    fixture.write(GOVERNOR, "powersave\n");
    fixture.write(GOVERNOR.replace("_governor", "_available_governors"), "performance powersave\n");
    fixture.write("machine/sys/devices/system/cpu/isolated", "1\n");
    let tune = |flags: &str| fixture.nanobench(&format!("tune --root machine {flags}")).run();
    let governor = || std::fs::read_to_string(fixture.path(GOVERNOR)).unwrap();
    if cfg!(not(target_os = "linux")) {
        return;
    }
    tune("").exits(0).prints("powersave").prints("performance").prints("Nothing was changed").prints(": 1");
    let document: serde_json::Value = serde_json::from_str(&tune("--format json").exits(0).stdout()).unwrap();
    assert_eq!(document["settings"][0]["tuned"], "performance");
    assert_eq!(document["is_applied"], false);
    assert_eq!(governor(), "powersave\n");
    tune("--apply").exits(0).prints("1 setting changed");
    assert_eq!(governor(), "performance");
    tune("").exits(0).prints("The settings are tuned");
    tune("--restore").exits(0).prints("The settings are restored");
    assert_eq!(governor(), "powersave");
    tune("--restore").exits(0).prints("Nothing was changed");
    tune("--apply --restore").fails_with(2, "cannot be used with");
    tune("--scheme performance").exits(0).prints("Nothing was changed");
    assert_eq!(governor(), "powersave");
    tune("--apply --scheme performance").exits(0).prints("1 setting changed");
    assert_eq!(governor(), "performance");
    tune("--apply --scheme saving").exits(0);
    assert_eq!(governor(), "powersave");
    tune("--scheme fast").fails_with(2, "[possible values: performance, balanced, saving]");
}
