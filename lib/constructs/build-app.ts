import { App, type AppProps } from "aws-cdk-lib";
import { pipelinesFromContext } from "./pipelines-context.ts";
import { RetryStack } from "./retry-stack.ts";

/**
 * The product's own app: one stack, one pipeline unless the context `pipelines` says otherwise, in whatever account and
 * Region it is deployed to. The context `stackName` names the stack, `RetryOrchestrator` by default.
 *
 * @throws Error that lists everything wrong with the context
 */
export function buildApp(props: AppProps = {}): App {
  const app = new App(props);
  const pipelines = pipelinesFromContext(app.node.tryGetContext("pipelines"));
  const name: unknown = app.node.tryGetContext("stackName") ?? "RetryOrchestrator";
  if (typeof name !== "string" || !/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(name)) {
    throw new Error(
      `'stackName' must be letters, digits and hyphens, first a letter, at most 128, got ${JSON.stringify(name)}`,
    );
  }
  new RetryStack(app, name, {
    pipelines,
    description: "Durable retry for SQS: backoff, jitter, memory and a reason",
  });
  return app;
}
