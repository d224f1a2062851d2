//! Disks that are full, folders that take no files, and files that may not grow.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::Command as Program;

use crate::cli::{COIN, Ended, Folder};

/// The names in a folder, in order.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Runs the program where no file can hold more than `blocks` of 512 or 1024 bytes.
pub(super) fn limited(folder: &Folder, blocks: u32, words: &str, typed: &str) -> Ended {
    let program = assert_cmd::cargo::cargo_bin("kolibri");
    let script = format!("ulimit -f {blocks}; exec \"$0\" {words}");
    let mut command = Program::new("sh");
    command.current_dir(folder.path()).arg("-c").arg(script);
    command.env("XDG_STATE_HOME", folder.state());
    command.arg(program).write_stdin(typed);
    Ended::of(&mut command)
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one() {
    let game = COIN.repeat(100);
    let folder = Folder::new()
        .with("coin.kif", &game)
        .with("nim.kif", "mine");
    for words in ["fmt --write coin.kif", "generate nim --force -o nim.kif"] {
        let ended = limited(&folder, 1, words, "");
        assert_eq!(ended.status, 2, "{words}: {}", ended.shown());
        assert!(ended.err.contains("file too large"), "{}", ended.shown());
        assert!(ended.err.contains("is unchanged"), "{}", ended.shown());
    }
    let ended = limited(&folder, 1, "generate nim -o new.kif", "");
    assert_eq!(ended.status, 2, "{}", ended.shown());
    let now = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((now("coin.kif"), now("nim.kif").as_str()), (game, "mine"));
    assert_eq!(names(folder.path()), ["coin.kif", "nim.kif"]);
}

#[test]
fn a_saved_game_outlives_a_save_that_fails() {
    let folder = Folder::new();
    let words = "play tictactoe --player first";
    let play = |blocks: u32, typed: &str| limited(&folder, blocks, words, typed);
    assert!(play(100, "2 2\nsave g\nquit\n").out.contains("saved to g"));
    let first = fs::read(folder.path().join("g")).unwrap();
    let ended = play(0, "load g\n3 3\nsave --force g\nquit\n");
    assert!(
        ended.out.contains("cannot write `g`: file too large"),
        "{}",
        ended.shown()
    );
    assert_eq!(fs::read(folder.path().join("g")).unwrap(), first);
    assert_eq!(names(folder.path()), ["g"]);
}

#[test]
fn records_that_fill_the_disk_end_the_series_with_its_totals() {
    // Both games are as long as each other but for their first move, so that the limit hits a game of the series.
    let folder = Folder::new();
    let words = "match tictactoe -p first --games 4 --quiet --record r --record-format json";
    let ended = limited(&folder, 1, words, "");
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(
        ended.out.contains("stopped after 1 of 4 games"),
        "{}",
        ended.shown()
    );
    assert!(
        ended.out.contains("player 1 first: 1 won"),
        "{}",
        ended.shown()
    );
    assert!(ended.err.contains("file too large"), "{}", ended.shown());
    assert!(names(&folder.path().join("r")).is_empty());
    let ended = limited(&folder, 1, &format!("{words} --json"), "");
    let totals = ended.out.lines().last().unwrap();
    assert!(totals.contains("\"games\":1"), "{}", ended.shown());
    assert_eq!(ended.status, 2, "{}", ended.shown());
}

#[test]
fn a_folder_that_takes_no_files_is_told_before_the_first_game() {
    for place in ["/proc", "/dev/null/x"]
        .iter()
        .filter(|_| cfg!(target_os = "linux"))
    {
        let words = ["match", "tictactoe", "-p", "random", "--record", place];
        let ended = Folder::new().run(&words);
        assert_eq!(
            (ended.status, ended.out.as_str()),
            (2, ""),
            "{}",
            ended.shown()
        );
        assert!(
            ended.err.contains("cannot write records to"),
            "{}",
            ended.shown()
        );
    }
}

/// A small file system in memory, gone when it is dropped.
struct SmallDisk(Folder);

impl SmallDisk {
    /// None where this system mounts nothing for us.
    fn mount() -> Option<Self> {
        let folder = Folder::new();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]);
        let is_mounted = mount.arg(folder.path()).output().ok()?.status.success();
        is_mounted.then_some(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Leaves no room at all.
    fn fill(&self) {
        let _ = fs::write(self.path().join("filler"), vec![0; 1 << 20]);
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

/// What is true with a limit on files is true on a full disk, too; this needs the right to mount, the tests above do not.
#[expect(clippy::print_stderr, reason = "who runs the tests is to know")]
#[test]
fn a_full_disk_loses_nothing() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!(
            "skipped: no right to mount a small disk; the tests with a limit on files stand in"
        );
        return;
    };
    let at = |name: &str| disk.path().join(name);
    let play = |typed: &str| {
        let words = ["play", "tictactoe", "--player", "first"];
        disk.0.run_with_input(&words, typed.as_bytes()).out
    };
    fs::write(at("coin.kif"), COIN).unwrap();
    fs::write(at("nim.kif"), "mine").unwrap();
    assert!(play("2 2\nsave g\nquit\n").contains("saved to g"));
    let before = fs::read(at("g")).unwrap();
    let mut begin = Program::cargo_bin("kolibri").unwrap();
    begin
        .current_dir(disk.path())
        .args(["play", "tictactoe", "-p", "first"]);
    begin
        .env("XDG_STATE_HOME", at("state"))
        .write_stdin("2 2\n");
    assert_eq!(Ended::of(&mut begin).status, 0);
    let words = "match tictactoe -p random --games 1000 --quiet --record r";
    let ended = disk.0.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(
        ended.err.contains("no space left on device"),
        "{}",
        ended.shown()
    );
    assert!(ended.out.contains(" of 1000 games\n"), "{}", ended.shown());
    let kept = names(&at("r"));
    let verified = disk.0.run(&["verify", "r"]);
    let all = format!("{} passed, 0 failed", kept.len());
    assert!(
        kept.len() > 3 && verified.out.contains(&all),
        "{}",
        verified.shown()
    );
    disk.fill();
    for words in [
        "fmt -w coin.kif",
        "generate nim --force -o nim.kif",
        "generate nim -o new",
    ] {
        let ended = disk.0.run(&words.split(' ').collect::<Vec<_>>());
        assert!(
            ended.err.contains("no space left on device"),
            "{}",
            ended.shown()
        );
        assert_eq!(ended.status, 2, "{}", ended.shown());
    }
    assert!(play("load g\n3 3\nsave --force g\nquit\n").contains("no space left"));
    assert_eq!(fs::read(at("g")).unwrap(), before);
    assert_eq!(fs::read_to_string(at("coin.kif")).unwrap(), COIN);
    assert_eq!(fs::read_to_string(at("nim.kif")).unwrap(), "mine");
    assert_eq!(
        names(disk.path()),
        ["coin.kif", "filler", "g", "nim.kif", "r", "state"]
    );
    // The game in progress, too: the moves since the disk was full are missing, and that is said at the end once more.
    let state = at("state").display().to_string();
    let resume = |typed: &str| {
        let mut program = Program::cargo_bin("kolibri").unwrap();
        program.current_dir(disk.path()).args(["play", "--resume"]);
        program.env("XDG_STATE_HOME", &state).write_stdin(typed);
        Ended::of(&mut program).out
    };
    let printed = resume("1 2\nfacts\n");
    let said = printed.matches("the game is not kept on disk").count();
    assert!(said == 2 && printed.contains("no space left"), "{printed}");
    let printed = resume("facts\n");
    assert!(
        printed.contains("(cell 2 2 x)") && !printed.contains("(cell 1 2 x)"),
        "{printed}"
    );
    fs::remove_file(at("filler")).unwrap();
    fs::remove_dir_all(at("r")).unwrap();
    assert!(!resume("1 2\n").contains("not kept"));
    assert!(resume("facts\n").contains("(cell 1 2 x)"));
}
