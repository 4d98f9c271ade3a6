//! Loom's locks with the interface of `parking_lot`.

use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::time::Instant;

/// A lock.
#[derive(Default)]
pub struct Mutex<T>(loom::sync::Mutex<T>);

/// A locked lock; empty only while a thread waits.
pub struct MutexGuard<'a, T>(Option<loom::sync::MutexGuard<'a, T>>);

/// A condition that threads wait for.
#[derive(Debug, Default)]
pub struct Condvar(loom::sync::Condvar);

/// How waiting ended.
pub struct WaitResult;

impl<T> Mutex<T> {
    /// Locks it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().expect("no thread panics")))
    }
}

impl<T> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mutex")
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("locked")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("locked")
    }
}

impl Condvar {
    /// Wakes every thread that waits.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }

    /// Waits to be woken.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let locked = guard.0.take().expect("locked");
        guard.0 = Some(self.0.wait(locked).expect("no thread panics"));
    }

    /// Waits to be woken: time does not pass in a model.
    pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, _: Instant) -> WaitResult {
        self.wait(guard);
        WaitResult
    }
}

impl WaitResult {
    /// Never: see [`Condvar::wait_until`].
    pub fn timed_out(&self) -> bool {
        false
    }
}
