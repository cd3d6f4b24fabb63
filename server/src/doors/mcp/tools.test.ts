import { describe, expect, test } from 'vitest'
import { listPrompts } from './prompts.ts'
import { listedResources, listedTemplates } from './resources.ts'
import { tools } from './tools/index.ts'

/** The JSON Schema keywords that every client's dialect supports. */
const portable = new Set([
  'type',
  'properties',
  'required',
  'items',
  'description',
  'default',
  'additionalProperties',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
])
const descriptionMax = 1_024
const listBytesMax = 32_000
/** 2,670 tokens: one o200k token is about 4.4 characters of this list. */
const shownCharactersMax = 11_750

describe.each(tools.map((tool) => tool.listed))('the tool $name', (tool) => {
  test('has a name, a title and a description that clients accept', () => {
    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(tool.name.length).toBeLessThanOrEqual(40)
    expect(tool.title).toMatch(/^[A-Z]/)
    expect(tool.description).toMatch(/\S/)
    expect(tool.description?.length).toBeLessThanOrEqual(descriptionMax)
  })

  test('says whether it reads, destroys, may be repeated, and reaches outside', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {}
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint]) expect(hint).toBeTypeOf('boolean')
    expect(openWorldHint).toBe(false)
    expect(readOnlyHint && destructiveHint).toBe(false)
  })

  test.each(['inputSchema', 'outputSchema'] as const)('has a portable %s', (key) => {
    const schema = tool[key]
    expect(schema).toMatchObject({ type: 'object', properties: {} })
    for (const node of schemasIn(schema)) {
      expect(Object.keys(node).filter((word) => !portable.has(word))).toEqual([])
      if ('type' in node) expect(node.type).toBeTypeOf('string')
    }
  })

  test('describes every argument', () => {
    for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      const described = schemasIn(schema).some((node) => typeof node.description === 'string')
      expect(described, name).toBe(true)
    }
  })
})

describe('all tools', () => {
  test('have no meaningless bounds, and no schema without a description', () => {
    const text = JSON.stringify(tools.map((tool) => tool.listed))
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
    expect(text).not.toContain('"additionalProperties":{}')
  })

  test('have unique names', () => {
    expect(new Set(tools.map((tool) => tool.listed.name)).size).toBe(tools.length)
  })

  test('tell Claude Code which of them to load at once, and how to find the others', () => {
    const loaded = tools.filter(({ listed }) => listed._meta?.['anthropic/alwaysLoad'] === true)
    expect(loaded.map(({ name }) => name).sort()).toEqual(['add_observations', 'create_entities', 'recall'])
    for (const { name, listed } of tools) {
      if (loaded.some((tool) => tool.name === name)) continue
      expect(listed._meta?.['anthropic/searchHint'], name).toMatch(/^\S.{10,60}$/)
    }
    const { listed } = tools.find(({ name }) => name === 'read_graph') ?? {}
    expect(listed?._meta?.['anthropic/maxResultSizeChars']).toBe(200_000)
  })

  test('require the right to write exactly if they do not declare themselves read-only', () => {
    for (const { name, right, listed } of tools)
      expect([name, right.split(':')[1]]).toEqual([name, listed.annotations?.readOnlyHint ? 'read' : 'write'])
  })

  test('that write can say in their fields that it waits for a review', () => {
    const mute = tools
      .filter(({ right, listed }) => right === 'memory:write' && !listed.annotations?.readOnlyHint)
      .filter(({ listed }) => {
        const fields = Object.keys(listed.outputSchema?.properties ?? {})
        return !fields.includes('notice') && !fields.includes('message')
      })
    expect(mute.map(({ listed }) => listed.name)).toEqual([])
  })

  test('cost an agent at most 2,670 tokens if the client leaves out output schemas', () => {
    // An account with one space does not see the tool for several, one without conversations not that for them.
    const shown = tools
      .filter(({ onlyWithSpaces, onlyWithConversations }) => !onlyWithSpaces && !onlyWithConversations)
      .map(({ listed: { name, description, inputSchema } }) => ({
        name,
        description,
        inputSchema,
      }))
    expect(JSON.stringify(shown).length).toBeLessThanOrEqual(shownCharactersMax)
  })

  test('cost an agent at most about 8,000 tokens', () => {
    expect(JSON.stringify(tools.map((tool) => tool.listed)).length).toBeLessThanOrEqual(listBytesMax)
  })
})

test.each([...listPrompts(() => true), ...listedResources, ...listedTemplates])(
  '$name has a title and a description',
  ({ name, title, description }) => {
    expect(name).toMatch(/^[a-z_-]+$/)
    expect(title).toMatch(/^[A-Z]/)
    expect(description).toMatch(/\S/)
  },
)

/** A schema and all its subschemas. */
function schemasIn(schema: unknown): Record<string, unknown>[] {
  if (!isObject(schema)) return []
  const { properties, items, additionalProperties } = schema
  const inner = isObject(properties) ? Object.values(properties) : []
  return [schema, ...[...inner, items, additionalProperties].flatMap(schemasIn)]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
