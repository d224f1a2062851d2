//! The commands, one module each: `…Args` is what was typed, `run` carries it out.

mod bench;
mod cache;
mod check;
mod compare;
mod completions;
mod elo;
mod engine;
mod fmt;
mod games;
mod generate;
mod info;
mod loops;
mod lsp;
mod man;
mod matches;
mod merge;
mod moves;
mod perft;
mod play;
mod player;
mod players;
mod playtest;
mod quality;
mod replay;
mod report;
mod scramble;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod simulate;
mod snippet;
mod solve;
mod sprt;
mod standings;
mod states;
mod tournament;
mod train;
mod tune;
mod verify;

use clap::Subcommand;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};

/// A command with what was typed about it.
#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    Check(check::CheckArgs),
    Fmt(fmt::FmtArgs),
    Info(info::InfoArgs),
    Show(show::ShowArgs),
    Match(matches::MatchArgs),
    Tournament(Box<tournament::TournamentArgs>),
    Merge(merge::MergeArgs),
    Play(play::PlayArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    Player(player::PlayerArgs),
    Engine(engine::EnginePlayerArgs),
    Search(search::SearchArgs),
    Train(train::TrainArgs),
    Tune(tune::TuneArgs),
    Moves(moves::MovesArgs),
    Perft(perft::PerftArgs),
    States(states::StatesArgs),
    Solve(solve::SolveArgs),
    Loops(loops::LoopsArgs),
    Quality(quality::QualityArgs),
    Report(report::PublishedTablesArgs),
    Simulate(simulate::SimulateArgs),
    Bench(bench::BenchArgs),
    Playtest(playtest::PlaytestArgs),
    Lsp(lsp::LspArgs),
    Compare(compare::CompareArgs),
    Replay(replay::ReplayArgs),
    Verify(verify::VerifyArgs),
    Elo(elo::EloArgs),
    Sprt(sprt::SprtArgs),
    Standings(standings::StandingsArgs),
    Games(games::GamesArgs),
    Players(players::PlayersArgs),
    Cache(cache::CacheCommandArgs),
    Generate(generate::GenerateArgs),
    Scramble(scramble::ScrambleArgs),
    Snippet(snippet::SnippetArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl CliCommand {
    /// Carries out the command; `program` describes the whole command line.
    pub(super) fn run(
        self,
        program: &dyn Fn() -> clap::Command,
        console: &mut Console<'_>,
    ) -> Result<Outcome, Failure> {
        match self {
            Self::Check(args) => check::run(&args, console),
            Self::Fmt(args) => fmt::run(&args, console),
            Self::Info(args) => info::run(&args, console),
            Self::Show(args) => show::run(&args, console),
            Self::Match(args) => matches::run(&args, console),
            Self::Tournament(args) => tournament::run(&args, console),
            Self::Merge(args) => merge::run(&args, console),
            Self::Play(args) => play::run(&args, console),
            #[cfg(feature = "serve")]
            Self::Serve(args) => serve::run(&args, console),
            Self::Player(args) => player::run(&args, console),
            Self::Engine(args) => engine::run(&args, console),
            Self::Search(args) => search::run(&args, console),
            Self::Train(args) => train::run(&args, console),
            Self::Tune(args) => tune::run(&args, console),
            Self::Moves(args) => moves::run(&args, console),
            Self::Perft(args) => perft::run(&args, console),
            Self::States(args) => states::run(&args, console),
            Self::Solve(args) => solve::run(&args, console),
            Self::Loops(args) => loops::run(&args, console),
            Self::Quality(args) => quality::run(&args, console),
            Self::Report(args) => report::run(&args, console),
            Self::Simulate(args) => simulate::run(&args, console),
            Self::Bench(args) => bench::run(&args, console),
            Self::Playtest(args) => playtest::run(&args, console),
            Self::Lsp(args) => lsp::run(&args),
            Self::Compare(args) => compare::run(&args, console),
            Self::Replay(args) => replay::run(&args, console),
            Self::Verify(args) => verify::run(&args, console),
            Self::Elo(args) => elo::run(&args, console),
            Self::Sprt(args) => sprt::run(&args, console),
            Self::Standings(args) => standings::run(&args, console),
            Self::Games(args) => games::run(&args, console),
            Self::Players(args) => players::run(&args, console),
            Self::Cache(args) => cache::run(&args, console),
            Self::Generate(args) => generate::run(&args, console),
            Self::Scramble(args) => scramble::run(&args, console),
            Self::Snippet(args) => snippet::run(&args, console),
            Self::Completions(args) => completions::run(&args, program(), console),
            Self::Man(args) => man::run(&args, program(), console),
        }
    }
}
