import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { redriveCommand, sendCommand, wiringCommand } from "./commands.ts";
import { completeProps } from "./complete-props.ts";
import type { RetryOrchestratorProps } from "./props.ts";
import { RetryOrchestrator } from "./retry-orchestrator.ts";

/** A pipeline of the stack; a work queue that is deployed elsewhere is named by its ARN. */
export interface PipelineProps extends Omit<RetryOrchestratorProps, "workQueue"> {
  /** @default - a work queue is created and wired */
  readonly workQueueArn?: string;
}

export interface RetryStackProps extends StackProps {
  /** Pipelines by name: letters and digits, first a letter. */
  readonly pipelines: Readonly<Record<string, PipelineProps>>;
}

/** One or several pipelines, with outputs that name their parts and give the commands ready to use. */
export class RetryStack extends Stack {
  readonly pipelines: Readonly<Record<string, RetryOrchestrator>>;

  constructor(scope: Construct, id: string, { pipelines, ...props }: RetryStackProps) {
    super(scope, id, props);
    this.pipelines = Object.fromEntries(
      Object.entries(pipelines).map(([name, pipelineProps]) => [name, this.#addPipeline(name, pipelineProps)]),
    );
  }

  #addPipeline(name: string, { workQueueArn, ...props }: PipelineProps): RetryOrchestrator {
    const workQueue =
      workQueueArn === undefined ? undefined : Queue.fromQueueArn(this, `${name}-WorkQueue`, workQueueArn);
    const pipeline = new RetryOrchestrator(this, name, { ...props, ...(workQueue && { workQueue }) });
    const { ingestQueue, deadLetterQueue, stateTable, alarmTopic } = pipeline;
    const outputs: Record<string, string> = {
      IngestQueueUrl: ingestQueue.queueUrl,
      IngestQueueArn: ingestQueue.queueArn,
      WorkQueueUrl: pipeline.workQueue.queueUrl,
      WorkQueueArn: pipeline.workQueue.queueArn,
      DeadLetterQueueUrl: deadLetterQueue.queueUrl,
      DeadLetterQueueArn: deadLetterQueue.queueArn,
      StateTableName: stateTable.tableName,
      AlarmTopicArn: alarmTopic.topicArn,
      SendCommand: sendCommand(this, ingestQueue),
      RedriveCommand: redriveCommand(this, deadLetterQueue, ingestQueue),
      ...(workQueue && {
        WiringCommand: wiringCommand(this, workQueue, ingestQueue, completeProps(props).maxReceiveCount),
      }),
    };
    // No pipeline can have a name with a hyphen, so none can clash with these; the output's name is without it.
    for (const [output, value] of Object.entries(outputs)) new CfnOutput(this, `${name}-${output}`, { value });
    return pipeline;
  }
}
