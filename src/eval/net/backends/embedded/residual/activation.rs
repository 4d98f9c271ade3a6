//! Functions of each number.

use rten_simd::ops::{BitOps, FloatOps, IntOps, NumOps};
use rten_simd::{Isa, Simd};

use super::super::instructions::rectified;
use crate::eval::net::katago::net::Activation;

/// Logarithm of two, in a part of few digits and what that leaves.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// Coefficients of the exponential function around 0, from the sixth power down to the second.
const POWERS: [f32; 5] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5];

/// Where the exponential function ends: nothing beside 1, and its products with other numbers are not so small that processors calculate
/// them many times slower (denormal numbers).
const LEAST: f32 = -60.0;

/// The exponential function of numbers that are not above 88; that of [`LEAST`] below it.
#[inline(always)]
pub(super) fn exponential<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let (ops, integers) = (isa.f32(), isa.i32());
    let x = ops.max(ops.splat(LEAST), x);
    let whole = ops.round_ties_even(ops.mul(x, ops.splat(std::f32::consts::LOG2_E)));
    let rest = ops.mul_add(whole, ops.splat(-LN_2[0]), x);
    let rest = ops.mul_add(whole, ops.splat(-LN_2[1]), rest);
    let mut sum = ops.splat(POWERS[0]);
    for power in &POWERS[1..] {
        sum = ops.mul_add(sum, rest, ops.splat(*power));
    }
    sum = ops.mul_add(sum, rest, ops.one());
    sum = ops.mul_add(sum, rest, ops.one());
    let exponent = integers.add(ops.to_int_trunc(whole), integers.splat(127));
    ops.mul(sum, integers.shift_left::<23>(exponent).reinterpret_cast::<I::F32>())
}

/// `x / (1 + e⁻ˣ)`.
#[inline(always)]
pub(super) fn silu<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let ops = isa.f32();
    // Beyond, the result is x or nothing all the same.
    let least = ops.max(ops.splat(-80.0), x);
    ops.div(x, ops.add(ops.one(), exponential(isa, ops.neg(least))))
}

/// `x · tanh(ln(1 + eˣ))`: with `n = eˣ · (eˣ + 2)` that is `x · n / (n + 2)`.
#[inline(always)]
fn mish<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let ops = isa.f32();
    // Beyond 20 the result is x.
    let power = exponential(isa, ops.min(ops.splat(20.0), x));
    let n = ops.mul(power, ops.add(power, ops.splat(2.0)));
    ops.mul(x, ops.div(n, ops.add(n, ops.splat(2.0))))
}

#[inline(always)]
pub(super) fn activated<I: Isa>(isa: I, activation: Activation, x: I::F32) -> I::F32 {
    match activation {
        Activation::Identity => x,
        Activation::Relu => rectified(isa, x),
        Activation::Mish => mish(isa, x),
        Activation::Silu => silu(isa, x),
    }
}

/// Activation of one number.
pub(super) fn activate_one(activation: Activation, x: f32) -> f32 {
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.max(0.0),
        Activation::Mish => x * x.exp().ln_1p().tanh(),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}
