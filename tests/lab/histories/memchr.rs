use memchr::memmem::Finder;
use nanobench::nanobench;

fn text() -> Vec<u8> {
    (0..4_000_u32).map(|k| b'a' + (k * k / 7 % 24) as u8).chain(*b"yzneedle").collect()
}

#[nanobench(fixture = text)]
fn one(text: &[u8]) -> Option<usize> {
    memchr::memchr(b'z', text)
}

#[nanobench(fixture = text)]
fn two(text: &[u8]) -> Option<usize> {
    memchr::memchr2(b'z', b'y', text)
}

#[nanobench(fixture = text)]
fn three(text: &[u8]) -> Option<usize> {
    memchr::memchr3(b'z', b'y', b'!', text)
}

#[nanobench(fixture = text)]
fn last(text: &[u8]) -> Option<usize> {
    memchr::memrchr(b'!', text)
}

#[nanobench(fixture = text)]
fn count(text: &[u8]) -> usize {
    memchr::memchr_iter(b'a', text).count()
}

#[nanobench(fixture = text)]
fn find(text: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, b"needle")
}

#[nanobench(fixture = text)]
fn find_all(text: &[u8]) -> usize {
    memchr::memmem::find_iter(text, b"ab").count()
}

#[nanobench(args = ["needle", "a needle in a haystack"])]
fn finder(needle: &str) -> Finder<'_> {
    Finder::new(needle)
}

#[nanobench(args = [1, 7, 30], fixture = text)]
fn short(n: usize, text: &[u8]) -> Option<usize> {
    memchr::memchr(b'z', &text[..n])
}
