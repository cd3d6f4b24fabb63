/** A value in the text of a JSON document; comments and trailing commas, which several programs allow, are skipped. */
type Node = { start: number; end: number; items?: Item[] }
/** A member of an object or an element of a list; `start` is that of its key. */
type Item = { key: string | undefined; start: number; value: Node }

const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const string = /"(?:[^"\\\n]|\\.)*"/y
const scalar = /[^\s,:[\]{}"/]+/y
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
      if (close === '}') {
        take(blank)
        expectFound(take(/:/y))
      }
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
    // The last: a text of tens of megabytes.
    const reasons = [UnreadableJson, SyntaxError, RangeError]
    if (reasons.some((reason) => error instanceof reason)) return undefined
    throw error
  }
}

/** Programs take the last of several members of one name. */
const memberOf = (node: Node, key: string) => node.items?.findLast((item) => item.key === key)

/** Whether an item is all that a list or an object holds: a comment is the person's. */
const isAlone = (text: string, { start, end }: Node, item: Item) =>
  /^[\s,]*$/.test(text.slice(start + 1, item.start) + text.slice(item.value.end, end - 1))
const isBlank = (text: string) => text.trim() === ''

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
  const inside = text.slice(object.start + 1, object.end - 1)
  const name = `${JSON.stringify(key)}: `
  const comma = object.items?.length === 0 ? '' : ','
  // An object on one line stays on one line.
  if (!isBlank(inside) && !/^\s*(?:\/[/*].*)?\n/.test(inside))
    return `${before}${name}${JSON.stringify(value)}${comma}${after}`
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const json = JSON.stringify(value, undefined, unit).replaceAll('\n', newline + unit.repeat(depth))
  const member = `${newline}${unit.repeat(depth)}${name}${json}`
  if (!isBlank(inside)) return `${before}${member}${comma}${after}`
  return `${before}${member}${newline}${unit.repeat(depth - 1)}${after.replace(/^\s*(?=\})/, '')}`
}

/**
 * The text with a value at the beginning of the list at a path of keys. Undefined if the text is no JSON object, or if
 * something else than a list stands there.
 */
export function addToJsonList(text: string, path: readonly string[], value: unknown): string | undefined {
  const list = nodesOf(text, path)[path.length]?.value
  if (!list) return addToJsonText(text, path, [value])
  if (text[list.start] !== '[') return undefined
  const comma = list.items?.length === 0 ? '' : ','
  return `${text.slice(0, list.start + 1)}${JSON.stringify(value)}${comma}${text.slice(list.start + 1)}`
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
  if (isAlone(text, list, element)) return removeFromJsonText(text, path)
  return removeFromJsonList(cut(text, list, element), path, isChosen)
}

/** The text without the value at a path of keys, and without the objects around it that are empty then. */
export function removeFromJsonText(text: string, path: readonly string[]): string {
  const [whole, ...inside] = nodesOf(text, path)
  const object = whole?.value
  const item = inside.at(-1)
  if (!object || inside.length < path.length || !item) return text
  const around = inside.length > 1 ? (inside.at(-2) as Item).value : object
  if (isAlone(text, around, item) && path.length > 1) return removeFromJsonText(text, path.slice(0, -1))
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

/** Cuts an item with the comma after it, or the one before it if it is the last. Comments around it stay. */
function cut(text: string, around: Node, item: Item): string {
  if (isAlone(text, around, item)) return `${text.slice(0, around.start + 1)}${text.slice(around.end - 1)}`
  const previous = around.items?.[around.items.indexOf(item) - 1]
  const isCommaAfter = text[commaAfter(text, item)] === ','
  const before = text.slice(0, item.start)
  const after = text.slice(item.value.end)
  if (isCommaAfter) return closeGap(before, withoutAt(after, commaAfter(text, item) - item.value.end))
  if (!previous) return closeGap(before, after)
  return closeGap(withoutAt(before, commaAfter(text, previous)).replace(/[ \t]+$/, ''), after)
}

/** Where the comma after an item stands, if there is one. */
function commaAfter(text: string, { value: { end } }: Item): number {
  blank.lastIndex = end
  return end + (blank.exec(text)?.[0].length ?? 0)
}

const withoutAt = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1)

/** A line of its own goes with what stood there; what follows on the line does not move up into a comment. */
function closeGap(before: string, after: string): string {
  if (/^[ \t]*(?:\r?\n|$)/.test(after)) return before.trimEnd() + after
  return before + (/[ \t]$/.test(before) ? after.replace(/^[ \t]+/, '') : after)
}
