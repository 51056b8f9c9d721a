import * as sqs from "@aws-sdk/client-sqs";

/**
 * Carries out an `aws sqs …` command line as the AWS CLI does, by the SDK: options are the API's parameters in another
 * spelling, and values that look like JSON are JSON. So documented commands are tested where the CLI is not installed.
 */
export async function runAwsCommand(
  line: string,
  client: sqs.SQSClient,
  variables: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const [aws, service, action = "", ...options] = words(line, variables);
  if (aws !== "aws" || service !== "sqs") throw new Error(`'${line}' must be an 'aws sqs' command`);
  const input: Record<string, unknown> = {};
  let name = "";
  for (const word of options) {
    if (word.startsWith("--")) name = parameterName(word.slice(2));
    else input[name] = Array.isArray(input[name]) ? [...(input[name] as unknown[]), word] : readValue(name, word);
  }
  const command = (sqs as unknown as Record<string, new (input: object) => object>)[`${pascal(action)}Command`];
  if (!command) throw new Error(`'${action}' must be an action of SQS`);
  return (await client.send(new command(input) as never)) as unknown as Record<string, unknown>;
}

/** The words of a shell command: quotes, continued lines and variables in double quotes. */
function words(line: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const found: string[] = [];
  for (const [, single, double, plain = ""] of line.replaceAll("\\\n", " ").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)) {
    const expand = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? `unset ${name}`);
    found.push(single ?? expand(double ?? plain));
  }
  return found;
}

function readValue(name: string, word: string): unknown {
  if (name === "MessageAttributeNames") return [word];
  if (/^\d+$/.test(word)) return Number(word);
  return word.startsWith("{") && name !== "MessageBody" ? JSON.parse(word) : word;
}

function parameterName(option: string): string {
  return pascal(option);
}

function pascal(kebab: string): string {
  return kebab.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
