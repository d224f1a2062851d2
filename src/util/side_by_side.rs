//! Random moves in games that are played side by side, one in each bit of machine words.

use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Makes one of the moves of a role in each game: `moves` has their numbers, each with the games in which it is legal; adds to `made` the
/// games in which each is made. Returns the games in which none is legal.
pub fn choose_side_by_side(
    moves: &[(usize, u64)],
    made: &mut [u64],
    random: &mut Xoshiro256PlusPlus,
) -> u64 {
    let mut open = !0;
    let Some(start) = (random.next_u64() as usize).checked_rem(moves.len()) else {
        return open;
    };
    let (late, early) = moves.split_at(start);
    // In the first round, each game passes over three moves in four.
    for round in 0..2 {
        for &(number, legal) in early.iter().chain(late) {
            let mut taken = legal & open;
            if taken != 0 && round == 0 {
                taken &= random.next_u64() & random.next_u64();
            }
            made[number] |= taken;
            open &= !taken;
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn each_game_makes_one_of_its_legal_moves() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let moves = [(0, 0b0111), (2, 0b0110), (3, 0b0100)];
        let mut seen = [0; 4];
        for _ in 0..100 {
            let mut made = [0; 4];
            let stuck = choose_side_by_side(&moves, &mut made, &mut random);
            assert_eq!(stuck, !0b0111, "no move is legal in the other games");
            for game in 0..3 {
                let chosen = made.iter().filter(|games| *games >> game & 1 == 1);
                assert_eq!(chosen.count(), 1);
            }
            for &(number, legal) in &moves {
                assert_eq!(made[number] & !legal, 0);
                seen[number] |= made[number];
            }
        }
        assert_eq!(
            seen,
            [0b0111, 0, 0b0110, 0b0100],
            "every legal move is made at some time"
        );
        assert_eq!(choose_side_by_side(&[], &mut [], &mut random), !0);
    }
}
