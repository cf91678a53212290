import { expect, test } from "vitest";

import { loader as homeLoader } from "#app/routes/home.tsx";
import { loader } from "#app/routes/read.$id.tsx";
import { action as savedAction } from "#app/routes/saved.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { signIn, toCookieHeader } from "#tests/support/routes.ts";

test("saved lists say that a story was withdrawn, and drop it once its address has said so too", async () => {
  await using page = await startCreatePage();
  const { app } = page;
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  const { storyId } = (await page.load(`/create?draft=${form.id}`)).draft;
  const id = storyId ?? "";
  const params = { id };
  const reader = await signIn(app, await app.firebase.addAccount());
  const save = { intent: "save", story: id };
  await app.send(savedAction, "/saved", { form: save, cookie: reader });
  const device = toCookieHeader((await app.send(savedAction, "/saved", { form: save })).headers);
  expect(await app.send(loader, `/read/${id}`, { params })).toMatchObject({
    data: { isWithdrawn: false, story: { id } },
  });

  const homeOf = async (cookie: string) => (await app.send(homeLoader, "/home", { cookie })).data;
  for (const cookie of [device, reader]) {
    expect(await homeOf(cookie)).toMatchObject({ saved: [{ id }] });
    expect(await homeOf(cookie)).not.toMatchObject({ saved: [{ isWithdrawn: true }] });
  }

  await page.send({ ...form, intent: "unpublish", revision: "1" });

  for (const cookie of [device, reader]) {
    expect(await homeOf(cookie)).toMatchObject({ saved: [{ id, isWithdrawn: true }] });
  }

  for (const cookie of [undefined, device, reader]) {
    const { status, data, headers } = await app.send(loader, `/read/${id}`, { params, cookie });
    expect(status).toBe(200);
    expect(data).toMatchObject({ story: null, isWithdrawn: true, isUnavailable: false });
    expect(JSON.stringify(data)).not.toMatch(/Salt|tide/);
    expect(headers.getSetCookie().some((line) => line.startsWith("saved=;"))).toBe(
      cookie === device,
    );
  }
  await app.finish();
  expect(await homeOf(reader)).toMatchObject({ saved: [] });

  await page.send({ ...form, intent: "publish", revision: "2" });
  expect(await app.send(loader, `/read/${id}`, { params })).toMatchObject({
    data: { isWithdrawn: false, story: { id } },
  });
});
