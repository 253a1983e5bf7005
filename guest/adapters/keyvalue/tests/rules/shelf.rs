//! A bucket in memory, which fails and lies as a test tells it to.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use claim_check_keyvalue::Bucket;
use claim_check_store_layout::StoreError;

#[derive(Default)]
pub(crate) struct Shelf {
    pub(crate) values: RefCell<BTreeMap<String, Vec<u8>>>,
    /// After so many calls nothing works any more, and the last write is half a write.
    pub(crate) left: Cell<Option<usize>>,
}

impl Shelf {
    pub(crate) fn works_for(&self, calls: usize) {
        self.left.set(Some(calls));
    }

    pub(crate) fn works_again(&self) {
        self.left.set(None);
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.values.borrow().keys().cloned().collect()
    }

    fn call(&self) -> Result<(), StoreError> {
        match self.left.get() {
            Some(0) => Err(StoreError::Unavailable("cut off".to_owned())),
            Some(left) => {
                self.left.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Bucket for Shelf {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.call()?;
        Ok(self.values.borrow().get(key).cloned())
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        let whole = self.call();
        // A write that is cut off leaves a part of the value, where nothing was before; over a value it is not begun.
        if whole.is_err() {
            let half = value[..value.len() / 2].to_vec();
            self.values.borrow_mut().entry(key.to_owned()).or_insert(half);
            return whole;
        }
        self.values.borrow_mut().insert(key.to_owned(), value.to_vec());
        Ok(())
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.call()?;
        self.values.borrow_mut().remove(key);
        Ok(())
    }

    fn list(&self, see: &mut dyn FnMut(&str)) -> Result<(), StoreError> {
        self.call()?;
        self.values.borrow().keys().for_each(|key| see(key));
        Ok(())
    }
}
