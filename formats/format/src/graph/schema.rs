//! The Arrow schemas of `graph.arrow`, which the writer and the reader share.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema};

/// The key of the schema's metadata under which the labels are listed.
pub(super) const LABELS: &str = "labels";

/// How the fields of an edge are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// A label of 8 bits, and the number of uses.
    Labels,
    /// A label of 16 bits, and the number of uses: there are more than 256 labels.
    ManyLabels,
    /// Kind, tier, confidence and number of uses, as before format 9.
    Columns,
    /// Kind, tier and confidence, as before format 7.
    ColumnsWithoutUses,
}

impl Layout {
    pub(super) const ALL: [Self; 4] = [Self::Labels, Self::ManyLabels, Self::Columns, Self::ColumnsWithoutUses];

    /// The columns of a file with this layout.
    pub(super) fn schema(self) -> Schema {
        let list = |is_out: bool| DataType::List(Arc::new(Field::new("item", self.edge(is_out), false)));
        Schema::new(vec![Field::new("out", list(true), false), Field::new("in", list(false), false)])
    }

    /// The columns and the list of labels.
    pub(super) fn schema_with(self, labels: String) -> Schema {
        let mut schema = self.schema();
        schema.metadata.insert(LABELS.to_owned(), labels);
        schema
    }

    /// The fields of an edge.
    fn edge(self, is_out: bool) -> DataType {
        let field = |name: &str, kind: DataType| Field::new(name, kind, false);
        let mut fields = vec![field("node", DataType::UInt32)];
        match self {
            Self::Labels => fields.push(field("label", DataType::UInt8)),
            Self::ManyLabels => fields.push(field("label", DataType::UInt16)),
            Self::Columns | Self::ColumnsWithoutUses => fields.extend([
                field("kind", DataType::UInt8),
                field("tier", DataType::UInt8),
                field("confidence", DataType::Float32),
            ]),
        }
        if is_out {
            fields.extend(match self {
                Self::Labels | Self::ManyLabels => Some(field("uses", DataType::UInt8)),
                Self::Columns => Some(field("uses", DataType::UInt16)),
                Self::ColumnsWithoutUses => None,
            });
        }
        DataType::Struct(Fields::from(fields))
    }
}
