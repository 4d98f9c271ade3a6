use super::*;

fn cells(numbers: &[usize]) -> Cells<1> {
    numbers.iter().fold(Cells::default(), |cells, &cell| cells.with(cell))
}

/// Wins that are told of, with the stone that is missing.
fn found(wins: &Wins, facing: Facing, own: &[usize], theirs: &[usize]) -> Vec<(Option<u16>, Option<usize>)> {
    let mut found = Vec::new();
    wins.find(facing, cells(own), cells(theirs), &mut |win, missing| {
        found.push((win.mv, missing));
        false
    });
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn a_facing_leads_back() {
    for board in [Size::square(4), Size { width: 5, height: 3 }] {
        for (side, turned) in [(Side::First, false), (Side::First, true), (Side::Second, false), (Side::Second, true)] {
            let facing = Facing::new(board, side, turned);
            let mut seen: Vec<usize> = (0..board.points()).map(|cell| facing.seen(cell)).collect();
            assert!((0..board.points()).all(|cell| facing.unseen(facing.seen(cell)) == cell));
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..board.points()));
        }
    }
    // The second row of a side that joins left and right is its second column.
    let facing = Facing::new(Size { width: 5, height: 3 }, Side::Second, false);
    assert_eq!((facing.seen(1), facing.size()), (3, Size { width: 3, height: 5 }));
}

#[test]
fn wins_are_found_where_they_hold() {
    let wins = Wins::default();
    let facing = Facing::new(Size::square(4), Side::First, false);
    wins.keep(facing, &Win { stones: cells(&[5, 6]), free: cells(&[1, 9]), mv: Some(9) });
    wins.keep(facing, &Win { stones: cells(&[7]), free: cells(&[3]), mv: None });
    assert_eq!(found(&wins, facing, &[5, 6], &[0]), [(None, Some(7)), (Some(9), None)]);
    assert_eq!(found(&wins, facing, &[5, 6, 7, 9], &[0]), [(None, None), (Some(9), None)]);
    assert_eq!(found(&wins, facing, &[6], &[3]), [(Some(9), Some(5))]);
    assert_eq!(found(&wins, facing, &[], &[]), [(None, Some(7))]);
    assert_eq!(found(&wins, facing, &[6, 5], &[1, 7]), []);
    assert_eq!(found(&wins, facing, &[6], &[5, 3]), []);
    assert_eq!(found(&wins, Facing::new(Size::square(5), Side::First, false), &[5, 6], &[]), []);
}

#[test]
fn only_what_joins_the_edges_is_kept() {
    let facing = Facing::new(Size::square(4), Side::First, false);
    // A column, cells that hang on it, and some that reach one edge only.
    assert_eq!(joining(facing, cells(&[1, 5, 9, 13, 8, 3, 7])), cells(&[1, 5, 9, 13, 8]));
    assert_eq!(joining(facing, cells(&[1, 5, 13])), cells(&[]));
    assert_eq!(joining(facing, cells(&[3, 6, 9, 12])), cells(&[3, 6, 9, 12]));
    // Upper left and lower right are no neighbours.
    assert_eq!(joining(facing, cells(&[0, 5, 10, 15])), cells(&[]));
}

/// The newer ones stay, and no more than the memory takes.
#[test]
fn the_older_half_makes_room() {
    let wins = Wins::default();
    let facing = Facing::new(Size::square(8), Side::First, false);
    let most = MOST_BYTES / 24;
    for number in 0..most as u16 + 2 {
        wins.keep(facing, &Win { stones: cells(&[0, 1]), free: cells(&[2]), mv: Some(number) });
    }
    let left = found(&wins, facing, &[0, 1], &[]);
    assert!(left.len() > most / 2 && left.len() < most / 2 + 5, "{}", left.len());
    assert_eq!(left.last(), Some(&(Some(most as u16 + 1), None)));
    for width in 2..20 {
        let facing = Facing::new(Size { width, height: 3 }, Side::First, false);
        wins.keep(facing, &Win { stones: cells(&[0]), free: cells(&[1]), mv: None });
    }
    assert!(wins.0.read().len() <= MOST_SIZES);
}
