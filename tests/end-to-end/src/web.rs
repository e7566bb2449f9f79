//! A web server for tests: it serves ranges of files, and can be told to misbehave.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How a request is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Correctly.
    Answered,
    /// With a status, without a body.
    Status(u16),
    /// With half of the body.
    Cut,
    /// With a wrong body.
    Garbled,
    /// With the whole file instead of the requested range.
    Whole,
}

/// Serves a folder while `run` runs with the server's address. `fate` returns how to answer the request of a number.
/// Returns the number of bytes of all bodies sent.
pub(crate) fn serve(root: &Path, fate: impl Fn(u64) -> Fate + Sync, run: impl FnOnce(&str)) -> u64 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (stop, requests, sent) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    std::thread::scope(|scope| {
        let (stop, requests, sent, fate) = (&stop, &requests, &sent, &fate);
        scope.spawn(move || {
            while !stop.load(Ordering::SeqCst) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        scope.spawn(move || {
                            stream.set_nonblocking(false).unwrap();
                            let fate = fate(requests.fetch_add(1, Ordering::SeqCst));
                            sent.fetch_add(answer(root, stream, fate).unwrap_or(0), Ordering::SeqCst);
                        });
                    }
                    Err(_) => std::thread::sleep(Duration::from_millis(2)),
                }
            }
        });
        let _stop = Stop(stop);
        run(&address);
    });
    sent.into_inner()
}

fn answer(root: &Path, mut stream: TcpStream, fate: Fate) -> std::io::Result<u64> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let mut range = None;
    for line in lines {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(header_value) = line.strip_prefix("range: bytes=") {
            range = header_value.split_once('-').map(|(from, to)| (from.to_owned(), to.to_owned()));
        }
    }
    let path = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
    if let Fate::Status(status) = fate {
        write!(stream, "HTTP/1.1 {status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")?;
        return Ok(0);
    }
    let Ok(all) = fs_err::read(root.join(path)) else {
        write!(stream, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")?;
        return Ok(0);
    };
    let (from, to) = match range.filter(|_| fate != Fate::Whole) {
        Some((from, to)) if from.is_empty() => (all.len().saturating_sub(to.parse().unwrap()), all.len()),
        Some((from, to)) => (from.parse().unwrap(), to.parse().map_or(all.len(), |to: usize| (to + 1).min(all.len()))),
        None => {
            write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", all.len())?;
            stream.write_all(&all)?;
            return Ok(all.len() as u64);
        }
    };
    let mut body = all[from..to].to_vec();
    write!(
        stream,
        "HTTP/1.1 206 Partial Content\r\ncontent-length: {}\r\ncontent-range: bytes {from}-{}/{}\r\nconnection: close\r\n\r\n",
        body.len(),
        to - 1,
        all.len()
    )?;
    match fate {
        Fate::Cut => body.truncate(body.len() / 2),
        Fate::Garbled => body.iter_mut().for_each(|byte| *byte ^= 0x2a),
        _ => {}
    }
    stream.write_all(&body)?;
    Ok(body.len() as u64)
}
