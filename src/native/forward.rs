//! Boards on which all pieces of a side go the same way, up or down, so that one rotation moves them all.

/// Directions and rows of one side. Directions are rotations by that number of bits to the left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Forward {
    pub(super) ahead: u32,
    /// One row ahead and one column lower.
    pub(super) left: u32,
    /// One row ahead and one column higher.
    pub(super) right: u32,
    /// The row behind which there is nothing.
    pub(super) home: u64,
    /// The row ahead of which there is nothing.
    pub(super) goal: u64,
    /// The squares from which the rotation of this name leads to a square.
    pub(super) can_ahead: u64,
    pub(super) can_left: u64,
    pub(super) can_right: u64,
}

impl Forward {
    /// From the lowest row to the highest.
    pub(super) fn up(width: u32, height: u32) -> Self {
        let row = !0 >> (64 - width);
        let top = row << (width * (height - 1));
        let board = !0 >> (64 - width * height);
        let first_column = (0..height).fold(0, |set, y| set | 1 << (y * width));
        let last_column = first_column << (width - 1);
        Self {
            ahead: width,
            left: width - 1,
            right: width + 1,
            home: row,
            goal: top,
            can_ahead: board & !top,
            can_left: board & !top & !first_column,
            can_right: board & !top & !last_column,
        }
    }

    /// From the highest row to the lowest.
    pub(super) fn down(width: u32, height: u32) -> Self {
        let up = Self::up(width, height);
        Self {
            ahead: 64 - up.ahead,
            left: 64 - up.right,
            right: (64 - up.left) % 64,
            home: up.goal,
            goal: up.home,
            // Where those who go up arrive when they go the other way.
            can_ahead: up.can_ahead.rotate_left(up.ahead),
            can_left: up.can_right.rotate_left(up.right),
            can_right: up.can_left.rotate_left(up.left),
        }
    }

    /// Where those of `pieces` arrive that go straight ahead.
    #[inline(always)]
    pub(super) fn ahead_of(&self, pieces: u64) -> u64 {
        (pieces & self.can_ahead).rotate_left(self.ahead)
    }

    /// Where those of `pieces` arrive that go ahead to the lower column.
    #[inline(always)]
    pub(super) fn left_of(&self, pieces: u64) -> u64 {
        (pieces & self.can_left).rotate_left(self.left)
    }

    /// Where those of `pieces` arrive that go ahead to the higher column.
    #[inline(always)]
    pub(super) fn right_of(&self, pieces: u64) -> u64 {
        (pieces & self.can_right).rotate_left(self.right)
    }
}

#[cfg(test)]
mod tests {
    use super::Forward;

    /// Three columns, two rows: squares 0 to 2 below squares 3 to 5.
    #[test]
    fn pieces_stay_on_the_board() {
        let (up, down) = (Forward::up(3, 2), Forward::down(3, 2));
        let all = 0b11_1111;
        assert_eq!(up.ahead_of(all), 0b11_1000);
        assert_eq!((up.left_of(all), up.right_of(all)), (0b01_1000, 0b11_0000));
        assert_eq!(down.ahead_of(all), 0b00_0111);
        assert_eq!(
            (down.left_of(all), down.right_of(all)),
            (0b00_0011, 0b00_0110)
        );
    }

    #[test]
    fn a_board_may_have_64_squares_or_one_column() {
        let (up, down) = (Forward::up(8, 8), Forward::down(8, 8));
        assert_eq!(
            (up.left_of(!0), down.right_of(!0)),
            (0x7f7f_7f7f_7f7f_7f00, 0x00fe_fefe_fefe_fefe)
        );
        let (up, down) = (Forward::up(1, 64), Forward::down(1, 64));
        assert_eq!((up.ahead_of(!0), down.ahead_of(!0)), (!1, !0 >> 1));
        assert_eq!(
            [
                up.left_of(!0),
                up.right_of(!0),
                down.left_of(!0),
                down.right_of(!0)
            ],
            [0; 4]
        );
    }
}
