//! The program as people and scripts meet it: what it says, where it says it, and how it ends.

pub(crate) mod cluster;
mod fixes;
mod json;
mod mistakes;
mod quality;
mod report;
mod search;
mod simulate;
mod spaces;
mod streams;
mod tune;
mod why;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// A small game with a choice for both roles.
pub(crate) const COIN: &str = "\
(role a) (role b)
(init start)
(<= (legal ?p heads) (role ?p))
(<= (legal ?p tails) (role ?p))
(<= (next (shown ?m)) (does a ?m) (does b ?m))
(<= (next (shown nothing)) (true start) (does a ?m) (does b ?n) (distinct ?m ?n))
(<= terminal (true (shown ?m)))
(<= (goal a 100) (not (true (shown nothing))))
(<= (goal a 0) (true (shown nothing)))
(<= (goal b 0) (not (true (shown nothing))))
(<= (goal b 100) (true (shown nothing)))
";

/// An empty folder to be wrong in.
pub(crate) struct Folder(TempDir, TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap(), TempDir::new().unwrap())
    }

    pub(crate) fn with(self, file: &str, contents: impl AsRef<[u8]>) -> Self {
        fs::write(self.path().join(file), contents).unwrap();
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where the program keeps games in progress: not among the files of the test.
    pub(crate) fn state(&self) -> &Path {
        self.1.path()
    }

    /// Where it keeps what can be made again.
    pub(crate) fn cache(&self) -> std::path::PathBuf {
        self.state().join("cache")
    }

    /// Where the program keeps and looks for what is its own: only here.
    pub(crate) fn places(&self) -> [(&'static str, std::path::PathBuf); 4] {
        [
            ("XDG_STATE_HOME", self.state().to_owned()),
            ("KOLIBRI_CACHE", self.cache()),
            ("XDG_DATA_HOME", self.state().join("data")),
            ("XDG_DATA_DIRS", self.state().join("machine")),
        ]
    }

    /// Runs the program here, with the words of a command line.
    pub(crate) fn run(&self, words: &[&str]) -> Ended {
        let mut command = Command::cargo_bin("kolibri").unwrap();
        command.current_dir(self.path()).args(words);
        command.env_clear().envs(self.places());
        Ended::of(&mut command)
    }

    /// The same, with something on standard input.
    pub(crate) fn run_with_input(&self, words: &[&str], input: &[u8]) -> Ended {
        let mut command = Command::cargo_bin("kolibri").unwrap();
        command.current_dir(self.path()).args(words);
        command.env_clear().envs(self.places());
        command.write_stdin(input);
        Ended::of(&mut command)
    }
}

/// The commands that the help lists, but for `help`.
pub(crate) fn commands() -> Vec<String> {
    let help = Folder::new().run(&["--help"]).out;
    let list = help.split("Commands:").nth(1).unwrap();
    let lines = list.split("\n\n").next().unwrap().lines();
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !["", "help"].contains(name));
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() >= 10, "{help}");
    names
}

/// How the program ended, and what it said.
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            status: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The one JSON object that it printed.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.status, 0, "{}", self.shown());
        serde_json::from_str(&self.out).unwrap()
    }

    /// All of it, for a snapshot.
    pub(crate) fn shown(&self) -> String {
        let Self { status, out, err } = self;
        format!("status {status}\n-- stdout\n{out}-- stderr\n{err}")
    }
}

#[test]
fn the_cache_is_listed_and_its_place_is_checked() {
    let folder = Folder::new().with("file", "");
    let search = "search tictactoe --depth 1".split(' ').collect::<Vec<_>>();
    assert_eq!(folder.run(&search).status, 0);
    let listed = folder.run(&["cache", "list", "--json"]);
    assert_eq!(listed.status, 0, "{}", listed.shown());
    assert!(!listed.out.is_empty() && listed.out == folder.run(&["cache", "--json"]).out);
    let at = |place: &str| {
        let mut command = Command::cargo_bin("kolibri").unwrap();
        command.current_dir(folder.path()).arg("cache");
        command.env_clear().env("KOLIBRI_CACHE", place);
        Ended::of(&mut command)
    };
    let off = at("");
    assert_eq!(off.status, 2);
    assert!(off.err.contains("turned off"), "{}", off.shown());
    let file = at("file");
    assert_eq!(file.status, 2);
    assert!(file.err.contains("`file` is a file"), "{}", file.shown());
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_told() {
    let folder = Folder::new();
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("kolibri"));
    let ended = command.arg("--help").stdout(full()).output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert!(!ended.stderr.is_empty());
    let refused = folder.run(&["generate", "nim", "-o", "/proc/nim.kif"]);
    assert_eq!(refused.status, 2, "{}", refused.shown());
    assert!(
        refused.err.contains("its folder takes no new files"),
        "{}",
        refused.shown()
    );
    let no_folder = folder.run(&["generate", "nim", "-o", "none/nim.kif"]);
    assert!(
        no_folder.err.contains("its folder does not exist"),
        "{}",
        no_folder.shown()
    );
}

#[test]
fn why_tells_of_values_that_no_rule_names() {
    let folder = Folder::new();
    let told = folder.run(&["moves", "tictactoe", "--why", "(mark 1 9)"]);
    assert_eq!(told.status, 0, "{}", told.shown());
    assert!(
        told.out.contains("fails  (true (cell 1 9 blank))"),
        "{}",
        told.shown()
    );
}
