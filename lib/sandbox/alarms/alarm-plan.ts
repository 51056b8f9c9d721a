import { identityOf } from "../assembly/identities.ts";
import type { Scope } from "../assembly/intrinsics.ts";
import { Properties } from "../assembly/properties.ts";
import type { TemplateResource } from "../assembly/read-assembly.ts";
import { BUCKET_MS, type MetricKey, STATISTICS, type Statistic } from "../metrics/metric-store.ts";
import { type AlarmRule, type AlarmState, type ComparisonOperator, MISSING_DATA, OPERATORS } from "./alarm-state.ts";
import { type Expression, parseExpression, seriesIds } from "./expression.ts";

/** A series that an alarm reads, or makes of others. */
type AlarmSeries =
  | { readonly kind: "metric"; readonly metric: MetricKey; readonly statistic: Statistic }
  | { readonly kind: "expression"; readonly expression: Expression };

/** An alarm of the template. */
export interface AlarmPlan {
  readonly logicalId: string;
  readonly name: string;
  readonly description: string;
  readonly periodMs: number;
  readonly rule: AlarmRule;
  /** Series by id; each expression stands behind those that it reads. */
  readonly series: ReadonlyMap<string, AlarmSeries>;
  /** Id of the series that is held against the threshold. */
  readonly watched: string;
  /** ARNs that are told of a change to a state. */
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
}

/** @throws AssemblyError or SyntaxError for an alarm that cannot be evaluated here */
export function planAlarm(resource: TemplateResource, scope: Scope): AlarmPlan {
  const properties = Properties.of(resource, scope);
  const enabled = !properties.has("ActionsEnabled") || properties.isTrue("ActionsEnabled");
  const actions = (name: string) => (enabled ? properties.texts(name) : []);
  const evaluationPeriods = properties.number("EvaluationPeriods", { least: 1, most: 10_080, otherwise: Number.NaN });
  return {
    logicalId: resource.logicalId,
    name: identityOf(resource.logicalId, scope).ref,
    description: properties.optionalText("AlarmDescription") ?? "",
    ...(properties.has("Metrics") ? mathSeries(properties) : metricSeries(properties)),
    rule: {
      operator: oneOf(properties, "ComparisonOperator", Object.keys(OPERATORS)) as ComparisonOperator,
      threshold: properties.number("Threshold", {
        least: Number.NEGATIVE_INFINITY,
        most: Number.POSITIVE_INFINITY,
        otherwise: Number.NaN,
      }),
      evaluationPeriods,
      datapointsToAlarm: properties.number("DatapointsToAlarm", {
        least: 1,
        most: evaluationPeriods,
        otherwise: evaluationPeriods,
      }),
      missingData: oneOf(properties, "TreatMissingData", MISSING_DATA, "missing"),
    },
    actions: {
      ALARM: actions("AlarmActions"),
      OK: actions("OKActions"),
      INSUFFICIENT_DATA: actions("InsufficientDataActions"),
    },
  };
}

type SeriesPart = Pick<AlarmPlan, "series" | "watched" | "periodMs">;

function metricSeries(properties: Properties): SeriesPart {
  const statistic = oneOf(properties, "Statistic", STATISTICS);
  const series: AlarmSeries = { kind: "metric", metric: metricKey(properties), statistic };
  return { series: new Map([["m", series]]), watched: "m", periodMs: periodOf(properties) };
}

function mathSeries(properties: Properties): SeriesPart {
  const queries = properties.objects("Metrics");
  const series = new Map<string, AlarmSeries>();
  const periods = new Set<number>();
  for (const query of queries) {
    if (query.has("Expression")) continue;
    const stat = query.object("MetricStat");
    const metric = metricKey(stat.object("Metric"));
    series.set(query.text("Id"), { kind: "metric", metric, statistic: oneOf(stat, "Stat", STATISTICS) });
    periods.add(periodOf(stat));
  }
  const expressions = queries.filter((query) => query.has("Expression"));
  for (let left = expressions; left.length > 0; ) {
    const waiting = left.filter((query) => !addExpression(query, series));
    const [first] = waiting;
    if (first && waiting.length === left.length) {
      throw first.wrong("Expression", first.text("Expression"), "made of the ids of other metrics of this alarm");
    }
    left = waiting;
  }
  const returned = queries.filter((query) => !query.has("ReturnData") || query.isTrue("ReturnData"));
  const [periodMs, ...otherPeriods] = periods;
  if (returned.length !== 1 || periodMs === undefined || otherPeriods.length > 0) {
    throw properties.wrong("Metrics", properties.value("Metrics"), "metrics of one period, one of which returns data");
  }
  return { series, watched: returned[0]?.text("Id") ?? "", periodMs };
}

/** @returns whether all that it reads is there */
function addExpression(query: Properties, series: Map<string, AlarmSeries>): boolean {
  const expression = parseExpression(query.text("Expression"));
  if (!seriesIds(expression).every((id) => series.has(id))) return false;
  series.set(query.text("Id"), { kind: "expression", expression });
  return true;
}

function metricKey(properties: Properties): MetricKey {
  const dimensions = properties.objects("Dimensions").map((one) => [one.text("Name"), one.text("Value")] as const);
  return {
    namespace: properties.text("Namespace"),
    name: properties.text("MetricName"),
    dimensions: Object.fromEntries(dimensions),
  };
}

function periodOf(properties: Properties): number {
  const seconds = properties.number("Period", { least: 60, most: 86_400, otherwise: 60 });
  if ((seconds * 1000) % BUCKET_MS !== 0) throw properties.wrong("Period", seconds, "a multiple of 60");
  return seconds * 1000;
}

function oneOf<T extends string>(properties: Properties, name: string, allowed: readonly T[], otherwise?: T): T {
  const value = properties.optionalText(name) ?? otherwise;
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw properties.wrong(name, value, `one of ${allowed.join(", ")}`);
}
