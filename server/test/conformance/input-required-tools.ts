import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { textResult } from './content.ts'
import { capabilitiesOf, type FixtureTool } from './tools.ts'

const Name = z.object({ name: z.string() })
const Color = z.object({ color: z.string() })
const Ok = z.object({ ok: z.boolean() })

const askForName = (message = 'What is your name?') =>
  inputRequired.elicit({ message, requestedSchema: Name })
const askForOk = inputRequired.elicit({ message: 'Please confirm', requestedSchema: Ok })
const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  })

const codec = createRequestStateCodec<string>({ key: 'conformance-fixtures-have-no-secret' })

/** The state that an earlier round sealed and the client sent back; undefined in the first round. */
async function stateOf(ctx: ServerContext): Promise<string | undefined> {
  const state = ctx.mcpReq.requestState<string>()
  if (state === undefined) return undefined
  return codec.verify(state, ctx).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
  })
}

/** Tools that return a question and continue when the client calls again with the answer. */
export const inputRequiredTools: Record<string, FixtureTool> = {
  test_input_required_result_elicitation: async ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'user_name', Name)
    if (answer !== undefined) return textResult(`Hello, ${answer.name}!`)
    return inputRequired({ inputRequests: { user_name: askForName() } })
  },
  test_input_required_result_sampling: async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question')
    if (answer.kind === 'sampling') return textResult(JSON.stringify(answer.result.content))
    return inputRequired({
      inputRequests: { capital_question: sample('What is the capital of France?', 100) },
    })
  },
  test_input_required_result_list_roots: async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots')
    if (answer.kind === 'roots') return textResult(answer.roots.map((root) => root.uri).join(', '))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  },
  test_input_required_result_request_state: confirmWithState,
  test_input_required_result_tampered_state: confirmWithState,
  test_input_required_result_multiple_inputs: async (ctx) => {
    const { inputResponses } = ctx.mcpReq
    const all = ['user_name', 'greeting', 'client_roots'].every(
      (key) => inputResponse(inputResponses, key).kind !== 'missing',
    )
    if (all && (await stateOf(ctx)) !== undefined) return textResult('All three answers are here')
    return inputRequired({
      inputRequests: {
        user_name: askForName(),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint('multiple'),
    })
  },
  test_input_required_result_multi_round: async (ctx) => {
    const state = await stateOf(ctx)
    const { inputResponses } = ctx.mcpReq
    if (state === 'round-2' && acceptedContent(inputResponses, 'step2', Color) !== undefined)
      return textResult('Both steps are done')
    if (state === 'round-1' && acceptedContent(inputResponses, 'step1', Name) !== undefined)
      return inputRequired({
        inputRequests: {
          step2: inputRequired.elicit({
            message: 'Step 2: What is your favorite color?',
            requestedSchema: Color,
          }),
        },
        requestState: await codec.mint('round-2'),
      })
    return inputRequired({
      inputRequests: { step1: askForName('Step 1: What is your name?') },
      requestState: await codec.mint('round-1'),
    })
  },
  test_input_required_result_capabilities: async (ctx) => {
    const { elicitation, sampling, roots } = capabilitiesOf(ctx)
    const inputRequests: Record<string, InputRequest> = {
      ...(elicitation === undefined ? {} : { name: askForName() }),
      ...(sampling === undefined ? {} : { greeting: sample('Generate a greeting', 50) }),
      ...(roots === undefined ? {} : { roots: inputRequired.listRoots() }),
    }
    return inputRequired({ inputRequests })
  },
}

async function confirmWithState(ctx: ServerContext) {
  const state = await stateOf(ctx)
  if (state !== undefined && acceptedContent(ctx.mcpReq.inputResponses, 'confirm', Ok) !== undefined)
    return textResult('state-ok')
  return inputRequired({ inputRequests: { confirm: askForOk }, requestState: await codec.mint('confirm') })
}
