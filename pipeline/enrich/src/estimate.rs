//! Tokens and money: what a run will take, and what it may.

use crate::Item;
use crate::prompt::MAX_CODE_BYTES;

/// Bytes of code for a token. Tokenisers of language models need about 4 for English prose and 2.5 to 4 for code; 3 is
/// on the safe side for most code.
const BYTES_PER_TOKEN: u64 = 3;
/// Tokens of the system message and the instructions of a request.
const REQUEST_TOKENS: u64 = 220;
/// Tokens around the code of an item: its number, kind, name and fence.
const ITEM_TOKENS: u64 = 30;
/// Tokens of an answer about a symbol: three sentences, twelve keywords, a category.
const SYMBOL_OUTPUT_TOKENS: u64 = 150;
/// Tokens of an answer about a block, and of its parent's summary in the prompt.
const BLOCK_OUTPUT_TOKENS: u64 = 60;

/// Numbers of tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenCounts {
    /// Of prompts.
    pub input: u64,
    /// Of answers.
    pub output: u64,
}

impl TokenCounts {
    /// The sum of both.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.input + self.output
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { input: self.input + other.input, output: self.output + other.output }
    }

    pub(crate) const fn minus(self, other: Self) -> Self {
        Self { input: self.input.saturating_sub(other.input), output: self.output.saturating_sub(other.output) }
    }
}

/// Prices of a million tokens, in any currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Of prompts.
    pub input: f64,
    /// Of answers.
    pub output: f64,
}

impl Prices {
    /// What tokens cost.
    #[must_use]
    pub fn cost(&self, tokens: TokenCounts) -> f64 {
        (tokens.input as f64 * self.input + tokens.output as f64 * self.output) / 1e6
    }
}

/// What a run may use. No request is sent whose estimate would exceed it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Maximum tokens of prompts and answers together.
    pub max_tokens: Option<u64>,
    /// Maximum cost, with its prices.
    pub max_cost: Option<(f64, Prices)>,
}

impl Budget {
    pub(crate) fn allows(&self, tokens: TokenCounts) -> bool {
        self.max_tokens.is_none_or(|max| tokens.total() <= max)
            && self.max_cost.is_none_or(|(max, prices)| prices.cost(tokens) <= max)
    }
}

/// What a run will take, before it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Symbols to ask about.
    pub symbols: u64,
    /// Blocks to ask about.
    pub blocks: u64,
    /// Chunks whose answer is known.
    pub known: u64,
    /// Requests.
    pub requests: u64,
    /// Tokens.
    pub tokens: TokenCounts,
}

/// The tokens of a request about these items.
pub(crate) fn request_tokens<'a>(items: impl IntoIterator<Item = &'a Item>) -> TokenCounts {
    let mut tokens = TokenCounts { input: REQUEST_TOKENS, output: 0 };
    for item in items {
        let names: usize = item.name.len() + item.members.iter().map(|name| name.len() + 2).sum::<usize>();
        let bytes = item.bytes.min(MAX_CODE_BYTES as u64) + names as u64;
        tokens.input += bytes.div_ceil(BYTES_PER_TOKEN) + ITEM_TOKENS;
        if item.level == 2 {
            tokens.input += BLOCK_OUTPUT_TOKENS;
        }
        tokens.output += if item.level == 2 { BLOCK_OUTPUT_TOKENS } else { SYMBOL_OUTPUT_TOKENS };
    }
    tokens
}

/// The tokens of a request and its answer by their lengths, for servers that do not count.
pub(crate) fn text_tokens(prompt: &str, answer: &str) -> TokenCounts {
    let tokens = |text: &str| (text.len() as u64).div_ceil(BYTES_PER_TOKEN);
    TokenCounts { input: tokens(prompt) + tokens(crate::prompt::SYSTEM), output: tokens(answer) }
}
