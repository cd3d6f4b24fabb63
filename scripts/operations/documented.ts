import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Something that an operator is told to run or to copy: a block or a command of a page, or a whole file. */
export type Documented = { file: string; text: string }

const pages = [
  'README.md',
  'docs/getting-started.md',
  'docs/install.md',
  'docs/configuration.md',
  'docs/operations.md',
  'docs/scaling.md',
  'deploy/README.md',
]
const files = ['compose.yaml', 'Dockerfile', 'deploy/**/*']

const blocks = /^```\w*\n([\s\S]*?)^```$/gm
const codeSpans = /`([^`\n]+)`/g
const programs =
  'loci|npm|npx|node|docker|age|openssl|pg_dump|systemctl|cat|sudo|claude|gemini|stripe|select|alter|create extension|printf'
const command = new RegExp(`^(?:[A-Z_]+=\\S+ )*(?:${programs}) `)

/** Everything of the kind in the pages and files. */
export function listDocumented(): Documented[] {
  const found = pages.flatMap((file) => listIn(file, readFileSync(join(root, file), 'utf8')))
  const whole = globSync(files, { cwd: root, exclude: (path) => path.endsWith('.md') })
    .filter((file) => /\.\w+$|file$/.test(file))
    .sort()
    .map((file) => ({ file, text: file }))
  return [...found, ...whole]
}

function listIn(file: string, page: string): Documented[] {
  const inBlocks = [...page.matchAll(blocks)].map(([, text]) => text!)
  const spans = [...page.replaceAll(blocks, '').matchAll(codeSpans)].map(([, text]) => text!)
  return [...inBlocks, ...spans.filter((text) => command.test(text))].map((text) => ({ file, text }))
}
