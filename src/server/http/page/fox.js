// Records of Fox Weiqi: komi in hundredths of a point, or of half a point, and handicaps whose stones are not written.

/** Komi that players of Chinese rules halve. */
const HALVES = new Map([[275, 5.5], [325, 6.5], [350, 7], [375, 7.5]]);
/** Lines of its boards. */
export const LINES = 19;
const [LOW, MIDDLE, HIGH] = [3, 9, 15];
const CORNERS = [[LOW, HIGH], [HIGH, LOW], [LOW, LOW], [HIGH, HIGH]];
const SIDES = [[LOW, MIDDLE], [HIGH, MIDDLE], [MIDDLE, LOW], [MIDDLE, HIGH]];

/** Whether a record is of that server, by its root properties. */
export function isFox(props) {
  return Boolean(props.get("AP")?.[0]?.includes("foxwq"));
}

/** Points of komi. */
export function komiOf(number) {
  const whole = [...HALVES.values()].find((points) => number === points * 100);
  return HALVES.get(number) ?? whole ?? number;
}

/** Column and row of the stones of a handicap on 19×19, from the upper left: none where there is no such handicap. */
export function stonesOf(count) {
  if (!(count >= 2 && count <= 9)) return [];
  const corners = CORNERS.slice(0, Math.min(count, 4));
  const sides = SIDES.slice(0, count < 6 ? 0 : count < 8 ? 2 : 4);
  return [...corners, ...sides, ...(count > 4 && count % 2 ? [[MIDDLE, MIDDLE]] : [])];
}
