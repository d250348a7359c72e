//! Requests to remember, short forms of places and decisions of a group: what they give, and what looks like them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::collect;
use super::*;
use crate::session::HumanTurn;

fn statements(turn: &str) -> Vec<Statement> {
    let at = "2026-11-28T12:00:00Z".parse().unwrap();
    let turn = HumanTurn { session: "s".into(), line: 1, uuid: None, at: Some(at), text: turn.into(), after: None };
    let facts = collect::collect(&[turn], at, &|| false).facts.into_iter();
    // What only takes something back says nothing to an empty store.
    facts.map(|fact| fact.statement).filter(|statement| !crate::engine::embedded::revoke::is_bare(statement)).collect()
}

/// Every row gives these kinds; all that do not are named at once.
fn all_give(rows: &[&str], expected: &[Kind]) {
    let wrong: Vec<_> = rows
        .iter()
        .map(|turn| (*turn, statements(turn)))
        .filter(|(_, found)| found.iter().map(|statement| statement.kind).collect::<Vec<_>>() != expected)
        .map(|(turn, found)| (turn, found.iter().map(|one| (one.kind, one.text.clone())).collect::<Vec<_>>()))
        .collect();
    assert!(wrong.is_empty(), "expected {expected:?}, got {wrong:#?}");
}

#[test]
fn a_rule_that_is_to_be_remembered_is_feedback() {
    let rows = [
        "remember: always run the linter before you commit",
        "note for the future: never push directly to main, we had an outage because of that",
        "Remember to always add a changelog entry.",
        "Remember to run the linter before you commit.",
        "Don't forget to bump the version every time you touch the schema.",
        "Please keep in mind that you must never edit generated files by hand.",
        "For future reference: use pnpm, not npm.",
        "For next time: ask before adding a dependency.",
        "Memorize: never use default exports.",
        "Please save this to memory: always write commit messages in English.",
        "Merk dir bitte: immer erst die Migrationen laufen lassen.",
        "Denk in Zukunft daran, immer den Linter laufen zu lassen.",
        "Merk dir, dass wir nie direkt auf main pushen.",
        "Vergiss nicht, vor jedem Commit den Linter laufen zu lassen.",
        "Recuerda que nunca hay que desplegar los viernes.",
        "Recuerda ejecutar siempre el linter antes de cada commit.",
        "Souviens-toi que tu ne dois jamais pousser sur main.",
        "N'oublie pas de toujours lancer les tests avant chaque commit.",
        "记住：部署前一定要先备份数据库",
        "请记住，永远不要直接推送到 main。",
        "每次提交都要跑测试，请记住。",
        "覚えておいて：コミット前に必ずリンターを実行してください。",
        "必ずテストを実行することを忘れないでください。",
    ];
    all_give(&rows, &[Kind::Feedback]);
}

#[test]
fn what_the_person_wants_remembered_about_themselves_is_a_user_memory() {
    let rows = [
        "Please remember I prefer tabs over spaces",
        "Remember that I'm colour-blind.",
        "Can you remember that I prefer short answers?",
        "Keep in mind that I work part-time.",
        "Merk dir, dass ich kurze Antworten bevorzuge.",
        "Ten en cuenta que soy ingeniera de datos.",
        "Retiens que je préfère les réponses courtes.",
        "请记住我更喜欢简短的回答。",
        "私はデータサイエンティストだということを覚えておいて。",
    ];
    all_give(&rows, &[Kind::User]);
}

#[test]
fn what_something_is_called_and_where_it_is_is_a_reference() {
    let rows = [
        "Remember that the staging database is called tide-stage-2",
        "Remember the staging database is called tide-stage-2.",
        "note to self: the runbooks are at https://wiki.tide.example/ops",
        "Keep in mind that the build artifacts live in Artifactory.",
        "Merk dir bitte: die Staging-Datenbank heißt tide-stage-2.",
        "Recuerda que la base de datos de staging se llama tide-stage-2.",
        "Souviens-toi que la base de staging s'appelle tide-stage-2.",
        "记住：测试数据库叫 tide-stage-2",
        "ステージングの接続先は https://stage.tide.example/ にあることを忘れないで。",
        "The bug tracker is Linear, team TIDE",
        "Our CI is Buildkite.",
        "Memorize this: the VPN profile is called tide-eu.",
        "our ci is buildkite",
        "Logs are in Datadog.",
        "The wiki is on Notion",
        "docs live in Confluence",
        "The metrics are in Grafana under payments.",
        "Our error tracking is Rollbar.",
        "The issue tracker is Plane.",
        "bugs go into Jira",
        "Unser Bugtracker ist Linear.",
        "Die Logs liegen in Datadog.",
        "Nuestra wiki está en Notion.",
        "Los logs están en Datadog.",
        "La documentation est sur Confluence.",
        "我们的 CI 是 Buildkite。",
        "日志都在 Datadog 里。",
        "ログは Datadog にあります。",
    ];
    all_give(&rows, &[Kind::Reference]);
}

#[test]
fn what_else_is_to_be_remembered_and_what_a_group_decided_is_a_project_memory() {
    let rows = [
        "Don't forget that we deploy from the release branch.",
        "don't forget we deploy from the release branch",
        "Keep in mind that staging has only two workers.",
        "Remember that the launch is on January 15.",
        "We deploy from the release branch. Remember that.",
        "Please remember:\nstaging has only two workers",
        "Merk dir bitte: die Tests laufen nur mit Node 20",
        "Recuerda que las pruebas necesitan Node 20.",
        "N'oublie pas que les tests ont besoin de Node 20.",
        "Retiens que les factures partent le premier du mois.",
        "别忘了我们从 release 分支发布。",
        "テストには Node 20 が必要だと覚えておいて。",
        "We decided to use Redis for the cache.",
        "We're going with Postgres because the team knows it.",
        "From now on remember that tests run with Node 20.",
        "记住我们用 pnpm，不用 npm。",
        "We agreed that every pull request needs two reviews.",
        "We've settled on gRPC for the API.",
        "ok, we decided to keep the index in Elasticsearch",
        "Wir haben entschieden, für den Cache Redis zu nehmen.",
        "Wir haben uns für Postgres entschieden.",
        "Hemos decidido usar Redis para la caché.",
        "On a décidé de garder Postgres.",
        "决定用 Redis 做缓存。",
        "キャッシュは Redis に決めました。",
        "The launch moved from December 12 to January 15, 2027 because legal needs more time.",
    ];
    all_give(&rows, &[Kind::Project]);
}

#[test]
fn the_clause_is_kept_in_the_persons_words_with_its_reason() {
    let only = |turn: &str| statements(turn).pop().unwrap();
    let rule = only("note for the future: never push directly to main, we had an outage because of that");
    assert_eq!(rule.text, "Never push directly to main.");
    assert_eq!(rule.why.as_deref(), Some("We had an outage because of that."));
    let place = only("Remember that the staging database is called tide-stage-2");
    assert_eq!(place.text, "The staging database is called tide-stage-2.");
    assert_eq!(only("记住：部署前一定要先备份数据库").text, "部署前一定要先备份数据库。");
    let decision = only("We're going with Postgres because the team knows it.");
    assert_eq!(decision.why.as_deref(), Some("The team knows it."));
    assert_eq!(only("Please remember: the queue is called tide-jobs.").text, "The queue is called tide-jobs.");
}

#[test]
fn a_request_to_remember_takes_nothing_back() {
    let texts = |turn: &str| statements(turn).into_iter().map(|one| one.text).collect::<Vec<_>>();
    assert_eq!(texts("Never push to main. Don't forget that."), ["Never push to main."]);
    assert_eq!(
        texts("Never push to main. Don't forget that we deploy from the release branch."),
        ["Never push to main.", "We deploy from the release branch."]
    );
}

#[test]
fn what_only_looks_like_a_request_a_place_or_a_decision_is_nothing() {
    let rows = [
        // Questions, memories of the person's own, and things both know.
        "can you remember what we did yesterday?",
        "I don't remember",
        "I can't remember the name of the flag.",
        "do you remember the name of the queue?",
        "Do you remember that bug from last week?",
        "remember the bug from last week? fix it",
        "Remember that bug we had in the parser, look at it again.",
        "remember when we renamed the module?",
        "Remember how the tests failed last time.",
        "Remember what I said about the cache.",
        "remember we talked about retries",
        "Remember the scroll position when the user goes back.",
        "Remember the user's choice in local storage.",
        "记住用户的选择。",
        "记住滚动位置",
        "記憶しておいて、後で使います。",
        "最後に開いたタブを覚えておいて。",
        "Merk dir den Wert in einer Variable.",
        "Recuerda la posición del scroll.",
        "Remember, I told you about the flaky test.",
        "As far as I remember the port is 3000.",
        "If I remember correctly, the API is paged.",
        "Erinnerst du dich an den Fehler von gestern?",
        "Ich erinnere mich nicht an den Namen.",
        "¿Recuerdas el error de ayer?",
        "No recuerdo cómo se llama.",
        "Tu te souviens du bug d'hier ?",
        "Je ne me souviens plus du nom.",
        "你还记得昨天的问题吗？",
        "我不记得了。",
        "昨日のバグを覚えていますか？",
        // Orders for once.
        "remember to add a test for this function",
        "Remember to update the README.",
        "don't forget to run the tests",
        "Don't forget to push.",
        "don't forget the tests",
        "Remember to remove the debug output when you are done.",
        "don't forget to check every caller of parse",
        "remember: fix this test first",
        "Don't forget that we still need to fix the parser.",
        "keep in mind that this function is called twice",
        "Keep in mind that it returns null.",
        "Remember this.",
        "remember that",
        "vergiss nicht, den Test zu ergänzen",
        "Denk daran, die Version zu erhöhen.",
        "Vergiss nicht die Tests.",
        "No olvides añadir una prueba.",
        "Recuerda actualizar el README.",
        "N'oublie pas d'ajouter un test.",
        "Pense à mettre à jour le README.",
        "别忘了加测试。",
        "记得更新文档。",
        "テストを追加するのを忘れないで。",
        "READMEの更新を忘れないでください。",
        // Quoted, code, only for now, somebody else's.
        "The button should say \"Remember that we never share data\".",
        "remember \"always use tabs\"",
        "Remember: `cargo test`",
        "Remember that the server is down right now.",
        "Keep in mind that the branch is broken for now.",
        "She said remember that we never push to main.",
        "Add a checkbox \"Remember me\" to the login form.",
        "The remember-me cookie is set twice.",
        "```\n# remember: always run the linter\n```",
        // Places of the code at hand, and states.
        "the bug is in the parser",
        "the error is in Foo.java",
        "The issue is in Redis.",
        "The docs are in English.",
        "the logs are in JSON",
        "CI is red.",
        "The CI is Jenkins' fault.",
        "The alerts are in Settings.",
        "The dashboard is in React.",
        "The CI runs on Ubuntu.",
        "Dashboards are Admin only.",
        "Our CI is down.",
        "The CI is failing on Windows.",
        "The wiki is outdated.",
        "Is the wiki on Notion?",
        "The docs are in the repo.",
        "The logs are in /var/log/app.",
        "The dashboard is slow.",
        "The build logs are in the Downloads folder.",
        "the problem is in Postgres",
        "The tests are in the tests folder.",
        "Die Logs liegen im Ordner build.",
        "Der Fehler ist im Parser.",
        "El error está en el parser.",
        "L'erreur est dans le parseur.",
        "日志在 build 目录里。",
        // No decisions of a group, or about the code at hand.
        "I decided to rewrite this function",
        "We decided to rewrite the function.",
        "We chose the wrong index.",
        "We decided to return early.",
        "We're going with a simple for loop.",
        "should we go with Redis?",
        "Did we decide to use Redis for the cache?",
        "We could go with Redis.",
        "We're going with this approach.",
        "maybe we decided that too early",
        "We haven't decided on the cache yet.",
        "we agreed to rename the variable",
        "Wir haben entschieden, diese Funktion zu löschen.",
        "Sollen wir Redis nehmen?",
        "¿Hemos decidido usar Redis?",
        "On a décidé quoi pour le cache ?",
        "要不要决定用 Redis？",
        "どれに決めましたか？",
    ];
    all_give(&rows, &[]);
}

/// Ordinary talk of a coding session: nothing of it is for later.
#[test]
fn a_hundred_ordinary_sentences_of_coding_chat_store_nothing() {
    let rows = include_str!("ordinary_chat.txt").lines().collect::<Vec<_>>();
    assert!(rows.len() >= 100);
    all_give(&rows, &[]);
}
