import { durationText } from "./duration-text.ts";
import type { DelayExplanation } from "./explain.ts";

/**
 * One line that answers "why did this item wait 265 s?", with the arithmetic in seconds: `265 s after attempt 6: backoff
 * 5 min 20 s, full jitter in 1 s … 5 min 20 s, draw 0.827558 gives 1 + 0.827558 × 319 = 264.991; low end raised to the
 * smallest delay`.
 */
export function formatExplanation(explanation: DelayExplanation): string {
  const { attempt, delaySeconds, rule } = explanation;
  const notes = [hintText(explanation), clampText(explanation), rule === "policy" ? "" : `by rule '${rule}'`];
  return [
    `${delaySeconds} s after attempt ${attempt}: ${sourceText(explanation)}, ${jitterText(explanation)}`,
    ...notes.filter((note) => note !== ""),
  ].join("; ");
}

function sourceText({ previousMs, nominalMs }: DelayExplanation): string {
  return previousMs === undefined ? `backoff ${durationText(nominalMs)}` : `previous delay ${durationText(previousMs)}`;
}

function jitterText({ mode, window: { lowMs, highMs }, draw, drawnMs }: DelayExplanation): string {
  const name = mode === "none" ? "no jitter" : `${mode} jitter`;
  if (lowMs === highMs) return `${name}, window of ${durationText(lowMs)} only`;
  const sum = `${seconds(lowMs)} + ${draw.toFixed(6)} × ${seconds(highMs - lowMs)} = ${seconds(drawnMs)}`;
  return `${name} in ${durationText(lowMs)} … ${durationText(highMs)}, draw ${draw.toFixed(6)} gives ${sum}`;
}

function hintText({ hint, window }: DelayExplanation): string {
  if (hint === undefined) return "";
  const asked = `Retry-After ${durationText(hint.retryAfterMs)}`;
  if (hint.appliedMs < window.lowMs) return `${asked} changed nothing`;
  return hint.appliedMs < hint.retryAfterMs ? `${asked} cut to the cap` : `low end at ${asked}`;
}

function clampText({ clamp }: DelayExplanation): string {
  if (clamp === "cap") return "high end at the cap";
  return clamp === "minimum" ? "low end raised to the smallest delay" : "";
}

/** Seconds to the millisecond, without a tail of binary fraction. */
function seconds(ms: number): string {
  return String(Number((ms / 1000).toFixed(3)));
}
