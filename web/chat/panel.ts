import type { GraphEdge, GraphNode } from '@loci/graph/types'

const factsShown = 6
const neighboursShown = 40
const nameCharacters = 120

export type PanelActions = { choose: (name: string) => void; back: () => void }
export type Shown = {
  node: GraphNode
  color: string
  facts: readonly string[]
  edges: readonly GraphEdge[]
  /** Shown while facts are loading or could not be loaded. */
  state: string | undefined
}

type Child = Node | string | undefined

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

const shorten = (text: string) =>
  text.length > nameCharacters ? `${text.slice(0, nameCharacters - 1)}…` : text
const link = (name: string, choose: PanelActions['choose'], ...words: Child[]) =>
  element('button', { type: 'button', className: 'link', onclick: () => choose(name) }, ...words)

/** A list of the entities found, to choose from. */
export function listFound(names: readonly string[], { choose }: PanelActions): Node[] {
  const items = names
    .slice(0, neighboursShown)
    .map((name) => element('li', {}, link(name, choose, shorten(name))))
  return [element('h1', { textContent: 'Found in memory' }), element('ul', {}, ...items)]
}

/** One entity: its newest facts and its relations. */
export function describe(shown: Shown, actions: PanelActions): Node[] {
  const { node, color, facts, edges, state } = shown
  const dot = element('i', { className: 'dot' })
  dot.style.background = color
  const newest = facts.slice(-factsShown).reverse()
  const more = facts.length - newest.length
  return [
    link('', actions.back, '← All found'),
    element('h1', { textContent: shorten(node.name), title: node.name }),
    element('p', { className: 'type' }, dot, node.type === '' ? 'entity' : node.type),
    state === undefined ? undefined : element('p', { className: 'state', textContent: state }),
    newest.length === 0
      ? undefined
      : element('ul', { className: 'facts' }, ...newest.map((text) => element('li', { textContent: text }))),
    more > 0 ? element('p', { className: 'state', textContent: `and ${more} more` }) : undefined,
    edges.length === 0 ? undefined : element('h2', { textContent: 'Relations' }),
    edges.length === 0
      ? undefined
      : element('ul', {}, ...edges.slice(0, neighboursShown).map((edge) => relation(edge, node.id, actions))),
  ].filter((child) => child !== undefined)
}

function relation(
  { fromEntityId, toEntityId, relationType }: GraphEdge,
  here: string,
  actions: PanelActions,
) {
  const isOut = fromEntityId === here
  const other = isOut ? toEntityId : fromEntityId
  const words = element('span', { textContent: isOut ? `${relationType} →` : `← ${relationType}` })
  return element('li', {}, link(other, actions.choose, words, ` ${shorten(other)}`))
}
