use super::*;

fn key(account: u128, question: Question) -> Key {
    (AccountId(uuid::Uuid::from_u128(account)), question)
}

fn mention(account: u128, name: usize) -> Key {
    key(account, Question::Mentions(format!("{name:05}")))
}

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

fn answer() -> Answer {
    Arc::new("an answer".to_owned())
}

#[test]
fn an_answer_is_kept_for_a_minute() {
    let mut tables = Tables::default();
    let key = key(1, Question::Boards);
    tables.keep(key.clone(), answer(), 9, at(100));
    for (name, now, want) in [
        ("at once", 100, true),
        ("just before", 159, true),
        ("a minute later", 160, false),
        ("after the clock was set back", 99, false),
    ] {
        assert_eq!(tables.kept(&key, at(now)).is_some(), want, "{name}");
    }
    tables.keep(mention(2, 1), answer(), 9, at(161));
    assert_eq!((tables.kept.len(), tables.ages.len()), (1, 1), "what is old is gone");
    assert_eq!(tables.bytes, 9 + ENTRY_BYTES);
}

#[test]
fn answers_of_any_number_and_size_take_bounded_memory() {
    for (name, bytes, count, kept) in [
        ("small", 10, 100_000, BYTES_MAX / (10 + ENTRY_BYTES)),
        ("large", ANSWER_BYTES_MAX - ENTRY_BYTES, 20, BYTES_MAX / ANSWER_BYTES_MAX),
        ("too large", ANSWER_BYTES_MAX, 20, 0),
        ("without end", usize::MAX, 2, 0),
    ] {
        let mut tables = Tables::default();
        for number in 0..count {
            tables.keep(mention(1, number), answer(), bytes, at(0));
        }
        assert_eq!(tables.kept.len(), kept, "{name}");
        assert!(tables.bytes <= BYTES_MAX, "{name}: {} bytes", tables.bytes);
        assert!(tables.ages.len() <= BYTES_MAX / ENTRY_BYTES, "{name}");
        let latest = tables.kept(&mention(1, count - 1), at(0));
        assert_eq!(latest.is_some(), kept > 0, "{name}: the latest stays");
    }
}

#[test]
fn an_answer_that_is_replaced_counts_once() {
    let mut tables = Tables::default();
    for second in 0..50 {
        tables.keep(key(1, Question::Boards), answer(), 100, at(second));
    }
    assert_eq!((tables.kept.len(), tables.bytes), (1, 100 + ENTRY_BYTES));
    tables.keep(mention(1, 1), answer(), 100, at(70));
    assert!(tables.kept(&key(1, Question::Boards), at(70)).is_some(), "the last is 21 seconds old");
}

#[test]
fn what_is_known_of_one_account_is_forgotten() {
    let answers = Answers::default();
    {
        let mut tables = answers.tables();
        for account in 1..=3 {
            for question in [
                Question::Figures(TargetId(uuid::Uuid::nil())),
                Question::Comments(TargetId(uuid::Uuid::max())),
                Question::Mentions(String::new()),
                Question::Mentions("\u{10ffff}".to_owned()),
            ] {
                tables.asking.insert(key(account, question.clone()), Arc::default());
                tables.keep(key(account, question), answer(), 1, at(0));
            }
        }
    }
    answers.forget(AccountId(uuid::Uuid::from_u128(2)));
    let tables = answers.tables();
    let of = |keys: Vec<&Key>| -> Vec<u128> { keys.iter().map(|key| key.0.0.as_u128()).collect() };
    assert_eq!(of(tables.kept.keys().collect()), [1, 1, 1, 1, 3, 3, 3, 3]);
    assert_eq!(of(tables.asking.keys().collect()), [1, 1, 1, 1, 3, 3, 3, 3]);
    assert_eq!(tables.bytes, 8 * (1 + ENTRY_BYTES));
}
