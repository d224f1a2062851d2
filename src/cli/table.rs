//! What commands that play a game share: who plays, and how boards are drawn.

use std::time::{SystemTime, UNIX_EPOCH};

use anstream::ColorChoice;

use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::game::is_chance;
use crate::play::{Assignment, Spec, SpecError};
use crate::terminal::Style;

/// What was typed about boards.
#[derive(Debug, clap::Args)]
pub(super) struct BoardArgs {
    /// Draw boards with ASCII characters alone
    #[arg(long)]
    ascii: bool,
}

impl BoardArgs {
    /// How to draw on the standard output of this session.
    pub(super) fn style(&self, session: &Session<'_>) -> Style {
        const WIDTH: usize = 100;
        let columns = std::env::var("COLUMNS")
            .ok()
            .and_then(|text| text.parse().ok());
        Style {
            unicode: !self.ascii && !is_plain_locale(),
            color: session.out.current_choice() != ColorChoice::Never,
            width: columns.unwrap_or(WIDTH).clamp(20, 1000),
        }
    }
}

/// Whether the environment asks for a character set without box-drawing characters. Where it says nothing, today's
/// terminals can be trusted to have them.
fn is_plain_locale() -> bool {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

impl From<SpecError> for Failure {
    fn from(fault: SpecError) -> Self {
        Self::usage(fault.message).with_help(fault.help)
    }
}

/// The players typed as `ROLE=SPEC` or `SPEC`.
pub(super) fn assigned(texts: &[String]) -> Result<Vec<Assignment>, Failure> {
    let mut assigned: Vec<Assignment> = Vec::new();
    for text in texts {
        let one: Assignment = text.parse()?;
        if assigned.iter().any(|other| other.role == one.role) {
            return Err(assigned_twice(one.role.as_deref()));
        }
        assigned.push(one);
    }
    Ok(assigned)
}

fn assigned_twice(role: Option<&str>) -> Failure {
    match role {
        Some(role) => Failure::usage(format!("`{role}` has two players"))
            .with_help("give each role one `--player`"),
        None => Failure::usage("two players are given for all roles")
            .with_help("say who plays what: `--player ROLE=SPEC`"),
    }
}

/// The player of each role. Chance takes the role `random`, unless somebody else was named for it.
pub(super) fn deal(
    assigned: &[Assignment],
    (roles, evaluations): (&[String], &[&str]),
    default: &Spec,
) -> Result<Vec<Spec>, Failure> {
    let mut specs = Assignment::deal(assigned, roles, default)?;
    for (role, spec) in roles.iter().zip(&mut specs) {
        if is_chance(role) && !is_named(assigned, role) {
            *spec = Spec::Random { seed: None };
        }
    }
    let wanted = specs.iter().filter_map(Spec::evaluation);
    match wanted.into_iter().find(|name| !evaluations.contains(name)) {
        Some(name) => Err(no_evaluation(name, evaluations)),
        None => Ok(specs),
    }
}

/// Whether somebody was named for this very role.
pub(super) fn is_named(assigned: &[Assignment], role: &str) -> bool {
    assigned.iter().any(|one| one.names(role))
}

/// Sees to it that all who were named have a role to play; `person` is the role of whoever sits at the keyboard.
pub(super) fn all_play(
    assigned: &[Assignment],
    roles: &[String],
    person: Option<usize>,
) -> Result<(), Failure> {
    let is_taken = |(number, role): (usize, &String)| {
        is_chance(role) || is_named(assigned, role) || person == Some(number)
    };
    let is_full = roles.iter().enumerate().all(is_taken);
    for one in assigned.iter().filter(|one| one.spec != Spec::Human) {
        let spec = &one.spec;
        let unseated = match person.map(|person| &roles[person]) {
            Some(role) if one.names(role) => {
                format!("`{role}` is your role, and cannot be played by `{spec}`, too")
            }
            _ if one.role.is_none() && is_full => format!("no role is left for `{spec}` to play"),
            _ => continue,
        };
        return Err(
            Failure::usage(unseated).with_help(format!("the roles are {}", roles.join(", ")))
        );
    }
    Ok(())
}

/// The engine of the game does not know this formula.
pub(super) fn no_evaluation(name: &str, known: &[&str]) -> Failure {
    let help = match known {
        [] => "published evaluations come with the native engines of kolibrat and checkers: `--engine native`".to_owned(),
        known => format!("it has {}", known.join(", ")),
    };
    Failure::usage(format!(
        "this game has no evaluation `{name}` on this engine"
    ))
    .with_help(help)
}

/// The seed of one role's player in a game that has the given seed.
pub(super) fn seed_of_role(seed: u64, role: usize) -> u64 {
    // An odd factor keeps seeds of different games and roles apart.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    seed.wrapping_mul(STRIDE).wrapping_add(role as u64)
}

/// Milliseconds since 1970.
pub(super) fn milliseconds() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
