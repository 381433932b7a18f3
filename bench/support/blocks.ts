import { median, spread } from './statistics.ts';

/** One of the things compared, measured for one block at a time. */
export interface Side {
  readonly name: string;
  /** One block; answers with its figure, more being better: things per second. */
  readonly measure: () => Promise<number>;
}

export interface Comparison {
  readonly name: string;
  /** Median figure of the side's blocks. */
  readonly rate: number;
  /** Median, lowest and highest of the ratios to the control, block by block. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly control: string;
  readonly controlRate: number;
  /** How far the control's blocks lie apart, as a share of their median. */
  readonly controlSpread: number;
  /** The machine was too busy with something else for the ratio to mean anything. */
  readonly isVoid: boolean;
}

const MAX_CONTROL_SPREAD = 0.25;

/** The figures of each side, block by block. */
export type Figures = ReadonlyMap<Side, readonly number[]>;

/**
 * Measures all sides in turn, again and again, so that whatever else the machine does hits them alike. The first
 * round is dropped: it pays for compiling and for cold files.
 */
export async function measureInBlocks(sides: readonly Side[], rounds: number): Promise<Figures> {
  const figures = new Map<Side, number[]>(sides.map((side) => [side, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [side, kept] of figures) {
      const figure = await side.measure();
      if (round > 0) kept.push(figure);
    }
  }
  return figures;
}

/** Measures all against one of them. */
export async function compareInBlocks(
  control: Side,
  others: readonly Side[],
  rounds: number,
): Promise<Comparison[]> {
  const figures = await measureInBlocks([control, ...others], rounds);
  return others.map((side) => compareSides(figures, side, control));
}

export function compareSides(figures: Figures, side: Side, control: Side): Comparison {
  const own = figures.get(side) ?? [];
  const controls = figures.get(control) ?? [];
  const ratios = own.map((figure, round) => figure / (controls[round] ?? Number.NaN));
  const controlSpread = spread(controls);
  return {
    name: side.name,
    rate: median(own),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    control: control.name,
    controlRate: median(controls),
    controlSpread,
    isVoid: controlSpread > MAX_CONTROL_SPREAD,
  };
}
