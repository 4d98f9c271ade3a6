//! The page's modules as one file, so that a browser asks once instead of thirty times.
//!
//! Each module becomes a function that is called at once and gives its exports back; a module stands behind those that it imports. The
//! modules keep to a few forms, each on a line of its own: `import { a, b as c } from "./m.js";`, `import * as m from "./m.js";`,
//! and `export` before a function, a class or a constant.

/// The text of the module `root` with all that it imports, directly or not. `text_of` has the modules by name.
///
/// # Errors
/// A line of another form, a module that is missing, or one that imports itself in a circle.
pub(super) fn bundle(root: &str, text_of: &dyn Fn(&str) -> Option<&'static str>) -> Result<String, String> {
    let mut modules = Modules { text_of, begun: Vec::new(), text: String::new() };
    modules.add(root)?;
    Ok(modules.text)
}

struct Modules<'a> {
    text_of: &'a dyn Fn(&str) -> Option<&'static str>,
    /// Names of modules, and whether they are in the text.
    begun: Vec<(String, bool)>,
    text: String,
}

impl Modules<'_> {
    fn add(&mut self, name: &str) -> Result<(), String> {
        if let Some((_, whole)) = self.begun.iter().find(|(begun, _)| begun == name) {
            return if *whole { Ok(()) } else { Err(format!("{name} imports itself in a circle")) };
        }
        self.begun.push((name.to_owned(), false));
        let number = self.begun.len() - 1;
        let text = (self.text_of)(name).ok_or_else(|| format!("there is no {name}"))?;
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in text.lines() {
            let wrong = || format!("{name}: {line}");
            if let Some(import) = line.strip_prefix("import ") {
                let (names, from) = import.split_once(" from \"./").ok_or_else(wrong)?;
                let from = from.strip_suffix("\";").ok_or_else(wrong)?;
                self.add(from)?;
                let names = names.strip_prefix("* as ").map_or_else(|| names.replace(" as ", ": "), str::to_owned);
                body += &format!("const {names} = {};\n", variable(from));
            } else if let Some(declared) = line.strip_prefix("export ") {
                let named = ["function ", "async function ", "class ", "const "]
                    .iter()
                    .find_map(|kind| declared.strip_prefix(kind));
                let end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$'));
                let named = named.and_then(|rest| rest.split(end).next()).filter(|named| !named.is_empty());
                exports.push(named.ok_or_else(wrong)?);
                body += declared;
                body.push('\n');
            } else {
                body += line;
                body.push('\n');
            }
        }
        let exports = exports.join(", ");
        self.text +=
            &format!("// {name}\nconst {} = (() => {{\n{body}return {{ {exports} }};\n}})();\n", variable(name));
        self.begun[number].1 = true;
        Ok(())
    }
}

/// The variable that has a module's exports.
fn variable(name: &str) -> String {
    format!("module_{}", name.trim_end_matches(".js"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundled(root: &str) -> Result<String, String> {
        bundle(root, &|name| {
            Some(match name {
                "main.js" => {
                    "import { one, $ as two } from \"./a.js\";\nimport * as b from \"./b.js\";\none(two, b.B);\n"
                }
                "a.js" => "import { B } from \"./b.js\";\nexport function one() {}\nexport const $ = (x) => B;\n",
                "b.js" => "/** A class. */\nexport class B {}\n",
                "circle.js" => "import { x } from \"./circle.js\";\n",
                "lost.js" => "import { x } from \"./nowhere.js\";\n",
                "list.js" => "const x = 1;\nexport { x };\n",
                "foreign.js" => "import \"https://example.org/x.js\";\n",
                _ => return None,
            })
        })
    }

    #[test]
    fn modules_stand_behind_what_they_import() {
        let wanted = "// b.js\nconst module_b = (() => {\n/** A class. */\nclass B {}\nreturn { B };\n})();\n\
                      // a.js\nconst module_a = (() => {\nconst { B } = module_b;\nfunction one() {}\nconst $ = (x) => B;\nreturn { one, $ };\n})();\n\
                      // main.js\nconst module_main = (() => {\nconst { one, $: two } = module_a;\nconst b = module_b;\none(two, b.B);\n\
                      return {  };\n})();\n";
        assert_eq!(bundled("main.js").unwrap(), wanted);
    }

    #[test]
    fn other_forms_are_refused() {
        for (root, why) in [
            ("circle.js", "circle.js imports itself in a circle"),
            ("lost.js", "there is no nowhere.js"),
            ("list.js", "list.js: export { x };"),
            ("foreign.js", "foreign.js: import \"https://example.org/x.js\";"),
        ] {
            assert_eq!(bundled(root), Err(why.to_owned()));
        }
    }
}
