//! Whole games with their variations: read, changed and written again.

use super::{MOST_NODES, SgfError, SgfNode, property, space};

/// Most nodes of all games of a file, variations among them.
pub(super) const MOST_OF_FILE: usize = 200_000;

/// A game with its variations. Nodes are known by their numbers, the root is number 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfTree {
    nodes: Vec<SgfNode>,
    children: Vec<Vec<usize>>,
}

/// Part of a tree that is still to be written.
enum Unwritten {
    Node(usize),
    Bracket(char),
}

impl SgfTree {
    /// A node.
    ///
    /// # Panics
    /// If there is no node of that number.
    pub fn node(&self, number: usize) -> &SgfNode {
        &self.nodes[number]
    }

    /// A node to be changed.
    ///
    /// # Panics
    /// As [`SgfTree::node`].
    pub fn node_mut(&mut self, number: usize) -> &mut SgfNode {
        &mut self.nodes[number]
    }

    /// Numbers of the nodes that follow a node, the main line's first.
    pub fn children(&self, number: usize) -> &[usize] {
        &self.children[number]
    }

    /// Adds a node behind another one, after those that are there, and tells its number.
    pub fn add(&mut self, parent: usize, node: SgfNode) -> usize {
        let number = self.push(node);
        self.children[parent].push(number);
        number
    }

    /// Takes a node away from another one, and all that follows it.
    pub fn remove(&mut self, parent: usize, node: usize) {
        self.children[parent].retain(|&child| child != node);
    }

    /// Numbers of the nodes of the main line: at every fork the first branch.
    pub fn main_line(&self) -> Vec<usize> {
        let first = (!self.nodes.is_empty()).then_some(0);
        std::iter::successors(first, |&number| self.children[number].first().copied()).collect()
    }

    /// The nodes of the main line themselves.
    ///
    /// # Errors
    /// [`SgfError::TooLong`].
    pub(super) fn into_main_line(mut self) -> Result<Vec<SgfNode>, SgfError> {
        let line = self.main_line();
        if line.len() > MOST_NODES {
            return Err(SgfError::TooLong);
        }
        Ok(line.into_iter().map(|number| std::mem::take(&mut self.nodes[number])).collect())
    }

    /// The game as text, a node a line.
    pub fn write(&self) -> String {
        let mut text = String::from("(");
        let mut unwritten = vec![Unwritten::Bracket(')'), Unwritten::Node(0)];
        while let Some(next) = unwritten.pop() {
            let number = match next {
                Unwritten::Bracket(bracket) => {
                    text.push(bracket);
                    continue;
                }
                Unwritten::Node(number) => number,
            };
            if text.ends_with(|c| c != '(') {
                text.push('\n');
            }
            self.nodes[number].write(&mut text);
            let several = self.children[number].len() > 1;
            for &child in self.children[number].iter().rev() {
                if several {
                    unwritten.push(Unwritten::Bracket(')'));
                }
                unwritten.push(Unwritten::Node(child));
                if several {
                    unwritten.push(Unwritten::Bracket('('));
                }
            }
        }
        text + "\n"
    }

    fn push(&mut self, node: SgfNode) -> usize {
        self.nodes.push(node);
        self.children.push(Vec::new());
        self.nodes.len() - 1
    }
}

/// The first game from the beginning of `rest` on, and what follows it; `None` if no game begins there. A fault is told with the number
/// of bytes that come from it on.
pub(super) fn first(rest: &str, room: usize) -> Option<Result<(SgfTree, &str), SgfFault>> {
    let start = rest.match_indices('(').find(|&(at, _)| rest[at + 1..].trim_start().starts_with(';'))?.0;
    Some(game(&rest[start..], room))
}

/// Fault of a text, and the bytes from it on.
pub(super) enum SgfFault {
    Syntax(usize),
    Truncated,
    TooLong,
}

impl SgfFault {
    /// The error in a text of so many bytes.
    pub(super) fn within(self, bytes: usize) -> SgfError {
        match self {
            Self::Syntax(left) => SgfError::Syntax(bytes - left),
            Self::Truncated => SgfError::Truncated,
            Self::TooLong => SgfError::TooLong,
        }
    }
}

/// The game that begins with the bracket there.
fn game(text: &str, room: usize) -> Result<(SgfTree, &str), SgfFault> {
    let (mut tree, mut rest) = (SgfTree::default(), text);
    // Nodes that following variations go on from; and the last node.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut last = None;
    // Properties behind a closing bracket belong to no node.
    let mut closed = false;
    loop {
        rest = space(rest);
        let next = rest.chars().next().ok_or(SgfFault::Truncated)?;
        match next {
            '(' => open.push(last),
            ')' => {
                (last, closed) = (open.pop().flatten(), true);
                if open.is_empty() {
                    return Ok((tree, &rest[1..]));
                }
            }
            ';' => {
                if tree.nodes.len() == room {
                    return Err(SgfFault::TooLong);
                }
                closed = false;
                last = Some(match last {
                    Some(parent) => tree.add(parent, SgfNode::default()),
                    None => tree.push(SgfNode::default()),
                });
            }
            _ => {
                let (after, found) = property(rest).map_err(|error| match error {
                    nom::Err::Error(e) | nom::Err::Failure(e) if !e.input.is_empty() => SgfFault::Syntax(e.input.len()),
                    _ => SgfFault::Truncated,
                })?;
                rest = after;
                if let (false, Some(number)) = (closed, last) {
                    tree.nodes[number].join(found);
                }
                continue;
            }
        }
        rest = &rest[1..];
    }
}

/// All games of a text, at least one.
///
/// # Errors
/// [`SgfError`].
pub fn games(text: &str) -> Result<Vec<SgfTree>, SgfError> {
    let (mut games, mut rest, mut room) = (Vec::new(), text, MOST_OF_FILE);
    while let Some(read) = first(rest, room) {
        let (tree, after) = read.map_err(|fault| fault.within(text.len()))?;
        room -= tree.nodes.len();
        rest = after;
        games.push(tree);
    }
    if games.is_empty() { Err(SgfError::NoGame) } else { Ok(games) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_variations_are_written_as_they_were_read() {
        let text =
            "junk (;GM[1]C[a\\]b](;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))(;B[ff]AB[aa][bb])) between (;GM[11];B[a1]) end";
        let read = games(text).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].nodes.len(), read[0].main_line()), (7, vec![0, 1, 2, 3]));
        assert_eq!(read[0].children(2), [3, 4]);
        let written: String = read.iter().map(SgfTree::write).collect();
        assert_eq!(games(&written).unwrap(), read);
        assert!(written.starts_with("(;GM[1]C[a\\]b](;B[aa]\n;W[bb](;B[cc])(;B[dd]\n;W[ee]))(;B[ff]AB[aa][bb]))\n"));
    }

    #[test]
    fn nodes_are_added_behind_the_main_line() {
        let mut tree = games("(;SZ[9];B[aa];W[bb])").unwrap().remove(0);
        let mut better = SgfNode::default();
        better.set("W", vec!["cc".to_owned()]);
        let added = tree.add(1, better);
        assert_eq!((tree.children(1), tree.main_line()), (&[2, added][..], vec![0, 1, 2]));
        assert_eq!(tree.write(), "(;SZ[9]\n;B[aa](;W[bb])(;W[cc]))\n");
    }

    #[test]
    fn deep_and_broken_texts() {
        let text = format!("{}{}", "(;".repeat(MOST_OF_FILE), ")".repeat(MOST_OF_FILE));
        let read = games(&text).unwrap();
        assert_eq!(games(&read[0].write()).unwrap(), read);
        assert_eq!(games(&format!("({})", ";".repeat(MOST_OF_FILE + 1))), Err(SgfError::TooLong));
        assert_eq!(games("(;B[aa])(;B[aa] 12)"), Err(SgfError::Syntax(16)));
        assert_eq!(games("(;B[aa])(;B["), Err(SgfError::Truncated));
        assert_eq!(games("(())"), Err(SgfError::NoGame));
        assert_eq!(games("((;A[b])(;C[d]))").unwrap()[0].nodes.len(), 1);
    }
}
