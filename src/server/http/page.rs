//! The page: a board in the browser. Its files are compiled in, its modules are served as one, and it loads nothing from elsewhere.

use std::sync::LazyLock;

use super::bundle::bundle;
use crate::protocol::games;

/// Rights of the page: its own files and its own server, no script or style inside the text.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                                 base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Name of the file that a browser asks for first.
const FIRST: &str = "index.html";

/// The place in it where all games are told, so that a board is there before a session is.
const GAMES: &str = "id=\"games\">";

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Names and texts of the files.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("page/", $name)))),*];
    };
}

files! {
    "index.html", "style.css", "icon.svg", "main.js", "arrows.js", "board.js", "box.js", "clock.js", "contents.js", "dialogs.js", "engine.js", "fox.js",
    "golem.js", "graph.js", "hexworld.js", "inside.js", "insideview.js", "keys.js", "newgame.js", "panel.js", "play.js", "points.js", "records.js",
    "reports.js", "review.js", "seats.js", "setup.js", "sgf.js", "shapes.js", "solver.js", "svg.js", "texts.js", "timer.js", "tree.js",
}

/// The module that begins, and what is served in its place.
const ROOT: &str = "main.js";
const ALL: &str = "page.js";

/// The first file with all games in it, which asks for all modules at once.
static FIRST_TEXT: LazyLock<String> = LazyLock::new(|| {
    let text = source(FIRST).expect("it is one of the files");
    // JSON may say `<` in another way, and a script ends at `</`.
    let text = text.replacen(GAMES, &format!("{GAMES}{}", games().replace('<', "\\u003c")), 1);
    text.replacen(&format!("src=\"{ROOT}\""), &format!("src=\"{ALL}\""), 1)
});

/// All modules.
static ALL_TEXT: LazyLock<String> = LazyLock::new(|| bundle(ROOT, &source).expect("a test has bundled the same files"));

/// A file as it is in the folder.
fn source(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}

/// The content type and the text of the file at a path; `None` where there is none.
pub(super) fn file(path: &str) -> Option<(&'static str, &'static str)> {
    let asked = path.strip_prefix('/').map(|name| if name.is_empty() { FIRST } else { name })?;
    let text = match asked {
        FIRST => FIRST_TEXT.as_str(),
        ALL => ALL_TEXT.as_str(),
        // Modules are there as one alone.
        name => source(name).filter(|_| !name.ends_with(".js"))?,
    };
    let kind = match asked.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    Some((kind, text))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_compiled_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/http/page");
        let there = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        // It tells Node, which tests the parts, that they are modules.
        let mut there: Vec<_> = there.filter(|name| name != "package.json").collect();
        let mut served: Vec<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        there.sort();
        served.sort();
        assert_eq!(there, served);
    }

    #[test]
    fn files_name_files_that_are_there_and_no_other_host() {
        for (name, text) in FILES {
            for (marker, end) in [("from \"./", '"'), ("src=\"", '"'), ("href=\"", '"')] {
                for part in text.split(marker).skip(1) {
                    let named = part.split(end).next().unwrap();
                    assert!(source(named).is_some(), "{name} asks for {named}");
                }
            }
            assert!(!text.contains("<style") && !text.contains(" style=") && !text.contains(" onclick="), "{name}");
        }
        let all = file("/page.js").unwrap().1;
        let modules = FILES.iter().filter(|(name, _)| name.ends_with(".js")).count();
        assert_eq!(
            all.lines().filter(|line| line.ends_with(" = (() => {") && line.starts_with("const module_")).count(),
            modules
        );
        assert!(!all.lines().any(|line| ["import ", "export "].iter().any(|word| line.starts_with(word))));
        assert!(!all.contains("import("));
        assert!(file("/main.js").is_none() && file("/style.css").unwrap().0.starts_with("text/css"));
        assert!(file("/../mod.rs").is_none() && file("/nothing.js").is_none() && file("").is_none());
        let first = file("/").unwrap().1;
        assert!(
            first.starts_with("<!doctype html>") && first.contains("src=\"page.js\"") && !first.contains("main.js")
        );
        let (_, games) = first.split_once(GAMES).unwrap();
        let games: serde_json::Value = serde_json::from_str(games.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(games.as_array().unwrap().len(), crate::players::Kind::ALL.len());
    }
}
