import type jsep from "jsep";

import { readKeys, readPattern } from "./literals.ts";
import { SNAPSHOT_METHODS, STRING_METHODS, type StaticType } from "./methods.ts";
import { BINARY_OPERATORS, requireBoolean, requireNumber, requireString } from "./operators.ts";
import { fail, parseExpression } from "./parse-expression.ts";
import { RuleTypeError, type QueryVariable, type Scope } from "./scope.ts";
import { Snapshot } from "./snapshot.ts";

export type RuleKind = ".read" | ".write" | ".validate";

/** What a rule may refer to, by its kind and its position in the file. */
export interface RuleContext {
  readonly kind: RuleKind;
  /** The `$location` variables of the levels above. */
  readonly captures: ReadonlySet<string>;
}

export type Rule = (scope: Scope) => boolean;

interface Compiled {
  readonly type: StaticType;
  readonly evaluate: (scope: Scope) => unknown;
}

const QUERY_MEMBERS: Record<keyof QueryVariable, true> = {
  orderByKey: true,
  orderByPriority: true,
  orderByValue: true,
  orderByChild: true,
  startAt: true,
  endAt: true,
  equalTo: true,
  limitToFirst: true,
  limitToLast: true,
};

/**
 * Compiles the text of a rule to a function. An error at run time makes the rule false.
 *
 * @throws ExpressionError for syntax errors, unknown variables, methods and operators, and type errors.
 */
export function compileRule(text: string, context: RuleContext): Rule {
  const rule = new Compiler(context).compileAs(["boolean"], parseExpression(text));
  return (scope) => {
    try {
      return rule(scope) === true;
    } catch (error) {
      if (error instanceof RuleTypeError) return false;
      throw error;
    }
  };
}

class Compiler {
  readonly #context: RuleContext;

  constructor(context: RuleContext) {
    this.#context = context;
  }

  /** Compiles an expression that must have one of the types. If its type is unknown, it is checked at run time. */
  compileAs(types: readonly StaticType[], node: jsep.Expression): Compiled["evaluate"] {
    const { type, evaluate } = this.#compile(node);
    if (type === "any" || types.includes(type)) return evaluate;
    if (type === "snapshot") {
      fail(node, "A snapshot is not a value: use .val(), .exists() or another of its methods");
    }
    fail(node, `Expected ${types.join(" or ")}, found ${type}`);
  }

  #compile(expression: jsep.Expression): Compiled {
    // jsep creates no other nodes. The default case catches those of a future version.
    const node = expression as jsep.CoreExpression;
    switch (node.type) {
      case "Literal":
        return compileLiteral(node);
      case "Identifier":
        return this.#compileVariable(node);
      case "MemberExpression":
        return this.#compileMember(node);
      case "CallExpression":
        return this.#compileCall(node);
      case "UnaryExpression":
        return this.#compileUnary(node);
      case "BinaryExpression":
        return this.#compileBinary(node);
      case "ConditionalExpression":
        return this.#compileConditional(node);
      case "ArrayExpression":
        fail(node, "A list is only allowed in hasChildren([...])");
      case "Compound":
        fail(node, node.body.length === 0 ? "The rule is empty" : "Expected one expression");
      default:
        fail(node, "This is not part of the rules language");
    }
  }

  #compileVariable(node: jsep.Identifier): Compiled {
    const { name } = node;
    const { kind, captures } = this.#context;
    if (captures.has(name)) {
      return { type: "string", evaluate: (scope) => scope.captures.get(name) };
    }
    switch (name) {
      case "auth":
        return { type: "any", evaluate: (scope) => scope.auth };
      case "now":
        return { type: "number", evaluate: (scope) => scope.now };
      case "root":
        return { type: "snapshot", evaluate: (scope) => scope.root };
      case "data":
        return { type: "snapshot", evaluate: (scope) => scope.data };
      case "newData":
        if (kind === ".read") fail(node, "newData is not available in .read");
        return { type: "snapshot", evaluate: (scope) => scope.newData };
      case "query":
        if (kind !== ".read") fail(node, "query is only available in .read");
        return { type: "any", evaluate: (scope) => scope.query };
      default:
        fail(node, `Unknown variable '${name}'`);
    }
  }

  #compileMember(node: jsep.MemberExpression): Compiled {
    requirePlainAccess(node);
    const name = node.computed ? null : getName(node.property);
    if (isNamed(node.object, "query") && name !== null && !Object.hasOwn(QUERY_MEMBERS, name)) {
      fail(node, `Unknown member 'query.${name}'`);
    }
    const object = this.#compile(node.object);
    if (object.type === "snapshot")
      fail(node, "A snapshot has methods only: use .child() or .val()");

    const property =
      name === null ? this.compileAs(["string", "number"], node.property) : (): unknown => name;
    return {
      type: "any",
      evaluate: (scope) => getMember(object.evaluate(scope), property(scope)),
    };
  }

  #compileCall(node: jsep.CallExpression): Compiled {
    const callee = node.callee as jsep.CoreExpression; // As in #compile.
    if (callee.type !== "MemberExpression") fail(node, "Only methods can be called");
    requirePlainAccess(callee);
    const name = callee.computed ? null : getName(callee.property);
    if (name === null) fail(node, "A method must be called by its name");

    const object = this.#compile(callee.object);
    if (object.type === "snapshot") {
      const method = SNAPSHOT_METHODS.get(name);
      if (!method) fail(node, `Unknown snapshot method '${name}'`);
      const args = this.#compileArguments(node, name, method.parameters);
      return {
        type: method.returns,
        evaluate: (scope) => {
          const target = object.evaluate(scope);
          if (target instanceof Snapshot) return method.call(target, args(scope));
          throw new RuleTypeError("There is no snapshot above the root");
        },
      };
    }

    if (object.type !== "any" && object.type !== "string") {
      fail(node, `A ${object.type} has no methods`);
    }
    if (name === "matches") {
      const pattern = readPattern(node);
      return {
        type: "boolean",
        evaluate: (scope) => pattern.test(requireString(object.evaluate(scope))),
      };
    }
    const method = STRING_METHODS.get(name);
    if (!method) fail(node, `Unknown string method '${name}'`);
    const args = this.#compileArguments(node, name, method.parameters);
    return {
      type: method.returns,
      evaluate: (scope) => method.call(requireString(object.evaluate(scope)), args(scope)),
    };
  }

  #compileArguments(
    node: jsep.CallExpression,
    name: string,
    parameters: number | "keys",
  ): (scope: Scope) => readonly string[] {
    if (parameters === "keys") {
      const keys = readKeys(node);
      return () => keys;
    }
    if (node.arguments.length !== parameters) {
      fail(node, `${name}() takes ${parameters} argument${parameters === 1 ? "" : "s"}`);
    }
    const args = node.arguments.map((argument) => this.compileAs(["string"], argument));
    return (scope) => args.map((evaluate) => requireString(evaluate(scope)));
  }

  #compileUnary(node: jsep.UnaryExpression): Compiled {
    switch (node.operator) {
      case "!": {
        const operand = this.compileAs(["boolean"], node.argument);
        return { type: "boolean", evaluate: (scope) => !requireBoolean(operand(scope)) };
      }
      case "-": {
        const operand = this.compileAs(["number"], node.argument);
        return { type: "number", evaluate: (scope) => -requireNumber(operand(scope)) };
      }
      default:
        fail(node, `Unknown operator '${node.operator}'`);
    }
  }

  #compileBinary(node: jsep.BinaryExpression): Compiled {
    if (node.operator === "&&" || node.operator === "||") {
      const decisive = node.operator === "||";
      const left = this.compileAs(["boolean"], node.left);
      const right = this.compileAs(["boolean"], node.right);
      return {
        type: "boolean",
        evaluate: (scope) =>
          requireBoolean(left(scope)) === decisive ? decisive : requireBoolean(right(scope)),
      };
    }

    const operator = BINARY_OPERATORS.get(node.operator);
    if (!operator) fail(node, `Unknown operator '${node.operator}'`);
    const left = this.compileAs(operator.operands, node.left);
    const right = this.compileAs(operator.operands, node.right);
    return {
      type: operator.returns,
      evaluate: (scope) => operator.apply(left(scope), right(scope)),
    };
  }

  #compileConditional(node: jsep.ConditionalExpression): Compiled {
    const test = this.compileAs(["boolean"], node.test);
    const consequent = this.#compile(node.consequent);
    const alternate = this.#compile(node.alternate);
    if (consequent.type !== alternate.type && [consequent, alternate].some(isSnapshot)) {
      fail(node, "Both outcomes must be snapshots, or neither");
    }
    return {
      type: consequent.type === alternate.type ? consequent.type : "any",
      evaluate: (scope) => (requireBoolean(test(scope)) ? consequent : alternate).evaluate(scope),
    };
  }
}

function compileLiteral(node: jsep.Literal): Compiled {
  const { value } = node;
  const evaluate = (): unknown => value;
  if (value === null) return { type: "null", evaluate };
  switch (typeof value) {
    case "string":
      return { type: "string", evaluate };
    case "number":
      return { type: "number", evaluate };
    case "boolean":
      return { type: "boolean", evaluate };
    default:
      fail(node, "A regular expression is only allowed in matches(/.../)");
  }
}

function getMember(object: unknown, name: unknown): unknown {
  if (typeof object === "string" && name === "length") return object.length;
  if (typeof object !== "object" || object === null) {
    throw new RuleTypeError("Only strings and objects have members");
  }
  const key = String(name);
  // Own properties only. A missing claim is null.
  return Object.entries(object).find(([own]) => own === key)?.[1] ?? null;
}

function requirePlainAccess(node: jsep.MemberExpression): void {
  if (node.optional) fail(node, "Unknown operator '?.'");
}

function getName(property: jsep.Expression): string | null {
  return typeof property["name"] === "string" ? property["name"] : null;
}

function isNamed(node: jsep.Expression, name: string): boolean {
  return node.type === "Identifier" && node["name"] === name;
}

function isSnapshot({ type }: Compiled): boolean {
  return type === "snapshot";
}
