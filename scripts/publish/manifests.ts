import { marketplaceJson, pluginHooksJson, pluginJson, pluginMcpJson } from './claude-code-plugin.ts'
import { serverJson } from './server-json.ts'

/** The files that registries and clients read to find us, by path; `npm run manifests` writes them. */
export const manifests: Readonly<Record<string, object>> = {
  'server.json': serverJson,
  '.claude-plugin/marketplace.json': marketplaceJson,
  'plugins/claude-code/.claude-plugin/plugin.json': pluginJson,
  'plugins/claude-code/.mcp.json': pluginMcpJson,
  'plugins/claude-code/hooks/hooks.json': pluginHooksJson,
}
