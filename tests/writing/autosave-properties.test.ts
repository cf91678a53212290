import fc from "fast-check";
import { expect, test } from "vitest";

import { AutosaveWorld, type Delivery, type Tab } from "#tests/support/autosave-world.ts";

const ID = "a".repeat(20);
const OTHER_ID = "b".repeat(20);

/** Makes every run use the same sequences. */
const SEED = 20_261_122;

/** Long enough for a busy machine. */
const TIMEOUT_MS = 60_000;

const delivery: fc.Arbitrary<Delivery> = fc.record({
  lost: fc.constantFrom("nothing", "nothing", "nothing", "request", "response"),
  // The client gives up after 30 s: these requests and responses arrive late, and out of order.
  requestMs: fc.constantFrom(20, 200, 3000, 20_000, 45_000, 80_000),
  responseMs: fc.constantFrom(20, 200, 3000, 20_000, 45_000),
});

const deliveries = fc.array(delivery, { maxLength: 25 });
const pause = fc.constantFrom(0, 50, 300, 1000, 2500, 6000, 31_000, 70_000);
const index = fc.nat(3);

const OWN_EVENTS = [
  "type",
  "type",
  "type",
  "save",
  "publish",
  "reload",
  "crash",
  "close",
  "open",
  "offline",
  "online",
  "expire session",
  "sign in",
] as const;
const ALL_EVENTS = [
  ...OWN_EVENTS,
  "open other draft",
  "open on other device",
  "trash",
  "restore",
  "overwrite remote",
  "replace with remote",
  "sign in as other user",
] as const;

type EventName = (typeof ALL_EVENTS)[number] | "delete permanently";

interface Command {
  name: EventName;
  index: number;
  pause: number;
}

function commands(names: readonly EventName[]) {
  return fc.array(fc.record({ name: fc.constantFrom(...names), index, pause }), {
    minLength: 3,
    maxLength: 40,
  });
}

/** A device types while offline, another one meanwhile: the first is in conflict once it is online. */
const CONFLICT: Command[] = [
  { name: "open on other device", index: 0, pause: 300 },
  { name: "offline", index: 1, pause: 0 },
  { name: "type", index: 1, pause: 1000 },
  { name: "type", index: 0, pause: 6000 },
  { name: "online", index: 1, pause: 2500 },
];

function run(world: AutosaveWorld, { name, index: at, pause: ms }: Command): void {
  const { tabs, browsers } = world;
  const tab = tabs[at % Math.max(1, tabs.length)];
  const browser = tab?.browser ?? browsers[at % browsers.length];
  if (!browser) return;
  const isConflict = tab?.autosave.getStatus().conflict ?? null;
  const { session } = browser;
  if (name === "open" && session) world.open(browser, ID);
  else if (name === "open other draft" && session) world.open(browser, OTHER_ID);
  else if (name === "open on other device" && browsers[1]?.session) world.open(browsers[1], ID);
  else if (name === "offline") world.setOnline(browser, false);
  else if (name === "online") world.setOnline(browser, true);
  else if (name === "expire session") world.setSession(browser, null);
  else if (name === "sign in") world.setSession(browser, "ana");
  else if (name === "sign in as other user") world.setSession(browser, "tomas");
  else if (name === "trash") world.trash("ana", ID, true);
  else if (name === "restore") world.trash("ana", ID, false);
  else if (name === "delete permanently") world.deletePermanently("ana", ID);
  else if (tab) runInTab(world, tab, name, isConflict !== null);
  world.advance(ms);
}

function runInTab(world: AutosaveWorld, tab: Tab, name: EventName, isConflict: boolean): void {
  if (name === "type") world.type(tab);
  else if (name === "save") void tab.autosave.save("save");
  else if (name === "publish") void tab.autosave.save("publish");
  else if (name === "reload") world.reload(tab, false);
  else if (name === "crash") world.reload(tab, true);
  else if (name === "close") world.close(tab);
  else if (name === "overwrite remote" && isConflict) void tab.autosave.overwriteRemote();
  else if (name === "replace with remote" && isConflict) void tab.autosave.replaceWithRemote();
}

/** Restores connections and sessions, resolves each conflict, and opens the drafts that only exist in a browser. */
function resolveAll(world: AutosaveWorld, choices: number): void {
  world.repairNetwork();
  for (const uid of ["tomas", "ana"]) {
    for (const browser of world.browsers) {
      world.setSession(browser, uid);
      world.setOnline(browser, true);
    }
    for (let round = 0; round < 12; round += 1) {
      world.advance(200_000);
      const isDecided = decideConflicts(world, uid, (choices >> round) % 2 === 0);
      const isOpened = openLocalDrafts(world, uid);
      if (!isDecided && !isOpened) break;
    }
    world.advance(200_000);
  }
}

/** Returns whether there was a conflict. */
function decideConflicts(world: AutosaveWorld, uid: string, isLocalChosen: boolean): boolean {
  const tabs = world.tabs.filter((tab) => tab.uid === uid);
  const conflicts = tabs.filter(({ autosave }) => autosave.getStatus().conflict);
  for (const { autosave } of conflicts) {
    const isDeleted = typeof autosave.getStatus().conflict?.deletedAt === "number";
    if (isLocalChosen || isDeleted) void autosave.overwriteRemote();
    else void autosave.replaceWithRemote();
    world.advance(200_000);
  }
  return conflicts.length > 0;
}

/** Opens the drafts that have local copies. Returns whether there were any. */
function openLocalDrafts(world: AutosaveWorld, uid: string): boolean {
  let isLeft = false;
  for (const browser of world.browsers) {
    for (const id of [ID, OTHER_ID]) {
      if (world.getLocalText(browser, `${uid}.${id}`) === "") continue;
      const open = browser.tabs.filter((tab) => tab.uid === uid && tab.autosave.id === id);
      // Open editors have to save their copies automatically.
      if (open.some(({ autosave }) => autosave.hasUnsavedChanges)) continue;
      isLeft = true;
      for (const tab of open) world.close(tab);
      world.advance(200_000);
      world.open(browser, id, uid);
    }
  }
  return isLeft;
}

function findForeignWords(world: AutosaveWorld): string[] {
  return [...world.typed].flatMap(([word, uid]) => {
    const isShown = world.tabs.some((tab) => tab.uid !== uid && tab.form.text.includes(word));
    const isStored = ["ana", "tomas"].some(
      (other) => other !== uid && world.account.getText(other).includes(word),
    );
    return isShown || isStored ? [word] : [];
  });
}

function findUnsaved(world: AutosaveWorld) {
  return world.tabs
    .filter(({ uid }) => uid === "ana")
    .filter(({ autosave, form }) => {
      const { savedTo, error, conflict, revision } = autosave.getStatus();
      const stored = world.account.drafts.get(`ana/${autosave.id}`);
      const isSaved = revision > 0 ? savedTo === "account" : form.text === "";
      return !isSaved || error || conflict || form.text !== (stored?.text ?? "");
    })
    .map(({ autosave }) => autosave.getStatus());
}

function findRepeatedSaves({ account }: AutosaveWorld) {
  const saves = account.performed.filter(
    ({ intent, isOverwrite }) => intent === "save" && !isOverwrite,
  );
  const keys = saves.map(({ id, text }) => `${id} ${text}`);
  return keys.filter((key, at) => keys.indexOf(key) !== at);
}

/** Fails with the shortest sequence of events that breaks an expectation. */
function check(
  names: readonly EventName[],
  numRuns: number,
  expectPromises: (world: AutosaveWorld) => void,
  { browserCount = 2, canConflict = true } = {},
) {
  fc.assert(
    fc.property(commands(names), deliveries, fc.nat(4095), fc.boolean(), (...args) => {
      const [events, network, choices, isConflict] = args;
      const world = new AutosaveWorld(network, browserCount);
      const [browser] = world.browsers;
      if (browser) world.open(browser, ID);
      for (const event of isConflict && canConflict ? [...CONFLICT, ...events] : events) {
        run(world, event);
        expect(findForeignWords(world)).toEqual([]);
      }
      resolveAll(world, choices);
      expectPromises(world);
    }),
    { seed: SEED, numRuns },
  );
}

test(
  "loses no word, overwrites nothing without a version, and saves everything in the end",
  () => {
    check(ALL_EVENTS, 1200, (world) => {
      expect(world.violations).toEqual([]);
      expect(world.findLost()).toEqual([]);
      expect(findRepeatedSaves(world)).toEqual([]);
      expect(findUnsaved(world)).toEqual([]);
    });
  },
  TIMEOUT_MS,
);

test(
  "creates a draft again that is deleted permanently while its editor is open",
  () => {
    // With one editor only: revisions start again at 1, so a second editor might have a revision of the deleted draft.
    const others = ["open", "close"];
    const names = OWN_EVENTS.filter((name) => !others.includes(name));
    check(
      [...names, "trash", "restore", "delete permanently"],
      400,
      (world) => expect(world.findLost()).toEqual([]),
      { browserCount: 1, canConflict: false },
    );
  },
  TIMEOUT_MS,
);

test(
  "never reports its own save as a conflict, even with lost and late requests",
  () => {
    fc.assert(
      fc.property(commands(OWN_EVENTS), deliveries, (events, network) => {
        const world = new AutosaveWorld(network, 1);
        const [browser] = world.browsers;
        if (browser) world.open(browser, ID);
        for (const event of events) {
          // One tab at a time, because saves in a second tab are real conflicts.
          if (event.name === "open" && world.tabs.length > 0) continue;
          // A page that could not load its draft may have a conflict with it.
          const isOpening = ["open", "reload", "crash"].includes(event.name);
          if (isOpening && !browser?.isOnline) continue;
          run(world, event);
          const conflicts = world.tabs.map(({ autosave }) => autosave.getStatus().conflict);
          expect(conflicts.filter(Boolean)).toEqual([]);
        }
      }),
      { seed: SEED, numRuns: 600 },
    );
  },
  TIMEOUT_MS,
);
