//! The keywords of GDL.

/// A relation whose meaning GDL fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Keyword {
    Role,
    Init,
    True,
    Next,
    Legal,
    Does,
    Goal,
    Terminal,
    Base,
    Input,
}

/// Words that join conditions rather than name a relation.
const CONNECTIVES: [&str; 4] = ["not", "or", "distinct", "<="];

impl Keyword {
    const ALL: [Self; 10] = [
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
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|keyword| keyword.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
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
    pub(super) fn arity(self) -> Option<usize> {
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

    /// How it is written.
    pub(super) fn form(self) -> &'static str {
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
pub(super) fn canonical(word: &str) -> Option<&'static str> {
    relation_names()
        .chain(["random"])
        .find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// The connective that `word` is, in any case.
pub(super) fn connective(word: &str) -> Option<&'static str> {
    CONNECTIVES
        .into_iter()
        .find(|connective| connective.eq_ignore_ascii_case(word))
}
