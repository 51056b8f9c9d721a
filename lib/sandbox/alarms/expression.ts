/** A parsed metric math expression. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "series"; readonly id: string }
  | {
      readonly kind: "operation";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "call"; readonly name: FunctionName; readonly arguments: readonly Expression[] };

export type Operator = "+" | "-" | "*" | "/";

/** Functions of metric math that the sandbox knows, with the number of their arguments. */
const FUNCTIONS = { DIFF: 1, RATE: 1, FILL: 2, ABS: 1 } as const;

export type FunctionName = keyof typeof FUNCTIONS;

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|([-+*/(),]))/y;

/**
 * Parses a metric math expression: numbers, ids of series, `+ - * /`, brackets, and the functions DIFF, RATE, FILL
 * (with a number) and ABS.
 *
 * @throws SyntaxError for anything else, with the expression and where it stopped
 */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = () => tokens[at];
  const stop = (): SyntaxError =>
    new SyntaxError(
      `metric math '${text}' cannot be evaluated here, from '${tokens.slice(at).join(" ")}' on: known are numbers, ids, + - * / ( ) and ${Object.keys(FUNCTIONS).join(", ")}`,
    );
  const take = (token: string): void => {
    if (peek() !== token) throw stop();
    at += 1;
  };
  const operations = (operators: readonly string[], operand: () => Expression): Expression => {
    let left = operand();
    for (let operator = peek(); operator !== undefined && operators.includes(operator); operator = peek()) {
      at += 1;
      left = { kind: "operation", operator: operator as Operator, left, right: operand() };
    }
    return left;
  };
  const sum = (): Expression => operations(["+", "-"], product);
  const product = (): Expression => operations(["*", "/"], factor);
  const factor = (): Expression => {
    const token = peek();
    if (token === undefined) throw stop();
    if (token === "-") {
      at += 1;
      return { kind: "operation", operator: "-", left: { kind: "number", value: 0 }, right: factor() };
    }
    if (token === "(") {
      at += 1;
      const inner = sum();
      take(")");
      return inner;
    }
    if (/^\d/.test(token)) {
      at += 1;
      return { kind: "number", value: Number(token) };
    }
    return named(token);
  };
  const named = (token: string): Expression => {
    // CloudWatch: an id begins with a lower-case letter, a function is in capitals.
    if (/^[a-z]/.test(token)) {
      at += 1;
      return { kind: "series", id: token };
    }
    if (!isFunction(token) || tokens[at + 1] !== "(") throw stop();
    const start = at;
    at += 2;
    const given = [sum()];
    while (peek() === ",") {
      at += 1;
      given.push(sum());
    }
    take(")");
    if (given.length !== FUNCTIONS[token] || (token === "FILL" && given[1]?.kind !== "number")) {
      at = start;
      throw stop();
    }
    return { kind: "call", name: token, arguments: given };
  };

  const whole = sum();
  if (at < tokens.length) throw stop();
  return whole;
}

/** Ids of the series that an expression reads. */
export function seriesIds(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case "number":
      return [];
    case "series":
      return [expression.id];
    case "operation":
      return [...seriesIds(expression.left), ...seriesIds(expression.right)];
    case "call":
      return expression.arguments.flatMap(seriesIds);
  }
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) {
      // The rest becomes one token that no rule takes, so that the parser's message shows it.
      tokens.push(text.slice(from).trim());
      break;
    }
    tokens.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  return tokens;
}

function isFunction(token: string): token is FunctionName {
  return Object.hasOwn(FUNCTIONS, token);
}
