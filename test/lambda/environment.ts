/** The environment of a function whose settings are right; tests spoil one at a time. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  RETRY_WORK_QUEUE_URL: "http://localhost/000000000000/work",
  RETRY_DEAD_LETTER_QUEUE_URL: "http://localhost/000000000000/dead",
  RETRY_STATE_TABLE: "State",
  RETRY_INGEST_QUEUE_NAME: "ingest",
  RETRY_WORK_MAX_RECEIVE_COUNT: "2",
  RETRY_REPORT_LIFETIME_MS: "86400000",
  RETRY_ROW_LIFETIME_MS: "3801600000",
};
