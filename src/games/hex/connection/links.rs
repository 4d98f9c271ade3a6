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
        let edges = (points, points + 1);
        let roots = self.joined_chains();
        if nodes < points + 2 || find(&roots, edges.0) == find(&roots, edges.1) {
            return vec![0.0; points];
        }
        let wires = self.wires(&roots);
        let potential = Network::new(nodes, &wires).potential(edges);
        self.dissipated(&wires, &potential)
    }

    /// Union-find over the nodes: chains that are connected are one. Edges keep their numbers.
    fn joined_chains(&self) -> Vec<usize> {
        let mut roots: Vec<usize> = (0..self.empty.len()).collect();
        let chains = |pair: &&(u16, u16)| !self.empty[usize::from(pair.0)] && !self.empty[usize::from(pair.1)];
        for &(a, b) in self.pairs.iter().filter(chains) {
            let (a, b) = (find(&roots, usize::from(a)), find(&roots, usize::from(b)));
            roots[a.min(b)] = a.max(b);
        }
        roots
    }

    fn class(&self, node: usize) -> usize {
        if self.empty[node] { CELL } else { CHAIN }
    }

    /// The connections between nodes that are not joined, each once, in order.
    fn wires(&self, roots: &[usize]) -> Vec<Wire> {
        let mut wires: Vec<Wire> = self
            .pairs
            .iter()
            .map(|&(a, b)| (find(roots, usize::from(a)), find(roots, usize::from(b))))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| {
                // A cell has its resistance half on each side of it; chains have none.
                let conductance = 2.0 / (self.class(a) + self.class(b)) as f32;
                (a.min(b) as u16, a.max(b) as u16, conductance)
            })
            .collect();
        wires.sort_unstable_by_key(|wire| (wire.0, wire.1));
        wires.dedup_by_key(|wire| (wire.0, wire.1));
        wires
    }

    /// Share of each cell in the power of all wires, at these potentials.
    fn dissipated(&self, wires: &[Wire], potential: &[f32]) -> Vec<f32> {
        let mut powers = vec![0.0; self.empty.len() - 2];
        let mut total = 0.0;
        for &(a, b, g) in wires {
            let (a, b) = (usize::from(a), usize::from(b));
            let power = g * (potential[a] - potential[b]).powi(2);
            total += power;
            let cells = (self.class(a) + self.class(b)) as f32;
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

fn find(roots: &[usize], mut node: usize) -> usize {
    while roots[node] != node {
        node = roots[node];
    }
    node
}

/// Two nodes and the conductance between them.
type Wire = (u16, u16, f32);

/// Wires by node.
struct Network {
    /// Neighbours and conductances, node after node.
    around: Vec<(u16, f32)>,
    /// Beginning of each node's neighbours, and the end of the last one's.
    ends: Vec<usize>,
    /// Sum of each node's conductances.
    sums: Vec<f32>,
}

impl Network {
    fn new(nodes: usize, wires: &[Wire]) -> Self {
        let mut ends = vec![0usize; nodes + 1];
        for &(a, b, _) in wires {
            ends[usize::from(a) + 1] += 1;
            ends[usize::from(b) + 1] += 1;
        }
        for node in 0..nodes {
            ends[node + 1] += ends[node];
        }
        let mut at = ends.clone();
        let mut around = vec![(0u16, 0.0f32); wires.len() * 2];
        let mut sums = vec![0.0f32; nodes];
        for &(a, b, g) in wires {
            for (node, other) in [(a, b), (b, a)] {
                let node = usize::from(node);
                around[at[node]] = (other, g);
                at[node] += 1;
                sums[node] += g;
            }
        }
        Self { around, ends, sums }
    }

    /// Potentials by relaxation, 1 at the first of two nodes and 0 at the second.
    fn potential(&self, (high, low): (usize, usize)) -> Vec<f32> {
        let nodes = self.sums.len();
        let mut potential = vec![0.5f32; nodes];
        (potential[high], potential[low]) = (1.0, 0.0);
        for _ in 0..SWEEPS {
            let mut most = 0.0f32;
            for node in (0..nodes).filter(|&node| node != high && node != low && self.sums[node] > 0.0) {
                let wires = &self.around[self.ends[node]..self.ends[node + 1]];
                let change = RELAXATION * (inflow(wires, &potential) / self.sums[node] - potential[node]);
                potential[node] += change;
                most = most.max(change.abs());
            }
            if most < SETTLED {
                break;
            }
        }
        potential
    }
}

/// Sum of the potentials around a node by conductance. Four sums at once wait less for each other.
fn inflow(wires: &[(u16, f32)], potential: &[f32]) -> f32 {
    let term = |&(node, conductance): &(u16, f32)| conductance * potential[usize::from(node)];
    let fours = wires.chunks_exact(4);
    let rest: f32 = fours.remainder().iter().map(term).sum();
    let sums = fours.fold([0.0f32; 4], |sums, four| std::array::from_fn(|i| sums[i] + term(&four[i])));
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
