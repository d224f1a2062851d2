//! The graph of a game in which a role tells its move before the others choose theirs.

use super::graph::GraphPart;
use super::kind::StateKind;
use super::reverse::NoReverseGraph;
use super::table::StateNumber;
use crate::game::Role;

/// The graph of `parts` where `role` chooses first in states in which several roles have a choice: such a state leads to one more
/// state for each of its moves, in which the others choose. All numbers were below `end`; returns a bound of those there are now, too.
pub(super) fn announced(
    parts: &[GraphPart],
    role: Role,
    end: usize,
) -> Result<(Vec<GraphPart>, usize), NoReverseGraph> {
    let mut next = end;
    let parts = parts.iter().map(|part| announce(part, role, &mut next));
    Ok((parts.collect::<Result<_, _>>()?, next))
}

/// The same for one part; `next` is the first number that is free.
fn announce(part: &GraphPart, role: Role, next: &mut usize) -> Result<GraphPart, NoReverseGraph> {
    let mut announced = GraphPart::default();
    let mut after_moves = GraphPart::default();
    let (mut targets, mut widths) = (&part.targets[..], part.widths.iter());
    for ((state, kind), degree) in part.states.iter().zip(&part.kinds).zip(&part.degrees) {
        let (own, rest) = targets.split_at(usize::from(*degree));
        targets = rest;
        let widths = match *kind {
            StateKind::SEVERAL => widths.next(),
            _ => None,
        };
        let Some(widths) = widths.filter(|widths| widths[role.0] > 1) else {
            announced.push(*state, *kind, *degree);
            announced.targets.extend_from_slice(own);
            continue;
        };
        let moves = widths[role.0];
        let chooses = StateKind::of_role(role.0).ok_or(NoReverseGraph::NoEdges)?;
        announced.push(*state, chooses, moves);
        // Of joint moves, those of the last role change fastest.
        let fastest: usize = widths[role.0 + 1..]
            .iter()
            .map(|of| usize::from(*of))
            .product();
        for own_move in 0..usize::from(moves) {
            let number = StateNumber::try_from(*next).map_err(|_| NoReverseGraph::NoEdges)?;
            *next += 1;
            announced.targets.push(number);
            after_moves.push(number, StateKind::SEVERAL, *degree / moves);
            let joint = own.iter().enumerate();
            let joint = joint.filter(|(index, _)| index / fastest % usize::from(moves) == own_move);
            after_moves.targets.extend(joint.map(|(_, target)| target));
        }
    }
    announced.append(after_moves);
    Ok(announced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_chooses_before_the_others() {
        let mut part = GraphPart::default();
        part.push(0, StateKind::of_role(1).unwrap(), 2);
        part.push(1, StateKind::SEVERAL, 6);
        part.widths.push(vec![2, 1, 3]);
        part.targets = vec![8, 9, 10, 11, 12, 20, 21, 22];
        let listed = |role: usize| {
            let (parts, end) = announced(&[part.clone()], Role(role), 30).unwrap();
            let part = &parts[0];
            let states = part.states.iter().zip(&part.kinds).zip(&part.degrees);
            let states: Vec<_> = states.map(|((s, kind), n)| (*s, kind.role(), *n)).collect();
            (states, part.targets.clone(), end)
        };
        let (states, targets, end) = listed(0);
        let expected = [
            (0, Some(1), 2),
            (1, Some(0), 2),
            (30, None, 3),
            (31, None, 3),
        ];
        assert_eq!((&states[..], end), (&expected[..], 32));
        assert_eq!(targets, [8, 9, 30, 31, 10, 11, 12, 20, 21, 22]);
        let (states, targets, _) = listed(2);
        assert_eq!(states[2..], [(30, None, 2), (31, None, 2), (32, None, 2)]);
        assert_eq!(targets[5..], [10, 20, 11, 21, 12, 22]);
        // Who has a single move has nothing to tell.
        assert_eq!(listed(1).1, part.targets);
    }
}
