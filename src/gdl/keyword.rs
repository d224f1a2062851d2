//! The keywords of GDL.

/// A relation whose meaning GDL fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `(role p)`: `p` is a role.
    Role,
    /// `(init f)`: the fact `f` holds in the initial state.
    Init,
    /// `(true f)`: the fact `f` holds in the current state.
    True,
    /// `(next f)`: the fact `f` holds in the next state.
    Next,
    /// `(legal p m)`: role `p` may make the move `m`.
    Legal,
    /// `(does p m)`: role `p` makes the move `m`.
    Does,
    /// `(goal p n)`: role `p` gets `n`.
    Goal,
    /// `terminal`: the game is over.
    Terminal,
    /// `(base f)`: the fact `f` may ever hold.
    Base,
    /// `(input p m)`: role `p` may ever make the move `m`.
    Input,
}

/// Words that join conditions rather than name a relation.
pub const CONNECTIVES: [&str; 4] = ["not", "or", "distinct", "<="];

impl Keyword {
    /// Every keyword relation.
    pub const ALL: [Self; 10] = [
        Self::Role,
        Self::Init,
        Self::True,
        Self::Next,
        Self::Legal,
        Self::Does,
        Self::Goal,
        Self::Terminal,
        Self::Base,
        Self::Input,
    ];

    /// The keyword relation of this name, in lower case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|keyword| keyword.name() == name)
    }

    /// How it is spelled.
    pub fn name(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Init => "init",
            Self::True => "true",
            Self::Next => "next",
            Self::Legal => "legal",
            Self::Does => "does",
            Self::Goal => "goal",
            Self::Terminal => "terminal",
            Self::Base => "base",
            Self::Input => "input",
        }
    }

    /// How many arguments it takes: `None` for the bare word.
    pub fn arity(self) -> Option<usize> {
        match self {
            Self::Terminal => None,
            Self::Role | Self::Init | Self::True | Self::Next | Self::Base => Some(1),
            Self::Legal | Self::Does | Self::Goal | Self::Input => Some(2),
        }
    }

    /// Whether conditions may ask for it.
    pub(super) fn may_be_asked(self) -> bool {
        match self {
            Self::Init | Self::Next | Self::Base | Self::Input => false,
            Self::Role | Self::True | Self::Legal | Self::Does | Self::Goal | Self::Terminal => {
                true
            }
        }
    }

    /// Whether rules may derive it, or only facts.
    pub(super) fn may_be_derived(self, is_fact: bool) -> bool {
        match self {
            Self::True | Self::Does => false,
            Self::Role => is_fact,
            _ => true,
        }
    }

    /// How it is written, with a description in place of each argument.
    pub fn form(self) -> &'static str {
        match self {
            Self::Role => "(role <player>)",
            Self::Init => "(init <fact>)",
            Self::True => "(true <fact>)",
            Self::Next => "(next <fact>)",
            Self::Legal => "(legal <player> <move>)",
            Self::Does => "(does <player> <move>)",
            Self::Goal => "(goal <player> <value>)",
            Self::Terminal => "terminal",
            Self::Base => "(base <fact>)",
            Self::Input => "(input <player> <move>)",
        }
    }
}

/// The names of the keyword relations.
pub(super) fn relation_names() -> impl Iterator<Item = &'static str> {
    Keyword::ALL.into_iter().map(Keyword::name)
}

/// The lower-case spelling of `word` if GDL knows it: these words mean the same in any case, all others do not.
pub fn canonical(word: &str) -> Option<&'static str> {
    relation_names()
        .chain(["random"])
        .find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// The connective that `word` is, in any case.
pub fn connective(word: &str) -> Option<&'static str> {
    CONNECTIVES
        .into_iter()
        .find(|connective| connective.eq_ignore_ascii_case(word))
}
