//! Maps Rust types to Parquet columns: Arrow type, conversion in both directions, and canonical bytes.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, PrimitiveBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType};

use crate::digest::{Digest, RowHasher};
use crate::ids::{ChunkId, FileId, FirstIds, SymbolId};
use crate::kinds::{EdgeKind, Kind, ParseStatus, SkipReason, Tier};
use crate::segments::RowMaps;

/// A type that a table column can have.
pub trait Column: Clone {
    /// The Arrow type as written in SPEC.md.
    const TYPE_NAME: &'static str;
    /// Whether the column may be null.
    const NULLABLE: bool = false;

    /// The Arrow type.
    fn data_type() -> DataType;
    /// Converts values into an array.
    fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError>
    where
        Self: 'a;
    /// Converts an array into values; the error completes the sentence "column NAME ...".
    fn from_array(array: &dyn Array) -> Result<Vec<Self>, String>;
    /// Appends the canonical bytes. Ids count from those with which the file begins.
    fn digest(&self, first: FirstIds, hasher: &mut RowHasher);
    /// Turns stored addresses into ids. Returns `None` if an address has no live row.
    fn to_ids(&mut self, _: &RowMaps) -> Option<()> {
        Some(())
    }
    /// Bytes that the value owns outside of the row struct.
    fn heap_bytes(&self) -> usize {
        0
    }
}

fn check_type<'a>(array: &'a dyn Array, data_type: &DataType, nullable: bool) -> Result<&'a dyn Array, String> {
    if array.data_type() != data_type {
        return Err(format!("has type {} instead of {data_type}", array.data_type()));
    }
    if !nullable && array.null_count() > 0 {
        return Err(format!("has {} nulls, but is not nullable", array.null_count()));
    }
    Ok(array)
}

macro_rules! primitive_column {
    ($type:ty, $arrow:ty, $name:literal) => {
        impl Column for $type {
            const TYPE_NAME: &'static str = $name;

            fn data_type() -> DataType {
                <$arrow>::DATA_TYPE
            }

            fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
                let mut builder = PrimitiveBuilder::<$arrow>::new();
                values.for_each(|&value| builder.append_value(value));
                Ok(Arc::new(builder.finish()))
            }

            fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
                let array = check_type(array, &Self::data_type(), false)?;
                Ok(array.as_primitive::<$arrow>().values().to_vec())
            }

            fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
                hasher.fixed(&self.to_le_bytes());
            }
        }

        impl Column for Option<$type> {
            const TYPE_NAME: &'static str = $name;
            const NULLABLE: bool = true;

            fn data_type() -> DataType {
                <$arrow>::DATA_TYPE
            }

            fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
                let mut builder = PrimitiveBuilder::<$arrow>::new();
                values.for_each(|&value| builder.append_option(value));
                Ok(Arc::new(builder.finish()))
            }

            fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
                let array = check_type(array, &Self::data_type(), true)?;
                Ok(array.as_primitive::<$arrow>().iter().collect())
            }

            fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
                match self {
                    None => hasher.fixed(&[0]),
                    Some(value) => {
                        hasher.fixed(&[1]);
                        hasher.fixed(&value.to_le_bytes());
                    }
                }
            }
        }
    };
}

primitive_column!(u8, UInt8Type, "uint8");
primitive_column!(u32, UInt32Type, "uint32");
primitive_column!(u64, UInt64Type, "uint64");
primitive_column!(f32, Float32Type, "float32");

/// An id, stored as the number of its row.
macro_rules! id_column {
    ($($type:ty = $first:ident in $map:ident),*) => {$(
        impl Column for $type {
            const TYPE_NAME: &'static str = u32::TYPE_NAME;

            fn data_type() -> DataType {
                u32::data_type()
            }

            fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
                let mut builder = PrimitiveBuilder::<UInt32Type>::new();
                values.for_each(|value| builder.append_value(value.get()));
                Ok(Arc::new(builder.finish()))
            }

            fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
                let array = check_type(array, &Self::data_type(), false)?;
                Ok(array.as_primitive::<UInt32Type>().values().iter().copied().map(Self::new).collect())
            }

            fn digest(&self, first: FirstIds, hasher: &mut RowHasher) {
                self.get().wrapping_sub(first.$first.get()).digest(first, hasher);
            }

            fn to_ids(&mut self, maps: &RowMaps) -> Option<()> {
                *self = maps.$map.id(self.get())?;
                Some(())
            }
        }

        impl Column for Option<$type> {
            const TYPE_NAME: &'static str = u32::TYPE_NAME;
            const NULLABLE: bool = true;

            fn data_type() -> DataType {
                u32::data_type()
            }

            fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
                let mut builder = PrimitiveBuilder::<UInt32Type>::new();
                values.for_each(|value| builder.append_option(value.map(<$type>::get)));
                Ok(Arc::new(builder.finish()))
            }

            fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
                let array = check_type(array, &Self::data_type(), true)?;
                Ok(array.as_primitive::<UInt32Type>().iter().map(|value| value.map(<$type>::new)).collect())
            }

            fn digest(&self, first: FirstIds, hasher: &mut RowHasher) {
                self.map(|id| id.get().wrapping_sub(first.$first.get())).digest(first, hasher);
            }

            fn to_ids(&mut self, maps: &RowMaps) -> Option<()> {
                self.as_mut().map_or(Some(()), |id| id.to_ids(maps))
            }
        }
    )*};
}

id_column!(FileId = file in files, ChunkId = chunk in chunks, SymbolId = symbol in symbols);

impl Column for bool {
    const TYPE_NAME: &'static str = "bool";

    fn data_type() -> DataType {
        DataType::Boolean
    }

    fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
        let mut builder = BooleanBuilder::new();
        values.for_each(|&value| builder.append_value(value));
        Ok(Arc::new(builder.finish()))
    }

    fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
        let array = check_type(array, &Self::data_type(), false)?;
        Ok(array.as_boolean().values().iter().collect())
    }

    fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
        hasher.fixed(&[u8::from(*self)]);
    }
}

macro_rules! text_column {
    ($($type:ty),*) => {$(
        impl Column for $type {
            const TYPE_NAME: &'static str = "utf8";

            fn data_type() -> DataType {
                DataType::Utf8
            }

            fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError>
            where
                Self: 'a,
            {
                let mut builder = StringBuilder::new();
                values.for_each(|value| builder.append_value(value));
                Ok(Arc::new(builder.finish()))
            }

            fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
                let array = check_type(array, &Self::data_type(), false)?;
                Ok(array.as_string::<i32>().iter().flatten().map(|text| text.to_owned().into()).collect())
            }

            fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
                hasher.sized(self.as_bytes());
            }

            fn heap_bytes(&self) -> usize {
                self.len()
            }
        }
    )*};
}

text_column!(String, Cow<'_, str>);

impl Column for Option<String> {
    const TYPE_NAME: &'static str = "utf8";
    const NULLABLE: bool = true;

    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
        let mut builder = StringBuilder::new();
        values.for_each(|value| builder.append_option(value.as_deref()));
        Ok(Arc::new(builder.finish()))
    }

    fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
        let array = check_type(array, &Self::data_type(), true)?;
        Ok(array.as_string::<i32>().iter().map(|value| value.map(str::to_owned)).collect())
    }

    fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
        match self {
            None => hasher.fixed(&[0]),
            Some(value) => {
                hasher.fixed(&[1]);
                hasher.sized(value.as_bytes());
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        self.as_ref().map_or(0, String::len)
    }
}

impl Column for Digest {
    const TYPE_NAME: &'static str = "fixed_size_binary(32)";

    fn data_type() -> DataType {
        DataType::FixedSizeBinary(32)
    }

    fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
        let mut builder = FixedSizeBinaryBuilder::new(32);
        for value in values {
            builder.append_value(value.0)?;
        }
        Ok(Arc::new(builder.finish()))
    }

    fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
        let array = check_type(array, &Self::data_type(), false)?;
        array
            .as_fixed_size_binary()
            .iter()
            .flatten()
            .map(|bytes| bytes.try_into().map(Self).map_err(|_| "is not 32 bytes wide".to_owned()))
            .collect()
    }

    fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
        hasher.fixed(&self.0);
    }
}

impl Column for Vec<i8> {
    const TYPE_NAME: &'static str = "binary";

    fn data_type() -> DataType {
        DataType::Binary
    }

    fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
        let mut builder = BinaryBuilder::new();
        values.for_each(|value| builder.append_value(bytemuck::cast_slice::<i8, u8>(value)));
        Ok(Arc::new(builder.finish()))
    }

    fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
        let array = check_type(array, &Self::data_type(), false)?;
        Ok(array.as_binary::<i32>().iter().flatten().map(|bytes| bytemuck::cast_slice(bytes).to_vec()).collect())
    }

    fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
        hasher.sized(bytemuck::cast_slice(self));
    }

    fn heap_bytes(&self) -> usize {
        self.len()
    }
}

/// Runs of numbers, stored as the first number and the count of each, 32 bits little endian.
impl Column for Vec<Range<u32>> {
    const TYPE_NAME: &'static str = "binary";

    fn data_type() -> DataType {
        DataType::Binary
    }

    fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
        let mut builder = BinaryBuilder::new();
        for runs in values {
            let numbers = runs.iter().flat_map(|run| [run.start, run.end.saturating_sub(run.start)]);
            builder.append_value(numbers.flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
        }
        Ok(Arc::new(builder.finish()))
    }

    fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
        let array = check_type(array, &Self::data_type(), false)?;
        let number = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).ok();
        let run = |bytes: &[u8]| {
            let (start, count) = (number(bytes.get(..4)?)?, number(bytes.get(4..)?)?);
            Some(start..start.checked_add(count)?)
        };
        let runs = |bytes: &[u8]| bytes.chunks(8).map(run).collect::<Option<Self>>();
        let all = array.as_binary::<i32>().iter().flatten().map(runs).collect::<Option<_>>();
        all.ok_or_else(|| "has no runs of numbers".to_owned())
    }

    fn digest(&self, first: FirstIds, hasher: &mut RowHasher) {
        for run in self {
            run.start.digest(first, hasher);
            run.end.digest(first, hasher);
        }
    }

    fn heap_bytes(&self) -> usize {
        size_of_val(self.as_slice())
    }
}

/// A word of a closed vocabulary, stored as its text.
macro_rules! vocabulary_column {
    ($($type:ty),*) => {$(
        impl Column for $type {
            const TYPE_NAME: &'static str = "utf8";

            fn data_type() -> DataType {
                DataType::Utf8
            }

            fn to_array<'a>(values: impl Iterator<Item = &'a Self>) -> Result<ArrayRef, ArrowError> {
                let mut builder = StringBuilder::new();
                values.for_each(|value| builder.append_value(value.as_str()));
                Ok(Arc::new(builder.finish()))
            }

            fn from_array(array: &dyn Array) -> Result<Vec<Self>, String> {
                let array = check_type(array, &Self::data_type(), false)?;
                array
                    .as_string::<i32>()
                    .iter()
                    .flatten()
                    .map(|word| Self::from_str(word).map_err(|error| error.to_string()))
                    .collect()
            }

            fn digest(&self, _: FirstIds, hasher: &mut RowHasher) {
                hasher.sized(self.as_str().as_bytes());
            }
        }
    )*};
}

vocabulary_column!(Kind, EdgeKind, Tier, ParseStatus, SkipReason);

#[cfg(test)]
mod tests {
    use super::*;

    fn first() -> FirstIds {
        FirstIds { symbol: SymbolId::new(5), ..FirstIds::default() }
    }

    fn digest_of(column: &impl Column) -> Digest {
        let mut hasher = RowHasher::default();
        column.digest(first(), &mut hasher);
        hasher.end_row();
        hasher.finish()
    }

    #[test]
    fn an_id_is_stored_as_its_number_and_hashed_relative_to_its_file() {
        for number in [5, 7, u32::MAX] {
            let id = SymbolId::new(number);
            assert_eq!(digest_of(&id), digest_of(&(number - 5)));
            assert_eq!(digest_of(&Some(id)), digest_of(&Some(number - 5)));
            let array = SymbolId::to_array([id].iter()).unwrap();
            assert_eq!(u32::from_array(array.as_ref()), Ok(vec![number]));
            let array = Option::<u32>::to_array([Some(number), None].iter()).unwrap();
            assert_eq!(Option::<SymbolId>::from_array(array.as_ref()), Ok(vec![Some(id), None]));
        }
        assert_eq!(digest_of(&None::<SymbolId>), digest_of(&None::<u32>));
        assert_eq!((FileId::TYPE_NAME, Option::<ChunkId>::NULLABLE), ("uint32", true));
    }

    #[test]
    fn runs_of_numbers_survive_and_nonsense_is_refused() {
        let runs = [vec![3..5, 9..10], Vec::new(), vec![0..1, 7..u32::MAX]];
        let array = Vec::<Range<u32>>::to_array(runs.iter()).unwrap();
        assert_eq!(Vec::<Range<u32>>::from_array(array.as_ref()), Ok(runs.to_vec()));
        for bytes in [&[1_u8; 7][..], &[255; 8], &[1; 12]] {
            let mut builder = BinaryBuilder::new();
            builder.append_value(bytes);
            Vec::<Range<u32>>::from_array(&builder.finish()).unwrap_err();
        }
    }
}
