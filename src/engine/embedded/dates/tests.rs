#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[test]
fn every_phrase_compiles() {
    assert_eq!(phrases::uncompiled(), 0);
    assert!(YEARLY.is_whole() && beside::are_whole() && ABSOLUTE.is_whole() && SAID.is_whole() && HABIT.is_whole());
}

/// Said on Saturday 2026-04-04 unless the row says otherwise; the result in the compact style.
#[test]
fn phrases_mean_what_people_mean_by_them() {
    let saturday = "2026-04-04";
    let rows: &[(&str, &str, &str)] = &[
        (saturday, "it broke yesterday", "it broke 2026-04-03"),
        (saturday, "yesterday's outage", "2026-04-03 outage"),
        (saturday, "the day before yesterday we lost it", "2026-04-02 we lost it"),
        (saturday, "today is the demo", "2026-04-04 is the demo"),
        (saturday, "last night the job died", "2026-04-03 the job died"),
        (saturday, "tomorrow morning", "2026-04-05"),
        (saturday, "the day after tomorrow", "2026-04-06"),
        (saturday, "freeze next week", "freeze 2026-04-06 to 2026-04-12"),
        (saturday, "last week", "in the week of 2026-03-23"),
        (saturday, "this week", "2026-03-30 to 2026-04-05"),
        (saturday, "next month", "2026-05"),
        (saturday, "last month", "2026-03"),
        (saturday, "last quarter", "2026-Q1"),
        (saturday, "next quarter", "2026-Q3"),
        (saturday, "last year", "2025"),
        (saturday, "launch next Thursday", "launch 2026-04-09"),
        (saturday, "last Thursday", "last Thursday (2026-04-02?)"),
        ("2026-04-01", "last Thursday", "2026-03-26"),
        ("2026-03-31", "next Thursday", "next Thursday (2026-04-09?)"),
        (saturday, "this Friday", "this Friday (2026-04-10?)"),
        ("2026-04-01", "this Friday", "2026-04-03"),
        (saturday, "done by Thursday", "done by 2026-04-09"),
        (saturday, "due Friday", "due 2026-04-10"),
        (saturday, "by EOD Friday", "by EOD 2026-04-10"),
        (saturday, "we are freezing merges after Thursday", "we are freezing merges after 2026-04-09"),
        (saturday, "the deploy failed on Thursday", "the deploy failed on 2026-04-02"),
        (saturday, "it will ship on Thursday", "it will ship on 2026-04-09"),
        (saturday, "since Monday", "since 2026-03-30"),
        (saturday, "ship in two weeks", "ship on 2026-04-18"),
        (saturday, "in 3 days", "on 2026-04-07"),
        (saturday, "two weeks ago", "2026-03-21"),
        (saturday, "a month from now", "on 2026-05-04"),
        (saturday, "by the end of the month", "by 2026-04-30"),
        (saturday, "end of next quarter", "2026-09-30"),
        (saturday, "the freeze starts on March 30", "the freeze starts on 2026-03-30"),
        ("2026-11-28", "launch on January 5th", "launch on 2027-01-05"),
        ("2026-12-31", "tomorrow", "2027-01-01"),
        ("2028-02-28", "tomorrow", "2028-02-29"),
        ("2027-01-01", "this week", "2026-12-28 to 2027-01-03"),
        ("2026-01-31", "in a month", "on 2026-02-28"),
        // What is left alone.
        (saturday, "never deploy on Fridays", "never deploy on Fridays"),
        (saturday, "by Saturday", "by Saturday (2026-04-11?)"),
        (saturday, "these days", "these days"),
        (saturday, "the last week of the month", "the last week of the month"),
        (saturday, "we built it in two days", "we built it in two days"),
        (saturday, "`yesterday` and \"next week\"", "`yesterday` and \"next week\""),
        (saturday, "see https://a.example/today", "see https://a.example/today"),
        (saturday, "read notes/tomorrow.md", "read notes/tomorrow.md"),
        (saturday, "# Yesterday", "# Yesterday"),
        (saturday, "on March 5, 2026", "on March 5, 2026"),
        (saturday, "the week of the launch", "the week of the launch"),
        (saturday, "on 3/4 we ship", "on 3/4 we ship"),
        (saturday, "Thursday", "Thursday"),
        // Other languages.
        (saturday, "wir haben das gestern entschieden", "wir haben das 2026-04-03 entschieden"),
        (saturday, "der Freeze beginnt nächste Woche", "der Freeze beginnt 2026-04-06 to 2026-04-12"),
        (saturday, "das muss bis Freitag fertig sein", "das muss bis 2026-04-10 fertig sein"),
        (saturday, "das ist in zwei Wochen fällig und wir wissen das", "das ist 2026-04-18 fällig und wir wissen das"),
        (saturday, "guten Morgen, das ist nicht gut", "guten Morgen, das ist nicht gut"),
        (saturday, "le gel commence la semaine prochaine", "le gel commence 2026-04-06 to 2026-04-12"),
        (saturday, "il y a deux semaines nous avons eu une panne", "2026-03-21 nous avons eu une panne"),
        (saturday, "la demo es la semana que viene", "la demo es 2026-04-06 to 2026-04-12"),
        (saturday, "hace dos días falló el despliegue de la API", "2026-04-02 falló el despliegue de la API"),
        (saturday, "下周四上线", "2026-04-09上线"),
        (saturday, "昨天决定的", "2026-04-03决定的"),
        (saturday, "以后天天测试", "以后天天测试"),
        (saturday, "三天后发布", "2026-04-07发布"),
        (saturday, "来週の木曜日にリリースします", "2026-04-09にリリースします"),
        (saturday, "昨日決めました", "2026-04-03決めました"),
        (saturday, "3日前に落ちました", "2026-04-01に落ちました"),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(said, text, expected)| (*said, *expected, resolve(text, day(said), Style::Compact, Care::Event)))
        .filter(|(_, expected, found)| expected != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Said on Tuesday 2026-11-24.
#[test]
fn what_stands_beside_a_phrase_counts() {
    let rows: &[(&str, &str)] = &[
        (
            "Feature freeze is next Tuesday (the 8th), release a week later.",
            "Feature freeze is 2026-12-08, release a week later.",
        ),
        (
            "Der Freeze ist nächsten Dienstag (den 8.), wir warten nicht.",
            "Der Freeze ist 2026-12-08, wir warten nicht.",
        ),
        ("下周二（8号）冻结代码。", "2026-12-08冻结代码。"),
        ("We freeze on Friday the 13th.", "We freeze on Friday the 13th."),
        ("It starts on Friday 18:00 sharp.", "It starts on 2026-11-27 18:00 sharp."),
        ("The demo is in two weeks from Monday.", "The demo is on 2026-12-14."),
        ("The demo is a week on Friday.", "The demo is on 2026-12-04."),
        ("The demo is on Friday next week.", "The demo is on 2026-12-04."),
        ("The demo is the week after next.", "The demo is 2026-12-07 to 2026-12-13."),
        ("Wir frieren heute in zwei Wochen alles ein.", "Wir frieren 2026-12-08 alles ein."),
        ("Übernächste Woche ist das Release.", "2026-12-07 to 2026-12-13 ist das Release."),
        ("Übernächsten Freitag ist das Release.", "Übernächsten Freitag (2026-12-11?) ist das Release."),
        ("Wir testen morgen in zwei Wochen alles.", "Wir testen morgen in zwei Wochen alles."),
        ("Lundi en huit on passe en prod avec le site.", "2026-12-07 on passe en prod avec le site."),
        ("El jueves que viene congelamos main hasta el lunes.", "2026-11-26 congelamos main hasta el 2026-11-30."),
        ("下下周一开始冻结代码。", "2026-12-07开始冻结代码。"),
        ("再来週の月曜に凍結します。", "2026-12-07に凍結します。"),
        ("Freeze from 2026-12-03 until Monday.", "Freeze from 2026-12-03 until 2026-12-07."),
        ("Dmitri is taking over the importer as of Monday.", "Dmitri is taking over the importer as of 2026-11-30."),
        ("Thursday's release is Kim's.", "2026-11-26 release is Kim's."),
        ("Tuesday's release is Kim's.", "Tuesday's (2026-12-01?) release is Kim's."),
        ("Friday's mood is good.", "Friday's mood is good."),
        ("Tom took over billing last week.", "Tom took over billing in the week of 2026-11-16."),
        ("It has been slow since last week.", "It has been slow since the week of 2026-11-16."),
        ("Letzte Woche haben wir das entschieden.", "In der Woche vom 2026-11-16 haben wir das entschieden."),
        ("La semaine dernière on a décidé de le garder.", "La semaine du 2026-11-16 on a décidé de le garder."),
        ("上周决定不换了。", "2026-11-16那周决定不换了。"),
        ("先週決めました。", "2026-11-16の週決めました。"),
        ("We freeze from December 20 to January 3 every year.", "We freeze from December 20 to January 3 every year."),
        ("Jedes Jahr ist am 24. Dezember alles zu.", "Jedes Jahr ist am 24. Dezember alles zu."),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(text, expected)| (*expected, resolve(text, day("2026-11-24"), Style::Compact, Care::Event)))
        .filter(|(expected, found)| expected != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn words_of_a_day_that_name_something_else_stay() {
    for text in [
        "tomorrow's architecture is in docs/next.md",
        "Yesterday, the Beatles song, is what the hold line plays.",
        "The hold line plays the song Yesterday at night.",
        "Today's world is full of agents.",
    ] {
        assert_eq!(resolve(text, day("2026-11-24"), Style::Full, Care::Written), text);
    }
    let told = resolve("Yesterday, the deploy failed for an hour.", day("2026-11-24"), Style::Compact, Care::Written);
    assert_eq!(told, "2026-11-23, the deploy failed for an hour.");
}

#[test]
fn the_words_are_kept_beside_the_date() {
    assert_eq!(
        resolve("launch next Thursday", day("2026-04-04"), Style::Full, Care::Event),
        "launch 2026-04-09 (\"next Thursday\", said 2026-04-04)"
    );
}

#[test]
fn days_that_only_say_when_something_was_said_are_no_deadlines() {
    let text = resolve("launch next Thursday", day("2026-04-04"), Style::Full, Care::Event);
    assert_eq!(written_days(&text), [day("2026-04-09")]);
}

#[test]
fn a_rule_keeps_its_weekdays() {
    let said = day("2026-11-20");
    assert_eq!(resolve("have it merged by Friday", said, Style::Full, Care::Rule), "have it merged by Friday");
    assert_eq!(resolve("it broke last month", said, Style::Compact, Care::Rule), "it broke 2026-10");
    assert!(is_habit("Deploys go out on Fridays") && !is_habit("The freeze starts on Friday"));
}

proptest! {
    #[test]
    fn a_second_pass_changes_nothing(
        words in prop::collection::vec(prop::sample::select(vec![
            "yesterday", "next Thursday", "last Friday", "by Monday", "in two weeks", "end of the month", "\"next week\"", "`today`", "the", "freeze",
            "last quarter", "this Friday", "last week", "(the 8th)", "the 13th", "Friday next week", "in two weeks from Monday", "Tuesday's release",
            "until Monday", "lundi en huit", "下下周一", "再来週の月曜", "heute in zwei Wochen", "上周", "hasta el lunes", "el jueves que viene", "March 5", "gestern", "nächste Woche", "下周四", "来週", "\n", "# ", ".", "(", "on Tuesday", "was", "will",
        ]), 0..14),
        offset in 0_i64..800,
        later in 0_i64..400,
    ) {
        let said = calendar::plus_days(day("2026-01-01"), offset);
        let text = words.join(" ");
        for style in [Style::Full, Style::Compact] {
            let once = resolve(&text, said, style, Care::Event);
            prop_assert_eq!(resolve(&once, calendar::plus_days(said, later), style, Care::Event), once.clone());
        }
    }

    #[test]
    fn any_text_is_taken(text in "\\PC{0,200}", offset in 0_i64..800) {
        let said = calendar::plus_days(day("2026-01-01"), offset);
        let once = resolve(&text, said, Style::Full, Care::Event);
        prop_assert_eq!(resolve(&once, said, Style::Full, Care::Event), &*once);
        for range in mentions(&text, said) {
            prop_assert!(text.get(range).is_some());
        }
    }
}
