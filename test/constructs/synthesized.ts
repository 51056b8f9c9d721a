import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { RetryOrchestrator, type RetryOrchestratorProps, RetryStack } from "../../lib/constructs/index.ts";

// The template's own checks run in `cdk synth`, which has a test of its own.
process.env.CDK_VALIDATION = "false";

/** An app whose stacks are not bundled: what is asserted here does not look at the code. */
export function anApp(): App {
  return new App({ context: { "aws:cdk:bundling-stacks": [] } });
}

/** A stack with one pipeline, and its template. */
export function aPipeline(props: RetryOrchestratorProps = {}) {
  const stack = new Stack(anApp(), "Test");
  const pipeline = new RetryOrchestrator(stack, "Pipeline", props);
  return { stack, pipeline, template: Template.fromStack(stack) };
}

/** The template of the product's own stack. */
export function aRetryStack(pipelines: ConstructorParameters<typeof RetryStack>[2]["pipelines"]) {
  const stack = new RetryStack(anApp(), "Retries", { pipelines });
  return { stack, template: Template.fromStack(stack) };
}

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape
export type Json = any;

/** The one resource of a type whose logical id begins so; its logical id and properties. */
export function one(template: Template, type: string, idStart = ""): { id: string; properties: Json; resource: Json } {
  const found = Object.entries(template.findResources(type)).filter(([id]) => id.startsWith(idStart));
  const [entry] = found;
  if (!entry || found.length !== 1) throw new Error(`${found.length} resources of ${type} begin with '${idStart}'`);
  return { id: entry[0], properties: entry[1].Properties, resource: entry[1] };
}

export const QUEUE = "AWS::SQS::Queue";
export const FUNCTION = "AWS::Lambda::Function";
export const MAPPING = "AWS::Lambda::EventSourceMapping";
export const TABLE = "AWS::DynamoDB::Table";
export const ALARM = "AWS::CloudWatch::Alarm";
