//! The program, as a user meets it: the real binary, a home of its own, what it prints and how it ends.

#[path = "cli/check_in.rs"]
mod check_in;
#[path = "cli/escaping.rs"]
mod escaping;
#[path = "cli/fetch.rs"]
mod fetch;
#[path = "cli/find.rs"]
mod find;
#[path = "cli/forget.rs"]
mod forget;
#[path = "cli/golden.rs"]
mod golden;
#[path = "cli/home.rs"]
mod home;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/settings.rs"]
mod settings;
#[path = "cli/store.rs"]
mod store;
#[path = "cli/store_path.rs"]
mod store_path;
