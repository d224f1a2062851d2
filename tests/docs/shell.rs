//! The commands of the pages, run by the shell in scratch folders.

use std::collections::BTreeSet;
use std::env;
use std::fs::OpenOptions;
use std::io::Write;

use assert_cmd::Command;

use super::{Page, folder, page, pages_in};
use crate::cli::{Ended, Folder};

/// Runs the blocks of commands of a page, one after the other, in one folder; blocks of rules that name a file are appended
/// to it. The files are laid out as `kolibri fmt` does it.
fn run_commands(page: &Page) {
    let folder = folder();
    let mut files = BTreeSet::new();
    for block in page.blocks() {
        if let Some(file) = block.file() {
            append(&folder, file, &block.text, files.insert(file.to_owned()));
        }
        if block.info == "sh" {
            let ended = run_script(&folder, &block.text);
            assert_eq!(
                ended.status,
                0,
                "{}:\n{}{}",
                page.shown(),
                block.text,
                ended.shown()
            );
        }
    }
    for file in files {
        let ended = folder.run(&["fmt", "--check", &file]);
        assert_eq!(ended.status, 0, "{}: {file} is not formatted", page.shown());
    }
}

/// Appends a block of rules to a file, behind a blank line unless it is the first one.
fn append(folder: &Folder, file: &str, rules: &str, is_first: bool) {
    let path = folder.path().join(file);
    let mut opened = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .unwrap();
    let gap = if is_first { "" } else { "\n" };
    write!(opened, "{gap}{rules}").unwrap();
}

/// Runs a script in which the program is called by its name; nothing is on standard input.
fn run_script(folder: &Folder, script: &str) -> Ended {
    let program = assert_cmd::cargo::cargo_bin("kolibri");
    let mut paths = vec![program.parent().unwrap().to_owned()];
    paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let mut command = Command::new("sh");
    command
        .current_dir(folder.path())
        .args(["-eu", "-c", script]);
    command
        .env_clear()
        .env("PATH", env::join_paths(paths).unwrap())
        .envs(folder.places());
    Ended::of(&mut command)
}

#[test]
fn the_commands_of_the_readme_work() {
    run_commands(&page("README.md"));
}

#[test]
fn the_commands_of_the_tutorial_work() {
    pages_in("docs/tutorial").iter().for_each(run_commands);
}

#[test]
fn the_commands_of_the_how_to_pages_work() {
    pages_in("docs/how-to").iter().for_each(run_commands);
}

#[test]
fn the_commands_of_the_reference_work() {
    pages_in("docs/reference").iter().for_each(run_commands);
}

#[test]
fn the_commands_of_the_explanations_work() {
    pages_in("docs/explanation").iter().for_each(run_commands);
}
