//! Players whose moves are judged.

use std::fs;
use std::time::Duration;

use super::*;
use crate::generate::{ConnectFourSize, KolibratSize, NimSize, Size};
use crate::session::Position;
use crate::solved::{SolvedGame, tests::solved};

fn asked(game: &Game, player: &str, positions: usize) -> Quality {
    let judge = solved(game, 0);
    let judges: Vec<Option<SolvedGame>> = (0..2)
        .map(|role| judge.check_role(role).is_ok().then(|| judge.clone()))
        .collect();
    let mut judge = SolutionJudge(judges);
    asked_by(game, player, positions, &mut judge)
}

fn asked_by(game: &Game, player: &str, positions: usize, judge: &mut dyn Judge) -> Quality {
    let (player, stop) = (player.parse().unwrap(), StopFlag::default());
    check_player(&player, &stop).unwrap();
    let test = QualityTest {
        player: &player,
        positions,
        plies: 100,
        seed: 1,
        stop: &stop,
    };
    let mut told = 0;
    let quality = test.run(game, judge, &mut |quality| {
        told += 1;
        assert_eq!(quality.answers.len(), told);
    });
    let quality = quality.unwrap();
    assert_eq!(quality.answers.len(), told);
    quality
}

#[test]
fn proofs_judge_as_the_solution_does() {
    let game = tictactoe();
    let mut proofs = ProofJudge::new(2, |_| true, (Duration::from_secs(60), 1));
    let proved = asked_by(&game, "first", 60, &mut proofs);
    let mut known = asked(&game, "first", 60);
    for answer in &mut known.answers {
        // The solution tells the quickest win first.
        answer.best.sort();
    }
    assert_eq!(proved, known);
    assert_eq!((proved.answers.len(), proved.undecided), (60, 0));
}

/// Searches know nothing of solutions, and solutions nothing of searches.
#[test]
fn searches_prove_what_solutions_say() {
    let connect_four = ConnectFourSize {
        width: 4,
        height: 4,
    };
    let nim = NimSize {
        piles: vec![2, 3, 4],
    };
    let kolibrat = KolibratSize {
        width: 2,
        height: 3,
        pieces: 2,
        goals: 1,
    };
    let games = [
        ("connect-four", connect_four.rule_file()),
        ("nim", nim.rule_file()),
        ("kolibrat", kolibrat.rule_file()),
    ];
    for (name, text) in games {
        let game = Game::from_text(name, &text.unwrap()).unwrap();
        let mut solution = SolutionJudge(vec![Some(solved(&game, 0)); 2]);
        let mut proofs = ProofJudge::new(2, |_| true, (Duration::from_secs(60), 1));
        let stop = StopFlag::default();
        let mut draw = PositionDraw::new(&game, 100, 1, &stop).unwrap();
        let mut compared = 0;
        for _ in 0..60 {
            let Some(session) = draw.next_position() else {
                continue;
            };
            let position = session.position();
            let [role] = position.choosing()[..] else {
                continue;
            };
            let mut known = solution.moves(position, role, &stop).unwrap();
            known.sort();
            let mut proved = proofs.moves(position, role, &stop).unwrap();
            proved.sort();
            assert_eq!(proved, known, "{name}: {:?}", position.facts());
            compared += known.len();
        }
        assert!(compared > 60, "{name}: {compared}");
    }
}

#[test]
fn plies_of_which_nothing_is_found_out_are_left_out() {
    /// Knows nothing before a ply.
    struct From(usize, SolutionJudge);
    impl Judge for From {
        fn knows(&self, role: usize) -> bool {
            self.1.knows(role)
        }

        fn moves(
            &mut self,
            position: &Position,
            role: usize,
            stop: &StopFlag,
        ) -> Option<Vec<(String, i64)>> {
            let blank = |fact: &&String| fact.ends_with(" blank)");
            let ply = 9 - position.facts().iter().filter(blank).count();
            (ply >= self.0)
                .then(|| self.1.moves(position, role, stop))
                .flatten()
        }
    }
    let game = tictactoe();
    let solution = || SolutionJudge(vec![Some(solved(&game, 0)); 2]);
    let late = asked_by(&game, "first", 60, &mut From(4, solution()));
    assert_eq!(late.answers.len(), 60);
    assert!(late.answers.iter().all(|answer| answer.ply >= 4));
    assert!((2..=8).contains(&late.undecided), "{}", late.undecided);
    // Who knows nothing is not asked for ever.
    let never = asked_by(&game, "first", 60, &mut From(10, solution()));
    assert_eq!(never.answers, Vec::new());
}

fn tictactoe() -> Game {
    Game::load("tictactoe").unwrap()
}

#[test]
fn who_knows_the_solution_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tictactoe.solution");
    let game = tictactoe();
    fs::write(&path, solved(&game, 0).to_bytes()).unwrap();
    let perfect = asked(&game, &format!("solved:file={}", path.display()), 60);
    let all = KeptCount {
        positions: 60,
        kept: 60,
    };
    assert_eq!(perfect.kept(), all);
    assert_eq!(perfect.worst(5), Vec::<&JudgedAnswer>::new());
    assert_eq!(perfect.mean_cost(), Some(0.0));
    // So does who looks nine plies ahead, and from the same positions.
    let looking = asked(&game, "minimax:depth=9", 60);
    assert_eq!(looking.kept(), all);
    let moves = |quality: &Quality| -> Vec<Vec<String>> {
        let answers = quality.answers.iter();
        answers.map(|answer| answer.moves.clone()).collect()
    };
    assert_eq!(moves(&perfect), moves(&looking));
}

#[test]
fn who_draws_moves_keeps_what_chance_keeps() {
    let quality = asked(&tictactoe(), "random", 600);
    let kept = quality.kept();
    assert_eq!(kept.positions, 600);
    let [low, high] = kept.interval();
    let by_chance = quality.share_by_chance().unwrap();
    assert!(low < by_chance && by_chance < high && high < 0.9);
    assert_eq!(quality.without_move(), 0);
    let worst = quality.worst(usize::MAX);
    assert_eq!(worst.len() as u64, kept.positions - kept.kept);
    assert_eq!(worst[0].cost(), Some(100), "a win turned into a loss");
    assert!(worst.is_sorted_by_key(|answer| std::cmp::Reverse(answer.cost())));
    let roles = [0, 1].map(|role| quality.kept_by(role).positions);
    assert_eq!(roles.iter().sum::<u64>(), 600);
    assert!(roles[0] > 100 && roles[1] > 100);
}

#[test]
fn positions_are_spread_over_the_plies_and_differ() {
    let quality = asked(&tictactoe(), "first", 100);
    let by_ply = quality.by_ply();
    // At the start, all moves keep the draw.
    assert_eq!(by_ply.get(&0), None);
    assert!(
        (2..=6).all(|ply| by_ply[&ply].positions >= 12),
        "{by_ply:?}"
    );
    let mut drawn: Vec<&Vec<String>> = quality.answers.iter().map(|of| &of.moves).collect();
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn.len(), 100);
    let game = tictactoe();
    for answer in &quality.answers {
        let mut session = Session::new(&game);
        for mv in &answer.moves {
            session.play(mv).unwrap();
        }
        assert_eq!(session.legal_of(answer.role).len(), answer.legal);
        assert!(answer.best.len() < answer.legal);
    }
}

#[test]
fn a_small_game_has_no_more_positions_than_it_has() {
    let size = KolibratSize {
        width: 2,
        height: 2,
        pieces: 2,
        goals: 1,
    };
    let game = Game::from_text("kolibrat", &size.rule_file().unwrap()).unwrap();
    let quality = asked(&game, "first", 10_000);
    assert!(
        (1..1_000).contains(&quality.answers.len()),
        "{}",
        quality.answers.len()
    );
}

#[test]
fn a_person_and_a_player_on_the_network_are_not_asked() {
    let check = |player: &str| check_player(&player.parse().unwrap(), &StopFlag::default());
    assert_eq!(check("human"), Err(UnaskedPlayer::Person));
    assert_eq!(check("remote:127.0.0.1:9147"), Err(UnaskedPlayer::Remote));
    assert!(matches!(
        check("exec:/no/such/program"),
        Err(UnaskedPlayer::Program(_))
    ));
}
