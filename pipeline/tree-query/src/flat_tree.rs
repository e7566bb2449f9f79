//! A syntax tree laid out flat: nodes in the order of the text, a parent before its children, so that
//! the children of a node and their neighbours are found by arithmetic.

use tree_sitter::Tree;

/// The kind of a node that stands for an error.
pub(crate) const ERROR: u16 = u16::MAX;

/// The nodes of one tree. A node is its number; the root is 0.
#[derive(Debug, Default)]
pub struct FlatTree {
    kinds: Vec<u16>,
    fields: Vec<u16>,
    /// One past the last node of the subtree.
    subtree_ends: Vec<u32>,
    parents: Vec<u32>,
    bytes: Vec<(u32, u32)>,
    missing: Vec<u32>,
}

impl FlatTree {
    /// Lays out a tree, in the memory that is here already.
    pub fn load(&mut self, tree: &Tree) {
        self.kinds.clear();
        self.fields.clear();
        self.subtree_ends.clear();
        self.parents.clear();
        self.bytes.clear();
        self.missing.clear();
        let has_error = tree.root_node().has_error();
        let mut cursor = tree.walk();
        let mut parent = 0_u32;
        loop {
            let node = cursor.node();
            let id = u32::try_from(self.kinds.len()).unwrap_or(u32::MAX);
            self.kinds.push(node.kind_id());
            self.fields.push(cursor.field_id().map_or(0, std::num::NonZeroU16::get));
            self.subtree_ends.push(id + 1);
            self.parents.push(parent);
            let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
            self.bytes.push((offset(node.start_byte()), offset(node.end_byte())));
            if has_error && node.is_missing() {
                self.missing.push(id);
            }
            if cursor.goto_first_child() {
                parent = id;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                let end = u32::try_from(self.kinds.len()).unwrap_or(u32::MAX);
                self.subtree_ends[parent as usize] = end;
                parent = self.parents[parent as usize];
            }
        }
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.kinds.len()).unwrap_or(u32::MAX)
    }

    /// The kind's number in the grammar.
    #[must_use]
    pub fn kind(&self, node: u32) -> u16 {
        self.kinds[node as usize]
    }

    /// The number of the field that the node is of its parent, or 0.
    #[must_use]
    pub fn field(&self, node: u32) -> u16 {
        self.fields[node as usize]
    }

    /// One past the last node below this one, which is the next sibling if there is one.
    #[must_use]
    pub fn subtree_end(&self, node: u32) -> u32 {
        self.subtree_ends[node as usize]
    }

    /// The parent; the root's is itself.
    #[must_use]
    pub fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize]
    }

    /// Whether the grammar could not make sense of what is here, or of what is not.
    #[must_use]
    pub fn is_error(&self, node: u32) -> bool {
        self.kind(node) == ERROR || self.is_missing(node)
    }

    /// Whether the parser made the node up.
    #[must_use]
    pub fn is_missing(&self, node: u32) -> bool {
        !self.missing.is_empty() && self.missing.binary_search(&node).is_ok()
    }

    /// First byte and one past the last.
    #[must_use]
    pub fn range(&self, node: u32) -> std::ops::Range<usize> {
        let (start, end) = self.bytes[node as usize];
        start as usize..end as usize
    }

    /// The children.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.subtree_end(node);
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.subtree_end(child);
                child
            })
        })
    }

    /// The first child that is this field.
    #[must_use]
    pub fn child_by_field(&self, node: u32, field: u16) -> Option<u32> {
        self.children(node).find(|&child| self.field(child) == field)
    }
}
