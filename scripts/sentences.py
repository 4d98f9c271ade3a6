#!/usr/bin/env python3
"""Counts the words of sentences in the documents that people read first, and fails where they are too long.

    scripts/sentences.py           prints the mean of each document
    scripts/sentences.py --check   prints only what is wrong: a mean above 18 words, or a sentence "What ... is ..."

Counted are paragraphs and list items; code blocks, tables, headings, pictures and comments are not. A piece of code between
backticks is one word, as is a link's target. Standard library only.
"""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_WORDS = 18
# A full stop, perhaps behind a closing mark, and a space before something that can begin a sentence.
END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"')*_])|(?<=[.!?]\*\*))\s+(?=[\"'(*_\[]*(?:[A-Z0-9]|code))")
NOUNLESS = re.compile(r"[*_\"'(]*What\b[^?]*\b(is|are|was|were)\b")


def documents():
    """The documents that are held to the limit, those that exist."""
    names = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "measurements/README.md")]
    return [path for path in names + sorted((ROOT / "docs").glob("*.md")) if path.is_file()]


def paragraphs(text):
    """Prose, each paragraph or list item in one line."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^```.*?^```", "\n", text, flags=re.DOTALL | re.MULTILINE)
    paragraph = []
    for line in text.splitlines() + [""]:
        line = line.strip()
        item = re.match(r"([-*+]|\d+\.)\s+", line)
        if not line or line.startswith(("#", "|", "![")) or item:
            if paragraph:
                yield " ".join(paragraph)
            paragraph = []
        if line and not line.startswith(("#", "|", "![")):
            paragraph.append(line[item.end() :] if item else line)


def sentences(text):
    """Sentences of a document."""
    for paragraph in paragraphs(text):
        paragraph = re.sub(r"\]\([^)]*\)", "]", paragraph)
        paragraph = re.sub(r"`[^`]*`", "code", paragraph)
        yield from filter(None, (sentence.strip() for sentence in END.split(paragraph)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="print only what is wrong")
    parser.add_argument("--longest", type=int, default=0, metavar="N", help="print the N longest sentences of each document too")
    options = parser.parse_args()
    wrong = False
    for path in documents():
        found = list(sentences(path.read_text(encoding="utf-8")))
        counts = [len(re.findall(r"[^\W_]+(?:['’.,-][^\W_]+)*", sentence)) for sentence in found]
        mean = sum(counts) / max(len(counts), 1)
        name = path.relative_to(ROOT)
        wrong |= mean > MOST_WORDS
        if mean > MOST_WORDS or not options.check:
            print(f"{name}: {mean:.1f} words a sentence, {len(counts)} sentences, the longest of {max(counts, default=0)}")
        for sentence in filter(NOUNLESS.match, found):
            wrong = True
            print(f'{name}: begins "What ... is": {sentence}')
        for count, sentence in sorted(zip(counts, found), reverse=True)[: options.longest]:
            print(f"  {count}: {sentence}")
    sys.exit("sentences: too long, or nameless" if wrong and options.check else 0)


if __name__ == "__main__":
    main()
