import type { Data, Processor } from "unified";

type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Construct = Extract<NonNullable<Extension["contentInitial"]>[number], { tokenize: unknown }>;

/** A web page, an e-mail address, or the `#` and `<>` of comments such as `[//]: # (a comment)`. */
const DESTINATION = /^(?:<?(?:https?:|mailto:)|#$|<>$)/i;

const EXCLAMATION_MARK = 33;
const OPENING_BRACKET = 91;

/** Like the link definition of CommonMark, but reads a line of dialogue such as `[Anna]: Hello!` as text. */
const linkDefinition: Construct = {
  name: "linkDefinition",
  tokenize(effects, ok, nok) {
    const { parser } = this;
    const definition = [parser.constructs.contentInitial?.[OPENING_BRACKET] ?? []]
      .flat()
      .find(({ name }) => name === "definition");
    if (!definition) return nok;
    return definition.tokenize.call(
      this,
      effects,
      (code) => {
        const destination = this.events.findLast(
          ([, { type }]) => type === "definitionDestination",
        );
        if (destination && DESTINATION.test(this.sliceSerialize(destination[1]))) return ok(code);
        parser.defined.pop();
        return nok(code);
      },
      nok,
    );
  },
};

/**
 * A plugin for `remark-parse`. Without it, text in the form of a link definition would disappear from the story, and
 * each `[Anna]` in the text would be a link.
 */
export function keepDialogue(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { contentInitial: { [OPENING_BRACKET]: linkDefinition }, disable: { null: ["definition"] } },
  ];
}

/** A plugin for `remark-parse`. Adds definitions that other parts of the text have, so that references become links. */
export function addDefinitions(this: Processor, identifiers: readonly string[]): void {
  const known = identifiers.map((identifier) => identifier.toUpperCase());
  const parsers = new WeakSet();
  /** Matches nothing, but is called before any reference is read. */
  const construct: Construct = {
    name: "addDefinitions",
    tokenize(_effects, _ok, nok) {
      if (!parsers.has(this.parser)) this.parser.defined.push(...known);
      parsers.add(this.parser);
      return nok;
    },
  };
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { text: { [EXCLAMATION_MARK]: construct, [OPENING_BRACKET]: construct } },
  ];
}
