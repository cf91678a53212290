import * as fc from "fast-check";
import { expect, test } from "vitest";

import { BEFORE_PARAM, toMessageInRoomPath } from "#app/chat/room-address.ts";
import { readCursor } from "#app/firebase/cursor.ts";

test("the address of a message leads to the page that ends with it, whatever its microsecond", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e15 }), (microseconds) => {
      const sentAt = microseconds / 1000;
      const { searchParams } = new URL(toMessageInRoomPath("abc", { sentAt }), "http://localhost");

      const cursor = readCursor(searchParams.get(BEFORE_PARAM));

      expect(cursor).toEqual({ id: "abc", time: (microseconds + 1) / 1000 });
    }),
  );
});
