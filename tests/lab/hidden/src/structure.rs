//! Changes beside the code of the benchmark: in nameless data, behind pointers, before `main`, and
//! in files. Each is half as much work again.

use crate::kind::kind;
use crate::work;
use std::fs;
use std::hint::black_box;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

// A number in an array without a name.
kind! { larger_constant:
    let steps: &[u32; 4] = black_box(&const { [if CHANGED { 6 } else { 4 }, 0, 0, 0] });
    (0..steps[0]).map(|_| work(50)).sum()
}

// Numbers beside the name of a source file, as places of panics have them.
kind! { like_places_of_panics:
    struct Place {
        file: &'static str,
        line: u32,
        column: u32,
    }
    let places: &[Place; 2] = black_box(&const {
        [
            Place { file: "src/parse.rs", line: if CHANGED { 180 } else { 120 }, column: 15 },
            Place { file: "src/parse.rs", line: if CHANGED { 105 } else { 70 }, column: 25 },
        ]
    });
    places.iter().map(|place| work(u64::from(place.line)) ^ place.file.len() as u64 ^ u64::from(place.column)).sum()
}

// A `match` that the compiler turns into a table.
kind! { switch_table:
    #[inline(never)]
    fn units(kind: u8) -> u64 {
        match kind {
            0 => 30,
            1 => 70,
            2 => if CHANGED { 170 } else { 90 },
            3 => 20,
            4 => if CHANGED { 60 } else { 40 },
            5 => 10,
            _ => 1,
        }
    }
    (0..6).map(|kind| work(units(black_box(kind)))).sum()
}

// A table of functions, in which the other one of two is called.
kind! { behind_table:
    fn quick() -> u64 {
        work(200)
    }
    fn thorough() -> u64 {
        work(300)
    }
    static STEPS: [fn() -> u64; 2] = if CHANGED { [thorough, quick] } else { [quick, thorough] };
    black_box(&STEPS)[0]()
}

// A method behind a trait object.
kind! { behind_vtable:
    trait Step {
        fn units(&self) -> u64;
    }
    struct One(u64);
    impl Step for One {
        fn units(&self) -> u64 {
            self.0 * if CHANGED { 3 } else { 2 }
        }
    }
    let step: &dyn Step = black_box(&One(100));
    work(step.units())
}

// A file in the executable.
kind! { embedded_file:
    static WORDS: &str =
        if CHANGED { include_str!("../data/more-words.txt") } else { include_str!("../data/words.txt") };
    work(black_box(WORDS).split(' ').count() as u64)
}

// A file that is read when it is first needed.
kind! { file:
    static WORDS: LazyLock<u64> = LazyLock::new(|| {
        let name = if CHANGED { "more-words.txt" } else { "words.txt" };
        let text = fs::read_to_string(format!("{}/data/{name}", env!("CARGO_MANIFEST_DIR")));
        text.expect("the words of the lab").split(' ').count() as u64
    });
    work(*WORDS)
}

// A number that a function writes before `main`.
kind! { initialiser:
    static UNITS: AtomicU64 = AtomicU64::new(200);
    extern "C" fn initialise() {
        UNITS.store(if CHANGED { 300 } else { 200 }, Relaxed);
    }
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
    static INITIALISE: extern "C" fn() = initialise;
    work(UNITS.load(Relaxed))
}
