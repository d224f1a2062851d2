//! Which sentences depend on which: the rules of each sentence, and the strongly connected components of the sentences.

use super::{Ground, GroundRule, SentenceId};

/// The rules of each sentence, by their numbers.
#[derive(Debug)]
pub struct RulesByHead {
    numbers: Vec<u32>,
    /// Per sentence, where its rules begin; one more at the end.
    starts: Vec<u32>,
}

impl RulesByHead {
    /// The rules of so many sentences, those of each in their order.
    pub(super) fn new(rules: &[GroundRule], sentences: usize) -> Self {
        let mut starts = vec![0; sentences + 1];
        for rule in rules {
            starts[rule.head.0 as usize + 1] += 1;
        }
        for sentence in 1..starts.len() {
            starts[sentence] += starts[sentence - 1];
        }
        let mut ends = starts.clone();
        let mut numbers = vec![0; rules.len()];
        for (number, rule) in (0..).zip(rules) {
            let end = &mut ends[rule.head.0 as usize];
            numbers[*end as usize] = number;
            *end += 1;
        }
        Self { numbers, starts }
    }

    /// The rules of a sentence.
    pub fn of(&self, sentence: SentenceId) -> &[u32] {
        let place = sentence.0 as usize;
        &self.numbers[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

/// For each sentence, the derived sentences in the bodies of its rules.
#[derive(Debug)]
pub struct SentenceDependencies {
    used: Vec<u32>,
    /// Per sentence, where those that it uses begin; one more at the end.
    starts: Vec<u32>,
}

impl SentenceDependencies {
    /// The dependencies of `ground`. What is not derived depends on nothing, and is not listed.
    pub fn new(ground: &Ground, is_derived: impl Fn(SentenceId) -> bool) -> Self {
        let count = ground.sentences.len() as u32;
        let mut used = Vec::with_capacity(ground.rules.len());
        let mut starts = Vec::with_capacity(ground.sentences.len() + 1);
        for sentence in (0..count).map(SentenceId) {
            starts.push(used.len() as u32);
            for &number in ground.by_head.of(sentence) {
                let rule = &ground.rules[number as usize];
                let conditions = rule.holds.iter().chain(&rule.fails).copied();
                used.extend(conditions.filter(|&id| is_derived(id)).map(|id| id.0));
            }
        }
        starts.push(used.len() as u32);
        Self { used, starts }
    }

    /// The derived sentences that a sentence uses.
    pub fn of(&self, sentence: u32) -> &[u32] {
        let place = sentence as usize;
        &self.used[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Shows `see` the strongly connected components, each after all that it depends on (Kosaraju's algorithm: Sharir 1981).
    pub fn each_component(&self, mut see: impl FnMut(&[u32])) {
        let mut is_taken = vec![false; self.starts.len() - 1];
        let (mut members, mut open) = (Vec::new(), Vec::new());
        for &sentence in self.reversed().finished().iter().rev() {
            members.clear();
            open.push(sentence);
            while let Some(sentence) = open.pop() {
                if !std::mem::replace(&mut is_taken[sentence as usize], true) {
                    members.push(sentence);
                    open.extend(self.of(sentence).iter().rev());
                }
            }
            if !members.is_empty() {
                see(&members);
            }
        }
    }

    /// For each sentence, those that use it.
    fn reversed(&self) -> Self {
        let sentences = self.starts.len() as u32 - 1;
        let mut starts = vec![0; self.starts.len()];
        for &used in &self.used {
            starts[used as usize + 1] += 1;
        }
        for sentence in 1..starts.len() {
            starts[sentence] += starts[sentence - 1];
        }
        let mut ends = starts.clone();
        let mut users = vec![0; self.used.len()];
        for sentence in 0..sentences {
            for &used in self.of(sentence) {
                let end = &mut ends[used as usize];
                users[*end as usize] = sentence;
                *end += 1;
            }
        }
        Self {
            used: users,
            starts,
        }
    }

    /// All sentences in post-order of a depth-first search.
    fn finished(&self) -> Vec<u32> {
        let sentences = self.starts.len() as u32 - 1;
        let mut is_seen = vec![false; sentences as usize];
        let mut finished = Vec::with_capacity(sentences as usize);
        let mut path: Vec<(u32, u32)> = Vec::new();
        for sentence in 0..sentences {
            if !std::mem::replace(&mut is_seen[sentence as usize], true) {
                path.push((sentence, self.starts[sentence as usize]));
            }
            while let Some((sentence, at)) = path.last_mut() {
                if *at == self.starts[*sentence as usize + 1] {
                    finished.push(*sentence);
                    path.pop();
                    continue;
                }
                let next = self.used[*at as usize];
                *at += 1;
                if !std::mem::replace(&mut is_seen[next as usize], true) {
                    path.push((next, self.starts[next as usize]));
                }
            }
        }
        finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_follow_what_they_depend_on() {
        // 0 uses 1; 1 and 2 use each other; 2 uses 3; 4 uses itself.
        let dependencies = SentenceDependencies {
            used: vec![1, 2, 1, 3, 4],
            starts: vec![0, 1, 2, 4, 4, 5],
        };
        let mut components: Vec<Vec<u32>> = Vec::new();
        dependencies.each_component(|members| {
            let mut members = members.to_vec();
            members.sort_unstable();
            components.push(members);
        });
        let place = |of: &[u32]| components.iter().position(|members| members == of).unwrap();
        assert_eq!(components.len(), 4);
        assert!(place(&[3]) < place(&[1, 2]) && place(&[1, 2]) < place(&[0]));
        assert!(components.contains(&vec![4]));
    }
}
