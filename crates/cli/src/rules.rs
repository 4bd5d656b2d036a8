//! `ninefold rules`: the names of rule sets, and pictures of their houses.

use std::fmt::Write as _;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use clap::Args;
use ninefold::{Cell, Digit, House, HouseGroup, HouseKind, MAX_SIDE, Rules, Variant};
use serde::Serialize;

use crate::args::{AnswerFormat, rules, table_format};
use crate::output::{quoted, table};
use crate::status::{Done, Status};

/// List the rule sets that boards can have, or draw the houses of one
///
/// A name is a board and what is added to it, with + between: 3x3+diagonals+windows. The parts may come in any order. A rules file (@FILE)
/// has the same parts on lines of their own; see docs/RULES.md.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// The rules to draw: a name, or @FILE
    #[arg(value_name = "RULES", value_parser = rules)]
    pub(crate) rules: Option<Rules>,

    /// How to write the list or the houses. With RULES, `line` makes a rules file with every house
    #[arg(short, long, value_name = "FORMAT", default_value = "grid", value_parser = table_format())]
    pub(crate) format: AnswerFormat,
}

/// The parts of names that are no variant. `N` is a side, `R` and `C` the rows and columns of a block.
const PARTS: [(&str, &str); 9] = [
    ("RxC", "a board with rows, columns, and blocks of R rows and C columns: 3x3, 2x3, 8x8"),
    ("latin:N", "a board with rows and columns"),
    ("jigsaw:MAP", "a board with rows, columns, and regions; a map has one character a cell, row by row"),
    ("free:N", "a board without houses"),
    ("blocks:RxC", "blocks, for a board without"),
    ("regions:MAP", "regions that divide the board, also where it has blocks"),
    ("connected", "checks that every region is in one piece"),
    ("extra:MAP", "extra regions of any size; `.` where a cell is in none"),
    ("house NAME:CELLS", "one more house, its cells as in r1c1r1c2; the name may be left out"),
];

#[derive(Serialize)]
struct Row {
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
}

pub(crate) fn run(args: &RulesArgs) -> Done {
    let text = match &args.rules {
        None => list(args.format),
        Some(rules) => houses(rules, args.format),
    };
    let mut stdout = anstream::stdout();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(Status::Yes)
}

fn list(format: AnswerFormat) -> String {
    let parts = PARTS.iter().map(|&(name, summary)| Row { name, aliases: &[], summary });
    let variants = Variant::all().iter().map(|it| Row { name: it.name(), aliases: it.aliases(), summary: it.summary() });
    let rows: Vec<Row> = parts.chain(variants).collect();
    let mut out = String::new();
    match format {
        AnswerFormat::Line => rows.iter().for_each(|row| out.extend([row.name, "\n"])),
        AnswerFormat::Csv => {
            out.push_str("name,aliases,summary\n");
            for row in &rows {
                let _ = writeln!(out, "{},{},{}", row.name, row.aliases.join(" "), quoted(row.summary));
            }
        }
        AnswerFormat::Json => rows.iter().for_each(|row| push_json(&mut out, row)),
        AnswerFormat::Grid | AnswerFormat::Count => {
            let mut table = table(&["part", "what it is", "also called"]);
            table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(crate::strategies::width());
            for row in &rows {
                table.add_row([row.name, row.summary, &row.aliases.join(", ")]);
            }
            let _ = writeln!(out, "{}", table.trim_fmt());
        }
    }
    out
}

fn push_json(out: &mut String, row: &impl Serialize) {
    // Names and sentences: nothing that JSON cannot say.
    out.push_str(&serde_json::to_string(row).unwrap_or_default());
    out.push('\n');
}

#[derive(Serialize)]
struct HouseObject {
    name: String,
    part: String,
    full: bool,
    cells: Vec<String>,
}

#[derive(Serialize)]
struct Object<'a> {
    rules: &'a str,
    side: usize,
    houses: Vec<HouseObject>,
    strategies: Vec<&'static str>,
    auto: Option<&'static str>,
}

fn labels(house: &House, side: usize) -> Vec<String> {
    house.cells().iter().map(|cell| cell.label(side)).collect()
}

fn houses(rules: &Rules, format: AnswerFormat) -> String {
    let side = rules.side();
    let taken_by = || -> Vec<&'static str> {
        ninefold::strategies().iter().filter(|strategy| strategy.caps.takes(rules)).map(|strategy| strategy.name).collect()
    };
    let parts = || rules.groups().iter().flat_map(|group| rules.houses()[group.range()].iter().map(move |house| (group, house)));
    // The parts of free houses are as long as all their cells.
    let part_name = |group: &HouseGroup| group.name().split(':').next().unwrap_or_default().to_owned();
    let mut out = String::new();
    match format {
        AnswerFormat::Line => {
            let _ = writeln!(out, "free:{side}");
            for house in rules.houses() {
                let _ = writeln!(out, "house {house}: {}", labels(house, side).join(" "));
            }
        }
        AnswerFormat::Csv => {
            out.push_str("house,part,full,cells\n");
            for (group, house) in parts() {
                let (name, part) = (house.to_string(), part_name(group));
                let _ = writeln!(out, "{},{part},{},{}", quoted(&name), house.is_full(), labels(house, side).join(" "));
            }
        }
        AnswerFormat::Json => {
            let object = |(group, house): (&HouseGroup, &House)| HouseObject {
                name: house.to_string(),
                part: part_name(group),
                full: house.is_full(),
                cells: labels(house, side),
            };
            let object = Object {
                rules: rules.name(),
                side,
                houses: parts().map(object).collect(),
                strategies: taken_by(),
                auto: ninefold::auto(rules).map(|strategy| strategy.name),
            };
            push_json(&mut out, &object);
        }
        AnswerFormat::Grid | AnswerFormat::Count => {
            let full = rules.houses().iter().filter(|house| house.is_full()).count();
            let _ = writeln!(out, "{}", cut(rules.name()));
            let _ = writeln!(
                out,
                "side {side}, {}, {}, {full} of them with every digit",
                counted(rules.cell_count(), "cell"),
                counted(rules.houses().len(), "house")
            );
            let (takes, not): (Vec<&ninefold::Strategy>, Vec<_>) =
                ninefold::strategies().into_iter().partition(|it| it.caps.takes(rules));
            let not: Vec<&str> = not.iter().map(|strategy| strategy.name).collect();
            let taken_by = match (takes.is_empty(), not.is_empty()) {
                (true, _) => "no strategy".to_owned(),
                (false, true) => "all strategies".to_owned(),
                (false, false) => format!("all strategies but {}", not.join(", ")),
            };
            let auto = ninefold::auto(rules).map(|it| format!("; auto takes {}", it.name)).unwrap_or_default();
            let _ = writeln!(out, "taken by {taken_by}{auto}");
            let frame = Frame::new(rules);
            for group in rules.groups() {
                frame.group(group, &mut out);
            }
        }
    }
    out
}

/// The longest names, with every cell of every house, say no more to people.
fn cut(name: &str) -> String {
    const LONGEST: usize = 100;
    if name.chars().count() <= LONGEST { name.to_owned() } else { format!("{name:.LONGEST$}…") }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The borders of the blocks or regions, in which every group is drawn.
struct Frame<'a> {
    rules: &'a Rules,
    /// The block or region of each cell.
    region: Vec<usize>,
    /// Whether they are regions, whose borders may lie anywhere.
    jigsaw: bool,
}

/// Up, down, left and right of where lines meet, as bits 0 to 3.
const CORNERS: [char; 16] = [' ', '╵', '╷', '│', '╴', '┘', '┐', '┤', '╶', '└', '┌', '├', '─', '┴', '┬', '┼'];

const COLOURS: [AnsiColor; 6] =
    [AnsiColor::Cyan, AnsiColor::Yellow, AnsiColor::Green, AnsiColor::Magenta, AnsiColor::Blue, AnsiColor::Red];

/// What stands for a cell in a picture, and its colour.
#[derive(Clone, Copy)]
struct Mark {
    symbol: char,
    colour: Option<usize>,
}

impl<'a> Frame<'a> {
    fn new(rules: &'a Rules) -> Frame<'a> {
        let mut region = vec![0; rules.cell_count()];
        let jigsaw = rules.houses().iter().any(|house| matches!(house.kind(), HouseKind::Region(_)));
        for (i, house) in rules.houses().iter().enumerate() {
            if matches!((house.kind(), jigsaw), (HouseKind::Region(_), true) | (HouseKind::Block(_), false)) {
                house.cells().iter().for_each(|cell| region[cell.index()] = i);
            }
        }
        Frame { rules, region, jigsaw }
    }

    fn group(&self, group: &HouseGroup, out: &mut String) {
        let houses = &self.rules.houses()[group.range()];
        let sizes: Vec<usize> = houses.iter().map(|house| house.cells().len()).collect();
        let size = match (sizes.iter().min(), sizes.iter().max()) {
            (Some(least), Some(most)) if least == most => format!(" of {}", counted(*most, "cell")),
            (Some(least), Some(most)) => format!(" of {least} to {most} cells"),
            _ => String::new(),
        };
        let _ = write!(out, "\n{}: {}{size}", cut(group.name()), counted(houses.len(), "house"));
        let has_extras = self.rules.houses().iter().any(|house| matches!(house.kind(), HouseKind::Extra(_)));
        match houses.first().map(House::kind) {
            Some(HouseKind::Row(_)) => return out.push_str(", the rows and the columns\n"),
            // The borders in the pictures of the others show them.
            Some(HouseKind::Block(_) | HouseKind::Region(_)) if has_extras => return out.push('\n'),
            None => return out.push('\n'),
            _ => {}
        }
        let blank = Mark { symbol: '·', colour: None };
        let mut marks = vec![blank; self.rules.cell_count()];
        let pairs = sizes.iter().all(|size| *size <= 2) && houses.len() > 1;
        if pairs || houses.len() > MAX_SIDE {
            let cell = self.example(houses);
            for house in houses.iter().filter(|house| house.cells().contains(&cell)) {
                house.cells().iter().for_each(|cell| marks[cell.index()] = Mark { symbol: 'x', colour: Some(0) });
            }
            marks[cell.index()] = Mark { symbol: 'o', colour: Some(1) };
            let _ = writeln!(out, ": those of {} (o)", cell.label(self.rules.side()));
        } else {
            let mut crossing = false;
            for (i, house) in houses.iter().enumerate() {
                let symbol = Digit::new(i as u8 + 1).map_or('?', Digit::symbol);
                for cell in house.cells() {
                    let mark = &mut marks[cell.index()];
                    crossing |= mark.symbol != blank.symbol;
                    *mark = if mark.symbol == blank.symbol {
                        Mark { symbol, colour: Some(i) }
                    } else {
                        Mark { symbol: '*', colour: None }
                    };
                }
            }
            out.push_str(if crossing { "; * is in several\n" } else { "\n" });
        }
        self.draw(&marks, out);
    }

    /// A cell with the most partners, of these the nearest to the centre of the board.
    fn example(&self, houses: &[House]) -> Cell {
        let side = self.rules.side();
        let mut partners = vec![0usize; self.rules.cell_count()];
        for house in houses {
            house.cells().iter().for_each(|cell| partners[cell.index()] += house.cells().len());
        }
        let off = |cell: &Cell| cell.row(side).abs_diff(side / 2) + cell.column(side).abs_diff(side / 2);
        let best = self.rules.cells().max_by_key(|cell| (partners[cell.index()], 2 * side - off(cell)));
        best.expect("a board has cells")
    }

    /// Draws a board, one mark a cell. Lines of the frame that have no border are left out, and so are columns, unless they would leave
    /// the cells at uneven distances.
    fn draw(&self, marks: &[Mark], out: &mut String) {
        let side = self.rules.side();
        // The region of a cell by row and column, both counted from 1; outside of the board there is none.
        let region = |row: usize, column: usize| {
            let inside = (1..=side).contains(&row) && (1..=side).contains(&column);
            inside.then(|| self.region[(row - 1) * side + column - 1])
        };
        // Whether a border lies above a cell, and to the left of it.
        let above = |row: usize, column: usize| row > 0 && region(row, column) != region(row - 1, column);
        let left = |row: usize, column: usize| column > 0 && region(row, column) != region(row, column - 1);
        let has_line: Vec<bool> = (0..=side + 1).map(|row| (1..=side).any(|column| above(row, column))).collect();
        let has_bar: Vec<bool> = (0..=side + 1).map(|column| self.jigsaw || (1..=side).any(|row| left(row, column))).collect();
        for row in 1..=side + 1 {
            if has_line[row] {
                let mut line = String::new();
                for column in 1..=side + 1 {
                    let arms = [left(row - 1, column), left(row, column), above(row, column - 1), above(row, column)];
                    let corner = CORNERS[arms.iter().rev().fold(0, |bits, arm| 2 * bits + usize::from(*arm))];
                    if has_bar[column] {
                        line.push(corner);
                    }
                    if column <= side {
                        let dash = if above(row, column) { '─' } else { ' ' };
                        line.extend([dash, dash]);
                        if has_bar[column + 1] {
                            line.push(dash);
                        }
                    }
                }
                let _ = writeln!(out, "{}", line.trim_end());
            }
            if row > side {
                break;
            }
            for column in 1..=side + 1 {
                if has_bar[column] {
                    out.push(if left(row, column) { '│' } else { ' ' });
                }
                if column > side {
                    break;
                }
                let Mark { symbol, colour } = marks[(row - 1) * side + column - 1];
                let colour = colour.map(|i| COLOURS[i % COLOURS.len()].into());
                let style = Style::new().fg_color(colour);
                let _ = write!(out, " {style}{symbol}{style:#}");
                if has_bar[column + 1] {
                    out.push(' ');
                }
            }
            out.push('\n');
        }
    }
}
