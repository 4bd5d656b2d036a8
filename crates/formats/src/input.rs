//! From bytes to text: unfolds compressed input and turns UTF-16 into UTF-8, as a stream.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The input with the bytes put back that were looked at to tell its kind.
type Sniffed<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// What stands in the decoded text for half a surrogate pair: a byte that no UTF-8 text has, so that the line which holds it is
/// refused as no text.
const NO_TEXT: u8 = 0xff;

/// Why reading stopped.
#[derive(Debug)]
pub(crate) enum Fault {
    Io(io::Error),
    Compression(String),
}

enum Raw<R> {
    Fresh(Option<R>),
    Plain(Sniffed<R>),
    Gzip(Box<MultiGzDecoder<Sniffed<R>>>),
    Zstandard(Box<Zstandard<BufReader<Sniffed<R>>>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Unknown,
    Utf8,
    Utf16 { big_endian: bool },
}

/// A stream of UTF-8 text, as far as the input is text at all.
pub(crate) struct Input<R> {
    raw: Raw<R>,
    encoding: Encoding,
    unfolded: u64,
    max_unfolded: u64,
    /// Bytes of UTF-16 that are not decoded yet: at most a unit and a half.
    rest: Vec<u8>,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(input: R, max_unfolded: u64) -> Input<R> {
        Input { raw: Raw::Fresh(Some(input)), encoding: Encoding::Unknown, unfolded: 0, max_unfolded, rest: Vec::new() }
    }

    /// Reads some text; 0 bytes at the end. The buffer has at least 16 bytes.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        if self.encoding == Encoding::Unknown {
            // A byte order mark takes up to three bytes; a pipe may hand them out one by one.
            let mut head = [0; 3];
            let mut count = 0;
            while count < 3 {
                match self.read_raw(&mut head[count..])? {
                    0 => break,
                    more => count += more,
                }
            }
            let head = &head[..count];
            (self.encoding, self.rest) = match head {
                [0xff, 0xfe, ..] => (Encoding::Utf16 { big_endian: false }, head[2..].to_vec()),
                [0xfe, 0xff, ..] => (Encoding::Utf16 { big_endian: true }, head[2..].to_vec()),
                _ => {
                    self.encoding = Encoding::Utf8;
                    buffer[..count].copy_from_slice(head);
                    return Ok(count);
                }
            };
        }
        match self.encoding {
            Encoding::Utf16 { big_endian } => self.read_utf16(buffer, big_endian),
            _ => self.read_raw(buffer),
        }
    }

    fn read_utf16(&mut self, buffer: &mut [u8], big_endian: bool) -> Result<usize, Fault> {
        loop {
            // A unit of two bytes makes three bytes at most, a pair of units makes four.
            let room = (buffer.len() / 3 * 2).min(1 << 16);
            let mut bytes = std::mem::take(&mut self.rest);
            let kept = bytes.len();
            bytes.resize(room.max(kept + 2), 0);
            let count = self.read_raw(&mut bytes[kept..])?;
            bytes.truncate(kept + count);
            let at_end = count == 0;
            let mut units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|unit| {
                    let unit = [unit[0], unit[1]];
                    if big_endian { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) }
                })
                .collect();
            let mut used = 2 * units.len();
            // A first half waits for its second, unless there is none to come.
            if !at_end && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
                units.pop();
                used -= 2;
            }
            let mut written = 0;
            for unit in char::decode_utf16(units) {
                match unit {
                    Ok(symbol) => written += symbol.encode_utf8(&mut buffer[written..]).len(),
                    Err(_) => {
                        buffer[written] = NO_TEXT;
                        written += 1;
                    }
                }
            }
            if at_end && bytes.len() > used {
                buffer[written] = NO_TEXT;
                written += 1;
            } else {
                self.rest = bytes[used..].to_vec();
            }
            if written > 0 || at_end {
                return Ok(written);
            }
        }
    }

    /// Reads bytes as they are once unfolded.
    fn read_raw(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        if let Raw::Fresh(input) = &mut self.raw {
            let input = input.take().ok_or_else(|| Fault::Io(io::Error::other("the input failed before")))?;
            self.raw = sniff(input).map_err(Fault::Io)?;
        }
        let folded = !matches!(self.raw, Raw::Plain(_));
        let count = loop {
            let read = match &mut self.raw {
                Raw::Fresh(_) => unreachable!("the kind of the input is known by now"),
                Raw::Plain(input) => input.read(buffer),
                Raw::Gzip(input) => input.read(buffer),
                Raw::Zstandard(input) => input.read(buffer),
            };
            match read {
                Ok(count) => break count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if folded => return Err(Fault::Compression(format!("the compressed input is broken: {error}"))),
                Err(error) => return Err(Fault::Io(error)),
            }
        };
        if folded {
            self.unfolded += count as u64;
            if self.unfolded > self.max_unfolded {
                let message = format!("the compressed input unfolds to more than {} bytes", self.max_unfolded);
                return Err(Fault::Compression(message));
            }
        }
        Ok(count)
    }
}

fn sniff<R: Read>(mut input: R) -> io::Result<Raw<R>> {
    let mut head = Vec::with_capacity(4);
    input.by_ref().take(4).read_to_end(&mut head)?;
    let kind = (head.starts_with(&[0x1f, 0x8b, 8]), head == [0x28, 0xb5, 0x2f, 0xfd]);
    let whole = Cursor::new(head).chain(input);
    Ok(match kind {
        (true, _) => Raw::Gzip(Box::new(MultiGzDecoder::new(whole))),
        (_, true) => {
            Raw::Zstandard(Box::new(Zstandard { input: BufReader::new(whole), decoder: FrameDecoder::new(), within: false }))
        }
        _ => Raw::Plain(whole),
    })
}

/// One Zstandard frame after the other, as `zstd` itself reads them.
struct Zstandard<R> {
    input: R,
    decoder: FrameDecoder,
    within: bool,
}

impl<R: BufRead> Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.within {
                if self.input.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.start_frame()?;
                continue;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder.decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1)).map_err(io::Error::other)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            let (stored, computed) = (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
            if stored.is_some() && stored != computed {
                return Err(io::Error::other("the checksum does not fit"));
            }
            self.within = false;
        }
    }

    fn start_frame(&mut self) -> io::Result<()> {
        match self.decoder.init(&mut self.input) {
            Ok(()) => self.within = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let skipped = io::copy(&mut self.input.by_ref().take(length.into()), &mut io::sink())?;
                if skipped < length.into() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(())
    }
}
