//! Plots.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::table::figure;

const BLUE: RGBColor = RGBColor(0x09, 0x69, 0xda);
const ORANGE: RGBColor = RGBColor(0xbc, 0x4c, 0x00);
const INK: RGBColor = RGBColor(0x1f, 0x23, 0x28);
const FAINT: RGBColor = RGBColor(0xd1, 0xd9, 0xe0);

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

fn finished(svg: String, drawn: Drawn) -> String {
    drawn.unwrap_or_else(|error| panic!("a picture in memory can be drawn: {error}"));
    svg
}

/// A power of ten in words.
fn power(value: f64) -> String {
    match value {
        1_000_000.0.. => format!("{} million", value / 1e6),
        1_000.0.. => figure(Some(value.round() as u64)),
        _ => format!("{value}"),
    }
}

/// Horizontal bars on a logarithmic scale, the first on top.
pub(crate) fn bars(title: &str, unit: &str, rows: &[(&str, f64)]) -> String {
    let mut svg = String::new();
    let drawn = draw_bars(&mut svg, title, unit, rows);
    finished(svg, drawn)
}

fn draw_bars(svg: &mut String, title: &str, unit: &str, rows: &[(&str, f64)]) -> Drawn {
    let most = rows.iter().map(|row| row.1).fold(1.0, f64::max);
    let least = 10f64.powf(rows.iter().map(|row| row.1).fold(most, f64::min).log10().floor());
    let height = 95 + 34 * rows.len() as u32;
    let root = SVGBackend::with_string(svg, (760, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 16).into_font().color(&INK))
        .margin(14)
        .x_label_area_size(38)
        .y_label_area_size(96)
        .build_cartesian_2d((least..4.0 * most).log_scale(), 0f64..rows.len() as f64)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(FAINT)
        .x_desc(unit)
        .x_label_formatter(&|value| power(*value))
        .label_style(("sans-serif", 12).into_font().color(&INK))
        .draw()?;
    let style = |horizontal| ("sans-serif", 13).into_font().color(&INK).pos(Pos::new(horizontal, VPos::Center));
    for (i, (name, value)) in rows.iter().enumerate() {
        let y = (rows.len() - 1 - i) as f64;
        chart.draw_series([Rectangle::new([(least, y + 0.2), (*value, y + 0.8)], BLUE.filled())])?;
        let beside = |x: f64, shift: i32, text: String, horizontal| {
            EmptyElement::at((x, y + 0.5)) + Text::new(text, (shift, 0), style(horizontal))
        };
        chart.draw_series([beside(*value, 6, figure(Some(*value as u64)), HPos::Left)])?;
        chart.plotting_area().draw(&beside(least, -6, (*name).to_owned(), HPos::Right))?;
    }
    root.present()
}

/// Two lines of shares, in hundredths.
pub(crate) fn shares(title: &str, axes: [&str; 2], names: [&str; 2], points: &[(f64, [f64; 2])]) -> String {
    let mut svg = String::new();
    let drawn = draw_shares(&mut svg, title, axes, names, points);
    finished(svg, drawn)
}

fn draw_shares(svg: &mut String, title: &str, axes: [&str; 2], names: [&str; 2], points: &[(f64, [f64; 2])]) -> Drawn {
    let (first, last) = (points.first().map_or(0.0, |point| point.0), points.last().map_or(1.0, |point| point.0));
    let root = SVGBackend::with_string(svg, (760, 320)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 16).into_font().color(&INK))
        .margin(14)
        .x_label_area_size(38)
        .y_label_area_size(60)
        .build_cartesian_2d(first..last, 0f64..105.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(FAINT)
        .x_desc(axes[0])
        .y_desc(axes[1])
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|value| format!("{value:.0}"))
        .label_style(("sans-serif", 12).into_font().color(&INK))
        .draw()?;
    for (i, (name, colour)) in names.into_iter().zip([BLUE, ORANGE]).enumerate() {
        let line = || points.iter().map(move |(x, y)| (*x, y[i]));
        let series = chart.draw_series(LineSeries::new(line(), colour.stroke_width(2)))?;
        series.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(line().map(|point| Circle::new(point, 3, colour.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerLeft)
        .border_style(FAINT)
        .background_style(WHITE)
        .label_font(("sans-serif", 13).into_font().color(&INK))
        .draw()?;
    root.present()
}
