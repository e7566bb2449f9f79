//! Routes by the paths of files: API routes of Next.js (`pages/api/users/[id].ts`, `app/api/users/route.ts`) and endpoints of
//! SvelteKit (`routes/api/users/+server.ts`).

use sextant_format::endpoints::{ANY_METHOD, normal_path};
use sextant_format::kinds::EdgeKind;

use crate::endpoints::file::{Found, Source};
use crate::endpoints::words::method;

const EXTENSIONS: &[&str] = &[".ts", ".js", ".tsx", ".jsx", ".mjs"];

/// The routes that a file serves by its path.
pub(super) fn routes(source: &Source<'_>) -> Vec<Found> {
    if source.language.family != "ecma" {
        return Vec::new();
    }
    let Some(stem) = EXTENSIONS.iter().find_map(|ending| source.path.strip_suffix(ending)) else { return Vec::new() };
    let found = |method: &str, path: &str, from: u32, at: usize| {
        let name = format!("{method} {path}");
        Found { kind: EdgeKind::Serve, name, source: from, handler: None, at }
    };
    if let Some(at) = stem.rfind("pages/api/").filter(|&at| at == 0 || stem[..at].ends_with('/')) {
        let path = stem[at + "pages".len()..].trim_end_matches("/index");
        let Some(default) = source.text.find("export default") else { return Vec::new() };
        let handler =
            source.symbols.iter().position(|symbol| symbol.kind.is_callable() && symbol.start_byte >= default);
        let handler = handler.and_then(|handler| u32::try_from(handler).ok()).unwrap_or(0);
        return vec![found(ANY_METHOD, &normal_path(path), handler, default)];
    }
    let below = |folder: &str, name: &str| {
        let inner = stem.strip_suffix(name)?;
        let at = inner.rfind(folder).filter(|&at| at == 0 || inner[..at].ends_with('/'))?;
        inner.get(at + folder.len() - 1..)
    };
    let Some(folder) = below("app/", "/route").or_else(|| below("routes/", "/+server")) else { return Vec::new() };
    // Folders in brackets group routes, and are no part of their paths.
    let path: Vec<&str> = folder.split('/').filter(|part| !part.starts_with('(')).collect();
    let path = normal_path(&path.join("/"));
    let exported = source.symbols.iter().enumerate().filter(|(_, symbol)| {
        symbol.exported && !symbol.name.is_empty() && symbol.name.bytes().all(|byte| byte.is_ascii_uppercase())
    });
    let route = |(at, symbol): (usize, &crate::model::Symbol)| {
        let place = source.lines.start(symbol.name_line) + symbol.name_column as usize;
        Some(found(method(&symbol.name.to_ascii_lowercase())?, &path, u32::try_from(at).ok()?, place))
    };
    exported.filter_map(route).collect()
}
