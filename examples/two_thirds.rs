//! Rules that add, compare and multiply by successors alone: guess two thirds of the mean.
//!
//! ```sh
//! cargo run --release --example two_thirds -- 6 100 > six.kif
//! kolibri info six.kif
//! ```
//!
//! The first number says how many players there are, an even number; the second one, up to which number they guess.

#![expect(clippy::print_stdout, reason = "it prints a rule file")]
#![expect(clippy::print_stderr, reason = "it says how it is called")]

use std::fmt::Write;
use std::process::ExitCode;

/// The rules for an even number of players, each of whom names a number up to `most`. Who is nearest to two thirds of the mean wins: where
/// there are n players, half of three n times the number is to be nearest to the sum of all.
pub(crate) fn two_thirds(players: usize, most: usize) -> String {
    let factor = 3 * players / 2;
    let mut text = String::from(
        "(number 0) (<= (number ?n) (succ ?m ?n))
         (<= (sum ?x 0 ?x) (number ?x))
         (<= (sum ?x ?y ?z) (succ ?v ?y) (sum ?x ?v ?w) (succ ?w ?z))
         (<= (less ?x ?y) (succ ?x ?y))
         (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))
         (init waiting) (<= terminal (not (true waiting)))
         (<= (legal ?p (name ?n)) (role ?p) (guess ?n))
         (<= (next (named ?p ?n)) (does ?p (name ?n)))
         (<= (miss ?p ?d) (true (named ?p ?n)) (times ?n ?m) (total ?t) (sum ?t ?d ?m))
         (<= (miss ?p ?d) (true (named ?p ?n)) (times ?n ?m) (total ?t) (sum ?m ?d ?t))
         (<= (beaten ?p) (miss ?p ?d) (miss ?q ?e) (less ?e ?d))
         (<= (goal ?p 0) (role ?p) (beaten ?p))
         (<= (goal ?p 100) (role ?p) (not (beaten ?p)))",
    );
    for number in 0..factor * most {
        write!(text, "(succ {number} {})", number + 1).unwrap();
    }
    for number in 0..=most {
        write!(text, "(guess {number})(times {number} {})", factor * number).unwrap();
    }
    let (mut named, mut sums, mut so_far) = (String::new(), String::new(), "?n1".to_owned());
    for player in 1..=players {
        write!(text, "(role p{player})").unwrap();
        write!(named, "(true (named p{player} ?n{player}))").unwrap();
        if player > 1 {
            write!(sums, "(sum {so_far} ?n{player} ?s{player})").unwrap();
            so_far = format!("?s{player}");
        }
    }
    write!(text, "(<= (total {so_far}) {named} {sums})").unwrap();
    text
}

fn main() -> ExitCode {
    let numbers: Result<Vec<usize>, _> = std::env::args().skip(1).map(|arg| arg.parse()).collect();
    match numbers.as_deref() {
        Ok(&[players, most]) if players > 0 && players % 2 == 0 && most > 0 => {
            println!("{}", two_thirds(players, most));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!(
                "usage: two_thirds PLAYERS MOST, such as 4 100, with an even number of players"
            );
            ExitCode::FAILURE
        }
    }
}
