//! The options of the published players of checkers.

use super::search::{SEED, unless_default, whole};
use super::{Expected, PlayerKind, PlayerOption};
use crate::native::checkers::published::{
    JitterCure, LeafSign, PublishedAlgorithm, PublishedEvaluation, PublishedPlayer,
};
use crate::play::{Spec, SpecError};

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::play::spec) struct PublishedValues {
    player: PublishedPlayer,
    /// The number of the evaluation.
    ef: u8,
    version: EfVersion,
    has_bonus: bool,
}

/// A version of EF-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EfVersion {
    V0,
    V1,
    V2,
    Final,
}

impl EfVersion {
    const ALL: [(&str, Self); 4] = [
        ("v0", Self::V0),
        ("v1", Self::V1),
        ("v2", Self::V2),
        ("final", Self::Final),
    ];
}

impl Default for PublishedValues {
    fn default() -> Self {
        Self::from(PublishedPlayer::default())
    }
}

impl From<PublishedPlayer> for PublishedValues {
    fn from(player: PublishedPlayer) -> Self {
        Self {
            ef: player.evaluation.number(),
            version: match player.evaluation {
                PublishedEvaluation::ThreeV0 => EfVersion::V0,
                PublishedEvaluation::ThreeV1 => EfVersion::V1,
                PublishedEvaluation::ThreeV2 => EfVersion::V2,
                _ => EfVersion::Final,
            },
            has_bonus: player.evaluation == PublishedEvaluation::ThreeWithBonus,
            player,
        }
    }
}

impl PublishedValues {
    /// The evaluation; `None` where it has no such version, or no bonus.
    fn evaluation(&self) -> Option<PublishedEvaluation> {
        match (self.ef, self.version, self.has_bonus) {
            (3, EfVersion::V0, false) => Some(PublishedEvaluation::ThreeV0),
            (3, EfVersion::V1, false) => Some(PublishedEvaluation::ThreeV1),
            (3, EfVersion::V2, false) => Some(PublishedEvaluation::ThreeV2),
            (3, EfVersion::Final, true) => Some(PublishedEvaluation::ThreeWithBonus),
            (number, EfVersion::Final, false) => PublishedEvaluation::numbered(number),
            _ => None,
        }
    }

    /// The player; `None` where options do not go together.
    fn player(&self) -> Option<PublishedPlayer> {
        let evaluation = self.evaluation()?;
        Some(PublishedPlayer {
            evaluation,
            ..self.player
        })
    }

    /// Checks that the options go together.
    pub(super) fn check(&self) -> Result<(), SpecError> {
        match self.evaluation() {
            Some(_) => Ok(()),
            None => Err(SpecError::new(
                "`version` and `bonus` are about EF-3, and the bonus about its final version"
                    .to_owned(),
                "write ef=3,version=v1, or ef=3,bonus=on".to_owned(),
            )),
        }
    }
}

/// The published players.
pub(super) const PUBLISHED: PlayerKind = PlayerKind {
    name: "published",
    meaning: "the players of a student project in checkers, as published; no other game",
    argument: None,
    options: &[
        &ALGORITHM, &EF, &TURNS, &SIGN, &BONUS, &VERSION, &FUTILITY, &OPPONENT, &CURE, &SEED,
    ],
    make: |values| {
        Some(Spec::Published {
            player: values.published.player()?,
            seed: values.seed,
        })
    },
};

/// Words, and what they stand for.
fn one_of<T: Copy>(known: &[(&str, T)], text: &str) -> Result<T, Expected> {
    let found = known.iter().find(|(word, _)| *word == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        words.join(" or ").into()
    })
}

/// The word for a value, unless it is the first one.
fn word_of<T: PartialEq>(known: &[(&str, T)], value: &T) -> Option<String> {
    let place = known.iter().position(|(_, known)| known == value)?;
    (place > 0).then(|| known[place].0.to_owned())
}

const ALGORITHMS: [(&str, PublishedAlgorithm); 2] = [
    ("mab", PublishedAlgorithm::MinimaxAb),
    ("abs", PublishedAlgorithm::AlphaBeta),
];

const ALGORITHM: PlayerOption = PlayerOption {
    name: "algorithm",
    value: "NAME",
    meaning: "the search: mab (Minimax-A-B) or abs (Alpha-Beta-Search)",
    default: "mab",
    read: |values, text| {
        values.published.player.algorithm = one_of(&ALGORITHMS, text)?;
        Ok(())
    },
    write: |values| word_of(&ALGORITHMS, &values.published.player.algorithm),
};

const EF: PlayerOption = PlayerOption {
    name: "ef",
    value: "1..4",
    meaning: "the evaluation: EF-1, EF-2, EF-3, or EF-4, which is constant",
    default: "3",
    read: |values, text| {
        values.published.ef = whole(text, 1, 4, "")?;
        Ok(())
    },
    write: |values| unless_default(values.published.ef, 3),
};

const TURNS: PlayerOption = PlayerOption {
    name: "depth",
    value: "2..15",
    meaning: "depth in turns",
    default: "4",
    read: |values, text| {
        let depths = PublishedPlayer::DEPTHS;
        values.published.player.depth = whole(text, *depths.start(), *depths.end(), "turns")?;
        Ok(())
    },
    write: |values| unless_default(values.published.player.depth, 4),
};

const SIGNS: [(&str, LeafSign); 2] = [
    ("published", LeafSign::AsPublished),
    ("corrected", LeafSign::Corrected),
];

const SIGN: PlayerOption = PlayerOption {
    name: "sign",
    value: "NAME",
    meaning: "the sign of values where the opponent moves: published, which is wrong, or corrected",
    default: "published",
    read: |values, text| {
        values.published.player.sign = one_of(&SIGNS, text)?;
        Ok(())
    },
    write: |values| word_of(&SIGNS, &values.published.player.sign),
};

const SWITCH: [(&str, bool); 2] = [("off", false), ("on", true)];

const BONUS: PlayerOption = PlayerOption {
    name: "bonus",
    value: "on",
    meaning: "whether EF-3 counts differences of men and kings, which its listing has switched off",
    default: "off",
    read: |values, text| {
        values.published.has_bonus = one_of(&SWITCH, text)?;
        Ok(())
    },
    write: |values| word_of(&SWITCH, &values.published.has_bonus),
};

const VERSION: PlayerOption = PlayerOption {
    name: "version",
    value: "NAME",
    meaning: "the version of EF-3: v0, v1, v2 or final",
    default: "final",
    read: |values, text| {
        values.published.version = one_of(&EfVersion::ALL, text)?;
        Ok(())
    },
    write: |values| {
        let known = EfVersion::ALL.iter();
        let word = known.filter(|(_, version)| *version != EfVersion::Final);
        let mut word = word.filter(|(_, version)| *version == values.published.version);
        word.next().map(|(word, _)| (*word).to_owned())
    },
};

const FUTILITY: PlayerOption = PlayerOption {
    name: "futility",
    value: "N",
    meaning: "futility cutoff: what gains at most so much is not searched",
    default: "0, which is none",
    read: |values, text| {
        values.published.player.futility = whole(text, 0, 1_000_000, "")?;
        Ok(())
    },
    write: |values| unless_default(values.published.player.futility, 0),
};

const OPPONENT: PlayerOption = PlayerOption {
    name: "opponent",
    value: "1..4",
    meaning: "the evaluation by which the opponent is expected to choose",
    default: "the player's own",
    read: |values, text| {
        let number = whole(text, 1, 4, "")?;
        values.published.player.opponent = PublishedEvaluation::numbered(number);
        Ok(())
    },
    write: |values| Some(values.published.player.opponent?.number().to_string()),
};

const CURE: PlayerOption = PlayerOption {
    name: "cure",
    value: "NAME",
    meaning: "what is done against pieces that shuttle: none, home, repetition, turn or score",
    default: "none",
    read: |values, text| {
        let cures = JitterCure::ALL.map(|cure| (cure.name(), cure));
        values.published.player.cure = one_of(&cures, text)?;
        Ok(())
    },
    write: |values| {
        let cure = values.published.player.cure;
        (cure != JitterCure::None).then(|| cure.name().to_owned())
    },
};
