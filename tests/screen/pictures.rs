//! The pictures in `assets/` are the real screen, cell by cell.
//!
//! Colours are a terminal's sixteen, so a picture follows the reader's light or dark page as a terminal would.

use std::fmt::Write as _;
use std::path::Path;

use chrono::TimeDelta;
use dreamtop::tui::effect::RunDiffQuestion;
use dreamtop::tui::event::AppEvent;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::readme::going_on;
use crate::review::hold;
use crate::stage::{Setting, Stage, now, usual};

/// Pixels of a cell, and around all of them.
const CELL: (f32, f32) = (8.4, 18.0);
const EDGE: f32 = 12.0;

/// The sixteen colours by number: on a dark page, on a light one.
const PALETTE: [(&str, &str); 16] = [
    ("#1d1f21", "#24292f"),
    ("#e06c75", "#b3261e"),
    ("#98c379", "#2f7a30"),
    ("#d7a35e", "#8a5a00"),
    ("#6cb0f2", "#1f5fbf"),
    ("#c98bdb", "#8a3ea8"),
    ("#57bfc9", "#0b7285"),
    ("#c8ccd4", "#57606a"),
    ("#7d8590", "#8c959f"),
    ("#ff7b86", "#cf222e"),
    ("#b5e890", "#1a7f37"),
    ("#f2c37b", "#9a6700"),
    ("#8cc4ff", "#0969da"),
    ("#dfa8f0", "#8250df"),
    ("#7ce0ea", "#1b7c83"),
    ("#ffffff", "#24292f"),
];
const TEXT: (&str, &str) = ("#d6dae1", "#24292f");
const PAGE: (&str, &str) = ("#15171b", "#ffffff");

fn number(colour: Color) -> Option<usize> {
    Some(match colour {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
        _ => return None,
    })
}

/// The classes of a cell's look.
fn classes(cell: &Cell) -> String {
    let mut classes = Vec::new();
    if cell.modifier.contains(Modifier::REVERSED) {
        classes.push("r".to_owned());
    } else if let Some(number) = number(cell.fg) {
        classes.push(format!("c{number}"));
    }
    for (modifier, class) in [(Modifier::BOLD, "b"), (Modifier::DIM, "d"), (Modifier::UNDERLINED, "u")] {
        if cell.modifier.contains(modifier) {
            classes.push(class.to_owned());
        }
    }
    classes.join(" ")
}

/// Cells of one look beside each other: from which column, how many columns, which text.
struct Run {
    from: u16,
    columns: usize,
    text: String,
    classes: String,
}

/// The runs of a row. A wide character is one of its own, so that it takes exactly its columns in any font.
fn runs(buffer: &Buffer, y: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut x = 0;
    while x < buffer.area.width {
        let cell = &buffer[(x, y)];
        let (symbol, classes) = (cell.symbol(), classes(cell));
        let columns = dreamtop::text::width(symbol).max(1);
        match runs.last_mut() {
            Some(run) if run.classes == classes && columns == 1 && run.text.chars().count() == run.columns => {
                run.text.push_str(symbol);
                run.columns += 1;
            }
            _ => runs.push(Run { from: x, columns, text: symbol.to_owned(), classes }),
        }
        x += u16::try_from(columns).unwrap();
    }
    runs.retain(|run| !run.text.trim().is_empty() || run.classes.contains('r'));
    runs
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn style() -> String {
    let mut style = String::from(
        "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}\
         .b{font-weight:700}.d{opacity:.62}.u{text-decoration:underline}",
    );
    let theme = |of: fn(&(&'static str, &'static str)) -> &'static str| {
        let mut theme = format!(".page{{fill:{}}}text{{fill:{}}}.bar{{fill:{}}}", of(&PAGE), of(&TEXT), of(&TEXT));
        theme.push_str(&format!(".r{{fill:{}}}", of(&PAGE)));
        for (number, colours) in PALETTE.iter().enumerate() {
            theme.push_str(&format!(".c{number}{{fill:{}}}", of(colours)));
        }
        theme
    };
    style.push_str(&theme(|it| it.1));
    write!(style, "@media(prefers-color-scheme:dark){{{}}}", theme(|it| it.0)).unwrap();
    style
}

/// A buffer as a picture.
fn svg(buffer: &Buffer, title: &str) -> String {
    let (width, height) = (f32::from(buffer.area.width) * CELL.0, f32::from(buffer.area.height) * CELL.1);
    let (wide, high) = (width + 2.0 * EDGE, height + 2.0 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.1} {high:.1}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{}</style>\n<rect class=\"page\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"8\"/>\n",
        style()
    );
    for y in 0..buffer.area.height {
        let top = EDGE + f32::from(y) * CELL.1;
        for run in runs(buffer, y) {
            let left = EDGE + f32::from(run.from) * CELL.0;
            let long = run.columns as f32 * CELL.0;
            if run.classes.contains('r') {
                let rect = format!(
                    "<rect class=\"bar\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{long:.1}\" height=\"{:.1}\"/>",
                    CELL.1
                );
                svg.push_str(&rect);
            }
            let class = if run.classes.is_empty() { String::new() } else { format!(" class=\"{}\"", run.classes) };
            let text = escaped(&run.text);
            writeln!(
                svg,
                "<text{class} x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{long:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
                 xml:space=\"preserve\">{text}</text>",
                top + 13.5
            )
            .unwrap();
        }
    }
    svg + "</svg>\n"
}

/// Compares a picture with the one in `assets/`, or puts it there.
fn check(stage: &Stage, name: &str, title: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    let wanted = svg(&stage.buffer(), title);
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&path, wanted).unwrap();
        return;
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == wanted, "{name} is stale: refresh it with UPDATE_README=1 cargo test --test screen pictures");
}

fn dreaming() -> Stage {
    let mut stage = Setting::sample().open(112, 27);
    let run = going_on(stage.store());
    stage.take(AppEvent::Runs(vec![std::sync::Arc::new(run)]));
    stage
}

#[test]
fn the_picture_of_the_dashboard_is_the_real_screen() {
    let mut stage = dreaming();
    stage.press(&["j"]);
    check(&stage, "dashboard.svg", "The dashboard: index, memories by need, preview, and a dream going on");
}

#[test]
fn the_picture_of_the_dream_is_the_real_screen() {
    let mut stage = dreaming();
    stage.press(&["shift-down"]);
    // What the working copy of a real run would answer.
    let file = "project_deploy_day.md".to_owned();
    let before = std::fs::read_to_string(stage.store().join(&file)).unwrap();
    let after = before.replace("Friday", "Tuesday");
    assert_ne!(before, after, "the sample speaks of another day: {before}");
    let question =
        RunDiffQuestion { store: stage.store().to_owned(), run: "dream-20261130T085918-4f2a7c".to_owned(), file };
    stage.take(AppEvent::RunDiff { question, result: Ok((Some(before.into_bytes()), Some(after.into_bytes()))) });
    check(&stage, "dream.svg", "The dialog of a dream: phases, sessions, files touched");
}

#[test]
fn the_picture_of_triage_is_the_real_screen() {
    let mut stage = Setting::sample().open(112, 27);
    stage.press(&["t"]);
    stage.take(AppEvent::Time(now() + TimeDelta::milliseconds(4_200)));
    stage.press(&["y"]);
    check(&stage, "triage.svg", "Triage: one memory with its evidence, one key a verdict");
}

#[test]
fn the_picture_of_a_review_is_the_real_screen() {
    let mut stage = usual().open(112, 27);
    hold(&mut stage);
    stage.press(&["enter"]);
    check(&stage, "review.svg", "The review of a held change: reasons, hunks, sources");
}

#[test]
fn in_a_picture_every_run_starts_at_its_column_and_wide_characters_take_two() {
    let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 12, 1));
    buffer.set_string(0, 0, "a上b<&c", ratatui::style::Style::new());
    let runs = runs(&buffer, 0);
    let places: Vec<(u16, usize, &str)> = runs.iter().map(|run| (run.from, run.columns, run.text.as_str())).collect();
    assert_eq!(places, [(0, 1, "a"), (1, 2, "上"), (3, 9, "b<&c     ")]);
    let picture = svg(&buffer, "t");
    assert!(picture.contains("x=\"37.2\"") && picture.contains("b&lt;&amp;c"), "{picture}");
}
