import type { Expression, FunctionName, Operator } from "./expression.ts";

/** Values of a series, one per period, oldest first; `undefined` where there is none. */
export type Series = readonly (number | undefined)[];

/**
 * The series that an expression makes of others. Pure.
 *
 * @param length periods to look at
 * @param seriesOf the values of a series by its id, `length` of them
 */
export function evaluateExpression(
  expression: Expression,
  length: number,
  periodSeconds: number,
  seriesOf: (id: string) => Series,
): Series {
  const evaluate = (part: Expression): Series => {
    switch (part.kind) {
      case "number":
        return Array.from({ length }, () => part.value);
      case "series":
        return seriesOf(part.id);
      case "operation":
        return combined(part.operator, evaluate(part.left), evaluate(part.right));
      case "call":
        return called(part.name, part.arguments.map(evaluate), periodSeconds);
    }
  };
  return evaluate(expression);
}

function combined(operator: Operator, left: Series, right: Series): Series {
  return left.map((a, index) => {
    const b = right[index];
    // CloudWatch combines what both have at the same time, and leaves out a division by zero.
    if (a === undefined || b === undefined || (operator === "/" && b === 0)) return undefined;
    return operator === "+" ? a + b : operator === "-" ? a - b : operator === "*" ? a * b : a / b;
  });
}

function called(name: FunctionName, [series = [], filling = []]: readonly Series[], periodSeconds: number): Series {
  switch (name) {
    case "ABS":
      return series.map((value) => value && Math.abs(value));
    case "FILL":
      return series.map((value, index) => value ?? filling[index]);
    case "DIFF":
      return fromPreceding(series, (difference) => difference);
    case "RATE":
      return fromPreceding(series, (difference, periods) => difference / (periods * periodSeconds));
  }
}

/** Each value against the one before it, which may be several periods back; the first has none. */
function fromPreceding(series: Series, change: (difference: number, periods: number) => number): Series {
  let preceding: { readonly value: number; readonly index: number } | undefined;
  return series.map((value, index) => {
    if (value === undefined) return undefined;
    const changed = preceding && change(value - preceding.value, index - preceding.index);
    preceding = { value, index };
    return changed;
  });
}
