import type { OperationType } from '@loci/contract/analytics'
import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../usage/meter.ts'

/** A tool as its file describes it. `In` and `Out` are checked by the schemas that clients see. */
export type ToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> = {
  name: string
  title: string
  /** Written for the model that decides whether to call it. */
  description: string
  input: In
  output: Out
  annotations: ToolAnnotations
  /** What a call counts as. */
  operation: OperationType
  /** What the call is about; the graph unless said. */
  resource?: string
  run: (ctx: Context, actor: Actor, args: z.output<In>) => Promise<ToolAnswer<z.input<Out>>>
}

/** The structured answer and its text; the text is the answer as JSON when none is given. */
export type ToolAnswer<Out> = { structured: Out; text?: string; notes?: readonly string[] }

/** A tool that is ready to be called; how it is listed is made once, when first asked for. */
export type Tool = {
  name: string
  readonly listed: ListedTool
  operation: Operation
  call: (ctx: Context, actor: Actor, args: unknown) => Promise<CallToolResult>
}

/** Arguments that do not fit the input schema; the message is the SDK's own wording. */
export class ToolInputError extends Error {
  override name = 'ToolInputError'
}

export function defineTool<In extends z.ZodObject, Out extends z.ZodObject>(
  definition: ToolDefinition<In, Out>,
): Tool {
  const { name, input } = definition
  let listed: ListedTool | undefined
  return {
    name,
    get listed() {
      listed ??= toListed(definition)
      return listed
    },
    operation: { type: definition.operation, resource: definition.resource ?? 'graph' },
    async call(ctx, actor, args) {
      const parsed = input.safeParse(args ?? {})
      if (!parsed.success) throw new ToolInputError(messageOf(name, parsed.error))
      return toResult(await definition.run(ctx, actor, parsed.data))
    },
  }
}

function toListed<In extends z.ZodObject, Out extends z.ZodObject>({
  name,
  title,
  description,
  annotations,
  input,
  output,
}: ToolDefinition<In, Out>): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: toJsonSchema(input, 'input') as ListedTool['inputSchema'],
    outputSchema: toJsonSchema(output, 'output') as NonNullable<ListedTool['outputSchema']>,
    annotations,
  }
}

function toResult<Out>({ structured, text, notes = [] }: ToolAnswer<Out>): CallToolResult {
  const texts = [text ?? JSON.stringify(structured, null, 2), ...notes]
  return {
    content: texts.map((part) => ({ type: 'text', text: part })),
    structuredContent: structured as Record<string, unknown>,
  }
}

function messageOf(tool: string, error: z.ZodError): string {
  const issues = error.issues.map((issue) => `${pathOf(issue.path)}${issue.message}`)
  return `Input validation error: Invalid arguments for tool ${tool}: ${issues.join(', ')}`
}

function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return ''
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return `${text.replace(/^\./, '')}: `
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Says only that keys are texts, in a word that some clients' dialects refuse.
    override: ({ jsonSchema }) => {
      delete jsonSchema.propertyNames
    },
  })
}

export const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const adds: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}
export const deletes: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}
export const changes: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}
