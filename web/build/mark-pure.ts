const mark = '/*#__PURE__*/ '

/** The part of a syntax tree (ESTree) that this file reads. */
type Node = { type: string; start: number; body?: unknown; [key: string]: unknown }

/**
 * Marks every call that initializes a constant as pure, so that a bundler drops unused ones. Calls inside
 * functions and in statements of their own are left alone.
 */
export function markPure(code: string, program: object): { code: string; map: null } {
  const constants = (program as { body: Node[] }).body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .filter((node) => isNode(node) && node.type === 'VariableDeclaration')
  const starts = [...new Set(constants.flatMap((node) => callsIn(node)))].sort((a, b) => b - a)
  const marked = starts.reduce((text, at) => text.slice(0, at) + mark + text.slice(at), code)
  return { code: marked, map: null }
}

function callsIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(callsIn)
  if (!isNode(value) || /Function|Class/.test(value.type)) return []
  const inside = Object.values(value).flatMap(callsIn)
  return /^(Call|New)Expression$/.test(value.type) ? [value.start, ...inside] : inside
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}
