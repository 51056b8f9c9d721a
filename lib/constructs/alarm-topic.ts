import { Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

/**
 * A topic for alarms, TLS only. A topic policy replaces SNS's default one, which let the account's alarms in, so this one
 * says so itself. Not encrypted with SNS's own key (`alias/aws/sns`): CloudWatch could not publish to it.
 */
export function alarmTopic(scope: Construct): Topic {
  const topic = new Topic(scope, "AlarmTopic", { enforceSSL: true });
  const stack = Stack.of(scope);
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: "AllowAlarmsOfThisAccount",
      effect: Effect.ALLOW,
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  return topic;
}
