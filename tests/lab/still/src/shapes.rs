//! Trait objects.

pub trait Shape: Sync + Send {
    fn area(&self) -> f64;
}

struct Square(f64);

struct Circle(f64);

impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
}

pub fn shapes(n: usize) -> Vec<Box<dyn Shape>> {
    let shape = |i: usize| -> Box<dyn Shape> {
        match i % 3 {
            0 => Box::new(Square(i as f64)),
            _ => Box::new(Circle(i as f64)),
        }
    };
    (0..n).map(shape).collect()
}

pub fn area(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum()
}
