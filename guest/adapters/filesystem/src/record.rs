//! What a claim's file looks like, and what is believed of one.
//!
//! The header ([`Header`]), then for every page its length in bytes (32 bits, the lowest byte first), then the manifest,
//! then the pages. All lengths together are the file's size, or it is no claim.

use std::ops::Range;

use claim_check_store_layout::contract::MAX_CONTENT_BYTES;
use claim_check_store_layout::limits::{VALUE_BYTES, page_range};
use claim_check_store_layout::{Header, header};

use crate::folder::{Fault, File};

/// A claim's file, of which the header and the lengths have been read.
#[derive(Debug)]
pub struct Record<F> {
    file: F,
    /// When it expires, and how much there is of it.
    pub header: Header,
    lengths: Vec<u32>,
}

impl<F: File> Record<F> {
    /// The claim in this file; none where nothing here can have written it.
    ///
    /// # Errors
    /// The platform's.
    pub fn open(file: F) -> Result<Option<Self>, Fault> {
        let start = file.read(0, header::BYTES)?;
        let Some((header, _)) = Header::parse(&start) else { return Ok(None) };
        let table = header.pages as usize * 4;
        let bytes = file.read(header::BYTES as u64, table)?;
        let lengths: Vec<_> = bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let record = Self { file, header, lengths };
        let plausible = record.lengths.len() == header.pages as usize
            && record.lengths.iter().all(|length| *length as usize <= VALUE_BYTES)
            && record.page_bytes() <= MAX_CONTENT_BYTES as u64
            && record.file.size()? == record.pages_start() + record.page_bytes();
        Ok(plausible.then_some(record))
    }

    /// The manifest and the pages of a range; none where they are no text.
    ///
    /// # Errors
    /// The platform's.
    pub fn read(&self, first: u32, count: u32) -> Result<Option<(String, Vec<String>)>, Fault> {
        let manifest =
            self.read_text(self.pages_start() - u64::from(self.header.manifest_bytes), self.header.manifest_bytes)?;
        let Range { start, end } = page_range(self.header.pages, first, count);
        let (start, end) = (start as usize, end as usize);
        let mut offset = self.pages_start() + self.lengths.iter().take(start).copied().map(u64::from).sum::<u64>();
        let mut pages = vec![];
        for length in self.lengths.iter().take(end).skip(start) {
            let Some(page) = self.read_text(offset, *length)? else { return Ok(None) };
            pages.push(page);
            offset += u64::from(*length);
        }
        Ok(manifest.map(|manifest| (manifest, pages)))
    }

    fn read_text(&self, offset: u64, length: u32) -> Result<Option<String>, Fault> {
        let bytes = self.file.read(offset, length as usize)?;
        Ok(String::from_utf8(bytes).ok().filter(|text| text.len() == length as usize))
    }

    fn pages_start(&self) -> u64 {
        header::BYTES as u64 + u64::from(self.header.pages) * 4 + u64::from(self.header.manifest_bytes)
    }

    fn page_bytes(&self) -> u64 {
        self.lengths.iter().copied().map(u64::from).sum()
    }
}

/// Writes a claim into an empty file.
///
/// # Errors
/// The platform's.
pub fn write<F: File>(file: &F, header: &Header, manifest: &str, pages: &[String]) -> Result<(), Fault> {
    // Few large writes are what a file system likes; and each page is copied once.
    const BUFFER_BYTES: usize = 1 << 20;
    let mut buffer = header.to_string().into_bytes();
    for page in pages {
        buffer.extend(u32::try_from(page.len()).map_err(|_| Fault::NoSpace)?.to_le_bytes());
    }
    let mut offset = 0;
    for text in std::iter::once(manifest).chain(pages.iter().map(String::as_str)) {
        if buffer.len() + text.len() > BUFFER_BYTES {
            file.write(offset, &buffer)?;
            offset += buffer.len() as u64;
            buffer.clear();
        }
        buffer.extend(text.as_bytes());
    }
    file.write(offset, &buffer)
}
