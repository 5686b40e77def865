use httparse::{EMPTY_HEADER, Header, Request, Response};
use nanobench::nanobench;

const SHORT: &[u8] = b"GET / HTTP/1.0\r\nHost: example.com\r\nCookie: session=60; user_id=1\r\n\r\n";
const LONG: &[u8] = b"GET /wp-content/uploads/2010/03/hello-kitty-darth-vader-pink.jpg HTTP/1.1\r\n\
Host: www.kittyhell.com\r\n\
User-Agent: Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10.6; ja-JP-mac; rv:1.9.2.3) Pathtraq/0.9\r\n\
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
Accept-Language: ja,en-us;q=0.7,en;q=0.3\r\n\
Accept-Encoding: gzip,deflate\r\n\
Keep-Alive: 115\r\n\
Connection: keep-alive\r\n\r\n";
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nDate: Wed, 21 Oct 2015 07:28:00 GMT\r\nContent-Length: 12\r\nServer: here\r\n\r\n";

#[nanobench]
fn short() -> usize {
    request(std::hint::black_box(SHORT))
}

#[nanobench]
fn long() -> usize {
    request(std::hint::black_box(LONG))
}

fn request(text: &[u8]) -> usize {
    let mut headers = [EMPTY_HEADER; 16];
    Request::new(&mut headers).parse(text).unwrap().unwrap()
}

#[nanobench]
fn response() -> usize {
    let mut headers = [EMPTY_HEADER; 16];
    Response::new(&mut headers).parse(std::hint::black_box(ANSWER)).unwrap().unwrap()
}

#[nanobench]
fn headers() -> usize {
    let mut headers: [Header; 16] = [EMPTY_HEADER; 16];
    let text = &std::hint::black_box(LONG)[75..];
    httparse::parse_headers(text, &mut headers).unwrap().unwrap().1.len()
}

#[nanobench]
fn partial() -> bool {
    let mut headers = [EMPTY_HEADER; 16];
    Request::new(&mut headers).parse(&std::hint::black_box(LONG)[..200]).unwrap().is_partial()
}

#[nanobench(args = ["4\r\n", "ffff; extension\r\n"])]
fn chunk(text: &str) -> u64 {
    httparse::parse_chunk_size(text.as_bytes()).unwrap().unwrap().1
}
