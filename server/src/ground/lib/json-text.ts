/** A value in the text of a JSON document; comments and trailing commas, which several programs allow, are skipped. */
type Node = { start: number; end: number; items?: Item[] }
/** A member of an object or an element of a list; `start` is that of its key. */
type Item = { key: string | undefined; start: number; value: Node }

const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const string = /"(?:[^"\\\n]|\\.)*"/y
const scalar = /[^\s,:[\]{}"]+/y
const depthMax = 100

class UnreadableJson extends Error {}

/** Reads where the parts of a JSON text stand, without interpreting them. */
function parse(text: string): Node {
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const expectFound = (found: string): string => {
    if (found === '') throw new UnreadableJson(`character ${at}`)
    return found
  }
  const readItems = (close: string, depth: number): Item[] => {
    const items: Item[] = []
    for (at++; ; ) {
      take(blank)
      if (text[at] === close) break
      const start = at
      const key = close === '}' ? (JSON.parse(expectFound(take(string))) as string) : undefined
      if (close === '}') expectFound(take(/\s*:/y))
      items.push({ key, start, value: readValue(depth + 1) })
      take(blank)
      if (text[at] === ',') at++
      else if (text[at] !== close) throw new UnreadableJson(`character ${at}`)
    }
    at++
    return items
  }
  const readValue = (depth: number): Node => {
    take(blank)
    if (depth > depthMax) throw new UnreadableJson('too deep')
    const start = at
    const open = text[at]
    if (open === '{' || open === '[')
      return { start, items: readItems(open === '{' ? '}' : ']', depth), end: at }
    expectFound(open === '"' ? take(string) : take(scalar))
    return { start, end: at }
  }
  const root = readValue(0)
  take(blank)
  if (at < text.length) throw new UnreadableJson(`character ${at}`)
  return root
}

/** Undefined if the text is no JSON object. */
function parseObject(text: string): Node | undefined {
  try {
    const root = parse(text)
    return text[root.start] === '{' ? root : undefined
  } catch (error) {
    if (error instanceof UnreadableJson || error instanceof SyntaxError) return undefined
    throw error
  }
}

const memberOf = (node: Node, key: string) => node.items?.find((item) => item.key === key)

/** What stands at a path of keys, as text. Undefined if nothing does, or if the text is no JSON object. */
export function findInJsonText(text: string, path: readonly string[]): string | undefined {
  let node = parseObject(text)
  for (const key of path) node = node && memberOf(node, key)?.value
  return node && text.slice(node.start, node.end)
}

/**
 * The text with a value at a path of keys, which is not there yet. All else stays as it is, comments and spaces too.
 * Undefined if the text is no JSON object, or if something else than an object stands on the way.
 */
export function addToJsonText(text: string, path: readonly string[], value: unknown): string | undefined {
  const source = text.trim() === '' ? '{}\n' : text
  let node = parseObject(source)
  let depth = 0
  for (; node && depth < path.length - 1; depth++) {
    const member = memberOf(node, path[depth] as string)
    if (!member) break
    node = source[member.value.start] === '{' ? member.value : undefined
  }
  if (!node) return undefined
  const [key = '', ...inner] = path.slice(depth)
  const nested = inner.reduceRight<unknown>((made, name) => ({ [name]: made }), value)
  return insertFirst(source, node, depth + 1, key, nested)
}

/** At the beginning of the object, so that a comma can follow whatever stood first. */
function insertFirst(text: string, object: Node, depth: number, key: string, value: unknown): string {
  const before = text.slice(0, object.start + 1)
  const after = text.slice(object.start + 1)
  const name = `${JSON.stringify(key)}: `
  const isEmpty = object.items?.length === 0
  // An object on one line stays on one line.
  if (!isEmpty && !/^\s*(?:\/[/*].*)?\n/.test(after))
    return `${before}${name}${JSON.stringify(value)},${after}`
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const json = JSON.stringify(value, undefined, unit).replaceAll('\n', newline + unit.repeat(depth))
  const member = `${newline}${unit.repeat(depth)}${name}${json}`
  if (!isEmpty) return `${before}${member},${after}`
  return `${before}${member}${newline}${unit.repeat(depth - 1)}${after.replace(/^\s*(?=\})/, '')}`
}

/**
 * The text with a value at the beginning of the list at a path of keys. Undefined if the text is no JSON object, or if
 * something else than a list stands there.
 */
export function addToJsonList(text: string, path: readonly string[], value: unknown): string | undefined {
  const list = nodesOf(text, path)[path.length]?.value
  if (!list || list.items?.length === 0) {
    const emptied = list ? removeFromJsonText(text, path) : text
    return addToJsonText(emptied, path, [value])
  }
  if (text[list.start] !== '[') return undefined
  return `${text.slice(0, list.start + 1)}${JSON.stringify(value)},${text.slice(list.start + 1)}`
}

/** The text with another value at a path of keys where one stands. */
export function replaceInJsonText(text: string, path: readonly string[], value: unknown): string {
  const there = nodesOf(text, path)[path.length]?.value
  return there ? text.slice(0, there.start) + JSON.stringify(value) + text.slice(there.end) : text
}

/** The text without the elements of a list whose own text is chosen; a list that is empty then goes too. */
export function removeFromJsonList(
  text: string,
  path: readonly string[],
  isChosen: (element: string) => boolean,
): string {
  const list = nodesOf(text, path)[path.length]?.value
  const element = list?.items?.find(({ value }) => isChosen(text.slice(value.start, value.end)))
  if (!list || !element || text[list.start] !== '[') return text
  if (list.items?.length === 1) return removeFromJsonText(text, path)
  return removeFromJsonList(cut(text, list, element), path, isChosen)
}

/** The text without the value at a path of keys, and without the objects around it that are empty then. */
export function removeFromJsonText(text: string, path: readonly string[]): string {
  const [whole, ...inside] = nodesOf(text, path)
  const object = whole?.value
  const item = inside.at(-1)
  if (!object || inside.length < path.length || !item) return text
  const around = inside.length > 1 ? (inside.at(-2) as Item).value : object
  if (around.items?.length === 1 && path.length > 1) return removeFromJsonText(text, path.slice(0, -1))
  return cut(text, around, item)
}

/** The object, and the member at each key of the path as far as there is one. */
function nodesOf(text: string, path: readonly string[]): [Item | undefined, ...Item[]] {
  const root = parseObject(text)
  const items: Item[] = []
  let node = root
  for (const key of path) {
    const item = node && memberOf(node, key)
    if (!item) break
    items.push(item)
    node = item.value
  }
  return [root && { key: undefined, start: root.start, value: root }, ...items]
}

/** Cuts an item with the comma after it, or the one before it if it is the last. */
function cut(text: string, around: Node, item: Item): string {
  const items = around.items ?? []
  const index = items.indexOf(item)
  if (items.length === 1) return `${text.slice(0, around.start + 1)}${text.slice(around.end - 1)}`
  if (index < items.length - 1) {
    const comma = text.indexOf(',', item.value.end) + 1
    const before = text.slice(0, item.start).trimEnd()
    return before + text.slice(comma)
  }
  const previous = items[index - 1] as Item
  return text.slice(0, previous.value.end) + text.slice(item.value.end)
}
