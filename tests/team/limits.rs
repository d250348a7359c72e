//! Sizes, numbers and rates: what is too much is said with its figures.

use dreamtop::team::server::Limits;
use serde_json::json;

use crate::http::call;
use crate::world::{World, limits, on_each, on_each_with, target};

#[test]
fn an_entry_of_the_largest_size_passes_and_one_byte_more_does_not() {
    on_each(|world| {
        let largest = world.create("acme/app", &json!({ "a.md": "a".repeat(250_000) }));
        assert_eq!(largest.status, 200);
        // Two bytes a character: it is bytes that count, and escapes do not.
        let escaped = world.put("acme/app", largest.header("etag"), &json!({ "b.md": "\u{1}".repeat(250_000) }));
        assert_eq!(escaped.status, 200, "1.5 MB of escapes are 250,000 bytes");
        let over = world.put("acme/app", escaped.header("etag"), &json!({ "c.md": "ü".repeat(125_001) }));
        assert_eq!((over.status, over.code().as_str()), (413, "entry_too_large"));
        let details = over.json()["error"]["details"].clone();
        assert_eq!((&details["key"], &details["received_bytes"]), (&json!("c.md"), &json!(250_002)));
    });
}

#[test]
fn a_body_that_is_too_large_is_refused_with_and_without_its_length() {
    on_each(|world| {
        let many: serde_json::Map<String, serde_json::Value> =
            (0..12).map(|number| (format!("{number}.md"), json!("a".repeat(200_000)))).collect();
        let refused = world.create("acme/app", &json!(many));
        assert_eq!((refused.status, refused.code().as_str()), (413, "body_too_large"));
        assert_eq!(refused.json()["error"]["details"]["max_bytes"], json!(2_097_152));
        let chunk = format!("{:x}\r\n{}\r\n", 100_000, "a".repeat(100_000));
        let body = chunk.repeat(30);
        let head = format!(
            "PUT {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\nIf-None-Match: *\r\n\
             Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{body}0\r\n\r\n",
            target("acme/app"),
            world.admin
        );
        let refused = crate::http::raw(world.address, head.as_bytes()).expect("an answer");
        assert_eq!((refused.status, refused.code().as_str()), (413, "body_too_large"));
        // Whoever may not write hears that, and not that it was too much.
        let reader = world.token("read", "*");
        let body = json!({ "entries": many });
        let denied = world.ask_as(&reader, "PUT", &target("acme/app"), &[("If-None-Match", "*")], Some(&body));
        assert_eq!((denied.status, denied.code().as_str()), (403, "forbidden"));
        assert_eq!(world.get("acme/app").status, 404);
    });
}

#[test]
fn too_many_entries_are_refused_with_both_numbers() {
    on_each_with(&Limits { entries: 3, repository_bytes: 100, ..limits() }, |world| {
        let full = world.create("acme/app", &json!({ "1.md": "1", "2.md": "2", "3.md": "3" }));
        assert_eq!(full.status, 200);
        let over = world.put("acme/app", full.header("etag"), &json!({ "4.md": "4", "5.md": "5", "1.md": "x" }));
        assert_eq!((over.status, over.code().as_str()), (413, "too_many_entries"));
        let details = json!({ "error_code": "team_memory_too_many_entries", "max_entries": 3, "received_entries": 5 });
        assert_eq!(over.json()["error"]["details"], details);
        let changed = world.put("acme/app", full.header("etag"), &json!({ "1.md": "x" }));
        assert_eq!(changed.status, 200, "one that is there may change");
        let heavy = world.put("acme/app", changed.header("etag"), &json!({ "1.md": "x".repeat(99) }));
        assert_eq!((heavy.status, heavy.code().as_str()), (413, "repository_too_large"));
        assert_eq!(heavy.json()["error"]["details"]["received_bytes"], json!(101));
    });
}

#[test]
fn a_token_and_an_address_that_ask_too_often_are_told_when_to_come_back() {
    on_each_with(&Limits { token_rate: 5, ..limits() }, |world| {
        let other = world.token("read", "*");
        let statuses: Vec<u16> = (0..8).map(|_| world.get("acme/app").status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == 404).count(), 4, "{statuses:?}");
        let refused = world.get("acme/app");
        assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"));
        assert!(refused.header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..=60).contains(&seconds)));
        assert_eq!(world.ask_as(&other, "GET", &target("acme/app"), &[], None).status, 404, "another token goes on");
    });
    let world = World::sqlite(Limits { address_rate: 5, ..limits() });
    // Guessing tokens counts, and claiming to be somebody else does not help.
    let guess = |number: usize| {
        let from = format!("192.0.2.{number}");
        let headers = [("Authorization", "Bearer x"), ("X-Forwarded-For", from.as_str())];
        call(world.address, "GET", &target("acme/app"), &headers, None).status
    };
    let statuses: Vec<u16> = (0..8).map(guess).collect();
    assert_eq!(statuses[..5], [401; 5]);
    assert_eq!(statuses[5..], [429; 3]);
    assert_eq!(call(world.address, "GET", "/healthz", &[], None).status, 200, "whoever watches is always answered");
}

#[test]
fn behind_a_proxy_callers_are_told_apart_by_the_word_the_proxy_wrote() {
    let world = World::behind_proxy(Limits { address_rate: 2, ..limits() });
    let from = |address: &str| {
        let headers = [("X-Forwarded-For", address)];
        call(world.address, "GET", &target("acme/app"), &headers, None).status
    };
    assert_eq!([from("192.0.2.1"), from("192.0.2.1"), from("192.0.2.1")], [401, 401, 429]);
    assert_eq!(from("192.0.2.2"), 401, "another one goes on");
    // What a client writes stands before what the proxy adds.
    assert_eq!([from("198.51.100.7, 192.0.2.1"), from("x, 192.0.2.1")], [429, 429]);
    assert_eq!([from("2001:db8::1"), from("2001:db8::2"), from("2001:db8::3")], [401, 401, 429], "one network");
    // Without that word it is the proxy itself.
    assert_eq!([from("nobody"), from(""), from("nobody")], [401, 401, 429]);
    let metrics = call(world.address, "GET", "/metrics", &[("X-Forwarded-For", "203.0.113.1")], None);
    assert_eq!(metrics.status, 401, "a proxy passes on what others ask");
}

#[test]
fn a_server_that_is_full_says_so_and_when_to_come_back() {
    let world = World::sqlite(Limits { requests: 0, ..limits() });
    let refused = call(world.address, "GET", &target("acme/app"), &[], None);
    assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"));
    assert!(refused.header("retry-after").parse::<u64>().is_ok());
    assert_eq!(call(world.address, "GET", "/readyz", &[], None).status, 503, "it takes no further ones");
    assert_eq!(call(world.address, "GET", "/healthz", &[], None).status, 200);
}

#[test]
fn what_was_answered_is_counted_without_names() {
    on_each(|world| {
        let created = world.create("acme/secret-name", &json!({ "a.md": "1" }));
        world.create("acme/secret-name", &json!({ "a.md": "1" }));
        world.put("acme/secret-name", created.header("etag"), &json!({ "a.md": "1" }));
        world.ask("BREW", &target("acme/secret-name"), &[], None);
        world.ask("GET", "/made-up/path", &[], None);
        let text = call(world.address, "GET", "/metrics", &[], None).text();
        let route = "route=\"/api/claude_code/team_memory\"";
        for line in [
            format!("dreamtop_requests_total{{{route},method=\"PUT\",status=\"200\"}} 2"),
            format!("dreamtop_requests_total{{{route},method=\"PUT\",status=\"412\"}} 1"),
            format!("dreamtop_requests_total{{{route},method=\"OTHER\",status=\"405\"}} 1"),
            "dreamtop_requests_total{route=\"other\",method=\"GET\",status=\"404\"} 1".to_owned(),
            "dreamtop_changes_total 1".to_owned(),
            "dreamtop_conflicts_total 1".to_owned(),
            format!("dreamtop_request_seconds_count{{{route}}} 4"),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(!text.contains("secret-name") && !text.contains("made-up") && !text.contains(&world.admin[4..20]));
    });
}

#[test]
fn a_body_that_is_only_said_to_be_too_large_hears_the_figure() {
    let world = World::sqlite(limits());
    for (path, method, most) in [(target("acme/app"), "PUT", 2_097_152), ("/v1/import".to_owned(), "POST", 67_108_864)]
    {
        let mut stream = std::net::TcpStream::connect(world.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\nIf-None-Match: *\r\n\
             Content-Type: application/json\r\nContent-Length: 999999999\r\n\r\n",
            world.admin
        );
        std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
        assert!(answer.contains("body_too_large") && answer.contains(&format!("\"max_bytes\":{most}")), "{answer}");
    }
}
