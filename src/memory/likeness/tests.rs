#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;

fn likeness(one: &str, other: &str) -> Likeness {
    Shape::of(one).likeness(&Shape::of(other))
}

#[test]
fn the_same_thing_with_small_changes_is_the_same() {
    assert_eq!(
        likeness("Integration tests must use a real database.", "**Integration tests** must use a real database"),
        Likeness::Same
    );
    assert_eq!(
        likeness(
            "Integration tests must always connect to a real database, never to mocks.",
            "Integration tests must always connect to a real database and never to mocks."
        ),
        Likeness::Same
    );
}

#[test]
fn another_number_identifier_name_negation_or_opposite_is_never_the_same() {
    let rows = [
        (
            "Keep functions in the payment module under 40 lines each.",
            "Keep functions in the payment module under 60 lines each.",
        ),
        (
            "Always run `make lint` before pushing to the shared branch.",
            "Always run `make test` before pushing to the shared branch.",
        ),
        (
            "The billing service and all invoices are owned by Priya.",
            "The billing service and all invoices are owned by Marco.",
        ),
        (
            "Always mock the payment provider in the integration tests.",
            "Never mock the payment provider in the integration tests.",
        ),
        (
            "Feature flags are enabled for all internal users by default.",
            "Feature flags are disabled for all internal users by default.",
        ),
        (
            "Write the changelog entry before merging the pull request.",
            "Write the changelog entry after merging the pull request.",
        ),
        (
            "Use yarn for all packages in the web folder of the project.",
            "Use pnpm for all packages in the web folder of the project.",
        ),
    ];
    for (one, other) in rows {
        assert_ne!(likeness(one, other), Likeness::Same, "{one:?} / {other:?}");
    }
}

#[test]
fn two_words_that_change_places_or_are_others_make_another_claim_however_long_the_rest_is() {
    let rows = [
        (
            "The nightly sync job copies all finished orders from the billing service to the archive service at 02:00 UTC.",
            "The nightly sync job copies all finished orders from the archive service to the billing service at 02:00 UTC.",
        ),
        (
            "Priya reviews every database migration that Marco writes for the ledger before it is merged into main.",
            "Marco reviews every database migration that Priya writes for the ledger before it is merged into main.",
        ),
        (
            "The upload client retries 3 times with 5 seconds between the tries before it gives up and logs an error.",
            "The upload client retries 5 times with 3 seconds between the tries before it gives up and logs an error.",
        ),
        (
            "Run the schema migration before the cache warmup and the smoke tests on every staging deploy of the shop.",
            "Run the cache warmup before the schema migration and the smoke tests on every staging deploy of the shop.",
        ),
        (
            "The importer reads the supplier catalogue from the partner bucket and writes it into the search index nightly.",
            "The importer reads the supplier inventory from the partner bucket and writes it into the ledger index nightly.",
        ),
    ];
    for (one, other) in rows {
        assert_ne!(likeness(one, other), Likeness::Same, "{one:?} / {other:?}");
        assert!(!Shape::of(one).is_said_by(&Shape::of(other)), "{one:?} / {other:?}");
    }
    let same = [
        (
            "In the web folder, use pnpm for all packages from now on.",
            "Use pnpm for all packages in the web folder from now on.",
        ),
        (
            "Integration tests must always connect to a real database, never to mocks.",
            "Integration tests must always connect to a real database and never to mocks.",
        ),
    ];
    for (one, other) in same {
        assert_eq!(likeness(one, other), Likeness::Same, "{one:?} / {other:?}");
    }
}

#[test]
fn chinese_is_compared_by_pairs_of_characters() {
    assert_eq!(likeness("以后集成测试必须连接真实数据库。", "以后集成测试必须连接真实数据库"), Likeness::Same);
    assert_ne!(likeness("以后集成测试必须连接真实数据库", "我喜欢用中文回答问题"), Likeness::Same);
}
