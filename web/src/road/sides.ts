/** The colour and number of a side, on its car and beside its name. */

const COLOURS = 8;

export interface Lane {
  side: number;
  name: string;
  miles: number;
  rolling: boolean;
  limited: boolean;
  hazard: string | null;
  you: boolean;
  points: number;
}

/** The racing number of a side. */
export const numberOf = (side: number) => String(side + 1);

/** The colour of a side, as CSS. */
export const colourOf = (side: number) => `var(--side-${side % COLOURS})`;
