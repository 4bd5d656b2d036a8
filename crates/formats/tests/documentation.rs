//! The page on formats is true: every format is on it, and its samples read as it says.

use ninefold_formats::{Format, Options, read};

const PAGE: &str = include_str!("../../../docs/FORMATS.md");

/// The fenced text below the heading of a format.
fn sample(format: Format) -> &'static str {
    let heading = format!("### `{format}`\n");
    let (_, section) = PAGE.split_once(&heading).unwrap_or_else(|| panic!("no section on {format}"));
    let (_, text) = section.split_once("```text\n").unwrap();
    text.split_once("```").unwrap().0
}

#[test]
fn every_sample_reads_by_its_content() {
    for &format in Format::ALL {
        let mut reader = read(sample(format).as_bytes(), &Options::new());
        let entries: Vec<_> = reader.by_ref().collect();
        assert!(!entries.is_empty(), "{format}");
        for entry in &entries {
            assert!(entry.is_ok(), "{format}: {entry:?}");
        }
        let found = reader.format().unwrap();
        // Two are told from their like by their file names alone.
        let expected = match format {
            Format::Sdm => Format::Line,
            Format::SimpleSudoku => Format::Grid,
            other => other,
        };
        assert_eq!(found, expected);
        let named: Vec<_> = read(sample(format).as_bytes(), &Options::new().format(format)).map(Result::unwrap).collect();
        assert_eq!(named.len(), entries.len(), "{format}");
        for (named, found) in named.iter().zip(entries) {
            assert_eq!(named.board(), found.unwrap().board(), "{format}");
        }
    }
}

#[test]
fn every_format_has_a_row_in_the_table() {
    for &format in Format::ALL {
        assert_eq!(PAGE.matches(&format!("\n| `{format}` | yes | yes |")).count(), 1, "{format}");
    }
}
