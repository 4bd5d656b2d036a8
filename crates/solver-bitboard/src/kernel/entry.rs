//! The kernel compiled for each kind of processor, and the choice between them at run time.

use std::fmt;

use super::search::{Inference, Slot, Watch, search};
use crate::vector::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::vector::x86::{Avx2, Avx512};

/// The instructions that an engine uses. A `Path` exists only for what this processor has: the constructors look.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Path {
    /// Plain Rust, on any processor.
    pub const fn portable() -> Path {
        Path(Kind::Portable)
    }

    /// AVX2, where the processor has it.
    pub fn avx2() -> Option<Path> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Some(Path(Kind::Avx2));
        }
        None
    }

    /// AVX-512 on 256-bit registers (F, VL, BW, VPOPCNTDQ), where the processor has it.
    pub fn avx512() -> Option<Path> {
        #[cfg(target_arch = "x86_64")]
        if Path::avx2().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vpopcntdq")
        {
            return Some(Path(Kind::Avx512));
        }
        None
    }

    /// The fastest that this processor has.
    pub fn best() -> Path {
        Path::avx512().or_else(Path::avx2).unwrap_or(Path::portable())
    }

    /// All that this processor has, the slowest first.
    pub fn available() -> impl Iterator<Item = Path> {
        [Some(Path::portable()), Path::avx2(), Path::avx512()].into_iter().flatten()
    }

    /// `portable`, `avx2` or `avx512`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A watcher for whatever vectors the path uses.
#[cfg(target_arch = "x86_64")]
pub(crate) trait WatchAny: Watch<Portable> + Watch<Avx2> + Watch<Avx512> {}
#[cfg(target_arch = "x86_64")]
impl<W: Watch<Portable> + Watch<Avx2> + Watch<Avx512>> WatchAny for W {}
/// A watcher for whatever vectors the path uses.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) trait WatchAny: Watch<Portable> {}
#[cfg(not(target_arch = "x86_64"))]
impl<W: Watch<Portable>> WatchAny for W {}

/// [`search`] on the given path.
#[inline]
pub(crate) fn run<W: WatchAny>(
    path: Path,
    givens: &[u8; 81],
    allowed: Option<&[u16; 81]>,
    inference: Inference,
    stack: &mut Vec<Slot>,
    watch: &mut W,
) {
    match path.0 {
        Kind::Portable => search::<Portable, W>(givens, allowed, inference, stack, watch),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Path` of this kind is made by `Path::avx2` alone, which has seen every feature that the function enables.
        Kind::Avx2 => unsafe { run_avx2(givens, allowed, inference, stack, watch) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: likewise with `Path::avx512`.
        Kind::Avx512 => unsafe { run_avx512(givens, allowed, inference, stack, watch) },
    }
}

/// # Safety
///
/// The processor has the features named here.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn run_avx2<W: Watch<Avx2>>(
    givens: &[u8; 81],
    allowed: Option<&[u16; 81]>,
    inference: Inference,
    stack: &mut Vec<Slot>,
    watch: &mut W,
) {
    search::<Avx2, W>(givens, allowed, inference, stack, watch);
}

/// # Safety
///
/// The processor has the features named here.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512bw,avx512vpopcntdq")]
unsafe fn run_avx512<W: Watch<Avx512>>(
    givens: &[u8; 81],
    allowed: Option<&[u16; 81]>,
    inference: Inference,
    stack: &mut Vec<Slot>,
    watch: &mut W,
) {
    search::<Avx512, W>(givens, allowed, inference, stack, watch);
}
