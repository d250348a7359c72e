//! Text in any script at any width.

use dreamtop::tui::event::AppEvent;

use super::stage::{Setting, Stage};

const NAMES: &[(&str, &str)] = &[
    ("cyrillic", "Интеграционные тесты ходят в настоящую базу"),
    ("japanese", "デプロイは木曜日です。金曜日は休みます"),
    ("family", "family 👨‍👩‍👧‍👦 and flags 🇩🇪🇯🇵🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 👍🏽"),
    ("hangul", "각각 한글 decomposed"),
    ("combining", "e\u{301}tude nai\u{308}ve Z\u{335}\u{321}a\u{327}\u{34f}lgo"),
    ("tabs", "one\ttwo\tthree"),
    ("arabic", "الاختبارات تعمل على قاعدة بيانات حقيقية"),
];

fn polyglot(width: u16) -> Stage {
    let setting = Setting::new();
    for (file, name) in NAMES {
        let name = name.replace('\t', "\\t");
        let text = format!(
            "---\nname: \"{name}\"\ndescription: \"{name}\"\ntype: project\n---\n\n# {name}\n\n{name} `{name}` **{name}**\n\n| a | {name} |\n|---|---|\n| {name} | b |\n"
        );
        setting.file(&format!("project_{file}.md"), text);
    }
    setting.file(
        "MEMORY.md",
        NAMES.iter().map(|(file, name)| format!("- [{name}](project_{file}.md) — {name}\n")).collect::<String>(),
    );
    setting.open(width, 24)
}

#[test]
fn fc_108_every_script_draws_is_found_and_is_cut_at_every_width() {
    let mut stage = polyglot(120);
    for width in 1..=120 {
        stage.resize(width, 24);
        for _ in NAMES {
            stage.screen();
            stage.press(&["j"]);
        }
        stage.press(&["g"]);
    }
    for query in ["тест", "木曜", "👨‍👩‍👧‍👦", "각", "e\u{301}", "🇩🇪"] {
        stage.press(&["/"]);
        stage.take(AppEvent::Paste(query.to_owned()));
        for width in (20..=120).step_by(7) {
            stage.resize(width, 24);
            assert!(!stage.screen().contains('\u{fffd}'), "{query} at {width}");
        }
        stage.press(&["backspace", "esc"]);
    }
}

#[test]
fn fc_109_the_right_border_is_in_the_same_column_on_each_row() {
    for width in [20, 33, 47, 60, 61, 79, 80, 110, 119, 120, 133] {
        let mut stage = polyglot(width);
        for _ in NAMES {
            let buffer = stage.buffer();
            for y in 1..buffer.area.height - 1 {
                let last = buffer[(width - 1, y)].symbol();
                assert!("│┃┐┓┘┛".contains(last), "row {y} at {width} ends in {last:?}:\n{}", stage.screen());
            }
            stage.press(&["j"]);
        }
    }
}

#[test]
fn fc_109_a_name_that_fits_is_shown_in_full() {
    let mut stage = polyglot(200);
    let mut screens = String::new();
    for _ in NAMES {
        screens.push_str(&stage.screen());
        stage.press(&["j"]);
    }
    for name in [
        "Интеграционные тесты ходят в настоящую базу",
        "デプロイは木曜日です。金曜日は休みます",
        "각각 한글 decomposed",
    ] {
        assert!(screens.contains(name), "{name} is not in\n{screens}");
    }
}

#[test]
fn no_control_character_of_a_file_reaches_the_screen() {
    let setting = Setting::new();
    setting.file(
        "project_evil.md",
        "---\nname: \"evil\\e[31m\\u202e\"\ndescription: \"bell \\a\"\ntype: project\n---\n\n\u{1b}]0;title\u{7} and \u{9b}31m \u{202e}reversed\n",
    );
    setting.file("MEMORY.md", "- [\u{1b}[2J](project_evil.md) — \u{7}\n");
    for width in [40, 80, 120] {
        let mut stage = Setting::open(clone_of(&setting), width, 24);
        for keys in [&[][..], &["enter"], &["esc", "d"]] {
            let screen = stage.press(keys).screen();
            let found = screen.chars().find(|character| *character != '\n' && dreamtop::text::is_unsafe(*character));
            assert_eq!(found, None, "{screen}");
        }
    }
}

fn clone_of(setting: &Setting) -> Setting {
    let copy = Setting::new();
    for entry in std::fs::read_dir(setting.store()).unwrap() {
        let entry = entry.unwrap();
        copy.file(&entry.file_name().to_string_lossy(), std::fs::read(entry.path()).unwrap());
    }
    copy
}

#[test]
fn a_dialog_over_wide_characters_keeps_its_border_in_one_column() {
    let setting = Setting::new();
    for number in 0..30 {
        let name = format!("{}部署窗口和回滚步骤的约定以及负责人名单", "x".repeat(number % 2));
        setting.memory(
            &format!("project_{number:02}.md"),
            "project",
            &name,
            "2026-11-29T10:00:00Z",
            "部署只在星期二进行，提前备份数据库。",
        );
    }
    let mut stage = setting.open(90, 30);
    stage.press(&["d"]);
    let screen = stage.screen();
    let borders: Vec<usize> =
        screen.lines().filter_map(|line| line.find(['╭', '╰']).map(|at| dreamtop::text::width(&line[..at]))).collect();
    assert_eq!(borders.len(), 2, "{screen}");
    assert_eq!(borders[0], borders[1]);
    let inside = screen.lines().skip_while(|line| !line.contains('╭')).take_while(|line| !line.contains('╰')).skip(1);
    for line in inside {
        let (before, _) = line
            .char_indices()
            .map(|(at, _)| line.split_at(at))
            .find(|(before, _)| dreamtop::text::width(before) >= borders[0])
            .unwrap();
        assert_eq!(dreamtop::text::width(before), borders[0], "a character is cut in two: {line}");
    }
}
