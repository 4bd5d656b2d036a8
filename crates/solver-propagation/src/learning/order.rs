//! The order in which candidates are decided: a heap by activity.

use super::groups::Var;

const NOWHERE: u32 = u32::MAX;

/// Beyond this the activities are scaled down, long before they overflow.
const HIGHEST: f64 = 1e100;

/// The candidates, those that took part in most of the latest conflicts first. A conflict counts more than the one before by a
/// constant factor, so what happened long ago fades.
#[derive(Debug)]
pub(super) struct Order {
    activities: Vec<f64>,
    heap: Vec<Var>,
    /// The place of each candidate in the heap.
    places: Vec<u32>,
    step: f64,
}

impl Order {
    /// All candidates, with the activities that they begin with.
    pub(super) fn new(activities: Vec<f64>) -> Order {
        let count = activities.len() as u32;
        let mut order = Order { activities, heap: (0..count).collect(), places: (0..count).collect(), step: 1.0 };
        for place in (0..order.heap.len() / 2).rev() {
            order.down(place);
        }
        order
    }

    /// A conflict is over: the next one counts for more.
    pub(super) fn decay(&mut self, factor: f64) {
        self.step /= factor;
    }

    pub(super) fn activity(&self, var: Var) -> f64 {
        self.activities[var as usize]
    }

    /// The candidate took part in a conflict.
    pub(super) fn bump(&mut self, var: Var) {
        self.activities[var as usize] += self.step;
        if self.activities[var as usize] > HIGHEST {
            for activity in &mut self.activities {
                *activity /= HIGHEST;
            }
            self.step /= HIGHEST;
        }
        let place = self.places[var as usize];
        if place != NOWHERE {
            self.up(place as usize);
        }
    }

    /// The first candidate.
    pub(super) fn first(&self) -> Option<Var> {
        self.heap.first().copied()
    }

    /// The first candidates of the heap: each with those before it that are more active, but not only the most active ones.
    pub(super) fn top(&self, count: usize) -> &[Var] {
        &self.heap[..count.min(self.heap.len())]
    }

    /// Takes the first candidate out.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            self.places[last as usize] = NOWHERE;
            return Some(last);
        };
        self.places[first as usize] = NOWHERE;
        self.put(0, last);
        self.down(0);
        Some(first)
    }

    /// Puts a candidate back, unless it is there.
    #[inline]
    pub(super) fn push(&mut self, var: Var) {
        if self.places[var as usize] == NOWHERE {
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    fn up(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.activity(self.heap[parent]) >= self.activity(var) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, var);
    }

    fn down(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.activity(self.heap[child + 1]) > self.activity(self.heap[child]) {
                child += 1;
            }
            if self.activity(self.heap[child]) <= self.activity(var) {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, var);
    }

    fn put(&mut self, place: usize, var: Var) {
        self.heap[place] = var;
        self.places[var as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_come_out_by_activity_and_go_back_in() {
        let mut order = Order::new(vec![0.5, 2.5, 1.0, 3.0, 0.0]);
        order.bump(0);
        assert_eq!((order.pop(), order.pop(), order.pop()), (Some(3), Some(1), Some(0)));
        order.decay(0.5);
        order.bump(4);
        order.push(1);
        order.push(1);
        assert_eq!([order.pop(), order.pop(), order.pop(), order.pop()].map(|var| var.unwrap_or(9)), [1, 4, 2, 9]);
    }

    #[test]
    fn activities_are_scaled_before_they_overflow_and_keep_their_order() {
        let mut order = Order::new(vec![0.0; 3]);
        for round in 0..20_000 {
            order.bump(round % 2);
            order.decay(0.95);
        }
        order.bump(1);
        order.bump(1);
        assert_eq!([order.pop(), order.pop(), order.pop()], [Some(1), Some(0), Some(2)]);
        assert!(order.activities.iter().all(|activity| activity.is_finite()));
    }
}
