//! The built command from outside: exit codes, output, and where settings come from.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod afterwards;
mod application;
mod approving;
mod attaching;
mod channels;
mod checking;
mod completing;
mod config;
mod doctor;
mod figures;
mod files;
mod following;
mod gate;
mod health;
mod importing;
mod manual;
mod media;
mod network_pages;
mod output;
mod packaging;
mod posting;
mod precedence;
mod remarks;
mod rules;
mod running;
mod scripted;
mod serving;
mod shipping;
mod shown;
mod taking;
mod terminal;
mod tree;
mod uploading;
mod usage;
mod walking;
