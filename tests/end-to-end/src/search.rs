//! `sextant search`: the shape of its responses, its filters and modes, and that it needs only the index.

use serde::Deserialize;

use crate::harness::{Dir, POLYGLOT, walk};
use crate::program::Output;

/// The contract of `--format json`: an added or a missing field breaks the tests on purpose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Response {
    pub(crate) schema_version: u32,
    pub(crate) command: String,
    pub(crate) query: String,
    pub(crate) took_ms: f64,
    pub(crate) class: String,
    pub(crate) fit: f64,
    pub(crate) fits: bool,
    pub(crate) strategy: String,
    pub(crate) available: Vec<String>,
    pub(crate) degraded: Vec<String>,
    pub(crate) corrections: Vec<Correction>,
    pub(crate) results: Vec<Hit>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Correction {
    pub(crate) original: String,
    pub(crate) corrected: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hit {
    pub(crate) rank: usize,
    pub(crate) score: f64,
    pub(crate) reason: String,
    pub(crate) repo: String,
    pub(crate) path: String,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) language: String,
    pub(crate) kind: String,
    #[serde(deserialize_with = "present")]
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(crate) qualified_name: Option<String>,
    pub(crate) key: String,
    #[serde(deserialize_with = "present")]
    pub(crate) parent: Option<Parent>,
    #[expect(dead_code, reason = "only its shape is checked here")]
    pub(crate) block: Option<RelatedHit>,
    pub(crate) related_hits: Vec<RelatedHit>,
    pub(crate) snippet: String,
    #[serde(deserialize_with = "present")]
    pub(crate) snippet_line: Option<u32>,
    pub(crate) signals: Signals,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parent {
    pub(crate) key: String,
    pub(crate) kind: String,
    #[serde(deserialize_with = "present")]
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(crate) qualified_name: Option<String>,
    #[expect(dead_code, reason = "only its shape is checked here")]
    #[serde(deserialize_with = "present")]
    pub(crate) signature: Option<String>,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RelatedHit {
    pub(crate) key: String,
    pub(crate) kind: String,
    #[serde(deserialize_with = "present")]
    pub(crate) qualified_name: Option<String>,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
}

/// The share of each signal; later versions may add more.
#[derive(Debug, Deserialize)]
pub(crate) struct Signals {
    pub(crate) text: f64,
    pub(crate) vector: f64,
    pub(crate) symbol: f64,
    pub(crate) graph: f64,
}

/// Deserialises a field that may be null but must be present.
fn present<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}

/// Parses a response and asserts its shape and exit code.
#[track_caller]
pub(crate) fn answer(output: &Output) -> Response {
    let response: Response =
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", output.all()));
    let found = response.fits && !response.results.is_empty();
    assert_eq!(output.code, Some(i32::from(!found)), "{}", output.all());
    assert!((0.0..=1.0).contains(&response.fit), "{}", response.fit);
    assert_eq!((response.schema_version, response.command.as_str()), (1, "search"));
    assert_eq!(output.stdout.lines().count(), 1);
    for (n, hit) in response.results.iter().enumerate() {
        assert_eq!(hit.rank, n + 1);
        assert!(hit.snippet_line.is_none_or(|line| (hit.start_line..=hit.end_line).contains(&line)));
        assert!(hit.score.is_finite() && hit.start_line >= 1 && hit.start_line <= hit.end_line, "{hit:?}");
        assert!(!hit.reason.is_empty(), "{hit:?}");
        assert!(n == 0 || response.results[n - 1].score >= hit.score, "{}", output.all());
    }
    response
}

#[track_caller]
fn search(dir: &Dir, args: &[&str]) -> Response {
    answer(&dir.search(args))
}

/// Returns the qualified names of the results, or the paths of those without a name.
fn names(response: &Response) -> Vec<&str> {
    response.results.iter().map(|hit| hit.qualified_name.as_deref().unwrap_or(&hit.path)).collect()
}

#[test]
fn an_answer_has_the_agreed_shape() {
    let dir = Dir::polyglot();
    let response = search(&dir, &["--", "Session.close"]);
    assert_eq!(response.query, "Session.close");
    assert!(response.took_ms > 0.0 && response.degraded.is_empty());
    assert_eq!((response.class.as_str(), response.strategy.as_str()), ("symbol", "rrf"));
    assert_eq!(response.available, ["text", "vectors", "symbols", "graph"]);
    let hit = response.results.iter().find(|hit| hit.qualified_name.as_deref() == Some("Session.close")).unwrap();
    assert_eq!((hit.repo.as_str(), hit.path.as_str()), ("src", "python/session.py"));
    assert_eq!((hit.language.as_str(), hit.kind.as_str()), ("python", "method"));
    assert_eq!((hit.start_line, hit.end_line, hit.name.as_deref()), (10, 12, Some("close")));
    assert!(hit.snippet.contains("def close"), "{}", hit.snippet);
    assert!(hit.signals.text > 0.0 && hit.signals.vector > 0.0 && hit.signals.symbol > 0.0 && hit.signals.graph >= 0.0);
    let parent = hit.parent.as_ref().unwrap();
    assert_eq!((parent.kind.as_str(), parent.name.as_deref()), ("class", Some("Session")));
    assert_eq!(parent.qualified_name.as_deref(), Some("Session"));
    assert!(parent.start_line < hit.start_line && hit.end_line <= parent.end_line && parent.key != hit.key);
}

#[test]
fn exit_codes_distinguish_hits_no_hits_and_errors() {
    let dir = Dir::polyglot();
    dir.search(&["--", "session"]).code(0);
    let none = dir.search(&["--mode", "text", "--", "xylophone"]).code(1);
    assert_eq!(none.json()["results"], serde_json::json!([]));
    dir.cmd(&["search", "--index", "missing", "--", "x"]).run().failed(&["no index at missing", "\n\nhint: "]);
    dir.cmd(&["search", "--index", "index"]).run().code(2);
    dir.search(&["--kind", "nonsense", "--", "x"]).code(2).says(&["function"]);
    dir.search(&["--path", "[", "--", "x"]).failed(&["glob"]);
    dir.search(&["--limit", "0", "--", "x"]).code(2);
    dir.search(&["--mode", "nonsense", "--", "x"]).code(2);
}

#[test]
fn text_output_shows_location_symbol_and_snippet() {
    let dir = Dir::polyglot();
    let output = dir.cmd(&["search", "--index", "index", "--", "Session.close"]).run().code(0);
    assert!(output.stdout.contains("python/session.py:10-12  method Session.close"), "{}", output.all());
    assert!(output.stdout.contains("11          \"\"\"Ends the session"), "{}", output.all());
    assert!(!output.stdout.contains('\x1b') && output.stderr.is_empty(), "{}", output.all());
    let none = dir.cmd(&["search", "--index", "index", "--mode", "text", "--", "xylophone"]).run().code(1);
    assert_eq!((none.stdout.as_str(), none.stderr.as_str()), ("", "nothing found\n"));
    let explained = dir.cmd(&["search", "--index", "index", "--explain", "--", "Session.close"]).run().code(0);
    assert!(explained.stdout.contains("text ") && explained.stdout.contains("vector "), "{}", explained.all());
}

#[test]
fn filters_narrow_what_is_found() {
    let dir = Dir::with(POLYGLOT);
    dir.write("other/tool.py", "class Session:\n    def close(self):\n        pass\n");
    dir.build(&["src", "other"]).code(0);
    type Check = fn(&Hit) -> bool;
    let cases: [(&[&str], Check); 7] = [
        (&["--kind", "class"], |hit| hit.kind == "class"),
        (&["--kind", "class", "--kind", "method"], |hit| hit.kind == "class" || hit.kind == "method"),
        (&["--language", "go"], |hit| hit.language == "go"),
        (&["--path", "java/**"], |hit| hit.path.starts_with("java/")),
        (&["--path", "*.ts"], |hit| hit.path.ends_with(".ts")),
        (&["--repo", "other"], |hit| hit.repo == "other"),
        (&["--language", "python", "--repo", "src", "--kind", "method"], |hit| {
            hit.language == "python" && hit.repo == "src" && hit.kind == "method"
        }),
    ];
    for mode in ["fusion", "text", "vector", "structural"] {
        for (filters, check) in &cases {
            let args = [filters, &["--mode", mode, "--", "close session router add run scrapeLoop Cart"][..]].concat();
            let response = search(&dir, &args);
            assert!(response.results.iter().all(check), "{mode} {filters:?}: {:?}", names(&response));
            assert!(mode != "fusion" || !response.results.is_empty(), "{mode} {filters:?}");
        }
    }
    for nothing in [["--repo", "missing"], ["--language", "cobol"], ["--path", "nowhere/**"]] {
        assert!(search(&dir, &[&nothing[..], &["--", "session"]].concat()).results.is_empty());
    }
}

#[test]
fn modes_use_their_retrievers_only() {
    let dir = Dir::polyglot();
    for (mode, text, vector, symbol) in
        [("text", true, false, false), ("vector", false, true, false), ("structural", false, false, true)]
    {
        let response = search(&dir, &["--mode", mode, "--", "scrapeLoop.run"]);
        assert!(!response.results.is_empty(), "{mode}");
        let used = |signal: fn(&Signals) -> f64| response.results.iter().any(|hit| signal(&hit.signals) > 0.0);
        assert_eq!((used(|s| s.text), used(|s| s.vector), used(|s| s.symbol)), (text, vector, symbol), "{mode}");
        assert_eq!(used(|s| s.graph), mode == "structural", "{mode}");
    }
    let found = search(&dir, &["--mode", "vector", "--", "ends the session and frees connections"]);
    assert!(names(&found)[..3].contains(&"Session.close"), "{:?}", names(&found));
}

#[test]
fn a_question_finds_files_with_their_best_chunk_and_related_hits() {
    let dir = Dir::polyglot();
    let response = search(&dir, &["-n", "3", "--", "how does a session get closed and its connections freed"]);
    let first = &response.results[0];
    assert_eq!(first.path, "python/session.py");
    assert!(!first.related_hits.is_empty() && first.related_hits.len() <= 3);
    for related in &first.related_hits {
        assert!(related.key != first.key && related.start_line <= related.end_line && !related.kind.is_empty());
        assert!(related.qualified_name.as_deref().is_none_or(|name| !name.is_empty()));
    }
    assert!(response.results.windows(2).all(|two| two[0].score >= two[1].score));
    // The best chunk of each file comes first, then the others, if they do not count more.
    let rounds = ["-n", "40", "--set", "file_same_file_decay=0"];
    let all = search(&dir, &[&rounds[..], &["--", "how does a session get closed and its connections freed"]].concat());
    assert!(all.results.len() > 10);
    let first_again = all.results.iter().skip(1).position(|hit| hit.path == first.path).unwrap() + 1;
    let distinct = all.results.iter().map(|hit| hit.path.as_str()).collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(first_again, distinct, "{:?}", names(&all));
    let explained = dir.cmd(&["search", "--index", "index", "--explain", "--", "how are sessions closed"]).run();
    assert!(
        explained.stdout.contains("file: chunk ") && explained.stdout.contains(" coverage "),
        "{}",
        explained.stdout
    );
}

#[test]
fn the_part_that_answers_stands_for_its_file() {
    let dir = Dir::empty();
    // The words of the question are in the short functions; the answer is what works.
    let accessors: String = ["delay", "failed_request", "request_delay", "sent_requests"]
        .map(|name| format!("    def {name}(self):\n        return self._{name}\n\n"))
        .concat();
    let worker = "    def deliver(self, message):\n        pause = self.first\n        for attempt in range(self.limit):\n            \
                  reply = self.transport.send(message)\n            if reply.ok:\n                return reply\n            \
                  self.log.warning('request failed, attempt %d', attempt)\n            self.clock.sleep(pause)\n            \
                  pause = min(pause * 2, self.longest)\n        raise Undelivered(message)\n";
    dir.write("src/client.py", format!("class Client:\n{accessors}{worker}"));
    dir.write("src/config.py", "def load(path):\n    return open(path).read()\n");
    dir.build(&["src"]).code(0);
    let query = "how is a failed request sent again after a growing delay";
    let response = search(&dir, &["--", query]);
    assert_eq!(response.results[0].qualified_name.as_deref(), Some("Client.deliver"), "{:?}", names(&response));
    // A part that no retriever found must pass the filters, too.
    let classes = search(&dir, &["--kind", "class", "--", query]);
    assert!(classes.results.iter().all(|hit| hit.kind == "class"), "{:?}", names(&classes));
    let explained =
        dir.cmd(&["search", "--index", "index", "--explain", "--min-score", "0", "--", query]).run().code(0);
    assert!(explained.stdout.contains("chunk: fused ") && explained.stdout.contains(" lines "), "{}", explained.stdout);
}

#[test]
fn the_reranker_reads_the_best_files_of_a_question() {
    let dir = Dir::polyglot();
    let question = "how does a session get closed and its connections freed";
    let ask = |args: &[&str]| -> serde_json::Value {
        let args = [&["search", "--index", "index", "--format", "json"], args].concat();
        serde_json::from_str(&dir.cmd(&args).run().code(0).stdout).unwrap()
    };
    let gains = |answer: &serde_json::Value| -> Vec<f64> {
        let results = answer["results"].as_array().unwrap();
        results.iter().filter_map(|hit| hit["signals"]["rerank"].as_f64()).collect()
    };
    let plain = ask(&["--explain", "--", question]);
    assert!(gains(&plain).is_empty() && !plain["available"].to_string().contains("reranker"));
    let first = ask(&["--explain", "--rerank", "--", question]);
    let read = gains(&first);
    assert!(!read.is_empty() && read.iter().all(|gain| *gain >= 0.0), "{read:?}");
    assert!(first["available"].to_string().contains("reranker"));
    assert_eq!(first["results"][0]["path"], "python/session.py");
    let again = ask(&["--explain", "--rerank", "--", question]);
    assert_eq!(first["results"], again["results"]);
    // Without weight it changes nothing, with much weight it decides alone.
    let unweighted = ask(&["--rerank", "--set", "rerank_question=0", "--", question]);
    let paths = |answer: &serde_json::Value| -> Vec<String> {
        answer["results"].as_array().unwrap().iter().map(|hit| hit["path"].to_string()).collect()
    };
    assert_eq!(paths(&unweighted), paths(&plain));
    let decided = ask(&["--explain", "--rerank", "--set", "rerank_question=1000", "--", question]);
    let decided_gains = gains(&decided);
    assert!(decided_gains.iter().all(|gain| *gain <= decided_gains[0]), "{decided_gains:?}");
    assert_eq!(decided["results"][0]["path"], "python/session.py");
    let name = ask(&["--rerank", "--", "Session.close"]);
    assert!(name["degraded"].to_string().contains("reranker") && gains(&name).is_empty());
}

#[test]
fn the_limit_holds() {
    let dir = Dir::polyglot();
    for limit in [1, 2, 5] {
        let response = search(&dir, &["-n", &limit.to_string(), "--", "session router cart"]);
        assert_eq!(response.results.len(), limit);
    }
}

#[test]
fn equal_queries_have_equal_answers() {
    let dir = Dir::polyglot();
    for query in ["session", "where are items added", "Engine::start"] {
        let mut answers = Vec::new();
        for _ in 0..3 {
            let mut value = dir.search(&["--", query]).code(0).json();
            value.as_object_mut().unwrap().remove("took_ms");
            answers.push(value);
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{query}");
    }
}

#[test]
fn only_the_index_is_needed_and_it_is_not_written_to() {
    let dir = Dir::polyglot();
    let expected = names(&search(&dir, &["--", "Session.close"])).join(" ");
    fs_err::remove_dir_all(dir.path("src")).unwrap();
    dir.rename("index", "moved");
    let state = || -> Vec<_> {
        let entry = |(path, absolute)| {
            let found = fs_err::metadata(absolute).unwrap();
            (path, found.len(), found.modified().unwrap())
        };
        walk(&dir.path("moved")).into_iter().map(entry).collect()
    };
    let before = state();
    set_writable(&dir, false);
    let found = dir.cmd(&["search", "--format", "json", "--", "Session.close"]).env("SEXTANT_INDEX", "moved").run();
    let others: Vec<i32> =
        [&["stats"][..], &["verify"], &["search", "--mode", "vector", "--", "session"], &["search", "--", "xylophone"]]
            .iter()
            .map(|args| dir.cmd(args).env("SEXTANT_INDEX", "moved").run().code.unwrap())
            .collect();
    set_writable(&dir, true);
    assert_eq!(names(&answer(&found)).join(" "), expected);
    assert_eq!(others[..3], [0, 0, 0]);
    assert_eq!(state(), before);
}

/// Makes all folders and files of the moved index writable or read-only.
fn set_writable(dir: &Dir, writable: bool) {
    let mut paths = vec![dir.path("moved"), dir.path("moved").join(dir.names("moved").last().unwrap())];
    for (_, file) in walk(&dir.path("moved")) {
        paths.push(file.parent().unwrap().to_owned());
        paths.push(file);
    }
    for path in paths {
        let mut permissions = fs_err::metadata(&path).unwrap().permissions();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = permissions.mode();
            permissions.set_mode(if writable { mode | 0o200 } else { mode & !0o222 });
        }
        #[cfg(not(unix))]
        permissions.set_readonly(!writable);
        fs_err::set_permissions(path, permissions).unwrap();
    }
}

#[test]
fn the_default_index_is_below_the_working_folder() {
    let dir = Dir::polyglot();
    dir.cmd(&["search", "--", "session"]).run().code(0);
    // The option takes precedence over the variable.
    dir.cmd(&["search", "--index", "index", "--", "session"]).env("SEXTANT_INDEX", "missing").run().code(0);
    dir.cmd(&["search", "--", "session"]).env("SEXTANT_INDEX", "missing").run().failed(&["missing"]);
}

#[test]
fn an_index_without_vectors_degrades_with_a_note() {
    let dir = Dir::with(POLYGLOT);
    dir.build(&["src", "--model", "none"]).code(0);
    let response = search(&dir, &["--", "Session.close"]);
    assert!(!response.results.is_empty());
    assert_eq!(response.degraded, ["the index has no vectors"]);
    assert_eq!(response.available, ["text", "symbols", "graph"]);
    let text = dir.cmd(&["search", "--index", "index", "--", "Session.close"]).run().code(0);
    assert_eq!(text.stderr, "note: the index has no vectors\n");
    assert!(search(&dir, &["--mode", "text", "--", "session"]).degraded.is_empty());
    let vector = search(&dir, &["--mode", "vector", "--", "session"]);
    assert!(vector.results.is_empty() && !vector.degraded.is_empty());
}

#[test]
fn a_report_finds_its_title_and_its_locations() {
    let dir = Dir::polyglot();
    let report = "Connections stay open\n\nAfter a while nothing works any more:\n\n```\n>>> shop.cart.add(1)\n\
                  Traceback (most recent call last):\n  File \"/usr/lib/app/main.py\", line 3, in main\n\
                  \x20 File \"/usr/lib/shop/python/session.py\", line 11, in close\n\
                  RuntimeError: it is busy\n```\n\nPython 3.11.2\n";
    let response = search(&dir, &["--", report]);
    assert_eq!(response.class, "report");
    assert_eq!(response.results[0].path, "python/session.py", "{:#?}", response.results);
    // Any text is a valid query, even a long and odd one.
    for odd in ["```\n```", "\n\n\n", "a\n<!--", &"x.y:1 ".repeat(5000), &format!("{}\nb", "`".repeat(999))] {
        assert!(!search(&dir, &["--", odd]).class.is_empty());
    }
}
