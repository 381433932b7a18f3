import { expect, test } from 'vitest';
import { createMatmulKernel, PANEL_COLUMNS } from './matmul-kernel.ts';

test.each([
  { rows: 4, depth: 4, columns: 8 },
  { rows: 12, depth: 64, columns: 24 },
])('adds the product of $rows × $depth × $columns to what is there', ({ rows, depth, columns }) => {
  const kernel = createMatmulKernel(1 << 16);
  const floats = new Float32Array(kernel.memory);
  const b = rows * depth;
  const c = b + depth * columns;
  for (let index = 0; index < c + rows * columns; index += 1) floats[index] = Math.sin(index);
  const before = floats.slice();
  const at = (index: number) => before[index] ?? 0;

  kernel.multiply({ a: 0, b: b * 4, c: c * 4, rows, depth, panels: columns / PANEL_COLUMNS });

  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const panel = b + Math.floor(column / PANEL_COLUMNS) * depth * PANEL_COLUMNS;
      let expected = at(c + row * columns + column);
      for (let step = 0; step < depth; step += 1) {
        const factor = at(panel + step * PANEL_COLUMNS + (column % PANEL_COLUMNS));
        expected += at(row * depth + step) * factor;
      }
      expect(floats[c + row * columns + column]).toBeCloseTo(expected, 3);
    }
  }
});
