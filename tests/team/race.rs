//! Writers at once: none overwrites what another one wrote.

use std::thread;

use serde_json::json;

use crate::world::on_each;

#[test]
fn eight_writers_of_fifty_increments_each_lose_none() {
    on_each(|world| {
        world.create("acme/app", &json!({ "count.md": "0" }));
        let conflicts: u32 = thread::scope(|scope| {
            let writers: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        let mut conflicts = 0;
                        for _ in 0..50 {
                            loop {
                                let read = world.get("acme/app");
                                let count: u32 =
                                    read.json()["content"]["entries"]["count.md"].as_str().unwrap().parse().unwrap();
                                let next = json!({ "count.md": (count + 1).to_string() });
                                match world.put("acme/app", read.header("etag"), &next).status {
                                    200 => break,
                                    412 => conflicts += 1,
                                    other => panic!("{other}"),
                                }
                            }
                        }
                        conflicts
                    })
                })
                .collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).sum()
        });
        let end = world.get("acme/app").json();
        eprintln!("{}: 400 increments, {conflicts} conflicts", world.name);
        assert_eq!((&end["content"]["entries"]["count.md"], &end["version"]), (&json!("400"), &json!(401)));
        let history = world.ask("GET", "/v1/history?repo=acme%2Fapp&key=count.md&version=200", &[], None).json();
        assert_eq!(history["text"], json!("199"));
    });
}
