// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readFound } from './found.ts'
import { describe, listFound } from './panel.ts'

const injections: { kind: string; text: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../server/test/injections.json'), 'utf8'),
)
const actions = { choose: () => {}, back: () => {} }
const ours = new Set(['H1', 'H2', 'P', 'UL', 'LI', 'I', 'BUTTON', 'SPAN'])

function show(nodes: Node[]): Element[] {
  document.body.replaceChildren(...nodes)
  return [...document.body.querySelectorAll('*')]
}

// Other files use the same document.
afterEach(() => document.body.replaceChildren())

test.each(injections)('a text with $kind is one fact of one entity, and only text', ({ text }) => {
  const facts = ['First fact', text, 'Last fact']
  const entity = { name: 'Case', entityType: 'case' }
  const relation = { from: 'Case', to: text, relationType: text }
  for (const found of [
    readFound({ entities: [{ ...entity, observations: facts }], relations: [relation] }),
    readFound({ observations: facts.map((content) => ({ entity, content })), relations: [relation] }),
    readFound({
      entity: { ...entity, observations: facts.map((content) => ({ content })) },
      relations: [relation],
    }),
  ]) {
    expect(found.names).toEqual(['Case'])
    expect(found.nodes.map(({ id }) => id)).toEqual(['Case', text])
    expect(found.edges).toMatchObject([{ fromEntityId: 'Case', toEntityId: text, relationType: text }])
    const shown = found.facts.get('Case') ?? []
    expect([shown.length, shown[0], shown[2]]).toEqual([3, 'First fact', 'Last fact'])
    const [node] = found.nodes
    const elements = show(
      describe({ node: node!, color: 'red', facts: shown, edges: found.edges, state: undefined }, actions),
    )
    expect(elements.filter(({ tagName }) => !ours.has(tagName))).toEqual([])
    expect(document.querySelectorAll('.facts li')).toHaveLength(3)
    const list = show(listFound([text], actions))
    expect(list.map(({ tagName }) => tagName)).toEqual(['H1', 'UL', 'LI', 'BUTTON'])
  }
})
