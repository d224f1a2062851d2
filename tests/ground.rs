//! Differential test: ground rules against the reasoner, sentence by sentence.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use kolibri::catalog::SHIPPED;
use kolibri::datalog::{EvaluationLimits, stratify};
use kolibri::engine::Reasoner;
use kolibri::game::{Role, StateMachine};
use kolibri::gdl;
use kolibri::ground::{Ground, GroundRule, SentenceId, ground};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::corpus;

fn limits() -> EvaluationLimits {
    EvaluationLimits {
        rows: 1_000_000,
        terms: 1_000_000,
        time: Duration::from_secs(20),
        ..EvaluationLimits::default()
    }
}

/// The model of the ground rules for the facts and moves in `given`, stratum by stratum.
fn model(
    ground: &Ground,
    strata: &[Vec<&GroundRule>],
    given: &BTreeSet<String>,
) -> BTreeSet<String> {
    let ids = (0..ground.sentences.len() as u32).map(SentenceId);
    let mut holds: HashSet<SentenceId> =
        ids.filter(|&id| given.contains(&ground.text(id))).collect();
    for stratum in strata {
        let mut before = usize::MAX;
        while before != holds.len() {
            before = holds.len();
            for rule in stratum {
                if rule.holds.iter().all(|id| holds.contains(id))
                    && !rule.fails.iter().any(|id| holds.contains(id))
                {
                    holds.insert(rule.head);
                }
            }
        }
    }
    holds.into_iter().map(|id| ground.text(id)).collect()
}

fn strata(ground: &Ground) -> Vec<Vec<&GroundRule>> {
    let components = stratify(&ground.program).unwrap();
    let head = |rule: &GroundRule| ground.sentences[rule.head.0 as usize].pred;
    let rules = |preds: &[_]| {
        ground
            .rules
            .iter()
            .filter(|rule| preds.contains(&head(rule)))
            .collect()
    };
    components
        .iter()
        .map(|component| rules(&component.preds))
        .filter(|rules: &Vec<_>| !rules.is_empty())
        .collect()
}

/// The arguments of `keyword` in the sentences that hold, without sentences that are always true.
fn arguments_of(model: &BTreeSet<String>, keyword: &str) -> BTreeSet<String> {
    let strip = |text: &String| {
        Some(
            text.strip_prefix(&format!("({keyword} "))?
                .strip_suffix(')')?
                .to_owned(),
        )
    };
    model.iter().filter_map(strip).collect()
}

/// Plays a random game and compares both in each state.
fn compare(name: &str, text: &str, plies: usize) {
    compare_seeded(name, text, plies, 7);
}

fn compare_seeded(name: &str, text: &str, plies: usize, seed: u64) {
    let rules = gdl::load(text).rules.unwrap();
    let game = Reasoner::new(&rules).unwrap();
    let ground = ground(&rules, &limits()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let strata = strata(&ground);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = game.scratch();
    let mut state = game.initial();
    for ply in 0..plies {
        let mut given: BTreeSet<String> = game
            .state_text(&state)
            .iter()
            .map(|fact| format!("(true {fact})"))
            .collect();
        let now = model(&ground, &strata, &given);
        if game.is_terminal(&mut scratch, &state) {
            assert!(now.contains("terminal"), "{name}: the end at ply {ply}");
            return;
        }
        let mut joint = Vec::new();
        for (number, role) in game.roles().iter().enumerate() {
            let mut moves = Vec::new();
            game.legal(&mut scratch, &state, Role(number), &mut moves);
            let legal: BTreeSet<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
            let found = arguments_of(&now, &format!("legal {role}"));
            // Where the legal moves are static, none is among the sentences.
            let is_settled = arguments_of(&now, "legal").is_empty();
            assert!(
                is_settled || found == legal,
                "{name}, ply {ply}: {role} may {found:?}, not {legal:?}"
            );
            if moves.is_empty() {
                return;
            }
            joint.push(moves[random.random_range(0..moves.len())]);
        }
        for (role, &mv) in game.roles().iter().zip(&joint) {
            given.insert(format!("(does {role} {})", game.move_text(mv)));
        }
        state = game.next(&mut scratch, &state, &joint);
        let expected: BTreeSet<String> = game.state_text(&state).into_iter().collect();
        let found = arguments_of(&model(&ground, &strata, &given), "next");
        assert!(
            found.is_subset(&expected),
            "{name}, ply {ply}: too much: {:?}",
            found.difference(&expected)
        );
        let missing: Vec<&String> = expected.difference(&found).collect();
        assert!(
            missing.is_empty(),
            "{name}, ply {ply}: missing: {missing:?}"
        );
    }
}

#[test]
fn shipped_games_agree_with_their_ground_rules() {
    for shipped in SHIPPED {
        compare(shipped.name, shipped.text, 12);
    }
}

/// Rooks and kings on a strip of seven squares; no king may move into check. As in chess, the test for check depends on
/// which squares are empty after a move, by relations of many columns.
const STRIP: &str = "
    (role x)(role o)(opponent x o)(opponent o x)
    (own x xr rook)(own x xk king)(own o or rook)(own o ok king)
    (square 1)(square 2)(square 3)(square 4)(square 5)(square 6)(square 7)
    (after 1 2)(after 2 3)(after 3 4)(after 4 5)(after 5 6)(after 6 7)
    (<= (near ?u ?v) (after ?u ?v))(<= (near ?u ?v) (after ?v ?u))
    (init (cell 1 xr))(init (cell 2 xk))(init (cell 3 empty))(init (cell 4 empty))(init (cell 5 empty))
    (init (cell 6 ok))(init (cell 7 or))(init (control x))(init (left 9))
    (succ 9 8)(succ 8 7)(succ 7 6)(succ 6 5)(succ 5 4)(succ 4 3)(succ 3 2)(succ 2 1)(succ 1 0)
    (<= (next (left ?m)) (true (left ?n)) (succ ?n ?m))
    (<= (next (control ?w)) (true (control ?v)) (opponent ?v ?w))
    (<= (differ ?a ?b) (square ?a) (square ?b) (distinct ?a ?b))
    (<= (gap ?u ?v ?gone ?any) (after ?u ?v) (square ?gone) (square ?any))
    (<= (gap ?u ?v ?gone ?any) (after ?u ?w) (true (cell ?w empty)) (gap ?w ?v ?gone ?any))
    (<= (gap ?u ?v ?gone ?any) (after ?u ?gone) (gap ?gone ?v ?gone ?any))
    (<= (line ?u ?v ?gone ?any ?taken ?w) (gap ?u ?v ?gone ?any) (differ ?taken ?u) (role ?w))
    (<= (line ?u ?v ?gone ?any ?taken ?w) (gap ?v ?u ?gone ?any) (differ ?taken ?u) (role ?w))
    (<= (seen ?w ?taken ?at ?gone ?any ?kind)
        (opponent ?w ?foe) (own ?foe ?p ?kind) (distinct ?kind king) (true (cell ?u ?p))
        (line ?u ?at ?gone ?any ?taken ?foe))
    (<= (seen ?w ?taken ?at ?gone ?any ?kind)
        (opponent ?w ?foe) (own ?foe ?p king) (true (cell ?u ?p)) (near ?u ?at) (distinct ?taken ?u)
        (own ?foe ?q ?kind) (square ?taken) (square ?gone) (square ?any))
    (<= (goes ?w (step ?u ?v)) (own ?w ?p rook) (true (cell ?u ?p)) (gap ?u ?v 1 2))
    (<= (goes ?w (step ?u ?v)) (own ?w ?p rook) (true (cell ?u ?p)) (gap ?v ?u ?u ?v))
    (<= (goes ?w (step ?u ?v)) (own ?w ?p king) (true (cell ?u ?p)) (near ?u ?v))
    (<= (taboo ?w ?v) (own ?w ?p ?k) (true (cell ?v ?p)))
    (<= (legal ?w (move ?p ?u ?v))
        (true (control ?w)) (own ?w ?p rook) (true (cell ?u ?p)) (goes ?w (step ?u ?v)) (not (taboo ?w ?v))
        (own ?w ?king king) (true (cell ?at ?king)) (not (seen ?w ?v ?at ?u 3 rook)))
    (<= (legal ?w (move ?p ?u ?v))
        (true (control ?w)) (own ?w ?p king) (true (cell ?u ?p)) (goes ?w (step ?u ?v)) (not (taboo ?w ?v))
        (not (seen ?w ?v ?v ?u ?u rook)))
    (<= (legal ?w wait) (role ?w))
    (<= (touched ?c) (does ?w (move ?p ?c ?v)))
    (<= (touched ?c) (does ?w (move ?p ?u ?c)))
    (<= (next (cell ?v ?p)) (does ?w (move ?p ?u ?v)))
    (<= (next (cell ?u empty)) (does ?w (move ?p ?u ?v)))
    (<= (next (cell ?c ?p)) (true (cell ?c ?p)) (not (touched ?c)))
    (<= terminal (true (left 0)))
    (<= (goal ?w 50) (role ?w))";

#[test]
fn wide_relations_agree_with_their_ground_rules() {
    for seed in 0..20 {
        compare_seeded("strip", STRIP, 9, seed);
    }
}

/// Collected games with recursion, functions, simultaneous moves, and variables for whole facts and moves.
const COLLECTED: &[&str] = &[
    "ggp__ticTacToe",
    "ggp__connectFour",
    "ggp__breakthroughSmall",
    "ggp__blocksWorldSerial",
    "ggp__hanoi_6_disks",
    "ggp__maze",
    "ggp__pentago",
    "ggp__snake_2009_big",
    "ggp__biddingTicTacToe_10coins",
    "libgdl__fire_sheep",
    "ggp__cubicup_3player",
    "ggp__nineBoardTicTacToePie",
];

#[test]
fn rule_files_agree_with_their_ground_rules() {
    for (name, text) in corpus::texts(COLLECTED) {
        compare(&name, &text, 8);
    }
}
