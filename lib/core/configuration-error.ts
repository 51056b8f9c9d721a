import type { Violation } from "./backoff/violation.ts";

/** Thrown when a pipeline's settings are wrong, so that its function stops before it touches an item. Names them all. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(
      `wrong settings, to be corrected in the function's environment: ${violations.map((v) => v.message).join("; ")}`,
    );
    this.violations = violations;
  }
}
