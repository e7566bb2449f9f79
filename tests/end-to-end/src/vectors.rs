//! What vectors know: every function of `vectors`, `duplicates`, and the test files that `affected` adds. Numbers are
//! compared with those that the test computes itself, in another way, from the tables of the index.

use std::collections::BTreeMap;

use serde_json::Value;
use sextant_format::generation::Generation;
use sextant_format::tables::{FileRow, FileVectorRow, TableReader};

use crate::calls::matches_schema;
use crate::harness::Dir;
use crate::program::Output;

const PROJECT: &str = "
//- /src/net/client.py
\"\"\"A client of the network: it opens a socket, sends a request and reads the response.\"\"\"


def open_socket(host, port):
    \"\"\"Opens a socket to a host of the network.\"\"\"
    connection = connect_socket(host, port)
    connection.set_timeout(30)
    return connection


def send_request(connection, request):
    \"\"\"Sends a request over a socket and reads the response of the network.\"\"\"
    connection.write(request.header)
    connection.write(request.body)
    response = connection.read_response()
    if response.status == 503:
        raise NetworkError(response)
    return response
//- /src/net/server.py
\"\"\"A server of the network: it accepts a socket, reads a request and writes the response.\"\"\"


def accept_socket(listener):
    \"\"\"Accepts a socket of the network.\"\"\"
    connection = listener.accept()
    connection.set_timeout(30)
    return connection


def answer_request(connection):
    \"\"\"Reads a request from a socket and writes the response to the network.\"\"\"
    request = connection.read_request()
    response = handle_request(request)
    connection.write(response.header)
    connection.write(response.body)
    return response
//- /src/paint/brush.py
\"\"\"Brushes that paint colours on a canvas.\"\"\"


def mix_colours(red, green, blue):
    \"\"\"Mixes paint of three colours for a brush.\"\"\"
    total = red + green + blue
    return Colour(red / total, green / total, blue / total)


def paint_canvas(canvas, brush, colour):
    \"\"\"Paints the canvas with a brush of one colour.\"\"\"
    for pixel in canvas.pixels:
        pixel.colour = colour.mix(pixel.colour, brush.opacity)
        pixel.wet = brush.wet and not canvas.dry
    return canvas
//- /src/paint/copy.py
\"\"\"More brushes that paint colours on a canvas.\"\"\"


def paint_canvas(canvas, brush, colour):
    \"\"\"Paints the canvas with a brush of one colour.\"\"\"
    for pixel in canvas.pixels:
        pixel.colour = colour.mix(pixel.colour, brush.opacity)
        pixel.wet = brush.wet and not canvas.dry
    return canvas
//- /src/constants.py
RED = 1
GREEN = 2
//- /tests/test_wire.py
\"\"\"Tests of the client of the network, its socket, request and response.\"\"\"


def test_request_over_a_socket():
    \"\"\"Sends a request over a socket of the network and reads the response.\"\"\"
    connection = start_server_and_client()
    response = connection.send_request_to_network()
    assert response.status == 200, response.body
    assert connection.socket.timeout == 30
";

fn ask(dir: &Dir, args: &[&str]) -> Output {
    dir.cmd(&[&[args[0], "--index", "index", "--format", "json"], &args[1..]].concat()).run()
}

fn vectors(dir: &Dir, args: &[&str]) -> Value {
    let answer = ask(dir, &[&["vectors"], args].concat()).code(0).json();
    let schemas = dir.cmd(&["schema", "vectors"]).run().code(0).json();
    let schema = &schemas["vectors"]["answer"];
    matches_schema(schema, schema, &answer, args[0]);
    // The text form is not empty, either.
    let text = dir.cmd(&[&["vectors", "--index", "index"], args].concat()).run().code(0);
    assert!(!text.stdout.trim().is_empty(), "{}", text.all());
    answer
}

fn paths(files: &Value) -> Vec<&str> {
    files.as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect()
}

#[test]
fn texts_and_files_have_near_files() {
    let dir = Dir::indexed(PROJECT);
    let near = vectors(&dir, &["nearest", "socket of the network", "paint brush", "-n", "2"]);
    let of = |n: usize| paths(&near["near"][n]["files"]);
    assert!(of(0).iter().all(|path| path.starts_with("src/net") || *path == "tests/test_wire.py"), "{near}");
    assert!(of(1).iter().all(|path| path.starts_with("src/paint/")), "{near}");
    assert_eq!(near["near"][1]["to"], "paint brush");
    let near = vectors(&dir, &["near-files", "src/net/client.py", "-n", "9", "--min-score", "0.3"]);
    let files = &near["near"][0]["files"];
    assert!(!paths(files).contains(&"src/net/client.py") && !paths(files).contains(&"src/paint/brush.py"), "{files}");
    assert!(paths(files).contains(&"src/net/server.py"), "{files}");
    let tests = vectors(&dir, &["near-files", "src/net/client.py", "--filter", "test_*"]);
    assert_eq!(paths(&tests["near"][0]["files"]), ["tests/test_wire.py"]);
    let contrast = vectors(&dir, &["contrast", "request over a network", "--unlike", "test", "-n", "1"]);
    assert!(paths(&contrast["near"][0]["files"])[0].starts_with("src/net"), "{contrast}");
    let brush = fs_err::read_to_string(dir.path("src/src/paint/brush.py")).unwrap();
    let file = format!("@{}", dir.path("src/src/net/client.py").display());
    let difference = vectors(&dir, &["difference", &file, &brush, "-n", "2"]);
    assert!(paths(&difference["near"][0]["files"]).iter().all(|path| path.starts_with("src/paint")), "{difference}");
    assert!(difference["distance"].as_f64().unwrap() > 0.3, "{difference}");
    let same = vectors(&dir, &["difference", &brush, &brush]);
    assert!(same["distance"].as_f64().unwrap().abs() < 1e-5, "{same}");
    ask(&dir, &["vectors", "nearest", "socket", "--min-score", "0.99"]).code(1);
    for wrong in [&["nearest"][..], &["contrast", "a"], &["difference", "a"], &["explain", "src/constants.py"]] {
        ask(&dir, &[&["vectors"], wrong].concat()).failed(&["needs"]);
    }
}

#[test]
fn lines_of_a_file_match_and_change_their_subject() {
    let dir = Dir::indexed(PROJECT);
    let file = "src/paint/brush.py";
    let found = vectors(&dir, &["explain", file, "--query", "paints every pixel of the canvas", "--lines", "6"]);
    let best = &found["windows"][0];
    assert!(best["text"].as_str().unwrap().contains("pixel"), "{found}");
    let like_file = vectors(&dir, &["explain", file, "--query", "src/paint/copy.py", "--lines", "6", "-n", "1"]);
    assert!(like_file["windows"][0]["text"].as_str().unwrap().contains("canvas"), "{like_file}");
    let parts = vectors(&dir, &["boundaries", file, "--lines", "4", "--threshold", "0.1"]);
    let parts = parts["parts"].as_array().unwrap();
    assert_eq!(parts.first().unwrap()["start_line"], 1);
    assert_eq!(parts.last().unwrap()["shift"], Value::Null);
    for pair in parts.windows(2) {
        assert_eq!(pair[0]["end_line"].as_u64().unwrap() + 1, pair[1]["start_line"].as_u64().unwrap());
    }
    ask(&dir, &["vectors", "boundaries", "none.py"]).code(1);
}

#[test]
fn sets_of_files_are_compared() {
    let dir = Dir::indexed(PROJECT);
    let novelty = vectors(&dir, &["novelty", "src/paint", "src/net/client.py"]);
    assert_eq!(novelty["novelty"]["files"].as_array().unwrap().len(), 3);
    // A copy outside of the set is not new.
    let copy = vectors(&dir, &["novelty", "src/paint/copy.py"]);
    let copied = copy["novelty"]["score"].as_f64().unwrap();
    assert!(copied < novelty["novelty"]["score"].as_f64().unwrap(), "{copy} {novelty}");
    assert_eq!(copy["novelty"]["files"][0]["nearest"]["path"], "src/paint/brush.py");
    let matrix = vectors(&dir, &["similarity", "src/net", "src/paint", "tests"]);
    let cosine = |a: usize, b: usize| matrix["matrix"]["cosines"][a][b].as_f64().unwrap();
    assert!((cosine(0, 0) - 1.0).abs() < 1e-5 && (cosine(0, 1) - cosine(1, 0)).abs() < 1e-6);
    assert!(cosine(0, 2) > cosine(0, 1) && cosine(0, 2) > cosine(1, 2), "{matrix}");
    let image =
        dir.cmd(&["vectors", "similarity", "--index", "index", "src/net", "tests", "--draw", "svg"]).run().code(0);
    assert!(image.stdout.starts_with("<svg ") && image.stdout.contains("src/net and tests"), "{}", image.all());
    let centroid = vectors(&dir, &["centroid", "src/net"]);
    assert_eq!(centroid["centroid"]["included"], 2);
    let clusters = vectors(&dir, &["clusters", "--threshold", "0.6"]);
    let first = &clusters["clusters"]["clusters"];
    assert!(
        first.as_array().unwrap().iter().any(|c| paths(c) == ["src/paint/brush.py", "src/paint/copy.py"]),
        "{clusters}"
    );
    let outliers = vectors(&dir, &["outliers", "src/net", "tests", "src/paint/brush.py", "-n", "1"]);
    assert_eq!(outliers["outliers"][0]["path"], "src/paint/brush.py");
    let terms = vectors(&dir, &["terms", "src/paint", "-n", "2"]);
    assert!(terms["terms"].to_string().contains("paint canvas"), "{terms}");
    let coverage = vectors(&dir, &["coverage"]);
    let coverage = &coverage["coverage"];
    assert_eq!(coverage["from_chunks"].as_u64().unwrap() + coverage["from_names"].as_u64().unwrap(), 6, "{coverage}");
    // Two short constants have no vector of their own, but names.
    assert_eq!(coverage["from_names"], 1);
    let plot = vectors(&dir, &["plot"]);
    assert_eq!(plot["plot"]["points"].as_array().unwrap().len(), 6);
    let x = |path: &str| {
        plot["plot"]["points"].as_array().unwrap().iter().find(|p| p["path"] == path).unwrap()["x"].as_f64().unwrap()
    };
    assert!(x("src/paint/brush.py") * x("src/net/client.py") < 0.0, "{plot}");
}

#[test]
fn a_changed_file_is_stale() {
    let dir = Dir::indexed(PROJECT);
    let stale = vectors(&dir, &["stale", "--checkout", dir.path("src").to_str().unwrap()]);
    assert_eq!(
        (stale["stale"]["changed"].as_array().unwrap().len(), stale["stale"]["missing"].as_array().unwrap().len()),
        (0, 0)
    );
    dir.write("src/src/net/client.py", "def changed():\n    return 1\n");
    fs_err::remove_file(dir.path("src/src/constants.py")).unwrap();
    let stale = vectors(&dir, &["stale", "--checkout", dir.path("src").to_str().unwrap()]);
    assert_eq!(paths(&stale["stale"]["changed"]), ["src/net/client.py"]);
    assert_eq!(paths(&stale["stale"]["missing"]), ["src/constants.py"]);
    ask(&dir, &["vectors", "stale", "--checkout", "/nowhere"]).failed(&["no checkout"]);
    ask(&dir, &["vectors", "stale"]).code(1);
}

#[test]
fn without_vectors_answers_are_empty_and_say_why() {
    let dir = Dir::with(PROJECT);
    dir.index_cmd(&["build", "src", "-o", "index", "--model", "none"]).run().code(0);
    for args in [&["nearest", "socket"][..], &["terms"], &["coverage"], &["novelty", "src/net"], &["plot"]] {
        let answer = ask(&dir, &[&["vectors"], args].concat()).code(1).json();
        assert!(answer["degraded"].to_string().contains("no vectors"), "{answer}");
    }
    ask(&dir, &["duplicates"]).code(0);
    ask(&dir, &["affected", "send_request"]).code(1);
}

#[test]
fn duplicates_are_found_by_tokens() {
    let dir = Dir::indexed(PROJECT);
    let answer = ask(&dir, &["duplicates"]).code(0).json();
    let schemas = dir.cmd(&["schema", "duplicates"]).run().code(0).json();
    let schema = &schemas["duplicates"]["answer"];
    matches_schema(schema, schema, &answer, "duplicates");
    let groups = answer["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "{answer}");
    assert_eq!(groups[0]["identical"], true);
    assert_eq!(paths(&groups[0]["members"]), ["src/paint/brush.py", "src/paint/copy.py"]);
    ask(&dir, &["duplicates", "--path", "src/net/**"]).code(1);
    ask(&dir, &["duplicates", "--min-lines", "50"]).code(1);
}

#[test]
fn affected_adds_near_tests_of_which_the_graph_knows_nothing() {
    let dir = Dir::indexed(PROJECT);
    let answer = ask(&dir, &["affected", "src/net/client.py"]).json();
    assert_eq!(answer["results"].as_array().unwrap().len(), 0, "{answer}");
    assert_eq!(paths(&answer["near_tests"]), ["tests/test_wire.py"], "{answer}");
}

#[test]
fn a_review_names_callers_tests_copies_and_novel_code() {
    let dir = Dir::indexed(PROJECT);
    let copied = "def paint_again(canvas, brush, colour):\n    for pixel in canvas.pixels:\n        pixel.colour = colour.mix(pixel.colour, brush.opacity)\n        pixel.wet = brush.wet and not canvas.dry\n    \"\"\"Paints the canvas with a brush of one colour.\"\"\"\n    return canvas\n";
    let added: String = copied.lines().map(|line| format!("+{line}\n")).collect();
    let count = copied.lines().count();
    let diff = format!(
        "--- a/src/net/client.py\n+++ b/src/net/client.py\n@@ -4,3 +4,3 @@\n def open_socket(host, port):\n     x\n-    connection = connect_socket(host, port)\n+    connection = other(host, port)\n\
         --- /dev/null\n+++ b/src/again.py\n@@ -0,0 +1,{count} @@\n{added}"
    );
    let answer = dir.cmd(&["review", "--index", "index", "--format", "json"]).stdin(&diff).run().code(0).json();
    let schemas = dir.cmd(&["schema", "review"]).run().code(0).json();
    let schema = &schemas["review"]["answer"];
    matches_schema(schema, schema, &answer, "review");
    assert_eq!(answer["changed"][0]["name"], "open_socket", "{answer}");
    assert_eq!(paths(&answer["near_tests"]), ["tests/test_wire.py"]);
    let repeated: Vec<&str> = paths(&answer["repeated"]);
    assert!(repeated.contains(&"src/paint/brush.py") && repeated.contains(&"src/paint/copy.py"), "{answer}");
    assert_eq!(answer["repeated"][0]["by"], "src/again.py");
    assert!(answer["novelty"]["files"][0]["score"].as_f64().unwrap() < 0.7, "{answer}");
    let text = dir.cmd(&["review", "--index", "index"]).stdin(&diff).run().code(0);
    assert!(text.stdout.contains("added lines repeat") && text.stdout.contains("open_socket"), "{}", text.all());
    dir.cmd(&["review", "--index", "index"]).stdin("nonsense").run().failed(&["git diff"]);
}

#[test]
fn communities_are_files_that_use_each_other() {
    let dir = Dir::indexed(&format!(
        "{PROJECT}//- /src/net/tools.py\nfrom src.net.client import open_socket\n\n\ndef open_all(hosts):\n    return [open_socket(host, 80) for host in hosts]\n\
         //- /src/net/main.py\nfrom src.net.client import send_request\nfrom src.net.tools import open_all\n\n\ndef main():\n    return [send_request(connection, 1) for connection in open_all([])]\n"
    ));
    let answer = ask(&dir, &["map", "--communities"]).code(0).json();
    let found = &answer["communities"]["communities"];
    assert_eq!(found.as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(
        (found[0]["files"].as_u64(), found[0]["folders"][0]["path"].as_str()),
        (Some(3), Some("src/net")),
        "{found}"
    );
    assert!(
        found[0]["terms"].to_string().contains("socket") || found[0]["terms"].to_string().contains("request"),
        "{found}"
    );
    assert!(!answer["communities"]["couplings"].as_array().unwrap().is_empty());
    let text = dir.cmd(&["map", "--index", "index", "--communities"]).run().code(0);
    assert!(text.stdout.contains("communities, files that use each other"), "{}", text.all());
    assert!(ask(&dir, &["map"]).code(0).json().get("communities").is_none());
}

#[test]
fn vectors_of_files_survive_a_pack_and_an_incremental_build() {
    let dir = Dir::indexed(PROJECT);
    let read = |dir: &Dir, index: &str| {
        dir.cmd(&["vectors", "--index", index, "--format", "json", "plot"]).run().code(0).stdout
    };
    let before = read(&dir, "index");
    dir.index_cmd(&["pack", "index", "-o", "index.sxt"]).run().code(0);
    dir.cmd(&["pull", "index.sxt", "-o", "pulled"]).run().code(0);
    assert_eq!(read(&dir, "pulled"), before);
    dir.cmd(&["verify", "--index", "pulled"]).run().code(0);
    dir.write("src/src/net/client.py", "def other():\n    \"\"\"Something else.\"\"\"\n    return 1\n");
    dir.index_cmd(&["build", "src", "-o", "index"]).run().code(0);
    dir.index_cmd(&["build", "src", "-o", "fresh"]).run().code(0);
    assert_eq!(read(&dir, "index"), read(&dir, "fresh"));
    assert_ne!(read(&dir, "index"), before);
}

/// The unit vector and weight of each file, by its path, in double precision.
fn unit_vectors(dir: &Dir) -> BTreeMap<String, (Vec<f64>, f64)> {
    let generation = Generation::open(&dir.index()).unwrap();
    let files = TableReader::<FileRow>::read_all(&generation.table("files")).unwrap();
    let rows = generation.file_vectors().unwrap().unwrap();
    let unit = |row: &FileVectorRow| {
        let vector: Vec<f64> = row.values.iter().map(|&x| f64::from(x)).collect();
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector.iter().map(|x| x / length).collect()
    };
    rows.iter().map(|row| (files[row.file_id.index()].path.clone(), (unit(row), f64::from(row.weight)))).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The weighted mean of files below a folder, of length 1.
fn mean(vectors: &BTreeMap<String, (Vec<f64>, f64)>, folder: &str) -> Vec<f64> {
    let mut sum: Vec<f64> = Vec::new();
    for (_, (vector, weight)) in vectors.iter().filter(|(path, _)| path.starts_with(folder)) {
        sum.resize(vector.len(), 0.0);
        sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += weight * x);
    }
    let length = dot(&sum, &sum).sqrt();
    sum.iter().map(|x| x / length).collect()
}

#[test]
fn cosines_agree_with_double_precision() {
    let dir = Dir::indexed(PROJECT);
    let known = unit_vectors(&dir);
    let agrees = |found: &Value, expected: f64| {
        assert!((found.as_f64().unwrap() - expected).abs() < 1e-4, "{found} {expected}");
    };
    let client = &known["src/net/client.py"].0;
    let near = vectors(&dir, &["near-files", "src/net/client.py", "-n", "9", "--min-score", "-1"]);
    for file in near["near"][0]["files"].as_array().unwrap() {
        agrees(&file["score"], dot(client, &known[file["path"].as_str().unwrap()].0));
    }
    let folders = ["src/net", "src/paint", "tests"];
    let matrix = vectors(&dir, &[&["similarity"][..], &folders].concat());
    for (row, a) in folders.iter().enumerate() {
        for (column, b) in folders.iter().enumerate() {
            agrees(&matrix["matrix"]["cosines"][row][column], dot(&mean(&known, a), &mean(&known, b)));
        }
    }
    let centroid = vectors(&dir, &["centroid", "src"]);
    for (x, expected) in centroid["centroid"]["vector"].as_array().unwrap().iter().zip(mean(&known, "src/")) {
        agrees(x, expected);
    }
    let outliers = vectors(&dir, &["outliers"]);
    for outlier in outliers["outliers"].as_array().unwrap() {
        let own = &known[outlier["path"].as_str().unwrap()].0;
        let all: f64 = known.values().map(|(other, _)| dot(own, other)).sum();
        agrees(&outlier["mean_cosine"], (all - 1.0) / (known.len() - 1) as f64);
    }
    let novelty = vectors(&dir, &["novelty", "src/net"]);
    for file in novelty["novelty"]["files"].as_array().unwrap() {
        let own = &known[file["path"].as_str().unwrap()].0;
        let outside = known.iter().filter(|(path, _)| !path.starts_with("src/net"));
        let nearest = outside.map(|(_, (other, _))| dot(own, other)).fold(f64::MIN, f64::max);
        agrees(&file["score"], 1.0 - nearest);
    }
}
