//! Prints by how many per cent each of the other kinds of work takes longer if it does 1 and 5 %
//! more, in one process: the same code at the same place, in turn.

use std::hint::black_box;
use std::time::Instant;
use work::*;

const ROUNDS: usize = 400;
const ROUND_NS: u128 = 200_000;
const PERCENTS: [usize; 3] = [0, 1, 5];

fn main() {
    for (name, mut call) in kinds() {
        let calls = calls_of_a_round(&mut *call);
        let mut ratios = [const { Vec::new() }; 3];
        for round in 0..ROUNDS {
            let mut times = [0.0; 3];
            // Each is the first in a third of the rounds.
            for i in (0..3).map(|i| (i + round) % 3) {
                do_more(PERCENTS[i]);
                times[i] = time(&mut *call, calls);
            }
            for (ratios, time) in ratios.iter_mut().zip(times) {
                ratios.push(time / times[0]);
            }
        }
        do_more(0);
        let [_, one, five] = ratios.map(|ratios| 100.0 * (median(ratios) - 1.0));
        println!("{name} {one:.3} {five:.3}");
    }
}

fn kinds() -> Vec<(&'static str, Box<dyn FnMut()>)> {
    let (objects, bytes, text) = (other_objects(), other_bytes(), other_text());
    let (bytes_of_crc, utf8) = (bytes.clone(), text.clone());
    let (table, tree, mut queue) = (other_crc_table(), other_tree(), other_queue());
    let (automaton, matrix, words) = (other_automaton(), other_matrix(), other_words());
    let (program, lines, shapes) = (other_program(), other_lines(), other_shapes());
    vec![
        ("tokenise", calling(move || other_tokenise(black_box(&objects)))),
        ("base64", calling(move || other_base64(black_box(&bytes)))),
        ("crc", calling(move || other_crc(black_box(&table), black_box(&bytes_of_crc)))),
        ("range", calling(move || other_range(black_box(&tree)))),
        ("events", calling(move || other_events(&mut queue))),
        ("automaton", calling(move || other_match(black_box(&automaton), black_box(&text)))),
        ("utf8", calling(move || other_utf8(black_box(utf8.as_bytes())))),
        ("power", calling(move || other_power(black_box(&matrix)))),
        ("sieve", calling(other_sieve)),
        ("nearest", calling(move || other_nearest(black_box("1f83d9abfb41"), black_box(&words)))),
        ("interpret", calling(move || other_interpret(black_box(&program)))),
        ("join", calling(move || other_join(black_box(&lines)))),
        ("area", calling(move || other_area(black_box(&shapes)))),
    ]
}

fn calling<T>(mut function: impl FnMut() -> T + 'static) -> Box<dyn FnMut()> {
    Box::new(move || {
        black_box(function());
    })
}

/// As many calls as take the time of a round, at least.
fn calls_of_a_round(call: &mut dyn FnMut()) -> usize {
    let (start, mut calls) = (Instant::now(), 0);
    while start.elapsed().as_nanos() < ROUND_NS {
        call();
        calls += 1;
    }
    calls
}

fn time(call: &mut dyn FnMut(), calls: usize) -> f64 {
    // What changed has to be learnt again.
    (0..calls.div_ceil(4)).for_each(|_| call());
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed().as_nanos() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
