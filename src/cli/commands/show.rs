//! `kolibri show`: the stages between rule text and engine.

use std::io::{self, Write};

use clap::ValueEnum;

use crate::catalog::GameSource;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::NamedGame;
use crate::cli::game::refused;
use crate::cli::style;
use crate::datalog::{DependencyComponent, EvaluationLimits, Program, stratify};
use crate::engine::{CompiledNetwork, LoadReport, check_rules};
use crate::gdl::{Description, Rules, Statement, translate};
use crate::ground::ground;
use crate::kif::{Diagnostic, LineIndex, parse};
use crate::util::StopFlag;

const EXAMPLES: &str = "\
Examples:
  kolibri show tictactoe
  kolibri show mygame.kif --stage gdl
  kolibri show kolibrat --stage strata --dot | dot -Tsvg > kolibrat.svg";

/// Print a stage between rule text and engine
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ShowArgs {
    /// A shipped game, the path of a rule file, or - for standard input
    #[arg(value_name = "GAME")]
    game: String,
    /// The stage
    #[arg(long, value_enum, default_value = "rules")]
    stage: ShownStage,
    /// Print a graph in the language of Graphviz (stages strata and net)
    #[arg(long)]
    dot: bool,
}

/// What text is turned into on its way to an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShownStage {
    /// S-expressions, without comments
    Sexpr,
    /// Rules and facts as written, with their lines
    Gdl,
    /// Checked rules: `or` is expanded into several rules, `not` stands before sentences only
    Rules,
    /// The order in which relations are derived, and when each has to be derived again
    Strata,
    /// Rules without variables
    Ground,
    /// The simplified network, as rules; `gate` and `loop` are relations of the network itself
    Net,
}

pub(in crate::cli) fn run(args: &ShowArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    if args.dot && !matches!(args.stage, ShownStage::Strata | ShownStage::Net) {
        return Err(
            Failure::usage("only the stages `strata` and `net` have a graph")
                .with_help("add `--stage strata` or `--stage net`, or leave out `--dot`"),
        );
    }
    let source = NamedGame::find(&args.game)?.source;
    match args.stage {
        ShownStage::Sexpr => show_sexprs(&source, console)?,
        ShownStage::Gdl => show_statements(&source, console)?,
        ShownStage::Rules => {
            for rule in checked(&source, console)?.rules() {
                writeln!(console.out, "{rule}")?;
            }
        }
        ShownStage::Strata => show_strata(&source, args.dot, console)?,
        ShownStage::Ground => show_ground(&source, console)?,
        ShownStage::Net => show_net(&source, args.dot, console)?,
    }
    Ok(Outcome::Success)
}

fn show_sexprs(source: &GameSource, console: &mut Console<'_>) -> Result<(), Failure> {
    let parsed = parse(&source.text);
    for sexpr in &parsed.sexprs {
        writeln!(console.out, "{sexpr}")?;
    }
    hint_at(&parsed.diagnostics, console)
}

fn show_statements(source: &GameSource, console: &mut Console<'_>) -> Result<(), Failure> {
    let lines = LineIndex::new(&source.text);
    let parsed = parse(&source.text);
    let (description, unread) = Description::read(&parsed.sexprs);
    for statement in &description.statements {
        let line = lines.position(statement.span.start).line;
        let faint = style::FAINT;
        write!(console.out, "{faint}{line:>5}{faint:#}  ")?;
        show_statement(statement, console)?;
    }
    hint_at(&[parsed.diagnostics, unread].concat(), console)
}

/// These stages show what could be read, even where that is not all.
fn hint_at(faults: &[Diagnostic], console: &mut Console<'_>) -> Result<(), Failure> {
    match faults.len() {
        0 => Ok(()),
        _ => console.hint("some of the text could not be read; `kolibri check` says why"),
    }
}

fn show_statement(statement: &Statement, console: &mut Console<'_>) -> io::Result<()> {
    let Statement { head, body, .. } = statement;
    if body.is_empty() {
        return writeln!(console.out, "{head}");
    }
    write!(console.out, "(<= {head}")?;
    for condition in body {
        write!(console.out, " {condition}")?;
    }
    writeln!(console.out, ")")
}

/// The checked rules; where there are none, says why.
fn checked(source: &GameSource, console: &mut Console<'_>) -> Result<Rules, Failure> {
    let rules = check_rules(source, &StopFlag::default(), &mut LoadReport::default());
    rules.or_else(|why| Err(refused(source, &why, console)?))
}

fn show_ground(source: &GameSource, console: &mut Console<'_>) -> Result<(), Failure> {
    let rules = checked(source, console)?;
    let ground = ground(&rules, &EvaluationLimits::default())
        .map_err(|fault| Failure::finding(fault.to_string()))?;
    write!(console.out, "{ground}")?;
    Ok(())
}

fn show_net(source: &GameSource, dot: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    let rules = checked(source, console)?;
    let compiled = CompiledNetwork::new(&rules, &EvaluationLimits::default());
    let compiled = compiled.map_err(|fault| Failure::finding(fault.to_string()))?;
    let printer = compiled.printer();
    match dot {
        true => write!(console.out, "{}", printer.dot())?,
        false => write!(console.out, "{printer}")?,
    }
    Ok(())
}

fn show_strata(source: &GameSource, dot: bool, console: &mut Console<'_>) -> Result<(), Failure> {
    let (program, _) = translate(&checked(source, console)?);
    let strata = stratify(&program).map_err(|fault| Failure::finding(fault.to_string()))?;
    if dot {
        return Ok(draw(&program, &strata, console)?);
    }
    for (number, stratum) in strata.iter().enumerate() {
        let (faint, when) = (style::FAINT, when(stratum));
        let uses: Vec<String> = stratum.uses.iter().map(ToString::to_string).collect();
        let rests = if uses.is_empty() {
            String::new()
        } else {
            format!("  depends on {}", uses.join(" "))
        };
        let names = names(&program, stratum).join(" ");
        writeln!(
            console.out,
            "{number:>4} {when:<5} {names}{faint}{rests}{faint:#}"
        )?;
    }
    console.hint("derived once per game, once per state, or once per joint move")
}

fn when(stratum: &DependencyComponent) -> &'static str {
    match stratum.level {
        0 => "game",
        1 => "state",
        _ => "move",
    }
}

fn names(program: &Program, stratum: &DependencyComponent) -> Vec<String> {
    let name = |pred| format!("{}/{}", program.name(pred), program.arity(pred));
    let mut names: Vec<String> = stratum.preds.iter().map(|&pred| name(pred)).collect();
    names.sort();
    names
}

fn draw(
    program: &Program,
    strata: &[DependencyComponent],
    console: &mut Console<'_>,
) -> io::Result<()> {
    let out = &mut console.out;
    writeln!(
        out,
        "digraph strata {{\n  rankdir = BT;\n  node [shape = box];"
    )?;
    for (number, stratum) in strata.iter().enumerate() {
        let (names, when) = (names(program, stratum).join("\\n"), when(stratum));
        writeln!(
            out,
            "  s{number} [label = \"{names}\", tooltip = \"{when}\"];"
        )?;
        for used in &stratum.uses {
            writeln!(out, "  s{number} -> s{used};")?;
        }
    }
    writeln!(out, "}}")
}
