import type { FunctionPlan } from "../assembly/function-plan.ts";

/** Where a function finds the services. */
export interface Endpoints {
  readonly region: string;
  readonly sqsEndpoint: string;
  readonly dynamodbEndpoint: string;
}

/** Credentials that stand in for real ones: the engines take any. */
export const CREDENTIALS = { accessKeyId: "sandbox", secretAccessKey: "sandbox" } as const;

/** A function's environment variables: those that Lambda sets, the endpoints, and the template's own. */
export function functionEnvironment(
  plan: FunctionPlan,
  { region, sqsEndpoint, dynamodbEndpoint }: Endpoints,
  taskRoot: string,
): Readonly<Record<string, string>> {
  return {
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_DEFAULT_REGION: region,
    AWS_REGION: region,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    AWS_ENDPOINT_URL_SQS: sqsEndpoint,
    AWS_EXECUTION_ENV: `AWS_Lambda_${plan.runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(plan.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: plan.name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${plan.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "sandbox",
    LAMBDA_TASK_ROOT: taskRoot,
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    _HANDLER: plan.handler,
    // This machine's Node may be older than the template's; what the SDK says about that would only be noise.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    ...plan.environment,
  };
}
