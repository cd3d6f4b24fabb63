import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { pixel, text, textResult, wavBase64 } from './content.ts'
import { inputRequiredTools } from './input-required-tools.ts'

export type FixtureTool = (ctx: ServerContext) => Promise<CallToolResult | InputRequiredResult>

/** The tools that the conformance scenarios call. Those that ask the client during a call are in the baseline. */
export const fixtureTools: Record<string, FixtureTool> = {
  test_simple_text: async () => textResult('This is a simple text response for testing.'),
  test_image_content: async () => ({ content: [pixel] }),
  test_audio_content: async () => ({
    content: [{ type: 'audio', data: wavBase64, mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: async () => ({
    content: [
      text('Multiple content types test:'),
      pixel,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_error_handling: async () => ({
    isError: true,
    ...textResult('This tool intentionally returns an error for testing'),
  }),
  test_tool_with_logging: logThreeTimes,
  test_logging_tool: logThreeTimes,
  test_tool_with_progress: async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await sleep(50)
    }
    return textResult('Done')
  },
  test_missing_capability: async (ctx) => {
    if (capabilitiesOf(ctx).sampling === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return textResult('The client can sample')
  },
  test_streaming_elicitation: async () => textResult('Nothing was asked'),
  ...inputRequiredTools,
}

/** The capabilities that the client declares. */
export function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities {
  return Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY) ?? {}
}

async function logThreeTimes(ctx: ServerContext): Promise<CallToolResult> {
  for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await ctx.mcpReq.log('info', message)
    await sleep(50)
  }
  return textResult('Logged three times')
}
