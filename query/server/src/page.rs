//! The web page: its files, which are part of this program, as HTTP responses. This module must not know what the page
//! shows; it asks the API like any other client.

use std::sync::LazyLock;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sextant_render::STYLE_SHEETS;

/// What a browser may load and run: files of this server, and no inline script or style.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page.
struct PageFile {
    path: &'static str,
    bytes: &'static [u8],
}

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(PageFile { path: $path, bytes: include_bytes!(concat!("../page/", $path)) }),*]
    };
}

/// Every file, by its path below the page's address.
const FILES: &[PageFile] = files![
    "api.js",
    "app.js",
    "code.css",
    "code_line.js",
    "code_pane.js",
    "confidence.js",
    "dom.js",
    "draw/common_lines.js",
    "draw/drawing.js",
    "draw/wires.js",
    "hover.js",
    "icon.svg",
    "index.html",
    "keys.js",
    "menu.js",
    "names.js",
    "parts.js",
    "reading.js",
    "resolve.js",
    "route.js",
    "screens.css",
    "screens/blast_radius.js",
    "screens/communities.js",
    "screens/compare.js",
    "screens/drawing.js",
    "screens/file.js",
    "screens/filters.js",
    "screens/health.js",
    "screens/map.js",
    "screens/neighbours.js",
    "screens/path.js",
    "screens/reasons.js",
    "screens/references.js",
    "screens/relations.js",
    "screens/search.js",
    "screens/start.js",
    "screens/symbol.js",
    "sticky.js",
    "style.css",
    "text.js",
    "theme.js",
    "trail.js",
];

/// The name of the file with all style sheets: a first visit waits for each file.
const ALL_STYLES: &str = "page.css";

/// The style sheets in one.
static STYLES: LazyLock<Vec<u8>> =
    LazyLock::new(|| STYLE_SHEETS.iter().filter_map(|name| style_sheet(name)).collect::<Vec<_>>().concat());

/// Returns a style sheet of the page by its name; none if the page has no such file.
#[must_use]
pub fn style_sheet(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|file| file.path == name && name.ends_with(".css")).map(|file| file.bytes)
}

/// The folder of addresses that belong to this version of the page, so that a browser may keep what is there for ever.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = blake3::Hasher::new();
    for file in FILES {
        hasher.update(file.path.as_bytes()).update(&(file.bytes.len() as u64).to_le_bytes()).update(file.bytes);
    }
    hasher.finalize().to_hex()[..16].to_owned()
});

/// `index.html` with the addresses of this version. Modules name each other by paths relative to their own.
static INDEX: LazyLock<String> = LazyLock::new(|| {
    let plain = FILES.iter().find(|file| file.path == "index.html").map_or(&[][..], |file| file.bytes);
    let paths = FILES.iter().map(|file| file.path).chain([ALL_STYLES]);
    paths.fold(String::from_utf8_lossy(plain).into_owned(), |page, path| {
        page.replace(&format!("=\"{path}\""), &format!("=\"{}/{path}\"", *VERSION))
    })
});

/// The response for a path of the page, without the leading slash; none if the page has no such file.
pub(crate) fn file(path: &str) -> Option<Response> {
    let path = if path.is_empty() { "index.html" } else { path };
    let versioned = path.strip_prefix(VERSION.as_str()).and_then(|rest| rest.strip_prefix('/'));
    let path = versioned.unwrap_or(path);
    let body = match path {
        "index.html" => INDEX.as_bytes(),
        ALL_STYLES => STYLES.as_slice(),
        _ => FILES.iter().find(|file| file.path == path)?.bytes,
    };
    let mut response = (StatusCode::OK, body).into_response();
    let headers = [
        (header::CONTENT_TYPE, content_type(path)),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // A newer program has another page, whose files have other addresses.
        (header::CACHE_CONTROL, if versioned.is_some() { "public, max-age=31536000, immutable" } else { "no-cache" }),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Some(response)
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn list(folder: &Path, below: &str, found: &mut Vec<String>) {
        for entry in fs_err::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                list(&entry.path(), &format!("{name}/"), found);
            } else {
                found.push(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let mut found = Vec::new();
        list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("page"), "", &mut found);
        found.sort();
        assert_eq!(FILES.iter().map(|file| file.path).collect::<Vec<_>>(), found);
        assert!(found.iter().all(|path| content_type(path) != "application/octet-stream"));
    }

    #[test]
    fn the_page_is_at_the_root_and_nothing_else_is_served() {
        let root = file("").unwrap();
        assert_eq!(root.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert!(root.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().starts_with("default-src 'none'"));
        assert_eq!(root.headers()[header::CACHE_CONTROL], "no-cache");
        let kept = file(&format!("{}/screens/map.js", *VERSION)).unwrap();
        assert!(kept.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        assert!(INDEX.contains(&format!("src=\"{}/app.js\"", *VERSION)) && INDEX.contains("href=\"#/map\""));
        assert!(!INDEX.contains("href=\"page.css\"") && INDEX.contains("href=\"openapi.json\""));
        for path in
            ["0123456789abcdef/app.js", "../src/page.rs", "screens", "screens/", "/app.js", "app.js/", "Cargo.toml"]
        {
            assert!(file(path).is_none(), "{path}");
        }
    }
}
