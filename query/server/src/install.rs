//! What clients must be told to start the MCP server: printed, or written into the client's file for a project.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sextant_format::publish::create_no_follow;

use crate::{Error, Result};

/// A client that starts MCP servers.
pub struct Client {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The file of a project that it reads, relative to the project; none where it reads only the user's.
    file: Option<&'static str>,
    /// Where the user's own file is, for people.
    users: &'static str,
    /// Under which key it keeps its servers.
    key: &'static str,
}

/// The usual clients.
pub const CLIENTS: &[Client] = &[
    Client { name: "claude-code", file: Some(".mcp.json"), users: "~/.claude.json", key: "mcpServers" },
    Client {
        name: "claude-desktop",
        file: None,
        users: "claude_desktop_config.json in its folder for settings",
        key: "mcpServers",
    },
    Client { name: "cursor", file: Some(".cursor/mcp.json"), users: "~/.cursor/mcp.json", key: "mcpServers" },
    Client {
        name: "vscode",
        file: Some(".vscode/mcp.json"),
        users: "the command 'MCP: Open User Configuration'",
        key: "servers",
    },
    Client { name: "windsurf", file: None, users: "~/.codeium/windsurf/mcp_config.json", key: "mcpServers" },
    Client {
        name: "zed",
        file: Some(".zed/settings.json"),
        users: "~/.config/zed/settings.json",
        key: "context_servers",
    },
    Client { name: "gemini", file: Some(".gemini/settings.json"), users: "~/.gemini/settings.json", key: "mcpServers" },
];

/// What a client's server answers from.
#[derive(Clone, Copy, Default)]
pub struct Indexed<'a> {
    /// The folders of the indexes.
    pub folders: &'a [PathBuf],
    /// Checkouts laid over them, `NAME=PATH` or `PATH`.
    pub overlays: &'a [String],
    /// The folder of their encoder, where they do not carry it.
    pub encoder: Option<&'a Path>,
}

/// The configuration of a client. With `project` it is put into the client's file there, beside what that file says
/// already. The text to show.
pub fn install(client: &Client, program: &Path, indexes: &Indexed<'_>, project: Option<&Path>) -> Result<String> {
    let absolute = |path: &Path| -> Result<String> {
        let path = std::path::absolute(path)
            .map_err(|error| Error::Client { path: path.to_owned(), what: error.to_string() })?;
        Ok(path.to_string_lossy().into_owned())
    };
    let mut arguments = vec!["mcp".to_owned()];
    for index in indexes.folders {
        arguments.extend(["--index".to_owned(), absolute(index)?]);
    }
    for checkout in indexes.overlays {
        let checkout = match checkout.split_once('=') {
            Some((name, path)) => format!("{name}={}", absolute(Path::new(path))?),
            None => absolute(Path::new(checkout))?,
        };
        arguments.extend(["--overlay".to_owned(), checkout]);
    }
    if let Some(encoder) = indexes.encoder {
        arguments.extend(["--encoder".to_owned(), absolute(encoder)?]);
    }
    let mut server = json!({"command": program.to_string_lossy(), "args": arguments});
    if client.name == "vscode" {
        server["type"] = json!("stdio");
    }
    let Some(project) = project else {
        let text = pretty(&json!({client.key: {"sextant": server}}));
        let own = client.file.map_or_else(String::new, |file| format!("{file} of a project, or "));
        return Ok(format!("{text}\n\nPut this into {own}{}.\n", client.users));
    };
    let Some(file) = client.file else {
        let what =
            format!("{} reads no file of a project; leave out --write and put it into {}", client.name, client.users);
        return Err(Error::NoProjectFile(what));
    };
    let path = project.join(file);
    let wrong = |what: &dyn std::fmt::Display| Error::Client { path: path.clone(), what: what.to_string() };
    let mut whole: Value = match fs_err::read_to_string(&path) {
        Ok(text) if text.trim().is_empty() => json!({}),
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| wrong(&format!("it is no plain JSON, so nothing is written: {error}")))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => json!({}),
        Err(error) => return Err(wrong(&error)),
    };
    let servers = whole.as_object_mut().ok_or_else(|| wrong(&"it holds no object, so nothing is written"))?;
    let servers = servers.entry(client.key).or_insert_with(|| Value::Object(Map::new()));
    let servers = servers.as_object_mut().ok_or_else(|| wrong(&format!("'{}' in it is no object", client.key)))?;
    servers.insert("sextant".to_owned(), server);
    #[expect(clippy::disallowed_methods, reason = "another program's file, which must be whole at any moment")]
    let write = || -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder)?;
        }
        // What was there is whole until the new is.
        let beside = path.with_extension("json.new");
        create_no_follow(&beside)
            .map_err(std::io::Error::other)?
            .write_all(format!("{}\n", pretty(&whole)).as_bytes())?;
        fs_err::rename(&beside, &path)
    };
    write().map_err(|error| wrong(&error))?;
    Ok(format!("wrote {}\n", path.display()))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_already_stays() {
        let dir = tempfile::tempdir().unwrap();
        let client = CLIENTS.iter().find(|client| client.name == "claude-code").unwrap();
        let path = dir.path().join(".mcp.json");
        fs_err::write(&path, r#"{"mcpServers":{"other":{"command":"x"}},"more":1}"#).unwrap();
        let install = |indexes: &[&str]| {
            let indexes: Vec<PathBuf> = indexes.iter().map(PathBuf::from).collect();
            let indexed = Indexed { folders: &indexes, ..Indexed::default() };
            install(client, Path::new("sextant"), &indexed, Some(dir.path()))
        };
        install(&["/a", "/b"]).unwrap();
        install(&["/a"]).unwrap();
        let whole: Value = serde_json::from_str(&fs_err::read_to_string(&path).unwrap()).unwrap();
        assert_eq!((&whole["more"], &whole["mcpServers"]["other"]["command"]), (&json!(1), &json!("x")));
        assert_eq!(whole["mcpServers"]["sextant"]["args"][1], "--index");
        for broken in ["[1]", "{ // comment\n}", r#"{"mcpServers":3}"#] {
            fs_err::write(&path, broken).unwrap();
            assert!(install(&["/a"]).is_err());
            assert_eq!(fs_err::read_to_string(&path).unwrap(), broken);
        }
    }

    #[test]
    fn every_client_gets_a_text() {
        for client in CLIENTS {
            let indexed = Indexed { folders: &[PathBuf::from("/a")], ..Indexed::default() };
            let text = install(client, Path::new("sextant"), &indexed, None).unwrap();
            assert!(text.contains("\"mcp\"") && text.contains(client.key), "{}", client.name);
        }
    }
}
