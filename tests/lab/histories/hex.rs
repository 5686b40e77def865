use nanobench::nanobench;

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|k| (k * 31) as u8).collect()
}

#[nanobench(args = [8, 256, 4_096], setup = bytes, every = "benchmark")]
fn encode(bytes: &[u8]) -> String {
    hex::encode(bytes)
}

#[nanobench(args = [8, 256, 4_096], setup = |n| hex::encode(bytes(n)), every = "benchmark")]
fn decode(text: &String) -> Vec<u8> {
    hex::decode(text).unwrap()
}

#[nanobench(args = [8, 256], setup = |n| hex::encode(bytes(n)), every = "benchmark")]
fn decode_to_slice(text: &String) -> [u8; 256] {
    let mut room = [0; 256];
    hex::decode_to_slice(text, &mut room[..text.len() / 2]).unwrap();
    room
}
