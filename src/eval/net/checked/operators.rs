//! Operators that models may use, by the way in which they make shapes.

/// Ways in which operators make shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperatorGroup {
    /// As the first input.
    Same,
    /// All inputs against each other.
    Broadcast,
    Arithmetic,
    Window,
    WholeBoard,
    Reduce,
    Product,
    Rearrange,
    Choice,
    Made,
}

/// Operators that models may use: those of our own models, and those that networks of other programs consist of. None has a graph
/// inside, makes a sequence, or makes something whose size is known only from its numbers.
const OPERATORS: &[(OperatorGroup, &[&str])] = &[
    (
        OperatorGroup::Same,
        &[
            "Abs",
            "BatchNormalization",
            "Cast",
            "Ceil",
            "Clip",
            "Cos",
            "DequantizeLinear",
            "Dropout",
            "Elu",
            "Erf",
            "Exp",
            "Floor",
            "Gelu",
            "HardSigmoid",
            "HardSwish",
            "Identity",
            "InstanceNormalization",
            "LayerNormalization",
            "LeakyRelu",
            "Log",
            "LogSoftmax",
            "Mish",
            "Neg",
            "Not",
            "QuantizeLinear",
            "Reciprocal",
            "Relu",
            "Round",
            "Selu",
            "Sigmoid",
            "Sign",
            "Sin",
            "Softmax",
            "Softplus",
            "Softsign",
            "Sqrt",
            "Tanh",
        ],
    ),
    (
        OperatorGroup::Broadcast,
        &["And", "Equal", "Greater", "Less", "Max", "Mean", "Min", "Or", "PRelu", "Pow", "Sum", "Where"],
    ),
    (OperatorGroup::Arithmetic, &["Add", "Div", "Mul", "Sub"]),
    (OperatorGroup::Window, &["AveragePool", "Conv", "MaxPool"]),
    (OperatorGroup::WholeBoard, &["GlobalAveragePool", "GlobalMaxPool"]),
    (OperatorGroup::Reduce, &["ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum"]),
    (OperatorGroup::Product, &["Gemm", "MatMul"]),
    (OperatorGroup::Rearrange, &["Flatten", "Reshape", "Squeeze", "Transpose", "Unsqueeze"]),
    (OperatorGroup::Choice, &["Concat", "Gather", "Pad", "Slice"]),
    (OperatorGroup::Made, &["Constant", "ConstantOfShape", "Expand", "Shape"]),
];

/// The group of an operator; `None` where models may not use it.
pub(super) fn group(kind: &str) -> Option<OperatorGroup> {
    OPERATORS.iter().find(|(_, names)| names.contains(&kind)).map(|(group, _)| *group)
}
