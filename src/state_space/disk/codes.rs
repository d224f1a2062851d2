//! Sorted codes in files without names, which the system removes with the last handle: nothing is left, however the program ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

use smallvec::SmallVec;

/// So many bytes are read or written at once.
const BLOCK: usize = 1 << 17;

/// Codes in ascending order, each once.
#[derive(Debug)]
pub(super) struct CodeFile {
    file: File,
    pub(super) codes: u64,
}

/// Writes a [`CodeFile`].
pub(super) struct CodeWriter {
    file: BufWriter<File>,
    codes: u64,
}

impl CodeWriter {
    /// A file in a folder.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self::on(tempfile::tempfile_in(folder)?))
    }

    fn on(file: File) -> Self {
        Self {
            file: BufWriter::with_capacity(BLOCK, file),
            codes: 0,
        }
    }

    /// Adds a code, which must be greater than all before.
    pub(super) fn push(&mut self, code: &[u32]) -> io::Result<()> {
        for word in code {
            self.file.write_all(&word.to_le_bytes())?;
        }
        self.codes += 1;
        Ok(())
    }

    /// How many codes were added.
    pub(super) fn codes(&self) -> u64 {
        self.codes
    }

    pub(super) fn finish(self) -> io::Result<CodeFile> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        Ok(CodeFile {
            file,
            codes: self.codes,
        })
    }
}

/// Reads the codes of a file, of so many words each. A file has one reader at a time.
pub(super) struct CodeReader<'f> {
    file: &'f File,
    words: usize,
    /// The words that were read, and the place of the code that is next.
    block: Vec<u32>,
    place: usize,
    bytes: Vec<u8>,
    /// How many codes were not read.
    left: u64,
}

impl<'f> CodeReader<'f> {
    pub(super) fn new(codes: &'f CodeFile, words: usize) -> io::Result<Self> {
        let mut file = &codes.file;
        file.rewind()?;
        let mut reader = Self {
            file,
            words,
            block: Vec::new(),
            place: 0,
            bytes: Vec::new(),
            left: codes.codes,
        };
        reader.fill()?;
        Ok(reader)
    }

    /// The code that is next.
    pub(super) fn current(&self) -> Option<&[u32]> {
        self.block.get(self.place..self.place + self.words)
    }

    pub(super) fn advance(&mut self) -> io::Result<()> {
        self.place += self.words;
        if self.place >= self.block.len() {
            self.fill()?;
        }
        Ok(())
    }

    /// Whether this code is there. Codes must be asked for in ascending order.
    pub(super) fn has(&mut self, code: &[u32]) -> io::Result<bool> {
        while self.current().is_some_and(|current| current < code) {
            let last = self.block.len() - self.words;
            match self.block[last..] < *code {
                true => self.fill()?,
                false => self.place += self.words,
            }
        }
        Ok(self.current() == Some(code))
    }

    /// Reads the next block.
    fn fill(&mut self) -> io::Result<()> {
        let of_code = self.words * size_of::<u32>();
        let codes = self.left.min((BLOCK / of_code).max(1) as u64);
        self.left -= codes;
        self.bytes.resize(codes as usize * of_code, 0);
        self.file.read_exact(&mut self.bytes)?;
        let (words, _) = self.bytes.as_chunks();
        self.block.clear();
        self.block
            .extend(words.iter().map(|word| u32::from_le_bytes(*word)));
        self.place = 0;
        Ok(())
    }
}

/// A code in memory.
type HeldCode = SmallVec<[u32; 4]>;

/// The codes of several files in ascending order, each once.
pub(super) struct MergedCodes<'f> {
    readers: Vec<CodeReader<'f>>,
    /// The next code of each reader.
    heap: BinaryHeap<Reverse<(HeldCode, usize)>>,
    last: Option<HeldCode>,
}

impl<'f> MergedCodes<'f> {
    pub(super) fn new(files: &'f [CodeFile], words: usize) -> io::Result<Self> {
        let readers = files.iter().map(|file| CodeReader::new(file, words));
        let readers: Vec<CodeReader<'_>> = readers.collect::<io::Result<_>>()?;
        let heads = readers.iter().enumerate();
        let heads = heads.filter_map(|(number, reader)| {
            let code = reader.current()?;
            Some(Reverse((HeldCode::from_slice(code), number)))
        });
        Ok(Self {
            heap: heads.collect(),
            readers,
            last: None,
        })
    }

    /// The next code.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u32]>> {
        while let Some(mut least) = self.heap.peek_mut() {
            let Reverse((code, number)) = &mut *least;
            let reader = &mut self.readers[*number];
            reader.advance()?;
            let code = match reader.current() {
                Some(next) => std::mem::replace(code, HeldCode::from_slice(next)),
                None => std::collections::binary_heap::PeekMut::pop(least).0.0,
            };
            if self.last.as_ref() != Some(&code) {
                self.last = Some(code);
                return Ok(self.last.as_deref());
            }
        }
        Ok(None)
    }
}

/// Puts codes of so many words in ascending order, and leaves each once.
pub(super) fn sort(codes: &mut Vec<u32>, words: usize) {
    match words {
        1 => sort_of::<1>(codes),
        2 => sort_of::<2>(codes),
        3 => sort_of::<3>(codes),
        4 => sort_of::<4>(codes),
        _ => {
            let mut sorted: Vec<&[u32]> = codes.chunks_exact(words).collect();
            sorted.sort_unstable();
            sorted.dedup();
            *codes = sorted.concat();
        }
    }
}

/// The same, where the compiler knows the number of words.
fn sort_of<const WORDS: usize>(codes: &mut Vec<u32>) {
    let (sorted, _) = codes.as_chunks_mut::<WORDS>();
    sorted.sort_unstable();
    let mut kept = 0;
    for place in 0..sorted.len() {
        if kept == 0 || sorted[place] != sorted[kept - 1] {
            sorted[kept] = sorted[place];
            kept += 1;
        }
    }
    codes.truncate(kept * WORDS);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path, codes: &[[u32; 2]]) -> CodeFile {
        let mut writer = CodeWriter::new(folder).unwrap();
        for code in codes {
            writer.push(code).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn codes_are_sorted_and_left_once() {
        for words in 1..=6 {
            let mut codes: Vec<u32> = Vec::new();
            for n in [5, 1, 4, 1, 5, 9, 2, 6] {
                codes.extend(std::iter::repeat_n(n, words));
            }
            sort(&mut codes, words);
            let firsts: Vec<u32> = codes.iter().step_by(words).copied().collect();
            assert_eq!(firsts, [1, 2, 4, 5, 6, 9], "{words}");
        }
    }

    #[test]
    fn files_are_merged_and_asked() {
        let folder = tempfile::tempdir().unwrap();
        let evens: Vec<[u32; 2]> = (0..100_000).map(|n| [n, 2 * n]).collect();
        let few = [[3, 0], [3, 6], [99_999, 199_998], [200_000, 0]];
        let files = [
            file(folder.path(), &evens),
            file(folder.path(), &few),
            file(folder.path(), &[]),
        ];
        let mut merged = MergedCodes::new(&files, 2).unwrap();
        let mut found = Vec::new();
        while let Some(code) = merged.next().unwrap() {
            found.push([code[0], code[1]]);
        }
        let mut expected = [&evens[..], &few].concat();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(found, expected);
        let mut reader = CodeReader::new(&files[0], 2).unwrap();
        for (code, is_there) in [
            ([0, 0], true),
            ([5, 9], false),
            ([5, 10], true),
            ([70_000, 140_000], true),
        ] {
            assert_eq!(reader.has(&code).unwrap(), is_there, "{code:?}");
        }
        assert!(!reader.has(&[100_000, 0]).unwrap());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut writer = CodeWriter::on(full);
        let pushed = (0..BLOCK as u32).try_for_each(|n| writer.push(&[n]));
        let why = pushed.unwrap_err();
        assert_eq!(why.kind(), io::ErrorKind::StorageFull);
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut writer = CodeWriter::on(full);
        writer.push(&[1]).unwrap();
        assert!(writer.finish().is_err());
    }
}
