//! Frames of the protocol: headers, an empty line, and a body of JSON. A server is not trusted: the sizes of headers and
//! bodies are bounded before anything is allocated.

use std::io::{self, BufRead, Read, Write};

/// A body may have this many bytes at most.
pub(crate) const MAX_BODY: u64 = 32 << 20;
/// The headers of a frame may have this many bytes at most.
const MAX_HEADERS: u64 = 4 << 10;

/// Reads the body of the next frame; `None` at the end of the stream.
///
/// # Errors
/// The stream fails or ends within a frame, the headers are not those of a frame, or the body is too large.
pub(crate) fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length: Option<u64> = None;
    let mut headers = input.take(MAX_HEADERS);
    let mut line = Vec::new();
    let mut is_first = true;
    loop {
        line.clear();
        let read = headers.read_until(b'\n', &mut line)?;
        if read == 0 && is_first {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            let start = String::from_utf8_lossy(&line[..line.len().min(40)]).into_owned();
            return Err(invalid(format!("what it sent is not a header: {start:?}")));
        }
        is_first = false;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            let start: String = text.chars().take(40).collect();
            return Err(invalid(format!("what it sent is not a header: {start:?}")));
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse().map_err(|_| invalid(format!("an invalid length:{value}")))?);
        }
    }
    let length = length.ok_or_else(|| invalid("a frame without a length".to_owned()))?;
    if length > MAX_BODY {
        return Err(invalid(format!("a message of {length} bytes, more than {MAX_BODY}")));
    }
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if u64::try_from(body.len()).ok() != Some(length) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the stream ended within a message"));
    }
    Ok(Some(body))
}

/// Writes a frame.
pub(crate) fn write_frame(output: &mut impl Write, body: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frames(bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut input = bytes;
        let mut found = Vec::new();
        while let Some(body) = read_frame(&mut input)? {
            found.push(body);
        }
        Ok(found)
    }

    #[test]
    fn other_headers_are_skipped_and_bounds_are_kept() {
        let good = b"Content-Type: x\r\ncontent-length: 2\r\n\r\n{}Content-Length: 0\r\n\r\n";
        assert_eq!(frames(good).unwrap(), [b"{}".to_vec(), Vec::new()]);
        for (bad, expected) in [
            ("Content-Length: 99999999999\r\n\r\n", "99999999999 bytes"),
            ("Content-Length: -1\r\n\r\n", "invalid length"),
            ("Content-Type: x\r\n\r\n", "without a length"),
            ("Content-Length: 5\r\n\r\n{}", "ended within"),
            ("Traceback (most recent call last)\n", "not a header"),
            ("Content-Length: 2", "not a header"),
        ] {
            let error = frames(bad.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(expected), "{bad}: {error}");
        }
        let endless = format!("X: {}", "x".repeat(100_000));
        assert!(frames(endless.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(bodies in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..50), 0..5)) {
            let mut stream = Vec::new();
            for body in &bodies {
                write_frame(&mut stream, body).unwrap();
            }
            prop_assert_eq!(frames(&stream).unwrap(), bodies);
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = frames(&bytes);
        }
    }
}
