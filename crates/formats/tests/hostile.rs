//! Texts that were made to break a reader: each ends in an error with a place, and in what was good around it.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use ninefold_formats::{ErrorKind, Format, Options, ReadError, Reader, read};

const LINE: &str = "1....2.3.4.5..6....7..8..9.....63....8...1....24.....2..9..5....1..7.3.8.6.5....4";

/// How many were read, and the errors.
fn outcome<R: Read>(reader: Reader<R>) -> (usize, Vec<ReadError>) {
    let (mut good, mut errors) = (0, Vec::new());
    for entry in reader {
        match entry {
            Ok(_) => good += 1,
            Err(error) => errors.push(error),
        }
    }
    (good, errors)
}

fn kinds(text: &[u8], options: &Options) -> (usize, Vec<ErrorKind>) {
    let (good, errors) = outcome(read(text, options));
    (good, errors.iter().map(ReadError::kind).collect())
}

/// A long text that is never held: so many bytes of a piece over and over, between two others.
struct Repeat<'a> {
    start: &'a [u8],
    piece: &'a [u8],
    left: usize,
    end: &'a [u8],
}

impl<'a> Repeat<'a> {
    fn new(start: &'a [u8], piece: &'a [u8], times: usize, end: &'a [u8]) -> Repeat<'a> {
        Repeat { start, piece, left: times * piece.len(), end }
    }
}

impl Read for Repeat<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.start.read(buffer)?;
        if count > 0 {
            return Ok(count);
        }
        if self.left == 0 {
            return self.end.read(buffer);
        }
        // The piece goes on where it was left off.
        let from = self.piece.len() - 1 - (self.left - 1) % self.piece.len();
        let count = buffer.len().min(self.left);
        for (byte, piece) in buffer[..count].iter_mut().zip(self.piece.iter().cycle().skip(from)) {
            *byte = *piece;
        }
        self.left -= count;
        Ok(count)
    }
}

#[test]
fn a_line_of_100_megabytes_costs_that_line_alone() {
    let line = format!("{LINE}\n");
    for piece in [b"." as &[u8], b"1 ", b"\0", b"[", b"x,", b"\xff"] {
        let end = format!("\n{LINE}\n");
        let text = Repeat::new(line.as_bytes(), piece, 100_000_000 / piece.len(), end.as_bytes());
        let (good, errors) = outcome(Reader::new(text, Options::new()));
        assert_eq!((good, errors.len()), (2, 1));
        assert_eq!((errors[0].kind(), errors[0].position().line()), (ErrorKind::TooLong, 2));
    }
}

#[test]
fn a_file_that_is_one_long_line_is_an_error() {
    for piece in [b"." as &[u8], b"\0", b" ", b"1,2,", b"a b ", b"\xff", b":", b"\"", b"<", b"{", b"["] {
        let text = Repeat::new(b"", piece, 20_000_000 / piece.len(), b"");
        let (good, errors) = outcome(Reader::new(text, Options::new()));
        assert_eq!((good, errors.is_empty()), (0, false), "{piece:?}");
    }
}

#[test]
fn json_nested_100_000_deep_is_refused() {
    for piece in ["[", "{\"a\":", "{\"puzzle\":["] {
        let (good, kinds) = kinds(piece.repeat(100_000).as_bytes(), &Options::new());
        assert_eq!((good, kinds), (0, vec![ErrorKind::TooDeep]), "{piece}");
    }
    let deep = format!("{{\"puzzle\":{}1{}}}\n{{\"puzzle\":\"{LINE}\"}}\n", "[".repeat(100_000), "]".repeat(100_000));
    let (good, kinds) = kinds(deep.as_bytes(), &Options::new().format(Format::JsonLines));
    assert_eq!((good, kinds.len()), (1, 1));
    assert_eq!(kinds_of(&"{".repeat(100_000)), [ErrorKind::TooDeep]);
}

fn kinds_of(text: &str) -> Vec<ErrorKind> {
    kinds(text.as_bytes(), &Options::new()).1
}

#[test]
fn a_json_value_without_end_is_not_held_beyond_its_limit() {
    let options = Options::new().max_text(1 << 20);
    let text = Repeat::new(b"[[", b"1,", 50_000_000, b"");
    let (good, errors) = outcome(Reader::new(text, options.clone()));
    assert_eq!((good, errors.len(), errors[0].kind()), (0, 1, ErrorKind::TooLong));
    let text = Repeat::new(b"{\"puzzle\":\"", b".", 50_000_000, b"");
    assert_eq!(outcome(Reader::new(text, options)).1[0].kind(), ErrorKind::TooLong);
}

#[test]
fn a_list_of_a_million_boards_is_a_stream() {
    let text = Repeat::new(b"[", b"[[1,2],[2,1]],", 100_000, b"[[1,2],[2,1]]]");
    let options = Options::new().rules(ninefold_core::Rules::blocks("1x2".parse().unwrap())).max_text(1000);
    let (good, errors) = outcome(Reader::new(text, options));
    assert_eq!((good, errors.len()), (100_001, 0));
}

#[test]
fn errors_of_a_text_that_is_held_are_bounded() {
    for text in [
        format!("{{\"puzzles\":[{}1]}}", "{},".repeat(1_000_000)),
        format!("<opensudoku>{}</opensudoku>", "<game data=\"1\"/>".repeat(100_000)),
        "{{1,2},{3}},".repeat(100_000),
    ] {
        let (good, kinds) = kinds(text.as_bytes(), &Options::new());
        assert_eq!((good, kinds.len()), (0, 1001), "{}", &text[..20]);
        assert_eq!(kinds[1000], ErrorKind::TooLong);
    }
}

#[test]
fn xml_entities_are_not_expanded() {
    let mut bomb = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY lol \"lol\">\n");
    for level in 1..10 {
        let inner = format!("&lol{};", level - 1).repeat(10);
        bomb += &format!("<!ENTITY lol{level} \"{inner}\">\n");
    }
    bomb += &format!("]>\n<opensudoku><name>&lol9;</name><game data=\"&lol9;\"/><game data=\"{LINE}\"/></opensudoku>");
    let (good, errors) = outcome(read(bomb.as_bytes(), &Options::new()));
    assert_eq!((good, errors.len()), (1, 1));
    assert_eq!((errors[0].kind(), errors[0].position().line()), (ErrorKind::Symbol, 14));
}

#[test]
fn digits_and_sides_over_the_largest_are_refused() {
    let row = format!("{}\n", ".".repeat(65));
    assert_eq!(kinds_of(&row.repeat(65)), [ErrorKind::Side]);
    assert_eq!(kinds_of(&".".repeat(65 * 65)), [ErrorKind::Side]);
    let json = format!("[{}]", vec![format!("[{}]", ["0"; 65].join(",")); 65].join(","));
    assert_eq!(kinds_of(&json), [ErrorKind::Side]);
    assert_eq!(kinds_of(&LINE.replacen('1', "A", 1)), [ErrorKind::DigitTooLarge]);
    assert_eq!(kinds_of("[[1,0,0,0],[0,0,99999999999999999999,0],[0,0,0,0],[0,0,0,0]]"), [ErrorKind::DigitTooLarge]);
    assert_eq!(kinds_of("[[1,0,0,0],[0,0,2.5,0],[0,0,0,0],[0,0,0,0]]"), [ErrorKind::Symbol]);
    let map = format!("{}:{}", ".".repeat(65 * 65), "1".repeat(65 * 65));
    assert_eq!(kinds(map.as_bytes(), &Options::new().format(Format::JigsawLine)).1, [ErrorKind::Side]);
}

#[test]
fn nul_bytes_are_errors_with_a_hint() {
    let (good, errors) = outcome(read(format!("{LINE}\n12\0{}\n{LINE}\n", &LINE[3..]).as_bytes(), &Options::new()));
    assert_eq!((good, errors.len()), (2, 1));
    assert_eq!((errors[0].kind(), errors[0].position().column()), (ErrorKind::Symbol, 3));
    assert_eq!(errors[0].message(), "`\\0` is neither a digit nor a blank");
    // UTF-16 without its mark.
    let utf16: Vec<u8> = LINE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(outcome(read(&utf16, &Options::new())).1[0].hint().unwrap().contains("UTF-16"));
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn compressed_text_reads_like_any_other() {
    let text = format!("{LINE}\n").repeat(1000);
    for packed in [gzip(text.as_bytes()), zstandard(text.as_bytes())] {
        assert!(packed.len() < text.len());
        assert_eq!(kinds(&packed, &Options::new()), (1000, vec![]));
        // One after the other, as `cat` puts them together.
        assert_eq!(kinds(&packed.repeat(2), &Options::new()), (2000, vec![]));
        // The good part of a broken file is read, then the fault is told.
        let (good, kinds) = kinds(&packed[..packed.len() - 12], &Options::new());
        assert!(good <= 1000);
        assert_eq!(kinds, [ErrorKind::Compression]);
    }
    let utf16: Vec<u8> =
        "\u{feff}".chars().chain(text.chars()).collect::<String>().encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(kinds(&gzip(&utf16), &Options::new()), (1000, vec![]));
    // A frame to skip, as parallel packers write them.
    let skip = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4], &zstandard(text.as_bytes())[..]].concat();
    assert_eq!(kinds(&[zstandard(b""), skip].concat(), &Options::new()), (1000, vec![]));
}

#[test]
fn a_bomb_of_zeros_ends_at_its_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(format!("{LINE}\n").as_bytes()).unwrap();
    io::copy(&mut io::repeat(0).take(100_000_000), &mut encoder).unwrap();
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 1_000_000);
    let options = Options::new().max_decompressed(10_000_000);
    let (good, errors) = outcome(read(&bomb, &options));
    assert_eq!((good, errors.last().unwrap().kind()), (1, ErrorKind::Compression));
    assert!(errors.last().unwrap().message().contains("10000000"));
    assert!(errors.len() <= 2);
    // A limit that is not reached changes nothing.
    let text = format!("{LINE}\n").repeat(10);
    assert_eq!(kinds(&gzip(text.as_bytes()), &Options::new().max_decompressed(820)), (10, vec![]));
    assert_eq!(kinds(&gzip(text.as_bytes()), &Options::new().max_decompressed(819)).1, [ErrorKind::Compression]);
}

#[test]
fn a_row_of_a_grid_is_not_held_beyond_its_limit() {
    let row = format!("{}\n", "1 ".repeat(400_000));
    let text = ["1 2\n2 1\n\n", &row.repeat(4), "\n1 2\n2 1\n"].concat();
    let options = Options::new().rules(ninefold_core::Rules::blocks("1x2".parse().unwrap())).format(Format::Grid);
    let (good, kinds) = kinds(text.as_bytes(), &options);
    assert_eq!(good, 2);
    assert!(kinds.iter().all(|kind| matches!(kind, ErrorKind::TooLong | ErrorKind::CellCount)), "{kinds:?}");
}

/// A pipe that breaks.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::new(io::ErrorKind::ConnectionReset, "gone")),
            count => Ok(count),
        }
    }
}

#[test]
fn an_input_that_breaks_is_told_after_what_it_gave() {
    for text in [
        format!("{LINE}\n{LINE}\n123"),
        format!("[{{\"puzzle\":\"{LINE}\"}},{{\"puzzle\":\"{LINE}\"}},{{"),
        "<opensudoku>".into(),
    ] {
        let (good, errors) = outcome(Reader::new(Broken(text.as_bytes()), Options::new()));
        assert_eq!(errors.len(), 1, "{text}");
        assert_eq!(errors[0].kind(), ErrorKind::Io);
        assert_eq!(good, if text.starts_with('<') { 0 } else { 2 });
        assert!(std::error::Error::source(&errors[0]).is_some());
    }
    let (good, errors) = outcome(Reader::new(Broken(b""), Options::new()));
    assert_eq!((good, errors[0].kind()), (0, ErrorKind::Io));
}

#[test]
fn every_prefix_of_every_sample_ends_in_an_answer() {
    let samples: [&[u8]; 9] = [
        b"[[\"5\",\"3\"],[1,null]]",
        b"{\"puzzle\":\"1...\",\"solution\":\"1234\\u0031\",\"candidates\":[\"1\"]}\n{\"a\":[",
        b"#Aname\n[Puzzle]\n12\n21\n[State]\n12\n21",
        b"<opensudoku><game data=\"version: 1&#10;1|-|1|\"/><name>&lol;</name>",
        b"int a[] = { {1, '2'}, {\"3\", 0x4} }; /* */ // }",
        b":0300:4:1+2..:111 212:r1c1::x",
        b"puzzle,solution\n\"1...\",1234\n",
        b"| 12 3 |\n| 1 2 |\n+---+\n\xe2\x94\x82 1 \xe2\x94\x82",
        b"http://x/?bd=1%2E..&a",
    ];
    for sample in samples {
        for end in 0..=sample.len() {
            let _ = outcome(read(&sample[..end], &Options::new()));
            for &format in Format::ALL {
                let _ = outcome(read(&sample[..end], &Options::new().format(format)));
                let _ = outcome(read(&sample[..end], &Options::new().format(format).lenient(true)));
            }
        }
    }
}
