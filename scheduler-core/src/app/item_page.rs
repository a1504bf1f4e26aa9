//! Pages of lists: where they end, and the cursor of the next.

use crate::error::Refusal;
use crate::post::{LIMIT_MAX, PageInput, parse_number, unreadable_cursor};

/// The items of a page of a list that was read whole, in its order, and the cursor of the next page:
/// the id of the last item. Everything where no limit is given.
///
/// # Errors
/// `invalid_request` naming `limit` when it is not 1 to 500, or `before` when it is the id of none
/// of the items.
pub(super) fn page_of<T>(
    mut items: Vec<T>,
    page: &PageInput,
    id: impl Fn(&T) -> String,
) -> Result<(Vec<T>, Option<String>), Refusal> {
    let most = parse_number("limit", page.limit.as_deref(), i64::MAX, i64::from(LIMIT_MAX))?;
    if let Some(before) = &page.before {
        let last = items.iter().position(|item| id(item) == *before);
        items.drain(..=last.ok_or_else(unreadable_cursor)?);
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    Ok(first_page(items, most, id))
}

/// The first `most` items, and the cursor of the last of them where there are more.
pub(super) fn first_page<T>(
    mut items: Vec<T>,
    most: usize,
    cursor: impl Fn(&T) -> String,
) -> (Vec<T>, Option<String>) {
    if items.len() <= most {
        return (items, None);
    }
    items.truncate(most);
    let next = items.last().map(cursor);
    (items, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_one_another() {
        let read = |limit: Option<&str>, before: Option<&str>| {
            let page =
                PageInput { limit: limit.map(str::to_owned), before: before.map(str::to_owned) };
            let read = page_of(vec!['a', 'b', 'c'], &page, char::to_string);
            read.map(|(items, next)| (String::from_iter(items), next))
                .map_err(|refusal| refusal.field.unwrap())
        };
        let next = |id: &str| Some(id.to_owned());
        for (name, limit, before, want) in [
            ("everything", None, None, Ok(("abc", None))),
            ("the first", Some("2"), None, Ok(("ab", next("b")))),
            ("the last", Some("2"), Some("b"), Ok(("c", None))),
            ("as many as there are", Some("3"), None, Ok(("abc", None))),
            ("the rest", None, Some("a"), Ok(("bc", None))),
            ("behind the end", Some("1"), Some("c"), Ok(("", None))),
            ("no cursor", None, Some("d"), Err("before")),
            ("too few", Some("0"), None, Err("limit")),
            ("too many", Some("501"), None, Err("limit")),
        ] {
            let want = want.map(|(items, next)| (items.to_owned(), next)).map_err(str::to_owned);
            assert_eq!(read(limit, before), want, "{name}");
        }
    }
}
