const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/**
 * A duration for people: `500 ms`, `5.5 s`, `5 min 20 s`, `1 d 2 h`. Whole milliseconds below one second, tenths of a
 * second below one minute, whole seconds above.
 */
export function durationText(ms: number): string {
  const wholeMs = Math.round(ms);
  if (wholeMs === 0) return "0 s";
  if (wholeMs < 1000) return `${wholeMs} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  let rest = Math.round(ms / 1000);
  const parts: string[] = [];
  for (const { name, seconds } of UNITS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(" ");
}
