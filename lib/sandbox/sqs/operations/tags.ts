import type { ListQueueTagsResult } from "@aws-sdk/client-sqs";
import { checkTags, type Input, textList, textMap } from "../limits/index.ts";
import type { Engine } from "../model/engine.ts";

export function tagQueue(engine: Engine, input: Input, now: number): object {
  const queue = engine.queueOf(input, now);
  const given = textMap(input, "Tags");
  checkTags(new Map([...queue.tags, ...given]));
  for (const [key, value] of given) queue.tags.set(key, value);
  return {};
}

export function untagQueue(engine: Engine, input: Input, now: number): object {
  const queue = engine.queueOf(input, now);
  for (const key of textList(input, "TagKeys")) queue.tags.delete(key);
  return {};
}

export function listQueueTags(engine: Engine, input: Input, now: number): ListQueueTagsResult {
  const queue = engine.queueOf(input, now);
  return queue.tags.size === 0 ? {} : { Tags: Object.fromEntries(queue.tags) };
}
