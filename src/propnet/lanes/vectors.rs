//! The vectors of the processor that lanes are computed with.

use pulp::Arch;

/// Vectors of a processor, or none. They change the speed only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    /// The widest that it has.
    Widest,
    /// Those of 256 bits that most x86-64 processors have (AVX2), if they are not the widest.
    Avx2,
    /// None that are chosen at run time: words of 64 bits, and what all processors of the kind have.
    Words,
}

impl Vectors {
    /// All of them, the widest first.
    pub const ALL: [Self; 3] = [Self::Widest, Self::Avx2, Self::Words];

    /// The code for them; `None` if this processor does not have them.
    pub(super) fn arch(self) -> Option<Arch> {
        match self {
            Self::Widest => Some(Arch::new()),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => match Arch::new() {
                Arch::V4(_) => pulp::x86::V3::try_new().map(Arch::V3),
                _ => None,
            },
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 => None,
            Self::Words => Some(Arch::Scalar),
        }
    }
}
