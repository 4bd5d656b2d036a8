//! `--html`: one page with all of it, which needs nothing else.

use std::fmt::Write as _;

use ninefold::{HouseKind, Puzzle, Rules};
use ninefold_race::{Report, Run, Set};
use serde::Serialize;

use super::columns::{self, Column, UNKNOWN};
use super::{machine, plot, table, words};
use crate::progress::{grouped, time};

/// The most puzzles of the scatter plot; more would only fill the page.
const POINTS: usize = 2000;
/// The most sets with a plot of their own.
const CACTUS: usize = 12;
/// Boards for each strategy.
const HARDEST: usize = 4;
/// The longest side of a board that is drawn.
const DRAWN: usize = 25;
/// The longest piece of a puzzle's text that is shown.
const SHOWN: usize = 700;

type Failure = Box<dyn std::error::Error>;

/// The page of a race.
pub(super) fn page(report: &Report, sets: &[Set]) -> Result<String, Failure> {
    let mut out = String::new();
    let _ = write!(
        out,
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>Ninefold: a race of {} strategies</title>
<style>
{}{}</style>
</head>
<body>
<main>
"##,
        report.strategies.len(),
        include_str!("page.css"),
        strategy_styles(report.strategies.len())
    );
    head(report, &mut out);
    tables(report, sets, &mut out);
    cactus(report, sets, &mut out)?;
    scatter(report, sets, &mut out)?;
    if let Some(svg) = plot::nodes(report)? {
        let _ = writeln!(
            out,
            "<section id=\"nodes\">\n<h2>How far they search</h2>\n<p>Each strip counts the puzzles by the nodes that a strategy visited, four bars a decade. \
             What a node is differs: one digit for a backtracker, a digit and all that follows for those that propagate. Strategies that have no nodes are left \
             out.</p>\n<figure class=\"wide\">{svg}</figure>\n</section>"
        );
    }
    correlation(report, &mut out);
    hardest(report, sets, &mut out);
    source(report, &mut out);
    let _ = write!(out, "</main>\n<script>\n{}</script>\n</body>\n</html>\n", include_str!("page.js"));
    Ok(out)
}

/// Text for a page: in elements as in quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push(c),
            // The same goes for what could turn the text around it.
            c if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Lines, fills and names of every strategy: eight colours, and dashes that tell apart what the eye or the colours do not.
fn strategy_styles(count: usize) -> String {
    const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];
    let mut out = String::new();
    for s in 0..count {
        let (colour, dash) = (s % 8, DASHES[(s + s / 8) % 4]);
        let _ = writeln!(
            out,
            ".l{s}{{stroke:var(--k{colour});stroke-dasharray:{dash}}}.f{s}{{fill:var(--k{colour})}}.n{s}{{color:var(--k{colour})}}"
        );
    }
    out
}

/// A strategy's name with its line before it.
fn name_of(report: &Report, s: usize) -> String {
    let name = escaped(report.strategies[s].name);
    format!(
        "<span class=\"name n{s}\"><svg class=\"key\" viewBox=\"0 0 28 8\" aria-hidden=\"true\"><line class=\"l{s}\" x1=\"0\" y1=\"4\" x2=\"28\" y2=\"4\" stroke-width=\"3\"/></svg>{name}</span>"
    )
}

fn head(report: &Report, out: &mut String) {
    let (reached, size) = (report.reached() as u64, report.size() as u64);
    let of = if reached < size { format!(" of {}", grouped(size)) } else { String::new() };
    let _ = writeln!(
        out,
        "<header>\n<h1>A race of {} strategies on {}{of} puzzles</h1>\n<p>Each was {}. Every solution was checked by the rules, all answers were compared, and the \
         order of puzzles and strategies was shuffled. A strategy that took more than {} for a puzzle gave up on it.</p>",
        report.strategies.len(),
        grouped(reached),
        table::question(report.question),
        escaped(&columns::limit(report.time_per_puzzle))
    );
    if reached < size {
        let why = if report.interrupted { "The race was interrupted" } else { "The race ran out of time" };
        let _ = writeln!(out, "<p class=\"warning\">{why}: what it has seen is a random sample of every set.</p>");
    }
    if report.disagreements.is_empty() {
        out.push_str("<p class=\"agree\">All answers agree.</p>\n");
    } else {
        out.push_str("<div class=\"warning\"><p>Some answers cannot all be true:</p><ul>\n");
        for disagreement in &report.disagreements {
            let _ = writeln!(out, "<li><code>{}</code></li>", escaped(&disagreement.to_string()));
        }
        out.push_str("</ul></div>\n");
    }
    out.push_str("<h2>Who wins where</h2>\n<ul class=\"words\">\n");
    for sentence in words::sentences(report) {
        let (what, rest) = sentence.split_once(": ").unwrap_or(("", &sentence));
        let _ = writeln!(out, "<li><b>{}</b>: {}</li>", escaped(what), escaped(rest));
    }
    out.push_str("</ul>\n</header>\n");
}

fn tables(report: &Report, sets: &[Set], out: &mut String) {
    let beyond = table::beyond(report);
    let known = |key: &str| {
        let column = columns::all().find(|column| column.key == key);
        column.is_some_and(|column| {
            report.sets.iter().flat_map(|set| report.rows(set)).any(|row| (column.value)(&row) != columns::Value::None)
        })
    };
    // A column that no strategy fills says nothing; others repeat their neighbours, or are for one strategy alone.
    let large = report.sets.iter().any(|set| set.entries.len() >= 100);
    let left_out = |key: &str| matches!(key, "time_ns" | "conflicts" | "link_updates") || key == "p99_ns" && !large;
    let shown: Vec<&Column> = columns::all().filter(|column| known(column.key) && !left_out(column.key)).collect();
    out.push_str("<section id=\"tables\">\n<h2>What it costs</h2>\n");
    for (set, reached) in sets.iter().zip(&report.sets) {
        let _ = writeln!(
            out,
            "<h3>{}</h3>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">strategy</th>",
            escaped(&table::title(set, reached.entries.len()))
        );
        for column in &shown {
            let _ = write!(out, "<th scope=\"col\" title=\"{}\">{}</th>", escaped(column.note), escaped(column.head));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for (s, row) in report.rows(reached).iter().enumerate() {
            let best = if row.relative == Some(1.0) { " class=\"best\"" } else { "" };
            let _ = write!(out, "<tr{best}><th scope=\"row\">{}</th>", name_of(report, s));
            if row.puzzles > 0 && row.unsupported == row.puzzles {
                let _ = write!(out, "<td class=\"none\" colspan=\"{}\">does not take these rules</td>", shown.len());
            } else {
                for column in &shown {
                    let _ = write!(out, "<td>{}</td>", escaped(&column.text(row, &beyond)));
                }
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table></div>\n");
    }
    out.push_str("<dl class=\"notes\">\n");
    for column in &shown {
        let _ = writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(column.head), escaped(column.note));
    }
    let _ = writeln!(
        out,
        "<div><dt>{UNKNOWN}</dt><dd>cannot be known</dd></div><div><dt>≥</dt><dd>at least, since the strategy gave up on some</dd></div>"
    );
    if !known("peak_bytes") {
        out.push_str(
            "<div><dt>heap</dt><dd>not measured: a program built with <code>--features memory</code> measures it</dd></div>\n",
        );
    }
    out.push_str("</dl>\n</section>\n");
}

/// The names of the puzzles that were reached.
fn names<'a>(set: &'a Set, entries: &[usize]) -> Vec<&'a str> {
    entries.iter().map(|&entry| set.entries[entry].name.as_str()).collect()
}

fn cactus(report: &Report, sets: &[Set], out: &mut String) -> Result<(), Failure> {
    out.push_str("<section id=\"cactus\">\n<h2>How many, how soon</h2>\n<p>A line rises with every puzzle that its strategy answers within that time. Further left is faster; a line that ends lower gave up \
                  on the rest. The scale grows tenfold from mark to mark.</p>\n<p class=\"legend\">");
    for s in 0..report.strategies.len() {
        let _ = write!(out, "{} ", name_of(report, s));
    }
    out.push_str("</p>\n<div class=\"plots\">\n");
    let reached = sets.iter().zip(&report.sets).filter(|(_, reached)| !reached.entries.is_empty());
    for (set, reached) in reached.clone().take(CACTUS) {
        let svg = plot::cactus(report, reached, &names(set, &reached.entries))?;
        let title = escaped(&table::title(set, reached.entries.len()));
        let _ = writeln!(out, "<figure><figcaption>{title}</figcaption>{svg}</figure>");
    }
    out.push_str("</div>\n");
    let left = reached.count().saturating_sub(CACTUS);
    if left > 0 {
        let _ = writeln!(out, "<p>The other {left} sets have no plot here.</p>");
    }
    out.push_str("</section>\n");
    Ok(())
}

/// What the page's script needs to draw two strategies against each other.
#[derive(Serialize)]
struct Scatter<'a> {
    strategies: Vec<&'a str>,
    /// Times at both ends in nanoseconds, and the pixels that they lie at.
    range: [f64; 2],
    x: [i32; 2],
    y: [i32; 2],
    puzzles: Vec<Point<'a>>,
}

#[derive(Serialize)]
struct Point<'a> {
    name: &'a str,
    set: &'a str,
    puzzle: String,
    /// For each strategy the time in nanoseconds; nothing where it does not take the rules.
    ns: Vec<Option<u64>>,
    /// The strategies that gave up.
    gave_up: Vec<usize>,
}

fn scatter(report: &Report, sets: &[Set], out: &mut String) -> Result<(), Failure> {
    if report.strategies.len() < 2 || report.reached() == 0 {
        return Ok(());
    }
    let stride = report.reached().div_ceil(POINTS);
    let all = sets.iter().zip(&report.sets).flat_map(|(set, reached)| {
        (0..reached.entries.len()).map(move |place| (set, &set.entries[reached.entries[place]], reached, place))
    });
    let puzzles: Vec<Point<'_>> = all
        .step_by(stride)
        .map(|(set, entry, reached, place)| Point {
            name: &entry.name,
            set: &set.name,
            puzzle: cut(&entry.puzzle.to_string()),
            ns: reached.runs.iter().map(|runs| runs[place].is_taken().then(|| nanos(&runs[place]))).collect(),
            gave_up: (0..reached.runs.len()).filter(|&s| reached.runs[s][place].answer.stopped_by().is_some()).collect(),
        })
        .collect();
    let square = plot::square(puzzles.iter().flat_map(|point| point.ns.iter().flatten()).map(|&ns| ns as f64))?;
    let (a, b) = first_pair(report);
    let mut marks = format!(
        "<text id=\"across\" class=\"f{a}\" x=\"{}\" y=\"592\" text-anchor=\"middle\" font-size=\"17\">{}</text>\
         <text id=\"up\" class=\"f{b}\" transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\" font-size=\"17\">{}</text>\n<g id=\"marks\">\n",
        square.x.0.midpoint(square.x.1),
        escaped(report.strategies[a].name),
        square.y.0.midpoint(square.y.1),
        escaped(report.strategies[b].name)
    );
    for point in &puzzles {
        let (Some(across), Some(up)) = (point.ns[a], point.ns[b]) else { continue };
        let (x, y) = square.at(across as f64, up as f64);
        let class = if point.gave_up.iter().any(|&s| s == a || s == b) { "dot open" } else { "dot" };
        let text = format!(
            "{} ({}): {} {}, {} {}\n{}",
            point.name,
            point.set,
            report.strategies[a].name,
            time_of(across),
            report.strategies[b].name,
            time_of(up),
            point.puzzle
        );
        plot::mark(&mut marks, x, y, 4, class, &text);
    }
    marks.push_str("</g>\n");
    let select = |id: &str, label: &str, chosen: usize| {
        let options: String = report
            .strategies
            .iter()
            .enumerate()
            .map(|(s, strategy)| {
                format!("<option value=\"{s}\"{}>{}</option>", if s == chosen { " selected" } else { "" }, escaped(strategy.name))
            })
            .collect();
        format!("<label>{label} <select id=\"{id}\" autocomplete=\"off\">{options}</select></label>")
    };
    let sample = if stride > 1 { format!(" Shown is every {stride}th puzzle.") } else { String::new() };
    let data = Scatter {
        strategies: report.strategies.iter().map(|strategy| strategy.name).collect(),
        range: [square.range.start, square.range.end],
        x: [square.x.0, square.x.1],
        y: [square.y.0, square.y.1],
        puzzles,
    };
    let _ = writeln!(
        out,
        "<section id=\"scatter\">\n<h2>Two of them, puzzle by puzzle</h2>\n<p>Each mark is a puzzle. Below the line it took the strategy across longer, above the line the one up the side. \
         Hollow marks: one of the two gave up. Point at a mark to see the puzzle. The first two are those that agree least.{sample}</p>\n<p class=\"pick\">{} {}</p>\n<figure class=\"square\">{}</figure>\n\
         <output id=\"pointed\" for=\"pick-across pick-up\"></output>\n<script type=\"application/json\" id=\"data\">{}</script>\n</section>",
        select("pick-across", "Across", a),
        select("pick-up", "Up", b),
        square.svg.replace("<!--marks-->", &marks),
        serde_json::to_string(&data)?.replace('<', "\\u003c")
    );
    Ok(())
}

fn nanos(run: &Run) -> u64 {
    u64::try_from(run.time.as_nanos()).unwrap_or(u64::MAX)
}

fn time_of(nanos: u64) -> String {
    time(std::time::Duration::from_nanos(nanos))
}

/// The two strategies that agree least on which puzzles are hard, of those that both answer most of the puzzles.
fn first_pair(report: &Report) -> (usize, usize) {
    let answered = |a: usize, b: usize| {
        let both = report.sets.iter().flat_map(|set| set.runs[a].iter().zip(&set.runs[b]));
        both.filter(|(a, b)| a.answer.is_settled() && b.answer.is_settled()).count()
    };
    let count = report.strategies.len();
    let pairs =
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).filter(|&(a, b)| 2 * answered(a, b) > report.reached());
    let agreement = |&(a, b): &(usize, usize)| report.correlation(a, b).unwrap_or(1.0);
    pairs.min_by(|x, y| agreement(x).total_cmp(&agreement(y))).unwrap_or((0, 1))
}

/// A text that does not fill the page.
fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into(),
    }
}

fn correlation(report: &Report, out: &mut String) {
    let count = report.strategies.len();
    if count < 2 {
        return;
    }
    out.push_str("<section id=\"correlation\">\n<h2>Do they find the same puzzles hard?</h2>\n<p>Spearman’s rank correlation of their times, over all puzzles that both take: 1 where both put the puzzles in the same order, \
                  0 where the one order says nothing about the other, below 0 where what is hard for one is easy for the other. Give-ups rank last.</p>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"heat\">\n<thead><tr><td></td>");
    for s in 0..count {
        let _ = write!(out, "<th scope=\"col\">{}</th>", name_of(report, s));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for a in 0..count {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", name_of(report, a));
        for b in 0..count {
            match report.correlation(a, b) {
                Some(rho) => {
                    let (strength, side) = (rho.abs() * 100.0, if rho < 0.0 { "low" } else { "high" });
                    let _ = write!(out, "<td class=\"{side}\" style=\"--strength:{strength:.0}%\">{rho:.2}</td>");
                }
                None => {
                    let _ = write!(out, "<td>{UNKNOWN}</td>");
                }
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn hardest(report: &Report, sets: &[Set], out: &mut String) {
    out.push_str("<section id=\"hardest\">\n<h2>The hardest puzzles of each</h2>\n<p>Those that it gave up on, then those that took it longest.</p>\n");
    for (s, strategy) in report.strategies.iter().enumerate() {
        let mut runs: Vec<(&Run, &str, &ninefold_race::Entry)> = Vec::new();
        for (set, reached) in sets.iter().zip(&report.sets) {
            let of_set = reached.runs[s].iter().zip(&reached.entries).filter(|(run, _)| run.is_taken());
            runs.extend(of_set.map(|(run, &entry)| (run, set.name.as_str(), &set.entries[entry])));
        }
        runs.sort_by_key(|(run, ..)| std::cmp::Reverse((run.answer.stopped_by().is_some(), run.time)));
        let _ = writeln!(
            out,
            "<div class=\"one\">\n<h3>{}</h3>\n<p>{}</p>\n<div class=\"boards\">",
            name_of(report, s),
            escaped(strategy.summary)
        );
        for (run, set, entry) in runs.into_iter().take(HARDEST) {
            let took = time(run.time);
            let took = if run.answer.stopped_by().is_some() { format!("gave up after {took}") } else { took };
            let nodes = run.counters.nodes().map_or_else(String::new, |nodes| format!(", {} nodes", grouped(nodes)));
            let _ = writeln!(
                out,
                "<figure{}>{}<figcaption><b>{}</b> ({})<br>{}{nodes}</figcaption></figure>",
                if entry.puzzle.rules().side() > 9 { " class=\"big\"" } else { "" },
                board(&entry.puzzle),
                escaped(&cut(&entry.name)),
                escaped(set),
                escaped(&took)
            );
        }
        out.push_str("</div>\n</div>\n");
    }
    out.push_str("</section>\n");
}

/// A puzzle as it is printed: thick lines around blocks and regions, a tint for cells of further houses.
fn board(puzzle: &Puzzle) -> String {
    let (board, rules) = (puzzle.board(), puzzle.rules());
    let side = rules.side();
    let line = escaped(&cut(&puzzle.to_string()));
    if side > DRAWN {
        return format!("<code class=\"large\">{line}</code>");
    }
    const CELL: usize = 20;
    let size = side * CELL;
    let mut out = format!(
        "<svg class=\"board\" viewBox=\"-2 -2 {0} {0}\" role=\"img\" aria-label=\"{line}\"><title>{line}</title>",
        size + 4
    );
    let regions = regions(rules);
    let (mut thin, mut thick) = (String::new(), String::new());
    for cell in rules.cells() {
        let (row, column) = (cell.index() / side, cell.index() % side);
        let (x, y) = (column * CELL, row * CELL);
        if is_tinted(rules, cell) {
            let _ = write!(out, "<rect class=\"tint\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>");
        }
        if let Some(digit) = board.get(cell) {
            let (x, y) = (x + CELL / 2, y + CELL * 3 / 4);
            let _ = write!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(&digit.to_string()));
        }
        // The line to the right and the line below.
        if column + 1 < side {
            let line = if regions[cell.index()] == regions[cell.index() + 1] { &mut thin } else { &mut thick };
            let _ = write!(line, "M{} {y}v{CELL}", x + CELL);
        }
        if row + 1 < side {
            let line = if regions[cell.index()] == regions[cell.index() + side] { &mut thin } else { &mut thick };
            let _ = write!(line, "M{x} {}h{CELL}", y + CELL);
        }
    }
    let _ =
        write!(out, "<path class=\"thin\" d=\"{thin}\"/><path class=\"thick\" d=\"{thick}M0 0h{size}v{size}h-{size}z\"/></svg>");
    out
}

/// For each cell the block or region that it lies in.
fn regions(rules: &Rules) -> Vec<Option<usize>> {
    let mut regions = vec![None; rules.cell_count()];
    for (i, house) in rules.houses().iter().enumerate() {
        if matches!(house.kind(), HouseKind::Block(_) | HouseKind::Region(_)) {
            house.cells().iter().for_each(|cell| regions[cell.index()] = Some(i));
        }
    }
    regions
}

/// Whether a cell lies in a diagonal, a window or the like; pairs of cells are too many to show.
fn is_tinted(rules: &Rules, cell: ninefold::Cell) -> bool {
    let houses = rules.houses_of(cell).iter().map(|&id| rules.house(id));
    houses.into_iter().any(|house| matches!(house.kind(), HouseKind::Extra(_)) && house.cells().len() > 2)
}

fn source(report: &Report, out: &mut String) {
    let _ = writeln!(
        out,
        "<section id=\"source\">\n<h2>Where this comes from</h2>\n<p>The command:</p>\n<pre><code>{}</code></pre>\n<dl class=\"facts\">",
        escaped(&machine::command())
    );
    for (name, fact) in machine::facts() {
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", escaped(&fact));
    }
    let _ = writeln!(
        out,
        "<div><dt>Rounds of timing</dt><dd>{} over all puzzles; the best time of each counts</dd></div>\n<div><dt>All of it took</dt><dd>{}</dd></div>\n</dl>\n\
         <p>Only ratios carry over to other machines, and those by about a tenth. The same command with <code>--format json</code> or <code>--format csv</code>, and \
         <code>--puzzles</code>, gives the figures behind this page.</p>\n</section>",
        report.rounds,
        escaped(&time(report.elapsed))
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_leave_its_place() {
        assert_eq!(escaped("<b a=\"1\" c='2'>&\u{0}\u{202e}"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\u{fffd}\u{fffd}");
    }
}
