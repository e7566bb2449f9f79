//! Collections: a plan, its shards on several machines, the merge, and what readers pull of it.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};

use crate::harness::Dir;
use crate::program::Output;
use crate::tables::Tables;

fn git(dir: &Dir, repository: &str, args: &[&str]) -> String {
    dir.git(repository, args, &[])
}

/// Writes a git repository with one commit, and a file that is not committed.
pub(crate) fn repository(dir: &Dir, path: &str, function: &str) {
    for n in 0..5 {
        dir.write(&format!("{path}/pkg/m{n}.py"), format!("def {function}{n}():\n    return {n}\n"));
    }
    dir.write(&format!("{path}/.gitignore"), "*.log\n");
    git(dir, path, &["init", "--quiet", "--initial-branch=main"]);
    commit(dir, path);
    dir.write(&format!("{path}/not_committed.py"), "def not_committed():\n    pass\n");
}

pub(crate) fn commit(dir: &Dir, path: &str) {
    git(dir, path, &["add", "."]);
    git(dir, path, &["commit", "--quiet", "-m", "state"]);
}

/// Two git repositories, one as a folder and one as a URL, and a plain folder.
fn sources(dir: &Dir) -> Vec<String> {
    repository(dir, "server", "serve");
    repository(dir, "ui", "draw");
    dir.write("notes/todo.md", "# To do\n\nEverything about packing.\n");
    let url = format!("team/ui=file://{}#main", fs_err::canonicalize(dir.path("ui")).unwrap().display());
    vec![format!("team/server={}", dir.path("server").display()), url, dir.path("notes").display().to_string()]
}

pub(crate) fn plan(dir: &Dir, sources: &[String], args: &[&str]) -> Value {
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    dir.index_cmd(&[&["plan", "-o", "plan.json"], args, &sources].concat()).run().code(0);
    serde_json::from_slice(&fs_err::read(dir.path("plan.json")).unwrap()).unwrap()
}

pub(crate) fn shard(dir: &Dir, number: usize, work: &str) -> Output {
    let number = number.to_string();
    dir.index_cmd(&["shard", "plan.json", &number, "--to", "all", "--work", work, "--level", "1", "--json"]).run()
}

pub(crate) fn merge(dir: &Dir, args: &[&str]) -> Output {
    dir.index_cmd(&[&["merge", "plan.json", "--to", "all", "--json"], args].concat()).run()
}

fn list(dir: &Dir) -> Value {
    dir.cmd(&["list", "all", "--format", "json"]).run().code(0).json()["collection"].clone()
}

fn member<'a>(collection: &'a Value, name: &str) -> &'a Value {
    collection["members"].as_array().unwrap().iter().find(|member| member["name"] == name).unwrap()
}

#[test]
fn a_collection_is_planned_built_in_shards_merged_and_pulled() {
    let dir = Dir::empty();
    let sources = sources(&dir);
    let planned = plan(&dir, &sources, &["--shard-bytes", "1", "--no-split"]);
    assert_eq!(planned["shards"].as_array().unwrap().len(), 3, "{planned}");
    assert_eq!(planned["sources"][1]["commit"], git(&dir, "server", &["rev-parse", "HEAD"]));
    // The plan fixes the commits.
    dir.write("server/pkg/later.py", "def later():\n    pass\n");
    commit(&dir, "server");
    for number in 0..3 {
        merge(&dir, &[]).failed(&["sources are missing", "--allow-missing"]);
        shard(&dir, number, "work").code(0);
    }
    shard(&dir, 3, "work").failed(&["there is no shard 3"]);
    let merged = merge(&dir, &[]).code(0).json_lines().pop().unwrap();
    assert_eq!((&merged["members"], &merged["missing"]), (&3.into(), &json!([])));
    let all = list(&dir);
    let names: Vec<&str> = all["members"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["notes", "team/server", "team/ui"]);
    // Every index is that of a single build of the commit.
    git(&dir, "server", &["checkout", "--quiet", "--detach", "HEAD~1"]);
    git(&dir, "server", &["clean", "-fdq"]);
    git(&dir, "ui", &["clean", "-fdq"]);
    for (name, path) in [("team/server", "server"), ("team/ui", "ui"), ("notes", "notes")] {
        dir.index_cmd(&["build", path, "-o", path.to_uppercase().as_str()]).run().code(0);
        let single = Tables::open(&dir.path(&path.to_uppercase())).generation.manifest().content_id.clone();
        assert_eq!(member(&all, name)["content_id"], single, "{name}");
    }
    // Readers pull what they want, and search the folder as one.
    let pull = |args: &[&str]| dir.cmd(&[&["pull", "all", "-o", "mine"], args].concat()).run();
    pull(&["--only", "nobody/*"]).failed(&["no member has such a name", "team/server"]);
    let pulled = pull(&["--only", "team/*", "--format", "json"]).code(0).json();
    assert_eq!(pulled["members"].as_array().unwrap().len(), 2);
    let ask = |args: &[&str]| dir.cmd(args).env("SEXTANT_INDEX", "mine").run();
    for (name, path) in [("serve3", "server/pkg/m3.py"), ("draw4", "ui/pkg/m4.py")] {
        assert!(ask(&["definition", name]).code(0).stdout.contains(path));
    }
    ask(&["definition", "not_committed"]).code(1);
    assert_eq!(pull(&["--format", "json"]).code(0).json()["members"].as_array().unwrap().len(), 3);
    assert!(ask(&["search", "--", "packing"]).code(0).stdout.contains("todo.md"));
    // A name is asked of the members that have it, a text of those whose words fit best.
    let coverage = |args: &[&str]| ask(&[args, &["--format", "json"]].concat()).json()["coverage"].clone();
    assert_eq!(coverage(&["definition", "serve3"])["asked"], json!(["team/server"]));
    // A path may lead through any of them.
    let all = coverage(&["path", "serve3", "serve4", "--max-indexes", "1"])["asked"].as_array().unwrap().len();
    assert_eq!(all, 3);
    let chosen = ask(&["search", "--max-indexes", "1", "--", "packing"]).code(0);
    assert!(chosen.stdout.contains("todo.md") && chosen.stderr.contains("asked 1 of 3 indexes"), "{}", chosen.all());
    assert!(chosen.stderr.contains("--only names others, --max-indexes asks more"), "{}", chosen.stderr);
    ask(&["definition", "serve3", "--only", "team/u*"]).code(1).says(&["none of the indexes"]);
    ask(&["definition", "serve3", "--only", "team/s*"]).code(0);
    // Without a vocabulary, or with a damaged one, a member is asked about everything.
    let vocabularies = dir.path("mine/.vocabularies");
    for entry in fs_err::read_dir(&vocabularies).unwrap() {
        fs_err::write(entry.unwrap().path(), "damaged").unwrap();
    }
    let damaged = ask(&["definition", "serve3"]).code(0);
    assert!(damaged.stderr.contains("warning: the vocabulary of team/server cannot be used"), "{}", damaged.stderr);
    fs_err::remove_dir_all(vocabularies).unwrap();
    assert_eq!(ask(&["definition", "serve3"]).code(0).stderr, "");
    ask(&["verify"]).failed(&["works on one index"]);
    dir.cmd(&["pull", "all", "--branch", "main", "-o", "x"]).run().failed(&["branches/main.json does not exist"]);
}

#[test]
fn shards_are_continued_and_may_run_on_two_machines() {
    let dir = Dir::empty();
    let sources = sources(&dir);
    let planned = plan(&dir, &sources, &[]);
    assert_eq!(planned["shards"].as_array().unwrap().len(), 1, "{planned}");
    // One machine is killed when it has uploaded its first pack.
    let args = ["shard", "plan.json", "0", "--to", "all", "--work", "work", "--level", "1", "--json"];
    let mut killed = dir.index_cmd(&args).spawn();
    let lines = BufReader::new(killed.stdout.take().unwrap()).lines();
    let event = |line: std::io::Result<String>| serde_json::from_str::<Value>(&line.unwrap()).unwrap();
    lines.map(event).find(|event| event["type"] == "member").unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    // Two others continue at the same time.
    let commands = ["work", "work2"].map(|work| {
        let mut args = args;
        args[6] = work;
        dir.index_cmd(&args).spawn()
    });
    let outputs = commands.map(|child| crate::program::finish(child, "shard".to_owned()).code(0));
    let built = |output: &Output| output.json_lines().iter().filter(|event| event["type"] == "member").count();
    assert!(outputs.iter().all(|output| built(output) <= 3), "{}", outputs[0].all());
    merge(&dir, &[]).code(0);
    let first = list(&dir);
    // Nothing is left to do.
    assert_eq!(built(&shard(&dir, 0, "work").code(0)), 0);
    merge(&dir, &[]).code(0);
    assert_eq!(list(&dir), first);
}

#[test]
fn a_source_that_fails_does_not_stop_the_others() {
    let dir = Dir::empty();
    let sources = sources(&dir);
    plan(&dir, &sources, &[]);
    shard(&dir, 0, "work").code(0);
    merge(&dir, &[]).code(0);
    let first = list(&dir);
    // The next night, one repository is gone and another has changed.
    dir.write("server/pkg/new.py", "def added():\n    return 1\n");
    commit(&dir, "server");
    plan(&dir, &sources, &[]);
    dir.rename("ui", "elsewhere");
    let failed = shard(&dir, 0, "fresh");
    assert!(failed.stderr.contains("team/ui could not be built"), "{}", failed.all());
    let events = failed.code(1).json_lines();
    assert_eq!(events.iter().filter(|event| event["type"] == "failed").count(), 1);
    merge(&dir, &[]).failed(&["1 of 3 sources are missing", "team/ui: "]);
    assert_eq!(list(&dir), first, "the collection is as it was");
    let merged = merge(&dir, &["--allow-missing"]).code(1);
    assert!(merged.stderr.contains("the member of the collection before stays"), "{}", merged.all());
    let second = list(&dir);
    assert_eq!(second["missing"], json!(["team/ui"]));
    assert_eq!(member(&second, "team/ui"), member(&first, "team/ui"));
    assert_ne!(member(&second, "team/server")["content_id"], member(&first, "team/server")["content_id"]);
    // The index of the night before was restored, although the folder was new.
    let reused = |name: &str| {
        let event = events.iter().find(|event| event["member"]["name"] == name).unwrap();
        event["reused_files"].as_u64().unwrap()
    };
    assert!(reused("team/server") >= 5 && reused("notes") == 1, "{events:?}");
    // When it is there again, the shard builds only that.
    dir.rename("elsewhere", "ui");
    let again = shard(&dir, 0, "fresh").code(0).json_lines();
    assert_eq!(again.iter().filter(|event| event["type"] == "member").count(), 1);
    merge(&dir, &[]).code(0);
    assert_eq!(list(&dir)["missing"], json!([]));
    // Packs that neither the list nor the one before needs are gone.
    let kept: Vec<String> = crate::harness::walk(&dir.path("all/packs")).into_iter().map(|(name, _)| name).collect();
    assert!((3..=6).contains(&kept.iter().filter(|name| name.ends_with(".sxt")).count()), "{kept:?}");
    assert_eq!(kept.iter().filter(|name| name.ends_with(".words")).count() * 2, kept.len(), "{kept:?}");
    dir.cmd(&["pull", "all", "-o", "mine"]).run().code(0);
}

#[test]
fn a_large_source_is_analysed_in_parts() {
    let dir = Dir::empty();
    repository(&dir, "server", "serve");
    // What one file defines by a macro, another uses.
    dir.write("server/include/macros.h", "#define DEFINE_LOCK(name) struct lock name\n");
    dir.write("server/pkg/locks.c", "#include \"../include/macros.h\"\nDEFINE_LOCK(table_lock);\n");
    commit(&dir, "server");
    let sources = [dir.path("server").display().to_string()];
    let planned = plan(&dir, &sources, &["--shard-bytes", "150"]);
    let last_of = |planned: &Value| planned["shards"].as_array().unwrap().len() - 1;
    let shards = planned["shards"].as_array().unwrap();
    let (last, parts) = shards.split_last().unwrap();
    assert!(parts.len() >= 2 && parts.iter().all(|part| part["part"].is_object()), "{planned}");
    assert_eq!(last["needs"], json!((0..parts.len()).collect::<Vec<_>>()));
    // Each on a machine of its own.
    let mut analysed = 0;
    for number in 0..parts.len() {
        let events = shard(&dir, number, &format!("work{number}")).code(0).json_lines();
        let part = events.iter().find(|event| event["type"] == "part").unwrap();
        analysed += part["part"]["files"].as_u64().unwrap();
        // Again changes nothing.
        assert!(shard(&dir, number, "other").code(0).json_lines().iter().all(|event| event["type"] != "part"));
    }
    let built = |output: &Output| {
        let events = output.json_lines();
        let event = events.iter().find(|event| event["type"] == "member").unwrap().clone();
        (event["reused_files"].as_u64().unwrap(), event["member"]["files"].as_u64().unwrap())
    };
    let (reused, files) = built(&shard(&dir, parts.len(), "work").code(0));
    assert_eq!((reused, analysed), (files, files));
    assert!(dir.path("all/parts").exists());
    merge(&dir, &[]).code(0);
    let analyses = |location: &str| crate::harness::walk(&dir.path(location)).len();
    assert_eq!(analyses("all/parts"), 0, "what is built needs them no more");
    let first = list(&dir);
    // The same without the parts, and by a single build.
    let alone =
        dir.index_cmd(&["shard", "plan.json", &parts.len().to_string(), "--to", "alone", "--json"]).run().code(0);
    let lines = alone.json_lines();
    let event = lines.iter().find(|event| event["type"] == "member").unwrap();
    assert_eq!(event["reused_files"], 0);
    assert_eq!(event["member"]["content_id"], member(&first, "server")["content_id"]);
    git(&dir, "server", &["clean", "-fdq"]);
    dir.index_cmd(&["build", "server", "-o", "single"]).run().code(0);
    let single = Tables::open(&dir.path("single")).generation.manifest().content_id.clone();
    assert_eq!(member(&first, "server")["content_id"], single);
    // The next night the index of this one is restored, and nothing is analysed in parts.
    dir.write("server/pkg/new.py", "def added():\n    return 1\n");
    commit(&dir, "server");
    let planned = plan(&dir, &sources, &["--shard-bytes", "150"]);
    let events = shard(&dir, 0, "fresh").code(0).json_lines();
    let part = &events.iter().find(|event| event["type"] == "part").unwrap()["part"];
    assert_eq!((&part["path"], &part["files"]), (&Value::Null, &json!(0)));
    let (reused, files) = built(&shard(&dir, last_of(&planned), "fresh").code(0));
    assert_eq!(reused + 1, files);
    // A damaged store of analyses costs time only.
    let planned = plan(&dir, &sources, &["--shard-bytes", "150", "--build-flag=--max-file-bytes=99999"]);
    let last = last_of(&planned);
    for number in 0..last {
        dir.index_cmd(&["shard", "plan.json", &number.to_string(), "--to", "elsewhere", "--json"]).run().code(0);
    }
    for (name, _) in crate::harness::walk(&dir.path("elsewhere/parts")) {
        let path = dir.path("elsewhere/parts").join(name);
        let mut bytes = fs_err::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs_err::write(&path, bytes).unwrap();
    }
    let damaged = ["shard", "plan.json", &last.to_string(), "--to", "elsewhere", "--work", "w", "--json"];
    let events = dir.index_cmd(&damaged).run().code(0).json_lines();
    let event = events.iter().find(|event| event["type"] == "member").unwrap();
    dir.index_cmd(&["build", "server", "-o", "again", "--max-file-bytes=99999"]).run().code(0);
    let again = Tables::open(&dir.path("again")).generation.manifest().content_id.clone();
    assert_eq!(event["member"]["content_id"], again);
}

#[test]
fn states_of_a_repository_share_files_and_one_is_asked() {
    let dir = Dir::empty();
    for n in 0..40 {
        dir.write(&format!("server/pkg/more{n}.py"), format!("def more{n}():\n    return {n}\n"));
    }
    repository(&dir, "server", "serve");
    repository(&dir, "ui", "draw");
    git(&dir, "server", &["checkout", "--quiet", "-b", "old"]);
    dir.write("server/pkg/legacy.py", "def legacy():\n    return serve0()\n");
    commit(&dir, "server");
    git(&dir, "server", &["checkout", "--quiet", "main"]);
    let server = dir.path("server").display().to_string();
    let both = [server.clone(), format!("{server}#old")];
    let refused = dir.index_cmd(&["plan", "-o", "plan.json", &both[0], &both[1]]).run();
    refused.failed(&["both called 'server'", "server@STATE="]);
    let sources = [server.clone(), format!("server@old={server}#old"), dir.path("ui").display().to_string()];
    plan(&dir, &sources, &[]);
    let events = shard(&dir, 0, "work").code(0).json_lines();
    let reused = |name: &str| {
        let event = events.iter().find(|event| event["member"]["name"] == name).unwrap();
        (event["reused_files"].as_u64().unwrap(), event["member"]["files"].as_u64().unwrap())
    };
    let (taken, files) = reused("server@old");
    // Its commit has two more files.
    assert_eq!(taken + 2, files, "it is built from the other state");
    merge(&dir, &[]).code(0);
    dir.cmd(&["pull", "all", "-o", "mine"]).run().code(0);
    // A checkout of that branch alone has the same content.
    git(&dir, "server", &["checkout", "--quiet", "old"]);
    git(&dir, "server", &["clean", "-fdq"]);
    dir.index_cmd(&["build", "server", "-o", "single"]).run().code(0);
    let single = Tables::open(&dir.path("single")).generation.manifest().content_id.clone();
    assert_eq!(member(&list(&dir), "server@old")["content_id"], single);
    let pulled = Tables::open(&dir.path("mine/server=40old"));
    assert_eq!(pulled.generation.manifest().content_id, single);
    // Files of the other state, and the encoder of any member, are there once.
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let inodes = |name: &str| {
            let generation = Tables::open(&dir.path(&format!("mine/{name}"))).generation;
            let files = generation.manifest().files.iter().map(|entry| entry.path.clone());
            let inode = |path: &String| fs_err::metadata(generation.path(path)).unwrap().ino();
            files.map(|path| (inode(&path), path)).collect::<Vec<_>>()
        };
        let (server, old, ui) = (inodes("server"), inodes("server=40old"), inodes("ui"));
        let shared = |a: &[(u64, String)], b: &[(u64, String)]| -> Vec<String> {
            b.iter()
                .filter(|(inode, _)| a.iter().any(|(other, _)| other == inode))
                .map(|(_, path)| path.clone())
                .collect()
        };
        assert!(shared(&server, &old).iter().any(|path| path.ends_with(".parquet")), "{old:?}");
        let of_encoder = |paths: Vec<String>| paths.iter().filter(|path| path.starts_with("model/")).count();
        assert!(of_encoder(shared(&server, &ui)) >= 2, "{ui:?}");
    }
    // One state answers, unless another is named.
    let ask = |args: &[&str]| dir.cmd(args).env("SEXTANT_INDEX", "mine").run();
    let asked = |args: &[&str]| ask(&[args, &["--format", "json"]].concat()).json()["coverage"].clone();
    let coverage = asked(&["definition", "serve3"]);
    assert_eq!((&coverage["asked"], &coverage["other_states"]), (&json!(["server"]), &json!(["server@old"])));
    assert_eq!(asked(&["definition", "serve3", "--only", "server@*"])["asked"], json!(["server@old"]));
    let missing = ask(&["definition", "legacy"]).code(1);
    assert!(missing.stderr.contains("not asked, other states of repositories: server@old"), "{}", missing.all());
    ask(&["definition", "legacy", "--only", "server@old"]).code(0);
    assert_eq!(ask(&["definition", "serve3"]).code(0).stderr, "");
    ask(&["search", "--repo", "server", "--", "serve3"]).code(0);
}

#[test]
fn hostile_plans_and_lists_are_refused() {
    let dir = Dir::empty();
    let sources = sources(&dir);
    let planned = plan(&dir, &sources, &[]);
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = planned.clone();
        change(&mut changed);
        dir.write("plan.json", changed.to_string());
        shard(&dir, 0, "work")
    };
    with(&|plan| plan["sources"][0]["name"] = "../../x".into()).failed(&["plan.json"]);
    with(&|plan| plan["sources"][1]["from"] = "--upload-pack=evil".into()).failed(&["is no source"]);
    with(&|plan| plan["sources"][1]["commit"] = "--orphan".into()).failed(&["is no source"]);
    with(&|plan| plan["build_flags"] = json!(["--no-such-flag"])).failed(&["--no-such-flag"]);
    with(&|plan| plan["schema_version"] = 1.into()).failed(&["schema version"]);
    with(&|plan| plan["shards"][0]["needs"] = json!([0])).failed(&["needs a shard that analyses none"]);
    with(&|plan| plan["shards"][0]["part"] = json!({"number": 0, "of": 1})).failed(&["analyses no part"]);
    dir.write("plan.json", "{");
    shard(&dir, 0, "work").failed(&["plan.json is no plan"]);
    dir.write("plan.json", planned.to_string());
    shard(&dir, 0, "work").code(0);
    merge(&dir, &[]).code(0);
    let list: Value = serde_json::from_slice(&fs_err::read(dir.path("all/collection.json")).unwrap()).unwrap();
    let pull = |change: &dyn Fn(&mut Value)| {
        let mut changed = list.clone();
        change(&mut changed);
        dir.write("all/collection.json", changed.to_string());
        dir.cmd(&["pull", "all", "-o", "mine"]).run()
    };
    pull(&|list| list["members"][0]["pack"] = "packs/../../x.sxt".into()).failed(&["not one of its files"]);
    pull(&|list| list["members"][0]["name"] = "".into()).failed(&["has none"]);
    pull(&|list| list["members"][0]["name"] = list["members"][1]["name"].clone()).failed(&["the same name"]);
    pull(&|list| list["members"] = "x".into()).failed(&["collection.json"]);
    // A name may be anything that is not a path.
    pull(&|list| list["members"][0]["name"] = "../\u{1b}[2J".into()).code(0);
    assert!(!dir.path("CURRENT").exists() && dir.path("mine/=2E.=2F=1B=5B2J/CURRENT").exists());
}
