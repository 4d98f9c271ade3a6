// Names of points and moves, in the letters that the engine uses for a game.
// A point is a number, row by row from the top left.

const GTP = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const HTP = "abcdefghijklmnopqrstuvwxyz";

/** Letters and numbers of the points of a board. `letters` is "gtp" (row 1 at the bottom, no I) or "htp" (row 1 at the top). */
export class Points {
  constructor(letters, [width, height]) {
    this.gtp = letters === "gtp";
    this.width = width;
    this.height = height;
    this.count = width * height;
  }

  column(x) {
    const letters = this.gtp ? GTP : HTP;
    const before = Math.floor(x / letters.length) - 1;
    return (before < 0 ? "" : letters[before]) + letters[x % letters.length];
  }

  row(y) {
    return this.gtp ? this.height - y : y + 1;
  }

  name(point) {
    return this.column(point % this.width) + this.row(Math.floor(point / this.width));
  }

  /** The point of that name in any case, or null. */
  point(name) {
    const match = /^([A-Za-z]{1,2})([0-9]{1,2})$/.exec(name);
    if (!match) return null;
    const letters = this.gtp ? GTP : HTP;
    const numbers = [...(this.gtp ? match[1].toUpperCase() : match[1].toLowerCase())].map((letter) => letters.indexOf(letter));
    if (numbers.includes(-1)) return null;
    const x = numbers.reduce((before, number) => (before + 1) * letters.length + number, -1);
    const y = this.gtp ? this.height - Number(match[2]) : Number(match[2]) - 1;
    return x >= 0 && x < this.width && y >= 0 && y < this.height ? y * this.width + x : null;
  }

  /** The points of a move such as `D4` or `A1-B1`; none for a word such as `pass`. */
  ofMove(word) {
    const points = word.split("-").map((name) => this.point(name));
    return points.includes(null) ? [] : points;
  }

  ofPoints(points) {
    return points.map((point) => this.name(point)).join("-");
  }
}
