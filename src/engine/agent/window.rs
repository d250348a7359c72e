//! A history that does not fit into what a model can hold: the oldest answers of tools give way.
//!
//! They can be asked for again. When that does not do, the oldest turns go as a whole; the task and the latest ones stay. Not its job: how much a
//! model holds (see [`super::providers`]).

use super::Message;

/// What stands in the place of an answer that gave way.
const GONE: &str = "(no longer here, to make room; ask again if you need it)";

/// So many of the last messages stay as they are.
const KEPT: usize = 4;

/// About how many bytes a history takes in a request.
pub(super) fn bytes(history: &[Message]) -> usize {
    // Quotes, escapes and keys of the format.
    const AROUND: usize = 60;
    let one = |message: &Message| match message {
        Message::Task(text) | Message::Note(text) => escaped(text) + AROUND,
        Message::Assistant { text, calls, raw } if raw.is_null() => {
            let calls = calls.iter().map(|call| call.input.to_string().len() + call.name.len() + 2 * AROUND);
            escaped(text) + calls.sum::<usize>() + AROUND
        }
        Message::Assistant { raw, .. } => raw.to_string().len() + AROUND,
        Message::Answers(answers) => answers.iter().map(|answer| escaped(&answer.text) + 2 * AROUND).sum(),
    };
    history.iter().map(one).sum()
}

/// The length of a text with what JSON adds to it.
fn escaped(text: &str) -> usize {
    text.len() + memchr::memchr3_iter(b'\n', b'"', b'\\', text.as_bytes()).count()
}

/// Makes a history fit into so many bytes with a fifth to spare; false when it cannot be made to.
pub(super) fn fit(history: &mut Vec<Message>, room: usize) -> bool {
    let mut now = bytes(history);
    if now <= room {
        return true;
    }
    let wanted = room / 5 * 4;
    let old = history.len().saturating_sub(KEPT);
    for message in history.iter_mut().take(old) {
        let Message::Answers(answers) = message else { continue };
        for answer in answers.iter_mut().filter(|answer| answer.text.len() > GONE.len()) {
            now = now.saturating_sub(escaped(&answer.text) - GONE.len());
            answer.text = GONE.to_owned();
        }
        if now <= wanted {
            break;
        }
    }
    if now > room {
        forget(history, wanted);
    }
    bytes(history) <= room
}

/// Takes out the oldest turns as a whole, each with what answered it, until the rest is short enough: calls alone add up too.
fn forget(history: &mut Vec<Message>, wanted: usize) {
    let is_turn = |message: &Message| matches!(message, Message::Assistant { .. });
    while bytes(history) > wanted {
        // The task comes first; a turn ends where the next one begins.
        let Some(begin) = history.iter().position(is_turn) else { return };
        let Some(length) = history.iter().skip(begin + 1).position(is_turn) else { return };
        let end = begin + 1 + length;
        if end + KEPT > history.len() {
            return;
        }
        history.drain(begin..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::agent::ToolAnswer;

    fn history(answers: usize, length: usize) -> Vec<Message> {
        let answer = |at| ToolAnswer { id: format!("c{at}"), text: "x".repeat(length), is_error: false };
        let mut history = vec![Message::Task("t".repeat(1_000))];
        history.extend((0..answers).map(|at| Message::Answers(vec![answer(at)])));
        history
    }

    #[test]
    fn the_oldest_answers_give_way_and_the_task_and_the_latest_ones_stay() {
        let mut all = history(10, 10_000);
        let before = all.clone();
        assert!(fit(&mut all, 60_000));
        assert!(bytes(&all) <= 48_000, "a fifth is left: {}", bytes(&all));
        assert_eq!((&all[0], &all[7..]), (&before[0], &before[7..]));
        assert!(matches!(&all[1], Message::Answers(answers) if answers[0].text == GONE));
        let again = all.clone();
        assert!(fit(&mut all, 60_000));
        assert_eq!(all, again, "what fits is left alone, so that the prompt cache serves");
    }

    #[test]
    fn the_oldest_turns_go_as_a_whole_when_calls_alone_are_too_long() {
        let call = |at: usize| {
            crate::engine::agent::ToolCall::new(
                &format!("c{at}"),
                "Read",
                serde_json::json!({ "file_path": "x".repeat(500) }),
            )
        };
        let mut all = vec![Message::Task("t".repeat(1_000))];
        for at in 0..100 {
            all.push(Message::Assistant { text: String::new(), calls: vec![call(at)], raw: serde_json::Value::Null });
            all.push(Message::Answers(vec![ToolAnswer {
                id: format!("c{at}"),
                text: "ok".to_owned(),
                is_error: false,
            }]));
        }
        let last = all[197..].to_vec();
        assert!(fit(&mut all, 20_000));
        assert!(bytes(&all) <= 16_000 && matches!(all[0], Message::Task(_)));
        assert_eq!(&all[all.len() - 4..], &last[..]);
        // Each answer still follows its call.
        for pair in all[1..].chunks(2) {
            let [Message::Assistant { calls, .. }, Message::Answers(answers)] = pair else { panic!("{pair:?}") };
            assert_eq!(calls[0].id, answers[0].id);
        }
    }

    #[test]
    fn what_cannot_be_made_to_fit_says_so() {
        assert!(!fit(&mut history(2, 10_000), 5_000));
        assert!(fit(&mut history(2, 10), 5_000));
    }
}
