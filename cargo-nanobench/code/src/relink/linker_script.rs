//! Linker scripts in place of libraries: texts that name the files to link.

/// The limit for a script, in bytes.
pub(super) const MAX_SIZE: u64 = 64 << 10;
/// The commands whose values don't matter.
const IGNORED: [&str; 3] = ["OUTPUT_ARCH", "OUTPUT_FORMAT", "TARGET"];

/// Returns the arguments that a script stands for. `None` if it does more than name files.
pub(super) fn arguments(script: &str) -> Option<Vec<String>> {
    let tokens = tokens(script)?;
    let (mut tokens, mut arguments) = (tokens.iter().copied(), Vec::new());
    while let Some(command) = tokens.next() {
        match command {
            ";" => {}
            _ if tokens.next() != Some("(") => return None,
            "INPUT" => list(&mut tokens, &mut arguments)?,
            "GROUP" => {
                arguments.push("--start-group".to_owned());
                list(&mut tokens, &mut arguments)?;
                arguments.push("--end-group".to_owned());
            }
            _ if IGNORED.contains(&command) => {
                tokens.by_ref().find(|token| *token == ")")?;
            }
            _ => return None,
        }
    }
    Some(arguments)
}

/// Reads the files up to the closing parenthesis.
fn list<'s>(tokens: &mut impl Iterator<Item = &'s str>, arguments: &mut Vec<String>) -> Option<()> {
    loop {
        match tokens.next()? {
            ")" => return Some(()),
            "AS_NEEDED" if tokens.next()? == "(" => {
                arguments.extend(["--push-state", "--as-needed"].map(str::to_owned));
                list(tokens, arguments)?;
                arguments.push("--pop-state".to_owned());
            }
            "AS_NEEDED" | "(" | ";" => return None,
            file => arguments.push(file.trim_matches('"').to_owned()),
        }
    }
}

/// Divides a script without its comments into names and punctuation. `None` if a comment or a
/// name doesn't end.
fn tokens(mut script: &str) -> Option<Vec<&str>> {
    let mut tokens = Vec::new();
    loop {
        script = script.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let length = match script.chars().next() {
            None => return Some(tokens),
            Some('/') if script.starts_with("/*") => {
                script = &script[script.find("*/")? + 2..];
                continue;
            }
            Some('(' | ')' | ';') => 1,
            Some('"') => script[1..].find('"')? + 2,
            Some(_) => {
                script.find(|c: char| c.is_whitespace() || "(),;\"".contains(c)).unwrap_or(script.len())
            }
        };
        let (token, rest) = script.split_at(length);
        tokens.push(token);
        script = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_stands_for_the_files_that_it_names() {
        let of = |script: &str| arguments(script).map(|arguments| arguments.join(" "));
        let libc = "/* GNU ld script */\nOUTPUT_FORMAT(elf64-x86-64)\n\
                    GROUP ( /lib/libc.so.6 /lib/libc_nonshared.a  AS_NEEDED ( /lib/ld-linux.so.2 ) )\n";
        let expected = "--start-group /lib/libc.so.6 /lib/libc_nonshared.a --push-state --as-needed \
                        /lib/ld-linux.so.2 --pop-state --end-group";
        assert_eq!(of(libc).as_deref(), Some(expected));
        assert_eq!(of("INPUT(libncurses.so.6,-ltinfo);").as_deref(), Some("libncurses.so.6 -ltinfo"));
        assert_eq!(of("INPUT(\"a b.a\")INPUT(c)").as_deref(), Some("a b.a c"));
        assert_eq!(of("").as_deref(), Some(""));
        for script in [
            "SECTIONS { }",
            "INPUT(a",
            "INPUT a",
            "/* a",
            "INPUT(\"a)",
            "INPUT(AS_NEEDED a)",
            "text",
            "INPUT((a))",
        ] {
            assert_eq!(of(script), None, "{script}");
        }
    }
}
