//! `kolibri check`: what is wrong with a rule file.

mod report;

use std::collections::HashSet;
use std::io::Write;

use crate::catalog::{GameSource, SourceError};
use crate::cli::board::BoardArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::rule_file::{Fixed, locate, say_what_was_fixed, show_difference, write_back};
use crate::cli::watch::again_at_every_save;
use crate::drawing::Screen;
use crate::engine::{EngineChoice, LoadOptions, check};
use crate::gdl::{Checked, FixKinds, mend, used_once};
use crate::kif::{Diagnostic, render};
use crate::session::{Game, Session};
use crate::util::StopFlag;

use report::{FileReport, summary};

const EXAMPLES: &str = "\
Examples:
  kolibri check mygame.kif
  kolibri check mygame.kif --diff       show what --fix would change
  kolibri check mygame.kif --fix        mend what can only be mended in one way
  kolibri check mygame.kif --watch      check it again at every save
  kolibri check games/*.kif --json
  kolibri check mygame.kif --strict
  kolibri check - < mygame.kif";

/// Find the mistakes in rule files
///
/// Errors make rules unusable; warnings are likely mistakes in rules that can be played. The exit status is 1 where a
/// file has an error.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("mending").args(["fix", "diff"]).multiple(true))]
pub(in crate::cli) struct CheckArgs {
    /// Rule files, names of shipped games, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Warn of every variable that occurs once, too, unless its name begins with ?_
    #[arg(long)]
    strict: bool,
    /// Change the files: apply the fixes that keep the meaning or are the only reading
    #[arg(long)]
    fix: bool,
    /// Apply guesses, too, such as the correction of a misspelt name
    #[arg(long, requires = "mending")]
    unsafe_fixes: bool,
    /// Show what --fix would change, and change nothing; exit with 1 if there is anything
    #[arg(long, conflicts_with = "json")]
    diff: bool,
    /// Check again at every save, and draw the first position; FILE may be a folder
    #[arg(long, conflicts_with = "mending")]
    watch: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &CheckArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    if !args.watch {
        return check_all(&args.files, args, console);
    }
    again_at_every_save(&args.files, console, |files, outdated, console| {
        check_all(files, args, console)?;
        match files {
            [file] if !args.json => draw_first_position(file, outdated, console),
            _ => Ok(()),
        }
    })
}

/// Draws the first position of valid rules.
fn draw_first_position(
    file: &str,
    outdated: &StopFlag,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let options = LoadOptions {
        engine: EngineChoice::Reasoner,
        self_check: false,
        stop: outdated.clone(),
        ..LoadOptions::default()
    };
    let Ok(source) = GameSource::find(file) else {
        return Ok(());
    };
    let Ok(game) = Game::open(source, &options) else {
        return Ok(());
    };
    let session = Session::new(&game);
    if let Some(fault) = session.fault() {
        return Ok(console.error(&fault.to_string(), None)?);
    }
    let style = BoardArgs::default().style(console);
    match Screen::survey(&session, style) {
        Ok(mut screen) => write!(console.out, "\n{}", screen.show(&session.facts()))?,
        Err(why) => console.error(&why.to_string(), None)?,
    }
    Ok(())
}

fn check_all(
    files: &[String],
    args: &CheckArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let mut all_valid = true;
    let mut unread = None;
    for asked in files {
        match GameSource::find(asked) {
            Ok(source) => all_valid &= check_one(source, args, console)?,
            Err(fault) => {
                all_valid = false;
                report_unread(asked, &fault, args.json, console)?;
                unread = unread.or((!fault.is_about_contents()).then_some(()));
            }
        }
    }
    match unread {
        Some(()) => Ok(Outcome::WrongUsage),
        None => Ok(Outcome::passed(all_valid)),
    }
}

fn check_one(
    mut source: GameSource,
    args: &CheckArgs,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let mut checked = find(&source, args.strict);
    let mut fixed = Vec::new();
    // Malformed bytes are shown with replacement characters, which must not end up in the file.
    if (args.fix || args.diff) && source.diagnostics.is_empty() {
        let mended = mend(&source.text, args.fixes(), |text| {
            find(&GameSource::from_text(&source.name, text), args.strict)
        });
        if args.diff {
            show_difference(&source, &mended.text, console)?;
            return Ok(mended.text == source.text && checked.rules.is_some());
        }
        if !mended.applied.is_empty() {
            write_back(&source, &mended.text)?;
        }
        fixed = locate(&source, &mended.applied);
        if !args.json {
            say_what_was_fixed(&fixed, &mut console.out)?;
        }
        checked = mended.checked;
        source.text = mended.text;
    }
    print_findings(&source, &checked, fixed, args, console)?;
    Ok(checked.rules.is_some())
}

impl CheckArgs {
    fn fixes(&self) -> FixKinds {
        match self.unsafe_fixes {
            true => FixKinds::All,
            false => FixKinds::Safe,
        }
    }
}

fn find(source: &GameSource, strict: bool) -> Checked {
    let mut checked = check(source);
    if strict {
        add_lone_variables(&mut checked.diagnostics, &source.text);
    }
    checked
}

/// Adds the variables that occur once and were not found doubtful anyway.
fn add_lone_variables(diagnostics: &mut Vec<Diagnostic>, text: &str) {
    let lone = used_once(text);
    let codes: HashSet<&str> = lone.iter().map(|one| one.code).collect();
    let known = diagnostics.iter().filter(|one| codes.contains(one.code));
    let known: HashSet<usize> = known.map(|one| one.span.start).collect();
    diagnostics.extend(
        lone.into_iter()
            .filter(|one| !known.contains(&one.span.start)),
    );
    diagnostics.sort_by_key(|one| one.span.start);
}

fn print_findings(
    source: &GameSource,
    checked: &Checked,
    fixed: Vec<Fixed>,
    args: &CheckArgs,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if args.json {
        return console.json(&FileReport::new(source, checked, fixed));
    }
    let found = checked.diagnostics.iter();
    let shown = found.filter(|one| !console.quiet || one.is_error());
    let shown: Vec<Diagnostic> = shown.cloned().collect();
    let drawn = render(&shown, &source.shown(), &source.text, true);
    write!(console.out, "{drawn}")?;
    if !console.quiet {
        summary(source, checked, fixed.len(), console)?;
    }
    hint_at_fixes(&checked.diagnostics, console)
}

/// Says how many of the findings could be mended.
fn hint_at_fixes(diagnostics: &[Diagnostic], console: &mut Console<'_>) -> Result<(), Failure> {
    let is_safe = |one: &&Diagnostic| one.fixes.iter().any(|fix| fix.safe);
    let safe = diagnostics.iter().filter(is_safe).count();
    let fixable = diagnostics
        .iter()
        .filter(|one| !one.fixes.is_empty())
        .count();
    match (safe, fixable - safe) {
        (0, 0) => Ok(()),
        (0, guesses) => console.hint(&format!(
            "`--fix --unsafe-fixes` mends {guesses} by a guess"
        )),
        (safe, 0) => console.hint(&format!("`--fix` mends {safe}")),
        (safe, guesses) => console.hint(&format!(
            "`--fix` mends {safe}, and with `--unsafe-fixes` {guesses} more by a guess"
        )),
    }
}

/// A file that gave no text to check.
fn report_unread(
    asked: &str,
    fault: &SourceError,
    json: bool,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    match json {
        true => console.json(&FileReport::unread(asked, fault)),
        false => Ok(console.error(&fault.to_string(), Some(&fault.help()))?),
    }
}
