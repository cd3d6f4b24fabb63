import { withoutControls } from '../../ground/lib/without-controls.ts'

/** A column of a list: its title, minimum width and value. */
export type Column<Row> = { title: string; width: number; value: (row: Row) => string | number }

/** Prints a list as a table with a header, or one JSON object per line. */
export async function printList<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  columns: readonly Column<Row>[],
  { json = false }: { json?: boolean },
): Promise<void> {
  if (!json) printCells(columns.map(({ title, width }) => title.padEnd(width)))
  for await (const row of rows) {
    if (json) process.stdout.write(`${withoutControls(JSON.stringify(row))}\n`)
    else printCells(columns.map(({ width, value }) => withoutControls(String(value(row))).padEnd(width)))
  }
}

const printCells = (cells: string[]) => process.stdout.write(`${cells.join('  ').trimEnd()}\n`)

export const jsonOption = ['--json', 'one JSON object a line instead of a table'] as const
