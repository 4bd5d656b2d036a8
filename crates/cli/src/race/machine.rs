//! Where and how a race was run.

use std::time::{SystemTime, UNIX_EPOCH};

/// What is known about the machine and the program, by name.
pub(super) fn facts() -> Vec<(&'static str, String)> {
    let cores = std::thread::available_parallelism().map_or_else(|_| "unknown".into(), |cores| cores.to_string());
    let build = if cfg!(debug_assertions) { "with debug assertions: times say little" } else { "release" };
    vec![
        ("Processor", processor().unwrap_or_else(|| "unknown".into())),
        ("Cores for this process", cores),
        ("System", format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH)),
        ("Program", format!("ninefold {}, {build}", env!("CARGO_PKG_VERSION"))),
        ("Compiler", env!("NINEFOLD_RUSTC").into()),
        ("Date", date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))),
    ]
}

/// What Linux calls the processor; other systems do not tell without further libraries.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name") || line.starts_with("Model"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The command as a shell takes it.
pub(super) fn command() -> String {
    let mut words = vec!["ninefold".to_owned()];
    words.extend(std::env::args_os().skip(1).map(|word| shell_word(&word.to_string_lossy())));
    words.join(" ")
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Day and time in UTC, from the seconds since 1970 (H. Hinnant, "chrono-compatible low-level date algorithms", 2013).
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    format!("{}-{month:02}-{day:02} {:02}:{:02} UTC", year + era * 400, second / 3600, second / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_709_251_199), "2024-02-29 23:59 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00 UTC");
    }

    #[test]
    fn a_word_that_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(shell_word("--time=500ms"), "--time=500ms");
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(shell_word(""), "''");
    }
}
