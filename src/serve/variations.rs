//! What was played in a match, and what else was tried.

/// A tree of joint moves. Each leaf ends a *line*; one of the lines is shown, up to a ply.
#[derive(Debug, Clone)]
pub(super) struct VariationTree {
    /// The root is none of them: joint moves, each after the one that it follows.
    nodes: Vec<PlayedMove>,
    /// The last node of each line; `None` for a line without moves.
    lines: Vec<Option<usize>>,
    shown: usize,
    ply: usize,
}

/// A joint move that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayedMove {
    before: Option<usize>,
    pub(super) joint: Vec<String>,
    /// The role that had a choice, if one alone had.
    pub(super) by: Option<usize>,
    /// When, in milliseconds since 1970.
    pub(super) at: u64,
    /// Whether the game was over after it.
    pub(super) is_over: bool,
}

/// Where another line leaves the one that is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct VariationStart<'v> {
    pub(super) ply: usize,
    pub(super) joint: &'v [String],
    pub(super) line: usize,
}

impl VariationTree {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            lines: vec![None],
            shown: 0,
            ply: 0,
        }
    }

    /// Joint moves before the position shown.
    pub(super) fn ply(&self) -> usize {
        self.ply
    }

    /// Whether the game was over after the joint move before the position shown.
    pub(super) fn is_over(&self) -> bool {
        let path = self.path(self.shown);
        let last = self.ply.checked_sub(1);
        last.is_some_and(|last| self.nodes[path[last]].is_over)
    }

    /// The number of the line that is shown.
    pub(super) fn line(&self) -> usize {
        self.shown
    }

    /// The joint moves of the line that is shown, its end included.
    pub(super) fn moves(&self) -> Vec<&PlayedMove> {
        let path = self.path(self.shown).into_iter();
        path.map(|node| &self.nodes[node]).collect()
    }

    /// All joint moves, of all lines.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn path(&self, line: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = self.lines[line];
        while let Some(node) = at {
            path.push(node);
            at = self.nodes[node].before;
        }
        path.reverse();
        path
    }

    /// Plays a joint move in the position shown. One that was played there before is gone along again; another one begins a
    /// line of its own, unless a line ends there.
    pub(super) fn play(&mut self, joint: &[String], by: Option<usize>, at: u64, is_over: bool) {
        let path = self.path(self.shown);
        let before = self.ply.checked_sub(1).map(|last| path[last]);
        let is_same = |node: usize| {
            let node = &self.nodes[node];
            node.before == before && node.joint == joint
        };
        let on_shown = path.get(self.ply).is_some_and(|&node| is_same(node));
        let known = (0..self.nodes.len()).find(|&node| is_same(node));
        if !on_shown {
            match known {
                Some(node) => self.show_through(node),
                None => self.add(PlayedMove {
                    before,
                    joint: joint.to_vec(),
                    by,
                    at,
                    is_over,
                }),
            }
        }
        self.ply += 1;
    }

    fn show_through(&mut self, node: usize) {
        let mut lines = 0..self.lines.len();
        if let Some(line) = lines.find(|&line| self.path(line).contains(&node)) {
            self.shown = line;
        }
    }

    fn add(&mut self, played: PlayedMove) {
        let (node, before) = (self.nodes.len(), played.before);
        self.nodes.push(played);
        if self.lines[self.shown] == before {
            self.lines[self.shown] = Some(node);
        } else {
            self.shown = self.lines.len();
            self.lines.push(Some(node));
        }
    }

    /// Shows another position; `false` if there is none such.
    pub(super) fn go_to(&mut self, line: usize, ply: usize) -> bool {
        let exists = line < self.lines.len() && ply <= self.path(line).len();
        if exists {
            (self.shown, self.ply) = (line, ply);
        }
        exists
    }

    /// The other ways to go on from the positions of the line that is shown, each by a line that goes there.
    pub(super) fn variations(&self) -> Vec<VariationStart<'_>> {
        let shown = self.path(self.shown);
        let mut starts: Vec<(usize, usize)> = Vec::new();
        let mut found = Vec::new();
        for line in 0..self.lines.len() {
            let path = self.path(line);
            let pairs = path.iter().zip(&shown);
            let ply = pairs.take_while(|(one, other)| one == other).count();
            if let Some(&node) = path.get(ply)
                && !starts.contains(&(ply, node))
            {
                starts.push((ply, node));
                let joint = &self.nodes[node].joint[..];
                found.push(VariationStart { ply, joint, line });
            }
        }
        found.sort_by_key(|start| (start.ply, start.line));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(tree: &mut VariationTree, moves: &str) {
        for mv in moves.split_whitespace() {
            tree.play(&[mv.to_owned()], Some(0), 1, false);
        }
    }

    fn shown(tree: &VariationTree) -> String {
        let moves = tree.moves();
        let words: Vec<&str> = moves.iter().map(|mv| mv.joint[0].as_str()).collect();
        let starts = tree.variations();
        let starts = starts
            .iter()
            .map(|start| format!("{}:{}:{}", start.ply, start.joint[0], start.line));
        let starts: Vec<String> = starts.collect();
        format!(
            "{} at {} of line {}; {}",
            words.join(" "),
            tree.ply(),
            tree.line(),
            starts.join(" ")
        )
    }

    #[test]
    fn another_move_begins_a_line() {
        let mut tree = VariationTree::new();
        play(&mut tree, "a b c");
        assert_eq!(shown(&tree), "a b c at 3 of line 0; ");
        assert!(tree.go_to(0, 1));
        play(&mut tree, "x y");
        assert_eq!(shown(&tree), "a x y at 3 of line 1; 1:b:0");
        assert!(tree.go_to(1, 2));
        play(&mut tree, "z");
        assert_eq!(shown(&tree), "a x z at 3 of line 2; 1:b:0 2:y:1");
        assert!(tree.go_to(0, 0));
        assert_eq!(shown(&tree), "a b c at 0 of line 0; 1:x:1");
    }

    #[test]
    fn a_move_played_before_is_gone_along_again() {
        let mut tree = VariationTree::new();
        play(&mut tree, "a b c");
        assert!(tree.go_to(0, 1));
        play(&mut tree, "b");
        assert_eq!(shown(&tree), "a b c at 2 of line 0; ");
        assert!(tree.go_to(0, 1));
        play(&mut tree, "x");
        assert!(tree.go_to(1, 1));
        play(&mut tree, "b c d");
        assert_eq!(shown(&tree), "a b c d at 4 of line 0; 1:x:1");
        assert_eq!(tree.len(), 5);
    }

    #[test]
    fn a_game_is_over_at_its_end_only() {
        let mut tree = VariationTree::new();
        play(&mut tree, "a");
        tree.play(&["b".to_owned()], None, 0, true);
        assert!(tree.is_over());
        assert!(tree.go_to(0, 1) && !tree.is_over());
        assert!(tree.go_to(0, 0) && !tree.is_over());
        assert!(tree.go_to(0, 2) && tree.is_over());
    }

    #[test]
    fn there_is_no_position_beyond_the_end() {
        let mut tree = VariationTree::new();
        play(&mut tree, "a");
        assert!(!tree.go_to(0, 2) && !tree.go_to(1, 0));
        assert_eq!(shown(&tree), "a at 1 of line 0; ");
    }
}
