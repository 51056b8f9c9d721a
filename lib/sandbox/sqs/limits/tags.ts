import { invalidParameter } from "../errors.ts";
import { LIMITS } from "./values.ts";

/** @throws SqsError InvalidParameterValue when a queue cannot bear these tags together */
export function checkTags(tags: ReadonlyMap<string, string>): void {
  if (tags.size > LIMITS.tags) throw invalidParameter("Tags", `of ${tags.size}`, `At most ${LIMITS.tags} tags.`);
  for (const [key, value] of tags) {
    if (key.length < 1 || key.length > LIMITS.tagKeyLength || key.toLowerCase().startsWith("aws:")) {
      throw invalidParameter("Tags", key, `A tag key has 1 to ${LIMITS.tagKeyLength} characters, not 'aws:' first.`);
    }
    if (value.length > LIMITS.tagValueLength) {
      throw invalidParameter("Tags", value, `A tag value has at most ${LIMITS.tagValueLength} characters.`);
    }
  }
}
