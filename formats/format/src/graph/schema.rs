//! The Arrow schema of `graph.arrow`, which the writer and the reader share.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema};

pub(super) fn edge_fields() -> Fields {
    Fields::from(vec![
        Field::new("node", DataType::UInt32, false),
        Field::new("kind", DataType::UInt8, false),
        Field::new("tier", DataType::UInt8, false),
        Field::new("confidence", DataType::Float32, false),
    ])
}

pub(super) fn item_field() -> Field {
    Field::new("item", DataType::Struct(edge_fields()), false)
}

pub(super) fn schema() -> Schema {
    let list = DataType::List(Arc::new(item_field()));
    Schema::new(vec![Field::new("out", list.clone(), false), Field::new("in", list, false)])
}
