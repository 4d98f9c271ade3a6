use std::collections::HashMap;
use std::slice;
use std::sync::Arc;

use proptest::prelude::*;

use super::key::scramble;
use super::*;

/// A game that is nothing but who can move to what.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Tree([Vec<Arc<Tree>>; 2]);

impl Tree {
    fn name(&self, exchanged: usize) -> u128 {
        let sum = |side: usize| {
            let names = self.0[side ^ exchanged].iter().map(|tree| scramble(tree.name(exchanged) ^ side as u128));
            names.fold(1_u128, u128::wrapping_add)
        };
        scramble(sum(0) ^ scramble(sum(1)))
    }
}

impl Part for Tree {
    fn names(&self) -> [u128; 2] {
        [self.name(0), self.name(1)]
    }

    fn length(&self) -> usize {
        self.0.iter().flatten().map(|tree| 1 + tree.length()).max().unwrap_or(0)
    }

    fn moves(&self, side: Side) -> u32 {
        self.0[side.index()].len() as u32
    }

    fn options(&self, side: Side, options: &mut PartOptions<Self>) {
        for tree in &self.0[side.index()] {
            options.push([tree.as_ref().clone()]);
        }
    }
}

/// A game, followed by one in which each side can pass so often to and fro before that it is too long for a value.
fn padded(tree: &Tree) -> Tree {
    // Whatever is done in it, the opponent takes back: it is worth what it was.
    let mut long = tree.clone();
    for _ in 0..=VALUED {
        let back = Arc::new(long.clone());
        let mut next = tree.clone();
        next.0[0].push(Arc::new(Tree([vec![], vec![Arc::clone(&back)]])));
        next.0[1].push(Arc::new(Tree([vec![back], vec![]])));
        long = next;
    }
    long
}

fn tree(left: &[&Tree], right: &[&Tree]) -> Tree {
    Tree([left, right].map(|options| options.iter().map(|&tree| Arc::new(tree.clone())).collect()))
}

/// Whether a side wins if it is to move, by trying everything.
fn wins(trees: &mut [Arc<Tree>], side: Side, known: &mut HashMap<(Vec<Arc<Tree>>, usize), bool>) -> bool {
    trees.sort();
    if let Some(&won) = known.get(&(trees.to_vec(), side.index())) {
        return won;
    }
    let won = (0..trees.len()).any(|place| {
        trees[place].0[side.index()].iter().any(|option| {
            let mut left = trees.to_vec();
            left[place] = Arc::clone(option);
            !wins(&mut left, side.opponent(), known)
        })
    });
    known.insert((trees.to_vec(), side.index()), won);
    won
}

fn solved(trees: &[Tree], side: Side, threads: usize) -> bool {
    SumSolver::new(1).solve(trees, side, threads, None, &Stop::new(), &mut |_| ()).0.unwrap()
}

fn value(values: &mut Values, tree: &Tree) -> Id {
    let form = Side::BOTH.map(|side| tree.0[side.index()].iter().map(|option| value(values, option)).collect());
    values.of(form)
}

/// Values of small games according to Winning Ways (Berlekamp, Conway and Guy 1982).
#[test]
fn values_are_the_known_ones() {
    let zero = tree(&[], &[]);
    let one = tree(&[&zero], &[]);
    let two = tree(&[&one], &[]);
    let half = tree(&[&zero], &[&one]);
    let star = tree(&[&zero], &[&zero]);
    let star_two = tree(&[&zero, &star], &[&zero, &star]);
    let up = tree(&[&zero], &[&star]);
    let mut values = Values::new();
    let mut of = |tree: &Tree| value(&mut values, tree);
    let [one, two, half, star, star_two, up] = [&one, &two, &half, &star, &star_two, &up].map(&mut of);
    assert_eq!(values.of([vec![star], vec![star]]), ZERO);
    assert_eq!(values.of([vec![ZERO, star], vec![ZERO]]), values.sum(up, star));
    // What is dominated, and what is reversed: {0, 1 | 2} = 1 1/2, {up | up} = {0 | up} = up + up + *.
    let one_and_a_half = values.of([vec![ZERO, one], vec![two]]);
    assert_eq!(values.sum(one_and_a_half, half), two);
    let double_up_star = [up, up, star].into_iter().fold(ZERO, |sum, id| values.sum(sum, id));
    assert_eq!(values.of([vec![ZERO], vec![up]]), double_up_star);
    assert_eq!(values.of([vec![up], vec![up]]), double_up_star);
    assert_eq!((values.sum(one, one), values.sum(half, half)), (two, one));
    assert_eq!((values.sum(star, star), values.sum(star_two, star_two)), (ZERO, ZERO));
    let classes = [one, up, star, star_two, ZERO].map(|id| values.get(id).class);
    assert_eq!(classes, [Class::For(Side::First), Class::For(Side::First), Class::Fuzzy, Class::Fuzzy, Class::Zero]);
    let down = values.get(up).opposite;
    assert_eq!((values.get(down).class, values.sum(up, down)), (Class::For(Side::Second), ZERO));
    assert!(values.at_most(up, one, Side::First) && !values.at_most(one, up, Side::First));
    assert!(!values.at_most(up, star, Side::First) && !values.at_most(star, up, Side::First));
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree([vec![], vec![]]));
    leaf.prop_recursive(3, 12, 2, |inner| {
        let options = || prop::collection::vec(inner.clone().prop_map(Arc::new), 0..3);
        (options(), options()).prop_map(|(left, right)| Tree([left, right]))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Sums are solved right, those with parts that are too long for values too.
    #[test]
    fn whoever_wins_is_found(trees in prop::collection::vec((any_tree(), any::<bool>()), 0..4)) {
        let (plain, long): (Vec<Tree>, Vec<bool>) = trees.into_iter().unzip();
        let mut all: Vec<_> = plain.iter().cloned().map(Arc::new).collect();
        let long: Vec<Tree> = plain.iter().zip(long).map(|(tree, long)| if long { padded(tree) } else { tree.clone() }).collect();
        for side in Side::BOTH {
            let won = wins(&mut all, side, &mut HashMap::new());
            prop_assert_eq!(solved(&plain, side, 1), won);
            prop_assert_eq!(solved(&long, side, 2), won);
        }
    }

    /// `a` is at most `b` if `Second` wins `a - b` with `First` to move; what is equal has one number.
    #[test]
    fn values_are_ordered_as_play_says(a in any_tree(), b in any_tree()) {
        let mut values = Values::new();
        let (a_value, b_value) = (value(&mut values, &a), value(&mut values, &b));
        fn opposite(tree: &Tree) -> Tree {
            let turned = |side: usize| tree.0[side].iter().map(|tree| Arc::new(opposite(tree))).collect();
            Tree([turned(1), turned(0)])
        }
        let mut difference = vec![Arc::new(a), Arc::new(opposite(&b))];
        let [first, second] = Side::BOTH.map(|side| wins(&mut difference, side, &mut HashMap::new()));
        prop_assert_eq!(values.at_most(a_value, b_value, Side::First), !first);
        prop_assert_eq!(values.at_most(a_value, b_value, Side::Second), !second);
        prop_assert_eq!(a_value == b_value, !first && !second);
    }
}

#[test]
fn a_search_ends_when_it_is_told() {
    let tree = (0..12).fold(tree(&[], &[]), |below, _| tree(&[&below, &below], &[&below]));
    let stop = Stop::new();
    stop.set();
    let solver = SumSolver::new(1);
    assert_eq!(solver.solve(slice::from_ref(&tree), Side::First, 2, None, &stop, &mut |_| ()).0, None);
    assert_eq!(solver.known(slice::from_ref(&tree), Side::First), None);
    let won = solver.solve(slice::from_ref(&tree), Side::First, 1, None, &Stop::new(), &mut |_| ()).0;
    assert!(won.is_some() && solver.known(slice::from_ref(&tree), Side::First) == won);
}

/// Where there is no room for all results, those that are there are right.
#[test]
fn a_full_table_forgets_but_does_not_err() {
    let table = OutcomeTable::new(1);
    let places = (1 << 20) / 8;
    let keys: Vec<u128> = (0..4 * places).map(|number| scramble(number as u128)).collect();
    keys.iter().for_each(|&key| table.put(key, key >> 70 & 1 == 1));
    let found: Vec<bool> =
        keys.iter().filter_map(|&key| table.get(key).map(|won| won == (key >> 70 & 1 == 1))).collect();
    assert!(found.iter().all(|&right| right));
    assert!((places * 9 / 10..=places).contains(&found.len()), "{} of {places}", found.len());
}

/// A part in which a fault is met.
#[derive(Clone, Debug)]
struct Broken;

impl Part for Broken {
    fn names(&self) -> [u128; 2] {
        [1, 2]
    }

    fn length(&self) -> usize {
        usize::MAX
    }

    fn moves(&self, _side: Side) -> u32 {
        1
    }

    fn options(&self, _side: Side, _options: &mut PartOptions<Self>) {
        panic!("a fault on purpose");
    }
}

/// The caller hears of it, and does not wait for ever.
#[test]
fn a_failing_thread_does_not_hang_the_others() {
    for threads in [1, 3] {
        let run = || SumSolver::new(1).solve(&[Broken], Side::First, threads, None, &Stop::new(), &mut |_| ());
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
