//! Finds the puzzles: files, directories, standard input, and texts on the command line.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ninefold_formats::{Options, ReadError, Reader};

/// Something to read.
#[derive(Debug)]
pub(crate) struct Source {
    /// What messages call it.
    pub(crate) name: Arc<str>,
    from: From,
}

#[derive(Debug)]
enum From {
    Stdin,
    File(PathBuf),
    Text(Vec<u8>),
    /// Cannot be read, for this reason.
    Nowhere(String),
}

impl Source {
    /// Whether it is a text of the command line, which needs no name where it is alone.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.from, From::Text(_))
    }

    /// The bytes of a regular file.
    fn length(&self) -> Option<u64> {
        match &self.from {
            From::Text(text) => Some(text.len() as u64),
            From::Nowhere(_) => Some(0),
            From::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|data| data.len()),
            From::Stdin => None,
        }
    }

    /// Opens it. Whether bytes may be slow to come is told beside.
    ///
    /// # Errors
    /// The reason, as one clause.
    pub(crate) fn open(self) -> Result<(Box<dyn Read + Send>, bool), String> {
        match self.from {
            From::Stdin => Ok((Box::new(io::stdin()), true)),
            From::Text(text) => Ok((Box::new(io::Cursor::new(text)), false)),
            From::Nowhere(reason) => Err(reason),
            From::File(path) => match File::open(&path).and_then(|file| Ok((file.metadata()?.is_file(), file))) {
                Ok((regular, file)) => Ok((Box::new(file), !regular)),
                Err(error) => Err(format!("cannot open this file: {}", reason(&error))),
            },
        }
    }
}

/// What the system says, without the code that it adds.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// The sources that arguments name, directories unfolded.
///
/// # Errors
/// Where nothing is named and standard input is a terminal.
pub(crate) fn sources(inputs: &[OsString], options: &Options) -> Result<Vec<Source>, String> {
    if inputs.is_empty() {
        if io::stdin().is_terminal() {
            return Err("no puzzle: name a file, give the puzzle as text, or `-` for standard input".into());
        }
        return Ok(vec![source_of_stdin()]);
    }
    let mut sources = Vec::new();
    let mut texts = 0;
    for input in inputs {
        add(input, options, &mut texts, &mut sources);
    }
    Ok(sources)
}

/// The bytes of all sources, where they are known.
pub(crate) fn total_length(sources: &[Source]) -> Option<u64> {
    sources.iter().map(Source::length).sum()
}

fn source_of_stdin() -> Source {
    Source { name: "<stdin>".into(), from: From::Stdin }
}

fn add(input: &OsString, options: &Options, texts: &mut usize, sources: &mut Vec<Source>) {
    if input == "-" {
        sources.push(source_of_stdin());
        return;
    }
    let path = Path::new(input);
    let name = printable(&input.to_string_lossy());
    let nowhere = |reason: String| Source { name: name.as_str().into(), from: From::Nowhere(reason) };
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => match files_of(path) {
            Ok(files) if files.is_empty() => sources.push(nowhere("this directory has no files".into())),
            Ok(files) => sources.extend(
                files.into_iter().map(|file| Source { name: printable(&file.to_string_lossy()).into(), from: From::File(file) }),
            ),
            Err(error) => sources.push(nowhere(format!("cannot read this directory: {}", reason(&error)))),
        },
        Ok(_) => sources.push(Source { name: name.into(), from: From::File(path.into()) }),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            sources.push(nowhere(format!("cannot open this file: {}", reason(&error))));
        }
        Err(_) => {
            let text = input.as_encoded_bytes();
            if is_puzzle(text, options) || looks_like_a_puzzle(text) {
                *texts += 1;
                let name = format!("<argument {texts}>");
                sources.push(Source { name: name.into(), from: From::Text(text.to_vec()) });
            } else {
                sources.push(nowhere("there is no such file, and this is no puzzle".into()));
            }
        }
    }
}

/// The files of a directory in the order of their names; hidden ones are left out.
fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for item in fs::read_dir(path)? {
        let item = item?;
        let hidden = item.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && !item.path().is_dir() {
            files.push(item.path());
        }
    }
    files.sort();
    Ok(files)
}

fn is_puzzle(text: &[u8], options: &Options) -> bool {
    matches!(ninefold_formats::read(text, options).next(), Some(Ok(_)))
}

/// Whether a text was meant as a puzzle, so that what is wrong with it is of interest: more cells than a name would have.
fn looks_like_a_puzzle(text: &[u8]) -> bool {
    let cells = text.iter().filter(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'*' | b'_' | b'?')).count();
    cells >= 12 && 4 * cells >= 3 * text.len() || text.contains(&b'\n') || text.starts_with(b"[[") || text.starts_with(b"{")
}

/// A name without control characters, so that a file's name cannot steer the terminal.
pub(crate) fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Counts the bytes that pass, and calls before each read: the time to hand on what is already there.
pub(crate) struct Watched<F> {
    inner: Box<dyn Read + Send>,
    bytes: Arc<AtomicU64>,
    before: F,
}

impl<F: FnMut()> Read for Watched<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.before)();
        let count = self.inner.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<F> Watched<F> {
    pub(crate) fn new(inner: Box<dyn Read + Send>, bytes: Arc<AtomicU64>, before: F) -> Watched<F> {
        Watched { inner, bytes, before }
    }
}

/// Reads all entries of one argument: for what is held as a whole, such as a solution to check against.
///
/// # Errors
/// The source's name and why it cannot be opened. Entries that cannot be read are in the list.
#[expect(clippy::type_complexity, reason = "a list of entries and errors beside the name of their source")]
pub(crate) fn read_all(
    input: &OsString,
    options: &Options,
) -> Result<Vec<(Arc<str>, Result<ninefold_formats::Entry, ReadError>)>, String> {
    let mut entries = Vec::new();
    for source in sources(std::slice::from_ref(input), options)? {
        let name = source.name.clone();
        let (input, _) = source.open().map_err(|reason| format!("{name}: {reason}"))?;
        entries.extend(Reader::new(input, options.clone()).map(|entry| (name.clone(), entry)));
    }
    Ok(entries)
}
