//! Plots as SVG. A library draws frames, scales and lines; colours become classes and variables, so that one style sheet suits
//! light, dark and paper; marks are put on top by hand, since they want a text each for whoever points at them.

use std::fmt::Write as _;
use std::ops::Range;
use std::time::Duration;

use ninefold::Counter;
use ninefold_race::{Report, SetReport};
use plotters::coord::Shift;
use plotters::prelude::{ChartBuilder, Color, DrawingArea, IntoDrawingArea, IntoLogRange, LineSeries, RGBColor, SVGBackend};

use super::columns::limit;
use super::page::escaped;
use crate::progress::{grouped, time};

type Failure = Box<dyn std::error::Error>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Colours that no plot shows: they are replaced by names.
const INK: RGBColor = RGBColor(0, 0, 0);
const GRID: RGBColor = RGBColor(0, 2, 1);
const FAINT: RGBColor = RGBColor(0, 2, 2);

/// The colour of a strategy, until it is replaced.
fn colour(strategy: usize) -> RGBColor {
    RGBColor(0, 1, u8::try_from(strategy).unwrap_or(u8::MAX))
}

const FONT: (&str, i32) = ("sans-serif", 16);

/// The most steps of a line, which no screen shows.
const STEPS: usize = 400;

/// Up to so many puzzles of a set each answer of a cactus plot is marked.
const MARKED: usize = 60;

/// Draws on a surface of this size, and gives the SVG element with `marks` at its end.
fn svg(
    size: (u32, u32),
    label: &str,
    draw: impl FnOnce(&Area<'_>, &mut String) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let mut text = String::new();
    let mut marks = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area, &mut marks)?;
        area.present()?;
    }
    let body = text.split_once('>').map_or("", |(_, body)| body).trim_end().trim_end_matches("</svg>");
    let (width, height) = size;
    Ok(format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n{}{marks}</svg>",
        escaped(label),
        themed(body)
    ))
}

/// Puts names in the place of colours.
fn themed(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("=\"#00") {
        let key = rest[..at].rfind(' ').map_or(0, |space| space + 1);
        let (name, code) = (&rest[key..at], &rest[at + 3..at + 9]);
        let index = usize::from_str_radix(&code[4..], 16).unwrap_or(0);
        out.push_str(&rest[..key]);
        let _ = match (&code[..4], index) {
            ("0001", _) => write!(out, "class=\"{}{index}\"", if name == "stroke" { 'l' } else { 'f' }),
            ("0002", 1) => write!(out, "{name}=\"var(--grid)\""),
            ("0002", _) => write!(out, "{name}=\"var(--faint)\""),
            _ => write!(out, "{name}=\"currentColor\""),
        };
        rest = &rest[at + 10..];
    }
    out.push_str(rest);
    out
}

/// The decades around all values.
fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    if high <= 0.0 {
        return 1.0..10.0;
    }
    let (low, high) = (low.max(1.0).log10().floor(), high.max(1.0).log10().ceil());
    10_f64.powf(low)..10_f64.powf(high.max(low + 1.0))
}

fn nanos(time: Duration) -> f64 {
    (time.as_nanos() as f64).max(1.0)
}

fn time_label(nanos: &f64) -> String {
    limit(Duration::from_nanos(nanos.round() as u64))
}

fn count_label(count: &f64) -> String {
    match count.round() as u64 {
        count @ 0..1_000_000 => grouped(count),
        count @ 1_000_000..1_000_000_000 => format!("{} M", grouped(count / 1_000_000)),
        count => format!("{} G", grouped(count / 1_000_000_000)),
    }
}

/// How many puzzles of a set each strategy answers within a time each.
/// `puzzles` has the name of each that was reached.
pub(super) fn cactus(report: &Report, set: &SetReport, puzzles: &[&str]) -> Result<String, Failure> {
    let settled = |s: usize| set.runs[s].iter().enumerate().filter(|(_, run)| run.answer.is_settled());
    let all = (0..report.strategies.len()).flat_map(settled).map(|(_, run)| nanos(run.time));
    let across = decades(all);
    let most = set.entries.len().max(1) as f64;
    let label = format!("{}: puzzles answered against time for each", set.name);
    svg((640, 400), &label, |area, marks| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(30)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(across.clone().log_scale(), 0.0..most * 1.04)?;
        chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(FAINT)
            .label_style(FONT)
            .x_desc("time for a puzzle")
            .y_desc("puzzles answered")
            .x_label_formatter(&time_label)
            .y_label_formatter(&|count: &f64| format!("{count:.0}"))
            .y_labels(6)
            .y_max_light_lines(1)
            .draw()?;
        for (s, strategy) in report.strategies.iter().enumerate() {
            let mut times: Vec<(f64, usize)> = settled(s).map(|(place, run)| (nanos(run.time), place)).collect();
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            let Some(&(first, _)) = times.first() else { continue };
            let mut steps = vec![(first, 0.0)];
            let stride = times.len().div_ceil(STEPS);
            for (i, &(time, _)) in times.iter().enumerate() {
                if (i + 1) % stride == 0 || i + 1 == times.len() {
                    let before = steps.last().map_or(0.0, |step| step.1);
                    steps.extend([(time, before), (time, (i + 1) as f64)]);
                }
            }
            steps.push((across.end, times.len() as f64));
            chart.draw_series(LineSeries::new(steps, colour(s).stroke_width(2)))?;
            if set.entries.len() <= MARKED {
                for (i, &(at, place)) in times.iter().enumerate() {
                    let (x, y) = chart.backend_coord(&(at, (i + 1) as f64));
                    let text = format!(
                        "{}: {} in {}, {} of {} by then",
                        strategy.name,
                        puzzles.get(place).copied().unwrap_or_default(),
                        time(Duration::from_nanos(at as u64)),
                        i + 1,
                        set.entries.len()
                    );
                    mark(marks, x, y, 3, &format!("f{s}"), &text);
                }
            }
        }
        Ok(())
    })
}

/// A circle with a text for whoever points at it.
pub(super) fn mark(out: &mut String, x: i32, y: i32, radius: u32, class: &str, text: &str) {
    let _ =
        writeln!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"><title>{}</title></circle>", escaped(text));
}

/// The empty frame for two strategies puzzle by puzzle, the same range on both sides, and where a time lies in it.
pub(super) struct Square {
    pub(super) svg: String,
    /// The times at the ends, in nanoseconds.
    pub(super) range: Range<f64>,
    /// The pixels of both ends, across and down.
    pub(super) x: (i32, i32),
    pub(super) y: (i32, i32),
}

pub(super) fn square(times: impl Iterator<Item = f64>) -> Result<Square, Failure> {
    let range = decades(times);
    let (mut x, mut y) = ((0, 0), (0, 0));
    let svg = svg((640, 600), "time of one strategy against another, puzzle by puzzle", |area, marks| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(30)
            .x_label_area_size(52)
            .y_label_area_size(84)
            .build_cartesian_2d(range.clone().log_scale(), range.clone().log_scale())?;
        chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(FAINT)
            .label_style(FONT)
            .x_label_formatter(&time_label)
            .y_label_formatter(&time_label)
            .draw()?;
        chart.draw_series(LineSeries::new([(range.start, range.start), (range.end, range.end)], INK.stroke_width(1)))?;
        let (start, end) = (chart.backend_coord(&(range.start, range.start)), chart.backend_coord(&(range.end, range.end)));
        (x, y) = ((start.0, end.0), (start.1, end.1));
        marks.push_str("<!--marks-->");
        Ok(())
    })?;
    Ok(Square { svg, range, x, y })
}

impl Square {
    /// The pixels of a pair of times.
    pub(super) fn at(&self, across: f64, up: f64) -> (i32, i32) {
        let share = |value: f64| {
            let (low, high) = (self.range.start.log10(), self.range.end.log10());
            ((value.max(1.0).log10() - low) / (high - low)).clamp(0.0, 1.0)
        };
        let between = |(from, to): (i32, i32), share: f64| (f64::from(from) + f64::from(to - from) * share).round() as i32;
        (between(self.x, share(across)), between(self.y, share(up)))
    }
}

/// How many nodes each strategy visits for a puzzle: a strip for each that counts them.
pub(super) fn nodes(report: &Report) -> Result<Option<String>, Failure> {
    let nodes_of = |s: usize| -> Vec<u64> {
        let runs = report.sets.iter().flat_map(|set| &set.runs[s]).filter(|run| run.answer.is_settled());
        runs.filter_map(|run| run.counters.get(Counter::Nodes)).map(|nodes| nodes.max(1)).collect()
    };
    let strips: Vec<(usize, Vec<u64>)> =
        (0..report.strategies.len()).map(|s| (s, nodes_of(s))).filter(|(_, nodes)| !nodes.is_empty()).collect();
    if strips.is_empty() {
        return Ok(None);
    }
    let across = decades(strips.iter().flat_map(|(_, nodes)| nodes).map(|&nodes| nodes as f64));
    let strip = 52;
    let height = strip * strips.len() as u32 + 60;
    svg((960, height), "nodes for a puzzle, for each strategy", |area, marks| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(24)
            .x_label_area_size(44)
            .y_label_area_size(170)
            .build_cartesian_2d(across.clone().log_scale(), 0.0..strips.len() as f64)?;
        chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(FAINT)
            .label_style(FONT)
            .x_desc("nodes for a puzzle, of those answered")
            .x_label_formatter(&count_label)
            .y_labels(0)
            .disable_y_mesh()
            .draw()?;
        // Four bars a decade.
        let (low, high) = (across.start.log10(), across.end.log10());
        let bins = ((high - low) * 4.0).round().max(1.0) as usize;
        for (row, (s, nodes)) in strips.iter().enumerate() {
            let floor = (strips.len() - 1 - row) as f64;
            let mut counts = vec![0_usize; bins];
            for &nodes in nodes {
                let bin = ((nodes as f64).log10() - low) / (high - low) * bins as f64;
                counts[(bin as usize).min(bins - 1)] += 1;
            }
            let tallest = counts.iter().copied().max().unwrap_or(1).max(1);
            let (left, bottom) = chart.backend_coord(&(across.start, floor));
            let name = escaped(report.strategies[*s].name);
            let _ = writeln!(marks, "<text class=\"f{s}\" x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"15\">{name}</text>", left - 10, bottom - 14);
            for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let edge = |bin: usize| 10_f64.powf(low + (high - low) * bin as f64 / bins as f64);
                let (from, _) = chart.backend_coord(&(edge(bin), floor));
                let (to, top) = chart.backend_coord(&(edge(bin + 1), floor + 0.86 * count as f64 / tallest as f64));
                let puzzles = if count == 1 { "puzzle" } else { "puzzles" };
                let (least, most) = (grouped(edge(bin).ceil() as u64), grouped(edge(bin + 1).ceil() as u64 - 1));
                let range = if least == most { least } else { format!("{least} to {most}") };
                let text = format!("{name}: {count} {puzzles} with {range} nodes");
                let (width, height) = ((to - from - 1).max(1), (bottom - top).max(2));
                let _ = writeln!(
                    marks,
                    "<rect class=\"f{s}\" x=\"{from}\" y=\"{}\" width=\"{width}\" height=\"{height}\"><title>{text}</title></rect>",
                    bottom - height
                );
            }
        }
        Ok(())
    })
    .map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_names() {
        let text =
            r##"<a opacity="1" stroke="#000103" x="2"/><b fill="#000104"/><c stroke="#000201" fill="none"/><d fill="#000000"/>"##;
        assert_eq!(
            themed(text),
            r#"<a opacity="1" class="l3" x="2"/><b class="f4"/><c stroke="var(--grid)" fill="none"/><d fill="currentColor"/>"#
        );
    }

    #[test]
    fn decades_hold_all_values_and_are_never_empty() {
        assert_eq!(decades([].into_iter()), 1.0..10.0);
        assert_eq!(decades([0.0].into_iter()), 1.0..10.0);
        assert_eq!(decades([1000.0].into_iter()), 1000.0..10_000.0);
        assert_eq!(decades([311.0, 5e8].into_iter()), 100.0..1e9);
    }
}
