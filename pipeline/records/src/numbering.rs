//! Numbers of things to which records refer.

/// Numbers of things: those of the base keep theirs, the others are counted when they are first used.
pub struct Numbering {
    /// How many the base has.
    base: usize,
    /// The number of each other one, or the largest number.
    numbers: Vec<u32>,
    /// The others in the order of their numbers.
    order: Vec<usize>,
}

impl Numbering {
    /// Of so many things, of which the base has the first ones.
    #[must_use]
    pub fn new(base: usize, count: usize) -> Self {
        Self { base, numbers: vec![u32::MAX; count.saturating_sub(base)], order: Vec::new() }
    }

    /// The number of a thing, by its place among all.
    pub fn number(&mut self, at: usize) -> u32 {
        let Some(number) = at.checked_sub(self.base).and_then(|at| self.numbers.get_mut(at)) else {
            return u32::try_from(at).unwrap_or(u32::MAX);
        };
        if *number == u32::MAX {
            *number = u32::try_from(self.base + self.order.len()).unwrap_or(u32::MAX);
            self.order.push(at);
        }
        *number
    }

    /// The places of those that the base lacks, in the order of their numbers.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_the_base_keep_their_numbers() {
        let mut numbering = Numbering::new(2, 6);
        assert_eq!([1, 5, 0, 3, 5].map(|at| numbering.number(at)), [1, 2, 0, 3, 2]);
        assert_eq!(numbering.order(), [5, 3]);
        assert_eq!(numbering.number(9), 9, "nothing has this place");
    }
}
