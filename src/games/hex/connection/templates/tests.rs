use super::super::hsearch::Search;
use super::*;

/// Positions that a proof may look at.
const POSITIONS: u32 = 200_000;

fn found(shape: &Shape) -> finder::Found {
    (shape.end, shape.stones.clone(), shape.needed.clone())
}

/// The shape as far to the left as it goes, or its mirror image if that comes first.
fn canonical(shape: &Shape) -> Shape {
    let aligned = |shape: Shape| {
        let mut shape = shape.moved(shape.moves(0).start);
        shape.stones.sort_unstable();
        shape.needed.sort_unstable();
        shape
    };
    let key = |shape: &Shape| (shape.end, shape.stones.clone(), shape.needed.clone());
    let (one, other) = (aligned(shape.clone()), aligned(shape.mirrored()));
    if key(&one) <= key(&other) { one } else { other }
}

/// A text as [`SHAPES`].
fn written(shapes: &[Shape]) -> String {
    let block = |shape: &Shape| {
        let (columns, rows) = shape.spots().fold((0, 0), |(a, b), (c, r)| (a.max(c), b.max(r)));
        let content = |spot| match spot {
            _ if spot == shape.end => "E",
            _ if shape.stones.contains(&spot) => "O",
            _ if shape.needed.contains(&spot) => "+",
            _ => ".",
        };
        let line = |row: i32| {
            let cells: Vec<&str> = (0..=columns).map(|column| content((column, row))).collect();
            format!("{}{}\n", " ".repeat((rows - row) as usize), cells.join(" "))
        };
        (0..=rows).rev().map(line).collect::<String>()
    };
    shapes.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// Whether the rules join the end to the edge with no more than the shape has, if they know of `others`.
fn is_joined_by_rules(shape: &Shape, others: &[Shape]) -> bool {
    let (columns, rows) = shape.spots().fold((0, 0), |(a, b), (c, r)| (a.max(c), b.max(r)));
    let size = Size { width: columns as usize + 1, height: rows as usize + 2 };
    let cell = |(column, row): Spot| size.index(column as usize, size.height - 1 - row as usize);
    let mut board = Board::new(size);
    shape.stones.iter().for_each(|&spot| board.put(cell(spot), Side::First));
    let open: Vec<usize> = shape.needed.iter().chain([&shape.end]).map(|&spot| cell(spot)).collect();
    for other in 0..size.points() {
        if board.stone(other).is_none() && !open.contains(&other) {
            board.put(other, Side::Second);
        }
    }
    let mut search = Search::<2>::default();
    search.templates = Templates { size: Some(size), of: [placed(others, size, Side::First), Vec::new()] };
    search.begin(&board, Side::First);
    search.exhaust(&|| false);
    !search.web.fulls(cell(shape.end), size.points() + 1).is_empty()
}

/// Shapes that neither the rules nor smaller ones join, the smallest first.
fn beyond_the_rules(shapes: &[Shape]) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = shapes.iter().map(canonical).collect();
    shapes.sort_by_key(|shape| (shape.needed.len(), shape.stones.len(), found(shape)));
    shapes.dedup();
    let mut beyond: Vec<Shape> = Vec::new();
    for shape in shapes {
        if !is_joined_by_rules(&shape, &beyond) {
            beyond.push(shape);
        }
    }
    beyond
}

#[test]
fn every_shape_holds() {
    for shape in Shape::all(SHAPES) {
        assert!(finder::holds(&found(&shape), POSITIONS), "{shape:?}");
        let less = Shape { needed: shape.needed[1..].to_vec(), stones: Vec::new(), ..shape };
        assert!(!finder::holds(&found(&less), POSITIONS), "{less:?}");
    }
}

#[test]
fn no_shape_is_joined_by_the_rules_and_those_before_it() {
    let shapes = Shape::all(SHAPES);
    assert!(shapes.len() > 20);
    assert_eq!(written(&beyond_the_rules(&shapes)), SHAPES);
}

/// Each side has each shape at both of its edges, in both directions, wherever it fits: on a board of 5x5 the stone of the
/// second row and its two cells, for example, on four cells of that row.
#[test]
fn shapes_lie_wherever_they_fit() {
    let bridge = Shape::read(". E\n + +\n");
    for side in Side::BOTH {
        let placed: Vec<Template<1>> = placed(std::slice::from_ref(&bridge), Size::square(5), side);
        let ends: std::collections::BTreeSet<(usize, usize, u32)> =
            placed.iter().map(|template| (template.edge, template.end, template.needed.len())).collect();
        let size = Size::square(5);
        let expected = (0..4).flat_map(|along| {
            // A stone of the second row has its cells under it and on the left; half a turn exchanges the edges.
            let (one, other) =
                if side == Side::First { ((along + 1, 3), (3 - along, 1)) } else { ((3, along + 1), (1, 3 - along)) };
            [(26, size.index(one.0, one.1), 3), (25, size.index(other.0, other.1), 3)]
        });
        assert_eq!(ends, expected.collect());
        for template in placed {
            let mut board = Board::new(size);
            board.put(template.end, side);
            let needed = (0..25).filter(|&cell| cell != template.end && template.needed.has(cell));
            let near = board.neighbours(board.place(template.end));
            assert!(needed.map(|cell| board.place(cell)).all(|place| near.contains(&place)));
        }
    }
}

/// Makes the table anew: `templates.txt` is what it writes.
#[test]
#[ignore = "takes minutes"]
fn the_table_is_found_again() {
    let mut all = Vec::new();
    for (rows, stones, beginnings, positions) in [(1..=3, 2, 100, 20_000), (4..=4, 1, 100, 100_000)] {
        let of = finder::find(rows, stones, beginnings, positions);
        all.extend(of.into_iter().map(|(end, stones, needed)| Shape { end, stones, needed }));
    }
    let table = written(&beyond_the_rules(&all));
    if table != SHAPES {
        let file = std::env::temp_dir().join("templates.txt");
        std::fs::write(&file, table).unwrap();
        panic!("the table is another one now: {}", file.display());
    }
}
