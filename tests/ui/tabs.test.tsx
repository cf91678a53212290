import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Tab, TabList, TabPanel, Tabs } from "#app/ui/tabs.tsx";
import { findTag, getAttribute } from "./render.tsx";

test("the server renders the tabs and the selected panel, which refer to each other", () => {
  const html = renderToString(
    <Tabs defaultSelectedKey="drafts">
      <TabList label="Your things">
        <Tab id="stories">Stories</Tab>
        <Tab id="drafts">Drafts</Tab>
      </TabList>
      <TabPanel id="stories">Four stories</TabPanel>
      <TabPanel id="drafts">No drafts</TabPanel>
    </Tabs>,
  );

  const tab = /role="tab".*data-key="drafts"|data-key="drafts".*role="tab"/;
  expect(getAttribute(html, /role="tablist"/, "aria-label")).toBe("Your things");
  expect(getAttribute(html, tab, "aria-selected")).toBe("true");
  expect(getAttribute(html, tab, "aria-controls")).toBe(
    getAttribute(html, /role="tabpanel"/, "id"),
  );
  expect(getAttribute(html, /role="tabpanel"/, "aria-labelledby")).toBe(
    getAttribute(html, tab, "id"),
  );
  expect(html).toContain("No drafts");
  expect(html).not.toContain("Four stories");
});

test("a tab with an href is a link, which works without JavaScript", () => {
  const html = renderToString(
    <Tabs selectedKey="stories">
      <TabList label="Your things">
        <Tab id="stories" href="?tab=stories">
          Stories
        </Tab>
        <Tab id="drafts" href="?tab=drafts">
          Drafts
        </Tab>
      </TabList>
      <TabPanel id="stories">Four stories</TabPanel>
    </Tabs>,
  );

  expect(findTag(html, /^<a.*tab=drafts/)).toContain('role="tab"');
});
