//! Rules as text: names such as `3x3+diagonals+windows`, and rules files.
//!
//! Both are the same: parts, separated by `+` or on lines of their own. A part is a name, or a key, `:` and a value.
//!
//! | part | what it adds |
//! |---|---|
//! | `RxC`, `classic:RxC`, `classic` | rows, columns, and blocks of R rows and C columns |
//! | `latin:N`, `side:N` | rows and columns of a board of side N |
//! | `jigsaw:MAP` | rows, columns and regions |
//! | `free:N` | a board of side N without any house |
//! | `blocks:RxC`, `regions:MAP` | blocks or regions for a board that has none yet |
//! | `region NAME: CELLS` | one region by its cells; all cells of the board must be in one |
//! | `connected` | no house: a check that each region is in one piece |
//! | `extra:MAP` | extra regions; `.` where a cell is in none |
//! | `house NAME: CELLS` | one house by its cells |
//! | a [`Variant`]'s name | its houses |
//!
//! A map has one character a cell, the same for the cells of a region; white space in it is passed over. Where a line ends with
//! `jigsaw:`, `regions:` or `extra:`, the rows of the map follow on lines of their own. Cells are named as in `r1c1 r1c2`. `#` at the
//! start of a line or behind white space starts a comment. Without a board the blocks or the map tell it; without these it is 3×3.

use std::str::FromStr;

use crate::rules::{RulesErrorKind, cell_list};
use crate::{BlockShape, Cell, HouseKind, MAX_SIDE, Rules, RulesBuilder, RulesError, Variant};

/// A line and a column.
type Place = (usize, usize);

/// The keys and names beside those of the variants, for suggestions.
const WORDS: [&str; 11] =
    ["classic", "latin", "side", "jigsaw", "free", "blocks", "regions", "region", "connected", "extra", "house"];

/// The longest name of a house, in characters.
const LONGEST_NAME: usize = 60;

fn error(place: Place, kind: RulesErrorKind, message: impl Into<String>) -> RulesError {
    RulesError::new(kind, message.into()).at(place.0, place.1)
}

fn syntax(place: Place, message: impl Into<String>) -> RulesError {
    error(place, RulesErrorKind::Syntax, message)
}

/// What the parts say, before the side of the board is known.
#[derive(Default)]
struct Spec<'a> {
    board: Option<(Place, BoardPart)>,
    blocks: Option<(Place, BlockShape)>,
    regions: Option<(Place, Vec<char>)>,
    region_lists: Vec<(Place, CellList)>,
    connected: Option<Place>,
    variants: Vec<(Place, &'static Variant)>,
    extras: Vec<(Place, Vec<char>)>,
    houses: Vec<(Place, &'a str, CellList)>,
}

/// Cells by row and column, counted from 1, each with its place.
type CellList = Vec<(Place, (usize, usize))>;

enum BoardPart {
    Blocks(BlockShape),
    Latin(usize),
    Free(usize),
}

/// Where the rows of a map go that stand on lines of their own.
enum MapKind {
    Regions,
    Extra,
}

/// A map of which some rows are read.
struct OpenMap {
    place: Place,
    kind: MapKind,
    rows: usize,
    width: usize,
    cells: Vec<char>,
}

impl<'a> Spec<'a> {
    fn read(text: &'a str) -> Result<Spec<'a>, RulesError> {
        let mut spec = Spec::default();
        let mut open: Option<OpenMap> = None;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (i, line) in text.lines().enumerate() {
            let line_number = i + 1;
            let line = without_comment(line);
            let here = (line_number, 1 + line.chars().take_while(|c| c.is_whitespace()).count());
            if line.trim().is_empty() {
                continue;
            }
            if let Some(map) = &mut open {
                let row: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
                if map.rows == 0 {
                    map.width = row.len();
                }
                if row.len() != map.width || row.len() > MAX_SIDE {
                    let message =
                        format!("{} cells in this row of the map where {} are expected", row.len(), map.width.min(MAX_SIDE));
                    return Err(error(here, RulesErrorKind::CellCount, message));
                }
                map.cells.extend(row);
                map.rows += 1;
                if map.rows == map.width
                    && let Some(map) = open.take()
                {
                    spec.map(map.place, &map.kind, map.cells)?;
                }
                continue;
            }
            let mut column = 1;
            let parts: Vec<&str> = line.split('+').collect();
            for (i, part) in parts.iter().enumerate() {
                let place = (line_number, column + part.chars().take_while(|c| c.is_whitespace()).count());
                let opened = spec.part(place, part.trim(), i + 1 == parts.len())?;
                if let Some(kind) = opened {
                    open = Some(OpenMap { place, kind, rows: 0, width: 0, cells: Vec::new() });
                }
                column += part.chars().count() + 1;
            }
        }
        match open {
            Some(map) => Err(error(map.place, RulesErrorKind::CellCount, format!("this map ends after {} rows", map.rows))),
            None => Ok(spec),
        }
    }

    /// One part; a map that stands on the lines below is told.
    fn part(&mut self, place: Place, part: &'a str, ends_line: bool) -> Result<Option<MapKind>, RulesError> {
        let Some((key, value)) = part.split_once(':') else { return self.word(place, part).map(|()| None) };
        let value_place = (place.0, place.1 + key.chars().count() + 1 + value.chars().take_while(|c| c.is_whitespace()).count());
        let value = value.trim();
        let (key, name) = key.trim().split_once(char::is_whitespace).unwrap_or((key.trim(), ""));
        let (key, name) = (key.to_ascii_lowercase(), name.trim());
        if !name.is_empty() && !matches!(key.as_str(), "house" | "region") {
            return Err(syntax(place, format!("`{}` takes no name", shown(&key))));
        }
        if name.chars().count() > LONGEST_NAME {
            return Err(syntax(place, format!("this name is longer than {LONGEST_NAME} characters")));
        }
        let shape = |at: Place| value.parse::<BlockShape>().map_err(|error| error.at(at.0, at.1));
        match key.as_str() {
            "classic" => self.set_board(place, BoardPart::Blocks(shape(value_place)?))?,
            "latin" | "side" => self.set_board(place, BoardPart::Latin(side(value, value_place)?))?,
            "free" => self.set_board(place, BoardPart::Free(side(value, value_place)?))?,
            "blocks" => {
                let shape = shape(value_place)?;
                if self.blocks.replace((place, shape)).is_some() {
                    return Err(error(place, RulesErrorKind::Twice, "blocks twice: a rule set has them once"));
                }
            }
            "jigsaw" | "regions" | "extra" => {
                let kind = if key == "extra" { MapKind::Extra } else { MapKind::Regions };
                if value.is_empty() {
                    return if ends_line { Ok(Some(kind)) } else { Err(syntax(value_place, "a map is expected here")) };
                }
                self.map(value_place, &kind, value.chars().filter(|c| !c.is_whitespace()).collect())?;
            }
            "region" => self.region_lists.push((place, cells(value, value_place)?)),
            "house" => self.houses.push((place, name, cells(value, value_place)?)),
            _ => return Err(unknown(place, &key)),
        }
        Ok(None)
    }

    /// A part without a value.
    fn word(&mut self, place: Place, word: &str) -> Result<(), RulesError> {
        let word = word.to_ascii_lowercase();
        match word.as_str() {
            "" => return Err(syntax(place, "a part is missing here: a board such as `3x3`, or a variant such as `diagonals`")),
            "classic" => return self.set_board(place, BoardPart::Blocks(BlockShape::square(9).expect("9 is a square"))),
            "connected" => {
                self.connected = Some(place);
                return Ok(());
            }
            _ => {}
        }
        if let Some(variant) = Variant::by_name(&word) {
            if self.variants.iter().any(|(_, other)| other.name() == variant.name()) {
                return Err(error(place, RulesErrorKind::Twice, format!("{} twice: a rule set has them once", variant.name())));
            }
            self.variants.push((place, variant));
            return Ok(());
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let shape = word.parse::<BlockShape>().map_err(|error| error.at(place.0, place.1))?;
            return self.set_board(place, BoardPart::Blocks(shape));
        }
        if WORDS.contains(&word.as_str()) {
            let value = match word.as_str() {
                "latin" | "side" | "free" => "a side, as in `latin:7`",
                "blocks" => "a shape, as in `blocks:3x3`",
                "region" | "house" => "cells, as in `house: r1c1 r1c2`",
                _ => "a map with one character a cell, as in `jigsaw:1112132233243444`",
            };
            return Err(syntax(place, format!("`{word}` needs `:` and {value}")));
        }
        Err(unknown(place, &word))
    }

    fn set_board(&mut self, place: Place, board: BoardPart) -> Result<(), RulesError> {
        match self.board.replace((place, board)) {
            Some(_) => Err(syntax(place, "a second board: a rule set has one")),
            None => Ok(()),
        }
    }

    fn map(&mut self, place: Place, kind: &MapKind, cells: Vec<char>) -> Result<(), RulesError> {
        let side = cells.len().isqrt();
        if side * side != cells.len() || !(1..=MAX_SIDE).contains(&side) {
            let message = format!("a map of {} cells makes no board: it is square, of side 1 to {MAX_SIDE}", cells.len());
            return Err(error(place, RulesErrorKind::CellCount, message));
        }
        match kind {
            MapKind::Extra => self.extras.push((place, cells)),
            MapKind::Regions if self.regions.is_some() => return Err(syntax(place, "a second map of regions")),
            MapKind::Regions => self.regions = Some((place, cells)),
        }
        Ok(())
    }

    /// The rules, in an order that does not depend on that of the parts.
    fn build(mut self) -> Result<Rules, RulesError> {
        let map_side = |map: &Option<(Place, Vec<char>)>| map.as_ref().map(|(_, map)| map.len().isqrt());
        let (side, lines) = match &self.board {
            Some((_, BoardPart::Blocks(shape))) => (shape.side(), true),
            Some((_, BoardPart::Latin(side))) => (*side, true),
            Some((_, BoardPart::Free(side))) => (*side, false),
            None => (self.blocks.map(|(_, shape)| shape.side()).or(map_side(&self.regions)).unwrap_or(0), true),
        };
        match (&self.board, self.blocks) {
            (Some((_, BoardPart::Blocks(_))), Some((place, _))) => return Err(syntax(place, "this board has blocks already")),
            (Some((place, BoardPart::Blocks(shape))), None) => self.blocks = Some((*place, *shape)),
            (None, None) if side == 0 => self.blocks = BlockShape::square(9).map(|shape| ((1, 1), shape)),
            _ => {}
        }
        let side = if side == 0 { 9 } else { side };
        let mut builder = Rules::builder(side);
        if lines {
            builder = step(builder.rows_and_columns(), (1, 1))?;
        }
        if let Some((place, shape)) = self.blocks {
            builder = step(builder.block_houses(shape), place)?;
        }
        self.map_of_lists(side)?;
        if let Some((place, map)) = &self.regions {
            builder = step(builder.regions(map), *place)?;
        }
        if let Some(place) = self.connected {
            let Some((map_place, map)) = &self.regions else {
                return Err(syntax(place, "`connected` is about regions, and these rules have none"));
            };
            check_connected(map, side).map_err(|error| error.at(map_place.0, map_place.1))?;
        }
        let add_variants = |mut builder: RulesBuilder, pairs: bool| -> Result<RulesBuilder, RulesError> {
            for variant in Variant::all().iter().filter(|variant| variant.is_pairs() == pairs) {
                if let Some((place, _)) = self.variants.iter().find(|(_, named)| named.name() == variant.name()) {
                    builder = step(builder.variant(variant), *place)?;
                }
            }
            Ok(builder)
        };
        builder = add_variants(builder, false)?;
        for (place, map) in &self.extras {
            let map: Vec<Option<char>> = map.iter().map(|&c| if c == '.' { None } else { Some(c) }).collect();
            builder = step(builder.extra_regions(&map), *place)?;
        }
        for (i, (place, name, cells)) in self.houses.iter().enumerate() {
            let name = if name.is_empty() { format!("house {}", i + 1) } else { (*name).to_owned() };
            builder = step(builder.house(HouseKind::Extra(name), on_board(cells, side)?), *place)?;
        }
        add_variants(builder, true)?.build()
    }

    /// Makes a map of regions that are given by their cells.
    fn map_of_lists(&mut self, side: usize) -> Result<(), RulesError> {
        let Some((first, _)) = self.region_lists.first() else { return Ok(()) };
        if self.regions.is_some() {
            return Err(syntax(*first, "regions both as a map and by their cells"));
        }
        let mut map: Vec<Option<usize>> = vec![None; side * side];
        for (i, (_, cells)) in self.region_lists.iter().enumerate() {
            for ((place, _), cell) in cells.iter().zip(on_board(cells, side)?) {
                if let Some(other) = map[cell.index()].replace(i) {
                    let other =
                        if other == i { "this region twice".into() } else { format!("the regions {} and {}", other + 1, i + 1) };
                    return Err(error(*place, RulesErrorKind::RegionCover, format!("{} is in {other}", cell.label(side))));
                }
            }
        }
        let missing: Vec<Cell> = (0..side * side).filter(|&i| map[i].is_none()).filter_map(Cell::new).collect();
        if !missing.is_empty() {
            let message = format!("in no region: {}", cell_list(&missing, side));
            return Err(error(*first, RulesErrorKind::RegionCover, message));
        }
        // Any characters will do, one for each region: there may be more regions than symbols of digits.
        let symbol = |region: Option<usize>| region.and_then(|i| char::from_u32(0xe000 + i as u32)).unwrap_or('.');
        self.regions = Some((*first, map.into_iter().map(symbol).collect()));
        Ok(())
    }
}

/// Hands the builder on, or its error with the place of the part that made it.
fn step(builder: RulesBuilder, place: Place) -> Result<RulesBuilder, RulesError> {
    match builder.error() {
        Some(error) => Err(error.clone().at(place.0, place.1)),
        None => Ok(builder),
    }
}

fn without_comment(line: &str) -> &str {
    let comment = line.char_indices().find(|&(i, c)| c == '#' && line[..i].chars().next_back().is_none_or(char::is_whitespace));
    comment.map_or(line, |(i, _)| &line[..i])
}

/// A piece of the text for a message, cut where it is long.
fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let cut: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().count() > LONGEST { format!("{cut}…") } else { cut }
}

fn side(text: &str, place: Place) -> Result<usize, RulesError> {
    match text.parse() {
        Ok(side) if (1..=MAX_SIDE).contains(&side) => Ok(side),
        _ => Err(error(place, RulesErrorKind::Side, format!("`{}` is no side: 1 to {MAX_SIDE} is expected", shown(text)))),
    }
}

/// Reads `r1c1 r1c2`; white space and commas between cells may be left out.
fn cells(text: &str, place: Place) -> Result<CellList, RulesError> {
    let chars: Vec<char> = text.chars().collect();
    let mut list = Vec::new();
    let mut i = 0;
    // A number of up to two figures, which all sides have.
    let number = |i: &mut usize| {
        let figures = chars[*i..].iter().take(2).map_while(|c| c.to_digit(10));
        let (read, number) = figures.fold((0, 0), |(read, number), figure| (read + 1, 10 * number + figure as usize));
        *i += read;
        Some(number).filter(|&number| number > 0)
    };
    while i < chars.len() {
        if chars[i].is_whitespace() || chars[i] == ',' {
            i += 1;
            continue;
        }
        let from = i;
        let mut part = |letter: char| {
            chars.get(i).filter(|c| c.to_ascii_lowercase() == letter)?;
            i += 1;
            number(&mut i)
        };
        let here = (place.0, place.1 + from);
        match (part('r'), part('c')) {
            (Some(row), Some(column)) => list.push((here, (row, column))),
            _ => {
                let word: String = chars[from..].iter().take_while(|c| !c.is_whitespace()).collect();
                return Err(syntax(here, format!("`{}` is no cell: `r1c1` is the first", shown(&word))));
            }
        }
    }
    if list.is_empty() {
        return Err(syntax(place, "cells are expected here, such as `r1c1 r1c2`"));
    }
    Ok(list)
}

/// The cells of a list on a board of this side.
fn on_board(list: &CellList, side: usize) -> Result<Vec<Cell>, RulesError> {
    list.iter()
        .map(|&(place, (row, column))| {
            if row <= side && column <= side {
                Ok(Cell::from_index((row - 1) * side + column - 1))
            } else {
                let message = format!("r{row}c{column} is outside a board of side {side}");
                Err(error(place, RulesErrorKind::CellOutside, message))
            }
        })
        .collect()
}

/// Refuses a region of which not all cells can be reached from its first by steps to a neighbour.
fn check_connected(map: &[char], side: usize) -> Result<(), RulesError> {
    let mut reached = vec![false; map.len()];
    let mut begun: Vec<char> = Vec::new();
    for start in 0..map.len() {
        if begun.contains(&map[start]) {
            continue;
        }
        begun.push(map[start]);
        reached[start] = true;
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            let (row, column) = (i / side, i % side);
            let near = [
                (row > 0).then(|| i - side),
                (row + 1 < side).then(|| i + side),
                (column > 0).then(|| i - 1),
                (column + 1 < side).then(|| i + 1),
            ];
            for next in near.into_iter().flatten().filter(|&next| map[next] == map[start]) {
                if !reached[next] {
                    reached[next] = true;
                    open.push(next);
                }
            }
        }
        let apart: Vec<Cell> = (0..map.len()).filter(|&i| map[i] == map[start] && !reached[i]).filter_map(Cell::new).collect();
        if !apart.is_empty() {
            let message = format!(
                "region {} is not in one piece: {} cannot be reached from {}",
                begun.len(),
                cell_list(&apart, side),
                Cell::from_index(start).label(side)
            );
            return Err(RulesError::new(RulesErrorKind::Disconnected, message));
        }
    }
    Ok(())
}

fn unknown(place: Place, word: &str) -> RulesError {
    let names = Variant::all().iter().flat_map(|variant| variant.aliases().iter().copied().chain([variant.name()]));
    let near = names.chain(WORDS).map(|name| (distance(word, name), name)).min();
    // A third of the letters may be wrong.
    let hint = match near {
        Some((distance, name)) if 3 * distance <= name.chars().count().max(3) => format!("; did you mean `{name}`?"),
        _ => format!(": there are {}", Variant::all().iter().map(Variant::name).collect::<Vec<_>>().join(", ")),
    };
    error(place, RulesErrorKind::UnknownName, format!("no rules are called `{}`{hint}", shown(word)))
}

/// How many letters must be put in, left out or changed to make one word of the other (V. Levenshtein, 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    // Longer words are like none of the names.
    for (i, x) in a.chars().take(40).enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Reads a name such as `3x3+diagonals`, or the text of a rules file: see `docs/RULES.md` of the project.
///
/// ```
/// use ninefold_core::Rules;
/// let rules: Rules = "classic:3x3 + x + hyper".parse()?;
/// assert_eq!(rules.name(), "3x3+diagonals+windows");
///
/// let file = "
///     side: 4
///     regions:
///         aaab
///         acbb
///         ccbd
///         cddd
///     house my line: r1c1 r2c2 r3c3  # three cells hold different digits
/// ";
/// assert_eq!(file.parse::<Rules>()?.name(), "jigsaw:1112132233243444+house my line:r1c1r2c2r3c3");
///
/// let error = "3x3+diagonal5".parse::<Rules>().unwrap_err();
/// assert_eq!(error.to_string(), "no rules are called `diagonal5`; did you mean `diagonal`?");
/// assert_eq!(error.place(), Some((1, 5)));
/// # Ok::<(), ninefold_core::RulesError>(())
/// ```
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        if text.trim().is_empty() {
            return Err(syntax((1, 1), "no rules: a board such as `3x3` is expected"));
        }
        Spec::read(text)?.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JIGSAW: &str = "jigsaw:1112132233243444";

    fn rules(text: &str) -> Rules {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn refused(text: &str) -> (RulesErrorKind, Place, String) {
        let error = text.parse::<Rules>().unwrap_err();
        (error.kind(), error.place().unwrap(), error.to_string())
    }

    #[test]
    fn every_name_comes_out_as_it_went_in() {
        // Every side up to 16, and the largest.
        let sides = || (1..=16).chain([25, MAX_SIDE]);
        let boards: Vec<String> = sides()
            .flat_map(BlockShape::all_for)
            .map(|shape| shape.to_string())
            .chain(sides().filter(|side| *side < 20).flat_map(|side| [format!("latin:{side}"), format!("free:{side}")]))
            .chain(
                [JIGSAW, "3x3+regions:111222333111222333111222333444555666444555666444555666777888999777888999777888999"]
                    .map(str::to_owned),
            )
            .collect();
        for board in boards {
            assert_eq!(rules(&board).name(), board);
            for variant in Variant::all().iter().filter(|_| !board.contains("64") || board == "8x8") {
                let name = format!("{board}+{}", variant.name());
                match name.parse::<Rules>() {
                    Ok(read) => assert_eq!(read.name(), name),
                    Err(error) => assert_eq!(error.kind(), RulesErrorKind::Variant, "{name}: {error}"),
                }
            }
        }
        for name in [
            "3x3+diagonals+windows+centre-dots+asterisk+disjoint-groups+anti-knight+anti-king",
            "latin:4+extra:11..12..22......",
            "latin:4+extra:1.............1.+extra:11..............+house:r1c1r2c2+house a line:r4c4r1c2+anti-king",
            "jigsaw:1112132233243444+diagonals",
            "free:2+house:r1c1r1c2+house pair:r2c1",
            "free:64+house:r64c64r1c64",
        ] {
            assert_eq!(rules(name).name(), name);
            assert_eq!(rules(rules(name).name()), rules(name));
        }
    }

    #[test]
    fn the_order_of_the_parts_does_not_matter() {
        assert_eq!(rules("windows+3x3+anti-king+x"), rules("3x3+x+windows+anti-king"));
        assert_eq!(rules("anti-king+windows+3x3").name(), "3x3+windows+anti-king");
        assert!(rules("classic").is_classic() && rules("classic:3x3").is_classic() && rules(" 3X3 ").is_classic());
        assert_eq!(rules("diagonals").name(), "3x3+diagonals");
        assert_eq!(rules("blocks:2x3").name(), "2x3");
        assert_eq!(rules("side:6\nblocks:2x3").name(), "2x3");
        assert_eq!(rules("regions:1112132233243444"), rules(JIGSAW));
        assert_eq!(rules("jigsaw:aaab acbb ccbd cddd"), rules(JIGSAW));
    }

    #[test]
    fn rules_of_the_builder_have_names_that_make_them_again() {
        let cell = |i| Cell::new(i).unwrap();
        let builder = || Rules::builder(4).rows_and_columns();
        let built = [
            builder().house(HouseKind::Extra("house 1".into()), [cell(0), cell(5)]).build().unwrap(),
            builder().house(HouseKind::Extra("house 2".into()), [cell(0), cell(5)]).build().unwrap(),
            builder().extra_regions(&[None, Some(7), Some(8), None].repeat(4)).build().unwrap(),
            builder().regions(b"aaabacbbccbdcddd").variant(Variant::by_name("x").unwrap()).build().unwrap(),
        ];
        for built in built {
            assert_eq!(rules(built.name()), built, "{}", built.name());
        }
        let blocks = BlockShape::square(4).unwrap();
        let turned = Rules::builder(4).regions(&[0, 1, 2, 3].repeat(4)).block_houses(blocks).rows_and_columns().build().unwrap();
        assert_eq!(rules(turned.name()).name(), "2x2+regions:1234123412341234");
        for builder in [
            builder().rows_and_columns(),
            Rules::builder(4).block_houses(blocks).block_houses(blocks),
            builder().variant(Variant::by_name("x").unwrap()).variant(Variant::by_name("x").unwrap()),
        ] {
            assert_eq!(builder.build().unwrap_err().kind(), RulesErrorKind::Twice);
        }
        let odd = builder().house(HouseKind::Extra("a:b+c #d\n".into()), [cell(0), cell(5)]).build().unwrap();
        assert_eq!(rules(odd.name()).houses().last().unwrap().cells(), odd.houses().last().unwrap().cells());
        assert_eq!(format!("{odd:.7}"), "latin:4");
        assert_eq!(odd.groups().iter().map(|group| group.range().len()).collect::<Vec<_>>(), [8, 1]);
    }

    #[test]
    fn pairs_inside_other_houses_are_left_out() {
        let pairs = |name: &str| rules(name).groups().last().unwrap().range().len();
        // 4 · 7 · 8 moves, of which those within a block are implied: 8 in each of nine.
        assert_eq!(pairs("3x3+anti-knight"), 224 - 72);
        assert_eq!(pairs("3x3+anti-king"), 2 * 64 - 9 * 8);
        assert_eq!(pairs("free:3+anti-king"), 20);
        assert_eq!(rules("8x8+anti-knight+anti-king").side(), 64);
    }

    #[test]
    fn a_rules_file_says_the_same_as_a_name() {
        let file = "\u{feff}# Four rows\r\nside: 4\r\nregions:\r\n  1 1 1 2\r\n\r\n  1322   # the second\r\n  3324\r\n  3444\r\n\
                    connected\r\nextra: 1......1 ........\r\nHouse one two: r1c1, R4C4\r\n+ anti-king"
            .replace("\n+ ", "\n");
        assert_eq!(rules(&file).name(), format!("{JIGSAW}+extra:1......1........+house one two:r1c1r4c4+anti-king"));
        let lists = "side: 2\nregion: r1c1 r1c2\nregion: r2c1r2c2";
        assert_eq!(rules(lists), rules("jigsaw:1122"));
        let many: String = (1..=64)
            .map(|row| {
                let cells: String = (1..=64).map(|column| format!("r{row}c{column}")).collect();
                format!("region: {cells}\n")
            })
            .collect();
        assert_eq!(rules(&format!("side:64\n{many}")).houses().len(), 192);
    }

    #[test]
    fn wrong_rules_are_refused_with_place_and_cells() {
        use RulesErrorKind as Kind;
        for (text, kind, place, message) in [
            ("", Kind::Syntax, (1, 1), "no rules: a board such as `3x3` is expected"),
            ("3x3+", Kind::Syntax, (1, 5), "a part is missing here: a board such as `3x3`, or a variant such as `diagonals`"),
            ("3x3 + digonals", Kind::UnknownName, (1, 7), "no rules are called `digonals`; did you mean `diagonals`?"),
            (
                "3x3+nonsense-of-a-kind",
                Kind::UnknownName,
                (1, 5),
                "no rules are called `nonsense-of-a-kind`: there are diagonals, main-diagonal, anti-diagonal, windows, centre-dots, asterisk, disjoint-groups, anti-knight, anti-king",
            ),
            ("3x3\n  rigions: 11", Kind::UnknownName, (2, 3), "no rules are called `rigions`; did you mean `regions`?"),
            ("3x3+4x4", Kind::Syntax, (1, 5), "a second board: a rule set has one"),
            ("3x3+x+diagonals", Kind::Twice, (1, 7), "diagonals twice: a rule set has them once"),
            ("0x3", Kind::BlockShape, (1, 1), "a block of 0 by 3 cells is not possible: a block has 1 to 64 cells"),
            ("3x3+blocks:3x3", Kind::Syntax, (1, 5), "this board has blocks already"),
            ("latin:6+blocks:3x3", Kind::BlockShape, (1, 9), "blocks of 3x3 make a board of side 9, not 6"),
            ("latin:65", Kind::Side, (1, 7), "`65` is no side: 1 to 64 is expected"),
            ("latin", Kind::Syntax, (1, 1), "`latin` needs `:` and a side, as in `latin:7`"),
            ("latin three: 3", Kind::Syntax, (1, 1), "`latin` takes no name"),
            (
                "2x3+asterisk",
                Kind::Variant,
                (1, 5),
                "asterisk needs a 9×9 board: the star is nine cells that have no like on other boards",
            ),
            (
                "jigsaw:1112132233243443",
                Kind::RegionSize,
                (1, 8),
                "region 3 has 5 cells where 4 are needed: r2c2 r3c1 r3c2 r4c1 r4c4",
            ),
            ("jigsaw:123", Kind::CellCount, (1, 8), "a map of 3 cells makes no board: it is square, of side 1 to 64"),
            ("jigsaw:\n11\n2", Kind::CellCount, (3, 1), "1 cells in this row of the map where 2 are expected"),
            ("jigsaw:\n11\n", Kind::CellCount, (1, 1), "this map ends after 1 rows"),
            ("jigsaw:+x", Kind::Syntax, (1, 8), "a map is expected here"),
            ("side:3\njigsaw:1122", Kind::CellCount, (2, 8), "a region map of 4 cells does not fit a board of 9 cells"),
            ("connected+3x3", Kind::Syntax, (1, 1), "`connected` is about regions, and these rules have none"),
            (
                "connected+jigsaw:1212121234343434",
                Kind::Disconnected,
                (1, 18),
                "region 1 is not in one piece: r1c3 r2c3 cannot be reached from r1c1",
            ),
            ("side:2\nregion: r1c1 r1c2\nregion: r2c1 r1c2", Kind::RegionCover, (3, 14), "r1c2 is in the regions 1 and 2"),
            ("side:2\nregion: r1c1 r1c1", Kind::RegionCover, (2, 14), "r1c1 is in this region twice"),
            ("side:2\nregion: r1c1 r1c2", Kind::RegionCover, (2, 1), "in no region: r2c1 r2c2"),
            ("side:2\nregions:1122\nregion:r1c1", Kind::Syntax, (3, 1), "regions both as a map and by their cells"),
            (
                "side:2\nhouse: r1c1 r1c2 r2c1",
                Kind::HouseSize,
                (2, 1),
                "house 1 has over 2 cells, more than the board has digits: r1c1 r1c2 r2c1",
            ),
            ("side:2\nhouse: r1c1 r3c1", Kind::CellOutside, (2, 13), "r3c1 is outside a board of side 2"),
            ("side:2\nhouse: r1c1 r1c1", Kind::CellTwice, (2, 1), "house 1 has the cell r1c1 twice"),
            ("side:2\nhouse: r1c1 c2", Kind::Syntax, (2, 13), "`c2` is no cell: `r1c1` is the first"),
            ("side:2\nhouse: r0c1", Kind::Syntax, (2, 8), "`r0c1` is no cell: `r1c1` is the first"),
            ("side:2\nhouse:", Kind::Syntax, (2, 7), "cells are expected here, such as `r1c1 r1c2`"),
        ] {
            assert_eq!(refused(text), (kind, place, message.to_owned()), "{text}");
        }
    }

    #[test]
    fn any_text_ends_in_rules_or_an_error() {
        let long = "a".repeat(100_000);
        for text in [
            "\0",
            ":",
            "+",
            "++",
            "::",
            "house",
            "house:r",
            "house:r1c",
            "extra:💥",
            "r1c1",
            "jigsaw:#",
            "#",
            " # x",
            &long,
            "house 💥:r1c1",
        ] {
            let _ = text.parse::<Rules>();
        }
        assert!(refused(&long).2.chars().count() < 300);
        let pairs = "house:r1c1r1c2\n".repeat(100_001);
        assert_eq!(refused(&pairs).0, RulesErrorKind::TooManyHouses);
    }
}
