import { isObject, type JsonObject, printed } from "../json.ts";
import { AssemblyError } from "./assembly-error.ts";
import { resolve, type Scope } from "./intrinsics.ts";
import type { TemplateResource } from "./read-assembly.ts";

/** The properties of a resource, or an object within them, read by the type that they should have. */
export class Properties {
  readonly #values: JsonObject;
  readonly #scope: Scope;
  readonly #path: string;

  constructor(values: JsonObject, scope: Scope, path: string) {
    this.#values = values;
    this.#scope = scope;
    this.#path = path;
  }

  static of(resource: TemplateResource, scope: Scope): Properties {
    return new Properties(resource.properties, scope, `Resources.${resource.logicalId}.Properties`);
  }

  /** The value with its intrinsic functions resolved. @throws AssemblyError when it cannot be resolved */
  value(name: string): unknown {
    return resolve(this.#values[name], this.#scope, `${this.#path}.${name}`);
  }

  /** @throws AssemblyError when it is there and no text */
  optionalText(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "string") return value;
    throw this.wrong(name, value, "a text");
  }

  /** @throws AssemblyError when it is missing or no text */
  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw this.wrong(name, value, "a text");
    return value;
  }

  /** A number, or a text that is one. @throws AssemblyError when it is there and neither */
  optionalNumber(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
    throw this.wrong(name, value, "a number");
  }

  /** @throws AssemblyError when it is missing, no number, or out of range */
  number(name: string, range: { readonly least: number; readonly most: number; readonly otherwise: number }): number {
    const value = this.optionalNumber(name) ?? range.otherwise;
    if (value >= range.least && value <= range.most) return value;
    throw this.wrong(name, value, `between ${range.least} and ${range.most}`);
  }

  /** Whether it is true, or the text "true". */
  isTrue(name: string): boolean {
    return String(this.value(name)) === "true";
  }

  /** The items of a list; none when it is missing. @throws AssemblyError when it is no list */
  list(name: string): readonly unknown[] {
    const value = this.value(name) ?? [];
    if (Array.isArray(value)) return value;
    throw this.wrong(name, value, "a list");
  }

  /** The texts of a list. @throws AssemblyError when it is no list of texts */
  texts(name: string): readonly string[] {
    return this.list(name).map((item) => {
      if (typeof item === "string") return item;
      throw this.wrong(name, item, "a list of texts");
    });
  }

  /** The objects of a list. @throws AssemblyError when it is no list of objects */
  objects(name: string): readonly Properties[] {
    return this.list(name).map((item, index) => {
      if (isObject(item)) return new Properties(item, this.#scope, `${this.#path}.${name}[${index}]`);
      throw this.wrong(name, item, "a list of objects");
    });
  }

  /** The object within; an empty one when it is missing. @throws AssemblyError when it is no object */
  object(name: string): Properties {
    const value = this.#values[name] ?? {};
    if (isObject(value)) return new Properties(value, this.#scope, `${this.#path}.${name}`);
    throw this.wrong(name, value, "an object");
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  names(): readonly string[] {
    return Object.keys(this.#values);
  }

  /** The error that says which property is wrong, with which value, and what is allowed. */
  wrong(name: string, value: unknown, allowed: string): AssemblyError {
    return new AssemblyError(`'${this.#path}.${name}' must be ${allowed}, got ${printed(value)}`);
  }
}
