//! The parts of a thread: cut out of a long text, and put in another order.

use scheduler_core::account::AccountView;
use scheduler_core::platform::CAPTION;
use scheduler_core::rules::split_for_all;

use super::written::Written;

/// What can be done with a later part: what a button sends, and its word.
pub(super) const BUTTONS: &[(&str, &str)] = &[
    ("up", "Move up"),
    ("down", "Move down"),
    ("join", "Join with the part before"),
    ("remove", "Remove"),
];

/// Does with the parts what a button says, such as `up.2`; which part has the focus then. `None`
/// for another button.
pub(super) fn arrange(written: &mut Written, button: &str) -> Option<usize> {
    let (act, place) = button.split_once('.')?;
    let place: usize = place.parse().ok()?;
    if BUTTONS.iter().all(|(known, _)| *known != act) {
        return None;
    }
    let mut parts = vec![std::mem::take(&mut written.content)];
    parts.append(&mut written.thread);
    let is_later = 0 < place && place < parts.len();
    let focused = match act {
        "up" if is_later => {
            parts.swap(place - 1, place);
            place - 1
        }
        "down" if place + 1 < parts.len() => {
            parts.swap(place, place + 1);
            place + 1
        }
        "join" if is_later => {
            let part = parts.remove(place);
            let before = &mut parts[place - 1];
            if !before.is_empty() {
                before.push_str("\n\n");
            }
            before.push_str(&part);
            place - 1
        }
        "remove" if is_later => {
            parts.remove(place);
            place - 1
        }
        _ => 0,
    };
    written.content = parts.remove(0);
    written.thread = parts;
    Some(focused)
}

/// Cuts the text into parts that every picked network with threads takes; the others keep it whole.
///
/// # Errors
/// Why there is nothing to cut.
pub(super) fn cut(written: &mut Written, accounts: &[AccountView]) -> Result<(), &'static str> {
    let picked = accounts.iter().filter(|account| written.accounts.contains(&account.id));
    let (with, without): (Vec<&AccountView>, Vec<&AccountView>) =
        picked.partition(|account| account.platform.sheet().supports_thread);
    let platforms: Vec<_> = with.iter().map(|account| account.platform).collect();
    let parts = split_for_all(&platforms, &written.content)
        .ok_or("It cannot be cut so that every network takes each part.")?;
    let mut parts = parts.into_iter();
    let (Some(first), true) = (parts.next(), parts.len() > 0) else {
        return Err("Every network takes it as it is.");
    };
    let whole = std::mem::replace(&mut written.content, first);
    written.thread = parts.collect();
    for account in without {
        let options = written.options.entry(account.id).or_default();
        options.entry(CAPTION.key.to_owned()).or_insert_with(|| whole.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_moved_joined_and_removed() {
        for (button, want, focused) in [
            ("up.1", "b a c", Some(0)),
            ("up.2", "a c b", Some(1)),
            ("down.0", "b a c", Some(1)),
            ("down.2", "a b c", Some(0)),
            ("up.0", "a b c", Some(0)),
            ("join.2", "a b\n\nc", Some(1)),
            ("remove.1", "a c", Some(0)),
            ("remove.3", "a b c", Some(0)),
            ("mine.1", "a b c", None),
            ("check", "a b c", None),
            ("up.x", "a b c", None),
        ] {
            let mut written = Written {
                content: "a".to_owned(),
                thread: vec!["b".to_owned(), "c".to_owned()],
                ..Written::default()
            };
            assert_eq!(arrange(&mut written, button), focused, "{button}");
            let parts = [&[written.content], &written.thread[..]].concat();
            assert_eq!(parts.join(" "), want, "{button}");
        }
    }
}
