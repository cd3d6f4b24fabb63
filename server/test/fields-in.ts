type Result = { _meta?: Record<string, unknown> | undefined; structuredContent?: unknown }

/** The result of a tool in fields: of `recall`, whose structured form is lines for models, those in its `_meta`. */
export function fieldsIn({ _meta, structuredContent }: Result): unknown {
  const found = _meta?.['dev.loci/found']
  const { notice } = Object(structuredContent) as { notice?: string }
  return found === undefined
    ? structuredContent
    : { ...(notice === undefined ? {} : { notice }), ...Object(found) }
}
