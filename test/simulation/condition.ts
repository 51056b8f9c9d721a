import type { AttributeValue } from "@aws-sdk/client-dynamodb";

type Row = Record<string, AttributeValue>;

/**
 * Whether a row fulfils a condition expression, for the forms that the store writes: `attribute_not_exists(a)`,
 * `a = :v` and `a <= :v`, joined by `AND` or `OR`.
 */
export function fulfils(row: Row | undefined, expression: string, values: Row = {}): boolean {
  return expression.split(" OR ").some((part) => part.split(" AND ").every((term) => holds(row, term.trim(), values)));
}

function holds(row: Row | undefined, term: string, values: Row): boolean {
  const absent = /^attribute_not_exists\((\w+)\)$/.exec(term);
  if (absent) return row?.[absent[1] ?? ""] === undefined;
  const comparison = /^(\w+) (=|<=) (:\w+)$/.exec(term);
  if (!comparison) throw new SyntaxError(`the simulated table cannot evaluate '${term}'`);
  const [, name = "", operator, placeholder = ""] = comparison;
  const left = row?.[name];
  const right = values[placeholder];
  if (left === undefined || right === undefined) return false;
  if (operator === "=") return JSON.stringify(left) === JSON.stringify(right);
  return Number(left.N) <= Number(right.N);
}
