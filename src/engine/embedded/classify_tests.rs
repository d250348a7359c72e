#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::super::sentences;
use super::*;

fn kinds(turn: &str) -> Vec<Kind> {
    if is_invented_turn(turn) {
        return Vec::new();
    }
    let said = "2026-11-28".parse().unwrap();
    let sentences = sentences::split(turn);
    let mut found = Vec::new();
    let mut at = 0;
    while at < sentences.len() {
        match classify(&sentences, at, said) {
            Some(statement) => {
                found.push(statement.kind);
                at += statement.sentences;
            }
            None => at += 1,
        }
    }
    found
}

/// Every row gives these kinds; all that do not are named at once.
fn all_give(rows: &[&str], expected: &[Kind]) {
    let wrong: Vec<_> = rows.iter().map(|turn| (*turn, kinds(turn))).filter(|(_, found)| found != expected).collect();
    assert!(wrong.is_empty(), "expected {expected:?}, got {wrong:#?}");
}

fn only(turn: &str) -> Statement {
    classify(&sentences::split(turn), 0, "2026-11-28".parse().unwrap())
        .unwrap_or_else(|| panic!("{turn:?} gives nothing"))
}

#[test]
fn what_a_person_states_about_themselves_is_a_user_memory() {
    let rows = [
        "I'm a data scientist investigating what logging we have in place.",
        "btw I am the tech lead of the payments team",
        "I've been writing Go for ten years but this is my first time touching the React side of this repo.",
        "I prefer short answers with code first.",
        "Call me Sam, please.",
        "I'm new to Rust.",
        "I work mostly on the mobile app.",
        "My name is Ada.",
        "I'm colour-blind, so red and green look the same to me.",
        "I have 12 years of experience with embedded C.",
        "I've never used Kubernetes.",
        "I use neovim and tmux.",
        "Ich bin Backend-Entwicklerin und arbeite seit zehn Jahren mit Java.",
        "Ich bevorzuge kurze Antworten.",
        "Soy ingeniera de datos en el equipo de pagos.",
        "Prefiero respuestas cortas.",
        "Je suis développeuse backend.",
        "Je préfère les réponses courtes.",
        "我是一名后端工程师。",
        "我更喜欢用中文交流。",
        "私はデータサイエンティストです。",
    ];
    all_give(&rows, &[Kind::User]);
}

#[test]
fn corrections_and_approvals_are_feedback() {
    let rows = [
        "Don't mock the database in these tests — we got burned last quarter when mocked tests passed but the prod migration failed.",
        "stop summarizing what you just did at the end of every response, I can read the diff",
        "yeah the single bundled PR was the right call here, splitting this one would've just been churn",
        "Always run the linter before committing.",
        "never commit directly to main",
        "No, use pnpm instead of npm.",
        "From now on, write commit messages in the imperative mood.",
        "Please don't add emojis to commit messages.",
        "Yes exactly, keep writing the tests before the implementation.",
        "I'd rather you asked before adding new dependencies.",
        "I hate it when you rewrite whole files for a one-line fix.",
        "Avoid abbreviations in variable names.",
        "When you write SQL, use lower-case keywords.",
        "We always squash merge.",
        "You should always ask before deleting files.",
        "Keep your answers short.",
        "Answer in German.",
        "Bitte nutze immer die echte Datenbank in Integrationstests.",
        "Schreib bitte nie Kommentare auf Deutsch in den Code, wir haben internationale Kollegen.",
        "Nutze pnpm statt npm.",
        "No uses mocks en las pruebas de integración.",
        "Siempre ejecuta el linter antes de hacer commit.",
        "N'utilise jamais de mocks dans les tests d'intégration.",
        "Utilise pnpm au lieu de npm.",
        "以后不要在集成测试里用 mock。",
        "每次提交前都要运行测试。",
        "コミットメッセージは必ず英語で書いてください。",
        "テストではモックを使わないでください。",
    ];
    all_give(&rows, &[Kind::Feedback]);
}

#[test]
fn who_does_what_by_when_is_a_project_memory() {
    let rows = [
        "We're freezing all non-critical merges after Thursday — mobile team is cutting a release branch.",
        "The reason we're ripping out the old auth middleware is that legal flagged it for storing session tokens.",
        "Priya owns the billing service.",
        "The ingest pipeline is owned by the data platform team.",
        "We decided to drop support for Python 3.8.",
        "The deadline for the SOC2 audit is December 15.",
        "The beta launches next Tuesday.",
        "Marco is on parental leave until January 10.",
        "We need to ship the migration by Friday.",
        "Wir haben beschlossen, auf PostgreSQL umzusteigen.",
        "Der Release-Freeze beginnt am 5. Dezember.",
        "Priya ist zuständig für den Abrechnungsdienst.",
        "Hemos decidido migrar a PostgreSQL.",
        "Nous avons décidé de passer à PostgreSQL.",
        "我们决定迁移到 PostgreSQL。",
        "下周四冻结代码，准备上线。",
        "リリースは来週の木曜日です。",
    ];
    all_give(&rows, &[Kind::Project]);
}

#[test]
fn where_things_are_kept_is_a_reference() {
    let rows = [
        "Check the Linear project \"INGEST\" if you want context on these tickets, that's where we track all pipeline bugs.",
        "The Grafana board at grafana.internal/d/api-latency is what oncall watches.",
        "Pipeline bugs are tracked in Linear project INGEST.",
        "Our runbook lives in Confluence under Ops.",
        "Design docs are in Notion.",
        "#payments-oncall is the channel for incidents.",
        "The status page is at https://status.acme.example.",
        "Feature requests go into the Jira board PROD.",
        "Die Fehler werden in Jira im Projekt OPS verfolgt.",
        "Los errores se registran en Jira.",
        "Les bugs sont suivis dans Linear.",
        "所有的 bug 都记录在 Jira 的 OPS 项目里。",
        "バグは Linear で管理しています。",
    ];
    all_give(&rows, &[Kind::Reference]);
}

#[test]
fn orders_questions_hypotheses_quotations_and_examples_are_nothing() {
    let rows = [
        "Add a test to foo.rs.",
        "Don't touch this file for now.",
        "don't run the tests yet",
        "never mind",
        "Never do that again.",
        "The build always fails on Windows.",
        "It never returns.",
        "Should we always use tabs?",
        "Do you always run the linter?",
        "If I were a data scientist I'd prefer notebooks.",
        "What if we never deploy on Fridays?",
        "Maybe we should always squash.",
        "Would you prefer tabs?",
        "My boss said we should never use Rust.",
        "The docs say you should always call close.",
        "For example, \"always use tabs\" is a rule.",
        "Write a story about a developer. I'm a data scientist, she said.",
        "Translate this to French: I prefer short answers.",
        "Generate test data: users named Ada who work at Acme.",
        "As a data scientist, I want to export CSV files.",
        "The button should say \"Never ask again\".",
        "use the other function instead",
        "No, use that one.",
        "Yes, perfect, keep doing that.",
        "looks good, thanks!",
        "I'm not sure this works.",
        "I'm going to lunch.",
        "I'm a bit confused.",
        "I prefer the second option.",
        "I prefer this version.",
        "I'm working on this bug right now.",
        "The error is tracked in Sentry.",
        "The config lives in src/config.rs.",
        "Open https://linear.app/acme/issue/1 and fix it.",
        "The server is at http://localhost:3000.",
        "Session owns the buffer.",
        "The struct is owned by Arc.",
        "Release it on Friday.",
        "The build failed yesterday.",
        "Can you move the deadline check to next week's sprint?",
        "Don't worry about the tests.",
        "don't forget to push",
        "Rename the variable and don't change anything else.",
        "Use a HashMap here instead of a Vec.",
        "We always hit this branch.",
        "You never ran the tests.",
        "Kannst du die Tests laufen lassen?",
        "Vielleicht sollten wir immer squashen.",
        "Ändere diese Datei erst mal nicht.",
        "Der Build schlägt immer fehl.",
        "¿Deberíamos usar siempre tabs?",
        "Arregla el test.",
        "No toques este archivo por ahora.",
        "Est-ce qu'on utilise toujours npm ?",
        "Corrige ce test.",
        "要不要用 pnpm？",
        "修复这个测试。",
        "如果我是数据科学家，我会用 Python。",
        "このテストを直してください。",
        "もし必ず失敗するなら教えてください。",
        "the api_key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz",
    ];
    all_give(&rows, &[]);
}

#[test]
fn the_reason_and_the_application_come_from_the_persons_words() {
    let statement = only(
        "Don't mock the database in integration tests. We got burned last quarter when mocked tests passed. That means every integration test talks to Postgres.",
    );
    assert_eq!(statement.text, "Don't mock the database in integration tests.");
    assert_eq!(statement.why.as_deref(), Some("We got burned last quarter when mocked tests passed."));
    assert_eq!(statement.how.as_deref(), Some("That means every integration test talks to Postgres."));
    assert_eq!(statement.sentences, 3);
    let inside = only("no, always use pnpm because npm breaks the lockfile");
    assert_eq!((inside.text.as_str(), inside.why.as_deref()), ("Always use pnpm.", Some("Npm breaks the lockfile.")));
}

#[test]
fn a_bare_approval_names_nothing_and_an_approval_that_names_it_is_kept() {
    assert_eq!(kinds("yes exactly, keep doing that"), []);
    assert!(only("Yes exactly, keep putting the tests next to the module.").is_approval);
}

#[test]
fn talk_about_the_work_at_hand_is_nothing() {
    let rows = [
        "Can we drop the retry loop? It never triggers in prod.",
        "I think the cache always returns stale data after a deploy.",
        "The tests are failing because the fixture is never loaded.",
        "please rename getUser to fetchUser everywhere and update the imports",
        "I'm seeing a weird error when I run npm install",
        "I'm on branch feature/login and the build is red",
        "I have 3 years of data in this table, how do I partition it?",
        "We decided earlier in this chat to use a BTreeMap, stick to that.",
        "We're moving this function into utils.",
        "Let's always return early here.",
        "use a set instead of a list for seen",
        "Use snake_case instead of camelCase in this file",
        "don't change the public API",
        "Don't use unwrap here",
        "don't add tests, just fix it",
        "Don't use any external crates for this",
        "stop the server and restart it",
        "Stop working on that and look at the login bug.",
        "keep going",
        "Keep the old function for now.",
        "Keep commits small in this PR",
        "never seen this error before",
        "Never thought of that, nice",
        "I work on it tomorrow",
        "I work with you better when it's quiet",
        "I need this by Friday.",
        "We need to ship this by Friday.",
        "The migration runs every night and fails every night.",
        "The cron job runs every Monday, why does it not run today?",
        "the error is logged in Datadog, can you find the cause?",
        "The issue is tracked in https://github.com/acme/api/issues/12, please fix it",
        "Here is the dashboard: https://grafana.example/d/1",
        "Look at the docs in Notion and summarise them",
        "John is the author of the commit",
        "Main owns the channel sender.",
        "Redis handles the sessions.",
        "React is the owner of the DOM node.",
        "Postgres runs the query twice.",
        "Docker runs the container as root.",
        "Claude is working on it",
        "Jest runs all the tests in parallel.",
        "Rust is the main language.",
        "Vite handles the bundling.",
        "I prefer it the way it was",
        "I'd prefer the blue one",
        "I'd rather you fix it now",
        "When you are done, commit and push.",
        "When you add the endpoint, use POST.",
        "whenever I click save it crashes",
        "By default the timeout is 30 s.",
        "From now on the API returns 404.",
        "In the future we will have more users.",
        "Make sure to always close the file handle in read_config.",
        "Avoid the N+1 query in the orders list.",
        "Avoid allocating in the hot loop.",
        "All buttons must be blue.",
        "Users must always confirm their email before login.",
        "The user should never see this page.",
        "Passwords should never be stored in plain text.",
        "The function should always return a Result.",
        "Each row must always have an id.",
        "I want you to always validate the input in the handler.",
        "you always do this wrong",
        "We never call this from a handler",
        "We always end up in the else branch",
        "The launch screen shows on Friday instead of Thursday",
        "The deadline field is due_date on Monday rows",
        "Set the deadline to next Friday in the fixture.",
        "The release notes for v2 say it ends in March.",
        "I'm a user with role admin in the test account",
        "I'm the admin in this tenant, why can't I delete?",
        "my name is not in the list",
        "My role is missing in the token payload",
        "I am new here",
        "We use the repository pattern, not active record.",
        "It is decided by the router.",
        "Security wants a header check in this handler.",
        "Product needs the button by tomorrow.",
        "Answer in one word.",
        "Write it in English.",
        "Explain it like I'm a beginner.",
        "Act as if you never saw it.",
        "no emojis please",
        "No comments in the code, just the diff.",
        "Nein, nimm die andere Funktion.",
        "Ich bin gerade auf dem falschen Branch.",
        "Der Test schlägt immer fehl, wenn die DB weg ist.",
        "Bitte keine Tests dafür schreiben.",
        "Lösche die Datei nicht.",
        "No me funciona nunca.",
        "Soy yo, otra vez.",
        "No hagas eso.",
        "Je suis bloqué sur ce bug.",
        "Ne touche pas à ce fichier.",
        "N'ajoute pas de tests maintenant.",
        "不要改这个文件。",
        "总是报错，帮我看看。",
        "我在看这个文件。",
        "我用了三年的数据做测试。",
        "请用中文解释一下这段代码。",
        "別のファイルを使ってください。",
        "このファイルは触らないでください。",
        "いつもエラーになります。",
        "必ず失敗します。",
    ];
    all_give(&rows, &[]);
}
