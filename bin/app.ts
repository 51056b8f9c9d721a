#!/usr/bin/env node
import { buildApp } from "../lib/constructs/index.ts";

try {
  buildApp().synth();
} catch (error) {
  // A wrong setting is the user's to mend: the sentence helps, a stack trace does not.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
