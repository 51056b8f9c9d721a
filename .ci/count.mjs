// Prints the closing line of a run from vitest's JSON report; fails where no test ran.
import { readFileSync } from "node:fs";

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`);
process.exitCode = numPassedTests > 0 && numFailedTests === 0 ? 0 : 1;
