import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Outbox } from "#app/chat/outbox/outbox.ts";
import { createBrowser, flushPromises, type Outcome } from "#tests/support/outbox-browser.ts";

type Step =
  | { type: "send" | "show" | "online" | "flush" | "crash" | "reload" | "start" }
  | { type: "outcome"; outcome: Outcome };

const step: fc.Arbitrary<Step & { tab: number }> = fc
  .tuple(
    fc.nat(2),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Step>({ type: "send" }) },
      { weight: 3, arbitrary: fc.constant<Step>({ type: "flush" }) },
      fc.constantFrom<Step>(
        { type: "show" },
        { type: "online" },
        { type: "crash" },
        { type: "reload" },
        { type: "start" },
      ),
      {
        weight: 3,
        arbitrary: fc
          .constantFrom<Outcome>("fails", "response is lost", "is too fast", "succeeds")
          .map((outcome): Step => ({ type: "outcome", outcome })),
      },
    ),
  )
  .map(([tab, one]) => ({ ...one, tab }));

test("stores every message once, in the order of its tab, under its writer, whatever fails", async () => {
  const users = ["ana", "ana", "tomas"];
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const browser = createBrowser();
    const { outcomes, room, goOnline, openTab } = browser;
    const tabs = users.map((uid) => openTab(uid));
    for (const { outbox } of tabs) outbox.start();
    const sent: { text: string; uid: string | undefined; tab: number }[] = [];
    let count = 0;

    for (const { tab, ...one } of steps) {
      const current = tabs[tab];
      const uid = users[tab] ?? "";
      if (!current) continue;
      if (one.type === "send") {
        const text = `${(count += 1)}`;
        sent.push({ text, uid, tab });
        current.outbox.setText(text);
        current.outbox.send();
      } else if (one.type === "outcome") outcomes.push(one.outcome);
      else if (one.type === "show") current.showStored();
      else if (one.type === "online") goOnline();
      else if (one.type === "start") current.outbox.start();
      else if (one.type === "crash") {
        current.close();
        tabs[tab] = openTab(uid);
        tabs[tab].outbox.start();
      } else if (one.type === "reload") {
        // The tab closes before the message is sent.
        const text = `${(count += 1)}`;
        sent.push({ text, uid, tab });
        current.sendText(text);
        current.close();
        tabs[tab] = openTab(uid);
        tabs[tab].outbox.start();
      } else await flushPromises();
    }

    // At the end every request succeeds.
    outcomes.length = 0;
    const isWaiting = ({ outbox }: { outbox: Outbox }) =>
      outbox.getState().entries.some(({ status }) => status === "waiting");
    for (let turns = 0; turns < 100 && (turns < 3 || tabs.some(isWaiting)); turns += 1) {
      goOnline();
      await flushPromises();
    }
    for (const { showStored } of tabs) showStored();
    await flushPromises();

    const compareTexts = (one: { text: string }, other: { text: string }) =>
      Number(one.text) - Number(other.text);
    expect(room.map(({ text, uid }) => ({ text, uid })).toSorted(compareTexts)).toEqual(
      sent.map(({ text, uid }) => ({ text, uid })),
    );
    for (const uid of new Set(users)) {
      const texts = room.filter((one) => one.uid === uid).map(({ text }) => text);
      expect(texts).toEqual(sent.filter((one) => one.uid === uid).map(({ text }) => text));
    }
    expect(tabs.flatMap(({ entries }) => entries())).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1000 });
});

/** Several tabs act on rejected messages, each on the first message that it shows as failed. */
const decisionStep = fc.record({
  tab: fc.nat(2),
  type: fc.constantFrom(
    ...(["send", "flush", "deny", "deny", "retry", "edit", "discard", "lose", "online"] as const),
  ),
});

test("stores no message twice that is retried, edited or discarded in several tabs at once", async () => {
  const property = fc.asyncProperty(fc.array(decisionStep, { maxLength: 40 }), async (steps) => {
    const { outcomes, texts, goOnline, openTab } = createBrowser();
    const tabs = [openTab(), openTab(), openTab()];
    for (const { outbox } of tabs) outbox.start();
    const sent: string[] = [];
    const discarded = new Set<string>();

    for (const { tab, type } of steps) {
      const current = tabs[tab];
      if (!current) continue;
      const { outbox, sendText, inputText } = current;
      const failed = outbox.getState().entries.find(({ status }) => status === "failed");
      if (type === "send") {
        sent.push(`${sent.length + 1}`);
        sendText(`${sent.length}`);
      } else if (type === "flush") await flushPromises();
      else if (type === "online") goOnline();
      else if (type === "deny") outcomes.push("is denied");
      else if (type === "lose") outcomes.push("response is lost");
      else if (!failed) continue;
      else if (type === "retry") outbox.retry(failed.id);
      else if (type === "discard") {
        discarded.add(failed.text);
        outbox.discard(failed.id);
      } else {
        outbox.edit(failed.id);
        if (inputText() !== "") outbox.send();
      }
    }

    // At the end every request succeeds.
    outcomes.length = 0;
    for (let turns = 0; turns < 10; turns += 1) {
      goOnline();
      await flushPromises();
    }
    const isFailed = ({ status }: { status: string }) => status === "failed";
    const failed = tabs[0]?.outbox.getState().entries.filter(isFailed) ?? [];
    const stored = texts().flatMap((text) => text.split("\n"));
    const left = [...stored, ...failed.map(({ text }) => text)].toSorted();
    expect(left).toEqual([...new Set(left)]);
    expect(sent.filter((text) => !discarded.has(text) && !left.includes(text))).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1000 });
});
