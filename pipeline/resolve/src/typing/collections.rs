//! Collections: what a loop over them, a subscript, or a method of theirs results in.
//!
//! The names of methods come from the language's row.

use sextant_format::ids::{FileId, SymbolId};
use sextant_syntax::extract::{BUILT_IN, CLASS_MARK, UNKNOWN_ELEMENT};
use sextant_syntax::language::{Language, MapLoops};
use smallvec::smallvec;

use crate::raw_reference::MemberForm;
use crate::resolution::SymbolIds;
use crate::value::{Elements, MAX_DEPTH, MemberLookup, PossibleValues, Value};
use crate::view::Resolver;

/// The name of the member that defines `a[b]`.
const SUBSCRIPT_OPERATOR: &str = "operator[]";
/// What comes before the access path of elements, where a type is not known.
const BY_PATH: char = '=';

impl Resolver<'_, '_> {
    /// The entries of values: those over which a loop runs, or one by index or key.
    pub(super) fn values_of_entries(&self, values: PossibleValues, is_loop: bool, depth: u32) -> PossibleValues {
        let known: PossibleValues = values.iter().flat_map(|value| self.elements_of(value, is_loop, depth)).collect();
        // A collection is also something that the repository does not define.
        if !known.is_empty() {
            return known;
        }
        let given = self.entries_by_members(&values, is_loop, depth);
        if !given.is_empty() {
            return given;
        }
        let has_elements =
            values.iter().any(|value| matches!(value, Value::Elements(of) if *of.types != *UNKNOWN_ELEMENT));
        values.into_iter().flat_map(|value| self.other_entries(value, is_loop || has_elements, depth)).collect()
    }

    /// The entries of objects of the repository, by the methods that return them.
    fn entries_by_members(&self, values: &[Value], is_loop: bool, depth: u32) -> PossibleValues {
        let language = self.language().filter(|_| depth < MAX_DEPTH);
        let members = match language {
            Some(language) if is_loop => language.iterator_members,
            Some(language) => language.entry_members,
            None => &[],
        };
        let is_object = |value: &&Value| matches!(value, Value::Instance(_));
        for name in members.iter().filter(|_| values.iter().any(|value| is_object(&value))) {
            let substituted = self.substituted_member(values, name, "()", depth + 1).map(|(found, _)| found);
            let found = substituted.unwrap_or_else(|| {
                let methods = values.iter().filter(is_object).flat_map(|value| {
                    match self.lookup_member(value, self.name(name), depth) {
                        MemberLookup::Definitions(ids) => ids,
                        _ => SymbolIds::new(),
                    }
                });
                methods.flat_map(|method| self.call_result(&Value::Callable(method), depth + 1)).collect()
            });
            let found = match is_loop {
                true => found.iter().flat_map(|value| self.elements_of(value, true, depth + 1)).collect(),
                false => found,
            };
            if !found.is_empty() {
                return found;
            }
        }
        PossibleValues::new()
    }

    /// The values of a collection's elements; empty for other values.
    fn elements_of(&self, value: &Value, is_loop: bool, depth: u32) -> PossibleValues {
        match value {
            // A pair is the map of its key alone.
            Value::Elements(of) if is_loop && of.is_by_key && self.map_loops() == MapLoops::Pairs => {
                smallvec![value.clone()]
            }
            Value::Elements(Elements { file, scope, types, is_by_key })
                if depth < MAX_DEPTH
                    && !(is_loop && *is_by_key && self.map_loops() == MapLoops::Keys)
                    && **types != *UNKNOWN_ELEMENT =>
            {
                self.element_values(*file, *scope, types, depth + 1)
            }
            Value::Instance(id) => {
                let element_types = self.language().map_or(&[][..], |language| language.element_types);
                element_types.iter().flat_map(|name| self.associated_type(*id, name, depth)).collect()
            }
            _ => PossibleValues::new(),
        }
    }

    fn map_loops(&self) -> MapLoops {
        self.language().map_or(MapLoops::Keys, |language| language.map_loops)
    }

    /// The value of a pair, by a member of the pair or its place; the element of another collection at a place. `None` for
    /// other members.
    pub(super) fn part_of_elements(&self, of: &Elements, name: &str, depth: u32) -> Option<PossibleValues> {
        let has = |members: fn(&Language) -> &'static [&'static str]| {
            self.language().is_some_and(|language| members(language).contains(&name))
        };
        let is_part = match of.is_by_key {
            true => matches!(name, "1" | "_2") || has(|language| language.pair_members),
            false => name.parse::<u8>().is_ok() || has(|language| language.element_members),
        };
        let is_known = is_part && depth < MAX_DEPTH && *of.types != *UNKNOWN_ELEMENT;
        is_known.then(|| self.element_values(of.file, of.scope, &of.types, depth + 1))
    }

    /// The values of elements, by their type, or by their path after [`BY_PATH`].
    pub(super) fn element_values(&self, file: FileId, scope: SymbolId, text: &str, depth: u32) -> PossibleValues {
        let resolver = self.for_file(file);
        let text = text.trim_start_matches(CLASS_MARK);
        match text.strip_prefix(BY_PATH) {
            Some(path) => resolver.evaluate_access_path(scope, path, depth),
            None => resolver.evaluate_type(scope, text, depth),
        }
    }

    /// A collection whose elements are the values of a path.
    pub(super) fn collection_of(&self, scope: SymbolId, path: &str, is_by_key: bool) -> PossibleValues {
        let types = format!("{BY_PATH}{path}").into();
        smallvec![Value::Elements(Elements { file: self.file, scope, types, is_by_key }), Value::External]
    }

    /// What a method results in because of the function that it gets: a collection of the function's results, or the
    /// result itself. `receiver` is the path of the object, and `result` that of the function's result, which begins at
    /// its parameter if it begins with a member or is empty. `None` if the method is another one.
    pub(super) fn mapped_values(
        &self,
        values: &[Value],
        scope: SymbolId,
        (receiver, name, result): (&str, &str, &str),
        depth: u32,
    ) -> Option<PossibleValues> {
        let language = self.language()?;
        let is_flattening = language.flattening_methods.contains(&name);
        let is_mapping = is_flattening || language.mapping_methods.contains(&name);
        let is_result = language.result_methods.contains(&name);
        let is_defined = |value: &Value| {
            matches!(value, Value::Instance(_) | Value::Type(_))
                && matches!(self.lookup_member(value, self.name(name), depth), MemberLookup::Definitions(_))
        };
        if !is_mapping && !is_result || values.is_empty() || values.iter().any(is_defined) {
            return None;
        }
        let is_of_parameter = result.is_empty() || result.starts_with(['.', '[', '(']);
        let has_elements = values.iter().any(|value| matches!(value, Value::Elements(_)));
        if is_mapping && (has_elements || values.iter().all(Value::is_external)) {
            let element = if is_of_parameter { format!("{receiver}[*]{result}") } else { result.to_owned() };
            return Some(self.collection_of(scope, &(element + if is_flattening { "[*]" } else { "" }), false));
        }
        let path = if is_of_parameter { format!("{receiver}{result}") } else { result.to_owned() };
        is_result.then(|| self.evaluate_access_path(scope, &path, depth + 1))
    }

    /// The entries of a value without known elements: the results of its operator, if its type has one.
    fn other_entries(&self, value: Value, is_loop: bool, depth: u32) -> PossibleValues {
        if is_loop {
            return PossibleValues::new();
        }
        if let Value::BuiltIn(_) = value {
            return smallvec![Value::External];
        }
        if value.is_external() {
            return smallvec![value];
        }
        if !self.language().is_some_and(|language| language.array_types_are_elements) {
            return PossibleValues::new();
        }
        match self.lookup_member(&value, self.name(SUBSCRIPT_OPERATOR), depth) {
            MemberLookup::Definitions(ids) => {
                ids.into_iter().flat_map(|id| self.call_result(&Value::Callable(id), depth)).collect()
            }
            _ => smallvec![value],
        }
    }

    /// What a method of the standard library passes to a function: the elements of a collection, or the value itself; and
    /// the path after it. `rest` is the path after the method's name.
    pub(super) fn callback_values<'p>(
        &self,
        values: &[Value],
        name: &str,
        rest: &'p str,
        depth: u32,
    ) -> Option<(PossibleValues, &'p str)> {
        let language = self.language()?;
        if let Some(after) = rest.strip_prefix("{-.this}") {
            return language.receiver_scopes.contains(&name).then(|| (values.into(), after));
        }
        let (place, after) = rest.strip_prefix('{')?.split_once('}')?;
        let (argument, number) = place.split_once('.')?;
        let elements = |is_loop| values.iter().flat_map(|value| self.elements_of(value, is_loop, depth)).collect();
        let is_map = |value: &Value| matches!(value, Value::Elements(of) if of.is_by_key);
        let is_only = matches!(argument, "0" | "-") && number == "0";
        let mut passed = PossibleValues::new();
        if is_only && language.element_callbacks.contains(&name) {
            passed = elements(true);
        } else if number == "1" && language.pair_callbacks.contains(&name) {
            let pairs: PossibleValues = elements(true);
            let parts = || pairs.iter().flat_map(|pair| self.member_values(pair, number, MemberForm::Read, depth + 1));
            passed = if values.iter().any(is_map) { elements(false) } else { parts().collect() };
        } else if number == "1" && language.folding_callbacks.contains(&name) && !values.iter().any(is_map) {
            passed = elements(true);
        }
        if passed.is_empty() && is_only && language.receiver_callbacks.contains(&name) {
            passed = values.into();
        }
        (!passed.is_empty()).then_some((passed, after))
    }

    /// What a function of the standard library returns that stands for a method of its first argument, by what follows its
    /// name, `{@a.b}()`; and the path after it. `called` are the values of the function, and `path` is that of it.
    pub(super) fn argument_function<'p>(
        &self,
        called: &[Value],
        scope: SymbolId,
        path: &str,
        rest: &'p str,
        depth: u32,
    ) -> Option<(PossibleValues, &'p str)> {
        let (argument, after) = rest.strip_prefix("{@")?.split_once('}')?;
        if !called.iter().all(Value::is_external) {
            return Some((called.into(), after));
        }
        let name = path.rsplit('.').next().unwrap_or(path);
        let values = self.evaluate_access_path(scope, argument, depth + 1);
        let found = self.collection_method(&values, name, depth + 1);
        Some((if found.is_empty() { values } else { found }, after.strip_prefix("()").unwrap_or(after)))
    }

    /// The result of a method of the standard library's collections; empty for other values and methods.
    pub(super) fn collection_method(&self, values: &[Value], name: &str, depth: u32) -> PossibleValues {
        let Some(language) = self.language() else { return PossibleValues::new() };
        let results = values.iter().flat_map(|value| match value {
            Value::Elements(of) => self.method_of_elements(language, of, name, depth),
            _ => PossibleValues::new(),
        });
        let mut all = PossibleValues::new();
        for result in results {
            if !all.contains(&result) {
                all.push(result);
            }
        }
        all
    }

    fn method_of_elements(&self, language: &Language, of: &Elements, name: &str, depth: u32) -> PossibleValues {
        let with = |changed: Elements| smallvec![Value::Elements(changed), Value::External];
        let is_in = |methods: &[&str]| methods.contains(&name);
        let has_pairs = of.is_by_key && self.map_loops() == MapLoops::Pairs;
        if of.is_by_key && is_in(language.pair_members) {
            self.part_of_elements(of, name, depth).unwrap_or_default()
        } else if of.is_by_key && is_in(language.pair_methods) || is_in(language.indexed_methods) {
            with(Elements { types: nested(":", &of.types), is_by_key: false, ..of.clone() })
        } else if has_pairs && is_in(language.cursor_methods) {
            smallvec![Value::Elements(of.clone())]
        } else if is_in(language.element_methods) || is_in(language.cursor_methods) {
            self.elements_of(&Value::Elements(of.clone()), false, depth)
        } else if is_in(language.value_methods) {
            with(Elements { is_by_key: false, ..of.clone() })
        } else if is_in(language.keying_methods) {
            with(Elements { is_by_key: true, ..of.clone() })
        } else if is_in(language.grouping_methods) {
            with(Elements { types: nested("", &of.types), is_by_key: true, ..of.clone() })
        } else if is_in(language.chunking_methods) {
            with(Elements { types: nested("", &of.types), is_by_key: false, ..of.clone() })
        } else if is_in(language.iterator_methods) || is_in(language.transparent_methods) {
            with(of.clone())
        } else {
            PossibleValues::new()
        }
    }

    /// What calling a collection results in, where that is one of its elements.
    pub(super) fn called_collection(&self, of: &Elements, depth: u32) -> PossibleValues {
        let is_called = self.language().is_some_and(|language| language.element_methods.contains(&"apply"));
        match is_called {
            true => self.elements_of(&Value::Elements(of.clone()), false, depth),
            false => PossibleValues::new(),
        }
    }
}

/// The text for collections of elements: lists, or with the mark `:` pairs.
fn nested(mark: &str, types: &str) -> std::rc::Rc<str> {
    let text = match types.strip_prefix(BY_PATH) {
        Some(path) => format!("{BY_PATH}[{mark}{path}]"),
        None => format!("{BUILT_IN}[{mark}{types}]"),
    };
    text.into()
}
