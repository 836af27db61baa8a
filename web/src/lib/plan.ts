/** What the lobby of a newly opened table does once it is connected: seat bots, and start
 * the game. A reload forgets it, and the person starts the game. */

export interface Plan {
  /** The level of each bot. */
  bots: string[];
  start: boolean;
}

const plans = new Map<string, Plan>();

export function planFor(table: string, plan: Plan): void {
  plans.set(table, plan);
}

/** Returns and removes the plan of a table. */
export function takePlan(table: string): Plan | null {
  const plan = plans.get(table) ?? null;
  plans.delete(table);
  return plan;
}
