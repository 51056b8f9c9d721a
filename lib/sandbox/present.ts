import type { AlarmChange } from "./alarms/alarm-watch.ts";
import { CREDENTIALS } from "./functions/function-environment.ts";
import type { LogLine } from "./functions/function-host.ts";
import type { Sandbox } from "./sandbox.ts";

/** The part of a sandbox that its greeting shows. */
export type Presented = Pick<
  Sandbox,
  "sqsEndpoint" | "dynamodbEndpoint" | "tableEngine" | "region" | "stacks" | "standIns" | "functions"
> & { readonly speed: number };

/** Fields that every structured line has, and that say nothing here. */
const NOISE = new Set(["level", "message", "timestamp", "service", "xray_trace_id", "sampling_rate", "trace"]);

/** What a person has to know to use a sandbox: endpoints, what is there, and commands that work as they stand. */
export function greeting(sandbox: Presented): string {
  const { sqsEndpoint, dynamodbEndpoint, tableEngine, region, speed, stacks, standIns, functions } = sandbox;
  const outputs = stacks.flatMap(({ plan }) => Object.entries(plan.outputs));
  const commands = outputs.filter(([, value]) => isCommand(value));
  const variables = outputs.filter(([, value]) => !isCommand(value));
  return [
    `Sandbox is up: ${stacks.map(({ name }) => name).join(", ")}, ${functions.length} function(s), time × ${speed}`,
    `  SQS       ${sqsEndpoint}`,
    `  DynamoDB  ${dynamodbEndpoint} (${tableEngine})`,
    ...standIns.map(({ name, url }) => `  stand-in  ${url} for ${name}, which is deployed elsewhere`),
    "",
    "For another terminal (any credentials do):",
    `  export AWS_ACCESS_KEY_ID=${CREDENTIALS.accessKeyId} AWS_SECRET_ACCESS_KEY=${CREDENTIALS.secretAccessKey} AWS_REGION=${region} AWS_DEFAULT_REGION=${region}`,
    `  export AWS_ENDPOINT_URL_SQS=${sqsEndpoint} AWS_ENDPOINT_URL_DYNAMODB=${dynamodbEndpoint}`,
    ...variables.map(([name, value]) => `  export ${variableName(name)}=${value}`),
    ...commands.flatMap(([name, value]) => ["", `${name}:`, `  ${withEndpoint(value, sandbox)}`]),
    "",
    "Ctrl-C stops it.",
  ].join("\n");
}

/** An output's name as an environment variable: `RetryIngestQueueUrl` is `RETRY_INGEST_QUEUE_URL`. */
export function variableName(output: string): string {
  return output.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
}

/** An AWS CLI command that goes to the sandbox. */
function withEndpoint(
  command: string,
  { sqsEndpoint, dynamodbEndpoint }: Pick<Presented, "sqsEndpoint" | "dynamodbEndpoint">,
): string {
  return command
    .replace(/^aws sqs (\S+)/, `aws sqs $1 --endpoint-url ${sqsEndpoint}`)
    .replace(/^aws dynamodb (\S+)/, `aws dynamodb $1 --endpoint-url ${dynamodbEndpoint}`);
}

/** A function's line as it shows in a terminal: structured ones as message and fields. */
export function logText({ text, fields }: LogLine): string {
  if (typeof fields?.message !== "string") return text;
  const shown = Object.entries(fields).filter(([name, value]) => !NOISE.has(name) && value !== undefined);
  const level = fields.level === undefined || fields.level === "INFO" ? "" : `${fields.level} `;
  return [`${level}${fields.message}`, ...shown.map(([name, value]) => `${name}=${valueText(value)}`)].join(" ");
}

/** A change of an alarm's state as one line. */
export function alarmText({ alarm, from, to, value }: AlarmChange): string {
  return `${to === "ALARM" ? "ALARM rings" : `alarm ${to}`}: ${alarm}, was ${from}${value === undefined ? "" : `, value ${value}`}`;
}

function valueText(value: unknown): string {
  return typeof value === "string" && /^\S+$/.test(value) ? value : JSON.stringify(value);
}

function isCommand(value: string): boolean {
  return value.startsWith("aws ");
}
