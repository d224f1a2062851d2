//! What a line asks for: the commands, one table.

use std::fmt::Write;

use crate::catalog::most_similar;

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    Help,
    /// The legal moves that begin so, or else contain this.
    Moves(String),
    Board,
    Facts,
    Flip,
    /// How often.
    Undo(usize),
    /// How often.
    Redo(usize),
    Restart,
    /// To the position after so many plies.
    Ply(usize),
    /// The number of a variation, if one is to be gone to.
    Variations(Option<usize>),
    /// With this role, if any, for the person.
    New(String),
    Resign,
    Draw,
    Hint,
    Eval,
    Why,
    Thinking,
    /// The name of a level, if any.
    Level(String),
    Save(String),
    Load(String),
    Quit,
    /// Nothing was typed.
    Nothing,
    /// Anything else: a move, by number or text.
    Move(String),
    /// A line that begins with the name of a command, which takes something else.
    Unclear(String),
}

/// A command that can be typed.
struct TypedCommand {
    /// Its name, then its short forms.
    words: &'static [&'static str],
    /// What may follow.
    argument: &'static str,
    meaning: &'static str,
    /// What it asks for with this argument, unless the argument makes no sense.
    request: fn(&str) -> Option<Request>,
}

/// Commands that belong together.
struct CommandGroup {
    title: &'static str,
    commands: &'static [TypedCommand],
}

macro_rules! command {
    ($words:expr, $argument:expr, $meaning:expr, $request:expr) => {
        TypedCommand {
            words: &$words,
            argument: $argument,
            meaning: $meaning,
            request: $request,
        }
    };
}

const GROUPS: &[CommandGroup] = &[
    CommandGroup {
        title: "look",
        commands: &[
            command!(
                ["moves", "m", "legal"],
                "[TEXT]",
                "lists the legal moves, or those that begin so or contain TEXT",
                |start| Some(Request::Moves(start.to_owned()))
            ),
            command!(["board", "b"], "", "draws the position again", |_| {
                Some(Request::Board)
            }),
            command!(["facts"], "", "lists the facts of the position", |_| Some(
                Request::Facts
            )),
            command!(["flip"], "", "turns the board round", |_| Some(
                Request::Flip
            )),
        ],
    },
    CommandGroup {
        title: "go back and forth",
        commands: &[
            command!(
                ["undo", "u"],
                "[N]",
                "takes back your last move, or the last N, and all that followed",
                |times| Some(Request::Undo(count(times)?))
            ),
            command!(
                ["redo", "r"],
                "[N]",
                "plays again what was taken back",
                |times| Some(Request::Redo(count(times)?))
            ),
            command!(["restart"], "", "goes back to the first position", |_| {
                Some(Request::Restart)
            }),
            command!(
                ["ply"],
                "N",
                "goes to the position after N plies",
                |plies| Some(Request::Ply(plies.parse().ok()?))
            ),
            command!(
                ["variations", "v"],
                "[N]",
                "lists what else was played in this game, or goes to one of these",
                |number| match number {
                    "" => Some(Request::Variations(None)),
                    number => Some(Request::Variations(Some(number.parse().ok()?))),
                }
            ),
            command!(
                ["new"],
                "[ROLE]",
                "begins a new game, in which you may play another role",
                |role| Some(Request::New(role.to_owned()))
            ),
        ],
    },
    CommandGroup {
        title: "end the game",
        commands: &[
            command!(["draw"], "", "offers the others a draw", |_| Some(
                Request::Draw
            )),
            command!(["resign"], "", "gives the game up", |_| Some(
                Request::Resign
            )),
            command!(["quit", "q", "exit"], "", "leaves", |_| Some(Request::Quit)),
        ],
    },
    CommandGroup {
        title: "ask the computer",
        commands: &[
            command!(["hint"], "", "which move it would play", |_| Some(
                Request::Hint
            )),
            command!(["eval"], "", "what each role can expect", |_| Some(
                Request::Eval
            )),
            command!(
                ["why"],
                "",
                "what adds how much to the static evaluation: 0 is even, +1 a goal of 73",
                |_| Some(Request::Why)
            ),
            command!(
                ["level"],
                "[NAME]",
                "shows how strong it plays, or changes that",
                |name| Some(Request::Level(name.to_owned()))
            ),
            command!(
                ["thinking"],
                "",
                "shows what it thinks on its moves, or hides it again",
                |_| Some(Request::Thinking)
            ),
        ],
    },
    CommandGroup {
        title: "keep the game",
        commands: &[
            command!(
                ["save"],
                "FILE",
                "writes the game so far to a file, a match record; asks before it replaces anything but this game, and `save --force FILE` does not ask",
                |file| Some(Request::Save(file.to_owned()))
            ),
            command!(["load"], "FILE", "goes on with a saved game", |file| Some(
                Request::Load(file.to_owned())
            )),
            command!(["help", "h", "?"], "", "shows this list", |_| Some(
                Request::Help
            )),
        ],
    },
];

/// How often, for commands that can be repeated: once unless a number is given.
fn count(text: &str) -> Option<usize> {
    match text {
        "" => Some(1),
        number => number.parse().ok().filter(|number| *number > 0),
    }
}

fn commands() -> impl Iterator<Item = &'static TypedCommand> {
    GROUPS.iter().flat_map(|group| group.commands)
}

/// The names of all commands.
fn command_names<'n>() -> impl Iterator<Item = &'n str> {
    commands().map(|command| command.words[0])
}

/// How a line with a command begins: its name, and a blank where something may follow.
pub(super) fn command_beginnings() -> impl Iterator<Item = String> {
    commands().map(|command| match command.argument {
        "" => command.words[0].to_owned(),
        _ => format!("{} ", command.words[0]),
    })
}

impl Request {
    /// Reads a line. A `/` before a word says that it is a command, where a move is called the same.
    pub(super) fn of(line: &str) -> Self {
        let line = line.strip_prefix('/').unwrap_or(line);
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_lowercase(), rest.trim());
        if word.is_empty() {
            return Self::Nothing;
        }
        let mut known = commands().filter(|command| command.words.contains(&word.as_str()));
        let command = known.find(|command| rest.is_empty() || !command.argument.is_empty());
        let line = line.to_owned();
        match command.map(|command| (command.request)(rest)) {
            Some(Some(request)) => request,
            Some(None) => Self::Unclear(line),
            None => Self::Move(line),
        }
    }
}

/// The command or move whose first word was misspelt, if one is near enough.
pub(super) fn meant(line: &str, legal: &[String]) -> Option<String> {
    let first = |text: &str| {
        let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        words.find(|word| !word.is_empty()).map(str::to_owned)
    };
    let typed = first(line)?;
    let moves: Vec<String> = legal.iter().filter_map(|mv| first(mv)).collect();
    let known = command_names().chain(moves.iter().map(String::as_str));
    let similar = most_similar(&typed, known)?;
    (similar != typed).then(|| similar.to_owned())
}

/// All commands with what they do, in lines of at most `width` characters where the words allow it.
pub(super) fn help(width: usize) -> String {
    const MOVES: &[(&str, &str)] = &[
        (
            "a move",
            "plays it: `(move c 3 d 4)`, `move c 3 d 4`, `c 3 d 4`, `c3d4`, or as much of it as is needed",
        ),
        (
            "a number",
            "plays the move of that number; a move keeps its number through the game",
        ),
    ];
    let mut text = String::new();
    section(&mut text, "play", MOVES.iter().copied(), width);
    for group in GROUPS {
        let lines = group.commands.iter().map(|command| {
            let mut words = command.words[0].to_owned();
            if !command.argument.is_empty() {
                let _ = write!(words, " {}", command.argument);
            }
            let is_short = |word: &&&str| word.len() == 1;
            for short in command.words.iter().filter(is_short) {
                let _ = write!(words, ", {short}");
            }
            (words, command.meaning)
        });
        let lines: Vec<(String, &str)> = lines.collect();
        let lines = lines
            .iter()
            .map(|(words, meaning)| (words.as_str(), *meaning));
        section(&mut text, group.title, lines, width);
    }
    text
}

/// A title, and lines of words with what they mean.
pub(super) fn section<'l>(
    text: &mut String,
    title: &str,
    lines: impl Iterator<Item = (&'l str, &'l str)>,
    width: usize,
) {
    const WORDS: usize = 19;
    let _ = writeln!(text, "{title}");
    for (words, meaning) in lines {
        let mut line = format!("  {words:<WORDS$}");
        for word in meaning.split(' ') {
            let is_full = line.chars().count() + 1 + word.chars().count() > width;
            if is_full && line.trim() != "" {
                let _ = writeln!(text, "{}", line.trim_end());
                line = " ".repeat(if width < 60 { 4 } else { WORDS + 2 });
            }
            line.push(' ');
            line.push_str(word);
        }
        let _ = writeln!(text, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_moves() {
        let mv = |text: &str| Request::Move(text.to_owned());
        assert_eq!(Request::of("QUIT"), Request::Quit);
        assert_eq!(Request::of("/quit"), Request::Quit);
        assert_eq!(
            Request::of("save my game.json"),
            Request::Save("my game.json".to_owned())
        );
        assert_eq!(Request::of("undo"), Request::Undo(1));
        assert_eq!(Request::of("redo 3"), Request::Redo(3));
        let unclear = |text: &str| Request::Unclear(text.to_owned());
        assert_eq!(Request::of("undo 0"), unclear("undo 0"));
        assert_eq!(Request::of("redo x"), unclear("redo x"));
        assert_eq!(Request::of("move a 1"), mv("move a 1"));
        assert_eq!(Request::of("board 2"), mv("board 2"));
        assert_eq!(Request::of(""), Request::Nothing);
    }

    #[test]
    fn a_word_means_one_command() {
        let words: Vec<&str> = commands()
            .flat_map(|command| command.words)
            .copied()
            .collect();
        for word in &words {
            assert_eq!(
                words.iter().filter(|other| *other == word).count(),
                1,
                "{word}"
            );
        }
    }

    #[test]
    fn help_fits_narrow_terminals() {
        for width in [40, 80, 100] {
            let text = help(width);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{text}");
            assert!(command_names().all(|name| text.contains(name)));
        }
    }

    #[test]
    fn slips_are_guessed() {
        let legal = ["(mark 1 1)".to_owned()];
        assert_eq!(meant("mrak 1 1", &legal), Some("mark".to_owned()));
        assert_eq!(meant("resing", &legal), Some("resign".to_owned()));
        assert_eq!(meant("(zzz", &legal), None);
        assert_eq!(meant("mark 3 3", &legal), None);
    }
}
