//! The documentation and the code name the same findings.

use std::collections::BTreeSet;

use dreamtop::memory::ProblemCode;

#[test]
fn every_code_is_documented_with_an_example_and_no_other_is() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/health.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut documented = BTreeSet::new();
    for section in text.split("\n### ").skip(1) {
        let code = section.lines().next().unwrap().trim_matches('`').to_owned();
        assert!(section.contains("```") || section.contains("Example:"), "{code} has no example");
        assert!(documented.insert(code.clone()), "{code} stands there twice");
    }
    let known: BTreeSet<String> = ProblemCode::ALL.iter().map(|code| code.word().to_owned()).collect();
    assert_eq!(documented, known);
}
