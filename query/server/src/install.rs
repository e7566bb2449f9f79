//! Configuration of MCP clients and of their hooks: printed, or written into the client's file in a project.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sextant_format::publish::create_no_follow;

use crate::{Error, Result};

/// A client that starts MCP servers.
pub struct Client {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its configuration file in a project, relative to the project; none if it reads only the user's file.
    project_file: Option<&'static str>,
    /// The location of the user's file, as shown to people.
    user_file: &'static str,
    /// The key of the servers in these files.
    key: &'static str,
    /// How it runs a program after its own tools; none if it cannot add what the program prints.
    hook: Option<HookSettings>,
}

/// Where and how a client configures a program that runs after its own tools.
#[derive(Clone, Copy)]
struct HookSettings {
    /// The configuration file in a project, relative to the project.
    project_file: &'static str,
    /// The event after a tool.
    event: &'static str,
    /// The tools that search and read, as a regular expression.
    matcher: &'static str,
    /// The time limit in the client's unit: five seconds.
    timeout: u32,
}

/// <https://code.claude.com/docs/en/hooks>
const CLAUDE_CODE_HOOK: HookSettings =
    HookSettings { project_file: ".claude/settings.json", event: "PostToolUse", matcher: "Grep|Read|Bash", timeout: 5 };

/// <https://geminicli.com/docs/hooks/reference>
const GEMINI_HOOK: HookSettings = HookSettings {
    project_file: ".gemini/settings.json",
    event: "AfterTool",
    matcher: "grep_search|search_file_content|read_file|run_shell_command",
    timeout: 5000,
};

/// The supported clients.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        project_file: Some(".mcp.json"),
        user_file: "~/.claude.json",
        key: "mcpServers",
        hook: Some(CLAUDE_CODE_HOOK),
    },
    Client {
        name: "claude-desktop",
        project_file: None,
        user_file: "claude_desktop_config.json in its settings folder",
        key: "mcpServers",
        hook: None,
    },
    Client {
        name: "cursor",
        project_file: Some(".cursor/mcp.json"),
        user_file: "~/.cursor/mcp.json",
        key: "mcpServers",
        hook: None,
    },
    Client {
        name: "vscode",
        project_file: Some(".vscode/mcp.json"),
        user_file: "the command 'MCP: Open User Configuration'",
        key: "servers",
        hook: None,
    },
    Client {
        name: "windsurf",
        project_file: None,
        user_file: "~/.codeium/windsurf/mcp_config.json",
        key: "mcpServers",
        hook: None,
    },
    Client {
        name: "zed",
        project_file: Some(".zed/settings.json"),
        user_file: "~/.config/zed/settings.json",
        key: "context_servers",
        hook: None,
    },
    Client {
        name: "gemini",
        project_file: Some(".gemini/settings.json"),
        user_file: "~/.gemini/settings.json",
        key: "mcpServers",
        hook: Some(GEMINI_HOOK),
    },
];

/// What the server that a client starts answers from.
#[derive(Clone, Copy, Default)]
pub struct ServedIndexes<'a> {
    /// The folders of the indexes.
    pub folders: &'a [PathBuf],
    /// Checkouts for overlays, `NAME=PATH` or `PATH`.
    pub overlays: &'a [String],
    /// The folder of the encoder, for indexes that do not contain it.
    pub encoder: Option<&'a Path>,
}

/// Returns the configuration of a client as text to show. With `project` it is merged into the client's file there
/// instead, and the text says so.
///
/// # Errors
/// The client has no project file, or its file cannot be read, parsed or written.
pub fn install(client: &Client, program: &Path, indexes: &ServedIndexes<'_>, project: Option<&Path>) -> Result<String> {
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
        let project_file = client.project_file.map_or_else(String::new, |file| format!("{file} of a project, or "));
        return Ok(format!("{text}\n\nPut this into {project_file}{}.\n", client.user_file));
    };
    let Some(file) = client.project_file else {
        let what = format!(
            "{} has no project configuration; leave out --write and put the configuration into {}",
            client.name, client.user_file
        );
        return Err(Error::NoProjectFile(what));
    };
    let path = project.join(file);
    merge_into(&path, |configuration| {
        let servers = configuration.entry(client.key).or_insert_with(|| Value::Object(Map::new()));
        let servers = servers.as_object_mut().ok_or_else(|| format!("'{}' is not a JSON object", client.key))?;
        servers.insert("sextant".to_owned(), server);
        Ok(())
    })
}

/// Returns the configuration of a client's hook as text to show: it runs `sextant hook` after the client's own search and
/// read tools. With `project` it is merged into the client's file there instead, in the place of an earlier one.
///
/// # Errors
/// The client has no such hooks, or its file cannot be read, parsed or written.
pub fn install_hook(client: &Client, program: &Path, indexes: &[PathBuf], project: Option<&Path>) -> Result<String> {
    let Some(hook) = client.hook else {
        let with_hooks: Vec<&str> = CLIENTS.iter().filter(|c| c.hook.is_some()).map(|client| client.name).collect();
        let what =
            format!("{} has no hooks that add to a tool's output; {} have", client.name, with_hooks.join(" and "));
        return Err(Error::NoProjectFile(what));
    };
    let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"));
    let mut command = format!("{} hook", quoted(program));
    for index in indexes {
        let index = std::path::absolute(index)
            .map_err(|error| Error::Client { path: index.clone(), what: error.to_string() })?;
        command.push_str(&format!(" --index {}", quoted(&index)));
    }
    let entry = json!({
        "matcher": hook.matcher,
        "hooks": [{"type": "command", "command": command, "timeout": hook.timeout}],
    });
    let Some(project) = project else {
        let text = pretty(&json!({"hooks": {hook.event: [entry]}}));
        return Ok(format!("{text}\n\nPut this into {} of a project.\n", hook.project_file));
    };
    let own_command = format!("{} hook", quoted(program));
    let is_own = |entry: &Value| {
        let commands = entry["hooks"].as_array().into_iter().flatten().filter_map(|hook| hook["command"].as_str());
        commands.into_iter().any(|command| command.starts_with(&own_command))
    };
    merge_into(&project.join(hook.project_file), |configuration| {
        let hooks = configuration.entry("hooks").or_insert_with(|| json!({}));
        let hooks = hooks.as_object_mut().ok_or("'hooks' is not a JSON object")?;
        let entries = hooks.entry(hook.event).or_insert_with(|| json!([]));
        let entries = entries.as_array_mut().ok_or_else(|| format!("'{}' is not a JSON list", hook.event))?;
        entries.retain(|entry| !is_own(entry));
        entries.push(entry);
        Ok(())
    })
}

/// Changes a client's JSON file; other entries stay, and so does the whole file if it is not what it should be.
fn merge_into(
    path: &Path,
    change: impl FnOnce(&mut Map<String, Value>) -> std::result::Result<(), String>,
) -> Result<String> {
    let client_error = |what: &dyn std::fmt::Display| Error::Client { path: path.to_owned(), what: what.to_string() };
    let mut configuration: Value = match fs_err::read_to_string(path) {
        Ok(text) if text.trim().is_empty() => json!({}),
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| client_error(&format!("not plain JSON, so nothing was written: {error}")))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => json!({}),
        Err(error) => return Err(client_error(&error)),
    };
    let object =
        configuration.as_object_mut().ok_or_else(|| client_error(&"not a JSON object, so nothing was written"))?;
    change(object).map_err(|what| client_error(&format!("{what}, so nothing was written")))?;
    #[expect(clippy::disallowed_methods, reason = "another program's file, replaced atomically")]
    let write = || -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder)?;
        }
        // The old file stays complete until the new one replaces it.
        let temporary = path.with_extension("json.new");
        create_no_follow(&temporary)
            .map_err(std::io::Error::other)?
            .write_all(format!("{}\n", pretty(&configuration)).as_bytes())?;
        fs_err::rename(&temporary, path)
    };
    write().map_err(|error| client_error(&error))?;
    Ok(format!("wrote {}\n", path.display()))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_entries_of_a_file_are_preserved() {
        let dir = tempfile::tempdir().unwrap();
        let client = CLIENTS.iter().find(|client| client.name == "claude-code").unwrap();
        let path = dir.path().join(".mcp.json");
        fs_err::write(&path, r#"{"mcpServers":{"other":{"command":"x"}},"more":1}"#).unwrap();
        let install = |indexes: &[&str]| {
            let indexes: Vec<PathBuf> = indexes.iter().map(PathBuf::from).collect();
            let indexes = ServedIndexes { folders: &indexes, ..ServedIndexes::default() };
            install(client, Path::new("sextant"), &indexes, Some(dir.path()))
        };
        install(&["/a", "/b"]).unwrap();
        install(&["/a"]).unwrap();
        let written: Value = serde_json::from_str(&fs_err::read_to_string(&path).unwrap()).unwrap();
        assert_eq!((&written["more"], &written["mcpServers"]["other"]["command"]), (&json!(1), &json!("x")));
        assert_eq!(written["mcpServers"]["sextant"]["args"][1], "--index");
        for broken in ["[1]", "{ // comment\n}", r#"{"mcpServers":3}"#] {
            fs_err::write(&path, broken).unwrap();
            assert!(install(&["/a"]).is_err());
            assert_eq!(fs_err::read_to_string(&path).unwrap(), broken);
        }
    }

    #[test]
    fn every_client_has_a_configuration() {
        for client in CLIENTS {
            let indexes = ServedIndexes { folders: &[PathBuf::from("/a")], ..ServedIndexes::default() };
            let text = install(client, Path::new("sextant"), &indexes, None).unwrap();
            assert!(text.contains("\"mcp\"") && text.contains(client.key), "{}", client.name);
        }
    }

    #[test]
    fn a_hook_replaces_its_predecessor_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let client = |name: &str| CLIENTS.iter().find(|client| client.name == name).unwrap();
        let path = dir.path().join(".claude/settings.json");
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        let other =
            r#"{"hooks":{"PostToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"fmt"}]}]},"x":1}"#;
        fs_err::write(&path, other).unwrap();
        for index in ["/a", "/b"] {
            install_hook(client("claude-code"), Path::new("/bin/sextant"), &[PathBuf::from(index)], Some(dir.path()))
                .unwrap();
        }
        let written: Value = serde_json::from_str(&fs_err::read_to_string(&path).unwrap()).unwrap();
        let entries = written["hooks"]["PostToolUse"].as_array().unwrap();
        assert_eq!((entries.len(), &entries[0]["matcher"], &written["x"]), (2, &json!("Edit"), &json!(1)));
        assert_eq!(entries[1]["hooks"][0]["command"], "'/bin/sextant' hook --index '/b'");
        let shown = install_hook(client("gemini"), Path::new("sextant"), &[], None).unwrap();
        assert!(shown.contains("AfterTool") && shown.contains(".gemini/settings.json"), "{shown}");
        assert!(install_hook(client("zed"), Path::new("sextant"), &[], None).is_err());
        fs_err::write(&path, r#"{"hooks":[]}"#).unwrap();
        let failed = install_hook(client("claude-code"), Path::new("sextant"), &[], Some(dir.path()));
        assert!(failed.unwrap_err().to_string().contains("nothing was written"));
    }
}
