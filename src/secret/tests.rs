#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

/// Credentials are put together at run time, so that no scanner takes this file for a leak.
fn tokens() -> Vec<(&'static str, String)> {
    let b62 = "q7Rk2mXv9LpZ4tWc8NbY3sHd6JfG1aKeU5oTiQwErxDyCuVh";
    let take = |length: usize| b62.chars().cycle().take(length).collect::<String>();
    let hex = |length: usize| "9f3ab07c41d2e8560b7e".chars().cycle().take(length).collect::<String>();
    vec![
        ("aws-access-key", format!("{}{}", "AKI", "AQ7RK2MXV5LPZ4TWC")),
        ("github-token", format!("{}_{}", "ghp", take(36))),
        ("github-token", format!("{}_{}_{}", "github_pat", take(22), take(59))),
        ("gitlab-token", format!("{}-{}", "glpat", take(20))),
        ("slack-token", format!("{}-{}", "xoxb", "123456789012-123456789012-q7Rk2mXv9LpZ4tWc8NbY3sHd")),
        ("google-api-key", format!("{}{}", "AIza", take(35))),
        ("stripe-key", format!("{}_{}", "sk_live", take(24))),
        ("anthropic-key", format!("{}-{}", "sk-ant-api03", take(93))),
        ("openai-key", format!("{}-{}", "sk-proj", take(60))),
        ("npm-token", format!("{}_{}", "npm", take(36))),
        ("twilio-key", format!("{}{}", "SK", hex(32))),
        ("jwt", format!("{}J{}.{}J{}.{}", "ey", take(20), "ey", take(30), take(43))),
    ]
}

#[test]
fn a_token_is_found_however_it_stands_in_the_text() {
    for (rule, token) in tokens() {
        for (before, after) in [
            ("", ""),
            ("The key is ", "."),
            ("Use (", ") for staging"),
            ("**", "** in bold"),
            ("|", "|"),
            ("`", "`"),
            ("see https://api.example/x?key=", "&y=1"),
            ("a, ", ", b"),
        ] {
            let text = format!("---\nname: x\n---\n\n{before}{token}{after}\n");
            let hits = scan(text.as_bytes());
            assert_eq!(hits.len(), 1, "{rule} between {before:?} and {after:?}");
            assert_eq!(hits[0].line, 5);
        }
        assert_eq!(scan(token.as_bytes())[0].rule, rule);
    }
}

#[test]
fn blocks_urls_and_assignments_are_found() {
    let pem = format!(
        "-----BEGIN {} KEY-----\nMIIEowIBAAKCAQEAx7q9Lr3Zt0Wn2yPbV5\nmKcQ8dEj\n-----END {} KEY-----\n",
        "RSA PRIVATE", "RSA PRIVATE"
    );
    assert_eq!(scan(pem.as_bytes()), [SecretHit { rule: "private-key", line: 1 }]);
    for text in [
        "postgres://svc_abcd:q7Rk2mXv9LpZ4tWc8N@db.corp.example:5432/app",
        "DB_PASSWORD=q7Rk2m!Xv9LpZ4tW",
        "client_secret: \"q7Rk2mXv9LpZ4tWc8NbY3sHd6JfG1aKe\"",
        "{\"api_key\": \"9f3ab07c41d2e8560b7e9f3ab07c41d2e8560b7e\"}",
        "The staging DB_PASSWORD is `q7Rk2m!Xv9LpZ4tW`.",
        "AWS_SECRET_ACCESS_KEY=q7Rk2mXv9LpZ/tWc8NbY3sHd6JfG+aKeU5oTiQwE",
    ] {
        assert_eq!(scan(text.as_bytes()).len(), 1, "{text}");
    }
}

#[test]
fn fc_091_hashes_ids_and_images_are_no_secrets() {
    let sha = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for text in [
        format!("sha256: {sha}"),
        format!("checksum `sha256:{sha}`"),
        "commit 76c562e4d0a1b2c3d4e5f60718293a4b5c6d7e8f fixed it".to_owned(),
        "id: 550e8400-e29b-41d4-a716-446655440000".to_owned(),
        "originSessionId: \"3f2a8c1e-0b7d-4c55-9e6f-1a2b3c4d5e6f\"".to_owned(),
        "![icon](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4)".to_owned(),
        "The token is rotated every 90 days; password: ask Dana".to_owned(),
        "API_KEY=$API_KEY and token: <your-token> and password: ********".to_owned(),
        "secret: see feedback_testing_2.md, key: value, token: tokenizer-v2.1".to_owned(),
        "https://user:password@example.com and postgres://app:${DB_PASSWORD}@localhost/x".to_owned(),
        "Use process.env.API_TOKEN_2; password = os.environ['DB_PASS_1']".to_owned(),
        "The docs use AKIAIOSFODNN7EXAMPLE as a sample id".to_owned(),
        "token limit: 25000 tokens, keyed by user_id_2024".to_owned(),
    ] {
        assert_eq!(scan(text.as_bytes()), [], "{text}");
    }
}

#[test]
fn zero_width_characters_do_not_hide_a_token() {
    let (_, token) = tokens().swap_remove(1);
    let (one, other) = token.split_at_checked(12).unwrap();
    assert_eq!(scan(format!("{one}\u{200B}{other}").as_bytes()).len(), 1);
}

#[test]
fn what_was_there_already_is_not_added() {
    let (_, token) = tokens().swap_remove(1);
    let before = format!("a\n{token}\n");
    let after = format!("new line\na\n{token}\n");
    assert_eq!(added(Some(before.as_bytes()), after.as_bytes()), []);
    assert_eq!(added(Some(b"a\n"), after.as_bytes()).len(), 1);
    assert_eq!(added(None, after.as_bytes())[0].line, 3);
}

#[test]
fn a_redacted_text_does_not_hold_the_value() {
    for (rule, token) in tokens() {
        let text = redacted(&format!("they said {token}, and {token}!"));
        assert!(!text.contains(&token), "{rule}");
        assert!(text.starts_with("they said [removed") && text.ends_with('!'), "{text}");
    }
    assert_eq!(redacted("nothing here"), "nothing here");
}
