//! Every format as people write it, and what is wrong where it is wrong.

use ninefold_core::Rules;
use ninefold_formats::{Count, Entry, ErrorKind, Format, Options, ReadError, Symbols, read};

const LINE: &str = "1....2.3.4.5..6....7..8..9.....63....8...1....24.....2..9..5....1..7.3.8.6.5....4";
const FULL: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn rows(line: &str) -> Vec<&str> {
    (0..9).map(|row| &line[9 * row..9 * row + 9]).collect()
}

fn all(text: &str, options: &Options) -> Vec<Result<Entry, ReadError>> {
    read(text.as_bytes(), options).collect()
}

fn one(text: &str) -> Entry {
    one_with(text, &Options::new())
}

fn one_with(text: &str, options: &Options) -> Entry {
    let mut entries = all(text, options);
    assert_eq!(entries.len(), 1, "{text}: {entries:?}");
    entries.remove(0).unwrap_or_else(|error| panic!("{text}: {error} at {}", error.position()))
}

fn error(text: &str) -> ReadError {
    error_with(text, &Options::new())
}

fn error_with(text: &str, options: &Options) -> ReadError {
    let mut entries = all(text, options);
    assert_eq!(entries.len(), 1, "{text}: {entries:?}");
    entries.remove(0).unwrap_err()
}

/// Kind, line, column.
fn place(error: &ReadError) -> (ErrorKind, u64, u64) {
    (error.kind(), error.position().line(), error.position().column())
}

fn rules(name: &str) -> Options {
    Options::new().rules(Rules::blocks(name.parse().unwrap()))
}

#[test]
fn every_blank_reads_the_same() {
    let board = one(LINE);
    assert_eq!(board.format(), Format::Line);
    for blank in ["0", "_", "*", "?"] {
        assert_eq!(one(&LINE.replace('.', blank)).board(), board.board());
    }
}

#[test]
fn what_follows_a_line_is_its_rating_or_comment() {
    let tail = |text: &str| {
        let entry = one(&format!("{LINE}{text}"));
        assert_eq!(entry.board().to_string(), LINE);
        (entry.rating().map(String::from), entry.comment().map(String::from))
    };
    let text = |text: &str| Some(text.to_string());
    assert_eq!(tail(" easy one"), (None, text("easy one")));
    assert_eq!(tail(" # easy"), (None, text("easy")));
    assert_eq!(tail("#easy"), (None, text("easy")));
    assert_eq!(tail("\t7.2"), (text("7.2"), None));
    assert_eq!(tail(" 7.2/1.2"), (None, text("7.2/1.2")));
    assert_eq!(tail(",8.4;found in May"), (text("8.4"), text("found in May")));
    assert_eq!(tail(":a name"), (None, text("a name")));
    assert_eq!(tail(""), (None, None));
}

#[test]
fn text_directly_behind_the_last_cell_is_refused() {
    assert_eq!(place(&error(&format!("{LINE}easy"))), (ErrorKind::Trailing, 1, 82));
    assert_eq!(place(&error(&format!("{LINE}!"))), (ErrorKind::Trailing, 1, 82));
}

#[test]
fn a_line_may_state_count_and_solution() {
    let entry = one(&format!("{LINE}:1:{FULL} 3.5 # first"));
    assert_eq!(entry.format(), Format::Counted);
    assert_eq!(entry.count(), Some(Count::exactly(1)));
    assert_eq!(entry.solution().unwrap().to_string(), FULL);
    assert_eq!((entry.rating(), entry.comment()), (Some("3.5"), Some("first")));
    assert_eq!(one(&format!("{LINE}:2+")).count(), Some(Count::at_least(2)));
    assert_eq!(one(&format!("{LINE}:? # unknown")).count(), None);
    assert_eq!(one(&format!("{LINE} {FULL}")).solution().unwrap().to_string(), FULL);
    assert_eq!(one(&format!("{LINE}:{FULL}")).solution().unwrap().to_string(), FULL);
    // Sixteen figures are a solution of side 4 and no count.
    assert_eq!(one("1...............:1234341221434321").solution().unwrap().to_string(), "1234341221434321");
}

#[test]
fn a_solution_that_is_none_is_an_error() {
    let short = error(&format!("{LINE}:1:{}", &FULL[1..]));
    assert_eq!(place(&short), (ErrorKind::CellCount, 1, 85));
    let blank = error(&format!("{LINE}:1:{}", FULL.replacen('9', ".", 1)));
    assert_eq!((blank.kind(), blank.position().column()), (ErrorKind::Symbol, 91));
    assert_eq!(error(&format!("puzzle,solution\n{LINE},{}", FULL.replace('1', "."))).kind(), ErrorKind::Symbol);
}

#[test]
fn the_quick_way_reads_what_the_long_way_reads() {
    for tail in [format!(":1:{FULL}"), format!(",{FULL}"), format!(";{FULL}"), format!(":18446744073709551615:{FULL}")] {
        // A space at the end is too much for the quick way.
        let (quick, long) = (one(&format!("{LINE}{tail}")), one(&format!("{LINE}{tail} ")));
        assert_eq!(quick, long);
        assert_eq!(quick.solution().unwrap().to_string(), FULL);
    }
    for tail in [" # a", " 7.1", "\t7.1 x", "#", ":2+", ":?", ":3 # b", ",5,c", ":", ";x:y", " \u{e9}"] {
        let padded = format!("{LINE}{tail}{}", " ".repeat(100));
        assert_eq!(one(&format!("{LINE}{tail}")), one(&padded), "{tail}");
    }
    for bad in [format!(":18446744073709551616:{FULL}"), format!(":1:{}", FULL.replace('5', ".")), format!(",{}x", &FULL[1..])] {
        let (quick, long) = (all(&format!("{LINE}{bad}"), &Options::new()), all(&format!("{LINE}{bad} "), &Options::new()));
        assert_eq!(format!("{quick:?}").replace(&bad, ""), format!("{long:?}").replace(&format!("{bad} "), ""));
    }
    let columns =
        all(&format!("puzzle,solution\n{LINE},{FULL}\n{LINE};{FULL}\n{LINE},{FULL} \n{LINE},x\n{LINE},\n"), &Options::new());
    assert_eq!(columns.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, false, true]);
}

#[test]
fn one_bad_line_costs_that_line_alone() {
    let text = format!("{LINE}\n{}\n{}x\n# comment\n\n{LINE}\n", &LINE[..80], &LINE[..80]);
    let entries = all(&text, &Options::new());
    assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, true]);
    assert_eq!(place(entries[1].as_ref().unwrap_err()), (ErrorKind::CellCount, 2, 81));
    assert_eq!(place(entries[2].as_ref().unwrap_err()), (ErrorKind::DigitTooLarge, 3, 81));
    let last = entries[3].as_ref().unwrap();
    assert_eq!((last.position().line(), last.position().column()), (6, 1));
    assert_eq!(last.position().offset() as usize, text.rfind(LINE).unwrap());
}

#[test]
fn bytes_that_are_no_text_cost_their_line_alone() {
    let mut text = format!("{LINE}\n").into_bytes();
    text.extend(b"12\xff\xfe\n");
    text.extend(format!("{LINE} \u{e9}\n").into_bytes());
    let entries: Vec<_> = read(&text, &Options::new()).collect();
    assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    let error = entries[1].as_ref().unwrap_err();
    assert_eq!(place(error), (ErrorKind::Encoding, 2, 3));
    assert_eq!(error.message(), "0xFF is no UTF-8 text");
}

#[test]
fn errors_say_what_to_do() {
    let missing = error(&LINE[..80]);
    assert_eq!(missing.message(), "80 cells found where 81 are expected");
    assert!(missing.hint().unwrap().starts_with("is one blank missing"));
    assert_eq!((missing.length(), missing.text(), missing.text_column()), (0, Some(&LINE[..80]), 81));
    let over = error(&format!("{LINE}.."));
    assert_eq!((place(&over), over.length()), ((ErrorKind::CellCount, 1, 82), 2));
    // Full-width figures are refused and explained, or mapped leniently.
    let wide = LINE.replacen('1', "１", 1);
    assert_eq!(place(&error(&wide)), (ErrorKind::Symbol, 1, 1));
    assert_eq!(error(&wide).hint(), Some("this is a full-width figure: write `1`"));
    assert_eq!(one_with(&wide, &Options::new().lenient(true)).board().to_string(), LINE);
    assert_eq!(place(&error(&LINE.replacen("..6", ".-6", 1))), (ErrorKind::Symbol, 1, 14));
    let far = error(&format!("{}{}", " ".repeat(5000), &LINE[..80]));
    assert_eq!(far.position().column(), 5081);
    assert!(far.text().unwrap().len() < 1000);
}

#[test]
fn the_row_of_a_missing_blank_is_named_where_the_givens_tell() {
    let mut rows = rows(FULL);
    let short = rows[3][1..].to_string();
    rows[3] = &short;
    assert_eq!(error(&rows.concat()).hint(), Some("is one blank missing in row 4?"));
    let grid = error(&rows.join("\n"));
    assert_eq!(grid.message(), "80 cells found where 81 are expected");
    assert_eq!(grid.hint(), Some("is one blank missing in row 4?"));
    assert_eq!(place(&grid), (ErrorKind::CellCount, 4, 9));
}

#[test]
fn cells_of_a_line_may_stand_in_groups() {
    assert_eq!(one(&rows(LINE).join(" ")).board().to_string(), LINE);
    assert_eq!(one(&format!("{} 3.4", rows(LINE).join(" "))).rating(), Some("3.4"));
    let single: Vec<String> = LINE.chars().map(String::from).collect();
    assert_eq!(one(&single.join(" ")).board().to_string(), LINE);
    assert_eq!(one(&single.join(",")).board().to_string(), LINE);
    assert_eq!(one("12.. 34.. .... ....").board().to_string(), "12..34..........");
    assert_eq!(all("12.. 34.. .... ....\n1... .... .... ...2", &Options::new()).len(), 2);
}

#[test]
fn grids_come_with_any_separators() {
    let plain = rows(LINE).join("\n");
    let spaced = |gap: &str| {
        let row = |row: &&str| row.chars().map(String::from).collect::<Vec<_>>().join(gap);
        rows(LINE).iter().map(row).collect::<Vec<_>>().join("\n")
    };
    let boxed = |top: &str, bar: &str, cross: &str| {
        let mut text = String::new();
        for (i, row) in rows(LINE).iter().enumerate() {
            if i % 3 == 0 {
                text += if i == 0 { top } else { cross };
                text.push('\n');
            }
            let cells: Vec<String> = [&row[..3], &row[3..6], &row[6..]].map(String::from).to_vec();
            text += &format!("{bar}{}{bar}\n", cells.join(bar));
        }
        text + top
    };
    let texts = [
        plain.clone(),
        format!("\n\n{plain}\n\n"),
        plain.replace('\n', "\r\n"),
        spaced(" "),
        spaced(","),
        spaced("\t"),
        spaced("|"),
        spaced(" | "),
        boxed("+---+---+---+", "|", "+---+---+---+"),
        boxed("╔═══╦═══╗", "║", "╠═══╬═══╣"),
        boxed("┌───┬───┐", "│", "├───┼───┤"),
        boxed("", " ", ""),
        boxed("===========", " ", "-----------"),
        plain.split('\n').map(|row| format!("  {row}  ")).collect::<Vec<_>>().join("\n\n"),
    ];
    for text in texts {
        assert_eq!(one(&text).board().to_string(), LINE, "{text}");
    }
}

#[test]
fn a_file_may_have_several_grids() {
    let (a, b) = (rows(LINE).join("\n"), rows(FULL).join("\n"));
    for between in ["\n", "\n\n", "\n\n\n", "\n====\n", "\n---------\n", "\n\n# comment\n\n"] {
        let entries = all(&format!("{a}{between}{b}{between}{a}\n"), &Options::new());
        let boards: Vec<String> = entries.into_iter().map(|entry| entry.unwrap().board().to_string()).collect();
        assert_eq!(boards, [LINE, FULL, LINE], "{between:?}");
    }
    let entries = all(&format!("Grid 01\n{a}\nGrid 02\n{b}\n"), &Options::new());
    let names: Vec<Option<String>> = entries.iter().map(|entry| entry.as_ref().unwrap().name().map(String::from)).collect();
    assert_eq!(names, [Some("Grid 01".into()), Some("Grid 02".into())]);
}

#[test]
fn one_bad_grid_costs_that_grid_alone() {
    let good = rows(LINE);
    let short: Vec<&str> = good[..8].to_vec();
    let text = |bad: &str, gap: &str| [good.join("\n").as_str(), bad, good.join("\n").as_str()].join(gap);
    let check = |text: &str, kind: ErrorKind, line: u64| {
        let entries = all(text, &Options::new());
        assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true], "{text}");
        let error = entries[1].as_ref().unwrap_err();
        assert_eq!((error.kind(), error.position().line()), (kind, line), "{text}");
    };
    check(&text(&short.join("\n"), "\n\n"), ErrorKind::CellCount, 18);
    check(&text(&short.join("\n"), "\n====\n"), ErrorKind::CellCount, 18);
    check(&text(&short.join("\n"), "\nGrid 7\n"), ErrorKind::CellCount, 18);
    check(&text(&good.join("\n").replacen('1', "~", 1), "\n"), ErrorKind::Symbol, 10);
    check(&text(&good.join("\n").replacen('1', "x", 1), "\n"), ErrorKind::DigitTooLarge, 10);
    // Bands apart, and a row missing in the second: its last band belongs to no other grid.
    let bands = |rows: &[&str]| rows.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n\n");
    let missing = [bands(&good[..3]), bands(&good[3..5]), bands(&good[6..])].join("\n\n");
    check(&[bands(&good), missing, bands(&good)].join("\n\n"), ErrorKind::CellCount, 18);
}

#[test]
fn rows_with_a_column_too_many_are_one_error() {
    let text = rows(LINE).iter().map(|row| format!("{row}4")).collect::<Vec<_>>().join("\n");
    let error = error(&text);
    assert_eq!((place(&error), error.length()), ((ErrorKind::CellCount, 1, 10), 1));
    assert_eq!(error.hint(), Some("each of the 9 rows has 10 cells"));
}

#[test]
fn spaces_are_blanks_only_leniently() {
    let text = rows(LINE).join("\n").replace('.', " ");
    let refused = error(&text);
    assert_eq!(refused.kind(), ErrorKind::RowLength);
    assert!(refused.hint().unwrap().contains("leniently"));
    assert_eq!(one_with(&text, &Options::new().lenient(true)).board().to_string(), LINE);
}

#[test]
fn columns_are_found_by_their_names() {
    let entry = one(&format!("id,puzzle,solution,clues,difficulty\n7,{LINE},{FULL},24,2.5\n"));
    assert_eq!((entry.format(), entry.position().line()), (Format::Csv, 2));
    assert_eq!((entry.name(), entry.rating()), (Some("7"), Some("2.5")));
    assert_eq!(entry.solution().unwrap().to_string(), FULL);
    assert_eq!(one(&format!("quizzes,solutions\n{LINE},{FULL}")).solution().unwrap().to_string(), FULL);
    assert_eq!(one(&format!("solution;puzzle\n{FULL};{LINE}")).board().to_string(), LINE);
    assert_eq!(one(&format!("\"puzzle\",\"comment\"\n\"{LINE}\",\"a, \"\"b\"\"\"")).comment(), Some("a, \"b\""));
    assert_eq!(one(&format!("{LINE},{FULL}")).solution().unwrap().to_string(), FULL);
    assert_eq!(one(&format!("{LINE};{FULL};9.1;hard")).rating(), Some("9.1"));
    let entries = all(&format!("puzzle,count\n{LINE},1\n{LINE},\"2\n,3\n{LINE},x\n{LINE},2+\n"), &Options::new());
    let errors: Vec<_> = entries.iter().filter_map(|entry| entry.as_ref().err().map(place)).collect();
    assert_eq!(errors, [(ErrorKind::Syntax, 3, 83), (ErrorKind::Syntax, 4, 2), (ErrorKind::Syntax, 5, 83)]);
    assert_eq!(entries.len(), 5);
}

#[test]
fn json_boards_come_as_rows_strings_and_objects() {
    let texts = [
        r#"[["1",".",".","2"],["3",".","4","1"],[".","","0"," "],["_","*","?","2"]]"#,
        "[[1,null,0,2],[3,-1,4,1],[0,0,0,0],[0,0,0,2]]",
        "[1,0,0,2,3,0,4,1,0,0,0,0,0,0,0,2]",
        r#""1..23.41.......2""#,
        r#"["1..2","3.41","....","...2"]"#,
        r#"{"puzzle":"1..2 3.41 .... ...2"}"#,
        "{\"board\":\n[[1,0,0,2],\n[3,0,4,1],\n[0,0,0,0],[0,0,0,2]]}",
        r#"{"newboard":{"grids":[{"value":[[1,0,0,2],[3,0,4,1],[0,0,0,0],[0,0,0,2]]}]}}"#,
        r#"[[[1,0,0,2],[3,0,4,1],[0,0,0,0],[0,0,0,2]]]"#,
    ];
    for text in texts {
        assert_eq!(one(text).board().to_string(), "1..23.41.......2", "{text}");
    }
}

#[test]
fn json_lists_are_read_one_by_one() {
    let text = format!(
        "[\"{LINE}\", \"{}\",\n{{\"puzzle\":\"{LINE}\",\"solution\":\"{FULL}\",\"count\":1}}, 5, \"{FULL}\"]",
        &LINE[1..]
    );
    let entries = all(&text, &Options::new());
    assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, false, true]);
    assert_eq!(place(entries[1].as_ref().unwrap_err()).0, ErrorKind::CellCount);
    assert_eq!(entries[2].as_ref().unwrap().count(), Some(Count::exactly(1)));
    assert_eq!(place(entries[3].as_ref().unwrap_err()), (ErrorKind::Syntax, 2, 202));
    assert_eq!(entries[2].as_ref().unwrap().position().line(), 2);
}

#[test]
fn json_lines_stand_for_themselves() {
    let text = format!(
        "{{\"puzzle\":\"{LINE}\",\"name\":\"a\"}}\n{{\"puzzle\":\"{LINE}\"\n\n{{\"quiz\":\"{LINE}\",\"answer\":\"{FULL}\"}}\n"
    );
    let entries = all(&text, &Options::new());
    assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(entries[0].as_ref().unwrap().format(), Format::JsonLines);
    assert_eq!(
        (entries[1].as_ref().unwrap_err().kind(), entries[1].as_ref().unwrap_err().position().line()),
        (ErrorKind::Syntax, 2)
    );
    assert_eq!(entries[2].as_ref().unwrap().solution().unwrap().to_string(), FULL);
}

#[test]
fn json_objects_name_their_rules() {
    let six = format!("\"{}\"", ".".repeat(36));
    assert_eq!(one(&format!("{{\"puzzle\":{six},\"rules\":\"2x3\"}}")).board().rules().to_string(), "2x3");
    assert_eq!(error(&format!("{{\"puzzle\":{six}}}")).kind(), ErrorKind::BlockShape);
    let unknown = error(&format!("{{\"puzzle\":{six},\"rules\":\"2x3+digonals\"}}"));
    assert_eq!(place(&unknown), (ErrorKind::Rules, 1, 58));
    assert_eq!(unknown.message(), "no rules are called `digonals`; did you mean `diagonals`?");
    let jigsaw = one(r#"{"puzzle":"1...............","regions":"1122112233443344"}"#);
    assert_eq!(jigsaw.board().rules(), &Rules::jigsaw(&[1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]).unwrap());
    let name = |text: &str| one(text).board().rules().name().to_owned();
    assert_eq!(name(r#"{"puzzle":".........","rules":"latin:3+diagonals"}"#), "latin:3+diagonals");
    let both = r#"{"puzzle":"................","regions":"1122112233443344","rules":"diagonals"}"#;
    assert_eq!(name(both), "jigsaw:1122112233443344+diagonals");
    assert_eq!(name(&both.replace("diagonals", "jigsaw")), "jigsaw:1122112233443344");
    assert_eq!(error(&both.replace("diagonals", "3x3")).kind(), ErrorKind::Rules);
    let marks = one(r#"{"puzzle":"1...","rules":"1x2","candidates":["1","12","12","2"]}"#);
    assert_eq!(marks.restrictions().unwrap()[1].to_string(), "12");
    let left_out = one(r#"{"puzzle":"1...","rules":"1x2","candidates":["","12","12",""]}"#);
    assert_eq!(left_out.restrictions().unwrap().iter().map(|set| set.len()).collect::<Vec<_>>(), [1, 2, 2, 0]);
    assert!(left_out.puzzle().is_ok());
    assert_eq!(marks.restrictions().unwrap().len(), 4);
}

#[test]
fn even_and_odd_cells_restrict_candidates() {
    let entry = one(r#"{"puzzle":"1...............","candidates":"oe.. .... .... ...E"}"#);
    let sets = entry.restrictions().unwrap();
    assert_eq!([0, 1, 2, 15].map(|i: usize| sets[i].to_string()), ["13", "24", "1234", "24"]);
    assert!(entry.puzzle().unwrap().restrictions().is_some());
    let excluded = one(r#"{"puzzle":"1...............","candidates":"e..............."}"#);
    assert_eq!(excluded.puzzle().unwrap_err().to_string(), "the given 1 at r1c1 is not among its own candidates");
    assert_eq!(place(&error(r#"{"puzzle":"1...............","candidates":"x..............."}"#)), (ErrorKind::Symbol, 1, 44));
    assert_eq!(error(r#"{"puzzle":"1...............","candidates":"e.."}"#).kind(), ErrorKind::CellCount);
}

#[test]
fn csv_lines_name_their_rules() {
    let text = "puzzle,regions,rules\n................,,2x2+diagonals\n.........,,latin:3\n................,1122112233443344,x\n\
                ................,1122112233443344,\n................,,\n................,,2x2+digonals\n.........,,2x2\n";
    let entries = all(text, &Options::new());
    let names: Vec<String> = entries[..5].iter().map(|entry| entry.as_ref().unwrap().board().rules().name().to_owned()).collect();
    assert_eq!(names, ["2x2+diagonals", "latin:3", "jigsaw:1122112233443344+diagonals", "jigsaw:1122112233443344", "2x2"]);
    assert_eq!(place(entries[5].as_ref().unwrap_err()), (ErrorKind::Rules, 7, 19));
    assert_eq!(entries[6].as_ref().unwrap_err().kind(), ErrorKind::CellCount);
    let classic = one(&format!("puzzle,rules\n{LINE},3x3"));
    assert_eq!(classic.board().to_string(), LINE);
}

#[test]
fn json_errors_have_a_place() {
    assert_eq!(place(&error("[[1,2],\n[3,x]]")), (ErrorKind::Syntax, 2, 4));
    assert_eq!(place(&error("[[1,0,0,0],\n[0,0,7,0],[0,0,0,0],[0,0,0,0]]")), (ErrorKind::DigitTooLarge, 2, 6));
    assert_eq!(place(&error("[[1,0,0,0],\n[0,0,0],[0,0,0,0],[0,0,0,0]]")), (ErrorKind::RowLength, 2, 1));
    assert_eq!(place(&error("{\"puzzle\":")), (ErrorKind::Syntax, 1, 11));
    assert_eq!(place(&error("{\"puzle\":1}")).0, ErrorKind::Syntax);
    assert_eq!(place(&error("[{\"puzzle\":\"....1.......~...\"}]")), (ErrorKind::Symbol, 1, 25));
}

#[test]
fn initialisers_are_found_among_code() {
    let rows: Vec<String> =
        rows(LINE).iter().map(|row| row.replace('.', "0").chars().map(String::from).collect::<Vec<_>>().join(",")).collect();
    let board = format!("{{ {{{}}} }}", rows.join("},\n {"));
    let entry = one(&format!("// a puzzle\nint[][] grid = {board};\n"));
    assert_eq!((entry.format(), entry.board().to_string().as_str()), (Format::Array, LINE));
    assert_eq!(one(&format!("const int g[9][9] = {board};")).board().to_string(), LINE);
    assert_eq!(all(&format!("int a[2][9][9] = {{ {board},\n{board} }};"), &Options::new()).len(), 2);
    assert_eq!(all(&format!("int a[9][9] = {board}; int b[9][9] = {board};"), &Options::new()).len(), 2);
    let chars = format!("char a[16] = {{ '1',{} '4' }};", "'.',".repeat(14));
    assert_eq!(one(&chars).board().to_string(), "1..............4");
    assert_eq!(one("String[] s = {\"12..\", \"34..\", \"....\", \"....\"};").board().to_string(), "12..34..........");
    assert_eq!(error("int a[][] = { {1,0}, {0} };").kind(), ErrorKind::RowLength);
    assert_eq!(place(&error("int a[] = {\n1,2,{")).0, ErrorKind::Syntax);
}

#[test]
fn sadman_files_have_headers_and_sections() {
    let text = format!(
        "#ASomeone\n#DA puzzle\n#CFor a rainy day\n#LHard\n[Puzzle]\n{}\n[State]\n{}\n[Colors]\nwhatever\n",
        rows(LINE).join("\n"),
        rows(FULL).join("\n")
    );
    let entry = one(&text);
    assert_eq!((entry.format(), entry.board().to_string().as_str()), (Format::Sdk, LINE));
    assert_eq!(
        (entry.name(), entry.rating(), entry.comment()),
        (Some("A puzzle"), Some("Hard"), Some("Someone; For a rainy day"))
    );
    assert_eq!(entry.state().unwrap().to_string(), FULL);
    assert_eq!(error(&text.replacen("1....", "1...", 1)).position().line(), 6);
    // A collection may have a title above its first puzzle.
    let entries = all(&format!("\u{feff}my best ones\n{LINE}\n{LINE}\n"), &Options::new());
    assert_eq!(entries.iter().filter(|entry| entry.is_ok()).count(), 2);
    assert_eq!(entries.len(), 2);
}

#[test]
fn simple_sudoku_files_may_end_with_remarks() {
    let mut text = String::new();
    for (i, row) in rows(LINE).iter().enumerate() {
        text += if i == 3 || i == 6 { "-----------\n" } else { "" };
        text += &format!("{}|{}|{}\n", &row[..3], &row[3..6], &row[6..]);
    }
    text += "\nsolved with singles alone@Row 1\n";
    assert_eq!(one(&text).board().to_string(), LINE);
}

#[test]
fn opensudoku_files_have_one_element_a_game() {
    let zeros = LINE.replace('.', "0");
    let text = format!(
        "<?xml version=\"1.0\"?>\n<opensudoku>\n<name>A &amp; B</name>\n<level>hard</level>\n<game data=\"{zeros}\" />\n<game data=\"{}\" note=\"x &lt; y\"/>\n<game data=\"{zeros}\"></game></opensudoku>",
        &zeros[1..]
    );
    let entries = all(&text, &Options::new());
    assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    let first = entries[0].as_ref().unwrap();
    assert_eq!((first.name(), first.rating(), first.board().to_string().as_str()), (Some("A & B"), Some("hard"), LINE));
    assert_eq!(place(entries[1].as_ref().unwrap_err()), (ErrorKind::CellCount, 6, 93));
    // A game in play: what was not given is for the player to find.
    let cells: String =
        FULL.chars().zip(LINE.chars()).map(|(digit, given)| format!("{digit}|-|{}|", u8::from(given == '.'))).collect();
    let saved =
        format!("<opensudoku><folder name=\"mine\"><game state=\"1\" data=\"version: 1&#10;{cells}\"/></folder></opensudoku>");
    let board: String = FULL.chars().zip(LINE.chars()).map(|(digit, given)| if given == '.' { '.' } else { digit }).collect();
    assert_eq!(one(&saved).board().to_string(), board);
    assert_eq!(one(&saved).name(), Some("mine"));
    assert_eq!(one(&saved.replace("|-|", "|1|2|").replace("version: 1", "version: 4")).board().to_string(), board);
    assert_eq!(error(&saved.replacen("|-|", "|", 1)).kind(), ErrorKind::CellCount);
    assert_eq!(error("<html></html>").kind(), ErrorKind::UnknownFormat);
    assert_eq!(error("<opensudoku><game data=\"1").kind(), ErrorKind::Syntax);
}

#[test]
fn hodoku_lines_tell_givens_from_placed_digits() {
    let cells = LINE.replacen('.', "+7", 1);
    let entry = one(&format!(":0300:4:{cells}:313 812:r1c2:: two: parts"));
    assert_eq!((entry.format(), entry.name(), entry.comment()), (Format::Hodoku, Some("0300"), Some("two: parts")));
    assert_eq!(entry.board().to_string(), LINE);
    assert_eq!(entry.state().unwrap().to_string(), LINE.replacen('.', "7", 1));
    let sets = entry.restrictions().unwrap();
    assert_eq!(sets[2].to_string(), "12456789");
    assert_eq!(sets[1].to_string(), "12345679");
    assert_eq!(sets[0].to_string(), "1");
    assert_eq!(error(&format!(":0000:x:{LINE}:6170:::")).kind(), ErrorKind::Syntax);
    assert_eq!(error(":0000:x").kind(), ErrorKind::Syntax);
    assert_eq!(error(&format!(":0000:x:{LINE}+::::")).kind(), ErrorKind::Syntax);
}

#[test]
fn addresses_hold_a_board_or_pencil_marks() {
    let zeros = LINE.replace('.', "0");
    let entry = one(&format!("https://www.sudokuwiki.org/sudoku.htm?bd={zeros}&x=1"));
    assert_eq!((entry.format(), entry.board().to_string().as_str()), (Format::Link, LINE));
    assert_eq!(one(&format!("http://a.b/?bd={}", LINE.replace('.', "%2E"))).board().to_string(), LINE);
    assert_eq!(error(&format!("http://a.b/?bd={}", &zeros[1..])).kind(), ErrorKind::CellCount);
    assert_eq!(error("http://a.b/?bd=S9B0102").kind(), ErrorKind::CellCount);
    assert_eq!(error("http://a.b/?bd=%zz").kind(), ErrorKind::Syntax);
}

#[test]
fn pencil_marks_come_as_729_characters_or_as_a_grid() {
    let marks: String = LINE
        .chars()
        .map(|cell| {
            if cell == '.' {
                "12345678.".into()
            } else {
                "123456789".chars().map(|digit| if digit == cell { digit } else { '.' }).collect::<String>()
            }
        })
        .collect();
    let entry = one(&marks);
    assert_eq!((entry.format(), entry.board().to_string().as_str()), (Format::PencilLine, LINE));
    assert_eq!(entry.restrictions().unwrap()[1].to_string(), "12345678");
    // A cell without candidates is no error here: the puzzle has no solution, which is for a solver to say.
    assert_eq!(one(&".".repeat(729)).restrictions().unwrap()[0].len(), 0);
    assert_eq!(error(&marks.replacen("12", "21", 1)).kind(), ErrorKind::Symbol);
    let words: Vec<String> = LINE.chars().map(|cell| if cell == '.' { "12345678".into() } else { cell.to_string() }).collect();
    let grid: Vec<String> = words
        .chunks(9)
        .map(|row| format!("| {} | {} | {} |", row[..3].join(" "), row[3..6].join(" "), row[6..].join("   ")))
        .collect();
    let border = ".------------.------.------.";
    let text = format!(
        "{border}\n{}\n:------------+------+------:\n{}\n:------------+------+------:\n{}\n'------------'------'------'",
        grid[..3].join("\n"),
        grid[3..6].join("\n"),
        grid[6..].join("\n")
    );
    let entry = one(&text);
    assert_eq!((entry.format(), entry.board().to_string().as_str()), (Format::PencilGrid, LINE));
    assert_eq!(entry.restrictions().unwrap()[1].to_string(), "12345678");
}

#[test]
fn large_boards_count_from_one_zero_or_a() {
    let first = |text: &str| one(text).board().as_bytes()[..3].to_vec();
    let rest = ".".repeat(253);
    assert_eq!(first(&format!("1FG{rest}")), [1, 15, 16]);
    assert_eq!(first(&format!("1fg{rest}")), [1, 15, 16]);
    assert_eq!(first(&format!("01F{rest}")), [1, 2, 16]);
    assert_eq!(first(&format!("0G1{}", "0".repeat(253))), [0, 16, 1]);
    assert_eq!(first(&format!("APB{rest}")), [1, 16, 2]);
    // 0 is a blank or a digit, letters count from A as 1 or as 10: refused, not guessed.
    let zero = error(&format!("0F1{}", "0".repeat(253)));
    assert_eq!(place(&zero), (ErrorKind::AmbiguousSymbols, 1, 1));
    let letters = error(&format!("ABC{rest}"));
    assert_eq!(place(&letters), (ErrorKind::AmbiguousSymbols, 1, 1));
    let told = |symbols: Symbols, text: &str| one_with(text, &Options::new().symbols(symbols)).board().as_bytes()[..3].to_vec();
    assert_eq!(told(Symbols::FromZero, &format!("0F1{}", "0".repeat(253))), [1, 16, 2]);
    assert_eq!(told(Symbols::FromOne, &format!("0F1{}", "0".repeat(253))), [0, 15, 1]);
    assert_eq!(told(Symbols::Letters, &format!("ABC{rest}")), [1, 2, 3]);
    assert_eq!(told(Symbols::FromOne, &format!("ABC{rest}")), [10, 11, 12]);
    // Letters on a board of side 9 are clear.
    assert_eq!(first(&format!("AIB{}", ".".repeat(78))), [1, 9, 2]);
}

#[test]
fn decimal_numbers_stand_apart() {
    let numbers: Vec<String> = (0..256).map(|i| (i * 7 % 17).to_string()).collect();
    let bytes: Vec<u8> = numbers.iter().map(|number| number.parse().unwrap()).collect();
    let grid: Vec<String> = numbers.chunks(16).map(|row| row.join(" ")).collect();
    for text in [grid.join("\n"), numbers.join(" "), numbers.join(","), grid.join("\n").replace(' ', "\t")] {
        let entry = one(&text);
        assert_eq!((entry.format(), entry.board().as_bytes()), (Format::Decimal, &bytes[..]), "{text}");
    }
    let over = error(&grid.join("\n").replacen("16", "17", 1));
    assert_eq!(over.kind(), ErrorKind::DigitTooLarge);
    assert_eq!(over.length(), 2);
}

#[test]
fn jigsaws_have_a_region_map() {
    let (cells, map) = ("1...............", "1112133222334444");
    let rules = Rules::jigsaw(map.as_bytes()).unwrap();
    let line = one(&format!("{cells}:{map}:1234341221434321"));
    assert_eq!((line.format(), line.board().rules()), (Format::JigsawLine, &rules));
    assert_eq!(line.solution().unwrap().to_string(), "1234341221434321");
    let grid = |line: &str| (0..4).map(|row| line[4 * row..4 * row + 4].to_string()).collect::<Vec<_>>().join("\n");
    let grids = one(&format!("{}\n\n{}\n", grid(cells), grid(map)));
    assert_eq!((grids.format(), grids.board()), (Format::Jigsaw, line.board()));
    assert_eq!(
        error_with(&format!("{cells}:{}", map.replacen('1', "2", 1)), &Options::new().format(Format::JigsawLine)).kind(),
        ErrorKind::Regions
    );
    assert_eq!(error_with(&grid(cells), &Options::new().format(Format::Jigsaw)).kind(), ErrorKind::Regions);
    let small = error_with(&format!("{cells}:123123123"), &Options::new().format(Format::JigsawLine));
    assert_eq!(place(&small), (ErrorKind::Regions, 1, 18));
    // A solution is no region map, so this is two boards.
    assert_eq!(all(&format!("{}\n\n{}\n", grid(cells), grid("1234341221434321")), &Options::new()).len(), 2);
}

#[test]
fn one_bad_jigsaw_costs_that_jigsaw_alone() {
    let grid = |line: &str| (0..4).map(|row| line[4 * row..4 * row + 4].to_string()).collect::<Vec<_>>().join("\n");
    let (cells, map) = (grid("1..............."), grid("1112133222334444"));
    let good = format!("{cells}\n\n{map}\n\n");
    for bad in [
        format!("{}\n\n{map}\n\n", cells.replacen('1', "~", 1)),
        format!("{cells}\n\n{}\n\n", map.replacen('1', "2", 1)),
        format!("{}\n\n{map}\n\n", &cells[5..]),
        format!("{cells}\n\n{}\n\n", &map[5..]),
        format!("{cells}\n\n"),
    ] {
        let entries = all(&[good.as_str(), &bad, &good, &good].concat(), &Options::new());
        assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, true], "{bad}");
    }
    let named = all(&format!("Puzzle 1\n{cells}\nRegions:\n{map}\n").repeat(2), &Options::new().format(Format::Jigsaw));
    assert_eq!(named.iter().map(|entry| entry.as_ref().unwrap().name()).collect::<Vec<_>>(), [Some("Puzzle 1"); 2]);
}

#[test]
fn bytes_that_are_no_text_cost_their_grid_alone() {
    let good = rows(LINE).join("\n");
    let bands = good.split('\n').collect::<Vec<_>>().chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n\n");
    for text in [&good, &bands] {
        let mut bytes = format!("{text}\n\n").into_bytes();
        let middle = bytes.len();
        bytes.extend(format!("{text}\n\n{text}\n").bytes());
        bytes[middle + 12] = 0xff;
        let entries: Vec<_> = read(&bytes, &Options::new()).collect();
        assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(entries[1].as_ref().unwrap_err().kind(), ErrorKind::Encoding);
    }
    // In the part of a broken grid that is passed over it belongs to that grid.
    let broken = bands.replacen("\n", "\n\n", 1);
    let mut bytes = format!("{bands}\n\n{broken}\n\n{bands}\n").into_bytes();
    let place = bytes.len() - bands.len() - 5;
    bytes[place] = 0xff;
    let entries: Vec<_> = read(&bytes, &Options::new()).collect();
    assert!(entries[0].is_ok() && entries.last().unwrap().is_ok(), "{entries:?}");
    assert!(entries.iter().filter(|entry| entry.is_err()).count() <= 2);
}

#[test]
fn what_could_be_two_things_is_refused_with_both_named() {
    let ten = error(&".".repeat(100));
    assert_eq!(ten.kind(), ErrorKind::BlockShape);
    assert_eq!(ten.message(), "100 cells make a 10×10 board, which needs a block shape: 2x5 or 5x2");
    assert_eq!(one_with(&".".repeat(100), &rules("2x5")).board().rules().to_string(), "2x5");
    let sixteen = format!("{}\n", "1..4.2.3....1...\n".repeat(16).trim());
    let both = error(&sixteen);
    assert_eq!(both.kind(), ErrorKind::AmbiguousFormat);
    assert!(both.message().contains("side 4") && both.message().contains("side 16"));
    assert_eq!(all(&sixteen, &rules("2x2")).len(), 16);
    assert_eq!(all(&sixteen, &rules("4x4")).len(), 1);
    assert_eq!(all(&sixteen, &Options::new().format(Format::Line)).len(), 16);
    assert_eq!(all(&"1..4.2.3....1...\n".repeat(17), &Options::new()).len(), 17);
    let row = "1 2 3 4 5 6 7 8 9 12 13 14 15 1 2 3";
    let numbers = error(&[row; 16].join("\n"));
    assert_eq!(numbers.kind(), ErrorKind::AmbiguousFormat);
    assert_eq!(numbers.hint(), Some("name the format: decimal or pencil-grid"));
}

#[test]
fn a_named_format_is_not_looked_for() {
    let options = Options::new().format(Format::Grid);
    assert_eq!(error_with(LINE, &options).kind(), ErrorKind::CellCount);
    assert_eq!(error_with(LINE, &Options::new().format(Format::Json)).kind(), ErrorKind::Syntax);
    assert_eq!(error_with(LINE, &Options::new().format(Format::OpenSudoku)).kind(), ErrorKind::UnknownFormat);
    assert_eq!(one_with(LINE, &Options::new().format(Format::Sdm)).format(), Format::Sdm);
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(*format));
    }
    assert!("lines".parse::<Format>().unwrap_err().to_string().contains("line"));
}

#[test]
fn text_without_puzzles_is_empty_or_refused() {
    for text in ["", "\n", "  \n\t", "# nothing\n\n#\n", "\u{feff}", "// x", "[]", "===="] {
        assert!(all(text, &Options::new()).is_empty(), "{text:?}");
    }
    assert_eq!(place(&error("hello there\nworld\n")), (ErrorKind::UnknownFormat, 1, 1));
    assert_eq!(place(&error("\n  !!!")), (ErrorKind::UnknownFormat, 2, 3));
}

#[test]
fn a_lenient_reader_picks_puzzles_out_of_prose() {
    let text = format!("My favourite puzzle is \"{LINE}\", really.\nAnd some more words.\n<p>{FULL}</p>\n{}\n", &LINE[..79]);
    let entries = all(&text, &Options::new().lenient(true));
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[0].as_ref().unwrap().board().to_string(), LINE);
    assert_eq!(entries[0].as_ref().unwrap().position().column(), 25);
    assert_eq!(entries[1].as_ref().unwrap().board().to_string(), FULL);
    // What was probably meant for a puzzle is still an error.
    assert_eq!(place(entries[2].as_ref().unwrap_err()).1, 4);
    let page = format!("<html><body><td>{LINE}</td></body></html>");
    assert_eq!(one_with(&page, &Options::new().lenient(true)).board().to_string(), LINE);
}

#[test]
fn every_encoding_reads_the_same() {
    let text = format!("{LINE}\n{LINE} # caf\u{e9} \u{1f600}\n");
    let utf16 = |big: bool| -> Vec<u8> {
        "\u{feff}"
            .chars()
            .chain(text.chars())
            .collect::<String>()
            .encode_utf16()
            .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
            .collect()
    };
    let crlf = text.replace('\n', "\r\n").into_bytes();
    let bom = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    let no_end = text.trim_end().as_bytes().to_vec();
    for bytes in [text.clone().into_bytes(), utf16(true), utf16(false), crlf, bom, no_end] {
        let entries: Vec<Entry> = read(&bytes, &Options::new()).map(Result::unwrap).collect();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[1].comment(), Some("caf\u{e9} \u{1f600}"));
        assert_eq!(entries[1].position().line(), 2);
    }
    // Half a surrogate pair is no text, and costs its line alone.
    let mut broken = utf16(false);
    broken.splice(2..4, [0x00, 0xd8]);
    let entries: Vec<_> = read(&broken, &Options::new()).collect();
    assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    assert_eq!(place(entries[0].as_ref().unwrap_err()), (ErrorKind::Encoding, 1, 1));
}
