use super::*;

#[test]
fn places_and_numbers_of_points_belong_together() {
    for width in 1..=25 {
        for height in 1..=25 {
            let board = Board::new(Size { width, height });
            for index in 0..width * height {
                let (x, y) = (index % width, index / width);
                let place = ((y + 1) * (width + 1) + x + 1) as Point;
                assert_eq!((board.point(index), board.index(place)), (place, index), "{width}x{height}");
            }
        }
    }
}
