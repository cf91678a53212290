import type { StoryType } from "./story.ts";

/** The five books and six quests of the dashboard. Server only, so that pages load only the items they show. */
export const sampleItems: readonly SampleItem[] = [
  {
    id: 1,
    title: "The Lamplighter's Orchard",
    description:
      "Every evening Odile lights four hundred lamps among the pear trees so the dead can find the road. Tonight one of them blows its lamp out and asks to stay.",
    type: "book",
    imgPath: "/assets/covers/the-lamplighters-orchard.svg",
    readLink: "/read/the-lamplighters-orchard",
  },
  {
    id: 2,
    title: "Salt for the Clockmaker",
    description:
      "In a flooded port where money has dissolved, a clockmaker agrees to be paid in salt, and begins to notice which of her customers are running out of time.",
    type: "book",
    imgPath: "/assets/covers/salt-for-the-clockmaker.svg",
    readLink: "/read/salt-for-the-clockmaker",
  },
  {
    id: 3,
    title: "Nine Doors Down the Hill",
    description:
      "Nine houses, nine painted doors, one street. The fourth door is the wrong green, and only the postman's daughter remembers what colour it was yesterday.",
    type: "book",
    imgPath: "/assets/covers/nine-doors-down-the-hill.svg",
    readLink: "/read/nine-doors-down-the-hill",
  },
  {
    id: 4,
    title: "A Cartographer of Rain",
    description:
      "Two months into the longest rain on record, a mapmaker is asked the only question anyone has left: where does it stop?",
    type: "book",
    imgPath: "/assets/covers/a-cartographer-of-rain.svg",
    readLink: "/read/a-cartographer-of-rain",
  },
  {
    id: 5,
    title: "The Understudy Moon",
    description:
      "When the moon misses its cue, a retired stage manager is handed a rope, a lantern and six hours to find a replacement.",
    type: "book",
    imgPath: "/assets/covers/the-understudy-moon.svg",
    readLink: "/read/the-understudy-moon",
  },
  {
    id: 6,
    title: "The Bell Beneath the Lake",
    description:
      "The village drowned in 1911. Its bell still rings at noon. Gather three witnesses, borrow a boat, and find out who is pulling the rope.",
    type: "quest",
    imgPath: "/assets/covers/the-bell-beneath-the-lake.svg",
    readLink: "/quest/the-bell-beneath-the-lake",
  },
  {
    id: 7,
    title: "Courier of the Seventh Gate",
    description:
      "Carry one sealed letter through seven gates before dawn. Each keeper may ask you one question, and each answer closes a road behind you.",
    type: "quest",
    imgPath: "/assets/covers/courier-of-the-seventh-gate.svg",
    readLink: "/quest/courier-of-the-seventh-gate",
  },
  {
    id: 8,
    title: "The Midnight Market Wager",
    description:
      "Arrive with nothing you would miss. Leave before the lanterns are lowered. In between, win back the hour you lost last spring.",
    type: "quest",
    imgPath: "/assets/covers/the-midnight-market-wager.svg",
    readLink: "/quest/the-midnight-market-wager",
  },
  {
    id: 9,
    title: "The Glass Apiary",
    description:
      "A hive of glass bees has stopped humming. Follow the queen through nine rooms of cold honey and mend whatever is out of tune.",
    type: "quest",
    imgPath: "/assets/covers/the-glass-apiary.svg",
    readLink: "/quest/the-glass-apiary",
  },
  {
    id: 10,
    title: "Thirteen Keys to Marrow Hall",
    description:
      "Twelve keys open doors. The thirteenth locks one. Search the hall with your companions and agree, in the end, what must stay shut.",
    type: "quest",
    imgPath: "/assets/covers/thirteen-keys-to-marrow-hall.svg",
    readLink: "/quest/thirteen-keys-to-marrow-hall",
  },
  {
    id: 11,
    title: "Wake the Sleeping Signal",
    description:
      "A transmitter on the moor has been silent for forty years. Restore its seven stages, decode its last sentence, and decide whether to answer.",
    type: "quest",
    imgPath: "/assets/covers/wake-the-sleeping-signal.svg",
    readLink: "/quest/wake-the-sleeping-signal",
  },
];

/** An item of the dashboard's built-in list. */
interface SampleItem {
  id: number;
  title: string;
  description: string;
  type: Exclude<StoryType, "story">;
  /** The URL of an image. */
  imgPath: string;
  /** `/read/{slug}` for a book, `/quest/{slug}` for a quest. */
  readLink: string;
}
