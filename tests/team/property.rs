//! Whatever is sent: an answer below 500 or a closed connection, and a server that goes on.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::http::{call, raw};
use crate::world::{World, limits, target};

static WORLD: LazyLock<World> = LazyLock::new(|| World::sqlite(limits()));

fn good() -> String {
    format!(
        "PUT {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\nIf-None-Match: *\r\n\
         Content-Type: application/json\r\nContent-Length: 24\r\n\r\n{{\"entries\":{{\"a.md\":\"1\"}}}}",
        target("acme/raw"),
        WORLD.admin
    )
}

fn goes_on() -> bool {
    call(WORLD.address, "GET", "/readyz", &[], None).status == 200
}

/// Any JSON, mostly of the right shape.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let any_value = leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    });
    let key = prop_oneof!["[a-z]{1,8}\\.md", any::<String>(), "[a-zA-Z/.%]{0,12}\\.md"];
    let entries = prop::collection::btree_map(key, any::<String>(), 0..4).prop_map(|map| json!({ "entries": map }));
    prop_oneof![2 => entries, 1 => any_value.clone(), 1 => any_value.prop_map(|value| json!({ "entries": value }))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered_below_500_or_not_at_all(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            "(GET|PUT|DELETE|XX) [ -~]{0,60} HTTP/1\\.[019]\r\n([A-Za-z-]{1,12}: [ -~]{0,30}\r\n){0,5}\r\n[ -~]{0,40}".prop_map(String::into_bytes),
        ],
    ) {
        let stream = std::net::TcpStream::connect(WORLD.address).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(120))).unwrap();
        let mut writer = stream.try_clone().unwrap();
        let _ = std::io::Write::write_all(&mut writer, &bytes);
        // Nothing more comes: whatever was begun ends here.
        let _ = writer.shutdown(std::net::Shutdown::Write);
        if let Some(reply) = crate::http::read(stream) {
            prop_assert!(reply.status < 500, "{} {}", reply.status, reply.text());
        }
        prop_assert!(goes_on());
    }

    #[test]
    fn a_request_with_one_wrong_byte_is_answered_below_500_or_not_at_all(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = good().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let stream = std::net::TcpStream::connect(WORLD.address).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(120))).unwrap();
        let mut writer = stream.try_clone().unwrap();
        let _ = std::io::Write::write_all(&mut writer, &bytes);
        let _ = writer.shutdown(std::net::Shutdown::Write);
        if let Some(reply) = crate::http::read(stream) {
            prop_assert!(reply.status < 500 || reply.status == 505, "{} {}", reply.status, reply.text());
        }
        prop_assert!(goes_on());
    }

    #[test]
    fn any_json_is_written_or_refused_and_what_was_written_is_read(body in any_json(), number in 0..1_000_000_u32) {
        let repo = format!("json/{number}");
        let before = WORLD.get(&repo);
        let put = match before.status {
            404 => WORLD.ask("PUT", &target(&repo), &[("If-None-Match", "*")], Some(&body)),
            _ => WORLD.ask("PUT", &target(&repo), &[("If-Match", before.header("etag"))], Some(&body)),
        };
        prop_assert!([200, 400, 413, 422].contains(&put.status), "{body}: {} {}", put.status, put.text());
        let after = WORLD.get(&repo);
        if put.status == 200 {
            prop_assert_eq!(after.header("etag"), put.header("etag"));
            let entries = after.json()["content"]["entries"].clone();
            for (key, text) in body["entries"].as_object().unwrap() {
                prop_assert_eq!(&entries[key], text);
            }
        } else {
            prop_assert_eq!(after.status, before.status);
            prop_assert_eq!(after.header("etag"), before.header("etag"));
        }
    }

    #[test]
    fn any_query_is_answered_below_500(query in "[ -~&&[^ #]]{0,40}", path in 0..5_usize) {
        let paths = [
            "/api/claude_code/team_memory", "/v1/history", "/v1/audit", "/v1/tokens", "/v1/team_memory",
        ];
        let request = format!("GET {}?{query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n", paths[path], WORLD.admin);
        if let Some(reply) = raw(WORLD.address, request.as_bytes()) {
            prop_assert!(reply.status < 500, "{query}: {} {}", reply.status, reply.text());
        }
    }
}
