import { renderInSteps, runStepsAtOnce, toPlainTextInSteps } from "#app/stories/markdown.server.ts";

export const renderMarkdown = (markdown: string) => runStepsAtOnce(renderInSteps(markdown));

export const toPlainText = (markdown: string) => runStepsAtOnce(toPlainTextInSteps(markdown));
