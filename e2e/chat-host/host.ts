// A host as the official package has it, for the tests: it shows a view in a sandbox without a network and without
// workers, and passes its calls on.

import type { CallToolResult } from '@modelcontextprotocol/client'
import {
  AppBridge,
  type McpUiHostContext,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge'

declare global {
  interface Window {
    /** Of the test: asks the real server. */
    callTool: (name: string, args: Record<string, unknown>) => Promise<CallToolResult>
    chat: { open: typeof open; context: (context: McpUiHostContext) => void; told: string[] }
  }
}

const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
let bridge: AppBridge | undefined
const told: string[] = []

async function open(html: string, result: CallToolResult, hostContext: McpUiHostContext): Promise<void> {
  const frame = document.createElement('iframe')
  frame.title = 'Loci'
  frame.sandbox.add('allow-scripts')
  frame.srcdoc = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  )
  document.body.replaceChildren(frame)
  const made = new AppBridge(
    null,
    { name: 'test-chat', version: '1' },
    { serverTools: {}, updateModelContext: { text: {} } },
    { hostContext },
  )
  bridge = made
  made.oncalltool = ({ name, arguments: args = {} }) => window.callTool(name, args)
  made.onupdatemodelcontext = async ({ content = [] }) => {
    for (const block of content) if (block.type === 'text') told.push(block.text)
    return {}
  }
  made.onrequestdisplaymode = async ({ mode }) => {
    frame.style.height = mode === 'fullscreen' ? '800px' : frame.style.height
    made.setHostContext({ ...hostContext, displayMode: mode })
    return { mode }
  }
  made.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`
  }
  made.oninitialized = () => void made.sendToolResult(result)
  await made.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!))
}

window.chat = { open, context: (context) => bridge?.setHostContext(context), told }
