import { isStorableText } from '@loci/contract/text'
import { type CompleteRequestParams, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import {
  type Completion,
  completeEntityName,
  completeTopic,
} from '../../features/memories/complete-memories.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { asShown } from './as-shown.ts'
import { requirePrompt } from './prompts.ts'
import { listedResources, listedTemplates } from './resources.ts'

type Complete = (ctx: Context, actor: Actor, typed: string) => Promise<Completion>

const nothing: Completion = { values: [], total: 0, hasMore: false }
/** Longer than any name. */
const typedLengthMax = 1_000

/**
 * Completions for an argument of a prompt or a resource template; none for arguments with free text.
 * Throws "invalid params" if the prompt or template does not exist.
 */
export async function complete(
  ctx: Context,
  actor: Actor,
  { ref, argument }: Pick<CompleteRequestParams, 'ref' | 'argument'>,
): Promise<Completion> {
  const run =
    ref.type === 'ref/prompt' ? ofPrompt(ref.name, argument.name) : ofResource(ref.uri, argument.name)
  const isSearchable = isStorableText(argument.value) && argument.value.length <= typedLengthMax
  if (run === undefined || !isSearchable) return nothing
  return asShown(await run(ctx, actor, argument.value))
}

function ofPrompt(name: string, argument: string): Complete | undefined {
  requirePrompt(name)
  return name === 'save_after_task' && argument === 'focus' ? completeTopic : undefined
}

function ofResource(uri: string, argument: string): Complete | undefined {
  const isTemplate = listedTemplates.some(({ uriTemplate }) => uriTemplate === uri)
  if (isTemplate) return argument === 'name' ? completeEntityName : undefined
  if (listedResources.some((resource) => resource.uri === uri)) return undefined
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource template ${uri} not found`)
}
