/** What a CDK app deploys. */
export { buildApp } from "./build-app.ts";
export type { RetryOrchestratorProps, RetryPolicyProps } from "./props.ts";
export { RetryOrchestrator } from "./retry-orchestrator.ts";
export { type PipelineProps, RetryStack, type RetryStackProps } from "./retry-stack.ts";
