//! Makes a list as short as possible while something lasts.

/// Leaves out items while `lasts` says that what is left will do, and gives the items that stay. First many at once, then fewer, in the end each
/// alone, again and again until none can go: the result is minimal in the sense that no single item can be left out, as far as
/// `lasts` answers the same question the same way.
///
/// (A. Zeller, R. Hildebrandt: Simplifying and isolating failure-inducing input, 2002; without the tests of the parts alone, which only
/// pay where much depends on little.)
pub(crate) fn minimize<T: Clone>(mut items: Vec<T>, mut lasts: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut size = items.len();
    while size > 0 {
        let before = items.len();
        let mut from = 0;
        while from < items.len() {
            let to = (from + size).min(items.len());
            let rest: Vec<T> = items[..from].iter().chain(&items[to..]).cloned().collect();
            if lasts(&rest) {
                items = rest;
            } else {
                from = to;
            }
        }
        size = match size {
            1 if items.len() < before => 1,
            1 => 0,
            _ => size.div_ceil(2).min(items.len()),
        };
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_stays_and_nothing_else() {
        let mut asked = 0;
        let needs = |wanted: &'static [u32]| move |items: &[u32]| wanted.iter().all(|item| items.contains(item));
        let kept = minimize((0..100).collect(), |items| {
            asked += 1;
            needs(&[17, 63])(items)
        });
        assert_eq!(kept, [17, 63]);
        assert!(asked < 60, "{asked} questions");
        assert_eq!(minimize((0..100).collect(), needs(&[])), Vec::<u32>::new());
        assert_eq!(minimize(Vec::new(), needs(&[])), Vec::<u32>::new());
        assert_eq!(minimize((0..5).collect(), needs(&[0, 1, 2, 3, 4])), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn an_item_that_can_only_go_after_another_goes_too() {
        // 2 stays as long as 5 is there.
        let lasts = |items: &[u32]| items.contains(&9) && (!items.contains(&5) || items.contains(&2));
        assert_eq!(minimize((0..10).collect(), lasts), [9]);
    }
}
