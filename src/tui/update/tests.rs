#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::tui::fixture::*;
use crate::tui::state::Sort;

#[test]
fn print() {
    let mut s = state(120, 24, four());
    println!("{}", screen(&s));
    update(&mut s, AppEvent::Runs(vec![dream("d1")]));
    s.area = Rect::new(0, 0, 80, 24);
    println!("{}", screen(&s));
    s.area = Rect::new(0, 0, 60, 16);
    println!("{}", screen(&s));
    s.area = Rect::new(0, 0, 40, 10);
    println!("{}", screen(&s));
    press(&mut s, &["?"]);
    s.area = Rect::new(0, 0, 80, 24);
    println!("{}", screen(&s));
    press(&mut s, &["esc", ":", "d", "r"]);
    println!("{}", screen(&s));
    press(&mut s, &["esc", "/", "f", "r"]);
    println!("{}", screen(&s));
    press(&mut s, &["enter", "d"]);
    println!("{}", screen(&s));
    press(&mut s, &["esc", "esc", "enter"]);
    println!("{}", screen(&s));
    assert_eq!(s.memories.sort, Sort::Need);
}
