// What the product promises, in one sentence each, in every browser.
import "./journey/accounts.ts";
import "./journey/reading.ts";
import "./journey/room.ts";
import "./journey/stories.ts";
import "./journey/writing.ts";
