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

/**
 * Measures all sides in turn, again and again, so that whatever else the machine does hits them alike. The first
 * round is dropped: it pays for compiling and for cold files.
 */
export async function compareInBlocks(
  control: Side,
  others: readonly Side[],
  rounds: number,
): Promise<Comparison[]> {
  const figures = new Map<Side, number[]>([control, ...others].map((side) => [side, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [side, kept] of figures) {
      const figure = await side.measure();
      if (round > 0) kept.push(figure);
    }
  }
  const controls = figures.get(control) ?? [];
  return others.map((side) => compare(side.name, figures.get(side) ?? [], control.name, controls));
}

function compare(
  name: string,
  figures: readonly number[],
  control: string,
  controls: readonly number[],
): Comparison {
  const ratios = figures.map((figure, round) => figure / (controls[round] ?? Number.NaN));
  const controlSpread = spread(controls);
  return {
    name,
    rate: median(figures),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    control,
    controlRate: median(controls),
    controlSpread,
    isVoid: controlSpread > MAX_CONTROL_SPREAD,
  };
}
