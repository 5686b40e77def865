//! What is kept of links while cargo builds, and what is linked again.

use nanobench_tests::Fixture;

#[test]
fn a_build_script_sees_nothing_of_the_interception() {
    let fixture = Fixture::to_edit("native");
    let commands = || [fixture.nanobench("--samples 1 --no-compare"), fixture.cargo("bench --no-run")];
    for command in commands() {
        command.run().exits(0).says("Compiling native");
    }
    for command in commands() {
        command.run().exits(0).never_says("Compiling native");
    }
}
