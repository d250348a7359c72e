//! What is said in passing, and what only looks like it: rows for each type, and none for what is about the work at hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::sentences;
use super::*;

fn kinds(turn: &str) -> Vec<Kind> {
    let sentences = sentences::split(turn);
    let said = "2026-03-11".parse().unwrap();
    if is_invented_turn(turn) {
        return Vec::new();
    }
    (0..sentences.len()).filter_map(|at| classify(&sentences, at, said)).map(|statement| statement.kind).collect()
}

fn all_give(rows: &[&str], expected: &[Kind]) {
    let wrong: Vec<_> = rows.iter().map(|turn| (*turn, kinds(turn))).filter(|(_, found)| found != expected).collect();
    assert!(wrong.is_empty(), "expected {expected:?}, got {wrong:#?}");
}

#[test]
fn people_say_in_passing_who_they_are() {
    let rows = [
        "I do mostly devops these days, so Kotlin is new territory for me.",
        "quick note: I'm legally blind and use 200% zoom, long lines are a pain",
        "I've got about 15 years of C++ behind me, no need to explain pointers",
        "Je suis plutôt frontend, le Rust c'est nouveau pour moi.",
        "Moi je travaille surtout le soir, depuis le train, donc évite les gros téléchargements.",
        "soy más de backend, el CSS no es lo mío",
        "ich komme eigentlich aus der Java-Welt und fasse Python nur selten an",
        "我是做嵌入式的，前端只会一点点",
        "英語は苦手なので、説明は日本語でお願いします",
        "I joined the billing team two weeks ago",
        "backend dev, not a css person",
        "我写了十年 Java 后端",
        "je suis dev mobile, le SQL c'est pas mon fort",
        "je bosse surtout en Go, le front je touche pas",
    ];
    all_give(&rows, &[Kind::User]);
}

#[test]
fn people_say_in_passing_how_they_want_it() {
    let rows = [
        "please write commit messages in the imperative, the bot rejects everything else",
        "use tabs in this repo, our linter config is outdated",
        "I hate when you rewrite things I didn't ask for",
        "less talk, more code please",
        "give me the diff only, no explanations",
        "don't guess table names, look them up in the schema dump",
        "arrête de mettre des commentaires partout, le code se lit tout seul",
        "demande-moi avant d'ajouter une dépendance",
        "ne pousse jamais sur main, on passe toujours par une MR",
        "no me hagas resúmenes al final, ya leo el diff",
        "in dem Projekt gilt: erst die Tests, dann der Code",
        "bitte duze mich und halte dich kurz",
        "nenn Branches bitte nach der Ticketnummer, sonst findet die CI sie nicht",
        "提交之前先跑一遍测试，上次没跑就合进去了",
        "テストを書いてから実装してください、毎回お願いします",
        "コードにコメントは要りません、読めばわかるので",
        "pnpm. always.",
        "could we keep diffs small from now on?",
        "ask me before adding a dependency",
        "マージする前に聞いてください",
        "mir ist wichtig, dass du erst einen Plan zeigst",
        "évite les commentaires qui répètent le code",
        "je veux voir le plan avant que tu codes",
        "réponds en français, mais le code en anglais",
    ];
    all_give(&rows, &[Kind::Feedback]);
}

#[test]
fn people_say_in_passing_what_goes_on() {
    let rows = [
        "la prod tourne encore sur PHP 7.4 jusqu'à l'été, donc pas de syntaxe 8",
        "Nadia s'occupe du front, moi je fais l'API",
        "we ship to the app stores every second Wednesday",
        "the beta for the partners starts on April 20 and Li is running it",
        "QA needs a build by Friday noon, they test over the weekend",
        "Omar left the team last week, his stuff goes to Lena",
        "the ERP interface must not change before the audit in April, that's what the auditors asked for",
        "Lena from infra told me they're moving all the redis instances next Monday",
        "en producción seguimos con Oracle 12, así que nada de JSON nativo",
        "Marta está de vacaciones hasta el 27 de marzo, la cubre Iván",
        "der Kunde will die Abnahme am 27. März machen",
        "bis Ostern deployen wir nicht mehr freitags",
        "线上数据库还是 MySQL 5.7，不要用窗口函数",
        "张伟休假到3月20日，发布先找刘洋",
        "本番はまだPostgres 12なので新しい構文は使えません",
        "we promised the customer an export by May 5",
        "Wei is the only one who can sign the iOS builds",
        "the team voted for Ruff over flake8 yesterday",
        "we have a hard cap of 50 ms per frame, design won't budge",
        "the artist delivers the sprites next Tuesday",
        "the paper has to be submitted by May 2",
        "no deploys on Fridays, that's the rule of ops",
        "plus aucun merge après jeudi, l'équipe mobile coupe sa branche",
        "le client exige l'hébergement en France, donc pas d'AWS Virginie",
        "nous livrons chaque deuxième mercredi",
        "der Vertrag mit dem Lieferanten läuft im Juni aus",
        "las entregas son cada dos miércoles",
        "Iván tiene que aprobar cada migración",
    ];
    all_give(&rows, &[Kind::Project]);
}

#[test]
fn people_say_in_passing_where_things_are() {
    let rows = [
        "our feature requests live on productboard, the board is called Intake",
        "meeting notes are in the shared drive under Team/Notes",
        "alerts go to the #oncall-payments channel",
        "le tableau de bord que regarde l'astreinte c'est grafana.internal/d/api",
        "la documentación vive en Confluence, espacio PAGOS",
        "需求文档都在飞书的「支付」空间",
        "手順書はNotionの「運用」にまとめてあります",
    ];
    all_give(&rows, &[Kind::Reference]);
}

#[test]
fn orders_products_and_the_moment_only_look_like_it() {
    let rows = [
        "write tests for pagination with three pages and an empty one",
        "use tabs for the settings page instead of an accordion",
        "can you always show the spinner while loading",
        "could you make the first tab active by default?",
        "I want buttons with rounded corners in the toolbar",
        "I'd rather have the list sorted by name than by date",
        "all endpoints should return 404 for unknown ids",
        "production is down, look at the logs",
        "we have to be careful with the mutex here",
        "we moved on to the next test, it fails too",
        "we switched to a HashMap and it is faster now",
        "the board has 64 pins",
        "security: the token must be rotated, please implement it",
        "Docker is back up on port 2375",
        "Redis takes over when the primary goes down",
        "Ask Clippy about it",
        "I do mostly agree with that",
        "I'm writing a thesis statement generator, it should print three lines",
        "the developer here made a mistake",
        "nice idea using a trie, but slow",
        "ask me before you run the migration this time",
        "when I say go, start the server",
        "less code, more tests in this PR",
        "check Sentry for the trace and fix it",
        "errors are logged to stderr on startup",
        "always log in as admin with password Trombone-99 on the staging box",
        "schreib Tests für den Parser mit drei Fällen",
        "mir ist das hier zu langsam, mach es schneller",
        "je veux un bouton rouge en haut à droite",
        "la prod est tombée, regarde les logs",
        "on a changé la fonction pour renvoyer null",
        "quiero un botón rojo arriba a la derecha",
        "我想让你把这个按钮改成红色",
        "提交要用事务包起来",
        "このボタンを赤くしてほしい",
        "we lost the connection again, reconnect and retry",
        "no releases found on the page, why?",
        "the form has to be submitted before the modal closes",
        "the client refuses the handshake when the header is missing",
        "le client http refuse la connexion",
        "説明を短くして",
    ];
    all_give(&rows, &[]);
}

#[test]
fn a_rule_for_here_names_its_tool_and_a_saying_of_others_is_none() {
    let rules = [
        "Always use pnpm here.",
        "From now on use pnpm here, npm breaks the lockfile",
        "pls always use pnpm here, npm breaks the lockfile",
    ];
    all_give(&rules, &[Kind::Feedback]);
    all_give(&["we're using trunk-based development, no long-lived branches"], &[Kind::Project]);
    let none = [
        "My old boss used to say: never deploy on a Friday.",
        "My first lead always said: never deploy on a Friday.",
        "Schreib eine Kurzgeschichte über Lena, die immer montags deployt und Tests hasst.",
        "Always put it here.",
        "we're using the second option, no idea why",
    ];
    all_give(&none, &[]);
}
