//! The relations that every game must define.

use rustc_hash::FxHashSet;

use crate::gdl::description::{Description, Expr, Statement};
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest::{self, rename};
use crate::kif::{Diagnostic, Fix, Severity, Span};

/// What there is to say if no sentence defines a relation: an error where there is no game without it.
const REQUIRED: [(Keyword, Severity, &str, &str); 6] = [
    (
        Keyword::Role,
        Severity::Error,
        "missing-role",
        "the game has no players",
    ),
    (
        Keyword::Legal,
        Severity::Error,
        "missing-legal",
        "no rule says which moves are legal",
    ),
    (
        Keyword::Terminal,
        Severity::Error,
        "missing-terminal",
        "no rule says when the game is over",
    ),
    (
        Keyword::Goal,
        Severity::Error,
        "missing-goal",
        "no rule says what the players score",
    ),
    (
        Keyword::Init,
        Severity::Warning,
        "missing-init",
        "the game starts in an empty state",
    ),
    (
        Keyword::Next,
        Severity::Warning,
        "missing-next",
        "the state is empty after every move",
    ),
];

/// Reports the keyword relations that no sentence defines.
pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    for (keyword, severity, code, message) in REQUIRED {
        if !is_defined(description, keyword) {
            let finding = Diagnostic {
                severity,
                ..Diagnostic::error(code, place(description), message)
            };
            findings.push(missing(description, keyword, finding));
        }
    }
}

/// What is missing has no place: the diagnostic points to the first player, or to where the players should be.
fn place(description: &Description) -> Span {
    let mut statements = description.statements.iter();
    let player = statements.clone().find(|statement| statement.is_role());
    player
        .or(statements.next())
        .map_or(Span::at(0), |statement| statement.span)
}

fn is_defined(description: &Description, keyword: Keyword) -> bool {
    let name = keyword.name();
    description.mentioned.contains(name)
        || description
            .statements
            .iter()
            .any(|statement| statement.head.name() == Some(name))
}

fn missing(description: &Description, keyword: Keyword, finding: Diagnostic) -> Diagnostic {
    let help = match keyword {
        Keyword::Role => "write `(role <player>)` for each player, such as `(role white)`",
        Keyword::Legal => {
            "write `(<= (legal <player> <move>) condition …)`, such as `(<= (legal ?p noop) (role ?p))`"
        }
        Keyword::Terminal => {
            "write `(<= terminal condition …)`, such as `(<= terminal (true (step 10)))`"
        }
        Keyword::Goal => {
            "write `(<= (goal <player> <value>) condition …)` with a value from 0 to 100, such as `(<= (goal white 100) (line x))`"
        }
        Keyword::Init => "write `(init <fact>)` for each fact that holds at the start",
        _ => "write `(<= (next <fact>) condition …)` for what holds after a move",
    };
    let heads = description
        .statements
        .iter()
        .map(|statement| &statement.head);
    let misspelt = heads
        .filter(|head| {
            head.name()
                .is_some_and(|name| Keyword::named(name).is_none())
        })
        .find(|head| {
            let arity = head.signature().and_then(|signature| signature.arity);
            let same_arity =
                arity == keyword.arity() || (arity, keyword.arity()) == (Some(0), None);
            same_arity && suggest::similar(head.name().unwrap_or_default(), keyword.name())
        });
    match misspelt {
        Some(head) => finding
            .label(
                head.span,
                format!("did you mean `{}` here?", keyword.name()),
            )
            .help(help)
            .fix(respelt(description, head, keyword)),
        None => finding.help(help).fix(added(description, keyword)),
    }
}

/// Writes the keyword wherever the misspelt one stands.
fn respelt(description: &Description, misspelt: &Expr, keyword: Keyword) -> Option<Fix> {
    let same = |expr: &Expr| expr.signature() == misspelt.signature();
    let (mut heads, mut places) = (Vec::new(), Vec::new());
    for statement in &description.statements {
        heads.extend(same(&statement.head).then_some(statement));
        if keyword.may_be_asked() {
            statement
                .each_sentence(|_, sentence| places.extend(same(sentence).then_some(sentence)));
        }
    }
    let is_fact = heads.iter().all(|statement| !statement.arrow);
    places.extend(heads.iter().map(|statement| &statement.head));
    let spans = places.iter().map(|place| match keyword {
        Keyword::Terminal => place.span,
        _ => place.name_span,
    });
    let fix = || rename(misspelt.name().unwrap_or_default(), keyword.name(), spans);
    keyword.may_be_derived(is_fact).then(fix)
}

/// The least that makes a game of the rules.
fn added(description: &Description, keyword: Keyword) -> Option<Fix> {
    let last = description.statements.last()?.span.end;
    let add = |text: &str| Fix::guess(format!("add `{text}`")).insert(last, format!("\n{text}"));
    match keyword {
        Keyword::Role => roles_added(description),
        Keyword::Legal => Some(add("(<= (legal ?player noop) (role ?player))")),
        Keyword::Goal => Some(add("(<= (goal ?player 50) (role ?player))")),
        Keyword::Terminal => {
            ends_with_a_win(description).then(|| add("(<= terminal (goal ?player 100))"))
        }
        _ => None,
    }
}

/// Whether a goal value of 100 can say that the game is over.
fn ends_with_a_win(description: &Description) -> bool {
    let is_win = |head: &Expr| {
        let value = head.args().get(1).and_then(Expr::name);
        head.name() == Some(Keyword::Goal.name()) && value == Some("100")
    };
    let mut asks_for_end = false;
    for statement in &description.statements {
        statement.each_sentence(|_, sentence| {
            asks_for_end |= sentence.name() == Some(Keyword::Terminal.name());
        });
    }
    let has_win = |statement: &Statement| is_win(&statement.head) && !statement.body.is_empty();
    !asks_for_end && description.statements.iter().any(has_win)
}

/// The players that other sentences name.
fn roles_added(description: &Description) -> Option<Fix> {
    let first = description.statements.first()?.span.start;
    let (mut roles, mut seen) = (String::new(), FxHashSet::default());
    for statement in &description.statements {
        statement.each_expr(|expr| {
            let keyword = expr.name().and_then(Keyword::named);
            if let (Some(Keyword::Legal | Keyword::Does | Keyword::Goal), [player, _]) =
                (keyword, expr.args())
                && !player.is_open()
                && seen.insert(player.to_term())
            {
                roles.push_str(&format!("(role {player})\n"));
            }
        });
    }
    let fix = || Fix::guess("add the players that the rules name");
    (!roles.is_empty()).then(|| fix().insert(first, roles))
}
