//! Shapes of what operators make, and numbers from which shapes are calculated.

use super::elements;
use super::file::{CheckedNode, Extent, MOST_DIMENSIONS, MOST_KNOWN};
use super::operators::{OperatorGroup, group};

/// Largest window, stride, dilation and border of a convolution or pool.
const LARGEST_WINDOW: usize = 64;

type Made = Result<Extent, String>;

/// Inputs of a node.
struct Inputs<'a>(&'a [Option<&'a Extent>]);

impl<'a> Inputs<'a> {
    fn get(&self, number: usize) -> Result<&'a Extent, String> {
        self.0.get(number).copied().flatten().ok_or_else(|| format!("input {number} is missing"))
    }

    /// The numbers of an optional input.
    fn integers(&self, number: usize) -> Result<Option<&'a [i64]>, String> {
        let Some(value) = self.0.get(number).copied().flatten() else { return Ok(None) };
        let known = value.integers.as_deref();
        known.map(Some).ok_or_else(|| format!("input {number} gives a size that is not known beforehand"))
    }
}

fn shaped(shape: Vec<usize>) -> Extent {
    Extent { shape, integers: None }
}

/// Extent of what a node makes, and how many products that takes.
///
/// # Errors
/// What does not fit together, or is not known.
pub(super) fn infer(node: &CheckedNode, inputs: &[Option<&Extent>]) -> Result<(Extent, usize), String> {
    let inputs = Inputs(inputs);
    let value = match group(&node.kind).ok_or("it is not known")? {
        OperatorGroup::Same => {
            let value = inputs.get(0)?;
            // Other types than those of 32 and 64 bits hold other numbers.
            let keeps = match node.kind.as_str() {
                "Cast" => matches!(node.integer("to", 0), 6 | 7),
                kind => kind == "Identity",
            };
            Extent { shape: value.shape.clone(), integers: value.integers.clone().filter(|_| keeps) }
        }
        OperatorGroup::Broadcast => shaped(broadcast(&inputs)?),
        OperatorGroup::Arithmetic => Extent { shape: broadcast(&inputs)?, integers: calculated(node, &inputs) },
        OperatorGroup::Window => return window(node, &inputs),
        OperatorGroup::WholeBoard => {
            let shape = &inputs.get(0)?.shape;
            shaped(shape.iter().enumerate().map(|(axis, &size)| if axis < 2 { size } else { 1 }).collect())
        }
        OperatorGroup::Reduce => reduced(node, &inputs)?,
        OperatorGroup::Product => return product(node, &inputs),
        OperatorGroup::Rearrange => rearranged(node, &inputs)?,
        OperatorGroup::Choice => match node.kind.as_str() {
            "Concat" => joined(node, &inputs)?,
            "Gather" => gathered(node, &inputs)?,
            "Pad" => padded(node, &inputs)?,
            _ => sliced(node, &inputs)?,
        },
        OperatorGroup::Made => made(node, &inputs)?,
    };
    // What has rows of numbers is calculated by runtimes alone: nothing may rest on their order.
    let is_list = value.shape.len() <= 1;
    let whole = |all: &Vec<i64>| is_list && Some(all.len()) == elements(&value.shape);
    let value = Extent { integers: value.integers.clone().filter(whole), ..value };
    if value.shape.len() > MOST_DIMENSIONS {
        return Err(format!("it makes {} dimensions", value.shape.len()));
    }
    let size = elements(&value.shape).ok_or_else(|| format!("it makes {:?}", value.shape))?;
    Ok((value, size))
}

/// Shape of all inputs stretched to fit each other.
fn broadcast(inputs: &Inputs<'_>) -> Result<Vec<usize>, String> {
    let mut shape: Vec<usize> = Vec::new();
    for number in 0..inputs.0.len() {
        shape = stretched(&shape, &inputs.get(number)?.shape)?;
    }
    Ok(shape)
}

fn stretched(a: &[usize], b: &[usize]) -> Result<Vec<usize>, String> {
    let rank = a.len().max(b.len());
    let at = |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
    let size = |axis| match (at(a, axis), at(b, axis)) {
        (a, b) if a == b || b == 1 => Ok(a),
        (1, b) => Ok(b),
        _ => Err(format!("{a:?} does not go with {b:?}")),
    };
    (0..rank).map(size).collect()
}

/// Sums and the like of numbers from which sizes are calculated, where all are of 32 bits, with which runtimes may calculate.
fn calculated(node: &CheckedNode, inputs: &Inputs<'_>) -> Option<Vec<i64>> {
    let [a, b] = [0, 1].map(|number| inputs.get(number).ok().and_then(|value| value.integers.as_deref()));
    let (a, b) = (a?, b?);
    let length = a.len().max(b.len());
    let at =
        |numbers: &[i64], place: usize| if numbers.len() == 1 { numbers.first() } else { numbers.get(place) }.copied();
    let is_small = |number: &i64| i32::try_from(*number).is_ok();
    let number = |place| {
        let (a, b) = (at(a, place).filter(is_small)?, at(b, place).filter(is_small)?);
        let made = match node.kind.as_str() {
            "Add" => a.checked_add(b),
            "Sub" => a.checked_sub(b),
            "Mul" => a.checked_mul(b),
            _ => a.checked_div(b),
        };
        made.filter(is_small)
    };
    (0..length).map(number).collect()
}

/// Positive attribute numbers within bounds, or as many of the usual one.
fn bounded(node: &CheckedNode, name: &str, count: usize, usual: usize, least: usize) -> Result<Vec<usize>, String> {
    let Some(numbers) = node.integers(name) else { return Ok(vec![usual; count]) };
    let fits = |&number: &i64| usize::try_from(number).ok().filter(|number| (least..=LARGEST_WINDOW).contains(number));
    let fitting: Option<Vec<usize>> = numbers.iter().map(fits).collect();
    fitting.filter(|fitting| fitting.len() == count).ok_or_else(|| format!("'{name}' is {numbers:?}"))
}

fn window(node: &CheckedNode, inputs: &Inputs<'_>) -> Result<(Extent, usize), String> {
    let &[positions, channels, rows, columns] = inputs.get(0)?.shape.as_slice() else {
        return Err(format!("it is of a tensor of {:?}", inputs.get(0)?.shape));
    };
    let (outputs, each, size) = if node.kind == "Conv" {
        let &[outputs, of, height, width] = inputs.get(1)?.shape.as_slice() else {
            return Err(format!("its weights are of {:?}", inputs.get(1)?.shape));
        };
        let groups = usize::try_from(node.integer("group", 1)).unwrap_or(0);
        let fits = groups > 0 && of.checked_mul(groups) == Some(channels) && outputs % groups == 0 && outputs > 0;
        let size = [height, width];
        let said = node.integers("kernel_shape").is_none_or(|said| said == size.map(|n| n as i64));
        if !fits || !said || !size.iter().all(|side| (1..=LARGEST_WINDOW).contains(side)) {
            return Err(format!("weights of {:?} do not go with {channels} channels", [outputs, of, height, width]));
        }
        if inputs.0.get(2).copied().flatten().is_some_and(|bias| bias.shape != [outputs]) {
            return Err("its bias is of another size".to_owned());
        }
        (outputs, of, size)
    } else {
        let size = bounded(node, "kernel_shape", 2, 0, 1)?;
        (channels, 1, [size[0], size[1]])
    };
    let [strides, dilations] = [("strides", 1), ("dilations", 1)].map(|(name, usual)| bounded(node, name, 2, usual, 1));
    let (strides, dilations, pads) = (strides?, dilations?, bounded(node, "pads", 4, 0, 0)?);
    let padding = node.text("auto_pad").unwrap_or("NOTSET");
    let up = node.integer("ceil_mode", 0) != 0;
    let mut sides = [rows, columns];
    for axis in 0..2 {
        let spread = (size[axis].max(1) - 1) * dilations[axis] + 1;
        sides[axis] = match padding {
            "SAME_UPPER" | "SAME_LOWER" => sides[axis].div_ceil(strides[axis]),
            "NOTSET" | "VALID" => {
                let border = if padding == "VALID" { 0 } else { pads[axis] + pads[axis + 2] };
                let left = (sides[axis] + border).checked_sub(spread);
                let left = left.ok_or_else(|| format!("a window of {size:?} does not fit on {rows}x{columns}"))?;
                1 + if up { left.div_ceil(strides[axis]) } else { left / strides[axis] }
            }
            _ => return Err(format!("'auto_pad' is '{}'", padding.escape_debug())),
        };
    }
    let shape = vec![positions, outputs, sides[0], sides[1]];
    let products = elements(&shape).and_then(|size| size.checked_mul(each));
    let products = products.and_then(|products| products.checked_mul(size[0] * size[1]));
    Ok((shaped(shape), products.ok_or("it takes too many products")?))
}

/// The place of an axis that may count from the end.
fn axis_of(axis: i64, rank: usize) -> Result<usize, String> {
    let place = if axis < 0 { axis.checked_add(rank as i64) } else { Some(axis) };
    let place = place.and_then(|place| usize::try_from(place).ok()).filter(|place| *place < rank);
    place.ok_or_else(|| format!("it has no axis {axis} of {rank}"))
}

/// Axes by an attribute, or by an input in newer files.
fn axes(node: &CheckedNode, inputs: &Inputs<'_>, rank: usize) -> Result<Option<Vec<usize>>, String> {
    let named = node.integers("axes").map(Ok).or_else(|| inputs.integers(1).transpose()).transpose()?;
    named.map(|axes| axes.iter().map(|&axis| axis_of(axis, rank)).collect()).transpose()
}

fn reduced(node: &CheckedNode, inputs: &Inputs<'_>) -> Made {
    let shape = &inputs.get(0)?.shape;
    let axes = axes(node, inputs, shape.len())?.filter(|axes| !axes.is_empty());
    let gone = |axis: usize| axes.as_ref().is_none_or(|axes| axes.contains(&axis));
    let keep = node.integer("keepdims", 1) != 0;
    let all = shape.iter().enumerate();
    let left = all.filter_map(|(axis, &size)| if gone(axis) { keep.then_some(1) } else { Some(size) });
    Ok(shaped(left.collect()))
}

fn product(node: &CheckedNode, inputs: &Inputs<'_>) -> Result<(Extent, usize), String> {
    let (a, b) = (&inputs.get(0)?.shape, &inputs.get(1)?.shape);
    let unfit = || format!("{a:?} does not go with {b:?}");
    let (&[.., rows, inner], &[.., inner_b, columns]) = (a.as_slice(), b.as_slice()) else { return Err(unfit()) };
    let turned = |name: &str| node.kind == "Gemm" && node.integer(name, 0) != 0;
    let (rows, inner) = if turned("transA") { (inner, rows) } else { (rows, inner) };
    let (inner_b, columns) = if turned("transB") { (columns, inner_b) } else { (inner_b, columns) };
    if inner != inner_b || node.kind == "Gemm" && (a.len(), b.len()) != (2, 2) {
        return Err(unfit());
    }
    let mut shape = stretched(&a[..a.len() - 2], &b[..b.len() - 2])?;
    shape.extend([rows, columns]);
    if node.kind == "Gemm" && inputs.0.len() > 2 && stretched(&shape, &inputs.get(2)?.shape)? != shape {
        return Err("what is added to it is larger".to_owned());
    }
    let products = elements(&shape).and_then(|size| size.checked_mul(inner.max(1)));
    Ok((shaped(shape), products.ok_or("it takes too many products")?))
}

fn rearranged(node: &CheckedNode, inputs: &Inputs<'_>) -> Made {
    let value = inputs.get(0)?;
    let (shape, rank) = (&value.shape, value.shape.len());
    let new = match node.kind.as_str() {
        "Flatten" => {
            let axis = node.integer("axis", 1);
            let axis = if axis == rank as i64 { rank } else { axis_of(axis, rank.max(1))?.min(rank) };
            let part = |part: &[usize]| elements(part).ok_or("it is too large");
            vec![part(&shape[..axis])?, part(&shape[axis..])?]
        }
        "Transpose" => {
            let order = node.integers("perm").map_or((0..rank as i64).rev().collect(), <[i64]>::to_vec);
            let order = order.iter().map(|&axis| axis_of(axis, rank)).collect::<Result<Vec<_>, _>>()?;
            if order.len() != rank || (0..rank).any(|axis| !order.contains(&axis)) {
                return Err(format!("'perm' is {order:?}"));
            }
            order.iter().map(|&axis| shape[axis]).collect()
        }
        "Unsqueeze" => {
            let count = node
                .integers("axes")
                .map_or_else(|| inputs.integers(1).map(|axes| axes.map_or(0, <[i64]>::len)), |a| Ok(a.len()))?;
            let places = axes(node, inputs, rank + count.min(MOST_DIMENSIONS))?.ok_or("it has no axes")?;
            let mut old = shape.iter().copied();
            (0..rank + count)
                .map(|axis| if places.contains(&axis) { Some(1) } else { old.next() })
                .collect::<Option<_>>()
                .ok_or("it has an axis twice")?
        }
        "Squeeze" => {
            let gone = axes(node, inputs, rank)?;
            let goes = |axis: usize, size: usize| gone.as_ref().map_or(size == 1, |gone| gone.contains(&axis));
            shape.iter().enumerate().filter(|(axis, size)| !goes(*axis, **size)).map(|(_, &size)| size).collect()
        }
        _ => reshaped(shape, inputs.integers(1)?.ok_or("it has no shape")?)?,
    };
    if elements(&new) != elements(shape) {
        return Err(format!("{shape:?} does not become {new:?}"));
    }
    Ok(Extent { shape: new, integers: value.integers.clone() })
}

/// The shape that is wanted, where 0 stands for what it was and -1 for what is left.
fn reshaped(shape: &[usize], wanted: &[i64]) -> Result<Vec<usize>, String> {
    let unfit = || format!("{shape:?} does not become {wanted:?}");
    let mut new = Vec::with_capacity(wanted.len());
    for (axis, &size) in wanted.iter().enumerate() {
        new.push(match size {
            0 => *shape.get(axis).ok_or_else(unfit)?,
            -1 => 1,
            size => usize::try_from(size).map_err(|_| unfit())?,
        });
    }
    if let Some(free) = wanted.iter().position(|size| *size == -1) {
        let (whole, others) = (elements(shape).ok_or_else(unfit)?, elements(&new).ok_or_else(unfit)?);
        new[free] = whole.checked_div(others).ok_or_else(unfit)?;
    }
    Ok(new)
}

fn joined(node: &CheckedNode, inputs: &Inputs<'_>) -> Made {
    let first = inputs.get(0)?;
    let axis = axis_of(
        node.integers("axis").and_then(|axis| axis.first().copied()).ok_or("it has no axis")?,
        first.shape.len(),
    )?;
    let mut shape = first.shape.clone();
    let mut integers = Some(Vec::new());
    shape[axis] = 0;
    for number in 0..inputs.0.len() {
        let value = inputs.get(number)?;
        let fits = |(other, (&a, &b)): (usize, (&usize, &usize))| other == axis || a == b;
        if value.shape.len() != shape.len() || !value.shape.iter().zip(&shape).enumerate().all(fits) {
            return Err(format!("{:?} does not go with {:?}", value.shape, first.shape));
        }
        shape[axis] = shape[axis].checked_add(value.shape[axis]).ok_or("it is too large")?;
        integers = integers.zip(value.integers.as_ref()).map(|(all, more)| [all, more.clone()].concat());
    }
    let integers = integers.filter(|all| shape.len() == 1 && all.len() <= MOST_KNOWN);
    Ok(Extent { shape, integers })
}

fn gathered(node: &CheckedNode, inputs: &Inputs<'_>) -> Made {
    let (from, places) = (inputs.get(0)?, inputs.get(1)?);
    let axis = axis_of(node.integer("axis", 0), from.shape.len())?;
    let shape = [&from.shape[..axis], &places.shape, &from.shape[axis + 1..]].concat();
    let pick = |numbers: &Vec<i64>| -> Option<Vec<i64>> {
        let place = |&place: &i64| Some(numbers[axis_of(place, numbers.len()).ok()?]);
        places.integers.as_ref()?.iter().map(place).collect()
    };
    Ok(Extent { shape, integers: from.integers.as_ref().filter(|_| from.shape.len() == 1).and_then(pick) })
}

fn padded(node: &CheckedNode, inputs: &Inputs<'_>) -> Made {
    let shape = &inputs.get(0)?.shape;
    let pads =
        node.integers("pads").map_or_else(|| inputs.integers(1), |pads| Ok(Some(pads)))?.ok_or("it has no pads")?;
    if pads.len() != 2 * shape.len() || inputs.0.len() > 3 {
        return Err(format!("pads of {pads:?} do not go with {shape:?}"));
    }
    let side = |(axis, &size): (usize, &usize)| {
        let side = i64::try_from(size).ok()?.checked_add(pads[axis])?.checked_add(pads[axis + shape.len()])?;
        usize::try_from(side).ok()
    };
    let sides = shape.iter().enumerate().map(side).collect::<Option<_>>();
    Ok(shaped(sides.ok_or_else(|| format!("pads of {pads:?} do not go with {shape:?}"))?))
}

fn sliced(_: &CheckedNode, inputs: &Inputs<'_>) -> Made {
    let value = inputs.get(0)?;
    let mut shape = value.shape.clone();
    let (starts, ends) = (inputs.integers(1)?.ok_or("it has no start")?, inputs.integers(2)?.ok_or("it has no end")?);
    let usual: Vec<i64> = (0..starts.len() as i64).collect();
    let axes = inputs.integers(3)?.unwrap_or(&usual);
    let ones = vec![1; starts.len()];
    let steps = inputs.integers(4)?.unwrap_or(&ones);
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        return Err("its parts are not of one length".to_owned());
    }
    let mut integers = value.integers.clone().filter(|_| shape.len() == 1);
    for (place, &axis) in axes.iter().enumerate() {
        let axis = axis_of(axis, shape.len())?;
        let (size, step) = (shape[axis] as i64, steps[place]);
        let (low, high) = if step > 0 { (0, size) } else { (-1, size - 1) };
        let bound = |at: i64| (if at < 0 { at.saturating_add(size) } else { at }).clamp(low, high);
        let (start, end) = (bound(starts[place]), bound(ends[place]));
        let step_by = usize::try_from(step.unsigned_abs()).ok().filter(|step| *step > 0).ok_or("its step is 0")?;
        let span = if step > 0 { end - start } else { start - end };
        shape[axis] = usize::try_from(span).unwrap_or(0).div_ceil(step_by);
        let pick = |all: Vec<i64>| -> Option<Vec<i64>> {
            let at = |number: usize| {
                all.get(usize::try_from(start.checked_add(step.checked_mul(number as i64)?)?).ok()?).copied()
            };
            (0..shape[axis]).map(at).collect()
        };
        integers = integers.and_then(pick);
    }
    Ok(Extent { shape, integers })
}

fn made(node: &CheckedNode, inputs: &Inputs<'_>) -> Made {
    let sizes = |number| -> Result<Vec<usize>, String> {
        let sizes = inputs.integers(number)?.ok_or("it has no shape")?;
        let sizes: Option<Vec<usize>> = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
        sizes.ok_or_else(|| "its shape is negative".to_owned())
    };
    match node.kind.as_str() {
        "Constant" => {
            let number =
                || node.integers("value_int").map(|one| Extent { shape: vec![], integers: Some(one.to_vec()) });
            let list = || {
                node.integers("value_ints").map(|all| Extent { shape: vec![all.len()], integers: Some(all.to_vec()) })
            };
            node.tensor("value").cloned().or_else(number).or_else(list).ok_or_else(|| "it has no value".to_owned())
        }
        "ConstantOfShape" => Ok(shaped(sizes(0)?)),
        "Expand" => Ok(shaped(stretched(&inputs.get(0)?.shape, &sizes(1)?)?)),
        _ if node.integers("start").or(node.integers("end")).is_some() => {
            Err("a part of a shape is asked for".to_owned())
        }
        _ => {
            let shape = &inputs.get(0)?.shape;
            Ok(Extent { shape: vec![shape.len()], integers: Some(shape.iter().map(|&size| size as i64).collect()) })
        }
    }
}
