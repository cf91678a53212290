import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Switch } from "#app/ui/switch.tsx";
import { findTag, getAttribute } from "./render.tsx";

test("a switch is a native checkbox with the role switch", () => {
  const html = renderToString(
    <Switch name="sound" value="on" isSelected onChange={() => {}}>
      Sounds
    </Switch>,
  );

  expect(html).toMatch(/<label[^>]*>.*<input[^>]*>.*Sounds.*<\/label>/);
  expect(getAttribute(html, /^<input/, "type")).toBe("checkbox");
  expect(getAttribute(html, /^<input/, "role")).toBe("switch");
  expect(getAttribute(html, /^<input/, "name")).toBe("sound");
  expect(getAttribute(html, /^<input/, "value")).toBe("on");
  expect(findTag(html, /^<input/)).toContain(' checked=""');
});

test("a description describes the switch", () => {
  const html = renderToString(
    <Switch isSelected={false} description="A page turning" onChange={() => {}}>
      Sounds
    </Switch>,
  );

  const id = getAttribute(html, /^<input/, "aria-describedby");
  expect(id).not.toBeNull();
  expect(html).toContain(`id="${id}">A page turning</p>`);
});
