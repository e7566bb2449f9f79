//! `sextant open`: the page and what it asks are served at the address that is printed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Child;

use crate::harness::Dir;

/// A program that is killed when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The head and the body that a server answers.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_page_is_served_at_the_printed_address() {
    let dir = Dir::polyglot();
    let command = dir.cmd(&["open", "--no-browser", "--index", "index", "--", "who", "&", "what?"]);
    let mut program = Running(command.spawn_open());
    let mut line = String::new();
    BufReader::new(program.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (address, rest) =
        line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{line}")).split_once('/').unwrap();
    assert_eq!(rest, "#/search?q=who+%26+what%3F");
    let page = get(address, "/");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Sextant</title>"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
    let script = get(address, "/app.js");
    assert!(script.contains("content-type: text/javascript"), "{script}");
    assert!(get(address, "/no-such-file.js").starts_with("HTTP/1.1 404"));
    let names = get(address, "/api/v1/outline?file=src/go/scrape.go&names=true");
    assert!(names.contains("\"targets\":[{\"key\":\""), "{names}");
}
