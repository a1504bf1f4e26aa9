//! One suite over every store: what the ports promise, whoever keeps it.

mod accounts;
mod fixtures;
mod keys;
mod media;
mod posts;
mod stores;
mod workspaces;

/// Makes a test of every case for every store.
macro_rules! cases {
    ($($module:ident: $($case:ident),+ $(,)?;)+) => {
        mod memory { $(mod $module { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $case() {
                crate::stores::memory(crate::$module::$case).await;
            }
        )+ })+ }
        mod sqlite { $(mod $module { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $case() {
                crate::stores::sqlite(crate::$module::$case).await;
            }
        )+ })+ }
    };
}

cases! {
    workspaces: are_kept, have_unique_names, the_first_is_made_once,
        the_first_is_not_made_beside_another;
    keys: are_kept, are_found_by_hash_with_their_workspace;
    accounts: are_kept, are_listed_in_the_order_of_connection,
        connected_again_keep_what_is_theirs, are_counted_against_the_limit,
        connected_at_once_respect_the_limit, the_same_connected_at_once_is_one, are_updated,
        are_disconnected, are_marked_against_the_version_that_was_refused,
        are_refreshed_by_one_holder_at_a_time, refreshed_at_once_are_granted_to_one;
    media: is_kept;
    posts: are_kept, of_one_key_are_one, of_the_same_key_in_another_workspace_are_others,
        that_are_refused_leave_no_key, keep_their_first_answer_as_they_now_are,
        are_saved_against_their_version, saved_at_once_are_saved_once,
        are_removed_against_their_version;
}
