import type { AutosaveEffect } from "./events.ts";
import type { AutosaveState, SaveStatus, Timer } from "./state.ts";

/** The state and effects of one event while it is handled. */
export interface Step {
  state: AutosaveState;
  readonly effects: AutosaveEffect[];
  readonly at: number;
}

/** The pause in typing to wait for, and the longest wait without a pause. */
export interface Delay {
  pauseMs: number;
  maxMs: number;
}

/** Starts or restarts a timer, but lets it end at most `maxMs` after its first start. */
export function schedule(step: Step, timer: Timer, { pauseMs, maxMs }: Delay): void {
  const since = step.state.timers[timer] ?? step.at;
  startTimer(step, timer, Math.max(0, Math.min(pauseMs, since + maxMs - step.at)));
}

export function startTimer(step: Step, timer: Timer, ms: number): void {
  const { timers, isStopped } = step.state;
  if (isStopped) return;
  update(step, { timers: { ...timers, [timer]: timers[timer] ?? step.at } });
  emit(step, { type: "startTimer", timer, ms });
}

export function stopTimer(step: Step, timer: Timer): void {
  const { [timer]: since, ...timers } = step.state.timers;
  if (since === undefined) return;
  update(step, { timers });
  emit(step, { type: "stopTimer", timer });
}

export function update(step: Step, next: Partial<AutosaveState>): void {
  step.state = { ...step.state, ...next };
}

export function updateStatus(step: Step, next: Partial<SaveStatus>): void {
  update(step, { status: { ...step.state.status, ...next } });
}

export function emit(step: Step, effect: AutosaveEffect): void {
  step.effects.push(effect);
}
