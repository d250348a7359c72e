//! Who may ask what: every role on every route. The table is printed as it stands in docs/server.md, which has to hold it.

use chrono::TimeZone;
use dreamtop::clock::Clock;
use dreamtop::team::server::Wanted;
use serde_json::{Value, json};

use crate::world::{World, on_each, target};

/// A route as somebody asks it who may: it changes nothing that another row needs.
struct Row {
    name: &'static str,
    method: &'static str,
    target: String,
    headers: Vec<(&'static str, String)>,
    body: Option<Value>,
}

const CALLERS: [&str; 9] =
    ["nobody", "wrong", "expired", "revoked", "elsewhere", "read", "write", "admin", "other tenant"];

/// The statuses, in the order of [`CALLERS`].
const EXPECTED: &[(&str, [u16; 9])] = &[
    ("GET team_memory", [401, 401, 401, 401, 403, 200, 200, 200, 404]),
    ("GET team_memory view=hashes", [401, 401, 401, 401, 403, 200, 200, 200, 404]),
    ("PUT team_memory", [401, 401, 401, 401, 403, 403, 200, 200, 412]),
    ("DELETE /v1/team_memory", [401, 401, 401, 401, 403, 403, 404, 404, 404]),
    ("GET /v1/history", [401, 401, 401, 401, 403, 200, 200, 200, 200]),
    ("GET /v1/history version", [401, 401, 401, 401, 403, 200, 200, 200, 404]),
    ("DELETE /v1/history", [401, 401, 401, 401, 403, 403, 403, 404, 404]),
    ("GET /v1/audit", [401, 401, 401, 401, 403, 403, 403, 200, 200]),
    ("GET /v1/tokens", [401, 401, 401, 401, 403, 403, 403, 200, 200]),
    ("POST /v1/tokens", [401, 401, 401, 401, 403, 403, 403, 201, 201]),
    ("DELETE /v1/tokens/ID", [401, 401, 401, 401, 403, 403, 403, 404, 404]),
    ("GET /v1/export", [401, 401, 401, 401, 403, 403, 403, 200, 200]),
    ("POST /v1/import", [401, 401, 401, 401, 403, 403, 403, 400, 400]),
    ("GET /metrics (passed on)", [401, 401, 401, 401, 403, 403, 403, 200, 200]),
    ("GET /metrics (this machine)", [200, 200, 200, 200, 200, 200, 200, 200, 200]),
    ("GET /healthz", [200, 200, 200, 200, 200, 200, 200, 200, 200]),
    ("GET /readyz", [200, 200, 200, 200, 200, 200, 200, 200, 200]),
];

fn rows(etag: &str) -> Vec<Row> {
    let entries = json!({ "entries": { "a.md": "1" } });
    let row = |name, method, target: &str| {
        let target = target.to_owned();
        Row { name, method, target, headers: Vec::new(), body: None }
    };
    let here = target("acme/app");
    let if_match = vec![("If-Match", etag.to_owned())];
    vec![
        row("GET team_memory", "GET", &here),
        row("GET team_memory view=hashes", "GET", &format!("{here}&view=hashes")),
        Row { headers: if_match.clone(), body: Some(entries), ..row("PUT team_memory", "PUT", &here) },
        Row {
            headers: if_match,
            ..row("DELETE /v1/team_memory", "DELETE", "/v1/team_memory?repo=acme%2Fapp&key=none.md")
        },
        row("GET /v1/history", "GET", "/v1/history?repo=acme%2Fapp"),
        row("GET /v1/history version", "GET", "/v1/history?repo=acme%2Fapp&key=a.md&version=1"),
        row("DELETE /v1/history", "DELETE", "/v1/history?repo=acme%2Fapp&key=a.md&version=9"),
        row("GET /v1/audit", "GET", "/v1/audit"),
        row("GET /v1/tokens", "GET", "/v1/tokens"),
        Row { body: Some(json!({ "label": "new", "role": "read" })), ..row("POST /v1/tokens", "POST", "/v1/tokens") },
        row("DELETE /v1/tokens/ID", "DELETE", "/v1/tokens/0123456789abcdef"),
        row("GET /v1/export", "GET", "/v1/export"),
        Row {
            headers: vec![("Content-Type", "application/x-ndjson".to_owned())],
            ..row("POST /v1/import", "POST", "/v1/import")
        },
        Row {
            headers: vec![("X-Forwarded-For", "192.0.2.1".to_owned())],
            ..row("GET /metrics (passed on)", "GET", "/metrics")
        },
        row("GET /metrics (this machine)", "GET", "/metrics"),
        row("GET /healthz", "GET", "/healthz"),
        row("GET /readyz", "GET", "/readyz"),
    ]
}

/// A token of each caller; `None`: no header.
fn tokens(world: &World) -> [Option<String>; 9] {
    let wanted = Wanted {
        organization: "default",
        label: "old",
        role: "admin",
        repositories: None,
        expires: Some("2021-01-01T00:00:00Z"),
    };
    let long_ago = Clock::Fixed(chrono::Utc.with_ymd_and_hms(2020, 1, 1, 0, 0, 0).unwrap());
    let expired = world.operator_token(wanted, long_ago).token;
    let other = Wanted { organization: "other", label: "theirs", expires: None, ..wanted };
    let other = world.operator_token(other, Clock::System).token;
    let revoked = world.operator_token(Wanted { expires: None, ..wanted }, Clock::System);
    let gone = world.ask("DELETE", &format!("/v1/tokens/{}", revoked.id), &[], None);
    assert_eq!(gone.status, 204);
    let mut wrong = world.admin.clone();
    let last = if wrong.ends_with('A') { "B" } else { "A" };
    wrong.replace_range(wrong.len() - 1.., last);
    [
        None,
        Some(wrong),
        expired,
        revoked.token,
        Some(world.token("write", "elsewhere/*")),
        Some(world.token("read", "acme/*")),
        Some(world.token("write", "acme/*")),
        Some(world.admin.clone()),
        other,
    ]
}

#[test]
fn every_role_gets_from_every_route_what_the_table_says() {
    let mut table = vec![format!("| | {} |", CALLERS.join(" | ")), format!("|---|{}", "---|".repeat(CALLERS.len()))];
    for (name, statuses) in EXPECTED {
        let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
        table.push(format!("| `{name}` | {} |", statuses.join(" | ")));
    }
    let table = table.join("\n");
    eprintln!("{table}");
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/server.md")).unwrap();
    assert!(page.contains(&table), "docs/server.md has another table");

    on_each(|world| {
        let created = world.create("acme/app", &json!({ "a.md": "1" }));
        let rows = rows(created.header("etag"));
        assert_eq!(rows.len(), EXPECTED.len());
        let tokens = tokens(world);
        for (row, (name, expected)) in rows.iter().zip(EXPECTED) {
            assert_eq!(&row.name, name);
            for ((token, caller), expected) in tokens.iter().zip(CALLERS).zip(expected) {
                let mut headers: Vec<(&str, &str)> =
                    row.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let bearer = format!("Bearer {}", token.as_deref().unwrap_or_default());
                if token.is_some() {
                    headers.push(("Authorization", &bearer));
                }
                if row.body.is_some() {
                    headers.push(("Content-Type", "application/json"));
                }
                let body = row.body.as_ref().map(|body| body.to_string().into_bytes());
                let reply = crate::http::call(world.address, row.method, &row.target, &headers, body.as_deref());
                assert_eq!(reply.status, *expected, "{}: {name} by {caller}: {}", world.name, reply.text());
                if reply.status >= 400 {
                    assert!(!reply.code().is_empty(), "{name} by {caller}: {}", reply.text());
                }
                if reply.status == 401 {
                    assert!(reply.header("www-authenticate").starts_with("Bearer"), "{name} by {caller}");
                }
            }
        }
        assert_eq!(world.get("acme/app").header("etag"), created.header("etag"), "nobody changed anything");
    });
}

#[test]
fn two_tenants_never_see_each_other() {
    on_each(|world| {
        let wanted =
            Wanted { organization: "other", label: "theirs", role: "admin", repositories: None, expires: None };
        let other = world.operator_token(wanted, Clock::System).token.unwrap();
        let ask = |method: &str, target: &str, headers: &[(&str, &str)], body: Option<&Value>| {
            world.ask_as(&other, method, target, headers, body)
        };
        // The same name twice is two repositories.
        let ours = world.create("acme/app", &json!({ "ours.md": "OURS-ONLY" }));
        let put = ask(
            "PUT",
            &target("acme/app"),
            &[("If-None-Match", "*")],
            Some(&json!({ "entries": { "theirs.md": "THEIRS-ONLY" } })),
        );
        assert_eq!((ours.status, put.status), (200, 200), "{}", put.text());
        // Knowing the other one's tag helps nobody.
        let stolen = ask(
            "PUT",
            &target("acme/app"),
            &[("If-Match", ours.header("etag"))],
            Some(&json!({ "entries": { "ours.md": "x" } })),
        );
        assert_eq!(stolen.status, 412);
        let theirs = ask("GET", &target("acme/app"), &[], None).json();
        assert_eq!(
            (&theirs["organizationId"], &theirs["content"]["entries"]),
            (&json!("other"), &json!({ "theirs.md": "THEIRS-ONLY" }))
        );
        for path in ["/v1/export", "/v1/audit", "/v1/tokens", "/v1/history?repo=acme%2Fapp"] {
            let (mine, others) = (world.ask("GET", path, &[], None).text(), ask("GET", path, &[], None).text());
            for (text, foreign) in [(&mine, "theirs"), (&others, "ours"), (&mine, "THEIRS"), (&others, "OURS")] {
                assert!(!text.contains(foreign), "{path}: {text}");
            }
        }
        // Ids of tokens are no secret, and of no use to another tenant.
        let id = world.ask("GET", "/v1/tokens", &[], None).json()["tokens"][0]["id"].as_str().unwrap().to_owned();
        assert_eq!(ask("DELETE", &format!("/v1/tokens/{id}"), &[], None).status, 404);
        assert_eq!(world.get("acme/app").status, 200);
        // What one exports the other may import: into its own.
        let export = world.ask("GET", "/v1/export", &[], None);
        let lines = export.text().replace("acme/app", "acme/copy");
        let bearer = format!("Bearer {other}");
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/x-ndjson")];
        let imported = crate::http::call(world.address, "POST", "/v1/import", &headers, Some(lines.as_bytes())).json();
        assert_eq!(imported["imported"], json!(["other/acme/copy"]), "{imported}");
        assert_eq!(world.get("acme/copy").status, 404);
    });
}
