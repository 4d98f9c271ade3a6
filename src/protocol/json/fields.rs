//! Fields of a query: their types and ranges, and what is said of those that are wrong.

use serde_json::{Map, Value, json};

use crate::game::Side;
use crate::protocol::vertex;

/// Fault of a query, or a remark on it, and the field that it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) field: String,
    pub(super) text: String,
}

impl Fault {
    /// Says that of a field.
    pub(super) fn new(field: &str, text: impl Into<String>) -> Self {
        Self { field: field.to_owned(), text: text.into() }
    }

    /// The line that tells it: `kind` is `error` or `warning`.
    pub(super) fn line(&self, kind: &str, id: &str) -> String {
        json!({ kind: self.text, "field": self.field, "id": id }).to_string()
    }
}

/// Fields of an object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(super) fn get(self, field: &str) -> Option<&'a Value> {
        self.0.get(field)
    }

    /// A value, if the field is there, as `read` understands it.
    ///
    /// # Errors
    /// `text`, where it does not.
    fn read<T>(self, field: &str, text: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>, Fault> {
        let value = self.get(field).map(|value| read(value).ok_or_else(|| Fault::new(field, text)));
        value.transpose()
    }

    /// A whole number in a range.
    pub(super) fn integer(self, field: &str, low: i64, high: i64, text: &str) -> Result<Option<i64>, Fault> {
        self.read(field, text, |value| value.as_i64().filter(|number| (low..=high).contains(number)))
    }

    /// A number in a range.
    pub(super) fn number(self, field: &str, low: f64, high: f64, text: &str) -> Result<Option<f64>, Fault> {
        self.read(field, text, |value| value.as_f64().filter(|number| (low..=high).contains(number)))
    }

    /// A truth value, false where it is not given.
    pub(super) fn truth(self, field: &str) -> Result<bool, Fault> {
        self.read(field, "Must be a boolean", Value::as_bool).map(Option::unwrap_or_default)
    }

    /// A player.
    pub(super) fn side(self, field: &str) -> Result<Option<Side>, Fault> {
        self.read(field, "Must be \"b\" or \"w\"", |value| vertex::colour(value.as_str()?).ok())
    }

    /// A list of whole numbers.
    pub(super) fn integers(self, field: &str, text: &str) -> Result<Option<Vec<i64>>, Fault> {
        self.read(field, text, |value| value.as_array()?.iter().map(Value::as_i64).collect())
    }
}

/// A value as the text of a setting.
pub(super) fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_types_and_ranges() {
        let value = json!({"n": 3, "f": 3.0, "t": true, "p": "W", "l": [1, -2], "big": u64::MAX, "s": "3"});
        let fields = Fields(value.as_object().unwrap());
        assert_eq!(fields.integer("n", 0, 3, "x"), Ok(Some(3)));
        assert_eq!(fields.integer("none", 0, 3, "x"), Ok(None));
        for field in ["f", "t", "s", "big", "l"] {
            assert_eq!(fields.integer(field, 0, 9, "x"), Err(Fault::new(field, "x")), "{field}");
        }
        assert_eq!(fields.number("n", 0.0, 9.0, "x"), Ok(Some(3.0)));
        assert!(fields.number("f", 4.0, 9.0, "x").is_err() && fields.number("s", 0.0, 9.0, "x").is_err());
        assert_eq!((fields.truth("t"), fields.truth("none")), (Ok(true), Ok(false)));
        assert_eq!(fields.truth("n"), Err(Fault::new("n", "Must be a boolean")));
        assert_eq!(fields.side("p"), Ok(Some(Side::Second)));
        assert!(fields.side("n").is_err() && fields.side("s").is_err());
        assert_eq!(fields.integers("l", "x"), Ok(Some(vec![1, -2])));
        assert!(fields.integers("n", "x").is_err());
        let line = Fault::new("komi", "no").line("error", "a\"b");
        assert_eq!(line, r#"{"error":"no","field":"komi","id":"a\"b"}"#);
    }
}
