/** The part of a syntax tree (ESTree) that this file reads. */
type Node = { type: string; start: number; end: number; body?: unknown; [key: string]: unknown }

/**
 * Lets a bundler drop each unused constant with all that its value needs: the value is computed in a function that is
 * called once, and the call is marked as pure. Marking the calls in the value would not do, because reading
 * `Filters.shape` for an argument counts as an effect.
 */
export function markPure(code: string, program: object): { code: string; map: null } {
  const values = (program as { body: Node[] }).body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .filter((node) => isNode(node) && node.type === 'VariableDeclaration')
    .flatMap((node) => (node as Node & { declarations: { init: unknown }[] }).declarations)
    .map(({ init }) => init)
    .filter((value) => isNode(value) && reads(value)) as Node[]
  const marked = values.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/*#__PURE__*/ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
    code,
  )
  return { code: marked, map: null }
}

const effects = /^(Call|New|Member|Chain)Expression$|^SpreadElement$/

/** True if computing it does something: it calls a function, or reads an object. */
function reads(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(reads)
  if (!isNode(value) || /Function|Class/.test(value.type)) return false
  return effects.test(value.type) || Object.values(value).some(reads)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}
