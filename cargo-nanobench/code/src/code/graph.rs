//! Follows the references of two executables in parallel, as long as both are equal.

use super::access::Access;
use super::comparison::{PartComparison, Use};
use super::data::Neighbours;
use super::executable::Executable;
use super::symbol::Symbol;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// A pair of parts to compare, by their addresses in both executables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Function(u64, u64),
    /// Data of a known size.
    Data(u64, u64, u64),
    /// Tables of offsets, each relative to the table, of a known size.
    Offsets(u64, u64, u64),
    /// Data without a symbol.
    Nameless(u64, u64),
    ThreadLocals,
}

impl Part {
    /// Returns the addresses of a pair of functions.
    fn functions(self) -> Option<(u64, u64)> {
        if let Part::Function(a, b) = self { Some((a, b)) } else { None }
    }
}

/// The result of comparing a pair of parts without the parts that they refer to.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) is_same: bool,
    /// True if something remains unknown.
    pub(super) is_uncertain: bool,
    /// The things outside of the executable that they get at.
    pub(super) access: Access,
    /// The pairs that they refer to.
    pub(super) references: Vec<Part>,
    /// The pairs of statics that are written to, and of [hashes of types](super::type_hashes).
    pub(super) counterparts: Vec<(u64, u64)>,
}

/// The pairs of parts of two executables that benchmarks have led to. Each is compared once.
#[derive(Debug, Default)]
pub(super) struct Graph {
    ids: HashMap<Part, usize>,
    /// By ID.
    nodes: Vec<Node>,
    pub(super) neighbours: Neighbours,
    /// The functions of the harness count as equal.
    skips_harness: bool,
    /// The number of comparisons so far.
    visits: usize,
}

#[derive(Debug)]
struct Node {
    part: Part,
    /// `None` until it was compared.
    compared: Option<Rc<(Rc<Compared>, Vec<usize>)>>,
    /// The last comparison that has led to it.
    visit: usize,
}

/// The part of the code of both executables that a comparison follows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The functions that are not followed in each.
    pub(super) others: [&'a HashSet<u64>; 2],
    /// The function in the first executable whose references are followed nevertheless.
    pub(super) own: u64,
}

/// The result of a comparison.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Equal,
    /// Contains the name, in the first executable, of the first function that differs or refers to
    /// different data.
    Differs(String),
    /// Nothing is known to differ, but the end of some data, or the use of an offset, is unknown.
    Uncertain,
}

impl Graph {
    /// Creates a graph that leaves out the functions of the harness.
    pub(super) fn without_harness() -> Graph {
        Graph { skips_harness: true, ..Graph::default() }
    }

    /// Compares everything that can be reached from these pairs of addresses.
    pub(super) fn compare(
        &mut self,
        executables: [&Executable; 2],
        roots: impl Iterator<Item = (u64, u64)>,
        scope: Option<Scope<'_>>,
    ) -> Outcome {
        let mut comparison = PartComparison::new(executables, &mut self.neighbours, self.skips_harness);
        let is_same =
            roots.fold(true, |same, (a, b)| comparison.is_same_target(a, b, Use::Any, None) && same);
        let compared = comparison.finish(is_same);
        self.follow(executables, compared, scope)
    }

    /// Returns what the code at these addresses, and all that it leads to, may get at outside of the
    /// executable.
    pub(super) fn access(
        &mut self,
        executable: &Executable,
        roots: &[u64],
        scope: Option<Scope<'_>>,
    ) -> Access {
        if self.compare([executable; 2], roots.iter().map(|&root| (root, root)), scope) != Outcome::Equal {
            return Access::UNKNOWN;
        }
        self.access_of_last()
    }

    /// Returns what the code that the last comparison has followed gets at outside of the executable.
    pub(super) fn access_of_last(&self) -> Access {
        let mut access = Access::default();
        let visited = self.nodes.iter().filter(|node| node.visit == self.visits);
        visited.filter_map(|node| node.compared.as_ref()).for_each(|compared| access |= compared.0.access);
        access
    }

    /// Returns the parts that the last comparison has followed.
    pub(super) fn parts_of_last(&self) -> impl Iterator<Item = Part> {
        self.nodes.iter().filter(|node| node.visit == self.visits).map(|node| node.part)
    }

    /// Follows all references from a part. Functions are visited in the order of calls.
    fn follow(
        &mut self,
        executables: [&Executable; 2],
        start: Compared,
        scope: Option<Scope<'_>>,
    ) -> Outcome {
        self.visits += 1;
        let visit = self.visits;
        let (mut functions, mut data) = (VecDeque::new(), Vec::new());
        // The counterpart of each static that is written to, from the first executable to the
        // second and back: two functions that share such a static must not have one each in the
        // other.
        let mut counterparts = [HashMap::new(), HashMap::new()];
        let (mut function, mut is_uncertain) = (0, false);
        let references = self.intern(&start.references);
        let mut next = Some(Rc::new((Rc::new(start), references)));
        while let Some(current) = next {
            let (compared, references) = &*current;
            let mut is_counterpart = |&(a, b): &(u64, u64)| {
                *counterparts[0].entry(a).or_insert(b) == b && *counterparts[1].entry(b).or_insert(a) == a
            };
            let has_counterparts = compared.counterparts.iter().all(&mut is_counterpart);
            if !compared.is_same || !has_counterparts {
                let name = executables[0].symbol(function).map(Symbol::demangled);
                return Outcome::Differs(name.unwrap_or_default());
            }
            is_uncertain |= compared.is_uncertain;
            for &id in references {
                let node = &mut self.nodes[id];
                let is_other = scope
                    .filter(|scope| scope.own != function)
                    .zip(node.part.functions())
                    .map(|(scope, (a, b))| [scope.others[0].contains(&a), scope.others[1].contains(&b)]);
                match is_other {
                    Some([true, true]) => continue,
                    Some([true, false] | [false, true]) => return Outcome::Differs(String::new()),
                    Some([false, false]) | None => {}
                }
                if node.visit != visit {
                    node.visit = visit;
                    if matches!(node.part, Part::Function(..)) {
                        functions.push_back(id);
                    } else {
                        data.push(id);
                    }
                }
            }
            // The data of a function come before the next function.
            next = data.pop().or_else(|| functions.pop_front()).map(|id| {
                if let Part::Function(a, _) = self.nodes[id].part {
                    function = a;
                }
                self.compared(executables, id)
            });
        }
        if is_uncertain { Outcome::Uncertain } else { Outcome::Equal }
    }

    /// Compares a pair of parts without the parts that they refer to.
    pub(super) fn compare_part(&mut self, executables: [&Executable; 2], part: Part) -> Rc<Compared> {
        let id = self.intern(&[part])[0];
        self.compared(executables, id).0.clone()
    }

    fn compared(&mut self, executables: [&Executable; 2], id: usize) -> Rc<(Rc<Compared>, Vec<usize>)> {
        if let Some(known) = &self.nodes[id].compared {
            return known.clone();
        }
        let comparison = PartComparison::new(executables, &mut self.neighbours, self.skips_harness);
        let compared = comparison.compare(self.nodes[id].part);
        let references = self.intern(&compared.references);
        self.nodes[id].compared.insert(Rc::new((Rc::new(compared), references))).clone()
    }

    /// Returns the IDs of these parts.
    fn intern(&mut self, parts: &[Part]) -> Vec<usize> {
        let id = |part: &Part| {
            *self.ids.entry(*part).or_insert_with(|| {
                self.nodes.push(Node { part: *part, compared: None, visit: 0 });
                self.nodes.len() - 1
            })
        };
        parts.iter().map(id).collect()
    }
}
