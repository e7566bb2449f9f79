//! The Arrow schema of `graph.arrow`, which the writer and the reader share.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema};

/// The fields of an edge, `has_uses` with the number of uses.
fn edge_fields(has_uses: bool) -> Fields {
    let mut fields = vec![
        Field::new("node", DataType::UInt32, false),
        Field::new("kind", DataType::UInt8, false),
        Field::new("tier", DataType::UInt8, false),
        Field::new("confidence", DataType::Float32, false),
    ];
    if has_uses {
        fields.push(Field::new("uses", DataType::UInt16, false));
    }
    Fields::from(fields)
}

fn item_field(has_uses: bool) -> Field {
    Field::new("item", DataType::Struct(edge_fields(has_uses)), false)
}

/// The columns; outgoing edges have no number of uses before format 7.
pub(super) fn schema(has_uses: bool) -> Schema {
    let list = |has_uses: bool| DataType::List(Arc::new(item_field(has_uses)));
    Schema::new(vec![Field::new("out", list(has_uses), false), Field::new("in", list(false), false)])
}
