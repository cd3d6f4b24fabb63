import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './documented.ts'

export const chartFiles = (): string[] =>
  globSync('deploy/helm/loci/**/*.*', { cwd: root, exclude: (path) => path.endsWith('.helmignore') }).sort()

/** What the chart is rendered with, by name. */
export const renderings = ['least', 'full'] as const
export const renderedPath = (name: string) => join(import.meta.dirname, 'rendered', `${name}.yaml`)

/** The first line of a kept rendering, which says of which chart it is. */
export function headOfRendering(): string {
  const hash = createHash('sha256')
  for (const file of chartFiles()) hash.update(`${file}\n${readFileSync(join(root, file), 'utf8')}\n`)
  return `# Written by \`npm run test:operations -- --render\` from the chart ${hash.digest('hex')}\n`
}
