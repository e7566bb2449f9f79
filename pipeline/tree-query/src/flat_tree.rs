//! A syntax tree in flat arrays, in preorder: a node's children and siblings are found by index
//! arithmetic.

use tree_sitter::Tree;

/// The kind of error nodes.
pub(crate) const ERROR: u16 = u16::MAX;

/// The nodes of one or several trees of a text, each in preorder. A node is identified by its index; the root of the
/// first tree is 0.
#[derive(Debug, Default)]
pub struct FlatTree {
    kinds: Vec<u16>,
    fields: Vec<u16>,
    /// One past the last node of each subtree.
    subtree_ends: Vec<u32>,
    parents: Vec<u32>,
    bytes: Vec<(u32, u32)>,
    missing: Vec<u32>,
}

impl FlatTree {
    /// Replaces the contents with the nodes of `tree`, reusing the allocated memory.
    pub fn load(&mut self, tree: &Tree) {
        self.kinds.clear();
        self.fields.clear();
        self.subtree_ends.clear();
        self.parents.clear();
        self.bytes.clear();
        self.missing.clear();
        self.append(tree);
    }

    /// Adds the nodes of another tree behind those that are there, and returns its root.
    pub fn append(&mut self, tree: &Tree) -> u32 {
        let root = self.count();
        let has_error = tree.root_node().has_error();
        let mut cursor = tree.walk();
        let mut parent = root;
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
                    return root;
                }
                let end = u32::try_from(self.kinds.len()).unwrap_or(u32::MAX);
                self.subtree_ends[parent as usize] = end;
                parent = self.parents[parent as usize];
            }
        }
    }

    /// The number of nodes.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.kinds.len()).unwrap_or(u32::MAX)
    }

    /// The node's kind, as the grammar's id.
    #[must_use]
    pub fn kind(&self, node: u32) -> u16 {
        self.kinds[node as usize]
    }

    /// The field of the parent that contains this node, as the grammar's id, or 0 if there is none.
    #[must_use]
    pub fn field(&self, node: u32) -> u16 {
        self.fields[node as usize]
    }

    /// One past the last descendant of the node. This is the next sibling, if there is one.
    #[must_use]
    pub fn subtree_end(&self, node: u32) -> u32 {
        self.subtree_ends[node as usize]
    }

    /// The parent. A root is its own parent.
    #[must_use]
    pub fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize]
    }

    /// Whether this is an error node, or a missing node that the parser inserted.
    #[must_use]
    pub fn is_error(&self, node: u32) -> bool {
        self.kind(node) == ERROR || self.is_missing(node)
    }

    /// Whether the parser inserted this node to recover from an error.
    #[must_use]
    pub fn is_missing(&self, node: u32) -> bool {
        !self.missing.is_empty() && self.missing.binary_search(&node).is_ok()
    }

    /// The node's bytes in the text.
    #[must_use]
    pub fn range(&self, node: u32) -> std::ops::Range<usize> {
        let (start, end) = self.bytes[node as usize];
        start as usize..end as usize
    }

    /// The children in order.
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

    /// The first child in the given field, if any.
    #[must_use]
    pub fn child_by_field(&self, node: u32, field: u16) -> Option<u32> {
        self.children(node).find(|&child| self.field(child) == field)
    }
}
