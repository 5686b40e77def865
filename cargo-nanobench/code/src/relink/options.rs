//! The options that a link with layouts may have.
//!
//! With others, a link in two parts could yield another program (`--wrap`, `-T`). Besides, link
//! inputs may come from another machine, and other options start programs
//! (`--error-handling-script`), load them (`--load-pass-plugin`) or write files (`-Map`).

/// Options of one letter, which their values may follow without a space.
const LETTERS: [&str; 4] = ["-L", "-O", "-l", "-z"];
/// All others, without the dashes. Values follow `=`, or are the next argument.
const OPTIONS: &str = "\
    Bdynamic Bstatic E EL S X allow-shlib-undefined as-needed build-id color-diagnostics \
    compress-debug-sections demangle disable-new-dtags discard-all discard-locals dynamic-linker \
    eh-frame-hdr enable-new-dtags export-dynamic export-dynamic-symbol fix-cortex-a53-843419 gc-sections \
    hash-style icf image-base m maarch64linux no-as-needed no-dynamic-linker no-eh-frame-hdr \
    no-export-dynamic no-gc-sections no-pie no-rosegment no-undefined pack-dyn-relocs pie pop-state \
    push-state rpath rpath-link static strip-all strip-debug sysroot threads";

/// Returns whether a link with this argument may have layouts. Values are judged as arguments of
/// their own.
pub(super) fn is_supported(argument: &str) -> bool {
    let has_letter = LETTERS.iter().any(|letter| argument.starts_with(letter));
    let name = argument.split('=').next().unwrap_or_default().trim_start_matches('-');
    // With `@`, further arguments are in a file.
    !argument.starts_with(['-', '@'])
        || has_letter
        || OPTIONS.split_ascii_whitespace().any(|option| option == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_do_more_than_link_are_not_supported() {
        for argument in [
            "-o",
            "-o/tmp/stolen",
            "--output=/tmp/stolen",
            "@/tmp/arguments",
            "-Map=/tmp/map",
            "--Map",
            "--dependency-file=d",
            "--reproduce=r.tar",
            "-plugin",
            "--plugin=p.so",
            "--load-pass-plugin=p.so",
            "-mllvm",
            "-mllvm=-load=p.so",
            "--error-handling-script=/bin/sh",
            "--thinlto-distributor=/bin/sh",
            "--why-extract=w",
            "--print-archive-stats=s",
            "--time-trace=t",
            "--save-temps",
            "-T",
            "-Tscript",
            "--",
            "-",
        ] {
            assert!(!is_supported(argument), "{argument}");
        }
        for argument in
            ["/lib/crtn.o", "now", "-lc", "-L/lib", "-O1", "-znow", "-z", "--icf=all", "-pie", "--pie"]
        {
            assert!(is_supported(argument), "{argument}");
        }
    }
}
