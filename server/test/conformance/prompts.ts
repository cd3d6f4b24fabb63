import {
  acceptedContent,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { pixel, text } from './content.ts'

type FixturePrompt = {
  listed: Omit<Prompt, 'name'>
  get: (args: Record<string, string>, ctx: ServerContext) => GetPromptResult | InputRequiredResult
}

const Topic = z.object({ context: z.string() })
const required = (name: string) => ({ name, description: `The fixture's ${name}`, required: true })
const user = (content: GetPromptResult['messages'][number]['content']) => ({ role: 'user' as const, content })

export const fixturePrompts: Record<string, FixturePrompt> = {
  test_simple_prompt: {
    listed: { description: 'A prompt without arguments' },
    get: () => ({ messages: [user(text('This is a simple prompt for testing.'))] }),
  },
  test_prompt_with_arguments: {
    listed: { description: 'A prompt with two arguments', arguments: [required('arg1'), required('arg2')] },
    get: ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  },
  test_prompt_with_embedded_resource: {
    listed: { description: 'A prompt with a resource in it', arguments: [required('resourceUri')] },
    get: ({ resourceUri = '' }) => ({
      messages: [
        user({
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  },
  test_prompt_with_image: {
    listed: { description: 'A prompt with an image in it' },
    get: () => ({ messages: [user(pixel), user(text('Please analyze the image above.'))] }),
  },
  test_input_required_result_prompt: {
    listed: { description: 'A prompt that asks before it answers' },
    get: (_args, { mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'user_context', Topic)
      if (answer !== undefined) return { messages: [user(text(`Context: ${answer.context}`))] }
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: 'What context should the prompt use?',
            requestedSchema: Topic,
          }),
        },
      })
    },
  },
}
