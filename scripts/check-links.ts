// Checks that each link between the repository's documents leads to a file and, if it has a fragment, to a
// heading.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import { slugOf } from './heading-slug.ts'

const broken: string[] = []
const headingsOf = new Map<string, Set<string>>()

const exclude = (path: string) => /(^|\/)(node_modules|dist|\.cache|test-results|coverage)(\/|$)/.test(path)
for await (const file of glob('**/*.md', { exclude })) {
  for (const href of linksOf(readFileSync(file, 'utf8'))) {
    if (/^[a-z][a-z+.-]*:|^\/\//i.test(href)) continue
    const reason = whyBroken(file, href)
    if (reason !== undefined) broken.push(`${file}: ${href}: ${reason}`)
  }
}
for (const line of broken.sort()) console.error(line)
if (broken.length > 0) process.exitCode = 1

function linksOf(markdown: string): string[] {
  const links: string[] = []
  const collect = (token: Token) => {
    if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link).href)
  }
  void marked.walkTokens(marked.lexer(markdown), collect)
  return links
}

function whyBroken(file: string, href: string): string | undefined {
  const [path = '', fragment] = decodeURI(href).split('#')
  const target = path === '' ? file : normalize(join(dirname(file), path))
  if (target.startsWith('..') || !existsSync(target)) return 'there is no such file'
  if (fragment === undefined || !target.endsWith('.md') || statSync(target).isDirectory()) return undefined
  return listHeadings(target).has(fragment) ? undefined : 'there is no such heading'
}

/** The fragments of a document's headings, as GitHub generates them. */
function listHeadings(file: string): Set<string> {
  const known = headingsOf.get(file)
  if (known !== undefined) return known
  const slugs = new Set<string>()
  for (const token of marked.lexer(readFileSync(file, 'utf8'))) {
    if (token.type !== 'heading') continue
    const slug = slugOf(token.text)
    let unique = slug
    for (let count = 1; slugs.has(unique); count++) unique = `${slug}-${count}`
    slugs.add(unique)
  }
  headingsOf.set(file, slugs)
  return slugs
}
