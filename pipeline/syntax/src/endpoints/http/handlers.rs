//! Who handles a route: the function that the arguments of a call are, or the name of one.

use crate::endpoints::file::Source;
use crate::endpoints::site::Site;
use crate::endpoints::words::{Role, is_router, last_name, words};

/// Who handles a route.
pub(super) enum Handler {
    /// A function that is written in place.
    Inline,
    /// The function of a name, behind a receiver.
    Named(Option<String>, String),
}

/// Who handles the route of a call: its last argument, its block, or what Rails and Phoenix name.
pub(super) fn handler(source: &Source<'_>, site: &Site<'_>, is_made: bool) -> Option<Handler> {
    let list = &site.arguments.list;
    let language = source.language.name;
    if site.arguments.block.is_some() && matches!(language, "ruby" | "kotlin" | "swift" | "scala") {
        return Some(Handler::Inline);
    }
    if language == "ruby" {
        // `get "/x", to: "users#show"`, `get "/x" => "users#show"`
        let to = site.arguments.labelled(&["to"]).map(|to| to.text);
        let to = to.or_else(|| list.first()?.text.split_once("=>").map(|(_, to)| to.trim()))?;
        let (controller, action) = to.trim_matches(['"', '\'']).split_once('#')?;
        let controller: String = words(controller).map(|word| capitalized(&word)).collect();
        return Some(Handler::Named(Some(format!("{controller}Controller")), action.to_owned()));
    }
    if language == "elixir" {
        let [_, controller, action, ..] = list.as_slice() else { return None };
        let action = action.text.strip_prefix(':')?;
        return Some(Handler::Named(Some(controller.text.to_owned()), action.to_owned()));
    }
    let last = list.last().filter(|_| list.len() > 1 || site.receiver.ends_with(')'))?;
    if last.label.is_some_and(|label| !matches!(label, "handler" | "endpoint" | "view_func" | "use")) {
        return None;
    }
    let is_strict = matches!(language, "java" | "kotlin" | "csharp" | "rust" | "swift" | "scala");
    let found = handler_in(last.text, is_strict && !matches!(site.role, Role::ServerVerb(_) | Role::Route))?;
    // What follows the path of a request is its body.
    let is_known = match (&found, site.role) {
        (Handler::Named(owner, name), Role::Verb(_)) => {
            is_made || is_router(site.receiver) || source.may_be_function(last_name(owner.as_deref().unwrap_or(name)))
        }
        _ => true,
    };
    is_known.then_some(found)
}

/// The handler that an expression is: a function, or a name of one. Where `is_strict` says so, a name alone is none.
pub(super) fn handler_in(text: &str, is_strict: bool) -> Option<Handler> {
    let text = text.trim();
    let begins = ["function", "async ", "func(", "func (", "fn(", "fn (", "lambda", "|", "move |", "static fn"];
    if begins.iter().any(|begin| text.starts_with(begin)) || is_arrow(text) {
        return Some(Handler::Inline);
    }
    // Laravel: `[UserController::class, 'show']`, `'UserController@show'`.
    if let Some((class, action)) = text.trim_matches(['[', ']', '\'', '"']).split_once("::class")
        && text.starts_with('[')
    {
        let action = action.trim_matches([',', ' ', '\'', '"']);
        return Some(Handler::Named(Some(class.trim().to_owned()), action.to_owned()));
    }
    if let Some((class, action)) = text.trim_matches(['\'', '"']).split_once('@')
        && text.starts_with(['\'', '"'])
    {
        return Some(Handler::Named(Some(class.to_owned()), action.to_owned()));
    }
    let name = text.trim_start_matches('&');
    if is_name(name) {
        let is_value = matches!(name, "true" | "false" | "nil" | "null" | "None" | "True" | "False" | "undefined");
        if is_value || is_strict && !name.contains("::") {
            return None;
        }
        return split_name(name);
    }
    // `asyncHandler(users.show)`, `http.HandlerFunc(s.show)`, `views.Detail.as_view()`
    let (outer, inner) = name.split_once('(')?;
    if !is_name(outer) || is_strict {
        return None;
    }
    let inner = inner.trim_end_matches(')').trim();
    if inner.is_empty() {
        let (class, _) = outer.rsplit_once('.').filter(|(_, method)| *method == "as_view")?;
        return split_name(class);
    }
    let last = inner.rsplit(',').next()?.trim();
    handler_in(last, false)
}

/// Whether a text is a function with an arrow: `(a) => b`, `ctx -> b`, `a => b`.
fn is_arrow(text: &str) -> bool {
    let arrow = text.find("=>").or_else(|| text.find("->"));
    let Some(before) = arrow.map(|at| text[..at].trim()) else { return false };
    before.starts_with(['(', '{']) || before.ends_with(')') || is_name(before)
}

pub(super) fn split_name(name: &str) -> Option<Handler> {
    let at = name.rfind(['.', ':', '>']).map_or(0, |at| at + 1);
    let owner = name[..at].trim_end_matches(['.', ':', '>', '-']);
    let last = name.get(at..).filter(|last| !last.is_empty())?;
    Some(Handler::Named((!owner.is_empty()).then(|| owner.to_owned()), last.to_owned()))
}

/// Whether a text is a name, perhaps behind receivers: `a.b`, `A::b`, `$this->x`.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
        && text.replace("->", ".").chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':'))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
