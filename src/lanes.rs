//! The same work on many things, a few at a time: where the time goes into waiting for a disk, or several cores are there.
//!
//! Not its job: work whose order matters, and work that can be called off.

use std::panic::resume_unwind;
use std::thread;

/// Fewer things than this are done one after the other: a thread costs more than it saves.
const FEWEST: usize = 16;
/// At once, at most.
const LANES: usize = 4;

/// Does the work for each thing; what it gave, in the order of the things. After an error the others may have been done or
/// not.
///
/// # Errors
/// The first one, in that order.
pub(crate) fn each<T, R, E>(things: &[T], work: impl Fn(&T) -> Result<R, E> + Sync) -> Result<Vec<R>, E>
where
    T: Sync,
    R: Send,
    E: Send,
{
    if things.len() < FEWEST {
        return things.iter().map(work).collect();
    }
    let work = &work;
    let lane = |part| move || -> Result<Vec<R>, E> { <[T]>::iter(part).map(work).collect() };
    let parts: Vec<Result<Vec<R>, E>> = thread::scope(|scope| {
        let lanes: Vec<_> = things.chunks(things.len().div_ceil(LANES)).map(|part| scope.spawn(lane(part))).collect();
        lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|fault| resume_unwind(fault))).collect()
    });
    let mut all = Vec::with_capacity(things.len());
    for part in parts {
        all.extend(part?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_things_and_the_first_error_is_the_first_of_them() {
        for many in [0, 1, FEWEST - 1, FEWEST, 103] {
            let things: Vec<usize> = (0..many).collect();
            assert_eq!(
                each(&things, |thing| Ok::<_, ()>(thing * 2)),
                Ok(things.iter().map(|thing| thing * 2).collect())
            );
            let failed = each(&things, |thing| if thing % 50 == 49 { Err(*thing) } else { Ok(()) });
            assert_eq!(failed.err(), (many > 49).then_some(49));
        }
    }
}
