//! An engine of one's own, checked: `cargo run --example conformance`.
//!
//! A game with a heap is written by hand. It is put through the conformance checks, and compared with the reasoner on
//! the same game's rules in GDL.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use kolibri::conformance::{self, DifferentialTest, differential_test};
use kolibri::engine::Reasoner;
use kolibri::game::{InvalidFacts, Role, Scalar, StateMachine};
use kolibri::gdl;
use kolibri::util::Deadline;

/// Two players take one to three from a heap in turn; who takes the last one wins.
struct Subtraction {
    roles: [String; 2],
    heap: u32,
}

/// How much is left, and whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Heap {
    left: u32,
    mover: usize,
}

const MOST: u32 = 3;

/// Playouts and batches are derived from single steps.
impl Scalar for Subtraction {}

impl StateMachine for Subtraction {
    type State = Heap;
    /// How many are taken; 0 for `noop`.
    type Move = u32;
    /// No working memory is needed.
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Heap {
        let left = self.heap;
        Heap { left, mover: 0 }
    }

    fn scratch(&self) {}

    fn is_terminal(&self, (): &mut (), state: &Heap) -> bool {
        state.left == 0
    }

    fn legal(&self, (): &mut (), state: &Heap, role: Role, moves: &mut Vec<u32>) {
        moves.clear();
        match role.0 == state.mover {
            true => moves.extend(1..=MOST.min(state.left)),
            false => moves.push(0),
        }
    }

    fn next(&self, (): &mut (), state: &Heap, joint: &[u32]) -> Heap {
        Heap {
            left: state.left - joint[state.mover],
            mover: 1 - state.mover,
        }
    }

    fn goal(&self, (): &mut (), state: &Heap, role: Role) -> Option<u8> {
        (state.left == 0).then_some(if role.0 == state.mover { 0 } else { 100 })
    }

    fn move_text(&self, mv: u32) -> String {
        match mv {
            0 => "noop".to_owned(),
            taken => format!("(take {taken})"),
        }
    }

    /// In the order of the texts.
    fn state_text(&self, state: &Heap) -> Vec<String> {
        let control = format!("(control {})", self.roles[state.mover]);
        vec![control, format!("(heap {})", state.left)]
    }

    fn state_from_text(&self, facts: &[String]) -> Result<Heap, InvalidFacts> {
        let heap = |fact: &String| fact.strip_prefix("(heap ")?.strip_suffix(')')?.parse().ok();
        let left = facts
            .iter()
            .find_map(heap)
            .ok_or_else(|| InvalidFacts("there is no heap".to_owned()))?;
        let second = facts.iter().any(|fact| fact == "(control second)");
        let mover = usize::from(second);
        Ok(Heap { left, mover })
    }
}

/// The same game in GDL.
fn rules(heap: u32) -> String {
    let differences = (1..=heap).flat_map(|from| {
        (1..=MOST.min(from)).map(move |taken| format!("(minus {from} {taken} {})\n", from - taken))
    });
    let differences: String = differences.collect();
    format!(
        "(role first) (role second)
         (init (heap {heap})) (init (control first))
         (<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?h)) (minus ?h ?n ?left))
         (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
         (<= (next (heap ?left)) (does ?p (take ?n)) (true (heap ?h)) (minus ?h ?n ?left))
         (<= (next (control second)) (true (control first)))
         (<= (next (control first)) (true (control second)))
         (<= terminal (true (heap 0)))
         (<= (goal ?p 100) (role ?p) (true (heap 0)) (not (true (control ?p))))
         (<= (goal ?p 0) (true (heap 0)) (true (control ?p)))
         {differences}"
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let game = Subtraction {
        roles: ["first", "second"].map(str::to_owned),
        heap: 20,
    };

    // Single steps on 10 random walks, then playouts and batches.
    let report = conformance::check(&game, 1, 10, 100)?;
    println!(
        "{} states visited, {} games ended",
        report.states, report.ended
    );
    conformance::check_engine(&game, 1, 4, 30)?;

    let checked = gdl::load(&rules(20)).rules.ok_or("the rules have errors")?;
    let reasoner = Reasoner::new(&checked)?;
    let options = DifferentialTest {
        seed: 1,
        games: 10,
        max_plies: 100,
        deadline: &Deadline::default(),
    };
    match differential_test(&reasoner, &game, options) {
        Ok(agreement) => println!("{agreement} with the rules"),
        Err(found) => return Err(found.difference.report("rules", "engine").into()),
    }
    Ok(())
}
