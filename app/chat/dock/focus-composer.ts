/** About a second. */
const MAX_FRAMES = 60;

/** Focuses the message input once it contains text, such as a quote. The panel may have to be loaded first. */
export async function focusComposer(): Promise<void> {
  await import("#app/chat/panel/chat-panel.tsx").catch(() => null);
  for (let frames = 0; frames < MAX_FRAMES; frames += 1) {
    // React renders the panel, and then the quote.
    await new Promise(requestAnimationFrame);
    const field = document.querySelector<HTMLTextAreaElement>("#room textarea[name=message]");
    if (!field?.value.trim()) continue;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    return;
  }
}
