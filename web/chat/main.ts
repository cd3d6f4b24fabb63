import { createGraphView } from '@loci/graph/create-graph-view'
import { startInPage } from '@loci/graph/in-page'
import { slotsOf, styleOfSlot } from '@loci/graph/model/palette'
import { darkTheme, lightTheme } from '@loci/graph/theme'
import type { GraphView } from '@loci/graph/types'
import type { McpUiHostCapabilities, McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import { readFound } from './found.ts'
import { Host, type ToolResult } from './host.ts'
import { Known } from './known.ts'
import { describe, listFound } from './panel.ts'
import { Places } from './places.ts'

/** Entities found whose neighbours are loaded at once; each takes a tool call. */
const exploredAtFirst = 3
const neighboursMax = 24
const heightInline = 420
const heightOfWords = 64
const toolsHeight = 40

const mapMetaKey = 'dev.loci/map'

const at = (id: string) => document.getElementById(id)!
const known = new Known()
const places = new Places()
const explored = new Map<string, Promise<void>>()
let capabilities: McpUiHostCapabilities = {}
let scheme: 'light' | 'dark' = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
let isLarge = false
let chosen: string | undefined
let troubles = new Map<string, string>()

const host = new Host({ result: (result) => void show(result), context: adapt })
let view: GraphView | undefined
at('closer').onclick = () => view?.zoomBy(1.5)
at('further').onclick = () => view?.zoomBy(1 / 1.5)
at('whole').onclick = () => view?.fit()
at('large').onclick = () => host.ask('ui/request-display-mode', { mode: isLarge ? 'inline' : 'fullscreen' })
// Inline, the wheel scrolls the conversation; with Ctrl or in full screen, it zooms.
addEventListener(
  'wheel',
  (event) => {
    if (!isLarge && !event.ctrlKey && !event.metaKey) event.stopPropagation()
  },
  { capture: true, passive: true },
)

const { hostCapabilities, hostContext } = await host.connect()
capabilities = hostCapabilities
adapt(hostContext)
if (at('card').dataset.state === 'waiting') resize(heightOfWords)

/** `isMapped`: in the places and regions of the memory's map. */
function openView(isMapped: boolean): GraphView {
  const opened = createGraphView(at('graph'), {
    theme: scheme === 'dark' ? darkTheme : lightTheme,
    start: startInPage,
    touch: 'scroll',
    regions: isMapped,
    map: isMapped,
    testHandle: true,
  })
  opened.on('select', (node) => choose(node?.id))
  opened.setPadding({ left: 0, top: 0, right: 0, bottom: toolsHeight })
  return opened
}

function showMap(): void {
  view?.setMap(places.map())
  view?.setRegionNames(places.regionNames())
}

/** Draws the result of a tool, then the neighbourhoods of its best matches. */
async function show({ structuredContent, _meta, isError }: ToolResult): Promise<void> {
  const found = readFound(_meta?.['dev.loci/found'] ?? structuredContent)
  if (isError || found.nodes.length === 0) {
    say(isError ? 'The memory could not answer.' : 'Nothing is remembered about this.')
    return
  }
  at('card').dataset.state = 'shown'
  resize(heightInline)
  const isMapped = places.take(_meta?.[mapMetaKey])
  view ??= openView(isMapped)
  if (isMapped) showMap()
  known.names = found.names
  known.take(found)
  draw()
  if (capabilities.serverTools === undefined) return
  await Promise.all(found.names.slice(0, exploredAtFirst).map(explore))
}

function say(words: string): void {
  at('card').dataset.state = 'words'
  at('words').textContent = words
  resize(heightOfWords)
}

/** Loads an entity and its neighbourhood, once. */
function explore(name: string): Promise<void> {
  const asked = explored.get(name) ?? ask(name)
  explored.set(name, asked)
  return asked
}

async function ask(name: string): Promise<void> {
  try {
    const asked = { name, depth: 1, limit: neighboursMax }
    const { structuredContent, _meta } = await host.callTool('explore_entity', asked)
    const change = known.take(readFound(structuredContent))
    if (places.take(_meta?.[mapMetaKey])) showMap()
    paint()
    view?.update(change)
  } catch (error) {
    troubles = new Map(troubles).set(name, error instanceof Error ? error.message : String(error))
  }
  showPanel()
}

function draw(): void {
  paint()
  view?.setData({ nodes: [...known.nodes.values()], edges: [...known.edges.values()] })
  showPanel()
}

/** Assigns colours to types in order of arrival. */
function paint(): void {
  const slots = slotsOf(known.types, {})
  view?.setTypeSlots(Object.fromEntries(known.types.map((type, index) => [type, slots[index]!])))
}

function colorOf(type: string): string {
  return styleOfSlot(slotsOf(known.types, {})[known.types.indexOf(type)] ?? 16, scheme).color
}

/** Shows the facts of the selected entity in the panel, and loads its neighbours into the graph. */
function choose(name: string | undefined): void {
  chosen = name
  showPanel()
  if (name === undefined) return
  if (capabilities.serverTools !== undefined) void explore(name)
  if (capabilities.updateModelContext !== undefined) {
    const text = `In the graph of the memory, the user is looking at ${JSON.stringify(name)}.`
    void host.ask('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => {})
  }
}

function showPanel(): void {
  const node = chosen === undefined ? undefined : known.nodes.get(chosen)
  const actions = {
    choose(name: string) {
      view?.select(name)
      view?.focus(name)
      choose(name)
      at('panel').focus()
    },
    back() {
      view?.select(null)
      choose(undefined)
      view?.fit()
      at('panel').focus()
    },
  }
  if (node === undefined) {
    at('panel').replaceChildren(...listFound(known.names, actions))
    return
  }
  const facts = known.facts.get(node.id) ?? []
  const isComing = capabilities.serverTools !== undefined && facts.length === 0 && node.observationsCount > 0
  const state = troubles.get(node.id) ?? (isComing ? 'Asking the memory ...' : undefined)
  const edges = known.edgesOf(node.id)
  at('panel').replaceChildren(...describe({ node, color: colorOf(node.type), facts, edges, state }, actions))
}

/** Applies the host's theme, font and display mode. */
function adapt({ theme, displayMode, availableDisplayModes, styles }: McpUiHostContext): void {
  if (theme !== undefined) scheme = theme
  document.documentElement.dataset.scheme = scheme
  view?.setTheme(scheme === 'dark' ? darkTheme : lightTheme)
  if (availableDisplayModes !== undefined) at('large').hidden = !availableDisplayModes.includes('fullscreen')
  if (displayMode !== undefined) {
    isLarge = displayMode === 'fullscreen'
    document.documentElement.dataset.mode = displayMode
    at('large').textContent = isLarge ? 'Back to the chat' : 'Full screen'
  }
  const font = styles?.variables?.['--font-sans']
  if (font !== undefined) document.documentElement.style.setProperty('--host-font', font)
  showPanel()
}

function resize(height: number): void {
  document.documentElement.style.setProperty('--height', `${height}px`)
  host.tell('ui/notifications/size-changed', { height })
}
