/** What is to happen at a table that has just been opened, once the lobby has come alive: bots sit
 * down, and the game starts. It lasts as long as the page: after a reload the lobby asks. */

export interface Plan {
  /** The level of each bot. */
  bots: string[];
  start: boolean;
}

const plans = new Map<string, Plan>();

export function planFor(table: string, plan: Plan): void {
  plans.set(table, plan);
}

/** The plan of a table, once. */
export function takePlan(table: string): Plan | null {
  const plan = plans.get(table) ?? null;
  plans.delete(table);
  return plan;
}
