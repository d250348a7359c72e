//! The team screen with a server: how entries stand, and the keys that change it.

use std::fs;

use dreamtop::tui::layer::Layer;
use insta::assert_snapshot;

use crate::server::Server;
use crate::stage::{Setting, Stage, usual};

fn memory(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: \"about {name}\"\nmetadata: \n  node_type: memory\n  type: project\n---\n\n{body}\n"
    )
}

/// A project whose team has four entries on a server, opened with more configuration.
fn open(server: &Server, more: &str, (width, height): (u16, u16), setting: Setting) -> Stage {
    let token = setting.path("token");
    fs::write(&token, "team-token-1\n").unwrap();
    let origin = "[remote \"origin\"]\n\turl = https://git.example/acme/app.git\n";
    fs::write(setting.checkout().join(".git/config"), origin).unwrap();
    let config = format!("team:\n  url: {}\n  token_file: {}\n{more}", server.url, token.display());
    setting.open_with(&config, width, height)
}

fn server() -> Server {
    let texts = ["alpha", "beta", "gamma", "delta"].map(|name| (format!("{name}.md"), memory(name, "One.")));
    let rows: Vec<(&str, &str)> = texts.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
    Server::holding(&rows)
}

/// A stage with one entry of each kind: sent, to send, restored, conflicting, blocked, hidden.
fn all_kinds(size: (u16, u16)) -> (Server, Stage) {
    let server = server();
    let mut stage = open(&server, "", size, usual());
    stage.press(&["S", "p"]);
    let team = stage.store().join("team");
    fs::write(team.join("beta.md"), memory("beta", "Ours.")).unwrap();
    server.with(|state| state.set("beta.md", &memory("beta", "Theirs.")));
    stage.press(&["p"]);
    fs::remove_file(team.join("gamma.md")).unwrap();
    fs::write(team.join("epsilon.md"), memory("epsilon", "New.")).unwrap();
    fs::write(team.join("key.md"), memory("key", &format!("Use {}{}.", "AKIA", "Z7QX4MNR2VWL5TKD"))).unwrap();
    stage.press(&["j", "j", "x"]);
    stage.press(&["esc", "S"]);
    (server, stage)
}

#[test]
fn the_team_screen_with_a_server_at_four_sizes() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let (server, mut stage) = all_kinds((width, height));
        stage.press(&["j"]);
        let screen = stage.screen().replace(&server.url, "http://127.0.0.1:12345");
        assert_snapshot!(format!("the_team_screen_with_a_server_at_{width}x{height}"), screen);
    }
}

#[test]
fn the_keys_of_the_team_screen_send_take_and_hide_and_say_what_came_of_it() {
    let (server, mut stage) = all_kinds((120, 40));
    stage.press(&["s"]);
    assert_eq!(server.entry("epsilon.md"), Some(memory("epsilon", "New.")));
    assert_eq!(server.entry("key.md"), None);
    let screen = stage.screen();
    assert!(screen.contains("Team: 1 sent") && screen.contains("1 set aside"), "{screen}");
    // Hidden ones are let come again with the same key.
    stage.press(&["g", "j", "j", "j", "j"]);
    let Some(Layer::Team(team)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let file = team.selected().unwrap().file.clone();
    stage.press(&["x"]);
    assert!(
        stage.screen().contains(&format!("{file} stays away")) || stage.screen().contains("comes again"),
        "{}",
        stage.screen()
    );
}

#[test]
fn what_waits_opens_in_the_review_with_both_versions() {
    let (_server, mut stage) = all_kinds((120, 40));
    stage.press(&["j", "enter"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Review(_))), "{}", stage.screen());
    let screen = stage.screen();
    assert!(screen.contains("Ours.") && screen.contains("beta.md"), "{screen}");
    stage.press(&["esc"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Team(_))));
    stage.press(&["g", "enter"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Team(_))), "nothing of that one waits");
}

#[test]
fn what_waits_is_accepted_or_brought_together_with_the_teams_and_sent() {
    let (server, mut stage) = all_kinds((120, 40));
    stage.press(&["j", "enter", "a", "enter"]);
    assert_eq!(fs::read_to_string(stage.store().join("team/beta.md")).unwrap(), memory("beta", "Ours."));
    assert!(matches!(stage.state.layers.last(), Some(Layer::Team(_))), "{}", stage.screen());
    stage.press(&["s"]);
    assert_eq!(server.entry("beta.md"), Some(memory("beta", "Ours.")), "{}", stage.screen());

    let (server, mut stage) = all_kinds((120, 40));
    stage.press(&["j", "enter", "e"]);
    let screen = stage.screen();
    assert!(
        ["<<<<<<< waits in the inbox", "Ours.", "Theirs.", ">>>>>>> in the file"]
            .iter()
            .all(|word| screen.contains(word)),
        "{screen}"
    );
    stage.press(&["ctrl-s"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Edit(_))), "not with the marks in it: {}", stage.screen());
    let own = memory("beta", "Ours and theirs.");
    for line in
        ["<<<<<<< waits in the inbox", "Ours.", "||||||| original", "One.", "=======", "Theirs.", ">>>>>>> in the file"]
    {
        for _ in 0..=line.len() {
            stage.press(&["delete"]);
        }
    }
    stage.type_text("Ours and theirs.").press(&["enter", "ctrl-s", "enter"]);
    let landed = fs::read_to_string(stage.store().join("team/beta.md")).unwrap();
    assert_eq!(landed.trim_end(), own.trim_end(), "{}", stage.screen());
    stage.press(&["s"]);
    assert_eq!(server.entry("beta.md"), Some(landed), "{}", stage.screen());
}

#[test]
fn a_server_that_is_not_there_is_told_and_the_screen_goes_on() {
    let server = server();
    let mut stage = open(&server, "", (120, 40), usual());
    stage.press(&["S", "p"]);
    let gone = Server { url: "http://127.0.0.1:1".to_owned(), ..server };
    let mut lost = open(&gone, "", (120, 40), usual());
    lost.press(&["S", "s"]);
    assert!(lost.screen().contains("127.0.0.1:1"), "{}", lost.screen());
    lost.press(&["esc"]);
    assert!(lost.state.layers.is_empty());
}

#[test]
fn without_a_server_the_keys_say_what_is_missing() {
    let mut stage = usual().open(120, 40);
    stage.press(&["S", "s"]);
    assert!(stage.screen().contains("no team's server is set up"), "{}", stage.screen());
}

#[test]
fn a_change_of_what_is_shared_is_sent_by_itself_where_that_is_switched_on() {
    let server = server();
    let setting = usual();
    setting.file("team/mine.md", memory("mine", "New."));
    let stage = open(&server, "  sync: after-landing\n", (120, 40), setting);
    assert_eq!(server.entry("mine.md"), Some(memory("mine", "New.")));
    assert!(stage.screen().contains("Team: 1 sent · 4 received"), "{}", stage.screen());
}

#[test]
fn a_sync_that_is_refused_for_doubt_says_which() {
    let (_server, mut stage) = all_kinds((120, 40));
    let origin = "[remote \"origin\"]\n\turl = https://git.example/acme/other.git\n";
    let checkout = ["checkouts/acme-api", "work/acme-api"].map(|path| stage.root().join(path));
    let checkout = checkout.iter().find(|path| path.is_dir()).unwrap();
    fs::write(checkout.join(".git/config"), origin).unwrap();
    stage.press(&["esc", "S", "s"]);
    let screen = stage.screen();
    let bottom = screen.lines().rev().take(3).collect::<Vec<_>>().join(" ");
    assert!(bottom.contains("Not possible now: memory/team/ of this store is shared with acme/app"), "{screen}");
    assert!(!screen.contains("no team's server is set up"), "{screen}");
}
