import type { OperationType } from '@loci/contract/analytics'
import type { Operation } from '@loci/contract/endpoint'
import type { KeyRight } from '@loci/contract/rights'
import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { WantedProposals } from '../../features/memories/own-proposed.ts'
import { shownName, shownText } from '../../ground/lib/for-models.ts'
import { prefixOfSize } from '../../ground/lib/json-size.ts'
import { type Actor, mayHaveProposals } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { noteOfIgnored, type Schema } from './argument-names.ts'
import { asShown } from './as-shown.ts'
import { graphViewMeta } from './graph-view.ts'
import { toExpectedForm } from './lenient-arguments.ts'

/** A tool as its file defines it. `In` and `Out` are checked against the schemas that clients see. */
export type ToolDefinition<In extends z.ZodObject, Out extends z.ZodObject> = {
  name: string
  title: string
  /** Written for the model that decides whether to call it. */
  description: string
  input: In
  output: Out
  annotations: ToolAnnotations
  /** Hints for specific clients, listed as `_meta`. */
  meta?: Record<string, unknown>
  /** For a read: what of the caller's own proposals answers it too. */
  proposedFor?: (args: z.output<In>) => WantedProposals | undefined
  /** Clients that can show a graph show the answer as one. */
  hasView?: boolean
  /** What a call requires. */
  right: KeyRight
  /** How a call is counted. */
  operation: OperationType
  /** The subject of the call; defaults to the graph. */
  resource?: string
  /** The answer names arguments that it does not know, as filters that did not apply. Others drop them silently. */
  namesIgnored?: boolean
  /** Listed only if the caller can access several spaces. */
  onlyWithSpaces?: boolean
  /** Listed only where there are conversations. */
  onlyWithConversations?: boolean
  run: (ctx: Context, actor: Actor, args: z.output<In>) => Promise<ToolAnswer<z.input<Out>>>
}

/**
 * The result of a tool. Some clients show the model only the structured form, others only the texts, so
 * each must be complete.
 */
export type ToolAnswer<Out> = {
  /** Without the notice. */
  structured: Out
  /**
   * Anything unusual, what was left out and how to continue: the first key of the structured form, and
   * a text.
   */
  notice?: string | undefined
  /** Puts the notice first among the texts, e.g. if this is only part of what was requested. */
  isPart?: boolean
  /** The result as JSON, if different from the structured form. */
  json?: unknown
  /** The result as prose; the notice then precedes it. */
  text?: string
  /** The result in fields for programs and the graph in the chat; models are not shown it. */
  fields?: unknown
}

/** A tool ready to be called; its listing is generated once, on first use. */
export type Tool = {
  name: string
  readonly listed: ListedTool
  /** The same for clients that show views. */
  readonly listedWithView: ListedTool
  /** Clients that can show a graph show the answer as one. */
  hasView?: boolean
  right: KeyRight
  operation: Operation
  /** A hook's own read, which nobody asked for. */
  isCheck?: boolean
  onlyWithSpaces: boolean
  onlyWithConversations: boolean
  /** The result names the `space`, if one is given. */
  call: (ctx: Context, actor: Actor, args: unknown, space?: string) => Promise<CallToolResult>
}

/** Arguments that do not match the input schema; the message is worded as the SDK's. */
export class ToolInputError extends Error {
  override name = 'ToolInputError'
}

export function defineTool<In extends z.ZodObject, Out extends z.ZodObject>(
  definition: ToolDefinition<In, Out>,
): Tool {
  const { name, output, onlyWithSpaces = false, onlyWithConversations = false } = definition
  let listed: ListedTool | undefined
  let listedWithView: ListedTool | undefined
  return {
    name,
    get listed() {
      listed ??= toListed(definition)
      return listed
    },
    get listedWithView() {
      if (definition.hasView !== true) return this.listed
      listedWithView ??= { ...this.listed, _meta: { ...this.listed._meta, ...graphViewMeta } }
      return listedWithView
    },
    ...(definition.hasView && { hasView: true }),
    right: definition.right,
    operation: {
      requires: definition.right,
      type: definition.operation,
      resource: definition.resource ?? 'graph',
    },
    onlyWithSpaces,
    onlyWithConversations,
    async call(ctx, actor, args, space) {
      const { parsed, ignored } = readArguments(this.listed, definition, args ?? {})
      const given = withNotice(await definition.run(ctx, actor, parsed), ignored)
      const asked = mayHaveProposals(actor) ? definition.proposedFor?.(parsed) : undefined
      const told = asked === undefined ? given : await withProposed(ctx, actor, given, asked)
      const { proposalId } = actor.operation ?? {}
      const answer = proposalId === undefined ? told : withProposal(told, proposalId)
      const result = toResult(answer, { space, mayNotice: 'notice' in output.shape })
      const beside = {
        ...(space === undefined ? {} : { [spaceMetaKey]: shownName(space) }),
        ...(answer.fields === undefined ? {} : { [fieldsMetaKey]: asShown(answer.fields) }),
      }
      return Object.keys(beside).length === 0 ? result : { ...result, _meta: beside }
    },
  }
}

/** Tells the caller what it proposed and asks for, since nobody else is told. */
async function withProposed<Out>(
  ctx: Context,
  actor: Actor,
  answer: ToolAnswer<Out>,
  asked: WantedProposals,
): Promise<ToolAnswer<Out>> {
  const { noticeOfProposed } = await import('../../features/memories/own-proposed.ts')
  const told = await noticeOfProposed(ctx, actor, asked)
  return withNotice(answer, told)
}

const withNotice = <Out>(answer: ToolAnswer<Out>, more: string | undefined): ToolAnswer<Out> =>
  more === undefined
    ? answer
    : { ...answer, notice: answer.notice === undefined ? more : `${answer.notice} ${more}` }

/** Says that nothing is stored yet, in every form that the model may be shown. */
function withProposal<Out>(answer: ToolAnswer<Out>, id: string): ToolAnswer<Out> {
  const note = `Not stored yet: it waits for a person's review as ${id}, and until then only you are told of it.`
  const notice = [answer.notice, note].filter((part) => part !== undefined).join(' ')
  const message: unknown = Reflect.get(Object(answer.structured), 'message')
  if (typeof message !== 'string') return { ...answer, notice }
  const structured = { ...answer.structured, message: `${message}. ${note}` }
  return { ...answer, notice, structured }
}

/** The arguments, and a sentence about those that are not used. Throws {@link ToolInputError}. */
function readArguments<In extends z.ZodObject>(
  { name, inputSchema }: ListedTool,
  { input, namesIgnored }: { input: In; namesIgnored?: boolean },
  args: unknown,
): { parsed: z.output<In>; ignored: string | undefined } {
  const schema = inputSchema as Schema
  const noteOf = (given: unknown) =>
    noteOfIgnored(name, given, schema, { withArguments: namesIgnored === true })
  const ignored = noteOf(args)
  const parsed = input.safeParse(args)
  if (parsed.success && ignored === undefined) return { parsed: parsed.data, ignored }
  const expected = toExpectedForm(args, schema)
  const again = input.safeParse(expected)
  if (again.success) return { parsed: again.data, ignored: noteOf(expected) }
  if (parsed.success) return { parsed: parsed.data, ignored }
  throw new ToolInputError(messageOf(name, again.error))
}

function toListed<In extends z.ZodObject, Out extends z.ZodObject>({
  name,
  title,
  description,
  annotations,
  meta,
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
    ...(meta === undefined ? {} : { _meta: meta }),
  }
}

/** Space left for a notice beside the rest of a result. */
const noticeSizeMax = 5_000

/** Keys in `_meta`, as the protocol reserves them: the name of the space, and the result in fields. */
const spaceMetaKey = 'dev.loci/space'
export const fieldsMetaKey = 'dev.loci/found'

type Naming = { space: string | undefined; mayNotice: boolean }

function toResult<Out>(answer: ToolAnswer<Out>, { space, mayNotice }: Naming): CallToolResult {
  const { notice: given, isPart, text } = answer
  const structured = asShown(answer.structured)
  const named = space === undefined ? given : [`Space: ${space}.`, given ?? ''].join(' ').trim()
  const notice = named === undefined ? undefined : prefixOfSize(shownName(named), noticeSizeMax)
  const notices = notice === undefined ? [] : [notice]
  const texts =
    text === undefined
      ? [toJsonText(answer.json === undefined ? structured : asShown(answer.json)), ...notices]
      : [[...notices, shownText(text)].filter((part) => part !== '').join('\n\n')]
  if (isPart && text === undefined) texts.reverse()
  return {
    content: texts.map((part) => ({ type: 'text', text: part })),
    structuredContent: { ...(notice === undefined || !mayNotice ? {} : { notice }), ...structured },
  }
}

/** Longer results are not indented, since whitespace costs the model as many tokens as words. */
const indentedMax = 2_000

/** JSON formatted as by the reference memory server if short, without whitespace if long. */
export function toJsonText(value: unknown): string {
  const compact = JSON.stringify(value)
  if (compact.length > indentedMax) return compact
  const indented = JSON.stringify(value, null, 2)
  return indented.length > indentedMax ? compact : indented
}

/** The first few problems are enough. */
const issuesMax = 10

function messageOf(tool: string, { issues }: z.ZodError): string {
  const told = issues.slice(0, issuesMax).map((issue) => `${pathOf(issue.path)}${issue.message}`)
  const rest = issues.length > issuesMax ? ` (and ${issues.length - issuesMax} more)` : ''
  return `Input validation error: Invalid arguments for tool ${tool}: ${told.join(', ')}${rest}`
}

function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return ''
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return `${text.replace(/^\./, '')}: `
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  // MCP's dialect is 2020-12 unless a schema names another, which would cost as much as an argument.
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // It only says that keys are strings, with a keyword that some clients' dialects refuse.
      delete jsonSchema.propertyNames
      // Other fields are refused without being announced, which would cost as much as an argument.
      if (io === 'input' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      // The safe integer range as bounds says nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      // Strict clients fail on an empty schema.
      if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true
    },
  })
  return json
}

const isEmpty = (schema: unknown) =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0

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
