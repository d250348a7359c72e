//! Names, queries, bodies and headers that are made to get somewhere: each is refused, in JSON, and nothing is written.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::http::{Reply, call, raw};
use crate::world::{World, on_each, target};

/// Sends a body as it is, for a first write.
fn send(world: &World, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let bearer = format!("Bearer {}", world.admin);
    let mut all = vec![("Authorization", bearer.as_str()), ("If-None-Match", "*")];
    all.extend(headers);
    call(world.address, "PUT", &target("acme/app"), &all, Some(body))
}

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = gzip.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = gzip.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output.stdout
}

#[test]
fn names_that_lead_elsewhere_are_refused_and_write_nothing() {
    on_each(|world| {
        let keys = [
            "../a.md",
            "a/../b.md",
            "/etc/a.md",
            "a//b.md",
            "./a.md",
            "a\\b.md",
            "c:a.md",
            "a.txt",
            ".a.md",
            "a\0.md",
            "a\n.md",
            "a\u{202e}.md",
            "a\u{200b}.md",
            "con.md",
            "cafe\u{301}.md",
            "．．/a.md",
            "a\u{2215}b.md",
            "",
            "a%2f..%2fb.md",
            "~/a.md\u{7}",
            "a/.git/b.md",
        ];
        for key in keys {
            let refused = world.create("acme/app", &json!({ "good.md": "1", key: "2" }));
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad_key"), "{key:?}");
        }
        for pair in [["a.md", "A.md"], ["über.md", "ÜBER.md"]] {
            let refused = world.create("acme/app", &json!({ pair[0]: "1", pair[1]: "2" }));
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad_key"), "{pair:?}");
        }
        assert_eq!(world.get("acme/app").status, 404);
        let there = world.create("acme/app", &json!({ "Notes.md": "1" }));
        let twin = world.put("acme/app", there.header("etag"), &json!({ "notes.md": "2" }));
        assert_eq!((twin.status, twin.code().as_str()), (400, "bad_key"));
        assert_eq!(world.get("acme/app").header("etag"), there.header("etag"));
    });
}

#[test]
fn repositories_and_paths_that_are_none_are_refused() {
    on_each(|world| {
        let path = "/api/claude_code/team_memory";
        for query in [
            "",
            "?repo=",
            "?repo=acme",
            "?repo=..%2F..",
            "?repo=acme%2F..",
            "?repo=acme%2Fapp%2Fx",
            "?repo=acme%00%2Fapp",
            "?repo=%FF%2Fapp",
            "?repo=acme%252Fapp",
            "?repo=acme%2Fapp&repo=acme%2Fother",
            "?repo=acme%2F%C3%BC",
            "?repo=acme%2Fapp&view=none",
            "?repo=acme%2Fapp&view=hashes&view=full",
            "?repo=acme%2F%",
            "?repo=acme\\app",
        ] {
            let refused = world.ask("GET", &format!("{path}{query}"), &[], None);
            let code = refused.code();
            assert!(
                refused.status == 400 && ["bad_repo", "bad_query"].contains(&code.as_str()),
                "{query}: {}",
                refused.text()
            );
        }
        for other in [
            "/",
            "//api/claude_code/team_memory?repo=acme%2Fapp",
            "/api/claude_code/team_memory/?repo=acme%2Fapp",
            "/api/claude_code/../claude_code/team_memory?repo=acme%2Fapp",
            "/API/claude_code/team_memory?repo=acme%2Fapp",
            "/api/claude_code/team_memory%2F..?repo=acme%2Fapp",
            "/v1",
            "/v1/tokens/a/b",
            "/v1/tokens/..%2f..",
        ] {
            let refused = world.ask("GET", other, &[], None);
            assert!([404, 405].contains(&refused.status), "{other}: {} {}", refused.status, refused.text());
            assert!(!refused.code().is_empty());
        }
        for method in ["POST", "PATCH", "OPTIONS", "TRACE", "DELETE", "PROPFIND"] {
            let refused = world.ask(method, &target("acme/app"), &[], None);
            assert_eq!((refused.status, refused.code().as_str()), (405, "method_not_allowed"), "{method}");
            assert!(refused.header("allow").contains("PUT"));
        }
    });
}

#[test]
fn bodies_that_are_not_what_they_say_are_refused_and_write_nothing() {
    on_each(|world| {
        let deep = format!("{{\"entries\":{}{}}}", "[".repeat(50_000), "]".repeat(50_000));
        let bad: [(&[u8], &str); 16] = [
            (b"", "bad_json"),
            (b"no", "bad_json"),
            (b"[]", "bad_json"),
            (b"[{}]", "bad_json"),
            (b"[{\"a.md\":\"1\"}]", "bad_json"),
            (b"{}", "bad_json"),
            (b"{\"entries\":[]}", "bad_json"),
            (b"{\"entries\":{\"a.md\":1}}", "bad_json"),
            (b"{\"entries\":{\"a.md\":null}}", "bad_json"),
            (b"{\"entries\":{\"a.md\":\"1\",\"a.md\":\"2\"}}", "bad_json"),
            (b"{\"entries\":{\"a.md\":\"\\ud800\"}}", "bad_json"),
            (b"{\"entries\":{\"a.md\":\"1\"}} {", "bad_json"),
            (b"\xef\xbb\xbf{\"entries\":{\"a.md\":\"1\"}}", "bad_json"),
            (b"{\"entries\":{\"a.md\":\"\xff\"}}", "bad_encoding"),
            (b"{\"entries\":{\"a.md\":\"\\u0000\"}}", "bad_entry"),
            (deep.as_bytes(), "bad_json"),
        ];
        for (body, code) in bad {
            let refused = send(world, &[JSON], body);
            let shown = String::from_utf8_lossy(&body[..body.len().min(60)]);
            assert_eq!((refused.status, refused.code().as_str()), (400, code), "{shown}: {}", refused.text());
        }
        let good = b"{\"entries\":{\"a.md\":\"1\"}}";
        for kind in
            ["text/plain", "application/json5", "application/json; charset=latin1", "application/x-www-form-urlencoded"]
        {
            let refused = send(world, &[("Content-Type", kind)], good);
            assert_eq!((refused.status, refused.code().as_str()), (415, "unsupported_media_type"), "{kind}");
        }
        assert_eq!(send(world, &[], good).status, 415, "no type");
        assert_eq!(send(world, &[JSON, ("Content-Type", "text/plain")], good).status, 415, "two types");
        for coding in ["br", "deflate", "gzip, gzip", "x"] {
            let refused = send(world, &[JSON, ("Content-Encoding", coding)], good);
            assert_eq!((refused.status, refused.code().as_str()), (415, "unsupported_media_type"), "{coding}");
        }
        let broken = send(world, &[JSON, ("Content-Encoding", "gzip")], good);
        assert_eq!((broken.status, broken.code().as_str()), (400, "bad_body"));
        assert_eq!(world.get("acme/app").status, 404);

        // All that is sent counts: nothing behind the end of what is packed is left out unseen, and members are one text.
        let (half, other) = good.split_at(9);
        let members = [packed(half), packed(other)].concat();
        let behind: [&[u8]; 5] = [b"x", b"\0\0\0\0", b"{\"entries\":{\"b.md\":\"2\"}}", &packed(good)[..12], &[0x1f]];
        for more in behind {
            for whole in [packed(good), members.clone()] {
                let refused = send(world, &[JSON, ("Content-Encoding", "gzip")], &[whole.as_slice(), more].concat());
                assert_eq!(
                    (refused.status, refused.code().as_str()),
                    (400, "bad_body"),
                    "{more:?}: {}",
                    refused.text()
                );
                assert!(refused.text().contains("has more behind its end"), "{}", refused.text());
            }
        }
        let twice = send(world, &[JSON, ("Content-Encoding", "gzip")], &[packed(good), packed(good)].concat());
        assert_eq!((twice.status, twice.code().as_str()), (400, "bad_json"), "{}", twice.text());
        for cut in [1, 9, 12, members.len() - packed(other).len() + 3, members.len() - 1] {
            let refused = send(world, &[JSON, ("Content-Encoding", "gzip")], &members[..cut]);
            assert_eq!((refused.status, refused.code().as_str()), (400, "bad_body"), "{cut}: {}", refused.text());
        }
        let mut damaged = packed(good);
        let at = damaged.len() - 6;
        damaged[at] ^= 1;
        assert_eq!(send(world, &[JSON, ("Content-Encoding", "gzip")], &damaged).status, 400, "its sum is another");
        assert_eq!(world.get("acme/app").status, 404, "nothing of all this was stored");

        // What was there once is written once; its name is in any letters.
        for (coding, status) in [("gzip", 200), ("GZIP", 412), ("X-Gzip", 412)] {
            let headers = [("content-type", "Application/JSON; charset=UTF-8"), ("Content-Encoding", coding)];
            let whole = send(world, &headers, &packed(good));
            assert_eq!(whole.status, status, "{coding}: {}", whole.text());
        }
    });
}

#[test]
fn a_small_body_that_unpacks_to_a_large_one_is_too_large() {
    on_each(|world| {
        let bomb = packed(format!("{{\"entries\":{{\"a.md\":\"{}\"}}}}", "a".repeat(50_000_000)).as_bytes());
        assert!(bomb.len() < 100_000, "{}", bomb.len());
        let refused = send(world, &[JSON, ("Content-Encoding", "gzip")], &bomb);
        assert_eq!((refused.status, refused.code().as_str()), (413, "body_too_large"), "{}", refused.text());
        assert_eq!(world.get("acme/app").status, 404);
    });
}

#[test]
fn answers_are_packed_for_who_asks() {
    on_each(|world| {
        world.create("acme/app", &json!({ "a.md": "again and again ".repeat(5_000) }));
        let plain = world.get("acme/app");
        let small = world.ask("GET", &target("acme/app"), &[("Accept-Encoding", "gzip")], None);
        assert_eq!((small.header("content-encoding"), small.header("etag")), ("gzip", plain.header("etag")));
        assert!(small.body.len() * 10 < plain.body.len(), "{} of {}", small.body.len(), plain.body.len());
        let mut gzip = Command::new("gzip").arg("-dc").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        gzip.stdin.take().unwrap().write_all(&small.body).unwrap();
        assert_eq!(gzip.wait_with_output().unwrap().stdout, plain.body);
    });
}

#[test]
fn headers_that_say_two_things_get_nobody_in() {
    on_each(|world| {
        world.create("acme/app", &json!({ "a.md": "1" }));
        let admin = format!("Bearer {}", world.admin);
        let get = |headers: &[(&str, &str)]| call(world.address, "GET", &target("acme/app"), headers, None).status;
        assert_eq!(get(&[("Authorization", &admin)]), 200);
        assert_eq!(get(&[("authorization", &admin.replace("Bearer", "bEARER"))]), 200);
        for headers in [
            vec![("Authorization", admin.as_str()), ("Authorization", "Bearer x")],
            vec![("Authorization", "Bearer x"), ("Authorization", admin.as_str())],
            vec![("Authorization", &admin[7..])],
            vec![("X-Authorization", admin.as_str())],
            vec![("Cookie", admin.as_str())],
            vec![("Authorization", "Basic eDp5")],
            vec![("Authorization", "Bearer ")],
            vec![("Authorization", "Bearer \u{fc}")],
        ] {
            assert_eq!(get(&headers), 401, "{headers:?}");
        }
        let with_token =
            world.ask_as("x", "GET", &format!("{}&access_token={}", target("acme/app"), world.admin), &[], None);
        assert_eq!(with_token.status, 401, "a token in a query is none");

        let line = format!("Host: x\r\nAuthorization: {admin}\r\nConnection: close\r\n");
        let head = |request: &str, more: &str, body: &str| {
            format!("{request} HTTP/1.1\r\n{line}{more}\r\n{body}").into_bytes()
        };
        let status = |bytes: &[u8]| raw(world.address, bytes).map(|reply: Reply| reply.status);
        let put = format!("PUT {}", target("acme/smuggled"));
        let body = "{\"entries\":{\"a.md\":\"1\"}}";
        let first = "If-None-Match: *\r\nContent-Type: application/json\r\n";
        // Two lengths, or a length and chunks: a proxy before us might end the request elsewhere.
        for lengths in [
            "Content-Length: 5\r\nContent-Length: 24\r\n",
            "Content-Length: 24\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Content-Length: +24\r\n",
            "Content-Length: 24, 24x\r\n",
        ] {
            let answered = status(&head(&put, &format!("{first}{lengths}"), body));
            assert!(answered.is_none_or(|status| status == 400), "{lengths:?}: {answered:?}");
        }
        let huge = format!("X-Long: {}\r\n", "a".repeat(200_000));
        let many: String = (0..500).map(|number| format!("X-{number}: 1\r\n")).collect();
        let get = format!("GET {}", target("acme/app"));
        for more in [huge.as_str(), many.as_str()] {
            let answered = status(&head(&get, more, ""));
            assert!(answered.is_none_or(|status| status == 431), "{answered:?}");
        }
        assert_eq!(world.get("acme/smuggled").status, 404);
    });
}

#[test]
fn what_looks_like_a_secret_is_refused_by_place_and_rule_alone() {
    on_each(|world| {
        let secret = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        let entries = json!({ "good.md": "fine", "bad.md": format!("one\ntwo\nthe token is {secret}.\n") });
        let refused = world.create("acme/app", &entries);
        assert_eq!((refused.status, refused.code().as_str()), (422, "secret_detected"));
        let findings = refused.json()["error"]["findings"].clone();
        assert_eq!(findings[0]["key"], json!("bad.md"));
        assert_eq!(findings[0]["line"], json!(3));
        assert!(findings[0]["rule_id"].as_str().is_some_and(|rule| !rule.is_empty()), "{findings}");
        assert!(!refused.text().contains(&secret));
        let named = world.create("acme/app", &json!({ format!("{secret}.md"): "x" }));
        assert_eq!(named.status, 422);
        assert!(!named.text().contains(&secret), "{}", named.text());
        assert_eq!(world.get("acme/app").status, 404, "all or none");
    });
}

#[test]
fn fc_091_hashes_ids_and_images_are_no_secrets() {
    on_each(|world| {
        let image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        let text = format!(
            "sha256:{}\ncommit 9fceb02d0ae598e95dc970b74767f19372d61af8\n3f2504e0-4f89-41d3-9a0c-0305e82c3301\n![](data:image/png;base64,{image})\n",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        );
        let put = world.create("acme/app", &json!({ "MEMORY.md": text }));
        assert_eq!(put.status, 200, "{}", put.text());
    });
}

#[test]
fn a_number_that_is_none_is_refused() {
    on_each(|world| {
        world.create("acme/app", &json!({ "a.md": "1" }));
        for query in ["below=x", "below=-1", "limit=1e9", "version=1", "key=a.md&version=99999999999999999999"] {
            let refused = world.ask("GET", &format!("/v1/history?repo=acme%2Fapp&{query}"), &[], None);
            assert_eq!(refused.status, 400, "{query}: {}", refused.text());
        }
        let all: Value = world
            .ask("GET", "/v1/history?repo=acme%2Fapp&limit=18446744073709551615&below=18446744073709551615", &[], None)
            .json();
        assert_eq!(all["versions"].as_array().unwrap().len(), 1);
        let audit = world.ask("GET", "/v1/audit?below=%27%20OR%201%3D1--", &[], None);
        assert_eq!(audit.status, 400);
    });
}
