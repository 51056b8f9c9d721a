import type { PipelineConfiguration } from "../configuration.ts";

/** What the state machine needs to know of its pipeline. */
export type AdvanceSettings = Pick<PipelineConfiguration, "policy" | "reportLifetimeMs" | "rowLifetimeMs">;
