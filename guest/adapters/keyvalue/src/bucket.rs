//! What is asked of a platform's bucket.

use claim_check_store_layout::StoreError;

/// A bucket of values: what both drafts of `wasi:keyvalue` have. Nothing that it answers is believed.
pub trait Bucket {
    /// The value of a key; none where there is none.
    ///
    /// # Errors
    /// The platform's.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Gives the key this value.
    ///
    /// # Errors
    /// The platform's; the key may have the old value then, or the new one, or a part of it.
    fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError>;

    /// Takes the key away, if it is there.
    ///
    /// # Errors
    /// The platform's.
    fn delete(&self, key: &str) -> Result<(), StoreError>;

    /// Shows every key once or more, others' too.
    ///
    /// # Errors
    /// The platform's; some keys may have been shown.
    fn list(&self, see: &mut dyn FnMut(&str)) -> Result<(), StoreError>;
}
