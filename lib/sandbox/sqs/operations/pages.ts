import { invalidParameter } from "../errors.ts";
import { type Input, LIMITS, optionalInteger, optionalText } from "../limits/index.ts";

export interface Page<Item> {
  readonly items: Item[];
  readonly nextToken?: string;
}

/** One page of `all`, which must come in the same order at each call. A token is given only if `MaxResults` is. */
export function pageOf<Item>(all: readonly Item[], input: Input): Page<Item> {
  const asked = optionalInteger(input, "MaxResults", LIMITS.pageSize);
  const start = startOf(optionalText(input, "NextToken"));
  const end = start + (asked ?? LIMITS.pageSize.max);
  const items = all.slice(start, end);
  if (asked === undefined || end >= all.length) return { items };
  return { items, nextToken: Buffer.from(`page/${end}`).toString("base64") };
}

function startOf(token: string | undefined): number {
  if (token === undefined) return 0;
  const start = /^page\/(\d{1,9})$/.exec(Buffer.from(token, "base64").toString())?.[1];
  if (start === undefined) throw invalidParameter("NextToken", token, "Invalid or expired next token.");
  return Number(start);
}
