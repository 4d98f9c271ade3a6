//! The page: a board in the browser. Its files are compiled in, and it loads nothing from elsewhere.

use std::sync::LazyLock;

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
    "index.html", "style.css", "icon.svg", "main.js", "arrows.js", "board.js", "box.js", "clock.js", "contents.js", "dialogs.js", "engine.js", "golem.js",
    "graph.js", "hexworld.js", "inside.js", "insideview.js", "keys.js", "link.js", "newgame.js", "panel.js", "play.js", "points.js", "records.js",
    "reports.js", "review.js", "seats.js", "setup.js", "sgf.js", "shapes.js", "solver.js", "svg.js", "texts.js", "timer.js", "tree.js",
}

/// The first file with all games in it.
static FIRST_TEXT: LazyLock<String> = LazyLock::new(|| {
    let (_, text) = FILES.iter().find(|(name, _)| *name == FIRST).expect("it is one of the files");
    // JSON may say `<` in another way, and a script ends at `</`.
    text.replacen(GAMES, &format!("{GAMES}{}", games().replace('<', "\\u003c")), 1)
});

/// The content type and the text of the file at a path; `None` where there is none.
pub(super) fn file(path: &str) -> Option<(&'static str, &'static str)> {
    let asked = path.strip_prefix('/').map(|name| if name.is_empty() { FIRST } else { name })?;
    let &(name, text) = FILES.iter().find(|(name, _)| *name == asked)?;
    let text = if name == FIRST { FIRST_TEXT.as_str() } else { text };
    let kind = match name.rsplit_once('.') {
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
    fn every_file_of_the_folder_is_served() {
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
                    assert!(file(&format!("/{named}")).is_some(), "{name} asks for {named}");
                }
            }
            assert!(!text.contains("<style") && !text.contains(" style=") && !text.contains(" onclick="), "{name}");
        }
        assert!(file("/../mod.rs").is_none() && file("/nothing.js").is_none() && file("").is_none());
        let first = file("/").unwrap().1;
        assert!(first.starts_with("<!doctype html>"));
        let (_, games) = first.split_once(GAMES).unwrap();
        let games: serde_json::Value = serde_json::from_str(games.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(games.as_array().unwrap().len(), crate::players::Kind::ALL.len());
    }
}
