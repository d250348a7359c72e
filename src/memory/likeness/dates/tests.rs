#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[test]
fn every_phrase_compiles() {
    assert_eq!(phrases::uncompiled(), 0);
    assert!(
        YEARLY.is_whole()
            && lasting::are_whole()
            && beside::are_whole()
            && ABSOLUTE.is_whole()
            && SAID.is_whole()
            && HABIT.is_whole()
    );
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

/// Said on Tuesday 2026-11-24.
#[test]
fn a_day_or_month_that_leaves_a_part_unsaid_is_the_one_that_is_meant() {
    let rows: &[(&str, &str)] = &[
        ("来月5日にリリースです", "2026-12-05にリリースです"),
        ("来月の5日にリリースです", "2026-12-05にリリースです"),
        ("先月20日に開始しました", "2026-10-20に開始しました"),
        ("来年5月にリリースです", "2027-05にリリースです"),
        ("来月5日間休みます", "来月5日間休みます"),
        ("締切は15日です", "締切は2026-12-15です"),
        ("明日5時にリリースです", "2026-11-25 5時にリリースです"),
        ("下个月5号上线", "2026-12-05上线"),
        ("下个月15号上线", "2026-12-15上线"),
        ("下月十五号上线", "2026-12-15上线"),
        ("上个月20号开始测试", "2026-10-20开始测试"),
        ("下个月31号上线", "2026-12-31上线"),
        ("本月31号上线", "本月31号上线"),
        ("下个月底上线", "2026-12-31上线"),
        ("明年3月上线", "2027-03上线"),
        ("15号上线", "2026-12-15上线"),
        ("3号服务器已经下线", "3号服务器已经下线"),
        ("明天3点发布", "2026-11-25 3点发布"),
        ("2026年12月5日前完成", "2026年12月5日前完成"),
        ("The release is on the 5th of next month.", "The release is on 2026-12-05."),
        ("The release is on the 31st of this month.", "The release is on the 31st of this month."),
        ("The release is on the 15th.", "The release is on 2026-12-15."),
        ("It was merged on the 20th.", "It was merged on 2026-11-20."),
        ("It is on the 5th floor.", "It is on the 5th floor."),
        ("The deadline is Monday the 30th.", "The deadline is 2026-11-30."),
        ("The audit is on dec 14.", "The audit is on 2026-12-14."),
        ("the audit is on december 14", "the audit is on 2026-12-14"),
        ("the demo is on jan 5", "the demo is on 2027-01-05"),
        ("the demo is due on may 5", "the demo is due on 2027-05-05"),
        ("may 5 people come", "may 5 people come"),
        ("we have a freeze from dec 18 to jan 4", "we have a freeze from 2026-12-18 to 2027-01-04"),
        ("prod freeze from 18 dec till 4 jan", "prod freeze from 2026-12-18 till 2027-01-04"),
        ("We freeze from the 3rd to the 5th of December.", "We freeze from 2026-12-03 to the 2026-12-05."),
        ("the freeze holds until mid January", "the freeze holds until mid 2027-01"),
        ("The contract ends at the end of March.", "The contract ends at the end of 2027-03."),
        ("We freeze until Christmas.", "We freeze until Christmas (2026-12-25?)."),
        ("We are off until the 3rd.", "We are off until 2026-12-03."),
        ("1.5 weeks ago", "1.5 weeks ago"),
        ("it broke 2 or 3 weeks ago", "it broke 2 or 3 weeks ago"),
        ("Das Release ist am 15. und dann ist Ruhe.", "Das Release ist am 2026-12-15 und dann ist Ruhe."),
        ("Das Release ist am 15.", "Das Release ist am 2026-12-15."),
        ("Das Release ist am 5. januar.", "Das Release ist am 2027-01-05."),
        ("das release ist am 5. jan.", "das release ist am 2027-01-05."),
        ("Am 5. Jan. geht es los mit dem Shop.", "Am 2027-01-05 geht es los mit dem Shop."),
        ("La démo est le 5 janv. à 14h.", "La démo est le 2027-01-05 à 14h."),
        ("La entrega es el 5 de ene.", "La entrega es el 2027-01-05."),
        ("La entrega es el 5 de setiembre.", "La entrega es el 2027-09-05."),
        ("Das Release ist am 9.12. und nicht früher", "Das Release ist am 2026-12-09 und nicht früher"),
        ("Der Freeze geht vom 3. bis 5. Dezember.", "Der Freeze geht vom 2026-12-03 bis 2026-12-05."),
        ("Das Release ist am 5. nächsten Monats.", "Das Release ist am 2026-12-05."),
        (
            "Der Freeze gilt bis Mitte Januar und wir wissen das.",
            "Der Freeze gilt bis Mitte 2027-01 und wir wissen das.",
        ),
        ("Der Freeze gilt bis Neujahr.", "Der Freeze gilt bis Neujahr (2027-01-01?)."),
        (
            "La recette commence le 9 décembre et la mise en prod est calée au 18.",
            "La recette commence le 2026-12-09 et la mise en prod est calée au 2026-12-18.",
        ),
        ("La livraison est prévue le 5 du mois prochain.", "La livraison est prévue le 2026-12-05."),
        ("On passe de Node 18 au 20.", "On passe de Node 18 au 20."),
        ("La entrega es el 12.", "La entrega es el 2026-12-12."),
        ("La entrega es el 5 del mes que viene.", "La entrega es el 2026-12-05."),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(text, expected)| (*expected, resolve(text, day("2026-11-24"), Style::Compact, Care::Event)))
        .filter(|(expected, found)| expected != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Said on Wednesday 2026-11-25.
#[test]
fn a_weekday_in_passing_is_the_next_one_of_a_plan_and_the_last_one_of_what_was() {
    let rows: &[(&str, &str)] = &[
        ("The demo got moved to Thursday.", "The demo got moved to 2026-11-26."),
        ("The audit was pushed to Monday.", "The audit was pushed to 2026-11-30."),
        ("the release slipped to Friday btw", "the release slipped to 2026-11-27 btw"),
        ("We had to move the launch to Tuesday.", "We had to move the launch to 2026-12-01."),
        ("The demo got moved to Fri.", "The demo got moved to 2026-11-27."),
        ("The demo moved from Thursday to Monday.", "The demo moved from Thursday to 2026-11-30."),
        ("The review is Friday.", "The review is 2026-11-27."),
        ("The workshop is now on Monday.", "The workshop is now on 2026-11-30."),
        ("Ana is back Monday.", "Ana is back 2026-11-30."),
        ("The handover is Friday morning.", "The handover is 2026-11-27 morning."),
        ("The deploy failed Monday.", "The deploy failed 2026-11-23."),
        ("Die Abgabe ist am Freitag.", "Die Abgabe ist am 2026-11-27."),
        ("Das Release wurde auf Montag verschoben.", "Das Release wurde auf 2026-11-30 verschoben."),
        ("Wir haben die Demo auf Donnerstag verlegt.", "Wir haben die Demo auf 2026-11-26 verlegt."),
        ("Am Freitag gehen wir live mit dem Shop.", "Am 2026-11-27 gehen wir live mit dem Shop."),
        ("Die Abnahme ist Freitagmittag.", "Die Abnahme ist 2026-11-27."),
        ("Am Montag ist der Server abgestürzt.", "Am 2026-11-23 ist der Server abgestürzt."),
        ("La entrega es el viernes.", "La entrega es el 2026-11-27."),
        ("La demo es el miercoles, no antes.", "La demo es el miercoles (2026-12-02?), no antes."),
        ("El lanzamiento se movió al lunes.", "El lanzamiento se movió al 2026-11-30."),
        ("La démo est vendredi.", "La démo est 2026-11-27."),
        ("La livraison a été repoussée à lundi.", "La livraison a été repoussée à 2026-11-30."),
        ("发布时间是周五。", "发布时间是2026-11-27。"),
        ("演示改到周四了。", "演示改到2026-11-26了。"),
        ("评审推迟到星期一。", "评审推迟到2026-11-30。"),
        ("デモは金曜日です。", "デモは2026-11-27です。"),
        ("リリースは月曜に変更になりました。", "リリースは2026-11-30に変更になりました。"),
        ("納期は木曜日。", "納期は2026-11-26。"),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(text, expected)| (*expected, resolve(text, day("2026-11-25"), Style::Compact, Care::Event)))
        .filter(|(expected, found)| expected != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_weekday_that_may_come_again_or_names_something_else_stays() {
    for text in [
        "The standup moved to Thursday.",
        "The retro is on Friday.",
        "The weekly sync got pushed to Monday.",
        "Releases are on Thursday.",
        "We release on Fridays.",
        "Good Friday is a holiday, the release waits.",
        "The release train leaves on a Friday.",
        "Support must answer Monday to Friday.",
        "Demos happen Monday, Wednesday and Friday.",
        "Never release on Friday.",
        "We moved to Friday deploys.",
        "Jeden Freitag ist Release.",
        "Die Releases sind am Donnerstag.",
        "Das Wochenmeeting ist am Montag.",
        "Deployments am Freitag sind verboten.",
        "Der Support muss Montag bis Freitag erreichbar sein.",
        "La reunión semanal es el lunes.",
        "Los lunes hacemos la demo.",
        "Le lundi on fait la démo.",
        "每周五演示。",
        "周会改到周四。",
        "毎週金曜日にデモをします。",
        "定例は木曜日です。",
        "「水曜」は変数名です。",
    ] {
        assert_eq!(resolve(text, day("2026-11-25"), Style::Compact, Care::Event), text);
    }
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

/// What a rewritten text says of its dates that no calendar has, or that runs into the figures beside it.
fn faults(text: &str) -> Vec<String> {
    let stretches = regex::Regex::new(r"\d[\d-]*(?:Q\d)?").unwrap();
    let torn = regex::Regex::new(
        r"\d{4}-\d{2}(?:[^-\d]|$)の?\d{1,2}[日号]|\d(?:st|nd|rd|th)? (?:of|del?|du|des) \d{4}-\d{2}(?:[^-\d]|$)|\d{4}-\d{2}(?:の)?\d{0,2}[日号]",
    )
    .unwrap();
    let is_right = |found: &str| match found.split('-').collect::<Vec<_>>().as_slice() {
        [number] => number.len() <= 4,
        [year, month] if month.starts_with('Q') => year.len() == 4,
        [_, _] => format!("{found}-01").parse::<NaiveDate>().is_ok() && found.len() == 7,
        _ => found.parse::<NaiveDate>().is_ok() && found.len() == 10,
    };
    let numbers = stretches.find_iter(text).map(|hit| hit.as_str().to_owned()).filter(|found| !is_right(found));
    numbers.chain(torn.find_iter(text).map(|hit| hit.as_str().to_owned())).collect()
}

proptest! {
    /// Whatever forms of a date stand side by side, in whatever language.
    #[test]
    fn no_rewriting_makes_a_date_that_no_calendar_has_or_joins_figures(
        parts in prop::collection::vec((prop::sample::select(vec![
            "来月", "来月の", "先月", "再来月", "今月", "来年", "来年の", "来週", "明日", "今日", "昨日", "3日前", "2週間後", "の", "5日", "31日", "12月", "5月", "5時", "日", "末",
            "下个月", "下下个月", "上个月", "本月", "下周", "下周三", "明年", "去年", "明天", "今天", "3天后", "两周前", "15号", "31号", "五号", "三十一号", "12月5日", "3点", "2026年", "号", "底",
            "the", "5th", "31st", "of", "next month", "last month", "this month", "next year", "next week", "tomorrow", "today", "yesterday", "in 3 days", "2 weeks ago", "dec 14",
            "14 dec", "December 31", "february 30", "Feb 29", "on the 15th", "until the 30th", "by mid January", "until Christmas", "is Monday the 30th", "1.", "2-", "5", "10:30", "3 or", "/",
            "am 15.", "am 31.", "am 9.12.", "bis 30.2.", "nächsten Monats", "nächsten Monat", "nächstes Jahr", "morgen", "heute", "vom 3. bis", "5. dezember", "in 2 Wochen", "vor 3 Tagen", "bis Neujahr",
            "le 18", "au 31", "du mois prochain", "le mois prochain", "9 décembre", "demain", "aujourd'hui", "dans 2 semaines", "la livraison", "fin janvier",
            "el 12", "el 31", "del mes que viene", "el próximo mes", "5 de febrero", "mañana", "hoy", "la entrega", "hace 3 días", "finales de marzo",
            "Friday", "moved to Monday", "am Freitag", "Montagabend", "el viernes", "vendredi", "周五", "金曜日", "release", "ist", "は", "上线", "was", "will", ",", ".",
        ]), prop::bool::ANY), 1..9),
        offset in 0_i64..1_500,
    ) {
        let said = calendar::plus_days(day("2026-01-01"), offset);
        let text: String = parts.iter().flat_map(|(part, is_apart)| [*part, if *is_apart { " " } else { "" }]).collect();
        // Only what a rewriting brings in counts.
        let before = faults(&text);
        for (style, care) in [
            (Style::Full, Care::Event), (Style::Compact, Care::Event), (Style::Compact, Care::Rule), (Style::Full, Care::Written),
        ] {
            let written = resolve(&text, said, style, care);
            let new: Vec<String> = faults(&written).into_iter().filter(|fault| !before.contains(fault)).collect();
            prop_assert!(new.is_empty(), "{text:?} became {written:?}: {new:?}");
        }
    }

    #[test]
    fn a_second_pass_changes_nothing(
        words in prop::collection::vec(prop::sample::select(vec![
            "yesterday", "next Thursday", "last Friday", "by Monday", "in two weeks", "end of the month", "\"next week\"", "`today`", "the", "freeze",
            "last quarter", "this Friday", "last week", "(the 8th)", "the 13th", "Friday next week", "in two weeks from Monday", "Tuesday's release",
            "until Monday", "lundi en huit", "下下周一", "再来週の月曜", "heute in zwei Wochen", "上周", "hasta el lunes", "moved to Thursday", "am Freitag", "auf Montag verschoben", "el viernes", "vendredi", "周五", "改到周四", "金曜日です", "el jueves que viene", "March 5", "gestern", "nächste Woche", "下周四", "来週", "\n", "# ", ".", "(", "on Tuesday", "was", "will",
        ]), 0..14),
        offset in 0_i64..800,
        later in 0_i64..400,
    ) {
        let said = calendar::plus_days(day("2026-01-01"), offset);
        let text = words.join(" ");
        // Whether there is a Friday the 13th near depends on the day of the reading.
        let later = if text.contains("the 13th") || text.contains("the 8th") { said } else { calendar::plus_days(said, later) };
        for style in [Style::Full, Style::Compact] {
            let once = resolve(&text, said, style, Care::Event);
            prop_assert_eq!(resolve(&once, later, style, Care::Event), once.clone());
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
