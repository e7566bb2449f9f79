//! Compiles the parts of a query into steps. Names of kinds and fields become the grammar's ids, captures numbers.

use regex::Regex;
use rustc_hash::FxHashMap;
use tree_sitter::Language;

use super::error::QueryError;
use super::flat_tree::ERROR;
use super::parse::{self, Argument, Item, Part, Predicate, Quantifier};

/// A compiled query: the patterns of one language.
#[derive(Debug)]
pub struct CompiledQuery {
    pub(crate) patterns: Vec<CompiledPattern>,
    /// For each kind, the patterns whose outermost node may have it.
    pub(crate) by_kind: Vec<Vec<u16>>,
    /// The patterns whose outermost node may have any kind.
    pub(crate) any_kind: Vec<u16>,
    /// For each kind, whether its nodes are named.
    pub(crate) named: Vec<bool>,
    captures: Vec<String>,
    directives: Vec<Directives>,
}

/// The `#set!` directives of a pattern: pairs of key and value.
pub type Directives = Vec<(String, String)>;

/// One pattern: steps among siblings.
#[derive(Debug)]
pub(crate) struct CompiledPattern {
    pub(crate) steps: Vec<Step>,
    pub(crate) ends_anchored: bool,
    /// Predicates on two captures. Predicates on a single capture are in the steps.
    pub(crate) predicates: Vec<CompiledPredicate>,
}

#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) test: StepTest,
    /// The kinds with which the step can begin; `None` for any kind.
    pub(crate) kinds: Option<Vec<u16>>,
    /// The required field, or 0.
    pub(crate) field: u16,
    pub(crate) captures: Vec<u16>,
    /// Predicates on the captured node.
    pub(crate) predicates: Vec<CompiledPredicate>,
    pub(crate) quantifier: Quantifier,
    pub(crate) anchored: bool,
    /// Whether this step or a nested one captures.
    pub(crate) has_captures: bool,
}

#[derive(Debug)]
pub(crate) enum StepTest {
    Node(NodeTest),
    Choice(Vec<Step>),
    Group { steps: Vec<Step>, ends_anchored: bool },
}

#[derive(Debug)]
pub(crate) struct NodeTest {
    pub(crate) kind: KindTest,
    pub(crate) negated_fields: Vec<u16>,
    pub(crate) steps: Vec<Step>,
    pub(crate) ends_anchored: bool,
}

#[derive(Debug)]
pub(crate) enum KindTest {
    Is(Vec<u16>),
    Named,
    Any,
    Error,
    Missing,
}

/// A predicate on a capture.
#[derive(Clone, Debug)]
pub(crate) struct CompiledPredicate {
    pub(crate) capture: u16,
    pub(crate) condition: Condition,
    pub(crate) is_positive: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Text(String),
    Capture(u16),
    AnyOf(Vec<String>),
    Matches(Regex),
    /// The kind of the parent, or of any ancestor.
    Ancestor {
        kinds: Vec<u16>,
        parent_only: bool,
    },
}

impl CompiledQuery {
    /// Compiles the text of a query for a grammar.
    ///
    /// # Errors
    /// The text is not a query, or uses a kind, field or predicate that does not exist.
    pub fn new(grammar: &Language, text: &str) -> Result<Self, QueryError> {
        let kinds = grammar.node_kind_count();
        let id = |id: usize| u16::try_from(id).unwrap_or(u16::MAX);
        let mut by_name: FxHashMap<(&str, bool), Vec<u16>> = FxHashMap::default();
        for kind in (0..kinds).map(id) {
            if let Some(name) = grammar.node_kind_for_id(kind) {
                by_name.entry((name, grammar.node_kind_is_named(kind))).or_default().push(kind);
            }
        }
        let mut compiler = Compiler { grammar, by_name, captures: Vec::new() };
        let mut out = Self {
            patterns: Vec::new(),
            by_kind: vec![Vec::new(); kinds],
            any_kind: Vec::new(),
            named: (0..kinds).map(|kind| grammar.node_kind_is_named(id(kind))).collect(),
            captures: Vec::new(),
            directives: Vec::new(),
        };
        for pattern in parse::parse_patterns(text)? {
            let line = pattern.part.line;
            let (mut steps, ends_anchored) =
                match pattern.part {
                    Part {
                        item: Item::Group { parts, ends_anchored }, quantifier: Quantifier::One, captures, ..
                    } if captures.is_empty() => (compiler.steps(parts)?, ends_anchored),
                    part => (vec![compiler.step(part)?], false),
                };
            let number = id(out.patterns.len());
            let first = steps.first().ok_or_else(|| error("empty pattern", line))?;
            if matches!(first.quantifier, Quantifier::Optional | Quantifier::Any) {
                return Err(error("the outermost part must occur at least once", line));
            }
            match &first.kinds {
                Some(kinds) => {
                    for &kind in kinds {
                        if let Some(list) = out.by_kind.get_mut(usize::from(kind)) {
                            list.push(number);
                        }
                    }
                }
                None => out.any_kind.push(number),
            }
            let (mut predicates, mut directives) = (Vec::new(), Directives::new());
            for predicate in pattern.predicates {
                compiler.predicate(predicate, &mut predicates, &mut directives)?;
            }
            for predicate in &predicates {
                push_down_predicate(predicate, &mut steps);
            }
            predicates.retain(|predicate| matches!(predicate.condition, Condition::Capture(_)));
            out.patterns.push(CompiledPattern { steps, ends_anchored, predicates });
            out.directives.push(directives);
        }
        out.captures = compiler.captures;
        Ok(out)
    }

    /// The names of the captures, by capture number.
    #[must_use]
    pub fn capture_names(&self) -> &[String] {
        &self.captures
    }

    /// The `#set!` directives, by pattern number.
    #[must_use]
    pub fn directives(&self) -> &[Directives] {
        &self.directives
    }
}

fn error(message: impl Into<String>, line: usize) -> QueryError {
    QueryError { message: message.into(), line }
}

/// The kinds of the nodes at which a test can begin, in ascending order; `None` for any kind.
fn kinds(test: &StepTest) -> Option<Vec<u16>> {
    let mut kinds = match test {
        StepTest::Node(NodeTest { kind: KindTest::Is(kinds), .. }) => kinds.clone(),
        StepTest::Node(_) => return None,
        StepTest::Choice(options) => {
            let kinds: Option<Vec<Vec<u16>>> = options.iter().map(|option| option.kinds.clone()).collect();
            kinds?.concat()
        }
        StepTest::Group { steps, .. } => steps.first()?.kinds.clone()?,
    };
    kinds.sort_unstable();
    kinds.dedup();
    Some(kinds)
}

/// Moves a predicate on one capture into the steps that capture it. A match requires the predicate to hold for every
/// captured node, so the first node for which it fails can end the attempt.
fn push_down_predicate(predicate: &CompiledPredicate, steps: &mut [Step]) {
    if matches!(predicate.condition, Condition::Capture(_)) {
        return;
    }
    for step in steps {
        if step.captures.contains(&predicate.capture) {
            step.predicates.push(predicate.clone());
        }
        match &mut step.test {
            StepTest::Node(NodeTest { steps, .. }) | StepTest::Choice(steps) | StepTest::Group { steps, .. } => {
                push_down_predicate(predicate, steps);
            }
        }
    }
}

struct Compiler<'a> {
    grammar: &'a Language,
    by_name: FxHashMap<(&'a str, bool), Vec<u16>>,
    captures: Vec<String>,
}

impl Compiler<'_> {
    fn steps(&mut self, parts: Vec<Part>) -> Result<Vec<Step>, QueryError> {
        parts.into_iter().map(|part| self.step(part)).collect()
    }

    fn step(&mut self, part: Part) -> Result<Step, QueryError> {
        let line = part.line;
        let mut captures: Vec<u16> = part.captures.iter().map(|name| self.capture(name)).collect();
        let test = match part.item {
            Item::Node { kind, parts, negated_fields, ends_anchored } => StepTest::Node(NodeTest {
                kind: self.kind(&kind, line)?,
                negated_fields: negated_fields.iter().map(|field| self.field(field, line)).collect::<Result<_, _>>()?,
                steps: self.steps(parts)?,
                ends_anchored,
            }),
            Item::Anonymous(text) => StepTest::Node(leaf(KindTest::Is(self.ids(&text, false, line)?))),
            Item::Any => StepTest::Node(leaf(KindTest::Any)),
            Item::Choice(parts) => StepTest::Choice(self.steps(parts)?),
            Item::Group { parts, ends_anchored } => {
                let mut steps = self.steps(parts)?;
                let first = steps.first_mut().ok_or_else(|| error("empty group", line))?;
                // A capture of the group captures the node of its first part.
                first.captures.append(&mut captures);
                first.has_captures |= !first.captures.is_empty();
                StepTest::Group { steps, ends_anchored }
            }
        };
        let has_captures = !captures.is_empty()
            || match &test {
                StepTest::Node(NodeTest { steps, .. }) | StepTest::Choice(steps) | StepTest::Group { steps, .. } => {
                    steps.iter().any(|step| step.has_captures)
                }
            };
        let field = part.field.map_or(Ok(0), |field| self.field(&field, line))?;
        Ok(Step {
            kinds: kinds(&test),
            test,
            field,
            captures,
            predicates: Vec::new(),
            quantifier: part.quantifier,
            anchored: part.anchored,
            has_captures,
        })
    }

    fn capture(&mut self, name: &str) -> u16 {
        let known = self.captures.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            self.captures.push(name.to_owned());
            self.captures.len() - 1
        });
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    fn field(&self, name: &str, line: usize) -> Result<u16, QueryError> {
        let id = self.grammar.field_id_for_name(name).ok_or_else(|| error(format!("unknown field {name}"), line))?;
        Ok(id.get())
    }

    fn kind(&self, name: &str, line: usize) -> Result<KindTest, QueryError> {
        Ok(match name {
            "_" => KindTest::Named,
            "ERROR" => KindTest::Error,
            "MISSING" => KindTest::Missing,
            name => KindTest::Is(self.ids(name, true, line)?),
        })
    }

    /// The ids of a kind's name: several kinds may share one, and a supertype includes its subtypes.
    fn ids(&self, name: &str, named: bool, line: usize) -> Result<Vec<u16>, QueryError> {
        let mut ids = Vec::new();
        for &id in self.by_name.get(&(name, named)).into_iter().flatten() {
            ids.push(id);
            ids.extend(self.subtypes(id, 0));
        }
        if !named {
            return if ids.is_empty() {
                Err(error(format!("unknown anonymous node \"{name}\""), line))
            } else {
                Ok(ids)
            };
        }
        if ids.is_empty() {
            for &supertype in self.grammar.supertypes() {
                if self.grammar.node_kind_for_id(supertype) == Some(name) {
                    ids.extend(self.subtypes(supertype, 0));
                }
            }
        }
        if ids.is_empty() { Err(error(format!("unknown node kind {name}"), line)) } else { Ok(ids) }
    }

    fn subtypes(&self, kind: u16, depth: u32) -> Vec<u16> {
        let mut out = Vec::new();
        if depth < 8 && self.grammar.node_kind_is_supertype(kind) {
            for &subtype in self.grammar.subtypes_for_supertype(kind) {
                out.push(subtype);
                out.extend(self.subtypes(subtype, depth + 1));
            }
        }
        out
    }

    fn predicate(
        &mut self,
        predicate: Predicate,
        predicates: &mut Vec<CompiledPredicate>,
        directives: &mut Directives,
    ) -> Result<(), QueryError> {
        let line = predicate.line;
        let wrong_arguments = || error(format!("wrong arguments for #{}", predicate.name), line);
        let mut arguments = predicate.arguments.iter();
        let name = predicate.name.as_str();
        if name == "set!" {
            match (arguments.next(), arguments.next()) {
                (Some(Argument::Text(key)), Some(Argument::Text(value))) => {
                    directives.push((key.clone(), value.clone()))
                }
                _ => return Err(wrong_arguments()),
            }
            return Ok(());
        }
        let is_positive = !name.starts_with("not-");
        let Some(Argument::Capture(capture)) = arguments.next() else { return Err(wrong_arguments()) };
        let capture = self.capture(capture);
        let texts = || -> Result<Vec<String>, QueryError> {
            predicate.arguments[1..]
                .iter()
                .map(|argument| match argument {
                    Argument::Text(text) => Ok(text.clone()),
                    Argument::Capture(_) => Err(wrong_arguments()),
                })
                .collect()
        };
        let condition = match name.trim_start_matches("not-") {
            "eq?" => match arguments.next() {
                Some(Argument::Text(text)) => Condition::Text(text.clone()),
                Some(Argument::Capture(other)) => Condition::Capture(self.capture(other)),
                None => return Err(wrong_arguments()),
            },
            "any-of?" => Condition::AnyOf(texts()?),
            operator @ ("has-ancestor?" | "has-parent?") => {
                let mut kinds = Vec::new();
                for text in texts()? {
                    match text.as_str() {
                        "ERROR" => kinds.push(ERROR),
                        kind => kinds.extend(self.ids(kind, true, line)?),
                    }
                }
                Condition::Ancestor { kinds, parent_only: operator == "has-parent?" }
            }
            "match?" => {
                let texts = texts()?;
                let text = texts.first().ok_or_else(wrong_arguments)?;
                Condition::Matches(Regex::new(text).map_err(|cause| error(cause.to_string(), line))?)
            }
            _ => return Err(error(format!("unknown predicate #{name}"), line)),
        };
        predicates.push(CompiledPredicate { capture, condition, is_positive });
        Ok(())
    }
}

fn leaf(kind: KindTest) -> NodeTest {
    NodeTest { kind, negated_fields: Vec::new(), steps: Vec::new(), ends_anchored: false }
}
