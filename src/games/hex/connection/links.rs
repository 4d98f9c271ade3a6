//! A side's full connections as an electrical circuit: what is connected whoever moves conducts like what is adjacent
//! (Anshelevich 2002). The cells through which most of the current flows are where both sides want to play.

/// Most sweeps of relaxation, the change of a potential at which they end, and over-relaxation between 1 (none) and 2
/// (unstable).
const SWEEPS: usize = 40;
const SETTLED: f32 = 1e-3;
const RELAXATION: f32 = 1.6;
const CELL: usize = 1;
const CHAIN: usize = 0;

/// Full connections between nodes: cells by number, chains by the number of one of their cells, and the two edges after
/// them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// Whether each node is an empty cell.
    empty: Vec<bool>,
    pairs: Vec<(u16, u16)>,
}

impl Links {
    pub(super) fn new(empty: Vec<bool>) -> Self {
        Self { empty, pairs: Vec::new() }
    }

    pub(super) fn add(&mut self, a: usize, b: usize) {
        self.pairs.push((a as u16, b as u16));
    }

    /// For each cell the power that it takes, as a share of that of all, when a voltage lies between the edges.
    pub(crate) fn powers(&self) -> Vec<f32> {
        let nodes = self.empty.len();
        let points = nodes.saturating_sub(2);
        let mut powers = vec![0.0; points];
        // Chains that are connected are one.
        let mut root: Vec<usize> = (0..nodes).collect();
        fn find(root: &[usize], mut node: usize) -> usize {
            while root[node] != node {
                node = root[node];
            }
            node
        }
        for &(a, b) in
            self.pairs.iter().filter(|pair| !self.empty[usize::from(pair.0)] && !self.empty[usize::from(pair.1)])
        {
            let (a, b) = (find(&root, usize::from(a)), find(&root, usize::from(b)));
            // Edges keep their numbers.
            root[a.min(b)] = a.max(b);
        }
        let (high, low) = (points, points + 1);
        if nodes < points + 2 || find(&root, high) == find(&root, low) {
            return powers;
        }
        let class = |node: usize| if self.empty[node] { CELL } else { CHAIN };
        let mut wires: Vec<(u16, u16, f32)> = self
            .pairs
            .iter()
            .map(|&(a, b)| (find(&root, usize::from(a)), find(&root, usize::from(b))))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| {
                // A cell has its resistance half on each side of it; chains have none.
                let conductance = 2.0 / (class(a) + class(b)) as f32;
                (a.min(b) as u16, a.max(b) as u16, conductance)
            })
            .collect();
        wires.sort_unstable_by_key(|wire| (wire.0, wire.1));
        wires.dedup_by_key(|wire| (wire.0, wire.1));
        let mut ends = vec![0usize; nodes + 1];
        for &(a, b, _) in &wires {
            ends[usize::from(a) + 1] += 1;
            ends[usize::from(b) + 1] += 1;
        }
        for node in 0..nodes {
            ends[node + 1] += ends[node];
        }
        let mut at = ends.clone();
        let mut around = vec![(0u16, 0.0f32); wires.len() * 2];
        let mut sums = vec![0.0f32; nodes];
        for &(a, b, g) in &wires {
            for (node, other) in [(a, b), (b, a)] {
                let node = usize::from(node);
                around[at[node]] = (other, g);
                at[node] += 1;
                sums[node] += g;
            }
        }
        let mut potential = vec![0.5f32; nodes];
        (potential[high], potential[low]) = (1.0, 0.0);
        for _ in 0..SWEEPS {
            let mut most = 0.0f32;
            for node in (0..nodes).filter(|&node| node != high && node != low && sums[node] > 0.0) {
                let wires = &around[ends[node]..ends[node + 1]];
                let inflow: f32 = wires.iter().map(|&(n, g)| g * potential[usize::from(n)]).sum();
                let change = RELAXATION * (inflow / sums[node] - potential[node]);
                potential[node] += change;
                most = most.max(change.abs());
            }
            if most < SETTLED {
                break;
            }
        }
        let mut total = 0.0;
        for &(a, b, g) in &wires {
            let (a, b) = (usize::from(a), usize::from(b));
            let power = g * (potential[a] - potential[b]).powi(2);
            total += power;
            let cells = (class(a) + class(b)) as f32;
            for node in [a, b].into_iter().filter(|&node| self.empty[node]) {
                powers[node] += power / cells;
            }
        }
        if total > 0.0 {
            powers.iter_mut().for_each(|power| *power /= total);
        }
        powers
    }
}
