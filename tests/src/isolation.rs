//! What the runs of the isolation test check in.

/// A text that tells which run it is from, in every line.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    chars: usize,
}

impl Document {
    /// How large the windows are that it is read back in.
    pub const WINDOW: usize = 4096;

    fn new(text: String) -> Self {
        let chars = text.chars().count();
        Self { text, chars }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many characters it has.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.chars
    }
}

/// The documents of one run: one page, two, and many; and one that every run has, word for word.
#[must_use]
pub fn documents(run: usize) -> Vec<Document> {
    let lines = |count: usize| (0..count).map(|line| format!("run {run} line {line}: é 文 👍\n")).collect::<String>();
    let mut texts = vec![lines(300), lines(1_000 + run), lines(3_000 + run * 7)];
    texts.push("The same in every run. ".repeat(400));
    texts.into_iter().map(Document::new).collect()
}
