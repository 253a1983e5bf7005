//! The order in which values are written, read and deleted.

use std::collections::BTreeSet;

use claim_check_store_layout::contract::MAX_CONTENT_BYTES;
use claim_check_store_layout::limits::{self, VALUE_BYTES, page_range};
use claim_check_store_layout::{Erasure, Header, Instant, Scope, StoreError};

use crate::bucket::Bucket;
use crate::key::{self, Key};
use crate::sweep;

/// A reader whose pages were deleted because the claim was put again looks for the new ones so often.
const READS: usize = 4;
/// A forget gives up when so many listings in a row had something to delete: somebody keeps putting.
const ROUNDS: usize = 16;

/// The store over a bucket, at an instant.
#[derive(Debug)]
pub struct KeyvalueStore<'a, B> {
    bucket: &'a B,
    now: Instant,
}

impl<'a, B: Bucket> KeyvalueStore<'a, B> {
    /// The store in this bucket.
    pub fn new(bucket: &'a B, now: Instant) -> Self {
        Self { bucket, now }
    }

    /// Keeps a claim: its pages first, its header last, then what an earlier put left is deleted.
    ///
    /// # Errors
    /// The bucket's, or [`StoreError::Full`] for a claim beyond the limits; no claim has been kept then.
    pub fn put(
        &self,
        scope: &Scope,
        handle: &str,
        manifest: &str,
        pages: &[String],
        ttl_seconds: u32,
    ) -> Result<(), StoreError> {
        limits::check(manifest, pages)?;
        let header_key =
            key::header(scope, handle).ok_or_else(|| StoreError::Failed("this is no handle".to_owned()))?;
        let count =
            |length: usize| u32::try_from(length).map_err(|_| StoreError::Full("a count beyond 32 bits".into()));
        let mut header = Header {
            expiry: self.now.after(ttl_seconds),
            put: self.now,
            pages: count(pages.len())?,
            manifest_bytes: count(manifest.len())?,
        };
        let earlier = self.read_header(&header_key)?.map(|(earlier, _)| earlier);
        if let Some(earlier) = earlier {
            if earlier.is_live(self.now) {
                header.expiry = header.expiry.max(earlier.expiry);
            }
            // Pages of another put, whatever the clock says: nobody must read a page while it changes.
            header.put = header.put.max(Instant(earlier.put.0.saturating_add(1)));
        }
        for (number, page) in (0..).zip(pages) {
            if let Err(error) = self.bucket.set(&key::page(&header_key, &header, number), page.as_bytes()) {
                self.delete_pages(&header_key, &header);
                return Err(error);
            }
        }
        // Where this is refused it may have been written all the same, so the pages stay until they expire.
        self.bucket.set(&header_key, format!("{header}{manifest}").as_bytes())?;
        if let Some(earlier) = earlier {
            self.delete_pages(&header_key, &earlier);
        }
        sweep::sweep(self.bucket, self.now);
        Ok(())
    }

    /// Nobody refers to them any more, and those that can't be deleted now are swept when they expire.
    fn delete_pages(&self, header_key: &str, header: &Header) {
        for number in 0..header.pages {
            if self.bucket.delete(&key::page(header_key, header, number)).is_err() {
                return;
            }
        }
    }

    /// The manifest and the pages that were asked for.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where no live claim is held, or where what is held can't be one; the bucket's.
    pub fn fetch(
        &self,
        scope: &Scope,
        handle: &str,
        first_page: u32,
        page_count: u32,
    ) -> Result<(String, Vec<String>), StoreError> {
        let header_key = key::header(scope, handle).ok_or(StoreError::NotFound)?;
        for _ in 0..READS {
            let (header, manifest) = self.read_header(&header_key)?.ok_or(StoreError::NotFound)?;
            if !header.is_live(self.now) {
                return Err(StoreError::NotFound);
            }
            let pages = page_range(header.pages, first_page, page_count);
            if let Some(pages) = self.read_pages(&header_key, &header, pages)? {
                return Ok((manifest, pages));
            }
        }
        Err(StoreError::NotFound)
    }

    /// None where a page is missing or no text.
    fn read_pages(
        &self,
        header_key: &str,
        header: &Header,
        numbers: std::ops::Range<u32>,
    ) -> Result<Option<Vec<String>>, StoreError> {
        let (mut pages, mut bytes) = (vec![], 0);
        for number in numbers {
            let Some(page) = self.bucket.get(&key::page(header_key, header, number))? else { return Ok(None) };
            bytes += page.len();
            if page.len() > VALUE_BYTES || bytes > MAX_CONTENT_BYTES {
                return Ok(None);
            }
            let Ok(page) = String::from_utf8(page) else { return Ok(None) };
            pages.push(page);
        }
        Ok(Some(pages))
    }

    /// None where there is none, or none that was written here.
    fn read_header(&self, header_key: &str) -> Result<Option<(Header, String)>, StoreError> {
        Ok(self.bucket.get(header_key)?.and_then(|value| read_header(&value)))
    }

    /// Lists and deletes until a listing comes back clean: headers first, so that no part of a claim is ever left.
    ///
    /// # Errors
    /// The bucket's, or [`StoreError::Unavailable`] where somebody keeps putting; part of it has been erased then.
    pub fn forget(&self, what: &Erasure) -> Result<u32, StoreError> {
        let (prefix, mut live) = (key::prefix(what), 0_u32);
        for _ in 0..ROUNDS {
            let (mut headers, mut pages) = (BTreeSet::new(), BTreeSet::new());
            self.bucket.list(&mut |key| {
                if key.starts_with(&prefix) {
                    match Key::parse(key) {
                        Some(Key::Header(_)) => headers.insert(key.to_owned()),
                        Some(Key::Page { .. }) => pages.insert(key.to_owned()),
                        None => false,
                    };
                }
            })?;
            if headers.is_empty() && pages.is_empty() {
                return Ok(live);
            }
            for key in headers {
                let held = self.read_header(&key)?;
                self.bucket.delete(&key)?;
                live = live.saturating_add(u32::from(held.is_some_and(|(header, _)| header.is_live(self.now))));
            }
            for key in pages {
                self.bucket.delete(&key)?;
            }
        }
        Err(StoreError::Unavailable(format!(
            "{ROUNDS} listings in a row had claims to erase: stop the run before it is forgotten, and try again"
        )))
    }
}

/// The header and the manifest in a value; none where nothing here can have written it.
pub(crate) fn read_header(value: &[u8]) -> Option<(Header, String)> {
    let (header, manifest) = Header::parse(value)?;
    let whole = u32::try_from(manifest.len()).ok()? == header.manifest_bytes;
    let manifest = String::from_utf8(manifest.to_vec()).ok()?;
    whole.then_some((header, manifest))
}
