import { shortHash } from "../../core/hash.ts";

/**
 * The name of a resource that the template does not name: stack and logical id, as CloudFormation makes them, but
 * without a random ending, so that the same template has the same names each time. What is too long is cut and ends in
 * a hash of the whole.
 *
 * @param limit longest name that the service takes
 * @param suffix part of the name that must be its end (`.fifo`)
 */
export function physicalName(stackName: string, logicalId: string, limit: number, suffix = ""): string {
  const whole = `${stackName}-${logicalId}`;
  if (whole.length + suffix.length <= limit) return whole + suffix;
  const ending = `-${shortHash(whole)}`;
  return whole.slice(0, limit - ending.length - suffix.length) + ending + suffix;
}
