//! Names for files, from names that may hold anything.

use std::path::{Path, PathBuf, is_separator};

/// Systems take names of 255 bytes; this leaves room for an ending and a number.
const LONGEST: usize = 180;
/// What stays of the end of a longer name, in which numbers tell names apart.
const END: usize = 60;

/// The name of a file, without its ending, for what is called `name`: letters, digits, `.` and `-` stay, everything else
/// becomes `_`, so that it leads to no other folder; a long one is cut in its middle.
pub fn file_stem(name: &str) -> String {
    let plain = |c: char| match c.is_alphanumeric() || matches!(c, '.' | '-') {
        true => c,
        false => '_',
    };
    let clean: String = name.chars().map(plain).collect();
    let clean = match clean.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None if clean.is_empty() => "_".to_owned(),
        None => clean,
    };
    if clean.len() <= LONGEST {
        return clean;
    }
    let start = clean.floor_char_boundary(LONGEST - END - 1);
    let end = clean.ceil_char_boundary(clean.len() - END);
    format!("{}_{}", &clean[..start], &clean[end..])
}

/// The path that is meant by what a person typed: `~` at its beginning stands for the home folder, as in shells.
pub fn in_home(typed: &str, home: Option<&Path>) -> PathBuf {
    let rest = typed.strip_prefix('~');
    let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(is_separator));
    match (rest, home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(is_separator)),
        _ => PathBuf::from(typed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_known_by_its_sign() {
        let home = Some(Path::new("/home/me"));
        assert_eq!(in_home("~/a b", home), Path::new("/home/me/a b"));
        assert_eq!(in_home("~", home), Path::new("/home/me"));
        assert_eq!(in_home("~you/a", home), Path::new("~you/a"));
        assert_eq!(in_home("a/~", home), Path::new("a/~"));
        assert_eq!(in_home("~/a", None), Path::new("~/a"));
    }

    #[test]
    fn names_lead_to_no_other_folder() {
        assert_eq!(file_stem("nim.17.3"), "nim.17.3");
        assert_eq!(file_stem("../up"), "_._up");
        assert_eq!(file_stem("/tmp/x"), "_tmp_x");
        assert_eq!(file_stem("a\\b c"), "a_b_c");
        assert_eq!(file_stem(""), "_");
    }

    #[test]
    fn long_names_are_cut_in_the_middle() {
        let name = format!("{}.17.3", "n".repeat(300));
        let stem = file_stem(&name);
        assert!(stem.len() == LONGEST && stem.ends_with("n.17.3"), "{stem}");
        let stem = file_stem(&"é".repeat(200));
        assert!(stem.len() <= LONGEST && stem.starts_with('é'), "{stem}");
    }
}
