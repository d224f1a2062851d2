//! Snippets as GDL, each with a comment that says how to use it.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

use super::{BoardSize, Snippet, Touching};

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counter(range) => write_counter(f, range),
            Self::Less(range) => {
                f.write_str("; (less A B): the number A is less than B; (not (less B A)): A is at most B.\n")?;
                f.write_str("; The successors are those of the snippet `counter`; one of the two is enough.\n")?;
                write_successors(f, range)?;
                f.write_str("(<= (less ?a ?b)\n    (succ ?a ?b))\n")?;
                f.write_str("(<= (less ?a ?c)\n    (succ ?a ?b)\n    (less ?b ?c))\n")
            }
            Self::Sum(range) => write_sums(f, range),
            Self::Board(size) => write_board(f, *size),
            Self::Lines { length, board } => write_lines(f, *length, *board),
            Self::Adjacent { touching, board } => write_adjacent(f, *touching, *board),
            Self::Graph(edges) => write_graph(f, edges),
            Self::Turns(roles) => write_turns(f, roles),
        }
    }
}

fn write_counter(f: &mut fmt::Formatter<'_>, range: &RangeInclusive<u32>) -> fmt::Result {
    let (first, last) = (range.start(), range.end());
    writeln!(
        f,
        "; The numbers from {first} to {last}. A game that ends after {} plies:",
        last - first
    )?;
    writeln!(f, ";   (init (step {first}))")?;
    f.write_str(";   (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))\n")?;
    writeln!(f, ";   (<= terminal (true (step {last})))")?;
    write_successors(f, range)
}

fn write_successors(f: &mut fmt::Formatter<'_>, range: &RangeInclusive<u32>) -> fmt::Result {
    (*range.start()..*range.end()).try_for_each(|n| writeln!(f, "(succ {n} {})", n + 1))
}

fn write_sums(f: &mut fmt::Formatter<'_>, range: &RangeInclusive<u32>) -> fmt::Result {
    f.write_str("; (sum A B C): A and B make C. For a difference, ask for the second number.\n")?;
    for a in range.clone() {
        for b in range.clone() {
            let sum = a.checked_add(b).filter(|sum| range.contains(sum));
            if let Some(sum) = sum {
                writeln!(f, "(sum {a} {b} {sum})")?;
            }
        }
    }
    Ok(())
}

fn write_board(f: &mut fmt::Formatter<'_>, size: BoardSize) -> fmt::Result {
    let BoardSize { width, height } = size;
    writeln!(
        f,
        "; A board of {width} by {height} cells, all blank (b). A cell stays as it is unless"
    )?;
    f.write_str("; a rule of yours says `(changed X Y)`, such as:\n")?;
    f.write_str(";   (<= (changed ?x ?y) (does ?role (mark ?x ?y)))\n")?;
    f.write_str(";   (<= (next (cell ?x ?y ?role)) (does ?role (mark ?x ?y)))\n")?;
    f.write_str("; Drawings show the first coordinate as the row where nothing tells better, as the places of the\n")?;
    f.write_str("; pieces may; `orientation` in a board file says how it is.\n")?;
    f.write_str("; To begin with a piece on a cell, replace its line: (init (cell 1 1 x)), not b as well.\n")?;
    let mut cells = size.all();
    cells.try_for_each(|(x, y)| writeln!(f, "(init (cell {x} {y} b))"))?;
    f.write_str(
        "(<= (next (cell ?x ?y ?c))\n    (true (cell ?x ?y ?c))\n    (not (changed ?x ?y)))\n",
    )
}

fn write_lines(f: &mut fmt::Formatter<'_>, length: u32, board: BoardSize) -> fmt::Result {
    writeln!(
        f,
        "; (line PIECE): {length} cells in a straight line hold the piece; ask for the piece of a role,"
    )?;
    f.write_str("; such as (<= (goal x 100) (line x)).\n")?;
    for line in board.lines(length) {
        let mut rule = "(<= (line ?piece)".to_owned();
        for (x, y) in line {
            write!(rule, "\n    (true (cell {x} {y} ?piece))")?;
        }
        writeln!(f, "{rule})")?;
    }
    Ok(())
}

fn write_adjacent(f: &mut fmt::Formatter<'_>, touching: Touching, board: BoardSize) -> fmt::Result {
    let (name, place) = match touching {
        Touching::Side => ("adjacent", "at a side"),
        Touching::Corner => ("diagonal", "at a corner only"),
        Touching::SideOrCorner => ("adjacent", "at a side or a corner"),
    };
    writeln!(
        f,
        "; ({name} X1 Y1 X2 Y2): the cells X1 Y1 and X2 Y2 touch {place}."
    )?;
    for (x, y) in board.all() {
        for (x2, y2) in board.around((x, y), touching) {
            writeln!(f, "({name} {x} {y} {x2} {y2})")?;
        }
    }
    Ok(())
}

fn write_graph(f: &mut fmt::Formatter<'_>, edges: &[(String, String)]) -> fmt::Result {
    f.write_str("; (joined A B): an edge leads from A to B or from B to A.\n")?;
    for (one, other) in edges {
        writeln!(f, "(edge {one} {other})")?;
    }
    f.write_str("(<= (joined ?a ?b)\n    (edge ?a ?b))\n")?;
    f.write_str("(<= (joined ?a ?b)\n    (edge ?b ?a))\n")
}

fn write_turns(f: &mut fmt::Formatter<'_>, roles: &[String]) -> fmt::Result {
    f.write_str("; Moves of the role in control need the condition (true (control ROLE)).\n")?;
    roles
        .iter()
        .try_for_each(|role| writeln!(f, "(role {role})"))?;
    writeln!(f, "(init (control {}))", roles[0])?;
    let followers = roles.iter().cycle().skip(1);
    for (role, next) in roles.iter().zip(followers) {
        writeln!(
            f,
            "(<= (next (control {next}))\n    (true (control {role})))"
        )?;
    }
    let mut waiting = roles.iter();
    waiting.try_for_each(|role| {
        writeln!(
            f,
            "(<= (legal {role} noop)\n    (not (true (control {role}))))"
        )
    })
}
