/** One series: a metric with its dimensions. */
export interface MetricKey {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** The statistics of CloudWatch that need no percentiles. */
export const STATISTICS = ["Sum", "Average", "Minimum", "Maximum", "SampleCount"] as const;

export type Statistic = (typeof STATISTICS)[number];

interface Bucket {
  sum: number;
  count: number;
  least: number;
  most: number;
}

/** Length of a bucket; periods are multiples of it. */
export const BUCKET_MS = 60_000;

/** Two days of a metric that has a value each minute. */
const MOST_BUCKETS = 2880;

/** Values of metrics, added up by minutes of sandbox time. */
export class MetricStore {
  readonly #series = new Map<string, { readonly key: MetricKey; readonly buckets: Map<number, Bucket> }>();

  /**
   * @param at epoch milliseconds in sandbox time
   * @param counts how many times the value was seen
   */
  record(key: MetricKey, value: number, at: number, counts = 1): void {
    const series = this.#seriesOf(key);
    const start = Math.floor(at / BUCKET_MS) * BUCKET_MS;
    const bucket = series.get(start);
    if (bucket) {
      bucket.sum += value * counts;
      bucket.count += counts;
      bucket.least = Math.min(bucket.least, value);
      bucket.most = Math.max(bucket.most, value);
      return;
    }
    series.set(start, { sum: value * counts, count: counts, least: value, most: value });
    const oldest = series.keys().next().value;
    if (series.size > MOST_BUCKETS && oldest !== undefined) series.delete(oldest);
  }

  /** The statistic of a series over [from, to), or `undefined` where it has no value. */
  statistic(key: MetricKey, statistic: Statistic, from: number, to: number): number | undefined {
    const series = this.#series.get(textOf(key))?.buckets;
    if (!series) return undefined;
    const total: Bucket = { sum: 0, count: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
    for (let start = Math.floor(from / BUCKET_MS) * BUCKET_MS; start < to; start += BUCKET_MS) {
      const bucket = series.get(start);
      if (!bucket) continue;
      total.sum += bucket.sum;
      total.count += bucket.count;
      total.least = Math.min(total.least, bucket.least);
      total.most = Math.max(total.most, bucket.most);
    }
    return total.count === 0 ? undefined : statisticOf(total, statistic);
  }

  /** All that was ever recorded for a series (as far back as it is kept), or 0. */
  total(key: MetricKey): number {
    const buckets = this.#series.get(textOf(key))?.buckets.values() ?? [];
    return [...buckets].reduce((sum, bucket) => sum + bucket.sum, 0);
  }

  /** Every series that has a value. */
  keys(): readonly MetricKey[] {
    return [...this.#series.values()].map(({ key }) => key);
  }

  #seriesOf(key: MetricKey): Map<number, Bucket> {
    const text = textOf(key);
    const known = this.#series.get(text);
    if (known) return known.buckets;
    const buckets = new Map<number, Bucket>();
    this.#series.set(text, { key, buckets });
    return buckets;
  }
}

function statisticOf({ sum, count, least, most }: Bucket, statistic: Statistic): number {
  switch (statistic) {
    case "Sum":
      return sum;
    case "Average":
      return sum / count;
    case "Minimum":
      return least;
    case "Maximum":
      return most;
    case "SampleCount":
      return count;
  }
}

function textOf({ namespace, name, dimensions }: MetricKey): string {
  const pairs = Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, name, pairs]);
}
