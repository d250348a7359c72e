//! Text with pieces set off: what a filter or a search matched, cut to columns between clusters of characters.
//!
//! Not its job: what matched. Text comes in [`crate::text::visible`] already, the ranges are of that text.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::width;

/// How pieces look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// Ordinary text.
    pub(super) plain: Style,
    /// What matched.
    pub(super) marked: Style,
}

/// The text in at most `columns`, with `…` where it was cut.
pub(super) fn cut(text: &str, marks: &[Range<usize>], columns: usize, look: Look) -> Vec<Span<'static>> {
    let is_whole = width(text) <= columns;
    let room = if is_whole { columns } else { columns.saturating_sub(1) };
    let mut pieces: Vec<(bool, String)> = Vec::new();
    let mut used = 0;
    for (at, cluster) in text.grapheme_indices(true) {
        used += width(cluster);
        if used > room {
            break;
        }
        push(&mut pieces, marks.iter().any(|mark| mark.contains(&at)), cluster);
    }
    if !is_whole && columns > 0 {
        push(&mut pieces, false, "…");
    }
    let style = |is_marked| if is_marked { look.marked } else { look.plain };
    pieces.into_iter().map(|(is_marked, piece)| Span::styled(piece, style(is_marked))).collect()
}

/// The same from a place on, so that the first mark is seen: `…` stands for what is left out before it.
pub(super) fn around(text: &str, marks: &[Range<usize>], columns: usize, look: Look) -> Vec<Span<'static>> {
    let Some(first) = marks.first() else { return cut(text, marks, columns, look) };
    let end = width(text.get(..first.end).unwrap_or_default());
    if end < columns || width(text) <= columns {
        return cut(text, marks, columns, look);
    }
    // A third of the room is for what stands before it, if the match itself leaves so much.
    let spare = columns.saturating_sub(2 + width(text.get(first.clone()).unwrap_or_default()));
    let before = width(text.get(..first.start).unwrap_or_default()).saturating_sub(spare.min(columns / 3));
    // Nor is room left at the end.
    let before = before.min((width(text) + 1).saturating_sub(columns));
    let mut passed = 0;
    let start = text.grapheme_indices(true).find(|(_, cluster)| {
        let is_here = passed >= before;
        passed += width(cluster);
        is_here
    });
    let start = start.map_or(0, |(at, _)| at.min(first.start));
    let rest = text.get(start..).unwrap_or_default();
    let moved: Vec<_> =
        marks.iter().filter(|mark| mark.start >= start).map(|mark| mark.start - start..mark.end - start).collect();
    if start == 0 {
        return cut(rest, &moved, columns, look);
    }
    let mut spans = vec![Span::styled("…", look.plain)];
    spans.extend(cut(rest, &moved, columns.saturating_sub(1), look));
    spans
}

/// The columns of pieces.
pub(super) fn columns(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| width(&span.content)).sum()
}

fn push(pieces: &mut Vec<(bool, String)>, is_marked: bool, text: &str) {
    match pieces.last_mut() {
        Some((kind, piece)) if *kind == is_marked => piece.push_str(text),
        _ => pieces.push((is_marked, text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init)]
    use proptest::prelude::*;

    use super::*;

    fn look() -> Look {
        Look { plain: Style::new(), marked: Style::new().bold() }
    }

    fn said(spans: &[Span<'_>]) -> String {
        let piece = |span: &Span<'_>| {
            if span.style == look().marked { format!("[{}]", span.content) } else { span.content.to_string() }
        };
        spans.iter().map(piece).collect()
    }

    #[test]
    fn marks_stay_with_their_characters_wide_and_combined_ones_too() {
        assert_eq!(said(&cut("上海 e\u{301}a", &[3..6, 7..10], 20, look())), "上[海] [e\u{301}]a");
        assert_eq!(said(&cut("上海办公", &[3..6], 5, look())), "上[海]…");
        assert_eq!(said(&cut("上海办公", &[3..6], 4, look())), "上…");
        assert_eq!(said(&cut("abc", &[0..1], 0, look())), "");
    }

    #[test]
    fn a_match_near_the_end_leaves_no_room_behind_it() {
        let text = "a real Postgres, never a mocked database layer";
        let at = text.find("layer").unwrap_or_default();
        assert_eq!(said(&around(text, &[at..at + 5], 24, look())), "…a mocked database [layer]");
    }

    #[test]
    fn a_text_whose_match_is_far_in_begins_before_the_match() {
        let text = "a long sentence that ends with the word freeze and goes on";
        let at = text.find("freeze").unwrap_or_default();
        let spans = around(text, &[at..at + 6], 20, look());
        assert_eq!(said(&spans), "… word [freeze] and g…");
        assert!(columns(&spans) <= 20);
    }

    proptest! {
        #[test]
        fn no_text_is_wider_than_asked_for(text in any::<String>(), at in 0_usize..40, room in 0_usize..40) {
            let text = crate::text::visible(&text).into_owned();
            let clusters: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
            let mark: Vec<_> = clusters.get(at).map(|(start, cluster)| *start..start + cluster.len()).into_iter().collect();
            prop_assert!(columns(&cut(&text, &mark, room, look())) <= room);
            prop_assert!(columns(&around(&text, &mark, room, look())) <= room.max(1));
        }
    }
}
