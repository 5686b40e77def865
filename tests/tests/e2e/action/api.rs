//! The part of GitHub's API that lists, writes and updates comments, with one request at a time.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server that runs until the test ends.
pub(super) struct Api {
    pub(super) url: String,
    comments: Arc<Mutex<Vec<Value>>>,
}

impl Api {
    /// Starts a server with this many comments of somebody else. It answers attempts to write with
    /// `status`, and obeys them if that is 200.
    pub(super) fn start(others: usize, status: u16) -> Api {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let comments = Arc::new(Mutex::new((0..others).map(super::of_somebody).collect::<Vec<_>>()));
        let shared = Arc::clone(&comments);
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.expect("a connection"), &shared, status);
            }
        });
        Api { url, comments }
    }

    pub(super) fn comments(&self) -> Vec<Value> {
        self.comments.lock().expect("no panic").clone()
    }

    /// Changes the text of a comment, as its author can.
    pub(super) fn edit(&self, index: usize, body: &str) {
        self.comments.lock().expect("no panic")[index]["body"] = json!(body);
    }
}

/// Answers one request. The connection closes at the end.
fn answer(stream: TcpStream, comments: &Mutex<Vec<Value>>, status: u16) {
    let mut reader = BufReader::new(&stream);
    let mut head = String::new();
    while reader.read_line(&mut head).expect("a head") > 2 {}
    assert!(head.contains("Authorization: Bearer secret\r\n"), "{head}");
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a length"))];
    reader.read_exact(&mut body).expect("a body");
    let mut words = head.split_whitespace();
    let (method, path) = (words.next().expect("a method"), words.next().expect("a path"));
    let path = path.strip_prefix("/repos/owner/name/issues/").expect("the repository's issues");

    let mut comments = comments.lock().expect("no panic");
    let body = || serde_json::from_slice::<Value>(&body).expect("JSON")["body"].clone();
    let (status, content) = match (method, path.split_once("comments").expect("comments")) {
        ("GET", ("7/", page)) => {
            let page: usize =
                page.strip_prefix("?per_page=100&page=").expect("a page").parse().expect("a number");
            (200, json!(comments.chunks(100).nth(page - 1).unwrap_or_default()))
        }
        ("POST" | "PATCH", _) if status != 200 => (status, json!({"message": "::error::x"})),
        ("POST", ("7/", "")) => {
            let id = comments.len();
            comments.push(json!({"user": {"login": "github-actions[bot]"}, "id": id, "body": body()}));
            (201, json!({}))
        }
        ("PATCH", ("", id)) => {
            let id: usize = id.trim_start_matches('/').parse().expect("an id");
            comments[id]["body"] = body();
            (200, json!({}))
        }
        _ => panic!("{method} {path}"),
    };
    let content = content.to_string();
    let head =
        format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", content.len());
    (&stream).write_all((head + &content).as_bytes()).expect("a response");
}
