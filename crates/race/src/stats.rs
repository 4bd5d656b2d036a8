//! Order statistics and rank correlation, over values that may be cut off.

/// The value at a share of the way through `sorted`, by the nearest rank: the least value that at least this share of all values do not
/// exceed. `None` where there are no values. `share` is from 0 to 1.
///
/// ```
/// assert_eq!(ninefold_race::quantile(&[1, 2, 3, 4], 0.5), Some(&2));
/// assert_eq!(ninefold_race::quantile(&[1, 2, 3, 4], 0.9), Some(&4));
/// ```
pub fn quantile<T>(sorted: &[T], share: f64) -> Option<&T> {
    let rank = (share.clamp(0.0, 1.0) * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1)
}

/// Spearman's rank correlation (C. Spearman 1904): from -1 to 1, and 1 where both put everything in the same order. Equal values share the mean
/// of their ranks. `None` where the lists have different lengths, fewer than three values, or one value throughout.
pub fn spearman(a: &[u64], b: &[u64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 3 {
        return None;
    }
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let mut sums = [0.0; 3];
    for (x, y) in a.iter().zip(&b) {
        let (x, y) = (x - mean, y - mean);
        sums[0] += x * y;
        sums[1] += x * x;
        sums[2] += y * y;
    }
    let size = (sums[1] * sums[2]).sqrt();
    if size == 0.0 { None } else { Some((sums[0] / size).clamp(-1.0, 1.0)) }
}

/// Ranks from 1; equal values share their mean.
fn ranks(values: &[u64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by_key(|&i| values[i]);
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for equal in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let mean = from as f64 + (equal.len() as f64 + 1.0) / 2.0;
        equal.iter().for_each(|&i| ranks[i] = mean);
        from += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occur() {
        assert_eq!(quantile::<u64>(&[], 0.5), None);
        let hundred: Vec<u64> = (1..=100).collect();
        for (share, value) in [(0.0, 1), (0.5, 50), (0.9, 90), (0.99, 99), (1.0, 100), (7.0, 100)] {
            assert_eq!(quantile(&hundred, share), Some(&value));
        }
        assert_eq!(quantile(&[7], 0.99), Some(&7));
    }

    #[test]
    fn spearman_depends_on_the_order_alone() {
        assert_eq!(spearman(&[1, 2, 3, 4], &[10, 200, 3000, 40_000]), Some(1.0));
        assert_eq!(spearman(&[1, 2, 3, 4], &[9, 8, 2, 1]), Some(-1.0));
        assert_eq!(spearman(&[1, 2, 3], &[5, 5, 5]), None);
        assert_eq!(spearman(&[1, 2], &[1, 2]), None);
        assert_eq!(spearman(&[1, 2, 3], &[1, 2]), None);
        // The textbook example of IQ and hours of television: rho = -29/165.
        let iq = [106, 86, 100, 101, 99, 103, 97, 113, 112, 110];
        let hours = [7, 0, 27, 50, 28, 29, 20, 12, 6, 17];
        let rho = spearman(&iq, &hours).unwrap();
        assert!((rho + 29.0 / 165.0).abs() < 1e-12, "{rho}");
    }

    #[test]
    fn equal_values_share_their_mean_rank() {
        assert_eq!(ranks(&[5, 1, 5, 9, 5]), [3.0, 1.0, 3.0, 5.0, 3.0]);
    }
}
