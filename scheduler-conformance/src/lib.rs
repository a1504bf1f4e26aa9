//! What stores and networks promise, as tests: the suite that `scheduler-store` and the store in
//! memory pass, for the stores of others.
//!
//! A test of a crate names its store, and gets a test for each of some 150 cases about
//! transactions, versions, leases, slots and counts:
//!
//! ```
//! use std::sync::Arc;
//!
//! use scheduler_conformance::StoreUnderTest;
//! use scheduler_core::memory::MemoryStore;
//! use scheduler_core::ports::Store;
//!
//! struct Mine(Arc<dyn Store>);
//!
//! impl StoreUnderTest for Mine {
//!     async fn open() -> Option<Self> {
//!         Some(Self(Arc::new(MemoryStore::new())))
//!     }
//!
//!     fn store(&self) -> Arc<dyn Store> {
//!         self.0.clone()
//!     }
//! }
//!
//! mod mine {
//!     scheduler_conformance::store_suite!(super::Mine);
//! }
//! # fn main() {}
//! ```
//!
//! [`network`] does the like for a network of one's own: it breaks a publish at every call, under
//! the real engine.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a case fails by panicking")]

mod account_sets;
mod accounts;
mod approvals;
mod assistant;
mod audit;
mod calendar;
mod changes;
mod clock;
mod connecting;
mod counts;
mod deliveries;
mod feeds;
mod filters;
mod fixtures;
mod grants;
mod history;
mod idempotency_keys;
mod inbox;
mod keys;
mod last_changes;
mod links;
mod lists;
mod media;
mod media_posts;
mod media_work;
pub mod network;
mod notifiers;
mod passkeys;
mod places;
mod posts;
mod publishes;
mod queue;
mod reading_budgets;
mod readings;
mod readings_support;
mod recurrences;
mod sessions;
mod slots;
mod snippets;
mod suite;
mod upload_links;
mod versions;
mod webhooks;
mod work_of_posts;
mod workspaces;

pub use suite::{StoreUnderTest, run};

/// Makes a function of every case that other crates can call, and the macro that makes the tests:
/// cases of what a store does, and cases of what it makes of its own clock.
macro_rules! cases {
    (
        $d:tt
        store { $($module:ident: $($case:ident),+ $(,)?;)+ }
        clock { $($clock:ident: $($clock_case:ident),+ $(,)?;)+ }
    ) => {
        #[doc(hidden)]
        pub mod cases {
            $(pub mod $module {
                use crate::StoreUnderTest;

                $(pub async fn $case(subject: &impl StoreUnderTest) {
                    crate::$module::$case(subject.store()).await;
                })+
            })+
            $(pub mod $clock {
                use crate::StoreUnderTest;

                $(pub async fn $clock_case(subject: &impl StoreUnderTest) {
                    crate::$clock::$clock_case(subject).await;
                })+
            })+
        }

        /// Makes a test of every case for a [`StoreUnderTest`], in modules by what the cases are
        /// about. Each case runs on a store of its own.
        #[macro_export]
        macro_rules! store_suite {
            ($d subject:ty) => {
                type SubjectOfSuite = $d subject;
                $(mod $module { $(
                    #[test]
                    fn $case() {
                        $d crate::run::<super::SubjectOfSuite>($d crate::cases::$module::$case);
                    }
                )+ })+
                $(mod $clock { $(
                    #[test]
                    fn $clock_case() {
                        $d crate::run::<super::SubjectOfSuite>($d crate::cases::$clock::$clock_case);
                    }
                )+ })+
            };
        }
    };
}

cases! {
    $
    store {
        workspaces: are_kept, have_unique_names, renamed_at_once_have_unique_names, the_first_is_made_once,
            the_first_is_not_made_beside_another;
        idempotency_keys: are_kept, begun_at_once_are_begun_once, are_settled_by_their_own_use,
            of_files_are_stored_with_them, of_webhooks_are_stored_with_them,
            of_one_file_are_one, go_with_what_they_belong_to;
        sessions: are_kept, are_found_by_hash_with_their_workspace, opened_at_once_are_opened_once,
            are_ended_by_their_workspace, last_longer, name_a_person, begin_with_a_login_of_its_own, are_removed_after_their_time;
        changes: are_told_by_posts_events_and_the_log, that_are_many_are_cut;
        last_changes: are_those_that_the_core_makes_of_a_save, go_with_their_post;
        versions: are_kept_by_post, go_with_their_post;
        keys: are_kept, are_found_by_hash_with_their_workspace;
        accounts: are_kept, are_listed_in_the_order_of_connection,
            connected_again_keep_what_is_theirs, are_counted_against_the_limit,
            connected_at_once_respect_the_limit, the_same_connected_at_once_is_one, are_updated,
            are_disconnected, are_marked_against_the_version_that_was_refused,
            are_refreshed_by_one_holder_at_a_time, refreshed_at_once_are_granted_to_one,
            that_share_credentials_get_new_ones_together, are_found_when_they_expire;
        assistant: are_counted_by_kind_and_month, are_given_back, taken_at_once_are_as_many_as_fit,
            taken_and_given_back_at_once_add_up, of_targets_are_kept, go_with_their_post,
            stored_while_their_post_is_removed_are_gone, find_the_post_of_a_target;
        connecting: are_kept, are_saved_against_their_version, saved_at_once_are_saved_once,
            are_removed_after_their_time;
        media: are_kept, are_saved_against_their_version, saved_at_once_are_saved_once,
            are_listed_newest_first, are_deleted_once, declared_at_once_respect_the_month,
            bind_their_month, count_for_what_they_are, changed_at_once_add_up;
        media_work: is_there_for_what_is_due, is_for_each_file_at_once,
            that_is_replaced_is_lost, is_recorded, recorded_and_saved_at_once_is_one_of_both;
        media_posts: are_found_newest_first, follow_what_is_saved, of_a_target_that_is_going_out_stay,
            that_are_unfinished_keep_files, of_deleted_files_are_refused,
            never_wait_for_a_file_deleted_at_once, of_one_file_are_made_at_once;
        posts: are_kept, of_one_key_are_one, of_the_same_key_in_another_workspace_are_others,
            that_are_refused_leave_no_key, keep_their_first_answer_as_they_now_are,
            are_saved_against_their_version, saved_at_once_are_saved_once,
            are_removed_against_their_version, are_found_by_the_range_of_their_ids;
        approvals: are_kept_with_their_posts, are_not_stored_with_a_stale_post,
            of_several_posts_are_stored_together,
            saved_at_once_are_saved_once, are_listed_newest_first, go_with_their_post,
            fence_off_a_holder_who_read_another, withhold_what_is_due;
        slots: hold_one_target_each, are_freed, are_freed_by_an_end,
            taken_meanwhile_keep_a_save_out, taken_at_once_are_all_different,
            and_due_times_are_taken_instants, are_told_with_their_holders;
        counts: hold_under_many_creates, follow_a_post, keep_what_has_gone_out,
            bind_only_what_raises_them, are_of_one_workspace;
        work_of_posts: is_there_for_what_waits, is_as_the_post_says, follows_a_save,
            that_is_replaced_is_lost, of_a_target_that_is_going_out_stays,
            of_a_target_that_is_followed_stays, of_a_target_that_is_edited_goes_on, of_a_followed_target_goes_when_it_is_taken_down;
        filters: find_what_the_rule_says, follow_a_publish, find_drafts_without_targets;
        lists: show_what_each_window_and_status_ask_for, put_the_greater_id_first_at_one_moment,
            stay_as_they_are_while_posts_are_created, follow_the_moment_of_a_post,
            are_walked_completely;
        queue: gives_work_when_it_is_due_and_once, gives_lapsed_work_again_under_a_new_number,
            keeps_the_order_of_a_lane, gives_a_lane_to_one_holder, claims_no_more_than_asked_for,
            takes_workspaces_in_turn, lets_no_workspace_starve_another,
            gives_nothing_twice_to_many_claimers, is_worked_off_by_many_in_order,
            fences_off_whoever_lost_the_claim, renews_what_is_held_and_names_what_is_lost, never_shortens_a_lease,
            tells_when_the_next_is_due, looks_past_what_is_held_up,
            counts_what_is_due_and_held_by_nobody;
        places: are_needed_for_each_kind_of_work, are_shared_by_workspaces, change_with_a_file;
        publishes: move_the_post_along, are_recorded_in_full, that_end_at_once_leave_the_post_done,
            read_what_they_need;
        readings: are_due_for_every_connected_account, begin_anew_with_a_connection,
            are_planned_when_a_target_goes_live, forget_no_target_that_goes_live_meanwhile,
            are_recorded, are_recorded_by_their_holder_alone, are_kept_as_a_history,
            give_one_figure_of_many_posts, stay_with_a_post_that_is_saved, go_with_their_post;
        reading_budgets: hold, spent_at_once_hold, a_thousand_at_once_spend_no_more_than_there_is, several_are_spent_together_or_not_at_all, refreshes_make_live_posts_due,
            refreshes_keep_the_order_of_what_waits, refreshes_at_once_are_one, followers_are_kept_by_the_day;
        webhooks: are_counted_against_the_limit, added_at_once_respect_the_limit;
        deliveries: go_to_whoever_subscribes, tell_of_what_was_stored, tell_of_times, carry_the_event_byte_for_byte, keep_every_attempt,
            are_listed_newest_first, are_listed_by_status, go_with_their_webhook,
            have_webhooks_that_are_kept, leave_out_webhooks_that_are_disabled, are_sent_again, sent_again_leave_a_holder_alone,
            sent_again_fence_off_a_lapsed_holder, sent_again_at_once_are_one_piece_of_work,
            sent_again_or_removed_at_once_leave_no_work_behind;
        audit: is_read_newest_first, is_found_by_call_and_by_caller, is_removed_by_age;
        inbox: is_told_of_each_comment_once, is_listed_newest_first, is_marked, follows_what_is_done,
            goes_with_the_post;
        passkeys: are_kept, are_used_against_the_state_that_was_read, are_removed_by_their_workspace,
            answer_what_they_are_asked_once, are_asked_a_number_of_things;
        grants: are_kept, have_a_limit_and_an_end, exchange_a_token_once,
            forget_tokens_that_have_expired, have_one_access_token_each,
            are_removed_by_their_workspace,
            removed_while_a_token_is_exchanged_are_gone, name_the_person_of_a_session,
            end_with_a_session_that_names_nobody, remember_so_many_used_tokens,
            are_removed_when_they_have_expired;
        upload_links: are_kept_and_taken_once, have_a_limit_and_an_end;
        snippets: are_kept, have_a_limit;
        account_sets:
            are_kept, keep_what_a_change_leaves_out, have_names_of_their_own, have_a_limit;
        links: are_kept_with_their_posts, never_lead_elsewhere, are_listed_newest_first,
            count_clicks_by_day, followed_at_once_are_all_counted;
        calendar: have_one_secret_each, show_each_target_with_a_time,
            tell_what_became_of_targets, tell_whose_approval_is_missing;
        feeds: are_kept, have_a_limit, are_polled_by_one_at_a_time, due_at_once_are_polled_once,
            are_polled_by_nobody_else_meanwhile, are_hurried_and_stay_as_they_are,
            tell_with_the_poll_that_they_keep_failing;
        recurrences: are_kept, have_a_limit, are_taken_by_one_at_a_time, tell_of_what_was_not_made,
            are_used_one_after_the_other, wait_for_a_use_that_is_under_way;
        notifiers: are_kept, have_a_limit, are_taken_by_one_at_a_time, due_at_once_are_taken_once,
            find_the_news_of_their_workspace;
        history: of_deliveries_is_removed_by_their_end, of_a_delivery_that_is_sent_again_begins_anew,
            of_events_is_removed_once_no_delivery_names_them, removed_at_once_is_removed_once,
            removed_while_it_is_sent_again_leaves_no_work_behind;
    }
    clock {
        clock: is_told_by_a_heartbeat, may_be_behind_by_a_second,
            set_back_moves_waits_and_no_scheduled_post, set_back_keeps_a_claimed_post_from_going_out_early,
            set_back_moves_the_polls_of_feeds, set_forward_changes_nothing,
            set_back_is_told_to_one_of_many;
    }
}
