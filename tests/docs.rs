//! What the documentation promises: its commands work, its games can be played, its links lead somewhere.

mod json;
#[cfg(unix)]
mod shell;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::{Folder, commands};

/// The languages of blocks.
const LANGUAGES: [&str; 8] = ["sh", "kif", "rust", "toml", "text", "json", "lua", "elisp"];

/// A page of the documentation.
struct Page {
    /// Its path from the root of the project.
    path: PathBuf,
    text: String,
}

/// A fenced block of a page.
struct Block<'p> {
    /// What stands behind the opening fence.
    info: &'p str,
    text: String,
}

impl Block<'_> {
    /// The file to which the block belongs, if it names one, as in `kif pig.kif`.
    fn file(&self) -> Option<&str> {
        self.info.strip_prefix("kif ")
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(path: impl AsRef<Path>) -> Page {
    let path = path.as_ref().to_owned();
    let text = fs::read_to_string(root().join(&path)).unwrap();
    Page { path, text }
}

/// All pages below a folder, in the order of their paths.
fn pages_in(folder: &str) -> Vec<Page> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    let mut pages = Vec::new();
    for name in names {
        let path = format!("{folder}/{name}");
        match root().join(&path).is_dir() {
            true => pages.extend(pages_in(&path)),
            false if name.ends_with(".md") => pages.push(page(path)),
            false => {}
        }
    }
    pages
}

fn all_pages() -> Vec<Page> {
    let top = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "editors/README.md",
        "editors/tree-sitter-gdl/README.md",
        "editors/vscode/README.md",
    ];
    let mut pages: Vec<Page> = top.into_iter().map(page).collect();
    pages.extend(pages_in("docs"));
    pages
}

impl Page {
    fn shown(&self) -> String {
        self.path.display().to_string()
    }

    fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut lines = self.text.lines();
        while let Some(line) = lines.next() {
            if let Some(info) = line.strip_prefix("```") {
                let body = lines.by_ref().take_while(|line| *line != "```");
                let text = body.map(|line| format!("{line}\n")).collect();
                blocks.push(Block { info, text });
            }
        }
        blocks
    }

    /// The text of all blocks in a language, one after the other.
    fn blocks_in(&self, language: &str) -> String {
        let blocks = self.blocks().into_iter();
        let wanted = blocks.filter(|block| block.info == language);
        wanted.map(|block| block.text).collect()
    }

    /// The text outside of fenced blocks.
    fn prose(&self) -> String {
        let pieces = self.text.split("```").step_by(2);
        pieces.collect()
    }

    /// What the prose sets in backquotes, such as `kolibri info FILE -v`.
    fn code(&self) -> Vec<String> {
        let prose = self.prose();
        let spans = prose.split('`').skip(1).step_by(2);
        let words = spans.map(str::split_whitespace);
        words
            .map(|words| words.collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// Where its links lead, if not to the web.
    fn links(&self) -> Vec<String> {
        let prose = self.prose();
        let targets = prose.split("](").skip(1);
        let targets = targets.map(|rest| rest.split(')').next().unwrap().to_owned());
        targets
            .filter(|target| !target.starts_with("http"))
            .collect()
    }

    /// The anchors of its headings, as the usual Markdown viewers name them.
    fn anchors(&self) -> HashSet<String> {
        let prose = self.prose();
        let headings = prose.lines().filter(|line| line.starts_with('#'));
        headings.map(anchor).collect()
    }
}

fn anchor(heading: &str) -> String {
    let title = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A folder with the rule file of the README, as every page takes for granted.
fn folder() -> Folder {
    Folder::new().with("treblecross.kif", page("README.md").blocks_in("kif"))
}

#[test]
fn blocks_that_are_not_run_say_why() {
    for page in all_pages() {
        for block in page.blocks() {
            let is_marked = match block.info.strip_prefix("sh not-run: ") {
                Some(reason) => reason.len() > 10,
                None => block.file().is_some() || LANGUAGES.contains(&block.info),
            };
            assert!(is_marked, "{}: ```{}", page.shown(), block.info);
        }
    }
}

#[test]
fn commands_that_are_mentioned_exist() {
    let known = commands();
    for page in all_pages() {
        for mentioned in page.code() {
            let Some(command) = mentioned.strip_prefix("kolibri ") else {
                continue;
            };
            let words: Vec<&str> = command.split(' ').collect();
            if words[0].chars().all(char::is_uppercase) {
                continue;
            }
            let place = format!("{}: `{mentioned}`", page.shown());
            assert!(known.contains(&words[0].to_owned()), "{place}");
            let help = help(words[0]);
            for option in words.iter().filter(|word| word.starts_with("--")) {
                assert!(
                    has_option(&help, option),
                    "{place}: {option} is not in the help:\n{help}"
                );
            }
        }
    }
}

#[test]
fn files_that_are_mentioned_exist() {
    let is_path = |span: &str| {
        let begins = [
            "src/", "tests/", "games/", "docs/", "benches/", "fuzz/", "editors/", ".ci/",
        ];
        let is_fixed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._-".contains(c);
        begins.iter().any(|begin| span.starts_with(begin)) && span.chars().all(is_fixed)
    };
    for page in all_pages() {
        for path in page.code().iter().filter(|span| is_path(span)) {
            assert!(root().join(path).exists(), "{}: {path}", page.shown());
        }
    }
}

/// The help of a command, with that of its games where it has some.
fn help(command: &str) -> String {
    let folder = Folder::new();
    let mut help = folder.run(&[command, "--help"]).out;
    if command == "generate" {
        for game in ["breakthrough", "nim"] {
            help += &folder.run(&[command, game, "--help"]).out;
        }
    }
    help
}

fn has_option(help: &str, option: &str) -> bool {
    // A value that may be left out stands in brackets: `--symmetry[=<ROLES>]`.
    let mut words = help.split(|c: char| c.is_whitespace() || c == ',' || c == '[');
    option == "--help" || words.any(|word| word == option)
}

#[test]
fn links_lead_somewhere() {
    for page in all_pages() {
        for link in page.links() {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let mut path = root().join(&page.path);
            if !file.is_empty() {
                path = path.parent().unwrap().join(file);
            }
            let place = format!("{}: {link}", page.shown());
            assert!(path.exists(), "{place}");
            if !anchor.is_empty() {
                let target = fs::read_to_string(&path).unwrap();
                let target = Page { path, text: target };
                assert!(target.anchors().contains(anchor), "{place}");
            }
        }
    }
}

#[test]
fn every_command_is_in_the_table() {
    let table = page("docs/reference/commands.md").text;
    for name in commands() {
        assert!(
            table.contains(&format!("`kolibri {name}")),
            "`{name}` is missing"
        );
    }
}

#[test]
fn every_option_of_a_player_is_in_the_table() {
    let table = page("docs/reference/players.md").text;
    for kind in kolibri::play::PLAYER_KINDS {
        assert!(table.contains(&format!("| `{}` |", kind.name)), "{kind:?}");
        for option in kind.options {
            let written = format!("| `{}={}` |", option.name, option.value);
            assert!(table.contains(&written), "`{written}` is missing");
        }
    }
}

#[test]
fn every_level_is_in_the_table() {
    let table = page("docs/reference/players.md").text;
    for level in kolibri::play::LEVELS {
        let written = format!("| `{}` | `{}` |", level.name, level.player);
        assert!(table.contains(&written), "`{written}` is missing");
    }
}

#[test]
fn the_readme_is_short() {
    assert!(page("README.md").text.lines().count() <= 150);
}

#[test]
fn the_program_of_the_readme_is_that_of_the_crate() {
    let source = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let begin = "//! ```\n";
    let program = source
        .split(begin)
        .find(|piece| piece.starts_with("//! use kolibri::"));
    let lines = program
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with("//! # "));
    let bare = lines.map(|line| line.trim_start_matches("//!"));
    let program: Vec<&str> = bare
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let shown = page("README.md").blocks_in("rust");
    assert_eq!(shown.lines().collect::<Vec<_>>(), program);
}

#[test]
fn the_picture_is_what_the_program_draws() {
    let shown = page("README.md").blocks_in("text");
    let mut lines = shown.lines();
    let command = lines.next().unwrap().strip_prefix("$ kolibri ").unwrap();
    let words: Vec<&str> = command.split_whitespace().collect();
    let drawn = folder().run(&words).out;
    // How long it takes depends on the machine.
    let untimed = |line: &str| line.split(" plies, ").next().unwrap().to_owned();
    let drawn: Vec<String> = drawn.lines().map(untimed).collect();
    let picture: Vec<String> = lines.skip(1).map(untimed).collect();
    assert_eq!(drawn[drawn.len() - picture.len()..], picture);
}

#[test]
fn the_game_has_no_mistakes() {
    let checked = folder().run(&["check", "treblecross.kif"]);
    assert_eq!(checked.out, "treblecross.kif: valid, roles left right\n");
}

#[test]
fn the_game_counts_as_computed_by_hand() {
    // Seven squares, no line before the third cross; three neighbours among seven: five lines in six orders each.
    let perft = folder().run(&["perft", "treblecross.kif", "4", "--json"]);
    assert_eq!(
        perft.json()["counts"],
        serde_json::json!([7, 42, 210, (210 - 30) * 4])
    );
}

#[test]
fn the_tutorial_explains_the_game_of_the_readme() {
    let tutorial = page("docs/tutorial/your-first-game.md").blocks_in("kif");
    let folder = folder().with("tutorial.kif", tutorial);
    let rules = |file| {
        let shown = folder.run(&["show", file, "--stage", "sexpr"]).out;
        let lines: HashSet<String> = shown.lines().map(str::to_owned).collect();
        lines
    };
    assert_eq!(rules("tutorial.kif"), rules("treblecross.kif"));
}

#[test]
fn the_sources_of_the_glossary_are_listed() {
    let glossary = page("docs/explanation/glossary.md").text;
    let (tables, references) = glossary.split_once("## References").unwrap();
    let rows = tables.lines().filter(|line| line.starts_with("| "));
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        assert_eq!(cells.len(), 3, "{row}");
        for source in cells[2].trim_end_matches(" |").split("; ") {
            let Some((name, year)) = source.rsplit_once(' ') else {
                continue;
            };
            if year.parse::<u16>().is_ok() {
                let mut listed = references.split("\n- ");
                let is_listed = listed.any(|line| line.starts_with(name) && line.contains(year));
                assert!(is_listed, "{source}");
            }
        }
    }
}
