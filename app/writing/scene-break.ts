/** Marks that writers put between scenes: `* * *`, `---`, `~*~`, or one `#`, `*` or `⁂` alone. */
const SCENE_BREAK = /^(?:([*_~#•·–—-])(?:\s*\1){2,}|([~*•·-])\s*[~*•·]\s*\2|[#*⁂])$/u;

/** Whether a paragraph is nothing but a break between two scenes. */
export function isSceneBreak(text: string): boolean {
  return SCENE_BREAK.test(text.trim());
}
