import type jsep from "jsep";

import { SNAPSHOT_METHODS, STRING_METHODS, type StaticType } from "./methods.ts";
import { BINARY_OPERATORS, requireNumber, requireString } from "./operators.ts";
import { fail, parseExpression } from "./parse-expression.ts";
import { compilePattern } from "./pattern.ts";
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

/** Members that are not used are null, whatever their type. */
const QUERY_MEMBERS: Record<keyof QueryVariable, StaticType> = {
  orderByKey: "boolean",
  orderByPriority: "boolean",
  orderByValue: "boolean",
  orderByChild: "string",
  startAt: "value",
  endAt: "value",
  equalTo: "value",
  limitToFirst: "number",
  limitToLast: "number",
};

/** Far more than a rule needs. Prevents a stack overflow here and when the rule is evaluated. */
const MAX_NESTING_LEVELS = 500;

/**
 * Compiles the text of a rule to a function. An error at run time makes the rule false.
 *
 * @see https://firebase.google.com/docs/reference/security/database
 * @throws ExpressionError for syntax errors, unknown variables, methods and operators, and type errors.
 */
export function compileRule(text: string, context: RuleContext): Rule {
  const rule = new Compiler(context).compileCondition(parseExpression(text));
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
  #level = 0;

  constructor(context: RuleContext) {
    this.#context = context;
  }

  /** Compiles an expression that must be a boolean. Firebase does not load a rule whose type is only known later. */
  compileCondition(node: jsep.Expression): Compiled["evaluate"] {
    const { type, evaluate } = this.#compile(node);
    if (type === "value" || type === "any") {
      fail(
        node,
        "Expected boolean, found a value of any type: compare it, as in data.val() === true",
      );
    }
    if (type !== "boolean") failType(node, ["boolean"], type);
    return evaluate;
  }

  /** Compiles an expression that must have one of the types. If its type is unknown, it is checked at run time. */
  #compileAs(types: readonly StaticType[], node: jsep.Expression): Compiled {
    const compiled = this.#compile(node);
    const { type } = compiled;
    if (type !== "any" && type !== "value" && !types.includes(type)) failType(node, types, type);
    return compiled;
  }

  #compile(node: jsep.Expression): Compiled {
    if (this.#level === MAX_NESTING_LEVELS) fail(node, "The rule is nested too deeply");
    this.#level += 1;
    const compiled = this.#compileNode(node);
    this.#level -= 1;
    return compiled;
  }

  #compileNode(expression: jsep.Expression): Compiled {
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
        return { type: "query", evaluate: (scope) => scope.query };
      default:
        fail(node, `Unknown variable '${name}'`);
    }
  }

  #compileMember(node: jsep.MemberExpression): Compiled {
    const name = getName(node);
    const object = this.#compile(node.object);
    const type = getMemberType(node, object.type, name);
    const property =
      name === null ? this.#compileAs(["string", "number"], node.property).evaluate : () => name;
    return { type, evaluate: (scope) => getMember(object.evaluate(scope), property(scope)) };
  }

  #compileCall(node: jsep.CallExpression): Compiled {
    const callee = node.callee as jsep.CoreExpression; // As in #compileNode.
    if (callee.type !== "MemberExpression") fail(node, "Only methods can be called");
    const name = getName(callee);
    if (name === null) fail(node, "A method must be called by its name");

    const object = this.#compile(callee.object);
    if (object.type === "snapshot") {
      const method = SNAPSHOT_METHODS.get(name);
      if (!method) fail(node, `Unknown snapshot method '${name}'`);
      const args =
        method.parameters === "keys"
          ? this.#compileKeys(node)
          : this.#compileArguments(node, name, node.arguments, method.parameters);
      return {
        type: method.returns,
        evaluate: (scope) => {
          const target = object.evaluate(scope);
          if (target instanceof Snapshot) return method.call(target, args(scope));
          throw new RuleTypeError("There is no snapshot above the root");
        },
      };
    }

    if (object.type !== "string" && object.type !== "value" && object.type !== "any") {
      fail(node, `A ${object.type} has no methods`);
    }
    if (name === "matches") {
      const matches = compilePattern(node);
      return {
        type: "boolean",
        evaluate: (scope) => matches(requireString(object.evaluate(scope))),
      };
    }
    const method = STRING_METHODS.get(name);
    if (!method) fail(node, `Unknown string method '${name}'`);
    const args = this.#compileArguments(node, name, node.arguments, method.parameters);
    return {
      type: method.returns,
      evaluate: (scope) => method.call(requireString(object.evaluate(scope)), args(scope)),
    };
  }

  #compileArguments(
    node: jsep.CallExpression,
    name: string,
    expressions: readonly jsep.Expression[],
    count: number,
  ): (scope: Scope) => readonly string[] {
    if (expressions.length !== count) {
      fail(node, `${name}() takes ${count} argument${count === 1 ? "" : "s"}`);
    }
    const args = expressions.map((argument) => this.#compileAs(["string"], argument));
    return (scope) => args.map(({ evaluate }) => requireString(evaluate(scope)));
  }

  /** Compiles the argument of `hasChildren`: none, or a list of keys. */
  #compileKeys(node: jsep.CallExpression): (scope: Scope) => readonly string[] {
    if (node.arguments.length === 0) return () => [];
    const [list, ...others] = node.arguments as jsep.CoreExpression[]; // As in #compileNode.
    const keys =
      list?.type === "ArrayExpression" ? list.elements.filter((key) => key !== null) : [];
    if (keys.length === 0 || others.length > 0) {
      fail(node, "hasChildren() takes no argument or a list of at least one string");
    }
    return this.#compileArguments(node, "hasChildren", keys, keys.length);
  }

  #compileUnary(node: jsep.UnaryExpression): Compiled {
    switch (node.operator) {
      case "!": {
        const operand = this.compileCondition(node.argument);
        return { type: "boolean", evaluate: (scope) => operand(scope) !== true };
      }
      case "-": {
        const operand = this.#compileAs(["number"], node.argument);
        return { type: "number", evaluate: (scope) => -requireNumber(operand.evaluate(scope)) };
      }
      default:
        fail(node, `Unknown operator '${node.operator}'`);
    }
  }

  #compileBinary(node: jsep.BinaryExpression): Compiled {
    if (node.operator === "&&" || node.operator === "||") {
      const decisive = node.operator === "||";
      const left = this.compileCondition(node.left);
      const right = this.compileCondition(node.right);
      return {
        type: "boolean",
        evaluate: (scope) => (left(scope) === decisive ? decisive : right(scope)),
      };
    }

    const operator = BINARY_OPERATORS.get(node.operator);
    if (!operator) fail(node, `Unknown operator '${node.operator}'`);
    const left = this.#compileAs(operator.operands, node.left);
    const right = this.#compileAs(operator.operands, node.right);
    return {
      type: operator.returns(left.type, right.type),
      evaluate: (scope) => operator.apply(left.evaluate(scope), right.evaluate(scope)),
    };
  }

  #compileConditional(node: jsep.ConditionalExpression): Compiled {
    const test = this.compileCondition(node.test);
    const consequent = this.#compile(node.consequent);
    const alternate = this.#compile(node.alternate);
    if (consequent.type !== alternate.type && [consequent, alternate].some(isSnapshot)) {
      fail(node, "Both outcomes must be snapshots, or neither");
    }
    return {
      type: consequent.type === alternate.type ? consequent.type : "any",
      evaluate: (scope) => (test(scope) === true ? consequent : alternate).evaluate(scope),
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

/** Returns the type of a member, whose name is null if it is an expression. */
function getMemberType(
  node: jsep.MemberExpression,
  objectType: StaticType,
  name: string | null,
): StaticType {
  switch (objectType) {
    case "any":
      return "any";
    case "string":
    case "value":
      if (name === "length") return "number";
      fail(node, "A value has no members but length: use .child() on a snapshot");
    case "query":
      if (name !== null && isQueryMember(name)) return QUERY_MEMBERS[name];
      fail(node, name === null ? "Unknown member of query" : `Unknown member 'query.${name}'`);
    case "snapshot":
      fail(node, "A snapshot has methods only: use .child() or .val()");
    default:
      fail(node, `A ${objectType} has no members`);
  }
}

/** A missing claim is null, and so is every member of it. Own properties only. */
function getMember(object: unknown, name: unknown): unknown {
  if (typeof object === "string") return name === "length" ? object.length : null;
  if (typeof object !== "object" || object === null) return null;
  const key = String(name);
  return Object.entries(object).find(([own]) => own === key)?.[1] ?? null;
}

/** Returns the name in `object.name` and `object["name"]`, or null for other expressions in brackets. */
function getName({ computed, optional, property }: jsep.MemberExpression): string | null {
  if (optional) fail(property, "Unknown operator '?.'");
  const name = property[computed ? "value" : "name"];
  return typeof name === "string" ? name : null;
}

function isQueryMember(name: string): name is keyof QueryVariable {
  return Object.hasOwn(QUERY_MEMBERS, name);
}

function isSnapshot({ type }: Compiled): boolean {
  return type === "snapshot";
}

function failType(node: jsep.Expression, types: readonly StaticType[], found: StaticType): never {
  if (found === "snapshot") {
    fail(node, "A snapshot is not a value: use .val(), .exists() or another of its methods");
  }
  fail(node, `Expected ${types.join(" or ")}, found ${found}`);
}
